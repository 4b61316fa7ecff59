"""Checks of hover: what is said of a word at a place, exactly."""

import re
import subprocess

from client import span

ALGORITHM = """pipeline p(in: u8[2], w: int in 1..16) {
  const N = 4;
  def h(a, b) = a + b * N;
  fun f(x, y) = let t = in(x, y) in select(t < 3, t, in(x, y));
  fun g(x, y) = { int(f(x, y)) + w; rdom(r = (0, w), q = (0, N)) in (x, y) <- g(x, y) + h(r, q) if r != q; };
  for k in 0..2 fun s[k](x, y) = if k == 0 then g(x, y) else s[k - 1](x + k, y);
  fun out(x, y) = -s[2](x, y) + int(widening_add(in(x, y), in(x, in.min(0))));
}
"""
SCHEDULE = """schedule one for p {
  g.update(0).split(r, ro, ri, w).reorder(ri, ro, x, y);
  s[2].tile(x, y, xi, yi, 8, 8).vectorize(xi, 4).parallel(y);
  f.in(g).compute_at(g, y).unroll(x, 2);
  f_in_g.vectorize(x_u);
  f.compute_inline(); traverse(out.x, serial);
  g.bound(x, in.min(0), w);
}
"""


def code(text, *more):
    return "\n".join(["```halyard", text, "```", *more, ""])


def column_of(line, word, turn):
    edges = (r"(?<!\w)", r"(?!\w)") if word[0].isalnum() else ("", "")
    return [match.start() for match in re.finditer(edges[0] + re.escape(word) + edges[1], line)][turn]


def said(c, name, text, line, word, turn=0):
    """What is said of the word, of which the range has to be its own; "turn": which of those in its line."""
    column = column_of(text.split("\n")[line], word, turn)
    answer = c.at("hover", name, line, column)
    if answer is None:
        return None
    assert span(answer["range"]) == f"{line}:{column}-{line}:{column + len(word)}", (word, answer["range"])
    assert answer["contents"]["kind"] == "markdown"
    return answer["contents"]["value"]


def compare(c, name, text, rows):
    wrong = []
    for line, word, turn, wanted in rows:
        found = said(c, name, text, line, word, turn)
        if found != wanted:
            wrong.append(f"{word} of line {line}:\n{found}\n  wanted\n{wanted}")
    assert not wrong, "\n".join(wrong)


def check_names_of_an_algorithm(c):
    c.begin()
    assert c.open("p.alg", ALGORITHM) == []
    compare(c, "p.alg", ALGORITHM, [
        (0, "pipeline", 0, code("pipeline NAME(in: u16[2], w: int in 1..16 = 3) -> (f, g) { ... }",
                                "an algorithm: its images and parameters, and which funcs are its outputs (the last one, where none is listed)")),
        (0, "w", 0, code("w: int in 1..16", "parameter")), (1, "N", 0, code("const N = 4;", "constant")), (2, "N", 0, code("const N = 4;", "constant")),
        (2, "h", 0, code("def h(a, b) = a + b * N;", "helper")), (2, "b", 1, code("b", "argument of `h`")),
        (3, "t", 1, code("let t = in(x, y) in select(t < 3, t, in(x, y));", "value")), (3, "x", 0, code("x", "dimension of `f`")),
        (4, "r", 0, code("r = (0, w)", "reduction variable of `g`")),
        (5, "k", 1, code("for k in 0..2 fun s[k](x, y) = if k == 0 then g(x, y) else s[k - 1](x + k, y);", "number of a for"))])
    assert c.end() == 0


