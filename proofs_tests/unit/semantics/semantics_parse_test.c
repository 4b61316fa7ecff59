/* The front end: texts and what they mean, texts and what is said about them, and limits that no text exceeds. */

#include "proofs_tests/suites.h"
#include "semantics/semantics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- one parse -- */

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source source;
  const hy_alg *alg;
} parsed;

static parsed parse_bytes(const char *text, size_t length) {
  parsed p = {hy_context_new(), hy_diagnostics_new(), {"test.alg", text, length}, NULL};
  return p;
}

static void parse_alg(parsed *p) { p->alg = hy_parse_alg(p->context, &p->source, p->diagnostics); }

static void free_parsed(parsed *p) {
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
}

static char *diagnostics_text(const parsed *p) {
  hy_text text = {0};
  hy_diagnostics_print(p->diagnostics, &text);
  char *copy = strdup(hy_text_string(&text));
  hy_text_free(&text);
  return copy;
}

// "fun ..." lines as a whole pipeline over some parameters and images.
#define P(funcs) "pipeline p(a: u8[2], q: int[1], s: f32[1], w: int, v: u8, c: bool, t: f32) {\n" funcs "\n}\n"

/* -- accepted: the type of each func, and printing parses back -- */

static const struct {
  const char *text, *types; // of all funcs, in order
} accepted[] = {
    {P("fun f(x) = 1;"), "int"},
    {P("fun f(x) = 1.0;"), "f32"},
    {P("fun f(x) = true;"), "bool"},
    {P("fun f(x, y) = a(x, y) + 1;"), "u8"},
    {P("fun f(x, y) = 1 + 2 + a(x, y);"), "u8"},
    {P("fun f(x) = s(x) * 2;"), "f32"},
    {P("fun f(x) = sqrt(2);"), "f32"},
    {P("fun f(x) = f64(0.1) + 1;"), "f64"},
    {P("fun f(x) = x < 3 && !(x == 2) || c;"), "bool"},
    {P("fun f(x) = x < 3 == (x < 4);"), "bool"},
    {P("fun f(x) = x<-1;"), "bool"},
    {P("fun f(x) = { 0; (x) <- f(x) + s(x); };"), "f32"},
    {P("fun f(x) = { 0; (x) <-1; (x)<-f(x)-1 };"), "int"},
    {P("fun f(x) = { 0; (x) <- 1.0; (x) <- f64((1)); };"), "f64"},
    {P("fun f() = { 0; rdom(r = (0, 10)) in () <- f() + 1; };"), "int"},
    {P("fun f(x) = { 0; rdom(r = (q.min(0), q.len(0)), z = (w, 2)) in (x) <- f(x) + q(r) if r != z; };"), "int"},
    {P("fun f(x) = { 0; rdom(r = (0, 3)) in (x) <- f(x) + q(x) + q(r); };"), "int"},
    {P("fun f(i) = { 0; rdom(r = (0, 3)) in (int(a(r, 0))) <- f(int(a(r, 0))) + 1; };"), "int"},
    {P("fun f(x, y) = { 0; rdom(r = (0, 3)) in (x, r) <- f(x, r - 1) + q(x); };"), "int"},
    {P("fun f(x) = let a1 = x + 1 in let a2 = a1 * a1 in a1 + a2;"), "int"},
    {P("fun f(x) = 1 + let b = x in b;"), "int"},
    {P("fun f(x) = (let b = x in b) + let b = 2 in b;"), "int"},
    {P("fun f(x) = clamp(a(x, 0), 3, 200);"), "u8"},
    {P("fun f(x) = select(c, 1, 2) + v;"), "u8"},
    {P("fun f(x) = i8(3) - -128;"), "i8"},
    {P("fun f(x) = u8(300) + u8(-1);"), "u8"},
    {P("fun f(x) = u64(18446744073709551615);"), "u64"},
    {P("fun f(x) = -9223372036854775808;"), "int"},
    {P("fun f(x) = 0xff & x ^ 3 | ~x << 2 >> 1;"), "int"},
    {P("fun f(x) = -x - -3 - -(3) - - -x;"), "int"},
    {P("fun f(x) = 1e3 + 1.5e-3 + 2.;"), "f32"},
    {P("fun f(x) = pow(s(x), 2) + atan2(1, t) + abs(t);"), "f32"},
    {P("fun f(x) = bool(x) == c;"), "bool"},
    {P("fun f(x) = int(c) + int(t) + int(v);"), "int"},
    {P("fun f(x) = w % 3 / 2;"), "int"},
    {P("fun f(x) = x; fun g(x) = f(x); fun h(x) = { f(x); (x) <- h(x) + g(x); };"), "int int int"},
    {"pipeline p(in: u16[2]) { fun f(x, y) = in(x, y); }", "u16"},
    {"pipeline for(if1: u8[0], pipeline: int, fun: int) { fun rdom(in) = pipeline + fun + in; fun out() = if1(); }",
     "int u8"},
    {"\xef\xbb\xbfpipeline p() { /* \xc3\xa9 \xff */ fun f() = 1; } // \xff", "int"},
    {"pipeline p()\r\n{\r\n\tfun f() = 1;\r\n}\r\n", "int"},
};

