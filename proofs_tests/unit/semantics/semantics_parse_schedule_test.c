/* Schedules as written, and the expressions in them. */

#include "proofs_tests/suites.h"
#include "semantics/semantics.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source source;
  const hy_schedule *schedules;
  int count;
  bool good;
} parsed;

static parsed parse(const char *text) {
  parsed p = {hy_context_new(), hy_diagnostics_new(), {"test.sched", text, strlen(text)}, NULL, 0, false};
  return p;
}

static void run(parsed *p) {
  p->good = hy_parse_schedules(p->context, &p->source, p->diagnostics, &p->schedules, &p->count);
}

static void free_parsed(parsed *p) {
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
}

static void print_argument(const hy_argument *argument, hy_text *out) {
  if (!argument->path_count) hy_text_add(out, "#");
  for (int i = 0; i < argument->path_count; i++) hy_text_printf(out, "%s%s", i ? "." : "", argument->path[i]);
}

// "tiled/P: split(h.s1.x xo xi #) bv:tile(x y)": arguments that are no path are "#"
static void print_schedule(const hy_schedule *schedule, hy_text *out) {
  hy_text_printf(out, "%s/%s%s:", schedule->name, schedule->pipeline, schedule->default_inline ? "/inline" : "");
  for (int i = 0; i < schedule->count; i++) {
    const hy_schedule_item *item = &schedule->items[i];
    hy_text_printf(out, " %s", item->func ? item->func : "");
    for (int k = 0; k < item->count; k++) {
      hy_text_printf(out, "%s%s(", item->func ? "." : "", item->calls[k].name);
      for (int a = 0; a < item->calls[k].count; a++) {
        if (a) hy_text_add(out, " ");
        print_argument(&item->calls[k].args[a], out);
      }
      hy_text_add(out, ")");
    }
  }
  hy_text_add(out, ";");
}

static const struct {
  const char *text, *read;
} accepted[] = {
    {"schedule s for P {}", "s/P:;"},
    {"schedule s for P { swap(h.s1.yi); }", "s/P: swap(h.s1.yi);"},
    {"schedule s for P { split(h.x, xo, xi, 256, round); }", "s/P: split(h.x xo xi # round);"},
    {"schedule s for P { swap(h.z2.s1.yi); swap(a.b.c.d.e); }", "s/P: swap(h.z2.s1.yi) swap(#);"},
    {"schedule s for P { specialize(g, w == 1, w == 2, (w)); }", "s/P: specialize(g # # #);"},
    {"schedule s for P { bv.tile(x, y, xi, yi, 256, 32).parallel(y).vectorize(xi, 2*w); }",
     "s/P: bv.tile(x y xi yi # #).parallel(y).vectorize(xi #);"},
    {"schedule s for P { h.update(0).compute_root(); root(); }", "s/P: h.update(#).compute_root() root();"},
    {"schedule s for P { default inline; f.compute_root(); }", "s/P/inline: f.compute_root();"},
    {"schedule for for for { for.for(for); }", "for/for: for.for(for);"},
    {"schedule a for P {} // and\nschedule b for Q { swap(f.x); }", "a/P:;b/Q: swap(f.x);"},
    {"schedule s for P { default(x); default.inline(); }", "s/P: default(x) default.inline();"},
    {"schedule s for P { unheard_of(1, 2); }", "s/P: unheard_of(# #);"}, // the next step knows the directives
};

START_TEST(accepts) {
  parsed p = parse(accepted[_i].text);
  hy_text out = {0};
  run(&p);
  ck_assert_msg(p.good, "%s is refused", accepted[_i].text);
  for (int i = 0; i < p.count; i++) print_schedule(&p.schedules[i], &out);
  ck_assert_str_eq(hy_text_string(&out), accepted[_i].read);
  hy_text_free(&out);
  free_parsed(&p);
}
END_TEST

