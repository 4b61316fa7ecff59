#!/usr/bin/env python3
"""check_editors.py HALYARD: what editors/ says of the language is what the language is.

The files are those that the tables give; the words of the grammars are those that the parsers ask for, and those that
halyard lists; the grammar's regular expressions, applied as TextMate applies them, find in known lines what is meant, and in
all texts of the tree comments, numbers and types where they are. Vim is asked itself where it is there.
"""

import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
passed = failed = skipped = 0


def check(good, said):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAILED {said}")


spec = importlib.util.spec_from_file_location("generate", ROOT / "editors/generate.py")
sys.dont_write_bytecode = True
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)


class Grammar:
    """TextMate's rules, as far as this grammar uses them: in each line the earliest match counts, of equal ones the first."""

    def __init__(self, path):
        self.rules = []
        for rule in json.loads(path.read_text())["patterns"]:
            self.rules.append((rule, re.compile(rule.get("match") or rule["begin"]), rule.get("end") and re.compile(rule["end"])))

    def scopes(self, text):
        """(line, column, text, scope) of all that has a scope; lines and columns from 0."""
        inside = None
        for number, line in enumerate(text.split("\n")):
            at = 0
            while at <= len(line):
                if inside:
                    end = inside[2].search(line, at)
                    yield number, at, line[at:end.end() if end else len(line)], inside[0]["name"]
                    if not end:
                        break
                    at, inside = end.end(), None
                    continue
                found = [(match.start(), index, match) for index, (_, begin, _) in enumerate(self.rules)
                         if (match := begin.search(line, at))]
                if not found:
                    break
                _, index, match = min(found, key=lambda item: item[:2])
                rule = self.rules[index]
                if rule[2]:
                    inside = rule
                    at = match.start()
                    end = rule[2].search(line, match.end())
                    yield number, at, line[at:end.end() if end else len(line)], rule[0]["name"]
                    if not end:
                        break
                    at, inside = end.end(), None
                    continue
                if "name" in rule[0]:
                    start = match.start() + len(match.group()) - len(match.group().lstrip())
                    yield number, start, match.group().lstrip(), rule[0]["name"]
                for group, scope in rule[0].get("captures", {}).items():
                    if match.group(int(group)):
                        yield number, match.start(int(group)), match.group(int(group)), scope["name"]
                at = max(match.end(), at + 1 if match.end() == at else at)


# -- generated, and of the words that there are
stale = subprocess.run([sys.executable, ROOT / "editors/generate.py", "--check"], capture_output=True, text=True)
check(stale.returncode == 0, stale.stdout.strip())
words = set(generate.HEADS + generate.CONTROL + generate.STATEMENTS + generate.OTHERS)
for path in sorted((ROOT / "semantics").rglob("*.c")):
    asked = re.findall(r'hy_parser_(?:at|accept|expect)\([^,]+, "([a-z]+)"', path.read_text())
    asked += re.findall(r'stands(?:_next)?\(.*?, "([a-z]+)"', path.read_text())
    for word in asked:
        check(word in words, f"{path.relative_to(ROOT)} asks for '{word}', which no editor knows")
statements = re.findall(r'\{"([a-z]+)", (?:hy_tgt_)?read_', (ROOT / "semantics/tgt/tgt_parse_stmt.c").read_text())
check(len(statements) > 6 and set(statements) <= words, f"statements of target programs: {statements}")
halyard = pathlib.Path(sys.argv[1]).resolve()
listed = json.loads(subprocess.run([halyard, "directives", "--format", "json"], capture_output=True, text=True, check=True).stdout)
for row in listed["directives"]:
    check(row["name"] in generate.WORDS["directives"], f"no editor knows the directive {row['name']}")
for row in listed["methods"]:
    check(row["name"] in generate.WORDS["methods"] + generate.WORDS["directives"], f"no editor knows the method {row['name']}")

