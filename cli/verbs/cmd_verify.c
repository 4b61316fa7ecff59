// halyard verify: check with Z3 asked about everything, then every engine on generated inputs, compared point by point.

#include "cli/reports/certify.h"
#include "cli/reports/sums.h"
#include "cli/reports/validate_report.h"
#include "cli/reports/with_halide.h"
#include "cli/verbs/check.h"
#include "engines/engine.h"
#include "halyard/passed.h"
#include "halyard/sample.h"

#include "cli/session/arguments.h"
#include "cli/verbs/verbs.h"
#include "oracle/z3/z3_check.h"
#include "semantics/base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hy_loc nowhere = {0};

// Each is compared with the algorithm's fast evaluator (a .tgt file: with the target program in order).
typedef enum {
  TRIAL_LITERAL,
  TRIAL_STEPS,
  TRIAL_TGT,
  TRIAL_SCRAMBLED,
  TRIAL_NATIVE,
  TRIAL_GUARDED,
  TRIAL_HALIDE, // --with halide
  TRIAL_COUNT
} trial_engine;
static const char *const engine_names[] = {"alg, literal", "tgt, literal",    "tgt, in order", "tgt, scrambled",
                                           "native",       "native, guarded", "halide"};

enum { LITERAL_POINTS = 40, LITERAL_STEPS = 400000, SMALL_STEPS = 2000000, STEPS = 40000000, HALIDE_SECONDS = 60 };

// A verdict is wanted within a minute of a pipeline whose points cost a thousand steps each, too. What the interpreter
// calls work is counted, so that it is the same inputs on every machine: behind so much of it they are small ones, and
// behind as much again there are no more.
enum { MOST_WORK = 150000000 };

typedef struct {
  uint64_t runs, skipped, points, errors;
} tally;

typedef struct {
  hy_session *session;
  const char *name; // of the schedule
  hy_pipeline *pipeline;
  hy_native *native; // what is run, and the same with every allocation in memory of its own; both under guard
  hy_native *guarded;
  hy_halide *halide; // NULL: not asked for
  hy_text program;   // what it gets
  char *refusal;     // its words on the last input that it did not take; NULL = there was none
  tally tallies[TRIAL_COUNT];
  hy_sums *sums;       // contract real; NULL: the schedule leaves all sums in their order
  int cases, unusable; // inputs tried, and those for which none could be made or no engine finished
  int smaller;         // of them, made small
  bool by_work;        // some were given up for the work of a run
  uint64_t work;       // of the interpreter in order
  hy_status status;
} trial;

/* -- one comparison -- */

static void add_sample(const trial *t, const hy_arguments *a, hy_text *out) {
  hy_sample_print(t->session->alg, a, out);
}

static void replay_help(const trial *t, hy_text *help) {
  const hy_options *o = &t->session->options;
  hy_text_printf(help, "replay it with: halyard verify %s", o->words.data[0]);
  for (size_t i = 1; i < o->words.count; i++) hy_text_printf(help, " %s", o->words.data[i]);
  for (size_t i = 0; i < o->params.count; i++)
    hy_text_printf(help, " -p %s=%s", o->params.data[i].name, o->params.data[i].value);
  hy_text_printf(help, " --seed %" PRIu64 " --cases %" PRId64, o->seed, o->cases);
}

static void report_difference(trial *t, trial_engine engine, const hy_arguments *a, const hy_difference *difference) {
  hy_text point = {0}, expected = {0}, got = {0}, sample = {0}, help = {0};
  hy_difference_print(t->session->alg, difference, &point);
  hy_value_print(difference->a, &expected);
  hy_value_print(difference->b, &got);
  add_sample(t, a, &sample);
  replay_help(t, &help);
  hy_report(t->session->diagnostics, HY_E_RUN_DISAGREE, t->pipeline->loc, NULL, hy_text_string(&help),
            "schedule '%s': %s is %s by %s, but %s by engine '%s'; %s", t->name, hy_text_string(&point),
            hy_text_string(&expected), t->session->program ? "the target program in order" : "the algorithm",
            hy_text_string(&got), engine_names[engine], hy_text_string(&sample));
  hy_text_free(&point);
  hy_text_free(&expected);
  hy_text_free(&got);
  hy_text_free(&sample);
  hy_text_free(&help);
  t->status = hy_status_worse(t->status, HY_STATUS_WRONG);
}

