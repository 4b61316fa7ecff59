/* Parameters and boxes that meet what an algorithm requires ("require in.width() % 16 == 0;"): a search near what was
 * drawn, one variable at a time. Boxes grow if that will do, since they hold what is read already; else they move, and
 * whether they still hold it is asked by who checks the entry block.
 */

#include "engines/evaluate.h"
#include "halyard/sample.h"
#include "semantics/base/vec.h"

enum { ROUNDS = 16, NEAR = 128, EIGHTHS = 64 };

typedef struct {
  const hy_sampler *sampler;
  const hy_alg *alg;
  hy_arguments *a;
  const hy_expr *condition; // one that does not hold
} search;

static bool holds(const hy_alg *alg, const hy_arguments *a, const hy_expr *condition) {
  hy_value v = hy_input_evaluate(alg, &a->input, condition);
  return v.error == HY_OK && v.u;
}

/* -- steps -- */

// The left side less the right side of a comparison of numbers; false if it is none, or errs.
static bool excess(const search *s, int64_t *difference) {
  const hy_expr *c = s->condition;
  if (c->kind != HY_EXPR_OP || c->count != 2 || c->args[0]->type != HY_INT) return false;
  hy_value left = hy_input_evaluate(s->alg, &s->a->input, c->args[0]);
  hy_value right = hy_input_evaluate(s->alg, &s->a->input, c->args[1]);
  return !left.error && !right.error && !__builtin_sub_overflow(left.i, right.i, difference);
}

// Moves a variable by "step"; false, and nothing is moved, if it may not be there.
typedef bool mover(const search *s, int index, int dim, int64_t step);
typedef enum { UP = 1, DOWN = 2 } direction;
typedef struct {
  mover *move;
  int index, dim;
  unsigned directions;
} place;

static bool tries(const search *s, const place *p, int64_t step) {
  if (step == 0 || !(p->directions & (step > 0 ? UP : DOWN)) || !p->move(s, p->index, p->dim, step)) return false;
  if (holds(s->alg, s->a, s->condition)) return true;
  p->move(s, p->index, p->dim, -step);
  return false;
}

// Where a straight line through here and the next number meets the other side, and the numbers beside it.
static bool aims(const search *s, const place *p) {
  int64_t here, there, slope, next = p->directions & UP ? 1 : -1;
  if (!excess(s, &here) || !p->move(s, p->index, p->dim, next)) return false;
  bool known = excess(s, &there);
  p->move(s, p->index, p->dim, -next);
  if (!known || __builtin_sub_overflow(there, here, &slope) || slope == 0) return false;
  if (here > INT64_MAX / 2 || here < -INT64_MAX / 2) return false;
  for (int64_t beside = -1; beside <= 1; beside++)
    if (tries(s, p, -here / slope * next + beside)) return true;
  return false;
}

static bool moves(const search *s, place p) {
  if (aims(s, &p)) return true;
  for (int64_t step = 1; step <= NEAR; step++)
    if (tries(s, &p, step) || tries(s, &p, -step)) return true;
  return false;
}

/* -- what moves -- */

static bool move_parameter(const search *s, int i, int dim, int64_t step) {
  (void)dim;
  hy_value *value = &s->a->params[i], was = *value;
  if (was.type == HY_INT && __builtin_add_overflow(was.i, step, &step)) return false;
  *value = was.type == HY_INT ? hy_value_int(step) : hy_value_integral((hy_type)was.type, was.i + step);
  if (hy_alg_param_fits(s->alg, i, *value)) return true;
  *value = was;
  return false;
}

static bool within(int64_t number) { return number >= -(INT64_C(1) << 31) && number <= INT64_C(1) << 31; }

// Its length.
static bool move_end(const search *s, int k, int dim, int64_t step) {
  int64_t *len = &s->a->images[k]->len[dim];
  if (*len + step < 0 || !within(*len + step)) return false;
  *len += step;
  return true;
}

// Its minimum; the end stays.
static bool move_begin(const search *s, int k, int dim, int64_t step) {
  hy_buffer *box = s->a->images[k];
  if (!within(box->min[dim] + step) || box->len[dim] - step < 0 || !within(box->len[dim] - step)) return false;
  box->min[dim] += step;
  box->len[dim] -= step;
  return true;
}

