#include "codegen/codegen_internal.h"

#include <string.h>

/* One emitter per row of ops.def, for scalars and for vectors alike. Nothing here traps, is undefined or depends on how
 * LLVM treats poison: divisors and shift amounts are guarded (decision D5), conversions saturate, no flag of any kind
 * is put on data arithmetic.
 */

/* -- types and constants -- */

static LLVMTypeRef integer_type(hy_emitter *e, int bits) { return LLVMIntTypeInContext(e->llvm, (unsigned)bits); }

static LLVMTypeRef with_lanes(LLVMTypeRef scalar, int lanes) {
  return lanes > 1 ? LLVMVectorType(scalar, (unsigned)lanes) : scalar;
}

LLVMTypeRef hy_emit_memory_type(hy_emitter *e, hy_type type, int lanes) {
  LLVMTypeRef scalar = integer_type(e, hy_type_bits(type));
  if (type == HY_F32 || type == HY_F64) scalar = type == HY_F32 ? e->f32 : e->f64; // f16 and bf16 are their bits
  return with_lanes(scalar, lanes);
}

LLVMTypeRef hy_emit_type(hy_emitter *e, hy_type type, int lanes) {
  return type == HY_BOOL ? with_lanes(e->i1, lanes) : hy_emit_memory_type(e, type, lanes);
}

// An error value has no native form: 0 stands for it (decision D5).
LLVMValueRef hy_emit_const(hy_emitter *e, hy_value value) {
  hy_type type = (hy_type)value.type;
  if (value.error) return LLVMConstNull(hy_emit_type(e, type, 1));
  if (hy_type_class_of(type) != HY_CLASS_FLOAT) return LLVMConstInt(hy_emit_type(e, type, 1), value.u, false);
  // Through the bits: a NaN keeps its payload and nothing is rounded.
  LLVMValueRef bits = LLVMConstInt(integer_type(e, hy_type_bits(type)), hy_value_bits(value), false);
  return LLVMConstBitCast(bits, hy_emit_type(e, type, 1));
}

LLVMValueRef hy_emit_i64(hy_emitter *e, int64_t i) { return LLVMConstInt(e->i64, (uint64_t)i, true); }

LLVMValueRef hy_splat(hy_frame *frame, LLVMValueRef value, int lanes) {
  if (lanes == 1) return value;
  hy_emitter *e = frame->emitter;
  LLVMTypeRef vector = LLVMVectorType(LLVMTypeOf(value), (unsigned)lanes);
  LLVMValueRef none = LLVMGetPoison(vector), zero = LLVMConstInt(e->i32, 0, false);
  LLVMValueRef first = LLVMBuildInsertElement(frame->builder, none, value, zero, "");
  LLVMValueRef mask = LLVMConstNull(LLVMVectorType(e->i32, (unsigned)lanes));
  return LLVMBuildShuffleVector(frame->builder, first, none, mask, "");
}

LLVMValueRef hy_splat_int(hy_frame *frame, LLVMTypeRef type, uint64_t value, int lanes) {
  return hy_splat(frame, LLVMConstInt(lanes > 1 ? LLVMGetElementType(type) : type, value, true), lanes);
}

LLVMValueRef hy_emit_intrinsic(hy_frame *frame, const char *name, LLVMTypeRef const *overloads, int overload_count,
                               LLVMValueRef const *args, int count) {
  hy_emitter *e = frame->emitter;
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  HY_ASSERT(id);
  LLVMTypeRef types[4];
  memcpy(types, overloads, sizeof *types * (size_t)overload_count);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module, id, types, (size_t)overload_count);
  LLVMTypeRef type = LLVMIntrinsicGetType(e->llvm, id, types, (size_t)overload_count);
  LLVMValueRef values[6];
  memcpy(values, args, sizeof *values * (size_t)count);
  return LLVMBuildCall2(frame->builder, type, function, values, (unsigned)count, "");
}

/* -- one application of an operator -- */

