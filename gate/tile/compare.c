/* Level 3's verdict on open points: those of outputs where what the function leaves and what the program means are not
 * one node, or where an operation may break what it promised (judge.c).
 *
 *   1. all symbols get values (samples.c), without and with what fast-math flags allow: a difference is an answer, and
 *      the images that show it are kept
 *   2. of the first points, all values of the symbols below, if these have few bits, and no flags leave a choice: a
 *      point is equal that is equal for each of them
 *   3. what is left is undecided
 *
 * Where the program means an error, whatever the function leaves is right (decision D5).
 */

#include "gate/tile/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef hy_tile_judge_state state;

enum { MOST_LIMITS = 24, MOST_ENUMERATED_BITS = 16, MOST_ENUMERATIONS = 64 };

bool hy_tile_same_value(hy_type type, uint64_t a, uint64_t b) {
  if (a == b) return true;
  if (hy_type_class_of(type) != HY_CLASS_FLOAT) return false;
  hy_value x = hy_value_load(type, &a), y = hy_value_load(type, &b);
  return isnan(hy_value_to_double(x)) && isnan(hy_value_to_double(y));
}

/* -- a difference -- */

static void print_value(hy_text *out, hy_type type, uint64_t bits) { hy_value_print(hy_value_load(type, &bits), out); }

static void print_point(hy_text *out, const hy_tile_point *p) {
  hy_text_printf(out, "%s(", p->part->name);
  for (int d = 0; d < p->part->func->rank; d++) hy_text_printf(out, "%s%lld", d ? ", " : "", (long long)p->at[d]);
  hy_text_add(out, ")");
}

// What the images hold where the symbols have these values.
static void keep_images(state *s, const uint64_t *symbols) {
  const hy_alg *alg = s->question->tgt->alg;
  for (int k = 0; k < alg->image_count; k++) {
    const hy_buffer *b = s->question->input->images[k];
    s->verdict->images[k] = hy_buffer_new(b->type, b->rank, b->min, b->len);
  }
  for (size_t i = 0; i < s->symbols.count; i++) {
    hy_buffer *image = s->verdict->images[s->symbols.data[i].image];
    if (image)
      memcpy(image->data + s->symbols.data[i].element * hy_type_bytes(image->type), &symbols[i],
             hy_type_bytes(image->type));
  }
}

static void tell_difference(state *s, hy_valuation *v, const hy_tile_point *p, const char *why) {
  hy_text text = {0};
  uint64_t is, wanted;
  hy_type type = p->part->type;
  hy_valuation_of(v, p->is, &is);
  hy_valuation_of(v, p->wanted, &wanted);
  print_point(&text, p);
  hy_text_add(&text, " is ");
  print_value(&text, type, is);
  hy_text_add(&text, ", the program means ");
  print_value(&text, type, wanted);
  hy_text_add(&text, why);
  s->verdict->answer = HY_TILE_WRONG;
  snprintf(s->verdict->story, sizeof s->verdict->story, "%s", hy_text_string(&text));
  keep_images(s, v->symbols);
  hy_text_free(&text);
}

// The values that the symbols have now show a difference at the point.
static bool shows(state *s, hy_valuation *v, const hy_tile_point *p) {
  uint64_t error, bad, is, wanted;
  hy_valuation_of(v, p->error, &error);
  if (error) return false;
  hy_valuation_of(v, p->bad, &bad);
  hy_valuation_of(v, p->is, &is);
  hy_valuation_of(v, p->wanted, &wanted);
  bool differs = !hy_tile_same_value(p->part->type, is, wanted);
  if (bad || differs)
    tell_difference(s, v, p,
                    bad           ? ", by an operation that promised not to overflow"
                    : v->is_loose ? ", where fast-math flags are used"
                                  : "");
  return bad || differs;
}

// The constants that differences of open points may hang on.
static void find_limits(state *s, uint32_t *marks) {
  HY_VEC(hy_node) stack = {0};
  for (size_t i = 0; i < s->open.count && i < 8; i++) {
    hy_vec_push(&stack, s->open.data[i].is);
    hy_vec_push(&stack, s->open.data[i].wanted);
  }
  while (stack.count) {
    hy_node n = hy_vec_pop(&stack);
    const hy_node_data *d = hy_node_at(&s->graph, n);
    if (marks[n]) continue;
    marks[n] = 1;
    if (d->op == HY_NODE_CONST && d->bits > 1 && s->limits.count < MOST_LIMITS) hy_vec_push(&s->limits, d->value);
    for (int i = 0; i < 3 && d->a[i]; i++) hy_vec_push(&stack, d->a[i]);
  }
  hy_vec_free(&stack);
}

