#!/usr/bin/env python3
"""The faults of a build with mutants, kept as rows beside the code that they undo (docs/mutants.md).

rows.py apply FILE OUT   OUT is FILE with its rows applied: what the preset "mutants" compiles in its place
rows.py check            rows, table and code fit together; prints what does not, and "N passed, N failed"
rows.py names            "NAME FOLDER" for every HY_MUTANT(NAME) of a row
rows.py open FILE...     writes into FILE, beneath each text that a row replaces, what takes its place; it compiles as before, with and without faults:
                             //<
                             if (a) return true;
                             //> if (a || HY_MUTANT(NAME)) return true;
                         Edit both, move them, write new ones (with nothing between the two for what is only added), and then
rows.py take FILE...     makes rows of them again, and FILE what it is without

Rows of FOLDER/ stand in FOLDER.txt: "= FILE", then for each row the lines of the text before, each behind "< ", and those of the text after,
each behind "> ". White space does not count; the text before stands in the file exactly once, and no two rows overlap.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PRODUCTION = ('semantics tape alg_interp tgt_interp lower sched autosched plugin bounds oracle passes codegen engines validate halyard library '
              'gate export halide fuzz review cli include').split()
TOKEN = re.compile(r'\w+|"(?:\\.|[^"\\])*"|\S')
GAP = r'(?:\s|\\\n)'


class Wrong(Exception):
    """Rows that do not fit their file."""


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


# -- the files of rows -------------------------------------------------------------------------------------------------


def table_of(name):
    return os.path.join(HERE, name.split('/')[0] + '.txt')


def read_rows(table):
    """{file: [(before, after)]}, in the order of the table, each text a list of lines."""
    files, last = {}, ''
    for line in read(table).split('\n') if os.path.exists(table) else []:
        if line.startswith('= '):
            rows = files.setdefault(line[2:], [])
        elif line[:1] == '<':
            if last != '<':
                rows.append(([], []))
            rows[-1][0].append(line[2:])
        elif line[:1] == '>':
            rows[-1][1].append(line[2:])
        last = line[:1]
    return files


def write_rows(name, rows):
    """The rows of one file take the place of those that it had."""
    files = read_rows(table_of(name))
    files[name] = rows
    text = ''
    for file in sorted(files):
        if files[file]:
            text += '= %s\n' % file
        for before, after in files[file]:
            text += ''.join(('< ' + line).rstrip() + '\n' for line in before) + ''.join(('> ' + line).rstrip() + '\n' for line in after)
    if text:
        write(table_of(name), text)
    elif os.path.exists(table_of(name)):
        os.remove(table_of(name))


# -- a row and its place -----------------------------------------------------------------------------------------------


def pattern(before):
    """Finds the text before, however its lines are broken."""
    tokens, found = TOKEN.findall('\n'.join(before)), ''
    for i, token in enumerate(tokens):
        words = i > 0 and re.match(r'\w', tokens[i - 1][-1]) and re.match(r'\w', token)
        found += (GAP + ('+' if words else '*') if i else '') + re.escape(token)
    return re.compile((r'(?<!\w)' if re.match(r'\w', found) else '') + found + (r'(?!\w)' if re.search(r'\w$', found) else ''))


def places(name, text, rows):
    """[(start, end, before, after)] in the order of the text."""
    found = []
    for before, after in rows:
        spans = [m.span() for m in pattern(before).finditer(text)] if ''.join(before).strip() else []
        if len(spans) != 1:
            raise Wrong('%s has %s: %s' % (name, 'more than once' if spans else 'nowhere', ' '.join(line.strip() for line in before)))
        found.append((*spans[0], before, after))
    found.sort()
    for one, other in zip(found, found[1:]):
        if one[1] > other[0]:
            raise Wrong('%s: two rows overlap in: %s' % (name, text[other[0]:one[1]]))
    return found


def is_continued(text, at):
    """Does a backslash end the line before this one, or this one? Then it is a macro's."""
    start = text.rfind('\n', 0, at)
    end = text.find('\n', at)
    return text[:max(start, 0)].endswith('\\') or text[:end].endswith('\\')


def applied(name, text, rows):
    """The text after is indented like the text before, and continued in a macro."""
    result, at = '', 0
    for start, end, before, after in places(name, text, rows):
        line = text.rfind('\n', 0, start) + 1
        first = before[0][:len(before[0]) - len(before[0].lstrip())]
        indent = re.match(r' *', text[line:start]).group()
        lines = [indent[len(first):] + line if line else '' for line in after]
        if not text[line:start].strip():
            start = line
        else:
            lines[0] = after[0].lstrip()
        result += text[at:start] + (' \\\n' if is_continued(text, start) else '\n').join(lines)
        at = end
    return result + text[at:]


# -- opened files ------------------------------------------------------------------------------------------------------


def opened(name, text, rows):
    """Each row is widened to whole lines, in a macro to all of it."""
    regions = []
    for start, end, before, after in places(name, text, rows):
        a, b = text.rfind('\n', 0, start) + 1, text.find('\n', end - 1)
        while text[:a].endswith('\\\n'):
            a = text.rfind('\n', 0, a - 1) + 1
        while text[:b].endswith('\\'):
            b = text.find('\n', b + 1)
        if regions and a <= regions[-1][1]:
            a, _, parts = regions.pop()
            regions.append((a, b, parts + [(before, after)]))
        else:
            regions.append((a, b, [(before, after)]))
    result, at = '', 0
    for a, b, parts in regions:
        switched = applied(name, text[a:b], parts)
        result += text[at:a] + '//<\n' + text[a:b] + '\n' + ''.join('//> %s\n' % line for line in switched.split('\n'))
        at = b + 1
    return result + text[at:]


