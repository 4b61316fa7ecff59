#include "semantics/tgt/range.h"

#include "semantics/base/id_map.h"
#include "semantics/base/vec.h"
#include "semantics/tgt/range_floats.h"
#include "semantics/tgt/values.h"
#include "semantics/value/monotone.h"

typedef struct {
  uint32_t id;   // of an expression, or of a variable with the top bit set
  bool is_total; // nothing in it can err
  hy_range range;
} entry;

struct hy_ranges {
  HY_VEC(entry) entries;
  hy_id_map numbers;       // of entries, by their ids
  const hy_values *values; // of funcs; NULL: their types' ranges
  bool follows_floats;
};

hy_ranges *hy_ranges_new(void) {
  hy_ranges *ranges = hy_allocate_zeroed(1, sizeof *ranges);
  hy_id_map_begin(&ranges->numbers);
  return ranges;
}

void hy_ranges_free(hy_ranges *ranges) {
  if (!ranges) return;
  hy_id_map_end(&ranges->numbers);
  hy_vec_free(&ranges->entries);
  hy_free(ranges);
}

// NULL: nothing is known. Until the next "put".
static const entry *find(const hy_ranges *ranges, uint32_t id) {
  const uintptr_t *number = hy_id_map_find(&ranges->numbers, id);
  return number ? &ranges->entries.data[*number] : NULL;
}

static void put(hy_ranges *ranges, uint32_t id, hy_range range, bool is_total) {
  size_t before = ranges->numbers.count;
  uintptr_t *number = hy_id_map_put(&ranges->numbers, id);
  if (ranges->numbers.count > before) {
    *number = ranges->entries.count;
    hy_vec_push(&ranges->entries, (entry){id, is_total, range});
  } else {
    ranges->entries.data[*number] = (entry){id, is_total, range};
  }
}

static uint32_t var_key(const hy_var *var) { return var->id | UINT32_C(0x80000000); }
static bool is_var_key(uint32_t id) { return id >> 31; }

/* -- arithmetic on ranges -- */

static hy_wide_int clip(hy_wide_int x) {
  return x > HY_RANGE_LIMIT ? HY_RANGE_LIMIT : x < -HY_RANGE_LIMIT ? -HY_RANGE_LIMIT : x;
}
static const hy_range everything = {.low = -HY_RANGE_LIMIT, .high = HY_RANGE_LIMIT};
static const hy_range any_bits = {.low = INT64_MIN, .high = INT64_MAX}; // of 64; narrower types cut it down

static hy_wide_int times(hy_wide_int a, hy_wide_int b) {
  hy_wide_int product;
  if (!__builtin_mul_overflow(a, b, &product)) return clip(product);
  return (a < 0) == (b < 0) ? HY_RANGE_LIMIT : -HY_RANGE_LIMIT;
}

static hy_range multiply(hy_range a, hy_range b) {
  hy_wide_int p[4] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)};
  return hy_range_between(hy_lesser(hy_lesser(p[0], p[1]), hy_lesser(p[2], p[3])),
                          hy_greater(hy_greater(p[0], p[1]), hy_greater(p[2], p[3])));
}

hy_range hy_range_times(hy_range a, hy_wide_int count) {
  return multiply(a, hy_range_between(hy_lesser(count, 0), count));
}

static hy_wide_int floor_div(hy_wide_int a, hy_wide_int b) { return a / b - (a % b != 0 && a % b < 0); }

// Euclidean; a divisor of unknown sign gives a quotient no greater than the numerator in magnitude.
static hy_range divide(hy_range a, hy_range b) {
  if (b.low >= 1) {
    hy_wide_int q[4] = {floor_div(a.low, b.low), floor_div(a.low, b.high), floor_div(a.high, b.low),
                        floor_div(a.high, b.high)};
    return hy_range_between(hy_lesser(hy_lesser(q[0], q[1]), hy_lesser(q[2], q[3])),
                            hy_greater(hy_greater(q[0], q[1]), hy_greater(q[2], q[3])));
  }
  hy_wide_int size = hy_greater(hy_greater(a.high, -a.low), 0);
  return hy_range_between(-size, size);
}

