#include "gate/trial/trial.h"

#include "codegen/codegen.h"
#include "engines/engine.h"
#include "gate/manifest/elf.h"
#include "gate/trial/linking.h"
#include "gate/trial/lowering.h"
#include "gate/trial/programs.h"
#include "halyard/sample.h"
#include "semantics/value/errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Of each interpreter for each input, which bounds its memory as well (tgt_interp.c): a folder may be anybody's.
enum { STEPS = 2000000 };

typedef struct {
  hy_trial trial;
  const hy_inspected *in;
  const hy_trial_wishes *wishes;
  hy_gate_result *result;
  hy_shipped_programs programs;
  size_t useless;
  uint64_t errors;
} walk;

/* -- inputs -- */

// The contents of images: random, and of every element the least, the greatest, those by turns, and the smallest ones.
enum { CONTENTS = 6, RANDOM = 2, GREATEST = RANDOM, LEAST, BY_TURNS, SMALLEST };

// Floats: infinities and NaN; numbers without a leading 1, which a processor may take for 0 (GEN.Subnormal).
static hy_value extreme_float(hy_type type, int how, size_t i) {
  static const double smallest[] = {1, -0.0, 1000000, -3};
  static const double units[] = {[HY_F32] = 0x1p-149, [HY_F64] = 0x1p-1074, [HY_F16] = 0x1p-24, [HY_BF16] = 0x1p-133};
  double unit = units[type];
  if (how == SMALLEST) return hy_value_from_double(type, smallest[i % HY_COUNT(smallest)] * unit);
  bool is_greatest = how == GREATEST || (how == BY_TURNS && i % 2);
  return hy_value_from_double(type, is_greatest ? i % 3 ? INFINITY : NAN : -3e38);
}

static hy_value extreme(hy_type type, int how, size_t i) {
  bool is_greatest = how == GREATEST || (how == BY_TURNS && i % 2);
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) return extreme_float(type, how, i);
  if (how == SMALLEST) is_greatest = i % 2;
  if (type == HY_BOOL) return hy_value_bool(is_greatest);
  if (how == SMALLEST) return hy_value_integral(type, is_greatest);
  if (hy_type_class_of(type) != HY_CLASS_SIGNED) return hy_value_integral(type, is_greatest ? -1 : 0);
  uint64_t top = (uint64_t)1 << (hy_type_bits(type) - 1);
  return hy_value_integral(type, (int64_t)(is_greatest ? top - 1 : top));
}

static void fill_images(const walk *w, const hy_trial_case *c) {
  int how = c->number % CONTENTS;
  for (int k = 0; k < w->trial.alg->image_count && how >= RANDOM; k++) {
    hy_buffer *image = c->arguments.images[k];
    size_t element = hy_type_bytes(image->type);
    for (size_t i = 0; i < image->count; i++) hy_value_store(extreme(image->type, how, i), image->data + i * element);
  }
}

static bool is_too_large(const hy_arguments *a, int rank) {
  for (int d = 0; d < rank; d++)
    if (a->window_min[d] < -(1 << 30) || a->window_min[d] > 1 << 30) return true;
  return false;
}

static void add_value_step(walk *w, hy_gate_check *check, hy_role role, const char *what, hy_value value,
                           const hy_difference *difference) {
  const hy_artefact *file = hy_manifest_find(&w->in->manifest, role, NULL);
  hy_text text = {0};
  hy_text_add(&text, what);
  hy_value_print(value, &text);
  hy_text_add(&text, " at ");
  hy_difference_print(w->trial.alg, difference, &text);
  hy_gate_add_step(w->result, check, file ? file->path : NULL, hy_text_string(&text));
  hy_text_free(&text);
}

