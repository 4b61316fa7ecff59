#!/usr/bin/env bash
# run_golden.sh HALYARD [NAME...]: what programs must print, and what they must do.
#
# A case is a file in golden/. Its first lines say what to do:
#   //$ show ../../apps/figure1.alg --stage lowered        the command ($ = this file)
#   //? status 1                                            the exit status, if not 0
#   //? stdout TEXT    //? stderr TEXT                      text that must stand on one line there
#   //? every TEXT                                          TEXT stands on every line of standard output that is not indented, and there is one
#   //? same COMMAND                                        another command with the same standard output
#   //? exact                                               the rest of the file is the exact standard output
# Other lines that begin with "//" there are comments. BLESS=1 writes the output into the files: read the difference.
set -u
halyard=$(realpath "${1:?usage: run_golden.sh HALYARD [NAME...]}") || exit 2
shift
cd "$(dirname "$0")/golden" || exit 2
export halyard

run() { # run FILE COMMAND-LINE, "$" standing for the file
  # shellcheck disable=SC2086 # the command is words
  timeout 120 "$halyard" ${2//\$/$1} </dev/null
}
one_case() {
  local file=$1 head out err was why=
  head=$(mktemp) out=$(mktemp) err=$(mktemp)
  awk '/^\/\//{ print; next } { exit }' "$file" >"$head"
  local body=$(($(wc -l <"$head") + 1))
  local command
  command=$(sed -n 's,^//\$ ,,p' "$head")
  run "$file" "$command" >"$out" 2>"$err"
  was=$?
  local status
  status=$(sed -n 's,^//? status ,,p' "$head")
  [ "$was" = "${status:-0}" ] || why="status $was, not ${status:-0}"
  if grep -q '^//? exact' "$head"; then
    if [ -z "$why" ] && [ "${BLESS:-0}" = 1 ]; then cat "$head" "$out" >"$out.new" && mv "$out.new" "$file"; fi
    tail -n "+$body" "$file" | cmp -s - "$out" || why="${why:-another output}"
  fi
  while IFS= read -r text; do
    grep -qF -- "$text" "$out" || why="no \"$text\" on standard output"
  done < <(sed -n 's,^//? stdout ,,p' "$head")
  while IFS= read -r text; do
    grep -qF -- "$text" "$err" || why="no \"$text\" on standard error"
  done < <(sed -n 's,^//? stderr ,,p' "$head")
  while IFS= read -r text; do
    grep -q '^[^ ]' "$out" && ! grep '^[^ ]' "$out" | grep -qvF -- "$text" || why="${why:-not every line says \"$text\"}"
  done < <(sed -n 's,^//? every ,,p' "$head")
  while IFS= read -r other; do
    cmp -s <(run "$file" "$other" 2>/dev/null) "$out" || why="\"$other\" prints something else"
  done < <(sed -n 's,^//? same ,,p' "$head")
  if [ -z "$why" ]; then echo "passed $file"
  else
    echo "FAILED $file: $why"
    tail -n "+$body" "$file" | diff - "$out" | head -n 10 | sed 's/^/    /'
    head -n 6 "$err" | sed 's/^/    /'
  fi
  rm -f "$head" "$out" "$err"
}
export -f one_case run

[ $# -gt 0 ] || set -- *
for file; do [ -f "$file" ] && grep -q '^//\$' "$file" && printf '%s\0' "$file"; done |
  xargs -0 -n 1 -P 2 bash -c 'one_case "$1"' one_case |
  awk '/^passed /{ passed++; next } { print } /^FAILED /{ failed++ }
       END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'
