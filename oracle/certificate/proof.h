#ifndef HY_PROOF_H
#define HY_PROOF_H

/* From the prover's refutations to certificates. Everything is written on demand, starting at a contradiction: the
 * constraints that it adds up, what they come from, down to facts, definitions and assumptions of cases.
 *
 *   certificates.c   the file and one certificate of it (certify_obligation.c: those of an obligation)
 *   claims.c, compare_claims.c  what a file states, and whether that is what a program owes
 *   recheck.c        asks halyard-certcheck
 *   proof_lines.c    terms, formulas and unknowns, a line each
 *   proof_rewrite.c  equations: an atom is its normal form, is what an equality defines it to be
 *   proof_steps.c    the steps of a refutation
 *   proof_prune.c    takes away those that it does not need
 *
 * A line's polynomial, here "literal", is over atoms that stand as they were written ("raw" ones, not normalised); the
 * prover's are over normal atoms. Every atom that is printed has a line with exactly its definition.
 */

#include "oracle/certificate/certificates.h"
#include "oracle/prover/prover_internal.h"

typedef struct hy_written {
  int line;
  const hy_poly *poly; // of a term
} hy_written;

// A formula known to hold (or not) here.
typedef struct hy_known_formula {
  const hy_expr *expr;
  bool polarity;
  enum { HY_KNOWN_FACT, HY_KNOWN_GOAL, HY_KNOWN_PART, HY_KNOWN_SAME, HY_KNOWN_CASE } kind;
  int parent, part; // PART: of that formula; SAME: as that formula
  int hypothesis;   // -1 = not written yet
} hy_known_formula;

// What a hypothesis says: found by two keys.
typedef struct hy_known_hypothesis {
  const void *key;
  uintptr_t detail;
  int hypothesis;
} hy_known_hypothesis;

typedef struct hy_known_assumption {
  const hy_poly *poly;
  int hypothesis;
} hy_known_assumption;

// Multiplier * hypothesis, a summand.
typedef struct hy_summand {
  const hy_poly *multiplier;
  int hypothesis;
} hy_summand;
typedef HY_VEC(hy_summand) hy_sum;

// How many hypotheses each of the two cases of a step begins with.
typedef struct hy_case_sizes {
  int first, second;
} hy_case_sizes;

// The steps of a certificate that was written, in the text: they show the goal wherever these facts are given.
typedef struct hy_kept_proof {
  struct hy_kept_proof *next; // of the same goal
  const hy_expr **facts;
  size_t fact_count, start, length;
} hy_kept_proof;

struct hy_certificates {
  hy_context *context;
  hy_prover *prover;
  hy_arena *arena; // hy_written
  hy_text text;    // finished certificates, and lines
  hy_text body;    // steps of the one under way
  size_t count;
  size_t dead, open, obligations;    // certificates; obligations of which something is open, and all
  char last_open[HY_CERTIFICATE_ID]; // the last of these, without its part
  int line_count;
  hy_pair_map terms, formulas;          // expression -> hy_written
  HY_VEC(int) unknowns;                 // by atom: its line, 0 = none
  HY_VEC(const hy_poly *) normal_forms; // by atom, NULL = not asked yet
  hy_pair_map searched;                 // (atom, 0 or 1) -> why it is at least, at most its normal form
  int depth;
  bool is_short;        // looks are
  int patience;         // hy_certificates_persist
  hy_pair_map given_up; // goals that no look from any side proved
  hy_pair_map kept;     // goal -> hy_kept_proof

  // The certificate under way.
  bool failed;
  int height; // hypotheses on the stack
  HY_VEC(hy_known_formula) known_formulas;
  HY_VEC(hy_known_hypothesis) known;
  HY_VEC(hy_known_assumption) assumptions;
  HY_VEC(hy_case_sizes) case_sizes;  // of the steps that open two, in their order
  HY_VEC(const hy_expr *) used;      // facts
  HY_VEC(hy_fact_set *) generations; // by number: the first so many eliminations
  hy_fact_set *set;
  // Of the proof that is being written: all eliminations of "set"; -1 in what shows that an atom equals its normal
  // form, where atoms stay as they are.
  int generation;
};

// The number of lemmas' nestings, and of steps of one certificate: more is given up.
enum { HY_PROOF_DEPTH = 400, HY_PROOF_STEPS = 20000 };

/* -- proof_lines.c -- */
const hy_written *hy_proof_term(hy_certificates *c, const hy_expr *expr); // NULL: given up
int hy_proof_formula(hy_certificates *c, const hy_expr *expr);            // 0: given up
int hy_proof_unknown(hy_certificates *c, const hy_atom *atom);
void hy_proof_print_poly(hy_certificates *c, const hy_poly *poly, hy_text *out);

/* -- proof_steps.c -- */
typedef struct hy_proof_mark {
  int height;
  size_t known, formulas, assumptions;
} hy_proof_mark;

int hy_proof_step(hy_certificates *c, const char *format, ...) HY_PRINTF(2, 3); // the new hypothesis
int hy_proof_add_up(hy_certificates *c, const hy_sum *sum);                     // a single summand stays as it is
int hy_proof_add_up_and_cut(hy_certificates *c, const hy_sum *sum);             // always a step of its own
void hy_proof_summand(hy_certificates *c, hy_sum *sum, const hy_poly *multiplier, int hypothesis);
// Shows poly >= 0: between the two the negation is assumed ("*assumed") and refuted.
hy_proof_mark hy_proof_have(hy_certificates *c, const hy_poly *poly, int *assumed);
int hy_proof_had(hy_certificates *c, hy_proof_mark mark);
void hy_proof_close(hy_certificates *c, int hypothesis);
// Shows poly >= 0 from definitions alone, by search; what was found is remembered under "key" unless that is NULL.
int hy_proof_search(hy_certificates *c, const hy_poly *poly, const void *key, uintptr_t detail);
int hy_proof_find(const hy_certificates *c, const void *key, uintptr_t detail); // -1 = not known
int hy_proof_note(hy_certificates *c, const void *key, uintptr_t detail, int hypothesis);
int hy_proof_of_formula(hy_certificates *c, const hy_expr *expr, bool polarity);
void hy_proof_learn(hy_certificates *c, hy_known_formula formula);
void hy_proof_refutation(hy_certificates *c, const hy_proof *proof);

/* -- proof_prune.c -- */
void hy_proof_prune(hy_certificates *c); // requires: the last step of "body" closes the last case

/* -- proof_rewrite.c -- */
// The polynomial with all atoms normal, and with the first "generation" eliminations applied; adds to "sum" what says
// that factor * (poly - result) == 0. NULL: given up.
const hy_poly *hy_proof_rewrite(hy_certificates *c, const hy_poly *poly, int generation, const hy_poly *factor,
                                hy_sum *sum);

#endif
