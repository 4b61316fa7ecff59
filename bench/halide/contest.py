#!/usr/bin/env python3
"""contest.py BUILD [--size WxH] [--rounds N] [--out DIR] [--apps DIR] [--fma] [NAME...]: every schedule of the pipelines of apps/ (NAME: of these alone) as
Halyard and as Halide compile it ahead of time for this machine, in turn on the same inputs (race.c).

Halide compiles what "halyard export" writes, in two forms: as one would write it for Halide, for its target "host", which is what is timed against;
and so that it means exactly the same, with strict_float, whose outputs have to be Halyard's bit for bit. What has no such form (exp, pow, ...) is
compared up to rounding alone. What is refused is a row with its reason. With --fma Halyard compiles the algorithm under "contract fma", as Halide
contracts by itself; then all is compared up to rounding.

Prints a table and geometric means; writes them to DIR/halide.md, and all figures to DIR/halide.json (DIR: build/bench). Status 1: outputs differ
that must not, or nothing could be compared; 2: no Halide, no such pipeline.
"""
import argparse
import glob
import os
import sys
import tempfile

import report
from installation import fail, find_halide
from pipeline import Pipeline, Refused

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def options():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument('build')
    words.add_argument('--size', default='0x0', help='of the output, for a quick look; without it that of ./dev bench')
    words.add_argument('--rounds', type=int, default=9)
    words.add_argument('--out', default=f'{ROOT}/build/bench')
    words.add_argument('--apps', default=f'{ROOT}/apps', help='the folder of the pipelines')
    words.add_argument('--fma', action='store_true', help='Halyard contracts products and sums, too: the algorithm with "contract fma"')
    words.add_argument('names', nargs='*', metavar='NAME')
    return words.parse_intermixed_args()


def rows_of(asked, halide, name, threads):
    with tempfile.TemporaryDirectory() as folder:
        pipeline = Pipeline(os.path.abspath(asked.build), halide, os.path.abspath(asked.apps), name, folder, asked.fma)
        try:
            pipeline.export_all()
        except Refused as why:
            sys.exit(f'{name}: {why}')
        for schedule in pipeline.schedules:
            row = pipeline.measure(schedule, asked.size.split('x'), asked.rounds, threads)
            row['fault'] = None if 'refused' in row else report.fault(row)
            print(report.line(report.cells(row)), flush=True)
            yield row


def named_pipelines(apps, names):
    """Those that are meant; ends the program where one of them is not there."""
    files = glob.glob(f'{apps}/*.alg') + glob.glob(f'{apps}/*/*.alg')
    known = sorted(os.path.basename(path)[:-len('.alg')] for path in files)
    for name in names:
        if name not in known:
            fail(f"there is no pipeline '{name}' in {apps}; there are {', '.join(known)}")
    return names or known


def main():
    asked, threads = options(), len(os.sched_getaffinity(0))
    names = named_pipelines(asked.apps, asked.names)
    halide = find_halide()
    head = report.about(halide, asked.rounds, threads, asked.fma)
    print('\n'.join(head) + '\n\n' + report.line(report.HEAD), flush=True)
    rows = [row for name in names for row in rows_of(asked, halide, name, threads)]
    means = report.summary(rows)
    print('\n' + '\n'.join(report.conclusion(means, threads)))
    try:
        report.write(asked.out, head, rows, means, threads)
    except OSError as error:
        print(f'the results cannot be written: {error}', file=sys.stderr)
        return 2
    return 1 if means['faults'] or not means['schedules'] else 0


if __name__ == '__main__':
    sys.exit(main())
