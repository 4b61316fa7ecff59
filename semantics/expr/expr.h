#ifndef HY_EXPR_H
#define HY_EXPR_H

/* Expressions of both languages (paper, Figure 4; holes: definition 6.3), and the symbols that they mention.
 *
 * Immutable, typed, hash-consed: two expressions are equal iff their pointers are. Constructors assert typing, so a
 * node that exists is well typed. A rewrite that changes nothing returns the same pointer. Everything lives in its
 * context.
 */

#include "semantics/base/diagnostic.h"
#include "semantics/base/vec.h"
#include "semantics/expr/context.h"
#include "semantics/value/value.h"

typedef struct hy_expr hy_expr;
typedef HY_VEC(const hy_expr *) hy_expr_list;
typedef struct hy_func hy_func;
typedef struct hy_var hy_var;
typedef struct hy_hole hy_hole;

enum { HY_MAX_RANK = 8, HY_MAX_ARITY = 3, HY_MAX_PARTS = 8 };

/* -- symbols -- */

// A func or an input image, as a symbol: its definition, if it has one, is elsewhere (alg.h). An image is a func with a
// given Mem (decision D14). Symbols are unique by pointer; names are for display (decision D24).
struct hy_func {
  const char *name;
  uint32_t index; // dense within one pipeline: images first, then funcs, in the order of definition
  hy_type type;   // of its value; of a tuple that of part 0
  int more;       // values that a point has beside that one: a tuple's parts 1, 2, ... (decision D80)
  hy_type more_types[HY_MAX_PARTS - 1];
  int rank;
  bool is_image;
  const char *const *dims;  // names of the dimensions; for an image "0", "1", ...
  const hy_var *const *min; // images only: the startup variables in.min(0), ...
  const hy_var *const *len; // images only
  hy_loc loc;
};

static inline int hy_func_parts(const hy_func *func) { return 1 + func->more; }
static inline hy_type hy_func_type(const hy_func *func, int part) {
  return part ? func->more_types[part - 1] : func->type;
}
size_t hy_func_bytes(const hy_func *func); // of the values of one point

typedef enum {
  HY_VAR_PURE,       // x of a func's definition; func, name
  HY_VAR_RDOM,       // r of an update stage; func, stage, name
  HY_VAR_PARAM,      // a scalar parameter; name
  HY_VAR_IMAGE_MIN,  // in.min(d): func is the image, dim
  HY_VAR_IMAGE_LEN,  // in.len(d)
  HY_VAR_WINDOW_MIN, // the realization window of the output in dimension dim: prints as x.min
  HY_VAR_WINDOW_LEN, // x.len
  HY_VAR_LOOP,  // a loop of a target program, or the let that a directive put in its place: func, spec, stage, name
  HY_VAR_FRESH, // an unknown of the solver; name
} hy_var_kind;

struct hy_var {
  hy_var_kind kind;
  hy_type type;
  uint32_t id; // unique in the context
  const char *name;
  const hy_func *func; // by kind, see above; NULL otherwise
  int dim;
  int spec;  // HY_VAR_LOOP: 0 = the default branch
  int stage; // HY_VAR_LOOP and HY_VAR_RDOM: 0 = the pure stage
};

bool hy_var_is_startup(const hy_var *var); // parameters, image boxes, the window
// "h.s1.x" or "h.z2.s1.x" for loops, "in.min(0)", "x.min", else the name.
void hy_var_print(const hy_var *var, hy_text *out);

typedef enum {
  HY_HOLE_MEM,  // allocation of func
  HY_HOLE_CPU,  // computation of func
  HY_HOLE_FOR,  // the loop "loop", of a stage that is not the last (decision D41), or whose computation keeps (D85)
  HY_HOLE_NEED, // the region of the image "func" that the program reads (decisions D14, D43)
} hy_hole_kind;

struct hy_hole {
  hy_hole_kind kind;
  bool is_len; // the length of the interval, else its minimum
  const hy_func *func;
  int dim;            // of func; for HY_HOLE_FOR the dimension that the loop ranges over
  const hy_var *loop; // HY_HOLE_FOR only
};

/* -- expressions -- */

typedef enum {
  HY_EXPR_CONST,
  HY_EXPR_VAR,
  HY_EXPR_ACCESS,
  HY_EXPR_OP,
  HY_EXPR_HOLE,
  HY_EXPR_TUPLE, // the values of a stage or assignment of a tuple, and nothing else: never below another node
} hy_expr_kind;

struct hy_expr {
  hy_expr_kind kind;
  hy_type type;
  hy_op op;    // HY_EXPR_OP
  int part;    // HY_EXPR_ACCESS: which value of the func; 0 where it has one
  uint32_t id; // unique in the context, children's are smaller
  uint64_t hash;
  bool has_access, has_hole, has_var; // anywhere below
  bool has_box;                       // an end of an image's box
  bool has_conversion; // a load, or a conversion that may change the number: from and of wide integers and floats
  uint64_t var_bits;   // of each variable its id modulo 64: of those not here none is below
  union {
    hy_value value;      // HY_EXPR_CONST
    const hy_var *var;   // HY_EXPR_VAR
    const hy_func *func; // HY_EXPR_ACCESS: args are the coordinates, of type int
    const hy_hole *hole; // HY_EXPR_HOLE: of type int
  };
  int count;
  const hy_expr *args[]; // HY_EXPR_ACCESS: func->rank of them; HY_EXPR_OP: the operator's arity; HY_EXPR_TUPLE: a value
                         // for each part; its type is that of part 0
};

