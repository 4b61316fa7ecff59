/* Well-formed target programs: each rule of hy_tgt_verify is broken once and must be named; what is sound must pass.
 *
 * Most programs are texts; what no text can say is built by hand.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/print_harness.h"

/* -- texts: a frame with three funcs f, g, h over x, all of one stage -- */

#define HEAD                                                                                                           \
  "target t(w: int, in: u8[1]) on h(x) { func f(x): int stages 1; func g(x): int stages 2; func h(x): int stages 1; "
#define F "label f: compute f on [(0, 8)] { label f.s0: for f.s0.x in (0, 8) { f(f.s0.x) <- 1; } } "
#define G0 "label g.s0: for g.s0.x in (0, 8) { g(g.s0.x) <- f(g.s0.x); } "
#define G1 "label g.s1: for g.s1.x in (0, 8) { g(g.s1.x) <- g(g.s1.x) + 1; } "
#define G "label g: compute g on [(0, 8)] { " G0 G1 "} "
#define H "label h: compute h on [(0, 8)] { label h.s0: for h.s0.x in (0, 8) { h(h.s0.x) <- g(h.s0.x); } } "
#define A(name) "allocate " name "[(0, 8)]; "
#define PROGRAM(body) HEAD body "}"
#define AROUND_G1(before, after)                                                                                       \
  PROGRAM(A("f") F A("g") "label g: compute g on [(0, 8)] { " G0 "label g.s1: " before " " after " } " A("h") H)
#define IN_G(body) PROGRAM(A("f") F A("g") "label g: compute g on [(0, 8)] { " body "} " A("h") H)
#define SPECIAL(z)                                                                                                     \
  "label g.z" z ": { label g.s0: for g.z" z ".s0.x in (0, 8) { g(g.z" z ".s0.x) <- 1; } label g.s1: for g.z" z         \
  ".s1.x in (0, 8) { g(g.z" z ".s1.x) <- 2; } } "
#define ASSIGN "g(g.s1.x) <- g(g.s1.x) + f(g.s1.x);"

#define GIVEN(loops, lets, inverses)                                                                                   \
  AROUND_G1("for g.s1.t in (0, 8) { for g.s1.k in (0, 1) { for rdom g.s1.r in (0, 1) { let g.s1.x = g.s1.t + g.s1.k "  \
            "by given turn guard(" loops "; " lets "; " inverses "; (0, 8)) in {",                                     \
            ASSIGN " } } } }")

// A let outside of a loop of its application.
#define OUTSIDE(inverses)                                                                                              \
  AROUND_G1("for g.s1.t in (0, 8) { for rdom g.s1.r in (0, 1) { let g.s1.x = g.s1.t by given lean guard(g.s1.t; "      \
            "g.s1.x; " inverses "; (0, 8)) in { for rdom g.s1.i in (g.s1.x, 1) {",                                     \
            ASSIGN " } } } }")

typedef struct {
  const char *text;
  hy_code code; // of the first error; 0: none
} row;

