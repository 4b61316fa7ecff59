/* What the directives' rewrites are made of: finding statements, and making a program anew with one of them replaced,
 * or with a variable renamed. Statements are immutable; what is not touched is shared with the program before.
 *
 * push-down (DIR.Push-Down, DIR.Push-Down.Stop) brings a wrapping inside of loops and lets:
 *
 *   push-down(phi, for v in I do s) -> for v in I do push-down(phi, s)    likewise let
 *   push-down(phi, s)               -> phi(s)                             s is anything else, or a for or let that
 *                                                                         speaks of the variable (decision D30)
 */

#include "sched/rewrite.h"

#include "semantics/base/vec.h"

#include <string.h>

const hy_tgt *hy_tree_with_body(hy_context *context, const hy_tgt *tgt, const hy_stmt *body) {
  hy_tgt *copy = HY_NEW(hy_context_arena(context), hy_tgt);
  *copy = *tgt;
  copy->body = body;
  return copy;
}

typedef const hy_stmt *rewrite(hy_context *context, const hy_stmt *stmt, void *self);

// Rebuilds one level: the same pointer if no child changed.
static const hy_stmt *rebuild(hy_context *context, const hy_stmt *stmt, rewrite *child, void *self) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)count);
  for (int i = 0; i < count; i++) fresh[i] = child(context, children[i], self);
  const hy_stmt *result = hy_stmt_with_children(context, stmt, fresh, count);
  hy_free(fresh);
  return result;
}

typedef struct {
  const hy_stmt *old, *new;
} replacement;

static const hy_stmt *replace(hy_context *context, const hy_stmt *stmt, void *self) {
  replacement *r = self;
  return stmt == r->old ? r->new : rebuild(context, stmt, replace, self);
}

const hy_stmt *hy_tree_replace(hy_context *context, const hy_stmt *root, const hy_stmt *old, const hy_stmt *new) {
  return replace(context, root, &(replacement){old, new});
}

typedef bool question(const hy_stmt *stmt, const void *self);

// The first statement, parents before children, for which the answer is yes.
static const hy_stmt *search(const hy_stmt *root, question *ask, const void *self) {
  if (ask(root, self)) return root;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(root, &children, room);
  for (int i = 0; i < count; i++) {
    const hy_stmt *found = search(children[i], ask, self);
    if (found) return found;
  }
  return NULL;
}

static bool is_loop(const hy_stmt *stmt, const void *var) { return stmt->kind == HY_STMT_FOR && stmt->loop.var == var; }
const hy_stmt *hy_tree_loop(const hy_stmt *root, const hy_var *var) { return search(root, is_loop, var); }

static bool is_same(const hy_stmt *stmt, const void *other) { return stmt == other; }
bool hy_tree_contains(const hy_stmt *root, const hy_stmt *inner) { return search(root, is_same, inner) != NULL; }

typedef struct {
  hy_stmt_kind kind;
  const hy_func *func;
} kind_and_func;

static bool is_of_func(const hy_stmt *stmt, const void *self) {
  const kind_and_func *what = self;
  if (stmt->kind != what->kind) return false;
  if (stmt->kind == HY_STMT_ALLOCATE) return stmt->allocate.func == what->func;
  if (stmt->kind == HY_STMT_COMPUTE) return stmt->compute.func == what->func;
  HY_ASSERT(stmt->kind == HY_STMT_LABEL);
  return stmt->label.what == HY_LABEL_FUNC && stmt->label.func == what->func;
}

const hy_stmt *hy_tree_find(const hy_stmt *root, hy_stmt_kind kind, const hy_func *func) {
  return search(root, is_of_func, &(kind_and_func){kind, func});
}

typedef struct {
  const hy_func *func;
  bool found;
} access_search;

static void see_access(void *self, const hy_expr *access) {
  access_search *s = self;
  s->found |= access->func == s->func;
}

static bool expr_reads(const hy_expr *expr, const hy_func *func) {
  access_search s = {func, false};
  hy_expr_visit_accesses(expr, see_access, &s);
  return s.found;
}

// Accesses stand in assignments and predicates only: bounds and boxes hold none (D42).
static bool reads(const hy_stmt *stmt, const void *func) {
  if (stmt->kind == HY_STMT_IF) return expr_reads(stmt->branch.condition, func);
  if (stmt->kind != HY_STMT_ASSIGN) return false;
  for (int i = 0; i < stmt->assign.func->rank; i++)
    if (expr_reads(stmt->assign.lhs[i], func)) return true;
  return expr_reads(stmt->assign.rhs, func);
}
bool hy_tree_reads(const hy_stmt *root, const hy_func *func) { return search(root, reads, func) != NULL; }

typedef struct {
  hy_context *context;
  const hy_var *from, *to;
  hy_binding binding;
} renaming;

static const hy_expr *rename_expr(void *self, const hy_expr *expr) {
  renaming *r = self;
  return hy_expr_substitute(r->context, expr, &r->binding, 1);
}

static const hy_var *rename_var(void *self, const hy_var *var) {
  const renaming *r = self;
  return var == r->from ? r->to : var;
}

