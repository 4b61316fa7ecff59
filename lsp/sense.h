#ifndef HY_SENSE_H
#define HY_SENSE_H

/* What a name of a document means, and where it is introduced: in the document, or of a schedule in its algorithm. */

#include "lsp/chains.h"
#include "lsp/reading.h"

typedef struct hy_sense {
  hy_read_source *source;
  int token;                   // where it is introduced
  const hy_outline_name *name; // NULL: a loop or a func that a directive makes
  const char *func;            // of a loop in a schedule, or of a dimension there: whose; else NULL
} hy_sense;

// False: nothing that is introduced anywhere.
bool hy_sense_find(hy_lsp_reading *reading, hy_read_source *source, int token, hy_sense *sense);
// The algorithm of the schedule that the token is in. NULL: there is none.
hy_read_source *hy_sense_algorithm(hy_lsp_reading *reading, hy_read_source *schedules, int token);
// The token of the schedule's name, around or before that token; HY_NO_TOKEN.
int hy_sense_schedule(const hy_outline *outline, int token);

#endif
