#include "oracle/z3/z3_apply.h"

#include "oracle/z3/z3_encode.h"

static void ignore_error(Z3_context z3, Z3_error_code code) { (void)z3, (void)code; }

static bool read_value(Z3_context z3, Z3_ast term, int64_t *value) {
  Z3_lbool truth = Z3_get_bool_value(z3, term);
  *value = truth == Z3_L_TRUE;
  return truth != Z3_L_UNDEF || (Z3_is_numeral_ast(z3, term) && Z3_get_numeral_int64(z3, term, value));
}

// The value in some model, then: is there a model with another one?
static hy_answer only_value(Z3_context z3, Z3_solver solver, Z3_ast term, int64_t *value) {
  Z3_lbool satisfiable = Z3_solver_check(z3, solver);
  if (satisfiable != Z3_L_TRUE) return satisfiable == Z3_L_FALSE ? HY_NO : HY_UNKNOWN;
  Z3_model model = Z3_solver_get_model(z3, solver);
  if (!model) return HY_UNKNOWN;
  Z3_model_inc_ref(z3, model);
  Z3_ast found = NULL;
  bool fits = Z3_model_eval(z3, model, term, true, &found) && found;
  if (fits) {
    Z3_inc_ref(z3, found);
    fits = read_value(z3, found, value);
    Z3_solver_assert(z3, solver, Z3_mk_not(z3, Z3_mk_eq(z3, term, found)));
    Z3_dec_ref(z3, found);
  }
  Z3_model_dec_ref(z3, model);
  return fits && Z3_solver_check(z3, solver) == Z3_L_FALSE ? HY_YES : HY_UNKNOWN;
}

hy_answer hy_z3_apply(hy_context *context, hy_op op, hy_type type, const hy_value *args, int64_t *result) {
  const hy_expr *constants[HY_MAX_ARITY];
  for (int i = 0; i < hy_op_arity(op); i++) constants[i] = hy_expr_const(context, args[i]);
  const hy_expr *expr = hy_expr_op(context, op, type, constants);
  Z3_config config = Z3_mk_config();
  Z3_context z3 = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(z3, ignore_error);
  hy_z3_encoding encoding;
  hy_z3_encoding_init(&encoding, z3);
  Z3_ast term = hy_z3_encode(&encoding, expr);
  Z3_solver solver = Z3_mk_simple_solver(z3);
  Z3_solver_inc_ref(z3, solver);
  for (size_t i = 0; i < encoding.conditions.count; i++) Z3_solver_assert(z3, solver, encoding.conditions.data[i]);
  hy_answer answer = only_value(z3, solver, term, result);
  Z3_solver_dec_ref(z3, solver);
  hy_z3_encoding_free(&encoding);
  Z3_del_context(z3);
  return answer;
}
