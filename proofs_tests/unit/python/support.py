"""What the suites share: rows that become tests, and the closing line "N passed, N failed, N skipped"."""

import contextlib
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]

BLUR = """pipeline blur(in: u16[2]) {
  fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;
  fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;
}
"""
TILED = "bv.tile(x, y, xi, yi, 8, 4).parallel(y); bh.compute_at(bv, x);"

try:
    import numpy
except ImportError:
    numpy = None
needs_numpy = unittest.skipUnless(numpy, "no numpy")


def rows(table):
    """A decorator: the method is run once for each row of the table, {name: row}, as a test of its own."""
    def expand(method):
        method.table = table
        return method
    return expand


def with_rows(suite):
    """A decorator of a suite: makes the tests of its rows."""
    for name, method in list(vars(suite).items()):
        if hasattr(method, "table"):
            delattr(suite, name)
            for row, given in method.table.items():
                def run(self, _method=method, _given=given):
                    _method(self, *(_given if isinstance(_given, tuple) else (_given,)))
                run.__doc__ = row
                setattr(suite, f"test_{name}: {row}", run)
    return suite


class Suite(unittest.TestCase):
    @contextlib.contextmanager
    def told(self, kind, *texts):
        """What is inside raises such an exception, whose text has all of these."""
        with self.assertRaises(kind) as caught:
            yield caught
        self.assertIs(type(caught.exception), kind, caught.exception)
        for text in texts:
            self.assertIn(text, re.sub(r"\s+", " ", str(caught.exception)))




def halyard_program():
    """The program that was built, the first argument of a suite."""
    return sys.argv[1]


def run():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed, {len(result.skipped)} skipped")
    sys.exit(failed != 0)
