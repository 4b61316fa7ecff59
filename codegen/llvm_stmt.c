/* Statements as code: loops in the way that each is traversed, lets, assignments (TGT.Assign-Parts), and sequences with
 * the storage that ends with them. Parallel loops, branches and versions of blocks have files of their own.
 *
 * GEN.Unroll, GEN.Vector (decision D45): the copies of an unrolled body, and all lanes at once. A loop that cannot be
 * traversed as it says, because its length is no constant, its body does not fit lanes, or the copies would be too
 * many, runs serially.
 */

#include "codegen/codegen_internal.h"

enum { LARGEST_VECTOR = 64, LARGEST_UNROLL = 256, MANY_COPIES = 64 };

void hy_emit_fail(hy_frame *frame, LLVMValueRef status) {
  LLVMBuildStore(frame->builder, status, frame->status);
  LLVMBuildBr(frame->builder, frame->fail);
}

/* -- loops -- */

// Tested at the end, as LLVM wants them: if (0 < len) do { ... } while (++count < len).
void hy_emit_loop(hy_frame *frame, LLVMValueRef len, const char *name, hy_loop_advice advice, hy_loop_body *body,
                  void *self) {
  hy_emitter *e = frame->emitter;
  LLVMValueRef zero = hy_emit_i64(e, 0);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(frame->builder);
  LLVMBasicBlockRef loop = hy_frame_block(frame, "loop"), after = hy_frame_block(frame, "end.loop");
  LLVMBuildCondBr(frame->builder, LLVMBuildICmp(frame->builder, LLVMIntSLT, zero, len, ""), loop, after);
  hy_frame_at(frame, loop);
  LLVMValueRef count = LLVMBuildPhi(frame->builder, e->i64, name);
  hy_frame_scope scope = hy_frame_open(frame);
  bool outer = frame->scattered;
  frame->scattered = false;
  frame->depth++;
  body(frame, count, self);
  frame->depth--;
  bool vectors = !frame->scattered;
  frame->scattered = outer;
  hy_frame_close(frame, scope);
  LLVMValueRef next = LLVMBuildAdd(frame->builder, count, hy_emit_i64(e, 1), "");
  LLVMSetNSW(next, true);
  LLVMSetNUW(next, true);
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(frame->builder);
  LLVMValueRef again = LLVMBuildICmp(frame->builder, LLVMIntSLT, next, len, "");
  hy_advise_loop(e, LLVMBuildCondBr(frame->builder, again, loop, after), advice, vectors);
  LLVMAddIncoming(count, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){before, latch}, 2);
  hy_frame_at(frame, after);
}

void hy_emit_loop_apart(hy_frame *frame, LLVMValueRef len, const char *name, hy_loop_advice advice, hy_loop_body *body,
                        void *self) {
  hy_accumulation *around = frame->accumulation;
  if (hy_accumulation_skips(frame)) return;
  frame->accumulation = NULL;
  hy_emit_loop(frame, len, name, advice, body, self);
  frame->accumulation = around;
}

static bool has_loop(const hy_stmt *stmt) {
  int64_t len;
  if (stmt->kind == HY_STMT_FOR && !(hy_expr_is_int(stmt->loop.interval.len, &len) && len <= 1)) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (has_loop(children[i])) return true;
  return false;
}

// How often its assignments stand in the code that is made of it, at least.
static int64_t copies_in(const hy_stmt *stmt) {
  int64_t most = 1, len;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) {
    int64_t copies = copies_in(children[i]);
    if (copies > most) most = copies;
  }
  bool unrolled = stmt->kind == HY_STMT_FOR && stmt->loop.traversal == HY_UNROLLED &&
                  hy_expr_is_int(stmt->loop.interval.len, &len) && len > 0 && len <= LARGEST_UNROLL;
  return unrolled && most * len <= HY_MOST_COPIES ? most * len : most;
}

// Where the schedule makes many copies LLVM makes no more: it takes time with the square of their number.
hy_loop_advice hy_advice_for(const hy_frame *frame, const hy_stmt *body) {
  if (frame->emitter->is_compact || frame->emitter->copies * copies_in(body) > MANY_COPIES) return HY_LOOP_PLAIN;
  return frame->lanes > 1 || has_loop(body) ? HY_LOOP_OUTER : HY_LOOP_FREE;
}

