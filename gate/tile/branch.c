// Branches that data decide: both ways are executed up to where they meet, and what they left behind is joined.

#include "gate/tile/run.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 24 };

/* -- where ways meet: immediate postdominators, of small graphs -- */

static uint32_t successors(const hy_ir_function *f, uint32_t block, const uint32_t **out) {
  const hy_ir_block *b = &f->blocks[block];
  const hy_ir_inst *last = b->count ? &b->insts[b->count - 1] : NULL;
  *out = last ? last->blocks : NULL;
  return last && (last->op == HY_IR_BRANCH || last->op == HY_IR_SWITCH) ? last->block_count : 0;
}

// after[b]: the blocks that every way from b comes to, as bits. From the outside of the function nothing is come to.
static void find_joins(const hy_ir_function *f, uint32_t *joins) {
  uint32_t n = f->block_count, words = (n + 63) / 64;
  uint64_t *after = hy_allocate((size_t)n * words * sizeof *after), *next = hy_allocate(words * sizeof *next);
  memset(after, 0xff, (size_t)n * words * sizeof *after);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = n; b-- > 0;) {
      const uint32_t *to;
      uint32_t count = successors(f, b, &to);
      memset(next, count ? 0xff : 0, words * sizeof *next);
      for (uint32_t k = 0; k < count; k++)
        for (uint32_t w = 0; w < words; w++) next[w] &= after[(size_t)to[k] * words + w];
      next[b / 64] |= UINT64_C(1) << b % 64;
      if (memcmp(next, &after[(size_t)b * words], words * sizeof *next) != 0) {
        memcpy(&after[(size_t)b * words], next, words * sizeof *next);
        changed = true;
      }
    }
  }
  for (uint32_t b = 0; b < n; b++) { // the first of them: the one that all others come after
    joins[b] = n;
    uint32_t most = 0;
    for (uint32_t c = 0; c < n; c++) {
      if (c == b || !(after[(size_t)b * words + c / 64] >> c % 64 & 1)) continue;
      uint32_t later = 0;
      for (uint32_t w = 0; w < words; w++) later += (uint32_t)__builtin_popcountll(after[(size_t)c * words + w]);
      if (later > most) most = later, joins[b] = c;
    }
  }
  hy_free(after);
  hy_free(next);
}

/* -- one way -- */

typedef struct {
  hy_tile_nodes phis;             // of the block where they meet
  HY_VEC(hy_tile_change) changes; // what it left in memory, each place once
} way;

