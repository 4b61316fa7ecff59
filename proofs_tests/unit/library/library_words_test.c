// What programs of other languages need of the library to offer it under names of their own: the words of the language,
// what a pipeline is called with, chains of directives call by call, expressions as text, and several outputs in
// one call.

#include "include/halyard.h"

#include "library/library_internal.h"
#include "proofs_tests/suites.h"

#include <string.h>

static const char *error_of(const halyard_context *context) {
  const halyard_error *e = halyard_last_error(context);
  return e ? halyard_error_message(e) : "no error";
}

static bool has_word(halyard_table table, const char *name) {
  const halyard_word *word;
  for (size_t i = 0; (word = halyard_word_at(table, i)); i++)
    if (strcmp(word->name, name) == 0) return true;
  return false;
}

/* -- the tables -- */

START_TEST(tables_have_their_words) {
  static const struct {
    halyard_table table;
    const char *name;
    bool is_there;
  } rows[] = {
      {HALYARD_TYPES, "u16", true},
      {HALYARD_TYPES, "f80", false},
      {HALYARD_OPERATORS, "+", true},
      {HALYARD_OPERATORS, "~", true},
      {HALYARD_OPERATORS, "min", false},
      {HALYARD_FUNCTIONS, "clamp", true},
      {HALYARD_FUNCTIONS, "absd", true},
      {HALYARD_FUNCTIONS, "select", true},
      {HALYARD_FUNCTIONS, "cast", false},
      {HALYARD_FUNCTIONS, "u16", false},
      {HALYARD_REDUCTIONS, "argmin", true},
      {HALYARD_REDUCTIONS, "mean", false},
      {HALYARD_BOUNDARIES, "mirror_image", true},
      {HALYARD_METHODS, "tile", true},
      {HALYARD_METHODS, "split", true},
      {HALYARD_METHODS, "swap", false},
      {(halyard_table)17, "tile", false},
      {(halyard_table)-1, "tile", false},
  };
  const char *name = rows[_i].name;
  ck_assert_msg(has_word(rows[_i].table, name) == rows[_i].is_there, "%s", name);
}
END_TEST

// Types stand in the order of the enumeration, with NumPy's name for them.
START_TEST(types_are_in_order) {
  ck_assert_str_eq(halyard_word_at(HALYARD_TYPES, HALYARD_INT)->name, "int");
  ck_assert_str_eq(halyard_word_at(HALYARD_TYPES, HALYARD_U16)->form, "<u2");
  ck_assert_str_eq(halyard_word_at(HALYARD_TYPES, HALYARD_F64)->name, "f64");
  ck_assert_str_eq(halyard_word_at(HALYARD_TYPES, HALYARD_BF16)->form, "<V2");
  ck_assert_ptr_null(halyard_word_at(HALYARD_TYPES, HALYARD_BF16 + 1));
}
END_TEST

// With some number of arguments.
static bool is_method(halyard_func *f, const char *name) {
  const halyard_operand arguments[] = {HALYARD_O("x"), HALYARD_O("x"), HALYARD_O("x"),
                                       HALYARD_O("x"), HALYARD_O("x"), HALYARD_O("x")};
  for (size_t count = 0; count <= HY_COUNT(arguments); count++)
    if (halyard_func_schedule(f, 0, name, count, arguments)) return true;
  return false;
}

// Whatever a table lists is taken by the call that it is of.
START_TEST(words_are_taken) {
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "p");
  halyard_expr *x = halyard_var(p, "x");
  halyard_func *f = halyard_define(p, "f", HALYARD_LIST(x), x);
  halyard_rdom *r = halyard_rdom_new(p);
  halyard_range(r, "r", 0, 3);
  halyard_operand operands[] = {HALYARD_O(x), HALYARD_O(x), HALYARD_O(x)};
  const halyard_word *word;
  for (halyard_table table = HALYARD_OPERATORS; table <= HALYARD_FUNCTIONS; table++)
    for (size_t i = 0; (word = halyard_word_at(table, i)); i++)
      ck_assert_msg(halyard_operation(word->name, (size_t)word->operands, operands) != NULL, "%s", error_of(c));
  for (size_t i = 0; (word = halyard_word_at(HALYARD_REDUCTIONS, i)); i++)
    ck_assert_msg(halyard_reduction(word->name, r, x) != NULL, "%s", error_of(c));
  for (size_t i = 0; (word = halyard_word_at(HALYARD_METHODS, i)); i++)
    ck_assert_msg(is_method(f, word->name) && word->meaning, "%s", error_of(c));
  halyard_context_free(c);
}
END_TEST

