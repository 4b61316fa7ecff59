#include "semantics/value/monotone.h"

#include <string.h>

typedef enum {
  SIZE_SUM,
  SIZE_PRODUCT,
  SIZE_QUOTIENT,
  SIZE_SAME,
  SIZE_WHOLE,
  SIZE_EITHER,
  SIZE_OF_WHOLE,
  SIZE_OF_FLOAT,
  SIZE_TO_WHOLE,
} size_rule;

typedef struct {
  const char *name;
  hy_op op;
  hy_growth growth[2];
  hy_nan_spoils nan;
  size_rule size;
} row;

// VAL.Monotone
static const row rows[] = {
#define HY_MONOTONE(row, name, op, first, second, nan, size)                                                           \
  [HY_MONOTONE_##row] = {name, HY_OP_##op, {HY_GROWTH_##first, HY_GROWTH_##second}, HY_NAN_##nan, SIZE_##size},
#include "semantics/value/monotone.def"
#undef HY_MONOTONE
};

static bool is_float(hy_type type) { return hy_type_class_of(type) == HY_CLASS_FLOAT; }

static bool find_conversion(hy_type result, hy_type from, hy_monotone_row *found) {
  bool whole_result = hy_type_is_integral(result), whole_from = hy_type_is_integral(from);
  if (is_float(result) && whole_from) *found = HY_MONOTONE_OF_WHOLE;
  if (is_float(result) && is_float(from)) *found = HY_MONOTONE_OF_FLOAT;
  if (whole_result && is_float(from)) *found = HY_MONOTONE_TO_WHOLE;
  return (is_float(result) && (whole_from || is_float(from))) || (whole_result && is_float(from));
}

bool hy_monotone_find(hy_op op, hy_type result, hy_type from, hy_monotone *monotone) {
  *monotone = (hy_monotone){.result = result, .from = from};
  if (hy_type_is_storage(result) || hy_type_is_storage(from)) return false; // no row speaks of f16 and bf16
  if (op == HY_OP_CAST) return find_conversion(result, from, &monotone->row);
  if (!is_float(result) || result != from) return false;
  for (int i = 0; i < HY_MONOTONE_COUNT; i++) {
    if (rows[i].op != op) continue;
    monotone->row = (hy_monotone_row)i;
    return true;
  }
  return false;
}

hy_growth hy_monotone_growth(hy_monotone m, int argument) { return rows[m.row].growth[argument]; }
hy_nan_spoils hy_monotone_nan(hy_monotone m) { return rows[m.row].nan; }
int hy_monotone_arity(hy_monotone m) { return hy_op_arity(rows[m.row].op); }

void hy_monotone_print(hy_monotone m, hy_text *out) {
  hy_text_printf(out, "%s.%s", hy_type_name(m.result), rows[m.row].name);
  if (rows[m.row].op == HY_OP_CAST) hy_text_printf(out, "_%s", is_float(m.from) ? hy_type_name(m.from) : "int");
}

/* -- ranks -- */

static int fraction_bits(hy_type type) { return type == HY_F64 ? 52 : type == HY_F32 ? 23 : type == HY_F16 ? 10 : 7; }
static int bias(hy_type type) { return type == HY_F64 ? 1023 : type == HY_F16 ? 15 : 127; }

int hy_float_least_power(hy_type type) { return 1 - bias(type); }
int hy_float_top_power(hy_type type) { return bias(type) + 1; }

int64_t hy_float_power(hy_type type, int exponent) {
  HY_ASSERT(exponent >= hy_float_least_power(type) && exponent <= hy_float_top_power(type));
  return (int64_t)(exponent + bias(type)) << fraction_bits(type);
}

int64_t hy_float_infinity(hy_type type) { return hy_float_power(type, hy_float_top_power(type)); }

int64_t hy_float_rank(hy_value value) {
  HY_ASSERT(is_float(value.type) && value.error == HY_OK);
  uint64_t bits = hy_value_bits(value), sign = UINT64_C(1) << (hy_type_bits(value.type) - 1);
  int64_t size = (int64_t)(bits & ~sign), infinity = hy_float_infinity(value.type);
  if (size > infinity) return infinity + 1;
  return bits & sign ? -1 - size : size;
}

hy_value hy_float_of_rank(hy_type type, int64_t rank) {
  if (rank > hy_float_infinity(type)) return hy_value_from_double(type, __builtin_nan(""));
  uint64_t bits = rank >= 0 ? (uint64_t)rank : (uint64_t)(-1 - rank) | UINT64_C(1) << (hy_type_bits(type) - 1);
  uint32_t word = (uint32_t)bits;
  uint16_t half = (uint16_t)bits;
  return hy_value_load(type, type == HY_F64 ? (const void *)&bits : type == HY_F32 ? (const void *)&word : &half);
}

/* -- sizes -- */

enum { WHOLE_BITS = 64 };

static int greater(int i, int j) { return i > j ? i : j; }

bool hy_monotone_size(hy_monotone m, int i, int j, int *size) {
  int top = is_float(m.from) ? hy_float_top_power(m.from) : 0;
  switch (rows[m.row].size) {
  case SIZE_SUM: // infinity and -infinity have no sum
    if (i == top && j == top) return false;
    *size = greater(i, j) + 1;
    break;
  case SIZE_PRODUCT: // nor have 0 and infinity a product
    if (i == top || j == top) return false;
    *size = i + j;
    break;
  case SIZE_QUOTIENT:
    if (i == top) return false;
    *size = i - j;
    break;
  case SIZE_SAME: *size = i; break;
  case SIZE_WHOLE: *size = greater(i, 0); break;
  case SIZE_EITHER: *size = greater(i, j); break;
  case SIZE_OF_WHOLE: *size = i < WHOLE_BITS ? i : WHOLE_BITS; break;
  case SIZE_OF_FLOAT: *size = i == top ? hy_float_top_power(m.result) : i; break;
  case SIZE_TO_WHOLE: *size = greater(i, 0); return *size < WHOLE_BITS;
  }
  int least = hy_float_least_power(m.result), most = hy_float_top_power(m.result);
  *size = *size < least ? least : *size > most ? most : *size;
  return true;
}
