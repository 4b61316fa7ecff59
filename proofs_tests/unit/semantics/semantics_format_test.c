/* halyard fmt, below the command line: layouts that are known, texts that are refused, and what holds of all: random
 * programs with other blanks come out the same, comments survive wherever they stand, damaged texts do no harm.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "semantics/base/source_files.h"

#include "fuzz/campaign/store.h"
#include "fuzz/pairs/generate.h"
#include "lower/lower.h"
#include "semantics/format/format.h"
#include "semantics/semantics.h"
#include "semantics/text/syntax_internal.h"

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>

// The layout, malloc'd; NULL if it is refused, and then "why" gets the diagnostics.
static char *format_file(const char *path, const char *text, hy_language language, hy_text *why) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source_files *files = hy_source_files_new();
  hy_source source = {path, text, strlen(text)};
  hy_context_use_sources(context, hy_source_files_find, files);
  hy_text out = {0};
  bool good = hy_format(context, &source, language, diagnostics, &out);
  ck_assert_msg(good == !hy_diagnostics_errors(diagnostics), "%s", text);
  ck_assert_msg(good || !out.length, "%s", text);
  if (why) hy_diagnostics_print(diagnostics, why);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
  hy_source_files_free(files);
  if (good) hy_text_add(&out, "");
  return good ? out.data : NULL;
}

static char *format(const char *text, hy_language language, hy_text *why) {
  return format_file("test", text, language, why);
}

/* -- layouts that are known -- */

#define A HY_LANGUAGE_ALG
#define S HY_LANGUAGE_SCHEDULE
#define G HY_LANGUAGE_TGT

