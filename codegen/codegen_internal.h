#ifndef HY_CODEGEN_INTERNAL_H
#define HY_CODEGEN_INTERNAL_H

/* Emission of one target program as an LLVM module.
 *
 *   llvm_module.c    the module: entry points, signature, assumptions          calls
 *   llvm_ahead.c     the entries of an object file, and what lies beside them   calls
 *   llvm_entry.c     assumptions: what the entry checks                         calls
 *   llvm_stmt.c      statements: loops, guards, lets, assignments              calls
 *   llvm_branch.c    branches: scalar, under masks, lane by lane                and
 *   llvm_accumulate.c  reductions whose points stay in registers                and
 *   llvm_version.c   blocks of tiles, for whole tiles and for any               and
 *   llvm_unclamp.c   loops whose clamps change nothing but at borders           and
 *   llvm_weight.c    how much code a statement becomes, and which vectors      and
 *   llvm_parallel.c  parallel loops as functions of their own                  and
 *   llvm_profile.c   what a profile asks for                                   and
 *   llvm_allocate.c  storage: stack, heap, the caller's buffer                 and
 *   llvm_condition.c assumptions (defined and true), all-lanes tests           and
 *   llvm_vector.c    expressions over the lanes of a vectorized loop           which calls
 *   llvm_narrow.c    those of ints that fit 32 bits                            and
 *   llvm_memory.c    loads and stores                                          over
 *   llvm_offset.c    addresses                                                 and
 *   llvm_expr.c      one emitter per row of ops.def, scalar or vector          and
 *   llvm_divide.c    quotients and remainders of whole numbers                 and
 *   llvm_convert.c   floats as whole numbers                                   and
 *   llvm_math.c      the functions of math.def                                 over
 *   llvm_frame.c     functions being emitted: variables, captures, values known so far
 *   llvm_linear.c    indices as sums, so that addresses can be hoisted
 *   llvm_range.c     where ints lie, by what the entry has checked
 *   llvm_optimize.c  target machine and LLVM's passes;  llvm_jit.c loads the code;  native.c runs it
 */

#include "codegen/codegen.h"
#include "semantics/base/id_map.h"
#include "semantics/base/vec.h"
#include "semantics/expr/affine.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

typedef struct hy_emitter hy_emitter;
typedef struct hy_frame hy_frame;
typedef struct hy_accumulation hy_accumulation;
typedef struct hy_interleaving hy_interleaving;
typedef HY_VEC(const hy_var *) hy_var_list;

/* -- values over lanes -- */

// What a value looks like across the lanes of the vectorized loop being emitted.
typedef enum {
  HY_UNIFORM, // "value" is a scalar, the same in every lane (and always so outside vectorized loops)
  HY_RAMP,    // "value" is the scalar of lane 0; lane l has value + l * stride, modulo the type
  HY_VARYING, // "value" is a vector
} hy_lane_shape;

// Both ends included.
typedef struct hy_int_range {
  int64_t least, most;
} hy_int_range;

typedef struct hy_lanes {
  LLVMValueRef value;
  hy_lane_shape shape;
  int64_t stride; // HY_RAMP only
  int depth;      // of the innermost loop that it depends on; orders the terms of addresses
  // of type int
  bool has_range; // it lies in "range", whatever the input
  bool is_narrow; // HY_VARYING: the elements of the vector have 32 bits (llvm_narrow.c)
  hy_int_range range;
} hy_lanes;

/* -- storage -- */

typedef struct hy_storage {
  const hy_func *func;
  int part;            // of the func; each has storage of its own, all of one shape
  hy_type type;        // of that part
  hy_frame *frame;     // that its values belong to
  LLVMValueRef data;   // the element at the minimum of every dimension
  LLVMValueRef origin; // offset, in elements from "data", of the point (0, ..., 0); of folded dimensions nothing
  LLVMValueRef stride[HY_MAX_RANK];
  int64_t fold[HY_MAX_RANK]; // a coordinate counts modulo this; 0: it counts as it is
  bool may_be_undefined;     // on the stack: LLVM knows that it starts undefined, so loads are frozen (decision D7)
  bool constant;             // an image: never written during a run
  // Of a caller's buffer: "data" is loaded, and known to be a multiple of so many bytes, 0: of nothing; the corner.
  int64_t align;
  const hy_var *const *min;
} hy_storage;