static const row texts[] = {
    {PROGRAM(A("f") F A("g") G A("h") H), 0},
    {PROGRAM(A("h") A("g") A("f") F G H), 0},
    // how buffers lie (WF.Laid)
    {PROGRAM("buffer h in stride(x, 2); " A("f") F A("g") G A("h") H), 0},
    {PROGRAM("buffer g in stride(x, 2); " A("f") F A("g") G A("h") H), HY_E_TGT_LAID},
    {PROGRAM("buffer h in stride(x, 2); buffer h in stride(x, 2); " A("f") F A("g") G A("h") H), HY_E_TGT_LAID},
    {PROGRAM("buffer h in stride(y, 2); " A("f") F A("g") G A("h") H), HY_E_TGT_LAID},
    {PROGRAM("buffer h in stride(x, 0); " A("f") F A("g") G A("h") H), HY_E_TGT_LAID},
    // lemma 6.2: moved computes and storage
    {PROGRAM(A("f") A("g") A("h") "label h: compute h on [(0, 8)] { label h.s0: for h.s0.x in (0, 8) { " F G
                                  "h(h.s0.x) <- g(h.s0.x); } } "),
     0},
    {PROGRAM(A("f") A("h") "label h: compute h on [(0, 8)] { label h.s0: for h.s0.x in (0, 8) { " A("g") F G
             "h(h.s0.x) <- g(h.s0.x); } } "),
     0},
    {PROGRAM(A("f") A("g") A("h") F "label h: compute h on [(0, 8)] { label h.s0: for h.s0.x in (0, 8) { h(h.s0.x) <- "
                                    "g(h.s0.x); " G "} } "),
     HY_E_TGT_DOMINANCE},
    {PROGRAM(A("f") A("g") A("h") F
             "label h: compute h on [(0, 8)] { label h.s0: for h.s0.x in (0, 8) { if (w == 1) { " G
             "} h(h.s0.x) <- g(h.s0.x); } } "),
     HY_E_TGT_DOMINANCE},
    {PROGRAM(A("g") A("f") G F A("h") H), HY_E_TGT_DOMINANCE},
    {PROGRAM(A("f") A(
         "g") "label g: compute g on [(0, 8)] { label g.s0: for g.s0.x in (0, 8) { " F
              "g(g.s0.x) <- f(g.s0.x); } label g.s1: for g.s1.x in (0, 8) { g(g.s1.x) <- f(g.s1.x); } } " A("h") H),
     HY_E_TGT_DOMINANCE},
    {PROGRAM(A("f") F A("g")
                 G A("h") "label h: compute h on [(0, 8)] { label h.s0: for h.s0.x in (0, 8) { h(h.s0.x) <- "
                          "h(h.s0.x); } } "),
     HY_E_TGT_DOMINANCE},
    {AROUND_G1("for g.s1.x in (0, 8) { if (h(g.s1.x) < 3) {", ASSIGN " } }"), HY_E_TGT_ALLOCATION},
    {PROGRAM(A("h") A("f") F A("g") "label g: compute g on [(0, 8)] { " G0 "label g.s1: for g.s1.x in (0, 8) { if "
                                    "(h(g.s1.x) < 3) { " ASSIGN " } } } " H),
     HY_E_TGT_DOMINANCE},
    {PROGRAM(F A("f") A("g") G A("h") H), HY_E_TGT_ALLOCATION},
    {PROGRAM(A("f") F A("g") "label g: { compute g on [(0, 8)] { " G0 G1 "} nop; } " A("h") H), 0},
    {PROGRAM(A("f") F "label g: { " A("g") G1 "} " A("h") H), HY_E_TGT_LABEL},
    {PROGRAM(A("f") F "label g: { " A("g") "compute g on [(0, 8)] { " G0 G1 "} } " A("h") H), HY_E_TGT_ALLOCATION},
    {PROGRAM(A("g") A("h") "label h: compute h on [(0, 8)] { label h.s0: for h.s0.x in (0, 8) { " A("f") F
             "h(h.s0.x) <- f(h.s0.x); } } " G),
     HY_E_TGT_ALLOCATION},
    {PROGRAM(F A("g") G A("h") H), HY_E_TGT_ALLOCATION},
    {PROGRAM(A("f") A("f") F A("g") G A("h") H), HY_E_TGT_ALLOCATION},
    // one compute each, the output outermost
    {PROGRAM(A("f") A("g")
                 A("h") "label h: compute h on [(0, 8)] { label h.s0: for h.s0.x in (0, 8) { h(h.s0.x) <- 1; } } " F),
     HY_E_TGT_COMPUTE},
    {PROGRAM(A("f") F "label f: compute f on [(0, 8)] { label f.s0: for f.s0.y in (0, 8) { f(f.s0.y) <- 1; } } " A("g")
                 G A("h") H),
     HY_E_TGT_LABEL},
    {PROGRAM(A("f") A("g") A("h") F "label g: compute g on [(0, 8)] { " G0 "label g.s1: for g.s1.x in (0, 8) { " H
                                    "g(g.s1.x) <- 1; } } "),
     HY_E_TGT_COMPUTE},
    {PROGRAM(A("f") A("g") A("h") "label g: compute g on [(0, 8)] { " F G0 G1 "} " H), HY_E_TGT_LABEL},
    // stages
    {IN_G(G0), HY_E_TGT_LABEL},
    {IN_G(G1 G0), HY_E_TGT_LABEL},
    {IN_G(G0 G0 G1), HY_E_TGT_LOOP_TWICE},
    {IN_G(G1), HY_E_TGT_LABEL},
    {IN_G(""), HY_E_TGT_LABEL},
    {IN_G(G0 G1 "assume need(g): w > 0; "), 0},
    {AROUND_G1("for g.s1.x in (0, 8) {", "nop; }"), HY_E_TGT_ASSIGNMENT},
    {AROUND_G1("for g.s1.x in (0, 8) {", ASSIGN ASSIGN " }"), HY_E_TGT_ASSIGNMENT},
    {AROUND_G1("for g.s1.x in (0, 8) { if guard (g.s1.x < 3) {", ASSIGN " } else { nop; } }"), HY_E_TGT_SHAPE},
    {PROGRAM(A("f") F A("g") "if (w == 1) { nop; } " G A("h") H), HY_E_TGT_SHAPE},
    {PROGRAM(A("f") F A("g") G A("h") H "for h.s0.y in (0, 8) { nop; } "), HY_E_TGT_LOOP_NAME},
    // lemma 8.1: specializations
    {IN_G("if specialize (w == 1) { " SPECIAL("1") "} else if specialize (w == 2) { " SPECIAL("2") "} else { " SPECIAL(
         "0") "} "),
     0},
    {IN_G("if specialize (w == 1) { " SPECIAL("1") "} "), HY_E_TGT_LABEL},
    {IN_G("if specialize (w == 1) { " SPECIAL("1") "} else { " G0 G1 "} "), HY_E_TGT_LABEL},
    {IN_G("if specialize (w == 1) { " SPECIAL("1") "} else { " SPECIAL("0") "} " G0), HY_E_TGT_LOOP_TWICE},
    {IN_G("if specialize (w == 1) { " SPECIAL("1") "} else { " SPECIAL("2") "} " G0 G1), HY_E_TGT_LABEL},
    {IN_G("if specialize (w == 1) { label g.z1: nop; } else { " SPECIAL("0") "} "), HY_E_TGT_LABEL},
    {IN_G("if specialize (w == 1) { " SPECIAL("1") "} else { " SPECIAL("0") "} if specialize (w == 2) { " SPECIAL(
         "2") "} else { " SPECIAL("3") "} "),
     HY_E_TGT_LABEL},
    {IN_G("if specialize (w == 1) { label g.z1: if specialize (w == 2) { " SPECIAL("2") "} else { " SPECIAL(
         "3") "} } else { " SPECIAL("0") "} "),
     HY_E_TGT_LABEL},
    {IN_G(SPECIAL("1")), HY_E_TGT_LABEL},
    {IN_G("if specialize (in(0) == 1) { " SPECIAL("1") "} else { " SPECIAL("0") "} "), HY_E_TGT_ACCESS},
    {PROGRAM(A("f") A("g") A("h") F "label h: compute h on [(0, 8)] { label h.s0: for h.s0.x in (0, 8) { label g: "
                                    "compute g on [(0, 8)] { if specialize (h.s0.x == 1) { " SPECIAL(
                                        "1") "} else { " SPECIAL("0") "} } h(h.s0.x) <- g(h.s0.x); } } "),
     HY_E_TGT_VARIABLE},
    // definition 6.3: holes where they belong, and of their own func
    {PROGRAM(A("f") F A("g") "label g: compute g on [(?mem.min(g, x), 8)] { " G0 G1 "} " A("h") H),
     HY_E_TGT_HOLE}, // WF.Hole
    {PROGRAM(A("f") F "allocate g[(?mem.min(f, x), 8)]; " G A("h") H), HY_E_TGT_HOLE},
    {IN_G("if (w == 1) { " SPECIAL("1") "} else { " SPECIAL("0") "} "), HY_E_TGT_SHAPE},
    // definition 8.3: purity through lets
    {AROUND_G1("for g.s1.t in (0, 8) { let g.s1.x = g.s1.t in {", ASSIGN " } }"), HY_E_TGT_PURITY},
    {AROUND_G1("for rdom g.s1.t in (0, 8) { let g.s1.x = g.s1.t in {", ASSIGN " } }"), 0},
    {AROUND_G1("for g.s1.xo in (0, 2) { for g.s1.xio in (0, 2) { for g.s1.xii in (0, 2) { let g.s1.xi = 0 + g.s1.xii + "
               "2*g.s1.xio by split guard(g.s1.xio, g.s1.xii, 2, (0, 4)) in { let g.s1.x = 0 + g.s1.xi + 4*g.s1.xo by "
               "split round(g.s1.xo, g.s1.xi, 4, (0, 8)) in {",
               ASSIGN " } } } } }"),
     0},
    {AROUND_G1("for g.s1.xo in (0, 2) { for rdom g.s1.xio in (0, 2) { for rdom g.s1.xii in (0, 2) { let g.s1.xi = 0 + "
               "g.s1.xii + 2*g.s1.xio by split guard(g.s1.xio, g.s1.xii, 2, (0, 4)) in { let g.s1.x = 0 + g.s1.xi + "
               "4*g.s1.xo by split round(g.s1.xo, g.s1.xi, 4, (0, 8)) in {",
               ASSIGN " } } } } }"),
     HY_E_TGT_PURITY},
    {AROUND_G1(
         "for rdom g.s1.t in (0, 16) { let g.s1.x = 0 + g.s1.t/2 by fuse outer(g.s1.t, 2, (0, 8)) in { let g.s1.r "
         "= 0 + g.s1.t%2 by fuse inner(g.s1.t, 2, (0, 2)) in {",
         ASSIGN " } } }"),
     0},
    {AROUND_G1(
         "for g.s1.t in (0, 16) { let g.s1.x = 0 + g.s1.t/2 by fuse outer(g.s1.t, 2, (0, 8)) in { let g.s1.r = 0 + "
         "g.s1.t%2 by fuse inner(g.s1.t, 2, (0, 2)) in {",
         ASSIGN " } } }"),
     HY_E_TGT_PURITY},
    {AROUND_G1("for rdom g.s1.t in (0, 16) { let g.s1.x = 0 + g.s1.t%2 by fuse outer(g.s1.t, 2, (0, 8)) in {",
               ASSIGN " } }"),
     HY_E_TGT_ORIGIN},
    {AROUND_G1("for rdom g.s1.t in (0, 16) { let g.s1.x = 0 + g.s1.t/2 by fuse inner(g.s1.t, 2, (0, 8)) in {",
               ASSIGN " } }"),
     HY_E_TGT_ORIGIN},
    // origins that a directive from outside the tree gives: they list their let and its loops
    {GIVEN("g.s1.t, g.s1.k", "g.s1.y, g.s1.z, g.s1.x", "g.s1.t = g.s1.x, g.s1.k = 0"), 0},
    {GIVEN("g.s1.t, g.s1.k", "g.s1.x", "g.s1.t = g.s1.x, g.s1.k = 0"), 0},
    {GIVEN("g.s1.t", "g.s1.y", "g.s1.t = 0"), HY_E_TGT_ORIGIN},
    {GIVEN("g.s1.t", "g.s1.x", "g.s1.k = g.s1.x"), HY_E_TGT_ORIGIN},
    {GIVEN("g.s1.t, g.s1.k", "g.s1.x", "g.s1.t = g.s1.x"), HY_E_TGT_ORIGIN},
    {GIVEN("g.s1.t", "g.s1.x", "g.s1.t = f(g.s1.x)"), HY_E_TGT_ACCESS},
    {GIVEN("g.s1.t", "g.s1.x", "g.s1.t = g.s1.y"), HY_E_TGT_UNBOUND},
    {GIVEN("g.s1.t, g.s1.r", "g.s1.x", "g.s1.t = g.s1.x, g.s1.r = 0"), HY_E_TGT_PURITY},
    // the way back lists the application's loops, wherever they stand, and speaks of those that it listed before
    {OUTSIDE("g.s1.t = g.s1.x, g.s1.i = 0"), 0},
    {OUTSIDE("g.s1.t = g.s1.x, g.s1.i = g.s1.t - g.s1.x"), 0},
    {OUTSIDE("g.s1.i = 0, g.s1.t = g.s1.x + g.s1.i"), 0},
    {OUTSIDE("g.s1.t = g.s1.x + g.s1.i, g.s1.i = 0"), HY_E_TGT_UNBOUND},
    {OUTSIDE("g.s1.t = g.s1.x, g.s1.i = g.s1.j"), HY_E_TGT_UNBOUND},
    {OUTSIDE("g.s1.t = g.s1.x, g.s1.j = 0"), HY_E_TGT_UNBOUND},
    {OUTSIDE("g.s1.t = g.s1.x, g.s1.i = f(0)"), HY_E_TGT_ACCESS},
    // written otherwise, but the same
    {AROUND_G1("for rdom g.s1.t in (0, 16) { let g.s1.x = (g.s1.t + 2*w)/2 by fuse outer(g.s1.t, 2, (w, 8)) in {",
               ASSIGN " } }"),
     0},
    {AROUND_G1("for parallel g.s1.x in (0, 8) {", ASSIGN " }"), 0},
    {AROUND_G1("for rdom parallel g.s1.x in (0, 8) {", ASSIGN " }"), HY_E_TGT_TRAVERSAL},
    {AROUND_G1("for rdom vectorized g.s1.x in (0, 8) {", ASSIGN " }"), HY_E_TGT_TRAVERSAL},
    {AROUND_G1("for rdom unrolled g.s1.x in (0, 8) {", ASSIGN " }"), 0},
    {AROUND_G1("for g.s1.x in (0, 8) {", "g(g.s1.x) <- g(0); }"), HY_E_TGT_PURITY},
    {AROUND_G1("for g.s1.x in (0, 8) {", "g(0) <- g.s1.x; }"), HY_E_TGT_PURITY},
    {AROUND_G1("for g.s1.x in (0, 8) { if (g(3) < 2) {", ASSIGN " } }"), HY_E_TGT_PURITY},
    {AROUND_G1("for rdom g.s1.x in (0, 8) {", "g(0) <- g.s1.x; }"), 0},
};

