// One operator of the languages on nodes: the rules VAL.* of semantics/RULES.md, and as machine code follows D5 in what
// is an error there. Each is held against hy_value_apply by the tests.

#include "gate/tile/meaning.h"

typedef struct {
  hy_graph *g;
  hy_op op;
  hy_type type, operand; // of the result, of the first argument
  int bits;              // of the operand
  bool is_float, is_signed;
  hy_node a[3], error[3];
} site;

int hy_meant_bits(hy_type type) { return type == HY_BOOL ? 1 : hy_type_bits(type); }

hy_meant hy_meant_const(hy_graph *g, hy_value v) {
  uint64_t bits = v.error ? 0 : hy_type_class_of((hy_type)v.type) == HY_CLASS_FLOAT ? hy_value_bits(v) : v.u;
  return (hy_meant){hy_graph_const(g, hy_meant_bits((hy_type)v.type), bits), hy_graph_const(g, 1, v.error != HY_OK)};
}

static bool is_signed_type(hy_type t) {
  return hy_type_class_of(t) == HY_CLASS_INTEGER || hy_type_class_of(t) == HY_CLASS_SIGNED;
}
static hy_node number(const site *s, uint64_t value) { return hy_graph_const(s->g, s->bits, value); }
static hy_node no_error(hy_graph *g) { return hy_graph_const(g, 1, 0); }
static hy_node real(const site *s, hy_node_op op, hy_node a, hy_node b) {
  return hy_graph_op(s->g, op, s->bits, a, b, 0, 0);
}
static hy_node least(const site *s) { return number(s, UINT64_C(1) << (s->bits - 1)); }
static hy_node is(const site *s, hy_node a, hy_node b) { return hy_graph_compare(s->g, HY_NODE_EQ, a, b); }

/* -- quotients (VAL.Div) -- */

typedef struct {
  hy_node quotient, remainder;
} division;

// floor(n / |d|) = n / |d| where n >= 0, and -1 - (-1 - n) / |d| where n < 0: xor with the sign is -1 - n there
static division divide(const site *s) {
  hy_graph *g = s->g;
  hy_node n = s->a[0], d = s->a[1], by_zero = is(s, d, number(s, 0)), one = number(s, 1), zero = number(s, 0);
  if (!s->is_signed) {
    hy_node q = hy_graph_binary(g, HY_NODE_UDIV, n, hy_graph_select(g, by_zero, one, d));
    hy_node r = hy_graph_binary(g, HY_NODE_UREM, n, hy_graph_select(g, by_zero, one, d));
    return (division){hy_graph_select(g, by_zero, zero, q), hy_graph_select(g, by_zero, zero, r)};
  }
  hy_node negative = hy_graph_compare(g, HY_NODE_SLT, d, zero);
  hy_node size = hy_graph_select(g, negative, hy_graph_sub(g, zero, d), d);
  hy_node safe = hy_graph_select(g, by_zero, one, size);
  hy_node sign = hy_graph_binary(g, HY_NODE_ASHR, n, number(s, (uint64_t)s->bits - 1));
  hy_node folded = hy_graph_binary(g, HY_NODE_XOR, n, sign);
  hy_node floor = hy_graph_binary(g, HY_NODE_XOR, hy_graph_binary(g, HY_NODE_UDIV, folded, safe), sign);
  uint64_t value = hy_node_is_const(g, safe) ? hy_node_at(g, safe)->value : 0;
  if (value && (value & (value - 1)) == 0 && value >> (s->bits - 1) == 0)
    floor = hy_graph_binary(g, HY_NODE_ASHR, n, number(s, (uint64_t)__builtin_ctzll(value)));
  hy_node quotient = hy_graph_select(g, negative, hy_graph_sub(g, zero, floor), floor);
  hy_node remainder = hy_graph_sub(g, n, hy_graph_mul(g, floor, safe));
  return (division){hy_graph_select(g, by_zero, zero, quotient), hy_graph_select(g, by_zero, zero, remainder)};
}

static hy_node divide_error(const site *s) {
  hy_graph *g = s->g;
  hy_node error = is(s, s->a[1], number(s, 0));
  if (s->operand != HY_INT || s->op == HY_OP_MOD) return error;
  return hy_graph_or1(g, error, hy_graph_and1(g, is(s, s->a[0], least(s)), is(s, s->a[1], number(s, UINT64_MAX))));
}

/* -- shifts (VAL.Shift) -- */

