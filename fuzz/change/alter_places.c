/* The places of a program where a bound can be altered (alter.h), each once. Holes of loops are found in the program
 * with holes; all else in the filled one, and in its entry block.
 *
 * A loop or guard whose range has no hole is fixed, and so is one that was fused of an outer loop of that kind and
 * another: it is only made narrower. More iterations would be the same ones again, of which B does not speak.
 */

#include "fuzz/change/alter_internal.h"

typedef struct {
  hy_places *places;
  HY_VEC(const hy_var *) free;  // whose range holds a hole, before it is filled: loops, and what guards let pass
  HY_VEC(const hy_var *) fused; // of a loop whose range holds none: the outer one
} place_walk;

static void add(place_walk *w, hy_alter_place place) {
  for (size_t i = 0; i < w->places->count; i++) {
    const hy_alter_place *p = &w->places->data[i];
    if (p->kind == place.kind && p->func == place.func && p->dim == place.dim && p->var == place.var) return;
  }
  hy_vec_push(w->places, place);
}

static void add_box(place_walk *w, hy_place_kind kind, const hy_func *func) {
  for (int d = 0; d < func->rank; d++) add(w, (hy_alter_place){kind, func, d, NULL, false});
}

static void see_hole(void *self, const hy_expr *node) {
  if (node->kind == HY_EXPR_HOLE && node->hole->kind == HY_HOLE_FOR)
    add(self, (hy_alter_place){HY_PLACE_FOR, NULL, 0, node->hole->loop, false});
}

static void each_child(place_walk *w, const hy_stmt *stmt, void (*walk)(place_walk *, const hy_stmt *)) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) walk(w, children[i]);
}

// "v < end": what the tails of splits make.
static const hy_var *guarded(const hy_stmt *stmt) {
  const hy_expr *c = stmt->branch.condition;
  bool is_end = stmt->branch.why == HY_IF_GUARD && c->kind == HY_EXPR_OP && c->op == HY_OP_LT;
  return is_end && c->args[0]->kind == HY_EXPR_VAR ? c->args[0]->var : NULL;
}

static bool is_among(const hy_var *const *list, size_t count, const hy_var *var) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == var) return true;
  return false;
}

// A longer loop that is fused of one that a directive made 4 long and of another runs the latter's iterations for a
// fifth one, which is the first of the next four again. The lets inside have been seen.
static void see_fused(place_walk *w, const hy_stmt *let) {
  const hy_origin *o = &let->let.origin;
  bool counts = hy_origin_is_quotient(o) && (!(o->range.min->has_hole || o->range.len->has_hole) ||
                                             is_among(w->fused.data, w->fused.count, let->let.var));
  if (counts) hy_vec_push(&w->fused, o->sources[0]);
}

// Of the program with holes: those of loops, and which loops have a range of holes.
static void walk_scheduled(place_walk *w, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) {
    hy_interval range = stmt->loop.interval;
    hy_expr_visit(range.min, see_hole, w);
    hy_expr_visit(range.len, see_hole, w);
    if (range.min->has_hole || range.len->has_hole) hy_vec_push(&w->free, stmt->loop.var);
  }
  if (stmt->kind == HY_STMT_LET) hy_expr_visit(stmt->let.value, see_hole, w);
  const hy_var *var = stmt->kind == HY_STMT_IF ? guarded(stmt) : NULL;
  if (var && stmt->branch.condition->has_hole) hy_vec_push(&w->free, var);
  each_child(w, stmt, walk_scheduled);
  if (stmt->kind == HY_STMT_LET) see_fused(w, stmt);
}

static bool is_free(const place_walk *w, const hy_var *var) {
  return is_among(w->free.data, w->free.count, var) && !is_among(w->fused.data, w->fused.count, var);
}

// Loops over reduction variables are left as they are: the algorithm says how long they are, and B does not ask.
static void walk_filled(place_walk *w, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ALLOCATE) add_box(w, HY_PLACE_ALLOCATE, stmt->allocate.func);
  if (stmt->kind == HY_STMT_COMPUTE) {
    add_box(w, HY_PLACE_CPU, stmt->compute.func);
    add_box(w, HY_PLACE_WIDE, stmt->compute.func);
    add_box(w, HY_PLACE_COMPUTE, stmt->compute.func);
  }
  if (stmt->kind == HY_STMT_FOR && stmt->loop.is_pure)
    add(w, (hy_alter_place){HY_PLACE_LOOP, NULL, 0, stmt->loop.var, !is_free(w, stmt->loop.var)});
  const hy_var *var = stmt->kind == HY_STMT_IF ? guarded(stmt) : NULL;
  if (var) add(w, (hy_alter_place){HY_PLACE_GUARD, NULL, 0, var, !is_free(w, var)});
  each_child(w, stmt, walk_filled);
}

void hy_alter_places(const hy_tgt *scheduled, const hy_tgt *filled, hy_places *places) {
  place_walk w = {.places = places};
  walk_scheduled(&w, scheduled->body);
  walk_filled(&w, filled->body);
  for (int i = 0; i < filled->entry_count; i++)
    if (filled->entry[i]->assume.why == HY_ASSUME_IMAGE) add_box(&w, HY_PLACE_IMAGE, filled->entry[i]->assume.subject);
  hy_vec_free(&w.free);
  hy_vec_free(&w.fused);
}
