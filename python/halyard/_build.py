"""Expressions, funcs, images and reduction domains, with Python's operators; and how funcs are scheduled."""

from __future__ import annotations

import functools
import typing

from ._context import encode
from ._declarations import HALYARD_CHAIN, halyard_table
from ._errors import Misuse, text_of
from ._library import words
from ._operands import ALWAYS, Operands, one
from ._types import Number, Type, is_number, spelled


class _Node:
    """What lives as long as its pipeline: an address, and the pipeline, which is kept."""

    __slots__ = ("pipeline", "_address")

    def __init__(self, pipeline, address):
        self.pipeline = pipeline
        self._address = address

    def _of(self, pipeline):
        """The address, for a call about that pipeline."""
        if self.pipeline is not pipeline:
            other = "" if self.pipeline.context is pipeline.context else ", and of another context"
            same = "another one of that name" if self.pipeline.name == pipeline.name else f"'{pipeline.name}'"
            raise Misuse(f"'{self}' belongs to pipeline '{self.pipeline.name}'{other}, not to {same}")
        return self._address


def _rdoms_of(values):
    """The reduction domains that they mention, but for those that an inline reduction goes over itself."""
    found = frozenset()
    for value in values:
        if isinstance(value, Expr):
            found |= value._rdoms
    return found


class Expr(_Node):
    """An expression of a pipeline. It never changes.

    + - * / % << >> & | ^ ~ and comparisons make larger ones; & | ^ ~ of conditions are the language's && || != !.
    / and % of integers are Euclidean: the remainder is never negative. abs(e), round(e), e ** e and the functions of
    math (math.floor(e)) are those of the language; all others are functions of this module: halyard.select(c, a, b).
    """

    __slots__ = ("_rdoms", "_condition", "_parts", "_called")
    __array_ufunc__ = None  # numpy.float32(2) * e asks e

    def __init__(self, pipeline, address, *, rdoms=frozenset(), condition=False, parts=1):
        super().__init__(pipeline, address)
        self._rdoms = rdoms
        self._condition = condition
        self._parts = parts  # values, of a call of a func of several; None: nobody knows
        self._called: str | None = None  # of a reduction with a name

    @property
    def func(self) -> Func:
        """Of a reduction with a name the func that it is, to be scheduled: e.func.update(0).vectorize("x", 8)."""
        address = self.pipeline._call("halyard_reduction_func", self._of(self.pipeline))
        return Func(self.pipeline, self._called, address)

    if typing.TYPE_CHECKING:  # _add_operators makes them
        def __add__(self, other: object) -> Expr: ...
        __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __mod__ = __rmod__ = __add__
        __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __and__ = __rand__ = __or__ = __ror__ = __add__
        __xor__ = __rxor__ = __pow__ = __rpow__ = __lt__ = __le__ = __gt__ = __ge__ = __add__
        __eq__ = __ne__ = __add__  # type: ignore[assignment]
        def __neg__(self) -> Expr: ...
        __pos__ = __invert__ = __abs__ = __floor__ = __ceil__ = __trunc__ = __neg__

    def __str__(self) -> str:
        return self.pipeline.context._text("halyard_print_expr", self._address, needs=[self.pipeline._handle])

    def __repr__(self) -> str:
        return "<halyard.Expr, closed>" if self.pipeline.closed else f"<halyard.Expr {self}>"

    def __bool__(self):
        raise TypeError("whether an expression is true is not known before it runs: write a & b for 'a and b', a | b for "
                        "'a or b', ~a for 'not a', (0 <= x) & (x < w) for '0 <= x < w', and halyard.select for 'if'")

    def __index__(self):
        raise TypeError("an expression is no number before it runs")

    __float__ = __int__ = __index__

    def __getitem__(self, part: int) -> Expr:
        """f[x][0] is the first value of a func of several."""
        if not isinstance(part, int) or isinstance(part, bool):
            raise TypeError(f"the number of a value is an int, as in f[x][0], not {type(part).__name__}")
        if part < 0 or self._parts is not None and part >= self._parts:
            raise IndexError(f"there is no value {part}: of {'one' if self._parts == 1 else self._parts or 'several'}")
        address = self.pipeline._call("halyard_part", self._of(self.pipeline), part)
        return Expr(self.pipeline, address, rdoms=self._rdoms)

    def __iter__(self):
        if self._parts is None or self._parts < 2:
            raise TypeError("an expression is no sequence; f[x] of a func of several values is")
        return (self[part] for part in range(self._parts))

    def __round__(self, digits=None):
        if digits is not None:
            raise TypeError("round(e) rounds to a whole number; there are no digits in the language")
        return operation("round", self)

    def __floordiv__(self, _):
        raise TypeError("write a / b: of integers it is the Euclidean quotient, which is // for a positive b; of floats "
                        "halyard.floor(a / b)")

    __rfloordiv__ = __floordiv__


