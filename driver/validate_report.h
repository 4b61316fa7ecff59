#ifndef HY_VALIDATE_REPORT_H
#define HY_VALIDATE_REPORT_H

#include "driver/session.h"

// Validates every directive of a schedule that check accepted and says, per directive, what it promised and how that
// was shown. "sampled": L1 and L2 too, on generated inputs. HY_STATUS_DEFECT if a promise is broken,
// HY_STATUS_UNDECIDED if one could not be decided for all inputs.
hy_status hy_validate_report(hy_session *session, const hy_pipeline *pipeline, bool sampled, hy_record *record);

#endif
