/* Theorem 3.5 (scheduling equivalence): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * For all inputs: B(S), and of every directive that it kept its promise (L0,
 * L3), by prover and Z3. Sampled: outputs, error kinds included, with memory
 * and parallel orders scrambled, of the oracle's program and of a wider member
 * of BI(S). Not covered: data values beyond the sampled ones (the proof of 7.6
 * is by the structure of the loops); native code.
 */

#include "engines/engine.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/support/validations.h"
#include "proofs_tests/theorems/theorems.h"

enum { GENERATED = 40, SCRAMBLES = 2 };

typedef struct {
  int programs, wider, shaped, runs, with_errors, stopped, directives;
  uint64_t points;
  size_t questions;
} tally;

static void run_inputs(theorem_program *t, const hy_tgt *filled, tally *all) {
  for (int i = 0; i < THEOREM_INPUTS; i++) {
    theorem_input in;
    theorem_run run;
    if (!theorem_input_open(t, filled, i, &in)) continue;
    for (uint64_t seed = 0; seed < SCRAMBLES; seed++) {
      if (!theorem_execute(t, filled, &in, seed * in.seed, &run)) break;
      ck_assert_msg(!theorem_run_is_wrong(&run), "%s, input %d, scramble %d: %s", t->name, i, (int)seed,
                    run.status == HY_RUN_ASSUME ? hy_assume_name(run.failed) : hy_contract_name(run.contract));
      all->runs++;
      all->with_errors += run.has_error;
      all->stopped += run.status == HY_RUN_ASSUME;
      all->points += run.points;
    }
    theorem_input_close(&in);
  }
}

// Every directive's promise for all inputs; inputs are the business of the
// runs.
static void prove_promises(theorem_program *t, tally *all) {
  hy_validate_options options = {.steps = t->test.pipeline.core_count, .z3_limit = 300};
  hy_validator *v = hy_validator_new(t->test.context, t->test.pipeline.steps[0], &options);
  for (int i = 0; i < t->test.pipeline.core_count; i++) {
    hy_validation out;
    hy_validator_step(v, &t->test.pipeline.core[i], t->test.pipeline.steps[i + 1], &out);
    hy_level broken = hy_validation_broken(&out);
    ck_assert_msg(broken == HY_LEVEL_COUNT, "%s: directive %d: %s", t->name, i,
                  broken < HY_LEVEL_COUNT ? out.levels[broken].story : "");
    for (int k = 0; k < HY_PROOF_COUNT; k++) {
      all->questions += out.proofs[k].proved;
      ck_assert_msg(t->is_generated || out.proofs[k].proved_z3 == 0, "%s: directive %d rests on Z3 alone", t->name, i);
    }
    all->directives++;
  }
  hy_validator_free(v);
}

START_TEST(theorem_3_5) {
  tally all = {0};
  for (int i = 0; i < theorem_written() + GENERATED; i++) {
    theorem_program t;
    if (!theorem_open(i, &t)) continue;
    const hy_tgt *filled = t.test.pipeline.filled;
    if (theorem_member(&t, filled, NULL)) {
      all.programs++;
      prove_promises(&t, &all);
      run_inputs(&t, filled, &all);
      theorem_shape shape = (theorem_shape)((i + 1) % THEOREM_SHAPES);
      const hy_tgt *wide = theorem_widened(&t, t.test.pipeline.steps[t.test.pipeline.core_count], filled, &shape);
      if (wide) {
        all.wider++;
        all.shaped += shape != THEOREM_CONSTANTS;
        run_inputs(&t, wide, &all);
      }
    }
    theorem_close(&t);
  }
  ck_assert_int_gt(all.runs, 4 * GENERATED);
  ck_assert_int_gt(all.with_errors, 0);
  ck_assert_int_gt(all.shaped, GENERATED / 4);
  test_note("theorem 3.5: %d programs (generated: seeds %d..%d); for all "
            "inputs: %d directives, %zu questions of L3; "
            "sampled: %d runs, %llu points, %d runs with errors, %d stopped by "
            "a user's bound; wider fills of %d, of other shapes than constants of %d",
            all.programs, THEOREM_SEED, THEOREM_SEED + GENERATED - 1, all.directives, all.questions, all.runs,
            (unsigned long long)all.points, all.with_errors, all.stopped, all.wider, all.shaped);
}
END_TEST

/* -- what is wrong is seen -- */

