#include "codegen/codegen_internal.h"

/* GEN.Interleave: an unrolled loop over the channels of pixels that lie interleaved, inside of a vectorized loop over
 * pixels. Each iteration has a vector for every third element of one piece of memory: they are held until the last one
 * is there, and stored as one dense piece.
 */

enum { MOST_CHANNELS = 4 };

// Inside of the loop, past what neither asks nor repeats; NULL: there is more to it than an assignment.
static const hy_stmt *assignment_of(const hy_stmt *stmt, const hy_var *channel) {
  switch (stmt->kind) {
  case HY_STMT_ASSIGN: return stmt;
  case HY_STMT_LABEL: return assignment_of(stmt->label.body, channel);
  case HY_STMT_LET: return hy_expr_mentions(stmt->let.value, channel) ? NULL : assignment_of(stmt->let.body, channel);
  case HY_STMT_IF: return stmt->branch.why == HY_IF_IMPLIED ? assignment_of(stmt->branch.then, channel) : NULL;
  case HY_STMT_NOP:
  case HY_STMT_ASSUME:
  case HY_STMT_SEQ:
  case HY_STMT_ALLOCATE:
  case HY_STMT_FOR:
  case HY_STMT_COMPUTE: return NULL;
  }
  HY_UNREACHABLE();
}

static void see_func(void *self, const hy_expr *node) {
  const hy_func **func = self;
  if (node->kind == HY_EXPR_ACCESS && node->func == *func) *func = NULL;
}

static bool reads(const hy_expr *expr, const hy_func *func) {
  hy_expr_visit(expr, see_func, &func);
  return !func;
}

// One coordinate is the channel, whose neighbours lie side by side, and no other one depends on it. (In a folded
// dimension the neighbour of the last cell is the first.)
static bool is_channel(hy_frame *frame, const hy_stmt *assign, const hy_var *channel) {
  hy_storage storage = hy_frame_storage(frame, assign->assign.func, 0);
  if (hy_storage_is_folded(&storage)) return false;
  const hy_expr *variable = hy_expr_var(frame->emitter->context, channel);
  int found = 0;
  for (int d = 0; d < assign->assign.func->rank; d++) {
    const hy_expr *coordinate = assign->assign.lhs[d];
    if (coordinate == variable && !hy_storage_is_dense(&storage, d)) return false;
    if (coordinate == variable)
      found++;
    else if (hy_expr_mentions(coordinate, channel))
      return false;
  }
  return found == 1;
}

bool hy_interleave_begin(hy_frame *frame, const hy_stmt *loop, int64_t count, hy_interleaving *in) {
  if (frame->lanes == 1 || frame->mask || frame->accumulation || frame->interleaving) return false;
  if (count < 2 || count > MOST_CHANNELS || !loop->loop.is_pure) return false;
  const hy_stmt *assign = assignment_of(loop->loop.body, loop->loop.var);
  if (!assign || hy_func_parts(assign->assign.func) > 1 || reads(assign->assign.rhs, assign->assign.func)) return false;
  if (!is_channel(frame, assign, loop->loop.var)) return false;
  *in = (hy_interleaving){.func = assign->assign.func, .count = (int)count};
  frame->interleaving = in;
  return true;
}

bool hy_interleave_hold(hy_frame *frame, const hy_func *func, const hy_offset *offset, LLVMValueRef value) {
  hy_interleaving *in = frame->interleaving;
  if (!in || in->func != func || frame->mask || offset->shape != HY_RAMP || offset->known_stride != in->count)
    return false;
  in->offsets[in->held] = *offset;
  in->values[in->held++] = value;
  return true;
}

// "right" behind "left"; of one length.
static LLVMValueRef joined(hy_frame *frame, LLVMValueRef left, LLVMValueRef right, int count) {
  LLVMValueRef *items = hy_allocate((size_t)count * sizeof *items);
  for (int i = 0; i < count; i++) items[i] = LLVMConstInt(frame->emitter->i32, (uint64_t)i, false);
  LLVMValueRef mask = LLVMConstVector(items, (unsigned)count);
  hy_free(items);
  return LLVMBuildShuffleVector(frame->builder, left, right, mask, "");
}

// Element by element, one channel after the other: lane l of channel c is element l * count + c.
static LLVMValueRef interleaved(hy_frame *frame, const hy_interleaving *in) {
  int n = frame->lanes, all = n * in->count;
  LLVMValueRef left = in->values[0], right = in->values[1];
  int half = n; // lanes of each of the two
  if (in->count > 2) {
    LLVMValueRef last = in->count > 3 ? in->values[3] : LLVMGetPoison(LLVMTypeOf(right));
    half = 2 * n;
    left = joined(frame, left, right, half);
    right = joined(frame, in->values[2], last, half);
  }
  LLVMValueRef *items = hy_allocate((size_t)all * sizeof *items);
  for (int i = 0; i < all; i++) {
    int place = i % in->count * n + i / in->count; // behind each other in left, then right
    items[i] = LLVMConstInt(frame->emitter->i32, (uint64_t)place, false);
  }
  LLVMValueRef mask = LLVMConstVector(items, (unsigned)all);
  hy_free(items);
  return LLVMBuildShuffleVector(frame->builder, left, right, mask, "interleaved");
}

void hy_interleave_end(hy_frame *frame, hy_interleaving *in) {
  frame->interleaving = NULL;
  if (in->held == in->count) {
    hy_context_hit(frame->emitter->context, HY_RULE_GEN_INTERLEAVE);
    hy_emit_store_dense(frame, in->func, in->offsets[0].base, interleaved(frame, in));
    return;
  }
  for (int k = 0; k < in->held; k++) hy_emit_store_lanes(frame, in->func, &in->offsets[k], in->values[k]);
}
