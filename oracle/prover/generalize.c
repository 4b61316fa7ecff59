#include "oracle/prover/generalize.h"

#include "oracle/prover/pair_map.h"
#include "oracle/prover/relevance.h"
#include "semantics/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DIVISORS = 8 };

/* Facts and goal share most of what they are made of: every node is looked at once for all of them, parts before what
 * they are parts of: first the constants, 16/2 as well, in the order in which they are met, then all others by number. When
 * a constant's node was made depends on how a text came to write it, and a gate that computes the questions anew from the
 * canonical texts has to name the same. What is replaced is the last candidate first, or what it is made of would be taken
 * away from under it; a candidate that only a replaced one mentions is none.
 */

typedef struct {
  const hy_expr *node, *image; // what stands in its place
  const hy_expr *name;         // the unknown that replaces it
  bool chooses;                // is or mentions a minimum or maximum
  bool is_local;               // mentions a loop's variable, or a name
  bool is_visible, is_offered;
  bool is_constant;
  size_t met; // among all, parts first; 0: not yet
} entry;

typedef struct {
  hy_context *context;
  hy_arena *arena;
  hy_pair_map entries; // node -> entry
  HY_VEC(entry *) order;
  HY_VEC(const hy_expr *) open;
  hy_generalization what;
  int count;
} generalizer;

const char *hy_generalization_name(hy_generalization what) {
  switch (what) {
  case HY_AS_IT_STANDS: return "what they are";
  case HY_ANY_DIVISORS: return "any divisors";
  case HY_ANY_HULLS: return "any hulls";
  case HY_NAMED_DIVISORS:
  case HY_NAMED_ALL: return "named divisors";
  }
  HY_UNREACHABLE();
}

static bool is_choice(const hy_expr *node) {
  return node->kind == HY_EXPR_OP && hy_op_kind_of(node->op) == HY_KIND_EXTREMUM;
}

static entry *entry_of(const generalizer *g, const hy_expr *node) {
  return (entry *)hy_pair_map_get(&g->entries, node, NULL);
}

static void begin(generalizer *g, const hy_expr *node) {
  entry *fresh = HY_NEW(g->arena, entry);
  fresh->node = fresh->image = node;
  fresh->is_constant = !node->has_var && !node->has_access && !node->has_hole;
  hy_pair_map_put(&g->entries, node, NULL, fresh);
  for (int i = node->count; i-- > 0;) hy_vec_push(&g->open, node->args[i]);
}

static void collect(generalizer *g, const hy_expr *root) {
  hy_vec_push(&g->open, root);
  while (g->open.count) {
    const hy_expr *node = g->open.data[g->open.count - 1];
    entry *begun = entry_of(g, node);
    if (!begun) {
      begin(g, node); // and again when its parts have been met
      continue;
    }
    g->open.count--;
    if (begun->met) continue;
    hy_vec_push(&g->order, begun);
    begun->met = g->order.count;
  }
  entry_of(g, root)->is_visible = true;
}

static int in_order(const void *a, const void *b) {
  const entry *left = *(entry *const *)a, *right = *(entry *const *)b;
  if (left->is_constant != right->is_constant) return left->is_constant ? -1 : 1;
  if (left->is_constant) return left->met < right->met ? -1 : left->met > right->met;
  return left->node->id < right->node->id ? -1 : left->node->id > right->node->id;
}

static void offer(const generalizer *g, const hy_expr *expr) { entry_of(g, expr)->is_offered = true; }

// Divisors; and factors with ends to choose from: the length of a hull is the other half of what a fused loop does with
// it.
static void offer_parts(const generalizer *g, const hy_expr *node) {
  if (node->kind != HY_EXPR_OP) return;
  if (hy_op_kind_of(node->op) == HY_KIND_DIVISION) offer(g, node->args[1]);
  for (int i = 0; i < 2 && node->op == HY_OP_MUL; i++)
    if (node->args[1 - i]->kind != HY_EXPR_CONST && entry_of(g, node->args[i])->chooses) offer(g, node->args[i]);
}

static bool is_candidate(const generalizer *g, const entry *e) {
  return (e->is_offered || (g->what == HY_ANY_HULLS && is_choice(e->node))) && e->node->kind == HY_EXPR_OP &&
         e->node->type == HY_INT;
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
      e->name = hy_expr_var(g->context, hy_var_new(g->context, HY_VAR_FRESH, HY_INT, name, NULL, 0, 0));
      if (g->what < HY_NAMED_DIVISORS) continue; // what it is made of is not mentioned any more
    }
    offer_parts(g, e->node);
    for (int k = 0; k < e->node->count; k++) entry_of(g, e->node->args[k])->is_visible = true;
  }
}

