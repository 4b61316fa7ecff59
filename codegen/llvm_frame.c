#include "codegen/codegen_internal.h"

#include <string.h>

/* -- life -- */

hy_frame *hy_frame_new(hy_emitter *emitter, hy_frame *parent, LLVMValueRef function) {
  hy_frame *frame = hy_allocate_zeroed(1, sizeof *frame);
  frame->emitter = emitter;
  frame->parent = parent;
  frame->function = function;
  frame->closure = LLVMGetParam(function, 0);
  frame->depth = parent ? parent->depth : 0;
  frame->lanes = 1;
  frame->builder = LLVMCreateBuilderInContext(emitter->llvm);
  frame->entry_builder = LLVMCreateBuilderInContext(emitter->llvm);
  LLVMPositionBuilderAtEnd(frame->entry_builder, hy_frame_block(frame, "entry"));
  frame->status = LLVMBuildAlloca(frame->entry_builder, emitter->i32, "status");
  LLVMBuildStore(frame->entry_builder, LLVMConstInt(emitter->i32, 0, false), frame->status);
  frame->fail = hy_frame_block(frame, "leave");
  return frame;
}

// The outermost "leave" block returns whatever status stands.
void hy_frame_finish(hy_frame *frame, LLVMBasicBlockRef start) {
  hy_emitter *e = frame->emitter;
  LLVMBuildBr(frame->builder, frame->fail);
  LLVMBuildBr(frame->entry_builder, start);
  hy_frame_at(frame, frame->fail);
  hy_profile_leave_frame(frame);
  LLVMBuildRet(frame->builder, LLVMBuildLoad2(frame->builder, e->i32, frame->status, ""));
}

void hy_frame_free(hy_frame *frame) {
  LLVMDisposeBuilder(frame->builder);
  LLVMDisposeBuilder(frame->entry_builder);
  hy_vec_free(&frame->imports);
  hy_known_free(frame->known);
  hy_free(frame);
}

LLVMBasicBlockRef hy_frame_block(hy_frame *frame, const char *name) {
  return LLVMAppendBasicBlockInContext(frame->emitter->llvm, frame->function, name);
}

void hy_frame_at(hy_frame *frame, LLVMBasicBlockRef block) { LLVMPositionBuilderAtEnd(frame->builder, block); }

/* -- captures -- */

// A load from the closure in the entry block. The slot is filled by the parallel loop, once all are known.
static LLVMValueRef load_import(hy_frame *frame, LLVMValueRef outer) {
  hy_emitter *e = frame->emitter;
  LLVMValueRef index = hy_emit_i64(e, (int64_t)frame->imports.count);
  LLVMValueRef slot = LLVMBuildInBoundsGEP2(frame->entry_builder, e->i64, frame->closure, &index, 1, "");
  LLVMValueRef inner = LLVMBuildLoad2(frame->entry_builder, LLVMTypeOf(outer), slot, "captured");
  LLVMSetMetadata(inner, e->invariant_kind, e->invariant);
  return inner;
}

LLVMValueRef hy_frame_import(hy_frame *frame, hy_frame *owner, LLVMValueRef value) {
  if (frame == owner || LLVMIsConstant(value)) return value;
  HY_ASSERT(frame->parent);
  LLVMValueRef outer = hy_frame_import(frame->parent, owner, value);
  for (size_t i = 0; i < frame->imports.count; i++)
    if (frame->imports.data[i].outer == outer) return frame->imports.data[i].inner;
  LLVMValueRef inner = load_import(frame, outer);
  hy_vec_push(&frame->imports, (hy_import){outer, inner});
  return inner;
}

/* -- variables and storage -- */

void hy_frame_bind(hy_frame *frame, const hy_var *var, hy_lanes lanes, const hy_expr *definition) {
  hy_vec_push(&frame->emitter->vars, (hy_var_binding){var, frame, lanes, definition, NULL, NULL});
}

void hy_frame_bind_loop(hy_frame *frame, const hy_var *var, LLVMValueRef first, LLVMValueRef count) {
  LLVMValueRef value = LLVMBuildNSWAdd(frame->builder, first, count, var->name);
  hy_frame_bind(frame, var, hy_lanes_uniform(value, frame->depth), NULL);
  hy_vec_last(&frame->emitter->vars).first = first;
  hy_vec_last(&frame->emitter->vars).count = count;
}

