"""The specification as one HTML page: rules set as rules, their ids as anchors, links to code and tests. No network, no dependencies.

specification_page.py write PAGE     makes it (./dev spec)
specification_page.py check PAGE     every rule and decision is an anchor of it, every link leads somewhere
"""
import glob
import html
import os
import re
import sys

sys.dont_write_bytecode = True
import specification as spec_module  # noqa: E402

STYLE = """
body { max-width: 60em; margin: 2em auto; padding: 0 1em; font: 16px/1.45 Georgia, 'Times New Roman', serif; color: #1a1a1a; background: #fffefb; }
h1 { border-bottom: 2px solid #333; margin-top: 2.5em; } h2 { margin-top: 1.8em; } a { color: #1f4e79; text-decoration: none; } a:hover { text-decoration: underline; }
code, pre { font: 13px/1.4 'DejaVu Sans Mono', Consolas, monospace; } pre { background: #f5f3ee; padding: .6em 1em; overflow-x: auto; }
table { border-collapse: collapse; margin: 1em 0; font-size: 14px; } th, td { border: 1px solid #cfcac0; padding: .2em .6em; text-align: left; vertical-align: top; } th { background: #efece4; }
.rule { border-left: 3px solid #1f4e79; margin: 1.2em 0 .3em; padding: .2em 0 .4em 1em; background: #faf8f3; overflow-x: auto; }
.rule > .id { font: bold 13px 'DejaVu Sans Mono', Consolas, monospace; }
.figure { display: table; margin: .7em auto; } .inference { display: table-cell; vertical-align: middle; }
.premises { text-align: center; padding: 0 .5em; } .premises span { margin: 0 1.1em; white-space: nowrap; } .premises span.long { white-space: normal; }
.conclusion { text-align: center; border-top: 1.5px solid #1a1a1a; padding: .1em .5em 0; } .side { display: table-cell; vertical-align: middle; padding-left: 1em; font-size: 14px; max-width: 22em; }
.about { font-size: 13px; color: #555; margin: 0 0 .8em 1.2em; } sub { font-size: 70%; } .figure i { font-family: Georgia, serif; }
nav ul { list-style: none; padding-left: 1.2em; } :target { background: #fff3c4; }
@page { size: A4; margin: 12mm 13mm 13mm; @bottom-center { content: counter(page); font: 8pt Georgia, serif; } }
.printed { display: none; }
@media print {
  body { font: 9pt/1.18 'Times New Roman', 'Liberation Serif', Times, serif; max-width: none; margin: 0; padding: 0; background: none; } a { color: inherit; } .rule { break-inside: avoid; }
  nav ul { columns: 3; margin: .3em 0; } p, ol, ul { margin: .22em 0; } h1 { font-size: 13pt; margin: 1em 0 .3em; border-width: 1px; } h2 { font-size: 10.5pt; margin: .7em 0 .25em; }
  h3 { font-size: 9pt; margin: .5em 0 .15em; } h1, h2, h3 { break-after: avoid; } table { font-size: 7.2pt; margin: .35em 0; line-height: 1.15; } th, td { padding: .05em .4em; }
  code, pre { font-size: 6.9pt; line-height: 1.2; } pre { padding: .2em .6em; margin: .3em 0; white-space: pre-wrap; background: none; border-left: 1px solid #cfcac0; }
  .rule { margin: .45em 0 .05em; padding: 0 0 0 .6em; background: none; border-width: 2px; } .rule > .id { font-size: 7.2pt; } .figure { display: inline-table; margin: .1em 1em .1em 1.5em; } .none { display: none; } .figure i { font-family: inherit; }
  .premises span { margin: 0 .7em; white-space: normal; } .side { font-size: 7.2pt; max-width: 32em; padding-left: .6em; } .about { font-size: 7pt; margin: 0 0 .2em .8em; }
  .where, .reference { display: none; } .printed { display: block; }
}
"""
SYMBOLS = {'-->!': '⟶!', '-->': '⟶', '--|': '⊣', '|-': '⊢', '~>': '⇝', '=>lazy': '⇓<sub>lazy</sub>', '=>strict': '⇓<sub>strict</sub>', '=>m': '⇓<sub>m</sub>',
           '=>': '⇒', '<-': '←', '->': '→', '<=': '≤', '>=': '≥', '!=': '≠', '<<': '&lt;&lt;', '>>': '&gt;&gt;'}
