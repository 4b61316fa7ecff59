#include "oracle/fill/fill_internal.h"

// rewrite: the entry check "the need is empty or inside" -> "inside", where the need cannot be empty
const hy_expr *hy_fill_tidy_condition(hy_fills *f, const hy_fill_site *root, const hy_expr *condition) {
  if (condition->kind != HY_EXPR_OP || condition->op != HY_OP_OR) return condition;
  const hy_expr *a = hy_fill_tidy_condition(f, root, condition->args[0]),
                *b = hy_fill_tidy_condition(f, root, condition->args[1]);
  const hy_expr *no = hy_expr_bool(f->context, false), *parts[2] = {a, b};
  for (int i = 0; i < 2; i++)
    if (hy_prover_holds(f->prover, root->facts.data, root->facts.count,
                        hy_expr_unary(f->context, HY_OP_NOT, parts[i])) == HY_YES)
      parts[i] = no;
  return hy_expr_or(f->context, parts[0], parts[1]);
}

/* -- Mem -- */

static void touch(hy_fills *f, const hy_func *func, hy_fill_box *mem, hy_fill_site *scope) {
  for (size_t i = 0; i < f->sites.count && !f->failed; i++) {
    hy_fill_site *s = &f->sites.data[i];
    int keep = hy_fill_common(s, scope);
    if (hy_fill_is_own(s, func))
      hy_fill_widen_by_point(f, scope, s, keep, mem, func, s->assign->assign.lhs, NULL, false);
    for (size_t k = 0; k < s->reads.count && !f->failed; k++)
      if (s->reads.data[k]->func == func)
        hy_fill_widen_by_point(f, scope, s, keep, mem, func, s->reads.data[k]->args, s->reads.data[k], false);
  }
}

static bool is_known_at(const hy_fill_site *compute, int from, const hy_expr *expr) {
  for (int i = from; i < compute->depth; i++) {
    const hy_stmt *s = compute->path[i];
    const hy_var *var = s->kind == HY_STMT_FOR ? s->loop.var : s->kind == HY_STMT_LET ? s->let.var : NULL;
    if (var && hy_expr_mentions(expr, var)) return false;
  }
  return true;
}

// Nobody touches the func unless its needs were found inside the user's bounds, so Mem need not hold more.
static void add_need_facts(hy_fills *f, const hy_func *func, hy_fill_site *scope, hy_fill_site *compute) {
  for (int d = 0; d < func->rank; d++) {
    hy_constraint c = hy_fill_demanded(f, func, d);
    if (!hy_demand_is_given(&c)) continue;
    const hy_expr *inside = hy_fills_apply(f, hy_need_condition(f->context, func, d));
    inside = hy_fill_tidy_condition(f, compute, inside);
    if (!is_known_at(compute, hy_fill_common(compute, scope), inside)) continue;
    const hy_expr *never = hy_expr_bool(f->context, false);
    hy_fill_add_fact(f, &scope->facts, inside);
    if (hy_prover_holds(f->prover, scope->facts.data, scope->facts.count, never) == HY_YES)
      scope->facts.count--; // the run always fails: nothing is to be learnt from that
  }
}

// ORA.No-Solution (decision D58): what is computed somewhere inside has no bounds where it is stored.
static void report_unstored(hy_fills *f, const hy_func *func, int dim) {
  f->failed = true;
  hy_context_hit(f->context, HY_RULE_ORA_NO_SOLUTION);
  hy_report(f->diagnostics, HY_E_NO_SOLUTION, func->loc, "ORA.No-Solution (decision D58)",
            "store it further inside, or do not fuse or split the loops that it is computed in",
            "no memory was found that holds what is computed of '%s', dimension %d, in the loops inside", func->name,
            dim + 1);
}

void hy_fill_mem(hy_fills *f, const hy_func *func) {
  hy_fill_box *mem = &f->mem[func->index];
  hy_fill_site *scope = &f->allocates[func->index], *compute = &f->computes[func->index];
  const hy_fill_box *cpu = &f->cpu[func->index];
  hy_fill_find_facts(f, scope);
  size_t facts = scope->facts.count;
  add_need_facts(f, func, scope, compute);
  hy_fill_box inside = {0};
  hy_region_site r = hy_fill_region(f, compute, hy_fill_common(compute, scope));
  for (int d = 0; d < func->rank; d++) {
    const hy_expr *low = hy_region_bound(&r, cpu->low[d], HY_LOW), *high = hy_region_bound(&r, cpu->high[d], HY_HIGH);
    if (!low || !high) {
      report_unstored(f, func, d);
      return;
    }
    hy_fill_widen(f, scope, &inside, d, low, high);
  }
  *mem = inside;
  touch(f, func, mem, scope);
  if (f->failed) return;
  if (scope->facts.count > facts) { // the needs are checked after the allocation: it holds Cpu and is a box in any case
    scope->facts.count = facts;
    for (int d = 0; d < func->rank; d++) {
      hy_fill_widen(f, scope, &inside, d, mem->low[d], mem->high[d]);
      mem->low[d] = inside.low[d];
      mem->high[d] = inside.high[d];
    }
  }
  hy_fill_finish(f, scope, mem, func->rank);
  hy_context_hit(f->context, HY_RULE_ORA_MEM); // ORA.Mem
}