const hy_var_binding *hy_frame_find_var(hy_frame *frame, const hy_var *var) {
  hy_emitter *e = frame->emitter;
  for (size_t i = e->vars.count; i-- > 0;)
    if (e->vars.data[i].var == var) return &e->vars.data[i];
  HY_DIE("variable %s is not in scope", var->name);
}

static bool is_bound(const hy_frame *frame, const hy_var *var) {
  const hy_emitter *e = frame->emitter;
  for (size_t i = e->vars.count; i-- > 0;)
    if (e->vars.data[i].var == var) return true;
  return false;
}

typedef struct binding_question {
  const hy_frame *frame;
  bool all_bound;
} binding_question;

static void ask_variable(void *self, const hy_expr *node) {
  binding_question *q = self;
  if (node->kind == HY_EXPR_VAR) q->all_bound &= is_bound(q->frame, node->var);
}

bool hy_frame_can_compute(const hy_frame *frame, const hy_expr *expr) {
  binding_question q = {frame, true};
  hy_expr_visit(expr, ask_variable, &q);
  return q.all_bound;
}

hy_lanes hy_frame_var(hy_frame *frame, const hy_var *var) {
  const hy_var_binding *binding = hy_frame_find_var(frame, var);
  hy_lanes lanes = binding->lanes;
  lanes.value = hy_frame_import(frame, binding->frame, lanes.value);
  return lanes;
}

void hy_emit_alignment(hy_emitter *e, LLVMValueRef load, int64_t align) {
  if (align <= 1 || !LLVMIsALoadInst(load)) return;
  LLVMMetadataRef number = LLVMValueAsMetadata(hy_emit_i64(e, align));
  LLVMSetMetadata(load, e->align_kind, LLVMMetadataAsValue(e->llvm, LLVMMDNodeInContext2(e->llvm, &number, 1)));
}

hy_storage hy_frame_storage(hy_frame *frame, const hy_func *func, int part) {
  hy_emitter *e = frame->emitter;
  for (size_t i = e->storages.count; i-- > 0;) {
    if (e->storages.data[i].func != func || e->storages.data[i].part != part) continue;
    hy_storage s = e->storages.data[i];
    s.data = hy_frame_import(frame, s.frame, s.data);
    hy_emit_alignment(e, s.data, s.align);
    s.origin = hy_frame_import(frame, s.frame, s.origin);
    for (int d = 0; d < func->rank; d++) s.stride[d] = hy_frame_import(frame, s.frame, s.stride[d]);
    s.frame = frame;
    return s;
  }
  HY_DIE("%s is not allocated where it is accessed", func->name);
}

/* -- values known so far -- */

void hy_known_free(hy_known_values *known) {
  if (!known) return;
  hy_id_map_end(&known->numbers);
  hy_vec_free(&known->list);
  hy_free(known);
}

const hy_lanes *hy_frame_known(hy_frame *frame, const hy_expr *expr) {
  const uintptr_t *number = frame->known ? hy_id_map_find(&frame->known->numbers, expr->id) : NULL;
  if (!number) return NULL;
  const hy_known_value *k = &frame->known->list.data[*number];
  return !expr->has_access || k->epoch == frame->epoch ? &k->lanes : NULL;
}

void hy_frame_learn(hy_frame *frame, const hy_expr *expr, hy_lanes lanes) {
  hy_known_value k = {expr, lanes, frame->epoch};
  if (!frame->known) {
    frame->known = hy_allocate_zeroed(1, sizeof *frame->known);
    hy_id_map_begin(&frame->known->numbers);
  }
  const uintptr_t *number = hy_id_map_find(&frame->known->numbers, expr->id);
  if (number) {
    frame->known->list.data[*number] = k;
    return;
  }
  *hy_id_map_put(&frame->known->numbers, expr->id) = frame->known->list.count;
  hy_vec_push(&frame->known->list, k);
}

static size_t known_count(const hy_frame *frame) { return frame->known ? frame->known->list.count : 0; }

hy_frame_scope hy_frame_open(hy_frame *frame) {
  return (hy_frame_scope){known_count(frame), frame->emitter->vars.count, frame->emitter->storages.count};
}

void hy_frame_close(hy_frame *frame, hy_frame_scope scope) {
  while (known_count(frame) > scope.known)
    hy_id_map_drop(&frame->known->numbers, hy_vec_pop(&frame->known->list).expr->id);
  frame->emitter->vars.count = scope.vars;
  frame->emitter->storages.count = scope.storages;
}
