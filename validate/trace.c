#include "validate/validate_internal.h"

#include "semantics/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* L1: the iterations of every stage of every computation, as (pure key, rdom key) pairs in the order of the program.
 *
 * What is run is a skeleton: all loops in order, no predicates, no data, so that a trace is the loops alone. The values
 * are those of the variables that stand for the stage's own.
 */

/* -- skeletons -- */

static const hy_stmt *make_serial(hy_context *context, const hy_stmt *stmt, const hy_var *keep) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = make_serial(context, children[i], keep);
  stmt = hy_stmt_with_children(context, stmt, fresh, count);
  hy_free(fresh);
  if (stmt->kind != HY_STMT_FOR || stmt->loop.traversal == HY_SERIAL || stmt->loop.var == keep) return stmt;
  return hy_stmt_for(context, stmt->loop.var, stmt->loop.is_pure, HY_SERIAL, stmt->loop.interval, stmt->loop.body);
}

static const hy_tgt *with_body(hy_context *context, const hy_tgt *tgt, const hy_stmt *body) {
  if (body == tgt->body) return tgt;
  hy_tgt *copy = HY_NEW(hy_context_arena(context), hy_tgt);
  *copy = *tgt;
  copy->body = body;
  return copy;
}

const hy_tgt *hy_serial_but(hy_context *context, const hy_tgt *tgt, const hy_var *keep) {
  return with_body(context, tgt, make_serial(context, tgt->body, keep));
}

static const hy_stmt *unfold(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ALLOCATE) {
    if (!hy_plan_folds(stmt->allocate.plan, stmt->allocate.func->rank)) return stmt;
    hy_plan plan = *stmt->allocate.plan;
    memset(plan.fold, 0, sizeof plan.fold);
    return hy_stmt_allocate_as(context, stmt->allocate.func, stmt->allocate.box, &plan);
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = unfold(context, children[i]);
  stmt = hy_stmt_with_children(context, stmt, fresh, count);
  hy_free(fresh);
  return stmt;
}

const hy_tgt *hy_without_folds(hy_context *context, const hy_tgt *tgt) {
  return with_body(context, tgt, unfold(context, tgt->body));
}

// An assignment of nothing, at a point that needs no data: coordinates that are no variables become the box's minimum.
static const hy_stmt *bare_assignment(hy_context *context, const hy_stmt *stmt, const hy_stmt *compute) {
  const hy_func *func = stmt->assign.func;
  const hy_expr *lhs[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) {
    lhs[d] = stmt->assign.lhs[d];
    if (lhs[d]->kind != HY_EXPR_VAR && compute) lhs[d] = compute->compute.box[d].min;
  }
  const hy_expr *zero = hy_expr_zeros(context, func);
  return hy_stmt_assign(context, func, stmt->assign.spec, stmt->assign.stage, lhs, zero);
}

// Nothing is kept: an allocation of nothing, however large the real one is.
static const hy_stmt *bare_allocation(hy_context *context, const hy_stmt *stmt) {
  hy_interval box[HY_MAX_RANK];
  for (int d = 0; d < stmt->allocate.func->rank; d++)
    box[d] = (hy_interval){stmt->allocate.box[d].min, hy_expr_int(context, 0)};
  return hy_stmt_allocate(context, stmt->allocate.func, box);
}

static const hy_stmt *make_bare(hy_context *context, const hy_stmt *stmt, const hy_stmt *compute) {
  if (stmt->kind == HY_STMT_ASSIGN) return bare_assignment(context, stmt, compute);
  if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_USER) return make_bare(context, stmt->branch.then, compute);
  if (stmt->kind == HY_STMT_COMPUTE) compute = stmt;
  if (stmt->kind == HY_STMT_ALLOCATE) return bare_allocation(context, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = make_bare(context, children[i], compute);
  stmt = hy_stmt_with_children(context, stmt, fresh, count);
  hy_free(fresh);
  return stmt;
}

const hy_tgt *hy_trace_skeleton(hy_context *context, const hy_tgt *filled) {
  return with_body(context, filled, make_bare(context, make_serial(context, filled->body, NULL), NULL));
}

/* -- traces -- */

