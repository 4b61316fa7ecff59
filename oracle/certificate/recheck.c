#include "oracle/certificate/recheck.h"

#include "semantics/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *checker;
static unsigned most_seconds = HY_CERTCHECK_SECONDS;

void hy_certcheck_use(const char *path, unsigned seconds) {
  checker = path;
  most_seconds = seconds;
}

const char *hy_certcheck_name(const char *by) {
  return !by ? "halyard-certcheck" : strcmp(by, "coq") == 0 ? "halyard-certcheck-coq" : by;
}

static bool find_checker(char *path, size_t room, const char *by) {
  const char *name = hy_certcheck_name(by), *given = !by ? checker : name == by ? by : NULL;
  ssize_t length = given ? snprintf(path, room, "%s", given) : readlink("/proc/self/exe", path, room - 1);
  if (length <= 0 || (size_t)length >= room) return false;
  path[length] = 0;
  char *slash = strrchr(path, '/');
  if (!given && slash) snprintf(slash + 1, room - (size_t)(slash + 1 - path), "%s", name);
  return access(path, X_OK) == 0;
}

enum { STOPPED = 256, MOST_SAID = 1 << 26 }; // no exit status; bytes that it may write

// Waits for it as long as it may take; then ends it, and in any case what it has started. Its status as waitpid gives it;
// -1: it cannot be waited for.
static int wait_for(pid_t child) {
  struct rlimit most = {most_seconds, most_seconds + 1}; // whatever it starts has no more either
  struct rusage used;
  prlimit(child, RLIMIT_CPU, &most, NULL);
  prlimit(child, RLIMIT_FSIZE, &(struct rlimit){MOST_SAID, MOST_SAID}, NULL);
  hy_wait wait = hy_wait_for_child(child, (int)most_seconds * 4000);
  int status = hy_child_end(child, &used);
  if (wait != HY_WAIT_READY) return SIGXCPU;
  // Who does not end by SIGXCPU is killed a second later.
  bool is_spent = used.ru_utime.tv_sec + used.ru_stime.tv_sec >= (time_t)most_seconds;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && is_spent ? SIGXCPU : status;
}

static int spawn(pid_t *child, const char *path, char **args, int answer, const sigset_t *before) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGXFSZ);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, answer, 1);
  posix_spawn_file_actions_adddup2(&actions, answer, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, before);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  int error = posix_spawn(child, path, &actions, &attributes, args, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Its exit status, or that of a shell for one that a signal ended: a checker that crashes accepts nothing. -1: it could
// not be asked.
static int run_checker(const char *path, int certificates, int answer) {
  char name[32];
  snprintf(name, sizeof name, "/dev/fd/%d", certificates);
  char *args[] = {(char *)path, "--quiet", name, NULL};
  sigset_t before;
  pid_t child;
  hy_signals_hold(&before);
  int status = spawn(&child, path, args, answer, &before) == 0 ? wait_for(child) : -1;
  hy_signals_release(&before);
  if (status < 0) return -1;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return STOPPED;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Up to that many bytes of the file from "at" on, as a string.
static void read_piece(int file, off_t at, char *into, size_t room) {
  ssize_t got = pread(file, into, room - 1, at > 0 ? at : 0);
  into[got > 0 ? got : 0] = 0;
}

// Is the last line that it printed the sum that is wanted?
static bool says_sum(int answer, const hy_certificates_sum *wanted) {
  char end[HY_CERTCHECK_SAID], sum[HY_CERTCHECK_SAID];
  read_piece(answer, lseek(answer, 0, SEEK_END) - (off_t)sizeof end + 1, end, sizeof end);
  snprintf(sum, sizeof sum,
           ": %zu of %zu certificates accepted, %zu of them dead; they are about %zu of %zu obligations\n",
           wanted->certificates, wanted->certificates, wanted->dead, wanted->shown, wanted->obligations);
  size_t length = strlen(end), expected = strlen(sum);
  const char *at = end + length - expected;
  if (length < expected || strcmp(at, sum) != 0) return false;
  while (at > end && at[-1] != '\n' && at[-1] != ' ') at--; // the file's name
  return at == end || at[-1] == '\n';
}

// Why nothing counts: a checker that fails accepts nothing.
static void say_why(int status, int answer, char said[HY_CERTCHECK_SAID]) {
  read_piece(answer, 0, said, HY_CERTCHECK_SAID);
  if (status == STOPPED)
    snprintf(said, HY_CERTCHECK_SAID,
             "it had not ended after %u seconds of a processor, or four times as many of the clock "
             "(HALYARD_CERTCHECK_SECONDS)",
             most_seconds);
  else if (status >= 128)
    snprintf(said, HY_CERTCHECK_SAID, "it was ended by signal %d", status - 128);
  if (!said[0]) snprintf(said, HY_CERTCHECK_SAID, "it ended with status %d and said nothing", status);
}

hy_certcheck_answer hy_certcheck(hy_certificates *certificates, const char *by, char said[HY_CERTCHECK_SAID]) {
  size_t length;
  const char *text = hy_certificates_text(certificates, &length);
  hy_certificates_sum sum = hy_certificates_sum_up(certificates);
  return hy_certcheck_text(text, length, &sum, by, said);
}

hy_certcheck_answer hy_certcheck_text(const char *text, size_t length, const hy_certificates_sum *sum, const char *by,
                                      char said[HY_CERTCHECK_SAID]) {
  char path[4096];
  said[0] = 0;
  if (!find_checker(path, sizeof path, by)) return HY_CERTCHECK_ABSENT;
  int file = memfd_create("certificates", 0), answer = memfd_create("answer", 0), status = -1;
  bool is_handed = file >= 0 && answer >= 0 && hy_write_all(file, text, length);
  if (!is_handed) snprintf(said, HY_CERTCHECK_SAID, "they cannot be handed to it: %s", strerror(errno));
  if (is_handed) status = run_checker(path, file, answer);
  // 1: not every obligation has a certificate, which the sum says, too.
  bool fine = status == (sum->shown == sum->obligations ? 0 : 1) && says_sum(answer, sum);
  if (status >= 0 && !fine) say_why(status, answer, said);
  if (file >= 0) close(file);
  if (answer >= 0) close(answer);
  return !is_handed          ? HY_CERTCHECK_STOPPED
         : status < 0        ? HY_CERTCHECK_ABSENT
         : fine              ? HY_CERTCHECK_ACCEPTED
         : status == STOPPED ? HY_CERTCHECK_STOPPED
                             : HY_CERTCHECK_REJECTED;
}