static void report_failure(trial *t, trial_engine engine, const hy_arguments *a, hy_code code, hy_status status,
                           const char *what, const char *story) {
  hy_text sample = {0}, help = {0};
  add_sample(t, a, &sample);
  replay_help(t, &help);
  hy_report(t->session->diagnostics, code, t->pipeline->loc, NULL, hy_text_string(&help),
            "schedule '%s', engine '%s': %s%s%s; %s", t->name, engine_names[engine], what, story ? ": " : "",
            story ? story : "", hy_text_string(&sample));
  hy_text_free(&sample);
  hy_text_free(&help);
  t->status = hy_status_worse(t->status, status);
}

// Errors are part of the meaning of target programs (decision D4), but not of machine code (D5).
static void judge(trial *t, trial_engine engine, const hy_arguments *a, const hy_outcome *expected,
                  const hy_outcome *got) {
  tally *row = &t->tallies[engine];
  hy_difference difference;
  switch (got->status) {
  case HY_RUN_LIMIT: row->skipped++; return;
  case HY_RUN_ASSUME:
    if (got->failed && got->failed->assume.why == HY_ASSUME_NEED)
      row->skipped++; // a user's bound may fail in mid-run (decision D43)
    else
      report_failure(t, engine, a, HY_E_RUN_DISAGREE, HY_STATUS_WRONG, "it refuses an input whose entry checks hold",
                     NULL);
    return;
  case HY_RUN_CONTRACT:
    report_failure(t, engine, a, HY_E_RUN_CONTRACT, HY_STATUS_DEFECT, got->contract, got->story);
    return;
  case HY_RAN:
    row->runs++;
    hy_compare(expected->output, got->output, engine < TRIAL_NATIVE, &difference);
    row->points += difference.compared;
    row->errors += difference.errors;
    if (difference.differs) report_difference(t, engine, a, &difference);
    return;
  }
  HY_UNREACHABLE();
}

/* -- one input -- */

// What it refuses or is not asked about counts as skipped: it may want larger images, say.
static hy_outcome run_halide(trial *t, const hy_arguments *a) {
  hy_halide_answer answer = hy_with_halide_ask(t->session, t->halide, t->program.data, &a->input);
  hy_outcome got = {.status = answer.end == HY_HALIDE_RAN ? HY_RAN : HY_RUN_LIMIT, .output = answer.output};
  hy_text story = {0};
  answer.output = NULL;
  if (answer.end != HY_HALIDE_RAN) {
    hy_with_halide_explain(&answer, &story);
    free(t->refusal);
    t->refusal = story.data;
  }
  if (answer.end != HY_HALIDE_RAN && answer.end != HY_HALIDE_REFUSED && answer.end != HY_HALIDE_LOST)
    report_failure(t, TRIAL_HALIDE, a, HY_E_HALIDE_FAILED, HY_STATUS_WRONG, t->refusal, NULL);
  hy_halide_answer_free(&answer);
  return got;
}

static hy_outcome run_in_order(trial *t, const hy_arguments *a) {
  uint64_t work = 0;
  hy_outcome got = hy_engine_tgt_within(t->session->context, t->pipeline->filled, &a->input, 0, STEPS, 0, &work);
  t->work += work;
  return got;
}

static hy_outcome run_trial(trial *t, trial_engine engine, const hy_arguments *a, uint64_t seed) {
  hy_session *s = t->session;
  switch (engine) {
  case TRIAL_LITERAL: return hy_engine_alg(s->context, t->pipeline->meaning, &a->input, true, LITERAL_STEPS);
  case TRIAL_STEPS:
    return hy_engine_tgt_derived(s->context, t->pipeline->filled, &a->input, HY_LAZY, seed, SMALL_STEPS, true, NULL);
  case TRIAL_TGT: return run_in_order(t, a);
  case TRIAL_SCRAMBLED: return hy_engine_tgt(s->context, t->pipeline->filled, &a->input, seed | 1, STEPS);
  case TRIAL_NATIVE: return hy_engine_guarded(t->native, s->alg, &a->input);
  case TRIAL_GUARDED: return hy_engine_guarded(t->guarded, s->alg, &a->input);
  case TRIAL_HALIDE: return run_halide(t, a);
  case TRIAL_COUNT: break;
  }
  HY_UNREACHABLE();
}

static bool applies(const trial *t, trial_engine engine, const hy_arguments *a) {
  if (engine == TRIAL_HALIDE) return t->halide != NULL;
  if (engine != TRIAL_LITERAL && engine != TRIAL_STEPS) return true;
  return hy_window_points(t->session->alg, &a->input) <= LITERAL_POINTS &&
         !(engine == TRIAL_LITERAL && t->session->program);
}