// Items printed: what is read of them is the same again. Parentheses are those that were written, and those that are
// needed where something was written out; a path in parentheses is none.
static const struct {
  const char *items, *printed;
} printing[] = {
    {"split(h.s1.x,xo ,xi, 2*w+1,round) ;", "split(h.s1.x, xo, xi, 2 * w + 1, round);"},
    {"bv.tile(x, y, xi, yi, 256, 32) /* ; */ // ;\n .parallel(y);", "bv.tile(x, y, xi, yi, 256, 32).parallel(y);"},
    {"specialize(g, (w), in.len(0) > 100 && !(w == 1 || w == 2), ~w < -w);",
     "specialize(g, (w), in.len(0) > 100 && !(w == 1 || w == 2), ~w < -w);"},
    {"f.a(w - (v - 1), w - v - 1, -(1), - 1, --1, 2*-1, let t = 2*w in t*t, select(true, 1.5, f32(2)));",
     "f.a(w - (v - 1), w - v - 1, -(1), -1, -(-1), 2 * -1, let t = 2 * w in t * t, select(true, 1.5, f32(2)));"},
    {"for k in 0..0 f.a(-k, 8*k, k - k*k, (k), f[k].x);", "f.a(-(0), 8 * 0, 0 - 0 * 0, (0), f_0.x);"},
    {"for k in 2..2 { f.a((if k == 2 then w + k else 0)*3, 3*(if k == 2 then w else 0)); g(1); }",
     "f.a((w + 2) * 3, 3 * w); g(1);"},
    {"for k in 1..1 for j in -1..-1 f.a(-(j + k), 3 - (if true then w - j else 0), (if true then j else 0).x);",
     "f.a(-(-1 + 1), 3 - (w - -1), (-1).x);"},
    {"f.a(g(x)[0], (a, b), (a, b, c), f(x, (y)), \t(w + 1)(x), a.b.c.d.e);",
     "f.a(g(x)[0], (a, b), (a, b, c), f(x, (y)), (w + 1)(x), a.b.c.d.e);"},
    {"f.a(sum(rdom(r=(0,3),q=(0,r)) in r*q if r < 2), maximum m(rdom(r = (0, 3)) in r), 3 + (let t = 1 in t));",
     "f.a(sum(rdom(r = (0, 3), q = (0, r)) in r * q if r < 2), maximum m(rdom(r = (0, 3)) in r), 3 + (let t = 1 in "
     "t));"},
    {"root();", "root();"},
};

static void print_items(const parsed *p, hy_text *out) {
  for (int i = 0; i < p->schedules[0].count; i++) {
    if (i) hy_text_add(out, " ");
    hy_schedule_item_print(&p->schedules[0].items[i], out);
  }
}

START_TEST(prints) {
  const char *items = printing[_i].items;
  for (int again = 0; again < 2; again++) {
    hy_text text = {0}, out = {0};
    hy_text_printf(&text, "schedule s for P {\n%s\n}", items);
    parsed p = parse(hy_text_string(&text));
    run(&p);
    ck_assert_msg(p.good, "%s is refused", items);
    print_items(&p, &out);
    ck_assert_str_eq(hy_text_string(&out), printing[_i].printed);
    items = printing[_i].printed;
    hy_text_free(&text);
    hy_text_free(&out);
    free_parsed(&p);
  }
}
END_TEST