START_TEST(texts_are_judged) {
  const row *r = &texts[_i];
  world w = open_world();
  const hy_tgt *tgt = parse_tgt(&w, r->text);
  hy_text why = {0};
  hy_diagnostics_print(w.diagnostics, &why);
  ck_assert_msg((tgt != NULL) == (r->code == 0), "%s%s", r->text, hy_text_string(&why));
  if (r->code)
    ck_assert_msg(hy_diagnostics_at(w.diagnostics, 0)->code == r->code, "%s%s", r->text, hy_text_string(&why));
  else
    ck_assert(hy_tgt_verify(w.context, tgt, w.diagnostics));
  hy_text_free(&why);
  close_world(&w);
}
END_TEST

/* -- built by hand: f(x) <- x on [0, 8), with one thing changed -- */

typedef enum {
  NOTHING,
  NESTED_SEQUENCE,
  ENTRY_NOT_ASSUME,
  ENTRY_LOOP,
  PURE_VARIABLE,
  FRESH_VARIABLE,
  FOREIGN_PARAMETER,
  FOREIGN_WINDOW,
  FOREIGN_IMAGE,
  FOREIGN_FUNC_READ,
  FOREIGN_FUNC_COMPUTED,
  FOREIGN_HOLE,
  UNBOUND_LOOP,
  LOOP_OUTSIDE,
  WRONG_STAGE_ASSIGNED,
  WRONG_SPEC_ASSIGNED,
  WRONG_STAGE_LOOP,
  LOOP_TWICE,
  ORIGIN_WITHOUT_INNER,
  ORIGIN_UNBOUND,
  LABEL_OF_FOREIGN,
  CHANGES
} change;

