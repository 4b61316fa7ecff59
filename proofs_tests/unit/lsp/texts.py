"""Checks of what is asked of one text: its layout, what is in it, where things are."""

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
