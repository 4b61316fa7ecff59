#include "oracle/prover/points.h"

#include "oracle/prover/evaluate.h"
#include "semantics/base/arena.h"
#include "semantics/base/id_map.h"
#include "semantics/value/monotone.h"

#include <stdlib.h>

enum { MAX_DEPTH = 2500 };

typedef struct {
  const hy_expr *node;
  uint32_t valid; // the points at which it has a value
  hy_wide values[HY_MOST_POINTS];
} entry;

struct hy_points {
  hy_arena *arena;
  hy_id_map entries; // entry *, by nodes
  int depth;
  const hy_expr **missing; // of the evaluation under way
};

/* -- what is known -- */

static entry *entry_of(hy_points *points, const hy_expr *node) {
  uintptr_t *known = hy_id_map_put(&points->entries, node->id);
  if (*known) return (entry *)*known;
  entry *fresh = HY_NEW(points->arena, entry);
  fresh->node = node;
  *known = (uintptr_t)fresh;
  return fresh;
}

static const entry *known_entry(const hy_points *points, const hy_expr *node) {
  const uintptr_t *known = hy_id_map_find(&points->entries, node->id);
  return known ? (const entry *)*known : NULL;
}

/* -- evaluating -- */

#define EACH_POINT(i, mask)                                                                                            \
  for (uint32_t left = (mask), i; left && ((i = (uint32_t)__builtin_ctz(left)), true); left &= left - 1)

static bool is_float(const hy_expr *expr) { return hy_type_class_of(expr->type) == HY_CLASS_FLOAT; }

static void note_missing(hy_points *points, const hy_expr *unknown, uint32_t where) {
  EACH_POINT(i, where) {
    if (!points->missing[i]) points->missing[i] = unknown;
  }
}

static uint32_t evaluate(hy_points *points, const hy_expr *expr, uint32_t wanted, const entry **value);

static void take(entry *to, const entry *from, uint32_t where) {
  EACH_POINT(i, where) to->values[i] = from->values[i];
  to->valid |= where;
}

static uint32_t true_points(const entry *of, uint32_t among) {
  uint32_t result = 0;
  EACH_POINT(i, among) result |= (uint32_t)(of->values[i] != 0) << i;
  return result;
}

// && || and select evaluate what they select.
static void evaluate_lazily(hy_points *points, entry *to, uint32_t wanted) {
  const hy_expr *expr = to->node;
  const entry *first, *second;
  uint32_t known = evaluate(points, expr->args[0], wanted, &first), yes = known ? true_points(first, known) : 0;
  if (expr->op == HY_OP_SELECT) {
    uint32_t taken = yes ? evaluate(points, expr->args[1], yes, &second) : 0;
    if (taken) take(to, second, taken);
    taken = known & ~yes ? evaluate(points, expr->args[2], known & ~yes, &second) : 0;
    if (taken) take(to, second, taken);
    return;
  }
  uint32_t open = expr->op == HY_OP_AND ? yes : known & ~yes;
  if (known & ~open) take(to, first, known & ~open);
  uint32_t taken = open ? evaluate(points, expr->args[1], open, &second) : 0;
  if (taken) take(to, second, taken);
}

/* -- floats are their ranks -- */

static bool to_value(hy_type type, hy_wide number, hy_value *value) {
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) {
    *value = hy_float_of_rank(type, (int64_t)number);
    return true;
  }
  *value = hy_value_integral(type, (int64_t)number);
  return number == (int64_t)number || type == HY_U64;
}

static bool from_value(hy_value value, hy_wide *number) {
  if (value.error != HY_OK) return false;
  hy_type_class class = hy_type_class_of(value.type);
  if (class == HY_CLASS_FLOAT)
    *number = hy_float_rank(value);
  else
    *number = class == HY_CLASS_INTEGER || class == HY_CLASS_SIGNED ? (hy_wide)value.i : (hy_wide)value.u;
  return true;
}

static bool evaluate_floats(const hy_expr *expr, const hy_wide *numbers, hy_wide *result) {
  hy_value args[HY_MAX_ARITY];
  for (int k = 0; k < expr->count; k++)
    if (!to_value(expr->args[k]->type, numbers[k], &args[k])) return false;
  return from_value(hy_value_apply(expr->op, expr->type, args), result);
}