const hy_expr *hy_expr_const(hy_context *context, hy_value value);
const hy_expr *hy_expr_int(hy_context *context, int64_t i);
const hy_expr *hy_expr_bool(hy_context *context, bool b);
const hy_expr *hy_expr_var(hy_context *context, const hy_var *var);
const hy_expr *hy_expr_access(hy_context *context, const hy_func *func, const hy_expr *const *coordinates);
// The same of a tuple's part.
const hy_expr *hy_expr_access_part(hy_context *context, const hy_func *func, int part,
                                   const hy_expr *const *coordinates);
// The values of all parts; one value is itself.
const hy_expr *hy_expr_tuple(hy_context *context, const hy_expr *const *values, int count);
const hy_expr *hy_expr_hole(hy_context *context, const hy_hole *hole);
// "type" matters for CAST and is otherwise what hy_op_result gives.
const hy_expr *hy_expr_op(hy_context *context, hy_op op, hy_type type, const hy_expr *const *args);
const hy_expr *hy_expr_unary(hy_context *context, hy_op op, const hy_expr *a);
const hy_expr *hy_expr_binary(hy_context *context, hy_op op, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_expr_select(hy_context *context, const hy_expr *c, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_expr_cast(hy_context *context, hy_type type, const hy_expr *a);
// Conjunction and disjunction that know their constants: and(true, a) is a.
const hy_expr *hy_expr_and(hy_context *context, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_expr_or(hy_context *context, const hy_expr *a, const hy_expr *b);

// Index arithmetic (type int): constants folded, neutral elements dropped.
const hy_expr *hy_index_add(hy_context *context, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_index_sub(hy_context *context, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_index_mul(hy_context *context, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_index_div(hy_context *context, const hy_expr *a, const hy_expr *b);
const hy_expr *hy_index_min(hy_context *context, const hy_expr *a, const hy_expr *b);

// The type of an operator's result for arguments of these types; false if they do not fit the row.
bool hy_op_result(hy_op op, const hy_type *args, hy_type *result);
// Which rule of arithmetic it follows on ordinary values of these types; "type" is that of its first argument.
hy_rule hy_op_rule(hy_op op, hy_type type);

/* -- questions -- */

const hy_expr *hy_expr_zeros(hy_context *context, const hy_func *func); // what a stage may store: 0 in each part
// Of what a stage or assignment stores: how many values there are, and each.
int hy_expr_parts(const hy_expr *values);
const hy_expr *hy_expr_part(const hy_expr *values, int part);
// Does it have a value of the right type for each part of the func?
bool hy_expr_suits(const hy_expr *values, const hy_func *func);

bool hy_expr_is_int(const hy_expr *expr, int64_t *value); // a constant of type int
bool hy_expr_is_true(const hy_expr *expr);
bool hy_expr_is_false(const hy_expr *expr);
bool hy_expr_mentions(const hy_expr *expr, const hy_var *var);
// Definition 4.4, with image boxes and, in target programs, the window: no accesses, no holes, startup variables only.
bool hy_expr_is_startup(const hy_expr *expr);

// Calls "visit" once for every node reachable from "expr", children first.
void hy_expr_visit(const hy_expr *expr, void (*visit)(void *self, const hy_expr *node), void *self);
// The same of several expressions: once for every node reachable from any of them.
void hy_expr_visit_each(const hy_expr *const *exprs, size_t count, void (*visit)(void *self, const hy_expr *node),
                        void *self);
// The same of the accesses alone.
void hy_expr_visit_accesses(const hy_expr *expr, void (*visit)(void *self, const hy_expr *access), void *self);

/* -- rewriting -- */

// Rebuilds "expr" bottom-up; "map" is asked for every VAR, HOLE, CONST and (with rebuilt arguments) ACCESS and OP node,
// and returns it or its replacement. Each distinct node is asked once.
typedef const hy_expr *hy_expr_mapper(void *self, const hy_expr *node);
const hy_expr *hy_expr_map(hy_context *context, const hy_expr *expr, hy_expr_mapper *map, void *self);

typedef struct hy_binding {
  const hy_var *var;
  const hy_expr *expr;
} hy_binding;
// Simultaneous substitution of variables.
const hy_expr *hy_expr_substitute(hy_context *context, const hy_expr *expr, const hy_binding *bindings, size_t count);

/* -- making symbols -- */

// A new variable, different from all others (kinds other than HY_VAR_LOOP).
const hy_var *hy_var_new(hy_context *context, hy_var_kind kind, hy_type type, const char *name, const hy_func *func,
                         int dim, int stage);
// The loop variable of that name: always the same pointer for the same four things (lemma 6.1).
const hy_var *hy_var_loop(hy_context *context, const hy_func *func, int spec, int stage, const char *name);
const hy_hole *hy_hole_get(hy_context *context, hy_hole kind_and_place); // interned by content

// Printing; parses back to the same pointer in the scope it came from. "alg" style names variables plainly.
void hy_expr_print(const hy_expr *expr, hy_text *out);
// For messages: at most so many characters of it, then "...". Looks at each distinct node once, however large the tree.
void hy_expr_print_brief(const hy_expr *expr, size_t most, hy_text *out);

// The conjuncts "v == constant" of a condition, v an int known at startup, as bindings; at most "room" of them.
//   returns: how many
size_t hy_expr_equations(const hy_expr *condition, hy_binding *bindings, size_t room);

#endif
