/* What a directive from outside the tree may do with its host, and what its host says when it does anything else
 * (DIR.Plugin.Fault). The directives here are linked in, so that each fault is a row; plugin_use_test.c has those that
 * end a process.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include "fuzz/pairs/generate.h"
#include "halyard/promise.h"
#include "plugin/plugin.h"

#include <string.h>

/* -- a directive with one thing wrong -- */

typedef enum {
  NOTHING,
  ALL_OPERATORS,
  CONSTANT_UNHEARD,
  TWO_LOOPS_INSIDE_OUT,
  WORD_NAMES,
  // what the schedule says
  LOOP_OF_A_NAME,
  LOOP_BEFORE_ALL,
  LOOP_BEHIND_ALL,
  EXPR_OF_A_LOOP,
  NAME_OF_A_LOOP,
  // loops
  PURE_OF_NULL,
  PURE_OF_FOREIGN,
  VARIABLE_OF_NULL,
  LENGTH_OF_MADE,
  MINIMUM_OF_MADE,
  MINIMUM_OF_NULL,
  // expressions
  NO_SUCH_OPERATOR,
  NUMBER_AS_CONDITION,
  CONDITION_AS_NUMBER,
  SUM_WITH_NULL,
  SUM_WITH_FOREIGN,
  TOO_MANY_THINGS,
  // making loops
  LOOP_TOO_LATE,
  FIVE_LOOPS,
  NAMED_NULL,
  NAMED_NOTHING,
  NAMED_NUMBER,
  NAMED_WITH_SIGN,
  NAMED_AT_LENGTH,
  NAMED_LIKE_FUNC,
  NAMED_TWICE,
  MODEL_MADE,
  MODEL_NULL,
  // statements
  FOR_OF_TAKEN,
  FOR_OF_AROUND,
  FOR_OF_NULL,
  FOR_AROUND_NULL,
  FOR_AROUND_FOREIGN,
  LET_OF_MADE,
  LET_OF_NULL,
  LET_WITH_NUMBER_AS_GUARD,
  LET_OF_THREE,
  RETURNS_FOREIGN,
  MAKES_NO_LOOP,
  LOSES_A_LOOP,
  TWO_LETS,
  // at the wrong time
  MAKES_LOOP_IN_LEGAL,
  MAKES_BODY_IN_LEGAL,
  MAKES_FOR_IN_LEGAL,
  MAKES_LET_IN_LEGAL,
  REFUSES,
  // claims
  INVERSE_NULL,
  INVERSE_CONDITION,
  INVERSE_FOREIGN,
  INVERSE_OF_ITSELF,
  NO_SUCH_ORDER,
  NO_SUCH_HOLES,
  REPEATS_AN_UPDATE,
} fault;

static fault now;            // each test runs in a process of its own
static const hyd_loop *made; // by the last rewrite
static const char foreign[64] = "no object of Halyard's, but long enough to be read";

static const char *legal(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  if (now == MAKES_LOOP_IN_LEGAL) hyd_make_loop(h, "early", x);
  if (now == MAKES_BODY_IN_LEGAL) hyd_body(h);
  if (now == MAKES_FOR_IN_LEGAL) hyd_make_for(h, x, hyd_number(h, 0), hyd_number(h, 1), NULL);
  if (now == MAKES_LET_IN_LEGAL) hyd_make_let(h, x, hyd_number(h, 0), NULL, NULL);
  return now == REFUSES ? "not today" : NULL;
}

static void ask_wrongly(hyd_host *h, const hyd_loop *x) {
  if (now == LOOP_OF_A_NAME) hyd_loop_at(h, 1);
  if (now == LOOP_BEFORE_ALL) hyd_loop_at(h, -1);
  if (now == LOOP_BEHIND_ALL) hyd_loop_at(h, 9);
  if (now == EXPR_OF_A_LOOP) hyd_expr_at(h, 0);
  if (now == NAME_OF_A_LOOP) hyd_name_at(h, 0);
  if (now == PURE_OF_NULL) hyd_is_pure(h, NULL);
  if (now == PURE_OF_FOREIGN) hyd_is_pure(h, (const hyd_loop *)(const void *)foreign);
  if (now == MINIMUM_OF_NULL) hyd_min(h, NULL);
  if (now == NO_SUCH_OPERATOR) h->operation(h, (hyd_operator)99, NULL, NULL, NULL);
  if (now == NUMBER_AS_CONDITION) hyd_not(h, hyd_number(h, 1));
  if (now == CONDITION_AS_NUMBER) hyd_add(h, hyd_number(h, 1), hyd_less(h, hyd_number(h, 1), hyd_number(h, 2)));
  if (now == SUM_WITH_NULL) hyd_add(h, hyd_number(h, 1), NULL);
  if (now == SUM_WITH_FOREIGN) hyd_add(h, hyd_number(h, 1), (const hyd_expr *)(const void *)foreign);
  if (now == CONSTANT_UNHEARD && !hyd_is_constant(h, hyd_number(h, 3), NULL)) hyd_is_pure(h, NULL);
  for (int i = 0; now == TOO_MANY_THINGS && i < 3000; i++) hyd_number(h, i);
  (void)x;
}

