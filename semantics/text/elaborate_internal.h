#ifndef HY_ELABORATE_INTERNAL_H
#define HY_ELABORATE_INTERNAL_H

/* Inside elaboration: types as slots that are unified, and the tree between syntax and expressions.
 *
 * elaborate.c gives names their meaning and makes the tree, elaborate_forms.c and elaborate_named.c do so for forms
 * that the core has not, typing.c unifies the slots and says what does not fit, elaborate_build.c makes expressions of
 * it.
 */

#include "semantics/alg/expand/expand.h"
#include "semantics/text/syntax_internal.h"

// A type that is being found. Slots that must be equal are joined (union-find); the root's fields count.
typedef struct hy_slot {
  int parent;    // itself for a root
  bool known;    // "type" is it
  bool fraction; // a float of a width not yet known: a literal with a point, an operand of sin
  bool bad;      // was complained about; fits everything
  hy_type type;
} hy_slot;

typedef enum {
  HY_NEED_NUMBER,
  HY_NEED_ORDERED, // a number or a bool: what argmin and argmax compare
  HY_NEED_INTEGER,
  HY_NEED_FLOAT,
  HY_NEED_NO_FLOAT,
  HY_NEED_NO_STORAGE
} hy_need_kind;

// What an operator asks of an operand; checked once all types are found.
typedef struct hy_need {
  hy_need_kind kind;
  const hy_typed *operand;
  const hy_syntax *syntax; // of the operator
  const hy_syntax *use;    // as of hy_typed
  hy_op op;
} hy_need;

typedef enum {
  HY_TYPED_BAD,
  HY_TYPED_LITERAL,
  HY_TYPED_VAR,
  HY_TYPED_ACCESS,
  HY_TYPED_OP,
  HY_TYPED_HOLE,
  HY_TYPED_START,    // what a reduction begins with
  HY_TYPED_DERIVED,  // of its arguments
  HY_TYPED_BUILT,    // "built" is it
  HY_TYPED_TUPLE,    // the values of a stage
  HY_TYPED_BOUNDARY, // coordinates, min and len of each dimension that is treated (none: the image's own box), the
                     // value
} hy_typed_kind;

struct hy_typed {
  hy_typed_kind kind;
  const hy_syntax *syntax;
  const hy_syntax *shown; // what messages quote: the name that stands for it, else the syntax
  const hy_syntax *use;   // the name that stands for the expression of which this is a part; NULL if it stands itself
  const hy_syntax *shift; // LITERAL: the operator that shifts by it; NULL if none does
  int slot;
  hy_op op; // OP; a CAST's type is its slot's
  const hy_var *var;
  const hy_func *func;
  int part; // ACCESS, BOUNDARY
  const hy_hole *hole;
  hy_boundary boundary; // BOUNDARY, of func
  int interval_count;   // of them among the arguments
  hy_derived derived;   // DERIVED
  int height, nesting;  // of the tree, lets expanded
  uint32_t nodes;
  const hy_expr *built;
  int count;
  hy_typed **args;
};

typedef struct hy_let {
  const char *name;
  hy_typed *value;
  bool is_func; // an argument of a helper that is one
} hy_let;

struct hy_elaboration {
  hy_context *context;
  const hy_scope *scope;
  hy_diagnostics *diagnostics;
  hy_arena *arena;
  size_t first_error;
  bool is_open;      // some types are known only where this stands: it is the value of a helper
  bool is_too_large; // reported once: what contains such an expression is too large as well
  int uses;          // of constants and helpers so far: each is read anew, also where nothing of it is left
  int depth;         // of what is being read, helpers in helpers among it
  const hy_syntax *use;
  const char *helper; // whose text is being read, written out for a call
  const hy_func *own;
  int own_slots[HY_MAX_PARTS]; // of its parts
  bool own_meets_bad[HY_MAX_PARTS];
  HY_VEC(hy_slot) slots;
  HY_VEC(hy_need) needs;
  HY_VEC(hy_let) lets; // in scope are those from first_let on
  size_t first_let;
  HY_VEC(hy_typed *) values; // of all lets
  hy_sum_sites sums;         // that were built, and nobody took
};

bool hy_elaboration_gave_up(const hy_elaboration *e); // has reported as much as anybody reads
bool hy_elaboration_is_broken(const hy_elaboration *e, const hy_func *func);
char *hy_elaboration_coordinates(hy_elaboration *e, const hy_func *func); // "in(e0, e1)"

/* -- nodes -- */
hy_typed *hy_typed_leaf(hy_elaboration *e, hy_typed_kind kind, const hy_syntax *syntax, int slot);
hy_typed *hy_typed_bad(hy_elaboration *e, const hy_syntax *syntax); // what was complained about
hy_typed *hy_typed_branch(hy_elaboration *e, hy_typed_kind kind, const hy_syntax *syntax, hy_typed model,
                          hy_typed *const *args, int count);
hy_typed *hy_typed_within_limits(hy_elaboration *e, hy_typed *node); // itself, or a bad one after a report
hy_typed *hy_typed_unknown(hy_elaboration *e, const hy_syntax *name);

