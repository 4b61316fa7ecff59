// What Halyard says when it refuses: alternatives that are legal (and all that
// are), counterexamples that are small and true, undecided obligations turned
// into conditions on the input that mean the same; printed programs that read
// back.

#include "engines/evaluate.h"
#include "halyard/dead.h"
#include "halyard/defer.h"
#include "halyard/minimise.h"
#include "oracle/prover/evaluate.h"
#include "passes/passes.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLUR                                                                                                           \
  "pipeline p(in: u16[2]) {\n"                                                                                         \
  "  fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;\n"                                                   \
  "  fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;\n}\n"
#define BLUR_W "pipeline p(in: u16[2], w: int) { fun bv(x, y) = in(x, y - 1) + in(x, y + 1); }"
#define SUMS                                                                                                           \
  "pipeline p(in: u16[2], w: int) {\n"                                                                                 \
  "  fun f(x, y) = { in(x, y); rdom(r = (0, 3), q = (0, w)) in (x, y) <- "                                             \
  "f(x, y) + in(x + r, y + q); };\n"                                                                                   \
  "  fun g(x, y) = { 0; rdom(r = (0, 2)) in (x, y) <- g(x, y) + f(x + r, y); "                                         \
  "};\n}\n"
#define DIAMOND                                                                                                        \
  "pipeline p(in: u16[2]) {\n"                                                                                         \
  "  fun a(x, y) = in(x, y) + 1;\n  fun b(x, y) = a(x, y) + a(x + 1, y);\n  "                                          \
  "fun c(x, y) = a(x, y - 1) + b(x, y);\n}\n"

/* -- alternatives -- */

typedef struct {
  const char *alg;
  const char *before;     // directives that are accepted
  const char *refused;    // one that is not
  const char *marker;     // in its help, just before the alternatives
  const char *form;       // an alternative in place of %s makes a directive
  const char *candidates; // everything that could be an alternative, between
                          // blanks; NULL: the listed ones are enough
} alternatives_row;

