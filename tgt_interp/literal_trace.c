#include "tgt_interp/literal_internal.h"

/* The derivation as text: a line per step with the rule's id, the statement and the environment; its premises below it,
 * each with its value; then what the step did.
 */

static void indent(const literal *l) { hy_text_printf(l->options->trace, "%*s", 2 * l->depth + 2, ""); }

/* -- pieces -- */

void hy_literal_point(hy_text *out, const hy_func *func, const hy_value *coordinates) {
  hy_text_printf(out, "%s(", func->name);
  for (int d = 0; d < func->rank; d++) {
    if (d) hy_text_add(out, ", ");
    hy_value_print(coordinates[d], out);
  }
  hy_text_add(out, ")");
}

static void add_variable(hy_text *out, const binding *b) {
  hy_var_print(b->var, out);
  hy_text_add(out, " = ");
  hy_value_print(b->value, out);
}

void hy_literal_environment(hy_text *out, const binding *env) {
  enum { MOST = 64 };
  const binding *shown[MOST];
  int count = 0;
  for (; env && count < MOST; env = env->outer)
    if (env->var && env->var->kind == HY_VAR_LOOP) shown[count++] = env;
  for (int i = count; i-- > 0;) {
    add_variable(out, shown[i]);
    if (i) hy_text_add(out, ", ");
  }
}

static void add_interval(hy_text *out, const hy_interval *interval) {
  hy_text_add(out, "(");
  hy_expr_print(interval->min, out);
  hy_text_add(out, ", ");
  hy_expr_print(interval->len, out);
  hy_text_add(out, ")");
}

static void add_box(hy_text *out, const hy_func *func, const hy_interval *box) {
  hy_text_add(out, "[");
  for (int d = 0; d < func->rank; d++) {
    if (d) hy_text_add(out, ", ");
    add_interval(out, &box[d]);
  }
  hy_text_add(out, "]");
}

static void add_assignment(hy_text *out, const hy_stmt *stmt) {
  hy_text_printf(out, "%s(", stmt->assign.func->name);
  for (int d = 0; d < stmt->assign.func->rank; d++) {
    if (d) hy_text_add(out, ", ");
    hy_expr_print(stmt->assign.lhs[d], out);
  }
  hy_text_add(out, ") <- ");
  hy_expr_print(stmt->assign.rhs, out);
}

static void add_loop(hy_text *out, const hy_stmt *stmt) {
  hy_text_printf(out, "for %s ", hy_traversal_name(stmt->loop.traversal));
  hy_var_print(stmt->loop.var, out);
  hy_text_add(out, " in ");
  add_interval(out, &stmt->loop.interval);
}

static void add_branch(hy_text *out, const hy_stmt *stmt) {
  static const char *const names[] = {[HY_IF_USER] = "if ",
                                      [HY_IF_GUARD] = "if guard ",
                                      [HY_IF_IMPLIED] = "if implied ",
                                      [HY_IF_SPECIALIZE] = "if specialize "};
  hy_text_add(out, names[stmt->branch.why]);
  hy_expr_print(stmt->branch.condition, out);
}

// The head of a statement, on one line.
static void add_head(hy_text *out, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_ASSUME:
    hy_text_printf(out, "assume %s: ", hy_assume_name(stmt->assume.why));
    hy_expr_print(stmt->assume.condition, out);
    return;
  case HY_STMT_ALLOCATE:
    hy_text_printf(out, "allocate %s", stmt->allocate.func->name);
    add_box(out, stmt->allocate.func, stmt->allocate.box);
    return;
  case HY_STMT_ASSIGN: add_assignment(out, stmt); return;
  case HY_STMT_IF: add_branch(out, stmt); return;
  case HY_STMT_FOR: add_loop(out, stmt); return;
  case HY_STMT_LET:
    hy_text_add(out, "let ");
    hy_var_print(stmt->let.var, out);
    hy_text_add(out, " = ");
    hy_expr_print(stmt->let.value, out);
    return;
  case HY_STMT_COMPUTE:
    hy_text_printf(out, "compute %s on ", stmt->compute.func->name);
    add_box(out, stmt->compute.func, stmt->compute.box);
    return;
  case HY_STMT_NOP:
  case HY_STMT_SEQ:
  case HY_STMT_LABEL: return; // no rule of their own
  }
  HY_UNREACHABLE();
}

