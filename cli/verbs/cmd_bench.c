// halyard bench: schedules timed against each other, in turn (A B A B), on one input.

#include "cli/reports/certify.h"
#include "cli/verbs/check.h"
#include "engines/engine.h"

#include "cli/session/arguments.h"
#include "cli/session/memory.h"
#include "cli/verbs/verbs.h"
#include "engines/evaluate.h"
#include "semantics/base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  const char *name;
  hy_pipeline pipeline;
  hy_native *native;
  hy_buffer *output;
  hy_native_laid_run laid; // where the schedule says how buffers lie (set_stride): what is timed
  bool lies_so;
  double *seconds; // one per round
  double check_seconds, compile_seconds, median, least;
  bool refused; // it takes no part; said why
  bool compared;
  hy_difference difference; // from the algorithm's meaning
} contestant;

typedef struct {
  hy_session *session;
  hy_arguments *arguments;
  contestant *contestants;
  int count, rounds;
  bool has_window;
} contest;

/* -- preparing -- */

static hy_status out_of_memory(contest *c, const contestant *one) {
  if (hy_demand_blame(c->session, &one->pipeline, &c->arguments->input)) return HY_STATUS_WRONG;
  hy_report(c->session->diagnostics, HY_E_RUN_MEMORY, (hy_loc){0}, NULL, HY_HELP_WITH_MEMORY,
            "schedule '%s' does not fit into memory", one->name);
  hy_memory_blame(c->session, &one->pipeline, &c->arguments->input);
  return HY_STATUS_WRONG;
}

static hy_status prepare(contest *c, int index) {
  hy_session *s = c->session;
  contestant *one = &c->contestants[index];
  one->name = hy_certify_name(s, index);
  one->seconds = hy_allocate_zeroed((size_t)c->rounds, sizeof *one->seconds);
  hy_reporter_progress(s->reporter, "checking %s", one->name);
  double start = hy_seconds();
  hy_session_pipeline(s, index, &one->pipeline);
  hy_status status = hy_session_check(s, &one->pipeline, false);
  one->check_seconds = hy_seconds() - start;
  if (status != HY_STATUS_FINE) return status;
  if (!c->has_window) status = hy_arguments_window(s, c->arguments, one->pipeline.filled, &one->pipeline);
  if (status != HY_STATUS_FINE) return status;
  c->has_window = true;
  const hy_stmt *failed = hy_entry_failure(one->pipeline.filled, &c->arguments->input);
  if (failed) {
    hy_entry_explain(s, &one->pipeline, &c->arguments->input, failed);
    return HY_STATUS_WRONG;
  }
  hy_codegen_options options = hy_codegen_default();
  start = hy_seconds();
  one->native = hy_pipeline_compile(&one->pipeline, &options);
  one->compile_seconds = hy_seconds() - start;
  one->output = hy_alg_outputs_new(s->alg, c->arguments->window_min, c->arguments->window_len);
  if (!one->output) return out_of_memory(c, one);
  one->lies_so = hy_native_lay(one->native, &c->arguments->input, one->output, &one->laid);
  return HY_STATUS_FINE;
}

/* -- timing -- */

static hy_status run_once(contest *c, contestant *one, double *seconds) {
  hy_native_result result = {0};
  double start = hy_seconds();
  hy_native_run(one->native, one->lies_so ? &one->laid.input : &c->arguments->input,
                one->lies_so ? one->laid.output : one->output, &result);
  *seconds = hy_seconds() - start;
  switch (result.status) {
  case HY_RAN: return HY_STATUS_FINE;
  case HY_RUN_ASSUME:
    hy_entry_explain(c->session, &one->pipeline, &c->arguments->input, result.failed);
    return HY_STATUS_WRONG;
  case HY_RUN_CONTRACT:
  case HY_RUN_LIMIT: return out_of_memory(c, one);
  }
  HY_UNREACHABLE();
}

