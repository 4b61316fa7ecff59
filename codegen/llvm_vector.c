#include "codegen/codegen_internal.h"

/* Expressions over the lanes of a vectorized loop: what is the same in every lane stays a scalar, what is affine in the
 * lane stays a scalar and a constant stride, and only the rest becomes a vector. Outside vectorized loops all is
 * uniform.
 */

hy_lanes hy_lanes_uniform(LLVMValueRef value, int depth) {
  return (hy_lanes){.value = value, .shape = HY_UNIFORM, .depth = depth};
}

/* -- vectors from lanes -- */

// The constant vector 0, stride, 2 * stride, ...
LLVMValueRef hy_ramp_vector(hy_frame *frame, LLVMTypeRef scalar, int64_t stride) {
  LLVMValueRef *items = hy_allocate((size_t)frame->lanes * sizeof *items);
  for (int l = 0; l < frame->lanes; l++) items[l] = LLVMConstInt(scalar, (uint64_t)l * (uint64_t)stride, false);
  LLVMValueRef vector = LLVMConstVector(items, (unsigned)frame->lanes);
  hy_free(items);
  return vector;
}

LLVMValueRef hy_emit_vector(hy_frame *frame, hy_lanes lanes, hy_type type) {
  if (lanes.shape == HY_VARYING || frame->lanes == 1)
    return lanes.is_narrow ? hy_widened(frame, lanes.value) : lanes.value;
  LLVMValueRef vector = hy_splat(frame, lanes.value, frame->lanes);
  if (lanes.shape == HY_UNIFORM) return vector;
  LLVMTypeRef scalar = hy_emit_type(frame->emitter, type, 1);
  return LLVMBuildAdd(frame->builder, vector, hy_ramp_vector(frame, scalar, lanes.stride), "");
}

static hy_lanes varying(LLVMValueRef value, int depth) {
  return (hy_lanes){.value = value, .shape = HY_VARYING, .depth = depth};
}

static hy_lanes ramp(LLVMValueRef base, int64_t stride, int depth) {
  return (hy_lanes){.value = base, .shape = stride ? HY_RAMP : HY_UNIFORM, .stride = stride, .depth = depth};
}

/* -- operators on ramps: true to the letter, since stride and base wrap alike -- */

static int64_t wrapping_mul(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }
static int64_t wrapping_add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

static bool constant_factor(const hy_expr *expr, int64_t *factor) {
  if (expr->kind != HY_EXPR_CONST || expr->value.error) return false;
  *factor = expr->value.i;
  return true;
}

// The stride of the result, if the operator keeps ramps.
static bool ramp_stride(const hy_expr *node, const hy_lanes *args, int64_t *stride) {
  int64_t factor, left = args[0].stride, right = node->count > 1 ? args[1].stride : 0;
  if (!hy_type_is_integral(node->type)) return false;
  if (node->op == HY_OP_ADD) return *stride = wrapping_add(left, right), true;
  if (node->op == HY_OP_SUB) return *stride = wrapping_add(left, wrapping_mul(right, -1)), true;
  if (node->op == HY_OP_NEG) return *stride = wrapping_mul(left, -1), true;
  if (node->op == HY_OP_MUL && constant_factor(node->args[1], &factor))
    return *stride = wrapping_mul(left, factor), true;
  if (node->op == HY_OP_MUL && constant_factor(node->args[0], &factor))
    return *stride = wrapping_mul(right, factor), true;
  *stride = left;
  if (node->type == HY_INT && node->count && node->args[0]->type == HY_U64) return false; // saturates
  return node->op == HY_OP_CAST && hy_type_is_integral(node->args[0]->type) &&
         hy_type_bits(node->type) <= hy_type_bits(node->args[0]->type);
}

// base + l * stride < limit is l * stride < limit - base, where the right side may be clamped to just outside the range
// of the left: a comparison of 32-bit numbers. It takes lanes that do not wrap around, and a difference that saturates.
static bool compare_ramp(hy_frame *frame, const hy_expr *node, const hy_lanes *args, LLVMValueRef *result) {
  if (hy_op_kind_of(node->op) != HY_KIND_COMPARISON || node->args[0]->type != HY_INT) return false;
  if (!hy_range_never_left(frame->emitter, node->args[0]) || !hy_range_never_left(frame->emitter, node->args[1]))
    return false;
  int64_t stride = wrapping_add(args[0].stride, wrapping_mul(args[1].stride, -1)), reach;
  if (__builtin_mul_overflow(stride, frame->lanes - 1, &reach) || reach > 1 << 30 || reach < -(1 << 30)) return false;
  hy_emitter *e = frame->emitter;
  LLVMBuilderRef b = frame->builder;
  LLVMValueRef ends[] = {args[1].value, args[0].value};
  LLVMValueRef limit = hy_emit_intrinsic(frame, "llvm.ssub.sat", &e->i64, 1, ends, 2);
  LLVMValueRef least = hy_emit_i64(e, (reach < 0 ? reach : 0) - 1), most = hy_emit_i64(e, (reach > 0 ? reach : 0) + 1);
  limit = hy_emit_intrinsic(frame, "llvm.smax", &e->i64, 1, (LLVMValueRef[]){limit, least}, 2);
  limit = hy_emit_intrinsic(frame, "llvm.smin", &e->i64, 1, (LLVMValueRef[]){limit, most}, 2);
  LLVMValueRef narrow = hy_splat(frame, LLVMBuildTrunc(b, limit, e->i32, ""), frame->lanes);
  LLVMValueRef sides[] = {hy_ramp_vector(frame, e->i32, stride), narrow};
  *result = hy_emit_op(frame, node, sides, frame->lanes);
  return true;
}

