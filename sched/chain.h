#ifndef HY_CHAIN_H
#define HY_CHAIN_H

/* What can be said of a call of a chain, f.split(..), before there is a program. */

#include <stdbool.h>

// How many arguments a call of that name takes in a chain. False: nothing of a chain is called so.
bool hy_sched_chain_takes(const char *name, int *least, int *most);

#endif