static const struct {
  const char *text;
  hy_code code;
  uint32_t line, column;
  size_t errors;
} rejected[] = {
    {"", HY_E_SYNTAX, 1, 1, 1},
    {"split(h.x, xo, xi, 8);", HY_E_SYNTAX, 1, 1, 1},
    {"schedule", HY_E_SYNTAX, 1, 9, 1},
    {"schedule s", HY_E_SYNTAX, 1, 11, 1},
    {"schedule s for", HY_E_SYNTAX, 1, 15, 1},
    {"schedule s for P", HY_E_SYNTAX, 1, 17, 1},
    {"schedule s for P {", HY_E_SYNTAX, 1, 19, 1},
    {"schedule s for P { swap(h.x) }", HY_E_SYNTAX, 1, 30, 1},
    {"schedule s for P { swap h.x; }", HY_E_SYNTAX, 1, 25, 1},
    {"schedule s for P { swap(h.x; }", HY_E_SYNTAX, 1, 28, 1},
    {"schedule s for P { swap(h.); }", HY_E_SYNTAX, 1, 27, 1},
    {"schedule s for P { swap(,); }", HY_E_SYNTAX, 1, 25, 1},
    {"schedule s for P { h.; }", HY_E_SYNTAX, 1, 22, 1},
    {"schedule s for P { h.x.split(a, b, 2); }", HY_E_SYNTAX, 1, 23, 1},
    {"schedule s for P { h.split(a, b, 2).; }", HY_E_SYNTAX, 1, 37, 1},
    {"schedule s for P { swap(h.x).parallel(y); }", HY_E_SYNTAX, 1, 29, 1},
    {"schedule s for P { 3; swap(; h.x; f.g(); ; }", HY_E_SYNTAX, 1, 20, 4},
    {"schedule s for P { f.x(); default inline; }", HY_E_SYNTAX, 1, 27, 1},
    {"schedule s for P { default outline; }", HY_E_SYNTAX, 1, 28, 1},
    {"schedule s for P { default inline; default inline; }", HY_E_SYNTAX, 1, 36, 1},
    {"schedule s for P {} schedule s for P {}", HY_E_SCHEDULE_TWICE, 1, 30, 1},
    {"schedule s for P {} ;", HY_E_SYNTAX, 1, 21, 1},
    {"schedule s for P { split(h.x, a, b, 99999999999999999999); }", HY_E_BAD_NUMBER, 1, 37, 1},
    {"schedule s for P { specialize(h, 0 < w < 2); }", HY_E_CHAINED_COMPARISON, 1, 40, 1},
};

START_TEST(rejects) {
  parsed p = parse(rejected[_i].text);
  hy_text said = {0};
  run(&p);
  hy_diagnostics_print(p.diagnostics, &said);
  ck_assert_msg(!p.good, "%s is accepted", rejected[_i].text);
  ck_assert_ptr_null(p.schedules);
  const hy_diagnostic *first = hy_diagnostics_at(p.diagnostics, 0);
  ck_assert_msg(first->code == rejected[_i].code && first->loc.line == rejected[_i].line &&
                    first->loc.column == rejected[_i].column &&
                    hy_diagnostics_errors(p.diagnostics) == rejected[_i].errors,
                "%s\nshould say HY%04d at %u:%u, %zu errors, not\n%s", rejected[_i].text, (int)rejected[_i].code,
                rejected[_i].line, rejected[_i].column, rejected[_i].errors, hy_text_string(&said));
  ck_assert_msg(first->help || first->rule, "nothing says what to write instead:\n%s", hy_text_string(&said));
  hy_text_free(&said);
  free_parsed(&p);
}
END_TEST

/* -- startup expressions (definition 4.4) -- */

static const char algorithm[] = "pipeline P(w: int, b: bool, v: u8, in: u8[2]) { fun f(x, y) = in(x, y); }";

