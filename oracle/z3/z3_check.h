#ifndef HY_Z3_CHECK_H
#define HY_Z3_CHECK_H

/* Z3 as cross-check and fallback: the only door to z3.h. A question of record runs in a fresh context, in a forked
 * worker, with a limit on the steps that Z3 counts itself, so that an answer depends neither on history nor on how fast
 * or how busy the machine is (decision D73). A worker that does not end by its steps is killed when it has used a lot
 * of processor time, or after a very long time: an emergency, which is UNKNOWN and says so.
 */

#include "semantics/expr/expr.h"

// How a context has its questions asked (hy_context_set_solver).
enum {
  HY_Z3_HELPER, // as above: the answers of record
  HY_Z3_HERE,   // in this process, one after the other: nothing is forked, and nothing ends a search but its steps
  HY_Z3_NOBODY, // not at all: every answer is HY_UNKNOWN
};

typedef struct hy_z3_question {
  const hy_expr *const *facts;
  size_t fact_count;
  const hy_expr *goal; // same language as hy_prover_holds
} hy_z3_question;

typedef struct hy_z3_value {
  const hy_expr *unknown; // a variable or opaque node of the question
  int64_t value;
} hy_z3_value;

typedef struct hy_z3_verdict {
  hy_answer answer;
  // HY_NO: a model. Arena of the context; values outside 64 bits turn the answer into HY_UNKNOWN.
  const hy_z3_value *model;
  size_t model_count;
  uint64_t steps; // that Z3 counted; 0: it was not asked, or did not come to an end by itself
  bool too_large; // HY_UNKNOWN because the question is larger than what Z3 is asked (HY_Z3_MOST_NODES, ..)
  bool emergency; // HY_UNKNOWN because the worker was killed, died or could not be started
  double seconds;
} hy_z3_verdict;

// A limit speaks of so many steps for each: about what takes Z3 a millisecond on a quiet machine.
enum { HY_Z3_STEPS = 1000 };

// The limit where nobody says another. What Z3 has answered in the tests, the applications and campaigns, and nobody
// else had, took it less than half of that; of what the prover knows as well, one answer in two thousand took more.
enum { HY_Z3_USUAL = 400 };

// Z3 is not asked about more distinct nodes, facts and goal together, or products of more unknowns. What the tests, the
// applications and campaigns had answered was at most a quarter of that.
enum { HY_Z3_MOST_NODES = 600, HY_Z3_MOST_DEGREE = 8, HY_Z3_FEW_DIVISIONS = 16 };

// When a worker is stopped: after so many seconds of a processor on one question, or after so many seconds of the clock
// (a process that does not even wake up: after a minute). 0 and NULL: the usual ones, of a processor ten times what
// steps take on a quiet machine (on a busy one they take three times as long), and a second at least: some searches of
// Z3 go on for minutes within one step. Tests have clocks of their own.
typedef struct hy_z3_emergency {
  double processor_seconds, wall_seconds;
  double (*clock)(void);
} hy_z3_emergency;
enum { HY_Z3_WALL_SECONDS = 1200 };
void hy_z3_set_emergency(const hy_z3_emergency *emergency); // for all that follows; NULL = the usual ones

// Answers many independent questions, each within "z3_limit" (times HY_Z3_STEPS). verdicts[i] answers questions[i]. A
// worker that dies gives HY_UNKNOWN for what it was at; the rest is still answered.
void hy_z3_check(hy_context *context, const hy_z3_question *questions, size_t count, unsigned z3_limit,
                 hy_z3_verdict *verdicts);
// Told while questions wait for answers, many times a second: how many have one.
typedef struct hy_z3_watch {
  void (*tell)(void *self, size_t settled, size_t count);
  void *self;
} hy_z3_watch;

// The same until so many of the first ones have stayed without an answer; what comes after those is not asked, and is
// HY_UNKNOWN, too. "watch" may be NULL.
void hy_z3_check_until(hy_context *context, const hy_z3_question *questions, size_t count, unsigned z3_limit,
                       size_t most_unknown, const hy_z3_watch *watch, hy_z3_verdict *verdicts);

// The same question as SMT-LIB text that other solvers accept too: (set-logic ...), declarations, (assert ...),
// (check-sat).
void hy_z3_print_smtlib(hy_context *context, const hy_z3_question *question, const char *comment, hy_text *out);

// "x.len = 1, h.s0.x = 3", in the context's arena.
const char *hy_oracle_print_model(hy_context *context, const hy_z3_verdict *verdict);

const char *hy_z3_version(void);

#endif
