#!/usr/bin/env bash
# run_cli.sh HALYARD [FILE...]: the command line as a user types it: each row of cli/*_cases.sh (or of the files of them that are named, run_cases) is one command with the exit status,
# a text that standard error (or, with "stdout:", standard output) must contain, and the rule that no output file is left
# behind unless the status is 0. Rows run in a scratch folder that holds apps/ and the files that rows
# before and the files of cases make.
set -u
halyard=$(realpath "${1:?usage: run_cli.sh HALYARD}") || exit 2
tests=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
ln -s "$tests/../apps" apps
passed=0 failed=0

# row STATUS TEXTS ARGUMENT...: outputs are called out* and nothing else is. TEXTS: one or more, between bars.
row() {
  local status=$1 text=$2 why='' where=err piece
  shift 2
  timeout 120 "$halyard" "$@" >stdout.txt 2>stderr.txt </dev/null
  local was=$?
  case $text in stdout:*) where=out text=${text#stdout:} ;; esac
  [ "$was" = "$status" ] || why="status $was, not $status"
  while [ -n "$text" ]; do
    piece=${text%%|*}
    grep -qF -- "$piece" "std$where.txt" || why="${why:+$why; }std$where does not say \"$piece\""
    [ "$piece" = "$text" ] && break
    text=${text#*|}
  done
  if [ "$status" != 0 ] && [ -n "$(find . -name 'out*' ! -type d)" ]; then
    why="${why:+$why; }an output file is left behind: $(find . -name 'out*' ! -type d)"
  fi
  if [[ $status == [12] && " $* " != *' json '* ]]; then # which says all in one object
    grep -q . stderr.txt || why="${why:+$why; }nothing on standard error"
  fi
  if [ -z "$why" ]; then passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED halyard $*: $why"
    head -n 8 stderr.txt | sed 's/^/    /'
  fi
  rm -f out*
}

# same A B: two files that rows before made (named kept*, so that they stay) are equal.
same() {
  if cmp -s "$1" "$2"; then
    passed=$((passed + 1))
    return
  fi
  failed=$((failed + 1))
  echo "FAILED $1 and $2 differ or are missing"
  diff -a "$1" "$2" 2>&1 | head -n 8 # of what depends on measurements, the only trace that is left
}

shift
[ $# -gt 0 ] || set -- cli_cases run_cases
for cases; do
  # shellcheck disable=SC1090
  . "$tests/cli/$cases.sh" || { failed=$((failed + 1)) && echo "FAILED $cases.sh cannot be read"; }
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
