/* Families of funcs and tuples as values (ALG.Expand.Tuple, ALG.Expand.Family, ALG.Expand.For, ALG.Expand.If, ALG.Expand.Number, SCH.For): each prints as the funcs that it is.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "semantics/semantics.h"
#include "semantics/text/syntax_internal.h"

#include <stdio.h>
#include <string.h>

#define P(funcs) "pipeline p(in: u8[1], w: int) -> o {\n" funcs "\n}\n"

static const struct {
  const char *form, *core;
} pairs[] = {
    // ALG.Expand.Tuple
    {"fun t(x) = (in(x), x); fun o(x) = t(x);", "fun t(x) = (in(x), x); fun o(x) = (t(x)[0], t(x)[1]);"},
    {"fun t(x) = (in(x), x); fun o(x) = select(x > w, t(x), x > 2, (1, 2), t(x + 1));",
     "fun t(x) = (in(x), x); fun o(x) = (select(x > w, t(x)[0], x > 2, 1, t(x + 1)[0]), select(x > w, t(x)[1], x > 2, "
     "2, "
     "t(x + 1)[1]));"},
    {"fun t(x) = (in(x), x); fun o(x) = let z = t(x) in let y = mux(x, z, t(w)) in z[1] + y[1];",
     "fun t(x) = (in(x), x); fun o(x) = let b = t(x)[1] in let d = mux(x, b, t(w)[1]) in b + d;"},
    {"fun t(x) = { (in(x), x); rdom(r = (0, 3)) in (x) <- select(r > 1, t(x), (in(r), r)); }; fun o(x) = select(x > 1, "
     "t(x), t(w))[1];",
     "fun t(x) = { (in(x), x); rdom(r = (0, 3)) in (x) <- (select(r > 1, t(x)[0], in(r)), select(r > 1, t(x)[1], r)); "
     "}; "
     "fun o(x) = select(x > 1, t(x)[1], t(w)[1]);"},
    // ALG.Expand.For, ALG.Expand.Family
    {"for k in 1..3 fun g[k](x) = x + k; fun o(x) = g[2](x);",
     "fun g_1(x) = x + 1; fun g_2(x) = x + 2; fun g_3(x) = x + 3; fun o(x) = g_2(x);"},
    {"fun g[0](x) = in(x); for k in 1..2 fun g[k](x) = g[k - 1](2*x); fun o(x) = g[2](x);",
     "fun g_0(x) = in(x); fun g_1(x) = g_0(2*x); fun g_2(x) = g_1(2*x); fun o(x) = g_2(x);"},
    {"fun g[2](x) = x; for k in 1..0 { fun g[k](x) = g[k + 1](x) * k; } fun o(x) = g[0](x);",
     "fun g_2(x) = x; fun g_1(x) = g_2(x) * 1; fun g_0(x) = g_1(x) * 0; fun o(x) = g_0(x);"},
    {"for k in 4..4 fun g[k](x) = in(x) + k; fun o(x) = g[4](x);", "fun g_4(x) = in(x) + 4; fun o(x) = g_4(x);"},
    {"const TOP = 2; const HALF = TOP / 2; for k in HALF..TOP fun g[k](x) = u16(k) + u16(in(x)); fun o(x) = g[TOP - "
     "HALF](x);",
     "fun g_1(x) = u16(1) + u16(in(x)); fun g_2(x) = u16(2) + u16(in(x)); fun o(x) = g_1(x);"},
    {"fun g[0](x) = x; for k in 1..2 { fun d[k](x) = g[k - 1](x) + 1; fun g[k](x) = d[k](2*x); } fun o(x) = g[2](x);",
     "fun g_0(x) = x; fun d_1(x) = g_0(x) + 1; fun g_1(x) = d_1(2*x); fun d_2(x) = g_1(x) + 1;"
     "fun g_2(x) = d_2(2*x); fun o(x) = g_2(x);"},
    {"for i in 0..1 for j in i..1 fun g[i, j](x) = x + 10*i + j; fun o(x) = g[0, 1](x) - g[1, 1](x);",
     "fun g_0_0(x) = x + 10*0 + 0; fun g_0_1(x) = x + 10*0 + 1; fun g_1_1(x) = x + 10*1 + 1;"
     "fun o(x) = g_0_1(x) - g_1_1(x);"},
    {"for k in 0..1 fun g[k](x) = { k; rdom(r = (k, k + 2)) in (r + k) <- r - k if r > k; }; fun o(x) = g[1](x);",
     "fun g_0(x) = { 0; rdom(r = (0, 0 + 2)) in (r + 0) <- r - 0 if r > 0; };"
     "fun g_1(x) = { 1; rdom(r = (1, 1 + 2)) in (r + 1) <- r - 1 if r > 1; }; fun o(x) = g_1(x);"},
    {"for k in 0..1 fun g[k](x) = (k, x); fun o(x) = g[1](x)[0] + g[0](x)[1];",
     "fun g_0(x) = (0, x); fun g_1(x) = (1, x); fun o(x) = g_1(x)[0] + g_0(x)[1];"},
    {"fun t(x) = (x, w); for k in 0..1 fun g[k](x) = t(x)[k]; fun o(x) = g[1](x);",
     "fun t(x) = (x, w); fun g_0(x) = t(x)[0]; fun g_1(x) = t(x)[1]; fun o(x) = g_1(x);"},
    {"for k in 0..1 fun g[k] = repeat_edge(in); fun c = repeat_edge(g[1], (0, 4)); fun o(x) = c(x);",
     "fun g_0 = repeat_edge(in); fun g_1 = repeat_edge(in); fun c = repeat_edge(g_1, (0, 4)); fun o(x) = c(x);"},
    {"for k in 1..2 fun g[k](x) = sum(rdom(r = (0, k)) in x + r); fun o(x) = g[2](x);",
     "fun g_1(x) = sum(rdom(r = (0, 1)) in x + r); fun g_2(x) = sum(rdom(r = (0, 2)) in x + r); fun o(x) = g_2(x);"},
    {"for k in 1..2 fun g[k](x) = sum s(rdom(r = (0, k)) in x + r); fun o(x) = g[2](x) + s[1](x);",
     "fun g_1(x) = sum s_1(rdom(r = (0, 1)) in x + r); fun g_2(x) = sum s_2(rdom(r = (0, 2)) in x + r);"
     "fun o(x) = g_2(x) + s_1(x);"},
    {"for k in 0..1 fun g[k](x) = x; def top(a) = g[1](a) + 1; fun o(x) = top(x);",
     "fun g_0(x) = x; fun g_1(x) = x; fun o(x) = g_1(x) + 1;"},
    {"for k in 0..0 fun g[k](x) = let a = x + k in a * a; fun o(x) = g[0](x);",
     "fun g_0(x) = (x + 0) * (x + 0); fun o(x) = g_0(x);"},
    {"fun g[3](x) = x; fun o(g) = g[3](g);", "fun g_3(x) = x; fun o(g) = g_3(g);"},
    {"fun g(x) = (1, 2); fun o(x) = g(x)[1];", "fun g(x) = (1, 2); fun o(x) = g(x)[1];"},
    {"fun for(x) = x; fun then(x) = for(x); fun o(else) = then(else);",
     "fun for(x) = x; fun then(x) = for(x); fun o(else) = then(else);"},
    // ALG.Expand.Number
    {"const K = 1; fun t(x) = (in(x), x, w); fun o(x) = t(x)[K + 1] + t(x)[2*K - 1] * t(x)[min(K, 3) + 1];",
     "fun t(x) = (in(x), x, w); fun o(x) = t(x)[2] + t(x)[1] * t(x)[2];"},
    {"fun t(x) = (x, w); for k in 0..1 fun g[k](x) = t(x)[1 - k]; fun o(x) = g[1](x);",
     "fun t(x) = (x, w); fun g_0(x) = t(x)[1]; fun g_1(x) = t(x)[0]; fun o(x) = g_1(x);"},
    {"def h(v, k) = v[(k + 1) % 2]; fun t(x) = (x, w); fun o(x) = h(t(x), 0) - h(t(x), 1) + h((x, 2), 3);",
     "fun t(x) = (x, w); fun o(x) = t(x)[1] - t(x)[0] + x;"},
    {"const K = 1; def h(v, k) = v[k]; def g(v, j) = h(v, j - K) + h(v, K); fun t(x) = (x, w); fun o(x) = g(t(x), K);",
     "fun t(x) = (x, w); fun o(x) = t(x)[0] + t(x)[1];"},
    {"def h(v, k) = let j = k + 1 in v[j] * j; fun t(x) = (x, w); fun o(x) = h(t(x), 0);",
     "fun t(x) = (x, w); fun o(x) = t(x)[1] * (0 + 1);"},
    {"def turn(v) = (-v[1], v[0]); def tt(v, k) = turn(turn(v))[k]; fun t(x) = (x, w);"
     "fun o(x) = tt(t(x), 1) + tt(turn(t(x)), 0) + turn((1, 2))[0];",
     "fun t(x) = (x, w); fun o(x) = -t(x)[1] + -(-t(x)[1]) + -(2);"},
    {"for k in 0..2 fun g[k](x) = x + k; def at(k, x) = g[k](x) - g[2 - k](x); fun o(x) = at(0, x) + at(2, x);",
     "fun g_0(x) = x + 0; fun g_1(x) = x + 1; fun g_2(x) = x + 2; fun o(x) = g_0(x) - g_2(x) + (g_2(x) - g_0(x));"},
    {"def h(e, k) = if k < 0 then -e else if k == 0 then 0 else e; fun o(x) = h(x, -2) + h(x, 0) + h(x, 7);",
     "fun o(x) = -x + 0 + x;"},
    {"def is_odd(k) = k % 2 == 1; def h(k, e) = if is_odd(k) then e else e + k; fun o(x) = h(3, x) * h(4, x);",
     "fun o(x) = x * (x + 4);"},
    {"def h(e, on) = if on then e else (if !on then e + 1 else w); fun o(x) = h(x, true) * h(x, 1 > 2);",
     "fun o(x) = x * (x + 1);"},
    {"def h(e, by) = if by == 1.5 then e else e + 1; fun o(x) = h(x, 1.5) * h(x, 2.5);", "fun o(x) = x * (x + 1);"},
    // ALG.Expand.If
    {"for k in 0..2 fun g[k](x) = if k == 0 then int(in(x)) else g[k - 1](2*x) + k; fun o(x) = g[2](x);",
     "fun g_0(x) = int(in(x)); fun g_1(x) = g_0(2*x) + 1; fun g_2(x) = g_1(2*x) + 2; fun o(x) = g_2(x);"},
    {"for k in 0..1 fun g[k](x) = (if k == 0 then in else g[k - 1])(x); fun o(x) = g[1](x);",
     "fun g_0(x) = in(x); fun g_1(x) = g_0(x); fun o(x) = g_1(x);"},
    {"for k in 0..1 { if k == 0 fun g[k](x) = x; else fun g[k](x) = g[k - 1](x) + 1; } fun o(x) = g[1](x);",
     "fun g_0(x) = x; fun g_1(x) = g_0(x) + 1; fun o(x) = g_1(x);"},
    {"const BIG = 3 > 2; if BIG { const N = 7; def h(e) = e + N; } else { const N = nothing; } fun o(x) = h(x);",
     "fun o(x) = x + 7;"},
    {"if 1 > 2 { fun q(x) = nothing(x); } else if 2 > 2 fun q(x) = nothing; else { fun q(x) = x; } fun o(x) = q(x);",
     "fun q(x) = x; fun o(x) = q(x);"},
    {"if 1 > 2 fun q(x) = nothing(x); fun o(x) = x;", "fun o(x) = x;"},
    {"fun o(x) = if 2 > 0 && 2 != 1 then if false then 1 else x*2 else nothing;", "fun o(x) = x*2;"},
    {"fun o(x) = { 0; (if true then x else y) <- 1 + if 1 < 2 then 2 else 3 if if true then x > w else 0; };",
     "fun o(x) = { 0; (x) <- 1 + 2 if x > w; };"},
    {"fun o(x) = if 0 != 0 && 1/0 > 2 then 1 else x;", "fun o(x) = x;"},
    {"fun o(x) = sum(rdom(r = (0, if true then 2 else w)) in if false then nothing else r);",
     "fun o(x) = sum(rdom(r = (0, 2)) in r);"},
};

static const hy_alg *parse(hy_context *context, const char *funcs, hy_diagnostics *diagnostics) {
  char *text = hy_arena_printf(hy_context_arena(context), P("%s"), funcs);
  hy_source *source = HY_NEW(hy_context_arena(context), hy_source);
  *source = (hy_source){"test.alg", text, strlen(text)};
  return hy_parse_alg(context, source, diagnostics);
}

static void print_program(const char *funcs, hy_text *out) {
  hy_text text = {0};
  hy_text_printf(&text, P("%s"), funcs);
  test_algorithm_print(hy_text_string(&text), out);
  hy_text_free(&text);
}

START_TEST(families_are_their_members) {
  hy_text form = {0}, core = {0};
  print_program(pairs[_i].form, &form);
  print_program(pairs[_i].core, &core);
  ck_assert_str_eq(hy_text_string(&form), hy_text_string(&core));
  hy_text_free(&form);
  hy_text_free(&core);
}
END_TEST

static const struct {
  const char *funcs;
  hy_code code;
  unsigned column;
  const char *says;
} wrong[] = {
    {"def h(v, k) = v[k]; fun t(x) = (x, w); fun o(x) = h(t(x), w);", HY_E_NOT_CONSTANT, 59, "'k' of 'h' is 'w' here"},
    {"def h(v, k) = v[k]; fun t(x) = (x, w); fun o(x) = h(t(x), 2);", HY_E_TUPLE_PART, 15, "and no 'v[k]'"},
    {"def h(e, k) = if k == 0 then e else 2; fun o(x) = h(x, 1/0);", HY_E_NOT_CONSTANT, 56, "'k' of 'h' is '1/0' here"},
    {"def h(e, k) = if 1/k == 0 then e else 2; fun o(x) = h(x, 0);", HY_E_NOT_CONSTANT, 18, "has no value here"},
    {"def h(e, k) = if e == k then e else w; fun o(x) = h(x, 1);", HY_E_NOT_CONSTANT, 53, "'e' of 'h' is 'x' here"},
    {"def h(e, k) = if in(k) == k then e else w; fun o(x) = x;", HY_E_NOT_CONSTANT, 18, "'in' is an image"},
    {"def h(e, k) = if w == k then e else w; fun o(x) = x;", HY_E_NOT_CONSTANT, 18, "'w' is a parameter"},
    {"def h(e, k) = if k == 0 then e else nothing; fun o(x) = x;", HY_E_UNKNOWN_NAME, 37, "'nothing'"},
    {"def h(k, x) = g[k](x); fun g[0](x) = x; fun o(x) = h(0, x);", HY_E_DEFINED_LATER, 15,
     "'g_0' is defined only later"},
    {"fun g[0](x) = x; def h(k, x) = g[k](x); fun o(x) = h(1, x);", HY_E_FAMILY, 32, "has no such member"},
    {"fun g[0](x) = x; def h(k, x) = g[k](x); fun o(x) = h(x, x);", HY_E_NOT_CONSTANT, 54, "'k' of 'h' is 'x' here"},
    {"for in in 0..1 fun g[in](x) = x; fun o(x) = 1;", HY_E_SHADOWED, 5, "'in' is an image already"},
    {"for k in 0..w fun g[k](x) = x; fun o(x) = x;", HY_E_NOT_CONSTANT, 13, "'w' is a parameter"},
    {"const N = w; for k in 0..N fun g[k](x) = x; fun o(x) = x;", HY_E_NOT_CONSTANT, 11, "'N' stands for it here"},
    {"for k in 0..N fun g[k](x) = x; const N = 1; fun o(x) = x;", HY_E_NOT_CONSTANT, 13, "constants above"},
    {"for k in 0..1.5 fun g[k](x) = x; fun o(x) = x;", HY_E_NOT_INT, 13, "a float"},
    {"for k in 0..1/0 fun g[k](x) = x; fun o(x) = x;", HY_E_NOT_CONSTANT, 13, "'1/0' has no value here"},
    {"for k in 0..9223372036854775807 + 1 fun g[k](x) = x; fun o(x) = x;", HY_E_NOT_CONSTANT, 13, "has no value here"},
    {"for k in 0..x fun g[k](x) = x; fun o(x) = x;", HY_E_NOT_CONSTANT, 13,
     "'x' is no number that is known in the text"},
    {"for k in 0, 3 fun g[k](x) = x; fun o(x) = x;", HY_E_SYNTAX, 11, "for k in 0..7"},
    {"for k in (0, 3) fun g[k](x) = x; fun o(x) = x;", HY_E_SYNTAX, 17, "for k in 0..7"},
    {"for k in 0..2 fun g(x) = x; fun o(x) = x;", HY_E_FAMILY, 19, "write fun g[k]"},
    {"for k in 0..2 const N = k; fun o(x) = x;", HY_E_FAMILY, 21, "where only funcs do"},
    {"for k in 0..2 def h(a) = a*k; fun o(x) = x;", HY_E_FAMILY, 19, "where only funcs do"},
    {"for w in 0..2 fun g[w](x) = x; fun o(x) = x;", HY_E_SHADOWED, 5, "'w' is a parameter already"},
    {"for o in 0..2 fun g[o](x) = x; fun o(x) = x;", HY_E_SHADOWED, 5, "'o' is defined by the pipeline already"},
    {"for g in 0..2 fun g[g](x) = x; fun o(x) = x;", HY_E_SHADOWED, 5, "'g' is a family of funcs already"},
    {"for k in 0..2 for k in 0..1 fun g[k](x) = x; fun o(x) = x;", HY_E_SHADOWED, 19,
     "is the name of a 'for' around it"},
    {"for max in 0..2 fun g[max](x) = x; fun o(x) = x;", HY_E_RESERVED_WORD, 5, "cannot name what a 'for' counts"},
    {"for k in 0..2 fun g[k](k) = k; fun o(x) = x;", HY_E_SHADOWED, 24, "is the name of a 'for' around it"},
    {"for k in 0..2 fun g[k](x) = let k = 1 in k; fun o(x) = x;", HY_E_SHADOWED, 33,
     "is the name of a 'for' around it"},
    {"for k in 0..2 fun g[k](x) = sum(rdom(k = (0, 3)) in k); fun o(x) = x;", HY_E_SHADOWED, 38, "the name of a 'for'"},
    {"for k in 0..2 fun g[k](x) = { 0; rdom(k = (0, 3)) in (x) <- k; }; fun o(x) = x;", HY_E_SHADOWED, 39,
     "of a 'for'"},
    {"for k in 0..2 fun g[k - 1](x) = x; fun o(x) = x;", HY_E_FAMILY, 21, "'k - 1' is -1"},
    {"for k in 0..2 fun g[k](x) = g[k - 1](x); fun o(x) = x;", HY_E_FAMILY, 31, "if k == 0 then e else g[k - 1](x)"},
    {"for k in 0..2 fun g[0](x) = x; fun o(x) = x;", HY_E_FUNC_TWICE, 19, "'g_0' is defined twice"},
    {"fun g_1(x) = x; fun g[1](x) = x; fun o(x) = x;", HY_E_FUNC_TWICE, 21, "'g_1' is defined twice"},
    {"for k in 0..2 fun g[k](x) = x; fun o(x) = g[3](x);", HY_E_FAMILY, 43, "it has 'g[0]' to 'g[2]'"},
    {"fun g[1](x) = x; fun o(x) = g[3](x);", HY_E_FAMILY, 29, "it has 'g[1]' alone"},
    {"for k in 0..2 fun g[k](x) = x; fun o(x) = g(x);", HY_E_FAMILY, 43, "write the number of a member, g[0]"},
    {"for k in 0..2 fun g[k](x) = x; fun o(x) = g;", HY_E_FAMILY, 43, "'g' is a family of funcs"},
    {"for k in 0..2 fun g[k](x) = x; fun o(x) = g[x](0);", HY_E_NOT_CONSTANT, 45, "'x' is no number"},
    {"for k in 0..2 fun g[k](x) = x; fun o(x) = g[1];", HY_E_FUNC_AS_VALUE, 43, "write g_1(x)"},
    {"for k in 0..2 fun g[k](x) = x; fun o(x) = g[1](x, x);", HY_E_ARITY, 43, "'g_1' has 1 dimension"},
    {"fun o(x) = o[1](x);", HY_E_NOT_A_FUNC, 12, "'o[1]' is not a func"},
    {"fun o(x) = in[x];", HY_E_SYNTAX, 12, "coordinates stand in parentheses"},
    {"for k in 1..2 fun g[k](x) = if k == 2 then x else g[k + 1](x); fun o(x) = x;", HY_E_DEFINED_LATER, 51,
     "'g[k + 1]' is 'g_2', which is defined only later"},
    {"fun g[](x) = x; fun o(x) = x;", HY_E_FAMILY, 6, "1 to 8 numbers"},
    {"fun g[0, 1, 2, 3, 4, 5, 6, 7, 8](x) = x; fun o(x) = x;", HY_E_FAMILY, 6, "1 to 8 numbers"},
    {"fun o(x) = if w > 0 then x else 1;", HY_E_NOT_CONSTANT, 15, "'w' is a parameter"},
    {"fun o(x) = if x > 0 then x else 1;", HY_E_NOT_CONSTANT, 15, "'x' is no number"},
    {"fun o(x) = if 1 then x else 1;", HY_E_LITERAL_RANGE, 15, "1 is not a bool"},
    {"fun o(x) = if 1 + 1 then x else 1;", HY_E_OPERAND_TYPE, 17, "is bool"},
    {"fun o(x) = if true x else 1;", HY_E_SYNTAX, 20, "select(condition, a, b)"},
    {"fun o(x) = if true then x;", HY_E_SYNTAX, 26, "'else' after the first choice"},
    {"if w > 3 fun o(x) = x; else fun o(x) = 1;", HY_E_NOT_CONSTANT, 4, "'w' is a parameter"},
    {"const N = if true then 1 else 2; const M = if N > w then 1 else 2; fun o(x) = N;", HY_E_NOT_CONSTANT, 51, "'w'"},
    {"for k in 0..50000 fun g[k](x) = x; fun o(x) = x;", HY_E_TOO_MANY, 23, "at most 50000 funcs"},
    {"for k in 0..5000000 if false fun g[k](x) = x; fun o(x) = x;", HY_E_TOO_MANY, 13, "operations"},
    {"for i in 0..3000 for j in 0..3000 if false fun g[j](x) = x; fun o(x) = x;", HY_E_TOO_MANY, 30, "operations"},
    // told once, with the member that it is said of
    {"for k in 0..5 fun g[k](x) = nothing + k; fun o(x) = g[5](x);", HY_E_UNKNOWN_NAME, 29, "this is said of 'g_0'"},
    {"for k in 254..259 fun g[k](x) = in(x) + k; fun o(x) = g[259](x);", HY_E_LITERAL_RANGE, 41,
     "this is said of 'g_256'"},
    {"for k in 0..5 fun g[k](x) = sum(rdom(r = (0, 3)) in u8(r) + x); fun o(x) = g[5](x);", HY_E_TYPE_MISMATCH, 59,
     "this is said of 'g_0_sum'"},
};

START_TEST(wrong_families_are_refused_once) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  ck_assert(!parse(context, wrong[_i].funcs, diagnostics));
  hy_text said = {0};
  hy_diagnostics_print(diagnostics, &said);
  char place[40];
  snprintf(place, sizeof place, "test.alg:2:%u: error[HY%04d]", wrong[_i].column, (int)wrong[_i].code);
  ck_assert_msg(strstr(hy_text_string(&said), place) != NULL, "not %s but %s", place, hy_text_string(&said));
  ck_assert_msg(strstr(hy_text_string(&said), wrong[_i].says) != NULL, "%s", hy_text_string(&said));
  ck_assert_msg(hy_diagnostics_errors(diagnostics) == 1 || wrong[_i].code == HY_E_FUNC_TWICE, "%s",
                hy_text_string(&said));
  hy_text_free(&said);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

/* -- in schedules -- */

