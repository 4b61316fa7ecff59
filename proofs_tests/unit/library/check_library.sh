#!/usr/bin/env bash
# check_library.sh HALYARD: the library of include/halyard.h as others get it, installed from the build that HALYARD lies in. What
# its files export and need; the examples of docs/, as C11 and under the strictest warnings, found by pkg-config and by CMake, with
# the shared object and with the archive; a small session with each request for memory refused in turn.
set -u
build=$(dirname "$(realpath "${1:?usage: check_library.sh HALYARD}")") || exit 2
cd "$(dirname "$0")/../../.." || exit 2
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if nm "$1" 2>/dev/null | grep -qE ' __(asan|tsan|ubsan)_'; then echo 'left out: a sanitizer is built in'; echo '0 passed, 0 failed, 1 skipped'; exit 0; fi
cc=$(command -v gcc-12 || command -v cc)

good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)) && echo "FAILED $1" && sed 's/^/    /' "$work/said" 2>/dev/null | head -n 20; }
try() { # try WHAT COMMAND...: it ends with status 0
  local what=$1
  shift
  if "$@" >"$work/said" 2>&1; then good; else bad "$what"; fi
}
says() { # says TEXT COMMAND...: it ends with status 0 and prints TEXT
  local text=$1
  shift
  if "$@" >"$work/said" 2>&1 && grep -qF -- "$text" "$work/said"; then good; else bad "$*: does not say '$text'"; fi
}

holds() { # holds WHAT COMMAND...: the same of a test, which prints nothing that is worth showing
  local what=$1
  shift
  if "$@"; then good; else bad "$what"; fi
}
quiet() { # quiet WHAT COMMAND...: it prints nothing
  local what=$1
  shift
  "$@" >"$work/said" 2>/dev/null
  if [ -s "$work/said" ]; then bad "$what"; else good; fi
}

try 'cmake --install' cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/tree" # what is installed can be moved
library=$work/tree/lib/libhalyard.so
export PKG_CONFIG_PATH=$work/tree/lib/pkgconfig LD_LIBRARY_PATH=$work/tree/lib

# What is exported is what the header declares, each with a version.
exports() { nm -D --defined-only "$library" | sed -nE 's/^[0-9a-f]+ [A-Z] (.*)/\1/p' | sort -u; }
sed -nE 's/^HALYARD_API .*[ *](halyard_[a-z_0-9]+)\(.*/\1/p' include/halyard.h | sed 's/$/@@HALYARD_0.1/' | sort -u >"$work/declared"
exports | grep -v '^HALYARD_0.1' >"$work/exported"
holds 'too few functions are declared' [ "$(wc -l <"$work/declared")" -gt 40 ]
try 'declared (<) and exported (>) differ' diff "$work/declared" "$work/exported"
nm --defined-only --extern-only "$work/tree/lib/libhalyard.a" 2>/dev/null | sed -nE 's/^[0-9a-f]+ [A-Z] (.*)/\1/p' >"$work/defined"
quiet 'the archive defines other names' grep -vE '^halyard_' "$work/defined"
holds 'the archive defines nothing' [ "$(wc -l <"$work/defined")" -gt 40 ]

# What would end, print, fork or look around is not called but for these reasons.
#   fork _exit kill waitpid prctl       oracle/z3/z3_check.c, HALYARD_Z3_HELPER alone
#   sigaction                           codegen/guard/guard.c, runs under guard: the command line's
#   raise setitimer setrlimit signal    plugin/limits.c, directives from outside the tree: the command line's
#   getenv                              codegen/runtime/thread_pool.c: not where it was told how many threads, as library/context.c does
reasons='_exit|fork|getenv|kill|prctl|raise|setitimer|setrlimit|sigaction|signal|waitpid'
watched='exit|abort|quick_exit|vfork|system|popen|exec[a-z]*|posix_spawnp?|setenv|putenv|unsetenv|secure_getenv|[a-z]*printf_chk|v?f?printf|f?puts|putchar|perror|stdout|stderr|stdin|setlocale|chdir|alarm|__assert_fail'
nm -D --undefined-only "$library" | sed -nE 's/^ +[Uw] ([^@]*).*/\1/p' | sort -u >"$work/needs"
quiet 'the library calls what it must not' grep -xE "$watched" "$work/needs"
holds 'a reason of check_library.sh is no longer needed' [ "$(grep -cxE "$reasons" "$work/needs")" = 11 ]
# The watch sees something: the program has what the library must not.
nm -D --undefined-only "$build/halyard" | sed -nE 's/^ +[Uw] ([^@]*).*/\1/p' >"$work/program_needs"
holds 'the watch is blind' grep -qxE "$watched" "$work/program_needs"

