"""Checks of diagnostics: of each language, of texts that change, of texts that depend on each other."""

import subprocess

from client import told

BLUR = "pipeline p(in: u8[2]) {\n  fun f(x, y) = in(x, y) + 1;\n  fun g(x, y) = f(x, y - 1) + f(x, y);\n}\n"


def same(found, wanted):
    assert found == wanted, "\n".join(found) + "\n  wanted\n" + "\n".join(wanted)


def schedule(items):
    return f"schedule s for p {{\n  {items}\n}}\n"


def check_an_algorithm_that_changes(c):
    c.begin(related=True)
    same(told(c.open("p.alg", BLUR)), [])
    same(told(c.change("p.alg", 2, {"text": BLUR.replace("+ 1", "+ x")})), [
        "error 1:25-1:26 HY0205 '+' needs one type, but 'in(x, y)' is u8 and 'x' is int",
        "  p.alg 1:25-1:26 rule: arithmetic takes operands of one type and gives that type; nothing converts by itself",
        "  p.alg 1:25-1:26 help: write int(in(x, y)) or u8(x)"])
    same(told(c.change("p.alg", 3, {"text": BLUR.replace("f(x, y)", "h(x, y)", 1)})), [
        "error 2:16-2:17 HY0201 nothing here is called 'f'", "  p.alg 2:16-2:17 rule: define before use",
        "  p.alg 2:16-2:17 help: in scope are x, y, in, h", "error 2:30-2:31 HY0201 nothing here is called 'f'", "  p.alg 2:30-2:31 rule: define before use",
        "  p.alg 2:30-2:31 help: in scope are x, y, in, h"])
    same(told(c.change("p.alg", 4, {"text": ""})), [
        "error 0:0-0:0 HY0101 expected 'pipeline', but the file ends here",
        "  p.alg 0:0-0:0 help: an algorithm is written pipeline NAME(in: u16[2]) { fun ... }"])
    same(told(c.change("p.alg", 5, {"text": BLUR})), [])
    assert c.end() == 0


def check_a_sum_that_wraps_is_warned_of(c):
    c.begin(related=True)
    text = "pipeline p(in: u8[1]) {\n  fun f(x) = (in(x) + in(x + 1)) / 2;\n}\n"
    same(told(c.open("p.alg", text))[:1], [
        "warning 1:13-1:32 HY0516 'in(x) + in(x + 1)' is computed as u8 and wraps above 255 where it is 510, and is divided after that"])
    same(told(c.change("p.alg", 2, {"text": text.replace("(in(x) +", "u8(in(x) +")})), [])
    assert c.end() == 0


def check_without_related_places_all_is_in_the_message(c):
    c.begin(related=False)
    same(told(c.open("p.alg", BLUR.replace("u8", "u9"))), ["error 0:15-0:17 HY0215 'u9' is not a type\nhelp: write u8"])
    assert c.end() == 0


def edit(line, start, end, text):
    return {"range": {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}, "text": text}


def check_edits_in_places_of_utf16(c):
    c.begin()
    text = "// \U0001f600 \u00fc\r\n" + BLUR
    same(told(c.open("p.alg", text)), [])
    same(told(c.change("p.alg", 2, edit(0, 5, 7, " x"), edit(2, 27, 28, "y"))), [
        "error 2:25-2:26 HY0205 '+' needs one type, but 'in(x, y)' is u8 and 'y' is int\n"
        "rule: arithmetic takes operands of one type and gives that type; nothing converts by itself\nhelp: write int(in(x, y)) or u8(y)"])
    same(told(c.change("p.alg", 3, edit(2, 27, 28, "\U0001f600 z"))), [
        "error 2:27-2:29 HY0102 '\U0001f600' cannot stand here\n"
        "help: names are made of the letters a to z and A to Z, digits and '_'; other letters are for comments"])
    same(told(c.change("p.alg", 4, edit(2, 27, 29, "3; //"))), [])
    same(told(c.change("p.alg", 5, edit(2, 28, 999, "\n;"), edit(99, 0, 100, 3 and "// end"))), [])  # beyond the ends
    assert c.end() == 0


def check_edits_in_places_of_utf8(c):
    c.begin(encodings=["utf-8"])
    same(told(c.open("p.alg", BLUR.replace("1;", "\U0001f6001;"))), [
        "error 1:27-1:31 HY0102 '\U0001f600' cannot stand here\n"
        "help: names are made of the letters a to z and A to Z, digits and '_'; other letters are for comments"])
    same(told(c.change("p.alg", 2, edit(1, 27, 31, "1"))), [])
    assert c.end() == 0


def check_lines_end_with_either_or_both(c):
    c.begin()
    for end in ("\n", "\r\n", "\r"):
        found = told(c.open("p.alg", BLUR.replace("\n", end).replace("f(x, y - 1)", "h")))
        same([line.split("\n")[0] for line in found], ["error 2:16-2:17 HY0201 nothing here is called 'h'"])
    assert c.end() == 0