// What is written, and the chains and directives that it is.
static const struct {
  const char *written, *is;
} schedules[] = {
    {"g[3].compute_root();", "g_3.compute_root();"},
    {"for k in 1..3 g[k].parallel(y).vectorize(x, 8*k);",
     "g_1.parallel(y).vectorize(x, 8*1); "
     "g_2.parallel(y).vectorize(x, 8*2); g_3.parallel(y).vectorize(x, 8*3);"},
    {"for k in 1..0 { g[k].compute_at(g[k + 1], y); split(g[k].s1.x, xo, xi, 8); } swap(h.y);",
     "g_1.compute_at(g_2, y); split(g_1.s1.x, xo, xi, 8); g_0.compute_at(g_1, y); split(g_0.s1.x, xo, xi, 8); "
     "swap(h.y);"},
    {"for i in 0..1 for j in 0..1 g[i, j].update(if i == j then 0 else 1).parallel(y);",
     "g_0_0.update(0).parallel(y); g_0_1.update(1).parallel(y); g_1_0.update(1).parallel(y); "
     "g_1_1.update(0).parallel(y);"},
    // "if", by what is known in the text; what is not taken means nothing
    {"for k in 0..2 if k < 2 g[k].compute_at(g[k + 1], y); else g[k].parallel(y);",
     "g_0.compute_at(g_1, y); g_1.compute_at(g_2, y); g_2.parallel(y);"},
    {"for k in 0..2 { if k > 0 { g[k - 1].compute_root(); } h[k].parallel(y); }",
     "h_0.parallel(y); g_0.compute_root(); h_1.parallel(y); g_1.compute_root(); h_2.parallel(y);"},
    {"if 1 > 2 { for j in 0..w { g[j / 0].parallel(y); } } else if 2 > 1 o.parallel(y); else o.serial(y);",
     "o.parallel(y);"},
    {"if true { } else { o.parallel(y); o.serial(y); } o.vectorize(x, 8);", "o.vectorize(x, 8);"},
    {"if false for k in 0..1 if k == 0 { g[k - 1].serial(y); } else { g[k].serial(y); } o.serial(x);", "o.serial(x);"},
};

