#ifndef HY_LIBRARY_JUDGE_H
#define HY_LIBRARY_JUDGE_H

/* Texts that a call is given, looked at by the parser before anything is made of them: what is wrong with one is the
 * error of that call, with diagnostics whose lines and columns are those of the text.
 */

#include "library/library_internal.h"
#include "semantics/text/parts.h"

typedef enum {
  TEXT_ITEMS,      // funcs, constants, helpers
  TEXT_PARAMETER,  // one
  TEXT_DIRECTIVES, // as they stand between the braces of a schedule
  TEXT_SCHEDULES,  // a whole file
} text_kind;

typedef struct judged {
  object *scratch; // what was found is its; to be freed
  const hy_item_outline *outlines;
  int outline_count; // TEXT_ITEMS
} judged;

// False after the refusal, or a failure; "what" is refused: "the text of 'g'". TEXT_SCHEDULES: "name" is the one that
// is wanted, NULL the only one, and it has to be for "pipeline".
bool hy_judge_text(halyard_context *context, text_kind kind, const char *text, const char *what, const char *name,
                   const char *pipeline, judged *judged, const char *call);
// The same where nothing is wanted but the answer.
bool hy_text_is_fine(halyard_context *context, text_kind kind, const char *text, const char *what, const char *call);

// The schedule of that name; NULL: the only one. NULL after a report.
const struct hy_schedule *hy_library_find_schedule(hy_context *context, const hy_source *source, const char *wanted,
                                                   hy_diagnostics *said);

#endif
