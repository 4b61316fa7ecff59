#include "semantics/tgt/tgt.h"

#include "semantics/base/vec.h"

#include <string.h>

/* -- constructors -- */

static const hy_stmt *make(hy_context *context, hy_stmt stmt) {
  hy_stmt *copy = HY_NEW(hy_context_arena(context), hy_stmt);
  *copy = stmt;
  return copy;
}

static const hy_interval *copy_box(hy_context *context, const hy_interval *box, int rank) {
  hy_interval *copy = HY_NEW_ARRAY(hy_context_arena(context), hy_interval, rank);
  for (int i = 0; i < rank; i++) {
    HY_ASSERT(box[i].min->type == HY_INT && box[i].len->type == HY_INT);
    copy[i] = box[i];
  }
  return copy;
}

const hy_stmt *hy_stmt_nop(hy_context *context) { return make(context, (hy_stmt){.kind = HY_STMT_NOP}); }

const hy_stmt *hy_stmt_assume(hy_context *context, hy_assume_kind why, const hy_func *subject,
                              const hy_expr *condition) {
  HY_ASSERT(condition->type == HY_BOOL);
  return make(context, (hy_stmt){.kind = HY_STMT_ASSUME, .assume = {why, condition, subject}});
}

const hy_stmt *hy_stmt_seq(hy_context *context, const hy_stmt *const *items, int count) {
  HY_VEC(const hy_stmt *) flat = {0};
  for (int i = 0; i < count; i++) {
    if (items[i]->kind == HY_STMT_SEQ) {
      for (int k = 0; k < items[i]->seq.count; k++) hy_vec_push(&flat, items[i]->seq.items[k]);
    } else if (items[i]->kind != HY_STMT_NOP) {
      hy_vec_push(&flat, items[i]);
    }
  }
  const hy_stmt *result;
  if (flat.count == 0) {
    result = hy_stmt_nop(context);
  } else if (flat.count == 1) {
    result = flat.data[0];
  } else {
    const hy_stmt **copy = HY_NEW_ARRAY(hy_context_arena(context), const hy_stmt *, flat.count);
    memcpy(copy, flat.data, sizeof *copy * flat.count);
    result = make(context, (hy_stmt){.kind = HY_STMT_SEQ, .seq = {copy, (int)flat.count}});
  }
  hy_vec_free(&flat);
  return result;
}

const hy_stmt *hy_stmt_allocate(hy_context *context, const hy_func *func, const hy_interval *box) {
  return hy_stmt_allocate_as(context, func, box, NULL);
}

const hy_stmt *hy_stmt_allocate_as(hy_context *context, const hy_func *func, const hy_interval *box,
                                   const hy_plan *plan) {
  HY_ASSERT(!func->is_image);
  hy_plan *kept = NULL;
  if (!hy_plan_is_plain(plan, func->rank)) {
    kept = HY_NEW(hy_context_arena(context), hy_plan);
    *kept = *plan;
  }
  return make(context,
              (hy_stmt){.kind = HY_STMT_ALLOCATE, .allocate = {func, copy_box(context, box, func->rank), kept}});
}

const hy_stmt *hy_stmt_assign(hy_context *context, const hy_func *func, int spec, int stage, const hy_expr *const *lhs,
                              const hy_expr *rhs) {
  HY_ASSERT(hy_expr_suits(rhs, func) && !func->is_image);
  const hy_expr **copy = HY_NEW_ARRAY(hy_context_arena(context), const hy_expr *, func->rank);
  for (int i = 0; i < func->rank; i++) {
    HY_ASSERT(lhs[i]->type == HY_INT);
    copy[i] = lhs[i];
  }
  return make(context, (hy_stmt){.kind = HY_STMT_ASSIGN, .assign = {func, stage, spec, copy, rhs}});
}

