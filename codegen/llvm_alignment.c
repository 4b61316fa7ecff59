#include "codegen/codegen_internal.h"

/* What the address of an access to a caller's buffer is known to be a multiple of, where the program demands that the
 * buffer begins at such a multiple (GEN.Demand): by the point's distance from the corner of its box, as a sum, times
 * strides that are constants. That of a vector is the address of its first lane.
 */

// "multiples" is a sum of numbers of which the distance, in elements, is a multiple by the lowest bit of any of them.
typedef struct sum {
  hy_frame *frame;
  int64_t constant;
  uint64_t multiples;
} sum;

static void add_atom(sum *s, const hy_expr *atom, int64_t factor) {
  if (atom->kind == HY_EXPR_VAR) {
    hy_lanes lanes = hy_frame_find_var(s->frame, atom->var)->lanes;
    if (lanes.shape == HY_RAMP && LLVMIsAConstantInt(lanes.value)) {
      s->constant += LLVMConstIntGetSExtValue(lanes.value) * factor;
      return;
    }
  }
  s->multiples |= (uint64_t)factor;
}

// Of one dimension, without its stride.
static uint64_t distance(hy_frame *frame, const hy_var *min, const hy_expr *coordinate) {
  sum s = {.frame = frame};
  hy_linear linear = hy_linear_of(frame, coordinate);
  int64_t of_min = -1;
  s.constant = linear.constant;
  for (int i = 0; i < linear.count; i++) {
    const hy_expr *atom = linear.terms[i].atom;
    if (atom->kind == HY_EXPR_VAR && atom->var == min)
      of_min += linear.terms[i].factor;
    else
      add_atom(&s, atom, linear.terms[i].factor);
  }
  return s.multiples | (uint64_t)of_min | (uint64_t)s.constant;
}

unsigned hy_access_alignment(hy_frame *frame, const hy_storage *storage, const hy_expr *const *coordinates) {
  uint64_t bytes = (uint64_t)hy_type_bytes(storage->type), multiples = (uint64_t)storage->align;
  if ((uint64_t)storage->align <= bytes) return (unsigned)bytes;
  for (int d = 0; d < storage->func->rank; d++) {
    LLVMValueRef stride = storage->stride[d];
    uint64_t known = LLVMIsAConstantInt(stride) ? (uint64_t)LLVMConstIntGetSExtValue(stride) : 1;
    multiples |= distance(frame, storage->min[d], coordinates[d]) * known * bytes;
  }
  return (unsigned)(multiples & -multiples);
}
