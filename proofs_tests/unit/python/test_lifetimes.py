"""Who outlives whom: objects closed and collected in every order, in cycles, in other threads, at the end of the process."""

import gc
import itertools
import random
import subprocess
import sys
import threading
import weakref

import halyard as hl

from support import BLUR, TILED, Suite, needs_numpy, numpy, rows, run, with_rows


def open_all(context=None):
    p = hl.parse(BLUR, TILED, context=context)
    result = p.check()
    return {"context": p.context, "pipeline": p, "result": result, "code": result.compile()}


def point(code, value):
    """BLUR of an image that has this value everywhere, at one point."""
    image = memoryview(bytes([value, 0] * 9)).cast("H", (3, 3))
    out = memoryview(bytearray(2)).cast("H", (1, 1))
    code.realize(out, in_=hl.Buffer(image, min=(-1, -1)))
    return out[0, 0]


def in_use():
    """Bytes that the C library has given away."""
    import ctypes

    class Info(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Info
    info = mallinfo2()
    return info.uordblks + info.hblkhd


@with_rows
class Order(Suite):
    @rows({" ".join(order): (order,) for order in itertools.permutations(["context", "pipeline", "result", "code"])})
    def closed_in_any_order(self, order):
        made = open_all(hl.Context())
        for name in order:
            made[name].close()
            self.assertTrue(made[name].closed)
            made[name].close()
        del made
        gc.collect()

    @rows({" ".join(order): (order,) for order in itertools.permutations(["context", "pipeline", "result", "code"])})
    def collected_in_any_order(self, order):
        made = open_all(hl.Context())
        for name in order:
            del made[name]
            gc.collect()

    @rows({
        "check": lambda p, r, c: p.check(), "compile": lambda p, r, c: p.compile(), "schedule": lambda p, r, c: p.schedule("x;"),
        "algorithm": lambda p, r, c: p.algorithm(), "str": lambda p, r, c: str(p), "var": lambda p, r, c: p.var("x"),
        "image": lambda p, r, c: p.image("q", hl.u8, 1), "rdom": lambda p, r, c: p.rdom(i=(0, 1)),
        "unschedule": lambda p, r, c: p.unschedule(), "with": lambda p, r, c: p.__enter__(),
        "print": lambda p, r, c: r.print("filled"), "compile a result": lambda p, r, c: r.compile(),
        "object": lambda p, r, c: r.object("f"), "write": lambda p, r, c: r.write("f", "/tmp/never"),
        "realize": lambda p, r, c: point(c, 0),
    })
    def use_after_the_end(self, call):
        for name in ("context", "each"):
            made = open_all(hl.Context())
            for closed in (["context"] if name == "context" else ["pipeline", "result", "code"]):
                made[closed].close()
            with self.told(hl.Closed, "was closed"):
                call(made["pipeline"], made["result"], made["code"])

    @rows({
        "operator": lambda s: s["x"] + 1, "text": lambda s: str(s["x"]), "call": lambda s: s["f"][s["x"]],
        "sum": lambda s: hl.sum(s["r"], s["r"].i), "update": lambda s: s["f"].__setitem__(s["x"], 3),
        "directive": lambda s: s["f"].parallel("x"), "define": lambda s: s["g"].__setitem__(s["x"], s["x"]),
        "box": lambda s: s["image"].min(0), "conversion": lambda s: hl.u8(s["x"]), "boundary": lambda s: hl.repeat_edge(s["image"]),
    })
    def expressions_after_the_end(self, call):
        for end in ("pipeline", "context"):
            p = hl.Pipeline("p", context=hl.Context())
            scene = {"x": p.var("x"), "f": p.func("f"), "g": p.func("g"), "r": p.rdom(i=(0, 3)), "image": p.image("in", hl.u8, 1)}
            scene["f"][scene["x"]] = scene["x"]
            (p if end == "pipeline" else p.context).close()
            with self.told(hl.Closed, "was closed"):
                call(scene)
            self.assertIn("closed", repr(scene["x"]) + repr(p))

    def test_expressions_keep_their_pipeline(self):
        p = hl.Pipeline("p")
        x = p.var("x")
        there = weakref.ref(p)
        del p
        gc.collect()
        self.assertEqual(str(x + 1), "x + 1")
        self.assertIsNotNone(there())
        del x
        self.assertIsNone(there())  # at once: there is no cycle

    def test_code_outlives_all_but_its_context(self):
        made = open_all(hl.Context())
        code = made.pop("code")
        made["pipeline"].close(), made["result"].close()
        self.assertEqual(point(code, 9), 9)

    def test_temporary(self):
        context = hl.Context()
        kept = hl.parse(BLUR, context=context)
        with context.temporary():
            inner = open_all(context)
        self.assertEqual([inner[name].closed for name in ("pipeline", "result", "code")], [True] * 3)
        self.assertTrue(kept.check())

    def test_a_new_context_after_a_closed_one(self):
        first = hl.context()
        self.assertIs(hl.context(), first)
        first.close()
        self.assertTrue(hl.parse(BLUR).check())

    def test_a_failed_context_ends_quietly(self):
        self.assertRaises(hl.Misuse, hl.Context, z3="there")
        gc.collect()

    def test_memory_stays_flat(self):
        context = hl.Context()
        p = hl.parse(BLUR, TILED, context=context)

        def search():
            for _ in range(5):
                with p.check() as result:
                    result.print("llvm"), result.object("f"), result.header("f"), p.algorithm(), str(p)
                open_all(context)
                self.assertRaises(hl.Refused, hl.parse, "pipeline p() { fun f(x) = y; }", context=context)
            gc.collect()
        search()
        search()
        before = in_use()
        search()
        self.assertLess(in_use() - before, 60_000)


class Nested(Suite):
    """What finalizers and handlers of signals may do: call the context that is in the middle of a call."""

    def within(self, what):
        """what(p), while the text of p is read."""
        p = hl.parse(BLUR, context=hl.Context())
        said = p.context._call("halyard_print_algorithm", p._handle, keeps=False, read=lambda _: what(p))
        return p, said

    def test_calls_are_told(self):
        with self.told(hl.Misuse, "from inside of another one with the same context"):
            self.within(lambda p: p.algorithm())
        with self.told(hl.Misuse, "from inside of another one"):
            self.within(lambda p: p.context.close())

    def test_another_context_can_be_called(self):
        other = hl.parse(BLUR, context=hl.Context())
        self.assertEqual(self.within(lambda p: other.algorithm())[1], BLUR)

    def test_closing_waits(self):
        p, closed_at_once = self.within(lambda p: p.close() or p.closed)
        self.assertFalse(closed_at_once)
        hl.parse(BLUR, context=p.context)
        self.assertTrue(p.closed)

    def test_an_error_is_forgotten_by_the_next_call(self):
        from halyard._library import library
        p = hl.parse(BLUR)
        self.assertRaises(hl.Refused, hl.parse, "pipeline p() { fun f(x) = y; }")
        self.assertTrue(library.halyard_last_error(p.context._address))
        p.algorithm()
        self.assertFalse(library.halyard_last_error(p.context._address))


class Collected(Suite):
    """A collector that runs at almost every allocation, in the middle of calls."""

    def setUp(self):
        self.thresholds = gc.get_threshold()
        gc.set_threshold(1, 1, 1)
        self.addCleanup(gc.set_threshold, *self.thresholds)

    def test_cycles(self):
        numbers = random.Random(20261126)
        for _ in range(30):
            made = list(open_all(hl.Context() if numbers.random() < 0.3 else None).values())
            made.append(made[1:])
            numbers.shuffle(made)
            made.append(made)
            for each in made[:numbers.randrange(4)]:
                if hasattr(each, "close") and not isinstance(each, hl.Context):
                    each.close()
            del made

    def test_building(self):
        for _ in range(20):
            p = hl.Pipeline("p")
            x, y = p.vars("x y")
            f = p.func("f")
            r = p.rdom(i=(0, 3), j=(x * 0 + 1, 2))
            r.where(r.i != 1)
            f[x, y] = hl.select(x > 3, x, y)
            f[r.i, y] += r.j
            self.assertIn("f(i, y) + j if i != 1", p.algorithm())
            p.myself = [p, f, x, r]

    def test_finalizers_that_call(self):
        told = []

        class Rude:
            """Its end, wherever that is, calls the context that may be in the middle of a call."""

            def __init__(self, p):
                self.p, self.myself = p, self

            def __del__(self):
                try:
                    self.p.algorithm()
                    self.p.close()
                except hl.Misuse as error:
                    told.append(str(error))
        for _ in range(40):
            Rude(hl.parse(BLUR))
            hl.parse(BLUR).check()
        self.assertTrue(all("from inside of another one" in each or "closed" in each for each in told), told)


class Threads(Suite):
    def run_all(self, bodies):
        wrong = []

        def guarded(body):
            try:
                body()
            except BaseException as error:
                wrong.append(error)
        threads = [threading.Thread(target=guarded, args=(body,)) for body in bodies]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        if wrong:
            raise wrong[0]

    def test_a_context_for_each(self):
        contexts = []

        def body():
            for factor in range(2, 12):
                p = hl.parse(BLUR, f"bv.split(y, yo, yi, {factor});")
                assert p.check()
                assert point(p.compile(), factor) == factor
            contexts.append(hl.context())
        self.run_all([body] * 3)
        self.assertEqual(len(set(map(id, contexts))), 3)
        self.assertNotIn(hl.context(), contexts)

    def test_one_context_takes_turns(self):
        context = hl.Context()
        p = hl.parse(BLUR, context=context)

        def check():
            for _ in range(10):
                assert p.check()

        def fail():
            for _ in range(200):
                with self.told(hl.Refused, "HY0201"):
                    hl.parse("pipeline p() { fun f(x) = y; }", context=context)

        def misuse():
            for _ in range(200):
                with self.told(hl.Misuse, "was parsed"):
                    p.var("x")
        self.run_all([check, fail, misuse])

    def test_closed_by_another(self):
        context = hl.Context()
        p = hl.parse(BLUR, context=context)
        closing = threading.Event()

        def check():
            with self.assertRaises(hl.Closed):
                while True:
                    p.check()
                    closing.set()

        def close():
            closing.wait()
            context.close()
        self.run_all([check, close])

    def test_collected_by_another(self):
        context = hl.Context()
        made = [hl.parse(BLUR, context=context) for _ in range(50)]
        p = hl.parse(BLUR, context=context)

        def drop():
            while made:
                made.pop()
        self.run_all([drop, lambda: [p.check() for _ in range(5)]])
        p.check()
        self.assertFalse(context._dropped)

    def test_small_stacks_are_told(self):
        threading.stack_size(256 * 1024)
        self.addCleanup(threading.stack_size, 0)

        def body():
            with self.told(hl.Misuse, "KB of stack left"):
                hl.parse(BLUR)
        self.run_all([body])


@with_rows
class Ends(Suite):
    @rows({
        "everything open": "made = open_all()",
        "in a cycle": "made = open_all(); made['self'] = made",
        "of a module": "hl.kept = open_all(hl.Context())",
        "in a thread": "import threading; t = threading.Thread(target=open_all); t.start(); t.join()",
        "an exception": "made = open_all()\ntry: hl.parse('p')\nexcept hl.Refused as error: kept = error",
        "the module unloaded": "made = open_all(); [sys.modules.pop(each) for each in list(sys.modules) if each.startswith('halyard')]; del hl",
    })
    def of_the_process(self, program):
        start = f"import sys; sys.path.insert(0, {sys.path[0]!r}); import halyard as hl; from test_lifetimes import open_all\n"
        ended = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", start + program, "-"], capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "", ""))


@needs_numpy
class Runs(Suite):
    def test_two_threads_compute_side_by_side(self):
        text = "pipeline p(in: f32[2]) { fun f(x, y) = sum(rdom(r = (0, 50)) in sqrt(in(x, r) + f32(y))); }"
        source = numpy.ones((50, 200), numpy.float32)
        expected = hl.parse(text).realize((200, 100), in_=source)

        def body():
            made = hl.parse(text).compile()
            for _ in range(5):
                numpy.testing.assert_array_equal(made.realize((200, 100), in_=source), expected)
        Threads.run_all(self, [body, body])


if __name__ == "__main__":
    run()
