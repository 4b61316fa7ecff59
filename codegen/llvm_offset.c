#include "codegen/codegen_internal.h"

#include <limits.h>

/* Where an access lies. What the innermost loop does not change is one sum, outermost loop first, so that LLVM hoists
 * all of it; what the loop adds to it and a constant come after, as the processor's own address arithmetic has it. So
 * loops need no strength reduction (llvm_optimize.c).
 */

int hy_access_atoms(hy_frame *frame, const hy_expr *const *coordinates, int rank, const hy_expr **atoms) {
  int count = 0;
  for (int d = 0; d < rank; d++) {
    hy_linear linear = hy_linear_of(frame, coordinates[d]);
    for (int i = 0; i < linear.count; i++) atoms[count++] = linear.terms[i].atom;
  }
  return count;
}

typedef struct term {
  LLVMValueRef value;
  int64_t factor;
  int dim, depth;
} term;

typedef struct sum {
  hy_frame *frame;
  const hy_storage *storage;
  int rank;
  term terms[2 * HY_ACCESS_ATOMS];
  int count;
  int64_t constant[HY_MAX_RANK];
  int64_t lane_stride[HY_MAX_RANK];  // of the ramps, by dimension
  LLVMValueRef varying[HY_MAX_RANK]; // the sum of the vectors, or NULL
  LLVMValueRef narrow[HY_MAX_RANK];  // where that is one vector of 32 bits: itself
  hy_reading reading;
  int replaced;           // atoms that the reading replaced
  LLVMValueRef condition; // see hy_offset
} sum;

static LLVMValueRef times(hy_frame *frame, LLVMValueRef value, int64_t factor) {
  return factor == 1 ? value : LLVMBuildMul(frame->builder, value, hy_emit_i64(frame->emitter, factor), "");
}

static LLVMValueRef plus(hy_frame *frame, LLVMValueRef a, LLVMValueRef b) {
  return a ? LLVMBuildAdd(frame->builder, a, b, "") : b;
}

// Sorted by depth, then by descending dimension.
static void add_term(sum *s, term t) {
  int i = s->count++;
  while (i > 0 &&
         (s->terms[i - 1].depth > t.depth || (s->terms[i - 1].depth == t.depth && s->terms[i - 1].dim < t.dim))) {
    s->terms[i] = s->terms[i - 1];
    i--;
  }
  s->terms[i] = t;
}

static void add_uniform_or_ramp(sum *s, hy_lanes lanes, int64_t factor, int dim) {
  uint64_t stride = lanes.shape == HY_RAMP ? (uint64_t)lanes.stride * (uint64_t)factor : 0;
  s->lane_stride[dim] = (int64_t)((uint64_t)s->lane_stride[dim] + stride);
  add_term(s, (term){lanes.value, factor, dim, lanes.depth});
}

static void add_vector(sum *s, hy_lanes lanes, int64_t factor, int dim) {
  hy_frame *frame = s->frame;
  s->narrow[dim] = lanes.is_narrow && factor == 1 && !s->varying[dim] ? lanes.value : NULL;
  LLVMValueRef factors = hy_splat(frame, hy_emit_i64(frame->emitter, factor), frame->lanes);
  LLVMValueRef vector = hy_emit_vector(frame, lanes, HY_INT);
  LLVMValueRef product = factor == 1 ? vector : LLVMBuildMul(frame->builder, vector, factors, "");
  s->varying[dim] = plus(frame, s->varying[dim], product);
}

/* -- readings: atoms that are vectors only because of a clamp or a halving -- */

static bool is_op(const hy_expr *e, hy_op op) { return e->kind == HY_EXPR_OP && e->op == op; }

// One bit: does the order hold between the ramp and the limit in every lane? It does iff it does in the first and last.
static LLVMValueRef within(hy_frame *frame, hy_lanes ramp, LLVMIntPredicate order, LLVMValueRef limit) {
  LLVMValueRef reach = hy_emit_i64(frame->emitter, ramp.stride * (frame->lanes - 1));
  LLVMValueRef last = LLVMBuildAdd(frame->builder, ramp.value, reach, "");
  LLVMValueRef first_bit = LLVMBuildICmp(frame->builder, order, ramp.value, limit, "");
  return LLVMBuildAnd(frame->builder, first_bit, LLVMBuildICmp(frame->builder, order, last, limit, ""), "");
}

