/* Forms that stand for core expressions (ALG.Expand): each prints as the core program that its equation says, and its
 * coordinates are those of a definition that walks step by step.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "semantics/alg/expand/expand.h"
#include "semantics/semantics.h"

#include <stdio.h>
#include <string.h>

#define P(funcs) "pipeline p(in: u8[2], q: int[1], w: int, t: f32) {\n" funcs "\n}\n"
#define FUSED(contract, expression)                                                                                    \
  "pipeline p(a: f32[1], b: f64[1], w: int, t: f32) contract " contract " { fun f(x) = " expression "; }"

/* -- a form and its core -- */

static const struct {
  const char *form, *core;
} pairs[] = {
    // ALG.Expand.Box-Names, ALG.Expand.Box-Max
    {"fun f(x) = x + in.extent(1);", "fun f(x) = x + in.len(1);"},
    {"fun f(x) = x + in.max(1);", "fun f(x) = x + (in.min(1) + in.len(1) - 1);"},
    {"fun f(x) = in.width() - in.height();", "fun f(x) = in.len(0) - in.len(1);"},
    {"fun f(x) = in.left() * in.top();", "fun f(x) = in.min(0) * in.min(1);"},
    {"fun f(x) = in.right() * in.bottom();", "fun f(x) = (in.min(0) + in.len(0) - 1) * (in.min(1) + in.len(1) - 1);"},
    {"fun f(x) = { 0; rdom(r = (q.min(0), q.max(0))) in (x) <- r; };",
     "fun f(x) = { 0; rdom(r = (q.min(0), q.min(0) + q.len(0) - 1)) in (x) <- r; };"},
    // ALG.Expand.Short
    {"fun c = repeat_edge(in);", "fun c(_0, _1) = repeat_edge(in)(_0, _1);"},
    {"fun f(x) = x; fun c = repeat_edge(f, (0, 4));", "fun f(x) = x; fun c(_0) = repeat_edge(f, (0, 4))(_0);"},
    {"fun c = { repeat_edge(q); (3) <- 1; };", "fun c(_0) = { repeat_edge(q)(_0); (3) <- 1; };"},
    // ALG.Expand.Repeat-Edge
    {"fun f(x) = repeat_edge(q)(x - 1);", "fun f(x) = q(clamp(x - 1, q.min(0), q.min(0) + q.len(0) - 1));"},
    {"fun f(x) = x; fun c(x) = repeat_edge(f, (3, w))(x);", "fun f(x) = x; fun c(x) = f(clamp(x, 3, 3 + w - 1));"},
    {"fun f(x) = repeat_edge(in, (0, 4))(x, x);", "fun f(x) = in(clamp(x, 0, 3), x);"},
    {"fun f() = 1; fun c() = repeat_edge(f)();", "fun f() = 1; fun c() = f();"},
    // ALG.Expand.Constant-Exterior
    {"fun f(x) = constant_exterior(q, 7)(x);",
     "fun f(x) = select(x < q.min(0) || x >= q.min(0) + q.len(0), 7, q(clamp(x, q.min(0), q.min(0) + q.len(0) - 1)));"},
    {"fun f(x) = constant_exterior(in, u8(w), (0, 4), (1, 2))(x, x);",
     "fun f(x) = select(x < 0 || x >= 4 || (x < 1 || x >= 3), u8(w), in(clamp(x, 0, 3), clamp(x, 1, 2)));"},
    // ALG.Expand.Repeat-Image
    {"fun f(x) = repeat_image(q)(x);",
     "fun f(x) = q(clamp((x - q.min(0)) % max(q.len(0), 1) + q.min(0), q.min(0), q.min(0) + q.len(0) - 1));"},
    {"fun f(x) = repeat_image(q, (2, 5))(x);", "fun f(x) = q(clamp((x - 2) % 5 + 2, 2, 6));"},
    // ALG.Expand.Mirror-Image
    {"fun f(x) = mirror_image(q, (2, 5))(x);", "fun f(x) = q(clamp(min((x - 2) % 10, 9 - (x - 2) % 10) + 2, 2, 6));"},
    // ALG.Expand.Mirror-Interior
    {"fun f(x) = mirror_interior(q, (2, 5))(x);", "fun f(x) = q(clamp(min((x - 2) % 8, 8 - (x - 2) % 8) + 2, 2, 6));"},
    // ALG.Expand.Boundary-Tuple
    {"fun g(x) = (x, t); fun c = repeat_edge(g, (0, 4)); fun o(x) = c(x)[0] + c(x - 1)[0];",
     "fun g(x) = (x, t); fun c(_0) = (g(clamp(_0, 0, 3))[0], g(clamp(_0, 0, 3))[1]); fun o(x) = c(x)[0] + c(x - "
     "1)[0];"},
    {"fun g(x, y) = (x, t); fun c = constant_exterior(g, (7, 0.5), (0, 4)); fun o(x) = c(x, 2)[1];",
     "fun g(x, y) = (x, t); fun c(_0, _1) = (select(_0 < 0 || _0 >= 4, 7, g(clamp(_0, 0, 3), _1)[0]), select(_0 < 0 || "
     "_0 "
     ">= 4, 0.5, g(clamp(_0, 0, 3), _1)[1])); fun o(x) = c(x, 2)[1];"},
    {"fun g(x) = (x, t); fun o(x) = repeat_image(g, (2, 5))(x - 1);",
     "fun g(x) = (x, t); fun o(x) = (g(clamp((x - 1 - 2) % 5 + 2, 2, 6))[0], g(clamp((x - 1 - 2) % 5 + 2, 2, 6))[1]);"},
    {"fun g(x) = (x, t); fun o(x) = mirror_image(g, (2, 5))(x)[0];",
     "fun g(x) = (x, t); fun o(x) = g(clamp(min((x - 2) % 10, 9 - (x - 2) % 10) + 2, 2, 6))[0];"},
    {"fun g(x) = (x, t); fun o(x) = let v = mirror_interior(g, (2, 5))(x) in select(x > w, v, constant_exterior(g, "
     "g(0), "
     "(0, 4))(x))[1];",
     "fun g(x) = (x, t); fun o(x) = select(x > w, g(clamp(min((x - 2) % 8, 8 - (x - 2) % 8) + 2, 2, 6))[1], select(x < "
     "0 || "
     "x >= 4, g(0)[1], g(clamp(x, 0, 3))[1]));"},
    {"fun g(x) = (x, t); fun c = { repeat_edge(g, (0, 4)); (3) <- (1, t); }; fun d = repeat_edge(c, (0, 2));",
     "fun g(x) = (x, t); fun c(_0) = { (g(clamp(_0, 0, 3))[0], g(clamp(_0, 0, 3))[1]); (3) <- (1, t); };"
     "fun d(_0) = (c(clamp(_0, 0, 1))[0], c(clamp(_0, 0, 1))[1]);"},
    {"def at(f, x) = repeat_edge(f, (0, w))(x); fun g(x) = (x, t); fun o(x) = at(g, x + 1);",
     "fun g(x) = (x, t); fun o(x) = (g(clamp(x + 1, 0, w - 1))[0], g(clamp(x + 1, 0, w - 1))[1]);"},
    // ALG.Expand.Const
    {"const N = 16; const M = 2*N + w; fun f(x) = M / N;", "fun f(x) = (2*16 + w) / 16;"},
    {"const N = 16; fun f(x) = q(N) + N; fun g(x) = u8(x) + N;", "fun f(x) = q(16) + 16; fun g(x) = u8(x) + 16;"},
    {"const N = 3; fun f(x) = { N; rdom(r = (-N, in.max(0))) in (x) <- f(x) * N; };",
     "fun f(x) = { 3; rdom(r = (-(3), in.max(0))) in (x) <- f(x) * 3; };"},
    {"const M = let y = 2 in y*y; fun f(y) = M + y;", "fun f(y) = 2*2 + y;"}, // names inside are its own
    {"const BIG = 18446744073709551615; fun f(x) = u64(x) + BIG;",
     "fun f(x) = u64(x) + u64(18446744073709551615);"},           // a literal has no type of its own
    {"fun f(x) = x; const x = 3; const M = x;", "fun f(x) = x;"}, // variables are names in their func alone
    {"fun f(x) = x; const BRIGHT = t > 0.5; fun g(x) = select(BRIGHT, f(x), 0);",
     "fun f(x) = x; fun g(x) = select(t > 0.5, f(x), 0);"},
    // ALG.Expand.Def
    {"def twice(a) = 2*a; fun f(x) = twice(x + 1);", "fun f(x) = 2*(x + 1);"},
    {"def bright(a) = a + 10; fun f(x) = bright(q(x)); fun g(x) = bright(u8(x)); fun h(x) = bright(t);",
     "fun f(x) = q(x) + 10; fun g(x) = u8(x) + 10; fun h(x) = t + 10.0;"}, // a literal takes the type of each call
    // ALG.Expand.Def-Func: the argument is a helper
    {"def apply2(h, x) = h(h(x)); def sq(x) = x*x; fun f(x) = apply2(sq, x + 1);",
     "fun f(x) = (x + 1)*(x + 1)*((x + 1)*(x + 1));"},
    {"def h(a) = a(1); def i(b) = h(b); def j(c) = c; fun f(x) = i(j) + x;", "fun f(x) = 1 + x;"},
    {"def sq(x) = x*x; def both(h, g, x) = h(g(x)) - g(h(x)); def half(x) = x/2; fun f(x) = both(sq, half, x);",
     "fun f(x) = x/2*(x/2) - x*x/2;"},
    {"def twice(h, x) = h(h(x)); def next(x) = x + 1; def by2(x) = twice(next, x); fun f(x) = twice(by2, x);",
     "fun f(x) = x + 1 + 1 + 1 + 1;"},
    {"def twice(h, v) = h(h(v)); def turn(v) = (v[1], 2*v[0]); fun f(x) = twice(turn, (x, w))[1];", "fun f(x) = 2*w;"},
    {"def fold(op, g, x) = op(op(g(x), g(x + 1)), g(x + 2)); def more(a, b) = max(a, b); fun f(x) = fold(more, q, x);",
     "fun f(x) = max(max(q(x), q(x + 1)), q(x + 2));"},
    {"def at(g, k, v) = g(v, k); def part(v, k) = v[k]; fun f(x) = at(part, 1, (x, w));", "fun f(x) = w;"},
    // an argument may be called as anything above, and means the argument
    {"fun c(x) = x + 1; def second(c, w) = c - w*3; fun f(x) = second(c(x), 3) + second(w, x);",
     "fun c(x) = x + 1; fun f(x) = c(x) - 3*3 + (w - x*3);"},
    {"const K = 7; def by(K, in) = K*in + (if K == 2 then 1 else w); fun f(x) = by(2, x) + by(K, 1);",
     "fun f(x) = 2*x + 1 + (7*1 + w);"},
    {"fun c(x) = x + 1; def at(q, c) = int(q(c, c) + q(0, 0)) + q.len(0); fun f(x) = at(in, c(x));",
     "fun c(x) = x + 1; fun f(x) = int(in(c(x), c(x)) + in(0, 0)) + in.len(0);"},
    {"def twice(e) = 2*e; def once(twice, x) = twice(x) + twice(x + 1); def self(self) = self + 1;"
     "fun c(x) = x; fun f(x) = once(c, twice(x)) + self(x);",
     "fun c(x) = x; fun f(x) = c(2*x) + c(2*x + 1) + (x + 1);"},
    {"for k in 0..1 fun g[k](x) = (x, k); def part(g, k) = g[k] + g[1 - k]; fun f(x) = part(g[1](x), 0);",
     "fun g_0(x) = (x, 0); fun g_1(x) = (x, 1); fun f(x) = g_1(x)[0] + g_1(x)[1];"},
    {"def less(a, b) = a - b; fun f(a, b) = less(b, a);", "fun f(a, b) = b - a;"}, // all at once: nothing is captured
    {"def sq(a) = let m = a + 1 in m*m; fun f(x) = let u = x in sq(u);", "fun f(x) = (x + 1)*(x + 1);"},
    {"def sq(a) = let y = a + 1 in y*y; fun f(y) = let v = y in sq(v + y);", "fun f(y) = (y + y + 1)*(y + y + 1);"},
    {"const N = 3; def near(a) = q(a - N) + q(a + N); fun f(x) = near(x); fun g(x) = near(near(x));",
     "fun f(x) = q(x - 3) + q(x + 3); fun g(x) = q(q(x - 3) + q(x + 3) - 3) + q(q(x - 3) + q(x + 3) + 3);"},
    {"fun g(x) = x*x; def at(a) = g(a); def both(a, b) = at(a) + at(b); fun f(x) = both(x, 1);",
     "fun g(x) = x*x; fun f(x) = g(x) + g(1);"},
    {"def one() = 1; fun f(x) = { 0; rdom(r = (one(), one())) in (one()) <- f(one()) + r if one() > r; };",
     "fun f(x) = { 0; rdom(r = (1, 1)) in (1) <- f(1) + r if 1 > r; };"},
    {"def first(a, b) = a; fun f(x) = first(x, w > 0);", "fun f(x) = x;"},
    {"def id(a) = a; fun f(x) = u8(x) + id(200);", "fun f(x) = u8(x) + 200;"},
    {"def later(a) = let g = a in g; fun g(x) = x; fun f(x) = later(g(x));", "fun g(x) = x; fun f(x) = g(x);"},
    {"def repeat_edge(a) = a; fun f(x) = repeat_edge(x);", "fun f(x) = x;"},
    // ALG.Expand.Def: tuples
    {"def turn(a) = (a[1], a[0]); fun g(x) = (x, t); fun f(x) = turn(g(x));",
     "fun g(x) = (x, t); fun f(x) = (g(x)[1], g(x)[0]);"},
    {"def turn(a) = (a[1], a[0]); fun f(x) = turn(turn((1, x)))[1] + turn((2, x))[0];", "fun f(x) = x + x;"},
    {"def mul(a, b) = (a[0]*b[0] - a[1]*b[1], a[0]*b[1] + a[1]*b[0]); fun f(x) = let v = mul((x, 1), (2, w)) in "
     "(v[1], mul(v, v)[0]);",
     "fun f(x) = (x*w + 1*2, (x*2 - 1*w)*(x*2 - 1*w) - (x*w + 1*2)*(x*w + 1*2));"},
    {"def part(a, k) = a[k]; fun g(x) = (x, t); fun f(x) = part(g(x), 1) + part((t, x), 0);",
     "fun g(x) = (x, t); fun f(x) = g(x)[1] + t;"},
    {"fun g(x) = (x, t); def both(x) = g(x); def pick(c, a, b) = select(c, a, b); fun f(x) = pick(x > 0, both(x), (1, "
     "t));",
     "fun g(x) = (x, t); fun f(x) = (select(x > 0, g(x)[0], 1), select(x > 0, g(x)[1], t));"},
    {"def turn(a) = (a[1], a[0]); fun f(x) = { (x, 2); rdom(r = (0, 4)) in (x) <- turn((f(x)[0], r)) if turn((r, "
     "w))[0] > 0; };",
     "fun f(x) = { (x, 2); rdom(r = (0, 4)) in (x) <- (r, f(x)[0]) if w > 0; };"},
    {"def near(a) = (a, a + 1); fun f(x) = let a = 5 in near(a + x)[1];", "fun f(x) = 5 + x + 1;"},
    // ALG.Expand.Def-Func
    {"def mean(f, x) = (f(x - 1) + f(x + 1))/2; fun g(x) = x*x; fun o(x) = mean(g, x) + mean(q, x + w);",
     "fun g(x) = x*x; fun o(x) = (g(x - 1) + g(x + 1))/2 + (q(x + w - 1) + q(x + w + 1))/2;"},
    {"def apart(f, g, x) = f(x) - g(x); fun a(x) = x; fun f(x) = 2*x; fun g(x) = apart(f, a, x);",
     "fun a(x) = x; fun f(x) = 2*x; fun g(x) = f(x) - a(x);"},
    {"def at(f, x) = f(x, x); fun o(x) = at(repeat_edge(in), x) + at(constant_exterior(in, 7, (0, w)), x);",
     "fun o(x) = repeat_edge(in)(x, x) + constant_exterior(in, 7, (0, w))(x, x);"},
    {"def inside(f, x) = mirror_image(f, (0, w))(x); fun g(x) = x; fun o(x) = inside(g, x) + inside((q), x);",
     "fun g(x) = x; fun o(x) = mirror_image(g, (0, w))(x) + mirror_image(q, (0, w))(x);"},
    {"def last(f, d) = f.max(d) - f.left(); def width(f) = last(f, 0) + 1; fun o(x) = width(in) + last(q, 0);",
     "fun o(x) = in.max(0) - in.left() + 1 + (q.max(0) - q.left());"},
    {"def first(f, x) = f(x)[0]; fun g(x) = (x, t); fun o(x) = first(g, x + 1);",
     "fun g(x) = (x, t); fun o(x) = g(x + 1)[0];"},
    {"def step(f, x) = f(x) + 1; fun o(x) = { 0; (x) <- step(o, x); };", "fun o(x) = { 0; (x) <- o(x) + 1; };"},
    // ALG.Expand.Def-Reduction
    {"def box(f, x, n) = sum(rdom(r = (0, n)) in f(x + r)); fun o(x) = box(q, x, 3) - box(q, 2*x, w);",
     "fun o_box(x) = { 0; rdom(r = (0, 3)) in (x) <- o_box(x) + q(x + r); };"
     "fun o_box_2(x) = { 0; rdom(r = (0, w)) in (x) <- o_box_2(x) + q(2*x + r); }; fun o(x) = o_box(x) - o_box_2(x);"},
    {"def box(f, x) = sum(rdom(r = (0, 3)) in f(x + r)); fun o_box(r) = r; fun o(r) = box(q, r) + o_box(r);",
     "fun o_box(r) = r; fun o_box_2(r) = { 0; rdom(r_2 = (0, 3)) in (r) <- o_box_2(r) + q(r + r_2); };"
     "fun o(r) = o_box_2(r) + o_box(r);"},
    {"def box(f, x) = sum(rdom(r = (0, 3)) in f(x + r)); fun r(x) = let r_2 = x in box(q, r_2);",
     "fun r_box(x) = { 0; rdom(r_3 = (0, 3)) in (x) <- r_box(x) + q(x + r_3); }; fun r(x) = r_box(x);"},
    {"def box(f, x) = sum(rdom(r = (0, 3)) in f(x + r)); def wide(f, x) = sum(rdom(r = (0, 2)) in box(f, x + r)); "
     "fun o(x) = wide(q, x);",
     "fun o_box(x, r) = { 0; rdom(r_2 = (0, 3)) in (x, r) <- o_box(x, r) + q(x + r + r_2); };"
     "fun o_wide(x) = { 0; rdom(r = (0, 2)) in (x) <- o_wide(x) + o_box(x, r); }; fun o(x) = o_wide(x);"},
    {"def most(f, x) = product high(rdom(r = (0, 3)) in f(x + r)); fun o(x) = most(q, x) + most(q, 0);",
     "fun o_high(x) = { 1; rdom(r = (0, 3)) in (x) <- o_high(x)*q(x + r); };"
     "fun o_high_2() = { 1; rdom(r = (0, 3)) in () <- o_high_2()*q(0 + r); }; fun o(x) = o_high(x) + o_high_2();"},
    {"def best(f, x) = argmax(rdom(r = (0, 3)) in f(x + r)); fun b(x) = best(q, x); fun o(x) = best(q, x)[0];",
     "fun b_best(x) = { (0, -9223372036854775808); rdom(r = (0, 3)) in (x) <- (r, q(x + r)) if q(x + r) > "
     "b_best(x)[1]; };"
     "fun b(x) = (b_best(x)[0], b_best(x)[1]);"
     "fun o_best(x) = { (0, -9223372036854775808); rdom(r = (0, 3)) in (x) <- (r, q(x + r)) if q(x + r) > "
     "o_best(x)[1]; };"
     "fun o(x) = o_best(x)[0];"},
    {"def both(f, x) = let s = sum(rdom(r = (0, 3)) in f(x + r)) in (s, s*s); fun o(x) = both(q, x);",
     "fun o_both(x) = { 0; rdom(r = (0, 3)) in (x) <- o_both(x) + q(x + r); };"
     "fun o(x) = (o_both(x), o_both(x)*o_both(x));"},
    {"def all() = sum(rdom(r = (0, 3)) in r); fun o(x) = all();",
     "fun o_all() = { 0; rdom(r = (0, 3)) in () <- o_all() + r; }; fun o(x) = o_all();"},
    // ALG.Expand.Reduction
    {"fun f(x) = sum(rdom(r = (-1, 3)) in q(x + r));",
     "fun f_sum(x) = { 0; rdom(r = (-1, 3)) in (x) <- f_sum(x) + q(x + r); }; fun f(x) = f_sum(x);"},
    {"fun f(x) = product(rdom(r = (0, w)) in f32(r)) * t;",
     "fun f_product() = { 1; rdom(r = (0, w)) in () <- f_product() * f32(r); }; fun f(x) = f_product() * t;"},
    {"fun f(x) = minimum(rdom(r = (0, w)) in u8(r));",
     "fun f_minimum() = { 255; rdom(r = (0, w)) in () <- min(f_minimum(), u8(r)); }; fun f(x) = f_minimum();"},
    {"fun f(x) = maximum(rdom(r = (0, w)) in i8(r));",
     "fun f_maximum() = { -128; rdom(r = (0, w)) in () <- max(f_maximum(), i8(r)); }; fun f(x) = f_maximum();"},
    {"fun f(x) = minimum m(rdom(r = (0, w)) in u64(r)) + maximum n(rdom(r = (0, w)) in u64(r));",
     "fun m() = { 18446744073709551615; rdom(r = (0, w)) in () <- min(m(), u64(r)); };"
     "fun n() = { 0; rdom(r = (0, w)) in () <- max(n(), u64(r)); }; fun f(x) = m() + n();"},
    {"fun f(x) = minimum m(rdom(r = (0, w)) in r) + maximum n(rdom(r = (0, w)) in r);",
     "fun m() = { 9223372036854775807; rdom(r = (0, w)) in () <- min(m(), r); };"
     "fun n() = { -9223372036854775808; rdom(r = (0, w)) in () <- max(n(), r); }; fun f(x) = m() + n();"},
    {"fun f(x) = minimum m(rdom(r = (0, w)) in t) + maximum n(rdom(r = (0, w)) in t);",
     "fun m() = { 1.0/0.0; rdom(r = (0, w)) in () <- min(m(), t); };"
     "fun n() = { -1.0/0.0; rdom(r = (0, w)) in () <- max(n(), t); }; fun f(x) = m() + n();"},
    {"fun f(x, y) = sum(rdom(r = (0, 2), s = (0, 3)) in in(x + r, y + s) if r != s);",
     "fun f_sum(x, y) = { 0; rdom(r = (0, 2), s = (0, 3)) in (x, y) <- f_sum(x, y) + in(x + r, y + s) if r != s; };"
     "fun f(x, y) = f_sum(x, y);"},
    {"fun f(x, y) = sum s(rdom(r = (0, 2)) in in(y, r));",
     "fun s(y) = { 0; rdom(r = (0, 2)) in (y) <- s(y) + in(y, r); }; fun f(x, y) = s(y);"}, // only what it mentions
    {"fun f(x) = sum(rdom(r = (0, 2)) in sum(rdom(s = (0, 3)) in q(x + r + s)) + 1);",
     "fun f_sum_2(x, r) = { 0; rdom(s = (0, 3)) in (x, r) <- f_sum_2(x, r) + q(x + r + s); };"
     "fun f_sum(x) = { 0; rdom(r = (0, 2)) in (x) <- f_sum(x) + (f_sum_2(x, r) + 1); }; fun f(x) = f_sum(x);"},
    {"fun f(x) = { 0; rdom(r = (0, 2)) in (sum(rdom(s = (0, 3)) in s)) <- sum(rdom(s = (0, 3)) in q(r + s)) if r < sum("
     "rdom(s = (0, 4)) in s); };",
     "fun f_sum() = { 0; rdom(s = (0, 3)) in () <- f_sum() + s; };"
     "fun f_sum_2(r) = { 0; rdom(s = (0, 3)) in (r) <- f_sum_2(r) + q(r + s); };"
     "fun f_sum_3() = { 0; rdom(s = (0, 4)) in () <- f_sum_3() + s; };"
     "fun f(x) = { 0; rdom(r = (0, 2)) in (f_sum()) <- f_sum_2(r) if r < f_sum_3(); };"},
    {"fun f(x) = let a = x + 1 in let b = 7 in let c = a * 2 in sum(rdom(r = (0, b)) in q(c + r)) + a;",
     "fun f_sum(x) = { 0; rdom(r = (0, 7)) in (x) <- f_sum(x) + q((x + 1)*2 + r); }; fun f(x) = f_sum(x) + (x + 1);"},
    {"const N = 3; def g(a) = q(a) + N; fun f(x) = g(sum(rdom(r = (0, N)) in g(x + r)));",
     "fun f_sum(x) = { 0; rdom(r = (0, 3)) in (x) <- f_sum(x) + (q(x + r) + 3); }; fun f(x) = q(f_sum(x)) + 3;"},
    {"fun g(x) = x; const N = 3; fun f(x) = sum(rdom(r = (0, N)) in r); const M = 2*N; fun h(x) = f(M) + "
     "product(rdom(r ="
     " (0, M)) in r);",
     "fun g(x) = x; fun f_sum() = { 0; rdom(r = (0, 3)) in () <- f_sum() + r; }; fun f(x) = f_sum();"
     "fun h_product() = { 1; rdom(r = (0, 2*3)) in () <- h_product() * r; }; fun h(x) = f(2*3) + h_product();"},
    // ALG.Expand.Arg
    {"fun f(x) = argmin(rdom(r = (0, 3)) in q(x + r))[0];",
     "fun f_argmin(x) = { (0, 9223372036854775807); rdom(r = (0, 3)) in (x) <- (r, q(x + r)) if q(x + r) < "
     "f_argmin(x)[1]; }; fun f(x) = f_argmin(x)[0];"},
    {"fun f(x, y) = argmax best(rdom(r = (0, 2), s = (0, 3)) in in(x + r, y + s) if r != s)[2];",
     "fun best(x, y) = { (0, 0, 0); rdom(r = (0, 2), s = (0, 3)) in (x, y) <- (r, s, in(x + r, y + s)) if r != s && "
     "in(x + r, y + s) > best(x, y)[2]; }; fun f(x, y) = best(x, y)[2];"},
    {"fun g(x) = argmin(rdom(r = (0, 3)) in t * f32(x + r)); fun f(x) = g(x)[1];",
     "fun g_argmin(x) = { (0, 1.0/0.0); rdom(r = (0, 3)) in (x) <- (r, t * f32(x + r)) if t * f32(x + r) < "
     "g_argmin(x)[1]; }; fun g(x) = (g_argmin(x)[0], g_argmin(x)[1]); fun f(x) = g(x)[1];"},
    {"fun f(x) = let b = argmax(rdom(r = (0, 3)) in q(r)) in b[0] * b[1] + sum(rdom(s = (0, 2)) in q(s) * b[1]);",
     "fun f_argmax() = { (0, -9223372036854775808); rdom(r = (0, 3)) in () <- (r, q(r)) if q(r) > f_argmax()[1]; };"
     "fun f_sum() = { 0; rdom(s = (0, 2)) in () <- f_sum() + q(s) * f_argmax()[1]; };"
     "fun f(x) = f_argmax()[0] * f_argmax()[1] + f_sum();"},
    {"fun g(x) = let b = argmax(rdom(r = (0, 3)) in q(r)) in b; fun f(x) = g(x)[0];",
     "fun g_argmax() = { (0, -9223372036854775808); rdom(r = (0, 3)) in () <- (r, q(r)) if q(r) > g_argmax()[1]; };"
     "fun g(x) = (g_argmax()[0], g_argmax()[1]); fun f(x) = g(x)[0];"},
    {"fun f(x) = argmin(rdom(r = (0, 2)) in argmax(rdom(s = (0, 2)) in q(r + s))[1])[0];",
     "fun f_argmax(r) = { (0, -9223372036854775808); rdom(s = (0, 2)) in (r) <- (s, q(r + s)) if q(r + s) > "
     "f_argmax(r)[1]; }; fun f_argmin() = { (0, 9223372036854775807); rdom(r = (0, 2)) in () <- (r, f_argmax(r)[1]) if "
     "f_argmax(r)[1] < f_argmin()[1]; }; fun f(x) = f_argmin()[0];"},
    {"fun f(x) = argmin(rdom(r = (0, 3)) in q(x + r) < 9)[0];",
     "fun f_argmin(x) = { (0, true); rdom(r = (0, 3)) in (x) <- (r, q(x + r) < 9) if !(q(x + r) < 9) && "
     "f_argmin(x)[1]; }; fun f(x) = f_argmin(x)[0];"},
    {"def any(e) = argmax(rdom(r = (0, 3)) in e)[1]; fun f(x) = select(any(q(x) < 9), 1, 0);",
     "fun f_any(x) = { (0, false); rdom(r = (0, 3)) in (x) <- (r, q(x) < 9) if q(x) < 9 && !f_any(x)[1]; }; "
     "fun f(x) = select(f_any(x)[1], 1, 0);"},
    {"fun f_sum(x) = x; fun f(x) = sum(rdom(r = (0, 3)) in r) + f_sum(x);",
     "fun f_sum(x) = x; fun f_sum_2() = { 0; rdom(r = (0, 3)) in () <- f_sum_2() + r; }; fun f(x) = f_sum_2() + "
     "f_sum(x);"},
    {"fun sum(x) = x; fun f(x) = sum(x) + sum(rdom(r = (0, 3)) in r);",
     "fun sum(x) = x; fun f_sum() = { 0; rdom(r = (0, 3)) in () <- f_sum() + r; }; fun f(x) = sum(x) + f_sum();"},
    // ALG.Expand.Derived
    {"fun f(x) = absd(in(x, 0), 7);", "fun f(x) = u8(max(in(x, 0), 7)) - u8(min(in(x, 0), 7));"},
    {"fun f(x) = absd(3, i8(x));", "fun f(x) = u8(max(3, i8(x))) - u8(min(3, i8(x)));"},
    {"fun f(x) = widening_add(in(x, 0), in(0, x));", "fun f(x) = u16(in(x, 0)) + u16(in(0, x));"},
    {"fun f(x) = widening_sub(in(x, 0), in(0, x));", "fun f(x) = i16(in(x, 0)) - i16(in(0, x));"},
    {"fun f(x) = widening_mul(i16(x), i16(w));", "fun f(x) = i32(i16(x)) * i32(i16(w));"},
    {"fun f(x) = saturating_sum(rdom(r = (0, 3)) in u8(q(x + r)));",
     "fun f_saturating_sum(x) = { 0; rdom(r = (0, 3)) in (x) <- u8(min(u16(f_saturating_sum(x)) + u16(u8(q(x + r))), "
     "255)); }; fun f(x) = f_saturating_sum(x);"},
    {"fun saturating_add(x) = u8(x); fun f(x) = saturating_sum(rdom(r = (0, 3)) in u8(r)) + saturating_add(x);",
     "fun saturating_add(x) = u8(x); fun f_saturating_sum() = { 0; rdom(r = (0, 3)) in () <- "
     "u8(min(u16(f_saturating_sum()) + u16(u8(r)), 255)); }; fun f(x) = f_saturating_sum() + saturating_add(x);"},
    {"fun f(x) = widen_right_sub(i16(x), i8(w));", "fun f(x) = i16(x) - i16(i8(w));"},
    {"def wide(a, b) = widen_right_mul(a, b); fun f(x) = wide(3, u8(w)) + wide(u16(x), u8(x));",
     "fun f(x) = 3*u16(u8(w)) + u16(x)*u16(u8(x));"},
    {"fun f(x) = concat_bits(u8(x), u8(w));", "fun f(x) = u16(u8(w)) << 8 | u16(u8(x));"},
    {"fun f(x) = concat_bits(u8(x), u8(1), 2, 3);",
     "fun f(x) = u32(u16(u8(3)) << 8 | u16(u8(2))) << 16 | u32(u16(u8(1)) << 8 | u16(u8(x)));"},
    {"fun f(x) = extract_bits_u8(i16(w), x);",
     "fun f(x) = u8(u16(i16(w)) >> u16(max(min(x, 16), 0)) << u16(0 - min(max(x, -16), 0)));"},
    {"fun f(x) = saturating_add(in(x, 0), in(0, x));", "fun f(x) = u8(min(u16(in(x, 0)) + u16(in(0, x)), 255));"},
    {"fun f(x) = saturating_sub(in(x, 0), in(0, x));",
     "fun f(x) = u8(max(min(i16(in(x, 0)) - i16(in(0, x)), 255), 0));"},
    {"fun f(x) = mul_shift_right(i16(x), i16(w), 15);",
     "fun f(x) = i16(max(min(i32(i16(x)) * i32(i16(w)) >> i32(i16(15)), 32767), -32768));"},
    {"fun f(x) = rounding_halving_add(in(x, 0), in(0, x));",
     "fun f(x) = (in(x, 0) | in(0, x)) - ((in(x, 0) ^ in(0, x)) >> 1);"},
    {"def mean(a, b) = rounding_halving_add(a, b); def far(a, b) = absd(a, b) > 9; fun f(x) = mean(u8(x), 3);"
     "fun g(x) = far(i16(x), 5);",
     "fun f(x) = (u8(x) | 3) - ((u8(x) ^ 3) >> 1); fun g(x) = u16(max(i16(x), 5)) - u16(min(i16(x), 5)) > 9;"},
    {"fun f(x) = { 0; (x) <- saturating_add(f(x), u8(x)); };",
     "fun f(x) = { 0; (x) <- u8(min(u16(f(x)) + u16(u8(x)), 255)); };"},
    {"fun f(x) = u8_sat(x);", "fun f(x) = u8(max(min(x, 255), 0));"},
    {"fun f(x) = i8_sat(in(x, 0));", "fun f(x) = i8(min(in(x, 0), 127));"},
    {"fun f(x) = u16_sat(i8(x)) + u16_sat(in(x, 0));", "fun f(x) = u16(max(i8(x), 0)) + u16(in(x, 0));"},
    {"fun f(x) = i32_sat(t) + i32_sat(300);", "fun f(x) = i32(t) + i32(max(min(300, 2147483647), -2147483648));"},
    {"fun f(x) = i64_sat(u64(x)) + i64_sat(x);", "fun f(x) = i64(min(u64(x), 9223372036854775807)) + i64(x);"},
    {"def bytes(a) = u8_sat(a); fun f(x) = bytes(x) + bytes(t);", "fun f(x) = u8(max(min(x, 255), 0)) + u8(t);"},
    {"fun u8_sat(x) = x; fun f(x) = u8_sat(x);", "fun u8_sat(x) = x; fun f(x) = u8_sat(x);"},
    {"fun absd(x) = x; fun f(x) = absd(x);", "fun absd(x) = x; fun f(x) = absd(x);"},
    // a name that is declared is that name, as before there were such forms
    {"fun repeat_edge(x) = x; fun g(x) = repeat_edge(x);", "fun repeat_edge(x) = x; fun g(x) = repeat_edge(x);"},
};

