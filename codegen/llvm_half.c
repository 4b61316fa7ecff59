#include "codegen/codegen_internal.h"

/* f16 and bf16 natively (GEN.Half): 16 bits in memory, in registers and between operators, made f32 where a program
 * converts them, and back. Where the processor converts f16 it does; else, and for bf16, integers do, without a branch,
 * in vectors as in scalars. Nothing calls a library: what is shipped needs none.
 */

typedef struct lanes32 {
  hy_frame *frame;
  LLVMBuilderRef b;
  int lanes;
  LLVMTypeRef i32, f32, i16; // vectors where there are lanes
} lanes32;

static lanes32 lanes_of(hy_frame *frame, int lanes) {
  hy_emitter *e = frame->emitter;
  return (lanes32){frame,
                   frame->builder,
                   lanes,
                   hy_emit_type(e, HY_U32, lanes),
                   hy_emit_type(e, HY_F32, lanes),
                   hy_emit_type(e, HY_U16, lanes)};
}

static LLVMValueRef number(const lanes32 *l, uint64_t n) { return hy_splat_int(l->frame, l->i32, n, l->lanes); }
static LLVMValueRef add(const lanes32 *l, LLVMValueRef a, uint64_t n) {
  return LLVMBuildAdd(l->b, a, number(l, n & UINT32_MAX), "");
}
static LLVMValueRef and (const lanes32 *l, LLVMValueRef a, uint64_t n) {
  return LLVMBuildAnd(l->b, a, number(l, n), "");
}
static LLVMValueRef up(const lanes32 *l, LLVMValueRef a, int by) {
  return LLVMBuildShl(l->b, a, number(l, (uint64_t)by), "");
}
static LLVMValueRef down(const lanes32 *l, LLVMValueRef a, int by) {
  return LLVMBuildLShr(l->b, a, number(l, (uint64_t)by), "");
}
static LLVMValueRef is_above(const lanes32 *l, LLVMValueRef a, uint64_t n) {
  return LLVMBuildICmp(l->b, LLVMIntUGT, a, number(l, n), "");
}
static LLVMValueRef as_bits(const lanes32 *l, LLVMValueRef real) { return LLVMBuildBitCast(l->b, real, l->i32, ""); }
static LLVMValueRef as_real(const lanes32 *l, LLVMValueRef bits) { return LLVMBuildBitCast(l->b, bits, l->f32, ""); }

static LLVMTypeRef half_type(const lanes32 *l) {
  LLVMTypeRef half = LLVMHalfTypeInContext(l->frame->emitter->llvm);
  return l->lanes > 1 ? LLVMVectorType(half, (unsigned)l->lanes) : half;
}

/* -- from 16 bits; exact -- */

// The exponent of f16 counts from 15, that of f32 from 127. A subnormal number is 2^-14 less than one that has the
// leading 1 which its encoding has not, and what is left is normal in f32.
static LLVMValueRef widened_f16(const lanes32 *l, LLVMValueRef word) {
  enum { REBIAS = (127 - 15) << 23, ONE = 1 << 23, LEAST = 113 << 23 };
  LLVMValueRef size = and(l, word, 0x7fff), shifted = up(l, size, 13), sign = up(l, and(l, word, 0x8000), 16);
  LLVMValueRef normal = add(l, shifted, REBIAS), special = add(l, shifted, 2 * (uint64_t)REBIAS);
  LLVMValueRef led = as_real(l, add(l, normal, ONE)), least = as_real(l, number(l, LEAST));
  LLVMValueRef subnormal = as_bits(l, LLVMBuildFSub(l->b, led, least, ""));
  LLVMValueRef bits = LLVMBuildSelect(l->b, is_above(l, size, 0x3ff), normal, subnormal, "");
  bits = LLVMBuildSelect(l->b, is_above(l, size, 0x7bff), special, bits, "");
  return as_real(l, LLVMBuildOr(l->b, bits, sign, ""));
}

LLVMValueRef hy_emit_half_to_f32(hy_frame *frame, hy_type from, LLVMValueRef value, int lanes) {
  lanes32 l = lanes_of(frame, lanes);
  hy_context_hit(frame->emitter->context, HY_RULE_GEN_HALF);
  if (from == HY_F16 && frame->emitter->target->converts_f16)
    return LLVMBuildFPExt(l.b, LLVMBuildBitCast(l.b, value, half_type(&l), ""), l.f32, "");
  LLVMValueRef word = LLVMBuildZExt(l.b, value, l.i32, "");
  return from == HY_BF16 ? as_real(&l, up(&l, word, 16)) : widened_f16(&l, word);
}

