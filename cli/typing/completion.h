#ifndef HY_COMPLETION_H
#define HY_COMPLETION_H

/* What shells are told of the command line, made from the tables of verbs and options: a table for each shell, and behind
 * it the functions that read it, tail.bash and its like, which know nothing of Halyard's words.
 */

#include "cli/session/options.h"

// The script for "bash", "zsh" or "fish". False: no such shell.
bool hy_completion(const char *shell, hy_text *out);

#endif
