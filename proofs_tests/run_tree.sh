#!/usr/bin/env bash
# run_tree.sh [HALYARD]: what docs/directives.md and docs/operators.md say of additions to the tree, done, in one scratch copy: a
# directive (one file and one row) and two operators (the blocks of the page). The compiler names every place that the page
# names; then all three are listed, read, typed, printed, proved, run by every engine, and drawn by the fuzzer. Builds halyard
# once, in a minute or two (with ccache less); HALYARD is a program that was built so already.
set -eu
root=$(realpath "$(dirname "$0")/..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
halyard=${1:+$(realpath "$1")}
passed=0
fail() { echo "FAILED: $1"; shift; [ $# = 0 ] || cat "$@"; exit 1; }
has() { # has TEXT FILE
  grep -qF -- "$1" "$2" || fail "no \"$1\" in $2" "$2"
  passed=$((passed + 1))
}
says() { # says STATUS FILE COMMAND...: it ends so, and what it says is in FILE
  local status=$1 file=$2 was=0
  shift 2
  "$@" >"$file" 2>&1 || was=$?
  [ "$was" = "$status" ] || fail "status $was, not $status: $*" "$file"
  passed=$((passed + 1))
}

# -- the additions --

git -C "$root" archive HEAD | tar -x -C "$scratch"
cd "$scratch"
cp docs/examples/tree/interchange.c sched/
sed -i 's/^HY_DIRECTIVE(traverse)$/&\nHY_DIRECTIVE(interchange)/' sched/directives.def
says 0 "$scratch/includes" proofs_tests/check_includes.sh

# put_blocks ROWS: the page's blocks, those of ops.def (yes) or the others (no), each where its comment says. Prints the files.
put_blocks() {
  python3 - "$1" <<'END'
import re, sys
page = open('docs/operators.md').read()
for path, where, at, text in re.findall(r'^<!-- (\S+), (at the end|before|after)(?:: ([^\n]*))? -->\n```\w*\n(.*?)^```$', page, re.M | re.S):
    if (path == 'semantics/ops.def') != (sys.argv[1] == 'yes'): continue
    old = open(path).read()
    if where == 'at the end':
        new = old + text
    else:
        begin = re.search('^' + re.escape(at), old, re.M) if old.count('\n' + at) == 1 else sys.exit('%s: "%s" does not stand there once' % (path, at))
        place = begin.start() if where == 'before' else old.index('\n', begin.start()) + 1
        new = old[:place] + text + old[place:]
    open(path, 'w').write(new)
    print(path)
END
}
put_blocks yes >rows.txt
[ "$(wc -l <rows.txt)" = 2 ] || fail 'docs/operators.md adds two rows' rows.txt
if [ -z "$halyard" ]; then
  export CCACHE_BASEDIR=${CCACHE_BASEDIR-$scratch} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1}
  if command -v ccache >/dev/null; then export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-ccache}; fi
  cmake --preset release >/dev/null
  # Without its cases each of the page's files is refused: the compiler misses them.
  files=$(sed -nE 's/^<!-- (\S+\.c), .*/\1/p' docs/operators.md | sort -u)
  for file in $files; do
    command=$(python3 -c 'import json, sys
print(next(c["command"] for c in json.load(open("build/release/compile_commands.json")) if c["file"].endswith("/" + sys.argv[1])))' "$file")
    if (cd build/release && eval "${command#ccache } -fsyntax-only") >said.txt 2>&1; then fail "the compiler does not miss a case in $file"; fi
    grep -qE 'BIT_LENGTH|HALVING_ADD' said.txt || fail "the compiler says something else of $file" said.txt
    passed=$((passed + 1))
  done
  put_blocks no >/dev/null
  cmake --build build/release --target halyard halyard-certcheck -j "$(nproc)" >said.txt || fail 'it does not build' said.txt
  halyard=$scratch/build/release/halyard
else
  put_blocks no >/dev/null
fi

# -- the directive --

cat >t.alg <<'END'
pipeline t(n: int) { fun f(x, y, c) = x + n * y + c; fun g(x, y, c) = f(x, y, c) + f(x + 1, y, c); }
END
cat >t.sched <<'END'
schedule s for t { interchange(g.c, y, x); f.compute_at(g, y).interchange(c, y, x); }
END
"$halyard" directives >list.txt
has 'interchange(f.x, y, z)' list.txt
"$halyard" check t.alg t.sched --directives >check.txt
has 'interchange(g.s0.c, y, x): PERM-KEEPING-ORDER-WITHIN-PURE-KEY; structure ok' check.txt
has 'interchange(f.s0.c, y, x): PERM-KEEPING-ORDER-WITHIN-PURE-KEY; structure ok' check.txt
"$halyard" fuzz --pairs 60 --seed 3 --lanes 1 --directive interchange --shrink 0 >fuzz.txt
has '0 different failures' fuzz.txt
applied=$(sed -nE 's/^directives: .*interchange ([0-9]+).*/\1/p' fuzz.txt)
[ "${applied:-0}" -ge 10 ] || fail "applied ${applied:-0} times in 60 pairs"
echo "interchange was applied $applied times in 60 pairs"

# -- the operators: an index that their ranges bound, and one that is one further --

cat >o.alg <<'END'
pipeline o(a: u8[1], b: u8[1], w: int) {
  fun bits(i) = i * i;
  fun half(i) = i + 3;
  fun p(x) = bits(int(bit_length(a(x)))) + half(halving_add(int(a(x)), int(b(x)))) + int(halving_add(i8(a(x)), i8(b(x))));
  fun q(x) = p(x) + bit_length(w) + halving_add(w, x);
}
END
cat >o.sched <<'END'
schedule s for o { bound(bits, i, 0, 9); bound(half, i, 0, 256); q.vectorize(x, 8, guard); p.compute_at(q, x).vectorize(x, 4, guard); }
END
says 0 check.txt "$halyard" check o.alg o.sched --recheck
has 'by Z3 alone 0, refuted 0, unknown 0' check.txt
says 0 verify.txt "$halyard" verify o.alg o.sched
! grep -q 'never reached' check.txt || fail 'less memory than the bounds give is asked for' check.txt
for less in 's/bits, i, 0, 9/bits, i, 0, 8/' 's/half, i, 0, 256/half, i, 0, 255/'; do # then nothing may be computed
  sed "$less" o.sched >less.sched
  says 0 less.txt "$halyard" check o.alg less.sched
  has "'q', stage 0, is never reached" less.txt
done
says 0 program.tgt "$halyard" show o.alg o.sched --stage filled
has 'int(bit_length(a(' program.tgt
has 'halving_add(' program.tgt
says 0 again.txt "$halyard" check program.tgt
sed 's/bit_length(w)/bit_length(f32(w))/' o.alg >wrong.alg
says 1 wrong.txt "$halyard" check wrong.alg
has "'bit_length' takes integers" wrong.txt
sed 's/bit_length(w)/bit_lenght(w)/' o.alg >wrong.alg
says 1 wrong.txt "$halyard" check wrong.alg
has 'bit_length' wrong.txt
"$halyard" fuzz --pairs 200 --seed 3 --lanes 1,2,4 --shrink 0 >fuzz.txt || fail 'a campaign found something' fuzz.txt
has '0 different failures' fuzz.txt
python3 -c 'import random, sys
for i in range(240): open("choices.%d" % i, "wb").write(random.Random(i).randbytes(600))'
for i in $(seq 0 239); do "$halyard" fuzz --choices choices.$i --lanes 1; done >pairs.txt 2>&1 || true
for name in bit_length halving_add; do
  drawn=$(grep -o "$name(" pairs.txt | wc -l)
  [ "$drawn" -ge 2 ] || fail "$name was drawn $drawn times in 240 pairs"
  echo "$name was drawn $drawn times in 240 pairs"
  passed=$((passed + 1))
done
python3 proofs_tests/specification/specification.py check >specification.txt || fail 'the specification' specification.txt
has ', 0 failed' specification.txt
echo "$((passed + 1)) passed, 0 failed"
