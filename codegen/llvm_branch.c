#include "codegen/codegen_internal.h"

#include <string.h>

/* Branches. In a vectorized loop a condition may differ between lanes: if it holds in all of them, as it mostly does,
 * the body runs as if there were no branch; else under a mask, or lane by lane where the processor has no masks.
 */

// Emits a branch of its own, then continues at "after".
static void emit_branch(hy_frame *frame, LLVMBasicBlockRef block, const hy_stmt *stmt, LLVMBasicBlockRef after) {
  hy_frame_at(frame, block);
  hy_frame_scope scope = hy_frame_open(frame);
  if (stmt) hy_emit_stmt(frame, stmt);
  hy_frame_close(frame, scope);
  LLVMBuildBr(frame->builder, after);
}

static void emit_scalar_if(hy_frame *frame, const hy_stmt *stmt, LLVMValueRef condition) {
  LLVMBasicBlockRef then = hy_frame_block(frame, "then"), after = hy_frame_block(frame, "end.if");
  LLVMBasicBlockRef otherwise = stmt->branch.otherwise ? hy_frame_block(frame, "else") : after;
  LLVMBuildCondBr(frame->builder, condition, then, otherwise);
  emit_branch(frame, then, stmt->branch.then, after);
  if (stmt->branch.otherwise) emit_branch(frame, otherwise, stmt->branch.otherwise, after);
  hy_frame_at(frame, after);
}

// One arm under the lanes where "bits" is set, if there are any.
static void emit_masked_arm(hy_frame *frame, const hy_stmt *stmt, LLVMValueRef bits) {
  LLVMValueRef outer = frame->mask;
  LLVMValueRef mask = outer ? LLVMBuildAnd(frame->builder, outer, bits, "") : bits;
  LLVMBasicBlockRef some = hy_frame_block(frame, "some.lanes"), after = hy_frame_block(frame, "end.lanes");
  LLVMBuildCondBr(frame->builder, hy_emit_any_lane(frame, mask), some, after);
  frame->mask = mask;
  emit_branch(frame, some, stmt, after);
  frame->mask = outer;
  hy_frame_at(frame, after);
}

// GEN.Mask: a condition is a mask, on loads too (decision D45).
static void emit_masked_if(hy_frame *frame, const hy_stmt *stmt) {
  hy_context_hit(frame->emitter->context, HY_RULE_GEN_MASK);
  LLVMValueRef bits = hy_emit_vector(frame, hy_emit(frame, stmt->branch.condition), HY_BOOL);
  if (stmt->branch.condition->has_access) bits = LLVMBuildFreeze(frame->builder, bits, "");
  emit_masked_arm(frame, stmt->branch.then, bits);
  if (stmt->branch.otherwise) emit_masked_arm(frame, stmt->branch.otherwise, LLVMBuildNot(frame->builder, bits, ""));
}

/* -- lane by lane: for processors without masked loads and stores of the elements in question, and for what is heavy -- */

typedef struct mask_question {
  int least;
  bool pays;
} mask_question;

static void ask_access(void *self, const hy_expr *node) {
  mask_question *q = self;
  if (node->kind == HY_EXPR_ACCESS && (int)hy_type_bytes(node->type) < q->least) q->pays = false;
}

static void ask_stmt(mask_question *q, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSIGN) {
    hy_expr_visit(stmt->assign.rhs, ask_access, q);
    for (int i = 0; i < hy_func_parts(stmt->assign.func); i++)
      if ((int)hy_type_bytes(hy_func_type(stmt->assign.func, i)) < q->least) q->pays = false;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && q->pays; i++) ask_stmt(q, children[i]);
}

static bool masks_pay(const hy_frame *frame, const hy_stmt *stmt) {
  mask_question q = {frame->emitter->mask_bytes, frame->emitter->mask_bytes > 0 && !hy_is_heavy(frame, stmt, 1)};
  if (q.pays) ask_stmt(&q, stmt);
  return q.pays;
}

