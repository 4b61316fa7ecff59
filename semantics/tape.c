#include "semantics/tape_internal.h"

#include "semantics/base/vec.h"

#include <stdlib.h>

/* How an expression becomes code. Every node of the DAG is compiled exactly once, so code and time are linear in it.
 *
 * Strict mode: one block, nodes in the order of their ids (children first).
 * Lazy mode: what has no access is computed whether it is selected or not (errors are values, so nobody can tell); what
 * has one must wait. A node is "main" if some chain of strict edges leads to it from an output; the edges to the second
 * and third argument of select, and to the second of and/or, are lazy if there is an access below. The others live in
 * blocks: with their user, if all their uses are strict ones from one block; else they begin a block of their own,
 * which runs at most once per evaluation. Whoever needs a block's root calls it; a call when a select picks that arm.
 */

typedef struct {
  const hy_expr *expr;
  uint32_t block; // where its code stands
  bool is_root;   // of its block
  bool seen;      // has a strict use, all from "block"
  bool in_main, mixed;
  uint32_t uses, lazy_uses;
  uint32_t operand;
} node;

typedef struct {
  hy_mode mode;
  HY_VEC(node) nodes; // by id
  HY_VEC(tape_block) blocks;
  HY_VEC(tape_instruction) code;
  HY_VEC(tape_access) loads;
  HY_VEC(hy_value) constants;
  const hy_var *const *inputs;
  size_t input_count;
  uint32_t registers, flags;
} compiler;

/* -- the nodes -- */

static void collect(void *self, const hy_expr *expr) {
  compiler *c = self;
  hy_vec_push(&c->nodes, (node){.expr = expr});
}

static int by_id(const void *a, const void *b) {
  uint32_t left = ((const node *)a)->expr->id, right = ((const node *)b)->expr->id;
  return (left > right) - (left < right);
}

static void sort_nodes(compiler *c) {
  qsort(c->nodes.data, c->nodes.count, sizeof(node), by_id);
  size_t kept = 0;
  for (size_t i = 0; i < c->nodes.count; i++)
    if (!kept || c->nodes.data[kept - 1].expr != c->nodes.data[i].expr) c->nodes.data[kept++] = c->nodes.data[i];
  c->nodes.count = kept;
}

static node *find(const compiler *c, const hy_expr *expr) {
  node key = {.expr = expr};
  return bsearch(&key, c->nodes.data, c->nodes.count, sizeof(node), by_id);
}

static bool is_leaf(const hy_expr *expr) { return expr->kind == HY_EXPR_CONST || expr->kind == HY_EXPR_VAR; }

static bool is_lazy(const hy_expr *expr) {
  return expr->kind == HY_EXPR_OP && (expr->op == HY_OP_SELECT || expr->op == HY_OP_AND || expr->op == HY_OP_OR);
}

static bool is_lazy_edge(const compiler *c, const hy_expr *expr, int child) {
  return (c->mode == HY_LAZY || HY_MUTANT(D4_Strict_Is_Lazy)) && child > 0 && is_lazy(expr) &&
         expr->args[child]->has_access;
}

/* -- blocks -- */

static uint32_t new_block(compiler *c, bool runs_once) {
  uint32_t flag = runs_once ? c->flags++ : NO_FLAG;
  hy_vec_push(&c->blocks, (tape_block){0, flag});
  return (uint32_t)c->blocks.count - 1;
}

static void choose_block(compiler *c, node *n) {
  bool one_home = n->seen && !n->mixed;
  if (n->in_main || (!n->expr->has_access && !one_home)) {
    n->block = 0;
  } else if (n->lazy_uses || !one_home) {
    n->block = new_block(c, n->uses > 1);
    n->is_root = true;
  }
}

static void use_strictly(node *child, uint32_t block) {
  child->in_main |= block == 0;
  child->mixed |= child->seen && child->block != block;
  child->seen = true;
  child->block = block;
}