typedef struct site {
  hy_frame *frame;
  LLVMBuilderRef b;
  const hy_expr *node;
  LLVMValueRef const *a; // the arguments
  int lanes;
  hy_type operand;  // type of the first argument
  LLVMTypeRef type; // and its LLVM type
  bool is_float, is_signed;
} site;

static LLVMValueRef number(const site *s, uint64_t value) { return hy_splat_int(s->frame, s->type, value, s->lanes); }

static LLVMValueRef call1(const site *s, const char *name) {
  return hy_emit_intrinsic(s->frame, name, &s->type, 1, s->a, 1);
}

static LLVMValueRef emit_ADD(const site *s) {
  return s->is_float ? LLVMBuildFAdd(s->b, s->a[0], s->a[1], "") : LLVMBuildAdd(s->b, s->a[0], s->a[1], "");
}
static LLVMValueRef emit_SUB(const site *s) {
  return s->is_float ? LLVMBuildFSub(s->b, s->a[0], s->a[1], "") : LLVMBuildSub(s->b, s->a[0], s->a[1], "");
}
static LLVMValueRef emit_MUL(const site *s) {
  return s->is_float ? LLVMBuildFMul(s->b, s->a[0], s->a[1], "") : LLVMBuildMul(s->b, s->a[0], s->a[1], "");
}
static LLVMValueRef emit_NEG(const site *s) {
  return s->is_float ? LLVMBuildFNeg(s->b, s->a[0], "") : LLVMBuildNeg(s->b, s->a[0], "");
}

/* -- division -- */

static LLVMValueRef emit_DIV(const site *s) {
  if (s->is_float) return LLVMBuildFDiv(s->b, s->a[0], s->a[1], "");
  return hy_emit_division(s->frame, s->node, s->a, s->lanes).quotient;
}
static LLVMValueRef emit_MOD(const site *s) { return hy_emit_division(s->frame, s->node, s->a, s->lanes).remainder; }

/* -- comparisons and logic -- */

static LLVMValueRef compare(const site *s, LLVMRealPredicate real, LLVMIntPredicate is_signed,
                            LLVMIntPredicate is_not) {
  if (s->is_float) return LLVMBuildFCmp(s->b, real, s->a[0], s->a[1], "");
  return LLVMBuildICmp(s->b, s->is_signed ? is_signed : is_not, s->a[0], s->a[1], "");
}
static LLVMValueRef emit_EQ(const site *s) { return compare(s, LLVMRealOEQ, LLVMIntEQ, LLVMIntEQ); }
static LLVMValueRef emit_NE(const site *s) { return compare(s, LLVMRealUNE, LLVMIntNE, LLVMIntNE); }
static LLVMValueRef emit_LT(const site *s) { return compare(s, LLVMRealOLT, LLVMIntSLT, LLVMIntULT); }
static LLVMValueRef emit_LE(const site *s) { return compare(s, LLVMRealOLE, LLVMIntSLE, LLVMIntULE); }
static LLVMValueRef emit_GT(const site *s) { return compare(s, LLVMRealOGT, LLVMIntSGT, LLVMIntUGT); }
static LLVMValueRef emit_GE(const site *s) { return compare(s, LLVMRealOGE, LLVMIntSGE, LLVMIntUGE); }
static LLVMValueRef emit_AND(const site *s) { return LLVMBuildAnd(s->b, s->a[0], s->a[1], ""); }
static LLVMValueRef emit_OR(const site *s) { return LLVMBuildOr(s->b, s->a[0], s->a[1], ""); }
static LLVMValueRef emit_NOT(const site *s) { return LLVMBuildNot(s->b, s->a[0], ""); }
static LLVMValueRef emit_SELECT(const site *s) { return LLVMBuildSelect(s->b, s->a[0], s->a[1], s->a[2], ""); }
static LLVMValueRef emit_MIN(const site *s) { return LLVMBuildSelect(s->b, emit_LT(s), s->a[0], s->a[1], ""); }
static LLVMValueRef emit_MAX(const site *s) { return LLVMBuildSelect(s->b, emit_GT(s), s->a[0], s->a[1], ""); }

