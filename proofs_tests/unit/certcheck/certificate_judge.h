#ifndef HY_PROOFS_TESTS_CERTIFICATE_JUDGE_H
#define HY_PROOFS_TESTS_CERTIFICATE_JUDGE_H

/* halyard-certcheck inside a test: its own code, without its command line. */

#include "semantics/base/base.h"

typedef struct judgement {
  bool malformed; // the file as a whole
  int count, accepted;
  int open;        // obligations
  const char *why; // the last reason to reject, NULL if there is none
  int place;       // line of the file that it is about
} judgement;

judgement judge_certificates(const char *text, size_t size);
// Is it a file with one certificate, a proof?
bool judge_accepts(const char *text, size_t size);

#endif
