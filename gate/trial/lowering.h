#ifndef HY_LOWERING_H
#define HY_LOWERING_H

/* Is the target program what becomes of algorithm and schedule? The inputs of level 2 sample that; lowering them again
 * shows it, where this Halyard knows how.
 */

#include "gate/inspect/inspect.h"

// Level 2: texts are in their canonical form, and lowered, scheduled and filled again they are the program, before the
// passes or after them. Of a program by hand, and of one that was made with plug-ins or checks at run time, nothing is
// said.
void hy_lowering_judge(const hy_inspected *inspected, hy_gate_result *result);

#endif