/* -- to 16 bits; rounded to nearest even -- */

// What is rounded away, and half a unit less one bit, which is added if the last bit that stays is odd, carry into it.
static LLVMValueRef rounded(const lanes32 *l, LLVMValueRef bits, int by) {
  LLVMValueRef odd = and(l, down(l, bits, by), 1);
  LLVMValueRef sum = LLVMBuildAdd(l->b, add(l, bits, (UINT64_C(1) << (by - 1)) - 1), odd, "");
  return down(l, sum, by);
}

// Beside 0.5 the last bit of an f32 is 2^-24, that of f16's subnormal numbers: the sum rounds to it.
static LLVMValueRef narrowed_f16(const lanes32 *l, LLVMValueRef size) {
  enum { REBIAS = (127 - 15) << 23, HALF = 126 << 23, LEAST = 113 << 23, ABOVE = 143 << 23, INFINITE = 255 << 23 };
  LLVMValueRef normal = rounded(l, add(l, size, 0 - (uint64_t)REBIAS), 13);
  LLVMValueRef sum = LLVMBuildFAdd(l->b, as_real(l, size), as_real(l, number(l, HALF)), "");
  LLVMValueRef subnormal = add(l, as_bits(l, sum), 0 - (uint64_t)HALF);
  LLVMValueRef special = LLVMBuildSelect(l->b, is_above(l, size, INFINITE), number(l, 0x7e00), number(l, 0x7c00), "");
  LLVMValueRef bits = LLVMBuildSelect(l->b, is_above(l, size, LEAST - 1), normal, subnormal, "");
  return LLVMBuildSelect(l->b, is_above(l, size, ABOVE - 1), special, bits, "");
}

// The upper half of an f32: what carries out of the fraction is the next exponent, the greatest one's an infinity.
static LLVMValueRef narrowed_bf16(const lanes32 *l, LLVMValueRef size) {
  return LLVMBuildSelect(l->b, is_above(l, size, 0x7f800000), number(l, 0x7fc0), rounded(l, size, 16), "");
}

LLVMValueRef hy_emit_f32_to_half(hy_frame *frame, hy_type to, LLVMValueRef value, int lanes) {
  lanes32 l = lanes_of(frame, lanes);
  hy_context_hit(frame->emitter->context, HY_RULE_GEN_HALF);
  if (to == HY_F16 && frame->emitter->target->converts_f16)
    return LLVMBuildBitCast(l.b, LLVMBuildFPTrunc(l.b, value, half_type(&l), ""), l.i16, "");
  LLVMValueRef bits = as_bits(&l, value), size = and(&l, bits, 0x7fffffff);
  LLVMValueRef sign = and(&l, down(&l, bits, 16), 0x8000);
  LLVMValueRef narrow = to == HY_F16 ? narrowed_f16(&l, size) : narrowed_bf16(&l, size);
  return LLVMBuildTrunc(l.b, LLVMBuildOr(l.b, narrow, sign, ""), l.i16, "");
}

/* -- from wider numbers, rounded once: what an f32 cannot hold is rounded to odd on the way -- */

// Of the two f32 beside a number that is none, that whose last bit is 1. It lies on the same side of every number of 16
// bits, and of every middle between two of them (half.c).
static LLVMValueRef odd_f32(const lanes32 *l, LLVMValueRef wide) {
  LLVMBuilderRef b = l->b;
  LLVMTypeRef f64 = LLVMTypeOf(wide);
  LLVMValueRef near = LLVMBuildFPTrunc(b, wide, l->f32, ""), back = LLVMBuildFPExt(b, near, f64, "");
  LLVMValueRef bits = as_bits(l, near);
  LLVMValueRef is_odd = LLVMBuildICmp(b, LLVMIntNE, and(l, bits, 1), number(l, 0), "");
  LLVMValueRef stays = LLVMBuildOr(b, LLVMBuildFCmp(b, LLVMRealUEQ, back, wide, ""), is_odd, "");
  LLVMValueRef back_size = hy_emit_intrinsic(l->frame, "llvm.fabs", &f64, 1, &back, 1);
  LLVMValueRef size = hy_emit_intrinsic(l->frame, "llvm.fabs", &f64, 1, &wide, 1);
  LLVMValueRef is_nearer_to_zero = LLVMBuildFCmp(b, LLVMRealOLT, back_size, size, "");
  LLVMValueRef other = LLVMBuildSelect(b, is_nearer_to_zero, add(l, bits, 1), add(l, bits, UINT32_MAX), "");
  return as_real(l, LLVMBuildSelect(b, stays, bits, other, ""));
}

