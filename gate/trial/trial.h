#ifndef HY_TRIAL_H
#define HY_TRIAL_H

/* Level 2: the shipped object itself is loaded, in a process of its own (of other machines: linked, and run by an
 * emulator there), and run on inputs of awkward sizes and contents, between unmapped pages, with buffers of all layouts, on 1, 2 and more threads; what it computes is the
 * target program's meaning and the algorithm's, bit for bit; bounds queries and refusals are asked, too.
 */

#include "gate/inspect/inspect.h"
#include "gate/trial/emulator.h"
#include "halyard/arguments.h"
#include "halyard/pipeline.h"

typedef struct hy_trial_wishes {
  uint64_t seed;
  int inputs;
  hy_gate_shard shard; // whose inputs: the unit is an input
} hy_trial_wishes;

// requires: level 0 read the manifest. Checks go to the result.
void hy_trial_run(hy_context *context, const hy_inspected *inspected, const hy_trial_wishes *wishes,
                  hy_gate_result *result);

/* -- inside: one input, and what it has to give -- */

typedef struct hy_trial_case {
  int number;
  hy_arguments arguments;
  hy_buffer *expected; // of each output; owned
} hy_trial_case;

typedef struct hy_trial {
  hy_context *context;
  const hy_alg *alg;    // the signature
  const hy_tgt *filled; // for what is needed of images
  HY_VEC(hy_trial_case) cases;
  const char *name; // of the function
} hy_trial;

// child.c. What a child process has to say; the last words of one that dies may be missing.
typedef struct hy_trial_answer {
  hy_gate_verdict verdict; // PASSED, WRONG; UNDECIDED: it could not be run
  // With an emulator, UNDECIDED: it did not begin to run it. A number: the process of an object may write anything.
  int32_t is_unheard;
  uint64_t runs, points, refusals;
  char story[600];
  char input[300], wanted[100], given[100]; // WRONG: what was run; of a value: which it has to be, and which it is
} hy_trial_answer;

// What is run: a shared object; where there is an emulator, the program that hy_emulator_link made.
typedef struct hy_trial_code {
  const hy_text *bytes;
  const hy_emulator *emulator; // NULL: this machine runs it
} hy_trial_code;

// Runs all cases of the code on so many threads, in a child. "questions": bounds queries and refusals, too.
void hy_trial_ask(const hy_trial *trial, const hy_trial_code *code, int threads, bool questions,
                  hy_trial_answer *answer);

// The file that says what a program means: the algorithm, or a target program by hand.
const char *hy_trial_meaning_file(const hy_inspected *inspected);

#endif
