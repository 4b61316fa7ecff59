#ifndef HY_CERTIFY_H
#define HY_CERTIFY_H

/* The proofs of what was decided: --certificates FILE writes them down, and with --recheck, and in verify,
 * halyard-certcheck looks at them again, at once.
 */

#include "cli/session/session.h"
#include "oracle/certificate/certificates.h"

// Those of all schedules; NULL: nobody asks for them.
HY_GIVE hy_certificates *hy_certify_begin(hy_session *session);
// Adds a certificate for every obligation with the verdict PROVED; says which got none. Nothing without certificates.
//   index: of the schedule in the session, whose check is done
//   returns: HY_STATUS_UNDECIDED if --recheck asks for certificates that there are not; reported
hy_status hy_certify(hy_session *session, hy_certificates *certificates, int index, const hy_pipeline *pipeline,
                     hy_record *record);
// Those of a program that is in no file of certificates: they are made, checked again and forgotten. "pipeline" has
// the program, its report, and the schedule that it belongs to.
hy_status hy_certify_aside(hy_session *session, int index, const hy_pipeline *pipeline, hy_record *record);
// Writes the file and has them checked, as far as was asked for. Reports what is wrong.
hy_status hy_certify_end(hy_session *session, HY_TAKE hy_certificates *certificates);

// The first part of the ids of that schedule's certificates, and the row of the file that says what they are about.
const char *hy_certify_name(hy_session *session, int index);
void hy_certify_begin_program(bool has_algorithm, hy_certificates *certificates, const char *name,
                              const hy_pipeline *pipeline);

#endif