static const hyd_loop *make_loops(hyd_host *h, const hyd_loop *x) {
  static const char longest[] = "a123456789012345678901234567890123456789012345678901234567890123";
  if (now == LOOP_TOO_LATE) hyd_variable(h, x);
  if (now == NAMED_NULL) hyd_make_loop(h, NULL, x);
  if (now == NAMED_NOTHING) hyd_make_loop(h, "", x);
  if (now == NAMED_NUMBER) hyd_make_loop(h, "1st", x);
  if (now == NAMED_WITH_SIGN) hyd_make_loop(h, "x-y", x);
  if (now == NAMED_AT_LENGTH) hyd_make_loop(h, longest, x);
  if (now == NAMED_LIKE_FUNC) hyd_make_loop(h, "f", x);
  if (now == NAMED_TWICE) hyd_make_loop(h, hyd_name_at(h, 1), x);
  if (now == MODEL_NULL) hyd_make_loop(h, "other", NULL);
  for (int i = 0; now == FIVE_LOOPS && i < 4; i++) hyd_make_loop(h, &"a\0b\0c\0d"[2 * i], x);
  const hyd_loop *xr = hyd_make_loop(h, now == WORD_NAMES ? "_X9z" : hyd_name_at(h, 1), x);
  if (now == MODEL_MADE) hyd_make_loop(h, "other", xr);
  if (now == LOSES_A_LOOP) hyd_make_loop(h, "other", x);
  return xr;
}

static const hyd_expr *last(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  return hyd_sub(h, hyd_add(h, hyd_min(h, x), hyd_length(h, x)), hyd_number(h, 1));
}

// The value e, by way of every operator.
static const hyd_expr *by_all(hyd_host *h, const hyd_expr *e) {
  const hyd_expr *one = hyd_number(h, 1), *zero = hyd_number(h, 0), *yes = hyd_less(h, zero, one);
  e = hyd_minimum(h, hyd_maximum(h, e, e), hyd_div(h, hyd_mul(h, e, one), one));
  const hyd_expr *all = hyd_and(h, hyd_or(h, yes, hyd_at_most(h, one, zero)), hyd_not(h, hyd_unequal(h, e, e)));
  return hyd_select(h, hyd_and(h, all, hyd_equal(h, hyd_mod(h, e, one), zero)), e, zero);
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  ask_wrongly(h, x);
  const hyd_loop *xr = make_loops(h, x), *inner = NULL, *third = NULL;
  made = xr;
  if (now == TWO_LOOPS_INSIDE_OUT || now == LET_OF_THREE || now == TWO_LETS) inner = hyd_make_loop(h, "inner", x);
  if (now == LET_OF_THREE) third = hyd_make_loop(h, "third", x);
  if (now == LENGTH_OF_MADE) hyd_length(h, xr);
  if (now == MINIMUM_OF_MADE) hyd_min(h, xr);
  if (now == VARIABLE_OF_NULL) hyd_variable(h, NULL);
  const hyd_expr *zero = hyd_number(h, 0), *one = hyd_number(h, 1), *length = hyd_length(h, x);
  const hyd_expr *value = hyd_sub(h, last(h), hyd_variable(h, xr));
  if (now == ALL_OPERATORS) value = by_all(h, value);
  if (inner) value = hyd_sub(h, value, hyd_variable(h, inner));
  if (third) value = hyd_sub(h, value, hyd_variable(h, third));
  const hyd_loop *bound = now == LET_OF_MADE ? xr : now == LET_OF_NULL ? NULL : x;
  const hyd_expr *guard = now == LET_WITH_NUMBER_AS_GUARD ? one : NULL;
  const hyd_stmt *stmt = hyd_make_let(h, bound, value, guard, hyd_body(h));
  if (now == RETURNS_FOREIGN) return (const hyd_stmt *)(const void *)foreign;
  if (now == FOR_OF_TAKEN) hyd_make_for(h, x, zero, one, stmt);
  if (now == FOR_OF_AROUND) hyd_make_for(h, hyd_loop_at(h, 3), zero, one, stmt);
  if (now == FOR_OF_NULL) hyd_make_for(h, NULL, zero, one, stmt);
  if (now == FOR_AROUND_NULL) hyd_make_for(h, xr, zero, one, NULL);
  if (now == FOR_AROUND_FOREIGN) hyd_make_for(h, xr, zero, one, (const hyd_stmt *)(const void *)foreign);
  if (now == TWO_LETS) stmt = hyd_make_for(h, inner, zero, one, hyd_make_let(h, x, value, NULL, stmt));
  if (third) stmt = hyd_make_for(h, third, zero, one, stmt);
  // the loop that was made first stands inside
  if (now == TWO_LOOPS_INSIDE_OUT || now == LET_OF_THREE)
    return hyd_make_for(h, inner, zero, one, hyd_make_for(h, xr, zero, length, stmt));
  return hyd_make_for(h, xr, zero, length, stmt);
}

