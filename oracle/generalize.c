#include "oracle/generalize.h"

#include "oracle/pair_map.h"
#include "semantics/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DIVISORS = 8 };

/* Facts and goal share most of what they are made of: every node is looked at once for all of them, by number. Parts
 * have smaller numbers than what they are parts of. What is replaced is the greatest candidate first, or what it is
 * made of would be taken away from under it; a candidate that only a replaced one mentions is none.
 */

typedef struct {
  const hy_expr *node, *image; // what stands in its place
  bool chooses;                // is or mentions a minimum or maximum
  bool is_visible, is_offered;
} entry;

typedef struct {
  hy_context *context;
  hy_arena *arena;
  hy_pair_map entries; // node -> entry
  HY_VEC(entry *) order;
  HY_VEC(const hy_expr *) open;
  bool hulls; // every hull, not only divisors and factors
  int count;
} generalizer;

static bool is_choice(const hy_expr *node) {
  return node->kind == HY_EXPR_OP && (node->op == HY_OP_MIN || node->op == HY_OP_MAX);
}

static entry *entry_of(const generalizer *g, const hy_expr *node) {
  return (entry *)hy_pair_map_get(&g->entries, node, NULL);
}

static void collect(generalizer *g, const hy_expr *root) {
  hy_vec_push(&g->open, root);
  while (g->open.count) {
    const hy_expr *node = hy_vec_pop(&g->open);
    if (entry_of(g, node)) continue;
    entry *fresh = HY_NEW(g->arena, entry);
    fresh->node = fresh->image = node;
    hy_pair_map_put(&g->entries, node, NULL, fresh);
    hy_vec_push(&g->order, fresh);
    for (int i = 0; i < node->count; i++) hy_vec_push(&g->open, node->args[i]);
  }
  entry_of(g, root)->is_visible = true;
}

static int by_number(const void *a, const void *b) {
  uint32_t left = (*(entry *const *)a)->node->id, right = (*(entry *const *)b)->node->id;
  return left < right ? -1 : left > right;
}

static void offer(const generalizer *g, const hy_expr *expr) { entry_of(g, expr)->is_offered = true; }

// Divisors; and factors with ends to choose from: the length of a hull is the other half of what a fused loop does with
// it.
static void offer_parts(const generalizer *g, const hy_expr *node) {
  if (node->kind != HY_EXPR_OP) return;
  if (node->op == HY_OP_DIV || node->op == HY_OP_MOD) offer(g, node->args[1]);
  for (int i = 0; i < 2 && node->op == HY_OP_MUL; i++)
    if (node->args[1 - i]->kind != HY_EXPR_CONST && entry_of(g, node->args[i])->chooses) offer(g, node->args[i]);
}

static bool is_candidate(const generalizer *g, const entry *e) {
  return (e->is_offered || (g->hulls && is_choice(e->node))) && e->node->kind == HY_EXPR_OP && e->node->type == HY_INT;
}

// rewrite: e -> an unknown, wherever it occurs
static void choose(generalizer *g) {
  for (size_t i = 0; i < g->order.count; i++) {
    entry *e = g->order.data[i];
    e->chooses = is_choice(e->node);
    for (int k = 0; k < e->node->count; k++) e->chooses |= entry_of(g, e->node->args[k])->chooses;
  }
  for (size_t i = g->order.count; i-- > 0;) {
    entry *e = g->order.data[i];
    if (!e->is_visible) continue;
    if (g->count < MOST_DIVISORS && is_candidate(g, e)) {
      const char *name =
          hy_context_name_of(g->context, hy_arena_printf(hy_context_arena(g->context), "length_%d", g->count++));
      e->image = hy_expr_var(g->context, hy_var_new(g->context, HY_VAR_FRESH, HY_INT, name, NULL, 0, 0));
      continue;
    }
    offer_parts(g, e->node);
    for (int k = 0; k < e->node->count; k++) entry_of(g, e->node->args[k])->is_visible = true;
  }
}

static void rebuild(generalizer *g) {
  for (size_t i = 0; i < g->order.count; i++) {
    entry *e = g->order.data[i];
    const hy_expr *node = e->node, *args[HY_MAX_RANK > HY_MAX_ARITY ? HY_MAX_RANK : HY_MAX_ARITY];
    if (!e->is_visible || e->image != node || node->count == 0) continue;
    for (int k = 0; k < node->count; k++) args[k] = entry_of(g, node->args[k])->image;
    if (memcmp(args, node->args, sizeof *args * (size_t)node->count) == 0) continue;
    e->image = node->kind == HY_EXPR_ACCESS ? hy_expr_access(g->context, node->func, args)
                                            : hy_expr_op(g->context, node->op, node->type, args);
  }
}

bool hy_generalize(hy_context *context, bool hulls, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal,
                   hy_general_question *question) {
  generalizer g = {.context = context, .arena = hy_arena_new(), .hulls = hulls};
  for (size_t i = 0; i < fact_count; i++) collect(&g, facts[i]);
  collect(&g, goal);
  qsort(g.order.data, g.order.count, sizeof *g.order.data, by_number);
  choose(&g);
  if (g.count) {
    rebuild(&g);
    *question = (hy_general_question){HY_NEW_ARRAY(hy_context_arena(context), const hy_expr *, fact_count), fact_count,
                                      entry_of(&g, goal)->image};
    for (size_t i = 0; i < fact_count; i++) question->facts[i] = entry_of(&g, facts[i])->image;
  }
  hy_pair_map_free(&g.entries);
  hy_vec_free(&g.order);
  hy_vec_free(&g.open);
  hy_arena_free(g.arena);
  return g.count > 0;
}
