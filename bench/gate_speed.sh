#!/usr/bin/env bash
# Level 4 of the gate, judged: bench/gate_speed.sh HALYARD [GATES] [SLOWDOWN]. So many gates (200) of the box blur against the same object
# shipped under another name, and a quarter as many against an object that calls it and then waits for SLOWDOWN (0.05) of the time that it
# took. Prints what they said: no equal object may be called slower, and a slower one must not pass.
set -eu
halyard=$(realpath "${1:?usage: gate_speed.sh HALYARD [GATES] [SLOWDOWN]}")
gates=${2:-200} slowdown=${3:-0.05}
cd "$(dirname "$0")/.."
root=$PWD work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$halyard" ship apps/box_blur.alg apps/box_blur.sched:tiled -o "$work/blur" --name blur >/dev/null
"$halyard" ship apps/box_blur.alg apps/box_blur.sched:tiled -o "$work/before" --name earlier >/dev/null
cd "$work"
cat >slower.c <<'TEXT'
#include <time.h>
int real_argv(void **args);
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int blur_argv(void **args) {
  double begin = now();
  int status = real_argv(args);
  double took = now() - begin, end = begin + took * (1 + SLOWDOWN);
  while (now() < end) {
  }
  return status;
}
TEXT
objcopy --redefine-sym blur_argv=real_argv blur/blur.o real.o
cp -r blur slower
cc -shared -fPIC -O2 -DSLOWDOWN="$slowdown" slower.c real.o "$(dirname "$halyard")/halyard_runtime.o" -o slower/blur.so -pthread -lm
python3 "$root/proofs_tests/support/forge_shipment.py" slower

count() { # count DIR TIMES: how often each answer was given
  for _ in $(seq "$2"); do
    "$halyard" gate "$1" --level 0 --baseline before --window x=0:1024,y=0:1024 2>/dev/null | sed -nE 's/^level 4, speed: ([a-z]+) .*/\1/p'
  done | sort | uniq -c | tr '\n' ' '
}
echo "the same object, $gates times: $(count blur "$gates")"
echo "slower by $slowdown, $((gates / 4)) times: $(count slower $((gates / 4)))"
