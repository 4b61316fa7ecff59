#!/usr/bin/env python3
"""The appendices of the specification that are made and not written: B (what was seen to fail), C (index of rules) and E (functions).

appendices.py write            writes them: the fourth column of semantics/rules/B_decisions.md from decisions_seen.txt, C_index.md, its last
                               column from rules_seen.txt, and E_functions.md from semantics/value/math.def
appendices.py check            says where writing would change something, what A and B name that nobody saw fail, and which rules of a row of A none of its
                               tests was seen to notice; "N passed, N failed"
appendices.py merge FILE...    takes the tables that run_decisions.sh printed into decisions_seen.txt, (-r) rules_seen.txt and (-p) paper_seen.txt, with the
                               date and the commit
"""
import datetime
import glob
import os
import re
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RULES = 'semantics/rules/'
SEEN = 'proofs_tests/specification/decisions_seen.txt'
RULES_SEEN = 'proofs_tests/specification/rules_seen.txt'
PAPER_SEEN = 'proofs_tests/specification/paper_seen.txt'
A, B, C, E = RULES + 'A_concordance.md', RULES + 'B_decisions.md', RULES + 'C_index.md', RULES + 'E_functions.md'
MATH = 'semantics/value/math.def'


def read(path):
    with open(os.path.join(TREE, path), encoding='utf-8') as file:
        return file.read()


def write(path, text):
    with open(os.path.join(TREE, path), 'w', encoding='utf-8') as file:
        file.write(text)


def cells(line):
    return [cell.strip() for cell in re.split(r'(?<!\\)\|', line.strip())[1:-1]]


def words(cell):
    return re.findall(r'`([^`]+)`', cell)


# -- B: which test was seen to fail, under which fault, when --

def read_seen():
    """{(decision, test): (fault, date, commit)}"""
    seen = {}
    for line in read(SEEN).split('\n'):
        if line and not line.startswith('#'):
            decision, test, fault, date, commit = line.split('|')
            seen[decision, test] = (fault, date, commit)
    return seen


def write_seen(seen):
    text = '# decision|test|fault under which it was seen to fail, alone|date|commit (run_decisions.sh; appendices.py merge)\n'
    for key in sorted(seen, key=lambda k: (int(re.sub(r'\D', '', k[0])), k[1])):
        text += '|'.join(key + seen[key]) + '\n'
    write(SEEN, text)


def read_rules_seen():
    """{rule: (test, fault, date, commit)}"""
    if not os.path.exists(os.path.join(TREE, RULES_SEEN)):
        return {}
    lines = [line.split('|') for line in read(RULES_SEEN).split('\n') if line and not line.startswith('#')]
    return {line[0]: tuple(line[1:]) for line in lines}


def write_rules_seen(seen):
    text = '# rule|test that quotes it|fault that undoes it, under which the test was seen to fail|date|commit (run_decisions.sh -r; appendices.py merge)\n'
    for _, rule in rule_names():
        if rule in seen:
            text += '|'.join((rule,) + seen[rule]) + '\n'
    write(RULES_SEEN, text)


def read_paper_seen():
    """{(row of the paper, test): (faults, date, commit)}"""
    if not os.path.exists(os.path.join(TREE, PAPER_SEEN)):
        return {}
    lines = [line.split('|') for line in read(PAPER_SEEN).split('\n') if line and not line.startswith('#')]
    return {(row, test): (faults.split(), date, commit) for row, test, faults, date, commit in lines}


def write_paper_seen(seen):
    text = '# row of appendix A|test|faults under which it was seen to fail, each alone|date|commit (run_decisions.sh -p; appendices.py merge)\n'
    for row, tests, _ in paper_rows():
        for test in tests:
            if (row, test) in seen:
                faults, date, commit = seen[row, test]
                text += '|'.join((row, test, ' '.join(faults), date, commit)) + '\n'
    write(PAPER_SEEN, text)


