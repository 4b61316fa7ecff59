#include "oracle/oracle.h"

#include "oracle/demand.h"
#include "oracle/region.h"
#include "semantics/base/vec.h"

#include <string.h>

/* The interval oracle (paper, section 7): holes are filled from the output backwards, consumers before producers.
 *
 * Cpu(f) is the hull of what its readers need, closed under f's own reads (decision D61); a reader outside of its own
 * Cpu needs nothing there, so a tail that rounds up enlarges Mem, not Cpu. Mem(f) is the hull of everything that is
 * touched. need(image) is everything that is read of it; need(f), for the bounds phase, what Cpu(f) would be without
 * it. Lengths are never negative (D51); fills hold no loads (D42, D52).
 */

typedef HY_VEC(const hy_expr *) expr_list;

typedef struct {
  bool known;
  const hy_expr *low[HY_MAX_RANK], *high[HY_MAX_RANK]; // inclusive; high < low is empty
  hy_interval interval[HY_MAX_RANK];
} box;

// One assignment (or, with assign NULL, one compute or allocate statement) and the way to it.
typedef struct {
  const hy_stmt **path;
  int depth;
  const hy_stmt *assign;
  expr_list facts; // filled in once the consumer's bounds are known
  bool has_facts;
  expr_list reads, nested; // accesses, each once; those that form an address
} site;

struct hy_fills {
  hy_context *context;
  const hy_tgt *tgt;
  hy_diagnostics *diagnostics;
  hy_affine_table *table;
  hy_prover *prover;
  box *cpu, *mem, *need;      // by func->index; for images "mem" is the need
  site *computes, *allocates; // by func->index
  HY_VEC(site) sites;
  HY_VEC(hy_constraint) constraints;
  bool failed;
};

/* -- reading fills -- */

static const hy_expr *fill_hole(void *self, const hy_expr *node) {
  hy_fills *f = self;
  if (node->kind != HY_EXPR_HOLE) return node;
  const hy_hole *hole = node->hole;
  bool outer = hole->kind == HY_HOLE_MEM || hole->kind == HY_HOLE_NEED;
  const box *b = outer ? &f->mem[hole->func->index] : &f->cpu[hole->func->index];
  if (hole->kind == HY_HOLE_NEED && !hole->func->is_image) b = &f->need[hole->func->index];
  if (!b->known) return node;
  return hole->is_len ? b->interval[hole->dim].len : b->interval[hole->dim].min;
}

const hy_expr *hy_fills_apply(hy_fills *fills, const hy_expr *expr) {
  return expr->has_hole ? hy_expr_map(fills->context, expr, fill_hole, fills) : expr;
}

/* -- collecting sites -- */

typedef struct {
  hy_fills *f;
  HY_VEC(const hy_stmt *) path;
} collector;

static site make_site(collector *c, const hy_stmt *assign) {
  site s = {.depth = (int)c->path.count, .assign = assign};
  s.path = hy_allocate(sizeof *s.path * (c->path.count + 1));
  if (c->path.count) memcpy(s.path, c->path.data, sizeof *s.path * c->path.count);
  return s;
}

static bool contains(const expr_list *list, const hy_expr *expr) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == expr) return true;
  return false;
}

static void see_nested(void *self, const hy_expr *node) {
  site *s = self;
  if (node->kind == HY_EXPR_ACCESS && !contains(&s->nested, node)) hy_vec_push(&s->nested, node);
}

static void see_read(void *self, const hy_expr *node) {
  site *s = self;
  if (node->kind != HY_EXPR_ACCESS || contains(&s->reads, node)) return;
  hy_vec_push(&s->reads, node);
  for (int i = 0; i < node->count; i++) hy_expr_visit(node->args[i], see_nested, s);
}

static void collect_reads(site *s) {
  for (int i = 0; i < s->depth; i++)
    if (s->path[i]->kind == HY_STMT_IF && s->path[i]->branch.condition->has_access)
      hy_expr_visit(s->path[i]->branch.condition, see_read, s);
  for (int i = 0; i < s->assign->assign.func->rank; i++) {
    hy_expr_visit(s->assign->assign.lhs[i], see_nested, s);
    hy_expr_visit(s->assign->assign.lhs[i], see_read, s);
  }
  hy_expr_visit(s->assign->assign.rhs, see_read, s);
}

