// The tape against hy_value_apply and a naive recursive evaluator: same values, and in lazy mode the very same loads
// (D4).

#include "proofs_tests/suites.h"
#include "semantics/base/vec.h"
#include "tape/tape.h"

#include <stdio.h>
#include <string.h>

/* -- loads that remember what was asked -- */

typedef struct {
  HY_VEC(uint64_t) asked; // a hash of func and coordinates for each load, in order
} recorder;

static hy_value func_value(const hy_func *func, const hy_value *coordinates, uint64_t *key) {
  uint64_t hash = hy_hash(func->index, 7);
  hy_error error = HY_OK;
  for (int i = 0; i < func->rank; i++) {
    hash = hy_hash(hash, (uint64_t)coordinates[i].i * 4 + coordinates[i].error);
    if (coordinates[i].error > error) error = (hy_error)coordinates[i].error;
  }
  *key = hash;
  if (hash % 11 == 0) error = (hy_error)(1 + hash / 11 % 3);
  if (error) return hy_value_error(func->type, error);
  if (func->type == HY_BOOL) return hy_value_bool(hash >> 40 & 1);
  return hy_value_apply(HY_OP_CAST, func->type, (hy_value[]){hy_value_int((int64_t)(hash >> 40) % 20 - 9)});
}

static hy_value load(void *self, const hy_func *func, int part, const hy_value *coordinates) {
  (void)part;
  recorder *r = self;
  uint64_t key;
  hy_value value = func_value(func, coordinates, &key);
  hy_vec_push(&r->asked, key);
  return value;
}

/* -- the naive evaluator: the semantics, one node at a time, each node once -- */

typedef struct {
  const hy_var *const *vars;
  const hy_value *values;
  size_t count;
  hy_mode mode;
  recorder *record;
  HY_VEC(const hy_expr *) done;
  HY_VEC(hy_value) results;
} naive;

static hy_value evaluate(naive *n, const hy_expr *e);

static hy_value evaluate_lazy(naive *n, const hy_expr *e) {
  hy_value first = evaluate(n, e->args[0]), chosen = first;
  if (first.error) {
    hy_value value = hy_value_error(e->type, (hy_error)first.error);
    value.undefined = first.undefined;
    return value;
  }
  if (e->op == HY_OP_SELECT)
    chosen = evaluate(n, e->args[first.u ? 1 : 2]);
  else if ((first.u != 0) == (e->op == HY_OP_AND))
    chosen = evaluate(n, e->args[1]);
  bool undefined = first.undefined | chosen.undefined;
  chosen.undefined = undefined;
  return chosen;
}

static hy_value evaluate_new(naive *n, const hy_expr *e) {
  hy_value args[HY_MAX_RANK];
  if (e->kind == HY_EXPR_CONST) return e->value;
  if (e->kind == HY_EXPR_VAR)
    for (size_t i = 0; i < n->count; i++)
      if (n->vars[i] == e->var) return n->values[i];
  bool lazy = e->kind == HY_EXPR_OP && (e->op == HY_OP_SELECT || e->op == HY_OP_AND || e->op == HY_OP_OR);
  if (lazy && n->mode == HY_LAZY) return evaluate_lazy(n, e);
  for (int i = 0; i < e->count; i++) args[i] = evaluate(n, e->args[i]);
  return e->kind == HY_EXPR_ACCESS ? load(n->record, e->func, e->part, args) : hy_value_apply(e->op, e->type, args);
}

static hy_value evaluate(naive *n, const hy_expr *e) {
  for (size_t i = 0; i < n->done.count; i++)
    if (n->done.data[i] == e) return n->results.data[i];
  hy_value value = evaluate_new(n, e);
  hy_vec_push(&n->done, e);
  hy_vec_push(&n->results, value);
  return value;
}

static bool same_with_mark(hy_value a, hy_value b) { return hy_value_same(a, b) && a.undefined == b.undefined; }

