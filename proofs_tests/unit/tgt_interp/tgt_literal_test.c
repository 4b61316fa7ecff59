/* The target interpreter against a second one, written here rule by rule from semantics/RULES.md: no tapes, no slots, a
 * list of environments (one, or one per lane), cells of hy_value. Random programs, most of them wrong in some way.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/tgt_random.h"

enum { MOST_LANES = 16 };

/* -- the literal interpreter -- */

typedef struct {
  const hy_var *vars[MOST_VARS];
  hy_value values[MOST_VARS];
  int count;
  hy_error poison;
} environment;

typedef struct {
  environment at[MOST_LANES];
  int count;
  bool vectorized;
} lanes;

typedef struct {
  const hy_func *func;
  hy_value cells[SIDE]; // over [LEAST, LEAST + SIDE)
} buffer;

typedef struct {
  buffer buffers[3]; // by index; funcs of rank 1, all with the same box
  hy_mode mode;
  uint64_t points;
} machine;

static hy_value evaluate(machine *m, const environment *e, const hy_expr *expr);

static hy_value lookup(const environment *e, const hy_var *var) {
  for (int i = e->count; i-- > 0;)
    if (e->vars[i] == var) return e->values[i];
  ck_abort_msg("unbound variable");
}

static hy_value read_cell(machine *m, const hy_func *func, hy_value at) {
  if (at.error) return hy_value_error(func->type, (hy_error)at.error);
  if (at.i < LEAST || at.i >= LEAST + SIDE) return hy_value_error(func->type, HY_ERROR_MEM);
  return m->buffers[func->index].cells[at.i - LEAST];
}

static hy_value apply(machine *m, const environment *e, const hy_expr *expr) {
  hy_value args[HY_MAX_ARITY];
  args[0] = evaluate(m, e, expr->args[0]);
  if (m->mode == HY_LAZY) {
    bool lazy = expr->op == HY_OP_SELECT || expr->op == HY_OP_AND || expr->op == HY_OP_OR;
    if (lazy && args[0].error) return hy_value_error(expr->type, (hy_error)args[0].error);
    if (expr->op == HY_OP_SELECT) return evaluate(m, e, expr->args[args[0].u ? 1 : 2]);
    if (expr->op == HY_OP_AND) return args[0].u ? evaluate(m, e, expr->args[1]) : args[0];
    if (expr->op == HY_OP_OR) return args[0].u ? args[0] : evaluate(m, e, expr->args[1]);
  }
  for (int i = 1; i < expr->count; i++) args[i] = evaluate(m, e, expr->args[i]);
  return hy_value_apply(expr->op, expr->type, args);
}

static hy_value evaluate(machine *m, const environment *e, const hy_expr *expr) {
  switch (expr->kind) {
  case HY_EXPR_CONST: return expr->value;
  case HY_EXPR_VAR: return lookup(e, expr->var);
  case HY_EXPR_ACCESS: return read_cell(m, expr->func, evaluate(m, e, expr->args[0]));
  case HY_EXPR_OP: return apply(m, e, expr);
  case HY_EXPR_TUPLE:
  case HY_EXPR_HOLE: break;
  }
  ck_abort_msg("a hole");
}

static void write_cells(machine *m, const hy_func *func, hy_error poison, hy_value at, hy_value value) {
  hy_value *cells = m->buffers[func->index].cells;
  hy_error error = (hy_error)(poison > at.error ? poison : at.error);
  if (error) value = hy_value_error(func->type, value.error > error ? (hy_error)value.error : error);
  bool outside = !at.error && (at.i < LEAST || at.i >= LEAST + SIDE);
  for (int i = 0; i < SIDE; i++) {
    if (outside)
      cells[i] = hy_value_error(func->type, HY_ERROR_MEM);
    else if (at.error || at.i == i + LEAST)
      cells[i] = value;
  }
}

static bool assign(machine *m, const lanes *l, const hy_stmt *s) {
  hy_value at[MOST_LANES], value[MOST_LANES];
  for (int i = 0; i < l->count; i++) {
    at[i] = evaluate(m, &l->at[i], s->assign.lhs[0]);
    value[i] = evaluate(m, &l->at[i], s->assign.rhs);
    m->points++;
  }
  for (int i = 0; i < l->count; i++) write_cells(m, s->assign.func, l->at[i].poison, at[i], value[i]);
  return true;
}

static bool execute(machine *m, const lanes *l, const hy_stmt *s);

static bool branch(machine *m, const lanes *l, const hy_stmt *s) {
  lanes then = {.vectorized = l->vectorized}, otherwise = then;
  for (int i = 0; i < l->count; i++) {
    hy_value c = evaluate(m, &l->at[i], s->branch.condition);
    environment e = l->at[i];
    if (c.error && s->branch.why == HY_IF_GUARD) return false;
    bool poisoned = c.error && s->branch.why == HY_IF_USER;
    if (poisoned && c.error > e.poison) e.poison = (hy_error)c.error;
    lanes *to = poisoned || hy_value_is_true(c) ? &then : &otherwise;
    to->at[to->count++] = e;
  }
  return execute(m, &then, s->branch.then) && (!s->branch.otherwise || execute(m, &otherwise, s->branch.otherwise));
}

