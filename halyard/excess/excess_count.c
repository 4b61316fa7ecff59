#include "halyard/excess/excess_internal.h"

#include <stdlib.h>
#include <string.h>

/* -- numbers -- */

// The inputs of tapes are the startup variables, then those of the way.
static void enter(hy_excess_measure *m, const excess_way *way) {
  m->vars.count = m->values.count = m->startup;
  for (int i = 0; i < way->depth; i++) {
    hy_vec_push(&m->vars, way->levels[i].var);
    hy_vec_push(&m->values, way->levels[i].value);
  }
}

static hy_value no_load(void *self, const hy_func *func, int part, const hy_value *coordinates) {
  (void)self, (void)coordinates;
  HY_DIE("an index without loads reads '%s', part %d", func->name, part);
}

static bool take(hy_value value, int64_t *number) {
  *number = value.i;
  return !value.error && !value.undefined;
}

static bool look_up(const hy_excess_measure *m, const excess_way *way, const hy_var *var, hy_value *value) {
  for (int i = way->depth - 1; i >= 0; i--)
    if (way->levels[i].var == var) {
      *value = way->levels[i].value;
      return true;
    }
  for (size_t i = 0; i < m->startup; i++)
    if (m->vars.data[i] == var) {
      *value = m->values.data[i];
      return true;
    }
  return false;
}

// Most bounds are small, and evaluated once: sooner done than compiled. "most" bounds the nodes that are looked at.
// Operators are strict here, so that errors are for others to look at again.
static bool evaluate_small(const hy_excess_measure *m, const excess_way *way, const hy_expr *expr, int *most,
                           hy_value *value) {
  if ((*most)-- <= 0) return false;
  if (expr->kind == HY_EXPR_VAR) return look_up(m, way, expr->var, value);
  if (expr->kind == HY_EXPR_CONST) *value = expr->value;
  if (expr->kind != HY_EXPR_OP) return expr->kind == HY_EXPR_CONST;
  hy_value args[HY_MAX_ARITY];
  for (int i = 0; i < expr->count; i++)
    if (!evaluate_small(m, way, expr->args[i], most, &args[i])) return false;
  *value = hy_value_apply(expr->op, expr->type, args);
  return !value->error;
}

bool hy_excess_number(hy_excess_measure *m, const excess_way *way, const hy_expr *expr, int64_t *value) {
  enum { SMALL = 64 };
  hy_value small;
  int most = SMALL;
  if (expr->has_access) return false;
  if (evaluate_small(m, way, expr, &most, &small)) return take(small, value);
  enter(m, way);
  hy_tape *tape = hy_tape_compile(&expr, 1, m->vars.data, m->vars.count, HY_LAZY);
  hy_value *room = hy_allocate(sizeof *room * hy_tape_room(tape)), output;
  hy_tape_begin(tape, room);
  if (m->values.count) memcpy(room, m->values.data, sizeof *room * m->values.count);
  hy_tape_run(tape, room, no_load, NULL, &output);
  hy_free(room);
  hy_tape_free(tape);
  return take(output, value);
}

/* -- what an index depends on -- */

typedef struct {
  const hy_excess_measure *m;
  bool is_stuck;
} inliner;

static const hy_expr *inline_access(void *self, const hy_expr *node) {
  inliner *in = self;
  if (node->kind != HY_EXPR_ACCESS) return node;
  const hy_definition *d = hy_alg_definition(in->m->pipeline->alg, node->func);
  if (!d || d->stage_count != 1) {
    in->is_stuck = true;
    return node;
  }
  hy_binding bindings[HY_MAX_RANK];
  for (int i = 0; i < node->count; i++) bindings[i] = (hy_binding){d->vars[i], node->args[i]};
  const hy_expr *value = hy_expr_part(d->stages[0].rhs, node->part);
  return hy_expr_substitute(in->m->pipeline->context, value, bindings, (size_t)node->count);
}