static void collect(collector *c, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSIGN) {
    site s = make_site(c, stmt);
    collect_reads(&s);
    hy_vec_push(&c->f->sites, s);
  }
  hy_constraint constraint;
  if (stmt->kind == HY_STMT_ASSUME && stmt->assume.why == HY_ASSUME_CONSTRAIN &&
      hy_constraint_of(stmt->assume.condition, &constraint))
    hy_vec_push(&c->f->constraints, constraint);
  if (stmt->kind == HY_STMT_ALLOCATE) c->f->allocates[stmt->allocate.func->index] = make_site(c, NULL);
  if (stmt->kind == HY_STMT_COMPUTE) c->f->computes[stmt->compute.func->index] = make_site(c, NULL);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  hy_vec_push(&c->path, stmt);
  for (int i = 0; i < count; i++) collect(c, children[i]);
  (void)hy_vec_pop(&c->path);
}

static void free_site(site *s) {
  free(s->path);
  hy_vec_free(&s->facts);
  hy_vec_free(&s->reads);
  hy_vec_free(&s->nested);
}

/* -- facts -- */

static const hy_expr *binary(hy_fills *f, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(f->context, op, a, b);
}

static void add_fact(hy_fills *f, expr_list *facts, const hy_expr *fact) {
  fact = hy_fills_apply(f, fact);
  if (!fact->has_hole && !fact->has_access && !hy_expr_is_true(fact)) hy_vec_push(facts, fact);
}

// Facts of the entry block and of the loops, lets and specializations on the way. Guards and predicates are no facts
// here: they constrain variables that the analysis lets run over all of their loops.
static void find_facts(hy_fills *f, site *s) {
  if (s->has_facts) return;
  s->has_facts = true;
  const hy_alg *alg = f->tgt->alg;
  const hy_expr *one = hy_expr_int(f->context, 1);
  for (int i = 0; i < alg->output->rank; i++)
    add_fact(f, &s->facts, binary(f, HY_OP_GE, hy_expr_var(f->context, alg->window_len[i]), one));
  for (int i = 0; i < f->tgt->entry_count; i++)
    if (f->tgt->entry[i]->assume.why != HY_ASSUME_RANGE) // 64 bits are not the question here
      add_fact(f, &s->facts, f->tgt->entry[i]->assume.condition);
  for (int i = 0; i < s->depth; i++) {
    const hy_stmt *p = s->path[i], *child = i + 1 < s->depth ? s->path[i + 1] : s->assign;
    if (p->kind == HY_STMT_FOR && child) {
      const hy_expr *v = hy_expr_var(f->context, p->loop.var);
      add_fact(f, &s->facts, binary(f, HY_OP_LE, p->loop.interval.min, v));
      const hy_expr *end = binary(f, HY_OP_ADD, p->loop.interval.min, p->loop.interval.len);
      add_fact(f, &s->facts, binary(f, HY_OP_LT, v, end));
    }
    if (p->kind == HY_STMT_LET)
      add_fact(f, &s->facts, binary(f, HY_OP_EQ, hy_expr_var(f->context, p->let.var), p->let.value));
    if (p->kind == HY_STMT_IF && p->branch.why == HY_IF_SPECIALIZE && child)
      add_fact(f, &s->facts,
               child == p->branch.then ? p->branch.condition
                                       : hy_expr_unary(f->context, HY_OP_NOT, p->branch.condition));
  }
}

static int common(const site *a, const site *b) {
  int k = 0;
  while (k < a->depth && k < b->depth && a->path[k] == b->path[k]) k++;
  return k;
}

// How much of a reader's path encloses a statement: the loops up to there stay (scopes K(S), decision D42). The
// statement's last ancestor is a sequence or a loop body that encloses both.
static hy_region_site region(hy_fills *f, site *from, int keep) {
  find_facts(f, from);
  return (hy_region_site){.context = f->context,
                          .table = f->table,
                          .prover = f->prover,
                          .fills = f,
                          .path = from->path,
                          .depth = from->depth,
                          .keep = keep,
                          .facts = from->facts.data,
                          .fact_count = from->facts.count};
}

/* -- boxes -- */

