#!/usr/bin/env python3
"""Sections 2 and 4 of the specification, implemented a second time (second_values.py, second_text.py, second_machine.py), against the first.

second_evaluator.py HALYARD [PROGRAM...]   runs target programs on small inputs and compares with "halyard run --engine tgt": each value of
                                           the output bit for bit, or the reason for which the run ended; and the whole derivation
                                           (--trace), rule by rule and value by value, iterations of parallel loops in turns.
                                           A PROGRAM is one word: a .tgt, or "A.alg S.sched:NAME". Without one: those of apps/ and golden/.
"""
import glob
import os
import re
import struct
import subprocess
import sys
import tempfile

from second_machine import Buffer, Machine, TooLong, points
from second_text import Reader, constant_of
from second_values import EPS_ARITH, EPS_MEM, EPS_RDOM, FLOATS, WIDTHS, Error, divide, same, to_f32, wrap, zero

LARGEST = 12000  # lines of a derivation that is compared
STEPS = 20000     # of a run
CODES = {'range': 'HY0603', 'rdom': 'HY0601', 'factor': 'HY0602', 'image': 'HY0605', 'need': 'HY0606', 'bound': 'HY0613', 'length': 'HY0616',
         'undecided': 'HY0615', 'window': 'HY0604'}
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
        return (w >> 40) / 2**24 if t == 'f32' else (w >> 11) / 2**53
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
        """A window [start, start + length) in each dimension, images that reach by "room" beyond it."""
        self.window = [(start + d, max(1, length - d) if length > 0 else length) for d in range(len(program.window))]
        self.params, self.images, self.words = {}, {}, []
        for k, a in enumerate(program.params):
            t = program.types[a].settle()
            text = ['3', '1', '4', '2'][(seed + k) % 4] if t != 'bool' else 'true'
            self.params[a] = constant_of(text, t) if t != 'bool' else True
            self.words += ['-p', '%s=%s' % (a, text)]
        for g, rank in program.images.items():
            t, far = program.types[g].settle(), room if rank < 3 else max(2, room // 4)
            box = [(start - far, length + 2 * far)] * rank
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
        quotient = re.fullmatch(r'\((-?)(\d)\.0 / 0\.0\)', text)  # infinities and NaN have no literals
        x = divide(float(quotient.group(1) + quotient.group(2)), 0.0) if quotient else float(text)
        return to_f32(x) if t == 'f32' else x
    return int(text)


def read_npy(path):
    data = open(path, 'rb').read()
    size = struct.unpack('<H', data[8:10])[0]
    head = data[10:10 + size].decode()
    kind = re.search(r"'descr': '(.)(.)(\d)'", head)
    count = {'i1': 'b', 'i2': 'h', 'i4': 'i', 'i8': 'q', 'u1': 'B', 'u2': 'H', 'u4': 'I', 'u8': 'Q', 'f4': 'f', 'f8': 'd', 'b1': '?'}[kind.group(2) + kind.group(3)]
    return re.search(r"'fortran_order': (\w+)", head).group(1), [v for v, in struct.iter_unpack('<' + count, data[10 + size:])]


def theirs(halyard, words, inputs, more):
    """The outcome: a list of values in memory order, ('error', first point, kind, how many), or an error code."""
    with tempfile.TemporaryDirectory() as folder:
        path = folder + '/out.npy'
        run = subprocess.run([halyard, 'run', *words, '--engine', 'tgt', *inputs.words, *more, '-o', path], capture_output=True, text=True, check=False)
        if run.returncode == 0:
            return read_npy(path)[1]
        found = re.search(r'HY0608\]: \w+\(([^)]*)\) is the error value (\w+); (\d+) of', run.stderr) or \
            re.search(r'HY0608\]: \w+(\(\))? is the error value (\w+)()', run.stderr)
        if found:
            return ('error', found.group(1), found.group(2), found.group(3))
        return re.search(r'error\[(HY\d+)\]', run.stderr).group(1)


def ours(outcome, window):
    if outcome.reason is not None:
        return CODES[outcome.reason[1]] if isinstance(outcome.reason, tuple) else outcome.reason
    order = [tuple(reversed(p)) for p in points(list(reversed(window)))] if outcome.output else []
    values = [outcome.output[i] for i in order]
    errors = [(i, c) for i, c in zip(order, values) if isinstance(c, Error)]
    if errors:
        return ('error', ', '.join(map(str, errors[0][0])), errors[0][1].name, str(len(errors)))
    return values


def alike(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return a == b


# -- derivations --

LINE = re.compile(r'^( *)\[(TGT\.[\w-]+)\] ?(.*?)(?:    \{.*\})?$')


def derivation(text):
    """What --trace prints: (depth, rule, text), with the values of steps and expressions."""
    out, opened = [], {}
    for line in text.split('\n'):
        found = LINE.match(line)
        indent = len(line) - len(line.lstrip(' '))
        depth = 0 if indent == 0 else (indent - 4) // 2 + 1
        if found:
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


def difference(log, text):
    """Where a derivation differs from the log of ours, none if nowhere."""
    theirs_all = derivation(text)
    while theirs_all and theirs_all[-1][1] == 'TGT.Alloc-End':
        theirs_all.pop()
    mine = list(log)
    while mine and mine[-1][1] in ('TGT.Alloc-End', 'TGT.Realize'):
        mine.pop()
    for k, (a, b) in enumerate(zip(mine, theirs_all)):
        if (a[0], a[1]) != (b[0], b[1]) and (a[1],b[1])!=('TGT.Assign-Poison','TGT.Store'):
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


# -- all of them --

def programs():
    """Of apps/ and golden/ every algorithm, every schedule with its algorithm, every target program."""
    out, algorithms = [], {}
    for path in sorted(glob.glob('apps/*.alg')) + sorted(glob.glob('proofs_tests/golden/*.alg')):
        algorithms[re.search(r'^pipeline (\w+)', open(path, encoding='utf-8').read(), re.M).group(1)] = path
        out.append(path)
    for path in sorted(glob.glob('apps/*.sched')) + sorted(glob.glob('proofs_tests/golden/*.sched')):
        for name, pipeline in re.findall(r'^schedule (\w+) for (\w+)', open(path, encoding='utf-8').read(), re.M):
            out.append('%s %s:%s' % (algorithms[pipeline], path, name))
    return out + sorted(glob.glob('proofs_tests/golden/*.tgt'))


class Case:
    """A program with an input on which it passes its entry block, if one of a few does."""

    def __init__(self, halyard, words, text, start, length, seed):
        self.halyard, self.words, self.q = halyard, words, Reader(text).program()
        for room in (8, 64, 700):
            self.input = Input(self.q, start, length, room, seed)
            self.outcome = self.run()
            if not (isinstance(self.outcome.reason, tuple) and self.outcome.reason[1] == 'image'):
                break

    def run(self, mode='lazy', choose=None, fresh=None, log=None):
        return Machine(self.q, self.input.window, self.input.params, self.input.images, mode, choose, fresh, log, steps=STEPS).run()

    def compare_outcome(self):
        """The fast evaluator's outcome."""
        mine, other = ours(self.outcome, self.input.window), theirs(self.halyard, self.words, self.input, [])
        return None if alike(mine, other) else 'the outcome is %s, where it has %s' % (str(mine)[:200], str(other)[:200])

    def compare_derivation(self, mode, seed):
        """The literal evaluator's, iterations in the order that it chose; how many lines are the same, and what is not."""
        run = subprocess.run([self.halyard, 'run', *self.words, '--engine', 'tgt', *self.input.words, '--trace', '--mode', mode, '--seed', seed, '--steps', str(LARGEST)],
                             capture_output=True, text=True, check=False)
        if 'HY0614' in run.stderr:
            return 0, None
        if isinstance(self.outcome.reason, tuple):  # what fails an assumption is told without a derivation
            return 0, None if CODES[self.outcome.reason[1]] in run.stderr else 'it says ' + run.stderr[:80]
        log = []
        self.run(mode, follow(turns(run.stdout)) if seed != '0' else None, made_up(derivation(run.stdout)), log)
        return len(log), difference(log, run.stdout)


INPUTS = ((1, 3, 1), (-2, 1, 2))


def filled(halyard, words):
    show = subprocess.run([halyard, 'show', *words, '--stage', 'filled'], capture_output=True, text=True, check=False)
    if show.returncode:
        raise NotImplementedError('it has no fills')
    return show.stdout


def compare(halyard, words, text):
    """Lines of derivations that are the same, and a list of differences."""
    lines, wrong = 0, []
    for start, length, seed in INPUTS:
        case = Case(halyard, words, text, start, length, seed)
        wrong.append(case.compare_outcome())
        for mode, order in (('lazy', '3'), ('strict', '0')) if (start, length, seed) == INPUTS[0] else ():
            same_lines, why = case.compare_derivation(mode, order)
            lines += same_lines
            wrong.append(why and '%s, --seed %s: %s' % (mode, order, why))
    return lines, ['%s, in %s' % (w, ' '.join(case.input.words)) for w in wrong if w]


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    halyard = os.path.abspath(sys.argv[1])
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    passed = failed = skipped = total = 0
    seen = set()
    for words in sys.argv[2:] or programs():
        try:
            text = filled(halyard, words.split())
            if text in seen:
                continue
            seen.add(text)
            lines, wrong = compare(halyard, words.split(), text)
        except (NotImplementedError, TooLong) as why:
            skipped += 1
            print('skipped %s: %s' % (words, 'more than %d steps' % STEPS if isinstance(why, TooLong) else why))
            continue
        total += lines
        passed, failed = passed + (not wrong), failed + bool(wrong)
        for w in wrong:
            print('FAILED %s: %s' % (words, w))
    print('%d lines of derivations are the same in both' % total)
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
