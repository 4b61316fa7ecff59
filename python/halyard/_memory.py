"""Arrays as the library sees them, without a copy: the buffer protocol, __array_interface__, and Buffer."""

from __future__ import annotations

import ctypes

from ._declarations import halyard_buffer
from ._errors import Misuse
from ._types import numpy


class Buffer:
    """An array, and how a pipeline sees it.

    min: the coordinates of its first element, x first; 0 for each as a rule: Buffer(pixels, min=(-1, -1)). axes: which
    axis of the array each dimension is, x first; the last axis as a rule is x, as in pixels[y, x]. Of an interleaved
    array pixels[y, x, c] for an image in(x, y, c) it is axes=(1, 0, 2).
    """

    def __init__(self, array, *, min=None, axes=None):
        self.array = array.array if isinstance(array, Buffer) else array
        self.min = None if min is None else _whole(min, "min")
        self.axes = None if axes is None else _whole(axes, "axes")

    def __repr__(self) -> str:
        said = "".join(f", {name}={value}" for name, value in (("min", self.min), ("axes", self.axes)) if value is not None)
        return f"halyard.Buffer({type(self.array).__name__}{said})"


def _whole(numbers, what):
    try:
        return tuple(each.__index__() for each in (numbers if hasattr(numbers, "__iter__") else (numbers,)))
    except AttributeError:
        raise TypeError(f"{what} is a tuple of ints, x first, not {numbers!r}") from None