// An index that reads funcs which are formulas of their coordinates is one itself. It has loads left where it depends
// on what an image holds, or an update made.
static const hy_expr *inlined(const hy_excess_measure *m, const hy_expr *index) {
  enum { ROUNDS = 4 };
  const hy_expr *expr = index;
  inliner in = {m, false};
  for (int round = 0; round < ROUNDS && expr->has_access && !in.is_stuck; round++)
    expr = hy_expr_map(m->pipeline->context, expr, inline_access, &in);
  return expr->has_access ? index : expr;
}

static uint64_t mentioned(const excess_way *way, int keep, const hy_expr *expr) {
  uint64_t levels = 0;
  for (int i = keep; i < way->depth; i++)
    if (hy_expr_mentions(expr, way->levels[i].var)) levels |= UINT64_C(1) << i;
  return levels;
}

// The levels inside that the index depends on, by itself or through their bounds and values.
static uint64_t levels_of(const excess_load *load, const hy_expr *index) {
  uint64_t levels = mentioned(load->way, load->keep, index);
  for (int i = load->way->depth - 1; i >= load->keep; i--) {
    if (!(levels >> i & 1)) continue;
    const hy_stmt *stmt = load->way->levels[i].stmt;
    if (stmt->kind == HY_STMT_LET)
      levels |= mentioned(load->way, load->keep, stmt->let.value);
    else
      levels |= mentioned(load->way, load->keep, stmt->loop.interval.min) |
                mentioned(load->way, load->keep, stmt->loop.interval.len);
  }
  return levels;
}

static uint64_t loops_among(const excess_way *way, uint64_t levels) {
  for (int i = 0; i < way->depth; i++)
    if (!way->levels[i].is_loop) levels &= ~(UINT64_C(1) << i);
  return levels;
}

/* -- sets of points -- */

// How far apart two points of the region are that differ by 1 in that dimension; all is one beside pure dimensions.
// False: the region has too many points.
static bool find_strides(const excess_region *region, uint64_t *stride) {
  uint64_t all = 1;
  for (int d = 0; d < region->func->rank; d++) {
    stride[d] = all;
    if (!(region->pure >> d & 1)) continue;
    if (__builtin_mul_overflow(all, (uint64_t)region->len[d], &all) || all >> 62) return false;
  }
  return true;
}

static void add_point(hy_excess_measure *m, uint64_t point) {
  uint64_t at = point * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  for (at %= EXCESS_TABLE; m->keys[at]; at = (at + 1) % EXCESS_TABLE)
    if (m->keys[at] == point + 1) return;
  m->keys[at] = point + 1;
  hy_vec_push(&m->places, at);
  hy_vec_push(&m->points, point);
}

static void forget_points(hy_excess_measure *m) {
  for (size_t i = 0; i < m->places.count; i++) m->keys[m->places.data[i]] = 0;
  m->places.count = m->points.count = 0;
}

/* -- evaluating -- */

typedef struct {
  hy_tape *tape;
  hy_value *room, outputs[HY_MAX_RANK];
  bool has_run;
} formula;

typedef struct {
  hy_excess_measure *m;
  const excess_region *region;
  const excess_load *load;
  excess_group *group;
  int dims[HY_MAX_RANK], dim_count;
  uint64_t stride[HY_MAX_RANK];
  int levels[EXCESS_LEVELS], level_count; // those that the indices depend on, from the outside in
  formula steps[EXCESS_LEVELS + 1];       // of each of them, and at last the indices
  int evaluations;
} counting;

static formula make_formula(const counting *c, const hy_expr *const *exprs, size_t count) {
  formula f = {.tape = hy_tape_compile(exprs, count, c->m->vars.data, c->m->vars.count, HY_LAZY)};
  f.room = hy_allocate(sizeof *f.room * hy_tape_room(f.tape));
  hy_tape_begin(f.tape, f.room);
  return f;
}