def check_words_and_operators(c):
    c.begin()
    assert c.open("p.alg", ALGORITHM) == []
    compare(c, "p.alg", ALGORITHM, [
        (0, "u8", 0, code("u8(a)", "a type, and the conversion to it; unsigned, 8 bits: it wraps around")),
        (0, "int", 0, code("int(a)", "a type, and the conversion to it; the whole numbers, as far as 64 bits reach: what lies outside is an arithmetic error")),
        (2, "+", 0, code("a + b", "sum; int outside 64 bits is an arithmetic error, fixed width wraps")), (6, "-", 0, code("-a", "negation")),
        (3, "select", 0, code("select(a, b, c)", "lazy mode: evaluates only the arm that it selects (decision D4)")), (3, "<", 0, code("a < b", "less")),
        (4, "rdom", 0, code("rdom(r = (min, length), ...) in ... if e", "reduction variables: a loop of an update or of sum(..), in this order")),
        (5, "if", 0, code("if c then a else b;  if c { ... } else { ... };  if e behind an update", "a choice that is known in the text; behind an update: for which points it is done")),
        (6, "widening_add", 0, code("widening_add(a, b)", "of integers of 8, 16 or 32 bits; gives the type of twice the width")),
        (6, "min", 0, code("min(d)", "the least coordinate of the image's box in dimension d")),
        (0, "in", 1, None), (3, "in", 1, None), (1, "=", 0, None), (1, "4", 0, None)])
    assert c.at("hover", "p.alg", 99, 0) is None and c.at("hover", "p.alg", 2, 0) is None
    assert c.end() == 0


BLUR = "pipeline p(in: u8[2]) {\n  fun f(x, y) = in(x, y) + 1;\n  fun g(x, y) = f(x, y - 1) + f(x, y);\n}\n"


def check_a_func_with_its_bounds(c):
    c.begin()
    c.open("p.alg", BLUR)
    compare(c, "p.alg", BLUR, [(2, "f", 0, code("fun f(x, y): u8", """read by g

Bounds, schedule `default`:
```
  f allocated, dimension x: (x.min, x.len)
      lower: tight, forced by what is computed of f
      upper: tight, forced by what is computed of f
  f allocated, dimension y: (y.min - 1, y.len + 1)
      lower: tight, forced by what is computed of f
      upper: tight, forced by what is computed of f
  f computed, dimension x: (x.min, x.len)
      lower: tight, forced by f(x, y - 1), read by g (p.alg:3:17), over the loop g.s0.x
      upper: tight, forced by f(x, y - 1), read by g (p.alg:3:17), over the loop g.s0.x
  f computed, dimension y: (y.min - 1, y.len + 1)
      lower: tight, forced by f(x, y - 1), read by g (p.alg:3:17), over the loop g.s0.y
      upper: tight, forced by f(x, y), read by g (p.alg:3:31), over the loop g.s0.y
```""")), (1, "in", 0, code("in: u8[2]", """read by f

What it has to hold:
```
in.min(0) <= x.min && x.min + x.len <= in.min(0) + in.len(0) && in.min(1) <= y.min - 1 && y.min - 1 + (y.len + 1) <= in.min(1) + in.len(1)
```"""))])
    assert c.end() == 0


def explained(c, schedule):
    """Of each func what "halyard check --explain" says of it."""
    files = [c.folder / "p.alg"] + ([c.folder / "p.sched"] if schedule else [])
    lines = subprocess.run([c.server.args[0], "check", *files, "--explain"], cwd=c.folder, capture_output=True, text=True, check=True).stdout.split("\n")
    of_func = {}
    for number, line in enumerate(lines):
        match = re.match(r"  (?:loop )?(\w+)(?: (?:allocated|computed)|\.)", line)
        if match:
            of_func.setdefault(match.group(1), []).extend(lines[number:number + 3])
    return {func: "\n".join(found).replace(str(c.folder) + "/", "") for func, found in of_func.items()}