/* -- variables -- */

typedef struct hy_binding_of_var {
  const hy_var *var;
  hy_frame *frame;
  hy_lanes lanes;
  const hy_expr *definition; // lets and unrolled loops; NULL if there is none
  LLVMValueRef first, count; // serial loops: the variable is first + count, and "count" goes up from 0; else NULL
} hy_var_binding;

/* -- ranges of int -- */

typedef struct hy_var_range {
  const hy_var *var;
  hy_int_range range;
  const hy_expr *values; // of a loop, all pieces together, or the half of a fused one: 0 <= var < values; else NULL
} hy_var_range;

/* -- values known so far -- */

typedef struct hy_known_value {
  const hy_expr *expr;
  hy_lanes lanes;
  uint32_t epoch; // of expressions that load: valid in this epoch only
} hy_known_value;

typedef struct hy_known_values {
  HY_VEC(hy_known_value) list; // in the order in which they were learnt, so that scopes can forget
  hy_id_map numbers;           // in the list, by expressions
} hy_known_values;

// A value of an enclosing frame, passed through the closure.
typedef struct hy_import {
  LLVMValueRef outer, inner;
} hy_import;

// A function being emitted: the pipeline's, or the body of a parallel loop.
struct hy_frame {
  hy_emitter *emitter;
  hy_frame *parent; // the frame that holds the parallel loop; NULL for the pipeline itself
  LLVMValueRef function;
  LLVMBuilderRef builder;
  LLVMBuilderRef entry_builder; // at the end of the entry block: allocas and captures
  LLVMValueRef closure;         // the pointer parameter
  HY_VEC(hy_import) imports;
  LLVMValueRef status;    // where a failure writes its number before it goes to ...
  LLVMBasicBlockRef fail; // ... here: frees what is allocated, and returns
  int depth;              // of loops, those of enclosing frames included
  bool scattered;         // data say what the innermost loop accesses: LLVM's vectors would not pay
  size_t stack_bytes;     // in allocas of storage so far
  hy_known_values *known; // NULL: nothing so far
  uint32_t epoch;         // rises with every statement
  // vectorized loops
  int lanes;                     // 1 outside
  LLVMValueRef mask;             // which lanes are active; NULL: all
  hy_accumulation *accumulation; // llvm_accumulate.c: what is being emitted thrice; NULL: nothing
  const hy_stmt *later;          // llvm_accumulate.c: pieces of a loop of which the first is empty; NULL: none
  hy_interleaving *interleaving; // llvm_interleave.c: stores that are held for one; NULL: none are
  // for a profile (llvm_profile.c)
  LLVMValueRef record, before; // this thread's; what it was doing when the function was called. NULL: there is none
  int64_t doing;               // what it is doing here
};

struct hy_emitter {
  hy_context *context;
  const hy_tgt *tgt;
  hy_codegen_options options;
  LLVMContextRef llvm;
  LLVMModuleRef module;
  const hy_target *target;
  LLVMTargetMachineRef machine;
  LLVMTypeRef i1, i8, i32, i64, f32, f64, pointer, nothing;
  HY_VEC(hy_var_binding) vars;           // innermost last
  HY_VEC(hy_storage) storages;           // innermost last
  HY_VEC(hy_var_range) ranges;           // that the entry has checked
  hy_affine_table *forms;                // of divisors and of what they divide (llvm_range.c)
  HY_VEC(const hy_stmt *) assumptions;   // status i + 1 is the failure of assumptions.data[i]
  uint64_t (*stack_bytes)[HY_MAX_PARTS]; // by hy_func.index and part: of its largest block on the stack
  bool *untimed;                         // by hy_func.index: some of it counts as its surroundings' (llvm_profile.c)
  // By hy_func.index and part: accesses to different funcs never meet, nor do those to different parts of one
  LLVMValueRef (*memory_tags)[HY_MAX_PARTS];
  unsigned tbaa_kind, invariant_kind, align_kind;
  LLVMValueRef invariant; // an empty metadata node
  int function_count;     // for names
  bool has_vectors;       // of loops that the schedule vectorizes
  bool is_laid;           // llvm_module.c: in the version for buffers that lie as the program says
  bool is_general;        // llvm_version.c: in the version for any lengths, of which there are no versions again
  bool is_border;         // llvm_unclamp.c: in the version for tiles that lie at borders
  bool is_compact;        // llvm_weight.c: loops stay loops, those over lanes too
  int64_t copies;         // that the unrolled loops around make of what is being emitted
  int mask_bytes;         // the least element that the processor loads and stores under masks; 0: none
};

