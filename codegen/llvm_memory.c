#include "codegen/codegen_internal.h"

// Loads and stores. Masked-off lanes neither load nor store.

/* -- one access -- */

typedef struct access {
  hy_frame *frame;
  const hy_storage *storage;
  hy_type type;
  LLVMTypeRef element, vector; // as stored
  unsigned align, first_align; // of any element, and of the one at the point, or of the first lane
} access;

static access access_of(hy_frame *frame, const hy_storage *storage) {
  hy_type type = storage->type;
  return (access){.frame = frame,
                  .storage = storage,
                  .type = type,
                  .element = hy_emit_memory_type(frame->emitter, type, 1),
                  .vector = hy_emit_memory_type(frame->emitter, type, frame->lanes),
                  .align = (unsigned)hy_type_bytes(type),
                  .first_align = (unsigned)hy_type_bytes(type)};
}

// Different funcs never share a cell, nor do the parts of a tuple: LLVM is told, and needs no checks at run time.
static LLVMValueRef annotate(const access *a, LLVMValueRef instruction) {
  hy_emitter *e = a->frame->emitter;
  LLVMSetMetadata(instruction, e->tbaa_kind, e->memory_tags[a->storage->func->index][a->storage->part]);
  return instruction;
}

static LLVMValueRef load_at(const access *a, LLVMTypeRef type, LLVMValueRef pointer) {
  hy_emitter *e = a->frame->emitter;
  LLVMValueRef load = annotate(a, LLVMBuildLoad2(a->frame->builder, type, pointer, a->storage->func->name));
  LLVMSetAlignment(load, a->align);
  if (a->storage->constant) LLVMSetMetadata(load, e->invariant_kind, e->invariant);
  return load;
}

static void store_at(const access *a, LLVMValueRef value, LLVMValueRef pointer) {
  LLVMSetAlignment(annotate(a, LLVMBuildStore(a->frame->builder, value, pointer)), a->align);
}

// Of the address where the point, or the first lane, lies.
static access at_first(const access *a) {
  access first = *a;
  first.align = a->first_align;
  return first;
}

static LLVMValueRef all_lanes(hy_frame *frame) {
  if (frame->mask) return frame->mask;
  return hy_splat(frame, LLVMConstInt(frame->emitter->i1, 1, false), frame->lanes);
}

static LLVMValueRef align_of(const access *a) { return LLVMConstInt(a->frame->emitter->i32, a->align, false); }

static LLVMValueRef element_at(const access *a, LLVMValueRef pointer, LLVMValueRef distance) {
  return hy_element_at(a->frame, a->storage, pointer, distance);
}

static LLVMValueRef advance(const access *a, LLVMValueRef pointer, int64_t elements) {
  return elements ? element_at(a, pointer, hy_emit_i64(a->frame->emitter, elements)) : pointer;
}

// Lane l of the result is lane pick[l] of the pair (left, right).
static LLVMValueRef shuffle(hy_frame *frame, LLVMValueRef left, LLVMValueRef right, const int *pick) {
  LLVMValueRef *items = hy_allocate((size_t)frame->lanes * sizeof *items);
  for (int l = 0; l < frame->lanes; l++) items[l] = LLVMConstInt(frame->emitter->i32, (uint64_t)pick[l], false);
  LLVMValueRef mask = LLVMConstVector(items, (unsigned)frame->lanes);
  hy_free(items);
  return LLVMBuildShuffleVector(frame->builder, left, right, mask, "");
}

// The "count" lanes from "first" on.
static LLVMValueRef lanes_from(hy_frame *frame, LLVMValueRef vector, int first, int count) {
  LLVMValueRef *items = hy_allocate((size_t)count * sizeof *items);
  for (int l = 0; l < count; l++) items[l] = LLVMConstInt(frame->emitter->i32, (uint64_t)(first + l), false);
  LLVMValueRef mask = LLVMConstVector(items, (unsigned)count);
  hy_free(items);
  return LLVMBuildShuffleVector(frame->builder, vector, vector, mask, "");
}

// "whole" with the lanes of "piece" from "first" on.
static LLVMValueRef with_lanes_at(hy_frame *frame, LLVMValueRef whole, LLVMValueRef piece, int first, int count) {
  int n = frame->lanes;
  int *pick = hy_allocate((size_t)n * sizeof *pick);
  for (int l = 0; l < n; l++) pick[l] = l >= first && l < first + count ? l - first : 0;
  LLVMValueRef spread = shuffle(frame, piece, piece, pick);
  for (int l = 0; l < n; l++) pick[l] = l >= first && l < first + count ? n + l : l;
  LLVMValueRef result = shuffle(frame, whole, spread, pick);
  hy_free(pick);
  return result;
}

