#ifndef HY_PROOFS_TESTS_VALIDATIONS_H
#define HY_PROOFS_TESTS_VALIDATIONS_H

/* Per-directive validation on small inputs, for suites that have schedules. */

#include "proofs_tests/support/programs.h"
#include "validate/validate.h"

// A validator on a scheduled program's S_0 with some windows, images larger by "margin" on each side;
// "test_validator_close" frees it and its inputs.
typedef struct test_validator test_validator;
test_validator *test_validator_open(test_program *program, int64_t margin);
// The same for a whole schedule: what only final programs owe is asked after the last directive. "work": as options.
test_validator *test_validator_open_whole(test_program *program, int64_t margin, uint64_t work);
void test_validator_step(test_validator *validator, const hy_directive *directive, const hy_tgt *after,
                         hy_validation *validation);
void test_validator_close(test_validator *validator);

// Validates every directive of a scheduled program; fails the test where one does not keep its promise, or where a
// level was not reached. Returns how many questions of L3 were proved.
size_t test_validate(test_program *program, const char *what, int64_t margin);
// "L1 L3": the levels that are broken.
const char *test_broken_levels(const hy_validation *validation, char text[16]);

#endif
