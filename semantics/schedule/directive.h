#ifndef HY_DIRECTIVE_H
#define HY_DIRECTIVE_H

/* The scheduling language (paper, Figure 11) after desugaring: one directive is one transformation of a target program.
 * And the schedule as written, before: calls of directives and chains in Halide's spelling.
 */

#include "semantics/text/syntax.h"
#include "semantics/tgt/tgt.h"

/* -- as written -- */

// One argument of a call: an expression; a dotted path of names ("h.s1.x") is one, and has its parts split out too.
typedef struct hy_argument {
  hy_loc loc;
  const char *path[4]; // names
  int path_count;      // 0 if it is not a path
  const hy_syntax *syntax;
} hy_argument;

typedef struct hy_call {
  const char *name;
  hy_loc loc;
  const hy_argument *args;
  int count;
} hy_call;

// "split(h.x, xo, xi, 8);" has func NULL and one call; "bv.tile(...).parallel(y);" has func "bv" and its calls in
// order.
typedef struct hy_schedule_item {
  const char *func;
  hy_loc loc;
  const hy_call *calls;
  int count;
} hy_schedule_item;

typedef struct hy_schedule {
  const char *name, *pipeline;
  hy_loc loc, pipeline_loc;
  bool default_inline;  // "default inline;" stands at its head
  const char *typed[2]; // funcs that a statement names that is being typed and is left out; NULL: none
  const hy_schedule_item *items;
  int count;
} hy_schedule;

void hy_schedule_item_print(const hy_schedule_item *item, hy_text *out); // "bv.tile(x, y, xi, yi, 8, 8).parallel(y);"

/* -- what a directive is: one record each, at the end of sched/NAME.c; a plug-in makes one when it is loaded -- */

// The paper's (Figure 11), funcs that are added and inlining before them, copies between them, and storage plans behind
// them; they are applied in this order.
typedef enum {
  HY_PHASE_FUNCS,
  HY_PHASE_INLINE,
  HY_PHASE_SPECIALIZE,
  HY_PHASE_LOOPS,
  HY_PHASE_COPIES,
  HY_PHASE_COMPUTE,
  HY_PHASE_STORAGE,
  HY_PHASE_BOUNDS,
  HY_PHASE_PLAN,
} hy_phase;
enum { HY_PHASES = HY_PHASE_PLAN + 1 };

// What a directive promises of the order in which a stage copy's points are assigned: its list of instances, each with
// the values of the stage's pure variables (the pure key) and of its reduction variables (the rdom key), after against
// before.
typedef enum {
  HY_ORDER_EQUAL,    // ORD.Equal: the same list                                       split with a guard, fuse,
                     // specialize,
                     //                                                                storage plans
  HY_ORDER_PERMUTED, // ORD.Permuted: another order, the same within each pure key     swap, traverse
  HY_ORDER_EXTRA,    // ORD.Extra: the same list but for points outside of Cpu         a tail that leaves the dimension
  HY_ORDER_REPEATED, // ORD.Repeated: every point of Cpu at least once; stage 0 only   shift, a nested round
  HY_ORDER_MOVED,    // ORD.Moved: given its box, each computation's own list          compute_at, store_at
  HY_ORDER_KEPT,     // ORD.Kept: every point of Cpu that was not in the Cpu before at least once            slide
  HY_ORDER_BOX,      // ORD.Box: given its box, too; the box itself may change         bound, bound_extent, align_bounds
} hy_order_class;

// How each argument is written in a schedule, and the field of hy_directive that it fills. A list ends with
// HY_TAKES_END.
typedef enum hy_takes {
  HY_TAKES_END,
  HY_TAKES_FUNC,       // f: "func". In a chain it is the chain's and not written
  HY_TAKES_LOOP,       // f.x, in a chain x: "loop"
  HY_TAKES_SITE,       // g.x, or root: "loop"
  HY_TAKES_INNER,      // x: the next of "names"; the loop directly inside the one before, of the same stage
  HY_TAKES_AROUND,     // y: the next of "names"; a loop of the same stage somewhere around
  HY_TAKES_NAME,       // xo: the next of "names"; new, for a loop that the directive makes
  HY_TAKES_FACTOR,     // 8 or w: the next of "args", known when the pipeline starts; at least 1
  HY_TAKES_LENGTH,     // the same; at least 0. The expression before it, if there is one, is the minimum
  HY_TAKES_EXPR,       // the same; any whole number
  HY_TAKES_NUMBER,     // the same; a constant
  HY_TAKES_REMAINDER,  // the same; 0 if it is left out
  HY_TAKES_DIMENSION,  // x: "dim", of "func"
  HY_TAKES_DIMENSIONS, // y, x: "dims", of "func": two or more, the last argument
  HY_TAKES_STORE,      // stack or heap: "store"
  HY_TAKES_TAIL,       // "tail"; guard if it is left out
  HY_TAKES_TRAVERSAL,  // "traversal"
  HY_TAKES_CONDITIONS, // "conditions": one or more
  HY_TAKES_SOURCE,     // f, or an input image: "func"
  HY_TAKES_BUFFER,     // an input image, or an output: "func". In a chain it is the chain's and not written
  HY_TAKES_MADE,       // f_in: the name of a func that the directive adds, which is "made"
  HY_TAKES_READERS,    // g, h: "readers"; if none is written all that read "func"; the last argument
  HY_TAKES_BRANCHES,   // o.z1, g: "readers", of which a specialization may be named: "branches"; the last argument
} hy_takes;
enum { HY_MOST_ARGUMENTS = 8, HY_MOST_READERS = 64 };

