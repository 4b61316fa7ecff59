/* Text in the habit of Halide, C and Python: each is refused with one error, whose help is what to write, and what was
 * written then is taken. Nothing that means something is taken for a habit.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "semantics/text/syntax_internal.h"

#include <stdio.h>
#include <string.h>

/* -- algorithms -- */

typedef struct {
  const char *text, *help, *mended; // mended: NULL where the help leaves it to the reader
} habit_row;

#define P(items) "pipeline p(in: u8[2], a: f32[2], w: int) { " items " fun o(x, y) = x; }"
#define E(expression) P("fun f(x, y) = " expression ";")

static const habit_row algorithms[] = {
    // conversions
    {E("cast<u8>(in(x, y))"), "write u8(in(x, y))", E("u8(in(x, y))")},
    {E("static_cast<uint16_t>(in(x, y) + 1)"), "write u16(in(x, y) + 1)", E("u16(in(x, y) + 1)")},
    {E("saturating_cast<u8>(a(x, y))"), "write u8_sat(a(x, y))", E("u8_sat(a(x, y))")},
    {E("reinterpret<u32>(a(x, y))"), "write reinterpret_u32(a(x, y))", E("reinterpret_u32(a(x, y))")},
    {E("reinterpret_cast<uint32_t>(a(x, y))"), "write reinterpret_u32(a(x, y))", NULL},
    {E("Halide::cast<uint8_t>(in(x, y))"), "write u8(in(x, y))", NULL},
    {E("Halide::saturating_cast<uint8_t>(a(x, y))"), "write u8_sat(a(x, y))", NULL},
    {E("Halide::reinterpret<uint32_t>(a(x, y))"), "write reinterpret_u32(a(x, y))", NULL},
    {E("Halide::ConciseCasts::u8_sat(a(x, y))"), "write u8_sat(a(x, y))", NULL},
    {E("cast(UInt(8), a(x, y))"), "write u8(a(x, y))", E("u8(a(x, y))")},
    {E("hl.cast(hl.Float(32), in(x, y))"), "write f32(in(x, y))", E("f32(in(x, y))")},
    {E("reinterpret(Int(32), a(x, y))"), "write reinterpret_i32(a(x, y))", E("reinterpret_i32(a(x, y))")},
    {E("saturating_cast(UInt(8), a(x, y))"), "write u8_sat(a(x, y))", NULL},
    {E("cast(in(x, y))"), "a conversion is named after the type: u8(e), f32(e)", NULL},
    {E("in(x, y) as u16"), "write u16(in(x, y))", E("u16(in(x, y))")},
    {E("w + (x + y) as i32"), "write i32(x + y)", NULL},
    {E("in(x, y)(w) as i32"), "write i32(in(x, y)(w))", NULL},
    {E("(u16)in(x, y)"), "write u16(in(x, y))", E("u16(in(x, y))")},
    {E("(uint16_t)in(x, y) * 3"), "write u16(in(x, y))", NULL},
    {E("(uint16_t)(in(x, y) + 3)"), "write u16(in(x, y) + 3)", E("u16(in(x, y) + 3)")},
    {E("(u16)(in(x, y))"), "write u16(in(x, y))", NULL},
    {E("(f32)-w"), "it is a type: write f32(e) for e converted", E("f32(-w)")},
    {E("Expr(3)"), "write 3", E("3")},
    // names
    {E("std::max(x, 3)"), "write max(x, 3)", E("max(x, 3)")},
    {E("std::max<int>(x, 3)"), "write max(x, 3)", NULL},
    {E("max<int>(x, 3)"), "write max(x, 3): types are not given, they are found", NULL},
    {E("hl.min(x, 3)"), "write min(x, 3)", E("min(x, 3)")},
    {E("hl.u8(x)"), "write u8(x)", E("u8(x)")},
    {E("hl.absd(in(x, y), 3)"), "write absd(in(x, y), 3)", E("absd(in(x, y), 3)")},
    {E("math.pi * a(x, y)"), "write 3.141592653589793", E("3.141592653589793 * a(x, y)")},
    {E("BoundaryConditions::repeat_edge(in)(x - 1, y)"), "write repeat_edge(in)(x - 1, y)",
     E("repeat_edge(in)(x - 1, y)")},
    {P("fun c = BoundaryConditions::repeat_edge(in);"), "write repeat_edge(in)", P("fun c = repeat_edge(in);")},
    {E("in.dim(0).extent() + x"), "write in.len(0)", E("in.len(0) + x")},
    {E("in.dim(1).max() + x"), "write in.max(1)", E("in.max(1) + x")},
    {E("in(_)"), "there are no implicit variables: write in(e0, e1)", NULL},
    {P("fun f(x, _) = in(_);"), "'_' is a name like any other, and stands for no others: write in(e0, e1)", NULL},
    {E("in(x, _)"), "there are no implicit variables: write in(e0, e1)", NULL},
    {E("nothing_like(x)"), "in scope are x, y, w, in, a", NULL},
    {P("fun g(x) = x; fun f(x, y) = nothing_like(x);"), "in scope are x, y, w, in, a, g", NULL},
    {P("fun f(x, y) = { 0; (x, y) <- nothing_like(x); }"), "in scope are x, y, w, in, a, f", NULL},
    {P("fun f(x, y) = { 0; rdom(r = (0, 9)) in (x, y) <- f(x, y) + r.x; }"),
     "each reduction variable has a name of its own: rdom(rx = (min, len), ry = (min, len))", NULL},
    // expressions
    {E("in(x, y) // 2"), "write in(x, y) / 2, which rounds down on integers", NULL},
    {P("fun f(x, y) = in(x, y) // 2;\n"), "write in(x, y) / 2, which rounds down on integers", E("in(x, y) / 2")},
    {P("fun f(x, y) = x // w;\n"), "write x / w, which rounds down on integers", NULL},
    {P("fun f(x, y) = x // the identity\n"), "put ';' here", NULL},
    {E("in(x, y) if x > 0 else 3"), "write select(x > 0, in(x, y), 3)", E("select(x > 0, in(x, y), 3)")},
    {P("fun f(x, y) = { 0; (x, y) <- w if x > 0 else 3; }"), "write select(x > 0, w, 3)", NULL},
    {E("x > 0 ? in(x, y) : 3"), "write select(x > 0, in(x, y), 3)", NULL},
    {E("in[x][y]"), "write in(x, y)", E("in(x, y)")},
    {E("in[x, y + 1]"), "write in(x, y + 1)", NULL},
    {P("fun g(x, y) = (in(x, y), x); fun f(x, y) = g(x, y).0;"), "write g(x, y)[0]",
     P("fun g(x, y) = (in(x, y), x); fun f(x, y) = g(x, y)[0];")},
    {P("fun g(x, y) = (in(x, y), x); fun f(x, y) = g[1](x, y);"), "write g(x, y)[1]", NULL},
    {P("fun f(x, y) = {in(x, y), x};"), "write (in(x, y), x)", P("fun f(x, y) = (in(x, y), x);")},
    {E("[x, y]"), "several values of a func are written (x, y), and a table const t = [x, y];", E("(x, y)")},
    {E("let t = in(x, y); t * 2"), "write let t = in(x, y) in t * 2", E("let t = in(x, y) in t * 2")},
    {P("fun f(x, y) = { 0; (x, y) <- w += 1; }"), "nothing is changed in place: write w + 1", NULL},
    {P("fun f(x, y) = { 0; (x, y) <- w *= x + 1; }"), "nothing is changed in place: write w * (x + 1)", NULL},
    {P("fun f(x, y) = { 0; (x, y) <- w -= 1; }"), "nothing is changed in place: write w - 1", NULL},
    {P("fun f(x, y) = { 0; (x, y) <- w /= 1; }"), "nothing is changed in place: write w / 1", NULL},
    {E("0b101"), "write 5", E("5")},
    {E("1_000"), "write 1000", E("1000")},
    {E("1.5f"), "numbers have no suffix: write 1.5, whose type is found, or f32(1.5)", E("1.5")},
    {E("2f"), "numbers have no suffix: write 2.0, whose type is found, or f32(2)", NULL},
    {E("3u"), "numbers have no suffix: write 3, whose type is found, or u32(3)", NULL},
    {E("'a'"), "there are no characters: write 97", E("97")},
    {E("\"a\""), "there are no strings but in include \"FILE\"; remove it", NULL},
    // updates
    {P("fun f(x, y) = { w; (x, y) += 1; }"), "write (x, y) <- f(x, y) + 1",
     P("fun f(x, y) = { w; (x, y) <- f(x, y) + 1; }")},
    {P("fun f(x, y) = { w; (x, y) -= 1 + w; }"), "write (x, y) <- f(x, y) - (1 + w)", NULL},
    {P("fun f(x, y) = { w; (x, y) *= x + 1; }"), "write (x, y) <- f(x, y) * (x + 1)", NULL},
    {P("fun f(x, y) = { w; (x, y) /= 3; }"), "write (x, y) <- f(x, y) / 3", NULL},
    {P("fun f(x, y) = { w; (x, y) = 1; }"), "write (x, y) <- 1", NULL},
    {P("fun f(x, y) = { w; f(x, y) += 1; }"), "write (x, y) <- f(x, y) + 1", NULL},
    {P("fun f(x, y) = { w; f(x, y) -= 1; }"), "write (x, y) <- f(x, y) - 1", NULL},
    {P("fun f(x, y) = { w; f(x, y) *= 2; }"), "write (x, y) <- f(x, y) * 2", NULL},
    {P("fun f(x, y) = { w; f(x, y) /= w + 1; }"), "write (x, y) <- f(x, y) / (w + 1)", NULL},
    {P("fun f(x, y) = { w; f(x, y) = 1; }"), "write (x, y) <- 1", NULL},
    {P("fun f(x, y) = { w; f(x, y) <- 1; }"), "write (x, y) <- 1", NULL},
    {P("fun f(x, y) = { w; f[x, y] += f[x, y]; }"), "write (x, y) <- f(x, y) + f(x, y)", NULL},
    {P("fun f(x, y) = { w; f[x, y] = in[x, y]; }"), "write (x, y) <- in(x, y)", NULL},
    {P("fun f(x, y) = { w; x += 1; }"), "what changes is a point of the func: (x) <- f(x) + 1", NULL},
    {P("fun f(x, y) = { w; t = 1; }"),
     "what changes is a point of the func, (x) <- 1; a name for a value is let t = 1 in e", NULL},
    {P("for k in 0..1 fun g[k](x, y) = { w; (x, y) += 1; }"), "write (x, y) <- g[k](x, y) + 1", NULL},
    {P("fun f(x, y) = w; f(x, y) += 1;"),
     "it stands in the braces of its func: fun f(x, y) = { w; (x, y) <- f(x, y) + 1; }", NULL},
    {P("fun f(x, y) = w; f[x, y] += 1;"),
     "it stands in the braces of its func: fun f(x, y) = { w; (x, y) <- f(x, y) + 1; }", NULL},
    {P("fun f(x, y) = w; f(x, y) <- 1;"), "it stands in the braces of its func: fun f(x, y) = { w; (x, y) <- 1; }",
     NULL},
    {P("fun f(x, y) = w; (x, y) <- 1;"), "it stands in the braces of its func: fun f(..) = { e; (x, y) <- 1; }", NULL},
    {P("fun f(x, y) = { w; for k in 0..3 (x, y) <- k; }"),
     "what repeats is an update over a domain: rdom(r = (0, 8)) in (x) <- e;", NULL},
    // domains
    {P("fun f(x) = { 0; rdom(r = (0, 9)) where r > 3 in (x) <- r; }"),
     "write the condition behind the update's value: rdom(r = (0, 9)) in (x) <- e if r > 3", NULL},
    {P("fun f(x) = sum(rdom(r = (0, 3, 1, 4)) in x + r);"), "write rx = (0, 3), ry = (1, 4)", NULL},
    {P("fun f(x) = { 0; rdom(r, 0, 3) in (x) <- r; }"), "write rdom(r = (0, 3))", NULL},
    {P("fun f(x) = sum(rdom(r, 0, 3) in x + r);"), "write sum(rdom(r = (0, 3)) in ..)", NULL},
    {P("fun f(x) = { 0; rdom(r = 1..3) in (x) <- r; }"), "write r = (1, 3): the minimum and the length", NULL},
    {P("fun f(x) = { 0; rdom r(0, 3) in (x) <- r; }"), "write rdom(r = (0, 3)) in", NULL},
    {P("RDom r(0, 10);"), "write rdom(r = (0, 10)) in before the update, or in a sum: sum(rdom(r = (0, 10)) in e)",
     NULL},
    {P("RDom r(in);"), "write rdom(r = (min, len)) in before the update, or in a sum: sum(rdom(r = (min, len)) in e)",
     NULL},
    // second definitions
    {P("fun f(x, y) = w; f(x, 0) = 5;"),
     "it is an update, and stands in the braces of its func: fun f(x, y) = { w; (x, 0) <- 5; }",
     P("fun f(x, y) = { w; (x, 0) <- 5; }")},
    {P("fun f(x, y) = { w; (0, y) <- 1; } f(x, 0) = 5;"),
     "it is an update, and stands in the braces of its func: fun f(x, y) = { w; (0, y) <- 1; (x, 0) <- 5; }",
     P("fun f(x, y) = { w; (0, y) <- 1; (x, 0) <- 5; }")},
    {P("fun f(x, y) = w; f[x, 0] = in[x, 0];"),
     "it is an update, and stands in the braces of its func: fun f(x, y) = { w; (x, 0) <- in(x, 0); }", NULL},
    {P("fun f(x, y) = w + w + w + w + w + w + w + w + w + w + w + w + w; f(x, 0) = 5;"),
     "it is an update, and stands in the braces of its func: fun f(x, y) = { e; (x, 0) <- 5; }", NULL},
    {P("fun f(x, y) = w; f(x, 0) += 5;"),
     "it stands in the braces of its func: fun f(x, y) = { w; (x, 0) <- f(x, 0) + 5; }",
     P("fun f(x, y) = { w; (x, 0) <- f(x, 0) + 5; }")},
    {P("fun f(x, y) = w; f(x, 0) -= w + 1;"),
     "it stands in the braces of its func: fun f(x, y) = { w; (x, 0) <- f(x, 0) - (w + 1); }", NULL},
    {P("fun f(x, y) = w; f(x, 0) *= 5;"),
     "it stands in the braces of its func: fun f(x, y) = { w; (x, 0) <- f(x, 0) * 5; }", NULL},
    {P("fun f(x, y) = w; f(x, 0) /= 5;"),
     "it stands in the braces of its func: fun f(x, y) = { w; (x, 0) <- f(x, 0) / 5; }", NULL},
    {P("f(x, 0) += 5;"), "it stands in the braces of its func: fun f(x, y) = { 0; (x, 0) <- f(x, 0) + 5; }",
     P("fun f(x, y) = { 0; (x, 0) <- f(x, 0) + 5; }")},
    {P("f[0, x] += 5;"), "it stands in the braces of its func: fun f(y, x) = { 0; (0, x) <- f(0, x) + 5; }", NULL},
    {P("f(w + 1, y) <- 5;"), "it stands in the braces of its func: fun f(x, y) = { 0; (w + 1, y) <- 5; }",
     P("fun f(x, y) = { 0; (w + 1, y) <- 5; }")},
    {P("f(x, 0) = 5;"), "what stands at a point is an update: fun f(x, y) = { 0; (x, 0) <- 5; }",
     P("fun f(x, y) = { 0; (x, 0) <- 5; }")},
    {P("fun f(x, 0) = { w; (x, 0) <- 5; }"), "the variables are names: write fun f(..) = { w; (x, 0) <- 5; }", NULL},
    {P("fun f(0, y) = { w; (0, y) <- 5; }"), "the variables are names: write fun f(..) = { w; (0, y) <- 5; }", NULL},
    // definitions of single points
    {P("fun f(0, y) = in(0, y);"), "what stands at a point is an update: fun f(..) = { e; (0, y) <- in(0, y); }",
     P("fun f(x, y) = { w; (0, y) <- int(in(0, y)); }")},
    {P("fun f(x, 0) = w + 1;"), "what stands at a point is an update: fun f(..) = { e; (x, 0) <- w + 1; }", NULL},
    {P("fun f(-1, y) = y;"), "what stands at a point is an update: fun f(..) = { e; (-1, y) <- y; }", NULL},
    {P("fun f(x + 1, y) = x;"), "what stands at a point is an update: fun f(..) = { e; (x + 1, y) <- x; }", NULL},
    {P("fun f(x, y - 1) = x;"), "what stands at a point is an update: fun f(..) = { e; (x, y - 1) <- x; }", NULL},
    {P("fun f(2, x*2) = x;"), "what stands at a point is an update: fun f(..) = { e; (2, x*2) <- x; }", NULL},
    {P("fun f(x*2, y) = x;"), "what stands at a point is an update: fun f(..) = { e; (x*2, y) <- x; }", NULL},
    {P("fun f(r.x, r.y) = in(r.x, r.y);"),
     "what stands over a domain is an update: fun f(..) = { e; rdom(..) in (..) <- in(r.x, r.y); }", NULL},
    // funcs
    {P("f(x, y) = in(x, y);"), "write fun f(x, y) = in(x, y);", P("fun f(x, y) = in(x, y);")},
    {P("f[x, y] = in[x, y];"), "write fun f(x, y) = in(x, y);", NULL},
    {P("Func f;"), "leave it out: a func is declared where it is defined, fun f(x, y) = e;", NULL},
    {P("Halide::Func f;"), "leave it out: a func is declared where it is defined, fun f(x, y) = e;", NULL},
    {P("Func f(x, y) = in(x, y);"), "write fun f(x, y) = in(x, y);", NULL},
    {P("Var x, y;"), "leave it out: variables are declared by the func that has them, fun f(x, y) = e;", NULL},
    {P("RVar r;"), "leave it out: rdom(r = (min, len)) in declares r", NULL},
    {P("f = hl.Func();"),
     "leave it out: a func is declared where it is defined, fun f(x, y) = e; and its variables there, too", NULL},
    {P("x, y = hl.Var(), hl.Var();"),
     "leave it out: a func is declared where it is defined, fun f(x, y) = e; and its variables there, too", NULL},
    {P("let a = 3;"), "write const a = 3;", NULL},
    {P("auto n = 3;"), "write const n = 3;", P("const n = 3;")},
    {P("var n = 3;"), "write const n = 3;", NULL},
    {P("int n = 3;"), "write const n = int(3);", P("const n = int(3);")},
    {P("Expr n = 3;"), "write const n = 3; or where it has variables let n = 3 in e, or a func", NULL},
    {P("u8 f(x, y) = w;"), "write fun f(x, y) = u8(w);", P("fun f(x, y) = u8(w);")},
    {P("output f(x, y) = w;"),
     "write fun f(x, y) = w; the last func is the output, or those that -> names: pipeline p(..) -> f { .. }", NULL},
    {P("output f;"), "write it behind the parameters: pipeline p(..) -> (f) { .. }", NULL},
    {P("return f;"), "the last func is the output, or those that -> names: pipeline p(..) -> (f, g) { .. }", NULL},
    {P("func f(x, y) = w;"), "write fun f(x, y) = w;", NULL},
    {P("fn f(x, y) = w;"), "write fun f(x, y) = w;", NULL},
    {P("function f(x, y) = w;"), "write fun f(x, y) = w;", NULL},
    {P("import halide as hl;"), "write include \"FILE\";", NULL},
    {P("using namespace Halide;"), "leave it out", NULL},
    {P("for (int i = 0; i < 3; i++) { fun f[i](x, y) = w; }"), "write for k in 0..7 { fun g[k](x) = e; }", NULL},
    {P("for i in range(3) { fun f[i](x, y) = w; }"), "write for i in 0..3 - 1",
     P("for i in 0..3 - 1 { fun f[i](x, y) = w; }")},
    {P("for i in range(1, 3) { fun f[i](x, y) = w; }"), "write for i in 1..3 - 1", NULL},
    {P("fun f(x, y): u8 = w;"), "write fun f(x, y) = u8(w);", NULL},
    {P("fun f(x, y) -> u8 = w;"), "write fun f(x, y) = u8(w);", NULL},
    {P("fun u8 f(x, y) = w;"), "write fun f(x, y) = u8(w);", NULL},
    {P("fun f(x, y) := w;"), "write fun f(x, y) = w;", NULL},
    {P("fun f(x, y) { return w; }"), "write fun f(x, y) = w;", NULL},
    {P("fun f(x, y) { w; }"), "write fun f(x, y) = e; or with updates fun f(x, y) = { e; (x, y) <- e; }", NULL},
    {P("fun f(x, y) = { return w; }"), "write = w;", NULL},
    {P("fun f(x, y) = return w;"), "write w alone", NULL},
    {P("fun f(x: int, y: int) = w;"), "write x alone: coordinates are int", NULL},
    {P("fun f(int x, int y) = w;"), "write x alone: coordinates are int", NULL},
    {P("def h(a: u8) = a;"), "write a alone: its type is that of what stands for it", NULL},
    {P("def h(u8 a) = a;"), "write a alone: its type is that of what stands for it", NULL},
    {P("def h(b): return b;"), "write def h(b) = b; and for a func fun h(b) = b;", P("def h(b) = b;")},
    {P("def h(b): b;"), "write def h(b) = e; and for a func fun h(b) = e;", NULL},
    {"pipeline p(in: u8[2]) { def f(x, y) = in(x, y); }",
     "def f is a helper, an expression with arguments; a func is written fun f(..) = e;", NULL},
    {P("const int N = 3;"), "write const N = int(3);", NULL},
    {P("const N: int = 3;"), "write const N = int(3);", NULL},
    {P("const t = {1, 2};"), "write const t = [1, 2];", P("const t = [1, 2];")},
    {P("const t = {{1, 2}, {3, 4}};"), "write const t = [[1, 2], [3, 4]];", P("const t = [[1, 2], [3, 4]];")},
    {P("fun f(x) = w;;"), "leave this ';' out", NULL},
    {P("fun f(x) = (1, 2, 3, 4, 5, 6, 7, 8, 9);"), "use several funcs", NULL},
    {P("require(in.width() > 3, \"too small\");"),
     "a requirement has no text of its own: write require in.width() > 3;", P("require in.width() > 3;")},
    // brackets
    {"pipeline p(in: u8[2] { fun o(x, y) = x; }", "put ')' before '{'", "pipeline p(in: u8[2]) { fun o(x, y) = x; }"},
    {"pipeline p(in: u8[2]; w: int) { fun o(x, y) = x; }", "write ',' in place of this ';'",
     "pipeline p(in: u8[2], w: int) { fun o(x, y) = x; }"},
    {E("x)"), "leave this ')' out", E("x")},
    {E("x]"), "leave this ']' out", NULL},
    // one word or sign of another language
    {P("fun f(x, y) = { 0; rdom(r = (0, 3)) in (x, y) <- f(x, y) + r where r > 1; }"), "write if r > 1",
     P("fun f(x, y) = { 0; rdom(r = (0, 3)) in (x, y) <- f(x, y) + r if r > 1; }")},
    {E("sum(rdom(r = (0, 3)) in r where r > 1)"), "write if r > 1", E("sum(rdom(r = (0, 3)) in r if r > 1)")},
    {E("sum(rdom(r in 0..2) in r)"), "write rdom(r = (0, 3)): the minimum and the length",
     E("sum(rdom(r = (0, 3)) in r)")},
    {E("sum(in(x + r, y) for r in range(10))"), "write sum(rdom(r = (0, 10)) in in(x + r, y))",
     E("sum(rdom(r = (0, 10)) in in(x + r, y))")},
    {E("sum(in(x + r, y) for r in range(2, w))"), "write sum(rdom(r = (2, w - 2)) in in(x + r, y))", NULL},
    {P("assert(w > 0);"), "write require w > 0;", P("require w > 0;")},
    {P("assert w > 0;"), "write require w > 0;", NULL},
    {P("fun c = repeat_edge(in, {{0, 10}, {0, 10}});"), "write repeat_edge(in): the bounds are those of in",
     P("fun c = repeat_edge(in);")},
    {"pipeline p(in: u8[2]) -> o: u8[2] { fun o(x, y) = in(x, y); }", "write -> o alone: its type is that of the func",
     "pipeline p(in: u8[2]) -> o { fun o(x, y) = in(x, y); }"},
    {"pipeline p(in: u8[2]) -> o: u8 { fun o(x, y) = in(x, y); }", "write -> o alone: its type is that of the func",
     NULL},
    {"pipeline p(in: u8[2]) -> u8[2] { fun o(x, y) = in(x, y); }",
     "leave it out, or name the func that is the output: -> f", NULL},
    {E("f32 x"), "write f32(x)", E("f32(x)")},
    {P("for k in 0..<3 fun g[k](x) = k;"), "a range has both of its ends: write ..3 - 1",
     P("for k in 0..3 - 1 fun g[k](x) = k;")},
    {P("for k in 0..=3 fun g[k](x) = k;"), "a range has both of its ends: write ..3",
     P("for k in 0..3 fun g[k](x) = k;")},
    {E("in(x)(y)"), "write in(x, y)", E("in(x, y)")},
    {E("undef<u8>()"), "each point has a value from the beginning: write 0", E("0")},
    {E("u8::max()"), "write the number, of u8 255, of u16 65535, of i8 127, of i16 32767, of i32 2147483647", NULL},
    {E("i16::min()"), "write the number, of unsigned types 0, of i8 -128, of i16 -32768, of i32 -2147483648", NULL},
    {E("in.width + x"), "write in.width()", E("in.width() + x")},
    {E("mirror(in)(x, y)"), "write mirror_image(in), or mirror_interior(in), which repeats no edge",
     E("mirror_image(in)(x, y)")},
    {P("fun f(x, y) = { let b = w; b; (x, y) <- w; }"), "write let b = w in b",
     P("fun f(x, y) = { let b = w in b; (x, y) <- w; }")},
    {P("fun f(x, y) = { let b = w; let c = 3; let d = c; d; (x, y) <- w; }"),
     "each let has its 'in', and the value stands behind the last: let b = w in let c = 3 in e",
     P("fun f(x, y) = { let b = w in let c = 3 in let d = c in d; (x, y) <- w; }")},
    {P("fun f(x, y) = { let b = w; let c = 3; let d = c; d; }"),
     "each let has its 'in', and the value stands behind the last: let b = w in let c = 3 in e", NULL},
    {P("fun f(x, y) = { w; let b = 2; (x, y) <- w; }"), "a let stands in the value that uses it: (x) <- let b = 2 in e",
     P("fun f(x, y) = { w; (x, y) <- let b = 2 in w; }")},
    {P("fun f(x, y) = { w; let b = 2; let c = 3; let d = 4; (x, y) <- w; }"),
     "lets stand in the value that uses them: (x) <- let b = 2 in let c = 3 in e",
     P("fun f(x, y) = { w; (x, y) <- let b = 2 in let c = 3 in let d = 4 in w; }")},
    // schedules
    {P("fun f(x, y) = w; f.vectorize(x, 8);"),
     "schedules are files of their own: write schedule s for p { f.vectorize(x, 8); } in FILE.sched", NULL},
    {P("fun f(x, y) = w; f.tile(x, y, xi, yi, 8, 8).parallel(y); f.compute_root();"),
     "schedules are files of their own: write schedule s for p { f.tile(x, y, xi, yi, 8, 8).parallel(y); } in "
     "FILE.sched",
     NULL},
    {P("for k in 0..1 { fun g[k](x) = x; g[k].compute_root(); }"),
     "schedules are files of their own: write schedule s for p { g[k].compute_root(); } in FILE.sched", NULL},
    {P("fun f(x, y) = { w; f.compute_root(); }"),
     "schedules are files of their own: write schedule s for p { f.compute_root(); } in FILE.sched", NULL},
    {P("schedule { o.parallel(y); }"),
     "a schedule is a file of its own, FILE.sched: schedule s for p { o.parallel(y); }", NULL},
    {P("schedule q for p { o.parallel(y); }"),
     "a schedule is a file of its own beside the algorithm's, FILE.sched, that begins with schedule q for p {", NULL},
    {P("") " schedule q for p { o.parallel(y); }",
     "a schedule is a file of its own beside the algorithm's, FILE.sched, that begins with schedule q for p {", NULL},
    {P("") " o.parallel(y);",
     "schedules are files of their own: write schedule s for p { o.parallel(y); } in FILE.sched", NULL},
    // lines
    {P("\n#include \"curves.alg\"\n"), "write include \"curves.alg\"; among the funcs, for a file of Halyard's", NULL},
    {"#include \"Halide.h\"\n" P(""), "leave it out", NULL},
    {P("\n#define N 3\n"), "write const N = 3;", NULL},
    {P("\n#define twice(e) (2*(e))\n"), "write def twice(e) = e;", NULL},
    {P("\n#pragma once\n"),
     "there is no preprocessor: funcs are chosen by if c { .. } else { .. }, and each file is included once", NULL},
    {P("\n# a comment's words\n"), "comments begin with //", P("\n// a comment's words\n")},
    {P("fun f(x) = x; # a comment's words\n"), "comments begin with //", NULL},
    // parameters
    {"pipeline p(u8 in[2]) { fun f(x, y) = in(x, y); }", "write in: u8[2]",
     "pipeline p(in: u8[2]) { fun f(x, y) = in(x, y); }"},
    {"pipeline p(int w) { fun f(x) = w; }", "write w: int", "pipeline p(w: int) { fun f(x) = w; }"},
    {"pipeline p(Input<int> w) { fun f(x) = w; }", "write w: int", NULL},
    {"pipeline p(Param<int32_t> w) { fun f(x) = w; }", "write w: i32", NULL},
    {"pipeline p(Input<Buffer<uint8_t, 2>> in) { fun f(x) = in(x, x); }", "write in: u8[2]", NULL},
    {"pipeline p(Input<Buffer<uint8_t>> in) { fun f(x) = in(x, x); }",
     "write in: u8[2], with the number of its dimensions", NULL},
    {"pipeline p(Buffer<uint8_t, 2> in) { fun f(x) = in(x, x); }", "write in: u8[2]", NULL},
    {"pipeline p(Buffer<uint8_t> in) { fun f(x) = in(x, x); }", "write in: u8[2], with the number of its dimensions",
     NULL},
    {"pipeline p(in: Buffer<uint8_t, 2>) { fun f(x) = in(x, x); }", "write in: u8[2]", NULL},
    {"pipeline p(in: Buffer<uint8_t>) { fun f(x) = in(x, x); }", "write in: u8[2], with the number of its dimensions",
     NULL},
    {"pipeline p(w: Param<int>) { fun f(x) = w; }", "write w: int", NULL},
    {"pipeline p(in: Image) { fun f(x) = in(x, x); }",
     "an image is written in: u8[2], the type of its elements and how many dimensions it has", NULL},
    {"pipeline p(in: u8[10][10]) { fun f(x) = in(x, x); }",
     "write in: u8[2], how many dimensions it has: its sizes come with the input; several images are a parameter each, "
     "in_0: u8[10], in_1: u8[10], ..",
     NULL},
    {"pipeline p(layer[6]: u8[3]) { fun f(x, y) = x + y; }",
     "each image is a parameter of its own: write layer_0: u8[3], layer_1: u8[3], ..", NULL},
    {"pipeline p(a[4]: int) { fun f(x) = x; }", "each is a parameter of its own: write a_0: int, a_1: int, ..", NULL},
    {P("fun f(x, y) = mux(y, {x, 2});"), "write mux(y, x, 2)", P("fun f(x, y) = mux(y, x, 2);")},
    {P("fun f(x) = (x, x); def inc(v) = for k in 0..1 v[k] + 1; fun g(x) = inc(f(x));"),
     "a for stands around funcs: write each value of a tuple, (v[0] + 1, v[1] + 1, ..)", NULL},
    {P("fun h(i) = { 0; rdom(r = (0, 9)) in let b = int(in(r, r)) in (b) <- h(b) + 1; };"),
     "a let does not reach the left side: write int(in(r, r)) for b there, (..) <- let b = int(in(r, r)) in h(b) + 1",
     NULL},
    {P("fun h(i) = { 0; rdom(r = (0, 9)) in let b = in(r, r) in (b) <- h(b) + 1; };"),
     "a let does not reach the left side: write in(r, r) for b there, (..) <- let b = in(r, r) in h(b) + 1", NULL},
    {P("fun h(i) = { 0; rdom(r = (0, 9)) in let b = a(r, r) in (b) <- h(b) + 1; };"),
     "a let does not reach the left side: write a(r, r) for b there, (..) <- let b = a(r, r) in h(b) + 1", NULL},
    {"pipeline p(w: int = 3 in 1..4) { fun f(x) = w; }", "write w: int in 1..4 = 3",
     "pipeline p(w: int in 1..4 = 3) { fun f(x) = w; }"},
    {"pipeline p(v: u8, w: int = 3 in 1..4, z: int) { fun f(x) = w; }", "write w: int in 1..4 = 3", NULL},
    {"pipeline p(w: int in [1, 4]) { fun f(x) = w; }", "write w: int in 1..4",
     "pipeline p(w: int in 1..4) { fun f(x) = w; }"},
    {"pipeline p(w: int in (1, 4)) { fun f(x) = w; }", "write w: int in 1..4", NULL},
    {"pipeline p(v: int, w: int in 1..v) { fun f(x) = w; }", "write require w <= v; among the funcs",
     "pipeline p(v: int, w: int) { require w <= v; fun f(x) = w; }"},
    {"pipeline p(v: int, w: int in v..9) { fun f(x) = w; }", "write require w >= v; among the funcs", NULL},
    // what is for storage alone
    {"pipeline p(in: f16[1]) { fun f(x) = sum(rdom(r = (0, 8)) in in(x + r)); }",
     "write sum(rdom(..) in f32(in(x + r)))",
     "pipeline p(in: f16[1]) { fun f(x) = sum(rdom(r = (0, 8)) in f32(in(x + r))); }"},
    {"pipeline p(in: bf16[1]) { fun f(x) = argmin(rdom(r = (0, 8)) in in(r))[0] + x; }",
     "write argmin(rdom(..) in f32(in(r)))", NULL},
    // an image's value as a coordinate is converted
    {P("fun f(i) = { 0; rdom(x = (0, 8)) in f(in(x, x)) += 1; };"), "write (int(in(x, x))) <- f(int(in(x, x))) + 1",
     P("fun f(i) = { 0; rdom(x = (0, 8)) in (int(in(x, x))) <- f(int(in(x, x))) + 1; };")},
    {P("fun f(i, j) = { 0; rdom(x = (0, 8)) in f(in(x, 0) / 2, int(in(x, 1))) += 1; };"),
     "write (int(in(x, 0) / 2), int(in(x, 1))) <- f(int(in(x, 0) / 2), int(in(x, 1))) + 1", NULL},
    {P("fun f(x) = { 0; f(x)++; };"), "write (x) <- f(x) + 1", P("fun f(x) = { 0; (x) <- f(x) + 1; };")},
    {P("fun f(x) = { 0; f(x)--; };"), "write (x) <- f(x) - 1", NULL},
    {P("fun f(x) = { 0; (x)++; };"), "write (x) <- f(x) + 1", P("fun f(x) = { 0; (x) <- f(x) + 1; };")},
    {P("fun f(x) = { 0; (x)--; };"), "write (x) <- f(x) - 1", NULL},
    {P("fun f(x) = { 0; x++; };"), "what changes is a point of the func: (x) <- f(x) + 1", NULL},
    // domains
    {P("fun f(x) = { 0; RDom r(0, 3); (x) <- f(x) + r; };"),
     "write rdom(r = (0, 3)) in before the update, and r for r.x",
     P("fun f(x) = { 0; rdom(r = (0, 3)) in (x) <- f(x) + r; };")},
    {P("fun f(x) = { 0; RDom r(0, 3, w, 4); (x) <- f(x) + 1; };"),
     "write rdom(rx = (0, 3), ry = (w, 4)) in before the update, and rx for r.x and ry for r.y",
     P("fun f(x) = { 0; rdom(rx = (0, 3), ry = (w, 4)) in (x) <- f(x) + 1; };")},
    {P("fun f(x) = { 0; RDom(r = (0, 3)) in (x) <- f(x) + r; };"), "write rdom(r = (0, 3))",
     P("fun f(x) = { 0; rdom(r = (0, 3)) in (x) <- f(x) + r; };")},
    {E("sum(RDom(r = (0, 3)) in r)"), "write sum(rdom(r = (0, 3)) in ..)", E("sum(rdom(r = (0, 3)) in r)")},
    {E("sum(RDom r(0, 3) in r)"), "write sum(rdom(r = (0, 3)) in ..)", E("sum(rdom(r = (0, 3)) in r)")},
    {P("fun f(x) = { 0; rdom(r = (0, 3)); (x) <- f(x) + r; };"), "write rdom(r = (0, 3)) in, and the update behind it",
     P("fun f(x) = { 0; rdom(r = (0, 3)) in (x) <- f(x) + r; };")},
    {P("fun f(x) = { 0; rdom(r = 0..w) in (x) <- r; }"), "write r = (0, w + 1): the minimum and the length", NULL},
    {P("fun f(x) = { 0; rdom(r = w..2*w) in (x) <- r; }"), "write r = (w, (2*w) - (w) + 1): the minimum and the length",
     NULL},
    // constants, parameters, outputs
    {P("K = 3;"), "write const K = 3;", P("const K = 3;")},
    {P("const lut(i) = i / 2;"),
     "write fun lut(i) = i / 2; or def lut(i) = i / 2; for a helper, which is written out where it stands",
     P("fun lut(i) = i / 2;")},
    {"pipeline p(w: int[1..5]) { fun f(x) = w; }", "write w: int in 1..5",
     "pipeline p(w: int in 1..5) { fun f(x) = w; }"},
    {"pipeline p(s: f32[-0.5 .. 1.0]) { fun f(x) = s; }", "write s: f32 in -0.5..1.0", NULL},
    {"pipeline p(w: int): f { fun f(x) = w; }", "write -> f", "pipeline p(w: int) -> f { fun f(x) = w; }"},
    {"pipeline p(w: int): int { fun f(x) = w; }", "leave it out: the output has the type of its func", NULL},
};

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source source;
  const hy_alg *alg;
} program;

