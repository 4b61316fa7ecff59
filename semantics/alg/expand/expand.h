#ifndef HY_EXPAND_H
#define HY_EXPAND_H

/* Forms of the language that the core has not: each function is the equation of one form, and gives the core expression
 * that it stands for (semantics/rules/3_algorithms.md, "Forms"). Nothing behind this stage knows of them: what is
 * checked, lowered, run and printed is the expansion.
 *
 * semantics/text/ reads the forms, finds their types and reports what is wrong with them; what comes here is well
 * typed.
 */

#include "semantics/alg/alg.h"

/* -- numbers of an image's box (box.c) -- */

typedef enum { HY_BOX_MIN, HY_BOX_LEN, HY_BOX_MAX } hy_box_number;

// requires: 0 <= dim < image->rank
const hy_expr *hy_expand_box(hy_context *context, hy_box_number number, const hy_func *image, int dim);

/* -- boundary conditions (boundary.c) -- */

typedef enum {
#define HY_BOUNDARY(name, ...) HY_BOUNDARY_##name,
#include "semantics/alg/expand/expansions.def"
#undef HY_BOUNDARY
  HY_BOUNDARY_COUNT
} hy_boundary;

const char *hy_boundary_name(hy_boundary boundary);
bool hy_boundary_takes_value(hy_boundary boundary);
bool hy_boundary_find(const char *name, hy_boundary *boundary); // false if nothing is called so

// func, continued outside of a box, at "coordinates" (func->rank of them, of type int). The box speaks of the first
// "treated" dimensions; the others are read as they come. "value" is what constant_exterior has outside, else NULL.
// "part" is which of its values.
//   returns: the expression; *access is the access to func in it
const hy_expr *hy_expand_boundary(hy_context *context, hy_boundary boundary, const hy_func *func, int part,
                                  const hy_interval *box, int treated, const hy_expr *const *coordinates,
                                  const hy_expr *value, const hy_expr **access);

/* -- inline reductions (reduction.c) -- */

typedef enum {
#define HY_REDUCTION(name, ...) HY_REDUCTION_##name,
#include "semantics/alg/expand/expansions.def"
#undef HY_REDUCTION
  HY_REDUCTION_COUNT
} hy_reduction;

const char *hy_reduction_name(hy_reduction reduction);
hy_op hy_reduction_op(hy_reduction reduction);         // what meets each value: ADD of sum; what compares: LT of argmin
bool hy_reduction_keeps_where(hy_reduction reduction); // it is a tuple: a number for each variable, and the value
bool hy_reduction_saturates(hy_reduction reduction);   // values meet by the derived operator, not by the core's
bool hy_reduction_find(const char *name, hy_reduction *reduction);

// a < b, a > b (op), of bools too, of which false comes first. requires: both of one type
const hy_expr *hy_expand_comes_before(hy_context *context, hy_op op, const hy_expr *a, const hy_expr *b);

// What its value begins with, and is where its domain is empty.
const hy_expr *hy_expand_start(hy_context *context, hy_reduction reduction, hy_type type);
// The same, once its update is known: the least number that a maximum's values can be, by their arithmetic, and the
// greatest of a minimum's, where the domain is not empty by its numbers, and has no predicate. The meaning is the same,
// and what the func's values lie between can be said (decision D88).
const hy_expr *hy_expand_start_nearer(hy_context *context, const hy_stage *update, const hy_expr *start);

/* -- the contract on floats (contract.c) -- */

typedef enum {
  HY_FLOATS_EXACT, // every operator rounds
  HY_FLOATS_FMA,   // a product in a sum does not
  HY_FLOATS_REAL,  // every operator rounds, and a schedule may sum, or take the least or greatest, in another order
  HY_FLOATS_COUNT,
} hy_float_contract;

const char *hy_float_contract_name(hy_float_contract contract);
bool hy_float_contract_find(const char *name, hy_float_contract *contract); // false if nothing is called so

// "op" of these operands, under the contract.
const hy_expr *hy_expand_contract(hy_context *context, hy_float_contract contract, hy_op op, hy_type type,
                                  const hy_expr *const *args);

/* -- derived operators (derived.c) -- */

typedef enum {
#define HY_DERIVED(name, ...) HY_DERIVED_##name,
#include "semantics/alg/expand/expansions.def"
#undef HY_DERIVED
  HY_DERIVED_COUNT
} hy_derived;

// The operands' type; the unsigned one of its width; that of twice the width, the same or signed; one that the operator
// names.
typedef enum {
  HY_RESULT_SAME,
  HY_RESULT_UNSIGNED,
  HY_RESULT_WIDE,
  HY_RESULT_WIDE_SIGNED,
  HY_RESULT_U8,
  HY_RESULT_U16,
  HY_RESULT_U32,
  HY_RESULT_U64,
  HY_RESULT_I8,
  HY_RESULT_I16,
  HY_RESULT_I32,
  HY_RESULT_I64,
  HY_RESULT_F32,
  HY_RESULT_F64,
  HY_RESULT_F16,
  HY_RESULT_BF16,
  HY_RESULT_BOOL,
} hy_derived_result;
static inline bool hy_derived_names_type(hy_derived_result result) { return result >= HY_RESULT_U8; }

// expansions.def says which types they are.
typedef enum {
  HY_OPERANDS_FIXED,
  HY_OPERANDS_NARROW,
  HY_OPERANDS_WHOLE,
  HY_OPERANDS_NUMBERS,
  HY_OPERANDS_FLOATS,
  HY_OPERANDS_SINGLE,
  HY_OPERANDS_WEIGHED,
  HY_OPERANDS_ALIKE,
  HY_OPERANDS_PARTS,
  HY_OPERANDS_RIGHT,
  HY_OPERANDS_PATTERN,
} hy_derived_operands;

const char *hy_derived_name(hy_derived derived);
int hy_derived_arity(hy_derived derived);
hy_derived_result hy_derived_result_of(hy_derived derived);
hy_derived_operands hy_derived_operands_of(hy_derived derived);
// Of what it stands for, written out: how often an operand stands in it, and how many nodes there are besides, at most.
uint32_t hy_derived_copies(hy_derived derived);
uint32_t hy_derived_own(hy_derived derived);
bool hy_derived_find(const char *name, hy_derived *derived);
bool hy_derived_takes(hy_derived derived, hy_type type); // may its operands be of this type?
// Of which operand that type is, where they have two: the second of RIGHT, else the first.
int hy_derived_leading(hy_derived derived);
// requires: hy_derived_takes(derived, type), 0 <= position < hy_derived_arity(derived)
hy_type hy_derived_operand_type(hy_derived derived, hy_type type, int position);
// requires: hy_derived_takes(derived, type)
hy_type hy_derived_type(hy_derived derived, hy_type type); // of the result
// Of f32 (fast.c). turn: 1 of a cosine.
const hy_expr *hy_expand_fast_exp(hy_context *context, const hy_expr *x);
const hy_expr *hy_expand_fast_log(hy_context *context, const hy_expr *x);
const hy_expr *hy_expand_fast_pow(hy_context *context, const hy_expr *x, const hy_expr *y);
const hy_expr *hy_expand_fast_sin(hy_context *context, const hy_expr *x, int turn);
const hy_expr *hy_expand_derived(hy_context *context, hy_derived derived, hy_type type, const hy_expr *const *args);

#endif
