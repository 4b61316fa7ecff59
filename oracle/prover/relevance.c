#include "oracle/prover/relevance.h"

#include "semantics/base/vec.h"

#include <stdlib.h>
#include <string.h>

typedef HY_VEC(const hy_expr *) unknown_list;

typedef struct {
  size_t count;
  uint32_t *numbers;
  const hy_expr *items[];
} known_list;

void hy_relevance_init(hy_relevance *relevance, hy_arena *arena) { *relevance = (hy_relevance){.arena = arena}; }

void hy_relevance_free(hy_relevance *relevance) {
  hy_pair_map_free(&relevance->unknowns);
  hy_pair_map_free(&relevance->numbers);
  hy_vec_free(&relevance->reached);
}

static void note(void *self, const hy_expr *node) {
  unknown_list *list = self;
  if (node->kind == HY_EXPR_VAR || node->kind == HY_EXPR_ACCESS) hy_vec_push(list, node);
}

static uint32_t number_of(hy_relevance *relevance, const hy_expr *unknown) {
  const uint32_t *known = hy_pair_map_get(&relevance->numbers, unknown, NULL);
  if (known) return *known;
  uint32_t *number = HY_NEW(relevance->arena, uint32_t);
  *number = (uint32_t)relevance->reached.count;
  hy_vec_push(&relevance->reached, 0);
  hy_pair_map_put(&relevance->numbers, unknown, NULL, number);
  return *number;
}

