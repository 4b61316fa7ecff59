#!/usr/bin/env python3
"""The programs of docs/halide_found.md, run: halide_found.py [FIRST WORDS OF A TITLE], with an interpreter that has Halide's bindings; status 77
without one of the versions. Below each program the document says what it means and what came of it in which versions; the one that is there must do
so. "halide_found.py check" needs none: each program has such a line. Prints what is not so, and "N passed, N failed".
"""
import os
import re
import resource
import subprocess
import sys

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs', 'halide_found.md')
SECONDS = 8  # of processor time; what Halide does in a second or two ends long before
CLAIM = re.compile(r'`[^`]*`|something else|as it means|refused|a crash|too long|internal error (`[^`]+`|without words)')


class Program:
    def __init__(self, title, text):
        self.title, self.text, self.means, self.came = title, text, None, {}


def read_document():
    """What stands before each program, the programs, and what is wrong with the document."""
    programs, wrong, title, block = [], [], 'the head', []
    with open(DOCUMENT, encoding='utf-8') as file:
        for line in list(file) + ['\n']:
            if line.startswith('    ') or (block and not line.strip()):
                block.append(line[4:] if line.strip() else '\n')
                continue
            if block:
                programs.append(Program(title, ''.join(block).rstrip('\n') + '\n'))
                block = []
            title = line.split('**')[1] if line.startswith('**') else title
            said = re.match(r'(Should compile\.|Means `([^`]*)`\.)((?: Halide \d+: .*?\.(?= |$))+)$', line.rstrip('\n'))
            if not said:
                continue
            program = programs[-1]
            program.means = said.group(2) or ''
            program.came = dict(re.findall(r'Halide (\d+): (.*?)\.(?= Halide |$)', said.group(3)))
            wrong += ['%s: what is "%s"?' % (title, claim) for claim in program.came.values() if not CLAIM.fullmatch(claim)]
    wrong += ['%s: nothing is said of a program' % p.title for p in programs[1:] if not p.came]
    return programs[0].text, programs[1:], wrong


# -- Halide --


def version():
    """Of the library, the first number; None without it."""
    asked = ('import os, halide\n'
             'for line in open("/proc/self/maps"):\n'
             '    path = line.split()[-1]\n'
             '    if "libHalide" in path: print(os.path.realpath(path))\n')
    said = subprocess.run([sys.executable, '-c', asked], capture_output=True, text=True, check=False)
    number = re.search(r'libHalide(?:\.so\.)?(\d+)', said.stdout)
    return number.group(1) if said.returncode == 0 and number else None


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def what_came(text, means):
    # New memory holds no zeros, so that a read of what nobody wrote is seen; and the C library looks behind each block that is given back, so that
    # what is written beyond one ends the program, wherever the heap lies this time.
    ran = subprocess.run([sys.executable, '-c', text], capture_output=True, text=True, check=False, preexec_fn=limited,
                         env={**os.environ, 'MALLOC_PERTURB_': '165', 'MALLOC_CHECK_': '3', 'LD_PRELOAD': 'libc_malloc_debug.so.0'})
    lines = ran.stdout.strip().split('\n')
    if ran.returncode == -9 or ran.returncode == -24:
        return 'too long'
    if ran.returncode < 0:
        return 'a crash'
    if ran.returncode > 0:
        said = ran.stderr.strip().split('Error:')[-1].strip()
        place = re.search(r'Internal Error at \S*?([^/ ]+:\d+)', ran.stderr)
        if 'verifyFunction' in said and not place:
            return 'internal error `verifyFunction`'
        return 'internal error `%s`' % place.group(1) if place else 'refused' if said else 'internal error without words'
    return 'as it means' if lines[-1] == means else '`%s`' % lines[-1]


def holds(came, claim):
    return came == claim or (claim == 'something else' and (came.startswith('`') or came == 'a crash'))


def main():
    words = sys.argv[1:]
    before, programs, wrong = read_document()
    passed = 0
    if words != ['check']:
        number = version()
        if not any(number in p.came for p in programs):
            print('no Halide here of a version that the document speaks of')
            return 77
        programs = [p for p in programs if not words or p.title.startswith(' '.join(words))]
        for p in programs:
            came = what_came(before + '\n' + p.text, p.means) if number in p.came else ''
            if not holds(came, p.came.get(number, '')):
                wrong.append('%s: of Halide %s is said: %s; %s' % (p.title, number, p.came.get(number), came))
    passed = len(programs) - len(wrong)
    print('\n'.join(wrong + ['%d passed, %d failed' % (passed, len(wrong))]))
    return 1 if wrong or not programs else 0


if __name__ == '__main__':
    sys.exit(main())