static const struct {
  hy_language language;
  const char *text, *layout;
} known[] = {
    {A, "pipeline p(in:u8[2]){fun f(x,y)=in(x,y)+1;}", "pipeline p(in: u8[2]) {\n  fun f(x, y) = in(x, y) + 1;\n}\n"},
    // spellings stay
    {A, "pipeline p(){fun f(x)=((0x1F))+-(1)*(x);}", "pipeline p() {\n  fun f(x) = ((0x1F)) + -(1) * (x);\n}\n"},
    // products of a whole number or a constant and a name
    {A, "pipeline p(w:int){const N=4;fun f(x)=2 * x+x / N-(x+1) / 2*w+x%2+w * w+f32( x ) * 2+1*2*3;}",
     "pipeline p(w: int) {\n  const N = 4;\n"
     "  fun f(x) = 2*x + x/N - (x + 1) / 2 * w + x % 2 + w * w + f32(x) * 2 + 1 * 2 * 3;\n}\n"},
    {A, "pipeline p(){const N=4;fun f(x)=(x+1) / N+0.5*f32(x);}",
     "pipeline p() {\n  const N = 4;\n  fun f(x) = (x + 1)/N + 0.5 * f32(x);\n}\n"},
    // an arrow and a comparison with what is negative
    {A, "pipeline p(){fun f(x)={0;(3)<-select(f(3)<-1,2,f(3) < -1);};}",
     "pipeline p() {\n  fun f(x) = { 0; (3) <- select(f(3) < -1, 2, f(3) < -1); };\n}\n"},
    // "in" is a name and a word
    {A, "pipeline in(in:u8[1]){fun f(x)=let in=in(x)in in-1;}",
     "pipeline in(in: u8[1]) {\n  fun f(x) = let in = in(x) in in - 1;\n}\n"},
    {A, "pipeline p(w:int in-1 .. 16=3 estimate 8)->(f,g)contract fma{fun f(x)=w;fun g(x)=f(x);}",
     "pipeline p(w: int in -1..16 = 3 estimate 8) -> (f, g) contract fma {\n  fun f(x) = w;\n  fun g(x) = f(x);\n}\n"},
    {A, "pipeline p(s:f32 in 0. .. 1.){fun f(x)=s;}", "pipeline p(s: f32 in 0. .. 1.) {\n  fun f(x) = s;\n}\n"},
    {A,
     "pipeline p(){for k in 0 .. 3 fun g [ k ](x)=if k==0 then x else g[k - 1](x);if true{fun f(x)=g[3](x);}else"
     "{fun h(x)=0;}}",
     "pipeline p() {\n  for k in 0..3 fun g[k](x) = if k == 0 then x else g[k - 1](x);\n"
     "  if true {\n    fun f(x) = g[3](x);\n  } else {\n    fun h(x) = 0;\n  }\n}\n"},
    {A, "pipeline p(in:u8[1]){fun f(x)=sum all (rdom (r = (0,9))in in(r)if r!=3);}",
     "pipeline p(in: u8[1]) {\n  fun f(x) = sum all(rdom(r = (0, 9)) in in(r) if r != 3);\n}\n"},
    // blank lines: one between statements, none at the ends of blocks
    {A, "\n\npipeline p(){\n\n\n  fun f(x)=x;\n\n\n\n  fun g(x)=\n\n  f(x);\n\n}\n\n\n",
     "pipeline p() {\n  fun f(x) = x;\n\n  fun g(x) = f(x);\n}\n"},
    // comments
    {A,
     "// top  \r\n\n// second\npipeline p(){// of p\nfun f(x)=x;// of f\n  // g\n\n  // h\n  fun "
     "g(x)=/*a*/f(/*b*/x)/*c*/;"
     "\n// last\n}\n// end",
     "// top\n\n// second\npipeline p() { // of p\n  fun f(x) = x; // of f\n  // g\n\n  // h\n"
     "  fun g(x) = /*a*/ f( /*b*/ x) /*c*/;\n  // last\n}\n// end\n"},
    {A, "pipeline p(){fun f(x)=x+// one\n1+\n// two\n2;}",
     "pipeline p() {\n  fun f(x) = x\n             + // one\n             1\n             +\n             // two\n     "
     "        "
     "2;\n}\n"},
    {A, "/* a\n   b */pipeline p(){fun f(x)=x;}", "/* a\n   b */\npipeline p() {\n  fun f(x) = x;\n}\n"},
    // schedules
    {S, "schedule s for p{}schedule t for p{default inline;f . tile(x,y,xi,yi,8,8).vectorize( xi );compute_at(g,f.x);}",
     "schedule s for p {\n}\nschedule t for p {\n  default inline;\n  f.tile(x, y, xi, yi, 8, 8).vectorize(xi);\n"
     "  compute_at(g, f.x);\n}\n"},
    {S, "schedule s for p{for k in 0..3{g[k].compute_root();}for k in 0..3 g[k].parallel(y);}",
     "schedule s for p {\n  for k in 0..3 {\n    g[k].compute_root();\n  }\n  for k in 0..3 g[k].parallel(y);\n}\n"},
    {S,
     "schedule s for "
     "p{f.split(aaaaaaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbbbbbb,cccccccccccccccccc,8).split(aaaaaaaaaaaaaaaaaaaa,"
     "bbbbbbbbbbbbbbbbbbbb,cccccccccccccccccc,8).parallel(y);}",
     "schedule s for p {\n  f.split(aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbb, cccccccccccccccccc, 8)\n"
     "    .split(aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbb, cccccccccccccccccc, 8).parallel(y);\n}\n"},
    // a target program: products as Halyard prints them
    {G,
     "target p()on f(x){func f(x):u8 stages 1;entry{assume range:0<=x.len&&x.len<=9;assume range:0<=x.min&&x.min<=9;}"
     "allocate f[(x.min,x.len)]order(x)in heap;label f:compute f on[(x.min,x.len)]{label f.s0:for parallel f.s0.x in"
     "(x.min,x.len){if guard(2 * f.s0.x<99){f(f.s0.x)<-u8(f.s0.x)*2;}}}}",
     "target p() on f(x) {\n  func f(x): u8 stages 1;\n  entry {\n    assume range: 0 <= x.len && x.len <= 9;\n"
     "    assume range: 0 <= x.min && x.min <= 9;\n  }\n  allocate f[(x.min, x.len)] order(x) in heap;\n"
     "  label f: compute f on [(x.min, x.len)] {\n    label f.s0: for parallel f.s0.x in (x.min, x.len) {\n"
     "      if guard (2*f.s0.x < 99) {\n        f(f.s0.x) <- u8(f.s0.x)*2;\n      }\n    }\n  }\n}\n"},
};

