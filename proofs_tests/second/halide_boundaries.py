#!/usr/bin/env python3
"""Boundary conditions against those of Halide itself: halide_boundaries.py HALYARD, with an interpreter that has Halide's bindings.

Each of the five, on images of 1 to 4 elements in each dimension that begin at 0, below and above, over a window that reaches far beyond them on
every side; and of a func with a box. Every point is compared. Prints what differs, and "N passed, N failed"; status 77 without Halide.
"""
import os
import subprocess
import sys
import tempfile

try:
    import halide as hl
    import numpy as np
    conditions = hl.BoundaryConditions
except (ImportError, AttributeError):
    print('skipped: no Halide in this interpreter')
    sys.exit(77)

NAMES = ['repeat_edge', 'constant_exterior', 'repeat_image', 'mirror_image', 'mirror_interior']
SHAPES = [(1, 1), (2, 1), (1, 3), (4, 3)]  # x, y
ORIGINS = [(0, 0), (-7, 4), (30, -3)]
WINDOW = (-25, 60, -22, 45)  # min and len of x, of y


def halyard(program, name, shape, origin, folder):
    x, width, y, height = WINDOW
    path, out, image = (os.path.join(folder, n) for n in ('a.alg', 'out.npy', 'in.npy'))
    with open(path, 'w', encoding='ascii') as file:
        file.write(program)
    elements = (np.arange(shape[0] * shape[1], dtype=np.uint8) * 37 + 5).reshape(shape[1], shape[0])
    np.save(image, elements)
    command = [name, 'run', path, '-i', 'in=%s@%d,%d' % (image, *origin), '--window', 'x=%d:%d,y=%d:%d' % WINDOW, '--engine', 'alg', '-o', out]
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    if said.returncode != 0:
        return elements, None, said.stdout
    return elements, np.load(out), ''


class Pipeline:
    """A boundary condition as Halide has it, compiled once."""

    def __init__(self, condition, has_box):
        self.image = hl.ImageParam(hl.UInt(8), 2)
        self.box = [hl.Param(hl.Int(32), name) for name in ('mx', 'nx', 'my', 'ny')]
        x, y = hl.Var('x'), hl.Var('y')
        source, args = self.image, []
        if has_box:
            source, inner = hl.Func('f'), conditions.repeat_edge(self.image)
            source[x, y] = inner[x, y] + hl.u8(3)
            args = [[(self.box[0], self.box[1]), (self.box[2], self.box[3])]]
        value = [hl.u8(9)] if condition == 'constant_exterior' else []
        func = getattr(conditions, condition)(source, *value, *args)
        self.out = hl.Func('o')
        self.out[x, y] = func[x, y]

    def run(self, elements, origin, box):
        buffer = hl.Buffer(hl.UInt(8), list(elements.T.shape))  # dimension 0 is x
        np.array(buffer, copy=False)[...] = elements.T
        buffer.set_min(list(origin))
        self.image.set(buffer)
        for param, number in zip(self.box, box or (0, 0, 0, 0)):
            param.set(number)
        result = hl.Buffer(hl.UInt(8), [WINDOW[1], WINDOW[3]])
        result.set_min([WINDOW[0], WINDOW[2]])
        self.out.realize(result)
        return np.array(result).T.copy()


def main():
    program = os.path.realpath(sys.argv[1])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for condition in NAMES:
            pipelines = [Pipeline(condition, has_box) for has_box in (False, True)]
            for shape in SHAPES:
                for origin in ORIGINS:
                    for box in (None, (-2, shape[0], 3, shape[1])):
                        value = ', 9' if condition == 'constant_exterior' else ''
                        text = 'fun o(x, y) = %s(in%s)(x, y);' % (condition, value)
                        if box:
                            text = ('fun e = repeat_edge(in); fun f(x, y) = e(x, y) + 3; fun o(x, y) = %s(f%s, (%d, %d), (%d, %d))(x, y);'
                                    % (condition, value, *box))
                        text = 'pipeline boundaries(in: u8[2]) { %s }' % text
                        elements, ours, said = halyard(text, program, shape, origin, folder)
                        theirs = pipelines[box is not None].run(elements, origin, box)
                        if ours is not None and np.array_equal(ours, theirs):
                            passed += 1
                        else:
                            failed += 1
                            print('FAILED %s of %s at %s, box %s: %s' % (condition, shape, origin, box, said or 'the values differ'))
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
