#include "gate/tile/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool hy_tile_fail(hy_tile_fault *f, hy_tile_answer answer, const char *format, ...) {
  va_list arguments;
  if (f->answer != HY_TILE_FINE) return false;
  f->answer = answer;
  va_start(arguments, format);
  vsnprintf(f->story, sizeof f->story, format, arguments);
  va_end(arguments);
  return false;
}

/* -- regions -- */

void hy_tile_memory_init(hy_tile_memory *m, hy_graph *graph, uint64_t most_bytes) {
  *m = (hy_tile_memory){.graph = graph, .most_bytes = most_bytes};
}

void hy_tile_memory_free(hy_tile_memory *m) {
  for (size_t i = 0; i < m->regions.count; i++) hy_free(m->regions.data[i].cells);
  hy_vec_free(&m->regions);
  hy_vec_free(&m->log);
}

// In the middle of 4 GB of its own: what goes astray from one region comes to no other.
hy_tile_region *hy_tile_memory_add(hy_tile_memory *m, const char *name, uint64_t bytes, uint64_t past) {
  if (bytes > m->most_bytes || m->bytes > m->most_bytes - bytes) return NULL;
  hy_tile_region r = {.size = bytes};
  r.base = ((uint64_t)(m->regions.count + 1) << HY_TILE_REGION_BITS) + (UINT64_C(1) << 30) + past;
  r.cells = hy_allocate_zeroed(bytes ? bytes : 1, sizeof *r.cells);
  snprintf(r.name, sizeof r.name, "%s", name);
  m->bytes += bytes;
  hy_vec_push(&m->regions, r);
  return &hy_vec_last(&m->regions);
}

hy_tile_region *hy_tile_memory_find(hy_tile_memory *m, uint64_t address, uint64_t bytes) {
  uint64_t number = address >> HY_TILE_REGION_BITS;
  if (number == 0 || number > m->regions.count) return NULL;
  hy_tile_region *r = &m->regions.data[number - 1];
  bool is_in = address >= r->base && bytes <= r->size && address - r->base <= r->size - bytes;
  return is_in && !r->is_dead ? r : NULL;
}

static hy_tile_region *reach(hy_tile_memory *m, uint64_t address, uint64_t bytes, const char *verb, hy_tile_fault *f) {
  uint64_t number = address >> HY_TILE_REGION_BITS;
  hy_tile_region *r = hy_tile_memory_find(m, address, bytes);
  if (r) return r;
  if (number == 0 || number > m->regions.count) {
    hy_tile_fail(f, HY_TILE_WRONG, "it %s %llu bytes at an address that is none", verb, (unsigned long long)bytes);
    return NULL;
  }
  r = &m->regions.data[number - 1];
  if (r->is_dead)
    hy_tile_fail(f, HY_TILE_WRONG, "it %s memory that it has freed", verb);
  else
    hy_tile_fail(f, HY_TILE_WRONG, "it %s bytes %lld to %lld of '%s', which has %llu", verb,
                 (long long)(address - r->base), (long long)(address - r->base + bytes - 1), r->name,
                 (unsigned long long)r->size);
  return NULL;
}

/* -- cells -- */

static void change(hy_tile_memory *m, hy_tile_region *r, uint64_t at, hy_tile_cell cell) {
  if (m->is_logged) hy_vec_push(&m->log, ((hy_tile_change){(uint32_t)(r - m->regions.data), at, r->cells[at]}));
  r->cells[at] = cell;
}

static hy_tile_cell *settled(hy_tile_memory *m, hy_tile_cell *cell) {
  if (!cell->node) *cell = (hy_tile_cell){hy_graph_symbol(m->graph, 8, 0, 255), 0};
  return cell;
}

hy_node hy_tile_byte(hy_tile_memory *m, hy_tile_cell *cell) {
  hy_graph *g = m->graph;
  settled(m, cell);
  int bits = hy_node_bits(g, cell->node);
  if (bits <= 8) return hy_graph_resize(g, cell->node, 8, false);
  hy_node by = hy_graph_const(g, bits, 8 * (uint64_t)cell->byte);
  return hy_graph_resize(g, hy_graph_binary(g, HY_NODE_LSHR, cell->node, by), 8, false);
}

