#include "oracle/prover/relevance.h"

#include "semantics/base/vec.h"

#include <stdlib.h>
#include <string.h>

typedef HY_VEC(const hy_expr *) unknown_list;

typedef struct {
  size_t count;
  const hy_expr *items[];
} known_list;

void hy_relevance_init(hy_relevance *relevance, hy_arena *arena) { *relevance = (hy_relevance){.arena = arena}; }
void hy_relevance_free(hy_relevance *relevance) { hy_pair_map_free(&relevance->unknowns); }

static void note(void *self, const hy_expr *node) {
  unknown_list *list = self;
  if (node->kind == HY_EXPR_VAR || node->kind == HY_EXPR_ACCESS) hy_vec_push(list, node);
}

static const known_list *unknowns_of(hy_relevance *relevance, const hy_expr *expr) {
  const known_list *known = hy_pair_map_get(&relevance->unknowns, expr, NULL);
  if (known) return known;
  unknown_list list = {0};
  hy_expr_visit(expr, note, &list);
  known_list *copy = hy_arena_allocate(relevance->arena, sizeof *copy + list.count * sizeof *list.data);
  copy->count = list.count;
  if (list.count) memcpy(copy->items, list.data, list.count * sizeof *list.data);
  hy_vec_free(&list);
  hy_pair_map_put(&relevance->unknowns, expr, NULL, copy);
  return copy;
}

static void reach(hy_pair_map *reached, const known_list *list) {
  for (size_t i = 0; i < list->count; i++)
    if (!hy_pair_map_get(reached, list->items[i], NULL)) hy_pair_map_put(reached, list->items[i], NULL, list->items[i]);
}

static bool touches(const hy_pair_map *reached, const known_list *list) {
  for (size_t i = 0; i < list->count; i++)
    if (hy_pair_map_get(reached, list->items[i], NULL)) return true;
  return false;
}

// One round: all facts that touch what is reached; then what they mention is reached, too. Returns how many came.
static size_t widen(hy_relevance *relevance, hy_pair_map *reached, const hy_expr *const *facts, size_t count,
                    bool *taken) {
  unknown_list round = {0};
  for (size_t i = 0; i < count; i++) {
    if (taken[i] || !touches(reached, unknowns_of(relevance, facts[i]))) continue;
    taken[i] = true;
    hy_vec_push(&round, facts[i]);
  }
  size_t came = round.count;
  for (size_t i = 0; i < came; i++) reach(reached, unknowns_of(relevance, round.data[i]));
  hy_vec_free(&round);
  return came;
}

size_t hy_relevance_choose(hy_relevance *relevance, const hy_expr *const *facts, size_t count, const hy_expr *goal,
                           const hy_expr **out) {
  const known_list *wanted = unknowns_of(relevance, goal);
  size_t chosen = 0, came = 0;
  if (count <= HY_RELEVANT_FACTS || wanted->count == 0) {
    if (count) memcpy(out, facts, count * sizeof *facts);
    return count;
  }
  hy_pair_map reached = {0};
  bool *taken = hy_allocate_zeroed(count, sizeof *taken);
  reach(&reached, wanted);
  do {
    came = widen(relevance, &reached, facts, count, taken);
    chosen += came;
  } while (came > 0 && chosen < HY_RELEVANT_FACTS);
  chosen = 0;
  for (size_t i = 0; i < count; i++)
    if (taken[i]) out[chosen++] = facts[i];
  hy_free(taken);
  hy_pair_map_free(&reached);
  return chosen;
}

static bool lists(const known_list *list, const hy_expr *unknown) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i] == unknown) return true;
  return false;
}

bool hy_relevance_is_of_other_image(hy_relevance *relevance, const hy_expr *fact, const hy_expr *goal) {
  if (!fact->has_box || !goal->has_box) return false;
  const known_list *wanted = unknowns_of(relevance, goal), *has = unknowns_of(relevance, fact);
  bool other = false;
  for (size_t i = 0; i < has->count; i++) {
    if (has->items[i]->kind != HY_EXPR_VAR) continue;
    hy_var_kind kind = has->items[i]->var->kind;
    if (kind == HY_VAR_LOOP || kind == HY_VAR_PURE || kind == HY_VAR_RDOM || kind == HY_VAR_FRESH) return false;
    bool is_box = kind == HY_VAR_IMAGE_MIN || kind == HY_VAR_IMAGE_LEN;
    other |= is_box && !lists(wanted, has->items[i]);
  }
  return other;
}

static bool reads(const known_list *list) {
  bool found = false;
  for (size_t i = 0; i < list->count && !found; i++) found = list->items[i]->kind == HY_EXPR_ACCESS;
  return found;
}

bool hy_relevance_is_of_reads(hy_relevance *relevance, const hy_expr *fact) {
  return reads(unknowns_of(relevance, fact));
}

bool hy_relevance_is_of_other_reads(hy_relevance *relevance, const hy_expr *fact, const hy_expr *goal) {
  const known_list *wanted = unknowns_of(relevance, goal), *has = unknowns_of(relevance, fact);
  for (size_t i = 0; i < has->count; i++)
    if (has->items[i]->kind == HY_EXPR_ACCESS && lists(wanted, has->items[i])) return false;
  return reads(has);
}
