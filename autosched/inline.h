#ifndef HY_AUTOSCHED_INLINE_H
#define HY_AUTOSCHED_INLINE_H

/* Which funcs are inlined, into all that read them (section 4.3): the expression is put in its place, and what it then
 * costs is compared. */

#include "autosched/levels.h"

// How much less all readers and the func itself cost if it is inlined; false: it cannot be, or numbers are too large.
bool hy_inline_benefit(const hy_func_graph *graph, int node, int64_t load_cost, hy_cost *benefit);
// "journal" gets what is inlined (journal.h); NULL: nobody asks.
// Level 1: inlines, in the graph and the choices, the func of the greatest benefit while there is one. Not what is
// "kept", by node (NULL: nothing is).
bool hy_inline_greedily(hy_func_graph *graph, int64_t load_cost, const bool *kept, hy_choices_list *choices,
                        struct hy_journal *journal);
// Which funcs stay though inlining them would pay: those that lie in memory as vectors of their readers want them,
// where what they read does not (vectors.h). By node, in the graph's context.
const bool *hy_inline_kept(const hy_func_graph *graph, const hy_tune_parameters *parameters);
// Level 0: what is then evaluated no more often than it was computed.
bool hy_inline_for_free(hy_func_graph *graph, hy_choices_list *choices, struct hy_journal *journal);
// How many evaluations there are for each of its points once it is inlined, by the sizes as they are. False: it cannot
// be inlined, or numbers are too large.
bool hy_inline_ratio(const hy_func_graph *graph, int node, double *ratio);

#endif
