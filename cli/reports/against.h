#ifndef HY_DRIVER_AGAINST_H
#define HY_DRIVER_AGAINST_H

/* halyard check --against FILE: is that file of certificates about this program? Obligations, facts and goals are
 * computed anew and held against the file's, one by one; halyard-certcheck judges its proofs. Accepted is a file in
 * which every obligation is, proved, and the same (decision D64).
 */

#include "cli/session/session.h"

typedef struct hy_against hy_against;

// NULL without --against, or after a report in *status.
HY_GIVE hy_against *hy_against_begin(hy_session *session, hy_status *status);
// requires: the pipeline was checked. "name": as in ids (hy_certify_name)
hy_status hy_against_one(hy_against *against, const char *name, const hy_pipeline *pipeline);
// What was not asked for does not belong there; then the judge is asked.
hy_status hy_against_end(HY_TAKE hy_against *against);

#endif
