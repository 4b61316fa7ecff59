/* Printing of expressions, algorithms and directives, and reading it back: print -> parse -> print is the identity, and
 * the program that comes back is equal. Equality is that of trees, with names for symbols.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/print_harness.h"
#include "sched/sched.h"
#include "semantics/schedule/directive.h"

#define SIGNATURE "(w: int, b: bool, s: f32, d: f64, n: u8, m: i64, in: u8[2], im: int[1])"

/* -- expressions as written: what must be printed, or NULL if it prints as it is written -- */

typedef struct {
  const char *written, *printed;
} row;

static const row expressions[] = {
    // precedence and association: the fewest parentheses
    {"x + y + w", NULL},
    {"x + (y + w)", NULL},
    {"(x + y) + w", "x + y + w"},
    {"x - (y - w)", NULL},
    {"x - y - w", NULL},
    {"x*(y + w)", NULL},
    {"(x*y) + w", "x*y + w"},
    {"x/(y/w)", NULL},
    {"x/y%w", NULL},
    {"x%(y*w)", NULL},
    {"(x << y) + w", NULL},
    {"x << (y + w)", "x << y + w"},
    {"(x & y) | (w ^ 3)", "x & y | w ^ 3"},
    {"x & (y | w)", NULL},
    {"x ^ (y & w)", "x ^ y & w"},
    {"~(x + y)", NULL},
    {"~~x", NULL},
    {"~x + y", NULL},
    {"select((x < y) == b, x, y)", "select(x < y == b, x, y)"},
    {"select(x < y == (y < w), x, y)", "select(x < y == y < w, x, y)"},
    {"select((b == b) == b, x, y)", NULL},
    {"select(b == (b != b), x, y)", NULL},
    {"select((x < y) == (x == y), x, y)", "select(x < y == (x == y), x, y)"},
    {"select(b || b && !b, x, y)", NULL},
    {"select((b || b) && !b, x, y)", NULL},
    {"select(b && (b && b), x, y)", NULL},
    {"select(!(x < y), x, y)", NULL},
    {"select(!!b, x, y)", NULL},
    // signs
    {"-3", NULL},
    {"- 3", "-3"},
    {"-(3)", NULL},
    {"-(-3)", NULL},
    {"-(-x)", NULL},
    {"-x*y", NULL},
    {"-(x*y)", NULL},
    {"x - -3", NULL},
    {"x--3", "x - -3"},
    {"-3 + x", NULL},
    {"x - (-y)", "x - -y"},
    {"-9223372036854775808", NULL},
    {"-9223372036854775808 + 9223372036854775807", NULL},
    {"0x10 + x", "16 + x"},
    // calls
    {"min(x, max(y, w))", NULL},
    {"max(min(x, w), 0)", "clamp(x, 0, w)"},
    {"max(0, min(x, w))", NULL},
    {"clamp(clamp(x, 0, 5), 1, w)", NULL},
    {"abs(-x)", NULL},
    {"int(im(x + 1))", "int(im(x + 1))"},
    {"in(x, y)", NULL},
    {"im(im(x))", NULL},
    {"in.min(0) + in.len(1) - im.min(0)", NULL},
    {"pow(s, s)*atan2(s, 0.5)", NULL},
    // literals and their types
    {"1.5*s", NULL},
    {"1*s", "1.0*s"},
    {"1e30*s", "1.0e30*s"},
    {"0.1*d", NULL},
    {"-0.0*s", NULL},
    {"n + 255", NULL},
    {"select(u8(1) < u8(2), x, y)", NULL},
    {"select(u8(1) < 2, x, y)", "select(u8(1) < u8(2), x, y)"},
    {"select(n < 2, x, y)", NULL},
    {"select(1 < 2, x, y)", NULL},
    {"select(0.5 < 2, x, y)", "select(0.5 < 2.0, x, y)"},
    {"select(f64(0.1) < 2, x, y)", "select(f64(0.1) < f64(2.0), x, y)"},
    {"select(f32(0.1) < 2, x, y)", "select(0.1 < 2.0, x, y)"},
    {"select(m == -1, 1, x)", NULL},
    {"u8(1)", NULL},
    {"u8((1))", NULL},
    {"u8((255))", NULL},
    {"u8(256)", NULL},
    {"i8((-128))", NULL},
    {"i8(-129)", NULL},
    {"u8(300)", NULL},
    {"u8(-1)", NULL},
    {"u8(0.5)", NULL},
    {"u8(1 + 2)", NULL},
    {"f32((1))", NULL},
    {"f32(1)", "1.0"},
    {"f64((0.1))", NULL},
    {"f64(0.1)", NULL},
    {"f64(0.1 + 0.2)", NULL},
    {"f64(f64(0.1) + 0.2)", "f64(f64(0.1) + f64(0.2))"},
    {"int((3))", NULL},
    {"int(u64(18446744073709551615))", NULL},
    {"bool((1))", "bool(1)"},
    {"bool(true)", NULL},
    {"select(true, false, b)", NULL},
    {"u8(u8(1))", NULL},
    {"n << 1 & 0xf", "n << 1 & 15"},
    // lets are expanded
    {"let v = x + 1 in v*v", "(x + 1)*(x + 1)"},
    {"let v = 1 in select(v < 2, n, v)", "select(u8(1) < u8(2), n, 1)"},
};