START_TEST(known_layouts) {
  hy_text why = {0};
  char *layout = format(known[_i].text, known[_i].language, &why);
  ck_assert_msg(layout != NULL, "%s", hy_text_string(&why));
  ck_assert_str_eq(layout, known[_i].layout);
  hy_free(layout);
  hy_text_free(&why);
}
END_TEST

/* -- refused -- */

static const struct {
  hy_language language;
  const char *text, *says;
} refused[] = {
    {A, "pipeline p() { fun f(x) = ; }", "expected an expression"},
    {A, "pipeline p() { fun f(x) = x }", "expected ';' after the func's body"},
    {A, "pipeline p() { fun f(x) = x; } }", "the end of the file"},
    {A, "pipeline p() { fun f(x) = x; /* open", "does not end before the file does"},
    {A, "pipeline p() { fun f(x) = 09; }", "begins with a zero"},
    {A, "pipeline p(a: uint8) { fun f(x) = x; }", "'uint8' is not a type"},
    {A, "pipeline p() { fun f(x) = { 0; (x) < - 1; }; }", "'<-' is written without a blank"},
    {A, "", "expected 'pipeline'"},
    {A, "schedule s for p { }", "expected 'pipeline'"},
    {S, "schedule s for p { f.; }", "expected a directive"},
    {S, "schedule s for p { split(f.x, g[3, ); f(; }", "expected an expression"},
    {G, "target p() on f(x) { func f(x): u8 stages 1; nop }", "expected ';'"},
};

START_TEST(refusals) {
  hy_text why = {0};
  ck_assert_msg(!format(refused[_i].text, refused[_i].language, &why), "%s", refused[_i].text);
  ck_assert_msg(strstr(hy_text_string(&why), refused[_i].says) != NULL, "%s", hy_text_string(&why));
  hy_text_free(&why);
}
END_TEST

// What a text means may be wrong: names, types, two schedules of one name.
START_TEST(errors_of_meaning_stop_nothing) {
  static const struct {
    hy_language language;
    const char *text, *layout;
  } wrong[] = {
      {A, "pipeline p(){fun f(x)=g(x)+1.0+true;}", "pipeline p() {\n  fun f(x) = g(x) + 1.0 + true;\n}\n"},
      {A, "pipeline p(){}", "pipeline p() {\n}\n"},
      {S, "schedule s for p{}schedule s for p{nosuch(f);}",
       "schedule s for p {\n}\nschedule s for p {\n  nosuch(f);\n}\n"},
      {G, "target p()on f(x){func f(x):u8 stages 1;g(x)<-1;}",
       "target p() on f(x) {\n  func f(x): u8 stages 1;\n  g(x) <- 1;\n}\n"},
  };
  for (size_t i = 0; i < HY_COUNT(wrong); i++) {
    char *layout = format(wrong[i].text, wrong[i].language, NULL);
    ck_assert_ptr_nonnull(layout);
    ck_assert_str_eq(layout, wrong[i].layout);
    hy_free(layout);
  }
}
END_TEST

/* -- random programs -- */

enum { SEEDS = 40 };

typedef struct {
  hy_context *context;
  hy_source source;
  hy_tokens tokens;
} lexed;