static const struct {
  const char *expr;
  hy_type type;
  const char *printed; // NULL: refused with "code"
  hy_code code;
} startup[] = {
    {"8", HY_INT, "8", 0},
    {"2*w + 1", HY_INT, "2*w + 1", 0},
    {"in.len(0) / 2", HY_INT, "in.len(0)/2", 0},
    {"int(v)", HY_INT, "int(v)", 0},
    {"let k = w in k * k", HY_INT, "w*w", 0},
    {"w == 1", HY_BOOL, "w == 1", 0},
    {"b && v < 3", HY_BOOL, "b && v < 3", 0},
    {"true", HY_BOOL, "true", 0},
    {"w", HY_BOOL, NULL, HY_E_NOT_BOOL},
    {"b", HY_INT, NULL, HY_E_NOT_INT},
    {"v", HY_INT, NULL, HY_E_NOT_INT},
    {"2.5", HY_INT, NULL, HY_E_NOT_INT},
    {"x", HY_INT, NULL, HY_E_NOT_STARTUP},
    {"x.min", HY_INT, NULL, HY_E_NOT_STARTUP},
    {"f(0, 0)", HY_INT, NULL, HY_E_NOT_STARTUP},
    {"int(in(0, 0))", HY_INT, NULL, HY_E_NOT_STARTUP},
    {"in", HY_INT, NULL, HY_E_NOT_STARTUP},
    {"nothing", HY_INT, NULL, HY_E_NOT_STARTUP},
    {"h.s1.x", HY_INT, NULL, HY_E_NOT_STARTUP},
    {"in.len(2)", HY_INT, NULL, HY_E_UNKNOWN_MEMBER},
    {"w + v", HY_INT, NULL, HY_E_TYPE_MISMATCH},
};

START_TEST(startup_expressions) {
  hy_text text = {0}, out = {0};
  hy_text_printf(&text, "schedule s for P { d(%s); }", startup[_i].expr);
  parsed p = parse(hy_text_string(&text));
  run(&p);
  hy_source source = {"test.alg", algorithm, strlen(algorithm)};
  const hy_alg *alg = hy_parse_alg(p.context, &source, p.diagnostics);
  ck_assert(p.good && alg);
  const hy_syntax *syntax = p.schedules[0].items[0].calls[0].args[0].syntax;
  const hy_expr *expr = hy_syntax_startup(p.context, alg, syntax, startup[_i].type, p.diagnostics);
  if (startup[_i].printed) {
    ck_assert_msg(expr != NULL, "%s is refused", startup[_i].expr);
    ck_assert_int_eq(expr->type, startup[_i].type);
    hy_expr_print(expr, &out);
    ck_assert_str_eq(hy_text_string(&out), startup[_i].printed);
  } else {
    ck_assert_msg(expr == NULL, "%s is accepted", startup[_i].expr);
    ck_assert_uint_eq(hy_diagnostics_errors(p.diagnostics), 1);
    ck_assert_int_eq(hy_diagnostics_at(p.diagnostics, 0)->code, startup[_i].code);
  }
  hy_text_free(&out);
  free_parsed(&p);
  hy_text_free(&text);
}
END_TEST

START_TEST(damaged_texts) {
  static const char whole[] =
      "schedule s for P { default inline; split(h.s1.x, xo, xi, 2*w); bv.tile(x, y).parallel(y); }\n"
      "schedule t for P { specialize(g, w == 1, in.len(0) > 2); }";
  static const char bytes[] = {'\0', '(', ')', '{', '}', ';', ',', '.', '0', 'x', '/', ' ', '=', '\xff'};
  char *text = strdup(whole);
  for (size_t at = 0; at < strlen(whole); at++) {
    for (size_t b = 0; b < HY_COUNT(bytes); b++) {
      text[at] = bytes[b];
      parsed p = parse(text);
      p.source.length = strlen(whole);
      run(&p);
      ck_assert_int_eq(!p.good, hy_diagnostics_errors(p.diagnostics) > 0);
      free_parsed(&p);
    }
    text[at] = whole[at];
  }
  free(text);
}
END_TEST

Suite *semantics_parse_schedule_suite(void) {
  Suite *suite = suite_create("semantics_parse_schedule");
  TCase *tables = tcase_create("tables");
  tcase_add_loop_test(tables, accepts, 0, HY_COUNT(accepted));
  tcase_add_loop_test(tables, prints, 0, HY_COUNT(printing));
  tcase_add_loop_test(tables, rejects, 0, HY_COUNT(rejected));
  tcase_add_loop_test(tables, startup_expressions, 0, HY_COUNT(startup));
  tcase_add_test(tables, damaged_texts);
  suite_add_tcase(suite, tables);
  return suite;
}
