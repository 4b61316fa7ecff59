#ifndef HY_TUNE_SEEDS_H
#define HY_TUNE_SEEDS_H

/* What a measured search begins with: level 0 and level 1 under several parameters, the user's schedule. */

#include "autosched/measured.h"
#include "cli/tune/keep.h"
#include "cli/tune/search.h"

// Other parameters than the options' are tried while the host has time.
void hy_seeds_add(hy_search *search, const hy_schedule *start, const hy_kept *kept, const hy_host *host,
                  hy_measured *measured);

#endif
