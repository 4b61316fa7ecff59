#ifndef HY_PROGRAM_H
#define HY_PROGRAM_H

/* The program that a text says, as far as it says one: the algorithm with its default schedule, or with one of a file of
 * schedules.
 */

#include "lsp/sense.h"

typedef struct hy_lsp_program {
  const hy_alg *alg;           // NULL: it has errors, or there is none
  const hy_schedule *schedule; // NULL: the default one
  hy_pipeline pipeline;
  bool is_scheduled, is_filled;
} hy_lsp_program;

typedef enum {
  HY_PROGRAM_AS_IT_IS,  // whatever has an error is not there
  HY_PROGRAM_AS_CAN_BE, // items of the schedule that have errors are left out
} hy_program_errors;

// Of a text in which the schedule's name is at the token, or of an algorithm. Nothing is reported.
void hy_program_make(hy_lsp_reading *reading, hy_read_source *source, int schedule, hy_program_errors errors,
                     hy_lsp_program *program);
// The same where the schedule speaks of some funcs in what is left out of it: 'default inline;' inlines none of these.
typedef struct hy_program_named {
  const char *funcs[2]; // NULL: none
} hy_program_named;
void hy_program_make_named(hy_lsp_reading *reading, hy_read_source *source, int schedule, hy_program_errors errors,
                           const hy_program_named *named, hy_lsp_program *program);
// Fills its bounds, if it is scheduled.
void hy_program_fill(hy_lsp_program *program);
// The last program that there is: filled, scheduled, or NULL.
const hy_tgt *hy_program_last(const hy_lsp_program *program);

// Calls visit for each loop, outermost first.
void hy_program_loops(const hy_stmt *stmt, void (*visit)(void *self, const hy_stmt *loop), void *self);

#endif