hy_node hy_tile_load(hy_tile_memory *m, uint64_t address, int bits, hy_tile_fault *f) {
  hy_graph *g = m->graph;
  int bytes = (bits + 7) / 8;
  hy_tile_region *r = reach(m, address, (uint64_t)bytes, "reads", f);
  if (!r) return 0;
  hy_tile_cell *cells = r->cells + (address - r->base);
  bool is_whole = settled(m, cells)->byte == 0 && (hy_node_bits(g, cells->node) + 7) / 8 == bytes;
  for (int i = 1; i < bytes; i++) {
    settled(m, &cells[i]);
    is_whole = is_whole && cells[i].node == cells->node && (int)cells[i].byte == i;
  }
  if (is_whole) return hy_graph_resize(g, cells->node, bits, false);
  hy_node sum = hy_graph_resize(g, hy_tile_byte(m, &cells[0]), bits, false);
  for (int i = 1; i < bytes; i++) {
    hy_node byte = hy_graph_resize(g, hy_tile_byte(m, &cells[i]), bits, false);
    sum = hy_graph_add(g, sum, hy_graph_mul(g, hy_graph_const(g, bits, UINT64_C(1) << 8 * i), byte));
  }
  return sum;
}

static hy_tile_region *reach_to_write(hy_tile_memory *m, uint64_t address, uint64_t bytes, hy_tile_fault *f) {
  hy_tile_region *r = reach(m, address, bytes, "writes", f);
  if (!r || !r->is_constant) return r;
  hy_tile_fail(f, HY_TILE_WRONG, "it writes to '%s', which is not its own", r->name);
  return NULL;
}

bool hy_tile_store(hy_tile_memory *m, uint64_t address, hy_node value, hy_tile_fault *f) {
  uint32_t bytes = (uint32_t)(hy_node_bits(m->graph, value) + 7) / 8;
  hy_tile_region *r = reach_to_write(m, address, bytes, f);
  for (uint32_t i = 0; r && i < bytes; i++) change(m, r, address - r->base + i, (hy_tile_cell){value, i});
  return r;
}

bool hy_tile_fill(hy_tile_memory *m, uint64_t address, hy_node byte, uint64_t bytes, hy_tile_fault *f) {
  hy_tile_region *r = bytes ? reach_to_write(m, address, bytes, f) : NULL;
  for (uint64_t i = 0; r && i < bytes; i++) change(m, r, address - r->base + i, (hy_tile_cell){byte, 0});
  return r || !bytes;
}

bool hy_tile_copy(hy_tile_memory *m, uint64_t to, uint64_t from, uint64_t bytes, hy_tile_fault *f) {
  if (!bytes) return true;
  hy_tile_region *source = reach(m, from, bytes, "reads", f);
  hy_tile_region *r = source ? reach_to_write(m, to, bytes, f) : NULL;
  if (!r) return false;
  hy_tile_cell *copy = hy_allocate(bytes * sizeof *copy);
  for (uint64_t i = 0; i < bytes; i++) copy[i] = *settled(m, &source->cells[from - source->base + i]);
  for (uint64_t i = 0; i < bytes; i++) change(m, r, to - r->base + i, copy[i]);
  hy_free(copy);
  return true;
}

bool hy_tile_release(hy_tile_memory *m, uint64_t address, hy_tile_fault *f) {
  hy_tile_region *r = address ? reach(m, address, 0, "frees", f) : NULL;
  if (!address) return true; // as free does
  if (!r) return false;
  if (!r->is_heap || address != r->base)
    return hy_tile_fail(f, HY_TILE_WRONG, "it frees '%s', which it did not allocate so", r->name);
  r->is_dead = true;
  m->bytes -= r->size;
  hy_free(r->cells);
  r->cells = NULL;
  return true;
}
