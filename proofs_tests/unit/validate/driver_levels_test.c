/* What per-directive validation costs, counted in work rather than in seconds, and what it asks of prefixes and of
 * final programs (decisions D38, D74).
 */

#include "cli/reports/validate_report.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/support/validations.h"
#include "sched/rewrite.h"
#include "validate/validate_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONE "pipeline one(in: u8[1]) { fun o(x) = in(x) + 1; }"
#define BLUR                                                                                                           \
  "pipeline blur(in: u16[2]) { fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;"                           \
  " fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3; }"
#define LOOPS                                                                                                          \
  "split(bv.y, yo, yi, 4); split(bv.x, xo, xi, 3); swap(bv.yi); traverse(bv.xi, unrolled); split(bh.x, a, b, 2);"      \
  "split(bh.y, c, d, 5); swap(bh.d); traverse(bh.c, parallel);"

/* -- prefixes and final programs -- */

// D74: a parallel loop over tiles that overlap is no final program; after the swap it is one.
START_TEST(illegal_prefixes_are_judged_in_order) {
  test_program p;
  hy_validation out;
  char levels[16];
  test_program_open(&p, ONE, "split(o.x, xo, xi, 4, shift); traverse(o.xo, parallel); swap(o.xo);");
  ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
  ck_assert_uint_gt(test_validate(&p, "parallel over a shift, then exchanged (D74)", 140), 0);
  test_validator *v = test_validator_open(&p, 140); // as if every program were final
  test_validator_step(v, &p.pipeline.core[0], p.pipeline.steps[1], &out);
  test_validator_step(v, &p.pipeline.core[1], p.pipeline.steps[2], &out);
  ck_assert_str_eq(test_broken_levels(&out, levels), "L2 L3");
  test_validator_close(v);
  test_program_close(&p);
}
END_TEST

// The same without the swap, had legality let it pass: the final program owes it, and the parallel loop is to blame,
// not what came after it.
START_TEST(illegal_final_programs_are_blamed) {
  test_program p;
  hy_validation out;
  char levels[16];
  test_program_open(&p, ONE, "split(o.x, xo, xi, 8, shift);");
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  const hy_var *loop = p.pipeline.core[0].loop;
  hy_directive more[2] = {{.type = &hy_directive_traverse, .func = loop->func, .traversal = HY_PARALLEL},
                          {.type = &hy_directive_traverse, .func = loop->func, .traversal = HY_UNROLLED}};
  more[0].loop = hy_var_loop(p.context, loop->func, 0, 0, hy_context_name_of(p.context, "xo"));
  more[1].loop = hy_var_loop(p.context, loop->func, 0, 0, hy_context_name_of(p.context, "xi"));
  const hy_tgt *middle = hy_directive_traverse.apply(p.context, p.pipeline.steps[1], &more[0], NULL);
  p.pipeline.core_count = 3;
  test_validator *v = test_validator_open_whole(&p, 140, 0);
  test_validator_step(v, &p.pipeline.core[0], p.pipeline.steps[1], &out);
  test_validator_step(v, &more[0], middle, &out);
  ck_assert_str_eq(test_broken_levels(&out, levels), "");
  test_validator_step(v, &more[1], hy_directive_traverse.apply(p.context, middle, &more[1], NULL), &out);
  ck_assert_str_eq(test_broken_levels(&out, levels), "L2 L3");
  ck_assert_ptr_eq(out.directive, &more[0]);
  test_validator_close(v);
  test_program_close(&p);
}
END_TEST

/* -- a break that only a later sample shows -- */

static const hy_stmt *doubled(hy_context *context, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2], *fresh[32];
  int count = hy_stmt_children(stmt, &children, room);
  ck_assert_int_le(count, 32);
  for (int i = 0; i < count; i++) fresh[i] = doubled(context, children[i]);
  stmt = hy_stmt_with_children(context, stmt, fresh, count);
  if (stmt->kind != HY_STMT_ASSIGN || stmt->assign.stage != 0 || strcmp(stmt->assign.func->name, "bh") != 0)
    return stmt;
  const hy_expr *twice = hy_expr_binary(context, HY_OP_ADD, stmt->assign.rhs, stmt->assign.rhs);
  return hy_stmt_assign(context, stmt->assign.func, stmt->assign.spec, stmt->assign.stage, stmt->assign.lhs, twice);
}

