#include "codegen/codegen_internal.h"

/* Storage: on the stack if it is small and its size is known, on the heap otherwise, or where its plan says; the
 * output's, if its box is the window, is the caller's buffer (decision D21). Cells lie as semantics/storage/layout.h
 * says.
 */

enum { STACK_BLOCK = 16 * 1024, STACK_FUNCTION = 256 * 1024, LIMITED_BLOCK = 1024 * 1024 };

typedef struct box {
  LLVMValueRef min[HY_MAX_RANK], len[HY_MAX_RANK];
  LLVMValueRef cells[HY_MAX_RANK]; // in memory: the lengths, folded and aligned
} box;

static box emit_box(hy_frame *frame, const hy_interval *intervals, int rank) {
  box b = {0};
  for (int d = 0; d < rank; d++) {
    b.min[d] = hy_emit_uniform(frame, intervals[d].min);
    b.len[d] = hy_emit_uniform(frame, intervals[d].len);
  }
  return b;
}

LLVMValueRef hy_emit_runtime_call(hy_frame *frame, const char *name, LLVMTypeRef result, LLVMValueRef const *args,
                                  int count) {
  hy_emitter *e = frame->emitter;
  LLVMTypeRef types[8];
  LLVMValueRef values[8];
  for (int i = 0; i < count; i++) types[i] = LLVMTypeOf(args[i]), values[i] = args[i];
  LLVMTypeRef type = LLVMFunctionType(result, types, (unsigned)count, false);
  LLVMValueRef function = LLVMGetNamedFunction(e->module, name);
  if (!function) function = LLVMAddFunction(e->module, name, type);
  return LLVMBuildCall2(frame->builder, type, function, values, (unsigned)count, "");
}

/* -- rows of whole vectors -- */

typedef struct row_search {
  const hy_func *func;
  int dim;              // the one whose neighbours lie side by side
  const hy_var *vector; // the vectorized loop around, and ...
  const hy_var *point;  // ... the let by which it is part of a coordinate
  int64_t lanes, found;
} row_search;

static void search_rows(row_search *s, const hy_stmt *stmt) {
  row_search outer = *s;
  int64_t lanes;
  if (stmt->kind == HY_STMT_FOR && stmt->loop.traversal == HY_VECTORIZED &&
      hy_expr_is_int(stmt->loop.interval.len, &lanes)) {
    s->vector = s->point = stmt->loop.var;
    s->lanes = lanes;
  }
  if (stmt->kind == HY_STMT_LET && s->vector && hy_expr_mentions(stmt->let.value, s->point)) s->point = stmt->let.var;
  if (stmt->kind == HY_STMT_ASSIGN && stmt->assign.func == s->func && s->vector &&
      hy_expr_mentions(stmt->assign.lhs[s->dim], s->point) && s->lanes > s->found)
    s->found = s->lanes;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) search_rows(s, children[i]);
  outer.found = s->found;
  *s = outer;
}

// GEN.Rows: inside of loops, where blocks are small, a row that is stored in vectors is as long as so many of them: if
// its first cell is aligned, the others' are, too. 1: it is as long as it is.
static int64_t row_align(hy_frame *frame, const hy_stmt *allocate, int d) {
  enum { MOST_LANES = 64 };
  const hy_plan *plan = allocate->allocate.plan;
  const hy_func *func = allocate->allocate.func;
  if (frame->depth == 0 || func->rank < 2 || d != (plan ? plan->order[0] : 0)) return 1;
  if (plan && (plan->fold[d] || plan->align[d] != 1)) return 1;
  hy_context_hit(frame->emitter->context, HY_RULE_GEN_ROWS);
  row_search s = {.func = func, .dim = d, .found = 1};
  search_rows(&s, frame->emitter->tgt->body);
  bool is_power = (s.found & (s.found - 1)) == 0;
  return is_power && s.found <= MOST_LANES ? s.found : 1;
}

/* -- sizes -- */

