"""python3 -m halyard FILE.alg [FILE.sched[:NAME]]: checks, and prints the verdict and what is to be said.

FILE may be a target program, FILE.tgt. Exit status as of "halyard check": 0 proved; 1 refuted, or no program; 2 bad usage,
or a file that cannot be read; 3 unknown.
"""

import pathlib
import sys

import halyard

STATUS = {halyard.Verdict.PROVED: 0, halyard.Verdict.REFUTED: 1, halyard.Verdict.UNKNOWN: 3}


def read(name):
    try:
        return pathlib.Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(2)


def load(algorithm, schedule=None):
    """The pipeline of these files."""
    read(algorithm)  # which ends here where it is no text; what it includes is read with it
    pipeline = halyard.parse_file(algorithm)
    if schedule is not None:
        name, colon, chosen = schedule.rpartition(":")
        whole, chosen = (name, chosen) if colon else (schedule, None)
        pipeline.parse_schedule(read(whole), chosen)
    return pipeline


def main(words):
    if not 1 <= len(words) <= 2 or words[0].startswith("-"):
        print(__doc__.strip(), file=sys.stdout if words in (["-h"], ["--help"]) else sys.stderr)
        return 0 if words in (["-h"], ["--help"]) else 2
    try:
        result = load(*words).check()
    except halyard.Error as error:
        print(error, file=sys.stderr)
        return 1
    print(result)
    return STATUS[result.verdict]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