static const struct {
  change change;
  hy_code code;
} changes[] = {
    {NOTHING, 0},
    {NESTED_SEQUENCE, HY_E_TGT_SHAPE}, // WF.Program
    {ENTRY_NOT_ASSUME, HY_E_TGT_SHAPE},
    {ENTRY_LOOP, HY_E_TGT_UNBOUND}, // WF.Scope
    {PURE_VARIABLE, HY_E_TGT_VARIABLE},
    {FRESH_VARIABLE, HY_E_TGT_VARIABLE},
    {FOREIGN_PARAMETER, HY_E_TGT_VARIABLE},
    {FOREIGN_WINDOW, HY_E_TGT_VARIABLE},
    {FOREIGN_IMAGE, HY_E_TGT_UNKNOWN_FUNC},
    {FOREIGN_FUNC_READ, HY_E_TGT_UNKNOWN_FUNC},
    {FOREIGN_FUNC_COMPUTED, HY_E_TGT_UNKNOWN_FUNC},
    {FOREIGN_HOLE, HY_E_TGT_HOLE},
    {UNBOUND_LOOP, HY_E_TGT_UNBOUND},
    {LOOP_OUTSIDE, HY_E_TGT_LOOP_NAME},
    {WRONG_STAGE_ASSIGNED, HY_E_TGT_ASSIGNMENT},
    {WRONG_SPEC_ASSIGNED, HY_E_TGT_ASSIGNMENT},
    {WRONG_STAGE_LOOP, HY_E_TGT_LOOP_NAME},
    {LOOP_TWICE, HY_E_TGT_LOOP_TWICE}, // WF.Name
    {ORIGIN_WITHOUT_INNER, HY_E_TGT_ORIGIN},
    {ORIGIN_UNBOUND, HY_E_TGT_UNBOUND},
    {LABEL_OF_FOREIGN, HY_E_TGT_UNKNOWN_FUNC},
};