// How many cells a side has at most: a constant, or 0 if it has none or a large one.
static int64_t limited_side(hy_frame *frame, const hy_stmt *allocate, int d, uint64_t most) {
  const hy_plan *plan = allocate->allocate.plan;
  int64_t side, align = plan && plan->align[d] != 1 ? plan->align[d] : row_align(frame, allocate, d);
  if (plan && plan->fold[d])
    side = plan->fold[d];
  else if (!hy_upper_bound(frame, allocate->allocate.box[d].len, &side))
    return 0;
  if (side < 1) side = 1;
  if (side > (int64_t)most || align > (int64_t)most) return 0;
  return (side + align - 1) / align * align;
}

// Small boxes whose sides have constant limits get sides of just these limits: then strides are constants, too. The
// number of elements, or 0 if there are no limits or they are large.
static uint64_t limited_sides(hy_frame *frame, const hy_stmt *allocate, uint64_t most, int64_t *sides) {
  uint64_t count = 1;
  for (int d = 0; d < allocate->allocate.func->rank; d++) {
    sides[d] = limited_side(frame, allocate, d, most);
    count *= (uint64_t)sides[d];
    if (count == 0 || count > most) return 0;
  }
  return count;
}

static LLVMValueRef aligned(hy_frame *frame, LLVMValueRef length, int64_t align) {
  hy_emitter *e = frame->emitter;
  if (align == 1) return length;
  LLVMValueRef most = LLVMBuildAdd(frame->builder, length, hy_emit_i64(e, align - 1), "");
  LLVMValueRef blocks = LLVMBuildUDiv(frame->builder, most, hy_emit_i64(e, align), "");
  return LLVMBuildMul(frame->builder, blocks, hy_emit_i64(e, align), "aligned");
}

// GEN.Rows: a row that is shorter than four vectors stays as it is, since all of a column would be that much longer.
static LLVMValueRef whole_row(hy_frame *frame, LLVMValueRef length, int64_t lanes) {
  if (lanes == 1) return length;
  LLVMValueRef least = hy_emit_i64(frame->emitter, 4 * lanes);
  LLVMValueRef is_long = LLVMBuildICmp(frame->builder, LLVMIntSGE, length, least, "");
  return LLVMBuildSelect(frame->builder, is_long, aligned(frame, length, lanes), length, "row");
}

// How many cells each dimension has in memory.
static void count_cells(hy_frame *frame, const hy_stmt *allocate, box *b) {
  const hy_plan *plan = allocate->allocate.plan;
  for (int d = 0; d < allocate->allocate.func->rank; d++) {
    b->cells[d] = b->len[d];
    if (plan && plan->fold[d]) b->cells[d] = hy_emit_i64(frame->emitter, plan->fold[d]);
    bool is_planned = plan && plan->align[d] != 1;
    b->cells[d] = is_planned ? aligned(frame, b->cells[d], plan->align[d])
                             : whole_row(frame, b->cells[d], row_align(frame, allocate, d));
  }
}

static void make_strides(hy_frame *frame, const hy_stmt *allocate, const box *b, hy_storage *storage) {
  const hy_plan *plan = allocate->allocate.plan;
  int before = 0;
  for (int i = 0; i < allocate->allocate.func->rank; i++) {
    int d = plan ? plan->order[i] : i;
    storage->fold[d] = plan ? plan->fold[d] : 0;
    storage->stride[d] = i == 0 ? hy_emit_i64(frame->emitter, 1)
                                : LLVMBuildMul(frame->builder, storage->stride[before], b->cells[before], "stride");
    before = d;
  }
}