def merge(paths):
    seen, rules = read_seen() if os.path.exists(os.path.join(TREE, SEEN)) else {}, read_rules_seen()
    paper, rows = read_paper_seen(), {row for row, _, _ in paper_rows()}
    commit = os.environ.get('COMMIT') or subprocess.check_output(['git', 'rev-parse', '--short', 'HEAD'], cwd=TREE, text=True).strip()
    date = os.environ.get('DATE') or datetime.date.today().isoformat()
    for path in paths:
        with open(path, encoding='utf-8') as file:
            for line in file:
                row = cells(line) if line.startswith('| ') else []
                if len(row) == 3 and row[0] in rows:
                    paper[row[0], words(row[1])[0]] = (words(row[2]), date, commit)
                elif not row or not re.match(r'(D\d+|[A-Z]+\.\S+)$', row[0]):
                    continue
                elif len(row) == 3 and '.' in row[0]:
                    rules[row[0]] = (words(row[1])[0], words(row[2])[0], date, commit)
                elif len(row) == 3:
                    seen[row[0], words(row[1])[0]] = (words(row[2])[0], date, commit)
    write_seen(seen)
    write_rules_seen(rules)
    write_paper_seen(paper)


def column(decision, tests, seen):
    found = [seen.get((decision, test)) for test in tests]
    faults, days = [], []
    for one in found:
        faults.append(one[0] if one else 'not seen')
        if one and (one[1], one[2]) not in days:
            days.append((one[1], one[2]))
    return '%s (%s)' % (', '.join(faults), '; '.join('%s %s' % day for day in sorted(days))) if days else ', '.join(faults)


def made_b(seen):
    lines = []
    for line in read(B).split('\n'):
        if line.startswith('| D |'):
            line = '| D | about | tests | seen to fail under |'
        elif line.startswith('|---'):
            line = '|---|---|---|---|'
        elif re.match(r'\| D\d+ \|', line):
            row = cells(line)
            line = '| %s | %s | %s | %s |' % (row[0], row[1], row[2], column(row[0], words(row[2]), seen))
        lines.append(line)
    return '\n'.join(lines)


# -- A: what the paper says, and the tests that show it --

def paper_rows():
    """(name, as run_decisions.sh -p has it; tests; rules) of each row that has rules"""
    for line in read(A).split('\n'):
        row = cells(line) if re.match(r'\| (?!paper \|)', line) else []
        if len(row) > 4 and words(row[2]):
            yield ('%s: %s' % (row[0], row[1][:40])).strip(), words(row[4]), words(row[2])


def what_paper_lacks(undo):
    """(how many tests of A were seen to fail and rules noticed, what was not)"""
    passed, wrong, seen = 0, [], read_paper_seen()
    for row, tests, rules in paper_rows():
        noticed = {fault for test in tests for fault in seen.get((row, test), ([],))[0]}
        for test in tests:
            passed += (row, test) in seen
            wrong += [] if (row, test) in seen else ['appendix A: %s: `%s` was not seen to fail (run_decisions.sh -p, then appendices.py merge)' % (row, test)]
        for rule in rules:
            good = not noticed.isdisjoint(undone_by(rule, undo))
            passed += good
            wrong += [] if good else ['appendix A: %s: no test of the row was seen to notice that %s is undone' % (row, rule)]
    return passed, wrong


def undone_by(rule, undo):
    """The faults that undo a rule; of "ORA.*" those of each."""
    if rule.endswith('*'):
        return {fault for one, names in undo.items() if one.startswith(rule[:-1]) for fault in names}
    return set(undo.get(rule[:-4] if rule.endswith('.Not') else rule, []))


# -- C: rule -> where it is stated, code, broken twins, tests --

def rule_names():
    return re.findall(r'^HY_RULE\((\w+), *"([^"]+)"\)', read('semantics/rules.def'), re.M)