static void print_program(const char *funcs, hy_text *out) {
  hy_text text = {0};
  hy_text_printf(&text, P("%s"), funcs);
  test_algorithm_print(hy_text_string(&text), out);
  hy_text_free(&text);
}

START_TEST(forms_are_their_core) {
  hy_text form = {0}, core = {0};
  print_program(pairs[_i].form, &form);
  print_program(pairs[_i].core, &core);
  ck_assert_str_eq(hy_text_string(&form), hy_text_string(&core));
  hy_text_free(&form);
  hy_text_free(&core);
}
END_TEST

/* -- the contract on floats (ALG.Expand.Contract) -- */

static const struct {
  const char *fused, *core;
} contracts[] = {
    {FUSED("fma", "a(x)*t + 1.0"), "fma(a(x), t, 1.0)"},
    {FUSED("fma", "1.0 + a(x)*t"), "fma(a(x), t, 1.0)"},
    {FUSED("fma", "a(x)*t - a(1)"), "fma(a(x), t, -a(1))"},
    {FUSED("fma", "a(1) - a(x)*t"), "fma(-a(x), t, a(1))"},
    {FUSED("fma", "a(x)*t + a(1)*a(2)"), "fma(a(x), t, a(1)*a(2))"}, // the left one of two
    {FUSED("fma", "a(x)*t - a(1)*a(2)"), "fma(a(x), t, -(a(1)*a(2)))"},
    {FUSED("fma", "a(x)*t + a(1)*t + a(2)*t"), "fma(a(2), t, fma(a(x), t, a(1)*t))"},
    {FUSED("fma", "b(x)*b(1) + 0.5"), "fma(b(x), b(1), 0.5)"},
    {FUSED("fma", "let p = a(x)*t in p + a(1)"), "fma(a(x), t, a(1))"},
    {FUSED("fma", "-(a(x)*t) + a(1)"), "-(a(x)*t) + a(1)"}, // no product
    {FUSED("fma", "a(x)*t*a(1)"), "a(x)*t*a(1)"},
    {FUSED("fma", "max(a(x)*t, a(1)) + a(2)"), "max(a(x)*t, a(1)) + a(2)"},
    {FUSED("fma", "x*w + x"), "x*w + x"}, // no floats
    {FUSED("exact", "a(x)*t + a(1)"), "a(x)*t + a(1)"},
};