class _PyBuffer(ctypes.Structure):
    """Python's Py_buffer."""

    _fields_ = [
        ("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)), ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)), ("internal", ctypes.c_void_p),
    ]


_RECORDS_RO = 0x001C  # PyBUF_RECORDS_RO: shape, strides and format, writable or not
_get = ctypes.pythonapi.PyObject_GetBuffer
_get.argtypes, _get.restype = (ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int), ctypes.c_int
_release = ctypes.pythonapi.PyBuffer_Release
_release.argtypes, _release.restype = (ctypes.POINTER(_PyBuffer),), None

# Of the struct module's letters, without those of C's own sizes: itemsize says these.
_KINDS = {**dict.fromkeys("bhilqn", "i"), **dict.fromkeys("BHILQN", "u"), **dict.fromkeys("efd", "f"), "?": "b"}


def _array_of_format(form, itemsize):
    """"<u2", as an __array_interface__ has it, for the format "@H"; what is no number of this machine as it is."""
    order, letter = (form[0], form[1:]) if form[:1] in "@=<>!" and form else ("@", form)
    if letter == "2x":
        return "|V2"  # bf16, or nothing of ours
    if letter not in _KINDS or order in ">!" and itemsize > 1:
        return f"'{form}'"
    return f"{'|' if itemsize == 1 else '<'}{_KINDS[letter]}{itemsize}"


class _Exported:
    """Memory by the buffer protocol: it neither moves nor goes while this is held."""

    def __init__(self, array):
        self._buffer = buffer = _PyBuffer()
        _get(array, ctypes.byref(buffer), _RECORDS_RO)
        self.address = buffer.buf
        self.array = _array_of_format((buffer.format or b"B").decode("ascii", "replace"), buffer.itemsize)
        self.itemsize = buffer.itemsize
        self.shape = tuple(buffer.shape[: buffer.ndim])
        dense = not buffer.strides  # as ctypes has it
        self.strides = tuple(_dense(self.shape, self.itemsize) if dense else buffer.strides[: buffer.ndim])
        self.readonly = bool(buffer.readonly)

    def release(self):
        _release(ctypes.byref(self._buffer))


class _Interface:
    """Memory by an __array_interface__, which the array keeps while it lives."""

    def __init__(self, array, said):
        self._array = array
        self._inner = None
        self.array = said["typestr"]
        self.shape = tuple(said["shape"])
        self.itemsize = int(self.array[2:]) if self.array[2:].isdigit() else 1
        self._find(said)
        self.strides = tuple(said.get("strides") or _dense(self.shape, self.itemsize))

    def _find(self, said):
        data = said.get("data")
        if isinstance(data, tuple):
            self.address, self.readonly = data[0], bool(data[1])
            return
        self._inner = _Exported(self._array if data is None else data)
        self.address = (self._inner.address or 0) + said.get("offset", 0)
        self.readonly = self._inner.readonly

    def release(self):
        if self._inner:
            self._inner.release()


def _dense(shape, itemsize):
    strides = []
    for length in reversed(shape):
        strides.insert(0, itemsize)
        itemsize *= max(1, length)
    return strides


def _memory_of(array, who):
    try:
        return _Exported(array)
    except (TypeError, ValueError, BufferError) as error:
        said = getattr(array, "__array_interface__", None)
        if isinstance(said, dict) and "typestr" in said and "shape" in said:
            return _Interface(array, said)
        hint = ", with neither the buffer protocol nor an __array_interface__" if type(error) is TypeError else f": {error}"
        raise TypeError(f"{who} needs an array, and is given {type(array).__name__}{hint}") from None


class View:
    """One argument's memory, held against what the pipeline declares of it."""

    def __init__(self, declared, given, *, writes):
        buffer = given if isinstance(given, Buffer) else Buffer(given)
        self.declared = declared
        self.who = f"{declared.role} '{declared}'"
        self.buffer = buffer
        self.memory = _memory_of(buffer.array, self.who)
        try:
            self._judge(writes)
        except BaseException:
            self.release()
            raise

    def release(self):
        self.memory.release()

    def _judge(self, writes):
        memory, wanted = self.memory, self.declared
        if memory.array not in wanted.type.arrays:
            hint = f"array.astype('{wanted.type.array}')"
            if len(wanted.type.arrays) > 1:
                hint = "an array of ml_dtypes.bfloat16, or of its bits, of numpy.uint16"
            raise Misuse(f"{self.who} has elements of type {wanted.type}, '{wanted.type.array}' in NumPy, and those of the "
                         f"array are {memory.array}: pass {hint}")
        if len(memory.shape) != wanted.dimensions:
            raise Misuse(f"{self.who} has {wanted.dimensions} dimensions, and the array of shape {memory.shape} has "
                         f"{len(memory.shape)}")
        if writes and memory.readonly:
            raise Misuse(f"{self.who} is read-only: pass an array that can be written")
        if any(stride % memory.itemsize for stride, length in zip(memory.strides, memory.shape) if length > 1):
            raise Misuse(f"{self.who} has strides of {memory.strides} bytes, which are no whole elements of {memory.itemsize}: "
                         "pass numpy.ascontiguousarray(array)")
        if memory.address and memory.address % memory.itemsize and 0 not in memory.shape:
            raise Misuse(f"{self.who} is not aligned to its elements of {memory.itemsize} bytes: pass array.copy()")

    def describe(self) -> halyard_buffer:
        """As the library has it: dimension 0 is x."""
        memory, rank = self.memory, self.declared.dimensions
        axes = self._axes(rank)
        least = self.buffer.min or (0,) * rank
        if len(least) != rank:
            raise Misuse(f"{self.who} has {rank} dimensions, and min={least} {len(least)}")
        made = halyard_buffer(data=memory.address, type=self.declared.type.number, dimensions=rank)
        for dimension, axis in enumerate(axes):
            if not -2**63 <= least[dimension] < 2**63:
                raise Misuse(f"{self.who}: min {least[dimension]} in dimension {dimension} has more than 64 bits")
            made.min[dimension] = least[dimension]
            made.extent[dimension] = memory.shape[axis]
            made.stride[dimension] = memory.strides[axis] // memory.itemsize
        return made

    def _axes(self, rank):
        axes = self.buffer.axes
        if axes is None:
            return tuple(reversed(range(rank)))
        if sorted(axes) != list(range(rank)):
            raise Misuse(f"{self.who}: axes={axes} is not each of the {rank} axes of the array once, counted from 0")
        return axes


def empty(window, declared):
    """A Buffer of a new array for that window: an int or (min, len) for each dimension, x first."""
    sides = list(window) if isinstance(window, (tuple, list)) else [window]
    if len(sides) != declared.dimensions:
        raise Misuse(f"output '{declared}' has {declared.dimensions} dimensions, and the window {window} has {len(sides)}")
    sides = [side if isinstance(side, (tuple, list)) else (0, side) for side in sides]
    for least, length in sides:
        if length < 0 or abs(least) > 2**31 or length > 2**31:
            raise Misuse(f"output '{declared}' has no window {window}: sides are (min, len), within 2**31")
    array = numpy("an array for the output").empty([length for _, length in reversed(sides)], declared.type.dtype)
    return Buffer(array, min=[least for least, _ in sides])


