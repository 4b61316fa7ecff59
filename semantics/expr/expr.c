#include "semantics/expr/expr.h"

#include "semantics/base/id_map.h"
#include "semantics/base/vec.h"

#include <string.h>

/* -- interning -- */

static uint64_t hash_pointer(uint64_t seed, const void *pointer) { return hy_hash(seed, (uint64_t)(uintptr_t)pointer); }

static uint64_t content_hash(const hy_expr *e) {
  uint64_t hash = hy_hash((uint64_t)e->kind * 64 + e->type, (uint64_t)e->op);
  switch (e->kind) {
  case HY_EXPR_CONST: hash = hy_hash(hy_hash(hash, hy_value_bits(e->value)), e->value.error); break;
  case HY_EXPR_VAR: hash = hy_hash(hash, e->var->id); break;
  case HY_EXPR_ACCESS: hash = hash_pointer(hash, e->func) + (uint64_t)e->part; break;
  case HY_EXPR_HOLE: hash = hash_pointer(hash, e->hole); break;
  case HY_EXPR_TUPLE:
  case HY_EXPR_OP: break;
  }
  for (int i = 0; i < e->count; i++) hash = hy_hash(hash, e->args[i]->hash);
  return hash;
}

bool hy_expr_equal_content(const void *left, const void *right) {
  const hy_expr *a = left, *b = right;
  if (a->kind != b->kind || a->type != b->type || a->count != b->count || a->hash != b->hash) return false;
  for (int i = 0; i < a->count; i++)
    if (a->args[i] != b->args[i]) return false;
  switch (a->kind) {
  case HY_EXPR_CONST: return hy_value_bits(a->value) == hy_value_bits(b->value) && a->value.error == b->value.error;
  case HY_EXPR_VAR: return a->var == b->var;
  case HY_EXPR_ACCESS: return a->func == b->func && a->part == b->part;
  case HY_EXPR_TUPLE: return true;
  case HY_EXPR_OP: return a->op == b->op;
  case HY_EXPR_HOLE: return a->hole == b->hole;
  }
  HY_UNREACHABLE();
}

// A number that an index has as it is: of type int, or of one of at most 32 bits.
static bool is_narrow(hy_type type) {
  return type == HY_INT || (hy_type_class_of(type) != HY_CLASS_FLOAT && hy_type_bits(type) <= 32);
}

static uint64_t var_bit(const hy_var *var) { return UINT64_C(1) << var->id % 64; }

// The one place where nodes are born: "key" lives on the caller's stack and is copied if it is new.
static const hy_expr *intern(hy_context *context, hy_expr *key) {
  key->has_access = key->kind == HY_EXPR_ACCESS;
  key->has_hole = key->kind == HY_EXPR_HOLE;
  key->has_var = key->kind == HY_EXPR_VAR;
  key->has_box = key->has_var && (key->var->kind == HY_VAR_IMAGE_MIN || key->var->kind == HY_VAR_IMAGE_LEN);
  key->has_conversion =
      key->has_access || (key->has_var && !is_narrow(key->type)) ||
      (key->kind == HY_EXPR_OP && key->op == HY_OP_CAST && (key->type != HY_INT || !is_narrow(key->args[0]->type)));
  key->var_bits = key->has_var ? var_bit(key->var) : 0;
  for (int i = 0; i < key->count; i++) {
    key->has_access |= key->args[i]->has_access;
    key->has_hole |= key->args[i]->has_hole;
    key->has_var |= key->args[i]->has_var;
    key->has_box |= key->args[i]->has_box;
    key->has_conversion |= key->args[i]->has_conversion;
    key->var_bits |= key->args[i]->var_bits;
  }
  key->hash = content_hash(key);
  const hy_expr *known = hy_intern_find(hy_context_exprs(context), key->hash, key);
  if (known) return known;
  size_t size = sizeof(hy_expr) + sizeof(hy_expr *) * (size_t)key->count;
  hy_expr *expr = hy_arena_allocate(hy_context_arena(context), size);
  memcpy(expr, key, size);
  expr->id = hy_context_fresh(context);
  hy_intern_add(hy_context_exprs(context), expr->hash, expr);
  return expr;
}

