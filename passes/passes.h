#ifndef HY_PASSES_H
#define HY_PASSES_H

/* The passes over hole-free target programs, in the order of passes.def. Each is one file; each keeps the meaning of
 * programs whose obligations are proved, which the tests check by interpreting before and after.
 */

#include "semantics/tgt/tgt.h"

typedef const hy_tgt *hy_pass(hy_context *context, const hy_tgt *tgt);
#define HY_PASS(name, summary) hy_pass hy_pass_##name;
#include "passes/passes.def"
#undef HY_PASS

// The program as the emitter gets it: every pass applied, in order. "dump" (may be NULL) sees the program after each.
typedef void hy_passes_dump(void *self, const char *pass, const hy_tgt *tgt);
const hy_tgt *hy_passes(hy_context *context, const hy_tgt *tgt, hy_passes_dump *dump, void *self);

#endif