static hy_outcome run_reference(trial *t, const hy_arguments *a) {
  hy_session *s = t->session;
  if (s->program) return hy_engine_tgt(s->context, t->pipeline->filled, &a->input, 0, STEPS);
  return hy_engine_alg(s->context, t->pipeline->meaning, &a->input, false, STEPS);
}

static void run_case(trial *t, int number, const hy_arguments *a) {
  hy_session *s = t->session;
  uint64_t seed = hy_sample_seed(&(hy_sampler){.seed = s->options.seed}, number);
  hy_outcome expected = run_reference(t, a);
  if (t->sums && expected.status == HY_RAN)
    t->status = hy_status_worse(t->status, hy_sums_see(t->sums, s, t->name, &a->input, STEPS));
  bool gave_up = false;
  if (expected.status == HY_RUN_CONTRACT)
    report_failure(t, TRIAL_TGT, a, HY_E_RUN_CONTRACT, HY_STATUS_DEFECT, expected.contract, expected.story);
  else if (expected.status != HY_RAN)
    t->unusable++, t->by_work |= expected.by_work;
  else
    for (int e = 0; e < TRIAL_COUNT && t->status == HY_STATUS_FINE; e++) {
      if (!applies(t, (trial_engine)e, a)) continue;
      // Native code knows no limit, of steps or of memory: what the interpreter gave up is not run.
      bool is_native = e == TRIAL_NATIVE || e == TRIAL_GUARDED;
      hy_outcome got =
          is_native && gave_up ? (hy_outcome){.status = HY_RUN_LIMIT} : run_trial(t, (trial_engine)e, a, seed);
      if (e == TRIAL_TGT) gave_up = got.status == HY_RUN_LIMIT, t->by_work |= got.by_work;
      judge(t, (trial_engine)e, a, &expected, &got);
      hy_outcome_free(&got);
    }
  hy_outcome_free(&expected);
}

static bool make_case(trial *t, const hy_sampler *sampler, int number, hy_arguments *a) {
  if (t->work <= MOST_WORK) return hy_sample_make(sampler, t->pipeline, number, a);
  t->smaller++;
  return hy_sample_make_small(sampler, t->pipeline, NULL, number, HY_SAMPLE_LEAST, a);
}

static void run_cases(trial *t) {
  hy_session *s = t->session;
  const hy_sampler sampler = hy_session_sampler(s);
  for (int number = 0; number < s->options.cases && t->status == HY_STATUS_FINE; number++) {
    if (t->work > 2 * (uint64_t)MOST_WORK) break;
    hy_arguments arguments;
    hy_reporter_progress(s->reporter, "running %s on input %d of %d", t->name, number + 1, (int)s->options.cases);
    t->cases++;
    if (make_case(t, &sampler, number, &arguments))
      run_case(t, number, &arguments);
    else
      t->unusable++;
    hy_arguments_free(&arguments);
  }
}

/* -- one schedule -- */

static void print_table(const trial *t, hy_record *record) {
  hy_session *s = t->session;
  hy_record_int(record, "cases", t->cases);
  hy_record_int(record, "unusable_cases", t->unusable);
  hy_record_int(record, "smaller_cases", t->smaller);
  hy_record_bool(record, "agree", t->status == HY_STATUS_FINE);
  hy_reporter_print(s->reporter, "  %-15s %6s %8s %16s %13s\n", "engine", "runs", "skipped", "points compared",
                    "error points");
  for (int e = 0; e < TRIAL_COUNT; e++) {
    const tally *row = &t->tallies[e];
    if ((s->program && e == TRIAL_LITERAL) || (e == TRIAL_HALIDE && !t->halide)) continue;
    hy_reporter_print(s->reporter, "  %-15s %6" PRIu64 " %8" PRIu64 " %16" PRIu64 " %13" PRIu64 "\n", engine_names[e],
                      row->runs, row->skipped, row->points, row->errors);
    hy_record *engine = hy_record_append(record, "engines");
    hy_record_text(engine, "engine", engine_names[e]);
    hy_record_int(engine, "runs", (int64_t)row->runs);
    hy_record_int(engine, "skipped", (int64_t)row->skipped);
    hy_record_int(engine, "points_compared", (int64_t)row->points);
    hy_record_int(engine, "error_points", (int64_t)row->errors);
  }
  if (t->status == HY_STATUS_FINE)
    hy_reporter_print(s->reporter, "  no difference on %d sampled inputs (seed %" PRIu64 ")", t->cases - t->unusable,
                      s->options.seed);
  else
    hy_reporter_print(s->reporter, "  stopped at input %d (seed %" PRIu64 ")", t->cases, s->options.seed);
  if (t->unusable) hy_reporter_print(s->reporter, "; %d inputs could not be used", t->unusable);
  if (t->smaller) hy_reporter_print(s->reporter, "; %d of them were made small, as others take long", t->smaller);
  if (t->status == HY_STATUS_FINE && t->cases < s->options.cases)
    hy_reporter_print(s->reporter, "; %d of %d were not tried, as these took long", (int)s->options.cases - t->cases,
                      (int)s->options.cases);
  hy_reporter_print(s->reporter, "\n");
}

