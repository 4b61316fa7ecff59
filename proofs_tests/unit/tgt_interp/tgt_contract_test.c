/* The shadow monitor: every way to break the contract of a target program is seen, and its twin that keeps it passes.
 * Rows with KEPT are the twins (decisions D7, D38, D45, D51, D54, D56, D63).
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/tgt_harness.h"

typedef struct {
  const char *name;
  const char *text;
  int64_t w;
  hy_contract contract;
  const char *story; // a part of it
  bool no_output;    // the run ends at once
} row;

#define KEPT HY_CONTRACT_KEPT, NULL, false

// f reads the image where "index" says, and has a predicate.
#define UPDATE(statement) ONE_FUNC(STAGE0 "label f.s1: for f.s1.x in (x.min, x.len) { " statement " }")
#define PIECES(first, second)                                                                                          \
  ONE_FUNC(STAGE0 "label f.s1: { for f.s1.x in " first " of f.s1.x (0, 4) { f(f.s1.x) <- 1; } for f.s1.y in " second   \
                  " of f.s1.x (0, 4) { f(f.s1.y) <- 1; } }")
#define REDUCE(statement) ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.x in (x.min, x.len) { " statement " }")
// Stage 0 leaves f(3) undefined.
#define PARTLY(statement)                                                                                              \
  ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len - 1) { f(f.s0.x) <- 0; } label f.s1: for rdom f.s1.x in (x.min, "  \
           "x.len) { " statement " }")
#define IMAGE(rank, reads)                                                                                             \
  "target t(in: u8[" rank "]) on f(x) { func f(x): u8 stages 1; allocate f[(x.min, x.len)]; label f: compute f on "    \
  "[(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- " reads "; } } }"
// g is stored on [0, 10), and right and written on [0, 5).
#define HOLLOW(use) TWO_FUNCS("(0, 10)", "(0, 5)", MAKE_G("0", "5"), use)
// g is stored on [0, 4) x [0, 10), and right on [0, 4) x [0, 5); f reads g(a, 7).
#define BESIDE(a)                                                                                                      \
  "target t(w: int) on f(x) { func g(a, b): int stages 1; func f(x): int stages 1; allocate g[(0, 4), (0, 10)]; "      \
  "label g: compute g on [(0, 4), (0, 5)] { label g.s0: for g.s0.b in (0, 10) { for g.s0.a in (0, 4) { g(g.s0.a, "     \
  "g.s0.b) <- 1; } } } allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x "   \
  "in (x.min, x.len) { f(f.s0.x) <- g(" a ", 7); } } }"
// A predicate of f reads g.
#define BY_PREDICATE(predicate) BY_PREDICATE_OF("serial", predicate)
#define BY_PREDICATE_OF(word, predicate)                                                                               \
  HOLLOW("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; } label f.s1: for " word                          \
         " f.s1.x in (x.min, x.len) { if (" predicate ") { f(f.s1.x) <- 1; } }")
// As before, but only [0, 4) of the eight points of f has to be right.
#define BY_PREDICATE_NARROW(predicate)                                                                                 \
  "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[(0, 10)]; label g: "        \
  "compute "                                                                                                           \
  "g on [(0, 5)] { " MAKE_G(                                                                                           \
      "0", "5") " } allocate f[(-5, 12)]; label f: compute f on [(0, 4)] { label f.s0: for "                           \
                "f.s0.x in (-2, 8) { f(f.s0.x) <- 0; } label f.s1: for f.s1.x in (-2, 8) { if (" predicate             \
                ") { f(f.s1.x) <- 1; } } "                                                                             \
                "} }"
// A parallel loop around a computation whose storage is outside (D38), or inside.
#define BETWEEN(outside, inside, index)                                                                                \
  "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; " outside                              \
  " allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for parallel f.s0.x in (x.min, "  \
  "x.len) { " inside " label g: compute g on [" index "] { label g.s0: for g.s0.a in " index                           \
  " { g(g.s0.a) <- g.s0.a; } } f(f.s0.x) <- g(f.s0.x); } } }"
#define COVER(loops, lhs, close)                                                                                       \
  "target t(w: int) on f(x, y) { func f(x, y): int stages 1; allocate f[(-9, 30), (-9, 30)]; label f: compute f on "   \
  "[(x.min, x.len), (y.min, y.len)] { label f.s0: " loops " { f(" lhs ") <- 1; } " close "} }"
// Stage 1 runs along a let by given, made of a loop that is so marked and has so many iterations; the let's own
// interval has "length" values.
#define GIVEN(mark, iterations, length, guard)                                                                         \
  ONE_FUNC(STAGE0 "label f.s1: for " mark "f.s1.t in (0, " iterations ") { let f.s1.x = x.min + f.s1.t by given turn " \
                  "guard(f.s1.t; f.s1.x; f.s1.t = f.s1.x - x.min; (x.min, " length ")) in { if guard (" guard          \
                  ") { f(f.s1.x) <- 1; } } }")
#define BOUNDS(min, len) ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (" min ", " len ") { f(0) <- 1; }")

// g is folded, and computed anew for each point of f.
#define FOLDED(fold, stores, close, use)                                                                               \
  "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[(-5, 30)] fold(a, " fold    \
  "); allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) "  \
  "{ label g: compute g on [(f.s0.x, 3)] { label g.s0: " stores " g(g.s0.a) <- g.s0.a; " close " } f(f.s0.x) <- " use  \
  "; } } }"
#define LOST FOLDED("2", "for g.s0.a in (f.s0.x, 3) {", "}", "g(f.s0.x) + g(f.s0.x + 1)")

static const row rows[] = {
    // WRITE_OUTSIDE
    {"write beside Mem", REDUCE("f(f.s1.x + 1) <- 1;"), 0, HY_CONTRACT_WRITE_OUTSIDE,
     "f(4): is written outside Mem(f) = [0, 4); f.s1.x = 3", false},
    {"write below Mem", REDUCE("f(f.s1.x - 1) <- 1;"), 0, HY_CONTRACT_WRITE_OUTSIDE, "f(-1): is written outside",
     false},
    {"write far outside", REDUCE("f(f.s1.x * 4611686018427387904) <- 1;"), 0, HY_CONTRACT_WRITE_OUTSIDE,
     "f(4611686018427387904)", false},
    {"write outside Mem in one dimension, erring in another (D77)",
     "target t(w: int) on f(x, y) { func f(x, y): int stages 1; allocate f[(x.min, x.len), (y.min, y.len)]; label f: "
     "compute f on [(x.min, x.len), (y.min, y.len)] { label f.s0: for f.s0.y in (y.min, y.len) { for f.s0.x in (x.min, "
     "x.len) { f(f.s0.x, f.s0.y) <- 3; } } label f.s1: for rdom f.s1.r in (0, 1) { f(1 / f.s1.r, 9) <- 7; } } }",
     0, HY_CONTRACT_WRITE_OUTSIDE, "f(eps_arith, 9): is written outside Mem(f)", false}, // TGT.Assign-Out
    {"write within Mem", REDUCE("f(3 - f.s1.x) <- 1;"), 0, KEPT},
    // BOUNDS_ERROR in programs in pieces (TGT.Mon-Pieces, TGT.If-Implied)
    {"a guard that is left out does not hold", UPDATE("if implied (f.s1.x < 3) { f(f.s1.x) <- 1; }"), 0,
     HY_CONTRACT_BOUNDS_ERROR, "a guard that is left out does not hold", false},
    {"a guard that is left out holds", UPDATE("if implied (f.s1.x < 4) { f(f.s1.x) <- 1; }"), 0, KEPT},
    {"in some lane a guard that is left out does not hold",
     ONE_FUNC(STAGE0 "label f.s1: for vectorized f.s1.x in (0, 4) { if implied (f.s1.x < 3) { f(f.s1.x) <- 1; } }"), 0,
     HY_CONTRACT_BOUNDS_ERROR, "a guard that is left out does not hold", false},
    {"a piece begins before the one in front of it has ended", PIECES("(0, 3)", "(2, 2)"), 0, HY_CONTRACT_BOUNDS_ERROR,
     "a piece begins before", false},
    {"a piece leaves its loop", PIECES("(0, 2)", "(2, 3)"), 0, HY_CONTRACT_BOUNDS_ERROR, "a piece begins before",
     false},
    {"pieces stand one behind the other", PIECES("(0, 2)", "(2, 2)"), 0, KEPT},
    // READ_OUTSIDE (TGT.Read-Out, TGT.Read-Arms)
    {"read beside Mem", REDUCE("f(f.s1.x) <- f(f.s1.x + 1);"), 0, HY_CONTRACT_READ_OUTSIDE,
     "f(3): reads f(4), outside Mem(f) = [0, 4)", false},
    {"read an image outside", IMAGE("1", "in(f.s0.x - 3)"), 0, HY_CONTRACT_READ_OUTSIDE,
     "f(0): reads in(-3), outside Mem(in) = [-2, 10)", false},
    {"read an image (D14)", IMAGE("1", "in(f.s0.x - 2)"), 0, KEPT},
    {"an arm that is not selected counts (D56)", IMAGE("1", "select(f.s0.x < 9, in(f.s0.x), in(f.s0.x + 90))"), 0,
     HY_CONTRACT_READ_OUTSIDE, "reads in(90)", false},
    {"an arm whose index is an error reads nothing",
     IMAGE("1", "select(f.s0.x > 0, in(f.s0.x), in(1 / (f.s0.x - f.s0.x)))"), 0, KEPT},
    {"an access behind && counts (D56)", IMAGE("1", "u8(f.s0.x < 0 && in(f.s0.x + 90) == 0)"), 0,
     HY_CONTRACT_READ_OUTSIDE, "reads in(90)", false},
    {"an access nested in an index counts", IMAGE("1", "in(int(in(f.s0.x)) / 4)"), 0, HY_CONTRACT_READ_OUTSIDE,
     "f(0): reads in(21)", false},
    {"a predicate's access", REDUCE("if (f(f.s1.x + 1) == 0) { f(f.s1.x) <- 1; }"), 0, HY_CONTRACT_READ_OUTSIDE,
     "a condition reads f(4), outside Mem(f)", false},
    {"what a false predicate guards is not read",
     REDUCE("if (f.s1.x + 1 < x.min + x.len) { f(f.s1.x) <- f(f.s1.x + 1); }"), 0, KEPT},
    {"the window beside Mem",
     "target t() on f(x) { func f(x): int stages 1; allocate f[(0, 3)]; label f: compute f on [(0, 3)] { label f.s0: "
     "for "
     "f.s0.x in (0, 3) { f(f.s0.x) <- 1; } } }",
     0, HY_CONTRACT_READ_OUTSIDE, "the window holds f(3), outside Mem(f) = [0, 3)", false},
    // CPU_OUTSIDE (TGT.Mon-Cpu)
    {"reads beside Cpu", HOLLOW(USE_G("f.s0.x + 2")), 0, HY_CONTRACT_CPU_OUTSIDE,
     "f(3): reads g(5), outside Cpu(g) = [0, 5); f.s0.x = 3", false},
    {"reads within Cpu", HOLLOW(USE_G("f.s0.x + 1")), 0, KEPT},
    {"Cpu is declared, not what happens to be written",
     TWO_FUNCS("(0, 10)", "(0, 2)", MAKE_G("0", "10"), USE_G("f.s0.x")), 0, HY_CONTRACT_CPU_OUTSIDE, "reads g(2)",
     false},
    {"reads itself beside Cpu",
     "target t() on f(x) { func f(x): int stages 1; allocate f[(-2, 20)]; label f: compute f on [(x.min, x.len)] { "
     "label "
     "f.s0: for f.s0.x in (-2, 20) { f(f.s0.x) <- 0; } label f.s1: for rdom f.s1.x in (x.min, x.len) { f(f.s1.x) <- "
     "f(f.s1.x - "
     "1); } } }",
     0, HY_CONTRACT_CPU_OUTSIDE, "f(0): reads f(-1), outside Cpu(f) = [0, 4)", false},
    {"an address always reads within Cpu (D56)",
     "target t() on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[(-3, 20)]; label g: compute g "
     "on "
     "[(0, 4)] { label g.s0: for g.s0.a in (-3, 20) { g(g.s0.a) <- 1; } } allocate f[(-2, 20)]; label f: compute f on "
     "[(0, "
     "4)] { label f.s0: for f.s0.x in (0, 5) { f(f.s0.x) <- g(g(f.s0.x)); } } }",
     0, HY_CONTRACT_CPU_OUTSIDE, "f(4): an index reads g(4), outside Cpu(g)", false},
    {"a value may read beside Cpu where the point is beside too",
     "target t() on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[(-3, 20)]; label g: compute g "
     "on "
     "[(0, 4)] { label g.s0: for g.s0.a in (0, 4) { g(g.s0.a) <- 1; } } allocate f[(-2, 20)]; label f: compute f on "
     "[(0, "
     "4)] { label f.s0: for f.s0.x in (-2, 8) { f(f.s0.x) <- g(f.s0.x); } } }",
     0, KEPT},
    {"a left-hand index is an address",
     HOLLOW("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; } label f.s1: for rdom f.s1.r in (5, 1) { "
            "f(clamp(g(f.s1.r), 0, 3)) <- 1; }"),
     0, HY_CONTRACT_UNDEFINED, "is written at an undefined address", false},
    {"a left-hand index reads within Cpu, though its point is beside",
     "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[(0, 10)]; label g: "
     "compute g "
     "on [(0, 5)] { " MAKE_G(
         "0",
         "10") " } allocate f[(-5, 20)]; label f: compute f on [(0, 4)] { label f.s0: for f.s0.x "
               "in (0, 4) { f(f.s0.x) <- 0; } label f.s1: for rdom f.s1.r in (6, 1) { f(g(f.s1.r) / 10) <- 1; } } }",
     0, HY_CONTRACT_CPU_OUTSIDE, "f(6): an index reads g(6), outside Cpu(g) = [0, 5)", false},
    {"a predicate at a point in Cpu, taken", BY_PREDICATE("g(f.s1.x + 2) == 7 || true"), 0, HY_CONTRACT_CPU_OUTSIDE,
     "f(3): its predicate reads g(5), outside Cpu(g) = [0, 5)", false},
    {"a predicate at a point in Cpu, not taken", BY_PREDICATE("g(f.s1.x + 2) == 7 && false"), 0,
     HY_CONTRACT_CPU_OUTSIDE, "f(3): its predicate reads g(5)", false},
    {"a predicate within Cpu", BY_PREDICATE("g(f.s1.x + 1) > 10"), 0, KEPT},
    {"a lane's predicate at a point in Cpu, not taken", BY_PREDICATE_OF("vectorized", "g(f.s1.x + 2) == 7 && false"), 0,
     HY_CONTRACT_CPU_OUTSIDE, "f(3): its predicate reads g(5)", false},
    {"a lane's predicate within Cpu", BY_PREDICATE_OF("vectorized", "g(f.s1.x + 1) > 10"), 0, KEPT},
    {"a predicate at a point beside Cpu", BY_PREDICATE_NARROW("g(f.s1.x + 1 - select(f.s1.x < 0, f.s1.x, 0)) > 10"), 0,
     KEPT},
    {"a predicate's nested access is an address", BY_PREDICATE_NARROW("g(clamp(g(f.s1.x + 2), 0, 4)) > 10"), 0,
     HY_CONTRACT_CPU_OUTSIDE, "a condition reads g(5), outside Cpu(g)", false},
    {"an access beside Cpu in its second dimension", BESIDE("0"), 0, HY_CONTRACT_CPU_OUTSIDE, "reads g(0, 7)", false},
    {"an access that errs reads nothing, wherever its second coordinate lies", BESIDE("1 / (f.s0.x - f.s0.x)"), 0,
     KEPT},
    {"Cpu is the box of the last execution (TGT.Compute)",
     "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[(x.min, x.len)]; "
     "allocate "
     "f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { label g: "
     "compute g on [(f.s0.x, 1)] { label g.s0: for g.s0.a in (f.s0.x, 1) { g(g.s0.a) <- 1; } } f(f.s0.x) <- g(f.s0.x); "
     "} } }",
     0, KEPT},
    {"the window beside Cpu (D50)",
     "target t() on f(x) { func f(x): int stages 1; allocate f[(0, 4)]; label f: compute f on [(0, 3)] { label f.s0: "
     "for "
     "f.s0.x in (0, 4) { f(f.s0.x) <- 1; } } }",
     0, HY_CONTRACT_CPU_OUTSIDE, "the window holds f(3), outside Cpu(f) = [0, 3)", false},
    // CPU_UNCOVERED (D54, D55): TGT.Mon-Cover
    {"a stage leaves a point out", ONE_FUNC("label f.s0: for f.s0.x in (x.min, x.len - 1) { f(f.s0.x) <- 1; }"), 0,
     HY_CONTRACT_CPU_UNCOVERED, "f(3): stage 0 leaves it out of Cpu(f) = [0, 4)", false},
    {"a later stage leaves a point out",
     ONE_FUNC(STAGE0 "label f.s1: for f.s1.x in (x.min + 1, x.len - 1) { f(f.s1.x) <- 1; }"), 0,
     HY_CONTRACT_CPU_UNCOVERED, "f(0): stage 1 leaves it out", false},
    {"a false predicate covers its point", UPDATE("if (f.s1.x > 100) { f(f.s1.x) <- 1; }"), 0, KEPT},
    {"a false guard does not", UPDATE("if guard (f.s1.x < 3) { f(f.s1.x) <- 1; }"), 0, HY_CONTRACT_CPU_UNCOVERED,
     "f(3): stage 1", false},
    // by given: the let is what its first loop is, pure or not
    {"a let by given of a pure loop runs along the dimension", GIVEN("", "x.len", "x.len", "f.s1.x < x.min + x.len"), 0,
     KEPT},
    {"it stops too early", GIVEN("", "x.len - 1", "x.len", "f.s1.x < x.min + x.len"), 0, HY_CONTRACT_CPU_UNCOVERED,
     "f(3): stage 1", false},
    {"a let by given of a reduction loop need not", GIVEN("rdom ", "1", "1", "f.s1.x < x.min + x.len"), 0, KEPT},
    {"but once", GIVEN("rdom ", "1", "1", "f.s1.x < x.min"), 0, HY_CONTRACT_CPU_UNCOVERED, "f(_): stage 1", false},
    {"nothing to reduce, says its interval (D62)", GIVEN("rdom ", "1", "0", "f.s1.x < x.min"), 0, KEPT},
    {"a predicate reads outside of Cpu what was written all the same (D56)",
     TWO_FUNCS(
         "(0, 10)", "(0, 5)", MAKE_G("0", "6"),
         "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; } label f.s1: for f.s1.x in (x.min, x.len) { "
         "if (g(f.s1.x + 2) > 0) { f(f.s1.x) <- 1; } }"),
     0, HY_CONTRACT_CPU_OUTSIDE, "f(3): its predicate reads g(5), outside Cpu(g) = [0, 5)", false}, // TGT.Mon-Cpu
    {"nothing to reduce, says the interval of a split (D62)",
     ONE_FUNC(STAGE0
              "label f.s1: for rdom f.s1.o in (0, 2) { for rdom f.s1.i in (0, 1) { let f.s1.r = f.s1.i + f.s1.o by "
              "split round(f.s1.o, f.s1.i, 1, (0, 0)) in { if guard (f.s1.r < 0) { f(f.s1.r) <- 1; } } } }"),
     0, KEPT},
    {"a diagonal covers no square", COVER("for f.s0.y in (y.min, y.len)", "f.s0.y, f.s0.y", ""), 0,
     HY_CONTRACT_CPU_UNCOVERED, "f(1, 0): stage 0", false},
    {"rows and columns cover it",
     COVER("for f.s0.y in (y.min, y.len) { for f.s0.x in (x.min, x.len)", "f.s0.x, f.s0.y", "} "), 0, KEPT},
    {"over the pure dimensions only",
     "target t() on f(x, y) { func f(x, y): int stages 1; allocate f[(0, 4), (0, 4)]; label f: compute f on [(0, 4), "
     "(0, "
     "4)] { label f.s0: for f.s0.y in (0, 4) { for f.s0.x in (0, 4) { f(f.s0.x, f.s0.y) <- 1; } } label f.s1: for "
     "f.s1.x "
     "in (0, 3) { f(f.s1.x, 0) <- 2; } } }",
     0, HY_CONTRACT_CPU_UNCOVERED, "f(3, _): stage 1 leaves it out", false},
    {"a reduction over no points covers nothing and has nothing to cover (D62)",
     ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (0, w) { for f.s1.x in (x.min, x.len) { f(f.s1.x) <- 1; } }"), 0,
     KEPT},
    {"a reduction over some covers all",
     ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.r in (0, w) { for f.s1.x in (x.min, x.len - 1) { f(f.s1.x) <- 1; } }"),
     1, HY_CONTRACT_CPU_UNCOVERED, "f(3): stage 1", false},
    {"an empty Cpu asks for nothing (D60)",
     TWO_FUNCS("(0, 1)", "(0, 0)", "label g.s0: for g.s0.a in (5, 0) { g(g.s0.a) <- 1; }",
               "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; }"),
     0, KEPT},
    {"a Cpu that is empty in a reduced dimension asks for nothing",
     "target t() on f(x) { func g(a, b): int stages 2; func f(x): int stages 1; allocate g[(0, 4), (0, 4)]; label g: "
     "compute "
     "g on [(0, 4), (0, 0)] { label g.s0: for g.s0.b in (0, 0) { for g.s0.a in (0, 4) { g(g.s0.a, g.s0.b) <- 1; } } "
     "label "
     "g.s1: for g.s1.a in (0, 3) { g(g.s1.a, 0) <- 2; } } allocate f[(x.min, x.len)]; label f: compute f on [(x.min, "
     "x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; } } }",
     0, KEPT},
    // UNDEFINED (D7): TGT.Mon-Undefined
    {"garbage in the window",
     "target t() on f(x) { func f(x): int stages 1; allocate f[(0, 4)]; label f: compute f on [(0, 4)] { label f.s0: "
     "for "
     "rdom f.s0.r in (0, 0) { f(0) <- 1; } } }",
     0, HY_CONTRACT_UNDEFINED, "the window holds f(0), an undefined value", false},
    {"a pure stage whose loop is a reduction (definition 4.3)",
     "target t() on f(x) { func f(x): int stages 1; allocate f[(0, 4)]; label f: compute f on [(0, 4)] { label f.s0: "
     "for "
     "rdom f.s0.r in (0, 1) { f(0) <- 1; } } }",
     0, HY_CONTRACT_CPU_UNCOVERED, "f(1): stage 0 leaves it out of Cpu(f) = [0, 4)", false},
    {"garbage as an index", HOLLOW("label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- g(clamp(g(9), 0, 4)); }"),
     0, HY_CONTRACT_CPU_OUTSIDE, "f(0): an index reads g(9)", false},
    {"a result that rests on garbage",
     TWO_FUNCS("(0, 10)", "(0, 10)", "label g.s0: for g.s0.a in (0, 5) { g(g.s0.a) <- 1; }", USE_G("f.s0.x")), 0,
     HY_CONTRACT_CPU_UNCOVERED, "g(5)", false},
    {"garbage decides a predicate at a point in Cpu", PARTLY("if (f(f.s1.x) == 5) { f(f.s1.x) <- 1; }"), 0,
     HY_CONTRACT_UNDEFINED, "f(3): an undefined value decides its predicate; f.s1.x = 3", false},
    {"garbage is an index", PARTLY("f(f.s1.x) <- f(clamp(f(3), 0, 3));"), 0, HY_CONTRACT_UNDEFINED, "f(0): reads f(",
     false},
    {"garbage is a left-hand index", PARTLY("f(clamp(f(3), 0, 3)) <- 1;"), 0, HY_CONTRACT_UNDEFINED,
     "is written at an undefined address", false},
    {"garbage is a value until it is overwritten", PARTLY("f(f.s1.x) <- 0 * f(f.s1.x);"), 0, HY_CONTRACT_CPU_UNCOVERED,
     "f(3): stage 0", false},
    // RACE (D38, TGT.Mon-Race)
    {"a parallel loop between storage and computation", BETWEEN("allocate g[(x.min, x.len + 1)];", "", "(f.s0.x, 2)"),
     0, HY_CONTRACT_RACE, "g: writes g(1), which another iteration of the parallel loop f.s0.x ", false},
    {"disjoint parts of storage outside", BETWEEN("allocate g[(x.min, x.len + 1)];", "", "(f.s0.x, 1)"), 0, KEPT},
    {"storage inside the parallel loop", BETWEEN("", "allocate g[(f.s0.x, 2)];", "(f.s0.x, 2)"), 0, KEPT},
    {"reads in parallel",
     TWO_FUNCS("(0, 10)", "(0, 10)", MAKE_G("0", "10"),
               "label f.s0: for parallel f.s0.x in (x.min, x.len) { f(f.s0.x) <- g(0); }"),
     0, KEPT},
    {"loops one after the other",
     ONE_FUNC(
         "label f.s0: for parallel f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; } label f.s1: for parallel f.s1.x in "
         "(x.min, x.len) { f(f.s1.x) <- f(f.s1.x) + 1; }"),
     0, KEPT},
    // FOLDED (D86, TGT.Mon-Fold)
    {"what is computed fits the fold", FOLDED("3", "for g.s0.a in (f.s0.x, 3) {", "}", "g(f.s0.x) + g(f.s0.x + 2)"), 0,
     KEPT},
    {"two points of one computation in one cell", LOST, 0, HY_CONTRACT_FOLDED,
     "g(2): is written, whose cell holds g(0) of the same computation; f.s0.x = 0, g.s0.a = 2", false},
    {"a store beside Cpu takes a cell of it", FOLDED("3", "for g.s0.a in (f.s0.x, 4) {", "}", "g(f.s0.x + 1)"), 0,
     HY_CONTRACT_FOLDED, "g(3): is written, whose cell holds g(0)", false},
    {"a store below takes the cell of none", FOLDED("4", "for g.s0.a in (f.s0.x - 1, 4) {", "}", "g(f.s0.x)"), 0, KEPT},
    {"what an execution before has left",
     FOLDED("3", "for rdom g.s0.r in (0, max(1 - f.s0.x, 0)) { for g.s0.a in (f.s0.x, 3) {", "} }", "g(f.s0.x + 2)"), 0,
     HY_CONTRACT_FOLDED, "f(1): reads g(3), whose cell holds g(0); f.s0.x = 1", false},
    // BOUNDS_ERROR (TGT.For-Neg, TGT.If-Guard, TGT.Alloc, D51)
    {"a negative length", BOUNDS("0", "w"), -1, HY_CONTRACT_BOUNDS_ERROR, "the length of loop f.s1.r is -1", true},
    {"a length of zero", BOUNDS("0", "w"), 0, KEPT},
    {"an erroring length", BOUNDS("0", "1 / w"), 0, HY_CONTRACT_BOUNDS_ERROR,
     "the length of loop f.s1.r is the error value eps_arith", true},
    {"an erroring minimum, though there is no iteration", BOUNDS("1 / w", "0"), 0, HY_CONTRACT_BOUNDS_ERROR,
     "the minimum of loop f.s1.r is the error value eps_arith", true},
    {"a loop that ends beyond 64 bits (D78)", BOUNDS("9223372036854775807", "1"), 0, HY_CONTRACT_BOUNDS_ERROR,
     "the length of loop", true},
    {"an erroring guard", UPDATE("if guard (1 / w > 0) { f(f.s1.x) <- 1; }"), 0, HY_CONTRACT_BOUNDS_ERROR,
     "a guard is the error value eps_arith", true},
    {"a constraint that does not hold (D43)", ONE_FUNC("constrain f: w == 7; " STAGE0), 6, HY_CONTRACT_BOUNDS_ERROR,
     "are not what they are constrained to", false}, // TGT.Constrain
    {"a constraint that is an error (D43)", ONE_FUNC("constrain f: 1 / w == 7; " STAGE0), 0, HY_CONTRACT_BOUNDS_ERROR,
     "are not what they are constrained to", false},
    {"a constraint that holds (D43)", ONE_FUNC("constrain f: w == 7; " STAGE0), 7, KEPT},
    {"a negative Mem",
     TWO_FUNCS("(0, w)", "(0, 0)", "label g.s0: for g.s0.a in (0, 0) { g(g.s0.a) <- 1; }",
               "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; }"),
     -3, HY_CONTRACT_BOUNDS_ERROR, "the length of Mem(g) in a is -3", false},
    {"a negative Cpu",
     TWO_FUNCS("(0, 1)", "(0, w)", "label g.s0: for g.s0.a in (0, 0) { g(g.s0.a) <- 1; }",
               "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; }"),
     -3, HY_CONTRACT_BOUNDS_ERROR, "the length of Cpu(g) in a is -3", false},
    {"an erroring Mem",
     TWO_FUNCS("(0, 1 / w)", "(0, 0)", "label g.s0: for g.s0.a in (0, 0) { g(g.s0.a) <- 1; }",
               "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; }"),
     0, HY_CONTRACT_BOUNDS_ERROR, "the length of Mem(g) in a is the error value eps_arith", true},
    // LANES (D45, TGT.Mon-Lanes)
    {"lanes with their own inner bounds",
     ONE_FUNC(STAGE0
              "label f.s1: for vectorized f.s1.x in (x.min, x.len) { for rdom f.s1.r in (0, f.s1.x) { f(f.s1.x) <- "
              "1; } }"),
     0, HY_CONTRACT_LANES, "the lanes have different bounds for an inner loop inside the vectorized loop f.s1.x", true},
    {"lanes with common inner bounds",
     ONE_FUNC(STAGE0
              "label f.s1: for vectorized f.s1.x in (x.min, x.len) { for rdom f.s1.r in (0, w) { f(f.s1.x) <- 1; } "
              "}"),
     3, KEPT},
    {"only active lanes count",
     ONE_FUNC(STAGE0
              "label f.s1: for vectorized f.s1.x in (x.min, x.len) { if guard (f.s1.x == 2) { for rdom f.s1.r in (0, "
              "f.s1.x) { f(f.s1.x) <- 1; } } }"),
     0, HY_CONTRACT_CPU_UNCOVERED, "f(0): stage 1", false},
};

static void check_row(const row *r, const hy_tgt_result *result) {
  hy_run_status status = r->contract == HY_CONTRACT_KEPT ? HY_RAN : HY_RUN_CONTRACT;
  const char *story = result->story ? result->story : "";
  ck_assert_msg(result->contract == r->contract, "%s: %s: %s", r->name, hy_contract_name(result->contract), story);
  ck_assert_msg(result->status == status, "%s: status %d", r->name, result->status);
  ck_assert_msg((result->output == NULL) == r->no_output, "%s: output", r->name);
  if (!r->story) {
    ck_assert_ptr_eq(result->story, NULL);
    return;
  }
  ck_assert_msg(strstr(story, r->story) != NULL, "%s: the story is: %s", r->name, story);
  ck_assert_msg(strchr(story, '\n') == NULL, "%s: one line", r->name);
}

START_TEST(contracts) {
  const row *r = &rows[_i];
  program p = open_program(r->text);
  for (uint64_t seed = 0; seed < 3; seed++) {
    hy_tgt_result result;
    run_with(&p, r->w, 0, 4, &(hy_tgt_options){.monitor = true, .seed = seed}, &result);
    if (seed == 0 || r->contract == HY_CONTRACT_KEPT) check_row(r, &result);
    ck_assert_int_eq(result.contract, r->contract); // whatever the order and the garbage
    hy_tgt_result_free(&result);
  }
  close_program(&p);
}
END_TEST

// Without the monitor only what stops a run is a broken contract.
START_TEST(unwatched) {
  const row *r = &rows[_i];
  program p = open_program(r->text);
  hy_tgt_result result;
  run_with(&p, r->w, 0, 4, &(hy_tgt_options){.monitor = false}, &result);
  ck_assert_msg((result.status == HY_RUN_CONTRACT) == r->no_output, "%s: status %d", r->name, result.status);
  hy_tgt_result_free(&result);
  close_program(&p);
}
END_TEST

/* Loops that no legal schedule marks so: "at" is an rdom in the text and then made parallel or vectorized. */
#define MARKED(statement) ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.at in (x.min, x.len) { " statement " }")
#define MARKED_2(statement)                                                                                            \
  ONE_FUNC(STAGE0 "label f.s1: for rdom f.s1.at in (x.min, x.len) { for rdom f.s1.in in (0, w) { " statement " } }")

