#include "codegen/codegen_internal.h"

#include <math.h>

/* Floats as whole numbers: truncated, saturated, NaN as 0 (GEN.Cast). LLVM's intrinsic for that, "fptosi.sat", takes
 * vectors apart on processors whose conversions do not saturate. There a clamp comes before the processor's own
 * conversion; and where it is seen that the float lies within the type, as after a clamp in the program, nothing does.
 */

/* -- where a float lies -- */

// Values that are no NaN lie in it, both ends included.
typedef struct float_range {
  double least, most;
  bool may_be_nan;
} float_range;

// Rounded to an f32. GCC 12 leaves a rounding out that only a condition asks for ("if (c) x = (float)x;", from -O2 on), and
// then a range is too small; what is volatile it has to store.
static double as_f32(double x) {
  volatile float rounded = (float)x;
  return rounded;
}
static double int_as_f32(int64_t x) { // rounded once
  volatile float rounded = (float)x;
  return rounded;
}

static float_range round_ends(float_range r) {
  r.least = as_f32(r.least), r.most = as_f32(r.most);
  return r;
}

static const float_range anything = {-INFINITY, INFINITY, true};

static float_range range_of(hy_emitter *e, const hy_expr *expr, int *left);

static float_range range_of_const(hy_value value) {
  double d = hy_value_to_double(value);
  if (value.error || isnan(d)) return anything;
  return (float_range){d, d, false};
}

// The conversion is monotone, and so takes the ends to the ends.
static float_range range_of_cast(hy_emitter *e, const hy_expr *cast, int *left) {
  const hy_expr *argument = cast->args[0];
  float_range r = {0, 1, false};
  if (hy_type_is_storage(cast->type)) return anything;
  if (hy_type_class_of(argument->type) == HY_CLASS_FLOAT) {
    r = range_of(e, argument, left);
  } else if (argument->type == HY_U64) {
    r.most = 0x1p64;
  } else if (argument->type != HY_BOOL) {
    hy_int_range i = hy_range_of_value(e, argument);
    if (argument->type != HY_INT) hy_type_range(argument->type, &i.least, &i.most);
    if (cast->type == HY_F32) return (float_range){int_as_f32(i.least), int_as_f32(i.most), false};
    return (float_range){(double)i.least, (double)i.most, false};
  }
  return cast->type == HY_F32 ? round_ends(r) : r;
}

// min(a, b) = select(a < b, a, b): a NaN on the left gives b, one on the right itself (VAL.Min-Max).
static float_range range_of_extremum(bool is_min, float_range a, float_range b) {
  float_range r = {is_min ? fmin(a.least, b.least) : fmax(a.least, b.least),
                   is_min ? fmin(a.most, b.most) : fmax(a.most, b.most), b.may_be_nan};
  if (a.may_be_nan && is_min) r.most = b.most;
  if (a.may_be_nan && !is_min) r.least = b.least;
  return r;
}

static float_range hull(float_range a, float_range b) {
  return (float_range){fmin(a.least, b.least), fmax(a.most, b.most), a.may_be_nan || b.may_be_nan};
}

// Of numbers that are no NaN; products of ends that are finite, so that there is none of 0 and infinity.
static float_range range_of_arithmetic(hy_op op, float_range a, float_range b) {
  bool finite = isfinite(a.least) && isfinite(a.most) && isfinite(b.least) && isfinite(b.most);
  if (!finite) return anything;
  float_range r = {a.least + b.least, a.most + b.most, a.may_be_nan || b.may_be_nan};
  if (op == HY_OP_SUB) r.least = a.least - b.most, r.most = a.most - b.least;
  if (op == HY_OP_MUL) {
    double corners[4] = {a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most};
    r.least = fmin(fmin(corners[0], corners[1]), fmin(corners[2], corners[3]));
    r.most = fmax(fmax(corners[0], corners[1]), fmax(corners[2], corners[3]));
  }
  return r;
}

static float_range range_of_op(hy_emitter *e, const hy_expr *expr, int *left) {
  if (expr->op == HY_OP_CAST) return range_of_cast(e, expr, left);
  float_range a[HY_MAX_ARITY] = {{0}};
  for (int i = expr->op == HY_OP_SELECT; i < expr->count; i++) a[i] = range_of(e, expr->args[i], left);
  bool is_f32 = expr->type == HY_F32;
  float_range r;
  switch ((int)expr->op) {
  case HY_OP_MIN:
  case HY_OP_MAX: return range_of_extremum(expr->op == HY_OP_MIN, a[0], a[1]);
  case HY_OP_SELECT: return hull(a[1], a[2]);
  case HY_OP_NEG: return (float_range){-a[0].most, -a[0].least, a[0].may_be_nan};
  case HY_OP_FLOOR: return (float_range){floor(a[0].least), floor(a[0].most), a[0].may_be_nan};
  case HY_OP_CEIL: return (float_range){ceil(a[0].least), ceil(a[0].most), a[0].may_be_nan};
  case HY_OP_ROUND: return (float_range){rint(a[0].least), rint(a[0].most), a[0].may_be_nan};
  case HY_OP_TRUNC: return (float_range){trunc(a[0].least), trunc(a[0].most), a[0].may_be_nan};
  case HY_OP_ADD:
  case HY_OP_SUB:
  case HY_OP_MUL: r = range_of_arithmetic(expr->op, a[0], a[1]); break;
  default: return anything;
  }
  // Rounding is monotone, too. A double holds sums and products of floats well enough to be rounded twice.
  return is_f32 ? round_ends(r) : r;
}

