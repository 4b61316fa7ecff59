"""Verdicts, what a check found, and code."""

from __future__ import annotations

import ctypes
import dataclasses
import enum
import numbers
import os

from ._context import Owned, encode
from ._declarations import (halyard_answer, halyard_argument, halyard_obligation,
                            halyard_declaration, halyard_operand, halyard_operand_kind, halyard_role, halyard_stage)
from ._errors import Diagnostic, Misuse, Unproved, listed, text_of
from ._library import library
from ._memory import Buffer, View, empty
from ._operands import of_number
from ._types import TYPES, Type, is_number


class Verdict(enum.Enum):
    """What is known for all inputs. Only PROVED is true: "if result.verdict" never takes UNKNOWN for a yes."""

    PROVED = halyard_answer.YES
    REFUTED = halyard_answer.NO
    UNKNOWN = halyard_answer.UNKNOWN

    def __bool__(self) -> bool:
        return self is Verdict.PROVED

    def __str__(self) -> str:
        return self.name


@dataclasses.dataclass(frozen=True)
class Obligation:
    """One thing that has to be true of the program for all inputs."""

    verdict: Verdict
    by_z3: bool  #: proved by Z3 alone
    rule: str  #: "B.Mem"
    about: str  #: in words
    model: str | None  #: REFUTED: where it is false, "x.len = 1, w = 0"

    @classmethod
    def _of(cls, said: halyard_obligation) -> Obligation:
        return cls(Verdict(said.answer), said.by_z3, text_of(said.rule), text_of(said.about), text_of(said.model))


@dataclasses.dataclass(frozen=True)
class Declaration:
    """What a pipeline is called with, or fills."""

    role: str  #: "param", "image" or "output"
    name: str
    type: Type
    dimensions: int
    is_default: bool  #: a parameter that need not be given

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" + (f"[{self.dimensions}]" if self.role != "param" else "")

    @classmethod
    def _of(cls, said: halyard_declaration) -> Declaration:
        return cls(halyard_role(said.role).name.lower(), text_of(said.name), TYPES[said.type], said.dimensions,
                   said.is_default)


class Result(Owned):
    """What a check found. It is true where all is proved. It does not change when its pipeline does."""

    def __init__(self, context, pipeline):
        self._handle = context._own("result", "halyard_check", pipeline, read=self._read)

    def _read(self, made):
        """What it says, as objects of Python's, which outlive it."""
        self.verdict = Verdict(library.halyard_result_answer(made))
        self.diagnostics: tuple[Diagnostic, ...] = listed(library.halyard_result_diagnostic, made, Diagnostic)
        self.obligations: tuple[Obligation, ...] = listed(library.halyard_result_obligation, made, Obligation)
        self.declarations: tuple[Declaration, ...] = listed(library.halyard_result_declaration, made, Declaration)

    def __bool__(self) -> bool:
        return bool(self.verdict)

    def __repr__(self) -> str:
        return f"<halyard.Result {self.verdict}>"

    def __str__(self) -> str:
        return "\n".join([str(self.verdict), *map(str, self.diagnostics)])

    def print(self, stage: str) -> str:
        """The program as text: "algorithm", "schedule" (the directives in the order applied), "lowered", "scheduled",
        "filled"; and, where it is proved, "llvm" and "asm"."""
        stages = {each.name.lower(): each for each in halyard_stage}
        if stage not in stages:
            raise Misuse(f"there is no stage {stage!r}: {', '.join(stages)}")
        return self.context._text("halyard_print", self._handle, stages[stage])

    def compile(self) -> Code:
        """Machine code, loaded. Unproved, with the diagnostics, unless the verdict is PROVED."""
        return Code(self)

    def object(self, name: str) -> bytes:
        """The bytes of an object file that exports the function "name" (docs/build.md)."""
        size = ctypes.c_size_t()
        return self._proved(lambda: self.context._call("halyard_object", self._handle, encode(name, "the name"),
                                                       ctypes.byref(size),
                                                       keeps=False,
                                                       read=lambda bytes: ctypes.string_at(bytes, size.value)))

    def header(self, name: str) -> str:
        """The C header of that object file."""
        return self._proved(lambda: self.context._text("halyard_header", self._handle, encode(name, "the name")))

    def write(self, name: str, path: str | os.PathLike) -> None:
        """Both, as PATH.o and PATH.h; a file appears whole or not at all."""
        where = os.fsencode(path)
        if b"\0" in where:
            raise Misuse("the path has a zero character")
        self._proved(lambda: self.context._call("halyard_write", self._handle, encode(name, "the name"), where))

    def _proved(self, call):
        """An Unproved of that call says why nothing is proved."""
        try:
            return call()
        except Unproved as error:
            raise Unproved(error.message, error.call, self.diagnostics) from None


