#include "cli/tune/log.h"

#include "semantics/base/sha256.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char any_version[] = "halyard measurements ", first_line[] = "halyard measurements 5\n",
                  last_line[] = "done\n";

static void begin(hy_text *out, const char *about) {
  char digits[HY_SHA256_DIGITS + 1];
  hy_sha256(about, strlen(about), digits);
  hy_text_printf(out, "%sabout %s\n", first_line, digits);
}

static bool begins_with(const char *text, const char *words) { return strncmp(text, words, strlen(words)) == 0; }

static bool ends_with(const char *text, const char *words) {
  size_t length = strlen(text), last = strlen(words);
  return length >= last && strcmp(text + length - last, words) == 0;
}

void hy_tune_log_begin(hy_tune_log *log, const char *about) {
  *log = (hy_tune_log){0};
  for (int kind = 0; kind < HY_RACE_KINDS; kind++) log->up[kind] = -1;
  begin(&log->written, about);
}

static void find_ends(hy_tune_log *log, const char *text) {
  for (const char *at = text; (at = strstr(at, "\nup ")); at++) {
    int kind;
    int64_t question;
    if (sscanf(at, "\nup %d %" SCNd64, &kind, &question) == 2 && kind >= 0 && kind < HY_RACE_KINDS)
      log->up[kind] = question;
  }
}

bool hy_tune_log_replay(hy_tune_log *log, const char *text, const char *about, const char **why) {
  hy_text wanted = {0};
  begin(&wanted, about);
  *why = !begins_with(text, any_version)               ? "is no file of measurements"
         : !begins_with(text, first_line)              ? "is of another version of Halyard"
         : !begins_with(text, hy_text_string(&wanted)) ? "is of another algorithm, other sizes, another seed or start"
         : !ends_with(text, last_line)                 ? "has no end"
                                                       : NULL;
  if (!*why) {
    log->replayed = text + wanted.length;
    find_ends(log, text);
  }
  hy_text_free(&wanted);
  return !*why;
}

void hy_tune_log_free(hy_tune_log *log) { hy_text_free(&log->written); }

// The rest of the next line, which must begin so; those that say when the time was up are passed over.
static const char *next(hy_tune_log *log, const char *word) {
  while (begins_with(log->replayed, "up ")) log->replayed = strchr(log->replayed, '\n') + 1;
  const char *line = log->replayed, *end = strchr(line, '\n');
  if (log->is_broken || !end || !begins_with(line, word)) {
    log->is_broken = true;
    return NULL;
  }
  log->replayed = end + 1;
  return line + strlen(word);
}

static bool read_machine(const char *said, hy_machine *m) {
  const int64_t most = INT64_C(1) << 50; // of bytes; larger ones are of no machine
  if (sscanf(said, "%d %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, &m->cores, &m->vector_bytes, &m->l1_bytes,
             &m->l2_bytes, &m->l3_bytes) != 5)
    return false;
  const int64_t numbers[] = {m->cores, m->vector_bytes, m->l1_bytes, m->l2_bytes, m->l3_bytes};
  for (size_t i = 0; i < HY_COUNT(numbers); i++)
    if (numbers[i] < 1 || numbers[i] > most) return false;
  return true;
}

hy_machine hy_tune_log_machine(hy_tune_log *log, hy_machine here) {
  hy_machine m = here;
  if (log->replayed) {
    const char *said = next(log, "machine ");
    if (said && !read_machine(said, &m)) log->is_broken = true;
    if (log->is_broken) m = here;
  }
  hy_text_printf(&log->written, "machine %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", m.cores, m.vector_bytes,
                 m.l1_bytes, m.l2_bytes, m.l3_bytes);
  return m;
}

hy_run_answer hy_tune_log_ready(hy_tune_log *log, hy_run_answer answer) {
  if (log->replayed) {
    const char *said = next(log, "ready ");
    int number = said ? atoi(said) : HY_RUN_FAILED;
    answer = number >= HY_RUN_STOPPED && number <= HY_RUN_FAILED ? (hy_run_answer)number : HY_RUN_FINE;
  }
  hy_text_printf(&log->written, "ready %d\n", answer);
  return answer;
}

double hy_tune_log_run(hy_tune_log *log, double seconds) {
  if (log->replayed) {
    const char *said = next(log, "run ");
    seconds = said ? strtod(said, NULL) : HY_RUN_FAILED;
  }
  hy_text_printf(&log->written, "run %.17g\n", seconds);
  return seconds;
}

bool hy_tune_log_proved(hy_tune_log *log, bool proved) {
  if (log->replayed) {
    const char *said = next(log, "proved ");
    proved = said && atoi(said) == 1;
  }
  hy_text_printf(&log->written, "proved %d\n", proved);
  return proved;
}

bool hy_tune_log_goes_on(hy_tune_log *log, hy_race_kind kind, bool goes_on) {
  int64_t question = log->questions[kind]++, *up = &log->up[kind];
  bool was_up = *up >= 0 && question > *up; // once up, up for ever
  if (log->replayed) goes_on = !log->is_broken && question != *up;
  if (was_up) return false;
  if (goes_on) return true;
  *up = question;
  hy_text_printf(&log->written, "up %d %" PRId64 "\n", kind, question);
  return false;
}

void hy_tune_log_end(hy_tune_log *log) {
  if (log->replayed) next(log, "done");
  hy_text_add(&log->written, last_line);
}