// min(e, limit) is e wherever e <= limit; nested, the inner e is meant. The ramp inside, and when it may stand for the
// whole; false if there is none.
static bool unclamp(hy_frame *frame, const hy_expr *atom, hy_lanes *ramp, LLVMValueRef *condition) {
  enum { NESTING = 4 };
  const hy_expr *inner = atom, *limits[NESTING];
  LLVMIntPredicate orders[NESTING];
  int count = 0;
  while (count < NESTING && (is_op(inner, HY_OP_MIN) || is_op(inner, HY_OP_MAX))) {
    int uniform = hy_emit(frame, inner->args[0]).shape == HY_UNIFORM ? 0 : 1;
    limits[count] = inner->args[uniform];
    orders[count++] = inner->op == HY_OP_MIN ? LLVMIntSLE : LLVMIntSGE;
    inner = inner->args[1 - uniform];
  }
  *ramp = hy_emit(frame, inner);
  if (count == 0 || ramp->shape != HY_RAMP) return false;
  if (!hy_range_never_left(frame->emitter, inner)) return false; // lanes in the middle may lie elsewhere (D67)
  for (int i = 0; i < count; i++) {
    hy_lanes limit = hy_emit(frame, limits[i]);
    if (limit.shape != HY_UNIFORM) return false;
    LLVMValueRef bit = within(frame, *ramp, orders[i], limit.value);
    *condition = *condition ? LLVMBuildAnd(frame->builder, *condition, bit, "") : bit;
  }
  return true;
}

// e / 2 for a ramp of stride 1: the half of lane 0; "condition" tells whether lane 0 is odd.
static bool halve(hy_frame *frame, const hy_expr *atom, hy_lanes *half, LLVMValueRef *condition) {
  int64_t divisor;
  if (!is_op(atom, HY_OP_DIV) || !hy_expr_is_int(atom->args[1], &divisor) || divisor != 2) return false;
  hy_lanes whole = hy_emit(frame, atom->args[0]);
  if (whole.shape != HY_RAMP || whole.stride != 1) return false;
  LLVMValueRef one = hy_emit_i64(frame->emitter, 1);
  *half = hy_lanes_uniform(LLVMBuildAShr(frame->builder, whole.value, one, ""), whole.depth);
  *condition = LLVMBuildAnd(frame->builder, whole.value, one, "odd");
  return true;
}

// A loop's variable is where the loop begins, which it does not change, and how far it has come.
static bool add_loop_variable(sum *s, const hy_expr *atom, int64_t factor, int dim) {
  if (atom->kind != HY_EXPR_VAR) return false;
  const hy_var_binding *b = hy_frame_find_var(s->frame, atom->var);
  if (!b->count || b->frame != s->frame) return false;
  add_term(s, (term){b->first, factor, dim, b->lanes.depth - 1});
  add_term(s, (term){b->count, factor, dim, b->lanes.depth});
  return true;
}

static void add_atom(sum *s, const hy_expr *atom, int64_t factor, int dim) {
  if (add_loop_variable(s, atom, factor, dim)) return;
  s->frame->scattered |= atom->has_access;
  hy_lanes lanes = hy_emit(s->frame, atom), other;
  if (lanes.shape != HY_VARYING) {
    add_uniform_or_ramp(s, lanes, factor, dim);
  } else if ((s->reading == HY_READ_UNCLAMPED && unclamp(s->frame, atom, &other, &s->condition)) ||
             (s->reading == HY_READ_HALVED && hy_storage_is_dense(s->storage, dim) && factor == 1 && s->replaced == 0 &&
              halve(s->frame, atom, &other, &s->condition))) {
    s->replaced++;
    add_uniform_or_ramp(s, other, factor, dim);
  } else {
    add_vector(s, lanes, factor, dim);
  }
}

/* -- the sum -- */

bool hy_storage_is_dense(const hy_storage *storage, int dim) {
  LLVMValueRef stride = storage->stride[dim];
  return LLVMIsAConstantInt(stride) && LLVMConstIntGetSExtValue(stride) == 1;
}

bool hy_storage_is_folded(const hy_storage *storage) {
  for (int d = 0; d < storage->func->rank; d++)
    if (storage->fold[d]) return true;
  return false;
}

static LLVMValueRef scaled(const sum *s, LLVMValueRef value, int dim) {
  return hy_storage_is_dense(s->storage, dim) ? value
                                              : LLVMBuildMul(s->frame->builder, value, s->storage->stride[dim], "");
}

// Adds the terms from i on whose depth is below "limit"; where the next one is.
static int add_terms(const sum *s, int i, int limit, LLVMValueRef *total) {
  hy_frame *frame = s->frame;
  while (i < s->count && s->terms[i].depth < limit) {
    int dim = s->terms[i].dim, depth = s->terms[i].depth;
    LLVMValueRef group = NULL;
    for (; i < s->count && s->terms[i].dim == dim && s->terms[i].depth == depth; i++)
      group = plus(frame, group, times(frame, s->terms[i].value, s->terms[i].factor));
    *total = plus(frame, *total, scaled(s, group, dim));
  }
  return i;
}