typedef struct serial {
  const hy_stmt *loop;
  LLVMValueRef min;
} serial;

static void serial_body(hy_frame *frame, LLVMValueRef count, void *self) {
  const serial *s = self;
  hy_frame_bind_loop(frame, s->loop->loop.var, s->min, count);
  hy_emit_stmt(frame, s->loop->loop.body);
}

static void emit_serial(hy_frame *frame, const hy_stmt *loop) {
  serial s = {loop, hy_emit_uniform(frame, loop->loop.interval.min)};
  LLVMValueRef len = hy_emit_uniform(frame, loop->loop.interval.len);
  hy_loop_advice advice = hy_advice_for(frame, loop->loop.body);
  if (loop->loop.is_pure)
    hy_emit_loop_apart(frame, len, loop->loop.var->name, advice, serial_body, &s);
  else
    hy_emit_loop(frame, len, loop->loop.var->name, advice, serial_body, &s);
}

// Iteration k, as if it were no loop's.
static void emit_iteration(hy_frame *frame, const hy_stmt *loop, const hy_expr *min, int64_t k) {
  hy_context *context = frame->emitter->context;
  hy_frame_scope scope = hy_frame_open(frame);
  const hy_expr *index = k ? hy_expr_binary(context, HY_OP_ADD, min, hy_expr_int(context, k)) : min;
  hy_frame_bind(frame, loop->loop.var, hy_emit(frame, index), index->has_access ? NULL : index);
  hy_emit_stmt(frame, loop->loop.body);
  hy_frame_close(frame, scope);
}

// GEN.Unroll: the iterations one after the other (decision D45).
static void emit_unrolled(hy_frame *frame, const hy_stmt *loop, int64_t count) {
  hy_context *context = frame->emitter->context;
  hy_context_hit(context, HY_RULE_GEN_UNROLL);
  const hy_expr *min = loop->loop.interval.min;
  frame->emitter->copies *= count;
  size_t mark = hy_accumulation_mark(frame);
  hy_interleaving interleaving;
  bool holds = hy_interleave_begin(frame, loop, count, &interleaving);
  for (int64_t k = 0; k < count; k++) {
    if (!loop->loop.is_pure) hy_accumulation_again(frame, mark);
    emit_iteration(frame, loop, min, k);
  }
  if (holds) hy_interleave_end(frame, &interleaving);
  frame->emitter->copies /= count;
}

/* -- vectorized loops (decision D45) -- */

static bool mentions_any(const hy_expr *expr, const hy_var *const *vars, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (hy_expr_mentions(expr, vars[i])) return true;
  return false;
}

