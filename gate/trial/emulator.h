#ifndef HY_EMULATOR_H
#define HY_EMULATOR_H

/* Objects for other machines. Of the shipped object, the run-time library and emulated/runner.c the cross compiler of
 * Debian makes a program for that machine, which QEMU runs; remote.c calls the object there.
 */

#include "gate/manifest/result.h"
#include "semantics/alg/alg.h"

typedef struct hy_emulator {
  const char *target; // as --target has it
  const char *compiler, *emulator;
  const char *packages; // Debian's, in a sentence
} hy_emulator;

// NULL: no emulator is known for that target.
const hy_emulator *hy_emulator_find(const char *target);

// Compiler and emulator can be run.
bool hy_emulator_is_here(const hy_emulator *emulator);

// The program; "name" is the pipeline's. Not PASSED, with *why, a sentence's end that stays until the next call on this
// thread: WRONG where the same program is linked with a pipeline of a line of C, so that the object is to blame; else
// UNDECIDED.
hy_gate_verdict hy_emulator_link(const hy_emulator *emulator, const hy_text *object, const char *name,
                                 const hy_alg *alg, hy_text *program, const char **why);

// Such a program, with a line of C in the place of a pipeline, begins to run here.
bool hy_emulator_runs(const hy_emulator *emulator, const char *name, const hy_alg *alg);

#endif
