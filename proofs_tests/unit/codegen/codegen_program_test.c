/* Target programs compiled and run against the target interpreter, point by point, on several windows; then what the
 * interpreter cannot say: the calling convention, assumptions, sizes that no machine has.
 */

#include "codegen/codegen.h"
#include "codegen/runtime/runtime.h"
#include "proofs_tests/suites.h"
#include "semantics/text/syntax.h"
#include "tgt_interp/tgt_interp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* -- programs -- */

typedef struct {
  const char *name, *text;
} row;

// One func over x (and y) that reads images; "body" computes it.
#define HEAD(params, type, stages)                                                                                     \
  "target t(" params ") on f(x) { func f(x): " type " stages " stages                                                  \
  "; allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { "
#define HEAD1(params, type) HEAD(params, type, "1")
#define UPDATED(params, type) HEAD(params, type, "2") // with an update stage
#define HEAD2(params, type)                                                                                            \
  "target t(" params ") on f(x, y) { func f(x, y): " type " stages 1; allocate f[(x.min, x.len), (y.min, y.len)]; "    \
  "label f: compute f on [(x.min, x.len), (y.min, y.len)] { "
#define TAIL " } }"
// for xo, for "traversal" xi of n, guarded
#define SPLIT_X(n, traversal, body)                                                                                    \
  "for f.s0.xo in (0, (x.len + " n " - 1) / " n ") { for " traversal " f.s0.xi in (0, " n ") { let f.s0.x = x.min + "  \
  "f.s0.xi + " n " * f.s0.xo by split guard(f.s0.xo, f.s0.xi, " n ", (x.min, x.len)) in { if guard (f.s0.x < x.min + " \
  "x.len) { " body " } } } }"
#define X1(n, traversal, value) "label f.s0: " SPLIT_X(n, traversal, "f(f.s0.x) <- " value ";")
#define XY(n, traversal, value)                                                                                        \
  "label f.s0: for f.s0.y in (y.min, y.len) { " SPLIT_X(n, traversal, "f(f.s0.x, f.s0.y) <- " value ";") " }"

// f is 7, and an update changes it.
#define SUMMED(type, update)                                                                                           \
  UPDATED("in: " type "[1], w: int", type)                                                                             \
  "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 7; } label f.s1: " update TAIL
// A reduction of "count" iterations, and in it a block of 12 points: three vectors of 4.
#define BLOCKS(count, inside, assign)                                                                                  \
  "for f.s1.xo in (0, (x.len + 11) / 12) { for rdom f.s1.r in (0, " count ") { " inside                                \
  " { for unrolled f.s1.u in (0, "                                                                                     \
  "3) { for vectorized f.s1.xi in (0, 4) { let f.s1.t = f.s1.xi + 4 * f.s1.u by split round(f.s1.u, f.s1.xi, 4, (0, "  \
  "12)) in { let f.s1.x = x.min + f.s1.t + 12 * f.s1.xo by split guard(f.s1.xo, f.s1.t, 12, (x.min, x.len)) in { if "  \
  "guard (f.s1.x < x.min + x.len) { " assign " } } } } } } } }"

