#include "codegen/codegen_internal.h"

#include <math.h>

/* Quotients and remainders of whole numbers, Euclidean (D2) and without traps (D5). Processors have no instruction that
 * divides vectors of whole numbers, and LLVM takes such a division apart, lane by lane: 20 to 40 cycles each. Floats
 * are divided in vectors, so lanes that floats hold exactly are divided as floats.
 */

typedef struct site {
  hy_frame *frame;
  LLVMBuilderRef b;
  const hy_expr *node;
  LLVMValueRef const *a; // the arguments
  int lanes, bits;
  LLVMTypeRef type; // theirs
  bool is_signed;
} site;

static LLVMValueRef number(const site *s, uint64_t value) { return hy_splat_int(s->frame, s->type, value, s->lanes); }

static bool constant_divisor(const site *s, uint64_t *divisor) {
  const hy_expr *d = s->node->args[1];
  int64_t number;
  if (d->type == HY_INT && hy_range_is_number(s->frame->emitter, d, &number))
    return *divisor = (uint64_t)number, number != 0;
  *divisor = d->kind == HY_EXPR_CONST && !d->value.error ? d->value.u : 0;
  return *divisor != 0;
}

// GEN.Freeze: what decides between dividing and not dividing must be one value, whatever memory held (decision D7).
static LLVMValueRef settled(const site *s, LLVMValueRef value) {
  if (s->node->has_access) hy_context_hit(s->frame->emitter->context, HY_RULE_GEN_FREEZE);
  return s->node->has_access ? LLVMBuildFreeze(s->b, value, "") : value;
}

// By a constant: plain division, which LLVM turns into shifts or multiplications.
static hy_divided divide_by_constant(const site *s, uint64_t divisor) {
  LLVMValueRef n = s->a[0];
  int bits = s->bits;
  if (!s->is_signed) {
    LLVMValueRef d = number(s, divisor);
    return (hy_divided){LLVMBuildUDiv(s->b, n, d, ""), LLVMBuildURem(s->b, n, d, "")};
  }
  // floor(n / |d|) = ~(~n / |d|) for negative n; both quotients are of numbers below 2^(bits-1).
  bool negative = (int64_t)divisor < 0;
  uint64_t size = negative ? -divisor : divisor;
  if (bits < 64) size &= (UINT64_C(1) << bits) - 1;
  LLVMValueRef floor;
  if ((size & (size - 1)) == 0 && size != UINT64_C(1) << (bits - 1)) {
    floor = LLVMBuildAShr(s->b, n, number(s, (uint64_t)__builtin_ctzll(size)), "");
    LLVMValueRef quotient = negative ? LLVMBuildNeg(s->b, floor, "") : floor;
    return (hy_divided){quotient, LLVMBuildAnd(s->b, n, number(s, size - 1), "")};
  }
  LLVMValueRef sign = LLVMBuildAShr(s->b, n, number(s, (uint64_t)bits - 1), "");
  LLVMValueRef folded = LLVMBuildXor(s->b, n, sign, "");
  floor = LLVMBuildXor(s->b, LLVMBuildUDiv(s->b, folded, number(s, size), ""), sign, "");
  LLVMValueRef remainder = LLVMBuildSub(s->b, n, LLVMBuildMul(s->b, floor, number(s, size), ""), "");
  return (hy_divided){negative ? LLVMBuildNeg(s->b, floor, "") : floor, remainder};
}

/* -- unsigned numbers, the divisor not 0 -- */

static hy_divided divide_whole(const site *s, LLVMValueRef n, LLVMValueRef d) {
  return (hy_divided){LLVMBuildUDiv(s->b, n, d, ""), LLVMBuildURem(s->b, n, d, "")};
}

// A float of "bits" holds the whole numbers below 2^exact.
typedef struct real {
  LLVMTypeRef type, whole; // vectors
  int bits, exact;
} real;

static real real_of(const site *s, bool is_double) {
  hy_emitter *e = s->frame->emitter;
  int bits = is_double ? 64 : 32;
  return (real){hy_emit_type(e, is_double ? HY_F64 : HY_F32, s->lanes),
                hy_emit_type(e, is_double ? HY_U64 : HY_U32, s->lanes), bits, is_double ? 52 : 23};
}

// 2^exact + n and its bits differ by a constant: no processor needs an instruction of its own for that.
static LLVMValueRef to_real(const site *s, const real *r, LLVMValueRef n) {
  double shift = ldexp(1, r->exact);
  LLVMTypeRef scalar = LLVMGetElementType(r->type);
  LLVMValueRef shifted = hy_splat(s->frame, LLVMConstReal(scalar, shift), s->lanes);
  LLVMValueRef exponent = LLVMBuildBitCast(s->b, shifted, r->whole, "");
  LLVMValueRef bits = LLVMBuildOr(s->b, LLVMBuildIntCast2(s->b, n, r->whole, false, ""), exponent, "");
  return LLVMBuildFSub(s->b, LLVMBuildBitCast(s->b, bits, r->type, ""), shifted, "");
}

