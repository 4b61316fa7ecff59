#include "autosched/model.h"

#include "autosched/boxes.h"
#include "autosched/rules.h"

#include <math.h>

// How often a func is computed, and on which box each time.
typedef struct {
  double times;
  hy_box box;
  double fresh; // the part of it that is not there already: less than 1 where it slides
  int root;     // the func at root whose loops it stands in
} computation;

typedef struct {
  hy_func_graph *g;
  const hy_choices_list *choices;
  const hy_machine *machine;
  computation *computed; // by node
} model;

/* -- where and how often -- */

static double rounded_up(double a, double b) { return ceil(a / b); }

// The part of the consumer's box that one iteration of the loop computes, and how many iterations there are.
static double iteration_box(const model *m, const hy_func_choice *f, hy_box *box) {
  hy_loop_name loops[HY_MOST_LOOPS];
  int last = m->g->nodes[f->consumer].stage_count - 1;
  const hy_stage_choice *s = &m->choices->funcs[f->consumer].stages[last];
  int count = hy_choices_loops(m->g, f->consumer, last, s, loops);
  double times = 1;
  *box = m->computed[f->consumer].box;
  for (int i = 0; i < count; i++) {
    int d = loops[i].dim;
    int64_t step = loops[i].is_outer ? s->tile[d]
                   : s->vector == d  ? hy_choices_summed(s)
                   : s->unroll == d  ? s->unrolled
                                     : 1;
    if (step < box->len[d]) {
      times *= rounded_up((double)box->len[d], (double)step);
      box->min[d] += box->len[d] / 2 / step * step;
      box->len[d] = step;
    }
    if (d == f->site.dim && loops[i].is_outer == f->site.is_outer) break;
  }
  return times;
}

static bool place(model *m, int node) {
  const hy_func_choice *f = &m->choices->funcs[node];
  computation *c = &m->computed[node];
  *c = (computation){1, m->g->nodes[node].box, 1, node};
  if (f->place != HY_PLACE_AT) return true;
  if (m->g->nodes[f->consumer].is_inlined) return false;
  const computation *at = &m->computed[f->consumer];
  hy_box part;
  c->times = at->times * iteration_box(m, f, &part);
  c->root = at->root;
  hy_box_set *set = hy_box_set_new(m->g);
  bool fine = hy_boxes_propagate(m->g, f->consumer, &part, NULL, set) && set->has[node];
  if (fine) c->box = set->boxes[node];
  int d = f->site.dim;
  if (fine && f->slides && d < c->box.rank && c->box.len[d] > 0)
    c->fresh = fmin(1, (double)part.len[d] / (double)c->box.len[d]);
  hy_box_set_free(set);
  return fine;
}

/* -- how long -- */

static double lanes_of(const model *m, int node, int stage) {
  const hy_stage_choice *s = &m->choices->funcs[node].stages[stage];
  if (s->vector < 0) return 1;
  double native = (double)m->machine->vector_bytes / (double)hy_type_bytes(m->g->nodes[node].func->type);
  double len = (double)m->computed[node].box.len[s->vector], lanes = (double)s->lanes;
  double used = len / (rounded_up(len, lanes) * lanes); // the rest is masked out
  return fmax(1, fmin(lanes, native) * used * (lanes > native ? 1.1 : 1));
}

static double compute_ns(const model *m, int node) {
  const computation *c = &m->computed[node];
  double total = 0;
  for (int k = 0; k < m->g->nodes[node].stage_count; k++) {
    hy_cost cost;
    if (!hy_stage_cost(m->g, node, k, &c->box, 1, &cost)) return INFINITY;
    total += 0.3 * (double)cost / lanes_of(m, node, k);
  }
  return total * c->times * c->fresh;
}

// What is stored is read again from where it lies by then.
static double memory_ns(const model *m, int node) {
  const computation *c = &m->computed[node];
  int64_t points;
  if (!hy_box_points(&c->box, &points)) return INFINITY;
  double bytes = (double)points * (double)hy_func_bytes(m->g->nodes[node].func);
  double each = bytes <= (double)m->machine->l1_bytes   ? 0.005
                : bytes <= (double)m->machine->l2_bytes ? 0.02
                : bytes <= (double)m->machine->l3_bytes ? 0.06
                                                        : 0.2;
  return c->times * (c->fresh * bytes * each + 15); // and what it takes to have the memory
}

static double tasks_of(const model *m, int node) {
  hy_loop_name loops[HY_MOST_LOOPS];
  int last = m->g->nodes[node].stage_count - 1;
  const hy_stage_choice *s = &m->choices->funcs[node].stages[last];
  int count = hy_choices_loops(m->g, node, last, s, loops);
  double tasks = 1;
  for (int i = 0; i < count && i < s->parallel; i++) {
    double len = (double)m->computed[node].box.len[loops[i].dim];
    tasks *= loops[i].is_outer ? rounded_up(len, (double)s->tile[loops[i].dim]) : len;
  }
  return tasks;
}

static double node_ns(const model *m, int node) {
  double cores = m->machine->cores, tasks = tasks_of(m, m->computed[node].root);
  double alone = compute_ns(m, node) + memory_ns(m, node);
  double shared = alone * rounded_up(tasks, cores) / tasks;
  return shared + (m->computed[node].root == node && tasks > 1 ? 300 * tasks / cores + 3000 : 0);
}

static bool inline_all(model *m) {
  for (int n = m->g->first; n < m->g->count; n++)
    if (m->choices->funcs[n].place == HY_PLACE_INLINE && hy_graph_may_inline(m->g, n) && !hy_graph_inline(m->g, n))
      return false;
  hy_box_set *set = hy_box_set_new(m->g);
  bool fine = hy_boxes_concrete(m->g, set);
  hy_box_set_free(set);
  return fine;
}

double hy_model_cost(const hy_func_graph *graph, const hy_choices_list *choices, const hy_machine *machine) {
  model m = {hy_graph_copy(graph), choices, machine, hy_allocate_zeroed((size_t)graph->count, sizeof(computation))};
  double total = inline_all(&m) ? 0 : INFINITY;
  for (int n = m.g->count - 1; n >= m.g->first && isfinite(total); n--) {
    if (m.g->nodes[n].is_inlined || !m.g->nodes[n].is_needed) continue;
    total = place(&m, n) ? total + node_ns(&m, n) : INFINITY;
  }
  hy_free(m.computed);
  return total;
}