static hy_loc access_loc(const hy_fills *f, const site *s, const hy_expr *access) {
  const hy_func *func = s->assign->assign.func;
  const hy_definition *d = hy_alg_definition(f->tgt->alg, func);
  if (!d || s->assign->assign.stage >= d->stage_count) return f->tgt->alg->loc;
  return hy_stage_access_loc(&d->stages[s->assign->assign.stage], access);
}

// Decision D14: an index that nothing bounds is an error of the program.
static void report_unbounded(hy_fills *f, const site *s, const hy_expr *access, int dim, const hy_expr *index) {
  if (f->failed) return;
  f->failed = true;
  hy_text text = {0};
  hy_expr_print(index, &text);
  hy_context_hit(f->context, HY_RULE_ORA_UNBOUNDED);
  const hy_func *func = access ? access->func : s->assign->assign.func;
  hy_report(
      f->diagnostics, HY_E_UNBOUNDED_INDEX, access_loc(f, s, access), "ORA.Unbounded (decision D14)",
      "bound it, for example with clamp(index, 0, last): the region of a func must be known before it is computed",
      "nothing bounds index %d of %s '%s': %s", dim + 1, func->is_image ? "the image" : "the func", func->name,
      text.length < 400 ? hy_text_string(&text) : "a long expression");
  hy_text_free(&text);
}

static void widen(hy_fills *f, const site *scope, box *b, int dim, const hy_expr *low, const hy_expr *high) {
  if (!b->low[dim]) {
    b->low[dim] = low;
    b->high[dim] = high;
    return;
  }
  b->low[dim] = hy_region_extremum(f->table, f->prover, f->context, scope->facts.data, scope->facts.count, HY_LOW,
                                   b->low[dim], low);
  b->high[dim] = hy_region_extremum(f->table, f->prover, f->context, scope->facts.data, scope->facts.count, HY_HIGH,
                                    b->high[dim], high);
}

// Widens "b" by the values that a point's coordinates take at a site. "only_cpu": for points of the writer's Cpu only.
static void widen_by_point(hy_fills *f, site *scope, site *from, int keep, box *b, const hy_func *func,
                           const hy_expr *const *point, const hy_expr *access, bool only_cpu) {
  hy_region_site r = region(f, from, keep);
  if (only_cpu) {
    const box *writer = &f->cpu[from->assign->assign.func->index];
    r.lhs = from->assign->assign.lhs;
    r.low = writer->low;
    r.high = writer->high;
    r.rank = from->assign->assign.func->rank;
  }
  for (int d = 0; d < func->rank && !f->failed; d++) {
    const hy_expr *low = hy_region_bound(&r, point[d], HY_LOW), *high = hy_region_bound(&r, point[d], HY_HIGH);
    if (!low || !high) {
      report_unbounded(f, from, access, d, point[d]);
      return;
    }
    widen(f, scope, b, d, low, high);
  }
}

// rewrite: c + min(a, b) -> min(c + a, c + b) and c - min(a, b) -> max(c - a, c - b), so that a tile's length reads
// min(256, what is left)
static const hy_expr *tidy(hy_fills *f, const hy_expr *expr, int depth) {
  const hy_affine *form = hy_affine_of(f->table, expr);
  const hy_expr *a, *b;
  hy_op op;
  int only = -1;
  for (int i = 0; i < form->count; i++) {
    const hy_expr *atom = form->terms[i].atom;
    if (atom->kind != HY_EXPR_OP || (atom->op != HY_OP_MIN && atom->op != HY_OP_MAX)) continue;
    if (only >= 0) return expr;
    only = i;
  }
  if (only < 0 || depth == 0) return expr;
  hy_affine_distribute(f->table, form, only, &op, &a, &b);
  a = tidy(f, a, depth - 1);
  b = tidy(f, b, depth - 1);
  return hy_affine_normal(f->table, binary(f, op, a, b));
}

// ORA.Length: len = max(0, high - low + 1), without the max where it can be shown (decision D51).
static void finish(hy_fills *f, const site *scope, box *b, int rank) {
  const hy_expr *zero = hy_expr_int(f->context, 0);
  for (int d = 0; d < rank; d++) {
    if (!b->low[d]) { // nobody needs anything: empty
      b->low[d] = zero;
      b->high[d] = hy_expr_int(f->context, -1);
    }
    const hy_expr *len = hy_affine_add_int(f->table, hy_affine_sub(f->table, b->high[d], b->low[d]), 1);
    len = tidy(f, len, 3);
    const hy_expr *sound = binary(f, HY_OP_GE, len, zero);
    if (hy_prover_holds(f->prover, scope->facts.data, scope->facts.count, sound) != HY_YES)
      len = binary(f, HY_OP_MAX, len, zero);
    b->interval[d] = (hy_interval){b->low[d], len};
  }
  b->known = true;
}

