#include "semantics/tgt/range_floats.h"

#include "semantics/value/monotone.h"

#include <float.h>
#include <math.h>

enum { NEGATIVE_ZERO = -1, POSITIVE_ZERO = 0, MOST_ARGUMENTS = 3 };

static bool is_float(hy_type type) { return hy_type_class_of(type) == HY_CLASS_FLOAT; }
static hy_range any_float(hy_type type) { return hy_type_numbers(type); }
static bool is_finite(hy_type type, hy_range a) {
  int64_t infinity = hy_float_infinity(type);
  return a.high < infinity && a.low > -1 - infinity;
}
static bool has_zero(hy_range a) { return a.low <= POSITIVE_ZERO && a.high >= NEGATIVE_ZERO; }

hy_range hy_range_with_zeros(hy_range ranks) {
  if (ranks.low == POSITIVE_ZERO) ranks.low = NEGATIVE_ZERO;
  if (ranks.high == NEGATIVE_ZERO) ranks.high = POSITIVE_ZERO;
  return ranks;
}

static hy_range between(hy_type type, double low, double high) {
  return hy_range_between(hy_float_rank(hy_value_from_double(type, low)),
                          hy_float_rank(hy_value_from_double(type, high)));
}

bool hy_range_is_of_floats(const hy_expr *node) {
  return is_float(node->type) || (node->op == HY_OP_CAST && is_float(node->args[0]->type));
}

/* -- by the corners -- */

// The value at an end of an argument's range; numbers that no int holds are the nearest that one does.
static hy_value end_of(hy_type type, hy_wide_int end) {
  if (is_float(type)) return hy_float_of_rank(type, (int64_t)end);
  if (type == HY_BOOL) return hy_value_bool(end != 0);
  if (end > INT64_MAX && type == HY_U64) return (hy_value){.u = (uint64_t)end, .type = HY_U64};
  return hy_value_int((int64_t)hy_lesser(hy_greater(end, INT64_MIN), INT64_MAX));
}

static hy_wide_int number_of(hy_value value) {
  if (is_float((hy_type)value.type)) return hy_float_rank(value);
  return value.type == HY_U64 ? (hy_wide_int)value.u : value.i;
}

// LOW.Held: with all other arguments fixed the operator grows or falls in each, so that its extremes are at corners.
static hy_range at_corners(const hy_expr *node, const hy_range *args) {
  hy_range range = {0};
  for (unsigned corner = 0; corner < 1U << node->count; corner++) {
    hy_value values[MOST_ARGUMENTS];
    for (int i = 0; i < node->count; i++)
      values[i] = end_of(node->args[i]->type, corner >> i & 1 ? args[i].high : args[i].low);
    hy_value value = hy_value_apply(node->op, node->type, values);
    hy_wide_int number = number_of(value);
    if (is_float(node->type) && number == hy_float_nan(node->type)) return any_float(node->type); // inf - inf
    range = corner ? hy_range_joined(range, hy_range_between(number, number)) : hy_range_between(number, number);
  }
  return range;
}

// Of exp, log and pow: what f64 gives at a corner, and a little more to either side, of the same sign.
//
// As functions of numbers they grow or fall in each argument. math.def computes each in doubles with an error below 2^-38
// of the result (f32: the polynomials' errors that it gives, 2^-39.7 of exp and 2^-59.5 of log, and y log(x), where it
// counts, to 2^-45; f64: two units in the last place, below the least normal number as well), and rounds it, which keeps
// orders. 2^-36 and the least normal number are more than the errors of an end and of what lies between.
static hy_range near_corners(const hy_expr *node, const hy_range *args) {
  const double error = 0x1p-36;
  double low = INFINITY, high = -INFINITY;
  for (unsigned corner = 0; corner < 1U << node->count; corner++) {
    hy_value values[MOST_ARGUMENTS];
    for (int i = 0; i < node->count; i++) {
      hy_value end = end_of(node->type, corner >> i & 1 ? args[i].high : args[i].low);
      values[i] = hy_value_from_double(HY_F64, hy_value_to_double(end));
    }
    double value = hy_value_to_double(hy_value_apply(node->op, HY_F64, values));
    if (isnan(value)) return any_float(node->type);
    double size = fmin(fabs(value), DBL_MAX), more = size * error + DBL_MIN;
    double inner = fmax(size - more, 0.0), outer = fabs(value) + more;
    low = fmin(low, value < 0 ? -outer : inner);
    high = fmax(high, value > 0 ? outer : -inner);
  }
  return between(node->type, low, high);
}