// A key with room for the largest node.
typedef union {
  hy_expr expr;
  char room[sizeof(hy_expr) + sizeof(hy_expr *) * HY_MAX_RANK];
} key_room;

const hy_expr *hy_expr_const(hy_context *context, hy_value value) {
  key_room key = {.expr = {.kind = HY_EXPR_CONST, .type = (hy_type)value.type, .value = value}};
  return intern(context, &key.expr);
}

const hy_expr *hy_expr_int(hy_context *context, int64_t i) { return hy_expr_const(context, hy_value_int(i)); }
const hy_expr *hy_expr_bool(hy_context *context, bool b) { return hy_expr_const(context, hy_value_bool(b)); }

const hy_expr *hy_expr_var(hy_context *context, const hy_var *var) {
  key_room key = {.expr = {.kind = HY_EXPR_VAR, .type = var->type, .var = var}};
  return intern(context, &key.expr);
}

const hy_expr *hy_expr_access_part(hy_context *context, const hy_func *func, int part,
                                   const hy_expr *const *coordinates) {
  HY_ASSERT(part >= 0 && part < hy_func_parts(func));
  key_room key = {.expr = {.kind = HY_EXPR_ACCESS, .type = hy_func_type(func, part), .count = func->rank}};
  key.expr.func = func;
  key.expr.part = part;
  for (int i = 0; i < func->rank; i++) {
    HY_ASSERT(coordinates[i]->type == HY_INT);
    key.expr.args[i] = coordinates[i];
  }
  return intern(context, &key.expr);
}

const hy_expr *hy_expr_access(hy_context *context, const hy_func *func, const hy_expr *const *coordinates) {
  return hy_expr_access_part(context, func, 0, coordinates);
}

_Static_assert(HY_MAX_PARTS <= HY_MAX_RANK, "a key has room for a tuple");

const hy_expr *hy_expr_tuple(hy_context *context, const hy_expr *const *values, int count) {
  HY_ASSERT(count >= 1 && count <= HY_MAX_PARTS);
  if (count == 1) return values[0];
  key_room key = {.expr = {.kind = HY_EXPR_TUPLE, .type = values[0]->type, .count = count}};
  for (int i = 0; i < count; i++) {
    HY_ASSERT(values[i]->kind != HY_EXPR_TUPLE);
    key.expr.args[i] = values[i];
  }
  return intern(context, &key.expr);
}

const hy_expr *hy_expr_hole(hy_context *context, const hy_hole *hole) {
  key_room key = {.expr = {.kind = HY_EXPR_HOLE, .type = HY_INT, .hole = hole}};
  return intern(context, &key.expr);
}

// The typing column of ops.def, read as a judgement: args : T ... |- op(args) : result.
bool hy_op_result(hy_op op, const hy_type *args, hy_type *result) {
  bool is_float = hy_type_class_of(args[0]) == HY_CLASS_FLOAT && hy_type_is_numeric(args[0]);
  *result = args[0];
  switch (hy_op_typing(op)) {
  case HY_TYPING_ARITH: return args[0] == args[1] && hy_type_is_numeric(args[0]);
  case HY_TYPING_WHOLE:
  case HY_TYPING_BITS: return args[0] == args[1] && hy_type_is_integral(args[0]);
  case HY_TYPING_COMPARE: *result = HY_BOOL; return args[0] == args[1] && hy_type_is_numeric(args[0]);
  case HY_TYPING_EQUAL: *result = HY_BOOL; return args[0] == args[1] && !hy_type_is_storage(args[0]);
  case HY_TYPING_LOGIC: return args[0] == HY_BOOL && (hy_op_arity(op) == 1 || args[1] == HY_BOOL);
  case HY_TYPING_SELECT: *result = args[1]; return args[0] == HY_BOOL && args[1] == args[2];
  case HY_TYPING_UNARY: return hy_type_is_numeric(args[0]);
  case HY_TYPING_UBITS: return hy_type_is_integral(args[0]);
  case HY_TYPING_CAST: return true;
  case HY_TYPING_REINTERPRET: return args[0] == hy_op_reinterpreted(op, result);
  case HY_TYPING_MATH:
    for (int i = 1; i < hy_op_arity(op); i++) is_float &= args[i] == args[0];
    return is_float;
  }
  HY_UNREACHABLE();
}

