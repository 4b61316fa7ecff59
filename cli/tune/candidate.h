#ifndef HY_TUNE_CANDIDATE_H
#define HY_TUNE_CANDIDATE_H

/* One schedule that might be the one: read, applied, filled, and, where it is asked for, proved. Each lives in a
 * context of its own, so that a long search takes no more memory than one of them. What is said of it is not heard.
 */

#include "cli/session/session.h"

typedef struct hy_candidate {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source alg_source, schedule_source;
  const hy_alg *alg;
  const hy_schedule *schedule;
  hy_pipeline pipeline;
  bool is_legal; // it applies, and its bounds were found
} hy_candidate;

// What a proof of it consists of.
typedef struct hy_tune_proof {
  hy_answer answer; // HY_YES: every obligation has a certificate, and the judge accepts all
  bool is_defect;   // the judge does not, or provers contradict each other
  bool is_absent;   // there is no judge
  size_t obligations, certificates;
} hy_tune_proof;

// "algorithm": its text, printed. The texts are borrowed while it lives.
HY_GIVE hy_candidate *hy_candidate_new(const char *algorithm, const char *schedule);
void hy_candidate_free(HY_TAKE hy_candidate *candidate);
// requires: it is legal. By Halyard's prover alone, as far as the first obligation that it does not prove: sooner than
// below. HY_NO: that one is refuted.
hy_answer hy_candidate_accepted(const hy_candidate *candidate);
// requires: it is legal. With certificates for halyard-certcheck, as "check --recheck" has them.
hy_tune_proof hy_candidate_certify(hy_candidate *candidate, int64_t z3_limit);

#endif