/* -- llvm_frame.c -- */
hy_frame *hy_frame_new(hy_emitter *emitter, hy_frame *parent, LLVMValueRef function);
// Ends the function: the entry block branches to "start".
void hy_frame_finish(hy_frame *frame, LLVMBasicBlockRef start);
void hy_frame_free(hy_frame *frame);
LLVMBasicBlockRef hy_frame_block(hy_frame *frame, const char *name);
void hy_frame_at(hy_frame *frame, LLVMBasicBlockRef block); // continue there
// The value of an enclosing frame, as this frame has it.
LLVMValueRef hy_frame_import(hy_frame *frame, hy_frame *owner, LLVMValueRef value);
void hy_frame_bind(hy_frame *frame, const hy_var *var, hy_lanes lanes, const hy_expr *definition);
void hy_frame_bind_loop(hy_frame *frame, const hy_var *var, LLVMValueRef first, LLVMValueRef count);
bool hy_frame_can_compute(const hy_frame *frame, const hy_expr *expr); // its variables have values
const hy_var_binding *hy_frame_find_var(hy_frame *frame, const hy_var *var);
hy_lanes hy_frame_var(hy_frame *frame, const hy_var *var);
hy_storage hy_frame_storage(hy_frame *frame, const hy_func *func, int part); // its values, imported
// Of a pointer that is loaded: it is a multiple of so many bytes, a power of two.
void hy_emit_alignment(hy_emitter *e, LLVMValueRef load, int64_t align);
void hy_known_free(hy_known_values *known); // or NULL
const hy_lanes *hy_frame_known(hy_frame *frame, const hy_expr *expr);
void hy_frame_learn(hy_frame *frame, const hy_expr *expr, hy_lanes lanes);
// What is learned, bound and stored between the two is forgotten at the second: for branches and loop bodies.
typedef struct hy_frame_scope {
  size_t known, vars, storages;
} hy_frame_scope;
hy_frame_scope hy_frame_open(hy_frame *frame);
void hy_frame_close(hy_frame *frame, hy_frame_scope scope);

/* -- llvm_linear.c -- */
enum { HY_LINEAR_TERMS = 24 };
typedef struct hy_linear {
  int count;
  struct {
    const hy_expr *atom;
    int64_t factor;
  } terms[HY_LINEAR_TERMS];
  int64_t constant;
} hy_linear;
// "expr", of type int, as a sum; lets and unrolled variables are replaced by their definitions where those are sums.
hy_linear hy_linear_of(hy_frame *frame, const hy_expr *expr);
// A power of two, in bytes, of which the address is a multiple; of a vector that of its first lane
unsigned hy_access_alignment(hy_frame *frame, const hy_storage *storage, const hy_expr *const *coordinates);
// A constant that "expr", of type int, never exceeds: found by looking, as in min(e, 256).
bool hy_upper_bound(hy_frame *frame, const hy_expr *expr, int64_t *bound);

/* -- llvm_vector.c: expressions -- */
hy_lanes hy_emit(hy_frame *frame, const hy_expr *expr);
LLVMValueRef hy_emit_uniform(hy_frame *frame, const hy_expr *expr);         // requires: uniform
LLVMValueRef hy_emit_vector(hy_frame *frame, hy_lanes lanes, hy_type type); // a vector of frame->lanes
hy_lanes hy_lanes_uniform(LLVMValueRef value, int depth);
LLVMValueRef hy_ramp_vector(hy_frame *frame, LLVMTypeRef scalar, int64_t stride);
LLVMValueRef hy_splat(hy_frame *frame, LLVMValueRef value, int lanes);
// The number in every lane of that type.
LLVMValueRef hy_splat_int(hy_frame *frame, LLVMTypeRef type, uint64_t value, int lanes);