static const struct {
  row row;
  hy_traversal traversal;
} marked[] = {
    {{"masked-off lanes do not load", MARKED("if (f.s1.at > 0) { f(f.s1.at) <- f(f.s1.at - 1); }"), 0, KEPT},
     HY_VECTORIZED},
    {{"unmasked they would", MARKED("f(f.s1.at) <- f(f.s1.at - 1);"), 0, HY_CONTRACT_READ_OUTSIDE, "f(0): reads f(-1)",
      false},
     HY_VECTORIZED},
    {{"lanes write one cell", MARKED("f(f.s1.at / 2) <- 1;"), 0, HY_CONTRACT_LANES,
      "f: two lanes of the vectorized loop f.s1.at write one cell", false}, // TGT.Mon-Lanes
     HY_VECTORIZED},
    {{"lanes in disorder write one cell", MARKED("f((f.s1.at * 3) % 4 - f.s1.at / 3) <- 1;"), 0, HY_CONTRACT_LANES,
      "write one cell", false},
     HY_VECTORIZED},
    {{"lanes in disorder", MARKED("f((f.s1.at * 3) % 4) <- 1;"), 0, KEPT}, HY_VECTORIZED},
    {{"masked-off lanes do not write", MARKED("if (f.s1.at % 2 == 0) { f(f.s1.at / 2) <- 1; }"), 0, KEPT},
     HY_VECTORIZED},
    {{"an allocation inside a vectorized loop (D38)",
      "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate f[(x.min, x.len)]; label "
      "f: "
      "compute f on [(x.min, x.len)] { label f.s0: for f.s0.at in (x.min, x.len) { allocate g[(0, 1)]; label g: "
      "compute g "
      "on [(0, 1)] { label g.s0: for g.s0.a in (0, 1) { g(g.s0.a) <- 1; } } f(f.s0.at) <- g(0); } } }",
      0, HY_CONTRACT_LANES, "an allocation inside the vectorized loop f.s0.at", true}, // TGT.Alloc, TGT.Mon-Lanes
     HY_VECTORIZED},
    {{"an allocation inside a vectorized loop, of what is never computed (D38)",
      "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate f[(x.min, x.len)]; label "
      "f: "
      "compute f on [(x.min, x.len)] { label f.s0: for f.s0.at in (x.min, x.len) { allocate g[(0, 1)]; for rdom f.s0.n "
      "in (0, 0) { label g: compute g on [(0, 1)] { label g.s0: for g.s0.a in (0, 1) { g(g.s0.a) <- 0; } } } "
      "f(f.s0.at) "
      "<- 0; } } }",
      0, HY_CONTRACT_LANES, "an allocation inside the vectorized loop f.s0.at", true}, // TGT.Mon-Lanes
     HY_VECTORIZED},
    {{"a computation inside a vectorized loop (D38)",
      "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[(0, 1)]; allocate "
      "f[(x.min, "
      "x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.at in (x.min, x.len) { label g: compute "
      "g on "
      "[(0, 1)] { label g.s0: for g.s0.a in (0, 1) { g(g.s0.a) <- 1; } } f(f.s0.at) <- g(0); } } }",
      0, HY_CONTRACT_LANES, "a computation inside the vectorized loop f.s0.at", true}, // TGT.Compute, TGT.Mon-Lanes
     HY_VECTORIZED},
    {{"two iterations write a cell", MARKED("f(0) <- f.s1.at;"), 0, HY_CONTRACT_RACE,
      "f: writes f(0), which another iteration of the parallel loop f.s1.at wrote", false},
     HY_PARALLEL},
    {{"a histogram", MARKED("f(f.s1.at / 2) <- f(f.s1.at / 2) + 1;"), 0, HY_CONTRACT_RACE, "f: reads f(",
      false}, // TGT.Mon-Race
     HY_PARALLEL},
    {{"read after write", MARKED("f(f.s1.at) <- f(clamp(f.s1.at - 1, 0, 3));"), 0, HY_CONTRACT_RACE,
      "parallel loop f.s1.at ", false},
     HY_PARALLEL},
    {{"write after read", MARKED("f(f.s1.at) <- f(clamp(f.s1.at + 1, 0, 3));"), 0, HY_CONTRACT_RACE,
      "parallel loop f.s1.at ", false}, // TGT.Mon-Race
     HY_PARALLEL},
    {{"two readers in parallel, then a writer", MARKED("f(f.s1.at) <- f(3);"), 0, HY_CONTRACT_RACE, "f(3)", false},
     HY_PARALLEL},
    {{"an iteration may touch its own cell again", MARKED_2("f(f.s1.at) <- f(f.s1.at) + f.s1.in;"), 3, KEPT},
     HY_PARALLEL},
    {{"an inner loop brings iterations together", MARKED_2("f((f.s1.at + f.s1.in) % 4) <- 1;"), 3, HY_CONTRACT_RACE,
      "f: writes f(", false},
     HY_PARALLEL},
    {{"a predicate reads what another iteration writes", MARKED("if (f(3 - f.s1.at) == 0) { f(f.s1.at) <- 1; }"), 0,
      HY_CONTRACT_RACE, "f(", false},
     HY_PARALLEL},
    {{"an erroring index touches the whole slice", MARKED("f(f.s1.at + 0 / f.s1.at) <- 1;"), 0, HY_CONTRACT_RACE,
      "f: writes f(", false},
     HY_PARALLEL},
};

