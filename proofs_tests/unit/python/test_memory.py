"""Arrays in and out: every type, any strides, origins, and what is refused before anything is written."""

import array
import ctypes
import unittest

import halyard as hl

from support import BLUR, Suite, numpy, rows, run, with_rows

W, H = 20, 12
FILL = 0xEEEE


def blurred(pixels):
    """What BLUR makes of pixels[0, 0] = in(-1, -1), in numbers that do not wrap."""
    wide = pixels.astype(numpy.int64)
    across = (wide[:, :-2] + wide[:, 1:-1] + wide[:, 2:]) % 65536 // 3
    return ((across[:-2] + across[1:-1] + across[2:]) % 65536 // 3).astype(numpy.uint16)


def pixels():
    return numpy.random.default_rng(7).integers(0, 65536, (H + 2, W + 2), numpy.uint16)


class ByInterface:
    """An array that says no more of itself than __array_interface__ does."""

    def __init__(self, array, **said):
        self.kept = array
        self.__array_interface__ = {**array.__array_interface__, **said}


class Inner:
    """The same, with bytes for its data, as images of other libraries have them."""

    def __init__(self, array):
        self.__array_interface__ = {"version": 3, "shape": array.shape, "typestr": array.dtype.str, "data": array.tobytes()}


class Bare:
    __array_interface__ = {"shape": (3,), "version": 3}


def strided(source):
    """The same elements, each with two more beside it, and rows the other way round."""
    room = numpy.zeros((source.shape[0], source.shape[1] * 3), source.dtype)
    view = room[::-1, 1::3]
    view[...] = source
    return view


def read_only(source):
    copy = source.copy()
    copy.flags.writeable = False
    return copy


def fields(source):
    """A field of a structured array: its elements lie a whole number of them apart."""
    room = numpy.zeros(source.shape, [("a", numpy.uint16), ("b", numpy.uint32), ("c", numpy.uint16)])
    room["c"] = source
    return room["c"]


code = hl.parse(BLUR, "bv.tile(x, y, xi, yi, 8, 4).parallel(y); bh.compute_at(bv, x);").compile() if numpy else None


@with_rows
class Blur(Suite):
    @rows({
        "dense": lambda a: a,
        "Fortran's order": lambda a: numpy.asfortranarray(a),
        "strided, turned": strided,
        "both turned": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
        "a part of a larger one": lambda a: numpy.pad(a, 5)[5:-5, 5:-5],
        "read-only": read_only,
        "a field": fields,
        "a transposed one": lambda a: a.T.copy().T,
        "a memoryview": lambda a: memoryview(a),
        "ctypes": lambda a: (ctypes.c_uint16 * (W + 2) * (H + 2)).from_buffer_copy(a),
        "an __array_interface__": ByInterface,
        "an __array_interface__ with strides": lambda a: ByInterface(strided(a)),
        "an __array_interface__ of bytes": Inner,
        "a subclass": lambda a: a.view(numpy.ma.MaskedArray),
        "a memory map": lambda a: mapped(a),
    })
    def takes(self, make):
        source = pixels()
        given = make(source)
        out = code.realize((W, H), in_=hl.Buffer(given, min=(-1, -1)))
        numpy.testing.assert_array_equal(out, blurred(source))
        numpy.testing.assert_array_equal(source, pixels())

    @rows({
        "dense": lambda: numpy.full((H, W), FILL, numpy.uint16),
        "Fortran's order": lambda: numpy.full((H, W), FILL, numpy.uint16, order="F"),
        "strided, turned": lambda: strided(numpy.full((H, W), FILL, numpy.uint16)),
        "a part of a larger one": lambda: numpy.full((H + 4, W + 6), FILL, numpy.uint16)[2:-2, 3:-3],
        "a field": lambda: fields(numpy.full((H, W), FILL, numpy.uint16)),
        "a memoryview": lambda: memoryview(numpy.full((H, W), FILL, numpy.uint16)),
        "ctypes": lambda: (ctypes.c_uint16 * W * H)(),
        "an __array_interface__": lambda: ByInterface(numpy.full((H, W), FILL, numpy.uint16)),
    })
    def fills(self, make):
        out = make()
        given = code.realize(out, {"in": hl.Buffer(pixels(), min=(-1, -1))})
        self.assertIs(given, out)
        numpy.testing.assert_array_equal(numpy.asarray(out), blurred(pixels()))

    def test_what_lies_around_is_left_alone(self):
        room = numpy.full((3 * H, 4 * W), FILL, numpy.uint16)
        inner = numpy.zeros(room.shape, bool)
        inner[H:2 * H, W:3 * W:2] = True
        code.realize(room[H:2 * H, W:3 * W:2], in_=hl.Buffer(pixels(), min=(-1, -1)))
        self.assertTrue((room[~inner] == FILL).all())
        numpy.testing.assert_array_equal(room[H:2 * H, W:3 * W:2], blurred(pixels()))

    @rows({
        "origin": ([(3, 5), (2, 4)], numpy and numpy.s_[2:6, 3:8]),
        "negative origin": ([(-0, 5), 4], numpy and numpy.s_[0:4, 0:5]),
        "one point": ((1, 1), numpy and numpy.s_[0:1, 0:1]),
        "NumPy's numbers": ([(numpy.int64(0), numpy.uint8(3)), numpy.int8(2)] if numpy else None, numpy and numpy.s_[0:2, 0:3]),
    })
    def windows(self, window, part):
        out = code.realize(window, in_=hl.Buffer(pixels(), min=(-1, -1)))
        numpy.testing.assert_array_equal(out, blurred(pixels())[part])

    @rows({"no rows": ((W, 0), (0, W)), "no columns": ((0, H), (H, 0)), "nothing": ([(5, 0), (-3, 0)], (0, 0))})
    def empty_windows(self, window, shape):
        self.assertEqual(code.realize(window, in_=numpy.zeros((1, 1), numpy.uint16)).shape, shape)

    def test_moved_windows_need_moved_images(self):
        out = hl.Buffer(numpy.zeros((H, W), numpy.uint16), min=(100, -50))
        given = code.realize(out, in_=hl.Buffer(pixels(), min=(99, -51)))
        self.assertIs(given, out.array)
        numpy.testing.assert_array_equal(given, blurred(pixels()))

    def test_what_a_copy_that_is_not_taken_reads_need_not_be_there(self):
        pipeline = hl.Pipeline("p")
        (x,) = pipeline.vars("x")
        pixels_in = pipeline.image("in", hl.u8, 1)
        doubled = pipeline.func("doubled")
        doubled[x] = pixels_in[x] * 2
        pipeline.schedule("doubled.specialize(doubled.len(0) % 16 == 1).split(x, xo, xi, 16, round);")
        copies = pipeline.compile()
        given = numpy.arange(20, dtype=numpy.uint8)
        numpy.testing.assert_array_equal(copies.realize(20, in_=given), given * 2)
        with self.told(hl.Failed, "image 'in' does not contain what is read of it: [0, 32), and it is [0, 20)"):
            copies.realize(17, in_=given)

    # Images. What is refused is refused before anything is written, and told with the name and what to pass.
    @rows({
        "type": (lambda a: a.astype(numpy.int64), hl.Misuse, "image 'in: u16[2]' has elements of type u16", "astype('<u2')"),
        "signed": (lambda a: a.view(numpy.int16), hl.Misuse, "those of the array are <i2"),
        "byte order": (lambda a: a.astype(">u2"), hl.Misuse, "those of the array are '>H'"),
        "complex": (lambda a: a.astype(complex), hl.Misuse, "'Zd'"),
        "records": (lambda a: numpy.zeros((3, 3), "u1,u1"), hl.Misuse, "has elements of type u16"),
        "objects": (lambda a: a.astype(object), hl.Misuse, "'O'"),
        "texts": (lambda a: a.astype("U6"), hl.Misuse, "has elements of type u16"),
        "times": (lambda a: a.astype("M8[s]"), hl.Misuse, "those of the array are <M8[s]"),
        "rank 1": (lambda a: a.ravel(), hl.Misuse, "has 2 dimensions, and the array of shape (308,) has 1"),
        "rank 3": (lambda a: a[None], hl.Misuse, "has 2 dimensions"),
        "misaligned": (lambda a: misaligned(a.shape), hl.Misuse, "not aligned to its elements of 2 bytes", "array.copy()"),
        "half an element": (lambda a: half(a.shape), hl.Misuse, "no whole elements of 2", "ascontiguousarray"),
        "too small": (lambda a: a[1:], hl.Failed,
                      "image 'in' does not contain what is read of it: [-1, 21) x [-1, 13), and it is [-1, 21) x [-1, 12)"),
        "a list": (lambda a: a.tolist(), TypeError, "image 'in: u16[2]' needs an array, and is given list"),
        "a number": (lambda a: 3, TypeError, "needs an array"),
        "None": (lambda a: None, TypeError, "is given NoneType"),
        "half an interface": (lambda a: Bare(), TypeError, "is given Bare"),
        "text": (lambda a: "photo.png", TypeError, "is given str"),
        "a func": (lambda a: hl.Pipeline("p").image("q", hl.u8, 2), TypeError, "is given Image"),
        "released": (lambda a: released(a), TypeError, "released memoryview"),
        "deleted type": (lambda a: numpy.uint16, TypeError, "needs an array"),
    })
    def refuses_images(self, make, kind, *texts):
        self.refuses_call(kind, texts, (W, H), {"in": hl.Buffer(make(pixels()), min=None) if kind is not hl.Failed else
                                                hl.Buffer(make(pixels()), min=(-1, -1))})

    def refuses_call(self, kind, texts, output, arguments):
        before = output.copy() if isinstance(output, numpy.ndarray) else None
        with self.told(kind, *texts):
            code.realize(output, arguments)
        if before is not None:
            numpy.testing.assert_array_equal(output, before)

    @rows({
        "type": (lambda: numpy.zeros((H, W), numpy.uint8), hl.Misuse, "output 'bv: u16[2]' has elements of type u16"),
        "rank": (lambda: numpy.zeros(W, numpy.uint16), hl.Misuse, "output 'bv: u16[2]' has 2 dimensions"),
        "read-only": (lambda: read_only(numpy.zeros((H, W), numpy.uint16)), hl.Misuse, "is read-only"),
        "read-only by its interface": (lambda: ByInterface(read_only(numpy.zeros((H, W), numpy.uint16))), hl.Misuse, "is read-only"),
        "bytes": (lambda: memoryview(bytes(2 * W * H)).cast("H", (H, W)), hl.Misuse, "is read-only"),
        "one row again and again": (lambda: numpy.lib.stride_tricks.as_strided(numpy.zeros(W, numpy.uint16), (H, W), (0, 2)),
                                    hl.Misuse, "elements share memory"),
        "rows that overlap": (lambda: numpy.lib.stride_tricks.as_strided(numpy.zeros(W * H, numpy.uint16), (H, W), (W, 2)),
                              hl.Misuse, "elements share memory"),
        "misaligned": (lambda: misaligned((H, W)), hl.Misuse, "not aligned"),
        "a list": (lambda: [[0] * W] * H, TypeError, "output 'bv: u16[2]' needs an array"),
        "None": (lambda: None, TypeError, "needs an array"),
        "one side": (lambda: W, hl.Misuse, "has 2 dimensions, and the window 20 has 1"),
        "three sides": (lambda: (W, H, 1), hl.Misuse, "has 3"),
        "half a side": (lambda: (W, 1.5), TypeError, "an int or (min, len) for each dimension, and 1.5 is neither"),
        "arrays side by side": (lambda: (numpy.zeros(W), 3), TypeError, "needs an array"),
        "negative": (lambda: (W, -1), hl.Misuse, "no window (20, -1)"),
        "huge": (lambda: (2 ** 70, 1), hl.Misuse, "no window"),
        "far away": (lambda: [(2 ** 40, 3), 1], hl.Misuse, "no window"),
        "at the end": (lambda: [(2 ** 31 - 2, 3), 1], hl.Misuse, "outside of +-2^31"),
        "beyond memory": (lambda: (2 ** 31, 2 ** 31), Exception, ""),
        "text": (lambda: "20x12", TypeError, "is given str"),
    })
    def refuses_outputs(self, make, kind, *texts):
        arguments = {"in": hl.Buffer(pixels(), min=(-1, -1))}
        if kind is Exception:  # NumPy's, by what it is
            self.assertRaises((MemoryError, ValueError), code.realize, make(), arguments)
        else:
            self.refuses_call(kind, texts, make(), arguments)

    @rows({
        "none": (lambda a: {}, hl.Misuse, "image 'in' is not given: the pipeline takes in: u16[2]"),
        "another": (lambda a: {"in": a, "im": a}, hl.Misuse, "'im' is no parameter or image"),
        "the output": (lambda a: {"in": a, "bv": a}, hl.Misuse, "'bv' is no parameter or image"),
        "a name that is none": (lambda a: {3: a}, hl.Misuse, "'3' is no parameter"),
        "no dict": (lambda a: [a], TypeError, "a dict of names"),
        "no min": (lambda a: {"in": hl.Buffer(a, min=(0,))}, hl.Misuse, "has 2 dimensions, and min=(0,) 1"),
        "min beyond 64 bits": (lambda a: {"in": hl.Buffer(a, min=(2 ** 64, 0))}, hl.Misuse, "more than 64 bits"),
        "min at the end": (lambda a: {"in": hl.Buffer(a, min=(2 ** 63 - 1, 0))}, hl.Misuse, "outside of +-2^31"),
        "an axis twice": (lambda a: {"in": hl.Buffer(a, axes=(0, 0))}, hl.Misuse, "each of the 2 axes"),
        "negative axes": (lambda a: {"in": hl.Buffer(a, axes=(-1, -2))}, hl.Misuse, "each of the 2 axes"),
        "axes beyond": (lambda a: {"in": hl.Buffer(a, axes=(1, 2))}, hl.Misuse, "each of the 2 axes"),
    })
    def refuses_arguments(self, make, kind, *texts):
        self.refuses_call(kind, texts, numpy.full((H, W), FILL, numpy.uint16), make(pixels()))

    def test_given_twice(self):
        with self.told(hl.Misuse, "'in' is given twice"):
            code.realize((W, H), {"in": pixels()}, in_=pixels())

    @rows({"min of text": {"min": "ab"}, "min of floats": {"min": (0.5, 1)}, "axes of text": {"axes": ("x", "y")}})
    def no_buffer(self, said):
        self.assertRaises(TypeError, hl.Buffer, pixels(), **said)

    @rows({
        "the same": (lambda room: (room[:H], room[:H]),),
        "shifted": (lambda room: (room[:H + 2], room[1:H + 1]),),
        "one row in common": (lambda room: (room[:H + 2], room[H + 1:2 * H + 1]),),
    })
    def refuses_overlap(self, views):
        room = pixels().repeat(3, axis=0)
        image, out = views(room)
        before = room.copy()
        with self.told(hl.Misuse, "image 'in' shares memory with the output"):
            code.realize(out[:, 1:-1], in_=hl.Buffer(image, min=(-1, -1)))
        numpy.testing.assert_array_equal(room, before)

    def test_memory_is_held_while_it_is_described_and_no_longer(self):
        room = bytearray(pixels().tobytes())
        given = memoryview(room).cast("H", (H + 2, W + 2))
        code.realize((W, H), in_=hl.Buffer(given, min=(-1, -1)))
        self.assertRaises(hl.Misuse, code.realize, (W, H, 1), in_=given)
        given.release()
        room.clear()  # which fails while memory is held


class Bfloat16:
    """As an array of ml_dtypes says what it is."""

    def __init__(self, bits):
        self.bits = bits
        self.__array_interface__ = {**bits.__array_interface__, "typestr": "<V2"}


def misaligned(shape):
    room = numpy.zeros(shape[0] * shape[1] * 2 + 1, numpy.uint8)
    return room[1:].view(numpy.uint16).reshape(shape)


def half(shape):
    """Elements of 2 bytes that lie 3 apart."""
    return numpy.lib.stride_tricks.as_strided(numpy.zeros(shape[0] * shape[1] * 3 + 2, numpy.uint8)[:2].view(numpy.uint16),
                                              shape, (3 * shape[1], 3))


def released(source):
    view = memoryview(source)
    view.release()
    return view


def mapped(source):
    import tempfile
    with tempfile.TemporaryFile() as file:
        file.write(source.tobytes())
        file.flush()
        return numpy.memmap(file, source.dtype, "r", 0, source.shape)


EXTREMES = {
    "int": [0, -1, 2 ** 62, -2 ** 63], "bool": [False, True], "f32": ["nan", "inf", "-inf", "-0.0", "1e-45", "3e38"],
    "f64": ["nan", "inf", "-inf", "-0.0", "5e-324", "1e308"], "f16": ["nan", "inf", "-inf", "-0.0", "6e-8", "65504"],
    "bf16": [0x7fc1, 0x7f80, 0xff80, 0x8000, 1, 0x7f7f],  # its bits, where ml_dtypes is not installed
}


@with_rows
class Types(Suite):
    @rows({each.name: each for each in hl.TYPES})
    def pass_through(self, kind):
        """Every bit of every type, into an array that is made and into one that is given."""
        p = hl.parse(f"pipeline p(in: {kind}[1]) {{ fun f(x) = in(x); }}")
        values = EXTREMES.get(kind.name) or [0, 1, numpy.iinfo(kind.dtype).min, numpy.iinfo(kind.dtype).max]
        if kind.name == "bf16":
            source = numpy.array(values * 9, numpy.uint16).view(kind.dtype)
        else:
            source = numpy.array([kind.dtype.type(value) for value in values] * 9)
        out = p.realize(len(source), in_=source)
        self.assertEqual((out.dtype, out.tobytes()), (kind.dtype, source.tobytes()))
        into = numpy.zeros(3 * len(source), kind.dtype)[::-3]
        p.realize(into, in_=source)
        self.assertEqual(into.tobytes(), source.tobytes())

    @rows({each.name: each for each in hl.TYPES})
    def refuse_others(self, kind):
        p = hl.parse(f"pipeline p(in: {kind}[1]) {{ fun f(x) = in(x); }}").compile()
        for other in ["?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "g", "c8", "F", "S1", "V2"]:
            if numpy.dtype(other) != kind.dtype and numpy.dtype(other).str not in kind.arrays:
                with self.told(hl.Misuse, f"has elements of type {kind}"):
                    p.realize(3, in_=numpy.zeros(5, other))

    @rows({
        "class": (lambda: numpy.uint16, "u16"), "dtype": (lambda: numpy.dtype("i1"), "i8"), "int64": (lambda: numpy.int64, "i64"),
        "int": (lambda: int, "int"), "bool": (lambda: bool, "bool"), "bool_": (lambda: numpy.bool_, "bool"),
        "name": (lambda: "f32", "f32"), "type": (lambda: hl.f64, "f64"), "half": (lambda: numpy.float16, "f16"),
    })
    def are_named(self, make, name):
        p = hl.Pipeline("p")
        p.image("in", make(), 1)
        (x,) = p.vars("x")
        p.func("f")[x] = x
        self.assertIn(f"in: {name}[1]", p.algorithm())

    @rows({"long double": "g", "swapped half": ">f2", "swapped": ">u2", "complex": "c8", "text": "U3", "object": "O", "u9": "u9"})
    def are_not(self, name):
        given = name if name == "u9" else numpy.dtype(name)
        with self.told(hl.Misuse, "is no type of the language"):
            hl.Pipeline("p").image("in", given, 1)

    @rows({"bits": lambda bits: bits, "void": lambda bits: bits.view("V2"), "ml_dtypes": lambda bits: Bfloat16(bits)})
    def bf16(self, make):
        """Of ml_dtypes, which no buffer protocol knows, or as bits."""
        p = hl.parse("pipeline p(in: bf16[1], w: bf16) { fun f(x) = f16(f32(in(x)) + f32(w)); }")
        bits = numpy.array([1.5, -3.0, 256.0, 1e30], numpy.float32).view(numpy.uint32) >> 16
        out = p.realize(4, in_=make(bits.astype(numpy.uint16)), w=1.00390625)  # the middle of 1 and the next
        numpy.testing.assert_array_equal(out, numpy.array([2.5, -2.0, 257.0, numpy.inf], numpy.float16))
        with self.told(hl.Misuse, "ml_dtypes.bfloat16, or of its bits, of numpy.uint16"):
            p.realize(4, in_=bits.astype(numpy.float16), w=1)

    def test_eight_dimensions(self):
        names = "stuvwxyz"
        p = hl.Pipeline("p")
        image = p.image("in", hl.i32, 8)
        variables = p.vars(*names)
        f = p.func("f")
        f[variables] = image[variables] * 2
        source = numpy.arange(2 * 3 * 2 * 1 * 2 * 3 * 2 * 2, dtype=numpy.int32).reshape(2, 3, 2, 1, 2, 3, 2, 2)
        out = p.realize(tuple(reversed(source.shape)), in_=source)
        numpy.testing.assert_array_equal(out, source * 2)
        order = (3, 1, 0, 2, 7, 6, 5, 4)
        turned = hl.Buffer(source.transpose(order), axes=[order.index(7 - dimension) for dimension in range(8)])
        numpy.testing.assert_array_equal(p.realize(tuple(reversed(source.shape)), in_=turned), source * 2)

    def test_no_dimensions(self):
        p = hl.parse("pipeline p(in: f64[0]) { fun f() = in() * 2.0; }")
        out = p.realize((), in_=numpy.array(1.5))
        self.assertEqual((out.shape, float(out)), ((), 3.0))

    def test_bools_of_any_bits(self):
        """A byte that is not 0 is true, whatever it is."""
        p = hl.parse("pipeline p(m: bool[1]) { fun f(x) = select(m(x), 1, 2) + select(!m(x), 10, 20) + select(m(x) && m(x + 1), 100, 200); }")
        mask = numpy.array([0, 1, 2, 255, 128, 1, 0, 2], numpy.uint8).view(bool)
        expected = [(1 if a else 2) + (20 if a else 10) + (100 if a and b else 200) for a, b in zip(mask.tolist(), mask.tolist()[1:])]
        self.assertEqual(p.realize(7, m=mask).tolist(), expected)

    def test_interleaved(self):
        p = hl.parse("pipeline p(in: u8[3]) { fun f(x, y, c) = in(x, y, 2 - c); }")
        source = numpy.random.default_rng(3).integers(0, 256, (4, 5, 3), numpy.uint8)
        out = numpy.empty_like(source)
        p.realize(hl.Buffer(out, axes=(1, 0, 2)), in_=hl.Buffer(source, axes=(1, 0, 2)))
        numpy.testing.assert_array_equal(out, source[..., ::-1])

    def test_without_numpy_arrays(self):
        p = hl.parse("pipeline p(in: u8[1]) { fun f(x) = in(x) + in(x + 1); }")
        out = bytearray(4)
        p.realize(out, in_=b"\x01\x02\x03\x04\x05")
        self.assertEqual(out, bytes([3, 5, 7, 9]))
        numbers = array.array("d", [0.5, 1.5])
        twice = array.array("d", [0, 0])
        hl.parse("pipeline p(in: f64[1]) { fun f(x) = in(x) * 2.0; }").realize(twice, in_=numbers)
        self.assertEqual(list(twice), [1.0, 3.0])


@with_rows
class Parameters(Suite):
    @rows({
        "int": ("u8", 7, 7), "NumPy's": ("u8", lambda: numpy.uint16(7), 7), "default": ("u8 = 9", None, 9), "bool": ("bool", True, 1),
        "bool_": ("bool", lambda: numpy.bool_(True), 1), "one for a bool": ("bool", 1, 1), "float": ("f32", 0.5, 0.5),
        "int for a float": ("f64", -3, -3), "least": ("int", -2 ** 31, -2 ** 31), "u64": ("u64", 2 ** 64 - 1, 2 ** 64 - 1),
        "in range": ("int in 1..16", 16, 16), "minus zero": ("f64", -0.0, -0.0), "small": ("f64", 5e-324, 5e-324),
    })
    def are_taken(self, kind, value, expected):
        given = {} if value is None else {"w": value() if callable(value) else value}
        out = hl.parse(f"pipeline p(w: {kind}) {{ fun f(x) = w; }}").realize(3, given)
        self.assertEqual(out.tolist(), [expected] * 3)
        self.assertEqual(str(out[0] * 1.0), str(expected * 1.0))

    @rows({
        "none": ("u8", ..., hl.Misuse, "param 'w' is not given: the pipeline takes w: u8"),
        "too large": ("u8", 300, hl.Misuse, "parameter 'w'"),
        "negative": ("u8", -1, hl.Misuse, "parameter 'w'"),
        "fraction": ("u8", 1.5, hl.Misuse, "parameter 'w'"),
        "beyond 64 bits": ("u64", 2 ** 64, hl.Misuse, "more than 64 bits"),
        "text": ("u8", "7", TypeError, "parameter 'w: u8' is a number, not str"),
        "None": ("u8", None, TypeError, "not NoneType"),
        "complex": ("f32", 1j, TypeError, "not complex"),
        "an array": ("u8", numpy and numpy.zeros(1, numpy.uint8), TypeError, "not ndarray"),
        "an array without dimensions": ("u8", numpy and numpy.array(1), TypeError, "not ndarray"),
        "an expression": ("u8", hl.Pipeline("p").var("x"), TypeError, "not Expr"),
        "NaN": ("f32", float("nan"), hl.Misuse, "parameter 'w' is NaN or infinite, which lies in no range"),
        "infinite": ("f32", float("inf"), hl.Misuse, "parameter 'w' is NaN or infinite, which lies in no range"),
        "two for a bool": ("bool", 2, hl.Misuse, "is a bool: give 0 or 1"),
        "out of range": ("int in 1..16", 17, hl.Failed, "and its range is 1 <= w && w <= 16"),
        "below range": ("int in 1..16", 0, hl.Failed, "and its range is 1 <= w && w <= 16"),
    })
    def are_refused(self, kind, value, error, text):
        made = hl.parse(f"pipeline p(w: {kind}) {{ fun f(x) = w; }}").compile()
        with self.told(error, text):
            made.realize(3, {} if value is ... else {"w": value})

    def test_names_of_pythons_words(self):
        p = hl.parse("pipeline p(in: u8[1], in_: u8, lambda: u8) { fun f(x) = in(x) + in_ + lambda; }")
        self.assertEqual(p.realize(1, {"in": numpy.ones(1, numpy.uint8)}, in_=2, lambda_=4).tolist(), [7])


PAIR = "pipeline p(in: u8[1]) -> (f, g) { fun f(x) = i32(in(x + 1)) * 1000; fun g(y) = in(y); }"


@with_rows
class Outputs(Suite):
    def test_several(self):
        source = numpy.arange(1, 8, dtype=numpy.uint8)
        turned = numpy.zeros(6, numpy.uint8)[::-1]
        made = hl.parse(PAIR).realize({"g": turned, "f": [(2, 4)]}, in_=source)
        self.assertIs(made["g"], turned)
        self.assertEqual((made["g"].tolist(), made["f"].tolist()), ([1, 2, 3, 4, 5, 6], [4000, 5000, 6000, 7000]))

    def test_one_by_name(self):
        made = code.realize({"bv": (W, H)}, in_=hl.Buffer(pixels(), min=(-1, -1)))
        numpy.testing.assert_array_equal(made["bv"], blurred(pixels()))

    @rows({
        "no dict": (lambda room: 3, hl.Misuse, "the pipeline has 2 outputs: give a dict of f, g"),
        "one missing": (lambda room: {"f": 3}, hl.Misuse, "output 'g' is not given: the pipeline fills f: i32[1], g: u8[1]"),
        "another": (lambda room: {"f": 3, "g": 3, "h": 3}, hl.Misuse, "'h' is no output"),
        "an image": (lambda room: {"f": 3, "g": 3, "in": room}, hl.Misuse, "'in' is no output"),
        "type of one": (lambda room: {"f": 3, "g": numpy.zeros(3, "i1")}, hl.Misuse, "output 'g: u8[1]' has elements of type u8"),
        "the same memory": (lambda room: {"f": room[16:].view("i4"), "g": room[20:23]}, hl.Misuse, "'f' shares memory with another output"),
        "the image's": (lambda room: {"f": 3, "g": room[:3]}, hl.Misuse, "image 'in' shares memory with the output"),
        "too much": (lambda room: {"f": 100, "g": 3}, hl.Failed, "what is read of it: [0, 101), and it is [0, 16)"),
    })
    def are_refused(self, make, kind, text):
        room = numpy.zeros(32, numpy.uint8)
        with self.told(kind, text):
            hl.parse(PAIR).realize(make(room), in_=room[:16])
        self.assertFalse(room.any())


DARKEST = "pipeline p(in: u8[2]) { fun f(x) = argmin(rdom(r = (0, in.height())) in in(x, r)); }"


@with_rows
class Tuples(Suite):
    """Outputs of several values: an array for each, all of one window."""

    def setUp(self):
        super().setUp()
        self.source = numpy.random.default_rng(7).integers(0, 256, (5, 6), numpy.uint8)
        self.where, self.least = self.source.argmin(axis=0).tolist(), self.source.min(axis=0).tolist()

    def test_a_window(self):
        where, least = hl.parse(DARKEST).realize(6, in_=self.source)
        self.assertEqual((where.dtype, where.tolist(), least.dtype, least.tolist()), (numpy.int64, self.where, numpy.uint8, self.least))

    def test_arrays(self):
        where, least = numpy.zeros(6, numpy.int64)[::-1], numpy.zeros(6, numpy.uint8)
        made = hl.parse(DARKEST).realize((where, least), in_=self.source)
        self.assertIs(made[0], where)
        self.assertEqual((where.tolist(), least.tolist()), (self.where, self.least))

    @rows({
        "one name": (lambda: {"f": [(2, 3)]}, lambda made: [part.tolist() for part in made["f"]]),
        "a name for each": (lambda: {"f.1": [(2, 3)], "f.0": [(2, 3)]}, lambda made: [made["f.0"].tolist(), made["f.1"].tolist()]),
        "arrays": (lambda: {"f": (hl.Buffer(numpy.zeros(3, numpy.int64), min=2), hl.Buffer(numpy.zeros(3, numpy.uint8), min=2))},
                   lambda made: [part.tolist() for part in made["f"]]),
    })
    def are_given_by_name(self, make, read):
        self.assertEqual(read(hl.parse(DARKEST).realize(make(), in_=self.source)), [self.where[2:5], self.least[2:5]])

    @rows({
        "one array": (lambda: numpy.zeros(6, numpy.uint8), "output 'f' has 2 values: give a window, or a tuple of an array for each of f.0, f.1"),
        "three arrays": (lambda: (numpy.zeros(6, numpy.int64), numpy.zeros(6, numpy.uint8), None), "output 'f' has 2 values"),
        "exchanged": (lambda: (numpy.zeros(6, numpy.uint8), numpy.zeros(6, numpy.int64)), "output 'f.0: int[1]'"),
        "other windows": (lambda: {"f.0": 6, "f.1": 5}, "output 'f.1' has the window [0, 5) in dimension 0, and 'f.0', of the same func, [0, 6)"),
        "one of them": (lambda: {"f.0": 6}, "output 'f.1' is not given"),
        "twice": (lambda: {"f": 6, "f.1": 6}, "'f.1' is given twice"),
        "a third": (lambda: {"f.0": 6, "f.1": 6, "f.2": 6}, "'f.2' is no output"),
    })
    def are_refused(self, make, text):
        with self.told(hl.Misuse, text):
            hl.parse(DARKEST).realize(make(), in_=self.source)


if __name__ == "__main__":
    if numpy is None:
        for suite in (Blur, Types, Parameters, Outputs, Tuples):
            globals()[suite.__name__] = unittest.skip("no numpy")(suite)
    run()