// Users have greater ids, so that all uses of a node are known when its turn comes.
static void choose_blocks(compiler *c) {
  for (size_t i = c->nodes.count; i-- > 0;) {
    node *n = &c->nodes.data[i];
    if (is_leaf(n->expr)) continue;
    choose_block(c, n);
    for (int k = 0; k < n->expr->count; k++) {
      node *child = find(c, n->expr->args[k]);
      child->uses++;
      if (is_lazy_edge(c, n->expr, k))
        child->lazy_uses++;
      else
        use_strictly(child, n->block);
    }
  }
}

/* -- code -- */

static uint32_t operand(uint32_t space, size_t index) {
  HY_ASSERT(index < (size_t)1 << SPACE_SHIFT);
  return space << SPACE_SHIFT | (uint32_t)index;
}

static uint32_t input_operand(const compiler *c, const hy_var *var) {
  for (size_t i = 0; i < c->input_count; i++)
    if (c->inputs[i] == var) return operand(SPACE_INPUT, i);
  HY_DIE("the tape has no input %s", var->name);
}

static void emit_call(compiler *c, uint32_t block) {
  hy_vec_push(&c->code, (tape_instruction){.code = TAPE_CALL, .args = {block}});
}

// The block to run when that arm is picked.
static uint32_t arm(const compiler *c, const hy_expr *expr, int child) {
  if (!is_lazy_edge(c, expr, child)) return NO_BLOCK;
  const node *n = find(c, expr->args[child]);
  return n->is_root ? n->block : NO_BLOCK;
}

static void emit_pick(compiler *c, const hy_expr *expr) {
  uint32_t first = arm(c, expr, 1);
  uint32_t when_true = expr->op == HY_OP_OR ? NO_BLOCK : first;
  uint32_t when_false = expr->op == HY_OP_AND ? NO_BLOCK : expr->op == HY_OP_OR ? first : arm(c, expr, 2);
  if (when_true == NO_BLOCK && when_false == NO_BLOCK) return;
  uint32_t condition = find(c, expr->args[0])->operand;
  hy_vec_push(&c->code, (tape_instruction){.code = TAPE_PICK, .args = {condition, when_true, when_false}});
}

static tape_code cast_code(hy_type from, hy_type to) {
  if (hy_type_class_of(from) == HY_CLASS_FLOAT) return TAPE_APPLY;
  if (to == HY_INT && from != HY_U64) return TAPE_TO_INT;
  return hy_type_class_of(to) == HY_CLASS_UNSIGNED ? TAPE_TO_UINT : TAPE_APPLY;
}

