#!/usr/bin/env python3
"""Section 6 of the specification (semantics/rules/6_holes_and_bounds.md), implemented a second time: reads a filled target
program and lists what it owes and what it believes.

second_reader.py HALYARD [PROGRAM...]   compares with "halyard show PROGRAM --stage query": rule, number, goal and facts of every obligation,
                                        as formulas, by their values at points that are the same in every run; those of B.Fits that
                                        numeric ranges show are not printed, so of them the place in the list. Of an algorithm also
                                        entry(P), with "--stage lowered". A PROGRAM is one word: a .tgt, or "A.alg S.sched:NAME".
                                        Without one: those of apps/, of golden/, and what negative/ has for B.Defined, B.Fits and B.Value.

Left out: programs with ways back "by given", with an index that may err, and where two iterations are compared. What is left out is said.
"""
import functools
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'second'))
from second_words import LEVELS, Words

TOKEN = re.compile(r'\s*(?://[^\n]*\n\s*)*(?:(\d+\.\d(?:[\w+-]|\.(?!\.))*|\d+\w*)|([A-Za-z_][\w.]*)|(<-|<=|>=|==|!=|&&|\|\||<<|>>|.))', re.S)


class Reader(Words):
    def __init__(self, text):
        self.tokens, self.at = [], 0
        text = re.sub(r'//[^\n]*', '', text)
        for m in TOKEN.finditer(text):
            t = m.group(1) or m.group(2) or m.group(3)
            if t and t.strip():
                self.tokens.append(t)
        self.funcs, self.images, self.types, self.folds, self.keeps = {}, {}, {}, {}, {}
        self.lets = {}  # in scope: name to value

    # -- expressions: ('num', n) ('var', name) ('op', o, args) ('load', f, args) --
    def expr(self, level=0):
        if level == len(LEVELS):
            return self.unary()
        e = self.expr(level + 1)
        while self.peek() in LEVELS[level]:
            o = self.next()
            e = ('op', o, (e, self.expr(level + 1)))
        return e

    def unary(self):
        if self.accept('-'):
            e = self.unary()
            return ('num', -e[1]) if e[0] == 'num' else ('op', '-', (('num', 0), e))
        if self.accept('?'):  # a hole: a variable, in entry(P)
            name, depth = '?' + self.next() + self.next('('), 1
            while depth:
                w = self.next()
                depth += (w == '(') - (w == ')')
                name += w
            return ('var', name)
        if self.accept('~'):
            return ('op', '~', (self.unary(),))
        if self.accept('!'):
            return ('op', '!', (self.unary(),))
        if self.accept('('):
            e = self.expr()
            self.next(')')
            return e
        if self.accept('let'):
            return self.let()
        t = self.next()
        if t in self.lets:
            return self.lets[t]
        if t[0].isdigit():
            return ('num', int(re.match(r'\d+', t).group(0)) if '.' not in t else 0)
        if t in ('true', 'false'):
            return ('num', int(t == 'true'))
        if self.peek() == '(':
            self.next()
            args = [self.expr()] if self.peek() != ')' else []
            while self.accept(','):
                args.append(self.expr())
            self.next(')')
            base = t.rsplit('.', 1)[0]
            if t.endswith(('.min', '.len')) and base in self.images:
                return ('var', '%s(%d)' % (t, args[0][1]))
            if t in self.funcs or t in self.images:
                return ('load', t, tuple(args))
            if t == 'clamp':
                return ('op', 'max', (('op', 'min', (args[0], args[2])), args[1]))
            return ('op', t, tuple(args))
        return ('var', t)

    def let(self):
        name = self.next()
        self.next('=')
        value = self.expr()
        self.next('in')
        before, self.lets = self.lets, {**self.lets, name: value}
        out = self.expr()
        self.lets = before
        return out

    def pair(self):
        self.next('(')
        m = self.expr()
        self.next(',')
        n = self.expr()
        self.next(')')
        return (m, n)

    def box(self):
        self.next('[')
        out = []
        while self.peek() != ']':
            out.append(self.pair())
            self.accept(',')
        self.next(']')
        return out

    # -- statements --
    def program(self):
        self.next('target')
        self.next()
        self.next('(')
        while not self.accept(')'):
            name = self.next()
            self.next(':')
            kind = self.next()
            if self.accept('['):
                self.images[name] = int(self.next())
                self.next(']')
            self.types[name] = kind
            self.accept(',')
        self.next('on')
        self.outputs = {}
        while not self.outputs or self.accept(','):
            dims = self.outputs[self.next()] = []
            self.next('(')
            while not self.accept(')'):
                dims.append(self.next())
                self.accept(',')
        self.next('{')
        while self.accept('func'):
            name = self.next()
            self.next('(')
            dims = []
            while not self.accept(')'):
                dims.append(self.next())
                self.accept(',')
            self.next(':')
            if self.peek() == '(':
                raise NotImplementedError('tuples')
            self.types[name] = self.next()
            self.next('stages')
            self.next()
            self.next(';')
            self.funcs[name] = dims
        self.skip_buffers()
        self.entry = []
        if self.accept('entry'):
            self.next('{')
            while not self.accept('}'):
                self.entry.append(self.statement())
        body = []
        while not self.accept('}'):
            body.append(self.statement())
        return ('seq', body, True)

    def block(self):
        self.next('{')
        body = []
        while not self.accept('}'):
            body.append(self.statement())
        return body[0] if len(body) == 1 else ('seq', body, False)

    def body(self):
        return self.block() if self.peek() == '{' else self.statement()

    def statement(self):
        t = self.next()
        if t in ('assume', 'constrain'):
            why = t if t == 'constrain' else self.next()
            if t == 'constrain':
                self.next()
            elif self.accept('('):
                self.next()
                self.next(')')
            self.next(':')
            p = self.expr()
            self.next(';')
            return (t, why, p)
        if t == 'nop':
            self.next(';')
            return ('nop',)
        if t == 'label':
            name = self.next()
            self.next(':')
            return ('label', name, self.body())
        if t == 'allocate':
            f = self.next()
            b = self.box()
            folds = [None for _ in self.funcs[f]]
            while self.peek() in ('order', 'align', 'fold'):  # where cells lie owes nothing
                word = self.next()
                self.next('(')
                d = self.next()
                if word == 'fold':
                    self.next(',')
                    folds[self.funcs[f].index(d)] = num(int(self.next()))
                while self.next() != ')':
                    pass
            self.folds[f] = folds
            if self.accept('in'):
                self.next()
            self.next(';')
            return ('allocate', f, b)
        if t == 'compute':
            f = self.next()
            self.next('on')
            b = self.box()
            if self.accept('keeping'):
                self.keeps[f] = self.next()
            return ('compute', f, b, self.block())
        if t == 'for':
            pure, how = True, 'serial'
            while self.peek() in ('rdom', 'parallel', 'vectorized', 'unrolled', 'serial'):
                w = self.next()
                pure, how = (False, how) if w == 'rdom' else (pure, w)
            x = self.next()
            self.next('in')
            i = self.pair()
            piece = ((self.next(), self.pair()),) if self.accept('of') else ()
            return ('for', x, pure, how, i, self.body()) + piece
        if t == 'let':
            x = self.next()
            self.next('=')
            e = self.expr()
            origin = None
            if self.accept('by'):
                kind = self.next()
                if kind == 'split':
                    tail = self.next()
                    self.next('(')
                    a = self.next(); self.next(',')
                    b = self.next(); self.next(',')
                    q = self.expr(); self.next(',')
                    origin = ('split', tail, a, b, q, self.pair())
                    self.next(')')
                elif kind == 'fuse':
                    half = self.next()
                    self.next('(')
                    a = self.next(); self.next(',')
                    q = self.expr(); self.next(',')
                    origin = ('fuse', half, a, None, q, self.pair())
                    self.next(')')
                else:
                    raise NotImplementedError('by ' + kind)
            self.next('in')
            return ('let', x, e, origin, self.body())
        if t == 'if':
            why = self.next() if self.peek() in ('guard', 'implied', 'specialize') else 'user'
            p = self.expr()
            yes = self.body()
            no = self.body() if self.accept('else') else None
            return ('if', why, p, yes, no)
        f = t
        self.next('(')
        e = []
        while not self.accept(')'):
            e.append(self.expr())
            self.accept(',')
        self.next('<-')
        r = self.expr()
        self.next(';')
        return ('assign', f, tuple(e), r)


# -- pieces: B.Pieces --

def run(items):
    """How many of the statements, from the first on, are pieces of one loop."""
    k = 0
    while k < len(items) and items[k][0] == 'for' and len(items[k]) == 7 and items[k][6][0] == items[0][6][0]:
        k += 1
    return k


def whole(s):
    """The program that the pieces are of."""
    if s[0] == 'seq':
        out, k = [], 0
        while k < len(s[1]):
            out.append(whole(s[1][k]))
            k += max(1, run(s[1][k:]))
        return out[0] if len(out) == 1 else ('seq', out, s[2])
    if s[0] == 'for':
        of, interval = s[6] if len(s) == 7 else (s[1], s[4])
        return ('for', of) + s[2:4] + (interval, whole(s[5]))
    if s[0] == 'if':
        return ('if', 'guard' if s[1] == 'implied' else s[1], s[2], whole(s[3]), whole(s[4]) if s[4] else None)
    return s[:-1] + (whole(s[-1]),) if s[0] in ('label', 'compute', 'let') else s


def op(o, *args):
    return ('op', o, args)


def num(n):
    return ('num', n)


def end(i):
    return op('+', i[0], i[1])