static lexed lex(const char *text) {
  lexed l = {.context = hy_context_new(), .source = {"test", text, strlen(text)}};
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  ck_assert(hy_lex(l.context, &l.source, diagnostics, &l.tokens));
  ck_assert_uint_eq(hy_diagnostics_errors(diagnostics), 0);
  hy_diagnostics_free(diagnostics);
  return l;
}

static void free_lexed(lexed *l) {
  hy_vec_free(&l->tokens);
  hy_context_free(l->context);
}

// May two tokens touch that did not? Not words, not what would be another token or a comment.
static bool may_touch(const hy_token *a, const hy_token *b) {
  return (a->kind == HY_TOKEN_PUNCTUATION && strchr("(){}[],;", a->text[0])) ||
         (b->kind == HY_TOKEN_PUNCTUATION && strchr("(){}[],;", b->text[0]));
}

// The same tokens with other blanks between them, but for blank lines; tokens that touch, touch or do not.
static char *scrambled(const char *text, hy_choices *choices) {
  static const char *const blanks[] = {" ", "\n", "\t", "   ", " \n\t ", "\r\n"};
  lexed l = lex(text);
  hy_text out = {0};
  for (size_t i = 0; i + 1 < l.tokens.count; i++) {
    const hy_token *token = &l.tokens.data[i], *next = token + 1;
    hy_text_add(&out, token->text);
    bool touch = token->offset + token->length == next->offset, is_arrow = strchr("<-", token->text[0]) != NULL;
    if ((touch && is_arrow) || (may_touch(token, next) && hy_choose_chance(choices, 40))) continue;
    hy_text_add(&out, blanks[hy_choose(choices, HY_COUNT(blanks))]);
  }
  free_lexed(&l);
  return out.data;
}

// Comments at random places, numbered; returns how many.
static int with_comments(const char *text, hy_choices *choices, hy_text *out) {
  static const char *const blanks[] = {" ", "\n", "\n\n", ""};
  lexed l = lex(text);
  int count = 0;
  for (size_t i = 0; i + 1 < l.tokens.count; i++) {
    const hy_token *token = &l.tokens.data[i];
    bool touch = token->offset + token->length == token[1].offset;
    hy_text_add(out, token->text);
    if (touch && strchr("<-", token->text[0])) continue;
    if (hy_choose_chance(choices, 25)) {
      const char *before = blanks[hy_choose(choices, HY_COUNT(blanks))];
      hy_text_add(out, *before || token->text[0] != '/' ? before : " ");
      switch (hy_choose(choices, 4)) {
      case 0: hy_text_printf(out, "// #%d\n", count++); break;
      case 1: hy_text_printf(out, "/* #%d */", count++); break;
      case 2: hy_text_printf(out, "/* #%d\n  and so on */", count++); break;
      default: hy_text_printf(out, "/*\xc3\xa4 #%d */\n", count++); break;
      }
    }
    hy_text_add(out, touch ? "" : " ");
  }
  free_lexed(&l);
  return count;
}

static void expect_tokens(const char *text, const char *layout, uint64_t seed) {
  lexed a = lex(text), b = lex(layout);
  ck_assert_msg(a.tokens.count == b.tokens.count, "seed %llu", (unsigned long long)seed);
  for (size_t i = 0; i < a.tokens.count; i++)
    ck_assert_msg(strcmp(a.tokens.data[i].text, b.tokens.data[i].text) == 0, "seed %llu, token %zu",
                  (unsigned long long)seed, i);
  free_lexed(&a);
  free_lexed(&b);
}

static void expect_comments(const char *layout, int count, uint64_t seed) {
  const char *at = layout;
  for (int i = 0; i < count; i++) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, " #%d", i);
    at = strstr(at, wanted);
    ck_assert_msg(at != NULL, "seed %llu: comment %d is lost or in another place:\n%s", (unsigned long long)seed, i,
                  layout);
    at += strlen(wanted);
  }
  ck_assert_msg(!strstr(at, " #"), "seed %llu: a comment stands twice", (unsigned long long)seed);
}

