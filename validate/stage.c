/* Which loops and lets stand for a stage's own variables, its keys, in each program of the series, and whether a
 * directive has kept what it does not speak of: a part of L0 (LVL.Structure).
 *
 * In a lowered program keys have the algorithm's names. From there on they are carried: a key keeps its name, or, if a
 * new loop took that, is one of the variables left over that no let is made of. Each stage copy must come from one
 * before, unless the directive makes it, with as many variables of its own, over the same ranges; its assignment and
 * predicates must be those before but for names, or what an inlined or added func makes of them. In which order
 * iterations come is the business of L1 and L3.
 */

#include "validate/validate_internal.h"

#include "semantics/base/vec.h"

#include <string.h>

typedef HY_VEC(const hy_stmt *) stmt_list;
typedef HY_VEC(hy_stage_copy) copy_list;

/* -- finding them -- */

typedef struct {
  hy_context *context;
  stmt_list path;
  copy_list copies;
} search;

static void add_copy(search *s, const hy_stmt *assign) {
  size_t top = s->path.count;
  while (top > 0 &&
         (s->path.data[top - 1]->kind != HY_STMT_COMPUTE || s->path.data[top - 1]->compute.func != assign->assign.func))
    top--;
  if (!top) return; // L0 says that it is ill-formed
  hy_stage_copy copy = {.func = assign->assign.func,
                        .spec = assign->assign.spec,
                        .stage = assign->assign.stage,
                        .compute = s->path.data[top - 1],
                        .assign = assign,
                        .count = (int)(s->path.count - top)};
  const hy_stmt **chain = HY_NEW_ARRAY(hy_context_arena(s->context), const hy_stmt *, copy.count);
  memcpy(chain, s->path.data + top, sizeof *chain * (size_t)copy.count);
  copy.chain = chain;
  hy_vec_push(&s->copies, copy);
}

static void visit(search *s, const hy_stmt *stmt) {
  hy_vec_push(&s->path, stmt);
  if (stmt->kind == HY_STMT_ASSIGN) add_copy(s, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) visit(s, children[i]);
  (void)hy_vec_pop(&s->path);
}

hy_stage_list hy_stages_of(hy_context *context, const hy_tgt *tgt) {
  search s = {.context = context};
  visit(&s, tgt->body);
  hy_stage_copy *copies = HY_NEW_ARRAY(hy_context_arena(context), hy_stage_copy, s.copies.count);
  if (s.copies.count) memcpy(copies, s.copies.data, sizeof *copies * s.copies.count);
  hy_stage_list list = {copies, (int)s.copies.count};
  hy_vec_free(&s.copies);
  hy_vec_free(&s.path);
  return list;
}

const hy_stage_copy *hy_stages_find(const hy_stage_list *list, const hy_func *func, int spec, int stage) {
  for (int i = 0; i < list->count; i++)
    if (list->copies[i].func == func && list->copies[i].spec == spec && list->copies[i].stage == stage)
      return &list->copies[i];
  return NULL;
}

const hy_stmt *hy_stage_loop(const hy_stage_copy *c, const hy_var *var) {
  for (int i = 0; i < c->count; i++)
    if (c->chain[i]->kind == HY_STMT_FOR && c->chain[i]->loop.var == var) return c->chain[i];
  return NULL;
}

const hy_expr *hy_stage_predicate(const hy_stage_copy *c) {
  for (int i = 0; i < c->count; i++)
    if (c->chain[i]->kind == HY_STMT_IF) return c->chain[i]->branch.condition;
  return NULL;
}

const char *hy_stage_name(hy_context *context, const hy_stage_copy *copy) {
  hy_arena *arena = hy_context_arena(context);
  if (copy->spec) return hy_arena_printf(arena, "%s.z%d.s%d", copy->func->name, copy->spec, copy->stage);
  return hy_arena_printf(arena, "%s.s%d", copy->func->name, copy->stage);
}

