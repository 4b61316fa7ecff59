#include "cli/reports/profile.h"

#include "codegen/profile.h"
#include "semantics/base/clock.h"

#include <inttypes.h>
#include <math.h>

static const double enough_seconds = 1;
enum { MOST_RUNS = 1000 };

typedef struct {
  hy_session *session;
  hy_pipeline *pipeline;
  const hy_input *input;
  int runs;
  double plain, timed;       // seconds of the fastest run of each kind
  double all;                // of all runs that were timed
  hy_profile times;          // of all runs
  hy_profile points, needed; // of one run; of one without a schedule
  bool has_needed;
  hy_native *instrumented, *counted;
} profiling;

/* -- runs -- */

static hy_native *compile(hy_pipeline *p, hy_profile_kind kind) {
  hy_codegen_options options = hy_codegen_default();
  options.profile = kind;
  return hy_pipeline_compile(p, &options);
}

// One run more of that code; its seconds. NaN: it did not run.
static double run_once(profiling *g, const hy_native *native) {
  hy_outcome outcome = hy_engine_native(native, g->pipeline->alg, g->input);
  double seconds = outcome.status == HY_RAN ? outcome.seconds : (double)NAN;
  hy_outcome_free(&outcome);
  return seconds;
}

static double run_timed(profiling *g, const hy_native *timed) {
  hy_profile_wake();
  double seconds = run_once(g, timed);
  hy_profile_sleep();
  g->runs++;
  g->all += seconds;
  return seconds;
}

// Plain and instrumented code in turn, so that both meet the same machine. "g->plain" is that of the first run, which
// is enough if it took long.
static void measure(profiling *g, const hy_native *plain, const hy_native *timed) {
  bool is_long = g->plain >= enough_seconds;
  g->timed = (double)INFINITY;
  hy_profile_begin(hy_tgt_symbols(g->pipeline->filled));
  double start = hy_seconds();
  do {
    if (!is_long) g->plain = fmin(g->plain, run_once(g, plain));
    g->timed = fmin(g->timed, run_timed(g, timed));
  } while (hy_seconds() - start < enough_seconds && g->runs < MOST_RUNS);
  hy_profile_end(&g->times);
}

// Points and heap of a run of code that counts. False: it did not run.
static bool count(profiling *g, const hy_native *native, const hy_tgt *tgt, hy_profile *points) {
  hy_profile_begin(hy_tgt_symbols(tgt));
  bool ran = !isnan(run_once(g, native));
  hy_profile_end(points);
  if (!ran) hy_profile_free(points);
  return ran;
}

// What the algorithm computes where every func is computed at root, once: there is none of a target program.
static void count_needed(profiling *g) {
  const hy_tgt *plain = hy_session_plain(g->session);
  if (!plain) return;
  hy_pipeline p = *g->pipeline;
  p.filled = plain;
  hy_native *native = compile(&p, HY_PROFILE_POINTS);
  g->has_needed = count(g, native, plain, &g->needed);
  hy_native_free(native);
}

/* -- what is said -- */

static uint64_t needed_of(const profiling *g, const hy_func *func) {
  const hy_tgt *plain = g->has_needed ? hy_session_plain(g->session) : NULL;
  return plain && hy_tgt_position(plain, func) >= 0 ? g->needed.funcs[func->index].points : 0;
}

static double milliseconds(const profiling *g, uint32_t which) { return 1e3 * g->times.funcs[which].seconds / g->runs; }

static double share(const profiling *g, uint32_t which) {
  return g->times.thread_seconds > 0 ? g->times.funcs[which].seconds / g->times.thread_seconds : 0;
}

static double busy_threads(const profiling *g) {
  double busy = g->times.thread_seconds - g->times.funcs[g->times.symbols + HY_PROFILE_WAITING].seconds;
  return g->all > 0 ? busy / g->all : 0;
}

static void print_head(const profiling *g) {
  const hy_profile *t = &g->times;
  hy_reporter_print(g->session->reporter,
                    "profile of %d run%s on %d threads, of which %.2f were busy; %" PRIu64 " samples%s\n", g->runs,
                    g->runs == 1 ? "" : "s", hy_runtime_thread_count(), busy_threads(g), t->samples,
                    t->samples < 200 ? ", which are few" : "");
  hy_reporter_print(g->session->reporter,
                    "the fastest took %.3f ms, without instruments %.3f ms: %.3f times as long%s\n", 1e3 * g->timed,
                    1e3 * g->plain, g->timed / g->plain,
                    g->timed > 1.1 * g->plain ? "; the shares are those of the slower code" : "");
}

// Computations of a few points count as part of the func around them.
static void print_time(const profiling *g, uint32_t which, bool is_timed, hy_text *out) {
  if (!is_timed && g->times.funcs[which].seconds == 0)
    hy_text_printf(out, " %10s %7s ", "around it", "");
  else
    hy_text_printf(out, " %10.3f %6.1f%%%c", milliseconds(g, which), 100 * share(g, which), is_timed ? ' ' : '+');
}

