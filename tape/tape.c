#include "tape/tape_internal.h"

#include "semantics/base/id_map.h"
#include "semantics/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* How an expression becomes code. Every node of the DAG is compiled exactly once, so code and time are linear in it.
 *
 * Strict mode: one block, children first.
 * Lazy mode: what has no access is computed whether it is selected or not (errors are values, so nobody can tell); what
 * has one must wait. A node is "main" if some chain of strict edges leads to it from an output; the edges to the second
 * and third argument of select, and to the second of and/or, are lazy if there is an access below. The others live in
 * blocks: with their user, if all their uses are strict ones from one block; else they begin a block of their own,
 * which runs at most once per evaluation. Whoever needs a block's root calls it; a call when a select picks that arm.
 */

typedef struct {
  const hy_expr *expr;
  uint32_t args;  // where its children begin in the list of all nodes' children
  uint32_t block; // where its code stands
  bool is_root;   // of its block
  bool seen;      // has a strict use, all from "block"
  bool in_main, mixed;
  uint32_t uses, lazy_uses;
  uint32_t level;   // 0: a constant; k + 1: input k is the last that it depends on; above all: it looks at memory
  uint32_t operand; // its place in the room
} node;

enum { FEW_SECTIONS = 48 };

typedef struct {
  hy_mode mode;
  HY_VEC(node) nodes; // children first
  HY_VEC(uint32_t) children;
  hy_id_map *numbers; // of nodes, by expressions
  HY_VEC(tape_block) blocks;
  HY_VEC(tape_instruction) code;
  HY_VEC(tape_access) loads;
  HY_VEC(hy_value) constants;
  HY_VEC(uint32_t) begins;
  const hy_var *const *inputs;
  size_t input_count;
  uint32_t registers, flags;
} compiler;

/* -- the nodes -- */

static uint32_t number_of(const compiler *c, const hy_expr *expr) {
  return (uint32_t)*hy_id_map_find(c->numbers, expr->id);
}

static void collect(void *self, const hy_expr *expr) {
  compiler *c = self;
  node n = {.expr = expr, .args = (uint32_t)c->children.count};
  for (int k = 0; k < expr->count; k++) hy_vec_push(&c->children, number_of(c, expr->args[k]));
  *hy_id_map_put(c->numbers, expr->id) = c->nodes.count;
  hy_vec_push(&c->nodes, n);
}

static node *find(const compiler *c, const hy_expr *expr) { return &c->nodes.data[number_of(c, expr)]; }
static node *child_of(const compiler *c, const node *n, int k) {
  return &c->nodes.data[c->children.data[n->args + (uint32_t)k]];
}

static bool is_leaf(const hy_expr *expr) { return expr->kind == HY_EXPR_CONST || expr->kind == HY_EXPR_VAR; }

static bool is_lazy(const hy_expr *expr) { return expr->kind == HY_EXPR_OP && hy_op_is_lazy(expr->op); }

static bool is_lazy_edge(const compiler *c, const hy_expr *expr, int child) {
  return c->mode == HY_LAZY && child > 0 && is_lazy(expr) && expr->args[child]->has_access;
}

/* -- what nodes depend on -- */

static uint32_t input_of(const compiler *c, const hy_var *var) {
  for (size_t i = 0; i < c->input_count; i++)
    if (c->inputs[i] == var) return (uint32_t)i;
  HY_DIE("the tape has no input %s", var->name);
}

