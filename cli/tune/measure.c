#include "cli/tune/measure.h"

#include "autosched/halving.h"
#include "cli/tune/difference.h"
#include "cli/tune/limits.h"
#include "cli/tune/seeds.h"
#include "cli/tune/worker.h"
#include "semantics/base/clock.h"
#include "semantics/base/whole_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const hy_loc nowhere = {0};
enum { MOST_RACERS = 16, DEFAULT_BUDGET = 60, HASTY_Z3_STEPS = 5 };

typedef struct {
  hy_search *search;
  const hy_kept *kept;
  hy_input input;
  hy_worker workers[MOST_RACERS];
  char *schedules[MOST_RACERS];
  hy_tune_log log;
  hy_tune_limits limits;
  double best;                          // the fastest run so far, in seconds; infinity: there is none
  hy_context *contexts[2];              // of graphs: the one in use, and that before it
  uint64_t reference;                   // what all outputs have to be
  char *reference_schedule, *different; // malloc'd; "different": proved, and computes something else
} bench;

/* -- Ctrl-C: the best so far counts, whatever workers do -- */

static volatile sig_atomic_t interrupted;
static void interrupt(int number) {
  (void)number;
  interrupted = 1;
}

/* -- what is asked -- */

static bool is_legal(void *self, const char *schedule) {
  bench *b = self;
  b->search->tried++;
  hy_candidate *candidate = hy_candidate_new(hy_text_string(&b->search->algorithm), schedule);
  bool legal = candidate->is_legal;
  hy_candidate_free(candidate);
  return legal;
}

static void start(void *self, int number, const char *schedule) {
  bench *b = self;
  HY_ASSERT(number < MOST_RACERS);
  hy_free(b->schedules[number]);
  b->schedules[number] = hy_copy_string(schedule);
  b->limits.race = 0;
  hy_worker_stop(&b->workers[number]);
  if (!b->log.replayed)
    hy_worker_start(&b->workers[number], hy_text_string(&b->search->algorithm), schedule, &b->input, &interrupted);
}

static void set_once(double *moment) {
  if (*moment == 0) *moment = hy_seconds();
}

static hy_run_answer wait_for(bench *b, hy_worker *worker, hy_race_kind kind) {
  double limit = hy_tune_compile_limit(&b->limits, kind, hy_seconds(), b->best);
  hy_run_answer answer = hy_worker_is_compiled(worker, limit);
  if (answer != HY_RUN_FINE) return answer;
  set_once(&b->limits.compiled);
  set_once(&b->limits.race);
  return hy_worker_is_ready(worker, hy_tune_first_run_limit(&b->limits, kind, hy_seconds(), b->best));
}

static hy_run_answer is_ready(void *self, int number, hy_race_kind kind) {
  bench *b = self;
  return hy_tune_log_ready(&b->log, b->log.replayed ? HY_RUN_FAILED : wait_for(b, &b->workers[number], kind));
}

// What is refuted needs no more than the first look. Who is hasty asks Z3 little: what is written in the end is proved
// once more.
static bool is_proved(const bench *b, const char *schedule, bool wants_certificates) {
  hy_candidate *candidate = hy_candidate_new(hy_text_string(&b->search->algorithm), schedule);
  hy_answer answer = candidate->is_legal ? hy_candidate_accepted(candidate) : HY_NO;
  int64_t limit = b->search->session->options.z3_limit;
  if (answer == HY_UNKNOWN && limit > HASTY_Z3_STEPS) limit = HASTY_Z3_STEPS;
  if (answer == HY_UNKNOWN || (answer == HY_YES && wants_certificates))
    answer = hy_candidate_certify(candidate, limit).answer;
  hy_candidate_free(candidate);
  return answer == HY_YES;
}

static void refer_to(bench *b, const char *schedule, uint64_t checksum) {
  hy_free(b->reference_schedule);
  b->reference_schedule = hy_copy_string(schedule);
  b->reference = checksum;
}

