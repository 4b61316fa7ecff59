#include "codegen/codegen_internal.h"

/* Ints of 32 bits. An int has 64 bits, but in a vector of 32 half of the instructions do, and processors convert floats
 * and gather elements so. Where all that a node is made of lies within i32, whatever the input, it is computed there:
 * nothing can leave it, so the bits are those of 64 cut off. What asks for 64 bits gets them (hy_emit_vector).
 */

static bool fits_i32(hy_int_range r) { return r.least >= INT32_MIN && r.most <= INT32_MAX; }

/* -- ranges: what the machine's numbers are, errors included -- */

static hy_int_range range_of(const hy_lanes *lanes) {
  return lanes->has_range ? lanes->range : (hy_int_range){INT64_MIN, INT64_MAX};
}

// Of what chooses one of its arguments the result is one of them, else it is what was computed if that cannot leave int.
static bool is_choice(const hy_expr *node) {
  hy_op_kind kind = node->kind == HY_EXPR_OP ? hy_op_kind_of(node->op) : HY_KIND_OTHER;
  return node->kind != HY_EXPR_OP || kind == HY_KIND_CHOICE || kind == HY_KIND_EXTREMUM;
}

void hy_lanes_learn_range(hy_frame *frame, const hy_expr *node, const hy_lanes *args, hy_lanes *lanes) {
  hy_int_range ranges[HY_MAX_ARITY] = {{0}};
  bool fits;
  if (node->type != HY_INT) return;
  for (int i = 0; args && i < node->count; i++) ranges[i] = range_of(&args[i]);
  lanes->range = hy_range_of(frame->emitter, node, ranges, &fits);
  lanes->has_range = fits || is_choice(node);
}

/* -- vectors -- */

LLVMValueRef hy_widened(hy_frame *frame, LLVMValueRef narrow) {
  hy_emitter *e = frame->emitter;
  LLVMTypeRef type = LLVMTypeOf(narrow);
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return LLVMBuildSExt(frame->builder, narrow, is_vector ? LLVMVectorType(e->i64, LLVMGetVectorSize(type)) : e->i64,
                       "");
}

LLVMValueRef hy_emit_narrow_vector(hy_frame *frame, hy_lanes lanes) {
  hy_emitter *e = frame->emitter;
  if (lanes.shape == HY_VARYING) {
    LLVMTypeRef type = LLVMVectorType(e->i32, (unsigned)frame->lanes);
    return lanes.is_narrow ? lanes.value : LLVMBuildTrunc(frame->builder, lanes.value, type, "");
  }
  LLVMValueRef vector = hy_splat(frame, LLVMBuildTrunc(frame->builder, lanes.value, e->i32, ""), frame->lanes);
  if (lanes.shape == HY_UNIFORM) return vector;
  return LLVMBuildAdd(frame->builder, vector, hy_ramp_vector(frame, e->i32, lanes.stride), "");
}

/* -- conversions from floats -- */

static bool is_float_cast(const hy_expr *node) {
  return node->kind == HY_EXPR_OP && node->op == HY_OP_CAST && node->type == HY_INT &&
         hy_type_class_of(node->args[0]->type) == HY_CLASS_FLOAT;
}

// What is stored in 16 bits is converted by way of an f32, which has all of its numbers (GEN.Half).
static LLVMValueRef truncated(hy_frame *frame, const hy_expr *real, LLVMValueRef value) {
  if (hy_type_is_storage(real->type)) value = hy_emit_half_to_f32(frame, real->type, value, frame->lanes);
  return hy_emit_float_to_integer(frame, real, value, HY_I32, frame->lanes);
}

static bool convert(hy_frame *frame, const hy_expr *cast, const hy_lanes *argument, hy_lanes *result) {
  if (!hy_float_fits_i32(frame->emitter, cast->args[0], &result->range)) return false;
  LLVMValueRef value = hy_emit_vector(frame, *argument, cast->args[0]->type);
  result->value = truncated(frame, cast->args[0], value);
  return true;
}

// The constant that a min or a max has beside "*inner"; false: none, or none of 32 bits.
static bool limit_of(hy_emitter *e, const hy_expr *node, hy_op op, int64_t *limit, const hy_expr **inner) {
  if (node->kind != HY_EXPR_OP || node->op != op || node->type != HY_INT) return false;
  for (int i = 0; i < 2; i++) {
    if (!hy_range_is_number(e, node->args[i], limit) || *limit < INT32_MIN || *limit > INT32_MAX) continue;
    *inner = node->args[1 - i];
    return true;
  }
  return false;
}