bool hy_stage_is_touched(const hy_stage_copy *copy, const hy_directive *directive) {
  const hy_var *loop = directive->loop;
  switch (directive->type->phase) {
  case HY_PHASE_FUNCS:
  case HY_PHASE_INLINE:
  case HY_PHASE_COPIES: return false;
  case HY_PHASE_SPECIALIZE: return copy->func == directive->func;
  case HY_PHASE_LOOPS: return copy->func == loop->func && copy->spec == loop->spec && copy->stage == loop->stage;
  case HY_PHASE_COMPUTE:
  case HY_PHASE_STORAGE:
  case HY_PHASE_BOUNDS: return false;
  case HY_PHASE_PLAN: return directive->type == &hy_directive_slide && copy->func == directive->func;
  }
  HY_UNREACHABLE();
}

/* -- keys -- */

static const hy_var *bound_by(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) return stmt->loop.var;
  return stmt->kind == HY_STMT_LET ? stmt->let.var : NULL;
}

bool hy_stage_is_source(const hy_stage_copy *copy, const hy_var *var) {
  for (int i = 0; i < copy->count; i++)
    if (copy->chain[i]->kind == HY_STMT_LET && hy_origin_has_source(&copy->chain[i]->let.origin, var)) return true;
  return false;
}

// A variable that no let is made of: one of the stage's own.
static bool is_root(const hy_stage_copy *copy, const hy_var *var) {
  for (int i = 0; i < copy->count; i++)
    if (bound_by(copy->chain[i]) == var) return !hy_stage_is_source(copy, var);
  return false;
}

void hy_stages_name_keys(hy_context *context, const hy_tgt *lowered, hy_stage_list *stages) {
  hy_arena *arena = hy_context_arena(context);
  for (int i = 0; i < stages->count; i++) {
    hy_stage_copy *c = &stages->copies[i];
    const hy_definition *d = hy_alg_definition(lowered->alg, c->func);
    HY_ASSERT(d && c->stage < d->stage_count);
    const hy_stage *stage = &d->stages[c->stage];
    c->keys = HY_NEW_ARRAY(arena, const hy_var *, c->func->rank + stage->rdom_count);
    c->names = HY_NEW_ARRAY(arena, const char *, c->func->rank + stage->rdom_count);
    int *dims = HY_NEW_ARRAY(arena, int, c->func->rank);
    for (int k = 0; k < c->func->rank; k++) {
      if (!(stage->pure >> k & 1)) continue;
      c->keys[c->pure_count] = hy_var_loop(context, c->func, c->spec, c->stage, d->vars[k]->name);
      dims[c->pure_count++] = k;
    }
    for (int k = stage->rdom_count; k-- > 0;)
      c->keys[c->pure_count + c->rdom_count++] =
          hy_var_loop(context, c->func, c->spec, c->stage, stage->rdoms[k].var->name);
    c->dims = dims;
    for (int k = 0; k < c->pure_count + c->rdom_count; k++) c->names[k] = c->keys[k]->name;
  }
}

static bool is_key(const hy_stage_copy *c, const hy_var *var) {
  for (int k = 0; k < c->pure_count + c->rdom_count; k++)
    if (c->keys[k] == var) return true;
  return false;
}

// "x__1" is a name that a let gets for "x" when the name goes to a new loop.
static bool is_name_for(const char *name, const char *old) {
  size_t length = strlen(old);
  return strncmp(name, old, length) == 0 && strncmp(name + length, "__", 2) == 0 &&
         name[length + 2 + strspn(name + length + 2, "0123456789")] == 0;
}

// Gives the keys whose names went to new loops one each of the roots that are no key yet: the one that has a name for
// it, or else ("any") the next one. Whether it is the same variable is seen by the assignment and the ranges.
static void fill_open_keys(const hy_stage_copy *from, hy_stage_copy *to, bool any) {
  for (int k = 0; k < from->pure_count + from->rdom_count; k++)
    for (int i = 0; i < to->count && !to->keys[k]; i++) {
      const hy_var *var = bound_by(to->chain[i]);
      if (var && !hy_stage_is_source(to, var) && !is_key(to, var) &&
          (any || is_name_for(var->name, from->keys[k]->name)))
        to->keys[k] = var;
    }
}

