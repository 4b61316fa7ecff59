"""Halyard: image pipelines in Halide's language, with a formal semantics, schedules that are proved for all inputs.

    import halyard as hl

    p = hl.Pipeline("blur")
    x, y = p.vars("x y")
    image = p.image("in", hl.u16, 2)
    bh, bv = p.funcs("bh bv")
    bh[x, y] = (image[x - 1, y] + image[x, y] + image[x + 1, y]) / 3
    bv[x, y] = (bh[x, y - 1] + bh[x, y] + bh[x, y + 1]) / 3
    bv.tile(x, y, "xi", "yi", 256, 32).parallel(y).vectorize("xi", 16)
    bh.compute_at(bv, x).vectorize(x, 16)

    blurred = p.realize((638, 478), in_=hl.Buffer(pixels, min=(-1, -1)))

A pipeline is built (Pipeline) or parsed (parse), scheduled by methods of its funcs or by text (Pipeline.schedule),
checked (Pipeline.check gives a Result, whose verdict is PROVED, REFUTED or UNKNOWN), compiled (Code), and realized on
arrays, which are used where they lie; or written as an object file (Result.write). What is wrong is an exception
(Error), which has diagnostics with code, line, column and hint.

Types are u8, i32, f64, int_, bool_ and so on (halyard.TYPES lists them); functions of the language, select, clamp, sqrt
and so on (halyard.FUNCTIONS), take expressions and numbers; sum, argmin and so on (halyard.REDUCTIONS) a reduction
domain and an expression; repeat_edge and so on (halyard.BOUNDARIES) an image or a func. All come from the tables of
libhalyard, which HALYARD_LIBRARY may name. docs/python.md tells the story.
"""

from __future__ import annotations

import builtins as _builtins
import inspect as _inspect
import typing as _typing

from ._build import Chain, Expr, Func, Image, RDom, Stage, boundary as _boundary, operation, reduction as _reduction
from ._context import Context, context
from ._declarations import halyard_table as _table
from ._errors import (Closed, Defect, Diagnostic, Error, Failed, Misuse, NoFile, NoMemory, Refused, Unproved,
                      text_of as _text_of)
from ._library import library as _shared, words as _words
from ._memory import Buffer
from ._pipeline import Pipeline, parse, parse_file, parse_program
from ._results import Code, Declaration, Obligation, Result, Verdict
from ._types import TYPES, Number, Type, spelled as _spelled, type_of as _type_of

for _public in (Chain, Closed, Code, Context, Declaration, Defect, Diagnostic, Error, Expr, Failed, Func, Image, Misuse, NoFile,
                NoMemory, Number, Obligation, Pipeline, RDom, Refused, Result, Stage, Type, Unproved, Verdict, Buffer):
    _public.__module__ = __name__  # where users find them

__version__ = _shared.halyard_version().decode()


def cast(type: Type | str, value):
    """The conversion of an expression or a number to a type, by any of its names: cast("u16", e) is u16(e)."""
    return _type_of(type)(value)


_OPEN = ("select", "min", "max", "concat_bits")  # of as many operands as one likes: select(c, a, d, b, .., e)


def mux(number: Expr, *values) -> Expr:
    """The language's mux: the value with that number, counted from 0, and the last for every other number. The values stand
    beside each other or in a list: mux(c, [r, g, b])."""
    if len(values) == 1 and isinstance(values[0], (list, tuple)):
        values = tuple(values[0])
    if len(values) < 2:
        raise TypeError(f"mux takes a number and the values that it chooses from, two or more, not {len(values)}")
    return operation("mux", number, *values)


def _function(word):
    """The function of this module for one of the language."""
    name, count = _text_of(word.name), word.operands

    def function(*operands):
        if len(operands) < count or len(operands) > count and name not in _OPEN:
            raise TypeError(f"{name} takes {count} operand{'s' * (count != 1)}{' or more' * (name in _OPEN)}, not "
                            f"{len(operands)}")
        return operation(name, *operands)

    function.__doc__ = f"The language's {name}: {_text_of(word.meaning) or 'docs/language.md has it'}."
    letters = [_inspect.Parameter(letter, _inspect.Parameter.POSITIONAL_ONLY) for letter in "abcdefgh"[:count]]
    if name in _OPEN:
        letters.append(_inspect.Parameter("more", _inspect.Parameter.VAR_POSITIONAL))
    function.__signature__ = _inspect.Signature(letters)
    return _named(function, name)


def _named(function, name):
    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    return function


def _reduced(word):
    name = _text_of(word.name)

    def function(over: RDom, value: Expr, *, name: str | None = None) -> Expr:
        return _reduction(function.__name__, over, value, name)

    function.__doc__ = (f"The language's inline reduction {name} of an expression over a reduction domain. With a name it "
                        "stands once, and is scheduled by it: e.func.")
    return _named(function, name)


def _continued(word):
    name, form = _text_of(word.name), _text_of(word.form)

    def function(func: Func, *box, name: str | None = None) -> Func:
        return _boundary(function.__name__, form, func, *box, called=name)

    function.__doc__ = (f"The func {form or name + '(f, ...)'}: f, continued outside of its box, or outside of an interval (min, "
                        "len) for each dimension. It is called \"name\".")
    return _named(function, name)


def _offer(table, make):
    """Puts what "make" makes of each word of a table into this module, and gives their names."""
    names = []
    for word in _words(table):
        made = make(word)
        globals()[made.__name__] = made
        names.append(made.__name__)
    return tuple(names)


if _typing.TYPE_CHECKING:
    def __getattr__(name: str) -> _typing.Any: ...  # what the tables bring: u8, select, sum, repeat_edge, ...

for _type in TYPES:
    globals()[_spelled(_type.name)] = _type
FUNCTIONS = (*_offer(_table.FUNCTIONS, _function), "mux")
REDUCTIONS = _offer(_table.REDUCTIONS, _reduced)
BOUNDARIES = _offer(_table.BOUNDARIES, _continued)

# "from halyard import *" leaves Python's own min, max, abs, round, pow and sum alone.
__all__ = [
    "BOUNDARIES", "Buffer", "Chain", "Closed", "Code", "Context", "Declaration", "Defect", "Diagnostic", "Error", "Expr",
    "FUNCTIONS", "Failed", "Func", "Image", "Misuse", "NoFile", "NoMemory", "Number", "Obligation", "Pipeline", "RDom",
    "REDUCTIONS", "Refused", "Result", "Stage", "TYPES", "Type", "Unproved", "Verdict", "cast", "context", "operation",
    "parse", "parse_file", "parse_program",
]
__all__ += [name for name in (*(_spelled(each.name) for each in TYPES), *FUNCTIONS, *REDUCTIONS, *BOUNDARIES)
            if not hasattr(_builtins, name)]