// Something else came out. Of two proved schedules that is a defect; one that is not proved was none to be taken.
static hy_run_answer judge_different(bench *b, const char *schedule, uint64_t checksum) {
  if (!is_proved(b, schedule, true)) return HY_RUN_WRONG;
  if (is_proved(b, b->reference_schedule, true)) {
    b->different = hy_copy_string(schedule);
    return HY_RUN_FAILED;
  }
  refer_to(b, schedule, checksum);
  return HY_RUN_FINE;
}

// The output against the incumbent's, bit for bit.
static hy_run_answer judge_output(bench *b, int number, uint64_t checksum) {
  if (!b->reference_schedule) refer_to(b, b->schedules[number], checksum);
  return checksum == b->reference ? HY_RUN_FINE : judge_different(b, b->schedules[number], checksum);
}

static double run_worker(bench *b, int number, hy_race_kind kind) {
  hy_worker_run result;
  double limit = hy_tune_run_limit(&b->limits, kind, hy_seconds(), b->best);
  hy_run_answer answer = hy_worker_take_turn(&b->workers[number], limit, &result);
  if (answer == HY_RUN_FINE) answer = judge_output(b, number, result.checksum);
  if (answer != HY_RUN_FINE) return answer;
  b->best = fmin(b->best, result.seconds);
  return result.seconds;
}

static double run(void *self, int number, hy_race_kind kind) {
  bench *b = self;
  double seconds = hy_tune_log_run(&b->log, b->log.replayed ? HY_RUN_FAILED : run_worker(b, number, kind));
  b->search->unproved += seconds == HY_RUN_WRONG;
  return seconds;
}

static bool is_worth_it(void *self, const char *schedule) {
  bench *b = self;
  return hy_tune_log_proved(&b->log, !b->log.replayed && is_proved(b, schedule, false));
}

static void release(void *self) {
  bench *b = self;
  for (int i = 0; i < MOST_RACERS; i++) hy_worker_stop(&b->workers[i]);
}

static bool goes_on(void *self, hy_race_kind kind) {
  bench *b = self;
  bool has_time = hy_seconds() < hy_tune_ends(&b->limits, kind, b->best);
  return hy_tune_log_goes_on(&b->log, kind, !interrupted && !b->different && has_time);
}

static hy_func_graph *renew(void *self) {
  bench *b = self;
  const hy_search *search = b->search;
  hy_context_free(b->contexts[1]);
  b->contexts[1] = b->contexts[0];
  b->contexts[0] = hy_context_new();
  hy_diagnostics *unheard = hy_diagnostics_new();
  hy_source *source = HY_NEW(hy_context_arena(b->contexts[0]), hy_source);
  *source = (hy_source){"algorithm", hy_text_string(&search->algorithm), search->algorithm.length};
  const hy_alg *alg = hy_parse_alg(b->contexts[0], source, unheard);
  HY_ASSERT(alg);
  hy_diagnostics_free(unheard);
  hy_func_graph *graph = hy_search_graph(search, b->contexts[0], alg);
  hy_box_set *set = hy_box_set_new(graph);
  if (!hy_boxes_concrete(graph, set)) HY_DIE("boxes that were found are found no more");
  hy_box_set_free(set);
  return graph;
}

static void tell(void *self, const hy_entry *best, int generation, int measured) {
  bench *b = self;
  hy_reporter_progress(b->search->session->reporter, "%.3f ms after %d generations, %d schedules", best->seconds * 1e3,
                       generation, measured);
}

/* -- the whole -- */

// What a replay has to agree with.
static void print_about(const bench *b, const hy_schedule *start, hy_text *out) {
  const hy_search *search = b->search;
  hy_text_add(out, hy_text_string(&search->algorithm));
  hy_sizes_print(search->session->alg, search->sizes.estimates, out);
  const hy_options *o = &search->session->options;
  hy_text_printf(out, "\n%" PRIu64 " %s\n%s", o->seed, o->freeze ? o->freeze : "", hy_text_string(&b->kept->lines));
  if (start) hy_kept_copy(start, out);
}