static hy_range modulo(hy_range a, hy_range b) {
  hy_wide_int size = hy_greater(hy_greater(b.high, -b.low), 1);
  if (a.low >= 0 && b.low >= 1 && a.high < b.low) return a;
  return hy_range_between(0, size - 1);
}

static hy_range magnitude(hy_range a) {
  hy_wide_int high = hy_greater(a.high, -a.low);
  return hy_range_between(a.low > 0 ? a.low : a.high < 0 ? -a.high : 0, high);
}

// What a stored value of the type may be: an int that does not fit 64 bits is an error, not a value (decision D1).
static hy_range type_range(hy_type type) {
  if (type == HY_U64) return hy_range_between(0, (hy_wide_int)UINT64_MAX);
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) return everything;
  int64_t low, high;
  hy_type_range(type, &low, &high);
  return hy_range_between(low, high);
}

hy_range hy_type_numbers(hy_type type) {
  if (hy_type_class_of(type) != HY_CLASS_FLOAT) return type_range(type);
  return (hy_range){-1 - hy_float_infinity(type), hy_float_infinity(type), true};
}

// Of floats only where they are followed.
static hy_range known_of(const hy_ranges *ranges, hy_type type) {
  return ranges->follows_floats ? hy_type_numbers(type) : type_range(type);
}

/* -- bits: two's complement, of any width that holds the arguments (VAL.Bits) -- */

// The least 2^k - 1 that is at least "a": what lies between 0 and "a" has no other bits.
static hy_wide_int all_bits(hy_wide_int a) {
  hy_wide_int bits = 0;
  while (bits < a) bits = 2 * bits + 1;
  return bits;
}

static bool is_natural(hy_range a) { return a.low >= 0; }
static bool is_negative(hy_range a) { return a.high < 0; }
static hy_range bit_not(hy_range a) { return hy_range_between(-1 - a.high, -1 - a.low); }

// It clears no bit, so that no argument that the sign of the other one leaves alone becomes less.
static hy_range bit_or(hy_range a, hy_range b) {
  hy_wide_int bits = all_bits(hy_greater(a.high, b.high));
  if (is_natural(a) && is_natural(b))
    return hy_range_between(hy_greater(a.low, b.low), hy_lesser(bits, a.high + b.high));
  return hy_range_between(hy_lesser(a.low, b.low), is_negative(a) || is_negative(b) ? -1 : bits);
}

// Of a number that is not negative it leaves no other bits; else a & b = ~(~a | ~b).
static hy_range bit_and(hy_range a, hy_range b) {
  if (!is_natural(a) && !is_natural(b)) return bit_not(bit_or(bit_not(a), bit_not(b)));
  return hy_range_between(0, !is_natural(a) ? b.high : !is_natural(b) ? a.high : hy_lesser(a.high, b.high));
}

static hy_range bit_xor(hy_range a, hy_range b) {
  hy_wide_int bits = all_bits(hy_greater(hy_greater(a.high, b.high), hy_greater(-1 - a.low, -1 - b.low)));
  if (is_natural(a) && is_natural(b)) return hy_range_between(0, hy_lesser(bits, a.high + b.high));
  bool same = is_negative(a) && is_negative(b);
  bool other = (is_negative(a) && is_natural(b)) || (is_natural(a) && is_negative(b));
  return hy_range_between(same ? 0 : -1 - bits, other ? -1 : bits);
}

static hy_range bits_range(const hy_expr *expr, hy_range a, hy_range b) {
  if (expr->type == HY_INT && !hy_range_fits(a)) a = any_bits; // no errors are looked at, nor what the machine wraps
  if (expr->type == HY_INT && !hy_range_fits(b)) b = any_bits;
  if (expr->op == HY_OP_BIT_AND) return bit_and(a, b);
  if (expr->op == HY_OP_BIT_OR) return bit_or(a, b);
  if (expr->op == HY_OP_BIT_XOR) return bit_xor(a, b);
  hy_wide_int all = hy_type_class_of(expr->type) == HY_CLASS_UNSIGNED ? type_range(expr->type).high : -1;
  return hy_range_between(all - a.high, all - a.low);
}

static hy_range shift_left(hy_range a, hy_range b) {
  if (b.low < 0 || b.high > 63) return everything;
  return multiply(a, hy_range_between((hy_wide_int)1 << b.low, (hy_wide_int)1 << b.high));
}