START_TEST(contracts_of_marked_loops) {
  const row *r = &marked[_i].row;
  program p = open_program(r->text);
  remark_program(&p, "at", marked[_i].traversal);
  for (uint64_t seed = 0; seed < 5; seed++) {
    hy_tgt_result result;
    run_with(&p, r->w, 0, 4, &(hy_tgt_options){.monitor = true, .seed = seed}, &result);
    check_row(r, &result);
    hy_tgt_result_free(&result);
  }
  close_program(&p);
}
END_TEST

/* Loads where the parser allows none (D42): each "w" stands for func(at). */
static const struct {
  row row;
  const char *func;
  int64_t at;
} loaded[] = {
    {{"a bound reads within Cpu",
      TWO_FUNCS(
          "(0, 10)", "(0, 5)", MAKE_G("0", "10"),
          "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; } label f.s1: for f.s1.x in (x.min, x.len) { "
          "for rdom f.s1.r in (0, w) { f(f.s1.x) <- 1; } }"),
      0, HY_CONTRACT_CPU_OUTSIDE, "a bound reads g(6), outside Cpu(g) = [0, 5)", false},
     "g",
     6},
    {{"a bound reads within Mem",
      TWO_FUNCS(
          "(0, 10)", "(0, 5)", MAKE_G("0", "10"),
          "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 0; } label f.s1: for f.s1.x in (x.min, x.len) { "
          "let f.s1.t = w in { f(f.s1.x) <- 1; } }"),
      0, HY_CONTRACT_READ_OUTSIDE, "a bound reads g(11), outside Mem(g) = [0, 10)", false},
     "g",
     11},
    {{"garbage decides a guard", PARTLY("if guard (w == 5) { f(f.s1.x) <- 1; }"), 0, HY_CONTRACT_UNDEFINED,
      "an undefined value decides a guard", false},
     "f",
     3}, // TGT.Mon-Undefined
    {{"garbage bounds a loop", PARTLY("for rdom f.s1.r in (0, clamp(w, 0, 2)) { f(f.s1.x) <- 1; }"), 0,
      HY_CONTRACT_UNDEFINED, "an undefined value reaches the length of loop f.s1.r", false},
     "f",
     3}, // TGT.Mon-Undefined
    {{"what was computed may bound a loop", PARTLY("for rdom f.s1.r in (0, clamp(w, 0, 2)) { f(f.s1.x) <- 1; }"), 0,
      HY_CONTRACT_CPU_UNCOVERED, "f(3): stage 0", false},
     "f",
     2},
};

