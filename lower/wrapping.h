#ifndef HY_WRAPPING_H
#define HY_WRAPPING_H

/* Sums that wrap and are then divided, shifted right or converted to a type that would have held them: legal, and hardly
 * meant. (in(x) + in(x + 1)) / 2 of u8 is no average. Of integers of 8 and 16 bits alone: hashes and the like, which are
 * to wrap, are computed in wider ones.
 */

#include "semantics/tgt/tgt.h"

// Warns of each such sum of a func that is computed, once for each place of the text. tgt: as lowered.
void hy_wrapping_report(hy_context *context, const hy_tgt *tgt, hy_diagnostics *diagnostics);

#endif
