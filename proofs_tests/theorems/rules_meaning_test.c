/* The rules of values, algorithms and target programs, each in a program in which it fires and in one in which it does
 * not. What they do there is the business of semantics_value, alg_interp, tgt_interp, tgt_literal and tgt_contract.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/theorems/rules_firing.h"
#include "semantics/base/base.h"

#define F(body) "pipeline p(n: int) { fun f(x) = " body "; }"
#define IMAGE(body) "pipeline p(in: u8[1]) { fun f(x) = " body "; }"
#define UPDATE(update) "pipeline p(n: int) { fun f(x) = { 0; " update "; }; }"
#define PLAIN                                                                                                          \
  { FIRING_PLAIN, NULL }
#define BOTH(text)                                                                                                     \
  { text, NULL }

static const firing_row rows[] = {
    // values (VAL)
    {"VAL.Join", BOTH(F("1 / (n - n) + 2")), PLAIN, 0},
    {"VAL.Int", PLAIN, BOTH(F("n")), 0},
    {"VAL.Wrap", BOTH(F("u8(x) + u8(250)")), PLAIN, 0},
    {"VAL.Float", BOTH(F("f32(x) * 0.5")), PLAIN, 0},
    {"VAL.Div", BOTH(F("x / n")), PLAIN, 0},
    {"VAL.Compare", BOTH(F("x < n")), PLAIN, 0},
    {"VAL.Logic", BOTH(F("!(x < n)")), PLAIN, 0},
    {"VAL.Bits", BOTH(F("u8(x) & u8(3)")), PLAIN, 0},
    {"VAL.Count", BOTH(F("popcount(x)")), PLAIN, 0},
    {"VAL.Reinterpret", BOTH(F("f32_bits(f32(x))")), PLAIN, 0},
    {"VAL.Shift", BOTH(F("x << n")), PLAIN, 0},
    {"VAL.Select", BOTH(F("select(x < n, 1, 2)")), PLAIN, 0},
    {"VAL.Min-Max", BOTH(F("min(x, n)")), PLAIN, 0},
    {"VAL.Cast", BOTH(F("u8(x)")), PLAIN, 0},
    {"VAL.Math", BOTH(F("sin(f32(x))")), PLAIN, 0},
    // algorithms: validity (ALG.Valid)
    {"ALG.Valid.FuncNames", PLAIN, {0}, 0},
    {"ALG.Valid.FuncNames.Not", BOTH("pipeline p() { fun f() = 1; fun f() = 1; }"), PLAIN, 0},
    {"ALG.Valid.Outputs", BOTH("pipeline p(n: int) -> f { fun f(x) = x; fun g(x) = x; }"), PLAIN, 0},
    {"ALG.Valid.Outputs.Not", BOTH("pipeline p() -> (f, f) { fun f(x) = x; }"), PLAIN, 0},
    {"ALG.Valid.PureNames", PLAIN, BOTH("pipeline p() { fun f() = 1; }"), 0},
    {"ALG.Valid.PureNames.Not", BOTH("pipeline p() { fun f(x, x) = 1; }"), PLAIN, 0},
    {"ALG.Valid.RdomNames", BOTH(UPDATE("rdom(r = (0, n)) in (x) <- r")), PLAIN, 0},
    {"ALG.Valid.RdomNames.Not", BOTH(UPDATE("rdom(x = (0, n)) in (x) <- x")), PLAIN, 0},
    {"ALG.Valid.RdomStartup", BOTH(UPDATE("rdom(r = (0, n)) in (x) <- r")), PLAIN, 0},
    {"ALG.Valid.RdomStartup.Not", BOTH(UPDATE("rdom(r = (0, x)) in (x) <- r")), PLAIN, 0},
    {"ALG.Valid.SelfReference", PLAIN, {0}, 0},
    {"ALG.Valid.SelfReference.Not", BOTH(F("f(x)")), PLAIN, 0},
    {"ALG.Valid.Separation", BOTH(UPDATE("(x) <- f(x) + x")), PLAIN, 0},
    {"ALG.Valid.Separation.Not", BOTH(UPDATE("(x) <- f(x + 1)")), BOTH(UPDATE("(x) <- f(x) + 1")), 0},
    {"ALG.Valid.Arity", BOTH(UPDATE("(x) <- f(x)")), {0}, 0},
    {"ALG.Valid.Arity.Not", BOTH(UPDATE("(x, x) <- 1")), BOTH(UPDATE("(x) <- 1")), 0},
    {"ALG.Valid.Types", PLAIN, {0}, 0},
    {"ALG.Valid.Types.Not", BOTH(F("x + true")), PLAIN, 0},
    {"ALG.Valid.Defined", BOTH("pipeline p() { fun a(x) = 1; fun f(x) = a(x); }"), PLAIN, 0},
    {"ALG.Valid.Defined.Not", BOTH(F("x + y")), PLAIN, 0},
    {"ALG.Valid.Shadow", PLAIN, {0}, 0},
    {"ALG.Valid.Shadow.Not", BOTH("pipeline p(n: int) { fun f(n) = 1; }"), PLAIN, 0},
    {"ALG.Dimension.Pure", BOTH(UPDATE("(x) <- f(x) + 1")), PLAIN, 0},
    {"ALG.Dimension.Reduction", BOTH(UPDATE("(0) <- f(0) + 1")), BOTH(UPDATE("(x) <- f(x) + 1")), 0},
    // algorithms: forms (ALG.Expand)
    {"ALG.Expand.Box-Names", BOTH(IMAGE("in(in.left())")), BOTH(IMAGE("in(in.min(0))")), 0},
    {"ALG.Expand.Box-Max", BOTH(IMAGE("in(in.max(0))")), BOTH(IMAGE("in(in.min(0))")), 0},
    {"ALG.Expand.Repeat-Edge", BOTH(IMAGE("repeat_edge(in)(x)")), BOTH(IMAGE("in(x)")), 0},
    {"ALG.Expand.Constant-Exterior", BOTH(IMAGE("constant_exterior(in, 1)(x)")), BOTH(IMAGE("in(x)")), 0},
    {"ALG.Expand.Repeat-Image", BOTH(IMAGE("repeat_image(in)(x)")), BOTH(IMAGE("in(x)")), 0},
    {"ALG.Expand.Mirror-Image", BOTH(IMAGE("mirror_image(in)(x)")), BOTH(IMAGE("in(x)")), 0},
    {"ALG.Expand.Mirror-Interior", BOTH(IMAGE("mirror_interior(in)(x)")), BOTH(IMAGE("in(x)")), 0},
    {"ALG.Expand.Boundary-Tuple",
     BOTH("pipeline p() { fun g(x) = (x, 1); fun f(x) = repeat_edge(g, (0, 4))(x)[0] + mirror_image(g, (0, 4))(x)[1]; "
          "}"),
     BOTH("pipeline p() { fun g(x) = (x, 1); fun f(x) = g(x)[0] + g(x)[1]; }"), 0},
    {"ALG.Expand.Const", BOTH("pipeline p() { const N = 3; fun f(x) = x + N; }"), PLAIN, 0},
    {"ALG.Expand.Derived", BOTH(F("absd(u8(x), u8(n))")), PLAIN, 0},
    {"ALG.Expand.Reduction", BOTH(F("sum(rdom(r = (0, 3)) in r + x)")), PLAIN, 0},
    {"ALG.Expand.Def", BOTH("pipeline p() { def h(a) = a + 1; fun f(x) = h(x); }"),
     BOTH("pipeline p() { def h(a) = a + 1; fun f(x) = x + 1; }"), 0},
    {"ALG.Expand.Def-Func", BOTH("pipeline p(in: u8[1]) { def h(f, x) = f(x); fun f(x) = h(in, x); }"),
     BOTH("pipeline p(in: u8[1]) { def h(f, x) = f(x); fun f(x) = in(x); }"), 0},
    {"ALG.Expand.Def-Reduction", BOTH("pipeline p() { def h(a) = sum(rdom(r = (0, 3)) in r + a); fun f(x) = h(x); }"),
     BOTH("pipeline p() { fun f(x) = sum(rdom(r = (0, 3)) in r + x); }"), 0},
    {"ALG.Expand.Short", BOTH("pipeline p(in: u8[1]) { fun f = repeat_edge(in); }"), BOTH(IMAGE("repeat_edge(in)(x)")),
     0},
    // algorithms: meaning (Figure 6)
    {"ALG.Realize", PLAIN, {0}, 0},
    {"ALG.Realize-Empty", PLAIN, PLAIN, -1},
    {"ALG.Const-Eval", PLAIN, {0}, 0},
    {"ALG.Op-Eval", PLAIN, BOTH(F("n")), 0},
    {"ALG.Op-Lazy", BOTH(F("select(x < n, 1, 2)")), PLAIN, 0},
    {"ALG.Func-Arg-Eval", BOTH(IMAGE("in(x)")), PLAIN, 0},
    {"ALG.Func-Arg-Err", BOTH(IMAGE("in(x / (x - x))")), BOTH(IMAGE("in(x)")), 0},
    {"ALG.Image", BOTH(IMAGE("in(x)")), PLAIN, 0},
    {"ALG.Image-Outside", BOTH(IMAGE("in(x + 1000)")), BOTH(IMAGE("in(x)")), 0},
    {"ALG.Func-Passthrough", BOTH("pipeline p() { fun a(x) = 1; fun b(x) = 2; fun f(x) = a(x); }"), PLAIN, 0},
    {"ALG.Func-Eval", PLAIN, {0}, 0},
    {"ALG.Update-Eval", BOTH(UPDATE("(x) <- 1")), PLAIN, 0},
    {"ALG.Update-Miss", BOTH(UPDATE("(3) <- 1")), BOTH(UPDATE("(x) <- 1")), 0},
    {"ALG.Update-Poison", BOTH(UPDATE("(x) <- 1 if 1 / (n - n) == 1")), BOTH(UPDATE("(x) <- 1")), 0},
    {"ALG.Update-Strict", BOTH(UPDATE("(x) <- 1")), PLAIN, 0},
    {"ALG.RDom-Err", BOTH(UPDATE("rdom(r = (0, 1 - n)) in (x) <- r")), BOTH(UPDATE("rdom(r = (0, n)) in (x) <- r")), 0},
    {"ALG.RDom-Eval", BOTH(UPDATE("rdom(r = (0, n)) in (x) <- r")), PLAIN, 0},
};

START_TEST(rules_fire_where_they_should) { firing_check(&rows[_i]); }
END_TEST

/* -- target programs: wrong ones by hand -- */

