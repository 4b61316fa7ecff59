#ifndef HY_PROOFS_TESTS_PROGRAMS_H
#define HY_PROOFS_TESTS_PROGRAMS_H

/* Programs as text, taken through the pipeline and run on small inputs: what the suites of sched/, bounds/ and oracle/
 * share. */

#include "halyard/pipeline.h"

#include <check.h>

typedef struct test_program {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source alg_source, sched_source;
  hy_pipeline pipeline;
  bool parsed;
} test_program;

// "items" are the directives alone; NULL or "" = the default schedule. Nothing is asserted: look at the diagnostics.
void test_program_open(test_program *program, const char *alg, const char *items);
void test_program_close(test_program *program);
// The diagnostics as text; valid until the next call.
const char *test_program_said(const test_program *program);
// The code of the first error, 0 if there is none.
int test_program_code(const test_program *program);

// Appends the algorithm as it is printed, written out; fails the test where it is refused.
void test_algorithm_print(const char *alg, hy_text *out);

// Runs a hole-free program and the algorithm on one input: every int parameter is "parameter", images hold random
// elements in a box far larger than the window, the window is [min, min + len) in every dimension. Fails the test where
// they differ, where the shadow monitor sees a broken contract, or where two scrambles of fresh memory differ.
//   returns: how many points were compared
uint64_t test_program_compare(test_program *program, const hy_tgt *filled, int64_t parameter, int64_t min, int64_t len,
                              const char *what);
// Runs a hole-free program by both evaluators of the target language, in both modes and with several seeds, that is,
// garbages and interleavings. Fails the test where they differ, error kinds included, or where either sees a broken
// contract.
//   returns: how many points were compared
uint64_t test_program_compare_literal(test_program *program, const hy_tgt *filled, int64_t parameter, int64_t min,
                                      int64_t len, const char *what);
// Does the shadow monitor see a broken contract on that input?
bool test_program_breaks(test_program *program, const hy_tgt *filled, int64_t parameter, int64_t min, int64_t len);

#endif