static const row rows[] = {
    {"serial", HEAD1("w: int", "int") "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- f.s0.x * w; }" TAIL},
    {"no dimensions",
     "target t() on f() { func f(): i32 stages 2; allocate f[]; label f: compute f on [] { label f.s0: "
     "f() <- 1; label f.s1: for rdom f.s1.r in (0, 5) { f() <- f() * 3; } } }"},
    {"stages without loops",
     "target t(w: i32) on f() { func f(): i32 stages 4; allocate f[]; label f: compute f on [] { label f.s0: f() <- w; "
     "label f.s1: f() <- f() + 1; label f.s2: f() <- f() * f(); label f.s3: f() <- f() + 1; } }"},
    {"unrolled", HEAD1("in: u8[1]", "u8") X1("4", "unrolled", "in(f.s0.x) + in(f.s0.x - 1)") TAIL},
    {"unrolled from 2",
     UPDATED("in: u8[1]",
             "u8") "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; } label f.s1: for f.s1.x in "
                   "(x.min, x.len) { for rdom unrolled f.s1.r in (2, 4) { f(f.s1.x) <- f(f.s1.x) + "
                   "in(f.s1.x + f.s1.r); } }" TAIL}, // GEN.Unroll
    {"vector of 8",
     HEAD1("in: u16[1]", "u16") X1("8", "vectorized", "(in(f.s0.x - 1) + in(f.s0.x) + in(f.s0.x + 1)) / 3") TAIL},
    {"vector of 3", HEAD1("in: f32[1]", "f32") X1("3", "vectorized", "in(f.s0.x - 1) * in(f.s0.x)") TAIL},
    {"vector of 1", HEAD1("in: f32[1]", "f32") X1("1", "vectorized", "in(f.s0.x)") TAIL},
    {"vector wider than any register", HEAD1("in: i16[1]", "i16") X1("150", "vectorized", "in(f.s0.x) * 3") TAIL},
    {"ramp as a value", HEAD1("w: int", "int") X1("8", "vectorized", "f.s0.x * 3 - w * f.s0.x") TAIL},
    {"ramp converted", HEAD1("w: int", "f32") X1("8", "vectorized", "f32(f.s0.x) + f32(u8(f.s0.x * 100))") TAIL},
    {"ramp narrowed and widened",
     HEAD1("w: int", "i32") X1("8", "vectorized", "i32(u8(f.s0.x * 50)) - i32(i8(f.s0.x))") TAIL},
    {"ramp compared",
     HEAD1("w: int", "i32") X1("8", "vectorized",
                               "select(f.s0.x < w, 1, 0) + select(w <= 2 * f.s0.x, 2, 0) + select(f.s0.x == "
                               "w, 4, 0) + select(3 - f.s0.x > w, 8, 0) + select(f.s0.x != 2 * f.s0.x, 16, 0)") TAIL},
    {"ramp modulo",
     HEAD1("w: int", "int") X1("8", "vectorized", "f.s0.x % 3 + 10 * (f.s0.x / 2) + 100 * (f.s0.x % 4)") TAIL},
    // Choices between many constants are loads (GEN.Table); those of several numbers are not.
    {"a table", HEAD1("in: u8[1]", "u8")
                    X1("8", "vectorized",
                       "select(int(in(f.s0.x)) < 3, select(int(in(f.s0.x)) == 1, 9, 7), select(int(in(f.s0.x)) > 200, "
                       "1, select(int(in(f.s0.x)) >= 100, 2, select(50 < int(in(f.s0.x)), 3, select(int(in(f.s0.x)) "
                       "!= 40, 4, 5)))))") TAIL},
    {"a choice by two numbers",
     HEAD1("in: u8[1]", "u8")
         X1("8", "vectorized",
            "select(f.s0.x < 3, select(int(in(f.s0.x)) == 1, 9, 7), select(int(in(f.s0.x)) > 200, 1, "
            "select(int(in(f.s0.x)) >= 100, 2, select(50 < int(in(f.s0.x)), 3, select(int(in(f.s0.x)) != 40, 4, "
            "5)))))") TAIL},
    // Ints that fit 32 bits in vectors (GEN.Narrow), and those that are one too large for it.
    {"narrow sums", HEAD1("in: u8[1]", "int")
                        X1("8", "vectorized",
                           "int(in(f.s0.x)) * 3 - int(in(f.s0.x + 1)) % (9 - 2) + int(in(2 * f.s0.x)) / (3 - 8)") TAIL},
    {"narrow products",
     HEAD1("in: i16[1]", "int") X1("8", "vectorized", "int(in(f.s0.x) * 60) * (int(in(f.s0.x + 1) * 70) - 1)") TAIL},
    {"products of 33 bits",
     HEAD1("in: u16[1]", "int") X1("8", "vectorized", "int(in(f.s0.x) * 66) * int(in(f.s0.x + 1) * 66)") TAIL},
    {"a sum that leaves 32 bits",
     HEAD1("in: i32[1]", "int") X1("8", "vectorized", "int(in(f.s0.x) * 3000000) + int(in(f.s0.x) * 3000001)") TAIL},
    {"narrow choices",
     HEAD1("in: i32[1]", "i32")
         X1("8", "vectorized",
            "select(int(in(f.s0.x)) < int(in(f.s0.x + 1)) + 6442450944, select(clamp(int(in(f.s0.x)), -3, 500) == "
            "int(in(f.s0.x)), i32(1), i32(f32(int(in(f.s0.x))))), i32(7))") TAIL},
    {"narrow indices",
     HEAD1("in: u8[1], table: u16[1]", "u16") X1("8", "vectorized",
                                                 "table(int(in(f.s0.x)) - 200) + table(int(in(f.s0.x)) + int(in(f.s0.x "
                                                 "+ 1)) + f.s0.x) + table(2 * int(in(f.s0.x)))") TAIL},
    {"narrow lets",
     HEAD1("in: u8[1], w: int",
           "u8") "label f.s0: for f.s0.xo in (0, (x.len + 7) / 8) { for vectorized f.s0.xi in (0, 8) { let f.s0.x = "
                 "x.min + f.s0.xi + 8 * f.s0.xo "
                 "by split guard(f.s0.xo, f.s0.xi, 8, (x.min, x.len)) in { if guard (f.s0.x < x.min + x.len) { "
                 "f(f.s0.x) <- "
                 "in(f.s0.xi * 5 % 7) + in(f.s0.xi * 3 % 5 * w) + u8(f.s0.xi * 2 % 5 - 9); } } } }" TAIL},
    {"floats as narrow ints",
     HEAD1("in: f32[1]", "int") X1(
         "8", "vectorized",
         "clamp(int((in(f.s0.x) - 70.0) * 1000000000.0), 3 - 8, 2000000000) + max(min(int(in(f.s0.x) / 0.0), 9), -9) + "
         "clamp(int(in(f.s0.x) * 100000000.0), 0, 5000000000)") TAIL},
    {"bool", HEAD1("in: bool[1]", "bool") X1("8", "vectorized", "in(f.s0.x) && !in(f.s0.x + 1) || f.s0.x > 3") TAIL},
    {"stride 2", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(2 * f.s0.x) + in(2 * f.s0.x + 1)") TAIL},
    {"stride 3", HEAD1("in: u16[1]", "u16") X1("4", "vectorized", "in(3 * f.s0.x - 1)") TAIL},
    {"stride 4", HEAD1("in: f32[1]", "f32") X1("8", "vectorized", "in(4 * f.s0.x)") TAIL},
    {"stride 7", HEAD1("in: f32[1]", "f32") X1("8", "vectorized", "in(7 * f.s0.x)") TAIL},
    {"stride 7 of bytes", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(7 * f.s0.x)") TAIL},
    {"stride -1", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(5 - f.s0.x)") TAIL},
    {"stride -2", HEAD1("in: i32[1]", "i32") X1("8", "vectorized", "in(5 - 2 * f.s0.x)") TAIL},
    {"same cell in every lane", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(3) + in(f.s0.x)") TAIL},
    {"upsampled", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(f.s0.x / 2)") TAIL},
    {"upsampled at odd places",
     HEAD1("in: u16[1]", "u16") X1("16", "vectorized", "in((f.s0.x + 1) / 2) + in((f.s0.x - 3) / 2 + 1)") TAIL},
    {"upsampled in both",
     HEAD2("in: u8[2]", "u8")
         XY("8", "vectorized", "in(f.s0.x / 2, f.s0.y / 2) + in((f.s0.x + 1) / 2 - f.s0.y, f.s0.y / 2)") TAIL},
    {"upsampled twice over",
     HEAD1("in: u16[1]", "u16") X1("6", "vectorized", "in(f.s0.x / 2 + f.s0.x) + in(f.s0.x / 2 + (f.s0.x + 1) / 2)")
         TAIL},
    {"clamped in two dimensions",
     HEAD2("in: f32[2]", "f32") XY("8", "vectorized",
                                   "in(clamp(f.s0.x - 1, 0, 9), clamp(f.s0.y, 0, 3)) - in(min(2 * f.s0.x, 11), f.s0.x) "
                                   "+ in(max(0, 4 - f.s0.x), 3)") TAIL},
    {"clamped to an empty range",
     HEAD1("in: u8[1], w: int", "u8")
         X1("8", "vectorized", "in(clamp(f.s0.x, w, 1)) + in(max(w, min(f.s0.x, max(f.s0.x, 2))))") TAIL},
    {"clamped", HEAD1("in: u16[1]", "u16") X1("8", "vectorized", "in(clamp(f.s0.x, -1, 4))") TAIL},
    {"gathered", HEAD1("in: u8[1], table: u16[1]", "u16") X1("8", "vectorized", "table(int(in(f.s0.x)))") TAIL},
    {"gathered floats",
     HEAD1("in: u8[1], table: f32[1]", "f32") X1("8", "vectorized", "table(int(in(f.s0.x)) / 4)") TAIL},
    {"transposed", HEAD2("in: f32[2]", "f32") XY("4", "vectorized", "in(f.s0.y, f.s0.x)") TAIL},
    {"diagonal", HEAD2("in: u8[2]", "u8") XY("4", "vectorized", "in(f.s0.x + f.s0.y, f.s0.x)") TAIL},
    {"stencil",
     HEAD2("in: u16[2]", "u16")
         XY("8", "vectorized", "in(f.s0.x, f.s0.y - 1) + in(f.s0.x - 1, f.s0.y) - in(f.s0.x, f.s0.y + 1)") TAIL},
    {"mathematics",
     HEAD2("in: f32[2]", "f32") XY("8", "vectorized", "sin(in(f.s0.x, f.s0.y)) + exp(in(f.s0.y, f.s0.x) * 0.01)") TAIL},
    {"store over y",
     HEAD2("in: u8[2]", "u8") "label f.s0: for f.s0.x in (x.min, x.len) { for f.s0.yo in (0, (y.len + 3) / 4) { for "
                              "vectorized f.s0.yi in (0, 4) { let f.s0.y = y.min + f.s0.yi + 4 * f.s0.yo by split "
                              "guard(f.s0.yo, f.s0.yi, 4, (y.min, y.len)) in { if guard (f.s0.y < y.min + y.len) { "
                              "f(f.s0.x, f.s0.y) <- in(f.s0.x, f.s0.y); } } } } }" TAIL},
    {"shift",
     "target t(in: u8[1]) on f(x) { func f(x): u8 stages 1; allocate f[(min(x.min, x.min + x.len - 4), max(x.len, "
     "4))]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.xo in (0, (x.len + 3) / 4) { for vectorized "
     "f.s0.xi in (0, 4) { let f.s0.x = min(x.min + 4 * f.s0.xo, x.min + x.len - 4) + f.s0.xi by split shift(f.s0.xo, "
     "f.s0.xi, 4, (x.min, x.len)) in { f(f.s0.x) <- in(f.s0.x) * 3; } } }" TAIL},
    {"predicate on lanes",
     UPDATED("in: i32[1]", "i32")
         X1("8", "vectorized", "7") " label f.s1: for f.s1.xo in (0, (x.len + 7) / 8) { for vectorized f.s1.xi in (0, "
                                    "8) { let f.s1.x = x.min + f.s1.xi + 8 * f.s1.xo by split guard(f.s1.xo, f.s1.xi, "
                                    "8, (x.min, x.len)) in { if guard (f.s1.x < x.min + x.len) { if (in(f.s1.x) % 3 == "
                                    "0) { f(f.s1.x) <- f(f.s1.x) + in(f.s1.x + 1) * 2; } } } } }" TAIL},
    {"predicate without and with loads",
     UPDATED(
         "in: i32[1]",
         "i32") "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; } label f.s1: for f.s1.xo in (0, (x.len + "
                "7) / 8) { for vectorized f.s1.xi in (0, 8) { let f.s1.x = x.min + f.s1.xi + 8 * f.s1.xo by split "
                "guard(f.s1.xo, f.s1.xi, 8, (x.min, x.len)) in { if guard (f.s1.x < x.min + x.len) { if (in(f.s1.x) > "
                "100 && f.s1.x != 3) { f(f.s1.x) <- f(f.s1.x) + in(2 * f.s1.x) + in(5 - f.s1.x); } } } } }" TAIL},
    {"reduction inside lanes",
     UPDATED("in: i32[1], w: int", "i32")
         X1("8", "vectorized", "0") " label f.s1: for f.s1.xo in (0, (x.len + 7) / 8) { for vectorized f.s1.xi in (0, "
                                    "8) { let f.s1.x = x.min + f.s1.xi + 8 * f.s1.xo by split guard(f.s1.xo, f.s1.xi, "
                                    "8, (x.min, x.len)) in { for rdom f.s1.r in (-1, w) { if guard (f.s1.x < x.min + "
                                    "x.len) { f(f.s1.x) <- f(f.s1.x) * 3 + in(f.s1.x + f.s1.r); } } } } }" TAIL},
    {"histogram", UPDATED("in: u8[1], w: int",
                          "u32") "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; } label f.s1: for rdom "
                                 "f.s1.r in (-1, 3 * w) { f(clamp(int(in(f.s1.r)) % 8, x.min, x.min + x.len - 1)) <- "
                                 "f(clamp(int(in(f.s1.r)) % 8, x.min, x.min + x.len - 1)) + 1; }" TAIL},
    {"scan",
     UPDATED("in: u8[1]",
             "u32") "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- u32(in(f.s0.x)); } label f.s1: for rdom "
                    "f.s1.r in (x.min + 1, max(x.len - 1, 0)) { f(f.s1.r) <- f(f.s1.r) + f(f.s1.r - 1); }" TAIL},
    {"parallel",
     HEAD2("in: u8[2], w: int", "u8") "label f.s0: for parallel f.s0.y in (y.min, y.len) { for f.s0.x in (x.min, "
                                      "x.len) { f(f.s0.x, f.s0.y) <- in(f.s0.x, f.s0.y) + u8(w); } }" TAIL},
    {"nested parallel",
     HEAD2("in: u8[2], w: i32",
           "i32") "label f.s0: for parallel f.s0.y in (y.min, y.len) { for parallel f.s0.xo in (0, (x.len + 3) / 4) { "
                  "for vectorized f.s0.xi in (0, 4) { let f.s0.x = x.min + f.s0.xi + 4 * f.s0.xo by split "
                  "guard(f.s0.xo, f.s0.xi, 4, (x.min, x.len)) in { if guard (f.s0.x < x.min + x.len) { f(f.s0.x, "
                  "f.s0.y) <- i32(in(f.s0.x, f.s0.y)) * w; } } } } }" TAIL},
    {"fused and parallel",
     HEAD2("in: u8[2]",
           "u8") "label f.s0: for parallel f.s0.t in (0, x.len * y.len) { let f.s0.y = y.min + f.s0.t / x.len by fuse "
                 "outer(f.s0.t, x.len, (y.min, y.len)) in { let f.s0.x = x.min + f.s0.t % x.len by fuse inner(f.s0.t, "
                 "x.len, (x.min, x.len)) in { f(f.s0.x, f.s0.y) <- in(f.s0.x, f.s0.y); } } }" TAIL},
    {"specialized",
     HEAD1("in: u8[1], w: int", "u8") "if specialize (12 / w == 4) { label f.z1: label f.s0: for f.z1.s0.x in (x.min, "
                                      "x.len) { f(f.z1.s0.x) <- in(f.z1.s0.x) * 2; } } else { label f.z0: label f.s0: "
                                      "for f.s0.x in (x.min, x.len) { f(f.s0.x) <- in(f.s0.x) + 5; } }" TAIL},
    {"Mem beyond the window (D21)",
     "target t(in: u16[2]) on f(x, y) { func f(x, y): u16 stages 1; allocate f[(x.min - 1, 4 * ((x.len + 3) / 4) + 1), "
     "(y.min, y.len + 1)]; label f: compute f on [(x.min, x.len), (y.min, y.len)] { label f.s0: for f.s0.y in (y.min, "
     "y.len) { for f.s0.xo in (0, (x.len + 3) / 4) { for vectorized f.s0.xi in (0, 4) { let f.s0.x = x.min + f.s0.xi + "
     "4 * f.s0.xo by split round(f.s0.xo, f.s0.xi, 4, (x.min, x.len)) in { f(f.s0.x, f.s0.y) <- in(f.s0.x, f.s0.y) + "
     "1; } } } } } }"},
    {"Mem that is sometimes the window",
     "target t(in: u16[1]) on f(x) { func f(x): u16 stages 1; allocate f[(x.min, 4 * ((x.len + 3) / 4))]; label f: "
     "compute f on [(x.min, x.len)] { label f.s0: for f.s0.xo in (0, (x.len + 3) / 4) { for f.s0.xi in (0, 4) { let "
     "f.s0.x = x.min + f.s0.xi + 4 * f.s0.xo by split round(f.s0.xo, f.s0.xi, 4, (x.min, x.len)) in { f(f.s0.x) <- "
     "in(f.s0.x) + 1; } } } } }"},
    {"storage in loops",
     "target t(in: u16[2]) on f(x, y) { func g(x, y): u16 stages 1; func f(x, y): u16 stages 1; allocate f[(x.min, "
     "x.len), (y.min, y.len)]; label f: compute f on [(x.min, x.len), (y.min, y.len)] { label f.s0: for parallel "
     "f.s0.y in (y.min, y.len) { for f.s0.xo in (0, (x.len + 3) / 4) { allocate g[(x.min + 4 * f.s0.xo - 1, 6), "
     "(f.s0.y, 1)]; label g: compute g on [(x.min + 4 * f.s0.xo - 1, min(4, x.len - 4 * f.s0.xo) + 2), (f.s0.y, 1)] { "
     "label g.s0: for g.s0.y in (f.s0.y, 1) { for g.s0.x in (x.min + 4 * f.s0.xo - 1, min(4, x.len - 4 * f.s0.xo) + 2) "
     "{ g(g.s0.x, g.s0.y) <- in(g.s0.x, g.s0.y) * 2; } } } for vectorized f.s0.xi in (0, 4) { let f.s0.x = x.min + "
     "f.s0.xi + 4 * f.s0.xo by split guard(f.s0.xo, f.s0.xi, 4, (x.min, x.len)) in { if guard (f.s0.x < x.min + x.len) "
     "{ f(f.s0.x, f.s0.y) <- g(f.s0.x - 1, f.s0.y) + g(f.s0.x + 1, f.s0.y); } } } } } } }"},
    {"storage at root",
     "target t(in: f64[1]) on f(x) { func g(x): f64 stages 1; func h(x): f64 stages 1; func f(x): f64 stages 1; "
     "allocate g[(x.min - 1, x.len + 2)]; label g: compute g on [(x.min - 1, x.len + 2)] { label g.s0: for g.s0.x in "
     "(x.min - 1, x.len + 2) { g(g.s0.x) <- in(g.s0.x) / 3.0; } } allocate h[(x.min, x.len + 1)]; label h: compute h "
     "on [(x.min, x.len + 1)] { label h.s0: for h.s0.x in (x.min, x.len + 1) { h(h.s0.x) <- g(h.s0.x) + g(h.s0.x - 1) "
     "* 0.1; } } allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in "
     "(x.min, x.len) { f(f.s0.x) <- h(f.s0.x) * h(f.s0.x + 1) - g(f.s0.x); } } }"},
    {"storage of bools",
     "target t(in: u8[1]) on f(x) { func g(x): bool stages 1; func f(x): u8 stages 1; allocate g[(x.min, 8 * ((x.len + "
     "7) / 8))]; label g: compute g on [(x.min, x.len)] { label g.s0: for g.s0.xo in (0, (x.len + 7) / 8) { for "
     "vectorized g.s0.xi in (0, 8) { let g.s0.x = x.min + g.s0.xi + 8 * g.s0.xo by split guard(g.s0.xo, g.s0.xi, 8, "
     "(x.min, x.len)) in { if guard (g.s0.x < x.min + x.len) { g(g.s0.x) <- in(g.s0.x) > 128; } } } } } allocate "
     "f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { " X1("8", "vectorized",
                                                                       "select(g(f.s0.x), in(f.s0.x), 1)") TAIL},
    {"nested guards on lanes",
     UPDATED("in: u8[1], w: int",
             "u8") "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 9; } label f.s1: for f.s1.xo in (0, (x.len "
                   "+ 7) / 8) { for vectorized f.s1.xi in (0, 8) { let f.s1.x = x.min + f.s1.xi + 8 * f.s1.xo by split "
                   "guard(f.s1.xo, f.s1.xi, 8, (x.min, x.len)) in { if guard (f.s1.x < x.min + x.len) { if (f.s1.x > "
                   "w) { if (w > 1) { f(f.s1.x) <- f(f.s1.x) * 2 + in(f.s1.x / 2); } } } } } }" TAIL},
    // Of 32 bits these are masks wherever there is AVX2, of 8 bits only with AVX-512. Lanes without a load hold 0.
    {"nested masks",
     UPDATED("in: i32[1], w: int",
             "i32") "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 9; } label f.s1: for f.s1.xo in (0, "
                    "(x.len + 7) / 8) { for vectorized f.s1.xi in (0, 8) { let f.s1.x = x.min + f.s1.xi + 8 * f.s1.xo "
                    "by split guard(f.s1.xo, f.s1.xi, 8, (x.min, x.len)) in { if guard (f.s1.x < x.min + x.len) { if "
                    "(int(in(f.s1.x)) % 3 > 0) { if (int(in(f.s1.x)) % 2 < 1) { f(f.s1.x) <- f(f.s1.x) * 2 + in(f.s1.x "
                    "/ 2); } } } } } }" TAIL},
    // Sums that stay in registers (GEN.Accumulate), and what looks like them.
    {"sums in registers",
     SUMMED("i32", BLOCKS("w", "for rdom f.s1.q in (0, 1)", "f(f.s1.x) <- f(f.s1.x) * 3 + in(f.s1.x + f.s1.r);"))},
    {"sums in registers, of bytes",
     SUMMED("u8", BLOCKS("w", "for rdom f.s1.q in (0, 1)", "f(f.s1.x) <- f(f.s1.x) * 3 + in(f.s1.x + f.s1.r);"))},
    {"sums of an unrolled reduction", SUMMED("i32", BLOCKS("w", "for rdom unrolled f.s1.q in (0, 3)",
                                                           "f(f.s1.x) <- f(f.s1.x) * 3 + in(f.s1.r + f.s1.q);"))},
    {"sums under a condition",
     SUMMED("i32", BLOCKS("w", "let f.s1.k = f.s1.r + w in",
                          "if (f.s1.k % 2 == 1) { f(f.s1.x) <- f(f.s1.x) * 3 + in(f.s1.k); }"))},
    {"sums of more copies than are made",
     SUMMED("i32", "for f.s1.xo in (0, (x.len + 63) / 64) { for rdom unrolled f.s1.r in (0, 65) { for unrolled f.s1.xi "
                   "in (0, 64) { let f.s1.x "
                   "= x.min + f.s1.xi + 64 * f.s1.xo by split guard(f.s1.xo, f.s1.xi, 64, (x.min, x.len)) in { if "
                   "guard (f.s1.x < x.min + x.len) "
                   "{ f(f.s1.x) <- f(f.s1.x) * 3 + in(f.s1.r); } } } } }")},
    {"sums of a reduction that is known to be empty",
     SUMMED("i32", "for rdom f.s1.q in (0, 0) { for rdom f.s1.r in (0, w) { if (x.len > 0) { f(x.min) <- f(x.min) + "
                   "in(f.s1.r); } } }")},
    {"sums of one point",
     SUMMED(
         "i32",
         "for rdom f.s1.r in (0, w) { for rdom unrolled f.s1.u in (0, 2) { if (x.len > 0) { f(x.min) <- f(x.min) * 3 "
         "+ in(f.s1.r + f.s1.u); } } }")},
    {"sums that read a neighbour",
     SUMMED("i32",
            "for rdom f.s1.r in (0, w) { if (x.len > 1) { f(x.min) <- f(x.min + 1) + f(x.min) * 3 + in(f.s1.r); } }")},
    {"sums under a condition on a neighbour",
     SUMMED("i32", "for rdom f.s1.r in (0, w) { if (x.len > 1) { if (f(x.min) < 9) { f(x.min + 1) <- f(x.min + 1) "
                   "* 3 + in(f.s1.r); } } }")},
    {"sums of an empty reduction",
     SUMMED(
         "i32",
         "for rdom f.s1.r in (0, max(w - 9, 0)) { f(x.min - 4000000000) <- f(x.min - 4000000000) * 3 + in(f.s1.r); }")},
    {"division by what may be zero",
     HEAD1("in: i32[1]", "i32") X1("8", "vectorized", "1000 / (in(f.s0.x) % 5) + in(f.s0.x) % (in(f.s0.x + 1) % 3)")
         TAIL},
    {"vectors over two funcs in one body",
     UPDATED("in: i64[1], w: i64", "i64")
         X1("4", "vectorized",
            "in(f.s0.x) + w") " label f.s1: for f.s1.xo in (0, (x.len + 3) / 4) { for vectorized f.s1.xi in (0, 4) { "
                              "let f.s1.x = x.min + f.s1.xi + 4 * f.s1.xo by split guard(f.s1.xo, f.s1.xi, 4, (x.min, "
                              "x.len)) in { if guard (f.s1.x < x.min + x.len) { f(f.s1.x) <- f(f.s1.x) * f(f.s1.x) - "
                              "in(f.s1.x); } } } }" TAIL},
};

/* -- running both engines -- */

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source source;
  const hy_tgt *tgt;
} program;

static program open_program(const char *text) {
  program p = {.context = hy_context_new(), .diagnostics = hy_diagnostics_new()};
  p.source = (hy_source){"test.tgt", text, strlen(text)};
  p.tgt = hy_parse_tgt(p.context, &p.source, p.diagnostics);
  hy_text why = {0};
  hy_diagnostics_print(p.diagnostics, &why);
  ck_assert_msg(p.tgt != NULL, "%s", hy_text_string(&why));
  hy_text_free(&why);
  return p;
}

static void close_program(program *p) {
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
}

// Images wide enough for every index above.
static hy_buffer *make_image(const hy_func *func) {
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) {
    min[d] = func->rank == 1 ? -300 : -40;
    len[d] = func->rank == 1 ? 1400 : 120 + d;
  }
  hy_buffer *image = hy_buffer_new(func->type, func->rank, min, len);
  for (size_t i = 0; i < image->count; i++)
    hy_value_store(
        hy_type_class_of(func->type) == HY_CLASS_FLOAT
            ? hy_value_from_double(func->type, (double)(i * 37 % 1001) / 7.0)
            : hy_value_integral(func->type, (int64_t)(i * 2654435761u >> 7) % (func->type == HY_BOOL ? 2 : 1000)),
        image->data + i * hy_type_bytes(func->type));
  return image;
}

typedef struct {
  hy_value params[4];
  hy_buffer *images[4];
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  hy_input input;
} inputs;

static void make_inputs(inputs *in, const hy_alg *alg, int64_t w, int64_t min, int64_t len) {
  for (int i = 0; i < alg->param_count; i++) in->params[i] = hy_value_integral(alg->params[i]->type, w);
  for (int i = 0; i < alg->image_count; i++) in->images[i] = make_image(alg->images[i]);
  for (int d = 0; d < HY_MAX_RANK; d++) {
    in->min[d] = min - d;
    in->len[d] = len + d;
  }
  in->input = (hy_input){in->params, (const hy_buffer *const *)in->images, in->min, in->len};
}

static void free_inputs(inputs *in, const hy_alg *alg) {
  for (int i = 0; i < alg->image_count; i++) hy_buffer_free(in->images[i]);
}

static void compare(const program *p, const hy_native *native, const char *name, int64_t w, int64_t min, int64_t len) {
  const hy_alg *alg = p->tgt->alg;
  inputs in;
  make_inputs(&in, alg, w, min, len);
  hy_tgt_options options = {.mode = HY_LAZY};
  hy_tgt_result want = {0};
  hy_tgt_run(p->context, p->tgt, &in.input, &options, &want);
  ck_assert_msg(want.status == HY_RAN, "%s: the interpreter does not run: %s", name, want.story ? want.story : "");
  hy_buffer *got = hy_buffer_new(alg->output->type, alg->output->rank, in.min, in.len);
  hy_native_result result;
  hy_native_run(native, &in.input, got, &result);
  ck_assert_msg(result.status == HY_RAN, "%s: status %d", name, result.status);
  size_t bytes = hy_type_bytes(got->type);
  for (size_t i = 0; i < got->count; i++) {
    if (want.output->errors && want.output->errors[i]) continue;
    hy_value a = hy_value_load(got->type, want.output->data + i * bytes),
             b = hy_value_load(got->type, got->data + i * bytes);
    if (hy_value_same(a, b)) continue;
    hy_text text = {0};
    hy_value_print(a, &text);
    hy_text_add(&text, ", native ");
    hy_value_print(b, &text);
    ck_abort_msg("%s, w = %d, window %d:%d, element %d: interpreter %s", name, (int)w, (int)min, (int)len, (int)i,
                 hy_text_string(&text));
  }
  hy_buffer_free(got);
  hy_tgt_result_free(&want);
  free_inputs(&in, alg);
}

static void compare_windows(const char *name, const char *text, int optimize, bool scalar_tails) {
  static const int64_t windows[][2] = {{0, 1}, {-1, 2}, {0, 7}, {-3, 8}, {1, 9}, {-5, 16}, {2, 31}, {0, 0}};
  program p = open_program(text);
  hy_codegen_options options = hy_codegen_default();
  options.optimize = optimize;
  options.scalar_tails = scalar_tails;
  hy_native *native = hy_native_compile(p.context, p.tgt, &options);
  for (size_t i = 0; i < HY_COUNT(windows); i++)
    for (int64_t w = 0; w < 5; w++) compare(&p, native, name, w, windows[i][0], windows[i][1]);
  hy_native_free(native);
  close_program(&p);
}

// GEN.Vector: more lanes than one vector is given: in pieces, with a rest.
START_TEST(wide_vectors) {
  program p = open_program(HEAD1("in: i16[1]", "i16") X1("150", "vectorized", "in(f.s0.x) * 3 + i16(f.s0.x)") TAIL);
  hy_codegen_options options = hy_codegen_default();
  hy_native *native = hy_native_compile(p.context, p.tgt, &options);
  for (int64_t len = 120; len < 320; len += 7) compare(&p, native, "wide vectors", 0, -3, len);
  hy_native_free(native);
  close_program(&p);
}
END_TEST

START_TEST(programs) {
  compare_windows(rows[_i].name, rows[_i].text, 3, false);
  compare_windows(rows[_i].name, rows[_i].text, 3, true);
  compare_windows(rows[_i].name, rows[_i].text, 0, false);
}
END_TEST

/* -- what passes may write although directives do not: a predicate with an else, on lanes -- */

static const hy_stmt *add_else(hy_context *c, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2], *changed[8];
  int count = hy_stmt_children(stmt, &children, room);
  ck_assert_int_le(count, 8);
  for (int i = 0; i < count; i++) changed[i] = add_else(c, children[i]);
  if (stmt->kind != HY_STMT_IF || stmt->branch.why != HY_IF_USER) return hy_stmt_with_children(c, stmt, changed, count);
  const hy_stmt *assign = stmt->branch.then;
  ck_assert_int_eq(assign->kind, HY_STMT_ASSIGN);
  const hy_expr *negated = hy_expr_unary(c, HY_OP_NEG, assign->assign.rhs);
  const hy_stmt *other = hy_stmt_assign(c, assign->assign.func, 0, assign->assign.stage, assign->assign.lhs, negated);
  return hy_stmt_if(c, HY_IF_USER, stmt->branch.condition, assign, other);
}

#if defined(HALYARD_SANITIZE_ADDRESS) || defined(HALYARD_SANITIZE_THREAD)
// The program with every assignment at "lhs".
static const hy_stmt *redirect(hy_context *c, const hy_stmt *stmt, const hy_expr *const *lhs) {
  const hy_stmt *const *children, *room[2], *changed[8];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) changed[i] = redirect(c, children[i], lhs);
  if (stmt->kind != HY_STMT_ASSIGN) return hy_stmt_with_children(c, stmt, changed, count);
  return hy_stmt_assign(c, stmt->assign.func, 0, 0, lhs, stmt->assign.rhs);
}
#endif

// Every assignment to f at x goes to the mirror image of x in the window.
static const hy_stmt *mirror(hy_context *c, const hy_alg *alg, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2], *changed[8];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) changed[i] = mirror(c, alg, children[i]);
  if (stmt->kind != HY_STMT_ASSIGN) return hy_stmt_with_children(c, stmt, changed, count);
  const hy_expr *min = hy_expr_var(c, alg->window_min[0]), *len = hy_expr_var(c, alg->window_len[0]);
  const hy_expr *ends = hy_expr_binary(c, HY_OP_ADD, hy_expr_binary(c, HY_OP_ADD, min, min), len);
  const hy_expr *last = hy_expr_binary(c, HY_OP_SUB, ends, hy_expr_int(c, 1));
  const hy_expr *lhs[HY_MAX_RANK];
  for (int d = 0; d < stmt->assign.func->rank; d++) lhs[d] = stmt->assign.lhs[d];
  lhs[0] = hy_expr_binary(c, HY_OP_SUB, last, lhs[0]);
  return hy_stmt_assign(c, stmt->assign.func, 0, 0, lhs, stmt->assign.rhs);
}

