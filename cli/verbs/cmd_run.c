// halyard run: check, then compute the output on real inputs.

#include "engines/engine.h"
#include "halyard/defer.h"

#include "cli/images/image.h"
#include "cli/reports/comparison.h"
#include "cli/reports/events.h"
#include "cli/reports/profile.h"
#include "cli/reports/summary.h"
#include "cli/reports/trace.h"
#include "cli/reports/with_halide.h"
#include "cli/session/arguments.h"
#include "cli/session/memory.h"
#include "cli/verbs/run_files.h"
#include "cli/verbs/verbs.h"
#include "engines/evaluate.h"

#include <unistd.h>

static const hy_loc nowhere = {0};
enum { HALIDE_SECONDS = 600 };

// What the command line asks for of the outputs, by hy_alg.parts.
typedef struct {
  hy_run_files written, compared;       // -o, --compare
  hy_buffer *held[HY_MAX_OUTPUT_PARTS]; // against: what stands in the files compared with
} wishes;

/* -- before -- */

static hy_status does_not_fit(hy_session *s, const hy_pipeline *p, const hy_input *input) {
  if (s->options.engine == HY_ENGINE_NATIVE && hy_demand_blame(s, p, input)) return HY_STATUS_WRONG;
  hy_report(s->diagnostics, HY_E_RUN_MEMORY, nowhere, NULL, HY_HELP_WITH_MEMORY,
            "the output, or what the schedule stores on the way to it, does not fit into memory");
  hy_memory_blame(s, p, input);
  return HY_STATUS_WRONG;
}

// Refuses at once what could only end with the machine out of memory.
static bool outputs_fit(const hy_alg *alg, const hy_input *input) {
  long double all = 0, memory = (long double)sysconf(_SC_PHYS_PAGES) * (long double)sysconf(_SC_PAGESIZE);
  for (int k = 0; k < alg->part_count; k++) {
    const hy_output_part *part = &alg->parts[k];
    long double bytes = (long double)hy_type_bytes(part->type);
    for (int d = 0; d < part->func->rank; d++) bytes *= (long double)input->window_len[part->first + d];
    all += bytes;
  }
  return all <= memory;
}

/* -- files -- */

// "len": of all windows; NULL where they are not known yet
static hy_status can_write(hy_session *s, const hy_run_files *f, const int64_t *len) {
  bool fine = true;
  for (int k = 0; k < s->alg->part_count; k++) {
    const hy_output_part *part = &s->alg->parts[k];
    if (f->of[k])
      fine &=
          hy_image_can_write(f->of[k], part->type, part->func->rank, len ? len + part->first : NULL, s->diagnostics);
  }
  return fine ? HY_STATUS_FINE : HY_STATUS_USAGE;
}

static hy_status misused(hy_session *s, const char *what, const char *help) {
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, help, "%s", what);
  return HY_STATUS_USAGE;
}

// Bytes for a program and lines for people do not go the same way, nor two outputs.
static hy_status can_stream(hy_session *s, const hy_run_files *written) {
  int streams = 0, jpegs = 0;
  for (int k = 0; k < s->alg->part_count; k++) {
    streams += written->of[k] && hy_image_is_stream_name(written->of[k]);
    jpegs += written->of[k] && hy_image_is_jpeg_name(written->of[k]);
  }
  if (s->options.quality && !jpegs) return misused(s, "--quality is of JPEG", "write the output with -o FILE.jpg");
  if (streams > 1) return misused(s, "two outputs cannot both go to standard output", "write one to a file");
  if (streams && s->options.json)
    return misused(s, "standard output gets the object of --format json", "write the output to a file");
  if (streams) hy_reporter_leave_stdout(s->reporter);
  return HY_STATUS_FINE;
}

static hy_status name_files(hy_session *s, wishes *w) {
  const hy_options *o = &s->options;
  if (!o->compared.count && hy_options_first_of(o, (const char *const[]){"tolerance"}, 1))
    return misused(s, "--tolerance is of --compare", "add --compare FILE");
  hy_status status = hy_run_name_files(s, "-o", o->outputs.data, o->outputs.count, &w->written);
  if (status == HY_STATUS_FINE) status = can_stream(s, &w->written);
  if (status != HY_STATUS_FINE) return status;
  return hy_run_name_files(s, "--compare", o->compared.data, o->compared.count, &w->compared);
}

static hy_status read_compared(hy_session *s, wishes *w, const hy_input *input) {
  hy_status status = HY_STATUS_FINE;
  for (int k = 0; k < s->alg->part_count; k++) {
    if (!w->compared.of[k]) continue;
    hy_reporter_progress(s->reporter, "reading %s", w->compared.of[k]);
    w->held[k] = hy_comparison_read(s, w->compared.of[k], &s->alg->parts[k], input);
    if (!w->held[k]) status = HY_STATUS_USAGE;
  }
  return status;
}