hy_rule hy_op_rule(hy_op op, hy_type type) {
  static const hy_rule rules[] = {
#define HY_OP(name, spelling, arity, typing, precedence, mode, kind, errs, range, solver, rule, ...) rule,
#include "semantics/ops.def"
#undef HY_OP
  };
  hy_rule rule = rules[op];
  if (rule != HY_RULE_VAL_INT && rule != HY_RULE_VAL_DIV) return rule;
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) return HY_RULE_VAL_FLOAT;
  return rule == HY_RULE_VAL_INT && type != HY_INT ? HY_RULE_VAL_WRAP : rule;
}

const hy_expr *hy_expr_op(hy_context *context, hy_op op, hy_type type, const hy_expr *const *args) {
  key_room key = {.expr = {.kind = HY_EXPR_OP, .op = op, .count = hy_op_arity(op)}};
  hy_type types[HY_MAX_ARITY], result;
  for (int i = 0; i < key.expr.count; i++) key.expr.args[i] = args[i], types[i] = args[i]->type;
  HY_ASSERT(hy_op_result(op, types, &result));
  key.expr.type = op == HY_OP_CAST ? type : result;
  return intern(context, &key.expr);
}

const hy_expr *hy_expr_unary(hy_context *context, hy_op op, const hy_expr *a) {
  return hy_expr_op(context, op, a->type, &a);
}

const hy_expr *hy_expr_binary(hy_context *context, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_op(context, op, a->type, (const hy_expr *[]){a, b});
}

const hy_expr *hy_expr_select(hy_context *context, const hy_expr *c, const hy_expr *a, const hy_expr *b) {
  return hy_expr_op(context, HY_OP_SELECT, a->type, (const hy_expr *[]){c, a, b});
}

const hy_expr *hy_expr_cast(hy_context *context, hy_type type, const hy_expr *a) {
  return hy_expr_op(context, HY_OP_CAST, type, &a);
}

// rewrite: true && b -> b, a && true -> a, a && a -> a, false && b -> false
const hy_expr *hy_expr_and(hy_context *context, const hy_expr *a, const hy_expr *b) {
  if (hy_expr_is_true(a) || a == b || hy_expr_is_false(b)) return b;
  if (hy_expr_is_true(b) || hy_expr_is_false(a)) return a;
  return hy_expr_binary(context, HY_OP_AND, a, b);
}

// rewrite: false || b -> b, a || false -> a, a || a -> a, true || b -> true
const hy_expr *hy_expr_or(hy_context *context, const hy_expr *a, const hy_expr *b) {
  if (hy_expr_is_false(a) || a == b || hy_expr_is_true(b)) return b;
  if (hy_expr_is_false(b) || hy_expr_is_true(a)) return a;
  return hy_expr_binary(context, HY_OP_OR, a, b);
}

const hy_expr *hy_expr_zeros(hy_context *context, const hy_func *func) {
  const hy_expr *zeros[HY_MAX_PARTS];
  for (int i = 0; i < hy_func_parts(func); i++) zeros[i] = hy_expr_const(context, hy_value_zero(hy_func_type(func, i)));
  return hy_expr_tuple(context, zeros, hy_func_parts(func));
}

/* -- questions -- */

size_t hy_func_bytes(const hy_func *func) {
  size_t bytes = 0;
  for (int i = 0; i < hy_func_parts(func); i++) bytes += hy_type_bytes(hy_func_type(func, i));
  return bytes;
}

int hy_expr_parts(const hy_expr *values) { return values->kind == HY_EXPR_TUPLE ? values->count : 1; }

const hy_expr *hy_expr_part(const hy_expr *values, int part) {
  return values->kind == HY_EXPR_TUPLE ? values->args[part] : values;
}

bool hy_expr_suits(const hy_expr *values, const hy_func *func) {
  bool suits = hy_expr_parts(values) == hy_func_parts(func);
  for (int i = 0; suits && i < hy_func_parts(func); i++) suits = hy_expr_part(values, i)->type == hy_func_type(func, i);
  return suits;
}

bool hy_expr_is_int(const hy_expr *expr, int64_t *value) {
  if (expr->kind != HY_EXPR_CONST || expr->type != HY_INT || expr->value.error) return false;
  *value = expr->value.i;
  return true;
}