const hy_stmt *hy_stmt_if(hy_context *context, hy_if_kind why, const hy_expr *condition, const hy_stmt *then,
                          const hy_stmt *otherwise) {
  HY_ASSERT(condition->type == HY_BOOL);
  return make(context, (hy_stmt){.kind = HY_STMT_IF, .branch = {why, condition, then, otherwise}});
}

const hy_stmt *hy_stmt_for(hy_context *context, const hy_var *var, bool is_pure, hy_traversal traversal,
                           hy_interval interval, const hy_stmt *body) {
  HY_ASSERT(var->kind == HY_VAR_LOOP && interval.min->type == HY_INT && interval.len->type == HY_INT);
  return make(context, (hy_stmt){.kind = HY_STMT_FOR, .loop = {var, is_pure, traversal, interval, body, NULL}});
}

const hy_stmt *hy_stmt_piece(hy_context *context, const hy_stmt *loop, const hy_var *of, hy_interval whole) {
  HY_ASSERT(loop->kind == HY_STMT_FOR && of->kind == HY_VAR_LOOP && whole.min->type == HY_INT);
  hy_piece *piece = HY_NEW(hy_context_arena(context), hy_piece);
  *piece = (hy_piece){of, whole};
  hy_stmt copy = *loop;
  copy.loop.piece = piece;
  return make(context, copy);
}

const hy_stmt *hy_stmt_let(hy_context *context, const hy_var *var, const hy_expr *value, hy_origin origin,
                           const hy_stmt *body) {
  HY_ASSERT(var->kind == HY_VAR_LOOP && value->type == HY_INT);
  return make(context, (hy_stmt){.kind = HY_STMT_LET, .let = {var, value, origin, body}});
}

const hy_stmt *hy_stmt_compute(hy_context *context, const hy_func *func, const hy_interval *box, const hy_stmt *body) {
  return hy_stmt_compute_keeping(context, func, box, NULL, body);
}

const hy_stmt *hy_stmt_compute_keeping(hy_context *context, const hy_func *func, const hy_interval *box,
                                       const hy_var *keep, const hy_stmt *body) {
  HY_ASSERT(!func->is_image && (!keep || keep->kind == HY_VAR_LOOP));
  return make(context,
              (hy_stmt){.kind = HY_STMT_COMPUTE, .compute = {func, copy_box(context, box, func->rank), keep, body}});
}

const hy_stmt *hy_stmt_label(hy_context *context, hy_label_kind what, const hy_func *func, int number,
                             const hy_stmt *body) {
  return make(context, (hy_stmt){.kind = HY_STMT_LABEL, .label = {what, func, number, body}});
}

/* -- places -- */

const hy_stmt *hy_stmt_placed(hy_context *context, const hy_stmt *stmt, const hy_stmt_place *place) {
  if (stmt->place || !place) return stmt;
  hy_stmt copy = *stmt;
  copy.place = place;
  return make(context, copy);
}

hy_loc hy_stmt_loc(const hy_stmt *stmt, hy_loc otherwise) { return stmt->place ? stmt->place->loc : otherwise; }

hy_loc hy_stmt_access_loc(const hy_stmt *stmt, const hy_expr *access, hy_loc otherwise) {
  if (!stmt->place) return otherwise;
  for (int i = 0; i < stmt->place->access_count; i++)
    if (stmt->place->accesses[i].access == access) return stmt->place->accesses[i].loc;
  return stmt->place->loc;
}

/* -- children -- */

int hy_stmt_children(const hy_stmt *stmt, const hy_stmt *const **out, const hy_stmt *room[2]) {
  *out = room;
  switch (stmt->kind) {
  case HY_STMT_NOP:
  case HY_STMT_ASSUME:
  case HY_STMT_ALLOCATE:
  case HY_STMT_ASSIGN: return 0;
  case HY_STMT_SEQ: *out = stmt->seq.items; return stmt->seq.count;
  case HY_STMT_IF:
    room[0] = stmt->branch.then;
    room[1] = stmt->branch.otherwise;
    return stmt->branch.otherwise ? 2 : 1;
  case HY_STMT_FOR: room[0] = stmt->loop.body; return 1;
  case HY_STMT_LET: room[0] = stmt->let.body; return 1;
  case HY_STMT_COMPUTE: room[0] = stmt->compute.body; return 1;
  case HY_STMT_LABEL: room[0] = stmt->label.body; return 1;
  }
  HY_UNREACHABLE();
}