// Without hyd_make_loop.
static const hyd_stmt *rewrite_without_loops(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  return hyd_make_let(h, x, hyd_min(h, x), NULL, hyd_body(h));
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  if (now == INVERSE_NULL) return NULL;
  if (now == INVERSE_CONDITION) return hyd_less(h, hyd_number(h, 1), hyd_number(h, 2));
  if (now == INVERSE_FOREIGN) return (const hyd_expr *)(const void *)foreign;
  if (now == INVERSE_OF_ITSELF) return hyd_variable(h, made);
  return number > 0 ? hyd_number(h, 0) : hyd_sub(h, last(h), hyd_variable(h, hyd_loop_at(h, 0)));
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return now == NO_SUCH_ORDER ? (hyd_order)9 : now == REPEATS_AN_UPDATE ? HYD_REPEATED : HYD_PERMUTED;
}

static hyd_holes holes(hyd_host *h) {
  (void)h;
  return now == NO_SUCH_HOLES ? (hyd_holes)9 : HYD_HOLES_KEPT;
}

#define DIRECTIVE(word, how, ...)                                                                                      \
  {                                                                                                                    \
    .version = HYD_VERSION, .size = sizeof(hyd_directive), .name = word, .form = word "(f.x, xr, ...)",                \
    .summary = "runs a loop backwards", .arguments = {__VA_ARGS__}, .legal = legal, .rewrite = how,                    \
    .inverse = inverse, .order = order, .holes = holes                                                                 \
  }

static const hyd_directive odd = DIRECTIVE("odd", rewrite, HYD_LOOP, HYD_NAME, HYD_FACTOR);
static const hyd_directive beside = DIRECTIVE("beside", rewrite, HYD_LOOP, HYD_NAME, HYD_EXPR, HYD_AROUND);
static const hyd_directive nested = DIRECTIVE("nested", rewrite, HYD_LOOP, HYD_NAME, HYD_INNER, HYD_INNER);
static const hyd_directive counted = DIRECTIVE("counted", rewrite, HYD_LOOP, HYD_NAME, HYD_NUMBER);
static const hyd_directive loopless = DIRECTIVE("loopless", rewrite_without_loops, HYD_LOOP);

/* -- schedules -- */

