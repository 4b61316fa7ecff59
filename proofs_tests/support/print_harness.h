#ifndef HY_PRINT_HARNESS_H
#define HY_PRINT_HARNESS_H

// Equality of programs from different texts, random expressions of all types; shared by the suites of printers and
// readers.

#include "semantics/semantics.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = HY_TYPE_COUNT };

/* -- contexts with one parameter and one image of each type -- */

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  const hy_alg *base; // params[t] and images[t] have type t
  hy_source *sources[8];
  int source_count;
} world;

// Texts must live as long as what was read from them.
static inline const hy_source *keep_source(world *w, const char *name, const char *text) {
  ck_assert_int_lt(w->source_count, 8);
  hy_source *source = malloc(sizeof *source);
  *source = (hy_source){name, strdup(text), strlen(text)};
  return w->sources[w->source_count++] = source;
}

static inline const hy_alg *parse_alg(world *w, const char *text) {
  return hy_parse_alg(w->context, keep_source(w, "test.alg", text), w->diagnostics);
}

static inline const hy_tgt *parse_tgt(world *w, const char *text) {
  return hy_parse_tgt(w->context, keep_source(w, "test.tgt", text), w->diagnostics);
}

static inline world open_world(void) {
  world w = {.context = hy_context_new(), .diagnostics = hy_diagnostics_new()};
  hy_text text = {0};
  hy_text_add(&text, "pipeline base(");
  for (int t = 0; t < TYPES; t++)
    hy_text_printf(&text, "%sp%d: %s, im%d: %s[1]", t ? ", " : "", t, hy_type_name((hy_type)t), t,
                   hy_type_name((hy_type)t));
  hy_text_add(&text, ") { fun a(x) = x; }");
  w.base = parse_alg(&w, hy_text_string(&text));
  ck_assert_ptr_nonnull(w.base);
  hy_text_free(&text);
  return w;
}

static inline void close_world(world *w) {
  hy_diagnostics_free(w->diagnostics);
  hy_context_free(w->context);
  for (int i = 0; i < w->source_count; i++) {
    free((char *)w->sources[i]->text);
    free(w->sources[i]);
  }
}

// The algorithm of the text, printed. The text must be right.
static inline char *print_alg_text(const char *text) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"test.alg", text, strlen(text)};
  hy_text out = {0}, why = {0};
  const hy_alg *alg = hy_parse_alg(context, &source, diagnostics);
  hy_diagnostics_print(diagnostics, &why);
  ck_assert_msg(alg != NULL, "%s", hy_text_string(&why));
  hy_alg_print(alg, &out);
  hy_text_free(&why);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
  return out.data;
}

/* -- equality -- */

static inline bool same_name(const char *a, const char *b) { return strcmp(a, b) == 0; }

static inline bool same_func(const hy_func *a, const hy_func *b) {
  return same_name(a->name, b->name) && a->type == b->type && a->rank == b->rank && a->is_image == b->is_image &&
         a->more == b->more && memcmp(a->more_types, b->more_types, sizeof a->more_types) == 0;
}

static inline bool same_var(const hy_var *a, const hy_var *b) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind || a->type != b->type || a->dim != b->dim || a->spec != b->spec || a->stage != b->stage)
    return false;
  return same_name(a->name, b->name) && (!a->func || !b->func || same_name(a->func->name, b->func->name));
}

static inline bool same_hole(const hy_hole *a, const hy_hole *b) {
  return a->kind == b->kind && a->is_len == b->is_len && a->dim == b->dim && same_func(a->func, b->func) &&
         same_var(a->loop, b->loop);
}

static inline bool same_node(const hy_expr *a, const hy_expr *b) {
  if (a->kind != b->kind || a->type != b->type || a->count != b->count) return false;
  switch (a->kind) {
  case HY_EXPR_CONST: return a == b || hy_value_same(a->value, b->value);
  case HY_EXPR_VAR: return same_var(a->var, b->var);
  case HY_EXPR_TUPLE: return true;
  case HY_EXPR_ACCESS: return same_func(a->func, b->func) && a->part == b->part;
  case HY_EXPR_OP: return a->op == b->op;
  case HY_EXPR_HOLE: return same_hole(a->hole, b->hole);
  }
  return false;
}

typedef struct {
  const hy_expr **nodes;
  size_t count, capacity;
} node_list;

static inline void list_node(void *self, const hy_expr *node) {
  node_list *list = self;
  if (list->count == list->capacity)
    list->nodes = realloc(list->nodes, sizeof *list->nodes * (list->capacity = 2 * list->capacity + 16));
  list->nodes[list->count++] = node;
}

static inline size_t index_of(const node_list *list, const hy_expr *node) {
  for (size_t i = list->count; i-- > 0;)
    if (list->nodes[i] == node) return i;
  return SIZE_MAX;
}

