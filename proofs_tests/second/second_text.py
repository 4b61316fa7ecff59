"""Section 1 of the specification with docs/language.md: algorithms and target programs from their text, typed.

An expression has a kind (const, var, load, op), after reading a type, and arguments; a constant its value. A statement has a kind
(seq, nop, label, allocate, compute, for, let, if, assign, assume, constrain) and the fields that its form in section 1 names.
"""
import re
from fractions import Fraction

from second_values import COUNTS, EXACT, FLOATS, FUSED, MATH, REINTERPRETED, TYPES, WIDTHS, limits, nearest
from second_words import LEVELS, Words

TOKEN = re.compile(r'\s*(?:(0[xX][0-9a-fA-F]+|\d+(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(<-|<=|>=|==|!=|&&|\|\||<<|>>|\S))')
COMPARISONS = ('==', '!=', '<', '<=', '>', '>=')
CALLS = ('select', 'min', 'max', 'abs') + tuple(EXACT) + MATH + FUSED + COUNTS + tuple(REINTERPRETED)


class Kind:
    """What is known of a type: all expressions that have to be of one share it."""

    def __init__(self, t=None):
        self.other, self.type, self.floats = None, t, False

    def root(self):
        return self if self.other is None else self.other.root()

    def meet(self, other):
        a, b = self.root(), other.root()
        if a is not b:
            assert a.type is None or b.type is None or a.type == b.type, ('two types', a.type, b.type)
            a.type, a.floats = a.type or b.type, a.floats or b.floats
            b.other = a

    def settle(self):
        root = self.root()
        if root.type is None:
            root.type = 'f32' if root.floats else 'int'
        return root.type


class Expression:
    __slots__ = ('kind', 'type', 'op', 'name', 'part', 'args', 'value', 'of', 'known', 'parenthesised')

    def __init__(self, kind, known, op=None, name=None, part=0, args=(), value=None):
        self.kind, self.known, self.op, self.name, self.part, self.args, self.value = kind, known, op, name, part, tuple(args), value
        self.type = self.of = None
        self.parenthesised = False


class Statement:
    def __init__(self, kind, **fields):
        self.kind = kind
        self.__dict__.update(fields)