START_TEST(backward_stores) {
  program p = open_program(HEAD1("in: u16[1]", "u16") X1("8", "vectorized", "in(f.s0.x) + 1") TAIL);
  hy_tgt tgt = *p.tgt;
  tgt.body = mirror(p.context, tgt.alg, tgt.body);
  p.tgt = &tgt;
  hy_codegen_options options = hy_codegen_default();
  hy_native *native = hy_native_compile(p.context, p.tgt, &options);
  for (int64_t len = 1; len < 30; len++) compare(&p, native, "backward stores", 2, -3, len);
  hy_native_free(native);
  close_program(&p);
}
END_TEST

// GEN.Lane
START_TEST(predicate_with_else) {
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    if (strncmp(rows[i].name, "predicate", 9) != 0) continue;
    program p = open_program(rows[i].text);
    hy_tgt tgt = *p.tgt;
    tgt.body = add_else(p.context, tgt.body);
    p.tgt = &tgt;
    hy_codegen_options options = hy_codegen_default();
    options.scalar_tails = _i;
    hy_native *native = hy_native_compile(p.context, p.tgt, &options);
    for (int64_t len = 1; len < 20; len++) compare(&p, native, rows[i].name, 2, -3, len);
    hy_native_free(native);
    close_program(&p);
  }
}
END_TEST