static LLVMValueRef reverse(hy_frame *frame, LLVMValueRef vector) {
  int *pick = hy_allocate((size_t)frame->lanes * sizeof *pick);
  for (int l = 0; l < frame->lanes; l++) pick[l] = frame->lanes - 1 - l;
  LLVMValueRef result = shuffle(frame, vector, vector, pick);
  hy_free(pick);
  return result;
}

/* -- vector loads -- */

static LLVMValueRef load_dense(const access *a, LLVMValueRef pointer) {
  hy_frame *frame = a->frame;
  if (!frame->mask) return load_at(a, a->vector, pointer);
  LLVMTypeRef overloads[] = {a->vector, frame->emitter->pointer};
  LLVMValueRef args[] = {pointer, align_of(a), frame->mask, LLVMConstNull(a->vector)};
  return annotate(a, hy_emit_intrinsic(frame, "llvm.masked.load", overloads, 2, args, 4));
}

// Every second (third, fourth) element: dense loads that together end with the last element wanted, and shuffles.
static LLVMValueRef load_strided(const access *a, LLVMValueRef pointer, int stride) {
  hy_frame *frame = a->frame;
  int n = frame->lanes, span = (n - 1) * stride + 1, pieces = (span + n - 1) / n;
  int *pick = hy_allocate((size_t)n * sizeof *pick);
  LLVMValueRef result = NULL;
  for (int p = 0; p < pieces; p++) {
    int start = p + 1 < pieces ? p * n : span - n;
    LLVMValueRef piece = load_dense(a, advance(a, pointer, start));
    for (int l = 0; l < n; l++) {
      int element = l * stride;
      bool here = element >= p * n && element < (p + 1) * n;
      pick[l] = here ? (p == 0 ? element : n + element - start) : l;
    }
    result = p == 0 ? shuffle(frame, piece, piece, pick) : shuffle(frame, result, piece, pick);
  }
  hy_free(pick);
  return result;
}

static LLVMValueRef lane_of(hy_frame *frame, LLVMValueRef vector, int lane) {
  LLVMValueRef index = LLVMConstInt(frame->emitter->i32, (uint64_t)lane, false);
  return LLVMBuildExtractElement(frame->builder, vector, index, "");
}

static LLVMValueRef lane_pointer(const access *a, const hy_offset *o, int lane) {
  hy_frame *frame = a->frame;
  if (o->shape == HY_VARYING) return element_at(a, o->base, lane_of(frame, o->distances, lane));
  LLVMValueRef distance = LLVMBuildMul(frame->builder, o->lane_stride, hy_emit_i64(frame->emitter, lane), "");
  return element_at(a, o->base, distance);
}

static LLVMValueRef all_pointers(const access *a, const hy_offset *o) {
  hy_frame *frame = a->frame;
  if (o->shape == HY_VARYING) return element_at(a, o->base, o->distances);
  LLVMValueRef numbers = hy_ramp_vector(frame, frame->emitter->i64, 1);
  LLVMValueRef strides = hy_splat(frame, o->lane_stride, frame->lanes);
  return element_at(a, o->base, LLVMBuildMul(frame->builder, numbers, strides, ""));
}

static LLVMTypeRef pointers_type(hy_frame *frame, int lanes) {
  return LLVMVectorType(frame->emitter->pointer, (unsigned)lanes);
}

static LLVMValueRef gather(const access *a, LLVMValueRef pointers, LLVMValueRef mask, int lanes) {
  hy_frame *frame = a->frame;
  LLVMTypeRef type = LLVMVectorType(a->element, (unsigned)lanes);
  LLVMTypeRef overloads[] = {type, pointers_type(frame, lanes)};
  LLVMValueRef args[] = {pointers, align_of(a), mask, LLVMConstNull(type)};
  return annotate(a, hy_emit_intrinsic(frame, "llvm.masked.gather", overloads, 2, args, 4));
}

static int power_of_two_below(int n) {
  int power = 1;
  while (2 * power <= n) power *= 2;
  return power;
}

// In pieces of 32, 16, 8, .. lanes. LLVM rounds the number of lanes up to a power of two and gives those that it adds
// no index: where they fill a register, that may be the destination's own, an instruction that no processor takes,
// though no lane of it is set (LLVM 19).
static LLVMValueRef load_gather(const access *a, const hy_offset *o) {
  hy_frame *frame = a->frame;
  LLVMValueRef pointers = all_pointers(a, o), mask = all_lanes(frame), whole = LLVMGetPoison(a->vector);
  int n = frame->lanes;
  if (power_of_two_below(n) == n) return gather(a, pointers, mask, n);
  for (int first = 0, count; first < n; first += count) {
    count = power_of_two_below(n - first);
    LLVMValueRef active = lanes_from(frame, mask, first, count);
    LLVMValueRef piece = gather(a, lanes_from(frame, pointers, first, count), active, count);
    whole = with_lanes_at(frame, whole, piece, first, count);
  }
  return whole;
}