def check_texts_that_are_none(c):
    c.begin()
    same(told(c.open("p.alg", BLUR + "\0")), ["error 4:0-4:1 HY0105 a NUL byte in the text\nhelp: remove it; is this a text file?"])
    same(told(c.open("p.alg", BLUR)), [])
    assert c.end() == 0


def check_a_schedule_and_its_algorithm(c):
    c.begin(related=True)
    same(told(c.open("p.sched", schedule("f.compute_at(g, y);"))), [
        "error 0:15-0:16 HY0401 there is no pipeline 'p'", "  p.sched 0:15-0:16 help: put its algorithm into a file beside this one that ends in .alg"])
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri("p.alg"), "version": 1, "text": BLUR}})  # not on the disk: as it is open
    both = {said["params"]["uri"]: said["params"]["diagnostics"] for said in (c.receive(), c.receive())}
    assert both == {"p.alg": [], "p.sched": []}, both
    for items, wanted in ROWS:
        same(told(c.change("p.sched", 2, {"text": schedule(items)})), wanted)
    assert c.end() == 0


ROWS = [
    ("", []),
    ("f.compute_at(g, y).vectorize(x, 8); g.parallel(y);", []),
    ("f.compute_at(g, z);", ["error 1:18-1:19 HY0405 there is no loop 'g.s0.z'", "  p.sched 1:18-1:19 rule: SCH.Loop (lemma 6.1)",
                             "  p.sched 1:18-1:19 help: the loops of that stage are g.s0.y, g.s0.x"]),
    ("f.split(x", ["error 1:11-2:0 HY0101 expected ')' after the last argument, or ',', found '}' on line 3", "  p.sched 1:11-2:0 help: put ')' here"]),
    ("h.foo();", ["error 1:2-1:3 HY0404 there is no func 'h'", "  p.sched 1:2-1:3 help: the funcs are f, g"]),
    ("split(f.x, a, b, 0);", ["error 1:19-1:20 HY0412 a split factor must be at least 1, not 0", "  p.sched 1:19-1:20 rule: DIR.Split.Factor (decision D34)",
                              "  p.sched 1:19-1:20 help: write a factor of at least 1"]),
]


def check_what_is_refuted_of_a_schedule(c):
    c.begin(related=True)
    (c.folder / "p.alg").write_text(BLUR)
    same(told(c.open("p.sched", schedule("f.fold_storage(y, 1).compute_root();"))), [
        "error 1:4-1:16 HY0502 this does not hold: what is computed of f fits its fold by 1 in dimension y (p.alg:2:7)",
        "  p.alg 1:6-1:7 it stands here", "  p.sched 1:4-1:16 rule: B.Fold (section 7)",
        "  p.sched 1:4-1:16 help: fold by more, compute less of it at a time, or leave the fold out", "  p.sched 1:4-1:16 note: this directive folds it",
        "  p.sched 1:4-1:16 note: for example with window x=0:1,y=0:1, in on [0, 1) x [-1, 1)",
        "  p.sched 1:4-1:16 note: replayed, a folded cell holds another point: g(0, 0): reads f(0, -1), whose cell holds f(0, 0); g.s0.y = 0, g.s0.x = 0",
        "  p.sched 1:4-1:16 note: and 1 more obligation fails for the same cause: what is written of f lies in its fold by 1 in dimension y, upper bound"])
    assert c.end() == 0


def check_errors_of_the_algorithm_are_told_once(c):
    c.begin(related=True)
    (c.folder / "p.alg").write_text(BLUR.replace("u8", "u9").replace("f(x, y)", "h(x, y)"))
    same(told(c.open("p.sched", schedule("") + schedule("").replace(" s ", " t "))), [
        "error 0:15-0:16 HY0215 the algorithm of 'p' has errors", "  p.alg 0:15-0:17 note: 'u9' is not a type"])
    assert c.end() == 0


def check_how_the_algorithm_is_found(c):
    c.begin(related=True)
    other = BLUR.replace("pipeline p", "pipeline q")
    wrong = ["error 0:15-0:16 HY0401 schedule 's' is for 'p', the pipeline is 'q'", "  s.sched 0:15-0:16 help: name the pipeline of the algorithm"]
    (c.folder / "s.alg").write_text(other)
    same(told(c.open("s.sched", schedule(""))), wrong)  # the file that is called alike, though its pipeline is not
    (c.folder / "zz.alg").write_text(BLUR.replace("fun f", "fun e").replace("f(x", "e(x"))
    (c.folder / "b.alg").mkdir()
    c.notify("workspace/didChangeWatchedFiles", {"changes": []})
    same(told(c.diagnostics("s.sched", 1)), [])  # one whose pipeline is called so
    same([line.split(" ", 2)[2] for line in told(c.change("s.sched", 2, {"text": schedule("f.compute_root();")}))][:1], ["HY0404 there is no func 'f'"])
    (c.folder / "s.alg").write_text(BLUR)  # both
    c.notify("textDocument/didSave", {"textDocument": {"uri": c.uri("s.sched")}})
    same(told(c.diagnostics("s.sched", 2)), [])
    assert c.end() == 0


