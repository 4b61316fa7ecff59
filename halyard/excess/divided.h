#ifndef HY_EXCESS_DIVIDED_H
#define HY_EXCESS_DIVIDED_H

/* Quotients by what is not known to be positive: x / n has no bounds that follow x as long as n may be 0, and then a
 * region is as large as numbers are.
 */

#include "halyard/pipeline.h"

// The divisor of a quotient in the index that may be 0, for all that ranges tell; NULL: there is none.
const hy_expr *hy_divided_by(const hy_pipeline *pipeline, const hy_expr *index);
// The same of what the func is read at, where the bounds of that are numbers.
const hy_expr *hy_divided_region(const hy_pipeline *pipeline, const hy_func *func);
// "a quotient by n has bounds that follow what is divided only where that is known to be positive: write .."
void hy_divided_tell(const hy_pipeline *pipeline, const hy_expr *divisor, hy_text *out);

#endif