// An overflowing size becomes one that no machine has.
static LLVMValueRef byte_count(hy_frame *frame, const box *b, int rank, size_t element) {
  hy_emitter *e = frame->emitter;
  LLVMValueRef bytes = hy_emit_i64(e, (int64_t)element), overflow = NULL;
  for (int d = 0; d < rank; d++) {
    LLVMValueRef args[] = {bytes, b->cells[d]};
    LLVMValueRef pair = hy_emit_intrinsic(frame, "llvm.umul.with.overflow", &e->i64, 1, args, 2);
    LLVMValueRef bit = LLVMBuildExtractValue(frame->builder, pair, 1, "");
    bytes = LLVMBuildExtractValue(frame->builder, pair, 0, "");
    overflow = overflow ? LLVMBuildOr(frame->builder, overflow, bit, "") : bit;
  }
  return overflow ? LLVMBuildSelect(frame->builder, overflow, hy_emit_i64(e, -1), bytes, "bytes") : bytes;
}

/* -- heap -- */

static LLVMValueRef heap_memory(hy_frame *frame, const box *b, const hy_func *func, hy_type type) {
  hy_emitter *e = frame->emitter;
  LLVMValueRef bytes = byte_count(frame, b, func->rank, hy_type_bytes(type));
  LLVMValueRef args[] = {bytes, hy_emit_i64(e, func->index)};
  bool guarded = e->options.guard, counted = e->options.profile == HY_PROFILE_POINTS;
  const char *name = guarded ? "hy_guard_allocate" : counted ? "hy_profile_allocate" : "hy_runtime_allocate";
  LLVMValueRef memory = hy_emit_runtime_call(frame, name, e->pointer, args, 1 + (guarded || counted));
  LLVMSetValueName2(memory, func->name, __builtin_strlen(func->name));
  LLVMBasicBlockRef bad = hy_frame_block(frame, "no.memory"), good = hy_frame_block(frame, "allocated");
  LLVMBuildCondBr(frame->builder, LLVMBuildIsNull(frame->builder, memory, ""), bad, good);
  hy_frame_at(frame, bad);
  hy_emit_fail(frame, LLVMConstInt(e->i32, (uint64_t)-1, true));
  hy_frame_at(frame, good);
  return memory;
}

static void free_memory(hy_frame *frame, LLVMValueRef memory) {
  hy_emitter *e = frame->emitter;
  bool counted = e->options.profile == HY_PROFILE_POINTS;
  const char *name = e->options.guard ? "hy_guard_free" : counted ? "hy_profile_release" : "hy_runtime_free";
  hy_emit_runtime_call(frame, name, e->nothing, &memory, 1);
}

// From here to the release, failures pass through a block that frees.
static void guard_failures(hy_frame *frame, hy_allocation *allocation) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(frame->builder), cleanup = hy_frame_block(frame, "free");
  hy_frame_at(frame, cleanup);
  free_memory(frame, allocation->heap);
  LLVMBuildBr(frame->builder, allocation->outer);
  hy_frame_at(frame, here);
  frame->fail = cleanup;
}

/* -- storage -- */

static void push_storage(hy_frame *frame, hy_storage storage, const box *b) {
  LLVMValueRef origin = hy_emit_i64(frame->emitter, 0);
  for (int d = 0; d < storage.func->rank; d++) {
    if (storage.fold[d]) continue;
    bool dense = hy_storage_is_dense(&storage, d);
    LLVMValueRef distance = dense ? b->min[d] : LLVMBuildMul(frame->builder, b->min[d], storage.stride[d], "");
    origin = LLVMBuildSub(frame->builder, origin, distance, "origin");
  }
  storage.frame = frame;
  storage.origin = origin;
  hy_vec_push(&frame->emitter->storages, storage);
}

static hy_allocation allocate_on_stack(hy_frame *frame, const hy_stmt *stmt, hy_storage storage, const box *b,
                                       uint64_t count) {
  const hy_func *func = stmt->allocate.func;
  LLVMTypeRef type = LLVMArrayType2(hy_emit_memory_type(frame->emitter, storage.type, 1), count);
  storage.may_be_undefined = true;
  storage.data = LLVMBuildAlloca(frame->entry_builder, type, func->name);
  LLVMSetAlignment(storage.data, 64);
  uint64_t bytes = count * hy_type_bytes(storage.type), *most = &frame->emitter->stack_bytes[func->index][storage.part];
  frame->stack_bytes += bytes;
  if (*most < bytes) *most = bytes;
  make_strides(frame, stmt, b, &storage);
  push_storage(frame, storage, b);
  return (hy_allocation){.func = func, .outer = frame->fail};
}

