#ifndef HY_DIAGNOSTIC_H
#define HY_DIAGNOSTIC_H

/* What the user is told: a stable code, a place in a source text, the broken rule, and what to write instead.
 *
 * Diagnostics are collected in a list, so that one run can report several and tests can look at them; the driver prints
 * them (text or JSON). A list owns its texts. Sources outlive the lists that point into them. Not shared between
 * threads.
 */

#include "semantics/base/arena.h"
#include "semantics/base/text.h"

typedef struct hy_source {
  const char *name; // as the user spelled it
  const char *text; // NUL-terminated
  size_t length;
} hy_source;

typedef struct hy_loc {
  const hy_source *source; // NULL: no place (a command line, say)
  uint32_t line, column;   // from 1; columns count bytes
  uint32_t length;         // bytes to underline, at least 1
} hy_loc;

typedef unsigned hy_code; // HY0101 and so on: whoever reports says which there are (semantics/value/errors.h)

typedef enum { HY_SEVERITY_ERROR, HY_SEVERITY_WARNING, HY_SEVERITY_NOTE } hy_severity;

typedef struct hy_diagnostic {
  hy_severity severity;
  hy_code code;
  hy_loc loc;
  const char *message;
  const char *rule; // the rule that is broken, with the paper's number where it has one; NULL if none
  const char *help; // what to write instead; NULL if there is nothing to say
} hy_diagnostic;

typedef struct hy_diagnostics hy_diagnostics;

HY_GIVE hy_diagnostics *hy_diagnostics_new(void);
void hy_diagnostics_free(HY_TAKE hy_diagnostics *list);

// Adds an error. "rule" and "help" may be NULL; all texts are copied.
void hy_report(hy_diagnostics *list, hy_code code, hy_loc loc, const char *rule, const char *help, const char *format,
               ...) HY_PRINTF(6, 7);
void hy_warn(hy_diagnostics *list, hy_code code, hy_loc loc, const char *rule, const char *help, const char *format,
             ...) HY_PRINTF(6, 7);
// Adds a note that belongs to the diagnostic before it. Without a place it is printed as a line of that diagnostic.
void hy_note(hy_diagnostics *list, hy_code code, hy_loc loc, const char *format, ...) HY_PRINTF(4, 5);

size_t hy_diagnostics_count(const hy_diagnostics *list); // all severities
size_t hy_diagnostics_errors(const hy_diagnostics *list);
const hy_diagnostic *hy_diagnostics_at(const hy_diagnostics *list, size_t index);
// Another place and other texts for one that was added: as hy_report's, "rule" stays.
void hy_diagnostics_reword(hy_diagnostics *list, size_t index, hy_loc loc, const char *help, const char *message);
// Adds a note without a place before the one at "index", of which it is then no part.
void hy_diagnostics_note_at(hy_diagnostics *list, size_t index, hy_code code, const char *format, ...) HY_PRINTF(4, 5);
// Takes out so many from "index" on, as if they had never been added.
void hy_diagnostics_take_out(hy_diagnostics *list, size_t index, size_t count);
const char *hy_severity_name(hy_severity severity);

// Prints as a modern C compiler does: file:line:col: error[HY0231]: ..., the line, a caret, the rule, the help.
void hy_diagnostic_print(const hy_diagnostic *diagnostic, hy_text *out);
// The same for a terminal that shows colours: without its escape sequences (SGR alone) it is the other, byte for byte.
void hy_diagnostic_print_coloured(const hy_diagnostic *diagnostic, hy_text *out);
void hy_diagnostics_print(const hy_diagnostics *list, hy_text *out);

#endif