static char *alg_with(const char *expression) {
  hy_text text = {0};
  hy_text_printf(&text, "pipeline P" SIGNATURE " {\n  fun a(x, y) = %s;\n}\n", expression);
  return text.data;
}

START_TEST(expressions_round_trip) {
  const row *r = &expressions[_i];
  char *text = alg_with(r->written), *expected = alg_with(r->printed ? r->printed : r->written);
  char *printed = print_alg_text(text), *again = print_alg_text(expected);
  // u8(1) that is shared with a place that needs no conversion may be written with one there, too
  bool shared = strstr(r->written, "let v = 1") != NULL;
  if (!shared) ck_assert_str_eq(printed, expected);
  char *fixed = print_alg_text(printed);
  ck_assert_str_eq(fixed, printed);
  ck_assert_str_eq(again, printed);
  free(text), free(expected), free(printed), free(again), free(fixed);
}
END_TEST

// Nothing that prints alike may be different: each pair must print differently.
static const row different[] = {
    {"x + (y + w)", "x + y + w"},
    {"x - (y - w)", "x - y - w"},
    {"-(3)", "-3"},
    {"-(-3)", "3"},
    {"u8((1))", "u8(1)"},
    {"f64((0.1))", "f64(0.1)"},
    {"-0.0*s", "0.0*s"},
    {"x*(y/w)", "x*y/w"},
    {"f64(0.1 + 0.2)", "f64(f64(0.1) + f64(0.2))"},
    {"max(0, min(x, w))", "clamp(x, 0, w)"},
    {"select(u8(1) < u8(2), x, y)", "select(1 < 2, x, y)"},
};

START_TEST(different_expressions_print_differently) {
  char *a = alg_with(different[_i].written), *b = alg_with(different[_i].printed);
  char *first = print_alg_text(a), *second = print_alg_text(b);
  ck_assert_str_ne(first, second);
  free(a), free(b), free(first), free(second);
}
END_TEST

/* -- random expressions of all types -- */

START_TEST(random_expressions_come_back_equal) {
  enum { CASES = 400 };
  for (uint64_t n = 0; n < CASES; n++) {
    world w = open_world();
    random_source random = {(uint64_t)_i * CASES + n};
    hy_type type = (hy_type)(next_random(&random) % TYPES);
    const hy_expr *expr = random_expr(&w, &random, type, 1 + (int)(next_random(&random) % 6));
    const hy_alg *alg = alg_of(&w, type, expr);
    hy_text text = {0}, again = {0};
    hy_alg_print(alg, &text);
    const hy_alg *back = parse_alg(&w, hy_text_string(&text));
    ck_assert_msg(back != NULL, "does not parse: %s", hy_text_string(&text));
    const hy_definition *d = &back->definitions[0];
    ck_assert_msg(same_expr(d->stages[0].rhs, expr), "comes back different: %s", hy_text_string(&text));
    hy_alg_print(back, &again);
    ck_assert_str_eq(hy_text_string(&again), hy_text_string(&text));
    hy_text_free(&text), hy_text_free(&again);
    close_world(&w);
  }
}
END_TEST