// Can the body run on lanes: nothing allocated, assumed, parallel or vectorized inside, inner bounds the same in every
// lane? Legal schedules guarantee it; a program that is not so runs serially.
static bool fits_lanes(const hy_stmt *stmt, hy_var_list *varying) {
  size_t outer = varying->count;
  switch (stmt->kind) {
  case HY_STMT_NOP:
  case HY_STMT_ASSIGN: return true;
  case HY_STMT_ASSUME:
  case HY_STMT_ALLOCATE: return false;
  case HY_STMT_FOR:
    if (stmt->loop.traversal == HY_PARALLEL || stmt->loop.traversal == HY_VECTORIZED) return false;
    if (mentions_any(stmt->loop.interval.min, varying->data, varying->count)) return false;
    if (mentions_any(stmt->loop.interval.len, varying->data, varying->count)) return false;
    break;
  case HY_STMT_LET:
    if (mentions_any(stmt->let.value, varying->data, varying->count)) hy_vec_push(varying, stmt->let.var);
    break;
  case HY_STMT_SEQ:
  case HY_STMT_IF:
  case HY_STMT_COMPUTE:
  case HY_STMT_LABEL: break;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  bool fits = true;
  for (int i = 0; i < count && fits; i++) fits = fits_lanes(children[i], varying);
  varying->count = outer;
  return fits;
}

static bool is_vectorizable(const hy_frame *frame, const hy_stmt *loop) {
  if (frame->lanes > 1) return false;
  hy_var_list varying = {0};
  hy_vec_push(&varying, loop->loop.var);
  bool fits = fits_lanes(loop->loop.body, &varying);
  hy_vec_free(&varying);
  return fits;
}

// "lanes" iterations at once, from "base" on.
static void emit_lanes(hy_frame *frame, const hy_stmt *loop, LLVMValueRef base, int depth, int lanes) {
  hy_frame_scope scope = hy_frame_open(frame);
  hy_lanes index = {.value = base, .shape = lanes > 1 ? HY_RAMP : HY_UNIFORM, .stride = lanes > 1, .depth = depth};
  frame->lanes = lanes;
  frame->epoch++;
  hy_frame_bind(frame, loop->loop.var, index, NULL);
  hy_emit_stmt(frame, loop->loop.body);
  frame->lanes = 1;
  frame->epoch++;
  hy_frame_close(frame, scope);
}

typedef struct pieces {
  const hy_stmt *loop;
  LLVMValueRef min;
} pieces;

static LLVMValueRef piece_at(hy_frame *frame, const pieces *p, int64_t first) {
  return first ? LLVMBuildNSWAdd(frame->builder, p->min, hy_emit_i64(frame->emitter, first), "") : p->min;
}

static void piece_body(hy_frame *frame, LLVMValueRef count, void *self) {
  const pieces *p = self;
  LLVMValueRef distance = LLVMBuildNSWMul(frame->builder, count, hy_emit_i64(frame->emitter, LARGEST_VECTOR), "");
  emit_lanes(frame, p->loop, LLVMBuildNSWAdd(frame->builder, p->min, distance, ""), frame->depth, LARGEST_VECTOR);
}

// GEN.Vector: per assignment instance all lanes' loads before all lanes' stores (decision D45). The lanes of a pure
// loop are independent, so a loop that is wider than any register runs in pieces, and so does one whose lanes are no
// vector that a processor has.
static void emit_vectorized(hy_frame *frame, const hy_stmt *loop, int64_t count) {
  hy_emitter *e = frame->emitter;
  hy_context_hit(e->context, HY_RULE_GEN_VECTOR);
  e->has_vectors = true;
  hy_lanes min = hy_emit(frame, loop->loop.interval.min);
  pieces p = {loop, min.value};
  int64_t whole = count > LARGEST_VECTOR ? count / LARGEST_VECTOR : 0;
  if (whole) hy_emit_loop_apart(frame, hy_emit_i64(e, whole), "piece", HY_LOOP_OUTER, piece_body, &p);
  for (int64_t first = whole * LARGEST_VECTOR, lanes; first < count; first += lanes) {
    lanes = hy_vector_lanes(e, loop->loop.body, count - first);
    emit_lanes(frame, loop, piece_at(frame, &p, first), min.depth, (int)lanes);
  }
}

// By its text, or by what is known here, as in a version for whole tiles; what is emitted thrice has been looked at by
// its text alone.
static bool is_known_length(hy_frame *frame, const hy_expr *expr, int64_t *len) {
  hy_linear sum = hy_linear_of(frame, expr);
  *len = sum.constant;
  if (sum.count == 0) return true;
  if (frame->accumulation) return false;
  LLVMValueRef value = hy_emit_uniform(frame, expr);
  if (!LLVMIsAConstantInt(value)) return false;
  *len = LLVMConstIntGetSExtValue(value);
  return true;
}

static bool has_guard(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (has_guard(children[i])) return true;
  return false;
}

// A schedule may ask for more code than is good for anybody: then the loop stays a loop. What has a guard inside is
// emitted for all lanes and for some.
static bool may_unroll(const hy_frame *frame, const hy_stmt *loop, int64_t len) {
  if (frame->emitter->is_compact || len > LARGEST_UNROLL || frame->emitter->copies * len > HY_MOST_COPIES) return false;
  return frame->accumulation || !hy_is_heavy(frame, loop->loop.body, has_guard(loop->loop.body) ? 2 * len : len);
}

static void emit_for(hy_frame *frame, const hy_stmt *loop) {
  if (!loop->loop.is_pure && hy_accumulation_skips(frame)) {
    hy_emit_stmt(frame, loop->loop.body);
    return;
  }
  if (hy_emit_accumulation(frame, loop)) return;
  int64_t len;
  bool known = is_known_length(frame, loop->loop.interval.len, &len);
  if (known && len <= 0) return;
  bool once = known && len == 1;
  frame->epoch++;
  hy_range_bind_loop(frame->emitter, loop);
  switch (loop->loop.traversal) {
  case HY_SERIAL: break;
  case HY_PARALLEL:
    if (frame->lanes > 1 || once) break;
    hy_emit_parallel(frame, loop);
    return;
  case HY_VECTORIZED:
    if (!known || frame->emitter->is_compact || !is_vectorizable(frame, loop)) break;
    emit_vectorized(frame, loop, len);
    return;
  case HY_UNROLLED:
    if (!known || !may_unroll(frame, loop, len)) break;
    emit_unrolled(frame, loop, len);
    return;
  }
  if (once)
    emit_iteration(frame, loop, loop->loop.interval.min, 0);
  else if (!hy_emit_unclamped(frame, loop, emit_serial))
    emit_serial(frame, loop);
}

/* -- the rest -- */

static void emit_seq(hy_frame *frame, const hy_stmt *stmt) {
  if (hy_accumulate_pieces(frame, stmt)) return;
  HY_VEC(hy_allocation) allocations = {0};
  size_t storages = frame->emitter->storages.count;
  for (int i = 0; i < stmt->seq.count; i++) {
    const hy_stmt *item = stmt->seq.items[i];
    int parts = item->kind == HY_STMT_ALLOCATE ? hy_func_parts(item->allocate.func) : 0;
    for (int part = 0; part < parts; part++) hy_vec_push(&allocations, hy_emit_allocate(frame, item, part));
    if (!parts) hy_emit_stmt(frame, item);
  }
  while (allocations.count) {
    hy_allocation last = hy_vec_pop(&allocations);
    hy_emit_release(frame, &last);
  }
  frame->emitter->storages.count = storages;
  hy_vec_free(&allocations);
}

// TGT.Assign-Parts: all values, then the stores (decision D80)
static void emit_assign(hy_frame *frame, const hy_stmt *stmt) {
  const hy_func *func = stmt->assign.func;
  hy_lanes values[HY_MAX_PARTS];
  if (frame->accumulation) {
    hy_accumulate(frame, stmt);
    return;
  }
  frame->epoch++;
  for (int part = 0; part < hy_func_parts(func); part++) {
    values[part] = hy_emit(frame, hy_expr_part(stmt->assign.rhs, part));
  }
  for (int part = 0; part < hy_func_parts(func); part++)
    hy_emit_store(frame, func, part, stmt->assign.lhs, values[part]);
  hy_profile_count(frame, stmt);
}

static void emit_let(hy_frame *frame, const hy_stmt *stmt) {
  if (hy_accumulation_skips(frame) && hy_accumulation_varies(frame, stmt->let.var)) { // nothing there asks for it
    hy_emit_stmt(frame, stmt->let.body);
    return;
  }
  frame->epoch++;
  const hy_expr *value = stmt->let.value;
  hy_lanes lanes = hy_emit(frame, value);
  hy_range_bind(frame->emitter, stmt->let.var, value);
  // Expressions over the variable must not outlive it: its loop may be emitted again with another value.
  hy_frame_scope scope = hy_frame_open(frame);
  hy_frame_bind(frame, stmt->let.var, lanes, value->has_access ? NULL : value);
  hy_emit_stmt(frame, stmt->let.body);
  hy_frame_close(frame, scope);
}

static void emit_compute(hy_frame *frame, const hy_stmt *stmt) {
  int64_t doing = hy_profile_compute(frame, stmt);
  hy_emit_stmt(frame, stmt->compute.body);
  hy_profile_enter(frame, doing);
}

void hy_emit_stmt(hy_frame *frame, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_NOP:
  case HY_STMT_ALLOCATE: return; // alone in its block: nothing can use it
  case HY_STMT_ASSUME: hy_emit_assume(frame, stmt); return;
  case HY_STMT_SEQ: hy_emit_versions(frame, stmt, emit_seq); return;
  case HY_STMT_ASSIGN: emit_assign(frame, stmt); return;
  case HY_STMT_IF: hy_emit_if(frame, stmt); return;
  case HY_STMT_FOR: emit_for(frame, stmt); return;
  case HY_STMT_LET: emit_let(frame, stmt); return;
  case HY_STMT_COMPUTE: emit_compute(frame, stmt); return;
  case HY_STMT_LABEL: hy_emit_stmt(frame, stmt->label.body); return;
  }
  HY_UNREACHABLE();
}