static LLVMValueRef to_whole(const site *s, const real *r, LLVMValueRef x) {
  LLVMTypeRef scalar = LLVMGetElementType(r->type);
  LLVMValueRef shifted = hy_splat(s->frame, LLVMConstReal(scalar, ldexp(1, r->exact)), s->lanes);
  LLVMValueRef bits = LLVMBuildBitCast(s->b, LLVMBuildFAdd(s->b, x, shifted, ""), r->whole, "");
  LLVMValueRef mask = LLVMConstInt(LLVMGetElementType(r->whole), (UINT64_C(1) << r->exact) - 1, false);
  return LLVMBuildIntCast2(s->b, LLVMBuildAnd(s->b, bits, hy_splat(s->frame, mask, s->lanes), ""), s->type, false, "");
}

// requires: n + d < 2^exact. Then the quotient, unless it is whole, lies below the next whole number k by at least 1 /
// d, which is more than k * 2^-exact: no rounding, whatever its direction, takes it there. All else is exact.
static hy_divided divide_real(const site *s, const real *r, LLVMValueRef n, LLVMValueRef d) {
  LLVMValueRef x = to_real(s, r, n), y = to_real(s, r, d);
  LLVMValueRef quotient = LLVMBuildFDiv(s->b, x, y, "");
  quotient = hy_emit_intrinsic(s->frame, "llvm.floor", &r->type, 1, &quotient, 1);
  LLVMValueRef remainder = LLVMBuildFSub(s->b, x, LLVMBuildFMul(s->b, quotient, y, ""), "");
  return (hy_divided){to_whole(s, r, quotient), to_whole(s, r, remainder)};
}

// Does "argument", of type int, always lie within +-2^power?
static bool lies_within(const site *s, int argument, int power) {
  int64_t most = INT64_C(1) << power;
  hy_int_range r = hy_range_of_value(s->frame->emitter, s->node->args[argument]);
  return r.least >= -most && r.most <= most;
}

static hy_divided divide_unsigned(const site *s, LLVMValueRef n, LLVMValueRef d) {
  if (s->lanes == 1 || !s->frame->emitter->target->divides_vectors) return divide_whole(s, n, d);
  real r = real_of(s, s->bits > 16);
  bool is_int = s->node->type == HY_INT && lies_within(s, 0, r.exact - 2) && lies_within(s, 1, r.exact - 2);
  return s->bits < 64 || is_int ? divide_real(s, &r, n, d) : divide_whole(s, n, d);
}

/* -- any numbers -- */

// With |d| as an unsigned number: MIN and -1 need no case of their own. x/0 divides by 1: remainder 0.
static hy_divided divide_signed(const site *s, LLVMValueRef n, LLVMValueRef d, LLVMValueRef by_zero) {
  LLVMValueRef zero = number(s, 0), negative = LLVMBuildICmp(s->b, LLVMIntSLT, d, zero, "");
  LLVMValueRef size = LLVMBuildSelect(s->b, negative, LLVMBuildNeg(s->b, d, ""), d, "");
  LLVMValueRef safe = LLVMBuildSelect(s->b, by_zero, number(s, 1), size, "");
  LLVMValueRef sign = LLVMBuildAShr(s->b, n, number(s, (uint64_t)s->bits - 1), "");
  // For negative n, floor(n / |d|) = ~(~n / |d|), and of the remainder r of ~n what is left of |d| is |d| - 1 - r.
  hy_divided folded = divide_unsigned(s, LLVMBuildXor(s->b, n, sign, ""), safe);
  LLVMValueRef floor = LLVMBuildXor(s->b, folded.quotient, sign, "");
  LLVMValueRef back = LLVMBuildAnd(s->b, safe, sign, "");
  LLVMValueRef remainder = LLVMBuildAdd(s->b, LLVMBuildXor(s->b, folded.remainder, sign, ""), back, "");
  LLVMValueRef quotient = LLVMBuildSelect(s->b, negative, LLVMBuildNeg(s->b, floor, ""), floor, "");
  return (hy_divided){quotient, remainder};
}

// GEN.Div: x/0 = x%0 = 0, MIN/-1 wraps; never a bare division that could trap (decisions D2, D5).
hy_divided hy_emit_division(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args, int lanes) {
  hy_type operand = node->args[0]->type;
  hy_type_class class = hy_type_class_of(operand);
  site s = {.frame = frame, .b = frame->builder, .node = node, .a = args, .lanes = lanes};
  s.type = LLVMTypeOf(args[0]);
  bool is_vector = LLVMGetTypeKind(s.type) == LLVMVectorTypeKind;
  s.bits = (int)LLVMGetIntTypeWidth(is_vector ? LLVMGetElementType(s.type) : s.type); // of an int 32, where it fits
  s.is_signed = class == HY_CLASS_INTEGER || class == HY_CLASS_SIGNED;
  uint64_t divisor;
  hy_context_hit(frame->emitter->context, HY_RULE_GEN_DIV);
  if (constant_divisor(&s, &divisor)) return divide_by_constant(&s, divisor);
  LLVMValueRef n = settled(&s, s.a[0]), d = settled(&s, s.a[1]), zero = number(&s, 0);
  LLVMValueRef by_zero = LLVMBuildICmp(s.b, LLVMIntEQ, d, zero, "");
  hy_divided result = s.is_signed ? divide_signed(&s, n, d, by_zero)
                                  : divide_unsigned(&s, n, LLVMBuildSelect(s.b, by_zero, number(&s, 1), d, ""));
  result.quotient = LLVMBuildSelect(s.b, by_zero, zero, result.quotient, "");
  return result;
}