/* -- llvm_narrow.c: ints of 32 bits -- */
// A vector of frame->lanes, each of 32 bits. requires: of type int, and each lane fits.
LLVMValueRef hy_emit_narrow_vector(hy_frame *frame, hy_lanes lanes);
LLVMValueRef hy_widened(hy_frame *frame, LLVMValueRef narrow); // a vector or a scalar of 32 bits as one of 64
// What the node makes of its arguments, if it can be computed in 32 bits. requires: it varies. False: it cannot.
bool hy_emit_narrow(hy_frame *frame, const hy_expr *node, const hy_lanes *args, hy_lanes *result);
// Where the node lies, given where its arguments do.
void hy_lanes_learn_range(hy_frame *frame, const hy_expr *node, const hy_lanes *args, hy_lanes *lanes);

/* -- llvm_table.c: choices between many constants -- */
// The number by which "node" chooses, if it is such a choice; else NULL.
const hy_expr *hy_table_index(const hy_expr *node);
// What it chooses, by a load of constant memory. requires: what hy_table_index gives is known. False: it is none.
bool hy_emit_table(hy_frame *frame, const hy_expr *node, hy_lanes *result);

/* -- llvm_expr.c: operators -- */
// "args" all scalars, or all vectors of the same number of lanes
LLVMValueRef hy_emit_op(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args, int lanes);
LLVMTypeRef hy_emit_type(hy_emitter *emitter, hy_type type, int lanes);        // as a value
LLVMTypeRef hy_emit_memory_type(hy_emitter *emitter, hy_type type, int lanes); // as stored
LLVMValueRef hy_emit_const(hy_emitter *emitter, hy_value value);
LLVMValueRef hy_emit_i64(hy_emitter *emitter, int64_t i);
// Calls an overloaded intrinsic; "overloads" are the types that its name spells.
LLVMValueRef hy_emit_intrinsic(hy_frame *frame, const char *name, LLVMTypeRef const *overloads, int overload_count,
                               LLVMValueRef const *args, int count);

/* -- llvm_divide.c -- */
typedef struct hy_divided {
  LLVMValueRef quotient, remainder;
} hy_divided;
// GEN.Div; "node" divides or takes the remainder, "args" as for hy_emit_op
hy_divided hy_emit_division(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args, int lanes);

/* -- llvm_convert.c -- */
// A float, or a vector of them, as whole numbers of an integral type (GEN.Cast); "value" is what "argument" gave.
// May each lane be converted to i32 instead of int? Then where it lies afterwards.
bool hy_float_fits_i32(hy_emitter *emitter, const hy_expr *argument, hy_int_range *range);
LLVMValueRef hy_emit_float_to_integer(hy_frame *frame, const hy_expr *argument, LLVMValueRef value, hy_type to,
                                      int lanes);

/* -- llvm_half.c -- */
// f16 and bf16, as i16 or vectors of it: to f32, and from other types, rounded once (GEN.Half).
LLVMValueRef hy_emit_half_to_f32(hy_frame *frame, hy_type from, LLVMValueRef value, int lanes);
LLVMValueRef hy_emit_f32_to_half(hy_frame *frame, hy_type to, LLVMValueRef value, int lanes);
LLVMValueRef hy_emit_f64_to_half(hy_frame *frame, hy_type to, LLVMValueRef value, int lanes);
LLVMValueRef hy_emit_integer_to_half(hy_frame *frame, hy_type to, hy_type from, LLVMValueRef value, int lanes);
LLVMValueRef hy_emit_half_bits(hy_frame *frame, hy_type from, LLVMValueRef value, int lanes);

/* -- llvm_math.c -- */
// requires: the operator has a function in math.def; "args" as for hy_emit_op
LLVMValueRef hy_emit_math(hy_frame *frame, hy_op op, hy_type type, LLVMValueRef const *args, int lanes);

/* -- llvm_offset.c -- */
// How coordinates are read: as they are; as if no lane were clamped; as if halves were those of lane 0.
typedef enum { HY_READ_PLAIN, HY_READ_UNCLAMPED, HY_READ_HALVED } hy_reading;
typedef struct hy_offset {
  hy_lane_shape shape;
  LLVMValueRef base;        // the element, or lane 0's; HY_VARYING: what the distances are from
  LLVMValueRef distances;   // HY_VARYING: in elements, a vector
  LLVMValueRef lane_stride; // HY_RAMP: in elements, a scalar
  int64_t known_stride;     // HY_RAMP: lane_stride if it is constant, else 0
  // HY_READ_UNCLAMPED: one bit, whether no lane is clamped; HY_READ_HALVED: i64, 1 if lane 0 is odd. NULL: not so read
  LLVMValueRef condition;
} hy_offset;
hy_offset hy_offset_of(hy_frame *frame, const hy_storage *storage, const hy_expr *const *coordinates,
                       hy_reading reading);