START_TEST(conditions_are_known) {
  static const struct {
    const char *name;
    bool is_condition;
  } rows[] = {{"<", true}, {"==", true}, {"&&", true}, {"!", true}, {"&", false}, {"+", false}, {"~", false}};
  const halyard_word *word;
  size_t i = 0;
  while ((word = halyard_word_at(HALYARD_OPERATORS, i)) && strcmp(word->name, rows[_i].name) != 0) i++;
  ck_assert(word && word->is_condition == rows[_i].is_condition);
}
END_TEST

/* -- what a pipeline is called with -- */

START_TEST(declarations_are_told) {
  static const halyard_declaration expected[] = {
      {HALYARD_IS_PARAM, "w", HALYARD_U8, 0, true},    {HALYARD_IS_PARAM, "k", HALYARD_F32, 0, false},
      {HALYARD_IS_IMAGE, "in", HALYARD_U16, 2, false}, {HALYARD_IS_OUTPUT, "f", HALYARD_F32, 1, false},
      {HALYARD_IS_OUTPUT, "g", HALYARD_INT, 0, false},
  };
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_parse(c, "pipeline p(w: u8 = 3, in: u16[2], k: f32) -> (f, g) {"
                                         "  fun f(x) = k + f32(in(x, 0)); fun g() = int(w); }");
  halyard_result *r = halyard_check(p);
  for (size_t i = 0; i < HY_COUNT(expected); i++) {
    const halyard_declaration *d = halyard_result_declaration(r, i), *e = &expected[i];
    ck_assert_msg(d != NULL, "%zu: %s", i, error_of(c));
    ck_assert_str_eq(d->name, e->name);
    ck_assert(d->role == e->role && d->type == e->type && d->dimensions == e->dimensions);
    ck_assert_msg(d->is_default == e->is_default, "%s", d->name);
  }
  ck_assert_ptr_null(halyard_result_declaration(r, HY_COUNT(expected)));
  ck_assert_ptr_null(halyard_result_declaration(NULL, 0));
  halyard_context_free(c);
}
END_TEST

// Of what could not be read nothing is known.
START_TEST(no_declarations_of_the_unreadable) {
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "p");
  halyard_expr *x = halyard_var(p, "x");
  halyard_define(p, "f", HALYARD_LIST(x), halyard_var(p, "unknown"));
  halyard_result *r = halyard_check(p);
  ck_assert_int_eq(halyard_result_answer(r), HALYARD_NO);
  ck_assert_ptr_null(halyard_result_declaration(r, 0));
  halyard_context_free(c);
}
END_TEST

/* -- chains -- */

typedef struct {
  halyard_context *context;
  halyard_pipeline *pipeline;
  halyard_func *in, *g, *h;
} scene;

static void open_scene(scene *s) {
  s->context = halyard_context_new(NULL);
  s->pipeline = halyard_pipeline_new(s->context, "p");
  s->in = halyard_image(s->pipeline, "in", HALYARD_U8, 2);
  halyard_expr *x = halyard_var(s->pipeline, "x"), *y = halyard_var(s->pipeline, "y");
  s->g = halyard_define(s->pipeline, "g", HALYARD_LIST(x, y), halyard_add(halyard_at(s->in, x, y), 1));
  s->h = halyard_define(s->pipeline, "h", HALYARD_LIST(x, y), halyard_at(s->g, x, halyard_add(y, 1)));
}

static bool chain(halyard_func *func, const char *name, size_t count, const halyard_operand *arguments) {
  return halyard_func_schedule(func, HALYARD_CHAIN, name, count, arguments);
}