static const known_list *unknowns_of(hy_relevance *relevance, const hy_expr *expr) {
  const known_list *known = hy_pair_map_get(&relevance->unknowns, expr, NULL);
  if (known) return known;
  unknown_list list = {0};
  hy_expr_visit(expr, note, &list);
  known_list *copy = hy_arena_allocate(relevance->arena, sizeof *copy + list.count * sizeof *list.data);
  copy->count = list.count;
  copy->numbers = HY_NEW_ARRAY(relevance->arena, uint32_t, list.count);
  for (size_t i = 0; i < list.count; i++) copy->numbers[i] = number_of(relevance, list.data[i]);
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

/* -- what has to do with the goal at all -- */

static void note_reached(hy_relevance *relevance, const known_list *list) {
  for (size_t i = 0; i < list->count; i++) relevance->reached.data[list->numbers[i]] = relevance->question;
}

// What mentions nothing is true or false of all.
static bool is_reached(const hy_relevance *relevance, const known_list *list) {
  bool found = list->count == 0;
  for (size_t i = 0; i < list->count && !found; i++)
    found = relevance->reached.data[list->numbers[i]] == relevance->question;
  return found;
}

size_t hy_relevance_divide(hy_relevance *relevance, const hy_expr *const *facts, size_t count, const hy_expr *goal,
                           const hy_expr **out) {
  const known_list *wanted = unknowns_of(relevance, goal);
  bool *taken = hy_allocate_zeroed(count + 1, sizeof *taken);
  size_t related = 0, before, put = 0;
  for (size_t i = 0; i < count; i++) unknowns_of(relevance, facts[i]); // all are numbered
  relevance->question++;
  note_reached(relevance, wanted);
  do {
    before = related;
    for (size_t i = 0; i < count; i++) {
      const known_list *list = taken[i] ? NULL : unknowns_of(relevance, facts[i]);
      if (!list || (wanted->count && !is_reached(relevance, list))) continue;
      note_reached(relevance, list);
      taken[i] = true;
      related++;
    }
  } while (related > before && related < count);
  for (int is_related = 1; is_related >= 0; is_related--)
    for (size_t i = 0; i < count; i++)
      if (taken[i] == is_related) out[put++] = facts[i];
  hy_free(taken);
  return related;
}

/* -- what another fact says as well -- */

// of: least <= of
typedef struct {
  const hy_expr *of;
  int64_t least;
  size_t fact;
} lower_bound;

// e + 3 and e - 3 are e and a number, which is added to "constant".
static const hy_expr *without_constant(const hy_expr *expr, int64_t *constant) {
  int64_t c;
  while (expr->kind == HY_EXPR_OP && (expr->op == HY_OP_ADD || expr->op == HY_OP_SUB) &&
         hy_expr_is_int(expr->args[1], &c)) {
    bool is_too_large = expr->op == HY_OP_ADD ? __builtin_add_overflow(*constant, c, constant)
                                              : __builtin_sub_overflow(*constant, c, constant);
    if (is_too_large) return NULL;
    expr = expr->args[0];
  }
  return expr;
}

// e + c >= d, d <= e + c
static bool is_lower_bound(const hy_expr *fact, lower_bound *bound) {
  if (fact->kind != HY_EXPR_OP || (fact->op != HY_OP_GE && fact->op != HY_OP_LE)) return false;
  bool is_turned = fact->op == HY_OP_LE;
  int64_t least, constant = 0;
  const hy_expr *of = fact->args[is_turned];
  if (of->type != HY_INT || !hy_expr_is_int(fact->args[!is_turned], &least)) return false;
  of = without_constant(of, &constant);
  if (!of || __builtin_sub_overflow(least, constant, &least)) return false;
  bound->of = of;
  bound->least = least;
  return true;
}

// len + 160 >= 0 says nothing where len >= 1 is known: the boxes of a hundred funcs are as many such facts. "out" may be
// "facts"; what is left stands in its order.
static size_t leave_out_weaker(const hy_expr *const *facts, size_t count, const hy_expr **out) {
  lower_bound *bounds = hy_allocate_zeroed(count, sizeof *bounds);
  bool *is_weaker = hy_allocate_zeroed(count, sizeof *is_weaker);
  hy_pair_map strongest = {0};
  for (size_t i = 0; i < count; i++) {
    lower_bound *bound = &bounds[i];
    if (!is_lower_bound(facts[i], bound)) continue;
    bound->fact = i;
    lower_bound *known = (lower_bound *)hy_pair_map_get(&strongest, bound->of, NULL);
    if (!known) {
      hy_pair_map_put(&strongest, bound->of, NULL, bound);
      continue;
    }
    is_weaker[bound->least > known->least ? known->fact : i] = true;
    if (bound->least > known->least) *known = *bound;
  }
  size_t left = 0;
  for (size_t i = 0; i < count; i++)
    if (!is_weaker[i]) out[left++] = facts[i];
  hy_pair_map_free(&strongest);
  hy_free(is_weaker);
  hy_free(bounds);
  return left;
}

// v == e for a variable v that is reached.
static bool defines_reached(const hy_pair_map *reached, const hy_expr *fact) {
  if (fact->kind != HY_EXPR_OP || fact->op != HY_OP_EQ || fact->args[0]->kind != HY_EXPR_VAR) return false;
  return fact->args[0]->var->kind == HY_VAR_LOOP && hy_pair_map_get(reached, fact->args[0], NULL);
}

// What a variable made by splits is made of, however many splits there are: without it nothing bounds it from below.
static void follow_definitions(hy_relevance *relevance, hy_pair_map *reached, const hy_expr *const *facts, size_t count,
                               bool *taken) {
  for (bool found = true; found;) {
    found = false;
    for (size_t i = 0; i < count; i++) {
      if (taken[i] || !defines_reached(reached, facts[i])) continue;
      taken[i] = found = true;
      reach(reached, unknowns_of(relevance, facts[i]));
    }
  }
}

// What mentions nothing that is not reached by now makes the question no larger: the other end of a loop, say.
static void close_up(hy_relevance *relevance, const hy_pair_map *reached, const hy_expr *const *facts, size_t count,
                     bool *taken) {
  for (size_t i = 0; i < count; i++) {
    const known_list *list = unknowns_of(relevance, facts[i]);
    size_t known = 0;
    while (known < list->count && hy_pair_map_get(reached, list->items[known], NULL)) known++;
    taken[i] |= known == list->count;
  }
}

size_t hy_relevance_choose(hy_relevance *relevance, const hy_expr *const *facts, size_t count, const hy_expr *goal,
                           const hy_expr **out) {
  const known_list *wanted = unknowns_of(relevance, goal);
  size_t chosen = 0, came = 0;
  if (count <= HY_RELEVANT_FACTS || wanted->count == 0) {
    if (count) memcpy(out, facts, count * sizeof *facts);
    return count;
  }
  count = leave_out_weaker(facts, count, out);
  facts = out;
  hy_pair_map reached = {0};
  bool *taken = hy_allocate_zeroed(count, sizeof *taken);
  reach(&reached, wanted);
  do {
    came = widen(relevance, &reached, facts, count, taken);
    chosen += came;
  } while (came > 0 && chosen < HY_NEAR_FACTS);
  follow_definitions(relevance, &reached, facts, count, taken);
  close_up(relevance, &reached, facts, count, taken);
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

static bool is_end_of(const hy_expr *unknown, const hy_var *var) {
  hy_var_kind kind = unknown->kind == HY_EXPR_VAR ? unknown->var->kind : HY_VAR_LOOP;
  return (kind == HY_VAR_IMAGE_MIN || kind == HY_VAR_IMAGE_LEN) && unknown->var->func == var->func &&
         unknown->var->dim == var->dim;
}

bool hy_relevance_is_of_other_side(hy_relevance *relevance, const hy_expr *fact, const hy_expr *goal) {
  const known_list *wanted = unknowns_of(relevance, goal), *has = unknowns_of(relevance, fact);
  if (!fact->has_box || !fact->has_conversion) return false;
  for (size_t i = 0; i < has->count; i++)
    for (size_t k = 0; k < wanted->count; k++)
      if (wanted->items[k]->kind == HY_EXPR_VAR && is_end_of(has->items[i], wanted->items[k]->var)) return false;
  return true;
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
