#!/usr/bin/env python3
"""Writes docs/gallery.md and its pictures in docs/gallery/: gallery.py HALYARD [--check]

One picture of each pipeline of apps/, small, from the photograph that apps/scene.alg makes, as bench/apps_page.py shows them; the
last schedule of each computes it. --check: status 1 unless the page is what apps/ says, every picture is there and holds at most
20 KB, and those of two pipelines, made again, have the same pixels.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import apps_page  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
AGAIN = ['box_blur', 'unsharp']
MOST = 20 * 1024  # bytes of a picture
COPIES = 'pipeline copy(in: u8[{0}]) {{ fun o({1}) = in({1}); }}'


class Gallery(apps_page.Page):
    def __init__(self, halyard, out):
        super().__init__(halyard, out, True)
        self.width, self.height = 128, 96

    def picture(self, name, schedule):
        if name != 'scene':
            return super().picture(name, schedule)
        picture = os.path.join(self.out, 'scene.png')  # at a quarter of its size, as the others read it
        self.call('run', self.write('words_shown.alg', apps_page.SHOWN['words']), '-i', f'in={self.image("small")}', '-o', picture)
        return picture


def rows():
    """The table of apps/README.md: name -> what it computes, after whom, funcs, schedules, lines."""
    found = re.findall(r'^\| `(\w+)` \| (.*?) \|(.*?)\| (\d+) \| (.*?) \| (\d+) \|$', (ROOT / 'apps/README.md').read_text(), re.M)
    names = {path.stem for pattern in ('*.alg', '*/*.alg') for path in (ROOT / 'apps').glob(pattern)}
    if {row[0] for row in found} != names or names != set(apps_page.APPS):
        sys.exit('gallery.py: apps/, apps/README.md and bench/apps_page.py differ')
    return {row[0]: [word.strip() for word in row[1:]] for row in found}


def schedule_of(name):
    """The last schedule of a pipeline: its name, and its text with what stands above it."""
    text = (ROOT / apps_page.files_of(name)[1]).read_text()
    last = re.findall(r'((?://.*\n)*schedule (\w+) for (?:.|\n)*?\n\}\n)', text)[-1]
    return last[1], last[0]


def page():
    parts = ['# Gallery\n\nThe pipelines of `apps/` on a small picture, the photograph that `apps/scene.alg` makes (`bench/gallery.py` writes this page and '
             'its pictures; `./dev apps` makes them larger, with times and verdicts, in `build/apps/index.html`). Every schedule of them is proved for all inputs, and gives bit for bit what plain C loops '
             'give.\n']
    for name, (computes, after, funcs, schedules, lines) in rows().items():
        (shown, text), (alg, sched) = schedule_of(name), apps_page.files_of(name)
        parts.append(f'## {name}\n\n![{name}](gallery/{name}.png)\n\n{computes[0].upper()}{computes[1:]}{f" ({after})" if after else ""}. '
                     f'[{name}.alg](../{alg}): {lines} lines, {funcs} funcs. [{name}.sched](../{sched}): {schedules}.\n\n'
                     f'<details><summary>the schedule <code>{shown}</code></summary>\n\n```\n{text}```\n\n</details>\n')
    return '\n'.join(parts)


def same_pixels(gallery, name):
    made = gallery.picture(name, schedule_of(name)[0])
    for variables in ('x, y', 'x, y, k'):
        copy = gallery.write('copy.alg', COPIES.format(variables.count(',') + 1, variables))
        done = subprocess.run([gallery.halyard, 'run', copy, '-i', f'in={made}', '--compare', str(ROOT / f'docs/gallery/{name}.png')],
                              capture_output=True, text=True, check=False)
        if 'HY0712' not in done.stderr:  # of the rank of the picture
            return done.returncode == 0
    return False


def check(halyard):
    said = []
    if (ROOT / 'docs/gallery.md').read_text() != page():
        said.append('docs/gallery.md is not what apps/ says')
    for name in rows():
        picture = ROOT / f'docs/gallery/{name}.png'
        if not picture.is_file() or picture.stat().st_size > MOST:
            said.append(f'docs/gallery/{name}.png is not there, or too large')
    with tempfile.TemporaryDirectory() as folder:
        gallery = Gallery(halyard, folder)
        said += [f'docs/gallery/{name}.png is not what apps/ makes' for name in AGAIN if not same_pixels(gallery, name)]
    for line in said:
        print(line + ': run bench/gallery.py HALYARD')
    return 1 if said else 0


def main():
    if sys.argv[2:] == ['--check']:
        return check(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        gallery = Gallery(sys.argv[1], folder)
        (ROOT / 'docs/gallery').mkdir(exist_ok=True)
        for name in rows():
            picture = pathlib.Path(gallery.picture(name, schedule_of(name)[0])).read_bytes()
            (ROOT / f'docs/gallery/{name}.png').write_bytes(picture)
            print(f'{name}: {len(picture)} bytes')
    (ROOT / 'docs/gallery.md').write_text(page())
    return 0


if __name__ == '__main__':
    sys.exit(main())
