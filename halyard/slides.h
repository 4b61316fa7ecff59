#ifndef HY_SLIDES_H
#define HY_SLIDES_H

/* Sliding windows that nobody asked for: what a chain stores outside of the serial loop in which it computes it,
 * f.store_at(g, y).compute_at(g, yi), is meant to be found there by the next iteration, as in Halide. So it slides
 * along that loop, and its storage is folded to as few cells as hold what is needed at a time: the directives "slide" and
 * "fold_storage" as if they had been written (DIR.Slide, DIR.Fold-Storage), where all that the program then owes is
 * proved. Else the program stays as it was written.
 */

#include "halyard/pipeline.h"

// Adds the directives to "core" and "steps", and fills the program with them: "filled" and "asked". False, and nothing
// has changed, if there are none.
//   requires: hy_pipeline_schedule said true
bool hy_slides_add(hy_pipeline *pipeline);

// Warns, once, of what might have slid by itself, and does not because what it would owe was not proved.
//   requires: hy_pipeline_check said HY_YES
void hy_slides_report(const hy_pipeline *pipeline, hy_diagnostics *diagnostics);

#endif