static void print_func(const profiling *g, const hy_func *func) {
  const hy_profile_func *f = &g->points.funcs[func->index];
  hy_text line = {0};
  uint64_t needed = needed_of(g, func);
  hy_text_printf(&line, "%-20s", func->name);
  print_time(g, func->index, hy_native_is_timed(g->instrumented, func), &line);
  hy_text_printf(&line, " %12" PRIu64, f->points);
  if (needed)
    hy_text_printf(&line, " %12" PRIu64 " %7.3f", needed, (double)f->points / (double)needed);
  else
    hy_text_printf(&line, " %12s %7s", "-", "-");
  hy_text_printf(&line, " %12" PRIu64 " %12" PRIu64 " %10" PRIu64, f->updates, f->peak_bytes,
                 hy_native_stack_bytes(g->counted, func));
  hy_reporter_print(g->session->reporter, "%s\n", hy_text_string(&line));
  hy_text_free(&line);
}

static void print_table(const profiling *g) {
  static const char *const others[] = {[HY_PROFILE_OTHER] = "(beside funcs)", [HY_PROFILE_WAITING] = "(waiting)"};
  const hy_tgt *tgt = g->pipeline->filled;
  hy_reporter *r = g->session->reporter;
  print_head(g);
  hy_reporter_print(r, "%-20s %10s %7s  %12s %12s %7s %12s %12s %10s\n", "func", "ms", "share", "computed", "needed",
                    "ratio", "updates", "heap peak", "stack");
  for (int i = 0; i < tgt->func_count; i++) print_func(g, tgt->funcs[i]);
  for (uint32_t i = 0; i < HY_PROFILE_EXTRA; i++)
    hy_reporter_print(r, "%-20s %10.3f %6.1f%%\n", others[i], milliseconds(g, g->times.symbols + i),
                      100 * share(g, g->times.symbols + i));
  hy_reporter_print(r, "heap peak of all %" PRIu64 "\n", g->points.peak_bytes);
}

static void record_func(const profiling *g, const hy_func *func, hy_record *all) {
  hy_record *record = hy_record_append(all, "funcs");
  const hy_profile_func *f = &g->points.funcs[func->index];
  uint64_t needed = needed_of(g, func);
  hy_record_text(record, "func", func->name);
  hy_record_real(record, "milliseconds", milliseconds(g, func->index));
  hy_record_real(record, "share", share(g, func->index));
  hy_record_bool(record, "told_apart", hy_native_is_timed(g->instrumented, func));
  hy_record_int(record, "computed", (int64_t)f->points);
  hy_record_int(record, "updates", (int64_t)f->updates);
  if (needed) {
    hy_record_int(record, "needed", (int64_t)needed);
    hy_record_real(record, "recompute_ratio", (double)f->points / (double)needed);
  }
  hy_record_int(record, "heap_peak_bytes", (int64_t)f->peak_bytes);
  hy_record_int(record, "stack_bytes", (int64_t)hy_native_stack_bytes(g->counted, func));
}

static void record_all(const profiling *g) {
  hy_record *record = hy_record_child(hy_reporter_record(g->session->reporter), "profile");
  const hy_tgt *tgt = g->pipeline->filled;
  const hy_profile *t = &g->times;
  hy_record_int(record, "runs", g->runs);
  hy_record_int(record, "threads", hy_runtime_thread_count());
  hy_record_real(record, "busy_threads", busy_threads(g));
  hy_record_int(record, "samples", (int64_t)t->samples);
  hy_record_real(record, "instrumented_ms", 1e3 * g->timed);
  hy_record_real(record, "plain_ms", 1e3 * g->plain);
  hy_record_real(record, "overhead", g->timed / g->plain);
  for (int i = 0; i < tgt->func_count; i++) record_func(g, tgt->funcs[i], record);
  hy_record_real(record, "other_ms", milliseconds(g, t->symbols + HY_PROFILE_OTHER));
  hy_record_real(record, "waiting_ms", milliseconds(g, t->symbols + HY_PROFILE_WAITING));
  hy_record_int(record, "heap_peak_bytes", (int64_t)g->points.peak_bytes);
}

/* -- all of it -- */

static void profile(profiling *g, const hy_native *plain) {
  g->instrumented = compile(g->pipeline, HY_PROFILE_TIME);
  measure(g, plain, g->instrumented);
  g->counted = compile(g->pipeline, HY_PROFILE_POINTS);
  if (count(g, g->counted, g->pipeline->filled, &g->points)) {
    count_needed(g);
    print_table(g);
    record_all(g);
  }
  hy_native_free(g->instrumented);
  hy_native_free(g->counted);
  hy_profile_free(&g->times);
  hy_profile_free(&g->points);
  if (g->has_needed) hy_profile_free(&g->needed);
}

hy_outcome hy_profile_run(hy_session *s, hy_pipeline *p, const hy_input *input) {
  profiling g = {.session = s, .pipeline = p, .input = input};
  hy_native *plain = compile(p, HY_PROFILE_NOTHING);
  hy_outcome outcome = hy_engine_native(plain, p->alg, input);
  g.plain = outcome.seconds;
  if (outcome.status == HY_RAN) profile(&g, plain);
  hy_native_free(plain);
  return outcome;
}
