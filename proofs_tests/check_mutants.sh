#!/usr/bin/env bash
# The faults of proofs_tests/mutants/mutants.def are those that are kept beside the code (rows.py): each row's HY_MUTANT(name) stands
# in the rows of its folder and nowhere else, and there is no other; they fit the code, which has none of its own; tests exist; every
# decision that the specification records is undone by a row. The faults of the certificate checker (certcheck_mutants.txt) fit the
# checker's text. Prints what is missing and "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 2
passed=0 failed=0
verdict() { # verdict STATUS MESSAGE: counts, and says what is wrong
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$2"; fi
}
table=proofs_tests/mutants/mutants.def
used=$(proofs_tests/mutants/rows.py names)
rows=$(sed -nE 's/^HY_MUTANT_ROW\((\w+), "([^"]*)", "([^"]*)", "([^"]*)", "([^"]*)", ".+"\)$/\1|\2|\3|\4|\5/p' "$table")

# What is looked up a thousand times, in the shell itself: a process for each takes minutes.
declare -A folders suites has_row knows
while read -r name folder; do
  [[ " ${folders[$name]-} " == *" $folder "* ]] || folders[$name]+=${folders[$name]:+ }$folder
done <<<"$used"
while read -r name; do suites[$name]=1; done < <(sed -nE 's/^HY_SUITE\((\w+)\).*/\1/p' proofs_tests/suites.def)
while IFS='|' read -r name _; do has_row[${name:-none}]=1; done <<<"$rows"
is_known() { # is_known WORD: a rule or a word of the specification
  [ -n "${knows[$1]-}" ] || { grep -qE "(\`|^\`\`\`rule )${1//./\\.}" semantics/rules/*.md && knows[$1]=0 || knows[$1]=1; }
  return "${knows[$1]}"
}

lane='([1-5]|gap|faults|levels)'
[ "$(grep -c '^HY_MUTANT_ROW' "$table")" = "$(printf '%s\n' "$rows" | grep -c .)" ]; verdict $? "a row of $table cannot be read"
[ -z "$(printf '%s\n' "$rows" | cut -d '|' -f 1 | sort | uniq -d)" ]; verdict $? "a name has two rows in $table"
while IFS='|' read -r name folder undoes lanes tests; do
  [[ $lanes =~ ^(-|$lane(,$lane)*)$ ]]; verdict $? "mutant $name: '$lanes' are no lanes of halyard fuzz, nor '-'"
  [ "${folders[$name]-}" = "$folder" ]
  verdict $? "mutant $name: HY_MUTANT($name) does not stand in the rows of $folder/ alone"
  for test in $tests; do
    case $test in
    golden | negative) true ;;
    *.sh | *.py | golden/* | negative/*) [ -e "proofs_tests/$test" ] ;;
    *) [ -n "${suites[$test]-}" ] ;;
    esac
    verdict $? "mutant $name: there is no test $test"
  done
  for word in ${undoes//section /section_}; do
    case $word in
    D[0-9]* | section_* | lemma | pass | [0-9a-z]*) true ;;
    *) is_known "$word" ;;
    esac
    verdict $? "mutant $name: the specification has no $word"
  done
done <<<"$rows"
for name in $(printf '%s\n' "$used" | cut -d ' ' -f 1 | sort -u); do
  [ -n "${has_row[$name]-}" ]; verdict $? "HY_MUTANT($name) has no row in $table"
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

# -- would rows.py say so? ----------------------------------------------------------------------------------------------

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rows=$scratch/proofs_tests/mutants/rows.py file=$scratch/sched/a.c
mkdir -p "${rows%/*}" "${file%/*}"
cp proofs_tests/mutants/rows.py "$rows"
put() { # put CODE ROWS: of sched/
  printf '%b' "$1" >"$file"
  printf '= sched/a.c\n%b' "$2" >"${rows%/*}/sched.txt"
}
says() { # says TEXT CODE ROWS: rows.py check
  put "$2" "$3"
  "$rows" check 2>&1 | grep -F -- "$1" >/dev/null; verdict $? "rows.py does not say \"$1\""
}
code='int f(int a) {\n  if (a) return 1;\n\n  return a ? 2 : 0;\n}\n'
row='< if (a) return 1;\n> if (a || HY_MUTANT(X)) return 1;\n'
says '2 passed, 0 failed' "$code" "$row"
says 'sched/a.c has nowhere: if (b)' "$code" '< if (b)\n> if (HY_MUTANT(X))\n'
says 'sched/a.c has more than once: return' "$code" '< return\n> break\n'
says 'two rows overlap' "$code" "$row< if (a)\n> if (HY_MUTANT(Y))\n"
says 'sched/a.c has faults of its own' 'int f(void) { return HY_MUTANT(X); }\n' ''
put "$code" "$row< return a ? 2 : 0;\n> if (HY_MUTANT(Y)) return 3;\n> return a ? 2 : 0;\n"
[ "$("$rows" names)" = "X sched
Y sched" ]; verdict $? 'rows.py names'
mkdir "$scratch/was" && cp -r "$scratch/sched" "$scratch/proofs_tests" "$scratch/was"
"$rows" apply sched/a.c "$scratch/b.c" && grep -qx '  if (a || HY_MUTANT(X)) return 1;' "$scratch/b.c"; verdict $? 'rows.py apply'
(cd "$scratch" && "$rows" open sched/a.c) && "$rows" check | grep "still open" >/dev/null; verdict $? 'rows.py open'
"$rows" apply sched/a.c "$scratch/c.c" && cmp -s "$scratch/b.c" "$scratch/c.c"; verdict $? 'rows.py apply, of an open file'
(cd "$scratch" && "$rows" take sched/a.c) && diff -r "$scratch/was/sched" "$scratch/sched" && diff -r "$scratch/was/proofs_tests" "$scratch/proofs_tests"
verdict $? 'rows.py take'
(cd "$scratch" && "$rows" take sched/a.c 2>&1) | grep "is not open" >/dev/null; verdict $? 'rows.py take, of a file that is not open'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
