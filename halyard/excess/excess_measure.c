#include "halyard/excess/excess_internal.h"

#include <string.h>

/* -- the program, walked once -- */

static bool is_size(const hy_expr *node) {
  hy_var_kind kind = node->var->kind;
  return kind == HY_VAR_WINDOW_LEN || kind == HY_VAR_IMAGE_LEN || kind == HY_VAR_PARAM;
}

typedef struct {
  const excess_way *way;
  bool grows;
} growth;

static void see_growth(void *self, const hy_expr *node) {
  growth *g = self;
  if (node->kind != HY_EXPR_VAR) return;
  g->grows |= is_size(node);
  for (int i = 0; i < g->way->depth; i++)
    g->grows |= g->way->levels[i].var == node->var && !g->way->levels[i].is_loop && g->way->levels[i].grows;
}

// Does it become larger with the window, for all that is known?
static bool grows(const excess_way *way, const hy_expr *expr) {
  growth g = {way, false};
  hy_expr_visit(expr, see_growth, &g);
  return g.grows;
}

static void add_level(hy_excess_measure *m, excess_way *way, const hy_stmt *stmt) {
  excess_level level = {.stmt = stmt, .is_loop = stmt->kind == HY_STMT_FOR, .len = 1};
  level.var = level.is_loop ? stmt->loop.var : stmt->let.var;
  int64_t value = 0;
  if (level.is_loop) {
    level.runs = hy_excess_number(m, way, stmt->loop.interval.min, &value) &&
                 hy_excess_number(m, way, stmt->loop.interval.len, &level.len) && level.len > 0 &&
                 level.len <= EXCESS_FARTHEST && value >= -EXCESS_FARTHEST && value <= EXCESS_FARTHEST;
    level.grows = grows(way, stmt->loop.interval.len);
    if (level.runs) value += level.len / 2;
  } else {
    level.runs = hy_excess_number(m, way, stmt->let.value, &value);
    level.grows = grows(way, stmt->let.value);
  }
  level.value = hy_value_int(value);
  way->runs = way->runs && level.runs;
  way->levels[way->depth++] = level;
}

static excess_way copy_way(const excess_way *way) {
  excess_way copy = *way;
  copy.levels = hy_allocate(sizeof *copy.levels * (size_t)(way->depth + 1));
  if (way->depth) memcpy(copy.levels, way->levels, sizeof *copy.levels * (size_t)way->depth);
  return copy;
}

// Of a func with a place in each specialization that which is taken counts.
static void keep_place(excess_way *computed, const excess_way *way) {
  if (computed->levels && way->is_passed_by) return;
  hy_free(computed->levels);
  *computed = copy_way(way);
}

// Does this window take the other arm than the one in which the condition is "arm"?
static bool passes_by(hy_excess_measure *m, const excess_way *way, const hy_stmt *stmt, bool arm) {
  int64_t holds;
  return stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_SPECIALIZE &&
         hy_excess_number(m, way, stmt->branch.condition, &holds) && (holds != 0) != arm;
}

static void walk(hy_excess_measure *m, excess_way *way, const hy_stmt *stmt) {
  bool binds = stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET, ran = way->runs, passed_by = way->is_passed_by;
  if (binds && way->depth == EXCESS_LEVELS) return;
  if (stmt->kind == HY_STMT_COMPUTE) keep_place(&m->computes[stmt->compute.func->index], way);
  if (stmt->kind == HY_STMT_ASSIGN) {
    hy_vec_push(&m->sites, copy_way(way));
    hy_vec_last(&m->sites).assign = stmt;
  }
  if (binds) add_level(m, way, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) {
    way->is_passed_by = passed_by || passes_by(m, way, stmt, i == 0);
    walk(m, way, children[i]);
  }
  way->is_passed_by = passed_by;
  if (binds) way->depth--;
  way->runs = ran;
}

/* -- the numbers that a run begins with -- */

static void bind(hy_excess_measure *m, const hy_var *var, hy_value value) {
  hy_vec_push(&m->vars, var);
  hy_vec_push(&m->values, value);
}

