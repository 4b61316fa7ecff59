// Any directive in random schedules: arguments of the kinds that its record lists.

#include "fuzz/pairs/generate.h"

#include "plugin/plugin.h"
#include "sched/funcs/funcs.h"

typedef struct {
  hy_choices *c;
  hy_context *context;
  const hy_tgt *tgt;
  const hy_stmt *const *loops;
  size_t count;
  const hy_stmt *first, *last; // of the loops that are taken
  int *names;
  bool reuses; // gives new loops the names of those that are taken, too
  hy_directive *directive;
  int position; // of the argument that is picked
  const hy_wanted_argument *wanted;
} picker;

static const hy_expr *pick_param(picker *p) {
  if (!p->tgt->alg->param_count) return NULL;
  const hy_var *param = p->tgt->alg->params[hy_choose(p->c, (uint64_t)p->tgt->alg->param_count)];
  return param->type == HY_INT ? hy_expr_var(p->context, param) : NULL;
}

static const hy_expr *pick_factor(picker *p) {
  static const int factors[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 23, 31, 64};
  static const int weights[] = {8, 22, 22, 18, 10, 3, 8, 8, 2, 2, 3, 2, 3, 1, 1, 4, 2, 1, 1, 1, 1};
  const hy_expr *param = hy_choose_chance(p->c, 10) ? pick_param(p) : NULL;
  return param ? param : hy_expr_int(p->context, factors[hy_choose_weighted(p->c, weights, HY_COUNT(factors))]);
}

// Of a storage plan, one that is allowed; of a fold, often as long as what is computed at a time.
static const hy_expr *pick_number(picker *p) {
  static const int folds[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 40, 100};
  static const int of_folds[] = {8, 8, 10, 12, 8, 8, 6, 10, 8, 8, 6, 5, 3};
  if (p->directive->type == &hy_directive_fold_storage)
    return hy_expr_int(p->context, folds[hy_choose_weighted(p->c, of_folds, HY_COUNT(folds))]);
  static const int sizes[] = {1, 2, 3, 4, 6, 8, 16, 32, 64}, weights[] = {5, 10, 15, 20, 10, 15, 10, 10, 5};
  if (p->directive->type->phase == HY_PHASE_PLAN)
    return hy_expr_int(p->context, sizes[hy_choose_weighted(p->c, weights, HY_COUNT(sizes))]);
  return hy_expr_int(p->context, hy_choose_between(p->c, -2, 6));
}

static bool is_picked(const picker *p, const char *name) {
  const hy_directive *d = p->directive;
  for (int i = 0; i < p->position; i++)
    if (d->type->arguments[i] == HY_TAKES_NAME && d->names[hy_directive_place(d->type, i)] == name) return true;
  return false;
}

// The name of a loop that is taken, if one is left; NULL if not.
static const char *pick_taken_name(picker *p) {
  const char *found[HYD_MOST_LOOPS];
  size_t count = 0;
  for (const hy_stmt *loop = p->first;; loop = loop->loop.body) {
    if (!is_picked(p, loop->loop.var->name)) found[count++] = loop->loop.var->name;
    if (loop == p->last) break;
  }
  return count ? found[hy_choose(p->c, count)] : NULL;
}

static const char *pick_name(picker *p) {
  const char *taken = p->reuses && p->first && hy_choose_chance(p->c, 80) ? pick_taken_name(p) : NULL;
  if (taken) return taken;
  return hy_context_name_of(p->context, hy_arena_printf(hy_context_arena(p->context), "n%d", (*p->names)++));
}

static bool holds(const hy_stmt *outer, const hy_stmt *inner) {
  if (outer == inner) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(outer, &children, room);
  for (int i = 0; i < count; i++)
    if (holds(children[i], inner)) return true;
  return false;
}