def _is_condition(value):
    return isinstance(value, Expr) and value._condition or isinstance(value, bool)


def operation(name: str, *operands) -> Expr:
    """An operator or a function of the language, by its name: operation("+", a, b, c), operation("select", c, a, b)."""
    pipeline = next((each.pipeline for each in operands if isinstance(each, Expr)), None)
    if pipeline is None:
        for each in operands:
            if not is_number(each) and not isinstance(each, Number):
                Operands(None, [each])  # says what is wrong with it
        raise TypeError(f"'{name}' of numbers alone is Python's to compute: one operand at least is an expression")
    given = Operands(pipeline, operands)
    address = pipeline._call("halyard_operation", encode(name, "an operator"), given.count, given.array)
    arms = operands[1:] if name == "mux" else (*operands[1::2], operands[-1]) if name == "select" else ()
    condition = name in _CONDITIONS or bool(arms) and all(map(_is_condition, arms))
    return Expr(pipeline, address, rdoms=_rdoms_of(operands), condition=condition)


def convert(to: Type, value: Expr) -> Expr:
    """The conversion of an expression: halyard.u16(e), halyard.cast(numpy.uint16, e)."""
    address = value.pipeline._call("halyard_convert", to.number, one(value.pipeline, value))
    return Expr(value.pipeline, address, rdoms=value._rdoms, condition=to.name == "bool")


_CONDITIONS = {text_of(word.name) for word in words(halyard_table.OPERATORS) if word.is_condition}

# Python's methods, and the operator of the language that each is: of conditions the second, where there is one.
_BINARY = {
    "add": ("+",), "sub": ("-",), "mul": ("*",), "truediv": ("/",), "mod": ("%",), "lshift": ("<<",), "rshift": (">>",),
    "and": ("&", "&&"), "or": ("|", "||"), "xor": ("^", "!="), "pow": ("pow",),
}
_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_UNARY = {"neg": ("-",), "invert": ("~", "!"), "abs": ("abs",), "floor": ("floor",), "ceil": ("ceil",), "trunc": ("trunc",)}


def _spelling(names, operands):
    return names[-1] if all(map(_is_condition, operands)) else names[0]


def _add_operators():
    def binary(names):
        return lambda self, other: operation(_spelling(names, (self, other)), self, other)

    def reflected(names):
        return lambda self, other: operation(_spelling(names, (self, other)), other, self)

    def unary(names):
        return lambda self: operation(_spelling(names, (self,)), self)

    for method, names in _BINARY.items():
        setattr(Expr, f"__{method}__", binary(names))
        setattr(Expr, f"__r{method}__", reflected(names))
    for method, name in _COMPARISONS.items():
        setattr(Expr, f"__{method}__", binary((name,)))
    for method, names in _UNARY.items():
        setattr(Expr, f"__{method}__", unary(names))
    Expr.__pos__ = lambda self: self


_add_operators()


class _Domain(_Node):
    """What expressions know of the reduction domain that their variables are of: not these, which know it."""

    __slots__ = ("names", "predicate")

    def __init__(self, pipeline):
        super().__init__(pipeline, pipeline._call("halyard_rdom_new", pipeline._handle))
        self.names: list[str] = []
        self.predicate: Expr | None = None

    def __str__(self) -> str:
        return ", ".join(self.names)


