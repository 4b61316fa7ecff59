#ifndef HY_JUDGE_H
#define HY_JUDGE_H

/* What one case shows: is the pair legal, do all engines agree, is B(S) decided? */

#include "fuzz/case.h"
#include "fuzz/generate.h"

enum { HY_LANE_INTERPRET = 1, HY_LANE_QUERY = 2, HY_LANE_NATIVE = 4, HY_LANE_CROSS = 8 };

typedef enum {
  HY_FOUND_NOTHING,
  HY_FOUND_REFUSED,     // the schedule is refused with a diagnostic, or an index is unbounded: no failure
  HY_FOUND_UNUSABLE,    // no input of the case meets the entry checks, or every run was too long
  HY_FOUND_VACUOUS,     // the entry facts exclude every input: an image is read outside of its own box, say
  HY_FOUND_NO_SOLUTION, // nothing fills the holes (decision D58): a weakness, or reads that chase each other
  HY_FOUND_OVERFLOW,    // an index or bound may not fit 64 bits in an absurd window (decision D26): no failure
  HY_FOUND_UNDECIDED,   // some obligation is UNKNOWN: a weakness, not a failure
  // failures, the worse the later
  HY_FOUND_REFUTED,       // the oracle's own fills break an obligation
  HY_FOUND_INVALID,       // the generator's algorithm is refused: a defect of the generator
  HY_FOUND_ACCEPTED,      // an illegal schedule is accepted
  HY_FOUND_SILENT,        // refused without a diagnostic
  HY_FOUND_REFUSES_INPUT, // an engine refuses an input whose entry checks hold
  HY_FOUND_NATIVE,        // native code differs
  HY_FOUND_CONTRACT,      // the monitor saw a broken contract
  HY_FOUND_DISAGREE,      // the target program differs from the algorithm
  HY_FOUND_CONTESTED,     // prover and Z3 contradict each other
  HY_FOUND_HANG,
  HY_FOUND_CRASH,
} hy_found;
enum { HY_FOUND_COUNT = HY_FOUND_CRASH + 1 };
const char *hy_found_name(hy_found found);
static inline bool hy_found_is_failure(hy_found found) { return found >= HY_FOUND_REFUTED; }

typedef struct hy_judgement {
  hy_found found;
  int code;  // of the diagnostic, for HY_FOUND_REFUSED and _NO_SOLUTION
  int rule;  // hy_obligation_kind of the first one refuted or undecided, hy_contract of a broken contract; else 0
  int input; // which input shows it
  int step;  // the first prefix of the schedule that shows it, -1 = not looked for
  int obligations, proved, proved_z3, refuted, unknown;
  int runs;        // of target programs and native code that were compared
  int errors;      // inputs whose every point has an error value by the algorithm
  uint64_t points; // compared
  double fill_seconds, decide_seconds;
  char detail[600]; // what was expected and what came, for people
} hy_judgement;

// "first_step": look for the first prefix that shows it. The judgement of the worst thing found.
void hy_judge(const hy_case *c, unsigned lanes, bool first_step, hy_judgement *judgement);
// The same in a child process, so that crashes and hangs are findings.
void hy_judge_apart(const hy_case *c, unsigned lanes, bool first_step, hy_judgement *judgement);
// Do two judgements show the same defect?
bool hy_judgement_same(const hy_judgement *a, const hy_judgement *b);

/* generate.c: the case of a seed */
void hy_case_generate(uint64_t seed, hy_case *c, hy_walk *walk, hy_judgement *judgement);
// Candidates that are a little smaller, tried until nothing smaller shows the same.
void hy_shrink(hy_case *c, unsigned lanes, hy_judgement *judgement, double seconds);

#endif