START_TEST(products_in_sums_are_fused) {
  hy_text program = {0}, core = {0}, fused = {0};
  hy_text_printf(&program, "pipeline p(a: f32[1], b: f64[1], w: int, t: f32) { fun f(x) = %s; }", contracts[_i].core);
  test_algorithm_print(contracts[_i].fused, &fused);
  test_algorithm_print(hy_text_string(&program), &core);
  ck_assert_str_eq(hy_text_string(&fused), hy_text_string(&core));
  hy_text_free(&program);
  hy_text_free(&core);
  hy_text_free(&fused);
}
END_TEST

/* -- boundary conditions, step by step -- */

typedef struct {
  const hy_var *x, *min, *len;
  int64_t x_is, min_is, len_is;
} point;

static hy_value evaluate(const hy_expr *expr, const point *p) {
  hy_value args[HY_MAX_ARITY];
  if (expr->kind == HY_EXPR_CONST) return expr->value;
  if (expr->kind == HY_EXPR_VAR)
    return hy_value_integral(HY_INT, expr->var == p->x ? p->x_is : expr->var == p->min ? p->min_is : p->len_is);
  ck_assert(expr->kind == HY_EXPR_OP);
  for (int i = 0; i < expr->count; i++) args[i] = evaluate(expr->args[i], p);
  return hy_value_apply(expr->op, expr->type, args);
}