static const alternatives_row alternatives[] = {
    {SUMS, "", "compute_at(f, g.s0.x);", "the legal sites are ", "compute_at(f, %s);",
     "root g.s0.y g.s0.x g.s1.y g.s1.x g.s1.r f.s0.y f.s0.x f.s1.q"},
    {DIAMOND, "", "compute_at(a, b.s0.x);", "the legal sites are ", "compute_at(a, %s);",
     "root b.s0.y b.s0.x c.s0.y c.s0.x a.s0.x"},
    {DIAMOND, "compute_at(b, c.s0.y);", "compute_at(a, b.s0.x);", "the legal sites are ", "compute_at(a, %s);",
     "root b.s0.y b.s0.x c.s0.y c.s0.x a.s0.x"},
    {BLUR, "", "compute_at(bh, bh.s0.x);", "the legal sites are ", "compute_at(bh, %s);",
     "root bv.s0.y bv.s0.x bh.s0.y bh.s0.x"},
    {BLUR, "compute_at(bh, bv.s0.y);", "store_at(bh, bv.s0.x);", "the legal sites are ", "store_at(bh, %s);",
     "root bv.s0.y bv.s0.x bh.s0.y bh.s0.x"},
    {SUMS, "compute_at(f, g.s1.x);", "store_at(f, g.s1.r);", "the legal sites are ", "store_at(f, %s);",
     "root g.s0.y g.s1.y g.s1.x g.s1.r"},
    {BLUR, "split(bv.x, xo, xi, 8);", "compute_at(bh, bh.s0.y);", "the legal sites are ", "compute_at(bh, %s);",
     "root bv.s0.y bv.s0.xo bv.s0.xi bh.s0.x"},
    {SUMS, "specialize(g, w == 1);", "compute_at(f, g.z1.s1.x);", "the legal sites are ", "compute_at(f, %s);",
     "root g.z1.s1.y g.z1.s1.x g.s1.y g.s1.x"},
    {BLUR, "", "swap(bv.x);", "the legal swaps of that stage are: ", "%s;", "swap(bv.s0.y) swap(bv.s0.x)"},
    {SUMS, "", "swap(f.s1.q);", "the legal swaps of that stage are: ", "%s;",
     "swap(f.s1.y) swap(f.s1.x) swap(f.s1.q) swap(f.s1.r)"},
    {SUMS, "swap(f.s1.x);", "swap(f.s1.r);", "the legal swaps of that stage are: ", "%s;",
     "swap(f.s1.y) swap(f.s1.q) swap(f.s1.x) swap(f.s1.r)"},
    {BLUR, "split(bv.x, xo, xi, 8);", "swap(bv.xi);", "the legal swaps of that stage are: ", "%s;",
     "swap(bv.s0.y) swap(bv.s0.xo) swap(bv.s0.xi)"},
    {SUMS, "specialize(f, w == 1);", "swap(f.z1.s1.q);", "the legal swaps of that stage are: ", "%s;",
     "swap(f.z1.s1.y) swap(f.z1.s1.x) swap(f.z1.s1.q) swap(f.z1.s1.r)"},
    {BLUR, "", "fuse(bv.x, y, t);", "the legal fusions of that stage are: ", "%s;",
     "fuse(bv.s0.y,x,t) fuse(bv.s0.x,y,t) fuse(bv.s0.x,x,t)"},
    {SUMS, "", "fuse(f.s1.x, q, t);", "the legal fusions of that stage are: ", "%s;",
     "fuse(f.s1.y,x,t) fuse(f.s1.x,q,t) fuse(f.s1.q,r,t) fuse(f.s1.y,q,t)"},
    {SUMS, "traverse(f.s1.y, parallel);", "fuse(f.s1.y, x, t);", "", "", NULL},
    {SUMS, "", "traverse(f.s1.q, parallel);", "the pure loops of that stage are: ", "traverse(%s, parallel);",
     "f.s1.y f.s1.x f.s1.q f.s1.r"},
    {SUMS, "split(f.s1.x, xo, xi, 4);", "traverse(f.s1.r, parallel);",
     "the pure loops of that stage are: ", "traverse(%s, parallel);", "f.s1.y f.s1.xo f.s1.xi f.s1.q f.s1.r"},
    {SUMS, "", "f.update(0).reorder(q, r);", "legal is ", "f.update(0).%s;", NULL},
    {SUMS, "", "f.update(0).reorder(q, x, r);", "legal is ", "f.update(0).%s;", NULL},
    {BLUR, "split(bv.x, xo, xi, 8);", "traverse(bv.x, parallel);", "the loops of that stage are ",
     "traverse(%s, parallel);", "bv.s0.y bv.s0.xo bv.s0.xi bv.s0.x"},
    {BLUR, "", "traverse(bv.z, serial);", "the loops of that stage are ", "traverse(%s, serial);",
     "bv.s0.y bv.s0.x bv.s0.z"},
    {BLUR, "traverse(bv.y, parallel); compute_at(bh, bv.x);", "store_at(bh, root);", "", "", NULL},
};

static bool is_accepted(const char *alg, const char *before, const char *item) {
  char items[512];
  test_program p;
  snprintf(items, sizeof items, "%s %s", before, item);
  test_program_open(&p, alg, items);
  ck_assert_msg(p.parsed, "%s: %s", items, test_program_said(&p));
  bool fine = hy_pipeline_schedule(&p.pipeline, p.diagnostics);
  test_program_close(&p);
  return fine;
}

// Without blanks, so that calls are one word.
static void squeeze(char *text) {
  char *to = text;
  for (const char *from = text; *from; from++)
    if (*from != ' ') *to++ = *from;
  *to = 0;
}

enum { MOST = 16 };