def loads(e, inside=False, out=None):
    """Every access, outermost last, and whether it stands in an index."""
    out = [] if out is None else out
    if e[0] == 'load':
        for a in e[2]:
            loads(a, True, out)
        out.append((e, inside))
    elif e[0] == 'op':
        for a in e[2]:
            loads(a, inside, out)
    return out


def mentions(e, x):
    return e == ('var', x) or (e[0] in ('op', 'load') and any(mentions(a, x) for a in e[2]))


def substitute(e, x, by):
    if e == ('var', x):
        return by
    return (e[0], e[1], tuple(substitute(a, x, by) for a in e[2])) if e[0] in ('op', 'load') else e


FLOATS = ('f32', 'f64', 'f16', 'bf16')
NUMBERS = ('int', 'u8', 'u16', 'u32', 'u64', 'i8', 'i16', 'i32', 'i64')
INT = (-2**63, 2**63 - 1)
BITS = {'u8': (0, 255), 'u16': (0, 65535), 'i8': (-128, 127), 'i16': (-32768, 32767), 'u32': (0, 2**32 - 1), 'i32': (-2**31, 2**31 - 1), 'bool': (0, 1)}


TRUE, FAR = num(1), 2**100


def clip(n):
    return max(-FAR, min(FAR, n))


def hull(ends):
    return (min(ends), max(ends))


COUNTS = ('popcount', 'count_leading_zeros', 'count_trailing_zeros')
WORDS = ('&', '|', '^', '<<', '>>') + COUNTS


def ones(n):
    """The least 2^k - 1 that is n or more."""
    return 2**n.bit_length() - 1 if n > 0 else 0


