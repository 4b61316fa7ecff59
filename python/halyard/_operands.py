"""Operands: numbers, expressions, funcs and names as the library takes them."""

from __future__ import annotations

import ctypes
import struct

from ._context import encode
from ._declarations import halyard_operand, halyard_operand_kind
from ._errors import Misuse
from ._types import Number, is_number, is_truth

ALWAYS = halyard_operand(halyard_operand_kind.NONE, 0)  # a predicate that is none


def of_number(value) -> halyard_operand:
    """requires: is_number(value)"""
    if is_truth(value):
        return halyard_operand(halyard_operand_kind.SIGNED, int(value))
    try:
        whole = value.__index__()
    except (AttributeError, TypeError):
        return halyard_operand(halyard_operand_kind.REAL, struct.unpack("=Q", struct.pack("=d", float(value)))[0])
    if -2**63 <= whole < 0:
        return halyard_operand(halyard_operand_kind.SIGNED, whole % 2**64)
    if 0 <= whole < 2**64:
        return halyard_operand(halyard_operand_kind.UNSIGNED, whole)
    raise Misuse(f"{_cut(whole)} has more than 64 bits")


def _cut(whole):
    digits = f"{whole:#x}"
    return digits if len(digits) < 40 else f"{digits[:36]}... ({whole.bit_length()} bits)"


class Operands:
    """An array of operands, and what must live as long as it: the bytes of its names."""

    def __init__(self, pipeline, values, *, what="an operand", names=False):
        """names: strings and funcs will do, too, as in directives."""
        self.kept = []
        made = [self._operand(pipeline, value, what, names) for value in values]
        self.count = len(made)
        self.array = (halyard_operand * max(1, len(made)))(*made)

    def _operand(self, pipeline, value, what, names):
        from ._build import Expr, Func
        if isinstance(value, Expr):
            return halyard_operand(halyard_operand_kind.EXPR, value._of(pipeline))
        if isinstance(value, Number) or is_truth(value) and not names:
            return halyard_operand(halyard_operand_kind.EXPR, pipeline._constant(value)._of(pipeline))
        if is_number(value):
            return of_number(value)
        if names and isinstance(value, Func):
            return halyard_operand(halyard_operand_kind.FUNC, value._of(pipeline))
        if names and isinstance(value, str):
            return halyard_operand(halyard_operand_kind.NAME, self._keep(encode(value, "a name")))
        raise TypeError(_complaint(value, what, names))

    def _keep(self, text):
        buffer = ctypes.create_string_buffer(text)
        self.kept.append(buffer)
        return ctypes.addressof(buffer)


def _complaint(value, what, names):
    from ._build import Func, RDom, SideMethod
    taken = "a number, an expression, a func or a name" if names else "a number or an expression"
    hint = ""
    if isinstance(value, Func):
        hint = f": write {value.name}[x, y] for its value at a point"
    elif isinstance(value, SideMethod):
        return f"{what} is {taken}, not a method: write {value.call()}"
    elif isinstance(value, RDom):
        hint = ": take one of its variables, r.x or r['x']"
    elif isinstance(value, slice):
        hint = ": a func has a value at a point, and no slices"
    elif isinstance(value, (tuple, list)):
        hint = ": several values stand on the right of f[x] = (a, b) alone"
    elif hasattr(value, "__array_interface__"):
        hint = ": an array is an image's, p.image(...), and is given to realize"
    return f"{what} is {taken}, not {type(value).__name__}{hint}"


def one(pipeline, value, what="an operand"):
    """A single operand, by value."""
    return Operands(pipeline, [value], what=what).array[0]
