#!/usr/bin/env python3
"""declare.py: writes halyard/_declarations.py, what the module knows of include/halyard.h: its enumerations, structures
and functions, and the version. With --check nothing is written: status 1 where the file lags behind the header."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "python/halyard/_declarations.py"

SCALARS = {
    "bool": "c_bool", "int": "c_int", "unsigned": "c_uint", "size_t": "c_size_t",
    "int64_t": "c_int64", "uint64_t": "c_uint64", "uint32_t": "c_uint32", "halyard_point": "c_uint64",
}


class Header:
    """The declarations of a header in the style of include/halyard.h."""

    def __init__(self, text):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
        text = text[:text.index("static inline")]  # behind it are conveniences for C
        text = re.sub(r"^[ \t]*#.*$", "", text, flags=re.M)
        self.numbers = {}
        self.enums = dict(self.read_enums(text))
        self.structures = dict(self.read_structures(text))
        self.functions = list(self.read_functions(text))

    def read_members(self, body):
        """Pairs of name and value of an enumeration."""
        value = -1
        for member in filter(None, (part.strip() for part in body.split(","))):
            name, _, given = (part.strip() for part in member.partition("="))
            value = int(given) if given else value + 1
            self.numbers[name] = value
            yield name, value

    def read_enums(self, text):
        for body in re.findall(r"^enum \{([^}]*)\};", text, re.M):
            list(self.read_members(body))
        for body, name in re.findall(r"^typedef enum \{([^}]*)\} (\w+);", text, re.M):
            yield name, shorten(list(self.read_members(body)))
        for body in re.findall(r"^  enum \{([^}]*)\} kind;", text, re.M):
            yield "halyard_operand_kind", shorten(list(self.read_members(body)))

    def read_structures(self, text):
        """Each with its fields. A union of 8 bytes is their number: what is passed by value has no unions then."""
        text = re.sub(r"  enum \{[^}]*\} kind;", "  int kind;", text)
        text = re.sub(r"  union \{[^}]*\} is;", "  uint64_t is_;", text)
        for name, body in re.findall(r"^typedef struct (\w+) \{(.*?)^\} \1;", text, re.M | re.S):
            yield name, [field for line in body.split(";") for field in self.read_fields(line)]

    def read_fields(self, line):
        words = line.split()
        if not words:
            return
        kind, names = re.match(r"\s*((?:const )?\w+(?:(?=\s*\*))?)\s*(.*)", line.strip(), re.S).groups()
        for name in names.split(","):
            name = name.strip()
            array = re.match(r"(\w+)\[(\w+)\]$", name)
            if array:
                yield array[1], f"{self.type_of(kind, '')} * {self.numbers.get(array[2], array[2])}"
            else:
                stars = name.count("*")
                yield name.strip("* "), self.type_of(kind, "*" * stars)

    def type_of(self, kind, stars):
        """What ctypes calls that type of C. Objects of the library are addresses."""
        kind = kind.replace("const", "").replace("struct", "").strip()
        if stars:
            if kind == "char":
                return "c_char_p"
            known = kind in getattr(self, "structures", {}) or kind == "size_t"
            return f"POINTER({SCALARS.get(kind, kind)})" if known else "c_void_p"
        if kind == "void":
            return "None"
        return "c_int" if kind in self.enums else SCALARS.get(kind, kind)

    def read_functions(self, text):
        for result, name, arguments in re.findall(r"^HALYARD_API ([\w ]+\*?)\s*(halyard_\w+)\(([^)]*)\);", text, re.M):
            yield name, self.type_of(result.rstrip("*"), "*" * result.count("*")), list(self.read_arguments(arguments))

    def read_arguments(self, text):
        for argument in text.split(","):
            if argument.strip() != "void":
                kind, stars = re.match(r"\s*((?:const )?(?:struct )?\w+)\s*(\**)", argument).groups()
                yield self.type_of(kind, stars)


def shorten(members):
    """Their names without what they have in common: HALYARD_STAGE_LLVM is LLVM."""
    words = [name.split("_") for name, _ in members]
    common = 0
    while all(len(each) > common + 1 for each in words) and len({each[common] for each in words}) == 1:
        common += 1
    return [("_".join(each[common:]), value) for each, (_, value) in zip(words, members)]


def write(header, version):
    """The text of _declarations.py."""
    yield '"""Made by python/declare.py of include/halyard.h: do not change it by hand."""\n\n'
    yield "import enum\n"
    yield "from ctypes import (POINTER, Structure, c_bool, c_char_p, c_int, c_int64, c_size_t, c_uint, c_uint32,\n"
    yield "                    c_uint64, c_void_p)\n\n"
    yield f'VERSION = "{version}"\n'
    for name in ("HALYARD_MOST_DIMENSIONS", "HALYARD_CHAIN"):
        yield f"{name} = {header.numbers[name]}\n"
    for name, members in header.enums.items():
        yield f"\n\nclass {name}(enum.IntEnum):\n"
        yield from (f"    {member} = {value}\n" for member, value in members)
    for name, fields in header.structures.items():
        yield f"\n\nclass {name}(Structure):\n    _fields_ = [\n"
        yield from (f'        ("{field}", {kind}),\n' for field, kind in fields)
        yield "    ]\n"
    yield "\n\n# Of each function its result and its arguments.\nFUNCTIONS = {\n"
    for name, result, arguments in header.functions:
        yield f'    "{name}": ({result}, [{", ".join(arguments)}]),\n'
    yield "}\n"


def main():
    version = re.search(r"^project\(halyard VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
    text = "".join(write(Header((ROOT / "include/halyard.h").read_text()), version))
    if sys.argv[1:] != ["--check"]:
        TARGET.write_text(text)
    elif TARGET.read_text() != text:
        sys.exit(f"{TARGET.relative_to(ROOT)} is not what python/declare.py makes of include/halyard.h: run it")


if __name__ == "__main__":
    main()
