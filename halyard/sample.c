#include "halyard/sample.h"

#include "engines/evaluate.h"
#include "engines/generator.h"

#include <stdlib.h>
#include <string.h>

enum { POINT_LIMIT = 1 << 15, IMAGE_LIMIT = 1 << 22, LARGE_IMAGE_LIMIT = 1 << 28, SIDE_LIMIT = 600, ATTEMPTS = 40 };

typedef struct {
  uint64_t seed, count;
} dice;

static uint64_t roll(dice *d) { return hy_splitmix(d->seed, d->count++); }
static int64_t between(dice *d, int64_t least, int64_t most) {
  return least + (int64_t)(roll(d) % (uint64_t)(most - least + 1));
}

uint64_t hy_sample_seed(const hy_sampler *s, int number) { return hy_splitmix(s->seed, (uint64_t)number); }

/* -- windows -- */

enum { FACTORS = 64 };
typedef struct {
  int64_t factors[FACTORS];
  int count;
} factor_list;

// The constant split factors of a program, read off the lets that splits leave behind.
static void list_factors(const hy_stmt *stmt, factor_list *list) {
  const hy_stmt *room[2], *const *children;
  int64_t factor;
  if (stmt->kind == HY_STMT_LET && hy_origin_is_blocks(&stmt->let.origin) && list->count < FACTORS &&
      hy_expr_is_int(stmt->let.origin.factor, &factor) && factor > 1 && factor < SIDE_LIMIT)
    list->factors[list->count++] = factor;
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) list_factors(children[i], list);
}

// A split factor of the schedule, or one that many schedules have.
static int64_t pick_factor(dice *d, const hy_pipeline *p) {
  factor_list list = {0};
  list_factors(p->filled->body, &list);
  return list.count ? list.factors[between(d, 0, list.count - 1)] : (int64_t[]){4, 8, 16}[between(d, 0, 2)];
}

static int64_t pick_length(dice *d, const hy_pipeline *p, int number) {
  if (number < 2) return number + 1;
  if (number == 3) return between(d, 3, 5);
  int64_t factor = pick_factor(d, p);
  switch (between(d, 0, 6)) {
  case 0: return factor - 1;
  case 1: return factor;
  case 2: return factor + 1;
  case 3: return 2 * factor + 1;
  case 4: return 2 * between(d, 1, 30) + 1;
  case 5: return 4 * factor + between(d, 0, 5);
  default: return between(d, 1, 9);
  }
}

static int64_t pick_min(dice *d, int number) {
  switch (number % 3) {
  case 0: return 0;
  case 1: return -between(d, 1, 40);
  default: return between(d, 1, 40);
  }
}

// Halves the longest side until the window is small enough for the slowest engine.
static void limit_window(int rank, int64_t *len) {
  for (;;) {
    int64_t points = 1;
    int longest = 0;
    for (int d = 0; d < rank; d++) {
      points *= len[d];
      if (len[d] > len[longest]) longest = d;
    }
    if (points <= POINT_LIMIT) return;
    len[longest] = len[longest] / 2 + 1;
  }
}

// What two outputs read in common reaches from one's window to the other's, so that three of four inputs have them all
// beside the first.
static void bring_together(dice *d, const hy_alg *alg, int number, hy_arguments *a) {
  for (int i = alg->output->rank; i < alg->window_rank && number % 4 != 3; i++) {
    int dim = alg->window_min[i]->dim;
    if (dim < alg->output->rank) a->window_min[i] = a->window_min[dim] + between(d, -2, 2);
  }
}

// A func that is read with its coordinates exchanged reaches from one dimension's origin to another's, in each of its
// own: of many dimensions the origins lie together.
static void pick_window(dice *d, const hy_pipeline *p, const hy_alg *alg, int number, hy_arguments *a) {
  enum { APART = 3 };
  int rank = alg->window_rank, most = 0;
  for (int k = 0; k < alg->output_count; k++)
    if (alg->outputs[k].func->rank > most) most = alg->outputs[k].func->rank;
  int64_t start = most > APART ? pick_min(d, number) : 0;
  for (int k = 0; k < rank; k++) {
    a->window_min[k] = most > APART ? start + between(d, 0, most > APART + 2 ? 1 : 3) : pick_min(d, number + k);
    a->window_len[k] = pick_length(d, p, number);
  }
  if (most <= APART) bring_together(d, alg, number, a);
  if (rank && number == 2) a->window_len[between(d, 0, rank - 1)] = 0; // of several outputs one
  for (int k = 0; k < alg->output_count; k++)
    limit_window(alg->outputs[k].func->rank, a->window_len + alg->outputs[k].first);
}