// The element so far from "pointer".
LLVMValueRef hy_element_at(hy_frame *frame, const hy_storage *storage, LLVMValueRef pointer, LLVMValueRef distance);
// Neighbours in this dimension lie side by side, as is known when code is made.
bool hy_storage_is_dense(const hy_storage *storage, int dim);
bool hy_storage_is_folded(const hy_storage *storage); // in some dimension
// The atoms of an access's coordinates, to be emitted first; sets atoms[0 .. result)
int hy_access_atoms(hy_frame *frame, const hy_expr *const *coordinates, int rank, const hy_expr **atoms);
enum { HY_ACCESS_ATOMS = HY_MAX_RANK * HY_LINEAR_TERMS };

/* -- llvm_memory.c -- */
hy_lanes hy_emit_load(hy_frame *frame, const hy_expr *access);
void hy_emit_store(hy_frame *frame, const hy_func *func, int part, const hy_expr *const *coordinates, hy_lanes value);
// Of a func of one value: a vector whose lanes lie at the offset; one of any length, side by side from an element on.
void hy_emit_store_lanes(hy_frame *frame, const hy_func *func, const hy_offset *offset, LLVMValueRef value);
void hy_emit_store_dense(hy_frame *frame, const hy_func *func, LLVMValueRef first, LLVMValueRef value);

/* -- llvm_interleave.c -- */
struct hy_interleaving {
  const hy_func *func;
  int count, held; // iterations of the loop; stores so far
  hy_offset offsets[4];
  LLVMValueRef values[4];
};
// From here to the end the stores of the loop's iterations, "count" of them, are held. False: they are not.
bool hy_interleave_begin(hy_frame *frame, const hy_stmt *loop, int64_t count, hy_interleaving *interleaving);
// False: it is to be stored at once.
bool hy_interleave_hold(hy_frame *frame, const hy_func *func, const hy_offset *offset, LLVMValueRef value);
void hy_interleave_end(hy_frame *frame, hy_interleaving *interleaving);

/* -- llvm_range.c -- */
// The entry goes on only if the condition holds.
void hy_range_learn(hy_emitter *emitter, const hy_expr *condition);
// The ranges of a let and of a loop, from those of what they are made of.
void hy_range_bind(hy_emitter *e, const hy_var *var, const hy_expr *value);
void hy_range_bind_loop(hy_emitter *e, const hy_stmt *loop);
// Every number of type int in it fits 64 bits, whatever the input: then what holds in Z holds of the lanes of a ramp.
bool hy_range_never_left(hy_emitter *e, const hy_expr *expr);
// Where "expr", of type int, lies, whatever the input.
hy_int_range hy_range_of_value(hy_emitter *e, const hy_expr *expr);
// Is "expr", of type int, one number, as 8 - 2 is?
bool hy_range_is_number(hy_emitter *e, const hy_expr *expr, int64_t *number);
// Where the value of "node" lies if it is no error; "args" are the ranges of its arguments. "fits": the operator gives
// no error where its arguments are none.
hy_int_range hy_range_of(hy_emitter *emitter, const hy_expr *node, const hy_int_range *args, bool *fits);

/* -- llvm_weight.c -- */
// Would it become so much code, in so many copies, that it is better emitted once for all lanes?
bool hy_is_heavy(const hy_frame *frame, const hy_stmt *stmt, int64_t copies);
// How many lanes the next vector has, where so many are left of a loop over "body"; between one and all.
int hy_vector_lanes(const hy_emitter *emitter, const hy_stmt *body, int64_t lanes);

/* -- llvm_condition.c -- */
// One bit: the scalar condition is defined and true (decision D27).
LLVMValueRef hy_emit_checked(hy_frame *frame, const hy_expr *condition);
// One bit: is the condition true in every lane? Cheaper than the vector where ramps are compared.
// "fits": it is owed to fit 64 bits in each of them.
LLVMValueRef hy_emit_all_lanes(hy_frame *frame, const hy_expr *condition, bool fits);
LLVMValueRef hy_emit_any_lane(hy_frame *frame, LLVMValueRef vector);

