#include "codegen/codegen_internal.h"

/* Choices between many constants by where one number lies, as constant tables are written in the language: they are one
 * load of a table again (GEN.Table).
 *
 *   select(v < 2, select(v < 1, 3, 5), select(v == 7, 9, 8))  ->  table[clamp(v, 0, 8)], of 3 5 8 8 8 8 8 9 8
 *
 * Whatever v is, an error included, the index lies within the table.
 */

enum { LEAST_CHOICES = 6, MOST_NUMBERS = 1 << 13, MOST_NODES = 1 << 14 };

typedef struct {
  const hy_expr *variable; // v; NULL: not known yet
  int64_t least, most;     // what it is compared with
  int choices, nodes;
} shape;

/* -- is it one? -- */

// v < c, c < v, v == c, ...: its two sides.
static bool read_comparison(const hy_expr *condition, const hy_expr **variable, int64_t *constant) {
  if (condition->kind != HY_EXPR_OP || hy_op_kind_of(condition->op) != HY_KIND_COMPARISON) return false;
  if (condition->args[0]->type != HY_INT) return false;
  bool is_right = hy_expr_is_int(condition->args[1], constant);
  if (!is_right && !hy_expr_is_int(condition->args[0], constant)) return false;
  *variable = condition->args[is_right ? 0 : 1];
  return true;
}

static bool look(shape *s, const hy_expr *node) {
  if (++s->nodes > MOST_NODES) return false;
  if (node->kind == HY_EXPR_CONST) return !node->value.error;
  const hy_expr *variable;
  int64_t constant;
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_SELECT) return false;
  if (!read_comparison(node->args[0], &variable, &constant)) return false;
  if (s->variable && variable != s->variable) return false;
  if (constant < INT32_MIN || constant > INT32_MAX) return false;
  s->variable = variable;
  if (!s->choices || constant < s->least) s->least = constant;
  if (!s->choices || constant > s->most) s->most = constant;
  s->choices++;
  return look(s, node->args[1]) && look(s, node->args[2]);
}

static bool is_table(const hy_expr *node, shape *s) {
  *s = (shape){0};
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_SELECT) return false;
  return look(s, node) && s->choices >= LEAST_CHOICES && s->most - s->least < MOST_NUMBERS;
}

const hy_expr *hy_table_index(const hy_expr *node) {
  shape s;
  return is_table(node, &s) ? s.variable : NULL;
}

/* -- the table -- */

static hy_value value_at(const hy_expr *node, const hy_expr *variable, int64_t number) {
  while (node->kind == HY_EXPR_OP) {
    hy_value sides[2];
    for (int i = 0; i < 2; i++) {
      const hy_expr *side = node->args[0]->args[i];
      sides[i] = side == variable ? hy_value_int(number) : side->value;
    }
    hy_value chosen = hy_value_apply(node->args[0]->op, HY_BOOL, sides);
    node = node->args[chosen.u ? 1 : 2];
  }
  return node->value;
}

// Constant memory with an element for each number from least - 1 to most + 1, which stand for all beyond.
static LLVMValueRef make_table(hy_emitter *e, const hy_expr *node, const shape *s) {
  size_t count = (size_t)(s->most - s->least + 3);
  LLVMValueRef *elements = hy_allocate(sizeof *elements * count);
  LLVMTypeRef type = hy_emit_memory_type(e, node->type, 1);
  for (size_t i = 0; i < count; i++) {
    hy_value value = value_at(node, s->variable, s->least - 1 + (int64_t)i);
    elements[i] = node->type == HY_BOOL ? LLVMConstInt(type, value.u & 1, false) : hy_emit_const(e, value);
  }
  LLVMValueRef contents = LLVMConstArray(type, elements, (unsigned)count);
  LLVMValueRef global = LLVMAddGlobal(e->module, LLVMTypeOf(contents), "table");
  LLVMSetInitializer(global, contents);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  hy_free(elements);
  return global;
}

static LLVMValueRef clamped(hy_frame *frame, const shape *s, LLVMValueRef v) {
  hy_emitter *e = frame->emitter;
  LLVMValueRef from = hy_emit_i64(e, s->least - 1), to = hy_emit_i64(e, s->most + 1);
  v = hy_emit_intrinsic(frame, "llvm.smax", &e->i64, 1, (LLVMValueRef[]){v, from}, 2);
  v = hy_emit_intrinsic(frame, "llvm.smin", &e->i64, 1, (LLVMValueRef[]){v, to}, 2);
  return LLVMBuildSub(frame->builder, v, from, "");
}

static LLVMValueRef load(hy_frame *frame, const hy_expr *node, const shape *s, LLVMValueRef table, LLVMValueRef v) {
  hy_emitter *e = frame->emitter;
  LLVMTypeRef type = hy_emit_memory_type(e, node->type, 1);
  LLVMValueRef at = LLVMBuildInBoundsGEP2(frame->builder, type, table, (LLVMValueRef[]){clamped(frame, s, v)}, 1, "");
  LLVMValueRef element = LLVMBuildLoad2(frame->builder, type, at, "");
  if (node->type != HY_BOOL) return element;
  return LLVMBuildICmp(frame->builder, LLVMIntNE, element, LLVMConstNull(type), "");
}

// GEN.Table: lane by lane where they differ, since processors gather no bytes, and wider elements hardly faster.
bool hy_emit_table(hy_frame *frame, const hy_expr *node, hy_lanes *result) {
  shape s;
  if (!is_table(node, &s)) return false;
  hy_emitter *e = frame->emitter;
  LLVMValueRef table = make_table(e, node, &s);
  hy_context_hit(e->context, HY_RULE_GEN_TABLE);
  hy_lanes v = *hy_frame_known(frame, s.variable);
  *result = (hy_lanes){.shape = v.shape == HY_UNIFORM ? HY_UNIFORM : HY_VARYING, .depth = v.depth};
  if (v.shape == HY_UNIFORM) {
    result->value = load(frame, node, &s, table, v.value);
    return true;
  }
  LLVMValueRef lanes = hy_emit_vector(frame, v, HY_INT);
  result->value = LLVMGetPoison(hy_emit_type(e, node->type, frame->lanes));
  for (int l = 0; l < frame->lanes; l++) {
    LLVMValueRef number = LLVMConstInt(e->i32, (uint64_t)l, false);
    LLVMValueRef one = LLVMBuildExtractElement(frame->builder, lanes, number, "");
    result->value =
        LLVMBuildInsertElement(frame->builder, result->value, load(frame, node, &s, table, one), number, "");
  }
  return true;
}
