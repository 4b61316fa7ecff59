#ifndef HY_DRIVER_CERTCHECK_H
#define HY_DRIVER_CERTCHECK_H

/* Asks halyard-certcheck, the checker that shares no code with Halyard, about certificates. It is another program: it
 * lies beside the one that runs, or where HALYARD_CERTCHECK says.
 */

#include "semantics/base/base.h"

typedef enum {
  HY_CERTCHECK_ACCEPTED, // all of them
  HY_CERTCHECK_REJECTED, // one at least, or the file as a whole
  HY_CERTCHECK_ABSENT,   // there is no such program, or it could not be run
} hy_certcheck_answer;

enum { HY_CERTCHECK_SAID = 400 };

// "text" is what hy_certificates_text gives. "said" gets the beginning of what the checker says.
hy_certcheck_answer hy_certcheck(const char *text, size_t length, char said[HY_CERTCHECK_SAID]);

#endif