// What stands for an expression where its name does not.
static const hy_expr *rebuilt(const generalizer *g, const hy_expr *node) {
  const hy_expr *args[HY_MAX_RANK > HY_MAX_ARITY ? HY_MAX_RANK : HY_MAX_ARITY];
  for (int k = 0; k < node->count; k++) args[k] = entry_of(g, node->args[k])->image;
  if (node->count == 0 || memcmp(args, node->args, sizeof *args * (size_t)node->count) == 0) return node;
  return node->kind == HY_EXPR_ACCESS ? hy_expr_access_part(g->context, node->func, node->part, args)
                                      : hy_expr_op(g->context, node->op, node->type, args);
}

static bool is_inner(const hy_expr *node) {
  return node->kind == HY_EXPR_VAR && (node->var->kind == HY_VAR_LOOP || node->var->kind == HY_VAR_PURE ||
                                       node->var->kind == HY_VAR_RDOM || node->var->kind == HY_VAR_FRESH);
}

static void rebuild(generalizer *g) {
  for (size_t i = 0; i < g->order.count; i++) {
    entry *e = g->order.data[i];
    if (e->is_visible) e->image = e->name ? e->name : rebuilt(g, e->node);
    e->is_local = e->name || is_inner(e->node);
    for (int k = 0; k < e->node->count; k++) e->is_local |= entry_of(g, e->node->args[k])->is_local;
  }
}

// length_0 >= e, length_0 <= e: not ==, which the prover would read as "replace it by e".
static void define(const generalizer *g, hy_general_question *question) {
  for (size_t i = 0; i < g->order.count && g->what >= HY_NAMED_DIVISORS; i++) {
    const entry *e = g->order.data[i];
    if (!e->name) continue;
    const hy_expr *value = rebuilt(g, e->node);
    question->facts[question->fact_count++] = hy_expr_binary(g->context, HY_OP_GE, e->name, value);
    question->facts[question->fact_count++] = hy_expr_binary(g->context, HY_OP_LE, e->name, value);
  }
}

// What neither chooses between ends nor speaks of a loop, and what does the latter.
static bool is_near(const entry *fact) { return fact->is_local || !fact->chooses; }

static size_t far_facts(const generalizer *g, const hy_expr *const *facts, size_t fact_count) {
  size_t count = 0;
  for (size_t i = 0; i < fact_count; i++) count += !is_near(entry_of(g, facts[i]));
  return count;
}

static void put_together(generalizer *g, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal,
                         hy_general_question *question) {
  rebuild(g);
  size_t room = fact_count + 2 * (size_t)g->count;
  question->facts = HY_NEW_ARRAY(hy_context_arena(g->context), const hy_expr *, room);
  question->goal = entry_of(g, goal)->image;
  question->fact_count = 0;
  for (size_t i = 0; i < fact_count; i++) {
    const entry *fact = entry_of(g, facts[i]);
    if (g->what != HY_NAMED_DIVISORS || is_near(fact)) question->facts[question->fact_count++] = fact->image;
  }
  define(g, question);
}

// The facts that have to do with the goal, in their order: what others divide by takes no name away.
static size_t keep_related(const generalizer *g, const hy_expr *const *facts, size_t count, const hy_expr *goal,
                           const hy_expr **kept) {
  hy_relevance relevance;
  hy_relevance_init(&relevance, g->arena);
  size_t related = hy_relevance_divide(&relevance, facts, count, goal, kept);
  hy_relevance_free(&relevance);
  return related;
}

bool hy_generalize(hy_context *context, hy_generalization what, const hy_expr *const *facts, size_t fact_count,
                   const hy_expr *goal, hy_general_question *question) {
  generalizer g = {.context = context, .arena = hy_arena_new(), .what = what};
  const hy_expr **related = HY_NEW_ARRAY(g.arena, const hy_expr *, fact_count);
  size_t count = keep_related(&g, facts, fact_count, goal, related);
  for (size_t i = 0; i < count; i++) collect(&g, related[i]);
  collect(&g, goal);
  qsort(g.order.data, g.order.count, sizeof *g.order.data, in_order);
  choose(&g);
  if (g.count || what == HY_NAMED_DIVISORS) put_together(&g, related, count, goal, question);
  bool is_other = g.count > 0;
  if (what == HY_NAMED_DIVISORS) is_other |= question->fact_count < count;
  if (what == HY_NAMED_ALL) is_other &= far_facts(&g, related, count) > 0;
  hy_pair_map_free(&g.entries);
  hy_vec_free(&g.order);
  hy_vec_free(&g.open);
  hy_arena_free(g.arena);
  return is_other;
}