static void give_levels(compiler *c) {
  for (size_t i = 0; i < c->nodes.count; i++) {
    node *n = &c->nodes.data[i];
    if (n->expr->kind == HY_EXPR_VAR) n->level = input_of(c, n->expr->var) + 1;
    if (n->expr->has_access) n->level = (uint32_t)c->input_count + 1;
    for (int k = 0; k < n->expr->count && !n->expr->has_access; k++) {
      uint32_t level = child_of(c, n, k)->level;
      if (level > n->level) n->level = level;
    }
  }
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

// Users come later in the list, so that all uses of a node are known when its turn comes.
static void choose_blocks(compiler *c) {
  for (size_t i = c->nodes.count; i-- > 0;) {
    node *n = &c->nodes.data[i];
    if (is_leaf(n->expr)) continue;
    choose_block(c, n);
    for (int k = 0; k < n->expr->count; k++) {
      node *child = child_of(c, n, k);
      child->uses++;
      if (is_lazy_edge(c, n->expr, k))
        child->lazy_uses++;
      else
        use_strictly(child, n->block);
    }
  }
}

/* -- code -- */

static void emit_call(compiler *c, uint32_t block) {
  hy_vec_push(&c->code, (tape_instruction){.code = TAPE_CALL, .args = {block}});
}

// The block to run when that arm is picked.
static uint32_t arm(const compiler *c, const node *n, int child) {
  if (!is_lazy_edge(c, n->expr, child)) return NO_BLOCK;
  const node *picked = child_of(c, n, child);
  return picked->is_root ? picked->block : NO_BLOCK;
}

static void emit_pick(compiler *c, const node *n) {
  hy_op op = n->expr->op;
  uint32_t first = arm(c, n, 1);
  uint32_t when_true = op == HY_OP_OR ? NO_BLOCK : first;
  uint32_t when_false = op == HY_OP_AND ? NO_BLOCK : op == HY_OP_OR ? first : arm(c, n, 2);
  if (when_true == NO_BLOCK && when_false == NO_BLOCK) return;
  uint32_t condition = child_of(c, n, 0)->operand;
  hy_vec_push(&c->code, (tape_instruction){.code = TAPE_PICK, .args = {condition, when_true, when_false}});
}

static tape_code cast_code(hy_type from, hy_type to) {
  if (hy_type_class_of(from) == HY_CLASS_FLOAT) return TAPE_APPLY;
  switch (hy_type_class_of(to)) {
  case HY_CLASS_INTEGER: return from == HY_U64 ? TAPE_APPLY : TAPE_TO_INT;
  case HY_CLASS_UNSIGNED: return TAPE_TO_UINT;
  case HY_CLASS_SIGNED: return TAPE_TO_SINT;
  case HY_CLASS_FLOAT:
    return hy_type_class_of(from) == HY_CLASS_UNSIGNED || hy_type_is_storage(to) ? TAPE_APPLY : TAPE_TO_FLOAT;
  case HY_CLASS_BOOL: return TAPE_APPLY;
  }
  HY_UNREACHABLE();
}

enum { KIND_INT, KIND_UINT, KIND_SINT, KIND_F32, KIND_F64, KIND_COUNT };

static tape_code fast_code(const hy_expr *expr) {
  static const uint8_t codes[KIND_COUNT][HY_OP_COUNT] = {
#define ROW(kind, op) [KIND_##kind][HY_OP_##op] = TAPE_##kind##_##op,
      HY_TAPE_FAST(ROW)
#undef ROW
  };
  _Static_assert(TAPE_APPLY == 0, "what has no row is applied");
  hy_type type = expr->args[0]->type;
  if (expr->op == HY_OP_CAST) return cast_code(type, expr->type);
  if (hy_type_is_storage(type)) return TAPE_APPLY;
  bool compares = expr->type == HY_BOOL;
  switch (hy_type_class_of(type)) {
  case HY_CLASS_INTEGER: return (tape_code)codes[KIND_INT][expr->op];
  case HY_CLASS_BOOL: return (tape_code)codes[KIND_INT][expr->op]; // == and != alone have rows that a bool can meet
  case HY_CLASS_UNSIGNED: return (tape_code)codes[KIND_UINT][expr->op];
  case HY_CLASS_SIGNED: return (tape_code)codes[compares ? KIND_INT : KIND_SINT][expr->op];
  case HY_CLASS_FLOAT: return (tape_code)codes[type == HY_F32 ? KIND_F32 : KIND_F64][expr->op];
  }
  HY_UNREACHABLE();
}

static tape_code code_of(const compiler *c, const hy_expr *expr) {
  if (c->mode == HY_LAZY && expr->op == HY_OP_SELECT) return TAPE_SELECT;
  if (c->mode == HY_LAZY && expr->op == HY_OP_AND) return TAPE_AND;
  if (c->mode == HY_LAZY && expr->op == HY_OP_OR) return TAPE_OR;
  return fast_code(expr);
}

static void emit_op(compiler *c, const node *n) {
  const hy_expr *expr = n->expr;
  if (c->mode == HY_LAZY && is_lazy(expr)) emit_pick(c, n);
  tape_instruction in = {.code = (uint8_t)code_of(c, expr), .op = (uint8_t)expr->op, .type = (uint8_t)expr->type};
  for (int i = 0; i < expr->count; i++) in.args[i] = child_of(c, n, i)->operand;
  if (expr->count < 3 && expr->type != HY_BOOL && hy_type_is_integral(expr->type))
    in.args[2] = 64 - (uint32_t)hy_type_bits(expr->type);
  in.target = n->operand;
  hy_vec_push(&c->code, in);
}

static void emit_load(compiler *c, const node *n) {
  tape_access access = {.func = n->expr->func, .part = n->expr->part};
  for (int i = 0; i < n->expr->count; i++) access.coordinates[i] = child_of(c, n, i)->operand;
  hy_vec_push(&c->loads, access);
  uint32_t index = (uint32_t)c->loads.count - 1;
  hy_vec_push(&c->code, (tape_instruction){.code = TAPE_LOAD, .target = n->operand, .args = {index}});
}

static void emit(compiler *c, const node *n) {
  for (int i = 0; i < n->expr->count; i++) {
    const node *child = child_of(c, n, i);
    if (child->is_root && !is_lazy_edge(c, n->expr, i)) emit_call(c, child->block);
  }
  if (n->expr->kind == HY_EXPR_ACCESS)
    emit_load(c, n);
  else
    emit_op(c, n);
}

// Where code stands: the main block by levels, then the others.
static size_t section_of(const compiler *c, const node *n) {
  return n->block ? c->input_count + 1 + n->block : n->level;
}

// The nodes that have code, in the order in which they have it: by sections, children first.
static const node **order_code(const compiler *c, size_t *count) {
  size_t sections = c->input_count + 1 + c->blocks.count;
  size_t few_ends[FEW_SECTIONS] = {0}, *ends = few_ends;
  if (sections >= FEW_SECTIONS) ends = hy_allocate_zeroed(sections + 1, sizeof *ends);
  for (size_t i = 0; i < c->nodes.count; i++)
    if (!is_leaf(c->nodes.data[i].expr)) ends[section_of(c, &c->nodes.data[i]) + 1]++;
  for (size_t i = 0; i < sections; i++) ends[i + 1] += ends[i];
  *count = ends[sections];
  const node **order = hy_allocate(sizeof *order * (*count + 1));
  for (size_t i = 0; i < c->nodes.count; i++)
    if (!is_leaf(c->nodes.data[i].expr)) order[ends[section_of(c, &c->nodes.data[i])]++] = &c->nodes.data[i];
  if (ends != few_ends) hy_free(ends);
  return order;
}

// Places in the room: inputs, constants, registers in the order of the list.
static void give_operands(compiler *c) {
  for (size_t i = 0; i < c->nodes.count; i++) {
    node *n = &c->nodes.data[i];
    if (n->expr->kind == HY_EXPR_VAR) n->operand = n->level - 1;
    if (n->expr->kind != HY_EXPR_CONST) continue;
    n->operand = (uint32_t)(c->input_count + c->constants.count);
    hy_vec_push(&c->constants, n->expr->value);
  }
  for (size_t i = 0; i < c->nodes.count; i++)
    if (!is_leaf(c->nodes.data[i].expr))
      c->nodes.data[i].operand = (uint32_t)(c->input_count + c->constants.count + c->registers++);
}

// What has a lower level comes before this.
static void begin_levels(compiler *c, uint32_t level) {
  while (c->begins.count < level) hy_vec_push(&c->begins, (uint32_t)c->code.count);
}

static void emit_blocks(compiler *c) {
  size_t count, next = 0;
  const node **order = order_code(c, &count);
  give_operands(c);
  hy_vec_reserve(&c->code, count + c->blocks.count);
  hy_vec_reserve(&c->begins, c->input_count + 1);
  for (uint32_t block = 0; block < c->blocks.count; block++) {
    c->blocks.data[block].start = (uint32_t)c->code.count;
    for (; next < count && order[next]->block == block; next++) {
      if (block == 0) begin_levels(c, order[next]->level);
      emit(c, order[next]);
    }
    if (block == 0) begin_levels(c, (uint32_t)c->input_count + 1);
    hy_vec_push(&c->code, (tape_instruction){.code = TAPE_RETURN});
  }
  hy_free(order);
}

hy_tape *hy_tape_compile(const hy_expr *const *outputs, size_t output_count, const hy_var *const *inputs,
                         size_t input_count, hy_mode mode) {
  hy_id_map numbers;
  compiler c = {.mode = mode, .inputs = inputs, .input_count = input_count, .numbers = &numbers};
  hy_id_map_begin(&numbers);
  hy_vec_reserve(&c.nodes, 32);
  hy_vec_reserve(&c.children, 64);
  hy_expr_visit_each(outputs, output_count, collect, &c);
  give_levels(&c);
  new_block(&c, false);
  for (size_t i = 0; i < output_count; i++) use_strictly(find(&c, outputs[i]), 0);
  choose_blocks(&c);
  emit_blocks(&c);
  hy_tape *tape = hy_allocate_zeroed(1, sizeof *tape + sizeof *tape->outputs * output_count);
  tape->outputs = (uint32_t *)(void *)(tape + 1);
  tape->output_count = output_count;
  for (size_t i = 0; i < output_count; i++) tape->outputs[i] = find(&c, outputs[i])->operand;
  tape->code = c.code.data;
  tape->blocks = c.blocks.data;
  tape->loads = c.loads.data;
  tape->constants = c.constants.data;
  tape->begins = c.begins.data;
  tape->input_count = input_count;
  tape->is_blind = !c.loads.count;
  tape->constant_count = c.constants.count;
  tape->register_count = c.registers;
  tape->flag_count = c.flags;
  tape->block_count = c.blocks.count;
  hy_id_map_end(&numbers);
  hy_vec_free(&c.children);
  hy_vec_free(&c.nodes);
  return tape;
}

void hy_tape_free(hy_tape *tape) {
  if (!tape) return;
  hy_free(tape->code);
  hy_free(tape->blocks);
  hy_free(tape->loads);
  hy_free(tape->constants);
  hy_free(tape->begins);
  hy_free(tape);
}

// A block is never entered again before it returned (a node is not below itself), so one return address each is enough.
size_t hy_tape_room(const hy_tape *tape) {
  return tape->input_count + tape->constant_count + tape->register_count + tape->flag_count + tape->block_count + 1;
}

void hy_tape_begin(const hy_tape *tape, hy_value *room) {
  if (tape->constant_count)
    memcpy(room + tape->input_count, tape->constants, tape->constant_count * sizeof *tape->constants);
}