static const struct {
  const char *items;
  fault fault;
  const char *says; // NULL: it is applied
} rows[] = {
    {"odd(f.x, xr, 4);", NOTHING, NULL},
    {"f.odd(x, xr, n);", NOTHING, NULL},
    {"beside(f.x, xr, -n, y);", NOTHING, NULL},
    {"counted(f.x, xr, -3);", NOTHING, NULL},
    {"odd(f.x, x, 4);", NOTHING, NULL}, // the name of the loop that is taken
    {"odd(f.x, xr, 4);", ALL_OPERATORS, NULL},
    {"odd(f.x, xr, 4);", CONSTANT_UNHEARD, NULL},
    {"odd(f.x, xr, 4);", TWO_LOOPS_INSIDE_OUT, NULL},
    {"odd(f.x, xr, 4);", WORD_NAMES, NULL},
    {"odd(f.x, xr, 4);", LOOP_OF_A_NAME, "hyd_loop_at was asked for argument 1, which is not a loop"},
    {"odd(f.x, xr, 4);", LOOP_BEFORE_ALL, "hyd_loop_at was asked for argument -1"},
    {"odd(f.x, xr, 4);", LOOP_BEHIND_ALL, "hyd_loop_at was asked for argument 9"},
    {"odd(f.x, xr, 4);", EXPR_OF_A_LOOP, "hyd_expr_at was asked for argument 0, which is not an expression"},
    {"odd(f.x, xr, 4);", NAME_OF_A_LOOP, "hyd_name_at was asked for argument 0, which is not a name"},
    {"odd(f.x, xr, 4);", PURE_OF_NULL, "hyd_is_pure was given a loop that is NULL"},
    {"odd(f.x, xr, 4);", PURE_OF_FOREIGN, "hyd_is_pure was given a loop that Halyard did not make"},
    {"odd(f.x, xr, 4);", VARIABLE_OF_NULL, "hyd_variable was given a loop that is NULL"},
    {"odd(f.x, xr, 4);", LENGTH_OF_MADE, "hyd_length was given a loop that it made itself"},
    {"odd(f.x, xr, 4);", MINIMUM_OF_MADE, "hyd_min was given a loop that it made itself"},
    {"odd(f.x, xr, 4);", MINIMUM_OF_NULL, "hyd_min was given a loop that is NULL"},
    {"odd(f.x, xr, 4);", NO_SUCH_OPERATOR, "operator 99, which there is not"},
    {"odd(f.x, xr, 4);", NUMBER_AS_CONDITION, "hyd_not was given a number where a condition belongs"},
    {"odd(f.x, xr, 4);", CONDITION_AS_NUMBER, "hyd_add was given a condition where a number belongs"},
    {"odd(f.x, xr, 4);", SUM_WITH_NULL, "hyd_add was given an expression that is NULL"},
    {"odd(f.x, xr, 4);", SUM_WITH_FOREIGN, "hyd_add was given an expression that Halyard did not make"},
    {"odd(f.x, xr, 4);", TOO_MANY_THINGS, "more than 2000 things in one call"},
    {"odd(f.x, xr, 4);", LOOP_TOO_LATE, "make all loops first"},
    {"odd(f.x, xr, 4);", FIVE_LOOPS, "it makes more than 4 loops"},
    {"odd(f.x, xr, 4);", NAMED_NULL, "a name that is no identifier"},
    {"odd(f.x, xr, 4);", NAMED_NOTHING, "a name that is no identifier"},
    {"odd(f.x, xr, 4);", NAMED_NUMBER, "a name that is no identifier"},
    {"odd(f.x, xr, 4);", NAMED_WITH_SIGN, "a name that is no identifier"},
    {"odd(f.x, xr, 4);", NAMED_AT_LENGTH, "a name that is no identifier"},
    {"odd(f.x, xr, 4);", NAMED_LIKE_FUNC, "the name 'f' clashes"},
    {"odd(f.x, xr, 4);", NAMED_TWICE, "two loops of the name 'xr'"},
    {"odd(f.x, xr, 4);", MODEL_MADE, "was not given a loop that is taken as a model"},
    {"odd(f.x, xr, 4);", MODEL_NULL, "hyd_make_loop was given a loop that is NULL"},
    {"odd(f.x, xr, 4);", FOR_OF_TAKEN, "hyd_make_for was given a loop that it did not make"},
    {"beside(f.x, xr, 4, y);", FOR_OF_AROUND, "hyd_make_for was given a loop that it did not make"},
    {"odd(f.x, xr, 4);", FOR_OF_NULL, "hyd_make_for was given a loop that is NULL"},
    {"odd(f.x, xr, 4);", FOR_AROUND_NULL, "hyd_make_for was given a statement that is NULL"},
    {"odd(f.x, xr, 4);", FOR_AROUND_FOREIGN, "hyd_make_for was given a statement that Halyard did not make"},
    {"odd(f.x, xr, 4);", LET_OF_MADE, "hyd_make_let was given a loop that is not taken"},
    {"odd(f.x, xr, 4);", LET_OF_NULL, "hyd_make_let was given a loop that is NULL"},
    {"odd(f.x, xr, 4);", LET_WITH_NUMBER_AS_GUARD, "hyd_make_let was given a number where a condition belongs"},
    {"odd(f.x, xr, 4);", LET_OF_THREE, "speaks of more than two loops"},
    {"odd(f.x, xr, 4);", RETURNS_FOREIGN, "'rewrite' returned a statement that Halyard did not make"},
    {"loopless(f.x);", MAKES_NO_LOOP, "it makes no loop"},
    {"odd(f.x, xr, 4);", LOSES_A_LOOP, "'other' that does not stand in what 'rewrite' returns"},
    {"odd(f.x, xr, 4);", TWO_LETS, "2 lets for the loop 'x'"},
    {"odd(f.x, xr, 4);", MAKES_LOOP_IN_LEGAL, "hyd_make_loop was called outside of 'rewrite'"},
    {"odd(f.x, xr, 4);", MAKES_BODY_IN_LEGAL, "hyd_body was called outside of 'rewrite'"},
    {"odd(f.x, xr, 4);", MAKES_FOR_IN_LEGAL, "hyd_make_for was called outside of 'rewrite'"},
    {"odd(f.x, xr, 4);", MAKES_LET_IN_LEGAL, "hyd_make_let was called outside of 'rewrite'"},
    {"odd(f.x, xr, 4);", REFUSES, "odd: not today"},
    {"odd(f.x, xr, 4);", INVERSE_NULL, "'inverse' returned NULL for loop 0"},
    {"odd(f.x, xr, 4);", INVERSE_CONDITION, "'inverse' returned a condition for loop 0"},
    {"odd(f.x, xr, 4);", INVERSE_FOREIGN, "'inverse' returned an expression that Halyard did not make"},
    {"odd(f.x, xr, 4);", INVERSE_OF_ITSELF, "which does not stand further outside"},
    {"odd(f.x, xr, 4);", NO_SUCH_ORDER, "'order' returned 9, which is no order"},
    {"odd(f.x, xr, 4);", NO_SUCH_HOLES, "'holes' returned 9"},
    {"odd(f.s1.x, xr, 4);", REPEATS_AN_UPDATE, "HYD_REPEATED for an update"},
    // arguments that do not fit
    {"odd(f.x, xr, 0);", NOTHING, "a factor of odd must be at least 1, not 0"},
    {"odd(f.x, 4, 4);", NOTHING, "odd(f.x, xr, ...)"},
    {"odd(f.x, xr);", NOTHING, "odd(f.x, xr, ...)"},
    {"odd(f.x, f.s0.xr, 4);", NOTHING, "odd(f.x, xr, ...)"},
    {"odd(f.x, xr, g);", NOTHING, "'g'"},
    {"f.odd(3, xr, 4);", NOTHING, "'odd' takes a name here"},
    {"f.odd();", NOTHING, "odd(f.x, xr, ...)"},
    {"counted(f.x, xr, n);", NOTHING, "counted(f.x, xr, ...)"},
    {"beside(f.x, xr, 4, f.s0.y);", NOTHING, "beside(f.x, xr, ...)"},
    {"beside(f.y, xr, 4, x);", NOTHING, "'f.s0.x' does not stand around 'f.s0.y'"},
    {"beside(f.x, xr, 4, z);", NOTHING, "f.s0.z"},
    {"nested(f.x, xr, y, y);", NOTHING, "'f.s0.y' is not directly inside 'f.s0.x'"},
    {"nested(f.y, xr, y, x);", NOTHING, "the loop directly inside is f.s0.x"},
    {"split(f.x, a, b, n); fuse(f.y, a, t); nested(f.t, xr, t, b);", NOTHING, "is not directly inside"},
};

