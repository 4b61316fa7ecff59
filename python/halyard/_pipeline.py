"""Pipelines: built or parsed, scheduled, checked, compiled and run."""

from __future__ import annotations

import os
import weakref

from . import _context
from ._build import Expr, Func, Image, RDom, convert
from ._context import Context, Owned, encode
from ._errors import Misuse
from ._operands import Operands, of_number, one
from ._results import Code, Result
from ._types import Number, Type, is_number, is_truth, type_of


class Pipeline(Owned):
    """An algorithm and a schedule for it.

    p = Pipeline("blur") is built: p.image, p.param, p.vars, p.func, p.rdom; the last func defined is the output.
    halyard.parse makes one of text. Everything can be said in text, too: p.func_text, p.schedule.
    """

    def __init__(self, name: str, *, context: Context | None = None):
        self._begin(context or _context.context(), name, "halyard_pipeline_new", name)

    def _begin(self, context, name, function, text):
        self.name = name
        self._declared: list[weakref.ref[Func]] = []  # not to keep what keeps this
        self._directive_count = 0
        self._code: Code | None = None
        self._handle = context._own("pipeline", function, context, encode(text, "the text"))

    @classmethod
    def _parsed(cls, context, function, text):
        made = cls.__new__(cls)
        made._begin(context or _context.context(), "", function, text)
        made.name = made.schedule_text().split()[3]  # schedule s for NAME {
        return made

    def __repr__(self) -> str:
        return f"<halyard.Pipeline {self.name}{', closed' if self.closed else ''}>"

    def __str__(self) -> str:
        return self.algorithm() + self.schedule_text()

    def _call(self, function, *arguments):
        """A call about what belongs to this pipeline, which has to be open."""
        if function == "halyard_rdom_new":
            arguments = (self._handle,)
        return self.context._call(function, *arguments, needs=[self._handle])

    def _changed(self):
        self._code = None

    def _count_directive(self):
        self._directive_count += 1
        self._changed()
        return self._directive_count

    # -- building --

    def image(self, name: str, type: Type | str, dimensions: int) -> Image:
        """An input image, dimension 0 the fastest as a rule: p.image("in", halyard.u8, 2)."""
        return Image(self, name, type_of(type), dimensions)

    def param(self, name: str, type: Type | str, default=None, *, range: tuple | None = None, estimate=None) -> Expr:
        """A parameter, with a default, a range (first, last), both among its values, and an estimate for schedules."""
        kind, about = type_of(type), ""
        if range is not None:
            if not isinstance(range, (tuple, list)) or len(range) != 2:
                raise TypeError(f"the range of '{name}' is (first, last), not {range!r}")
            about += f" in {self._plain(range[0])}..{self._plain(range[1])}"
        about += "" if default is None else f" = {self._plain(default)}"
        about += "" if estimate is None else f" estimate {self._plain(estimate)}"
        address = self._call("halyard_param_text", self._handle, encode(name, "a name"), kind.number, about.strip().encode())
        self._changed()
        return Expr(self, address, condition=kind.name == "bool")

    def _plain(self, value):
        """A number as the declaration of a parameter has it: without parentheses."""
        if is_truth(value):
            return "true" if value else "false"
        return str(self.number(value)).strip("()")

    def require(self, condition: Expr) -> None:
        """What an input has to meet, over parameters and boxes of images: p.require(w <= image.width())."""
        self._call("halyard_pipeline_require", self._handle, one(self, condition))
        self._changed()

    def contract(self, contract: str) -> None:
        """The contract on floats: "exact", which it has at first, "fma" or "real"."""
        self._call("halyard_contract", self._handle, encode(contract, "the contract"))
        self._changed()

    def outputs(self, *funcs: Func) -> None:
        """The outputs, in that order: p.outputs(f, g). Of none the last func defined is the output, as it is without."""
        given = Operands(self, funcs, what="an output", names=True)
        self._call("halyard_pipeline_outputs", self._handle, given.count, given.array)
        self._changed()

    def var(self, name: str) -> Expr:
        """A variable, for the dimensions of funcs and for loops."""
        return Expr(self, self._call("halyard_var", self._handle, encode(name, "a name")))

    def vars(self, *names: str) -> tuple[Expr, ...]:
        """x, y = p.vars("x", "y"), or p.vars("x y")."""
        return tuple(self.var(name) for each in names for name in (each.split() if isinstance(each, str) else [each]))

    def func(self, name: str) -> Func:
        """A func that an assignment will define: f = p.func("f"); f[x, y] = ..."""
        encode(name, "a name")
        made = Func(self, name)
        self._declared.append(weakref.ref(made))
        return made

    def funcs(self, *names: str) -> tuple[Func, ...]:
        """bh, bv = p.funcs("bh", "bv"), or p.funcs("bh bv")."""
        return tuple(self.func(name) for each in names for name in each.split())

    def func_text(self, name: str, text: str, *, like: Func | None = None) -> Func:
        """A func as the language has it: p.func_text("c", "fun c = repeat_edge(in);"). like: a func with such values."""
        address = self._call("halyard_func_text", self._handle, encode(name, "a name"), encode(text, "the text"))
        self._changed()
        return Func(self, name, address, like and like._conditions)

    def rdom(self, **ranges: tuple) -> RDom:
        """The domain of an update or a reduction: r = p.rdom(x=(0, 5), y=(-1, 3)), with (min, len) for each variable."""
        return RDom(self, ranges)

    def number(self, value) -> Expr:
        """An expression that is a number."""
        if isinstance(value, Number) or is_truth(value):
            return self._constant(value)
        if not is_number(value):
            raise TypeError(f"a number is wanted, not {type(value).__name__}")
        return Expr(self, self._call("halyard_number", self._handle, of_number(value)))

    def _constant(self, value):
        kind, number = (value.type, value.value) if isinstance(value, Number) else (type_of(bool), value)
        plain = Expr(self, self._call("halyard_number", self._handle, of_number(number)))
        return convert(kind, plain)

    # -- scheduling --

    def schedule(self, directives: str) -> Pipeline:
        """Adds directives as text: p.schedule("f.tile(x, y, xi, yi, 256, 32).parallel(y);")."""
        self._call("halyard_schedule", self._handle, encode(directives, "the directives"))
        self._count_directive()
        return self

    def parse_schedule(self, schedules: str, name: str | None = None) -> Pipeline:
        """Takes a schedule out of the text of a whole file, "schedule a for blur { ... }", in place of all directives.
        name: of several, which."""
        named = None if name is None else encode(name, "the name")
        self._call("halyard_schedule_file", self._handle, encode(schedules, "the text"), named)
        self._count_directive()
        return self

    def schedule_file(self, path, name: str | None = None) -> Pipeline:
        """Takes a schedule out of a file, in place of all directives: p.schedule_file("blur.sched", "tiles"). name: of
        several, which. parse_schedule takes the text itself."""
        if isinstance(path, str) and "{" in path and not os.path.exists(path):
            raise Misuse("schedule_file takes the path of a file; of its text write parse_schedule(text)")
        with open(path, encoding="utf-8") as file:
            return self.parse_schedule(file.read(), name)

    def unschedule(self) -> Pipeline:
        """As at the beginning: everything is computed at root."""
        self._call("halyard_unschedule", self._handle)
        self._count_directive()
        return self

    def algorithm(self) -> str:
        """The algorithm as text."""
        return self.context._text("halyard_print_algorithm", self._handle)

    def schedule_text(self) -> str:
        """The schedule as text."""
        return self.context._text("halyard_print_schedule", self._handle)

    # -- what comes of it --

    def check(self) -> Result:
        """Is every access in bounds and every point computed, for all inputs? Of the pipeline as it is now."""
        undefined = [func.name for func in (each() for each in self._declared) if func is not None and not func.defined]
        if undefined:
            raise Misuse(f"func '{undefined[0]}' is never defined: {undefined[0]}[x, y] = ...")
        return Result(self.context, self._handle)

    def compile(self) -> Code:
        """Checks it, and makes code of it; Unproved where it is not proved. The code is kept until something changes."""
        if self._code is None or self._code.closed:
            self._code = self.check().compile()
        return self._code

    def realize(self, output, arguments: dict | None = None, /, **named):
        """Checks, compiles and runs it: see Code.realize."""
        return self.compile().realize(output, arguments, **named)


def parse(algorithm: str, schedule: str | None = None, *, context: Context | None = None) -> Pipeline:
    """A pipeline of the text of an algorithm (docs/language.md), and directives for it. Refused, with diagnostics, if it
    is none."""
    made = Pipeline._parsed(context, "halyard_parse", algorithm)
    return made.schedule(schedule) if schedule is not None else made


def parse_file(path, schedule: str | None = None, *, context: Context | None = None) -> Pipeline:
    """A pipeline of a file, an algorithm with what it includes (or, NAME.tgt, a target program), and directives for it."""
    made = Pipeline._parsed(context, "halyard_parse_file", os.fspath(path))
    return made.schedule(schedule) if schedule is not None else made


def parse_program(program: str, *, context: Context | None = None) -> Pipeline:
    """A pipeline of the text of a target program, which needs no schedule."""
    return Pipeline._parsed(context, "halyard_parse_program", program)