static bool is_bool(const hy_expr *expr, uint64_t truth) {
  return expr->kind == HY_EXPR_CONST && expr->type == HY_BOOL && !expr->value.error && expr->value.u == truth;
}
bool hy_expr_is_true(const hy_expr *expr) { return is_bool(expr, 1); }
bool hy_expr_is_false(const hy_expr *expr) { return is_bool(expr, 0); }

/* -- walking: an explicit stack, because a chain of a million additions is a legal program -- */

typedef struct {
  const hy_expr *node;
  int next; // the child to go to
} frame;

enum { FEW_FRAMES = 32 }; // small expressions, most of them, need no memory but the C stack's

typedef struct {
  frame *frames;
  size_t count, capacity;
  frame few[FEW_FRAMES];
} frame_stack;

static void push(frame_stack *s, const hy_expr *node) {
  if (s->count == s->capacity) {
    frame *more = hy_allocate(2 * s->capacity * sizeof *more);
    memcpy(more, s->frames, s->count * sizeof *more);
    if (s->frames != s->few) hy_free(s->frames);
    s->frames = more;
    s->capacity *= 2;
  }
  s->frames[s->count++] = (frame){node, 0};
}

static void begin_stack(frame_stack *s) {
  s->frames = s->few;
  s->count = 0;
  s->capacity = FEW_FRAMES;
}

static void end_stack(frame_stack *s) {
  if (s->frames != s->few) hy_free(s->frames);
}

typedef hy_id_map memo; // const hy_expr *, by expressions

static const hy_expr *memo_find(const memo *m, const hy_expr *key) {
  const uintptr_t *found = hy_id_map_find(m, key->id);
  return found ? (const hy_expr *)*found : NULL;
}

// False if it is there already.
static bool memo_add(memo *m, const hy_expr *key, const hy_expr *value) {
  size_t before = m->count;
  uintptr_t *word = hy_id_map_put(m, key->id);
  if (m->count == before) return false;
  *word = (uintptr_t)value;
  return true;
}

typedef const hy_expr *combine(hy_context *context, const hy_expr *node, const memo *done, void *self);

// Visits each distinct node once, children first; "finish" gives what is remembered for it.
static const hy_expr *walk(hy_context *context, const hy_expr *root, combine *finish, void *self) {
  memo done;
  frame_stack stack;
  hy_id_map_begin(&done);
  begin_stack(&stack);
  push(&stack, root);
  while (stack.count) {
    frame *top = &stack.frames[stack.count - 1];
    const hy_expr *node = top->node;
    if (top->next < node->count) {
      const hy_expr *child = node->args[top->next++];
      if (!memo_find(&done, child)) push(&stack, child);
      continue;
    }
    stack.count--;
    memo_add(&done, node, finish(context, node, &done, self));
  }
  const hy_expr *result = memo_find(&done, root);
  end_stack(&stack);
  hy_id_map_end(&done);
  return result;
}

typedef bool concerns(const hy_expr *node);

typedef struct {
  concerns *ask; // below a node that it says no to there is none that it says yes to
  void (*visit)(void *self, const hy_expr *node);
  void *self;
} visitor;

// Visits each distinct node once that does concern it, children first.
static void visit_below(const visitor *v, const hy_expr *root, memo *seen) {
  frame_stack stack;
  begin_stack(&stack);
  push(&stack, root);
  while (stack.count) {
    frame *top = &stack.frames[stack.count - 1];
    const hy_expr *node = top->node;
    if (top->next == node->count) {
      stack.count--;
      v->visit(v->self, node);
      continue;
    }
    const hy_expr *child = node->args[top->next++];
    if (!v->ask(child) || !memo_add(seen, child, child)) continue;
    if (child->count)
      push(&stack, child);
    else
      v->visit(v->self, child);
  }
  end_stack(&stack);
}

static void visit_some(const visitor *v, const hy_expr *const *roots, size_t count) {
  if (count == 1 && !roots[0]->count) {
    if (v->ask(roots[0])) v->visit(v->self, roots[0]);
    return;
  }
  memo seen;
  hy_id_map_begin(&seen);
  for (size_t i = 0; i < count; i++)
    if (v->ask(roots[i]) && memo_add(&seen, roots[i], roots[i])) visit_below(v, roots[i], &seen);
  hy_id_map_end(&seen);
}