static void read_program(program *p, const char *text) {
  *p = (program){hy_context_new(), hy_diagnostics_new(), {"test.alg", text, strlen(text)}, NULL};
  p->alg = hy_parse_alg(p->context, &p->source, p->diagnostics);
}

static void free_program(program *p) {
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
}

// One error, with that help; and no other.
static void expect_help(const hy_diagnostics *diagnostics, const char *text, const char *help) {
  hy_text said = {0};
  hy_diagnostics_print(diagnostics, &said);
  ck_assert_msg(hy_diagnostics_errors(diagnostics) == 1, "%s\nhas not one error:\n%s", text, hy_text_string(&said));
  const char *told = hy_diagnostics_at(diagnostics, 0)->help;
  ck_assert_msg(told && strcmp(told, help) == 0, "%s\nis not told \"%s\", but\n%s", text, help, hy_text_string(&said));
  hy_text_free(&said);
}

START_TEST(algorithms_are_told) {
  program p;
  read_program(&p, algorithms[_i].text);
  ck_assert_msg(!p.alg, "%s\nis accepted", algorithms[_i].text);
  expect_help(p.diagnostics, algorithms[_i].text, algorithms[_i].help);
  free_program(&p);
  if (!algorithms[_i].mended) return;
  program again;
  read_program(&again, algorithms[_i].mended);
  hy_text said = {0};
  hy_diagnostics_print(again.diagnostics, &said);
  ck_assert_msg(again.alg != NULL, "%s\nis refused:\n%s", algorithms[_i].mended, hy_text_string(&said));
  hy_text_free(&said);
  free_program(&again);
}
END_TEST

