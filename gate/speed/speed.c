#include "gate/speed/speed.h"

#include "gate/speed/race.h"
#include "gate/trial/call.h"
#include "semantics/base/clock.h"
#include "semantics/value/errors.h"

#include <math.h>
#include <string.h>

enum { LEVEL = 4, FIRST_LAPS = 30, MOST_LAPS = 240, MOST_SECONDS = 20 }; // judged after 30, 60, 120 and 240
enum { LEAST_POINTS = 1 << 12, MOST_POINTS = 1 << 24, SIZES = 7 };

typedef struct {
  const hy_speed_pair *pair;
  const hy_speed_wishes *wishes;
  hy_gate_result *result;
  hy_arguments inputs[SIZES];
  int input_count;
} walk;

static void not_judged(hy_gate_result *result, const char *file, const char *target, const char *why) {
  hy_gate_check *check = hy_gate_add(result, LEVEL, "not-judged", file, HY_GATE_UNDECIDED, HY_E_GATE_NOT_JUDGED,
                                     "its speed was not judged: %s", why);
  result->asked[LEVEL] = true;
  check->target = target;
}

/* -- what both are called with -- */

static bool is_same_var(const hy_var *a, const hy_var *b) {
  return strcmp(a->name, b->name) == 0 && a->type == b->type;
}

static bool is_same_func(const hy_func *a, const hy_func *b) { return a->type == b->type && a->rank == b->rank; }

static bool is_same_part(const hy_output_part *a, const hy_output_part *b) {
  return a->type == b->type && a->func->rank == b->func->rank && a->output == b->output;
}

static bool has_same_signature(const hy_alg *a, const hy_alg *b) {
  bool same = a->param_count == b->param_count && a->image_count == b->image_count && a->part_count == b->part_count;
  for (int k = 0; same && k < a->part_count; k++) same = is_same_part(&a->parts[k], &b->parts[k]);
  for (int i = 0; same && i < a->param_count + a->image_count; i++) same = a->signature[i] == b->signature[i];
  for (int i = 0; same && i < a->param_count; i++) same = is_same_var(a->params[i], b->params[i]);
  for (int i = 0; same && i < a->image_count; i++)
    same = is_same_func(a->images[i], b->images[i]) && strcmp(a->images[i]->name, b->images[i]->name) == 0;
  return same;
}

static bool add_input(walk *w, const int64_t *min, const int64_t *len) {
  hy_arguments *a = &w->inputs[w->input_count];
  bool good =
      hy_sample_make_sized(&w->wishes->sampler, &w->pair->new.pipeline, w->pair->old.pipeline.filled, min, len, a);
  if (good)
    w->input_count++;
  else
    hy_arguments_free(a);
  return good;
}

// Windows with sides as equal as they can be, each of more and more points; or the one that is given.
static void make_inputs(walk *w) {
  const int64_t origin[HY_MAX_WINDOW] = {0};
  const hy_alg *alg = w->pair->new.pipeline.alg;
  if (w->wishes->window_len) {
    add_input(w, w->wishes->window_min, w->wishes->window_len);
    return;
  }
  for (double points = LEAST_POINTS; points <= MOST_POINTS && w->input_count < SIZES; points *= 4) {
    int64_t len[HY_MAX_WINDOW];
    for (int k = 0; k < alg->output_count; k++)
      for (int d = 0, rank = alg->outputs[k].func->rank; d < rank; d++)
        len[alg->outputs[k].first + d] = (int64_t)ceil(pow(points, 1.0 / rank));
    if (!add_input(w, origin, len) || alg->window_rank == 0) return;
  }
}

/* -- one target -- */

static void tell(walk *w, const hy_artefact *shared, const char *target, const hy_speed_finding *f, size_t laps,
                 const hy_arguments *input) {
  static const struct {
    hy_gate_verdict verdict;
    const char *name, *word;
  } answers[] = {[HY_SPEED_FINE] = {HY_GATE_PASSED, "speed", ""},
                 [HY_SPEED_SLOWER] = {HY_GATE_SLOWER, "speed", "slower than allowed: "},
                 [HY_SPEED_CLOSE] = {HY_GATE_UNDECIDED, "not-judged", "too close to what is allowed: "},
                 [HY_SPEED_NOISY] = {HY_GATE_UNDECIDED, "not-judged", "this machine is too noisy: "}};
  hy_gate_verdict verdict = answers[f->speed].verdict;
  unsigned code = verdict == HY_GATE_PASSED ? 0 : verdict == HY_GATE_SLOWER ? HY_E_GATE_SLOWER : HY_E_GATE_NOT_JUDGED;
  hy_text window = {0};
  hy_window_print(w->pair->new.pipeline.alg, &input->input, &window);
  hy_gate_check *check =
      hy_gate_add(w->result, LEVEL, answers[f->speed].name, shared->path, verdict, code,
                  "%s%.3f times the baseline's %.3g ms (from %.3f to %.3f in %zu laps, up to %.3f allowed; the "
                  "baseline by itself from %.3f to %.3f), window %s",
                  answers[f->speed].word, f->candidate.median, f->seconds * 1e3, f->candidate.low, f->candidate.high,
                  laps, 1 + w->wishes->allowed, f->noise.low, f->noise.high, hy_text_string(&window));
  check->target = target;
  check->ratio = (hy_gate_ratio){f->candidate.low, f->candidate.median, f->candidate.high};
  hy_text_free(&window);
}