static void check_types(const hy_alg *alg, const char *types, const char *text) {
  hy_text found = {0};
  for (int i = 0; i < alg->definition_count; i++)
    hy_text_printf(&found, "%s%s", i ? " " : "", hy_type_name(alg->definitions[i].func->type));
  ck_assert_msg(strcmp(hy_text_string(&found), types) == 0, "%s\nhas the types %s", text, hy_text_string(&found));
  hy_text_free(&found);
}

static void check_round_trip(const parsed *p) {
  hy_text first = {0}, second = {0};
  hy_alg_print(p->alg, &first);
  parsed again = parse_bytes(hy_text_string(&first), first.length);
  parse_alg(&again);
  char *said = diagnostics_text(&again);
  ck_assert_msg(again.alg != NULL, "%s\nprints as\n%s\nwhich is refused:\n%s", p->source.text, hy_text_string(&first),
                said);
  hy_alg_print(again.alg, &second);
  ck_assert_str_eq(hy_text_string(&first), hy_text_string(&second));
  free(said);
  hy_text_free(&second);
  free_parsed(&again);
  hy_text_free(&first);
}

START_TEST(accepts) {
  parsed p = parse_bytes(accepted[_i].text, strlen(accepted[_i].text));
  parse_alg(&p);
  char *said = diagnostics_text(&p);
  ck_assert_msg(p.alg != NULL, "%s\nis refused:\n%s", accepted[_i].text, said);
  check_types(p.alg, accepted[_i].types, accepted[_i].text);
  check_round_trip(&p);
  free(said);
  free_parsed(&p);
}
END_TEST

/* -- rejected: the first diagnostic's code and place (in the line after P's first) -- */