/* -- schedules -- */

static const char scheduled[] = "pipeline p(in: u8[2]) { fun f(x, y) = in(x, y);\n"
                                "  fun h(x) = { 0; rdom(r = (0, 96)) in (x) <- h(x) + int(f(x, r)); };\n"
                                "  fun g(x, y) = f(x, y) + u8(h(x)); fun o(x, y) = g(x, y) + g(x + 1, y); }";

static const habit_row schedules[] = {
    {"g.tile(x, y, xi, yi, 8, 8, TailStrategy::RoundUp);", "write round", "g.tile(x, y, xi, yi, 8, 8, round);"},
    {"h.update(0).split(r, ro, ri, 8).rfactor({{ro, u}, {ri, v}});",
     "write two, the second of the func that the first makes: rfactor(ro, u); h_intm.update(0).rfactor(ri, v); a split "
     "that makes ri stands in that second chain",
     NULL},
    {"g.split(x, xo, xi, 8, Halide::TailStrategy::ShiftInwards);", "write shift", "g.split(x, xo, xi, 8, shift);"},
    {"o.split(x, xo, xi, 8, TailStrategy::GuardWithIf);", "write guard", "o.split(x, xo, xi, 8, guard);"},
    {"o.vectorize(x, 8, TailStrategy::Predicate);", "write guard", NULL},
    {"o.vectorize(x, 8, TailStrategy::Auto);", "leave it out: the tail is then guard", NULL},
    {"o.vectorize(x, 8, TailStrategy::Other);", "a tail is guard, round or shift", NULL},
    {"o.vectorize(x, 8, hl.TailStrategy.RoundUp);", "write round", NULL},
    {"o.vectorize(x, 8, TailStrategy.GuardWithIf);", "write guard", NULL},
    {"o.vectorize(x, 8, Predicate);", "write guard", NULL},
    {"o.vectorize(x, 8, 3);", "write guard, round or shift (or GuardWithIf, RoundUp, ShiftInwards)", NULL},
    {"g.compute_root().store_in(MemoryType::Stack);", "write stack", NULL},
    {"g.compute_root().store_in(MemoryType::Heap);", "write heap", "g.compute_root().store_in(heap);"},
    {"g.compute_root().store_in(MemoryType::Register);", "write stack or heap, or leave it out", NULL},
    {"g.compute_root().store_in(Heap);", "write heap", NULL},
    {"g.compute_root().store_in(hl.MemoryType.Stack);", "write stack", NULL},
    {"g.compute_root().store_in(Register);", "write stack or heap", NULL},
    {"g.compute_root().store_in(3);", "write stack or heap", NULL},
    {"o.fuse(y, x, t);", "the inner loop is named first: write o.fuse(x, y, t)", "o.fuse(x, y, t);"},
    {"o.split(x, outer, inner, 8).fuse(outer, inner, t);",
     "the inner loop is named first: write o.fuse(inner, outer, t)",
     "o.split(x, outer, inner, 8).fuse(inner, outer, t);"},
    {"o.split(x, xo, xi, 8).fuse(xi, y, t);",
     "the inner loop is named first; the legal fusions of that stage are: o.fuse(xo, y, t), o.fuse(xi, xo, t)", NULL},
    {"fuse(o.x, y, t);", "the legal fusions of that stage are: fuse(o.s0.y, x, t)", "fuse(o.s0.y, x, t);"},
    {"g.compute_at(o, Var::outermost());", "name the outermost loop of that func, or write compute_root()", NULL},
    {"g.compute_at(LoopLevel::root());", "write compute_root()", NULL},
    {"g.compute_at(LoopLevel::inlined());", "write compute_inline()", NULL},
    {"o.partition(x, Partition::Always);",
     "leave it out: loops are cut where the guards of their middle are proved to hold", NULL},
    {"h.update(0).rfactor({{r, u}}).compute_root();", "write rfactor(r, u)",
     "h.update(0).rfactor(r, u).compute_root();"},
    {"o.tile({x, y}, {xo, yo}, {xi, yi}, {8, 8});", "write tile(x, y, xo, yo, xi, yi, 8, 8)",
     "o.tile(x, y, xo, yo, xi, yi, 8, 8);"},
    {"o.tile({x, y}, {xi, yi}, {8, 8});", "write tile(x, y, xi, yi, 8, 8)", NULL},
    {"o.reorder({y, x});", "write reorder(y, x)", "o.reorder(y, x);"},
    {"o.reorder_storage({y, x}, 3);", "write reorder_storage(y, x, ..)", NULL},
    {"o.specialize_fail(\"no\");",
     "leave this call out: what no condition selects is the general case; require stands in the algorithm", NULL},
    {"o.vectorize(x, natural_vector_size<u8>());",
     "write how many lanes, 32 of u8 or 8 of f32 where vectors have 256 bits", NULL},
    {"Var xi; o.split(x, x, xi, 8);", "leave it out: split and tile give the loops that they make their names", NULL},
    {"RVar ri;", "leave it out: split gives the loops that it makes their names", NULL},
    {"let n = 8; o.split(x, xo, xi, n);", "write 8 where n stands: schedules have no constants", NULL},
    {"const n = 8; o.parallel(y);", "write 8 where n stands: schedules have no constants", NULL},
    {"int n = 8; o.parallel(y);", "write 8 where n stands: schedules have no constants", NULL},
    {"if (in.width() > 3) { o.parallel(y); }",
     "a schedule's 'if' and 'for' know numbers, and the names of a 'for' around; what is known when the program runs "
     "is asked "
     "by f.specialize(condition), which has a copy of f for it",
     "o.specialize(in.width() > 3).parallel(y);"},
    {"o.parallel(y);;", "leave this ';' out", NULL},
    {"g.in(o)(x, y) += 1;", "a schedule changes no value: an update stands in the algorithm, in the braces of its func",
     NULL},
    {"o(x, y) += 1;", "a schedule changes no value: an update stands in the algorithm, in the braces of its func",
     NULL},
    {"g.in(o)(x, y) = 1;", "a schedule changes no value: a func stands in the algorithm, fun f(x, y) = e;", NULL},
    {"o(x, y) = g(x, y);", "a schedule changes no value: a func stands in the algorithm, fun f(x, y) = e;", NULL},
    {"o.parallel(x, y);", "write .parallel(x).parallel(y)", "o.parallel(x).parallel(y);"},
    {"o.vectorize(y, x);", "write .vectorize(y).vectorize(x)", NULL},
    {"h.compute_root().update(0).parallel(r);",
     "where its operator allows it, take the reduction apart, h.update(0).rfactor(r, u), whose parts have a pure loop "
     "u; "
     "the pure loops of that stage are: h.s1.x",
     "h.compute_root().update(0).rfactor(r, u).compute_root().update(0).parallel(u);"},
    {"h.compute_root().update(0).unroll(x);",
     "split the loop by a constant and unroll the inner one: h.update(0).unroll(x, 8) does both",
     "h.compute_root().update(0).unroll(x, 8);"},
    {"o.unroll(x);", "split the loop by a constant and unroll the inner one: o.unroll(x, 8) does both",
     "o.unroll(x, 8);"},
    {"o.specialize(in.dim(0).extent() > 3);", "write in.len(0)", "o.specialize(in.len(0) > 3);"},
    {"in.set_min(0);", "in the algorithm require in.left() == 0; and of an output out.bound(x, 0, 640)", NULL},
    {"o.bound_storage(x, 8);", "leave it out; f.fold_storage(y, 8) keeps the last 8 rows alone", NULL},
    {"o.never_partition_all();", "leave it out", NULL},
    {"o.set_estimates({{0, 100}, {0, 100}});",
     "leave the call out: no directive is chosen by estimates; f.bound(x, 0, 640) is a demand, which is proved or "
     "checked",
     NULL},
    {"g.compute_at(o, \"x\");", "write x: funcs and loops are named without quotes", "g.compute_at(o, x);"},
    {"o->vectorize(x, 8);", "write o.vectorize", "o.vectorize(x, 8);"},
    {"o.apply_autoscheduler();", "halyard tune FILE.alg, which finds schedules and writes them down", NULL},
    {"h.update(0).atomic().vectorize(r, 8);",
     "before .vectorize(r, 8) leave it out; for a parallel loop f.update(0).rfactor(r, u), whose parts are computed in "
     "parallel",
     "h.compute_root().update(0).vectorize(r, 8);"},
    {"o.realize(640, 480);", "halyard run FILE.alg FILE.sched --window x=0:640,y=0:480 -o out.png", NULL},
    {"g.parallel(y, num_threads=8);", "arguments have no names: write 8 in its place", NULL},
    {"g.split(x, xo, xi, factor=8);", "arguments have no names: write 8 in its place", "g.split(x, xo, xi, 8);"},
    {"const int n = 8; g.vectorize(x, n);", "write 8 where n stands: schedules have no constants", NULL},
};