static hy_status bad_measurements(const bench *b, const char *path, const char *why) {
  hy_report(b->search->session->diagnostics, HY_E_TUNE_MEASUREMENTS, nowhere, NULL,
            "--measurements FILE writes one; algorithm, estimates, --seed, --start and --freeze have to be the same",
            "the file '%s' %s", path, why);
  return HY_STATUS_USAGE;
}

static hy_status open_log(bench *b, const hy_schedule *start) {
  const hy_options *o = &b->search->session->options;
  hy_text about = {0};
  const hy_source *source;
  const char *why = NULL;
  hy_status status = HY_STATUS_FINE;
  print_about(b, start, &about);
  hy_tune_log_begin(&b->log, hy_text_string(&about));
  if (o->replay) status = hy_session_read(b->search->session, o->replay, &source);
  if (o->replay && status == HY_STATUS_FINE && !hy_tune_log_replay(&b->log, source->text, hy_text_string(&about), &why))
    status = bad_measurements(b, o->replay, why);
  b->search->machine = hy_tune_log_machine(&b->log, b->search->machine);
  hy_text_free(&about);
  return status;
}

static hy_status close_log(bench *b) {
  const hy_session *s = b->search->session;
  const char *path = s->options.measurements;
  if (b->log.is_broken) return bad_measurements(b, s->options.replay, "says something else than this search asks");
  if (!path || hy_whole_file_write(path, hy_text_string(&b->log.written), b->log.written.length)) return HY_STATUS_FINE;
  hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path, strerror(errno));
  return HY_STATUS_USAGE;
}

// More runs than there are processors for, most of them others': what is measured then says little.
static void tell_if_busy(const bench *b) {
  double load = 0, cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
  if (b->log.replayed || getloadavg(&load, 1) != 1 || load <= cores + 0.5) return;
  hy_warn(b->search->session->diagnostics, HY_E_TUNE_NOT_MEASURED, nowhere, NULL, "measure when it is quiet",
          "the machine is busy: on average %.1f processes want its %.0f processors; times mean little", load, cores);
}

static void search_it(bench *b, const hy_schedule *given, hy_measured *measured) {
  hy_host host = {b, is_legal, start, is_ready, run, release, is_worth_it, goes_on, renew, tell};
  hy_measured_options options = {b->search->session->options.seed, b->search->machine, b->kept->is_kept,
                                 hy_text_string(&b->kept->lines)};
  struct sigaction before, action = {.sa_handler = interrupt};
  interrupted = 0;
  tell_if_busy(b);
  sigaction(SIGINT, &action, &before);
  hy_seeds_add(b->search, given, b->kept, &host, measured);
  hy_measured_search(measured, &options, &host);
  hy_tune_log_end(&b->log);
  sigaction(SIGINT, &before, NULL);
  b->search->is_interrupted = interrupted;
}

hy_status hy_measure(hy_search *search, const hy_schedule *start, const hy_kept *kept, hy_measured *measured) {
  bench *b = hy_allocate_zeroed(1, sizeof *b);
  int64_t budget = search->session->options.budget;
  *b = (bench){.search = search, .kept = kept, .best = INFINITY};
  b->limits = (hy_tune_limits){.begin = hy_seconds(), .budget = budget ? (double)budget : DEFAULT_BUDGET};
  hy_status status = hy_search_input(search, &b->input);
  if (status == HY_STATUS_FINE) status = open_log(b, start);
  if (status == HY_STATUS_FINE) {
    search_it(b, start, measured);
    status = close_log(b);
  }
  if (b->different) status = hy_difference_report(search, b->reference_schedule, b->different);
  for (int i = 0; i < MOST_RACERS; i++) hy_free(b->schedules[i]);
  hy_free(b->reference_schedule);
  hy_free(b->different);
  hy_context_free(b->contexts[0]);
  hy_context_free(b->contexts[1]);
  hy_tune_log_free(&b->log);
  hy_free(b);
  return status;
}