START_TEST(a_chain_is_one_statement) {
  scene s;
  open_scene(&s);
  ck_assert(halyard_directive(s.h, "parallel", "y") && chain(s.h, "vectorize", HALYARD_LIST("x", 8)));
  ck_assert(halyard_func_schedule(s.g, 0, "store_root", HALYARD_NONE));
  ck_assert(chain(s.g, "compute_at", HALYARD_LIST(s.h, "y")));
  ck_assert(halyard_func_schedule(s.in, 0, "in", HALYARD_LIST(s.g)));
  ck_assert(chain(s.in, "compute_at", HALYARD_LIST(s.g, "y")));
  ck_assert_str_eq(halyard_print_schedule(s.pipeline), "schedule s for p {\n"
                                                       "  h.parallel(y).vectorize(x, 8);\n"
                                                       "  g.store_root().compute_at(h, y);\n"
                                                       "  in.in(g).compute_at(g, y);\n"
                                                       "}\n");
  halyard_context_free(s.context);
}
END_TEST

static bool chain_of_nothing(scene *s) { return chain(s->g, "compute_root", HALYARD_NONE); }
static bool chain_of_another(scene *s) {
  return !halyard_func_schedule(s->h, 0, "compute_root", HALYARD_NONE) || chain(s->g, "compute_root", HALYARD_NONE);
}
static bool chain_behind_text(scene *s) {
  return !halyard_func_schedule(s->g, 0, "compute_root", HALYARD_NONE) ||
         !halyard_schedule(s->pipeline, "h.parallel(y);") || chain(s->g, "parallel", HALYARD_LIST("y"));
}
static bool chain_of_the_forgotten(scene *s) {
  return !halyard_func_schedule(s->g, 0, "compute_root", HALYARD_NONE) || !halyard_unschedule(s->pipeline) ||
         chain(s->g, "parallel", HALYARD_LIST("y"));
}
static bool chain_of_no_directive(scene *s) {
  return !halyard_func_schedule(s->g, 0, "compute_root", HALYARD_NONE) || chain(s->g, "paralel", HALYARD_LIST("y"));
}
static bool chain_of_no_stage(scene *s) {
  return halyard_func_schedule(s->g, HALYARD_CHAIN - 1, "compute_root", HALYARD_NONE);
}
static bool schedule_of_image(scene *s) { return halyard_func_schedule(s->in, 0, "compute_root", HALYARD_NONE); }

static const struct {
  bool (*attempt)(scene *s);
  const char *message;
} no_chains[] = {
    {chain_of_nothing, "none of 'g'"},
    {chain_of_another, "none of 'g'"},
    {chain_behind_text, "none of 'g'"},
    {chain_of_the_forgotten, "none of 'g'"},
    {chain_of_no_directive, "no directive 'paralel'"},
    {chain_of_no_stage, "number is negative"},
    {schedule_of_image, "but for 'in'"},
};

START_TEST(no_chain_is_told) {
  scene s;
  open_scene(&s);
  ck_assert(!no_chains[_i].attempt(&s));
  ck_assert_str_eq(halyard_error_call(halyard_last_error(s.context)), "halyard_func_schedule");
  ck_assert_msg(strstr(error_of(s.context), no_chains[_i].message) != NULL, "%s", error_of(s.context));
  halyard_context_free(s.context);
}
END_TEST

/* -- expressions as text -- */

START_TEST(expressions_are_printed) {
  scene s;
  open_scene(&s);
  halyard_expr *x = halyard_var(s.pipeline, "x");
  halyard_rdom *r = halyard_rdom_new(s.pipeline);
  halyard_expr *i = halyard_range(r, "i", 0, 4);
  halyard_expr *least = halyard_reduction("argmin", r, halyard_at(s.in, i, x));
  ck_assert_str_eq(halyard_print_expr(halyard_mul(halyard_add(x, 1), -2)), "(x + 1) * (-2)");
  ck_assert_str_eq(halyard_print_expr(halyard_part(least, 0)), "argmin(rdom(i = (0, 4)) in in(i, x))[0]");
  ck_assert_str_eq(halyard_print_expr(halyard_cast(HALYARD_F64, halyard_num(s.pipeline, -0.1))), "f64(-0.1)");
  ck_assert_str_eq(halyard_print_expr(halyard_sub(halyard_num(s.pipeline, -3), halyard_num(s.pipeline, 4))),
                   "(-3) - 4");
  ck_assert_ptr_null(halyard_print_expr(NULL));
  ck_assert_str_eq(halyard_error_call(halyard_last_error(NULL)), "halyard_print_expr");
  halyard_clear_error(NULL);
  halyard_context_free(s.context);
}
END_TEST

