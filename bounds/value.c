#include "bounds/query_internal.h"
#include "semantics/tgt/values.h"

/* B.Value: what an assignment stores lies in the range of its func's values (decision D88). What it reads of funcs lies
 * in theirs: those of earlier stages and of other funcs by their own obligations, those of its own stage by induction
 * over the instances. What is stored outside of Cpu is held to it as well, which asks more than is needed.
 */

static void owe_limit(hy_query_walk *w, hy_query_place at, const char *subject, const hy_expr *stored, hy_op op,
                      const hy_expr *limit) {
  hy_query_owe(w, HY_B_VALUE, at, binary(w, op, stored, limit), "%s %s %s", subject,
               op == HY_OP_GE ? "at least" : "at most", hy_query_print(w, limit));
}

static void owe_end(hy_query_walk *w, hy_query_place at, const char *subject, const hy_expr *stored, hy_op op,
                    hy_wide_int end) {
  owe_limit(w, at, subject, stored, op, hy_expr_int(w->context, (int64_t)end));
}

// Of a part whose range is counted: what stages store that only store, and how much the others add.
static void owe_claim(hy_query_walk *w, hy_query_place at, const char *subject, const hy_value_claim *claim) {
  const hy_expr *value = claim->value;
  if (claim->is_amount && value->kind == HY_EXPR_CONST) return;
  hy_range type = hy_type_numbers(value->type);
  if (value->type != HY_INT) value = hy_expr_cast(w->context, HY_INT, value);
  if (claim->is_amount)
    subject = hy_arena_printf(hy_context_arena(w->context), "what one step of %s adds or takes is", at.func->name);
  size_t facts = w->facts.count;
  for (size_t i = 0; i < w->widths.count; i++) hy_query_push_fact(w, w->widths.data[i]);
  hy_query_push_atoms(w, &value, 1);
  if (claim->range.low > type.low) owe_end(w, at, subject, value, HY_OP_GE, claim->range.low);
  if (claim->range.high < type.high) owe_end(w, at, subject, value, HY_OP_LE, claim->range.high);
  hy_query_pop_facts(w, facts);
}

// "the values of f are", "the values of f(..)[1] are"
static const char *subject_of(hy_query_walk *w, const hy_func *func, int part) {
  hy_arena *arena = hy_context_arena(w->context);
  if (hy_func_parts(func) == 1) return hy_arena_printf(arena, "the values of %s are", func->name);
  return hy_arena_printf(arena, "the values of %s(..)[%d] are", func->name, part);
}

static void owe_counted(hy_query_walk *w, hy_query_place at, const hy_stmt *assign, int part) {
  size_t count;
  const hy_value_claim *claims = hy_value_claims(w->values, &count);
  for (size_t i = 0; i < count; i++)
    if (claims[i].assign == assign && claims[i].part == part)
      owe_claim(w, at, subject_of(w, at.func, part), &claims[i]);
}

// The numbers between which the values lie, if they say more than the type.
static void owe_range(hy_query_walk *w, hy_query_place at, const char *subject, const hy_expr *stored, int part) {
  hy_range range, type = hy_type_numbers(hy_func_type(at.func, part));
  if (!hy_value_range(w->values, at.func, part, &range) || hy_value_is_counted(w->values, at.func, part)) return;
  if (range.low > type.low) owe_end(w, at, subject, stored, HY_OP_GE, range.low);
  if (range.high < type.high) owe_end(w, at, subject, stored, HY_OP_LE, range.high);
}

// ... and the ends that are known at entry.
static void owe_ends(hy_query_walk *w, hy_query_place at, const char *subject, const hy_expr *stored, int part) {
  for (int upper = 0; upper < 2; upper++) {
    const hy_expr *end = hy_value_end(w->values, at.func, part, upper);
    if (end) owe_limit(w, at, subject, stored, upper ? HY_OP_LE : HY_OP_GE, end);
  }
}

static void owe_part(hy_query_walk *w, hy_query_place at, const hy_stmt *assign, int part) {
  const hy_expr *stored = hy_machine_value(w->context, w->ranges, hy_expr_part(assign->assign.rhs, part));
  if (stored->type != HY_INT) stored = hy_expr_cast(w->context, HY_INT, stored);
  const char *subject = subject_of(w, at.func, part);
  size_t facts = w->facts.count;
  if (hy_value_is_counted(w->values, at.func, part)) owe_counted(w, at, assign, part);
  for (size_t i = 0; i < w->widths.count; i++) hy_query_push_fact(w, w->widths.data[i]); // what ranges rest on
  hy_query_push_atoms(w, &stored, 1);
  owe_range(w, at, subject, stored, part);
  owe_ends(w, at, subject, stored, part);
  hy_query_pop_facts(w, facts);
}

// requires: the facts of what is read are pushed
void hy_query_owe_value(hy_query_walk *w, hy_query_place at, const hy_stmt *assign) {
  for (int part = 0; part < hy_func_parts(at.func); part++)
    if (hy_value_is_bounded(w->values, at.func, part)) owe_part(w, at, assign, part);
}
