#!/usr/bin/env python3
"""Writes docs/reference.md, every form of the language and every method of a schedule: reference.py HALYARD [--check]

From 'halyard directives', the records in sched/, semantics/ops.def, types.def, expansions.def and absent.def; grammars, and what forms of expansions.def mean, are those of docs/language.md, which has to say something of each.
--check: status 1 if the page is not what they say.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reference.md"
LANGUAGE = (ROOT / "docs/language.md").read_text()


def rows(path, macro):
    """The rows MACRO(...) of a table: lists of words, strings without their quotes and joined where C joins them."""
    found = []
    for text in re.findall(rf'^{macro}\(((?:"(?:\\.|[^"\\])*"|[^")])*)\)', (ROOT / path).read_text(), re.M):
        cells = re.findall(r'((?:\s*"(?:\\.|[^"\\])*")+|[^",]+)(?:,|$)', text)
        found.append(["".join(re.findall(r'"((?:\\.|[^"\\])*)"', cell)) if '"' in cell else cell.strip() for cell in cells])
    if not found:
        sys.exit(f"reference.py: {path} has no rows {macro}(..)")
    return found


def cell(text):
    return text.replace("|", "\\|")


def code(text):
    return "`" + cell(text) + "`"


def table(heads, lines):
    return "\n".join(["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)] + ["| " + " | ".join(line) + " |" for line in lines]) + "\n"


def section(title, *parts):
    return f"## {title}\n\n" + "\n".join(parts)


def grammar(first):
    """The code block of language.md that begins with such a line."""
    block = re.search(rf"^```\n({re.escape(first)}(?:.|\n)*?)^```$", LANGUAGE, re.M)
    if not block:
        sys.exit(f"reference.py: docs/language.md has no grammar that begins with '{first}'")
    return "```\n" + re.sub(r" *\(\[below\]\(#[\w-]+\)\)| \(below\)", "", block[1]) + "```\n"


def written(name):
    """How language.md says it: one type stands for all."""
    return re.sub(r"^[iu]\d+_sat$", "u8_sat", re.sub(r"^(reinterpret|extract_bits)_.*", r"\1_u8", name))


def told(name, behind="[`(]"):
    """The row of a table of language.md that speaks of a form: its cells, the first of them the forms."""
    spelled = written(name)
    for line in LANGUAGE.split("\n"):
        if line.startswith("| `"):
            cells = [text.strip().replace("\\|", "|") for text in re.split(r"(?<!\\)\|", line)[1:-1]]
            if re.search(rf"`{spelled}{behind}", cells[0]):
                return cells
    sys.exit(f"reference.py: no table of docs/language.md speaks of '{name}'")


TYPING = {
    "ARITH": "numbers of one type", "BITS": "integers of one type", "WHOLE": "integers of one type", "COMPARE": "numbers of one type, giving bool",
    "EQUAL": "numbers or bools of one type, giving bool", "LOGIC": "bools", "SELECT": "a bool and two of one type", "UNARY": "a number",
    "UBITS": "an integer", "CAST": "anything, giving the type that is its name", "MATH": "floats of one type", "REINTERPRET": "the type that the name says",
}
OPERANDS = {
    "FIXED": "integers of a fixed width", "NARROW": "integers of 8 to 32 bits", "WHOLE": "integers", "NUMBERS": "a number of any type", "FLOATS": "floats",
    "SINGLE": "f32", "WEIGHED": "u8, u16, u32 or floats", "ALIKE": "as many bits as the result", "PARTS": "u8, u16, u32", "RIGHT": "a of 16 to 64 bits, b of half of them",
    "PATTERN": "integers of a fixed width, floats; b is an int",
}
JOINED = {"ADD": "the sum of e", "MUL": "the product of e", "MIN": "the least e", "MAX": "the greatest e"}
LETTERS = ["a", "b", "c"]


def types():
    kinds = {"INTEGER": "the mathematical integers, as far as 64 bits reach; beyond, an error", "BOOL": "`true`, `false`", "UNSIGNED": "wraps around",
             "SIGNED": "two's complement, wraps around", "FLOAT": "IEEE 754, to nearest; never reassociated"}
    lines = []
    for name, spelling, kind, bits, numpy, c_name in rows("semantics/types.def", "HY_TYPE"):
        storage = kind == "FLOAT" and bits == "16"
        lines.append([code(spelling), bits, "stored, chosen and converted, not computed with" if storage else kinds[kind], code(numpy), code(c_name)])
    return section("Types", table(["type", "bits", "", "in .npy", "C"], lines))


def operators():
    lines = []
    for _, spelling, arity, typing, precedence, *_, meaning in rows("semantics/ops.def", "HY_OP"):
        arguments = LETTERS[:int(arity)]
        if spelling == "cast":
            form = "u8(a)"
        elif precedence == "0":
            form = f"{spelling}({', '.join(arguments)})"
        else:
            form = spelling + "a" if arity == "1" else f"a {spelling} b"
        lines.append((-int(precedence), [code(form), TYPING[typing], "" if precedence == "0" else precedence, cell(meaning)]))
    lines.sort(key=lambda line: line[0])
    return section("Operators", "Precedence: the higher binds tighter; operators of two sides associate to the left. `u8(a)` stands for every type.\n",
                   table(["form", "of", "precedence", "value"], [line for _, line in lines]))


def expansions():
    path = "semantics/alg/expand/expansions.def"
    groups = {}  # by the row that tells of them, in its order
    for _, spelling, arity, _, operands, *_ in sorted(rows(path, "HY_DERIVED"), key=lambda row: LANGUAGE.find(f"`{written(row[1])}")):
        cells = told(spelling)
        same = [words for words in re.findall(r"\w+\(([^)]*)\)", cells[0]) if words.count(",") == int(arity) - 1] or [", ".join(LETTERS[:int(arity)])]
        forms, takes = groups.setdefault(tuple(cells[1:3]), ([], []))
        forms.append(code(f"{spelling}({same[0]})"))
        takes.append(OPERANDS[operands])
    derived = [[", ".join(forms), " or ".join(dict.fromkeys(takes)), cell(meaning), cell(result)] for (meaning, result), (forms, takes) in groups.items()]
    boundaries = [[code(f"{spelling}(f{', value' if takes == 'true' else ''}, ..)"), cell(told(spelling, r"\(f")[1])]
                  for _, spelling, takes in rows(path, "HY_BOUNDARY")]
    reductions = [[code(f"{spelling}(rdom(r = (min, len), ..) in e)"),
                   f"where e is {'least' if word == 'LT' else 'greatest'}, and e there: a tuple" if how == "WHERE" else JOINED[word] + (", at each point the nearest value of its type" if how == "SATURATES" else "")]
                  for _, spelling, word, how in rows(path, "HY_REDUCTION")]
    ends = {"MIN": "the first coordinate", "LEN": "how many", "MAX": "the last coordinate"}
    members = [[code(f"in.{spelling}({'d' if dimension == '-1' else ''})"), ends[end] + (" of dimension d" if dimension == "-1" else f" of dimension {dimension}")]
               for spelling, end, dimension in rows(path, "HY_BOX_MEMBER")]
    return [section("Derived operators", "Each is made of operators. Where a row has several forms, it tells of them in turn, as "
                    "[language.md](language.md#derived-operators) does.\n", table(["form", "operands, of one type t", "it is", "its type"], derived)),
            section("Boundary conditions", "f is an image, or a func with its box written behind: `repeat_edge(f, (min, len), ..)`. Read as "
                    "`repeat_edge(in)(x, y)`, or given a name: `fun c = repeat_edge(in);`.\n", table(["form", "outside of the box it is"], boundaries)),
            section("Inline reductions", "A name may stand before the parenthesis, `if p` behind e.\n", table(["form", "value"], reductions)),
            section("The box of an image", table(["form", "value"], members))]


def chained():
    """The directives that a chain says without their func: name -> form, from their records."""
    found = {}
    for path in sorted((ROOT / "sched").rglob("*.c")):
        for name, text in re.findall(r'\.name = "(\w+)"(?:(?!\.name = )(?:.|\n))*?\.in_chain = ((?:\s*"(?:\\.|[^"\\])*")+)', path.read_text()):
            said = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', text))
            found[name] = re.sub(r"^.* in a chain \.", "", said).split(", innermost")[0]
    return found


def schedules(halyard):
    said = json.loads(subprocess.run([halyard, "directives", "--format", "json"], check=True, capture_output=True, text=True).stdout)
    records, methods = said["directives"], said["methods"]
    in_chain = chained()
    about = {record["name"]: record["summary"] for record in records}
    chain = [[code("." + in_chain[record["name"]]).replace(" or ", "`, `."), cell(record["summary"])] for record in records if record["name"] in in_chain]
    chain += [[code("." + method["form"]), cell(method["summary"])] for method in methods]
    if not set(in_chain) <= set(about) or len(in_chain) < 5:
        sys.exit("reference.py: the records of sched/ and 'halyard directives' differ")
    core = [[code(record["form"]).replace("  or  ", "`, `"), record["phase"], cell(record["summary"])] for record in records]
    absent = [[code(name), cell(why), re.sub(r"\w*(?:\.\w+\([^)]*\))+", lambda found: code(found[0]), cell(instead))]
              for name, _, why, instead in rows("sched/absent.def", "HY_ABSENT")]
    return [section("Methods of a schedule", "In a chain, after a func: `f.tile(x, y, xi, yi, 64, 8).parallel(y);`. A tail is `guard` (the default), "
                    "`round` or `shift`.\n", table(["method", "it"], chain)),
            section("Core directives", "What chains become (`halyard show A S --stage schedule`). They are applied by phases, in this order, wherever they "
                    "stand.\n", table(["directive", "phase", "it"], core)),
            section("What Halide has, and Halyard has not", table(["method", "why not", "instead"], absent))]


def page(halyard):
    parts = ["# Reference\n\nEvery form of the language and every method of a schedule, each in a line. `docs/reference.py` writes this page from the tables that "
             "the compiler is made of; a test compares them. What they mean in full stands in [language.md](language.md), by rules in `semantics/RULES.md`.\n",
             types(), operators(), *expansions(),
             section("Grammar of expressions", grammar("expression = ")), section("Grammar of algorithms", grammar('file     = "pipeline"')),
             section("Grammar of schedules", grammar("file     = schedule")), *schedules(halyard)]
    return "\n".join(parts)


def main():
    text = page(sys.argv[1])
    if sys.argv[2:] != ["--check"]:
        PAGE.write_text(text)
    elif not PAGE.is_file() or PAGE.read_text() != text:
        print("docs/reference.md is not what the tables say: run docs/reference.py HALYARD")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
