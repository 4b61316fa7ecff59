// What compiled pipelines call: the run-time library's functions, as codegen/runtime/runtime.h describes them; and
// functions of the module.

#include "gate/tile/run.h"

#include <string.h>

static bool argument(hy_tile_frame *f, const hy_ir_inst *i, uint32_t k, uint64_t *value) {
  return hy_tile_number(f->run, hy_frame_operand(f, i, k)[0], "an argument of the run-time library", value);
}

static bool allocate(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  uint64_t bytes;
  if (!argument(f, i, 0, &bytes)) return false;
  hy_tile_region *r = hy_tile_memory_add(f->run->memory, "memory of its own", bytes, 0);
  if (!r) return hy_tile_undecided(f->run, "the limit of memory is reached", NULL);
  r->is_heap = true;
  out[0] = hy_graph_const(f->run->graph, 64, r->base);
  return true;
}

static bool release(hy_tile_frame *f, const hy_ir_inst *i) {
  uint64_t address;
  if (f->run->memory->is_logged) return hy_tile_undecided(f->run, "data decide whether it frees memory", NULL);
  return argument(f, i, 0, &address) && hy_tile_release(f->run->memory, address, &f->run->fault);
}

// hy_runtime_copy(to, from, bytes, rank, len, to_stride, from_stride): any strides
static bool copy_box(hy_tile_frame *f, const hy_ir_inst *i) {
  enum { RANKS = 8 };
  uint64_t to, from, bytes, rank, tables[3];
  int64_t len[RANKS], stride[2][RANKS], at[RANKS] = {0};
  hy_tile_run *run = f->run;
  if (!argument(f, i, 0, &to) || !argument(f, i, 1, &from) || !argument(f, i, 2, &bytes) || !argument(f, i, 3, &rank))
    return false;
  if (rank > RANKS) return hy_tile_undecided(run, "a box of many dimensions is copied", NULL);
  for (uint32_t k = 0; k < 3; k++)
    if (!argument(f, i, 4 + k, &tables[k])) return false;
  for (uint64_t d = 0; d < rank; d++)
    for (int k = 0; k < 3; k++) {
      uint64_t value;
      hy_node word = hy_tile_load(run->memory, tables[k] + 8 * d, 64, &run->fault);
      if (!word || !hy_tile_number(run, word, "the size of a copy", &value)) return false;
      *(k == 0 ? &len[d] : &stride[k - 1][d]) = (int64_t)value;
      if (k == 0 && value == 0) return true;
    }
  for (;;) {
    int64_t t = 0, s = 0;
    uint64_t d = 0;
    for (uint64_t k = 0; k < rank; k++) t += at[k] * stride[0][k], s += at[k] * stride[1][k];
    bool in_rows = rank && stride[0][0] == 1 && stride[1][0] == 1;
    uint64_t row = bytes * (in_rows ? (uint64_t)len[0] : 1);
    run->steps += row;
    if (run->steps > run->most_steps) return hy_tile_undecided(run, "the limit of steps is reached", NULL);
    if (!hy_tile_copy(run->memory, to + (uint64_t)t * bytes, from + (uint64_t)s * bytes, row, &run->fault))
      return false;
    if (in_rows) d = 1; // dimension 0 is done
    while (d < rank && ++at[d] == len[d]) at[d++] = 0;
    if (d >= rank) return true;
  }
}

static const hy_ir_function *function_at(const hy_tile_run *run, uint64_t address) {
  uint64_t number = address / 16;
  return address % 16 == 0 && number && number <= run->module->function_count ? &run->module->functions[number - 1]
                                                                              : NULL;
}

static bool run_task(hy_tile_run *run, const hy_ir_function *task, hy_node closure, int64_t begin, int64_t end,
                     hy_node *status) {
  hy_graph *g = run->graph;
  hy_node arguments[] = {closure, hy_graph_const(g, 64, (uint64_t)begin), hy_graph_const(g, 64, (uint64_t)end)};
  return hy_tile_call(run, task, arguments, 3, status, 1);
}

// hy_runtime_parallel_for(min, len, task, closure): all at once; or one by one, the last one first
static bool parallel(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  uint64_t min, len, address, status;
  hy_tile_run *run = f->run;
  if (!argument(f, i, 0, &min) || !argument(f, i, 1, &len) || !argument(f, i, 2, &address)) return false;
  const hy_ir_function *task = function_at(run, address);
  hy_node closure = hy_frame_operand(f, i, 3)[0];
  if (!task) return hy_tile_undecided(run, "a parallel loop of an unknown function", NULL);
  int64_t first = (int64_t)min, count = (int64_t)len;
  out[0] = hy_graph_const(run->graph, 32, 0);
  for (int64_t k = run->is_backwards ? count - 1 : 0; count > 0 && k >= 0; k--) {
    int64_t begin = first + (run->is_backwards ? k : 0), end = run->is_backwards ? begin + 1 : first + count;
    if (!run_task(run, task, closure, begin, end, out)) return false;
    if (!hy_tile_number(run, out[0], "what a parallel loop returns", &status)) return false;
    if (status) return true;
  }
  return true;
}

static bool call_module(hy_tile_frame *f, const hy_ir_inst *i, const hy_ir_function *callee, hy_node *out) {
  hy_tile_nodes arguments = {0};
  for (uint32_t k = 0; k < i->operand_count; k++)
    for (uint32_t l = 0; l < hy_frame_width(f, i, k); l++) hy_vec_push(&arguments, hy_frame_operand(f, i, k)[l]);
  bool good = hy_tile_call(f->run, callee, arguments.data, arguments.count, out, i->lanes);
  hy_vec_free(&arguments);
  return good;
}

bool hy_tile_runtime(hy_tile_frame *f, const hy_ir_inst *i) {
  hy_node *out = hy_frame_lanes(f, i->result);
  const hy_ir_function *callee = hy_ir_find(f->run->module, i->name);
  if (callee && !callee->is_external) return call_module(f, i, callee, out);
  if (strcmp(i->name, "hy_runtime_allocate") == 0 && i->operand_count == 1) return allocate(f, i, out);
  if (strcmp(i->name, "hy_runtime_free") == 0 && i->operand_count == 1) return release(f, i);
  if (strcmp(i->name, "hy_runtime_copy") == 0 && i->operand_count == 7) return copy_box(f, i);
  if (strcmp(i->name, "hy_runtime_parallel_for") == 0 && i->operand_count == 4) return parallel(f, i, out);
  return hy_tile_undecided(f->run, "a function that is not known here:", i->name);
}
