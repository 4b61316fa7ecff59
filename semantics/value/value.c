#include "semantics/value/value.h"

#include "semantics/value/half.h"
#include "semantics/value/math_functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- making and comparing values -- */

const char *hy_error_name(hy_error error) {
  switch (error) {
  case HY_OK: return "ok";
  case HY_ERROR_ARITH: return "eps_arith";
  case HY_ERROR_RDOM: return "eps_rdom";
  case HY_ERROR_MEM: return "eps_mem";
  }
  HY_UNREACHABLE();
}

static hy_value f32(float f) {
  hy_value value = hy_value_zero(HY_F32);
  value.f32 = f;
  return value;
}

static hy_value f64(double d) { return (hy_value){.f64 = d, .type = HY_F64}; }

static hy_value unsigned_value(hy_type type, uint64_t u) { return (hy_value){.u = u, .type = (uint8_t)type}; }

hy_value hy_value_integral(hy_type type, int64_t i) {
  switch (type) {
  case HY_INT:
  case HY_I64: return (hy_value){.i = i, .type = (uint8_t)type};
  case HY_BOOL: return hy_value_bool(i != 0);
  case HY_U8: return unsigned_value(type, (uint8_t)i);
  case HY_U16: return unsigned_value(type, (uint16_t)i);
  case HY_U32: return unsigned_value(type, (uint32_t)i);
  case HY_U64: return unsigned_value(type, (uint64_t)i);
  case HY_I8: return (hy_value){.i = (int8_t)i, .type = (uint8_t)type}; // conversion wraps (gcc, clang, C23)
  case HY_I16: return (hy_value){.i = (int16_t)i, .type = (uint8_t)type};
  case HY_I32: return (hy_value){.i = (int32_t)i, .type = (uint8_t)type};
  case HY_F32:
  case HY_F64:
  case HY_F16:
  case HY_BF16: break;
  }
  HY_UNREACHABLE();
}

hy_value hy_value_from_double(hy_type type, double d) {
  HY_ASSERT(hy_type_class_of(type) == HY_CLASS_FLOAT);
  if (hy_type_is_storage(type)) return unsigned_value(type, hy_half_from_double(type, d));
  return type == HY_F32 ? f32((float)d) : f64(d);
}

// Once from the text: by way of a wider type it would be rounded twice.
hy_value hy_value_from_text(hy_type type, const char *text) {
  if (hy_type_is_storage(type)) return unsigned_value(type, hy_half_from_text(type, text));
  return type == HY_F32 ? f32(strtof(text, NULL)) : f64(strtod(text, NULL));
}

static double as_double(hy_value value) { return hy_value_to_double(value); }
static bool is_float(hy_type type) { return hy_type_class_of(type) == HY_CLASS_FLOAT; }
static bool is_unsigned(hy_type type) { // and bool: the payload is zero-extended
  return type == HY_U8 || type == HY_U16 || type == HY_U32 || type == HY_U64 || type == HY_BOOL;
}

uint64_t hy_value_bits(hy_value value) {
  if (value.error != HY_OK) return 0;
  if (hy_type_is_storage(value.type)) return hy_half_is_nan(value.type, value.u) ? hy_half_nan(value.type) : value.u;
  if (is_float(value.type) && isnan(as_double(value))) return value.type == HY_F32 ? 0x7fc00000 : 0x7ff8000000000000;
  if (value.type != HY_F32) return value.u;
  uint32_t low;
  memcpy(&low, &value.f32, sizeof low);
  return low;
}

bool hy_value_same(hy_value a, hy_value b) {
  return a.type == b.type && a.error == b.error && hy_value_bits(a) == hy_value_bits(b);
}

/* -- memory -- */

// Little endian: the low bytes of the payload come first, and a float stands in them.
void hy_value_store(hy_value value, void *memory) {
  switch (hy_type_bytes(value.type)) {
  case 1: memcpy(memory, &value.u, 1); return;
  case 2: memcpy(memory, &value.u, 2); return;
  case 4: memcpy(memory, &value.u, 4); return;
  case 8: memcpy(memory, &value.u, 8); return;
  }
  HY_UNREACHABLE();
}