// clamp(int(e), low, high) -> clamp(i32(e), low, high): what saturates beyond 32 bits lies beyond both ends as well.
static bool convert_clamped(hy_frame *frame, const hy_expr *node, hy_lanes *result) {
  int64_t low, high;
  const hy_expr *inner, *cast;
  bool is_min = node->op == HY_OP_MIN;
  if (!limit_of(frame->emitter, node, node->op, is_min ? &high : &low, &inner)) return false;
  if (!limit_of(frame->emitter, inner, is_min ? HY_OP_MAX : HY_OP_MIN, is_min ? &low : &high, &cast)) return false;
  const hy_lanes *argument = is_float_cast(cast) ? hy_frame_known(frame, cast->args[0]) : NULL;
  if (!argument || argument->shape != HY_VARYING || low > high) return false;
  LLVMTypeRef type = LLVMVectorType(frame->emitter->i32, (unsigned)frame->lanes);
  LLVMValueRef x = truncated(frame, cast->args[0], argument->value);
  LLVMValueRef ends[] = {x, hy_splat_int(frame, type, (uint64_t)low, frame->lanes)};
  ends[0] = hy_emit_intrinsic(frame, "llvm.smax", &type, 1, ends, 2);
  ends[1] = hy_splat_int(frame, type, (uint64_t)high, frame->lanes);
  result->value = hy_emit_intrinsic(frame, "llvm.smin", &type, 1, ends, 2);
  result->range = (hy_int_range){low, high};
  return true;
}

/* -- operators -- */

// Are its operands of type int, whatever they make, and is it the same of 32 bits?
static bool may_be_narrow(hy_emitter *e, const hy_expr *node) {
  int64_t divisor;
  switch ((int)node->op) {
  case HY_OP_ADD:
  case HY_OP_SUB:
  case HY_OP_MUL:
  case HY_OP_NEG:
  case HY_OP_MIN:
  case HY_OP_MAX:
  case HY_OP_EQ:
  case HY_OP_NE:
  case HY_OP_LT:
  case HY_OP_LE:
  case HY_OP_GT:
  case HY_OP_GE:
  case HY_OP_CAST: return node->args[0]->type == HY_INT;
  case HY_OP_SELECT: return node->type == HY_INT;
  case HY_OP_DIV:
  case HY_OP_MOD: return node->type == HY_INT && hy_range_is_number(e, node->args[1], &divisor) && divisor > 0;
  default: return false;
  }
}

// From small whole numbers: what they hold is what i32 holds.
static bool is_small_cast(const hy_expr *node) {
  if (node->op != HY_OP_CAST || node->type != HY_INT || node->args[0]->type == HY_INT) return false;
  hy_type from = node->args[0]->type;
  return hy_type_is_integral(from) && (hy_type_bits(from) < 32 || from == HY_I32);
}

static LLVMValueRef operand(hy_frame *frame, const hy_expr *node, int i, hy_lanes lanes) {
  if (node->args[i]->type == HY_INT) return hy_emit_narrow_vector(frame, lanes);
  if (lanes.shape == HY_UNIFORM) return lanes.value; // the condition of a choice, which one bit decides
  return hy_emit_vector(frame, lanes, node->args[i]->type);
}

static bool apply(hy_frame *frame, const hy_expr *node, const hy_lanes *args, hy_lanes *result) {
  LLVMValueRef values[HY_MAX_ARITY];
  if (!may_be_narrow(frame->emitter, node)) return false;
  for (int i = 0; i < node->count; i++)
    if (node->args[i]->type == HY_INT && !fits_i32(range_of(&args[i]))) return false;
  for (int i = 0; i < node->count; i++) values[i] = operand(frame, node, i, args[i]);
  result->value = hy_emit_op(frame, node, values, frame->lanes);
  return true;
}

static bool widen_small(hy_frame *frame, const hy_expr *node, const hy_lanes *argument, hy_lanes *result) {
  hy_type from = node->args[0]->type;
  bool is_signed = hy_type_class_of(from) == HY_CLASS_SIGNED;
  LLVMTypeRef type = LLVMVectorType(frame->emitter->i32, (unsigned)frame->lanes);
  result->value = LLVMBuildIntCast2(frame->builder, hy_emit_vector(frame, *argument, from), type, is_signed, "");
  return true;
}

// GEN.Narrow
bool hy_emit_narrow(hy_frame *frame, const hy_expr *node, const hy_lanes *args, hy_lanes *result) {
  bool is_int = node->type == HY_INT, done = false;
  result->has_range = is_int;
  if (is_float_cast(node)) {
    done = convert(frame, node, &args[0], result);
  } else if (is_int && (node->op == HY_OP_MIN || node->op == HY_OP_MAX) && convert_clamped(frame, node, result)) {
    done = true;
  } else {
    if (is_int) hy_lanes_learn_range(frame, node, args, result);
    if (is_int && (!result->has_range || !fits_i32(result->range))) return false;
    done = is_small_cast(node) ? widen_small(frame, node, &args[0], result) : apply(frame, node, args, result);
  }
  result->is_narrow = done && is_int;
  if (done) hy_context_hit(frame->emitter->context, HY_RULE_GEN_NARROW);
  return done;
}
