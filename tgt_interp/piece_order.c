#include "tgt_interp/piece_order.h"

// The piece in front of it in its run; NULL: it is the first.
static const hy_stmt *find_before(const hy_stmt *stmt, const hy_stmt *piece) {
  const hy_stmt *const *children, *room[2], *found = NULL;
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !found; i++) {
    bool follows = i > 0 && stmt->kind == HY_STMT_SEQ && children[i] == piece;
    if (follows && hy_stmt_run(children + i - 1, 2) == 2) return children[i - 1];
    found = find_before(children[i], piece);
  }
  return found;
}

const hy_expr *hy_piece_order(hy_context *context, const hy_stmt *root, const hy_stmt *piece) {
  const hy_stmt *before = find_before(root, piece);
  hy_interval own = piece->loop.interval, whole = piece->loop.piece->whole;
  const hy_expr *from =
      before ? hy_index_add(context, before->loop.interval.min, before->loop.interval.len) : whole.min;
  const hy_expr *begins = hy_expr_binary(context, HY_OP_LE, from, own.min);
  const hy_expr *whole_end = hy_index_add(context, whole.min, whole.len);
  const hy_expr *ends = hy_expr_binary(context, HY_OP_LE, hy_index_add(context, own.min, own.len), whole_end);
  return hy_expr_binary(context, HY_OP_AND, begins, ends);
}
