#!/usr/bin/env bash
# The rules and the decisions are what the code and the tests say they are:
#  - every HY_RULE of semantics/rules.def stands in the specification (semantics/rules/*.md), and every rule id there is a HY_RULE;
#  - every rule is counted by code, quoted (without ".Not") in that code, and quoted in a test;
#  - no comment of the code or the tests quotes a rule that there is not;
#  - what its appendices A and B name in backquotes is there: rules, files, unit suites and what stands in them;
#  - docs/decisions.md states every decision that is quoted anywhere; each is held by a row of appendix B, or listed as not yet built;
#  - every decision (D-row) that the specification records has a row in appendix B, a program of golden/ or negative/ that says
#    that it is about it, and a mutant that undoes it.
# Prints what is missing and "N passed, N failed"; exit status 1 if something is.
set -u
cd "$(dirname "$0")/.." || exit 2
code='semantics tape alg_interp tgt_interp lower sched plugin bounds oracle passes codegen engines validate halyard review cli'
passed=0 failed=0
verdict() { # verdict STATUS MESSAGE: counts, and says what is wrong
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$2"; fi
}

specification=semantics/rules
[ -f $specification/0_how_to_read.md ] || { echo "$specification is missing"; echo "0 passed, 1 failed"; exit 1; }
rule='[A-Z]+\.[A-Za-z0-9.-]+'
ids=$(sed -nE 's/^HY_RULE\([A-Z0-9_]+, *"([^"]+)"\).*/\1/p' semantics/rules.def | sort)
# A rule's own row or heading begins with its id in backquotes: "| `ALG.Realize` |" or "### `ALG.Realize`"; its block with "```rule ALG.Realize".
# Such a block speaks for its negative side, too.
documented=$(cat $specification/*.md | grep -oE "^((\||#+) *\`$rule\`|\`\`\`rule $rule)" | grep -oE "$rule" | sort)
documented=$(printf '%s\n' "$documented" $(cat $specification/*.md | grep -oE "^\`\`\`rule $rule" | sed 's/.* //; s/$/.Not/' |
  grep -xF -f <(printf '%s\n' "$ids")) | sort)

# Every id that is quoted somewhere: a capital word, a dot, and words that begin with capitals.
quoted() { # quoted FILE...: what the files quote, one id a line
  cat -- "$@" | grep -aoE '\b(ALG|VAL|WF|LOW|SCH|DIR|FIN|B|VER|TGT|ORA|ORD|LVL|GEN)(\.[A-Z][A-Za-z0-9]*(-[A-Z][A-Za-z0-9]*)*)+' | sort -u
}
# shellcheck disable=SC2086 # folders are words
in_code=$(quoted $(find $code -name '*.c'))
in_tests=$(quoted $(find proofs_tests -name '*_test.c') proofs_tests/golden/* proofs_tests/negative/*.*)
# shellcheck disable=SC2086
counted=$(cat $(find $code -name '*.c') semantics/ops.def | grep -oE '\bHY_RULE_[A-Z0-9_]+' | sort -u)
has() { grep -qxF -- "$2" <<<"$1"; } # has LIST LINE

twice=$(printf '%s\n' "$documented" | uniq -d)
[ -z "$twice" ]; verdict $? "the specification has twice: $twice"
while read -r name id; do
  has "$documented" "$id"; verdict $? "rule $id is in rules.def but has no row or block in the specification"
  has "$counted" "HY_RULE_$name"; verdict $? "rule $id: no code counts HY_RULE_$name"
  has "$in_code" "${id%.Not}"; verdict $? "rule $id: no code quotes it"
  has "$in_tests" "$id"; verdict $? "rule $id: no test quotes it"
done < <(sed -nE 's/^HY_RULE\(([A-Z0-9_]+), *"([^"]+)"\).*/\1 \2/p' semantics/rules.def)
for id in $documented; do
  has "$ids" "$id"; verdict $? "rule $id stands in the specification but is not in rules.def"
done
for id in $in_code $in_tests; do
  has "$ids" "$id" || grep -qF -- "$id." <<<"$ids"; verdict $? "$id is quoted, but there is no such rule"
done

# -- the tables: the paper, and the decisions --

suite_file() { find proofs_tests -name "$1_test.c"; }
is_there() { # is_there WORD: a rule (ALG.* = one of them), a file, "suite", or "suite: what stands in it"
  case $1 in
  *.\*) grep -qF -- "${1%\*}" <<<"$ids" ;;
  golden/* | negative/*) [ -f "proofs_tests/$1" ] ;;
  */*) [ -e "$1" ] ;;
  *:*) is_there "${1%%:*}" && stands_in "${1#*: }" "$(suite_file "${1%%:*}")" ;;
  *.*) has "$ids" "$1" ;;
  *) grep -q "^HY_SUITE($1)" proofs_tests/suites.def && [ -f "$(suite_file "$1")" ] ;;
  esac
}
stands_in() { # stands_in TEXT FILE: a test (it must be added to its suite), or any text
  if grep -qE '^[a-z0-9_]+$' <<<"$1"; then grep -qE "tcase_add_[a-z_]+\([a-z]+, $1\b" "$2"; else grep -qF -- "$1" "$2"; fi
}
tables=$(grep -h '^|' $specification/A_concordance.md $specification/B_decisions.md)
while IFS= read -r word; do
  is_there "$word"; verdict $? "appendix A or B names \`$word\`, which is not there"
