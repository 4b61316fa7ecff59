#!/usr/bin/env bash
# check_coq.sh HALYARD: the checker of certificates that is proved in coq/, where Coq is installed; otherwise says so, and ends
# with status 77. Where HALYARD_CERTIFICATES names a folder, certificates that check_certificates.sh has left there are taken.
#
#   proofs     Coq accepts all files; the theorem and whatever else is asked about rests on no axiom; nothing is admitted
#   lines      no file has 800, the proofs have at most 2,000 (coq_lines.sh), what is trusted in OCaml 150
#   names      coq/check_coq_names.sh
#   agreement  it says what halyard-certcheck says of every certificate of apps/ and golden/, of every file that the suites
#              certificate_mutants and certificate_files tamper with, and of every file of certificate_cases.txt (with the
#              line, too); only what is beyond halyard-certcheck's limits (128 bits, degree 4) it may accept; and of 1,000
#              certificates of random pairs, with ten damaged copies of each (coq_campaign.sh; ./dev coq campaign goes on)
#   size       long and deep files are judged, or refused with a line, on a small stack and in memory that their length limits
#   bytes      so do both with files that end early, have bytes that are no text, or names that could be taken for others
set -u
shopt -s lastpipe # "wrong" on the right of a pipe counts, too
halyard=$(realpath "${1:?usage: check_coq.sh HALYARD}") || exit 2
here=$(dirname "$halyard")
cd "$(dirname "$0")/.." || exit 2
proofs_tests/coq/build_coq.sh build/coq
status=$?
if [ "$status" = 3 ]; then
  echo 'skipped: no coqc and ocamlopt here (./dev coq installs them)'
  exit 77
fi
[ "$status" = 0 ] || exit 1
ours=$PWD/build/coq/halyard-certcheck-coq theirs=$here/halyard-certcheck
proved=$here/halyard-certcheck-coq # for check --recheck=coq; as a whole, for other tests may be about to look
[ "$ours" -ef "$proved" ] || { cp -f "$ours" "$proved.new" && mv -f "$proved.new" "$proved"; } || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { echo "$1"; failed=1; }

# -- proofs ------------------------------------------------------------------------------------------------------------