/* -- buffers that lie as the program says (GEN.Laid): they do in three inputs of four, if it can be -- */

static int64_t most_of(const hy_tgt *filled, int number, const hy_func *func, int dim) {
  hy_strides wanted = number % 4 != 3 ? hy_tgt_wanted(filled, func) : hy_tgt_demanded(filled, func);
  return hy_strides_most(&wanted, func->rank, dim);
}

static void narrow_window(const hy_tgt *filled, int number, hy_arguments *a) {
  const hy_alg *alg = filled->alg;
  for (int i = 0; i < alg->window_rank; i++) {
    int64_t most = most_of(filled, number, alg->window_min[i]->func, alg->window_min[i]->dim);
    if (most && a->window_len[i] > most) a->window_len[i] = most;
  }
}

/* -- parameters -- */

static hy_value pick_value(dice *d, hy_type type) {
  switch (hy_type_class_of(type)) {
  case HY_CLASS_INTEGER: return hy_value_int(between(d, between(d, 0, 9) ? 0 : -3, 5));
  case HY_CLASS_BOOL: return hy_value_bool(roll(d) & 1);
  case HY_CLASS_UNSIGNED:
  case HY_CLASS_SIGNED: return hy_value_integral(type, between(d, 0, 1) ? between(d, 0, 5) : (int64_t)roll(d));
  case HY_CLASS_FLOAT: return hy_value_from_double(type, (double)between(d, -4096, 4096) / 1024.0);
  }
  HY_UNREACHABLE();
}

// One of the ends now and then, where mistakes are.
static hy_value pick_in_range(dice *d, hy_param_about about) {
  hy_type type = (hy_type)about.least.type;
  int64_t where = between(d, 0, 9);
  if (where < 2) return where ? about.greatest : about.least;
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) {
    double least = hy_value_to_double(about.least), greatest = hy_value_to_double(about.greatest);
    double part = (double)between(d, 0, 1024) / 1024.0;
    return hy_value_from_double(type, least * (1.0 - part) + greatest * part);
  }
  uint64_t most = about.greatest.u - about.least.u;
  if (most > 12 && where < 8) most = 12;
  uint64_t step = most == UINT64_MAX ? roll(d) : roll(d) % (most + 1);
  return hy_value_integral(type, (int64_t)(about.least.u + step));
}

// Of the first input what is not given has its default.
static void pick_params(dice *d, const hy_sampler *s, const hy_alg *alg, int number, hy_arguments *a) {
  for (int i = 0; i < alg->param_count; i++) {
    hy_param_about about = hy_alg_about(alg, i);
    a->params[i] = pick_value(d, alg->params[i]->type);
    if (!hy_alg_param_fits(alg, i, a->params[i])) a->params[i] = pick_in_range(d, about);
    if (about.has_initial && number == 0) a->params[i] = about.initial;
    if (s->params && s->is_given[i]) a->params[i] = s->params[i];
  }
  hy_sample_meet_requirements(s, alg, false, a);
}

/* -- images: boxes first, elements when the boxes are settled -- */

static void give_box(hy_arguments *a, int k, const int64_t *min, const int64_t *len, int rank) {
  memcpy(a->images[k]->min, min, sizeof(int64_t) * (size_t)rank);
  memcpy(a->images[k]->len, len, sizeof(int64_t) * (size_t)rank);
}

// The box's first guess: the window's, where it has the dimension.
static void guess_box(const hy_alg *alg, hy_arguments *a, int k) {
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  for (int d = 0; d < alg->images[k]->rank; d++) {
    min[d] = d < alg->output->rank ? a->window_min[d] : 0;
    len[d] = d < alg->output->rank ? a->window_len[d] : 3;
  }
  give_box(a, k, min, len, alg->images[k]->rank);
}

static void settle_boxes(const hy_tgt *filled, hy_arguments *a) {
  for (int k = 0; k < a->image_count; k++) guess_box(filled->alg, a, k);
  hy_input_settle(filled, &a->input, a->images);
}

static void enlarge_boxes(dice *d, const hy_tgt *filled, int number, hy_arguments *a) {
  const hy_alg *alg = filled->alg;
  for (int k = 0; k < a->image_count; k++)
    for (int i = 0; i < alg->images[k]->rank; i++) {
      int64_t below = between(d, 0, 3), len = a->images[k]->len[i] + below + between(d, 0, 3);
      int64_t most = most_of(filled, number, alg->images[k], i);
      if (most && len > most) continue;
      a->images[k]->min[i] -= below;
      a->images[k]->len[i] = len;
    }
}

