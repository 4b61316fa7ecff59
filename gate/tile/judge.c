#include "gate/tile/judge.h"

#include "gate/tile/run.h"

#include <stdio.h>
#include <string.h>

enum { STEPS = 60000000, NODES = 6000000, SAMPLES = 64 };
enum { BYTES = 1 << 28 };

typedef hy_tile_judge_state state;

/* -- symbols -- */

static bool make_images(state *s) {
  const hy_alg *alg = s->question->tgt->alg;
  hy_node fine = hy_graph_const(&s->graph, 1, 0);
  for (int k = 0; k < alg->image_count; k++) {
    const hy_buffer *b = s->question->input->images[k];
    hy_meant_box *box = &s->images[k];
    if (!hy_meant_box_make(box, b->type, b->rank, b->min, b->len) || box->count > NODES / 4) return false;
    box->values = hy_allocate((box->count + 1) * sizeof *box->values);
    for (size_t i = 0; i < box->count; i++) {
      int bits = hy_type_bits(b->type);
      hy_node n = hy_graph_symbol(&s->graph, bits, 0, b->type == HY_BOOL ? 1 : hy_low_bits(bits));
      hy_vec_push(&s->symbols, ((hy_tile_symbol){b->type, k, i}));
      box->values[i] = (hy_meant){b->type == HY_BOOL ? hy_graph_resize(&s->graph, n, 1, false) : n, fine};
    }
  }
  return true;
}

/* -- memory as the function is called with it -- */

typedef struct {
  uint64_t data; // the element at the minimum
  int64_t stride[HY_MAX_RANK];
  uint64_t region;
} placed;

hy_tile_layout hy_tile_layout_of(const hy_tgt *tgt, int number) {
  return (hy_tile_layout)(number % (hy_tgt_says_strides(tgt) ? HY_TILE_AS_SAID + 1 : HY_TILE_AS_SAID));
}

static bool lie_so(const state *s, const hy_func *func, const hy_meant_box *b, int64_t *stride) {
  hy_strides wanted = hy_tgt_wanted(s->question->tgt, func);
  int64_t span;
  return hy_strides_lay(&wanted, b->rank, b->len, stride, &span);
}

// Can all?
static bool all_lie_so(const state *s) {
  const hy_alg *alg = s->question->tgt->alg;
  int64_t stride[HY_MAX_RANK];
  bool all = true;
  for (int k = 0; k < alg->image_count; k++) all = all && lie_so(s, alg->images[k], &s->images[k], stride);
  for (int k = 0; k < alg->part_count; k++) all = all && lie_so(s, alg->parts[k].func, &s->meaning.outputs[k], stride);
  return all;
}

// Whatever else, a buffer lies as the program demands (GEN.Demand).
static bool lie_as_demanded(const state *s, const hy_func *func, const hy_meant_box *b, int64_t *stride) {
  const hy_laid *laid = hy_tgt_laid(s->question->tgt, func);
  hy_strides demanded = hy_tgt_demanded(s->question->tgt, func);
  int64_t span;
  if (!laid || !hy_strides_say(&laid->demanded, b->rank)) return true;
  return hy_strides_lay(&demanded, b->rank, b->len, stride, &span);
}

