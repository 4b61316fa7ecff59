#include "oracle/fill/fill_internal.h"

/* -- Cpu -- */

// An output is needed in its window; and, where other funcs read it, in what they need (decision D81).
static void need_of_window(hy_fills *f, const hy_func *func, hy_fill_box *cpu) {
  const hy_alg *alg = f->tgt->alg;
  const hy_output *output = hy_alg_output(alg, func);
  for (int d = 0; output && d < func->rank; d++) {
    cpu->low[d] = hy_expr_var(f->context, alg->window_min[output->first + d]);
    const hy_expr *len = hy_expr_var(f->context, alg->window_len[output->first + d]);
    cpu->high[d] = hy_affine_add_int(f->table, hy_fill_binary(f, HY_OP_ADD, cpu->low[d], len), -1);
  }
}

static void need_of_readers(hy_fills *f, const hy_func *func, hy_fill_box *cpu) {
  hy_fill_site *scope = &f->computes[func->index];
  for (size_t i = 0; i < f->sites.count && !f->failed; i++) {
    hy_fill_site *s = &f->sites.data[i];
    if (hy_fill_is_own(s, func)) continue;
    for (size_t k = 0; k < s->reads.count && !f->failed; k++)
      if (s->reads.data[k]->func == func)
        hy_fill_widen_by_point(f, scope, s, hy_fill_common(s, scope), cpu, func, s->reads.data[k]->args,
                               s->reads.data[k], !hy_fill_contains(&s->nested, s->reads.data[k]));
  }
}

// A guard is owed to be defined. A predicate that errs hits (D4), so that one which may err says nothing (decision
// D65).
static void add_condition(hy_fills *f, hy_fill_site *s, const hy_stmt *stmt, const hy_expr *condition) {
  bool is_and = condition->kind == HY_EXPR_OP && condition->op == HY_OP_AND;
  hy_region_site r = hy_fill_region(f, s, 0);
  if (is_and && hy_region_is_total(&r, condition->args[0])) {
    add_condition(f, s, stmt, condition->args[0]);
    add_condition(f, s, stmt, condition->args[1]);
  } else if (stmt->branch.why == HY_IF_GUARD || hy_region_is_total(&r, condition)) {
    hy_fill_add_fact(f, &s->facts, condition);
  }
}

// Does every own read of a point in the box stay on the right side of its end, under the guards and predicates? A
// predicate that reads is none of them: it may be an error (decision D56), and what it reads is read whether or not it
// holds (D75). What forms an address is read wherever the point lies that is stored (B.Address).
static bool is_closed(hy_fills *f, hy_fill_site *s, const hy_fill_box *cpu, const hy_expr *access, int dim,
                      hy_side side) {
  hy_fill_find_facts(f, s);
  size_t facts = s->facts.count;
  for (int i = 0; i < s->depth; i++)
    if (s->path[i]->kind == HY_STMT_IF &&
        s->path[i]->branch.why != HY_IF_SPECIALIZE && // those: facts already, by branch
        !s->path[i]->branch.condition->has_access)
      add_condition(f, s, s->path[i], s->path[i]->branch.condition);
  bool only_for_cpu = !hy_fill_contains(&s->nested, access);
  hy_region_site whole = hy_fill_region(f, s, 0);
  for (int d = 0; only_for_cpu && d < access->func->rank; d++) {
    // Of a coordinate that may err nothing is known: it hits its slice (D12).
    if (!hy_region_is_total(&whole, s->assign->assign.lhs[d])) continue;
    hy_fill_add_fact(f, &s->facts, hy_fill_binary(f, HY_OP_GE, s->assign->assign.lhs[d], cpu->low[d]));
    hy_fill_add_fact(f, &s->facts, hy_fill_binary(f, HY_OP_LE, s->assign->assign.lhs[d], cpu->high[d]));
  }
  const hy_expr *index = hy_fills_apply(f, access->args[dim]);
  const hy_expr *goal = side == HY_LOW ? hy_fill_binary(f, HY_OP_GE, index, cpu->low[dim])
                                       : hy_fill_binary(f, HY_OP_LE, index, cpu->high[dim]);
  bool closed = hy_prover_holds(f->prover, s->facts.data, s->facts.count, goal) == HY_YES;
  s->facts.count = facts;
  return closed;
}

// Cpu is the user's: what it would have to hold is checked at run time. Both ends, since nobody else may need anything,
// and an empty interval with one end moved may be empty still.
static void need_own_read(hy_fills *f, const hy_func *func, hy_fill_site *s, const hy_expr *access, int dim) {
  hy_fill_site *scope = &f->computes[func->index];
  hy_region_site r = hy_fill_region(f, s, hy_fill_common(s, scope));
  const hy_expr *low = hy_region_bound(&r, access->args[dim], HY_LOW);
  const hy_expr *high = hy_region_bound(&r, access->args[dim], HY_HIGH);
  if (low && high)
    hy_fill_widen(f, scope, &f->need[func->index], dim, low, high);
  else
    hy_fill_report_unbounded(f, s, access, dim, access->args[dim]);
}

