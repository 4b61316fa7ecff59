#!/usr/bin/env bash
# build_coq.sh INTO: halyard-certcheck-coq, the checker of coq/ that is proved, in the folder INTO, with what Coq said of the
# proofs in INTO/said. Does nothing where it was built of the same files. Status 3: no coqc and ocamlopt here.
set -u
into=${1:?usage: build_coq.sh INTO}
mkdir -p "$into" && into=$(realpath "$into") || exit 2
cd "$(dirname "$0")" || exit 2
command -v coqc >/dev/null && command -v ocamlopt >/dev/null || exit 3
files=(Meaning Print Results Read Polynomials Checker Lines Sound Broken)
stamp=$({ coqc --version; cat ./*.v; } | sha256sum)
exec 9>"$into/lock"
flock 9 # two tests may ask at once
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ./*.v ./*.ml "$work" && cd "$work" || exit 2
if ! [ -f "$into/stamp" ] || [ "$(cat "$into/stamp")" != "$stamp" ]; then
  for file in "${files[@]}"; do
    coqc -q "$file.v" >>said 2>&1 || { cat said; echo "$file.v: not accepted by coqc"; exit 1; }
  done
  coqc -q Extract.v >extracted 2>&1 || { cat extracted; echo 'Extract.v: not accepted by coqc'; exit 1; }
  cp checker.ml checker.mli said "$into" && echo "$stamp" >"$into/stamp" || exit 2
fi
cp "$into"/checker.ml* .
ocamlopt -inline 100 -w -a checker.mli checker.ml sha256.ml certcheck.ml -o halyard-certcheck-coq >compiled 2>&1 ||
  { cat compiled; echo 'the extracted checker does not compile'; exit 1; }
cmp -s halyard-certcheck-coq "$into/halyard-certcheck-coq" || cp halyard-certcheck-coq "$into"