static hy_allocation allocate_on_heap(hy_frame *frame, const hy_stmt *stmt, hy_storage storage, const box *b) {
  const hy_func *func = stmt->allocate.func;
  make_strides(frame, stmt, b, &storage);
  hy_allocation allocation = {.func = func, .outer = frame->fail};
  allocation.heap = storage.data = heap_memory(frame, b, func, storage.type);
  guard_failures(frame, &allocation);
  push_storage(frame, storage, b);
  return allocation;
}

static bool goes_on_stack(const hy_frame *frame, const hy_stmt *stmt, uint64_t bytes) {
  hy_store_place store = stmt->allocate.plan ? stmt->allocate.plan->store : HY_STORE_ANYWHERE;
  if (store == HY_STORE_HEAP || frame->emitter->options.guard == HY_GUARD_ALL) return false;
  return bytes <= (store == HY_STORE_STACK ? STACK_FUNCTION : STACK_BLOCK) &&
         frame->stack_bytes + bytes <= STACK_FUNCTION;
}

static hy_allocation allocate_inner(hy_frame *frame, const hy_stmt *stmt, int part) {
  const hy_func *func = stmt->allocate.func;
  hy_storage storage = {.func = func, .part = part, .type = hy_func_type(func, part)};
  uint64_t element = hy_type_bytes(storage.type);
  int64_t sides[HY_MAX_RANK];
  uint64_t count = limited_sides(frame, stmt, LIMITED_BLOCK / element, sides);
  box b = emit_box(frame, stmt->allocate.box, func->rank);
  count_cells(frame, stmt, &b);
  if (count == 0) return allocate_on_heap(frame, stmt, storage, &b);
  for (int d = 0; d < func->rank; d++) b.cells[d] = hy_emit_i64(frame->emitter, sides[d]);
  return goes_on_stack(frame, stmt, count * element) ? allocate_on_stack(frame, stmt, storage, &b, count)
                                                     : allocate_on_heap(frame, stmt, storage, &b);
}

/* -- the output -- */

static bool box_is_window(hy_frame *frame, const hy_output *output, const hy_interval *intervals) {
  const hy_alg *alg = frame->emitter->tgt->alg;
  hy_context *context = frame->emitter->context;
  for (int d = 0; d < output->func->rank; d++)
    if (intervals[d].min != hy_expr_var(context, alg->window_min[output->first + d]) ||
        intervals[d].len != hy_expr_var(context, alg->window_len[output->first + d]))
      return false;
  return true;
}

static box window_of(hy_frame *frame, const hy_output *output) {
  const hy_alg *alg = frame->emitter->tgt->alg;
  box b = {0};
  for (int d = 0; d < output->func->rank; d++) {
    b.min[d] = hy_frame_var(frame, alg->window_min[output->first + d]).value;
    b.len[d] = hy_frame_var(frame, alg->window_len[output->first + d]).value;
  }
  return b;
}

static LLVMValueRef boxes_equal(hy_frame *frame, const box *a, const box *b, int rank) {
  LLVMValueRef equal = LLVMConstInt(frame->emitter->i1, 1, false);
  for (int d = 0; d < rank; d++) {
    LLVMValueRef min = LLVMBuildICmp(frame->builder, LLVMIntEQ, a->min[d], b->min[d], "");
    LLVMValueRef len = LLVMBuildICmp(frame->builder, LLVMIntEQ, a->len[d], b->len[d], "");
    equal = LLVMBuildAnd(frame->builder, equal, LLVMBuildAnd(frame->builder, min, len, ""), "");
  }
  return equal;
}