static bool fits(const hy_buffer *box, double limit) {
  double count = 1;
  for (int d = 0; d < box->rank; d++) count *= (double)box->len[d];
  return count <= limit;
}

// Small numbers, many of them 0: divisions by zero, equal neighbours, ties.
static void fill_small(dice *d, hy_buffer *buffer) {
  size_t bytes = hy_type_bytes(buffer->type);
  bool is_float = hy_type_class_of(buffer->type) == HY_CLASS_FLOAT;
  for (size_t i = 0; i < buffer->count; i++) {
    int64_t number = between(d, 0, 3) % 3;
    hy_value value =
        is_float ? hy_value_from_double(buffer->type, (double)number) : hy_value_integral(buffer->type, number);
    hy_value_store(value, buffer->data + i * bytes);
  }
}

// Real buffers in place of the bare boxes, of at most "limit" elements each.
static bool fill_images(dice *d, const hy_alg *alg, int number, double limit, hy_arguments *a) {
  for (int k = 0; k < a->image_count; k++) {
    hy_buffer *box = a->images[k];
    if (!fits(box, limit)) return false;
    hy_buffer *buffer = hy_buffer_new(alg->images[k]->type, alg->images[k]->rank, box->min, box->len);
    if (!buffer) return false;
    hy_buffer_free(box);
    a->images[k] = buffer;
    if (number % 4 == 3)
      fill_small(d, buffer);
    else
      hy_generator_fill_random(buffer, roll(d));
  }
  return true;
}

/* -- all of it -- */

static void start(const hy_alg *alg, hy_arguments *a) {
  *a = (hy_arguments){.image_count = alg->image_count};
  a->params = hy_allocate_zeroed((size_t)alg->param_count + 1, sizeof *a->params);
  a->images = hy_allocate_zeroed((size_t)alg->image_count + 1, sizeof *a->images);
  for (int k = 0; k < alg->image_count; k++) { // bare boxes, without elements
    a->images[k] = hy_allocate_zeroed(1, sizeof *a->images[k]);
    a->images[k]->type = alg->images[k]->type;
    a->images[k]->rank = alg->images[k]->rank;
  }
  a->input = (hy_input){a->params, (const hy_buffer *const *)a->images, a->window_min, a->window_len};
}

// Where the algorithm requires something, an input that does not come about is tried in the place of others, too: an
// image that has to begin at 0 is one of windows above.
static int turn(const hy_alg *alg, int attempt) { return alg->requirement_count ? attempt / 4 : 0; }

// Where a box has to be of one length ("require filter.len(2) == 3;"), more than what is read is too much.
static bool enlarges(const hy_alg *alg, int attempt) { return !alg->requirement_count || attempt % 2 == 0; }

// An image that has to begin at 0 and to have three channels holds few of these windows: in the second half of the
// attempts most sides begin at 0, and half of them are short.
static void draw_near(dice *d, const hy_alg *alg, int attempt, hy_arguments *a) {
  if (!alg->requirement_count || attempt < ATTEMPTS / 2) return;
  for (int i = 0; i < alg->window_rank; i++) {
    if (between(d, 0, 3)) a->window_min[i] = 0;
    if (between(d, 0, 1)) a->window_len[i] = between(d, 1, 3);
  }
}

bool hy_sample_make(const hy_sampler *s, const hy_pipeline *p, int number, hy_arguments *a) {
  dice d = {hy_sample_seed(s, number), 0};
  start(p->alg, a);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    pick_window(&d, p, p->alg, number + turn(p->alg, attempt), a);
    draw_near(&d, p->alg, attempt, a);
    narrow_window(p->filled, number, a);
    pick_params(&d, s, p->alg, number, a);
    bool met = hy_sample_meet_needs(p->context, p->filled, a);
    if (!met && attempt + 5 < ATTEMPTS) continue;
    settle_boxes(p->filled, a);
    if (number % 2 && enlarges(p->alg, attempt)) enlarge_boxes(&d, p->filled, number, a);
    hy_sample_meet_requirements(s, p->alg, true, a);
    if (!hy_entry_failure(p->filled, &a->input)) return fill_images(&d, p->alg, number, IMAGE_LIMIT, a);
  }
  return false;
}

/* -- small ones, for validation: many programs run on them -- */

