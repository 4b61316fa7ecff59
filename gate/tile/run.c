#include "gate/tile/run.h"

#include <string.h>

enum { MOST_DEPTH = 200 };

bool **hy_tile_seen_new(const hy_ir_module *m) {
  bool **seen = hy_allocate_zeroed(m->function_count + 1, sizeof *seen);
  for (uint32_t i = 0; i < m->function_count; i++)
    seen[i] = hy_allocate_zeroed(m->functions[i].block_count + 1, sizeof **seen);
  return seen;
}

void hy_tile_seen_free(const hy_ir_module *m, bool **seen) {
  for (uint32_t i = 0; seen && i < m->function_count; i++) hy_free(seen[i]);
  hy_free(seen);
}

bool hy_tile_undecided(hy_tile_run *run, const char *what, const char *name) {
  return hy_tile_fail(&run->fault, HY_TILE_UNDECIDED, "%s%s%s", what, name ? " " : "", name ? name : "");
}

bool hy_tile_number(hy_tile_run *run, hy_node n, const char *what, uint64_t *value) {
  if (!n || !hy_node_is_const(run->graph, n)) return hy_tile_undecided(run, what, "depends on data");
  *value = hy_node_at(run->graph, n)->value;
  return true;
}

/* -- frames -- */

// Memory with constants, for the whole run.
static bool make_tables(hy_tile_run *run) {
  run->has_tables = true;
  run->first_table = run->memory->regions.count;
  for (uint32_t k = 0; k < run->module->table_count; k++) {
    const hy_ir_table *t = &run->module->tables[k];
    hy_tile_region *region = hy_tile_memory_add(run->memory, "a table of constants", t->size, 0);
    if (!region) return hy_tile_undecided(run, "too much memory", NULL);
    for (uint64_t i = 0; i < t->size; i++)
      region->cells[i] = (hy_tile_cell){hy_graph_const(run->graph, 8, t->bytes[i]), 0};
    region->is_constant = true;
  }
  return true;
}

static uint64_t table_address(const hy_tile_run *run, const hy_ir_constant *c) {
  return run->memory->regions.data[run->first_table + c->number].base + (uint64_t)c->offset;
}

static bool begin_frame(hy_tile_frame *f, const hy_node *arguments, size_t count) {
  const hy_ir_function *function = f->function;
  hy_graph *g = f->run->graph;
  f->lanes = hy_allocate_zeroed(function->lane_count + 1, sizeof *f->lanes);
  size_t lanes = function->param_count ? function->values[function->param_count - 1].first +
                                             function->values[function->param_count - 1].lanes
                                       : 0;
  if (lanes != count) return hy_tile_undecided(f->run, "a call with other arguments:", function->name);
  if (!f->run->has_tables && !make_tables(f->run)) return false;
  for (size_t i = 0; i < count; i++) f->lanes[i] = arguments[i];
  for (uint32_t i = 0; i < function->constant_count; i++) {
    const hy_ir_constant *c = &function->constants[i];
    if (c->kind == HY_IR_NUMBER) f->lanes[c->lane] = hy_graph_const(g, c->bits, c->number);
    if (c->kind == HY_IR_POISON) f->lanes[c->lane] = hy_graph_poison(g, c->bits);
    if (c->kind == HY_IR_FUNCTION) f->lanes[c->lane] = hy_graph_const(g, 64, 16 * (c->number + 1));
    if (c->kind == HY_IR_TABLE) f->lanes[c->lane] = hy_graph_const(g, 64, table_address(f->run, c));
  }
  return true;
}

bool hy_tile_phis(hy_tile_frame *f, uint32_t block, uint32_t before, hy_tile_nodes *out) {
  const hy_ir_block *b = &f->function->blocks[block];
  for (uint32_t n = 0; n < b->count && b->insts[n].op == HY_IR_PHI; n++) {
    const hy_ir_inst *i = &b->insts[n];
    uint32_t k = 0;
    while (k < i->block_count && i->blocks[k] != before) k++;
    if (k == i->block_count) return hy_tile_undecided(f->run, "a PHI without its block", NULL);
    for (uint32_t l = 0; l < i->lanes; l++) hy_vec_push(out, hy_frame_operand(f, i, k)[l]);
  }
  return true;
}

