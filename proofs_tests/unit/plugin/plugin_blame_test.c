/* Whose fault a broken promise is, by the judges of campaigns: what breaks at a directive of Halyard's own is put down
 * to the last plug-in before it whose claim could not be decided, if there is one (DIR.Plugin). That one's lie may stay
 * undecided at its own step on a busy machine; here the machine is quiet, and the program that a lie made is put down
 * to the directive before it.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include "fuzz/judge/judge_internal.h"
#include "plugin/plugin.h"

#include <string.h>

/* -- nothing wrong; nothing wrong, but nobody can prove it; something wrong -- */

static const hyd_expr *last(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  return hyd_sub(h, hyd_add(h, hyd_min(h, x), hyd_length(h, x)), hyd_number(h, 1));
}

static const hyd_stmt *around(hyd_host *h, const hyd_loop *xr, const hyd_expr *value) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  return hyd_make_for(h, xr, hyd_number(h, 0), hyd_length(h, x), hyd_make_let(h, x, value, NULL, hyd_body(h)));
}

static const hyd_stmt *rewrite_clear(hyd_host *h) {
  const hyd_loop *xr = hyd_make_loop(h, hyd_name_at(h, 1), hyd_loop_at(h, 0));
  return around(h, xr, hyd_sub(h, last(h), hyd_variable(h, xr)));
}

static const hyd_expr *inverse_clear(hyd_host *h, int number) {
  (void)number;
  return hyd_sub(h, last(h), hyd_variable(h, hyd_loop_at(h, 0)));
}

// The last iteration is lost.
static const hyd_stmt *rewrite_short(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0), *xr = hyd_make_loop(h, hyd_name_at(h, 1), x);
  const hyd_stmt *let = hyd_make_let(h, x, hyd_sub(h, last(h), hyd_variable(h, xr)), NULL, hyd_body(h));
  return hyd_make_for(h, xr, hyd_number(h, 0), hyd_sub(h, hyd_length(h, x), hyd_number(h, 1)), let);
}

static const hyd_expr *square(hyd_host *h) {
  const hyd_expr *min = hyd_min(h, hyd_loop_at(h, 0));
  return hyd_mul(h, min, min);
}

// A remainder by a length is more than the prover decides.
static const hyd_stmt *rewrite_murky(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0), *xr = hyd_make_loop(h, hyd_name_at(h, 1), x);
  const hyd_expr *far = hyd_add(h, hyd_variable(h, xr), square(h));
  return around(h, xr, hyd_add(h, hyd_min(h, x), hyd_mod(h, far, hyd_length(h, x))));
}

static const hyd_expr *inverse_murky(hyd_host *h, int number) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  (void)number;
  return hyd_mod(h, hyd_sub(h, hyd_variable(h, x), hyd_add(h, hyd_min(h, x), square(h))), hyd_length(h, x));
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_PERMUTED;
}

static const hyd_directive clear = {HYD_HEAD,
                                    .name = "clear",
                                    .form = "clear(f.x, xr)",
                                    .summary = "backwards",
                                    .arguments = {HYD_LOOP, HYD_NAME},
                                    .rewrite = rewrite_clear,
                                    .inverse = inverse_clear,
                                    .order = order};
static const hyd_directive murky = {HYD_HEAD,
                                    .name = "murky",
                                    .form = "murky(f.x, xr)",
                                    .summary = "turned by a square",
                                    .arguments = {HYD_LOOP, HYD_NAME},
                                    .rewrite = rewrite_murky,
                                    .inverse = inverse_murky,
                                    .order = order};

static const hyd_directive lossy = {HYD_HEAD,
                                    .name = "short",
                                    .form = "short(f.x, xr)",
                                    .summary = "backwards, but for the last iteration",
                                    .arguments = {HYD_LOOP, HYD_NAME},
                                    .rewrite = rewrite_short,
                                    .inverse = inverse_clear,
                                    .order = order};

/* -- who is to blame -- */

// What is done to the last step of a schedule.
typedef enum {
  WHOLE,
  MERGED, // its program is put down to the directive before it
  UNSEEN, // its program is asked about, but nobody sees the step
} change;

