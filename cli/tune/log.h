#ifndef HY_TUNE_LOG_H
#define HY_TUNE_LOG_H

/* What a measured search was told, line by line: with it the same search gives the same schedule, byte for byte, on any
 * machine.
 *
 *   halyard measurements 1
 *   about SHA-256           of the algorithm, the estimates, the seed, what is kept and the start: of all that the
 * search begins with ready 1 | ready 0       a schedule could be run, or not run SECONDS             of a run; -1: it
 * failed end N                   the time was up at the N-th question for it; the last race comes behind it
 */

#include "semantics/base/text.h"

typedef struct hy_tune_log {
  hy_text written;
  const char *replayed;   // what is left to be read; NULL: nothing is replayed
  int64_t questions, end; // of time: so many were asked; at "end" it was up, of what is replayed
  bool is_broken;         // what is replayed says something else
} hy_tune_log;

void hy_tune_log_begin(hy_tune_log *log, const char *about);
// Reads a whole file's text, which stays. False: it is no such file, or about something else; "why" says it.
bool hy_tune_log_replay(hy_tune_log *log, const char *text, const char *about, const char **why);
void hy_tune_log_free(hy_tune_log *log);

// Each adds what was told, or, of what is replayed, puts that in its place.
bool hy_tune_log_ready(hy_tune_log *log, bool ready);
double hy_tune_log_run(hy_tune_log *log, double seconds);
bool hy_tune_log_goes_on(hy_tune_log *log, bool goes_on);

#endif
