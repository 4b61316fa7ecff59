"""One pipeline of apps/, compiled by Halyard and by Halide: sources, objects and the race between them, in a folder of their own."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# What Halide compiles, by which label: how it is exported, and the target.
#   halide   as one would write it for Halide, for the target that one takes: what is timed
#   strict   what means the same, bit for bit: how outputs are compared
FORMS = {'halide': (['--idiomatic'], 'host'), 'strict': ([], 'host-strict_float')}


class Refused(Exception):
    """Why a schedule has no figures."""


def first_error(text):
    """What a tool says that is wrong, on one line."""
    lines = [line for line in text.strip().splitlines() if line.strip()] or ['it says nothing']
    return re.sub(r'^.*?error\[', '[', next((line for line in lines if 'error' in line.lower()), lines[0]))[:160]


def run(words, folder=None, env=None, limit=None):
    """What it ends with, and its processor time. limit: called in the new process first."""
    before = os.times()
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, preexec_fn=limit)
    after = os.times()
    return done, after.children_user + after.children_system - before.children_user - before.children_system


def fused(path, folder):
    """A copy of the algorithm, beside copies of its neighbours and of what lies below, with "contract fma" if it has no contract."""
    def all_but_algorithms(inside, names):
        return [name for name in names if not name.endswith('.alg') and not os.path.isdir(f'{inside}/{name}')]

    shutil.copytree(os.path.dirname(path), folder, ignore=all_but_algorithms, dirs_exist_ok=True)  # what it includes
    copy = f'{folder}/{os.path.basename(path)}'
    with open(copy, encoding='utf-8') as file:
        text = file.read()
    with open(copy, 'w', encoding='utf-8') as file:
        file.write(re.sub(r'^(pipeline\b(?:(?!\bcontract\b)[^{])*?)\s*\{', r'\1 contract fma {', text, count=1, flags=re.M))
    return copy


class Pipeline:
    def __init__(self, build, halide, apps, name, folder, fma=False):
        self.build, self.halide, self.name, self.folder = build, halide, name, folder
        self.alg = next(iter(glob.glob(f'{apps}/{name}.alg') + glob.glob(f'{apps}/*/{name}.alg')))
        self.sched = self.alg[:-len('.alg')] + '.sched'
        self.fma, self.own = fma, fused(self.alg, folder) if fma else self.alg  # what Halyard compiles
        with open(self.sched, encoding='utf-8') as file:
            self.schedules = re.findall(r'^schedule (\w+)', file.read(), re.M)
        self.exported = {}  # (schedule, form): its number in the program that has Halide compile it, or why there is none

    def export_all(self):
        """One program for all schedules: most of its compilation is Halide's header."""
        count = 0
        for schedule in self.schedules:
            for form, (options, _) in FORMS.items():
                done, _ = run([f'{self.build}/halyard', 'export', self.alg, f'{self.sched}:{schedule}', '--to', 'halide-cpp', *options,
                               '-o', f'{self.folder}/p{count}.inc'])
                self.exported[schedule, form] = first_error(done.stderr) if done.returncode else count
                count += not done.returncode
        if count:
            self.make_compiler(count)

    def make_compiler(self, count):
        """The program ./compile, of p0.inc, p1.inc, .. (compile.inc), and Halide's run-time library."""
        with open(f'{self.folder}/compile.cpp', 'w', encoding='utf-8') as file:
            file.write('#include <Halide.h>\n#include <cmath>\n#include <cstdint>\n#include <vector>\n')
            file.writelines(f'namespace p{i} {{\n#include "p{i}.inc"\n}}\n' for i in range(count))
            file.write(f'#define HALIDE_PIPELINES {" ".join(f"X({i})" for i in range(count))}\n#include "{HERE}/compile.inc"\n')
        self.halide.compile_program('compile.cpp', 'compile', self.folder)
        self.have_halide_compile('runtime', 'host', 'runtime.o')

    def have_halide_compile(self, which, target, file):
        done, seconds = run(['./compile', which, target, file], self.folder, self.halide.environment())
        if done.returncode:
            raise Refused('Halide: ' + first_error(done.stderr))
        return seconds

    def by_halide(self, schedule, form):
        """Processor seconds from text to object."""
        number = self.exported[schedule, form]
        if isinstance(number, str):
            raise Refused('not exported: ' + number)
        seconds = self.have_halide_compile(str(number), FORMS[form][1], f'{form}.o')
        self.link(form, 'runtime.o')
        return seconds

    def by_halyard(self, schedule):
        words = [f'{self.build}/halyard', 'build', self.own, f'{self.sched}:{schedule}', '-o', 'halyard', '--emit', 'o', '--name', 'filter']
        done, seconds = run(words, self.folder)
        if done.returncode:
            raise Refused('Halyard: ' + first_error(done.stderr))
        self.link('halyard', f'{self.build}/halyard_runtime.o')
        return seconds

    def link(self, form, runtime):  # -Bsymbolic: nothing in the one may stand in for what the other defines
        done, _ = run(['cc', '-shared', '-Wl,-Bsymbolic', '-o', f'{form}.so', f'{form}.o', runtime, '-ldl', '-pthread', '-lm'], self.folder)
        if done.returncode:
            sys.exit(f'{self.name}: cannot be linked: {done.stderr}')

    def race(self, forms, size, rounds, threads):
        env = {**os.environ, 'HL_NUM_THREADS': str(threads), 'HALYARD_NUM_THREADS': str(threads)}
        words = [f'{self.build}/halide_race', self.name, str(rounds), *size, './halyard.so', *(f'{form}=./{form}.so' for form in forms)]
        return self.result_of(run(words, self.folder, env)[0])

    @staticmethod
    def result_of(done):
        """What a race said."""
        if done.returncode not in (0, 3):
            raise Refused(f'the race ended with status {done.returncode}: {first_error(done.stderr)}')
        said = json.loads(done.stdout)
        if 'refused' in said:
            raise Refused(said['refused'])
        return said

    def measure(self, schedule, size, rounds, threads):
        """A row of the table."""
        row, forms = {'pipeline': self.name, 'schedule': schedule, 'compile': {}}, ['halide']
        try:
            row['compile']['halide'] = self.by_halide(schedule, 'halide')
            row['compile']['halyard'] = self.by_halyard(schedule)
            try:
                if self.fma:
                    raise Refused('Halyard contracts: sums of products')
                self.by_halide(schedule, 'strict')
                forms.append('strict')
            except Refused as why:
                row['no_strict'] = str(why)
            row['one'], row['all'] = self.race(forms, size, rounds, 1), self.race(forms, size, rounds, threads)
        except Refused as why:
            row['refused'] = str(why)
        return row