// Rows lie dense, with gaps, or the last one first, or as the program says; the first element is aligned to itself, or
// as is demanded, and no more.
static bool place(state *s, hy_tile_memory *m, const char *name, const hy_func *func, const hy_meant_box *b,
                  hy_tile_layout layout, placed *out) {
  int64_t stride = 1, low = 0, high = 0, element = hy_type_bits(b->type) / 8;
  for (int d = 0; d < b->rank; d++) {
    out->stride[d] = layout == HY_TILE_UPSIDE_DOWN && d ? -stride : stride;
    stride = stride * b->len[d] + (layout == HY_TILE_GAPS ? 3 : 0);
  }
  if (layout == HY_TILE_AS_SAID && !lie_so(s, func, b, out->stride))
    return hy_tile_fail(&s->fault, HY_TILE_UNDECIDED, "a buffer does not lie as the program says");
  if (layout != HY_TILE_AS_SAID && !lie_as_demanded(s, func, b, out->stride))
    return hy_tile_fail(&s->fault, HY_TILE_UNDECIDED, "a buffer does not lie as the program demands");
  for (int d = 0; d < b->rank; d++) {
    int64_t reach = b->len[d] ? out->stride[d] * (b->len[d] - 1) : 0;
    *(reach < 0 ? &low : &high) += reach;
  }
  int64_t align = hy_tgt_align(s->question->tgt, func);
  uint64_t past = (uint64_t)(align > element ? align + low * element : element * (1 + 2 * (int64_t)layout));
  hy_tile_region *r = hy_tile_memory_add(m, name, b->count ? (uint64_t)((high - low + 1) * element) : 0, past);
  if (!r) return hy_tile_fail(&s->fault, HY_TILE_UNDECIDED, "the limit of memory is reached");
  out->data = r->base - (uint64_t)(low * element);
  out->region = r->base >> HY_TILE_REGION_BITS;
  return true;
}

static uint64_t address(const placed *p, const hy_meant_box *b, const int64_t *point) {
  int64_t offset = 0;
  for (int d = 0; d < b->rank; d++) offset += (point[d] - b->min[d]) * p->stride[d];
  return p->data + (uint64_t)(offset * (hy_type_bits(b->type) / 8));
}

static bool next_point(const hy_meant_box *b, int64_t *point) {
  for (int d = 0; d < b->rank; d++) {
    if (++point[d] < b->min[d] + b->len[d]) return true;
    point[d] = b->min[d];
  }
  return false;
}

static bool fill_image(state *s, hy_tile_memory *m, const hy_meant_box *b, const placed *p) {
  int64_t point[HY_MAX_RANK];
  size_t at;
  memcpy(point, b->min, sizeof point);
  if (b->count) do {
      hy_meant_box_at(b, point, &at);
      hy_node n = hy_graph_resize(&s->graph, b->values[at].value, hy_type_bits(b->type), false);
      if (!hy_tile_store(m, address(p, b, point), n, &s->fault)) return false;
    } while (next_point(b, point));
  m->regions.data[p->region - 1].is_constant = true;
  return true;
}

static bool add_word(state *s, hy_tile_memory *m, uint64_t *at, uint64_t word) {
  bool good = hy_tile_store(m, *at, hy_graph_const(&s->graph, 64, word), &s->fault);
  *at += 8;
  return good;
}

static bool add_buffer(state *s, hy_tile_memory *m, uint64_t *at, const hy_meant_box *b, const placed *p) {
  bool good = add_word(s, m, at, p->data);
  for (int d = 0; good && d < b->rank; d++)
    good = add_word(s, m, at, (uint64_t)b->min[d]) && add_word(s, m, at, (uint64_t)b->len[d]) &&
           add_word(s, m, at, (uint64_t)p->stride[d]);
  return good;
}

// The words that the function takes: each parameter; of each image and output data, then min, len, stride by dimension.
static bool make_words(state *s, hy_tile_memory *m, const placed *images, const placed *outputs, uint64_t *words) {
  const hy_alg *alg = s->question->tgt->alg;
  uint64_t count = (uint64_t)alg->param_count;
  for (int k = 0; k < alg->image_count; k++) count += 1 + 3 * (uint64_t)alg->images[k]->rank;
  for (int k = 0; k < alg->part_count; k++) count += 1 + 3 * (uint64_t)alg->parts[k].func->rank;
  hy_tile_region *r = hy_tile_memory_add(m, "the arguments", 8 * count, 8);
  if (!r) return hy_tile_fail(&s->fault, HY_TILE_UNDECIDED, "the limit of memory is reached");
  uint64_t at = *words = r->base;
  bool good = true;
  for (int k = 0; good && k < alg->param_count; k++) {
    uint64_t word = 0;
    hy_value_store(s->question->input->params[k], &word);
    good = add_word(s, m, &at, word);
  }
  for (int k = 0; good && k < alg->image_count; k++) good = add_buffer(s, m, &at, &s->images[k], &images[k]);
  for (int k = 0; good && k < alg->part_count; k++) good = add_buffer(s, m, &at, &s->meaning.outputs[k], &outputs[k]);
  m->regions.data[m->regions.count - 1].is_constant = true;
  return good;
}

