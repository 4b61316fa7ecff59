"""Pipelines of text: verdicts, diagnostics, what is printed, and object files. None of it needs NumPy."""

import pathlib
import pickle
import tempfile

import halyard as hl

from support import BLUR, ROOT, TILED, Suite, rows, run, with_rows

@with_rows
class Checks(Suite):
    @rows({
        "proved": (BLUR, None, hl.Verdict.PROVED, []),
        "scheduled": (BLUR, TILED, hl.Verdict.PROVED, []),
        "a directive that is none": (BLUR, "bv.tile(x, y);", hl.Verdict.REFUTED, ["HY0413"]),
        "a loop that is none": (BLUR, "bv.vectorize(q, 8);", hl.Verdict.REFUTED, None),
        "a fold that is too small": (BLUR, "bh.store_root().compute_at(bv, y).fold_storage(y, 2);", hl.Verdict.REFUTED, ["HY0502"]),
    })
    def verdicts(self, algorithm, directives, verdict, codes):
        result = hl.parse(algorithm, directives).check()
        self.assertIs(result.verdict, verdict, result)
        self.assertEqual(bool(result), verdict is hl.Verdict.PROVED)
        found = [each.code for each in result.diagnostics if each.severity == "error"]
        self.assertEqual(bool(found), verdict is hl.Verdict.REFUTED)
        if codes and codes != ["HY0413"]:
            self.assertEqual(found, codes)

    def test_unknown_is_never_true(self):
        text = (ROOT / "proofs_tests/negative/guard_missing.tgt").read_text()
        self.assertIs(hl.parse_program(text).check().verdict, hl.Verdict.REFUTED)  # by Z3
        with hl.Context(z3="nobody") as context:
            result = hl.parse_program(text, context=context).check()
            self.assertIs(result.verdict, hl.Verdict.UNKNOWN)
            self.assertFalse(result)
            self.assertFalse(result.verdict)
            self.assertFalse(all(each.verdict for each in result.obligations))
            with self.told(hl.Unproved, "answer is UNKNOWN"):
                result.compile()

    @rows({
        "here": ({"z3": "here"}, hl.Verdict.REFUTED), "helper": ({"z3": "helper"}, hl.Verdict.REFUTED),
        "a step": ({"z3_steps": 1}, hl.Verdict.UNKNOWN), "nobody": ({"z3": "nobody"}, hl.Verdict.UNKNOWN),
        "checks at entry": ({"z3": "nobody", "entry_checks": True}, hl.Verdict.PROVED),
    })
    def options(self, options, verdict):
        text = (ROOT / "proofs_tests/negative/guard_missing.tgt").read_text()
        with hl.Context(**options) as context:
            self.assertIs(hl.parse_program(text, context=context).check().verdict, verdict)

    def test_verdicts_are_true_only_where_proved(self):
        self.assertEqual([bool(each) for each in hl.Verdict], [True, False, False])
        self.assertEqual(str(hl.Verdict.UNKNOWN), "UNKNOWN")

    def test_obligations_and_declarations(self):
        result = hl.parse(BLUR, TILED).check()
        self.assertGreater(len(result.obligations), 5)
        self.assertEqual({each.verdict for each in result.obligations}, {hl.Verdict.PROVED})
        self.assertIn("B.Mem", {each.rule for each in result.obligations})
        self.assertEqual([str(each) for each in result.declarations], ["in: u16[2]", "bv: u16[2]"])
        refuted = hl.parse(BLUR, "bh.store_root().compute_at(bv, y).fold_storage(y, 2);").check()
        bad = [each for each in refuted.obligations if each.verdict is hl.Verdict.REFUTED]
        self.assertTrue(bad and bad[0].model, refuted)

    def test_a_result_is_of_its_time(self):
        p = hl.parse(BLUR)
        before = p.check()
        p.schedule("bv.vectorize(q, 8);")
        self.assertEqual((bool(before), bool(p.check())), (True, False))
        p.unschedule()
        self.assertTrue(p.check())

    def test_code_is_kept_until_something_changes(self):
        p = hl.parse(BLUR)
        first = p.compile()
        self.assertIs(p.compile(), first)
        p.schedule("bv.parallel(y);")
        self.assertIsNot(p.compile(), first)
        p.compile().close()
        self.assertFalse(p.compile().closed)

    def test_schedules_of_files(self):
        file = "schedule a for blur { bv.parallel(y); } schedule b for blur { bv.vectorize(x, 8); }"
        p = hl.parse(BLUR).parse_schedule(file, "b")
        self.assertIn("bv.vectorize(x, 8)", p.check().print("schedule") + p.schedule_text())
        with self.told(hl.Refused, "no schedule called 'c'"):
            hl.parse(BLUR).parse_schedule(file, "c")
        with self.told(hl.Refused, "has 2 schedules"):
            hl.parse(BLUR).parse_schedule(file)
        with self.told(hl.Refused, "the pipeline is 'blur'"):
            hl.parse(BLUR).parse_schedule("schedule a for other { }")
        with self.told(hl.Misuse, "one of a file"):
            p.schedule("bv.parallel(y);")

    def test_files_of_schedules(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "blur.sched"
            path.write_text("schedule a for blur { bv.parallel(y); } schedule b for blur { bv.vectorize(x, 8); }")
            for each in (path, str(path)):
                self.assertIn("bv.vectorize(x, 8)", hl.parse(BLUR).schedule_file(each, "b").schedule_text())
            with self.told(hl.Refused, "has 2 schedules"):
                hl.parse(BLUR).schedule_file(path)
            with self.told(FileNotFoundError, "none.sched"):
                hl.parse(BLUR).schedule_file(path.parent / "none.sched")
            with self.told(hl.Misuse, "write parse_schedule(text)"):
                hl.parse(BLUR).schedule_file(path.read_text(), "b")

    def test_files_with_what_they_include(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "p.alg"
            path.write_text('pipeline p() { include "other.alg"; fun f(x) = g(x) + 1; }')
            with self.told(hl.Refused, "the algorithm is refused"):
                hl.parse_file(path)
            (path.parent / "other.alg").write_text("fun g(x) = x*2;")
            made = hl.parse_file(path, "f.vectorize(x, 8);")
            self.assertIs(made.check().verdict, hl.Verdict.PROVED)
            self.assertIn("fun g(x) = x*2;", made.algorithm())

    def test_target_programs(self):
        text = hl.parse(BLUR, TILED).check().print("filled")
        program = hl.parse_program(text)
        self.assertEqual((program.name, bool(program.check())), ("blur", True))
        with self.told(hl.Misuse, "a target program has no schedule"):
            program.schedule("bv.parallel(y);")

    def test_texts_are_printed(self):
        p = hl.parse(BLUR, TILED)
        self.assertEqual(p.algorithm(), BLUR)
        self.assertEqual((p.name, str(p)), ("blur", BLUR + p.schedule_text()))
        result = p.check()
        for stage, part in {"algorithm": "pipeline blur", "schedule": "split(", "lowered": "?mem.min(bh, x)",
                            "scheduled": "for parallel", "filled": "allocate bh", "llvm": "define", "asm": "ret"}.items():
            self.assertIn(part, result.print(stage), stage)


@with_rows
class Errors(Suite):
    @rows({
        "unknown name": ("pipeline p() { fun f(x) = y; }", "HY0201", 1, 27),
        "syntax": ("pipeline p() {\n  fun f(x) = x +;\n}", "HY0103", 2, 17),
        "type": ("pipeline p(in: u8[1], w: int) {\n  fun f(x) = in(x) + w;\n}", "HY0205", 2, 20),
        "nothing": ("", None, 1, 1),
        "not UTF-8's": ("pipeline p() { fun f(x) = x; } \u00e4", None, 1, None),
    })
    def refused(self, text, code, line, column):
        with self.assertRaises(hl.Refused) as caught:
            hl.parse(text)
        error = caught.exception
        first = error.diagnostics[0]
        if code and code != "HY0103":
            self.assertEqual(error.code, code)
        if code in ("HY0201", "HY0205"):
            self.assertEqual(error.column, column)
        self.assertEqual((error.line, error.call, first.file, first.severity), (line, "halyard_parse", "algorithm", "error"))
        self.assertIn(first.message, str(error))
        self.assertIn(f"[{first.code}]", str(error))
        self.assertRegex(first.code, "^HY[0-9]{4}$")

    def test_hints_say_what_to_write(self):
        with self.assertRaises(hl.Refused) as caught:
            hl.parse("pipeline p(in: u8[1], w: int) { fun f(x) = in(x) + w; }")
        self.assertIn("int(", caught.exception.hint)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(again), str(again), again.code), (hl.Refused, str(caught.exception), "HY0205"))

    @rows({
        "algorithm": (lambda: hl.parse(None), TypeError, "not NoneType"),
        "bytes": (lambda: hl.parse(BLUR.encode()), TypeError, "not bytes"),
        "a path": (lambda: hl.parse(pathlib.Path("blur.alg")), TypeError, "not PosixPath"),
        "a zero": (lambda: hl.parse(BLUR + "\0"), hl.Misuse, "zero character"),
        "an algorithm as a program": (lambda: hl.parse_program(BLUR), hl.Refused, "the target program is refused"),
        "no stage": (lambda: hl.parse(BLUR).check().print("wasm"), hl.Misuse, "no stage 'wasm': algorithm, schedule"),
        "a stage of what is wrong": (lambda: hl.parse(BLUR, "bv.vectorize(q, 8);").check().print("filled"), hl.Misuse, "did not come to"),
        "code of what is wrong": (lambda: hl.parse(BLUR, "bv.vectorize(q, 8);").check().print("asm"), hl.Unproved, "answer is NO"),
        "compiled": (lambda: hl.parse(BLUR, "bv.vectorize(q, 8);").compile(), hl.Unproved, "answer is NO"),
        "object": (lambda: hl.parse(BLUR, "bv.vectorize(q, 8);").check().object("f"), hl.Unproved, "error[HY"),
        "a word of C's": (lambda: hl.parse(BLUR).check().object("double"), hl.Misuse, "cannot be called 'double'"),
        "header's name": (lambda: hl.parse(BLUR).check().header(""), hl.Misuse, "cannot be called"),
        "no such directive": (lambda: hl.parse(BLUR, "bv.nonsense(x);"), hl.Refused, "no method 'nonsense'"),
        "no file": (lambda: hl.parse_file("/nowhere/p.alg"), hl.NoFile, "cannot read '/nowhere/p.alg': No such file"),
        "no folder": (lambda: hl.parse(BLUR).check().write("f", "/nowhere/at/all"), hl.NoFile, "cannot write '/nowhere/at/all.o'"),
        "no policy": (lambda: hl.Context(z3="there"), hl.Misuse, "z3 is one of 'here', 'nobody', 'helper'"),
        "no policy at all": (lambda: hl.Context(z3=None), hl.Misuse, "z3 is one of"),
        "negative steps": (lambda: hl.Context(z3_steps=-1), hl.Misuse, "z3_steps lies in"),
        "many steps": (lambda: hl.Context(z3_steps=2 ** 32), hl.Misuse, "z3_steps lies in"),
        "half a step": (lambda: hl.Context(z3_steps=0.5), TypeError, "z3_steps is an int"),
        "options by place": (lambda: hl.Context("here"), TypeError, "positional"),
    })
    def raised(self, call, kind, text):
        with self.told(kind, text):
            call()

    def test_kinds(self):
        self.assertTrue(issubclass(hl.Misuse, ValueError) and issubclass(hl.NoMemory, MemoryError))
        self.assertTrue(issubclass(hl.NoFile, OSError) and issubclass(hl.Closed, hl.Misuse))
        from halyard import _declarations, _errors
        self.assertEqual(set(_errors.KINDS), set(_declarations.halyard_problem))
        self.assertTrue(all(issubclass(kind, hl.Error) for kind in _errors.KINDS.values()))

    def test_an_error_leaves_everything_usable(self):
        p = hl.parse(BLUR)
        for _ in range(50):
            self.assertRaises(hl.Refused, hl.parse, "pipeline p() { fun f(x) = y; }")
            self.assertRaises(hl.Misuse, p.var, "x")
        self.assertTrue(p.check())


class Objects(Suite):
    def test_object_and_header(self):
        result = hl.parse(BLUR, TILED).check()
        made = result.object("blur_3x3")
        self.assertEqual(made[:4], b"\x7fELF")
        self.assertIn(b"blur_3x3", made)
        self.assertIn("int blur_3x3(", result.header("blur_3x3"))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bl\u00fcr"
            result.write("blur_3x3", path)
            self.assertEqual(path.with_suffix(".o").read_bytes(), made)
            self.assertEqual(path.with_suffix(".h").read_text(), result.header("blur_3x3"))


if __name__ == "__main__":
    run()
