#include "cli/tune/worker.h"

#include "cli/tune/candidate.h"
#include "engines/engine.h"
#include "engines/evaluate.h"
#include "semantics/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- in the process -- */

typedef struct {
  hy_candidate *candidate;
  hy_native *native;
  hy_buffer *output;
  const hy_input *input;
} held;

static bool compile(held *h, const char *algorithm, const char *schedule) {
  hy_codegen_options options = hy_codegen_default();
  h->candidate = hy_candidate_new(algorithm, schedule);
  if (!h->candidate->is_legal) return false;
  if (hy_entry_failure(h->candidate->pipeline.filled, h->input))
    return false; // it needs more of an image than there is
  h->native = hy_pipeline_compile(&h->candidate->pipeline, &options);
  h->output = hy_alg_outputs_new(h->candidate->alg, h->input->window_min, h->input->window_len);
  return h->native && h->output;
}

static bool run_it(held *h, double *seconds) {
  hy_native_result result = {0};
  double start = hy_seconds();
  hy_native_run(h->native, h->input, h->output, &result);
  *seconds = hy_seconds() - start;
  return result.status == HY_RAN;
}

// Runs right behind each other, as long as they are short. While others had their turn, processors went to sleep, and
// caches hold other things: the first of them may take twice as long, whatever the schedule.
static bool take_turn(held *h, hy_worker_run *run) {
  double seconds, total = 0;
  run->seconds = INFINITY;
  for (int i = 0; i < HY_TURN_RUNS && total < hy_turn_seconds; i++) {
    if (!run_it(h, &seconds)) return false;
    run->seconds = fmin(run->seconds, seconds);
    total += seconds;
  }
  run->checksum = 0;
  for (const hy_buffer *b = h->output; b; b = b->next) run->checksum = run->checksum * 31 + hy_fingerprint(b);
  return true;
}

static void limit_memory(void) {
  rlim_t memory = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE);
  setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory});
}

static bool tell(int answer) { return hy_write_all(answer, &(char){1}, 1); }

// Says that it is compiled, that it ran once, then answers until nobody asks. The first run is not counted: it warms
// up.
static _Noreturn void serve(int ask, int answer, const char *algorithm, const char *schedule, const hy_input *input) {
  held h = {.input = input};
  hy_worker_run run;
  double seconds;
  char byte;
  int silent = open("/dev/null", O_RDWR);
  dup2(silent, 1);
  dup2(silent, 2);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);
  limit_memory();
  if (!compile(&h, algorithm, schedule) || !tell(answer)) _exit(1);
  if (!run_it(&h, &seconds) || !tell(answer)) _exit(1);
  while (read(ask, &byte, 1) == 1)
    if (!take_turn(&h, &run) || !hy_write_all(answer, &run, sizeof run)) _exit(1);
  _exit(0);
}

/* -- outside of it -- */

void hy_worker_stop(hy_worker *w) {
  if (!w->pid) return;
  close(w->ask);
  close(w->answer);
  kill(w->pid, SIGKILL);
  while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR) {
  }
  *w = (hy_worker){0};
}

// All bytes within so many seconds; what is there already is read however few they are. A signal may come right before
// the wait for it begins: "stop" is looked at ten times a second.
static hy_run_answer receive(const hy_worker *w, void *bytes, size_t length, double limit) {
  double end = hy_seconds() + limit;
  for (size_t got = 0; got < length;) {
    double left = fmax(end - hy_seconds(), 0);
    struct pollfd file = {.fd = w->answer, .events = POLLIN};
    if (w->stop && *w->stop) return HY_RUN_STOPPED;
    int ready = poll(&file, 1, left < 0.1 ? (int)ceil(left * 1000) : 100);
    if (ready < 0 && errno != EINTR) return HY_RUN_FAILED;
    if (ready == 0 && left == 0) return HY_RUN_TOO_LONG;
    if (ready <= 0) continue;
    ssize_t some = read(w->answer, (char *)bytes + got, length - got);
    if (some <= 0) return HY_RUN_FAILED;
    got += (size_t)some;
  }
  return HY_RUN_FINE;
}

void hy_worker_start(hy_worker *w, const char *algorithm, const char *schedule, const hy_input *input,
                     const volatile sig_atomic_t *stop) {
  int ask[2], answer[2];
  *w = (hy_worker){0};
  if (pipe2(ask, O_CLOEXEC) < 0) return;
  if (pipe2(answer, O_CLOEXEC) < 0) {
    close(ask[0]);
    close(ask[1]);
    return;
  }
  pid_t pid = fork();
  if (pid == 0) {
    close(ask[1]);
    close(answer[0]);
    serve(ask[0], answer[1], algorithm, schedule, input);
  }
  close(ask[0]);
  close(answer[1]);
  if (pid > 0) {
    *w = (hy_worker){pid, ask[1], answer[0], stop};
    return;
  }
  close(ask[1]);
  close(answer[0]);
}

static hy_run_answer hear(hy_worker *w, void *bytes, size_t length, double limit) {
  hy_run_answer answer = w->pid ? receive(w, bytes, length, limit) : HY_RUN_FAILED;
  if (answer != HY_RUN_FINE) hy_worker_stop(w);
  return answer;
}

hy_run_answer hy_worker_is_compiled(hy_worker *w, double limit) { return hear(w, &(char){0}, 1, limit); }

hy_run_answer hy_worker_is_ready(hy_worker *w, double limit) { return hear(w, &(char){0}, 1, limit); }

hy_run_answer hy_worker_take_turn(hy_worker *w, double limit, hy_worker_run *run) {
  char byte = 1;
  if (w->pid && write(w->ask, &byte, 1) != 1) hy_worker_stop(w);
  return hear(w, run, sizeof *run, limit);
}
