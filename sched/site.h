#ifndef HY_SITE_H
#define HY_SITE_H

/* Where a computation or an allocation may stand: what compute_at.c and store_at.c share. */

#include "sched/rewrite.h"

// Does everything that needs "func" lie below "loop"? For a computation that is every reader outside of func's own
// compute statement; for an allocation the computation too.
bool hy_site_dominates(const hy_tgt *tgt, const hy_func *func, const hy_stmt *loop, bool for_storage);
// The loops for which the answer is yes, outermost first; malloc'd.
HY_GIVE const hy_stmt **hy_site_loops(const hy_tgt *tgt, const hy_func *func, bool for_storage, size_t *count);
// The loops of which every specialization has one, and in which all that read the func stands; each by that of the
// default branch. malloc'd.
HY_GIVE const hy_stmt **hy_site_spread(const hy_tgt *tgt, const hy_func *func, size_t *count);
// The same as a list for the user; "root" is always one.
const char *hy_site_list(hy_context *context, const hy_tgt *tgt, const hy_func *func, bool for_storage);
// Does the loop stand in one of several specializations of its func, of which another one reads "func"?
bool hy_site_is_one_branch(const hy_tgt *tgt, const hy_func *func, const hy_stmt *loop);
// What to write instead of a site that does not dominate; "branch": as it is such a one.
const char *hy_site_help(hy_context *context, const hy_tgt *tgt, const hy_directive *directive, bool branch,
                         bool for_storage);
// The same where "loop" leaves out a reader: what to write so that it does not, if one directive is enough.
const char *hy_site_help_reader(hy_context *context, const hy_tgt *tgt, const hy_directive *d, const hy_stmt *loop);
// "'h.s1'", a stage outside of the loop that reads the func; or "some stage".
const char *hy_site_reader_outside(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_stmt *loop);
// Is "func" the output? Reports if so.
bool hy_site_is_output(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                       hy_diagnostics *diagnostics);
// Moves "what" (by identity) to the front of a loop's body.
const hy_tgt *hy_site_move(hy_context *context, const hy_tgt *tgt, const hy_stmt *what, const hy_var *loop);

#endif
