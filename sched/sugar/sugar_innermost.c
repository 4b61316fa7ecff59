#include "sched/site.h"
#include "sched/sugar/sugar.h"

#include <string.h>

/* DIR.Inline.Innermost: where "default inline;" computes a func with updates that the schedule does not name. Halide
 * computes it for each value that is read. Here the loop has to be one on which what is read depends, and the updates
 * have to compute the points that are asked for, and no others: nothing is computed over and over.
 */

bool hy_sugar_is_left_innermost(const hy_sugar *s, const hy_func *func) {
  const hy_definition *definition = hy_alg_definition(s->tgt->alg, func);
  if (!s->schedule->default_inline || !definition || definition->stage_count < 2) return false;
  if (hy_alg_output(s->tgt->alg, func) || hy_sugar_names(s, func->name)) return false;
  const uint32_t all = (uint32_t)((1ull << func->rank) - 1);
  for (int i = 1; i < definition->stage_count; i++)
    if (definition->stages[i].pure != all) return false;
  return true;
}

/* -- on which loops what is read depends -- */

typedef struct {
  const hy_func *func, *consumer; // the loop's
  HY_VEC(const hy_var *) varying; // the loop's variable, and what is computed with it
  uint32_t dims;                  // of the func: those along which a place that is read varies
} dependence;

static bool varies(const dependence *d, const hy_expr *expr) {
  for (size_t i = 0; i < d->varying.count; i++)
    if (hy_expr_mentions(expr, d->varying.data[i])) return true;
  return false;
}

static void see_access(void *self, const hy_expr *access) {
  dependence *d = self;
  if (access->func != d->func) return;
  for (int i = 0; i < access->count; i++)
    if (varies(d, access->args[i])) d->dims |= 1u << i;
}

// The loops of another func are about what is asked of it in this iteration: all of them vary.
static void see(void *self, const hy_stmt *stmt) {
  dependence *d = self;
  if (stmt->kind == HY_STMT_FOR && (stmt->loop.var->func != d->consumer || varies(d, stmt->loop.interval.min)))
    hy_vec_push(&d->varying, stmt->loop.var);
  else if (stmt->kind == HY_STMT_LET && varies(d, stmt->let.value))
    hy_vec_push(&d->varying, stmt->let.var);
  else if (stmt->kind == HY_STMT_IF)
    hy_expr_visit_accesses(stmt->branch.condition, see_access, d);
  else if (stmt->kind == HY_STMT_ASSIGN)
    hy_expr_visit_accesses(stmt->assign.rhs, see_access, d);
  for (int i = 0; stmt->kind == HY_STMT_ASSIGN && i < stmt->assign.func->rank; i++)
    hy_expr_visit_accesses(stmt->assign.lhs[i], see_access, d);
}

static uint32_t depending(const hy_stmt *loop, const hy_func *func) {
  dependence d = {.func = func, .consumer = loop->loop.var->func};
  hy_vec_push(&d.varying, loop->loop.var);
  hy_tree_visit(loop->loop.body, see, &d);
  hy_vec_free(&d.varying);
  return d.dims;
}

/* -- loops that every specialization has: what is computed in such a one is copied for each (SCH.Spread) -- */

// The loops of that name, of the same stage of all specializations.
typedef struct {
  const hy_var *like;
  HY_VEC(const hy_stmt *) loops;
  bool in_vector; // one of them is, or stands in one
} copies;

static void list_copies(copies *c, const hy_stmt *stmt, bool in_vector) {
  if (stmt->kind == HY_STMT_FOR) {
    const hy_var *var = stmt->loop.var;
    const bool is_copy = var->func == c->like->func && var->stage == c->like->stage && var->name == c->like->name;
    in_vector |= stmt->loop.traversal == HY_VECTORIZED;
    if (is_copy) hy_vec_push(&c->loops, stmt);
    c->in_vector |= is_copy && in_vector;
  }
  const hy_stmt *const *children, *room[2];
  for (int i = 0, count = hy_stmt_children(stmt, &children, room); i < count; i++)
    list_copies(c, children[i], in_vector);
}

// Of what is read the coordinates that depend on the loop, in all copies alike; 0: they do not, or differ.
static uint32_t depending_alike(const copies *c, const hy_func *func) {
  const uint32_t dims = depending(c->loops.data[0], func);
  bool alike = true;
  for (size_t i = 1; i < c->loops.count; i++) alike &= depending(c->loops.data[i], func) == dims;
  return alike ? dims : 0;
}

// Do all funcs fit, however many of them are copied? A legal program is not refused for what nobody said.
static bool fits_copies(const hy_sugar *s) {
  size_t copies = (size_t)s->tgt->func_count;
  for (size_t i = 0; i < s->specializations.count && copies <= HY_MOST_COPIES; i++)
    copies *= s->specializations.data[i].conditions.count + 1;
  return copies <= HY_MOST_COPIES;
}