static LLVMValueRef emit_ABS(const site *s) {
  if (s->is_float) return call1(s, "llvm.fabs");
  if (!s->is_signed) return s->a[0];
  LLVMValueRef args[] = {s->a[0], LLVMConstInt(s->frame->emitter->i1, 0, false)};
  return hy_emit_intrinsic(s->frame, "llvm.abs", &s->type, 1, args, 2);
}

/* -- bits -- */

static LLVMValueRef emit_BIT_AND(const site *s) { return LLVMBuildAnd(s->b, s->a[0], s->a[1], ""); }
static LLVMValueRef emit_BIT_XOR(const site *s) { return LLVMBuildXor(s->b, s->a[0], s->a[1], ""); }
static LLVMValueRef emit_BIT_OR(const site *s) { return LLVMBuildOr(s->b, s->a[0], s->a[1], ""); }
static LLVMValueRef emit_BIT_NOT(const site *s) { return LLVMBuildNot(s->b, s->a[0], ""); }

static LLVMValueRef emit_POPCOUNT(const site *s) { return call1(s, "llvm.ctpop"); }

// Of 0 the width: no poison.
static LLVMValueRef count_zeros(const site *s, const char *name) {
  LLVMValueRef args[] = {s->a[0], LLVMConstInt(s->frame->emitter->i1, 0, false)};
  return hy_emit_intrinsic(s->frame, name, &s->type, 1, args, 2);
}
static LLVMValueRef emit_COUNT_LEADING_ZEROS(const site *s) { return count_zeros(s, "llvm.ctlz"); }
static LLVMValueRef emit_COUNT_TRAILING_ZEROS(const site *s) { return count_zeros(s, "llvm.cttz"); }

// "amount" is read as unsigned, so that what is too large stays too large. A select discards the poison of a wide
// shift.
static LLVMValueRef shift_left(const site *s, LLVMValueRef amount) {
  LLVMValueRef fits = LLVMBuildICmp(s->b, LLVMIntULT, amount, number(s, (uint64_t)hy_type_bits(s->operand)), "");
  return LLVMBuildSelect(s->b, fits, LLVMBuildShl(s->b, s->a[0], amount, ""), number(s, 0), "");
}

static LLVMValueRef shift_right(const site *s, LLVMValueRef amount) {
  LLVMValueRef width = number(s, (uint64_t)hy_type_bits(s->operand));
  LLVMValueRef fits = LLVMBuildICmp(s->b, LLVMIntULT, amount, width, "");
  if (!s->is_signed) return LLVMBuildSelect(s->b, fits, LLVMBuildLShr(s->b, s->a[0], amount, ""), number(s, 0), "");
  LLVMValueRef most = number(s, (uint64_t)hy_type_bits(s->operand) - 1);
  return LLVMBuildAShr(s->b, s->a[0], LLVMBuildSelect(s->b, fits, amount, most, ""), "");
}

// GEN.Shift: by a negative amount the other way, by the width or more 0 or the sign (VAL.Shift); never poison.
static LLVMValueRef shift(const site *s, bool left) {
  hy_context_hit(s->frame->emitter->context, HY_RULE_GEN_SHIFT);
  LLVMValueRef amount = s->a[1];
  LLVMValueRef forward = left ? shift_left(s, amount) : shift_right(s, amount);
  if (!s->is_signed) return forward;
  LLVMValueRef opposite = LLVMBuildNeg(s->b, amount, "");
  LLVMValueRef backward = left ? shift_right(s, opposite) : shift_left(s, opposite);
  LLVMValueRef turned = LLVMBuildICmp(s->b, LLVMIntSLT, amount, number(s, 0), "");
  return LLVMBuildSelect(s->b, turned, backward, forward, "");
}
static LLVMValueRef emit_SHL(const site *s) { return shift(s, true); }
static LLVMValueRef emit_SHR(const site *s) { return shift(s, false); }

