#include "fuzz/judge/judge_internal.h"

#include "engines/generator.h"
#include "halyard/reordered.h"
#include "plugin/plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ONE_IN = 16, PASSES_OF = 4, LITERAL_STEPS = 20000 }; // of so many pairs one is looked at more closely

/* -- lane 1 and native code: every engine means what the algorithm means -- */

static void report_difference(hy_judging *g, hy_found found, const char *rule, const char *engine,
                              const hy_difference *d) {
  hy_text text = {0};
  hy_text_add(&text, "expected: ");
  hy_difference_print(g->pipeline.alg, d, &text);
  hy_text_add(&text, " = ");
  hy_value_print(d->a, &text);
  hy_text_add(&text, ", by the algorithm\ngot: ");
  hy_value_print(d->b, &text);
  hy_text_printf(&text, ", by %s", engine);
  hy_judging_find(g, found, rule, hy_text_string(&text));
  hy_text_free(&text);
}

const char *hy_judging_output_differs(hy_judging *g, const hy_outcome *want, const hy_outcome *got, bool errors_too,
                                      hy_text *story) {
  hy_difference d;
  hy_compare(want->output, got->output, errors_too, &d);
  if (!d.differs) return NULL;
  hy_text_add(story, "the run: ");
  hy_difference_print(g->pipeline.alg, &d, story);
  hy_text_add(story, " = ");
  hy_value_print(d.b, story);
  hy_text_add(story, " instead of ");
  hy_value_print(d.a, story);
  return "output";
}

void hy_judging_compare(hy_judging *g, hy_found found, const char *rule, const char *engine, const hy_buffer *want,
                        const hy_outcome *got) {
  hy_difference difference;
  hy_text text = {0};
  bool related = found == HY_FOUND_UNRELATED;
  switch (got->status) {
  case HY_RUN_LIMIT: return;
  case HY_RUN_ASSUME:
    if (got->failed && got->failed->assume.why == HY_ASSUME_NEED) return; // a user's bound may fail (decision D43)
    hy_text_printf(&text, "%s refuses an input whose entry checks hold", engine);
    hy_judging_find(g, related ? found : HY_FOUND_REFUSES_INPUT, rule, hy_text_string(&text));
    break;
  case HY_RUN_CONTRACT:
    hy_text_printf(&text, "%s: %s: %s", engine, got->contract, got->story ? got->story : "");
    hy_judging_find(g, related ? found : HY_FOUND_CONTRACT, related ? rule : got->contract, hy_text_string(&text));
    break;
  case HY_RAN:
    g->j->runs++;
    hy_compare(want, got->output, found != HY_FOUND_NATIVE, &difference);
    g->j->points += difference.compared;
    if (difference.differs) report_difference(g, found, rule, engine, &difference);
    break;
  }
  hy_text_free(&text);
}

static bool all_errors(const hy_buffer *b) {
  size_t count = 0;
  for (; b; count += b->count, b = b->next)
    for (size_t i = 0; i < b->count; i++)
      if (!b->errors || b->errors[i] == HY_OK) return false;
  return count > 0;
}

uint64_t hy_judging_order(const hy_case *c, int index, int pass) {
  return index == 1 ? 0 : hy_splitmix(c->inputs[index].seed, (uint64_t)pass) | 1;
}

// The first window, the largest, in a scrambled order; the second in order; the third in two scrambled orders, once
// with more storage than is needed.
static void run_orders(hy_judging *g, hy_tgt_program *program, int index, const hy_buffer *want) {
  uint64_t seed = g->c->inputs[index].seed;
  for (int pass = 0; pass < (index == 2 ? 2 : 1) && !hy_found_is_failure(g->j->found); pass++) {
    hy_outcome got =
        hy_engine_tgt_again(program, &g->input, hy_judging_order(g->c, index, pass), pass ? seed : 0, HY_RUN_STEPS);
    hy_judging_compare(g, HY_FOUND_DISAGREE, NULL,
                       pass         ? "the target program with wider storage"
                       : index == 1 ? "the target program in order"
                                    : "the target program in a scrambled order",
                       want, &got);
    bool stop = got.status == HY_RUN_LIMIT;
    hy_outcome_free(&got);
    if (stop) return;
  }
}

