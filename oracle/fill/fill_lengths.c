#include "oracle/fill/fill_internal.h"
#include "semantics/tgt/range.h"

/* ORA.Length (decision D68). A fused loop runs as often as its two halves together, and three lengths of 2^31 are more
 * than 64 bits hold. No machine counts so far: that a product of lengths is at most 2^62 is assumed at entry, as
 * "a*b <= 2^62 / c", in which nothing overflows, and is a fact from then on.
 */

enum { MOST_FACTORS = 8 };

typedef struct {
  hy_fills *f;
  const hy_fill_site *root;
  hy_ranges *ranges;
  hy_fill_exprs *conditions;
} length_walk;

static void see_inner(void *self, const hy_expr *node) {
  bool *found = self;
  bool is_startup = node->kind != HY_EXPR_VAR || node->var->kind == HY_VAR_PARAM ||
                    node->var->kind == HY_VAR_WINDOW_MIN || node->var->kind == HY_VAR_WINDOW_LEN ||
                    node->var->kind == HY_VAR_IMAGE_MIN || node->var->kind == HY_VAR_IMAGE_LEN;
  *found |= !is_startup || node->kind == HY_EXPR_ACCESS || node->kind == HY_EXPR_HOLE;
}

static bool is_at_least(const length_walk *w, const hy_expr *expr, int64_t least) {
  const hy_expr *goal = hy_fill_binary(w->f, HY_OP_GE, expr, hy_expr_int(w->f->context, least));
  return hy_prover_holds(w->f->prover, w->root->facts.data, w->root->facts.count, goal) == HY_YES;
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

static void see_product(void *self, const hy_expr *node) {
  length_walk *w = self;
  const hy_expr *factors[MOST_FACTORS];
  int count = 0;
  bool is_inner = false;
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_MUL || node->type != HY_INT) return;
  if (hy_range_fits(hy_ranges_of(w->ranges, node))) return;
  hy_expr_visit(node, see_inner, &is_inner);
  if (is_inner || !find_factors(w, node, factors, &count)) return;
  const hy_expr *condition = condition_of(w, factors, count);
  if (!hy_fill_contains(w->conditions, condition)) hy_vec_push(w->conditions, condition);
}

static void walk(length_walk *w, const hy_stmt *stmt, hy_vec_of_checks *checks) {
  if (stmt->kind == HY_STMT_FOR) {
    size_t before = w->conditions->count;
    hy_expr_visit(hy_fills_apply(w->f, stmt->loop.interval.len), see_product, w);
    for (size_t i = before; i < w->conditions->count; i++) {
      hy_context_hit(w->f->context, HY_RULE_ORA_LENGTH);
      hy_vec_push(checks,
                  hy_stmt_assume(w->f->context, HY_ASSUME_LENGTH, stmt->loop.var->func, w->conditions->data[i]));
    }
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) walk(w, children[i], checks);
}

void hy_fill_lengths(hy_fills *f, const hy_fill_site *root, hy_vec_of_checks *checks) {
  hy_fill_exprs conditions = {0};
  length_walk w = {f, root, hy_ranges_new(), &conditions};
  hy_fills_assume(f, w.ranges);
  if (!HY_MUTANT(D68_Lengths_Unassumed)) walk(&w, f->tgt->body, checks);
  hy_ranges_free(w.ranges);
  hy_vec_free(&conditions);
}