typedef struct {
  hy_context *context;
  hy_binding binding;
} replacement;

static const hy_expr *load_for_w(void *self, const hy_expr *expr) {
  const replacement *r = self;
  return hy_expr_substitute(r->context, expr, &r->binding, 1);
}

START_TEST(contracts_of_loaded_bounds) {
  const row *r = &loaded[_i].row;
  program p = open_program(r->text);
  const hy_func *func = p.tgt->funcs[strcmp(loaded[_i].func, "g") == 0 ? 0 : p.tgt->func_count - 1];
  const hy_expr *at = hy_expr_int(p.context, loaded[_i].at);
  replacement load = {p.context, {p.tgt->alg->params[0], hy_expr_access(p.context, func, &at)}};
  hy_tgt *copy = HY_NEW(hy_context_arena(p.context), hy_tgt);
  *copy = *p.tgt;
  copy->body = hy_stmt_map_exprs(p.context, copy->body, load_for_w, &load);
  p.tgt = copy;
  for (uint64_t seed = 0; seed < 3; seed++) {
    hy_tgt_result result;
    run_with(&p, r->w, 0, 4, &(hy_tgt_options){.monitor = true, .seed = seed}, &result);
    check_row(r, &result);
    hy_tgt_result_free(&result);
  }
  close_program(&p);
}
END_TEST