static void print_syntax(const hy_argument *argument, hy_text *out) {
  if (argument->path_count) {
    for (int i = 0; i < argument->path_count; i++) hy_text_printf(out, "%s%s", i ? "." : "", argument->path[i]);
    return;
  }
  const hy_syntax *syntax = argument->syntax;
  if (syntax->kind == HY_SYNTAX_OP)
    hy_text_printf(out, "%s*%s", syntax->args[0]->text, syntax->args[1]->text);
  else
    hy_text_add(out, syntax->text);
}

static void print_items(const hy_schedule *schedule, hy_text *out) {
  for (int i = 0; i < schedule->count; i++) {
    const hy_schedule_item *item = &schedule->items[i];
    hy_text_printf(out, "%s%s", i ? " " : "", item->func ? item->func : "");
    for (int k = 0; k < item->count; k++) {
      hy_text_printf(out, "%s%s(", item->func ? "." : "", item->calls[k].name);
      for (int a = 0; a < item->calls[k].count; a++) {
        if (a) hy_text_add(out, ", ");
        print_syntax(&item->calls[k].args[a], out);
      }
      hy_text_add(out, ")");
    }
    hy_text_add(out, ";");
  }
}

static const hy_schedule *parse_schedule(hy_context *context, const char *items, hy_diagnostics *diagnostics) {
  char *text = hy_arena_printf(hy_context_arena(context), "schedule s for p {\n%s\n}\n", items);
  hy_source *source = HY_NEW(hy_context_arena(context), hy_source);
  *source = (hy_source){"test.sched", text, strlen(text)};
  const hy_schedule *schedules_read;
  int count;
  return hy_parse_schedules(context, source, diagnostics, &schedules_read, &count) ? schedules_read : NULL;
}