// Equal graphs are visited in the same order; compares node by node, so that sharing costs nothing.
static inline bool same_expr(const hy_expr *a, const hy_expr *b) {
  node_list left = {0}, right = {0};
  hy_expr_visit(a, list_node, &left);
  hy_expr_visit(b, list_node, &right);
  bool same = left.count == right.count;
  for (size_t i = 0; same && i < left.count; i++) {
    same = same_node(left.nodes[i], right.nodes[i]);
    for (int k = 0; same && k < left.nodes[i]->count; k++)
      same = index_of(&left, left.nodes[i]->args[k]) == index_of(&right, right.nodes[i]->args[k]);
  }
  free(left.nodes);
  free(right.nodes);
  return same;
}

static inline bool same_box(const hy_interval *a, const hy_interval *b, int rank) {
  for (int d = 0; d < rank; d++)
    if (!same_expr(a[d].min, b[d].min) || !same_expr(a[d].len, b[d].len)) return false;
  return true;
}

static inline bool same_relation(const hy_relation *a, const hy_relation *b) {
  if (a->form != b->form || a->tail != b->tail || a->let_count != b->let_count || a->loop_count != b->loop_count)
    return false;
  for (int i = 0; i < a->let_count; i++)
    if (!same_var(a->lets[i], b->lets[i])) return false;
  for (int i = 0; i < a->loop_count; i++) {
    if (!same_var(a->loops[i], b->loops[i]) || !a->inverses[i] != !b->inverses[i]) return false;
    if (a->inverses[i] && !same_expr(a->inverses[i], b->inverses[i])) return false;
  }
  return true;
}

static inline bool same_origin(const hy_origin *a, const hy_origin *b) {
  if (!a->relation || !b->relation) return a->relation == b->relation;
  if (a->number != b->number || !same_relation(a->relation, b->relation)) return false;
  for (int i = 0; i < HY_MOST_SOURCES; i++)
    if (!same_var(a->sources[i], b->sources[i])) return false;
  return same_expr(a->factor, b->factor) && same_box(&a->range, &b->range, 1);
}

static inline bool same_plan(const hy_plan *a, const hy_plan *b, int rank) {
  bool same = !a == !b && (!a || a->store == b->store);
  for (int d = 0; a && same && d < rank; d++)
    same = a->order[d] == b->order[d] && a->align[d] == b->align[d] && a->fold[d] == b->fold[d];
  return same;
}

static inline bool same_own(const hy_stmt *a, const hy_stmt *b) {
  switch (a->kind) {
  case HY_STMT_NOP:
  case HY_STMT_SEQ: return true;
  case HY_STMT_ASSUME:
    if (!a->assume.subject != !b->assume.subject) return false;
    if (a->assume.subject && !same_func(a->assume.subject, b->assume.subject)) return false;
    return a->assume.why == b->assume.why && same_expr(a->assume.condition, b->assume.condition);
  case HY_STMT_ALLOCATE:
    return same_func(a->allocate.func, b->allocate.func) &&
           same_box(a->allocate.box, b->allocate.box, a->allocate.func->rank) &&
           same_plan(a->allocate.plan, b->allocate.plan, a->allocate.func->rank);
  case HY_STMT_ASSIGN:
    for (int d = 0; d < a->assign.func->rank; d++)
      if (!same_expr(a->assign.lhs[d], b->assign.lhs[d])) return false;
    return same_func(a->assign.func, b->assign.func) && a->assign.stage == b->assign.stage &&
           a->assign.spec == b->assign.spec && same_expr(a->assign.rhs, b->assign.rhs);
  case HY_STMT_IF: return a->branch.why == b->branch.why && same_expr(a->branch.condition, b->branch.condition);
  case HY_STMT_FOR:
    return same_var(a->loop.var, b->loop.var) && a->loop.is_pure == b->loop.is_pure &&
           a->loop.traversal == b->loop.traversal && same_box(&a->loop.interval, &b->loop.interval, 1);
  case HY_STMT_LET:
    return same_var(a->let.var, b->let.var) && same_expr(a->let.value, b->let.value) &&
           same_origin(&a->let.origin, &b->let.origin);
  case HY_STMT_COMPUTE:
    return same_func(a->compute.func, b->compute.func) &&
           same_box(a->compute.box, b->compute.box, a->compute.func->rank);
  case HY_STMT_LABEL:
    return a->label.what == b->label.what && a->label.number == b->label.number &&
           same_func(a->label.func, b->label.func);
  }
  return false;
}

static inline bool same_stmt(const hy_stmt *a, const hy_stmt *b) {
  const hy_stmt *const *left, *const *right, *left_room[2], *right_room[2];
  if (a->kind != b->kind || !same_own(a, b)) return false;
  int count = hy_stmt_children(a, &left, left_room);
  if (hy_stmt_children(b, &right, right_room) != count) return false;
  for (int i = 0; i < count; i++)
    if (!same_stmt(left[i], right[i])) return false;
  return true;
}

