#include "oracle/generalize.h"

enum { MOST_DIVISORS = 8 };

// What may be replaced next: the greatest one first, or what it is made of would be taken away from under it.
typedef struct {
  const hy_expr *greatest;
  bool hulls; // every hull, not only divisors and factors
} candidate;

static void offer(candidate *c, const hy_expr *expr) {
  if (expr->kind != HY_EXPR_OP || expr->type != HY_INT) return;
  if (!c->greatest || expr->id > c->greatest->id) c->greatest = expr; // parts are made before what they are parts of
}

static bool is_choice(const hy_expr *node) {
  return node->kind == HY_EXPR_OP && (node->op == HY_OP_MIN || node->op == HY_OP_MAX);
}

static void see_choice(void *self, const hy_expr *node) { *(bool *)self |= is_choice(node); }

// A factor with ends to choose from is the length of a hull: the other half of what a fused loop does with it.
static bool is_hull(const hy_expr *factor) {
  bool found = false;
  hy_expr_visit(factor, see_choice, &found);
  return found;
}

static void see_candidate(void *self, const hy_expr *node) {
  candidate *c = self;
  if (node->kind != HY_EXPR_OP) return;
  if (c->hulls && is_choice(node)) offer(c, node);
  if (node->op == HY_OP_DIV || node->op == HY_OP_MOD) offer(c, node->args[1]);
  for (int i = 0; i < 2 && node->op == HY_OP_MUL; i++)
    if (node->args[1 - i]->kind != HY_EXPR_CONST && is_hull(node->args[i])) offer(c, node->args[i]);
}

typedef struct {
  const hy_expr *from, *to;
} replacement;

// rewrite: e -> an unknown, wherever it occurs
static const hy_expr *replace(void *self, const hy_expr *node) {
  const replacement *r = self;
  return node == r->from ? r->to : node;
}

bool hy_generalize(hy_context *context, bool hulls, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal,
                   hy_general_question *question) {
  hy_arena *arena = hy_context_arena(context);
  *question = (hy_general_question){HY_NEW_ARRAY(arena, const hy_expr *, fact_count), fact_count, goal};
  for (size_t i = 0; i < fact_count; i++) question->facts[i] = facts[i];
  for (int count = 0; count < MOST_DIVISORS; count++) {
    candidate c = {NULL, hulls};
    for (size_t i = 0; i < fact_count; i++) hy_expr_visit(question->facts[i], see_candidate, &c);
    hy_expr_visit(question->goal, see_candidate, &c);
    if (!c.greatest) return count > 0;
    const char *name = hy_context_name_of(context, hy_arena_printf(arena, "length_%d", count));
    const hy_var *var = hy_var_new(context, HY_VAR_FRESH, HY_INT, name, NULL, 0, 0);
    replacement r = {c.greatest, hy_expr_var(context, var)};
    for (size_t i = 0; i < fact_count; i++) question->facts[i] = hy_expr_map(context, question->facts[i], replace, &r);
    question->goal = hy_expr_map(context, question->goal, replace, &r);
  }
  return true;
}