static int by_value(const void *a, const void *b) {
  uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

static hy_value run_one(const hy_expr *e, const hy_var *const *vars, const hy_value *values, size_t count, hy_mode mode,
                        recorder *record) {
  hy_tape *tape = hy_tape_compile(&e, 1, vars, count, mode);
  hy_value *room = hy_allocate(sizeof *room * hy_tape_room(tape));
  memset(room, 0xa5, sizeof *room * hy_tape_room(tape)); // it is work space: anything may stand there
  hy_value value;
  hy_tape_begin(tape, room);
  if (count) memcpy(room, values, sizeof *room * count);
  hy_tape_run(tape, room, load, record, &value);
  free(room);
  hy_tape_free(tape);
  return value;
}

// Same value, same loads (as a set with multiplicities; the order is free).
static void check_against_naive(const hy_expr *e, const hy_var *const *vars, const hy_value *values, size_t count,
                                hy_mode mode, const char *what) {
  recorder ours = {0}, theirs = {0};
  hy_value got = run_one(e, vars, values, count, mode, &ours);
  naive n = {.vars = vars, .values = values, .count = count, .mode = mode, .record = &theirs};
  hy_value expected = evaluate(&n, e);
  hy_text text = {0};
  if (!same_with_mark(got, expected) || ours.asked.count != theirs.asked.count) hy_expr_print(e, &text);
  ck_assert_msg(same_with_mark(got, expected), "%s: %s", what, hy_text_string(&text));
  ck_assert_msg(ours.asked.count == theirs.asked.count, "%s: %zu loads, expected %zu: %s", what, ours.asked.count,
                theirs.asked.count, hy_text_string(&text));
  if (ours.asked.count) {
    qsort(ours.asked.data, ours.asked.count, sizeof(uint64_t), by_value);
    qsort(theirs.asked.data, theirs.asked.count, sizeof(uint64_t), by_value);
    ck_assert_mem_eq(ours.asked.data, theirs.asked.data, ours.asked.count * sizeof(uint64_t));
  }
  hy_text_free(&text);
  hy_vec_free(&ours.asked);
  hy_vec_free(&theirs.asked);
  hy_vec_free(&n.done);
  hy_vec_free(&n.results);
}

// Again and again in one room, where some of the last inputs have changed: as in a fresh one.
static void check_again(const hy_expr *e, const hy_var *const *vars, hy_value *values, size_t count, hy_mode mode,
                        uint64_t seed) {
  recorder again = {0}, fresh = {0};
  hy_tape *tape = hy_tape_compile(&e, 1, vars, count, mode);
  hy_value *room = hy_allocate(sizeof *room * hy_tape_room(tape)), got;
  hy_tape_begin(tape, room);
  memcpy(room, values, sizeof *room * count);
  hy_tape_run(tape, room, load, &again, &got);
  again.asked.count = 0;
  for (uint64_t turn = 0; turn < 6; turn++) {
    size_t changed = hy_hash(seed, turn) % (count + 1);
    for (size_t i = changed; i < count; i++)
      room[i] = values[i] = hy_value_integral((hy_type)values[i].type, (int64_t)(hy_hash(seed + turn, i) % 4));
    hy_tape_run_again(tape, changed, room, load, &again, &got);
    hy_value expected = run_one(e, vars, values, count, mode, &fresh);
    ck_assert_msg(same_with_mark(got, expected), "seed %llu, turn %llu, from %zu", (unsigned long long)seed,
                  (unsigned long long)turn, changed);
    ck_assert_uint_eq(again.asked.count, fresh.asked.count);
  }
  free(room);
  hy_tape_free(tape);
  hy_vec_free(&again.asked);
  hy_vec_free(&fresh.asked);
}

/* -- every operator, on ordinary, erroring and undefined arguments -- */

static size_t edge_values(hy_type type, hy_value *edges) {
  static const int64_t integers[] = {
      INT64_MIN, INT64_MIN + 1, -256,          -7,       -2, -1, 0, 1, 2, 3, 64, 127, 255,
      65535,     INT64_MAX / 2, INT64_MAX - 1, INT64_MAX};
  static const double floats[] = {-1e30, -1.5, -0.0, 0.0, 0.75, 2.0, 1e30, 1.0 / 0.0, 0.0 / 0.0};
  size_t count = 0;
  bool is_float = hy_type_class_of(type) == HY_CLASS_FLOAT;
  for (size_t i = 0; is_float && i < HY_COUNT(floats); i++) edges[count++] = hy_value_from_double(type, floats[i]);
  for (size_t i = 0; !is_float && i < HY_COUNT(integers); i++) edges[count++] = hy_value_integral(type, integers[i]);
  for (hy_error error = HY_ERROR_ARITH; error <= HY_ERROR_MEM; error++) edges[count++] = hy_value_error(type, error);
  edges[count] = edges[2];
  edges[count++].undefined = true;
  edges[count] = hy_value_error(type, HY_ERROR_RDOM);
  edges[count++].undefined = true;
  return count;
}

static void check_operator(hy_context *context, hy_op op, const hy_type *types, hy_type result) {
  const hy_var *vars[3];
  const hy_expr *args[3];
  hy_value edges[3][32], values[3];
  size_t counts[3] = {1, 1, 1};
  int arity = hy_op_arity(op);
  for (int i = 0; i < arity; i++) {
    vars[i] = hy_var_new(context, HY_VAR_PARAM, types[i], "v", NULL, 0, 0);
    args[i] = hy_expr_var(context, vars[i]);
    counts[i] = edge_values(types[i], edges[i]);
  }
  const hy_expr *e = hy_expr_op(context, op, result, args);
  for (hy_mode mode = HY_LAZY; mode <= HY_STRICT; mode++) {
    hy_tape *tape = hy_tape_compile(&e, 1, vars, (size_t)arity, mode);
    hy_value *room = hy_allocate(sizeof *room * hy_tape_room(tape));
    hy_tape_begin(tape, room);
    for (size_t all = 0; all < counts[0] * counts[1] * counts[2]; all++) {
      values[0] = edges[0][all % counts[0]];
      if (arity > 1) values[1] = edges[1][all / counts[0] % counts[1]];
      if (arity > 2) values[2] = edges[2][all / counts[0] / counts[1]];
      naive n = {.vars = vars, .values = values, .count = (size_t)arity, .mode = mode};
      hy_value got, expected = evaluate(&n, e);
      memcpy(room, values, sizeof *room * (size_t)arity);
      hy_tape_run(tape, room, load, NULL, &got);
      ck_assert_msg(same_with_mark(got, expected), "%s %s, case %zu", hy_op_name(op), hy_type_name(types[0]), all);
      hy_vec_free(&n.done);
      hy_vec_free(&n.results);
    }
    free(room);
    hy_tape_free(tape);
  }
}

START_TEST(every_operator_is_apply) {
  hy_context *context = hy_context_new();
  for (hy_op op = HY_OP_ADD; (int)op < HY_OP_COUNT; op++)
    for (hy_type type = HY_INT; (int)type < HY_TYPE_COUNT; type++) {
      hy_type types[3] = {op == HY_OP_SELECT ? HY_BOOL : type, type, type}, result;
      if (!hy_op_result(op, types, &result)) continue;
      check_operator(context, op, types, result);
      for (hy_type to = HY_INT; op == HY_OP_CAST && (int)to < HY_TYPE_COUNT; to++)
        check_operator(context, op, types, to);
    }
  hy_context_free(context);
}
END_TEST

/* -- random expressions -- */

typedef struct {
  hy_context *context;
  uint64_t state;
  HY_VEC(const hy_expr *) pool; // what may be shared
  const hy_func *funcs[3];
} generator;

static uint64_t choose(generator *g, uint64_t below) { return (g->state = hy_hash(g->state, 3)) % below; }

static const hy_type generated_types[] = {HY_INT, HY_BOOL, HY_U8};

static const hy_expr *pick(generator *g, hy_type type) {
  for (int tries = 0; tries < 60; tries++) {
    // mostly the last ones, so that expressions get deep
    size_t back = 1 + choose(g, tries < 20 && g->pool.count > 6 ? 6 : g->pool.count);
    const hy_expr *e = g->pool.data[g->pool.count - back];
    if (e->type == type) return e;
  }
  return hy_expr_const(g->context, hy_value_integral(type, 1));
}

static const hy_expr *grow(generator *g) {
  hy_type type = generated_types[choose(g, HY_COUNT(generated_types))];
  const hy_expr *a = pick(g, type), *b = pick(g, type);
  switch (choose(g, 10)) {
  case 0: return hy_expr_select(g->context, pick(g, HY_BOOL), a, b);
  case 1: return hy_expr_select(g->context, pick(g, HY_BOOL), a, hy_expr_const(g->context, hy_value_integral(type, 3)));
  case 2: return hy_expr_binary(g->context, HY_OP_AND, pick(g, HY_BOOL), pick(g, HY_BOOL));
  case 3: return hy_expr_binary(g->context, HY_OP_OR, pick(g, HY_BOOL), pick(g, HY_BOOL));
  case 4:
  case 5:
    return hy_expr_access(g->context, g->funcs[choose(g, 3)], (const hy_expr *[]){pick(g, HY_INT), pick(g, HY_INT)});
  case 6: return hy_expr_cast(g->context, type, pick(g, generated_types[choose(g, 3)]));
  case 7: return type == HY_BOOL ? a : hy_expr_binary(g->context, HY_OP_LT, a, b);
  case 8:
    return type == HY_BOOL ? hy_expr_unary(g->context, HY_OP_NOT, a) : hy_expr_binary(g->context, HY_OP_DIV, a, b);
  default: return type == HY_BOOL ? a : hy_expr_binary(g->context, HY_OP_ADD, a, b);
  }
}

static void check_random(uint64_t seed) {
  generator g = {.context = hy_context_new(), .state = seed};
  static const hy_func funcs[3] = {{.name = "f", .index = 0, .type = HY_INT, .rank = 2},
                                   {.name = "g", .index = 1, .type = HY_U8, .rank = 1},
                                   {.name = "p", .index = 2, .type = HY_BOOL, .rank = 1}};
  const hy_var *vars[3];
  hy_value values[3];
  for (int i = 0; i < 3; i++) {
    g.funcs[i] = &funcs[i];
    vars[i] = hy_var_new(g.context, HY_VAR_PARAM, generated_types[i], "v", NULL, 0, 0);
    hy_vec_push(&g.pool, hy_expr_var(g.context, vars[i]));
    values[i] = hy_value_integral(generated_types[i], (int64_t)choose(&g, 3));
    if (choose(&g, 8) == 0) values[i] = hy_value_error(generated_types[i], HY_ERROR_ARITH);
    values[i].undefined = choose(&g, 8) == 0;
  }
  hy_vec_push(&g.pool, hy_expr_int(g.context, (int64_t)choose(&g, 3)));
  size_t size = 4 + choose(&g, 60);
  while (g.pool.count < size) {
    const hy_expr *e = grow(&g);
    hy_vec_push(&g.pool, e);
  }
  char what[40];
  snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
  check_against_naive(hy_vec_last(&g.pool), vars, values, 3, HY_LAZY, what);
  check_against_naive(hy_vec_last(&g.pool), vars, values, 3, HY_STRICT, what);
  check_again(hy_vec_last(&g.pool), vars, values, 3, HY_LAZY, seed);
  check_again(hy_vec_last(&g.pool), vars, values, 3, HY_STRICT, seed);
  hy_vec_free(&g.pool);
  hy_context_free(g.context);
}

START_TEST(random_expressions_agree) {
  for (uint64_t seed = 1; seed <= 4000; seed++) check_random(seed);
}
END_TEST

/* -- laziness, written out -- */

typedef struct {
  hy_context *context;
  hy_func f;
  const hy_var *vars[2];
} lab;

static lab lab_new(void) {
  lab l = {.context = hy_context_new(), .f = {.name = "f", .index = 5, .type = HY_INT, .rank = 1}};
  l.vars[0] = hy_var_new(l.context, HY_VAR_PARAM, HY_BOOL, "c", NULL, 0, 0);
  l.vars[1] = hy_var_new(l.context, HY_VAR_PARAM, HY_INT, "x", NULL, 0, 0);
  return l;
}

static const hy_expr *f_at(lab *l, int64_t i) {
  return hy_expr_access(l->context, &l->f, (const hy_expr *[]){hy_expr_int(l->context, i)});
}

static void check_loads(lab *l, const hy_expr *e, hy_value c, hy_mode mode, size_t expected, const char *what) {
  recorder record = {0};
  run_one(e, l->vars, (hy_value[]){c, hy_value_int(1)}, 2, mode, &record);
  ck_assert_msg(record.asked.count == expected, "%s: %zu loads, expected %zu", what, record.asked.count, expected);
  hy_vec_free(&record.asked);
}

START_TEST(only_what_is_selected_is_loaded) {
  lab l = lab_new();
  const hy_expr *c = hy_expr_var(l.context, l.vars[0]), *a = f_at(&l, 1), *b = f_at(&l, 2),
                *zero = hy_expr_int(l.context, 0);
  const hy_expr *is_a = hy_expr_binary(l.context, HY_OP_LT, a, zero);
  const hy_expr *sum = hy_expr_binary(l.context, HY_OP_ADD, hy_expr_select(l.context, c, a, zero),
                                      hy_expr_select(l.context, hy_expr_unary(l.context, HY_OP_NOT, c), a, b));
  hy_value yes = hy_value_bool(true), no = hy_value_bool(false), error = hy_value_error(HY_BOOL, HY_ERROR_ARITH);
  const hy_expr *choice = hy_expr_select(l.context, c, a, b), *both = hy_expr_binary(l.context, HY_OP_AND, c, is_a);
  const hy_expr *either = hy_expr_binary(l.context, HY_OP_OR, c, is_a);
  check_loads(&l, choice, yes, HY_LAZY, 1, "select(true)");
  check_loads(&l, choice, error, HY_LAZY, 0, "select(error)");
  check_loads(&l, choice, yes, HY_STRICT, 2, "strict select");
  check_loads(&l, both, no, HY_LAZY, 0, "false && f");
  check_loads(&l, both, yes, HY_LAZY, 1, "true && f");
  check_loads(&l, both, error, HY_LAZY, 0, "error && f");
  check_loads(&l, both, no, HY_STRICT, 1, "strict false && f");
  check_loads(&l, either, yes, HY_LAZY, 0, "true || f");
  check_loads(&l, either, no, HY_LAZY, 1, "false || f");
  check_loads(&l, sum, yes, HY_LAZY, 2, "f(1) in one arm of each of two selects, f(2) in another");
  check_loads(&l, sum, no, HY_LAZY, 1, "the same");
  const hy_expr *twice = hy_expr_select(l.context, c, hy_expr_binary(l.context, HY_OP_ADD, a, b),
                                        hy_expr_binary(l.context, HY_OP_SUB, a, b));
  check_loads(&l, twice, yes, HY_LAZY, 2, "both arms read both");
  check_loads(&l, hy_expr_binary(l.context, HY_OP_ADD, twice, a), no, HY_LAZY, 2, "an arm and the outside share f(1)");
  hy_context_free(l.context);
}
END_TEST

START_TEST(deep_and_shared_expressions_stay_linear) {
  lab l = lab_new();
  const hy_expr *c = hy_expr_var(l.context, l.vars[0]), *x = hy_expr_var(l.context, l.vars[1]);
  const hy_expr *chain = x, *otherwise = f_at(&l, 0), *doubled = f_at(&l, 3), *split = f_at(&l, 4);
  const hy_expr *no = hy_expr_unary(l.context, HY_OP_NOT, c);
  for (int i = 1; i <= 100000; i++) {
    chain = hy_expr_binary(l.context, HY_OP_ADD, chain, hy_expr_int(l.context, i % 2 ? 1 : -1));
    otherwise = hy_expr_select(l.context, c, f_at(&l, i), otherwise); // else if ... else if ...
    doubled = hy_expr_binary(l.context, HY_OP_SUB, hy_expr_binary(l.context, HY_OP_ADD, doubled, doubled), doubled);
    // a tree of 2^i nodes, half of it in arms of different selects
    split = hy_expr_binary(l.context, HY_OP_MAX, hy_expr_select(l.context, c, split, x),
                           hy_expr_select(l.context, no, split, x));
  }
  hy_value yes = hy_value_bool(true), values[] = {yes, hy_value_int(1)};
  recorder record = {0};
  ck_assert_int_eq(run_one(chain, l.vars, values, 2, HY_LAZY, &record).i, 1);
  check_loads(&l, otherwise, yes, HY_LAZY, 1, "else-if chain, first");
  check_loads(&l, otherwise, hy_value_bool(false), HY_LAZY, 1, "else-if chain, last");
  check_loads(&l, otherwise, yes, HY_STRICT, 100001, "else-if chain, strict");
  check_loads(&l, doubled, yes, HY_LAZY, 1, "doubled");
  check_loads(&l, split, yes, HY_LAZY, 1, "split");
  check_loads(&l, split, yes, HY_STRICT, 1, "split, strict");
  hy_vec_free(&record.asked);
  hy_context_free(l.context);
}
END_TEST

START_TEST(several_outputs_share) {
  lab l = lab_new();
  const hy_expr *a = f_at(&l, 1), *outputs[] = {a, hy_expr_binary(l.context, HY_OP_ADD, a, a),
                                                hy_expr_int(l.context, 9), hy_expr_var(l.context, l.vars[1])};
  hy_tape *tape = hy_tape_compile(outputs, 4, l.vars, 2, HY_LAZY);
  hy_value *room = hy_allocate(sizeof *room * hy_tape_room(tape));
  hy_value inputs[] = {hy_value_bool(true), hy_value_int(-4)}, values[4];
  recorder record = {0};
  hy_tape_begin(tape, room);
  memcpy(room, inputs, sizeof inputs);
  hy_tape_run(tape, room, load, &record, values);
  ck_assert_uint_eq(record.asked.count, 1);
  ck_assert(hy_value_same(values[1], hy_value_apply(HY_OP_ADD, HY_INT, (hy_value[]){values[0], values[0]})));
  ck_assert_int_eq(values[2].i, 9);
  ck_assert_int_eq(values[3].i, -4);
  hy_vec_free(&record.asked);
  free(room);
  hy_tape_free(tape);
  hy_context_free(l.context);
}
END_TEST

Suite *semantics_tape_suite(void) {
  Suite *suite = suite_create("semantics_tape");
  TCase *cases = tcase_create("tape");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, every_operator_is_apply);
  tcase_add_test(cases, random_expressions_agree);
  tcase_add_test(cases, only_what_is_selected_is_loaded);
  tcase_add_test(cases, deep_and_shared_expressions_stay_linear);
  tcase_add_test(cases, several_outputs_share);
  suite_add_tcase(suite, cases);
  return suite;
}