// The literal evaluators, rule by rule, agree with the fast ones (decision D13) as far as a budget of steps reaches.
static void run_literal(hy_judging *g, const hy_buffer *want) {
  uint64_t seed = hy_splitmix(g->c->seed, 7);
  hy_outcome alg = hy_engine_alg_derived(g->context, g->pipeline.meaning, &g->input, HY_LAZY, LITERAL_STEPS, NULL);
  hy_judging_compare(g, HY_FOUND_DISAGREE, "literal", "the literal evaluator of algorithms", want, &alg);
  hy_outcome_free(&alg);
  hy_outcome tgt =
      hy_engine_tgt_derived(g->context, g->pipeline.filled, &g->input, HY_LAZY, seed, LITERAL_STEPS, true, NULL);
  hy_judging_compare(g, HY_FOUND_DISAGREE, "literal", "the literal evaluator of target programs", want, &tgt);
  hy_outcome_free(&tgt);
}

// DIR.RFactor.Real: sums in another order are no further from those that are written than the bound.
static void compare_sums(hy_judging *g) {
  int count = hy_reordered_count(&g->pipeline);
  if (!count) return;
  hy_reordering *sums = hy_allocate_zeroed((size_t)count, sizeof *sums);
  hy_reordered_compare(&g->pipeline, &g->input, HY_RUN_STEPS, sums);
  for (int i = 0; i < count && !hy_found_is_failure(g->j->found); i++) {
    if (!sums[i].differs_more) continue;
    hy_text text = {0};
    hy_text_printf(&text, "sums of %s at ", sums[i].directive->func->name);
    hy_point_print(sums[i].directive->func->rank, sums[i].at, &text);
    hy_text_printf(&text, " differ by %g, the bound is %g", sums[i].difference, sums[i].bound);
    hy_judging_find(g, HY_FOUND_DISAGREE, "sums", hy_text_string(&text));
    hy_text_free(&text);
  }
  hy_free(sums);
}

static void run_native(hy_judging *g, const hy_native *native, unsigned lane, const hy_buffer *want) {
  g->lane = lane;
  hy_outcome got = hy_engine_guarded(native, g->pipeline.alg, &g->input);
  hy_judging_compare(g, HY_FOUND_NATIVE, NULL, "native code", want, &got);
  hy_outcome_free(&got);
}

// Native code knows no limit of steps: what is too long for the interpreter, or needs too much memory, is not run.
static bool is_short(hy_judging *g, hy_tgt_program *program) {
  hy_outcome got = hy_engine_tgt_again(program, &g->input, 0, 0, HY_LONG_STEPS);
  bool fits = got.status != HY_RUN_LIMIT;
  hy_outcome_free(&got);
  return fits;
}

// The filled program, compiled for each of its engines.
typedef struct {
  hy_tgt_program *program;
  hy_native *light, *full; // NULL: their lanes are not asked for
} engines;

static void run_open_input(hy_judging *g, const engines *n, int index, bool *usable) {
  hy_outcome want = hy_engine_alg(g->context, g->pipeline.meaning, &g->input, false, HY_RUN_STEPS);
  if (want.status == HY_RAN) {
    *usable = true;
    g->j->inputs++;
    g->j->errors += all_errors(want.output);
    g->lane = HY_LANE_INTERPRET;
    if (g->lanes & HY_LANE_INTERPRET) run_orders(g, n->program, index, want.output);
    if (g->lanes & HY_LANE_INTERPRET && index == 0) compare_sums(g);
    if (g->lanes & HY_LANE_INTERPRET && index == 0) hy_judging_forms(g, want.output);
    if (g->lanes & HY_LANE_INTERPRET && index == 0 && g->c->relation) hy_judging_relate(g, want.output);
    if (g->lanes & HY_LANE_INTERPRET && g->c->seed % ONE_IN == 0) hy_judging_vary(g, want.output);
    if (g->lanes & HY_LANE_INTERPRET && g->c->seed % ONE_IN == 1 && index > 0) run_literal(g, want.output);
    if (g->lanes & HY_LANE_INTERPRET && index == 1 && want.output->count) hy_judging_watch(g);
    if (n->light || n->full || (g->lanes & HY_LANE_INTERPRET && g->c->seed % ONE_IN >= ONE_IN - PASSES_OF))
      hy_judging_passes(g, want.output);
    bool native = (n->light || n->full) && is_short(g, n->program);
    if (native && n->light) run_native(g, n->light, HY_LANE_LIGHT, want.output);
    if (native && n->full) run_native(g, n->full, HY_LANE_NATIVE, want.output);
  }
  hy_outcome_free(&want);
}