// Both: a box of the same length elsewhere.
static bool move_box(const search *s, int k, int dim, int64_t step) {
  int64_t *min = &s->a->images[k]->min[dim];
  if (!within(*min + step)) return false;
  *min += step;
  return true;
}

static bool set_float(const search *s, int i) {
  hy_value *value = &s->a->params[i], was = *value;
  for (int64_t k = 0; k <= 2 * EIGHTHS; k++) {
    *value = hy_value_from_double((hy_type)was.type, (double)(k % 2 ? -(k + 1) / 2 : k / 2) / 8.0);
    if (hy_alg_param_fits(s->alg, i, *value) && holds(s->alg, s->a, s->condition)) return true;
  }
  *value = was;
  return false;
}

static bool set_bool(const search *s, int i) {
  hy_value *value = &s->a->params[i];
  *value = hy_value_bool(!value->u);
  if (holds(s->alg, s->a, s->condition)) return true;
  *value = hy_value_bool(!value->u);
  return false;
}

static bool meet_by_parameters(const search *s) {
  for (int i = 0; i < s->alg->param_count; i++) {
    const hy_var *param = s->alg->params[i];
    bool is_given = s->sampler->params && s->sampler->is_given[i];
    if (is_given || !hy_expr_mentions(s->condition, param)) continue;
    hy_type_class class = hy_type_class_of(param->type);
    bool met = class == HY_CLASS_FLOAT  ? set_float(s, i)
               : class == HY_CLASS_BOOL ? set_bool(s, i)
                                        : moves(s, (place){move_parameter, i, 0, UP | DOWN});
    if (met) return true;
  }
  return false;
}

static bool meet_by_box(const search *s, int k, int d, bool grows) {
  const hy_func *image = s->alg->images[k];
  bool begins = hy_expr_mentions(s->condition, image->min[d]), ends = hy_expr_mentions(s->condition, image->len[d]);
  if ((begins || ends) && moves(s, (place){move_end, k, d, grows ? UP : DOWN})) return true;
  return begins && moves(s, grows ? (place){move_begin, k, d, DOWN} : (place){move_box, k, d, UP | DOWN});
}

static bool meet_by_boxes(const search *s) {
  for (int turn = 0; turn < 2; turn++)
    for (int k = 0; k < s->alg->image_count; k++)
      for (int d = 0; d < s->alg->images[k]->rank; d++)
        if (meet_by_box(s, k, d, turn == 0)) return true;
  return false;
}

/* -- all of it -- */

typedef HY_VEC(const hy_expr *) conditions;

static void split(const hy_expr *condition, conditions *list) {
  if (condition->kind != HY_EXPR_OP || condition->op != HY_OP_AND) {
    hy_vec_push(list, condition);
    return;
  }
  split(condition->args[0], list);
  split(condition->args[1], list);
}

static bool mentions_box(const hy_alg *alg, const hy_expr *condition) {
  bool does = false;
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++)
      does = does || hy_expr_mentions(condition, alg->images[k]->min[d]) ||
             hy_expr_mentions(condition, alg->images[k]->len[d]);
  return does;
}

bool hy_sample_meet_requirements(const hy_sampler *sampler, const hy_alg *alg, bool boxes, hy_arguments *a) {
  conditions list = {0};
  search s = {.sampler = sampler, .alg = alg, .a = a};
  for (int i = 0; i < alg->requirement_count; i++) split(alg->requirements[i].condition, &list);
  bool met = false, moved = true;
  for (int round = 0; round < ROUNDS && !met && moved; round++) {
    met = true, moved = false;
    for (size_t i = 0; i < list.count; i++) {
      s.condition = list.data[i];
      if (mentions_box(alg, s.condition) != boxes || holds(alg, a, s.condition)) continue;
      met = false;
      moved = (boxes ? meet_by_boxes(&s) : meet_by_parameters(&s)) || moved;
    }
  }
  hy_vec_free(&list);
  return met;
}
