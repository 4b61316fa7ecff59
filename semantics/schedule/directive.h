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
  HY_DIRECTIVE_PLUGIN, // one from outside the tree, in the loops phase
} hy_directive_kind;

// What a directive from outside the tree is given: by its kind, one of these.
typedef struct hy_plugin_value {
  const hy_var *loop;  // a loop, printed with its func where it comes first
  const char *name;    // a new name
  const hy_expr *expr; // an expression known at startup
} hy_plugin_value;

// Where the arguments stand that the fields of a directive came from; without a source: nowhere of their own.
typedef struct hy_directive_places {
  hy_loc loop, names[2], args[2];
} hy_directive_places;

typedef struct hy_directive {
  hy_directive_kind kind;
  hy_loc loc;             // of the call that it came from
  hy_directive_places at; // of its arguments
  const hy_func *func;    // compute_at, store_at, specialize, bounds: the func moved or bounded
  const hy_var *loop;     // the loop it works on; NULL = root (compute_at, store_at)
  const char *names[2];   // split: outer, inner; fuse: the loop inside and the fused name
  hy_tail tail;           // split
  hy_traversal traversal; // traverse
  const hy_expr *args[2]; // split: the factor; bound: min, len; bound_extent: len; align_bounds: modulus, remainder
  int dim;                // bounds
  const hy_expr *const *conditions; // specialize
  int condition_count;
  const struct hy_plugin *plugin; // PLUGIN: whose (plugin/plugin.h), its name, its arguments with the loop first
  const char *plugin_name;
  const hy_plugin_value *values;
  int value_count;
} hy_directive;

// The place to blame for one of the arguments: its own, else the call's.
static inline hy_loc hy_directive_at(const hy_directive *directive, hy_loc argument) {
  return argument.source ? argument : directive->loc;
}

const char *hy_directive_name(hy_directive_kind kind);
void hy_directive_print(const hy_directive *directive, hy_text *out); // "split(h.s1.x, xo, xi, 256);"

#endif
