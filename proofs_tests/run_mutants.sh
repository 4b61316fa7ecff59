#!/usr/bin/env bash
# run_mutants.sh BUILD [-b] [-s SECONDS] [-j JOBS] [PATTERN...]: does every fault of proofs_tests/mutants/mutants.def fail a test?
#
# BUILD is a build with -DHALYARD_MUTANTS=ON. Each fault is switched on for a campaign of random pairs, stopped at its
# first finding or after SECONDS (default 20; 0: no campaigns), and for the tests of its row, cheapest first; the first that notices is
# enough, but for -b: then a campaign and a test are both tried.
# PATTERNs pick rows: part of a name, "=NAME", or "FOLDER/".
# The control, with no fault, has to pass everything that is run for the others; what does not pass shows nothing.
# Seconds are of processor time. Prints a table, then the survivors; exit status 1 if there is one. docs/mutants.md shows such a table.
set -u
build=$(realpath "${1:?usage: run_mutants.sh BUILD [-b] [-s SECONDS] [-j JOBS] [PATTERN...]}") || exit 2
shift
both=0 seconds=20 jobs=$(nproc)
while getopts bs:j: option; do
  case $option in
  b) both=1 ;; s) seconds=$OPTARG ;; j) jobs=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")" || exit 2
"$build/halyard" --version | grep -q mutants || { echo "run_mutants: $build has no mutants (cmake -DHALYARD_MUTANTS=ON)" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$build # certcheck's faults have a folder of their own
export here both seconds work

# Processor time of what the shell that wrote "times" into FILE has run.
spent() { awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%.1f", 60 * (u[1] + s[1]) + u[2] + s[2] }' "$1"; }

# until_failed COMMAND...: a script, ended as soon as it has said that something failed: what it would say behind that is not needed.
until_failed() {
  local said=$work/said.$BASHPID
  setsid timeout 900 "$@" &
  while kill -0 $! 2>/dev/null; do
    grep -q '^FAILED' "$said" && kill -- -$! 2>/dev/null && break
    sleep 0.3
  done
  wait $! 2>/dev/null
}

# run_test NAME: one test by the name that stands in a row; its status. Scripts may take a quarter of an hour, one program two minutes,
# each test of a suite two minutes of processor time.
run_test() {
  case $1 in
  golden/*) timeout 120 ./run_golden.sh "$build/halyard" "${1#golden/}" ;;
  negative/*) timeout 120 ./run_negative.sh "$build/halyard" "${1#negative/}" ;;
  golden | negative) timeout 900 "./run_$1.sh" "$build/halyard" ;;
  *.sh | *.py) until_failed "./$1" "$build/halyard" ;;
  *) (ulimit -t 120 && CK_TIMEOUT_MULTIPLIER=100 exec timeout 1800 "$build/halyard_tests" "=$1") ;;
  esac >"$work/said.$BASHPID" 2>&1
  local status=$?
  ! grep -q 'Test timeout expired\|signal 14\|signal 24' "$work/said.$BASHPID" || status=124
  [ $status = 0 ] || [ $status = 124 ] # no answer in time shows nothing
}

# run_fuzz LANES: a campaign; prints what it found and after how many pairs, nothing if it found nothing.
run_fuzz() {
  local said status
  said=$(timeout $((seconds + 60)) "$build/halyard" fuzz --seed 1 --jobs 1 --time "$seconds" --lanes "$1" --stop-at 1 --shrink 0 2>&1)
  status=$?
  [ $status = 0 ] && return
  printf '%s after %s' "$(sed -nE 's/^failure ([^ ]+) .*/\1/p' <<<"$said" | head -n 1 | grep . || echo "status $status")" \
    "$(sed -nE 's/^seed [0-9]+: ([0-9]+) pairs?;.*/\1/p' <<<"$said" | grep . || echo '?')"
}

cost() { awk -v t="$1" '$1 == t { c = $2 } END { print c == "" ? 1 : c }' "$work/costs"; }

by_cost() { # shellcheck disable=SC2086 # names without blanks
  local test
  for test in $1; do echo "$(cost "$test") $test"; done | sort -n | cut -d ' ' -f 2
}

try_tests() { # try_tests TESTS: "TEST seconds" of the first that fails, cheapest first
  local test file=$work/times.$BASHPID
  for test in $(by_cost "$1"); do
    grep -qx "$test" "$work/broken" && continue
    run_test "$test" && continue
    times >"$file"
    echo "$test|$(spent "$file")"
    return
  done
}

try_fuzz() { # try_fuzz LANES: "finding, lanes ...|pairs|seconds"
  local found file=$work/times.$BASHPID
  { [ "$1" != - ] && [ "$seconds" != 0 ]; } || return
  found=$(run_fuzz "$1")
  times >"$file"
  [ -n "$found" ] && echo "lanes $1: ${found% after *}|${found##* after }|$(spent "$file")"
}

# make_checker NAME FOLDER: a folder like the build, with a checker that has the fault, and tests that were linked with it.
make_checker() {
  local root
  root=$(realpath ..)
  unit/certcheck/certcheck_fault.sh "$1" "$2" || return
  local object=CMakeFiles/halyard_tests.dir/proofs_tests/unit/certcheck/certificate_judge.c.o link
  link=$(ninja -C "$here" -t commands halyard_tests | tail -n 1)
  link=${link//$object/$2/judge.o}
  cp "$here/halyard" "$2" &&
    cc -w -std=gnu17 -O1 -I "$2" -o "$2/halyard-certcheck" "$2"/certcheck/*.c &&
    cc -w -std=gnu17 -O1 -D_GNU_SOURCE -I "$2" -I "$root" -c unit/certcheck/certificate_judge.c -o "$2/judge.o" &&
    (cd "$here" && eval "${link/-o halyard_tests /-o $2/halyard_tests }")
}

one_mutant() { # one_mutant ROW: a line of the table
  local build=$here name folder undoes lanes tests fuzz='' test=''
  IFS='|' read -r name folder undoes lanes tests <<<"$1"
  export HALYARD_MUTANT=$name
  [ "$folder" != certcheck ] || { unset HALYARD_MUTANT && build=$work/$name && make_checker "$name" "$build"; } || return
  # A campaign finds most of what it finds within three seconds: cheaper than most suites, dearer than some.
  if [ "$both" = 0 ] && awk -v c="$(cost "$(by_cost "$tests" | head -n 1)")" 'BEGIN { exit c <= 3 }'; then
    fuzz=$(try_fuzz "$lanes")
    [ -n "$fuzz" ] || test=$(try_tests "$tests")
  else
    test=$(try_tests "$tests")
    [ "$both" = 1 ] || [ -z "$test" ] && fuzz=$(try_fuzz "$lanes")
  fi
  local verdict=killed
  [ -n "$fuzz$test" ] || verdict=SURVIVES
  echo "$verdict|$name|$folder|$undoes|${fuzz:-||}|${test:-|}" | tee -a "$work/table" | print_rows
}

print_rows() {
  awk -F '|' '{ printf "%-34s %-22s %-8s %s%s%s\n", $2, $4, $1,
                $5 == "" ? "" : $5 ", " $6 " pairs, " $7 " s", $5 != "" && $8 != "" ? "; " : "", $8 == "" ? "" : $8 ", " $9 " s" }'
}

control_test() { # control_test NAME: it passes without a mutant; what it costs
  local build=$here file=$work/times.$$
  if run_test "$1"; then
    times >"$file"
    echo "$1 $(spent "$file")" >>"$work/costs"
  else
    echo "control: $1 fails without a mutant, and shows nothing"
    tail -n 6 "$work/said.$$"
    echo "$1" >>"$work/broken"
  fi
}

control_lanes() { # control_lanes LANES: a campaign finds nothing without a mutant
  local build=$here found
  found=$(run_fuzz "$1")
  [ -z "$found" ] || echo "control: a campaign on lanes $1 without a mutant: $found" | tee -a "$work/broken"
}

control() { # everything that is run for the mutants, before them
  printf '%s\n' "${rows[@]}" | cut -d '|' -f 5 | tr ' ' '\n' | sort -u |
    xargs -P "$jobs" -n 1 bash -c 'control_test "$1"' control_test
  [ "$seconds" = 0 ] || printf '%s\n' "${rows[@]}" | cut -d '|' -f 4 | grep -v '^-$' | sort -u |
    xargs -P "$jobs" -n 1 bash -c 'control_lanes "$1"' control_lanes
  [ -s "$work/broken" ] || echo "control: no mutant, everything passes"
}

mapfile -t rows < <(sed -nE \
  's/^HY_MUTANT_ROW\((\w+), "([^"]*)", "([^"]*)", "([^"]*)", "([^"]*)", .*/\1|\2|\3|\4|\5/p' ../proofs_tests/mutants/mutants.def)
mapfile -t -O "${#rows[@]}" rows < <(sed -nE 's/^= (\w+) .*/\1|certcheck|D64|-|certificate_files certificate_mutants/p' unit/certcheck/certcheck_mutants.txt)
if [ $# -gt 0 ]; then
  picked=()
  for row in "${rows[@]}"; do
    IFS='|' read -r name folder _ <<<"$row"
    for pattern; do
      case $pattern in
      =*) [ "$name" = "${pattern#=}" ] ;;
      */) [ "$folder" = "${pattern%/}" ] ;;
      *) [[ $name == *$pattern* ]] ;;
      esac && picked+=("$row") && break
    done
  done
  rows=("${picked[@]}")
fi
[ ${#rows[@]} -gt 0 ] || { echo "run_mutants: no row of proofs_tests/mutants/mutants.def is called so" >&2; exit 2; }

: >"$work/costs"
: >"$work/broken"
unset HALYARD_MUTANT
export -f make_checker by_cost one_mutant run_test until_failed run_fuzz try_tests try_fuzz cost spent print_rows control_test control_lanes
control
printf '%s\0' "${rows[@]}" | xargs -0 -n 1 -P "$jobs" bash -c 'one_mutant "$1"' one_mutant

survivors=$(grep -c '^SURVIVES' "$work/table")
echo
killed=$(grep -c '^killed' "$work/table")
median=$(awk -F '|' '$1 == "killed" { print $9 != "" && ($7 == "" || $9 + 0 < $7 + 0) ? $9 : $7 }' "$work/table" |
  sort -n | awk '{ s[NR] = $1 } END { print NR ? s[int((NR + 1) / 2)] : 0 }')
echo "$killed of ${#rows[@]} killed, by a campaign $(awk -F '|' '$5 != ""' "$work/table" | grep -c .)," \
  "by a test $(awk -F '|' '$8 != ""' "$work/table" | grep -c .); median of the quicker way $median s"
grep '^SURVIVES' "$work/table" | cut -d '|' -f 2 | sed 's/^/survives: /'
echo "$((${#rows[@]} - survivors)) passed, $survivors failed"
[ "$survivors" = 0 ] && [ ! -s "$work/broken" ]
