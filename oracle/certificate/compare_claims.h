#ifndef HY_COMPARE_CLAIMS_H
#define HY_COMPARE_CLAIMS_H

/* Are the claims of a file those that a program owes? Obligation by obligation, formula by formula: how the lines are
 * numbered does not count.
 */

#include "oracle/certificate/certificates.h"
#include "oracle/certificate/claims.h"

typedef struct hy_claim_comparison {
  const hy_claimed_program *file; // what it says of this program
  // Hears of each difference, as a sentence.
  void (*differs)(void *self, const char *sentence);
  // May the claim at that position, of those that are owed, be dead though it speaks of its place? NULL: it may.
  bool (*may_be_dead)(void *self, size_t position);
  void *self;
  bool open_is_fine; // a claim without a proof is counted, and no difference
  size_t differences, same, open;
} hy_claim_comparison;

// For hy_certificates_claim: of what stronger statement the file speaks at the position that comes next.
typedef struct hy_claim_choice {
  const hy_claimed_program *file;
  size_t next;
} hy_claim_choice;
hy_generalization hy_claim_choose(void *choice, const char *about);

// Program by program: the hashes, how many obligations there are, each claim.
void hy_claims_compare(hy_claim_comparison *comparison, const hy_claimed_program *owed);

#endif
