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

# What "text" has on lines that begin with "// KEY: ", into "found": by the shell itself, as a process for each of ten thousand lookups takes minutes.
find_lines() { # find_lines KEY [PATTERN]: the whole rest, or where it matches PATTERN its two groups
  found=
  local line
  while IFS= read -r line; do
    [[ $line == "// $1: "* ]] || continue
    line=${line#"// $1: "}
    if [ $# = 1 ]; then found+=$line$'\n'; elif [[ $line =~ $2 ]]; then found+="${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"$'\n'; fi
  done <<<"$text"
  found=${found%$'\n'}
}
# The codes and places of the errors, or of the warnings, in "said", into "found".
find_told() { # find_told error|warning
  found=
  local line place='^[^:]+:([0-9]+:[0-9]+): '$1'\[(HY[0-9]{4})\]' nowhere='^halyard: '$1'\[(HY[0-9]{4})\]'
  while IFS= read -r line; do
    if [[ $line =~ $place ]]; then found+="${BASH_REMATCH[2]} ${BASH_REMATCH[1]}"$'\n'
    elif [[ $1 = error && $line =~ $nowhere ]]; then found+="${BASH_REMATCH[1]} "$'\n'; fi
  done <<<"$said"
  found=${found%$'\n'}
}

one_case() { # prints "passed NAME" or "FAILED NAME: why"
  local file=${1##*/} text said found algorithm command status expected warned told lines place='^(HY[0-9]{4}) ?([0-9:]*)'
  if [[ $1 = */* ]]; then cd "${1%/*}" || return; fi
  { text=$(<"$file"); } 2>/dev/null # of hostile files bash says that they have zeros
  find_lines warns "$place" && warned=$found
  find_lines expect "$place" && expected=$found
  find_lines algorithm && algorithm=$found
  find_lines status && status=$found
  find_lines command && command=${found//\$/$file}
  find_lines says && lines=$found
  [ -n "$command" ] || command="check $algorithm $file"
  [ -n "$expected" ] && status=${status:-1} || status=0
  # shellcheck disable=SC2086 # the command is words
  said=$(timeout 600 "$halyard" $command 2>&1 >/dev/null </dev/null)
  local was=$? why=
  if [ -n "$warned" ]; then find_told warning && [ "$warned" = "$found" ] || why="does not warn of [${warned//$'\n'/, }]"; fi
  find_told error && told=$found
  if [ "$was" != "$status" ]; then why="status $was, not $status"
  elif [ "$told" != "$expected" ]; then why="reported [${told//$'\n'/, }], not [${expected//$'\n'/, }]"
  elif [ -n "$expected$warned" ] && [[ $said != *"= help: "* && $said != *"= rule: "* ]]; then why="does not say what to write instead"
  fi
  while IFS= read -r text; do # what a case says stands on one line
    [[ -z $text || $'\n'$said$'\n' =~ $'\n'[^$'\n']*"$text"[^$'\n']*$'\n' ]] || why="${why:-does not say \"$text\"}"
  done <<<"$lines"
  if [ -z "$why" ]; then echo "passed $1"; else echo "FAILED $1: $why"; sed 's/^/    /' <<<"$said" | head -n 12; fi
}
each_case() { local name; for name; do (one_case "$name"); done; }
export -f one_case each_case find_lines find_told

[ $# -gt 0 ] || set -- *.alg *.sched *.tgt halide/*.alg halide/*.sched
for file; do [ -e "$file" ] && printf '%s\0' "$file"; done |
  xargs -0 -n 12 -P 2 bash -c 'each_case "$@"' each_case |
  awk '/^passed /{ passed++; next } { print } /^FAILED /{ failed++ }
       END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'
