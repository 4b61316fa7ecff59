#ifndef HY_COPIES_H
#define HY_COPIES_H

/* What is said of a func that the schedule has spread over the specializations of its consumer (SCH.Spread), told once.
 *
 * g.compute_at(o, y) makes copies of g that nobody wrote, g_o_z1 and the like, one for each specialization of o. What is
 * wrong with them is wrong with what the schedule says of g.
 */

#include "halyard/pipeline.h"

// Of the diagnostics from "first" on, which are of this pipeline: those that differ in the copy alone become one, which
// names the func that was written, and says that it is of copies. What speaks of no copy stays as it is.
void hy_copies_tell_once(const hy_pipeline *pipeline, hy_diagnostics *diagnostics, size_t first);

// "'g'"; of a copy that nobody wrote "'g' (in o.z1)".
void hy_copies_print(const hy_pipeline *pipeline, const hy_func *func, hy_text *out);

// What a func that the schedule made is a copy of, a wrapper or a clone of an image or a func of the algorithm say; any
// other is itself.
const hy_func *hy_copies_original(const hy_pipeline *pipeline, const hy_func *func);

// One call of a schedule may be at fault many times: f.update(k).vectorize(x) in a loop of the text, for each update. Of
// the errors from "first" on that have one code and one place the first few stay, and a note says how many more there are.
void hy_alike_tell_a_few(hy_diagnostics *diagnostics, size_t first);

#endif
