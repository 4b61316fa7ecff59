#include "proofs_tests/unit/plugin/plugin_harness.h"

#include "cli/cli.h"
#include "cli/session/session.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64]; // of this test's process

static const char *own_folder(void) {
  if (!*folder) {
    snprintf(folder, sizeof folder, "/tmp/halyard-plugin-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
  }
  return folder;
}

const char *plugin_build(const char *source, const char *flag, char *path, size_t room) {
  static int number;
  char command[1024];
  snprintf(path, room, "%s/plugin%d.so", own_folder(), number++);
  snprintf(command, sizeof command, "%s -shared -fPIC %s -I %s/include %s/%s -o %s", HALYARD_CC, flag,
           HALYARD_SOURCE_DIR, HALYARD_SOURCE_DIR, source, path);
  ck_assert_msg(system(command) == 0, "cannot build: %s", command);
  return path;
}

void plugin_cleanup(void) {
  char command[128];
  if (!*folder) return;
  snprintf(command, sizeof command, "rm -r %s", folder);
  ck_assert_int_eq(system(command), 0);
  *folder = 0;
}

const char *plugin_write(const char *name, const char *content, char *path, size_t room) {
  snprintf(path, room, "%s/%s", own_folder(), name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(content, file), 0);
  ck_assert_int_eq(fclose(file), 0);
  return path;
}

enum { MOST_ARGUMENTS = 32 };

_Noreturn static void run_cli(const char *const *arguments, int to) {
  char *argv[MOST_ARGUMENTS + 1] = {(char *)(uintptr_t) "halyard"};
  int argc = 1;
  while (arguments[argc - 1] && argc < MOST_ARGUMENTS) argv[argc] = (char *)(uintptr_t)arguments[argc - 1], argc++;
  if (dup2(to, STDOUT_FILENO) < 0 || dup2(to, STDERR_FILENO) < 0) _exit(99);
  int status = hy_cli(argc, argv);
  fflush(NULL);
  _exit(status);
}

int plugin_halyard(const char *const *arguments, hy_text *said) {
  int ends[2], status = 0;
  char piece[4096];
  ck_assert_int_eq(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    close(ends[0]);
    run_cli(arguments, ends[1]);
  }
  close(ends[1]);
  for (ssize_t got; (got = read(ends[0], piece, sizeof piece)) > 0;) hy_text_add_bytes(said, piece, (size_t)got);
  close(ends[0]);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
