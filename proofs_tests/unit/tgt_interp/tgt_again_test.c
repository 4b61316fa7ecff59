// A program that is compiled once and run many times does what a fresh one does: on other inputs, in other orders,
// after runs that were stopped or that broke a contract; with slack it only needs more memory. And the sites that
// sched/ lists are those that it accepts.

#include "proofs_tests/suites.h"
#include "proofs_tests/theorems/theorems.h"

#include <stdlib.h>
#include <string.h>

enum { GENERATED = 40, SHORT_RUN = 7 };

/* -- one run against another -- */

typedef struct {
  int ran, limited, broken, refused;
} tally;

static void check_same(const hy_tgt_result *a, const hy_tgt_result *b, const char *name) {
  ck_assert_msg(a->status == b->status && a->contract == b->contract, "%s: %s, again %s", name,
                hy_contract_name(a->contract), hy_contract_name(b->contract));
  ck_assert_msg(a->points == b->points && a->peak_bytes == b->peak_bytes, "%s: %llu points, again %llu", name,
                (unsigned long long)a->points, (unsigned long long)b->points);
  ck_assert(a->failed == b->failed && a->where == b->where && !a->output == !b->output && !a->story == !b->story);
  if (a->story) ck_assert_str_eq(a->story, b->story);
  for (const hy_buffer *v = a->output, *w = b->output; v; v = v->next, w = w->next)
    for (size_t i = 0; i < v->count; i++) {
      hy_error x = v->errors ? (hy_error)v->errors[i] : HY_OK, y = w->errors ? (hy_error)w->errors[i] : HY_OK;
      size_t bytes = hy_type_bytes(v->type);
      ck_assert_msg(x == y && (x || memcmp(v->data + i * bytes, w->data + i * bytes, bytes) == 0),
                    "%s: element %zu differs", name, i);
    }
}

static void run_both(theorem_program *t, const hy_tgt *tgt, hy_tgt_program *again, const hy_input *input,
                     const hy_tgt_options *options, tally *seen) {
  hy_tgt_result a, b;
  hy_tgt_run(t->test.context, tgt, input, options, &a);
  hy_tgt_program_run(again, input, options, &b);
  check_same(&a, &b, t->name);
  seen->ran += a.status == HY_RAN;
  seen->limited += a.status == HY_RUN_LIMIT;
  seen->broken += a.status == HY_RUN_CONTRACT;
  seen->refused += a.status == HY_RUN_ASSUME;
  hy_tgt_result_free(&a);
  hy_tgt_result_free(&b);
}

// "open": the program that the images are made for.
static void run_all(theorem_program *t, const hy_tgt *open, const hy_tgt *tgt, bool monitor, tally *seen) {
  static const uint64_t seeds[] = {0, 5, 0, 1234567, 5};
  hy_tgt_program *again = hy_tgt_program_new(t->test.context, tgt, HY_LAZY, monitor);
  for (size_t k = 0; k < HY_COUNT(seeds); k++)
    for (int i = 0; i < THEOREM_INPUTS; i++) {
      theorem_input in;
      if (!theorem_input_open(t, open, i, &in)) continue;
      hy_tgt_options options = {.seed = seeds[k], .step_limit = 4 * THEOREM_STEPS, .monitor = monitor};
      run_both(t, tgt, again, &in.input, &options, seen);
      options.step_limit = SHORT_RUN; // leaves everything as it was in the middle
      run_both(t, tgt, again, &in.input, &options, seen);
      options.step_limit = 4 * THEOREM_STEPS;
      options.slack = seeds[k] + 1;
      run_both(t, tgt, again, &in.input, &options, seen);
      theorem_input_close(&in);
    }
  hy_tgt_program_free(again);
}

START_TEST(again_is_as_fresh) {
  tally seen = {0};
  for (int index = 0; index < theorem_written() + GENERATED; index++) {
    theorem_program t;
    if (!theorem_open(index, &t)) continue;
    run_all(&t, t.test.pipeline.filled, t.test.pipeline.filled, _i == 1, &seen);
    theorem_close(&t);
  }
  ck_assert_int_gt(seen.ran, 100);
  ck_assert_int_gt(seen.limited, 50);
}
END_TEST

// Boxes that are too narrow: what is broken, where, and the story are the same again, and the next run is not spoilt.
START_TEST(again_breaks_the_same) {
  tally seen = {0};
  for (int index = 0; index < theorem_written() + GENERATED; index++) {
    theorem_program t;
    if (!theorem_open(index, &t)) continue;
    const hy_pipeline *p = &t.test.pipeline;
    int64_t low[64] = {0}, high[64];
    for (size_t k = 0; k < HY_COUNT(high); k++) high[k] = -1;
    const hy_tgt *narrow = theorem_refill(&t, p->steps[p->core_count], p->filled, low, high, 0);
    if (narrow) run_all(&t, p->filled, narrow, true, &seen);
    theorem_close(&t);
  }
  ck_assert_int_gt(seen.broken, 100);
}
END_TEST