/* -- expressions that share -- */

START_TEST(shared_trees_print_small) {
  world w = open_world();
  const hy_expr *expr = hy_expr_var(w.context, w.base->params[0]);
  for (int i = 0; i < _i; i++)
    expr = hy_expr_binary(w.context, HY_OP_ADD, hy_expr_unary(w.context, HY_OP_ABS, expr), expr);
  hy_text text = {0}, again = {0};
  hy_alg_print(alg_of(&w, HY_INT, expr), &text);
  ck_assert_uint_lt(text.length, 40000);
  if (_i <= 14) { // 3 * 2^14 nodes; the parser refuses trees above 2^18
    const hy_alg *back = parse_alg(&w, hy_text_string(&text));
    ck_assert_msg(back != NULL, "does not parse: %s", hy_text_string(&text));
    ck_assert(same_expr(back->definitions[0].stages[0].rhs, expr));
    hy_alg_print(back, &again);
    ck_assert_str_eq(hy_text_string(&again), hy_text_string(&text));
  }
  hy_text_free(&text), hy_text_free(&again);
  close_world(&w);
}
END_TEST

// Messages show the beginning: of what is short all, of what is large no more than that, after "before".
START_TEST(brief_prints_a_beginning) {
  world w = open_world();
  const hy_expr *expr = hy_expr_var(w.context, w.base->params[0]);
  for (int i = 0; i < 70; i++) {
    hy_text whole = {0}, text = {0};
    hy_text_add(&text, "before");
    hy_expr_print_brief(expr, 60, &text);
    const char *brief = hy_text_string(&text) + strlen("before");
    if (i < 14) hy_expr_print(expr, &whole);
    if (i < 3) ck_assert_str_eq(brief, hy_text_string(&whole));
    if (i < 10) ck_assert_msg(strncmp(brief, hy_text_string(&whole), i < 3 ? whole.length : 60) == 0, "%s", brief);
    if (i >= 3) ck_assert_msg(strlen(brief) == 63 && strcmp(brief + 60, "...") == 0, "%s", brief);
    hy_text_free(&whole), hy_text_free(&text);
    expr = hy_expr_binary(w.context, HY_OP_ADD, hy_expr_unary(w.context, HY_OP_ABS, expr), expr);
  }
  close_world(&w);
}
END_TEST

START_TEST(long_chains_need_no_stack) {
  world w = open_world();
  const hy_expr *x = hy_expr_var(w.context, w.base->params[0]), *left = x, *right = x;
  for (int i = 0; i < 100000; i++) {
    left = hy_expr_binary(w.context, HY_OP_ADD, left, x);
    right = hy_expr_binary(w.context, HY_OP_SUB, x, right);
  }
  hy_text text = {0};
  hy_expr_print(left, &text);
  ck_assert_uint_gt(text.length, 400000);
  hy_expr_print(right, &text);
  hy_text_free(&text);
  close_world(&w);
}
END_TEST

START_TEST(temporaries_avoid_names_in_scope) {
  hy_text written = {0};
  hy_text_add(&written, "pipeline P(t1: int, t_3: int) {\n  fun a(x) = ");
  for (int i = 0; i < 12; i++)
    hy_text_printf(&written, "let v%d = abs(%s%d) + %s%d in ", i, i ? "v" : "t", i ? i - 1 : 1, i ? "v" : "t",
                   i ? i - 1 : 1);
  hy_text_add(&written, "v11 + t_3;\n}\n");
  char *printed = print_alg_text(hy_text_string(&written)), *again = print_alg_text(printed);
  ck_assert_ptr_nonnull(strstr(printed, "let t__1 = "));
  ck_assert_str_eq(again, printed);
  free(printed), free(again);
  hy_text_free(&written);
}
END_TEST

