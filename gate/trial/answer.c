#include "gate/trial/answer.h"

#include "engines/evaluate.h"
#include "gate/trial/call.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  hy_buffer boxes[HY_MOST_PASSED];
  hy_buffer *pointers[HY_MOST_PASSED];
  hy_input input;
} other_boxes;

// The input with other boxes of images, which nobody reads.
static void take_boxes(other_boxes *o, const hy_input *asked, const hy_alg *alg) {
  for (int k = 0; k < alg->image_count; k++) {
    o->boxes[k] = *asked->images[k];
    o->boxes[k].data = o->boxes[k].errors = NULL;
    o->pointers[k] = &o->boxes[k];
  }
  o->input = *asked;
  o->input.images = (const hy_buffer *const *)o->pointers;
}

static void answer_boxes(other_boxes *o, const hy_alg *alg, const hy_foreign *answered) {
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++)
      o->boxes[k].min[d] = answered[k].dim[d].min, o->boxes[k].len[d] = answered[k].dim[d].extent;
}

static bool same_region(const hy_region *a, const hy_region *b, int rank) {
  size_t bytes = sizeof *a->min * (size_t)rank;
  if (a->empty || b->empty) return a->empty == b->empty;
  return memcmp(a->min, b->min, bytes) == 0 && memcmp(a->len, b->len, bytes) == 0;
}

static bool covers(int64_t min, int64_t len, const hy_region *need, int d) {
  return need->empty || (min <= need->min[d] && need->min[d] + need->len[d] <= min + len);
}

// Are there boxes that are enough, as far as rounds find them?
static bool is_settled(const hy_tgt *filled, const hy_input *asked) {
  other_boxes o;
  bool good = true;
  take_boxes(&o, asked, filled->alg);
  hy_input_settle(filled, &o.input, o.pointers);
  for (int k = 0; k < filled->alg->image_count && good; k++) {
    hy_region need;
    if (!hy_region_needed(filled, filled->alg->images[k], &o.input, &need)) continue;
    for (int d = 0; d < filled->alg->images[k]->rank; d++)
      good &= covers(o.boxes[k].min[d], o.boxes[k].len[d], &need, d);
  }
  return good;
}

static bool tell(const hy_func *image, int d, const halide_dimension_t *is, const hy_region *need, char *story,
                 size_t size) {
  snprintf(story, size, "%.200s: %d:%d in dimension %d, and needs %lld:%lld", image->name, is->min, is->extent, d,
           need->empty ? (long long)is->min : (long long)need->min[d], need->empty ? 0LL : (long long)need->len[d]);
  return false;
}

bool hy_bounds_answer_holds(const hy_tgt *filled, const hy_input *asked, const hy_foreign *answered, char *story,
                            size_t size) {
  const hy_alg *alg = filled->alg;
  other_boxes o;
  take_boxes(&o, asked, alg);
  answer_boxes(&o, alg, answered);
  for (int k = 0; k < alg->image_count; k++) {
    hy_region first, need;
    const int rank = alg->images[k]->rank;
    if (!hy_region_needed(filled, alg->images[k], asked, &first)) continue;
    bool is_known = hy_region_needed(filled, alg->images[k], &o.input, &need);
    bool depends = !is_known || !same_region(&first, &need, rank);
    if (depends && (!is_known || !is_settled(filled, asked))) continue;
    for (int d = 0; d < rank; d++) {
      const halide_dimension_t *is = &answered[k].dim[d];
      bool same = need.empty ? is->extent == 0 : is->min == need.min[d] && is->extent == need.len[d];
      if (!same && !(depends && covers(is->min, is->extent, &need, d)))
        return tell(alg->images[k], d, is, &need, story, size);
    }
  }
  return true;
}