static bool holds_one(const hy_stmt *outer, hy_stmt_kind kind, const hy_func *func) {
  if (outer->kind == kind && (kind == HY_STMT_ALLOCATE ? outer->allocate.func : outer->compute.func) == func)
    return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(outer, &children, room);
  for (int i = 0; i < count; i++)
    if (holds_one(children[i], kind, func)) return true;
  return false;
}

static const char *pick_around(picker *p) {
  const char *found[8];
  const hy_var *var = p->first->loop.var;
  size_t count = 0;
  for (size_t i = 0; i < p->count && count < HY_COUNT(found); i++) {
    const hy_var *other = p->loops[i]->loop.var;
    if (p->loops[i] != p->first && other->func == var->func && other->spec == var->spec && other->stage == var->stage &&
        holds(p->loops[i]->loop.body, p->first))
      found[count++] = other->name;
  }
  return count ? found[hy_choose(p->c, count)] : NULL;
}

static const char *pick_inner(picker *p) {
  p->last = p->last->loop.body;
  return p->last->kind == HY_STMT_FOR ? p->last->loop.var->name : NULL;
}

static const hy_expr *pick_expr(picker *p) {
  const hy_expr *param = hy_choose_chance(p->c, 15) ? pick_param(p) : NULL;
  return param ? param : pick_number(p);
}

// The loops around the allocation of a func, or around its computation.
static int count_around(const picker *p, hy_stmt_kind kind, const hy_func *func) {
  int around = 0;
  for (size_t i = 0; i < p->count; i++) around += holds_one(p->loops[i]->loop.body, kind, func);
  return around;
}

// The func of a fold, or of a slide, is mostly one of which a part is computed at a time: what its allocation holds
// seldom fits, and of the others nothing is kept.
static bool is_in_parts(const picker *p, const hy_func *func) {
  return count_around(p, HY_STMT_ALLOCATE, func) < count_around(p, HY_STMT_COMPUTE, func);
}

static bool pick_func(picker *p) {
  bool parts = p->directive->type == &hy_directive_fold_storage || p->directive->type == &hy_directive_slide;
  bool any = !parts || hy_choose_chance(p->c, 15);
  for (int attempt = 0; attempt < 4; attempt++) {
    p->directive->func = p->tgt->funcs[hy_choose(p->c, (uint64_t)p->tgt->func_count)];
    if (any || is_in_parts(p, p->directive->func)) return true;
  }
  return false;
}

// The innermost loop around the func's computation; NULL: there is none.
static const hy_var *loop_around(const picker *p, const hy_func *func) {
  const hy_stmt *found = NULL;
  for (size_t i = 0; i < p->count; i++)
    if (holds_one(p->loops[i]->loop.body, HY_STMT_COMPUTE, func) && (!found || holds(found, p->loops[i])))
      found = p->loops[i];
  return found ? found->loop.var : NULL;
}

static bool pick_site(picker *p) {
  if (p->directive->type == &hy_directive_slide && hy_choose_chance(p->c, 90))
    return (p->directive->loop = loop_around(p, p->directive->func)) != NULL;
  if (p->count) p->directive->loop = p->loops[hy_choose(p->c, p->count)]->loop.var;
  return p->count > 0;
}

static bool pick_dimension(picker *p) {
  int rank = p->directive->func->rank;
  if (rank) p->directive->dim = (int)hy_choose(p->c, (uint64_t)rank);
  return rank > 0;
}

// Two or more, in any order.
static bool pick_dimensions(picker *p) {
  hy_directive *d = p->directive;
  int rank = d->func->rank;
  if (rank < 2) return false;
  for (int i = 0; i < rank; i++) d->dims[i] = i;
  for (int i = rank - 1; i > 0; i--) {
    int other = (int)hy_choose(p->c, (uint64_t)i + 1), kept = d->dims[i];
    d->dims[i] = d->dims[other];
    d->dims[other] = kept;
  }
  d->dim_count = 2 + (int)hy_choose(p->c, (uint64_t)rank - 1);
  return true;
}

