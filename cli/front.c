#include "cli/front.h"

#include "semantics/base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A standard file that is closed would be the next one that is opened: what is printed would go into an output file. In
// its place comes one that cannot be written (standard error: that may).
static void open_standard_files(void) {
  for (int number = 0; number <= 2; number++)
    if (fcntl(number, F_GETFD) < 0 && open("/dev/null", number == 2 ? O_WRONLY : O_RDONLY) != number)
      _exit(HY_STATUS_USAGE);
}

void hy_front_begin(void) {
  open_standard_files();
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow cannot be written, like any other: it is told which (EFBIG)
}

int hy_front_answer(hy_text *text) {
  fputs(hy_text_string(text), stdout);
  hy_text_free(text);
  if (fflush(stdout) == 0 && !ferror(stdout)) return HY_STATUS_FINE;
  fprintf(stderr, "halyard: error[HY%04d]: cannot write to standard output\n", (int)HY_E_CANNOT_WRITE);
  return HY_STATUS_USAGE;
}

// What stands behind an option in the word at "index", or as the next; NULL: the word is not that option.
static const char *value_at(int argc, char **argv, int index, const char *option) {
  size_t length = strlen(option);
  if (strncmp(argv[index], option, length) != 0) return NULL;
  if (argv[index][length] == '=') return argv[index] + length + 1;
  return !argv[index][length] && index + 1 < argc ? argv[index + 1] : NULL;
}

void hy_front_read_manner(hy_options *options, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *format = value_at(argc, argv, i, "--format"), *colour = value_at(argc, argv, i, "--color");
    options->json |= format && strcmp(format, "json") == 0;
    if (colour) hy_colour_find(colour, &options->colour);
  }
}

int hy_front_refuse(hy_options *options, HY_TAKE hy_diagnostics *diagnostics, const char *verb, hy_status status) {
  hy_reporter *reporter = hy_reporter_new(options->json, options->colour, verb);
  status = hy_reporter_finish(reporter, diagnostics, status);
  hy_reporter_free(reporter);
  hy_diagnostics_free(diagnostics);
  hy_options_free(options);
  return status;
}

hy_status hy_front_end(hy_session *s, hy_status status) {
  status = hy_reporter_finish(s->reporter, s->diagnostics, status);
  const char *unwritten = hy_whole_files_release(status == HY_STATUS_FINE);
  if (!unwritten) return status;
  fprintf(stderr, "halyard: error[HY%04d]: cannot write '%s': %s\n", (int)HY_E_CANNOT_WRITE, unwritten,
          strerror(errno));
  return HY_STATUS_USAGE;
}
