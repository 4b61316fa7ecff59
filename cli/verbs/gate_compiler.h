#ifndef HY_GATE_COMPILER_H
#define HY_GATE_COMPILER_H

/* Level 0 as far as it takes the compiler: what is made of texts is held against what shipped. */

#include "cli/verbs/gate_flow.h"

// requires: level 0 read the manifest
hy_status hy_gate_look_at_sources(hy_gate *gate);
void hy_gate_rebuild(hy_gate *gate);

#endif