static void bind_startup(hy_excess_measure *m, const hy_input *input) {
  const hy_alg *alg = m->pipeline->alg;
  for (int i = 0; i < alg->param_count; i++) bind(m, alg->params[i], input->params[i]);
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++) {
      bind(m, alg->images[k]->min[d], hy_value_int(input->images[k]->min[d]));
      bind(m, alg->images[k]->len[d], hy_value_int(input->images[k]->len[d]));
    }
  for (int d = 0; d < alg->window_rank; d++) {
    bind(m, alg->window_min[d], hy_value_int(input->window_min[d]));
    bind(m, alg->window_len[d], hy_value_int(input->window_len[d]));
  }
  m->startup = m->vars.count;
}

hy_excess_measure *hy_excess_measure_new(const hy_pipeline *p, const hy_arguments *a) {
  hy_excess_measure *m = hy_allocate_zeroed(1, sizeof *m);
  m->pipeline = p;
  m->symbols = hy_tgt_symbols(p->filled);
  m->computes = hy_allocate_zeroed(m->symbols, sizeof *m->computes);
  m->keys = hy_allocate_zeroed(EXCESS_TABLE, sizeof *m->keys);
  bind_startup(m, &a->input);
  excess_level levels[EXCESS_LEVELS];
  excess_way way = {.levels = levels, .runs = true};
  walk(m, &way, p->filled->body);
  return m;
}

void hy_excess_measure_free(hy_excess_measure *m) {
  if (!m) return;
  for (size_t i = 0; i < m->symbols; i++) hy_free(m->computes[i].levels);
  for (size_t i = 0; i < m->sites.count; i++) hy_free(m->sites.data[i].levels);
  hy_vec_free(&m->sites);
  hy_vec_free(&m->vars);
  hy_vec_free(&m->values);
  hy_vec_free(&m->points);
  hy_vec_free(&m->places);
  hy_free(m->computes);
  hy_free(m->keys);
  hy_free(m);
}

/* -- what is asked for -- */

static const excess_way *find_site(const hy_excess_measure *m, const hy_stmt *reader) {
  for (size_t i = 0; i < m->sites.count; i++) {
    const hy_stmt *assign = m->sites.data[i].assign;
    if (assign->assign.func == reader->assign.func && assign->assign.stage == reader->assign.stage &&
        assign->assign.spec == reader->assign.spec)
      return &m->sites.data[i];
  }
  return NULL;
}

// So many loops and lets are around both.
static int common_depth(const excess_way *a, const excess_way *b) {
  int depth = 0;
  while (depth < a->depth && depth < b->depth && a->levels[depth].stmt == b->levels[depth].stmt) depth++;
  return depth;
}

// Parts of one point count once.
static bool is_repeated(const excess_region *region, const hy_asked *asked) {
  for (size_t i = 0; i < region->loads.count; i++) {
    const hy_asked *other = region->loads.data[i].asked;
    bool same = other->reader == asked->reader;
    for (int d = 0; d < asked->access->count && same; d++) same = other->access->args[d] == asked->access->args[d];
    if (same) return true;
  }
  return false;
}

// False: it cannot be told. A load that asks for nothing, or is passed by, is left out.
static bool add_load(hy_excess_measure *m, excess_region *region, const hy_asked *asked) {
  excess_load load = {.asked = asked, .way = find_site(m, asked->reader)};
  if (load.way && load.way->is_passed_by) return true;
  if (!load.way || !load.way->runs || region->loads.count == EXCESS_LOADS) return false;
  bool is_empty = false;
  for (int d = 0; d < region->func->rank; d++) {
    int64_t high;
    if (!asked->low[d] || !asked->high[d] || !hy_excess_number(m, region->way, asked->low[d], &load.min[d]) ||
        !hy_excess_number(m, region->way, asked->high[d], &high))
      return false;
    if (load.min[d] < -EXCESS_FARTHEST || load.min[d] > EXCESS_FARTHEST || high < -EXCESS_FARTHEST ||
        high > EXCESS_FARTHEST)
      return false;
    load.len[d] = high - load.min[d] + 1;
    is_empty |= load.len[d] <= 0;
  }
  load.keep = common_depth(load.way, region->way);
  if (!is_empty) hy_vec_push(&region->loads, load);
  return true;
}

static double volume(const int64_t *len, int rank) {
  double points = 1;
  for (int d = 0; d < rank; d++) points *= (double)len[d];
  return points;
}

