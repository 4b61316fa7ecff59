#ifndef HY_VALUE_H
#define HY_VALUE_H

/* Types and values, and the one definition of arithmetic on them (paper, section 4.1; decisions D1 to D7).
 *
 * Interpreters call hy_value_apply; the solver encoding and the code generator render ops.def on their own and are
 * tested against it row by row. Values are plain data, copied freely. All functions are pure.
 */

#include "semantics/base/base.h"
#include "semantics/base/text.h"
#include "semantics/value/errors.h"

typedef enum hy_type {
#define HY_TYPE(name, spelling, class, bits, numpy, c) HY_##name,
#include "semantics/types.def"
#undef HY_TYPE
} hy_type;

enum { // apart, so that no switch over hy_type owes it a case
  HY_TYPE_COUNT = 0
#define HY_TYPE(name, spelling, class, bits, numpy, c) +1
#include "semantics/types.def"
#undef HY_TYPE
};

typedef enum { HY_CLASS_INTEGER, HY_CLASS_BOOL, HY_CLASS_UNSIGNED, HY_CLASS_SIGNED, HY_CLASS_FLOAT } hy_type_class;

const char *hy_type_name(hy_type type);
static inline hy_type_class hy_type_class_of(hy_type type) {
  static const uint8_t classes[] = {
#define HY_TYPE(name, spelling, class, bits, numpy, c) HY_CLASS_##class,
#include "semantics/types.def"
#undef HY_TYPE
  };
  return (hy_type_class)classes[type];
}
static inline int hy_type_bits(hy_type type) { // as stored: bool 8, int 64
  static const uint8_t widths[] = {
#define HY_TYPE(name, spelling, class, bits, numpy, c) bits,
#include "semantics/types.def"
#undef HY_TYPE
  };
  return widths[type];
}
static inline size_t hy_type_bytes(hy_type type) { return (size_t)hy_type_bits(type) / 8; }
const char *hy_type_numpy(hy_type type);
const char *hy_type_c(hy_type type); // of C (<stdint.h>, <stdbool.h>) and C++, with the same bits: "int64_t"
bool hy_type_find(const char *name, size_t length, hy_type *type);
bool hy_type_is_integral(hy_type type); // int and the fixed-width integers
bool hy_type_is_numeric(hy_type type);  // what is computed with: all but bool and storage
// f16 and bf16: they are stored, copied and converted, and no operator computes with them.
static inline bool hy_type_is_storage(hy_type type) { return type == HY_F16 || type == HY_BF16; }
// The least and greatest value of an integral type or bool; int and the 64-bit types saturate at int64_t's limits.
void hy_type_range(hy_type type, int64_t *least, int64_t *greatest);

typedef enum hy_op {
#define HY_OP(name, ...) HY_OP_##name,
#include "semantics/ops.def"
#undef HY_OP
} hy_op;

enum { // apart, so that no switch over hy_op owes it a case
  HY_OP_COUNT = 0
#define HY_OP(name, ...) +1
#include "semantics/ops.def"
#undef HY_OP
};

// The columns of ops.def, which says what their values mean.
typedef enum {
  HY_TYPING_ARITH,
  HY_TYPING_BITS,
  HY_TYPING_WHOLE,
  HY_TYPING_COMPARE,
  HY_TYPING_EQUAL,
  HY_TYPING_LOGIC,
  HY_TYPING_SELECT,
  HY_TYPING_UNARY,
  HY_TYPING_UBITS,
  HY_TYPING_CAST,
  HY_TYPING_MATH,
  HY_TYPING_REINTERPRET,
} hy_typing;
typedef enum {
  HY_KIND_RING,
  HY_KIND_DIVISION,
  HY_KIND_COMPARISON,
  HY_KIND_LOGIC,
  HY_KIND_BITS,
  HY_KIND_SHIFT,
  HY_KIND_COUNT,
  HY_KIND_CHOICE,
  HY_KIND_EXTREMUM,
  HY_KIND_CONVERSION,
  HY_KIND_OTHER,
} hy_op_kind;
typedef enum { HY_ERRS_NEVER, HY_ERRS_WIDTH, HY_ERRS_DIVISOR, HY_ERRS_CAST } hy_op_errors;
typedef enum { HY_DRAWN_OWN, HY_DRAWN_FLOATS, HY_DRAWN_WHOLE, HY_DRAWN_ANY } hy_op_drawn;

