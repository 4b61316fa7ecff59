#!/usr/bin/env bash
# check_coq.sh HALYARD: the checker of certificates that is proved in coq/, where Coq is installed; otherwise says so, and ends
# with status 77.
#
#   proofs     Coq accepts all files; the theorem and whatever else is asked about rests on no axiom; nothing is admitted
#   names      docs/certificates.md, certcheck.c and coq/ have the same steps and lines, in the same order; each step has its
#              lemma, and a broken twin that is shown not to be sound
#   agreement  it says what halyard-certcheck says of every certificate of apps/ and golden/, of every file that the suites
#              certificate_mutants and certificate_files tamper with, and of every file of certificate_cases.txt; only what
#              is beyond halyard-certcheck's limits (128 bits, degree 4) it may accept
#   size       long and deep files are judged, or refused with a line; none ends the program
set -u
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
[ "$ours" -ef "$here/halyard-certcheck-coq" ] || cp -f "$ours" "$here/" || exit 2 # for check --recheck=coq
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
grep '^Closed' build/coq/said | sort | uniq -c

# -- names -------------------------------------------------------------------------------------------------------------

same() { # same WHAT A B: two lists of names
  [ -n "$2" ] && [ "$2" = "$3" ] || wrong "$1: $(diff <(tr ' ' '\n' <<<"$2") <(tr ' ' '\n' <<<"$3") | head -n 4 | tr '\n' ' ')"
}
words() { tr '\n' ' ' | sed 's/ *$//'; }
dots() { sed 's/^dot$/./'; }
steps=$(awk '/^### Steps/ { on = 1 } /^## / { on = 0 } on && /^\| `/ { s = substr($2, 2, 1); if (s != last) print s; last = s }' \
  docs/certificates.md | words)
same 'steps of certcheck.c' "$steps" "$(sed -n '/forms\[256\] = {/,/};/p' certcheck/certcheck.c | grep -oE "\['.'\]" | cut -c3 | words)"
same 'cases of certcheck.c' "${steps% . x}" "$(sed -n '/^static void check_step/,/^}/p' certcheck/certcheck.c |
  sed -nE "s/^  case '(.)'.*/\1/p" | words)"
same 'steps of Meaning.v' "$steps" "$(sed -n '/^Inductive step/,/\.$/p' $coq/Meaning.v | grep -oE '\| S[a-z]+' | cut -c4- | dots | words)"
same 'steps of Print.v' "$steps" "$(sed -n '/^Definition words_of_step/,/end\./p' $coq/Print.v | grep -oE '=> \[?"[a-z.]"' |
  grep -oE '"."' | tr -d '"' | words)"
same 'steps of Checker.v' "$steps" "$(sed -nE 's/^Definition step_([a-z]+) .*/\1/p' $coq/Checker.v | dots | words)"
same 'lemmas of Sound.v' "$steps" "$(sed -nE 's/^Lemma ([a-z]+)_sound .*: sound \(?step_\1[ )].*|^Lemma (g)_sound : sound step_g\.$/\1\2/p' \
  $coq/Sound.v | dots | words)"
same 'twins of Broken.v' "$steps" "$(sed -nE 's/^Lemma ([a-z]+)_twin : ~ sound \(?broken_\1[ )].*|^Lemma (g)_twin : ~ sound broken_g\..*/\1\2/p' \
  $coq/Broken.v | dots | words)"
lines=$(sed -n '/^static const poly \*term_line/,/^}/p' certcheck/certcheck.c | grep -oE 'IS\("[^"]+"\)' | cut -d'"' -f2 | words)
same 'terms of docs/certificates.md' "$lines" "$(awk '/^### Terms/ { on = 1 } /^### Formulas/ { on = 0 } on && /^\| `/' docs/certificates.md |
  cut -d'|' -f2 | grep -oE '`[^`]*`' | tr -d '\140' | cut -d' ' -f1 | words)"
kinds=$(sed -n '/^static void read_line/,/^}/p' certcheck/certcheck.c | grep -oE '"[0-3][^" ]+"' | tr -d '"' | cut -c2- | words)
same 'lines of Print.v' "$lines ${kinds}" "$(sed -n '/^Definition words_of_line/,/end\./p' $coq/Print.v |
  sed -nE 's/^  \| Compare .*/"=="\n"!="\n"<"\n"<="\n">"\n">="/; s/^  \| [A-Z].* => ("[^"]+").*/\1/; /^"/p' | tr -d '"' | words)"

# -- agreement: whole files, and how fast ------------------------------------------------------------------------------

verdicts() { sed -E 's/^[^ ]*: ([^ ]+ rejected):.*/\1/; s/^[^ ]*: (.* accepted,)/\1/'; } # without the file's name and the reason
certificates=0
for alg in apps/*.alg proofs_tests/golden/*.alg; do
  name=$(basename "$alg" .alg) sched=${alg%.alg}.sched
  [ -f "$sched" ] || sched=
  "$halyard" check "$alg" ${sched:+"$sched"} --certificates "$work/$name.cert" >/dev/null 2>&1 || continue # said elsewhere
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

# -- size --------------------------------------------------------------------------------------------------------------

hash=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
head=$(printf 'halyard-certificates 2\nprogram t 1 %s - - by hand\n' $hash)
judged() { # judged NAME STATUS PATTERN: of the file on standard input
  local said status
  { echo "$head"; cat; } >"$work/large"
  said=$(ulimit -v 4000000; timeout 100 "$ours" --quiet "$work/large" 2>&1)
  status=$?
  [ "$status" = "$2" ] && [[ $said =~ $3 ]] || wrong "$1: status $status: ${said:0:200}"
}
proof() { printf 'certificate t/1 a b\nfacts %s\ngoal %s\ng\n' "$1" "$2"; }
n=100000
awk -v n=$n 'BEGIN { print "1 true"; for (i = 2; i <= n; i++) print i " not " i - 1; print "certificate t/1 a b"
  print "goal " n - 1; print "g"; print ". 0"; print "qed"; print "end 1" }' | judged 'not not not ...' 0 '1 of 1'
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
awk -v n=$n 'BEGIN { print "1 unknown int x"; print "2 int 0"; print "3 >= 1 2"; print "certificate t/1 a b"; print "facts 3"
  print "goal 3"; print "g"; for (i = 0; i < n; i++) print "k (0 1*1)"; print "u 3"; print "l 1 0 1 " n + 1; print ". " n + 2
  print "qed"; print "end 1" }' | judged 'many cases' 1 'the proof does not end'
awk -v n=$n 'BEGIN { for (i = 1; i <= n; i++) print i " unknown int x"; printf n + 1 " negative (0"; for (i = n; i > 0; i--) printf " 1*" i
  print ")"; print "end 0" }' | judged 'a long polynomial' 2 'certificates are missing'
exit $failed
