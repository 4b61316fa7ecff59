#include "gate/ship/tools.h"

#include "semantics/base/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Everything happens in a folder of its own, which is removed: the files that the user named are written as wholes. */

extern char **environ;

enum { PATH = 4096, MOST_FOLDER = PATH - 256 };

typedef struct workshop {
  char folder[MOST_FOLDER], object[PATH], result[PATH], runtime[PATH]; // no folder: "", it was not made
} workshop;

static bool write_bytes(const char *path, const hy_text *bytes) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return false;
  bool good = hy_write_all(file, bytes->data, bytes->length);
  return close(file) == 0 && good;
}

bool hy_tools_read_file(const char *path, hy_text *out) {
  char piece[1 << 16];
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) hy_text_add_bytes(out, piece, got);
  bool good = !ferror(file);
  fclose(file);
  return good;
}

static const char *runtime;

void hy_tools_use_runtime(const char *path) { runtime = path; }

// What was named, or beside the program that runs.
static bool find_runtime(char path[PATH]) {
  if (runtime) return snprintf(path, PATH, "%s", runtime) < PATH && access(path, R_OK) == 0;
  ssize_t length = readlink("/proc/self/exe", path, PATH - 32);
  if (length <= 0) return false;
  path[length] = 0;
  char *name = strrchr(path, '/');
  if (!name) return false;
  strcpy(name + 1, "halyard_runtime.o");
  return access(path, R_OK) == 0;
}

// Of this thread, until the next call: a sentence's end that has something to quote.
static const char *because(const char *format, ...) HY_PRINTF(1, 2);
static const char *because(const char *format, ...) {
  static _Thread_local char room[PATH + 600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(room, sizeof room, format, arguments);
  va_end(arguments);
  return room;
}

// Its status as waitpid tells it, and what it prints; -1: it could not be run.
// requires: signals are held
static int run_tool(char *const *words, const sigset_t *before, hy_text *said) {
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
  errno = posix_spawnp(&child, words[0], &actions, &attributes, words, environ);
  if (errno == 0) {
    hy_wait_for_child(child, -1);
    status = hy_child_end(child, NULL);
    ssize_t got = pread(output, piece, sizeof piece, 0);
    if (got > 0) hy_text_add_bytes(said, piece, (size_t)got);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (output >= 0) close(output);
  return status;
}

// The first line of what it said is what went wrong; the others are what that led to.
static const char *why_failed(const char *tool, int status, const hy_text *said) {
  const char *line = hy_text_string(said);
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

static const char *temporary = "/tmp";

void hy_tools_use_temporary(const char *path) { temporary = path; }

// requires: signals are held
static bool open_workshop(workshop *w, const char *member, const hy_text *object, const char **why) {
  *why = "the run-time library, halyard_runtime.o, does not lie beside this program (or where HALYARD_RUNTIME says)";
  if (!find_runtime(w->runtime)) return false;
  *why = because("no temporary folder can be made in %.2000s: its name is too long", temporary);
  if (snprintf(w->folder, sizeof w->folder, "%s/halyard-build-XXXXXX", temporary) >= MOST_FOLDER) return false;
  if (!mkdtemp(w->folder)) {
    *why = because("no temporary folder can be made in %s: %s", temporary, strerror(errno));
    w->folder[0] = 0;
    return false;
  }
  snprintf(w->object, sizeof w->object, "%s/%.200s.o", w->folder, member);
  snprintf(w->result, sizeof w->result, "%s/result", w->folder);
  bool good = write_bytes(w->object, object);
  if (!good) *why = because("nothing can be written in %s: %s", temporary, strerror(errno));
  return good;
}

// Whatever a tool that was ended has left there, too.
static void close_workshop(const workshop *w) {
  DIR *open = w->folder[0] ? opendir(w->folder) : NULL;
  for (const struct dirent *entry; open && (entry = readdir(open));) unlinkat(dirfd(open), entry->d_name, 0);
  if (open) closedir(open);
  if (w->folder[0]) rmdir(w->folder);
}

static bool make(const hy_text *object, const char *member, bool shared, hy_text *out, const char **why) {
  workshop w = {.folder = ""};
  sigset_t before;
  hy_text said = {0};
  hy_signals_hold(&before);
  bool good = open_workshop(&w, member, object, why);
  if (good) {
    char *archive[] = {"ar", "rcsD", w.result, w.object, w.runtime, NULL};
    char *link[] = {"cc", "-shared", "-o", w.result, w.object, w.runtime, "-pthread", "-lm", NULL};
    int status = run_tool(shared ? link : archive, &before, &said);
    good = status == 0;
    if (!good) *why = why_failed(shared ? "cc -shared" : "ar", status, &said);
    if (good && !(good = hy_tools_read_file(w.result, out)))
      *why = because("what '%s' made cannot be read: %s", shared ? "cc -shared" : "ar", strerror(errno));
  }
  close_workshop(&w);
  hy_text_free(&said);
  hy_signals_release(&before);
  return good;
}

bool hy_tools_archive(const hy_text *object, const char *member, hy_text *out, const char **why) {
  return make(object, member, false, out, why);
}

bool hy_tools_link(const hy_text *object, hy_text *out, const char **why) {
  return make(object, "pipeline", true, out, why);
}

/* -- what they are -- */

bool hy_tools_read_runtime(hy_text *out) {
  char path[PATH];
  return find_runtime(path) && hy_tools_read_file(path, out);
}

bool hy_tools_read_self(hy_text *out) { return hy_tools_read_file("/proc/self/exe", out); }

void hy_tools_linker_version(hy_text *out) {
  char *words[] = {"cc", "--version", NULL};
  sigset_t before;
  hy_text said = {0};
  hy_signals_hold(&before);
  if (run_tool(words, &before, &said) == 0)
    hy_text_add_bytes(out, hy_text_string(&said), strcspn(hy_text_string(&said), "\n"));
  hy_signals_release(&before);
  hy_text_free(&said);
}
