/* Pieces of loops: the program that they are pieces of, and whether two bodies are alike.
 *
 *   before: for x in (m, k) of x (m, n) { if implied (p) { S } }  for x' in (m + k, n - k) of x (m, n) { .. }
 *   after:  for x in (m, n) { if guard (p) { S } }
 *
 * The first piece says what the whole is; that the others say the same is WF.Piece.
 */

#include "semantics/tgt/tgt.h"

#include "semantics/base/vec.h"

/* -- the whole -- */

static const hy_piece *piece_of(const hy_stmt *stmt) { return stmt->kind == HY_STMT_FOR ? stmt->loop.piece : NULL; }

int hy_stmt_run(const hy_stmt *const *items, int count) {
  int run = 0;
  while (run < count && piece_of(items[run]) && piece_of(items[run])->of == piece_of(items[0])->of) run++;
  return run;
}

static const hy_stmt *whole_sequence(hy_context *context, const hy_stmt *stmt) {
  const hy_stmt **items = hy_allocate(sizeof *items * (size_t)(stmt->seq.count + 1));
  int count = 0;
  bool same = true;
  for (int i = 0; i < stmt->seq.count;) {
    const hy_stmt *item = stmt->seq.items[i];
    int run = hy_stmt_run(stmt->seq.items + i, stmt->seq.count - i);
    items[count] = hy_stmt_whole(context, item);
    same &= items[count++] == item;
    i += run ? run : 1;
  }
  if (!same) stmt = hy_stmt_placed(context, hy_stmt_seq(context, items, count), stmt->place);
  hy_free(items);
  return stmt;
}

const hy_stmt *hy_stmt_whole(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_SEQ) return whole_sequence(context, stmt);
  const hy_stmt *const *children, *room[2], *fresh[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) fresh[i] = hy_stmt_whole(context, children[i]);
  const hy_piece *piece = piece_of(stmt);
  const hy_stmt *whole = hy_stmt_with_children(context, stmt, fresh, count);
  if (piece)
    whole = hy_stmt_for(context, piece->of, stmt->loop.is_pure, stmt->loop.traversal, piece->whole, fresh[0]);
  else if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_IMPLIED)
    whole = hy_stmt_if(context, HY_IF_GUARD, stmt->branch.condition, fresh[0], count == 2 ? fresh[1] : NULL);
  return hy_stmt_placed(context, whole, stmt->place);
}

const hy_tgt *hy_tgt_whole(hy_context *context, const hy_tgt *tgt) {
  const hy_stmt *body = hy_stmt_whole(context, tgt->body);
  if (body == tgt->body) return tgt;
  hy_tgt *whole = HY_NEW(hy_context_arena(context), hy_tgt);
  *whole = *tgt;
  whole->body = body;
  return whole;
}

/* -- alike: what "b" binds is called as what "a" binds at its place, and then they are the same -- */

typedef struct {
  hy_context *context;
  HY_VEC(const hy_var *) left;
  HY_VEC(hy_binding) names; // what b binds, by the name that a has for it
} likeness;

static const hy_var *bound_by(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) return stmt->loop.var;
  return stmt->kind == HY_STMT_LET ? stmt->let.var : NULL;
}

static void collect_left(likeness *l, const hy_stmt *stmt) {
  if (bound_by(stmt)) hy_vec_push(&l->left, bound_by(stmt));
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect_left(l, children[i]);
}

