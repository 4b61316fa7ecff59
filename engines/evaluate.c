#include "engines/evaluate.h"

#include "semantics/base/vec.h"
#include "semantics/tgt/image_region.h"
#include "tape/tape.h"

#include <string.h>

enum { SETTLING_ROUNDS = 16, FREE_ROUNDS = 4 };

/* -- startup variables and their values -- */

typedef struct {
  HY_VEC(const hy_var *) vars;
  HY_VEC(hy_value) values;
} bindings;

static void bind(bindings *b, const hy_var *var, hy_value value) {
  hy_vec_push(&b->vars, var);
  hy_vec_push(&b->values, value);
}

static void bind_all(bindings *b, const hy_alg *alg, const hy_input *input) {
  for (int i = 0; i < alg->param_count; i++) bind(b, alg->params[i], input->params[i]);
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++) {
      bind(b, alg->images[k]->min[d], hy_value_int(input->images[k]->min[d]));
      bind(b, alg->images[k]->len[d], hy_value_int(input->images[k]->len[d]));
    }
  for (int d = 0; d < alg->window_rank; d++) {
    bind(b, alg->window_min[d], hy_value_int(input->window_min[d]));
    bind(b, alg->window_len[d], hy_value_int(input->window_len[d]));
  }
}

// A startup expression reads nothing.
static hy_value no_load(void *self, const hy_func *func, int part, const hy_value *coordinates) {
  (void)part;
  (void)self, (void)coordinates;
  HY_DIE("a startup expression reads '%s'", func->name);
}

// Some expressions, compiled.
typedef struct {
  hy_tape *tape; // NULL: there are none
  hy_value *room;
} measure;

static measure measure_new(const hy_alg *alg, const hy_input *input, const hy_expr *const *exprs, size_t count) {
  bindings b = {0};
  bind_all(&b, alg, input);
  measure m = {.tape = hy_tape_compile(exprs, count, b.vars.data, b.vars.count, HY_LAZY)};
  m.room = hy_allocate(sizeof *m.room * hy_tape_room(m.tape));
  hy_tape_begin(m.tape, m.room);
  hy_vec_free(&b.vars);
  hy_vec_free(&b.values);
  return m;
}

static void measure_free(measure *m) {
  hy_tape_free(m->tape);
  hy_free(m->room);
}

static void measure_run(const measure *m, const hy_alg *alg, const hy_input *input, hy_value *values) {
  bindings b = {0};
  bind_all(&b, alg, input);
  if (b.values.count) memcpy(m->room, b.values.data, sizeof *m->room * b.values.count);
  hy_tape_run(m->tape, m->room, no_load, NULL, values);
  hy_vec_free(&b.vars);
  hy_vec_free(&b.values);
}

static void evaluate(const hy_alg *alg, const hy_input *input, const hy_expr *const *exprs, size_t count,
                     hy_value *values) {
  measure m = measure_new(alg, input, exprs, count);
  measure_run(&m, alg, input, values);
  measure_free(&m);
}

hy_value hy_input_evaluate(const hy_alg *alg, const hy_input *input, const hy_expr *expr) {
  hy_value value;
  evaluate(alg, input, &expr, 1, &value);
  return value;
}

/* -- regions -- */

// What is needed of an image, ready to be evaluated.
static measure measure_image(const hy_tgt *filled, const hy_func *image, const hy_input *input) {
  const hy_expr *min[HY_MAX_RANK], *end[HY_MAX_RANK], *exprs[2 * HY_MAX_RANK];
  if (!hy_image_region(filled, image, min, end)) return (measure){0};
  for (int d = 0; d < image->rank; d++) {
    exprs[2 * d] = min[d];
    exprs[2 * d + 1] = end[d];
  }
  return measure_new(filled->alg, input, exprs, 2 * (size_t)image->rank);
}

static bool region_of(const hy_tgt *tgt, const measure *m, const hy_func *image, const hy_input *input,
                      hy_region *region) {
  hy_value values[2 * HY_MAX_RANK];
  if (!m->tape) return false;
  measure_run(m, tgt->alg, input, values);
  region->empty = false;
  for (int d = 0; d < image->rank; d++) {
    hy_value min = values[2 * d], end = values[2 * d + 1];
    if (min.error || end.error || __builtin_sub_overflow(end.i, min.i, &region->len[d])) return false;
    region->min[d] = min.i;
    if (region->len[d] <= 0) region->empty = true;
  }
  return true;
}

bool hy_region_needed(const hy_tgt *filled, const hy_func *image, const hy_input *input, hy_region *region) {
  measure m = measure_image(filled, image, input);
  bool is_known = region_of(filled, &m, image, input, region);
  measure_free(&m);
  return is_known;
}

// Moves the box towards what is needed, which may itself depend on the box. True if it did not change.
static bool settle_box(const hy_tgt *filled, const hy_input *input, const hy_func *image, const measure *m,
                       hy_buffer *box, bool grow_only) {
  hy_region need;
  if (!region_of(filled, m, image, input, &need) || need.empty) return true;
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

// Rounds from "first" on, until one changes nothing, which is true, or so many have been.
static bool settle(const hy_tgt *filled, const hy_input *input, hy_buffer *const *images, int first, int rounds) {
  int count = filled->alg->image_count;
  measure *measures = hy_allocate(sizeof *measures * (size_t)(count + 1));
  for (int k = 0; k < count; k++) measures[k] = measure_image(filled, filled->alg->images[k], input);
  bool same = false;
  for (int round = first; round < first + rounds && !same; round++) {
    same = true;
    for (int k = 0; k < count; k++)
      same &= settle_box(filled, input, filled->alg->images[k], &measures[k], images[k], round >= FREE_ROUNDS);
  }
  for (int k = 0; k < count; k++) measure_free(&measures[k]);
  hy_free(measures);
  return same;
}

bool hy_input_grow(const hy_tgt *filled, const hy_input *input, hy_buffer *const *images) {
  return settle(filled, input, images, FREE_ROUNDS, 1);
}

void hy_input_settle(const hy_tgt *filled, const hy_input *input, hy_buffer *const *images) {
  settle(filled, input, images, 0, SETTLING_ROUNDS);
}

/* -- the entry block -- */

const hy_stmt *hy_entry_failure(const hy_tgt *filled, const hy_input *input) {
  if (hy_alg_nothing_asked(filled->alg, input)) return NULL;
  if (!filled->entry_count) return NULL;
  const hy_expr **conditions = hy_allocate(sizeof *conditions * (size_t)filled->entry_count);
  hy_value *held = hy_allocate(sizeof *held * (size_t)filled->entry_count);
  const hy_stmt *failed = NULL;
  for (int i = 0; i < filled->entry_count; i++) conditions[i] = filled->entry[i]->assume.condition;
  evaluate(filled->alg, input, conditions, (size_t)filled->entry_count, held);
  for (int i = 0; i < filled->entry_count && !failed; i++)
    if (held[i].error != HY_OK || !held[i].u) failed = filled->entry[i];
  hy_free(conditions);
  hy_free(held);
  return failed;
}
