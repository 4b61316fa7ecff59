#ifndef HY_DIRECTIVE_H
#define HY_DIRECTIVE_H

/* The scheduling language (paper, Figure 11) after desugaring: one directive is one transformation of a target program.
 * And the schedule as written, before: calls of directives and chains in Halide's spelling.
 */

#include "semantics/syntax.h"
#include "semantics/tgt.h"

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
  bool default_inline; // "default inline;" stands at its head
  const hy_schedule_item *items;
  int count;
} hy_schedule;

/* -- the core -- */

typedef enum {
  HY_DIRECTIVE_SPECIALIZE,
  HY_DIRECTIVE_SPLIT,
  HY_DIRECTIVE_FUSE,
  HY_DIRECTIVE_SWAP,
  HY_DIRECTIVE_TRAVERSE,
  HY_DIRECTIVE_COMPUTE_AT,
  HY_DIRECTIVE_STORE_AT,
  HY_DIRECTIVE_BOUND,
  HY_DIRECTIVE_BOUND_EXTENT,
  HY_DIRECTIVE_ALIGN_BOUNDS,
} hy_directive_kind;

typedef struct hy_directive {
  hy_directive_kind kind;
  hy_loc loc;             // of the call that it came from
  const hy_func *func;    // compute_at, store_at, specialize, bounds: the func moved or bounded
  const hy_var *loop;     // the loop it works on; NULL = root (compute_at, store_at)
  const char *names[2];   // split: outer, inner; fuse: the loop inside and the fused name
  hy_tail tail;           // split
  hy_traversal traversal; // traverse
  const hy_expr *args[2]; // split: the factor; bound: min, len; bound_extent: len; align_bounds: modulus, remainder
  int dim;                // bounds
  const hy_expr *const *conditions; // specialize
  int condition_count;
} hy_directive;

const char *hy_directive_name(hy_directive_kind kind);
void hy_directive_print(const hy_directive *directive, hy_text *out); // "split(h.s1.x, xo, xi, 256);"

#endif