typedef struct hy_directive hy_directive;
typedef struct hy_directive_type {
  const char *name;     // as schedules call it
  const char *form;     // how it is written, for people
  const char *summary;  // what it does, in a line
  const char *alone;    // "write ..." for one that stands alone and is written otherwise; NULL = form
  const char *in_chain; // the same of a method of a chain; NULL = it is none
  bool is_foreign;      // from outside the tree: the record of a hy_plugin (plugin/plugin.h)
  hy_phase phase;       // when it is applied, and what it touches
  hy_takes arguments[HY_MOST_ARGUMENTS + 1];
  // May it be applied here? Reports if not.
  bool (*applies)(hy_context *context, const hy_tgt *tgt, const hy_directive *directive, hy_diagnostics *diagnostics);
  // The rewrite, where it applies. NULL after reporting: a plug-in was at fault.
  const hy_tgt *(*apply)(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                         hy_diagnostics *diagnostics);
  // What one application promises, where it applies. NULL instead of a function: HY_ORDER_EQUAL.
  hy_order_class (*order)(hy_context *context, const hy_tgt *before, const hy_directive *directive);
  // May an application bring that hole into the program? NULL instead of a function: it adds none.
  bool (*may_add)(const hy_directive *directive, const hy_hole *hole);
} hy_directive_type;

/* -- the core -- */

// Where the arguments stand that the fields of a directive came from; without a source: nowhere of their own.
typedef struct hy_directive_places {
  hy_loc loop, names[HY_MOST_ARGUMENTS], args[HY_MOST_ARGUMENTS], tail, dims[HY_MAX_RANK];
} hy_directive_places;

struct hy_directive {
  const hy_directive_type *type;
  hy_loc loc;                             // of the call that it came from
  hy_directive_places at;                 // of its arguments
  bool in_chain;                          // written in a chain: messages spell alternatives so
  const hy_func *func;                    // specialize, and all behind the loops phase: the func that it speaks of
  const hy_var *loop;                     // the loop it works on; NULL = root (compute_at, store_at)
  const char *names[HY_MOST_ARGUMENTS];   // split: outer, inner; fuse: the loop inside and the fused name
  hy_tail tail;                           // split
  hy_traversal traversal;                 // traverse
  const hy_expr *args[HY_MOST_ARGUMENTS]; // split: the factor; bound: min, len; bound_extent: len; align_bounds:
                                          // modulus, remainder; align_storage, fold_storage, set_stride: the number
  int dim;                                // bounds, align_storage, fold_storage, set_stride
  int dims[HY_MAX_RANK], dim_count;       // reorder_storage: the first is to lie innermost
  hy_store_place store;                   // store_in
  const hy_expr *const *conditions;       // specialize
  int condition_count;
  bool is_followed;              // specialize: its copies have loops that chains gave the func before they turned there
  const hy_func *made;           // the func that it adds
  const hy_func *const *readers; // wrap, clone: of "func"
  int reader_count;
  const int *branches; // copy: of each reader the specialization that is meant, or HY_ALL_BRANCHES
  bool is_spread;      // it is there for a compute_at that every copy of its consumer is to follow
};
enum { HY_ALL_BRANCHES = -1 };

// The place to blame for one of the arguments: its own, else the call's.
static inline hy_loc hy_directive_at(const hy_directive *directive, hy_loc argument) {
  return argument.source ? argument : directive->loc;
}

bool hy_takes_name(hy_takes argument); // does it fill one of "names"?
bool hy_takes_expr(hy_takes argument); // does it fill one of "args"?
// The place in "names" or "args" of the argument at a position of the list.
int hy_directive_place(const hy_directive_type *type, int position);
// That of the first argument of a kind; -1 if there is none.
int hy_directive_find(const hy_directive_type *type, hy_takes argument);
void hy_directive_print(const hy_directive *directive, hy_text *out); // "split(h.s1.x, xo, xi, 256);"

#endif