done < <(grep -oE '`[^`]+`' <<<"$tables" | tr -d '\`' | sort -u)

says_it() { # says_it DECISION: a golden program, or one that must be refused, that its row names says that it is about it
  local file
  for file in $(grep -E "^\\| $1 \\|" <<<"$tables" | grep -oE '(golden|negative)/[a-z0-9_.]+'); do
    grep -qw "$1" "proofs_tests/$file" && return
  done
  return 1
}

# -- docs/decisions.md: every decision with its reason, held by a row of appendix B or not yet --

stated=$(sed '/^## Not yet/,$d' docs/decisions.md | sed -nE 's/^\| (D[0-9]+) \| [SACX] \| [^|]+ \| .+ \|$/\1/p')
not_yet=$(sed -n '/^## Not yet/,$p' docs/decisions.md | sed -nE 's/^\| (D[0-9]+) \| .+ \|$/\1/p')
[ -z "$(printf '%s\n' "$stated" "" "$not_yet" | sed '/^$/q' | sort | uniq -d)" ]; verdict $? "docs/decisions.md states a decision twice"
for decision in $stated; do
  grep -qE "^\| $decision \|.*\`" <<<"$tables" || has "$not_yet" "$decision"
  verdict $? "decision $decision: docs/decisions.md states it, but it has no row in appendix B, and it is not said that it is not yet built"
done
for decision in $not_yet; do
  grep -qE "^\\| $decision \\|" <<<"$tables" && echo "note: $decision has a row in appendix B: take it off the list in docs/decisions.md"
  has "$stated" "$decision"; verdict $? "decision $decision: docs/decisions.md says that it is not yet built, but not what it is"
done
# shellcheck disable=SC2086 # folders are words
for decision in $(grep -rohE '\b[Dd]ecisions? D[0-9]+|\(D[0-9]+(, D[0-9]+)*\)|^\| D[0-9]+ \|' $code fuzz certcheck proofs_tests docs $specification \
  --include='*.[ch]' --include='*.md' --include='*.alg' --include='*.sched' --include='*.tgt' | grep -oE 'D[0-9]+' | sort -u); do
  has "$stated" "$decision"; verdict $? "decision $decision is quoted, but docs/decisions.md does not state it"
done

for decision in $(cat $specification/*.md | grep -oE '\bD[0-9]+\b' | sort -u -k1.2n); do
  has "$not_yet" "$decision" && continue
  grep -qE "^\| $decision \|.*\`" <<<"$tables"; verdict $? "decision $decision: no row of appendix B names a test"
  says_it "$decision"; verdict $? "decision $decision: its row of appendix B names no program of golden/ or negative/ that speaks of it"
  [ "$decision" = D22 ] || grep -qE "^HY_MUTANT_ROW\(.*\"[^\"]*\b$decision\b" proofs_tests/mutants/mutants.def
  verdict $? "decision $decision: no mutant undoes it"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
