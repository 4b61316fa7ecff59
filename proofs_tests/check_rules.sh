#!/usr/bin/env bash
# The rules and the decisions are what the code and the tests say they are:
#  - every HY_RULE of semantics/rules.def stands in semantics/RULES.md, and every rule id there is a HY_RULE;
#  - every rule is quoted above the code that implements it;
#  - every decision (D-row) that RULES.md records is named by a test.
# Prints what is missing and "N passed, N failed"; exit status 1 if something is.
set -u
cd "$(dirname "$0")/.." || exit 2
passed=0 failed=0
verdict() { # verdict STATUS MESSAGE: counts, and says what is wrong
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$2"; fi
}

[ -f semantics/RULES.md ] || { echo "semantics/RULES.md is missing"; echo "0 passed, 1 failed"; exit 1; }
ids=$(sed -nE 's/^HY_RULE\([A-Z0-9_]+, *"([^"]+)"\).*/\1/p' semantics/rules.def | sort)
# In RULES.md a rule's own row or heading begins with its id in backquotes: "| `ALG.Realize` |" or "### `ALG.Realize`".
documented=$(grep -oE '^(\||#+) *`[A-Z]+\.[A-Za-z0-9.-]+`' semantics/RULES.md | grep -oE '[A-Z]+\.[A-Za-z0-9.-]+' | sort)

twice=$(printf '%s\n' "$documented" | uniq -d)
[ -z "$twice" ]; verdict $? "RULES.md has twice: $twice"
for id in $ids; do
  printf '%s\n' "$documented" | grep -qxF "$id"; verdict $? "rule $id is in rules.def but has no row in RULES.md"
  name=$(sed -nE "s/^HY_RULE\(([A-Z0-9_]+), *\"$id\"\).*/\1/p" semantics/rules.def)
  grep -rqwE --include='*.c' "HY_RULE_$name" semantics alg_interp tgt_interp lower sched bounds oracle codegen driver
  verdict $? "rule $id: no code counts HY_RULE_$name"
done
for id in $documented; do
  printf '%s\n' "$ids" | grep -qxF "$id"; verdict $? "rule $id has a row in RULES.md but is not in rules.def"
done

for decision in $(grep -oE '\bD[0-9]+\b' semantics/RULES.md | sort -u -k1.2n); do
  grep -rqw "$decision" proofs_tests --include='*_test.c' --include='*.alg' --include='*.sched' --include='*.tgt' \
    --include='*.golden' --include='cli_cases.sh'
  verdict $? "decision $decision: no test names it"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