// Processors gather 32 and 64 bits only.
static LLVMValueRef load_one_by_one(const access *a, const hy_offset *o) {
  hy_frame *frame = a->frame;
  LLVMValueRef vector = LLVMGetPoison(a->vector);
  for (int l = 0; l < frame->lanes; l++) {
    LLVMValueRef element = load_at(a, a->element, lane_pointer(a, o, l));
    LLVMValueRef index = LLVMConstInt(frame->emitter->i32, (uint64_t)l, false);
    vector = LLVMBuildInsertElement(frame->builder, vector, element, index, "");
  }
  return vector;
}

static LLVMValueRef load_lanes(const access *a, const hy_offset *o) {
  hy_frame *frame = a->frame;
  int64_t stride = o->known_stride;
  const access first = at_first(a);
  if (o->shape == HY_RAMP && stride == 1) return load_dense(&first, o->base);
  // Between the lanes lie elements that this loop does not ask for: ThreadSanitizer would call touching them a race.
  bool wide = o->shape == HY_RAMP && !frame->mask && frame->emitter->options.sanitize != HY_SANITIZE_THREAD;
  if (wide && stride >= 2 && stride <= 4) return load_strided(a, o->base, (int)stride);
  if (wide && stride == -1) return reverse(frame, load_dense(a, advance(a, o->base, 1 - frame->lanes)));
  return frame->mask || a->align >= 4 ? load_gather(a, o) : load_one_by_one(a, o);
}

/* -- loads through vectors of indices that are nearly dense -- */

// A clamp that changes nothing, as it is everywhere but at borders: one test, and a dense load.
static LLVMValueRef load_unclamped(const access *a, const hy_offset *plain, const hy_offset *ramp) {
  hy_frame *frame = a->frame;
  LLVMBasicBlockRef inside = hy_frame_block(frame, "inside"), border = hy_frame_block(frame, "border");
  LLVMBasicBlockRef join = hy_frame_block(frame, "loaded");
  LLVMBuildCondBr(frame->builder, ramp->condition, inside, border);
  hy_frame_at(frame, inside);
  LLVMValueRef dense = load_lanes(a, ramp);
  LLVMBuildBr(frame->builder, join);
  hy_frame_at(frame, border);
  LLVMValueRef gathered = load_lanes(a, plain);
  LLVMBuildBr(frame->builder, join);
  hy_frame_at(frame, join);
  LLVMValueRef phi = LLVMBuildPhi(frame->builder, a->vector, "");
  LLVMAddIncoming(phi, (LLVMValueRef[]){dense, gathered}, (LLVMBasicBlockRef[]){inside, border}, 2);
  return phi;
}

// f(x / 2): the even lanes are dense, and so are the odd ones, which begin one element later if lane 0 is odd.
static LLVMValueRef load_halved(const access *a, const hy_offset *half) {
  hy_frame *frame = a->frame;
  int n = frame->lanes;
  LLVMTypeRef type = LLVMVectorType(a->element, (unsigned)n / 2);
  LLVMValueRef next = element_at(a, half->base, half->condition);
  LLVMValueRef even = load_at(a, type, half->base), odd = load_at(a, type, next);
  int *pick = hy_allocate((size_t)n * sizeof *pick);
  for (int l = 0; l < n; l++) pick[l] = l % 2 * (n / 2) + l / 2;
  LLVMValueRef result = shuffle(frame, even, odd, pick);
  hy_free(pick);
  return result;
}

// Under a mask elements between the lanes are not touched.
static bool is_cheap_ramp(const hy_frame *frame, const hy_offset *o) {
  if (o->shape != HY_RAMP) return false;
  if (frame->mask) return o->known_stride == 1;
  return o->known_stride == -1 || (o->known_stride >= 1 && o->known_stride <= 4);
}

static LLVMValueRef load_varying(const access *a, const hy_expr *node, const hy_offset *plain) {
  hy_frame *frame = a->frame;
  hy_offset unclamped = hy_offset_of(frame, a->storage, node->args, HY_READ_UNCLAMPED);
  if (unclamped.condition && is_cheap_ramp(frame, &unclamped)) return load_unclamped(a, plain, &unclamped);
  if (frame->mask) return load_lanes(a, plain);
  hy_offset half = hy_offset_of(frame, a->storage, node->args, HY_READ_HALVED);
  if (half.condition && half.shape == HY_UNIFORM && frame->lanes % 2 == 0) return load_halved(a, &half);
  return load_lanes(a, plain);
}

