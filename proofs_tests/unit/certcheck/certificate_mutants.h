#ifndef HY_PROOFS_TESTS_CERTIFICATE_MUTANTS_H
#define HY_PROOFS_TESTS_CERTIFICATE_MUTANTS_H

/* Ways to tamper with a certificate: first with its proof, then with what it claims. */

#include "proofs_tests/unit/certcheck/certificate_slices.h"

typedef enum {
  MUTATE_DROP_SUMMAND,
  MUTATE_EMPTY_STEP, // something that always holds in its place: the hypotheses keep their numbers
  MUTATE_DROP_STEP,
  MUTATE_SWAP_STEPS,
  MUTATE_REPEAT_STEP,
  MUTATE_MULTIPLIER,
  MUTATE_SIGN,
  MUTATE_HYPOTHESIS,
  MUTATE_STEP_LETTER,
  MUTATE_CASE_POLYNOMIAL,
  MUTATE_LAST_STEP,
  MUTATE_WEAKER_FACT, // ">=" for ">" and such, a bound moved away: from here on the claim changes
  MUTATE_COMPARISON,
  MUTATE_CONSTANT,
  MUTATE_ARGUMENT,
  MUTATE_GOAL,
  MUTATE_DROP_FACT,
  MUTATE_DEFINITION,
} mutation;
enum { MUTATIONS = MUTATE_DEFINITION + 1 };

const char *mutation_name(mutation m);
// A tampered copy in the arena. False if there is nothing to tamper with in that way.
bool mutation_apply(mutation m, hy_arena *arena, const slice *original, uint64_t *seed, slice *mutant);
// Of MUTATE_DROP_SUMMAND and MUTATE_EMPTY_STEP: at how many places they apply, and one of them. False: there is no
// such.
int mutation_places(mutation m, const slice *original);
bool mutation_apply_at(mutation m, hy_arena *arena, const slice *original, int place, slice *mutant);

#endif
