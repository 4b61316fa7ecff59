#include "codegen/codegen_internal.h"

#include "semantics/base/id_map.h"

/* -- assumptions: defined and true (decision D27) -- */

// For every subexpression one bit: does evaluating it, lazily, meet no error? NULL means always. And where its value
// lies if it is none.
typedef struct row {
  const hy_expr *node;
  LLVMValueRef bit;
  hy_int_range range;
} row;

typedef struct definedness {
  hy_frame *frame;
  HY_VEC(row) rows;
  hy_id_map numbers; // of rows, by nodes
} definedness;

static const row *row_of(const definedness *d, const hy_expr *node) {
  return &d->rows.data[*hy_id_map_find(&d->numbers, node->id)];
}

static void remember(definedness *d, row r) {
  *hy_id_map_put(&d->numbers, r.node->id) = d->rows.count;
  hy_vec_push(&d->rows, r);
}

static LLVMValueRef both(hy_frame *frame, LLVMValueRef a, LLVMValueRef b) {
  return !a ? b : !b ? a : LLVMBuildAnd(frame->builder, a, b, "");
}

// "bit" counts only where "chosen" is what it says.
static LLVMValueRef where(hy_frame *frame, LLVMValueRef chosen, bool is, LLVMValueRef bit) {
  if (!bit) return NULL;
  return LLVMBuildOr(frame->builder, is ? LLVMBuildNot(frame->builder, chosen, "") : chosen, bit, "");
}

static LLVMValueRef fits_64_bits(hy_frame *frame, const char *name, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef pair = hy_emit_intrinsic(frame, name, &frame->emitter->i64, 1, (LLVMValueRef[]){a, b}, 2);
  return LLVMBuildNot(frame->builder, LLVMBuildExtractValue(frame->builder, pair, 1, ""), "");
}

// a * 2^n fits, for a shift to the left by n: it comes back from there.
static LLVMValueRef shift_bit(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  hy_emitter *e = frame->emitter;
  LLVMBuilderRef b = frame->builder;
  LLVMValueRef zero = hy_emit_i64(e, 0), most = hy_emit_i64(e, 63);
  LLVMValueRef amount = node->op == HY_OP_SHL ? args[1] : LLVMBuildNeg(b, args[1], "");
  LLVMIntPredicate leftwards = node->op == HY_OP_SHL ? LLVMIntSGT : LLVMIntSLT;
  LLVMValueRef left = LLVMBuildICmp(b, leftwards, args[1], zero, "");
  LLVMValueRef in_width = LLVMBuildICmp(b, LLVMIntULE, amount, most, "");
  LLVMValueRef bits = LLVMBuildAnd(b, amount, most, "");
  LLVMValueRef back = LLVMBuildAShr(b, LLVMBuildShl(b, args[0], bits, ""), bits, "");
  LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, back, args[0], "");
  LLVMValueRef is_zero = LLVMBuildICmp(b, LLVMIntEQ, args[0], zero, "");
  LLVMValueRef fits = LLVMBuildOr(b, is_zero, LLVMBuildAnd(b, in_width, same, ""), "");
  return LLVMBuildOr(b, LLVMBuildNot(b, left, ""), fits, "");
}

/* -- those that may leave 64 bits: an own_NAME for each row of ops.def whose errs is WIDTH -- */

static LLVMValueRef own_ADD(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  (void)node;
  return fits_64_bits(frame, "llvm.sadd.with.overflow", args[0], args[1]);
}

static LLVMValueRef own_SUB(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  (void)node;
  return fits_64_bits(frame, "llvm.ssub.with.overflow", args[0], args[1]);
}

static LLVMValueRef own_MUL(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  (void)node;
  return fits_64_bits(frame, "llvm.smul.with.overflow", args[0], args[1]);
}

static LLVMValueRef own_NEG(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  (void)node;
  return LLVMBuildICmp(frame->builder, LLVMIntNE, args[0], hy_emit_i64(frame->emitter, INT64_MIN), "");
}