START_TEST(schedules_are_told) {
  test_program p;
  test_program_open(&p, scheduled, schedules[_i].text);
  bool fine =
      p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics) && hy_pipeline_fill(&p.pipeline, p.diagnostics);
  ck_assert_msg(!fine, "%s\nis accepted", schedules[_i].text);
  expect_help(p.diagnostics, schedules[_i].text, schedules[_i].help);
  test_program_close(&p);
  if (!schedules[_i].mended) return;
  test_program_open(&p, scheduled, schedules[_i].mended);
  fine = p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics) && hy_pipeline_fill(&p.pipeline, p.diagnostics);
  ck_assert_msg(fine, "%s\nis refused:\n%s", schedules[_i].mended, test_program_said(&p));
  test_program_close(&p);
}
END_TEST

/* -- the tables -- */

enum { ANY = -1 };

static const struct {
  const char *word;
  int arguments;
  const char *instead;
} words[] = {
#define HY_WORD(word, arguments, instead) {word, arguments, instead},
#include "semantics/text/habits.def"
};

// "write fmod" up to the first argument: what is the same wherever the word stands
static bool begins_as_said(const char *help, const char *instead) {
  size_t same = strcspn(instead, "$");
  return strncmp(help, instead, same) == 0;
}

START_TEST(words_are_told) {
  static const char *const arguments[] = {"", "x", "x, y", "x, y, w"};
  int count = words[_i].arguments;
  char text[256];
  snprintf(text, sizeof text, count == ANY ? P("fun f(x, y) = %s;") : P("fun f(x, y) = %s(%s);"), words[_i].word,
           count == ANY ? "" : arguments[count]);
  program p;
  read_program(&p, text);
  ck_assert_msg(!p.alg, "%s\nis accepted", text);
  const char *help = hy_diagnostics_at(p.diagnostics, 0)->help;
  ck_assert_uint_eq(hy_diagnostics_errors(p.diagnostics), 1);
  ck_assert_msg(help && begins_as_said(help, words[_i].instead), "%s\nis told %s", text, help ? help : "nothing");
  ck_assert_msg(!strchr(help, '$'), "%s\nis told %s", text, help);
  free_program(&p);
}
END_TEST

