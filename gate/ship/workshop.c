// Everything happens in a folder of its own, which is removed: the files that the user named are written as wholes.

#include "gate/ship/workshop.h"

#include "gate/ship/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Of this thread, until the next call: a sentence's end that has something to quote.
static const char *because(const char *format, ...) HY_PRINTF(1, 2);
static const char *because(const char *format, ...) {
  static _Thread_local char room[HY_PATH + 600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(room, sizeof room, format, arguments);
  va_end(arguments);
  return room;
}

/* -- the folder -- */

static const char *temporary = "/tmp";

void hy_tools_use_temporary(const char *path) { temporary = path; }

bool hy_workshop_open(hy_workshop *w, const char **why) {
  w->folder[0] = 0;
  hy_signals_hold(&w->before);
  *why = because("no temporary folder can be made in %.2000s: its name is too long", temporary);
  if (strlen(temporary) > HY_MOST_TEMPORARY) return false;
  // (No tool takes it for an option.)
  snprintf(w->folder, sizeof w->folder, "%s%s/halyard-build-XXXXXX", temporary[0] == '/' ? "" : "./", temporary);
  if (mkdtemp(w->folder)) return true;
  *why = because("no temporary folder can be made in %s: %s", temporary, strerror(errno));
  w->folder[0] = 0;
  return false;
}

static int remove_one(const char *path, const struct stat *is, int kind, struct FTW *where) {
  (void)is, (void)kind, (void)where;
  remove(path);
  return 0;
}

// Whatever a tool that was ended has left there, too.
void hy_workshop_close(hy_workshop *w) {
  if (w->folder[0]) nftw(w->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  hy_signals_release(&w->before);
}

void hy_workshop_path(const hy_workshop *w, const char *name, char path[HY_PATH]) {
  snprintf(path, HY_PATH, "%s/%.250s", w->folder, name);
}

// The folders of "a/b/c.h", below w's.
static void make_folders(const hy_workshop *w, const char *name) {
  char folder[HY_PATH];
  hy_workshop_path(w, name, folder);
  for (char *slash = folder + strlen(w->folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = 0;
    mkdir(folder, 0700);
  }
}

bool hy_workshop_write(const hy_workshop *w, const char *name, const void *bytes, size_t length, const char **why) {
  char path[HY_PATH];
  hy_workshop_path(w, name, path);
  make_folders(w, name);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool good = file >= 0 && hy_write_all(file, bytes, length);
  if (file >= 0) good &= close(file) == 0;
  if (!good) *why = because("nothing can be written in %s: %s", temporary, strerror(errno));
  return good;
}

/* -- the tools -- */

int hy_workshop_run(const hy_workshop *w, char *const *words, const sigset_t *before, hy_text *said) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  char piece[4096];
  int status = -1, output = memfd_create("said", MFD_CLOEXEC);
  pid_t child;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, output, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, before);
  char own[HY_PATH], **environment = environ;
  if (w) { // what it makes for a while goes when the folder does
    snprintf(own, sizeof own, "TMPDIR=%s", w->folder);
    environment = hy_environment_without("TMPDIR=", own);
  }
  int failure = posix_spawnp(&child, words[0], &actions, &attributes, words, environment);
  if (w) hy_free(environment);
  if (failure == 0) {
    hy_wait_for_child(child, -1);
    status = hy_child_end(child, NULL);
    ssize_t got = pread(output, piece, sizeof piece, 0);
    if (got > 0) hy_text_add_bytes(said, piece, (size_t)got);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (output >= 0) close(output);
  if (failure) errno = failure;
  return status;
}

// The first line with an error, else the first one, is what went wrong; the others are what led there, or what that led
// to.
static const char *telling_line(const char *said) {
  const char *error = strstr(said, "error: ");
  while (error && error > said && error[-1] != '\n') error--;
  return error ? error : said;
}

static const char *why_failed(const char *tool, int status, const hy_text *said) {
  const char *line = telling_line(hy_text_string(said));
  int length = (int)strcspn(line, "\n");
  char limit[80] = "";
  struct rlimit most;
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
    snprintf(limit, sizeof limit, " (files may have %llu bytes here: ulimit -f)", (unsigned long long)most.rlim_cur);
  if (status == -1) return because("'%s' cannot be run: %s", tool, strerror(errno));
  if (WIFSIGNALED(status)) return because("'%s' was ended by signal %d%s", tool, WTERMSIG(status), limit);
  return because("'%s' failed with status %d%s%.*s%s", tool, WEXITSTATUS(status), length ? ": " : "",
                 length < 400 ? length : 400, line, limit);
}

bool hy_workshop_make(const hy_workshop *w, const char *tool, char *const *words, hy_text *out, const char **why) {
  char result[HY_PATH];
  hy_text said = {0};
  hy_workshop_path(w, "result", result);
  int status = hy_workshop_run(w, words, &w->before, &said);
  bool good = status == 0;
  if (!good) *why = why_failed(tool, status, &said);
  if (good && !(good = hy_tools_read_file(result, out)))
    *why = because("what '%s' made cannot be read: %s", tool, strerror(errno));
  hy_text_free(&said);
  return good;
}