// One, of a parameter.
static bool pick_conditions(picker *p) {
  const hy_expr *param = pick_param(p);
  if (!param) return false;
  const hy_expr **conditions = HY_NEW_ARRAY(hy_context_arena(p->context), const hy_expr *, 1);
  conditions[0] = hy_expr_binary(p->context, HY_OP_GT, param, pick_number(p));
  p->directive->conditions = conditions;
  p->directive->condition_count = 1;
  return true;
}

// A func that others read, or, now and then, an image.
static bool pick_source(picker *p) {
  const hy_alg *alg = p->tgt->alg;
  if (alg->image_count && hy_choose_chance(p->c, 30))
    p->directive->func = alg->images[hy_choose(p->c, (uint64_t)alg->image_count)];
  else
    p->directive->func = p->tgt->funcs[hy_choose(p->c, (uint64_t)p->tgt->func_count)];
  return true;
}

// An image or an output.
static bool pick_buffer(picker *p) {
  const hy_alg *alg = p->tgt->alg;
  size_t which = hy_choose(p->c, (uint64_t)(alg->image_count + alg->output_count));
  p->directive->func =
      which < (size_t)alg->image_count ? alg->images[which] : alg->outputs[which - (size_t)alg->image_count].func;
  return true;
}

// All, or one or two of those that read the func.
static bool pick_readers(picker *p) {
  hy_directive *d = p->directive;
  const hy_func *const *all;
  int count = hy_funcs_all_readers(p->context, p->tgt, d->func, &all);
  int some = hy_choose_chance(p->c, 60) ? 1 + (int)hy_choose(p->c, 2) : count;
  int first = count && some < count ? (int)hy_choose(p->c, (uint64_t)(count - some + 1)) : 0;
  d->readers = all + first;
  d->reader_count = some < count ? some : count;
  return count > 0;
}

// One of those that read the func, or one of its specializations.
static bool pick_branches(picker *p) {
  hy_directive *d = p->directive;
  const hy_func *const *all;
  int count = hy_funcs_all_readers(p->context, p->tgt, d->func, &all);
  if (!count) return false;
  d->readers = all + hy_choose(p->c, (uint64_t)count);
  d->reader_count = 1;
  int *branch = HY_NEW(hy_context_arena(p->context), int);
  *branch = hy_choose_chance(p->c, 30) ? HY_ALL_BRANCHES : (int)hy_choose(p->c, 3);
  d->branches = branch;
  return true;
}

// A loop of a reduction, if there is one.
static bool pick_reduction(picker *p) {
  const hy_stmt *found[64];
  size_t count = 0;
  for (size_t i = 0; i < p->count && count < HY_COUNT(found); i++)
    if (!p->loops[i]->loop.is_pure) found[count++] = p->loops[i];
  if (!count) return false;
  p->first = p->last = found[hy_choose(p->c, count)];
  p->directive->loop = p->first->loop.var;
  p->directive->func = p->directive->loop->func;
  return true;
}

static bool pick_loop(picker *p) {
  if (p->directive->type == &hy_directive_rfactor || p->directive->type == &hy_directive_split_reduction)
    return pick_reduction(p);
  if (p->first) p->directive->loop = p->first->loop.var;
  return p->first != NULL;
}

// Called as a chain calls it, or otherwise.
static const char *pick_made_name(picker *p) {
  const hy_directive *d = p->directive;
  const hy_func *const *all;
  if (!hy_choose_chance(p->c, 65)) return pick_name(p);
  if (d->branches) return hy_funcs_copy_name(p->context, p->tgt, d->func, d->readers[0], d->branches[0]);
  if (d->loop) return hy_funcs_factor_name(p->context, d->func, d->loop->stage);
  bool some = hy_funcs_all_readers(p->context, p->tgt, d->func, &all) != d->reader_count || hy_choose_chance(p->c, 50);
  return hy_funcs_chain_name(p->context, d->type, d->func, d->readers, some ? d->reader_count : 0);
}