static const struct {
  const char *other, *ours;
} spellings[] = {
#define HY_SPELLING(other, ours) {other, ours},
#include "semantics/text/habits.def"
};

START_TEST(types_are_told) {
  char text[256], help[64];
  snprintf(text, sizeof text, P("fun f(x, y) = %s(in(x, y));"), spellings[_i].other);
  snprintf(help, sizeof help, "write %s(in(x, y))", spellings[_i].ours);
  program p;
  read_program(&p, text);
  ck_assert(!p.alg);
  expect_help(p.diagnostics, text, help);
  free_program(&p);
  snprintf(text, sizeof text, "pipeline p(w: %s) { fun f(x) = w; }", spellings[_i].other);
  snprintf(help, sizeof help, "write %s", spellings[_i].ours);
  read_program(&p, text);
  expect_help(p.diagnostics, text, help);
  free_program(&p);
}
END_TEST

static const struct {
  const char *expected, *before, *here, *is, *instead;
} habits[] = {
#define HY_HABIT(expected, before, here, is, instead) {expected, before, here, is, instead},
#include "semantics/text/habits.def"
};

static int count_captures(const char *pattern) {
  int count = 0;
  for (; *pattern; pattern++) count += *pattern == '$';
  return count;
}

// What to write names captures that there are, and no row stands behind one that takes all that it takes.
START_TEST(rows_are_sound) {
  int captures = count_captures(habits[_i].before) + count_captures(habits[_i].here);
  for (const char *c = strchr(habits[_i].instead, '$'); c; c = strchr(c + 1, '$')) {
    char number = c[1 + (strchr("psbdkvil", c[1]) != NULL)];
    ck_assert_msg(number == 'F' || number == 'P' || number == 'V' || number == 'W' ||
                      (number >= '1' && number <= '0' + captures),
                  "%s", habits[_i].instead);
  }
  for (int i = 0; i < _i; i++)
    ck_assert_msg(strcmp(habits[i].before, habits[_i].before) != 0 || strcmp(habits[i].here, habits[_i].here) != 0 ||
                      !strstr(habits[_i].expected, habits[i].expected),
                  "%s | %s stands twice", habits[_i].before, habits[_i].here);
}
END_TEST