# A block that a call has allocated is freed by hy_free: the call's lifetime would free it again (semantics/base/failure.h).
list_frees() {
  grep -nE '(^|[^_a-zA-Z.>])(free|malloc|calloc|realloc|strdup|aligned_alloc|posix_memalign)\(' -- "$@" |
    grep -vE '^(codegen/(runtime/|guard/guard_memory\.c)|semantics/base/failure\.c|library/(context|code)\.c)|^[^:]*:[0-9]+: *(//|\*)'
}
rooms='semantics tape alg_interp tgt_interp lower sched plugin bounds oracle passes codegen engines validate halyard export library'
# shellcheck disable=SC2046,SC2086 # names without blanks
quiet 'write hy_free, hy_allocate, .. of semantics/base/base.h' list_frees $(find $rooms -name '*.[ch]')
try 'the search for free() is blind' list_frees cli/session/load.c

# The examples, and what docs/library.md shows.
strict='-std=c11 -Wall -Wextra -pedantic -Werror'
awk '/^```c$/ { inside = 1; n++; next } /^```$/ { inside = 0 } inside { print > "'"$work"'/page" n ".c" }' docs/library.md
for source in docs/examples/library/*.c "$work"/page*.c; do
  # shellcheck disable=SC2046,SC2086 # words
  try "$source" "$cc" $strict "$source" $(pkg-config --cflags --libs halyard) -o "$work/program"
  case $source in
  */blur.c) says 'blurred[100][200] is 20301' "$work/program" ;;
  */chain.c) says '6 of 6 schedules are proved' "$work/program" && says 'out[0] is 4.3125' "$work/program" ;;
  */page1.c) says '9 9 9' "$work/program" ;;
  *) try "$source runs" "$work/program" ;;
  esac
done
holds 'docs/library.md has no program' [ -e "$work/page1.c" ]

# What iterates a pipeline: apps/level_set/eikonal.c, against plain C that takes the same steps on the same rooms.
cat >"$work/plain.c" <<'END'
#include <math.h>
#include <stdio.h>
#include <string.h>
enum { W = 100, H = 75, STEPS = 4 };
static float slow[H][W], t[H + 2][W + 2], u[H + 2][W + 2], before[H + 2][W + 2];
static float least(float a, float b) { return a < b ? a : b; }
static void step(void) {
  for (int y = 1; y <= H; y++)
    for (int x = 1; x <= W; x++) {
      float a = least(t[y][x - 1], t[y][x + 1]), b = least(t[y - 1][x], t[y + 1][x]), s = slow[y - 1][x - 1], d = a - b;
      float new = fabsf(d) < s ? (a + b + sqrtf(2.0f * s * s - d * d)) / 2.0f : least(a, b) + s;
      u[y][x] = least(t[y][x], new);
    }
  memcpy(t, u, sizeof t);
}
int main(void) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      int wall = (x % 32 == 31 && (y % 24 + x) % 24 > 3) || (y % 24 == 23 && (x % 32 + y) % 32 > 3);
      slow[y][x] = wall ? 40.0f : 1.0f + 0.25f * (float)((x / 32 + y / 24) % 3);
    }
  for (int y = 0; y < H + 2; y++)
    for (int x = 0; x < W + 2; x++) t[y][x] = u[y][x] = 1e9f;
  t[1][1] = 0;
  int runs = 0;
  do {
    memcpy(before, t, sizeof t);
    for (int i = 0; i < STEPS; i++) step();
    runs++;
  } while (memcmp(before, t, sizeof t) != 0);
  fprintf(stderr, "after %d runs nothing changes any more", runs);
  printf("Pf\n%d %d\n-1.0\n", W, H);
  for (int y = H; y >= 1; y--) fwrite(&t[y][1], sizeof(float), W, stdout);
  return 0;
}
END
plain() { "$cc" -std=c11 -O1 -ffp-contract=off "$work/plain.c" -lm -o "$work/plain" && "$work/plain" >"$work/plain.pfm" 2>"$work/plain.runs"; }
front() { "$work/front" apps/level_set 100 75 "$work/front.pfm"; }
try 'plain steps' plain
# shellcheck disable=SC2046 # words
try 'eikonal.c' "$cc" $strict apps/level_set/eikonal.c $(pkg-config --cflags --libs halyard) -o "$work/front"
says "proved; $(cat "$work/plain.runs")" front
try 'the times of eikonal.c are those of plain C' cmp "$work/front.pfm" "$work/plain.pfm"
try 'a front of one pixel' "$work/front" apps/level_set 1 1 "$work/dot.pfm"
cp -r apps/level_set "$work/wrong" && sed -i 's/min(a, b) + s)/min(a, b) + 1.5 * s)/' "$work/wrong/eikonal.alg"
holds 'other steps, the same times' bash -c '"$1/front" "$1/wrong" 100 75 "$1/other.pfm" >/dev/null && ! cmp -s "$1/other.pfm" "$1/plain.pfm"' - "$work"
sed -i 's/compute_at(t\[4\], y)/compute_at(t[4], none)/' "$work/wrong/eikonal.sched"
holds 'code of what is not proved' bash -c '! "$1/front" "$1/wrong" 100 75 >/dev/null 2>&1' - "$work"
holds 'no folder of a pipeline' bash -c '! "$1/front" "$1" 100 75 >/dev/null 2>&1' - "$work"
holds 'no size' bash -c '! "$1/front" apps/level_set 100 >/dev/null 2>&1' - "$work"
if command -v clang-19 >/dev/null; then
  # shellcheck disable=SC2046,SC2086 # words
  try 'with clang' clang-19 $strict docs/examples/library/blur.c $(pkg-config --cflags --libs halyard) -o "$work/program"