static bool is_near_corners(hy_op op) { return op == HY_OP_EXP || op == HY_OP_LOG || op == HY_OP_POW; }

static hy_range corners_if(bool holds, const hy_expr *node, const hy_range *args) {
  if (!holds) return any_float(node->type);
  return is_near_corners(node->op) ? near_corners(node, args) : at_corners(node, args);
}

/* -- single operators -- */

// select(a < b, a, b): b where one of the two is a NaN.
static hy_range extremum(const hy_expr *node, hy_range a, hy_range b) {
  bool is_min = node->op == HY_OP_MIN;
  hy_wide_int low = is_min ? hy_lesser(a.low, b.low) : hy_greater(a.low, b.low);
  hy_wide_int high = is_min ? hy_lesser(a.high, b.high) : hy_greater(a.high, b.high);
  hy_range range = {low, high, b.or_nan};
  return a.or_nan ? hy_range_joined(range, b) : range;
}

static hy_range magnitude(hy_range a) {
  hy_wide_int high = hy_greater(a.high, -1 - a.low);
  return (hy_range){has_zero(a) ? POSITIVE_ZERO : a.low >= 0 ? a.low : -1 - a.high, high, a.or_nan};
}

static bool is_negated(const hy_expr *a, const hy_expr *b) {
  return a->kind == HY_EXPR_OP && a->op == HY_OP_NEG && a->args[0] == b;
}

static bool is_square(const hy_expr *node) { // a * a, or (-a) * a, as -a * a is read
  const hy_expr *a = node->args[0], *b = node->args[1];
  return node->op == HY_OP_MUL && (a == b || is_negated(a, b) || is_negated(b, a));
}

// It grows with the size of a, and no 0 meets an infinity.
static hy_range square(const hy_expr *node, hy_range a) {
  hy_range size = magnitude(a), least = hy_range_between(size.low, size.low),
           most = hy_range_between(size.high, size.high);
  hy_range range =
      hy_range_joined(at_corners(node, (hy_range[]){least, least}), at_corners(node, (hy_range[]){most, most}));
  return node->args[0] == node->args[1] ? range : hy_range_between(-1 - range.high, -1 - range.low);
}

// Of a root or a logarithm: what is negative gives a NaN.
static hy_range not_negative(hy_range a) {
  if (a.low >= NEGATIVE_ZERO || a.high < NEGATIVE_ZERO) return a;
  return (hy_range){NEGATIVE_ZERO, a.high, true};
}

static hy_range conversion(const hy_expr *node, hy_range a) {
  if (node->type == HY_BOOL) return hy_range_between(0, 1);
  hy_range numbers = at_corners(node, &a);
  return a.or_nan && !is_float(node->type) ? hy_range_joined(numbers, hy_range_between(0, 0))
                                           : numbers; // VAL.Cast: of a NaN 0
}

// What must be true of the arguments, where they are numbers, for corners to do. Else nothing is known.
typedef enum { OF_NUMBERS, OF_FINITE, OF_QUOTIENT, OF_POWER } corner_rule;

