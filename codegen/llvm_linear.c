#include "codegen/codegen_internal.h"

/* Indices as sums of factor * atom. Addresses are built from these sums, outermost loop first, so that everything that
 * does not change in an inner loop is one prefix that LLVM hoists, and neighbouring accesses differ in a constant
 * alone. "int" arithmetic wraps in native code, so regrouping is exact.
 */

enum { STEPS = 256 };

typedef struct pending {
  const hy_expr *expr;
  int64_t factor;
} pending;

static int64_t wrapping_mul(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }
static int64_t wrapping_add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

static bool add_term(hy_linear *linear, const hy_expr *atom, int64_t factor) {
  int i = 0;
  while (i < linear->count && linear->terms[i].atom != atom) i++;
  if (i == HY_LINEAR_TERMS) return false;
  if (i == linear->count) {
    linear->terms[linear->count].atom = atom;
    linear->terms[linear->count++].factor = 0;
  }
  linear->terms[i].factor = wrapping_add(linear->terms[i].factor, factor);
  return true;
}

static bool is_sum(hy_frame *frame, const hy_expr *expr) {
  hy_emitter *e = frame->emitter;
  int64_t c;
  if (expr->kind == HY_EXPR_CONST || expr->kind == HY_EXPR_VAR) return true;
  if (expr->kind != HY_EXPR_OP) return false;
  return expr->op == HY_OP_ADD || expr->op == HY_OP_SUB || expr->op == HY_OP_NEG ||
         (expr->op == HY_OP_MUL &&
          (hy_range_is_number(e, expr->args[0], &c) || hy_range_is_number(e, expr->args[1], &c)));
}

// Sets out[0 .. result) to what "p" consists of; 0: it is an atom.
static int parts_of(hy_frame *frame, pending p, pending out[2]) {
  const hy_expr *expr = p.expr;
  int64_t c;
  if (expr->kind == HY_EXPR_VAR) {
    const hy_expr *definition = hy_frame_find_var(frame, expr->var)->definition;
    if (!definition || !is_sum(frame, definition)) return 0;
    out[0] = (pending){definition, p.factor};
    return 1;
  }
  if (expr->kind != HY_EXPR_OP || !is_sum(frame, expr)) return 0;
  if (expr->op == HY_OP_NEG) {
    out[0] = (pending){expr->args[0], wrapping_mul(p.factor, -1)};
    return 1;
  }
  if (expr->op == HY_OP_MUL) {
    bool left = hy_range_is_number(frame->emitter, expr->args[0], &c);
    if (!left) hy_range_is_number(frame->emitter, expr->args[1], &c);
    out[0] = (pending){expr->args[left ? 1 : 0], wrapping_mul(p.factor, c)};
    return 1;
  }
  out[0] = (pending){expr->args[0], p.factor};
  out[1] = (pending){expr->args[1], expr->op == HY_OP_SUB ? wrapping_mul(p.factor, -1) : p.factor};
  return 2;
}

static void drop_zero_terms(hy_linear *linear) {
  int kept = 0;
  for (int i = 0; i < linear->count; i++)
    if (linear->terms[i].factor) linear->terms[kept++] = linear->terms[i];
  linear->count = kept;
}

hy_linear hy_linear_of(hy_frame *frame, const hy_expr *expr) {
  HY_ASSERT(expr->type == HY_INT);
  hy_linear linear = {0};
  pending stack[STEPS] = {{expr, 1}}, parts[2];
  int count = 1, steps = 0;
  while (count) {
    pending p = stack[--count];
    int64_t c;
    if (hy_range_is_number(frame->emitter, p.expr, &c)) {
      linear.constant = wrapping_add(linear.constant, wrapping_mul(p.factor, c));
      continue;
    }
    int n = parts_of(frame, p, parts);
    bool fits = ++steps < STEPS - 2 && (n > 0 || add_term(&linear, p.expr, p.factor));
    // A sum with too many parts is one atom.
    if (!fits) return (hy_linear){.count = 1, .terms = {{expr, 1}}};
    while (n > 0) stack[count++] = parts[--n];
  }
  drop_zero_terms(&linear);
  return linear;
}

/* -- bounds -- */

static bool bound_of(hy_frame *frame, const hy_expr *expr, int limit, int64_t *bound);

// By its text, or in what is emitted just now (llvm_version.c).
static bool is_number(hy_frame *frame, const hy_expr *expr, int64_t *number) {
  if (hy_range_is_number(frame->emitter, expr, number)) return true;
  const hy_lanes *known = expr->kind == HY_EXPR_OP ? hy_frame_known(frame, expr) : NULL;
  if (!known || !LLVMIsAConstantInt(known->value) || known->shape != HY_UNIFORM) return false;
  *number = LLVMConstIntGetSExtValue(known->value);
  return true;
}

