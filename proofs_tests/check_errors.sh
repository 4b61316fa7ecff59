#!/usr/bin/env bash
# docs/errors.md explains every code of semantics/errors.def under a heading "## HY0101 title", in order, and no other;
# and every code is reported by some code. Prints what is missing and "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 2
passed=0 failed=0
verdict() {
  if [ "$1" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$2"; fi
}

[ -f docs/errors.md ] || { echo "docs/errors.md is missing"; echo "0 passed, 1 failed"; exit 1; }
rows=$(sed -nE 's/^HY_ERROR\(([0-9]+), *([A-Z0-9_]+), *"(.*)"\).*/\1 \2 \3/p' semantics/errors.def | sort -n)
while read -r number name title; do
  code=$(printf 'HY%04d' "$number")
  grep -qxF "## $code $title" docs/errors.md; verdict $? "docs/errors.md has no heading \"## $code $title\""
  grep -rqwE --include='*.c' --include='*.h' "HY_E_$name" semantics sched plugin lower bounds oracle engines halyard gate export cli alg_interp tgt_interp
  verdict $? "$code ($name): nothing reports it"
done <<<"$rows"
for code in $(sed -nE 's/^## (HY[0-9]{4}) .*/\1/p' docs/errors.md); do
  grep -qE "^HY_ERROR\($((10#${code#HY}))," semantics/errors.def; verdict $? "docs/errors.md explains $code, which is not in errors.def"
done
diff <(grep -oE '^## HY[0-9]{4}' docs/errors.md) <(grep -oE '^## HY[0-9]{4}' docs/errors.md | sort -u) >/dev/null
verdict $? "docs/errors.md: the codes are out of order or stand twice"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