static const struct {
  hy_op op;
  corner_rule rule;
} by_corners[] = {
    {HY_OP_ADD, OF_NUMBERS},  {HY_OP_SUB, OF_NUMBERS},   {HY_OP_NEG, OF_NUMBERS},   {HY_OP_FLOOR, OF_NUMBERS},
    {HY_OP_CEIL, OF_NUMBERS}, {HY_OP_ROUND, OF_NUMBERS}, {HY_OP_TRUNC, OF_NUMBERS}, {HY_OP_MUL, OF_FINITE},
    {HY_OP_FMA, OF_FINITE},   {HY_OP_DIV, OF_QUOTIENT},  {HY_OP_EXP, OF_NUMBERS},   {HY_OP_POW, OF_POWER},
};

static bool corners_do(const hy_expr *node, const hy_range *args, corner_rule rule) {
  for (int i = 0; i < node->count; i++)
    if ((rule == OF_FINITE || rule == OF_POWER) && !is_finite(node->type, args[i])) return false;
  if (rule == OF_QUOTIENT) return is_finite(node->type, args[0]) && !has_zero(args[1]);
  if (rule == OF_POWER && has_zero(args[0]) && args[1].low < NEGATIVE_ZERO) return false; // -0 has both infinities
  return rule != OF_POWER || args[0].low >= NEGATIVE_ZERO;
}

// Functions that are not said to be monotone: what they lie in, and a little more. Where their arguments exceed "most" in
// size they may be NaNs, sine and cosine beyond 2^32.
static const struct {
  hy_op op;
  double most, low, high;
} functions[] = {
    {HY_OP_SIN, 0x1p32, -1.0, 1.0},
    {HY_OP_COS, 0x1p32, -1.0, 1.0},
    {HY_OP_TANH, (double)INFINITY, -1.0, 1.0},
    {HY_OP_ERF, (double)INFINITY, -1.0, 1.0},
    {HY_OP_ATAN, (double)INFINITY, -1.6, 1.6},
    {HY_OP_ATAN2, (double)INFINITY, -3.15, 3.15},
    {HY_OP_ASIN, 1.0, -1.6, 1.6},
    {HY_OP_ACOS, 1.0, -0.0, 3.15},
};

static hy_range function(const hy_expr *node, const hy_range *args) {
  hy_type type = node->type;
  for (size_t k = 0; k < HY_COUNT(functions); k++) {
    if (functions[k].op != node->op) continue;
    hy_range most = between(type, -functions[k].most, functions[k].most);
    hy_range range = between(type, functions[k].low, functions[k].high);
    for (int i = 0; i < node->count; i++) range.or_nan |= args[i].low < most.low || args[i].high > most.high;
    return range;
  }
  return any_float(type);
}

static hy_range own_range(const hy_expr *node, const hy_range *args) {
  if (is_square(node)) return square(node, args[0]);
  for (size_t k = 0; k < HY_COUNT(by_corners); k++)
    if (by_corners[k].op == node->op) return corners_if(corners_do(node, args, by_corners[k].rule), node, args);
  if (node->op == HY_OP_ABS) return magnitude(args[0]);
  if (node->op == HY_OP_MIN || node->op == HY_OP_MAX) return extremum(node, args[0], args[1]);
  if (node->op == HY_OP_SELECT) return hy_range_joined(args[1], args[2]);
  if (node->op == HY_OP_SQRT || node->op == HY_OP_LOG) {
    hy_range argument = not_negative(args[0]), range = corners_if(argument.low >= NEGATIVE_ZERO, node, &argument);
    range.or_nan |= argument.or_nan;
    return range;
  }
  return node->op == HY_OP_CAST ? conversion(node, args[0]) : function(node, args);
}

// What is no number, and no choice between numbers, is a NaN where an argument is one; pow(a, 0) and pow(1, b) are 1, as
// with numbers.
static bool passes_nan_on(hy_op op) { return op != HY_OP_MIN && op != HY_OP_MAX && op != HY_OP_SELECT; }

hy_range hy_range_of_floats(const hy_expr *node, const hy_range *args) {
  hy_range range = own_range(node, args);
  if (!is_float(node->type)) return range;
  for (int i = 0; i < node->count && passes_nan_on(node->op); i++) range.or_nan |= args[i].or_nan;
  return hy_range_with_zeros(range);
}
