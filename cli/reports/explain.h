#ifndef HY_DRIVER_EXPLAIN_H
#define HY_DRIVER_EXPLAIN_H

#include "cli/session/session.h"

// Prints, and records, why every bound of a proved program is what it is.
//   requires: hy_session_check said HY_STATUS_FINE
void hy_explain(hy_session *session, const hy_pipeline *pipeline, hy_record *record);

#endif
