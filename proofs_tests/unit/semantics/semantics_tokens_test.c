/* One token wrong: in texts that use every form of algorithms, target programs and schedules, each token in turn is
 * left out, stands twice, or is another. What is accepted then is well formed; what is refused says where and why,
 * within the text; nothing does harm.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/print_harness.h"
#include "proofs_tests/support/programs.h"

#include "lower/lower.h"
#include "semantics/text/syntax_internal.h"

static const char target[] =
#include "proofs_tests/unit/semantics/every_form.inc"
    ;

static const char algorithm[] =
    "pipeline p(n: int, k: u8, s: f32, b: bool, in: u16[2], one: i32[0], im: i64[1]) {\n"
    "  fun a(x, y) = let t = in(x - 1, y) + 3 in let u = t * t in (u + t) / 0x1f - -in(x, y + 1) % 7;\n"
    "  fun c(x) = { select(b && !(x < n) || x >= (2 ^ 1), clamp(f64(x) / 2.0e1, 0.5, 1e3), sqrt(abs(-1.0)));\n"
    "    rdom(r = (-n, 2*n + 1), q = (im.min(0), im.len(0))) in (r) <- c(r) + f64(int(im(q)) % (r & 15 | ~r)) if r != "
    "q;\n"
    "    (x) <- c(x) + 1.0; };\n"
    "  fun d() = { i32(k) + one(); () <- d() << 2 >> 1; };\n"
    "  fun out(x, y) = f32(a(x, y)) * s + f32(c(min(x, max(y, 3)))) - f32(d());\n"
    "}\n";

#define TWO_FUNCS                                                                                                      \
  "pipeline p(n: int) { fun g(x, y) = x + y; fun h(x, y) = { g(x - 1, y) + g(x, y); rdom(r = (0, n), q = (0, 3)) in"   \
  " (x, y) <- h(x, y) + g(x + r, y - q); }; }"

static const struct {
  const char *alg, *items;
} schedules[] = {
    {TWO_FUNCS, "split(h.s1.x, xo, xi, 8, guard); split(h.y, yo, yi, n, round); swap(h.s1.y); fuse(h.yo, yi, t);"
                " traverse(h.s1.y, parallel); compute_at(g, root); store_at(g, root); specialize(g, n == 3, n > 4);"
                " align_bounds(g, x, 8, 0);"},
    {TWO_FUNCS,
     "h.tile(x, y, xo, yo, xi, yi, 8, 4, guard).fuse(xo, yo, t).parallel(t).vectorize(xi, 4, shift).unroll(yi)"
     ".update(0).reorder(x, y).split(y, yo, yi, 16).serial(yo).unroll(x, 2);"
     " g.compute_root().store_root().bound(x, -100, 300).bound_extent(y, 64).tile(x, y, xi, yi, 16, 16)"
     ".specialize(n == 1).vectorize(x);"},
};

static const char *const others[] = {"",       "(", ")", ",", ".",    "1", "1.5", "-",
                                     "nosuch", "{", ";", "x", "true", "<", "g"};
enum { DOUBLED = HY_COUNT(others), WAYS };

// The text with one token of it changed.
static char *changed(const hy_tokens *tokens, size_t victim, size_t how) {
  hy_text text = {0};
  for (size_t i = 0; i + 1 < tokens->count; i++) {
    const char *own = tokens->data[i].text;
    hy_text_add(&text, i == victim && how < DOUBLED ? others[how] : own);
    if (i == victim && how == DOUBLED) hy_text_printf(&text, " %s", own);
    // an arrow is two tokens without a blank
    if (strcmp(own, "<") != 0 || strcmp(tokens->data[i + 1].text, "-") != 0) hy_text_add(&text, " ");
  }
  return text.data;
}

static void expect_told(const hy_diagnostics *diagnostics, const char *text) {
  size_t lines = 1;
  for (const char *c = text; *c; c++) lines += *c == '\n';
  ck_assert_msg(hy_diagnostics_errors(diagnostics) > 0, "refused without a word: %s", text);
  for (size_t i = 0; i < hy_diagnostics_count(diagnostics); i++)
    ck_assert_msg(hy_diagnostics_at(diagnostics, i)->loc.line <= lines && *hy_diagnostics_at(diagnostics, i)->message,
                  "%s", text);
}

static size_t tokens_of(const char *text, hy_context *context, hy_diagnostics *diagnostics, hy_tokens *tokens) {
  static hy_source source; // each test is a process of its own
  source = (hy_source){"whole", text, strlen(text)};
  hy_lex(context, &source, diagnostics, tokens);
  ck_assert_uint_eq(hy_diagnostics_errors(diagnostics), 0);
  return tokens->count - 1;
}

static void judge_target(world *w, const char *text) {
  const hy_tgt *tgt = parse_tgt(w, text);
  if (tgt)
    ck_assert_msg(hy_tgt_verify(w->context, tgt, w->diagnostics), "%s", text);
  else
    expect_told(w->diagnostics, text);
}

static void judge_algorithm(world *w, const char *text) {
  const hy_alg *alg = parse_alg(w, text);
  if (!alg) {
    expect_told(w->diagnostics, text);
    return;
  }
  hy_text printed = {0};
  hy_alg_print(alg, &printed);
  ck_assert_msg(parse_alg(w, hy_text_string(&printed)) != NULL, "%s\nis printed as\n%s", text,
                hy_text_string(&printed));
  const hy_tgt *tgt = hy_lower(w->context, alg, w->diagnostics);
  ck_assert_msg(hy_tgt_verify(w->context, tgt, w->diagnostics), "%s", text);
  hy_text_free(&printed);
}

static void change_each(const char *whole, void (*judge)(world *w, const char *text), size_t how) {
  world base = open_world();
  hy_tokens tokens = {0};
  size_t count = tokens_of(whole, base.context, base.diagnostics, &tokens);
  for (size_t victim = 0; victim < count; victim++) {
    world w = open_world();
    char *text = changed(&tokens, victim, how);
    judge(&w, text);
    free(text);
    close_world(&w);
  }
  hy_vec_free(&tokens);
  close_world(&base);
}

START_TEST(the_texts_are_sound) {
  world w = open_world();
  ck_assert_ptr_nonnull(parse_tgt(&w, target));
  const hy_alg *alg = parse_alg(&w, algorithm);
  hy_text said = {0};
  hy_diagnostics_print(w.diagnostics, &said);
  ck_assert_msg(alg != NULL, "%s", hy_text_string(&said));
  hy_text_free(&said);
  close_world(&w);
  for (size_t i = 0; i < HY_COUNT(schedules); i++) {
    test_program p;
    test_program_open(&p, schedules[i].alg, schedules[i].items);
    ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
    test_program_close(&p);
  }
}
END_TEST

START_TEST(targets_with_a_wrong_token) { change_each(target, judge_target, (size_t)_i); }
END_TEST

START_TEST(algorithms_with_a_wrong_token) { change_each(algorithm, judge_algorithm, (size_t)_i); }
END_TEST

START_TEST(schedules_with_a_wrong_token) {
  const char *alg = schedules[_i % 2].alg;
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_tokens tokens = {0};
  size_t count = tokens_of(schedules[_i % 2].items, context, diagnostics, &tokens);
  for (size_t victim = 0; victim < count; victim++) {
    char *text = changed(&tokens, victim, (size_t)_i / 2);
    test_program p;
    test_program_open(&p, alg, text);
    if (!p.parsed || !hy_pipeline_schedule(&p.pipeline, p.diagnostics))
      ck_assert_msg(test_program_code(&p) != 0, "refused without a word: %s", text);
    else
      ck_assert_msg(hy_tgt_verify(p.context, p.pipeline.steps[p.pipeline.step_count - 1], p.diagnostics), "%s", text);
    test_program_close(&p);
    free(text);
  }
  hy_vec_free(&tokens);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

Suite *semantics_tokens_suite(void) {
  Suite *suite = suite_create("semantics_tokens");
  TCase *t = tcase_create("tokens");
  tcase_set_timeout(t, 120);
  tcase_add_test(t, the_texts_are_sound);
  tcase_add_loop_test(t, targets_with_a_wrong_token, 0, WAYS);
  tcase_add_loop_test(t, algorithms_with_a_wrong_token, 0, WAYS);
  tcase_add_loop_test(t, schedules_with_a_wrong_token, 0, 2 * WAYS);
  suite_add_tcase(suite, t);
  return suite;
}