static void tell_meanings(walk *w, const hy_trial_case *c, const hy_difference *difference) {
  hy_gate_check *check = hy_gate_add(w->result, 2, "meaning", NULL, HY_GATE_WRONG, HY_E_GATE_RUN,
                                     "algorithm and target program have other values on input %d", c->number);
  hy_text input = {0};
  hy_text_printf(&input, "input %d, window ", c->number);
  hy_window_print(w->trial.alg, &c->arguments.input, &input);
  hy_gate_add_step(w->result, check, hy_trial_meaning_file(w->in), hy_text_string(&input));
  add_value_step(w, check, HY_ROLE_ALGORITHM, "the algorithm means ", difference->a, difference);
  add_value_step(w, check, HY_ROLE_PROGRAM, "the target program means ", difference->b, difference);
  hy_text_free(&input);
}

// What both interpreters say that it has to give. False: it shows nothing; or they differ, which is told.
static bool expect(walk *w, hy_trial_case *c) {
  hy_context *context = w->trial.context;
  const hy_input *input = &c->arguments.input;
  hy_outcome target = hy_engine_tgt(context, w->programs.pipeline.filled, input, 0, STEPS),
             meaning = {.status = HY_RUN_LIMIT};
  if (w->programs.meaning) meaning = hy_engine_alg(context, w->programs.meaning, input, false, STEPS);
  bool usable = target.status == HY_RAN && (!w->programs.meaning || meaning.status == HY_RAN);
  if (target.status == HY_RUN_CONTRACT)
    hy_gate_add(w->result, 2, "meaning", NULL, HY_GATE_WRONG, HY_E_GATE_RUN,
                "the target program breaks its contract on input %d: %s", c->number, target.story ? target.story : "");
  if (usable && w->programs.meaning) {
    hy_difference difference;
    hy_compare(meaning.output, target.output, true, &difference);
    w->errors += difference.errors;
    if (difference.differs) tell_meanings(w, c, &difference);
  }
  if (usable) c->expected = target.output, target.output = NULL;
  hy_outcome_free(&target);
  hy_outcome_free(&meaning);
  return usable;
}

static void make_cases(walk *w) {
  const hy_sampler sampler = {.seed = w->wishes->seed};
  for (int number = 0; number < w->wishes->inputs; number++) {
    if (!hy_gate_shard_has(w->wishes->shard, (uint64_t)number)) continue;
    hy_trial_case c = {.number = number};
    bool good = hy_sample_make(&sampler, &w->programs.pipeline, number, &c.arguments) &&
                !is_too_large(&c.arguments, w->trial.alg->window_rank);
    if (good) fill_images(w, &c);
    if (good && expect(w, &c)) {
      hy_vec_push(&w->trial.cases, c);
      // The input points into the arguments, which have moved.
    } else {
      hy_arguments_free(&c.arguments);
      w->useless++;
    }
  }
  for (size_t i = 0; i < w->trial.cases.count; i++) {
    hy_arguments *a = &w->trial.cases.data[i].arguments;
    a->input = (hy_input){a->params, (const hy_buffer *const *)a->images, a->window_min, a->window_len};
  }
}

// A check whose story is its counts.
static void add_counted(walk *w, const char *name, const hy_artefact *file, hy_gate_verdict verdict,
                        const hy_gate_counts *counts) {
  unsigned code = verdict == HY_GATE_PASSED ? 0 : HY_E_GATE_NOT_RUN;
  hy_gate_check *c = hy_gate_add(w->result, 2, name, file ? file->path : NULL, verdict, code, "%s", "");
  if (file) c->target = file->target;
  c->counts = *counts;
  c->story = hy_gate_tell_counts(w->result->arena, c, w->programs.meaning);
}

/* -- targets -- */

const char *hy_trial_meaning_file(const hy_inspected *in) {
  const hy_artefact *algorithm = hy_manifest_find(&in->manifest, HY_ROLE_ALGORITHM, NULL),
                    *program = hy_manifest_find(&in->manifest, HY_ROLE_PROGRAM, NULL);
  return algorithm ? algorithm->path : program ? program->path : NULL;
}