fi
if command -v g++-12 >/dev/null; then
  echo '#include <halyard.h>' >"$work/header.cpp"
  try 'the header in C++' g++-12 -std=c++17 -Wall -Wextra -pedantic -Werror -I"$work/tree/include" -fsyntax-only "$work/header.cpp"
fi

# In a process with a decimal comma, and with letters beyond ASCII.
cat >"$work/comma.c" <<'END'
#include <halyard.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
int main(int count, char **words) {
  char number[20];
  if (count < 2 || !setlocale(LC_ALL, words[1])) return 2;
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_parse(c, "pipeline p(k: f32) { fun f(x) = f32(x) * 0.5 + k; }");
  halyard_code *code = halyard_compile(halyard_check(p));
  float out[4];
  halyard_buffer b = halyard_dense(out, HALYARD_F32, 4, 0, 0);
  halyard_argument k = HALYARD_ARGUMENT("k", 0.25);
  halyard_pipeline *q = halyard_pipeline_new(c, "q");
  halyard_expr *x = halyard_var(q, "x");
  halyard_define(q, "f", HALYARD_LIST(x), halyard_mul(halyard_cast(HALYARD_F32, x), 0.5));
  if (!halyard_realize(code, &k, 1, &b) || out[3] != 1.75f) return 3;
  if (!strstr(halyard_print_algorithm(q), "f32(x) * 0.5;")) return 4;
  if (halyard_pipeline_new(c, "\xe4")) return 5;
  snprintf(number, sizeof number, "%.1f", 0.5);
  halyard_context_free(c);
  return strcmp(number, "0,5") == 0 ? 0 : 6; // the process has its locale still
}
END
if command -v localedef >/dev/null && localedef -i de_DE -f ISO-8859-1 "$work/de_DE" 2>/dev/null; then
  # shellcheck disable=SC2046,SC2086 # words
  try 'comma.c' "$cc" $strict "$work/comma.c" $(pkg-config --cflags --libs halyard) -o "$work/comma"
  try 'a decimal comma' env LOCPATH="$work" "$work/comma" de_DE
else
  echo 'left out: no localedef makes a locale with a decimal comma'
fi

# find_package, from the installed tree.
mkdir "$work/project"
cp docs/examples/library/blur.c "$work/project"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(Halyard 0.1 REQUIRED)
add_executable(shared blur.c)
target_link_libraries(shared PRIVATE Halyard::halyard)
add_executable(archive blur.c)
target_link_libraries(archive PRIVATE Halyard::halyard_static)
END
try 'find_package' cmake -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$work/tree" -DCMAKE_C_COMPILER="$cc"
try 'a project of others' cmake --build "$work/project/build"
says 'blurred[100][200] is 20301' "$work/project/build/shared"
says 'blurred[100][200] is 20301' "$work/project/build/archive"
readelf -d "$work/project/build/archive" >"$work/needed"
quiet 'the archive was not used' grep libhalyard "$work/needed"
try 'the installed program' "$work/tree/bin/halyard" check apps/box_blur.alg apps/box_blur.sched:tiled --recheck
try 'the installed program builds' "$work/tree/bin/halyard" build apps/box_blur.alg apps/box_blur.sched:tiled -o "$work/blur"
try 'the installed program ships' "$work/tree/bin/halyard" ship apps/box_blur.alg apps/box_blur.sched:tiled -o "$work/shipped"
try 'the installed judge' "$work/tree/bin/halyard-gate" "$work/shipped"

# No memory: in turn, one in seven (or as the second argument says).
# shellcheck disable=SC2046 # words
try 'starved.c' "$cc" -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror proofs_tests/support/host/starved.c $(pkg-config --cflags --libs halyard) -o "$work/starved"
try 'without memory' env FAILING_MALLOC_IN=libhalyard LD_PRELOAD="$build/libfailing_malloc.so" timeout 900 "$work/starved" 2 "${2:-7}"
holds 'too few requests were refused' grep -qE '^[0-9]+ of [0-9]{4,} requests' "$work/said"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