// TGT.Realize: an output whose life ends before the program does has no window to give (D20).
START_TEST(output_inside) {
  program p = open_program(ONE_FUNC(STAGE0));
  hy_tgt *copy = HY_NEW(hy_context_arena(p.context), hy_tgt);
  *copy = *p.tgt;
  copy->body = hy_stmt_if(p.context, HY_IF_SPECIALIZE, hy_expr_bool(p.context, true), copy->body, NULL);
  p.tgt = copy;
  for (int monitor = 0; monitor < 2; monitor++) {
    hy_tgt_result result;
    run_with(&p, 0, 0, 4, &(hy_tgt_options){.monitor = monitor}, &result);
    ck_assert_int_eq(result.status, HY_RUN_CONTRACT);
    ck_assert_ptr_eq(result.output, NULL);
    ck_assert_str_eq(result.story, "the output f is not allocated around the whole program");
    hy_tgt_result_free(&result);
  }
  close_program(&p);
}
END_TEST

// TGT.If-Implied: a guard that is left out decides nothing, whether it holds or not; both evaluators see that it does
// not.
START_TEST(guards_left_out) {
  static engine *const engines[] = {hy_tgt_run, hy_tgt_run_literal};
  program p = open_program(UPDATE("if implied (f.s1.x < 3) { f(f.s1.x) <- 7; }"));
  for (int i = 0; i < 4; i++) {
    hy_tgt_result result;
    run_by(engines[i % 2], &p, 0, 0, 4, &(hy_tgt_options){.monitor = i / 2}, &result);
    if (i / 2) {
      ck_assert_int_eq(result.contract, HY_CONTRACT_BOUNDS_ERROR);
    } else {
      ck_assert_int_eq(result.status, HY_RAN);
      char *output = output_text(&result);
      ck_assert_msg(strcmp(output, "7 7 7 7") == 0, "%s", output);
      free(output);
    }
    hy_tgt_result_free(&result);
  }
  close_program(&p);
}
END_TEST

