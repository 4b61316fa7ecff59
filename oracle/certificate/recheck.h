#ifndef HY_RECHECK_H
#define HY_RECHECK_H

/* Asks halyard-certcheck, the checker that shares no code with Halyard, about certificates. It is another program: it
 * lies beside the one that runs, or where hy_certcheck_use says.
 */

#include "oracle/certificate/certificates.h"

typedef enum {
  HY_CERTCHECK_ACCEPTED, // all of them, and its sum is the one that is wanted
  HY_CERTCHECK_REJECTED, // one at least, or the file as a whole; or it did not say, or not that
  HY_CERTCHECK_STOPPED,  // it had not ended after as much time as a checker has, or could not be told: nobody knows
  HY_CERTCHECK_ABSENT,   // there is no such program, or it could not be run
} hy_certcheck_answer;

enum { HY_CERTCHECK_SAID = 400 };

// For the whole process, and to be called before any other thread is there. path: where the checker lies, the command
// line's HALYARD_CERTCHECK; NULL: beside the one that runs; kept, not copied. seconds: of a processor, that a checker may
// take; of the clock it may take four times as many.
enum { HY_CERTCHECK_SECONDS = 600 }; // unless that says something else
void hy_certcheck_use(const char *path, unsigned seconds);

// Of all that was added. Not its status counts but the last line that it prints: how many certificates it accepts of
// how many, and that it went to the end. Where it does not accept, "said" gets why.
// "by": NULL: halyard-certcheck; "coq": halyard-certcheck-coq, which lies beside the one that runs; else the file that is
// another checker, called as these are: CHECKER --quiet FILE.
const char *hy_certcheck_name(const char *by); // for people
hy_certcheck_answer hy_certcheck_text(const char *text, size_t length, const hy_certificates_sum *sum, const char *by,
                                      char said[HY_CERTCHECK_SAID]);
hy_certcheck_answer hy_certcheck(hy_certificates *certificates, const char *by, char said[HY_CERTCHECK_SAID]);

#endif