// The instances of one stage in one computation, "width" values each.
typedef struct {
  const hy_stage_copy *copy; // whichever specialization ran; NULL: none did
  int width;
  HY_VEC(int64_t) values;
} instance_list;

typedef struct {
  const hy_func *func;
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  instance_list *stages;
  int stage_count;
} execution;

struct hy_trace {
  const hy_step *step;
  HY_VEC(execution) executions;
  size_t *current; // by func->index: position + 1 of the computation under way
  bool broken;     // a variable had no value: L0's business
};

static void begin_execution(hy_trace *t, const hy_stmt *compute, const int64_t *min, const int64_t *len) {
  const hy_func *func = compute->compute.func;
  execution e = {.func = func, .stage_count = hy_tgt_stage_count(t->step->tgt, func)};
  for (int d = 0; d < func->rank; d++) e.min[d] = min[d], e.len[d] = len[d];
  e.stages = hy_allocate_zeroed((size_t)e.stage_count + 1, sizeof *e.stages);
  hy_vec_push(&t->executions, e);
  t->current[func->index] = t->executions.count;
}

static void observe(void *self, const hy_stmt *stmt, const int64_t *min, const int64_t *len,
                    const hy_tgt_scope *scope) {
  hy_trace *t = self;
  if (stmt->kind == HY_STMT_COMPUTE) {
    begin_execution(t, stmt, min, len);
    return;
  }
  size_t at = t->current[stmt->assign.func->index];
  const hy_stage_copy *copy =
      hy_stages_find(&t->step->stages, stmt->assign.func, stmt->assign.spec, stmt->assign.stage);
  if (!at || !copy) {
    t->broken = true;
    return;
  }
  instance_list *list = &t->executions.data[at - 1].stages[stmt->assign.stage];
  list->copy = copy;
  list->width = copy->pure_count + copy->rdom_count;
  for (int k = 0; k < list->width; k++) {
    int64_t value = 0;
    t->broken |= !hy_tgt_scope_value(scope, copy->keys[k], &value);
    hy_vec_push(&list->values, value);
  }
  if (!list->width) hy_vec_push(&list->values, 0); // a point without variables: only their number counts
}

void hy_trace_free(hy_trace *t) {
  if (!t) return;
  for (size_t i = 0; i < t->executions.count; i++) {
    for (int k = 0; k < t->executions.data[i].stage_count; k++) hy_vec_free(&t->executions.data[i].stages[k].values);
    hy_free(t->executions.data[i].stages);
  }
  hy_vec_free(&t->executions);
  hy_free(t->current);
  hy_free(t);
}

hy_trace *hy_validate_trace(hy_context *context, const hy_step *step, const hy_input *input, uint64_t step_limit,
                            uint64_t work_limit, uint64_t *spent) {
  hy_trace *t = hy_allocate_zeroed(1, sizeof *t);
  t->step = step;
  t->current = hy_allocate_zeroed((size_t)hy_tgt_symbols(step->tgt) + 1, sizeof *t->current);
  hy_tgt_options options = {
      .mode = HY_LAZY, .step_limit = step_limit, .work_limit = work_limit, .scope_observer = observe, .scope_self = t};
  hy_tgt_result result;
  hy_tgt_run(context, step->skeleton, input, &options, &result);
  bool ran = result.status == HY_RAN && !t->broken;
  *spent = result.work;
  hy_tgt_result_free(&result);
  if (ran) return t;
  hy_trace_free(t);
  return NULL;
}

/* -- lists of instances as the classes compare them -- */

// A list without what does not count, perhaps sorted by pure key: pointers at its instances.
typedef struct {
  const hy_stage_copy *copy;
  int pure, width;
  HY_VEC(const int64_t *) at;
} view;

static bool is_inside(const hy_stage_copy *copy, const int64_t *instance, const execution *box) {
  for (int k = 0; k < copy->pure_count; k++) {
    int d = copy->dims[k];
    if (instance[k] < box->min[d] || instance[k] - box->min[d] >= box->len[d]) return false;
  }
  return true;
}