static void keep_first(void *self, const hy_stmt *compute, const int64_t *min, const int64_t *len,
                       const hy_tgt_scope *scope) {
  hy_value value;
  (void)len;
  if (strcmp(compute->compute.func->name, "f") == 0)
    *(bool *)self = hy_tgt_scope_cell(scope, compute->compute.func, min, &value);
}

// TGT.Read-Fold: what was stored at a point whose cell holds another is gone, and what rests on it is undefined (D86).
START_TEST(lost_points) {
  static const char *const texts[] = {LOST, FOLDED("3", "for g.s0.a in (f.s0.x, 3) {", "}", "g(f.s0.x)")};
  for (int i = 0; i < 2; i++) {
    program p = open_program(texts[i]);
    hy_tgt_result result;
    bool defined = false;
    run_with(&p, 0, 0, 4, &(hy_tgt_options){.end_observer = keep_first, .end_self = &defined}, &result);
    ck_assert_int_eq(result.status, HY_RAN);
    ck_assert_int_eq(defined, i == 1);
    hy_tgt_result_free(&result);
    int64_t min = 0, len = 4;
    hy_value w = hy_value_int(0);
    hy_input input = {&w, NULL, &min, &len};
    hy_tgt_run_literal(p.context, p.tgt, &input, &(hy_tgt_options){.monitor = true}, &result);
    ck_assert_int_eq(result.contract, i == 0 ? HY_CONTRACT_UNDEFINED : HY_CONTRACT_KEPT);
    if (i == 0) ck_assert_str_eq(result.story, "the window holds f(0), an undefined value");
    hy_tgt_result_free(&result);
    close_program(&p);
  }
}
END_TEST

