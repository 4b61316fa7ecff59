#ifndef HY_ORACLE_H
#define HY_ORACLE_H

/* The bounds oracle (paper, section 7; decisions D41, D42, D51, D58, D61): fills the holes by interval analysis, and
 * decides the obligations of the result with the prover, with Z3 for what the prover leaves over or as a cross-check.
 *
 * The finder need not be trusted: whatever it fills in is judged by the obligations that bounds/query.h extracts.
 */

#include "bounds/query.h"
#include "oracle/prover/generalize.h"
#include "oracle/prover/prover.h"
#include "oracle/z3/z3_check.h"

// Fills every hole. NULL after reporting: an index that nothing bounds (501), or no solution (504, decision D58).
const hy_tgt *hy_oracle_fill(hy_context *context, const hy_tgt *scheduled, hy_diagnostics *diagnostics);
// The same; "*questions": how many were asked of the prover, which is what fills take their time for and is the same
// on every machine.
const hy_tgt *hy_oracle_fill_counted(hy_context *context, const hy_tgt *scheduled, hy_diagnostics *diagnostics,
                                     uint64_t *questions);

// What one access asks of the region of a func where that is computed, or of an image where the program is entered: both
// ends of each dimension, over what is known there. The region is the hull of what all accesses ask for.
typedef struct hy_asked {
  const hy_stmt *reader; // the assignment of the scheduled program
  const hy_expr *access;
  const hy_expr *low[HY_MAX_RANK], *high[HY_MAX_RANK]; // inclusive; without holes and loads
} hy_asked;
typedef struct hy_asked_list {
  const hy_asked *items; // of all funcs, then of all images
  size_t count;
} hy_asked_list;
// hy_oracle_fill, which tells what was asked for; nothing if there are no holes.
const hy_tgt *hy_oracle_fill_told(hy_context *context, const hy_tgt *scheduled, hy_asked_list *asked,
                                  hy_diagnostics *diagnostics);

typedef enum {
  HY_VERDICT_PROVED,    // by our prover
  HY_VERDICT_PROVED_Z3, // by Z3 alone
  HY_VERDICT_REFUTED,   // with a model
  HY_VERDICT_UNKNOWN,
} hy_verdict;
const char *hy_verdict_name(hy_verdict verdict);

typedef struct hy_decision {
  const hy_obligation *obligation;
  hy_verdict verdict;
  hy_generalization how;     // PROVED: of what question
  bool dead;                 // PROVED because its place is never reached: the facts contradict each other (D62)
  bool contested;            // cross-check only: the prover said yes and Z3 found a model: a defect of Halyard
  const char *model;         // REFUTED: "x.len = 1, w = 0, h.s0.x = 3"; NULL otherwise
  const hy_z3_value *values; // REFUTED: the same, for a replay
  size_t value_count;
  bool is_small;     // REFUTED: no smaller model was found (halyard/minimise.h)
  unsigned z3_asked; // within which limit (times HY_Z3_STEPS) Z3 was asked; 0: it was not asked
  bool too_large;    // UNKNOWN because the question is larger than what Z3 is asked
  bool emergency;    // UNKNOWN because Z3 was ended by an emergency, not by its steps (decision D73)
} hy_decision;

typedef struct hy_oracle_report {
  const hy_decision *decisions;
  size_t count;
  size_t proved, proved_z3, refuted, unknown, contested;
  size_t dead; // of the proved ones
  size_t emergencies;
  bool vacuous;   // the entry facts are unsatisfiable (D62)
  double seconds; // of deciding, Z3 included
} hy_oracle_report;

// Told again and again, while many obligations are decided, how many are: by Halyard's prover, then of those that Z3 is
// asked about by Z3.
typedef void hy_oracle_progress(void *self, bool by_z3, size_t done, size_t count);

typedef struct hy_oracle_options {
  // Ask Z3 about everything, not only about what is left over. Of what our prover has shown it is asked with all its
  // steps until it has no answer to 6 questions, and then with a tenth until it has none to 24 more: those it cannot
  // decide are alike.
  bool cross_check;
  // Steps per question to Z3, times HY_Z3_STEPS. Unless cross-checking, a tenth of it once one has no answer: nothing
  // proves the program any more. No more questions after 6 more of those. Who gives it less than HY_HASTY has many
  // programs to ask about: then it is asked until it has no answer to one, of more than 24 only about the first 6, and
  // not about numbers that may not fit 64 bits once one is known that does not.
  unsigned z3_limit;
  // What stays open is not the end of it, since a run will check it: one more that is decided is one less to check. The
  // tenth begins after 24 without an answer, and ends 60 later.
  bool each_counts;
  hy_oracle_progress *progress; // NULL: nobody wants to know
  void *progress_self;
} hy_oracle_options;
enum { HY_HASTY = 100 };

// Ours first; what it leaves over, or everything when cross-checking, goes to Z3: what Z3's answer makes of a decision.
// A point that was evaluated stays a refutation, a model of Z3 outweighs a proof of ours, and unknown stays unknown.
void hy_oracle_settle(hy_context *context, hy_decision *decision, const hy_z3_verdict *z3);

// A point where the facts hold and the goal does not, from the prover's samples: HY_NO with its model. False if none
// is.
bool hy_oracle_sample(hy_context *context, hy_prover *prover, const hy_obligation *obligation, hy_z3_verdict *verdict);

// What a usual look leaves open, at a long one: by a prover that has seen nothing else. "*how": of what question.
bool hy_oracle_look_longer(hy_context *context, const hy_obligation *obligation, hy_generalization *how);

// Do the facts contradict each other? Our prover is asked; then, where they have products or quotients of unknowns and
// no sample meets them, Z3 within "z3_limit" and no more than a few steps. True is exact; false says nothing.
bool hy_oracle_contradictory(hy_context *context, hy_prover *prover, const hy_expr *const *facts, size_t fact_count,
                             unsigned z3_limit);

void hy_oracle_decide(hy_context *context, const hy_query *query, const hy_oracle_options *options,
                      hy_oracle_report *report);

// Our prover alone, as far as the first obligation that it does not prove: YES if there is none; NO: a point refutes
// that one; UNKNOWN otherwise, and if the entry facts are unsatisfiable. What a report of a similar program, in the
// same context, proves is not asked again; NULL = none.
hy_answer hy_oracle_accepts(hy_context *context, const hy_query *query, const hy_oracle_report *known);

// Our prover alone: does a program that owes "query" owe nothing that is not proved, beyond what another one, in the same
// context, owes as well? What a usual look leaves open gets a longer one, each obligation its own; after a few of these
// in vain, which are "left", it ends. NO: a point refutes one, and UNKNOWN, with nothing left, if the entry facts are
// unsatisfiable.
enum { HY_MOST_LEFT = 2 };
typedef struct hy_oracle_left {
  const hy_obligation *open[HY_MOST_LEFT];
  size_t count;
} hy_oracle_left;
hy_answer hy_oracle_accepts_beside(hy_context *context, const hy_query *query, const hy_query *owed,
                                   hy_oracle_left *left);

#endif
