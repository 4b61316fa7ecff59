#!/usr/bin/env python3
"""Why the pairs of a campaign against Halide failed: halide_explain.py HALYARD OUT [-j N], OUT being that of "halyard fuzz --against halide".
A campaign keeps the least pair of each key; this judges every failed pair again that is not told by the place of an internal
error, changes its program in one respect after the other, and says after which change Halide computes what is meant, or refuses it.
OUT/explained gets a line for each pair as it is known; what is there already is not asked again. Prints how many of which. In place of
HALYARD and OUT, --program FILE.py: that of one finding.
"""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

BLOCK = 16  # pairs that are judged one after the other
CALL = r'    \w+(?:\.update\(\d+\))?\.(?:%s)\(.*\)\n'


def without(methods):
    return lambda text: [re.sub(CALL % methods, '', text)]


def without_one_split(text):
    """Of a loop, in whose place the loops that it was split into are named."""
    changed = []
    for split in re.finditer(r'    \w+(?:\.update\(\d+\))?\.split\((.*?), (hl\.R?Var\("\w+"\)), (hl\.R?Var\("\w+"\)), .*\)\n', text):
        old, outer, inner = split.groups()
        rest = text[split.end():]
        changed.append(text[:split.start()] + rest.replace(outer, old).replace(inner, old))
    return changed


def replaced(*pairs):
    def change(text):
        for old, new in pairs:
            text = text.replace(old, new)
        return [text]
    return change


def untrimmed(text):
    """Reduction variables where no solver sees through them."""
    lines = []
    for line in text.split('\n'):
        head, mark, value = line.partition('.where(' if '.where(' in line else ' = ')
        lines.append(head + mark + re.sub(r'\b(\w+_s\d+_\.[xyzw])\b', r'hl.i32(hl.f64(\1))', value))
    return ['\n'.join(lines)]


# As docs/halide_found.md calls them.
CHANGES = [
    ('a window slides', without('store_root|store_at')),
    ('numbers near the ends of 64 bits', replaced(('9223372036854775807', '4611686018427387904'), ('-0x1p+63', '-0x1p+40'))),
    ('a product by the least number', replaced(('(-32768)', '(-32767)'), ('(-128)', '(-127)'))),
    ('an inner loop loses its guard', without('fuse')),
    ('a bound is too small', without('bound|bound_extent|align_bounds')),
    ('a loop is trimmed by a value that it changes', untrimmed),
    ('iterations that a predicate leaves out', without('reorder')),
    ('a vector', without('vectorize')),
    ('a loop unrolled many times', without('unroll')),
    ('an inner loop loses its guard', without_one_split),
]
# After these Halide may see that it wants more of an image than there is, or that constants overflow.
MAY_BE_REFUSED = ('a window slides', 'a bound is too small', 'numbers near the ends of 64 bits')


def outcome(text, folder):
    path = os.path.join(folder, 'changed.py')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    try:
        ran = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False, timeout=300, env={**os.environ, 'MALLOC_PERTURB_': '165'})
    except subprocess.TimeoutExpired:
        return 'no end'
    if ran.returncode == 0:
        return 'as meant'
    if 'points differ' in ran.stdout:
        return 'differs'
    return 'refused' if ran.returncode == 1 and 'Internal' not in ran.stderr else 'crashes'


def program_of(halyard, seed, key, pair, folder):
    """What the campaign would have written for that pair."""
    block = pair // BLOCK
    subprocess.run([halyard, 'fuzz', '--against', 'halide', '--seed', seed, '--pairs', str(BLOCK * (block + 1)), '--shard', '%d/%d' % (block, block + 1),
                    '--shrink', '0', '--out', os.path.join(folder, 'out')], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    path = os.path.join(folder, 'out', key)
    try:
        with open(path + '.case', encoding='utf-8') as case, open(path + '.py', encoding='utf-8') as program:
            return program.read() if 'pair %d\n' % pair in case.read() else None
    except OSError:
        return None


def outcomes(text, folder, often):
    """Of some runs: memory that was written over need not end each."""
    return {outcome(text, folder) for _ in range(often)}


def reason(text, folder):
    failed = next((came for came in (outcome(text, folder) for _ in range(6)) if came != 'as meant'), None)
    if not failed:
        return 'as meant by itself'
    for name, change in CHANGES:
        # What crashed need only run: a change of a number changes what is meant.
        enough = ['as meant'] + ['differs'] * (failed == 'crashes') + ['refused'] * (name in MAY_BE_REFUSED)
        often = 4 if failed == 'crashes' else 1
        if any(changed != text and outcomes(changed, folder, often) <= set(enough) for changed in change(text)):
            return name
    return 'not explained'


def explain(halyard, seed, key, pair):
    with tempfile.TemporaryDirectory() as folder:
        text = program_of(halyard, seed, key, pair, folder)
        return reason(text, folder) if text else 'beside another of its key in its block'


def main():
    halyard, out = sys.argv[1:3]
    if halyard == '--program':
        with open(out, encoding='utf-8') as file, tempfile.TemporaryDirectory() as folder:
            print(reason(file.read(), folder))
        return 0
    jobs = int(sys.argv[4]) if sys.argv[3:4] == ['-j'] else 1
    with open(os.path.join(out, 'campaign'), encoding='utf-8') as file:
        seed = re.search(r'^seed: (\d+)$', file.read(), re.M).group(1)
    with open(os.path.join(out, 'results'), encoding='utf-8') as file:
        failed = {(int(pair), key) for key, pair in re.findall(r';(halide-[^;@\n]*)@(\d+)', file.read())}
    counts, asked = collections.Counter(key.split('-', 2)[2] for _, key in failed if 'internal' in key), []
    path = os.path.join(out, 'explained')
    with open(path, 'a+', encoding='utf-8') as file:
        file.seek(0)
        known = dict((int(line.split(' ', 2)[0]), line.rstrip('\n').split(' ', 2)[2]) for line in file)
        asked = sorted((pair, key) for pair, key in failed if 'internal' not in key)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            told = {pool.submit(explain, halyard, seed, key, pair): (pair, key) for pair, key in asked if pair not in known}
            for done in concurrent.futures.as_completed(told):
                pair, key = told[done]
                known[pair] = done.result()
                print(pair, key, known[pair], file=file, flush=True)
    counts.update(known[pair] for pair, _ in asked)
    for name, count in counts.most_common():
        print('%6d %s' % (count, name))
    return 1 if any(name.startswith(('not ', 'as meant', 'beside')) for name in counts) else 0


if __name__ == '__main__':
    sys.exit(main())