class RDom:
    """The box that an update or a reduction goes over: r = p.rdom(x=(0, 5), y=(-1, 3)), each variable with (min, len).

    r.x, r["x"] and r[0] are its variables, "rx, ry = r" unpacks them; the first runs fastest. An update that mentions a
    variable goes over the whole box. r.where(condition) leaves out the points of later updates for which it is false.
    """

    __slots__ = ("pipeline", "variables", "_domain")

    def __init__(self, pipeline, ranges):
        self.pipeline = pipeline
        self.variables: dict[str, Expr] = {}
        self._domain = _Domain(pipeline)
        for name, interval in ranges.items():
            self._add(name, interval)

    def _add(self, name, interval):
        if not isinstance(interval, (tuple, list)) or len(interval) != 2:
            raise TypeError(f"variable '{name}' goes over (min, len), two operands, not {interval!r}")
        least, length = (one(self.pipeline, end, f"an end of '{name}'") for end in interval)
        address = self.pipeline._call("halyard_rdom_range", self._domain._of(self.pipeline), encode(name, "a name"), least,
                                      length)
        self._domain.names.append(name)
        self.variables[name] = Expr(self.pipeline, address, rdoms=frozenset([self._domain]))

    def __repr__(self) -> str:
        return f"<halyard.RDom {self._domain}>"

    def __len__(self) -> int:
        return len(self.variables)

    def __iter__(self):
        return iter(self.variables.values())

    def __getitem__(self, which: int | str) -> Expr:
        return self.variables[which] if isinstance(which, str) else tuple(self.variables.values())[which]

    def __getattr__(self, name: str) -> Expr:
        if name not in RDom.__slots__ and name in self.variables:
            return self.variables[name]
        raise AttributeError(f"the reduction domain has no variable '{name}'")

    def where(self, condition: Expr) -> RDom:
        """Later updates that go over it leave out the points for which this, too, is false."""
        if not isinstance(condition, Expr):
            raise TypeError(f"a condition is an expression, not {type(condition).__name__}")
        self._domain.predicate = _both(self._domain.predicate, condition)
        return self


def reduction(name: str, over: RDom, value: Expr, called: str | None = None) -> Expr:
    """An inline reduction, "sum" for one: halyard.sum(r, e) is the sum of e over r, but for points that r.where leaves
    out. argmin and argmax are tuples: a number for each variable, and the value. One that is called something stands
    once in the pipeline, and can be scheduled: e.func."""
    if not isinstance(over, RDom):
        raise TypeError(f"{name}(r, e) goes over a reduction domain, p.rdom(...), not {type(over).__name__}")
    if not isinstance(value, Expr):
        raise TypeError(f"{name}(r, e) is of an expression, not {type(value).__name__}")
    pipeline, predicate = over.pipeline, over._domain.predicate
    given = None if called is None else encode(called, "a name")
    address = pipeline._call("halyard_reduction_as", encode(name, "a name"), given, over._domain._of(pipeline),
                             value._of(pipeline), ALWAYS if predicate is None else one(pipeline, predicate, "the condition"))
    parts = len(over) + 1 if name.startswith("arg") else 1
    made = Expr(pipeline, address, rdoms=_rdoms_of((value, predicate)) - {over._domain}, parts=parts)
    made._called = called
    return made


class _Schedulable:
    """What directives can be said of. Each of the library's table is a method (_add_directives)."""

    __slots__ = ()

    if typing.TYPE_CHECKING:
        def __getattr__(self, directive: str) -> typing.Callable[..., Chain]: ...

    def _direct(self, directive, arguments):
        raise NotImplementedError


class Chain(_Schedulable):
    """A chain of directives that can go on: f.store_root().compute_at(g, y)."""

    __slots__ = ("func", "_number")

    def __init__(self, func, number):
        self.func = func
        self._number = number

    def __repr__(self) -> str:
        return f"<halyard.Chain of {self.func.name}>"

    def _direct(self, directive, arguments):
        if self.func.pipeline._directive_count != self._number:
            raise Misuse(f"the chain of '{self.func.name}' has ended, for another directive was given: begin one with "
                         f"{self.func.name}.{directive}(...)")
        return self.func._schedule(HALYARD_CHAIN, directive, arguments)


class Stage(_Schedulable):
    """An update of a func, to be scheduled: f.update(0).parallel(y)."""

    __slots__ = ("func", "number")

    def __init__(self, func, number):
        self.func = func
        self.number = number

    def __repr__(self) -> str:
        return f"<halyard.Stage {self.func.name}.update({self.number})>"

    def _direct(self, directive, arguments):
        return self.func._schedule(self.number + 1, directive, arguments)


