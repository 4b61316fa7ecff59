#include "oracle/prover/samples.h"

#include "oracle/prover/pair_map.h"
#include "oracle/prover/points.h"
#include "semantics/base/intern.h"
#include "semantics/value/monotone.h"

#include <stdlib.h>

enum { SMALL_POINTS = 14, MOST_UNKNOWNS = 200 };

typedef struct {
  int number;
  hy_points *points; // of all
} point;

struct hy_samples {
  hy_points *points;
};
_Static_assert((int)HY_SAMPLE_POINTS <= (int)HY_MOST_POINTS, "a bit each");

/* -- choosing values -- */

typedef struct {
  bool has_low, has_high, has_other;
  hy_wide low, high, other; // other: it is another number than this
  bool is_circular;         // some bound is made of the unknown itself
} bounds;

static uint64_t dice(const point *p, const hy_expr *unknown) {
  uint64_t name = unknown->kind == HY_EXPR_VAR ? unknown->var->id : unknown->hash;
  return hy_hash(hy_hash(0x5eed, (uint64_t)p->number), name);
}

// What any value of the unknown satisfies: its type; what the entry block checks of startup variables.
static bounds natural(const hy_expr *unknown) {
  hy_wide width = hy_wide_power_of_two(31);
  int bits = hy_type_bits(unknown->type);
  switch (hy_type_class_of(unknown->type)) {
  case HY_CLASS_BOOL: return (bounds){.has_low = true, .has_high = true, .low = 0, .high = 1};
  case HY_CLASS_UNSIGNED: return (bounds){.has_low = true, .has_high = true, .high = hy_wide_power_of_two(bits) - 1};
  case HY_CLASS_SIGNED:
    return (bounds){.has_low = true,
                    .has_high = true,
                    .low = -hy_wide_power_of_two(bits - 1),
                    .high = hy_wide_power_of_two(bits - 1) - 1};
  case HY_CLASS_FLOAT: // by rank, up to 8
    return (bounds){.has_low = true,
                    .has_high = true,
                    .low = -1 - (hy_wide)hy_float_power(unknown->type, 3),
                    .high = hy_float_power(unknown->type, 3)};
  case HY_CLASS_INTEGER: break;
  }
  if (unknown->kind != HY_EXPR_VAR) return (bounds){0};
  switch (unknown->var->kind) {
  case HY_VAR_IMAGE_LEN:
  case HY_VAR_WINDOW_LEN: return (bounds){.has_low = true, .has_high = true, .high = width};
  case HY_VAR_PARAM:
  case HY_VAR_IMAGE_MIN:
  case HY_VAR_WINDOW_MIN: return (bounds){.has_low = true, .has_high = true, .low = -width, .high = width};
  case HY_VAR_PURE:
  case HY_VAR_RDOM:
  case HY_VAR_LOOP:
  case HY_VAR_FRESH: break;
  }
  return (bounds){0};
}

static bool is_a(const hy_expr *unknown, hy_var_kind kind) {
  return unknown->kind == HY_EXPR_VAR && unknown->var->kind == kind;
}

static bool is_of_box(const hy_expr *unknown) {
  return is_a(unknown, HY_VAR_IMAGE_MIN) || is_a(unknown, HY_VAR_IMAGE_LEN);
}

// An image's box holds what is needed, and sometimes a little more.
static hy_wide choose_image(const point *p, const hy_expr *unknown, bounds b) {
  uint64_t random = dice(p, unknown);
  hy_wide more = random % 3 == 0 ? (hy_wide)(random >> 8) % 4 : 0;
  if (is_a(unknown, HY_VAR_IMAGE_LEN)) return b.low + more <= b.high ? b.low + more : b.high;
  return b.high - more >= b.low ? b.high - more : b.low;
}

// Small: near 0, or near the ends that something small has put there.
static hy_wide choose_small(const point *p, const hy_expr *unknown, bounds b) {
  uint64_t random = dice(p, unknown);
  hy_wide reach = p->number < 4 ? p->number : 3 + p->number, at = (hy_wide)(random % (uint64_t)(reach + 1));
  hy_wide low = b.has_low ? b.low : -reach, high = b.has_high ? b.high : reach;
  bool far = low > 1000 || high < -1000 || high - low < 1000; // of a loop: its own ends
  if (far && b.has_low && b.has_high) switch ((random >> 8) % 4) {
    case 0: return low;
    case 1: return high;
    default: return low + (hy_wide)((random >> 16) % (uint64_t)(high - low < 1000 ? high - low + 1 : 1000));
    }
  if (low > 0 || !b.has_high) return low + at;
  if (high < 0) return high - at;
  hy_wide value = (random >> 8) % 3 == 0 ? -at : at;
  return value < low ? low : value > high ? high : value;
}

