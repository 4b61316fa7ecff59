#ifndef HY_CERTIFY_H
#define HY_CERTIFY_H

/* check --certificates FILE: the proofs of what was decided, for halyard-certcheck. */

#include "driver/session.h"
#include "oracle/certificates.h"

// Adds a certificate for every obligation with the verdict PROVED; says which got none.
void hy_certify(hy_session *session, hy_certificates *certificates, const char *name, const hy_oracle_report *report,
                hy_record *record);
// Writes the file. False after reporting.
bool hy_certify_write(hy_session *session, hy_certificates *certificates);

#endif