class Func(_Node, _Schedulable):
    """A func: its value at a point is f[x, y], of one without dimensions f[()].

    f[x, y] = e defines it, where x and y are variables (p.vars); f[x, y] = (a, b) gives it several values. From then on
    an assignment is an update, f[x, 0] = e and f[x, y] += e, over the reduction domain that it mentions, if any.
    """

    __slots__ = ("name", "_conditions", "__weakref__")
    __array_ufunc__ = None

    def __init__(self, pipeline, name, address=None, conditions=None):
        super().__init__(pipeline, address)
        self.name = name
        self._conditions = conditions  # of each value: is it a bool? None: nobody knows how many there are

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<halyard.{type(self).__name__} {self.name}{'' if self._address else ', not defined'}>"

    def __bool__(self):
        return True

    __iter__ = None  # f[0], f[1], ... never ends

    @property
    def defined(self) -> bool:
        return self._address is not None

    def _of(self, pipeline):
        address = super()._of(pipeline)
        if address is None:
            raise Misuse(f"func '{self.name}' is used before it is defined: {self.name}[x, y] = ...")
        return address

    def __getitem__(self, coordinates) -> Expr:
        given = _tuple(coordinates)
        operands = Operands(self.pipeline, given, what=f"a coordinate of '{self.name}'")
        address = self.pipeline._call("halyard_call", self._of(self.pipeline), operands.count, operands.array)
        known = self._conditions
        return Expr(self.pipeline, address, rdoms=_rdoms_of(given), condition=known == [True],
                    parts=None if known is None else len(known))

    def __setitem__(self, coordinates, values):
        if self._address is None:
            self._define(_tuple(coordinates), _values(values))
        else:
            self.assign(coordinates, values)

    def _define(self, variables, values):
        pipeline = self.pipeline
        over = _rdoms_of((*variables, *values))
        if over:
            raise Misuse(f"the definition of '{self.name}' mentions {next(iter(over))} of a domain: define it first, "
                         f"{self.name}[...] = 0, and update it over the domain")
        left = Operands(pipeline, variables, what=f"a dimension of '{self.name}'")
        right = Operands(pipeline, values, what=f"a value of '{self.name}'")
        self._address = pipeline._call("halyard_func_define", pipeline._handle, encode(self.name, "a name"), left.count,
                                       left.array, right.count, right.array)
        self._conditions = _conditions_of(values)
        pipeline._changed()

    def assign(self, coordinates, values, *, where: Expr | None = None, over: RDom | None = None) -> None:
        """An update: f[coordinates] = values, where a condition holds, over a domain. Without "over" it is the domain
        that is mentioned."""
        pipeline = self.pipeline
        given, right = _tuple(coordinates), _values(values)
        domain = self._domain((*given, *right, where), over)
        predicate = _both(domain and domain.predicate, where)
        left = Operands(pipeline, given, what=f"a coordinate of '{self.name}'")
        stored = Operands(pipeline, right, what=f"a value of '{self.name}'")
        condition = ALWAYS if predicate is None else one(pipeline, predicate, "the condition")
        pipeline._call("halyard_func_update", self._of(pipeline), domain and domain._of(pipeline), left.count, left.array,
                       stored.count, stored.array, condition)
        pipeline._changed()

    def _domain(self, mentioning, over):
        if over is not None and not isinstance(over, RDom):
            raise TypeError(f"an update goes over a reduction domain, not {type(over).__name__}")
        found = _rdoms_of(mentioning) | (set() if over is None else {over._domain})
        if len(found) > 1:
            raise Misuse(f"an update of '{self.name}' goes over one domain, and mentions {len(found)}: give one the "
                         "variables of all")
        return next(iter(found), None)

    def update(self, number: int) -> Stage:
        """The update of that number, from 0, to be scheduled."""
        if not isinstance(number, int) or not 0 <= number < 2**31 - 1:
            raise Misuse(f"the number of an update counts from 0: {number!r} is none")
        return Stage(self, number)

    def _direct(self, directive, arguments):
        return self._schedule(0, directive, arguments)

    def _schedule(self, stage, directive, arguments):
        pipeline = self.pipeline
        given = Operands(pipeline, arguments, what=f"an argument of {directive}", names=True)
        pipeline._call("halyard_func_schedule", self._of(pipeline), stage, encode(directive, "a directive"), given.count,
                       given.array)
        return Chain(self, pipeline._count_directive())


def _conditions_of(values):
    """Of each value: is it a bool? One that is several, an argmin alone, is so many numbers."""
    parts = values[0]._parts if len(values) == 1 and isinstance(values[0], Expr) else 1
    return [_is_condition(value) for value in values] if parts == 1 else parts and [False] * parts


def _both(one_condition, another):
    if one_condition is None or another is None:
        return another if one_condition is None else one_condition
    return operation("&&", one_condition, another)


def _tuple(coordinates):
    return tuple(coordinates) if isinstance(coordinates, (tuple, list)) else (coordinates,)


def _values(values):
    if isinstance(values, (tuple, list)):
        return tuple(values)
    return (values,)


_Function = typing.TypeVar("_Function", bound=typing.Callable[..., Expr])


