#include "gate/ship/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Everything happens in a folder of its own, which is removed: the files that the user named are written as wholes. */

extern char **environ;

enum { PATH = 4096 };

typedef struct workshop {
  char folder[64], object[PATH], result[PATH], runtime[PATH];
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

// Its exit status; -1: it could not be run.
//   said: a file that gets what it prints; NULL: that goes to standard error
static int run_tool(char *const *words, const char *said) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (said)
    posix_spawn_file_actions_addopen(&actions, 1, said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  else
    posix_spawn_file_actions_adddup2(&actions, 2, 1); // what it prints is no answer of ours
  pid_t child;
  int status = -1;
  bool good =
      posix_spawnp(&child, words[0], &actions, NULL, words, environ) == 0 && waitpid(child, &status, 0) == child;
  posix_spawn_file_actions_destroy(&actions);
  return good && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool open_workshop(workshop *w, const char *member, const hy_text *object, const char **why) {
  snprintf(w->folder, sizeof w->folder, "/tmp/halyard-build-XXXXXX");
  *why = "the run-time library, halyard_runtime.o, does not lie beside this program (or where HALYARD_RUNTIME says)";
  if (!find_runtime(w->runtime)) return false;
  *why = "no temporary folder can be made in /tmp";
  if (!mkdtemp(w->folder)) return false;
  snprintf(w->object, sizeof w->object, "%s/%.200s.o", w->folder, member);
  snprintf(w->result, sizeof w->result, "%s/result", w->folder);
  *why = "nothing can be written in /tmp";
  return write_bytes(w->object, object);
}

static void close_workshop(const workshop *w) {
  unlink(w->object);
  unlink(w->result);
  rmdir(w->folder);
}

static bool make(const hy_text *object, const char *member, bool shared, hy_text *out, const char **why) {
  workshop w = {0};
  bool good = open_workshop(&w, member, object, why);
  if (good) {
    char *archive[] = {"ar", "rcsD", w.result, w.object, w.runtime, NULL};
    char *link[] = {"cc", "-shared", "-o", w.result, w.object, w.runtime, "-pthread", "-lm", NULL};
    *why = shared ? "'cc -shared' cannot be run, or failed" : "'ar' cannot be run, or failed";
    good = run_tool(shared ? link : archive, NULL) == 0 && hy_tools_read_file(w.result, out);
  }
  close_workshop(&w);
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
  char path[] = "/tmp/halyard-build-XXXXXX";
  char *words[] = {"cc", "--version", NULL};
  int file = mkstemp(path);
  if (file < 0) return;
  close(file);
  hy_text said = {0};
  if (run_tool(words, path) == 0 && hy_tools_read_file(path, &said))
    hy_text_add_bytes(out, hy_text_string(&said), strcspn(hy_text_string(&said), "\n"));
  hy_text_free(&said);
  unlink(path);
}
