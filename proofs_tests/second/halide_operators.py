#!/usr/bin/env python3
"""Derived operators against those of Halide itself: halide_operators.py HALYARD, with an interpreter that has Halide's bindings.

Those that the bindings of Halide 14 have: absd, of all pairs of bytes and of the edges of wider types, and saturating_cast, of all bytes and
those edges to each type. Prints what differs, and "N passed, N failed"; status 77 without Halide.
"""
import os
import subprocess
import sys
import tempfile

try:
    import halide as hl
    import numpy as np
    hl.absd, hl.saturating_cast
except (ImportError, AttributeError):
    print('skipped: no Halide in this interpreter')
    sys.exit(77)

TYPES = {'u8': hl.UInt(8), 'i8': hl.Int(8), 'u16': hl.UInt(16), 'i16': hl.Int(16), 'u32': hl.UInt(32), 'i32': hl.Int(32)}


def values(name):
    dtype = np.dtype('%s%d' % (name[0], int(name[1:]) // 8))
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    if dtype.itemsize == 1:
        return np.arange(low, high + 1, dtype=dtype)
    # Halide leaves a difference beyond i32 open
    if name == 'i32':
        low, high = -2**30, 2**30 - 1
    return np.array([low, low + 1, low // 2, 0, 1, 2, 77, high // 3, high // 2, high - 1, high], dtype=dtype)


# What is compared: its name, the expression here and there, of a = in(x) and b = in(y).
OPERATORS = [('absd', 'absd(in(x), in(y))', hl.absd)]
OPERATORS += [('%s_sat' % to, '%s_sat(in(x))' % to, lambda a, b, to=to: hl.saturating_cast(TYPES[to], a)) for to in TYPES]


def halyard(program, name, expression, elements, folder):
    path, out, image = (os.path.join(folder, n) for n in ('a.alg', 'out.npy', 'in.npy'))
    with open(path, 'w', encoding='ascii') as file:
        file.write('pipeline p(in: %s[1]) { fun o(x, y) = %s; }' % (name, expression))
    np.save(image, elements)
    command = [program, 'run', path, '-i', 'in=' + image, '--window', 'x=0:%d,y=0:%d' % (len(elements), len(elements)), '-o', out]
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    return (np.load(out), '') if said.returncode == 0 else (None, said.stdout)


def halide(name, make, elements):
    image = hl.ImageParam(TYPES[name], 1)
    x, y, out = hl.Var('x'), hl.Var('y'), hl.Func('o')
    out[x, y] = make(image[x], image[y])
    buffer = hl.Buffer(TYPES[name], [len(elements)])
    np.array(buffer, copy=False)[...] = elements
    image.set(buffer)
    return np.array(out.realize([len(elements), len(elements)])).T.copy()


def main():
    program = os.path.realpath(sys.argv[1])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for operator, expression, make in OPERATORS:
            for name in TYPES:
                elements = values(name)
                ours, said = halyard(program, name, expression, elements, folder)
                theirs = halide(name, make, elements)
                good = ours is not None and ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
                if not good:
                    print('FAILED %s of %s: %s' % (operator, name, said or 'another value or type'))
                passed, failed = passed + good, failed + (not good)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
