#!/usr/bin/env python3
"""memory.py BUILD: the most memory that each verb holds at once, and how long it takes.

Of the smallest and of the largest pipeline of apps/, each with one schedule, and run on images of 640 x 480. Resident memory as Linux
counts it (ru_maxrss: the process's VmHWM), LLVM's and Z3's libraries among it. It hardly depends on the machine; times do.
"""
import os
import subprocess
import sys
import tempfile
import time

APPS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'apps')
CHOSEN = [  # pipeline, schedule, what run is given
    ('box_blur', 'tiled', ['-i', 'in=random:640x480:1']),
    ('local_laplacian', 'halide', ['-i', 'in=random:640x480x3:1', '-p', 'alpha=0.5', '-p', 'beta=0.7']),
]


def measure(command):
    """Peak of resident memory in MiB, and seconds."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f'{" ".join(command)}: status {os.waitstatus_to_exitcode(status)}')
    return usage.ru_maxrss / 1024, time.monotonic() - start


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    halyard = os.path.join(sys.argv[1], 'halyard')
    print(f'{"pipeline":<16} {"schedule":<8} {"verb":<8} {"peak MiB":>8} {"seconds":>8}')
    with tempfile.TemporaryDirectory() as scratch:
        for name, schedule, given in CHOSEN:
            program = [os.path.join(APPS, f'{name}.alg'), os.path.join(APPS, f'{name}.sched') + f':{schedule}']
            for verb, more in (('check', []), ('build', ['-o', os.path.join(scratch, name)]), ('run', given)):
                peak, seconds = measure([halyard, verb, *program, *more])
                print(f'{name:<16} {schedule:<8} {verb:<8} {peak:>8.0f} {seconds:>8.2f}')


main()