/* -- the run -- */

static hy_outcome run_engine(hy_session *s, hy_pipeline *p, const hy_input *input) {
  hy_outcome outcome = {0};
  hy_reporter_progress(s->reporter, "running %s", hy_engine_name(s->options.engine));
  if (s->options.trace) return hy_trace_run(s, p, input);
  if (s->options.events) return hy_events_run(s, p, input);
  switch (s->options.engine) {
  case HY_ENGINE_ALG: return hy_engine_meaning(s->context, s->alg, input, s->options.mode);
  case HY_ENGINE_TGT: return hy_engine_tgt_in(s->context, p->filled, input, s->options.seed, s->options.mode);
  case HY_ENGINE_NATIVE: {
    if (s->options.profile) return hy_profile_run(s, p, input);
    hy_codegen_options options = hy_codegen_default();
    if (s->options.guard) options.guard = HY_GUARD_ALL;
    hy_reporter_progress(s->reporter, "compiling %s", hy_session_name(s, 0));
    hy_native *native = hy_pipeline_compile(p, &options);
    hy_reporter_progress(s->reporter, "running %s", hy_engine_name(s->options.engine));
    outcome = (s->options.guard ? hy_engine_guarded : hy_engine_native)(native, s->alg, input);
    hy_native_free(native);
    return outcome;
  }
  case HY_ENGINE_HALIDE: break; // run_on has its own way with it
  }
  HY_UNREACHABLE();
}

static hy_status broken_contract(hy_session *s, const hy_pipeline *p, const hy_outcome *outcome) {
  hy_report(s->diagnostics, HY_E_RUN_CONTRACT, p->loc, NULL,
            "the program passed its checks, so this is a defect of Halyard: please report it with its files",
            "the %s broke its contract (%s)%s%s", s->options.guard ? "native code" : "target program",
            outcome->contract, outcome->story ? ": " : "", outcome->story ? outcome->story : "");
  return HY_STATUS_DEFECT;
}

static hy_status failed_assumption(hy_session *s, const hy_pipeline *p, const hy_input *input, const hy_stmt *failed) {
  if (!failed) failed = hy_entry_failure(p->filled, input);
  if (failed)
    hy_entry_explain(s, p, input, failed);
  else
    hy_report(s->diagnostics, HY_E_RUN_NEED, p->loc, NULL, NULL, "an assumption of the program failed");
  return HY_STATUS_WRONG;
}

static hy_status error_value(hy_session *s, const hy_output_part *part, const hy_buffer *output, hy_error *error) {
  int64_t point[HY_MAX_RANK];
  hy_text where = {0};
  size_t count = 0;
  if (!hy_first_error(output, point, error)) return HY_STATUS_FINE;
  for (size_t i = 0; i < output->count; i++) count += output->errors[i] != HY_OK;
  hy_text_add(&where, part->name);
  hy_point_print(output->rank, point, &where);
  static const char *const why[] = {
      [HY_ERROR_ARITH] = "it divides by zero, or an int leaves 64 bits",
      [HY_ERROR_RDOM] = "a reduction domain is ill-formed",
      [HY_ERROR_MEM] = "it reads outside an image",
  };
  hy_report(s->diagnostics, HY_E_RUN_ERROR_VALUE, part->func->loc, NULL, why[*error],
            "%s is the error value %s; %zu of %zu points are errors", hy_text_string(&where), hy_error_name(*error),
            count, output->count);
  hy_text_free(&where);
  return HY_STATUS_WRONG;
}

// The algorithm's meaning has no entry block: what an image lacks shows as error values. The first is named, and then,
// if the algorithm's own demand is the reason, by how much the image is short.
static hy_status explain_errors(hy_session *s, const hy_pipeline *p, const hy_input *input, const hy_buffer *output) {
  hy_error error = HY_OK;
  hy_status status = HY_STATUS_FINE;
  for (int k = 0; output && status == HY_STATUS_FINE; k++, output = output->next)
    status = error_value(s, &s->alg->parts[k], output, &error);
  const hy_tgt *plain = error == HY_ERROR_MEM ? hy_session_plain(s) : NULL;
  const hy_stmt *failed = plain ? hy_entry_failure(plain, input) : NULL;
  hy_pipeline algorithm = {.context = s->context, .alg = s->alg, .loc = p->loc, .filled = plain};
  if (failed) hy_entry_explain(s, &algorithm, input, failed);
  return status;
}