static const hy_stmt *rename_origins(hy_context *context, const hy_stmt *stmt, void *self) {
  stmt = rebuild(context, stmt, rename_origins, self);
  if (stmt->kind != HY_STMT_LET) return stmt;
  hy_origin origin = hy_origin_rename(context, stmt->let.origin, rename_var, self);
  if (origin.relation == stmt->let.origin.relation) return stmt; // which lists its sources, too
  return hy_stmt_let(context, stmt->let.var, stmt->let.value, origin, stmt->let.body);
}

const hy_stmt *hy_tree_rename(hy_context *context, const hy_stmt *stmt, const hy_var *from, const hy_var *to) {
  if (from == to) return stmt;
  renaming r = {context, from, to, {from, hy_expr_var(context, to)}};
  return rename_origins(context, hy_stmt_map_exprs(context, stmt, rename_expr, &r), &r);
}

const hy_stmt *hy_tree_rename_around(hy_context *context, const hy_stmt *root, const hy_stmt *loop, const hy_var *from,
                                     const hy_var *to) {
  if (from == to || root == loop) return root;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(root, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = hy_tree_rename_around(context, children[i], loop, from, to);
  root = hy_stmt_with_children(context, root, fresh, count);
  hy_free(fresh);
  if (root->kind != HY_STMT_LET || !root->let.origin.relation) return root;
  renaming r = {context, from, to, {from, hy_expr_var(context, to)}};
  hy_origin origin = root->let.origin;
  origin.relation = hy_relation_rename(context, origin.relation, rename_var, &r);
  origin.relation = hy_relation_map_exprs(context, origin.relation, rename_expr, &r);
  if (origin.relation == root->let.origin.relation) return root;
  return hy_stmt_let(context, root->let.var, root->let.value, origin, root->let.body);
}

typedef HY_VEC(const hy_stmt *) stmt_list;

static bool find_path(const hy_stmt *stmt, const hy_stmt *target, stmt_list *path) {
  hy_vec_push(path, stmt);
  if (stmt == target) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (find_path(children[i], target, path)) return true;
  (void)hy_vec_pop(path);
  return false;
}

const hy_stmt **hy_tree_path(const hy_stmt *root, const hy_stmt *target, int *count) {
  stmt_list path = {0};
  if (find_path(root, target, &path)) {
    *count = (int)path.count;
    return path.data;
  }
  hy_vec_free(&path);
  *count = 0;
  return NULL;
}

void hy_tree_visit(const hy_stmt *root, void (*visit)(void *self, const hy_stmt *stmt), void *self) {
  visit(self, root);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(root, &children, room);
  for (int i = 0; i < count; i++) hy_tree_visit(children[i], visit, self);
}

const hy_stmt *hy_tree_loop_depending(const hy_stmt *stmt, const hy_var *var, bool or_minimum) {
  if (stmt->kind == HY_STMT_FOR && (hy_expr_mentions(stmt->loop.interval.len, var) ||
                                    (or_minimum && hy_expr_mentions(stmt->loop.interval.min, var))))
    return stmt;
  const hy_stmt *found = NULL;
  if (stmt->kind == HY_STMT_LET && hy_expr_mentions(stmt->let.value, var))
    found = hy_tree_loop_depending(stmt->let.body, stmt->let.var, or_minimum);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !found; i++) found = hy_tree_loop_depending(children[i], var, or_minimum);
  return found;
}

// A let's origin speaks of loops, too, that its value may not need: those of the whole application that made it, the
// length of the range that was replaced. What they are called must stay in scope there.
static bool origin_mentions(const hy_origin *o, const hy_var *var) {
  const hy_relation *r = o->relation;
  if (!r) return false;
  if (hy_origin_has_source(o, var) || hy_relation_has_loop(r, var) || hy_expr_mentions(o->range.min, var) ||
      hy_expr_mentions(o->range.len, var))
    return true;
  for (int i = 0; i < r->loop_count; i++)
    if (r->inverses[i] && hy_expr_mentions(r->inverses[i], var)) return true;
  return false;
}

static bool mentions(const hy_stmt *stmt, const hy_var *var) {
  if (!var) return false;
  if (stmt->kind == HY_STMT_LET)
    return hy_expr_mentions(stmt->let.value, var) || origin_mentions(&stmt->let.origin, var);
  return hy_expr_mentions(stmt->loop.interval.min, var) || hy_expr_mentions(stmt->loop.interval.len, var);
}

// DIR.Push-Down: push-down(phi, for v in I do s) = for v in I do push-down(phi, s), likewise let; else phi(s)
const hy_stmt *hy_tree_push_down(hy_context *context, const hy_stmt *stmt, const hy_var *var, const hy_var *other,
                                 hy_wrap *wrap, const void *self) {
  bool passes = stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET;
  if (!passes || mentions(stmt, var) || mentions(stmt, other)) {
    if (passes) hy_context_hit(context, HY_RULE_DIR_PUSH_DOWN_STOP); // DIR.Push-Down.Stop (D30)
    return wrap(context, stmt, self);
  }
  hy_context_hit(context, HY_RULE_DIR_PUSH_DOWN);
  const hy_stmt *body = stmt->kind == HY_STMT_FOR ? stmt->loop.body : stmt->let.body;
  const hy_stmt *pushed = hy_tree_push_down(context, body, var, other, wrap, self);
  return hy_stmt_with_children(context, stmt, &pushed, 1);
}
