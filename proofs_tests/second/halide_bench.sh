#!/usr/bin/env bash
# halide_bench.sh HALYARD: the benchmark against Halide (bench/halide) on a tiny picture. It prints ratios of what is equal, notices what is not, and tells
# what cannot be compared. Prints "N passed, N failed". Status 77: no Halide, no g++, or a build that others cannot link.
set -u
halyard=$(realpath "${1:?usage: halide_bench.sh HALYARD}") || exit 2
build=$(dirname "$halyard")
cd "$(dirname "$0")/../.." || exit 2
unset HALIDE_ROOT
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

contest() { # contest BUILD [OPTION...]
  bench/halide/contest.py "$1" --size 96x40 --rounds 1 --apps "$scratch/apps" --out "$scratch/out" "${@:2}" >"$scratch/said" 2>&1
  was=$?
}
row() { # row STATUS PATTERN: how the last contest ended, and a line that it printed
  if [ "$was" = "$1" ] && grep -qE -- "$2" "$scratch/said"; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1))
  echo "FAILED status $was, not $1, or no line like '$2'" && sed 's/^/    /' "$scratch/said" | head -n 12
}

mkdir "$scratch/apps"
HALIDE_ROOT=$scratch contest "$build"
row 2 "HALIDE_ROOT is $scratch, where there is no include/Halide.h: name the folder of an installation"
contest "$build" box_bluh
row 2 "there is no pipeline 'box_bluh'"
ls /usr/include/halide*/Halide.h >/dev/null 2>&1 && command -v g++ >/dev/null && [ -x "$build/halide_race" ] || exit 77
! nm "$build/halyard_runtime.o" | grep -qE '__(a|t|ub)san|__gcov' || exit 77 # it needs what only the build itself is linked with

cat >"$scratch/apps/box_blur.alg" <<'ALG'
pipeline box_blur(in: u16[2]) {
  fun out(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;
}
ALG
cat >"$scratch/apps/box_blur.sched" <<'SCHED'
schedule plain for box_blur {
}
schedule vectors for box_blur {
  out.vectorize(x, 16);
}
schedule long for box_blur {
  out.vectorize(x, 128, round);
}
SCHED
# In both forms the shift may be by the type's width, which Halide leaves undefined.
printf 'pipeline shifted(in: u16[1], k: u16) {\n  fun out(x) = in(x) << k;\n}\n' >"$scratch/apps/shifted.alg"
printf 'schedule plain for shifted {\n}\n' >"$scratch/apps/shifted.sched"

contest "$build"
row 0 '^box_blur +plain( +[0-9.]+){10} +same bits$'
row 0 '^box_blur +vectors( +[0-9.]+){10} +same bits$'
row 0 '^box_blur +long( +-){10} +[a-z]+: .*(multiple|accessed|extent)' # 96 columns are no multiple
row 0 '^shifted +plain( +-){10} +not exported: .*a shift'
row 0 '^2 schedules of 1 pipelines compared, 2 not; 0 with outputs that differ'
row 0 'one thread: the same schedules [0-9.]+, the best of each [0-9.]+'
grep -q '^| box_blur | vectors |' "$scratch/out/halide.md" && grep -q '"differ": 0' "$scratch/out/halide.json"
was=$? row 0 .

# Schedules found automatically. Debian's Halide cannot be asked for its own, which is told. It may not even make code that runs here (docs/halide.md): then
# there is no expert, nothing to compare with, and status 1.
schedulers() { # schedulers BUILD [OPTION...]
  bench/halide/schedulers.py "$1" --budget 0 --rounds 1 --apps "$scratch/few" --out "$scratch/found" "${@:2}" >"$scratch/said" 2>&1
  was=$?
}
mkdir "$scratch/few" "$scratch/wrong"
cp apps/harris.alg "$scratch/few" && printf 'schedule lines for harris {\n  response.vectorize(x, 8);\n}\n' >"$scratch/few/harris.sched"
schedulers "$build" harrys
row 2 "there is no pipeline 'harrys'"
schedulers "$build" harris
[ "$was" = 1 ] && grep -q '^harris, expert_lines: the race ended with status -4' "$scratch/said" && was=0
row 0 '^harris +(none|lines) '
row 0 '^harris, Adams2019: .*Halide 15 and later'
grep -q '^| harris ' "$scratch/found/schedulers.md" && grep -q '<svg' "$scratch/found/schedulers.svg" && grep -q '"level1":' "$scratch/found/schedulers.json"
was=$? row 0 .
# Halyard's outputs have to be the same bits, whoever scheduled them: here level 1's are of another algorithm.
sed 's/const K = 0.04/const K = 0.05/' apps/harris.alg >"$scratch/other.alg"
ln -s "$build/halide_race" "$build/app_estimates" "$build/halyard_runtime.o" "$build/halyard-certcheck" "$scratch/wrong"
cat >"$scratch/wrong/halyard" <<SHELL
#!/bin/sh
[ "\$1 \$3" != 'build level1.sched' ] || exec "$halyard" build "$scratch/other.alg" "\$3" "\$4" "\$5" "\$6" "\$7" "\$8" "\$9"
exec "$halyard" "\$@"
SHELL
chmod +x "$scratch/wrong/halyard"
schedulers "$scratch/wrong" harris
grep -q '^harris: level1 differs at' "$scratch/said" || grep -q '^harris +none ' "$scratch/said"
was=$? row 0 .

# With --fma Halyard compiles the algorithm under that contract, and the row has no strict ratio; without it neither is so.
printf 'pipeline matmul(a: f32[2], b: f32[2]) {\n  fun out(x, y) = a(x, 0) * b(0, y) + a(x, 1) * b(1, y);\n}\n' >"$scratch/apps/matmul.alg"
printf 'schedule vectors for matmul {\n  out.vectorize(x, 8);\n}\n' >"$scratch/apps/matmul.sched"
cat >"$scratch/seen" <<SHELL
#!/bin/sh
[ "\$1" != build ] || grep -c 'b: f32\[2\]) contract fma {' "\$2" >>"$scratch/contracts"
exec "$halyard" "\$@"
SHELL
mkdir "$scratch/watched"
ln -s "$build/halide_race" "$build/halyard_runtime.o" "$scratch/watched"
chmod +x "$scratch/seen" && mv "$scratch/seen" "$scratch/watched/halyard"
contest "$scratch/watched" matmul
row 0 '^matmul +vectors( +[0-9.]+){10} '
contest "$scratch/watched" --fma matmul
row 0 '^matmul +vectors( +[0-9.]+){3} +- '
row 0 'target host, contract fma'
[ "$(tr '\n' ' ' <"$scratch/contracts")" = '0 1 ' ]
was=$? row 0 .

# Halyard compiles another algorithm than Halide does: one whose last column is wrong.
mkdir "$scratch/build"
ln -s "$build/halide_race" "$build/halyard_runtime.o" "$scratch/build"
cat >"$scratch/build/halyard" <<SHELL
#!/bin/sh
[ "\$1" != build ] || sed -i 's/= (in(x - 1, y)/= u16(x == 95) + (in(x - 1, y)/' "\$2"
exec "$halyard" "\$@"
SHELL
chmod +x "$scratch/build/halyard"
contest "$scratch/build" box_blur
row 1 '^box_blur +plain .* DIFFER: 40 of 3840 points have other bits, with strict_float$'
row 1 '2 with outputs that differ'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
