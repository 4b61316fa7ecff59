/* Boundary conditions: a func is continued outside of a box. Each is a map of every coordinate into the box; what it
 * gives is bounded by the box once more, which changes nothing where the box has points, and from which bounds are
 * inferred without looking at the map.
 *
 * The maps are those of Halide 21 (BoundaryConditions.cpp). Where it divides by the extent they divide by one at least:
 * the core has x % 0 as an error, Halide as 0, and both then read the only point there is.
 */

#include "semantics/alg/expand/expand.h"

#include <string.h>

static const struct {
  const char *name;
  bool takes_value;
} rows[] = {
#define HY_BOUNDARY(name, spelling, takes_value) {spelling, takes_value},
#include "semantics/alg/expand/expansions.def"
#undef HY_BOUNDARY
};

static const hy_rule rules[HY_BOUNDARY_COUNT] = {
    [HY_BOUNDARY_REPEAT_EDGE] = HY_RULE_ALG_EXPAND_REPEAT_EDGE,
    [HY_BOUNDARY_CONSTANT_EXTERIOR] = HY_RULE_ALG_EXPAND_CONSTANT_EXTERIOR,
    [HY_BOUNDARY_REPEAT_IMAGE] = HY_RULE_ALG_EXPAND_REPEAT_IMAGE,
    [HY_BOUNDARY_MIRROR_IMAGE] = HY_RULE_ALG_EXPAND_MIRROR_IMAGE,
    [HY_BOUNDARY_MIRROR_INTERIOR] = HY_RULE_ALG_EXPAND_MIRROR_INTERIOR,
};

const char *hy_boundary_name(hy_boundary boundary) { return rows[boundary].name; }
bool hy_boundary_takes_value(hy_boundary boundary) { return rows[boundary].takes_value; }

bool hy_boundary_find(const char *name, hy_boundary *boundary) {
  for (int i = 0; i < HY_BOUNDARY_COUNT; i++)
    if (rows[i].name[0] == name[0] && strcmp(rows[i].name, name) == 0) return *boundary = (hy_boundary)i, true;
  return false;
}

/* -- one coordinate -- */

typedef struct {
  hy_context *context;
  const hy_expr *e;       // the coordinate
  const hy_expr *min, *n; // of the box
} place;

static const hy_expr *number(const place *p, int64_t i) { return hy_expr_int(p->context, i); }

// m + n - 1
static const hy_expr *last(const place *p) {
  const hy_expr *one = number(p, 1);
  return hy_index_sub(p->context, hy_index_add(p->context, p->min, p->n), one);
}

// edge(e, m, n) = clamp(e, m, m + n - 1)
static const hy_expr *edge(const place *p, const hy_expr *e) {
  const hy_expr *below = hy_expr_binary(p->context, HY_OP_MIN, e, last(p));
  return hy_expr_binary(p->context, HY_OP_MAX, below, p->min);
}

// max(period, 1), a constant where it is one
static const hy_expr *at_least_one(const place *p, const hy_expr *period) {
  int64_t constant;
  if (hy_expr_is_int(period, &constant) && constant >= 1) return period;
  return hy_expr_binary(p->context, HY_OP_MAX, period, number(p, 1));
}

// (e - m) % max(period, 1)
static const hy_expr *position(const place *p, const hy_expr *period) {
  const hy_expr *offset = hy_index_sub(p->context, p->e, p->min);
  return hy_expr_binary(p->context, HY_OP_MOD, offset, at_least_one(p, period));
}

static const hy_expr *twice(const place *p, const hy_expr *a) { return hy_index_mul(p->context, number(p, 2), a); }

// ALG.Expand.Repeat-Image: repeat(e, m, n) = edge((e - m) % max(n, 1) + m, m, n)
static const hy_expr *repeat(const place *p) {
  const hy_expr *offset = position(p, p->n);
  return edge(p, hy_index_add(p->context, offset, p->min));
}

// ALG.Expand.Mirror-Image: mirror(e, m, n) = edge(min(k, 2*n - 1 - k) + m, m, n), k = (e - m) % max(2*n, 1)
static const hy_expr *mirror(const place *p) {
  const hy_expr *k = position(p, twice(p, p->n));
  const hy_expr *one = number(p, 1), *top = hy_index_sub(p->context, twice(p, p->n), one);
  const hy_expr *folded = hy_expr_binary(p->context, HY_OP_MIN, k, hy_index_sub(p->context, top, k));
  return edge(p, hy_index_add(p->context, folded, p->min));
}

// ALG.Expand.Mirror-Interior: interior(e, m, n) = edge(min(k, 2*(n - 1) - k) + m, m, n), k = (e - m) % max(2*(n - 1),
// 1)
static const hy_expr *interior(const place *p) {
  const hy_expr *period = twice(p, hy_index_sub(p->context, p->n, number(p, 1)));
  const hy_expr *k = position(p, period);
  const hy_expr *folded = hy_expr_binary(p->context, HY_OP_MIN, k, hy_index_sub(p->context, period, k));
  return edge(p, hy_index_add(p->context, folded, p->min));
}

static const hy_expr *map_coordinate(hy_boundary boundary, const place *p) {
  switch (boundary) {
  case HY_BOUNDARY_REPEAT_EDGE: // ALG.Expand.Repeat-Edge
  case HY_BOUNDARY_CONSTANT_EXTERIOR: return edge(p, p->e);
  case HY_BOUNDARY_REPEAT_IMAGE: return repeat(p);
  case HY_BOUNDARY_MIRROR_IMAGE: return mirror(p);
  case HY_BOUNDARY_MIRROR_INTERIOR: return interior(p);
  case HY_BOUNDARY_COUNT: break;
  }
  HY_UNREACHABLE();
}

// e < m || e >= m + n
static const hy_expr *outside(const place *p) {
  const hy_expr *end = hy_index_add(p->context, p->min, p->n);
  const hy_expr *below = hy_expr_binary(p->context, HY_OP_LT, p->e, p->min);
  return hy_expr_or(p->context, below, hy_expr_binary(p->context, HY_OP_GE, p->e, end));
}

/* -- the whole -- */

const hy_expr *hy_expand_boundary(hy_context *context, hy_boundary boundary, const hy_func *func, int part,
                                  const hy_interval *box, int treated, const hy_expr *const *coordinates,
                                  const hy_expr *value, const hy_expr **access) {
  const hy_expr *mapped[HY_MAX_RANK], *is_outside = hy_expr_bool(context, false);
  for (int d = 0; d < func->rank; d++) {
    mapped[d] = coordinates[d];
    if (d >= treated) continue;
    place p = {context, coordinates[d], box[d].min, box[d].len};
    mapped[d] = map_coordinate(boundary, &p);
    is_outside = hy_expr_or(context, is_outside, outside(&p));
  }
  hy_context_hit(context, rules[boundary]);
  *access = hy_expr_access_part(context, func, part, mapped);
  // ALG.Expand.Constant-Exterior: the value where some coordinate lies outside
  return value ? hy_expr_select(context, is_outside, value, *access) : *access;
}