static const struct {
  const char *text;
  hy_code code;
  uint32_t line, column, length;
} rejected[] = {
    // syntax
    {"", HY_E_SYNTAX, 1, 1, 1},
    {"fun f(x) = 1;", HY_E_SYNTAX, 1, 1, 3},
    {"pipeline", HY_E_SYNTAX, 1, 9, 1},
    {"pipeline p { }", HY_E_SYNTAX, 1, 12, 1},
    {"pipeline p(w) { }", HY_E_SYNTAX, 1, 13, 1},
    {"pipeline p(w: u8[) { }", HY_E_SYNTAX, 1, 18, 1},
    {"pipeline p(w: u8[2) { }", HY_E_SYNTAX, 1, 19, 1},
    {"pipeline p(w: int,) { }", HY_E_SYNTAX, 1, 19, 1},
    {"pipeline p() { fun f() = 1; } x", HY_E_SYNTAX, 1, 31, 1},
    {"pipeline p() { fun f() = 1;", HY_E_SYNTAX, 1, 28, 1},
    {P("fun f(x y) = 1;"), HY_E_SYNTAX, 2, 9, 1},
    {P("fun f(1) = 1;"), HY_E_OTHER_LANGUAGE, 2, 1, 12},
    {P("fun (x) = 1;"), HY_E_SYNTAX, 2, 5, 1},
    {P("fun f(x) 1;"), HY_E_SYNTAX, 2, 10, 1},
    {P("fun f(x) = ;"), HY_E_SYNTAX, 2, 12, 1},
    {P("fun f(x) = 1"), HY_E_SYNTAX, 2, 13, 1},
    {P("fun f(x) = (1 + 2;"), HY_E_SYNTAX, 2, 18, 1},
    {P("fun f(x) = 1 + * 2;"), HY_E_SYNTAX, 2, 16, 1},
    {P("fun f(x) = x 2;"), HY_E_SYNTAX, 2, 14, 1},
    {P("fun f(x) = min(1, );"), HY_E_SYNTAX, 2, 19, 1},
    {P("fun f(x) = min(1 2);"), HY_E_SYNTAX, 2, 18, 1},
    {P("fun f(x) = a[x, 2];"), HY_E_SYNTAX, 2, 12, 7},
    {P("fun f(x) = x ? 1 : 2;"), HY_E_OTHER_LANGUAGE, 2, 12, 9},
    {P("fun f(x) = x = 1;"), HY_E_SYNTAX, 2, 14, 1},
    {P("fun f(x) = a.;"), HY_E_SYNTAX, 2, 14, 1},
    {P("fun f(x) = let = 1 in 2;"), HY_E_SYNTAX, 2, 16, 1},
    {P("fun f(x) = let b 1 in 2;"), HY_E_SYNTAX, 2, 18, 1},
    {P("fun f(x) = let b = 1 + b;"), HY_E_SYNTAX, 2, 25, 1},
    {P("fun f(x) = { };"), HY_E_SYNTAX, 2, 14, 1},
    {P("fun f(x) = { 1 };"), HY_E_SYNTAX, 2, 16, 1},
    {P("fun f(x) = { 0; (x) = 1; };"), HY_E_OTHER_LANGUAGE, 2, 17, 7},
    {P("fun f(x) = { 0; (x) < - 1; };"), HY_E_SYNTAX, 2, 21, 1},
    {P("fun f(x) = { 0; f(x) <- 1; };"), HY_E_OTHER_LANGUAGE, 2, 17, 9},
    {P("fun f(x) = { 0; rdom(r = 0) in (x) <- 1; };"), HY_E_SYNTAX, 2, 26, 1},
    {P("fun f(x) = { 0; rdom(r = (0)) in (x) <- 1; };"), HY_E_SYNTAX, 2, 28, 1},
    {P("fun f(x) = { 0; rdom(r = (0, 1)) (x) <- 1; };"), HY_E_SYNTAX, 2, 34, 1},
    {P("fun f(x) = { 0; rdom() in (x) <- 1; };"), HY_E_SYNTAX, 2, 22, 1},
    {P("fun f(x) = { 0; (x) <- 1 if; };"), HY_E_SYNTAX, 2, 28, 1},
    {P("fun f(x) = { 0; (x) <- 1 (x) <- 2; };"), HY_E_NOT_A_FUNC, 2, 24, 1}, // reads as 1(x) < -2
    {P("fun f(x) = { rdom(r = (0, 1)) in (x) <- 1; };"), HY_E_SYNTAX, 2, 14, 4},
    {P("fun f(x) = { 1 if c; };"), HY_E_SYNTAX, 2, 16, 2},
    {P("output f;"), HY_E_OTHER_LANGUAGE, 2, 1, 8},
    {P("fun f(x) = #1;"), HY_E_BAD_CHARACTER, 2, 12, 1},
    {P("fun f(x) = \xc3\xa9;"), HY_E_BAD_CHARACTER, 2, 12, 2},
    {P("fun f(x) = \xff;"), HY_E_NOT_TEXT, 2, 12, 1},
    {P("fun f(x) = \xc0\x80;"), HY_E_NOT_TEXT, 2, 12, 1},
    {P("fun f(x) = \xed\xa0\x80;"), HY_E_NOT_TEXT, 2, 12, 1},
    {P("fun f(x) = \xe0\x80\x80;"), HY_E_NOT_TEXT, 2, 12, 1},
    {P("fun f(x) = \xf0\x80\x80\x80;"), HY_E_NOT_TEXT, 2, 12, 1},
    {P("fun f(x) = \xf4\x90\x80\x80;"), HY_E_NOT_TEXT, 2, 12, 1},
    {P("fun f(x) = \xf0\x9f\x98\x80;"), HY_E_BAD_CHARACTER, 2, 12, 4},
    {P("fun f(x) = \x01;"), HY_E_BAD_CHARACTER, 2, 12, 1},
    {P("fun f(x) = 1 /* 2;"), HY_E_UNTERMINATED_COMMENT, 2, 14, 2},
    {P("fun f(x) = 12ab;"), HY_E_BAD_NUMBER, 2, 12, 4},
    {P("fun f(x) = 0x;"), HY_E_BAD_NUMBER, 2, 12, 2},
    {P("fun f(x) = 1e+;"), HY_E_BAD_NUMBER, 2, 12, 3},
    {P("fun f(x) = 1.5f;"), HY_E_BAD_NUMBER, 2, 12, 4},
    {P("fun f(x) = 012;"), HY_E_BAD_NUMBER, 2, 12, 3},
    {P("fun f(x) = 18446744073709551616;"), HY_E_BAD_NUMBER, 2, 12, 20},
    {P("fun f(x) = select(0 < x < 2, 1, 2);"), HY_E_CHAINED_COMPARISON, 2, 25, 1},
    {P("fun f(x) = 0 == x == 2;"), HY_E_CHAINED_COMPARISON, 2, 19, 2},
    {P("fun f(x) = 0 <= x > 2;"), HY_E_CHAINED_COMPARISON, 2, 19, 1},
    {P("fun f[k](x) = 1;"), HY_E_NOT_CONSTANT, 2, 7, 1},
    {P("fun f(x) = sum(x);"), HY_E_UNKNOWN_NAME, 2, 12, 3},
    {P("fun f(x) = argmin(q)(x);"), HY_E_UNKNOWN_NAME, 2, 12, 6},
    {"pipeline p(w: int in (0, 1)) { }", HY_E_OTHER_LANGUAGE, 1, 12, 16},
    {P(""), HY_E_EMPTY_PIPELINE, 1, 10, 1},
    // names
    {P("fun f(x) = y;"), HY_E_UNKNOWN_NAME, 2, 12, 1},
    {P("fun f(x) = g(x);"), HY_E_UNKNOWN_NAME, 2, 12, 1},
    {P("fun f(x) = g(x); fun g(x) = 1;"), HY_E_DEFINED_LATER, 2, 12, 1},
    {P("fun f(x) = { 0; rdom(r = (0, 1)) in (x) <- 1; (x) <- r; };"), HY_E_UNKNOWN_NAME, 2, 54, 1},
    {P("fun f(x) = x; fun g(y) = x;"), HY_E_UNKNOWN_NAME, 2, 26, 1},
    {P("fun f(w) = 1;"), HY_E_SHADOWED, 2, 7, 1},
    {P("fun f(f) = 1;"), HY_E_SHADOWED, 2, 7, 1},
    {P("fun q(x) = 1;"), HY_E_SHADOWED, 2, 5, 1},
    {P("fun f(x) = let x = 1 in x;"), HY_E_SHADOWED, 2, 16, 1},
    {P("fun f(x) = let b = 1 in let b = 2 in b;"), HY_E_SHADOWED, 2, 29, 1},
    {"pipeline p(w: int, w: u8[1]) { fun f() = 1; }", HY_E_SHADOWED, 1, 20, 1},
    {P("fun f(select) = 1;"), HY_E_RESERVED_WORD, 2, 7, 6},
    {P("fun u8(x) = 1;"), HY_E_RESERVED_WORD, 2, 5, 2},
    {P("fun f(s0) = 1;"), HY_E_RESERVED_WORD, 2, 7, 2},
    {P("fun f(x) = { 0; rdom(z12 = (0, 1)) in (x) <- 1; };"), HY_E_RESERVED_WORD, 2, 22, 3},
    {P("fun f(x) = let true = 1 in 1;"), HY_E_RESERVED_WORD, 2, 16, 4},
    {"pipeline p(w: float) { fun f() = w; }", HY_E_UNKNOWN_TYPE, 1, 15, 5},
    {"pipeline p(w: u8[9]) { fun f() = 1; }", HY_E_RANK, 1, 18, 1},
    {P("fun f(b, d, e, g, h, i, j, k, l) = 1;"), HY_E_RANK, 2, 31, 1},
    // types
    {P("fun f(x) = v + w;"), HY_E_TYPE_MISMATCH, 2, 14, 1},
    {P("fun f(x) = a(x, 0) * 0.5;"), HY_E_TYPE_MISMATCH, 2, 20, 1},
    {P("fun f(x) = select(c, v, 0.5);"), HY_E_TYPE_MISMATCH, 2, 12, 17},
    {P("fun f(x) = v == x;"), HY_E_TYPE_MISMATCH, 2, 14, 2},
    {P("fun f(x) = clamp(v, 0, x);"), HY_E_TYPE_MISMATCH, 2, 12, 14},
    {P("fun f(x) = { v; (x) <- x; };"), HY_E_TYPE_MISMATCH, 2, 24, 1},
    {P("fun f(x) = { 0; (x) <- f(x) + v; (x) <- f(x) + w; };"), HY_E_TYPE_MISMATCH, 2, 46, 1},
    {P("fun f(x) = c + c;"), HY_E_OPERAND_TYPE, 2, 14, 1},
    {P("fun f(x) = -c;"), HY_E_OPERAND_TYPE, 2, 12, 1},
    {P("fun f(x) = c < c;"), HY_E_OPERAND_TYPE, 2, 14, 1},
    {P("fun f(x) = t % 2;"), HY_E_OPERAND_TYPE, 2, 14, 1},
    {P("fun f(x) = ~t;"), HY_E_OPERAND_TYPE, 2, 12, 1},
    {P("fun f(x) = 1.5 << 2;"), HY_E_OPERAND_TYPE, 2, 16, 2},
    {P("fun f(x) = sin(x);"), HY_E_OPERAND_TYPE, 2, 16, 1},
    {P("fun f(x) = v + 256;"), HY_E_LITERAL_RANGE, 2, 16, 3},
    {P("fun f(x) = v - -1;"), HY_E_LITERAL_RANGE, 2, 16, 2},
    {P("fun f(x) = i8(3) + 128;"), HY_E_LITERAL_RANGE, 2, 20, 3},
    {P("fun f(x) = c == 1;"), HY_E_LITERAL_RANGE, 2, 17, 1},
    {P("fun f(x) = 9223372036854775808;"), HY_E_LITERAL_RANGE, 2, 12, 19},
    {P("fun f(x) = -9223372036854775809;"), HY_E_LITERAL_RANGE, 2, 12, 20},
    {P("fun f(x) = 1e39;"), HY_E_LITERAL_RANGE, 2, 12, 4},
    {P("fun f(x) = let b = 300 in v + b;"), HY_E_LITERAL_RANGE, 2, 20, 3},
    {P("fun f(x) = let b = u8((1)) + 256 in x;"), HY_E_LITERAL_RANGE, 2, 30, 3},
    {P("fun f(x) = q(v);"), HY_E_NOT_INT, 2, 14, 1},
    {P("fun f(x) = { 0; (v) <- 1; };"), HY_E_NOT_INT, 2, 18, 1},
    {P("fun f(x) = { 0; rdom(r = (0, v)) in (x) <- 1; };"), HY_E_NOT_INT, 2, 30, 1},
    {P("fun f(x) = q(1.5);"), HY_E_NOT_INT, 2, 14, 3},
    {P("fun f(x) = select(x, 1, 2);"), HY_E_NOT_BOOL, 2, 19, 1},
    {P("fun f(x) = c && x;"), HY_E_NOT_BOOL, 2, 14, 2},
    {P("fun f(x) = !x;"), HY_E_NOT_BOOL, 2, 12, 1},
    {P("fun f(x) = { 0; (x) <- 1 if w; };"), HY_E_NOT_BOOL, 2, 29, 1},
    {P("fun f(x) = a(x);"), HY_E_ARITY, 2, 12, 4},
    {P("fun f(x) = x; fun g(x) = f(x, 1);"), HY_E_ARITY, 2, 26, 7},
    {P("fun f(x) = min(x);"), HY_E_ARITY, 2, 12, 6},
    {P("fun f(x) = u8();"), HY_E_ARITY, 2, 12, 4},
    {P("fun f(x) = clamp(x, 1);"), HY_E_ARITY, 2, 12, 11},
    {P("fun f(x) = w(x);"), HY_E_NOT_A_FUNC, 2, 12, 1},
    {P("fun f(x) = (q)(x);"), HY_E_NOT_A_FUNC, 2, 12, 3},
    {P("fun f(x) = q;"), HY_E_FUNC_AS_VALUE, 2, 12, 1},
    {P("fun g() = 1; fun f(x) = g;"), HY_E_FUNC_AS_VALUE, 2, 25, 1},
    {P("fun f(x) = q.mid(0);"), HY_E_UNKNOWN_MEMBER, 2, 14, 3},
    {P("fun f(x) = q.min;"), HY_E_UNKNOWN_MEMBER, 2, 12, 5},
    {P("fun f(x) = q.min(1);"), HY_E_UNKNOWN_MEMBER, 2, 12, 8},
    {P("fun f(x) = q.min(x);"), HY_E_UNKNOWN_MEMBER, 2, 12, 8},
    {P("fun f(x) = x.min;"), HY_E_UNKNOWN_MEMBER, 2, 12, 5},
    // validity
    {P("fun f(x) = { q(x); (x) <- f(x + 1); };"), HY_E_SEPARATION, 2, 27, 8},
    {P("fun f(x) = { q(x); rdom(r = (0, 3)) in (x) <- f(x) + f(r); };"), HY_E_SEPARATION, 2, 54, 4},
    {P("fun f(x) = { q(x); (x + 1) <- 1; };"), HY_E_SEPARATION, 2, 21, 5},
    {P("fun f(x) = { q(x); (2) <- x; };"), HY_E_SEPARATION, 2, 21, 1},
    {P("fun f(x) = { q(x); (2) <- 1 if x > 2; };"), HY_E_SEPARATION, 2, 21, 1},
    {P("fun f(x) = { q(x); (x) <- 1 if f(2) > 2; };"), HY_E_SEPARATION, 2, 32, 4},
    {P("fun f(x) = { q(x); (x) <- f(f(x)); };"), HY_E_SEPARATION, 2, 27, 7},
    {P("fun f(x, y) = { 0; (y, x) <- 1; };"), HY_E_SEPARATION, 2, 21, 1},
    {P("fun f(x, y) = { 0; rdom(r = (0, 3)) in (x, r) <- f(x, r) + y; };"), HY_E_SEPARATION, 2, 44, 1},
    {P("fun f(x) = { q(x); (x) <- let b = x in f(b - 1); };"), HY_E_SEPARATION, 2, 40, 8},
    {P("fun f(x) = 1; fun f(x) = 2;"), HY_E_FUNC_TWICE, 2, 19, 1},
    {P("fun f(x, x) = 1;"), HY_E_PURE_TWICE, 2, 10, 1},
    {P("fun f(x) = { 0; rdom(r = (0, 1), r = (0, 1)) in (x) <- 1; };"), HY_E_RDOM_TWICE, 2, 34, 1},
    {P("fun f(x) = { 0; rdom(r = (0, x)) in (x) <- 1; };"), HY_E_RDOM_BOUNDS, 2, 30, 1},
    {P("fun f(x) = { 0; rdom(r = (0, 1), m = (r, 1)) in (x) <- 1; };"), HY_E_RDOM_BOUNDS, 2, 39, 1},
    {P("fun f(x) = { 0; rdom(r = (0, q(0))) in (x) <- 1; };"), HY_E_RDOM_BOUNDS, 2, 30, 1},
    {P("fun g() = 1; fun f(x) = { 0; rdom(r = (g(), 1)) in (x) <- 1; };"), HY_E_RDOM_BOUNDS, 2, 40, 1},
    {P("fun f(x) = f(x - 1);"), HY_E_SELF_REFERENCE, 2, 12, 8},
    {P("fun f(x) = { q(f(0)); (x) <- 1; };"), HY_E_SELF_REFERENCE, 2, 16, 4},
    {P("fun f(x) = { 0; rdom(x = (0, 1)) in (x) <- 1; };"), HY_E_RDOM_NAME, 2, 22, 1},
    {P("fun f(x) = { 0; rdom(w = (0, 1)) in (x) <- 1; };"), HY_E_RDOM_NAME, 2, 22, 1},
    {P("fun f(x) = { 0; rdom(f = (0, 1)) in (x) <- 1; };"), HY_E_RDOM_NAME, 2, 22, 1},
    {P("fun f(x) = { 0; rdom(q = (0, 1)) in (x) <- 1; };"), HY_E_RDOM_NAME, 2, 22, 1},
    {P("fun f(x) = { 0; (x, x) <- 1; };"), HY_E_UPDATE_ARITY, 2, 17, 6},
    {P("fun f(x) = { 0; () <- 1; };"), HY_E_UPDATE_ARITY, 2, 17, 2},
};

