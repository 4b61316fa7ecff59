// What fuzzing judges beside the engines: arithmetic, rewrites, what lowering and directives made, frames of target
// programs, the monitor, and what B asks. They find nothing in what is right; and in a program that was spoilt here,
// what was spoilt.

#include "fuzz/change/rebuild.h"
#include "fuzz/judge/judge_internal.h"
#include "fuzz/judge/whole.h"
#include "proofs_tests/suites.h"

#include <stdlib.h>
#include <string.h>

static const char three[] = "pipeline p(w: int, in: u8[1]) {\n"
                            "  fun f0(x, y) = int(in(x)) + y;\n"
                            "  fun f1(x) = { f0(x, 1) + f0(clamp(f0(x, 0), 0, 3), 2); rdom(r = (0, 3), q = (0, 2)) in "
                            "(r) <- f1(r) + q if f0(r, q) > 3; };\n"
                            "  fun f2(x) = f1(x);\n}\n";
static const char items[] = "  specialize(f1, w > 2);\n  split(f0.s0.x, xo, xi, 4);\n  swap(f0.s0.y);\n"
                            "  traverse(f0.s0.xi, vectorized);\n  compute_at(f1, f2.s0.x);\n  store_at(f1, f2.s0.x);\n"
                            "  bound(f1, x, 0, 8);\n";
enum { STEPS = 7 };

/* -- a case that is being judged -- */

static hy_judgement j;
static hy_case c;
static hy_source sources[2];
static hy_judging g;

static void open_text(const char *alg, const char *directives, uint64_t seed) {
  j = (hy_judgement){.step = -1, .directive = HY_NO_DIRECTIVE};
  c = (hy_case){.seed = seed, .input_count = 1};
  c.inputs[0] = (hy_case_input){.len = {5}, .params = {2}, .seed = 5};
  g = (hy_judging){.c = &c, .lanes = HY_LANE_INTERPRET, .altered = "", .j = &j};
  g.context = hy_context_new();
  g.said = hy_diagnostics_new();
  ck_assert(hy_judging_parse(g.context, alg, directives, sources, &g.pipeline, g.said));
  ck_assert(hy_pipeline_schedule(&g.pipeline, g.said) && hy_pipeline_fill(&g.pipeline, g.said));
}

static void open_case(uint64_t seed) { open_text(three, items, seed); }

static void close_case(void) {
  hy_diagnostics_free(g.said);
  hy_context_free(g.context);
  free((char *)sources[1].text);
}

/* -- nothing is found where nothing is wrong -- */

START_TEST(nothing_is_wrong) {
  for (uint64_t seed = 1; seed < 400; seed++) {
    open_case(seed);
    hy_judging_values(&g);
    hy_judging_algebra(&g);
    hy_judging_steps(&g);
    hy_judging_frame(&g);
    ck_assert(hy_judging_open(&g, g.pipeline.filled, &c.inputs[0]));
    hy_judging_watch(&g);
    hy_judging_close(&g);
    ck_assert_msg(j.found == HY_FOUND_NOTHING, "seed %d: %s: %s", (int)seed, j.rule, j.detail);
    close_case();
  }
}
END_TEST

/* -- whole numbers by hand -- */

static bool seven(void *self, const hy_expr *leaf, hy_whole *value) {
  (void)self;
  *value = 7;
  return leaf->kind == HY_EXPR_VAR;
}