def faults():
    """{rule: names of the mutants that undo it}"""
    undo = {}
    for name, undoes in re.findall(r'^HY_MUTANT_ROW\((\w+), "[^"]*", "([^"]*)"', read('proofs_tests/mutants/mutants.def'), re.M):
        for word in undoes.split():
            undo.setdefault(word, []).append(name)
    return undo


def noticing():
    """{mutant: the tests that its row names: each was seen to fail under it (run_mutants.sh)}"""
    return {name: tests.split() for name, tests in
            re.findall(r'^HY_MUTANT_ROW\((\w+), "[^"]*", "[^"]*", "[^"]*", "([^"]*)"', read('proofs_tests/mutants/mutants.def'), re.M)}


def sources():
    """Text by path, of the code and of the tests."""
    code, tests = {}, {}
    for folder, names, files in os.walk(TREE):
        names[:] = sorted(n for n in names if n not in ('build', '.git', 'shared'))
        inside = os.path.relpath(folder, TREE)
        for name in sorted(files):
            path = os.path.normpath(os.path.join(inside, name))
            if path.startswith('proofs_tests/'):
                if name.endswith('_test.c') or re.match(r'proofs_tests/(.*/)?(golden|negative)/', path):
                    tests[path] = None
            elif name.endswith('.c') or path == 'semantics/ops.def':
                code[path] = None
    for texts in (code, tests):
        for path in texts:
            with open(os.path.join(TREE, path), encoding='utf-8', errors='replace') as file:
                texts[path] = file.read()
    return code, tests


def holders(texts, pattern):
    """Which of the texts quote what the pattern finds: {what: names of files}"""
    found = {}
    for path, text in texts.items():
        for word in set(re.findall(pattern, text)):
            found.setdefault(word, []).append(path)
    return found


def name_of_test(path):
    base = os.path.basename(path)
    return base[:-len('_test.c')] if base.endswith('_test.c') else '/'.join(path.split('/')[-2:])


def section_of():
    home = {}
    for path in sorted(glob.glob(os.path.join(TREE, RULES, '*.md'))):
        name = os.path.basename(path)
        if name[0] not in '123456789':
            continue
        for rule in re.findall(r'^(?:\||#+) *`([A-Z]+\.[\w.-]+)`|^```rule (\S+)', read(RULES + name), re.M):
            home.setdefault(rule[0] or rule[1], name)
    return home


def what_was_seen(rule, seen, quoting, undoing, notice):
    """"TEST under FAULT", as long as the test quotes the rule, the fault undoes it, and its row names the test."""
    if rule not in seen:
        return '-'
    test, fault, date, commit = seen[rule]
    if test not in quoting or fault not in undoing or test not in notice[fault]:
        return '-'
    return '%s under %s (%s %s)' % (test, fault, date, commit)


def made_c():
    undo, home, notice, seen = faults(), section_of(), noticing(), read_rules_seen()
    code, tests = sources()
    counted = holders(code, r'\bHY_RULE_([A-Z0-9_]+)\b')
    quoted = holders(tests, r'\b[A-Z]+(?:\.[A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)*)+')
    lines = ['# C. Index of rules', '',
             'Made by `proofs_tests/appendices.py write`, and held to the tree by `appendices.py check`: where a rule is stated, the code that counts it, the switchable faults',
             'that undo it (`proofs_tests/mutants/mutants.def`; of `.Not` those of the rule itself), the tests that their rows name, and the suites and programs of `golden/` and',
             '`negative/` that quote it (who quotes `.Not` quotes its rule). The last column is one test that quotes the rule at the place that was run, and nothing else, and the fault under which',
             'that failed, then the day and the commit of the run (`run_decisions.sh -r`). `check_specification.sh` asks that no cell is empty.', '',
             '| rule | section | code | broken twins | named by their rows | quoted by | seen to fail |', '|---|---|---|---|---|---|---|']
    for name, rule in rule_names():
        base = rule[:-4] if rule.endswith('.Not') else rule
        place = home.get(rule) or home.get(base)
        files = sorted({os.path.basename(p) for p in counted.get(name, [])})
        test_names = sorted({name_of_test(p) for p in quoted.get(rule, []) + quoted.get(rule + '.Not', [])})
        failing = dict.fromkeys(test for mutant in undo.get(base, []) for test in notice[mutant])
        lines.append('| %s | %s | %s | %s | %s | %s | %s |' % (rule, '[%s](%s)' % (place[0], place) if place else '-', ' '.join(files),
                                                    ' '.join(undo.get(base, [])) or '-', ' '.join(failing) or '-', ' '.join(test_names) or '-',
                                                    what_was_seen(rule, seen, test_names, undo.get(base, []), notice)))
    return '\n'.join(lines) + '\n'