#define ALGORITHM "pipeline p() { fun a(x) = x + 5; fun o(x) = a(x) * 2; }"

static const hy_stmt *crash(hy_context *context,
                            const hy_stmt *stmt) { // o(x) <- ... / 0
  if (stmt->kind != HY_STMT_ASSIGN || stmt->assign.func->name[0] != 'o') return stmt;
  const hy_expr *zero = hy_expr_int(context, 0);
  return hy_stmt_assign(context, stmt->assign.func, 0, 0, stmt->assign.lhs,
                        hy_expr_binary(context, HY_OP_DIV, stmt->assign.rhs, zero));
}
static const hy_stmt *other_value(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind != HY_STMT_ASSIGN || stmt->assign.func->name[0] != 'o') return stmt;
  return hy_stmt_assign(context, stmt->assign.func, 0, 0, stmt->assign.lhs, hy_expr_int(context, 7));
}
static const hy_stmt *no_change(hy_context *context, const hy_stmt *stmt) {
  (void)context;
  return stmt;
}

static bool any_error(const hy_buffer *b) {
  int64_t point[HY_MAX_RANK];
  hy_error error;
  bool any = false;
  for (; b && !any; b = b->next) any = hy_first_error(b, point, &error);
  return any;
}

// Definition 3.3 as printed: P(z) has an error, or P'(z) has one or fails a
// check, or the outputs are equal.
static bool is_confluent_as_printed(theorem_program *t, const hy_tgt *filled, const theorem_input *in) {
  hy_outcome want = hy_engine_alg(t->test.context, t->test.pipeline.alg, &in->input, false, 0);
  hy_outcome got = hy_engine_tgt(t->test.context, filled, &in->input, 0, 0);
  hy_difference difference = {0};
  bool fails = got.status == HY_RUN_ASSUME || any_error(want.output) || any_error(got.output);
  if (!fails) hy_compare(want.output, got.output, true, &difference);
  hy_outcome_free(&want);
  hy_outcome_free(&got);
  return fails || !difference.differs;
}

static const struct {
  theorem_change *change;
  bool as_printed, strengthened;
} programs[] = {{no_change, true, true}, {crash, true, false}, {other_value, false, false}};

START_TEST(the_printed_definition_allows_a_crash) { // D57
  theorem_program t;
  theorem_input in;
  theorem_run run;
  theorem_open_text(&t, ALGORITHM, "split(o.x, xo, xi, 4);");
  const hy_tgt *tgt = theorem_edit(t.test.context, t.test.pipeline.filled, programs[_i].change);
  ck_assert(theorem_input_open(&t, tgt, 0, &in));
  ck_assert_int_eq(is_confluent_as_printed(&t, tgt, &in), programs[_i].as_printed);
  ck_assert(theorem_execute(&t, tgt, &in, 0, &run));
  ck_assert_int_eq(!theorem_run_is_wrong(&run), programs[_i].strengthened);
  theorem_input_close(&in);
  theorem_close(&t);
}
END_TEST

START_TEST(a_user_check_may_stop_it) { // D43: the one failure that is left;
                                       // without the check the run is wrong
  theorem_program t;
  theorem_input in;
  theorem_run run;
  theorem_open_text(&t, ALGORITHM, "bound(o, x, 0, 4);");
  ck_assert(theorem_input_open(&t, t.test.pipeline.filled, 0, &in)); // a window of 9
  ck_assert(theorem_execute(&t, t.test.pipeline.filled, &in, 0, &run));
  ck_assert(run.status == HY_RUN_ASSUME && run.failed == HY_ASSUME_NEED && !theorem_run_is_wrong(&run));
  theorem_input_close(&in);
  theorem_close(&t);
}
END_TEST

START_TEST(broken_twins_are_seen) { theorem_twins_are_seen("B.Cover B.Cpu B.Window FIN.Overlap"); }
END_TEST

Suite *theorem_3_5_suite(void) {
  Suite *suite = suite_create("theorem_3_5");
  TCase *t = tcase_create("theorem");
  tcase_add_test(t, theorem_3_5);
  tcase_add_loop_test(t, the_printed_definition_allows_a_crash, 0, HY_COUNT(programs));
  tcase_add_test(t, a_user_check_may_stop_it);
  tcase_add_test(t, broken_twins_are_seen);
  suite_add_tcase(suite, t);
  return suite;
}