static hy_constraint demanded(const hy_fills *f, const hy_func *func, int dim) {
  return hy_demand_of(f->constraints.data, f->constraints.count, func, dim);
}

// ORA.Bound: Cpu := the user's bounds. ORA.Align: Cpu is rounded out.
static void constrain(hy_fills *f, const hy_func *func, box *cpu) {
  for (int d = 0; d < func->rank; d++) {
    hy_constraint c = demanded(f, func, d);
    hy_interval *i = &cpu->interval[d];
    if (!hy_demand_is_any(&c)) continue;
    *i = hy_demand_apply(f->table, f->context, &c, *i);
    cpu->low[d] = i->min;
    cpu->high[d] = hy_affine_add_int(f->table, hy_affine_add(f->table, i->min, i->len), -1);
    hy_context_hit(f->context, hy_demand_is_given(&c) ? HY_RULE_ORA_BOUND : HY_RULE_ORA_ALIGN);
  }
}

/* -- Cpu -- */

static bool is_own(const site *s, const hy_func *func) { return s->assign->assign.func == func; }

static void need_of_readers(hy_fills *f, const hy_func *func, box *cpu) {
  site *scope = &f->computes[func->index];
  for (size_t i = 0; i < f->sites.count && !f->failed; i++) {
    site *s = &f->sites.data[i];
    if (is_own(s, func)) continue;
    for (size_t k = 0; k < s->reads.count && !f->failed; k++)
      if (s->reads.data[k]->func == func)
        widen_by_point(f, scope, s, common(s, scope), cpu, func, s->reads.data[k]->args, s->reads.data[k],
                       !contains(&s->nested, s->reads.data[k]));
  }
}

// Does every own read of a point in the box stay on the right side of its end, under the guards and predicates?
static bool is_closed(hy_fills *f, site *s, const box *cpu, const hy_expr *access, int dim, hy_side side) {
  find_facts(f, s);
  size_t facts = s->facts.count;
  for (int i = 0; i < s->depth; i++)
    if (s->path[i]->kind == HY_STMT_IF && s->path[i]->branch.why != HY_IF_SPECIALIZE) // those: facts already, by branch
      add_fact(f, &s->facts, s->path[i]->branch.condition);
  const hy_func *func = access->func;
  for (int d = 0; d < func->rank; d++) {
    add_fact(f, &s->facts, binary(f, HY_OP_GE, s->assign->assign.lhs[d], cpu->low[d]));
    add_fact(f, &s->facts, binary(f, HY_OP_LE, s->assign->assign.lhs[d], cpu->high[d]));
  }
  const hy_expr *index = hy_fills_apply(f, access->args[dim]);
  const hy_expr *goal =
      side == HY_LOW ? binary(f, HY_OP_GE, index, cpu->low[dim]) : binary(f, HY_OP_LE, index, cpu->high[dim]);
  bool closed = hy_prover_holds(f->prover, s->facts.data, s->facts.count, goal) == HY_YES;
  s->facts.count = facts;
  return closed;
}