/* -- assumptions (GEN.Assume): the first that fails is named, and what was allocated is freed -- */

#define ASSUMING(entry)                                                                                                \
  "target t(w: int) on f(x) { func f(x): int stages 1; entry { " entry                                                 \
  " } allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) "  \
  "{ "                                                                                                                 \
  "f(f.s0.x) <- w; } } }"
// In each iteration g is allocated, with "count" cells, before the assumption.
#define IN_MID_RUN(traversal, count, condition)                                                                        \
  "target t(w: int) on f(x) { func g(x): int stages 1; func f(x): int stages 1; entry { assume factor: w > 0; } "      \
  "allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for " traversal " f.s0.x in "      \
  "(x.min, x.len) { allocate g[(0, " count ")]; assume need(g): " condition                                            \
  "; label g: compute g on [(0, 1)] { label "                                                                          \
  "g.s0: for g.s0.x in (0, 1) { g(g.s0.x) <- f.s0.x; } } f(f.s0.x) <- g(0); } } }"

static const struct {
  const char *name, *text;
  int64_t w, len;
  int failed; // the assumption in the order of the text, from 1; 0 = none, 100 = one inside the body
} assumptions[] = {
    {"all hold", ASSUMING("assume factor: w >= 1; assume factor: w < 10;"), 3, 4, 0},
    {"the first", ASSUMING("assume factor: w >= 1; assume factor: w < 10;"), 0, 4, 1},
    {"the second", ASSUMING("assume factor: w >= 1; assume factor: w < 10;"), 10, 4, 2},
    {"both: the first", ASSUMING("assume factor: w != 5; assume rdom: w < 3;"), 5, 4, 1},
    {"an empty window checks nothing", ASSUMING("assume factor: w >= 1;"), 0, 0, 0},
    {"an error is not true", ASSUMING("assume factor: 10 / w >= 0;"), 0, 4, 1},
    {"an error in the arm not taken", ASSUMING("assume factor: w == 0 || 10 / w >= 0;"), 0, 4, 0},
    {"an error after false", ASSUMING("assume factor: !(w != 0 && 10 / w >= 0);"), 0, 4, 0},
    {"an error in a select", ASSUMING("assume factor: select(w == 0, 1, 10 / w) >= 0;"), 0, 4, 0},
    {"overflow is not true", ASSUMING("assume factor: w + 9223372036854775807 < 0;"), 1, 4, 1},
    {"overflow of a product", ASSUMING("assume factor: (w + 4611686018427387904) * 4 == 4;"), 1, 4, 1},
    {"overflow of a difference", ASSUMING("assume factor: -2 - 9223372036854775807 + w > 0;"), 1, 4, 1},
    {"within what is checked before", ASSUMING("assume range: w >= -5 && w <= 5; assume factor: w * w <= 9;"), -3, 4,
     0},
    {"a product that fits, and is too large", ASSUMING("assume range: w <= 5 && w >= -5; assume factor: w * w <= 9;"),
     4, 4, 2},
    {"overflow of a product of ranges",
     ASSUMING("assume range: w >= 0 && w <= 4294967296; assume factor: w * (w * 2) <= 9;"), 4294967296, 4, 2},
    {"the one before fails, and what rests on it overflows",
     ASSUMING("assume range: 0 <= w && 4 > w; assume factor: w * 4611686018427387904 >= 0;"), 8, 4, 1},
    {"a range of the other sign", ASSUMING("assume range: -9 <= w && w < 0; assume factor: 10 / w < 0 && 10 % w >= 0;"),
     -3, 4, 0},
    {"a divisor whose range has 0", ASSUMING("assume range: -1 <= w && w <= 1; assume factor: 10 / w < 11;"), 0, 4, 2},
    {"the least number by -1",
     ASSUMING("assume range: w >= -1 && w <= 1; assume factor: (w - 9223372036854775807) / w > -9;"), -1, 4, 2},
    {"in mid-run", IN_MID_RUN("", "100000", "f.s0.x < w"), 2, 4, 100},
    {"in mid-run, on the stack", IN_MID_RUN("", "10", "f.s0.x < w"), 2, 4, 100},
    {"in mid-run, holds", IN_MID_RUN("", "100000", "f.s0.x < w"), 4, 4, 0},
};

