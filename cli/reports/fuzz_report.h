#ifndef HY_FUZZ_REPORT_H
#define HY_FUZZ_REPORT_H

/* What halyard fuzz tells of a campaign: a line while it goes on, a summary and its JSON at the end. */

#include "cli/session/session.h"
#include "fuzz/campaign/campaign.h"

// A hy_campaign_progress; "self" is the session.
void hy_fuzz_progress(void *self, const hy_campaign *campaign, double seconds);
// The summary. HY_STATUS_WRONG if there is a failure, HY_STATUS_DEFECT if Halyard crashed or hung.
hy_status hy_fuzz_report(hy_session *session, const hy_campaign *campaign);

#endif
