#!/usr/bin/env python3
"""The specification (semantics/rules/*.md) as data: reads its rules, holds them to their form and to the code.

specification.py check [FOLDER [TREE]]   says what is wrong, and "N passed, N failed"
specification.py html [FOLDER [TREE]]    one page on standard output (./dev spec)
"""
import glob
import os
import re
import sys

SECTIONS = ['0_how_to_read', '1_syntax', '2_values', '3_algorithms', '4_target_programs', '5_lowering', '6_holes_and_bounds',
            '7_schedules', '8_statements', '9_the_tool', 'A_concordance', 'B_decisions', 'C_index', 'D_errata', 'E_functions']
# Which rules stand in which section, as fenced blocks. The others (ORA, VER, LVL, GEN) are the tool's: section 9, in tables.
HOME = {'VAL': '2', 'ALG': '3', 'WF': '4', 'TGT': '4', 'LOW': '5', 'B': '6', 'SCH': '7', 'DIR': '7', 'FIN': '7', 'ORD': '7'}
ABOUT = re.compile(r'^Paper: (.+?)\. Decisions: (.+?)\. Code: (.+?)\. Broken twin: (.+?)\.(?: (.*))?$')
WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)?'*")
METAVARIABLE_WORDS = {'op', 'eps'}  # declared, though longer than one letter


class Figure:
    """One inference: premises (a list of texts), the side condition, the conclusion."""

    def __init__(self, premises, side, conclusion):
        self.premises, self.side, self.conclusion = premises, side, conclusion


class Rule:
    def __init__(self, name, section, line, text, after):
        self.name, self.section, self.line, self.text, self.after = name, section, line, text, after
        self.figures, self.wrong = figures_of(text)


def figures_of(text):
    figures, wrong = [], []
    for chunk in re.split(r'\n\s*\n', text.strip('\n')):
        lines = chunk.split('\n')
        bars = [i for i, line in enumerate(lines) if re.match(r'^-{5,}($| )', line)]
        if len(bars) != 1:
            wrong.append('a figure needs one line between premises and conclusion, this one has %d: %s' % (len(bars), lines[0].strip()))
            continue
        bar = bars[0]
        conclusion = ' '.join(line.strip() for line in lines[bar + 1:]).strip()
        if not conclusion:
            wrong.append('a figure has no conclusion: %s' % lines[0].strip())
            continue
        premises = [p.strip() for line in lines[:bar] for p in re.split(r' {4,}', line.strip()) if p.strip()]
        figures.append(Figure(premises, lines[bar].lstrip('-').strip(), conclusion))
    return figures, wrong


