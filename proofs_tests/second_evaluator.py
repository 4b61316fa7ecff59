#!/usr/bin/env python3
"""Sections 2, 3 and 4 of the specification, implemented a second time (in second/: second_values.py, second_text.py, second_algorithm.py,
second_machine.py), against the first.

second_evaluator.py HALYARD [PROGRAM...]   runs target programs on small inputs and compares with "halyard run --engine tgt": each value of
                                           the output bit for bit, or the reason for which the run ended; and the whole derivation
                                           (--trace), rule by rule and value by value, iterations of parallel loops in turns.
                                           A PROGRAM is one word: a .tgt, or "A.alg S.sched:NAME". Without one: those of apps/ and golden/,
                                           every operator on the edges of every type, ALGORITHMS, and as with --runs SUITES.
second_evaluator.py HALYARD --long [PROGRAM...]  the same with runs of a million steps: for the programs that are skipped without it, which takes minutes.
second_evaluator.py HALYARD --told         the operators and ALGORITHMS alone, which takes seconds.
second_evaluator.py HALYARD --faults [NAME..]  HALYARD is of a build with faults (docs/mutants.md): switches on one after the other, those of the interpreters and
                                           of the operators unless named, until something differs; fails for one that is not seen if docs/mutants.md does not say why.
second_evaluator.py HALYARD --runs SUITE.. has these suites of halyard_tests, which lies beside HALYARD, write down what they run in the target
                                           interpreters, most of it wrong in some way, and runs it again: what the monitor saw first,
                                           outputs and derivations. tgt_literal and tgt_small_step are random programs, and take minutes.
"""
import glob
import itertools
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'second'))
from second_algorithm import Algorithm
from second_machine import ERRS, LANES, LEFT_OUT, OUTSIDE_CPU, RACE, READ, UNDEFINED, WRITE, Buffer, Machine, Outcome, TooLong, accesses, point, points
from second_text import Reader, constant_of
from second_values import EPS_ARITH, EPS_MEM, EPS_RDOM, EXACT, FLOATS, MATH, STORED, TYPES, WIDTHS, Error, divide, limits, same, to_float, wrap, zero

SUITES = ['tgt_contract', 'tgt_interp', 'tgt_small_step:wrong_programs,seeds_choose_the_order,updates_are_lost,assignments_interleave,lanes_load_first,'
          'memory_is_scrambled,derivation,small_pipelines']
DEEPEST, FRAMES = 25000, 8  # iterations of a reduction inside each other, and what each of them takes
LARGEST = 8000         # lines of a derivation that is compared
STEPS = 10000          # of a run
LONG_STEPS = 1000000   # of a run of --long
LARGEST_IMAGE = 10**8
CODES = {'range': 'HY0603', 'parameter': 'HY0618', 'require': 'HY0619', 'rdom': 'HY0601', 'factor': 'HY0602', 'image': 'HY0605', 'need': 'HY0606', 'bound': 'HY0613', 'length': 'HY0616',
         'undecided': 'HY0615', 'window': 'HY0604'}
TOO_LARGE = 'HY0607'   # what is stored on the way does not fit into memory: a limit of the machine, not a meaning
ERRORS = {e.name: e for e in (EPS_ARITH, EPS_RDOM, EPS_MEM)}


# -- inputs: "Generated inputs" of docs/language.md --

def word(seed, i):
    z = (seed + (i + 1) * 0x9E3779B97F4A7C15) % 2**64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % 2**64
    return z ^ (z >> 31)


def element(t, w):
    if t in WIDTHS:
        return wrap(w, t)
    if t in FLOATS:
        return (w >> 11) / 2**53 if t == 'f64' else to_float((w >> 40) / 2**24, t)
    return bool(w & 1) if t == 'bool' else wrap(w, 'i32')


class Random(dict):
    """The elements of an image random:SIZES:SEED."""

    def __init__(self, t, box, seed):
        super().__init__()
        self.t, self.box, self.seed = t, box, seed

    def __contains__(self, i):
        return True

    def __missing__(self, i):
        place, size = 0, 1
        for c, (m, n) in zip(i, self.box):
            place, size = place + (c - m) * size, size * n
        self[i] = (element(self.t, word(self.seed, place)), 0)
        return self[i]