/* -- whole algorithms -- */

static const row algorithms[] = {
    {"pipeline blur(in: u16[2], w: int, k: f32) {\n"
     "  fun f(x, y) = sin(f32(x + y))*k;\n"
     "  fun g(x, y) = {\n"
     "    0.0;\n"
     "    rdom(r = (-w, 2*w + 1)) in (x, y) <- g(x, y) + f(x + r, y);\n"
     "    rdom(r = (0, 3), q = (in.min(0), in.len(1))) in (x, r) <- f32(in(q, 0)) if in(q, r) < 7 && x < y.len;\n"
     "  };\n"
     "  fun s() = {\n    0;\n    () <- s() + 1;\n  };\n"
     "  fun h(x) = g(x, 0) + f32(s());\n}\n",
     "y.len"}, // not in an algorithm
    {"pipeline none() {\n  fun f() = 1;\n}\n", NULL},
    {"pipeline hist(in: u8[2]) {\n"
     "  fun hist(v) = {\n"
     "    u32(0);\n"
     "    rdom(r = (in.min(0), in.len(0)), q = (in.min(1), in.len(1))) in (int(in(r, q))) <- hist(int(in(r, q))) + 1;\n"
     "  };\n  fun out(v) = hist(clamp(v, 0, 255));\n}\n",
     NULL},
    {"pipeline self(b: bool) {\n  fun f(x) = {\n    u8(7);\n    (x) <- f(x) + 1 if b;\n  };\n}\n", NULL},
    {"pipeline self(b: bool) {\n  fun f(x) = {\n    0.5;\n    (x) <- f(x) + 1.0 if b;\n  };\n}\n", NULL},
};

START_TEST(algorithms_round_trip) {
  const row *r = &algorithms[_i];
  world w = open_world();
  const hy_alg *alg = parse_alg(&w, r->written);
  ck_assert_int_eq(alg == NULL, r->printed != NULL);
  if (alg) {
    char *printed = print_alg_text(r->written), *again = print_alg_text(printed);
    ck_assert_str_eq(again, printed);
    ck_assert_str_eq(printed, r->written);
    free(printed), free(again);
  }
  close_world(&w);
}
END_TEST

/* -- directives -- */

static char *print_directive(const hy_directive *d) {
  hy_text text = {0};
  hy_directive_print(d, &text);
  return text.data;
}