static bool collect_right(likeness *l, const hy_stmt *stmt) {
  const hy_var *var = bound_by(stmt);
  if (var) {
    if (l->names.count == l->left.count) return false;
    const hy_var *name = l->left.data[l->names.count];
    if (name->func != var->func || name->stage != var->stage || name->spec != var->spec) return false;
    hy_vec_push(&l->names, ((hy_binding){var, hy_expr_var(l->context, name)}));
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (!collect_right(l, children[i])) return false;
  return true;
}

static const hy_var *named(void *self, const hy_var *var) {
  const likeness *l = self;
  for (size_t i = 0; i < l->names.count; i++)
    if (l->names.data[i].var == var) return l->names.data[i].expr->var;
  return var;
}

static const hy_expr *named_expr(void *self, const hy_expr *expr) {
  const likeness *l = self;
  return hy_expr_substitute(l->context, expr, l->names.data, l->names.count);
}

static bool same_expr(likeness *l, const hy_expr *a, const hy_expr *b) { return a == b || a == named_expr(l, b); }

static bool same_box(likeness *l, const hy_interval *a, const hy_interval *b, int rank) {
  for (int i = 0; i < rank; i++)
    if (!same_expr(l, a[i].min, b[i].min) || !same_expr(l, a[i].len, b[i].len)) return false;
  return true;
}

static bool same_origin(likeness *l, hy_origin a, hy_origin b) {
  if (!a.relation || !b.relation) return !a.relation && !b.relation;
  b = hy_origin_map_exprs(l->context, hy_origin_rename(l->context, b, named, l), named_expr, l);
  return hy_relation_same(a.relation, b.relation) && a.number == b.number && a.sources[0] == b.sources[0] &&
         a.sources[1] == b.sources[1] && a.factor == b.factor && a.range.min == b.range.min &&
         a.range.len == b.range.len;
}

static bool same_plan(const hy_plan *a, const hy_plan *b, int rank) {
  if (!a || !b || a->store != b->store) return a == b;
  for (int d = 0; d < rank; d++)
    if (a->order[d] != b->order[d] || a->align[d] != b->align[d] || a->fold[d] != b->fold[d]) return false;
  return true;
}

static bool same_assign(likeness *l, const hy_stmt *a, const hy_stmt *b) {
  if (a->assign.func != b->assign.func || a->assign.stage != b->assign.stage || a->assign.spec != b->assign.spec)
    return false;
  for (int i = 0; i < a->assign.func->rank; i++)
    if (!same_expr(l, a->assign.lhs[i], b->assign.lhs[i])) return false;
  return same_expr(l, a->assign.rhs, b->assign.rhs);
}

// What stands in the statements themselves.
static bool same_own(likeness *l, const hy_stmt *a, const hy_stmt *b) {
  switch (a->kind) {
  case HY_STMT_NOP:
  case HY_STMT_SEQ: return true;
  case HY_STMT_ASSUME:
    return a->assume.why == b->assume.why && a->assume.subject == b->assume.subject &&
           same_expr(l, a->assume.condition, b->assume.condition);
  case HY_STMT_ALLOCATE:
    return a->allocate.func == b->allocate.func &&
           same_box(l, a->allocate.box, b->allocate.box, a->allocate.func->rank) &&
           same_plan(a->allocate.plan, b->allocate.plan, a->allocate.func->rank);
  case HY_STMT_ASSIGN: return same_assign(l, a, b);
  case HY_STMT_IF:
    return a->branch.why == b->branch.why && same_expr(l, a->branch.condition, b->branch.condition) &&
           !a->branch.otherwise == !b->branch.otherwise;
  case HY_STMT_FOR:
    return a->loop.is_pure == b->loop.is_pure && a->loop.traversal == b->loop.traversal &&
           same_box(l, &a->loop.interval, &b->loop.interval, 1);
  case HY_STMT_LET: return same_expr(l, a->let.value, b->let.value) && same_origin(l, a->let.origin, b->let.origin);
  case HY_STMT_COMPUTE:
    return a->compute.func == b->compute.func && same_box(l, a->compute.box, b->compute.box, a->compute.func->rank) &&
           a->compute.keep == (b->compute.keep ? named(l, b->compute.keep) : NULL);
  case HY_STMT_LABEL:
    return a->label.what == b->label.what && a->label.func == b->label.func && a->label.number == b->label.number;
  }
  HY_UNREACHABLE();
}

static bool same_stmt(likeness *l, const hy_stmt *a, const hy_stmt *b) {
  if (a->kind != b->kind || !same_own(l, a, b)) return false;
  const hy_stmt *const *children[2], *room[2][2];
  int count = hy_stmt_children(a, &children[0], room[0]);
  if (hy_stmt_children(b, &children[1], room[1]) != count) return false;
  for (int i = 0; i < count; i++)
    if (!same_stmt(l, children[0][i], children[1][i])) return false;
  return true;
}

bool hy_stmt_alike(hy_context *context, const hy_stmt *a, const hy_stmt *b) {
  likeness l = {.context = context};
  collect_left(&l, a);
  bool alike = collect_right(&l, b) && l.names.count == l.left.count && same_stmt(&l, a, b);
  hy_vec_free(&l.left);
  hy_vec_free(&l.names);
  return alike;
}
