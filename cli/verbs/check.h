#ifndef HY_CHECK_H
#define HY_CHECK_H

/* What check and verify share. */

#include "cli/session/session.h"

const char *hy_check_verdict(hy_status status); // "proved", "refused", "undecided", "defect": never more than was shown

// Checks the schedule at that position, says how it went and records it. Sets up the pipeline.
hy_status hy_check_one(hy_session *session, int index, hy_pipeline *pipeline, bool cross_check, hy_record *record);

#endif
