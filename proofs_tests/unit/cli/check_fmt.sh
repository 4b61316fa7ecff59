#!/usr/bin/env bash
# check_fmt.sh HALYARD: what 'halyard fmt' does with files and pipes, beyond the rows of cli_cases.sh.
set -u
halyard=$(realpath "${1:?usage: check_fmt.sh HALYARD}") || exit 2
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
passed=0 failed=0

# check NAME COMMAND...
check() {
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED $name"; fi
}
is() { [ "$1" = "$2" ] || { printf '    "%s" is not "%s"\n' "$1" "$2" && return 1; }; }

loose='pipeline p(){fun f(x)=x;}'
neat=$(printf 'pipeline p() {\n  fun f(x) = x;\n}')

# standard input: the language is that of the first word
check stdin_alg is "$(echo "$loose" | "$halyard" fmt -)" "$neat"
check stdin_sched is "$(echo '/* a */schedule s for p{f.vectorize(x);}' | "$halyard" fmt - | tail -n 2)" "$(printf '  f.vectorize(x);\n}')"
check stdin_refused is "$(echo 'pipeline p(' | "$halyard" fmt - 2>&1 >stdout.txt | head -n 1 | cut -d ' ' -f 1,2)" '/dev/stdin:2:1: error[HY0101]:'
check stdin_refused_prints_nothing is "$(cat stdout.txt)" ''
echo "$loose" | "$halyard" fmt - --check >/dev/null 2>&1
check stdin_check is $? 1

# in place: permissions stay, links are followed, what stays the same is not touched
echo "$loose" >a.alg && chmod 640 a.alg && ln -s a.alg link.alg
"$halyard" fmt -w link.alg
check written is "$(cat a.alg)" "$neat"
check permissions_stay is "$(stat -c %a a.alg)" 640
check link_stays is "$(readlink link.alg)" a.alg
touch -d '2001-01-01' a.alg
before=$(stat -c '%Y %i' a.alg)
"$halyard" fmt -w a.alg
check same_is_not_written is "$(stat -c '%Y %i' a.alg)" "$before"
printf '%s\r\n' 'pipeline p() {' '  fun f(x) = x; // a  ' '}' >dos.alg
"$halyard" fmt -w dos.alg
check line_ends is "$(od -An -c dos.alg | grep -c '\\r')" 0
printf '\357\273\277%s' "$loose" >mark.alg
check byte_order_mark is "$("$halyard" fmt mark.alg)" "$neat"

# what cannot be written stays whole, and nothing is left beside it
mkdir full && echo "$loose" >full/b.alg
(ulimit -f 0 && exec "$halyard" fmt -w full/b.alg 2>/dev/null >/dev/null)
check cannot_write is $? 2
check stays_whole is "$(cat full/b.alg)" "$loose"
check nothing_is_left is "$(ls -A full)" b.alg
# a full disk
"$halyard" fmt a.alg >/dev/full 2>stderr.txt
check full_is_told is $? 2

# a program with 20000 funcs is laid out in seconds, deep nesting up to the parser's limit
{ echo 'pipeline p() { fun f0(x) = x;'; for i in $(seq 1 5000); do echo "fun f$i(x)=f$((i - 1))(x)+1;"; done; echo '}'; } >long.alg
check long timeout 60 "$halyard" fmt -w long.alg
check long_again timeout 60 "$halyard" fmt --check long.alg
deep=$(printf '(%.0s' $(seq 300))x$(printf ')%.0s' $(seq 300))
echo "pipeline p() { fun f(x) = $deep; }" >deep.alg
check deep timeout 20 "$halyard" fmt -w deep.alg
sum=$(printf 'f32(x) * 0.5 + %.0s' $(seq 1200))
echo "pipeline p() { fun f(x) = ${sum}1.0; }" >wide.alg
check wide timeout 20 "$halyard" fmt -w wide.alg
check wide_is_wrapped is "$(awk 'length > 140' wide.alg | wc -l)" 0

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