static void make_formulas(counting *c, const hy_expr *const *indices) {
  const hy_expr *exprs[HY_MAX_RANK];
  for (int i = 0; i < c->level_count; i++) {
    const hy_stmt *stmt = c->load->way->levels[c->levels[i]].stmt;
    bool is_let = stmt->kind == HY_STMT_LET;
    exprs[0] = is_let ? stmt->let.value : stmt->loop.interval.min;
    exprs[1] = is_let ? NULL : stmt->loop.interval.len;
    c->steps[i] = make_formula(c, exprs, is_let ? 1 : 2);
  }
  for (int i = 0; i < c->dim_count; i++) exprs[i] = indices[c->dims[i]];
  c->steps[c->level_count] = make_formula(c, exprs, (size_t)c->dim_count);
}

static const hy_value *evaluate(counting *c, int step) {
  formula *f = &c->steps[step];
  size_t first = f->has_run ? c->m->startup + (size_t)c->load->keep : 0, count = c->m->values.count - first;
  if (count) memcpy(f->room + first, c->m->values.data + first, sizeof *f->room * count);
  if (f->has_run)
    hy_tape_run_again(f->tape, first, f->room, no_load, NULL, f->outputs);
  else
    hy_tape_run(f->tape, f->room, no_load, NULL, f->outputs);
  f->has_run = true;
  c->evaluations++;
  return f->outputs;
}

// What lies outside of what the load asks for is read where its func is not asked for itself.
static bool see_point(counting *c) {
  const hy_value *values = evaluate(c, c->level_count);
  excess_group *g = c->group;
  uint64_t point = 0;
  int64_t at[HY_MAX_RANK];
  for (int i = 0; i < c->dim_count; i++) {
    int d = c->dims[i];
    if (!take(values[i], &at[d])) return false;
    if (at[d] < c->load->min[d] || at[d] >= c->load->min[d] + c->load->len[d]) return true;
    point += (uint64_t)(at[d] - c->region->min[d]) * c->stride[d];
  }
  for (int i = 0; i < c->dim_count; i++) {
    int d = c->dims[i];
    if (g->min[d] == g->end[d] || at[d] < g->min[d]) g->min[d] = at[d];
    if (at[d] >= g->end[d]) g->end[d] = at[d] + 1;
  }
  add_point(c->m, point);
  return true;
}

static bool see_level(counting *c, int step);

static bool see_iterations(counting *c, int step, hy_value *var, int64_t min, int64_t len) {
  for (int64_t i = 0; i < len; i++) {
    *var = hy_value_int((int64_t)((uint64_t)min + (uint64_t)i));
    if (!see_level(c, step + 1)) return false;
  }
  return true;
}

// False: an error, or too many points.
static bool see_level(counting *c, int step) {
  if (c->evaluations >= EXCESS_EVALUATIONS || c->m->spent + (uint64_t)c->evaluations > EXCESS_BUDGET) return false;
  if (step == c->level_count) return see_point(c);
  hy_value *var = &c->m->values.data[c->m->startup + (size_t)c->levels[step]];
  const hy_value *values = evaluate(c, step);
  if (!c->load->way->levels[c->levels[step]].is_loop) {
    *var = values[0];
    return see_level(c, step + 1);
  }
  int64_t min, len;
  return take(values[0], &min) && take(values[1], &len) && see_iterations(c, step, var, min, len);
}

static void free_formulas(counting *c) {
  for (int i = 0; i <= c->level_count; i++) {
    hy_tape_free(c->steps[i].tape);
    hy_free(c->steps[i].room);
  }
}

static void keep_points(hy_excess_measure *m, excess_group *g) {
  g->is_counted = true;
  g->point_count = m->points.count;
  g->count = (double)m->points.count;
  g->points = hy_allocate(sizeof *g->points * (m->points.count + 1));
  if (m->points.count) memcpy(g->points, m->points.data, sizeof *g->points * m->points.count);
}

