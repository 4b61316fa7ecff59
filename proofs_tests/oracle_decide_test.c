/* How the answers of the prover and of Z3 become one verdict, each pair of them: unknown is never yes (decision D58),
 * and a model outweighs a proof (D63).
 */

#include "oracle/oracle.h"
#include "proofs_tests/suites.h"

#include <string.h>

static const struct {
  hy_verdict ours;
  hy_answer z3;
  hy_verdict verdict;
  bool contested;
} pairs[] = {
    {HY_VERDICT_PROVED, HY_YES, HY_VERDICT_PROVED, false},
    {HY_VERDICT_PROVED, HY_UNKNOWN, HY_VERDICT_PROVED, false},
    {HY_VERDICT_PROVED, HY_NO, HY_VERDICT_REFUTED, true},
    {HY_VERDICT_UNKNOWN, HY_YES, HY_VERDICT_PROVED_Z3, false},
    {HY_VERDICT_UNKNOWN, HY_UNKNOWN, HY_VERDICT_UNKNOWN, false},
    {HY_VERDICT_UNKNOWN, HY_NO, HY_VERDICT_REFUTED, false},
    {HY_VERDICT_REFUTED, HY_YES, HY_VERDICT_REFUTED, true},
    {HY_VERDICT_REFUTED, HY_UNKNOWN, HY_VERDICT_REFUTED, false},
    {HY_VERDICT_REFUTED, HY_NO, HY_VERDICT_REFUTED, false},
};

START_TEST(two_answers_make_one) {
  hy_context *context = hy_context_new();
  const hy_var *x = hy_var_new(context, HY_VAR_PARAM, HY_INT, hy_context_name_of(context, "x"), NULL, 0, 0);
  hy_z3_value model = {hy_expr_var(context, x), 3};
  bool has_model = pairs[_i].z3 == HY_NO;
  hy_z3_verdict z3 = {.answer = pairs[_i].z3, .model = has_model ? &model : NULL, .model_count = has_model};
  hy_decision d = {.verdict = pairs[_i].ours};
  hy_oracle_settle(context, &d, &z3);
  ck_assert_msg(d.verdict == pairs[_i].verdict, "%s and Z3's %d make %s", hy_verdict_name(pairs[_i].ours),
                (int)pairs[_i].z3, hy_verdict_name(d.verdict));
  ck_assert_int_eq(d.contested, pairs[_i].contested);
  if (pairs[_i].ours != HY_VERDICT_REFUTED) {
    ck_assert_uint_eq(d.value_count, has_model);
    if (has_model) ck_assert_str_eq(d.model, "x = 3");
  }
  hy_context_free(context);
}
END_TEST

Suite *oracle_decide_suite(void) {
  Suite *suite = suite_create("oracle_decide");
  TCase *t = tcase_create("decide");
  tcase_add_loop_test(t, two_answers_make_one, 0, HY_COUNT(pairs));
  suite_add_tcase(suite, t);
  return suite;
}