static const struct {
  hy_op op;
  int64_t a, b; // a is 7 if it is 0
  hy_evaluated how;
  int64_t value;
} wholes[] = {
    {HY_OP_ADD, 2, 3, HY_EVALUATED, 5},
    {HY_OP_DIV, -7, 2, HY_EVALUATED, -4},
    {HY_OP_DIV, -7, -2, HY_EVALUATED, 4},
    {HY_OP_MOD, -7, 2, HY_EVALUATED, 1},
    {HY_OP_MOD, -7, -2, HY_EVALUATED, 1},
    {HY_OP_DIV, 1, 0, HY_EVALUATED_ERROR, 0},
    {HY_OP_MOD, 1, 0, HY_EVALUATED_ERROR, 0},
    {HY_OP_ADD, INT64_MAX, 1, HY_EVALUATED_ERROR, 0},
    {HY_OP_DIV, INT64_MIN, -1, HY_EVALUATED_ERROR, 0},
    {HY_OP_MUL, INT64_MAX, INT64_MAX, HY_EVALUATED_ERROR, 0},
    {HY_OP_MIN, 0, 3, HY_EVALUATED, 3},
    {HY_OP_LT, 0, 7, HY_EVALUATED, 0},
    {HY_OP_LE, 0, 7, HY_EVALUATED, 1},
    {HY_OP_BIT_AND, 3, 1, HY_NOT_EVALUATED, 0},
};

START_TEST(whole_numbers) {
  hy_context *context = hy_context_new();
  const hy_var *var = hy_var_new(context, HY_VAR_FRESH, HY_INT, "v", NULL, 0, 0);
  const hy_expr *a = wholes[_i].a ? hy_expr_int(context, wholes[_i].a) : hy_expr_var(context, var);
  const hy_expr *e = hy_expr_binary(context, wholes[_i].op, a, hy_expr_int(context, wholes[_i].b));
  hy_whole value = 0;
  ck_assert_int_eq(hy_whole_of(e, seven, NULL, &value), wholes[_i].how);
  if (wholes[_i].how == HY_EVALUATED) ck_assert(value == wholes[_i].value);
  hy_context_free(context);
}
END_TEST

/* -- a step that does not do what it says -- */

static void expect_promise(const char *rule) {
  hy_judging_steps(&g);
  ck_assert_msg(j.found == HY_FOUND_PROMISE && strcmp(j.rule, rule) == 0, "%s, %s instead of %s: %s",
                hy_found_name(j.found), j.rule, rule, j.detail);
}

// Each directive as if it did nothing: found at that step, by its name. After it the steps are left out.
START_TEST(a_step_does_nothing) {
  open_case(1);
  g.pipeline.steps[_i + 1] = g.pipeline.steps[_i];
  g.pipeline.core_count = _i + 1;
  expect_promise(g.pipeline.core[_i].type->name);
  ck_assert_int_eq(j.step, _i + 1);
  ck_assert_int_eq(j.directive, hy_sched_number(g.pipeline.core[_i].type));
  close_case();
}
END_TEST

static const hy_stmt *find(const hy_stmt *stmt, hy_stmt_kind kind) { // the innermost first one
  const hy_stmt *const *children, *room[2], *found = NULL;
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !found; i++) found = find(children[i], kind);
  return found ? found : stmt->kind == kind ? stmt : NULL;
}

static const hy_tgt *with_body(const hy_tgt *tgt, const hy_stmt *from, const hy_stmt *to) {
  hy_tgt *changed = HY_NEW(hy_context_arena(g.context), hy_tgt);
  *changed = *tgt;
  changed->body = hy_rebuild(g.context, tgt->body, from, to);
  return changed;
}

START_TEST(a_loop_of_another_hole) {
  open_case(1);
  g.pipeline.core_count = 0;
  const hy_tgt *lowered = g.pipeline.steps[0];
  const hy_stmt *loop = find(lowered->body, HY_STMT_FOR);
  hy_interval one = {hy_expr_int(g.context, 0), hy_expr_int(g.context, 1)};
  g.pipeline.steps[0] = with_body(
      lowered, loop, hy_stmt_for(g.context, loop->loop.var, loop->loop.is_pure, HY_SERIAL, one, loop->loop.body));
  expect_promise("lowering");
  close_case();
}
END_TEST

