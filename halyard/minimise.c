#include "halyard/minimise.h"

#include "semantics/base/vec.h"

#include <string.h>

/* Greedy: first all numbers are bounded together, then one unknown after the other is set to the smallest of a few
 * values with which the obligation still fails, given those before. What cannot be made smaller keeps its value, so
 * that the model stays one.
 */

enum { MOST_TRIED = 4 };

typedef struct {
  hy_context *context;
  const hy_obligation *obligation;
  unsigned z3_limit;
  uint64_t left; // of the steps
  HY_VEC(const hy_expr *) facts;
  hy_z3_verdict best;
} search;

// In this order they are made small: what the user has to type, then where to look.
static int class_of(const hy_expr *unknown) {
  if (unknown->kind != HY_EXPR_VAR) return 5;
  switch (unknown->var->kind) {
  case HY_VAR_WINDOW_LEN: return 0;
  case HY_VAR_PARAM: return 1;
  case HY_VAR_WINDOW_MIN: return 2;
  case HY_VAR_IMAGE_MIN:
  case HY_VAR_IMAGE_LEN: return 3;
  case HY_VAR_LOOP:
  case HY_VAR_PURE:
  case HY_VAR_RDOM:
  case HY_VAR_FRESH: return 4;
  }
  HY_UNREACHABLE();
}

static const hy_expr *compare(const search *s, hy_op op, const hy_expr *unknown, int64_t value) {
  return hy_expr_binary(s->context, op, unknown, hy_expr_int(s->context, value));
}

static void free_facts(const hy_expr **facts[], size_t count) {
  for (size_t i = 0; i < count; i++) hy_free(facts[i]);
}

// Asks them; the position of the first of which there is a model, or count.
static size_t ask(search *s, const hy_z3_question *questions, size_t count) {
  hy_z3_verdict verdicts[MOST_TRIED];
  size_t first = count;
  hy_z3_check(s->context, questions, count, s->z3_limit, verdicts);
  for (size_t i = 0; i < count; i++) {
    uint64_t steps = verdicts[i].emergency ? s->left : verdicts[i].steps + 1;
    s->left -= steps < s->left ? steps : s->left;
    if (first < count || verdicts[i].answer != HY_NO) continue;
    s->best = verdicts[i];
    first = i;
  }
  return first;
}

// Asks the question with each of several more sets of facts, and keeps the first model. "sets" are spans of "more". So
// many are asked about first, and the others only if those will not do.
static bool improve(search *s, const hy_expr *const *more, const size_t *spans, size_t count, size_t alone) {
  hy_z3_question questions[MOST_TRIED];
  const hy_expr **facts[MOST_TRIED];
  if (!s->left || !count) return false;
  for (size_t i = 0, at = 0; i < count; at += spans[i++]) {
    facts[i] = hy_allocate(sizeof **facts * (s->facts.count + spans[i] + 1));
    memcpy(facts[i], s->facts.data, sizeof **facts * s->facts.count);
    memcpy(facts[i] + s->facts.count, more + at, sizeof **facts * spans[i]);
    questions[i] = (hy_z3_question){facts[i], s->facts.count + spans[i], s->obligation->goal};
  }
  size_t found = ask(s, questions, alone);
  if (found == alone && count > alone && s->left) found += ask(s, questions + alone, count - alone);
  for (size_t i = 0, at = 0; i < count; at += spans[i++])
    for (size_t k = 0; i == found && k < spans[i]; k++) hy_vec_push(&s->facts, more[at + k]);
  free_facts(facts, count);
  return found < count;
}

// All numbers near 0.
static void bound_all(search *s) {
  static const int64_t bounds[] = {3, 16, 80};
  HY_VEC(const hy_expr *) more = {0};
  size_t spans[HY_COUNT(bounds)] = {0};
  for (size_t b = 0; b < HY_COUNT(bounds); b++)
    for (size_t i = 0; i < s->best.model_count; i++) {
      const hy_expr *unknown = s->best.model[i].unknown;
      if (unknown->type != HY_INT) continue;
      hy_vec_push(&more, compare(s, HY_OP_GE, unknown, -bounds[b]));
      hy_vec_push(&more, compare(s, HY_OP_LE, unknown, bounds[b]));
      spans[b] += 2;
    }
  improve(s, more.data, spans, HY_COUNT(bounds), HY_COUNT(bounds));
  hy_vec_free(&more);
}

static int64_t value_in(const hy_z3_verdict *verdict, const hy_expr *unknown, int64_t otherwise) {
  for (size_t i = 0; i < verdict->model_count; i++)
    if (verdict->model[i].unknown == unknown) return verdict->model[i].value;
  return otherwise;
}

static void shrink_one(search *s, const hy_expr *unknown) {
  static const int64_t lengths[] = {1, 2, 3}, numbers[] = {0, 1, -1};
  bool is_length = class_of(unknown) == 0;
  const int64_t *tried = is_length ? lengths : numbers;
  const hy_expr *more[3];
  size_t spans[3] = {1, 1, 1}, count = 0;
  int64_t now = value_in(&s->best, unknown, 0);
  for (; count < 3 && tried[count] != now; count++) more[count] = compare(s, HY_OP_EQ, unknown, tried[count]);
  if (count && improve(s, more, spans, count, 1)) return; // most often the first will do
  hy_vec_push(&s->facts, compare(s, HY_OP_EQ, unknown, now));
}

hy_decision hy_minimise(hy_context *context, const hy_query *query, const hy_decision *decision, unsigned z3_limit,
                        uint64_t *budget) {
  if (!*budget || decision->is_small) return *decision;
  search s = {.context = context, .obligation = decision->obligation, .left = *budget};
  s.z3_limit = z3_limit < 50 ? z3_limit : 50;
  s.best = (hy_z3_verdict){.answer = HY_NO, .model = decision->values, .model_count = decision->value_count};
  for (size_t i = 0; i < decision->obligation->fact_count; i++) hy_vec_push(&s.facts, decision->obligation->facts[i]);
  for (size_t i = 0; i < query->entry_count; i++) hy_vec_push(&s.facts, query->entry[i]);
  bound_all(&s);
  for (int class = 0; class <= 4; class ++)
    for (size_t i = 0; i < decision->value_count && s.left; i++) {
      const hy_expr *unknown = decision->values[i].unknown;
      if (class != 3 && class_of(unknown) == class && unknown->type == HY_INT) shrink_one(&s, unknown);
    }
  hy_vec_free(&s.facts);
  *budget = s.left;
  hy_decision smaller = *decision;
  smaller.model = hy_oracle_print_model(context, &s.best);
  smaller.values = s.best.model;
  smaller.value_count = s.best.model_count;
  smaller.is_small = s.left > 0;
  return smaller;
}
