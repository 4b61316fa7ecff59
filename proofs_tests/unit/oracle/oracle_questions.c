#include "proofs_tests/unit/oracle/oracle_questions.h"

#include "oracle/prover/evaluate.h"
#include "semantics/text/syntax_internal.h"

#include <stdlib.h>
#include <string.h>

struct questions {
  hy_context *context;
  hy_scope scope;
  HY_VEC(const hy_var *) vars;
  hy_func funcs[3];
  bool typed;
};

/* -- names -- */

static hy_type type_of(const char *name) {
  static const struct {
    char letter;
    hy_type type;
  } prefixes[] = {{'b', HY_U8}, {'w', HY_U16}, {'q', HY_U64}, {'c', HY_I8}, {'f', HY_F32}, {'t', HY_BOOL}};
  for (size_t i = 0; i < HY_COUNT(prefixes); i++)
    if (name[0] == prefixes[i].letter && name[1] == '_') return prefixes[i].type;
  return HY_INT;
}

const hy_var *questions_variable(questions *questions, const char *name) {
  for (size_t i = 0; i < questions->vars.count; i++)
    if (strcmp(questions->vars.data[i]->name, name) == 0) return questions->vars.data[i];
  const char *copy = hy_context_name_of(questions->context, name);
  hy_vec_push(&questions->vars, hy_var_new(questions->context, HY_VAR_PARAM, type_of(name), copy, NULL, 0, 0));
  return hy_vec_last(&questions->vars);
}

static const hy_var *scope_var(void *self, const hy_syntax *path) {
  return path->kind == HY_SYNTAX_NAME ? questions_variable(self, path->text) : NULL;
}

static const hy_func *scope_func(void *self, const hy_syntax *name) {
  questions *q = self;
  for (size_t i = 0; i < HY_COUNT(q->funcs); i++)
    if (strcmp(q->funcs[i].name, name->text) == 0) return &q->funcs[i];
  return NULL;
}

questions *questions_new(void) {
  static const char *const dims[] = {"0"};
  questions *q = hy_allocate_zeroed(1, sizeof *q);
  q->context = hy_context_new();
  q->scope = (hy_scope){.self = q, .var = scope_var, .func = scope_func};
  q->funcs[0] = (hy_func){.name = "img", .index = 0, .type = HY_U8, .rank = 1, .dims = dims};
  q->funcs[1] = (hy_func){.name = "at", .index = 1, .type = HY_INT, .rank = 1, .dims = dims};
  q->funcs[2] = (hy_func){.name = "on", .index = 2, .type = HY_BOOL, .rank = 1, .dims = dims};
  return q;
}

void questions_free(questions *questions) {
  if (!questions) return;
  hy_vec_free(&questions->vars);
  hy_context_free(questions->context);
  free(questions);
}

hy_context *questions_context(questions *questions) { return questions->context; }

/* -- text -- */

// The next formula of "text"; stops at ";".
static const hy_expr *parse(questions *q, const char *text, size_t length) {
  hy_arena *arena = hy_context_arena(q->context);
  hy_source *source = HY_NEW(arena, hy_source);
  *source = (hy_source){"question", hy_arena_copy(arena, text, length), length};
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_parser parser;
  hy_parser_open(&parser, q->context, source, diagnostics);
  hy_type wanted = HY_BOOL;
  const hy_syntax *syntax = hy_parse_expression(&parser);
  const hy_expr *formula = syntax ? hy_elaborate(q->context, &q->scope, syntax, &wanted, diagnostics) : NULL;
  if (!formula || !hy_parser_at_end(&parser)) HY_DIE("not a formula: %s", source->text);
  hy_parser_close(&parser);
  hy_diagnostics_free(diagnostics);
  return formula;
}

const hy_expr *questions_formula(questions *questions, const char *text) {
  return parse(questions, text, strlen(text));
}

size_t questions_facts(questions *questions, const char *text, const hy_expr *facts[MAX_FACTS]) {
  size_t count = 0;
  while (*text) {
    text += strspn(text, " ");
    size_t length = strcspn(text, ";");
    if (length == 0) break;
    HY_ASSERT(count < MAX_FACTS);
    facts[count++] = parse(questions, text, length);
    text += length;
    if (*text == ';') text++;
  }
  return count;
}