class SideMethod:
    """A method of an image that gives a number of its box: im.width(). Without its parentheses it is no number, which
    operators say with what to write."""

    def __init__(self, function, image=None):
        functools.update_wrapper(self, function)
        self._function, self._image = function, image

    def __get__(self, image, _=None):
        return self if image is None else SideMethod(self._function, image)

    def __call__(self, *arguments, **named):
        return self._function(*([] if self._image is None else [self._image]), *arguments, **named)

    def call(self):
        """As it is written when it is called."""
        dimension = "0" if self._function.__code__.co_argcount > 1 else ""
        return f"{self._image.name if self._image else 'image'}.{self._function.__name__}({dimension})"

    def _refuse(self, *_):
        raise TypeError(f"a method is no number: write {self.call()}")

    __hash__ = object.__hash__
    __bool__ = __index__ = __float__ = __int__ = __floordiv__ = __rfloordiv__ = __pos__ = _refuse


for _name in (*_BINARY, *(f"r{_each}" for _each in _BINARY), *_COMPARISONS, *_UNARY):
    setattr(SideMethod, f"__{_name}__", SideMethod._refuse)


def _side_method(function: _Function) -> _Function:
    return typing.cast(_Function, SideMethod(function))


class Image(Func):
    """An input image: image[x, y] is its value at a point. The box that it has when the pipeline runs: min(d) and len(d)
    in dimension d, max(d), the last coordinate, and width(), height(), channels(), left(), right(), top(), bottom()."""

    __slots__ = ("type", "dimensions")

    def __init__(self, pipeline, name, kind, dimensions):
        if not isinstance(dimensions, int) or not 0 <= dimensions < 256:
            raise Misuse(f"the number of dimensions of image '{name}' is 0 to 8, not {dimensions!r}")
        address = pipeline._call("halyard_image", pipeline._handle, encode(name, "a name"), kind.number, dimensions)
        super().__init__(pipeline, name, address, [kind.name == "bool"])
        self.type = kind
        self.dimensions = dimensions

    def __setitem__(self, coordinates, values):
        raise Misuse(f"image '{self.name}' is an input: define a func of it, f[x, y] = {self.name}[x, y]")

    def _side(self, function, dimension):
        if not isinstance(dimension, int) or not 0 <= dimension < 256:
            raise Misuse(f"image '{self.name}' has no dimension {dimension!r}")
        return Expr(self.pipeline, self.pipeline._call(function, self._of(self.pipeline), dimension))

    @_side_method
    def min(self, dimension: int) -> Expr:
        return self._side("halyard_image_min", dimension)

    @_side_method
    def len(self, dimension: int) -> Expr:
        return self._side("halyard_image_len", dimension)

    extent = len

    @_side_method
    def max(self, dimension: int) -> Expr:
        return self.min(dimension) + self.len(dimension) - 1

    @_side_method
    def width(self) -> Expr:
        return self.len(0)

    @_side_method
    def height(self) -> Expr:
        return self.len(1)

    @_side_method
    def channels(self) -> Expr:
        return self.len(2)

    @_side_method
    def left(self) -> Expr:
        return self.min(0)

    @_side_method
    def right(self) -> Expr:
        return self.max(0)

    @_side_method
    def top(self) -> Expr:
        return self.min(1)

    @_side_method
    def bottom(self) -> Expr:
        return self.max(1)


def boundary(name: str, form: str | None, func: Func, *box, called: str | None = None) -> Func:
    """A boundary condition: func, continued outside of its box, or outside of intervals (min, len). A condition that
    takes a value is given it before them."""
    if not isinstance(func, Func):
        raise TypeError(f"{name} continues an image or a func, not {type(func).__name__}")
    pipeline = func.pipeline
    called = called or f"{func.name}_{name}"
    value, intervals = ALWAYS, box
    if form is not None:
        if not box:
            raise TypeError(f"{name} takes the value that is outside: {form}")
        value, intervals = one(pipeline, box[0], "the value outside"), box[1:]
    for each in intervals:
        if not isinstance(each, (tuple, list)) or len(each) != 2:
            raise TypeError(f"an interval of {name} is (min, len), two operands, not {each!r}")
    ends = Operands(pipeline, [end for each in intervals for end in each], what=f"an end of {name}")
    address = pipeline._call("halyard_func_boundary", encode(name, "a name"), encode(called, "a name"), func._of(pipeline),
                             value, ends.count, ends.array)
    pipeline._changed()
    return Func(pipeline, called, address, func._conditions)


def _method(word):
    name, form, meaning = text_of(word.name), text_of(word.form), text_of(word.meaning)

    def method(self, *arguments) -> Chain:
        return self._direct(name, arguments)

    method.__name__ = method.__qualname__ = spelled(name)
    method.__doc__ = f"{form}: {meaning}."
    return method


def _add_directives():
    """Each method of the table, with what the table says of it, to funcs, stages and chains."""
    for method in map(_method, words(halyard_table.METHODS)):
        setattr(_Schedulable, method.__name__, method)


_add_directives()
