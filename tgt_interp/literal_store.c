/* Environments and the store of the literal interpreter: locations, which allocate makes and a sequence ends, with a
 * value and its mark in each cell.
 *
 *   TGT.Alloc       each cell begins with an arbitrary ordinary value, marked undefined, others at each allocation (D7)
 *   TGT.Read-Fold   of a folded location each cell knows which point it holds (D86)
 *
 * What a run holds at once has a limit, at which it is given up (HY_RUN_LIMIT): that says nothing of the program.
 */

#include "tgt_interp/literal_internal.h"

#include "semantics/base/intern.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 22, CELLS_PER_STEP = 16 };

/* -- environments -- */

const binding *hy_literal_bind(literal *l, const binding *env, const hy_var *var, hy_value value) {
  binding *b = HY_NEW(l->arena, binding);
  *b = (binding){.var = var, .value = value, .outer = env};
  return b;
}

const binding *hy_literal_bind_func(literal *l, const binding *env, const hy_func *func, location *at) {
  binding *b = HY_NEW(l->arena, binding);
  *b = (binding){.func = func, .at = at, .outer = env};
  return b;
}

static const binding *bind_box(literal *l, const binding *env, int rank, const hy_var *const *min_vars,
                               const hy_var *const *len_vars, const int64_t *min, const int64_t *len) {
  for (int d = 0; d < rank; d++) {
    env = hy_literal_bind(l, env, min_vars[d], hy_value_int(min[d]));
    env = hy_literal_bind(l, env, len_vars[d], hy_value_int(len[d]));
  }
  return env;
}

static location *image_location(literal *l, const hy_func *func, const hy_buffer *image) {
  location *at = HY_NEW(l->arena, location);
  *at = (location){.func = func, .image = image, .count = image->count};
  memcpy(at->min, image->min, sizeof at->min);
  memcpy(at->len, image->len, sizeof at->len);
  return at;
}

const binding *hy_literal_startup(literal *l) {
  const hy_alg *alg = l->tgt->alg;
  const binding *env = NULL;
  for (int i = 0; i < alg->param_count; i++) env = hy_literal_bind(l, env, alg->params[i], l->input->params[i]);
  for (int k = 0; k < alg->image_count; k++) {
    const hy_func *image = alg->images[k];
    const hy_buffer *buffer = l->input->images[k];
    env = bind_box(l, env, image->rank, image->min, image->len, buffer->min, buffer->len);
    env = hy_literal_bind_func(l, env, image, image_location(l, image, buffer));
  }
  return bind_box(l, env, alg->window_rank, alg->window_min, alg->window_len, l->input->window_min,
                  l->input->window_len);
}

hy_value hy_literal_lookup(const binding *env, const hy_var *var) {
  for (; env; env = env->outer)
    if (env->var == var) return env->value;
  HY_DIE("a target program mentions variable %u, '%s', outside its scope", var->id, var->name ? var->name : "");
}

location *hy_literal_location(const binding *env, const hy_func *func) {
  for (; env; env = env->outer)
    if (env->func == func) return env->at->cells || env->at->image ? env->at : NULL;
  return NULL;
}

/* -- locations -- */

// Any ordinary value of the type; those of int are small, so that garbage looks like a coordinate.
static hy_value arbitrary(hy_type type, uint64_t bits) {
  hy_value value;
  switch (hy_type_class_of(type)) {
  case HY_CLASS_FLOAT: value = hy_value_from_double(type, (double)(int64_t)bits / 0x1p40); break;
  case HY_CLASS_INTEGER: value = hy_value_int((int16_t)bits); break;
  case HY_CLASS_BOOL: value = hy_value_bool(bits & 1); break;
  case HY_CLASS_SIGNED:
  case HY_CLASS_UNSIGNED: value = hy_value_integral(type, (int64_t)bits); break;
  }
  value.undefined = true;
  return value;
}

// Every cell holds every point.
static void forget_points(location *at) {
  size_t count = at->count * (size_t)at->func->rank;
  if (!at->holds) at->holds = hy_allocate(sizeof *at->holds * (count + 1));
  for (size_t i = 0; i < count; i++) at->holds[i] = hy_value_error(HY_INT, HY_ERROR_MEM);
}

