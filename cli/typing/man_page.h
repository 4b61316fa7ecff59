#ifndef HY_MAN_PAGE_H
#define HY_MAN_PAGE_H

/* Manual pages in roff (man(7)), made from the tables of verbs and options that 'halyard help' prints. */

#include "cli/session/options.h"

// halyard(1): what it is, and its verbs.
void hy_man_program(hy_text *out);
// halyard-VERB(1)
void hy_man_verb(hy_verb verb, hy_text *out);
// halyard-gate(1) of the program; "without" are the long names of options that it does not take.
void hy_man_gate(const char *const *without, size_t count, hy_text *out);
void hy_man_certcheck(hy_text *out);

#endif
