#ifndef HY_TUNE_LOG_H
#define HY_TUNE_LOG_H

/* What a measured search was told, line by line: with it the same search gives the same schedule, byte for byte, on any
 * machine. After "halyard measurements 4":
 *
 * - "about SHA-256": of the algorithm, the estimates, the seed, what is kept and the start, all that the search begins
 *   with.
 * - "machine CORES VECTOR L1 L2 L3": what the model of costs knows of the machine, in bytes.
 * - "ready 1": a schedule could be run; -1: it could not, -2: that took too long, -3: the search was stopped.
 * - "run SECONDS": of a run; -1, -2 and -3 as before, -4: something else came out, of a schedule that is not proved.
 * - "proved 1": a schedule that won a race, or was to be varied, is proved; 0: it is not.
 * - "up KIND N": the time for races of that kind was up at the N-th question for it.
 * - "done": the end.
 */

#include "autosched/measured.h"
#include "autosched/model.h"
#include "semantics/base/text.h"

typedef struct hy_tune_log {
  hy_text written;
  const char *replayed; // what is left to be read; NULL: nothing is replayed
  // By kinds of races: so many questions of time were asked; at "up" it was up (-1: it was not).
  int64_t questions[HY_RACE_KINDS], up[HY_RACE_KINDS];
  bool is_broken; // what is replayed says something else
} hy_tune_log;

void hy_tune_log_begin(hy_tune_log *log, const char *about);
// Reads a whole file's text, which stays. False: it is no such file, or about something else; "why" says it.
bool hy_tune_log_replay(hy_tune_log *log, const char *text, const char *about, const char **why);
void hy_tune_log_free(hy_tune_log *log);

// Each adds what was told, or, of what is replayed, puts that in its place.
hy_machine hy_tune_log_machine(hy_tune_log *log, hy_machine here);
hy_run_answer hy_tune_log_ready(hy_tune_log *log, hy_run_answer answer);
double hy_tune_log_run(hy_tune_log *log, double seconds);
bool hy_tune_log_proved(hy_tune_log *log, bool proved);
bool hy_tune_log_goes_on(hy_tune_log *log, hy_race_kind kind, bool goes_on);
void hy_tune_log_end(hy_tune_log *log); // nothing more comes

#endif