// TGT.Compute: a box that errs ends a run that is watched, and no other.
START_TEST(erring_cpu) {
  program p = open_program(TWO_FUNCS("(0, 1)", "(0, 1 / w)", "label g.s0: for g.s0.a in (0, 1) { g(g.s0.a) <- 1; }",
                                     "label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; }"));
  for (int monitor = 0; monitor < 2; monitor++) {
    hy_tgt_result result;
    run_with(&p, 0, 0, 4, &(hy_tgt_options){.monitor = monitor}, &result);
    ck_assert_int_eq(result.status, monitor ? HY_RUN_CONTRACT : HY_RAN);
    ck_assert_int_eq(result.output == NULL, monitor);
    if (monitor) ck_assert_ptr_nonnull(strstr(result.story, "the length of Cpu(g) in a is the error value eps_arith"));
    hy_tgt_result_free(&result);
  }
  close_program(&p);
}
END_TEST

// TGT.Realize: a window that no entry check refused.
static const char *const whatever_the_window[] = {
    ONE_FUNC(STAGE0),
    // nothing else in it is negative
    "target t(w: int) on f(x) { func f(x): int stages 1; allocate f[(0, 4)]; label f: compute f on [(0, 4)] { label "
    "f.s0: "
    "for f.s0.x in (0, 4) { f(f.s0.x) <- 0; } } }",
};

