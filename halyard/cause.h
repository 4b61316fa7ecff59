#ifndef HY_CAUSE_H
#define HY_CAUSE_H

/* Which obligations fail, or stay open, for one reason, so that it is told once: those that speak of the same end of
 * the same box, of the same access, of the same loops, of the same number, or of the same fold.
 */

#include "oracle/oracle.h"
#include "sched/sched.h"
#include "semantics/base/vec.h"

typedef enum { HY_CAUSE_BOX, HY_CAUSE_COVERAGE, HY_CAUSE_NUMBER, HY_CAUSE_FOLD, HY_CAUSE_OTHER } hy_cause_kind;
hy_cause_kind hy_cause_kind_of(const hy_obligation *obligation);

// Whose box it speaks of.
const hy_func *hy_cause_box(const hy_obligation *obligation);

// Another reason of a caller's to put obligations of one kind together: that they have the same key. It is asked once
// for each; NULL is no key. The function itself may be NULL.
typedef const void *hy_cause_key(void *self, const hy_obligation *obligation);

// The decisions of one cause, in the order of the report, and which of them is shown: an access of the user's rather
// than a box.
typedef struct hy_cause {
  HY_VEC(const hy_decision *) members;
  const hy_decision *shown;
} hy_cause;

// All causes of the decisions with that verdict, in the order of their first decisions. The caller frees the list with
// hy_cause_list_free.
typedef HY_VEC(hy_cause) hy_cause_list;
hy_cause_list hy_cause_find(const hy_oracle_report *report, hy_verdict verdict, hy_cause_key *key, void *self);
void hy_cause_list_free(hy_cause_list *list);

// Where the schedule makes the fold that the obligation is about, as a note; nothing of any other obligation, or if the
// program itself says it.
void hy_cause_note_directive(const hy_directive *core, int count, const hy_obligation *obligation, hy_code code,
                             hy_diagnostics *diagnostics);

// "and 3 more obligations fail for the same cause: ...", as a note; nothing if there is one alone.
//   "one", "several": "fails", "fail"
void hy_cause_note_others(const hy_cause *cause, hy_code code, const char *one, const char *several,
                          hy_diagnostics *diagnostics);

#endif
