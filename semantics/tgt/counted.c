#include "semantics/tgt/counted.h"

#include "semantics/tgt/defined.h"

/* -- how often: loops become the variables that they were made from, as long as each tuple of iterations has a tuple of
 * values of its own; those that are a coordinate of the point are then the same for all that write it -- */

typedef struct {
  const hy_var *var;
  hy_wide_int most;      // values; HY_RANGE_LIMIT: any number
  const hy_expr *at_min; // of the interval that its values lie in for sure; NULL: none is known
  const hy_expr *at_len;
} choice;

enum { MOST_CHOICES = 64, FEW = 1 << 30 };

typedef struct {
  hy_context *context;
  hy_ranges *ranges;
  const hy_stmt *const *path;
  size_t length;
  choice at[MOST_CHOICES];
  int count;
  bool is_full;
} choices;

static hy_wide_int product(hy_wide_int a, hy_wide_int b) {
  hy_wide_int out;
  return __builtin_mul_overflow(a, b, &out) || out > HY_RANGE_LIMIT ? HY_RANGE_LIMIT : out;
}

static void add(choices *c, choice one) {
  c->is_full |= c->count == MOST_CHOICES;
  if (!c->is_full) c->at[c->count++] = one;
}

static choice *find(choices *c, const hy_var *var) {
  for (int i = 0; i < c->count; i++)
    if (c->at[i].var == var) return &c->at[i];
  return NULL;
}

static void take(choices *c, const choice *one) { c->at[one - c->at] = c->at[--c->count]; }

// A length that is known by nothing but that windows and parameters lie within 2^31 counts as any.
static hy_wide_int most_of(const choices *c, const hy_expr *len) {
  hy_range range = hy_ranges_of(c->ranges, len);
  return range.high < FEW ? hy_greater(range.high, 0) : HY_RANGE_LIMIT;
}

static bool is_from_zero(const choice *one) {
  int64_t min;
  return one->at_min && hy_expr_is_int(one->at_min, &min) && min == 0;
}

// Is there a guard on the path that keeps the variable below the end of the interval?
static bool is_guarded(const choices *c, const hy_var *var, hy_interval in) {
  const hy_expr *end = hy_index_add(c->context, in.min, in.len);
  for (size_t i = 0; i < c->length; i++) {
    const hy_stmt *s = c->path[i];
    const hy_expr *below = s->kind == HY_STMT_IF && s->branch.why == HY_IF_GUARD ? s->branch.condition : NULL;
    if (below && below->kind == HY_EXPR_OP && below->op == HY_OP_LT && below->args[0]->kind == HY_EXPR_VAR &&
        below->args[0]->var == var && below->args[1] == end && !s->branch.otherwise)
      return true;
  }
  return false;
}

// x = min + inner + factor*outer, with 0 <= inner < factor and 0 <= outer: each x has one of both.
static void unite(choices *c, const hy_stmt *let) {
  const hy_origin *o = &let->let.origin;
  choice *outer = find(c, o->sources[0]), *inner = find(c, o->sources[1]);
  if (o->relation->tail == HY_TAIL_SHIFT || !outer || !inner) return; // shifted: some come twice
  if (!is_from_zero(outer) || !is_from_zero(inner) || inner->at_len != o->factor) return;
  bool stays = hy_origin_is_exact(o) || is_guarded(c, let->let.var, o->range);
  choice x = {.var = let->let.var, .most = product(outer->most, inner->most)};
  if (stays) {
    x.at_min = o->range.min;
    x.at_len = o->range.len;
    x.most = hy_lesser(x.most, most_of(c, o->range.len));
  }
  take(c, outer);
  take(c, find(c, o->sources[1]));
  add(c, x);
}

static const hy_stmt *let_of(const choices *c, const hy_var *var) {
  for (size_t i = 0; i < c->length; i++)
    if (c->path[i]->kind == HY_STMT_LET && c->path[i]->let.var == var) return c->path[i];
  return NULL;
}

// x_1 = min_1 + t/factor, x_2 = min_2 + t%factor: each pair has one t.
static void part(choices *c, const hy_stmt *let) {
  const hy_relation *r = let->let.origin.relation;
  choice *t = find(c, let->let.origin.sources[0]);
  const hy_stmt *first = r->lets[0] ? let_of(c, r->lets[0]) : NULL, *second = r->lets[1] ? let_of(c, r->lets[1]) : NULL;
  if (!t || !is_from_zero(t) || !first || !second) return;
  const hy_origin *a = &first->let.origin, *b = &second->let.origin;
  if (a->sources[0] != t->var || b->sources[0] != t->var || a->factor != b->factor || b->range.len != b->factor) return;
  int64_t factor;
  bool is_whole = t->at_len == hy_index_mul(c->context, a->range.len, a->factor);
  choice x = {.var = first->let.var, .most = HY_RANGE_LIMIT};
  if (hy_expr_is_int(a->factor, &factor) && factor > 0 && t->most < HY_RANGE_LIMIT)
    x.most = (t->most + factor - 1) / factor;
  if (is_whole) {
    x.at_min = a->range.min;
    x.at_len = a->range.len;
    x.most = hy_lesser(x.most, most_of(c, a->range.len));
  }
  take(c, t);
  add(c, x);
  add(c, (choice){second->let.var, most_of(c, b->factor), b->range.min, b->range.len});
}

