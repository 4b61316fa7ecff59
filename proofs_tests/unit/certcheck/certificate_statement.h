#ifndef HY_PROOFS_TESTS_CERTIFICATE_STATEMENT_H
#define HY_PROOFS_TESTS_CERTIFICATE_STATEMENT_H

/* What a certificate claims, apart from how it proves it: "facts that its steps take |- goal". A fact that no step
 * takes has no part in it. Is that true? The program z3 is asked, about many statements at once.
 */

#include "proofs_tests/unit/certcheck/certificate_slices.h"

// By line: do facts and goal mention it?
const bool *statement_lines(hy_arena *arena, const slice *s);
// The claim as text: equal for certificates that claim the same in the same words.
const char *statement_spell(hy_arena *arena, const slice *s);

typedef struct statements {
  hy_text script;
  int count;
} statements;

// Does it speak of operators of floats? Of these Z3 is not told here what the checker knows.
bool statement_has_floats(hy_arena *arena, const slice *s);
void statements_add(hy_arena *arena, statements *all, const slice *s);
// One answer for each: HY_YES if the goal follows from the facts. False without the program z3.
bool statements_ask(const statements *all, hy_answer *answers);
void statements_free(statements *all);

#endif