class Reader(Words):
    def __init__(self, text):
        text = re.sub(r'//[^\n]*|/\*.*?\*/', ' ', text, flags=re.S)
        self.tokens = [m.group(1) or m.group(2) or m.group(3) for m in TOKEN.finditer(text.rstrip())]
        self.at, self.made, self.lets = 0, [], []
        self.types, self.parts, self.funcs, self.images, self.params, self.ranges = {}, {}, {}, {}, [], {}

    def list(self, one, end):
        out = []
        while not self.accept(end):
            out.append(one())
            self.accept(',')
        return out

    # -- expressions --
    def make(self, kind, known, **fields):
        e = Expression(kind, known if isinstance(known, Kind) else Kind(known), **fields)
        self.made.append(e)
        return e

    def expression(self, want=None):
        e = self.binary(0)
        if want is not None:
            e.known.meet(want if isinstance(want, Kind) else Kind(want))
        return e

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        e = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            op = self.next()
            e = self.operation(op, [e, self.binary(level + 1)])
        return e

    def operation(self, op, args):
        if op == 'select':
            args[0].known.meet(Kind('bool'))
            args[1].known.meet(args[2].known)
            return self.make('op', args[1].known, op=op, args=args)
        for a in args[1:]:
            args[0].known.meet(a.known)
        if op in REINTERPRETED:
            args[0].known.meet(Kind(REINTERPRETED[op][0]))
            return self.make('op', REINTERPRETED[op][1], op=op, args=args)
        if op in ('&&', '||', '!'):
            args[0].known.meet(Kind('bool'))
        if op in MATH + FUSED or op in EXACT:
            args[0].known.root().floats = True
        return self.make('op', 'bool' if op in COMPARISONS else args[0].known, op=op, args=args)

    def unary(self):
        t = self.peek()
        if t == '-' and self.peek(1)[:1].isdigit():
            self.next()
            return self.literal('-')
        if t in ('-', '!', '~'):
            self.next()
            return self.operation(t, [self.unary()])
        if t == 'let':
            self.next()
            name = self.next()
            self.next('=')
            value = self.expression()
            self.next('in')
            self.lets.append((name, value))
            e = self.expression()
            self.lets.pop()
            return e
        if t[:1].isdigit():
            return self.literal('')
        if self.accept('('):
            e = self.expression()
            self.next(')')
            e.parenthesised = True
            return e
        return self.name()

    def literal(self, sign):
        text = self.next()
        is_float = re.fullmatch(r'\d+', text) is None and text[:2] not in ('0x', '0X')
        e = self.make('const', None, value=sign + text)
        e.known.floats = is_float
        return e

    def name(self):
        t = self.next()
        bound = [value for name, value in self.lets if name == t]
        if bound:
            return bound[-1]
        if t in ('true', 'false'):
            return self.make('const', 'bool', value=t == 'true')
        if self.peek() != '(':
            return self.make('var', self.types.get(t, 'int') if t in self.params else 'int', name=t)
        self.next()
        if t.endswith(('.min', '.len')) and t[:-4] in self.images:
            d = self.next()
            self.next(')')
            return self.make('var', 'int', name='%s(%s)' % (t, d))
        if t in TYPES:
            return self.cast(t)
        args = self.list(self.expression, ')')
        if t == 'clamp':
            return self.operation('max', [self.operation('min', [args[0], args[2]]), args[1]])
        if t in CALLS:
            return self.operation(t, args)
        for a in args:
            a.known.meet(Kind('int'))
        part = 0
        if len(self.parts.get(t, ())) > 1:  # f(x)[i]: a tuple is read one part at a time
            if self.tokens[self.at] != '[':
                raise NotImplementedError('tuples as values')
            self.next('[')
            part = int(self.next())
            self.next(']')
        return self.make('load', self.parts[t][part] if part else self.types[t], name=t, part=part, args=args)

    def cast(self, t):
        e = self.expression()
        self.next(')')
        if e.kind == 'const' and not e.parenthesised and isinstance(e.value, str) and constant_of(e.value, t) is not None:
            e.known.meet(Kind(t))
            e.parenthesised = True  # a constant by now: u16(u8(3)) converts it
            return e
        return self.make('op', t, op='cast', args=[e])

    def settle(self):
        """Gives what was read since the last call its types, and literals their values."""
        for e in self.made:
            e.type = e.known.settle()
        for e in self.made:
            if e.kind == 'const' and isinstance(e.value, str):
                value = constant_of(e.value, e.type)
                assert value is not None, ('no constant of ' + e.type, e.value)
                e.value = value
            if e.kind == 'op':
                e.of = e.args[1 if e.op == 'select' else 0].type
        self.made = []

    def interval(self):
        self.next('(')
        m = self.expression('int')
        self.next(',')
        n = self.expression('int')
        self.next(')')
        return m, n

    def parameter(self):
        name = self.next()
        self.next(':')
        self.types[name] = Kind(self.next())
        if self.accept('['):
            self.images[name] = int(self.next())
            self.next(']')
            return
        self.params.append(name)
        if self.accept('in'):
            low = self.number_of(name)
            self.next('.')
            self.next('.')
            self.ranges[name] = (low, self.number_of(name))
        for word in ('=', 'estimate'):  # defaults and estimates are no part of the meaning
            if self.accept(word):
                self.number_of(name)

    def number_of(self, name):
        text = ('-' if self.accept('-') else '') + self.next()
        return text == 'true' if text in ('true', 'false') else constant_of(text, self.types[name].settle())

    # -- algorithms --
    def algorithm(self):
        self.next('pipeline')
        self.next()
        self.next('(')
        self.list(self.parameter, ')')
        if self.accept('-'):
            raise NotImplementedError('a list of outputs')
        if self.accept('contract'):  # what it allows schedules is no question of what the text means
            self.next('real')
        self.next('{')
        stages, self.requirements = {}, []
        while self.accept('require'):
            self.requirements.append(self.expression('bool'))
            self.next(';')
            self.settle()
        while self.accept('fun'):
            f = self.next()
            self.next('(')
            self.funcs[f], self.types[f] = self.list(self.next, ')'), Kind()
            self.parts[f] = [self.types[f]]
            self.next('=')
            stages[f] = self.body(f)
            self.settle()
            for part in self.parts[f]:
                part.settle()
        return stages

    def body(self, f):
        """Stages: (left side, value of each part, predicate or none, rdom: name and interval, r_1 first)."""
        left = [self.make('var', 'int', name=x) for x in self.funcs[f]]
        if not self.accept('{'):
            out = [(left, self.values(f), None, [])]
            self.next(';')
            return out
        out = [(left, self.values(f), None, [])]
        while True:
            done = self.accept(';')
            if self.accept('}'):
                self.accept(';')
                return out
            assert done
            out.append(self.update(f))

    def update(self, f):
        rdom = []
        if self.accept('rdom'):
            self.next('(')
            while not self.accept(')'):
                r = self.next()
                self.next('=')
                rdom.append((r, self.interval()))
                self.accept(',')
            self.next('in')
        self.next('(')
        left = self.list(lambda: self.expression('int'), ')')
        self.next('<-')
        values = self.values(f)
        return left, values, self.expression('bool') if self.accept('if') else None, rdom

    def is_tuple(self):
        """Whether the parenthesis that comes next is around several values: a comma stands in it, and in nothing else inside."""
        depth = 0
        for t in self.tokens[self.at:]:
            depth += (t in '([') - (t in ')]')
            if depth == 0:
                return False
            if t == ',' and depth == 1:
                return True
        return False

    def values(self, f):
        """What a stage or an assignment of f stores: a list, of one value where f is no tuple; a let may stand around all."""
        if self.peek() == 'let':
            self.next()
            name = self.next()
            self.next('=')
            value = self.expression()
            self.next('in')
            self.lets.append((name, value))
            out = self.values(f)
            self.lets.pop()
            return out
        if self.peek() != '(' or not self.is_tuple():
            return [self.expression(self.types[f])]
        self.next('(')
        out = self.list(self.expression, ')')
        if len(self.parts[f]) == 1:  # the first stage says how many there are
            self.parts[f] += [Kind() for _ in out[1:]]
        for e, part in zip(out, self.parts[f], strict=True):
            e.known.meet(part)
        return out

    # -- target programs --
    def program(self):
        self.next('target')
        self.next()
        self.next('(')
        self.list(self.parameter, ')')
        self.next('on')
        self.output = self.next()
        self.next('(')
        self.window = self.list(self.next, ')')
        if self.accept(','):
            raise NotImplementedError('several outputs')
        self.next('{')
        self.stages = {}
        while self.accept('func'):
            f = self.next()
            self.next('(')
            self.funcs[f] = self.list(self.next, ')')
            self.next(':')
            self.parts[f] = [Kind(t) for t in (self.list(self.next, ')') if self.accept('(') else [self.next()])]
            self.types[f] = self.parts[f][0]
            self.next('stages')
            self.stages[f] = int(self.next())
            self.next(';')
        self.skip_buffers()
        self.entry = []
        if self.accept('entry'):
            self.next('{')
            while not self.accept('}'):
                self.entry.append(self.statement())
        body = []
        while not self.accept('}'):
            body.append(self.statement())
        self.settle()
        self.body = sequence(body)
        return self

    def block(self):
        self.next('{')
        out = []
        while not self.accept('}'):
            out.append(self.statement())
        return sequence(out)

    def box(self):
        self.next('[')
        return self.list(self.interval, ']')

    def statement(self):
        t = self.next()
        known = {'assume': self.assume, 'constrain': self.constrain, 'nop': self.nop, 'label': self.label, 'allocate': self.allocate,
                 'compute': self.compute, 'for': self.loop, 'let': self.let, 'if': self.branch}
        if t in known and not (self.peek() == '(' and t in self.funcs):
            return known[t]()
        self.next('(')
        left = self.list(lambda: self.expression('int'), ')')
        self.next('<-')
        values = self.values(t)
        self.next(';')
        return Statement('assign', func=t, left=left, values=values)

    def assume(self):
        kind, about = self.next(), None
        if self.accept('('):
            about = self.next()
            self.next(')')
        self.next(':')
        condition = self.expression('bool')
        self.next(';')
        return Statement('assume', why=kind, about=about, condition=condition)

    def constrain(self):
        if self.peek() != ':':
            self.next()
        self.next(':')
        condition = self.expression('bool')
        self.next(';')
        return Statement('constrain', condition=condition)

    def nop(self):
        self.next(';')
        return Statement('nop')

    def label(self):
        name = self.next()
        self.next(':')
        return Statement('label', name=name, body=self.block() if self.peek() == '{' else self.statement())

    def allocate(self):
        f = self.next()
        box = self.box()
        folds = self.plan(f)
        self.next(';')
        return Statement('allocate', func=f, box=box, folds=folds)

    def plan(self, f):
        """By what each dimension is folded, or None; where cells lie means nothing."""
        folds = [None for _ in self.funcs[f]]
        while self.peek() in ('order', 'align', 'fold'):
            word = self.next()
            self.next('(')
            d = self.next()
            if word == 'fold':
                self.next(',')
                folds[self.funcs[f].index(d)] = int(self.next())
            while self.next() != ')':
                pass
        if self.accept('in'):
            self.next()
        return folds

    def compute(self):
        f = self.next()
        self.next('on')
        box = self.box()
        keep = self.next() if self.accept('keeping') else None
        return Statement('compute', func=f, box=box, keep=keep, body=self.block())

    def loop(self):
        pure, how = not self.accept('rdom'), 'serial'
        if self.peek() in ('serial', 'parallel', 'vectorized', 'unrolled'):
            how = self.next()
        x = self.next()
        self.next('in')
        interval = self.interval()
        piece = (self.next(), self.interval()) if self.accept('of') else None  # what it is a piece of means nothing
        return Statement('for', var=x, pure=pure, how=how, interval=interval, piece=piece, before=None, body=self.block())

    def let(self):
        x = self.next()
        self.next('=')
        value = self.expression('int')
        origin = None
        if self.accept('by'):
            origin = {'split': self.split, 'fuse': self.fuse, 'given': self.given}[self.next()]()
        self.next('in')
        return Statement('let', var=x, value=value, origin=origin, body=self.block())

    def split(self):
        self.next()
        self.next('(')
        outer, _, inner, _ = self.next(), self.next(','), self.next(), self.next(',')
        factor = self.expression('int')
        self.next(',')
        interval = self.interval()
        self.next(')')
        return Statement('split', sources=[outer, inner], factor=factor, interval=interval)

    def fuse(self):
        self.next()
        self.next('(')
        source, _ = self.next(), self.next(',')
        factor = self.expression('int')
        self.next(',')
        interval = self.interval()
        self.next(')')
        return Statement('fuse', sources=[source], factor=factor, interval=interval)

    def given(self):
        self.next()
        self.next()
        self.next('(')
        own = self.list(self.next, ';')
        lets, ways = self.list(self.next, ';'), []
        while not self.accept(';'):
            y = self.next()
            self.next('=')
            ways.append((y, self.expression('int')))
            self.accept(',')
        interval = self.interval()
        self.next(')')
        return Statement('given', sources=own, lets=lets, ways=ways, interval=interval)

    def branch(self):
        why = self.next() if self.peek() in ('guard', 'implied', 'specialize') else 'user'
        condition = self.expression('bool')
        yes, no = self.block(), None
        if self.accept('else'):
            if self.accept('if'):
                no = self.branch()
            else:
                no = self.block()
        return Statement('if', why=why, condition=condition, body=yes, other=no)


def sequence(statements):
    for a, b in zip(statements, statements[1:]):
        if a.kind == b.kind == 'for' and a.piece and b.piece and a.piece[0] == b.piece[0]:
            b.before = a
    return statements[0] if len(statements) == 1 else Statement('seq', parts=statements)


def constant_of(text, t):
    """The constant of type t that the literal is, None if there is none."""
    is_float = re.fullmatch(r'-?(\d+|0[xX][0-9a-fA-F]+)', text) is None
    if t in FLOATS:
        x = Fraction(text) if is_float or 'x' not in text.lower() else Fraction(int(text, 16))
        out = nearest(x, t)
        return -0.0 if is_float and text[0] == '-' and x == 0 else None if abs(out) == float('inf') else out
    if is_float or t != 'int' and t not in WIDTHS:
        return None
    n = int(text, 0)
    low, high = limits(t)
    return n if low <= n <= high else None