class Ranges:
    """"Numeric ranges" of section 6: between which numbers an expression lies, and what the ranges do not rule out."""

    def __init__(self, r, values=None):
        self.r, self.vars, self.values, self.known = r, {}, {} if values is None else values, {}

    def type(self, e):
        """Of an expression; None of a literal, which takes its type from beside it."""
        if e[0] == 'num':
            return None
        if e[0] == 'var':
            return self.r.types.get(e[1], 'int') if e[1] not in self.r.funcs and e[1] not in self.r.images else 'int'
        if e[0] == 'load':
            return self.r.types[e[1]]
        o, args = e[1], e[2]
        if o in ('<', '<=', '>', '>=', '==', '!=', '&&', '||', '!'):
            return 'bool'
        if o in NUMBERS + ('bool',) + FLOATS:
            return o
        return next((t for t in map(self.type, args[1:] if o == 'select' else args) if t), None)

    def of_type(self, t):
        return {'int': INT, 'i64': INT, 'u64': (0, 2**64 - 1)}.get(t) or BITS.get(t) or (-FAR, FAR)

    def of(self, e):
        if e not in self.known:
            out, t = self.raw(e), self.type(e) or 'int'
            own = self.of_type(t)
            if t != 'int' and (out[0] < own[0] or out[1] > own[1]):
                out = own
            self.known[e] = out
        return self.known[e]

    def raw(self, e):
        if e[0] == 'num':
            return (e[1], e[1])
        if e[0] == 'var':
            return self.vars.get(e[1]) or self.of_type(self.type(e))
        if e[0] == 'load':
            return self.values.get(e[1]) or self.of_type(self.r.types[e[1]])
        o = e[1]
        floats = [self.type(a) in FLOATS for a in e[2]]
        v = [(-FAR, FAR) if f else self.of(a) for a, f in zip(e[2], floats)]
        (a, b), (c, d) = v[0], v[1] if len(v) > 1 else (0, 0)
        if o == '+': return (clip(a + c), clip(b + d))
        if o == '-': return (clip(a - d), clip(b - c))
        if o == '*': return hull([clip(x * y) for x in (a, b) for y in (c, d)])
        if o == '/':
            if c >= 1: return hull([x // y for x in (a, b) for y in (c, d)])
            size = max(b, -a, 0)
            return (-size, size)
        if o == '%':
            return (a, b) if a >= 0 and c >= 1 and b < c else (0, max(d, -c, 1) - 1)
        if o == 'min': return (min(a, c), min(b, d))
        if o == 'max': return (max(a, c), max(b, d))
        if o == 'abs': return (a if a > 0 else -b if b < 0 else 0, max(b, -a))
        if o == 'select': return hull([*v[1], *v[2]])
        if o == 'int': return (max(a, INT[0]), min(b, INT[1]))
        if o in NUMBERS + ('bool',) + FLOATS: return (a, b)
        if o in TRUTHS: return (0, 1)
        if o in COUNTS: return (0, int((self.type(e) or 'i64').replace('int', 'i64')[1:]))
        if o in ('&', '|', '^', '~'): return self.bits(o, self.type(e) or 'int', v)
        if o == '<<' and c >= 0 and d <= 63: return hull([clip(x * y) for x in (a, b) for y in (2**c, 2**d)])
        if o == '>>' and c >= 0 and d <= 63:
            return (min(a >> c, a >> d), max(b >> c, b >> d))
        return (-FAR, FAR)

    def bits(self, o, t, v):
        if t == 'int':
            v = [(a, b) if INT[0] <= a and b <= INT[1] else INT for a, b in v]
        if o == '~':
            top = self.of_type(t)[1] if t[0] == 'u' else -1
            return (top - v[0][1], top - v[0][0])
        (a, b), (c, d) = v
        if o == '&' and a < 0 and c < 0:
            low, high = self.bits('|', t, [(-1 - y, -1 - x) for x, y in v])
            return (-1 - high, -1 - low)
        if o == '&': return (0, d if a < 0 else b if c < 0 else min(b, d))
        if a >= 0 and c >= 0: return (max(a, c) if o == '|' else 0, min(ones(max(b, d)), b + d))
        if o == '|': return (min(a, c), -1 if b < 0 or d < 0 else ones(max(b, d)))
        k = ones(max(b, d, -1 - a, -1 - c))
        return (0 if b < 0 and d < 0 else -1 - k, -1 if b < 0 <= c or d < 0 <= a else k)

    def own_risks(self, e):
        """What may go wrong at the node itself: (what, what has to hold)."""
        if e[0] != 'op' or self.type(e) not in NUMBERS + (None,):
            return []
        o, out = e[1], []
        if o in NUMBERS + ('bool',) + FLOATS:
            wide = o == 'int' and self.type(e[2][0]) == 'u64' and self.of(e[2][0])[1] > INT[1]
            return [('cast', op('<=', e[2][0], num(INT[1])))] if wide else []
        if o in ('/', '%') and not (e[2][1][0] == 'num' and e[2][1][1]):
            out.append(('divisor', op('!=', e[2][1], num(0))))
        low, high = self.of(e)
        if (self.type(e) or 'int') == 'int' and o not in ('select', 'min', 'max') and (low < INT[0] or high > INT[1]):
            out.append(('width', op('&&', op('>=', e, num(INT[0])), op('<=', e, num(INT[1])))))
        return out

    def total(self, e):
        return not self.own_risks(e) and (e[0] not in ('op', 'load') or all(self.total(a) for a in e[2]))

    def risks(self, e):
        """B.Defined and B.Fits: (what, what has to hold, under which guard), inner nodes first; the arms of choices after all else."""
        out, certain, arms = [], [], []

        def walk(n, guard, here):
            if self.total(n) or n in certain or n in here:
                return
            here.append(n)
            args = n[2] if n[0] in ('op', 'load') else ()
            if n[0] == 'op' and n[1] in ('select', '&&', '||'):
                walk(args[0], guard, here)
                for k, arm in enumerate(args[1:]):
                    if not self.total(arm):
                        p = op('!', args[0]) if n[1] == '||' or k == 1 else args[0]
                        arms.append((arm, p if guard == TRUE else op('&&', guard, p)))
                return
            for a in args:
                walk(a, guard, here)
            out.extend((what, own, guard) for what, own in self.own_risks(n))
        first = []
        walk(e, TRUE, first)
        certain.extend(first)
        while arms:
            arm, guard = arms.pop(0)
            walk(arm, guard, [])
        return [(what, own if guard == TRUE else op('||', op('!', guard), own)) for what, own, guard in out]

    def loop(self, x, i):
        (a, b), (_, d) = self.of(i[0]), self.of(i[1])
        self.vars[x] = (a, max(clip(b + d - 1), a))

    def assume(self, p):
        if p[0] != 'op' or len(p[2]) != 2:
            return
        o, (a, b) = p[1], p[2]
        if o == '&&':
            self.assume(a)
            self.assume(b)
        elif self.variable(b) and a[0] == 'num':
            self.cut({'<': '>', '<=': '>=', '>': '<', '>=': '<='}.get(o, o), self.variable(b), a[1])
        elif self.variable(a) and b[0] == 'num':
            self.cut(o, self.variable(a), b[1])

    def variable(self, e):
        """The whole number that a side of a comparison of ints is, itself or as int(x)."""
        if e[0] not in ('var', 'op') or self.type(e) != 'int':
            return None
        if e[0] == 'op' and e[1] == 'int' and self.type(e[2][0]) in NUMBERS:
            e = e[2][0]
        return e if e[0] == 'var' and e[1] not in self.r.funcs else None

    def cut(self, o, x, c):
        low, high = self.raw(x)
        if o in ('<', '<=', '=='):
            high = min(high, c - (o == '<'))
        if o in ('>', '>=', '=='):
            low = max(low, c + (o == '>'))
        if low <= high:
            self.vars[x[1]] = (low, high)


OWN = ('own',)


class Values:
    """values(f) of B.Value: which funcs form an address, and between which numbers their values lie."""

    def __init__(self, r, body):
        self.r, self.values, self.assigns, self.marked = r, {}, [], set()
        self.times, self.counted, self.ends, self.bound = [], {}, {}, {}
        self.ranges = Ranges(r, self.values)
        for s in r.entry:
            if s[1] in ('range', 'parameter'):
                self.ranges.assume(s[2])
        self.collect(body)
        for _, f, e, right in self.assigns:
            self.marked |= {a[1] for q in e for a, _ in loads(q)} | {a[1] for a, inside in loads(right) if inside}
        before = None
        while before != self.marked:
            before = set(self.marked)
            for _, f, _, right in self.assigns:
                self.marked |= {a[1] for a, _ in loads(right)} if f in self.marked else set()
        for f in r.funcs:  # as they are declared, producers first
            if f in self.marked and r.types[f] in NUMBERS and r.types[f] != 'u64':
                self.settle(f)
                if f not in self.values:
                    self.count(f)
                for upper in (False, True):
                    end = self.end_of(f, upper)
                    if end is not None:
                        self.ends[f, upper] = end

    def collect(self, s, stage=0, path=()):
        if s[0] == 'label' and re.search(r'\.s\d+$', s[1]):
            stage = int(s[1].rsplit('.s', 1)[1])
        if s[0] == 'for':
            self.ranges.loop(s[1], s[4])
            self.bound[s[1]] = s[4]
        if s[0] == 'let':
            self.ranges.vars[s[1]] = self.ranges.of(s[2])
            self.bound[s[1]] = None
        if s[0] == 'assign':
            self.assigns.append((stage,) + s[1:])
            top = max((i for i, c in enumerate(path) if c[0] == 'compute' and c[1] == s[1]), default=None)
            self.times.append(FAR if top is None or not stage else self.runs(path[top + 1:], s[2]))
        if s[0] == 'if':
            self.marked |= {a[1] for a, inside in loads(s[2]) if inside}
        for c in (s[1] if s[0] == 'seq' else s):
            if isinstance(c, tuple) and c and isinstance(c[0], str) and c[0] in ('seq', 'label', 'for', 'let', 'if', 'assign', 'compute'):
                self.collect(c, stage, path + (s,))

    def runs(self, chain, e):
        """How many iterations of the loops around it write one point at most: what stands at each of the roots, the
        variables that no other is made of, but those that are coordinates."""
        binders = {c[1]: c for c in chain if c[0] in ('for', 'let')}
        lets = [c for c in chain if c[0] == 'let' and c[3]]
        made = {x for c in lets for x in (c[3][2], c[3][3]) if isinstance(x, str) and c[3][0] in ('split', 'fuse')}
        coordinates = {c[1] for c in e if c[0] == 'var'}

        def most(n):
            high = self.ranges.of(n)[1]
            return max(high, 0) if high < 2**30 else FAR

        def size(x, is_root):
            c = binders[x]
            if c[0] == 'for':
                return 1 if is_root and x in coordinates else most(c[4][1])
            kind, tail, outer, inner, q, (m, n) = c[3]
            if kind == 'split' and tail == 'shift':                            # some come twice
                return size(outer, False) * size(inner, False)
            if is_root and x in coordinates:
                return 1
            if kind == 'split':
                end_of = num(m[1] + n[1]) if m[0] == n[0] == 'num' else n if m == num(0) else op('+', m, n)
                exact = q[0] == n[0] == 'num' and n[1] % q[1] == 0
                guarded = exact or any(g[0] == 'if' and g[1] == 'guard' and g[2] == op('<', ('var', x), end_of) for g in chain)
                both = size(outer, False) * size(inner, False)
                return min(both, most(n)) if guarded else both
            if kind == 'fuse':
                return most(n)
            raise NotImplementedError('how often a let of another relation')
        out = 1
        for c in chain:
            if (c[0] == 'for' or c in lets) and c[1] not in made:
                out *= size(c[1], True)
        return min(out, FAR)

    def steps(self, f, e, right):
        """The amounts that an update adds, and by how much it changes its point at once; None: it does more than that."""
        reads = lambda x: any(a[1] == f for a, _ in loads(x))
        if right == ('load', f, tuple(e)) and not any(reads(c) for c in e):
            return [], (0, 0)
        if right[0] != 'op' or right[1] not in ('+', '-', 'select'):
            return None
        args = right[2]
        if right[1] == 'select':
            a, b = self.steps(f, e, args[1]), self.steps(f, e, args[2])
            return None if reads(args[0]) or not a or not b else (a[0] + b[0], hull([*a[1], *b[1]]))
        own, other = reversed(args) if right[1] == '+' and not reads(args[0]) else args
        so_far = None if reads(other) else self.steps(f, e, own)
        if not so_far:
            return None
        low, high = self.ranges.of(other)
        amount, low, high = (low, high), min(low, 0), max(high, 0)
        if right[1] == '-':
            low, high = -high, -low
        return so_far[0] + [(other, amount)], (so_far[1][0] + low, so_far[1][1] + high)

    def count(self, f):
        """What no induction bounds: what stages store, and what the others add as often as a point has them."""
        base, changes, own = [], {}, self.ranges.of_type(self.r.types[f])
        for (stage, g, e, right), times in zip(self.assigns, self.times):
            if g != f:
                continue
            step = self.steps(f, e, right) if stage else None
            if step:
                changes.setdefault(stage, [0]).extend(clip(times * k) for k in step[1])
            elif any(a[1] == f for a, _ in loads(right)):
                return
            else:
                base.extend(self.ranges.of(right))
        if not changes:
            return
        ends = (min(base) + sum(min(c) for c in changes.values()), max(base) + sum(max(c) for c in changes.values()))
        if own[0] <= ends[0] and ends[1] <= own[1] and ends != own:
            self.values[f], self.counted[f] = ends, hull(base)
        self.ranges.known = {}

    def at_entry(self, e):
        names = lambda e: {e[1]} if e[0] == 'var' else set().union(*map(names, e[2])) if e[0] == 'op' else set()
        return not any(True for _ in loads(e)) and not names(e) & set(self.bound) and self.ranges.total(e)

    def end(self, f, e, upper):
        """high(e), or low(e), of B.Value: None, it has none; OWN, that of f's values."""
        r = self.ranges

        def joined(o, a, b):
            return a if a == b else num((max if o == 'max' else min)(a[1], b[1])) if a[0] == b[0] == 'num' else op(o, a, b)

        def by_number():
            end = r.of(e)[upper]
            return num(end) if abs(end) < 2**31 - 1 else None
        t = r.type(e) or 'int'
        if t not in NUMBERS or t == 'u64':
            return None
        if self.at_entry(e):
            return by_number() if r.of(e)[0] == r.of(e)[1] else e if t == 'int' else op('int', e)
        if e[0] == 'var':
            m, n = self.bound.get(e[1]) or (None, None)
            end = m and (op('-', op('+', m, n), num(1)) if upper else m)
            return end if end and self.at_entry(end) and r.of(end)[0] != r.of(end)[1] else by_number()
        if e[0] == 'load':
            return OWN if e[1] == f else self.ends.get((e[1], upper)) or by_number()
        if e[1] in ('min', 'max', 'select'):
            a, b = (self.end(f, x, upper) for x in e[2][-2:])
            if e[1] == 'select' or (e[1] == 'max') == upper:
                return None if a is None or b is None else b if a is OWN else a if b is OWN else joined('max' if upper else 'min', a, b)
            return b if a is None else a if b is None else OWN if OWN in (a, b) else joined(e[1], a, b)
        if e[1] in NUMBERS and (r.type(e[2][0]) or 'int') in NUMBERS and r.type(e[2][0]) != 'u64':
            least, most, of = *r.of_type(e[1]), r.of(e[2][0])
            if least <= of[0] and of[1] <= most:
                return self.end(f, e[2][0], upper)
        return by_number()

    def end_of(self, f, upper):
        nodes = lambda e: 1 + sum(map(nodes, e[2])) if e[0] in ('op', 'load') else 1
        out = OWN
        for _, g, _, right in self.assigns:
            if g == f and out is not None:
                end = self.end(f, right, upper)
                if OWN in (out, end):
                    out = end if out is OWN else out
                elif end is None:
                    out = None
                elif end != out:
                    o = 'max' if upper else 'min'
                    out = num(max(out[1], end[1]) if upper else min(out[1], end[1])) if out[0] == end[0] == 'num' else op(o, out, end)
        return out if out and out is not OWN and out[0] != 'num' and nodes(out) <= 32 else None

    def stored(self, f, updates):
        out = []
        for stage, g, _, right in self.assigns:
            if g == f and (updates or stage == 0):
                if not self.ranges.total(right):
                    raise NotImplementedError('values that may err')
                out.extend(self.ranges.of(right))
        return hull(out)

    def settle(self, f):
        pure = now = self.stored(f, False)
        own = self.ranges.of_type(self.r.types[f])
        for last in range(7):
            self.values[f] = now
            self.ranges.known = {}
            more = self.stored(f, True)
            settled = now[0] <= more[0] and more[1] <= now[1]
            if settled and last == 4:
                self.values[f] = hull([*pure, *more])
            if settled:
                break
            if last < 3:
                now = hull([*now, *more])
            elif last == 3:                                                    # what goes on leaps, and comes back
                now = (max(own[0], -2**33) if more[0] < now[0] else now[0], min(own[1], 2**33) if more[1] > now[1] else now[1])
            elif last == 4:
                now = hull([*pure, *more])
            else:
                del self.values[f]
                break
        if f in self.values and self.values[f][0] <= own[0] and own[1] <= self.values[f][1]:
            del self.values[f]
        self.ranges.known = {}


STATEMENTS = ('seq', 'label', 'for', 'let', 'if', 'compute', 'assign')


class Walk:
    def __init__(self, r, in_pieces):
        body = whole(in_pieces)
        self.r, self.N, self.mem, self.cpu, self.path, self.at, self.owed = r, [], {}, {}, [], [], []
        self.all_values = Values(r, body)
        self.values = self.all_values.values
        self.ranges, self.widths, self.fitting = Ranges(r, self.values), [], []
        for name, rank in r.images.items():
            self.mem[name] = [(('var', '%s.min(%d)' % (name, d)), ('var', '%s.len(%d)' % (name, d))) for d in range(rank)]
        for m, n in windows(r.outputs)[0] if len(r.outputs) == 1 else []:       # B.Pipeline
            self.N.append(op('>=', n, num(1)))
        for s in r.entry:
            self.ranges.assume(s[2])
            for p in self.parts(s[2]):
                wide = any(a[0] == 'num' and abs(a[1]) == 2**31 for a in p[2]) or \
                    any(a[0] == 'op' and a[1] == '-' and a[2] == (num(0), num(2**31)) for a in p[2])
                if s[1] != 'range' or not wide or self.is_far(body):
                    self.N.extend(self.checked(p))
                else:
                    self.widths.append(p)
        entry = len(self.N)
        self.walk(body)
        for f, window in zip(r.outputs, windows(r.outputs)):
            self.inside('B.Window', window, self.cpu.get(f))
        del self.N[entry:], self.fitting[:]
        if body != in_pieces:
            self.pieces(in_pieces)

    # -- B.Pieces: a walk of its own, that owes nothing else --

    def know_loop(self, x, i):
        self.ranges.loop(x, i)
        self.N += [op('<=', i[0], ('var', x)), op('<', ('var', x), end(i))]

    def know_let(self, s):
        self.ranges.vars[s[1]] = self.ranges.of(s[2])
        self.N.append(op('==', ('var', s[1]), s[2]))

    def pieces(self, s):
        keep = len(self.N)
        k = s[0]
        if k == 'seq':
            items = list(s[1])
            while items:
                n = run(items)
                self.run_of(items[:n]) if n else self.pieces(items[0])
                del items[:max(1, n)]
        elif k == 'label':
            self.pieces(s[2])
        elif k == 'allocate':
            for i in s[2]:
                self.words(i)
        elif k == 'compute':
            for i in s[2]:
                self.words(i)
            self.N += [op('>=', i[1], num(0)) for i in s[2]]
            self.pieces(s[3])
        elif k == 'assume':
            self.N.extend(self.checked(s[2]))
        elif k == 'for' and len(s) == 7:
            self.run_of([s])
        elif k == 'for':
            self.words(s[4])
            self.know_loop(s[1], s[4])
            self.pieces(s[5])
            del self.N[keep:]
        elif k == 'let':
            self.know_let(s)
            self.pieces(s[4])
            del self.N[keep:]
        elif k == 'if':
            _, why, p, yes, no = s
            if why == 'implied':
                self.owe('B.Pieces', p)
            if not loads(p):
                self.N.extend(self.checked(p) if why == 'specialize' else self.hit(p) if why == 'user' else [p])
            self.pieces(yes)
            del self.N[keep:]
            if no:
                self.N.extend(self.denied(p))
                self.pieces(no)
                del self.N[keep:]

    def run_of(self, items):
        keep, fitting = len(self.N), len(self.fitting)
        of, interval = items[0][6]
        before = interval[0]
        for s in items:
            self.words(s[4])
            self.range(s[4])
            self.between(items[0], before, s[4][0])
            before = self.sum(s[4])
        self.between(items[0], before, self.sum(interval))
        for s in items:
            inside, fits = len(self.N), len(self.fitting)
            self.know_loop(s[1], s[4])
            self.pieces(s[5])
            del self.N[inside:], self.fitting[fits:]
        del self.N[keep:], self.fitting[fitting:]

    def between(self, first, before, after):
        """One piece has ended, the next begins; iterations between them assign nothing."""
        if before == after:
            return
        keep = len(self.N)
        of, interval = first[6]
        self.owe('B.Pieces', op('<=', before, after))
        self.ranges.loop(of, interval)
        self.N += [op('<=', before, ('var', of)), op('<', ('var', of), after)]
        self.way(whole(first[5]), of)
        self.owe('B.Pieces', num(0))
        del self.N[keep:]

    def way(self, s, of):
        if s[0] == 'for' and (s[2] or s[4][1][0] == 'num' and s[4][1][1] >= 1):
            self.know_loop(s[1], s[4])
        if s[0] == 'let':
            self.know_let(s)
        if s[0] == 'if' and s[1] == 'guard':
            self.N.append(s[2])
        for c in s[1] if s[0] == 'seq' else [c for c in s if isinstance(c, tuple) and c and c[0] in STATEMENTS]:
            if self.assigns(c, of):
                return self.way(c, of)

    def assigns(self, s, of):
        """Is the assignment of the stage that the loop is of in it?"""
        if s[0] == 'compute':
            return of.startswith(s[1] + '.') and self.assigns(s[3], of)
        if s[0] == 'assign':
            return of.startswith(s[1] + '.')
        return any(self.assigns(c, of) for c in (s[1] if s[0] == 'seq' else s) if isinstance(c, tuple) and c and c[0] in STATEMENTS)

    def parts(self, p):
        return self.parts(p[2][0]) + self.parts(p[2][1]) if p[0] == 'op' and p[1] == '&&' else [p]

    def checked(self, p):
        return [q for part in self.parts(p) for q in [part] + self.defined(part)]

    def defined(self, p):
        """defined(p), as one fact; none where the ranges show it."""
        all_of = [own for _, own in self.ranges.risks(p)]
        while len(all_of) > 1:
            all_of[:2] = [op('&&', all_of[0], all_of[1])]
        return all_of

    def may_err(self, p):
        return not self.ranges.total(p)

    def is_far(self, s):
        def far(e):
            return e[1] >= 1 << 24 if e[0] == 'num' else e[0] in ('op', 'load') and any(far(a) for a in e[2])
        own = {'for': lambda: s[4], 'let': lambda: [s[2]], 'if': lambda: [s[2]], 'compute': lambda: [e for i in s[2] for e in i],
               'allocate': lambda: [e for i in s[2] for e in i]}.get(s[0], list)()
        return any(far(e) for e in own) or any(self.is_far(c) for c in (s[1] if s[0] == 'seq' else s) if isinstance(c, tuple) and c and
                                               c[0] in ('seq', 'label', 'for', 'let', 'if', 'compute', 'allocate'))

    def owe(self, rule, goal, more=()):
        self.owed.append((rule, tuple(self.N) + tuple(more), goal))

    def divides(self, e):                                                      # B.Defined
        for what, own in self.ranges.risks(e):
            if what != 'width':
                self.owe('B.Defined', own)

    def width(self, e):                                                        # B.Fits
        facts, risks = list(self.widths), [own for what, own in self.ranges.risks(e) if what == 'width']
        facts += self.fitting
        for own in risks:
            self.owe('B.Fits', own, tuple(facts))
            facts.append(own)
            self.fitting.append(own)
        if not risks:
            self.owe('B.Fits', None)  # true by ranges: a place in the list

    def words(self, i):
        """What is known of bits in the ends of an interval, before anything is owed of it."""
        def see(e):
            if e[0] == 'op':
                if e[1] in WORDS and self.ranges.total(e):
                    self.N.extend(self.word(e))
                for a in e[2]:
                    see(a)
        see(i[0])
        see(i[1])

    def range(self, i):
        self.divides(i[0])
        self.divides(i[1])
        self.width(self.sum(i))
        self.length(i[1])

    def sum(self, i):
        """The end of an interval; 0 added to anything is that."""
        return i[1] if i[0] == num(0) else i[0] if i[1] == num(0) else end(i)

    def length(self, n):
        if not (n[0] == 'num' and n[1] >= 0):
            self.owe('B.Length', op('>=', n, num(0)))

    def inside(self, rule, inner, outer):
        if outer is None:
            return self.owe(rule, num(0))
        more = [op('>=', n, num(1)) for _, n in inner]
        for a, b in zip(inner, outer):
            self.owe(rule, op('<=', b[0], a[0]), more)
            self.owe(rule, op('<=', end(a), end(b)), more)

    def below(self, s, child, keep):
        self.path.append(s)
        self.at.append(keep)
        self.walk(child)
        self.path.pop()
        self.at.pop()

    def walk(self, s):
        keep = len(self.N)
        k = s[0]
        if k == 'seq':
            for c in s[1]:
                self.below(s, c, keep)
            for c in s[1]:
                if c[0] == 'allocate' and not s[2]:
                    self.mem.pop(c[1], None)
                    self.cpu.pop(c[1], None)
        elif k == 'label':
            self.below(s, s[2], keep)
        elif k == 'allocate':
            for i in s[2]:
                self.words(i)
                self.range(i)
            self.mem[s[1]] = s[2]
        elif k == 'compute':
            for i in s[2]:
                self.words(i)
                self.range(i)
            self.inside('B.Inside', s[2], self.mem.get(s[1]))
            self.cpu[s[1]] = s[2]
            for i in s[2]:
                self.N.append(op('>=', i[1], num(0)))
            for i, n in zip(s[2], self.r.folds.get(s[1], ())):                 # B.Fold
                if n is not None:
                    self.owe('B.Fold', op('<=', i[1], n), [op('>=', j[1], num(1)) for j in s[2]])
            self.below(s, s[3], len(self.N))
        elif k == 'assume':
            self.N.extend(self.checked(s[2]))
        elif k == 'constrain':
            self.divides(s[2])
            self.width(s[2])
            for p in reversed(self.parts(s[2])):
                self.owe('B.Constrain', p)
        elif k == 'for':
            fitting = len(self.fitting)
            self.words(s[4])
            self.range(s[4])
            self.ranges.loop(s[1], s[4])
            self.N += [op('<=', s[4][0], ('var', s[1])), op('<', ('var', s[1]), end(s[4]))]
            self.below(s, s[5], keep)
            del self.N[keep:], self.fitting[fitting:]
        elif k == 'let':
            fitting = len(self.fitting)
            self.divides(s[2])
            self.width(s[2])
            self.ranges.vars[s[1]] = self.ranges.of(s[2])
            self.N.append(op('==', ('var', s[1]), s[2]))
            self.below(s, s[4], keep)
            del self.N[keep:], self.fitting[fitting:]
        elif k == 'if':
            self.branch(s, keep)
        elif k == 'assign':
            self.assign(s)

    def branch(self, s, keep):
        _, why, p, yes, no = s
        fitting = len(self.fitting)
        if why == 'guard':
            self.divides(p)
            self.width(p)
        if why == 'user' and loads(p):
            a = self.first(yes)
            self.accesses([p], a[1] if a else None, a[2] if a else (), yes)
        if not loads(p):
            self.N.extend([p] if why == 'guard' else self.checked(p) if why == 'specialize' else self.hit(p))
        self.below(s, yes, keep)
        del self.N[keep:], self.fitting[fitting:]
        if no:
            self.N.extend(self.denied(p))
            self.below(s, no, keep)
            del self.N[keep:], self.fitting[fitting:]

    def denied(self, p):
        if self.ranges.total(p):
            return [op('!', p)]
        return [op('||', op('!', q), op('!', p)) for q in self.defined(p)]

    def hit(self, p):
        if p[0] == 'op' and p[1] == '&&' and self.ranges.total(p[2][0]):
            return self.hit(p[2][0]) + self.hit(p[2][1])
        return [p] if self.ranges.total(p) else [op('||', op('!', q), p) for q in self.defined(p)]

    def first(self, s):
        if s[0] == 'assign':
            return s
        for c in (s[1] if s[0] == 'seq' else [c for c in s if isinstance(c, tuple) and c and isinstance(c[0], str) and c[0] in
                  ('seq', 'label', 'for', 'let', 'if', 'assign', 'compute')]):
            a = self.first(c)
            if a:
                return a
        return None

    def atoms(self, es):
        out = []

        def see(e):
            if e[0] == 'op' and e[1] in WORDS:
                out.extend(self.word(e))
            if e[0] == 'op' and e[1] in ('/', '%') and (self.ranges.type(e) or 'int') == 'int':
                out.extend(self.by_anything(e[1], e, *e[2]))
            is_int = e[0] == 'op' and e[1] == 'int' or e[0] == 'load' and self.r.types[e[1]] == 'int'
            if e[0] == 'load':
                for upper in (False, True):
                    end = self.all_values.ends.get((e[1], upper))
                    if end:
                        pair = (end, e if is_int else op('int', e))
                        out.append(op('<=', *pair[::-1 if upper else 1]))
            if is_int or e[0] == 'load' and e[1] in self.values:
                out.extend(self.ends(e, e if is_int else op('int', e)))
            if e[0] in ('op', 'load'):
                for a in e[2]:
                    see(a)
        for e in es:
            see(e)
        return out

    def by_anything(self, o, e, p, q):
        """Of a quotient or remainder by what may be less than 1."""
        if q[0] == 'num' or self.ranges.of(q)[0] >= 1:
            return []
        size = op('abs', p) if o == '/' else op('max', op('max', q, op('-', num(0), q)), num(1))
        least = op('-', num(0), size) if o == '/' else num(0)
        return [op('<=', least, e), op('<=' if o == '/' else '<', e, size)]

    def ends(self, e, e_int):
        low, high = self.ranges.of(e)
        return [op('>=', e_int, num(low)), op('<=', e_int, num(high))] if INT[0] <= low and high <= INT[1] else []

    def word(self, e):
        """The ends of an int of bits, and bits(e)."""
        ends = self.ends(e, e) if (self.ranges.type(e) or 'int') == 'int' else []
        more = self.beside(e, *e[2]) + self.beside(e, *e[2][::-1]) if ends and e[1] in ('&', '|', '^') else []
        return ends + more

    def beside(self, e, p, q):
        """bits(e), of its arguments in this order."""
        low, high = self.ranges.of(q)
        if e[1] == '&':
            least = op('+', op('+', p, q), num(1))
            return [op('<=', e, q)] if low >= 0 else [op('<=', least, e), op('<=', e, p)] if high < 0 else []
        least = p if e[1] == '|' else op('-', p, q)
        return [op('<=', least, e), op('<=', e, op('+', p, q))] if low >= 0 else []

    def accesses(self, es, f, point, below, left=()):
        """B.Mem, B.Cpu and B.Address. The left side's B.Mem comes between its widths and theirs."""
        seen, addresses = [], set()
        for e in left:
            for a, inner in loads(e):
                addresses.add(a)
                seen.append(a)
        for e in es:
            for a, inner in loads(e):
                if inner:
                    addresses.add(a)
                seen.append(a)
        seen = list(dict.fromkeys(seen))
        indices = [i for a in seen for i in a[2]] + list(left)
        if not all(self.ranges.total(i) for i in indices):
            raise NotImplementedError('an index that may err')
        atoms = self.atoms(indices)
        if left:
            for i in left:
                self.width(i)
            for i, b in zip(left, self.mem[f]):
                self.owe('B.Mem', op('<=', b[0], i), atoms)
                self.owe('B.Mem', op('<', i, end(b)), atoms)
            for i, b, n in zip(left, self.cpu[f], self.r.folds.get(f, ())):    # B.Fold
                if n is not None:
                    self.owe('B.Fold', op('<=', b[0], i), atoms)
                    self.owe('B.Fold', op('<', i, self.sum((b[0], n))), atoms)
        known = [(c, b) for c, b in zip(point, self.cpu.get(f, []))
                 if below is None or not any(mentions(c, x) for x in self.bound_in(below))]
        unsure = {c for c, b in known if any(a[1] not in self.r.images for a, inner in loads(c))}
        inside = lambda own: [q for c, b in known if c not in unsure or c == own for q in (op('>=', c, b[0]), op('<', c, end(b)))]
        for a in seen:
            for i in a[2]:
                self.width(i)
            if a[1] not in self.mem:
                self.owe('B.Mem', num(0), atoms)
                continue
            for i, b in zip(a[2], self.mem[a[1]]):
                self.owe('B.Mem', op('<=', b[0], i), atoms)
                self.owe('B.Mem', op('<', i, end(b)), atoms)
            if a[1] in self.r.images:
                continue
            rule = 'B.Address' if a in addresses else 'B.Cpu'
            if a[1] not in self.cpu:
                self.owe('B.Cpu', num(0), atoms)
                continue
            for d, (i, b) in enumerate(zip(a[2], self.cpu[a[1]])):
                same = a[1] == f and d < len(point) and point[d] == i
                more = atoms if rule == 'B.Address' else atoms + inside(i if same else None)
                self.owe(rule, op('<=', b[0], i), more)
                self.owe(rule, op('<', i, end(b)), more)
        return atoms

    def bound_in(self, s):
        out = [s[1]] if s[0] in ('for', 'let') else []
        for c in (s[1] if s[0] == 'seq' else s):
            if isinstance(c, tuple) and c and isinstance(c[0], str) and c[0] in ('seq', 'label', 'for', 'let', 'if', 'assign', 'compute'):
                out += self.bound_in(c)
        return out

    def assign(self, s):
        _, f, e, r = s
        if f not in self.mem or f not in self.cpu:
            return self.owe('B.Mem', num(0))
        top = max(i for i, c in enumerate(self.path) if c[0] == 'compute' and c[1] == f)
        chain, keep = self.path[top + 1:], self.at[top + 1] if top + 1 < len(self.at) else len(self.N)
        self.cover(f, e, chain, self.at_body(top), s)
        self.disjoint(f, e, r, chain)
        at_entry = {upper: self.all_values.ends.get((f, upper)) for upper in (False, True)}
        if f in self.values or any(at_entry.values()):                         # B.Value
            if not self.ranges.total(r):
                raise NotImplementedError('values that may err')
            for own, v, ends in self.claims(f, e, r) if f in self.values else ():
                for o, k in (('>=', 0), ('<=', 1)):
                    if ends[k] != own[k]:
                        self.owe('B.Value', op(o, v, num(ends[k])), tuple(self.widths) + tuple(self.atoms([v])))
            for upper, end in at_entry.items():
                if end:
                    v = self.as_int(self.r.types[f], r)
                    self.owe('B.Value', op('<=' if upper else '>=', v, end), tuple(self.widths) + tuple(self.atoms([v])))
        self.accesses([r], f, e, None, e)

    def as_int(self, t, v):
        return v if t == 'int' else op('int', v if v[0] == 'op' and v[1] == t else op(t, v))

    def claims(self, f, e, r):
        """What B.Value says of an assignment: of which type it is, what lies between which numbers."""
        t, as_int = self.r.types[f], self.as_int
        steps = self.all_values.steps(f, e, r) if f in self.all_values.counted else None
        if steps:
            types = [(self.ranges.type(v) or t, v, ends) for v, ends in steps[0] if v[0] != 'num']
            return [(self.ranges.of_type(u), as_int(u, v), ends) for u, v, ends in types]
        return [(self.ranges.of_type(t), as_int(t, r), self.all_values.counted.get(f) or self.values[f])]

    def at_body(self, top):
        return self.at[top]

    # -- B.Cover --
    def pure(self, chain, x):
        for c in chain:
            if c[0] == 'for' and c[1] == x:
                return c[2]
            if c[0] == 'let' and c[1] == x:
                return c[3] is not None and self.pure(chain, c[3][2])
        return False

    def cover(self, f, e, chain, keep, s):
        stage = int(re.match(r's(\d+)', next(c for c in chain if c[0] == 'label' and re.search(r'\.s\d+$', c[1]))[1].rsplit('.', 1)[1]).group(1))
        N = self.N[:keep]
        for a, b in zip(chain, chain[1:] + [s]):
            if a[0] == 'if' and a[1] == 'specialize':
                N += self.checked(a[2]) if b is a[3] else self.denied(a[2])
        base, A = list(N), []
        own = []
        for c, b in zip(e, self.cpu[f]):
            covers = c[0] == 'var' and self.pure(chain, c[1])
            if stage == 0 and (not covers or c[1] in A):
                own.append(num(0))
            if covers:
                A.append(c[1])
                N += [op('>=', c, b[0]), op('<', c, end(b))]
        if len(A) == len(e):
            N += self.slide(f, e)
        inside = {c[1] for c in chain if c[0] in ('for', 'let')}
        sources = {v for c in chain if c[0] == 'let' and c[3] for v in (c[3][2], c[3][3]) if v}

        def settled(*es):
            return not any(mentions(q, x) for q in es for x in inside if x not in A)

        def invert():
            changed = False
            for c in reversed(chain):
                if c[0] != 'let' or c[1] not in A or not c[3]:
                    continue
                kind, tail, outer, inner, q, (m, n) = c[3]
                x = ('var', c[1])
                if outer in A or outer not in inside or not settled(q, m, n):
                    continue
                if kind == 'split':
                    if inner in A or inner not in inside:
                        continue
                    N.append(op('==', ('var', outer), op('/', op('-', x, m), q)))
                    start = op('+', m, op('*', q, ('var', outer)))
                    if tail == 'shift':
                        start = op('min', start, op('-', op('+', m, n), q))
                    N.append(op('==', ('var', inner), op('-', x, start)))
                    A.extend([outer, inner])
                    changed = True
                elif tail == 'outer':
                    half = next((b for b in chain if b[0] == 'let' and b[3] and b[3][0] == 'fuse' and b[3][1] == 'inner' and b[3][2] == outer and b[1] in A), None)
                    if half:
                        row = op('*', op('-', x, m), q)
                        N.append(op('==', ('var', outer), op('+', row, op('-', ('var', half[1]), half[3][5][0]))))
                        A.append(outer)
                        changed = True
            return changed

        def quantify():
            changed = False
            for c in chain:
                if c[0] == 'let' and c[3] and c[1] not in A and c[1] not in sources and settled(*c[3][5]):
                    m, n = c[3][5]
                    N.extend([op('>=', ('var', c[1]), m), op('<', ('var', c[1]), op('+', m, n))])
                    A.append(c[1])
                    changed = True
            return changed

        # what the point of Cpu settles alone is owed without the quantified ranges (D62)
        while stage > 0 and invert():
            pass
        early = list(N)
        alone = [c for c in chain if stage > 0 and (c[1] in A if c[0] in ('for', 'let') else c[0] == 'if' and settled(c[2]))]
        changed = True
        while changed:
            changed = stage > 0 and quantify()
            changed |= invert()
        saved, self.N = self.N, N
        for g in own:
            self.N = base + [q for q in N[len(base):]]
            self.owe('B.Cover', g)
        for c in chain:
            self.N = early if any(c is a for a in alone) else N
            if c[0] == 'for':
                x = ('var', c[1])
                if c[1] in A:
                    self.owe('B.Cover', op('<=', c[4][0], x))
                    self.owe('B.Cover', op('<', x, end(c[4])))
                elif not c[2] and c[1] not in sources:
                    if stage == 0:
                        self.owe('B.Cover', op('>=', c[4][1], num(1)))
                else:
                    self.owe('B.Cover', num(0))
            elif c[0] == 'let' and c[3]:
                self.owe('B.Cover', op('==', ('var', c[1]), c[2]))
            elif c[0] == 'if' and c[1] == 'guard':
                self.owe('B.Cover', c[2])
        self.sides(e, chain, base, sources)
        self.N = saved

    # -- B.Slide --
    def slide(self, f, e):
        v = self.r.keeps.get(f)
        if v is None:
            return []
        loop = next(c for c in self.path if c[0] == 'for' and c[1] == v)
        before = lambda q: substitute(q, v, op('-', ('var', v), num(1)))
        fact = op('<=', ('var', v), loop[4][0])
        for c, i in zip(e, self.cpu[f]):
            if mentions(i[0], v) or mentions(i[1], v):
                fact = op('||', fact, op('<', c, before(i[0])))
                fact = op('||', fact, op('>=', c, before(self.sum(i))))
        return [fact]

    def sides(self, e, chain, base, sources):
        for let in chain:
            if let[0] != 'let' or not let[3] or let[1] in sources:
                continue
            if any(c == ('var', let[1]) and self.pure(chain, let[1]) for c in e):
                continue
            m, n = let[3][5]
            on = [let[1]]
            for i in range(len(chain) - 1, -1, -1):
                c = chain[i]
                if c[0] not in ('for', 'let') or c[1] in on:
                    continue
                rests = mentions(m, c[1]) or mentions(n, c[1])
                for b in chain[i + 1:]:
                    if b[0] in ('for', 'let') and b[1] in on:
                        rests |= any(mentions(q, c[1]) for q in (b[4] if b[0] == 'for' else (b[2],)))
                if rests:
                    on.append(c[1])
            N = list(base)
            for c in chain:
                if c[0] == 'if' and c[1] == 'guard' and not any(mentions(c[2], b[1]) for b in chain if b[0] in ('for', 'let') and b[1] not in on):
                    N.append(c[2])
                if c[0] == 'let' and c[1] in on:
                    N.append(op('==', ('var', c[1]), c[2]))
                if c[0] == 'for' and c[1] in on:
                    N += [op('<=', c[4][0], ('var', c[1])), op('<', ('var', c[1]), end(c[4]))]
            self.N = N
            self.owe('B.Cover', op('<=', m, ('var', let[1])))
            self.owe('B.Cover', op('<', ('var', let[1]), op('+', m, n)))

    # -- B.Disjoint --
    def disjoint(self, f, e, r, chain):
        for k, loop in enumerate(chain):
            if loop[0] == 'for' and loop[3] in ('parallel', 'vectorized'):
                self.apart(f, e, r, chain, k)

    def apart(self, f, e, r, chain, k):
        A = [c[1] for c in chain[:k] if c[0] in ('for', 'let')]
        inside = [c[1] for c in chain if c[0] in ('for', 'let')]
        for c in chain[k + 1:]:
            if c[0] == 'let' and not any(mentions(c[2], x) for x in inside if x not in A):
                A.append(c[1])
        own = [a for q in list(e) + [r] + [c[2] for c in chain if c[0] == 'if'] for a, _ in loads(q) if a[1] == f]
        separated = []
        for d, c in enumerate(e):
            if c[0] == 'var' and all(a[2][d] == c for a in own):
                A.append(c[1])
                separated.append(c)
        steps, trying = [], []

        def all_of(*es):
            return all(back(x) for q in es for x in inside if x not in A and mentions(q, x))

        def back(x):
            if x in A:
                return True
            if x in trying:
                return False
            trying.append(x)
            done = through(x)
            trying.pop()
            if done:
                A.append(x)
            return done

        def through(x):
            let = next((c for c in chain if c[0] == 'let' and c[3] and not (c[3][0] == 'fuse' and c[3][1] == 'inner') and x in (c[3][2], c[3][3])), None)
            if not let:
                return False
            kind, tail, outer, inner, q, (m, n) = let[3]
            v = ('var', let[1])
            if kind == 'fuse':
                half = next((c for c in chain if c[0] == 'let' and c[3] and c[3][0] == 'fuse' and c[3][1] == 'inner' and c[3][2] == outer), None)
                if not half or not back(let[1]) or not back(half[1]) or not all_of(m, half[3][5][0], q):
                    return False
                steps.append(op('==', ('var', outer), op('+', op('*', op('-', v, m), q), op('-', ('var', half[1]), half[3][5][0]))))
                return True
            if not back(let[1]) or not all_of(m, q) or (tail == 'shift' and not all_of(n)):
                return False
            block = op('*', q, ('var', outer))
            start = op('+', m, block)
            if tail == 'shift':
                start = op('min', start, op('-', op('+', m, n), q))
            if x == outer:
                off = op('-', v, m)
                beside = inner in A
                if beside:
                    off = op('-', off, ('var', inner))
                if beside and tail == 'shift':
                    steps.extend([op('<', op('-', block, q), off), op('<=', off, block)])
                else:
                    steps.extend([op('<=', block, off), op('<', off, op('+', block, q))])
                return True
            if not back(outer):
                return False
            steps.append(op('==', ('var', inner), op('-', v, start)))
            return True
        if back(chain[k][1]):
            for p in steps:
                self.owe('B.Disjoint', p)
            return
        raise NotImplementedError('two iterations')


# -- values at random points --

TRUTHS = ('<', '<=', '>', '>=', '==', '!=', '&&', '||', '!')


class Point:
    def __init__(self, seed):
        self.seed, self.known = seed, {}

    def of(self, key):
        if key not in self.known:
            self.known[key] = random.Random('%s %d' % (key, self.seed)).randrange(-40, 60)
        return self.known[key]

    def value(self, e):
        k = e[0]
        if k == 'num':
            return e[1]
        if k == 'var':
            return self.of(e[1])
        if k == 'load':
            return self.of('%s(%s)' % (e[1], ', '.join(str(self.value(a)) for a in e[2])))
        o, args = e[1], e[2]
        if o == 'int':
            return self.value(args[0])
        v = [self.value(a) for a in args]
        if o in BITS and o[0] == 'u': return v[0] % (BITS[o][1] + 1)
        if o == '+': return v[0] + v[1]
        if o == '-': return v[0] - v[1]
        if o == '*': return v[0] * v[1]
        if o in '/%' and v[1] == 0: return 0
        if o == '/': return (v[0] - v[0] % abs(v[1])) // v[1]
        if o == '%': return v[0] % abs(v[1])
        if o == 'min': return min(v)
        if o == 'max': return max(v)
        if o == 'select': return v[1] if v[0] else v[2]
        if o == 'abs': return abs(v[0])
        if o == '&': return v[0] & v[1]
        if o == '|': return v[0] | v[1]
        if o == '^': return v[0] ^ v[1]
        if o == '~': return -1 - v[0]
        if o in COUNTS: raise NotImplementedError('the operator ' + o)  # of a width that no type says here
        if o in ('<<', '>>'): return v[0] << v[1] if (o == '<<') == (v[1] >= 0) else v[0] >> abs(v[1])
        if o not in TRUTHS: raise NotImplementedError('the operator ' + o)
        return int({'<': lambda: v[0] < v[1], '<=': lambda: v[0] <= v[1], '>': lambda: v[0] > v[1], '>=': lambda: v[0] >= v[1],
                    '==': lambda: v[0] == v[1], '!=': lambda: v[0] != v[1], '&&': lambda: v[0] and v[1], '||': lambda: v[0] or v[1],
                    '!': lambda: not v[0]}[o]())


POINTS = [Point(i) for i in range(24)]


def sign(p):
    """What the formula says at every point: of a comparison the distance, so that different ones differ."""
    o, args = (p[1], p[2]) if p[0] == 'op' else (None, ())
    if o in ('<', '<=', '>', '>='):
        a, b = args if o[0] == '<' else args[::-1]
        return ('ge',) + tuple(q.value(b) - q.value(a) - (len(o) == 1) for q in POINTS)
    if o == '==':
        d = tuple(q.value(args[0]) - q.value(args[1]) for q in POINTS)
        return ('eq',) + max(d, tuple(-x for x in d))
    if o == '!' and args[0][0] == 'op' and args[0][1] in ('<', '<=', '>', '>='):
        flip = {'<': '>=', '<=': '>', '>': '<=', '>=': '<'}[args[0][1]]
        return sign(('op', flip, args[0][2]))
    if o in ('&&', '||'):
        return (o, frozenset(sign(a) for a in flat(o, p)))
    return ('truth',) + tuple(q.value(p) for q in POINTS)


def flat(o, p):
    return flat(o, p[2][0]) + flat(o, p[2][1]) if p[0] == 'op' and p[1] == o else [p]


# -- what "show --stage query" prints --

@functools.lru_cache(maxsize=100000)
def sexp(text):
    """A line as lists of words; nobody changes them: the same facts stand before hundreds of goals."""
    tokens = re.findall(r'[()]|[^\s()]+', text)
    at = 0

    def one():
        nonlocal at
        t = tokens[at]
        at += 1
        if t != '(':
            return t
        out = []
        while tokens[at] != ')':
            out.append(one())
        at += 1
        return out
    return one()


NAMES = {'+': '+', '-': '-', '*': '*', 'div': '/', 'mod': '%', '<': '<', '<=': '<=', '>': '>', '>=': '>=', '=': '==', 'distinct': '!=', 'and': '&&', 'or': '||', 'not': '!', 'ite': 'select'}


NAMED = re.compile(r'; (u\d+) is (.*)')


def read_query(text, reader):
    out, named, names, unknowns, made = [], {}, {}, {}, {}
    for chunk in text.split('(reset)'):
        head = re.search(r'; \d+\. (B\.\w+): (.*)', chunk)
        if not head:
            continue
        defined, facts, goal, in_goal, signed = {}, [], None, False, set()

        def expr(s):
            if isinstance(s, str):
                if s in defined: return defined[s]
                if s in ('true', 'false'): return ('num', int(s == 'true'))
                if s[0] == 'u': raise NotImplementedError('a name that the query does not define')
                return ('num', int(s))
            args = tuple(expr(a) for a in s[1:])
            if s[0] == '-' and len(args) == 1: return ('op', '-', (('num', 0), args[0]))
            if s[0] not in NAMES: raise NotImplementedError(s[0])
            e = ('op', NAMES[s[0]], args[:2] if s[0] not in ('ite',) else args)
            for a in args[2:] if s[0] in ('+', '*', 'and', 'or') else (): e = ('op', NAMES[s[0]], (e, a))
            return e

        def once(line, s):
            """The expression s of a line: what is the same text of the same unknowns is the same object."""
            if line not in names: names[line] = re.findall(r'[A-Za-z_][\w.]*', line)
            of = [defined.get(name) for name in names[line]]
            key = (line, tuple(map(id, of)))
            if key not in made: made[key] = (expr(s), of)  # "of" stays alive, and so its place is nobody else's
            return made[key][0]
        for line in chunk.split('\n'):
            m = NAMED.match(line) if line.startswith('; u') else None
            if m:
                if m.group(2) not in named:
                    sub = Reader(m.group(2))
                    sub.funcs, sub.images = reader.funcs, reader.images
                    named[m.group(2)] = sub.expr()
                defined[m.group(1)] = named[m.group(2)]
            elif line.startswith('; the goal'):
                in_goal = True
            elif line.startswith('(define-fun'):
                s = sexp(line)
                defined[s[1]] = once(line, s[4])
            elif line.startswith('(assert'):
                s = sexp(line)[1]
                if s[0] == 'or' and isinstance(s[1], list) and s[1][0] == '=' and s[2][0] == 'and' and not in_goal or (s[0] == 'or' and isinstance(s[1], list) and s[1][0] == '=' and s[1][2] == '0' and isinstance(s[2], list) and s[2][0] == 'and' and s[2][1][0] == '=' and isinstance(s[2][1][2], list) and s[2][1][2][0] == '+'):
                    d, x, (_, product, rest) = expr(s[1][1]), expr(s[2][1][1]), s[2][1][2]
                    defined[product[2]], defined[rest] = ('op', '/', (x, d)), ('op', '%', (x, d))
                    continue
                if s[0] == '=' and isinstance(s[2], list) and s[2][0] == '+' and s[2][2] not in defined and not in_goal:
                    width = expr(s[2][1][1])  # a conversion to so many numbers
                    if s[2][2] in signed or not (width[0] == 'num'):
                        raise NotImplementedError('a conversion to a signed type')
                    defined[s[2][1][2]], defined[s[2][2]] = ('op', '/', (expr(s[1]), width)), ('op', '%', (expr(s[1]), width))
                    continue
                if line not in unknowns: unknowns[line] = re.findall(r'u\d+', line)
                unknown = [t for t in unknowns[line] if t not in defined]
                if unknown and not in_goal:
                    signed.update(unknown if '(<= 0 u' not in line else [])
                    continue  # between which numbers of its type a load lies: no fact of the query
                if in_goal: goal = expr(s[1]) if isinstance(s, list) else ('op', '!', (expr(s),))
                else: facts.append(once(line, s))
        out.append((head.group(1), tuple(facts), goal, head.group(2), int(re.search(r'; (\d+)\.', chunk).group(1))))
    return out


SIGNS = {}  # of the formulas of a program: most facts stand before hundreds of goals


def sign_once(p):
    if p not in SIGNS:
        SIGNS[p] = sign(p)
    return SIGNS[p]


def signature(o):
    return (o[0], sign_once(o[2]), frozenset(sign_once(p) for p in o[1]))


def compare(halyard, args):
    if args[0] == 'passed':  # what the passes make of it: its loops are in pieces
        with tempfile.NamedTemporaryFile('w', suffix='.tgt') as file:
            file.write(subprocess.run([halyard, 'show', *args[1:], '--stage', 'native'], capture_output=True, text=True, check=True).stdout)
            file.flush()
            return compare(halyard, [file.name])
    text = subprocess.run([halyard, 'show', *args, '--stage', 'filled'], capture_output=True, text=True, check=True).stdout
    query = subprocess.run([halyard, 'show', *args, '--stage', 'query'], capture_output=True, text=True, check=True).stdout
    SIGNS.clear()
    reader = Reader(text)
    body = reader.program()
    listed = Walk(reader, body).owed
    mine = [signature(o) for o in listed if o[2] is not None]
    numbers = [(n + 1, o[0]) for n, o in enumerate(listed) if o[2] is not None]
    theirs = read_query(query, reader)
    missing, same = [], 0
    for o in theirs:
        s = signature(o)
        if s in mine:
            mine.remove(s)
            same += 1
        else:
            near = [t for t in mine if t[:2] == s[:2]]
            missing.append('%s: %s%s' % (o[0], o[3], ' (other facts: %d more, %d less)' % (len(near[0][2] - s[2]), len(s[2] - near[0][2])) if near else ''))
    if not missing and not mine and numbers != [(o[4], o[0]) for o in theirs]:
        first = next((a, b) for a, b in zip(numbers, [(o[4], o[0]) for o in theirs]) if a != b)
        missing.append('in another order: %d. %s where it has %d. %s' % (first[0] + first[1]))
    return same, missing, ['%s' % s[0] for s in mine], [o[0] for o in listed]


# -- entry(P), section 5 --

def algorithm(text):
    """The signature of an algorithm, its funcs with what they read, and their rdoms in order."""
    r = Reader(text)
    r.within = {}
    r.next('pipeline')
    r.next()
    r.next('(')
    while not r.accept(')'):
        name = r.next()
        r.next(':')
        r.types[name] = r.next()
        if r.accept('['):
            r.images[name] = int(r.next())
            r.next(']')
        if r.accept('in'):
            least = r.expr()
            r.next('.')
            r.next('.')
            r.within[name] = (least, r.expr())
        if r.accept('='):
            r.expr()
        if r.accept('estimate'):
            r.expr()
        r.accept(',')
    r.listed = []
    if r.accept('-'):
        r.next('>')
        many = r.accept('(')
        while not r.listed or (many and not r.accept(')')):
            r.listed.append(r.next())
            r.accept(',')
    if r.accept('contract'):  # what it allows schedules is no question of bounds
        r.next()
    r.next('{')
    params, made, r.requirements = [a for a in r.types if a not in r.images], {}, []
    while r.accept('require'):                                            # LOW.Entry-Require
        r.requirements.append(r.expr())
        r.next(';')
    while r.accept('fun'):
        f = r.next()
        r.funcs[f], r.types[f], reads, rdoms = [], 'int', [], []
        r.next('(')
        while not r.accept(')'):
            r.funcs[f].append(r.next())
            r.accept(',')
        r.next('=')
        many = r.accept('{')
        while True:
            if r.accept('rdom'):
                r.next('(')
                while not r.accept(')'):
                    r.next()
                    r.next('=')
                    rdoms.append(r.pair())
                    r.accept(',')
                r.next('in')
            parts = []
            if r.peek() == '(' and left_side(r):
                r.next('(')
                while not r.accept(')'):
                    parts.append(r.expr())
                    r.accept(',')
                r.next('<-')
            parts.append(r.expr())
            if r.accept('if'):
                parts.append(r.expr())
            reads += [a[1] for e in parts for a, _ in loads(e)]
            if not many or (r.accept(';') and r.accept('}')) or r.accept('}'):
                break
        r.accept(';')
        made[f] = (reads, rdoms)
    return r, params, made


def windows(outputs):
    """The sides of each output's window: x.min and x.len, of several f.x.min and f.x.len."""
    return [[(('var', '%s%s.min' % (f + '.' if len(outputs) > 1 else '', x)), ('var', '%s%s.len' % (f + '.' if len(outputs) > 1 else '', x)))
             for x in dims] for f, dims in outputs.items()]


def left_side(r):
    depth, k = 0, 0
    while True:
        depth += (r.peek(k) == '(') - (r.peek(k) == ')')
        k += 1
        if not depth:
            return r.peek(k) == '<-'


def entry(text):
    r, params, made = algorithm(text)
    outputs = {f: r.funcs[f] for f in r.listed or list(made)[-1:]}
    reached, todo = set(), list(outputs)
    while todo:
        f = todo.pop()
        if f in made and f not in reached:
            todo += made[f][0]
        reached.add(f)
    ranges = Ranges(r)
    ranges.type = lambda e: Ranges.type(ranges, e)
    out, limit = [], 2**31

    def within(v, low):
        out.append(('range', op('&&', op('<=', num(low), v), op('<=', v, num(limit)))))
    sides = [side for window in windows(outputs) for side in window]
    boxes = {g: [(('var', '%s.min(%d)' % (g, d)), ('var', '%s.len(%d)' % (g, d))) for d in range(rank)] for g, rank in r.images.items()}
    for m, n in sides:
        within(m, -limit)
        within(n, 0)
    for a in params:
        if r.types[a] == 'int':
            within(('var', a), -limit)
            ranges.vars[a] = (-limit, limit)
        if a in r.within:                                                # LOW.Entry-Param
            (low, high), v = r.within[a], ('var', a)
            as_number = r.types[a] in NUMBERS and r.types[a] != 'int' and not (r.types[a] == 'u64' and high[1] >= 2**63)
            v = op('int', v) if as_number else v
            out.append(('parameter', op('&&', op('<=', low, v), op('<=', v, high))))
    for box in boxes.values():
        for m, n in box:
            within(m, -limit)
            within(n, 0)
            ranges.vars[m[1]] = ranges.vars[n[1]] = (-limit, limit)
    out += [('require', e) for e in r.requirements]
    for f in made:
        for m, n in made[f][1] if f in reached else []:
            whole = num(m[1] + n[1]) if m[0] == n[0] == 'num' else n if m == num(0) else op('+', m, n)
            out.append(('rdom', op('>=', n, num(0)) if ranges.total(whole) or m == num(0) else op('<=', m, whole)))
    for g, box in boxes.items():
        if g in reached and box:
            need = [(('var', '?need.min(%s,%d)' % (g, d)), ('var', '?need.len(%s,%d)' % (g, d))) for d in range(len(box))]
            inside = [p for (m, n), i in zip(box, need) for p in (op('<=', m, i[0]), op('<=', end(i), end((m, n))))]
            p = inside[0]
            for q in inside[1:]:
                p = op('&&', p, q)
            for i in reversed(need):
                p = op('||', op('<=', i[1], num(0)), p)
            out.append(('image', p))
    return out


def compare_entry(halyard, alg):
    """What differs between entry(P) of section 5 and that of what is lowered; how many conditions are the same."""
    show = lambda stage: subprocess.run([halyard, 'show', alg, '--stage', stage], capture_output=True, text=True, check=True).stdout
    mine, reader = entry(show('alg')), Reader(show('lowered'))
    reader.program()
    theirs = [(s[1], s[2]) for s in reader.entry]
    for k, (a, b) in enumerate(zip(mine, theirs)):
        if (a[0], sign(a[1])) != (b[0], sign(b[1])):
            return k, ['entry(P): condition %d, of kind %s, is another one (kind %s)' % (k + 1, b[0], a[0])]
    return len(mine), [] if len(mine) == len(theirs) else ['entry(P): %d conditions, not %d' % (len(theirs), len(mine))]


def programs():
    """Of apps/ every schedule; of golden/ the target programs, and what the schedules of golden/ are checked with."""
    out = []
    for alg in sorted(glob.glob('apps/*.alg') + glob.glob('apps/*/*.alg')):
        path = alg[:-len('.alg')] + '.sched'
        names = re.findall(r'^schedule (\w+) for', open(path).read(), re.M) if os.path.exists(path) else []
        out += [alg] + ['%s %s:%s' % (alg, path, name) for name in names]
        out += ['passed %s %s:%s' % (alg, path, name) for name in names]
    for path in sorted(glob.glob('proofs_tests/golden/*')):
        text = open(path, encoding='utf-8', errors='replace').read()
        alg = re.search(r'^//\$ check (\S+\.alg) \$', text, re.M)
        if path.endswith('.tgt'):
            out.append(path)
        elif path.endswith('.sched') and alg and len(re.findall(r'^schedule ', text, re.M)) == 1:
            out.append('proofs_tests/golden/%s %s' % (alg.group(1), path))
        elif path.endswith('.alg'):
            out.append(path)
    return out + ['proofs_tests/negative/%s' % name for name in MORE]


# Of negative/: what owes B.Defined, B.Fits and B.Value, which good programs seldom do.
MORE = ['fits_clamp.alg', 'fits_second_node.alg', 'bounds_defined.tgt', 'bounds_defined_narrow.tgt', 'undecided.tgt', 'undecided_loop.tgt', 'undecided_run.tgt', 'written_where_a_load_errs.tgt',
        'range_of_difference.tgt', 'range_of_remainder.tgt', 'constraint_undefined.tgt', 'constraint_overflow.tgt']


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    halyard = os.path.abspath(sys.argv[1])
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    passed = failed = skipped = obligations = entries = 0
    rules = {}
    for args in sys.argv[2:] or programs():
        try:
            same, missing, extra, listed = compare(halyard, args.split())
            if args.endswith('.alg'):
                conditions, wrong = compare_entry(halyard, args)
                entries += conditions
                missing += wrong
        except (NotImplementedError, subprocess.CalledProcessError) as why:
            print('skipped %s: %s' % (args, why if isinstance(why, NotImplementedError) else 'it has no fills'))
            skipped += 1
            continue
        obligations += same
        for rule in listed:
            rules[rule] = rules.get(rule, 0) + 1
        if not missing and not extra:
            passed += 1
            continue
        failed += 1
        print('FAILED %s: %d the same, %d not in this list, %d more' % (args, same, len(missing), len(extra)))
        for m in missing[:3] + extra[:3]:
            print('   ', m)
    print('%d obligations, each with its facts, and %d conditions of entry(P) are the same in both' % (obligations, entries))
    print('owed: ' + ', '.join('%s %d' % (rule, rules[rule]) for rule in sorted(rules)))
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
