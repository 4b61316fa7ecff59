#include "passes/passes.h"

#include "semantics/expr/affine.h"

#include <stdlib.h>

/* What a specialization's condition says about variables, inside of its branch.
 *
 *   rewrite: if specialize (v == c) then s  ->  if specialize (v == c) then s[c/v], lengths of loops folded
 *
 *   requires: a hole-free program
 *   ensures:  the same assignments in the same order; loops that are vectorized or unrolled under the condition have
 *             constant lengths (decision D45)
 */

enum { MOST_EQUATIONS = 16 };

typedef struct {
  hy_context *context;
  hy_affine_table *table;
  hy_binding equations[MOST_EQUATIONS];
  size_t count;
} branch;

static const hy_expr *substitute(void *self, const hy_expr *expr) {
  const branch *b = self;
  return hy_expr_substitute(b->context, expr, b->equations, b->count);
}

static const hy_stmt *fold_lengths(branch *b, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = fold_lengths(b, children[i]);
  stmt = hy_stmt_with_children(b->context, stmt, fresh, count);
  hy_free(fresh);
  if (stmt->kind != HY_STMT_FOR) return stmt;
  hy_interval interval = {stmt->loop.interval.min, hy_affine_normal(b->table, stmt->loop.interval.len)};
  if (interval.len == stmt->loop.interval.len) return stmt;
  const hy_piece *piece = stmt->loop.piece; // a program that is compiled as it ships has some
  stmt = hy_stmt_for(b->context, stmt->loop.var, stmt->loop.is_pure, stmt->loop.traversal, interval, stmt->loop.body);
  return piece ? hy_stmt_piece(b->context, stmt, piece->of, piece->whole) : stmt;
}

static const hy_stmt *rewrite(branch *b, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_SPECIALIZE) {
    const hy_stmt *then = stmt->branch.then, *otherwise = rewrite(b, stmt->branch.otherwise);
    b->count = hy_expr_equations(stmt->branch.condition, b->equations, MOST_EQUATIONS);
    // GEN.Specialize: inside the branch v is the constant that the condition says.
    if (b->count) hy_context_hit(b->context, HY_RULE_GEN_SPECIALIZE);
    if (b->count) then = fold_lengths(b, hy_stmt_map_exprs(b->context, then, substitute, b));
    return hy_stmt_with_children(b->context, stmt, (const hy_stmt *[]){then, otherwise}, 2);
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = rewrite(b, children[i]);
  stmt = hy_stmt_with_children(b->context, stmt, fresh, count);
  hy_free(fresh);
  return stmt;
}

const hy_tgt *hy_pass_specialize(hy_context *context, const hy_tgt *tgt) {
  branch b = {.context = context, .table = hy_affine_table_new(context)};
  const hy_stmt *body = rewrite(&b, tgt->body);
  hy_affine_table_free(b.table);
  if (body == tgt->body) return tgt;
  hy_tgt *copy = HY_NEW(hy_context_arena(context), hy_tgt);
  *copy = *tgt;
  copy->body = body;
  return copy;
}
