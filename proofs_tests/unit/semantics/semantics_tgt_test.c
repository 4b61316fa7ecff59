/* Target programs as text: what is printed reads back equal and prints the same, and every broken text is refused with
 * a code and a place.
 */

#include "lower/lower.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/print_harness.h"
#include "semantics/text/syntax_internal.h"

#include <stdio.h>

/* -- every form: statements, loops, origins, holes, assumptions -- */

static const char every_form[] =
#include "proofs_tests/unit/semantics/every_form.inc"
    ;

static const char *const programs[] = {
    every_form,
    // no parameters, no dimensions, no entry
    "target none() on f() {\n  func f(): i32 stages 2;\n  allocate f[];\n  label f: compute f on [] {\n"
    "    label f.s0: f() <- 1;\n    label f.s1: for rdom f.s1.r in (0, 5) {\n      f() <- f()*3;\n    }\n  }\n}\n",
    // words as names
    "target target(on: int, for: u8[1]) on in(low, len) {\n  func in(low, len): u8 stages 1;\n"
    "  allocate in[(low.min, low.len), (len.min, len.len)];\n"
    "  label in: compute in on [(low.min, low.len), (len.min, len.len)] {\n"
    "    label in.s0: for in.s0.len in (len.min, len.len) {\n      for parallel in.s0.parallel in (low.min, low.len) "
    "{\n"
    "        in(in.s0.parallel, in.s0.len) <- for(for.min(0)) + u8(on);\n      }\n    }\n  }\n}\n",
    "target t() on parallel(x) {\n  func rdom(x): u8 stages 1;\n  func parallel(x): u8 stages 1;\n"
    "  allocate rdom[(0, 1)];\n  label rdom: compute rdom on [(0, 1)] {\n"
    "    label rdom.s0: for rdom.s0.x in (0, 1) {\n      rdom(rdom.s0.x) <- 3;\n    }\n  }\n  allocate parallel[(0, "
    "1)];\n"
    "  label parallel: compute parallel on [(0, 1)] {\n    label parallel.s0: for unrolled parallel.s0.x in (0, 1) {\n"
    "      parallel(parallel.s0.x) <- rdom(0) + 7;\n    }\n  }\n}\n",
};

static char *print_tgt(const hy_tgt *tgt) {
  hy_text text = {0};
  hy_tgt_print(tgt, &text);
  return text.data;
}

static void expect_good(const world *w, const hy_tgt *tgt, const char *text) {
  hy_text why = {0};
  hy_diagnostics_print(w->diagnostics, &why);
  ck_assert_msg(tgt != NULL, "%s\n%s", hy_text_string(&why), text);
  hy_text_free(&why);
}

START_TEST(programs_round_trip) {
  world w = open_world();
  const hy_tgt *tgt = parse_tgt(&w, programs[_i]);
  expect_good(&w, tgt, programs[_i]);
  char *printed = print_tgt(tgt);
  ck_assert_str_eq(printed, programs[_i]);
  const hy_tgt *again = parse_tgt(&w, printed);
  ck_assert(same_tgt(tgt, again));
  ck_assert_int_eq(hy_tgt_has_hole(tgt), strchr(programs[_i], '?') != NULL);
  free(printed);
  close_world(&w);
}
END_TEST

// Blanks, comments, the silent word "serial", z0, a nop, braces around one statement: read, not printed.
START_TEST(layout_is_free) {
  world w = open_world();
  const hy_tgt *tgt = parse_tgt(
      &w, "target/* */none() on f(x){func f(x):i32 stages 1;entry{}allocate f[(0,1)];nop;label f:{compute f on[(0,1)]{"
          "label f.s0:{for serial f.z0.s0.x in(0,1){// c\nf(f.s0.x)<-1 ;nop ; }}}}}");
  expect_good(&w, tgt, "layout");
  char *printed = print_tgt(tgt);
  ck_assert_str_eq(printed,
                   "target none() on f(x) {\n  func f(x): i32 stages 1;\n  allocate f[(0, 1)];\n  label f: compute "
                   "f on [(0, 1)] {\n    label f.s0: for f.s0.x in (0, 1) {\n      f(f.s0.x) <- 1;\n    }\n  }\n}\n");
  free(printed);
  close_world(&w);
}
END_TEST