# In a rule: an arrow that names its directive, any other symbol, a letter with subscript and primes, another word, anything else.
TOKEN = re.compile(r"==(?P<by>[^ =>][^=>]*)==>|(?P<symbol>-->!|-->|--\||\|-|~>|=>(?:lazy|strict|m)?\b|=>|<-|->|<=|>=|!=|<<|>>)|"
                   r"(?P<letter>[A-Za-z]+)(?P<early>'*)(?:_(?P<sub>[A-Za-z0-9]+(?:[+-]\d)?|\([^)]*\)))?(?P<primes>'*)(?![\w.]*\w)|(?P<word>[\w.]+)|(?P<other>.)", re.S)
CONFIGURATION = re.compile(r'< ((?:[A-Z]|done|nop|let|for|if|assume|constrain|compute|label|f\()[^<>]*(?:<-[^<>]*)?(?:-[^<>]*)?) >(?=$|[ ,;])')


# What one looks up and does not read: on the screen, and not on paper.
REFERENCE = ('A_concordance', 'B_decisions', 'C_index', 'E_functions')


def slug(section, heading):
    return section + '--' + spec_module.anchor(heading)


class Page:
    def __init__(self, spec, tree, root, here):
        self.spec, self.tree, self.out = spec, tree, []
        self.up = os.path.relpath(root, os.path.dirname(os.path.abspath(here)))
        self.ids = set(tree.rules)
        self.anchors = set()
        self.suites = {os.path.basename(p)[:-len('_test.c')]: os.path.relpath(p, root)
                       for p in glob.glob(os.path.join(root, 'proofs_tests', '**', '*_test.c'), recursive=True)}
        self.root = root

    # -- links --

    def to_file(self, path):
        return '%s/%s' % (self.up, path)

    def link_of(self, word):
        """Where a word in backquotes leads, or None."""
        base = word[:-4] if word.endswith('.Not') else word
        if word in self.ids or base in self.ids:
            return '#' + base
        if re.fullmatch(r'(golden|negative)/[\w.]+', word):
            return self.to_file('proofs_tests/' + word)
        name = word.split(':')[0]
        if name in self.suites:
            return self.to_file(self.suites[name])
        if re.fullmatch(r'[\w/]+\.(c|h|def|sh|py|md|alg|sched|tgt)', word.split(' ')[0]):
            path = word.split(' ')[0]
            if os.path.exists(os.path.join(self.root, path)):
                return self.to_file(path)
            found = self.tree.paths(path)
            if found:
                return self.to_file(found[0])
        if word in self.tree.mutants:
            return self.to_file('proofs_tests/mutants/mutants.def')
        return None

    def inline(self, text, section):
        """Backquotes, links, emphasis, decisions."""
        parts = re.split(r'(`[^`]+`)', text)
        done = []
        for part in parts:
            if len(part) > 2 and part[0] == '`' and part[-1] == '`':
                word = part[1:-1]
                where = self.link_of(word)
                code = '<code>%s</code>' % html.escape(word.replace('\\|', '|'), quote=False)
                done.append('<a href="%s">%s</a>' % (html.escape(where), code) if where else code)
                continue
            part = html.escape(part.replace('\\|', '|'), quote=False)
            part = re.sub(r'\[([^\]]+)\]\(([^)]+)\)', lambda m: '<a href="%s">%s</a>' % (self.target(m.group(2), section), m.group(1)), part)
            part = re.sub(r'\*\*([^*]+)\*\*', r'<b>\1</b>', part)
            part = re.sub(r'(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])', r'<i>\1</i>', part)
            part = re.sub(r'\b(D\d+)\b(?![^<]*</a>)', lambda m: '<a href="#%s">%s</a>' % (m.group(1), m.group(1)) if m.group(1) in self.rows else m.group(1), part)
            done.append(part)
        return ''.join(done)

    def target(self, link, section):
        if re.match(r'[a-z]+:', link):
            return link
        file, _, place = link.partition('#')
        name = file[:-3] if file.endswith('.md') else section
        if file and name not in self.spec.texts:
            return self.to_file(os.path.normpath(os.path.join('semantics/rules', file)))
        return '#' + (name + '--' + place if place else name)

    # -- rules --

    def judgement(self, text):
        """Words in quotes are prose, without them."""
        return self.letters(text.replace('"', ''))

    def letters(self, text):
        text = CONFIGURATION.sub(r'⟨\1⟩', text)

        def one(m):
            if m.group('by'):
                return '⟹<sub>%s</sub>' % self.letters(m.group('by'))
            if m.group('symbol'):
                return SYMBOLS[m.group('symbol')]
            root = m.group('letter')
            if not root:
                return html.escape(m.group(0), quote=False)
            if root not in self.spec.metavariables or m.group(0) == 'a':  # the article
                return html.escape(m.group(0), quote=False)
            root = 'ε' if root == 'eps' else root
            primes = '′' * len(m.group('early') + m.group('primes'))
            return '<i>%s</i>%s%s' % (root, primes, '<sub>%s</sub>' % html.escape(m.group('sub').strip('()')) if m.group('sub') else '')
        return re.sub(r'\^(\d+|N|<i>\w</i>(?:<sub>\w</sub>)?)', r'<sup>\1</sup>', TOKEN.sub(one, text))

    def rule(self, rule, section):
        self.anchors.add(rule.name)
        self.out.append('<div class="rule" id="%s"><a class="id" href="#%s">%s</a>' % (rule.name, rule.name, rule.name))
        for figure in rule.figures:
            premises = ''.join('<span%s>%s</span> ' % (' class="long"' if len(p) > 80 else '', self.judgement(p)) for p in figure.premises)
            side = '<div class="side">%s</div>' % self.judgement(figure.side) if figure.side else ''
            self.out.append('<div class="figure"><div class="inference"><div class="premises">%s</div><div class="conclusion">%s</div></div>%s</div>' %
                            (premises or '<span class="none">&nbsp;</span>', self.judgement(figure.conclusion), side))
        self.out.append('</div>')
        for line in rule.after:
            paper, code, rest = re.match(r'((?:Paper: .*? Decisions: .*?\.)?)((?: Code: .*? Broken twin: .*?\.(?= |$))?)(.*)$', line).groups()
            where = '<span class="where">%s</span>' % self.inline(code, section) if code else ''
            self.out.append('<p class="about">%s%s%s</p>' % (self.inline(paper, section), where, self.inline(rest, section)))

    # -- markdown, as far as the sections use it --

    def table(self, lines, section):
        self.out.append('<table>')
        for number, line in enumerate(lines):
            if number == 1:
                continue
            cells = [c.strip() for c in re.split(r'(?<!\\)\|', line)[1:-1]]
            tag = 'th' if number == 0 else 'td'
            name = cells[0].strip('`') if cells else ''
            if section.startswith(('C_', 'A_')):
                name = '' # they speak of rules and decisions that stand elsewhere
            own = number and name not in self.anchors and (name in self.ids or re.fullmatch(r'D\d+', name) and section.startswith('B_'))
            if own:
                self.anchors.add(name)
            self.out.append('<tr%s>%s</tr>' % (' id="%s"' % name if own else '', ''.join('<%s>%s</%s>' % (tag, self.inline(c, section), tag) for c in cells)))
        self.out.append('</table>')

    def section(self, name):
        lines = self.spec.texts[name].split('\n')
        rules = {rule.line: rule for rule in self.spec.rules if rule.section == name}
        self.anchors.add(name)
        self.out.append('<section id="%s"%s>' % (name, ' class="reference"' if name in REFERENCE else ''))
        i = 0
        while i < len(lines):
            line = lines[i]
            if i + 1 in rules:
                rule = rules[i + 1]
                self.rule(rule, name)
                while not (i > rule.line - 1 and lines[i].startswith('```')):
                    i += 1
                i += 1 + len(rule.after)
            elif line.startswith('```'):
                end = next(k for k in range(i + 1, len(lines)) if lines[k].startswith('```'))
                self.out.append('<pre>%s</pre>' % html.escape('\n'.join(lines[i + 1:end]), quote=False))
                i = end + 1
            elif line.startswith('#'):
                level, heading = len(line) - len(line.lstrip('#')), line.lstrip('# ')
                place = slug(name, heading)
                self.anchors.add(place)
                self.out.append('<h%d id="%s">%s</h%d>' % (level, place, self.inline(heading, name), level))
                i += 1
            elif line.startswith('|'):
                end = i
                while end < len(lines) and lines[end].startswith('|'):
                    end += 1
                self.table(lines[i:end], name)
                i = end
            elif re.match(r'[-*] |\d+\. ', line):
                i = self.items(lines, i, name)
            elif not line.strip():
                i += 1
            else:
                end = i
                while end < len(lines) and lines[end].strip() and not lines[end].startswith(('```', '#', '|')) and not re.match(r'[-*] |\d+\. ', lines[end]):
                    end += 1
                self.out.append('<p>%s</p>' % self.inline(' '.join(lines[i:end]), name))
                i = end
        self.out.append('</section>')

    def items(self, lines, i, name):
        kind = 'ol' if lines[i][0].isdigit() else 'ul'
        self.out.append('<%s>' % kind)
        while i < len(lines) and re.match(r'[-*] |\d+\. ', lines[i]):
            text = [re.sub(r'^([-*]|\d+\.) ', '', lines[i])]
            i += 1
            while i < len(lines) and re.match(r' {2,}\S', lines[i]):
                text.append(lines[i].strip())
                i += 1
            self.out.append('<li>%s</li>' % self.inline(' '.join(text), name))
        self.out.append('</%s>' % kind)
        return i

    def write(self):
        self.rows = set(re.findall(r'^\| (D\d+) \|', self.spec.texts.get('B_decisions', ''), re.M))
        names = [n for n in spec_module.SECTIONS if n in self.spec.texts]
        self.out = ['<!DOCTYPE html>', '<html lang="en"><head><meta charset="utf-8"><title>Halyard: the specification</title><style>%s</style></head><body>' % STYLE,
                    '<h1>Halyard: the specification</h1>',
                    '<p>The Halide language with a formal semantics that runs. Made from <a href="%s"><code>semantics/rules/</code></a> by <code>./dev spec</code>.</p><nav><ul>' %
                    self.to_file('semantics/RULES.md')]
        for name in names:
            first = re.search(r'^# (.+)$', self.spec.texts[name], re.M).group(1)
            self.out.append('<li><a href="#%s">%s</a></li>' % (name, html.escape(first)))
        self.out.append('</ul></nav><p class="printed">Not printed: appendices A, B, C and E, and of each rule its code and its broken twins. The page and the folder have them.</p>')
        for name in names:
            self.section(name)
        self.out.append('</body></html>')
        return '\n'.join(self.out) + '\n'