static void check_assumption(const char *text, int64_t w, int64_t len, int failed) {
  program p = open_program(text);
  hy_codegen_options options = hy_codegen_default();
  hy_native *native = hy_native_compile(p.context, p.tgt, &options);
  inputs in;
  make_inputs(&in, p.tgt->alg, w, 0, len);
  hy_buffer *output = hy_buffer_new(p.tgt->alg->output->type, 1, in.min, in.len);
  hy_native_result result;
  hy_native_run(native, &in.input, output, &result);
  ck_assert_int_eq(result.status, failed ? HY_RUN_ASSUME : HY_RAN);
  if (failed && failed < 100) ck_assert_ptr_eq(result.failed, p.tgt->entry[failed - 1]);
  if (failed == 100) {
    ck_assert_int_eq(result.failed->kind, HY_STMT_ASSUME);
    ck_assert_int_eq(result.failed->assume.why, HY_ASSUME_NEED);
  }
  if (!failed) ck_assert_ptr_null(result.failed);
  hy_buffer_free(output);
  hy_native_free(native);
  free_inputs(&in, p.tgt->alg);
  close_program(&p);
}

START_TEST(assume) {
  check_assumption(assumptions[_i].text, assumptions[_i].w, assumptions[_i].len, assumptions[_i].failed);
}
END_TEST

