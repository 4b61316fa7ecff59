#ifndef HY_PROOFS_TESTS_RULES_FIRING_H
#define HY_PROOFS_TESTS_RULES_FIRING_H

/* Which rules fire in a small program, taken through everything: for tables of "rule, a program in which it fires, a
 * near one in which it does not". */

#include "semantics/expr/context.h"

// An algorithm with its directives, or a target program (a text that begins with "target"; then no directives).
typedef struct firing_program {
  const char *text, *items;
} firing_program;

// Parses, schedules, validates every directive, fills, decides, writes certificates, runs both evaluators of both
// languages on a window of 9 (or "window", if it is not 0) with every parameter 2, and compiles and runs what is
// proved. What is refused on the way ends it. hits[rule]: how often it fired.
void firing_count(const firing_program *program, int64_t window, uint64_t hits[HY_RULE_COUNT]);

hy_rule firing_rule(const char *id); // fails the test if there is none

typedef struct firing_row {
  const char *id;
  firing_program fires, silent; // silent.text NULL: a program that nothing can be said about but that it is wrong
  int64_t window;               // 0: as usual; -1: an empty one
} firing_row;
void firing_check(const firing_row *row);

#define FIRING_PLAIN "pipeline p(n: int) { fun f(x) = x + n; }"

#endif
