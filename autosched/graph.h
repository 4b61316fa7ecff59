#ifndef HY_GRAPH_H
#define HY_GRAPH_H

/* The funcs and images of an algorithm as a graph: who reads whom, what a point costs. Nodes are numbered as
 * hy_func.index is, which is a topological order: a func reads only those before it.
 *
 * A func can be inlined into all that read it; its expressions then stand there, and it is read no longer. Lives in its
 * context; a copy shares expressions with what it was copied from.
 */

#include "autosched/estimates.h"

typedef __int128 hy_cost; // in units of one cheap operation

typedef struct hy_node_stage {
  const hy_stage *stage;                       // as written: pure dimensions, rdoms
  const hy_expr *const *lhs, *rhs, *predicate; // with what was inlined
  const hy_expr *const *accesses;              // distinct ones, of its own func, too
  int access_count;
  int64_t arithmetic; // of one point, given what it loads (cost.h)
} hy_node_stage;

typedef struct hy_func_node {
  const hy_func *func;
  const hy_definition *definition; // NULL: an image
  bool is_output, is_inlined;
  hy_node_stage *stages;
  int stage_count;
  hy_box box; // all that is needed of it (boxes.h); it counts where is_needed
  bool is_needed;
} hy_func_node;

typedef struct hy_func_graph {
  hy_context *context;
  const hy_alg *alg;
  const hy_estimates *estimates;
  hy_func_node *nodes;
  int count, first;               // nodes before "first" are images
  const hy_expr **followed;       // by node: what it is of coordinates alone, of no image's point; NULL
  const struct hy_values *values; // of funcs (values.h), for what is read at computed places; NULL: nothing is known
} hy_func_graph;

hy_func_graph *hy_graph_new(hy_context *context, const hy_alg *alg, const hy_estimates *estimates);
hy_func_graph *hy_graph_copy(const hy_func_graph *graph);

// The expression with what it reads of funcs of coordinates alone, as tables of positions are, put in place: its range
// over a box follows the box.
const hy_expr *hy_graph_followed(const hy_func_graph *graph, const hy_expr *expr);

// Does a stage of "reader", other than by reading itself, read the other one?
bool hy_graph_stage_reads(const hy_func_graph *graph, int reader, int stage, int read);
bool hy_graph_reads(const hy_func_graph *graph, int reader, int read);
// May it be inlined: one stage, no output, no tuple, read by somebody?
bool hy_graph_may_inline(const hy_func_graph *graph, int node);
// Puts the node's expression into all that read it. False, with nothing changed: an expression would be too large.
bool hy_graph_inline(hy_func_graph *graph, int node);
// One reader's stage with the node inlined; false: too large. It is not put into the graph.
bool hy_graph_inlined_stage(const hy_func_graph *graph, int node, int reader, int stage, hy_node_stage *made);

#endif