static LLVMValueRef choose(hy_frame *frame, LLVMValueRef a, LLVMBasicBlockRef from_a, LLVMValueRef b,
                           LLVMBasicBlockRef from_b) {
  LLVMValueRef phi = LLVMBuildPhi(frame->builder, LLVMTypeOf(a), ""), values[] = {a, b};
  LLVMBasicBlockRef blocks[] = {from_a, from_b};
  LLVMAddIncoming(phi, values, blocks, 2);
  return phi;
}

// The dimensions with strides that are wanted, from 1 on, each a multiple of the one before; then the others. The count
// of the former; -1: a block of its own does not lie so.
static int order_of_wanted(const hy_strides *wanted, int rank, int *order) {
  int count = 0, said;
  for (int d = 0; d < rank; d++) {
    if (!wanted->of[d]) continue;
    int at = count++;
    for (; at > 0 && wanted->of[order[at - 1]] > wanted->of[d]; at--) order[at] = order[at - 1];
    order[at] = d;
  }
  said = count;
  for (int d = 0; d < rank; d++)
    if (!wanted->of[d]) order[count++] = d;
  if (!said || wanted->of[order[0]] != 1) return -1;
  for (int i = 1; i < said; i++)
    if (wanted->of[order[i]] % wanted->of[order[i - 1]] != 0) return -1;
  return said;
}

// Of an output's own block: in the version for buffers that lie as the program says (GEN.Laid) it lies so, too, if that
// is known when code is made, so that its strides are the same constants. The cells that are too many hold no point.
static bool make_wanted_strides(hy_frame *frame, const hy_stmt *allocate, box *b, hy_storage *storage) {
  const hy_func *func = allocate->allocate.func;
  const hy_strides *said = frame->emitter->is_laid ? hy_tgt_strides(frame->emitter->tgt, func) : NULL;
  int order[HY_MAX_RANK];
  int64_t most;
  if (!said) return false;
  hy_strides wanted = hy_strides_wanted(said, func->rank);
  int count = order_of_wanted(&wanted, func->rank, order);
  for (int i = 0; i + 1 < count; i++)
    if (!hy_upper_bound(frame, allocate->allocate.box[order[i]].len, &most) ||
        most > wanted.of[order[i + 1]] / wanted.of[order[i]])
      return false;
  if (count < 0) return false;
  for (int i = 0; i + 1 < count; i++)
    b->cells[order[i]] = hy_emit_i64(frame->emitter, wanted.of[order[i + 1]] / wanted.of[order[i]]);
  for (int i = 0; i < func->rank; i++)
    storage->stride[order[i]] =
        i < count ? hy_emit_i64(frame->emitter, wanted.of[order[i]])
                  : LLVMBuildMul(frame->builder, storage->stride[order[i - 1]], b->cells[order[i - 1]], "stride");
  return true;
}

// At run time: Mem = window writes into the caller's buffer, else into a block that is copied at the end.
static hy_allocation allocate_output(hy_frame *frame, const hy_output *output, const hy_stmt *stmt, int part) {
  const hy_func *func = stmt->allocate.func;
  hy_storage storage = hy_frame_storage(frame, func, part), dense;
  HY_ASSERT(!stmt->allocate.plan); // WF.Plan: it lies as the caller has it
  box b = emit_box(frame, stmt->allocate.box, func->rank), window = window_of(frame, output);
  hy_allocation allocation = {.func = func, .part = part, .outer = frame->fail};
  if (box_is_window(frame, output, stmt->allocate.box)) {
    push_storage(frame, storage, &b);
    return allocation;
  }
  count_cells(frame, stmt, &b);
  if (!make_wanted_strides(frame, stmt, &b, &dense)) make_strides(frame, stmt, &b, &dense);
  LLVMValueRef equal = boxes_equal(frame, &b, &window, func->rank);
  allocation.is_copy = LLVMBuildNot(frame->builder, equal, "is.copy");
  LLVMBasicBlockRef direct = LLVMGetInsertBlock(frame->builder), copy = hy_frame_block(frame, "own.output");
  LLVMBasicBlockRef join = hy_frame_block(frame, "output");
  LLVMBuildCondBr(frame->builder, equal, join, copy);
  hy_frame_at(frame, copy);
  LLVMValueRef memory = heap_memory(frame, &b, func, storage.type);
  copy = LLVMGetInsertBlock(frame->builder);
  LLVMBuildBr(frame->builder, join);
  hy_frame_at(frame, join);
  allocation.heap = choose(frame, LLVMConstNull(frame->emitter->pointer), direct, memory, copy);
  storage.data = choose(frame, storage.data, direct, memory, copy);
  storage.align = 0; // our own block has another corner, and is not so aligned
  for (int d = 0; d < func->rank; d++)
    if (storage.stride[d] != dense.stride[d]) // constants are unique
      storage.stride[d] = choose(frame, storage.stride[d], direct, dense.stride[d], copy);
  guard_failures(frame, &allocation);
  push_storage(frame, storage, &b);
  return allocation;
}