// As large as it may be, and in steps less: an image must still hold what is needed.
static hy_wide choose_large(const point *p, const hy_expr *unknown, bounds b) {
  uint64_t random = dice(p, unknown);
  int step = (p->number - SMALL_POINTS) / 4;
  hy_wide most = hy_wide_power_of_two(62), size = step ? hy_wide_power_of_two(32 - step) - 1024 : most;
  hy_wide low = b.has_low ? b.low : -most, high = b.has_high ? b.high : most;
  if (low < -size && high > -size) low = -size;
  if (high > size && low < size) high = size;
  switch ((p->number - SMALL_POINTS) % 4) {
  case 0: return high;
  case 1: return low;
  default: return random % 8 == 0 ? (low <= 1 && high >= 1 ? 1 : low) : random % 2 ? low : high;
  }
}

static void choose(point *p, const hy_expr *unknown, bounds b) {
  bounds n = natural(unknown);
  bool is_needed = is_a(unknown, HY_VAR_IMAGE_LEN) ? b.has_low || b.is_circular : b.has_high;
  if (b.has_high && n.has_low && b.high < n.low) n.low = b.high; // beyond what the entry checks let pass
  if (n.has_low && (!b.has_low || b.low < n.low)) b.has_low = true, b.low = n.low;
  if (n.has_high && (!b.has_high || b.high > n.high)) b.has_high = true, b.high = n.high;
  if (b.has_low && b.has_high && b.low > b.high) b.high = b.low; // nothing fits: the facts will not hold
  if (b.is_circular && is_a(unknown, HY_VAR_IMAGE_LEN) && b.low < 60 && b.high > 60) b.low = 60; // much is enough
  hy_wide value = is_of_box(unknown) && is_needed ? choose_image(p, unknown, b)
                  : p->number < SMALL_POINTS      ? choose_small(p, unknown, b)
                                                  : choose_large(p, unknown, b);
  if (b.has_other && value == b.other) value += b.has_high && value == b.high ? -1 : 1;
  hy_points_give(p->points, unknown, p->number, value);
}

/* -- bounds from facts -- */

static void raise(bounds *b, hy_wide low) {
  if (!b->has_low || b->low < low) b->has_low = true, b->low = low;
}
static void lower(bounds *b, hy_wide high) {
  if (!b->has_high || b->high > high) b->has_high = true, b->high = high;
}

// unknown op value
static void bound_by(bounds *b, hy_op op, hy_wide value) {
  switch ((int)op) {
  case HY_OP_NE: b->has_other = true, b->other = value; return;
  case HY_OP_EQ: raise(b, value), lower(b, value); return;
  case HY_OP_LT: lower(b, value - 1); return;
  case HY_OP_LE: lower(b, value); return;
  case HY_OP_GT: raise(b, value + 1); return;
  case HY_OP_GE: raise(b, value); return;
  }
}

static int rank(const hy_expr *unknown) {
  if (unknown->kind != HY_EXPR_VAR) return 3;
  switch (unknown->var->kind) {
  case HY_VAR_PARAM:
  case HY_VAR_WINDOW_MIN:
  case HY_VAR_WINDOW_LEN: return 0;
  case HY_VAR_IMAGE_MIN: return 1;
  case HY_VAR_IMAGE_LEN: return 2;
  case HY_VAR_PURE:
  case HY_VAR_RDOM:
  case HY_VAR_LOOP:
  case HY_VAR_FRESH: break;
  }
  return 3;
}

/* What bounds an unknown: comparisons that facts are made of, of the unknown or of its sum with something. */

typedef struct {
  uint32_t id, order;        // of the unknown; of the comparison among all
  const hy_expr *comparison; // or one denied
  bool only_boxes;           // it bounds ends of image boxes alone
} mention;

