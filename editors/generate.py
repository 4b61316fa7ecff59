#!/usr/bin/env python3
"""What colours Halyard's texts in editors, written from the tables of the language.

generate.py          writes editors/vscode/syntaxes/halyard.tmLanguage.json and editors/vim/syntax/halyard.vim
generate.py --check  says which of them is not what it would write; status 1 if one is not
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def column(path, pattern):
    """The words of a table in the tree, in its order, each once."""
    found = re.findall(pattern, (ROOT / path).read_text(), re.M)
    if not found:
        sys.exit(f"generate.py: {path} has no {pattern}")
    return list(dict.fromkeys(found))


OPERATORS = column("semantics/ops.def", r'^HY_OP\(\w+, +"([^a-z"]+)"') + ["<-", "->", "=", "..", "?"]
FUNCTIONS = ([word for word in column("semantics/ops.def", r'^HY_OP\(\w+, +"([a-z0-9_]+)", +\d, +\w+, +0,') if word != "cast"]
             + ["clamp"] + column("semantics/alg/expand/expansions.def", r'^HY_DERIVED\(\w+, "(\w+)"'))
WORDS = {
    "types": column("semantics/types.def", r'^HY_TYPE\(\w+, "(\w+)"'),
    "functions": FUNCTIONS,
    "boundaries": column("semantics/alg/expand/expansions.def", r'^HY_BOUNDARY\(\w+, "(\w+)"'),
    "reductions": column("semantics/alg/expand/expansions.def", r'^HY_REDUCTION\(\w+, "(\w+)"'),
    "members": column("semantics/alg/expand/expansions.def", r'^HY_BOX_MEMBER\("(\w+)"'),
    "directives": column("sched/directives.def", r"^HY_DIRECTIVE\((\w+)\)"),
    "methods": column("sched/methods.def", r"^HY_METHOD\((\w+)\)"),
    "traversals": column("semantics/schedule/print_directive.c", r'case HY_(?:SERIAL|PARALLEL|VECTORIZED|UNROLLED): return "(\w+)"'),
    "tails": column("semantics/schedule/print_directive.c", r'case HY_TAIL_\w+: return "(\w+)"'),
    "assumptions": column("semantics/schedule/print_directive.c", r'case HY_ASSUME_\w+: return "(\w+)"'),
    "places": column("semantics/storage/plan.c", r'\[HY_STORE_\w+\] = "(\w+)"'),
}
# Words of the grammars. proofs_tests/unit/cli/check_editors.py holds them to what the parsers ask for.
HEADS = ["pipeline", "schedule", "target", "fun", "func", "def", "const"]  # a name of its own follows
CONTROL = ["let", "if", "then", "else", "for", "in"]
STATEMENTS = ["assume", "constrain", "allocate", "compute", "label", "entry", "nop", "buffer"]  # of target programs
OTHERS = ["rdom", "require", "include", "contract", "exact", "fma", "real", "estimate", "default", "inline", "on", "of", "by", "keeping", "stages", "order", "align",
          "fold", "stride", "guard", "implied", "specialize"]
HOLES = ["mem", "cpu", "need", "for"]


def any_of(words):
    return "(?:" + "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))) + ")"


# A word of the language where a name cannot be meant: names are called, read or defined.
NO_NAME = r"(?!\s*[=.:,)]|[\[(])"


def pattern(scope, match, captures=None):
    rule = {"name": scope, "match": match} if scope else {"match": match}
    if captures:
        rule["captures"] = {str(number): {"name": name} for number, name in captures.items()}
    return rule


def text_mate():
    """The grammar: patterns, of which the first that matches earliest in a line counts."""
    keyword, constant = "keyword.control.halyard", "constant.language.halyard"
    patterns = [
        pattern("comment.line.double-slash.halyard", r"//.*$"),
        {"name": "comment.block.halyard", "begin": r"/\*", "end": r"\*/"},
        pattern("constant.numeric.hex.halyard", r"\b0[xX][0-9a-fA-F]+\b"),
        pattern("constant.numeric.float.halyard", r"\b[0-9]+(?:\.(?!\.)[0-9]*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)"),
        pattern("constant.numeric.integer.halyard", r"\b[0-9]+\b"),
        pattern(None, r"\b(schedule)\s+(\w+)\s+(for)\s+(\w+)",
                {1: "storage.type.halyard", 2: "entity.name.function.halyard", 3: keyword, 4: "entity.name.type.halyard"}),
        pattern(None, r"\b(pipeline|target)\s+(\w+)", {1: "storage.type.halyard", 2: "entity.name.type.halyard"}),
        pattern(None, r"\b(fun|func|def)\s+(\w+)", {1: "storage.type.halyard", 2: "entity.name.function.halyard"}),
        pattern(None, r"\b(const)\s+(\w+)", {1: "storage.type.halyard", 2: "variable.other.constant.halyard"}),
        pattern(None, r"\b(let)\s+([A-Za-z_][\w.]*)", {1: keyword, 2: "variable.other.halyard"}),
        pattern(None, r"\b(default)\s+(inline)\b", {1: keyword, 2: keyword}),
        pattern(None, r"\b(contract)\s+(exact|fma|real)\b", {1: keyword, 2: constant}),
        pattern(None, r"\b(assume)\s+" + "(" + any_of(WORDS["assumptions"]) + r")\b",
                {1: keyword, 2: "support.type.halyard"}),
        pattern(None, r"(\?)" + "(" + any_of(HOLES) + r")\b", {1: "keyword.operator.halyard", 2: "support.type.halyard"}),
        pattern(None, r"\b(if)\s+(guard|implied|specialize)\b(?=\s*\()", {1: keyword, 2: keyword}),
        pattern(None, r"\b(by)\s+(" + any_of(WORDS["directives"] + WORDS["methods"] + ["align"]) + r")\b(?:\s+("
                + any_of(WORDS["tails"]) + r")\b)?", {1: keyword, 2: "support.function.halyard", 3: constant}),
        pattern(None, r"\b(in)\s+(heap|stack)\b", {1: keyword, 2: constant}),
        pattern("support.function.directive.halyard", r"^\s*" + any_of(WORDS["directives"]) + r"(?=\()"),
        pattern(None, r"(\.)(" + any_of(WORDS["directives"] + WORDS["methods"]) + r")(?=\()",
                {1: "punctuation.accessor.halyard", 2: "support.function.directive.halyard"}),
        pattern(None, r"(\.)(" + any_of(WORDS["members"]) + r")\b",
                {1: "punctuation.accessor.halyard", 2: "variable.other.member.halyard"}),
        pattern(None, r"(\.)(\w+)", {1: "punctuation.accessor.halyard", 2: "variable.other.halyard"}),
        pattern("keyword.other.rdom.halyard", r"\brdom\b(?=\s*\()"),
        pattern("support.function.reduction.halyard", r"\b" + any_of(WORDS["reductions"]) + r"(?=(?:\s+\w+)?\s*\(\s*rdom\b)"),
        pattern("support.function.halyard", r"\b" + any_of(WORDS["functions"] + WORDS["boundaries"]) + r"(?=\s*\()"),
        pattern("support.type.halyard", r"\b" + any_of(WORDS["types"]) + r"\b"),
        pattern("constant.language.boolean.halyard", r"\b(?:true|false)\b"),
        pattern(keyword, r"\b(?:if|then|else)\b"),
        pattern(keyword, r"\b(?:for|in)\b" + NO_NAME),
        pattern(keyword, r"\b" + any_of(STATEMENTS + ["on", "of", "keeping", "estimate", "stages"]) + r"\b" + NO_NAME),
        pattern(keyword, r"(?<=[\])])\s+(?:order|align|fold|stride)(?=\()"),
        pattern(constant, r"\b" + any_of(WORDS["traversals"] + WORDS["tails"] + WORDS["places"] + ["root"]) + r"\b(?=\s*[,)]|\s+\w)"),
        pattern("keyword.operator.halyard", any_of(OPERATORS)),
    ]
    return {"$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json", "name": "Halyard",
            "scopeName": "source.halyard", "fileTypes": ["alg", "sched", "tgt"], "patterns": patterns}


def vim():
    """The same for Vim, whose keywords and matches have priorities of their own: what stands later wins."""
    def words(group, list_of):
        return f"syn keyword {group} " + " ".join(list_of)

    def before_parenthesis(group, list_of):
        return rf"syn match {group} /\<\%(" + r"\|".join(list_of) + r"\)\>\ze\s*(/"

    lines = [
        '" Halyard: algorithms, schedules, target programs. Written by editors/generate.py.',
        'if exists("b:current_syntax")', "  finish", "endif", "",
        words("halyardType", WORDS["types"]),
        words("halyardBoolean", ["true", "false"]),
        words("halyardConditional", ["if", "then", "else"]),
        r"syn match halyardKeyword /\<\%(for\|in\)\>\ze\s*[^ =.[:,)(]/",
        r"syn match halyardKeyword /\<in\>\ze\s\+(/",
        r"syn match halyardKeyword /\<let\>/",
        r"syn match halyardKeyword /\<\%(" + r"\|".join(STATEMENTS + OTHERS) + r"\)\>\ze\s*[^ =.,)]/",
        r"syn match halyardConstant /\<\%(" + r"\|".join(WORDS["traversals"] + WORDS["tails"] + WORDS["places"] + ["root"])
        + r"\)\>\ze\%(\s*[,)]\|\s\+\w\)/",
        r"syn match halyardAssumption /\%(\<assume\s\+\)\@<=\%(" + r"\|".join(WORDS["assumptions"]) + r"\)\>/",
        before_parenthesis("halyardFunction", WORDS["functions"] + WORDS["boundaries"] + WORDS["reductions"]),
        before_parenthesis("halyardKeyword", ["rdom"]),
        r"syn match halyardReduction /\<\%(" + r"\|".join(WORDS["reductions"]) + r"\)\>\ze\s\+\w\+(/",
        r"syn match halyardDirective /^\s*\zs\%(" + r"\|".join(WORDS["directives"]) + r"\)\ze(/",
        r"syn match halyardDirective /\.\@<=\%(" + r"\|".join(WORDS["directives"] + WORDS["methods"]) + r"\)\ze(/",
        r"syn match halyardMember /\.\@<=\%(" + r"\|".join(WORDS["members"]) + r"\)\>/",
        r"syn match halyardHole /?\%(" + r"\|".join(HOLES) + r"\)\>/",
        r"syn match halyardHead /\<\%(" + r"\|".join(HEADS) + r"\)\>\ze\s\+\w/ nextgroup=halyardName skipwhite",
        r"syn match halyardName /\w\+/ contained",
        r"syn match halyardNumber /\<\d\+\%(\.\.\@!\d*\)\?\%([eE][+-]\?\d\+\)\?/",
        r"syn match halyardNumber /\<0[xX]\x\+\>/",
        r"syn match halyardOperator /" + r"\|".join(re.sub(r"([*/~^.\[\]])", r"\\\1", op) for op in sorted(OPERATORS, key=len, reverse=True))
        + "/",
        r"syn region halyardComment start=+//+ end=+$+ contains=@Spell",
        r"syn region halyardComment start=+/\*+ end=+\*/+ contains=@Spell", "",
    ]
    links = {"Type": "Type", "Boolean": "Boolean", "Conditional": "Conditional", "Keyword": "Statement", "Constant": "Constant",
             "Assumption": "Special", "Function": "Function", "Reduction": "Function", "Directive": "Function", "Member": "Identifier",
             "Hole": "Special", "Head": "Structure", "Name": "Identifier", "Number": "Number", "Operator": "Operator", "Comment": "Comment"}
    lines += [f"hi def link halyard{group} {to}" for group, to in links.items()]
    return "\n".join(lines + ["", "setlocal commentstring=//\\ %s", 'let b:current_syntax = "halyard"', ""])


FILES = {
    ROOT / "editors/vscode/syntaxes/halyard.tmLanguage.json": lambda: json.dumps(text_mate(), indent=2) + "\n",
    ROOT / "editors/vim/syntax/halyard.vim": vim,
}


def main():
    stale = 0
    for path, text in FILES.items():
        if sys.argv[1:] != ["--check"]:
            path.write_text(text())
        elif not path.is_file() or path.read_text() != text():
            print(f"{path.relative_to(ROOT)} is not what the tables say: run editors/generate.py")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