// ORA.Closure: the least box that own reads do not leave, one side at a time (decision D61). "leaves" is set where the
// user's bounds do not let the box grow.
static bool close_once(hy_fills *f, const hy_func *func, hy_fill_box *cpu, bool *leaves) {
  bool changed = false;
  hy_fill_site *scope = &f->computes[func->index];
  for (size_t i = 0; i < f->sites.count; i++) {
    hy_fill_site *s = &f->sites.data[i];
    if (!hy_fill_is_own(s, func)) continue;
    for (size_t k = 0; k < s->reads.count; k++) {
      const hy_expr *access = s->reads.data[k];
      if (access->func != func) continue;
      for (int d = 0; d < func->rank; d++) {
        if (access->args[d] == s->assign->assign.lhs[d] && !hy_fill_contains(&s->nested, access)) continue;
        for (hy_side side = HY_LOW; side <= HY_HIGH; side++) {
          if (is_closed(f, s, cpu, access, d, side)) continue;
          hy_region_site r = hy_fill_region(f, s, hy_fill_common(s, scope));
          const hy_expr *end = hy_region_bound(&r, access->args[d], side);
          if (!end) {
            hy_fill_report_unbounded(f, s, access, d, access->args[d]);
            return false;
          }
          const hy_expr *old = side == HY_LOW ? cpu->low[d] : cpu->high[d];
          hy_constraint given = hy_fill_demanded(f, func, d);
          if (hy_demand_is_given(&given)) {
            need_own_read(f, func, s, access, d);
            if (f->failed) return false;
            *leaves = true;
            if (given.min || side == HY_HIGH) continue; // of a length alone the minimum goes where the reads do
          }
          hy_fill_widen(f, scope, cpu, d, side == HY_LOW ? end : cpu->low[d], side == HY_HIGH ? end : cpu->high[d]);
          hy_context_hit(f->context, HY_RULE_ORA_CLOSURE);
          changed |= old != (side == HY_LOW ? cpu->low[d] : cpu->high[d]);
        }
      }
    }
  }
  return changed;
}

// The func's own loops range over its Cpu, which has just grown.
static void forget_facts(hy_fills *f, const hy_func *func) {
  for (size_t i = 0; i < f->sites.count; i++)
    if (hy_fill_is_own(&f->sites.data[i], func)) hy_fill_forget_facts(&f->sites.data[i]);
}

enum { MOST_ROUNDS = 2 * HY_MAX_RANK };

// ORA.No-Solution (decision D58): reads that chase each other, f(x, 0) <- f(x, x + 1), have no least box.
static void report_unclosed(hy_fills *f, const hy_func *func) {
  f->failed = true;
  hy_context_hit(f->context, HY_RULE_ORA_NO_SOLUTION);
  hy_report(f->diagnostics, HY_E_NO_SOLUTION, func->loc, "ORA.No-Solution (decisions D58, D61)",
            "clamp the index with which the func reads itself, or read a second func that holds the earlier values",
            "no region of '%s' was found that its own reads do not leave", func->name);
}

// The need of a func without demands is its Cpu. Of one whose own reads leave the user's bounds it must not be empty
// where Cpu has points: rounded or given, Cpu may have some where no reader needs any, and they are read for.
static void need_where_computed(hy_fills *f, const hy_func *func, const hy_fill_box *cpu, bool leaves) {
  const hy_fill_site *scope = &f->computes[func->index];
  hy_fill_box *need = &f->need[func->index];
  for (int d = 0; d < func->rank; d++) {
    hy_constraint c = hy_fill_demanded(f, func, d);
    if (hy_demand_is_any(&c)) {
      if (!leaves) continue;
      const hy_expr *some = hy_fill_binary(f, HY_OP_LE, need->low[d], need->high[d]);
      if (hy_prover_holds(f->prover, scope->facts.data, scope->facts.count, some) == HY_YES) continue;
      if (hy_demand_is_given(&c)) {
        const hy_expr *low = hy_expr_select(f->context, some, need->low[d], cpu->low[d]);
        need->high[d] = hy_expr_select(f->context, some, need->high[d], cpu->high[d]);
        need->low[d] = low;
        continue;
      }
    }
    need->low[d] = cpu->low[d];
    need->high[d] = cpu->high[d];
  }
}

void hy_fill_cpu(hy_fills *f, const hy_func *func) {
  hy_fill_box *cpu = &f->cpu[func->index];
  hy_fill_site *scope = &f->computes[func->index];
  hy_fill_find_facts(f, scope);
  need_of_window(f, func, cpu);
  need_of_readers(f, func, cpu);
  if (f->failed) return;
  hy_fill_box *need = &f->need[func->index];
  hy_fill_finish(f, scope, cpu, func->rank);
  *need = *cpu;
  need->known = false;
  hy_pair_map_free(&f->applied);
  hy_fill_constrain(f, func, cpu);
  bool leaves = false;
  for (int round = 0; !f->failed && close_once(f, func, cpu, &leaves); round++) {
    hy_fill_finish(f, scope, cpu, func->rank);
    hy_fill_constrain(f, func, cpu);
    forget_facts(f, func);
    if (round == MOST_ROUNDS) report_unclosed(f, func);
  }
  if (f->failed) return;
  need_where_computed(f, func, cpu, leaves);
  hy_fill_finish(f, scope, need, func->rank);
  hy_context_hit(f->context, HY_RULE_ORA_CPU); // ORA.Cpu
}
