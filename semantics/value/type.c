/* The columns of types.def and ops.def as functions (value.h has some of them inline): whoever asks something about a
 * type or an operator asks its row.
 */

#include "semantics/value/value.h"

#include <string.h>

static const struct {
  const char *name;
  hy_type_class class;
  int bits;
  const char *numpy, *c;
} types[] = {
#define HY_TYPE(name, spelling, class, bits, numpy, c) {spelling, HY_CLASS_##class, bits, numpy, c},
#include "semantics/types.def"
#undef HY_TYPE
};

const char *hy_type_name(hy_type type) { return types[type].name; }
const char *hy_type_numpy(hy_type type) { return types[type].numpy; }
const char *hy_type_c(hy_type type) { return types[type].c; }

bool hy_type_find(const char *name, size_t length, hy_type *type) {
  for (size_t i = 0; i < HY_COUNT(types); i++)
    if (types[i].name[0] == name[0] && strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0)
      return *type = (hy_type)i, true;
  return false;
}

bool hy_type_is_integral(hy_type type) {
  hy_type_class class = types[type].class;
  return class == HY_CLASS_INTEGER || class == HY_CLASS_UNSIGNED || class == HY_CLASS_SIGNED;
}

bool hy_type_is_numeric(hy_type type) { return types[type].class != HY_CLASS_BOOL && !hy_type_is_storage(type); }

void hy_type_range(hy_type type, int64_t *least, int64_t *greatest) {
  int bits = types[type].bits;
  switch (types[type].class) {
  case HY_CLASS_BOOL: *least = 0, *greatest = 1; return;
  case HY_CLASS_UNSIGNED: *least = 0, *greatest = bits == 64 ? INT64_MAX : (int64_t)((UINT64_C(1) << bits) - 1); return;
  case HY_CLASS_INTEGER:
  case HY_CLASS_SIGNED: *greatest = INT64_MAX >> (64 - bits), *least = -*greatest - 1; return;
  case HY_CLASS_FLOAT: break;
  }
  HY_UNREACHABLE();
}

static const struct {
  const char *name, *spelling;
  hy_typing typing;
  int precedence;
  hy_op_errors errs;
  hy_op_drawn drawn;
  bool is_opaque;
} ops[] = {
#define EXACT false
#define OPAQUE true
#define HY_OP(name, spelling, arity, typing, precedence, mode, kind, errs, range, solver, rule, drawn, meaning)        \
  {#name, spelling, HY_TYPING_##typing, precedence, HY_ERRS_##errs, HY_DRAWN_##drawn, solver},
#include "semantics/ops.def"
#undef HY_OP
#undef EXACT
#undef OPAQUE
};

const char *hy_op_spelling(hy_op op) { return ops[op].spelling; }
const char *hy_op_name(hy_op op) { return ops[op].name; }
hy_typing hy_op_typing(hy_op op) { return ops[op].typing; }
int hy_op_precedence(hy_op op) { return ops[op].precedence; }
hy_op_errors hy_op_errs(hy_op op) { return ops[op].errs; }
hy_op_drawn hy_op_is_drawn(hy_op op) { return ops[op].drawn; }
bool hy_op_is_opaque(hy_op op) { return ops[op].is_opaque; }

hy_type hy_op_reinterpreted(hy_op op, hy_type *result) {
  static const struct {
    hy_op to_bits, from_bits;
    hy_type real, bits;
  } rows[] = {{HY_OP_F32_BITS, HY_OP_F32_FROM_BITS, HY_F32, HY_U32},
              {HY_OP_F64_BITS, HY_OP_F64_FROM_BITS, HY_F64, HY_U64},
              {HY_OP_F16_BITS, HY_OP_F16_FROM_BITS, HY_F16, HY_U16},
              {HY_OP_BF16_BITS, HY_OP_BF16_FROM_BITS, HY_BF16, HY_U16}};
  size_t i = 0;
  while (op != rows[i].to_bits && op != rows[i].from_bits) HY_ASSERT(++i < HY_COUNT(rows));
  bool from_bits = op == rows[i].from_bits;
  *result = from_bits ? rows[i].real : rows[i].bits;
  return from_bits ? rows[i].bits : rows[i].real;
}

hy_op hy_op_of_bits(hy_type real, bool from_bits) {
  switch ((int)real) {
  case HY_F32: return from_bits ? HY_OP_F32_FROM_BITS : HY_OP_F32_BITS;
  case HY_F64: return from_bits ? HY_OP_F64_FROM_BITS : HY_OP_F64_BITS;
  case HY_F16: return from_bits ? HY_OP_F16_FROM_BITS : HY_OP_F16_BITS;
  case HY_BF16: return from_bits ? HY_OP_BF16_FROM_BITS : HY_OP_BF16_BITS;
  }
  HY_UNREACHABLE();
}

hy_op hy_op_turned(hy_op op) {
  switch ((int)op) {
  case HY_OP_LT: return HY_OP_GT;
  case HY_OP_LE: return HY_OP_GE;
  case HY_OP_GT: return HY_OP_LT;
  case HY_OP_GE: return HY_OP_LE;
  }
  return op;
}

hy_op hy_op_denied(hy_op op) {
  switch ((int)op) {
  case HY_OP_EQ: return HY_OP_NE;
  case HY_OP_NE: return HY_OP_EQ;
  case HY_OP_LT: return HY_OP_GE;
  case HY_OP_LE: return HY_OP_GT;
  case HY_OP_GT: return HY_OP_LE;
  case HY_OP_GE: return HY_OP_LT;
  }
  return op;
}

bool hy_op_find_call(const char *name, size_t length, hy_op *op) {
  for (size_t i = 0; i < HY_COUNT(ops); i++)
    if (ops[i].precedence == 0 && i != HY_OP_CAST && ops[i].spelling[0] == name[0] &&
        strlen(ops[i].spelling) == length && memcmp(ops[i].spelling, name, length) == 0)
      return *op = (hy_op)i, true;
  return false;
}