// "inside": only points of that box; NULL: all.
static view view_of(const instance_list *list, const execution *inside) {
  view v = {.copy = list->copy};
  if (!list->copy) return v;
  v.width = list->width;
  v.pure = list->copy->pure_count;
  size_t width = list->width ? (size_t)list->width : 1;
  for (size_t i = 0; i + width <= list->values.count; i += width)
    if (!inside || is_inside(list->copy, list->values.data + i, inside)) hy_vec_push(&v.at, list->values.data + i);
  return v;
}

// By pure key; instances with equal ones stay in their order, which is that of their addresses.
static int by_pure_key(const void *left, const void *right, void *pure) {
  const int64_t *a = *(const int64_t *const *)left, *b = *(const int64_t *const *)right;
  for (int k = 0; k < *(int *)pure; k++)
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  return (a > b) - (a < b);
}

static void sort(view *v) {
  if (v->at.count) qsort_r(v->at.data, v->at.count, sizeof *v->at.data, by_pure_key, &v->pure);
}

static bool same_pure_key(const view *v, const int64_t *a, const int64_t *b) {
  return v->pure == 0 || memcmp(a, b, sizeof *a * (size_t)v->pure) == 0;
}

// requires: sorted. Of instances with equal keys, pure and rdom, only the first stays.
static void drop_repeats(view *v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->at.count; i++)
    if (!kept || memcmp(v->at.data[kept - 1], v->at.data[i], sizeof(int64_t) * (size_t)v->width) != 0)
      v->at.data[kept++] = v->at.data[i];
  v->at.count = kept;
}

/* -- stories -- */

static const char *name_instance(hy_context *context, const view *v, const int64_t *instance) {
  hy_text text = {0};
  hy_text_add(&text, "(");
  for (int k = 0; k < v->width; k++)
    hy_text_printf(&text, "%s%s = %lld",
                   k == 0         ? ""
                   : k == v->pure ? "; "
                                  : ", ",
                   v->copy->names[k], (long long)instance[k]);
  hy_text_add(&text, ")");
  const char *name = hy_context_name_of(context, hy_text_string(&text));
  hy_text_free(&text);
  return name;
}

static const char *tell(hy_context *context, const view *v, size_t at, const view *other, const char *order) {
  hy_arena *arena = hy_context_arena(context);
  const char *stage = hy_stage_name(context, v->copy ? v->copy : other->copy);
  if (at >= v->at.count)
    return hy_arena_printf(arena, "%s does not come to %s any more%s", stage,
                           name_instance(context, other, other->at.data[at]), order);
  if (at >= other->at.count)
    return hy_arena_printf(arena, "%s comes to %s, which it did not before%s", stage,
                           name_instance(context, v, v->at.data[at]), order);
  return hy_arena_printf(arena, "iteration %zu of %s is %s where it was %s%s", at, stage,
                         name_instance(context, v, v->at.data[at]), name_instance(context, other, other->at.data[at]),
                         order);
}

/* -- the classes -- */

static const char *compare_lists(hy_context *context, const view *before, const view *after, const char *order) {
  size_t width = sizeof(int64_t) * (size_t)after->width;
  for (size_t i = 0; i < before->at.count || i < after->at.count; i++) {
    bool both = i < before->at.count && i < after->at.count;
    if (both && (width == 0 || memcmp(before->at.data[i], after->at.data[i], width) == 0)) continue;
    return tell(context, after, i, before, order);
  }
  return NULL;
}

// ORD.Kept: points that the computation before had in its box do not count.
static void drop_inside(view *v, const execution *box) {
  size_t kept = 0;
  for (size_t i = 0; i < v->at.count; i++)
    if (!is_inside(v->copy, v->at.data[i], box)) v->at.data[kept++] = v->at.data[i];
  v->at.count = kept;
}

