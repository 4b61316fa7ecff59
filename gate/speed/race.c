#include "gate/speed/race.h"

#include "gate/trial/call.h"
#include "semantics/base/child.h"
#include "semantics/base/clock.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECONDS = 120 };     // an object that does not come to an end is ended
#define LONG_ENOUGH 0.004        // seconds: of a run, so that a clock and a page fault do not matter
enum { MOST_REPEATS = 1 << 16 }; // of a run that is shorter; if it is never that long, nobody knows

typedef struct {
  const hy_race *race;
  int pipe;
  hy_shipped_code code[HY_LAP_RUNNERS];
  hy_shipped_call call;
  hy_buffer *outputs;
  bool has_begun; // the other end reads laps
} course;

/* -- the process -- */

static _Noreturn void end_with(const course *c, const char *story) {
  hy_race_start start = {.input = -1};
  if (c->has_begun) _exit(1);
  snprintf(start.story, sizeof start.story, "%s", story);
  _exit(hy_write_all(c->pipe, &start, sizeof start) ? 0 : 1);
}

static void load(course *c) {
  for (int i = 0; i < HY_LAP_RUNNERS; i++) {
    const hy_runner *r = i == HY_LAP_CANDIDATE ? &c->race->candidate : &c->race->baseline;
    char story[400], why[300];
    if (hy_shipped_load(r->shared, r->name, &c->code[i], why, sizeof why)) continue;
    snprintf(story, sizeof story, "%s: %s", i == HY_LAP_CANDIDATE ? "the candidate" : "the baseline", why);
    end_with(c, story);
  }
}

// Dense buffers, as they lie in memory by now.
static void take_input(course *c, const hy_arguments *a) {
  const hy_alg *alg = c->race->alg;
  hy_shipped_describe(&c->call, alg, a);
  for (int k = 0; k < alg->image_count; k++) c->call.images[k].buffer.host = a->images[k]->data;
  hy_buffer_free(c->outputs);
  c->outputs = hy_alg_outputs_new(alg, a->window_min, a->window_len);
  if (!c->outputs) end_with(c, "the output does not fit into memory");
  hy_buffer *output = c->outputs;
  for (int k = 0; k < alg->part_count; k++, output = output->next) c->call.outputs[k].buffer.host = output->data;
}

static double time_of(course *c, int runner, int repeats) {
  double start = hy_seconds();
  for (int i = 0; i < repeats; i++) {
    int32_t status = c->code[runner].call(c->call.args);
    if (status != 0) {
      char story[100];
      snprintf(story, sizeof story, "%s refuses the input with code %d",
               runner == HY_LAP_CANDIDATE ? "the candidate" : "the baseline", status);
      end_with(c, story);
    }
  }
  return hy_seconds() - start;
}

// The least of some: where the processor was taken away in the middle a run looks long that is short.
static double least_time_of(course *c, int repeats) {
  double least = time_of(c, HY_LAP_BASELINE, repeats);
  for (int i = 0; i < 4 && least >= LONG_ENOUGH; i++) least = fmin(least, time_of(c, HY_LAP_BASELINE, repeats));
  return least;
}

// The first input that keeps the baseline busy, and how often, if none does.
static hy_race_start choose(course *c) {
  hy_race_start start = {.input = 0, .repeats = 1};
  double seconds = 0;
  for (int i = 0; i < c->race->input_count && seconds < LONG_ENOUGH; i++) {
    start.input = i;
    take_input(c, &c->race->inputs[i]);
    for (int runner = 0; runner < HY_LAP_RUNNERS; runner++) time_of(c, runner, 1); // fresh memory, threads
    seconds = least_time_of(c, 1);
  }
  while (seconds < LONG_ENOUGH && start.repeats < MOST_REPEATS) {
    start.repeats *= 2;
    seconds = least_time_of(c, start.repeats);
  }
  if (seconds < LONG_ENOUGH) {
    char story[200];
    snprintf(story, sizeof story, "its runs are too short to be measured: %d of the baseline's in a row take %.3g ms",
             start.repeats, seconds * 1e3);
    end_with(c, story);
  }
  return start;
}

// Who runs first, second and third goes round through all orders.
static hy_lap run_lap(course *c, int number, int repeats) {
  static const int orders[][HY_LAP_RUNNERS] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {1, 0, 2}};
  const int *order = orders[(size_t)number % HY_COUNT(orders)];
  hy_lap lap;
  for (int i = 0; i < HY_LAP_RUNNERS; i++) lap.seconds[order[i]] = time_of(c, order[i], repeats) / repeats;
  return lap;
}

static _Noreturn void be_child(course *c) {
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  signal(SIGPIPE, SIG_DFL);
  alarm(MOST_SECONDS);
  load(c);
  hy_race_start start = choose(c);
  if (!hy_write_all(c->pipe, &start, sizeof start)) _exit(1);
  c->has_begun = true;
  for (int number = 0;; number++) {
    hy_lap lap = run_lap(c, number, start.repeats);
    if (!hy_write_all(c->pipe, &lap, sizeof lap)) _exit(1);
  }
}

/* -- outside -- */

static bool read_all(const hy_race_process *process, void *bytes, size_t length) {
  for (size_t have = 0; have < length;) {
    double left = process->deadline - hy_seconds();
    if (left <= 0 || hy_wait_for_input(process->pipe, (int)(left * 1e3) + 1) != HY_WAIT_READY) return false;
    ssize_t got = read(process->pipe, (char *)bytes + have, length - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    have += (size_t)got;
  }
  return true;
}

hy_race_process hy_race_begin(const hy_race *race, hy_race_start *start) {
  int ends[2];
  hy_race_process process = {.pid = -1, .pipe = -1, .deadline = hy_seconds() + MOST_SECONDS + 10};
  hy_signals_hold(&process.before);
  *start = (hy_race_start){.input = -1, .story = "no process can be made"};
  if (pipe(ends) != 0) return process;
  fflush(NULL);
  process.pid = fork();
  if (process.pid > 0) setpgid(process.pid, process.pid); // both do it: whoever comes first
  if (process.pid == 0) {
    static course c;
    close(ends[0]);
    hy_child_begin(&process.before);
    c = (course){.race = race, .pipe = ends[1]};
    be_child(&c);
  }
  close(ends[1]);
  process.pipe = ends[0];
  if (process.pid > 0 && !read_all(&process, start, sizeof *start))
    *start =
        (hy_race_start){.input = -1, .story = "the process that ran them ended without a word (level 2 says more)"};
  start->story[sizeof start->story - 1] = 0;
  bool is_good = start->input < race->input_count && start->repeats >= 1 && start->repeats <= MOST_REPEATS;
  if (start->input >= 0 && !is_good)
    *start = (hy_race_start){.input = -1, .story = "the process that ran them says what none of this program's would"};
  return process;
}

bool hy_race_lap(hy_race_process *process, hy_lap *lap) {
  bool is_good = read_all(process, lap, sizeof *lap);
  for (int i = 0; i < HY_LAP_RUNNERS; i++) is_good = is_good && isfinite(lap->seconds[i]) && lap->seconds[i] > 0;
  return is_good;
}

void hy_race_end(hy_race_process *process) {
  if (process->pid > 0) hy_child_end(process->pid, NULL);
  if (process->pipe >= 0) close(process->pipe);
  hy_signals_release(&process->before);
}