// One side long enough to meet a split factor's tail, the others short; every third input is short all round. The more
// dimensions, the shorter, and the nearer to each other the sides begin: where a func is read at points whose
// coordinates are exchanged, its box reaches from one to the other. "less" asks for less and less.
static void pick_small_window(dice *d, const hy_pipeline *p, const hy_alg *alg, int number, int less, hy_arguments *a) {
  int turn = number % 3;
  int64_t start = pick_min(d, number);
  for (int i = 0; i < alg->window_rank; i++) {
    int rank = alg->window_min[i]->func->rank, k = alg->window_min[i]->dim;
    int64_t most = rank <= 2 ? 7 : rank <= 4 ? 4 : 2, factor = pick_factor(d, p);
    most = most >> less > 1 ? most >> less : 1;
    bool is_long = turn < 2 && k == (rank - 1 - turn + rank) % rank && less < HY_SAMPLE_LEAST;
    a->window_min[i] = rank <= 3 && !less ? pick_min(d, number + k) : start + between(d, 0, less ? 1 : 3);
    a->window_len[i] = is_long ? factor + between(d, 1, factor < 32 && !less ? factor : 3) : between(d, 1, most);
  }
  bring_together(d, alg, number, a);
}

bool hy_sample_make_small(const hy_sampler *s, const hy_pipeline *p, const hy_tgt *first, int number, int less,
                          hy_arguments *a) {
  dice d = {hy_splitmix(s->seed ^ 0x5a11, (uint64_t)number), 0};
  start(p->alg, a);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    pick_small_window(&d, p, p->alg, number + 3 * turn(p->alg, attempt), less, a);
    draw_near(&d, p->alg, attempt, a);
    pick_params(&d, s, p->alg, number, a);
    bool met = hy_sample_meet_needs(p->context, p->filled, a);
    if (!met && attempt + 5 < ATTEMPTS) continue;
    settle_boxes(p->filled, a);
    for (int round = 0; round < 8; round++) { // both programs, and what lies between them
      hy_input_grow(p->filled, &a->input, a->images);
      if (first) hy_input_grow(first, &a->input, a->images);
    }
    if (enlarges(p->alg, attempt)) enlarge_boxes(&d, p->filled, number, a);
    hy_sample_meet_requirements(s, p->alg, true, a);
    if (!hy_entry_failure(p->filled, &a->input)) return fill_images(&d, p->alg, 2 * number, IMAGE_LIMIT, a);
  }
  return false;
}

/* -- of a given size -- */

// Windows, parameters and boxes, without elements.
static bool size(const hy_sampler *s, const hy_pipeline *p, const hy_tgt *other, const int64_t *window_min,
                 const int64_t *window_len, dice *d, hy_arguments *a) {
  size_t sides = sizeof(int64_t) * (size_t)p->alg->window_rank;
  start(p->alg, a);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    memcpy(a->window_min, window_min, sides);
    memcpy(a->window_len, window_len, sides);
    pick_params(d, s, p->alg, 0, a);
    bool met = hy_sample_meet_needs(p->context, p->filled, a);
    if (!met && attempt + 5 < ATTEMPTS) continue;
    settle_boxes(p->filled, a);
    for (int round = 0; other && round < 8; round++) {
      hy_input_grow(p->filled, &a->input, a->images);
      hy_input_grow(other, &a->input, a->images);
    }
    hy_sample_meet_requirements(s, p->alg, true, a);
    if (!hy_entry_failure(p->filled, &a->input) && (!other || !hy_entry_failure(other, &a->input))) return true;
  }
  return false;
}

bool hy_sample_make_sized(const hy_sampler *s, const hy_pipeline *p, const hy_tgt *other, const int64_t *window_min,
                          const int64_t *window_len, hy_arguments *a) {
  dice d = {hy_sample_seed(s, 0), 0};
  return size(s, p, other, window_min, window_len, &d, a) && fill_images(&d, p->alg, 0, LARGE_IMAGE_LIMIT, a);
}

bool hy_sample_make_boxes(const hy_sampler *s, const hy_pipeline *p, const int64_t *window_min,
                          const int64_t *window_len, hy_arguments *a) {
  dice d = {hy_sample_seed(s, 0), 0};
  return size(s, p, NULL, window_min, window_len, &d, a);
}

void hy_sample_print(const hy_alg *alg, const hy_arguments *a, hy_text *out) {
  hy_text_add(out, "window ");
  hy_window_print(alg, &a->input, out);
  for (int i = 0; i < alg->param_count; i++) {
    hy_text_printf(out, ", %s = ", alg->params[i]->name);
    hy_value_print(a->params[i], out);
  }
  for (int k = 0; k < alg->image_count; k++) {
    hy_text_printf(out, ", %s on ", alg->images[k]->name);
    hy_box_print(alg->images[k]->rank, a->images[k]->min, a->images[k]->len, out);
  }
}
