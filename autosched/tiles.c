#include "autosched/tiles.h"

#include "autosched/boxes.h"
#include "semantics/base/vec.h"

#include <string.h>

static const int64_t sizes[] = {1, 4, 8, 16, 32, 64, 128, 256, INT64_MAX};

/* -- reuse -- */

static hy_box strip_of(const hy_box *box, int dim, int64_t at) {
  hy_box strip = *box;
  strip.min[dim] = at;
  strip.len[dim] = 1;
  return strip;
}

static int64_t common_points(const hy_box *a, const hy_box *b) {
  hy_box both = {.rank = a->rank};
  int64_t points;
  for (int d = 0; d < a->rank; d++) {
    int64_t end_a = a->min[d] + a->len[d], end_b = b->min[d] + b->len[d];
    int64_t min = a->min[d] > b->min[d] ? a->min[d] : b->min[d], end = end_a < end_b ? end_a : end_b;
    if (end <= min) return 0;
    both.len[d] = end - min;
  }
  return hy_box_points(&both, &points) ? points : 0;
}

static bool reuse_along(const hy_func_graph *g, int node, int dim, hy_box_set *a, hy_box_set *b, int64_t *reuse) {
  const hy_box *box = &g->nodes[node].box;
  int64_t middle = box->min[dim] + box->len[dim] / 2;
  *reuse = 0;
  if (box->len[dim] < 2) return true;
  hy_box first = strip_of(box, dim, middle - 1), second = strip_of(box, dim, middle);
  hy_box_set_clear(a);
  hy_box_set_clear(b);
  if (!hy_boxes_propagate(g, node, &first, NULL, a) || !hy_boxes_propagate(g, node, &second, NULL, b)) return false;
  for (int n = 0; n < node; n++)
    if (a->has[n] && b->has[n]) *reuse += common_points(&a->boxes[n], &b->boxes[n]);
  return true;
}

bool hy_reuse(const hy_func_graph *g, int node, int64_t reuse[HY_MAX_RANK]) {
  hy_box_set *a = hy_box_set_new(g), *b = hy_box_set_new(g);
  bool fine = true;
  for (int d = 0; d < g->nodes[node].func->rank && fine; d++) fine = reuse_along(g, node, d, a, b, &reuse[d]);
  hy_box_set_free(a);
  hy_box_set_free(b);
  return fine;
}

/* -- tiles -- */

int64_t hy_tile_count(const hy_box *box, const hy_tile_lengths *tile) {
  int64_t count = 1;
  for (int d = 0; d < box->rank; d++) count *= box->len[d] / tile->len[d] + (box->len[d] % tile->len[d] != 0);
  return count;
}

hy_box hy_tile_box(const hy_box *box, const hy_tile_lengths *tile) {
  hy_box result = *box;
  for (int d = 0; d < box->rank; d++) {
    int64_t count = box->len[d] / tile->len[d];
    result.len[d] = tile->len[d];
    result.min[d] += count / 2 * tile->len[d];
    if (count == 1) result.min[d] = box->min[d];
  }
  return result;
}

static void add_tile(hy_tile_list *list, const hy_tile_lengths *tile, int rank) {
  for (size_t i = 0; i < list->count; i++)
    if (memcmp(list->tiles[i].len, tile->len, sizeof *tile->len * (size_t)rank) == 0) return;
  if (list->count == list->capacity)
    list->tiles = hy_vec_grown(list->tiles, &list->capacity, list->count + 1, sizeof *list->tiles);
  list->tiles[list->count++] = *tile;
}

typedef struct {
  const hy_func_graph *g;
  int node, stage;
  const hy_box *box;
  int vectors;                      // the dimension along which they run
  int64_t least;                    // of that
  int by_reuse[HY_MAX_RANK], count; // its loops, that of most reuse first
} shape;

// "long_count" dimensions of most reuse get "longer", the others "size".
static hy_tile_lengths tile_of(const shape *s, int long_count, int64_t longer, int64_t size) {
  hy_tile_lengths tile = {{0}};
  for (int d = 0; d < s->box->rank; d++) tile.len[d] = s->box->len[d] ? s->box->len[d] : 1;
  for (int i = 0; i < s->count; i++) {
    int d = s->by_reuse[i];
    int64_t wanted = i < long_count ? longer : size;
    if (d == s->vectors && wanted < s->least) wanted = s->least;
    if (wanted < tile.len[d]) tile.len[d] = wanted;
  }
  return tile;
}

static void order_by_reuse(shape *s, const int64_t *reuse) {
  for (int d = 0; d < s->box->rank; d++) {
    if (!hy_choices_is_pure(s->g, s->node, s->stage, d) || s->box->len[d] < 2) continue;
    int at = s->count++;
    for (; at > 0 && reuse[s->by_reuse[at - 1]] < reuse[d]; at--) s->by_reuse[at] = s->by_reuse[at - 1];
    s->by_reuse[at] = d;
  }
}

// One at a time of what shares nothing with its neighbours, as the colours of a picture.
static hy_tile_lengths one_by_one(const shape *s, const int64_t *reuse, hy_tile_lengths tile) {
  for (int i = 0; i < s->count; i++)
    if (reuse[s->by_reuse[i]] == 0 && s->by_reuse[i] != s->vectors) tile.len[s->by_reuse[i]] = 1;
  return tile;
}

// Long rows of vectors, though neighbours share more along other dimensions: a row's last vector is seldom full.
static void add_rows(const shape *s, const int64_t *reuse, hy_tile_list *list) {
  int64_t whole = s->box->len[s->vectors];
  if (!hy_choices_is_pure(s->g, s->node, s->stage, s->vectors) || whole < 2) return;
  for (size_t i = 0; i < HY_COUNT(sizes); i++)
    for (size_t k = i + 1; k < HY_COUNT(sizes); k++) {
      hy_tile_lengths tile = tile_of(s, 0, 0, sizes[i]);
      tile.len[s->vectors] = whole < sizes[k] ? whole : sizes[k] < s->least ? s->least : sizes[k];
      if (tile.len[s->vectors] > whole) tile.len[s->vectors] = whole;
      add_tile(list, &tile, s->box->rank);
      tile = one_by_one(s, reuse, tile);
      add_tile(list, &tile, s->box->rank);
    }
}

void hy_tiles_of(const hy_func_graph *g, int node, const hy_tune_parameters *p, int vectors,
                 const int64_t reuse[HY_MAX_RANK], hy_tile_list *list) {
  shape s = {
      .g = g, .node = node, .stage = g->nodes[node].stage_count - 1, .box = &g->nodes[node].box, .vectors = vectors};
  s.least = 2 * p->lanes;
  order_by_reuse(&s, reuse);
  for (size_t i = 0; i < HY_COUNT(sizes); i++)
    for (int long_count = 0; long_count < s.count; long_count++)
      for (size_t k = i; k < HY_COUNT(sizes); k++) {
        if ((long_count == 0) != (k == i)) continue;
        if (long_count && reuse[s.by_reuse[long_count - 1]] == 0) continue;
        hy_tile_lengths tile = tile_of(&s, long_count, sizes[k], sizes[i]);
        add_tile(list, &tile, s.box->rank);
      }
  add_rows(&s, reuse, list);
}
