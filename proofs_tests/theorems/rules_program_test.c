/* The rules about programs as texts: well-formedness, lowering, schedules, legality, order classes and levels; each in
 * a program in which it fires and in one in which it does not. What they do is the business of lower, semantics_verify,
 * sched_directives, sched_bounds and driver_validate.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/validations.h"
#include "proofs_tests/theorems/rules_firing.h"
#include "semantics/base/base.h"

#include <string.h>

#define PLAIN                                                                                                          \
  { FIRING_PLAIN, NULL }
#define BOTH(text)                                                                                                     \
  { text, NULL }
#define F "pipeline p(n: int) { fun f(x) = x + n; }"
#define F2 "pipeline p(n: int) { fun f(x, y) = x + n * y; }"
#define GF "pipeline p(n: int) { fun g(x, y) = x * n; fun f(x, y) = g(x, y) + g(x, y + 1); }"
#define GGF "pipeline p(n: int) { fun g(x, y) = x * n; fun h(x, y) = g(y, x); fun f(x, y) = g(x, y) + h(x, y + 1); }"
#define TIMES_4(text) text text text text
#define TIMES_128(text) TIMES_4(TIMES_4(TIMES_4(text text)))
#define GROWS                                                                                                          \
  "pipeline p(n: int) { fun c(x) = x; fun b(x) = " TIMES_128(                                                          \
      "x + ") "n; "                                                                                                    \
              "fun f(x) = (" TIMES_128("b(x) + ") "c(x)) * (" TIMES_128("b(x) + ") "1) * (" TIMES_128(                 \
                  "b(x) + ") "2) * (" TIMES_128("b(x) + ") "3); }"
#define SUMS "pipeline p(n: int) { fun f(x) = { 0; rdom(r = (0, 3), q = (0, 2)) in (x) <- f(x) * 2 + r + q; }; }"
#define PARTS "pipeline p(n: int) { fun f(x) = { i32(n); rdom(r = (0, 3), q = (0, 2)) in (x) <- f(x) + i32(r * q); }; }"
#define COUNTS "pipeline p(n: int) { fun f(x) = { n; rdom(r = (0, 3), q = (0, 2)) in (x) <- f(x) + (r + 1); }; }"
#define LEAST "pipeline p(n: int) { fun f(x) = argmin(rdom(r = (0, 3), q = (0, 2)) in i32(r * q + n)); }"
#define LOST "pipeline p(n: int) { fun lost(x) = x; fun f(x) = x + n; }"
#define IMAGE "pipeline p(in: u8[1]) { fun f(x) = in(x); }"
#define TARGET(body)                                                                                                   \
  "target t(w: int) on f(x) { func f(x): int stages 1; allocate f[(x.min, x.len)]; label f: compute f on [(x.min, "    \
  "x.len)] { label f.s0: " body " } }"
#define FINE                                                                                                           \
  { TARGET("for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; }"), NULL }
#define WITH_G(before, after)                                                                                          \
  "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; " before                               \
  " allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { "  \
  "f(f.s0.x) <- g(f.s0.x); } } " after " }"
#define MAKE_NO_G                                                                                                      \
  "label g: compute g on [(x.min, x.len)] { label g.s0: for g.s0.a in (x.min, x.len) { g(g.s0.a) <- 1; } }"
#define MAKE_G                                                                                                         \
  "allocate g[(x.min, x.len)]; label g: compute g on [(x.min, x.len)] { label g.s0: for g.s0.a in (x.min, x.len) { "   \
  "g(g.s0.a) <- 1; } }"

static const firing_row rows[] = {
    // well-formed target programs (WF); all but the first fire in what is refused
    {"WF.Program", FINE, BOTH(TARGET("for f.s0.x in (x.min, x.len) { f(f.s0.y) <- 1; }")), 0},
    {"WF.Scope", BOTH(TARGET("for f.s0.x in (f.s0.x, x.len) { f(f.s0.x) <- 1; }")), FINE, 0},
    {"WF.Plan", BOTH(WITH_G("allocate g[(x.min, x.len)] order(a, a);", MAKE_NO_G)),
     BOTH(WITH_G("allocate g[(x.min, x.len)] align(a, 8) in stack;" MAKE_NO_G, "")), 0},
    {"WF.Piece",
     BOTH(TARGET("{ for f.s0.x in (x.min, 1) of f.s0.x (x.min, x.len) { f(f.s0.x) <- 1; } for f.s0.x__tail in (x.min + "
                 "1, x.len - 1) of f.s0.x (x.min, x.len) { f(f.s0.x__tail) <- 2; } }")),
     BOTH(TARGET("{ for f.s0.x in (x.min, 1) of f.s0.x (x.min, x.len) { f(f.s0.x) <- 1; } for f.s0.x__tail in (x.min + "
                 "1, x.len - 1) of f.s0.x (x.min, x.len) { f(f.s0.x__tail) <- 1; } }")),
     0},
    {"WF.Load", BOTH(TARGET("for f.s0.x in (f(0), x.len) { f(f.s0.x) <- 1; }")), FINE, 0},
    {"WF.Hole", BOTH(TARGET("for f.s0.x in (?mem.min(f, x), x.len) { f(f.s0.x) <- 1; }")), FINE, 0},
    {"WF.Name", BOTH(TARGET("for f.s0.x in (x.min, 1) { for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; } }")), FINE, 0},
    {"WF.Dominate", BOTH(WITH_G("", MAKE_G)), BOTH(WITH_G(MAKE_G, "")), 0},
    {"WF.Stage", BOTH(TARGET("for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; f(f.s0.x) <- 2; }")), FINE, 0},
    {"WF.Pure", BOTH(TARGET("for f.s0.x in (x.min, x.len) { for f.s0.y in (0, 3) { f(f.s0.x) <- 1; } }")), FINE, 0},
    {"WF.Traverse",
     BOTH(TARGET("for f.s0.x in (x.min, x.len) { for rdom parallel f.s0.r in (0, 3) { f(f.s0.x) <- 1; } }")), FINE, 0},
    {"WF.Origin",
     BOTH(TARGET(
         "for f.s0.xo in (0, (x.len + 3)/4) { for f.s0.xi in (0, 4) { let f.s0.x = x.min + f.s0.xi + 5*f.s0.xo by "
         "split round(f.s0.xo, f.s0.xi, 4, (x.min, x.len)) in { f(f.s0.x) <- 1; } } }")),
     FINE, 0},
    {"WF.Shape",
     BOTH(TARGET("for f.s0.x in (x.min, x.len) { if guard (f.s0.x < 3) { f(f.s0.x) <- 0; } else { nop; } }")), FINE, 0},
    // lowering (LOW)
    {"LOW.Pipeline", PLAIN, {0}, 0},
    {"LOW.Func", PLAIN, {0}, 0},
    {"LOW.Stage", PLAIN, {0}, 0},
    {"LOW.RDom", BOTH(SUMS), PLAIN, 0},
    {"LOW.Assign", PLAIN, {0}, 0},
    {"LOW.Predicate", BOTH("pipeline p(n: int) { fun f(x) = { 0; (x) <- 1 if x < n; }; }"), PLAIN, 0},
    {"LOW.Hole-Share", PLAIN, {0}, 0},
    {"LOW.Unreached", BOTH(LOST), PLAIN, 0},
    {"LOW.Entry-Range", PLAIN, {0}, 0},
    {"LOW.Entry-RDom", BOTH(SUMS), PLAIN, 0},
    {"LOW.Entry-Image", BOTH(IMAGE), PLAIN, 0},
    // schedules (SCH, DIR, FIN)
    {"SCH.Phase", {F, "split(f.x, xo, xi, 4);"}, PLAIN, 0},
    {"SCH.Loop", {F, "split(f.z, xo, xi, 4);"}, {F, "split(f.x, xo, xi, 4);"}, 0},
    {"SCH.Fresh", {F2, "split(f.x, y, xi, 4);"}, {F2, "split(f.x, xo, xi, 4);"}, 0},
    {"SCH.Site",
     {"pipeline p(n: int) { fun a(x, y) = x; fun b(x, y) = { a(x, y); (x, y) <- b(x, y) + a(x, y); }; }",
      "a.compute_at(b, y);"},
     {GF, "g.compute_at(f, y);"},
     0},
    {"SCH.Reached", {LOST, "split(lost.x, xo, xi, 4);"}, {LOST, "split(f.x, xo, xi, 4);"}, 0},
    {"SCH.Absent", {F, "f.memoize();"}, {F, "f.split(x, xo, xi, 4);"}, 0},
    {"SCH.Chain", {F, "f.split(x, xo, xi, 4);"}, {F, "split(f.x, xo, xi, 4);"}, 0},
    {"SCH.Chain-Slide", {GF, "g.store_root().compute_at(f, y).slide(y);"}, {GF, "g.store_root().compute_at(f, y);"}, 0},
    {"SCH.Chain-Store", {GF, "g.compute_at(f, y);"}, {GF, "compute_at(g, f.y);"}, 0},
    {"DIR.Startup", {F, "specialize(f, f(0) > 0);"}, {F, "specialize(f, n == 2);"}, 0},
    {"DIR.Move-Once", {GF, "compute_at(g, f.y); compute_at(g, f.x);"}, {GF, "compute_at(g, f.y);"}, 0},
    {"DIR.Push-Down", {F2, "split(f.y, yo, yi, 4);"}, PLAIN, 0},
    {"DIR.Push-Down.Stop", {F, "split(f.x, xo, xi, 4); split(f.xo, a, b, 2);"}, {F, "split(f.x, xo, xi, 4);"}, 0},
    {"DIR.Split.Guard", {F, "split(f.x, xo, xi, 4);"}, {F, "split(f.x, xo, xi, 4, round);"}, 0},
    {"DIR.Split.Round", {F, "split(f.x, xo, xi, 4, round);"}, {F, "split(f.x, xo, xi, 4);"}, 0},
    {"DIR.Split.Shift", {F, "split(f.x, xo, xi, 4, shift);"}, {F, "split(f.x, xo, xi, 4);"}, 0},
    {"DIR.Split.Factor", {F, "split(f.x, xo, xi, 0);"}, {F, "split(f.x, xo, xi, 4);"}, 0},
    {"DIR.Split.Tail", {SUMS, "split(f.s1.x, xo, xi, 4, round);"}, {SUMS, "split(f.s1.x, xo, xi, 4);"}, 0},
    {"DIR.Serial",
     {F, "traverse(f.x, parallel); split(f.x, xo, xi, 4);"},
     {F, "split(f.x, xo, xi, 4); traverse(f.xo, parallel);"},
     0},
    {"DIR.Nested", {F2, "swap(f.x);"}, {F2, "swap(f.y);"}, 0},
    {"DIR.Fuse", {F2, "fuse(f.y, x, t);"}, PLAIN, 0},
    {"DIR.Fuse.Mixed", {SUMS, "fuse(f.s1.x, q, t);"}, {SUMS, "fuse(f.s1.q, r, t);"}, 0},
    {"DIR.Swap", {F2, "swap(f.y);"}, PLAIN, 0},
    {"DIR.Swap.Reduction", {SUMS, "swap(f.s1.q);"}, {SUMS, "swap(f.s1.x);"}, 0},
    {"DIR.Traverse", {F, "traverse(f.x, parallel);"}, PLAIN, 0},
    {"DIR.Traverse.Pure", {SUMS, "traverse(f.s1.r, parallel);"}, {SUMS, "traverse(f.s1.x, parallel);"}, 0},
    {"DIR.Compute-At", {GF, "compute_at(g, f.y);"}, PLAIN, 0},
    {"DIR.Compute-At.Dominate", {GF, "compute_at(g, g.y);"}, {GF, "compute_at(g, f.y);"}, 0},
    {"DIR.Store-At", {GF, "compute_at(g, f.y); store_at(g, f.y);"}, {GF, "compute_at(g, f.y);"}, 0},
    {"DIR.Store-At.Dominate",
     {GF, "compute_at(g, f.y); store_at(g, f.x);"},
     {GF, "compute_at(g, f.y); store_at(g, f.y);"},
     0},
    {"DIR.Output", {GF, "compute_at(f, g.y);"}, {GF, "compute_at(g, f.y);"}, 0},
    {"DIR.Wrap", {GF, "wrap(g, w);"}, PLAIN, 0},
    {"DIR.Funcs.Chain", {GF, "g.in(f).vectorize(x, 4);"}, {GF, "wrap(g, g_in_f, f);"}, 0},
    {"DIR.Funcs.Reader", {GF, "wrap(f, w, g);"}, {GF, "wrap(g, w, f);"}, 0},
    {"DIR.Clone", {GGF, "clone(g, c, f);"}, PLAIN, 0},
    {"DIR.Clone.Left", {GF, "clone(g, c, f);"}, {GGF, "clone(g, c, f);"}, 0},
    {"DIR.Clone.Func",
     {"pipeline p(in: int[1]) { fun f(x) = in(x); }", "clone(in, c, f);"},
     {"pipeline p(in: int[1]) { fun f(x) = in(x); }", "wrap(in, c, f);"},
     0},
    {"DIR.Copy", {GGF, "copy(g, c, f);"}, {GGF, "clone(g, c, f);"}, 0},
    {"DIR.Copy.Reader", {GF, "copy(f, c, g);"}, {GGF, "copy(g, c, f);"}, 0},
    {"DIR.Copy.Left", {GF, "copy(g, c, f);"}, {GGF, "copy(g, c, f);"}, 0},
    {"SCH.Spread", {GF, "specialize(f, n == 2); compute_at(g, f.y);"}, {GF, "compute_at(g, f.y);"}, 0},
    {"SCH.Spread.Loop",
     {GF, "specialize(f, n == 2); split(f.z1.s0.y, yo, yi, 4); compute_at(g, f.y);"},
     {GF, "specialize(f, n == 2); compute_at(g, f.y);"},
     0},
    {"DIR.Split-Reduction",
     {SUMS, "split_reduction(f.s1.r, a, b, 2);"},
     {SUMS, "split_reduction(f.s1.r, a, b, 3);"},
     0},
    {"DIR.Split-Reduction.Exact",
     {SUMS, "split_reduction(f.s1.r, a, b, 3);"},
     {SUMS, "split_reduction(f.s1.r, a, b, 2);"},
     0},
    {"DIR.Split-Reduction.Loop",
     {SUMS, "split_reduction(f.s1.x, a, b, 2);"},
     {SUMS, "split_reduction(f.s1.q, a, b, 2);"},
     0},
    {"DIR.Split-Reduction.Width",
     {SUMS, "split_reduction(f.s1.r, a, b, 9223372036854775807);"},
     {SUMS, "split_reduction(f.s1.r, a, b, 4);"},
     0},
    {"DIR.Split-Reduction.Chain",
     {PARTS, "f.update(0).split(r, ro, ri, 2).rfactor(ro, u);"},
     {PARTS, "f.update(0).rfactor(r, u); f.update(0).split(r, ro, ri, 2);"},
     0},
    {"DIR.RFactor.Vectors", {PARTS, "f.update(0).vectorize(r, 2);"}, {PARTS, "f.update(0).vectorize(x, 2);"}, 0},
    {"DIR.RFactor", {PARTS, "rfactor(f.s1.r, u, i);"}, {PARTS, ""}, 0},
    {"DIR.RFactor.Loop", {PARTS, "rfactor(f.s1.x, u, i);"}, {PARTS, "rfactor(f.s1.q, u, i);"}, 0},
    {"DIR.RFactor.Arg", {LEAST, "rfactor(f_argmin.s1.q, u, i);"}, {PARTS, "rfactor(f.s1.q, u, i);"}, 0},
    {"DIR.RFactor.Sum", {COUNTS, "rfactor(f.s1.r, u, i);"}, {PARTS, "rfactor(f.s1.r, u, i);"}, 0},
    {"DIR.RFactor.Operator", {SUMS, "rfactor(f.s1.r, u, i);"}, {PARTS, "rfactor(f.s1.r, u, i);"}, 0},
    {"DIR.Inline", {GF, "compute_inline(g);"}, PLAIN, 0},
    {"DIR.Inline.Guard",
     {"pipeline p(n: int) { fun g(x) = 3; fun f(x) = g(x / n); }", "compute_inline(g);"},
     {"pipeline p(n: int) { fun g(x) = x; fun f(x) = g(x / n); }", "compute_inline(g);"},
     0},
    {"DIR.Inline.Pure",
     {"pipeline p(n: int) { fun g(x) = { 0; (x) <- x; }; fun f(x) = g(x); }", "compute_inline(g);"},
     {GF, "compute_inline(g);"},
     0},
    {"DIR.Inline.Output", {GF, "compute_inline(f);"}, {GF, "compute_inline(g);"}, 0},
    {"DIR.Inline.Alone", {GF, "compute_inline(g); store_in(g, heap);"}, {GF, "compute_inline(g);"}, 0},
    {"DIR.Inline.Size", {GROWS, "compute_inline(b);"}, {GROWS, "compute_inline(c);"}, 0},
    {"DIR.Inline.Default", {GF, "default inline;"}, {GF, "default inline; compute_inline(g);"}, 0},
    {"DIR.Inline.Innermost",
     {"pipeline p(n: int) { fun g(x) = { 0; (x) <- n; }; fun f(x) = g(x); }", "default inline;"},
     {"pipeline p(n: int) { fun g(x) = { 0; (1) <- n; }; fun f(x) = g(x); }", "default inline;"},
     0},
    {"DIR.Inline.Lanes",
     {"pipeline p(n: int) { fun g(x) = { 0; (x) <- n; }; fun f(x) = g(x); }", "default inline; f.vectorize(x, 4);"},
     {"pipeline p(n: int) { fun g(x) = { 0; (x) <- n; }; fun f(x) = g(x + x % 2); }",
      "default inline; f.unroll(x, 4);"},
     0},
    {"DIR.Specialize", {F, "specialize(f, n == 2);"}, PLAIN, 0},
    {"DIR.Specialize.Once",
     {F, "specialize(f, n == 2); specialize(f, n == 3);"},
     {F, "specialize(f, n == 2, n == 3);"},
     0},
    {"DIR.Specialize.Constant", {F, "specialize(f, 1 == 2);"}, {F, "specialize(f, n == 2);"}, 0},
    {"DIR.Bound", {F, "bound(f, x, 0, 9);"}, PLAIN, 0},
    {"DIR.Bound-Extent", {F, "bound_extent(f, x, 9);"}, PLAIN, 0},
    {"DIR.Align-Bounds", {F, "align_bounds(f, x, 4, 0);"}, PLAIN, 0},
    {"DIR.Align-Bounds.Constant", {F, "align_bounds(f, x, n, 0);"}, {F, "align_bounds(f, x, 4, 0);"}, 0},
    {"DIR.Bounds.Combine",
     {F, "bound(f, x, 0, 9); align_bounds(f, x, 4, 0);"},
     {F, "bound(f, x, 0, 8); align_bounds(f, x, 4, 0);"},
     0},
    {"DIR.Bounds.Residue",
     {F, "bound(f, x, 0, n); align_bounds(f, x, 4, 0);"},
     {F, "bound(f, x, 0, 4*n); align_bounds(f, x, 4, 0);"},
     0},
    {"DIR.Reorder-Storage", {GF, "reorder_storage(g, y, x);"}, {GF, "bound_extent(g, x, 9);"}, 0},
    {"DIR.Reorder-Storage.Twice", {GF, "reorder_storage(g, y, y);"}, {GF, "reorder_storage(g, y, x);"}, 0},
    {"DIR.Align-Storage", {GF, "align_storage(g, y, 8);"}, {GF, "reorder_storage(g, y, x);"}, 0},
    {"DIR.Store-In", {GF, "store_in(g, heap);"}, {GF, "align_storage(g, y, 8);"}, 0},
    {"DIR.Fold-Storage", {GF, "fold_storage(g, y, 8);"}, {GF, "align_storage(g, y, 8);"}, 0},
    {"DIR.Slide", {GF, "compute_at(g, f.y); slide(g, f.y);"}, {GF, "compute_at(g, f.y);"}, 0},
    {"DIR.Slide.Keep", {GF, "slide(g, f.y);"}, {GF, "compute_at(g, f.y); slide(g, f.y);"}, 0},
    {"DIR.Plan.Number", {GF, "align_storage(g, y, 0);"}, {GF, "align_storage(g, y, 8);"}, 0},
    {"DIR.Plan.Once", {GF, "store_in(g, heap); store_in(g, heap);"}, {GF, "store_in(g, heap);"}, 0},
    {"DIR.Plan.Output", {GF, "reorder_storage(f, y, x);"}, {GF, "reorder_storage(g, y, x);"}, 0},
    {"FIN.Parallel-Between",
     {GF, "traverse(f.y, parallel); compute_at(g, f.y);"},
     {GF, "traverse(f.y, parallel); compute_at(g, f.y); store_at(g, f.y);"},
     0},
    {"FIN.Inside-Vector",
     {F2, "split(f.y, yo, yi, 4); split(f.x, xo, xi, 4); traverse(f.yi, vectorized); traverse(f.xi, vectorized);"},
     {F2, "split(f.x, xo, xi, 4); traverse(f.xi, vectorized);"},
     0},
    {"FIN.Overlap",
     {F, "split(f.x, xo, xi, 4, shift); traverse(f.xo, parallel);"},
     {F, "split(f.x, xo, xi, 4); traverse(f.xo, parallel);"},
     0},
    {"FIN.Extent", {F, "traverse(f.x, vectorized);"}, {F, "split(f.x, xo, xi, 4); traverse(f.xi, vectorized);"}, 0},
    // what directives promise (ORD), and how they are held to it (LVL)
    {"ORD.Equal", {F, "split(f.x, xo, xi, 4);"}, {F2, "swap(f.y);"}, 0},
    {"ORD.Permuted", {F2, "swap(f.y);"}, {F, "split(f.x, xo, xi, 4);"}, 0},
    {"ORD.Extra", {F, "split(f.x, xo, xi, 4, round);"}, {F, "split(f.x, xo, xi, 4);"}, 0},
    {"ORD.Repeated", {F, "split(f.x, xo, xi, 4, shift);"}, {F, "split(f.x, xo, xi, 4);"}, 0},
    {"FIN.Slide", {GF, "compute_at(g, f.x); slide(g, f.x);"}, {GF, "compute_at(g, f.y); slide(g, f.y);"}, 0},
    {"ORD.Kept", {GF, "compute_at(g, f.y); slide(g, f.y);"}, {GF, "compute_at(g, f.y);"}, 0},
    {"ORD.Moved", {GF, "compute_at(g, f.y);"}, {GF, "swap(f.y);"}, 0},
    {"ORD.Box", {F, "bound(f, x, 0, 9);"}, {F, "split(f.x, xo, xi, 4);"}, 0},
    {"LVL.Structure", {F, "split(f.x, xo, xi, 4);"}, PLAIN, 0},
    {"LVL.Trace", {F, "split(f.x, xo, xi, 4);"}, PLAIN, 0},
    {"LVL.Output", {F, "split(f.x, xo, xi, 4);"}, PLAIN, 0},
    {"LVL.Symbolic", {F, "split(f.x, xo, xi, 4);"}, PLAIN, 0},
};

START_TEST(rules_fire_where_they_should) { firing_check(&rows[_i]); }
END_TEST

/* -- promises that are broken, by hand -- */

