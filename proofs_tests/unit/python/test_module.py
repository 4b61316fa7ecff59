"""The module itself: finding the library, what it declares of it against the C compiler, help, and life without NumPy."""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import halyard as hl
from halyard import _declarations, _library

from support import BLUR, ROOT, Suite, rows, run, with_rows

COMPILER = shutil.which("gcc-12") or shutil.which("cc")
needs_compiler = unittest.skipUnless(COMPILER, "no C compiler")


def python(program, **environment):
    """What a process of its own says, and its status."""
    environment = {name: value for name, value in {**os.environ, **environment}.items() if value is not None}
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    return ended.returncode, ended.stdout + ended.stderr


def compiled(folder, source, name="made", *options):
    path = pathlib.Path(folder) / name
    path.with_suffix(".c").write_text(source)
    subprocess.run([COMPILER, str(path.with_suffix(".c")), "-o", str(path), *options], check=True)
    return str(path)


@with_rows
class Found(Suite):
    def test_named(self):
        said = python("import halyard; print(halyard._library.library._name)", HALYARD_LIBRARY=_library.library._name)
        self.assertEqual(said, (0, _library.library._name + "\n"))

    @rows({
        "no file": ("/nowhere/libhalyard.so", "HALYARD_LIBRARY names '/nowhere/libhalyard.so', which cannot be loaded"),
        "no library": (str(ROOT / "README.md"), "which cannot be loaded"),
        "another library": ("libm.so.6", "has no halyard_version: it is no libhalyard 0."),
        "a folder": ("/", "which cannot be loaded"),
    })
    def refused(self, name, text):
        status, said = python("import halyard", HALYARD_LIBRARY=name)
        self.assertEqual(status, 1)
        self.assertIn("ImportError: halyard: ", said)
        self.assertIn(text, said)

    def test_nowhere(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(pathlib.Path(hl.__file__).parent, pathlib.Path(folder) / "halyard")
            status, said = python("import halyard", HALYARD_LIBRARY=None, PYTHONPATH=folder, LD_LIBRARY_PATH=None)
            if status == 0:
                self.skipTest("a libhalyard is installed on this machine")
            self.assertIn("there is no libhalyard.so.0 beside this module or where the dynamic linker looks", said)
            self.assertIn("set HALYARD_LIBRARY", said)

    @needs_compiler
    @rows({
        "older": ('"0.0.9"', None, "is version 0.0.9, and this module is made for"),
        "newer": ('"0.99.0"', None, "is version 0.99.0"),
        "another patch": ('"%s.77"' % ".".join(_declarations.VERSION.split(".")[:2]), None, None),
        "without a function": (f'"{_declarations.VERSION}"', "halyard_word_at", "has no halyard_word_at"),
    })
    def versions(self, version, left_out, text):
        with tempfile.TemporaryDirectory() as folder:
            functions = "".join(f"void *{name}(void) {{ return 0; }}\n" for name in _declarations.FUNCTIONS
                                if name not in ("halyard_version", left_out))
            name = compiled(folder, f"{functions}const char *halyard_version(void) {{ return {version}; }}\n", "made.so",
                            "-shared", "-fPIC")
            status, said = python("from halyard import _library" if text else "import halyard._library", HALYARD_LIBRARY=name)
            self.assertIn(text or "", said)
            self.assertEqual("ImportError" in said, text is not None)


class Declared(Suite):
    @needs_compiler
    def test_structures_are_the_compilers(self):
        """The size of each structure, and where each of its fields lies."""
        lines, expected = [], []
        for name, kind in vars(_declarations).items():
            if not (isinstance(kind, type) and issubclass(kind, _declarations.Structure) and name.startswith("halyard_")):
                continue
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            expected.append(f"{name} {ctypes.sizeof(kind)}")
            for field, _ in kind._fields_:
                c_name = field.rstrip("_") if field == "is_" else field
                lines.append(f'printf("{name}.{field} %zu\\n", offsetof({name}, {c_name}));')
                expected.append(f"{name}.{field} {getattr(kind, field).offset}")
        for name, kind in vars(_declarations).items():
            if isinstance(kind, type) and issubclass(kind, _declarations.enum.IntEnum) and name != "halyard_operand_kind":
                for member in kind:
                    lines.append(f'printf("{name}.{member.name} %d\\n", (int)({c_enumerator(name, member.name)}));')
                    expected.append(f"{name}.{member.name} {member.value}")
        with tempfile.TemporaryDirectory() as folder:
            body = "\n".join(lines)
            program = compiled(folder, "#include <stddef.h>\n#include <stdio.h>\n#include \"include/halyard.h\"\n"
                               f"int main(void) {{\n{body}\nreturn 0;\n}}\n", "layout", f"-I{ROOT}")
            said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        self.assertGreater(len(expected), 80)
        self.assertEqual(said.splitlines(), expected)

    def test_every_function_is_there(self):
        header = (ROOT / "include/halyard.h").read_text()
        self.assertEqual(len(_declarations.FUNCTIONS), header.count("\nHALYARD_API "))
        self.assertEqual(hl.__version__, _declarations.VERSION)


def c_enumerator(enum, member):
    """The name in C of what is called so without its beginning."""
    beginnings = {"halyard_z3": "Z3_", "halyard_severity": "IS_", "halyard_role": "IS_", "halyard_stage": "STAGE_"}
    return f"HALYARD_{beginnings.get(enum, '')}{member}"


@with_rows
class Helped(Suite):
    def test_help_is_a_reference(self):
        import pydoc
        text = pydoc.plain(pydoc.render_doc(hl))
        for part in ("class Pipeline", "class Verdict", "tile(self, *arguments) -> ", "splits two loops", "select(a, b, c, /, *more)",
                     "HALYARD_LIBRARY", "realize(self, output", "compute_at(g, x): computes the func"):
            self.assertTrue(part in text, part)

    def test_whatever_is_public_is_documented(self):
        for name in hl.__all__:
            offered = getattr(hl, name)
            self.assertTrue(isinstance(offered, tuple) or getattr(offered, "__doc__", None), name)
            if isinstance(offered, type) and issubclass(offered, (hl.Pipeline, hl.Func, hl.Expr, hl.Result, hl.Code, hl.Context)):
                for method, made in vars(offered).items():
                    if callable(made) and not method.startswith("_") and offered is not hl.Image:
                        self.assertTrue(made.__doc__, f"{name}.{method}")

    @rows({
        "text": ("p = hl.parse(BLUR); assert p.check(); print(p)", None),
        "own memory": ("out = bytearray(2); hl.parse('pipeline p(in: u8[1]) { fun f(x) = in(x); }').realize(out, in_=b'ab'); "
                       "assert out == b'ab'", None),
        "a made array": ("hl.parse('pipeline p() { fun f(x) = x; }').realize(3)",
                         "ImportError: halyard makes an array for the output with NumPy, which is not installed"),
        "a dtype": ("hl.u8.dtype", "ImportError: halyard makes an array of u8 with NumPy"),
    })
    def without_numpy(self, program, text):
        start = f"import sys; sys.modules['numpy'] = None; import halyard as hl; BLUR = {BLUR!r}\n"
        status, said = python(start + program)
        self.assertEqual(status, 0 if text is None else 1, said)
        self.assertIn(text or "", said)

    def test_numpy_is_not_loaded_by_itself(self):
        self.assertEqual(python("import sys, halyard; print('numpy' in sys.modules)"), (0, "False\n"))


@with_rows
class Commanded(Suite):
    @rows({
        "algorithm": (["apps/box_blur.alg"], 0, "PROVED"),
        "schedule": (["apps/box_blur.alg", "apps/box_blur.sched:tiled"], 0, "PROVED"),
        "program": (["proofs_tests/negative/guard_missing.tgt"], 1, "REFUTED"),
        "what it includes": (["apps/fft/fft_real_16.alg"], 0, "PROVED"),
        "no such schedule": (["apps/box_blur.alg", "apps/box_blur.sched:flat"], 1, "no schedule called 'flat'"),
        "no algorithm": (["apps/box_blur.sched"], 1, "error[HY"),
        "no file": (["apps/nothing.alg"], 2, "No such file"),
        "not text": ([sys.executable], 2, "can't decode"),
        "nothing": ([], 2, "python3 -m halyard FILE.alg"),
        "help": (["--help"], 0, "python3 -m halyard FILE.alg"),
    })
    def checks(self, words, status, text):
        ended = subprocess.run([sys.executable, "-m", "halyard", *words], capture_output=True, text=True, cwd=ROOT)
        self.assertEqual(ended.returncode, status, ended)
        self.assertIn(text, ended.stdout + ended.stderr)


if __name__ == "__main__":
    run()
