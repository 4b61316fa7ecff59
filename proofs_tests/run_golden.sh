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
  timeout 600 "$halyard" ${2//\$/$1} </dev/null
}
# Every process that the shell starts costs more than what it is asked for here: the head is read by the shell itself.
one_case() { # one_case FILE SCRATCH
  local file=$1 out=$2/out err=$2/err was why='' line lines=0 command='' status=0 exact=0 text
  local on_stdout=() on_stderr=() every=() same=()
  while IFS= read -r line && [[ $line == //* ]]; do
    lines=$((lines + 1))
    case $line in
    '//$ '*) command=${line#'//$ '} ;;
    '//? status '*) status=${line#'//? status '} ;;
    '//? stdout '*) on_stdout+=("${line#'//? stdout '}") ;;
    '//? stderr '*) on_stderr+=("${line#'//? stderr '}") ;;
    '//? every '*) every+=("${line#'//? every '}") ;;
    '//? same '*) same+=("${line#'//? same '}") ;;
    '//? exact'*) exact=1 ;;
    esac
  done <"$file"
  run "$file" "$command" >"$out" 2>"$err"
  was=$?
  [ "$was" = "$status" ] || why="status $was, not $status"
  if [ $exact = 1 ]; then
    if [ -z "$why" ] && [ "${BLESS:-0}" = 1 ]; then head -n "$lines" "$file" | cat - "$out" >"$out.new" && cp "$out.new" "$file"; fi
    tail -n "+$((lines + 1))" "$file" | cmp -s - "$out" || why="${why:-another output}"
  fi
  for text in "${on_stdout[@]}"; do
    grep -qF -- "$text" "$out" || why="no \"$text\" on standard output"
  done
  for text in "${on_stderr[@]}"; do
    grep -qF -- "$text" "$err" || why="no \"$text\" on standard error"
  done
  for text in "${every[@]}"; do
    grep -q '^[^ ]' "$out" && ! grep '^[^ ]' "$out" | grep -qvF -- "$text" || why="${why:-not every line says \"$text\"}"
  done
  for text in "${same[@]}"; do
    cmp -s <(run "$file" "$text" 2>/dev/null) "$out" || why="\"$text\" prints something else"
  done
  if [ -z "$why" ]; then echo "passed $file"
  else
    echo "FAILED $file: $why"
    tail -n "+$((lines + 1))" "$file" | diff - "$out" | head -n 10 | sed 's/^/    /'
    head -n 6 "$err" | sed 's/^/    /'
  fi
}
each_case() {
  local scratch name
  scratch=$(mktemp -d)
  for name; do one_case "$name" "$scratch"; done
  rm -rf "$scratch"
}
export -f one_case each_case run

[ $# -gt 0 ] || set -- *
for file; do [ -f "$file" ] && grep -q '^//\$' "$file" && printf '%s\0' "$file"; done |
  xargs -0 -n 6 -P 2 bash -c 'each_case "$@"' each_case |
  awk '/^passed /{ passed++; next } { print } /^FAILED /{ failed++ }
       END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'
