#include "codegen/codegen_internal.h"

/* GEN.Assume: assumptions are checked where they stand, defined and true (D27), else the run ends with the number of
 * the first that fails (D25, D43). The entry's are all computed, then tested by one branch: nothing that they are made
 * of traps, and which one failed is asked only then.
 */

static bool is_checked(const hy_stmt *assume) {
  return assume->assume.why != HY_ASSUME_CONSTRAIN; // the former are proved
}

// Goes on where "holds"; the block for where it does not is left for the caller to fill.
static LLVMBasicBlockRef branch(hy_frame *frame, LLVMValueRef holds) {
  LLVMBasicBlockRef bad = hy_frame_block(frame, "fails"), good = hy_frame_block(frame, "holds");
  LLVMBuildCondBr(frame->builder, holds, good, bad);
  hy_frame_at(frame, bad);
  return good;
}

static LLVMValueRef status_of(hy_frame *frame, const hy_stmt *assume) {
  hy_emitter *e = frame->emitter;
  return LLVMConstInt(e->i32, (uint64_t)hy_emitter_assumption(e, assume), false);
}

void hy_emit_assume(hy_frame *frame, const hy_stmt *stmt) {
  if (!is_checked(stmt)) return;
  hy_context_hit(frame->emitter->context, HY_RULE_GEN_ASSUME);
  frame->epoch++;
  LLVMBasicBlockRef good = branch(frame, hy_emit_checked(frame, stmt->assume.condition));
  hy_emit_fail(frame, status_of(frame, stmt));
  hy_frame_at(frame, good);
}

typedef struct batch {
  const hy_stmt **assumptions;
  LLVMValueRef *bits, all;
  int count;
} batch;

// Tests what has been computed.
static void test(hy_frame *frame, batch *b) {
  if (!b->count) return;
  LLVMBasicBlockRef good = branch(frame, b->all);
  LLVMValueRef status = status_of(frame, b->assumptions[b->count - 1]);
  for (int i = b->count - 1; i-- > 0;)
    status = LLVMBuildSelect(frame->builder, b->bits[i], status, status_of(frame, b->assumptions[i]), "");
  hy_emit_fail(frame, status);
  hy_frame_at(frame, good);
  b->count = 0;
}

static void compute(hy_frame *frame, batch *b, const hy_stmt *assume) {
  const hy_expr *condition = assume->assume.condition;
  if (condition->has_access) test(frame, b); // the images must be as large as they should
  hy_context_hit(frame->emitter->context, HY_RULE_GEN_ASSUME);
  frame->epoch++;
  // What the ones before say may be used: if it is not so, it is they that fail first.
  LLVMValueRef bit = hy_emit_checked(frame, condition);
  b->all = b->count ? LLVMBuildAnd(frame->builder, b->all, bit, "") : bit;
  b->assumptions[b->count] = assume;
  b->bits[b->count++] = bit;
  hy_range_learn(frame->emitter, condition);
}

void hy_emit_entry(hy_frame *frame) {
  const hy_tgt *tgt = frame->emitter->tgt;
  batch b = {.assumptions = hy_allocate((size_t)(tgt->entry_count + 1) * sizeof *b.assumptions),
             .bits = hy_allocate((size_t)(tgt->entry_count + 1) * sizeof *b.bits)};
  // All numbers first, so that the assumptions have theirs in the order of the text.
  for (int i = 0; i < tgt->entry_count; i++) hy_emitter_assumption(frame->emitter, tgt->entry[i]);
  for (int i = 0; i < tgt->entry_count; i++)
    if (is_checked(tgt->entry[i])) compute(frame, &b, tgt->entry[i]);
  test(frame, &b);
  hy_free(b.assumptions);
  hy_free(b.bits);
}