/* -- lines -- */

void hy_literal_trace_step(literal *l, hy_rule rule, const hy_stmt *stmt, const lane_list *lanes) {
  if (!traces(l)) return;
  hy_text *out = l->options->trace, where = {0};
  hy_text_printf(out, "[%s] ", hy_rule_id(rule));
  add_head(out, stmt);
  if (lanes->vectorized)
    hy_text_printf(&where, "%d lanes", lanes->count);
  else
    hy_literal_environment(&where, lanes->at->env);
  if (where.length) hy_text_printf(out, "    {%s}", hy_text_string(&where));
  hy_text_add(out, "\n");
  hy_text_free(&where);
}

void hy_literal_trace_choice(literal *l, hy_rule rule, const hy_stmt *loop, int64_t value) {
  if (!traces(l)) return;
  hy_text *out = l->options->trace;
  hy_text_printf(out, "[%s] ", hy_rule_id(rule));
  hy_var_print(loop->loop.var, out);
  hy_text_printf(out, " = %lld\n", (long long)value);
}

void hy_literal_trace_lane(literal *l, const lane_list *lanes, int index) {
  if (!traces(l) || !lanes->vectorized) return;
  hy_text *out = l->options->trace;
  hy_text_add(out, "  {");
  hy_literal_environment(out, lanes->at[index].env);
  hy_text_add(out, "}\n");
}

void hy_literal_trace_premise(literal *l, hy_rule rule, const char *what) {
  if (!traces(l)) return;
  indent(l);
  hy_text_printf(l->options->trace, "[%s] %s\n", hy_rule_id(rule), what);
}

void hy_literal_trace_variable(literal *l, const hy_var *var, hy_value value) {
  if (!traces(l)) return;
  indent(l);
  hy_text_printf(l->options->trace, "[%s] ", hy_rule_id(HY_RULE_TGT_CONST));
  if (var) {
    hy_var_print(var, l->options->trace);
    hy_text_add(l->options->trace, " = ");
  }
  hy_value_print(value, l->options->trace);
  hy_text_add(l->options->trace, "\n");
}

void hy_literal_trace_value(literal *l, hy_value value) {
  if (!traces(l)) return;
  indent(l);
  hy_text_add(l->options->trace, "= ");
  hy_value_print(value, l->options->trace);
  hy_text_add(l->options->trace, value.undefined ? " (undefined)\n" : "\n");
}

void hy_literal_trace_bounds(literal *l, int64_t min, int64_t len) {
  if (traces(l)) hy_text_printf(l->options->trace, "    -> (%lld, %lld)\n", (long long)min, (long long)len);
}

void hy_literal_trace_store(literal *l, hy_rule rule, const hy_func *func, const hy_value *coordinates,
                            hy_value value) {
  if (!traces(l)) return;
  hy_text *out = l->options->trace;
  hy_text_printf(out, "[%s] ", hy_rule_id(rule));
  hy_literal_point(out, func, coordinates);
  hy_text_add(out, " := ");
  hy_value_print(value, out);
  hy_text_add(out, "\n");
}

void hy_literal_trace_end(literal *l, const hy_func *func) {
  if (traces(l)) hy_text_printf(l->options->trace, "[%s] %s\n", hy_rule_id(HY_RULE_TGT_ALLOC_END), func->name);
}

void hy_literal_trace_note(literal *l, const char *what) {
  if (traces(l)) hy_text_printf(l->options->trace, "    -> %s\n", what);
}
