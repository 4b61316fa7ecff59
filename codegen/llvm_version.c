#include "codegen/codegen_internal.h"

/* Versions: what is computed for a tile has the tile's lengths but at the end of the image, min(w - 8*tile, 8); what a
 * bound says of a func joins what is asked of it, max(k, 2). Where little memory is allocated inside of a loop, for what that iteration computes, the block is emitted twice: once for
 * the case that every such minimum is its constant, so that strides, numbers of iterations and guards are constants and
 * sums stay in registers, and once for any. Which it is is asked at run time: nothing has to be proved. Larger tiles
 * gain less by it than it takes to compile them twice.
 */

enum { MOST_LIMITS = 8, LARGEST_LIMIT = 4096, MOST_STATEMENTS = 120, MOST_CELLS = 1024 };

typedef struct limit {
  const hy_expr *node, *other; // min(other, constant), max(other, constant)
  int64_t constant;
} limit;

typedef struct limits {
  hy_frame *frame;
  limit items[MOST_LIMITS];
  int count, statements;
} limits;

/* -- finding them -- */

static bool is_constant_already(hy_frame *frame, const hy_expr *node) {
  const hy_lanes *known = hy_frame_known(frame, node);
  return known && LLVMIsConstant(known->value);
}

// Also 8 - 8*i, where a loop over i has one iteration at most.
static bool is_one_number(hy_emitter *e, const hy_expr *expr, int64_t *number) {
  hy_int_range r = hy_range_of_value(e, expr);
  *number = r.least;
  return r.least == r.most;
}

static bool is_extremum(const hy_expr *node) {
  return node->kind == HY_EXPR_OP && (node->op == HY_OP_MIN || node->op == HY_OP_MAX);
}

static void see_extremum(void *self, const hy_expr *node) {
  bool *found = self;
  *found |= is_extremum(node);
}

// What is expected of a tile: min(w - 8*tile, 8), but not max(min(w - 8*tile, 8), 0); of the end and the beginning of
// what is asked for beside a bound, max(k, 2) and min(k, 0), if no loop changes them.
static bool is_expected(const limits *l, const hy_expr *node, const hy_expr *other, int64_t constant) {
  if (constant > LARGEST_LIMIT || constant < (node->op == HY_OP_MIN ? 0 : 1)) return false;
  if (node->op == HY_OP_MIN && constant > 0) return true;
  bool is_nested = false;
  hy_expr_visit(other, see_extremum, &is_nested);
  return !is_nested && hy_emit(l->frame, other).depth == 0;
}

static void see_node(void *self, const hy_expr *node) {
  limits *l = self;
  if (!is_extremum(node) || node->type != HY_INT || node->has_access) return;
  for (int i = 0; i < l->count; i++)
    if (l->items[i].node == node) return;
  for (int i = 0; i < 2; i++) {
    limit found = {.node = node, .other = node->args[1 - i]};
    if (!is_one_number(l->frame->emitter, node->args[i], &found.constant)) continue;
    if (l->count == MOST_LIMITS || !hy_frame_can_compute(l->frame, node) || is_constant_already(l->frame, node))
      continue;
    if (is_expected(l, node, found.other, found.constant)) l->items[l->count++] = found;
  }
}

static void see_lengths(limits *l, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ALLOCATE)
    for (int d = 0; d < stmt->allocate.func->rank; d++) hy_expr_visit(stmt->allocate.box[d].len, see_node, l);
  if (stmt->kind == HY_STMT_FOR) hy_expr_visit(stmt->loop.interval.len, see_node, l);
  l->statements += stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_ASSIGN;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) see_lengths(l, children[i]);
}

// What it is in the version for whole tiles, if that is known by sums.
static bool is_whole_number(const limits *l, const hy_expr *expr, int depth, int64_t *number) {
  int64_t a, b;
  for (int i = 0; i < l->count; i++)
    if (l->items[i].node == expr) return *number = l->items[i].constant, true;
  if (is_one_number(l->frame->emitter, expr, number)) return true;
  bool is_sum = expr->kind == HY_EXPR_OP && (expr->op == HY_OP_ADD || expr->op == HY_OP_SUB);
  if (!is_sum || depth == 0) return false;
  if (!is_whole_number(l, expr->args[0], depth - 1, &a) || !is_whole_number(l, expr->args[1], depth - 1, &b))
    return false;
  return expr->op == HY_OP_ADD ? !__builtin_add_overflow(a, b, number) : !__builtin_sub_overflow(a, b, number);
}

