#!/usr/bin/env bash
# run_tree_directive.sh [HALYARD]: what docs/directives.md says of a directive in the tree, done: one file and one row in a scratch
# copy, then it is listed, read alone and in a chain, printed, held to its promise, and drawn by the fuzzer. Builds halyard once,
# in a minute or two; HALYARD is a program that was built so already.
set -eu
root=$(realpath "$(dirname "$0")/..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
halyard=${1:+$(realpath "$1")}
if [ -z "$halyard" ]; then
  git -C "$root" archive HEAD | tar -x -C "$scratch"
  cd "$scratch"
  cp docs/examples/tree/interchange.c sched/
  sed -i 's/^HY_DIRECTIVE(traverse)$/&\nHY_DIRECTIVE(interchange)/' sched/directives.def
  cmake --preset release >/dev/null
  cmake --build build/release --target halyard -j "$(nproc)" >/dev/null
  halyard=$scratch/build/release/halyard
fi
cd "$scratch"
cat >t.alg <<'END'
pipeline t(n: int) { fun f(x, y, c) = x + n * y + c; fun g(x, y, c) = f(x, y, c) + f(x + 1, y, c); }
END
cat >t.sched <<'END'
schedule s for t { interchange(g.c, y, x); f.compute_at(g, y).interchange(c, y, x); }
END
passed=0
has() { # has TEXT FILE
  grep -qF -- "$1" "$2" || { echo "FAILED: no \"$1\" in $2"; cat "$2"; exit 1; }
  passed=$((passed + 1))
}
"$halyard" directives >list.txt
has 'interchange(f.x, y, z)' list.txt
"$halyard" check t.alg t.sched --directives >check.txt
has 'interchange(g.s0.c, y, x): PERM-KEEPING-ORDER-WITHIN-PURE-KEY; structure ok' check.txt
has 'interchange(f.s0.c, y, x): PERM-KEEPING-ORDER-WITHIN-PURE-KEY; structure ok' check.txt
"$halyard" fuzz --pairs 60 --seed 3 --lanes 1 --directive interchange --shrink 0 >fuzz.txt
has '0 different failures' fuzz.txt
applied=$(sed -nE 's/^directives: .*interchange ([0-9]+).*/\1/p' fuzz.txt)
[ "${applied:-0}" -ge 10 ] || { echo "FAILED: applied ${applied:-0} times in 60 pairs"; exit 1; }
echo "interchange was applied $applied times in 60 pairs"
echo "$((passed + 1)) passed, 0 failed"