/* -- what lowering makes reads back equal -- */

static const char *const algorithms[] = {
    "pipeline P(w: int) { fun f(x, y) = sin(f32(x + y)); fun g(x, y) = { 0.0; rdom(r = (-w, 2*w + 1)) in (x, y) <- "
    "g(x, y) "
    "+ f(x + r, y); }; fun h(x, y) = { 0.0; rdom(r = (-w, 2*w + 1)) in (x, y) <- h(x, y) + g(x, y + r); }; }",
    "pipeline hist(in: u8[2]) { fun hist(v) = { u32(0); rdom(r = (in.min(0), in.len(0)), q = (in.min(1), in.len(1))) "
    "in "
    "(int(in(r, q))) <- hist(int(in(r, q))) + 1; }; fun out(v) = hist(clamp(v, 0, 255)); }",
    "pipeline many(k: u64, b: bool, in: i16[3]) { fun a(x) = { k/3; rdom(s = (0, 4)) in (s) <- a(s) + a(s - 1) if b && "
    "s > "
    "0; (x) <- a(x) << 1; }; fun c(x, y, z) = select(a(x) < a(y), in(x, y, z), -3); fun d() = { 0.5; () <- "
    "d()*f64(c(0, 0, "
    "0)); }; fun out(x) = d() + f64(u8(1) < u8(2)); }",
};

START_TEST(lowered_programs_come_back_equal) {
  world w = open_world();
  const hy_alg *alg = parse_alg(&w, algorithms[_i]);
  expect_good(&w, (const void *)alg, algorithms[_i]);
  const hy_tgt *tgt = hy_lower(w.context, alg, w.diagnostics);
  ck_assert(hy_tgt_verify(w.context, tgt, w.diagnostics));
  char *printed = print_tgt(tgt);
  const hy_tgt *back = parse_tgt(&w, printed);
  expect_good(&w, back, printed);
  ck_assert(same_tgt(tgt, back));
  char *again = print_tgt(back);
  ck_assert_str_eq(again, printed);
  free(printed), free(again);
  close_world(&w);
}
END_TEST

// An assignment's value has its func's type: no conversions, and lets where the tree is large.
START_TEST(random_values_come_back_equal) {
  world w = open_world();
  random_source random = {(uint64_t)_i * 1000 + 17};
  hy_type type = (hy_type)(_i % TYPES);
  const hy_expr *expr = random_expr(&w, &random, type, 5);
  const hy_alg *alg = alg_of(&w, type, expr);
  const hy_tgt *tgt = hy_lower(w.context, alg, w.diagnostics);
  char *printed = print_tgt(tgt);
  const hy_tgt *back = parse_tgt(&w, printed);
  expect_good(&w, back, printed);
  ck_assert_msg(same_tgt(tgt, back), "%s", printed);
  free(printed);
  close_world(&w);
}
END_TEST

START_TEST(shared_bounds_print_small) {
  world w = open_world();
  const hy_alg *alg = parse_alg(&w, "pipeline P(w: int, t1: int) { fun f(x) = w; }");
  const hy_tgt *tgt = hy_lower(w.context, alg, w.diagnostics);
  const hy_expr *min = hy_expr_var(w.context, alg->params[0]);
  for (int i = 0; i < 14; i++)
    min = hy_expr_binary(w.context, HY_OP_MIN, min, hy_expr_unary(w.context, HY_OP_NEG, min));
  const hy_interval box = {min, hy_expr_int(w.context, 4)};
  const hy_stmt *items[] = {hy_stmt_allocate(w.context, alg->output, &box), tgt->body->seq.items[1]};
  hy_tgt copy = *tgt;
  copy.body = hy_stmt_seq(w.context, items, 2);
  char *printed = print_tgt(&copy);
  ck_assert_uint_lt(strlen(printed), 5000);
  ck_assert_msg(strstr(printed, "let t_1 = ") != NULL, "%s", printed);
  const hy_tgt *back = parse_tgt(&w, printed);
  expect_good(&w, back, printed);
  ck_assert(same_tgt(&copy, back));
  free(printed);
  close_world(&w);
}
END_TEST