static bool try_samples(state *s, hy_valuation *v) {
  int count = s->question->limits.samples ? s->question->limits.samples
                                          : HY_TILE_ODD_SAMPLES + HY_TILE_AROUND * (int)s->limits.count;
  for (int k = 0; k < 2 * count; k++) {
    hy_tile_sample(s, k / 2, v->symbols);
    v->is_loose = k % 2;
    hy_valuation_begin(v);
    for (size_t i = 0; i < s->open.count; i++)
      if (shows(s, v, &s->open.data[i])) return true;
  }
  v->is_loose = false;
  return false;
}

/* -- all values of few symbols -- */

typedef struct {
  hy_node symbols[4];
  int count, bits;
} support;

// The symbols below a point's nodes; false: there are more than can be gone through.
static bool find_support(const state *s, const hy_tile_point *p, support *out, uint32_t *marks, uint32_t mark) {
  HY_VEC(hy_node) stack = {0};
  const hy_node roots[] = {p->is, p->bad, p->wanted, p->error};
  bool good = true;
  *out = (support){.count = 0};
  for (size_t i = 0; i < HY_COUNT(roots); i++) hy_vec_push(&stack, roots[i]);
  while (good && stack.count) {
    hy_node n = hy_vec_pop(&stack);
    const hy_node_data *d = hy_node_at(&s->graph, n);
    if (marks[n] == mark) continue;
    marks[n] = mark;
    if (d->extra) good = false; // more than one value: what is shown of one of them is not shown
    if (d->op == HY_NODE_SYMBOL) {
      good = good && out->count < (int)HY_COUNT(out->symbols) && (out->bits += d->bits) <= MOST_ENUMERATED_BITS;
      if (good) out->symbols[out->count++] = n;
    }
    for (int i = 0; i < 3 && d->a[i]; i++) hy_vec_push(&stack, d->a[i]);
  }
  hy_vec_free(&stack);
  return good;
}

// 1: equal for all values; -1: a difference was told; 0: too many values.
static int enumerate(state *s, hy_valuation *v, const hy_tile_point *p, uint32_t *marks, uint32_t mark) {
  support found;
  if (!find_support(s, p, &found, marks, mark)) return 0;
  for (uint64_t k = 0; k < UINT64_C(1) << found.bits; k++) {
    uint64_t rest = k;
    for (int i = 0; i < found.count; i++) {
      const hy_node_data *d = hy_node_at(&s->graph, found.symbols[i]);
      v->symbols[d->value] = rest & hy_low_bits(d->bits);
      rest >>= d->bits;
      if (v->symbols[d->value] > d->most) goto next; // a value that it cannot have
    }
    hy_valuation_begin(v);
    if (shows(s, v, p)) return -1;
  next:;
  }
  return 1;
}

/* -- all of it -- */

static void tell_open(state *s, size_t count, const hy_tile_point *first) {
  hy_text text = {0};
  hy_text_printf(&text, "%zu of %llu points are neither shown to be equal nor seen to differ, ", count,
                 (unsigned long long)s->verdict->points);
  print_point(&text, first);
  hy_text_add(&text, " among them");
  s->verdict->answer = HY_TILE_UNDECIDED;
  s->verdict->open = count;
  snprintf(s->verdict->story, sizeof s->verdict->story, "%s", hy_text_string(&text));
  hy_text_free(&text);
}

void hy_tile_compare(state *s) {
  hy_valuation v;
  if (!s->open.count) return;
  hy_valuation_init(&v, &s->graph);
  uint32_t *marks = hy_allocate_zeroed(s->graph.nodes.count, sizeof *marks);
  find_limits(s, marks);
  memset(marks, 0, s->graph.nodes.count * sizeof *marks);
  bool is_over = try_samples(s, &v);
  size_t left = 0;
  for (size_t i = 0; !is_over && i < s->open.count; i++) {
    int answer = i < MOST_ENUMERATIONS ? enumerate(s, &v, &s->open.data[i], marks, (uint32_t)i + 1) : 0;
    is_over = answer < 0;
    s->verdict->enumerated += answer > 0;
    if (!answer) s->open.data[left++] = s->open.data[i];
  }
  if (!is_over && left) tell_open(s, left, &s->open.data[0]);
  hy_free(marks);
  hy_valuation_free(&v);
}
