# A chain of funcs, built by a loop: each halves the distances. Of every schedule that is tried nothing remains.

import halyard as hl
import numpy

LEVELS = 6


def build(p):
    f = p.image("in", hl.f32, 1)
    (x,) = p.vars("x")
    for level in range(LEVELS):
        g = p.func(f"level{level}")
        g[x] = (f[x] + f[x + (1 << level)]) * 0.5
        if level + 1 < LEVELS:
            g.vectorize(x, 8)
        f = g
    return f


p = hl.Pipeline("chain")
last = build(p)
proved = 0
for factor in (2, 4, 8, 16, 32, 64):  # what a search does
    with hl.parse(p.algorithm()) as tried:
        tried.schedule(f"{last}.split(x, xo, xi, {factor}).unroll(xi);")
        with tried.check() as result:
            proved += bool(result)
print(proved, "of 6 schedules are proved")

last.vectorize("x", 8)
pixels = numpy.arange(200, dtype=numpy.float32) % 10
out = numpy.empty(100, numpy.float32)
p.realize(out, in_=pixels)
print(f"out[0] is {out[0]:.4f}")
