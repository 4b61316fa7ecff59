#ifndef HY_CHAINED_H
#define HY_CHAINED_H

/* The chained spelling of a schedule, as a person who comes from Halide writes it: it is read back, and must make the
 * same program as the core directives.
 */

#include "halyard/pipeline.h"

// What the core directives of a scheduled program say, in chains where there is a chained spelling. "swaps": reorder is
// used for a swap, too, which only names loops of one nest.
//   ensures: read back, the text desugars to the same program; false: two branches of a func have one condition
bool hy_chained_print(hy_context *context, const hy_pipeline *pipeline, bool swaps, hy_text *out);

#endif