static void make_func(picker *p) {
  hy_directive *d = p->directive;
  d->made = hy_funcs_make_for(p->context, p->tgt, d, pick_made_name(p), d->loc);
}

static bool pick_argument(picker *p) {
  hy_directive *d = p->directive;
  hy_takes takes = d->type->arguments[p->position];
  int place = hy_directive_place(d->type, p->position);
  if (p->wanted && p->wanted->position == p->position) {
    d->args[place] = p->wanted->value;
    return true;
  }
  switch (takes) {
  case HY_TAKES_END: break;
  case HY_TAKES_FUNC: return pick_func(p);
  case HY_TAKES_LOOP: return pick_loop(p);
  case HY_TAKES_SITE: return pick_site(p);
  case HY_TAKES_INNER: return (d->names[place] = pick_inner(p)) != NULL;
  case HY_TAKES_AROUND: return (d->names[place] = pick_around(p)) != NULL;
  case HY_TAKES_NAME: d->names[place] = pick_name(p); return true;
  case HY_TAKES_FACTOR: d->args[place] = pick_factor(p); return true;
  case HY_TAKES_LENGTH: d->args[place] = hy_expr_int(p->context, (int64_t)hy_choose(p->c, 24)); return true;
  case HY_TAKES_EXPR: d->args[place] = pick_expr(p); return true;
  case HY_TAKES_NUMBER:
  case HY_TAKES_REMAINDER: d->args[place] = pick_number(p); return true;
  case HY_TAKES_DIMENSION: return pick_dimension(p);
  case HY_TAKES_DIMENSIONS: return pick_dimensions(p);
  case HY_TAKES_STORE: d->store = hy_choose_chance(p->c, 50) ? HY_STORE_STACK : HY_STORE_HEAP; return true;
  case HY_TAKES_TAIL: d->tail = (hy_tail)hy_choose_weighted(p->c, (int[]){50, 25, 25}, 3); return true;
  case HY_TAKES_TRAVERSAL: d->traversal = (hy_traversal)hy_choose(p->c, 4); return true;
  case HY_TAKES_CONDITIONS: return pick_conditions(p);
  case HY_TAKES_SOURCE: return pick_source(p);
  case HY_TAKES_BUFFER: return pick_buffer(p);
  case HY_TAKES_MADE: return true; // behind the others
  case HY_TAKES_READERS: return pick_readers(p);
  case HY_TAKES_BRANCHES: return pick_branches(p);
  }
  HY_UNREACHABLE();
}

bool hy_generate_directive(hy_choices *choices, hy_context *context, const hy_tgt *tgt, const hy_stmt *const *loops,
                           size_t count, const hy_stmt *loop, const hy_directive_type *type,
                           const hy_wanted_argument *wanted, int *names, hy_directive *directive) {
  bool reuses = hy_choose_chance(choices, 25);
  picker p = {choices, context, tgt, loops, count, loop, loop, names, reuses, directive, 0, wanted};
  *directive = (hy_directive){.type = type, .loc = tgt->alg->loc};
  for (; type->arguments[p.position] != HY_TAKES_END; p.position++)
    if (!pick_argument(&p)) return false;
  if (hy_directive_find(type, HY_TAKES_MADE) >= 0) make_func(&p);
  return true;
}

bool hy_generate_plugin(hy_choices *choices, hy_context *context, const hy_tgt *tgt, const hy_stmt *const *loops,
                        size_t count, const hy_stmt *loop, const hy_wanted_argument *wanted, int *names,
                        hy_directive *directive) {
  const hy_plugins *plugins = hy_context_plugins(context);
  if (!plugins || !plugins->count) return false;
  const hy_plugin *plugin = plugins->items[hy_choose(choices, (uint64_t)plugins->count)];
  return hy_generate_directive(choices, context, tgt, loops, count, loop, &plugin->type, wanted, names, directive);
}
