#ifndef HY_PROOFS_TESTS_CERTIFICATE_JUDGE_H
#define HY_PROOFS_TESTS_CERTIFICATE_JUDGE_H

/* halyard-certcheck inside a test: its own code, without its command line. */

#include "oracle/certificates.h"
#include "oracle/oracle.h"

typedef struct judgement {
  bool malformed; // the file as a whole
  int count, accepted;
  const char *why; // the last reason to reject, NULL if there is none
  int place;       // line of the file that it is about
} judgement;

judgement judge_certificates(const char *text, size_t size);

// Every obligation that was proved has its certificates, and all of them are accepted. Returns how many there are.
int judge_report(hy_context *context, const char *name, const hy_oracle_report *report);

#endif