/* -- conversions -- */

static LLVMValueRef cast_from_float(const site *s, hy_type to, LLVMTypeRef type) {
  if (to == HY_BOOL) return LLVMBuildFCmp(s->b, LLVMRealUNE, s->a[0], LLVMConstNull(s->type), "");
  if (hy_type_class_of(to) == HY_CLASS_FLOAT) return LLVMBuildFPCast(s->b, s->a[0], type, "");
  return hy_emit_float_to_integer(s->frame, s->node->args[0], s->a[0], to, s->lanes);
}

// To and from what is stored alone: by way of f32, which has all of its numbers.
static LLVMValueRef cast_to_half(const site *s, hy_type to) {
  if (s->operand == HY_F32) return hy_emit_f32_to_half(s->frame, to, s->a[0], s->lanes);
  if (s->operand == HY_F64) return hy_emit_f64_to_half(s->frame, to, s->a[0], s->lanes);
  return hy_emit_integer_to_half(s->frame, to, s->operand, s->a[0], s->lanes);
}

// GEN.Cast: floats saturate, NaN gives 0 (VAL.Cast); so does a u64 that int cannot hold, an error elsewhere (D66).
static LLVMValueRef emit_CAST(const site *s) {
  hy_context_hit(s->frame->emitter->context, HY_RULE_GEN_CAST);
  hy_type to = s->node->type;
  LLVMTypeRef type = hy_emit_type(s->frame->emitter, to, s->lanes);
  if (to == s->operand) return s->a[0];
  if (hy_type_is_storage(s->operand)) {
    site wide = *s;
    LLVMValueRef value = hy_emit_half_to_f32(s->frame, s->operand, s->a[0], s->lanes);
    wide.a = &value, wide.operand = HY_F32, wide.type = LLVMTypeOf(value);
    return emit_CAST(&wide);
  }
  if (hy_type_is_storage(to)) return cast_to_half(s, to);
  if (s->is_float) return cast_from_float(s, to, type);
  if (to == HY_BOOL) return LLVMBuildICmp(s->b, LLVMIntNE, s->a[0], LLVMConstNull(s->type), "");
  if (hy_type_class_of(to) == HY_CLASS_FLOAT)
    return s->is_signed ? LLVMBuildSIToFP(s->b, s->a[0], type, "") : LLVMBuildUIToFP(s->b, s->a[0], type, "");
  if (to == HY_INT && s->operand == HY_U64) {
    LLVMValueRef sides[] = {s->a[0], number(s, INT64_MAX)};
    return hy_emit_intrinsic(s->frame, "llvm.umin", &s->type, 1, sides, 2);
  }
  return LLVMBuildIntCast2(s->b, s->a[0], type, s->is_signed, "");
}

/* -- floats and their bits -- */

// VAL.Reinterpret: of every NaN the same bits.
static LLVMValueRef float_bits(const site *s, uint64_t nan) {
  LLVMTypeRef type = hy_emit_type(s->frame->emitter, s->node->type, s->lanes);
  LLVMValueRef is_nan = LLVMBuildFCmp(s->b, LLVMRealUNO, s->a[0], s->a[0], "");
  LLVMValueRef bits = LLVMBuildBitCast(s->b, s->a[0], type, "");
  return LLVMBuildSelect(s->b, is_nan, hy_splat_int(s->frame, type, nan, s->lanes), bits, "");
}
static LLVMValueRef emit_F32_BITS(const site *s) { return float_bits(s, UINT32_C(0x7fc00000)); }
static LLVMValueRef emit_F64_BITS(const site *s) { return float_bits(s, UINT64_C(0x7ff8000000000000)); }