static void run_inputs(hy_judging *g, const engines *n) {
  bool usable = g->c->input_count == 0;
  for (int i = 0; i < g->c->input_count; i++) {
    hy_found before = g->j->found;
    if (hy_judging_open(g, g->pipeline.filled, &g->c->inputs[i])) run_open_input(g, n, i, &usable);
    hy_judging_close(g);
    if (g->j->found > before) g->j->input = i;
  }
  if (!usable) hy_judging_find(g, HY_FOUND_UNUSABLE, NULL, "no input meets the entry checks");
}

/* -- one case -- */

bool hy_judging_parse(hy_context *context, const char *text, const char *items, hy_source sources[2],
                      hy_pipeline *pipeline, hy_diagnostics *said) {
  sources[0] = (hy_source){"case.alg", text, strlen(text)};
  const hy_alg *alg = hy_parse_alg(context, &sources[0], said);
  if (!alg || alg->param_count > HY_MOST_PARAMS || alg->image_count > HY_MOST_IMAGES) return false;
  hy_text schedule = {0};
  hy_text_printf(&schedule, "schedule s for %s {\n%s}\n", alg->name, items);
  sources[1] = (hy_source){"case.sched", schedule.data, schedule.length};
  const hy_schedule *schedules;
  int count = 0;
  if (!hy_parse_schedules(context, &sources[1], said, &schedules, &count)) return false;
  hy_pipeline_init(pipeline, context, alg, schedules, NULL);
  return true;
}

static hy_native *compile(hy_judging *g, unsigned lane, int optimize) {
  if (!(g->lanes & lane)) return NULL;
  hy_codegen_options options = hy_codegen_default();
  options.optimize = optimize;
  options.guard = g->c->seed >> 8 & 1 ? HY_GUARD_ALL : HY_GUARD_CALLS; // the latter: as halyard run has it
  g->lane = lane;
  return hy_pipeline_compile(&g->pipeline, &options);
}

// Bounds that leave 64 bits, or divide by 0, on an input that was run: check refuses such a program with a
// counterexample (B.Fits, decision D26; B.Defined), or says that it does not know, as lane 2 says of the same case.
// Either way nobody promised anything.
static void reconsider_overflow(hy_judging *g) {
  if (g->j->found != HY_FOUND_CONTRACT || strcmp(g->j->rule, hy_contract_name(HY_CONTRACT_BOUNDS_ERROR)) != 0) return;
  hy_judgement asked;
  hy_judge(g->c, HY_LANE_QUERY, false, &asked);
  bool is_open = asked.found == HY_FOUND_OVERFLOW || asked.found == HY_FOUND_UNDECIDED;
  if (!is_open) return;
  char detail[sizeof g->j->detail];
  memcpy(detail, g->j->detail, sizeof detail);
  g->j->found = HY_FOUND_NOTHING;
  hy_judging_find(g, asked.found, asked.rule, detail);
}

// Interpreted alone, a program with folds is run first: what broke may be a fold that B refuses. Nearly all fit, and
// the question costs more than the runs. Other lanes ask before: native code, and Halide, run what fits.
static void reconsider_fold(hy_judging *g) {
  if (!hy_found_is_failure(g->j->found)) return;
  hy_judgement broken = *g->j;
  g->j->found = HY_FOUND_NOTHING;
  if (!hy_judging_refuses_fold(g)) *g->j = broken;
}