static float_range range_of(hy_emitter *e, const hy_expr *expr, int *left) {
  if (--*left < 0) return anything;
  if (expr->kind == HY_EXPR_CONST) return range_of_const(expr->value);
  return expr->kind == HY_EXPR_OP ? range_of_op(e, expr, left) : anything;
}

/* -- converting -- */

typedef struct conversion {
  hy_frame *frame;
  LLVMTypeRef real, whole; // vectors where there are lanes
  int lanes;
  bool is_unsigned;
  double least, most; // what the type holds, each a float of the operand's type
  bool most_is_exact; // the type's greatest value is a float
  uint64_t greatest;  // that value
} conversion;

static LLVMValueRef real(const conversion *c, double value) {
  LLVMTypeRef scalar = c->lanes > 1 ? LLVMGetElementType(c->real) : c->real;
  return hy_splat(c->frame, LLVMConstReal(scalar, value), c->lanes);
}

static LLVMValueRef convert(const conversion *c, LLVMValueRef value) {
  LLVMBuilderRef b = c->frame->builder;
  return c->is_unsigned ? LLVMBuildFPToUI(b, value, c->whole, "") : LLVMBuildFPToSI(b, value, c->whole, "");
}

// The comparisons are those that processors have as one instruction, max(x, least) and min(x, most); a NaN is "least"
// after the first.
static LLVMValueRef convert_clamped(const conversion *c, LLVMValueRef value, float_range range) {
  LLVMBuilderRef b = c->frame->builder;
  LLVMValueRef least = real(c, c->least), most = real(c, c->most), x = value;
  if (range.may_be_nan || range.least < c->least)
    x = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOGT, x, least, ""), x, least, "");
  if (range.most > c->most) x = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOLT, x, most, ""), x, most, "");
  LLVMValueRef result = convert(c, x);
  if (!c->most_is_exact && range.most > c->most) {
    LLVMValueRef greatest = hy_splat_int(c->frame, c->whole, c->greatest, c->lanes);
    result = LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealOGT, value, most, ""), greatest, result, "");
  }
  if (!range.may_be_nan || c->least == 0) return result;
  LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
  return LLVMBuildSelect(b, is_nan, LLVMConstNull(c->whole), result, "");
}

// What "bits" hold, as far as floats of that type do: the greatest below 2^k is 2^k - 2^(k - 24) of an f32.
static void set_limits(conversion *c, hy_type from, int bits, bool is_unsigned) {
  int power = bits - !is_unsigned, digits = from == HY_F64 ? 53 : 24; // f16 and bf16 are f32 here
  c->least = is_unsigned ? 0 : -ldexp(1, power);
  c->most_is_exact = power <= digits;
  c->greatest = UINT64_MAX >> (64 - power);
  c->most = ldexp(1, power) - ldexp(1, c->most_is_exact ? 0 : power - digits);
}

static LLVMValueRef convert_by_intrinsic(const conversion *c, LLVMValueRef value) {
  LLVMTypeRef overloads[] = {c->whole, c->real};
  const char *name = c->is_unsigned ? "llvm.fptoui.sat" : "llvm.fptosi.sat";
  return hy_emit_intrinsic(c->frame, name, overloads, 2, &value, 1);
}

// Processors convert to 32 bits, signed, in one instruction: what lies there goes that way.
static bool lies_in_i32(float_range r) { return r.least >= -0x1p31 && r.most <= 0x1.fffffffcp30; }

enum { MOST_NODES = 60 };

bool hy_float_fits_i32(hy_emitter *e, const hy_expr *argument, hy_int_range *range) {
  int left = MOST_NODES;
  float_range r = range_of(e, argument, &left);
  if (r.may_be_nan || !lies_in_i32(r)) return false;
  *range = (hy_int_range){(int64_t)r.least, (int64_t)r.most};
  return true;
}

LLVMValueRef hy_emit_float_to_integer(hy_frame *frame, const hy_expr *argument, LLVMValueRef value, hy_type to,
                                      int lanes) {
  int left = MOST_NODES, bits = hy_type_bits(to);
  hy_emitter *e = frame->emitter;
  bool is_unsigned = hy_type_class_of(to) == HY_CLASS_UNSIGNED;
  float_range range = range_of(e, argument, &left);
  LLVMTypeRef whole = hy_emit_type(e, to, lanes);
  conversion c = {
      .frame = frame, .real = LLVMTypeOf(value), .whole = whole, .lanes = lanes, .is_unsigned = is_unsigned};
  set_limits(&c, argument->type, bits, is_unsigned);
  bool lies_within = !range.may_be_nan && range.least >= c.least && range.most <= c.most;
  if (!lies_within && (lanes == 1 || e->target->conversions_saturate)) return convert_by_intrinsic(&c, value);
  bool is_narrow = bits < 32 || (lies_within && lies_in_i32(range));
  if (!is_narrow) return convert_clamped(&c, value, range);
  c.is_unsigned = false;
  c.whole = hy_emit_type(e, HY_I32, lanes);
  LLVMValueRef result = convert_clamped(&c, value, range);
  return LLVMBuildIntCast2(frame->builder, result, whole, true, "");
}