// The element that is the same in every lane, or lane 0's; of a varying access the part that does not vary.
static LLVMValueRef base_of(const sum *s) {
  hy_frame *frame = s->frame;
  LLVMValueRef outer = s->storage->origin, inner = NULL, constant = NULL;
  for (int d = s->rank - 1; d >= 0; d--) {
    if (!s->constant[d]) continue;
    LLVMValueRef distance = scaled(s, hy_emit_i64(frame->emitter, s->constant[d]), d);
    if (LLVMIsConstant(distance))
      constant = plus(frame, constant, distance);
    else
      outer = plus(frame, outer, distance);
  }
  int next = add_terms(s, 0, frame->depth, &outer);
  (void)add_terms(s, next, INT_MAX, &inner);
  LLVMValueRef pointer = hy_element_at(frame, s->storage, s->storage->data, outer);
  if (inner) pointer = hy_element_at(frame, s->storage, pointer, inner);
  return constant ? hy_element_at(frame, s->storage, pointer, constant) : pointer;
}

// No "inbounds": what the sum is made of may well lie outside.
LLVMValueRef hy_element_at(hy_frame *frame, const hy_storage *storage, LLVMValueRef pointer, LLVMValueRef distance) {
  LLVMTypeRef element = hy_emit_memory_type(frame->emitter, storage->type, 1);
  return LLVMBuildGEP2(frame->builder, element, pointer, &distance, 1, "");
}

static LLVMValueRef ramp_stride(const sum *s) {
  LLVMValueRef total = NULL;
  for (int d = 0; d < s->rank; d++)
    if (s->lane_stride[d])
      total = plus(s->frame, total, scaled(s, hy_emit_i64(s->frame->emitter, s->lane_stride[d]), d));
  return total;
}

// GEN.Narrow: where only the first dimension varies, and by a number of 32 bits, so does the address.
static LLVMValueRef narrow_part(const sum *s, LLVMValueRef stride) {
  LLVMValueRef found = NULL;
  for (int d = 0; d < s->rank; d++) {
    if (!s->varying[d]) continue;
    if (found || stride || !s->narrow[d] || !hy_storage_is_dense(s->storage, d)) return NULL;
    found = s->narrow[d];
  }
  return found;
}

// The ramps' share is added to the vectors'.
static LLVMValueRef vector_part(const sum *s, LLVMValueRef stride) {
  hy_frame *frame = s->frame;
  LLVMValueRef total = narrow_part(s, stride);
  if (total) return total;
  for (int d = 0; d < s->rank; d++) {
    if (!s->varying[d]) continue;
    LLVMValueRef strides = hy_splat(frame, s->storage->stride[d], frame->lanes), part = s->varying[d];
    if (!hy_storage_is_dense(s->storage, d)) part = LLVMBuildMul(frame->builder, part, strides, "");
    total = plus(frame, total, part);
  }
  if (!stride) return total;
  LLVMValueRef numbers = hy_ramp_vector(frame, frame->emitter->i64, 1);
  return plus(frame, total, LLVMBuildMul(frame->builder, numbers, hy_splat(frame, stride, frame->lanes), ""));
}

// A coordinate as it counts: of a folded dimension modulo the fold (hy_layout_share).
static const hy_expr *counted(const sum *s, const hy_expr *coordinate, int dim) {
  hy_context *context = s->frame->emitter->context;
  int64_t fold = s->storage->fold[dim];
  if (!fold) return coordinate;
  return hy_expr_binary(context, HY_OP_MOD, coordinate, hy_expr_int(context, fold));
}

hy_offset hy_offset_of(hy_frame *frame, const hy_storage *storage, const hy_expr *const *coordinates,
                       hy_reading reading) {
  sum s = {.frame = frame, .storage = storage, .rank = storage->func->rank, .reading = reading};
  bool varies = false;
  for (int d = 0; d < s.rank; d++) {
    hy_linear linear = hy_linear_of(frame, counted(&s, coordinates[d], d));
    s.constant[d] = linear.constant;
    for (int i = 0; i < linear.count; i++) add_atom(&s, linear.terms[i].atom, linear.terms[i].factor, d);
    varies |= s.varying[d] != NULL;
  }
  hy_offset o = {.shape = HY_UNIFORM, .condition = s.condition};
  o.base = base_of(&s);
  o.lane_stride = ramp_stride(&s);
  if (varies) return (hy_offset){.shape = HY_VARYING, .base = o.base, .distances = vector_part(&s, o.lane_stride)};
  if (!o.lane_stride) return o;
  o.shape = HY_RAMP;
  if (LLVMIsAConstantInt(o.lane_stride)) o.known_stride = LLVMConstIntGetSExtValue(o.lane_stride);
  return o;
}