static inline bool same_signature(const hy_alg *a, const hy_alg *b) {
  if (!same_name(a->name, b->name) || a->param_count != b->param_count || a->image_count != b->image_count)
    return false;
  for (int i = 0; i < a->param_count + a->image_count; i++)
    if (a->signature[i] != b->signature[i]) return false;
  for (int i = 0; i < a->param_count; i++)
    if (!same_var(a->params[i], b->params[i])) return false;
  for (int i = 0; i < a->image_count; i++)
    if (!same_func(a->images[i], b->images[i])) return false;
  return same_func(a->output, b->output);
}

static inline bool same_tgt(const hy_tgt *a, const hy_tgt *b) {
  if (!same_signature(a->alg, b->alg) || a->func_count != b->func_count || a->entry_count != b->entry_count)
    return false;
  for (int i = 0; i < a->func_count; i++) {
    if (!same_func(a->funcs[i], b->funcs[i]) || a->stage_counts[i] != b->stage_counts[i]) return false;
    for (int d = 0; d < a->funcs[i]->rank; d++)
      if (!same_name(a->funcs[i]->dims[d], b->funcs[i]->dims[d])) return false;
  }
  for (int i = 0; i < a->entry_count; i++)
    if (!same_stmt(a->entry[i], b->entry[i])) return false;
  return same_stmt(a->body, b->body);
}

/* -- random expressions -- */

typedef struct {
  uint64_t state;
} random_source;

static inline uint64_t next_random(random_source *random) { return hy_hash(random->state++, 77); }

static inline hy_value random_value(random_source *random, hy_type type) {
  uint64_t bits = next_random(random);
  switch (hy_type_class_of(type)) {
  case HY_CLASS_BOOL: return hy_value_bool(bits & 1);
  case HY_CLASS_INTEGER:
  case HY_CLASS_UNSIGNED:
  case HY_CLASS_SIGNED: return hy_value_integral(type, (int64_t)(bits & 16 ? next_random(random) : bits % 5 - 2));
  case HY_CLASS_FLOAT: break;
  }
  if (!(bits & 7)) { // any finite bits
    uint64_t raw = next_random(random);
    hy_value value = hy_value_load(type, &raw);
    return isfinite(hy_value_to_double(value)) ? value : hy_value_zero(type);
  }
  return hy_value_from_double(type, (bits & 8 ? -0.1 : 1.0) * (double)(bits >> 8 & 15));
}

static inline const hy_expr *random_expr(world *w, random_source *random, hy_type type, int depth);

static inline const hy_expr *random_leaf(world *w, random_source *random, hy_type type) {
  switch (next_random(random) % 4) {
  case 0: return hy_expr_var(w->context, w->base->params[type]);
  case 1: {
    const hy_expr *at = hy_expr_int(w->context, (int64_t)(next_random(random) % 9) - 4);
    return hy_expr_access(w->context, w->base->images[type], &at);
  }
  default: return hy_expr_const(w->context, random_value(random, type));
  }
}

static inline const hy_expr *random_expr(world *w, random_source *random, hy_type type, int depth) {
  if (depth <= 0) return random_leaf(w, random, type);
  hy_op op = (hy_op)(next_random(random) % HY_OP_COUNT);
  hy_type inner = (hy_type)(next_random(random) % TYPES), result;
  const hy_expr *args[HY_MAX_ARITY];
  hy_type types[HY_MAX_ARITY] = {inner, inner, inner};
  if (op == HY_OP_SELECT)
    types[0] = HY_BOOL, types[1] = types[2] = type;
  else if (op != HY_OP_CAST && hy_op_typing(op) != HY_TYPING_COMPARE && hy_op_typing(op) != HY_TYPING_EQUAL)
    types[0] = types[1] = types[2] = type;
  if (hy_op_typing(op) == HY_TYPING_REINTERPRET) types[0] = hy_op_reinterpreted(op, &result);
  if (!hy_op_result(op, types, &result) || (op != HY_OP_CAST && result != type))
    return random_expr(w, random, type, depth - (int)(next_random(random) % 2));
  for (int i = 0; i < hy_op_arity(op); i++)
    args[i] = random_expr(w, random, types[i], depth - 1 - (int)(next_random(random) % 2));
  return hy_expr_op(w->context, op, type, args);
}

// "pipeline base(...) { fun a(x) = EXPR; }", made by hand
static inline const hy_alg *alg_of(world *w, hy_type type, const hy_expr *expr) {
  hy_arena *arena = hy_context_arena(w->context);
  hy_alg *alg = HY_NEW(arena, hy_alg);
  hy_definition *definition = HY_NEW(arena, hy_definition);
  hy_stage *stage = HY_NEW(arena, hy_stage);
  hy_func *func = HY_NEW(arena, hy_func);
  *alg = *w->base;
  *definition = w->base->definitions[0];
  *stage = definition->stages[0];
  *func = *definition->func;
  func->type = type;
  stage->rhs = expr;
  definition->func = func;
  definition->stages = stage;
  alg->definitions = definition;
  hy_alg_set_outputs(w->context, alg, (const hy_func *[]){func}, 1);
  return alg;
}

#endif
