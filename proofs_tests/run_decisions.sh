#!/usr/bin/env bash
# run_decisions.sh BUILD [-a] [-l] [-p | -r] [-j JOBS] [PATTERN...]: does every test that a decision names fail when that decision alone is undone?
#
# BUILD is a build with -DHALYARD_MUTANTS=ON. The rows are those of appendix B of the specification
# (semantics/rules/B_decisions.md), or with -p those of appendix A, the paper. A decision's mutants are the rows of proofs_tests/mutants/mutants.def
# that are called after it ("D33_...") or undo it (third column); those of a row of the paper undo one of its rules. Each named
# test, and nothing else, is run under them one after the other, first under those of decisions_seen.txt or paper_seen.txt, until one makes it fail (-a: all of them).
# With -p it goes on under those that undo a rule of the row which no test of the row has noticed yet. A test is a file of golden/ or negative/,
# a suite, "suite: function", or "suite: text": then it is the row of a table, or the test, that the text stands in or above.
# With -r the rows are the rules of semantics/rules.def, and what they name are the tests that quote the rule (or its ".Not", but for rules_*_test.c,
# which quote all): one of them has to fail under a fault that undoes the rule and whose row names the test. It is what rules_seen.txt records.
# PATTERNs pick rows: part of the first column ("=D33": all of it). -l only lists what would be run. The control, without a mutant, has to pass.
# Prints the table "row | tests seen to fail, and under what", then every named test that nothing makes fail,
# every rule of the paper's rows that has no mutant that its row notices; "N passed, N failed"; exit status 1 if something is left.
set -u
build=$(realpath "${1:?usage: run_decisions.sh BUILD [-a] [-l] [-p | -r] [-j JOBS] [PATTERN...]}") || exit 2
shift
all=0 list=0 paper=0 rules=0 jobs=$(nproc)
while getopts alprj: option; do
  case $option in
  a) all=1 ;; l) list=1 ;; p) paper=1 ;; r) rules=1 ;; j) jobs=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")" || exit 2