typedef struct {
  world *w;
  hy_context *context;
  const hy_alg *alg, *foreign;
  const hy_func *func;
  const hy_expr *zero, *eight;
  change change;
} builder;

static const hy_expr *access_zero(builder *b, const hy_func *func) {
  const hy_expr *zeros[HY_MAX_RANK];
  for (int d = 0; d < HY_MAX_RANK; d++) zeros[d] = b->zero;
  return hy_expr_access(b->context, func, zeros);
}

static const hy_expr *variable(builder *b, const hy_var *var) { return hy_expr_var(b->context, var); }

static const hy_expr *value_of(builder *b, const hy_var *loop) {
  hy_hole hole = {.kind = HY_HOLE_CPU, .func = b->foreign->output};
  switch ((int)b->change) {
  case PURE_VARIABLE: return variable(b, b->alg->definitions[0].vars[0]);
  case FRESH_VARIABLE: return variable(b, hy_var_new(b->context, HY_VAR_FRESH, HY_INT, "k", NULL, 0, 0));
  case FOREIGN_PARAMETER: return variable(b, b->foreign->params[0]);
  case FOREIGN_WINDOW: return variable(b, b->foreign->window_min[0]);
  case FOREIGN_IMAGE: return access_zero(b, b->foreign->images[0]);
  case FOREIGN_FUNC_READ: return access_zero(b, b->foreign->output);
  case FOREIGN_HOLE: return hy_expr_hole(b->context, hy_hole_get(b->context, hole));
  case UNBOUND_LOOP: return variable(b, hy_var_loop(b->context, b->func, 0, 0, "q"));
  default: return variable(b, loop);
  }
}

