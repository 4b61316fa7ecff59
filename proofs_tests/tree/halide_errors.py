#!/usr/bin/env python3
"""halide_errors.py [check|write]: what answers Halide's own tests of errors (halide_errors.def).

check: each row's code is one of errors.def, its test is there, expects that code and holds a help that says what to write;
no test is without a row; docs/halide_errors.md is what the table says. Prints what is wrong and "N passed, N failed".
HALIDE_SOURCE=DIR, a Halide 21 with its test/error: each file there has its row, too. write: writes docs/halide_errors.md.
"""
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / 'proofs_tests/negative/halide'
PAGE = ROOT / 'docs/halide_errors.md'
FILES = 135  # of Halide 21.0.0
ROW = re.compile(r'^HALIDE_(\w+)\((\w+)(?:, (\w+))?(?:, (\w+))?, "(.*)"\)$')


class Table:
    def __init__(self):
        self.rows, self.reasons, self.bad = [], {}, []
        for line in (ROOT / 'proofs_tests/tree/halide_errors.def').read_text().splitlines():
            if not line or line.startswith('//'):
                continue
            row = ROW.match(line)
            if not row:
                self.bad.append(f'this is no row: {line}')
            elif row[1] == 'REASON':
                self.reasons[row[2]] = row[5]
            else:
                self.rows.append((row[1], row[2], row[3], row[4], row[5]))


def test_of(name):
    """The text of a test, and its path; a schedule goes before the algorithm of its name, which is what it speaks of."""
    for path in (TESTS / f'{name}.sched', TESTS / f'{name}.alg'):
        if path.exists():
            return path.read_text(), path
    return None, None


def codes_of(text):
    return re.findall(r'^// (?:expect|warns): (HY\d{4})', text, re.M)


def helps_of(text):
    return re.findall(r'^// says: help: (.*)$', text, re.M)


def error_wrong(code, test, known):
    text, _ = test_of(test)
    if code not in known:
        return f'there is no code {code}'
    if text is None:
        return f'there is no test {test}'
    if code not in codes_of(text):
        return f'{test} expects {codes_of(text)}, not {code}'
    return None if helps_of(text) else f'{test} does not hold what to write ("// says: help: ..")'


def row_wrong(row, table, known):
    kind, name, first, second, _ = row
    if kind == 'ERROR':
        return error_wrong(first, second, known)
    if kind == 'NONE':
        return None if first in table.reasons else f'there is no reason {first}'
    if kind != 'MEANT':
        return f'there are no rows HALIDE_{kind}'
    text, _ = test_of(name)
    return f'no test {name} is accepted' if text is None or codes_of(text) else None


def unnamed_tests(table):
    named = {row[3] for row in table.rows if row[0] == 'ERROR'} | {row[1] for row in table.rows if row[0] == 'MEANT'}
    for path in sorted(TESTS.glob('*.alg')) + sorted(TESTS.glob('*.sched')):
        if codes_of(path.read_text()) and path.stem not in named:
            yield f'no row names {path.name}'


def list_wrong(table):
    names = [row[1] for row in table.rows]
    if names != sorted(set(names)):
        yield 'the rows are out of order, or one stands twice'
    if len(names) != FILES:
        yield f'{len(names)} rows, but Halide 21.0.0 has {FILES} tests of errors'
    source = os.environ.get('HALIDE_SOURCE')
    if source:
        found = {path.stem for path in (Path(source) / 'test/error').glob('*.cpp')}
        yield from (f'{name} has no row' for name in sorted(found - set(names)))
        yield from (f'{name} is no test of Halide\'s' for name in sorted(set(names) - found))


def cell(text):
    return text.replace('|', '\\|')


def page(table):
    errors = [row for row in table.rows if row[0] == 'ERROR']
    meant = [row for row in table.rows if row[0] == 'MEANT']
    none = [row for row in table.rows if row[0] == 'NONE']
    lines = ['# Halide\'s tests of errors, answered', '',
             'Halide tests what it refuses: each file of its `test/error` makes a mistake, and has to be stopped. This page has every '
             f'file of Halide 21.0.0, {len(table.rows)}, and what answers the same mistake here: a code ([errors.md](errors.md)), a test '
             'in `proofs_tests/negative/halide/`, and the help of its message. `proofs_tests/tree/halide_errors.py` writes it from '
             'the table beside it, and `./dev check` compares.', '',
             f'{len(errors)} have a counterpart, {len(meant)} are programs that mean something here, {len(none)} have none.', '',
             '## What is answered', '', '| Halide\'s test | what is wrong in it | here | what it says to write |',
             '| --- | --- | --- | --- |']
    for _, name, code, test, wrong in errors:
        text, path = test_of(test)
        help_text = cell(helps_of(text)[0]) if text and helps_of(text) else ''
        lines.append(f'| `{name}` | {cell(wrong)} | [{code}](../{path.relative_to(ROOT) if path else ""}) | {help_text} |')
    lines += ['', '## What means something here', '', '| Halide\'s test | what it refuses |', '| --- | --- |']
    lines += [f'| `{name}` | {cell(wrong)} |' for _, name, _, _, wrong in meant]
    lines += ['', '## What has no counterpart', '', '| Halide\'s test | what is wrong in it | why there is none |',
              '| --- | --- | --- |']
    for reason, why in table.reasons.items():
        lines += [f'| `{name}` | {cell(wrong)} | {cell(why)} |' for _, name, given, _, wrong in none if given == reason]
    return '\n'.join(lines) + '\n'


def check():
    table, passed = Table(), 0
    known = {f'HY{int(number):04d}' for number in re.findall(r'^HY_ERROR\((\d+),', (ROOT / 'semantics/errors.def').read_text(), re.M)}
    bad = table.bad + list(list_wrong(table)) + list(unnamed_tests(table))
    for row in table.rows:
        wrong = row_wrong(row, table, known)
        passed += not wrong
        if wrong:
            bad.append(f'{row[1]}: {wrong}')
    if not bad and page(table) == (PAGE.read_text() if PAGE.exists() else ''):
        passed += 1
    elif not bad:
        bad.append('docs/halide_errors.md lags: proofs_tests/tree/halide_errors.py write')
    for wrong in bad:
        print(f'FAILED {wrong}')
    print(f'{passed} passed, {len(bad)} failed')
    return 1 if bad else 0


if __name__ == '__main__':
    if sys.argv[1:] == ['write']:
        PAGE.write_text(page(Table()))
    elif sys.argv[1:] in ([], ['check']):
        sys.exit(check())
    else:
        sys.exit(__doc__)