def is_open(text):
    return re.search(r'^ *//[<>]', text, re.M)


def taken(text):
    """What open made, apart: the lines without, and [(first line, line behind the last, lines after)]."""
    clean, regions, first = [], [], None
    for line in text.split('\n'):
        mark = line.strip()
        if mark == '//<':
            first = len(clean)
        elif mark.startswith('//>'):
            if first is not None:
                regions.append((first, len(clean), []))
                first = None
            regions[-1][2].append(re.sub(r'^\s*//> ?', '', line))
        else:
            clean.append(line)
    return clean, regions


def bare(line):
    return line.rstrip('\\').strip()


def beyond(clean, at, step, count):
    """From line number at on, count lines with something on them further."""
    while count:
        at += step
        count -= 0 <= (at if step < 0 else at - 1) < len(clean) and bool(bare(clean[at if step < 0 else at - 1]))
    return at


def named(clean, region):
    """Common lines go, neighbours come until the text before is in the file once."""
    a, b, after = region
    while a < b and after and bare(clean[a]) == bare(after[0]):
        a, after = a + 1, after[1:]
    while a < b and after and bare(clean[b - 1]) == bare(after[-1]):
        b, after = b - 1, after[:-1]
    text = '\n'.join(clean)
    for more in range(len(clean)):
        for behind in range(more, -1, -1):
            c, d = beyond(clean, a, -1, more - behind), beyond(clean, b, 1, behind)
            lines = [bare(line) for line in clean[c:d]]
            if any(lines) and len(pattern(lines).findall(text)) == 1:
                return c, d, clean[c:a] + after + clean[b:d]
    raise Wrong('no text names the place of: %s' % ' '.join(after))


def shortest(clean, regions):
    """Rows of as few lines as name their places; what would overlap becomes one."""
    done, found = [], []
    for region in regions:
        row = named(clean, region)
        while found and row[0] < found[-1][1]:
            a, b, after = done.pop()
            region = (a, region[1], after + clean[b:region[0]] + region[2])
            found.pop()
            row = named(clean, region)
        done.append(region)
        found.append(row)
    rows = []
    for a, b, after in found:
        before, after = [[line.rstrip('\\').rstrip() for line in lines] for lines in (clean[a:b], after)]
        indent = min(len(line) - len(line.lstrip()) for line in before + after if line)
        rows.append(([line[indent:] for line in before], [line[indent:] for line in after]))
    return rows


# -- the command line --------------------------------------------------------------------------------------------------


def names():
    """[(name, folder)] of every HY_MUTANT of a row"""
    found = set()
    for table in sorted(os.listdir(HERE)):
        if table.endswith('.txt'):
            for rows in read_rows(os.path.join(HERE, table)).values():
                for _, after in rows:
                    found |= {(name, table[:-4]) for name in re.findall(r'HY_MUTANT\((\w+)\)', '\n'.join(after))}
    return sorted(found)


def check():
    wrong, passed = [], 0
    for table in sorted(os.listdir(HERE)):
        for name, rows in read_rows(os.path.join(HERE, table)).items() if table.endswith('.txt') else []:
            try:
                if table_of(name) != os.path.join(HERE, table):
                    raise Wrong('%s: rows of %s stand in %s' % (table, name, os.path.basename(table_of(name))))
                places(name, read(os.path.join(ROOT, name)), rows)
                passed += len(rows)
            except (Wrong, OSError) as error:
                wrong.append(str(error))
    clean = True
    for folder in PRODUCTION:
        for path, _, files in os.walk(os.path.join(ROOT, folder)):
            for file in sorted(files):
                file = os.path.relpath(os.path.join(path, file), ROOT)
                text = read(os.path.join(ROOT, file)) if re.search(r'\.(c|h|def)$', file) else ''
                if re.search(r'HY_MUTANT|mutant\.h', text) or is_open(text):
                    wrong.append('%s has faults of its own: they stand in proofs_tests/mutants/ (is it still open? rows.py take)' % file)
                    clean = False
    passed += clean
    print(''.join(line + '\n' for line in wrong) + '%d passed, %d failed' % (passed, len(wrong)))
    return 1 if wrong else 0


def main(verb='', *files):
    if verb == 'names' and not files:
        print('\n'.join('%s %s' % pair for pair in names()))
    elif verb == 'check' and not files:
        return check()
    elif verb == 'apply' and len(files) == 2:
        path = os.path.join(ROOT, files[0])
        text, rows = read(path), read_rows(table_of(files[0]))[files[0]]
        if is_open(text):
            clean, regions = taken(text)
            text, rows = '\n'.join(clean), shortest(clean, regions)
        text = '#include "proofs_tests/mutants/mutant.h"\n#line 1 "%s"\n' % path + applied(files[0], text, rows)
        if not os.path.exists(files[1]) or read(files[1]) != text:  # else what is compiled of it is new enough
            write(files[1], text)
    elif verb in ('open', 'take') and files:
        for file in files:
            name = os.path.relpath(os.path.abspath(file), ROOT)
            text = read(file)
            if verb == 'open' and not is_open(text):
                write(file, opened(name, text, read_rows(table_of(name)).get(name, [])))
            elif verb == 'take' and not is_open(text):
                raise Wrong('%s is not open' % file)
            elif verb == 'take':
                clean, regions = taken(text)
                rows = shortest(clean, regions)
                places(name, '\n'.join(clean), rows)
                write(file, '\n'.join(clean))
                write_rows(name, rows)
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    try:
        sys.exit(main(*sys.argv[1:]))
    except Wrong as error:
        sys.exit('rows.py: %s' % error)
