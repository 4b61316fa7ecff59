#include "cli/tune/log.h"

#include "semantics/base/sha256.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "halyard measurements 1\n";

static void begin(hy_text *out, const char *about) {
  char digits[HY_SHA256_DIGITS + 1];
  hy_sha256(about, strlen(about), digits);
  hy_text_printf(out, "%sabout %s\n", first_line, digits);
}

void hy_tune_log_begin(hy_tune_log *log, const char *about) {
  *log = (hy_tune_log){.end = -1};
  begin(&log->written, about);
}

bool hy_tune_log_replay(hy_tune_log *log, const char *text, const char *about, const char **why) {
  hy_text wanted = {0};
  begin(&wanted, about);
  bool is_log = strncmp(text, first_line, strlen(first_line)) == 0;
  bool same = strncmp(text, hy_text_string(&wanted), wanted.length) == 0;
  const char *end = strstr(text, "\nend ");
  *why = !is_log                          ? "is no file of measurements"
         : !same                          ? "is of another algorithm, other sizes, another seed or start"
         : !end || !strchr(end + 1, '\n') ? "has no end"
                                          : NULL;
  if (!*why) {
    log->replayed = text + wanted.length;
    log->end = strtoll(end + 5, NULL, 10);
  }
  hy_text_free(&wanted);
  return !*why;
}

void hy_tune_log_free(hy_tune_log *log) { hy_text_free(&log->written); }

// The rest of the next line, which must begin so; that of the end is passed over: the last race comes behind it.
static const char *next(hy_tune_log *log, const char *word) {
  size_t length = strlen(word);
  if (strncmp(log->replayed, "end ", 4) == 0) log->replayed = strchr(log->replayed, '\n') + 1;
  const char *line = log->replayed, *end = strchr(line, '\n');
  if (log->is_broken || !end || strncmp(line, word, length) != 0) {
    log->is_broken = true;
    return NULL;
  }
  log->replayed = end + 1;
  return line + length;
}

bool hy_tune_log_ready(hy_tune_log *log, bool ready) {
  if (log->replayed) {
    const char *said = next(log, "ready ");
    ready = said && *said == '1';
  }
  hy_text_printf(&log->written, "ready %d\n", ready);
  return ready;
}

double hy_tune_log_run(hy_tune_log *log, double seconds) {
  if (log->replayed) {
    const char *said = next(log, "run ");
    seconds = said ? strtod(said, NULL) : -1;
  }
  hy_text_printf(&log->written, "run %.17g\n", seconds);
  return seconds;
}

bool hy_tune_log_goes_on(hy_tune_log *log, bool goes_on) {
  if (!log->replayed && log->end >= 0) return false; // once up, up for ever
  int64_t question = log->questions++;
  if (log->replayed) goes_on = !log->is_broken && question < log->end;
  if (goes_on) return true;
  if (log->end < 0) log->end = question;
  if (!strstr(hy_text_string(&log->written), "\nend ")) hy_text_printf(&log->written, "end %" PRId64 "\n", log->end);
  return false;
}
