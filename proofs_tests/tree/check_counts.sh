#!/usr/bin/env bash
# ./dev adds up what its parts say, also of those that run beside the rest: its last line and its status are told apart here.
# Its functions are taken from its text, so that what is tested is what runs.
set -u
cd "$(dirname "$0")/../.."
functions=$(sed -n '/^passed=0 failed=0/,/^check_format()/p' dev | sed '$d')
functions+=$(printf '\n' && sed -n '/^tell_sum()/,/^}/p' dev)
passed=0 failed=0

# row NAME STATUS LINE COMMANDS: what ends with this status, and this last line.
row() {
  local said status=0
  said=$(bash -c "set -eu; $functions
    says() { echo \"\$1\"; return \"\${2:-0}\"; }
    $4
    tell_sum" 2>&1) || status=$?
  if [ "$status" = "$2" ] && [ "$(tail -n 1 <<<"$said")" = "$3" ]; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1))
  printf 'FAILED %s: status %s, and the last line of\n%s\n  should be status %s, and\n%s\n' "$1" "$status" "$said" "$2" "$3"
}

row nothing 0 '0 passed, 0 failed, 0 skipped' ''
row part 0 '3 passed, 0 failed, 1 skipped' 'part a says "2 passed, 0 failed, 1 skipped"; part b says "1 passed, 0 failed"'
row part_fails 1 '2 passed, 1 failed, 0 skipped' 'part a says "2 passed, 1 failed"'
row part_says_nothing 1 '0 passed, 1 failed, 0 skipped' 'part a says "all is well"'
row part_is_believed_by_its_line 0 '2 passed, 0 failed, 0 skipped' 'part a says "2 passed, 0 failed" 1'
row once 0 '1 passed, 0 failed, 1 skipped' 'part a once true; part b once says no 77'
row once_fails 1 '0 passed, 1 failed, 0 skipped' 'part a once false'
lane='lane() { part beside says "$1"; }'
row beside 0 '5 passed, 0 failed, 2 skipped' "$lane; beside lane '4 passed, 0 failed, 2 skipped'; part a once true; join"
row beside_ends_last 0 '2 passed, 0 failed, 0 skipped' "lane() { sleep 0.3; part b once true; }; beside lane; part a once true; join"
row beside_ends_first 0 '2 passed, 0 failed, 0 skipped' "lane() { part b once true; }; beside lane; sleep 0.3; part a once true; join"
row beside_fails 1 '1 passed, 1 failed, 0 skipped' "$lane; beside lane '0 passed, 1 failed'; part a once true; join"
row beside_breaks_off 1 '1 passed, 1 failed, 0 skipped' "lane() { exit 3; }; beside lane; part a once true; join"

# A script that ends before it joins leaves nothing behind: neither what runs beside it nor its folder.
left=$(bash -c "set -eu; $functions
  lane() { sleep 600; }
  beside lane
  echo \"\$lane_process \$lane\"
  exit 5" 2>&1)
status=$?
for _ in {1..50}; do kill -0 -- "-${left%% *}" 2>/dev/null || break; sleep 0.1; done
if [ "$status" = 5 ] && [ ! -e "${left#* }" ] && ! kill -0 -- "-${left%% *}" 2>/dev/null; then passed=$((passed + 1))
else failed=$((failed + 1)) && echo "FAILED nothing_is_left: status $status, $left"; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
