"""Random pipelines, built with Python's operators, scheduled, and realized on random memory, against what "halyard run" says
of the algorithm's text with the literal meaning. The seed is in each test's name; SEED and PAIRS choose others."""

import os
import pathlib
import random
import subprocess
import tempfile
import unittest

import halyard as hl

from support import Suite, halyard_program, numpy, rows, run, with_rows

SEED, PAIRS = int(os.environ.get("SEED", 20261126)), int(os.environ.get("PAIRS", 40))
TYPES = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "int"]


class Maker:
    """A random pipeline p over one type."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        name = self.draw.choice(TYPES)
        self.p = hl.Pipeline("drawn")
        self.type = next(each for each in hl.TYPES if each.name == name)
        self.x, self.y = self.p.vars("x y")
        self.image = self.p.image("in", self.type, 2)
        self.readable = [self.image]
        self.is_float = self.type.name[0] == "f"

    def number(self):
        value = self.draw.choice([0, 1, 2, 3, 5, 17, 100])
        return self.type(value * 0.25 if self.is_float else value)

    def leaf(self):
        kind = self.draw.randrange(4)
        if kind == 0:
            return self.type(self.draw.choice([self.x, self.y, self.x * self.y + 3]))
        read = self.draw.choice(self.readable)
        return read[self.x + self.draw.randint(-2, 2), self.y - self.draw.randint(-2, 2)]

    def condition(self, depth):
        a, b = self.value(depth - 1), self.value(depth - 1)
        made = self.draw.choice([a < b, a <= b, a == b, a != b, a > b, a >= b, self.x % 3 == 0])
        return self.draw.choice([made, ~made, made & (self.y < 7), made | (self.x > 2), made ^ (self.x == self.y)])

    def value(self, depth):
        if depth <= 0:
            return self.leaf()
        a = self.value(depth - 1)
        b = self.draw.choice([self.value, lambda _: self.number()])(depth - 1)
        kind = self.draw.randrange(7)
        if kind == 0:
            return hl.select(self.condition(depth), a, b)
        if kind == 1:
            return self.draw.choice([hl.min, hl.max])(a, b)
        if kind == 2 and self.is_float:
            return self.draw.choice([lambda: abs(a), lambda: hl.floor(a), lambda: a / 4, lambda: hl.fma(a, b, a)])()
        if kind == 2:
            return self.draw.choice([lambda: a / 3, lambda: a % 7, lambda: a & b, lambda: a | b, lambda: a ^ b, lambda: ~a,
                                     lambda: a >> 1, lambda: hl.clamp(a, 1, 9)])()
        if kind == 3 and self.type.name != "int":
            return a * b
        return self.draw.choice([lambda: a + b, lambda: a - b, lambda: b + a, lambda: 2 + a, lambda: 3 - a])()

    def func(self, name, previous, may_update):
        """A func that reads the one before: one that nothing needs is not computed, and has no schedule."""
        f = self.p.func(name)
        near = previous[self.x + self.draw.randint(-2, 2), self.y + self.draw.randint(-2, 2)]
        f[self.x, self.y] = self.value(2) + near
        if may_update and self.draw.random() < 0.6:
            r = self.p.rdom(i=(0, self.draw.randint(1, 4)))
            if self.draw.random() < 0.5:
                r.where(r.i != 1)
            f[self.x, self.y] += self.image[self.x + r.i, self.y]
        if may_update and self.draw.random() < 0.4:
            f.assign((self.x, self.y), f[self.x, self.y] + self.number(), where=self.x > self.y)
        return f

    def make(self):
        """Either all funcs are computed inside of a loop of the last one, which has no updates then, or all at root."""
        is_fused = self.draw.random() < 0.5
        count = self.draw.randint(1, 4)
        funcs = [self.image]
        for i in range(count):
            funcs.append(self.func(f"f{i}", funcs[-1], not is_fused or i + 1 < count))
            self.readable.append(funcs[-1])
        last = funcs[-1]
        loop = self.draw.choice(["y", "yi"])
        if loop == "yi":
            last.split("y", "yo", "yi", 3)
        if not is_fused:
            last.parallel(loop)
        last.vectorize("x", self.draw.choice([4, 8]))
        for f in funcs[1:-1]:
            if is_fused:
                (f.store_root() if self.draw.random() < 0.5 else f).compute_at(last, loop)
            else:
                f.compute_root().parallel("y")
        return self.p


def room(draw, shape, dtype):
    """Fresh memory of that shape: dense, turned, in Fortran's order, or with room between its elements."""
    made = numpy.zeros((shape[0], shape[1] * 2), dtype)
    return draw.choice([lambda: numpy.zeros(shape, dtype), lambda: numpy.zeros(shape, dtype, order="F"),
                        lambda: numpy.zeros(shape, dtype)[::-1, ::-1], lambda: made[:, ::2], lambda: made[::-1, 1::2]])()


@with_rows
class Drawn(Suite):
    @rows({f"seed {seed}": seed for seed in range(SEED, SEED + PAIRS)})
    def realized(self, seed):
        maker = Maker(seed)
        p = maker.make()
        result = p.check()
        self.assertTrue(result, f"{result}\n{p}")
        draw, kind = maker.draw, maker.type
        (x0, width), (y0, height) = [(draw.randint(-5, 5), draw.randint(1, 9)) for _ in range(2)]
        wide = 24
        bits = numpy.random.default_rng(seed)
        image = bits.integers(0, 100, (height + 2 * wide, width + 2 * wide)).astype(kind.dtype)
        given, out = room(draw, image.shape, kind.dtype), room(draw, (height, width), kind.dtype)
        given[...] = image
        p.realize(hl.Buffer(out, min=(x0, y0)), in_=hl.Buffer(given, min=(x0 - wide, y0 - wide)))
        expected = self.run_text(p.algorithm(), image, (x0, width, y0, height), wide)
        numpy.testing.assert_array_equal(out, expected, str(p))
        numpy.testing.assert_array_equal(given, image)

    def run_text(self, algorithm, image, window, wide):
        x0, width, y0, height = window
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "drawn.alg").write_text(algorithm)
            numpy.save(path / "in.npy", image)
            subprocess.run([halyard_program(), "run", path / "drawn.alg", "--engine", "alg", "-o", path / "out.npy", "-w",
                            f"x={x0}:{width},y={y0}:{height}", "-i", f"in={path / 'in.npy'}@{x0 - wide},{y0 - wide}"],
                           check=True, capture_output=True, text=True)
            return numpy.load(path / "out.npy")


if __name__ == "__main__":
    if numpy is None:
        Drawn = unittest.skip("no numpy")(Drawn)
    run()
