#ifndef HY_CLAIMS_H
#define HY_CLAIMS_H

/* What a file of certificates claims: of each certificate its place, its facts and its goal, without the proof; in a
 * form in which two files can be held against each other, formula by formula, whatever the numbers of their lines.
 * Whether the proofs are proofs, and the file is one, is halyard-certcheck's business.
 */

#include "semantics/base/arena.h"
#include "semantics/base/intern.h"
#include "semantics/base/vec.h"

// A formula: equal ones are one pointer, where a line that brings an unknown is known by its name and by which of the
// certificate's unknowns it is.
typedef struct hy_claimed hy_claimed;

typedef struct hy_claim {
  const char *id, *rule, *about;
  bool is_open, is_dead;
  const hy_claimed **facts;
  size_t fact_count;
  const hy_claimed *goal; // NULL of an open one
} hy_claim;

typedef struct hy_claimed_program {
  const char *name, *obligations, *target, *algorithm, *schedule; // "" where the file ends too early
  HY_VEC(hy_claim) claims;
} hy_claimed_program;

// The formulas of several files.
typedef struct hy_claim_book {
  hy_arena *arena;
  hy_intern *nodes;
} hy_claim_book;

hy_claim_book hy_claim_book_open(void);
void hy_claim_book_close(hy_claim_book *book);

typedef struct hy_claims {
  HY_VEC(hy_claimed_program) programs;
  size_t certificates, dead, obligations, open; // sums; "open": obligations of which something is
} hy_claims;

// Whatever the text: what does not look like a claim is none.
void hy_claims_read(hy_claim_book *book, const char *text, size_t length, HY_GIVE hy_claims *claims);
void hy_claims_free(HY_TAKE hy_claims *claims);
const hy_claimed_program *hy_claims_find(const hy_claims *claims, const char *name);

#endif