/* -- what it left behind -- */

// Where it wrote beside the elements. requires: elements were looked at, and marked
static bool is_untouched(const hy_graph *g, const hy_tile_cell *c) {
  return !c->node || (hy_node_is(g, c->node, HY_NODE_SYMBOL) && hy_node_bits(g, c->node) == 8 && c->byte == 0);
}

static bool look_between(state *s, hy_tile_memory *m, const hy_output_part *o, const placed *p, const hy_meant_box *b) {
  hy_tile_region *r = &m->regions.data[p->region - 1];
  bool *is_element = hy_allocate_zeroed(r->size + 1, sizeof *is_element);
  int64_t point[HY_MAX_RANK];
  bool good = true;
  memcpy(point, b->min, sizeof point);
  if (b->count) do
      for (int k = 0; k < hy_type_bits(b->type) / 8; k++)
        is_element[address(p, b, point) - r->base + (uint64_t)k] = true;
    while (next_point(b, point));
  for (uint64_t i = 0; good && i < r->size; i++)
    if (!is_element[i] && !is_untouched(&s->graph, &r->cells[i]))
      good = hy_tile_fail(&s->fault, HY_TILE_WRONG, "it writes between the elements of '%s'", o->name);
  hy_free(is_element);
  return good;
}

static bool look(state *s, hy_tile_memory *m, const hy_output_part *o, const placed *p, const hy_meant_box *b) {
  hy_graph *g = &s->graph;
  int64_t point[HY_MAX_RANK];
  size_t at;
  memcpy(point, b->min, sizeof point);
  if (b->count) do {
      hy_tile_point found = {.part = o};
      memcpy(found.at, point, sizeof point);
      hy_meant_box_at(b, point, &at);
      hy_node n = hy_tile_load(m, address(p, b, point), hy_type_bits(b->type), &s->fault);
      if (!n) return false;
      found.is = hy_graph_defined(g, n, &found.bad);
      found.wanted = hy_graph_resize(g, b->values[at].value, hy_type_bits(b->type), false);
      found.error = b->values[at].error;
      s->verdict->points++;
      bool same = found.is == found.wanted && hy_node_is_value(g, found.bad, 0);
      if (same || hy_node_is_value(g, found.error, 1))
        s->verdict->same++; // machine code has no errors (D5)
      else
        hy_vec_push(&s->open, found);
    } while (next_point(b, point));
  return look_between(s, m, o, p, b);
}

static bool look_for_leaks(state *s, const hy_tile_memory *m) {
  for (size_t i = 0; i < m->regions.count; i++)
    if (m->regions.data[i].is_heap && !m->regions.data[i].is_dead)
      return hy_tile_fail(&s->fault, HY_TILE_WRONG, "it does not free memory that it allocated");
  return true;
}

/* -- runs -- */

static bool call(state *s, hy_tile_memory *m, uint64_t words, bool is_backwards) {
  const hy_tile_question *q = s->question;
  const hy_ir_function *f = hy_ir_find(q->module, q->function);
  hy_tile_run run = {.graph = &s->graph, .memory = m, .module = q->module, .is_backwards = is_backwards};
  run.most_steps = q->limits.steps ? q->limits.steps : STEPS;
  run.seen = q->seen ? q->seen : hy_tile_seen_new(q->module);
  hy_node status = 0, argument = hy_graph_const(&s->graph, 64, words);
  uint64_t code;
  bool good = f ? hy_tile_call(&run, f, &argument, 1, &status, 1)
                : hy_tile_undecided(&run, "there is no function", q->function);
  if (good) good = hy_tile_number(&run, status, "what it returns", &code);
  if (good && code)
    good = hy_tile_fail(&run.fault, HY_TILE_WRONG, "it refuses an input that the program takes, with %d", (int)code);
  if (good && s->graph.is_full) good = hy_tile_undecided(&run, "the limit of values is reached", NULL);
  if (!q->seen) hy_tile_seen_free(q->module, run.seen);
  s->verdict->steps += run.steps;
  if (!good) s->fault = run.fault;
  return good;
}