// One round that is not counted, then the counted ones.
static hy_status run_rounds(contest *c) {
  for (int round = -1; round < c->rounds; round++)
    for (int i = 0; i < c->count; i++) {
      contestant *one = &c->contestants[i];
      if (one->refused) continue;
      hy_reporter_progress(c->session->reporter, "round %d of %d", round + 1, c->rounds);
      if (run_once(c, one, &one->seconds[round < 0 ? 0 : round]) != HY_STATUS_FINE) return HY_STATUS_WRONG;
    }
  return HY_STATUS_FINE;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void take_figures(contestant *one, int rounds) {
  qsort(one->seconds, (size_t)rounds, sizeof *one->seconds, by_size);
  one->least = one->seconds[0];
  one->median = rounds % 2 ? one->seconds[rounds / 2] : (one->seconds[rounds / 2 - 1] + one->seconds[rounds / 2]) / 2;
}

/* -- comparing -- */

// --check: every schedule's output against the algorithm's meaning, computed once.
static hy_status compare_all(contest *c) {
  hy_session *s = c->session;
  if (s->program) return HY_STATUS_FINE;
  hy_reporter_progress(s->reporter, "computing the algorithm's meaning");
  const hy_alg *meaning = s->alg;
  hy_outcome expected = hy_engine_alg(s->context, meaning, &c->arguments->input, false, 0);
  hy_status status = HY_STATUS_FINE;
  for (int i = 0; i < c->count && expected.status == HY_RAN; i++) {
    contestant *one = &c->contestants[i];
    if (one->refused) continue;
    if (one->pipeline.meaning != meaning) { // its sums are in an order of their own
      hy_outcome_free(&expected);
      meaning = one->pipeline.meaning;
      expected = hy_engine_alg(s->context, meaning, &c->arguments->input, false, 0);
      if (expected.status != HY_RAN) break;
    }
    if (one->lies_so) hy_native_take_laid(&one->laid, one->output);
    hy_compare(expected.output, one->output, false, &one->difference);
    one->compared = true;
    if (!one->difference.differs) continue;
    hy_text point = {0}, a = {0}, b = {0};
    hy_difference_print(s->alg, &one->difference, &point);
    hy_value_print(one->difference.a, &a);
    hy_value_print(one->difference.b, &b);
    hy_report(s->diagnostics, HY_E_RUN_DISAGREE, one->pipeline.loc, NULL, NULL,
              "schedule '%s': %s is %s by the algorithm, but %s by native code", one->name, hy_text_string(&point),
              hy_text_string(&a), hy_text_string(&b));
    hy_text_free(&point);
    hy_text_free(&a);
    hy_text_free(&b);
    status = HY_STATUS_WRONG;
  }
  hy_outcome_free(&expected);
  return status;
}

/* -- the table -- */

enum { MOST_CHANNELS = 4 }; // as of images in files

static const int64_t *lengths(const contest *c, const hy_output *output) {
  return c->arguments->window_len + output->first;
}

// (x, y), or (x, y, c) with as many channels as images have.
static bool is_picture(const contest *c, const hy_output *output) {
  int rank = output->func->rank;
  return rank == 2 || (rank == 3 && lengths(c, output)[2] <= MOST_CHANNELS);
}

// A pixel has all its channels, and is in each of several pictures. 0: some output is none, so points are counted.
static double megapixels(const contest *c) {
  double most = 0;
  for (int k = 0; k < c->session->alg->output_count; k++) {
    const hy_output *output = &c->session->alg->outputs[k];
    if (!is_picture(c, output)) return 0;
    double pixels = (double)lengths(c, output)[0] * (double)lengths(c, output)[1];
    if (pixels > most) most = pixels;
  }
  return most / 1e6;
}

static double megapoints(const contest *c) {
  return (double)hy_window_points(c->session->alg, &c->arguments->input) / 1e6;
}

static void print_head(const contest *c) {
  hy_session *s = c->session;
  hy_text window = {0};
  hy_window_print(s->alg, &c->arguments->input, &window);
  double pixels = megapixels(c);
  hy_reporter_print(s->reporter, "%s%s%s, %.4g %s, %d rounds\n", s->alg->output->name, window.length ? ", window " : "",
                    hy_text_string(&window), pixels > 0 ? pixels : megapoints(c),
                    pixels > 0 ? "megapixels" : "million points", c->rounds);
  hy_reporter_print(s->reporter, "%-16s %10s %10s %10s %8s", "schedule", "median ms", "least ms",
                    pixels > 0 ? "Mpixel/s" : "Mpoint/s", "to first");
  if (s->options.reference_ms > 0) hy_reporter_print(s->reporter, " %10s", "to plain C");
  if (s->options.check)
    hy_reporter_print(s->reporter, "  %-28s %9s %10s", "proved/Z3/refuted/unknown", "check ms", "compile ms");
  if (s->options.check && !s->program) hy_reporter_print(s->reporter, "  %s", "points");
  hy_reporter_print(s->reporter, "\n");
  hy_text_free(&window);
}

static void print_check(const contest *c, const contestant *one) {
  const hy_oracle_report *r = &one->pipeline.report;
  char counts[64];
  snprintf(counts, sizeof counts, "%zu / %zu / %zu / %zu", r->proved, r->proved_z3, r->refuted, r->unknown);
  hy_reporter_print(c->session->reporter, "  %-28s %9.0f %10.0f", counts, one->check_seconds * 1e3,
                    one->compile_seconds * 1e3);
  if (!one->compared) return;
  if (one->difference.differs)
    hy_reporter_print(c->session->reporter, "  differ");
  else
    hy_reporter_print(c->session->reporter, "  all %" PRIu64 " equal", one->difference.compared);
  if (one->difference.errors)
    hy_reporter_print(c->session->reporter, ", %" PRIu64 " errors left out", one->difference.errors);
}

// Of the first that took part.
static double first_median(const contest *c) {
  int i = 0;
  while (c->contestants[i].refused) i++;
  return c->contestants[i].median;
}

static void print_row(const contest *c, const contestant *one) {
  hy_session *s = c->session;
  double to_first = one->median / first_median(c);
  if (one->refused) {
    hy_reporter_print(s->reporter, "%-16s %10s\n", one->name, "refused");
    return;
  }
  hy_reporter_print(s->reporter, "%-16s %10.3f %10.3f %10.1f %8.2f", one->name, one->median * 1e3, one->least * 1e3,
                    (megapixels(c) > 0 ? megapixels(c) : megapoints(c)) / one->median, to_first);
  if (s->options.reference_ms > 0)
    hy_reporter_print(s->reporter, " %9.2fx", s->options.reference_ms / (one->median * 1e3));
  if (s->options.check) print_check(c, one);
  hy_reporter_print(s->reporter, "\n");
}

static void record_row(const contest *c, const contestant *one) {
  hy_record *record = hy_record_append(hy_reporter_record(c->session->reporter), "schedules");
  hy_record_text(record, "name", one->name);
  hy_record_bool(record, "refused", one->refused);
  if (one->refused) return;
  hy_record_real(record, "median_ms", one->median * 1e3);
  hy_record_real(record, "least_ms", one->least * 1e3);
  if (megapixels(c) > 0) hy_record_real(record, "megapixels_per_second", megapixels(c) / one->median);
  hy_record_real(record, "megapoints_per_second", megapoints(c) / one->median);
  hy_record_real(record, "ratio_to_first", one->median / first_median(c));
  if (c->session->options.reference_ms > 0)
    hy_record_real(record, "times_faster_than_reference", c->session->options.reference_ms / (one->median * 1e3));
  hy_record_real(record, "check_ms", one->check_seconds * 1e3);
  hy_record_real(record, "compile_ms", one->compile_seconds * 1e3);
  hy_record_int(record, "obligations", (int64_t)one->pipeline.report.count);
  hy_record_int(record, "proved", (int64_t)one->pipeline.report.proved);
  hy_record_int(record, "proved_by_z3_alone", (int64_t)one->pipeline.report.proved_z3);
  hy_record_int(record, "refuted", (int64_t)one->pipeline.report.refuted);
  hy_record_int(record, "unknown", (int64_t)one->pipeline.report.unknown);
  if (one->compared) hy_record_bool(record, "pixels_equal", !one->difference.differs);
}

// Those that are refused take no part; the others are timed all the same, and the worst status counts.
static hy_status hold(contest *c) {
  hy_status status = HY_STATUS_FINE, each;
  int left = 0;
  for (int i = 0; i < c->count; i++) {
    each = prepare(c, i);
    c->contestants[i].refused = each != HY_STATUS_FINE;
    left += each == HY_STATUS_FINE;
    status = hy_status_worse(status, each);
    hy_reporter_flush(c->session->reporter, c->session->diagnostics);
  }
  if (!left) return status;
  each = run_rounds(c);
  if (each != HY_STATUS_FINE) return each;
  for (int i = 0; i < c->count; i++) take_figures(&c->contestants[i], c->rounds);
  if (c->session->options.check) status = hy_status_worse(status, compare_all(c));
  hy_reporter_flush(c->session->reporter, c->session->diagnostics);
  print_head(c);
  for (int i = 0; i < c->count; i++) {
    print_row(c, &c->contestants[i]);
    record_row(c, &c->contestants[i]);
  }
  return status;
}

hy_status hy_command_bench(hy_session *s) {
  hy_status status = hy_session_load(s, true);
  if (status != HY_STATUS_FINE) return status;
  hy_arguments arguments;
  contest c = {s, &arguments, NULL, hy_session_count(s), (int)s->options.repeat, false};
  c.contestants = hy_allocate_zeroed((size_t)c.count, sizeof *c.contestants);
  status = hy_arguments_bind(s, &arguments);
  if (status == HY_STATUS_FINE) status = hold(&c);
  for (int i = 0; i < c.count; i++) {
    hy_native_free(c.contestants[i].native);
    hy_buffer_free(c.contestants[i].output);
    if (c.contestants[i].lies_so) hy_native_laid_free(&c.contestants[i].laid);
    free(c.contestants[i].seconds);
  }
  free(c.contestants);
  hy_arguments_free(&arguments);
  return status;
}