// Both lists under one box. "kept": the computation before of the same func, or NULL.
static const char *compare_by_class(hy_context *context, const instance_list *before, const instance_list *after,
                                    const execution *box, const execution *kept, hy_order_class promise) {
  bool all =
      promise == HY_ORDER_EQUAL || promise == HY_ORDER_PERMUTED || promise == HY_ORDER_MOVED || promise == HY_ORDER_BOX;
  view a = view_of(before, all ? NULL : box), b = view_of(after, all ? NULL : box);
  const char *wrong = NULL;
  if (promise == HY_ORDER_KEPT && kept) {
    drop_inside(&a, kept);
    drop_inside(&b, kept);
  }
  switch (promise) {
  case HY_ORDER_EQUAL:
  case HY_ORDER_MOVED:
  case HY_ORDER_BOX: wrong = compare_lists(context, &a, &b, ""); break;
  case HY_ORDER_EXTRA: wrong = compare_lists(context, &a, &b, " (points of Cpu alone)"); break;
  case HY_ORDER_PERMUTED:
    sort(&a);
    sort(&b);
    wrong = compare_lists(context, &a, &b, " (by pure key)");
    break;
  case HY_ORDER_KEPT:
  case HY_ORDER_REPEATED:
    sort(&a);
    sort(&b);
    if (!b.copy || b.copy->stage == 0) { // updates are not idempotent (decision D32)
      drop_repeats(&a);
      drop_repeats(&b);
    }
    wrong = compare_lists(context, &a, &b, " (points of Cpu, by pure key, each once)");
    break;
  }
  hy_vec_free(&a.at);
  hy_vec_free(&b.at);
  return wrong;
}

// Where the next pure key begins.
static size_t next_key(const view *v, size_t at) {
  size_t end = at + 1;
  while (end < v->at.count && same_pure_key(v, v->at.data[at], v->at.data[end])) end++;
  return end;
}

static bool same_reductions(const view *a, size_t from, const view *b, size_t to, size_t count) {
  size_t bytes = sizeof(int64_t) * (size_t)(a->width - a->pure);
  for (size_t i = 0; i < count && bytes; i++)
    if (memcmp(a->at.data[from + i] + a->pure, b->at.data[to + i] + b->pure, bytes) != 0) return false;
  return true;
}

// Under boxes of their own: every point of the box is come to, by the reductions of any point before, in their order.
static const char *compare_given_box(hy_context *context, const view *model, const view *v, const execution *box) {
  hy_arena *arena = hy_context_arena(context);
  if (!model->at.count) return NULL; // nothing to compare with
  size_t length = next_key(model, 0), keys = 0;
  double points = 1;
  for (int k = 0; k < model->pure; k++) points *= (double)box->len[model->copy->dims[k]];
  for (size_t i = 0, end; i < v->at.count; i = end, keys++) {
    end = next_key(v, i);
    if (end - i == length && same_reductions(model, 0, v, i, length)) continue;
    return hy_arena_printf(arena, "%s comes to the point of %s %zu times, in an order that is not that of before (%zu)",
                           hy_stage_name(context, v->copy), name_instance(context, v, v->at.data[i]), end - i, length);
  }
  if ((double)keys == points) return NULL;
  return hy_arena_printf(arena, "%s comes to %zu points of its box instead of %.0f",
                         hy_stage_name(context, v->copy ? v->copy : model->copy), keys, points);
}

// A computation of the program before, with its lists as those of other boxes are compared with: sorted once for all.
typedef struct {
  const execution *execution; // NULL: there is none
  view *stages;
} model;

static model make_model(const execution *e) {
  model m = {e, NULL};
  if (!e) return m;
  m.stages = hy_allocate_zeroed((size_t)e->stage_count + 1, sizeof *m.stages);
  for (int k = 0; k < e->stage_count; k++) {
    view *v = &m.stages[k];
    *v = view_of(&e->stages[k], e);
    sort(v);
    if (v->copy && v->width == v->pure) drop_repeats(v); // stage 0 may repeat points (decision D32)
  }
  return m;
}

static void free_model(model *m) {
  for (int k = 0; m->execution && k < m->execution->stage_count; k++) hy_vec_free(&m->stages[k].at);
  hy_free(m->stages);
}

static const char *compare_stage_given_box(hy_context *context, const model *before, const execution *after,
                                           int stage) {
  view v = view_of(&after->stages[stage], after);
  sort(&v);
  if (v.copy && v.width == v.pure && v.copy->repeated) drop_repeats(&v);
  const char *wrong = compare_given_box(context, &before->stages[stage], &v, after);
  hy_vec_free(&v.at);
  return wrong;
}

/* -- whole traces -- */