const hy_stmt *hy_stmt_with_children(hy_context *context, const hy_stmt *stmt, const hy_stmt *const *children,
                                     int count) {
  const hy_stmt *const *old, *room[2];
  HY_ASSERT(hy_stmt_children(stmt, &old, room) == count);
  bool same = true;
  for (int i = 0; i < count; i++) same &= old[i] == children[i];
  if (same) return stmt;
  if (stmt->kind == HY_STMT_SEQ) return hy_stmt_seq(context, children, count);
  hy_stmt copy = *stmt;
  switch (stmt->kind) {
  case HY_STMT_IF:
    copy.branch.then = children[0];
    if (count == 2) copy.branch.otherwise = children[1];
    break;
  case HY_STMT_FOR: copy.loop.body = children[0]; break;
  case HY_STMT_LET: copy.let.body = children[0]; break;
  case HY_STMT_COMPUTE: copy.compute.body = children[0]; break;
  case HY_STMT_LABEL: copy.label.body = children[0]; break;
  case HY_STMT_NOP:
  case HY_STMT_ASSUME:
  case HY_STMT_SEQ:
  case HY_STMT_ALLOCATE:
  case HY_STMT_ASSIGN: HY_UNREACHABLE();
  }
  return make(context, copy);
}

/* -- expressions inside -- */

typedef const hy_expr *expr_map(void *self, const hy_expr *expr);

static hy_interval map_interval(hy_interval interval, expr_map *map, void *self) {
  return (hy_interval){map(self, interval.min), map(self, interval.len)};
}

static const hy_interval *map_box(hy_context *context, const hy_interval *box, int rank, expr_map *map, void *self) {
  hy_interval *copy = HY_NEW_ARRAY(hy_context_arena(context), hy_interval, rank);
  for (int i = 0; i < rank; i++) copy[i] = map_interval(box[i], map, self);
  return copy;
}

static const hy_stmt *map_assign(hy_context *context, const hy_stmt *stmt, expr_map *map, void *self) {
  const hy_expr *lhs[HY_MAX_RANK];
  for (int i = 0; i < stmt->assign.func->rank; i++) lhs[i] = map(self, stmt->assign.lhs[i]);
  return hy_stmt_assign(context, stmt->assign.func, stmt->assign.spec, stmt->assign.stage, lhs,
                        map(self, stmt->assign.rhs));
}

static const hy_stmt *map_loop(hy_context *context, const hy_stmt *stmt, expr_map *map, void *self) {
  const hy_piece *piece = stmt->loop.piece;
  const hy_stmt *body = hy_stmt_map_exprs(context, stmt->loop.body, map, self);
  const hy_stmt *loop = hy_stmt_for(context, stmt->loop.var, stmt->loop.is_pure, stmt->loop.traversal,
                                    map_interval(stmt->loop.interval, map, self), body);
  return piece ? hy_stmt_piece(context, loop, piece->of, map_interval(piece->whole, map, self)) : loop;
}

