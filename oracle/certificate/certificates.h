#ifndef HY_CERTIFICATES_H
#define HY_CERTIFICATES_H

/* A file of certificates: for each obligation "facts |- goal" that the prover decides, the proof, for a checker that
 * knows nothing of Halyard (certcheck/). docs/certificates.md describes the file.
 *
 * Facts and goals are written as they are; what the prover normalises, replaces or rounds on its way is a step of the
 * proof.
 */

#include "oracle/prover/generalize.h"
#include "oracle/prover/prover.h"

typedef struct hy_certificates hy_certificates;
typedef struct hy_obligation hy_obligation; // bounds/query.h

HY_GIVE hy_certificates *hy_certificates_new(hy_context *context);
void hy_certificates_free(HY_TAKE hy_certificates *certificates);

// What the certificates that are added next are about. Of the texts, as "halyard show" prints them, the file has
// hashes.
typedef struct hy_certified_program {
  const char *name; // the first part of their ids
  size_t obligations;
  const hy_text *target, *algorithm, *schedule; // the filled program; NULL: there is no algorithm, no schedule
} hy_certified_program;

// requires: of the program before, as many obligations as it has were added, each as a certificate, some, or as open
void hy_certificates_begin(hy_certificates *certificates, const hy_certified_program *program);

// Proves the goal and writes the certificate. False, with nothing written, if that fails. "id" and "rule" have no
// spaces, and ids are in the order of the obligations (docs/certificates.md); "about" is a sentence.
bool hy_certificates_add(hy_certificates *certificates, const char *id, const char *rule, const char *about,
                         const hy_expr *const *facts, size_t fact_count, const hy_expr *goal);

// The id as the file has it: no blanks. "part": 0 = none.
enum { HY_CERTIFICATE_ID = 320 };
void hy_certificates_id(const char *name, size_t number, size_t part, char id[HY_CERTIFICATE_ID]);
// Writes it without a proof.
void hy_certificates_state(hy_certificates *certificates, const char *id, const char *rule, const char *about,
                           const hy_expr *const *facts, size_t fact_count, const hy_expr *goal);
// Says that what has this id has no certificate.
void hy_certificates_leave_open(hy_certificates *certificates, const char *id, const char *rule, const char *about);

// The same for an obligation: "NAME/NUMBER", and for B.Fits decided by numeric ranges one for every number that is
// computed, "NAME/NUMBER.PART". What has no proof is left open; returns how many.
size_t hy_certificates_add_obligation(hy_certificates *certificates, const char *name, size_t number,
                                      const hy_obligation *obligation);
// The same where it is known which question was proved (hy_decision): that one is tried first.
size_t hy_certificates_add_decided(hy_certificates *certificates, const char *name, size_t number,
                                   const hy_obligation *obligation, hy_generalization how);
// What a certificate of it states, without the proof, for each of its parts: of what stronger statement, "choose" says.
typedef hy_generalization hy_certificates_choose(void *self, const char *about);
void hy_certificates_claim(hy_certificates *certificates, const char *name, size_t number,
                           const hy_obligation *obligation, hy_certificates_choose *choose, void *self);
// For one that was not proved.
void hy_certificates_add_open(hy_certificates *certificates, const char *name, size_t number,
                              const hy_obligation *obligation);

// Short looks from now on, or again long ones: for what is easy if it can be shown at all.
void hy_certificates_shorten(hy_certificates *certificates, bool is_short);
// Takes its time for what comes next, beginning anew (hy_prover_persist): 1, 2 turned round; or 0 no longer.
void hy_certificates_persist(hy_certificates *certificates, int patience);
// Remembers a goal for which no proof was found, whatever the facts were.
void hy_certificates_give_up(hy_certificates *certificates, const hy_expr *goal);
bool hy_certificates_gave_up(const hy_certificates *certificates, const hy_expr *goal);

hy_context *hy_certificates_context(hy_certificates *certificates);
size_t hy_certificates_count(const hy_certificates *certificates);

// What a judge of the file has to find.
typedef struct hy_certificates_sum {
  size_t certificates, dead; // whose facts contradict each other: no run comes there (D62)
  size_t shown, obligations; // of all programs; shown: nothing of them is open
} hy_certificates_sum;
hy_certificates_sum hy_certificates_sum_up(const hy_certificates *certificates);

// The whole file so far; valid until the next call.
const char *hy_certificates_text(hy_certificates *certificates, size_t *length);

#endif