/* -- broken texts: in this program the first "from" is replaced -- */

static const char sound[] =
    "target t(w: int, in: u8[2]) on h(x) {\n"
    "  func f(x): int stages 1;\n"
    "  func h(x): int stages 2;\n"
    "  entry {\n"
    "    assume rdom(h): w >= 0;\n"
    "  }\n"
    "  allocate f[(0, 8)];\n"
    "  label f: compute f on [(?cpu.min(f, x), 8)] {\n"
    "    label f.s0: for f.s0.x in (?cpu.min(f, x), 8) {\n"
    "      f(f.s0.x) <- f.s0.x + 1;\n"
    "    }\n"
    "  }\n"
    "  allocate h[(0, x.len)];\n"
    "  label h: compute h on [(x.min, x.len)] {\n"
    "    label h.s0: for h.s0.x in (?for.min(h.s0.x, x), 8) {\n"
    "      h(h.s0.x) <- 0;\n"
    "    }\n"
    "    label h.s1: for h.s1.xo in (0, 2) {\n"
    "      for h.s1.xi in (0, 4) {\n"
    "        for rdom h.s1.r in (0, w) {\n"
    "          let h.s1.x = x.min + h.s1.xi + 4*h.s1.xo by split guard(h.s1.xo, h.s1.xi, 4, (x.min, x.len)) in {\n"
    "            if guard (h.s1.x < x.min + x.len) {\n"
    "              if (f(h.s1.x) < 3) {\n"
    "                h(h.s1.x) <- h(h.s1.x) + f(h.s1.x + h.s1.r) + int(in(0, h.s1.r));\n"
    "              }\n"
    "            }\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

typedef struct {
  const char *from, *to;
  const char *errors; // code and place of each, in order
} breakage;

static const breakage broken[] = {
#include "proofs_tests/unit/semantics/broken_tgt.inc"
};

static char *replace_first(const char *text, const char *from, const char *to) {
  const char *found = strstr(text, from);
  ck_assert_msg(found != NULL, "'%s' is not in the text", from);
  hy_text out = {0};
  hy_text_add_bytes(&out, text, (size_t)(found - text));
  hy_text_add(&out, to);
  hy_text_add(&out, found + strlen(from));
  return out.data;
}

static char *errors_of(const hy_diagnostics *diagnostics, bool *helps) {
  hy_text out = {0};
  hy_text_add(&out, "");
  *helps = true;
  for (size_t i = 0; i < hy_diagnostics_count(diagnostics); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(diagnostics, i);
    if (d->severity != HY_SEVERITY_ERROR) continue;
    hy_text_printf(&out, "%sHY%04d %u:%u", out.length ? ", " : "", (int)d->code, d->loc.line, d->loc.column);
    *helps &= d->help || d->rule || d->code == HY_E_SYNTAX;
  }
  return out.data;
}

START_TEST(broken_programs_are_refused) {
  const breakage *b = &broken[_i];
  world w = open_world();
  char *text = replace_first(sound, b->from, b->to);
  bool helps;
  const hy_tgt *tgt = parse_tgt(&w, text);
  char *errors = errors_of(w.diagnostics, &helps);
  if (getenv("SHOW_TGT_ERRORS")) {
    hy_text all = {0};
    hy_diagnostics_print(w.diagnostics, &all);
    printf("== %s -> %s\n%s@@%d %s\n", b->from, b->to, hy_text_string(&all), _i, errors);
    hy_text_free(&all);
  }
  ck_assert_ptr_null(tgt);
  ck_assert_str_eq(errors, b->errors);
  ck_assert_msg(helps, "no help: %s -> %s", b->from, b->to);
  free(text), free(errors);
  close_world(&w);
}
END_TEST

START_TEST(the_sound_program_is_read) {
  world w = open_world();
  const hy_tgt *tgt = parse_tgt(&w, sound);
  expect_good(&w, tgt, sound);
  char *printed = print_tgt(tgt);
  ck_assert_str_eq(printed, sound);
  free(printed);
  close_world(&w);
}
END_TEST

/* -- texts that no reader may choke on -- */