hy_value hy_value_load(hy_type type, const void *memory) {
  int64_t i = 0;
  switch (hy_type_bytes(type)) {
  case 1: memcpy(&i, memory, 1); break;
  case 2: memcpy(&i, memory, 2); break;
  case 4: memcpy(&i, memory, 4); break;
  case 8: memcpy(&i, memory, 8); break;
  default: HY_UNREACHABLE();
  }
  if (is_float(type)) return (hy_value){.i = i, .type = (uint8_t)type};
  return hy_value_integral(type, i);
}

/* -- the operators: eval_NAME for each row of ops.def, on ordinary values -- */

static hy_value arithmetic_error(hy_type type) { return hy_value_error(type, HY_ERROR_ARITH); }

// VAL.Int: on "int" a result outside 64 bits is an arithmetic error (D1). VAL.Wrap: fixed width is modulo 2^n, so the
// unsigned operation serves both signs. VAL.Float: IEEE, an f32 operation rounds to f32 at once.
#define ARITHMETIC(name, operator, overflows)                                                                          \
  static hy_value eval_##name(hy_type type, const hy_value *args) {                                                    \
    if (type == HY_INT) {                                                                                              \
      int64_t i;                                                                                                       \
      return overflows(args[0].i, args[1].i, &i) ? arithmetic_error(HY_INT) : hy_value_int(i);                         \
    }                                                                                                                  \
    if (type == HY_F32) return f32(args[0].f32 operator args[1].f32);                                                  \
    if (type == HY_F64) return f64(args[0].f64 operator args[1].f64);                                                  \
    return hy_value_integral(type, (int64_t)(args[0].u operator args[1].u));                                           \
  }
ARITHMETIC(ADD, +, __builtin_add_overflow)
ARITHMETIC(SUB, -, __builtin_sub_overflow)
ARITHMETIC(MUL, *, __builtin_mul_overflow)

// VAL.Div: Euclidean, so that a = b * q + r with 0 <= r < |b| (D2); by zero an arithmetic error (D5). The quotient
// least / -1 lies outside: an error on "int", wraps on fixed width.
static hy_value eval_DIV(hy_type type, const hy_value *args) {
  if (type == HY_F32) return f32(args[0].f32 / args[1].f32);
  if (type == HY_F64) return f64(args[0].f64 / args[1].f64);
  if (args[1].u == 0) return arithmetic_error(type);
  if (is_unsigned(type)) return unsigned_value(type, args[0].u / args[1].u);
  int64_t a = args[0].i, b = args[1].i;
  if (b == -1) {
    if (type == HY_INT && a == INT64_MIN) return arithmetic_error(type);
    return hy_value_integral(type, (int64_t)(0 - (uint64_t)a));
  }
  int64_t quotient = a / b;
  if (a % b < 0) quotient += b > 0 ? -1 : 1;
  return hy_value_integral(type, quotient);
}

// VAL.Div: the remainder
static hy_value eval_MOD(hy_type type, const hy_value *args) {
  HY_ASSERT(!is_float(type));
  if (args[1].u == 0) return arithmetic_error(type);
  if (is_unsigned(type)) return unsigned_value(type, args[0].u % args[1].u);
  int64_t a = args[0].i, b = args[1].i;
  if (b == -1) return hy_value_zero(type);
  int64_t remainder = a % b;
  if (remainder >= 0) return hy_value_integral(type, remainder);
  uint64_t size = b > 0 ? (uint64_t)b : 0 - (uint64_t)b; // |b|, which need not be an int64_t
  return hy_value_integral(type, (int64_t)((uint64_t)remainder + size));
}

static hy_value eval_NEG(hy_type type, const hy_value *args) {
  if (type == HY_F32) return f32(-args[0].f32);
  if (type == HY_F64) return f64(-args[0].f64);
  if (type == HY_INT && args[0].i == INT64_MIN) return arithmetic_error(type);
  return hy_value_integral(type, (int64_t)(0 - args[0].u));
}

