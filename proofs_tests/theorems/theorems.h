#ifndef HY_PROOFS_TESTS_THEOREMS_H
#define HY_PROOFS_TESTS_THEOREMS_H

/* What the tests of the paper's theorems share: the programs that they speak of, inputs, members of BI(S), and what to
 * look at in a run.
 *
 * The programs are apps/ with every schedule, the programs of the paper's figures and of golden/, and pairs of fuzz/'s
 * generator, from seeds that every test prints.
 */

#include "fuzz/judge/judge.h"
#include "proofs_tests/support/programs.h"
#include "sched/sched.h"
#include "semantics/base/vec.h"
#include "tgt_interp/tgt_interp.h"

/* -- programs -- */

enum { THEOREM_SEED = 2020 }; // the first generated pair has this seed, the next one more

typedef struct theorem_program {
  test_program test; // scheduled, and its whole schedule filled
  char name[80];
  hy_case pair; // of a generated program
  bool is_generated;
  char *alg, *schedules; // texts of the others
} theorem_program;

int theorem_written(void); // how many programs people wrote; the generated ones come after them
// Opens the program number "index". False, with nothing to close: a generated pair that is refused, or has no fills.
bool theorem_open(int index, theorem_program *program);
// The same; schedules of generated pairs are to hold directives of a kind (hy_sched_number; HY_NO_DIRECTIVE: of any).
bool theorem_open_favouring(int index, int favourite, theorem_program *program);
void theorem_close(theorem_program *program);
// A program of this text, which must be legal and have fills.
void theorem_open_text(theorem_program *program, const char *alg, const char *items);
// The fills of S_i; NULL if there are none.
const hy_tgt *theorem_fill(theorem_program *program, int step);

/* -- members of BI(S) -- */

typedef struct theorem_verdict {
  size_t obligations, proved, by_z3, refuted, unknown;
} theorem_verdict;
// Is the filled program in BI(S): does our prover, which can write the proof down, show every obligation of B(S)?
bool theorem_member(theorem_program *program, const hy_tgt *filled, theorem_verdict *verdict);
// Does the prover alone show them all, those of one kind left out (-1: none)? Stops at the first that it does not.
bool theorem_accepted_but(theorem_program *program, const hy_tgt *filled, int kind);

// The scheduled program with other fills: those of "filled" with every box of func k, by hy_func.index, wider by low[k]
// below and high[k] above; its allocation by "spare" more on each side. Negative numbers make boxes narrower.
const hy_tgt *theorem_refill(theorem_program *program, const hy_tgt *scheduled, const hy_tgt *filled,
                             const int64_t *low, const int64_t *high, int64_t spare);
// The shape of wider fills: by constants; by the box's own length on either side; rounded out to whole blocks; the hull
// with an interval that has nothing to do with it.
typedef enum { THEOREM_CONSTANTS, THEOREM_LENGTHS, THEOREM_BLOCKS, THEOREM_HULLS, THEOREM_SHAPES } theorem_shape;
// Wider fills, by more for what is read by more: with the program's own fills a narrowing pair (definition 7.3). Of the
// shape, or if those are not shown to be in BI(S) by constants, which "shape" then says. NULL if neither is.
const hy_tgt *theorem_widened(theorem_program *program, const hy_tgt *scheduled, const hy_tgt *filled,
                              theorem_shape *shape);

/* -- inputs -- */

enum { THEOREM_INPUTS = 3, THEOREM_STEPS = 60000 };
typedef struct theorem_input {
  hy_value params[8];
  hy_buffer *images[8];
  int image_count;
  int64_t min[HY_MAX_WINDOW], len[HY_MAX_WINDOW];
  hy_input input;
  uint64_t seed;
} theorem_input;
// The input number "index": images are as large as "filled" needs them. False, with nothing to close: the entry checks
// cannot be met.
bool theorem_input_open(theorem_program *program, const hy_tgt *filled, int index, theorem_input *input);
void theorem_input_close(theorem_input *input);

/* -- runs -- */

