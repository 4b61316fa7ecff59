#!/usr/bin/env bash
# run_build.sh HALYARD: a C program written for pipelines of Halide's, linked with what 'halyard build' makes: with the archive, with the
# shared object, from C++, for every level of x86-64 that this machine has, and for 64-bit ARM under qemu-user where Debian's cross
# tools are installed (gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user). It compares with a plain C twin, pixel by pixel.
# Prints "N passed, N failed, N skipped".
set -u
halyard=$(realpath "${1:?usage: run_build.sh HALYARD}") || exit 2
root=$(realpath "$(dirname "$0")/..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
passed=0 failed=0 skipped=0
try() { # try WHAT COMMAND...
  local what=$1
  shift
  if "$@" >said 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED $what" && head -n 6 said | sed 's/^/    /'; fi
}
skip() { skipped=$((skipped + 1)) && echo "skipped: $1"; }

blur=("$root/apps/box_blur.alg" "$root/apps/box_blur.sched:tiled")
host=$root/proofs_tests/support/host/blur_host.c
flags=(-std=c17 -Wall -Werror -I "$root/include" -I .)
build_blur() { timeout 120 "$halyard" build "${blur[@]}" --name blur "$@"; }
twice() { # the same bytes each time
  build_blur -o again --emit o,a,so && cmp blur.o again.o && cmp blur.a again.a && cmp blur.so again.so
}

try 'building' build_blur -o blur --emit o,a,so,h
try 'two builds are equal' twice
try 'linking the archive' cc "${flags[@]}" "$host" blur.a -o with_archive -pthread -lm
try 'a C host, the archive' ./with_archive
try 'linking the shared object' cc "${flags[@]}" "$host" -o with_shared ./blur.so
try 'a C host, the shared object' ./with_shared
unload() { cc -D_GNU_SOURCE "${flags[@]}" "$root/proofs_tests/support/host/unload_host.c" -o unload -pthread -ldl && ./unload; }
try 'a thread that ends after the shared object was unloaded' unload
try 'no solver and no compiler at run time' bash -c 'ldd with_shared >libraries && grep -q libc libraries && ! grep -iE "llvm|z3" libraries'
if command -v c++ >/dev/null; then try 'a C++ host' bash -c "c++ -x c++ -I '$root/include' -I . -c '$host' -o cpp.o && c++ cpp.o blur.a -o cpp -pthread -lm && ./cpp"
else skip 'a C++ host: no c++ here'; fi
cat >words.alg <<'TEXT'
pipeline words(Bool: u8[1], Complex: i32, int_: f32, B0: i8, NULL: u16) { fun fputs(x) = f32(Bool(x)) * int_ + f32(Complex) + f32(B0) + f32(NULL); }
TEXT
printf '#include "Words.h"\n#include "words.h"\nint main(void) { return words(0, 1, 2, 3, 4, 0) == Words(0, 1, 2, 3, 4, 0) ? 0 : 1; }\n' >words.c
names() { # arguments called like words of C behind a "_"; headers of pipelines whose names differ in case alone
  "$halyard" build words.alg -o words && "$halyard" build words.alg -o Words && cc "${flags[@]}" words.c words.a Words.a -o words.run -pthread -lm && ./words.run
}
try 'names of arguments and headers' names
printf 'pipeline ranged(in: u8[1], w: int in 0..8) { fun f(x) = in(x + w); }\n' >ranged.alg
ranges() { # of parameters: asked in queries as in runs
  "$halyard" build ranged.alg -o ranged && cc "${flags[@]}" "$root/proofs_tests/support/host/range_host.c" ranged.a -o ranged.run -pthread -lm && ./ranged.run
}
try 'ranges of parameters' ranges
cat >demand.alg <<'TEXT'
pipeline demand(in: u8[3]) { fun out(x, y, c) = in(x, y, c) / 2 + 1; }
TEXT
loops='out.bound(c, 0, 3).reorder(c, x, y).unroll(c).vectorize(x, 8);'
printf 'schedule wish for demand { in.set_stride(0, 3).set_stride(2, 1); out.set_stride(x, 3).set_stride(c, 1); %s }\n' "$loops" >demand.sched
printf 'schedule demand for demand { in.require_stride(0, 3).require_stride(2, 1).set_host_alignment(32); out.require_stride(x, 3).require_stride(c, 1).set_host_alignment(16); %s }\n' "$loops" >>demand.sched
demands() { # what does not lie as is demanded is refused
  "$halyard" build demand.alg demand.sched:demand -o demand --emit a,h,o && cc "${flags[@]}" "$root/proofs_tests/support/host/demand_host.c" demand.a -o demand.run -pthread -lm && ./demand.run
}
one_version() { # and no code is made for it
  "$halyard" build demand.alg demand.sched:wish -o wish --emit o && [ $((10 * $(stat -c %s demand.o))) -lt $((9 * $(stat -c %s wish.o))) ]
}
try 'demands' demands
try 'no code for other buffers' one_version
if [ -f "${HALIDE_ROOT:-}/include/HalideBuffer.h" ]; then
  try "a C++ host with Halide's buffers" bash -c "c++ -std=c++17 -I '$HALIDE_ROOT/include' -I . '$root/proofs_tests/support/host/halide_host.cpp' blur.a -o halide -pthread -lm && ./halide"
else skip "a C++ host with Halide's buffers: HALIDE_ROOT does not name an installation"; fi
for level in 2 3 4; do
  case $level in 2) needs=sse4_2 ;; 3) needs=avx2 ;; 4) needs=avx512bw ;; esac
  if [ "$(uname -m)" != x86_64 ] || ! grep -qw "$needs" /proc/cpuinfo; then skip "x86-64-v$level: not this machine"; continue; fi
  try "x86-64-v$level" bash -c "'$halyard' build '${blur[0]}' '${blur[1]}' --name blur -o v$level --emit a --target x86-64-v$level &&
    cc ${flags[*]} '$host' v$level.a -o v$level.run -pthread -lm && ./v$level.run"
done

cross() { # cross TARGET TRIPLE QEMU: an object and the run-time library, compiled for another machine, run by an emulator
  local cc=$2-gcc
  if ! command -v "$cc" >/dev/null || ! command -v "$3" >/dev/null; then skip "$1: $cc or $3 is missing"; return; fi
  try "$1: building" build_blur -o "$1" --emit o --target "$1"
  try "$1: linking" "$cc" -D_GNU_SOURCE "${flags[@]}" -I "$root" "$host" "$1.o" "$root"/codegen/runtime/*.c -o "$1.run" -static -pthread -lm
  try "$1: a C host, emulated" "$3" "./$1.run"
}
cross aarch64-linux aarch64-linux-gnu qemu-aarch64
cross arm-32-linux arm-linux-gnueabihf qemu-arm

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