static bool has_floats(const hy_expr *expr) {
  bool found = is_float(expr);
  for (int k = 0; k < expr->count; k++) found |= is_float(expr->args[k]);
  return found;
}

static void evaluate_op(hy_points *points, entry *to, uint32_t wanted) {
  const hy_expr *expr = to->node;
  const entry *args[HY_MAX_ARITY];
  if (hy_op_is_lazy(expr->op)) {
    evaluate_lazily(points, to, wanted);
    return;
  }
  for (int k = 0; k < expr->count && wanted; k++) {
    if (is_float(expr->args[k]) && expr->has_access) {
      if (expr->op == HY_OP_CAST) note_missing(points, expr, wanted);
      return;
    }
    wanted = evaluate(points, expr->args[k], wanted, &args[k]);
  }
  EACH_POINT(i, wanted) {
    hy_wide numbers[HY_MAX_ARITY];
    for (int k = 0; k < expr->count; k++) numbers[k] = args[k]->values[i];
    bool is_there = has_floats(expr) ? evaluate_floats(expr, numbers, &to->values[i])
                                     : hy_evaluate_op(expr->op, expr->type, numbers, &to->values[i]);
    if (is_there) to->valid |= (uint32_t)1 << i;
  }
}

static void evaluate_new(hy_points *points, entry *to, uint32_t wanted) {
  const hy_expr *expr = to->node;
  hy_wide value;
  switch (expr->kind) {
  case HY_EXPR_CONST:
    if (is_float(expr) ? !from_value(expr->value, &value) : !hy_evaluate_constant(expr, &value)) return;
    for (int i = 0; i < HY_MOST_POINTS; i++) to->values[i] = value;
    to->valid = UINT32_MAX;
    return;
  case HY_EXPR_VAR:
  case HY_EXPR_ACCESS:
  case HY_EXPR_HOLE: note_missing(points, expr, wanted); return;
  case HY_EXPR_TUPLE: break;
  case HY_EXPR_OP:
    points->depth++;
    evaluate_op(points, to, wanted);
    points->depth--;
    return;
  }
  HY_UNREACHABLE();
}

// Entries stay where they are: "value" can be read at the points of the result.
static uint32_t evaluate(hy_points *points, const hy_expr *expr, uint32_t wanted, const entry **value) {
  if ((is_float(expr) && expr->has_access) || points->depth > MAX_DEPTH) return 0;
  entry *own = entry_of(points, expr);
  *value = own;
  uint32_t open = wanted & ~own->valid;
  if (open) evaluate_new(points, own, open);
  return wanted & own->valid;
}

/* -- verbs -- */

hy_points *hy_points_new(void) {
  hy_points *points = hy_allocate_zeroed(1, sizeof *points);
  points->arena = hy_arena_new();
  hy_id_map_begin(&points->entries);
  return points;
}

void hy_points_free(hy_points *points) {
  if (!points) return;
  hy_arena_free(points->arena);
  hy_id_map_end(&points->entries);
  hy_free(points);
}

uint32_t hy_points_evaluate(hy_points *points, const hy_expr *expr, uint32_t wanted, const hy_expr **missing) {
  const entry *value;
  points->missing = missing;
  return wanted ? evaluate(points, expr, wanted, &value) : 0;
}

bool hy_points_value(const hy_points *points, const hy_expr *expr, int point, hy_wide *value) {
  const entry *known = known_entry(points, expr);
  if (!known || !(known->valid >> point & 1)) return false;
  *value = known->values[point];
  return true;
}

uint32_t hy_points_false(const hy_points *points, const hy_expr *formula, uint32_t among) {
  const entry *known = known_entry(points, formula);
  return known ? among & known->valid & ~true_points(known, among & known->valid) : 0;
}

void hy_points_give(hy_points *points, const hy_expr *unknown, int point, hy_wide value) {
  entry *own = entry_of(points, unknown);
  own->values[point] = value;
  own->valid |= (uint32_t)1 << point;
}
