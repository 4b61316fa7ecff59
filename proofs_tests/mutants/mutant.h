#ifndef HY_MUTANT_H
#define HY_MUTANT_H

/* Faults that can be switched on, so that the tests can be tested: each row of mutants.def names a place of the code
 * where HY_MUTANT(name) undoes a rule, a side condition or a decision. docs/mutants.md says which test notices which.
 *
 * Only a build with HALYARD_MUTANTS sees this: there rows.py puts it into copies of the sources. The variable
 * HALYARD_MUTANT of the environment, read once before main begins, picks a fault; a name that is no row ends the
 * process.
 */

#include <stdbool.h>

#ifdef HALYARD_MUTANTS_APART // in the run-time library of built pipelines, where there is nothing else of ours
#include <stdlib.h>
#include <string.h>
#define HY_MUTANT_ROW(name, folder, undoes, lanes, tests, text) HY_MUTANT_NUMBER_##name,
enum { // so that only rows have names
#include "proofs_tests/mutants/mutants.def"
};
#undef HY_MUTANT_ROW
static inline bool hy_mutant_is(int number, const char *name) {
  const char *wanted = getenv("HALYARD_MUTANT");
  return number >= 0 && wanted && strcmp(wanted, name) == 0;
}
#define HY_MUTANT(name) hy_mutant_is(HY_MUTANT_NUMBER_##name, #name)
#else
#define HY_MUTANT(name)                                                                                                \
  __extension__({                                                                                                      \
    extern bool hy_mutant_##name;                                                                                      \
    hy_mutant_##name;                                                                                                  \
  })
#endif

#endif
