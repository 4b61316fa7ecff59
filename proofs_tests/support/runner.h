#ifndef HY_PROOFS_TESTS_RUNNER_H
#define HY_PROOFS_TESTS_RUNNER_H

#include "semantics/base/base.h"

// A line about the running suite that the test run prints below its result: what was proved or sampled, on how much.
void test_note(const char *format, ...) HY_PRINTF(1, 2);

#endif