// ("not-run" may be allowed, for other machines.)
static void tell_not_run(walk *w, const char *target, const char *name, const hy_artefact *file, const char *why,
                         const char *help) {
  hy_gate_check *c = hy_gate_add(w->result, 2, name, file ? file->path : NULL, HY_GATE_UNDECIDED, HY_E_GATE_NOT_RUN,
                                 "it was not run: %s", why);
  c->target = target, c->help = help;
}

static void tell_answer(walk *w, const char *target, const hy_artefact *file, const hy_trial_answer *answer) {
  bool is_wrong = answer->verdict == HY_GATE_WRONG;
  // (A run that does not end is none that may be allowed: the code is here.)
  hy_gate_check *c = hy_gate_add(w->result, 2, is_wrong ? "runs" : "not-ended", file->path, answer->verdict,
                                 is_wrong ? HY_E_GATE_RUN : HY_E_GATE_NOT_RUN, "%s", answer->story);
  c->target = target;
  hy_gate_add_step(w->result, c, hy_trial_meaning_file(w->in), answer->input);
  hy_gate_add_step(w->result, c, hy_trial_meaning_file(w->in), answer->wanted);
  hy_gate_add_step(w->result, c, file->path, answer->given);
}

// An emulator that runs nothing here says nothing of the object; one that runs all but this one does.
static void tell_unheard(walk *w, const char *target, const hy_artefact *file, const hy_emulator *emulator,
                         hy_trial_answer *answer) {
  if (!hy_emulator_runs(emulator, w->trial.name, w->trial.alg))
    return tell_not_run(w, target, "not-run", file, hy_arena_printf(w->result->arena, "%s", answer->story),
                        emulator->packages);
  answer->verdict = HY_GATE_WRONG;
  snprintf(answer->story, sizeof answer->story, "it ends before it is called");
  tell_answer(w, target, file, answer);
}

// On 1, 2 and more threads. "file": what the code was made of.
static void run_code(walk *w, const char *target, const hy_artefact *file, const hy_trial_code *code) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  const int threads[] = {1, 2, processors > 4 ? (int)processors : 4};
  hy_trial_answer answer;
  hy_gate_counts sum = {.inputs = w->trial.cases.count, .emulated = code->emulator != NULL};
  for (size_t i = 0; i < HY_COUNT(threads); i++) {
    hy_trial_ask(&w->trial, code, threads[i], i == 0, &answer);
    if (answer.verdict == HY_GATE_PASSED && answer.runs != w->trial.cases.count) {
      answer.verdict = HY_GATE_WRONG; // its process may end where and as it likes
      snprintf(answer.story, sizeof answer.story, "its process says that it ran %llu of %zu inputs",
               (unsigned long long)answer.runs, w->trial.cases.count);
    }
    sum.runs += answer.runs, sum.points += answer.points, sum.refusals += answer.refusals;
    bool is_unheard = code->emulator && answer.verdict == HY_GATE_UNDECIDED && answer.is_unheard;
    if (is_unheard) return tell_unheard(w, target, file, code->emulator, &answer);
    if (answer.verdict != HY_GATE_PASSED) return tell_answer(w, target, file, &answer);
  }
  sum.threads = (uint64_t)threads[2];
  if (sum.points)
    add_counted(w, "runs", file, HY_GATE_PASSED, &sum);
  else
    add_counted(w, "no-input", file, HY_GATE_UNDECIDED, &sum); // nothing was compared
}

static void run_shared(walk *w, const char *target) {
  const hy_artefact *shared = hy_manifest_find(&w->in->manifest, HY_ROLE_SHARED, target);
  const hy_trial_code code = {hy_inspected_bytes(w->in, HY_ROLE_SHARED, target), NULL};
  if (!shared)
    tell_not_run(w, target, "no-shared", NULL, "there is no shared object for it", NULL);
  else if (!code.bytes)
    tell_not_run(w, target, "not-run", shared, "it is not what shipped (level 0)", NULL);
  else
    run_code(w, target, shared, &code);
}

