#include "oracle/fill/fill_internal.h"
#include "semantics/tgt/range.h"

#include <stdlib.h>

/* ORA.Length (decision D68). A fused loop runs as often as its two halves together, and three lengths of 2^31 are more
 * than 64 bits hold. No machine counts so far: that a product of lengths is at most 2^62 is assumed, as "a*b <= 2^62 /
 * c", in which nothing overflows, and is a fact from then on. At entry, if the lengths are known there; those of what
 * is computed inside of loops are known where it is computed.
 */

enum { MOST_FACTORS = 8 };

typedef struct {
  hy_fills *f;
  const hy_fill_site *root;
  hy_ranges *ranges;
  hy_fill_exprs *conditions;    // at entry
  hy_vec_of_checks *checks;     // the same as statements
  HY_VEC(const hy_stmt *) path; // loops and lets around
  const hy_fill_site *compute;  // the innermost one around, and how many loops and lets are around it
  size_t around;                // NULL = none
  hy_fill_exprs *compute_conditions;
} length_walk;

typedef enum { AT_ENTRY, AT_COMPUTE, NOWHERE } known_where;

typedef struct {
  const length_walk *w;
  known_where where;
} place_search;

static const hy_var *bound_by(const hy_stmt *stmt) {
  return stmt->kind == HY_STMT_FOR ? stmt->loop.var : stmt->let.var;
}

static bool is_around_compute(const length_walk *w, const hy_var *var) {
  for (size_t i = 0; w->compute && i < w->around; i++)
    if (bound_by(w->path.data[i]) == var) return true;
  return false;
}

static void see_inner(void *self, const hy_expr *node) {
  place_search *s = self;
  if (node->kind == HY_EXPR_ACCESS || node->kind == HY_EXPR_HOLE) s->where = NOWHERE;
  if (node->kind != HY_EXPR_VAR) return;
  bool is_startup = node->var->kind == HY_VAR_PARAM || node->var->kind == HY_VAR_WINDOW_MIN ||
                    node->var->kind == HY_VAR_WINDOW_LEN || node->var->kind == HY_VAR_IMAGE_MIN ||
                    node->var->kind == HY_VAR_IMAGE_LEN;
  if (!is_startup) s->where = s->where != NOWHERE && is_around_compute(s->w, node->var) ? AT_COMPUTE : NOWHERE;
}

static known_where known_at(const length_walk *w, const hy_expr *expr) {
  place_search s = {w, AT_ENTRY};
  hy_expr_visit(expr, see_inner, &s);
  return s.where;
}

// Where it is to be assumed.
static bool is_at_least(const length_walk *w, const hy_expr *expr, int64_t least) {
  const hy_fill_site *site = known_at(w, expr) == AT_ENTRY ? w->root : w->compute;
  const hy_expr *goal = hy_fill_binary(w->f, HY_OP_GE, expr, hy_expr_int(w->f->context, least));
  return hy_prover_holds(w->f->prover, site->facts.data, site->facts.count, goal) == HY_YES;
}

// The factors of a product, each of which fits and is not negative; false if there is another, or they are too many.
static bool find_factors(const length_walk *w, const hy_expr *expr, const hy_expr **factors, int *count) {
  if (expr->kind == HY_EXPR_OP && expr->op == HY_OP_MUL)
    return find_factors(w, expr->args[0], factors, count) && find_factors(w, expr->args[1], factors, count);
  if (*count == MOST_FACTORS || !hy_range_fits(hy_ranges_of(w->ranges, expr)) || !is_at_least(w, expr, 0)) return false;
  factors[(*count)++] = expr;
  return true;
}

// As many factors on the left as fit whatever the input is, the others below 2^62.
static const hy_expr *condition_of(const length_walk *w, const hy_expr *const *factors, int count) {
  hy_context *context = w->f->context;
  const hy_expr *left = factors[0], *most = hy_expr_int(context, HY_MOST_ITERATIONS), *one = hy_expr_int(context, 1);
  int i = 1;
  for (; i < count; i++) {
    const hy_expr *more = hy_fill_binary(w->f, HY_OP_MUL, left, factors[i]);
    if (!hy_range_fits(hy_ranges_of(w->ranges, more))) break;
    left = more;
  }
  for (; i < count; i++) {
    const hy_expr *factor =
        is_at_least(w, factors[i], 1) ? factors[i] : hy_fill_binary(w->f, HY_OP_MAX, factors[i], one);
    most = hy_fill_binary(w->f, HY_OP_DIV, most, factor);
  }
  return hy_fill_binary(w->f, HY_OP_LE, left, most);
}