// Something is allocated that is so small, in whole tiles, that what is computed in it may stay in registers.
static bool is_small(const limits *l, const hy_stmt *allocate) {
  enum { DEPTH = 5 };
  int64_t cells = 1, side;
  for (int d = 0; d < allocate->allocate.func->rank; d++) {
    const hy_expr *len = allocate->allocate.box[d].len;
    if (!is_whole_number(l, len, DEPTH, &side) && !hy_upper_bound(l->frame, len, &side)) return false;
    if (side > MOST_CELLS) return false;
    cells *= side > 1 ? side : 1;
    if (cells > MOST_CELLS) return false;
  }
  return true;
}

static bool pays(hy_frame *frame, const hy_stmt *block) {
  for (int i = 0; i < block->seq.count; i++) {
    limits l = {.frame = frame};
    if (block->seq.items[i]->kind != HY_STMT_ALLOCATE) continue;
    see_lengths(&l, block->seq.items[i]);
    if (l.count > 0 && is_small(&l, block->seq.items[i])) return true;
  }
  return false;
}

/* -- the two versions -- */

static LLVMValueRef all_reached(const limits *l) {
  hy_frame *frame = l->frame;
  LLVMValueRef all = NULL;
  for (int i = 0; i < l->count; i++) {
    LLVMValueRef value = hy_emit_uniform(frame, l->items[i].other);
    bool is_min = l->items[i].node->op == HY_OP_MIN;
    LLVMIntPredicate order = is_min ? LLVMIntSGE : LLVMIntSLE;
    LLVMValueRef bit =
        LLVMBuildICmp(frame->builder, order, value, hy_emit_i64(frame->emitter, l->items[i].constant), "");
    all = all ? LLVMBuildAnd(frame->builder, all, bit, "") : bit;
  }
  return all;
}

typedef struct version {
  const limits *limits;
  hy_emit_body *body;
  const hy_stmt *block;
  LLVMBasicBlockRef after;
} version;

static void emit_version(hy_frame *frame, const version *v, LLVMBasicBlockRef start, bool is_general) {
  hy_emitter *e = frame->emitter;
  bool outside = e->is_general;
  hy_frame_at(frame, start);
  hy_frame_scope scope = hy_frame_open(frame);
  frame->epoch++;
  e->is_general = is_general;
  v->body(frame, v->block);
  e->is_general = outside;
  hy_frame_close(frame, scope);
  LLVMBuildBr(frame->builder, v->after);
}

// The extrema are constants, also those that have been computed further out; afterwards they are what they were.
static void emit_whole(hy_frame *frame, const version *v, LLVMBasicBlockRef start) {
  const limits *l = v->limits;
  hy_lanes before[MOST_LIMITS];
  bool was_known[MOST_LIMITS];
  hy_frame_scope scope = hy_frame_open(frame);
  for (int i = 0; i < l->count; i++) {
    const hy_lanes *known = hy_frame_known(frame, l->items[i].node);
    was_known[i] = known != NULL;
    if (known) before[i] = *known;
    LLVMValueRef constant = hy_emit_i64(frame->emitter, l->items[i].constant);
    hy_frame_learn(frame, l->items[i].node, hy_lanes_uniform(constant, 0));
  }
  emit_version(frame, v, start, false);
  for (int i = 0; i < l->count; i++)
    if (was_known[i]) hy_frame_learn(frame, l->items[i].node, before[i]);
  hy_frame_close(frame, scope);
}

// GEN.Versions: if (every extremum is its constant) block, with the constants; else block
void hy_emit_versions(hy_frame *frame, const hy_stmt *block, hy_emit_body *body) {
  limits l = {.frame = frame};
  bool is_inner = frame->depth > 0 && frame->lanes == 1 && !frame->emitter->is_general;
  if (is_inner && frame->emitter->options.optimize >= 3 && pays(frame, block)) see_lengths(&l, block);
  if (l.count == 0 || l.statements > MOST_STATEMENTS) {
    body(frame, block);
    return;
  }
  hy_context_hit(frame->emitter->context, HY_RULE_GEN_VERSIONS);
  LLVMBasicBlockRef whole = hy_frame_block(frame, "whole.tile"), part = hy_frame_block(frame, "part.of.tile");
  version v = {&l, body, block, hy_frame_block(frame, "end.versions")};
  LLVMBuildCondBr(frame->builder, all_reached(&l), whole, part);
  emit_whole(frame, &v, whole);
  emit_version(frame, &v, part, true);
  hy_frame_at(frame, v.after);
}
