#ifndef HY_TGT_RANDOM_H
#define HY_TGT_RANDOM_H

// Random target programs over two funcs of rank 1 on [LEAST, LEAST + SIDE), most of them wrong in some way.

#include "proofs_tests/support/tgt_harness.h"

enum { MOST_VARS = 24, SIDE = 6, LEAST = -1 };

typedef struct {
  hy_context *context;
  const hy_tgt *frame;
  uint64_t state;
  const hy_var *scope[MOST_VARS];
  int scope_count, loops;
  bool in_vector;
} maker;

static inline int pick(maker *g, int below) {
  g->state = g->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((g->state >> 33) % (uint64_t)below);
}

static inline const hy_expr *make_int(maker *g, int depth);

static inline const hy_expr *make_bool(maker *g, int depth) {
  static const hy_op compares[] = {HY_OP_LT, HY_OP_EQ, HY_OP_GE, HY_OP_NE};
  if (depth > 0 && pick(g, 3) == 0)
    return hy_expr_binary(g->context, pick(g, 2) ? HY_OP_AND : HY_OP_OR, make_bool(g, depth - 1),
                          make_bool(g, depth - 1));
  return hy_expr_binary(g->context, compares[pick(g, 4)], make_int(g, depth - 1), make_int(g, depth - 1));
}

static inline const hy_expr *make_leaf(maker *g) {
  if (g->scope_count && pick(g, 3)) return hy_expr_var(g->context, g->scope[pick(g, g->scope_count)]);
  return hy_expr_int(g->context, pick(g, 5) - 1);
}

static inline const hy_func *make_func(maker *g) { return g->frame->funcs[pick(g, g->frame->func_count)]; }

static inline const hy_expr *make_int(maker *g, int depth) {
  static const hy_op ops[] = {HY_OP_ADD, HY_OP_SUB, HY_OP_ADD, HY_OP_MIN, HY_OP_MAX, HY_OP_DIV, HY_OP_MOD, HY_OP_MUL};
  if (depth <= 0) return make_leaf(g);
  int what = pick(g, 10);
  if (what < 2) return make_leaf(g);
  if (what < 5) {
    const hy_expr *at = make_int(g, depth - 1);
    return hy_expr_access(g->context, make_func(g), &at);
  }
  if (what == 5)
    return hy_expr_select(g->context, make_bool(g, depth - 1), make_int(g, depth - 1), make_int(g, depth - 1));
  return hy_expr_binary(g->context, ops[pick(g, 8)], make_int(g, depth - 1), make_int(g, depth - 1));
}

static inline const hy_stmt *make_stmt(maker *g, int depth);

static inline const hy_stmt *make_assign(maker *g) {
  const hy_expr *at = pick(g, 3) && g->scope_count ? make_leaf(g) : make_int(g, 2);
  return hy_stmt_assign(g->context, make_func(g), 0, 0, &at, make_int(g, 3));
}

static inline const hy_stmt *make_loop(maker *g, int depth) {
  static const hy_traversal traversals[] = {HY_SERIAL, HY_PARALLEL, HY_VECTORIZED, HY_VECTORIZED, HY_UNROLLED};
  char name[16];
  snprintf(name, sizeof name, "v%d", g->loops++);
  const hy_var *var = hy_var_loop(g->context, g->frame->funcs[0], 0, 0, hy_context_name_of(g->context, name));
  bool odd = pick(g, 12) == 0;
  hy_interval interval = {odd ? make_int(g, 2) : hy_expr_int(g->context, pick(g, 3) - 1),
                          odd ? hy_expr_binary(g->context, HY_OP_MIN, make_int(g, 2), hy_expr_int(g->context, 5))
                              : hy_expr_int(g->context, pick(g, 6))};
  g->scope[g->scope_count++] = var;
  const hy_stmt *body = make_stmt(g, depth - 1);
  g->scope_count--;
  return hy_stmt_for(g->context, var, true, traversals[pick(g, 5)], interval, body);
}

static inline const hy_stmt *make_let(maker *g, int depth) {
  char name[16];
  snprintf(name, sizeof name, "v%d", g->loops++);
  const hy_var *var = hy_var_loop(g->context, g->frame->funcs[0], 0, 0, hy_context_name_of(g->context, name));
  const hy_expr *value = make_int(g, 2);
  g->scope[g->scope_count++] = var;
  const hy_stmt *body = make_stmt(g, depth - 1);
  g->scope_count--;
  return hy_stmt_let(g->context, var, value, (hy_origin){0}, body);
}

static inline const hy_stmt *make_stmt(maker *g, int depth) {
  if (depth <= 0) return make_assign(g);
  switch (pick(g, 8)) {
  case 0:
  case 1:
  case 2: return make_loop(g, depth);
  case 3: return make_let(g, depth);
  case 4: {
    static const hy_if_kind kinds[] = {HY_IF_USER, HY_IF_USER, HY_IF_USER, HY_IF_GUARD, HY_IF_SPECIALIZE};
    const hy_stmt *then = make_stmt(g, depth - 1), *otherwise = pick(g, 3) ? NULL : make_stmt(g, depth - 1);
    return hy_stmt_if(g->context, kinds[pick(g, 5)], make_bool(g, 2), then, otherwise);
  }
  case 5:
  case 6: {
    const hy_stmt *items[2] = {make_stmt(g, depth - 1), make_stmt(g, depth - 1)};
    return hy_stmt_seq(g->context, items, 2);
  }
  default: return make_assign(g);
  }
}

static const char *const frame_text =
    "target t() on f(x) { func g(a): int stages 1; func f(x): int stages 1; allocate g[(-1, 6)]; label g: compute g on "
    "[(-1, 6)] { label g.s0: for g.s0.a in (-1, 6) { g(g.s0.a) <- g.s0.a * g.s0.a - 2; } } allocate f[(-1, 6)]; label "
    "f: "
    "compute f on [(-1, 6)] { label f.s0: for f.s0.x in (-1, 6) { f(f.s0.x) <- g(f.s0.x) + f.s0.x; } } }";

static inline const hy_tgt *make_program(maker *g) {
  const hy_stmt *items[8];
  int count = 0;
  for (int i = 0; i < g->frame->body->seq.count; i++) items[count++] = g->frame->body->seq.items[i];
  for (int i = 0; i < 3; i++) items[count++] = make_stmt(g, 4);
  hy_tgt *tgt = HY_NEW(hy_context_arena(g->context), hy_tgt);
  *tgt = *g->frame;
  tgt->body = hy_stmt_seq(g->context, items, count);
  return tgt;
}

#endif