// Where Halide's documentation of each says that the element comes from: one step at a time, until it lies inside.
static int64_t walk(hy_boundary boundary, int64_t x, int64_t min, int64_t len) {
  int64_t last = min + len - 1;
  while (x < min || x > last) {
    bool below = x < min;
    switch (boundary) {
    case HY_BOUNDARY_REPEAT_EDGE:
    case HY_BOUNDARY_CONSTANT_EXTERIOR: x = below ? min : last; break;
    case HY_BOUNDARY_REPEAT_IMAGE: x += below ? len : -len; break;
    case HY_BOUNDARY_MIRROR_IMAGE: x = below ? 2 * min - 1 - x : 2 * last + 1 - x; break;
    case HY_BOUNDARY_MIRROR_INTERIOR: x = len == 1 ? min : below ? 2 * min - x : 2 * last - x; break;
    case HY_BOUNDARY_COUNT: ck_abort();
    }
  }
  return x;
}

static const hy_func *make_image(hy_context *context, const hy_var **min, const hy_var **len) {
  static const char *const dims[] = {"0"};
  hy_func *image = HY_NEW(hy_context_arena(context), hy_func);
  *image = (hy_func){.name = "in", .type = HY_U8, .rank = 1, .is_image = true, .dims = dims, .min = min, .len = len};
  *min = hy_var_new(context, HY_VAR_IMAGE_MIN, HY_INT, "in", image, 0, 0);
  *len = hy_var_new(context, HY_VAR_IMAGE_LEN, HY_INT, "in", image, 0, 0);
  return image;
}

