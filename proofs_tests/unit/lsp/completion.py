"""Checks of completion: "|" is the cursor; each row says which labels there are, in order."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
ALGORITHM = """pipeline p(in: u8[2], w: int in 1..16) {
  fun f(x, y) = let t = in(x, y) in select(t < 3, t, in(x, y));
  fun g(x, y) = { int(f(x, y)) + w; rdom(r = (0, w), q = (0, 4)) in (x, y) <- g(x, y) + r * q; };
  for k in 0..2 fun s[k](x, y) = if k == 0 then g(x, y) else s[k - 1](x + k, y);
  fun out(x, y) = s[2](x, y) + g(x, in.min(0));
}
"""
FUNCS = "f g s_0 s_1 s_2 out in"
ALONE = ("wrap clone split_reduction rfactor compute_inline specialize split fuse swap traverse copy compute_at store_at bound bound_extent align_bounds slide "
         "reorder_storage align_storage store_in fold_storage set_stride require_stride set_host_alignment for if")
METHODS = ("in clone_in rfactor update specialize tile fuse reorder serial parallel vectorize unroll compute_at compute_root store_at store_root slide "
           "compute_inline split bound bound_extent align_bounds reorder_storage align_storage store_in fold_storage set_stride require_stride set_host_alignment")
MEMBERS = "min len extent max width height channels left right top bottom"
TYPES = "int bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 f16 bf16"


def split(marked):
    at = marked.index("|")
    before = marked[:at]
    return marked[:at] + marked[at + 1:], before.count("\n"), len(before) - (before.rfind("\n") + 1)


def items(c, name, marked, version):
    text, line, character = split(marked)
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri(name), "version": version, "text": text}})
    c.receive()  # its diagnostics
    return c.at("completion", name, line, character)


def labels(c, name, rows):
    wrong = []
    for version, (marked, wanted) in enumerate(rows):
        found = " ".join(item["label"] for item in items(c, name, marked, version))
        if found != wanted:
            wrong.append(f"{marked!r}: {found}, not {wanted}")
    assert not wrong, "\n".join(wrong)


HEADS = [
    ("|", "schedule"), ("sch|", "schedule"), ("schedule |", ""), ("schedule s |", "for"), ("schedule s for |", "p"), ("schedule s for p|", "p"),
    ("schedule s for p |", ""), ("schedule s for p { } |", "schedule"),
    ("schedule s for p { |", f"{FUNCS} {ALONE} default"), ("schedule s for p { g| }", f"{FUNCS} {ALONE} default"),
    ("schedule s for p { f.compute_root(); |", f"{FUNCS} {ALONE}"), ("schedule s for p { for k in 0..1 { |", f"{FUNCS} {ALONE}"),
    ("schedule s for p { f.compute_inline(); |", f"g s_0 s_1 s_2 out in {ALONE}"),  # what is inlined is no func any more
    ("schedule s for p { wrap(in, w2, f); |", f"w2 {FUNCS} {ALONE}"),
    ("schedule s for nope { |", f"{FUNCS} {ALONE} default"),
]
CALLS = [
    ("schedule s for p { f.|", METHODS), ("schedule s for p { f.spl|(x", METHODS), ("schedule s for p { s[1].|", METHODS), ("schedule s for p { f.compute_root().|", METHODS),
    ("schedule s for p { g.compute_root()|", ""), ("schedule s for p { g.compute_root() |", ""), ("schedule s for p { f.nothing(|", ""),
    ("schedule s for p { f.compute_root(|", ""), ("schedule s for p { // f.|", ""), ("schedule s for p { /* f.| */", ""), ("schedule s for p { /* */ f.|", METHODS),
]
LOOPS = [
    ("schedule s for p { f.split(|", "y x"), ("schedule s for p { f.split(|);", "y x"), ("schedule s for p { f.split(x, |);}", ""), ("schedule s for p { f.split(x, xo, |", ""),
    ("schedule s for p { f.split(x, xo, xi, |", "w in"), ("schedule s for p { f.split(x, xo, xi, in.|", MEMBERS), ("schedule s for p { f.split(x, xo, xi, 8, |", "guard round shift"),
    ("schedule s for p { f.split(x, xo, xi, 8).reorder(|", "y xo xi"), ("schedule s for p { f.split(x, x, xi, 8); f.reorder(|", "y x xi"),
    ("schedule s for p { f.reorder(|); f.split(x, xo, xi, 8);", "y x"),  # before it is split
    ("schedule s for p { f.split(x, xo, xi, 8).reorder(xi, |); f.parallel(xo);", "y xo"),
    ("schedule s for p { f.split(x, xo, xi, 8).reorder(xi|, xo); }", "y xi"),  # what is typed over may stay
    ("schedule s for p { f.fuse(x, y, t).parallel(|", "t"), ("schedule s for p { f.tile(x, y, xi, yi, 8, 8).vectorize(|", "y x yi xi"),
    ("schedule s for p { f.tile(x, y, xo, yo, xi, yi, 8, 8).unroll(|", "yo xo yi xi"),
    ("schedule s for p { f.tile(x, y, xi, yi, |", "w in"), ("schedule s for p { f.tile(x, y, xi, yi, 8, 8, |", "guard round shift"), ("schedule s for p { f.tile(x, y, |", ""),
    ("schedule s for p { g.reorder(|", "y x"), ("schedule s for p { g.update(0).reorder(|", "y x q r"), ("schedule s for p { g.update(0).split(r, ro, ri, 8).reorder(ri, |", "y x q ro"),
    ("schedule s for p { g.update(0).parallel(|", "y x"),  # not over a reduction,
    ("schedule s for p { g.update(0).vectorize(|", "y x q r"),  # but for one whose parts may be added in any order
    ("schedule s for p { g.update(0).serial(|", "y x q r"),
    ("schedule s for p { f.in(g).unroll(x, 2).reorder(|", "y x x_u"), ("schedule s for p { f.unroll(x, 2).in(g).reorder(|", "y x"),
    ("schedule s for p { for k in 0..1 s[k].split(x, xo, xi, 8).parallel(|", "y xo xi"), ("schedule s for p { for k in 0..1 { s[k].compute_root().vectorize(x, |", "k w in"),
    ("schedule s for p { s[1].split(x, xo, xi, 8).reorder(|", "y xo xi"), ("schedule s for nope { f.split(|", ""), ("schedule s for p { nope.split(|", ""),
    ("schedule s for p { split(|", "f g s_0 s_1 s_2 out"), ("schedule s for p { split(g.|", "y x s1.y s1.x s1.q s1.r"), ("schedule s for p { split(f.x, a, b, 4); swap(f.|", "y a b"),
    # of a specialization its own, of the general case without
    ("schedule s for p { f.split(x, xo, xi, 8); f.specialize(w == 1).parallel(|", "y xo xi"), ("schedule s for p { f.specialize(w == 1).split(x, xa, xb, 8).reorder(|", "y xa xb"),
    ("schedule s for p { f.specialize(w == 1).split(x, xa, xb, 8); f.reorder(|", "y x"),
    ("schedule s for p { f.specialize(w == 1).split(x, xa, xb, 8); f.specialize(w == 2).split(y, ya, yb, 8).reorder(|", "ya yb x"),
    ("schedule s for p { f.specialize(w == 1).split(x, xa, xb, 8); f.specialize(w == 2).split(y, ya, yb, 8); f.specialize(w == 1).vectorize(|", "y xa xb"),
    ("schedule s for p { specialize(f, w == 1); split(f.z1.x, xa, xb, 8); swap(f.|", "z1.s0.y z1.s0.xa z1.s0.xb y x"),
    ("schedule s for p { traverse(f.x, |", "serial parallel vectorized unrolled"),
]
SITES = [
    ("schedule s for p { f.compute_at(|", "g"), ("schedule s for p { f.compute_at(g, |)", "y x"), ("schedule s for p { f.store_at(g, |)", "y x"), ("schedule s for p { f.compute_at(g, x).store_at(g, |", "y x"),
    ("schedule s for p { f.compute_at(g, y).store_at(g, |", "y"), ("schedule s for p { store_at(f, |", "g.s0.y g.s0.x root"),
    ("schedule s for p { g.split(y, yo, yi, 8); f.compute_at(g, |).vectorize(x, 8); g.parallel(yo); }", "yo yi x"),
    ("schedule s for p { f.compute_at(g, y|); g.split(y, yo, yi, 8); }", "yo yi x"),  # loops that stand behind it, as sites are read last
    ("schedule s for p { s[1].compute_at(s[2], |", "y x"), ("schedule s for p { s[1].compute_at(|", "s_2"),
    # of a consumer with specializations, the loops that each of them has
    ("schedule s for p { g.specialize(w == 1).parallel(y); f.compute_at(g, |", "y x"), ("schedule s for p { g.specialize(w == 1).split(x, xo, xi, 8); f.compute_at(g, |", "y"),
    ("schedule s for p { g.specialize(w == 1).parallel(y); f.compute_at(|", "g"), ("schedule s for p { g.specialize(w == 1).parallel(y); compute_at(f, |", "g.s0.y g.s0.x root"),
    ("schedule s for p { g.compute_at(|", ""),  # two funcs read it, and no loop is around both
    ("schedule s for p { s_0.compute_at(s_2, y); g.compute_at(|", ""), ("schedule s for p { out.compute_at(|", ""), ("schedule s for p { in.compute_at(|", ""),
    ("schedule s for p { s_1.compute_at(s_2, y); s_0.compute_at(|", "s_2 s_1"),
    # what the whole schedule would be refused for is not offered
    ("schedule s for p { out.vectorize(x, 8); s[2].compute_at(out, |", "y x"), ("schedule s for p { out.parallel(y); s[2].store_root().compute_at(out, |", ""),
    ("schedule s for p { s[2].store_root().compute_at(out, |); out.split(y, yo, yi, 8).parallel(yi); }", "yo"), ("schedule s for p { out.parallel(y); compute_at(s_2, |", "out.s0.y out.s0.x root"),
    ("schedule s for p { f.compute_at(g, y); f.compute_at(|", ""), ("schedule s for p { f.compute_at(g, y); f.compute_at(g, |", ""), ("schedule s for p { f.store_at(g, x).compute_at(g, |", "x"),
    ("schedule s for p { f.store_at(g, |).compute_at(g, y); }", "y"), ("schedule s for p { out.nothing(); out.vectorize(x, 8); s[2].compute_at(out, |", "y x x_v"),  # which is wrong already
    ("schedule s for p { compute_at(f, |", "g.s0.y g.s0.x root"), ("schedule s for p { compute_at(f, g.|", "y x"), ("schedule s for p { compute_at(|", "f g s_0 s_1 s_2 out"),
]
INLINES = [  # what the statement speaks of is not inlined while it is typed
    ("schedule s for p { default inline; f.compute_at(g, |", "y x"), ("schedule s for p { default inline; f.compute_at(g, |);", "y x"), ("schedule s for p { default inline; f.compute_at(g, y|); }", "y x"),
    ("schedule s for p { default inline; f.vectorize(|", "y x"), ("schedule s for p { default inline; f.vectorize(|);", "y x"), ("schedule s for p { default inline; f.store_at(g, y).compute_at(g, |y).vectorize(x, 8); }", "y x"),
    ("schedule s for p { default inline; f.compute_at(|", "out g"), ("schedule s for p { default inline; s[1].compute_at(s[2], |", "y x"), ("schedule s for p { default inline; f.split(x, xo, xi, 8).reorder(|", "y xo xi"),
    ("schedule s for p { default inline; s[1].split(|", "y x"), ("schedule s for p { default inline; f.bound(|", "x y"), ("schedule s for p { default inline; f.compute_root(); f.split(|", "y x"),
    ("schedule s for p { default inline; nope.compute_at(nothing, |", ""),
]
OTHERS = [
    ("schedule s for p { f.bound(|", "x y"), ("schedule s for p { f.bound(x, |", "w in"), ("schedule s for p { bound(f, |", "x y"), ("schedule s for p { f.reorder_storage(y, |", "x y"),
    ("schedule s for p { f.store_in(|", "stack heap"), ("schedule s for p { f.in(|", "g"), ("schedule s for p { g.clone_in(|", "s_0 out"), ("schedule s for p { wrap(|", "f g s_0 s_1 s_2 out in"),
    ("schedule s for p { require_stride(|", "f g s_0 s_1 s_2 out in"), ("schedule s for p { set_host_alignment(|", "f g s_0 s_1 s_2 out in"),
    ("schedule s for p { set_stride(|", "f g s_0 s_1 s_2 out in"), ("schedule s for p { out.set_stride(|", "x y"),
    ("schedule s for p { wrap(in, |", ""), ("schedule s for p { specialize(f, |", "w in"),
]
BROKEN = [
    ("schedule s for p { nonsense(; f.reorder(|", "y x"), ("schedule s for p { q.parallel(x); f.split(x, x, xi, 4); f.reorder(|", "y x xi"),
    ("schedule t for p { !!! } schedule s for p { f.reorder(|", "y x"), ("schedule s for p { f.reorder(| } schedule t for p { !!! }", "y x"),
    ("schedule s for p { ) ] } schedule s for p { ( f.reorder(|", ""), ("schedule s for p { f.split(x, xo, xi, 0).reorder(|", "y x"), ("schedule s for p { f.split(x, xo, xi, 0); f.reorder(|", "y x"),
    ("schedule s for p {\n  f.split(x, xo,\n    xi, 8);\n  f.reorder(|\n}\n", "y xo xi"), ("|schedule s for p { f.reorder(", "schedule"), ("schedule s for p { f.re|order(", METHODS),
]


def with_algorithm(c, rows):
    c.begin()
    (c.folder / "p.alg").write_text(ALGORITHM)
    labels(c, "p.sched", rows)
    assert c.end() == 0


def check_heads_and_items(c):
    with_algorithm(c, HEADS)


def check_calls(c):
    with_algorithm(c, CALLS)


def check_loops_that_are_there(c):
    with_algorithm(c, LOOPS)


def check_sites(c):
    with_algorithm(c, SITES)


def check_funcs_that_would_be_inlined(c):
    with_algorithm(c, INLINES)


def check_other_arguments(c):
    with_algorithm(c, OTHERS)


def check_texts_with_errors(c):
    with_algorithm(c, BROKEN)


def check_what_is_said_of_an_item(c):
    c.begin()
    (c.folder / "p.alg").write_text(ALGORITHM)
    found = items(c, "p.sched", "schedule s for p { f.parallel(y).vectorize(x, 8).reorder(|", 1)
    assert found == [{"label": "y", "kind": 6, "sortText": "00000", "detail": "f.s0.y, parallel"}, {"label": "x", "kind": 6, "sortText": "00001", "detail": "f.s0.x"},
                     {"label": "x_v", "kind": 6, "sortText": "00002", "detail": "f.s0.x_v, vectorized"}], found
    found = items(c, "p.sched", "schedule s for p { |", 2)
    assert found[0] == {"label": "f", "kind": 3, "sortText": "00000", "detail": "u8 (x, y)"}, found[0]
    assert {"label": "swap", "kind": 2, "sortText": "00015", "detail": "swap(f.y)"} in found, found
    assert c.end() == 0


def column(path, pattern):
    return re.findall(pattern, (ROOT / path).read_text(), re.M)


def words():
    """The words of an algorithm, as the tables have them."""
    grammar = [word for word, place in column("lsp/words.def", r'^HY_LSP_WORD\("(\w+)".*, (\w+)\)$') if place != "SCHEDULE"]
    calls = [word for word in column("semantics/ops.def", r'^HY_OP\(\w+, *"([a-z0-9_]+)", +\d, +\w+, +0,') if word != "cast"]
    table = "semantics/alg/expand/expansions.def"
    forms = column(table, r'^HY_DERIVED\(\w+, "(\w+)"') + column(table, r'^HY_BOUNDARY\(\w+, "(\w+)"') + column(table, r'^HY_REDUCTION\(\w+, "(\w+)"')
    return " ".join(grammar + TYPES.split() + calls + forms)


def check_algorithms(c):
    c.begin()
    head = "pipeline p(in: u8[2], w: int) {"
    labels(c, "p.alg", [
        ("|", words()), ("pipeline |", ""), ("pipeline p(in: |", TYPES), ("pipeline p(in: u|", TYPES), (head + " fun |", ""), (head + " fun f(x) = let |", ""),
        (head + " fun f(x, y) = |; }", "y x f w in " + words()), (head + " fun f(x, y) = x; fun g(a) = |", "a g f w in " + words()),
        (head + " fun f(x) = let t = 1 in t + |; fun g(y) = y; }", "t x f w in " + words()), (head + " const N = 3; def h(a) = |; }", "a h N w in " + words()),
        (head + " fun f(x) = { 0; rdom(r = (0, 3)) in (x) <- |; }; }", "r x f w in " + words()), (head + " fun f(x) = sum(rdom(r = (0, 3)) in r) + |; }", "x f w in " + words()),
        (head + " for k in 0..3 fun f[k](x) = |; }", "x f k w in " + words()),
        (head + " fun f(x) = in.|", MEMBERS), (head + " fun f(x) = in.wi|dth()", MEMBERS), (head + " fun f(x) = w.|", ""), (head + " // |", "")])
    assert c.end() == 0


def check_target_programs_have_none(c):
    c.begin()
    labels(c, "p.tgt", [("target p(in: u8[2]) { |", "")])
    assert c.end() == 0
