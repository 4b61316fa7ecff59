#!/usr/bin/env bash
# check_coq.sh HALYARD: another judge of the same certificates, where Coq is installed; otherwise says so, and ends with status 77.
#
#   coq/Rules.v          every rule of docs/certificates.md as a lemma about the integers
#   coq/Extract.v        ZMicromega.ZChecker, the checker of the standard library's lia, as OCaml; prints what its
#                        soundness rests on
#   coq/certificates.ml  reads certificates and hands their arithmetic to ZChecker
#
# It must say what halyard-certcheck says of every certificate of apps/ and golden/, of every file that the suites
# certificate_mutants and certificate_files tamper with, and of every file of certificate_cases.txt; only what is beyond
# halyard-certcheck's limits (128 bits, degree 4) it may accept.
set -u
halyard=$(realpath "${1:?usage: check_coq.sh HALYARD}") || exit 2
here=$(dirname "$halyard")
cd "$(dirname "$0")/.." || exit 2
if ! command -v coqc >/dev/null || ! command -v ocamlopt >/dev/null; then
  echo 'skipped: no coqc and ocamlopt here (./dev coq installs them)'
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { echo "$1"; failed=1; }

cp proofs_tests/coq/*.v proofs_tests/coq/certificates.ml "$work"
cd "$work" || exit 2
axioms() { # axioms FILE: compiles it; all that it asks about must rest on nothing
  coqc -q "$1.v" >"$1.said" 2>&1 || { cat "$1.said"; echo "$1.v: not accepted by coqc"; exit 1; }
  [ "$(grep -c '^Print Assumptions' "$1.v")" = "$(grep -c '^Closed under the global context' "$1.said")" ] ||
    wrong "$1.v: axioms: $(cat "$1.said")"
}
axioms Rules
axioms Extract
grep -q 'ZChecker l w = true' Extract.said || wrong 'ZChecker_sound says something else'
ocamlopt -I +str str.cmxa zchecker.mli zchecker.ml certificates.ml -o certificates >said 2>&1 ||
  { cat said; echo 'certificates.ml does not compile'; exit 1; }
cd - >/dev/null || exit 2

# -- whole files: 100% accepted by both, and how fast ------------------------------------------------------------------

for alg in apps/*.alg proofs_tests/golden/*.alg; do
  name=$(basename "$alg" .alg) sched=${alg%.alg}.sched
  [ -f "$sched" ] || sched=
  "$halyard" check "$alg" ${sched:+"$sched"} --certificates "$work/$name.cert" >/dev/null 2>&1 || continue # said elsewhere
  ours=$("$here/halyard-certcheck" --quiet --time "$work/$name.cert")
  theirs=$("$work/certificates" "$work/$name.cert")
  count=$(sed -nE 's/.* ([1-9][0-9]*) of \1 certificates accepted.*/\1/p' <<<"$ours")
  [ -n "$count" ] && [[ $theirs == *" $count of $count certificates accepted;"* ]] || wrong "$name: $ours; $theirs"
  # shellcheck disable=SC2001 # a number out of a line
  printf '%s; certcheck %s\n' "$theirs" "$(sed -nE 's/.*: ([0-9]+) certificates per second.*/\1/p' <<<"$ours") per second"
done

# -- file by file: mutants, files by hand --------------------------------------------------------------------------------

mkdir "$work/bundles" "$work/cases"
for suite in certificate_mutants certificate_files; do # they leave what they tamper with there
  HALYARD_TAMPERED=$work/bundles "$here/halyard_tests" "=$suite" >"$work/said" 2>&1 || wrong "$suite: $(tail -n 2 "$work/said")"
done
proofs_tests/certificate_cases.sh "$work/cases"
while read -r number verdict; do
  [ "$(head -n 1 "$work/cases/$number.cert")" = 'halyard-certificates 2' ] && sed "1a # $verdict" "$work/cases/$number.cert"
done <"$work/cases/list" >"$work/bundles/by_hand"
for bundle in "$work"/bundles/*; do
  "$work/certificates" --compare "$bundle" >"$work/said" || failed=1
  tail -n 30 "$work/said"
done | awk '/^[^ ]+: agree on/ { agree += $4; limits += $8; differ += $7; next } { print }
  END { printf "agree on %d tampered files, differ on %d; %d more are accepted here, beyond the limits of halyard-certcheck\n",
               agree, differ, limits; exit agree == 0 || differ > 0 }' || failed=1
exit $failed