static LLVMValueRef array_of(hy_frame *frame, LLVMValueRef const *values, int count) {
  hy_emitter *e = frame->emitter;
  LLVMValueRef array = LLVMBuildAlloca(frame->entry_builder, LLVMArrayType2(e->i64, (uint64_t)count), "");
  for (int i = 0; i < count; i++) {
    LLVMValueRef index = hy_emit_i64(e, i);
    LLVMBuildStore(frame->builder, values[i], LLVMBuildInBoundsGEP2(frame->builder, e->i64, array, &index, 1, ""));
  }
  return array;
}

// GEN.Window: Mem(out) is larger than the window, which is copied out of it (decision D21).
static void copy_window(hy_frame *frame, const hy_func *func, int part) {
  hy_emitter *e = frame->emitter;
  hy_context_hit(e->context, HY_RULE_GEN_WINDOW);
  hy_storage from = hy_frame_storage(frame, func, part), to = e->storages.data[0];
  for (size_t i = 0; to.func != func || to.part != part; i++)
    to = e->storages.data[i]; // the caller's buffer is the outermost
  HY_ASSERT(to.frame == frame);
  box window = window_of(frame, hy_alg_output(frame->emitter->tgt->alg, func));
  LLVMValueRef at = from.origin;
  for (int d = 0; d < func->rank; d++)
    at = LLVMBuildAdd(frame->builder, at, LLVMBuildMul(frame->builder, window.min[d], from.stride[d], ""), "");
  LLVMValueRef corner = LLVMBuildGEP2(frame->builder, hy_emit_memory_type(e, from.type, 1), from.data, &at, 1, "");
  LLVMValueRef args[] = {to.data,
                         corner,
                         hy_emit_i64(e, (int64_t)hy_type_bytes(from.type)),
                         hy_emit_i64(e, func->rank),
                         array_of(frame, window.len, func->rank),
                         array_of(frame, to.stride, func->rank),
                         array_of(frame, from.stride, func->rank)};
  hy_emit_runtime_call(frame, "hy_runtime_copy", e->nothing, args, 7);
}

/* -- the two ends of an allocation -- */

hy_allocation hy_emit_allocate(hy_frame *frame, const hy_stmt *stmt, int part) {
  const hy_func *func = stmt->allocate.func;
  const hy_output *output = hy_alg_output(frame->emitter->tgt->alg, func);
  if (output) return allocate_output(frame, output, stmt, part);
  return allocate_inner(frame, stmt, part);
}

void hy_emit_release(hy_frame *frame, const hy_allocation *allocation) {
  frame->fail = allocation->outer;
  if (allocation->is_copy) {
    LLVMBasicBlockRef copy = hy_frame_block(frame, "copy.window"), done = hy_frame_block(frame, "copied");
    LLVMBuildCondBr(frame->builder, allocation->is_copy, copy, done);
    hy_frame_at(frame, copy);
    copy_window(frame, allocation->func, allocation->part);
    LLVMBuildBr(frame->builder, done);
    hy_frame_at(frame, done);
  }
  if (allocation->heap) free_memory(frame, allocation->heap);
}