static hy_range shift_right(hy_range a, hy_range b) {
  if (b.low < 0 || b.high > 63) return everything;
  hy_wide_int by_low = (hy_wide_int)1 << b.low, by_high = (hy_wide_int)1 << b.high;
  return hy_range_between(hy_lesser(floor_div(a.low, by_low), floor_div(a.low, by_high)),
                          hy_greater(floor_div(a.high, by_low), floor_div(a.high, by_high)));
}

static hy_range op_range_of_floats(hy_ranges *ranges, const hy_expr *expr) {
  hy_range args[3];
  for (int i = 0; i < expr->count; i++) args[i] = hy_ranges_of(ranges, expr->args[i]);
  return hy_range_of_floats(expr, args);
}

static hy_range op_range(hy_ranges *ranges, const hy_expr *expr) {
  if (ranges->follows_floats && hy_range_is_of_floats(expr)) return op_range_of_floats(ranges, expr);
  hy_range a = everything, b = everything, c = everything, *args[3] = {&a, &b, &c};
  for (int i = 0; i < expr->count; i++)
    if (hy_type_class_of(expr->args[i]->type) != HY_CLASS_FLOAT) *args[i] = hy_ranges_of(ranges, expr->args[i]);
  switch (expr->op) {
  case HY_OP_ADD: return hy_range_between(clip(a.low + b.low), clip(a.high + b.high));
  case HY_OP_SUB: return hy_range_between(clip(a.low - b.high), clip(a.high - b.low));
  case HY_OP_MUL: return multiply(a, b);
  case HY_OP_DIV: return divide(a, b);
  case HY_OP_MOD: return modulo(a, b);
  case HY_OP_NEG: return hy_range_between(-a.high, -a.low);
  case HY_OP_MIN: return hy_range_between(hy_lesser(a.low, b.low), hy_lesser(a.high, b.high));
  case HY_OP_MAX: return hy_range_between(hy_greater(a.low, b.low), hy_greater(a.high, b.high));
  case HY_OP_ABS: return magnitude(a);
  case HY_OP_SELECT: return hy_range_joined(b, c);
  case HY_OP_CAST: { // to int: saturates from a float, and natively from a u64, where it is an error (D66)
    hy_range to = type_range(expr->type);
    if (expr->type != HY_INT) return a;
    return hy_range_between(hy_greater(a.low, to.low), hy_lesser(a.high, to.high));
  }
  case HY_OP_BIT_AND:
  case HY_OP_BIT_OR:
  case HY_OP_BIT_XOR:
  case HY_OP_BIT_NOT: return bits_range(expr, a, b);
  case HY_OP_POPCOUNT:
  case HY_OP_COUNT_LEADING_ZEROS:
  case HY_OP_COUNT_TRAILING_ZEROS: return hy_range_between(0, hy_type_bits(expr->type));
  case HY_OP_SHL: return shift_left(a, b);
  case HY_OP_SHR: return shift_right(a, b);
  case HY_OP_EQ:
  case HY_OP_NE:
  case HY_OP_LT:
  case HY_OP_LE:
  case HY_OP_GT:
  case HY_OP_GE:
  case HY_OP_AND:
  case HY_OP_OR:
  case HY_OP_NOT: return hy_range_between(0, 1);
#include "semantics/value/unranged_cases.def"
    return everything;
  }
  HY_UNREACHABLE();
}

// B.Value: what is read lies in Cpu (B.Address), and what is stored there in the func's range (decision D88).
static hy_range load_range(const hy_ranges *ranges, const hy_expr *expr) {
  hy_range range;
  return hy_value_range(ranges->values, expr->func, expr->part, &range) ? range : known_of(ranges, expr->type);
}

static hy_range constant_range(hy_value real) {
  hy_wide_int rank = hy_float_rank(real);
  if (rank > hy_float_infinity((hy_type)real.type)) return hy_type_numbers((hy_type)real.type);
  return hy_range_with_zeros(hy_range_between(rank, rank));
}

