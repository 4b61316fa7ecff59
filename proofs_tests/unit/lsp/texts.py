"""Checks of what is asked of one text: its layout, what is in it, where things are."""

import re

from client import span

BLUR = "pipeline p(in: u8[2]) {\n  fun f(x, y) = in(x, y) + 1;\n  fun g(x, y) = f(x, y - 1) + f(x, y);\n}\n"


def same(found, wanted):
    assert found == wanted, f"{found}\n  wanted\n{wanted}"


def formatted(c, name):
    answer = c.ask("textDocument/formatting", {"textDocument": {"uri": c.uri(name)}, "options": {"tabSize": 8, "insertSpaces": False}})
    return answer and [(span(edit["range"]), edit["newText"]) for edit in answer]


def check_layout(c):
    c.begin()
    assert c.ask("textDocument/formatting", {"textDocument": {"uri": c.uri("p.alg")}}) == {"error": -32602}
    c.open("p.alg", "pipeline p(in:u8[1]){ // \U0001f600\n fun f(x)=2 * in(x)+1;} // \U0001f600")
    same(formatted(c, "p.alg"), [("0:0-1:29", "pipeline p(in: u8[1]) { // \U0001f600\n  fun f(x) = 2 * in(x) + 1;\n} // \U0001f600\n")])
    c.change("p.alg", 2, {"text": BLUR})
    same(formatted(c, "p.alg"), [])
    c.change("p.alg", 3, {"text": BLUR.replace("f(x", "q(x")})  # what means nothing has a layout
    same(formatted(c, "p.alg"), [])
    c.change("p.alg", 4, {"text": "pipeline p("})
    same(formatted(c, "p.alg"), None)
    c.open("p.sched", "schedule s for p{f.compute_root();}")
    same(formatted(c, "p.sched"), [("0:0-0:35", "schedule s for p {\n  f.compute_root();\n}\n")])
    same(c.end(), 0)


ALGORITHM = """pipeline p(in: u8[2], w: int in 1..16) {
  const N = 4;
  def h(a, b) = a + b * N;
  fun f(x, y) = let t = in(x, y) in select(t < 3, t, in(x, y));
  fun g(x, y) = { int(f(x, y)) + w; rdom(r = (0, w), q = (0, N)) in (x, y) <- g(x, y) + h(r, q); };
  for k in 0..2 fun s[k](x, y) = if k == 0 then g(x, y) else s[k - 1](x + k, y);
  fun out(x, y) = sum both(rdom(r = (0, 3)) in s[2](x + r, y)) + g(x, in.min(0));
}
"""
SCHEDULE = """schedule one for p {
  for k in 0..1 s[k].compute_root().vectorize(x, 8);
  g.update(0).split(r, ro, ri, w).reorder(ri, ro, x, y);
  s[2].tile(x, y, xi, yi, 8, 8).vectorize(xi, 4).parallel(y);
  f.in(g).compute_at(g, y).unroll(x, 2).reorder(x_u, x);
  f_in_g.store_at(g, y);
  split(out.x, a, b, N); compute_at(both, out.a); swap(out.s0.a);
  wrap(in, w2, f); w2.compute_root(); f.bound(x, in.min(0), w);
}
"""
TARGET = """target p(in: u8[2], w: int) {
  assume range: w <= 9;
}
"""


def defined(c, name, text):
    """Of each line its words with where they are introduced; those that nothing introduces are left out."""
    lines = []
    for number, line in enumerate(text.split("\n")):
        words = []
        for match in re.finditer(r"[A-Za-z_]\w*", line):
            found = c.at("definition", name, number, match.start())
            behind = c.at("definition", name, number, match.end())
            assert behind == found, (line, match.group(), found, behind)  # the cursor may stand behind a name
            if found:
                words.append(f"{match.group()} {'' if found['uri'] == name else found['uri'] + ' '}{span(found['range'])}")
        lines.append("; ".join(words))
    return lines


def check_definitions_in_an_algorithm(c):
    c.begin()
    same(c.open("p.alg", ALGORITHM), [])
    same(defined(c, "p.alg", ALGORITHM), DEFINED_IN_ALGORITHM)
    same(c.at("definition", "p.alg", 0, 9)["uri"], "p.alg")
    same(c.at("definition", "p.alg", 1, 0), None)  # between words
    same(c.at("definition", "p.alg", 99, 99), None)
    same(c.at("definition", "p.alg", 3, 2000000000), None)
    same(c.end(), 0)


def check_definitions_in_a_schedule(c):
    c.begin()
    same(c.open("p.alg", ALGORITHM), [])
    c.open("p.sched", SCHEDULE)
    same(defined(c, "p.sched", SCHEDULE), DEFINED_IN_SCHEDULE)
    same(c.end(), 0)