// Is it said of the text that it is what the row says, with the help that the row gives?
static bool is_said(const hy_diagnostics *diagnostics, int row) {
  const hy_diagnostic *told = hy_diagnostics_at(diagnostics, 0);
  const char *end = strstr(told->message, "' is ");
  return told->code == HY_E_OTHER_LANGUAGE && end && strcmp(end + strlen("' is "), habits[row].is) == 0 &&
         begins_as_said(told->help, habits[row].instead);
}

// Every row is said of some text above: no other row takes all its texts.
START_TEST(rows_are_tried) {
  bool said = false;
  for (size_t i = 0; i < HY_COUNT(algorithms) && !said; i++) {
    program p;
    read_program(&p, algorithms[i].text);
    said = is_said(p.diagnostics, _i);
    free_program(&p);
  }
  for (size_t i = 0; i < HY_COUNT(schedules) && !said; i++) {
    test_program p;
    test_program_open(&p, scheduled, schedules[i].text);
    said = !p.parsed && is_said(p.diagnostics, _i);
    test_program_close(&p);
  }
  ck_assert_msg(said, "no text above is told: %s", habits[_i].instead);
}
END_TEST

/* -- what is no habit -- */

// Words of other languages are names like any other.
static const char *const accepted[] = {
    P("fun cast(x) = x; fun f(x, y) = cast(x) + cast(y);"),
    P("def mix(b, c, d) = b + (c - b) * d; fun f(x, y) = mix(x, y, 3);"),
    P("const pi = 3; fun f(x, y) = x * pi;"),
    P("fun likely(x) = x; fun print(x) = likely(x); fun mod(x) = print(x); fun f(x, y) = mod(x);"),
    P("fun f(_, y) = _ + y;"),
    P("fun f(len, range) = len + range;"),
    P("fun Func(Var) = Var; fun f(x, y) = Func(x);"),
    P("fun f(x, y) = let uint8 = x in uint8 + 1;"),
    P("fun f(half, y) = (half) - y;"),
    P("fun f(cast, u) = select(cast < u, 1, 2);"),
    P("fun f(x, y) = x // a comment; and more\n;"),
    "pipeline p(as: u8[1], auto: int, output: int) { fun return(x) = as(x) + u8(auto - output); }",
};

