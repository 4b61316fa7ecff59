# A blur of 3 by 3, built, scheduled, proved for all inputs, compiled and run.

import halyard as hl
import numpy

p = hl.Pipeline("blur")
x, y = p.vars("x y")
image = p.image("in", hl.u16, 2)
bh, bv = p.funcs("bh bv")
bh[x, y] = (image[x - 1, y] + image[x, y] + image[x + 1, y]) / 3
bv[x, y] = (bh[x, y - 1] + bh[x, y] + bh[x, y + 1]) / 3

bv.tile(x, y, "xi", "yi", 256, 32).parallel(y).vectorize("xi", 16)
bh.compute_at(bv, x).vectorize(x, 16)

result = p.check()
for diagnostic in result.diagnostics:
    print(diagnostic)

pixels = numpy.fromfunction(lambda j, i: i * j, (482, 642)).astype(numpy.uint16)
code = result.compile()
blurred = code.realize((640, 480), in_=hl.Buffer(pixels, min=(-1, -1)))  # pixels[0, 0] is in(-1, -1)
print("blurred[100, 200] is", blurred[100, 200])