/* -- llvm_entry.c -- */
void hy_emit_entry(hy_frame *frame);
void hy_emit_assume(hy_frame *frame, const hy_stmt *stmt);

/* -- llvm_stmt.c, llvm_parallel.c, llvm_allocate.c -- */
void hy_emit_stmt(hy_frame *frame, const hy_stmt *stmt);
void hy_emit_fail(hy_frame *frame, LLVMValueRef status); // ends the block
// Runs "body" for count = 0 .. len - 1
typedef void hy_loop_body(hy_frame *frame, LLVMValueRef count, void *self);
enum { HY_MOST_COPIES = 1024 }; // that unrolled loops inside each other make of a body; what asks for more stays a loop
typedef enum {
  HY_LOOP_FREE,  // LLVM may do as it likes: innermost scalar loops
  HY_LOOP_OUTER, // no copies for an unknown number of iterations
  HY_LOOP_PLAIN, // neither copies nor vectors
} hy_loop_advice;
void hy_emit_loop(hy_frame *frame, LLVMValueRef len, const char *name, hy_loop_advice advice, hy_loop_body *body,
                  void *self);
// The same of a loop that is none of a reduction's: nothing inside is accumulated further out.
void hy_emit_loop_apart(hy_frame *frame, LLVMValueRef len, const char *name, hy_loop_advice advice, hy_loop_body *body,
                        void *self);
hy_loop_advice hy_advice_for(const hy_frame *frame, const hy_stmt *body);
void hy_emit_if(hy_frame *frame, const hy_stmt *stmt); // llvm_branch.c
// llvm_version.c: emits a block by "body", or two versions of it.
typedef void hy_emit_body(hy_frame *frame, const hy_stmt *stmt);
void hy_emit_versions(hy_frame *frame, const hy_stmt *block, hy_emit_body *body);
// llvm_unclamp.c: emits the loop in pieces or in versions, each by "emit". False: it is to stay whole, and nothing was
// emitted.
bool hy_emit_unclamped(hy_frame *frame, const hy_stmt *loop, hy_emit_body *emit);
void hy_emit_parallel(hy_frame *frame, const hy_stmt *loop);
/* -- llvm_accumulate.c -- */
bool hy_emit_accumulation(hy_frame *frame, const hy_stmt *loop); // false: it is none, and nothing was emitted
// While one is emitted: its statement, and what it reads of its own func.
void hy_accumulate(hy_frame *frame, const hy_stmt *assign);
bool hy_accumulation_holds(const hy_frame *frame, const hy_func *func);
hy_lanes hy_accumulation_read(hy_frame *frame, int part);
bool hy_accumulation_skips(const hy_frame *frame);                     // no loops of the reduction are emitted
bool hy_accumulation_varies(const hy_frame *frame, const hy_var *var); // requires: one is being emitted
// The pieces of a loop of the reduction, on the same cells: only the first loads and stores them; or all but the first,
// where that is known to be empty (hy_frame.later). False: they are none, and nothing was emitted.
bool hy_accumulate_pieces(hy_frame *frame, const hy_stmt *seq);
// Iterations of an unrolled loop of the reduction go on with the same points.
size_t hy_accumulation_mark(const hy_frame *frame);
void hy_accumulation_again(hy_frame *frame, size_t mark);
// Makes the storage of a part of an ALLOCATE and pushes it; its end is hy_emit_release, in reverse order, at the end of
// the block.
typedef struct hy_allocation {
  const hy_func *func;
  int part;
  LLVMValueRef heap;       // to be freed; NULL if on the stack or the caller's
  LLVMValueRef is_copy;    // the output: one bit, whether the window must be copied at the end; NULL if not
  LLVMBasicBlockRef outer; // where failures went before
} hy_allocation;
hy_allocation hy_emit_allocate(hy_frame *frame, const hy_stmt *allocate, int part);
void hy_emit_release(hy_frame *frame, const hy_allocation *allocation);
LLVMValueRef hy_emit_runtime_call(hy_frame *frame, const char *name, LLVMTypeRef result, LLVMValueRef const *args,
                                  int count);