START_TEST(rejects) {
  parsed p = parse_bytes(rejected[_i].text, strlen(rejected[_i].text));
  parse_alg(&p);
  char *said = diagnostics_text(&p);
  ck_assert_msg(p.alg == NULL, "%s\nis accepted", rejected[_i].text);
  ck_assert_uint_gt(hy_diagnostics_errors(p.diagnostics), 0);
  const hy_diagnostic *first = hy_diagnostics_at(p.diagnostics, 0);
  ck_assert_msg(first->code == rejected[_i].code && first->loc.line == rejected[_i].line &&
                    first->loc.column == rejected[_i].column && first->loc.length == rejected[_i].length,
                "%s\nshould say HY%04d at %u:%u, %u bytes, not\n%s", rejected[_i].text, (int)rejected[_i].code,
                rejected[_i].line, rejected[_i].column, rejected[_i].length, said);
  ck_assert_msg(first->help || first->rule, "nothing says what to write instead:\n%s", said);
  free(said);
  free_parsed(&p);
}
END_TEST

/* -- what to write instead -- */

static const struct {
  const char *text, *help;
} helps[] = {
    {P("fun f(x) = v + w;"), "write int(v) or u8(w)"},
    {P("fun f(x) = a(x, 0) * 0.5;"), "write f32(a(x, 0))"},
    {P("fun f(x) = t + x;"), "write f32(x)"},
    {P("fun f(x) = (x + 1) * v;"), "write u8(x + 1) or int(v)"},
    {P("fun f(x) = u16((1)) * v;"), "write u16(v)"},
    {P("fun f(x) = q(v);"), "write int(v)"},
    {P("fun f(x) = sin(w);"), "write f32(w)"},
    {P("fun f(x) = !w;"), "write a comparison, such as w != 0"},
    {P("fun f(x) = q;"), "write q(e0)"},
    {P("fun foo(x) = 1; fun f(x) = fo(x);"), "did you mean 'foo'?"},
    {P("fun foo(x) = 1; fun f(x) = ofo(x);"), "did you mean 'foo'?"},
    {P("fun f(x) = slect(c, 1, 2);"), "did you mean 'select'?"},
    {P("fun f(x) = nothing_like_it;"), "in scope are x, w, v, c, t, a, q, s"},
    {"pipeline p(w: uint8) { fun f() = 1; }", "write u8"},
    {"pipeline p(w: i23) { fun f() = 1; }", "write i32"},
    {P("fun f(x) = 0 < x < 2;"), "write 0 < x && x < ..., or use parentheses"},
    {P("fun f(x) = v - 256;"), "u8 holds 0 to 255; write u8(256) for the value modulo 2^8"},
};