static LLVMValueRef emit_F16_BITS(const site *s) { return hy_emit_half_bits(s->frame, HY_F16, s->a[0], s->lanes); }
static LLVMValueRef emit_BF16_BITS(const site *s) { return hy_emit_half_bits(s->frame, HY_BF16, s->a[0], s->lanes); }
static LLVMValueRef emit_F16_FROM_BITS(const site *s) { return s->a[0]; }
static LLVMValueRef emit_BF16_FROM_BITS(const site *s) { return s->a[0]; }

static LLVMValueRef from_bits(const site *s) {
  return LLVMBuildBitCast(s->b, s->a[0], hy_emit_type(s->frame->emitter, s->node->type, s->lanes), "");
}
static LLVMValueRef emit_F32_FROM_BITS(const site *s) { return from_bits(s); }
static LLVMValueRef emit_F64_FROM_BITS(const site *s) { return from_bits(s); }

/* -- mathematics -- */

static LLVMValueRef emit_SQRT(const site *s) { return call1(s, "llvm.sqrt"); }
static LLVMValueRef emit_FLOOR(const site *s) { return call1(s, "llvm.floor"); }
static LLVMValueRef emit_CEIL(const site *s) { return call1(s, "llvm.ceil"); }
// LLVM has no code for the former on vectors of f64 of 32-bit ARM. In the mode that all code runs in they are the same.
static LLVMValueRef emit_ROUND(const site *s) {
  return call1(s, s->frame->emitter->target->rounds_vectors ? "llvm.roundeven" : "llvm.nearbyint");
}
static LLVMValueRef emit_TRUNC(const site *s) { return call1(s, "llvm.trunc"); }

static LLVMValueRef emit_FMA(const site *s) { return hy_emit_intrinsic(s->frame, "llvm.fma", &s->type, 1, s->a, 3); }

static LLVMValueRef defined_function(const site *s) {
  return hy_emit_math(s->frame, s->node->op, s->operand, s->a, s->lanes);
}
static LLVMValueRef emit_SIN(const site *s) { return defined_function(s); }
static LLVMValueRef emit_COS(const site *s) { return defined_function(s); }
static LLVMValueRef emit_EXP(const site *s) { return defined_function(s); }
static LLVMValueRef emit_LOG(const site *s) { return defined_function(s); }
static LLVMValueRef emit_POW(const site *s) { return defined_function(s); }
static LLVMValueRef emit_TAN(const site *s) { return defined_function(s); }
static LLVMValueRef emit_ATAN(const site *s) { return defined_function(s); }
static LLVMValueRef emit_ATAN2(const site *s) { return defined_function(s); }
static LLVMValueRef emit_TANH(const site *s) { return defined_function(s); }
static LLVMValueRef emit_ASIN(const site *s) { return defined_function(s); }
static LLVMValueRef emit_ACOS(const site *s) { return defined_function(s); }
static LLVMValueRef emit_SINH(const site *s) { return defined_function(s); }
static LLVMValueRef emit_COSH(const site *s) { return defined_function(s); }
static LLVMValueRef emit_ASINH(const site *s) { return defined_function(s); }
static LLVMValueRef emit_ACOSH(const site *s) { return defined_function(s); }
static LLVMValueRef emit_ATANH(const site *s) { return defined_function(s); }
static LLVMValueRef emit_ERF(const site *s) { return defined_function(s); }

// A row of ops.def without an emitter does not compile.
LLVMValueRef hy_emit_op(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args, int lanes) {
  hy_type operand = node->args[0]->type;
  hy_type_class class = hy_type_class_of(operand);
  site s = {.frame = frame, .b = frame->builder, .node = node, .a = args, .lanes = lanes, .operand = operand};
  s.type = LLVMTypeOf(args[0]);
  s.is_float = class == HY_CLASS_FLOAT;
  s.is_signed = class == HY_CLASS_INTEGER || class == HY_CLASS_SIGNED;
  switch (node->op) {
#define HY_OP(name, ...)                                                                                               \
  case HY_OP_##name:                                                                                                   \
    return emit_##name(&s);
#include "semantics/ops.def"
#undef HY_OP
  }
  HY_UNREACHABLE();
}