static hy_range leaf_range(hy_ranges *ranges, const hy_expr *expr) {
  if (expr->kind == HY_EXPR_CONST) {
    if (expr->value.error) return known_of(ranges, expr->type);
    if (ranges->follows_floats && hy_type_class_of(expr->type) == HY_CLASS_FLOAT) return constant_range(expr->value);
    hy_wide_int value = hy_type_class_of(expr->type) == HY_CLASS_UNSIGNED || expr->type == HY_BOOL
                            ? (hy_wide_int)expr->value.u
                            : expr->value.i;
    return hy_range_between(value, value);
  }
  if (expr->kind == HY_EXPR_ACCESS) return load_range(ranges, expr);
  if (expr->kind != HY_EXPR_VAR) return known_of(ranges, expr->type);
  const entry *known = find(ranges, var_key(expr->var));
  if (known) return known->range;
  return known_of(ranges, expr->type);
}

// What may go wrong with the node itself, if nothing went wrong below it.
static unsigned risks_of(hy_ranges *ranges, const hy_expr *node, hy_range range) {
  if (node->kind == HY_EXPR_CONST) return node->value.error ? HY_RISK_ERROR : 0;
  if (node->kind != HY_EXPR_OP || !hy_type_is_integral(node->type)) return 0;
  if (node->op == HY_OP_CAST) {
    bool is_wide = node->type == HY_INT && node->args[0]->type == HY_U64;
    return is_wide && hy_ranges_of(ranges, node->args[0]).high > INT64_MAX ? HY_RISK_CAST : 0;
  }
  hy_op_errors errs = hy_op_errs(node->op);
  unsigned risks = 0;
  if (errs == HY_ERRS_DIVISOR) {
    const hy_expr *divisor = node->args[1];
    bool is_other = divisor->kind == HY_EXPR_CONST && !hy_value_same(divisor->value, hy_value_zero(divisor->type));
    if (!is_other) risks |= HY_RISK_DIVISOR;
  }
  if (node->type == HY_INT && errs != HY_ERRS_NEVER && !hy_range_fits(range)) risks |= HY_RISK_WIDTH;
  return risks;
}

static entry known(hy_ranges *ranges, const hy_expr *expr) {
  const entry *found = find(ranges, expr->id);
  if (found) return *found;
  entry e = {.is_total = true, .range = everything};
  for (int i = 0; i < expr->count; i++) e.is_total &= known(ranges, expr->args[i]).is_total;
  e.range = expr->kind == HY_EXPR_OP ? op_range(ranges, expr) : leaf_range(ranges, expr);
  hy_range type = known_of(ranges, expr->type); // a fixed-width result that may leave its type wraps to anywhere in it
  if (expr->type != HY_INT && (e.range.low < type.low || e.range.high > type.high)) e.range = type;
  e.is_total &= !risks_of(ranges, expr, e.range);
  put(ranges, expr->id, e.range, e.is_total);
  return e;
}

hy_range hy_ranges_of(hy_ranges *ranges, const hy_expr *expr) { return known(ranges, expr).range; }
bool hy_ranges_total(hy_ranges *ranges, const hy_expr *expr) { return known(ranges, expr).is_total; }
unsigned hy_ranges_risks(hy_ranges *ranges, const hy_expr *node) {
  return risks_of(ranges, node, known(ranges, node).range);
}

void hy_ranges_use_values(hy_ranges *ranges, const hy_values *values) { ranges->values = values; }

void hy_ranges_forget(hy_ranges *ranges) {
  size_t count = ranges->entries.count;
  hy_id_map_clear(&ranges->numbers);
  ranges->entries.count = 0;
  for (size_t i = 0; i < count; i++) {
    entry e = ranges->entries.data[i];
    if (is_var_key(e.id)) put(ranges, e.id, e.range, true);
  }
}

bool hy_range_fits(hy_range range) { return range.low >= INT64_MIN && range.high <= INT64_MAX; }
bool hy_range_is_small(hy_range range) { return range.low >= -HY_SMALL_LIMIT && range.high <= HY_SMALL_LIMIT; }
void hy_ranges_follow_floats(hy_ranges *ranges) { ranges->follows_floats = true; }

void hy_ranges_bind_loop(hy_ranges *ranges, const hy_var *var, hy_interval interval) {
  hy_range min = hy_ranges_of(ranges, interval.min), len = hy_ranges_of(ranges, interval.len);
  hy_wide_int high = clip(min.high + len.high - 1);
  put(ranges, var_key(var), hy_range_between(min.low, hy_greater(high, min.low)), true);
}