static const struct {
  unsigned lane;
  const char *items;
  change change;
  hy_found found;
  int step; // that it is put down to, and its directive
  const char *directive;
} rows[] = {
    {HY_LANE_CROSS, "murky(f.x, xr); split(f.y, a, b, 3); short(f.b, br);", MERGED, HY_FOUND_PROMISE, 1, "murky"},
    {HY_LANE_PROMISE, "murky(f.x, xr); split(f.y, a, b, 3); short(f.b, br);", MERGED, HY_FOUND_PROMISE, 1, "murky"},
    // it was proved: nobody else is left
    {HY_LANE_PROMISE, "clear(f.x, xr); split(f.y, a, b, 3); short(f.b, br);", MERGED, HY_FOUND_PROMISE, 2, "split"},
    // a plug-in answers for its own step
    {HY_LANE_PROMISE, "murky(f.x, xr); clear(f.y, a); short(f.a, br);", MERGED, HY_FOUND_PROMISE, 2, "clear"},
    // B refutes the program that is run
    {HY_LANE_CROSS, "murky(f.x, xr); short(f.y, br);", UNSEEN, HY_FOUND_REFUTED, 1, "murky"},
    {HY_LANE_CROSS, "clear(f.x, xr); short(f.y, br);", UNSEEN, HY_FOUND_REFUTED, -1, "none"},
    {HY_LANE_CROSS, "murky(f.x, xr); split(f.y, a, b, 3);", WHOLE, HY_FOUND_UNDECIDED, 1, "murky"},
    {HY_LANE_CROSS, "clear(f.x, xr); split(f.y, a, b, 3);", WHOLE, HY_FOUND_NOTHING, -1, "none"},
};

START_TEST(the_last_open_claim_is_blamed) {
  static const hyd_directive *const directives[] = {&clear, &murky, &lossy};
  hy_plugin plugins[HY_COUNT(directives)];
  const hy_plugin *items[HY_COUNT(directives)];
  test_program p;
  hy_judgement j = {.step = -1, .directive = HY_NO_DIRECTIVE};
  hy_case c = {.seed = 17};
  test_program_open(&p, "pipeline p(n: int) { fun f(x, y) = x + n*y; }", rows[_i].items);
  for (size_t i = 0; i < HY_COUNT(directives); i++) {
    plugins[i] = hy_plugin_make(directives[i], "/a/folder/here.so", (int)i);
    ck_assert_ptr_null(hy_plugin_check(p.context, directives[i]));
    items[i] = &plugins[i];
  }
  hy_plugins all = {items, HY_COUNT(directives), NULL, NULL};
  hy_plugins_use(p.context, &all);
  c.plugins = &all;
  ck_assert(hy_pipeline_schedule(&p.pipeline, p.diagnostics) && hy_pipeline_fill(&p.pipeline, p.diagnostics));
  if (rows[_i].change != WHOLE) {
    int last_step = p.pipeline.core_count--;
    if (rows[_i].change == MERGED) p.pipeline.steps[last_step - 1] = p.pipeline.steps[last_step];
    p.pipeline.step_count--;
  }
  hy_judging g = {&c, .lanes = rows[_i].lane, .altered = "", .j = &j, .context = p.context, .said = p.diagnostics};
  g.pipeline = p.pipeline;
  if (rows[_i].lane == HY_LANE_CROSS) // Z3 has the time that it needs on a busy machine, too
    hy_judging_decide(&g);
  else
    hy_judging_promise(&g);
  p.pipeline = g.pipeline;
  ck_assert_msg(j.found == rows[_i].found, "%s: %s: %s", rows[_i].items, hy_found_name(j.found), j.detail);
  ck_assert_msg(j.step == rows[_i].step && strcmp(hy_judgement_directive(&j), rows[_i].directive) == 0,
                "%s: step %d, %s: %s", rows[_i].items, j.step, hy_judgement_directive(&j), j.detail);
  ck_assert_msg(!strstr(j.detail, "folder"), "%s", j.detail); // the same on every machine
  test_program_close(&p);
}
END_TEST

Suite *plugin_blame_suite(void) {
  Suite *suite = suite_create("plugin_blame");
  TCase *t = tcase_create("blame");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, the_last_open_claim_is_blamed, 0, HY_COUNT(rows));
  suite_add_tcase(suite, t);
  return suite;
}