static void judge_filled(hy_judging *g) {
  unsigned native = HY_LANE_LIGHT | HY_LANE_NATIVE;
  engines n = {0};
  bool runs_alone = !(g->lanes & ~(unsigned)HY_LANE_INTERPRET);
  if (!runs_alone && hy_judging_refuses_fold(g)) return;
  if (g->lanes & (HY_LANE_QUERY | HY_LANE_CROSS | HY_LANE_TUNE | native)) hy_judging_decide(g);
  if (g->pipeline.refuted_promise) return; // no such program is run
  if (g->lanes & native && g->j->found == HY_FOUND_NOTHING)
    n = (engines){NULL, compile(g, HY_LANE_LIGHT, 1), compile(g, HY_LANE_NATIVE, 3)};
  if (g->lanes & HY_LANE_INTERPRET || n.light || n.full)
    n.program = hy_tgt_program_new(g->context, g->pipeline.filled, HY_LAZY, true);
  if (g->lanes & (HY_LANE_INTERPRET | native)) run_inputs(g, &n);
  if (g->lanes & HY_LANE_HALIDE) hy_judging_halide(g);
  if (runs_alone) reconsider_fold(g);
  reconsider_overflow(g);
  if (g->lanes & HY_LANE_QUERY && !hy_found_is_failure(g->j->found)) hy_judging_alter(g);
  if (g->lanes & HY_LANE_FAULTS && !hy_found_is_failure(g->j->found)) hy_judging_faults(g);
  hy_tgt_program_free(n.program);
  if (n.light) hy_native_free(n.light);
  if (n.full) hy_native_free(n.full);
}

static bool says(const hy_diagnostics *said, hy_code code) {
  for (size_t i = 0; i < hy_diagnostics_count(said); i++)
    if (hy_diagnostics_at(said, i)->code == code) return true;
  return false;
}

// A plug-in's fault is seen while the schedule is read: the call that it is told of is what is to blame. Generated
// schedules have a directive in each line, behind the first.
static void blame_call(hy_judging *g) {
  const hy_plugins *plugins = g->c->plugins;
  for (size_t i = 0; i < hy_diagnostics_count(g->said); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(g->said, i);
    if (d->code != HY_E_PLUGIN_FAULT || !d->loc.source || d->loc.source->text != g->items_source.text) continue;
    const char *line = d->loc.source->text;
    for (uint32_t k = 1; k < d->loc.line; k++) line = strchr(line, '\n') + 1;
    snprintf(g->j->plugin, sizeof g->j->plugin, "%.*s", (int)d->loc.length, line + d->loc.column - 1);
    if (!hy_plugins_find(plugins, g->j->plugin)) {
      *g->j->plugin = 0;
      continue;
    }
    g->j->directive = HY_OWN_DIRECTIVES;
    g->j->step = (int)d->loc.line - 1;
    return;
  }
}

// The schedule is refused. That is as it should be, unless a plug-in broke the rules of its header.
static void judge_refusal(hy_judging *g) {
  if (!says(g->said, HY_E_PLUGIN_FAULT))
    hy_judging_find_said(g, HY_FOUND_REFUSED, g->said);
  else if (hy_judging_find_code(g, HY_FOUND_PROMISE, HY_E_PLUGIN_FAULT, g->said))
    blame_call(g);
}

// Is an index unbounded that was bounded before any directive?
static bool loses_bound(hy_judging *g) {
  if (g->c->illegal || !says(g->said, HY_E_UNBOUNDED_INDEX)) return false;
  hy_diagnostics *unheard = hy_diagnostics_new();
  bool was_bounded = hy_oracle_fill(g->context, g->pipeline.steps[0], unheard) != NULL;
  hy_diagnostics_free(unheard);
  return was_bounded;
}