static hy_node shifted(const site *s, hy_node amount, bool left) {
  hy_graph *g = s->g;
  hy_node width = number(s, (uint64_t)s->bits), fits = hy_graph_compare(g, HY_NODE_ULT, amount, width);
  if (left) return hy_graph_select(g, fits, hy_graph_binary(g, HY_NODE_SHL, s->a[0], amount), number(s, 0));
  if (!s->is_signed) return hy_graph_select(g, fits, hy_graph_binary(g, HY_NODE_LSHR, s->a[0], amount), number(s, 0));
  hy_node most = number(s, (uint64_t)s->bits - 1);
  return hy_graph_binary(g, HY_NODE_ASHR, s->a[0], hy_graph_select(g, fits, amount, most));
}

static hy_node shift(const site *s) {
  bool left = s->op == HY_OP_SHL;
  hy_node forward = shifted(s, s->a[1], left);
  if (!s->is_signed) return forward;
  hy_node backward = shifted(s, hy_graph_sub(s->g, number(s, 0), s->a[1]), !left);
  return hy_graph_select(s->g, hy_graph_compare(s->g, HY_NODE_SLT, s->a[1], number(s, 0)), backward, forward);
}

// Of an int: a * 2^amount does not fit. Only for amounts that are numbers; false: not known here.
static bool shift_error(const site *s, hy_node *error) {
  hy_graph *g = s->g;
  *error = no_error(g);
  if (s->operand != HY_INT) return true;
  if (!hy_node_is_const(g, s->a[1])) return false;
  int64_t amount = (int64_t)hy_node_at(g, s->a[1])->value, by = amount;
  if (amount < -64 || amount > 64) return false;
  if (s->op == HY_OP_SHR) by = -amount;
  if (by <= 0) return true;
  if (by > 62) return false;
  *error = hy_graph_leaves(g, HY_NODE_MUL, s->a[0], number(s, UINT64_C(1) << by), true);
  return true;
}

/* -- conversions (VAL.Cast) -- */

static hy_node convert(const site *s, hy_node *error) {
  hy_graph *g = s->g;
  int bits = hy_meant_bits(s->type);
  hy_type_class to = hy_type_class_of(s->type);
  if (s->type == s->operand) return s->a[0];
  if (s->is_float) {
    if (s->type == HY_BOOL) return hy_graph_not(g, hy_graph_compare(g, HY_NODE_FEQ, s->a[0], number(s, 0)));
    if (to == HY_CLASS_FLOAT) return hy_graph_op(g, bits == 64 ? HY_NODE_FEXT : HY_NODE_FCUT, bits, s->a[0], 0, 0, 0);
    return hy_graph_op(g, to == HY_CLASS_UNSIGNED ? HY_NODE_TO_UNSIGNED : HY_NODE_TO_SIGNED, bits, s->a[0], 0, 0, 0);
  }
  if (s->type == HY_BOOL) return hy_graph_not(g, is(s, s->a[0], number(s, 0)));
  if (to == HY_CLASS_FLOAT) {
    if (s->bits == 1)
      return hy_graph_op(g, HY_NODE_FROM_UNSIGNED, bits, hy_graph_resize(g, s->a[0], 8, false), 0, 0, 0);
    return hy_graph_op(g, s->is_signed ? HY_NODE_FROM_SIGNED : HY_NODE_FROM_UNSIGNED, bits, s->a[0], 0, 0, 0);
  }
  if (s->type == HY_INT && s->operand == HY_U64) {
    hy_node most = number(s, INT64_MAX);
    *error = hy_graph_compare(g, HY_NODE_ULT, most, s->a[0]);
    return hy_graph_binary(g, HY_NODE_UMIN, s->a[0], most);
  }
  return hy_graph_resize(g, s->a[0], bits, s->is_signed);
}

/* -- comparisons, minima -- */

static hy_node less(const site *s, hy_node a, hy_node b) {
  return hy_graph_compare(s->g, s->is_float ? HY_NODE_FLT : s->is_signed ? HY_NODE_SLT : HY_NODE_ULT, a, b);
}
static hy_node at_most(const site *s, hy_node a, hy_node b) {
  return s->is_float ? hy_graph_compare(s->g, HY_NODE_FLE, a, b) : hy_graph_not(s->g, less(s, b, a));
}
static hy_node equal(const site *s) {
  return hy_graph_compare(s->g, s->is_float ? HY_NODE_FEQ : HY_NODE_EQ, s->a[0], s->a[1]);
}

static hy_node absolute(const site *s, hy_node *error) {
  if (s->is_float) return real(s, HY_NODE_FABS, s->a[0], 0);
  if (!s->is_signed) return s->a[0];
  if (s->operand == HY_INT) *error = is(s, s->a[0], least(s));
  return hy_graph_select(s->g, less(s, s->a[0], number(s, 0)), hy_graph_sub(s->g, number(s, 0), s->a[0]), s->a[0]);
}