static void expect_lines(const char *layout, uint64_t seed) {
  for (const char *at = layout; *at; at += strcspn(at, "\n") + 1) {
    size_t length = strcspn(at, "\n");
    ck_assert_msg(!length || !strchr(" \t\r", at[length - 1]), "seed %llu: a line ends in a blank",
                  (unsigned long long)seed);
  }
  ck_assert_msg(!strstr(layout, "\n\n\n"), "seed %llu", (unsigned long long)seed);
}

static void expect_one_layout(const char *text, hy_language language, uint64_t seed) {
  hy_choices choices = hy_choices_of_seed(seed + 1000);
  hy_text why = {0}, commented = {0};
  char *layout = format(text, language, &why), *again;
  ck_assert_msg(layout != NULL, "seed %llu: %s", (unsigned long long)seed, hy_text_string(&why));
  expect_tokens(text, layout, seed);
  expect_lines(layout, seed);
  for (int i = 0; i < 3; i++) {
    char *other = scrambled(text, &choices);
    again = format(other, language, &why);
    ck_assert_msg(again && strcmp(again, layout) == 0, "seed %llu: other blanks give another layout: %s\n%s\n%s",
                  (unsigned long long)seed, hy_text_string(&why), layout, again ? again : "none");
    hy_free(again);
    hy_free(other);
  }
  int count = with_comments(text, &choices, &commented);
  again = format(hy_text_string(&commented), language, &why);
  ck_assert_msg(again != NULL, "seed %llu: %s", (unsigned long long)seed, hy_text_string(&why));
  expect_tokens(text, again, seed);
  expect_comments(again, count, seed);
  expect_lines(again, seed);
  hy_free(again);
  hy_free(layout);
  hy_text_free(&commented);
  hy_text_free(&why);
}

static char *lowered_text(const char *alg_text) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"test.alg", alg_text, strlen(alg_text)};
  hy_text out = {0};
  const hy_alg *alg = hy_parse_alg(context, &source, diagnostics);
  ck_assert_ptr_nonnull(alg);
  hy_tgt_print(hy_lower(context, alg, diagnostics), &out);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
  return out.data;
}

START_TEST(blanks_mean_nothing_and_comments_stay) {
  for (uint64_t seed = (uint64_t)_i * SEEDS; seed < (uint64_t)(_i + 1) * SEEDS; seed++) {
    hy_choices choices = hy_choices_of_seed(seed);
    hy_generate_options options = {.favourite = HY_NO_DIRECTIVE};
    hy_case c;
    hy_walk walk;
    hy_text schedule = {0};
    ck_assert(hy_case_generate(&choices, &options, &c, &walk));
    hy_text_printf(&schedule, "schedule s for p {\n%s\n}\n", c.items);
    expect_one_layout(c.alg, A, seed);
    expect_one_layout(hy_text_string(&schedule), S, seed);
    if (!c.illegal) {
      char *target = lowered_text(c.alg);
      expect_one_layout(target, G, seed);
      hy_free(target);
    }
    hy_text_free(&schedule);
    hy_case_free(&c);
  }
}
END_TEST

/* -- damaged texts: refused, or laid out; the promises are looked at in hy_format -- */

static const char target[] =
#include "proofs_tests/unit/semantics/every_form.inc"
    ;