def check_documents_without_a_folder(c):
    c.begin()
    for name, text, version in (("untitled:One", BLUR, 1), ("untitled:Two", schedule("f.compute_at(g, q);"), 1)):
        c.notify("textDocument/didOpen", {"textDocument": {"uri": name, "version": version, "text": text}})
        said = c.receive()["params"]
        assert said["uri"] == name
        same([line.split("\n")[0] for line in told(said["diagnostics"])], [] if name == "untitled:One" else ["error 1:18-1:19 HY0405 there is no loop 'g.s0.q'"])
    assert c.end() == 0


def check_a_target_program(c):
    c.begin()
    text = subprocess.run([c.server.args[0], "show", "/dev/stdin", "--stage", "filled"], input=BLUR, capture_output=True, text=True, check=False)
    assert text.returncode == 2  # a file's name says what it is
    (c.folder / "p.alg").write_text(BLUR)
    text = subprocess.run([c.server.args[0], "show", c.folder / "p.alg", "--stage", "filled"], capture_output=True, text=True, check=True).stdout
    same(told(c.open("p.tgt", text)), [])
    found = told(c.change("p.tgt", 2, {"text": text.replace("y.len + 1", "y.len", 1)}))
    assert found and "HY05" in found[0], found
    assert c.end() == 0


def check_a_document_that_is_closed(c):
    c.begin()
    assert len(c.open("p.alg", "")) == 1
    c.notify("textDocument/didClose", {"textDocument": {"uri": c.uri("p.alg")}})
    same(told(c.diagnostics("p.alg", None)), [])
    c.notify("textDocument/didClose", {"textDocument": {"uri": c.uri("p.alg")}})
    c.notify("textDocument/didChange", {"textDocument": {"uri": c.uri("p.alg"), "version": 2}, "contentChanges": [{"text": ""}]})
    assert logged(c)
    assert c.end() == 0


def logged(c):
    said = c.receive()
    return said["method"] == "window/logMessage" and said["params"]["type"] == 1


def check_changes_that_are_none(c):
    c.begin()
    same(told(c.open("p.alg", BLUR)), [])
    document = {"uri": c.uri("p.alg"), "version": 2}
    backwards = {"start": {"line": 2, "character": 0}, "end": {"line": 1, "character": 0}}
    for changes in ({}, [3], [{}], [{"text": 3}], [{"text": "", "range": 3}], [{"text": "", "range": {}}], [{"text": "", "range": backwards}]):
        c.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        assert logged(c), changes
    for params in ({}, {"textDocument": {}}, {"textDocument": {"uri": "a", "text": 3}}, {"textDocument": {"uri": 3, "text": ""}}, {"textDocument": []}):
        c.notify("textDocument/didOpen", params)
        assert logged(c), params
    same(told(c.change("p.alg", 3, edit(1, 27, 28, "2"))), [])  # the text is what it was
    assert c.end() == 0


def check_names_with_blanks_and_the_like(c):
    c.begin()
    (c.folder / "a b").mkdir()
    (c.folder / "a b" / "\u00fc#.alg").write_text(BLUR)
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri("a b/\u00fc#.sched"), "version": 1, "text": schedule("g.parallel(q);")}})
    found = told(c.diagnostics("a%20b/%C3%BC%23.sched", 1))
    same([line.split("\n")[0] for line in found], ["error 1:13-1:14 HY0405 there is no loop 'g.s0.q'"])
    assert c.end() == 0


def check_a_file_that_is_included(c):
    c.begin(related=True)
    same(told(c.open("tools.alg", "def twice(e) = 2*e;\nfun q(x) = nothing(x);\n")), [])  # what that means those say who include it
    same(told(c.change("tools.alg", 2, {"text": "def twice(e) = 2*;\n"})), [
        "error 0:17-0:18 HY0101 expected an expression, found ';'", "  tools.alg 0:17-0:18 help: an expression is a number, a name, f(x, y), -e, a + b, or (e)"])
    same(told(c.change("tools.alg", 3, {"text": "def twice(e) = 2*e;\n"})), [])
    including = 'pipeline p(in: u8[1]) {\n  include "tools.alg";\n  fun f(x) = twice(in(x));\n}\n'
    same(told(c.open("p.alg", including)), [])
    same(told(c.change("p.alg", 2, {"text": including.replace("tools", "other")})), [
        "error 1:10-1:21 HY0113 cannot include 'other.alg': there is no such file", "  p.alg 1:10-1:21 rule: ALG.Expand.Include",
        "  p.alg 1:10-1:21 help: a path is read from the folder of the file that it stands in"])
    assert c.end() == 0