// The innermost such loop whose copies are accepted, and on which what is read depends; the default's. NULL: there is none.
static const hy_stmt *find_spread(const hy_tgt *tgt, const hy_func *func, bool accepts(const copies *)) {
  size_t count;
  const hy_stmt **loops = hy_site_spread(tgt, func, &count), *found = NULL;
  for (size_t i = 0; i < count; i++) {
    copies c = {.like = loops[i]->loop.var};
    list_copies(&c, tgt->body, false);
    if (accepts(&c) && depending_alike(&c, func)) found = loops[i];
    hy_vec_free(&c.loops);
  }
  hy_free(loops);
  return found;
}

static bool outside_of_vectors(const copies *c) { return !c->in_vector; }

static bool vectors_alike(const copies *c) {
  const hy_expr *lanes = c->loops.data[0]->loop.interval.len;
  bool alike = true;
  for (size_t i = 0; i < c->loops.count; i++)
    alike &= c->loops.data[i]->loop.traversal == HY_VECTORIZED && c->loops.data[i]->loop.interval.len == lanes;
  return alike;
}

const hy_var *hy_sugar_innermost_spread(const hy_sugar *s, const hy_tgt *tgt, const hy_func *func) {
  const hy_stmt *loop = fits_copies(s) ? find_spread(tgt, func, outside_of_vectors) : NULL;
  return loop ? loop->loop.var : NULL;
}

const hy_var *hy_sugar_innermost(const hy_tgt *tgt, const hy_func *func) {
  size_t count;
  const hy_stmt **loops = hy_site_loops(tgt, func, false, &count);
  const hy_var *found = NULL;
  for (size_t i = 0; i < count && loops[i]->loop.traversal != HY_VECTORIZED; i++)
    if (depending(loops[i], func)) found = loops[i]->loop.var;
  hy_free(loops);
  return found;
}

/* -- what is read by lanes is computed by lanes -- */

enum { MOST_LANES = 64 };

// The loop in vectors around all that reads the func; NULL: there is none.
static const hy_stmt *lanes_around(const hy_tgt *tgt, const hy_func *func) {
  size_t count;
  const hy_stmt **loops = hy_site_loops(tgt, func, false, &count), *found = NULL;
  for (size_t i = 0; i < count; i++)
    if (loops[i]->loop.traversal == HY_VECTORIZED) found = loops[i];
  hy_free(loops);
  return found;
}

typedef struct {
  const hy_func *func;
  const char *name;
  bool found;
} name_search;

static void see_name(void *self, const hy_stmt *stmt) {
  name_search *n = self;
  if (stmt->kind == HY_STMT_FOR && stmt->loop.var->func == n->func) n->found |= !strcmp(stmt->loop.var->name, n->name);
}

// "x_v", as vectorize calls it; "x_v1" and so on where a loop of the func is called so.
static const char *free_name(const hy_sugar *s, const hy_func *func, const char *dim) {
  const char *name = hy_context_name_of(s->context, hy_arena_printf(hy_context_arena(s->context), "%s_v", dim));
  for (int i = 1;; i++) {
    name_search n = {func, name, false};
    hy_tree_visit(s->tgt->body, see_name, &n);
    if (!n.found) return name;
    name = hy_context_name_of(s->context, hy_arena_printf(hy_context_arena(s->context), "%s_v%d", dim, i));
  }
}

// f.vectorize(d, lanes).update(k).vectorize(d, lanes), of every k.
static void turn(hy_sugar *s, const hy_func *func, int dim, int64_t lanes) {
  const char *name = func->dims[dim], *inner = free_name(s, func, name);
  for (int stage = 0; stage < hy_tgt_stage_count(s->tgt, func) && !s->failed; stage++) {
    const hy_chain chain = {.func = func, .stage = stage};
    hy_directive split = {.type = &hy_directive_split, .loc = s->schedule->loc, .tail = HY_TAIL_GUARD};
    split.loop = hy_sugar_loop_of(s, &chain, name);
    split.names[0] = hy_context_name_of(s->context, name), split.names[1] = inner;
    split.args[0] = hy_expr_int(s->context, lanes);
    hy_sugar_add(s, split);
    hy_directive traverse = {.type = &hy_directive_traverse, .loc = s->schedule->loc, .traversal = HY_VECTORIZED};
    traverse.loop = hy_sugar_loop_of(s, &chain, inner);
    hy_sugar_add(s, traverse);
  }
}

// DIR.Inline.Lanes: consumers first, whose lanes may be made here, too.
void hy_sugar_turn_innermost(hy_sugar *s) {
  for (int f = s->tgt->func_count - 1; f >= 0 && !s->failed; f--) {
    const hy_func *func = s->tgt->funcs[f];
    const bool is_left = hy_sugar_is_left_innermost(s, func);
    const hy_stmt *loop = is_left ? lanes_around(s->tgt, func) : NULL;
    if (is_left && !loop) loop = find_spread(s->tgt, func, vectors_alike);
    const uint32_t dims = loop ? depending(loop, func) : 0;
    int64_t lanes;
    if (!dims || dims & (dims - 1) || !hy_expr_is_int(loop->loop.interval.len, &lanes)) continue;
    if (lanes < 2 || lanes > MOST_LANES) continue;
    hy_context_hit(s->context, HY_RULE_DIR_INLINE_LANES);
    turn(s, func, __builtin_ctz(dims), lanes);
  }
}
