#include "lsp/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- in the child -- */

static void limit(int what, rlim_t most) {
  struct rlimit old;
  if (getrlimit(what, &old) == 0 && (old.rlim_cur == RLIM_INFINITY || old.rlim_cur > most))
    setrlimit(what, &(struct rlimit){most, old.rlim_max});
}

static void set_limits(void) {
  limit(RLIMIT_CPU, HY_JOB_SECONDS);
  limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // whose shadows are larger
  limit(RLIMIT_AS, (rlim_t)8 << 30);
#endif
}

static int add_piece(const char *bytes, size_t length, void *file) {
  return hy_write_all(*(int *)file, bytes, length) ? 0 : -1;
}

// What it allocates ends with it.
static _Noreturn void work(int file, hy_job_body *body, const void *self) {
  set_limits();
  json_t *answer = body(self);
  bool good = !answer || json_dump_callback(answer, add_piece, &file, JSON_COMPACT | JSON_ENCODE_ANY) == 0;
  _exit(good ? 0 : 4);
}

/* -- in the server -- */

bool hy_jobs_start(hy_jobs *jobs, const json_t *id, const char *uri, hy_job_body *body, const void *self,
                   const sigset_t *signals) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    hy_child_begin(signals);
    dup2(STDERR_FILENO, STDOUT_FILENO); // whatever prints there would print into the protocol
    work(ends[1], body, self);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return false;
  }
  hy_vec_push(&jobs->list, (hy_job){.id = id ? json_deep_copy(id) : NULL,
                                    .uri = uri ? hy_copy_string(uri) : NULL,
                                    .child = child,
                                    .file = ends[0]});
  return true;
}

bool hy_job_read(hy_job *job, hy_job_end *end) {
  char piece[1 << 16];
  ssize_t got;
  while ((got = read(job->file, piece, sizeof piece)) < 0 && errno == EINTR) {
  }
  if (got > 0) {
    hy_text_add_bytes(&job->answer, piece, (size_t)got);
    return false;
  }
  siginfo_t about = {0};
  while (waitid(P_PID, (id_t)job->child, &about, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  int status = hy_child_end(job->child, NULL);
  job->child = 0;
  bool is_late = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  *end = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? HY_JOB_DONE : is_late ? HY_JOB_LATE : HY_JOB_FAILED;
  return true;
}

void hy_jobs_drop(hy_jobs *jobs, size_t index) {
  hy_job *job = &jobs->list.data[index];
  if (job->child) hy_child_end(job->child, NULL);
  close(job->file);
  hy_text_free(&job->answer);
  json_decref(job->id);
  hy_free(job->uri);
  *job = hy_vec_last(&jobs->list);
  jobs->list.count--;
}

size_t hy_jobs_stop(hy_jobs *jobs, const json_t *id, const char *uri) {
  size_t before = jobs->list.count;
  for (size_t i = jobs->list.count; i-- > 0;) {
    const hy_job *job = &jobs->list.data[i];
    if (id ? job->id && json_equal(job->id, id) : job->uri && strcmp(job->uri, uri) == 0) hy_jobs_drop(jobs, i);
  }
  return before - jobs->list.count;
}
