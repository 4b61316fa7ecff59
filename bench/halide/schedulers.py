#!/usr/bin/env python3
"""schedulers.py BUILD [--budget S] [--rounds N] [--out DIR] [--apps DIR] [--fma] [NAME...]: schedules that were found automatically, by
"halyard tune" and by Halide's own three, for the pipelines of apps/ (NAME: of these alone) at the sizes of "./dev bench".

Halide compiles what "halyard export --idiomatic" writes: with every schedule of the pipeline, of which the fastest is the expert's; and the algorithm
alone, as each of its automatic schedulers wants it to be (Mullapudi2016, Adams2019, Li2018; "parallelism" is the number of threads, all else is left as
it comes). Halyard compiles its own schedules and those of levels 0, 1 and 2; level 2 searches for --budget seconds (0: it is left out). All run in turn,
in one process, on all threads, and outputs are compared. With --fma Halyard finds schedules for, and compiles, the algorithm under "contract fma", as
Halide contracts by itself. A scheduler that takes more than --memory GiB or --seconds of processor time has no schedule.

Prints a table of ratios to the expert's time and geometric means; writes them to DIR/schedulers.md, all figures to DIR/schedulers.json, and a plot to
DIR/schedulers.svg (DIR: build/bench). Status 1: outputs differ that must not, or nothing could be compared; 2: no Halide, no such pipeline.
"""
import argparse
import functools
import os
import resource
import statistics
import subprocess
import sys
import tempfile

import plot
import report
from contest import ROOT, named_pipelines
from installation import fail, find_halide
from pipeline import Pipeline, Refused, first_error, run

SCHEDULERS = ('Mullapudi2016', 'Adams2019', 'Li2018')
SLOWEST = 60  # seconds that a schedule may take in a trial


def options():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument('build')
    words.add_argument('--budget', type=float, default=60, help='seconds of level 2 (0: without it)')
    words.add_argument('--rounds', type=int, default=9)
    words.add_argument('--memory', type=int, default=12, help='GiB that a scheduler of Halide may take')
    words.add_argument('--seconds', type=int, default=300, help='of processor time that it may take')
    words.add_argument('--out', default=f'{ROOT}/build/bench')
    words.add_argument('--apps', default=f'{ROOT}/apps', help='the folder of the pipelines')
    words.add_argument('--fma', action='store_true', help='Halyard contracts products and sums, too: the algorithm with "contract fma"')
    words.add_argument('names', nargs='*', metavar='NAME')
    return words.parse_intermixed_args()