static void judge_pipeline(hy_judging *g) {
  hy_source sources[2] = {{0}};
  bool parsed = hy_judging_parse(g->context, g->c->alg, g->c->items, sources, &g->pipeline, g->said);
  g->alg_source = sources[0], g->items_source = sources[1];
  if (!parsed) {
    hy_judging_find_said(g, g->c->illegal ? HY_FOUND_REFUSED : HY_FOUND_INVALID, g->said);
    return;
  }
  if (g->lanes & HY_LANE_INTERPRET) hy_judging_form_text(g);
  if (g->lanes & HY_LANE_INTERPRET) hy_judging_included(g);
  if (!hy_pipeline_schedule(&g->pipeline, g->said)) {
    judge_refusal(g);
    return;
  }
  bool filled = hy_pipeline_fill(&g->pipeline, g->said);
  if (g->lanes & HY_LANE_PROMISE && !g->c->illegal) hy_judging_promise(g);
  if (filled) {
    g->j->fill_seconds = g->pipeline.fill_seconds;
    if (g->lanes & HY_LANE_INTERPRET && !g->c->illegal) hy_judging_steps(g), hy_judging_frame(g);
    if (!g->c->illegal) judge_filled(g);
  } else {
    bool no_solution = says(g->said, HY_E_NO_SOLUTION) || loses_bound(g);
    hy_judging_find_said(g, no_solution ? HY_FOUND_NO_SOLUTION : HY_FOUND_REFUSED, g->said);
    return;
  }
  if (g->c->illegal) hy_judging_find(g, HY_FOUND_ACCEPTED, NULL, "what breaks a rule is accepted");
}

/* -- the first step that shows it -- */

static bool step_shows(const hy_judging *from, int step) {
  hy_judgement j = {.directive = HY_NO_DIRECTIVE};
  hy_judging g = {.c = from->c,
                  .lanes = from->lanes,
                  .altered = *from->altered ? from->altered : from->j->altered_line,
                  .j = &j,
                  .context = from->context,
                  .said = hy_diagnostics_new()};
  hy_pipeline_init(&g.pipeline, g.context, from->pipeline.alg, from->pipeline.schedule, NULL);
  g.pipeline.core = from->pipeline.core;
  g.pipeline.core_count = step;
  g.pipeline.steps = from->pipeline.steps;
  g.pipeline.step_count = step + 1;
  if (hy_pipeline_schedule(&g.pipeline, g.said) && hy_pipeline_fill(&g.pipeline, g.said)) judge_filled(&g);
  hy_diagnostics_free(g.said);
  return j.found == from->j->found;
}

// The directive that the failure is put down to: the one after which it is first seen.
static void find_step(hy_judging *g) {
  hy_pipeline *p = &g->pipeline;
  if (!p->steps || p->step_count != p->core_count + 1) return;
  int last = p->step_count - 1, step = last;
  if (g->j->step >= 0) return; // who found it has said
  if (g->j->found != HY_FOUND_ACCEPTED)
    for (step = 0; step < last && !step_shows(g, step);) step++;
  hy_judging_blame(g, step);
}

void hy_judge(const hy_case *c, unsigned lanes, bool first_step, hy_judgement *judgement) {
  *judgement = (hy_judgement){.step = -1, .directive = HY_NO_DIRECTIVE};
  hy_judging g = {.c = c,
                  .lanes = lanes,
                  .altered = c->altered,
                  .lane = HY_LANE_INTERPRET,
                  .j = judgement,
                  .context = hy_context_new(),
                  .said = hy_diagnostics_new()};
  hy_plugins_use(g.context, c->plugins);
  if (lanes & HY_LANE_INTERPRET) hy_judging_values(&g), hy_judging_algebra(&g);
  judge_pipeline(&g);
  if (first_step && hy_found_is_failure(judgement->found)) find_step(&g);
  for (int r = 0; r < HY_RULE_COUNT; r++)
    if (hy_context_hits(g.context, (hy_rule)r)) judgement->hits[r / 64] |= UINT64_C(1) << r % 64;
  hy_diagnostics_free(g.said);
  hy_context_free(g.context);
  free((char *)g.items_source.text);
}