static hy_node ring(const site *s, hy_node *error) {
  hy_graph *g = s->g;
  hy_node a = s->a[0], b = s->a[1];
  hy_node_op word = s->op == HY_OP_ADD ? HY_NODE_ADD : s->op == HY_OP_MUL ? HY_NODE_MUL : HY_NODE_OPS;
  if (s->op == HY_OP_NEG && s->is_float) return real(s, HY_NODE_FNEG, a, 0);
  if (s->op == HY_OP_NEG) b = a, a = number(s, 0);
  if (s->is_float)
    return real(s, s->op == HY_OP_ADD ? HY_NODE_FADD : s->op == HY_OP_SUB ? HY_NODE_FSUB : HY_NODE_FMUL, a, b);
  if (s->operand == HY_INT) *error = hy_graph_leaves(g, word, a, b, true);
  return word == HY_NODE_OPS ? hy_graph_sub(g, a, b) : hy_graph_binary(g, word, a, b);
}

static hy_node mathematics(const site *s) {
  hy_graph *g = s->g;
  bool is_f32 = s->bits == 32;
  hy_node wide[2] = {0};
  for (int i = 0; i < 2 && s->a[i]; i++)
    wide[i] = is_f32 ? hy_graph_op(g, HY_NODE_FEXT, 64, s->a[i], 0, 0, 0) : s->a[i];
  hy_node result = hy_meant_math(g, s->op, is_f32, wide[0], wide[1]);
  return is_f32 && result ? hy_graph_op(g, HY_NODE_FCUT, 32, result, 0, 0, 0) : result;
}

// VAL.Reinterpret: a float is its bits, but NaNs are one value.
static hy_node float_bits(const site *s) {
  hy_node is_number = hy_graph_compare(s->g, HY_NODE_FEQ, s->a[0], s->a[0]);
  uint64_t nan = s->bits == 32 ? UINT32_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
  return hy_graph_select(s->g, is_number, s->a[0], number(s, nan));
}

// f16 and bf16 are their bits, natively, too: no node knows them as numbers.
static hy_node half_bits(const site *s) {
  bool is_f16 = s->operand == HY_F16;
  hy_node size = hy_graph_binary(s->g, HY_NODE_AND, s->a[0], number(s, 0x7fff));
  hy_node is_nan = hy_graph_compare(s->g, HY_NODE_ULT, number(s, is_f16 ? 0x7c00 : 0x7f80), size);
  return hy_graph_select(s->g, is_nan, number(s, is_f16 ? 0x7e00 : 0x7fc0), s->a[0]);
}

/* -- all of them -- */

// VAL.Min-Max on floats: min(a, b) = select(a < b, a, b)
static hy_node extremum(const site *s) {
  hy_node a = s->a[0], b = s->a[1];
  bool is_min = s->op == HY_OP_MIN;
  if (s->is_float) return hy_graph_select(s->g, is_min ? less(s, a, b) : less(s, b, a), a, b);
  hy_node_op op = s->is_signed ? is_min ? HY_NODE_SMIN : HY_NODE_SMAX : is_min ? HY_NODE_UMIN : HY_NODE_UMAX;
  return hy_graph_binary(s->g, op, a, b);
}

// VAL.Join; what a lazy operator does not evaluate has no error (D4).
static hy_node join_errors(const site *s) {
  hy_graph *g = s->g;
  hy_node error = s->error[0];
  if (s->op == HY_OP_SELECT) return hy_graph_or1(g, error, hy_graph_select(g, s->a[0], s->error[1], s->error[2]));
  if (s->op == HY_OP_AND) return hy_graph_or1(g, error, hy_graph_and1(g, s->a[0], s->error[1]));
  if (s->op == HY_OP_OR) return hy_graph_or1(g, error, hy_graph_and1(g, hy_graph_not(g, s->a[0]), s->error[1]));
  for (int i = 1; i < hy_op_arity(s->op); i++) error = hy_graph_or1(g, error, s->error[i]);
  return error;
}