START_TEST(negative_window) {
  program p = open_program(whatever_the_window[_i]);
  hy_tgt_result result;
  run_with(&p, 0, 0, -4, &(hy_tgt_options){.monitor = false}, &result);
  ck_assert_int_eq(result.contract, HY_CONTRACT_BOUNDS_ERROR);
  ck_assert_str_eq(result.story, "the window's length in x is -4");
  hy_tgt_result_free(&result);
  close_program(&p);
}
END_TEST

START_TEST(names) {
  for (int i = HY_CONTRACT_KEPT; i <= HY_CONTRACT_BOUNDS_ERROR; i++)
    for (int k = i + 1; k <= HY_CONTRACT_BOUNDS_ERROR; k++)
      ck_assert_str_ne(hy_contract_name((hy_contract)i), hy_contract_name((hy_contract)k));
}
END_TEST

Suite *tgt_contract_suite(void) {
  Suite *suite = suite_create("tgt_contract");
  TCase *tcase = tcase_create("contracts");
  tcase_add_loop_test(tcase, contracts, 0, HY_COUNT(rows));
  tcase_add_loop_test(tcase, unwatched, 0, HY_COUNT(rows));
  tcase_add_loop_test(tcase, contracts_of_marked_loops, 0, HY_COUNT(marked));
  tcase_add_loop_test(tcase, contracts_of_loaded_bounds, 0, HY_COUNT(loaded));
  tcase_add_test(tcase, output_inside);
  tcase_add_test(tcase, guards_left_out);
  tcase_add_test(tcase, lost_points);
  tcase_add_test(tcase, erring_cpu);
  tcase_add_loop_test(tcase, negative_window, 0, (int)HY_COUNT(whatever_the_window));
  tcase_add_test(tcase, names);
  suite_add_tcase(suite, tcase);
  return suite;
}
