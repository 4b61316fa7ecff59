#include "codegen/codegen_internal.h"

#include <stdio.h>

/* A parallel loop: its body becomes a function over a range of iterations; what it uses from outside travels in a
 * closure on the caller's stack. Only values can be captured, and captures never change, so loads from closures are
 * invariant.
 */

static void loop_body(hy_frame *frame, LLVMValueRef count, void *self) {
  const hy_stmt *loop = self;
  hy_frame_bind_loop(frame, loop->loop.var, LLVMGetParam(frame->function, 1), count);
  hy_emit_stmt(frame, loop->loop.body);
}

static LLVMValueRef declare_task(hy_emitter *e, const hy_stmt *loop) {
  LLVMTypeRef params[] = {e->pointer, e->i64, e->i64};
  char name[128];
  snprintf(name, sizeof name, "task.%d.%.80s", e->function_count++, loop->loop.var->name);
  LLVMValueRef task = LLVMAddFunction(e->module, name, LLVMFunctionType(e->i32, params, 3, false));
  LLVMSetLinkage(task, LLVMInternalLinkage);
  return task;
}

// ensures: the list of what the task captures is complete
static hy_frame *emit_task(hy_frame *frame, const hy_stmt *loop, LLVMValueRef task) {
  hy_frame *inner = hy_frame_new(frame->emitter, frame, task);
  LLVMBasicBlockRef start = hy_frame_block(inner, "start");
  hy_frame_at(inner, start);
  hy_profile_frame(inner);
  LLVMValueRef len = LLVMBuildNSWSub(inner->builder, LLVMGetParam(task, 2), LLVMGetParam(task, 1), "");
  hy_emit_loop(inner, len, loop->loop.var->name, hy_advice_for(inner, loop->loop.body), loop_body, (void *)loop);
  hy_frame_finish(inner, start);
  return inner;
}

static LLVMValueRef fill_closure(hy_frame *frame, const hy_frame *inner) {
  hy_emitter *e = frame->emitter;
  LLVMTypeRef type = LLVMArrayType2(e->i64, inner->imports.count ? inner->imports.count : 1);
  LLVMValueRef closure = LLVMBuildAlloca(frame->entry_builder, type, "closure");
  for (size_t i = 0; i < inner->imports.count; i++) {
    LLVMValueRef index = hy_emit_i64(e, (int64_t)i);
    LLVMValueRef slot = LLVMBuildInBoundsGEP2(frame->builder, e->i64, closure, &index, 1, "");
    LLVMBuildStore(frame->builder, inner->imports.data[i].outer, slot);
  }
  return closure;
}

// GEN.Parallel: iterations are tasks in any order; the first that fails ends the run (8.2, D38).
void hy_emit_parallel(hy_frame *frame, const hy_stmt *loop) {
  hy_emitter *e = frame->emitter;
  hy_context_hit(e->context, HY_RULE_GEN_PARALLEL);
  LLVMValueRef min = hy_emit_uniform(frame, loop->loop.interval.min),
               len = hy_emit_uniform(frame, loop->loop.interval.len);
  LLVMValueRef task = declare_task(e, loop);
  hy_frame *inner = emit_task(frame, loop, task);
  LLVMValueRef args[] = {min, len, task, fill_closure(frame, inner)};
  hy_frame_free(inner);
  const char *run = e->options.guard ? "hy_guard_parallel_for" : "hy_runtime_parallel_for";
  int64_t doing = hy_profile_wait(frame);
  LLVMValueRef status = hy_emit_runtime_call(frame, run, e->i32, args, 4);
  hy_profile_enter(frame, doing);
  LLVMBasicBlockRef bad = hy_frame_block(frame, "failed"), good = hy_frame_block(frame, "done");
  LLVMBuildCondBr(frame->builder, LLVMBuildIsNull(frame->builder, status, ""), good, bad);
  hy_frame_at(frame, bad);
  hy_emit_fail(frame, status);
  hy_frame_at(frame, good);
}