// A failure in one iteration of a parallel loop stops the loop and is the run's.
START_TEST(assume_in_parallel) { check_assumption(IN_MID_RUN("parallel", "5000", "f.s0.x != w"), 77, 200, 100); }
END_TEST

/* -- memory -- */

START_TEST(too_much_memory) {
  program p =
      open_program("target t(w: int) on f(x) { func g(x, y): f64 stages 1; func f(x): f64 stages 1; allocate g[(0, w * "
                   "1000000000), (0, w * 1000000000)]; label g: compute g on [(0, 0), (0, 0)] { label g.s0: for g.s0.y "
                   "in (0, 0) { for g.s0.x in (0, 0) { g(g.s0.x, g.s0.y) <- 1.0; } } } allocate f[(x.min, x.len)]; "
                   "label f: compute f on [(x.min, "
                   "x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0.5; } } }");
  hy_codegen_options options = hy_codegen_default();
  hy_native *native = hy_native_compile(p.context, p.tgt, &options);
  for (int64_t w = 0; w < 100; w += 9) {
    inputs in;
    make_inputs(&in, p.tgt->alg, w, 0, 4);
    hy_buffer *output = hy_buffer_new(HY_F64, 1, in.min, in.len);
    hy_native_result result;
    hy_native_run(native, &in.input, output, &result);
    ck_assert_int_eq(result.status, w == 0 ? HY_RAN : HY_RUN_LIMIT);
    hy_buffer_free(output);
    free_inputs(&in, p.tgt->alg);
  }
  hy_native_free(native);
  close_program(&p);
}
END_TEST

/* -- the exported entry -- */

static hy_native_buffer native_buffer(const hy_buffer *b, hy_native_dimension *dim, uint8_t code, uint8_t bits) {
  for (int d = 0; d < b->rank; d++)
    dim[d] = (hy_native_dimension){(int32_t)b->min[d], (int32_t)b->len[d], (int32_t)b->stride[d], 0};
  return (hy_native_buffer){.host = b->data, .type = {code, bits, 1}, .dimensions = b->rank, .dim = dim};
}

static const char *argv_program =
    "target t(k: u8, in: i16[2], scale: f64) on f(x, y) { func f(x, y): i16 stages 1; allocate "
    "f[(x.min, x.len), (y.min, y.len)]; label f: compute f on [(x.min, x.len), (y.min, y.len)] "
    "{ label f.s0: for f.s0.y in (y.min, y.len) { for f.s0.x in (x.min, x.len) { f(f.s0.x, "
    "f.s0.y) <- in(f.s0.x, f.s0.y) * i16(k) + i16(scale); } } } }";

typedef struct {
  program p;
  hy_native *native;
  hy_buffer *image, *output;
  hy_native_dimension image_dim[2], output_dim[2];
  hy_native_buffer in, out;
  uint8_t k;
  double scale;
} call;

static call open_call(void) {
  call c = {.p = open_program(argv_program), .k = 3, .scale = 100.75};
  hy_codegen_options options = hy_codegen_default();
  c.native = hy_native_compile(c.p.context, c.p.tgt, &options);
  c.image = make_image(c.p.tgt->alg->images[0]);
  c.output = hy_buffer_new(HY_I16, 2, (int64_t[]){2, -3}, (int64_t[]){5, 4});
  return c;
}

static int32_t run_call(call *c) {
  void *args[] = {&c->k, &c->in, &c->scale, &c->out};
  return hy_native_argv_entry(c->native)(args);
}

static void close_call(call *c) {
  hy_buffer_free(c->image);
  hy_buffer_free(c->output);
  hy_native_free(c->native);
  close_program(&c->p);
}

START_TEST(argv) {
  call c = open_call();
  c.in = native_buffer(c.image, c.image_dim, HY_NATIVE_CODE_INT, 16);
  c.out = native_buffer(c.output, c.output_dim, HY_NATIVE_CODE_INT, 16);
  ck_assert_int_eq(run_call(&c), 0);
  for (int64_t y = -3; y < 1; y++)
    for (int64_t x = 2; x < 7; x++) {
      int64_t want = hy_buffer_get(c.image, (int64_t[]){x, y}).i * 3 + 100;
      ck_assert_int_eq(hy_buffer_get(c.output, (int64_t[]){x, y}).i, hy_value_integral(HY_I16, want).i);
    }
  close_call(&c);
}
END_TEST

// Rows of a larger buffer on both sides: nothing else is touched.
START_TEST(argv_part_of_a_buffer) {
  call c = open_call();
  c.in = native_buffer(c.image, c.image_dim, HY_NATIVE_CODE_INT, 16);
  c.out = native_buffer(c.output, c.output_dim, HY_NATIVE_CODE_INT, 16);
  c.in.host += 2 * hy_buffer_offset(c.image, (int64_t[]){1, -5});
  c.in.dim[0] = (hy_native_dimension){1, 20, 120, 0};
  c.in.dim[0].stride = 1;
  c.in.dim[1] = (hy_native_dimension){-5, 30, 120, 0};
  c.out.host += 2 * hy_buffer_offset(c.output, (int64_t[]){3, -2});
  c.out.dim[0] = (hy_native_dimension){3, 2, 1, 0};
  c.out.dim[1] = (hy_native_dimension){-2, 2, 5, 0};
  ck_assert_int_eq(run_call(&c), 0);
  for (int64_t y = -3; y < 1; y++)
    for (int64_t x = 2; x < 7; x++) {
      bool inside = x >= 3 && x < 5 && y >= -2 && y < 0;
      int64_t want = inside ? hy_buffer_get(c.image, (int64_t[]){x, y}).i * 3 + 100 : 0;
      ck_assert_int_eq(hy_buffer_get(c.output, (int64_t[]){x, y}).i, hy_value_integral(HY_I16, want).i);
    }
  close_call(&c);
}
END_TEST