START_TEST(slack_costs_memory_only) {
  int larger = 0;
  for (int index = 0; index < theorem_written() + GENERATED; index++) {
    theorem_program t;
    theorem_input in;
    if (!theorem_open(index, &t)) continue;
    for (int i = 0; i < THEOREM_INPUTS; i++) {
      if (!theorem_input_open(&t, t.test.pipeline.filled, i, &in)) continue;
      hy_tgt_options options = {.seed = 3, .step_limit = 4 * THEOREM_STEPS, .monitor = true};
      hy_tgt_result plain, wide;
      hy_tgt_run(t.test.context, t.test.pipeline.filled, &in.input, &options, &plain);
      options.slack = 77;
      hy_tgt_run(t.test.context, t.test.pipeline.filled, &in.input, &options, &wide);
      if (wide.status != HY_RUN_LIMIT) ck_assert_uint_ge(wide.peak_bytes, plain.peak_bytes);
      larger += wide.peak_bytes > plain.peak_bytes;
      wide.peak_bytes = plain.peak_bytes;
      // what is stopped gets less far where memory costs work
      if (plain.status != HY_RUN_LIMIT || wide.status != HY_RUN_LIMIT) check_same(&plain, &wide, t.name);
      hy_tgt_result_free(&plain);
      hy_tgt_result_free(&wide);
      theorem_input_close(&in);
    }
    theorem_close(&t);
  }
  ck_assert_int_gt(larger, 50);
}
END_TEST

// How much memory a run may have follows from its own steps: one of few steps does not take it from those after it, nor
// give one of many steps its room to the next.
START_TEST(each_run_has_its_own_room) {
  static const uint64_t steps[] = {SHORT_RUN, 4000000, SHORT_RUN, 2000000};
  int64_t min[] = {0}, len[] = {2};
  hy_input input = {NULL, NULL, min, len};
  test_program t;
  test_program_open(&t, "pipeline p() { fun f(x) = x; fun g(x) = f(x) + f(x + 1000000); }", NULL);
  ck_assert(hy_pipeline_schedule(&t.pipeline, t.diagnostics) && hy_pipeline_fill(&t.pipeline, t.diagnostics));
  hy_tgt_program *again = hy_tgt_program_new(t.context, t.pipeline.filled, HY_LAZY, true);
  for (size_t k = 0; k < HY_COUNT(steps); k++) {
    hy_tgt_options options = {.seed = 1, .step_limit = steps[k], .monitor = true};
    hy_tgt_result fresh, is;
    hy_tgt_run(t.context, t.pipeline.filled, &input, &options, &fresh);
    hy_tgt_program_run(again, &input, &options, &is);
    ck_assert_int_eq(fresh.status, steps[k] == SHORT_RUN ? HY_RUN_LIMIT : HY_RAN);
    check_same(&fresh, &is, "a large func");
    ck_assert_int_eq(fresh.status, is.status);
    hy_tgt_result_free(&fresh);
    hy_tgt_result_free(&is);
  }
  hy_tgt_program_free(again);
  test_program_close(&t);
}
END_TEST

/* -- sites -- */

typedef struct {
  HY_VEC(const hy_var *) vars;
} loop_list;

static void list_loops(const hy_stmt *stmt, loop_list *l) {
  if (stmt->kind == HY_STMT_FOR) hy_vec_push(&l->vars, stmt->loop.var);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) list_loops(children[i], l);
}

static void check_sites(theorem_program *t, const hy_tgt *tgt, const hy_func *func, const hy_directive_type *type,
                        int *accepted, int *refused) {
  loop_list l = {0};
  size_t count, next = 0;
  const hy_stmt **sites = hy_sched_sites(tgt, type, func, &count);
  hy_diagnostics *said = hy_diagnostics_new();
  list_loops(tgt->body, &l);
  for (size_t i = 0; i < l.vars.count; i++) {
    hy_directive d = {.type = type, .func = func, .loop = l.vars.data[i]};
    bool fine = hy_sched_apply(t->test.context, tgt, &d, said) != NULL;
    bool listed = next < count && sites[next]->loop.var == l.vars.data[i];
    ck_assert_msg(fine == listed, "%s: %s at %s", t->name, func->name, l.vars.data[i]->name);
    next += listed;
    *(fine ? accepted : refused) += 1;
  }
  ck_assert_uint_eq(next, count);
  hy_diagnostics_free(said);
  hy_vec_free(&l.vars);
  free(sites);
}

START_TEST(sites_are_what_is_accepted) {
  int accepted = 0, refused = 0;
  for (int index = 0; index < theorem_written() + GENERATED; index++) {
    theorem_program t;
    if (!theorem_open(index, &t)) continue;
    const hy_pipeline *p = &t.test.pipeline;
    for (int step = 0; step < p->step_count; step += 2)
      for (int k = 0; k < p->steps[step]->func_count; k++) {
        const hy_func *func = p->steps[step]->funcs[k];
        if (hy_alg_output(p->alg, func)) continue;
        check_sites(&t, p->steps[step], func, &hy_directive_compute_at, &accepted, &refused);
        check_sites(&t, p->steps[step], func, &hy_directive_store_at, &accepted, &refused);
      }
    theorem_close(&t);
  }
  ck_assert_int_gt(accepted, 100);
  ck_assert_int_gt(refused, 100);
}
END_TEST

Suite *tgt_again_suite(void) {
  Suite *suite = suite_create("tgt_again");
  TCase *cases = tcase_create("again");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, again_is_as_fresh, 0, 2);
  tcase_add_test(cases, again_breaks_the_same);
  tcase_add_test(cases, slack_costs_memory_only);
  tcase_add_test(cases, each_run_has_its_own_room);
  tcase_add_test(cases, sites_are_what_is_accepted);
  suite_add_tcase(suite, cases);
  return suite;
}