static bool is_any(const hy_expr *node) { return node != NULL; }
static bool has_access(const hy_expr *node) { return node->has_access; }
static bool has_var(const hy_expr *node) { return node->has_var; }

void hy_expr_visit(const hy_expr *expr, void (*visit)(void *self, const hy_expr *node), void *self) {
  visit_some(&(visitor){is_any, visit, self}, &expr, 1);
}

void hy_expr_visit_each(const hy_expr *const *exprs, size_t count, void (*visit)(void *self, const hy_expr *node),
                        void *self) {
  visit_some(&(visitor){is_any, visit, self}, exprs, count);
}

typedef struct {
  void (*visit)(void *self, const hy_expr *access);
  void *self;
} access_visitor;

static void visit_access(void *self, const hy_expr *node) {
  const access_visitor *v = self;
  if (node->kind == HY_EXPR_ACCESS) v->visit(v->self, node);
}

void hy_expr_visit_accesses(const hy_expr *expr, void (*visit)(void *self, const hy_expr *access), void *self) {
  visit_some(&(visitor){has_access, visit_access, &(access_visitor){visit, self}}, &expr, 1);
}

typedef struct {
  const hy_var *var;
  bool found;
} var_search;

static void search_var(void *self, const hy_expr *node) {
  var_search *search = self;
  if (node->kind == HY_EXPR_VAR && node->var == search->var) search->found = true;
}

bool hy_expr_mentions(const hy_expr *expr, const hy_var *var) {
  if (!(expr->var_bits & var_bit(var))) return false;
  var_search search = {var, false};
  visit_some(&(visitor){has_var, search_var, &search}, &expr, 1);
  return search.found;
}

static void search_local(void *self, const hy_expr *node) {
  if (node->kind == HY_EXPR_VAR && !hy_var_is_startup(node->var)) *(bool *)self = true;
}

bool hy_expr_is_startup(const hy_expr *expr) {
  if (expr->has_access || expr->has_hole) return false;
  bool local = false;
  visit_some(&(visitor){has_var, search_local, &local}, &expr, 1);
  return !local;
}

/* -- rewriting -- */

typedef struct {
  hy_expr_mapper *map;
  void *self;
} mapping;

static const hy_expr *rebuild(hy_context *context, const hy_expr *node, const hy_expr *const *args) {
  if (memcmp(args, node->args, sizeof *args * (size_t)node->count) == 0) return node;
  if (node->kind == HY_EXPR_ACCESS) return hy_expr_access_part(context, node->func, node->part, args);
  if (node->kind == HY_EXPR_TUPLE) return hy_expr_tuple(context, args, node->count);
  return hy_expr_op(context, node->op, node->type, args);
}

static const hy_expr *map_node(hy_context *context, const hy_expr *node, const memo *done, void *self) {
  mapping *m = self;
  const hy_expr *args[HY_MAX_RANK];
  for (int i = 0; i < node->count; i++) args[i] = memo_find(done, node->args[i]);
  const hy_expr *rebuilt = node->count ? rebuild(context, node, args) : node;
  return node->kind == HY_EXPR_TUPLE ? rebuilt : m->map(m->self, rebuilt);
}

const hy_expr *hy_expr_map(hy_context *context, const hy_expr *expr, hy_expr_mapper *map, void *self) {
  return walk(context, expr, map_node, &(mapping){map, self});
}

typedef struct {
  const hy_binding *bindings;
  size_t count;
} substitution;

static const hy_expr *substitute_node(void *self, const hy_expr *node) {
  substitution *s = self;
  if (node->kind != HY_EXPR_VAR) return node;
  for (size_t i = 0; i < s->count; i++)
    if (s->bindings[i].var == node->var) return s->bindings[i].expr;
  return node;
}

const hy_expr *hy_expr_substitute(hy_context *context, const hy_expr *expr, const hy_binding *bindings, size_t count) {
  if (!expr->has_var || !count) return expr;
  return hy_expr_map(context, expr, substitute_node, &(substitution){bindings, count});
}
