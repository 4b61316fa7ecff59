#ifndef HY_PROOFS_TESTS_CERTIFICATE_PROGRAMS_H
#define HY_PROOFS_TESTS_CERTIFICATE_PROGRAMS_H

/* The certificates of whole programs, as "halyard check --certificates" writes them: every algorithm of apps/ with its
 * schedules, and the golden programs that are proved. And those of the goals that the prover's suite wants proved.
 */

#include "oracle/certificate/certificates.h"

typedef struct program_certificates {
  char *text; // malloc'd
  size_t size, obligations, proved, missing;
  size_t certificates;                  // an obligation decided by ranges has one for each number
  size_t as_owed, more, something_else; // by what they say of their obligations
  char first_other[200];                // "" or the first that says something else
} program_certificates;

size_t certificate_program_count(void);
const char *certificate_program_name(size_t number, char room[64]);
// "is_compared": with what they say of their obligations.
program_certificates certificate_program(size_t number, bool is_compared);

// Says that so many questions "q/1", "q/2", ... follow: of no program.
void certificate_question_begin(hy_certificates *certificates, size_t count);
// A file with one certificate for each goal of the prover's suite (oracle_questions.h) that has one.
void certificate_each_goal(void (*see)(void *self, const char *text, size_t size), void *self);

#endif