class Input:
    def __init__(self, program, start, length, room, seed):
        """A window [start, start + length) in each dimension, images that reach by "room" beyond it; of seed 0 parameters are 0."""
        self.window = [(start + d, max(1, length - d) if length > 0 else length) for d in range(len(program.window))]
        self.params, self.images, self.words = {}, {}, []
        for k, a in enumerate(program.params):
            t = program.types[a].settle()
            text = 'true' if t == 'bool' else ['3', '1', '4', '2'][(seed + k) % 4] if seed else '0'
            self.params[a] = constant_of(text, t) if t != 'bool' else True
            self.words += ['-p', '%s=%s' % (a, text)]
        for g, rank in program.images.items():
            t, far = program.types[g].settle(), room if rank < 3 else max(2, room // 4)
            box = [(start - far, length + 2 * far)] * rank
            if (length + 2 * far) ** rank > LARGEST_IMAGE:
                raise NotImplementedError('an image of more than %d elements' % LARGEST_IMAGE)
            self.images[g] = Buffer(box, Random(t, box, seed), t)
            if rank:
                self.words += ['-i', '%s=random:%s:%d@%s' % (g, 'x'.join(str(n) for _, n in box), seed, ','.join(str(m) for m, _ in box))]
            else:
                self.words += ['-i', '%s=random::%d' % (g, seed)]
        if program.window:
            self.words += ['--window', ','.join('%s=%d:%d' % (x, m, n) for x, (m, n) in zip(program.window, self.window))]


# -- what the first implementation says --

def value_of(text, t):
    """A value as it is printed in a derivation."""
    if text in ERRORS:
        return ERRORS[text]
    if text in ('true', 'false'):
        return text == 'true'
    if t in FLOATS:
        quotient = re.fullmatch(r'(?:b?f16)?\((-?)(\d)\.0 / 0\.0\)', text)  # infinities and NaN have no literals
        x = divide(float(quotient.group(1) + quotient.group(2)), 0.0) if quotient else float(text)
        return to_float(x, t)  # as few digits as it takes: rounding twice is rounding once
    return int(text)


def read_npy(path):
    data = open(path, 'rb').read()
    size = struct.unpack('<H', data[8:10])[0]
    head = data[10:10 + size].decode()
    kind = re.search(r"'descr': '(.)(.)(\d)'", head)
    count = {'i1': 'b', 'i2': 'h', 'i4': 'i', 'i8': 'q', 'u1': 'B', 'u2': 'H', 'u4': 'I', 'u8': 'Q', 'f2': 'e', 'f4': 'f', 'f8': 'd', 'b1': '?', 'V2': 'H'}[kind.group(2) + kind.group(3)]
    return re.search(r"'fortran_order': (\w+)", head).group(1), [v for v, in struct.iter_unpack('<' + count, data[10 + size:])]


def theirs(halyard, words, inputs, more, engine='tgt', names=('',)):
    """The outcome: a list of values in memory order, part after part, ('error', which part, first point, kind, how many), or an error code.
    "names": of the parts, where the output has several."""
    with tempfile.TemporaryDirectory() as folder:
        paths = ['%s/out%d.npy' % (folder, k) for k in range(len(names))]
        written = [word for name, path in zip(names, paths) for word in ('-o', name + path)]
        run = subprocess.run([halyard, 'run', *words, '--engine', engine, *inputs.words, *more, *written], capture_output=True, text=True, check=False)
        if run.returncode == 0:
            return [v for path in paths for v in read_npy(path)[1]]
        found = re.search(r'HY0608\]: \w+(?:\.(\d))?\(([^)]*)\) is the error value (\w+); (\d+) of', run.stderr) or \
            re.search(r'HY0608\]: \w+(?:\.(\d))?(\(\))? is the error value (\w+)()', run.stderr)
        if found:
            return ('error', int(found.group(1) or 0), found.group(2), found.group(3), found.group(4))
        code = re.search(r'error\[(HY\d+)\]', run.stderr)
        # The same outcome: whether the algorithm reads so much too, is said for the user.
        return code.group(1).replace('HY0617', CODES['image']) if code else run.stderr[:80]


def names_of(f, parts):
    """What stands before the files of its parts."""
    return ['%s.%d=' % (f, k) for k in range(parts)] if parts > 1 else ['']


def ours(outcome, window):
    if outcome.reason is not None:
        return CODES[outcome.reason[1]] if isinstance(outcome.reason, tuple) else outcome.reason
    values = []
    for k, part in enumerate(outcome.output):
        order = [tuple(reversed(p)) for p in points(list(reversed(window)))] if part else []
        errors = [(i, part[i]) for i in order if isinstance(part[i], Error)]
        if errors:
            return ('error', k, ', '.join(map(str, errors[0][0])), errors[0][1].name, str(len(errors)))
        values += [part[i] for i in order]
    return values


def alike(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return a == b


# -- derivations --

LINE = re.compile(r'^( *)\[(TGT\.[\w-]+)\] ?(.*?)(?:    \{.*\})?$')


def derivation(text):
    """What --trace prints: (depth, rule, text), with the values of steps and expressions."""
    out, opened, watched = [], {}, None
    for line in text.split('\n'):
        found = LINE.match(line)
        indent = len(line) - len(line.lstrip(' '))
        depth = 0 if indent == 0 else (indent - 4) // 2 + 1
        if watched is not None and depth > watched:  # the premises of what the monitor looks at
            continue
        watched = None
        if found and found.group(2) == 'TGT.Read-Out':
            continue
        if found and found.group(2) == 'TGT.Read-Arms':
            watched = depth
        elif found:
            out.append([depth, found.group(2), found.group(3), None])
            opened[depth] = out[-1]
        elif re.match(r'^ += ', line):
            opened[depth][3] = line.strip()[2:]
    return out


def step_value(rule, text, value):
    """The value that the line of a step or expression tells, as text; none if it tells none."""
    if value is not None:
        return value
    if rule in ('TGT.Store', 'TGT.Assign-Poison') and ' := ' in text:
        return text.rsplit(' := ', 1)[1]
    if rule == 'TGT.Const' or rule in ('TGT.For', 'TGT.Par-Step') and ' = ' in text and ' in (' not in text:
        return text.rsplit(' = ', 1)[-1]
    return None


# A derivation names a read before it knows which rule it is.
PRINTED = {'TGT.Read-Out': 'TGT.Read'}


def difference(log, text):
    """Where a derivation differs from the log of ours, none if nowhere."""
    theirs_all = derivation(text)
    while theirs_all and theirs_all[-1][1] == 'TGT.Alloc-End':
        theirs_all.pop()
    mine = list(log)
    while mine and mine[-1][1] in ('TGT.Alloc-End', 'TGT.Realize'):
        mine.pop()
    for k, (a, b) in enumerate(zip(mine, theirs_all)):
        if (a[0], PRINTED.get(a[1], a[1])) != (b[0], b[1]):
            return 'line %d: %s, where it has %s %s' % (k + 1, a, b[1], b[2])
        value = step_value(b[1], b[2], b[3])
        if a[3] is not None and value is not None and a[1] != 'TGT.Alloc-End':
            c, u = a[3]
            marked = b[3] is None or u == value.endswith(' (undefined)')  # steps do not tell the mark
            if not marked or not same(c, value_of(value.replace(' (undefined)', ''), a[4])):
                return 'line %d: %s, where it has %s %s = %s' % (k + 1, a, b[1], b[2], value)
    if len(mine) != len(theirs_all):
        return '%d lines, where it has %d' % (len(mine), len(theirs_all))
    return None


def turns(text):
    """The iterations that a derivation lets step, in order, by their loop variable."""
    return [int(m) for m in re.findall(r'^\[TGT\.Par-Step\] \S+ = (-?\d+)', text, re.M)]


def follow(order):
    """Chooses as the derivation does."""
    rest = iter(order)
    return lambda frame: next(rest) - frame.m


def made_up(lines):
    """Gives fresh memory the values that a derivation shows in it."""
    def fresh(t, at):
        value = lines[at][3] if at is not None and at < len(lines) else None
        return value_of(value.replace(' (undefined)', ''), t) if value and value.endswith(' (undefined)') else zero(t)
    return fresh


# -- runs that the suites of the target interpreter wrote down (proofs_tests/support/tgt_harness.h) --

BREACHES = {'read outside Cpu': OUTSIDE_CPU, 'Cpu not covered': LEFT_OUT, 'undefined value used': UNDEFINED, 'race': RACE}
LITERAL = (WRITE, READ, UNDEFINED, LANES, ERRS)  # the contracts that the literal evaluator watches


class Written:
    """A run: which evaluator, how, what it said, and the program."""

    def __init__(self, text):
        head, said, self.output, text = text.split('\n', 3)
        engine, self.mode, monitor, scrambled, *numbers = head.split()
        self.literal, self.monitor, self.scrambled = engine == 'literal', monitor == '1', scrambled == '1'
        self.w, start, length = map(int, numbers)
        self.said = BREACHES.get(said, said)
        text, _, self.trace = text.partition('--- derivation\n')
        self.q = Reader(text).program()
        self.window = [(start, length)] * len(self.q.window)
        self.params = {a: self.integral(self.q.types[a].settle(), self.w) for a in self.q.params}
        self.images = {g: self.image(g, rank) for g, rank in self.q.images.items()}

    def integral(self, t, n):
        return bool(n & 1) if t == 'bool' else n if t == 'int' else float(n) if t in FLOATS else wrap(n, t)

    def image(self, g, rank):
        t, cells, size = self.q.types[g].settle(), {}, 1
        box = [(-2, 12 - d) for d in range(rank)]
        for n, p in enumerate(points(list(reversed(box)))):
            cells[tuple(reversed(p))] = (self.integral(t, n * 37 + 11), 0)
        return Buffer(box, cells, t)

    def has_meaning(self, S=None):
        """Whether section 4 has rules for it: predicates stand around assignments, they and guards have no else, bounds read nothing."""
        S = S or self.q.body
        if S.kind == 'if' and S.why != 'specialize' and S.other or S.kind == 'if' and S.why == 'user' and point(S) is None:
            return False
        own = list(S.interval) if S.kind == 'for' else [S.value] if S.kind == 'let' else [S.condition] if S.kind == 'if' and S.why != 'user' else []
        if any(True for e in own for _ in accesses(e)):
            return False
        return all(self.has_meaning(below) for below in (S.parts if S.kind == 'seq' else [b for b in (getattr(S, 'body', None), getattr(S, 'other', None)) if b]))

    def run(self, watch, log=None):
        lines = derivation(self.trace)
        order = follow(turns(self.trace)) if self.literal and self.scrambled else None
        self.machine = Machine(self.q, self.window, self.params, self.images, self.mode, order, made_up(lines) if self.literal else None, log, watch=watch, steps=STEPS)
        return self.machine.run()

    def compare(self):
        log = [] if self.literal else None
        mine = self.run(self.monitor, log)
        if isinstance(mine.reason, tuple):
            return None if self.said == 'assumption' else 'an assumption fails'
        wrong = difference(log, self.trace) if self.literal else None
        return wrong or self.breach(mine) or self.values(mine)

    def breach(self, mine):
        """A breach that is told is one of those of the first step that has one: for the fast evaluator an assignment is one step. A point
        that is left out is seen where the computation ends, in no assignment."""
        seen = [b for b in mine.breaches if not self.literal or b[1] in LITERAL]
        if self.said == 'assumption' or (self.said == 'kept') != (not seen):
            return 'it says "%s": %s' % (self.said, seen[:3])
        first = [b[1] for b in seen if b[0] <= seen[0][0] + (not self.literal and seen[0][1] != LEFT_OUT)]
        return None if not seen or self.said in first else 'it says "%s" first: %s' % (self.said, seen[:3])

    def values(self, mine):
        """Of the outputs, where nothing shows that the relation leaves open."""
        breaches = mine.breaches if self.monitor or mine.output is None else self.run(True).breaches
        free = {UNDEFINED} if self.literal or not self.scrambled else {UNDEFINED, RACE}
        if mine.output is None:
            return None if self.output == 'none' else 'it has no output'
        if self.machine.marked or any(b[1] in free for b in breaches):
            return None
        first = mine.output[0]  # of a tuple what the suites write down
        order = [tuple(reversed(p)) for p in points(list(reversed(self.window)))] if first else []
        theirs_all = self.output.split()
        if len(order) != len(theirs_all):
            return '%d values, where it has %d' % (len(order), len(theirs_all))
        for i, text in zip(order, theirs_all):
            if not same(first[i], value_of(text, self.q.types[self.q.output].settle())):
                return 'at %s it is %s, where it has %s' % (i, first[i], text)
        return None


# -- all of them --

def programs():
    """Of apps/ and golden/ every algorithm, every schedule with its algorithm, every target program."""
    out, algorithms = [], {}
    for path in sorted(glob.glob('apps/*.alg') + glob.glob('apps/*/*.alg')) + sorted(glob.glob('proofs_tests/golden/*.alg')):
        algorithms[re.search(r'^pipeline (\w+)', open(path, encoding='utf-8').read(), re.M).group(1)] = path
        out.append(path)
    for path in sorted(glob.glob('apps/*.sched') + glob.glob('apps/*/*.sched')) + sorted(glob.glob('proofs_tests/golden/*.sched')):
        for name, pipeline in re.findall(r'^schedule (\w+) for (\w+)', open(path, encoding='utf-8').read(), re.M):
            beside = path[:-len('.sched')] + '.alg'  # several pipelines have the same name
            own = beside in out and re.search(r'^pipeline %s\b' % pipeline, open(beside, encoding='utf-8').read(), re.M)
            out.append('%s %s:%s' % (beside if own else algorithms[pipeline], path, name))
    return out + sorted(glob.glob('proofs_tests/golden/*.tgt'))


# What stands for something else: families, names, tables, what is derived.
FORMS = re.compile(r'^ *(for \w+ in|const|def|include) |_sat\(|\.(extent|max|width|height|channels|left|right|top|bottom)\(|\b(repeat_edge|sum|argmin|argmax|lerp|mux|fast_\w+|reinterpret_\w+|fract|hypot|is_\w+|\w+_round_to_zero|widening_\w+)\(', re.M)


def core_of(halyard, path):
    """The text of an algorithm; what its forms stand for in apps/, and where its first line says that it has some, or a family shows."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    if not text.startswith('// ALG.Expand') and not path.startswith('apps/') and not FORMS.search(text):
        return text
    return subprocess.run([halyard, 'show', path, '--stage', 'alg'], capture_output=True, text=True, check=True).stdout


class Case:
    """A program with an input on which it passes its entry block, if one of a few does."""

    def __init__(self, halyard, words, text, start, length, seed):
        self.halyard, self.words, self.q = halyard, words, Reader(text).program()
        self.names = names_of(self.q.output, len(self.q.parts[self.q.output]))
        for room in (8, 64, 700):
            self.input = Input(self.q, start, length, room, seed)
            self.outcome = self.run()
            if not (isinstance(self.outcome.reason, tuple) and self.outcome.reason[1] == 'image'):
                break

    def run(self, mode='lazy', choose=None, fresh=None, log=None):
        return Machine(self.q, self.input.window, self.input.params, self.input.images, mode, choose, fresh, log, steps=STEPS).run()

    def compare_outcome(self):
        """The fast evaluator's outcome."""
        mine, other = ours(self.outcome, self.input.window), theirs(self.halyard, self.words, self.input, [], 'tgt', self.names)
        if other == TOO_LARGE:
            raise NotImplementedError('more memory than the fast evaluator takes')
        return None if alike(mine, other) else 'the outcome is %s, where it has %s' % (str(mine)[:200], str(other)[:200])

    def compare_algorithm(self):
        """Section 3, of an algorithm by itself, in both modes."""
        reader = Reader(core_of(self.halyard, self.words[0]))
        stages = reader.algorithm()
        types = [part.settle() for part in reader.parts[list(stages)[-1]]]
        names = names_of(list(stages)[-1], len(types))
        if any(not low <= self.input.params[a] <= high for a, (low, high) in reader.ranges.items()) and all(n for _, n in self.input.window):
            other = theirs(self.halyard, self.words, self.input, [], 'alg', names)  # ALG.Realize-Param
            return None if other == CODES['parameter'] else '--engine alg gives %s for a parameter outside of its range' % str(other)[:200]
        for mode in ('lazy', 'strict'):
            output = Algorithm(reader, stages, self.input.window, self.input.params, self.input.images, mode).run(points(self.input.window))
            if output is None:
                other = theirs(self.halyard, self.words, self.input, ['--mode', mode], 'alg', names)
                if other != CODES['require']:
                    return '--engine alg --mode %s gives %s for an input that is not allowed' % (mode, str(other)[:200])
                continue
            mine, other = ours(Outcome(output, None, []), self.input.window), theirs(self.halyard, self.words, self.input, ['--mode', mode], 'alg', names)
            if not alike(mine, other):
                return '--engine alg --mode %s gives %s, where it has %s' % (mode, str(other)[:200], str(mine)[:200])
            why = self.compare_literal(mode, output, types)
            if why:
                return why
        return None

    def compare_literal(self, mode, output, types):
        """The literal evaluator of algorithms: the value of each point that its derivation ends in, part after part."""
        run = subprocess.run([self.halyard, 'run', *self.words, '--engine', 'alg', *self.input.words, '--trace', '--mode', mode, '--steps', str(LARGEST)],
                             capture_output=True, text=True, check=False)
        told = re.findall(r'^(?:\[ALG\.Realize\] \w+\((.*)\)(?:\[\d\])?|= (.*))$', run.stdout, re.M)
        for n, ((at, _), (_, value)) in enumerate(zip(told[::2], told[1::2])):
            i = tuple(int(c) for c in at.split(', ')) if at else ()
            part = min(n // max(1, len(output[0])), len(output) - 1)
            if i not in output[part]:
                return '--engine alg --mode %s --trace has a value at %s, which is outside of the window' % (mode, i)
            if not same(output[part][i], value_of(value, types[part])):
                return '--engine alg --mode %s --trace gives %s at %s, where it has %s' % (mode, value, i, output[part][i])
        wanted = len(output) * len(output[0])
        return None if 'HY0614' in run.stderr or len(told) == 2 * wanted else '--trace tells %d values of %d' % (len(told) // 2, wanted)

    def compare_derivation(self, mode, seed, largest=LARGEST):
        """The literal evaluator's, iterations in the order that it chose; how many lines are the same, and what is not."""
        run = subprocess.run([self.halyard, 'run', *self.words, '--engine', 'tgt', *self.input.words, '--trace', '--mode', mode, '--seed', seed, '--steps', str(largest)],
                             capture_output=True, text=True, check=False)
        if 'HY0614' in run.stderr:
            return 0, None
        if isinstance(self.outcome.reason, tuple):  # what fails an assumption is told without a derivation
            return 0, None if CODES[self.outcome.reason[1]] in run.stderr.replace('HY0617', CODES['image']) else 'it says ' + run.stderr[:80]
        log = []
        self.run(mode, follow(turns(run.stdout)) if seed != '0' else None, made_up(derivation(run.stdout)), log)
        return len(log), difference(log, run.stdout)


INPUTS = ((1, 3, 1), (-2, 1, 2), (0, 2, 0))


def filled(halyard, words):
    show = subprocess.run([halyard, 'show', *words, '--stage', 'filled'], capture_output=True, text=True, check=False)
    if show.returncode:
        raise NotImplementedError('it has no fills')
    return show.stdout


def compare(halyard, words, text):
    """Lines of derivations that are the same, and a list of differences."""
    lines, wrong = 0, []
    for start, length, seed in INPUTS if Reader(text).program().params else INPUTS[:-1]:
        case = Case(halyard, words, text, start, length, seed)
        wrong.append(case.compare_outcome())
        if words[0].endswith('.alg') and len(words) == 1:
            wrong.append(case.compare_algorithm())
        for mode, order in (('lazy', '3'), ('strict', '0')) if (start, length, seed) == INPUTS[0] else ():
            same_lines, why = case.compare_derivation(mode, order)
            lines += same_lines
            wrong.append(why and '%s, --seed %s: %s' % (mode, order, why))
    return lines, ['%s, in %s' % (w, ' '.join(case.input.words)) for w in wrong if w]


# -- every operator of section 2 on the edges of every type --

def edges(t):
    if t in STORED:
        large, small = ('65504.0', '6e-8') if t == 'f16' else ('3e38', '1e-40')
        return ['0.0', '-0.0', '1.5', '-2.5', '-300.7', large, small, '%s(1.0 / 0.0)' % t, '%s(0.0 / 0.0)' % t, '%s(-1.0 / 0.0)' % t]
    if t in FLOATS:
        return ['0.0', '-0.0', '1.5', '-2.5', '-300.7', '1e10', '1e-40' if t == 'f32' else '1e-310', '3e38' if t == 'f32' else '1e308', '%s(1.0) / 0.0' % t, '%s(0.0) / 0.0' % t]
    low, high = limits(t)
    return [str(n) for n in (low, low + 1, -7, -1, 0, 2, 7, WIDTHS.get(t, 64) - 1, high) if low <= n]


def operators_of(t):
    """Expressions over a(i) and a(j)."""
    if t in STORED:
        return ['%s(a(i))' % to for to in TYPES] + ['f16_from_bits(u16(i) * 8191)', 'bf16_from_bits(u16(i) * 8191)', '%s_bits(a(i))' % t], ['select(i < j, a(i), a(j))']
    unary = ['-a(i)', 'abs(a(i))'] + ['%s(a(i))' % to for to in TYPES]
    binary = ['a(i) %s a(j)' % op for op in ('+', '-', '*', '/', '==', '!=', '<', '<=', '>', '>=')] + ['min(a(i), a(j))', 'max(a(i), a(j))', 'select(a(i) < a(j), a(i), a(j))']
    if t in FLOATS:
        unary += ['%s(a(i))' % f for f in tuple(EXACT) + MATH if f not in ('pow', 'atan2')]
        return unary, binary + ['pow(a(i), a(j))', 'atan2(a(i), a(j))', 'fma(a(i), a(j), a(j))', 'fma(a(i), a(j), -1.5)', 'fma(-1.1, a(i), a(j))']
    logic = ['%s%s && a(j) %% a(i) == a(j)', '%s%s || a(j) / a(i) == a(j)']
    return unary + ['~a(i)'], binary + ['a(i) %s a(j)' % op for op in ('%', '&', '|', '^', '<<', '>>')] + [e % ('', 'a(i) / a(j) < a(i)') for e in logic] + ['!(a(i) / a(j) < a(i))']


def operators(t):
    """An algorithm with a func for each."""
    values = edges(t)
    a = values[-1]
    for k in reversed(range(len(values) - 1)):
        a = 'select(i == %d, %s, %s)' % (k, values[k], a)
    lines, used = ['fun a(i) = %s(%s);' % (t, a) if t in FLOATS and t not in STORED else 'fun a(i) = select(true, %s, %s(0));' % (a, t)], []
    unary, binary = operators_of(t)
    for k, e in enumerate(unary):
        lines.append('fun one%d(i) = %s;' % (k, e))
        used.append('one%d(i)' % k)
    for k, e in enumerate(binary):
        lines.append('fun two%d(i, j) = %s;' % (k, e))
        used.append('two%d(i, j)' % k)
    lines.append('fun o(i, j) = %s;' % ' || '.join(['true'] + ['bool(%s)' % e for e in used]))
    return 'pipeline operators_%s() {\n  %s\n}\n' % (t, '\n  '.join(lines)), len(values)


def compare_operators(halyard, t):
    text, size = operators(t)
    with tempfile.TemporaryDirectory() as folder:
        path = folder + '/operators.alg'
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        program = filled(halyard, [path])
        case = Case(halyard, [path], program, 0, 1, 0)
        case.input.window = [(0, size)] * 2
        case.input.words = ['--window', 'i=0:%d,j=0:%d' % (size, size)]
        case.outcome = case.run()
        lines, wrong = case.compare_derivation('lazy', '0', 10**6)
        return lines, wrong or case.compare_outcome()


# -- algorithms of section 3, each with one thing that another reading of a rule would change --

ALGORITHMS = (
    ('the first variable of an rdom is the innermost one', 'fun f(x) = { x; rdom(r = (0, 3), q = (0, 2)) in (x) <- f(x) * 3 + r + 5 * q; };'),
    ('a later write wins', 'fun f(x) = { 0; rdom(r = (0, 5)) in (r / 2) <- r; };'),
    ('after an error at every point a later write wins', 'fun f(x) = { 0; rdom(r = (0, 2)) in (select(r == 0, 1 / r, 2)) <- r + 5; };'),
    ('after a write at a point a later error wins', 'fun f(x) = { 0; rdom(r = (0, 2)) in (select(r == 1, 1 / (r - 1), 2)) <- r + 5; };'),
    ('in strict mode what is not selected errs as well', 'fun f(x) = { 0; (x) <- select(x > 2, 6 / (x - 1), x) + select(x == 0 || 6 / x > 2, 1, 2); };'),
    ('both sides of a choice, of one that decides too', 'fun f(x) = select(x < 4 || x < 9, 1, 2) + select(x > 2 && x > 1, 10, 20);'),
    ('poison is the join of all predicates and of the value', 'fun g(x) = { 0; rdom(r = (0, n - 3)) in (x) <- 7; };\n  fun f(x) = { x; (x) <- int(in(9000)) if g(x) > 0; };'),
    ('what was overwritten is gone, but for strict errors', 'fun f(x) = { 6 / x; (x) <- 7 if x < 4; (x) <- f(x) + 1; };'),
    ('a false predicate decides alone', 'fun f(x) = { x; (x) <- 7 if x > 3; rdom(r = (0, 1)) in (1 / r) <- 8 if r > 0; };'),
    ('an erring predicate hits', 'fun f(x) = { x; (x) <- 7 if 6 / x > 2; };'),
    ('an erring coordinate matches everything', 'fun g(x, y) = { x; rdom(r = (0, 2)) in (4 / r, 1) <- 7; };\n  fun f(x) = g(x, x);'),
    ('errors of predicate, coordinates and value are joined', 'fun f(x) = { x; rdom(r = (0, 1)) in (1 / r) <- int(in(9000)); };'),
    ('of two errors the greater one stays, whichever comes first', 'fun f(x) = select(x > 2, 6 / x + int(in(9000)), int(in(9000)) + 6 / x) + 6 / x;'),
    ('an index that errs is an error', 'fun g(x) = x + 1;\n  fun f(x) = g(6 / x);'),
    ('an image is an error outside of its box', 'fun f(x) = select(x == 2, int(in(9000)), int(in(x)));'),
    ('an image is read where the index says', 'fun f(x) = int(in(x)) * 1000 + int(in(x + 1));'),
    ('an arm that is not selected, and a right side that is not evaluated', 'fun f(x) = select(x == 0, 1, 6 / x) + select(x != 0 && 6 / x > 2, 10, 20);'),
    ('a condition that is an error is one', 'fun f(x) = select(1 / x > 0, 3, 4);'),
    ('quotients are rounded down', 'fun f(x) = (x - 5) / 2 * 100 + (x - 5) % 3;'),
    ('strictly, the error of the old value stays', 'fun f(x) = { 1 / x; (x) <- 5; };'),
    ('a negative rdom is an error where it is met', 'fun g(x) = { x; rdom(r = (0, n - 3)) in (x) <- 7; };\n  fun f(x) = select(x < 3, x, g(x));'),
    ('an erring bound of an rdom, too', 'fun g(x) = { x; rdom(r = (0, 1 / n)) in (x) <- 7; };\n  fun f(x) = select(x < 3, x, g(x));'),
    ('what is not reached is no matter', 'fun g(x) = { x; rdom(r = (0, 0 - 1)) in (x) <- 7; };\n  fun f(x) = x;'),
    ('coordinates in their order, and points', 'fun g(x, y) = x + 10 * y;\n  fun f(x) = g(x, x + 1) - 2 * g(3, 4);'),
    ('all values of a tuple are computed before any is stored', 'fun g(x) = { (x, 10 * x); (x) <- (g(x)[1], g(x)[0] + g(x)[1]); };\n  fun f(x) = g(x)[0] + 1000 * g(x)[1];'),
    ('a part of a tuple has an error of its own', 'fun g(x) = (6 / x, int(in(9000)), x);\n  fun f(x) = select(x < 2, g(x)[0], select(x < 4, g(x)[1], g(x)[2]));'),
    ('an erring coordinate hits every part', 'fun g(x) = { (x, u8(x)); rdom(r = (0, 2)) in (select(r == 0, 6 / r, 1 + r)) <- (r, u8(8)); };\n  fun f(x) = select(x == 2, g(x)[0], int(g(x)[1]));'),
    ('an output has all its parts, each with an error of its own', 'fun g(x) = (6 / x, x);\n  fun f(x) = { (g(x)[1] + 1, u8(x), g(x)[0]); (x) <- (f(x)[2] / 2, u8(f(x)[0]), 7) if x > 3; };'),
    ('an output of which every part is a value', 'fun f(x) = { (x, u8(x * 2), x > 2); rdom(r = (0, 2)) in (x) <- (int(f(x)[1]) + r, u8(f(x)[0]), !f(x)[2]); };'),
    ('a func that is read has all its stages', 'fun g(x) = { x; (x) <- g(x) + 100; };\n  fun h(x) = x;\n  fun f(x) = { g(x) - h(x + 1); (x) <- f(x) + g(x); };'),
)


class Told(Case):
    """An algorithm by itself, whether or not it has fills."""

    def __init__(self, halyard, path, length):
        self.halyard, self.words, reader = halyard, [path], Reader(open(path, encoding='utf-8').read())
        reader.window = reader.funcs[list(reader.algorithm())[-1]]
        self.input = Input(reader, 0, length, 8, 0)


def compare_target(halyard, path):
    """What an algorithm is lowered to, where it has fills: lines of derivations that are the same, and what is not so."""
    lines = 0
    try:
        case = Case(halyard, [path], filled(halyard, [path]), 0, 6, 0)
    except NotImplementedError:
        return 0, None
    why = case.compare_outcome()
    for mode in () if why else ('lazy', 'strict'):
        same_lines, differs = case.compare_derivation(mode, '0')
        lines, why = lines + same_lines, why or differs and '%s: %s' % (mode, differs)
    return lines, why and 'as a target program: ' + why


# Each part gives, for one thing after the other that is compared: its name, how many lines of derivations are the same, and what
# differs, none if nothing; LEFT for what the specification has no rules for.
LEFT = 'left out'


def part_operators(halyard):
    for t in TYPES:
        if t != 'bool':
            lines, why = compare_operators(halyard, t)
            yield 'operators on the edges of ' + t, lines, why


def part_algorithms(halyard):
    for name, text in ALGORITHMS:
        with tempfile.TemporaryDirectory() as folder:
            path = folder + '/told.alg'
            with open(path, 'w', encoding='utf-8') as file:
                file.write('pipeline told(n: int, in: u8[1]) {\n  %s\n}\n' % text)
            why = Told(halyard, path, 6).compare_algorithm() or Told(halyard, path, 0).compare_algorithm()
            lines, other = compare_target(halyard, path)
        yield name, lines, why or other


def part_programs(halyard, chosen):
    seen = set()
    for words in chosen:
        try:
            text = filled(halyard, words.split())
            if text in seen:
                continue
            seen.add(text)
            lines, wrong = compare(halyard, words.split(), text)
        except (NotImplementedError, TooLong, RecursionError) as why:
            long = {TooLong: 'more than %d steps' % STEPS, RecursionError: 'a reduction of more than %d steps' % DEEPEST}
            print('skipped %s: %s' % (words, long.get(type(why), why)))
            yield words, 0, LEFT
            continue
        yield words, lines, '; '.join(wrong) or None


def part_suites(halyard, suites):
    """The runs that the suites write down."""
    for suite in suites:
        with tempfile.TemporaryDirectory() as folder:
            path = folder + '/runs'
            subprocess.run([os.path.dirname(halyard) + '/halyard_tests', '-j', '1', '=' + suite], env={**os.environ, 'HALYARD_TGT_RUNS': path}, stdout=subprocess.DEVNULL, check=False)
            runs = open(path, encoding='utf-8').read().split('\n=== ') if os.path.exists(path) else ['=== none']
        for k, text in enumerate(runs):
            text, why = text[4:] if k == 0 else text, None
            try:
                run = Written(text)
                why = run.compare() if run.has_meaning() else LEFT
            except TooLong:
                why = LEFT
            except (ValueError, KeyError, AssertionError, StopIteration, IndexError) as problem:
                why = '%s: %s' % (type(problem).__name__, problem)
            shown = why and '%s\n%s' % (why, '\n'.join('    ' + line for line in text.split('--- derivation')[0].split('\n')))
            yield '%s, run %d' % (suite, k + 1), 0, why if why == LEFT else shown


class Count:
    """What came of the parts; the first differences of each are printed."""

    def __init__(self):
        self.passed = self.failed = self.skipped = self.lines = 0

    def take(self, part, most=1000):
        """How many were the same, how many were left out."""
        before, left, told = self.passed, 0, 0
        for name, lines, why in part:
            self.lines += lines
            left += why == LEFT
            self.passed += why is None
            if why and why != LEFT:
                self.failed, told = self.failed + 1, told + 1
                if told <= most:
                    print('FAILED %s: %s' % (name, why))
        return self.passed - before, left


def interpreters_faults():
    """The faults of the interpreters and of the arithmetic that they share."""
    rows = re.findall(r'^HY_MUTANT_ROW\((\w+), "(\w+)"', open('proofs_tests/mutants/mutants.def', encoding='utf-8').read(), re.M)
    values = open('proofs_tests/mutants/semantics.txt', encoding='utf-8').read().split('= semantics/value/value.c\n')[1].split('\n= ')[0]
    values = re.findall(r'HY_MUTANT\((\w+)\)', values)
    return list(dict.fromkeys(values)) + [name for name, folder in rows if folder in ('tape', 'alg_interp', 'tgt_interp')]


def under_faults(halyard, names):
    """Each fault switched on: what differs first, if anything does. A fault that the table of docs/mutants.md lists need not be seen; any other has to be."""
    text = open('docs/mutants.md', encoding='utf-8').read().split('\n## Faults that the second evaluator sees\n')[1].split('\n## ')[0]
    excused = set(re.findall(r'`(\w+)`', ''.join(line.split('|')[1] for line in text.split('\n') if line.startswith('| `'))))
    count = Count()
    for fault in names or interpreters_faults():
        os.environ['HALYARD_MUTANT'] = fault
        parts = itertools.chain(part_algorithms(halyard), part_operators(halyard), part_suites(halyard, SUITES), part_programs(halyard, programs()))
        first = next((name for name, _, why in parts if why and why != LEFT), None)
        print('%s: %s' % (fault, first or ('not seen, as docs/mutants.md says' if fault in excused else 'not seen')), flush=True)
        good = (first is None) == (fault in excused)
        count.passed, count.failed = count.passed + good, count.failed + (not good)
    return count


def main():
    global STEPS
    sys.setrecursionlimit(DEEPEST * FRAMES)
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    halyard = os.path.abspath(sys.argv[1])
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    option, rest, count = sys.argv[2] if sys.argv[2:3] and sys.argv[2].startswith('--') else None, sys.argv[2:], Count()
    if option == '--faults':
        count = under_faults(halyard, rest[1:])
    if option == '--long':
        STEPS = LONG_STEPS
    if option in (None, '--long'):
        count.skipped += count.take(part_programs(halyard, rest[1 if option else 0:] or programs()))[1]
    if not rest or option == '--told':
        count.take(part_operators(halyard))
        count.take(part_algorithms(halyard))
    if not rest or option == '--runs':
        good, left = count.take(part_suites(halyard, rest[1:] or SUITES), 5)
        print('%d runs of %s are the same in both; %d more have no rules (predicates around more than an assignment, bounds that read)' % (good, ' and '.join(rest[1:] or SUITES), left))
    if count.lines:
        print('%d lines of derivations are the same in both' % count.lines)
    print('%d passed, %d failed, %d skipped' % (count.passed, count.failed, count.skipped))
    return 1 if count.failed or not count.passed else 0


def with_room(run):
    """A reduction is a recursion as deep as it is long: more of it than the stack of the main thread holds."""
    result = []
    threading.stack_size(1 << 30)
    thread = threading.Thread(target=lambda: result.append(run()))
    thread.start()
    thread.join()
    return result[0] if result else 1


if __name__ == '__main__':
    sys.exit(with_room(main))
