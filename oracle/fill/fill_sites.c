#include "oracle/fill/fill_internal.h"

#include "semantics/tgt/defined.h"

#include <string.h>

/* -- collecting sites -- */

typedef struct {
  hy_fills *f;
  HY_VEC(const hy_stmt *) path;
} collector;

static hy_fill_site make_site(collector *c, const hy_stmt *assign) {
  hy_fill_site s = {.depth = (int)c->path.count, .assign = assign};
  s.path = hy_allocate(sizeof *s.path * (c->path.count + 1));
  if (c->path.count) memcpy(s.path, c->path.data, sizeof *s.path * c->path.count);
  return s;
}

bool hy_fill_contains(const hy_fill_exprs *list, const hy_expr *expr) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == expr) return true;
  return false;
}

static void see_nested(void *self, const hy_expr *node) {
  hy_fill_site *s = self;
  if (node->kind == HY_EXPR_ACCESS && !hy_fill_contains(&s->nested, node)) hy_vec_push(&s->nested, node);
}

static void see_read(void *self, const hy_expr *node) {
  hy_fill_site *s = self;
  if (node->kind != HY_EXPR_ACCESS || hy_fill_contains(&s->reads, node)) return;
  hy_vec_push(&s->reads, node);
  for (int i = 0; i < node->count; i++) hy_expr_visit(node->args[i], see_nested, s);
}

static void collect_reads(hy_fill_site *s) {
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
    hy_fill_site s = make_site(c, stmt);
    collect_reads(&s);
    hy_vec_push(&c->f->sites, s);
  }
  hy_constraint constraint;
  if (stmt->kind == HY_STMT_ASSUME && stmt->assume.why == HY_ASSUME_CONSTRAIN &&
      hy_constraint_of(stmt->assume.condition, &constraint))
    hy_vec_push(&c->f->constraints, constraint);
  if (stmt->kind == HY_STMT_ALLOCATE) c->f->allocates[stmt->allocate.func->index] = make_site(c, NULL);
  if (stmt->kind == HY_STMT_COMPUTE) {
    c->f->computes[stmt->compute.func->index] = make_site(c, NULL);
    c->f->computes[stmt->compute.func->index].compute = stmt;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  hy_vec_push(&c->path, stmt);
  for (int i = 0; i < count; i++) collect(c, children[i]);
  (void)hy_vec_pop(&c->path);
}

void hy_fill_collect(hy_fills *f) {
  collector c = {.f = f};
  collect(&c, f->tgt->body);
  hy_vec_free(&c.path);
}

void hy_fill_free_site(hy_fill_site *s) {
  hy_free(s->path);
  hy_free(s->facts_at);
  hy_vec_free(&s->facts);
  hy_vec_free(&s->reads);
  hy_vec_free(&s->nested);
}

/* -- facts -- */

void hy_fill_add_fact(hy_fills *f, hy_fill_exprs *facts, const hy_expr *fact) {
  fact = hy_fills_apply(f, fact);
  if (!fact->has_hole && !fact->has_access && !hy_expr_is_true(fact)) hy_vec_push(facts, fact);
}

typedef struct {
  hy_fills *f;
  hy_fill_exprs *facts;
} risk_sink;

static void add_divisor(void *self, hy_risk risk) {
  const risk_sink *sink = self;
  if (risk.what & HY_RISK_DIVISOR) hy_fill_add_fact(sink->f, sink->facts, hy_risk_avoided(sink->f->context, risk));
}

// What is checked at entry has been evaluated (D27): what it divides by, a factor 7/n for one, is not 0 from there on.
static void add_entry_fact(hy_fills *f, hy_fill_exprs *facts, const hy_expr *fact) {
  hy_fill_add_fact(f, facts, fact);
  fact = hy_fills_apply(f, fact);
  if (fact->has_hole || fact->has_access) return;
  risk_sink sink = {f, facts};
  size_t before = facts->count;
  hy_ranges *ranges = hy_ranges_new();
  if (!hy_defined_risks(f->context, ranges, fact, add_divisor, &sink)) facts->count = before; // guards were left out
  hy_ranges_free(ranges);
}

