#ifndef HY_VALIDATE_H
#define HY_VALIDATE_H

/* Validation of each directive after it was applied: what it promised (hy_sched_order_class), against the program
 * before.
 *
 *   L0 structure  well-formed, printed and read back, holes kept, nothing else changed         decides
 *   L1 trace      the iterations of every stage, as lists of (pure key, rdom key)               on sampled inputs
 *   L2 output     both programs filled and interpreted: equal windows                           on sampled inputs
 *   L3 symbolic   coverage, range, uniqueness and order of the stage's loops; that what an      for all inputs, and all
 *                 rfactor combines in another order may be                                      fills
 *
 * A prefix of a schedule need not be legal as a final program (D38, D74): its loops run in order. That parallel
 * iterations write points of their own (L3: disjointness), and do so without a race (L2), is asked of the final one.
 *
 * Whether storage plans fold too much is no promise of a directive: B.Fold is asked of the final program, for all
 * inputs. L1 and L2 look at programs in which every point has a cell.
 *
 * A broken promise is a defect of Halyard. It never trusts the rewrite: it looks at the two programs alone.
 */

#include "sched/sched.h"
#include "semantics/alg/input.h"

typedef enum { HY_LEVEL_STRUCTURE, HY_LEVEL_TRACE, HY_LEVEL_OUTPUT, HY_LEVEL_SYMBOLIC, HY_LEVEL_COUNT } hy_level;
const char *hy_level_name(hy_level level); // "structure", "trace", "output", "symbolic"

// What L3 asks of the loops of a stage copy; each a number of questions.
typedef enum {
  HY_PROOF_COVERAGE,     // every point of Cpu has an iteration, named by the inverse map (B.Cover)
  HY_PROOF_RANGE,        // no iteration leaves the ranges of the stage's own variables
  HY_PROOF_UNIQUENESS,   // two iterations with equal variables of the stage are one
  HY_PROOF_ORDER,        // with equal pure variables, the reduction variables grow in the order of the loops
  HY_PROOF_DISJOINTNESS, // of the final program: two iterations of a parallel or vectorized loop differ in a pure
                         // variable
  HY_PROOF_REORDERING,   // of rfactor: what the update combines may be combined in another order
  HY_PROOF_COUNT
} hy_proof_kind;
const char *hy_proof_name(hy_proof_kind proof);

typedef enum {
  HY_LEVEL_NOT_DONE, // nothing to look at, not asked for, or no input could be used
  HY_LEVEL_KEPT,     // L0, L3: shown; L1, L2: seen on every input used
  HY_LEVEL_UNDECIDED,
  HY_LEVEL_BROKEN,
} hy_level_answer;

typedef struct hy_level_result {
  hy_level_answer answer;
  int inputs;        // L1, L2: how many were used; L0: 1 if the text was read back
  const char *story; // BROKEN: what is wrong; NOT_DONE: why, or NULL; in the context's arena
  bool emergency;    // UNDECIDED because Z3 was stopped, not by its steps (decision D73)
  double seconds;
} hy_level_result;

typedef struct hy_proof_result {
  size_t asked, proved, proved_z3, refuted, unknown;
} hy_proof_result;

typedef struct hy_validation {
  const hy_directive *directive; // BROKEN: the one to blame, which may be an earlier one
  hy_order_class promise;
  hy_level_result levels[HY_LEVEL_COUNT];
  hy_proof_result proofs[HY_PROOF_COUNT];
  uint64_t work; // of L1, L2 and the reading back
  double seconds;
} hy_validation;

// The first level that is broken; HY_LEVEL_COUNT if none is.
hy_level hy_validation_broken(const hy_validation *validation);

typedef struct hy_validate_options {
  const hy_input *const *inputs; // for L1 and L2; none = L0 and L3 alone
  int input_count;
  uint64_t step_limit; // assignments per run
  // What L1, L2 and the reading back of L0 may take for all directives, in the interpreter's units of work; shared
  // among them, so that each is looked at as far as its share goes. 0 = no limit.
  uint64_t work;
  // How many directives there are: what belongs to the final program (D38, D74) is asked after the last one. 0 = not
  // known: every program is judged as a final one.
  int steps;
  bool spares;       // what L3 has proved is looked at on one input only
  unsigned z3_limit; // per question to Z3
} hy_validate_options;

typedef struct hy_validator hy_validator;
// "first" is what lowering made (S_0). Options are copied, inputs are borrowed.
HY_GIVE hy_validator *hy_validator_new(hy_context *context, const hy_tgt *first, const hy_validate_options *options);
void hy_validator_free(HY_TAKE hy_validator *validator);
// Holds the directive that made "after" of the program before to its promise; "after" is then the program before.
void hy_validator_step(hy_validator *validator, const hy_directive *directive, const hy_tgt *after,
                       hy_validation *validation);

// L3 of an rfactor alone, for whoever asks nothing else of directives: may what the update of "before" combines be
// combined in another order? Of every other directive nothing is asked.
void hy_validate_reordering(hy_context *context, const hy_tgt *before, const hy_directive *directive, unsigned z3_limit,
                            hy_validation *validation);

// The program with every loop serial but the one over "keep" (may be NULL).
const hy_tgt *hy_serial_but(hy_context *context, const hy_tgt *tgt, const hy_var *keep);

// The program with a cell for every point: its storage plans without their folds.
const hy_tgt *hy_without_folds(hy_context *context, const hy_tgt *tgt);

/* names in messages (validate/names.c) */

// The loop whose name a variable called "x__1" would stand for, bound or not; NULL if it is called otherwise.
const hy_var *hy_old_name_base(hy_context *context, const hy_var *var);
// "x (old)" for "x__1", "x (old 2)" for "x__2"; "var" itself for any other.
const hy_var *hy_old_name(hy_context *context, const hy_var *var);

#endif