# -- known lines: in a line, each of these words has the scope that begins so (None: it has none)
GRAMMAR = Grammar(ROOT / "editors/vscode/syntaxes/halyard.tmLanguage.json")
KNOWN = [
    ("pipeline p(in: u8[2], w: int in 1..16 = 3 estimate 8) -> (f, g) contract fma {",
     [("pipeline", "storage"), ("p", "entity.name.type"), ("in", None), ("u8", "support.type"), ("2", "constant.numeric.integer"),
      ("int", "support.type"), ("in", "keyword", 1), ("1", "constant.numeric"), ("..", "keyword.operator"), ("16", "constant.numeric.integer"),
      ("estimate", "keyword"), ("contract", "keyword"), ("fma", "constant.language"), ("->", "keyword.operator")]),
    ("  fun f(x, y) = let t = in(x, y) in select(t < 3, 0x1F, clamp(u8_sat(1.5e-3), 0, t)); // fun 12",
     [("fun", "storage"), ("f", "entity.name.function"), ("let", "keyword"), ("t", "variable"), ("in", None), ("in", "keyword", 1),
      ("select", "support.function"), ("0x1F", "constant.numeric.hex"), ("clamp", "support.function"), ("u8_sat", "support.function"),
      ("1.5e-3", "constant.numeric.float"), ("// fun 12", "comment.line")]),
    ("  fun g(x) = { 0; rdom(r = (0, n)) in (x) <- g(x) + sum all(rdom(q = (0, 3)) in q) if r != 3; };",
     [("rdom", "keyword.other"), ("in", "keyword"), ("<-", "keyword.operator"), ("sum", "support.function.reduction"), ("if", "keyword"), ("!=", "keyword.operator"),
      ("all", None)]),
    ("  const N = 4; def h(a) = in.width() + true; fun c = repeat_edge(in);",
     [("const", "storage"), ("N", "variable.other.constant"), ("def", "storage"), ("h", "entity.name.function"), ("width", "variable.other.member"),
      ("true", "constant.language.boolean"), ("repeat_edge", "support.function")]),
    ("  for k in 0..3 fun g[k](x) = if k == 0 then x else g[k - 1](x);",
     [("for", "keyword"), ("in", "keyword"), ("fun", "storage"), ("if", "keyword"), ("then", "keyword"), ("else", "keyword"), ("==", "keyword.operator")]),
    ("schedule s for p { default inline;",
     [("schedule", "storage"), ("s", "entity.name.function"), ("for", "keyword"), ("p", "entity.name.type"), ("default", "keyword"), ("inline", "keyword")]),
    ("  f.tile(x, y, xi, yi, 8, 8, guard).in(g).vectorize(xi).update(0);",
     [("tile", "support.function.directive"), ("guard", "constant"), ("in", "support.function.directive"), ("vectorize", "support.function.directive"),
      ("update", "support.function.directive"), ("f", None)]),
    ("  traverse(f.s0.x, parallel);", [("traverse", "support.function.directive"), ("parallel", "constant")]),
    ("  compute_at(f, root);", [("compute_at", "support.function.directive"), ("root", "constant")]),
    ("  assume range(in): 0 <= x.len && x.len <= 9;", [("assume", "keyword"), ("range", "support.type"), ("len", "variable.other.member"), ("&&", "keyword.operator")]),
    ("  allocate f[(?mem.min(f, x), ?mem.len(f, x))] order(x) in heap;",
     [("allocate", "keyword"), ("?", "keyword.operator"), ("mem", "support.type"), ("in", "keyword"), ("heap", "constant"), ("order", "keyword")]),
    ("    label f.s0: for parallel f.s0.x in (x.min, x.len) {", [("label", "keyword"), ("for", "keyword"), ("parallel", "constant"), ("in", "keyword")]),
    ("    let g.s0.x = x.min + 8*g.s0.xo by split guard(g.s0.xo, 8) in {", [("let", "keyword"), ("by", "keyword"), ("split", "support.function"), ("guard", "constant"), ("in", "keyword")]),
    ("      if guard (x < 3) {", [("if", "keyword"), ("guard", "keyword")]),
    ("  label f: compute f on [(x.min, 3)] keeping g.s0.y {", [("compute", "keyword"), ("on", "keyword"), ("keeping", "keyword")]),
    ("a /* b */ c /* d", [("/* b */", "comment.block"), ("/* d", "comment.block"), ("a", None), ("c", None)]),
]
for line, wanted in KNOWN:
    found = list(GRAMMAR.scopes(line))
    for word, scope, *turn in wanted:
        edges = [re.escape(word) if not word[0].isalnum() else rf"(?<![\w]){re.escape(word)}(?![\w])"]
        columns = [match.start() for match in re.finditer(edges[0], line)]
        place = columns[turn[0] if turn else 0]
        at = [name for _, column, text, name in found if column == place and (text == word or scope is None)]
        check(not at if scope is None else any(name.startswith(scope) for name in at), f"'{word}' of '{line}': {at}, not {scope}")

# -- all texts: what any reader of the language can tell
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
texts = [path for folder in ("apps", "proofs_tests/golden", "docs/examples", "proofs_tests/second") for path in sorted((ROOT / folder).rglob("*"))
         if path.suffix in (".alg", ".sched", ".tgt")]