START_TEST(names_are_names) {
  program p;
  read_program(&p, accepted[_i]);
  hy_text said = {0};
  hy_diagnostics_print(p.diagnostics, &said);
  ck_assert_msg(p.alg != NULL, "%s\nis refused:\n%s", accepted[_i], hy_text_string(&said));
  hy_text_free(&said);
  free_program(&p);
}
END_TEST

// What is defined further down, or is something else, is told as before.
static const habit_row elsewhere[] = {
    {P("fun f(x, y) = mod(x, 2); def mod(b, c) = b % c;"), "move the definition up", NULL},
    {P("fun f(x, y) = len(x); fun len(x) = x;"), "move the definition up", NULL},
    {P("fun f(x, y) = x.pi;"), "only images have members: in.min(d), in.max(d), in.len(d), in.width() and the like",
     NULL},
    {P("fun f(x, y) = in.clip(x, y, w);"),
     "its box is in.min(d), in.max(d) and in.len(d), with d a literal from 0 to 1", NULL},
};

START_TEST(meanings_come_first) {
  program p;
  read_program(&p, elsewhere[_i].text);
  expect_help(p.diagnostics, elsewhere[_i].text, elsewhere[_i].help);
  free_program(&p);
}
END_TEST

Suite *semantics_habits_suite(void) {
  Suite *suite = suite_create("semantics_habits");
  TCase *tables = tcase_create("tables");
  tcase_add_loop_test(tables, algorithms_are_told, 0, HY_COUNT(algorithms));
  tcase_add_loop_test(tables, schedules_are_told, 0, HY_COUNT(schedules));
  tcase_add_loop_test(tables, words_are_told, 0, HY_COUNT(words));
  tcase_add_loop_test(tables, types_are_told, 0, HY_COUNT(spellings));
  tcase_add_loop_test(tables, rows_are_sound, 0, HY_COUNT(habits));
  tcase_add_loop_test(tables, rows_are_tried, 0, HY_COUNT(habits));
  tcase_add_loop_test(tables, names_are_names, 0, HY_COUNT(accepted));
  tcase_add_loop_test(tables, meanings_come_first, 0, HY_COUNT(elsewhere));
  suite_add_tcase(suite, tables);
  return suite;
}
