#include "fuzz/judge_internal.h"

#include "driver/evaluate.h"
#include "driver/generator.h"

#include <stdlib.h>
#include <string.h>

enum { IMAGE_POINTS = 200000, ROUNDS = 16 };

static bool settle_box(hy_judging *g, const hy_tgt *filled, int k, bool grow_only) {
  const hy_func *image = filled->alg->images[k];
  hy_buffer *box = g->images[k];
  hy_region need;
  if (!hy_region_needed(filled, image, &g->input, &need) || need.empty) return true;
  bool same = true;
  for (int d = 0; d < image->rank; d++) {
    int64_t low = need.min[d], high = need.min[d] + need.len[d];
    if (grow_only && box->min[d] < low) low = box->min[d];
    if (grow_only && box->min[d] + box->len[d] > high) high = box->min[d] + box->len[d];
    same = same && low == box->min[d] && high - low == box->len[d];
    box->min[d] = low;
    box->len[d] = high - low;
  }
  return same;
}

static void fill_image(hy_buffer *buffer, uint64_t seed) {
  hy_generator_fill_random(buffer, seed);
  if (seed % 3) return;
  size_t bytes = hy_type_bytes(buffer->type); // small numbers: ties, zeros, equal neighbours
  for (size_t i = 0; i < buffer->count; i++) {
    int64_t n = (int64_t)(hy_splitmix(seed, i) % 4 % 3);
    hy_value value = hy_type_class_of(buffer->type) == HY_CLASS_FLOAT ? hy_value_from_double(buffer->type, (double)n)
                                                                      : hy_value_integral(buffer->type, n);
    hy_value_store(value, buffer->data + i * bytes);
  }
}

// What an image must hold may depend on the images' boxes: grown until they suffice.
static void settle_boxes(hy_judging *g, const hy_tgt *filled) {
  const hy_alg *alg = g->pipeline.alg;
  for (int round = 0; round < ROUNDS; round++) {
    bool same = true;
    for (int k = 0; k < alg->image_count; k++) same &= settle_box(g, filled, k, round >= 4);
    if (same) return;
  }
}

static bool make_image(hy_judging *g, int k, const hy_case_input *from) {
  hy_buffer *box = g->images[k];
  double count = 1;
  for (int d = 0; d < box->rank; d++) {
    if (from->seed % 2) box->min[d] -= 1, box->len[d] += 2;
    count *= (double)box->len[d];
  }
  if (!(count >= 0 && count <= IMAGE_POINTS)) return false;
  hy_buffer *buffer = hy_buffer_new(box->type, box->rank, box->min, box->len);
  if (!buffer) return false;
  hy_buffer_free(box);
  g->images[k] = buffer;
  fill_image(buffer, from->seed + (uint64_t)k);
  return true;
}

bool hy_judging_open(hy_judging *g, const hy_tgt *filled, const hy_case_input *from) {
  const hy_alg *alg = g->pipeline.alg;
  memset(g->images, 0, sizeof g->images);
  for (int p = 0; p < alg->param_count; p++) g->params[p] = hy_value_integral(alg->params[p]->type, from->params[p]);
  g->input = (hy_input){g->params, (const hy_buffer *const *)g->images, from->min, from->len};
  for (int k = 0; k < alg->image_count; k++) {
    int64_t min[HY_MAX_RANK] = {0}, len[HY_MAX_RANK] = {0};
    g->images[k] = hy_buffer_new(alg->images[k]->type, alg->images[k]->rank, min, len);
    for (int d = 0; d < alg->images[k]->rank; d++) g->images[k]->len[d] = 1;
  }
  settle_boxes(g, filled);
  for (int k = 0; k < alg->image_count; k++)
    if (!make_image(g, k, from)) return false;
  return !hy_entry_failure(filled, &g->input);
}

void hy_judging_close(hy_judging *g) {
  for (int k = 0; k < g->pipeline.alg->image_count; k++) hy_buffer_free(g->images[k]);
}

/* -- wider storage -- */

static const hy_stmt *widen(hy_context *context, const hy_stmt *stmt, uint64_t seed) {
  if (stmt->kind == HY_STMT_ALLOCATE) {
    const hy_func *f = stmt->allocate.func;
    hy_interval box[HY_MAX_RANK];
    for (int d = 0; d < f->rank; d++) {
      uint64_t by = hy_splitmix(seed, f->index * HY_MAX_RANK + (unsigned)d);
      box[d].min = hy_index_sub(context, stmt->allocate.box[d].min, hy_expr_int(context, (int64_t)(by % 3)));
      box[d].len =
          hy_index_add(context, stmt->allocate.box[d].len, hy_expr_int(context, (int64_t)(by % 3 + by / 8 % 4)));
    }
    return hy_stmt_allocate(context, f, box);
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  if (!count) return stmt;
  const hy_stmt **wide = hy_allocate(sizeof *wide * (size_t)count);
  for (int i = 0; i < count; i++) wide[i] = widen(context, children[i], seed);
  stmt = hy_stmt_with_children(context, stmt, wide, count);
  free(wide);
  return stmt;
}

const hy_tgt *hy_judging_widened(hy_context *context, const hy_tgt *filled, uint64_t seed) {
  hy_tgt *copy = HY_NEW(hy_context_arena(context), hy_tgt);
  *copy = *filled;
  copy->body = widen(context, filled->body, seed);
  return copy;
}