// The first variable of a domain is the one that runs fastest, as in Halide.
START_TEST(the_first_variable_is_the_inner_loop) {
  scene s;
  open_scene(&s);
  halyard_rdom *r = halyard_rdom_new(s.pipeline);
  halyard_expr *i = halyard_range(r, "i", 0, 4), *j = halyard_range(r, "j", 0, 5);
  halyard_func *total = halyard_define(s.pipeline, "total", HALYARD_NONE, 0);
  halyard_update(total, r, HALYARD_NONE, halyard_add(halyard_call(total, HALYARD_NONE), halyard_at(s.h, i, j)));
  const char *text = halyard_print(halyard_check(s.pipeline), HALYARD_STAGE_LOWERED);
  ck_assert_msg(text != NULL, "%s", error_of(s.context));
  const char *outer = strstr(text, "rdom total.s1.j in"), *inner = strstr(text, "rdom total.s1.i in");
  ck_assert_msg(outer && inner && outer < inner, "%s", text);
  halyard_context_free(s.context);
}
END_TEST

/* -- several outputs -- */

enum { N = 6 };
typedef struct {
  halyard_context *context;
  halyard_code *code;
  uint8_t in[N + 1];
  int32_t f[N];
  uint8_t g[N];
  halyard_buffer image, f_buffer, g_buffer;
} pair;

static void open_pair(pair *p) {
  *p = (pair){.context = halyard_context_new(NULL)};
  halyard_pipeline *made = halyard_parse(
      p->context, "pipeline p(in: u8[1]) -> (f, g) { fun f(x) = i32(in(x + 1)) * 1000; fun g(y) = in(y); }");
  p->code = halyard_compile(halyard_check(made));
  ck_assert_msg(p->code != NULL, "%s", error_of(p->context));
  for (int i = 0; i <= N; i++) p->in[i] = (uint8_t)(i + 1);
  memset(p->f, 0xee, sizeof p->f), memset(p->g, 0xee, sizeof p->g);
  p->image = halyard_dense(p->in, HALYARD_U8, N + 1, 0, 0);
  p->f_buffer = halyard_dense(p->f, HALYARD_I32, N, 0, 0);
  p->g_buffer = halyard_dense(p->g, HALYARD_U8, N, 0, 0);
}

static bool realize_pair(pair *p, const char *first, const char *second, size_t count) {
  halyard_argument in[] = {HALYARD_ARGUMENT("in", &p->image)};
  halyard_argument out[] = {HALYARD_ARGUMENT(first, &p->f_buffer), HALYARD_ARGUMENT(second, &p->g_buffer)};
  return halyard_realize_all(p->code, in, 1, out, count);
}

// Each has a window and strides of its own: f is 4 from 2 on, g turned.
START_TEST(each_output_is_filled) {
  pair p;
  open_pair(&p);
  p.f_buffer.min[0] = 2, p.f_buffer.extent[0] = 4;
  p.g_buffer.data = &p.g[N - 1], p.g_buffer.stride[0] = -1;
  ck_assert_msg(realize_pair(&p, "f", "g", 2), "%s", error_of(p.context));
  for (int i = 0; i < 4; i++) ck_assert_int_eq(p.f[i], 1000 * (i + 4));
  ck_assert_int_eq(p.f[4], (int32_t)0xeeeeeeee);
  for (int i = 0; i < N; i++) ck_assert_uint_eq(p.g[N - 1 - i], i + 1);
  halyard_context_free(p.context);
}
END_TEST