void hy_ranges_bind_let(hy_ranges *ranges, const hy_var *var, const hy_expr *value) {
  put(ranges, var_key(var), hy_ranges_of(ranges, value), true);
}

// "v <op> c": v lies at or below (or above) c.
static void bind_end(hy_ranges *ranges, hy_op op, const hy_expr *v, hy_wide_int c) {
  hy_range range = leaf_range(ranges, v);
  if (op == HY_OP_LT) range.high = hy_lesser(range.high, c - 1);
  if (op == HY_OP_LE || op == HY_OP_EQ) range.high = hy_lesser(range.high, c);
  if (op == HY_OP_GT) range.low = hy_greater(range.low, c + 1);
  if (op == HY_OP_GE || op == HY_OP_EQ) range.low = hy_greater(range.low, c);
  if (range.low <= range.high) put(ranges, var_key(v->var), range, true);
}

// The same of a float, by rank: a comparison that holds says that it is no NaN, and nothing of the sign of a zero.
static void bind_float_end(hy_ranges *ranges, hy_op op, const hy_expr *v, hy_value real) {
  hy_range range = leaf_range(ranges, v), end = constant_range(real);
  if (!ranges->follows_floats || (op != HY_OP_LE && op != HY_OP_GE)) return;
  if (op == HY_OP_LE) range.high = hy_lesser(range.high, end.high);
  if (op == HY_OP_GE) range.low = hy_greater(range.low, end.low);
  range.or_nan = false;
  if (range.low <= range.high) put(ranges, var_key(v->var), range, true);
}

static bool is_float_constant(const hy_expr *side) {
  return side->kind == HY_EXPR_CONST && !side->value.error && hy_type_class_of(side->type) == HY_CLASS_FLOAT;
}

// The variable that a side of a comparison of ints is: itself, or converted, which is an error where it changes it.
static const hy_expr *variable_of(const hy_expr *side) {
  if (side->type != HY_INT) return NULL;
  if (side->kind == HY_EXPR_OP && side->op == HY_OP_CAST && hy_type_is_integral(side->args[0]->type))
    side = side->args[0];
  return side->kind == HY_EXPR_VAR ? side : NULL;
}

void hy_ranges_assume(hy_ranges *ranges, const hy_expr *condition) {
  int64_t constant;
  if (condition->kind != HY_EXPR_OP || condition->count != 2) return;
  const hy_expr *a = condition->args[0], *b = condition->args[1];
  if (condition->op == HY_OP_AND) {
    hy_ranges_assume(ranges, a);
    hy_ranges_assume(ranges, b);
  } else if (variable_of(a) && hy_expr_is_int(b, &constant)) {
    bind_end(ranges, condition->op, variable_of(a), constant);
  } else if (variable_of(b) && hy_expr_is_int(a, &constant)) {
    bind_end(ranges, hy_op_turned(condition->op), variable_of(b), constant);
  } else if (a->kind == HY_EXPR_VAR && is_float_constant(b)) {
    bind_float_end(ranges, condition->op, a, b->value);
  } else if (b->kind == HY_EXPR_VAR && is_float_constant(a)) {
    bind_float_end(ranges, hy_op_turned(condition->op), b, a->value);
  }
}

void hy_ranges_assume_entry(hy_ranges *ranges, const hy_tgt *tgt) {
  for (int i = 0; i < tgt->entry_count; i++)
    if (tgt->entry[i]->assume.why == HY_ASSUME_RANGE || tgt->entry[i]->assume.why == HY_ASSUME_PARAM)
      hy_ranges_assume(ranges, tgt->entry[i]->assume.condition);
}

typedef struct {
  hy_ranges *ranges;
  const hy_expr *found;
} search;

static void see(void *self, const hy_expr *node) {
  search *s = self;
  if (node->type == HY_INT && !s->found && !hy_range_fits(hy_ranges_of(s->ranges, node))) s->found = node;
}

const hy_expr *hy_ranges_overflowing(hy_ranges *ranges, const hy_expr *expr) {
  search s = {ranges, NULL};
  hy_expr_visit(expr, see, &s);
  return s.found;
}