hy_lanes hy_emit_load(hy_frame *frame, const hy_expr *node) {
  if (hy_accumulation_holds(frame, node->func)) return hy_accumulation_read(frame, node->part);
  hy_storage storage = hy_frame_storage(frame, node->func, node->part);
  access a = access_of(frame, &storage);
  hy_offset o = hy_offset_of(frame, &storage, node->args, HY_READ_PLAIN);
  a.first_align = hy_access_alignment(frame, &storage, node->args);
  hy_lanes lanes = {.shape = o.shape == HY_UNIFORM ? HY_UNIFORM : HY_VARYING, .depth = frame->depth};
  if (o.shape == HY_UNIFORM)
    lanes.value = load_at(&a, a.element, o.base);
  else
    lanes.value = o.shape == HY_VARYING ? load_varying(&a, node, &o) : load_lanes(&a, &o);
  if (storage.may_be_undefined) lanes.value = LLVMBuildFreeze(frame->builder, lanes.value, "");
  if (a.type == HY_BOOL) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(lanes.value));
    lanes.value = LLVMBuildICmp(frame->builder, LLVMIntNE, lanes.value, zero, "");
  }
  return lanes;
}

/* -- stores -- */

static void store_dense(const access *a, LLVMValueRef value, LLVMValueRef pointer, LLVMValueRef mask) {
  hy_frame *frame = a->frame;
  if (!mask) {
    store_at(a, value, pointer);
    return;
  }
  LLVMTypeRef overloads[] = {a->vector, frame->emitter->pointer};
  LLVMValueRef args[] = {value, pointer, align_of(a), mask};
  annotate(a, hy_emit_intrinsic(frame, "llvm.masked.store", overloads, 2, args, 4));
}

static void store_scatter(const access *a, LLVMValueRef value, const hy_offset *o) {
  hy_frame *frame = a->frame;
  LLVMTypeRef overloads[] = {a->vector, pointers_type(frame, frame->lanes)};
  LLVMValueRef args[] = {value, all_pointers(a, o), align_of(a), frame->mask};
  annotate(a, hy_emit_intrinsic(frame, "llvm.masked.scatter", overloads, 2, args, 4));
}

static void store_lanes(const access *a, LLVMValueRef value, const hy_offset *o) {
  hy_frame *frame = a->frame;
  if (o->shape == HY_RAMP && o->known_stride == 1) {
    const access first = at_first(a);
    store_dense(&first, value, o->base, frame->mask);
  } else if (o->shape == HY_RAMP && o->known_stride == -1) {
    LLVMValueRef first = advance(a, o->base, 1 - frame->lanes);
    LLVMValueRef active = frame->mask ? reverse(frame, frame->mask) : NULL;
    store_dense(a, reverse(frame, value), first, active);
  } else if (frame->mask) {
    store_scatter(a, value, o);
  } else {
    for (int l = 0; l < frame->lanes; l++) {
      LLVMValueRef pointer = lane_pointer(a, o, l);
      store_at(a, lane_of(frame, value, l), pointer);
    }
  }
}

void hy_emit_store(hy_frame *frame, const hy_func *func, int part, const hy_expr *const *coordinates, hy_lanes value) {
  hy_storage storage = hy_frame_storage(frame, func, part);
  access a = access_of(frame, &storage);
  hy_offset o = hy_offset_of(frame, &storage, coordinates, HY_READ_PLAIN);
  a.first_align = hy_access_alignment(frame, &storage, coordinates);
  // Legal programs do not write one cell from two lanes; should it happen, the lanes write in order.
  if (frame->lanes > 1 && o.shape == HY_UNIFORM)
    o = (hy_offset){.shape = HY_RAMP, .base = o.base, .lane_stride = hy_emit_i64(frame->emitter, 0)};
  LLVMValueRef stored = hy_emit_vector(frame, value, storage.type);
  if (storage.type == HY_BOOL) stored = LLVMBuildZExt(frame->builder, stored, a.vector, "");
  if (hy_interleave_hold(frame, func, &o, stored)) return;
  if (frame->lanes == 1)
    store_at(&a, stored, o.base);
  else
    store_lanes(&a, stored, &o);
}

void hy_emit_store_lanes(hy_frame *frame, const hy_func *func, const hy_offset *offset, LLVMValueRef value) {
  hy_storage storage = hy_frame_storage(frame, func, 0);
  access a = access_of(frame, &storage);
  store_lanes(&a, value, offset);
}

void hy_emit_store_dense(hy_frame *frame, const hy_func *func, LLVMValueRef first, LLVMValueRef value) {
  hy_storage storage = hy_frame_storage(frame, func, 0);
  access a = access_of(frame, &storage);
  store_at(&a, value, first);
}