static void count_points(hy_excess_measure *m, const excess_region *region, const excess_load *load, excess_group *g,
                         uint64_t levels, const hy_expr *const *indices) {
  counting c = {.m = m, .region = region, .load = load, .group = g};
  for (int d = 0; d < region->func->rank; d++)
    if (g->dims >> d & 1) c.dims[c.dim_count++] = d;
  for (int i = load->keep; i < load->way->depth; i++)
    if (levels >> i & 1) c.levels[c.level_count++] = i;
  if (!find_strides(region, c.stride)) return;
  enter(m, load->way);
  make_formulas(&c, indices);
  if (see_level(&c, 0)) keep_points(m, g);
  m->spent += (uint64_t)c.evaluations;
  free_formulas(&c);
  forget_points(m);
}

// As often as the load is evaluated with other numbers; inside of a loop for wider windows as well.
static double instances(const excess_region *region, const excess_load *load, uint64_t levels) {
  double count = 1;
  for (int i = load->keep; i < load->way->depth; i++) {
    const excess_level *level = &load->way->levels[i];
    if (!(levels >> i & 1) || !level->is_loop) continue;
    count *= (double)level->len * (level->grows && region->loop ? EXCESS_WIDER : 1);
  }
  return count;
}

/* -- a load -- */

typedef struct {
  const hy_expr *indices[HY_MAX_RANK];
  uint64_t levels[HY_MAX_RANK]; // by group
} grouping;

// A dimension joins the groups that share a loop with it.
static void add_dim(excess_load *load, grouping *by, int d) {
  uint64_t levels = levels_of(load, by->indices[d]), loops = loops_among(load->way, levels);
  excess_group group = {.dims = UINT32_C(1) << d, .by_values = by->indices[d]->has_access};
  int count = 0;
  for (int k = 0; k < load->group_count; k++) {
    if (loops & by->levels[k]) {
      group.dims |= load->groups[k].dims;
      group.by_values |= load->groups[k].by_values;
      levels |= by->levels[k];
      continue;
    }
    load->groups[count] = load->groups[k];
    by->levels[count++] = by->levels[k];
  }
  load->groups[count] = group;
  by->levels[count] = levels;
  load->group_count = count + 1;
}

static double asked_of(const excess_load *load, const excess_group *g) {
  double asked = 1;
  for (int d = 0; d < HY_MAX_RANK; d++)
    if (g->dims >> d & 1) asked *= (double)load->len[d];
  return asked;
}

static void count_group(hy_excess_measure *m, const excess_region *region, excess_load *load, excess_group *g,
                        uint64_t levels, const grouping *by) {
  g->count = asked_of(load, g);
  if (!g->by_values) {
    count_points(m, region, load, g, levels, by->indices);
    return;
  }
  double times = instances(region, load, levels);
  if (times < g->count) g->count = times;
}

void hy_excess_count(hy_excess_measure *m, const excess_region *region, excess_load *load) {
  grouping by = {0};
  load->read = 1;
  for (int d = 0; d < region->func->rank; d++) {
    if (region->pure >> d & 1) {
      by.indices[d] = inlined(m, load->asked->access->args[d]);
      add_dim(load, &by, d);
    } else {
      load->read *= (double)region->len[d];
    }
  }
  for (int k = 0; k < load->group_count; k++) {
    count_group(m, region, load, &load->groups[k], by.levels[k], &by);
    load->read *= load->groups[k].count;
  }
}

void hy_excess_forget(excess_load *load) {
  for (int k = 0; k < load->group_count; k++) hy_free(load->groups[k].points);
}

/* -- all loads -- */

static void mark(const excess_load *load, int group, uint64_t point, uint64_t *bits) {
  if (group == load->group_count) {
    bits[point / 64] |= UINT64_C(1) << point % 64;
    return;
  }
  const excess_group *g = &load->groups[group];
  for (size_t i = 0; i < g->point_count; i++) mark(load, group + 1, point + g->points[i], bits);
}

