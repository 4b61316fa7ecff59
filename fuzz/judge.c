#include "fuzz/judge.h"

#include "driver/engine.h"
#include "driver/evaluate.h"
#include "driver/generator.h"
#include "driver/pipeline.h"

#include "lower/lower.h"
#include "sched/sched.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 60000, POINTS = 3000, IMAGE_POINTS = 200000, APART_SECONDS = 40 };

const char *hy_found_name(hy_found found) {
  static const char *const names[] = {"nothing",   "refused",  "unusable", "vacuous",   "no-solution", "overflow",
                                      "undecided", "refuted",  "invalid",  "accepted",  "silent",      "refuses-input",
                                      "native",    "contract", "disagree", "contested", "hang",        "crash"};
  _Static_assert(HY_COUNT(names) == HY_FOUND_COUNT, "a name for each");
  return names[found];
}

bool hy_judgement_same(const hy_judgement *a, const hy_judgement *b) {
  return a->found == b->found && a->code == b->code && a->rule == b->rule;
}

typedef struct {
  const hy_case *c;
  unsigned lanes;
  hy_judgement *j;
  hy_context *context;
  hy_diagnostics *said;
  hy_source alg_source, items_source;
  hy_pipeline pipeline;
  // the input that is being run
  hy_value params[HY_MOST_PARAMS];
  hy_buffer *images[8];
  hy_input input;
} judging;

// Keeps the worst thing found.
static void find(judging *g, hy_found found, int rule, const char *detail) {
  if (found <= g->j->found) return;
  g->j->found = found;
  g->j->rule = rule;
  snprintf(g->j->detail, sizeof g->j->detail, "%s", detail ? detail : "");
}

static int first_code(const hy_diagnostics *said) {
  for (size_t i = 0; i < hy_diagnostics_count(said); i++)
    if (hy_diagnostics_at(said, i)->severity == HY_SEVERITY_ERROR) return (int)hy_diagnostics_at(said, i)->code;
  return 0;
}

static void find_said(judging *g, hy_found found) {
  hy_text text = {0};
  hy_diagnostics_print(g->said, &text);
  int code = first_code(g->said);
  if (!code && found >= HY_FOUND_REFUSED) found = HY_FOUND_SILENT;
  find(g, found, 0, hy_text_string(&text));
  g->j->code = code;
  hy_text_free(&text);
}

/* -- inputs -- */