START_TEST(damaged_texts) {
  static const struct {
    hy_language language;
    const char *text;
  } whole[] = {
      {A, "pipeline p(n: int, in: u8[1]) { const K = 3; def h(a) = a * K; for k in 0..1 fun g[k](x) = in(x)/2;\n"
          "  if n < 0 { fun b(x) = 0; } else fun b(x) = let t = in(x) in if true then t else 1;\n"
          "  fun f(x) = { g[0](x); rdom(r = (0, n)) in (r) <- f(r) < -1 if r != 2; }; }"},
      {S,
       "schedule s for p { default inline; f.split(x, xo, xi, 8).parallel(x); for k in 0..2 { g[k].compute_root(); }\n"
       "  compute_at(g, f.x); } schedule t for p { }"},
      {G, target},
  };
  static const char *const others[] = {"",  "(", ")", "{",  "}", "[",  "]",    ";", ",",
                                       "<", "-", ".", "..", "=", "in", "else", "1."};
  lexed l = lex(whole[_i].text);
  size_t taken = 0, all = 0;
  for (size_t victim = 0; victim + 1 < l.tokens.count; victim++)
    for (size_t how = 0; how < HY_COUNT(others); how++) {
      hy_text text = {0};
      for (size_t i = 0; i + 1 < l.tokens.count; i++) {
        const hy_token *token = &l.tokens.data[i];
        bool touch = token->offset + token->length == token[1].offset;
        hy_text_printf(&text, "%s%s", i == victim ? others[how] : token->text, touch ? "" : " ");
      }
      char *layout = format(hy_text_string(&text), whole[_i].language, NULL);
      taken += layout != NULL;
      all++;
      hy_free(layout);
      hy_text_free(&text);
    }
  free_lexed(&l);
  ck_assert_uint_gt(taken, all / 100);
  ck_assert_uint_lt(taken, all / 2);
}
END_TEST

/* -- apps/ is laid out so -- */

static int laid_out;

static int look_at_layout(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status;
  hy_language language;
  if (kind != FTW_F || !hy_language_of_name(path + place->base, &language)) return 0;
  hy_text why = {0};
  char *text = hy_store_read_file(HALYARD_SOURCE_DIR, path + strlen(HALYARD_SOURCE_DIR "/")),
       *layout = format_file(path, text, language, &why);
  ck_assert_msg(layout != NULL, "%s", hy_text_string(&why));
  ck_assert_msg(strcmp(layout, text) == 0, "halyard fmt changes %s", path);
  laid_out++;
  hy_free(layout);
  hy_free(text);
  hy_text_free(&why);
  return 0;
}

START_TEST(apps_are_fixed_points) {
  laid_out = 0;
  ck_assert_int_eq(nftw(HALYARD_SOURCE_DIR "/apps", look_at_layout, 8, FTW_PHYS), 0);
  ck_assert_int_gt(laid_out, 36);
}
END_TEST

START_TEST(languages) {
  hy_language language = A;
  ck_assert(hy_language_of_name("a.sched", &language) && language == S);
  ck_assert(hy_language_of_name("a.alg.tgt", &language) && language == G);
  ck_assert(!hy_language_of_name(".alg", &language) && !hy_language_of_name("a.algo", &language));
  hy_context *context = hy_context_new();
  static const struct {
    const char *text;
    hy_language language;
  } texts[] = {{"// target\nschedule s", S}, {"/* */ target p", G}, {"pipeline p", A}, {"", A}, {"nonsense", A}};
  for (size_t i = 0; i < HY_COUNT(texts); i++) {
    hy_source source = {"-", texts[i].text, strlen(texts[i].text)};
    ck_assert_int_eq(hy_language_of_text(context, &source), texts[i].language);
  }
  hy_context_free(context);
}
END_TEST

Suite *semantics_format_suite(void) {
  Suite *suite = suite_create("semantics_format");
  TCase *tests = tcase_create("format");
  tcase_set_timeout(tests, 120);
  tcase_add_loop_test(tests, known_layouts, 0, (int)HY_COUNT(known));
  tcase_add_loop_test(tests, refusals, 0, (int)HY_COUNT(refused));
  tcase_add_test(tests, errors_of_meaning_stop_nothing);
  tcase_add_loop_test(tests, blanks_mean_nothing_and_comments_stay, 0, 5);
  tcase_add_loop_test(tests, damaged_texts, 0, 3);
  tcase_add_test(tests, apps_are_fixed_points);
  tcase_add_test(tests, languages);
  suite_add_tcase(suite, tests);
  return suite;
}