#define ONE(body)                                                                                                      \
  "target t(w: int) on f(x) { func f(x): int stages 1; allocate f[(x.min, x.len)]; label f: compute f on [(x.min, "    \
  "x.len)] { label f.s0: " body " } }"
#define LOOP(body) ONE("for f.s0.x in (x.min, x.len) { " body " }")
#define TWO(mem, cpu, index)                                                                                           \
  "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[" mem                       \
  "]; label g: compute "                                                                                               \
  "g on [" cpu                                                                                                         \
  "] { label g.s0: for g.s0.a in (x.min, x.len) { g(g.s0.a) <- 10; } } allocate f[(x.min, x.len)]; label "             \
  "f: compute f on [(x.min, x.len)] { label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- " index "; } } }"
#define BOX "(x.min, x.len)"
// g is computed inside of f's loop, and stored outside of it or inside.
#define INSIDE(before, how, inside)                                                                                    \
  "target t(w: int) on f(x) { func g(a): int stages 1; func f(x): int stages 1; " before " allocate f[" BOX            \
  "]; label f: compute f on [" BOX "] { label f.s0: for " how " f.s0.x in (x.min, 9) { " inside                        \
  " label g: compute g on [(0, 1)] { label g.s0: for g.s0.a in (0, 1) { g(g.s0.a) <- 1; } } f(f.s0.x) <- g(0); } } }"