static const char help_less_work[] =
    "fix parameters with -p NAME=VALUE that make loops and reductions short, let the schedule compute less, or run "
    "the schedule on inputs of your own: "
    "halyard run --guard";

// What was made, if no run of it came to an end, took too many steps or too much memory.
static hy_status no_usable_input(const trial *t) {
  bool made = t->unusable < t->cases || t->by_work;
  const char *help = t->by_work ? help_less_work
                     : made     ? HY_HELP_STORE_LESS
                                : "fix parameters with -p NAME=VALUE so that the entry checks hold";
  const char *why = t->by_work ? "the runs take more steps than an interpreter is given"
                    : made     ? "the runs take more memory than an interpreter is given"
                               : "no input could be generated on which every engine computes a point";
  hy_report(t->session->diagnostics, HY_E_RUN_NO_SAMPLE, t->pipeline->loc, NULL, help,
            "schedule '%s': %s, so nothing was compared", t->name, why);
  return HY_STATUS_UNDECIDED;
}

// Halide has taken none of the inputs: nothing is known of it.
static hy_status not_by_halide(const trial *t) {
  hy_report(t->session->diagnostics, HY_E_HALIDE_FAILED, t->pipeline->loc, NULL,
            "'halyard export' prints the program; docs/halide.md tells where Halide is known to differ",
            "schedule '%s': Halide has computed none of the inputs, so nothing was compared with it; %s", t->name,
            t->refusal ? t->refusal : "there was none");
  return HY_STATUS_UNDECIDED;
}

/* -- what is emitted -- */

// What the passes made of it is a program of which everything is proved, too.
static hy_status verify_passed(hy_session *s, int index, hy_pipeline *p, hy_record *record) {
  hy_passed passed;
  hy_session_deciding deciding = {s, "proving what the passes made of", hy_session_name(s, index), hy_seconds()};
  hy_oracle_options options = {.cross_check = true,
                               .z3_limit = (unsigned)s->options.z3_limit,
                               .progress = hy_session_say_how_far,
                               .progress_self = &deciding};
  hy_reporter_progress(s->reporter, "%s %s", deciding.what, deciding.name);
  hy_answer answer = hy_passed_prove(p, &options, &passed);
  if (passed.program == p->filled) return HY_STATUS_FINE;
  hy_record *row = hy_record_append(record, "after_passes");
  hy_record_int(row, "obligations", (int64_t)passed.report.count);
  hy_record_int(row, "proved", (int64_t)(passed.report.proved + passed.report.proved_z3));
  hy_reporter_print(
      s->reporter, "after the passes: proved %zu, refuted %zu, unknown %zu; %zu are about what they did\n",
      passed.report.proved + passed.report.proved_z3, passed.report.refuted, passed.report.unknown, passed.fresh);
  if (answer == HY_NO) {
    hy_report(s->diagnostics, HY_E_OBLIGATION_REFUTED, p->loc, "B.Pieces", "please report it with both files",
              "schedule '%s': what the passes made of the program does not hold; this is a defect of Halyard",
              hy_session_name(s, index));
    return HY_STATUS_DEFECT;
  }
  if (answer == HY_UNKNOWN) {
    hy_report(s->diagnostics, HY_E_OBLIGATION_UNKNOWN, p->loc, "B.Pieces",
              "'halyard show --stage native' prints it, and 'halyard check' tells what is open",
              "schedule '%s': what the passes made of the program could not be decided", hy_session_name(s, index));
    return HY_STATUS_UNDECIDED;
  }
  hy_pipeline after = *p;
  after.filled = passed.program;
  after.report = passed.report;
  return hy_certify_aside(s, index, &after, row);
}