// LVL.Output.Not: from one directive on the programs compute something else; there is no work for a look at that one.
START_TEST(late_breaks_are_blamed_on_their_maker) {
  enum { WRONG = 2, LITTLE = 40000 };
  test_program p;
  hy_validation out;
  const hy_level_result *level = &out.levels[HY_LEVEL_OUTPUT];
  test_program_open(&p, BLUR, LOOPS);
  ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
  test_validator *v = test_validator_open_whole(&p, 140, LITTLE);
  for (int i = 0; i == 0 || (i < p.pipeline.core_count && level->answer != HY_LEVEL_BROKEN); i++) {
    hy_tgt *after = HY_NEW(hy_context_arena(p.context), hy_tgt);
    *after = *p.pipeline.steps[i + 1];
    if (i >= WRONG) after->body = doubled(p.context, after->body);
    test_validator_step(v, &p.pipeline.core[i], after, &out);
    if (i == WRONG) ck_assert_int_eq(level->answer, HY_LEVEL_NOT_DONE);
  }
  ck_assert_int_eq(level->answer, HY_LEVEL_BROKEN);
  ck_assert_ptr_eq(out.directive, &p.pipeline.core[WRONG]);
  test_validator_close(v);
  test_program_close(&p);
}
END_TEST

/* -- budgets -- */

static void add_pyramid(hy_text *alg, hy_text *items, int levels) {
  hy_text_add(alg, "pipeline p(in: f32[2]) { fun g0(x, y) = in(x, y);\n");
  for (int i = 1; i < levels; i++) {
    hy_text_printf(alg, "fun d%d(x, y) = g%d(2*x - 1, y) + g%d(2*x, y) + g%d(2*x + 2, y);\n", i, i - 1, i - 1, i - 1);
    hy_text_printf(alg, "fun g%d(x, y) = d%d(x, 2*y - 1) + d%d(x, 2*y) + d%d(x, 2*y + 2);\n", i, i, i, i);
    hy_text_printf(
        items, "g%d.compute_root().parallel(y, 8).vectorize(x, 8); d%d.compute_at(g%d, y).vectorize(x, 8);\n", i, i, i);
  }
  hy_text_printf(alg, "fun o%d(x, y) = g%d(x, y);\n", levels - 1, levels - 1);
  for (int i = levels - 2; i >= 0; i--) {
    hy_text_printf(alg, "fun u%d(x, y) = o%d(x/2 - 1 + 2*(x%%2), y) + o%d(x/2, y);\n", i, i + 1, i + 1);
    hy_text_printf(alg, "fun o%d(x, y) = u%d(x, y/2 - 1 + 2*(y%%2)) + u%d(x, y/2) + g%d(x, y);\n", i, i, i, i);
    if (i) hy_text_printf(items, "o%d.compute_root().parallel(y, 8).vectorize(x, 8);\n", i);
  }
  hy_text_add(alg, "}\n");
  hy_text_add(items, "o0.tile(x, y, xi, yi, 32, 16).parallel(y).vectorize(xi, 8);\n");
}

static void add_chain(hy_text *alg, hy_text *items, int funcs) {
  hy_text_add(alg, "pipeline p(in: i32[2]) { fun c0(x, y) = in(x, y);\n");
  for (int i = 1; i < funcs; i++)
    hy_text_printf(alg, "fun c%d(x, y) = c%d(x - 1, y) + c%d(x + 1, y + 1)*%d;\n", i, i - 1, i - 1, i);
  hy_text_add(alg, "}\n");
  for (int i = 0; i < funcs - 1; i++) hy_text_printf(items, "c%d.compute_root().parallel(y, 4);\n", i);
}

// Each computed inside the next: fills are most of what looking at such a program takes.
static void add_nest(hy_text *alg, hy_text *items, int funcs) {
  hy_text at_root = {0};
  add_chain(alg, &at_root, funcs);
  hy_text_free(&at_root);
  for (int i = 1; i < funcs; i++) hy_text_printf(items, "split(c%d.s0.y, yo, yi, %d);\n", i, 4 + i % 4);
  for (int i = funcs - 2; i >= 0; i--) hy_text_printf(items, "compute_at(c%d, c%d.s0.yo);\n", i, i + 1);
}

