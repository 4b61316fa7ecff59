#!/usr/bin/env python3
"""The tables of docs/halide.md, row by row, as programs that both compute: halide_rows.py HALYARD [ID...], with an interpreter that has
Halide's bindings; status 77 without them. "halide_rows.py check" needs none: every row of the document has a program, every program a row.
halide_rows.txt says what a row is. Prints what is not so, and "N passed, N failed".
"""
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, 'halide_rows.txt')
DOCUMENT = os.path.join(HERE, '..', '..', 'docs', 'halide.md')
TARGET = 'x86-64-linux-sse41-strict_float'
TEXTS = ('alg', 'sched', 'halide')
CLAIMS = ('same', 'refused', 'declined', 'run', 'writes', 'shows')


class Row:
    def __init__(self, name, line):
        self.name, self.line, self.claims, self.texts = name, line, [], {}


def read_rows():
    rows, text = [], None
    with open(TABLE, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip('\n')
            word, _, rest = line.partition(' ')
            if line.startswith('  ') and text:
                rows[-1].texts[text] = rows[-1].texts.get(text, '') + line[2:] + '\n'
            elif word == '==':
                rows.append(Row(rest, number))
            elif word in TEXTS:
                text = word
            elif word in CLAIMS:
                rows[-1].claims.append((word, rest))
            elif line and word != '#' and not line.startswith('# '):
                sys.exit('%s:%d: what is "%s"?' % (TABLE, number, line))
    return rows


def documented():
    """The first cells of the tables that begin with "| row |"."""
    names, inside = [], False
    with open(DOCUMENT, encoding='utf-8') as file:
        for line in file:
            cells = line.split('|')
            inside = line.startswith('|') and (inside or cells[1].strip() == 'row')  # a table ends where a line is none of it
            name = re.fullmatch(r'`([a-z0-9-]+)`', cells[1].strip()) if inside else None
            if name:
                names.append(name.group(1))
            elif inside and cells[1].strip() not in ('row', '---', '') and not cells[1].startswith('---'):
                sys.exit('%s: a row without a name: %s' % (DOCUMENT, line.strip()))
    return names


def check(rows):
    wrong, names, there = [], documented(), [row.name for row in rows]
    wrong += ['docs/halide.md: no program for the row %s' % name for name in names if name not in there]
    wrong += ['docs/halide.md: two rows are called %s' % name for name in sorted(set(names)) if names.count(name) > 1]
    wrong += ['halide_rows.txt:%d: no row of docs/halide.md is called %s' % (row.line, row.name) for row in rows if row.name not in names]
    wrong += ['halide_rows.txt:%d: nothing is expected of %s' % (row.line, row.name) for row in rows if not row.claims]
    wrong += ['halide_rows.txt:%d: what does %s show?' % (row.line, row.name) for row in rows
              if ('halide' in row.texts) != any(word == 'shows' for word, _ in row.claims)]
    print('\n'.join(wrong + ['%d passed, %d failed' % (len(names), len(wrong))]))
    return 1 if wrong or not names else 0


# -- Halide itself --


def shown(text):
    """What a program of Halide prints, or why it is refused."""
    import halide as hl
    said = io.StringIO()

    def realize(func, size, target=TARGET):
        return func.realize(size, hl.Target(target))

    def lowered(func):
        with tempfile.NamedTemporaryFile() as file:
            func.compile_to_lowered_stmt(file.name, [], hl.StmtOutputFormat.Text, hl.Target(TARGET))
            return open(file.name, encoding='utf-8').read()

    def show(func, size, *points):
        kind = points and points[-1] is bool
        out = realize(func, size)
        print(*(bool(out[i]) if kind else out[i] for i in (points[:-1] if kind else points)))

    space = {'hl': hl, 'show': show, 'realize': realize, 'lowered': lowered, 'TARGET': TARGET, 'x': hl.Var('x'), 'y': hl.Var('y')}
    space.update((name, hl.Func(name)) for name in 'fgh')
    with contextlib.redirect_stdout(said):
        try:
            exec(compile(text, 'halide_rows.txt', 'exec'), space)
        except (RuntimeError, ValueError) as error:
            print(error)
    return said.getvalue().strip()


# -- Halyard --


def call(program, *words):
    said = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
    return said.returncode, said.stdout


def holds(program, row, paths, word, rest):
    """None, or what was said instead."""
    if word == 'shows':
        said = shown(row.texts['halide'])
        return None if said == rest or (rest in said and 'Error' in said) else said
    if word == 'writes':
        status, said = call(program, 'export', *paths)
        return None if status == 0 and rest in said else said
    if word == 'refused':
        status, said = call(program, 'export', *paths)
        return None if status == 1 and 'HY1001' in said and rest in said else said
    if word == 'run':
        options, _, text = rest.partition(': ')
        said = call(program, 'run', *paths, *options.split())[1]
        return None if text in said else said
    status, said = call(program, 'verify', *paths, '--with', 'halide', '--cases', '6')
    if word == 'declined':
        return None if status == 3 and 'Halide refuses' in said and rest in said else said
    return None if status == 0 and re.search(r'^  halide +[1-9]', said, re.M) else said


def main():
    rows = read_rows()
    if sys.argv[1] == 'check':
        return check(rows)
    try:
        import halide  # noqa: F401
    except ImportError:
        print('skipped: no Halide in this interpreter')
        return 77
    program, passed, failed = os.path.realpath(sys.argv[1]), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            if sys.argv[2:] and row.name not in sys.argv[2:]:
                continue
            paths = [os.path.join(folder, 'p.' + kind) for kind in ('alg', 'sched') if kind in row.texts]
            for path in paths:
                with open(path, 'w', encoding='utf-8') as file:
                    file.write(row.texts[path[path.rindex('.') + 1:]])
            for word, rest in row.claims:
                instead = holds(program, row, paths, word, rest)
                passed, failed = passed + (instead is None), failed + (instead is not None)
                if instead is not None:
                    print('FAILED halide_rows.txt:%d %s: %s %s; it says\n%s' % (row.line, row.name, word, rest, instead[:1500]))
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
