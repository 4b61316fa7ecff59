/* From a case's input, which has no images, to one that can be run: images get the boxes that the filled program needs
 * (decision D14), by the seed one more on all sides, and elements by the seed; in one of three these are small numbers,
 * so that there are ties, zeros and equal neighbours.
 *
 * An input whose images would be too large, or that fails an entry check all the same, is left out.
 */

#include "fuzz/judge/judge_internal.h"

#include "engines/evaluate.h"
#include "engines/generator.h"

#include <stdlib.h>
#include <string.h>

enum { IMAGE_POINTS = 200000 };

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

static bool make_image(hy_judging *g, int k, const hy_case_input *from) {
  hy_buffer *box = g->images[k];
  double count = 1;
  for (int d = 0; d < box->rank; d++) {
    count *= (double)box->len[d];
    bool roomy = box->min[d] > INT64_MIN && box->len[d] <= IMAGE_POINTS && box->min[d] <= INT64_MAX - IMAGE_POINTS - 2;
    if (from->seed % 2 && roomy) box->min[d] -= 1, box->len[d] += 2; // more than is needed
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
  for (int p = 0; p < alg->param_count; p++) g->params[p] = hy_case_param(alg->params[p]->type, from->params[p]);
  g->input = (hy_input){g->params, (const hy_buffer *const *)g->images, from->min, from->len};
  for (int k = 0; k < alg->image_count; k++) {
    int64_t min[HY_MAX_RANK] = {0}, len[HY_MAX_RANK] = {0};
    g->images[k] = hy_buffer_new(alg->images[k]->type, alg->images[k]->rank, min, len);
    for (int d = 0; d < alg->images[k]->rank; d++) g->images[k]->len[d] = 1;
  }
  hy_input_settle(filled, &g->input, g->images);
  for (int k = 0; k < alg->image_count; k++)
    if (!make_image(g, k, from)) return false;
  return !hy_entry_failure(filled, &g->input);
}

void hy_judging_close(hy_judging *g) {
  for (int k = 0; k < g->pipeline.alg->image_count; k++) hy_buffer_free(g->images[k]);
}