location *hy_literal_new_location(literal *l, const hy_stmt *allocate, const int64_t *min, const int64_t *len) {
  const hy_func *func = allocate->allocate.func;
  location *at = HY_NEW(l->arena, location);
  at->func = func;
  memcpy(at->min, min, sizeof *min * (size_t)func->rank);
  memcpy(at->len, len, sizeof *len * (size_t)func->rank);
  bool counted = hy_layout_make(&at->layout, func->rank, allocate->allocate.plan, min, len);
  at->count = at->layout.count;
  if (!counted || at->count > MOST_CELLS || l->cells + at->count > MOST_CELLS) {
    hy_literal_stop(l, HY_RUN_LIMIT);
    return NULL;
  }
  if (!hy_literal_pay(l, at->count / CELLS_PER_STEP)) return NULL;
  uint64_t cells = at->count * (uint64_t)hy_func_parts(func);
  at->cells = hy_allocate(sizeof *at->cells * (cells + 1));
  uint64_t seed = hy_hash(l->options->seed, ++l->allocations);
  for (uint64_t i = 0; i < cells; i++)
    at->cells[i] = arbitrary(hy_func_type(func, (int)(i / at->count)), hy_hash(seed, i));
  if (at->layout.folds) forget_points(at);
  at->older = l->youngest;
  l->youngest = at;
  l->cells += at->count;
  l->bytes += at->count * hy_func_bytes(func);
  if (l->bytes > l->result->peak_bytes) l->result->peak_bytes = l->bytes;
  return at;
}

void hy_literal_end_location(literal *l, location *at) {
  if (!at->cells) return;
  hy_free(at->cells);
  hy_free(at->holds);
  at->cells = at->holds = NULL;
  l->cells -= at->count;
  l->bytes -= at->count * hy_func_bytes(at->func);
}

/* -- cells -- */

static bool is_between(int64_t i, int64_t min, int64_t len) {
  return i >= min && (uint64_t)i - (uint64_t)min < (uint64_t)len;
}

place hy_literal_locate(const location *at, int rank, const hy_value *coordinates) {
  place p = {.inside = at != NULL};
  for (int d = 0; d < rank; d++) {
    p.error = join(p.error, (hy_error)coordinates[d].error);
    p.undefined |= coordinates[d].undefined;
    if (at && !coordinates[d].error && !is_between(coordinates[d].i, at->min[d], at->len[d])) p.inside = false;
  }
  return p;
}

static uint64_t offset_of(const location *at, const hy_value *coordinates) {
  int64_t point[HY_MAX_RANK];
  for (int d = 0; d < at->func->rank; d++) point[d] = coordinates[d].i;
  return hy_layout_offset(&at->layout, point);
}

static hy_value *points_of(const location *at, uint64_t offset) { return at->holds + offset * (size_t)at->func->rank; }

static void hold(location *at, uint64_t offset, const hy_value *coordinates) {
  for (int d = 0; at->holds && d < at->func->rank; d++) points_of(at, offset)[d] = coordinates[d];
}

bool hy_literal_holds(const location *at, const hy_value *coordinates) {
  const hy_value *held = points_of(at, offset_of(at, coordinates));
  for (int d = 0; d < at->func->rank; d++)
    if (!held[d].error && held[d].i != coordinates[d].i) return false;
  return true;
}

bool hy_literal_share(const location *at, int rank, const hy_value *a, const hy_value *b) {
  if (at && at->holds) return offset_of(at, a) == offset_of(at, b);
  for (int d = 0; d < rank; d++)
    if (a[d].i != b[d].i) return false;
  return true;
}

// Parts lie one behind the other.
static hy_value *cell_of(const location *at, int part, uint64_t offset) {
  return &at->cells[at->count * (uint64_t)part + offset];
}

hy_value hy_literal_get(const location *at, int part, const hy_value *coordinates) {
  int64_t point[HY_MAX_RANK];
  for (int d = 0; d < at->func->rank; d++) point[d] = coordinates[d].i;
  return at->image ? hy_buffer_get(at->image, point) : *cell_of(at, part, offset_of(at, coordinates));
}

void hy_literal_put(location *at, int part, const hy_value *coordinates, hy_value value) {
  *cell_of(at, part, offset_of(at, coordinates)) = value;
  hold(at, offset_of(at, coordinates), coordinates);
}

// The next point of the slice; false: that was the last.
static bool next_of_slice(const location *at, const hy_value *coordinates, int64_t *point) {
  for (int d = 0; d < at->func->rank; d++) {
    if (coordinates && !coordinates[d].error) continue;
    if ((uint64_t)++point[d] - (uint64_t)at->min[d] < hy_layout_points(&at->layout, d)) return true;
    point[d] = at->min[d];
  }
  return false;
}

void hy_literal_fill(literal *l, location *at, int part, const hy_value *coordinates, hy_value value) {
  if (!hy_literal_pay(l, at->count / CELLS_PER_STEP) || !at->count) return;
  if (!coordinates && at->holds) forget_points(at);
  int64_t point[HY_MAX_RANK];
  for (int d = 0; d < at->func->rank; d++)
    point[d] = coordinates && !coordinates[d].error ? coordinates[d].i : at->min[d];
  do {
    *cell_of(at, part, hy_layout_offset(&at->layout, point)) = value;
    if (coordinates) hold(at, hy_layout_offset(&at->layout, point), coordinates);
  } while (next_of_slice(at, coordinates, point));
}
