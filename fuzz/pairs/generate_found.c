// What halyard tune would try: a schedule that level 0 or 1 finds for a random algorithm and random sizes, or one of the
// dissertation's random starts, and small changes of it; what is not legal of that is left out, as there.

#include "autosched/boxes.h"
#include "autosched/levels.h"
#include "autosched/moves.h"
#include "autosched/repair.h"
#include "autosched/spell.h"
#include "fuzz/pairs/generate.h"
#include "halyard/pipeline.h"
#include "lower/lower.h"
#include "semantics/tgt/values.h"

#include <string.h>

enum { MOST_MOVES = 6 };

typedef struct {
  hy_choices *c;
  hy_context *context;
  const hy_alg *alg;
  const char *text; // the algorithm's
  hy_walk *walk;
} finder;

/* -- sizes -- */

// Tiles follow sizes: small ones for windows that are run, large ones for many tiles.
static void estimate_box(finder *f, hy_estimates *e, const hy_func *func) {
  static const int64_t lengths[] = {1, 3, 8, 17, 32, 64, 100, 1000};
  hy_box *box = &e->boxes[func->index];
  for (int d = 0; d < box->rank; d++) {
    box->min[d] = hy_choose_between(f->c, -4, 4);
    box->len[d] = lengths[hy_choose(f->c, HY_COUNT(lengths))];
  }
  e->known[func->index] = (UINT32_C(1) << box->rank) - 1;
}

static const hy_estimates *estimate(finder *f) {
  hy_estimates *e = hy_estimates_new(f->context, f->alg);
  for (int i = 0; i < f->alg->param_count; i++) {
    e->has_param[i] = true;
    e->params[i] = hy_case_param(f->alg->params[i]->type, hy_choose_between(f->c, 0, 9));
  }
  for (int i = 0; i < f->alg->image_count; i++) estimate_box(f, e, f->alg->images[i]);
  for (int i = 0; i < f->alg->output_count; i++) estimate_box(f, e, f->alg->outputs[i].func);
  return e;
}

static hy_tune_parameters machine(finder *f) {
  static const int64_t lanes[] = {2, 4, 8, 16}, tasks[] = {2, 12}, caches[] = {1, 32, 256}, loads[] = {5, 10, 40};
  hy_tune_parameters p; // one draw after the other: C leaves the order inside of an initializer open
  p.lanes = lanes[hy_choose(f->c, HY_COUNT(lanes))];
  p.parallelism = tasks[hy_choose(f->c, HY_COUNT(tasks))];
  p.cache_bytes = caches[hy_choose(f->c, HY_COUNT(caches))] * 1024;
  p.load_cost = loads[hy_choose(f->c, HY_COUNT(loads))];
  return p;
}

// NULL: how much of something is needed does not follow from the sizes, or is too much for numbers.
static const hy_func_graph *graph_of(finder *f) {
  hy_diagnostics *unheard = hy_diagnostics_new();
  hy_func_graph *graph = hy_graph_new(f->context, f->alg, estimate(f));
  graph->values = hy_values_of_floats(f->context, hy_lower(f->context, f->alg, unheard));
  hy_diagnostics_free(unheard);
  hy_box_set *needs = hy_box_set_new(graph);
  bool fine = hy_boxes_concrete(graph, needs);
  hy_box_set_free(needs);
  return fine ? graph : NULL;
}

/* -- choices -- */

static hy_choices_list *find(finder *f, const hy_func_graph *graph) {
  typedef enum { LEVEL_0, LEVEL_1, RANDOM } start;
  static const int weights[] = {25, 50, 25};
  start from = (start)hy_choose_weighted(f->c, weights, HY_COUNT(weights));
  hy_tune_parameters p = machine(f);
  hy_dice dice = {hy_choose(f->c, UINT32_MAX)};
  hy_proposal proposal = {.choices = hy_choices_plain(graph)};
  bool made = true;
  if (from == LEVEL_0) made = hy_tune_level0(graph, &p, &proposal);
  if (from == LEVEL_1) made = hy_tune_level1(graph, &p, &proposal);
  if (from == RANDOM) hy_random_start(graph, &dice, NULL, proposal.choices);
  if (!made) return NULL;
  uint64_t moves = hy_choose_chance(f->c, 50) ? 1 + hy_choose(f->c, MOST_MOVES) : 0;
  for (uint64_t i = 0; i < moves; i++) hy_move(graph, &dice, NULL, proposal.choices);
  return proposal.choices;
}

/* -- what is legal of them -- */

// A schedule's text, read in a context of its own.
typedef struct {
  hy_context *context;
  hy_diagnostics *said;
  hy_source sources[2];
  hy_pipeline pipeline;
  bool is_legal; // it applies, and its bounds were found
} reading;

static bool read_schedule(reading *r, const char *alg, const hy_text *schedule) {
  const hy_schedule *schedules;
  int count;
  *r = (reading){.context = hy_context_new(), .said = hy_diagnostics_new()};
  r->sources[0] = (hy_source){"case.alg", alg, strlen(alg)};
  r->sources[1] = (hy_source){"found.sched", schedule->data, schedule->length};
  const hy_alg *parsed = hy_parse_alg(r->context, &r->sources[0], r->said);
  if (!parsed || !hy_parse_schedules(r->context, &r->sources[1], r->said, &schedules, &count)) return false;
  hy_pipeline_init(&r->pipeline, r->context, parsed, schedules, NULL);
  r->is_legal = hy_pipeline_schedule(&r->pipeline, r->said) && hy_pipeline_fill(&r->pipeline, r->said);
  return r->is_legal;
}

static void end_reading(reading *r) {
  hy_diagnostics_free(r->said);
  hy_context_free(r->context);
}

typedef struct {
  const finder *finder;
  const hy_func_graph *graph;
} speller;

static void spell(const speller *s, const hy_choices_list *choices, hy_text *out) {
  const hy_spelling spelling = {.name = "found"};
  hy_spell(s->graph, choices, &spelling, out);
}

static bool is_legal(void *self, const hy_choices_list *choices) {
  const speller *s = self;
  hy_text text = {0};
  reading r;
  spell(s, choices, &text);
  bool legal = read_schedule(&r, s->finder->text, &text);
  end_reading(&r);
  hy_text_free(&text);
  return legal;
}

/* -- its core directives -- */

static void print_core(finder *f, const hy_pipeline *p, hy_text *out) {
  for (int i = 0; i < p->written_count; i++) {
    hy_text_add(out, "  ");
    hy_directive_print(&p->core[i], out);
    hy_text_add(out, "\n");
    hy_walk_count(f->walk, &p->core[i]);
  }
  hy_walk_measure(f->walk, p->steps[p->written_count]);
}

void hy_generate_found(hy_choices *choices, hy_context *context, const hy_alg *alg, const char *text, hy_walk *walk,
                       hy_text *out) {
  finder f = {choices, context, alg, text, walk};
  const hy_func_graph *graph = graph_of(&f);
  speller s = {&f, graph};
  hy_choices_list *found = graph ? find(&f, graph) : NULL;
  int refused = 0;
  if (!found || !is_legal(&s, hy_choices_plain(graph))) return;
  hy_text schedule = {0};
  reading r;
  spell(&s, hy_repair(graph, found, is_legal, &s, &refused), &schedule);
  if (read_schedule(&r, text, &schedule)) print_core(&f, &r.pipeline, out);
  end_reading(&r);
  hy_text_free(&schedule);
}
