#!/usr/bin/env bash
# The specification (semantics/rules/) keeps its form and fits the code (specification.py, which says what it looks at): every
# rule of sections 2 to 7 is one block that parses, its metavariables are declared and bound, its code, decisions and
# broken twins exist, each fact that is added names why, the table of operators is ops.def, every decision has a row, links lead
# somewhere. And the check can fail: each file of specification/twins/ is a small specification with one thing wrong, named in its first line.
# Prints what is wrong and "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 2
said=$(python3 proofs_tests/specification/specification.py check)
passed=$(tail -n 1 <<<"$said" | cut -d ' ' -f 1) failed=$(tail -n 1 <<<"$said" | sed 's/.*, \([0-9]*\) failed/\1/')
head -n -1 <<<"$said"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for wrong in proofs_tests/specification/twins/*.md; do
  rm -rf "$work/rules"
  cp -r semantics/rules "$work/rules"
  # "<!-- FILE: MESSAGE -->": the rest is added to FILE, and the check says MESSAGE. "<!-- FILE {SCRIPT}: MESSAGE -->": after sed SCRIPT.
  IFS=$'\t' read -r file script message < <(sed -nE '1s/^<!-- ([A-Za-z0-9_]+)( \{(.*)\})?: (.*) -->$/\1\t\3;\t\4/p' "$wrong")
  sed -E "$script" "semantics/rules/$file.md" >"$work/rules/$file.md"
  tail -n +2 "$wrong" >>"$work/rules/$file.md"
  wrongly=$(python3 proofs_tests/specification/specification.py check "$work/rules" . | grep -vxFf <(printf '%s\n' "$said"))
  if grep -qF -- "$message" <<<"$wrongly"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $wrong: nobody says \"$message\""
  fi
done
# The page for people (./dev spec): every rule and decision is an anchor, every link leads somewhere; and that is noticed where it is not so.
page=build/specification.$$.html
mkdir -p build
trap 'rm -rf "$work" "$page"' EXIT
look() { python3 proofs_tests/specification/specification_page.py check "$page"; }
if python3 proofs_tests/specification/specification_page.py write "$page" && said=$(look); then passed=$((passed + 1)); else
  failed=$((failed + 1))
  printf 'FAILED the page: %s\n' "$said"
fi
for spoil in 's/ id="TGT.For"//|no anchor TGT.For' 's/href="#TGT.Let"/href="#TGT.Lett"/|#TGT.Lett leads nowhere' 's/ id="D33"//|no anchor D33' \
  's,href="[^"]*/rules.def",href="nowhere.def",|nowhere.def leads nowhere' 's/ id="B.For"/ id="B.Let"/|the anchor B.Let twice'; do
  python3 proofs_tests/specification/specification_page.py write "$page"
  sed -i "${spoil%%|*}" "$page"
  said=$(look)
  if grep -qF "${spoil##*|}" <<<"$said"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED the page: nobody says \"${spoil##*|}\""
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