LLVMValueRef hy_emit_f64_to_half(hy_frame *frame, hy_type to, LLVMValueRef value, int lanes) {
  lanes32 l = lanes_of(frame, lanes);
  return hy_emit_f32_to_half(frame, to, odd_f32(&l, value), lanes);
}

// From 65520 on an f16 is infinite, so no number beyond 2^17 is another: what is left is an f32.
static LLVMValueRef clamped(const lanes32 *l, LLVMValueRef value, bool is_signed) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef most = hy_splat_int(l->frame, type, 1 << 17, l->lanes), sides[] = {value, most};
  value = hy_emit_intrinsic(l->frame, is_signed ? "llvm.smin" : "llvm.umin", &type, 1, sides, 2);
  if (!is_signed) return value;
  LLVMValueRef others[] = {value, hy_splat_int(l->frame, type, (uint64_t) - (1 << 17), l->lanes)};
  return hy_emit_intrinsic(l->frame, "llvm.smax", &type, 1, others, 2);
}

// 64 bits as 52 and one that is set where any of the rest was: rounded to odd, where an f64 would round.
static LLVMValueRef jammed(const lanes32 *l, LLVMValueRef value, bool is_signed) {
  enum { BITS = 12 };
  LLVMBuilderRef b = l->b;
  LLVMTypeRef type = LLVMTypeOf(value);
  uint64_t low = (UINT64_C(1) << BITS) - 1, limit = UINT64_C(1) << 52;
  LLVMValueRef zero = hy_splat_int(l->frame, type, 0, l->lanes);
  LLVMValueRef rest = LLVMBuildAnd(b, value, hy_splat_int(l->frame, type, low, l->lanes), "");
  LLVMValueRef sticky = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntNE, rest, zero, ""),
                                        hy_splat_int(l->frame, type, low + 1, l->lanes), zero, "");
  LLVMValueRef high = LLVMBuildAnd(b, value, hy_splat_int(l->frame, type, ~low, l->lanes), "");
  LLVMValueRef odd = LLVMBuildOr(b, high, sticky, "");
  LLVMValueRef moved = is_signed ? LLVMBuildAdd(b, value, hy_splat_int(l->frame, type, limit, l->lanes), "") : value;
  uint64_t most = is_signed ? 2 * limit : limit;
  LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULE, moved, hy_splat_int(l->frame, type, most, l->lanes), "");
  return LLVMBuildSelect(b, fits, value, odd, "");
}

static int bits_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return (int)LLVMGetIntTypeWidth(is_vector ? LLVMGetElementType(type) : type);
}

// An int may have 32 bits here (GEN.Narrow): what the value has is asked, not what its type has.
LLVMValueRef hy_emit_integer_to_half(hy_frame *frame, hy_type to, hy_type from, LLVMValueRef value, int lanes) {
  lanes32 l = lanes_of(frame, lanes);
  hy_emitter *e = frame->emitter;
  bool is_signed = hy_type_class_of(from) == HY_CLASS_INTEGER || hy_type_class_of(from) == HY_CLASS_SIGNED;
  int bits = bits_of(value);
  bool is_exact = bits <= 16 || to == HY_F16;
  if (to == HY_F16 && bits > 16)
    value = LLVMBuildIntCast2(l.b, clamped(&l, value, is_signed), hy_emit_type(e, HY_I32, lanes), is_signed, "");
  if (!is_exact && bits == 64) value = jammed(&l, value, is_signed);
  LLVMTypeRef real = is_exact ? l.f32 : hy_emit_type(e, HY_F64, lanes);
  value = is_signed ? LLVMBuildSIToFP(l.b, value, real, "") : LLVMBuildUIToFP(l.b, value, real, "");
  return is_exact ? hy_emit_f32_to_half(frame, to, value, lanes) : hy_emit_f64_to_half(frame, to, value, lanes);
}

/* -- their bits -- */

// VAL.Reinterpret: of every NaN the same bits.
LLVMValueRef hy_emit_half_bits(hy_frame *frame, hy_type from, LLVMValueRef value, int lanes) {
  bool is_f16 = from == HY_F16;
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMBuilderRef b = frame->builder;
  LLVMValueRef size = LLVMBuildAnd(b, value, hy_splat_int(frame, type, 0x7fff, lanes), "");
  LLVMValueRef infinite = hy_splat_int(frame, type, is_f16 ? 0x7c00 : 0x7f80, lanes);
  LLVMValueRef nan = hy_splat_int(frame, type, is_f16 ? 0x7e00 : 0x7fc0, lanes);
  return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntUGT, size, infinite, ""), nan, value, "");
}