static hy_value eval_ABS(hy_type type, const hy_value *args) {
  if (type == HY_F32) return f32(fabsf(args[0].f32));
  if (type == HY_F64) return f64(fabs(args[0].f64));
  return is_unsigned(type) || args[0].i >= 0 ? args[0] : eval_NEG(type, args);
}

// VAL.Compare: on floats IEEE, so NaN is unequal to everything and -0 equals +0.
#define COMPARISON(name, operator)                                                                                     \
  static hy_value eval_##name(hy_type type, const hy_value *args) {                                                    \
    (void)type;                                                                                                        \
    if (args[0].type == HY_F32) return hy_value_bool(args[0].f32 operator args[1].f32);                                \
    if (args[0].type == HY_F64) return hy_value_bool(args[0].f64 operator args[1].f64);                                \
    if (is_unsigned(args[0].type)) return hy_value_bool(args[0].u operator args[1].u);                                 \
    return hy_value_bool(args[0].i operator args[1].i);                                                                \
  }
COMPARISON(EQ, ==)
COMPARISON(NE, !=)
COMPARISON(LT, <)
COMPARISON(LE, <=)
COMPARISON(GT, >)
COMPARISON(GE, >=)

// VAL.Logic
static hy_value eval_AND(hy_type type, const hy_value *args) {
  (void)type;
  return hy_value_bool(args[0].u & args[1].u);
}

static hy_value eval_OR(hy_type type, const hy_value *args) {
  (void)type;
  return hy_value_bool(args[0].u | args[1].u);
}

static hy_value eval_NOT(hy_type type, const hy_value *args) {
  (void)type;
  return hy_value_bool(!args[0].u);
}

// VAL.Bits: two's complement
static hy_value eval_BIT_AND(hy_type type, const hy_value *args) {
  return hy_value_integral(type, (int64_t)(args[0].u & args[1].u));
}

static hy_value eval_BIT_XOR(hy_type type, const hy_value *args) {
  return hy_value_integral(type, (int64_t)(args[0].u ^ args[1].u));
}

static hy_value eval_BIT_OR(hy_type type, const hy_value *args) {
  return hy_value_integral(type, (int64_t)(args[0].u | args[1].u));
}

static hy_value eval_BIT_NOT(hy_type type, const hy_value *args) {
  return hy_value_integral(type, (int64_t)~args[0].u);
}

// VAL.Count: of the type's width, two's complement; the payload of a negative value is extended by its sign.
static uint64_t word_of(hy_value a) { return a.u << (64 - hy_type_bits(a.type)) >> (64 - hy_type_bits(a.type)); }

static hy_value eval_POPCOUNT(hy_type type, const hy_value *args) {
  return hy_value_integral(type, __builtin_popcountll(word_of(args[0])));
}

static hy_value eval_COUNT_LEADING_ZEROS(hy_type type, const hy_value *args) {
  uint64_t word = word_of(args[0]);
  int bits = hy_type_bits(type);
  return hy_value_integral(type, word == 0 ? bits : __builtin_clzll(word) - (64 - bits));
}

static hy_value eval_COUNT_TRAILING_ZEROS(hy_type type, const hy_value *args) {
  uint64_t word = word_of(args[0]);
  return hy_value_integral(type, word == 0 ? hy_type_bits(type) : __builtin_ctzll(word));
}

// VAL.Reinterpret: NaNs are one value, so the bits of one are those of hy_value_bits, whatever is stored.
static hy_value eval_F32_BITS(hy_type type, const hy_value *args) {
  return unsigned_value(type, hy_value_bits(args[0]));
}
static hy_value eval_F64_BITS(hy_type type, const hy_value *args) {
  return unsigned_value(type, hy_value_bits(args[0]));
}
static hy_value eval_F32_FROM_BITS(hy_type type, const hy_value *args) { return hy_value_load(type, &args[0].u); }
static hy_value eval_F64_FROM_BITS(hy_type type, const hy_value *args) { return hy_value_load(type, &args[0].u); }
static hy_value eval_F16_BITS(hy_type type, const hy_value *args) {
  return unsigned_value(type, hy_value_bits(args[0]));
}
static hy_value eval_BF16_BITS(hy_type type, const hy_value *args) {
  return unsigned_value(type, hy_value_bits(args[0]));
}
static hy_value eval_F16_FROM_BITS(hy_type type, const hy_value *args) { return unsigned_value(type, args[0].u); }
static hy_value eval_BF16_FROM_BITS(hy_type type, const hy_value *args) { return unsigned_value(type, args[0].u); }

