"""Pipelines built with Python's operators: the text that they are, and what cannot be built."""

import fractions
import math

import halyard as hl

from support import BLUR, Suite, needs_numpy, numpy, rows, run, with_rows


class Scene:
    def __init__(self):
        self.p = p = hl.Pipeline("scene")
        self.x, self.y = p.vars("x y")
        self.image = p.image("in", hl.u8, 2)
        self.mask = p.image("mask", bool, 1)
        self.w = p.param("w", int)
        self.on = p.param("on", "bool")
        self.r = p.rdom(i=(0, 4), j=(-1, self.w))
        self.f = p.func("f")
        self.f[self.x, self.y] = self.image[self.x, self.y] + 1
        self.pair = p.func("pair")
        self.pair[self.x] = (self.x, self.x < 3)


def updated(scene):
    scene.f[scene.x, 0] = 3
    return scene.f


@with_rows
class Expressions(Suite):
    @rows({
        "addition": (lambda s: s.x + 1, "x + 1"),
        "number on the left": (lambda s: 3 - s.x, "3 - x"),
        "precedence": (lambda s: (s.x + 1) * -2, "(x + 1) * (-2)"),
        "quotient": (lambda s: s.x / s.y % 7, "x / y % 7"),
        "shifts": (lambda s: 1 << s.x >> 2, "1 << x >> 2"),
        "bits": (lambda s: s.x & 7 | s.y ^ ~s.x, "x & 7 | y ^ ~(x)"),
        "conditions": (lambda s: (s.x < 3) & (s.y != 1) | ~s.on, "x < 3 && y != 1 || !(on)"),
        "different conditions": (lambda s: s.on ^ (s.x == 0), "on != (x == 0)"),
        "a bool image": (lambda s: s.mask[s.x] & True, "mask(x) && bool(1)"),
        "a bool on the left": (lambda s: True & s.on, "bool(1) && on"),
        "a chosen condition": (lambda s: ~hl.select(s.on, s.x < 1, True), "!(select(on, x < 1, bool(1)))"),
        "reflected comparison": (lambda s: 3 < s.x, "x > 3"),
        "equality": (lambda s: s.x == s.y, "x == y"),
        "negation": (lambda s: -(-s.x), "-(-(x))"),
        "plus": (lambda s: +s.x, "x"),
        "abs": (lambda s: abs(s.x), "abs(x)"),
        "a number of a type on the left": (lambda s: hl.int_(3) - s.x, "int(3) - x"),
        "a number of a type that is an expression": (lambda s: s.p.number(hl.f32(1.0)) / 27, "f32(1.0) / 27"),
        "arms": (lambda s: hl.select(s.x == 0, 1, s.x == 1, 2, 3), "select(x == 0, 1, x == 1, 2, 3)"),
        "arms that are conditions": (lambda s: ~hl.select(s.on, s.x == 0, s.on, s.x == 1, s.on), "!(select(on, x == 0, on, x == 1, on))"),
        "by number": (lambda s: hl.mux(s.x, s.y, 2, 3), "mux(x, y, 2, 3)"),
        "by number, of a list": (lambda s: hl.mux(s.x, [s.y, 2]), "mux(x, y, 2)"),
        "least of three": (lambda s: hl.min(s.x, s.y, 3), "min(x, y, 3)"),
        "power": (lambda s: 2 ** hl.f32(s.x), "pow(2, f32(x))"),
        "rounded": (lambda s: round(hl.f32(s.x)), "round(f32(x))"),
        "math.floor": (lambda s: math.floor(hl.f32(s.x)), "floor(f32(x))"),
        "functions": (lambda s: hl.clamp(hl.min(s.x, 3), 0, hl.max(s.y, 9)), "clamp(min(x, 3), 0, max(y, 9))"),
        "derived": (lambda s: hl.absd(s.image[0, 0], hl.u8(3)), "absd(in(0, 0), u8(3))"),
        "conversion": (lambda s: hl.u16(s.image[s.x, s.y]), "u16(in(x, y))"),
        "conversion by name": (lambda s: hl.cast("f32", s.x), "f32(x)"),
        "typed number": (lambda s: s.x + hl.i32(-3), "x + i32(-3)"),
        "func": (lambda s: s.f[s.x - 1, s.y], "f(x - 1, y)"),
        "part": (lambda s: s.pair[s.x][1] & s.on, "pair(x)[1] & on"),
        "unpacked": (lambda s: sum_of(*s.pair[3]), "pair(3)[0] + pair(3)[1]"),
        "sum": (lambda s: hl.sum(s.r, s.image[s.r.i, s.r["j"]]), "sum(rdom(i = (0, 4), j = ((-1), w)) in in(i, j))"),
        "argmin": (lambda s: hl.argmin(s.r, s.image[s.r[0], s.r[1]])[2],
                   "argmin(rdom(i = (0, 4), j = ((-1), w)) in in(i, j))[2]"),
        "box": (lambda s: s.image.max(1) + s.image.width(), "in.min(1) + in.len(1) - 1 + in.len(0)"),
        "large": (lambda s: s.x + (2 ** 64 - 1), "x + 18446744073709551615"),
        "small": (lambda s: s.x + -2 ** 63, "x + (-9223372036854775808)"),
        "float": (lambda s: s.x * 1e-7, "x * 1.0e-7"),
        "fraction": (lambda s: s.x * fractions.Fraction(1, 4), "x * 0.25"),
        "operation by name": (lambda s: hl.operation("+", s.x, 1, s.y), "x + 1 + y"),
    })
    def prints(self, make, text):
        self.assertEqual(str(make(Scene())), text)

    def test_expressions_are_keys(self):
        s = Scene()
        self.assertEqual({s.x: 1, s.y: 2}[s.x], 1)

    @needs_numpy
    @rows({
        "uint8": ("uint8(3)", "x + 3"), "int64": ("int64(-3)", "x + (-3)"), "float32": ("float32(0.5)", "x + 0.5"),
        "bool": ("bool_(True)", "x + bool(1)"), "float16": ("float16(2)", "x + 2.0"),
    })
    def takes_numpys_scalars(self, scalar, text):
        s = Scene()
        number = eval(f"numpy.{scalar}", {"numpy": numpy})
        self.assertEqual(str(s.x + number), text)
        left = text.removeprefix("x + ").strip("()")
        self.assertEqual(str(number + s.x).replace("(", "").replace(")", ""), f"{left} + x".replace("(", "").replace(")", ""))

    @needs_numpy
    @rows({
        "on the right": (lambda s, array: s.x + array, "is given to realize"),
        "on the left": (lambda s, array: array * s.x, "is given to realize"),
        "compared": (lambda s, array: array < s.x, "is given to realize"),
        "and a func": (lambda s, array: array * s.f, "unsupported operand"),
        "as a coordinate": (lambda s, array: s.f[array], "a coordinate of 'f'"),
    })
    def refuses_numpys_arrays(self, make, text):
        with self.told(TypeError, text):
            make(Scene(), numpy.ones(3))

    @rows({
        "truth": (lambda s: bool(s.x), TypeError, "'a and b'"),
        "and": (lambda s: s.on and s.on, TypeError, "a & b"),
        "chained": (lambda s: 0 <= s.x < 3, TypeError, "(0 <= x) & (x < w)"),
        "in": (lambda s: s.x in [s.y], TypeError, "a & b"),
        "if": (lambda s: 1 if s.x == 0 else 2, TypeError, "halyard.select"),
        "index": (lambda s: [1, 2][s.x], TypeError, "no number"),
        "int": (lambda s: int(s.x), TypeError, "no number"),
        "iterated": (lambda s: list(s.x), TypeError, "no sequence"),
        "floor division": (lambda s: s.x // 2, TypeError, "write a / b"),
        "floor division on the left": (lambda s: 2 // s.x, TypeError, "write a / b"),
        "digits": (lambda s: round(s.x, 2), TypeError, "no digits"),
        "text": (lambda s: s.x + "1", TypeError, "not str"),
        "none": (lambda s: s.x * None, TypeError, "not NoneType"),
        "complex": (lambda s: s.x + 1j, TypeError, "not complex"),
        "a func as a value": (lambda s: s.f + s.x, TypeError, "write f[x, y]"),
        "a func as an operand": (lambda s: s.x + s.f, TypeError, "write f[x, y]"),
        "a domain": (lambda s: s.x + s.r, TypeError, "r.x or r['x']"),
        "a list": (lambda s: s.x + [1], TypeError, "not list"),
        "infinite": (lambda s: s.x + math.inf, hl.Misuse, "infinities and NaN"),
        "not a number": (lambda s: s.x + math.nan, hl.Misuse, "infinities and NaN"),
        "too large": (lambda s: s.x + 2 ** 64, hl.Misuse, "more than 64 bits"),
        "far too large": (lambda s: s.x + 10 ** 500, hl.Misuse, "1661 bits"),
        "too small": (lambda s: s.x + (-2 ** 63 - 1), hl.Misuse, "more than 64 bits"),
        "numbers alone": (lambda s: hl.min(1, 2), TypeError, "numbers alone"),
        "nothing but text": (lambda s: hl.sqrt("x"), TypeError, "not str"),
        "too few": (lambda s: hl.select(s.on, s.x), TypeError, "takes 3 operands or more, not 2"),
        "too many": (lambda s: hl.clamp(s.x, 0, 1, 2), TypeError, "takes 3 operands, not 4"),
        "nothing to choose from": (lambda s: hl.mux(s.x, 1), TypeError, "two or more, not 1"),
        "a number of a type and a number": (lambda s: hl.u8(3) + 4, TypeError, "write halyard.u8(a + b)"),
        "a number and one of a type": (lambda s: 27 / hl.f32(1.0), TypeError, "p.number(halyard.f32(1.0))"),
        "a number of a type, negated": (lambda s: -hl.i8(3), TypeError, "numbers alone are Python's"),
        "two of a type": (lambda s: hl.u8(3) * hl.u8(4), TypeError, "numbers alone are Python's"),
        "two of a type, compared": (lambda s: hl.u8(3) < hl.u8(4), TypeError, "numbers alone are Python's"),
        "a number of a type and a text": (lambda s: hl.u8(3) + "4", TypeError, "unsupported operand"),
        "no such operator": (lambda s: hl.operation("<>", s.x, 1), hl.Misuse, "no operator '<>'"),
        "zero byte": (lambda s: hl.operation("m\0in", s.x, 1), hl.Misuse, "zero character"),
        "comparison of three": (lambda s: hl.operation("<", s.x, 1, 2), hl.Misuse, "does not take 3"),
        "another pipeline": (lambda s: s.x + Scene().x, hl.Misuse, "belongs to pipeline 'scene'"),
        "another of that name": (lambda s: s.x + hl.Pipeline(s.p.name).var("z"), hl.Misuse, "not to another one of that name"),
        "another context": (lambda s: s.x + hl.Pipeline("q", context=hl.Context()).var("z"), hl.Misuse,
                            "and of another context"),
        "slice": (lambda s: s.f[0:3, 1], TypeError, "no slices"),
        "ellipsis": (lambda s: s.f[..., 1], TypeError, "not ellipsis"),
        "no part": (lambda s: s.pair[s.x][2], IndexError, "no value 2"),
        "negative part": (lambda s: s.pair[s.x][-1], IndexError, "no value -1"),
        "part by expression": (lambda s: s.pair[s.x][s.x], TypeError, "the number of a value"),
        "part of one": (lambda s: s.f[0, 0][1], IndexError, "no value 1: of one"),
        "iterated func": (lambda s: list(s.f), TypeError, "not iterable"),
        "no such dimension": (lambda s: s.image.min(2), hl.Misuse, "no dimension 2"),
        "a method that is not called": (lambda s: s.image.width + 1, TypeError, "a method is no number: write in.width()"),
        "... on the right": (lambda s: 1 - s.image.height, TypeError, "write in.height()"),
        "... compared": (lambda s: s.image.left < 2, TypeError, "write in.left()"),
        "... with an expression": (lambda s: s.x * s.image.width, TypeError, "write in.width()"),
        "... negated": (lambda s: -s.image.top, TypeError, "write in.top()"),
        "... of a dimension": (lambda s: hl.clamp(s.x, s.image.min, 9), TypeError, "not a method: write in.min(0)"),
        "... as a coordinate": (lambda s: s.image[s.image.width, 0], TypeError, "a coordinate of 'in' is a number or an expression, not a method: write in.width()"),
        "dimension beyond an int": (lambda s: s.image.min(2 ** 32), hl.Misuse, "no dimension"),
        "no such variable": (lambda s: s.r.k, AttributeError, "no variable 'k'"),
        "sum over nothing": (lambda s: hl.sum(s.x, s.x), TypeError, "goes over a reduction domain"),
        "sum of a number": (lambda s: hl.sum(s.r, 3), TypeError, "of an expression"),
        "a name that is taken": (lambda s: hl.sum(s.r, s.r.i, name="f"), hl.Misuse, "'f' is a func already"),
        "the func of a sum without name": (lambda s: hl.sum(s.r, s.r.i).func, hl.Misuse, "the reduction has no name"),
        "the func of no reduction": (lambda s: s.x.func, hl.Misuse, "the expression is no reduction"),
        "typed text": (lambda s: hl.u8("3"), TypeError, "converts expressions and numbers"),
    })
    def refuses(self, make, kind, text):
        with self.told(kind, text):
            make(Scene())


def sum_of(a, b):
    return a + b


@with_rows
class Definitions(Suite):
    def test_everything_that_can_be_built(self):
        p = hl.Pipeline("all")
        image = p.image("in", hl.u8, 2)
        w = p.param("w", int, 3, range=(0, 100), estimate=8)
        p.param("gain", hl.f32, 1, range=(-0.5, 2.0))
        p.param("on", bool, True)
        p.require(w <= image.len(0))
        p.contract("real")
        x, y = p.vars("x", "y")
        edge = hl.repeat_edge(image, name="edge")
        hl.constant_exterior(edge, 3, (0, w), (-1, 7))
        r = p.rdom(rx=(-2, 5))
        pair = p.func("pair")
        pair[x, y] = hl.sum(r, hl.u16(edge[x + r.rx, y])), 0.1
        o = p.func("o")
        o[x, y] = hl.select((x < w) & ~(y % 2 == 0), pair[x, y][0], hl.u16((x - (y - -3)) * image.len(0)))
        q = p.rdom(ry=(0, hl.max(w, 0)))
        q.where(q.ry > 2)
        o[x, q.ry] += 1
        o.assign((x, y), o[x, y] / 2, where=x > 3)
        best = p.func("best")
        best[x] = (x, hl.u8(3))
        best[x] = (best[x][0] + 1, image[x, 0])
        t = p.func("t")
        t[()] = 0
        t[()] += hl.int_(o[q.ry, q.ry])
        self.assertEqual(p.algorithm(), """pipeline all(in: u8[2], w: int in 0..100 = 3 estimate 8, gain: f32 in -0.5..2.0 = 1, on: bool = true) contract real {
  require w <= in.len(0);
  fun edge = repeat_edge(in);
  fun edge_constant_exterior = constant_exterior(edge, 3, (0, w), ((-1), 7));
  fun pair(x, y) = (sum(rdom(rx = ((-2), 5)) in u16(edge(x + rx, y))), 0.1);
  fun o(x, y) = {
    select(x < w && !(y % 2 == 0), pair(x, y)[0], u16((x - (y - (-3))) * in.len(0)));
    rdom(ry = (0, max(w, 0))) in (x, ry) <- o(x, ry) + 1 if ry > 2;
    (x, y) <- o(x, y) / 2 if x > 3;
  };
  fun best(x) = {
    (x, u8(3));
    (x) <- (best(x)[0] + 1, in(x, 0));
  };
  fun t() = {
    0;
    rdom(ry = (0, max(w, 0))) in () <- t() + int(o(ry, ry)) if ry > 2;
  };
}
""")
        result = p.check()
        self.assertTrue(result, result)

    def test_outputs_and_reductions_with_names(self):
        p = hl.Pipeline("several")
        image = p.image("in", hl.i32, 1)
        x = p.var("x")
        edge = hl.repeat_edge(image, name="edge")
        r = p.rdom(rx=(-2, 5))
        most = hl.maximum(r, edge[x + r.rx], name="most")
        f, g = p.funcs("f g")
        f[x] = most
        g[x] = hl.sum(r.where(r.rx % 2 == 0), edge[x + r.rx]) + f[x]
        p.outputs(g, f)
        most.func.compute_at(f, "x")
        most.func.update(0).unroll("rx")
        self.assertEqual(p.algorithm(), """pipeline several(in: i32[1]) -> (g, f) {
  fun edge = repeat_edge(in);
  fun f(x) = maximum most(rdom(rx = ((-2), 5)) in edge(x + rx));
  fun g(x) = sum(rdom(rx = ((-2), 5)) in edge(x + rx) if rx % 2 == 0) + f(x);
}
""")
        self.assertEqual(" ".join(p.schedule_text().split()),
                         "schedule s for several { most.compute_at(f, x); most.update(0).unroll(rx); }")
        result = p.check()
        self.assertTrue(result, result)
        self.assertEqual([each.name for each in result.declarations if each.role == "output"], ["g", "f"])
        p.outputs()
        self.assertIn("several(in: i32[1]) {", p.algorithm())

    def test_a_reduction_is_one_wherever_it_is_used(self):
        p = hl.Pipeline("shared")
        image = p.image("in", hl.u8, 1)
        x, y = p.vars("x y")
        r, q = p.rdom(k=(0, 5)), p.rdom(j=(0, 3))
        near = hl.sum(q, hl.int_(image[x + r.k + q.j]), name="near")
        best = hl.argmin(r, image[x + r.k], name="best")
        total = hl.sum(r.where(near * near > 3), near * near * best[0])
        o, f = p.funcs("o f")
        o[x, y] = (best[0] * 1000 + hl.int_(best[1]) + y, total * total)
        f[x] = best[0] + hl.int_(best[1]) + total
        p.outputs(f, o)
        best.func.compute_root()
        near.func.compute_root()
        self.assertEqual(p.algorithm(), """pipeline shared(in: u8[1]) -> (f, o) {
  fun o(x, y) = let t1 = argmin best(rdom(k = (0, 5)) in in(x + k)) in let t2 = sum(rdom(k = (0, 5)) in let t3 = \
sum near(rdom(j = (0, 3)) in int(in(x + k + j))) in t3 * t3 * t1[0] if near(x, k) * near(x, k) > 3) in \
(t1[0] * 1000 + int(t1[1]) + y, t2 * t2);
  fun f(x) = best(x)[0] + int(best(x)[1]) + sum(rdom(k = (0, 5)) in near(x, k) * near(x, k) * best(x)[0] if \
near(x, k) * near(x, k) > 3);
}
""")
        result = p.check()
        self.assertTrue(result, result)

    @rows({
        "an image": (lambda s: s.p.outputs(s.f, s.image), hl.Misuse, "'in' is an image: outputs are funcs"),
        "twice": (lambda s: s.p.outputs(s.f, s.f), hl.Misuse, "'f' is listed twice"),
        "a name": (lambda s: s.p.outputs("f"), hl.Misuse, "output 0 is no func"),
        "not defined": (lambda s: s.p.outputs(s.p.func("g")), hl.Misuse, "before it is defined"),
        "of another pipeline": (lambda s: s.p.outputs(Scene().f), hl.Misuse, "belongs to pipeline"),
        "a boundary without a box": (lambda s: hl.repeat_edge(s.f), hl.Misuse, "no box of its own"),
        "a boundary of two values": (lambda s: hl.repeat_edge(s.pair, (0, 3)), hl.Misuse, "has 2 values"),
        "a boundary of too many": (lambda s: hl.repeat_edge(s.mask, (0, 3), (0, 3)), hl.Misuse, "the box has 2 dimensions"),
        "an exterior without a value": (lambda s: hl.constant_exterior(s.image), TypeError, "takes the value"),
        "an end alone": (lambda s: hl.repeat_edge(s.image, 3), TypeError, "is (min, len)"),
    })
    def tells_of_outputs(self, make, kind, text):
        with self.told(kind, text):
            make(Scene())

    @rows({
        "used too early": (lambda s: s.p.func("g")[s.x], hl.Misuse, "before it is defined: g[x, y] = ..."),
        "updated too early": (lambda s: s.p.func("g").assign(s.x, 1), hl.Misuse, "before it is defined"),
        "no variable on the left": (lambda s: s.p.func("g").__setitem__(s.x + 1, 0), hl.Misuse, "no halyard_var"),
        "a number on the left": (lambda s: s.p.func("g").__setitem__(3, 0), hl.Misuse, "no halyard_var"),
        "a domain in a definition": (lambda s: s.p.func("g").__setitem__(s.x, s.r.i), hl.Misuse, "define it first, g[...] = 0"),
        "no value": (lambda s: s.p.func("g").__setitem__(s.x, ()), hl.Misuse, "no value"),
        "an array": (lambda s: s.p.func("g").__setitem__(s.x, {}), TypeError, "a value of 'g'"),
        "an image": (lambda s: s.image.__setitem__((s.x, s.y), 0), hl.Misuse, "is an input"),
        "two domains": (lambda s: s.f.__setitem__((s.r.i, s.p.rdom(k=(0, 2)).k), 1), hl.Misuse, "mentions 2"),
        "no domain": (lambda s: s.f.assign((s.x, s.y), 1, over=s.x), TypeError, "reduction domain, not Expr"),
        "an empty domain": (lambda s: s.f.assign((s.x, s.y), 1, over=s.p.rdom()), hl.Misuse, "no variable"),
        "no interval": (lambda s: s.p.rdom(i=3), TypeError, "(min, len)"),
        "an interval of text": (lambda s: s.p.rdom(i=("a", 3)), TypeError, "an end of 'i'"),
        "no condition": (lambda s: s.r.where(True), TypeError, "not bool"),
        "no such type": (lambda s: s.p.image("q", "u9", 2), hl.Misuse, "'u9' is no type"),
        "Python's float": (lambda s: s.p.image("q", float, 2), hl.Misuse, "no type of the language: int, bool, u8"),
        "None as a type": (lambda s: s.p.param("q", None), hl.Misuse, "None is no type"),
        "nine dimensions": (lambda s: s.p.image("q", hl.u8, 9), hl.Misuse, "0 to 8 dimensions"),
        "dimensions beyond an int": (lambda s: s.p.image("q", hl.u8, 2 ** 32 + 2), hl.Misuse, "0 to 8"),
        "half a dimension": (lambda s: s.p.image("q", hl.u8, 1.5), hl.Misuse, "0 to 8"),
        "no name": (lambda s: s.p.var("x) = 1; fun g(y"), hl.Misuse, "is no name of the language"),
        "a name of bytes": (lambda s: s.p.var(b"x"), TypeError, "a name is a str, not bytes"),
        "a name with a zero": (lambda s: s.p.var("x\0y"), hl.Misuse, "zero character"),
        "a lone surrogate": (lambda s: s.p.var("\udc80"), hl.Misuse, "surrogate"),
        "a pipeline without a name": (lambda s: hl.Pipeline(""), hl.Misuse, "is no name"),
        "half a range": (lambda s: s.p.param("q", int, range=(1,)), TypeError, "(first, last)"),
        "a default of text": (lambda s: s.p.param("q", int, "3"), TypeError, "a number is wanted"),
        "a boundary of an expression": (lambda s: hl.repeat_edge(s.f[s.x, s.y]), TypeError, "an image or a func"),
        "an undefined func": (lambda s: keep(s.p.func("g"), s.p.check), hl.Misuse, "'g' is never defined"),
        "building in what was parsed": (lambda s: hl.parse(BLUR).var("x"), hl.Misuse, "was parsed"),
    })
    def refuses(self, make, kind, text):
        with self.told(kind, text):
            make(Scene())

    # What a call can be told by itself and by what was declared before it is its own error.
    @rows({
        "arity": (lambda s: s.image[s.x], "'in' has 2 dimensions, and 1 coordinate is given"),
        "operands": (lambda s: hl.operation("min", s.x), "'min' takes 2 operands or more, not 1"),
        "unknown operator": (lambda s: hl.operation("frob", s.x, 1), "there is no operator 'frob'"),
        "image twice": (lambda s: s.p.image("in", hl.u8, 2), "'in' is an image already"),
        "parameter twice": (lambda s: s.p.param("w", int), "'w' is a parameter already"),
        "func like an image": (lambda s: s.p.func("in").__setitem__(s.x, 3), "'in' is an image already"),
        "a dimension twice": (lambda s: s.p.func("g").__setitem__((s.x, s.x), 3), "dimensions 0 and 1 are both 'x'"),
        "coordinates of an update": (lambda s: s.f.__setitem__(s.x, 3), "'f' has 2 dimensions, and 1 coordinate is given"),
        "values of an update": (lambda s: s.pair.__setitem__(s.x, 3), "'pair' has 2 values, and this update 1"),
        "a word": (lambda s: s.p.var("select"), "'select' is a word of the language"),
        "a variable twice": (lambda s: s.p.rdom(f=(0, 3)), "'f' is a func, and cannot name a variable"),
        "a text of another func": (lambda s: s.p.func_text("g", "fun h(x) = 1;"), "the text defines 'h', not 'g'"),
        "several values": (lambda s: s.pair[s.x] + 1, "a call of 'pair' has 2 values, and one is wanted"),
    })
    def calls(self, make, text):
        s = Scene()
        before = s.p.algorithm()
        with self.told(hl.Misuse, text):
            make(s)
        self.assertEqual(s.p.algorithm(), before)

    @rows({
        "func": (lambda s: s.p.func_text("g", "fun g(x) = ;"), "halyard_func_text", 12),
        "range": (lambda s: s.p.param("q", int, range=(5, 1)), "halyard_param_text", 11),
    })
    def texts(self, make, call, column):
        with self.assertRaises(hl.Refused) as caught:
            make(Scene())
        self.assertEqual((caught.exception.call, caught.exception.line, caught.exception.column), (call, 1, column))

    # What is wrong with the program itself is told by the check, with places.
    @rows({
        "types": (lambda s, g: g.__setitem__(s.x, s.image[s.x, 0] + s.w), "HY0205"),
        "bits of floats": (lambda s, g: g.__setitem__(s.x, hl.f32(s.x) & 1), "HY0206"),
        "unknown name": (lambda s, g: g.__setitem__(s.x, s.p.var("q")), "HY0201"),
        "literal": (lambda s, g: g.__setitem__(s.x, s.image[s.x, 0] + 300), "HY0207"),
    })
    def checks(self, define, code):
        s = Scene()
        define(s, s.p.func("g"))
        result = s.p.check()
        self.assertIs(result.verdict, hl.Verdict.REFUTED)
        first = result.diagnostics[0]
        self.assertEqual((first.code, first.severity, first.file), (code, "error", "algorithm"))
        self.assertGreater(first.line, 1)
        with self.told(hl.Unproved, code) as caught:
            result.compile()
        self.assertEqual((caught.exception.code, caught.exception.line), (code, first.line))


def keep(func, call):
    """The call, while that func is there."""
    return call(), func


class Whole(Suite):
    """Pipelines as a user of Halide's would write them: they are proved, and give what NumPy does."""

    def test_argmin_alone_is_all_values(self):
        p = hl.Pipeline("match")
        (x,) = p.vars("x")
        a, b = p.image("a", hl.u8, 1), p.image("b", hl.u8, 1)
        d = p.rdom(d=(-4, 9))
        best = p.func("best")
        best[x] = hl.argmin(d, hl.absd(a[x], b[x + d.d]))
        where, least = best[x]
        p.func("o")[x] = where * 1000 + hl.int_(least)
        self.assertIn("fun o(x) = best(x)[0] * 1000 + int(best(x)[1]);", p.algorithm())
        self.assertTrue(p.check())
        self.assertRaises(IndexError, lambda: best[x][2])

    @needs_numpy
    def test_matrix_product(self):
        p = hl.Pipeline("product")
        x, y = p.vars("x y")
        a, b = p.image("A", hl.i32, 2), p.image("B", hl.i32, 2)
        r = p.rdom(k=(0, a.width()))
        c, o = p.funcs("c o")
        c[x, y] = 0
        c[x, y] += a[r.k, y] * b[x, r.k]
        o[x, y] = c[x, y]
        o.tile(x, y, "xi", "yi", 16, 4).vectorize("xi", 8).parallel(y)
        c.compute_at(o, x).vectorize(x, 8).update(0).vectorize(x, 8)
        left, right = numpy.arange(600, dtype="i4").reshape(20, 30), numpy.arange(720, dtype="i4").reshape(30, 24)
        numpy.testing.assert_array_equal(p.realize((24, 20), A=left, B=right), left @ right)

    @needs_numpy
    def test_histogram_equalised(self):
        p = hl.Pipeline("equalise")
        x, y, i = p.vars("x y i")
        image = p.image("in", hl.u8, 2)
        r = p.rdom(x=(image.min(0), image.len(0)), y=(image.min(1), image.len(1)))
        s = p.rdom(s=(1, 255))
        count, below, o = p.funcs("count below o")
        count[i] = 0
        count[hl.int_(image[r.x, r.y])] += 1
        below[i] = count[0]
        below[s.s] = below[s.s - 1] + count[s.s]
        o[x, y] = hl.u8_sat(below[hl.int_(image[x, y])] * 255 / (image.width() * image.height()))
        pixels = numpy.random.default_rng(5).integers(0, 90, (50, 60)).astype("u1")
        expected = numpy.cumsum(numpy.bincount(pixels.ravel(), minlength=256))[pixels] * 255 // pixels.size
        numpy.testing.assert_array_equal(p.realize((60, 50), in_=pixels), expected)


@with_rows
class Schedules(Suite):
    @rows({
        "chain": (lambda s: s.f.tile(s.x, s.y, "xi", "yi", 8, 4).parallel(s.y), "f.tile(x, y, xi, yi, 8, 4).parallel(y);"),
        "func": (lambda s: s.f.store_root().compute_at(s.pair, s.x), "f.store_root().compute_at(pair, x);"),
        "word of Python's": (lambda s: s.image.in_(s.f).compute_root(), "in.in(f).compute_root();"),
        "update": (lambda s: updated(s).update(0).vectorize("x", 8), "f.update(0).vectorize(x, 8);"),
        "update in a chain": (lambda s: s.f.parallel("y").update(1).unroll("x"), "f.parallel(y).update(1).unroll(x);"),
        "condition": (lambda s: s.f.specialize(s.w == 1).vectorize("x", 8, "shift"),
                      "f.specialize(w == 1).vectorize(x, 8, shift);"),
        "parameter": (lambda s: s.f.split("x", "xo", "xi", s.w * 2), "f.split(x, xo, xi, w * 2);"),
        "text": (lambda s: s.p.schedule("f.parallel(y);"), "f.parallel(y);"),
        "stage twice": (lambda s: [updated(s).update(0)._direct("parallel", "y"), s.pair.parallel("x")][0],
                        "f.update(0).parallel(y); pair.parallel(x);"),
    })
    def prints(self, direct, text):
        s = Scene()
        direct(s)
        said = " ".join(s.p.schedule_text().split())
        self.assertEqual(said, f"schedule s for scene {{ {text} }}")
        s.p.unschedule()
        self.assertEqual(s.p.schedule_text(), "schedule s for scene {\n}\n")

    @rows({
        "no such directive": (lambda s: s.f.vectorise("x", 8), AttributeError, "vectorise"),
        "too few arguments": (lambda s: s.f.split("x", "xo"), hl.Misuse, "'split' takes 4 to 5 arguments, not 2"),
        "no such update": (lambda s: updated(s).update(1).parallel("x"), hl.Misuse, "has 1 update, and no update 2"),
        "a text that is none": (lambda s: s.p.schedule("f.(;"), hl.Refused, "expected a directive, found '('"),
        "of an image": (lambda s: s.image.compute_root(), hl.Misuse, "but for 'in'"),
        "evil name": (lambda s: s.f.split("x", "xo); evil(", "xi", 8), hl.Misuse, "is no name"),
        "no argument": (lambda s: s.f.parallel(None), TypeError, "an argument of parallel"),
        "a float": (lambda s: s.f.parallel(math.nan), hl.Misuse, "infinities"),
        "another pipeline's func": (lambda s: s.f.compute_at(Scene().f, "x"), hl.Misuse, "belongs to pipeline"),
        "a chain that ended": (lambda s: [s.f.parallel("y"), s.pair.parallel("x")][0].unroll("x"), hl.Misuse,
                               "begin one with f.unroll(...)"),
        "a chain behind text": (lambda s: [s.f.parallel("y"), s.p.schedule("pair.parallel(x);")][0].unroll("x"), hl.Misuse,
                                "has ended"),
        "behind a file": (lambda s: (s.p.parse_schedule("schedule a for scene { }"), s.f.parallel("y")), hl.Misuse,
                          "one of a file"),
        "no stage": (lambda s: s.f.update(-1), hl.Misuse, "counts from 0"),
        "stage by name": (lambda s: s.f.update("0"), hl.Misuse, "counts from 0"),
        "undefined": (lambda s: s.p.func("g").compute_root(), hl.Misuse, "before it is defined"),
        "text of bytes": (lambda s: s.p.schedule(b"f.parallel(y);"), TypeError, "not bytes"),
    })
    def refuses(self, direct, kind, text):
        with self.told(kind, text):
            direct(Scene())

    def test_tables_are_the_librarys(self):
        self.assertIn("clamp", hl.FUNCTIONS)
        self.assertIn("mux", hl.FUNCTIONS)
        self.assertIn("argmax", hl.REDUCTIONS)
        self.assertIn("splits two loops", hl.Func.tile.__doc__)
        self.assertIn("lazy mode", hl.select.__doc__)
        self.assertEqual([str(each) for each in hl.TYPES][:3], ["int", "bool", "u8"])

    def test_star_hides_nothing_of_pythons(self):
        import builtins
        self.assertEqual([name for name in hl.__all__ if hasattr(builtins, name)], [])
        self.assertEqual([name for name in hl.__all__ if not hasattr(hl, name)], [])


if __name__ == "__main__":
    run()