typedef struct theorem_run {
  hy_run_status status;
  hy_contract contract;
  hy_assume_kind failed; // HY_RUN_ASSUME
  bool differs;          // from the algorithm, in the window
  bool has_error;        // some point of the algorithm's window has one
  uint64_t points;       // compared
} theorem_run;
// Runs a hole-free program under the monitor, and the algorithm. False: one of them takes too long.
bool theorem_execute(theorem_program *program, const hy_tgt *filled, const theorem_input *input, uint64_t seed,
                     theorem_run *run);
// Does the run show that the program is wrong: a broken contract, another output, or an entry check that fails though
// the input meets them all? A user's own bound may fail (decision D43).
bool theorem_run_is_wrong(const theorem_run *run);
// Does some input show it?
bool theorem_some_run_is_wrong(theorem_program *program, const hy_tgt *filled, uint64_t seed);

// What a buffer holds on Cpu when its computation ends. Values lie in the order of memory, first dimension fastest.
typedef struct theorem_execution {
  const hy_func *func;
  int64_t env[16]; // the loop variables around the compute, outermost first
  int depth;
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  size_t count;
  hy_value *values; // NULL: Cpu is empty
  bool undefined;   // some point was never written
} theorem_execution;
typedef struct theorem_executions {
  HY_VEC(theorem_execution) all;
  bool too_long;
} theorem_executions;
void theorem_watch(theorem_program *program, const hy_tgt *filled, const theorem_input *input,
                   theorem_executions *executions);
void theorem_executions_free(theorem_executions *executions);
// The first execution that does not hold what the algorithm says of its func on Cpu (lemma 7.6); NULL if all do.
const theorem_execution *theorem_contents_differ(theorem_program *program, const theorem_input *input,
                                                 const theorem_executions *executions, uint64_t *points);

/* -- the theorems of section 8, a phase each (theorem_phase.c) -- */

enum { THEOREM_DIRECTIVES = 32 }; // kinds of them
typedef struct theorem_phase {
  int programs, directives, members, runs;
  size_t obligations, questions; // proved by our prover: of B(S_i+1); of L3
  size_t by_z3;                  // of L3, of generated programs, by Z3 alone
  // By directive, of those whose S_i is in BI(S_i) with the oracle's fills: how many, and of how many S_i+1 is not.
  int provable[THEOREM_DIRECTIVES], lost[THEOREM_DIRECTIVES];
  uint64_t points, contents; // compared: of outputs; of computations
} theorem_phase;
// For every directive of the phase, in every program that has one: it keeps its promise (L0, and L3 for all inputs),
// and S_i+1 is confluent with P: with the oracle's fills, judged by B(S_i+1), it is run in order and compared with the
// algorithm, outputs and contents of every computation. Fails the test where it is not so.
theorem_phase theorem_look_at_phase(hy_phase phase, int generated);
// Of each kind of directive, how many lose the proof that S_i has; fails the test where it is more than a few.
void theorem_phase_keeps(const char *statement, const theorem_phase *all);
// The line that a phase's test prints: what was proved, what was sampled, on how much.
void theorem_phase_note(const char *statement, const theorem_phase *all, int generated);
// A directive made by hand, for the rewrites that apply it without asking whether it is legal: about the func, at or on
// the loop "loop" of stage "stage" of "of" in its specialization "spec".
hy_directive theorem_directive(theorem_program *program, const hy_directive_type *type, const char *func,
                               const char *of, int spec, int stage, const char *loop);
// The program with every loop in order: how prefixes of a schedule are run (D38).
const hy_tgt *theorem_in_order(hy_context *context, const hy_tgt *tgt);

/* -- broken programs -- */

typedef const hy_stmt *theorem_change(hy_context *context, const hy_stmt *stmt);
// Bottom-up, every statement is put through "change".
const hy_tgt *theorem_edit(hy_context *context, const hy_tgt *tgt, theorem_change *change);

/* -- broken twins (theorem_twins.c) -- */

// Programs that break one rule each, of those whose ids stand in "rules" with blanks between: the judge of the rule
// sees it.
void theorem_twins_are_seen(const char *rules);

#endif
