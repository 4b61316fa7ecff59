#include "semantics/tgt/range_floats.h"

#include "semantics/value/monotone.h"

#include <math.h>

enum { NEGATIVE_ZERO = -1, POSITIVE_ZERO = 0, MOST_ARGUMENTS = 3 };

static bool is_float(hy_type type) { return hy_type_class_of(type) == HY_CLASS_FLOAT; }
static hy_range any_float(hy_type type) { return hy_type_numbers(type); }
static bool may_be_nan(hy_type type, hy_range a) { return a.high == hy_float_nan(type); }
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
  return (hy_range){hy_float_rank(hy_value_from_double(type, low)), hy_float_rank(hy_value_from_double(type, high))};
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
    if (is_float(node->type) && number == hy_float_nan(node->type)) return any_float(node->type);
    range = corner ? hy_range_joined(range, (hy_range){number, number}) : (hy_range){number, number};
  }
  return range;
}

static hy_range corners_if(bool holds, const hy_expr *node, const hy_range *args) {
  return holds ? at_corners(node, args) : any_float(node->type);
}

/* -- single operators -- */

// select(a < b, a, b): b where "a" is a NaN. Where b is one it is that.
static hy_range extremum(const hy_expr *node, hy_range a, hy_range b) {
  if (may_be_nan(node->type, b)) return any_float(node->type);
  bool is_number = !may_be_nan(node->type, a);
  if (node->op == HY_OP_MIN) return (hy_range){hy_lesser(a.low, b.low), is_number ? hy_lesser(a.high, b.high) : b.high};
  if (!is_number) return (hy_range){b.low, hy_greater(b.high, hy_float_infinity(node->type))};
  return (hy_range){hy_greater(a.low, b.low), hy_greater(a.high, b.high)};
}

static hy_range magnitude(hy_range a) {
  hy_wide_int high = hy_greater(a.high, -1 - a.low);
  return (hy_range){has_zero(a) ? POSITIVE_ZERO : a.low >= 0 ? a.low : -1 - a.high, high};
}

static hy_range conversion(const hy_expr *node, hy_range a) {
  hy_type from = node->args[0]->type;
  if (is_float(node->type)) return is_float(from) ? corners_if(!may_be_nan(from, a), node, &a) : at_corners(node, &a);
  if (node->type == HY_BOOL) return (hy_range){0, 1};
  bool is_number = !may_be_nan(from, a);
  if (!is_number) a.high = hy_float_infinity(from);
  hy_range numbers = at_corners(node, &a);
  return is_number ? numbers : hy_range_joined(numbers, (hy_range){0, 0}); // VAL.Cast: a NaN gives 0
}

// What must be true of the arguments for corners to do. Else nothing is known.
typedef enum { OF_NUMBERS, OF_FINITE, OF_QUOTIENT, OF_ROOT } corner_rule;

static const struct {
  hy_op op;
  corner_rule rule;
} by_corners[] = {
    {HY_OP_ADD, OF_NUMBERS},  {HY_OP_SUB, OF_NUMBERS},   {HY_OP_NEG, OF_NUMBERS},   {HY_OP_FLOOR, OF_NUMBERS},
    {HY_OP_CEIL, OF_NUMBERS}, {HY_OP_ROUND, OF_NUMBERS}, {HY_OP_TRUNC, OF_NUMBERS}, {HY_OP_MUL, OF_FINITE},
    {HY_OP_FMA, OF_FINITE},   {HY_OP_DIV, OF_QUOTIENT},  {HY_OP_SQRT, OF_ROOT},
};

static bool corners_do(const hy_expr *node, const hy_range *args, corner_rule rule) {
  for (int i = 0; i < node->count; i++) {
    bool wanted =
        rule == OF_FINITE || rule == OF_QUOTIENT ? is_finite(node->type, args[i]) : !may_be_nan(node->type, args[i]);
    if (!wanted) return false;
  }
  if (rule == OF_QUOTIENT) return !has_zero(args[1]);
  return rule != OF_ROOT || args[0].low >= NEGATIVE_ZERO;
}

// Functions that are not said to be monotone: what they lie in, and a little more, where their arguments do not exceed
// "most" in size. Beyond 2^32 sine and cosine may be no numbers.
static const struct {
  hy_op op;
  double most, low, high;
} functions[] = {
    {HY_OP_SIN, 0x1p32, -1.0, 1.0},
    {HY_OP_COS, 0x1p32, -1.0, 1.0},
    {HY_OP_TANH, (double)INFINITY, -1.0, 1.0},
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
    for (int i = 0; i < node->count; i++)
      if (args[i].low < most.low || args[i].high > most.high) return any_float(type);
    return between(type, functions[k].low, functions[k].high);
  }
  return any_float(type);
}

static hy_range own_range(const hy_expr *node, const hy_range *args) {
  for (size_t k = 0; k < HY_COUNT(by_corners); k++)
    if (by_corners[k].op == node->op) return corners_if(corners_do(node, args, by_corners[k].rule), node, args);
  if (node->op == HY_OP_ABS) return may_be_nan(node->type, args[0]) ? any_float(node->type) : magnitude(args[0]);
  if (node->op == HY_OP_MIN || node->op == HY_OP_MAX) return extremum(node, args[0], args[1]);
  if (node->op == HY_OP_SELECT) return hy_range_joined(args[1], args[2]);
  return node->op == HY_OP_CAST ? conversion(node, args[0]) : function(node, args);
}

hy_range hy_range_of_floats(const hy_expr *node, const hy_range *args) {
  hy_range range = own_range(node, args);
  return is_float(node->type) ? hy_range_with_zeros(range) : range;
}