/* -- llvm_module.c -- */
void hy_bind_startup(hy_frame *frame); // parameters, images, the window, from the slots that "closure" points to
int hy_type_code(hy_type type);        // halide_type_code_t
hy_emitter *hy_emitter_new(hy_context *context, const hy_tgt *tgt, const hy_codegen_options *options);
void hy_emitter_run(hy_emitter *emitter); // makes and verifies the module
void hy_emitter_free(hy_emitter *emitter);
int hy_emitter_assumption(hy_emitter *emitter, const hy_stmt *assume); // its status
// Slots of the internal entry: every parameter, then every image, then the output.
int hy_slot_of_param(const hy_alg *alg, int param);
int hy_slot_of_image(const hy_alg *alg, int image);
int hy_slot_of_output(const hy_alg *alg, int part); // by its place in hy_alg.parts
int hy_slot_count(const hy_alg *alg);
void hy_entry_name(const hy_alg *alg, const char *suffix, char *name, size_t size); // "P_argv"

/* -- llvm_ahead.c -- */
LLVMValueRef hy_ahead_regions(hy_emitter *emitter); // before the program: nothing has been checked when it is called
void hy_ahead_entries(hy_emitter *emitter, LLVMValueRef regions, LLVMValueRef pipeline);

/* -- llvm_profile.c: nothing, unless options.profile -- */
void hy_profile_frame(hy_frame *frame);                              // at the start of a function
void hy_profile_leave_frame(hy_frame *frame);                        // before it returns
int64_t hy_profile_enter(hy_frame *frame, int64_t doing);            // what was done before, to be entered again
int64_t hy_profile_compute(hy_frame *frame, const hy_stmt *compute); // the same of its func, if that is told apart
int64_t hy_profile_wait(hy_frame *frame);                            // the same for a parallel loop's end
void hy_profile_count(hy_frame *frame, const hy_stmt *assign);       // its points

/* -- llvm_optimize.c -- */
const hy_target *hy_target_of(const hy_codegen_options *options);
LLVMTargetMachineRef hy_target_machine(const hy_codegen_options *options);
int hy_target_mask_bytes(const hy_codegen_options *options); // see hy_emitter
void hy_target_describe(hy_emitter *emitter);
// llvm_features.c. requires: the module is complete, and not optimized yet
void hy_target_restrict(hy_emitter *emitter);
void hy_advise_loop(hy_emitter *emitter, LLVMValueRef back, hy_loop_advice advice,
                    bool vectors); // the loop that "back" repeats
void hy_optimize(hy_emitter *emitter);

/* -- native.c, for guard.c as well -- */
typedef int32_t hy_native_entry(const int64_t *slots);
struct hy_native {
  const hy_alg *alg;
  struct hy_jit *jit;
  hy_native_entry *run;
  hy_native_argv *argv;
  hy_guard guard;
  const hy_func *const *funcs; // the program's
  int func_count;
  uint64_t (*stack_bytes)[HY_MAX_PARTS];
  bool *untimed;
  HY_VEC(const hy_stmt *) assumptions; // by status - 1
  const hy_tgt *tgt;
};
void hy_native_fill_buffer(int64_t *slots, const hy_buffer *buffer);
HY_GIVE int64_t *hy_native_slots(const hy_native *native, const hy_input *input); // all but the outputs'
// Buffers as the program would like them (GEN.Laid), or with what it demands alone (GEN.Demand).
typedef enum { HY_NATIVE_AS_SAID, HY_NATIVE_AS_DEMANDED } hy_native_way;
bool hy_native_can_lie(const hy_native *native, const hy_func *func, const hy_buffer *buffer, hy_native_way way);
// The strides that a buffer of that box has then. requires: it can lie so
void hy_native_stride(const hy_native *native, const hy_func *func, hy_buffer *buffer, hy_native_way way);
int32_t hy_native_call(const hy_native *native, const int64_t *slots);
hy_native_result hy_native_result_of(const hy_native *native, int32_t status);

/* -- llvm_jit.c -- */
typedef struct hy_jit hy_jit;
hy_jit *hy_jit_load(LLVMMemoryBufferRef object); // takes the object
void *hy_jit_find(hy_jit *jit, const char *name);
void hy_jit_free(hy_jit *jit);

#endif