class Contest:
    """One pipeline, and all who schedule it. Entrants: their labels, and how many processor seconds each took."""

    def __init__(self, asked, halide, name, folder, threads):
        self.asked, self.halide, self.threads = asked, halide, threads
        self.pipeline = Pipeline(asked.build, halide, asked.apps, name, folder, asked.fma)
        self.seconds, self.refused = {}, {}
        sized, _ = run([f'{asked.build}/app_estimates', asked.apps, name])
        if sized.returncode or not sized.stdout.strip():
            fail(f"the pipeline '{name}' has no size at which it is timed (bench/twins/app_inputs.c)")
        self.estimates = sized.stdout.strip()

    def attempt(self, label, build):
        """An entrant, or why it is none. build(): its object in LABEL.so; how long it took."""
        try:
            self.seconds[label] = build()
            self.trial(label)
        except Refused as why:
            self.refused[label] = str(why)
            self.seconds.pop(label, None)

    def trial(self, label):
        """It runs once beside Halyard's own: what crashes or never ends shall not take the others along."""
        if len(self.seconds) > 1:
            self.race([label], 1, SLOWEST)

    def race(self, labels, rounds, seconds=None):
        first = next(iter(self.seconds))
        env = {**os.environ, 'HL_NUM_THREADS': str(self.threads), 'HALYARD_NUM_THREADS': str(self.threads)}
        words = [f'{self.asked.build}/halide_race', self.pipeline.name, str(rounds), '0', '0', f'./{first}.so',
                 *(f'{label}=./{label}.so' for label in labels)]
        try:
            done = subprocess.run(words, cwd=self.pipeline.folder, env=env, capture_output=True, text=True, check=False, timeout=seconds)
        except subprocess.TimeoutExpired as late:
            raise Refused(f'its schedule runs for more than {seconds} s') from late
        return self.pipeline.result_of(done)

    # -- Halide's --

    def export(self):
        """A program for all: the algorithm alone is the last."""
        self.pipeline.exported = {}
        texts = [(['--unscheduled', '--estimate', self.estimates], None)]
        texts += [([f'{self.pipeline.sched}:{schedule}'], schedule) for schedule in self.pipeline.schedules]
        count = 0
        for words, schedule in texts:
            done, _ = run([f'{self.asked.build}/halyard', 'export', self.pipeline.alg, *words, '--to', 'halide-cpp', '--idiomatic', '-o',
                           f'{self.pipeline.folder}/p{count}.inc'])
            self.pipeline.exported[schedule] = first_error(done.stderr) if done.returncode else count
            count += not done.returncode
        if count:
            self.pipeline.make_compiler(count)

    def by_halide(self, label, schedule, words=(), limit=None):
        number = self.pipeline.exported[schedule]
        if isinstance(number, str):
            raise Refused('not exported: ' + number)
        done, seconds = run(['./compile', str(number), 'host', f'{label}.o', *words], self.pipeline.folder, self.halide.environment(), limit)
        if done.returncode in (-9, -24):  # SIGKILL, SIGXCPU
            raise Refused(f'no schedule after {self.asked.seconds} s of processor time')
        if done.returncode:
            memory = 'bad_alloc' in done.stderr
            raise Refused(f'needs more than {self.asked.memory} GiB' if memory else 'Halide: ' + first_error(done.stderr))
        self.pipeline.link(label, 'runtime.o')
        return seconds

    def limit(self):
        resource.setrlimit(resource.RLIMIT_AS, (self.asked.memory << 30,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (self.asked.seconds,) * 2)

    def by_scheduler(self, name):
        plugin = self.halide.plugin(name)
        if not plugin:
            raise Refused('the installation has no such plug-in')
        return self.by_halide(name, None, [plugin, name, f'parallelism={self.threads}'], self.limit)

    # -- Halyard's --

    def by_halyard(self, label, sched):
        done, seconds = run([f'{self.asked.build}/halyard', 'build', self.pipeline.own, sched, '-o', label, '--emit', 'o', '--name', 'filter'],
                            self.pipeline.folder)
        if done.returncode:
            raise Refused('Halyard: ' + first_error(done.stderr))
        self.pipeline.link(label, f'{self.asked.build}/halyard_runtime.o')
        return seconds

    def by_level(self, level):
        label = f'level{level}'
        words = ['--budget', f'{self.asked.budget:g}', '--seed', '1'] if level == 2 else []
        done, seconds = run([f'{self.asked.build}/halyard', 'tune', self.pipeline.own, '--estimate', self.estimates, '--level', str(level), *words, '-o',
                             f'{self.pipeline.folder}/{label}.sched'])
        if done.returncode:
            raise Refused('Halyard: ' + first_error(done.stderr))
        self.by_halyard(label, f'{label}.sched')
        return seconds

    # -- all --

    def result(self):
        """A row of the table."""
        for level in (0, 1, 2) if self.asked.budget else (0, 1):
            self.attempt(f'level{level}', functools.partial(self.by_level, level))
        for schedule in self.pipeline.schedules:
            self.attempt(f'own_{schedule}', functools.partial(self.by_halyard, f'own_{schedule}', f'{self.pipeline.sched}:{schedule}'))
        self.export()
        for schedule in self.pipeline.schedules:
            self.attempt(f'expert_{schedule}', functools.partial(self.by_halide, f'expert_{schedule}', schedule))
        for name in SCHEDULERS:
            self.attempt(name, functools.partial(self.by_scheduler, name))
        row = {'pipeline': self.pipeline.name, 'estimates': self.estimates, 'seconds': self.seconds, 'refused': self.refused}
        if not any(label.startswith('expert_') for label in self.seconds):
            return {**row, 'fault': None}
        try:
            said = self.race(list(self.seconds)[1:], self.asked.rounds)
        except Refused as why:
            self.refused['all of them'] = str(why)
            return {**row, 'fault': None}
        said[next(iter(self.seconds))] = said.pop('halyard')
        row['runs'] = {label: said[label] for label in self.seconds}
        row['fault'] = fault_of(row['runs'])
        return row


def fault_of(runs):
    """Whose outputs differ that must not: Halyard's in any bit, the experts' of Halide up to rounding. What Halide's schedulers make is only told."""
    for label, run_ in runs.items():
        if label in SCHEDULERS:
            continue
        if run_['far'] > report.FAR * run_['points'] if label.startswith('expert_') else run_['differ']:
            return f'{label} differs at {run_["differ"]} of {run_["points"]} points'
    return None


def fastest(runs, prefix):
    return min((label for label in runs if label.startswith(prefix)), key=lambda label: runs[label]['wall'], default=None)


def ratios(row):
    """Of each entrant to the expert of Halide: medians of the ratios of the rounds. {} without one."""
    runs = row.get('runs')
    if not runs:
        return {}
    expert, own = fastest(runs, 'expert_'), fastest(runs, 'own_')
    names = {'expert': expert, 'own': own, **{label: label for label in (*SCHEDULERS, 'level0', 'level1', 'level2')}}
    return {name: statistics.median(mine / theirs for mine, theirs in zip(runs[label]['rounds'], runs[expert]['rounds']))
            for name, label in names.items() if label in runs}


COLUMNS = (*SCHEDULERS, 'own', 'level0', 'level1', 'level2')
HEAD = ('pipeline', 'expert', 'ms', *COLUMNS)


def cells(row):
    found, runs = ratios(row), row.get('runs')
    if not runs:
        return [row['pipeline'], 'none', '-', *['-'] * len(COLUMNS)]
    expert = fastest(runs, 'expert_')
    return [row['pipeline'], expert[len('expert_'):], f'{runs[expert]["wall"]:.3f}', *(f'{found[name]:.2f}' if name in found else '-' for name in COLUMNS)]


def line(words):
    return ' '.join(word.ljust(width) if i < 2 else word.rjust(width) for i, (word, width) in enumerate(zip(words, (18, 10, 9, 13, 9, 7, 6, 7, 7, 7))))


def conclusion(rows):
    """Geometric means and the worst, to the expert and to the best of Halide's three."""
    found = [ratios(row) for row in rows if 'runs' in row]
    lines = []
    for name in COLUMNS:
        mine = [row[name] for row in found if name in row]
        best = [row[name] / min(row[other] for other in SCHEDULERS if other in row) for row in found if name in row and any(other in row for other in SCHEDULERS)]
        if mine:
            lines.append(f'{name}: {report.mean(mine):.2f} of the expert\'s time, at most {max(mine):.2f}, of {len(mine)}'
                         + (f'; {report.mean(best):.2f} of the best of Halide\'s three' if best and name not in SCHEDULERS else ''))
    best = [min(row[other] for other in SCHEDULERS if other in row) for row in found if any(other in row for other in SCHEDULERS)]
    if best:
        lines.append(f'the best of Halide\'s three: {report.mean(best):.2f} of the expert\'s time, at most {max(best):.2f}, of {len(best)}')
    for row in rows:
        lines += [f'{row["pipeline"]}, {label}: {why}' for label, why in row['refused'].items()]
        lines += [f'{row["pipeline"]}: {row["fault"]}'] if row['fault'] else []
        lines += [f'{row["pipeline"]}, {label}: another output at {run_["far"]} of {run_["points"]} points, by {run_["largest"]:g} at most'
                  for label, run_ in row.get('runs', {}).items() if label in SCHEDULERS and run_['far'] > report.FAR * run_['points']]
    return lines


def write(folder, head, rows):
    os.makedirs(folder, exist_ok=True)
    report.write_json(f'{folder}/schedulers.json', {'about': head, 'rows': rows, 'ratios': {row['pipeline']: ratios(row) for row in rows}})
    table = [HEAD, ['---'] * len(HEAD), *map(cells, rows)]
    with open(f'{folder}/schedulers.md', 'w', encoding='utf-8') as file:
        file.write(f'{head}\n\n' + '\n'.join('| ' + ' | '.join(words) + ' |' for words in table) + '\n\n' + '\n'.join('- ' + text for text in conclusion(rows)) + '\n')
    with open(f'{folder}/schedulers.svg', 'w', encoding='utf-8') as file:
        file.write(plot.dots([(row['pipeline'], {name: found[name] for name in COLUMNS if name in found}) for row in rows if (found := ratios(row))], COLUMNS,
                             'time as a multiple of that of Halide\'s expert'))


def main():
    asked, threads = options(), len(os.sched_getaffinity(0))
    asked.build, asked.apps = os.path.abspath(asked.build), os.path.abspath(asked.apps)
    timed, _ = run([f'{asked.build}/app_estimates', asked.apps])
    names = asked.names and named_pipelines(asked.apps, asked.names) or timed.stdout.split()
    halide = find_halide()
    head = (f'{halide.version} ({halide.place}, target host) and Halyard{", contract fma" * asked.fma}, {asked.rounds} rounds in turn, {threads} threads: times as multiples of the expert\'s, '
            f'medians. Level 2 searched for {asked.budget:g} s.')
    print(head + '\n\n' + line(HEAD), flush=True)
    rows = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(Contest(asked, halide, name, folder, threads).result())
        print(line(cells(rows[-1])), flush=True)
    print('\n' + '\n'.join(conclusion(rows)))
    try:
        write(asked.out, head, rows)
    except OSError as error:
        print(f'the results cannot be written: {error}', file=sys.stderr)
        return 2
    return 1 if any(row['fault'] for row in rows) or not any('runs' in row for row in rows) else 0


if __name__ == '__main__':
    sys.exit(main())