void hy_tile_set_phis(hy_tile_frame *f, uint32_t block, const hy_node *values) {
  const hy_ir_block *b = &f->function->blocks[block];
  for (uint32_t n = 0; n < b->count && b->insts[n].op == HY_IR_PHI; n++) {
    const hy_ir_inst *i = &b->insts[n];
    memcpy(hy_frame_lanes(f, i->result), values, i->lanes * sizeof *values);
    values += i->lanes;
  }
}

/* -- blocks -- */

static bool go(hy_tile_frame *f, uint32_t to) {
  hy_tile_nodes values = {0};
  bool good = hy_tile_phis(f, to, f->block, &values);
  if (good) hy_tile_set_phis(f, to, values.data);
  hy_vec_free(&values);
  f->before = f->block, f->block = to;
  f->is_joined = false;
  return good;
}

static bool choose(hy_tile_frame *f, const hy_ir_inst *i) {
  uint32_t to = 0;
  hy_graph *g = f->run->graph;
  if (i->operand_count) {
    hy_node bad, c = hy_frame_operand(f, i, 0)[0];
    if (!c) return hy_tile_undecided(f->run, "a branch on a constant that is not known here", NULL);
    c = hy_graph_defined(g, c, &bad);
    if (hy_node_is_value(g, bad, 1)) return hy_tile_fail(&f->run->fault, HY_TILE_WRONG, "it branches on poison");
    if (!hy_node_is_value(g, bad, 0)) return hy_tile_undecided(f->run, "a branch on what may be poison", NULL);
    if (!hy_node_is_const(g, c)) {
      if (i->op == HY_IR_BRANCH) return hy_tile_branch(f, i, c);
      return hy_tile_undecided(f->run, "a switch depends on data", NULL);
    }
    uint64_t value = hy_node_at(g, c)->value;
    if (i->op == HY_IR_BRANCH) to = value ? 0 : 1;
    for (uint32_t k = 1; i->op == HY_IR_SWITCH && k < i->block_count; k++)
      if (i->cases[k] == value) to = k;
  }
  return go(f, i->blocks[to]);
}

static bool leave(hy_tile_frame *f, const hy_ir_inst *i) {
  f->has_returned = true;
  if (i->operand_count && hy_frame_width(f, i, 0) != f->result_count)
    return hy_tile_undecided(f->run, "a result of another width:", f->function->name);
  if (i->operand_count) memcpy(f->results, hy_frame_operand(f, i, 0), f->result_count * sizeof *f->results);
  return true;
}

static bool count_step(hy_tile_run *run) {
  if (run->graph->is_full) return hy_tile_undecided(run, "the limit of values is reached", NULL);
  if (++run->steps > run->most_steps) return hy_tile_undecided(run, "the limit of steps is reached", NULL);
  return true;
}

static bool run_block(hy_tile_frame *f) {
  const hy_ir_block *b = &f->function->blocks[f->block];
  f->run->seen[f->function - f->run->module->functions][f->block] = true;
  for (uint32_t n = 0; n < b->count; n++) {
    const hy_ir_inst *i = &b->insts[n];
    if (i->op == HY_IR_PHI) continue;
    if (!count_step(f->run)) return false;
    if (i->op == HY_IR_BRANCH || i->op == HY_IR_SWITCH) return choose(f, i);
    if (i->op == HY_IR_RETURN) return leave(f, i);
    if (i->op == HY_IR_UNREACHABLE) return hy_tile_fail(&f->run->fault, HY_TILE_WRONG, "it reaches 'unreachable'");
    if (!hy_tile_execute(f, i)) return false;
  }
  return hy_tile_undecided(f->run, "a block without an end", NULL);
}

bool hy_tile_run_until(hy_tile_frame *f, uint32_t stop) {
  while (!f->has_returned && f->block != stop)
    if (!run_block(f)) return false;
  return true;
}

bool hy_tile_call(hy_tile_run *run, const hy_ir_function *function, const hy_node *arguments, size_t count,
                  hy_node *results, size_t result_count) {
  hy_tile_frame f = {.run = run, .function = function, .results = results, .result_count = result_count};
  if (function->is_external || !function->block_count)
    return hy_tile_undecided(run, "no such function:", function->name);
  if (run->depth++ > MOST_DEPTH) return hy_tile_undecided(run, "calls are nested too deep", NULL);
  bool good = begin_frame(&f, arguments, count) && hy_tile_run_until(&f, function->block_count);
  run->depth--;
  hy_free(f.lanes);
  hy_free(f.joins);
  return good;
}