coq=proofs_tests/coq
asked=$(cat $coq/*.v | grep -c '^Print Assumptions')
closed=$(grep -c '^Closed under the global context' build/coq/said)
[ "$asked" -gt 0 ] && [ "$asked" = "$closed" ] || wrong "axioms: $(cat build/coq/said)"
grep -q '^Print Assumptions accepted_follows\.' $coq/Sound.v || wrong 'nobody asks what accepted_follows rests on'
bad=$(grep -nE '\b(Admitted|admit|Axiom|Parameter|Conjecture|Abort|bypass_check)\b|Unset (Guard|Positivity|Universe)' $coq/*.v)
[ -z "$bad" ] || wrong "$bad"
long=$(wc -l $coq/*.v | awk '$2 != "total" && $1 >= 800')
[ -z "$long" ] || wrong "longer than 800 lines: $long"
$coq/coq_lines.sh || wrong 'the proofs have more than 2,000 lines'
[ "$(wc -l <$coq/certcheck.ml)" -le 150 ] || wrong 'certcheck.ml, which is trusted, has more than 150 lines'
grep '^Closed' build/coq/said | sort | uniq -c

# -- names -------------------------------------------------------------------------------------------------------------

proofs_tests/coq/check_coq_names.sh || failed=1

# -- agreement: whole files, and how fast ------------------------------------------------------------------------------

verdicts() { sed -E 's/^[^ ]*: ([^ ]+ rejected):.*/\1/; s/^[^ ]*: (.* accepted,)/\1/'; } # without the file's name and the reason
certificates=0
for alg in apps/*.alg apps/*/*.alg proofs_tests/golden/*.alg; do
  name=$(basename "$alg" .alg) sched=${alg%.alg}.sched
  [ -f "$sched" ] || sched=
  left=${HALYARD_CERTIFICATES:-$work}/$(tr / _ <<<"$alg${sched:+ $sched}").cert
  if [ -f "$left" ]; then
    ln -sf "$left" "$work/$name.cert"
  else
    "$halyard" check "$alg" ${sched:+"$sched"} --certificates "$work/$name.cert" >/dev/null 2>&1 || continue # said elsewhere
  fi
  "$theirs" "$work/$name.cert" | verdicts >"$work/theirs"
  "$ours" "$work/$name.cert" | verdicts >"$work/ours"
  cmp -s "$work/theirs" "$work/ours" || wrong "$name: $(diff "$work/theirs" "$work/ours" | head -n 4)"
  certificates=$((certificates + $(grep -c '^certificate ' "$work/$name.cert")))
done
echo "$certificates certificates of apps and golden programs; of Figure 1:"
"$ours" --quiet --time "$work/figure1.cert" | tail -n 1

"$halyard" check apps/figure1.alg apps/figure1.sched --recheck=coq | grep -q '^halyard-certcheck-coq accepts all' ||
  wrong 'check --recheck=coq'
# -- agreement: mutants, files by hand ---------------------------------------------------------------------------------

mkdir "$work/bundles" "$work/cases"
for suite in certificate_mutants certificate_files; do # they leave what they tamper with there
  HALYARD_TAMPERED=$work/bundles "$here/halyard_tests" "=$suite" >"$work/said" 2>&1 || wrong "$suite: $(tail -n 2 "$work/said")"
done
proofs_tests/unit/certcheck/certificate_cases.sh "$work/cases"
while read -r number verdict; do
  [ "$(head -n 1 "$work/cases/$number.cert")" = 'halyard-certificates 2' ] && sed "1a # $verdict" "$work/cases/$number.cert"
done <"$work/cases/list" >"$work/bundles/by_hand"
"$here/certificate_verdicts" <"$work/bundles/by_hand" >"$work/theirs"
"$ours" --each "$work/bundles/by_hand" >"$work/ours"
# The same line is to blame. (Line 0, which is never there, is refused where it is read by one, where it is looked up by the other.)
paste -d '|' "$work/ours" "$work/theirs" | awk -F '|' '{ split($1, a, " "); split($2, b, " ") }
  a[2] == b[2] && (a[1] == b[1] || a[1] != "accepted" && b[1] != "accepted") { same++; next }
  $2 ~ /does not fit 128 bits|degree is above 4|too large|too much work|out of range/ { limits++; next }
  { other++; print "by hand: halyard-certcheck-coq and halyard-certcheck: " $0 }
  END { printf "by hand: the same verdict and line of %d; beyond the limits of halyard-certcheck %d\n", same, limits; exit other > 0 }' || failed=1
for bundle in "$work"/bundles/*; do # files one behind the other, the verdict of halyard-certcheck in the second line of each
  "$ours" --each "$bundle" >"$work/ours"
  awk '/^halyard-certificates 2$/ { getline; print substr($0, 3) }' "$bundle" >"$work/theirs"
  [ "$(wc -l <"$work/ours")" = "$(wc -l <"$work/theirs")" ] || wrong "$bundle: not as many verdicts as files"
  paste -d '|' "$work/ours" "$work/theirs"
done | awk -F '|' '{ ours = $1 ~ /^accepted/; theirs = $2 ~ /^accepted/; all++ }
  ours == theirs { agree++; next }
  ours && $2 ~ /does not fit 128 bits|degree is above 4|too large|too much work/ { limits++; next }
  { differ++; if (differ <= 3) print "halyard-certcheck-coq and halyard-certcheck: " $0 }
  END { printf "agree on %d files, differ on %d; %d more are accepted here, beyond the limits of halyard-certcheck\n",
               agree, differ, limits; exit agree == 0 || differ > 0 }' || failed=1

# -- agreement: a campaign ---------------------------------------------------------------------------------------------

proofs_tests/coq/coq_campaign.sh "$halyard" --certificates 1000 --pairs 60 --out "$work/campaign" >"$work/said" 2>&1 || wrong "$(cat "$work/said")"
tail -n 1 "$work/said"

# -- size --------------------------------------------------------------------------------------------------------------

hash=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
head=$(printf 'halyard-certificates 2\nprogram t 1 %s - - by hand\n' $hash)
judged() { # judged NAME STATUS PATTERN: of the file on standard input
  local said status
  { echo "$head"; cat; } >"$work/large"
  said=$(ulimit -v 6000000 -s 512; timeout 300 "$ours" --quiet "$work/large" 2>&1)
  status=$?
  [ "$status" = "$2" ] && [[ $said =~ $3 ]] || wrong "$1: status $status: ${said:0:200}"
}
proof() { printf 'certificate t/1 a b\nfacts %s\ngoal %s\ng\n' "$1" "$2"; }
n=1000000
awk -v n=$n 'BEGIN { print "1 true"; for (i = 2; i <= n; i++) print i " not " i - 1; print "certificate t/1 a b"
  print "goal " n - 1; print "g"; print ". 0"; print "qed"; print "end 1" }' | judged 'not not not ...' 0 '1 of 1'
awk -v n=$n 'BEGIN { print "1 true"; print "2 true"; for (i = 3; i <= n; i++) print i (i % 2 ? " and " : " cond 1 ") i - 1 (i % 2 ? " 1" : " 1")
  print "certificate t/1 a b"; print "facts 1"; print "goal " n; print "g"; for (i = 0; i < 20; i++) print "o " i; print "qed"; print "end 1" }' |
  judged 'and cond and cond ...' 1 'large:1000[0-9]*: t/1 rejected: nothing to split'
awk -v n=$n 'BEGIN { print "1 unknown int x"; print "2 int 0"; print "3 >= 1 2"; print "certificate t/1 a b"; print "facts 3"
  print "goal 3"; print "g"; for (i = 0; i < n; i++) print "k (0 1*1)"; print "u 3"; print "l 1 0 1 " n + 1; print ". " n + 2
  print "qed"; print "end 1" }' | judged 'many cases' 1 'the proof does not end'
awk -v n=$n 'BEGIN { print "1 true"; print "certificate t/1 a b"; printf "facts"; for (i = 0; i < n; i++) printf " 1"; print ""; print "goal 1"
  print "g"; print ". 0"; print "qed"; print "end 1" }' | judged 'many facts' 0 '1 of 1'
n=100000
awk -v n=$n 'BEGIN { for (i = 1; i <= n; i++) print i " unknown int x"; print "certificate t/1 a b"; print "1 true"; print "end 0" }' |
  judged 'a certificate cut off' 2 ":$((n + 4)): not a step"
awk -v n=$n 'BEGIN { print "1 unknown int x"; print "2 + 1 1"; for (i = 3; i <= n; i++) print i " + " i - 1 " 1"; print "end 0" }' |
  judged 'x + x + x ...' 2 'certificates are missing'
awk -v n=400 'BEGIN { for (i = 1; i <= n; i++) print i " unknown int x"; print n + 1 " + 1 2"
  for (i = 2; i < n; i++) print n + i " + " n + i - 1 " " i + 1; print 2 * n " * " 2 * n - 1 " " 2 * n - 1; print "end 0" }' |
  judged 'a square of 400 unknowns' 2 'a product has more than 65536 terms'
awk 'BEGIN { print "1 int 3"; for (i = 2; i <= 100; i++) print i " * " i - 1 " " i - 1; print "end 0" }' |
  judged '3 squared again and again' 2 ':13: a number does not fit 1024 bits'
awk 'BEGIN { print "1 unknown int x"; for (i = 2; i <= 100; i++) print i " * " i - 1 " " i - 1; print "end 0" }' |
  judged 'x squared again and again' 2 ':8: a degree is above 16'
awk -v n=$n 'BEGIN { printf "1 unknown int x\n2 negative (0 1"; for (i = 0; i < n; i++) printf "*1"; print ")"; print "end 0" }' |
  judged 'a long monomial' 2 'degree is above 16|too large'
awk -v n=$n 'BEGIN { printf "1 int 1"; for (i = 0; i < n; i++) printf "0"; print ""; print "end 0" }' | judged 'a long number' 2 ':3: '
awk -v n=$n 'BEGIN { print "1 unknown int x"; print "2 int 0"; print "3 >= 1 2"; print "certificate t/1 a b"; print "facts 3"
  print "goal 3"; print "g"; print "u 3"; printf "l"; for (i = 0; i < n; i++) printf " 1 0 1 1"; print ""; print ". 2"; print "qed"
  print "end 1" }' | judged 'a long sum' 0 '1 of 1'
awk -v n=$n 'BEGIN { for (i = 1; i <= n; i++) print i " unknown int x"; printf n + 1 " negative (0"; for (i = n; i > 0; i--) printf " 1*" i
  print ")"; print "end 0" }' | judged 'a long polynomial' 2 'certificates are missing'
awk -v n=$n 'BEGIN { for (i = 1; i <= n; i++) print i " unknown int x"; print n + 1 " true"; print "certificate t/1 a b"; print "goal " n + 1; print "g"
  printf "k (0"; for (i = n; i > 0; i--) printf " 2*" i; print ")"; print "l 2 1"; print "l 2 2"; print ". 0"; print ". 0"; print "qed"; print "end 1" }' |
  judged 'a long polynomial with a divisor' 0 '1 of 1'
# 200 squares of 255 unknowns, each forgotten at once: little memory, much work. The certificate where it was too much is named.
awk -v n=255 -v all=200 'BEGIN { for (i = 1; i <= n; i++) print i " unknown int x"; print n + 1 " int 0"; print n + 2 " true"; print n + 3 " + 1 2"
  for (i = 3; i <= n; i++) print n + i + 1 " + " n + i " " i; print 2 * n + 2 " >= " 2 * n + 1 " " n + 1
  for (i = 1; i <= all; i++) { print "certificate t/" i " a b"; print "facts " 2 * n + 2; print "goal " n + 2; print "g"; print "u " 2 * n + 2
    print "m 1 1"; print ". 0"; print "qed" } print "end " all }' >"$work/squares"
head=${head/t 1/t 200} judged 'many large products' 2 ':[0-9]+: too large, or too much work' <"$work/squares"

# -- bytes ---------------------------------------------------------------------------------------------------------------

awk '/^```certificates$/ { on = 1; next } /^```$/ { on = 0 } on' docs/certificates.md >"$work/example"
both() { # both NAME STATUS TEXT: the file on standard input, by both
  local checker said status
  cat >"$work/bytes"
  for checker in "$ours" "$theirs"; do
    said=$(ulimit -s 64; timeout 60 "$checker" "$work/bytes" 2>&1 | tr -d '\000')
    status=$(ulimit -s 64; timeout 60 "$checker" "$work/bytes" >/dev/null 2>&1; echo $?)
    [ "$status" = "$2" ] && [[ $said == *"$3"* ]] || wrong "$1: ${checker##*/}: status $status: ${said:0:200}"
  done
}
both 'as it is' 0 'example/1 accepted (B.Demo: for x >= 0, half of x is at most x)' <"$work/example"
sed 's/$/\r/' "$work/example" | both 'CRLF' 2 'bytes:1: not a file of certificates'
sed '3,$s/$/\r/' "$work/example" | both 'CRLF from the third line' 2 'bytes:4: a number is not a number'
head -c -1 "$work/example" | both 'no last newline' 2 "bytes:$(wc -l <"$work/example"): a line has no end"
sed 's/half of x/a \x00 b/' "$work/example" | both 'a NUL' 2 'bytes:9: a line has no end'
sed 's/half of x/\xff\xfe\x01 x/' "$work/example" | both 'bytes that are no text' 0 '1 of 1 certificates accepted'
sed 's/example/an\texample/g' "$work/example" | both 'a name with a tab' 0 "an	example/1 accepted (B.Demo"
sed 's/example/%s%n/g' "$work/example" | both 'a name that is a format' 0 '%s%n/1 accepted (B.Demo'
sed 's/example 1 /example 18446744073709551617 /' "$work/example" | both '2^64 + 1 obligations' 2 'nothing in this file counts as proved'
sed 's/^end 1/end 18446744073709551617/' "$work/example" | both '2^64 + 1 certificates' 2 'certificates are missing'
sed 2p "$work/example" | both 'a program twice' 2 'bytes:3: '
both 'nothing' 2 'bytes:1: not a file of certificates' </dev/null
sed 's/^6 <= 5 1/6 < 5 1/' "$work/example" | both 'a false goal' 1 'bytes:16: example/1 rejected: not a contradiction'
sed 's/^1 unknown/1 unknovvn/' "$work/example" | both 'a line of no kind' 2 'bytes:3: '
sed 's/^d 5 2/y 5 2/' "$work/example" | both 'a step of no kind' 2 'bytes:14: not a step'
sed 's/^4 int 2/3 int 2/' "$work/example" | both 'the number of a line twice' 2 'bytes:6: not the number of the next line'
sed '/^certificate/,/^qed/{p;H}; /^end/{x;s/^\n//;p;s/.*/end 2/}' "$work/example" | both 'a certificate twice' 2 'bytes:'
for checker in "$ours" "$theirs"; do
  for unreadable in "$work" "$work/nowhere" ''; do
    said=$("$checker" ${unreadable:+"$unreadable"} 2>&1)
    [ $? = 2 ] && [[ $said == *'cannot be read'* || $said == usage:* ]] || wrong "${checker##*/} $unreadable: $said"
  done
done
for checker in "$ours" "$theirs"; do
  "$checker" "$work/example" >/dev/full 2>"$work/said"
  [ $? = 2 ] && grep -q 'the verdict cannot be written' "$work/said" || wrong "no room for the verdict: $(cat "$work/said")"
done
[ $failed != 0 ] || echo 'halyard-certcheck-coq is proved, and says what halyard-certcheck says of all of these'
exit $failed