typedef struct {
  HY_VEC(mention) mentions; // by id, then in order
  hy_pair_map seen;         // formulas that were looked through; facts share parts
  uint32_t count;           // of comparisons
} fact_list;

static void note_mention(fact_list *facts, const hy_expr *node, mention m) {
  m.id = node->id;
  if (node->kind != HY_EXPR_CONST) hy_vec_push(&facts->mentions, m);
}

static void note_comparison(fact_list *facts, const hy_expr *formula, bool only_boxes) {
  bool denied = formula->op == HY_OP_NOT;
  const hy_expr *fact = denied ? formula->args[0] : formula;
  if (fact->kind != HY_EXPR_OP) return;
  hy_typing typing = hy_op_typing(fact->op);
  if (typing != HY_TYPING_COMPARE && typing != HY_TYPING_EQUAL) return;
  mention m = {.order = facts->count++, .comparison = formula, .only_boxes = only_boxes};
  for (int side = 0; side < 2; side++) {
    const hy_expr *of = fact->args[side];
    note_mention(facts, of, m);
    for (int k = 0; k < 2 && of->kind == HY_EXPR_OP && of->op == HY_OP_ADD; k++) note_mention(facts, of->args[k], m);
  }
}

// An image's need is empty or inside its box: let it be inside.
static void note_mentions(fact_list *facts, const hy_expr *formula, bool only_boxes) {
  if (formula->kind != HY_EXPR_OP || hy_pair_map_get(&facts->seen, formula, only_boxes ? formula : NULL)) return;
  hy_pair_map_put(&facts->seen, formula, only_boxes ? formula : NULL, formula);
  if (formula->op == HY_OP_AND) note_mentions(facts, formula->args[0], only_boxes);
  if (formula->op == HY_OP_AND || formula->op == HY_OP_OR)
    note_mentions(facts, formula->args[1], only_boxes || formula->op == HY_OP_OR);
  else
    note_comparison(facts, formula, only_boxes);
}