// One that has no points is left alone, and the other is filled.
START_TEST(an_empty_output_is_no_matter) {
  pair p;
  open_pair(&p);
  p.f_buffer.extent[0] = 0;
  ck_assert_msg(realize_pair(&p, "f", "g", 2), "%s", error_of(p.context));
  ck_assert_int_eq(p.f[0], (int32_t)0xeeeeeeee);
  ck_assert_uint_eq(p.g[N - 1], N);
  halyard_context_free(p.context);
}
END_TEST

static bool lacks_one(pair *p) { return realize_pair(p, "f", "g", 1); }
static bool lacks_all(pair *p) { return halyard_realize_all(p->code, NULL, 0, NULL, 0); }
static bool has_another(pair *p) { return realize_pair(p, "f", "h", 2); }
static bool has_one_twice(pair *p) { return realize_pair(p, "f", "f", 2); }
static bool has_no_name(pair *p) { return realize_pair(p, "f", NULL, 2); }
static bool has_no_list(pair *p) { return halyard_realize_all(p->code, NULL, 0, NULL, 2); }
static bool is_of_another_type(pair *p) { return p->g_buffer.type = HALYARD_I8, realize_pair(p, "f", "g", 2); }
static bool shares_with_output(pair *p) { return p->g_buffer.data = &p->f[3], realize_pair(p, "f", "g", 2); }
static bool shares_with_image(pair *p) { return p->g_buffer.data = &p->in[1], realize_pair(p, "f", "g", 2); }
static bool needs_more(pair *p) { return p->f_buffer.min[0] = 1, realize_pair(p, "f", "g", 2); }
static bool has_no_code(pair *p) { return halyard_realize_all(p->code = NULL, NULL, 0, NULL, 0); }

static const struct {
  bool (*attempt)(pair *p);
  const char *message;
} no_outputs[] = {
    {lacks_one, "output 'g' has no argument"},
    {lacks_all, "image 'in' has no argument"},
    {has_another, "argument 'h' is no output of the pipeline"},
    {has_one_twice, "output 'f' is given twice"},
    {has_no_name, "an output's name is NULL"},
    {has_no_list, "the outputs are NULL, and not none"},
    {is_of_another_type, "output 'g' has elements of type u8"},
    {shares_with_output, "output 'f' shares memory with another output"},
    {shares_with_image, "image 'in' shares memory with the output"},
    {needs_more, "image 'in' does not contain what is read of it: [0, 8), and it is [0, 7): "},
    {has_no_code, "the code is NULL"},
};

START_TEST(no_output_is_told) {
  pair p;
  open_pair(&p);
  halyard_clear_error(NULL);
  ck_assert(!no_outputs[_i].attempt(&p));
  const halyard_error *e = halyard_last_error(p.code ? p.context : NULL);
  ck_assert_str_eq(halyard_error_call(e), "halyard_realize_all");
  ck_assert_msg(strstr(halyard_error_message(e), no_outputs[_i].message) != NULL, "%s", halyard_error_message(e));
  for (int i = 0; i < N; i++) ck_assert(p.f[i] == (int32_t)0xeeeeeeee && p.g[i] == 0xee); // nothing was written
  halyard_context_free(p.context);
}
END_TEST

Suite *library_words_suite(void) {
  Suite *suite = suite_create("library_words");
  TCase *tests = tcase_create("library_words");
  tcase_add_loop_test(tests, tables_have_their_words, 0, 18);
  tcase_add_test(tests, types_are_in_order);
  tcase_add_test(tests, words_are_taken);
  tcase_add_loop_test(tests, conditions_are_known, 0, 7);
  tcase_add_test(tests, declarations_are_told);
  tcase_add_test(tests, no_declarations_of_the_unreadable);
  tcase_add_test(tests, a_chain_is_one_statement);
  tcase_add_loop_test(tests, no_chain_is_told, 0, HY_COUNT(no_chains));
  tcase_add_test(tests, expressions_are_printed);
  tcase_add_test(tests, the_first_variable_is_the_inner_loop);
  tcase_add_test(tests, each_output_is_filled);
  tcase_add_test(tests, an_empty_output_is_no_matter);
  tcase_add_loop_test(tests, no_output_is_told, 0, HY_COUNT(no_outputs));
  suite_add_tcase(suite, tests);
  return suite;
}