START_TEST(coordinates_lead_where_steps_lead) {
  hy_boundary boundary = (hy_boundary)_i;
  hy_context *context = hy_context_new();
  const hy_var *min, *len;
  const hy_func *image = make_image(context, &min, &len);
  const hy_var *x = hy_var_new(context, HY_VAR_PURE, HY_INT, "x", image, 0, 0);
  const hy_expr *e = hy_expr_var(context, x), *access;
  const hy_expr *value = hy_boundary_takes_value(boundary) ? hy_expr_const(context, hy_value_integral(HY_U8, 9)) : NULL;
  hy_interval box = {hy_expand_box(context, HY_BOX_MIN, image, 0), hy_expand_box(context, HY_BOX_LEN, image, 0)};
  const hy_expr *whole = hy_expand_boundary(context, boundary, image, 0, &box, 1, &e, value, &access);
  for (int64_t m = -5; m <= 5; m += 5)
    for (int64_t n = 1; n <= 6; n++)
      for (int64_t i = -40; i <= 40; i++) {
        point p = {x, min, len, i, m, n};
        hy_value at = evaluate(access->args[0], &p);
        ck_assert_msg(at.error == HY_OK && at.i == walk(boundary, i, m, n), "%s of [%d, %d) at %d reads %d",
                      hy_boundary_name(boundary), (int)m, (int)(m + n), (int)i, (int)at.i);
        if (!value) continue;
        ck_assert(whole->op == HY_OP_SELECT && whole->args[1] == value);
        ck_assert(evaluate(whole->args[0], &p).u == (i < m || i >= m + n));
      }
  hy_context_free(context);
}
END_TEST

/* -- what is refused -- */