static bool is_coordinate(const hy_stmt *assign, const hy_var *var) {
  for (int d = 0; d < assign->assign.func->rank; d++)
    if (assign->assign.lhs[d]->kind == HY_EXPR_VAR && assign->assign.lhs[d]->var == var) return true;
  return false;
}

hy_wide_int hy_times_at_a_point(hy_context *context, hy_ranges *ranges, const hy_stmt *const *path, size_t count,
                                const hy_stmt *assign) {
  choices c = {.context = context, .ranges = ranges, .path = path, .length = count};
  for (size_t i = 0; i < count; i++) {
    const hy_stmt *s = path[i];
    if (s->kind == HY_STMT_FOR)
      add(&c, (choice){s->loop.var, most_of(&c, s->loop.interval.len), s->loop.interval.min, s->loop.interval.len});
    if (s->kind != HY_STMT_LET || !s->let.origin.relation) continue;
    if (s->let.origin.relation->form == HY_BY_SPLIT) unite(&c, s);
    if (s->let.origin.relation->form == HY_BY_FUSE) part(&c, s);
  }
  hy_wide_int times = 1;
  for (int i = 0; i < c.count; i++)
    if (!is_coordinate(assign, c.at[i].var)) times = product(times, c.at[i].most);
  return c.is_full ? HY_RANGE_LIMIT : times;
}

/* -- how much -- */

typedef struct {
  const hy_func *func;
  bool found;
} reader;

static void see_read(void *self, const hy_expr *access) {
  reader *r = self;
  r->found |= access->func == r->func;
}

bool hy_expr_reads(const hy_expr *expr, const hy_func *func) {
  reader r = {func, false};
  if (expr->has_access) hy_expr_visit_accesses(expr, see_read, &r);
  return r.found;
}

typedef struct {
  hy_context *context;
  hy_ranges *ranges;
  const hy_stmt *assign;
  int part;
  hy_amount_visitor *visit;
  void *self;
} growth;

static bool is_own(const growth *g, const hy_expr *e) {
  if (e->kind != HY_EXPR_ACCESS || e->func != g->assign->assign.func || e->part != g->part) return false;
  for (int d = 0; d < e->count; d++)
    if (e->args[d] != g->assign->assign.lhs[d] || hy_expr_reads(e->args[d], e->func)) return false;
  return true;
}

static bool amount_of(const growth *g, const hy_expr *e, hy_range *range) {
  if (hy_expr_reads(e, g->assign->assign.func)) return false;
  const hy_expr *machine = hy_machine_value(g->context, g->ranges, e);
  *range = hy_ranges_of(g->ranges, machine);
  if (g->visit) g->visit(g->self, machine, *range);
  range->low = hy_lesser(range->low, 0); // 0 among it, so that what is between the amounts is in range as well
  range->high = hy_greater(range->high, 0);
  return true;
}

static bool step_of(const growth *g, const hy_expr *e, hy_range *step) {
  hy_range a, b;
  *step = hy_range_between(0, 0);
  if (is_own(g, e)) return true;
  if (e->kind != HY_EXPR_OP) return false;
  if (e->op == HY_OP_SELECT) {
    if (hy_expr_reads(e->args[0], g->assign->assign.func) || !step_of(g, e->args[1], &a) || !step_of(g, e->args[2], &b))
      return false;
    *step = hy_range_joined(a, b);
    return true;
  }
  if (e->op != HY_OP_ADD && e->op != HY_OP_SUB) return false;
  const hy_expr *own = e->args[0], *other = e->args[1];
  if (e->op == HY_OP_ADD && !hy_expr_reads(own, g->assign->assign.func)) own = e->args[1], other = e->args[0];
  if (!step_of(g, own, &a) || !amount_of(g, other, &b)) return false;
  *step = e->op == HY_OP_ADD ? hy_range_between(a.low + b.low, a.high + b.high)
                             : hy_range_between(a.low - b.high, a.high - b.low);
  return true;
}

bool hy_grows_by(hy_context *context, hy_ranges *ranges, const hy_stmt *assign, int part, hy_amount_visitor *visit,
                 void *self, hy_range *step) {
  growth g = {context, ranges, assign, part, visit, self};
  return step_of(&g, hy_expr_part(assign->assign.rhs, part), step);
}