// Cut after every byte: reported, never read, never a crash.
START_TEST(beginnings_are_refused) {
  for (size_t length = 0; length + 2 < sizeof sound; length++) {
    world w = open_world();
    char *text = strndup(sound, length);
    ck_assert_ptr_null(parse_tgt(&w, text));
    ck_assert_uint_gt(hy_diagnostics_errors(w.diagnostics), 0);
    free(text);
    close_world(&w);
  }
}
END_TEST

// One token left out, doubled or put in the place of another: whatever is accepted is well formed and prints back.
START_TEST(scrambled_programs_do_no_harm) {
  random_source random = {(uint64_t)_i};
  for (int n = 0; n < 200; n++) {
    world w = open_world();
    hy_tokens tokens = {0};
    const hy_source *source = keep_source(&w, "sound", _i % 2 ? every_form : sound);
    hy_lex(w.context, source, w.diagnostics, &tokens);
    size_t victim = next_random(&random) % (tokens.count - 1), other = next_random(&random) % (tokens.count - 1);
    uint64_t how = next_random(&random) % 3;
    hy_text text = {0};
    for (size_t i = 0; i + 1 < tokens.count; i++) {
      if (i != victim || how == 1) hy_text_printf(&text, "%s ", tokens.data[i].text);
      if (i == victim && how) hy_text_printf(&text, "%s ", tokens.data[other].text);
      // an arrow is two tokens without a blank
      if (strcmp(tokens.data[i].text, "<") == 0 && strcmp(tokens.data[i + 1].text, "-") == 0)
        text.data[--text.length] = 0;
    }
    const hy_tgt *tgt = parse_tgt(&w, hy_text_string(&text));
    if (tgt) {
      char *printed = print_tgt(tgt);
      const hy_tgt *back = parse_tgt(&w, printed);
      ck_assert_msg(back && same_tgt(tgt, back), "%s", printed);
      free(printed);
    } else {
      ck_assert_uint_gt(hy_diagnostics_errors(w.diagnostics), 0);
    }
    hy_vec_free(&tokens);
    hy_text_free(&text);
    close_world(&w);
  }
}
END_TEST

START_TEST(deep_programs_are_refused) {
  static const char *const shapes[] = {"label f: ",          "compute f on [(0, 1)] {", "for f.s0.x in (0, 1) {",
                                       "if (true) {} else ", "let f.s0.x = 1 in {",     "f(((((((((("};
  world w = open_world();
  hy_text text = {0};
  hy_text_add(&text, "target t() on f(x) { func f(x): int stages 1; ");
  for (int i = 0; i < 100000; i++) hy_text_add(&text, shapes[_i]);
  ck_assert_ptr_null(parse_tgt(&w, hy_text_string(&text)));
  ck_assert_uint_gt(hy_diagnostics_errors(w.diagnostics), 0);
  ck_assert_uint_lt(hy_diagnostics_errors(w.diagnostics), 60);
  hy_text_free(&text);
  close_world(&w);
}
END_TEST

Suite *semantics_tgt_suite(void) {
  Suite *suite = suite_create("semantics_tgt");
  TCase *good = tcase_create("round trips");
  tcase_set_timeout(good, 60);
  tcase_add_loop_test(good, programs_round_trip, 0, HY_COUNT(programs));
  tcase_add_test(good, layout_is_free);
  tcase_add_loop_test(good, lowered_programs_come_back_equal, 0, HY_COUNT(algorithms));
  tcase_add_loop_test(good, random_values_come_back_equal, 0, 120);
  tcase_add_test(good, shared_bounds_print_small);
  suite_add_tcase(suite, good);
  TCase *bad = tcase_create("broken texts");
  tcase_set_timeout(bad, 60);
  tcase_add_test(bad, the_sound_program_is_read);
  tcase_add_loop_test(bad, broken_programs_are_refused, 0, HY_COUNT(broken));
  tcase_add_test(bad, beginnings_are_refused);
  tcase_add_loop_test(bad, scrambled_programs_do_no_harm, 0, 6);
  tcase_add_loop_test(bad, deep_programs_are_refused, 0, 6);
  suite_add_tcase(suite, bad);
  return suite;
}