// One case an operator, so that the compiler names the one that is missing. 0: nobody here knows what it gives, and who
// asks is undecided.
static hy_node apply(const site *s, hy_node *error) {
  hy_graph *g = s->g;
  hy_node a = s->a[0], b = s->a[1];
  switch (s->op) {
  case HY_OP_ADD:
  case HY_OP_SUB:
  case HY_OP_MUL:
  case HY_OP_NEG: return ring(s, error);
  case HY_OP_DIV:
  case HY_OP_MOD:
    if (s->is_float) return real(s, HY_NODE_FDIV, a, b);
    *error = divide_error(s);
    return s->op == HY_OP_DIV ? divide(s).quotient : divide(s).remainder;
  case HY_OP_EQ: return equal(s);
  case HY_OP_NE: return hy_graph_not(g, equal(s));
  case HY_OP_LT: return less(s, a, b);
  case HY_OP_LE: return at_most(s, a, b);
  case HY_OP_GT: return less(s, b, a);
  case HY_OP_GE: return at_most(s, b, a);
  case HY_OP_AND: return hy_graph_and1(g, a, b);
  case HY_OP_OR: return hy_graph_or1(g, a, b);
  case HY_OP_NOT:
  case HY_OP_BIT_NOT: return hy_graph_not(g, a);
  case HY_OP_BIT_AND: return hy_graph_binary(g, HY_NODE_AND, a, b);
  case HY_OP_BIT_XOR: return hy_graph_binary(g, HY_NODE_XOR, a, b);
  case HY_OP_BIT_OR: return hy_graph_binary(g, HY_NODE_OR, a, b);
  case HY_OP_POPCOUNT: return hy_graph_op(g, HY_NODE_POPCOUNT, s->bits, a, 0, 0, 0);
  case HY_OP_COUNT_LEADING_ZEROS: return hy_graph_op(g, HY_NODE_CTLZ, s->bits, a, 0, 0, 0);
  case HY_OP_COUNT_TRAILING_ZEROS: return hy_graph_op(g, HY_NODE_CTTZ, s->bits, a, 0, 0, 0);
  case HY_OP_SHL:
  case HY_OP_SHR: return shift_error(s, error) ? shift(s) : 0;
  case HY_OP_SELECT: return hy_graph_select(g, a, b, s->a[2]);
  case HY_OP_MIN:
  case HY_OP_MAX: return extremum(s);
  case HY_OP_ABS: return absolute(s, error);
  case HY_OP_CAST:
    if (s->type != s->operand && (hy_type_is_storage(s->type) || hy_type_is_storage(s->operand))) return 0;
    return convert(s, error);
  case HY_OP_F32_BITS:
  case HY_OP_F64_BITS: return float_bits(s);
  case HY_OP_F32_FROM_BITS:
  case HY_OP_F64_FROM_BITS:
  case HY_OP_F16_FROM_BITS:
  case HY_OP_BF16_FROM_BITS: return a;
  case HY_OP_F16_BITS:
  case HY_OP_BF16_BITS: return half_bits(s);
  case HY_OP_SQRT: return real(s, HY_NODE_FSQRT, a, 0);
  case HY_OP_FLOOR: return real(s, HY_NODE_FFLOOR, a, 0);
  case HY_OP_CEIL: return real(s, HY_NODE_FCEIL, a, 0);
  case HY_OP_ROUND: return real(s, HY_NODE_FROUND, a, 0);
  case HY_OP_TRUNC: return real(s, HY_NODE_FTRUNC, a, 0);
  case HY_OP_SIN:
  case HY_OP_COS:
  case HY_OP_EXP:
  case HY_OP_LOG:
  case HY_OP_POW:
  case HY_OP_TAN:
  case HY_OP_ATAN:
  case HY_OP_ATAN2:
  case HY_OP_TANH:
  case HY_OP_ASIN:
  case HY_OP_ACOS:
  case HY_OP_SINH:
  case HY_OP_COSH:
  case HY_OP_ASINH:
  case HY_OP_ACOSH:
  case HY_OP_ATANH:
  case HY_OP_ERF: return mathematics(s);
  case HY_OP_FMA: return hy_graph_op(g, HY_NODE_FMA, s->bits, a, b, s->a[2], 0);
  }
  HY_UNREACHABLE();
}

bool hy_meant_apply(hy_graph *g, hy_op op, hy_type result, const hy_type *types, const hy_meant *args, hy_meant *out) {
  site s = {.g = g, .op = op, .type = result, .operand = types[0], .bits = hy_meant_bits(types[0])};
  s.is_float = hy_type_class_of(types[0]) == HY_CLASS_FLOAT;
  s.is_signed = is_signed_type(types[0]);
  for (int i = 0; i < hy_op_arity(op); i++) s.a[i] = args[i].value, s.error[i] = args[i].error;
  hy_node error = no_error(g), value = apply(&s, &error);
  if (!value) return false;
  *out = (hy_meant){value, hy_graph_or1(g, join_errors(&s), error)};
  return true;
}