static void bind(environment *e, const hy_var *var, hy_value value) {
  ck_assert_int_lt(e->count, MOST_VARS);
  e->vars[e->count] = var;
  e->values[e->count++] = value;
}

static bool loop(machine *m, const lanes *l, const hy_stmt *s) {
  int64_t min = 0, len = 0;
  for (int i = 0; i < l->count; i++) {
    hy_value a = evaluate(m, &l->at[i], s->loop.interval.min), b = evaluate(m, &l->at[i], s->loop.interval.len);
    if (a.error || b.error || b.i < 0 || (i > 0 && (a.i != min || b.i != len))) return false;
    min = a.i;
    len = b.i;
  }
  if (s->loop.traversal == HY_VECTORIZED && !l->vectorized) {
    lanes inner = {.vectorized = true};
    for (int64_t k = 0; k < len; k++) {
      inner.at[inner.count] = l->at[0];
      bind(&inner.at[inner.count++], s->loop.var, hy_value_int(min + k));
    }
    return execute(m, &inner, s->loop.body);
  }
  for (int64_t k = 0; k < len; k++) {
    lanes inner = *l;
    for (int i = 0; i < l->count; i++) bind(&inner.at[i], s->loop.var, hy_value_int(min + k));
    if (!execute(m, &inner, s->loop.body)) return false;
  }
  return true;
}

static bool execute(machine *m, const lanes *l, const hy_stmt *s) {
  if (!l->count) return true;
  switch (s->kind) {
  case HY_STMT_NOP:
  case HY_STMT_ASSUME:
  case HY_STMT_ALLOCATE: return true; // every cell is written before it is read
  case HY_STMT_SEQ:
    for (int i = 0; i < s->seq.count; i++)
      if (!execute(m, l, s->seq.items[i])) return false;
    return true;
  case HY_STMT_ASSIGN: return assign(m, l, s);
  case HY_STMT_IF: return branch(m, l, s);
  case HY_STMT_FOR: return loop(m, l, s);
  case HY_STMT_LET: {
    lanes inner = *l;
    for (int i = 0; i < l->count; i++) bind(&inner.at[i], s->let.var, evaluate(m, &l->at[i], s->let.value));
    return execute(m, &inner, s->let.body);
  }
  case HY_STMT_COMPUTE: return execute(m, l, s->compute.body);
  case HY_STMT_LABEL: return execute(m, l, s->label.body);
  }
  ck_abort_msg("no such statement");
}

/* -- the comparison -- */

typedef struct {
  int ran, stopped, erring, total;
} tally;

static void compare(const program *p, const machine *m, bool ran, const hy_tgt_options *options, int number, tally *t) {
  hy_tgt_result result;
  run_with(p, 0, LEAST, SIDE, options, &result);
  hy_text text = {0};
  hy_tgt_print(p->tgt, &text);
  ck_assert_msg((result.output != NULL) == ran, "program %d: %s\n%s", number, result.story ? result.story : "",
                hy_text_string(&text));
  bool erring = false;
  for (int64_t i = 0; ran && i < SIDE; i++) {
    hy_value expected = m->buffers[1].cells[i], actual = hy_buffer_get(result.output, &(int64_t){i + LEAST});
    ck_assert_msg(hy_value_same(expected, actual), "program %d, f(%d), monitor %d\n%s", number, (int)i + LEAST,
                  options->monitor, hy_text_string(&text));
    erring |= expected.error;
  }
  if (ran) ck_assert_uint_eq(result.points, m->points);
  t->total++;
  t->ran += ran;
  t->stopped += !ran;
  t->erring += erring;
  hy_text_free(&text);
  hy_tgt_result_free(&result);
}

START_TEST(random_programs) {
  tally t = {0};
  for (int number = 0; number < 4000; number++) {
    program p = open_program(frame_text);
    maker g = {.context = p.context, .frame = p.tgt, .state = (uint64_t)number * 977 + (uint64_t)_i};
    p.tgt = make_program(&g);
    machine m = {.mode = _i % 2 ? HY_STRICT : HY_LAZY};
    lanes one = {.count = 1};
    bool ran = execute(&m, &one, p.tgt->body);
    hy_tgt_options options = {.mode = m.mode};
    compare(&p, &m, ran, &options, number, &t);
    options.monitor = true;
    compare(&p, &m, ran, &options, number, &t);
    close_program(&p);
  }
  // The programs are not all of one kind.
  ck_assert_int_gt(t.ran, t.total / 4);
  ck_assert_int_gt(t.stopped, t.total / 50);
  ck_assert_int_gt(t.erring, t.total / 20);
  ck_assert_int_gt(t.ran - t.erring, t.total / 20);
}
END_TEST

Suite *tgt_literal_suite(void) {
  Suite *suite = suite_create("tgt_literal");
  TCase *tcase = tcase_create("random");
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, random_programs, 0, 2);
  suite_add_tcase(suite, tcase);
  return suite;
}