static bool settle_box(judging *g, const hy_tgt *filled, int k, bool grow_only) {
  const hy_func *image = filled->alg->images[k];
  hy_buffer *box = g->images[k];
  hy_region need;
  if (!hy_region_needed(filled, image, &g->input, &need) || need.empty) return true;
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

static void fill_image(judging *g, hy_buffer *buffer, uint64_t seed) {
  hy_generator_fill_random(buffer, seed);
  if (seed % 3) return;
  size_t bytes = hy_type_bytes(buffer->type); // small numbers: ties, zeros, equal neighbours
  for (size_t i = 0; i < buffer->count; i++) {
    int64_t n = (int64_t)(hy_splitmix(seed, i) % 4 % 3);
    hy_value value = hy_type_class_of(buffer->type) == HY_CLASS_FLOAT ? hy_value_from_double(buffer->type, (double)n)
                                                                      : hy_value_integral(buffer->type, n);
    hy_value_store(value, buffer->data + i * bytes);
  }
  (void)g;
}

// Boxes first, elements when the boxes are settled. False: the entry checks cannot be met.
static bool open_input(judging *g, const hy_tgt *filled, const hy_case_input *from) {
  const hy_alg *alg = g->pipeline.alg;
  memset(g->images, 0, sizeof g->images);
  for (int p = 0; p < alg->param_count; p++) g->params[p] = hy_value_integral(alg->params[p]->type, from->params[p]);
  g->input = (hy_input){g->params, (const hy_buffer *const *)g->images, from->min, from->len};
  for (int k = 0; k < alg->image_count; k++) {
    int64_t min[HY_MAX_RANK] = {0}, len[HY_MAX_RANK] = {0};
    g->images[k] = hy_buffer_new(alg->images[k]->type, alg->images[k]->rank, min, len);
    for (int d = 0; d < alg->images[k]->rank; d++) g->images[k]->len[d] = 1;
  }
  for (int round = 0; round < 16; round++) {
    bool same = true;
    for (int k = 0; k < alg->image_count; k++) same &= settle_box(g, filled, k, round >= 4);
    if (same) break;
  }
  for (int k = 0; k < alg->image_count; k++) {
    hy_buffer *box = g->images[k];
    double count = 1;
    for (int d = 0; d < box->rank; d++) {
      if (from->seed % 2) box->min[d] -= 1, box->len[d] += 2;
      count *= (double)box->len[d];
    }
    if (!(count >= 0 && count <= IMAGE_POINTS)) return false;
    hy_buffer *buffer = hy_buffer_new(box->type, box->rank, box->min, box->len);
    if (!buffer) return false;
    hy_buffer_free(box);
    g->images[k] = buffer;
    fill_image(g, buffer, from->seed + (uint64_t)k);
  }
  return !hy_entry_failure(filled, &g->input);
}

static void close_input(judging *g) {
  for (int k = 0; k < g->pipeline.alg->image_count; k++) hy_buffer_free(g->images[k]);
}

/* -- lane 1: A2 = E2, and native code -- */

static void report_difference(judging *g, hy_found found, const char *engine, const hy_difference *d) {
  hy_text text = {0};
  hy_text_printf(&text, "%s", g->pipeline.alg->output->name);
  hy_point_print(g->pipeline.alg->output->rank, d->point, &text);
  hy_text_add(&text, " is ");
  hy_value_print(d->a, &text);
  hy_text_add(&text, " by the algorithm, but ");
  hy_value_print(d->b, &text);
  hy_text_printf(&text, " by %s", engine);
  find(g, found, 0, hy_text_string(&text));
  hy_text_free(&text);
}

static void compare(judging *g, hy_found found, const char *engine, const hy_buffer *want, const hy_outcome *got) {
  hy_difference difference;
  hy_text text = {0};
  switch (got->status) {
  case HY_RUN_LIMIT: return;
  case HY_RUN_ASSUME:
    if (got->failed && got->failed->assume.why == HY_ASSUME_NEED) return; // a user's bound may fail (decision D43)
    hy_text_printf(&text, "%s refuses an input whose entry checks hold", engine);
    find(g, HY_FOUND_REFUSES_INPUT, 0, hy_text_string(&text));
    break;
  case HY_RUN_CONTRACT:
    hy_text_printf(&text, "%s: %s: %s", engine, got->contract, got->story ? got->story : "");
    find(g, HY_FOUND_CONTRACT, got->contract[0] * 256 + got->contract[1], hy_text_string(&text));
    break;
  case HY_RAN:
    g->j->runs++;
    hy_compare(want, got->output, found != HY_FOUND_NATIVE, &difference);
    g->j->points += difference.compared;
    if (difference.differs) report_difference(g, found, engine, &difference);
    break;
  }
  hy_text_free(&text);
}

static bool all_errors(const hy_buffer *b) {
  for (size_t i = 0; i < b->count; i++)
    if (!b->errors || b->errors[i] == HY_OK) return false;
  return b->count > 0;
}

static void run_input(judging *g, const hy_tgt *filled, const hy_native *native, int index, bool *usable) {
  const hy_case_input *from = &g->c->inputs[index];
  hy_found before = g->j->found;
  if (open_input(g, filled, from)) {
    hy_outcome want = hy_engine_alg(g->context, g->pipeline.alg, &g->input, false, STEPS);
    if (want.status == HY_RAN) {
      *usable = true;
      g->j->errors += all_errors(want.output);
      if (g->lanes & HY_LANE_INTERPRET)
        for (int pass = 0; pass < 3; pass++) { // in order; twice scrambled
          hy_outcome got = hy_engine_tgt(g->context, filled, &g->input,
                                         pass ? hy_splitmix(from->seed, (uint64_t)pass) | 1 : 0, 4 * STEPS);
          compare(g, HY_FOUND_DISAGREE, pass ? "the scrambled target program" : "the target program", want.output,
                  &got);
          bool stop = got.status == HY_RUN_LIMIT;
          hy_outcome_free(&got);
          if (stop || g->j->found > before) break;
        }
      if (native) {
        hy_outcome got = hy_engine_native(native, g->pipeline.alg, &g->input);
        compare(g, HY_FOUND_NATIVE, "native code", want.output, &got);
        hy_outcome_free(&got);
      }
    }
    hy_outcome_free(&want);
  }
  close_input(g);
  if (g->j->found > before) g->j->input = index;
}

/* -- lane 2: B(S) -- */

static void decide(judging *g) {
  hy_oracle_options options = {(g->lanes & HY_LANE_CROSS) != 0, 1000};
  hy_answer answer = hy_pipeline_check(&g->pipeline, &options, g->said);
  const hy_oracle_report *r = &g->pipeline.report;
  hy_judgement *j = g->j;
  j->obligations = (int)r->count;
  j->proved = (int)r->proved;
  j->proved_z3 = (int)r->proved_z3;
  j->refuted = (int)r->refuted;
  j->unknown = (int)r->unknown;
  j->decide_seconds = r->seconds;
  if (r->vacuous) find(g, HY_FOUND_VACUOUS, 0, "the entry facts are unsatisfiable");
  if (r->contested) find_said(g, HY_FOUND_CONTESTED);
  if (answer == HY_YES || r->vacuous) return;
  hy_verdict worst = r->refuted ? HY_VERDICT_REFUTED : HY_VERDICT_UNKNOWN;
  const hy_obligation *first = NULL; // one that is not about 64 bits if there is one
  for (size_t i = 0; i < r->count; i++)
    if (r->decisions[i].verdict == worst && (!first || first->kind == HY_B_FITS)) first = r->decisions[i].obligation;
  bool only_fits = first && first->kind == HY_B_FITS;
  find_said(g, !r->refuted ? HY_FOUND_UNDECIDED : only_fits ? HY_FOUND_OVERFLOW : HY_FOUND_REFUTED);
  if (first) j->rule = (int)first->kind + 1;
}

/* -- one case -- */

static bool parse(judging *g) {
  g->alg_source = (hy_source){"case.alg", g->c->alg, strlen(g->c->alg)};
  const hy_alg *alg = hy_parse_alg(g->context, &g->alg_source, g->said);
  if (!alg || alg->param_count > HY_MOST_PARAMS || alg->image_count > (int)HY_COUNT(g->images)) return false;
  hy_text items = {0};
  hy_text_printf(&items, "schedule s for %s {\n%s}\n", alg->name, g->c->items);
  g->items_source = (hy_source){"case.sched", items.data, items.length};
  const hy_schedule *schedules;
  int count = 0;
  if (!hy_parse_schedules(g->context, &g->items_source, g->said, &schedules, &count)) return false;
  hy_pipeline_init(&g->pipeline, g->context, alg, schedules, NULL);
  return true;
}

// Is this the oracle saying that it cannot, rather than the program being wrong?
static bool is_oracle_code(int code) { return code == HY_E_NO_SOLUTION; }

static void judge_filled(judging *g) {
  hy_native *native = NULL;
  if (g->lanes & (HY_LANE_QUERY | HY_LANE_CROSS)) decide(g);
  if ((g->lanes & HY_LANE_NATIVE) && g->j->found == HY_FOUND_NOTHING) {
    hy_codegen_options options = hy_codegen_default();
    options.optimize = 1;
    native = hy_pipeline_compile(&g->pipeline, &options);
  }
  bool usable = g->c->input_count == 0;
  if (g->lanes & (HY_LANE_INTERPRET | HY_LANE_NATIVE))
    for (int i = 0; i < g->c->input_count; i++) run_input(g, g->pipeline.filled, native, i, &usable);
  if (!usable) find(g, HY_FOUND_UNUSABLE, 0, "no input meets the entry checks");
  if (native) hy_native_free(native);
}

static void judge_pipeline(judging *g) {
  if (!parse(g)) {
    find_said(g, HY_FOUND_INVALID);
    return;
  }
  if (!hy_pipeline_schedule(&g->pipeline, g->said)) {
    find_said(g, HY_FOUND_REFUSED);
    return;
  }
  if (g->c->illegal) {
    find(g, HY_FOUND_ACCEPTED, 0, "an illegal directive is accepted");
    return;
  }
  bool filled = hy_pipeline_fill(&g->pipeline, g->said);
  g->j->fill_seconds = g->pipeline.fill_seconds;
  if (filled)
    judge_filled(g);
  else
    find_said(g, is_oracle_code(first_code(g->said)) ? HY_FOUND_NO_SOLUTION : HY_FOUND_REFUSED);
}

/* -- the first step that shows it -- */

static bool step_shows(const judging *from, int step, const hy_judgement *what) {
  hy_judgement j = {0};
  judging g = {.c = from->c, .lanes = from->lanes, .j = &j, .context = from->context, .said = hy_diagnostics_new()};
  hy_pipeline_init(&g.pipeline, g.context, from->pipeline.alg, from->pipeline.schedule, NULL);
  g.pipeline.core = from->pipeline.core;
  g.pipeline.core_count = step;
  g.pipeline.steps = from->pipeline.steps;
  g.pipeline.step_count = step + 1;
  if (hy_pipeline_schedule(&g.pipeline, g.said) && hy_pipeline_fill(&g.pipeline, g.said))
    judge_filled(&g);
  else if (is_oracle_code(first_code(g.said)))
    find_said(&g, HY_FOUND_NO_SOLUTION);
  hy_diagnostics_free(g.said);
  return j.found == what->found;
}

static void find_step(judging *g) {
  hy_found found = g->j->found;
  g->j->step = -1;
  if (found == HY_FOUND_INVALID || found == HY_FOUND_ACCEPTED || !g->pipeline.steps) return;
  int last = g->pipeline.step_count - 1;
  for (int i = 0; i < last && g->j->step < 0; i++)
    if (step_shows(g, i, g->j)) g->j->step = i;
  if (g->j->step < 0) g->j->step = last;
}

void hy_judge(const hy_case *c, unsigned lanes, bool first_step, hy_judgement *judgement) {
  *judgement = (hy_judgement){.step = -1};
  judging g = {.c = c, .lanes = lanes, .j = judgement, .context = hy_context_new(), .said = hy_diagnostics_new()};
  judge_pipeline(&g);
  if (first_step && hy_found_is_failure(judgement->found)) find_step(&g);
  hy_diagnostics_free(g.said);
  hy_context_free(g.context);
  free((char *)g.items_source.text);
}

void hy_judge_apart(const hy_case *c, unsigned lanes, bool first_step, hy_judgement *judgement) {
  int ends[2];
  *judgement = (hy_judgement){.found = HY_FOUND_CRASH, .step = -1};
  if (pipe(ends) != 0) return;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    hy_judgement j;
    alarm(APART_SECONDS);
    if (!freopen("/dev/null", "w", stderr)) _exit(9);
    hy_judge(c, lanes, first_step, &j);
    _exit(write(ends[1], &j, sizeof j) == sizeof j ? 0 : 9);
  }
  close(ends[1]);
  int status = 0;
  bool got = child > 0 && read(ends[0], judgement, sizeof *judgement) == sizeof *judgement;
  close(ends[0]);
  if (child > 0) waitpid(child, &status, 0);
  if (got) return;
  *judgement =
      (hy_judgement){.found = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? HY_FOUND_HANG : HY_FOUND_CRASH,
                     .step = -1,
                     .rule = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                     .code = WIFEXITED(status) ? WEXITSTATUS(status) : 0};
  snprintf(judgement->detail, sizeof judgement->detail, WIFSIGNALED(status) ? "killed by signal %d" : "exit status %d",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* -- the case of a seed -- */

static int64_t pick_length(hy_choices *c, const hy_walk *walk) {
  int64_t factor = walk->factor_count ? walk->factors[hy_choose(c, (uint64_t)walk->factor_count)] : 4;
  switch (hy_choose(c, 8)) {
  case 0: return 1;
  case 1: return 2;
  case 2: return factor > 1 ? factor - 1 : 1;
  case 3: return factor;
  case 4: return factor + 1;
  case 5: return 2 * factor + 1;
  case 6: return 2 * hy_choose_between(c, 1, 5) + 1;
  default: return hy_choose_between(c, hy_choose(c, 10) ? 1 : 0, 9);
  }
}

static void generate_inputs(hy_choices *choices, const hy_alg *alg, const hy_walk *walk, hy_case *c) {
  c->input_count = HY_CASE_WINDOWS;
  for (int i = 0; i < c->input_count; i++) {
    hy_case_input *in = &c->inputs[i];
    *in = (hy_case_input){.seed = hy_splitmix(c->seed, (uint64_t)i + 77)};
    int64_t points = 1;
    for (int d = 0; d < alg->output->rank; d++) {
      in->min[d] =
          (int64_t[]){0, -hy_choose_between(choices, 1, 9), hy_choose_between(choices, 1, 9)}[hy_choose(choices, 3)];
      in->len[d] = pick_length(choices, walk);
      while (points * in->len[d] > 300) in->len[d] /= 2;
      points *= in->len[d];
    }
    for (int p = 0; p < HY_MOST_PARAMS; p++)
      in->params[p] = hy_choose(choices, 12) ? hy_choose_between(choices, 0, 4) : hy_choose_between(choices, -2, 7);
  }
}

void hy_case_generate(uint64_t seed, hy_case *c, hy_walk *walk, hy_judgement *judgement) {
  hy_choices choices = hy_choices_of_seed(seed);
  hy_text alg = {0}, items = {0};
  *c = (hy_case){.seed = seed};
  *walk = (hy_walk){0};
  hy_generate_alg(&choices, &alg);
  judging g = {.c = c, .j = judgement, .context = hy_context_new(), .said = hy_diagnostics_new()};
  hy_source source = {"case.alg", alg.data, alg.length};
  const hy_alg *parsed = hy_parse_alg(g.context, &source, g.said);
  if (!parsed)
    find_said(&g, HY_FOUND_INVALID);
  else {
    hy_generate_schedule(&choices, g.context, hy_lower(g.context, parsed, g.said), walk, &items);
    generate_inputs(&choices, parsed, walk, c);
    if (walk->silent) find(&g, HY_FOUND_SILENT, 0, "a directive is refused without a diagnostic");
  }
  c->illegal = walk->illegal;
  c->alg = alg.data;
  c->items = items.data ? items.data : strdup("");
  hy_diagnostics_free(g.said);
  hy_context_free(g.context);
}
