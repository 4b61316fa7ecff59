#ifndef HY_MUTANT_H
#define HY_MUTANT_H

/* Faults that can be switched on, so that the tests can be tested: each row of mutants.def names one place of the code
 * where HY_MUTANT(name) undoes a rule, a side condition or a decision. docs/mutants.md says which test notices which.
 *
 * HY_MUTANT is constant false, and so compiled away, but in a build with HALYARD_MUTANTS. There the variable
 * HALYARD_MUTANT of the environment, read once before main begins, picks one; a name that is no row ends the process.
 */

#include <stdbool.h>

#ifdef HALYARD_MUTANTS
#define HY_MUTANT(name)                                                                                                \
  __extension__({                                                                                                      \
    extern bool hy_mutant_##name;                                                                                      \
    hy_mutant_##name;                                                                                                  \
  })
#else
#define HY_MUTANT(name) false
#endif

// Can faults be switched on in this build? Then its answers count for nothing.
bool hy_has_mutants(void);

#endif