static bool bound_of_op(hy_frame *frame, const hy_expr *expr, int limit, int64_t *bound) {
  int64_t a, b;
  bool has_a = bound_of(frame, expr->args[0], limit, &a);
  bool has_b = expr->count > 1 && bound_of(frame, expr->args[1], limit, &b);
  if (expr->op == HY_OP_MIN && (has_a || has_b)) return *bound = !has_b || (has_a && a < b) ? a : b, true;
  if (!has_a || !has_b) return false;
  if (expr->op == HY_OP_MAX) return *bound = a > b ? a : b, true;
  if (expr->op == HY_OP_ADD) return !__builtin_add_overflow(a, b, bound);
  if (!is_number(frame, expr->args[1], &b)) return false;
  if (expr->op == HY_OP_SUB) return !__builtin_sub_overflow(a, b, bound);
  // Division by a positive constant rounds down.
  if (expr->op == HY_OP_DIV && b > 0) return *bound = a / b - (a % b < 0), true;
  return expr->op == HY_OP_MUL && b >= 0 && !__builtin_mul_overflow(a, b, bound);
}

static bool bound_of(hy_frame *frame, const hy_expr *expr, int limit, int64_t *bound) {
  if (is_number(frame, expr, bound)) return true;
  if (limit == 0 || expr->type != HY_INT) return false;
  if (expr->kind == HY_EXPR_OP && expr->args[0]->type == HY_INT && expr->op != HY_OP_CAST &&
      bound_of_op(frame, expr, limit - 1, bound))
    return true;
  *bound = hy_range_of_value(frame->emitter, expr).most;
  if (*bound < INT64_MAX) return true;
  if (expr->kind != HY_EXPR_VAR) return false;
  const hy_expr *definition = hy_frame_find_var(frame, expr->var)->definition;
  return definition && bound_of(frame, definition, limit - 1, bound);
}

bool hy_upper_bound(hy_frame *frame, const hy_expr *expr, int64_t *bound) {
  enum { DEPTH = 10 };
  return bound_of(frame, expr, DEPTH, bound);
}

/* -- what an address is known to be a multiple of: by the point's distance from the corner of a caller's buffer that is
 * demanded to begin at such a multiple (GEN.Demand), as a sum, times strides that are constants -- */

// "multiples" is a sum of numbers of which the distance, in elements, is a multiple by the lowest bit of any of them.
typedef struct distance {
  hy_frame *frame;
  int64_t constant;
  uint64_t multiples;
} distance;

static void add_distance(distance *s, const hy_expr *atom, int64_t factor) {
  if (atom->kind == HY_EXPR_VAR) {
    hy_lanes lanes = hy_frame_find_var(s->frame, atom->var)->lanes;
    if (lanes.shape == HY_RAMP && LLVMIsAConstantInt(lanes.value)) {
      s->constant = wrapping_add(s->constant, wrapping_mul(LLVMConstIntGetSExtValue(lanes.value), factor));
      return;
    }
  }
  s->multiples |= (uint64_t)factor;
}

// Of one dimension, without its stride.
static uint64_t multiples_of(hy_frame *frame, const hy_var *min, const hy_expr *coordinate) {
  distance s = {.frame = frame};
  hy_linear linear = hy_linear_of(frame, coordinate);
  int64_t of_min = -1;
  s.constant = linear.constant;
  for (int i = 0; i < linear.count; i++) {
    const hy_expr *atom = linear.terms[i].atom;
    if (atom->kind == HY_EXPR_VAR && atom->var == min)
      of_min = wrapping_add(of_min, linear.terms[i].factor);
    else
      add_distance(&s, atom, linear.terms[i].factor);
  }
  return s.multiples | (uint64_t)of_min | (uint64_t)s.constant;
}

unsigned hy_access_alignment(hy_frame *frame, const hy_storage *storage, const hy_expr *const *coordinates) {
  uint64_t bytes = (uint64_t)hy_type_bytes(storage->type), multiples = (uint64_t)storage->align;
  if ((uint64_t)storage->align <= bytes) return (unsigned)bytes;
  for (int d = 0; d < storage->func->rank; d++) {
    LLVMValueRef stride = storage->stride[d];
    uint64_t known = LLVMIsAConstantInt(stride) ? (uint64_t)LLVMConstIntGetSExtValue(stride) : 1;
    multiples |= multiples_of(frame, storage->min[d], coordinates[d]) * known * bytes;
  }
  return (unsigned)(multiples & -multiples);
}