check(len(texts) > 200, f"{len(texts)} texts")
for path in texts:
    text = path.read_text()
    found = list(GRAMMAR.scopes(text))
    of_grammar = "".join(piece for _, _, piece, scope in found if scope.startswith("comment"))
    check(of_grammar == "".join(COMMENT.findall(text)).replace("\n", ""), f"{path.relative_to(ROOT)}: comments")
    lines = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text).split("\n")
    scoped = {(line, column): (piece, scope) for line, column, piece, scope in found}
    for number, line in enumerate(lines):
        for match in re.finditer(r"(?<![\w.])(?:0x[0-9a-fA-F]+|[0-9]+(?:\.(?!\.)[0-9]*)?(?:[eE][+-]?[0-9]+)?)", line):
            piece, scope = scoped.get((number, match.start()), ("", ""))
            if piece != match.group() or not scope.startswith("constant.numeric"):
                check(False, f"{path.relative_to(ROOT)}:{number + 1}: the number {match.group()} is {piece} {scope}")
        for match in re.finditer(r"(?<![\w.])(?:" + "|".join(generate.WORDS["types"]) + r")(?!\w)", line):
            if not scoped.get((number, match.start()), ("", ""))[1].startswith("support.type"):
                check(False, f"{path.relative_to(ROOT)}:{number + 1}: the type {match.group()}")
        for match in re.finditer(r"^\s*(?:fun|func|def) (\w+)", line):
            if scoped.get((number, match.start(1)), ("", ""))[1] != "entity.name.function.halyard":
                check(False, f"{path.relative_to(ROOT)}:{number + 1}: the definition of {match.group(1)}")

# -- the extension of VS Code
folder = ROOT / "editors/vscode"
package = json.loads((folder / "package.json").read_text())
configuration = json.loads((folder / "language-configuration.json").read_text())
language, grammar = package["contributes"]["languages"][0], package["contributes"]["grammars"][0]
tm = json.loads((folder / grammar["path"]).read_text())
check((folder / language["configuration"]).is_file() and grammar["language"] == language["id"], "package.json names what is not there")
check(grammar["scopeName"] == tm["scopeName"] and language["extensions"] == ["." + end for end in tm["fileTypes"]], "package.json and the grammar differ")
version = re.search(r"project\(halyard VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
check(package["version"] == version, f"the extension has version {package['version']}, Halyard {version}")
check(re.match(configuration["indentationRules"]["increaseIndentPattern"], "schedule s for p { // a"), "indentation")

# -- Vim itself
vim = shutil.which("vim")
has_syntax = vim and "+syntax" in subprocess.run([vim, "--version"], capture_output=True, text=True).stdout
if not has_syntax:
    skipped += 1
    print("skipped: no vim with syntax")
else:
    with tempfile.TemporaryDirectory() as scratch:
        body, groups = [], []
        wanted = [("pipeline p(in: u8[2], w: int in 1..16) {", "pipeline", "Head"), ("pipeline p(in: u8[2]) {", "u8", "Type"), ("pipeline p(w: int in 1..16) {", "in 1", "Keyword"),
                  ("  fun f(x) = select(x < 0x1F, 1.5, 2); // c", "select", "Function"), ("  fun f(x) = 1;", "f(x)", "Name"),
                  ("  fun f(x) = 0x1F;", "0x1F", "Number"), ("  fun f(x) = 1.5;", "1.5", "Number"), ("  fun f(x) = 1; // c", "// c", "Comment"), ("  fun f(x) = a /* c */;", "/* c", "Comment"),
                  ("  fun f(x) = in(x);", "in(", ""), ("  f.tile(x, y).in(g);", "tile", "Directive"), ("  f.tile(x, y).in(g);", "in(", "Directive"),
                  ("  compute_at(f, root);", "compute_at", "Directive"), ("  compute_at(f, root);", "root", "Constant"),
                  ("  rdom(r = (0, 3)) in (x) <- 1;", "in (", "Keyword"), ("  rdom(r = (0, 3)) in (x) <- 1;", "<-", "Operator"),
                  ("  assume range: x <= 3;", "range", "Assumption"), ("  fun f(x) = in.width();", "width", "Member"), ("schedule s for p {", "for", "Keyword")]
        for line, word, group in wanted:
            body.append(line)
            groups.append((len(body), line.index(word) + 1, word, group))
        (pathlib.Path(scratch) / "t.alg").write_text("\n".join(body) + "\n")
        script = "".join(f"call add(out, synIDattr(synID({line}, {column}, 1), 'name'))\n" for line, column, _, _ in groups)
        (pathlib.Path(scratch) / "ask.vim").write_text(f"let out = [&filetype]\n{script}call writefile(out, '{scratch}/out')\nqa!\n")
        subprocess.run([vim, "-Nu", "NONE", "-es", "--cmd", f"set rtp^={ROOT}/editors/vim", "--cmd", "filetype on", "--cmd", "syntax on", f"{scratch}/t.alg",
                        "-S", f"{scratch}/ask.vim"], timeout=60, stdin=subprocess.DEVNULL, capture_output=True)
        out = pathlib.Path(scratch) / "out"
        asked = out.read_text().split("\n") if out.is_file() else []
    check(asked[:1] == ["halyard"], f"vim takes an .alg file for {asked[:1]}")
    for (line, _, word, group), name in zip(groups, asked[1:]):
        check(name == ("halyard" + group if group else ""), f"vim: '{word}' of '{body[line - 1]}' is {name}, not halyard{group}")

print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed > 0)