// "swap(f.s1.y), swap(f.s1.x)" without blanks: the parts between commas that
// stand in no parentheses.
static int take_apart(char *list, char *parts[MOST]) {
  int count = 0, depth = 0;
  parts[count++] = list;
  for (char *at = list; *at; at++) {
    depth += (*at == '(') - (*at == ')');
    if (*at != ',' || depth) continue;
    *at = 0;
    ck_assert_int_lt(count, MOST);
    parts[count++] = at + 1;
  }
  return count;
}

static bool accepts(const alternatives_row *row, const char *alternative) {
  char item[256];
  const char *hole = strstr(row->form, "%s");
  snprintf(item, sizeof item, "%.*s%s%s", (int)(hole - row->form), row->form, alternative, hole + 2);
  return is_accepted(row->alg, row->before, item);
}

START_TEST(alternatives_are_those_that_are_legal) {
  const alternatives_row *row = &alternatives[_i];
  char items[512], list[512], candidates[512];
  test_program p;
  snprintf(items, sizeof items, "%s %s", row->before, row->refused);
  test_program_open(&p, row->alg, items);
  ck_assert_msg(!hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s is accepted", row->refused);
  const hy_diagnostic *said = hy_diagnostics_at(p.diagnostics, 0);
  ck_assert_msg(said->loc.source && said->rule && said->help, "%s", test_program_said(&p));
  if (*row->marker) {
    const char *at = strstr(said->help, row->marker);
    ck_assert_msg(at, "%s: %s", row->refused, said->help);
    snprintf(list, sizeof list, "%s", at + strlen(row->marker));
    char *factor = strstr(list, "factor");
    if (factor) memcpy(factor, "4     ", 6);
    squeeze(list);
    char *parts[MOST];
    int count = take_apart(list, parts);
    for (int i = 0; i < count; i++) ck_assert_msg(accepts(row, parts[i]), "%s: %s is refused", row->refused, parts[i]);
    snprintf(candidates, sizeof candidates, "%s", row->candidates ? row->candidates : "");
    for (char *word = strtok(candidates, " "); word; word = strtok(NULL, " ")) {
      bool listed = false;
      for (int i = 0; i < count; i++) listed |= strcmp(parts[i], word) == 0;
      ck_assert_msg(listed || !accepts(row, word), "%s: %s is legal, but not listed in: %s", row->refused, word,
                    said->help);
    }
  }
  test_program_close(&p);
}
END_TEST

/* -- counterexamples -- */

static const char short_box[] = // f is allocated one too short
    "target p(in: u8[1], w: int) on g(x) {\n  func f(x): u8 stages 1;\n  func "
    "g(x): u8 stages 1;\n  entry {\n"
    "    assume range: 0 <= w && w <= 1000;\n"
    "    assume range: -2147483648 <= x.min && x.min <= 2147483648;\n"
    "    assume range: 0 <= x.len && x.len <= 2147483648;\n"
    "    assume image(in): in.min(0) <= x.min && x.min + (x.len + w) <= "
    "in.min(0) + in.len(0);\n  }\n"
    "  allocate f[(x.min, x.len + w - 1)];\n  allocate g[(x.min, x.len)];\n"
    "  label f: compute f on [(x.min, x.len + w)] {\n"
    "    label f.s0: for f.s0.x in (x.min, x.len + w) { f(f.s0.x) <- "
    "in(f.s0.x); }\n  }\n"
    "  label g: compute g on [(x.min, x.len)] {\n"
    "    label g.s0: for g.s0.x in (x.min, x.len) { g(g.s0.x) <- f(g.s0.x + "
    "w); }\n  }\n}\n";

static bool look_up(void *self, const hy_expr *unknown, hy_wide *value) {
  const hy_decision *d = self;
  for (size_t i = 0; i < d->value_count; i++)
    if (d->values[i].unknown == unknown) return *value = d->values[i].value, true;
  return false;
}

START_TEST(counterexamples_are_small_and_true) {
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  hy_source source = {"test.tgt", short_box, strlen(short_box)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, said);
  ck_assert(tgt);
  const hy_query *query = hy_query_extract(context, tgt);
  hy_oracle_options options = {.z3_limit = 2000};
  hy_oracle_report report;
  hy_oracle_decide(context, query, &options, &report);
  ck_assert_uint_gt(report.refuted, 0);
  uint64_t budget = 20000ull * HY_Z3_STEPS;
  for (size_t i = 0; i < report.count; i++) {
    if (report.decisions[i].verdict != HY_VERDICT_REFUTED) continue;
    hy_decision small = hy_minimise(context, query, &report.decisions[i], 2000, &budget);
    const hy_obligation *o = small.obligation;
    hy_wide holds;
    for (size_t k = 0; k < o->fact_count; k++)
      ck_assert_msg(hy_evaluate(o->facts[k], look_up, &small, &holds) && holds, "%s: a fact fails", small.model);
    for (size_t k = 0; k < query->entry_count; k++) // of all of them (decision D72)
      ck_assert_msg(hy_evaluate(query->entry[k], look_up, &small, &holds) && holds, "%s: beyond the entry",
                    small.model);
    ck_assert_msg(hy_evaluate(o->goal, look_up, &small, &holds) && !holds, "%s: the goal holds", small.model);
    for (size_t k = 0; k < small.value_count; k++)
      ck_assert_msg(llabs((long long)small.values[k].value) <= 2, "%s is not small", small.model);
  }
  hy_diagnostics_free(said);
  hy_context_free(context);
}
END_TEST

START_TEST(one_cause_is_told_once) {
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  hy_source source = {"test.tgt", short_box, strlen(short_box)};
  hy_pipeline p;
  hy_pipeline_init(&p, context, NULL, NULL, hy_parse_tgt(context, &source, said));
  p.minimise_steps = 10000ull * HY_Z3_STEPS;
  hy_oracle_options options = {.z3_limit = 2000};
  ck_assert(hy_pipeline_check(&p, &options, said) == HY_NO);
  ck_assert_uint_eq(p.report.refuted,
                    3); // what is computed, what is written, what is read
  ck_assert_uint_eq(hy_diagnostics_errors(said), 1);
  const hy_diagnostic *d = hy_diagnostics_at(said, 0);
  ck_assert_int_eq(d->loc.line, 16); // the access
  ck_assert_int_eq(d->loc.column, 61);
  hy_text text = {0};
  hy_diagnostics_print(said, &text);
  const char *parts[] = {"f(g.s0.x + w) is inside the allocation of f",
                         "window x=0:1, w = 0",
                         "iteration g.s0.x = 0",
                         "replayed, ",
                         "outside Mem(f)",
                         "and 2 more obligations fail for the same cause"};
  for (size_t i = 0; i < HY_COUNT(parts); i++)
    ck_assert_msg(strstr(hy_text_string(&text), parts[i]), "no \"%s\" in\n%s", parts[i], hy_text_string(&text));
  hy_text_free(&text);
  hy_diagnostics_free(said);
  hy_context_free(context);
}
END_TEST

/* -- undecided obligations as conditions on the input -- */

typedef struct {
  hy_context *context;
  const hy_expr *n, *m, *x, *y, *v; // parameters, loops, a let
} letters;

typedef struct {
  int64_t n, m, x, y, v;
  const letters *l;
} point;

static bool value_at(void *self, const hy_expr *unknown, hy_wide *value) {
  const point *p = self;
  const letters *l = p->l;
  *value = unknown == l->n ? p->n : unknown == l->m ? p->m : unknown == l->x ? p->x : unknown == l->y ? p->y : p->v;
  return unknown->kind == HY_EXPR_VAR;
}

static bool holds_at(const hy_expr *e, point p) {
  hy_wide value;
  return hy_evaluate(e, value_at, &p, &value) && value;
}

static letters make_letters(hy_context *context, const hy_alg *alg) {
  const hy_func *f = alg->output;
  return (letters){context,
                   hy_expr_var(context, alg->params[0]),
                   hy_expr_var(context, alg->params[1]),
                   hy_expr_var(context, hy_var_loop(context, f, 0, 0, "x")),
                   hy_expr_var(context, hy_var_loop(context, f, 0, 0, "y")),
                   hy_expr_var(context, hy_var_loop(context, f, 0, 0, "v"))};
}

static const hy_expr *op(const letters *l, hy_op o, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(l->context, o, a, b);
}

// Loops 0 <= x < n, x <= y < x + m, a let v = 2*x + y; goals of several kinds.
static const hy_expr *goal_of(const letters *l, int number) {
  const hy_expr *n = l->n, *m = l->m, *x = l->x, *y = l->y, *v = l->v;
  switch (number) {
  case 0: return op(l, HY_OP_LE, n, m);
  case 1: return op(l, HY_OP_LE, op(l, HY_OP_MUL, n, x), m);
  case 2: return op(l, HY_OP_LT, op(l, HY_OP_SUB, op(l, HY_OP_MUL, m, y), op(l, HY_OP_MUL, n, x)), n);
  case 3: return op(l, HY_OP_GE, v, op(l, HY_OP_SUB, x, m));
  case 4: return op(l, HY_OP_LT, v, op(l, HY_OP_MUL, n, op(l, HY_OP_MUL, m, m)));
  case 5: return op(l, HY_OP_LE, op(l, HY_OP_MUL, x, x), m); // not linear
  case 6: return op(l, HY_OP_NE, x, m);                      // not decided by its ends
  case 7: return op(l, HY_OP_LE, op(l, HY_OP_DIV, x, m), n); // not linear
  default: return NULL;
  }
}

// Each of a thousand reads outside is a refutation of its own: what all replays together may take is bounded, and what
// was not replayed is no refutation (D72).
START_TEST(replays_are_not_without_end) {
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  hy_text text = {0};
  hy_text_add(&text, "target t(in: int[1]) on o(x) { func o(x): int stages 1;\n"
                     "entry { assume range: -9 <= x.min && x.min <= 9; assume range: 0 <= x.len && x.len <= 9;\n"
                     "assume image(in): in.min(0) <= x.min && x.min + x.len <= in.min(0) + in.len(0); }\n"
                     "allocate o[(x.min, x.len)]; label o: compute o on [(x.min, x.len)] {\n"
                     "label o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) <- in(o.s0.x)");
  for (int i = 1; i <= 1100; i++) hy_text_printf(&text, " + in(o.s0.x + %d)", i);
  hy_text_add(&text, "; } } }");
  hy_source source = {"test.tgt", text.data, text.length};
  hy_pipeline p;
  const hy_tgt *tgt = hy_parse_tgt(context, &source, said);
  ck_assert(tgt);
  hy_pipeline_init(&p, context, NULL, NULL, tgt);
  hy_oracle_options options = {.z3_limit = 1};
  ck_assert(hy_pipeline_check(&p, &options, said) == HY_NO);
  ck_assert_uint_gt(p.report.refuted, 0);
  ck_assert_uint_gt(p.report.unknown, 0);
  hy_text_free(&text);
  hy_diagnostics_free(said);
  hy_context_free(context);
}
END_TEST

START_TEST(conditions_mean_what_was_undecided) {
  static const char text[] = "pipeline p(n: int, m: int) { fun f(x, y) = x; }";
  hy_source source = {"test.alg", text, strlen(text)};
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  letters l = make_letters(context, hy_parse_alg(context, &source, said));
  const hy_expr *facts[] = {
      op(&l, HY_OP_LE, hy_expr_int(context, 0), l.x),
      op(&l, HY_OP_LT, l.x, l.n),
      op(&l, HY_OP_LE, l.x, l.y),
      op(&l, HY_OP_LT, l.y, op(&l, HY_OP_ADD, l.x, l.m)),
      op(&l, HY_OP_EQ, l.v, op(&l, HY_OP_ADD, op(&l, HY_OP_ADD, l.x, l.x), l.y)),
  };
  hy_obligation o = {.kind = HY_B_MEM, .facts = facts, .fact_count = HY_COUNT(facts), .goal = goal_of(&l, _i)};
  const char *why = NULL;
  const hy_expr *condition = hy_defer_condition(context, &o, &why);
  if (_i >= 5) {
    ck_assert(!condition && why && strstr(why, "f.s0.x"));
  } else {
    ck_assert_msg(condition, "%s", why);
    for (int64_t n = 1; n < 6; n++) // with no iterations a condition may ask for more than is needed
      for (int64_t m = 1; m < 6; m++) {
        bool all = true;
        for (int64_t x = 0; x < n; x++)
          for (int64_t y = x; y < x + m; y++) all &= holds_at(o.goal, (point){n, m, x, y, 2 * x + y, &l});
        ck_assert_msg(holds_at(condition, (point){n, m, -77, -77, -77, &l}) == all, "n = %d, m = %d", (int)n, (int)m);
      }
  }
  o.kind = HY_B_FITS; // a number that does not fit cannot be looked at
  ck_assert(!hy_defer_condition(context, &o, &why));
  hy_diagnostics_free(said);
  hy_context_free(context);
}
END_TEST

// VER.Runtime. 117367^3 + 134476^3 = 159380^3 + 39, which no solver finds in time: the divisor is 0 there.
#define CUBE(v) "clamp(" v ", 1, 200000)*clamp(" v ", 1, 200000)*clamp(" v ", 1, 200000)"
#define CUBES                                                                                                          \
  "pipeline p(n: int, m: int, k: int) {\n  fun f(x) = x;\n"                                                            \
  "  fun g(x) = f(x + 1/(" CUBE("n") " + " CUBE("m") " - " CUBE("k") " - 39));\n}\n"

START_TEST(undecided_becomes_a_check_at_entry) {
  hy_oracle_options options = {.z3_limit = 100};
  for (int defer = 0; defer < 2; defer++) {
    test_program p;
    test_program_open(&p, CUBES, "");
    p.pipeline.defer_unknown = defer;
    hy_answer answer = hy_pipeline_check(&p.pipeline, &options, p.diagnostics);
    ck_assert_msg(answer == (defer ? HY_YES : HY_UNKNOWN), "%s", test_program_said(&p));
    ck_assert_int_eq(test_program_code(&p), defer ? 0 : HY_E_OBLIGATION_UNKNOWN);
    ck_assert_int_eq(p.pipeline.deferred > 0, defer);
    hy_value params[] = {hy_value_int(117367), hy_value_int(134476), hy_value_int(159380)};
    int64_t min[] = {0}, len[] = {4}, none[] = {0};
    const hy_tgt *filled = p.pipeline.filled;
    for (int shift = 0; defer && shift < 2; shift++) {
      params[0].i -= shift;
      hy_input input = {params, NULL, min, len}, empty = {params, NULL, min, none};
      ck_assert_int_eq(hy_defer_failure(filled, &input) != NULL, shift == 0);
      ck_assert_int_eq(hy_entry_failure(filled, &input) == hy_defer_failure(filled, &input), true);
      ck_assert_ptr_null(hy_defer_failure(filled, &empty)); // decision D11
    }
    test_program_close(&p);
  }
}
END_TEST

/* -- dead code: VER.Dead -- */

static const struct {
  const char *alg, *items, *says;
} dead[] = {
    {"pipeline p(in: u8[1], w: int) { fun f(x) = { in(x); rdom(r = (0, 0)) in (x) <- f(x) + in(x + r); }; }", "",
     "'f', stage 1, is never reached"},
    {BLUR_W, "bv.specialize(w > 3 && w < 2).vectorize(x, 8);",
     "one specialization or piece of 'bv', stage 0, is never reached"},
    {BLUR_W, "bv.specialize(w > 3).vectorize(x, 8);", NULL},
    {SUMS, "f.update(0).split(q, qo, qi, 4);", NULL},
    {BLUR, "bv.split(x, xo, xi, 8, shift).split(xi, xa, xb, 3, round);", NULL},
};

START_TEST(dead_code_is_pointed_out) {
  test_program p;
  test_program_open(&p, dead[_i].alg, dead[_i].items);
  hy_oracle_options options = {.z3_limit = 2000};
  ck_assert_msg(hy_pipeline_check(&p.pipeline, &options, p.diagnostics) == HY_YES, "%s", test_program_said(&p));
  hy_dead_report(&p.pipeline, p.diagnostics);
  ck_assert_int_eq(p.pipeline.report.dead > 0, dead[_i].says != NULL);
  ck_assert_uint_eq(hy_diagnostics_count(p.diagnostics), dead[_i].says != NULL);
  ck_assert_uint_eq(hy_diagnostics_errors(p.diagnostics), 0);
  ck_assert_msg(!dead[_i].says || strstr(test_program_said(&p), dead[_i].says), "%s", test_program_said(&p));
  test_program_close(&p);
}
END_TEST

/* -- what is printed reads back, after codegen's passes too -- */

static const struct {
  const char *alg, *items;
} printed[] = {
    {BLUR, "bv.tile(x, y, xi, yi, 64, 8).vectorize(xi, 8).parallel(y); "
           "bh.compute_at(bv, x).vectorize(x, 8);"},
    {BLUR, "bv.vectorize(x, 16).unroll(y, 4);"},
    {SUMS, "f.vectorize(x, 8); f.update(0).vectorize(x, 8); "
           "g.update(0).split(y, yo, yi, 5);"},
    {SUMS, "g.specialize(w == 3).vectorize(x, 8);"},
    {DIAMOND, "c.vectorize(x, 8, shift); b.compute_at(c, y).vectorize(x, 4, round);"},
    {BLUR, ""},
};

START_TEST(programs_read_back) {
  test_program p;
  test_program_open(&p, printed[_i].alg, printed[_i].items);
  bool fine = hy_pipeline_schedule(&p.pipeline, p.diagnostics) && hy_pipeline_fill(&p.pipeline, p.diagnostics);
  ck_assert_msg(fine, "%s", test_program_said(&p));
  const hy_tgt *stages[] = {p.pipeline.steps[0], p.pipeline.steps[p.pipeline.step_count - 1], p.pipeline.filled,
                            hy_passes(p.context, p.pipeline.filled, NULL, NULL)};
  for (size_t i = 0; i < HY_COUNT(stages); i++) {
    hy_text once = {0}, twice = {0};
    hy_tgt_print(stages[i], &once);
    hy_source source = {"printed.tgt", hy_text_string(&once), once.length};
    const hy_tgt *again = hy_parse_tgt(p.context, &source, p.diagnostics);
    ck_assert_msg(again, "stage %zu: %s", i, test_program_said(&p));
    hy_tgt_print(again, &twice);
    ck_assert_str_eq(hy_text_string(&once), hy_text_string(&twice));
    hy_text_free(&once);
    hy_text_free(&twice);
  }
  test_program_close(&p);
}
END_TEST

Suite *driver_refusal_suite(void) {
  Suite *suite = suite_create("driver_refusal");
  TCase *t = tcase_create("refusal");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, alternatives_are_those_that_are_legal, 0, (int)HY_COUNT(alternatives));
  tcase_add_test(t, counterexamples_are_small_and_true);
  tcase_add_test(t, one_cause_is_told_once);
  tcase_add_test(t, replays_are_not_without_end);
  tcase_add_loop_test(t, conditions_mean_what_was_undecided, 0, 8);
  tcase_add_test(t, undecided_becomes_a_check_at_entry);
  tcase_add_loop_test(t, dead_code_is_pointed_out, 0, (int)HY_COUNT(dead));
  tcase_add_loop_test(t, programs_read_back, 0, (int)HY_COUNT(printed));
  suite_add_tcase(suite, t);
  return suite;
}