static const hyd_directive *const directives[] = {&odd, &beside, &nested, &counted, &loopless};

START_TEST(the_host_says_what_is_wrong) {
  static const char alg[] =
      "pipeline p(n: int) { fun f(x, y) = { x + n*y; rdom(r = (0, n)) in (x, y) <- f(x, y) + r; }; }";
  hy_plugin plugins[HY_COUNT(directives)];
  const hy_plugin *items[HY_COUNT(directives)];
  test_program p;
  test_program_open(&p, alg, rows[_i].items);
  ck_assert(p.parsed);
  for (size_t i = 0; i < HY_COUNT(directives); i++) {
    plugins[i] = hy_plugin_make(directives[i], "here", (int)i);
    const char *why = hy_plugin_check(p.context, directives[i]);
    ck_assert_msg(!why, "%s: %s", directives[i]->name, why);
    items[i] = &plugins[i];
  }
  hy_plugins all = {items, HY_COUNT(directives), NULL, 0};
  hy_plugins_use(p.context, &all);
  now = rows[_i].fault;
  bool good = hy_pipeline_schedule(&p.pipeline, p.diagnostics);
  const char *said = test_program_said(&p);
  ck_assert_msg(good == !rows[_i].says && (good || strstr(said, rows[_i].says)), "%s, fault %d: %s", rows[_i].items,
                (int)now, *said ? said : "it is applied");
  test_program_close(&p);
}
END_TEST