def read_section(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def rules_of(section, text):
    lines, rules, i = text.split('\n'), [], 0
    while i < len(lines):
        opened = re.match(r'^```rule (\S+)\s*$', lines[i])
        if not opened:
            i += 1
            continue
        begin = i
        i += 1
        body = []
        while i < len(lines) and not lines[i].startswith('```'):
            body.append(lines[i])
            i += 1
        i += 1
        after = []
        while i < len(lines) and lines[i].strip() and not lines[i].startswith(('```', '#', '|')):
            after.append(lines[i])
            i += 1
        rules.append(Rule(opened.group(1), section, begin + 1, '\n'.join(body), after))
    return rules


def table_after(text, heading):
    """The rows of the first table under a heading, without its head, cells split at unescaped bars."""
    part = text.split('\n## %s\n' % heading, 1)
    if len(part) < 2:
        return []
    rows, seen = [], False
    for line in part[1].split('\n'):
        if line.startswith('|'):
            rows.append([cell.strip() for cell in re.split(r'(?<!\\)\|', line)[1:-1]])
            seen = True
        elif seen:
            break
    return rows[2:]


class Specification:
    def __init__(self, folder, tree):
        self.folder, self.tree = folder, tree
        self.texts = {}
        for path in sorted(glob.glob(os.path.join(folder, '*.md'))):
            self.texts[os.path.basename(path)[:-3]] = read_section(path)
        self.rules = [rule for name, text in self.texts.items() for rule in rules_of(name, text)]
        index = self.texts.get('0_how_to_read', '')
        self.arrows = set()
        for row in table_after(index, 'Judgements'):
            form = arrow_of(row[0].strip('`').replace('\\|', '|'))
            if form:
                self.arrows.add(form[0])
        self.syntax = syntax_words(self)
        self.rule_names = {rule.name for rule in self.rules}
        self.metavariables, self.indices = set(), set()
        for row in table_after(index, 'Metavariables'):
            letters = re.findall(r'\w+', row[0])
            self.metavariables.update(letters)
            if len(row) > 2 and row[2] == 'index':
                self.indices.update(letters)


# The arrows of judgements, the longest first: (name, how it looks).
ARROWS = [('==>', r'==[^ =>][^=>]*==>'), ('-->!', r'-->!'), ('-->', r'-->'), ('--|', r'--\|'), ('~>', r'~>'), ('=>m', r'=>m\b'),
          ('=>', r'(?<!=)=>(?!m\b)'), ('ok', r'(?<=[\w)\]}>] )ok$')]


def arrow_of(judgement):
    """(name, what it is given, what it gives), or None if the text is no judgement."""
    judgement = re.sub(r' for each .*$', '', judgement)
    for name, look in ARROWS:
        found = list(re.finditer(look, judgement))
        if found:
            at = found[-1]
            return name, judgement[:at.start()], judgement[at.end():]
    equation = re.search(r'(?<![<>=!:])=(?!=)', judgement)
    if equation:
        return '=', judgement[:equation.start()], judgement[equation.end():]
    return None


def family(word):
    """e_1, e_i and e_k are one; e' is another."""
    root, _, rest = word.partition('_')
    return root.rstrip("'") + ('_' if rest else '') + "'" * word.count("'")


def variables(spec, text, wrong):
    """The metavariables of a text: single letters and what section 0 declares. Words in "quotes" are prose."""
    text = re.sub(r'"[^"]*"', ' ', text)
    text = re.sub(r'=>m\b', ' ', text)
    found = []
    for word in WORD.findall(text):
        if re.fullmatch(r'[sz]_0', word):
            continue  # the name of a stage, of no specialization
        root = word.partition('_')[0].rstrip("'")
        if root in METAVARIABLE_WORDS and '_' in word and word.partition('_')[2] in ('arith', 'rdom', 'mem'):
            continue
        if root in spec.metavariables:
            found.append(family(word))
        elif len(root) == 1:
            wrong.append('the metavariable %s is not declared in section 0' % word)
    return found


def free_of(spec, words, bound):
    return sorted({w for w in words if w not in bound and w.partition('_')[0].rstrip("'") not in spec.indices})


def check_figure(spec, rule, figure, wrong):
    own = []
    conclusion = arrow_of(figure.conclusion)
    if not conclusion:
        wrong.append('%s: the conclusion is no judgement: %s' % (rule.name, figure.conclusion))
        return
    if conclusion[0] not in spec.arrows:
        wrong.append('%s: section 0 has no judgement with %s' % (rule.name, conclusion[0]))
    bound = set(variables(spec, conclusion[1], own))
    bound.update(variables(spec, figure.side, own))
    for premise in figure.premises:
        judgement = arrow_of(premise)
        if judgement and judgement[0] != '=':
            if judgement[0] not in spec.arrows:
                wrong.append('%s: section 0 has no judgement with %s' % (rule.name, judgement[0]))
            each = variables(spec, ''.join(re.findall(r' for each (.*)$', premise)), own)
            free = free_of(spec, variables(spec, judgement[1], own), bound | set(each))
            if free:
                wrong.append('%s: the premise %s is given %s, which nothing before it binds' % (rule.name, premise, ', '.join(free)))
        bound.update(variables(spec, premise, own))
    free = free_of(spec, variables(spec, conclusion[2], own), bound)
    if free:
        wrong.append('%s: the conclusion gives %s, which nothing binds' % (rule.name, ', '.join(free)))
    wrong.extend('%s: %s' % (rule.name, w) for w in sorted(set(own)))


class Tree:
    """What of the code the text names."""

    def __init__(self, root):
        def lines(path, pattern):
            full = os.path.join(root, path)
            return re.findall(pattern, read_section(full), re.M) if os.path.exists(full) else []
        self.rules = lines('semantics/rules.def', r'^HY_RULE\([A-Z0-9_]+, *"([^"]+)"\)')
        self.mutants = {name: undoes.split() for name, undoes in
                        lines('proofs_tests/mutants/mutants.def', r'^HY_MUTANT_ROW\((\w+), "[^"]*", "([^"]*)"')}
        stated = lines('docs/decisions.md', r'^\| (D[0-9]+) \| [SACX] \|')
        self.decisions = list(dict.fromkeys(stated))
        self.waiting = set(lines('docs/decisions.md', r'^\| (D[0-9]+) \| [^|]+ \|$'))
        self.errors = {int(number): name for number, name in lines('semantics/errors.def', r'^HY_ERROR\((\d+), (\w+),')}
        self.form = {code: 'WF.' + rule.title() for code, rule in
                     re.findall(r'\{HY_E_(\w+), HY_RULE_WF_(\w+)\}', '\n'.join(lines('semantics/tgt/tgt_verify.c', r'^.*HY_RULE_WF_.*$')))}
        self.operators = lines('semantics/ops.def', r'^HY_OP\((\w+), +"([^"]+)", +(\d), (\w+),')
        self.own_ranges = lines('semantics/ops.def', r'^HY_OP\((\w+), +"([^"]+)", +\d, (\w+),(?: *\w+,){4} *OWN,')
        self.absent = dict(lines('sched/absent.def', r'^HY_ABSENT\((\w+), "(\w*)"'))
        self.files = {}
        for folder, names, files in os.walk(root):
            names[:] = [n for n in names if n not in ('build', '.git')]
            for name in files:
                if name.endswith(('.c', '.h', '.def', '.sh', '.py')):
                    self.files.setdefault(name, []).append(os.path.relpath(os.path.join(folder, name), root))
        self.root, self.contents = root, {}

    def paths(self, name):
        """The files of that name, which may say some of their folders."""
        return [path for path in self.files.get(os.path.basename(name), []) if ('/' + path).endswith('/' + name)]

    def holds(self, name, word):
        """Does the file called so define, or use, the word?"""
        for path in self.paths(name):
            if path not in self.contents:
                self.contents[path] = read_section(os.path.join(self.root, path))
            if re.search(r'\b%s\b' % re.escape(word), self.contents[path]):
                return True
        return False


def check_about(tree, rule, wrong):
    line = rule.after[0] if rule.after else ''
    found = ABOUT.match(line)
    if not found:
        wrong.append('%s: no line "Paper: .. Decisions: .. Code: .. Broken twin: ..." stands under it' % rule.name)
        return
    _, decisions, code, twins = found.group(1, 2, 3, 4)
    for decision in re.findall(r'\bD\d+\b', decisions):
        if decision not in tree.decisions:
            wrong.append('%s: docs/decisions.md does not state %s' % (rule.name, decision))
    if decisions != 'none' and not re.fullmatch(r'D\d+(, D\d+)*', decisions):
        wrong.append('%s: decisions are "none", or "D1, D2"' % rule.name)
    words = re.findall(r'`([^`]+)`', code)
    if not words:
        wrong.append('%s: no code is named' % rule.name)
    for word in words:
        path, *functions = word.split(' ')
        if not tree.paths(path):
            wrong.append('%s: there is no file %s' % (rule.name, path))
            continue
        for function in functions:
            if not tree.holds(path, function):
                wrong.append('%s: %s does not stand in %s' % (rule.name, function, path))
    names = re.findall(r'`(\w+)`', twins)
    if not names and not re.match(r'none \(.+\)$', twins):
        wrong.append('%s: a broken twin is a mutant, or "none (the reason)"' % rule.name)
    for name in names:
        if name not in tree.mutants:
            wrong.append('%s: mutants.def has no %s' % (rule.name, name))
        elif rule.name not in tree.mutants[name]:
            wrong.append('%s: the row of %s in mutants.def does not say that it undoes it' % (rule.name, name))


# Rules that decide yes or no leave nothing to prose: these, and these words beside those of section 1 (section 0 lists them).
FORMAL = re.compile(r'^(ALG\.Valid|ALG\.Dimension|WF|TGT\.Mon-|TGT\.Read-Arms)')
WORDS = {'done', 'each', 'ends', 'Errors', 'halt', 'no', 'none', 'not', 'other', 'reduction', 'seq', 'some', 'step', 'subset'}


def syntax_words(spec):
    """The words of the grammars of section 1."""
    return set(re.findall(r'[a-z]{2,}', ' '.join(re.findall(r'```\n(.*?)```', spec.texts.get('1_syntax', ''), re.S))))


def functions_of(text):
    """What the tables "function | what it is" of a section define."""
    names = set()
    for table in re.findall(r'^\| function \|.*\n\|[-|]+\n((?:\|.*\n)+)', text, re.M):
        for row in table.split('\n'):
            names.update(re.findall(r'`(\w+)\(', row.split('|')[1] if row else ''))
    return names


def check_words(spec, verdict):
    listed = re.search(r'and these words: ([\w, ]+)\.', spec.texts.get('0_how_to_read', ''))
    verdict(listed and set(listed.group(1).split(', ')) == WORDS, 'section 0 does not list the words of the rules: %s' % ', '.join(sorted(WORDS)))


def check_formal(spec, rule, wrong):
    """No prose, and no function that no table defines."""
    if not FORMAL.match(rule.name):
        return
    functions = functions_of(spec.texts[rule.section]) | {name.split('.')[-1] for name in spec.rule_names if name.startswith(('WF.', 'ALG.Valid.'))}
    for figure in rule.figures:
        parts = figure.premises + [figure.side]
        if any('"' in p for p in parts):
            wrong.append('%s: a premise is prose' % rule.name)
        for word in re.findall(r"[A-Za-z][\w.-]*", re.sub(r'"[^"]*"', ' ', ' '.join(parts + [figure.conclusion]))):
            for root in [part.partition('_')[0] for part in ([word] if word in spec.rule_names else word.split('.')) if part]:
                if root in spec.metavariables or root in functions or root in WORDS or root in spec.syntax or root in ('ok', 'eps') or word in spec.rule_names:
                    continue
                wrong.append('%s: the word %s is neither a metavariable nor defined in its section' % (rule.name, root))


def check_errors(tree, rule, wrong):
    """A rule of validity or of form names its errors; those of WF are the rows of rule_of in tgt_verify.c."""
    if not re.match(r'^(ALG\.Valid|WF)\.', rule.name):
        return
    line = next((line for line in rule.after if line.startswith('Errors: ')), '')
    named = re.findall(r'HY(\d{4})', line)
    if not line:
        wrong.append('%s: no line "Errors: .." stands under it' % rule.name)
    for number in named:
        if int(number) not in tree.errors:
            wrong.append('%s: errors.def has no HY%s' % (rule.name, number))
    mapped = {number for number, name in tree.errors.items() if tree.form.get(name) == rule.name}
    if rule.name in tree.form.values() and mapped != {int(n) for n in named}:
        wrong.append('%s: tgt_verify.c counts for it %s' % (rule.name, ', '.join('HY%04d' % n for n in sorted(mapped))))


# An added fact: "Adds: FACT because WHY", WHY being rules or entry checks in backquotes.
ADDS = re.compile(r'^Adds: (.+?) because (.+)$')


def check_facts(rule, ids, wrong):
    adds = [ADDS.match(line) for line in rule.after if line.startswith('Adds:')]
    for found in adds:
        why = re.findall(r'`([^`]+)`', found.group(2)) if found else []
        if not why:
            wrong.append('%s: a fact is added without what justifies it' % rule.name)
        for word in why:
            if re.match(r'^[A-Z]+\.', word) and word not in ids:
                wrong.append('%s: its fact is justified by %s, which is no rule' % (rule.name, word))
    if re.search(r'\bN\s*(,|\+)\s*[^|]*\|-', rule.text) and not adds:
        wrong.append('%s: it adds a fact (N, ..) without a line "Adds: FACT because ..."' % rule.name)


def check_placing(spec, tree, verdict):
    counts = {}
    for rule in spec.rules:
        counts[rule.name] = counts.get(rule.name, 0) + 1
        home = HOME.get(rule.name.split('.')[0])
        verdict(rule.name in tree.rules, 'rule %s is a block of section %s, but not in rules.def' % (rule.name, rule.section))
        verdict(home == rule.section[0], 'rule %s stands in section %s, its place is %s' % (rule.name, rule.section, home))
    for name in tree.rules:
        home = HOME.get(name.split('.')[0])
        if not home or name.endswith('.Not'):
            continue
        verdict(counts.get(name, 0) == 1, 'rule %s stands %d times in section %s as a block' % (name, counts.get(name, 0), home))


# The literal evaluators read like sections 3 and 4: in each of these files the rules' ids stand above their code in the order of the text.
LITERAL = ['alg_literal.c', 'literal_expr.c', 'literal_rules.c', 'tgt_literal.c', 'literal_assign.c']


def check_order(spec, tree, verdict):
    place = {rule.name: number for number, rule in enumerate(spec.rules)}
    for name in LITERAL:
        for path in tree.files.get(name, []):
            ids = re.findall(r'^// ([A-Z]+(?:\.[A-Z][\w-]*)+)', read_section(os.path.join(tree.root, path)), re.M)
            ids = [i for i in ids if i in place]
            verdict(bool(ids), '%s: no rule stands above its code' % name)
            for before, after in zip(ids, ids[1:]):
                verdict(place[before] <= place[after], '%s: %s stands before %s, in the text after it' % (name, before, after))


TYPINGS = {'ARITH': 't, t -> t', 'BITS': 't, t -> t', 'WHOLE': 't, t -> t', 'COMPARE': 't, t -> bool', 'EQUAL': 't, t -> bool', 'LOGIC': None,
           'SELECT': 'bool, t, t -> t', 'UNARY': 't -> t', 'UBITS': 't -> t', 'CAST': 't -> t\'', 'MATH': None}
KINDS = {'ARITH': 'numeric', 'COMPARE': 'numeric', 'UNARY': 'numeric', 'BITS': 'integer', 'WHOLE': 'integer', 'UBITS': 'integer',
         'EQUAL': 'numeric or bool', 'SELECT': 'any', 'CAST': 'any', 'MATH': 'float', 'LOGIC': 'bool'}
REINTERPRETED = {'f32_bits': 'f32 -> u32', 'f64_bits': 'f64 -> u64', 'f32_from_bits': 'u32 -> f32', 'f64_from_bits': 'u64 -> f64',
                 'f16_bits': 'f16 -> u16', 'f16_from_bits': 'u16 -> f16', 'bf16_bits': 'bf16 -> u16', 'bf16_from_bits': 'u16 -> bf16'}


def type_of_operator(arity, typing):
    if typing == 'LOGIC':
        return ', '.join(['bool'] * arity) + ' -> bool'
    if typing == 'MATH':
        return ', '.join(['t'] * arity) + ' -> t'
    return TYPINGS[typing]


def check_operators(spec, tree, verdict):
    """The table of operators in section 2 is semantics/ops.def: names, spellings, types, one row each."""
    rows = {}
    for row in table_after(spec.texts.get('2_values', ''), 'Operators'):
        verdict(row[0] not in rows, 'section 2 has the operator %s twice' % row[0])
        rows[row[0]] = row
    for name, spelling, arity, typing in tree.operators:
        row = rows.pop(name, None)
        verdict(row is not None, 'section 2 has no row for the operator %s' % name)
        if row is None:
            continue
        written = row[1].strip('`').replace('\\|', '|')
        verdict(written == spelling, 'operator %s is written %s, not %s' % (name, spelling, written))
        if typing == 'REINTERPRET':
            expected = REINTERPRETED.get(spelling)
        elif typing == 'LOGIC':
            expected = type_of_operator(int(arity), typing)
        else:
            expected = '%s, t %s' % (type_of_operator(int(arity), typing), KINDS[typing])
        verdict(row[2].strip('`') == expected, 'operator %s has the type %s, not %s' % (name, expected, row[2]))
        verdict(len(row) == 6 and all(row), 'operator %s: its row needs six cells' % name)
    for name in rows:
        verdict(False, 'section 2 has an operator %s, ops.def has none' % name)


def check_ranges(spec, tree, verdict):
    """Each operator whose range is its own (ops.def) has a row in section 6, or that says "anything else: unbounded" of it."""
    text = spec.texts.get('6_holes_and_bounds', '').split('*Numeric ranges.*')[-1]
    cells = [row.split(' | ')[0].strip('| ').replace('\\|', '|') for row in text.split('ones(n)')[0].splitlines() if row.startswith('| ')]
    verdict(len(cells) > 10 and len(tree.own_ranges) > 10, 'section 6 has lost its table of numeric ranges, or ops.def its column')
    for name, spelling, typing in tree.own_ranges:
        sought = {'COMPARE': 'a comparison', 'EQUAL': 'a comparison', 'CAST': "t(e')"}.get(typing, "-e'" if name == 'NEG' else spelling)
        verdict(any(sought in cell for cell in cells), 'section 6, "Numeric ranges", has no row for the operator %s (%s)' % (name, spelling))


def check_absent(spec, tree, verdict):
    """The directives of Halide that there are not: the table of section 7 is sched/absent.def."""
    rows = table_after(spec.texts.get('7_schedules', ''), 'What there is not')
    written = [word for row in rows for word in re.findall(r'`(\w+)`', row[0])]
    for word in sorted(set(written) ^ set(tree.absent)):
        verdict(False, 'section 7 has no row for %s of absent.def' % word if word in tree.absent else 'section 7 says that there is no %s, absent.def does not' % word)
    verdict(len(written) == len(set(written)), 'section 7 says twice what there is not')
    for word, decision in tree.absent.items():
        told = ' '.join(row[1] for row in rows if '`%s`' % word in row[0])
        verdict(decision in told, 'section 7 does not say that there is no %s because of %s' % (word, decision))


def check_decisions(spec, tree, verdict):
    table = spec.texts.get('B_decisions', '')
    for decision in tree.decisions:
        has_row = re.search(r'^\| %s \|' % decision, table, re.M)
        verdict(bool(has_row) or decision in tree.waiting, 'decision %s has no row in appendix B' % decision)


def check_index(spec, tree, verdict):
    """Every rule is counted by code, quoted by a test, and undone by a fault under which such a test was seen to fail: no cell of appendix C is empty."""
    rows = {}
    for line in spec.texts.get('C_index', '').split('\n'):
        cells = [cell.strip() for cell in line.split('|')[1:-1]]
        if len(cells) == 7 and cells[0] not in ('rule', '---'):
            rows[cells[0]] = cells
    columns = ('', 'no section states it', 'no code counts it', 'no fault undoes it', 'no test fails under a fault that undoes it', 'no test quotes it',
               'no test that quotes it was seen to fail under a fault that undoes it')
    for name in tree.rules:
        lacks = [said for said, cell in zip(columns, rows[name]) if said and cell in ('', '-')] if name in rows else ['it has no row']
        verdict(not lacks, 'appendix C: %s: %s' % (name, ', '.join(lacks)))


# What the paper numbers.
PAPER = {'definition': '3.1 3.2 3.3 4.1 4.2 4.3 4.4 4.5 6.3 7.1 7.2 7.3 8.3', 'lemma': '4.6 6.1 6.2 7.4 7.5 7.6 7.7 8.1 8.5 8.6',
         'theorem': '3.4 3.5 8.2 8.4 8.7', 'Figure': '1 2 3 4 5 6 7 8 9 10 11 12', 'footnote': '1 2 3 4 5 6 7',
         '': '1 2 3 3.1 3.2 4 4.1 4.2 4.3 4.4 5 5.1 5.2 6 7 8 8.1 8.2 8.3 8.4 8.5 8.6 9 10'}


def check_concordance(spec, verdict):
    """Every numbered item, figure, footnote and section of the paper has a row of appendix A, and each row says something."""
    named = set()
    for line in spec.texts.get('A_concordance', '').split('\n'):
        row = [cell.strip() for cell in line.split('|')[1:-1]] if line.startswith('| ') else []
        verdict(not row or len(row) == 5 and row[1], 'appendix A says nothing of %s' % (row or [''])[0])
        named.update(re.sub(r'\([a-z]\)', '', part).strip() for part in (line.split('|')[1].split(',') if line.startswith('| ') else []))
    for kind, numbers in PAPER.items():
        for number in numbers.split():
            item = ('%s %s' % (kind, number)).strip()
            verdict(item in named, 'appendix A has no row of %s' % (item if kind else 'section ' + number))


# What a statement has to say. An input, a lemma that is right as printed, has nothing wrong.
SAYS = {'definition': ('Printed', 'Here'), 'lemma': ('Printed', 'Here', 'Known'), 'theorem': ('Printed', 'Here', 'Known')}


def check_statements(spec, verdict):
    """Section 8 states every definition, lemma and theorem: as printed, as meant, and of a claim how it is known."""
    parts = {found.group(1).lower(): part for part in spec.texts.get('8_statements', '').split('\n### ') for found in [re.match(r'((?:Definition|Lemma|Theorem) [\d.]+):', part)] if found}
    for kind, says in SAYS.items():
        for number in PAPER[kind].split():
            part = parts.get('%s %s' % (kind, number))
            verdict(part is not None, 'section 8 does not state %s %s' % (kind, number))
            for word in says if part is not None else ():
                verdict(re.search(r'^\*%s( \([^)]*\))?\.\*' % word, part, re.M), 'section 8: %s %s lacks "%s."' % (kind, number, word))


def check(spec, tree, verdict):
    ids = set(tree.rules)
    for rule in spec.rules:
        for text in rule.wrong:
            verdict(False, '%s: %s' % (rule.name, text))
        wrong = []
        for figure in rule.figures:
            check_figure(spec, rule, figure, wrong)
        check_about(tree, rule, wrong)
        check_formal(spec, rule, wrong)
        check_errors(tree, rule, wrong)
        if rule.section.startswith('6'):
            check_facts(rule, ids, wrong)
        for text in wrong:
            verdict(False, text)
        verdict(not wrong and not rule.wrong, None)
    check_placing(spec, tree, verdict)
    check_words(spec, verdict)
    check_operators(spec, tree, verdict)
    check_ranges(spec, tree, verdict)
    check_absent(spec, tree, verdict)
    check_decisions(spec, tree, verdict)
    check_index(spec, tree, verdict)
    check_concordance(spec, verdict)
    check_statements(spec, verdict)
    check_order(spec, tree, verdict)
    check_links(spec, verdict)


def anchor(heading):
    """As GitHub names them."""
    text = re.sub(r'`|\*', '', heading).strip().lower()
    return re.sub(r'[^\w\- ]', '', text).replace(' ', '-')


def check_links(spec, verdict):
    for name, text in spec.texts.items():
        for target in re.findall(r'\]\(([^)]+)\)', re.sub(r'```.*?```|`[^`\n]*`', '', text, flags=re.S)):
            if re.match(r'[a-z]+:', target):
                continue
            file, _, place = target.partition('#')
            section = file[:-3] if file.endswith('.md') else name if not file else None
            good = section in spec.texts if section else os.path.exists(os.path.join(spec.folder, file))
            if good and place and section:
                good = place in {anchor(h) for h in re.findall(r'^#+ (.+)$', spec.texts[section], re.M)}
            verdict(good, '%s: the link %s leads nowhere' % (name, target))


def main():
    folder = sys.argv[2] if len(sys.argv) > 2 else 'semantics/rules'
    spec, tree = Specification(folder, '.'), Tree(sys.argv[3] if len(sys.argv) > 3 else '.')
    counts = [0, 0]

    def verdict(good, message):
        counts[0 if good else 1] += 1 if good or message else 0
        if not good and message:
            print(message)

    if sys.argv[1:2] == ['check']:
        check(spec, tree, verdict)
        print('%d passed, %d failed' % tuple(counts))
        return 1 if counts[1] else 0
    print(__doc__)
    return 2


if __name__ == '__main__':
    sys.exit(main())
