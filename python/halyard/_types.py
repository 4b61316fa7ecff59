"""The types of the language, from the library's table, and numbers of a type."""

from __future__ import annotations

import keyword
import numbers
import sys

from ._declarations import halyard_table
from ._errors import Misuse, text_of
from ._library import words


class Type:
    """A type of the language: halyard.u8, halyard.f32, halyard.int_, ...

    Called, it converts: u16(image[x, y]) is the language's u16(image(x, y)); u16(3) is the number 3 of that type.
    Wherever a type is wanted, its name ("u8"), NumPy's (numpy.uint8, numpy.dtype("u1")) and Python's int (the
    language's int, whole numbers of 64 bits that never wrap) and bool will do.
    """

    __slots__ = ("number", "name", "array")

    def __init__(self, number: int, name: str, array: str):
        self.number = number  #: the halyard_type
        self.name = name
        self.array = array  #: as an __array_interface__ has it: "<u2"

    def __repr__(self) -> str:
        return f"halyard.{spelled(self.name)}"

    def __str__(self) -> str:
        return self.name

    def __call__(self, value):
        from ._build import Expr, convert
        return convert(self, value) if isinstance(value, Expr) else Number(self, value)

    @property
    def dtype(self):
        """NumPy's, of what arrays of it hold."""
        module = numpy(f"an array of {self.name}")
        return module.dtype(_bfloat16() if self.array == BFLOAT16 else self.array)

    @property
    def arrays(self):
        """What an array of it may say of itself, as an __array_interface__ does; the first is that of NumPy's own."""
        return (self.array, "|V2", "<u2") if self.array == BFLOAT16 else (self.array,)


class Number:
    """A number of a type that is given: halyard.u8(3). An operand of expressions, like a plain number."""

    __slots__ = ("type", "value")
    __array_ufunc__ = None

    def __init__(self, kind: Type, value):
        if not is_number(value):
            raise TypeError(f"{kind!r} converts expressions and numbers, not {type(value).__name__}")
        self.type, self.value = kind, value

    def __repr__(self) -> str:
        return f"{self.type!r}({self.value})"

    def _alone(self, *others):
        """What an operator gives where no operand is an expression: a number belongs to no pipeline yet."""
        if not all(is_number(other) or isinstance(other, Number) for other in others):
            return NotImplemented  # an expression computes it; of all else Python says what it is
        raise TypeError(f"numbers alone are Python's to compute, and get a type then: write {self.type!r}(a + b); or "
                        f"p.number({self!r}) + b, an expression of the pipeline p")


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor"):
    setattr(Number, f"__{_name}__", Number._alone)
    setattr(Number, f"__r{_name}__", Number._alone)
for _name in ("lt", "le", "gt", "ge", "neg", "pos", "invert", "abs"):
    setattr(Number, f"__{_name}__", Number._alone)


BFLOAT16 = "<V2"  # of which NumPy knows the size alone


def _bfloat16():
    """The dtype of ml_dtypes; where that is not installed, one for its bits."""
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        return "<u2"
    return bfloat16


def is_truth(value) -> bool:
    """Is it a bool, of Python's or NumPy's?"""
    return isinstance(value, bool) or type(value).__module__ == "numpy" and type(value).__name__ in ("bool_", "bool")


def is_number(value) -> bool:
    """Is it a bool, an int, a float, or a scalar of NumPy's such as numpy.uint8(3)?"""
    return is_truth(value) or isinstance(value, numbers.Real)


def spelled(name: str) -> str:
    """As Python can write it: in_, int_, and so with whatever hides a word of Python's in its own module."""
    return name + "_" if keyword.iskeyword(name) or name in ("int", "bool") else name


TYPES = tuple(Type(number, text_of(word.name), text_of(word.form))
              for number, word in enumerate(words(halyard_table.TYPES)))
BY_NAME = {each.name: each for each in TYPES}
_BY_ARRAY = {each.array: each for each in TYPES}  # of int and i64, which lie alike, the later


def type_of(given) -> Type:
    """The type that is meant by a Type, a name, a dtype or a class of numbers."""
    if isinstance(given, Type):
        return given
    if isinstance(given, str) and given in BY_NAME:
        return BY_NAME[given]
    if given is int or given is bool:
        return BY_NAME[given.__name__]
    array = getattr(_dtype(given), "str", None)
    if array in _BY_ARRAY:
        return _BY_ARRAY[array]
    raise Misuse(f"{given!r} is no type of the language: {', '.join(BY_NAME)}")


def _dtype(given):
    """NumPy's dtype of it; None: it has none, or nobody has loaded NumPy."""
    loaded = sys.modules.get("numpy")
    if loaded is None or isinstance(given, str) or given is float or given is None:
        return None
    try:
        return loaded.dtype(given)
    except TypeError:
        return None


def numpy(what: str):
    """The module numpy, for "what"; an ImportError that says so where it is not installed."""
    try:
        import numpy as module
    except ImportError:
        raise ImportError(f"halyard makes {what} with NumPy, which is not installed (Debian: python3-numpy); "
                          "pass memory of your own instead") from None
    return module