static bool run_once(state *s, bool is_backwards) {
  const hy_tile_question *q = s->question;
  const hy_alg *alg = q->tgt->alg;
  placed images[HY_TILE_IMAGES], outputs[HY_MAX_OUTPUT_PARTS];
  hy_tile_memory m;
  uint64_t words = 0;
  bool good = true, so = q->layout == HY_TILE_AS_SAID && all_lie_so(s);
  hy_tile_layout in = q->layout == HY_TILE_AS_SAID && !so ? HY_TILE_DENSE : q->layout;
  hy_tile_memory_init(&m, &s->graph, q->limits.bytes ? q->limits.bytes : BYTES);
  for (int k = 0; good && k < alg->image_count; k++)
    good = place(s, &m, alg->images[k]->name, alg->images[k], &s->images[k], in, &images[k]) &&
           fill_image(s, &m, &s->images[k], &images[k]);
  for (int k = 0; good && k < alg->part_count; k++)
    good = place(s, &m, alg->parts[k].name, alg->parts[k].func, &s->meaning.outputs[k],
                 so ? in : (hy_tile_layout)(((int)in + k) % HY_TILE_AS_SAID), &outputs[k]);
  good = good && make_words(s, &m, images, outputs, &words) && call(s, &m, words, is_backwards);
  for (int k = 0; good && k < alg->part_count; k++)
    good = look(s, &m, &alg->parts[k], &outputs[k], &s->meaning.outputs[k]);
  good = good && look_for_leaks(s, &m);
  hy_tile_memory_free(&m);
  return good;
}

static bool has_parallel(const hy_ir_module *m) { return hy_ir_find(m, "hy_runtime_parallel_for"); }

static bool mean(state *s) {
  const hy_tile_question *q = s->question;
  s->meaning = (hy_meaning){.graph = &s->graph, .tgt = q->tgt, .input = q->input, .images = s->images};
  s->meaning.most_steps = q->limits.steps ? q->limits.steps : STEPS;
  s->meaning.most_cells = BYTES / 16;
  if (hy_meaning_evaluate(&s->meaning)) return true;
  s->fault = s->meaning.fault;
  return false;
}

void hy_tile_judge(const hy_tile_question *q, hy_tile_verdict *verdict) {
  state s = {.question = q, .verdict = verdict};
  *verdict = (hy_tile_verdict){.answer = HY_TILE_FINE};
  hy_graph_init(&s.graph, q->limits.nodes ? q->limits.nodes : NODES);
  bool good = q->tgt->alg->image_count <= HY_TILE_IMAGES && make_images(&s);
  if (!good) hy_tile_fail(&s.fault, HY_TILE_UNDECIDED, "its images are too large or too many");
  good = good && mean(&s) && run_once(&s, false) && (!has_parallel(q->module) || run_once(&s, true));
  if (good) hy_tile_compare(&s);
  if (!good) {
    verdict->answer = s.fault.answer;
    snprintf(verdict->story, sizeof verdict->story, "%s", s.fault.story);
  }
  verdict->nodes = s.graph.nodes.count;
  for (int k = 0; k < HY_TILE_IMAGES; k++) hy_free(s.images[k].values);
  hy_meaning_free(&s.meaning);
  hy_vec_free(&s.symbols);
  hy_vec_free(&s.open);
  hy_vec_free(&s.limits);
  hy_graph_free(&s.graph);
}

void hy_tile_verdict_free(hy_tile_verdict *v) {
  for (int k = 0; k < HY_TILE_IMAGES; k++) hy_buffer_free(v->images[k]);
}
