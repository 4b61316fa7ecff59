#include "cli/session/window_start.h"

#include "engines/evaluate.h"
#include "semantics/tgt/image_region.h"

/* -- images -- */

typedef struct {
  const hy_var *min, *len;
  bool found;
} mention;

static void find_mention(void *self, const hy_expr *node) {
  mention *m = self;
  if (node->kind == HY_EXPR_VAR && (node->var == m->min || node->var == m->len)) m->found = true;
}

static bool speaks_of(const hy_expr *expr, const hy_alg *alg, int side) {
  mention m = {alg->window_min[side], alg->window_len[side], false};
  hy_expr_visit(expr, find_mention, &m);
  return m.found;
}

// The dimension of an image in which what is needed of it moves with that side of the window, that of the same number
// if it does; -1: none does, as of a table, or of an image that is read as a whole.
static int walked_dimension(const hy_tgt *filled, const hy_func *image, int side) {
  const hy_expr *min[HY_MAX_RANK], *end[HY_MAX_RANK];
  const hy_alg *alg = filled->alg;
  int found = -1, same = alg->window_min[side]->dim;
  if (!hy_image_region(filled, image, min, end)) return -1;
  for (int d = image->rank - 1; d >= 0; d--)
    if (speaks_of(min[d], alg, side) || speaks_of(end[d], alg, side)) found = d == same || found != same ? d : found;
  return found;
}

static int order_of_ranks(int image, int output) { return image == output ? 0 : image > output ? 1 : 2; }

// Images of the output's rank come first, then those with more dimensions, then those with fewer.
static bool take_walked(const hy_tgt *filled, hy_arguments *a, int side) {
  const hy_alg *alg = filled->alg;
  for (int order = 0; order <= 2; order++)
    for (int k = 0; k < alg->image_count; k++) {
      const hy_func *image = alg->images[k];
      if (order_of_ranks(image->rank, alg->window_min[side]->func->rank) != order) continue;
      int d = walked_dimension(filled, image, side);
      if (d < 0) continue;
      a->window_min[side] = a->images[k]->min[d];
      a->window_len[side] = a->images[k]->len[d];
      return true;
    }
  return false;
}

// The longest side of all images. A row beside pictures (a table of gains) says nothing of them.
static bool take_longest(const hy_tgt *filled, hy_arguments *a, int side) {
  const hy_alg *alg = filled->alg;
  bool found = false;
  for (int k = 0; k < alg->image_count; k++) {
    const hy_func *image = alg->images[k];
    if (image->rank == 1 && alg->window_min[side]->func->rank > 1) continue;
    int d = walked_dimension(filled, image, side);
    if (d < 0 || (found && a->images[k]->len[d] <= a->window_len[side])) continue;
    a->window_min[side] = a->images[k]->min[d];
    a->window_len[side] = a->images[k]->len[d];
    found = true;
  }
  return found || take_walked(filled, a, side);
}

static bool take_equal_rank(const hy_alg *alg, hy_arguments *a, int side) {
  const hy_var *var = alg->window_min[side];
  for (int k = 0; k < alg->image_count; k++) {
    if (alg->images[k]->rank != var->func->rank) continue;
    a->window_min[side] = a->images[k]->min[var->dim];
    a->window_len[side] = a->images[k]->len[var->dim];
    return true;
  }
  return false;
}

/* -- bounds -- */

// Of bound_extent only the length; an output begins at 0 then, unless an image says otherwise.
static bool evaluate_bound(const hy_alg *alg, const hy_input *input, const hy_directive *d, int64_t *min,
                           int64_t *len) {
  int length = hy_directive_find(d->type, HY_TAKES_LENGTH);
  hy_value value = hy_input_evaluate(alg, input, d->args[length]);
  if (value.error || value.i < 0) return false;
  *len = value.i;
  if (length == 0) return true;
  value = hy_input_evaluate(alg, input, d->args[length - 1]);
  *min = value.i;
  return !value.error;
}

// What images gave lies within the bound, which has to cover all that is asked; without them it is the bound.
static void keep_within(hy_arguments *a, int side, bool has_min, int64_t min, int64_t len) {
  int64_t low = a->window_min[side], high = low + a->window_len[side];
  if (has_min && min > low) low = min;
  if (has_min ? min + len < high : low + len < high) high = has_min ? min + len : low + len;
  if (low >= high) return; // they do not meet: the entry check says so
  a->window_min[side] = low;
  a->window_len[side] = high - low;
}

static bool take_bounds(const hy_alg *alg, const hy_pipeline *pipeline, hy_arguments *a, int side, bool is_known) {
  const hy_var *var = alg->window_min[side];
  for (int i = 0; pipeline && i < pipeline->core_count; i++) {
    const hy_directive *d = &pipeline->core[i];
    int length = hy_directive_find(d->type, HY_TAKES_LENGTH);
    int64_t min = 0, len;
    if (length < 0 || d->func != var->func || d->dim != var->dim) continue;
    if (!evaluate_bound(alg, &a->input, d, &min, &len)) continue;
    if (is_known) {
      keep_within(a, side, length > 0, min, len);
    } else {
      a->window_min[side] = min;
      a->window_len[side] = len;
    }
    is_known = true;
  }
  return is_known;
}

void hy_window_start(const hy_tgt *filled, const hy_pipeline *pipeline, bool longest, hy_arguments *a, bool *known) {
  const hy_alg *alg = filled->alg;
  for (int side = 0; side < alg->window_rank; side++) {
    known[side] = a->is_side_said[side];
    if (known[side]) continue;
    a->window_min[side] = 0;
    a->window_len[side] = 1;
  }
  for (int side = 0; side < alg->window_rank; side++) {
    if (a->is_side_said[side]) continue;
    known[side] = longest ? take_longest(filled, a, side) : take_walked(filled, a, side);
    known[side] = take_bounds(alg, pipeline, a, side, known[side]);
    if (!known[side]) known[side] = take_equal_rank(alg, a, side);
  }
}