// What is inside comes before the expressions around it: C leaves the order of arguments to the compiler, and that of
// expressions made is the order in which they are written (affine.c).
static const hy_stmt *map_exprs(hy_context *context, const hy_stmt *stmt, expr_map *map, void *self) {
  const hy_stmt *body, *other;
  switch (stmt->kind) {
  case HY_STMT_NOP: return stmt;
  case HY_STMT_ASSUME:
    return hy_stmt_assume(context, stmt->assume.why, stmt->assume.subject, map(self, stmt->assume.condition));
  case HY_STMT_SEQ: {
    const hy_stmt **items = HY_NEW_ARRAY(hy_context_arena(context), const hy_stmt *, stmt->seq.count);
    for (int i = 0; i < stmt->seq.count; i++) items[i] = hy_stmt_map_exprs(context, stmt->seq.items[i], map, self);
    return hy_stmt_seq(context, items, stmt->seq.count);
  }
  case HY_STMT_ALLOCATE:
    return hy_stmt_allocate_as(context, stmt->allocate.func,
                               map_box(context, stmt->allocate.box, stmt->allocate.func->rank, map, self),
                               stmt->allocate.plan);
  case HY_STMT_ASSIGN: return map_assign(context, stmt, map, self);
  case HY_STMT_IF:
    other = stmt->branch.otherwise ? hy_stmt_map_exprs(context, stmt->branch.otherwise, map, self) : NULL;
    body = hy_stmt_map_exprs(context, stmt->branch.then, map, self);
    return hy_stmt_if(context, stmt->branch.why, map(self, stmt->branch.condition), body, other);
  case HY_STMT_FOR: return map_loop(context, stmt, map, self);
  case HY_STMT_LET: {
    body = hy_stmt_map_exprs(context, stmt->let.body, map, self);
    hy_origin origin = hy_origin_map_exprs(context, stmt->let.origin, map, self);
    return hy_stmt_let(context, stmt->let.var, map(self, stmt->let.value), origin, body);
  }
  case HY_STMT_COMPUTE: {
    body = hy_stmt_map_exprs(context, stmt->compute.body, map, self);
    const hy_interval *box = map_box(context, stmt->compute.box, stmt->compute.func->rank, map, self);
    return hy_stmt_compute_keeping(context, stmt->compute.func, box, stmt->compute.keep, body);
  }
  case HY_STMT_LABEL:
    return hy_stmt_label(context, stmt->label.what, stmt->label.func, stmt->label.number,
                         hy_stmt_map_exprs(context, stmt->label.body, map, self));
  }
  HY_UNREACHABLE();
}

const hy_stmt *hy_stmt_map_exprs(hy_context *context, const hy_stmt *stmt, expr_map *map, void *self) {
  return hy_stmt_placed(context, map_exprs(context, stmt, map, self), stmt->place);
}

static bool box_has_hole(const hy_interval *box, int rank) {
  for (int i = 0; i < rank; i++)
    if (box[i].min->has_hole || box[i].len->has_hole) return true;
  return false;
}

static bool own_hole(const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_NOP:
  case HY_STMT_SEQ:
  case HY_STMT_LABEL: return false;
  case HY_STMT_ASSUME: return stmt->assume.condition->has_hole;
  case HY_STMT_ALLOCATE: return box_has_hole(stmt->allocate.box, stmt->allocate.func->rank);
  case HY_STMT_ASSIGN:
    for (int i = 0; i < stmt->assign.func->rank; i++)
      if (stmt->assign.lhs[i]->has_hole) return true;
    return stmt->assign.rhs->has_hole;
  case HY_STMT_IF: return stmt->branch.condition->has_hole;
  case HY_STMT_FOR:
    return box_has_hole(&stmt->loop.interval, 1) || (stmt->loop.piece && box_has_hole(&stmt->loop.piece->whole, 1));
  case HY_STMT_LET: return stmt->let.value->has_hole;
  case HY_STMT_COMPUTE: return box_has_hole(stmt->compute.box, stmt->compute.func->rank);
  }
  HY_UNREACHABLE();
}

bool hy_stmt_has_hole(const hy_stmt *stmt) {
  if (own_hole(stmt)) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (hy_stmt_has_hole(children[i])) return true;
  return false;
}

bool hy_tgt_has_hole(const hy_tgt *tgt) {
  for (int i = 0; i < tgt->entry_count; i++)
    if (hy_stmt_has_hole(tgt->entry[i])) return true;
  return hy_stmt_has_hole(tgt->body);
}

static void count_symbol(uint32_t *count, const hy_func *func) {
  if (func->index >= *count) *count = func->index + 1;
}

