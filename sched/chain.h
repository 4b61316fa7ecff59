#ifndef HY_CHAIN_H
#define HY_CHAIN_H

/* What can be said of a call of a chain, f.split(..), before there is a program. */

#include <stdbool.h>

// How many arguments a call of that name takes in a chain. False: nothing of a chain is called so.
bool hy_sched_chain_takes(const char *name, int *least, int *most);

// Is the last of so many arguments of that call its tail? What a tail may be is what the next asks.
bool hy_sched_chain_ends_with_tail(const char *name, int count);
bool hy_sched_is_tail(const char *word);
// Of a name that nothing of a chain has: one like it, NULL if there is none; or why Halide's is absent, and what to
// write instead.
const char *hy_sched_chain_nearest(const char *name);
bool hy_sched_is_absent(const char *name, const char **reason, const char **instead);

#endif