START_TEST(directives_print_as_the_core) {
  world w = open_world();
  const hy_alg *alg = parse_alg(&w, "pipeline P(w: int) { fun g(x, y) = x; fun h(x, y) = g(x, y); }");
  const hy_func *g = alg->definitions[0].func, *h = alg->output;
  const hy_var *loop = hy_var_loop(w.context, h, 0, 1, "x"), *special = hy_var_loop(w.context, h, 2, 0, "y");
  const hy_expr *eight = hy_expr_int(w.context, 8), *param = hy_expr_var(w.context, alg->params[0]);
  const hy_expr *conditions[] = {hy_expr_binary(w.context, HY_OP_EQ, param, hy_expr_int(w.context, 1)),
                                 hy_expr_binary(w.context, HY_OP_LT, param, eight)};
  const struct {
    hy_directive directive;
    const char *text;
  } table[] = {
      {{.type = &hy_directive_split, .loop = loop, .names = {"xo", "xi"}, .args = {eight}},
       "split(h.s1.x, xo, xi, 8);"},
      {{.type = &hy_directive_split, .loop = special, .names = {"yo", "yi"}, .args = {param}, .tail = HY_TAIL_ROUND},
       "split(h.z2.s0.y, yo, yi, w, round);"},
      {{.type = &hy_directive_split, .loop = special, .names = {"yo", "yi"}, .args = {param}, .tail = HY_TAIL_SHIFT},
       "split(h.z2.s0.y, yo, yi, w, shift);"},
      {{.type = &hy_directive_fuse, .loop = loop, .names = {"x", "yx"}}, "fuse(h.s1.x, x, yx);"},
      {{.type = &hy_directive_swap, .loop = loop}, "swap(h.s1.x);"},
      {{.type = &hy_directive_traverse, .loop = loop, .traversal = HY_PARALLEL}, "traverse(h.s1.x, parallel);"},
      {{.type = &hy_directive_traverse, .loop = loop, .traversal = HY_VECTORIZED}, "traverse(h.s1.x, vectorized);"},
      {{.type = &hy_directive_traverse, .loop = loop, .traversal = HY_UNROLLED}, "traverse(h.s1.x, unrolled);"},
      {{.type = &hy_directive_traverse, .loop = loop, .traversal = HY_SERIAL}, "traverse(h.s1.x, serial);"},
      {{.type = &hy_directive_compute_at, .func = g, .loop = loop}, "compute_at(g, h.s1.x);"},
      {{.type = &hy_directive_store_at, .func = g}, "store_at(g, root);"},
      {{.type = &hy_directive_bound, .func = h, .args = {eight, param}}, "bound(h, x, 8, w);"},
      {{.type = &hy_directive_bound_extent, .func = h, .dim = 1, .args = {param}}, "bound_extent(h, y, w);"},
      {{.type = &hy_directive_align_bounds, .func = h, .args = {eight, eight}}, "align_bounds(h, x, 8, 8);"},
      {{.type = &hy_directive_reorder_storage, .func = h, .dims = {1, 0}, .dim_count = 2}, "reorder_storage(h, y, x);"},
      {{.type = &hy_directive_align_storage, .func = h, .dim = 1, .args = {eight}}, "align_storage(h, y, 8);"},
      {{.type = &hy_directive_slide, .func = g, .loop = loop}, "slide(g, h.s1.x);"},
      {{.type = &hy_directive_fold_storage, .func = h, .dim = 1, .args = {eight}}, "fold_storage(h, y, 8);"},
      {{.type = &hy_directive_store_in, .func = h, .store = HY_STORE_STACK}, "store_in(h, stack);"},
      {{.type = &hy_directive_specialize, .func = g, .conditions = conditions, .condition_count = 2},
       "specialize(g, w == 1, w < 8);"},
  };
  for (size_t i = 0; i < HY_COUNT(table); i++) {
    char *printed = print_directive(&table[i].directive);
    ck_assert_str_eq(printed, table[i].text);
    // The parser of schedules takes it as one call of that name.
    hy_text schedule = {0};
    hy_text_printf(&schedule, "schedule s for P { %s }", printed);
    const hy_source source = {"s.sched", hy_text_string(&schedule), schedule.length};
    const hy_schedule *schedules;
    int count;
    ck_assert(hy_parse_schedules(w.context, &source, w.diagnostics, &schedules, &count));
    ck_assert_int_eq(count, 1);
    ck_assert_str_eq(schedules[0].items[0].calls[0].name, table[i].directive.type->name);
    hy_text_free(&schedule);
    free(printed);
  }
  close_world(&w);
}
END_TEST

Suite *semantics_print_suite(void) {
  Suite *suite = suite_create("semantics_print");
  TCase *expr = tcase_create("expressions");
  tcase_set_timeout(expr, 60);
  tcase_add_loop_test(expr, expressions_round_trip, 0, HY_COUNT(expressions));
  tcase_add_loop_test(expr, different_expressions_print_differently, 0, HY_COUNT(different));
  tcase_add_loop_test(expr, random_expressions_come_back_equal, 0, 10);
  tcase_add_loop_test(expr, shared_trees_print_small, 8, 64);
  tcase_add_test(expr, brief_prints_a_beginning);
  tcase_add_test(expr, long_chains_need_no_stack);
  tcase_add_test(expr, temporaries_avoid_names_in_scope);
  suite_add_tcase(suite, expr);
  TCase *whole = tcase_create("programs");
  tcase_add_loop_test(whole, algorithms_round_trip, 0, HY_COUNT(algorithms));
  tcase_add_test(whole, directives_print_as_the_core);
  suite_add_tcase(suite, whole);
  return suite;
}
