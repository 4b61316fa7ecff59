/* Theorem 8.2 (specialization is sound): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * For all inputs: B(S_i+1), both branches of every condition, and the promise EQ (L0, L3) of every directive.
 * Sampled: outputs and the contents of every computation, run in order under the monitor.
 * Not covered: as in 3.5, data values are sampled.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/theorems/theorems.h"
#include "sched/rewrite.h"

enum { GENERATED = 60 };

START_TEST(theorem_8_2) {
  theorem_phase all = theorem_look_at_phase(HY_PHASE_SPECIALIZE, GENERATED);
  ck_assert_int_gt(all.members, 10);
  theorem_phase_note("theorem 8.2", &all, GENERATED);
}
END_TEST

/* -- broken specializations -- */

#define TWO "pipeline p(n: int) { fun a(x) = x * 3; fun o(x) = { a(x); (x) <- o(x) * 2 + n; }; }"

static bool is_branch(const hy_stmt *stmt) { return stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_SPECIALIZE; }
static const hy_stmt *keep(hy_context *context, const hy_stmt *stmt) {
  (void)context;
  return stmt;
}
static const hy_stmt *no_default(hy_context *context, const hy_stmt *stmt) {
  return is_branch(stmt) ? hy_stmt_if(context, HY_IF_SPECIALIZE, stmt->branch.condition, stmt->branch.then, NULL)
                         : stmt;
}
static const hy_stmt *half_a_copy(hy_context *context, const hy_stmt *stmt) { // z1 without its update
  if (stmt->kind != HY_STMT_ASSIGN || stmt->assign.spec != 1 || stmt->assign.stage != 1) return stmt;
  return hy_stmt_nop(context);
}
static const hy_stmt *both_copies(hy_context *context, const hy_stmt *stmt) { // the update is applied twice
  if (!is_branch(stmt)) return stmt;
  const hy_stmt *both[2] = {stmt->branch.then, stmt->branch.then};
  return hy_stmt_if(context, HY_IF_SPECIALIZE, stmt->branch.condition, hy_stmt_seq(context, both, 2),
                    stmt->branch.otherwise);
}

static const struct {
  const char *name;
  theorem_change *change;
  bool sound;
} broken[] = {
    {"nothing is wrong", keep, true},
    {"no default branch", no_default, false},
    {"a copy that lacks a stage", half_a_copy, false},
    {"a copy that is run twice", both_copies, true}, // the pure stage comes first again: a whole computation repeated
};

START_TEST(broken_specializations_are_seen) {
  theorem_program t;
  theorem_open_text(&t, TWO, "specialize(o, n == 1, n == 5);");
  const hy_tgt *tgt = theorem_edit(t.test.context, t.test.pipeline.filled, broken[_i].change);
  ck_assert_msg(theorem_some_run_is_wrong(&t, tgt, 0) != broken[_i].sound, "%s", broken[_i].name);
  theorem_close(&t);
}
END_TEST

START_TEST(a_producer_inside_one_branch) { // D39: by the rewrite alone, without asking whether it applies
  theorem_program t;
  theorem_open_text(&t, TWO, "specialize(o, n == 1);");
  hy_context *context = t.test.context;
  const hy_tgt *before = t.test.pipeline.steps[1];
  hy_directive move = theorem_directive(&t, &hy_directive_compute_at, "a", "o", 1, 0, "x");
  ck_assert(!hy_directive_compute_at.applies(context, before, &move, t.test.diagnostics));
  const hy_tgt *filled =
      hy_oracle_fill(context, hy_directive_compute_at.apply(context, before, &move, NULL), t.test.diagnostics);
  ck_assert(filled && theorem_some_run_is_wrong(&t, filled, 0)); // the other branch reads what nobody wrote
  theorem_close(&t);
}
END_TEST

START_TEST(broken_twins_are_seen) { theorem_twins_are_seen("B.Cover DIR.Specialize"); }
END_TEST

Suite *theorem_8_2_suite(void) {
  Suite *suite = suite_create("theorem_8_2");
  TCase *t = tcase_create("theorem");
  tcase_add_test(t, theorem_8_2);
  tcase_add_loop_test(t, broken_specializations_are_seen, 0, HY_COUNT(broken));
  tcase_add_test(t, a_producer_inside_one_branch);
  tcase_add_test(t, broken_twins_are_seen);
  suite_add_tcase(suite, t);
  return suite;
}