static hy_status verify_one(hy_session *s, int index, hy_halide *halide, hy_certificates *certificates) {
  hy_pipeline pipeline;
  hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "schedules");
  hy_status status = hy_check_one(s, index, &pipeline, true, record);
  hy_status certified = hy_certify(s, certificates, index, &pipeline, record);
  if (status != HY_STATUS_FINE) return status;
  certified = hy_status_worse(certified, verify_passed(s, index, &pipeline, record));
  hy_status promises = hy_validate_report(s, &pipeline, true, record);
  if (promises == HY_STATUS_DEFECT) return promises;
  trial t = {.session = s, .name = hy_session_name(s, index), .pipeline = &pipeline, .halide = halide};
  if (halide && !hy_with_halide_export(s, &pipeline, &t.program)) return HY_STATUS_WRONG;
  hy_codegen_options options = hy_codegen_default();
  hy_reporter_progress(s->reporter, "compiling %s", t.name);
  options.guard = HY_GUARD_CALLS;
  t.native = hy_pipeline_compile(&pipeline, &options);
  options.guard = HY_GUARD_ALL;
  t.guarded = hy_pipeline_compile(&pipeline, &options);
  t.sums = hy_sums_new(&pipeline);
  run_cases(&t);
  hy_native_free(t.native);
  hy_native_free(t.guarded);
  hy_reporter_flush(s->reporter, s->diagnostics);
  print_table(&t, record);
  hy_sums_print(t.sums, s, record);
  hy_sums_free(t.sums);
  if (halide && t.status == HY_STATUS_FINE && !t.tallies[TRIAL_HALIDE].runs) t.status = not_by_halide(&t);
  free(t.refusal);
  hy_text_free(&t.program);
  const tally *native = &t.tallies[TRIAL_NATIVE];
  if (t.status == HY_STATUS_FINE && native->points + native->errors == 0) return no_usable_input(&t);
  return hy_status_worse(hy_status_worse(t.status, promises), certified);
}

// --with halide. False after reporting.
static bool start_halide(hy_session *s, hy_halide **halide) {
  *halide = NULL;
  if (!s->options.with) return true;
  if (strcmp(s->options.with, "halide") != 0) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "there is halide", "nothing is verified --with '%s'",
              s->options.with);
    return false;
  }
  if (s->program) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "give the algorithm and its schedule",
              "a target program has no counterpart in Halide");
    return false;
  }
  *halide = hy_with_halide_start(s, HALIDE_SECONDS);
  return *halide != NULL;
}

// What the verdicts below stand on.
static void print_setting(hy_session *s, const hy_halide *halide) {
  hy_record *record = hy_reporter_record(s->reporter);
  char seed[24];
  hy_record_text(record, "z3", hy_z3_version());
  hy_record_text(record, "llvm", hy_codegen_llvm_version());
  snprintf(seed, sizeof seed, "%" PRIu64, s->options.seed); // as text: JSON's readers may round large numbers
  hy_record_text(record, "seed", seed);
  hy_reporter_print(s->reporter,
                    "halyard %s, Z3 %s (at most %" PRId64 " steps a question), LLVM %s; int within 64 bits, Euclidean "
                    "division; seed %" PRIu64 "\n",
                    HALYARD_VERSION, hy_z3_version(), s->options.z3_limit * HY_Z3_STEPS, hy_codegen_llvm_version(),
                    s->options.seed);
  if (!halide) return;
  hy_record_text(record, "halide", hy_halide_version(halide));
  hy_reporter_print(s->reporter, "Halide %s, for %s\n", hy_halide_version(halide), hy_halide_target());
}

hy_status hy_command_verify(hy_session *s) {
  hy_status status = hy_session_load(s, true);
  if (status == HY_STATUS_FINE) status = hy_arguments_check_params(s);
  hy_halide *halide = NULL;
  if (status == HY_STATUS_FINE && !start_halide(s, &halide)) status = HY_STATUS_USAGE;
  if (status != HY_STATUS_FINE) return status;
  print_setting(s, halide);
  hy_certificates *certificates = hy_certify_begin(s);
  for (int i = 0; i < hy_session_count(s); i++)
    status = hy_status_worse(status, verify_one(s, i, halide, certificates));
  hy_halide_stop(halide);
  return hy_status_worse(status, hy_certify_end(s, certificates));
}