static const hy_stmt *edited(hy_context *context, const hy_stmt *stmt) { // the guard comes one too early; f is f + 0
  const hy_stmt *const *children, *room[2], *fresh[8];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) fresh[i] = edited(context, children[i]);
  stmt = hy_stmt_with_children(context, stmt, fresh, count);
  if (stmt->kind == HY_STMT_ASSIGN)
    return hy_stmt_assign(context, stmt->assign.func, 0, 0, stmt->assign.lhs,
                          hy_expr_binary(context, HY_OP_ADD, stmt->assign.rhs, hy_expr_int(context, 0)));
  if (stmt->kind != HY_STMT_IF || stmt->branch.why != HY_IF_GUARD) return stmt;
  const hy_expr *c = stmt->branch.condition, *end = hy_index_sub(context, c->args[1], hy_expr_int(context, 1));
  return hy_stmt_if(context, HY_IF_GUARD, hy_expr_binary(context, c->op, c->args[0], end), stmt->branch.then, NULL);
}

static const char *const levels[] = {"LVL.Structure.Not", "LVL.Trace.Not", "LVL.Output.Not", "LVL.Symbolic.Not"};

START_TEST(broken_promises_fire) {
  for (int broken = 0; broken < 2; broken++) {
    test_program p;
    hy_validation out;
    test_program_open(&p, F, "split(f.x, xo, xi, 4);");
    ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
    hy_tgt wrong = *p.pipeline.steps[1];
    if (broken) wrong.body = edited(p.context, wrong.body);
    test_validator *v = test_validator_open(&p, 20);
    test_validator_step(v, &p.pipeline.core[0], &wrong, &out);
    ck_assert_int_eq(hy_context_hits(p.context, firing_rule(levels[_i])) > 0, broken);
    test_validator_close(v);
    test_program_close(&p);
  }
}
END_TEST

Suite *rules_program_suite(void) {
  Suite *suite = suite_create("rules_program");
  TCase *t = tcase_create("rules");
  tcase_add_loop_test(t, rules_fire_where_they_should, 0, HY_COUNT(rows));
  tcase_add_loop_test(t, broken_promises_fire, 0, HY_COUNT(levels));
  suite_add_tcase(suite, t);
  return suite;
}
