#include "bounds/query_internal.h"
#include "semantics/tgt/values.h"

/* B.Value: what an assignment stores lies in the range of its func's values (decision D88). What it reads of funcs lies
 * in theirs: those of earlier stages and of other funcs by their own obligations, those of its own stage by induction
 * over the instances. What is stored outside of Cpu is held to it as well, which asks more than is needed.
 */

static void owe_end(hy_query_walk *w, hy_query_place at, const hy_expr *stored, hy_op op, hy_wide_int end) {
  const hy_expr *limit = hy_expr_int(w->context, (int64_t)end);
  hy_query_owe(w, HY_B_VALUE, at, binary(w, op, stored, limit), "the values of %s are %s %s", at.func->name,
               op == HY_OP_GE ? "at least" : "at most", hy_query_print(w, limit));
}

// requires: the facts of what is read are pushed
void hy_query_owe_value(hy_query_walk *w, hy_query_place at, const hy_stmt *assign) {
  hy_range range, type = hy_type_numbers(at.func->type);
  if (!hy_value_range(w->values, at.func, &range)) return;
  const hy_expr *stored = hy_machine_value(w->context, w->ranges, assign->assign.rhs);
  if (stored->type != HY_INT) stored = hy_expr_cast(w->context, HY_INT, stored);
  size_t facts = w->facts.count;
  for (size_t i = 0; i < w->widths.count; i++) hy_query_push_fact(w, w->widths.data[i]); // what ranges rest on
  hy_query_push_atoms(w, &stored, 1);
  if (range.low > type.low) owe_end(w, at, stored, HY_OP_GE, range.low);
  if (range.high < type.high) owe_end(w, at, stored, HY_OP_LE, range.high);
  hy_query_pop_facts(w, facts);
}