static const struct {
  const char *funcs;
  hy_code code;
  unsigned column;
  const char *says;
} wrong[] = {
    {"fun c = repeat_egde(in);", HY_E_UNKNOWN_NAME, 9, "did you mean 'repeat_edge'?"},
    {"fun c = repeat_edge(im);", HY_E_UNKNOWN_NAME, 21, "did you mean 'in'?"},
    {"fun c = repeat_edge(g, (0, 1)); fun g(x) = x;", HY_E_DEFINED_LATER, 21, "move the definition up"},
    {"fun c = repeat_edge(c, (0, 1));", HY_E_DEFINED_LATER, 21, "defined only later"},
    {"fun c(x) = repeat_edge(c, (0, 1))(x);", HY_E_SELF_REFERENCE, 12, "the pure stage of 'c' reads 'c'"},
    {"fun c = repeat_edge(w);", HY_E_NOT_A_FUNC, 21, "'w' is neither a func nor an image"},
    {"fun c(x) = repeat_edge(w)(x);", HY_E_NOT_A_FUNC, 24, "write repeat_edge(in) for an image"},
    {"fun c(x) = repeat_edge(q(x))(x);", HY_E_NOT_A_FUNC, 24, "'q(x)' is neither a func nor an image"},
    {"fun c(x) = repeat_edge()(x);", HY_E_ARITY, 12, "none is given"},
    {"fun c = 3;", HY_E_SYNTAX, 5, "write fun c(x, y) = e;"},
    {"fun c = in(1, 2);", HY_E_SYNTAX, 5, "is no boundary condition"},
    {"fun g(x) = x; fun c = repeat_edge(g);", HY_E_BOUNDARY_BOX, 23, "write repeat_edge(g, (min, len), ...)"},
    {"fun c = repeat_edge(q, (0, 1), (2, 3));", HY_E_BOUNDARY_BOX, 32, "'q' has 1 dimension, but here are 2 intervals"},
    {"fun c = repeat_edge(q, 0, 1);", HY_E_BOUNDARY_BOX, 24, "'0' is no interval (min, len)"},
    {"fun c = repeat_edge(q, (0, 0.5));", HY_E_NOT_INT, 28, "the length of a box is int"},
    {"fun c(x) = repeat_edge(in)(x);", HY_E_ARITY, 12, "write repeat_edge(in)(e0, e1)"},
    {"fun c(x) = repeat_edge(q)(0.5);", HY_E_NOT_INT, 27, "a coordinate is int"},
    {"fun c(x) = repeat_edge(q) + 1;", HY_E_FUNC_AS_VALUE, 12, "write repeat_edge(q)(x, y)"},
    {"fun c = constant_exterior(q);", HY_E_ARITY, 9, "write constant_exterior(q, value)"},
    {"fun c = constant_exterior(q, (0, 1));", HY_E_ARITY, 9, "takes the value that is outside"},
    {"fun c = constant_exterior(in, 300);", HY_E_LITERAL_RANGE, 31, "300 does not fit u8"},
    {"fun c = constant_exterior(in, t);", HY_E_TYPE_MISMATCH, 31, "write u8(t)"},
    {"fun c = repeat_edge(in); fun _1(x) = c(x, x); fun d = repeat_edge(in);", HY_E_SHADOWED, 51,
     "'_1' is a func already"},
    {"fun f(x) = in.channels();", HY_E_UNKNOWN_MEMBER, 12, "names no side of the image 'in'"},
    {"fun f(x) = q.height();", HY_E_UNKNOWN_MEMBER, 12, "names no side of the image 'q'"},
    {"fun f(x) = in.max(2);", HY_E_UNKNOWN_MEMBER, 12, "with d a literal from 0 to 1"},
    {"fun f(x) = in.max();", HY_E_UNKNOWN_MEMBER, 12, "names no side of the image 'in'"},
    {"fun f(x) = in.width(0);", HY_E_UNKNOWN_MEMBER, 12, "names no side of the image 'in'"},
    {"fun f(x) = w.width();", HY_E_UNKNOWN_MEMBER, 12, "only images have members"},
    {"fun f(x) = N; const N = 1;", HY_E_DEFINED_LATER, 12, "'N' is defined only later"},
    {"const N = M; const M = 1; fun f(x) = N;", HY_E_NOT_STARTUP, 11, "constants above"},
    {"const N = N + 1; fun f(x) = N;", HY_E_NOT_STARTUP, 11, "constants above"},
    {"const N = x; fun f(x) = N;", HY_E_NOT_STARTUP, 11, "'x' is neither a parameter"},
    {"const N = q(0); fun f(x) = N;", HY_E_NOT_STARTUP, 11, "'q' is an image"},
    {"fun g(x) = x; const N = g(0); fun f(x) = N;", HY_E_NOT_STARTUP, 25, "'g' is a func"},
    {"const N = 1; const N = 2; fun f(x) = N;", HY_E_SHADOWED, 20, "'N' is a constant already"},
    {"const w = 1; fun f(x) = w;", HY_E_SHADOWED, 7, "'w' is a parameter already"},
    {"const x = 1; fun f(x) = x;", HY_E_SHADOWED, 20, "'x' is a constant already"},
    {"const f = 1; fun f(x) = x;", HY_E_SHADOWED, 18, "'f' is a constant already"},
    {"const N = 1; fun f(x) = let N = 2 in N;", HY_E_SHADOWED, 29, "'N' is in scope already"},
    {"const select = 1; fun f(x) = x;", HY_E_RESERVED_WORD, 7, "cannot name a constant"},
    {"const N = 1 + true; fun f(x) = 1;", HY_E_OPERAND_TYPE, 13, "'+' takes numbers"},
    {"const N = 300; fun f(x) = u8(x) + N;", HY_E_LITERAL_RANGE, 11, "300 does not fit u8"},
    {"const N = 300; fun f(x) = u8(x) + N;", HY_E_LITERAL_RANGE, 11, "test.alg:2:35: note: 'N' stands for it here"},
    {"const N = 2.5; fun f(x) = x + N;", HY_E_TYPE_MISMATCH, 29, "'x' is int and 'N' is a float"},
    {"const N = w; fun f(x) = true && N;", HY_E_NOT_BOOL, 30, "'N' is int"},
    {"const N = sin(0); fun f(x) = { 0; (N) <- 1; };", HY_E_NOT_INT, 36, "'N' is a float"},
    {"const N = 1; fun f(x) = N(x);", HY_E_NOT_A_FUNC, 25, "'N' is a constant, not a func"},
    {"const = 1; fun f(x) = 1;", HY_E_SYNTAX, 1, "expected a func"},
    {"def h(w, min) = w; fun f(x) = h(x, x);", HY_E_RESERVED_WORD, 10, "cannot name an argument"},
    {"def h(w) = let w = 1 in w; fun f(x) = h(x);", HY_E_SHADOWED, 16, "'w' is in scope already"},
    {"def h(w) = let t = w in t; fun f(x) = h(x);", HY_E_SHADOWED, 16, "'t' is in scope already"},
    {"fun c(x) = x; def h(c, x) = c + c(x); fun f(x) = h(c, x);", HY_E_FUNC_AS_VALUE, 29, "the argument 'c' is a func"},
    {"def h(a) = h(a - 1); fun f(x) = h(x);", HY_E_DEFINED_LATER, 12, "the helper 'h' uses itself"},
    {"def h(a) = g(a); fun g(x) = x; fun f(x) = h(x);", HY_E_DEFINED_LATER, 12, "'g' is defined only later"},
    {"fun f(x) = h(x); def h(a) = a;", HY_E_DEFINED_LATER, 12, "'h' is defined only later"},
    {"def h(a) = a + x; fun f(x) = h(x);", HY_E_UNKNOWN_NAME, 16, "nothing here is called 'x'"},
    {"def h(arg) = arh + 1; fun f(x) = h(x);", HY_E_UNKNOWN_NAME, 14, "did you mean 'arg'?"},
    {"def h(a, b) = a + b; fun f(x) = h(x);", HY_E_ARITY, 33, "'h' takes 2 arguments, but 1 is given"},
    {"def h() = 1; fun f(x) = h(x, x);", HY_E_ARITY, 25, "'h' takes 0 arguments, but 2 are given"},
    {"def h(a) = a; fun f(x) = h + 1;", HY_E_FUNC_AS_VALUE, 26, "write h(a)"},
    {"def h(a, a) = a; fun f(x) = h(x, x);", HY_E_SHADOWED, 10, "'h' has two arguments 'a'"},
    {"def h(a) = a; fun h(x) = x;", HY_E_SHADOWED, 19, "'h' is a helper already"},
    {"def h(a) = a; def h(b) = b; fun f(x) = x;", HY_E_SHADOWED, 19, "'h' is a helper already"},
    {"def h(a) = let a = 1 in a; fun f(x) = h(x);", HY_E_SHADOWED, 16, "'a' is in scope already"},
    {"def h(a) = let b = 1 in a; fun f(x) = h(let x = 1 in x);", HY_E_SHADOWED, 45, "'x' is in scope already"},
    {"def max(a) = a; fun f(x) = x;", HY_E_RESERVED_WORD, 5, "cannot name a helper"},
    {"def h(a) = a + true; fun f(x) = x;", HY_E_OPERAND_TYPE, 14, "'+' takes numbers"},
    {"def h(a) = a + 0.5; fun f(x) = h(x);", HY_E_TYPE_MISMATCH, 14, "'x' is int and '0.5' is a float"},
    {"def h(a) = a + 0.5; fun f(x) = h(x);", HY_E_TYPE_MISMATCH, 14, "test.alg:2:32: note: 'h(x)' stands for it here"},
    {"def h(a) = a & 1; fun f(x) = h(t);", HY_E_OPERAND_TYPE, 14, "'&' takes integers, but 't' is f32"},
    {"def h(a) = a & 1; fun f(x) = h(t);", HY_E_OPERAND_TYPE, 14, "test.alg:2:30: note: 'h(t)' stands for it here"},
    {"def h(a) = a; fun f(x) = x + h(0.5);", HY_E_TYPE_MISMATCH, 28, "'x' is int and '0.5' is a float"},
    {"def h(a) = a + 1; fun f(x) = x + h(0.5);", HY_E_TYPE_MISMATCH, 32, "'x' is int and 'h(0.5)' is a float"},
    {"def h(a) = a + 300; fun f(x) = h(u8(x));", HY_E_LITERAL_RANGE, 16, "300 does not fit u8"},
    {"def h(a, b) = a; fun f(x) = h(x, x + 0.5);", HY_E_TYPE_MISMATCH, 36, "'x' is int and '0.5' is a float"},
    {"fun g(x) = x; def h(a) = g(a); fun f(x) = { 0; rdom(r = (0, h(1))) in (x) <- r; };", HY_E_RDOM_BOUNDS, 26,
     "'g' is a func"},
    {"def h(a) = a; const N = h(1); fun f(x) = N;", HY_E_NOT_STARTUP, 25, "'h' is a helper"},
    {"def a(e) = e+e+e+e+e+e+e+e; def b(e) = a(a(a(e))); def c(e) = b(b(e)); fun f(x) = c(c(c(x)));", HY_E_TOO_DEEP, 12,
     "with its lets, constants and helpers expanded"},
    {"def h(a = 1; fun f(x) = x;", HY_E_SYNTAX, 9, "after the last argument"},
    {"def h = 1; fun f(x) = x;", HY_E_SYNTAX, 7, "arguments after the helper's name"},
    {"fun f(x) = sum(rdom(r = (0, 3)) in f(x + r));", HY_E_DEFINED_LATER, 36, "this reduction reads 'f'"},
    {"fun f(x) = sum(q);", HY_E_UNKNOWN_NAME, 12, "write sum(rdom(r = (min, len)) in e)"},
    {"fun f(x) = mean(rdom(r = (0, 3)) in r);", HY_E_UNKNOWN_NAME, 12, "'mean' is no reduction"},
    {"fun f(x) = argmin(rdom(r = (0, 3)) in r) + 1;", HY_E_TUPLE_WHOLE, 12, "write argmin(rdom(r = (0, 3)) in r)[0]"},
    {"fun f(x) = argmin(rdom(r = (0, 3)) in r)[2];", HY_E_TUPLE_PART, 12, "'f_argmin' has 2 values"},
    {"fun f(x) = argmin(rdom(r = (0, 3)) in r)[x];", HY_E_TUPLE_PART, 12, "with the number itself"},
    {"fun f(x) = select(maximum(rdom(r = (0, 3)) in r > x), 1, 0);", HY_E_OPERAND_TYPE, 19,
     "'maximum' takes numbers, but 'r > x' is"},
    {"fun f(x) = let b = argmin(rdom(r = (0, 3)) in r) in b + 1;", HY_E_TUPLE_WHOLE, 53, "has 2 values"},
    {"fun f(x) = let x = argmin(rdom(r = (0, 3)) in r) in x[0];", HY_E_SHADOWED, 16, "'x' is in scope already"},
    {"fun f(x) = let q = argmin(rdom(r = (0, 3)) in r) in q[0];", HY_E_SHADOWED, 16, "'q' is in scope already"},
    {"fun f(x) = let b = argmin(rdom(r = (0, 3)) in r) in let b = 1 in b;", HY_E_SHADOWED, 57, "'b' is in scope"},
    {"fun f(x) = let b = argmin(rdom(r = (0, 3)) in r) in sum(rdom(b = (0, 3)) in b);", HY_E_RDOM_NAME, 62, "a let"},
    {"fun f(x) = argmin(rdom(a = (0, 2), b = (0, 2), c = (0, 2), d = (0, 2), e = (0, 2), g = (0, 2), h = (0, 2), i = "
     "(0, 2)) in a)[0];",
     HY_E_TUPLE_VALUES, 12, "a func has at most 8 values"},
    {"fun f(x) = argmin(q);", HY_E_UNKNOWN_NAME, 12, "write argmin(rdom(r = (min, len)) in e)"},
    {"fun f(x) = sum(rdom(x = (0, 3)) in x);", HY_E_RDOM_NAME, 21, "the name of a variable around it"},
    {"fun f(x) = let r = 1 in sum(rdom(r = (0, 3)) in r);", HY_E_RDOM_NAME, 34, "the name of a let around it"},
    {"fun f(x) = sum(rdom(r = (0, 3)) in sum(rdom(r = (0, 3)) in r));", HY_E_RDOM_NAME, 45, "a variable around it"},
    {"fun f(x) = sum(rdom(w = (0, 3)) in w);", HY_E_RDOM_NAME, 21, "the name of a parameter"},
    {"fun f(x) = sum(rdom(r = (0, x)) in r);", HY_E_RDOM_BOUNDS, 29, "'x' is a pure variable"},
    {"fun f(x) = sum(rdom(r = (0, q(0))) in r);", HY_E_RDOM_BOUNDS, 29, "'q' is an image"},
    {"fun f(x) = sum(rdom(r = (0, 0.5)) in r);", HY_E_NOT_INT, 29, "the length of an rdom is int"},
    {"fun f(x) = sum(rdom(r = (0, sum(rdom(s = (0, 3)) in s))) in r);", HY_E_REDUCTION_PLACE, 29, "cannot stand here"},
    {"def h(a) = sum(rdom(r = (0, 3)) in a); require h(w) > 1; fun f(x) = h(x);", HY_E_REDUCTION_PLACE, 12,
     "test.alg:2:48: note: 'h(w)' stands for it here"},
    {"def h(f, x) = sum(rdom(x = (0, 3)) in f(x)); fun o(r) = h(q, r);", HY_E_RDOM_NAME, 24, "something in scope"},
    {"def h(f, x) = sum(rdom(r = (0, x)) in f(r)); fun o(y) = h(q, y);", HY_E_RDOM_BOUNDS, 62, "'y' is a pure"},
    {"def h(f, x) = sum(rdom(r = (0, 0.5)) in f(r)); fun o(y) = y;", HY_E_NOT_INT, 32, "the length of an rdom is int"},
    {"def h(f, x) = sum(rdom(r = (0, 3)) in f(r + s)); fun o(y) = y;", HY_E_UNKNOWN_NAME, 45, "called 's'"},
    {"def h(f, x) = sum(rdom(r = (0, 3)) in f(r) > x); fun o(y) = y;", HY_E_OPERAND_TYPE, 15, "'sum' takes numbers"},
    {"def h(f, x) = sum(rdom(r = (0, 3)) in f(r) if f(x)); fun o(y) = h(q, y);", HY_E_NOT_BOOL, 47,
     "test.alg:2:65: note: 'h(q, y)' stands for it here"},
    {"def h(f) = sum(rdom(r = (0, 3)) in f(r)); const N = h(q); fun f(x) = N;", HY_E_NOT_STARTUP, 53, "is a helper"},
    {"const N = sum(rdom(r = (0, 3)) in r); fun f(x) = N;", HY_E_REDUCTION_PLACE, 11, "give it a func"},
    {"fun f(x) = t + sum(rdom(r = (0, 3)) in r);", HY_E_TYPE_MISMATCH, 14, "'sum(rdom(r = (0, 3)) in r)' is int"},
    {"fun f(x) = sum(rdom(r = (0, 3)) in r > x);", HY_E_OPERAND_TYPE, 12, "'sum' takes numbers, but 'r > x' is bool"},
    {"fun f(x) = sum(rdom(r = (0, 3)) in r if r);", HY_E_NOT_BOOL, 41, "the predicate of an update is bool"},
    {"fun f(x) = sum a(rdom(r = (0, 3)) in r) + sum a(rdom(r = (0, 3)) in x);", HY_E_SHADOWED, 47,
     "'a' cannot name this reduction"},
    {"fun f(x) = sum q(rdom(r = (0, 3)) in r);", HY_E_SHADOWED, 16, "something in the pipeline is called so"},
    {"fun f(x) = sum max(rdom(r = (0, 3)) in r);", HY_E_RESERVED_WORD, 16, "cannot name a func"},
    {"fun f(x) = sum(rdom(r = (0, 3)) r);", HY_E_SYNTAX, 33, "expected 'in' after the reduction domain"},
    {"fun f(x) = sum(rdom(r = (0, 3)) in r;", HY_E_SYNTAX, 37, "after the reduction"},
    {"fun f(x) = sum(rdom(r = (0, 3)) in r)(x);", HY_E_NOT_A_FUNC, 12, "is not a func"},
    {"fun f(x) = absd(x, 1);", HY_E_OPERAND_TYPE, 17, "'absd' takes integers of a fixed width, but 'x' is int"},
    {"fun f(x) = saturating_add(t, 1);", HY_E_OPERAND_TYPE, 27, "but 't' is f32"},
    {"fun f(x) = saturating_add(x, 1);", HY_E_OPERAND_TYPE, 27, "write i64(x)"},
    {"fun f(x) = halving_add(x > 0, true);", HY_E_OPERAND_TYPE, 24, "but 'x > 0' is bool"},
    {"fun f(x) = saturating_sum(rdom(r = (0, 3)) in r);", HY_E_OPERAND_TYPE, 47,
     "'saturating_add' takes integers of a"},
    {"fun f(x) = saturating_sum(rdom(r = (0, 3)) in f32(r));", HY_E_OPERAND_TYPE, 47, "but 'f32(r)' is f32"},
    {"fun f(x) = widen_right_add(u8(x), u8(w));", HY_E_TYPE_MISMATCH, 28,
     "the first argument of 'widen_right_add' is u16"},
    {"fun f(x) = widen_right_add(u16(x), 3);", HY_E_OPERAND_TYPE, 36, "follows from that of '3', which is not known"},
    {"fun f(x) = widen_right_mul(u64(x), u64(w));", HY_E_OPERAND_TYPE, 36,
     "32 bits as its second argument, but 'u64(w)'"},
    {"fun f(x) = concat_bits(u8(x), u8(w), u8(x));", HY_E_ARITY, 12, "takes 2, 4 or 8 arguments, but 3 are given"},
    {"fun f(x) = concat_bits(u8(x));", HY_E_ARITY, 12, "takes 2, 4 or 8 arguments, but 1 is given"},
    {"fun f(x) = concat_bits(i8(x), i8(w));", HY_E_OPERAND_TYPE, 24, "takes u8, u16 or u32, but 'i8(x)' is i8"},
    {"fun f(x) = concat_bits(u8(x), u16(w));", HY_E_TYPE_MISMATCH, 12, "'concat_bits' needs one type"},
    {"fun f(x) = extract_bits_u8(x, 0);", HY_E_OPERAND_TYPE, 28, "takes integers of a fixed width and floats"},
    {"fun f(x) = extract_bits_u8(u16(x), u16(w));", HY_E_NOT_INT, 36,
     "the second argument of 'extract_bits_u8' is int"},
    {"fun f(x) = widening_mul(u64(x), 3);", HY_E_OPERAND_TYPE, 25,
     "takes integers of 8, 16 or 32 bits, but 'u64(x)' is u64"},
    {"fun f(x) = mul_shift_right(i64(x), 3, 2);", HY_E_OPERAND_TYPE, 28, "no integer type is wider than 64 bits"},
    {"fun f(x) = widening_add(3, 4) + u16(x);", HY_E_OPERAND_TYPE, 25, "follows from that of '3', which is not known"},
    {"fun f(x) = widening_add(u8(x), u16(x));", HY_E_TYPE_MISMATCH, 12, "'widening_add' needs one type"},
    {"fun f(x) = widening_add(u8(x), 1) + u8(x);", HY_E_TYPE_MISMATCH, 35, "'widening_add(u8(x), 1)' is u16"},
    {"fun f(x) = u8_sat(x > 0);", HY_E_OPERAND_TYPE, 19, "'u8_sat' takes numbers, but 'x > 0' is bool"},
    {"fun f(x) = u8_sat(x) + x;", HY_E_TYPE_MISMATCH, 22, "'u8_sat(x)' is u8"},
    {"fun f(x) = u8_sat(x, 255);", HY_E_ARITY, 12, "'u8_sat' takes 1 argument, but 2 are given"},
    {"fun f(x) = saturating_cast(x);", HY_E_UNKNOWN_NAME, 12, "u8_sat(e), i16_sat(e)"},
    {"fun f(x) = int_sat(x);", HY_E_UNKNOWN_NAME, 12, "int_sat"},
    {"fun f(x) = absd(u8(x));", HY_E_ARITY, 12, "'absd' takes 2 arguments, but 1 is given"},
    {"fun f(x) = mul_shift_right(u8(x), u8(x));", HY_E_ARITY, 12, "write mul_shift_right(a, b, c)"},
    {"fun f(x) = saturating_ad(u8(x), u8(x));", HY_E_UNKNOWN_NAME, 12, "did you mean 'saturating_add'?"},
    {"def h(a) = absd(a, 1); fun f(x) = h(x);", HY_E_OPERAND_TYPE, 37, "but 'x' is int"},
    {"fun f(x) = absd(u8(x), 300);", HY_E_LITERAL_RANGE, 24, "300 does not fit u8"},
    {"def h(a) = a(1); fun f(x) = h(x);", HY_E_NOT_A_FUNC, 31, "'a' of 'h' is a func, and 'x' is none"},
    {"def h(a) = a(1); fun f(x) = h(x);", HY_E_NOT_A_FUNC, 31, "test.alg:2:7: note: 'a' is called in the helper"},
    {"def h(a) = a(1); fun f(x) = h(q(x));", HY_E_NOT_A_FUNC, 31, "'q(x)' is none"},
    {"def h(a) = a(1); def i(b) = h(b); fun f(x) = i(j); def j(c) = c;", HY_E_NOT_A_FUNC, 48, "'b' of 'i' is a func"},
    {"def h(a) = a(1, 2); def j(c) = c; fun f(x) = h(j);", HY_E_ARITY, 12, "'a' is the helper 'j' here, which takes 1"},
    {"def h(a) = repeat_edge(a, (0, 3))(1); def j(c) = c; fun f(x) = h(j);", HY_E_NOT_A_FUNC, 24, "and no func"},
    {"def h(a) = a.len(0); def j(c) = c; fun f(x) = h(j);", HY_E_NOT_A_FUNC, 12, "'a' is the helper 'j' here"},
    {"def h(a, x) = a(a, x); fun f(x) = h(h, x);", HY_E_TOO_DEEP, 35, "more than 1000 layers of helpers"},
    {"def h(a) = a(1); fun f(x) = h(g); fun g(x) = x;", HY_E_DEFINED_LATER, 31, "'g' is defined only later"},
    {"def h(a) = a(1); fun gain(x) = x; fun f(x) = h(gian);", HY_E_UNKNOWN_NAME, 48, "did you mean 'gain'?"},
    {"def h(a) = a(1) + a; fun f(x) = h(q);", HY_E_FUNC_AS_VALUE, 19, "the argument 'a' is a func"},
    {"def h(a) = a(0.5); fun f(x) = h(q);", HY_E_NOT_INT, 14, "a coordinate is int"},
    {"def h(a) = a(1); fun f(x) = h(in);", HY_E_ARITY, 12, "'in' has 2 dimensions, but 1 coordinate is given"},
    {"def h(a) = a(1); fun f(x) = h(in);", HY_E_ARITY, 12, "test.alg:2:29: note: 'h(in)' stands for it here"},
    {"def h(a, x) = h(a, x - 1) + a(x); fun f(x) = h(q, x);", HY_E_DEFINED_LATER, 15, "the helper 'h' uses itself"},
    {"def h(a, x) = i(a, x); def i(a, x) = a(x); fun f(x) = x;", HY_E_DEFINED_LATER, 15, "'i' is defined only later"},
    {"const N 1; fun f(x) = 1;", HY_E_SYNTAX, 9, "expected '=' after the constant's name"},
    // tuples (ALG.Valid.Parts, D80)
    {"fun g(x) = (0, x); fun f(x) = 1 + g(x);", HY_E_TUPLE_WHOLE, 35, "write g(x)[0]"},
    {"fun g(x) = (0, x); fun f(x) = g(x)[2];", HY_E_TUPLE_PART, 31, "'g' has 2 values, and no 'g(x)[2]'"},
    {"fun g(x) = (0, x); fun f(x) = g(x)[18446744073709551615];", HY_E_TUPLE_PART, 31, "'g' has 2 values"},
    {"fun g(x) = (0, x); fun f(x) = g(x)[x];", HY_E_TUPLE_PART, 31, "with the number itself"},
    {"fun g(x) = (0, x); fun f(x) = g(x)[-1];", HY_E_TUPLE_PART, 31, "with the number itself"},
    {"fun g(x) = (0, x); fun f(x) = g(x)[0, 1];", HY_E_TUPLE_PART, 31, "with the number itself"},
    {"fun g(x) = (0, x); fun f(x) = g(x)[];", HY_E_TUPLE_PART, 31, "with the number itself"},
    {"fun g(x) = (0, x); fun f(x) = g(x)[0][1];", HY_E_SYNTAX, 31, "coordinates stand in parentheses"},
    {"fun g(x) = (0, x); fun f(x) = g[0](x);", HY_E_NOT_A_FUNC, 31, "'g[0]' is not a func"},
    {"fun g(x) = (0, x); fun f(x) = g(x, 1)[0];", HY_E_ARITY, 31, "'g' has 1 dimension"},
    {"fun g(x) = x; fun f(x) = g(x)[0];", HY_E_TUPLE_PART, 26, "'g' has one value at each point"},
    {"fun f(x) = u8(x)[0];", HY_E_TUPLE_PART, 12, "write u8(x)"},
    {"fun f(x) = 1 + (0, x);", HY_E_TUPLE_WHOLE, 18, "a tuple cannot stand here"},
    {"fun g(x) = (0, (1, 2)); fun f(x) = 1;", HY_E_TUPLE_WHOLE, 18, "a tuple cannot stand here"},
    {"fun g(x) = { (0, x); (x) <- 1; }; fun f(x) = 1;", HY_E_TUPLE_VALUES, 29,
     "'g' has 2 values, but this stage has 1"},
    {"fun g(x) = { (0, x); (x) <- (1, 2, 3); }; fun f(x) = 1;", HY_E_TUPLE_VALUES, 29, "what stays as it is is read"},
    {"fun f(x) = { 0; (x) <- (1, x); };", HY_E_TUPLE_VALUES, 24, "'f' has 1 value, but this stage has 2"},
    {"fun g(x) = (0, 1, 2, 3, 4, 5, 6, 7, 8); fun f(x) = 1;", HY_E_TUPLE_VALUES, 12, "a func has at most 8 values"},
    {"fun g(x) = { (u8(0), x); (x) <- (g(x)[1], x); }; fun f(x) = 1;", HY_E_TYPE_MISMATCH, 34, "'g[0]' is u8 in its"},
    {"fun g(x) = { (0, x); (x) <- (g(x), x); }; fun f(x) = 1;", HY_E_TUPLE_WHOLE, 30, "'g' has 2 values"},
    {"fun g(x) = { (0, x); (x) <- (g(x + 1)[1], x); }; fun f(x) = 1;", HY_E_SEPARATION, 30, "coordinate 1"},
    {"fun g(x) = (0, g(x)[0]); fun f(x) = 1;", HY_E_SELF_REFERENCE, 16, "the pure stage of 'g' reads 'g'"},
    {"fun g(x) = (0, x); fun c = repeat_edge(g, (0, 4)); fun f(x) = 1 + c(x);", HY_E_TUPLE_WHOLE, 67,
     "'c' has 2 values"},
    {"fun g(x) = (0, x); fun f(x) = 1 + repeat_edge(g, (0, 4))(x);", HY_E_TUPLE_WHOLE, 35,
     "write repeat_edge(g, (0, 4))(x)[0]"},
    {"fun g(x) = (0, x); fun f(x) = repeat_edge(g, (0, 4))(x)[2];", HY_E_TUPLE_PART, 31, "has 2 values, and no"},
    {"fun g(x) = x; fun f(x) = repeat_edge(g, (0, 4))(x)[0];", HY_E_TUPLE_PART, 26, "has one value at each point"},
    {"fun g(x) = (0, x); fun c = repeat_edge(g); fun f(x) = 1;", HY_E_BOUNDARY_BOX, 28, "where it ends has to be said"},
    {"fun g(x) = (0, x); fun c = constant_exterior(g, 7, (0, 4)); fun f(x) = 1;", HY_E_TUPLE_WHOLE, 49,
     "and here is 1"},
    {"fun g(x) = (0, x); fun c = constant_exterior(g, (7, 1, 2), (0, 4)); fun f(x) = 1;", HY_E_TUPLE_WHOLE, 49,
     "write a tuple of 2"},
    {"fun g(x) = (0, x); fun c = constant_exterior(g, (1, 0.5), (0, 4)); fun f(x) = 1;", HY_E_NOT_INT, 53,
     "the value outside of 'g' is int"},
    {"def h(a) = (a, 1); fun f(x) = h(x) + 1;", HY_E_TUPLE_WHOLE, 14, "a tuple cannot stand here"},
    {"def h(a) = (a, 1); fun f(x) = h(x) + 1;", HY_E_TUPLE_WHOLE, 14, "test.alg:2:31: note: 'h(x)' stands for it"},
    {"def h(a) = (a, 1) + 1; fun f(x) = x;", HY_E_TUPLE_WHOLE, 14, "a tuple cannot stand here"},
    {"def h(a) = (a, 1); fun f(x) = h(x)[2];", HY_E_TUPLE_PART, 31, "'h(x)' has 2 values, and no 'h(x)[2]'"},
    {"def h(a) = a[1]; fun f(x) = h(x);", HY_E_TUPLE_PART, 12, "'a' has one value here, and no 'a[1]'"},
    {"def h(a) = a[2]; fun f(x) = h((x, 1));", HY_E_TUPLE_PART, 12, "test.alg:2:29: note: 'h((x, 1))' stands for it"},
    {"def h(a) = a + 1; fun f(x) = h((x, 1));", HY_E_TUPLE_WHOLE, 12, "'a' has 2 values, and one stands here"},
    {"def h(a) = (a, 1); fun f(x) = { (x, 1, 2); (x) <- h(x); };", HY_E_TUPLE_VALUES, 12,
     "test.alg:2:51: note: 'h(x)' stands for it here"},
    {"def h(c) = select(c, (1, 2, 3), (1, 2)); fun f(x) = h(x > 0);", HY_E_TUPLE_WHOLE, 33, "'(1, 2)' has 2 values"},
    {"fun g(x) = (x, 1); def h(x) = g(x) + 1; fun f(x) = x;", HY_E_TUPLE_WHOLE, 31, "'g' has 2 values"},
};