static hy_status judge(hy_session *s, const hy_pipeline *p, const hy_input *input, const hy_outcome *outcome) {
  switch (outcome->status) {
  case HY_RAN: return explain_errors(s, p, input, outcome->output);
  case HY_RUN_ASSUME: return failed_assumption(s, p, input, outcome->failed);
  case HY_RUN_CONTRACT: return broken_contract(s, p, outcome);
  case HY_RUN_LIMIT: return does_not_fit(s, p, input);
  }
  HY_UNREACHABLE();
}

/* -- after -- */

// One part of an output; "record" is of it alone.
static void describe(hy_session *s, const hy_output_part *part, const hy_buffer *buffer, const char *file,
                     const hy_arguments *a, double seconds, hy_record *record) {
  hy_text window = {0}, shape = {0};
  hy_window_print_of(s->alg, &s->alg->outputs[part->output], &a->input, &window);
  hy_image_describe(buffer, &shape);
  hy_record_text(record, "func", part->name);
  hy_record_text(record, "type", hy_type_name(buffer->type));
  hy_record_ints(record, "min", buffer->min, buffer->rank);
  hy_record_ints(record, "len", buffer->len, buffer->rank);
  hy_record_text(record, "engine", hy_engine_name(s->options.engine));
  hy_record_real(record, "seconds", seconds);
  if (file) hy_record_text(record, "file", file);
  hy_reporter_print(s->reporter, "%s: %s%s%s\n", file ? file : part->name, hy_text_string(&shape),
                    window.length ? ", window " : "", hy_text_string(&window));
  hy_text_free(&window);
  hy_text_free(&shape);
}

static bool write_output(hy_session *s, const char *file, const hy_buffer *buffer) {
  hy_reporter_progress(s->reporter, "writing %s", file);
  int quality = s->options.quality ? (int)s->options.quality : HY_IMAGE_QUALITY;
  return hy_image_write(file, buffer, quality, s->diagnostics);
}

// What goes to standard output goes last: nothing can fail after it.
static hy_status write_stream(hy_session *s, const hy_run_files *f, const hy_buffer *buffer) {
  for (int k = 0; k < s->alg->part_count; k++, buffer = buffer->next)
    if (f->of[k] && hy_image_is_stream_name(f->of[k]) && !write_output(s, f->of[k], buffer)) return HY_STATUS_USAGE;
  return HY_STATUS_FINE;
}

static hy_status deliver(hy_session *s, const hy_arguments *a, const hy_run_files *f, const hy_outcome *outcome) {
  const hy_buffer *buffer = outcome->output;
  hy_record *answer = hy_reporter_record(s->reporter);
  bool is_one = s->alg->part_count == 1;
  for (int k = 0; k < s->alg->part_count; k++, buffer = buffer->next) {
    const char *file = f->of[k];
    if (file && !hy_image_is_stream_name(file) && !write_output(s, file, buffer)) return HY_STATUS_USAGE;
    hy_record *record = is_one ? hy_record_child(answer, "output") : hy_record_append(answer, "outputs");
    describe(s, &s->alg->parts[k], buffer, file, a, outcome->seconds, record);
    if (file) continue;
    hy_summary summary = hy_summarize(buffer);
    hy_summary_report(&summary, buffer, is_one ? answer : record, s->reporter);
  }
  return write_stream(s, f, outcome->output);
}

static hy_status compare(hy_session *s, const wishes *w, const hy_buffer *output) {
  hy_status status = HY_STATUS_FINE;
  for (int k = 0; k < s->alg->part_count; k++, output = output->next) {
    if (!w->held[k]) continue;
    hy_comparison comparison = hy_comparison_of(output, w->held[k], s->options.tolerance);
    hy_status told = hy_comparison_report(s, &s->alg->parts[k], w->compared.of[k], &comparison);
    status = hy_status_worse(status, told);
  }
  return status;
}

// What an output with error values has otherwise is compared all the same.
static hy_status use(hy_session *s, const hy_arguments *a, const wishes *w, const hy_outcome *outcome,
                     hy_status status) {
  if (outcome->status == HY_RAN) status = hy_status_worse(status, compare(s, w, outcome->output));
  return status == HY_STATUS_FINE ? deliver(s, a, &w->written, outcome) : status;
}

// Halide has no errors as values: where ours is one its output has some number.
static hy_status run_halide(hy_session *s, const hy_pipeline *p, const hy_arguments *a, const wishes *w) {
  hy_outcome outcome = {0};
  hy_halide *halide = hy_with_halide_start(s, HALIDE_SECONDS);
  hy_status status = halide ? hy_with_halide_run(s, halide, p, &a->input, &outcome) : HY_STATUS_USAGE;
  if (status == HY_STATUS_FINE) status = use(s, a, w, &outcome, status);
  hy_outcome_free(&outcome);
  hy_halide_stop(halide);
  return status;
}