static int by_id(const void *left, const void *right) {
  const mention *a = left, *b = right;
  if (a->id != b->id) return a->id < b->id ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static void list_facts(fact_list *facts, const hy_expr *const *all, size_t count) {
  *facts = (fact_list){0};
  for (size_t i = 0; i < count; i++) note_mentions(facts, all[i], false);
  if (facts->mentions.count) qsort(facts->mentions.data, facts->mentions.count, sizeof(mention), by_id);
}

static void free_list(fact_list *facts) {
  hy_vec_free(&facts->mentions);
  hy_pair_map_free(&facts->seen);
}

static size_t first_mention(const fact_list *facts, uint32_t id) {
  size_t low = 0, high = facts->mentions.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (facts->mentions.data[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

typedef struct {
  point *p;
  const fact_list *facts;
  int depth; // unknowns chosen for the sake of others
} chooser;

static void choose_by_facts(chooser *c, const hy_expr *unknown);

// What bounds an unknown: startup variables before images before loops, and what a definition is made of, get values
// now if they have none.
static bool value_for(chooser *c, bounds *b, const hy_expr *expr, const hy_expr *unknown, bool is_definition,
                      hy_wide *value) {
  enum { MOST_DEPTH = 12 };
  for (int i = 0; i < MOST_UNKNOWNS; i++) {
    const hy_expr *missing[HY_MOST_POINTS];
    missing[c->p->number] = NULL;
    if (hy_points_evaluate(c->p->points, expr, (uint32_t)1 << c->p->number, missing))
      return hy_points_value(c->p->points, expr, c->p->number, value);
    const hy_expr *other = missing[c->p->number];
    if (other == unknown) b->is_circular = true;
    bool first = other && other != unknown && (is_definition || rank(other) < rank(unknown));
    if (!first || c->depth >= MOST_DEPTH) return false;
    c->depth++;
    choose_by_facts(c, other);
    c->depth--;
  }
  return false;
}

static void bound_by_comparison(chooser *c, bounds *b, const hy_expr *unknown, const hy_expr *fact) {
  bool denied = fact->op == HY_OP_NOT;
  if (denied) fact = fact->args[0];
  hy_op op = denied ? hy_op_denied(fact->op) : fact->op;
  for (int side = 0; side < 2; side++) {
    hy_wide value, shift = 0;
    const hy_expr *of = fact->args[side];
    bool is_definition = op == HY_OP_EQ && of == unknown;
    bool is_sum = of->kind == HY_EXPR_OP && of->op == HY_OP_ADD && (of->args[0] == unknown || of->args[1] == unknown);
    if (is_sum && !value_for(c, b, of->args[of->args[0] == unknown], unknown, false, &shift)) continue;
    if ((of != unknown && !is_sum) || !value_for(c, b, fact->args[1 - side], unknown, is_definition, &value)) continue;
    bound_by(b, side == 0 ? op : hy_op_turned(op), value - shift);
  }
}

static void choose_by_facts(chooser *c, const hy_expr *unknown) {
  bounds b = {0};
  hy_wide known;
  const mention *all = c->facts->mentions.data, *before = NULL; // NULL where there are none
  for (size_t i = first_mention(c->facts, unknown->id); i < c->facts->mentions.count && all[i].id == unknown->id; i++) {
    if ((!before || before->order != all[i].order) && (!all[i].only_boxes || is_of_box(unknown)))
      bound_by_comparison(c, &b, unknown, all[i].comparison);
    before = &all[i];
  }
  if (!hy_points_value(c->p->points, unknown, c->p->number, &known)) choose(c->p, unknown, b);
}

// The points among these at which the formula has a value; unknowns that have none get one, by the facts if there are
// any.
static uint32_t settle(hy_points *points, const hy_expr *formula, uint32_t among, const fact_list *facts) {
  uint32_t settled = 0;
  for (int chosen = 0; among && chosen < MOST_UNKNOWNS; chosen++) {
    const hy_expr *missing[HY_MOST_POINTS] = {NULL};
    uint32_t there = hy_points_evaluate(points, formula, among, missing);
    settled |= there;
    among &= ~there;
    for (uint32_t left = among; left; left &= left - 1) {
      int i = __builtin_ctz(left);
      point p = {i, points};
      if (!missing[i])
        among &= ~((uint32_t)1 << i);
      else if (facts)
        choose_by_facts(&(chooser){&p, facts, 0}, missing[i]);
      else
        choose(&p, missing[i], (bounds){0});
    }
  }
  return settled;
}

/* -- verbs -- */

hy_samples *hy_samples_new(void) {
  hy_samples *samples = hy_allocate_zeroed(1, sizeof *samples);
  samples->points = hy_points_new();
  return samples;
}

void hy_samples_free(hy_samples *samples) {
  if (!samples) return;
  hy_points_free(samples->points);
  hy_free(samples);
}

uint32_t hy_samples_holding(hy_samples *samples, const hy_expr *const *facts, size_t count) {
  uint32_t holding = (uint32_t)(((uint64_t)1 << HY_SAMPLE_POINTS) - 1);
  fact_list list;
  list_facts(&list, facts, count);
  for (size_t i = 0; i < count && holding; i++) {
    uint32_t settled = settle(samples->points, facts[i], holding, &list);
    holding = settled & ~hy_points_false(samples->points, facts[i], settled);
  }
  free_list(&list);
  return holding;
}

int hy_samples_refute(hy_samples *samples, uint32_t points, const hy_expr *goal) {
  bool denies = goal->kind == HY_EXPR_OP && goal->op == HY_OP_NOT; // then what it denies is to be a fact
  fact_list denied;
  list_facts(&denied, goal->args, denies);
  uint32_t settled = settle(samples->points, goal, points, denies ? &denied : NULL);
  free_list(&denied);
  uint32_t refuting = hy_points_false(samples->points, goal, settled);
  return refuting ? __builtin_ctz(refuting) : -1;
}

bool hy_samples_value(const hy_samples *samples, int point, const hy_expr *unknown, hy_wide *value) {
  if (hy_type_class_of(unknown->type) == HY_CLASS_FLOAT) return false; // a rank tells nobody anything
  bool is_chosen = unknown->kind == HY_EXPR_VAR || unknown->kind == HY_EXPR_ACCESS || unknown->kind == HY_EXPR_HOLE ||
                   (unknown->kind == HY_EXPR_OP && unknown->op == HY_OP_CAST &&
                    hy_type_class_of(unknown->args[0]->type) == HY_CLASS_FLOAT);
  return is_chosen && hy_points_value(samples->points, unknown, point, value);
}
