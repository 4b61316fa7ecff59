// The process that stays: started, spoken to, stopped.

#include "halide/worker_internal.h"
#include "semantics/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char script[] = {
#include "halide_worker_script.inc"
    0};
#ifdef __aarch64__
static const char target[] = "arm-64-linux-strict_float";
#else
static const char target[] = "x86-64-linux-sse41-strict_float"; // "host" may name what a virtual machine lacks
#endif
static const char install[] = "install Halide's Python bindings: apt-get install python3-halide; HALYARD_PYTHON names "
                              "another interpreter, HALIDE_ROOT another Halide";
enum { START_SECONDS = 120, MOST_WORDS = 2500 };

const char *hy_halide_target(void) { return target; }
const char *hy_halide_version(const hy_halide *h) { return h->version; }
const char *hy_halide_python(const hy_halide *h) { return h->python; }

/* -- in the child -- */

static void set_surroundings(const hy_halide_settings *s) {
  char threads[16];
  snprintf(threads, sizeof threads, "%d", s->threads);
  if (s->threads) setenv("HL_NUM_THREADS", threads, 1);
  unsetenv("HL_TARGET");
  unsetenv("HL_JIT_TARGET");
  unsetenv("HL_DEBUG_CODEGEN");
  setenv("MALLOC_PERTURB_", "165",
         1); // glibc's: new memory holds no zeros, so that a read of what nobody wrote is seen
  if (!*s->root) return;
  hy_text path = {0};
  const char *before = getenv("LD_LIBRARY_PATH");
  hy_text_printf(&path, "%s/lib%s%s", s->root, before && *before ? ":" : "", before ? before : "");
  setenv("LD_LIBRARY_PATH", path.data, 1);
  hy_text_free(&path);
}

_Noreturn static void become_host(const hy_halide_settings *s, int end, int words) {
  char number[16];
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  sigset_t none;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  dup2(nothing, STDIN_FILENO);
  dup2(words < 0 ? nothing : words, STDOUT_FILENO);
  dup2(words < 0 ? nothing : words, STDERR_FILENO);
  fcntl(end, F_SETFD, 0);
  snprintf(number, sizeof number, "%d", end);
  set_surroundings(s);
  execlp(s->python, s->python, "-E", "-s", "-c", script, number, s->root, target, (char *)NULL);
  dprintf(STDERR_FILENO, "%s\n", strerror(errno));
  _exit(127);
}

/* -- its first word -- */

// The end of what it said on its standard error.
static void quote(int words, hy_text *why) {
  char text[MOST_WORDS];
  off_t end = words >= 0 ? lseek(words, 0, SEEK_END) : 0;
  off_t from = end < (off_t)sizeof text ? 0 : end - (off_t)sizeof text + 1;
  ssize_t got = end > 0 ? pread(words, text, sizeof text - 1, from) : 0;
  while (got > 0 && text[got - 1] == '\n') got--;
  if (got <= 0) return;
  text[got] = 0;
  const char *line = strrchr(text, '\n');
  hy_text_printf(why, ": %s", line ? line + 1 : text);
}

static bool take_first_word(hy_halide *h, int words, hy_text *why) {
  char said[MOST_WORDS];
  struct pollfd ear = {h->host, POLLIN, 0};
  double deadline = hy_seconds() + START_SECONDS;
  int heard = 0;
  for (double left; !heard && (left = deadline - hy_seconds()) > 0;) {
    heard = poll(&ear, 1, (int)(left * 1e3) + 1);
    if (heard < 0 && errno == EINTR) heard = 0;
  }
  ssize_t got = heard > 0 ? recv(h->host, said, sizeof said - 1, 0) : -1;
  if (got > 0) {
    said[got] = 0;
    if (sscanf(said, "ready %31s %31s", h->version, h->python) == 2) return true;
    if (strncmp(said, "missing ", strlen("missing ")) == 0)
      hy_text_printf(why, "'%s' cannot use it: %s", h->settings.python, said + strlen("missing "));
    else
      hy_text_printf(why, "'%s' answers with something else", h->settings.python);
  } else if (!heard) {
    hy_text_printf(why, "'%s' has not said a word for %d seconds", h->settings.python, START_SECONDS);
  } else {
    hy_text_printf(why, "'%s' ended before it said a word", h->settings.python);
    quote(words, why);
  }
  return false;
}

hy_halide *hy_halide_start(const hy_halide_settings *settings, hy_text *why, const char **remedy) {
  int ends[2], words = memfd_create("stderr", MFD_CLOEXEC);
  *remedy = install;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    hy_text_printf(why, "no socket is to be had: %s", strerror(errno));
    if (words >= 0) close(words);
    return NULL;
  }
  hy_halide *h = hy_allocate_zeroed(1, sizeof *h);
  *h = (hy_halide){.settings = *settings, .host = ends[0], .talk = -1};
  fflush(NULL);
  h->process = fork();
  if (h->process == 0) become_host(settings, ends[1], words);
  close(ends[1]);
  bool good = h->process > 0 && take_first_word(h, words, why);
  if (words >= 0) close(words);
  if (good) return h;
  hy_halide_stop(h);
  return NULL;
}

void hy_halide_stop(hy_halide *h) {
  if (!h) return;
  hy_halide_close(h);
  close(h->host);
  if (h->process > 0) {
    kill(h->process, SIGKILL);
    while (waitpid(h->process, NULL, 0) < 0 && errno == EINTR) continue;
  }
  free(h);
}

/* -- conversations -- */

void hy_halide_close(hy_halide *h) {
  if (h->talk >= 0) close(h->talk);
  h->talk = -1;
}

// One byte with one file: whoever has the host's socket may send it at the same time.
static bool pass(int host, int file) {
  union {
    char room[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
  } control = {0};
  struct iovec piece = {.iov_base = "+", .iov_len = 1};
  struct msghdr m = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&m);
  *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
  memcpy(CMSG_DATA(header), &file, sizeof file);
  ssize_t sent;
  while ((sent = sendmsg(host, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR) continue;
  return sent == 1;
}

bool hy_halide_open(hy_halide *h) {
  if (h->talk >= 0 && h->talker == getpid()) return true;
  int ends[2];
  hy_halide_close(h);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  bool good = pass(h->host, ends[1]);
  close(ends[1]);
  h->talk = ends[0];
  h->talker = getpid();
  if (!good) hy_halide_close(h);
  return good;
}
