#ifndef HY_FRONT_H
#define HY_FRONT_H

/* What a program with a command line of ours does around it, whichever of them it is (halyard, halyard-gate). */

#include "cli/session/session.h"

// Before anything is opened.
void hy_front_begin(void);

// Prints a text that is the whole answer (help, versions), frees it, and gives the exit status.
int hy_front_answer(hy_text *text);

// How a line that cannot be read wants its answer, as far as words of it tell: --format json, --color.
void hy_front_read_manner(hy_options *options, int argc, char **argv);
// Answers when there is no session: a bad command line, said as the user asked for it if that could be read. Frees both.
int hy_front_refuse(hy_options *options, HY_TAKE hy_diagnostics *diagnostics, const char *verb, hy_status status);

// The last words of a session, and its files that waited for them; the exit status.
hy_status hy_front_end(hy_session *session, hy_status status);

#endif