// What the entry block has to keep out, where it is empty: an rdom that errs, one that ends beyond 64 bits, a negative
// one, a factor that may be 0 and a bound that may be negative. Where it says so nothing is found (D94: it may err).
static const struct {
  const char *alg, *items, *says;
} entries[] = {
    {"pipeline p(w: int) { fun f(x) = { 0; rdom(r = (6 / w, 2)) in (r) <- 1; }; }", "", "an rdom that errs"},
    {"pipeline p(w: int) { fun f(x) = { 0; rdom(r = (w*4611686018427387904, 2)) in (0) <- 1; }; }", "",
     "an rdom that errs"},
    {"pipeline p(w: int) { fun f(x) = { 0; rdom(r = (9223372036854775807 - w, 2)) in (0) <- 1; }; }", "",
     "ends beyond"},
    {"pipeline p(w: int) { fun f(x) = { 0; rdom(r = (0, w)) in (r) <- 1; }; }", "", "an rdom that errs, is negative"},
    {"pipeline p(w: int) { fun f(x) = x; }", "  split(f.s0.x, xo, xi, w);\n", "a factor that errs or is below 1"},
    {"pipeline p(w: int) { fun f(x) = x; }", "  split(f.s0.x, xo, xi, 5 / w);\n", "a factor that errs or is below 1"},
    {"pipeline p(w: int) { fun f(x) = x; fun g(x) = f(x); }", "  bound(f, x, 0, w);\n",
     "a given bound that errs or is negative"},
};

static bool entry_is_found(bool empty, const char *says) {
  hy_tgt changed = *g.pipeline.filled;
  if (empty) changed.entry_count = 0;
  g.pipeline.filled = &changed;
  bool seen = false;
  for (c.seed = 1; c.seed < 60 && !seen; c.seed++) {
    hy_judging_steps(&g);
    seen = j.found != HY_FOUND_NOTHING;
    if (seen) ck_assert_msg(strcmp(j.rule, "entry") == 0 && strstr(j.detail, says), "%s: %s", j.rule, j.detail);
  }
  return seen;
}

START_TEST(entry_keeps_out) {
  for (int empty = 0; empty < 2; empty++) {
    open_text(entries[_i].alg, entries[_i].items, 1);
    ck_assert_int_eq(entry_is_found(empty, entries[_i].says), empty);
    close_case();
  }
}
END_TEST

/* -- outputs -- */

// An error where the algorithm has a value, and a value where it has an error.
START_TEST(errors_are_compared) {
  open_case(1);
  ck_assert(hy_judging_open(&g, g.pipeline.filled, &c.inputs[0]));
  hy_outcome outcomes[2];
  for (int i = 0; i < 2; i++) outcomes[i] = hy_engine_alg(g.context, g.pipeline.alg, &g.input, false, 1000000);
  ck_assert_int_eq(outcomes[0].status, HY_RAN);
  hy_judging_compare(&g, HY_FOUND_DISAGREE, "rule", "itself", outcomes[0].output, &outcomes[1]);
  ck_assert_int_eq((int)j.found, HY_FOUND_NOTHING);
  hy_buffer *erring = outcomes[_i].output;
  hy_buffer_set(erring, erring->min, hy_value_error(erring->type, HY_ERROR_ARITH));
  hy_judging_compare(&g, HY_FOUND_DISAGREE, "rule", "itself", outcomes[0].output, &outcomes[1]);
  ck_assert_int_eq((int)j.found, HY_FOUND_DISAGREE);
  for (int i = 0; i < 2; i++) hy_outcome_free(&outcomes[i]);
  hy_judging_close(&g);
  close_case();
}
END_TEST

// Parallel loops run in order once, and otherwise in orders that differ.
START_TEST(orders_differ) {
  open_case(1);
  for (int i = 0; i < 3; i++) c.inputs[i].seed = 5;
  ck_assert_uint_eq(hy_judging_order(&c, 1, 0), 0);
  uint64_t first = hy_judging_order(&c, 0, 0), other = hy_judging_order(&c, 2, 1);
  ck_assert(first != 0 && other != 0 && first != other);
  close_case();
}
END_TEST

/* -- who is blamed -- */