// The keys keep their names, but for those that a directive's new loops took over: those are the roots that are left.
static const char *carry(hy_context *context, const hy_stage_copy *from, hy_stage_copy *to) {
  int total = from->pure_count + from->rdom_count, roots = 0;
  to->keys = HY_NEW_ARRAY(hy_context_arena(context), const hy_var *, total);
  to->names = from->names;
  to->dims = from->dims;
  to->pure_count = from->pure_count;
  to->rdom_count = from->rdom_count;
  for (int k = 0; k < total; k++) {
    const hy_var *old = from->keys[k], *var = hy_var_loop(context, to->func, to->spec, old->stage, old->name);
    to->keys[k] = is_root(to, var) ? var : NULL;
  }
  for (int i = 0; i < to->count; i++)
    roots += bound_by(to->chain[i]) && !hy_stage_is_source(to, bound_by(to->chain[i]));
  fill_open_keys(from, to, false);
  fill_open_keys(from, to, true);
  for (int k = 0; k < total; k++)
    if (!to->keys[k])
      return hy_arena_printf(hy_context_arena(context), "%s has lost the variable %s", hy_stage_name(context, to),
                             from->names[k]);
  if (roots == total) return NULL;
  return hy_arena_printf(hy_context_arena(context), "%s has %d variables of its own instead of %d",
                         hy_stage_name(context, to), roots, total);
}

/* -- the stage's own variables keep their ranges -- */

// Of the loop over "var", or of the one that the let over it replaced.
static hy_interval range_of(const hy_stage_copy *c, const hy_var *var) {
  for (int i = 0; i < c->count; i++)
    if (bound_by(c->chain[i]) == var)
      return c->chain[i]->kind == HY_STMT_FOR ? c->chain[i]->loop.interval : c->chain[i]->let.origin.range;
  return (hy_interval){NULL, NULL};
}

// The same expression, or the holes of a loop and of its copy in a specialization, or of a box and of a loop that
// ranges over what is new of it.
static bool same_end(const hy_expr *a, const hy_expr *b, hy_order_class promise) {
  if (a == b || !a || !b) return a == b;
  if (a->kind != HY_EXPR_HOLE || b->kind != HY_EXPR_HOLE) return false;
  const hy_hole *x = a->hole, *y = b->hole;
  if (promise == HY_ORDER_KEPT && x->kind == HY_HOLE_CPU && y->kind == HY_HOLE_FOR)
    return x->func == y->func && x->dim == y->dim && x->is_len == y->is_len;
  return x->kind == HY_HOLE_FOR && y->kind == HY_HOLE_FOR && x->func == y->func && x->dim == y->dim &&
         x->is_len == y->is_len && x->loop->name == y->loop->name;
}

static const char *check_ranges(hy_context *context, const hy_stage_copy *before, const hy_stage_copy *after,
                                hy_order_class promise) {
  for (int k = 0; k < before->pure_count + before->rdom_count; k++) {
    hy_interval old = range_of(before, before->keys[k]), new = range_of(after, after->keys[k]);
    if (same_end(old.min, new.min, promise) && same_end(old.len, new.len, promise)) continue;
    return hy_arena_printf(hy_context_arena(context), "the variable %s of %s has another range", before->names[k],
                           hy_stage_name(context, after));
  }
  return NULL;
}

/* -- the assignment is the same but for the names of its loops -- */

typedef struct {
  hy_context *context;
  hy_binding *bindings;
  size_t count;
} renaming;

static bool same(const renaming *r, const hy_expr *before, const hy_expr *after) {
  return hy_expr_substitute(r->context, before, r->bindings, r->count) == after;
}

static const hy_stmt *next_predicate(const hy_stage_copy *c, int *at) {
  while (*at < c->count) {
    const hy_stmt *stmt = c->chain[(*at)++];
    if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_USER) return stmt;
  }
  return NULL;
}

static bool same_assignment(const renaming *r, const hy_stage_copy *before, const hy_stage_copy *after) {
  int at = 0, to = 0;
  for (;;) {
    const hy_stmt *old = next_predicate(before, &at), *new = next_predicate(after, &to);
    if (!old && !new) break;
    if (!old || !new || !same(r, old->branch.condition, new->branch.condition)) return false;
  }
  for (int i = 0; i < before->func->rank; i++)
    if (!same(r, before->assign->assign.lhs[i], after->assign->assign.lhs[i])) return false;
  return same(r, before->assign->assign.rhs, after->assign->assign.rhs);
}