static int by_place(const void *a, const void *b) {
  const hy_tile_change *x = a, *y = b;
  if (x->region != y->region) return x->region < y->region ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

// Takes the changes since "mark" back; what was there is noted.
static void take_back(hy_tile_memory *m, size_t mark, way *w) {
  for (size_t i = mark; i < m->log.count; i++) {
    hy_tile_change c = m->log.data[i];
    c.before = m->regions.data[c.region].cells[c.at];
    hy_vec_push(&w->changes, c);
  }
  while (m->log.count > mark) {
    hy_tile_change c = hy_vec_pop(&m->log);
    m->regions.data[c.region].cells[c.at] = c.before;
  }
  if (!w->changes.count) return;
  qsort(w->changes.data, w->changes.count, sizeof *w->changes.data, by_place);
  size_t kept = 1;
  for (size_t i = 1; i < w->changes.count; i++)
    if (by_place(&w->changes.data[i], &w->changes.data[kept - 1]) != 0) w->changes.data[kept++] = w->changes.data[i];
  w->changes.count = kept;
}

// As they are already: inside of this way two others have met at the same place.
static void add_phis(const hy_tile_frame *f, uint32_t block, hy_tile_nodes *out) {
  const hy_ir_block *b = &f->function->blocks[block];
  for (uint32_t n = 0; n < b->count && b->insts[n].op == HY_IR_PHI; n++)
    for (uint32_t l = 0; l < b->insts[n].lanes; l++) hy_vec_push(out, hy_frame_lanes(f, b->insts[n].result)[l]);
}

static bool go_way(hy_tile_frame *f, uint32_t from, uint32_t to, uint32_t join, const hy_node *lanes, way *w) {
  hy_tile_memory *m = f->run->memory;
  hy_tile_nodes phis = {0};
  size_t mark = m->log.count;
  memcpy(f->lanes, lanes, f->function->lane_count * sizeof *lanes);
  f->block = to, f->before = from, f->is_joined = false;
  bool good = to == join || hy_tile_phis(f, to, from, &phis);
  if (good && to != join) hy_tile_set_phis(f, to, phis.data);
  good = good && hy_tile_run_until(f, join);
  if (good && f->has_returned) good = hy_tile_undecided(f->run, "data decide whether it returns", NULL);
  good = good && (f->is_joined ? (add_phis(f, join, &w->phis), true) : hy_tile_phis(f, join, f->before, &w->phis));
  take_back(m, mark, w);
  hy_vec_free(&phis);
  return good;
}

/* -- both -- */

static hy_tile_cell cell_after(hy_tile_memory *m, const way *w, size_t *next, uint32_t region, uint64_t at) {
  const hy_tile_change wanted = {.region = region, .at = at};
  while (*next < w->changes.count && by_place(&w->changes.data[*next], &wanted) < 0) ++*next;
  bool is_changed = *next < w->changes.count && by_place(&w->changes.data[*next], &wanted) == 0;
  return is_changed ? w->changes.data[*next].before : m->regions.data[region].cells[at];
}

static void put(hy_tile_memory *m, uint32_t region, uint64_t at, hy_tile_cell cell) {
  hy_tile_region *r = &m->regions.data[region];
  hy_vec_push(&m->log, ((hy_tile_change){region, at, r->cells[at]}));
  r->cells[at] = cell;
}

// Of whole nodes one choice, which their other bytes are of, too; of parts a choice by byte.
static void join_cell(hy_tile_memory *m, hy_node condition, hy_tile_change place, hy_tile_cell a, hy_tile_cell b,
                      hy_node pair[3]) {
  hy_graph *g = m->graph;
  bool is_aligned = a.node && b.node && a.byte == b.byte && hy_node_bits(g, a.node) == hy_node_bits(g, b.node);
  if (a.node == b.node && a.byte == b.byte) {
    put(m, place.region, place.at, a);
  } else if (is_aligned) {
    if (pair[0] != a.node || pair[1] != b.node)
      pair[2] = hy_graph_select(g, condition, a.node, b.node), pair[0] = a.node, pair[1] = b.node;
    put(m, place.region, place.at, (hy_tile_cell){pair[2], a.byte});
  } else {
    hy_node x = hy_tile_byte(m, &a), y = hy_tile_byte(m, &b);
    put(m, place.region, place.at, (hy_tile_cell){hy_graph_select(g, condition, x, y), 0});
  }
}

static void join_memory(hy_tile_memory *m, hy_node condition, const way *a, const way *b) {
  size_t i = 0, k = 0, next_a = 0, next_b = 0;
  hy_node pair[3] = {0};
  while (i < a->changes.count || k < b->changes.count) {
    int order = i == a->changes.count   ? 1
                : k == b->changes.count ? -1
                                        : by_place(&a->changes.data[i], &b->changes.data[k]);
    hy_tile_change place = order <= 0 ? a->changes.data[i] : b->changes.data[k];
    hy_tile_cell x = cell_after(m, a, &next_a, place.region, place.at),
                 y = cell_after(m, b, &next_b, place.region, place.at);
    join_cell(m, condition, place, x, y, pair);
    i += order <= 0, k += order >= 0;
  }
}

static bool join(hy_tile_frame *f, hy_node condition, uint32_t where, const way *a, const way *b) {
  hy_graph *g = f->run->graph;
  hy_tile_nodes both = {0};
  for (size_t i = 0; i < a->phis.count; i++) {
    hy_node x = a->phis.data[i], y = b->phis.data[i];
    hy_vec_push(&both, x && y ? hy_graph_select(g, condition, x, y) : 0);
  }
  hy_tile_set_phis(f, where, both.data);
  join_memory(f->run->memory, condition, a, b);
  hy_vec_free(&both);
  return true;
}

bool hy_tile_branch(hy_tile_frame *f, const hy_ir_inst *i, hy_node condition) {
  hy_tile_memory *m = f->run->memory;
  uint32_t from = f->block;
  size_t size = f->function->lane_count * sizeof *f->lanes;
  bool was_logged = m->is_logged;
  way ways[2] = {0};
  if (!f->joins) {
    f->joins = hy_allocate(f->function->block_count * sizeof *f->joins);
    find_joins(f->function, f->joins);
  }
  uint32_t where = f->joins[from];
  if (where == f->function->block_count) return hy_tile_undecided(f->run, "data decide where it goes on", NULL);
  if (f->run->depth > MOST_NESTED) return hy_tile_undecided(f->run, "data decide how often a loop runs", NULL);
  f->run->depth++;
  hy_node *lanes = hy_allocate(size + 1);
  memcpy(lanes, f->lanes, size);
  m->is_logged = true;
  bool good =
      go_way(f, from, i->blocks[0], where, lanes, &ways[0]) && go_way(f, from, i->blocks[1], where, lanes, &ways[1]);
  memcpy(f->lanes, lanes, size);
  good = good && join(f, condition, where, &ways[0], &ways[1]);
  m->is_logged = was_logged;
  if (!was_logged) m->log.count = 0;
  for (int k = 0; k < 2; k++) {
    hy_vec_free(&ways[k].phis);
    hy_vec_free(&ways[k].changes);
  }
  hy_free(lanes);
  f->run->depth--;
  f->before = from, f->block = where, f->is_joined = true;
  return good;
}