def check_definitions_in_a_target_program(c):
    c.begin()
    c.open("p.tgt", TARGET)
    same(defined(c, "p.tgt", TARGET), ["p 0:7-0:8; in 0:9-0:11; w 0:20-0:21", "w 0:20-0:21", "", ""])
    same(c.end(), 0)


def check_definitions_in_texts_that_are_half_there(c):
    c.begin()
    broken = "pipeline p(in: u8[2]) {\n  fun f(x, y) = in(x, y;\n  fun g(x) = let t = f(x, in t +\n  fun h(y) = g(y) + x + f(; rdom(r = } r"
    c.open("p.alg", broken)
    same(defined(c, "p.alg", broken), [
        "p 0:9-0:10; in 0:11-0:13", "f 1:6-1:7; x 1:8-1:9; y 1:11-1:12; in 0:11-0:13; x 1:8-1:9; y 1:11-1:12",
        "g 2:6-2:7; x 2:8-2:9; t 2:17-2:18; f 1:6-1:7; x 2:8-2:9; in 0:11-0:13; t 2:17-2:18", "h 3:6-3:7; y 3:8-3:9; g 2:6-2:7; y 3:8-3:9; x 2:8-2:9; f 1:6-1:7; r 3:33-3:34; r 3:33-3:34"])
    c.open("p.sched", "schedule s for p { f.split(x, xo, xi, 8).reorder(xo, ")
    same(defined(c, "p.sched", "schedule s for p { f.split(x, xo, xi, 8).reorder(xo, "), [
        "s 0:9-0:10; p p.alg 0:9-0:10; f p.alg 1:6-1:7; x p.alg 1:8-1:9; xo 0:30-0:32; xi 0:34-0:36; xo 0:30-0:32"])
    same(c.end(), 0)


def check_loops_of_several_schedules(c):
    """Of one name, each is that of its own schedule and func."""
    c.begin()
    (c.folder / "p.alg").write_text(ALGORITHM)
    text = "schedule a for p {\n  f.split(x, xo, xi, 8);\n  g.split(x, xo, xi, 8).parallel(xo);\n}\nschedule b for p {\n  g.split(x, xo, xi, 8); f.split(x, xo, xi, 8); g.parallel(xo); f.parallel(xo);\n}\n"
    same(c.open("p.sched", text), [])
    same(defined(c, "p.sched", text)[2].split("; ")[-1], "xo 2:13-2:15")
    same([row for row in defined(c, "p.sched", text)[5].split("; ") if row.startswith("xo")], ["xo 5:13-5:15", "xo 5:36-5:38", "xo 5:13-5:15", "xo 5:36-5:38"])
    text += "schedule c for p {\n  f.parallel(xo);\n}\n"
    c.change("p.sched", 2, {"text": text})
    same(defined(c, "p.sched", text)[8], "f p.alg 3:6-3:7")  # there is none in this one
    same(c.end(), 0)


def referred(c, name, line, character, declared=True):
    return [f"{one['uri']} {span(one['range'])}" for one in c.at("references", name, line, character, context={"includeDeclaration": declared}) or []]


def check_references(c):
    c.begin()
    same(c.open("p.alg", ALGORITHM), [])
    c.open("p.sched", SCHEDULE)
    same(referred(c, "p.sched", 2, 2), ["p.alg 4:6-4:7", "p.alg 4:78-4:79", "p.alg 5:48-5:49", "p.alg 6:65-6:66", "p.sched 2:2-2:3", "p.sched 4:7-4:8",
                                        "p.sched 4:21-4:22", "p.sched 5:18-5:19"])
    same(referred(c, "p.alg", 0, 11, False), ["p.alg 3:24-3:26", "p.alg 3:53-3:55", "p.alg 6:70-6:72"])
    same(referred(c, "p.alg", 4, 41), ["p.alg 4:41-4:42", "p.alg 4:90-4:91"])  # not the other r
    same(referred(c, "p.sched", 3, 18), ["p.sched 3:18-3:20", "p.sched 3:42-3:44"])
    same(referred(c, "p.alg", 3, 33), [])  # a word
    same(c.end(), 0)


def listed(c, name):
    def row(one):
        return f"{one['name']} {one['detail']} {one['kind']} {span(one['range'])} {span(one['selectionRange'])}"
    rows = []
    for one in c.ask("textDocument/documentSymbol", {"textDocument": {"uri": c.uri(name)}}):
        rows += [row(one)] + ["  " + row(child) for child in one.get("children", [])]
    return rows