// VAL.Shift: a * 2^amount, wrapping; on "int", which has no width, what lies outside 64 bits is an arithmetic error.
static hy_value shift_left(hy_type type, hy_value a, uint64_t amount) {
  if (type == HY_INT) {
    int64_t i;
    if (a.i == 0) return a;
    if (amount > 62) return amount == 63 && a.i == -1 ? hy_value_int(INT64_MIN) : arithmetic_error(type);
    return __builtin_mul_overflow(a.i, INT64_C(1) << amount, &i) ? arithmetic_error(type) : hy_value_int(i);
  }
  if (amount >= (uint64_t)hy_type_bits(type)) return hy_value_zero(type);
  return hy_value_integral(type, (int64_t)(a.u << amount));
}

// floor(a / 2^amount): 0, or the sign, for the width or more.
static hy_value shift_right(hy_type type, hy_value a, uint64_t amount) {
  if (is_unsigned(type)) return unsigned_value(type, amount >= 64 ? 0 : a.u >> amount);
  uint64_t sign = a.i < 0 ? UINT64_MAX : 0;
  if (amount >= 64) return hy_value_integral(type, (int64_t)sign);
  return hy_value_integral(type, (int64_t)(((a.u ^ sign) >> amount) ^ sign));
}

static hy_value eval_SHL(hy_type type, const hy_value *args) {
  bool backwards = !is_unsigned(type) && args[1].i < 0;
  return backwards ? shift_right(type, args[0], 0 - args[1].u) : shift_left(type, args[0], args[1].u);
}

static hy_value eval_SHR(hy_type type, const hy_value *args) {
  bool backwards = !is_unsigned(type) && args[1].i < 0;
  return backwards ? shift_left(type, args[0], 0 - args[1].u) : shift_right(type, args[0], args[1].u);
}

// VAL.Select
static hy_value eval_SELECT(hy_type type, const hy_value *args) {
  (void)type;
  return args[0].u != 0 ? args[1] : args[2];
}

// rewrite: min(a, b) -> select(a < b, a, b), which says what happens to NaN and to zeros of either sign
// VAL.Min-Max: min(a, b) = select(a < b, a, b), max(a, b) = select(a > b, a, b)
static hy_value eval_MIN(hy_type type, const hy_value *args) { return eval_LT(type, args).u ? args[0] : args[1]; }
// rewrite: max(a, b) -> select(a > b, a, b)
static hy_value eval_MAX(hy_type type, const hy_value *args) { return eval_GT(type, args).u ? args[0] : args[1]; }

// VAL.Cast, of floats: truncate, saturate, NaN gives 0.
static hy_value integer_from_float(hy_type type, double d) {
  if (isnan(d)) return hy_value_integral(type, 0);
  int bits = hy_type_bits(type);
  double limit = ldexp(1.0, is_unsigned(type) ? bits : bits - 1); // the least power of two above all values
  double least = is_unsigned(type) ? 0.0 : -limit;
  if (d <= least) return is_unsigned(type) ? hy_value_zero(type) : hy_value_integral(type, (int64_t)least);
  if (d >= limit) return hy_value_integral(type, is_unsigned(type) ? -1 : INT64_MAX >> (64 - bits));
  return is_unsigned(type) ? unsigned_value(type, (uint64_t)d) : hy_value_integral(type, (int64_t)d);
}