// A condition that errs counts as false (decision D27): then its negation is no fact of the other branch (D65).
static void add_branch(hy_fills *f, hy_fill_site *s, const hy_stmt *stmt, const hy_stmt *child) {
  const hy_expr *condition = stmt->branch.condition;
  hy_ranges *ranges = hy_ranges_new();
  hy_fills_assume(f, ranges);
  if (child == stmt->branch.then)
    hy_fill_add_fact(f, &s->facts, condition);
  else if (hy_ranges_total(ranges, condition))
    hy_fill_add_fact(f, &s->facts, hy_expr_unary(f->context, HY_OP_NOT, condition));
  hy_ranges_free(ranges);
}

// Facts of the entry block and of the loops, lets and specializations on the way. Guards and predicates are no facts
// here: they constrain variables that the analysis lets run over all of their loops.
void hy_fill_find_facts(hy_fills *f, hy_fill_site *s) {
  if (s->has_facts) return;
  s->has_facts = true;
  if (!s->facts_at) s->facts_at = hy_allocate_zeroed((size_t)s->depth + 1, sizeof *s->facts_at);
  const hy_alg *alg = f->tgt->alg;
  bool has_points = alg->output_count == 1; // of several some may be empty (D81)
  const hy_expr *least = hy_expr_int(f->context, has_points);
  for (int i = 0; i < alg->window_rank; i++)
    hy_fill_add_fact(f, &s->facts, hy_fill_binary(f, HY_OP_GE, hy_expr_var(f->context, alg->window_len[i]), least));
  for (int i = 0; i < f->tgt->entry_count; i++)
    if (f->tgt->entry[i]->assume.why != HY_ASSUME_RANGE) // 64 bits are not the question here
      add_entry_fact(f, &s->facts, f->tgt->entry[i]->assume.condition);
  for (int i = 0; i < s->depth; i++) {
    const hy_stmt *p = s->path[i], *child = i + 1 < s->depth ? s->path[i + 1] : s->assign;
    s->facts_at[i] = s->facts.count;
    if (p->kind == HY_STMT_FOR && child) {
      const hy_expr *v = hy_expr_var(f->context, p->loop.var);
      hy_fill_add_fact(f, &s->facts, hy_fill_binary(f, HY_OP_LE, p->loop.interval.min, v));
      const hy_expr *end = hy_fill_binary(f, HY_OP_ADD, p->loop.interval.min, p->loop.interval.len);
      hy_fill_add_fact(f, &s->facts, hy_fill_binary(f, HY_OP_LT, v, end));
    }
    if (p->kind == HY_STMT_LET)
      hy_fill_add_fact(f, &s->facts, hy_fill_binary(f, HY_OP_EQ, hy_expr_var(f->context, p->let.var), p->let.value));
    if (p->kind == HY_STMT_IF && p->branch.why == HY_IF_SPECIALIZE && child) add_branch(f, s, p, child);
  }
  s->facts_at[s->depth] = s->facts.count;
}

void hy_fill_forget_facts(hy_fill_site *s) {
  s->facts.count = 0;
  s->has_facts = false;
}

int hy_fill_common(const hy_fill_site *a, const hy_fill_site *b) {
  int k = 0;
  while (k < a->depth && k < b->depth && a->path[k] == b->path[k]) k++;
  return k;
}

// How much of a reader's path encloses a statement: the loops up to there stay (scopes K(S), decision D42). The
// statement's last ancestor is a sequence or a loop body that encloses both.
hy_region_site hy_fill_region(hy_fills *f, hy_fill_site *from, int keep) {
  hy_fill_find_facts(f, from);
  return (hy_region_site){.context = f->context,
                          .table = f->table,
                          .prover = f->prover,
                          .fills = f,
                          .values = f->values,
                          .path = from->path,
                          .depth = from->depth,
                          .keep = keep,
                          .facts = from->facts.data,
                          .fact_count = from->facts.count,
                          .outer_count = from->facts_at[keep < from->depth ? keep : from->depth],
                          .effort = &f->effort};
}
