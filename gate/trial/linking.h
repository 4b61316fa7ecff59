#ifndef HY_LINKING_H
#define HY_LINKING_H

/* Is the shared object, which is run, the object that others link? */

#include "gate/inspect/inspect.h"

// Level 2: where this very program made the folder, its run-time library is this program's.
void hy_linking_judge_runtime(const hy_inspected *inspected, hy_gate_result *result);

// Level 2: the object of that target, linked again with the run-time library of the manifest, is the shared object, byte
// by byte. Nothing is said where this machine has another linker, another run-time library, or none for that target.
void hy_linking_judge(const hy_inspected *inspected, const char *target, hy_gate_result *result);

#endif