// SCH.For
START_TEST(schedules_of_families) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  const hy_schedule *schedule = parse_schedule(context, schedules[_i].written, diagnostics);
  hy_text out = {0};
  ck_assert(schedule != NULL);
  print_items(schedule, &out);
  ck_assert_str_eq(hy_text_string(&out), schedules[_i].is);
  hy_text_free(&out);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

static const struct {
  const char *items;
  hy_code code;
  unsigned column;
  const char *says;
} wrong_schedules[] = {
    {"for k in 0..w g[k].compute_root();", HY_E_NOT_CONSTANT, 13, "'w' is no number"},
    {"for k in 0..3 g[k - 1].compute_root();", HY_E_FAMILY, 17, "'k - 1' is -1"},
    {"for k in 0..3 for k in 0..1 g[k].compute_root();", HY_E_SHADOWED, 19, "the name of a 'for' around it"},
    {"for k in 0..3 g[k].compute_root()", HY_E_SYNTAX, 34, "put ';'"},
    {"for k in 0..3 { g[k].compute_root();", HY_E_SYNTAX, 0, "expected '}'"},
    {"g[3](x);", HY_E_SYNTAX, 5, "'.' after the func of a chain"},
    {"g[k].compute_root();", HY_E_NOT_CONSTANT, 3, "'k' is no number"},
    {"for k in 0..1000 g[k].compute_root();", HY_E_TOO_MANY, 18, "at most 1000 directives"},
    {"if w > 3 o.parallel(y);", HY_E_NOT_CONSTANT, 4, "f.specialize(condition)"},
    {"if 1 o.parallel(y);", HY_E_LITERAL_RANGE, 4, "1 is not a bool"},
    {"if true o.parallel(y) else o.serial(y);", HY_E_SYNTAX, 23, "expected ';'"},
    {"if false { o.parallel(y);", HY_E_SYNTAX, 0, "expected '}'"},
    {"if false o.parallel(y", HY_E_SYNTAX, 0, "expected ')'"},
    {"for k in 0..9000000 { }", HY_E_TOO_MANY, 13, "operations"},
};

