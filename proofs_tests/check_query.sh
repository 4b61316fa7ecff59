#!/usr/bin/env bash
# check_query.sh HALYARD: "show --stage query" is one script that z3, and cvc5 where it is installed, answer with "unsat" for
# every obligation that is proved.
set -u
halyard=$(realpath "${1:?usage: check_query.sh HALYARD}") || exit 2
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for pair in 'figure1.alg figure1.sched:tiled' 'box_blur.alg box_blur.sched:nested_shift' 'histogram.alg histogram.sched:plain'; do
  # shellcheck disable=SC2086 # two words
  (cd apps && "$halyard" show $pair --stage query) >"$work/query.smt2" || exit 1
  asked=$(grep -c '^(check-sat)' "$work/query.smt2")
  for solver in 'z3' 'cvc5 --incremental'; do
    command -v "${solver%% *}" >/dev/null || continue
    # shellcheck disable=SC2086
    timeout 300 $solver "$work/query.smt2" >"$work/answers" 2>&1
    said=$(grep -cx 'unsat' "$work/answers")
    other=$(grep -vcx 'unsat' "$work/answers")
    [ "$asked" -gt 0 ] && [ "$said" = "$asked" ] && [ "$other" = 0 ] && continue
    echo "$pair: $solver says unsat to $said of $asked questions, and: $(grep -vx unsat "$work/answers" | head -n 2)"
    failed=1
  done
done
exit $failed