#define FINE                                                                                                           \
  { LOOP("f(f.s0.x) <- 1;"), NULL }
#define FINE_TWO                                                                                                       \
  { TWO(BOX, BOX, "g(f.s0.x)"), NULL }

static const firing_row targets[] = {
    {"TGT.For", FINE,
     BOTH("target t() on f() { func f(): int stages 1; allocate f[]; label f: compute f on [] { label "
          "f.s0: f() <- 1; } }"),
     0},
    {"TGT.For-Neg", BOTH(ONE("for f.s0.x in (0, 0 - w) { f(f.s0.x) <- 1; }")), FINE, 0},
    {"TGT.For-Parallel", BOTH(ONE("for parallel f.s0.x in " BOX " { f(f.s0.x) <- 1; }")), FINE, 0},
    {"TGT.For-Vector", {F("x"), "split(f.x, xo, xi, 4); traverse(f.xi, vectorized);"}, FINE, 0},
    {"TGT.Let", {F("x"), "split(f.x, xo, xi, 4);"}, FINE, 0},
    {"TGT.If-User", BOTH(UPDATE("(x) <- 1 if x < n")), FINE, 0},
    {"TGT.If-Guard", {F("x"), "split(f.x, xo, xi, 4);"}, FINE, 0},
    {"TGT.If-Specialize", {F("x"), "specialize(f, n == 2);"}, FINE, 0},
    {"TGT.Alloc", FINE, {0}, 0},
    {"TGT.Alloc-End", FINE, {0}, 0},
    {"TGT.Assign", FINE, {0}, 0},
    {"TGT.Store", FINE, {0}, 0},
    {"TGT.Assign-Out",
     BOTH("target t(w: int) on f(x) { func f(x): int stages 1; allocate f[(x.min, x.len - 1)]; label f: compute f on "
          "[" BOX "] { label f.s0: for f.s0.x in " BOX " { f(f.s0.x) <- 1; } } }"),
     FINE, 0},
    {"TGT.Assign-Poison", BOTH(UPDATE("(x) <- 1 if 1 / (n - n) == 1")), FINE, 0},
    {"TGT.Read", FINE_TWO, FINE, 0},
    {"TGT.Read-Out", BOTH(TWO(BOX, BOX, "g(f.s0.x + 1)")), FINE_TWO, 0},
    {"TGT.Read-Arms", FINE_TWO, FINE, 0},
    {"TGT.Compute", FINE, {0}, 0},
    {"TGT.Assume", PLAIN, FINE, 0},
    {"TGT.Constrain", {F("x"), "align_bounds(f, x, 4, 0);"}, FINE, 0},
    {"TGT.Realize", FINE, {0}, 0},
    {"TGT.Empty", FINE, FINE, -1},
    {"TGT.Mon-Cpu", BOTH(TWO("(x.min, x.len + 9)", BOX, "g(f.s0.x + 1)")), FINE_TWO, 0},
    {"TGT.Mon-Cover", BOTH(ONE("for f.s0.x in (x.min, x.len - 1) { f(f.s0.x) <- 1; }")), FINE, 0},
    {"TGT.Mon-Undefined", BOTH(TWO("(x.min, x.len + 9)", "(x.min, x.len + 9)", "g(f.s0.x + 1)")), FINE_TWO, 0},
    {"TGT.Mon-Race", BOTH(INSIDE("allocate g[(0, 1)];", "parallel", "")),
     BOTH(INSIDE("", "parallel", "allocate g[(0, 1)];")), 0},
    {"TGT.Mon-Lanes", BOTH(INSIDE("", "vectorized", "allocate g[(0, 1)];")), FINE, 0},
    {"TGT.Const", FINE, {0}, 0},
    {"TGT.Op", BOTH(LOOP("f(f.s0.x) <- f.s0.x + 1;")), FINE, 0},
    {"TGT.Op-Lazy", BOTH(LOOP("f(f.s0.x) <- select(f.s0.x < w, 1, 2);")), FINE, 0},
    {"TGT.Seq", FINE, {0}, 0},
    {"TGT.Nop", BOTH(LOOP("for rdom f.s0.b in (0, 2) { nop; } f(f.s0.x) <- 1;")), FINE, 0},
    {"TGT.Label", FINE, {0}, 0},
    {"TGT.Else", {F("x"), "specialize(f, n == 77);"}, FINE, 0},
    {"TGT.Par-Step", BOTH(ONE("for parallel f.s0.x in " BOX " { f(f.s0.x) <- 1; }")), FINE, 0},
};

START_TEST(target_rules_fire_where_they_should) { firing_check(&targets[_i]); }
END_TEST

Suite *rules_meaning_suite(void) {
  Suite *suite = suite_create("rules_meaning");
  TCase *t = tcase_create("rules");
  tcase_add_loop_test(t, rules_fire_where_they_should, 0, HY_COUNT(rows));
  tcase_add_loop_test(t, target_rules_fire_where_they_should, 0, HY_COUNT(targets));
  suite_add_tcase(suite, t);
  return suite;
}