START_TEST(wrong_schedules_of_families_are_refused_once) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  ck_assert(!parse_schedule(context, wrong_schedules[_i].items, diagnostics));
  hy_text said = {0};
  hy_diagnostics_print(diagnostics, &said);
  char place[40];
  snprintf(place, sizeof place, ":2:%u: error[HY%04d]", wrong_schedules[_i].column, (int)wrong_schedules[_i].code);
  if (wrong_schedules[_i].column)
    ck_assert_msg(strstr(hy_text_string(&said), place) != NULL, "not %s but %s", place, hy_text_string(&said));
  ck_assert_msg(strstr(hy_text_string(&said), wrong_schedules[_i].says) != NULL, "%s", hy_text_string(&said));
  ck_assert_uint_eq(hy_diagnostics_errors(diagnostics), 1);
  hy_text_free(&said);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

Suite *semantics_families_suite(void) {
  Suite *suite = suite_create("semantics_families");
  TCase *tcase = tcase_create("families");
  tcase_add_loop_test(tcase, families_are_their_members, 0, (int)HY_COUNT(pairs));
  tcase_add_loop_test(tcase, wrong_families_are_refused_once, 0, (int)HY_COUNT(wrong));
  tcase_add_loop_test(tcase, schedules_of_families, 0, (int)HY_COUNT(schedules));
  tcase_add_loop_test(tcase, wrong_schedules_of_families_are_refused_once, 0, (int)HY_COUNT(wrong_schedules));
  suite_add_tcase(suite, tcase);
  return suite;
}