// The variables that differ between lanes, as they are in one of them.
static void bind_lane(hy_frame *frame, LLVMValueRef lane, size_t count) {
  hy_emitter *e = frame->emitter;
  for (size_t i = 0; i < count; i++) {
    hy_var_binding b = e->vars.data[i];
    if (b.frame != frame || b.lanes.shape == HY_UNIFORM) continue;
    LLVMValueRef value;
    if (b.lanes.shape == HY_RAMP) {
      LLVMValueRef distance = LLVMBuildMul(frame->builder, lane, hy_emit_i64(e, b.lanes.stride), "");
      value = LLVMBuildAdd(frame->builder, b.lanes.value, distance, "");
    } else {
      value = LLVMBuildExtractElement(frame->builder, b.lanes.value, lane, "");
      if (b.lanes.is_narrow) value = hy_widened(frame, value);
    }
    hy_frame_bind(frame, b.var, hy_lanes_uniform(value, frame->depth), b.definition);
  }
}

// What is known of lanes is not known of one lane: the body starts with an empty table.
static void lane_body(hy_frame *frame, LLVMValueRef lane, void *self) {
  hy_known_values *known = frame->known;
  int lanes = frame->lanes;
  frame->known = NULL;
  frame->lanes = 1;
  bind_lane(frame, lane, frame->emitter->vars.count);
  hy_emit_if(frame, self);
  hy_known_free(frame->known);
  frame->known = known;
  frame->lanes = lanes;
}

// GEN.Lane: the lanes one after the other, where masks do not pay.
// requires: no mask. The lanes of a pure loop are independent. LLVM shall not make vectors of this loop again.
static void emit_lane_by_lane(hy_frame *frame, const hy_stmt *stmt) {
  hy_emitter *e = frame->emitter;
  hy_context_hit(e->context, HY_RULE_GEN_LANE);
  LLVMValueRef lanes = hy_emit_i64(e, frame->lanes);
  hy_emit_loop_apart(frame, lanes, "lane", HY_LOOP_PLAIN, lane_body, (void *)stmt);
}

// The usual case is that all lanes take the branch: then the body needs no mask. Inside masks, only masks.
static void emit_lanes_if(hy_frame *frame, const hy_stmt *stmt) {
  if (frame->mask) {
    emit_masked_if(frame, stmt);
    return;
  }
  LLVMValueRef all = hy_emit_all_lanes(frame, stmt->branch.condition, stmt->branch.why == HY_IF_GUARD);
  LLVMBasicBlockRef fast = hy_frame_block(frame, "all.lanes"), slow = hy_frame_block(frame, "not.all.lanes");
  LLVMBasicBlockRef after = hy_frame_block(frame, "end.if");
  LLVMBuildCondBr(frame->builder, all, fast, slow);
  emit_branch(frame, fast, stmt->branch.then, after);
  hy_frame_at(frame, slow);
  hy_frame_scope scope = hy_frame_open(frame);
  frame->epoch++;
  if (masks_pay(frame, stmt))
    emit_masked_if(frame, stmt);
  else
    emit_lane_by_lane(frame, stmt);
  hy_frame_close(frame, scope);
  LLVMBuildBr(frame->builder, after);
  hy_frame_at(frame, after);
}

// Is the condition the same in every lane? Asked before anything is emitted for it.
void hy_emit_if(hy_frame *frame, const hy_stmt *stmt) {
  const hy_expr *condition = stmt->branch.condition;
  frame->epoch++;
  if (stmt->branch.why == HY_IF_IMPLIED) { // B.Pieces: it always holds
    hy_emit_stmt(frame, stmt->branch.then);
    return;
  }
  if (frame->lanes == 1) {
    LLVMValueRef bit =
        stmt->branch.why == HY_IF_SPECIALIZE ? hy_emit_checked(frame, condition) : hy_emit_uniform(frame, condition);
    emit_scalar_if(frame, stmt, condition->has_access ? LLVMBuildFreeze(frame->builder, bit, "") : bit);
    return;
  }
  hy_lanes lanes = hy_emit(frame, condition);
  if (lanes.shape == HY_UNIFORM)
    emit_scalar_if(frame, stmt, condition->has_access ? LLVMBuildFreeze(frame->builder, lanes.value, "") : lanes.value);
  else
    emit_lanes_if(frame, stmt);
}
