#!/usr/bin/env bash
# The faults of semantics/base/mutants.def are those of the code, or are kept beside it (rows.py): each row's HY_MUTANT(name) stands
# in its folder, or the rows of it, and nowhere else, and there is no other; they fit the code; tests exist; every
# decision that the specification records is undone by a row. The faults of the certificate checker (certcheck_mutants.txt) fit the
# checker's text. Prints what is missing and "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 2
passed=0 failed=0
verdict() { # verdict STATUS MESSAGE: counts, and says what is wrong
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$2"; fi
}
table=semantics/base/mutants.def
folders='semantics tape alg_interp tgt_interp lower sched autosched plugin bounds oracle passes codegen engines validate halyard gate export halide fuzz review cli'
# shellcheck disable=SC2086 # folders are words
used=$({ grep -rnoE --include='*.[ch]' 'HY_MUTANT\([A-Z][A-Za-z0-9_]+\)' $folders | grep -v '^semantics/base/mutant\.h:' |
  sed -E 's,^([a-z_]+)/[^:]*:[0-9]+:HY_MUTANT\((.*)\),\2 \1,'; proofs_tests/mutants/rows.py names; } | sort)
rows=$(sed -nE 's/^HY_MUTANT_ROW\((\w+), "([^"]*)", "([^"]*)", "([^"]*)", "([^"]*)", ".+"\)$/\1|\2|\3|\4|\5/p' "$table")

[ "$(grep -c '^HY_MUTANT_ROW' "$table")" = "$(printf '%s\n' "$rows" | grep -c .)" ]; verdict $? "a row of $table cannot be read"
[ -z "$(printf '%s\n' "$rows" | cut -d '|' -f 1 | sort | uniq -d)" ]; verdict $? "a name has two rows in $table"
while IFS='|' read -r name folder undoes _ tests; do
  [ "$(printf '%s\n' "$used" | awk -v n="$name" '$1 == n { print $2 }' | sort -u)" = "$folder" ]
  verdict $? "mutant $name: HY_MUTANT($name) does not stand in $folder/, or its rows, alone"
  for test in $tests; do
    case $test in
    golden | negative) true ;;
    *.sh | *.py | golden/* | negative/*) [ -e "proofs_tests/$test" ] ;;
    *) grep -q "^HY_SUITE($test)" proofs_tests/suites.def ;;
    esac
    verdict $? "mutant $name: there is no test $test"
  done
  for word in ${undoes//section /section_}; do
    case $word in
    D[0-9]* | section_* | lemma | pass | [0-9a-z]*) true ;;
    *) grep -qE "(\`|^\`\`\`rule )${word//./\\.}" semantics/rules/*.md ;;
    esac
    verdict $? "mutant $name: the specification has no $word"
  done
done <<<"$rows"
for name in $(printf '%s\n' "$used" | cut -d ' ' -f 1 | sort -u); do
  printf '%s\n' "$rows" | grep -q "^$name|"; verdict $? "HY_MUTANT($name) has no row in $table"
done
for decision in $(cat semantics/rules/*.md | grep -oE '\bD[0-9]+\b' | sort -u -k1.2n); do
  sed -n '/^## Not yet/,$p' docs/decisions.md | grep -qE "^\| $decision \|" && continue
  [ "$decision" = D22 ] && continue # a misprint
  printf '%s\n' "$rows" | cut -d '|' -f 1,3 | grep -qE "(^|[| ])$decision([_| ]|\$)"; verdict $? "decision $decision: no mutant undoes it"
done
while IFS= read -r text; do
  [ "$(cat certcheck/*.c | grep -cF -- "$text")" = 1 ]; verdict $? "certcheck_mutants.txt: certcheck/ does not have once: $text"
done < <(sed -n 's/^< //p' proofs_tests/unit/certcheck/certcheck_mutants.txt)
fit=$(proofs_tests/mutants/rows.py check) # what is wrong, and its own count
printf '%s\n' "$fit" | sed '$d'
read -r fits _ wrong _ <<<"$(printf '%s\n' "$fit" | tail -n 1)"
passed=$((passed + fits)) failed=$((failed + ${wrong:-1}))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