static LLVMValueRef own_ABS(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  return own_NEG(frame, node, args);
}

static LLVMValueRef own_SHL(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  return shift_bit(frame, node, args);
}

static LLVMValueRef own_SHR(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  return shift_bit(frame, node, args);
}

static LLVMValueRef width_bit(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  switch (node->op) {
#define CASE_NEVER(name)                                                                                               \
  case HY_OP_##name:                                                                                                   \
    break;
#define CASE_DIVISOR(name) CASE_NEVER(name)
#define CASE_CAST(name) CASE_NEVER(name)
#define CASE_WIDTH(name)                                                                                               \
  case HY_OP_##name:                                                                                                   \
    return own_##name(frame, node, args);
#define HY_OP(name, spelling, arity, typing, precedence, mode, kind, errs, ...) CASE_##errs(name)
#include "semantics/ops.def"
#undef HY_OP
  }
  HY_UNREACHABLE();
}

static LLVMValueRef division_bit(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(args[1]));
  LLVMValueRef bit = LLVMBuildICmp(frame->builder, LLVMIntNE, args[1], zero, "");
  if (node->type != HY_INT || node->op == HY_OP_MOD) return bit;
  hy_emitter *e = frame->emitter;
  LLVMValueRef least = LLVMBuildICmp(frame->builder, LLVMIntNE, args[0], hy_emit_i64(e, INT64_MIN), "");
  LLVMValueRef by_one = LLVMBuildICmp(frame->builder, LLVMIntNE, args[1], hy_emit_i64(e, -1), "");
  return both(frame, bit, LLVMBuildOr(frame->builder, least, by_one, ""));
}

// Does the operator itself, on ordinary arguments, give an ordinary value?
static LLVMValueRef own_bit(hy_frame *frame, const hy_expr *node, LLVMValueRef const *args) {
  bool is_int = node->type == HY_INT;
  switch (hy_op_errs(node->op)) {
  case HY_ERRS_NEVER: return NULL;
  case HY_ERRS_WIDTH: return is_int ? width_bit(frame, node, args) : NULL;
  case HY_ERRS_DIVISOR: return hy_type_is_integral(node->type) ? division_bit(frame, node, args) : NULL;
  case HY_ERRS_CAST:
    if (!is_int || node->args[0]->type != HY_U64) return NULL;
    return LLVMBuildICmp(frame->builder, LLVMIntSGE, args[0], hy_emit_i64(frame->emitter, 0), "");
  }
  HY_UNREACHABLE();
}

static LLVMValueRef op_bit(definedness *d, const hy_expr *node, bool fits) {
  hy_frame *frame = d->frame;
  LLVMValueRef args[HY_MAX_ARITY], bits[HY_MAX_ARITY];
  for (int i = 0; i < node->count; i++) {
    args[i] = hy_emit_uniform(frame, node->args[i]);
    bits[i] = row_of(d, node->args[i])->bit;
  }
  if (node->op == HY_OP_AND) return both(frame, bits[0], where(frame, args[0], true, bits[1]));
  if (node->op == HY_OP_OR) return both(frame, bits[0], where(frame, args[0], false, bits[1]));
  if (node->op == HY_OP_SELECT) {
    LLVMValueRef first = where(frame, args[0], true, bits[1]);
    return both(frame, bits[0], both(frame, first, where(frame, args[0], false, bits[2])));
  }
  LLVMValueRef bit = fits ? NULL : own_bit(frame, node, args);
  for (int i = 0; i < node->count; i++) bit = both(frame, bit, bits[i]);
  return bit;
}

static void visit(void *self, const hy_expr *node) {
  definedness *d = self;
  hy_int_range args[HY_MAX_ARITY] = {{0}};
  bool is_op = node->kind == HY_EXPR_OP, fits;
  for (int i = 0; is_op && i < node->count; i++) args[i] = row_of(d, node->args[i])->range;
  row r = {.node = node, .range = hy_range_of(d->frame->emitter, node, args, &fits)};
  if (is_op) r.bit = op_bit(d, node, fits);
  if (node->kind == HY_EXPR_CONST && node->value.error) r.bit = LLVMConstInt(d->frame->emitter->i1, 0, false);
  remember(d, r);
}

