#ifndef HY_TILE_RUN_H
#define HY_TILE_RUN_H

/* A function of a module, executed with control, sizes and addresses that are numbers and contents of images that are
 * symbols. What data decide is executed both ways and joined where the two ways meet; what would need a number and has
 * a symbol (an address, how often a loop runs) is undecided.
 *
 *   run.c       functions, blocks, branches         calls
 *   branch.c    branches that data decide           and
 *   lanes.c     instructions, lane by lane          and
 *   intrinsic.c LLVM's own functions                and
 *   runtime.c   what the run-time library does
 */

#include "gate/tile/ir.h"
#include "gate/tile/memory.h"

typedef struct hy_tile_run {
  hy_graph *graph;
  hy_tile_memory *memory;
  const hy_ir_module *module;
  hy_tile_fault fault;
  uint64_t steps, most_steps;
  bool is_backwards;  // parallel loops: one iteration at a time, the last one first; else all at once
  bool **seen;        // by function and block: was executed
  bool has_tables;    // the module's are in memory, from region
  size_t first_table; // on
  int depth;          // of calls and of branches that data decide
} hy_tile_run;

// "seen": tables of the module, all false; owned by the caller (hy_tile_seen_new).
HY_GIVE bool **hy_tile_seen_new(const hy_ir_module *module);
void hy_tile_seen_free(const hy_ir_module *module, HY_TAKE bool **seen);

// Calls a function with these lanes; *result is the first lane of what it returns. False: run->fault says why.
bool hy_tile_call(hy_tile_run *run, const hy_ir_function *function, const hy_node *arguments, size_t count,
                  hy_node *results, size_t result_count);

/* -- inside -- */

typedef struct hy_tile_frame {
  hy_tile_run *run;
  const hy_ir_function *function;
  hy_node *lanes;         // 0: not known here
  uint32_t block, before; // that is executed, and the one that it came from
  bool is_joined;         // the PHIs of "block" are those of two ways that have met
  bool has_returned;
  hy_node *results;
  size_t result_count;
  uint32_t *joins; // by block: where all ways from it meet; block_count: nowhere. NULL: not asked yet
} hy_tile_frame;

static inline hy_node *hy_frame_lanes(const hy_tile_frame *f, uint32_t value) {
  return f->lanes + f->function->values[value].first;
}
static inline const hy_node *hy_frame_operand(const hy_tile_frame *f, const hy_ir_inst *i, uint32_t k) {
  return hy_frame_lanes(f, i->operands[k]);
}
static inline uint32_t hy_frame_width(const hy_tile_frame *f, const hy_ir_inst *i, uint32_t k) {
  return f->function->values[i->operands[k]].lanes;
}
bool hy_tile_undecided(hy_tile_run *run, const char *what, const char *name); // false
// A number, or undecided.
bool hy_tile_number(hy_tile_run *run, hy_node node, const char *what, uint64_t *value);

bool hy_tile_execute(hy_tile_frame *frame, const hy_ir_inst *inst);   // lanes.c: no terminator, no PHI
bool hy_tile_intrinsic(hy_tile_frame *frame, const hy_ir_inst *inst); // "llvm."...
bool hy_tile_runtime(hy_tile_frame *frame, const hy_ir_inst *inst);   // what is not in the module
bool hy_tile_run_until(hy_tile_frame *frame, uint32_t stop);          // blocks, up to "stop" (not executed)
bool hy_tile_branch(hy_tile_frame *frame, const hy_ir_inst *inst, hy_node condition); // branch.c
// The PHIs of a block, as they are when it is come to from "before" with these lanes; values are appended to "out".
typedef HY_VEC(hy_node) hy_tile_nodes;
bool hy_tile_phis(hy_tile_frame *frame, uint32_t block, uint32_t before, hy_tile_nodes *out);
void hy_tile_set_phis(hy_tile_frame *frame, uint32_t block, const hy_node *values);

// One lane of loads and stores.
bool hy_tile_load_lane(hy_tile_run *run, hy_node address, int bits, uint64_t align, hy_node *value);
bool hy_tile_store_lane(hy_tile_run *run, hy_node address, uint64_t plus, uint64_t align, hy_node value);
// One lane of an operator with LLVM's flags: poison where they are broken.
hy_node hy_tile_flagged(hy_graph *graph, hy_node_op op, hy_node a, hy_node b, unsigned flags);
enum { HY_TILE_DIFFERENCE = HY_NODE_OPS }; // for "op": a - b

#endif