def check_symbols(c):
    c.begin()
    c.open("p.alg", ALGORITHM)
    same(listed(c, "p.alg"), [
        "p pipeline 2 0:0-7:1 0:9-0:10", "  in image 13 0:11-0:20 0:11-0:13", "  w parameter 13 0:22-0:37 0:22-0:23", "  N constant 14 1:2-1:14 1:8-1:9",
        "  h helper 12 2:2-2:26 2:6-2:7", "  f func 12 3:2-3:63 3:6-3:7", "  g func 12 4:2-4:99 4:6-4:7", "  s func 12 5:16-5:80 5:20-5:21",
        "  out func 12 6:2-6:81 6:6-6:9", "  both func 12 6:18-6:62 6:22-6:26"])
    c.open("p.sched", SCHEDULE + "schedule two for p")
    same(listed(c, "p.sched"), ["one schedule 2 0:0-8:1 0:9-0:12", "two schedule 2 9:0-9:18 9:9-9:12"])
    c.open("empty.sched", "")
    same(listed(c, "empty.sched"), [])
    same(c.end(), 0)


DEFINED_IN_ALGORITHM = [
    "p 0:9-0:10; in 0:11-0:13; w 0:22-0:23",
    "N 1:8-1:9",
    "h 2:6-2:7; a 2:8-2:9; b 2:11-2:12; a 2:8-2:9; b 2:11-2:12; N 1:8-1:9",
    "f 3:6-3:7; x 3:8-3:9; y 3:11-3:12; t 3:20-3:21; in 0:11-0:13; x 3:8-3:9; y 3:11-3:12; t 3:20-3:21; t 3:20-3:21; in 0:11-0:13; x 3:8-3:9; y 3:11-3:12",
    "g 4:6-4:7; x 4:8-4:9; y 4:11-4:12; f 3:6-3:7; x 4:8-4:9; y 4:11-4:12; w 0:22-0:23; r 4:41-4:42; w 0:22-0:23; q 4:53-4:54; N 1:8-1:9; x 4:8-4:9; y 4:11-4:12; g 4:6-4:7; x 4:8-4:9; y 4:11-4:12; h 2:6-2:7; r 4:41-4:42; q 4:53-4:54",
    "k 5:6-5:7; s 5:20-5:21; k 5:6-5:7; x 5:25-5:26; y 5:28-5:29; k 5:6-5:7; g 4:6-4:7; x 5:25-5:26; y 5:28-5:29; s 5:20-5:21; k 5:6-5:7; x 5:25-5:26; k 5:6-5:7; y 5:28-5:29",
    "out 6:6-6:9; x 6:10-6:11; y 6:13-6:14; both 6:22-6:26; r 6:32-6:33; s 5:20-5:21; x 6:10-6:11; r 6:32-6:33; y 6:13-6:14; g 4:6-4:7; x 6:10-6:11; in 0:11-0:13",
    "",
    "",
]
DEFINED_IN_SCHEDULE = [
    "one 0:9-0:12; p p.alg 0:9-0:10",
    "k 1:6-1:7; s p.alg 5:20-5:21; k 1:6-1:7; x p.alg 5:25-5:26",
    "g p.alg 4:6-4:7; r p.alg 4:41-4:42; ro 2:23-2:25; ri 2:27-2:29; w p.alg 0:22-0:23; ri 2:27-2:29; ro 2:23-2:25; x p.alg 4:8-4:9; y p.alg 4:11-4:12",
    "s p.alg 5:20-5:21; x p.alg 5:25-5:26; y p.alg 5:28-5:29; xi 3:18-3:20; yi 3:22-3:24; xi 3:18-3:20; y p.alg 5:28-5:29",
    "f p.alg 3:6-3:7; g p.alg 4:6-4:7; g p.alg 4:6-4:7; y p.alg 4:11-4:12; x p.alg 3:8-3:9; x_u 4:34-4:35; x p.alg 3:8-3:9",
    "f_in_g 4:4-4:6; g p.alg 4:6-4:7; y p.alg 4:11-4:12",
    "out p.alg 6:6-6:9; x p.alg 6:10-6:11; a 6:15-6:16; b 6:18-6:19; both p.alg 6:22-6:26; out p.alg 6:6-6:9; a 6:15-6:16; out p.alg 6:6-6:9; a 6:15-6:16",
    "in p.alg 0:11-0:13; w2 7:11-7:13; f p.alg 3:6-3:7; w2 7:11-7:13; f p.alg 3:6-3:7; x p.alg 3:8-3:9; in p.alg 0:11-0:13; w p.alg 0:22-0:23",
    "",
    "",
]
