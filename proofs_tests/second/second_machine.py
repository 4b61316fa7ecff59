"""Section 4 of the specification (semantics/rules/4_target_programs.md), implemented a second time: the steps of target programs, one
function per rule, and the monitor beside them.

Machine(program, input).run() gives an Outcome. With watch=True its breaches are what the monitor sees, step by step; the steps are the
same. "choose" picks the iteration of a parallel loop that steps, else they run in order; log, if it is a list, becomes the derivation.
"""
import re
from collections import namedtuple

from second_values import EPS_MEM, INT_MAX, Error, apply, join, zero

Lane = namedtuple('Lane', 'E q u')
Outcome = namedtuple('Outcome', 'output reason breaches')
# "others" are the buffers of a tuple's parts 1, 2, .., of the same box. Of a folded location: by what each dimension is folded, what points the cells hold, and in which compute they were stored.
Buffer = namedtuple('Buffer', 'box cells type folds held stored others', defaults=(None, None, None, ()))

ERRS, LANES = 'bounds are an error', 'lanes disagree'
WRITE, READ, OUTSIDE_CPU = 'write outside Mem', 'read outside Mem', 'a point of Cpu rests on a point outside of Cpu'
LEFT_OUT, UNDEFINED, RACE = 'a stage leaves a point of Cpu out', 'an undefined value decides', 'two iterations race'
FOLDED = 'a folded cell holds another point'


class Ends(Exception):
    """-->! b"""


class TooLong(Exception):
    """A run that is given up: no outcome."""


class Lanes(list):
    """L. "several" are the lanes of a vectorized loop, however many a mask has left."""
    several = False

    def of(self, lanes):
        out = Lanes(lanes)
        out.several = self.several
        return out

    def bind(self, x, c):
        return self.of(Lane({**lane.E, x: (c, 0)}, lane.q, lane.u) for lane in self)


class Frame:
    """X: "rule" is what its step is called, and fields as in the grammar of configurations."""

    def __init__(self, kind, L, **fields):
        self.kind, self.L = kind, L
        self.__dict__.update(fields)


class Thread:
    """< S, L, K >, S is None for done. "known" is what the monitor remembers of computes: of the thread, since iterations have funcs of
    their own."""

    def __init__(self, S, L, known):
        self.S, self.L, self.K, self.known = S, L, [], known


class Compute:
    """What the monitor remembers of one compute of f; "loop" is the execution of the loop from which it keeps points."""

    def __init__(self, box, loop=None, before=None):
        self.box, self.loop, self.reached, self.skipped = box, loop, {}, {}
        if loop is not None and before is not None and before.loop is loop:
            self.reached[0] = {i for i in points(box) if inside(i, before.box)}


def part_of(buffer, k):
    return buffer.others[k - 1] if k else buffer


def inside(point, box):
    return all(m <= c and c - m < n for c, (m, n) in zip(point, box))


def cell_of(buffer, i):
    """The name of the cell of a point: points that share it have one."""
    return i if not buffer.folds else tuple(c if n is None else c % n for c, n in zip(i, buffer.folds))


def holds(buffer, i):
    """Whether the cell of the point holds it; None among what is held stands for any."""
    held = buffer.held.get(cell_of(buffer, i)) if buffer.folds else None
    return held is None or all(h is None or h == c for h, c in zip(held, i))


def points(box):
    out = [()]
    for m, n in box:
        out = [p + (i,) for p in out for i in range(m, m + n)]
    return out


def accesses(e, in_index=False):
    """Every access in e, with whether it stands in an index."""
    for a in e.args:
        yield from accesses(a, in_index or e.kind == 'load')
    if e.kind == 'load':
        yield e, in_index