// A buffer of another type, rank or stride is refused before anything runs (docs/build.md).
START_TEST(argv_refused) {
  call c = open_call();
  hy_native_buffer in = native_buffer(c.image, c.image_dim, HY_NATIVE_CODE_INT, 16);
  hy_native_buffer out = native_buffer(c.output, c.output_dim, HY_NATIVE_CODE_INT, 16);
  hy_native_dimension dims[2] = {out.dim[0], out.dim[1]};
  for (int k = 0; k < 9; k++) {
    c.in = in, c.out = out;
    c.out.dim = dims;
    dims[0] = c.output_dim[0];
    if (k == 0) c.in.type.bits = 8;
    if (k == 1) c.in.type.code = HY_NATIVE_CODE_UINT;
    if (k == 2) c.out.dimensions = 1;
    if (k == 3) dims[0].stride = 2;
    if (k == 4) dims[0].extent = -1;
    if (k == 5) c.in.host = NULL;
    if (k == 6) c.in.dim = NULL;
    if (k == 7) c.in.type.lanes = 4;
    if (k == 8) c.in.host++;
    ck_assert_int_eq(run_call(&c), HY_NATIVE_BAD_BUFFER);
  }
  close_call(&c);
}
END_TEST

// An output of two values: two buffers of one box, or none is written (D80).
START_TEST(argv_of_two_values) {
  static const char text[] =
      "target t() on f(x) { func f(x): (u8, i16) stages 1; allocate f[(x.min, x.len)]; label f: compute f on "
      "[(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- (u8(f.s0.x), 0 - i16(f.s0.x)); } } }";
  program p = open_program(text);
  hy_codegen_options options = hy_codegen_default();
  hy_native *native = hy_native_compile(p.context, p.tgt, &options);
  hy_buffer *first = hy_buffer_new(HY_U8, 1, (int64_t[]){2}, (int64_t[]){5});
  hy_buffer *second = hy_buffer_new(HY_I16, 1, (int64_t[]){2}, (int64_t[]){5});
  hy_native_dimension dims[2];
  hy_native_buffer a = native_buffer(first, &dims[0], HY_NATIVE_CODE_UINT, 8),
                   b = native_buffer(second, &dims[1], HY_NATIVE_CODE_INT, 16);
  void *args[] = {&a, &b};
  dims[1].min++;
  ck_assert_int_eq(hy_native_argv_entry(native)(args), HY_NATIVE_BAD_BUFFER);
  dims[1].min--, dims[1].extent--;
  ck_assert_int_eq(hy_native_argv_entry(native)(args), HY_NATIVE_BAD_BUFFER);
  dims[1].extent++;
  ck_assert_int_eq(first->data[4], 0);
  ck_assert_int_eq(hy_native_argv_entry(native)(args), 0);
  for (int64_t x = 2; x < 7; x++)
    ck_assert(hy_buffer_get(first, &x).u == (uint64_t)x && hy_buffer_get(second, &x).i == -x);
  hy_buffer_free(first);
  hy_buffer_free(second);
  hy_native_free(native);
  close_program(&p);
}
END_TEST

/* -- vector loads touch nothing but what lanes read: the image lies between two pages that may not be touched -- */

