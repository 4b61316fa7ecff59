#ifndef HY_REPORT_H
#define HY_REPORT_H

/* How a command answers: results to standard output, diagnostics to standard error, progress to a terminal only.
 *
 * With --format json nothing is printed before the end; then one object with everything goes to standard output
 * (docs/json.md). Commands say things once: lines for people through hy_reporter_print, the same facts for programs
 * through records. Only report.c sees the JSON library.
 */

#include "semantics/base/diagnostic.h"
#include "semantics/value/value.h"

// Exit statuses (docs/language.md).
typedef enum {
  HY_STATUS_FINE,      // proved, or ran
  HY_STATUS_WRONG,     // the user's program, schedule or input
  HY_STATUS_USAGE,     // the command line, files
  HY_STATUS_UNDECIDED, // a limit of the solver
  HY_STATUS_DEFECT,    // Halyard's own
  HY_STATUS_SLOWER,    // gate: than is allowed
  HY_STATUS_STALE,     // gate: the sources are others by now
} hy_status;
// The worse of two; refuted is worse than undecided.
hy_status hy_status_worse(hy_status a, hy_status b);
const char *hy_status_verdict(hy_status status); // "fine", "wrong", "usage", "undecided", "defect", "slower", "stale"

typedef struct hy_reporter hy_reporter;
typedef struct hy_record hy_record; // an object of the JSON answer; lives as long as its reporter

// --color: whether diagnostics are coloured. AUTO: where standard error is a terminal that is not called "dumb", and
// NO_COLOR is not set to anything (no-color.org).
typedef enum { HY_COLOUR_AUTO, HY_COLOUR_ALWAYS, HY_COLOUR_NEVER } hy_colour;

HY_GIVE hy_reporter *hy_reporter_new(bool json, hy_colour colour, const char *verb);
void hy_reporter_free(HY_TAKE hy_reporter *reporter);

// From now on what is for people goes to standard error: an output goes to standard output. requires: no JSON
void hy_reporter_leave_stdout(hy_reporter *reporter);
// A line (or more) for people; nothing in JSON.
void hy_reporter_print(hy_reporter *reporter, const char *format, ...) HY_PRINTF(2, 3);
// The same of a text that others wrote (names of files, of a manifest): in one line, and nothing that a terminal obeys.
void hy_reporter_plain(hy_reporter *reporter, const char *before, const char *foreign, const char *after);
// A whole program or table as it is; in JSON it becomes the record "text".
void hy_reporter_text(hy_reporter *reporter, const hy_text *text);
// Replaces the last progress line; only on a terminal, and erased before anything else is printed.
void hy_reporter_progress(hy_reporter *reporter, const char *format, ...) HY_PRINTF(2, 3);

// Prints the diagnostics that were not printed yet; what was already said is not said again.
void hy_reporter_flush(hy_reporter *reporter, const hy_diagnostics *diagnostics);
// The end: the last diagnostics, the JSON object. The status that the process should end with (standard output may have
// failed).
hy_status hy_reporter_finish(hy_reporter *reporter, const hy_diagnostics *diagnostics, hy_status status);

hy_record *hy_reporter_record(hy_reporter *reporter);                      // the answer itself
hy_record *hy_record_child(hy_record *record, const char *key);            // a new object under that key
hy_record *hy_record_append(hy_record *record, const char *key);           // a new object at the end of that list
void hy_record_text(hy_record *record, const char *key, const char *text); // NULL gives null
void hy_record_int(hy_record *record, const char *key, int64_t value);
void hy_record_real(hy_record *record, const char *key, double value);
void hy_record_bool(hy_record *record, const char *key, bool value);
void hy_record_value(hy_record *record, const char *key, hy_value value); // errors as their names
void hy_record_ints(hy_record *record, const char *key, const int64_t *values, int count);

#endif