class Machine:
    def __init__(self, program, window, params, images, mode='lazy', choose=None, fresh=None, log=None, watch=False, steps=10**9):
        """window: a list of (minimum, length); params: name to constant; images: name to Buffer; fresh(type, place in the log): an arbitrary value."""
        self.Q, self.window, self.mode, self.log, self.watch = program, window, mode, log, watch
        self.choose = choose
        self.fresh, self.depth, self.breaches = fresh or (lambda t, at: zero(t)), 0, []
        self.M, self.touched, self.count, self.steps, self.all_steps = {}, {}, 0, steps, steps
        self.numbers, self.loops, self.path, self.marked = {}, {}, [], set()
        E = {x: (c, 0) for x, c in params.items()}
        for x, (m, n) in zip(program.window, window):
            E[x + '.min'], E[x + '.len'] = (m, 0), (n, 0)
        for g, image in images.items():
            for d, (m, n) in enumerate(image.box):
                E['%s.min(%d)' % (g, d)], E['%s.len(%d)' % (g, d)] = (m, 0), (n, 0)
            E[g] = self.location(image)
        self.L_0 = Lanes([Lane(E, None, 0)])

    def location(self, buffer):
        self.count += 1
        self.M[self.count] = buffer
        return self.count

    def type(self, f):
        return self.Q.types[f].root().type

    # -- the derivation --
    def say(self, rule, what='', value=None, t='int'):
        if self.log is not None:
            self.log.append((self.depth, rule, what, value, t))

    def end(self, reason):
        raise Ends(reason)

    def sees(self, breach, *why):
        if self.watch:
            self.breaches.append((self.all_steps - self.steps, breach) + why)

    # -- E, M |- e => v --
    def eval(self, e, E):
        self.depth += 1
        v = {'const': self.constant, 'var': self.constant, 'op': self.operator, 'load': self.read}[e.kind](e, E)
        self.depth -= 1
        return v

    def constant(self, e, E):  # TGT.Const
        v = (e.value, 0) if e.kind == 'const' else E[e.name]
        self.say('TGT.Const', e.name, v, e.type)
        return v

    def operator(self, e, E):
        if self.mode == 'lazy' and e.op in ('select', '&&', '||'):
            return self.lazy(e, E)
        at = self.begin('TGT.Op', e.op, e.type)  # TGT.Op
        vs = [self.eval(a, E) for a in e.args]
        return self.done(at, (apply(e.op, e.of, [c for c, _ in vs], e.type), max(u for _, u in vs)))

    def lazy(self, e, E):  # TGT.Op-Lazy
        at = self.begin('TGT.Op-Lazy', e.op, e.type)
        c, u = self.eval(e.args[0], E)
        if isinstance(c, Error) or e.op == '&&' and not c or e.op == '||' and c:
            return self.done(at, (c, u))
        c, more = self.eval(e.args[2 if e.op == 'select' and not c else 1], E)
        return self.done(at, (c, u | more))

    def read(self, e, E):
        at = self.begin('TGT.Read', e.name, e.type)
        vs = [self.eval(a, E) for a in e.args]
        cs, u = tuple(c for c, _ in vs), max([0] + [u for _, u in vs])
        eps = join(*cs)
        if eps is not None:  # TGT.Read
            return self.done(at, (eps, u))
        buffer = self.M.get(E.get(e.name))
        if buffer is None or not inside(cs, buffer.box):  # TGT.Read-Out
            self.rename(at, 'TGT.Read-Out')
            return self.done(at, (EPS_MEM, u))
        if self.watch and e.name not in self.Q.images:
            self.touch(E[e.name], cs, self.path, False)
        c, more = self.cell(part_of(buffer, e.part), cs, at)
        if not holds(buffer, cs):  # TGT.Read-Fold
            self.rename(at, 'TGT.Read-Fold')
            more = 1
        return self.done(at, (c, u | more))

    def cell(self, buffer, i, at=None):
        i = cell_of(buffer, i)
        if i not in buffer.cells:  # TGT.Alloc made up a value; it is told when it is asked for
            buffer.cells[i] = (self.fresh(buffer.type, at), 1)
        return buffer.cells[i]

    def begin(self, rule, what, t):
        self.say(rule, what, None, t)
        return len(self.log) - 1 if self.log is not None else 0

    def rename(self, at, rule):
        if self.log is not None:
            self.log[at] = (self.log[at][0], rule) + self.log[at][2:]

    def done(self, at, v):
        if self.log is not None:
            self.log[at] = self.log[at][:3] + (v, self.log[at][4])
        return v

    # -- C --> C' --
    def run(self):
        if any(n == 0 for _, n in self.window):  # TGT.Empty
            return Outcome([{} for _ in self.Q.parts[self.Q.output]], None, [])
        try:
            for S in self.Q.entry:
                self.assume(Thread(None, self.L_0, {}), S)
            if any(n < 0 for _, n in self.window):  # TGT.Realize
                self.end(ERRS)
            H = Thread(self.Q.body, self.L_0, {})
            self.output = None
            self.glue(H, [])
            while not self.ended(H):
                self.step(H, [])
            if self.output is None:  # TGT.Realize
                self.end(READ)
        except Ends as why:
            if why.args[0] in (ERRS, LANES, READ):
                self.breaches.append((self.all_steps - self.steps, why.args[0]))
            return Outcome(None, why.args[0], self.breaches)
        return Outcome(self.output, None, self.breaches)

    def ended(self, H):
        return H.S is None and not H.K

    def glue(self, H, path):
        """TGT.Seq, TGT.Nop, TGT.Label, TGT.Else and the ends of loops: they touch no store."""
        while True:
            S, top = H.S, H.K[-1] if H.K else None
            if S is not None and not H.L:  # on no lanes every statement is done
                H.S = None
            elif S is not None and S.kind == 'seq':  # TGT.Seq
                H.K.append(Frame('seq', H.L, rest=list(S.parts), A=[], whole=not path and not H.K))
                H.S = None
            elif S is not None and S.kind == 'nop':  # TGT.Nop
                H.S = None
            elif S is not None and S.kind == 'label':  # TGT.Label
                H.S = S.body
            elif S is not None or top is None:
                return
            elif top.kind == 'seq' and top.rest and top.rest[0].kind != 'allocate':  # TGT.Seq
                H.S, H.L = top.rest.pop(0), top.L
            elif top.kind == 'seq' and not top.rest and not top.A:  # TGT.Alloc-End, of nothing
                self.pop(H)
            elif top.kind == 'else':  # TGT.Else
                self.pop(H)
                H.S = top.S
            elif top.kind == 'compute':
                self.left_out(H, top)
                self.pop(H)
            elif top.kind == 'loop' and top.n == 0:  # TGT.For
                self.pop(H)
            elif top.kind == 'tasks' and all(self.ended(G) for G in top.threads):  # TGT.Par-Step
                self.pop(H)
            else:
                return

    def pop(self, H):
        H.L = H.K.pop().L

    def step(self, H, path):
        """One step of the thread, then what touches no store."""
        S = H.S
        if S is not None or H.K[-1].kind != 'tasks':
            self.steps -= 1
        if self.steps < 0:
            raise TooLong
        self.path = path
        if S is None:
            top = H.K[-1]
            {'seq': self.storage, 'store': self.stores, 'loop': self.next_iteration, 'tasks': self.par_step}[top.kind](H, top, path)
        else:
            if self.watch:
                self.watch_statement(H, S)
            {'allocate': None, 'compute': self.compute, 'for': self.loop, 'let': self.let, 'if': self.branch, 'assign': self.assign,
             'assume': self.assume, 'constrain': self.constrain}[S.kind](H, S)
        self.glue(H, path)

    def storage(self, H, X, path):
        if X.rest:
            self.alloc(H, X, X.rest[0])
        elif X.whole and self.Q.output in [f for f, _ in X.A]:
            self.realize(H, X)
        else:
            self.alloc_end(H, X)

    def alloc(self, H, X, S):  # TGT.Alloc
        self.say('TGT.Alloc', S.func)
        if X.L.several:
            self.end(LANES)
        H.L = X.L
        E, q, u = X.L[0]
        if self.watch:
            self.watch_statement(H, S)
        box = [self.bounds(X.L[0], I) for I in S.box]
        if any(n < 0 for _, n in box):
            self.sees(ERRS)
        folds = S.folds if any(n is not None for n in S.folds) else None
        box = [(m, max(0, n)) for m, n in box]
        others = [Buffer(box, {}, t.root().type, folds) for t in self.Q.parts[S.func][1:]]
        l = self.location(Buffer(box, {}, self.type(S.func), folds, {}, {}, others))
        X.L, X.A = X.L.of([Lane({**E, S.func: l}, q, u)]), X.A + [(S.func, l)]
        X.rest.pop(0)
        H.L, H.known = X.L, {**H.known, S.func: None}

    def alloc_end(self, H, X):  # TGT.Alloc-End; a step for each, the last first
        f, l = X.A.pop()
        self.say('TGT.Alloc-End', f)
        del self.M[l]

    def realize(self, H, X):  # TGT.Realize
        f = self.Q.output
        E = X.L[0].E
        buffer = self.M[E[f]]
        self.say('TGT.Realize', f)
        self.output = []  # of each part
        for part in (part_of(buffer, k) for k in range(len(self.Q.parts[f]))):
            self.output.append({})
            for i in points(self.window):
                c, u = self.cell(part, i) if inside(i, buffer.box) else (EPS_MEM, 0)
                self.output[-1][i] = c
                if u:
                    self.marked.add(i)
                self.watch_window(H, f, i, inside(i, buffer.box), u)
        X.whole = False

    def assign(self, H, S):  # TGT.Assign, TGT.Assign-Parts
        writes = []
        self.say('TGT.Assign', S.func)
        for lane in H.L:
            cs = [self.eval(e, lane.E) for e in S.left]
            writes.append((lane, cs, [self.eval(e, lane.E) for e in S.values]))
        H.K.append(Frame('store', H.L, func=S.func, writes=writes, stage=S))
        H.S = None

    def stores(self, H, X, path):
        for lane, vs, values in X.writes:
            for k, v in enumerate(values):
                self.store(H, X, path, lane, vs, k, v)
        self.pop(H)

    def store(self, H, X, path, lane, vs, k, v):
        """Part k takes the value v: what is stored, sees no store of the part before."""
        E, q, u = lane
        cs, l = [c for c, _ in vs], E.get(X.func)
        buffer = self.M.get(l)
        part = part_of(buffer, k) if buffer else None
        u = max([u, v[1]] + [w for _, w in vs])
        ordinary = [(d, c) for d, c in enumerate(cs) if not isinstance(c, Error)]
        if buffer is None or any(not inside((c,), [buffer.box[d]]) for d, c in ordinary):  # TGT.Assign-Out
            self.say('TGT.Assign-Out', X.func)
            self.sees(WRITE, X.func, tuple(cs))
            for i in points(buffer.box) if buffer else []:
                self.touch(l, i, path, True)
                part.cells[cell_of(buffer, i)] = (EPS_MEM, 0)
            if buffer and buffer.folds:
                buffer.held.clear()
                buffer.stored.clear()
        elif join(q, *cs) is not None:  # TGT.Assign-Poison
            eps = join(q, v[0], *cs)
            self.say('TGT.Assign-Poison', X.func, (eps, u), part.type)
            for i in points(buffer.box):
                if all(i[d] == c for d, c in ordinary):
                    self.touch(l, i, path, True)
                    part.cells[cell_of(buffer, i)] = (eps, u)
                    self.hold(H, X.func, buffer, i, tuple(None if isinstance(c, Error) else c for c in cs))
        else:  # TGT.Store
            self.say('TGT.Store', X.func, (v[0], u), part.type)
            self.touch(l, tuple(cs), path, True)
            if not holds(buffer, tuple(cs)) and buffer.stored.get(cell_of(buffer, tuple(cs))) is H.known.get(X.func) is not None:  # TGT.Mon-Fold
                self.sees(FOLDED, X.func, tuple(cs))
            part.cells[cell_of(buffer, tuple(cs))] = (v[0], u)
            self.hold(H, X.func, buffer, tuple(cs), tuple(cs))

    def hold(self, H, f, buffer, i, held):
        if buffer.folds:
            buffer.held[cell_of(buffer, i)] = held
            buffer.stored[cell_of(buffer, i)] = H.known.get(f)

    def let(self, H, S):  # TGT.Let
        self.say('TGT.Let', S.var)
        H.L = H.L.of(Lane({**lane.E, S.var: self.eval(S.value, lane.E)}, lane.q, lane.u) for lane in H.L)
        H.S = S.body

    def branch(self, H, S):
        if S.why == 'implied':  # TGT.If-Implied
            self.say('TGT.If-Implied')
            for lane in H.L if self.watch else ():  # the monitor asks (TGT.Mon-Pieces), and the derivation has what it evaluates
                self.eval(S.condition, lane.E)
            H.S = S.body
            return
        rule = {'user': 'TGT.If-User', 'guard': 'TGT.If-Guard', 'specialize': 'TGT.If-Specialize'}[S.why]
        self.say(rule)
        vs = []
        for lane in H.L:
            vs.append((lane, self.eval(S.condition, lane.E)))
        yes, no = [], []
        for lane, (c, u) in vs:
            if S.why == 'user':  # TGT.If-User
                if c is not False:
                    yes.append(Lane(lane.E, join(lane.q, c), lane.u | u))
            elif S.why == 'guard':  # TGT.If-Guard
                if isinstance(c, Error):
                    self.end(ERRS)
                yes.extend([lane] if c else [])
            else:  # TGT.If-Specialize
                (yes if c is True else no).append(lane)
        H.K.append(Frame('else', H.L.of(no) if S.why == 'specialize' else H.L, S=S.other if S.why == 'specialize' else None))
        H.S, H.L = S.body, H.L.of(yes)

    def bounds(self, lane, I):
        m = self.eval(I[0], lane.E)[0]
        if isinstance(m, Error):
            self.end(ERRS)
        n = self.eval(I[1], lane.E)[0]
        if isinstance(n, Error):
            self.end(ERRS)
        return m, n

    def interval(self, L, I):
        """L, M |- I => m, n with what TGT.For-Neg asks: lane after lane."""
        m = n = None
        for k, lane in enumerate(L):
            mine = self.bounds(lane, I)
            if mine[1] < 0 or sum(mine) > INT_MAX:
                self.end(ERRS)
            if k and (m, n) != mine:
                self.end(LANES)
            m, n = mine
        return m, n

    def in_order(self, S, E, m, n):
        """The piece begins where the one in front of it has ended, or later, and stays in its loop."""
        of = [self.quietly(e, E)[0] for e in S.piece[1]]
        before = [self.quietly(e, E)[0] for e in S.before.interval] if S.before else [of[0], 0]
        return not any(isinstance(c, Error) for c in of + before) and sum(before) <= m and m + n <= sum(of)

    def loop(self, H, S):
        rule = 'TGT.For' if H.L.several else {'parallel': 'TGT.For-Parallel', 'vectorized': 'TGT.For-Vector'}.get(S.how, 'TGT.For')
        self.say(rule, S.var)
        m, n = self.interval(H.L, S.interval)
        if S.piece and not H.L.several and self.watch and not self.in_order(S, H.L[0].E, m, n):  # TGT.Mon-Pieces
            self.sees(ERRS)
        if n == 0 and not S.pure:
            self.skips(H, S.var)
        if rule == 'TGT.For':  # TGT.For
            H.K.append(Frame('loop', H.L, var=S.var, m=m, n=n, body=S.body))
            H.S = None
        elif rule == 'TGT.For-Parallel':  # TGT.For-Parallel
            threads = [Thread(S.body, H.L.bind(S.var, m + i), dict(H.known)) for i in range(n)]
            frame = Frame('tasks', H.L, var=S.var, m=m, threads=threads)
            H.K.append(frame)
            H.S = None
            for i, G in enumerate(threads):
                self.glue(G, [(frame, i)])
        else:  # TGT.For-Vector
            lanes = Lanes([lane for i in range(n) for lane in H.L.bind(S.var, m + i)])
            lanes.several = True
            H.K.append(Frame('else', H.L, S=None))
            H.S, H.L = S.body, lanes

    def next_iteration(self, H, X, path):  # TGT.For
        self.say('TGT.For', X.var, (X.m, 0))
        H.S, H.L = X.body, X.L.bind(X.var, X.m)
        X.m, X.n = X.m + 1, X.n - 1

    def par_step(self, H, X, path):  # TGT.Par-Step
        if self.choose is None:
            i = next(i for i, G in enumerate(X.threads) if not self.ended(G))
        else:
            i = self.choose(X)
            self.say('TGT.Par-Step', X.var, (X.m + i, 0))
        self.step(X.threads[i], path + [(X, i)])

    def compute(self, H, S):  # TGT.Compute
        self.say('TGT.Compute', S.func)
        if H.L.several:
            self.end(LANES)
        if self.watch:
            box = [self.bounds(H.L[0], I) for I in S.box]
            if any(n < 0 for _, n in box):
                self.sees(ERRS)
            loop = next((X for X in reversed(H.K) if X.kind == 'loop' and X.var == S.keep), None)
            H.known = {**H.known, S.func: Compute([(m, max(0, n)) for m, n in box], loop, H.known.get(S.func))}
            H.K.append(Frame('compute', H.L, func=S.func, body=S.body))
        H.S = S.body

    def assume(self, H, S):  # TGT.Assume
        self.say('TGT.Assume', S.why)
        for lane in H.L:
            if self.eval(S.condition, lane.E)[0] is not True:
                self.end(('assume', S.why, S.about))
        H.S = None

    def constrain(self, H, S):  # TGT.Constrain
        self.say('TGT.Constrain')
        H.S = None

    # -- C --| b --
    def quietly(self, e, E):
        """The monitor's own evaluation: no step, no load."""
        log, watch, self.log, self.watch = self.log, self.watch, None, False
        v = self.eval(e, E)
        self.log, self.watch = log, watch
        return v

    def watch_statement(self, H, S):
        """What is seen in < S, L, K, M >, evaluation aside."""
        own, addresses = self.own(S)
        found = [(a, inner or e in addresses) for e in own for a, inner in accesses(e)]
        for lane in H.L:
            to = point(S)
            written = to and [self.quietly(e, lane.E)[0] for e in to.left]
            box = to and self.cpu(H, to.func)
            for a, is_address in found:
                cs = tuple(self.quietly(e, lane.E)[0] for e in a.args)
                self.read_arms(a.name, cs, lane.E)
                if to and a.name not in self.Q.images and join(*cs) is None and (is_address or not outside(written, box)) and outside(cs, self.cpu(H, a.name)):  # TGT.Mon-Cpu
                    self.sees(OUTSIDE_CPU, a.name, cs)
                elif to and a.name not in self.Q.images and (is_address or not outside(written, box)) and self.is_lost(lane.E, a.name, cs):  # TGT.Mon-Fold
                    self.sees(FOLDED, a.name, cs)
            deciding = (addresses if S.kind == 'assign' else own if S.kind in ('for', 'allocate', 'compute', 'constrain') or S.kind == 'if' and S.why != 'user' else []) + \
                [e for a, _ in found for e in a.args]
            self.deciding(deciding, lane)
            if S.kind == 'if' and S.why == 'user':
                self.watch_predicate(H, S, lane, to, written, box)
            if S.kind == 'assign':
                self.reaches(H, S, written)
        if S.kind == 'assign':
            self.one_cell(H, S)
        if S.kind == 'let' and S.origin is not None and not self.purity(S.var):
            self.empty_source(H, S)
        if S.kind == 'constrain' or S.kind == 'if' and S.why == 'implied':  # TGT.Constrain, TGT.Mon-Pieces
            self.constraint(H, S)

    def is_lost(self, E, g, cs):
        buffer = self.M.get(E.get(g))
        return join(*cs) is None and buffer is not None and inside(cs, buffer.box) and not holds(buffer, cs)

    def own(self, S):
        """own(S), and those of it that are addresses: left sides, bounds."""
        if S.kind == 'assign':
            return S.left + S.values, S.left
        if S.kind in ('allocate', 'compute'):
            bounds = [e for I in S.box for e in I]
            return bounds, bounds
        if S.kind == 'for':
            return list(S.interval), list(S.interval)
        if S.kind == 'let':
            return [S.value], [S.value]
        return ([S.condition], [] if S.kind == 'if' and S.why == 'user' else [S.condition]) if S.kind in ('if', 'assume', 'constrain') else ([], [])

    def cpu(self, H, f):
        known = H.known.get(f)
        return known and known.box

    def read_arms(self, g, cs, E):  # TGT.Read-Arms, TGT.Read-Out
        buffer = self.M.get(E.get(g))
        if join(*cs) is None and (buffer is None or not inside(cs, buffer.box)):
            self.sees(READ, g, cs)

    def deciding(self, es, lane):  # TGT.Mon-Undefined
        for e in es:
            if self.quietly(e, lane.E)[1]:
                self.sees(UNDEFINED)

    def watch_predicate(self, H, S, lane, to, written, box):  # TGT.Mon-Undefined
        c, u = self.quietly(S.condition, lane.E)
        if u and not outside(written, box):
            self.sees(UNDEFINED)
        if c is False:
            self.reaches(H, to, written)
            buffer = self.M.get(lane.E.get(to.func))
            if u and buffer is not None and not outside(written, buffer.box):
                for i in points(buffer.box):
                    if all(isinstance(w, Error) or w == i[d] for d, w in enumerate(written)):
                        for part in (buffer, *buffer.others):
                            part.cells[cell_of(buffer, i)] = (self.cell(part, i)[0], 1)

    def one_cell(self, H, S):  # TGT.Mon-Lanes
        seen = set()
        for lane in H.L:
            cs = tuple(self.quietly(e, lane.E)[0] for e in S.left)
            buffer = self.M.get(lane.E.get(S.func))
            if join(*cs) is not None:
                continue
            cs = cell_of(buffer, cs) if buffer else cs
            if cs in seen:
                self.sees(LANES)
            seen.add(cs)

    def constraint(self, H, S):  # TGT.Constrain
        for lane in H.L:
            if self.quietly(S.condition, lane.E)[0] is not True:
                self.sees(ERRS)

    def watch_window(self, H, f, i, in_box, u):
        if not self.watch:
            return
        if not in_box:  # TGT.Realize
            self.sees(READ, f, i)
        if outside(i, self.cpu(H, f)):  # TGT.Mon-Cpu
            self.sees(OUTSIDE_CPU, f, i)
        if u:  # TGT.Mon-Undefined
            self.sees(UNDEFINED, f, i)

    # -- what W remembers --
    def stage_of(self, S):
        """The number of the stage that the assignment S is."""
        if not self.numbers:
            self.number(self.Q.body, 0)
        return self.numbers[id(S)]

    def number(self, S, stage):
        if S.kind == 'label':
            stage = int(S.name.rsplit('.s', 1)[1]) if '.s' in S.name and S.name.rsplit('.s', 1)[1].isdigit() else stage
        if S.kind == 'assign':
            self.numbers[id(S)] = stage
        if S.kind in ('for', 'let'):
            self.loops[S.var] = S
        for below in S.parts if S.kind == 'seq' else [b for b in (getattr(S, 'body', None), getattr(S, 'other', None)) if b]:
            self.number(below, stage)

    def purity(self, x):
        """Whether a loop is marked pure; of a let its first source is."""
        if not self.loops:
            self.number(self.Q.body, 0)
        S = self.loops.get(x)
        if S is None:
            return False
        return S.pure if S.kind == 'for' else S.origin is not None and self.purity(S.origin.sources[0])

    def pure_dimensions(self, S):
        stage = self.stage_of(S)
        return [d for d, e in enumerate(S.left) if stage == 0 or e.kind == 'var' and self.purity(e.name)]

    def reaches(self, H, S, written):
        """The assignment S reaches what it writes, or would have."""
        known = H.known.get(S.func)
        if known is None or S.func not in H.known:
            return
        pure = self.pure_dimensions(S)
        at = tuple(written[d] for d in pure)
        if join(*at) is None and inside(at, [known.box[d] for d in pure]):
            known.reached.setdefault(self.stage_of(S), set()).add(at)

    def skips(self, H, x):
        f, stage = re.match(r'(\w+)(?:\.z\d+)?\.s(\d+)\.', x).groups()
        known = H.known.get(f)
        if known is not None:
            known.skipped[int(stage)] = True

    def empty_source(self, H, S):
        for lane in H.L:
            if self.quietly(S.origin.interval[1], lane.E)[0] == 0:
                self.skips(H, S.var)

    def left_out(self, H, X):  # TGT.Mon-Cover
        known = H.known.get(X.func)
        if known is None or any(n == 0 for _, n in known.box):
            return
        if not self.numbers:
            self.number(self.Q.body, 0)
        for S in self.assignments(X.body):
            if S.func == X.func:
                stage = self.stage_of(S)
                sides = [known.box[d] for d in self.pure_dimensions(S)]
                if known.reached.get(stage, set()) != set(points(sides)) and not known.skipped.get(stage):
                    self.sees(LEFT_OUT, X.func, stage)

    def assignments(self, S):
        if S.kind == 'assign':
            yield S
        for below in S.parts if S.kind == 'seq' else [b for b in (getattr(S, 'body', None), getattr(S, 'other', None)) if b]:
            yield from self.assignments(below)

    def touch(self, l, i, path, is_store):  # TGT.Mon-Race
        if not self.watch:
            return
        i = cell_of(self.M[l], i)
        writer, reader = self.touched.get((l, i), (None, None))
        if meets(writer, path) or is_store and meets(reader, path):
            self.sees(RACE, i)
        if is_store:
            writer = path
        elif not meets(reader, path):
            reader = path
        self.touched[l, i] = writer, reader


def point(S):
    """The assignment that S is, or that a predicate stands around."""
    while S.kind == 'if' and S.why == 'user':
        S = S.body
    return S if S.kind == 'assign' else None


def outside(c, B):
    if B is None or any(n <= 0 for _, n in B):
        return True
    return any(not isinstance(x, Error) and not (m <= x and x - m < n) for x, (m, n) in zip(c, B))


def meets(k, other):
    """Two lists of iterations that are equal up to some place and have there one frame with two iterations."""
    if k is None or other is None:
        return False
    for (X, i), (Y, j) in zip(k, other):
        if X is not Y:
            return False
        if i != j:
            return True
    return False