START_TEST(wrong_forms_are_refused) {
  char text[1000];
  snprintf(text, sizeof text, P("%s"), wrong[_i].funcs);
  hy_source source = {"test.alg", text, strlen(text)};
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  ck_assert(!hy_parse_alg(context, &source, diagnostics));
  hy_text said = {0};
  hy_diagnostics_print(diagnostics, &said);
  char place[40];
  snprintf(place, sizeof place, "test.alg:2:%u: error[HY%04d]", wrong[_i].column, (int)wrong[_i].code);
  ck_assert_msg(strstr(hy_text_string(&said), place) != NULL, "not %s but %s", place, hy_text_string(&said));
  ck_assert_msg(strstr(hy_text_string(&said), wrong[_i].says) != NULL, "%s", hy_text_string(&said));
  hy_text_free(&said);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

Suite *semantics_forms_suite(void) {
  Suite *suite = suite_create("semantics_forms");
  TCase *tcase = tcase_create("forms");
  tcase_add_loop_test(tcase, forms_are_their_core, 0, (int)HY_COUNT(pairs));
  tcase_add_loop_test(tcase, products_in_sums_are_fused, 0, (int)HY_COUNT(contracts));
  tcase_add_loop_test(tcase, coordinates_lead_where_steps_lead, 0, HY_BOUNDARY_COUNT);
  tcase_add_loop_test(tcase, wrong_forms_are_refused, 0, (int)HY_COUNT(wrong));
  suite_add_tcase(suite, tcase);
  return suite;
}
