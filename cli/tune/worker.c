#include "cli/tune/worker.h"

#include "cli/tune/candidate.h"
#include "engines/engine.h"
#include "engines/evaluate.h"
#include "semantics/base/clock.h"

#include <errno.h>
#include <fcntl.h>
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

static bool run_it(held *h, hy_worker_run *run) {
  hy_native_result result = {0};
  double start = hy_seconds();
  hy_native_run(h->native, h->input, h->output, &result);
  run->seconds = hy_seconds() - start;
  run->checksum = 0;
  for (const hy_buffer *b = h->output; b; b = b->next) run->checksum = run->checksum * 31 + hy_checksum(b);
  return result.status == HY_RAN;
}

static void limit_memory(void) {
  rlim_t memory = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE);
  setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory});
}

// Answers until nobody asks. The first run is not counted: it warms up.
static _Noreturn void serve(int ask, int answer, const char *algorithm, const char *schedule, const hy_input *input) {
  held h = {.input = input};
  hy_worker_run run;
  char byte = 1;
  int silent = open("/dev/null", O_RDWR);
  dup2(silent, 1);
  dup2(silent, 2);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);
  limit_memory();
  if (!compile(&h, algorithm, schedule) || !run_it(&h, &run)) _exit(1);
  if (!hy_write_all(answer, &byte, 1)) _exit(1);
  while (read(ask, &byte, 1) == 1)
    if (!run_it(&h, &run) || !hy_write_all(answer, &run, sizeof run)) _exit(1);
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

// All bytes within so many seconds.
static bool receive(int from, void *bytes, size_t length, double limit) {
  double end = hy_seconds() + limit;
  for (size_t got = 0; got < length;) {
    double left = end - hy_seconds();
    struct pollfd file = {.fd = from, .events = POLLIN};
    if (left <= 0) return false;
    int ready = poll(&file, 1, (int)(left * 1000) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    ssize_t some = read(from, (char *)bytes + got, length - got);
    if (some <= 0) return false;
    got += (size_t)some;
  }
  return true;
}

void hy_worker_start(hy_worker *w, const char *algorithm, const char *schedule, const hy_input *input) {
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
    *w = (hy_worker){pid, ask[1], answer[0]};
    return;
  }
  close(ask[1]);
  close(answer[0]);
}

bool hy_worker_is_ready(hy_worker *w, double limit) {
  char byte;
  if (w->pid && receive(w->answer, &byte, 1, limit)) return true;
  hy_worker_stop(w);
  return false;
}

bool hy_worker_run_once(hy_worker *w, double limit, hy_worker_run *run) {
  char byte = 1;
  if (w->pid && write(w->ask, &byte, 1) == 1 && receive(w->answer, run, sizeof *run, limit)) return true;
  hy_worker_stop(w);
  return false;
}