static bool same_box(const execution *a, const execution *b) {
  for (int d = 0; d < a->func->rank; d++)
    if (a->min[d] != b->min[d] || a->len[d] != b->len[d]) return false;
  return true;
}

// The next computation of a func from "*at" on, or NULL.
static const execution *next_execution(const hy_trace *t, const hy_func *func, size_t *at) {
  while (*at < t->executions.count)
    if (t->executions.data[(*at)++].func == func) return &t->executions.data[*at - 1];
  return NULL;
}

static size_t count_executions(const hy_trace *t, const hy_func *func) {
  size_t count = 0;
  for (size_t i = 0; i < t->executions.count; i++) count += t->executions.data[i].func == func;
  return count;
}

// The stage may have had nothing to do in one of the two.
static hy_order_class promise_of(const execution *before, const execution *after, int stage,
                                 const hy_directive *directive, hy_order_class promise) {
  const hy_stage_copy *copy = after->stages[stage].copy ? after->stages[stage].copy : before->stages[stage].copy;
  return copy && hy_stage_is_touched(copy, directive) ? promise : HY_ORDER_EQUAL;
}

// "before": under the same box; NULL: compared with the model.
static const char *compare_execution(hy_context *context, const execution *before, const model *model,
                                     const execution *after, const execution *kept, const hy_directive *directive,
                                     hy_order_class promise) {
  for (int k = 0; k < after->stage_count; k++) {
    hy_stage_copy copy = {.func = after->func, .stage = k};
    if (hy_stage_is_added(&copy, directive)) continue; // another update than before: L0's business, and L2's
    const char *wrong = before ? compare_by_class(context, &before->stages[k], &after->stages[k], after, kept,
                                                  promise_of(before, after, k, directive, promise))
                               : compare_stage_given_box(context, model, after, k);
    if (wrong) return wrong;
  }
  return NULL;
}

// A computation with an instance in every stage, if there is one, to compare others with.
static const execution *pick_model(const hy_trace *t, const hy_func *func) {
  const execution *best = NULL;
  for (size_t i = 0; i < t->executions.count; i++) {
    const execution *e = &t->executions.data[i];
    if (e->func != func) continue;
    bool full = true;
    for (int k = 0; k < e->stage_count; k++) full &= e->stages[k].values.count > 0;
    if (!best || full) best = e;
    if (full) break;
  }
  return best;
}

static bool keeps(const hy_trace *t, const hy_func *func) {
  const hy_stage_list *stages = &t->step->stages;
  for (int i = 0; i < stages->count; i++)
    if (stages->copies[i].func == func) return stages->copies[i].compute->compute.keep != NULL;
  return false;
}

static const char *compare_func(hy_context *context, const hy_trace *before, const hy_trace *after, const hy_func *func,
                                const hy_directive *directive, hy_order_class promise) {
  bool paired = count_executions(before, func) == count_executions(after, func);
  // what is computed in the loops of what slides is computed less often
  if (!paired && promise != HY_ORDER_MOVED && promise != HY_ORDER_BOX && promise != HY_ORDER_KEPT)
    return hy_arena_printf(hy_context_arena(context), "%s is computed %zu times, not %zu", func->name,
                           count_executions(after, func), count_executions(before, func));
  model model = make_model(pick_model(before, func));
  const char *wrong = NULL;
  const execution *e, *last = NULL;
  size_t at = 0, from = 0;
  while (model.execution && !wrong && (e = next_execution(after, func, &at))) {
    const execution *old = paired ? next_execution(before, func, &from) : NULL;
    if (old && !same_box(old, e)) old = NULL;
    if (old || !keeps(after, func)) // of one that keeps another box says nothing: that all is there is seen by L2
      wrong = compare_execution(context, old, &model, e, last, directive, promise);
    last = e;
  }
  free_model(&model);
  return wrong;
}

// LVL.Trace
const char *hy_trace_compare(hy_context *context, const hy_tgt *tgt, const hy_trace *before, const hy_trace *after,
                             const hy_directive *directive, hy_order_class promise) {
  for (int i = 0; i < tgt->func_count; i++) {
    const char *wrong = compare_func(context, before, after, tgt->funcs[i], directive, promise);
    if (wrong) return wrong;
  }
  return NULL;
}