// A program that was not made is not run.
static void run_linked(walk *w, const char *target, const hy_artefact *object, const hy_emulator *emulator) {
  hy_text program = {0};
  hy_trial_answer answer = {.verdict = HY_GATE_WRONG};
  const hy_trial_code code = {&program, emulator};
  const hy_text *bytes = hy_inspected_bytes(w->in, HY_ROLE_OBJECT, target);
  const char *why = "it is no object for that machine"; // a linker takes other files for scripts
  hy_gate_verdict verdict = HY_GATE_WRONG;
  if (hy_elf_machine(hy_text_string(bytes), bytes->length) == hy_elf_machine_of(hy_target_find(target)->triple))
    verdict = hy_emulator_link(emulator, bytes, w->trial.name, w->trial.alg, &program, &why);
  snprintf(answer.story, sizeof answer.story, "%s", why);
  if (verdict == HY_GATE_PASSED)
    run_code(w, target, object, &code);
  else if (verdict == HY_GATE_WRONG)
    tell_answer(w, target, object, &answer);
  else
    tell_not_run(w, target, "not-run", object, hy_arena_printf(w->result->arena, "%s", why), emulator->packages);
  hy_text_free(&program);
}

// Where the tools are not here, nobody knows.
static void run_emulated(walk *w, const char *target) {
  const hy_emulator *emulator = hy_emulator_find(target);
  const hy_artefact *object = hy_manifest_find(&w->in->manifest, HY_ROLE_OBJECT, target);
  const char *why = NULL, *help = NULL;
  if (!emulator) {
    why = "this processor is another one";
  } else if (!hy_inspected_bytes(w->in, HY_ROLE_OBJECT, target)) {
    why = "it is not what shipped (level 0)";
  } else if (!hy_emulator_is_here(emulator)) {
    why = hy_arena_printf(w->result->arena, "this processor is another one, and '%s' or '%s' cannot be run",
                          emulator->compiler, emulator->emulator);
    help = emulator->packages;
  }
  if (why)
    tell_not_run(w, target, "not-run", object, why, help);
  else
    run_linked(w, target, object, emulator);
}

void hy_trial_run(hy_context *context, const hy_inspected *in, const hy_trial_wishes *wishes, hy_gate_result *result) {
  walk w = {.trial = {.context = context, .name = in->manifest.name}, .in = in, .wishes = wishes, .result = result};
  result->asked[2] = true;
  bool is_read = hy_shipped_read(context, result->arena, in, &w.programs);
  w.trial.alg = w.programs.pipeline.alg;
  w.trial.filled = w.programs.pipeline.filled;
  if (!is_read) {
    hy_shipped_tell_unread(in, 2, result);
    return;
  }
  bool is_first = hy_gate_shard_has(wishes->shard, 0);
  size_t before = result->checks.count;
  make_cases(&w);
  const hy_gate_counts counts = {.inputs = w.trial.cases.count, .useless = w.useless};
  if (counts.inputs == 0 && (counts.useless > 0 || wishes->shard.count < 2))
    add_counted(&w, "no-input", NULL, HY_GATE_UNDECIDED, &counts);
  else if (counts.inputs > 0 && result->checks.count == before)
    add_counted(&w, "meaning", NULL, HY_GATE_PASSED, &counts);
  if (is_first) hy_lowering_judge(in, result);
  if (is_first) hy_linking_judge_runtime(in, result);
  for (size_t i = 0; i < in->manifest.targets.count; i++) {
    const char *target = in->manifest.targets.data[i].name;
    if (w.trial.cases.count) (hy_target_runs_here(target) ? run_shared : run_emulated)(&w, target);
    if (is_first) hy_linking_judge(in, target, result);
  }
  for (size_t i = 0; i < w.trial.cases.count; i++) {
    hy_arguments_free(&w.trial.cases.data[i].arguments);
    hy_buffer_free(w.trial.cases.data[i].expected);
  }
  hy_vec_free(&w.trial.cases);
}