// The window is [0, 19): two whole vectors and a part, or [0, 16): whole vectors alone.
static const struct {
  const char *name, *text;
  int64_t min, last, slope; // the image is [min, last + slope * (window - 19)]; downwards for slope -1
} tight[] = {
    {"dense", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(f.s0.x)") TAIL, 0, 18, 1},
    {"stencil", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(f.s0.x - 1) + in(f.s0.x + 1)") TAIL, -1, 19, 1},
    {"stride 2", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(2 * f.s0.x)") TAIL, 0, 36, 2},
    {"stride 3", HEAD1("in: u8[1]", "u8") X1("4", "vectorized", "in(3 * f.s0.x)") TAIL, 0, 54, 3},
    {"stride 4", HEAD1("in: u8[1]", "u8") X1("16", "vectorized", "in(4 * f.s0.x)") TAIL, 0, 72, 4},
    {"stride -1", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(18 - f.s0.x)") TAIL, 0, 18, 0},
    {"stride 9", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(9 * f.s0.x)") TAIL, 0, 162, 9},
    {"upsampled", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(f.s0.x / 2)") TAIL, 0, 9, 0},
    {"upsampled, odd", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in((f.s0.x + 1) / 2)") TAIL, 0, 9, 0},
    {"clamped", HEAD1("in: u8[1]", "u8") X1("8", "vectorized", "in(clamp(f.s0.x - 2, 0, 11))") TAIL, 0, 11, 0},
    {"predicated",
     HEAD("in: u8[1]", "u8",
          "2") "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; } label f.s1: for f.s1.xo in (0, (x.len + "
               "7) / 8) { for vectorized f.s1.xi in (0, 8) { let f.s1.x = x.min + f.s1.xi + 8 * f.s1.xo by split "
               "guard(f.s1.xo, f.s1.xi, 8, (x.min, x.len)) in { if guard (f.s1.x < x.min + x.len) { if (f.s1.x > 2) { "
               "f(f.s1.x) <- f(f.s1.x) + in(f.s1.x) + in(2 * f.s1.x - 5); } } } } }" TAIL,
     1, 31, 2},
};

static void run_between_pages(hy_native_argv *entry, int64_t min, int64_t len, int32_t window, bool at_end) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_ne(pages, MAP_FAILED);
  ck_assert_int_eq(mprotect(pages + page, page, PROT_READ | PROT_WRITE), 0);
  uint8_t out[100];
  memset(out, 0xab, sizeof out);
  hy_native_dimension in_dim = {(int32_t)min, (int32_t)len, 1, 0}, out_dim = {0, window, 1, 0};
  hy_native_buffer in = {.type = {HY_NATIVE_CODE_UINT, 8, 1}, .dimensions = 1, .dim = &in_dim};
  in.host = at_end ? pages + 2 * page - len : pages + page;
  hy_native_buffer output = {.host = out + 32, .type = {HY_NATIVE_CODE_UINT, 8, 1}, .dimensions = 1, .dim = &out_dim};
  ck_assert_int_eq(entry((void *[]){&in, &output}), 0);
  for (int i = 0; i < 100; i++)
    if (i < 32 || i >= 32 + window) ck_assert_int_eq(out[i], 0xab);
  munmap(pages, 3 * page);
}

// GEN.Mask
START_TEST(nothing_beyond_the_image) {
  program p = open_program(tight[_i / 2].text);
  hy_codegen_options options = hy_codegen_default();
  options.scalar_tails = _i % 2;
  hy_native *native = hy_native_compile(p.context, p.tgt, &options);
  for (int32_t window = 16; window <= 19; window += 3) {
    int64_t len = tight[_i / 2].last + tight[_i / 2].slope * (window - 19) - tight[_i / 2].min + 1;
    run_between_pages(hy_native_argv_entry(native), tight[_i / 2].min, len, window, false);
    run_between_pages(hy_native_argv_entry(native), tight[_i / 2].min, len, window, true);
  }
  hy_native_free(native);
  close_program(&p);
}
END_TEST

/* -- instrumentation: under a sanitizer, native code that misbehaves is seen -- */

#if defined(HALYARD_SANITIZE_ADDRESS) || defined(HALYARD_SANITIZE_THREAD)
START_TEST(misbehaviour_is_seen) {
  setenv("HALYARD_NUM_THREADS", "2", 1);
  program p =
      open_program(HEAD1("in: u8[1], w: int", "u8") "label f.s0: for parallel f.s0.x in (x.min, x.len) { f(f.s0.x) "
                                                    "<- in(f.s0.x); }" TAIL);
  // Every iteration writes the same cell; under AddressSanitizer it lies before the buffer.
  hy_tgt tgt = *p.tgt;
  const hy_expr *cell = hy_expr_int(p.context, _i);
  tgt.body = redirect(p.context, tgt.body, &cell);
  hy_codegen_options options = hy_codegen_default();
  hy_native *native = hy_native_compile(p.context, &tgt, &options);
  inputs in;
  make_inputs(&in, tgt.alg, 0, 0, 300);
  hy_buffer *output = hy_buffer_new(HY_U8, 1, in.min, in.len);
  hy_native_result result;
  for (int i = 0; i < 3000; i++) hy_native_run(native, &in.input, output, &result);
  exit(0);
}
END_TEST
#endif

/* -- texts -- */

START_TEST(printing) {
  program p = open_program(HEAD1("in: u16[1]", "u16") X1("8", "vectorized", "in(f.s0.x - 1) / 3") TAIL);
  hy_codegen_options options = hy_codegen_default();
  options.target = hy_target_find("x86-64-v4"); // has masks for 16 bits, whatever this machine has
  hy_text plain = {0}, optimized = {0}, assembly = {0}, object = {0};
  hy_native_print_llvm(p.context, p.tgt, &options, false, &plain);
  hy_native_print_llvm(p.context, p.tgt, &options, true, &optimized);
  hy_native_print_asm(p.context, p.tgt, &options, &assembly);
  ck_assert_ptr_nonnull(strstr(hy_text_string(&plain), "<8 x i16>"));
  ck_assert_ptr_nonnull(strstr(hy_text_string(&plain), "llvm.masked.store"));
  ck_assert_ptr_nonnull(strstr(hy_text_string(&optimized), "define"));
  ck_assert_ptr_nonnull(strstr(hy_text_string(&assembly), "t_argv:"));
  hy_native_object(p.context, p.tgt, &options, &object);
  ck_assert_uint_gt(object.length, 500);
  ck_assert_int_eq(memcmp(object.data, "\177ELF", 4), 0);
  ck_assert_ptr_nonnull(memmem(object.data, object.length, "t_argv", 7));
  hy_text_free(&object);
  hy_text_free(&plain);
  hy_text_free(&optimized);
  hy_text_free(&assembly);
  close_program(&p);
}
END_TEST

// What a schedule may ask for is more than LLVM can take: its passes need time with the square of what they are given.
static const struct {
  const char *factor;
  int most; // occurrences of the factor, once for each copy
  bool plain;
} unrollings[] = {{"4", 16, false}, {"32", 1024, true}, {"64", 64, false}, {"256", 256, true}};

static int count_of(const hy_text *text, const char *word) {
  int count = 0;
  for (const char *at = hy_text_string(text); (at = strstr(at, word)); at += strlen(word)) count++;
  return count;
}

START_TEST(copies_of_copies) {
  char text[1200];
  const char *n = unrollings[_i].factor;
  snprintf(
      text, sizeof text,
      HEAD1("in: u16[1]",
            "u16") "label f.s0: for f.s0.v in (0, (x.len + %s * %s - 1)/(%s * %s)) { for unrolled f.s0.o in (0, %s) { "
                   "for unrolled f.s0.i in (0, %s) { let f.s0.w = f.s0.i + %s * f.s0.o by split guard(f.s0.o, f.s0.i, "
                   "%s, (0, %s * "
                   "%s)) in { let f.s0.x = x.min + f.s0.w + %s * %s * f.s0.v by split guard(f.s0.v, f.s0.w, %s * %s, "
                   "(x.min, x.len)) "
                   "in { if guard (f.s0.x < x.min + x.len) { f(f.s0.x) <- in(f.s0.x - 1) / 3 * 4321; } } } } } }" TAIL,
      n, n, n, n, n, n, n, n, n, n, n, n, n, n);
  program p = open_program(text);
  hy_codegen_options options = hy_codegen_default();
  hy_text plain = {0};
  hy_native_print_llvm(p.context, p.tgt, &options, false, &plain);
  ck_assert_int_eq(count_of(&plain, ", 4321"), unrollings[_i].most);
  ck_assert_int_eq(count_of(&plain, "llvm.loop.unroll.disable") > 0, unrollings[_i].plain);
  hy_text_free(&plain);
  close_program(&p);
}
END_TEST

// Loads whose lanes lie anywhere are much code: many of them are emitted for all lanes once in each loop, and for the
// ends of lines, and at borders, in loops over the lanes.
static const struct {
  const char *loop, *guard, *index;
  int terms, most; // how often the factor stands there: 16 times in a vector, once for one lane
} scattered[] = {
    {"unrolled", "guard", "(f.s0.x + %d) / 3", 12, 8 * 32}, // unrolled, each for all lanes and under a mask
    {"unrolled", "guard", "(f.s0.x + %d) / 3", 40, 32},     // 320 loads: a loop
    {"unrolled", "implied", "(f.s0.x + %d) / 3", 25, 8 * 16},
    {"unrolled", "implied", "(f.s0.x + %d) / 3", 40, 16},
    {"", "guard", "(f.s0.x + %d) / 3", 300, 16 + 1},                          // lane by lane, not under a mask
    {"", "implied", "clamp(f.s0.x + %d, 0, in.len(0) - 1)", 20, 3 * 16},      // in three pieces
    {"", "implied", "clamp(f.s0.x + %d, 0, in.len(0) - 1)", 300, 1 + 16 + 1}, // the outer ones lane by lane
};

static const char *sum_of_loads(const char *index, int terms, char *text, size_t size) {
  size_t length = 0;
  for (int i = 0; i < terms; i++) {
    char at[80];
    snprintf(at, sizeof at, index, i);
    length += (size_t)snprintf(text + length, size - length, "%sin(%s)", i ? " + " : "", at);
  }
  return text;
}

#define IN_RANGE(min, len)                                                                                             \
  "assume range: -2147483648 <= " min " && " min " <= 2147483648; assume range: 0 <= " len " && " len " <= "           \
  "2147483648; "
#define RANGED                                                                                                         \
  "target t(in: u16[1]) on f(x) { func f(x): u16 stages 1; entry { " IN_RANGE("x.min", "x.len")                        \
      IN_RANGE("in.min(0)", "in.len(0)") "} allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { "

START_TEST(scattered_bodies) {
  static char sum[20000], text[24000];
  snprintf(text, sizeof text,
           RANGED "label f.s0: for f.s0.v in (0, (x.len + 127) / 128) { for %s f.s0.o in (0, 8) { "
                  "for vectorized f.s0.i in (0, 16) { let f.s0.w = f.s0.i + 16 * f.s0.o by split "
                  "guard(f.s0.o, f.s0.i, 16, (0, 128)) in { let f.s0.x = x.min + f.s0.w + 128 * "
                  "f.s0.v by split guard(f.s0.v, f.s0.w, 128, (x.min, x.len)) in { "
                  "if %s (f.s0.x < x.min + x.len) { f(f.s0.x) <- (%s) * 4321; } } } } } }" TAIL,
           scattered[_i].loop, scattered[_i].guard,
           sum_of_loads(scattered[_i].index, scattered[_i].terms, sum, sizeof sum));
  program p = open_program(text);
  hy_codegen_options options = hy_codegen_default();
  hy_text plain = {0};
  hy_native_print_llvm(p.context, p.tgt, &options, false, &plain);
  ck_assert_int_eq(count_of(&plain, " 4321"), scattered[_i].most);
  hy_text_free(&plain);
  close_program(&p);
}
END_TEST

Suite *codegen_program_suite(void) {
  Suite *suite = suite_create("codegen_program");
  TCase *tests = tcase_create("programs");
  tcase_set_timeout(tests, 120);
  tcase_add_loop_test(tests, programs, 0, (int)HY_COUNT(rows));
  tcase_add_test(tests, wide_vectors);
  tcase_add_loop_test(tests, predicate_with_else, 0, 2);
  tcase_add_test(tests, backward_stores);
  tcase_add_loop_test(tests, nothing_beyond_the_image, 0, 2 * (int)HY_COUNT(tight));
  tcase_add_loop_test(tests, assume, 0, (int)HY_COUNT(assumptions));
  tcase_add_test(tests, assume_in_parallel);
  tcase_add_test(tests, too_much_memory);
  tcase_add_test(tests, argv);
  tcase_add_test(tests, argv_part_of_a_buffer);
  tcase_add_test(tests, argv_refused);
  tcase_add_test(tests, argv_of_two_values);
  tcase_add_test(tests, printing);
  tcase_add_loop_test(tests, copies_of_copies, 0, (int)HY_COUNT(unrollings));
  tcase_add_loop_test(tests, scattered_bodies, 0, (int)HY_COUNT(scattered));
#if defined(HALYARD_SANITIZE_ADDRESS)
  tcase_add_loop_exit_test(tests, misbehaviour_is_seen, 1, -1, 0);
#elif defined(HALYARD_SANITIZE_THREAD)
  tcase_add_loop_exit_test(tests, misbehaviour_is_seen, 66, 0, 1);
#endif
  suite_add_tcase(suite, tests);
  return suite;
}