const char *hy_op_spelling(hy_op op);
const char *hy_op_name(hy_op op); // "ADD"
static inline int hy_op_arity(hy_op op) {
  static const uint8_t arities[] = {
#define HY_OP(name, spelling, arity, ...) arity,
#include "semantics/ops.def"
#undef HY_OP
  };
  return arities[op];
}
static inline hy_op_kind hy_op_kind_of(hy_op op) {
  static const uint8_t kinds[] = {
#define HY_OP(name, spelling, arity, typing, precedence, mode, kind, ...) HY_KIND_##kind,
#include "semantics/ops.def"
#undef HY_OP
  };
  return (hy_op_kind)kinds[op];
}
static inline bool hy_op_is_lazy(hy_op op) {
  enum { STRICT, LAZY };
  static const bool lazy[] = {
#define HY_OP(name, spelling, arity, typing, precedence, mode, ...) mode == LAZY,
#include "semantics/ops.def"
#undef HY_OP
  };
  return lazy[op];
}
hy_typing hy_op_typing(hy_op op);
int hy_op_precedence(hy_op op);
hy_op_errors hy_op_errs(hy_op op);
hy_op_drawn hy_op_is_drawn(hy_op op);
bool hy_op_is_opaque(hy_op op); // to the solvers
// Of an operator of typing REINTERPRET: the type that it takes, and the one that it gives.
hy_type hy_op_reinterpreted(hy_op op, hy_type *result);
hy_op hy_op_of_bits(hy_type real, bool from_bits); // the operator between a float type and its bits
hy_op hy_op_turned(hy_op op);                      // a < b is b > a; itself, if it is no comparison
hy_op hy_op_denied(hy_op op);                      // a < b is what a >= b denies; itself, if it is no comparison
bool hy_op_find_call(const char *name, size_t length, hy_op *op); // among those written as calls, "cast" excepted

// Definition 4.1. The order is that of the paper; joining is taking the greater (decision D3).
typedef enum hy_error { HY_OK, HY_ERROR_ARITH, HY_ERROR_RDOM, HY_ERROR_MEM } hy_error;
const char *hy_error_name(hy_error error); // "ok", "eps_arith", ...

// An ordinary value of a type, or an error of that type. "undefined" marks what descends from an uninitialised cell
// (decision D7); it is total and arbitrary, and joined like an error, but never changes a result.
typedef struct hy_value {
  union {
    int64_t i;  // INT and the signed types, sign-extended
    uint64_t u; // BOOL (0 or 1) and the unsigned types, zero-extended; f16 and bf16: their bits
    float f32;
    double f64;
  };
  uint8_t type;  // hy_type
  uint8_t error; // hy_error; the payload is 0 when it is not HY_OK
  bool undefined;
} hy_value;

static inline hy_value hy_value_int(int64_t i) { return (hy_value){.i = i, .type = HY_INT}; }
static inline hy_value hy_value_bool(bool b) { return (hy_value){.u = b, .type = HY_BOOL}; }
static inline hy_value hy_value_zero(hy_type type) { return (hy_value){.u = 0, .type = (uint8_t)type}; }
static inline hy_value hy_value_error(hy_type type, hy_error error) {
  return (hy_value){.u = 0, .type = (uint8_t)type, .error = (uint8_t)error};
}
// Wraps "bits" to an integral type or bool; requires: "type" is not a float
hy_value hy_value_integral(hy_type type, int64_t i);
hy_value hy_value_from_double(hy_type type, double d);    // requires: a float type; rounded once
double hy_half_to_double(hy_type type, uint64_t bits);    // of a storage type (half.h)
static inline double hy_value_to_double(hy_value value) { // requires: of a float type
  if (hy_type_is_storage((hy_type)value.type)) return hy_half_to_double((hy_type)value.type, value.u);
  return value.type == HY_F32 ? (double)value.f32 : value.f64;
}
// The number that "text" begins with, as strtod reads it, rounded once; requires: a float type
hy_value hy_value_from_text(hy_type type, const char *text);

// The same ordinary value or the same error. NaNs compare as one class; +0 and -0 differ (decision D1).
bool hy_value_same(hy_value a, hy_value b);
uint64_t hy_value_bits(hy_value value); // the payload as stored, for hashing
// An ordinary true; requires: BOOL
static inline bool hy_value_is_true(hy_value value) {
  HY_ASSERT(value.type == HY_BOOL);
  return value.error == HY_OK && value.u != 0;
}

// Applies an operator to values of the types that its row asks for. Errors among the arguments join; SELECT, AND and OR
// are strict here (lazy mode is the evaluator's: it does not evaluate what is not selected).
// "result" is the node's type (CAST needs it).
hy_value hy_value_apply(hy_op op, hy_type result, const hy_value *args);

// To and from memory as native code and files lay it out (little endian, bool one byte 0 or 1).
void hy_value_store(hy_value value, void *memory);
hy_value hy_value_load(hy_type type, const void *memory);

// As a literal that parses back to the same value in a context of its type: floats print shortest round-trip with a
// point; infinities and NaN print as divisions; errors as their names.
void hy_value_print(hy_value value, hy_text *out);

#endif