static hy_value float_from_integer(hy_type type, hy_value a) {
  bool is_negative = !is_unsigned(a.type) && a.i < 0;
  if (hy_type_is_storage(type))
    return unsigned_value(type, hy_half_from_integer(type, is_negative, is_negative ? 0 - a.u : a.u));
  if (is_unsigned(a.type)) return type == HY_F32 ? f32((float)a.u) : f64((double)a.u);
  return type == HY_F32 ? f32((float)a.i) : f64((double)a.i);
}

// VAL.Cast: integers modulo 2^n; a u64 that "int" cannot hold is an arithmetic error; bool gives 0 or 1, bool(e) is e
// != 0.
static hy_value eval_CAST(hy_type type, const hy_value *args) {
  hy_value a = args[0];
  if (is_float(a.type)) {
    if (is_float(type)) return hy_value_from_double(type, as_double(a));
    return type == HY_BOOL ? hy_value_bool(as_double(a) != 0.0) : integer_from_float(type, as_double(a));
  }
  if (is_float(type)) return float_from_integer(type, a);
  if (type == HY_INT && a.type == HY_U64 && a.u > INT64_MAX) return arithmetic_error(type);
  return hy_value_integral(type, a.i);
}

// IEEE's own operations: exact or correctly rounded, so the platform's are the definition.
#define IEEE(name, function)                                                                                           \
  static hy_value eval_##name(hy_type type, const hy_value *args) {                                                    \
    return type == HY_F32 ? f32(function##f(args[0].f32)) : f64(function(args[0].f64));                                \
  }
IEEE(SQRT, sqrt)
IEEE(FLOOR, floor)
IEEE(CEIL, ceil)
IEEE(ROUND, rint) // the rounding mode is never changed: ties to even
IEEE(TRUNC, trunc)
static hy_value eval_FMA(hy_type type, const hy_value *args) {
  return type == HY_F32 ? f32(fmaf(args[0].f32, args[1].f32, args[2].f32))
                        : f64(fma(args[0].f64, args[1].f64, args[2].f64));
}

// VAL.Math: math.def is the definition.
#define MATH1(NAME, name)                                                                                              \
  static hy_value eval_##NAME(hy_type type, const hy_value *args) {                                                    \
    return type == HY_F32 ? f32((float)hy_math_##name##_f32(args[0].f32)) : f64(hy_math_##name##_f64(args[0].f64));    \
  }
#define MATH2(NAME, name)                                                                                              \
  static hy_value eval_##NAME(hy_type type, const hy_value *args) {                                                    \
    return type == HY_F32 ? f32((float)hy_math_##name##_f32(args[0].f32, args[1].f32))                                 \
                          : f64(hy_math_##name##_f64(args[0].f64, args[1].f64));                                       \
  }
MATH1(SIN, sin)
MATH1(COS, cos)
MATH1(TAN, tan)
MATH1(EXP, exp)
MATH1(LOG, log)
MATH1(ATAN, atan)
MATH1(TANH, tanh)
MATH1(ASIN, asin)
MATH1(ACOS, acos)
MATH1(SINH, sinh)
MATH1(COSH, cosh)
MATH1(ASINH, asinh)
MATH1(ACOSH, acosh)
MATH1(ATANH, atanh)
MATH1(ERF, erf)
MATH2(POW, pow)
MATH2(ATAN2, atan2)

typedef hy_value evaluator(hy_type type, const hy_value *args);

static const struct {
  evaluator *evaluate;
  int arity;
} operators[] = {
#define HY_OP(name, spelling, arity, ...) [HY_OP_##name] = {eval_##name, arity},
#include "semantics/ops.def"
#undef HY_OP
};

// VAL.Join: errors join (definition 4.1, D3), and so do the marks of undefined values (D7).
hy_value hy_value_apply(hy_op op, hy_type result, const hy_value *args) {
  hy_error error = HY_OK;
  bool undefined = false;
  for (int i = 0; i < operators[op].arity; i++) {
    if (args[i].error > error) error = args[i].error;
    undefined |= args[i].undefined;
  }
  hy_value value = error == HY_OK ? operators[op].evaluate(result, args) : hy_value_error(result, error);
  value.undefined = undefined;
  return value;
}