static tape_code fast_code(const hy_expr *expr) {
  hy_type type = expr->args[0]->type;
  if (expr->op == HY_OP_CAST) return cast_code(type, expr->type);
#define TRY(kind, operator)                                                                                            \
  if (expr->op == HY_OP_##operator&& IS_##kind(type)) return TAPE_##kind##_##operator;
#define IS_INT(type) ((type) == HY_INT)
#define IS_UINT(type) (hy_type_class_of(type) == HY_CLASS_UNSIGNED)
#define IS_F32(type) ((type) == HY_F32)
#define IS_F64(type) ((type) == HY_F64)
  HY_TAPE_FAST(TRY)
#undef TRY
  return TAPE_APPLY;
}

static tape_code code_of(const compiler *c, const hy_expr *expr) {
  if (c->mode == HY_LAZY && expr->op == HY_OP_SELECT) return TAPE_SELECT;
  if (c->mode == HY_LAZY && expr->op == HY_OP_AND) return TAPE_AND;
  if (c->mode == HY_LAZY && expr->op == HY_OP_OR) return TAPE_OR;
  return fast_code(expr);
}

static void emit_op(compiler *c, node *n) {
  const hy_expr *expr = n->expr;
  if (c->mode == HY_LAZY && is_lazy(expr)) emit_pick(c, expr);
  tape_instruction in = {.code = (uint8_t)code_of(c, expr), .op = (uint8_t)expr->op, .type = (uint8_t)expr->type};
  for (int i = 0; i < expr->count; i++) in.args[i] = find(c, expr->args[i])->operand;
  if (expr->count < 3 && hy_type_class_of(expr->type) == HY_CLASS_UNSIGNED)
    in.args[2] = 64 - (uint32_t)hy_type_bits(expr->type);
  in.target = c->registers;
  hy_vec_push(&c->code, in);
}

static void emit_load(compiler *c, node *n) {
  tape_access access = {.func = n->expr->func};
  for (int i = 0; i < n->expr->count; i++) access.coordinates[i] = find(c, n->expr->args[i])->operand;
  hy_vec_push(&c->loads, access);
  uint32_t index = (uint32_t)c->loads.count - 1;
  hy_vec_push(&c->code, (tape_instruction){.code = TAPE_LOAD, .target = c->registers, .args = {index}});
}

static void emit(compiler *c, node *n) {
  for (int i = 0; i < n->expr->count; i++) {
    const node *child = find(c, n->expr->args[i]);
    if (child->is_root && !is_lazy_edge(c, n->expr, i)) emit_call(c, child->block);
  }
  if (n->expr->kind == HY_EXPR_ACCESS)
    emit_load(c, n);
  else
    emit_op(c, n);
  c->registers++;
}

static int by_block(const void *a, const void *b) {
  const node *left = *(node *const *)a, *right = *(node *const *)b;
  if (left->block != right->block) return left->block < right->block ? -1 : 1;
  return by_id(left, right);
}

// Operands first: a node's register is its rank in the order in which code is emitted.
static void give_operands(compiler *c, node **order, size_t count) {
  for (size_t i = 0; i < count; i++) order[i]->operand = operand(SPACE_REGISTER, i);
  for (size_t i = 0; i < c->nodes.count; i++) {
    node *n = &c->nodes.data[i];
    if (n->expr->kind == HY_EXPR_VAR) n->operand = input_operand(c, n->expr->var);
    if (n->expr->kind != HY_EXPR_CONST) continue;
    n->operand = operand(SPACE_CONSTANT, c->constants.count);
    hy_vec_push(&c->constants, n->expr->value);
  }
}

static void emit_blocks(compiler *c) {
  node **order = hy_allocate(sizeof *order * (c->nodes.count + 1));
  size_t count = 0, next = 0;
  for (size_t i = 0; i < c->nodes.count; i++)
    if (!is_leaf(c->nodes.data[i].expr)) order[count++] = &c->nodes.data[i];
  qsort(order, count, sizeof *order, by_block);
  give_operands(c, order, count);
  for (uint32_t block = 0; block < c->blocks.count; block++) {
    c->blocks.data[block].start = (uint32_t)c->code.count;
    for (; next < count && order[next]->block == block; next++) emit(c, order[next]);
    hy_vec_push(&c->code, (tape_instruction){.code = TAPE_RETURN});
  }
  free(order);
}

hy_tape *hy_tape_compile(const hy_expr *const *outputs, size_t output_count, const hy_var *const *inputs,
                         size_t input_count, hy_mode mode) {
  compiler c = {.mode = mode, .inputs = inputs, .input_count = input_count};
  for (size_t i = 0; i < output_count; i++) hy_expr_visit(outputs[i], collect, &c);
  sort_nodes(&c);
  new_block(&c, false);
  for (size_t i = 0; i < output_count; i++) use_strictly(find(&c, outputs[i]), 0);
  choose_blocks(&c);
  emit_blocks(&c);
  hy_tape *tape = hy_allocate_zeroed(1, sizeof *tape);
  tape->outputs = hy_allocate(sizeof *tape->outputs * (output_count + 1));
  tape->output_count = output_count;
  for (size_t i = 0; i < output_count; i++) tape->outputs[i] = find(&c, outputs[i])->operand;
  tape->code = c.code.data;
  tape->blocks = c.blocks.data;
  tape->loads = c.loads.data;
  tape->constants = c.constants.data;
  tape->register_count = c.registers;
  tape->flag_count = c.flags;
  tape->block_count = c.blocks.count;
  hy_vec_free(&c.nodes);
  return tape;
}

void hy_tape_free(hy_tape *tape) {
  if (!tape) return;
  free(tape->code);
  free(tape->blocks);
  free(tape->loads);
  free(tape->constants);
  free(tape->outputs);
  free(tape);
}

// A block is never entered again before it returned (a node is not below itself), so one return address each is enough.
size_t hy_tape_registers(const hy_tape *tape) {
  return tape->register_count + tape->flag_count + tape->block_count + 1;
}