LLVMValueRef hy_emit_checked(hy_frame *frame, const hy_expr *condition) {
  definedness d = {.frame = frame};
  LLVMValueRef value = hy_emit_uniform(frame, condition);
  hy_id_map_begin(&d.numbers);
  hy_expr_visit(condition, visit, &d);
  LLVMValueRef bit = row_of(&d, condition)->bit;
  hy_id_map_end(&d.numbers);
  hy_vec_free(&d.rows);
  value = both(frame, value, bit);
  return condition->has_access ? LLVMBuildFreeze(frame->builder, value, "") : value;
}

/* -- conditions over lanes -- */

LLVMValueRef hy_emit_any_lane(hy_frame *frame, LLVMValueRef vector) {
  LLVMTypeRef type = LLVMTypeOf(vector);
  return hy_emit_intrinsic(frame, "llvm.vector.reduce.or", &type, 1, &vector, 1);
}

static LLVMValueRef every_lane(hy_frame *frame, const hy_expr *condition) {
  hy_lanes lanes = hy_emit(frame, condition);
  if (lanes.shape == HY_UNIFORM) return lanes.value;
  LLVMTypeRef type = LLVMTypeOf(lanes.value);
  return hy_emit_intrinsic(frame, "llvm.vector.reduce.and", &type, 1, &lanes.value, 1);
}

static bool is_order(const hy_expr *e) {
  return e->kind == HY_EXPR_OP && e->args[0]->type == HY_INT && hy_op_typing(e->op) == HY_TYPING_COMPARE;
}

static LLVMValueRef last_lane(hy_frame *frame, hy_lanes lanes) {
  if (lanes.shape == HY_UNIFORM) return lanes.value;
  LLVMValueRef distance = hy_emit_i64(frame->emitter, lanes.stride * (frame->lanes - 1));
  return LLVMBuildAdd(frame->builder, lanes.value, distance, "");
}

// An order between ramps holds in every lane iff it holds in the first and in the last.
static LLVMValueRef all_of_order(hy_frame *frame, const hy_expr *condition, bool fits) {
  hy_lanes a = hy_emit(frame, condition->args[0]), b = hy_emit(frame, condition->args[1]);
  if (a.shape == HY_VARYING || b.shape == HY_VARYING) return every_lane(frame, condition);
  for (int i = 0; i < 2; i++) // else lanes in the middle may tell another story
    if (!fits && !hy_range_never_left(frame->emitter, condition->args[i])) return every_lane(frame, condition);
  LLVMValueRef first[] = {a.value, b.value}, last[] = {last_lane(frame, a), last_lane(frame, b)};
  LLVMValueRef in_last = hy_emit_op(frame, condition, last, 1);
  return both(frame, hy_emit_op(frame, condition, first, 1), in_last);
}

static LLVMValueRef all_lanes(hy_frame *frame, const hy_expr *condition, bool fits, int limit) {
  if (limit > 0 && condition->kind == HY_EXPR_OP && condition->op == HY_OP_AND) {
    LLVMValueRef second = all_lanes(frame, condition->args[1], fits, limit - 1);
    return both(frame, all_lanes(frame, condition->args[0], fits, limit - 1), second);
  }
  return is_order(condition) ? all_of_order(frame, condition, fits) : every_lane(frame, condition);
}

LLVMValueRef hy_emit_all_lanes(hy_frame *frame, const hy_expr *condition, bool fits) {
  enum { CONJUNCTS = 32 };
  LLVMValueRef bit = all_lanes(frame, condition, fits, CONJUNCTS);
  return condition->has_access ? LLVMBuildFreeze(frame->builder, bit, "") : bit;
}
