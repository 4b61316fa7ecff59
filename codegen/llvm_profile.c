/* Instructions for a profile (profile.h): which func is being computed, and how many points are. Nothing is emitted
 * unless hy_codegen_options.profile asks for it.
 */

#include "codegen/codegen_internal.h"
#include "codegen/profile.h"

/* -- what a thread is doing -- */

// Not moved and not left out by LLVM; the rest of the code may be moved around it.
static void set_doing(hy_frame *frame, LLVMValueRef doing) {
  LLVMValueRef store = LLVMBuildStore(frame->builder, doing, frame->record);
  LLVMSetOrdering(store, LLVMAtomicOrderingMonotonic);
  LLVMSetAlignment(store, 4);
  LLVMSetVolatile(store, true);
}

static LLVMValueRef number(hy_frame *frame, int64_t doing) {
  return LLVMConstInt(frame->emitter->i32, (uint64_t)doing, true);
}

static int64_t extra(hy_frame *frame, int which) { return (int64_t)hy_tgt_symbols(frame->emitter->tgt) + which; }

static bool is_timed(hy_frame *frame) { return frame->emitter->options.profile == HY_PROFILE_TIME; }

void hy_profile_frame(hy_frame *frame) {
  hy_emitter *e = frame->emitter;
  if (!e->options.profile) return;
  frame->record = hy_emit_runtime_call(frame, "hy_profile_record", e->pointer, NULL, 0);
  if (!is_timed(frame)) return;
  frame->before = LLVMBuildLoad2(frame->builder, e->i32, frame->record, "before");
  LLVMSetOrdering(frame->before, LLVMAtomicOrderingMonotonic);
  LLVMSetAlignment(frame->before, 4);
  frame->doing = frame->parent ? frame->parent->doing : extra(frame, HY_PROFILE_OTHER);
  set_doing(frame, number(frame, frame->doing));
}

void hy_profile_leave_frame(hy_frame *frame) {
  if (frame->before) set_doing(frame, frame->before);
}

// Computations of a few points are not told apart from what is around them: what a store costs there, and what LLVM
// leaves undone beside it, would be most of the time.
enum { FEW_POINTS = 64 };

static bool has_few_points(hy_frame *frame, const hy_stmt *compute) {
  int64_t points = 1;
  for (int d = 0; d < compute->compute.func->rank; d++) {
    hy_linear len = hy_linear_of(frame, compute->compute.box[d].len);
    if (len.count || len.constant > FEW_POINTS) return false;
    points *= len.constant;
    if (points > FEW_POINTS) return false;
  }
  return compute->compute.func->rank > 0;
}

int64_t hy_profile_compute(hy_frame *frame, const hy_stmt *compute) {
  int index = compute->compute.func->index;
  if (!is_timed(frame)) return frame->doing;
  if (!has_few_points(frame, compute)) return hy_profile_enter(frame, index);
  frame->emitter->untimed[index] = true;
  return frame->doing;
}

int64_t hy_profile_enter(hy_frame *frame, int64_t doing) {
  int64_t before = frame->doing;
  if (!is_timed(frame) || before == doing) return before;
  frame->doing = doing;
  set_doing(frame, number(frame, doing));
  return before;
}

int64_t hy_profile_wait(hy_frame *frame) { return hy_profile_enter(frame, extra(frame, HY_PROFILE_WAITING)); }

/* -- points -- */

// How many of the lanes store: at most 64 of them (GEN.Vector), widened first, for all of two lanes are more than two
// bits hold.
static LLVMValueRef active_lanes(hy_frame *frame) {
  hy_emitter *e = frame->emitter;
  if (!frame->mask) return hy_emit_i64(e, frame->lanes);
  LLVMTypeRef bits = LLVMIntTypeInContext(e->llvm, (unsigned)frame->lanes);
  LLVMValueRef mask = LLVMBuildBitCast(frame->builder, frame->mask, bits, "");
  mask = LLVMBuildIntCast2(frame->builder, mask, e->i64, false, "");
  return hy_emit_intrinsic(frame, "llvm.ctpop", &e->i64, 1, &mask, 1);
}

void hy_profile_count(hy_frame *frame, const hy_stmt *assign) {
  hy_emitter *e = frame->emitter;
  if (e->options.profile != HY_PROFILE_POINTS) return;
  int64_t counter = 2 * (int64_t)assign->assign.func->index + (assign->assign.stage > 0);
  LLVMValueRef at = hy_emit_i64(e, HY_PROFILE_COUNTERS / 8 + counter);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(frame->builder, e->i64, frame->record, &at, 1, "counter");
  LLVMValueRef old = LLVMBuildLoad2(frame->builder, e->i64, place, "");
  LLVMBuildStore(frame->builder, LLVMBuildAdd(frame->builder, old, active_lanes(frame), ""), place);
}
