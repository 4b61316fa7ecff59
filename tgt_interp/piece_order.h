#ifndef HY_PIECE_ORDER_H
#define HY_PIECE_ORDER_H

#include "semantics/tgt/tgt.h"

// TGT.Mon-Pieces: that a piece begins no earlier than the one in front of it in its run ends, or its loop begins, and
// that it stays in its loop.
//   requires: the piece (by identity) stands in "root"
const hy_expr *hy_piece_order(hy_context *context, const hy_stmt *root, const hy_stmt *piece);

#endif