/* -- elaborate_forms.c: what stands for core expressions -- */
// What a path stands for: in.max(0)
hy_typed *hy_typed_built(hy_elaboration *e, const hy_syntax *syntax, const hy_expr *expr);
// Is it the name of a boundary condition, which nothing in scope has?
bool hy_elaboration_is_boundary(hy_elaboration *e, const hy_syntax *name, hy_boundary *boundary);
// "call" is repeat_edge(f, ..)(x, ..)
// Says so once, and what is there is bad.
hy_typed *hy_elaboration_too_large(hy_elaboration *elaboration, const hy_syntax *syntax, const char *what, int limit);
// "written" is the call itself, or a part of it.
hy_typed *hy_elaboration_read_boundary(hy_elaboration *e, const hy_syntax *written, hy_boundary boundary);
hy_typed *hy_elaboration_boundary_as_value(hy_elaboration *e, const hy_syntax *condition); // reports
// Keeps where the access stands, and its indices; "sites" may be NULL.
void hy_elaboration_note_access(hy_elaboration *e, const hy_typed *typed, const hy_expr *access,
                                hy_access_sites *sites);
const hy_expr *hy_elaboration_build_boundary(hy_elaboration *e, const hy_typed *typed, const hy_expr *const *args,
                                             hy_access_sites *sites);

/* -- elaborate_derived.c -- */
bool hy_elaboration_is_derived(hy_elaboration *e, const hy_syntax *name, hy_derived *derived); // as _is_boundary
bool hy_elaboration_is_mux(hy_elaboration *e, const hy_syntax *name);                          // as _is_boundary
hy_typed *hy_elaboration_read_derived(hy_elaboration *e, const hy_syntax *call, hy_derived derived);
const hy_expr *hy_elaboration_build_derived(hy_elaboration *e, const hy_typed *typed, const hy_expr *const *args);
bool hy_elaboration_has_arity(hy_elaboration *e, const hy_syntax *call, int wanted); // of a built-in name; reports

/* -- elaborate_named.c: names that stand for expressions -- */
const hy_named *hy_elaboration_named(const hy_elaboration *e, const hy_syntax *name); // NULL if it is none
// "name" stands alone, or "call" is h(a, b) and "helper" is h.
hy_typed *hy_elaboration_read_named(hy_elaboration *e, const hy_syntax *name, const hy_named *named);
hy_typed *hy_elaboration_read_helper(hy_elaboration *e, const hy_syntax *call, const hy_named *helper);
// What is written out for a call of a helper: "read" of it, with what is said of it.
hy_typed *hy_elaboration_read_written(hy_elaboration *e, const hy_syntax *syntax);
hy_typed *hy_elaboration_read_plain(hy_elaboration *e, const hy_syntax *syntax); // what is the func's own

/* -- elaborate_open.c: the value of a helper, looked at by itself -- */
const hy_let *hy_elaboration_let(const hy_elaboration *e, const char *name); // in scope, or NULL
bool hy_elaboration_is_func_argument(const hy_elaboration *e, const hy_syntax *name);
hy_typed *hy_elaboration_read_reduction(hy_elaboration *e, const hy_syntax *syntax);
// What an argument that is a func has at coordinates, or as its box: of some type. NULL: it speaks of none.
hy_typed *hy_elaboration_read_of_argument(hy_elaboration *e, const hy_syntax *syntax);
// f(x)[1], t[0] of what may have several values. NULL: it has none.
// Does a call give what the number is made of? Something in it is an argument, or a let.
bool hy_elaboration_is_given(const hy_elaboration *e, const hy_syntax *number);
hy_typed *hy_elaboration_read_open_part(hy_elaboration *e, const hy_syntax *index);
// Adds to the last error where it is that "use" stands for what has it; nothing if that is NULL.
void hy_elaboration_note_use(hy_elaboration *e, const hy_syntax *use);

/* -- typing.c -- */
int hy_slot_new(hy_elaboration *e);
int hy_slot_of(hy_elaboration *e, hy_type type);
int hy_slot_bad(hy_elaboration *e);
hy_slot *hy_slot_root(hy_elaboration *e, int slot);
bool hy_slot_join(hy_elaboration *e, int a, int b); // false if two types meet
void hy_slot_needs_float(hy_elaboration *e, int slot);
void hy_typing_need(hy_elaboration *e, hy_need_kind kind, const hy_typed *operand, const hy_syntax *syntax, hy_op op);
void hy_typing_want_own_part(hy_elaboration *e, hy_typed *typed, int part);
// Two operands of one operator must have one type; reports and returns false if not.
bool hy_typing_same(hy_elaboration *e, const hy_typed *a, const hy_typed *b, const hy_syntax *syntax, const char *op);
// The same of & | ^ << and >>
bool hy_typing_same_bits(hy_elaboration *e, const hy_typed *a, const hy_typed *b, const hy_syntax *syntax, hy_op op);
extern const char hy_storage_rule[];                         // what HY0224 quotes
const char *hy_typing_describe(hy_elaboration *e, int slot); // "u8", "a float", ...
// Can the type hold the literal? An integer literal may stand where a float is wanted.
bool hy_literal_fits(const hy_syntax *literal, hy_type type);
// "TYPE(as written)"
const char *hy_typing_convert(hy_elaboration *e, hy_type type, const hy_syntax *syntax);

#endif