// Something worse is not put down to the step that something less was put down to.
START_TEST(blame_goes_with_the_finding) {
  open_case(1);
  ck_assert(hy_judging_find(&g, HY_FOUND_PROMISE, "rule", "less"));
  hy_judging_blame(&g, 2);
  ck_assert_int_eq(j.step, 2);
  ck_assert_str_eq(hy_judgement_directive(&j), g.pipeline.core[1].type->name);
  ck_assert(!hy_judging_find(&g, HY_FOUND_PROMISE, "other", "as bad"));
  ck_assert_int_eq(j.step, 2);
  ck_assert(hy_judging_find(&g, HY_FOUND_DISAGREE, "rule", "worse"));
  ck_assert_int_eq(j.step, -1);
  ck_assert_str_eq(hy_judgement_directive(&j), "none");
  hy_judging_blame(&g, 0);
  ck_assert_int_eq(j.step, 0);
  ck_assert_str_eq(hy_judgement_directive(&j), "none");
  close_case();
}
END_TEST

/* -- folds: what B does not prove is not run -- */

#define ROWS "pipeline p() {\n  fun a(x, y) = 3*x + y;\n  fun o(x, y) = a(x, y - 1) + a(x, y + 1);\n}\n"

static const struct {
  const char *name, *items;
  hy_found found;
} folds[] = {
    {"no fold", "  compute_at(a, o.s0.y);\n", HY_FOUND_NOTHING},
    {"as long as what is computed", "  compute_at(a, o.s0.y);\n  fold_storage(a, y, 3);\n", HY_FOUND_NOTHING},
    {"longer", "  compute_at(a, o.s0.y);\n  fold_storage(a, y, 5);\n", HY_FOUND_NOTHING},
    {"too short", "  compute_at(a, o.s0.y);\n  fold_storage(a, y, 2);\n", HY_FOUND_REFUSED},
    {"of a dimension of any length", "  compute_at(a, o.s0.y);\n  fold_storage(a, x, 8);\n", HY_FOUND_REFUSED},
    {"of all at root", "  fold_storage(a, y, 100);\n", HY_FOUND_REFUSED},
};

START_TEST(folds_that_are_refused) {
  open_text(ROWS, folds[_i].items, 1);
  ck_assert_int_eq(hy_judging_refuses_fold(&g), folds[_i].found != HY_FOUND_NOTHING);
  ck_assert_msg(j.found == folds[_i].found, "%s: %s", folds[_i].name, hy_found_name(j.found));
  if (j.found != HY_FOUND_NOTHING) ck_assert_str_eq(j.rule, "B.Fold");
  hy_judging_promise(&g); // is kept, whatever the fold
  ck_assert_msg(j.found == folds[_i].found, "%s: %s: %s", folds[_i].name, hy_found_name(j.found), j.detail);
  close_case();
}
END_TEST

/* -- B asks nothing of one thing -- */

static const struct {
  hy_obligation_kind kind;
  const char *rule;
} unasked[] = {{HY_B_INSIDE, "B.Inside"}, {HY_B_ADDRESS, "B.Address"}, {HY_B_CPU, "B.Cpu"}};

START_TEST(b_does_not_ask) {
  open_case(1);
  hy_oracle_options options = {.z3_limit = 60};
  hy_pipeline_check(&g.pipeline, &options, g.said);
  hy_judging_asked(&g);
  ck_assert_msg(j.found == HY_FOUND_NOTHING, "%s", j.detail);
  hy_oracle_report *r = &g.pipeline.report;
  size_t kept = 0;
  hy_decision *decisions = HY_NEW_ARRAY(hy_context_arena(g.context), hy_decision, r->count);
  for (size_t i = 0; i < r->count; i++)
    if (r->decisions[i].obligation->kind != unasked[_i].kind) decisions[kept++] = r->decisions[i];
  ck_assert_uint_lt(kept, r->count);
  r->decisions = decisions, r->count = kept;
  hy_judging_asked(&g);
  ck_assert_msg(j.found == HY_FOUND_UNSOUND && strcmp(j.rule, unasked[_i].rule) == 0, "%s %s", hy_found_name(j.found),
                j.rule);
  close_case();
}
END_TEST