/* -- chance -- */

uint64_t questions_random(uint64_t *seed) {
  *seed += 0x9e3779b97f4a7c15u;
  return hy_hash(0, *seed);
}

static uint64_t below(uint64_t *seed, uint64_t limit) { return questions_random(seed) % limit; }

void questions_set_typed(questions *questions, bool typed) { questions->typed = typed; }

// A variable of a fixed width, or an operator on two of one type.
static const hy_expr *random_fixed(questions *q, uint64_t *seed) {
  static const char *const names[][2] = {{"b_v", "b_w"}, {"c_v", "c_w"}};
  static const hy_op ops[] = {HY_OP_ADD, HY_OP_SUB, HY_OP_MUL, HY_OP_DIV,     HY_OP_MOD,    HY_OP_MIN,
                              HY_OP_MAX, HY_OP_SHL, HY_OP_SHR, HY_OP_BIT_AND, HY_OP_BIT_OR, HY_OP_BIT_XOR};
  const char *const *pair = names[below(seed, 2)];
  const hy_expr *a = hy_expr_var(q->context, questions_variable(q, pair[0]));
  if (below(seed, 3) == 0) return a;
  if (below(seed, 6) == 0) return hy_expr_unary(q->context, below(seed, 2) ? HY_OP_BIT_NOT : HY_OP_NEG, a);
  const hy_expr *b = hy_expr_var(q->context, questions_variable(q, pair[1]));
  if (below(seed, 2)) b = hy_expr_const(q->context, hy_value_integral(a->type, (int64_t)below(seed, 20) - 3));
  return hy_expr_binary(q->context, ops[below(seed, HY_COUNT(ops))], a, b);
}

static const hy_expr *random_typed_leaf(questions *q, uint64_t *seed) {
  const hy_expr *x = hy_expr_var(q->context, questions_variable(q, "x"));
  switch (below(seed, 5)) {
  case 0: return hy_expr_cast(q->context, HY_INT, hy_expr_cast(q->context, below(seed, 2) ? HY_U8 : HY_I8, x));
  case 1: return hy_expr_cast(q->context, HY_INT, hy_expr_var(q->context, questions_variable(q, "t_a")));
  case 2: return hy_expr_binary(q->context, HY_OP_BIT_AND, x, hy_expr_int(q->context, (int64_t)below(seed, 9)));
  }
  return hy_expr_cast(q->context, HY_INT, random_fixed(q, seed));
}

static const hy_expr *random_leaf(questions *q, uint64_t *seed) {
  static const char *const names[] = {"x", "y", "z"};
  if (below(seed, 3) == 0) return hy_expr_int(q->context, (int64_t)below(seed, 9) - 4);
  if (q->typed && below(seed, 2)) return random_typed_leaf(q, seed);
  return hy_expr_var(q->context, questions_variable(q, names[below(seed, q->typed ? 2 : 3)]));
}

const hy_expr *questions_random_number(questions *q, uint64_t *seed, int depth) {
  static const hy_op ops[] = {HY_OP_ADD, HY_OP_ADD, HY_OP_SUB, HY_OP_SUB, HY_OP_MIN,
                              HY_OP_MAX, HY_OP_DIV, HY_OP_MOD, HY_OP_MUL};
  if (depth == 0 || below(seed, 4) == 0) return random_leaf(q, seed);
  if (below(seed, 12) == 0) return hy_expr_unary(q->context, HY_OP_ABS, questions_random_number(q, seed, depth - 1));
  if (below(seed, 12) == 0) {
    const hy_expr *condition = questions_random_formula(q, seed, depth - 1);
    const hy_expr *a = questions_random_number(q, seed, depth - 1);
    return hy_expr_select(q->context, condition, a, questions_random_number(q, seed, depth - 1));
  }
  hy_op op = ops[below(seed, HY_COUNT(ops))];
  const hy_expr *a = questions_random_number(q, seed, depth - 1), *b;
  static const int64_t constants[] = {1, 2, 2, 2, 3, 3, 4, 4, 5, 6, -1, -2, -3, 0};
  bool constant = (op == HY_OP_DIV || op == HY_OP_MOD || op == HY_OP_MUL) && below(seed, 4) != 0;
  b = constant ? hy_expr_int(q->context, constants[below(seed, HY_COUNT(constants))])
               : questions_random_number(q, seed, depth - 1);
  return hy_expr_binary(q->context, op, a, b);
}