START_TEST(says_what_to_write) {
  parsed p = parse_bytes(helps[_i].text, strlen(helps[_i].text));
  parse_alg(&p);
  ck_assert_ptr_null(p.alg);
  const char *help = hy_diagnostics_at(p.diagnostics, 0)->help;
  ck_assert_msg(help && strcmp(help, helps[_i].help) == 0, "%s\nshould advise '%s', not '%s'", helps[_i].text,
                helps[_i].help, help ? help : "");
  free_parsed(&p);
}
END_TEST

/* -- several mistakes in one run -- */

static const struct {
  const char *text;
  size_t errors;
} several[] = {
    {P("fun f(x) = 1 + ; fun g(x) = (2; fun h(x) = x;"), 2},
    {P("fun f(x) = { 0; (x) = 1; (x) <- ; (x) <- 2; }; fun h(x) = [;"), 3},
    {P("fun f(x) = y; fun g(x) = v + w; fun h(x) = f(x) + g(x, x, x);"), 2}, // h is not blamed for f and g
    {P("fun f(x) = y + v + z + w;"), 2},
    {P("fun f(x, x) = 1; fun g(x) = f(x, x) + k;"), 2},
    {P("fun f(x) = 1; fun f(x) = true; fun g(x) = f(x) + k;"), 2},
    {P("fun f(x) = { 0; (x, 1) <- 1; (x + 1) <- 2; (v) <- 3; };"), 2},
    {P("fun f(x) = { 0; (x + 1) <- 2; (x) <- f(1); };"), 2},
};

START_TEST(goes_on_after_errors) {
  parsed p = parse_bytes(several[_i].text, strlen(several[_i].text));
  parse_alg(&p);
  char *said = diagnostics_text(&p);
  ck_assert_ptr_null(p.alg);
  ck_assert_msg(hy_diagnostics_errors(p.diagnostics) == several[_i].errors, "%s\nhas %zu errors, not\n%s",
                several[_i].text, several[_i].errors, said);
  free(said);
  free_parsed(&p);
}
END_TEST

Suite *semantics_parse_suite(void) {
  Suite *suite = suite_create("semantics_parse");
  TCase *tables = tcase_create("tables");
  tcase_add_loop_test(tables, accepts, 0, HY_COUNT(accepted));
  tcase_add_loop_test(tables, rejects, 0, HY_COUNT(rejected));
  tcase_add_loop_test(tables, says_what_to_write, 0, HY_COUNT(helps));
  tcase_add_loop_test(tables, goes_on_after_errors, 0, HY_COUNT(several));
  suite_add_tcase(suite, tables);
  return suite;
}