uint32_t hy_tgt_symbols(const hy_tgt *tgt) {
  uint32_t count = 0;
  for (int i = 0; i < tgt->alg->image_count; i++) count_symbol(&count, tgt->alg->images[i]);
  for (int i = 0; i < tgt->alg->definition_count; i++) count_symbol(&count, tgt->alg->definitions[i].func);
  for (int i = 0; i < tgt->func_count; i++) count_symbol(&count, tgt->funcs[i]);
  for (int i = 0; i < tgt->alg->output_count; i++) count_symbol(&count, tgt->alg->outputs[i].func);
  return count;
}

int hy_tgt_position(const hy_tgt *tgt, const hy_func *func) {
  for (int i = 0; i < tgt->func_count; i++)
    if (tgt->funcs[i] == func) return i;
  return -1;
}

int hy_tgt_stage_count(const hy_tgt *tgt, const hy_func *func) {
  int position = hy_tgt_position(tgt, func);
  return position < 0 ? 0 : tgt->stage_counts[position];
}

/* -- how buffers lie -- */

const hy_laid *hy_tgt_laid(const hy_tgt *tgt, const hy_func *func) {
  for (int i = 0; i < tgt->laid_count; i++)
    if (tgt->laid[i].func == func) return &tgt->laid[i];
  return NULL;
}

const hy_strides *hy_tgt_strides(const hy_tgt *tgt, const hy_func *func) {
  const hy_laid *laid = hy_tgt_laid(tgt, func);
  return laid && hy_strides_say(&laid->strides, func->rank) ? &laid->strides : NULL;
}

hy_strides hy_tgt_wanted(const hy_tgt *tgt, const hy_func *func) {
  const hy_laid *laid = hy_tgt_laid(tgt, func), nothing = {0};
  return hy_strides_wanted(&(laid ? laid : &nothing)->strides, func->rank);
}

hy_strides hy_tgt_demanded(const hy_tgt *tgt, const hy_func *func) {
  const hy_laid *laid = hy_tgt_laid(tgt, func), nothing = {0};
  return hy_strides_wanted(&(laid ? laid : &nothing)->demanded, func->rank);
}

bool hy_tgt_says_strides(const hy_tgt *tgt) {
  for (int i = 0; i < tgt->laid_count; i++)
    if (hy_strides_say(&tgt->laid[i].strides, tgt->laid[i].func->rank)) return true;
  return false;
}

bool hy_tgt_prefers_strides(const hy_tgt *tgt) {
  for (int i = 0; i < tgt->laid_count; i++)
    if (!hy_strides_same(&tgt->laid[i].strides, &tgt->laid[i].demanded, tgt->laid[i].func->rank)) return true;
  return false;
}

bool hy_tgt_demands_strides(const hy_tgt *tgt) {
  for (int i = 0; i < tgt->laid_count; i++)
    if (hy_strides_say(&tgt->laid[i].demanded, tgt->laid[i].func->rank)) return true;
  return false;
}

bool hy_tgt_demands(const hy_tgt *tgt) {
  for (int i = 0; i < tgt->laid_count; i++)
    if (tgt->laid[i].align) return true;
  return hy_tgt_demands_strides(tgt);
}

int64_t hy_tgt_align(const hy_tgt *tgt, const hy_func *func) {
  const hy_laid *laid = hy_tgt_laid(tgt, func);
  return laid && laid->align ? laid->align : 1;
}

bool hy_tgt_same_laid(const hy_tgt *a, const hy_tgt *b) {
  if (a->laid_count != b->laid_count) return false;
  for (int i = 0; i < a->laid_count; i++) {
    const hy_laid *one = &a->laid[i], *other = hy_tgt_laid(b, one->func);
    if (!other || other->align != one->align || !hy_strides_same(&one->strides, &other->strides, one->func->rank) ||
        !hy_strides_same(&one->demanded, &other->demanded, one->func->rank))
      return false;
  }
  return true;
}
