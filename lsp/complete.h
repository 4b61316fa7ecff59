#ifndef HY_COMPLETE_H
#define HY_COMPLETE_H

/* Completion, in parts: complete.c (algorithms, and the list), complete_schedule.c (what may stand where in a schedule),
 * complete_loops.c (which loops are there, and which are legal).
 */

#include "lsp/program.h"

// CompletionItemKind of the protocol.
typedef enum {
  HY_ITEM_METHOD = 2,
  HY_ITEM_FUNCTION = 3,
  HY_ITEM_VARIABLE = 6,
  HY_ITEM_TYPE = 7,
  HY_ITEM_MODULE = 9,
  HY_ITEM_PROPERTY = 10,
  HY_ITEM_WORD = 14,
  HY_ITEM_MEMBER = 20,
  HY_ITEM_CONSTANT = 21,
} hy_complete_kind;

typedef struct hy_completing {
  hy_lsp_reading reading;
  const hy_outline *outline;
  const hy_chains *chains; // of a schedule
  int token;               // the name that is being typed, or the token that stands behind the cursor
  json_t *list;
} hy_completing;

// One more, behind those that are there; each label once. "detail" may be NULL.
void hy_complete_add(hy_completing *completing, hy_complete_kind kind, const char *label, const char *detail);
void hy_complete_words(hy_completing *completing, unsigned places);

void hy_complete_schedule(hy_completing *completing);

/* -- complete_loops.c -- */

// The schedule as it would be, in a text of its own whose places are those of the document.
typedef enum {
  HY_PART_BEFORE,  // what stands before the call
  HY_PART_WITHOUT, // all but the call; where that is no schedule, what stands before it
} hy_complete_part;

typedef struct hy_complete_place {
  const hy_chain_call *call; // NULL: a new one, behind a point or at the beginning of an item
  int item, point; // tokens: of the item's beginning; of the point before the call, HY_NO_TOKEN if it is alone
  int end;         // the token behind it
  int schedule;
} hy_complete_place;

void hy_complete_program(hy_completing *completing, const hy_complete_place *place, hy_complete_part part,
                         hy_lsp_program *program);
// The func that a call at that place of a chain speaks of, and its stage: behind update(k), in(g) and the like.
const hy_func *hy_complete_func(hy_completing *completing, const hy_complete_place *place,
                                const hy_lsp_program *program, int *stage);
// The specialization that a chain has turned to at that place; 0: none, whose loops are those of the general case.
int hy_complete_branch(hy_completing *completing, const hy_complete_place *place, const hy_lsp_program *program);
// Would a call of these words be legal there? "call": "parallel(y)".
bool hy_complete_tries(hy_completing *completing, const hy_complete_place *place, const char *call);
// The same with all that stands behind it. NULL: is the rest legal, without the whole statement?
bool hy_complete_tries_around(hy_completing *completing, const hy_complete_place *place, const char *call);

#endif
