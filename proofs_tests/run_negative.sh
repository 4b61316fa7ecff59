#!/usr/bin/env bash
# run_negative.sh HALYARD [NAME...]: programs that must be refused, each with the codes and places that it says itself;
# those of halide/ make the mistakes of Halide's own error tests (tree/halide_errors.def).
#
# A case is a file in negative/ that begins with "// expect: HY0301 4:12" lines, one for each error in order; rules that the refusal quotes follow behind a comma. A schedule
# names its algorithm: "// algorithm: ../../apps/box_blur.alg". "// status: 3" and "// command: run ... " stand where the
# status is not 1 or the command is not "check"; $ in a command is the file. "// warns: HY0313 4:12" lines are warnings, all that there are, of a program that need not be refused. Every case must say what to write instead
# (a help or a rule); "// says: TEXT" is a text that must stand in it. Files without an expectation are what cases speak of, and must pass. Two cases run at a time.
set -u
halyard=$(realpath "${1:?usage: run_negative.sh HALYARD [NAME...]}") || exit 2
shift
cd "$(dirname "$0")/negative" || exit 2
export halyard

one_case() { # prints "passed NAME" or "FAILED NAME: why"
  local file=$1 algorithm command status expected warned
  cd "$(dirname "$1")" && file=$(basename "$1") || return
  warned=$(sed -nE 's,^// warns: (HY[0-9]{4}) ?([0-9:]*),\1 \2,p' "$file")
  expected=$(sed -nE 's,^// expect: (HY[0-9]{4}) ?([0-9:]*).*,\1 \2,p' "$file")
  algorithm=$(sed -n 's,^// algorithm: ,,p' "$file")
  status=$(sed -n 's,^// status: ,,p' "$file")
  command=$(sed -n 's,^// command: ,,p' "$file" | sed "s,\\$,$file,g")
  [ -n "$command" ] || command="check $algorithm $file"
  [ -n "$expected" ] && status=${status:-1} || status=0
  local out err got
  out=$(mktemp) err=$(mktemp)
  # shellcheck disable=SC2086 # the command is words
  timeout 60 "$halyard" $command >"$out" 2>"$err" </dev/null
  local was=$? why=
  [ -z "$warned" ] || [ "$warned" = "$(sed -nE 's/^[^:]+:([0-9]+:[0-9]+): warning\[(HY[0-9]{4})\].*/\2 \1/p' "$err")" ] || why="does not warn of [${warned//$'\n'/, }]"
  got=$(sed -nE 's/^[^:]+:([0-9]+:[0-9]+): error\[(HY[0-9]{4})\].*/\2 \1/p; s/^halyard: error\[(HY[0-9]{4})\].*/\1 /p' "$err")
  if [ "$was" != "$status" ]; then why="status $was, not $status"
  elif [ "$got" != "$expected" ]; then why="reported [${got//$'\n'/, }], not [${expected//$'\n'/, }]"
  elif [ -n "$expected$warned" ] && ! grep -qE '= (help|rule): ' "$err"; then why="does not say what to write instead"
  fi
  while IFS= read -r text; do
    grep -qF -- "$text" "$err" || why="${why:-does not say \"$text\"}"
  done < <(sed -n 's,^// says: ,,p' "$file")
  if [ -z "$why" ]; then echo "passed $1"; else echo "FAILED $1: $why"; sed 's/^/    /' "$err" | head -n 12; fi
  rm -f "$out" "$err"
}
export -f one_case

[ $# -gt 0 ] || set -- *.alg *.sched *.tgt halide/*.alg halide/*.sched
for file; do [ -e "$file" ] && printf '%s\0' "$file"; done |
  xargs -0 -n 1 -P 2 bash -c 'one_case "$1"' one_case |
  awk '/^passed /{ passed++; next } { print } /^FAILED /{ failed++ }
       END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'
