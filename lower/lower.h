#ifndef HY_LOWER_H
#define HY_LOWER_H

/* L : Alg -> Tgt? (paper, section 6, rebuilt from its prose and Figure 1(c); RULES.md, LOW.*).
 *
 * Every func that the output reaches becomes a top-level compute statement, in the order of definition, with its own
 * allocation before it. All bounds are holes (definition 6.3); the entry block holds the checks of decision D25.
 */

#include "semantics/tgt/tgt.h"

// Funcs that the output does not reach draw a warning and are not lowered.
const hy_tgt *hy_lower(hy_context *context, const hy_alg *alg, hy_diagnostics *diagnostics);

// The holes of a func, in definition 6.3's terms.
hy_interval hy_lower_mem(hy_context *context, const hy_func *func, int dim);
hy_interval hy_lower_cpu(hy_context *context, const hy_func *func, int dim);
hy_interval hy_lower_need(hy_context *context, const hy_func *image, int dim);

#endif