static const char *check_assignment(hy_context *context, const hy_stage_copy *before, const hy_stage_copy *after) {
  int total = before->pure_count + before->rdom_count;
  renaming r = {context, hy_allocate(sizeof(hy_binding) * (size_t)(total + 1)), (size_t)total};
  for (int k = 0; k < total; k++) r.bindings[k] = (hy_binding){before->keys[k], hy_expr_var(context, after->keys[k])};
  bool kept = same_assignment(&r, before, after);
  hy_free(r.bindings);
  if (kept) return NULL;
  return hy_arena_printf(hy_context_arena(context), "the assignment of %s, or its predicate, has changed",
                         hy_stage_name(context, after));
}

bool hy_stage_is_added(const hy_stage_copy *copy, const hy_directive *directive) {
  if (directive->type->phase == HY_PHASE_COPIES) return copy->func == directive->made;
  if (directive->type->phase != HY_PHASE_FUNCS) return false;
  return copy->func == directive->made ||
         (directive->loop && copy->func == directive->func && copy->stage == directive->loop->stage);
}

// Is the assignment, with its predicates, what the directive makes of the one before?
static const char *check_copy(hy_context *context, const hy_stage_list *before, const hy_directive *directive,
                              const hy_stage_copy *from, const hy_stage_copy *to) {
  if (directive->type->phase == HY_PHASE_FUNCS || directive->type->phase == HY_PHASE_COPIES)
    return hy_validate_added(context, before, directive, from, to);
  if (directive->type->phase == HY_PHASE_INLINE) return hy_validate_inlined(context, before, directive->func, from, to);
  return check_assignment(context, from, to);
}

// Of a copy that no program before had: its loops, or, where those are what directives made of them, what stands for
// the variables of the func that it is a copy of.
static const char *name_keys(hy_context *context, const hy_stage_list *before, const hy_directive *directive,
                             hy_stage_copy *c) {
  if (directive->type->phase != HY_PHASE_COPIES) {
    hy_stage_name_own_keys(context, c);
    return NULL;
  }
  const hy_stage_copy *from = hy_stages_find(before, directive->func, c->spec, c->stage);
  if (!from)
    return hy_arena_printf(hy_context_arena(context), "stage %s comes from nowhere", hy_stage_name(context, c));
  c->extra = from->extra;
  c->repeated = from->repeated;
  return carry(context, from, c);
}

const char *hy_stages_carry_keys(hy_context *context, const hy_stage_list *before, const hy_directive *directive,
                                 hy_order_class promise, hy_stage_list *after, bool *known) {
  hy_arena *arena = hy_context_arena(context);
  const char *wrong = NULL;
  *known = false;
  for (int i = 0; i < after->count; i++) {
    hy_stage_copy *c = &after->copies[i];
    bool is_new = directive->type->phase == HY_PHASE_SPECIALIZE && c->func == directive->func;
    const hy_stage_copy *from = hy_stages_find(before, c->func, is_new ? 0 : c->spec, c->stage);
    if (directive->type->phase == HY_PHASE_INLINE && c->func == directive->func)
      return hy_arena_printf(arena, "%s is still computed", c->func->name);
    if (hy_stage_is_added(c, directive)) {
      const char *lost = name_keys(context, before, directive, c);
      if (lost) return lost;
      if (!wrong) wrong = check_copy(context, before, directive, NULL, c);
      continue;
    }
    if (!from) return hy_arena_printf(arena, "stage %s comes from nowhere", hy_stage_name(context, c));
    const char *lost = carry(context, from, c);
    if (lost) return lost;
    if (!wrong) wrong = check_copy(context, before, directive, from, c);
    if (!wrong) wrong = check_ranges(context, from, c, promise);
    c->extra = from->extra || (promise == HY_ORDER_EXTRA && hy_stage_is_touched(c, directive));
    // only a pure stage can do the same twice: an update that is repeated is another one (decision D32)
    bool repeats = promise == HY_ORDER_REPEATED && c->stage == 0 && hy_stage_is_touched(c, directive);
    c->repeated = from->repeated || repeats;
  }
  for (int i = 0; i < before->count; i++) {
    const hy_stage_copy *c = &before->copies[i];
    if (directive->type->phase == HY_PHASE_INLINE && c->func == directive->func) continue;
    if (!hy_stages_find(after, c->func, c->spec, c->stage))
      return hy_arena_printf(arena, "stage %s is gone", hy_stage_name(context, c));
  }
  *known = true;
  return wrong;
}