static const hy_stmt *loop_of(builder *b, const hy_var *var, const hy_stmt *body) {
  return hy_stmt_for(b->context, var, true, HY_SERIAL, (hy_interval){b->zero, b->eight}, body);
}

static const hy_stmt *stage_of(builder *b) {
  const hy_var *x = hy_var_loop(b->context, b->func, 0, b->change == WRONG_STAGE_LOOP, "x");
  const hy_var *y = hy_var_loop(b->context, b->func, 0, 0, "y");
  const hy_expr *at = variable(b, x);
  const hy_stmt *body = hy_stmt_assign(b->context, b->func, b->change == WRONG_SPEC_ASSIGNED,
                                       b->change == WRONG_STAGE_ASSIGNED, &at, value_of(b, x));
  const hy_var *inner = b->change == ORIGIN_UNBOUND ? hy_var_loop(b->context, b->func, 0, 0, "q") : NULL;
  const hy_interval range = {b->zero, b->eight};
  const hy_origin origin = hy_origin_split(b->context, HY_TAIL_ROUND, y, x, inner, b->eight, range);
  if (b->change == ORIGIN_WITHOUT_INNER || b->change == ORIGIN_UNBOUND)
    body = hy_stmt_let(b->context, y, at, origin, body);
  if (b->change == LOOP_TWICE) body = loop_of(b, x, body);
  return hy_stmt_label(b->context, HY_LABEL_STAGE, b->func, 0, loop_of(b, x, body));
}