/* -- arguments that random schedules give it -- */

static const hyd_directive pair = DIRECTIVE("pair", rewrite, HYD_LOOP, HYD_INNER, HYD_NAME, HYD_NAME);

// New loops have names of their own, or one of the old names, or both, in either order; never one name twice.
START_TEST(old_names_are_tried_again) {
  test_program p;
  test_program_open(&p, "pipeline p(n: int) { fun f(x, y) = x + n*y; }", "");
  hy_plugin plugin = hy_plugin_make(&pair, "here", 0);
  const hy_plugin *items[] = {&plugin};
  ck_assert_ptr_null(hy_plugin_check(p.context, &pair));
  hy_plugins all = {items, 1, NULL, 0};
  ck_assert(hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  hy_plugins_use(p.context, &all);
  const hy_tgt *tgt = p.pipeline.steps[0];
  const hy_stmt *outer = tgt->body;
  while (outer->kind != HY_STMT_FOR) {
    const hy_stmt *const *children, *room[2];
    int count = hy_stmt_children(outer, &children, room);
    outer = children[count - 1];
  }
  const hy_stmt *loops[] = {outer, outer->loop.body};
  int same = 0, turned = 0, one = 0, fresh = 0;
  for (uint64_t seed = 0; seed < 400; seed++) {
    hy_choices choices = hy_choices_of_seed(seed);
    hy_directive d;
    int names = 0;
    ck_assert(hy_generate_plugin(&choices, p.context, tgt, loops, 2, outer, NULL, &names, &d));
    const char *first = d.names[1], *second = d.names[2];
    ck_assert_str_ne(first, second);
    bool old = strcmp(first, "x") == 0 || strcmp(first, "y") == 0;
    bool both = old && (strcmp(second, "x") == 0 || strcmp(second, "y") == 0);
    same += both && first[0] == 'y', turned += both && first[0] == 'x', one += old && !both, fresh += !old;
  }
  ck_assert_msg(same > 8 && turned > 8 && one > 8 && fresh > 100, "%d %d %d %d", same, turned, one, fresh);
  test_program_close(&p);
}
END_TEST

// A plug-in is blamed for its own directive; for one of Halyard's only where it could not be decided before.
START_TEST(blame_needs_evidence) {
  test_program p;
  test_program_open(&p, "pipeline p() { fun f(x) = x; }", "");
  hy_context *context = p.context;
  hy_plugin plugin = hy_plugin_make(&pair, "there.so", 0);
  hy_directive own = {.type = &hy_directive_split}, plugged = {.type = &plugin.type};
  plugged.loop = hy_var_loop(context, p.pipeline.alg->output, 0, 0, hy_context_name_of(context, "x"));
  plugged.names[0] = plugged.names[1] = plugged.names[2] = "y";
  const char *said = hy_promise_culprit(context, &plugged, NULL);
  ck_assert_msg(strstr(said, "a fault of the plug-in there.so"), "%s", said);
  said = hy_promise_culprit(context, &own, NULL);
  ck_assert_msg(!strstr(said, "fault of the plug-in") && strstr(said, "a defect of Halyard"), "%s", said);
  said = hy_promise_culprit(context, &own, &plugged);
  ck_assert_msg(strstr(said, "either pair(") && strstr(said, "there.so") && strstr(said, "a defect of Halyard"), "%s",
                said);
  test_program_close(&p);
}
END_TEST

/* -- declarations -- */

static const struct {
  hyd_directive directive; // what is different from the one above; "" for what is to be NULL
  const char *says;
} declarations[] = {
    {{.version = 7}, "it is for version 7"},
    {{.size = 8}, "has 8 bytes instead of"},
    {{.name = ""}, "its name is no identifier"},
    {{.name = "1st"}, "its name is no identifier"},
    {{.name = "a-b"}, "its name is no identifier"},
    {{.name = "a123456789012345678901234567890123456789012345678901234567890123"}, "its name is no identifier"},
    {{.name = "split"}, "is one that Halyard's own schedules use"},
    {{.name = "tile"}, "is one that Halyard's own schedules use"},
    {{.name = "default"}, "is one that Halyard's own schedules use"},
    {{.arguments = {(hyd_argument)77}}, "its argument 0 is of kind 77"},
    {{.arguments = {HYD_NAME, HYD_LOOP}}, "its first argument, and no other, is to be HYD_LOOP"},
    {{.arguments = {HYD_LOOP, HYD_LOOP}}, "its first argument, and no other, is to be HYD_LOOP"},
    {{.arguments = {HYD_LOOP, HYD_INNER, HYD_INNER, HYD_INNER, HYD_INNER}}, "it takes more loops than HYD_MOST_LOOPS"},
    {{.arguments = {HYD_LOOP, HYD_NAME, HYD_NAME, HYD_NAME, HYD_NAME, HYD_NAME, HYD_NAME, HYD_NAME, HYD_NAME}},
     "does not end with HYD_END"},
};

START_TEST(declarations_are_checked) {
  hy_context *context = hy_context_new();
  hyd_directive d = odd;
  const hyd_directive *other = &declarations[_i].directive;
  if (other->version) d.version = other->version;
  if (other->size) d.size = other->size;
  if (other->name) d.name = other->name;
  if (other->arguments[0]) memcpy(d.arguments, other->arguments, sizeof d.arguments);
  const char *why = hy_plugin_check(context, &d);
  ck_assert_msg(why && strstr(why, declarations[_i].says), "%s", why ? why : "it is fine");
  hy_context_free(context);
}
END_TEST

START_TEST(declarations_are_whole) {
  hy_context *context = hy_context_new();
  hyd_directive d;
  d = odd, d.name = NULL;
  ck_assert_ptr_nonnull(strstr(hy_plugin_check(context, &d), "its name is no identifier"));
  d = odd, d.form = NULL;
  ck_assert_ptr_nonnull(strstr(hy_plugin_check(context, &d), "it lacks 'form' or 'summary'"));
  d = odd, d.summary = NULL;
  ck_assert_ptr_nonnull(strstr(hy_plugin_check(context, &d), "it lacks 'form' or 'summary'"));
  d = odd, d.rewrite = NULL;
  ck_assert_ptr_nonnull(strstr(hy_plugin_check(context, &d), "it lacks 'rewrite' or 'inverse'"));
  d = odd, d.inverse = NULL;
  ck_assert_ptr_nonnull(strstr(hy_plugin_check(context, &d), "it lacks 'rewrite' or 'inverse'"));
  d = odd, d.arguments[0] = HYD_END;
  ck_assert_ptr_nonnull(strstr(hy_plugin_check(context, &d), "is to be HYD_LOOP"));
  ck_assert_ptr_null(hy_plugin_check(context, &odd));
  ck_assert_int_eq(hy_plugin_make(&odd, "here", 0).count, 3);
  ck_assert_ptr_null(hy_plugins_find(NULL, "odd"));
  hy_context_free(context);
}
END_TEST

// Each part of a plug-in that can be blamed has a name of its own.
START_TEST(parts_have_names) {
  for (int i = HY_PLUGIN_OUTSIDE; i <= HY_PLUGIN_UNLOAD; i++)
    for (int k = HY_PLUGIN_OUTSIDE; k < i; k++)
      ck_assert_str_ne(hy_plugin_part_name((hy_plugin_part)i), hy_plugin_part_name((hy_plugin_part)k));
}
END_TEST

Suite *sched_plugins_suite(void) {
  Suite *suite = suite_create("sched_plugins");
  TCase *t = tcase_create("plugins");
  tcase_add_loop_test(t, the_host_says_what_is_wrong, 0, HY_COUNT(rows));
  tcase_add_loop_test(t, declarations_are_checked, 0, HY_COUNT(declarations));
  tcase_add_test(t, declarations_are_whole);
  tcase_add_test(t, parts_have_names);
  tcase_add_test(t, old_names_are_tried_again);
  tcase_add_test(t, blame_needs_evidence);
  suite_add_tcase(suite, t);
  return suite;
}