static void add_dimensions(hy_text *alg, hy_text *items, int rank) {
  char names[40], turned[40];
  for (int i = 0; i < rank; i++) {
    sprintf(names + 3 * i, "%c%s", 'p' + i, i + 1 < rank ? ", " : "");
    sprintf(turned + 3 * i, "%c%s", 'p' + rank - 1 - i, i + 1 < rank ? ", " : "");
  }
  hy_text_printf(alg, "pipeline dims() { fun f(%s) = p - 2*q + 3*r;\n fun o(%s) = f(%s) - f(%s); }\n", names, names,
                 turned, names);
  hy_text_add(items, "split(o.s0.r, ro, ri, 2, round); swap(o.s0.w); compute_at(f, o.s0.s);\n");
}

static void add_splits(hy_text *alg, hy_text *items, int splits) {
  static const char *const tails[] = {"guard", "round", "shift"};
  hy_text_add(alg, "pipeline p() { fun f(x) = i32(x)*3;\n fun o(x) = f(x) + f(x + 1); }\n");
  hy_text_add(items, "split(o.s0.x, a0, b0, 256, shift);\n");
  for (int i = 1; i < splits; i++)
    hy_text_printf(items, "split(o.s0.a%d, a%d, b%d, %d, %s);\n", i - 1, i, i, 2 + 3 * i % 7, tails[i % 3]);
  hy_text_add(items, "compute_at(f, o.s0.b3);\n");
}

static const struct {
  const char *name;
  void (*add)(hy_text *alg, hy_text *items, int size);
  int size;
  uint64_t fills; // at most; each takes as long as many runs
} budgets[] = {
    {"a pyramid of 20 funcs", add_pyramid, 6, 40}, {"30 funcs in a row", add_chain, 30, 40},
    {"8 dimensions", add_dimensions, 8, 40},       {"12 nested splits", add_splits, 12, 40},
    {"100 funcs in a row", add_chain, 100, 40},    {"20 funcs inside each other", add_nest, 20, 8},
};

START_TEST(sampling_keeps_to_its_budget) {
  enum { MOST = 4000000 }; // a third of three millions is kept for the final program
  hy_text alg = {0}, items = {0};
  hy_validate_totals all;
  budgets[_i].add(&alg, &items, budgets[_i].size);
  test_program t;
  test_program_open(&t, hy_text_string(&alg), hy_text_string(&items));
  ck_assert_msg(t.parsed, "%s: %s", budgets[_i].name, test_program_said(&t));
  hy_session s;
  hy_options options;
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  char *words[] = {"halyard", "check", "none.alg", "--format", "json"};
  ck_assert(hy_options_parse(&options, (int)HY_COUNT(words), words, diagnostics));
  hy_session_init(&s, options, diagnostics);
  hy_context *own = s.context;
  s.context = t.context;
  s.alg = t.pipeline.alg;
  ck_assert_msg(hy_session_check(&s, &t.pipeline, false) == HY_STATUS_FINE, "%s", budgets[_i].name);
  hy_record *record = hy_record_append(hy_reporter_record(s.reporter), "schedules");
  uint64_t filled = hy_context_hits(t.context, HY_RULE_ORA_CPU); // once per func
  ck_assert_int_eq(hy_validate_count(&s, &t.pipeline, false, record, &all), HY_STATUS_FINE);
  filled = (hy_context_hits(t.context, HY_RULE_ORA_CPU) - filled) / (uint64_t)t.pipeline.alg->definition_count;
  test_note("%s: %d directives, %llu units of work, %llu programs filled, outputs compared after %d", budgets[_i].name,
            t.pipeline.core_count, (unsigned long long)all.work, (unsigned long long)filled, all.outputs);
  ck_assert_uint_le(filled, budgets[_i].fills);
  uint64_t many = (uint64_t)t.pipeline.alg->definition_count / 40;
  ck_assert_uint_le(all.work, MOST * (1 + many * many));
  ck_assert_int_ge(all.outputs, 1); // the final program at least
  s.context = own;
  s.alg = NULL;
  hy_session_free(&s);
  test_program_close(&t);
  hy_text_free(&alg);
  hy_text_free(&items);
}
END_TEST

Suite *driver_levels_suite(void) {
  Suite *suite = suite_create("driver_levels");
  TCase *t = tcase_create("levels");
  tcase_set_timeout(t, 120);
  tcase_add_test(t, illegal_prefixes_are_judged_in_order);
  tcase_add_test(t, illegal_final_programs_are_blamed);
  tcase_add_test(t, late_breaks_are_blamed_on_their_maker);
  tcase_add_loop_test(t, sampling_keeps_to_its_budget, 0, HY_COUNT(budgets));
  suite_add_tcase(suite, t);
  return suite;
}