static const hy_stmt *body_of(builder *b) {
  const hy_interval box = {b->zero, b->eight};
  const hy_func *computed = b->change == FOREIGN_FUNC_COMPUTED ? b->foreign->output : b->func;
  const hy_func *labelled = b->change == LABEL_OF_FOREIGN ? b->foreign->output : b->func;
  const hy_interval boxes[] = {box, box};
  const hy_stmt *compute = hy_stmt_compute(b->context, computed, boxes, stage_of(b));
  const hy_stmt *items[] = {hy_stmt_allocate(b->context, b->func, boxes),
                            hy_stmt_label(b->context, HY_LABEL_FUNC, labelled, 0, compute)};
  if (b->change == LOOP_OUTSIDE) items[1] = loop_of(b, hy_var_loop(b->context, b->func, 0, 0, "o"), items[1]);
  const hy_stmt *body = hy_stmt_seq(b->context, items, 2);
  if (b->change != NESTED_SEQUENCE) return body;
  // hy_stmt_seq flattens; a sequence that some rewrite forgot to flatten has this form
  hy_stmt *outer = HY_NEW(hy_context_arena(b->context), hy_stmt);
  const hy_stmt **one = HY_NEW_ARRAY(hy_context_arena(b->context), const hy_stmt *, 1);
  one[0] = body;
  *outer = (hy_stmt){.kind = HY_STMT_SEQ, .seq = {one, 1}};
  return outer;
}

static const hy_stmt *entry_of(builder *b) {
  const hy_expr *loop = variable(b, hy_var_loop(b->context, b->func, 0, 0, "x"));
  if (b->change == ENTRY_NOT_ASSUME) return hy_stmt_nop(b->context);
  const hy_expr *left = b->change == ENTRY_LOOP ? loop : b->zero;
  return hy_stmt_assume(b->context, HY_ASSUME_RANGE, NULL, hy_expr_binary(b->context, HY_OP_LE, left, b->eight));
}

START_TEST(programs_built_by_hand_are_judged) {
  world w = open_world();
  builder b = {.w = &w, .context = w.context, .change = changes[_i].change};
  b.alg = parse_alg(&w, "pipeline P(w: int) { fun f(x) = w; }");
  b.foreign = parse_alg(&w, "pipeline Q(v: int, im: int[1]) { fun q(z) = v; }");
  b.func = b.alg->output;
  b.zero = hy_expr_int(w.context, 0);
  b.eight = hy_expr_int(w.context, 8);
  const int stages = 1;
  const hy_stmt *entry = entry_of(&b);
  hy_tgt tgt = {b.alg, &b.func, 1, &stages, NULL, 0, &entry, 1, body_of(&b)};
  bool good = hy_tgt_verify(w.context, &tgt, w.diagnostics);
  hy_text why = {0};
  hy_diagnostics_print(w.diagnostics, &why);
  ck_assert_msg(good == (changes[_i].code == 0), "change %d: %s", (int)changes[_i].change, hy_text_string(&why));
  ck_assert_int_eq(hy_diagnostics_errors(w.diagnostics) > 0, !good);
  if (!good)
    ck_assert_msg(hy_diagnostics_at(w.diagnostics, 0)->code == changes[_i].code, "change %d: %s",
                  (int)changes[_i].change, hy_text_string(&why));
  hy_text_free(&why);
  close_world(&w);
}
END_TEST

_Static_assert(HY_COUNT(changes) == CHANGES, "every change is in the table");

Suite *semantics_verify_suite(void) {
  Suite *suite = suite_create("semantics_verify");
  TCase *all = tcase_create("well-formed");
  tcase_set_timeout(all, 60);
  tcase_add_loop_test(all, texts_are_judged, 0, HY_COUNT(texts));
  tcase_add_loop_test(all, programs_built_by_hand_are_judged, 0, HY_COUNT(changes));
  suite_add_tcase(suite, all);
  return suite;
}