# -- E: the programs of sin, cos, exp .. --

def made_e():
    lines = ['# E. Functions', '',
             'Part of section 2 (`VAL.Math`): `semantics/value/math.def`, printed by `proofs_tests/appendices.py write` and held to the file by `appendices.py check`.',
             'It is normative: the operations below in this order, each rounded to double, are what sin, cos, tan, asin, acos, atan, atan2, exp, log, pow, sinh, cosh, tanh, asinh, acosh, atanh and erf give, bit for bit. Its first comment says what each macro means;',
             'a macro that is defined here stands for its text, and the names that it binds for those of the place where it stands.', '', '```c']
    lines += [re.sub(r' *\\$', r' \\', line) for line in read(MATH).strip('\n').split('\n') if not line.startswith('#undef')]
    while not lines[-1]:
        lines.pop()
    return '\n'.join(lines + ['```', ''])


MISPRINT = 'D22'  # corrects the paper, no fault undoes it


def why_not_seen(decision, found, undo):
    """None if the test of a decision was seen to fail under a fault that undoes the decision, by its name or by its row."""
    if decision == MISPRINT:
        return None
    if not found:
        return 'was not seen to fail (run_decisions.sh, then appendices.py merge)'
    named = found[0].startswith(decision + '_') and any(found[0] in names for names in undo.values())
    return None if named or found[0] in undo.get(decision, []) else 'was seen to fail under %s, which does not undo the decision' % found[0]


def check():
    passed, wrong = 0, []
    seen, undo = read_seen(), faults()
    for path, made in ((B, made_b(seen)), (C, made_c()), (E, made_e())):
        old = read(path).split('\n') if os.path.exists(os.path.join(TREE, path)) else []
        if old == made.split('\n'):
            passed += 1
            continue
        wrong.append('%s is not what proofs_tests/appendices.py write makes; the first lines that differ:' % path)
        for a, b in list(zip(old + [''] * 9999, made.split('\n')))[:9999]:
            if a != b:
                wrong[-1] += '\n  is   %.150s\n  made %.150s' % (a, b)
                break
    for line in read(B).split('\n'):
        if re.match(r'\| D\d+ \|', line):
            row = cells(line)
            for test in words(row[2]):
                why = why_not_seen(row[0], seen.get((row[0], test)), undo)
                passed += why is None
                wrong += ['appendix B: %s: `%s` %s' % (row[0], test, why)] if why else []
    good, lacking = what_paper_lacks(undo)
    passed, wrong = passed + good, wrong + lacking
    for line in wrong:
        print(line)
    print('%d passed, %d failed' % (passed, len(wrong)))
    return 1 if wrong else 0


def main():
    if sys.argv[1:2] == ['write']:
        write(B, made_b(read_seen()))
        write(C, made_c())
        write(E, made_e())
        return 0
    if sys.argv[1:2] == ['check']:
        return check()
    if sys.argv[1:2] == ['merge'] and len(sys.argv) > 2:
        merge(sys.argv[2:])
        return 0
    print(__doc__)
    return 2


if __name__ == '__main__':
    sys.exit(main())