static void race(walk *w, const hy_artefact *shared, const char *target, const hy_race *race) {
  hy_race_start start;
  hy_race_process process = hy_race_begin(race, &start);
  hy_lap laps[MOST_LAPS];
  hy_speed_finding f = {.speed = HY_SPEED_CLOSE};
  size_t count = 0;
  double begin = hy_seconds();
  for (size_t wanted = FIRST_LAPS; start.input >= 0 && wanted <= MOST_LAPS; wanted *= 2) {
    while (count < wanted && hy_race_lap(&process, &laps[count])) count++;
    f = hy_speed_judge(laps, count, w->wishes->allowed);
    bool is_clear = f.speed == HY_SPEED_FINE || f.speed == HY_SPEED_SLOWER;
    if (count < wanted || is_clear || hy_seconds() - begin > MOST_SECONDS) break;
  }
  hy_race_end(&process);
  if (start.input < 0)
    not_judged(w->result, shared->path, target, start.story);
  else if (count < FIRST_LAPS)
    not_judged(w->result, shared->path, target, "the process that ran them ended too early");
  else
    tell(w, shared, target, &f, count, &w->inputs[start.input]);
}

static void run_target(walk *w, const char *target) {
  const hy_artefact *shared = hy_manifest_find(&w->pair->candidate->manifest, HY_ROLE_SHARED, target);
  const hy_text *bytes = hy_inspected_bytes(w->pair->candidate, HY_ROLE_SHARED, target);
  const hy_text *old_bytes = hy_inspected_bytes(w->pair->baseline, HY_ROLE_SHARED, target);
  const char *why = !shared                        ? "there is no shared object for it"
                    : !bytes                       ? "it is not what shipped (level 0)"
                    : !old_bytes                   ? "the baseline has no shared object for it"
                    : !hy_target_runs_here(target) ? "this processor is another one"
                                                   : NULL;
  if (why) {
    not_judged(w->result, shared ? shared->path : NULL, target, why);
    return;
  }
  race(w, shared, target,
       &(hy_race){w->pair->new.pipeline.alg,
                  {old_bytes, w->pair->baseline->manifest.name},
                  {bytes, w->pair->candidate->manifest.name},
                  w->inputs,
                  w->input_count});
}

/* -- both -- */

bool hy_speed_read(hy_context *context, const hy_inspected *candidate, const hy_inspected *baseline,
                   hy_gate_result *result, hy_speed_pair *pair) {
  const char *why = NULL;
  *pair = (hy_speed_pair){.candidate = candidate, .baseline = baseline};
  if (!hy_shipped_read(context, result->arena, candidate, &pair->new) ||
      !hy_shipped_read(context, result->arena, baseline, &pair->old))
    why = "a program of one of the two folders cannot be read";
  else if (!has_same_signature(pair->new.pipeline.alg, pair->old.pipeline.alg))
    why = "the baseline takes other parameters or images, or gives other outputs";
  else if (!hy_shipped_is_callable(pair->new.pipeline.alg))
    why = "it has too many parameters or images";
  if (why) not_judged(result, NULL, NULL, why);
  return !why;
}

void hy_speed_run(const hy_speed_pair *pair, const hy_speed_wishes *wishes, hy_gate_result *result) {
  walk w = {.pair = pair, .wishes = wishes, .result = result};
  result->asked[LEVEL] = true;
  make_inputs(&w);
  if (!w.input_count)
    not_judged(result, NULL, NULL, "no input was found that both programs take (--window and -p name one)");
  for (size_t i = 0; w.input_count && i < pair->candidate->manifest.targets.count; i++)
    run_target(&w, pair->candidate->manifest.targets.data[i].name);
  for (int i = 0; i < w.input_count; i++) hy_arguments_free(&w.inputs[i]);
}
