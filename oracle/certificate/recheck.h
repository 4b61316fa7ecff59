#ifndef HY_RECHECK_H
#define HY_RECHECK_H

/* Asks halyard-certcheck, the checker that shares no code with Halyard, about certificates. It is another program: it
 * lies beside the one that runs, or where HALYARD_CERTCHECK says.
 */

#include "oracle/certificate/certificates.h"

typedef enum {
  HY_CERTCHECK_ACCEPTED, // all of them, and its sum is the one that is wanted
  HY_CERTCHECK_REJECTED, // one at least, or the file as a whole; or it did not say, or not that
  HY_CERTCHECK_ABSENT,   // there is no such program, or it could not be run
} hy_certcheck_answer;

enum { HY_CERTCHECK_SAID = 400 };

// Of all that was added. Not its status counts but the last line that it prints: how many certificates it accepts of
// how many, and that it went to the end. Where it does not accept, "said" gets why.
// "proved": asks halyard-certcheck-coq, which lies beside the one that runs.
hy_certcheck_answer hy_certcheck_text(const char *text, size_t length, const hy_certificates_sum *sum, bool proved,
                                      char said[HY_CERTCHECK_SAID]);
hy_certcheck_answer hy_certcheck(hy_certificates *certificates, bool proved, char said[HY_CERTCHECK_SAID]);

#endif
