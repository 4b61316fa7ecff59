#ifndef HY_SUMS_REPORT_H
#define HY_SUMS_REPORT_H

/* What "halyard verify" says of sums of floats that a schedule has in another order (contract real): how far they were
 * from those that are written, and how far they may be.
 */

#include "cli/session/session.h"

typedef struct hy_sums hy_sums;

HY_GIVE hy_sums *hy_sums_new(const hy_pipeline *pipeline); // NULL: it leaves them all in their order
void hy_sums_free(HY_TAKE hy_sums *sums);
// One input. Not HY_STATUS_FINE after a report: somewhere they are further apart than the bound.
hy_status hy_sums_see(hy_sums *sums, hy_session *session, const char *schedule, const hy_input *input, uint64_t steps);
void hy_sums_print(const hy_sums *sums, hy_session *session, hy_record *record); // nothing for NULL

#endif