/* -- forms -- */

// What the case says of its algorithm's forms, and whether that is so.
static const struct {
  const char *alg, *written;
  bool is_so;
} forms[] = {
    {"pipeline p() { fun f(x) = absd(u8(x), u8(3)); }",
     "pipeline p() { fun f(x) = select(u8(x) < 3, 3 - u8(x), u8(x) - 3); }", true},
    {"pipeline p() { def h(x, y) = x - y; fun f(x) = h(3, x); }", "pipeline p() { fun f(x) = 3 - x; }", true},
    {"pipeline p() { fun g(x) = x * x; fun f(x) = repeat_edge(g, (0, 2))(x); }",
     "pipeline p() { fun g(x) = x * x; fun f(x) = select(x < 1, 0, 1); }", true},
    {"pipeline p() { fun f(x) = sum(rdom(r = (0, 3)) in r); }", "pipeline p() { fun f(x) = 3; }", true},
    {"pipeline p() { fun f(x) = 1 / x; }", "pipeline p() { fun f(x) = 1 % x; }", false}, // at 1, not at 0
    {"pipeline p() { fun f(x) = x; }", "pipeline p() { fun f(x) = x / select(x == 4, 0, 1); }", false}, // an error
    {"pipeline p() { fun f(x) = sum(rdom(r = (0, 3)) in r); }", "pipeline p() { fun f(x) = 4; }", false},
    {"pipeline p() { fun f(x) = u8(x); }", "pipeline p() { fun f(x) = x; }", false},   // another type,
    {"pipeline p() { fun f(x) = 1; }", "pipeline p() { fun f(x, y) = 1; }", false},    // rank,
    {"pipeline p() { fun f(x) = 1; }", "pipeline p(w: int) { fun f(x) = 1; }", false}, // signature
    {"pipeline p() { fun f(x) = 1; }", "pipeline p() { fun f(x) = y; }", false},       // refused
};

START_TEST(forms_are_compared) {
  hy_case given = {.alg = (char *)forms[_i].alg, .items = (char *)"", .written = (char *)forms[_i].written};
  hy_judgement judgement;
  given.input_count = 1;
  given.inputs[0] = (hy_case_input){.len = {5}, .seed = 5};
  hy_judge(&given, HY_LANE_INTERPRET, true, &judgement);
  ck_assert_msg((judgement.found == HY_FOUND_NOTHING) == forms[_i].is_so, "%s: %s", hy_found_name(judgement.found),
                judgement.detail);
  if (!forms[_i].is_so) ck_assert_str_eq(judgement.rule, "form");
}
END_TEST

Suite *fuzz_judges_suite(void) {
  Suite *suite = suite_create("fuzz_judges");
  TCase *tests = tcase_create("fuzz_judges");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, nothing_is_wrong);
  tcase_add_loop_test(tests, whole_numbers, 0, (int)HY_COUNT(wholes));
  tcase_add_loop_test(tests, a_step_does_nothing, 0, STEPS);
  tcase_add_test(tests, a_loop_of_another_hole);
  tcase_add_loop_test(tests, entry_keeps_out, 0, (int)HY_COUNT(entries));
  tcase_add_loop_test(tests, errors_are_compared, 0, 2);
  tcase_add_test(tests, orders_differ);
  tcase_add_test(tests, blame_goes_with_the_finding);
  tcase_add_loop_test(tests, folds_that_are_refused, 0, (int)HY_COUNT(folds));
  tcase_add_loop_test(tests, forms_are_compared, 0, (int)HY_COUNT(forms));
  tcase_add_loop_test(tests, b_does_not_ask, 0, (int)HY_COUNT(unasked));
  suite_add_tcase(suite, tests);
  return suite;
}