static hy_status run_on(hy_session *s, hy_pipeline *p, hy_arguments *a, wishes *w) {
  hy_status status = hy_arguments_window(s, a, p->filled, p);
  if (status == HY_STATUS_FINE) status = can_write(s, &w->written, a->window_len);
  if (status == HY_STATUS_FINE) status = read_compared(s, w, &a->input);
  if (status == HY_STATUS_FINE) status = hy_events_check(s, p);
  if (status != HY_STATUS_FINE) return status;
  bool is_alg = s->options.engine == HY_ENGINE_ALG; // has no entry block; what was left to the run counts all the same
  const hy_stmt *failed = is_alg ? hy_defer_failure(p->filled, &a->input) : hy_entry_failure(p->filled, &a->input);
  if (failed) return failed_assumption(s, p, &a->input, failed);
  if (!outputs_fit(s->alg, &a->input)) return does_not_fit(s, p, &a->input);
  if (s->options.engine == HY_ENGINE_HALIDE) return run_halide(s, p, a, w);
  hy_outcome outcome = run_engine(s, p, &a->input);
  bool too_large = s->options.trace && outcome.status == HY_RUN_LIMIT;
  status = too_large ? hy_trace_too_large(s, p, a) : judge(s, p, &a->input, &outcome);
  status = use(s, a, w, &outcome, status);
  hy_outcome_free(&outcome);
  return status;
}

static hy_status can_trace_events(hy_session *s) {
  const hy_options *o = &s->options;
  if (o->trace && o->events) return misused(s, "--trace is given as a derivation and as events", "give one of them");
  if (o->trace_funcs && !o->events)
    return misused(s, "--trace-func is of loads, stores and realizations", "add --trace=loads, stores or realizations");
  if (!o->events || o->engine == HY_ENGINE_TGT) return HY_STATUS_FINE;
  return misused(s, "loads, stores and realizations are the target program's", "add --engine tgt");
}

// Machine code has no derivation and one mode, and nothing else is run under guard.
static hy_status can_trace(hy_session *s) {
  if (s->options.guard && s->options.engine != HY_ENGINE_NATIVE) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "the meanings of programs are watched anyway",
              "--guard is for native code; it does not go with --engine %s", hy_engine_name(s->options.engine));
    return HY_STATUS_USAGE;
  }
  if (s->options.profile && (s->options.engine != HY_ENGINE_NATIVE || s->options.guard))
    return misused(s, "--profile is of native code as it is", "leave out --engine and --guard");
  bool is_machine_code = s->options.engine == HY_ENGINE_NATIVE || s->options.engine == HY_ENGINE_HALIDE;
  if (s->options.mode == HY_STRICT && is_machine_code)
    return misused(s, "--mode strict is for the meanings of programs: machine code carries no errors",
                   "add --engine alg or --engine tgt");
  if (!s->options.trace || !is_machine_code) return can_trace_events(s);
  return misused(s, "--trace prints a derivation, and machine code has none",
                 "add --engine alg (the algorithm's meaning) or --engine tgt (the target program's)");
}

hy_status hy_command_run(hy_session *s) {
  hy_arguments arguments;
  hy_pipeline pipeline;
  hy_status status = can_trace(s);
  if (status == HY_STATUS_FINE) status = hy_session_load(s, false);
  if (status != HY_STATUS_FINE) return status;
  if (s->program && (s->options.engine == HY_ENGINE_ALG || s->options.engine == HY_ENGINE_HALIDE)) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "use --engine tgt",
              "a target program has no algorithm to run");
    return HY_STATUS_USAGE;
  }
  wishes w = {0};
  status = name_files(s, &w);
  if (status == HY_STATUS_FINE) status = can_write(s, &w.written, NULL);
  status = hy_status_worse(status, hy_arguments_bind(s, &arguments));
  if (status == HY_STATUS_FINE) {
    hy_session_pipeline(s, 0, &pipeline);
    hy_reporter_progress(s->reporter, "checking %s", hy_session_name(s, 0));
    status = hy_session_check(s, &pipeline, false);
    if (status == HY_STATUS_FINE) status = run_on(s, &pipeline, &arguments, &w);
  }
  hy_arguments_free(&arguments);
  for (int k = 0; k < HY_MAX_OUTPUT_PARTS; k++) hy_buffer_free(w.held[k]);
  return status;
}