def check_bounds_are_those_of_explain(c):
    c.begin()
    (c.folder / "p.alg").write_text(ALGORITHM)
    (c.folder / "p.sched").write_text(SCHEDULE)
    assert c.open("p.alg", ALGORITHM) == []
    of_func, seen = explained(c, False), 0
    for func, (line, word) in {"f": (3, "f"), "g": (4, "g"), "s_0": (5, "s"), "out": (6, "out"), "s_2": (6, "s")}.items():
        found = said(c, "p.alg", ALGORITHM, line, word)
        assert found.endswith(f"Bounds, schedule `default`:\n```\n{of_func[func]}\n```\n"), (func, found, of_func[func])
        seen += 1
    assert c.open("p.sched", SCHEDULE) == [], SCHEDULE
    of_func = explained(c, True)
    for func, (line, word, turn) in {"g": (1, "g", 0), "s_2": (2, "s", 0), "out": (5, "out", 0)}.items():
        found = said(c, "p.sched", SCHEDULE, line, word, turn)
        assert found.endswith(f"Bounds, schedule `one`:\n```\n{of_func[func]}\n```\n"), (func, found, of_func[func])
        seen += 1
    assert seen == 8
    assert said(c, "p.sched", SCHEDULE, 3, "f").endswith("No bounds, schedule `one`: it is not computed.\n")  # inlined
    assert c.end() == 0


def check_funcs_have_their_stages(c):
    c.begin()
    assert c.open("p.alg", ALGORITHM) == []
    found = said(c, "p.alg", ALGORITHM, 4, "g")
    assert found.startswith(code("fun g(x, y): int", "read by s_0", "", "- update 0 over `r` in `(0, w)`, `q` in `(0, 4)`, where a condition holds", "", "Bounds")[:-1]), found
    assert said(c, "p.alg", ALGORITHM, 6, "out").startswith(code("fun out(x, y): int", "an output; read by no other func")), found
    c.change("p.alg", 2, {"text": ALGORITHM.replace("select(", "selekt(")})  # nothing is known of it but what is written
    compare(c, "p.alg", ALGORITHM, [(3, "f", 0, code("fun f(x, y) = let t = in(x, y) in selekt(t < 3, t, in(x, y));", "func"))])
    assert c.end() == 0


def check_loops_and_directives_of_a_schedule(c):
    c.begin()
    (c.folder / "p.alg").write_text(ALGORITHM)
    assert c.open("p.sched", SCHEDULE) == []
    compare(c, "p.sched", SCHEDULE, [
        (0, "schedule", 0, code("schedule NAME for PIPELINE { ... }", "how a pipeline is computed; it changes no value")), (0, "one", 0, code("schedule one for p", "schedule")),
        (0, "p", 0, code("pipeline p", "pipeline")), (1, "update", 0, code("update(k)", "turns to the k-th update of the func, from 0; .update() is .update(0)")),
        (1, "ro", 0, code("for rdom g.s1.ro in (0, (w + (w - 1))/w)", "made by `split(r, ro, ri, w)`")), (1, "w", 0, code("w: int in 1..16", "parameter")),
        (2, "tile", 0, code("tile(x, y[, xo, yo], xi, yi, width, height[, tail])", "splits two loops, and puts the inner parts inside of both outer ones")),
        (5, "traverse", 0, code("traverse(f.x, serial|parallel|vectorized|unrolled)", "sets the order in which a loop is traversed", "", "phase: loops")),
        (5, "serial", 0, code("traverse(f.x, serial)", "one iteration after the other")), (2, "8", 0, None),
        (6, "min", 0, code("min(d)", "the least coordinate of the image's box in dimension d"))])
    assert c.end() == 0


def check_a_schedule_with_errors(c):
    c.begin()
    (c.folder / "p.alg").write_text(ALGORITHM)
    text = SCHEDULE.replace("reorder(ri", "reorder(rj")
    assert len(c.open("p.sched", text)) == 1
    compare(c, "p.sched", text, [(1, "ro", 0, "made by `split(r, ro, ri, w)`\n"), (3, "f", 0, code("fun f(x, y): u8", "read by g", "", "No bounds: the schedule has errors."))])
    (c.folder / "p.alg").unlink()
    compare(c, "p.sched", text, [(3, "f", 0, None), (1, "split", 0, code(
        "split(x, outer, inner, factor) or split(x, outer, inner, factor, tail)", "makes two nested loops of one; the tail is guarded, rounded up or shifted inwards", "", "phase: loops"))])
    assert c.end() == 0