static bool is_counted(const excess_region *region) {
  for (size_t i = 0; i < region->loads.count; i++)
    for (int k = 0; k < region->loads.data[i].group_count; k++)
      if (!region->loads.data[i].groups[k].is_counted) return false;
  return true;
}

bool hy_excess_union(hy_excess_measure *m, const excess_region *region, double factor, double *read) {
  double beside = 1, points = 1, marks = 0;
  for (int d = 0; d < region->func->rank; d++) *(region->pure >> d & 1 ? &points : &beside) *= (double)region->len[d];
  for (size_t i = 0; i < region->loads.count; i++) marks += region->loads.data[i].read / beside;
  if (points > EXCESS_UNION || marks + (double)m->spent > EXCESS_BUDGET || !is_counted(region)) return false;
  m->spent += (uint64_t)marks;
  size_t words = (size_t)points / 64 + 1, count = 0;
  uint64_t *bits = hy_allocate_zeroed(words, sizeof *bits);
  for (size_t i = 0; i < region->loads.count; i++) mark(&region->loads.data[i], 0, 0, bits);
  for (size_t i = 0; i < words; i++) count += (size_t)__builtin_popcountll(bits[i]);
  hy_free(bits);
  *read = (double)count * beside;
  return *read * factor <= region->points;
}

/* -- what is said of a load -- */

static const excess_group *group_of(const excess_load *load, int dim) {
  for (int k = 0; k < load->group_count; k++)
    if (load->groups[k].dims >> dim & 1) return &load->groups[k];
  return NULL;
}

int64_t hy_excess_reach(const excess_region *region, int dim) {
  int64_t min = INT64_MAX, end = INT64_MIN;
  for (size_t i = 0; i < region->loads.count; i++) {
    const excess_load *l = &region->loads.data[i];
    const excess_group *g = group_of(l, dim);
    bool is_known = g && g->is_counted;
    int64_t from = is_known ? g->min[dim] : l->min[dim], to = is_known ? g->end[dim] : l->min[dim] + l->len[dim];
    if (from < min) min = from;
    if (to > end) end = to;
  }
  return end > min ? end - min : 0;
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

// The distance of each point to the next in a dimension; 0: they differ.
static int64_t step_of(const excess_group *g, int64_t length) {
  if (g->point_count < 2 || (length - 1) % ((int64_t)g->point_count - 1)) return 0;
  qsort(g->points, g->point_count, sizeof *g->points, compare);
  for (size_t i = 2; i < g->point_count; i++)
    if (g->points[i] - g->points[i - 1] != g->points[1] - g->points[0]) return 0;
  return (length - 1) / ((int64_t)g->point_count - 1);
}

static double looseness(const excess_load *load, const excess_group *g, int d) {
  return g->is_counted ? (double)load->len[d] / (double)(g->end[d] - g->min[d]) : (double)load->len[d];
}

void hy_excess_explain(const excess_region *region, const excess_load *cause, hy_excess *e) {
  const excess_group *worst = &cause->groups[0];
  for (int k = 1; k < cause->group_count; k++)
    if (asked_of(cause, &cause->groups[k]) * worst->count > asked_of(cause, worst) * cause->groups[k].count)
      worst = &cause->groups[k];
  double most = 0;
  for (int d = 0; d < region->func->rank; d++) {
    if (!(worst->dims >> d & 1) || (worst->by_values && !cause->asked->access->args[d]->has_access)) continue;
    if (looseness(cause, worst, d) <= most) continue;
    most = looseness(cause, worst, d);
    e->dim = d;
  }
  e->why = worst->by_values ? HY_EXCESS_VALUES : most >= 2 ? HY_EXCESS_UNSEEN : HY_EXCESS_APART;
  if (e->why != HY_EXCESS_APART || worst->dims != UINT32_C(1) << e->dim) return;
  e->step = step_of(worst, worst->end[e->dim] - worst->min[e->dim]);
  if (e->step > 1) e->why = HY_EXCESS_STRIDED;
}