const hy_expr *questions_random_formula(questions *q, uint64_t *seed, int depth) {
  static const hy_op compare[] = {HY_OP_LE, HY_OP_LT, HY_OP_GE, HY_OP_GT, HY_OP_LE, HY_OP_GE, HY_OP_EQ, HY_OP_NE};
  if (depth > 0 && below(seed, 4) == 0) {
    hy_op op = below(seed, 2) ? HY_OP_AND : HY_OP_OR;
    const hy_expr *a = questions_random_formula(q, seed, depth - 1);
    return hy_expr_binary(q->context, op, a, questions_random_formula(q, seed, depth - 1));
  }
  if (depth > 0 && below(seed, 10) == 0)
    return hy_expr_unary(q->context, HY_OP_NOT, questions_random_formula(q, seed, depth - 1));
  const hy_expr *a = questions_random_number(q, seed, depth);
  return hy_expr_binary(q->context, compare[below(seed, HY_COUNT(compare))], a,
                        questions_random_number(q, seed, depth));
}

/* -- enumeration -- */

enum { MAX_VARIABLES = 8 };

typedef struct {
  const hy_var *vars[MAX_VARIABLES];
  size_t chosen[MAX_VARIABLES];
  int count, radius;
} assignment;

static const int64_t u8_edges[] = {0, 1, 2, 3, 7, 127, 128, 254, 255};
static const int64_t i8_edges[] = {-128, -127, -2, -1, 0, 1, 2, 126, 127};

static size_t choices(const assignment *a, hy_type type) {
  if (type == HY_INT) return 2 * (size_t)a->radius + 1;
  return type == HY_BOOL ? 2 : HY_COUNT(u8_edges);
}

static int64_t choice(const assignment *a, hy_type type, size_t number) {
  if (type == HY_INT) return (int64_t)number - a->radius;
  return type == HY_BOOL ? (int64_t)number : type == HY_U8 ? u8_edges[number] : i8_edges[number];
}

static void note_variable(void *self, const hy_expr *node) {
  assignment *a = self;
  if (node->kind != HY_EXPR_VAR) return;
  for (int i = 0; i < a->count; i++)
    if (a->vars[i] == node->var) return;
  HY_ASSERT(a->count < MAX_VARIABLES);
  HY_ASSERT(node->type == HY_INT || node->type == HY_BOOL || node->type == HY_U8 || node->type == HY_I8);
  a->vars[a->count++] = node->var;
}

static bool assigned(void *self, const hy_expr *unknown, hy_wide *value) {
  const assignment *a = self;
  if (unknown->kind != HY_EXPR_VAR) return false;
  for (int i = 0; i < a->count; i++) {
    if (a->vars[i] != unknown->var) continue;
    *value = choice(a, unknown->type, a->chosen[i]);
    return true;
  }
  return false;
}

static bool refutes(assignment *a, const hy_expr *const *facts, size_t count, const hy_expr *goal) {
  hy_wide value;
  for (size_t i = 0; i < count; i++)
    if (!hy_evaluate(facts[i], assigned, a, &value) || value == 0) return false;
  return hy_evaluate(goal, assigned, a, &value) && value == 0;
}

bool questions_enumerate(questions *questions, const hy_expr *const *facts, size_t count, const hy_expr *goal,
                         int radius) {
  (void)questions;
  assignment a = {.radius = radius};
  for (size_t i = 0; i < count; i++) hy_expr_visit(facts[i], note_variable, &a);
  hy_expr_visit(goal, note_variable, &a);
  for (;;) {
    if (refutes(&a, facts, count, goal)) return true;
    int i = 0;
    while (i < a.count && ++a.chosen[i] == choices(&a, a.vars[i]->type)) a.chosen[i++] = 0;
    if (i == a.count) return false;
  }
}
