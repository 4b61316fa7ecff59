#ifndef HY_PASSES_H
#define HY_PASSES_H

/* The passes over hole-free target programs, in the order of passes.def. Each is one file; each keeps the meaning of
 * programs whose obligations are proved, which the tests check by interpreting before and after.
 */

#include "codegen/codegen.h"

typedef const hy_tgt *hy_pass(hy_context *context, const hy_tgt *tgt);
#define HY_PASS(name, summary) hy_pass hy_pass_##name;
#include "passes/passes.def"
#undef HY_PASS

#endif