static void count_product(length_walk *w, const hy_expr *node, known_where where, hy_fill_exprs *conditions) {
  const hy_expr *factors[MOST_FACTORS];
  int count = 0;
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_MUL || node->type != HY_INT) return;
  if (hy_range_fits(hy_ranges_of(w->ranges, node))) return;
  if (known_at(w, node) != where || !find_factors(w, node, factors, &count)) return;
  const hy_expr *condition = condition_of(w, factors, count);
  if (!hy_fill_contains(conditions, condition)) hy_vec_push(conditions, condition);
}

static void see_product(void *self, const hy_expr *node) {
  length_walk *w = self;
  count_product(w, node, AT_ENTRY, w->conditions);
}

// The two halves of a fused loop. (Other products of what loops count are no lengths: where the tile y begins, y*a.)
static void see_fused(length_walk *w, const hy_stmt *let) {
  const hy_origin *o = &let->let.origin;
  if (!hy_origin_is_quotient(o) || !w->compute) return;
  const hy_expr *product = hy_fill_binary(w->f, HY_OP_MUL, o->range.len, o->factor);
  count_product(w, hy_fills_apply(w->f, product), AT_COMPUTE, w->compute_conditions);
}

static const hy_stmt *assume(length_walk *w, const hy_func *func, const hy_expr *condition) {
  hy_context_hit(w->f->context, HY_RULE_ORA_LENGTH);
  return hy_stmt_assume(w->f->context, HY_ASSUME_LENGTH, func, condition);
}

static const hy_stmt *walk(length_walk *w, const hy_stmt *stmt);

static const hy_stmt *walk_children(length_walk *w, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = walk(w, children[i]);
  stmt = hy_stmt_with_children(w->f->context, stmt, fresh, count);
  hy_free(fresh);
  return stmt;
}

static void walk_interval(length_walk *w, const hy_stmt *loop) {
  hy_interval interval = {hy_fills_apply(w->f, loop->loop.interval.min), hy_fills_apply(w->f, loop->loop.interval.len)};
  size_t before = w->conditions->count;
  hy_expr_visit(interval.len, see_product, w);
  for (size_t i = before; i < w->conditions->count; i++)
    hy_vec_push(w->checks, assume(w, loop->loop.var->func, w->conditions->data[i]));
  hy_ranges_bind_loop(w->ranges, loop->loop.var, interval);
}

// What the loops of the func want to be assumed stands before all that is done for it.
static const hy_stmt *walk_compute(length_walk *w, const hy_stmt *stmt) {
  const hy_func *func = stmt->compute.func;
  length_walk outer = *w;
  hy_fill_exprs conditions = {0};
  w->compute = &w->f->computes[func->index];
  hy_fill_find_facts(w->f, &w->f->computes[func->index]);
  w->around = w->path.count;
  w->compute_conditions = &conditions;
  const hy_stmt *body = walk(w, stmt->compute.body);
  w->compute = outer.compute;
  w->around = outer.around;
  w->compute_conditions = outer.compute_conditions;
  const hy_stmt **items = hy_allocate(sizeof *items * (conditions.count + 1));
  for (size_t i = 0; i < conditions.count; i++) items[i] = assume(w, func, conditions.data[i]);
  items[conditions.count] = body;
  if (conditions.count) body = hy_stmt_seq(w->f->context, items, (int)conditions.count + 1);
  hy_free(items);
  hy_vec_free(&conditions);
  return hy_stmt_with_children(w->f->context, stmt, &body, 1);
}

static const hy_stmt *walk(length_walk *w, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_COMPUTE) return walk_compute(w, stmt);
  bool binds = stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET;
  if (stmt->kind == HY_STMT_FOR) walk_interval(w, stmt);
  if (stmt->kind == HY_STMT_LET) {
    see_fused(w, stmt);
    hy_ranges_bind_let(w->ranges, stmt->let.var, hy_fills_apply(w->f, stmt->let.value));
  }
  if (binds) hy_vec_push(&w->path, stmt);
  stmt = walk_children(w, stmt);
  if (binds) (void)hy_vec_pop(&w->path);
  return stmt;
}

const hy_stmt *hy_fill_lengths(hy_fills *f, const hy_fill_site *root, hy_vec_of_checks *checks) {
  hy_fill_exprs conditions = {0}, loose = {0};
  length_walk w = {.f = f,
                   .root = root,
                   .ranges = hy_ranges_new(),
                   .conditions = &conditions,
                   .checks = checks,
                   .compute_conditions = &loose};
  hy_fills_assume(f, w.ranges);
  const hy_stmt *body = walk(&w, f->tgt->body);
  hy_ranges_free(w.ranges);
  hy_vec_free(&conditions);
  hy_vec_free(&w.path);
  return body;
}