static hy_lanes combine(hy_frame *frame, const hy_expr *node, const hy_lanes *args) {
  LLVMValueRef values[HY_MAX_ARITY];
  bool uniform = true, varies = false;
  int depth = 0;
  for (int i = 0; i < node->count; i++) {
    values[i] = args[i].value;
    uniform &= args[i].shape == HY_UNIFORM;
    varies |= args[i].shape == HY_VARYING;
    if (args[i].depth > depth) depth = args[i].depth;
  }
  if (uniform) return hy_lanes_uniform(hy_emit_op(frame, node, values, 1), depth);
  int64_t stride;
  if (!varies && ramp_stride(node, args, &stride)) return ramp(hy_emit_op(frame, node, values, 1), stride, depth);
  LLVMValueRef result;
  if (!varies && compare_ramp(frame, node, args, &result)) return varying(result, depth);
  hy_lanes narrow = varying(NULL, depth);
  if (hy_emit_narrow(frame, node, args, &narrow)) return narrow;
  bool scalar_choice = node->op == HY_OP_SELECT && args[0].shape == HY_UNIFORM;
  for (int i = scalar_choice ? 1 : 0; i < node->count; i++)
    values[i] = hy_emit_vector(frame, args[i], node->args[i]->type);
  return varying(hy_emit_op(frame, node, values, frame->lanes), depth);
}

static hy_lanes apply(hy_frame *frame, const hy_expr *node) {
  hy_lanes args[HY_MAX_ARITY], table;
  if (hy_emit_table(frame, node, &table)) return table;
  for (int i = 0; i < node->count; i++) args[i] = *hy_frame_known(frame, node->args[i]);
  hy_lanes lanes = combine(frame, node, args);
  if (!lanes.has_range) hy_lanes_learn_range(frame, node, args, &lanes);
  return lanes;
}

/* -- the walk: an explicit stack, since expressions may be deep; every node once, since they are graphs -- */

typedef struct visit {
  const hy_expr *expr;
  bool opened; // its parts have been pushed
} visit;

typedef HY_VEC(visit) visit_stack;

static void push_unknown(hy_frame *frame, visit_stack *stack, const hy_expr *expr) {
  if (!hy_frame_known(frame, expr)) hy_vec_push(stack, (visit){expr, false});
}

static void open(hy_frame *frame, visit_stack *stack, const hy_expr *expr) {
  const hy_expr *atoms[HY_ACCESS_ATOMS];
  int count = 0;
  switch (expr->kind) {
  case HY_EXPR_ACCESS: count = hy_access_atoms(frame, expr->args, expr->count, atoms); break;
  case HY_EXPR_OP:
    if ((atoms[0] = hy_table_index(expr)))
      count = 1;
    else
      for (int i = 0; i < expr->count; i++) atoms[count++] = expr->args[i];
    break;
  case HY_EXPR_CONST:
  case HY_EXPR_VAR:
  case HY_EXPR_TUPLE:
  case HY_EXPR_HOLE: break;
  }
  while (count > 0) push_unknown(frame, stack, atoms[--count]);
}

static hy_lanes finish(hy_frame *frame, const hy_expr *expr) {
  hy_lanes lanes = {0};
  switch (expr->kind) {
  case HY_EXPR_CONST: lanes = hy_lanes_uniform(hy_emit_const(frame->emitter, expr->value), 0); break;
  case HY_EXPR_VAR: lanes = hy_frame_var(frame, expr->var); break;
  case HY_EXPR_ACCESS: return hy_emit_load(frame, expr);
  case HY_EXPR_OP: return apply(frame, expr);
  case HY_EXPR_TUPLE:
  case HY_EXPR_HOLE: HY_DIE("a hole or a tuple reached the code generator");
  }
  hy_lanes_learn_range(frame, expr, NULL, &lanes);
  return lanes;
}

hy_lanes hy_emit(hy_frame *frame, const hy_expr *root) {
  const hy_lanes *known = hy_frame_known(frame, root);
  if (known) return *known;
  visit_stack stack = {0};
  hy_vec_push(&stack, (visit){root, false});
  while (stack.count) {
    visit *top = &hy_vec_last(&stack);
    const hy_expr *expr = top->expr;
    if (!top->opened && !hy_frame_known(frame, expr)) {
      top->opened = true;
      open(frame, &stack, expr);
      continue;
    }
    stack.count--;
    if (!hy_frame_known(frame, expr)) hy_frame_learn(frame, expr, finish(frame, expr));
  }
  hy_vec_free(&stack);
  return *hy_frame_known(frame, root);
}

LLVMValueRef hy_emit_uniform(hy_frame *frame, const hy_expr *expr) {
  hy_lanes lanes = hy_emit(frame, expr);
  HY_ASSERT(lanes.shape == HY_UNIFORM);
  return lanes.value;
}