static void join_loads(excess_region *region) {
  for (int d = 0; d < region->func->rank; d++) {
    int64_t min = region->loads.data[0].min[d], end = min;
    for (size_t i = 0; i < region->loads.count; i++) {
      const excess_load *l = &region->loads.data[i];
      if (l->min[d] < min) min = l->min[d];
      if (l->min[d] + l->len[d] > end) end = l->min[d] + l->len[d];
    }
    region->min[d] = min;
    region->len[d] = end - min;
  }
  region->points = volume(region->len, region->func->rank);
}

// Of a dimension in which an update writes where it will, all is in use.
static uint32_t pure_dims(const hy_alg *alg, const hy_func *func) {
  uint32_t pure = UINT32_MAX;
  const hy_definition *d = hy_alg_definition(alg, func);
  for (int k = 1; d && k < d->stage_count; k++) pure &= d->stages[k].pure;
  return pure;
}

static bool find_region(hy_excess_measure *m, excess_region *region) {
  const hy_asked_list *asked = &m->pipeline->asked;
  for (size_t i = 0; i < asked->count; i++)
    if (asked->items[i].access->func == region->func && !is_repeated(region, &asked->items[i]) &&
        !add_load(m, region, &asked->items[i]))
      return false;
  if (!region->loads.count) return false;
  region->pure = pure_dims(m->pipeline->alg, region->func);
  for (int i = 0; i < region->way->depth; i++)
    if (region->way->levels[i].is_loop) region->loop = region->way->levels[i].var;
  join_loads(region);
  return true;
}

/* -- the verdict -- */

static double asked_of(const excess_load *load, int rank) { return volume(load->len, rank); }

// The load that asks for the most of those that ask for so much more than they read.
static const excess_load *find_cause(const excess_region *region, double factor) {
  const excess_load *cause = NULL;
  for (size_t i = 0; i < region->loads.count; i++) {
    const excess_load *l = &region->loads.data[i];
    double asked = asked_of(l, region->func->rank);
    if (asked < factor * l->read || 2 * asked < region->points) continue;
    if (!cause || asked > asked_of(cause, region->func->rank)) cause = l;
  }
  return cause;
}

// Loads that lie far from each other: of them the first.
static void blame_several(const excess_region *region, hy_excess *e) {
  const excess_load *first = &region->loads.data[0];
  double most = 0;
  for (int d = 0; d < region->func->rank; d++) {
    double apart = (double)region->len[d] / (double)first->len[d];
    if (apart > most) e->dim = d;
    if (apart > most) most = apart;
  }
  e->access = first->asked;
  e->why = HY_EXCESS_SEVERAL;
  e->least = region->min[e->dim];
  e->greatest = region->min[e->dim] + region->len[e->dim] - 1;
}

static void describe(const excess_region *region, const excess_load *cause, hy_excess *e) {
  e->func = region->func;
  e->loop = region->loop;
  e->region = region->points;
  for (int d = 0; d < region->func->rank; d++) {
    e->asked_min[d] = region->min[d];
    e->asked_len[d] = region->len[d];
    e->read_len[d] = hy_excess_reach(region, d);
  }
  if (!cause) {
    blame_several(region, e);
    return;
  }
  e->access = cause->asked;
  hy_excess_explain(region, cause, e);
  e->least = cause->min[e->dim];
  e->greatest = cause->min[e->dim] + cause->len[e->dim] - 1;
}

static bool judge(hy_excess_measure *m, excess_region *region, double factor, hy_excess *e) {
  if (!find_region(m, region) || region->points < factor) return false;
  e->read = 0;
  for (size_t i = 0; i < region->loads.count; i++) {
    excess_load *l = &region->loads.data[i];
    hy_excess_count(m, region, l);
    e->read += l->read;
    if (l->read * factor > region->points) return false;
  }
  if (e->read * factor > region->points && !hy_excess_union(m, region, factor, &e->read)) return false;
  describe(region, find_cause(region, factor), e);
  return true;
}

bool hy_excess_of(hy_excess_measure *m, const hy_func *func, double factor, hy_excess *e) {
  static const excess_way entry = {.runs = true};
  excess_region region = {.func = func, .way = func->is_image ? &entry : &m->computes[func->index]};
  *e = (hy_excess){.func = func};
  bool is_excessive = region.way->runs && judge(m, &region, factor, e);
  for (size_t i = 0; i < region.loads.count; i++) hy_excess_forget(&region.loads.data[i]);
  hy_vec_free(&region.loads);
  return is_excessive;
}