def check(page, tree, rows):
    with open(page, encoding='utf-8') as file:
        text = file.read()
    wrong, passed = [], 0
    anchors = re.findall(r' id="([^"]+)"', text)
    for twice in sorted({a for a in anchors if anchors.count(a) > 1}):
        wrong.append('the page has the anchor %s twice' % twice)
    anchors = set(anchors)
    for name in list(tree.rules) + sorted(rows):
        base = name[:-4] if name.endswith('.Not') and name[:-4] in anchors else name
        if base in anchors:
            passed += 1
        else:
            wrong.append('the page has no anchor %s' % name)
    for link in sorted(set(re.findall(r' href="([^"]+)"', text))):
        link = html.unescape(link)
        if link.startswith('#'):
            good = link[1:] in anchors
        else:
            good = not re.match(r'[a-z]+:', link) and os.path.exists(os.path.join(os.path.dirname(os.path.abspath(page)), link))
        if good:
            passed += 1
        else:
            wrong.append('the page\'s link %s leads nowhere' % link)
    if re.search(r'(src|href)="https?:', text):
        wrong.append('the page needs the network')
    for line in wrong:
        print(line)
    print('%d passed, %d failed' % (passed, len(wrong)))
    return 1 if wrong else 0


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ('write', 'check'):
        print(__doc__)
        return 2
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    spec, tree = spec_module.Specification(os.path.join(root, 'semantics/rules'), root), spec_module.Tree(root)
    if sys.argv[1] == 'check':
        return check(sys.argv[2], tree, set(re.findall(r'^\| (D\d+) \|', spec.texts['B_decisions'], re.M)))
    page = Page(spec, tree, root, sys.argv[2]).write()
    with open(sys.argv[2], 'w', encoding='utf-8') as file:
        file.write(page)
    return 0


if __name__ == '__main__':
    sys.exit(main())