class Code(Owned):
    """Machine code of a pipeline that is proved, loaded. It may outlive its result and its pipeline."""

    def __init__(self, result: Result):
        context = result.context
        self._handle = result._proved(lambda: context._own("code", "halyard_compile", result._handle))
        self.declarations = result.declarations

    def __repr__(self) -> str:
        return f"<halyard.Code of {', '.join(map(str, self.declarations))}{', closed' if self.closed else ''}>"

    def realize(self, output, arguments: dict | None = None, /, **named):
        """Computes the window of the output, and gives the array that holds it.

        output: an array to be filled, with whatever strides, a Buffer of one, or the window to be computed, for which an
        array is made: an int or (min, len) for each dimension, x first: realize((640, 480), ...), realize([(-1, 642), 480]).
        Of several outputs a dict of these by name, and what it gives is a dict of arrays. An output of several values, f,
        takes a window or a tuple of as many arrays, and gives a tuple; in a dict each value may have its own name: "f.0".
        arguments: images and parameters by name. A name that is a word of Python's may have "_" behind it: in_=pixels.

        Nothing is copied to or from this module: anything with the buffer protocol or an __array_interface__ is used
        where it lies. The last axis of an array is dimension 0: pixels[y, x] is in(x, y). Buffer says it otherwise.
        """
        inputs = self._collect(arguments, named)
        targets = self._targets(output)
        with _Call() as call:
            count, given = call.list(inputs, writes=False)
            output_count, filled = call.list(targets, writes=True)
            self.context._call("halyard_realize_all", self._handle, given, count, filled, output_count)
        made = {name: target.array if isinstance(target, Buffer) else target for name, (_, target) in targets.items()}
        if not isinstance(output, dict):
            return next(iter(made.values())) if len(made) == 1 else tuple(made.values())
        return {name: made[name] if name in made else tuple(made[part] for part in self._parts()[name]) for name in output}

    def _parts(self):
        """Of each output the names of its values: {"f": ["f"], "g": ["g.0", "g.1"]}."""
        parts = {}
        for each in self.declarations:
            if each.role == "output":
                parts.setdefault(each.name.partition(".")[0], []).append(each.name)
        return parts

    def _targets(self, output):
        """The memory of each output, by its name: what is given, or what is made for a window."""
        declared = {each.name: each for each in self.declarations if each.role == "output"}
        parts = self._parts()
        if not isinstance(output, dict):
            if len(parts) > 1:
                raise Misuse(f"the pipeline has {len(parts)} outputs: give a dict of {', '.join(parts)}")
            output = {name: output for name in parts}
        output = _apart(output, parts)
        for name in [*output, *declared]:
            if name not in declared:
                raise Misuse(f"'{name}' is no output: the pipeline fills {_series(declared.values())}")
            if name not in output:
                raise Misuse(f"output '{name}' is not given: the pipeline fills {_series(declared.values())}")
        return {name: (declared[name], empty(given, declared[name]) if _is_window(given) else _no_window(given))
                for name, given in output.items()}

    def _collect(self, arguments, named):
        """All arguments by the names that the pipeline has for them."""
        if arguments is not None and not isinstance(arguments, dict):
            raise TypeError(f"the arguments are a dict of names, or are named, not {type(arguments).__name__}")
        known = {each.name: each for each in self.declarations if each.role != "output"}
        found = {}
        for name, value in [*(arguments or {}).items(), *named.items()]:
            if name not in known and isinstance(name, str) and name.removesuffix("_") in known:
                name = name.removesuffix("_")
            if name not in known:
                raise Misuse(f"'{name}' is no parameter or image: the pipeline takes {_series(known.values())}")
            if name in found:
                raise Misuse(f"'{name}' is given twice")
            found[name] = (known[name], value)
        for each in known.values():
            if each.name not in found and not each.is_default:
                raise Misuse(f"{each.role} '{each.name}' is not given: the pipeline takes {_series(known.values())}")
        return found


def _apart(output, parts):
    """What is given for each value of each output."""
    apart = {}
    for name, given in output.items():
        names = parts.get(name, [name])
        if len(names) == 1 or _is_window(given):
            each = [given] * len(names)
        elif isinstance(given, (tuple, list)) and len(given) == len(names):
            each = given
        else:
            raise Misuse(f"output '{name}' has {len(names)} values: give a window, or a tuple of an array for each of {', '.join(names)}")
        for part, value in zip(names, each):
            if part in apart:
                raise Misuse(f"'{part}' is given twice")
            apart[part] = value
    return apart


def _series(declarations):
    return ", ".join(map(str, declarations)) or "nothing"


def _is_window(output):
    """Does it say where, and not what memory?"""
    if isinstance(output, (tuple, list)):
        return all(map(_is_side, output))
    return isinstance(output, numbers.Integral)


def _no_window(output):
    """What is no window, unless it was meant to be one."""
    sides = [side for side in output if not _is_side(side)] if isinstance(output, tuple) else []
    if sides and all(isinstance(side, numbers.Number) for side in sides):
        raise TypeError(f"a window is an int or (min, len) for each dimension, and {sides[0]!r} is neither")
    return output


def _is_side(side):
    if isinstance(side, (tuple, list)):
        return len(side) == 2 and all(isinstance(end, numbers.Integral) for end in side)
    return isinstance(side, numbers.Integral)


class _Call:
    """The arguments of one call, and the memory that it holds on to while it runs."""

    def __init__(self):
        self.views = []
        self.kept = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for view in self.views:
            view.release()

    def list(self, wanted, *, writes):
        """Their number, and an array of halyard_arguments."""
        made = (halyard_argument * max(1, len(wanted)))()
        for slot, (declared, value) in zip(made, wanted.values()):
            slot.name = declared.name.encode()
            slot.value = self._value(declared, value, writes)
        return len(wanted), made

    def _value(self, declared, value, writes):
        if declared.role == "param":
            if not is_number(value):
                raise TypeError(f"parameter '{declared}' is a number, not {type(value).__name__}")
            return of_number(value)
        view = View(declared, value, writes=writes)
        self.views.append(view)
        description = view.describe()
        self.kept.append(description)
        return halyard_operand(halyard_operand_kind.BUFFER, ctypes.addressof(description))