"$build/halyard" --version | grep -q mutants || { echo "run_decisions: $build has no mutants (cmake -DHALYARD_MUTANTS=ON)" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export build work all
unset HALYARD_MUTANT

# in_suite SUITE TEXT: what halyard_tests is to be asked for. The text is a test's name, or it stands in a test, above one, in a
# row of a table, or above a row (then for all rows up to the next comment). in_suite SUITE PATTERN NTH: where the pattern is found for the NTH time.
in_suite() {
  awk -v suite="$1" -v text="$2" -v nth="${3-}" '
    { line[NR] = $0 }
    /^START_TEST\(/ { name = $0; sub(/^START_TEST\(/, "", name); sub(/\).*/, "", name); test[NR] = inside = name }
    /^END_TEST/ { inside = "" }
    /^(static |} ?[a-z_]*\[).*\[.*\] = \{$|^} [a-z_]+\[\] = \{$/ { table = $0; sub(/\[.*/, "", table); sub(/.*[ *]/, "", table); opened = NR }
    /^};/ { table = "" }
    { where[NR] = inside; of[NR] = table; from[NR] = opened }
    /[^ ]};$/ { table = "" } # behind the last row
    nth == "" && index($0, text) && !at { at = NR }
    nth != "" && $0 ~ text && ++found == nth { at = NR }
    /tcase_add_[a-z_]*test\(/ { added[++adds] = $0 }
    END {
      if (!at) exit 1
      if (text ~ /^[a-z0-9_]+$/ && !where[at]) where[at] = text
      if (text ~ /^[a-z0-9_]+$/ && test[at] == "") { for (i in test) if (test[i] == text) where[at] = text }
      if (where[at]) { print "=" suite ":" where[at]; exit }
      if (of[at] == "") {
        for (i = at; i <= NR && of[i] == ""; i++) if (test[i]) { print "=" suite ":" test[i]; exit }
        if (i > NR) { print "=" suite; exit }
        whole = 1
        at = i
      }
      is_comment = line[at] ~ /^ *\/\//
      if (whole) { for (i = from[at] + 1; of[i] == of[at]; i++) if (line[i] ~ /^    [{A-Z]/) last++; first = 0; last-- }
      else for (i = from[at] + 1; i < at + !is_comment; i++) if (line[i] ~ /^    [{A-Z]/) row++
      if (!whole) first = last = (is_comment ? row : row - 1) + 0
      if (is_comment && !whole)
        for (i = at + 1; of[i] == of[at] && line[i] !~ /^ *\/\//; i++) if (line[i] ~ /^    [{A-Z]/) last = row++
      for (i = 1; i <= adds; i++)
        if (added[i] ~ "loop" && added[i] ~ "HY_COUNT\\(" of[at] "\\)") {
          name = added[i]; sub(/^[^,]*, */, "", name); sub(/,.*/, "", name)
          names = names (names == "" ? "" : ",") name
        }
      if (names && last >= first) { print "=" suite ":" names ":" first "-" last; exit }
      if (names) { print "=" suite ":" names; exit }
      for (i = 1; i <= NR; i++) if (where[i] && line[i] ~ "HY_COUNT\\(" of[at] "\\)") { print "=" suite ":" where[i]; exit }
      print "=" suite
    }' "$(find . -name "$1_test.c")"
}

# atom TEST: the same as one word for run_atom
atom() {
  case $1 in
  golden/* | negative/*) echo "$1" ;;
  *:*) in_suite "${1%%:*}" "${1#*: }" ;;
  *) echo "=$1" ;;
  esac
}

# Suites are limited by processor time, two minutes for each test: what other programs do on the machine changes no verdict.
run_atom() { # run_atom ATOM [MUTANT]: 0 passed, 1 failed, 2 no answer
  local status said=$work/said.$BASHPID
  (
    [ $# = 1 ] || export HALYARD_MUTANT=$2
    case $1 in
    golden/*.cert) timeout 900 ./check_certificates.sh "$build/halyard" ;;
    golden/*) timeout 120 ./run_golden.sh "$build/halyard" "${1#golden/}" ;;
    negative/*) timeout 120 ./run_negative.sh "$build/halyard" "${1#negative/}" ;;
    *) ulimit -t 120 && CK_TIMEOUT_MULTIPLIER=100 timeout 3600 "$build/halyard_tests" "$1" ;;
    esac
  ) >"$said" 2>&1
  status=$?
  grep -q 'Test timeout expired\|signal 14\|signal 24' "$said" && status=124
  case $status in 0) return 0 ;; 124 | 2) return 2 ;; *) return 1 ;; esac
}

# places RULE TEST: what to ask for, one atom a line: each place where the test quotes the rule.
places() {
  local nth=1 atom pattern="(^|[^A-Za-z.-])${1//./[.]}([.]Not)?([^A-Za-z0-9.-]|[.-]?$|[.-][^A-Za-z0-9])"
  case $2 in
  */*) grep -qE -- "$pattern" "$2" && echo "$2" ;;
  *) while atom=$(in_suite "$2" "$pattern" "$nth"); do echo "$atom"; nth=$((nth + 1)); done | awk '!seen[$0]++' ;;
  esac
}

# one_rule "RULE|MUTANT MUTANT.."; RULE may name the fault and the test that were seen last, "RULE|MUTANTS|MUTANT TEST": these are tried first.
one_rule() {
  local rule mutants known mutant test atom quoted=''
  IFS='|' read -r rule mutants known <<<"$1"
  while read -r mutant test; do
    [ -n "$test" ] || continue
    while read -r atom; do
      quoted="$quoted $test"
      run_atom "$atom" </dev/null || continue
      run_atom "$atom" "$mutant" </dev/null
      [ $? = 1 ] || continue
      echo "$rule|$test|$mutant|fails" >>"$work/table"
      return
    done < <(places "$rule" "$test")
  done < <([[ " $mutants " != *" ${known%% *} "* ]] || echo "$known"; for mutant in $mutants; do
    for test in $(sed -nE "s/^HY_MUTANT_ROW\($mutant, \"[^\"]*\", \"[^\"]*\", \"[^\"]*\", \"([^\"]*)\".*/\1/p" ../proofs_tests/mutants/mutants.def); do
      case $test in golden | negative | *.sh | *.py) ;; *) echo "$mutant $test" ;; esac
    done
  done | grep -vxF -- "$known")
  echo "$rule|${quoted:-no test of a row quotes it}||passes" >>"$work/table"
}

# is_owed ROW FAILED MUTANT: does the mutant undo a rule of the row that none of the row's tests has noticed, nor this one under FAILED?
is_owed() {
  local seen rule own one
  seen=" $2 $(awk -F '|' -v row="$1" '$1 == row { printf "%s ", $3 }' "$work/table") "
  while IFS='|' read -r _ rule own; do
    [[ " $own " == *" $3 "* ]] || continue
    for one in $own; do [[ $seen == *" $one "* ]] && continue 2; done
    return 0
  done < <(grep -F "$1|" "$work/rules")
  return 1
}

one_test() { # one_test "ROW|TEST|MUTANTS": "ROW|TEST|mutants that make it fail|verdict"
  local row test mutants atom mutant failed=''
  IFS='|' read -r row test mutants <<<"$1"
  atom=$(atom "$test")
  if [ -z "$atom" ] || ! run_atom "$atom"; then
    echo "$row|$test||control" >>"$work/table"
    return
  fi
  for mutant in $mutants; do
    [ -z "$failed" ] || [ "$all" = 1 ] || is_owed "$row" "$failed" "$mutant" || continue
    run_atom "$atom" "$mutant"
    [ $? = 1 ] || continue
    failed="$failed $mutant"
  done
  echo "$row|$test|${failed# }|$([ -n "$failed" ] && echo fails || echo passes)" >>"$work/table"
}

known_first() { # known_first "MUTANT MUTANT.." KNOWN..: the known ones before the others, those that are no more left out
  local mutants=" $1 " known first=
  shift
  for known; do
    [[ $mutants == *" $known "* ]] || continue
    first="$first$known " mutants=${mutants/ $known / }
  done
  echo "$first${mutants# }"
}

picked() { # picked NAME PATTERN...
  local name=$1 pattern
  shift
  [ $# -gt 0 ] || return 0
  for pattern; do
    case $pattern in
    =*) [ "$name" = "${pattern#=}" ] ;;
    *) [[ $name == *$pattern* ]] ;;
    esac && return 0
  done
  return 1
}

faults=$(sed -nE 's/^HY_MUTANT_ROW\((\w+), "[^"]*", "([^"]*)", .*/\1|\2/p' ../proofs_tests/mutants/mutants.def)
mutants_of() { # mutants_of DECISION-or-RULE: names
  awk -F '|' -v w="$1" '
    function undoes(name, list,   n, i, word) {
      if (index(name, w "_") == 1) return 1
      n = split(list, word, " ")
      for (i = 1; i <= n; i++) {
        if (word[i] == w) return 1
        if (w ~ /\*$/ && index(word[i], substr(w, 1, length(w) - 1)) == 1) return 1
        if (w ~ /\.Not$/ && word[i] ".Not" == w) return 1
      }
      return 0
    }
    undoes($1, $2) { printf "%s ", $1 }' <<<"$faults"
}

words() { grep -oE '`[^`]+`' <<<"$1" | tr -d '\`'; }
cells() { sed 's/\\|/\&#124;/g' | awk -F '|' -v n="$1" '{ gsub(/^ +| +$/, "", $n); print $n }'; }
if [ "$paper" = 1 ]; then appendix=A_concordance tests_cell=6; else appendix=B_decisions tests_cell=4; fi
: >"$work/todo"
: >"$work/rules"
[ "$rules" = 1 ] || while IFS= read -r line; do
  row=$(cells 2 <<<"$line")
  [ "$paper" = 0 ] || row=$(sed 's/ *$//' <<<"$row: $(cells 3 <<<"$line" | cut -c 1-40)")
  picked "$row" "$@" || continue
  mutants=
  [ "$row" = D22 ] && continue # a misprint
  if [ "$paper" = 0 ]; then mutants=$(mutants_of "$row"); else
    for rule in $(words "$(cells 4 <<<"$line")"); do
      own=$(mutants_of "$rule")
      echo "$row|$rule|$own" >>"$work/rules"
      mutants="$mutants$own"
    done
    mutants=$(tr ' ' '\n' <<<"$mutants" | awk 'NF && !seen[$0]++' | tr '\n' ' ')
    [ -n "$(words "$(cells 4 <<<"$line")")" ] || continue
  fi
  while IFS= read -r test; do
    known=$(grep -hF "$row|$test|" specification/decisions_seen.txt specification/paper_seen.txt | head -n 1 | cut -d '|' -f 3)
    echo "$row|$test|$(known_first "$mutants" $known)" >>"$work/todo"
  done < <(words "$(cells $tests_cell <<<"$line")")
done < <(grep -E '^\| ' "../semantics/rules/$appendix.md" | grep -vE '^\| (D|paper) \|' | grep -v '^|---')
if [ "$rules" = 1 ]; then
  : >"$work/todo"
  for rule in $(sed -nE 's/^HY_RULE\(\w+, *"([^"]+)"\).*/\1/p' ../semantics/rules.def); do
    picked "$rule" "$@" && echo "$rule|$(mutants_of "${rule%.Not}")|$(awk -F '|' -v r="$rule" '$1 == r { print $3, $2 }' specification/rules_seen.txt 2>/dev/null)" >>"$work/todo"
  done
fi
[ -s "$work/todo" ] || { echo "run_decisions: no row of appendix $appendix is called so" >&2; exit 2; }
if [ "$list" = 1 ] && [ "$rules" = 1 ]; then cat "$work/todo"; exit 0; fi
if [ "$list" = 1 ]; then
  while IFS='|' read -r row test mutants; do echo "$row|$test|$(atom "$test")|$mutants"; done <"$work/todo"
  exit 0
fi

: >"$work/table"
export -f one_test one_rule run_atom atom in_suite is_owed places
if [ "$rules" = 1 ]; then one=one_rule; else one=one_test; fi
tr '\n' '\0' <"$work/todo" | xargs -0 -n 1 -P "$jobs" bash -c "$one "'"$1"' "$one"

echo '| row | test | seen to fail under |'
echo '|---|---|---|'
sort -V "$work/table" | awk -F '|' '$4 == "fails" { gsub(/ /, "` `", $3); printf "| %s | `%s` | `%s` |\n", $1, $2, $3 }'
awk -F '|' '$4 == "control" { print "control: " $1 ": " $2 " fails without a mutant, or is not to be found" }
            $4 == "passes" { print "passes undone: " $1 ": " $2 }' "$work/table" | sort -V
unnoticed=0
while IFS='|' read -r row rule own; do
  for mutant in $own; do
    grep -F "$row|" "$work/table" | cut -d '|' -f 3 | grep -qw "$mutant" && continue 2
  done
  echo "rule unbroken: $row: $rule${own:+ (none of: $own)}"
  unnoticed=$((unnoticed + 1))
done <"$work/rules"
failed=$(($(grep -cv '|fails$' "$work/table") + unnoticed))
echo "$(grep -c '|fails$' "$work/table") passed, $failed failed"
[ "$failed" = 0 ]