// ORA.Closure: the least box that own reads do not leave, one side at a time (decision D61).
static bool close_once(hy_fills *f, const hy_func *func, box *cpu) {
  bool changed = false;
  site *scope = &f->computes[func->index];
  for (size_t i = 0; i < f->sites.count; i++) {
    site *s = &f->sites.data[i];
    if (!is_own(s, func)) continue;
    for (size_t k = 0; k < s->reads.count; k++) {
      const hy_expr *access = s->reads.data[k];
      if (access->func != func) continue;
      for (int d = 0; d < func->rank; d++) {
        if (access->args[d] == s->assign->assign.lhs[d] && !contains(&s->nested, access)) continue;
        for (hy_side side = HY_LOW; side <= HY_HIGH; side++) {
          if (is_closed(f, s, cpu, access, d, side)) continue;
          hy_region_site r = region(f, s, common(s, scope));
          const hy_expr *end = hy_region_bound(&r, access->args[d], side);
          if (!end) {
            report_unbounded(f, s, access, d, access->args[d]);
            return false;
          }
          const hy_expr *old = side == HY_LOW ? cpu->low[d] : cpu->high[d];
          hy_constraint given = demanded(f, func, d);
          if (hy_demand_is_given(&given)) { // Cpu is the user's: what it would have to hold is checked at run time
            box *need = &f->need[func->index];
            widen(f, scope, need, d, side == HY_LOW ? end : need->low[d], side == HY_HIGH ? end : need->high[d]);
            continue;
          }
          widen(f, scope, cpu, d, side == HY_LOW ? end : cpu->low[d], side == HY_HIGH ? end : cpu->high[d]);
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
    if (is_own(&f->sites.data[i], func)) {
      f->sites.data[i].facts.count = 0;
      f->sites.data[i].has_facts = false;
    }
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

static void fill_cpu(hy_fills *f, const hy_func *func) {
  box *cpu = &f->cpu[func->index];
  site *scope = &f->computes[func->index];
  find_facts(f, scope);
  const hy_alg *alg = f->tgt->alg;
  if (func == alg->output)
    for (int d = 0; d < func->rank; d++) {
      cpu->low[d] = hy_expr_var(f->context, alg->window_min[d]);
      const hy_expr *end = binary(f, HY_OP_ADD, cpu->low[d], hy_expr_var(f->context, alg->window_len[d]));
      cpu->high[d] = hy_affine_add_int(f->table, end, -1);
    }
  else
    need_of_readers(f, func, cpu);
  if (f->failed) return;
  box *need = &f->need[func->index];
  finish(f, scope, cpu, func->rank);
  *need = *cpu;
  need->known = false;
  constrain(f, func, cpu);
  for (int round = 0; !f->failed && close_once(f, func, cpu); round++) {
    finish(f, scope, cpu, func->rank);
    constrain(f, func, cpu);
    forget_facts(f, func);
    if (round == MOST_ROUNDS) report_unclosed(f, func);
  }
  if (f->failed) return;
  for (int d = 0; d < func->rank; d++) {
    hy_constraint c = demanded(f, func, d);
    if (hy_demand_is_any(&c)) continue;
    need->low[d] = cpu->low[d];
    need->high[d] = cpu->high[d];
  }
  finish(f, scope, need, func->rank);
  hy_context_hit(f->context, HY_RULE_ORA_CPU);
}

/* -- Mem and need -- */

static void touch(hy_fills *f, const hy_func *func, box *mem, site *scope, int fixed_keep) {
  for (size_t i = 0; i < f->sites.count && !f->failed; i++) {
    site *s = &f->sites.data[i];
    int keep = fixed_keep >= 0 ? fixed_keep : common(s, scope);
    if (is_own(s, func)) widen_by_point(f, scope, s, keep, mem, func, s->assign->assign.lhs, NULL, false);
    for (size_t k = 0; k < s->reads.count && !f->failed; k++)
      if (s->reads.data[k]->func == func)
        widen_by_point(f, scope, s, keep, mem, func, s->reads.data[k]->args, s->reads.data[k], false);
  }
}

static bool is_known_at(const site *compute, int from, const hy_expr *expr) {
  for (int i = from; i < compute->depth; i++) {
    const hy_stmt *s = compute->path[i];
    const hy_var *var = s->kind == HY_STMT_FOR ? s->loop.var : s->kind == HY_STMT_LET ? s->let.var : NULL;
    if (var && hy_expr_mentions(expr, var)) return false;
  }
  return true;
}

static const hy_expr *tidy_condition(hy_fills *f, const site *root, const hy_expr *condition);

// Nobody touches the func unless its needs were found inside the user's bounds, so Mem need not hold more.
static void add_need_facts(hy_fills *f, const hy_func *func, site *scope, site *compute) {
  for (int d = 0; d < func->rank; d++) {
    hy_constraint c = demanded(f, func, d);
    if (!hy_demand_is_given(&c)) continue;
    const hy_expr *inside = hy_fills_apply(f, hy_need_condition(f->context, func, d));
    inside = tidy_condition(f, compute, inside);
    if (!is_known_at(compute, common(compute, scope), inside)) continue;
    const hy_expr *never = hy_expr_bool(f->context, false);
    add_fact(f, &scope->facts, inside);
    if (hy_prover_holds(f->prover, scope->facts.data, scope->facts.count, never) == HY_YES)
      scope->facts.count--; // the run always fails: nothing is to be learnt from that
  }
}

static void fill_mem(hy_fills *f, const hy_func *func) {
  box *mem = &f->mem[func->index];
  site *scope = &f->allocates[func->index], *compute = &f->computes[func->index];
  const box *cpu = &f->cpu[func->index];
  find_facts(f, scope);
  size_t facts = scope->facts.count;
  add_need_facts(f, func, scope, compute);
  box inside = {0};
  hy_region_site r = region(f, compute, common(compute, scope));
  for (int d = 0; d < func->rank; d++) {
    const hy_expr *low = hy_region_bound(&r, cpu->low[d], HY_LOW), *high = hy_region_bound(&r, cpu->high[d], HY_HIGH);
    HY_ASSERT(low && high); // made of bounded parts only
    widen(f, scope, &inside, d, low, high);
  }
  *mem = inside;
  touch(f, func, mem, scope, -1);
  if (f->failed) return;
  if (scope->facts.count > facts) { // the needs are checked after the allocation: it holds Cpu and is a box in any case
    scope->facts.count = facts;
    for (int d = 0; d < func->rank; d++) {
      widen(f, scope, &inside, d, mem->low[d], mem->high[d]);
      mem->low[d] = inside.low[d];
      mem->high[d] = inside.high[d];
    }
  }
  finish(f, scope, mem, func->rank);
  hy_context_hit(f->context, HY_RULE_ORA_MEM);
}

static void fill_need(hy_fills *f, const hy_func *image) {
  site root = {0};
  find_facts(f, &root);
  touch(f, image, &f->mem[image->index], &root, 0);
  if (!f->failed) finish(f, &root, &f->mem[image->index], image->rank);
  free_site(&root);
  hy_context_hit(f->context, HY_RULE_ORA_NEED);
}

/* -- the filled program -- */

static const hy_expr *apply(void *self, const hy_expr *expr) { return hy_fills_apply(self, expr); }

// rewrite: the entry check "the need is empty or inside" -> "inside", where the need cannot be empty
static const hy_expr *tidy_condition(hy_fills *f, const site *root, const hy_expr *condition) {
  if (condition->kind != HY_EXPR_OP || condition->op != HY_OP_OR) return condition;
  const hy_expr *a = tidy_condition(f, root, condition->args[0]), *b = tidy_condition(f, root, condition->args[1]);
  const hy_expr *no = hy_expr_bool(f->context, false), *parts[2] = {a, b};
  for (int i = 0; i < 2; i++)
    if (hy_prover_holds(f->prover, root->facts.data, root->facts.count,
                        hy_expr_unary(f->context, HY_OP_NOT, parts[i])) == HY_YES)
      parts[i] = no;
  return hy_expr_or(f->context, parts[0], parts[1]);
}

// The same for "assume need": the compute's facts tell whether the need can be empty.
static const hy_stmt *tidy_needs(hy_fills *f, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSUME && stmt->assume.why == HY_ASSUME_NEED && stmt->assume.subject &&
      !stmt->assume.subject->is_image) {
    const hy_func *func = stmt->assume.subject;
    const hy_expr *tidied = tidy_condition(f, &f->computes[func->index], stmt->assume.condition);
    return hy_expr_is_false(tidied) ? stmt : hy_stmt_assume(f->context, HY_ASSUME_NEED, func, tidied);
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = tidy_needs(f, children[i]);
  stmt = hy_stmt_with_children(f->context, stmt, fresh, count);
  free(fresh);
  return stmt;
}

// Facts that do not come from the images themselves: what is needed does not depend on what is given.
static void find_root_facts(hy_fills *f, site *root) {
  find_facts(f, root);
  size_t kept = 0;
  for (size_t i = 0; i < root->facts.count; i++) {
    bool image = false;
    for (int k = 0; k < f->tgt->entry_count; k++)
      image |= f->tgt->entry[k]->assume.why == HY_ASSUME_IMAGE &&
               root->facts.data[i] == hy_fills_apply(f, f->tgt->entry[k]->assume.condition);
    if (!image) root->facts.data[kept++] = root->facts.data[i];
  }
  root->facts.count = kept;
}

static const hy_tgt *finish_program(hy_fills *f) {
  site root = {0};
  find_root_facts(f, &root);
  hy_tgt *filled = HY_NEW(hy_context_arena(f->context), hy_tgt);
  *filled = *f->tgt;
  const hy_stmt **entry = HY_NEW_ARRAY(hy_context_arena(f->context), const hy_stmt *, f->tgt->entry_count);
  for (int i = 0; i < f->tgt->entry_count; i++) {
    entry[i] = hy_stmt_map_exprs(f->context, f->tgt->entry[i], apply, f);
    if (entry[i]->assume.why == HY_ASSUME_IMAGE)
      entry[i] = hy_stmt_assume(f->context, HY_ASSUME_IMAGE, entry[i]->assume.subject,
                                tidy_condition(f, &root, entry[i]->assume.condition));
  }
  filled->entry = entry;
  filled->body = tidy_needs(f, hy_stmt_map_exprs(f->context, f->tgt->body, apply, f));
  free_site(&root);
  return filled;
}

static bool is_needed(const hy_fills *f, const hy_func *image) {
  for (int i = 0; i < f->tgt->entry_count; i++)
    if (f->tgt->entry[i]->assume.why == HY_ASSUME_IMAGE && f->tgt->entry[i]->assume.subject == image) return true;
  return false;
}

static void fill_all(hy_fills *f) {
  collector c = {.f = f};
  collect(&c, f->tgt->body);
  hy_vec_free(&c.path);
  for (int i = f->tgt->func_count - 1; i >= 0 && !f->failed; i--) {
    fill_cpu(f, f->tgt->funcs[i]);
    if (!f->failed) fill_mem(f, f->tgt->funcs[i]);
  }
  for (int k = 0; k < f->tgt->alg->image_count && !f->failed; k++)
    if (is_needed(f, f->tgt->alg->images[k])) fill_need(f, f->tgt->alg->images[k]);
}

const hy_tgt *hy_oracle_fill(hy_context *context, const hy_tgt *scheduled, hy_diagnostics *diagnostics) {
  if (!hy_tgt_has_hole(scheduled)) return scheduled;
  size_t symbols = (size_t)scheduled->alg->image_count;
  for (int i = 0; i < scheduled->func_count; i++)
    if (scheduled->funcs[i]->index >= symbols) symbols = scheduled->funcs[i]->index + 1;
  hy_fills f = {.context = context,
                .tgt = scheduled,
                .diagnostics = diagnostics,
                .table = hy_affine_table_new(context),
                .prover = hy_prover_new(context)};
  f.cpu = hy_allocate_zeroed(symbols, sizeof *f.cpu);
  f.mem = hy_allocate_zeroed(symbols, sizeof *f.mem);
  f.need = hy_allocate_zeroed(symbols, sizeof *f.need);
  f.computes = hy_allocate_zeroed(symbols, sizeof *f.computes);
  f.allocates = hy_allocate_zeroed(symbols, sizeof *f.allocates);
  fill_all(&f);
  const hy_tgt *filled = f.failed ? NULL : finish_program(&f);
  for (size_t i = 0; i < symbols; i++) {
    free_site(&f.computes[i]);
    free_site(&f.allocates[i]);
  }
  for (size_t i = 0; i < f.sites.count; i++) free_site(&f.sites.data[i]);
  hy_vec_free(&f.sites);
  free(f.cpu);
  free(f.mem);
  free(f.need);
  hy_vec_free(&f.constraints);
  free(f.computes);
  free(f.allocates);
  hy_prover_free(f.prover);
  hy_affine_table_free(f.table);
  if (filled && hy_tgt_has_hole(filled)) {
    hy_context_hit(context, HY_RULE_ORA_NO_SOLUTION);
    hy_report(diagnostics, HY_E_NO_SOLUTION, scheduled->alg->loc, "ORA.No-Solution (decision D58)",
              "print the program with 'halyard show --stage scheduled' and look for the hole that nothing determines",
              "no bounds were found for some hole");
    return NULL;
  }
  return filled;
}
