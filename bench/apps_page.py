#!/usr/bin/env python3
"""Runs every pipeline of apps/ on one photograph and writes a page of pictures: apps_page.py HALYARD OUT [--small] [NAME...]

HALYARD is the program, OUT the folder: index.html, and a PNG of each result. The photograph is apps/scene.alg's, at a quarter of its
size; what the pipelines are given besides it (colours, a sensor's mosaic, holes, noise) are pipelines of a line, written to OUT/made. Of
every schedule the page says how it was decided, how long a run takes, and whether all pixels equal the algorithm's meaning; the status is
1 if one is not proved or not equal. --small takes a picture of 192 x 96 (for tests), NAMEs take some of the pipelines.
"""
import glob
import html
import json
import math
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What pipelines are given: name -> (pipeline, what it reads, the channels of its result, 0: none, or its window).
MADE = {
    'small': ('pipeline p(in: u16[2]) { fun o(x, y) = u16(sum(rdom(r = (0, 4), s = (0, 4)) in u32(in(4*x + r, 4*y + s))) / 16); }', 'photo', 0),
    'grey': ('pipeline p(in: u16[2]) { fun o(x, y) = clamp(f32(in(x, y)) / 21000.0, 0.01, 1.0); }', 'small', 0),
    'grey8': ('pipeline p(in: f32[2]) { fun o(x, y) = u8(in(x, y) * 255.0); }', 'grey', 0),
    'colour': ('pipeline p(in: f32[2]) { fun o(x, y, k) = in(x, y) * select(k == 0, 0.4 + 0.6 * in(x, y), select(k == 1, 0.8, 1.1 - 0.6 * in(x, y))); }',
               'grey', 3),
    'colour8': ('pipeline p(in: f32[3]) { fun o(x, y, k) = u8_sat(in(x, y, k) * 255.0); }', 'colour', 3),
    'aside': ('pipeline p(in: u8[3]) { fun o(x, y, k) = in(clamp(x - 2*(16*y / in.height()), 0, in.right()), y, k); }', 'colour8', 3),  # seen from the side: nearer further down
    'colour16': ('pipeline p(in: f32[3]) { fun o(x, y, k) = u16_sat(in(x, y, k) * 65535.0); }', 'colour', 3),
    'noisy': ('pipeline p(in: f32[3]) { fun n(x, y, k) = ((u32(x) * 374761393 + u32(y) * 668265263 + u32(k) * 40503) * 2654435761) >> 24; '
              'fun o(x, y, k) = clamp(in(x, y, k) + (f32(n(x, y, k)) - 128.0) / 1500.0, 0.0, 1.0); }', 'colour', 3),
    'holes': ('pipeline p(in: f32[3]) { fun o(x, y, k) = let there = (x/3 + y/5*7) % 11 < 2 in '
              'select(k < 3, in(x, y, min(k, 2)), select(there, 1.0, 0.0)); }', 'colour', 4),
    'delay': ('pipeline p(in: f32[2]) { fun o(x, y) = 0.5 + 2.0 * in(x, y); }', 'grey', 0),
    'mosaic': ('pipeline p(in: f32[3]) { fun o(x, y) = let k = select(y % 2 == 0, select(x % 2 == 0, 1, 0), select(x % 2 == 0, 2, 1)) in '
               'select(x * 31 % 97 + y * 17 % 89 == 0, 1023, u16(in(x, y, k) * 900.0) + 25); }', 'colour', 0),
    'opaque': ('pipeline p(in: u8[3]) { fun o(x, y, k) = select(k < 3, in(x, y, min(k, 2)), 255); }', 'colour8', 4),
    'channels': ('pipeline p(in: f32[3]) { fun o(k, x, y, n) = in(x, y, k); }', 'colour', 'k=0:3,x=0:w,y=0:h,n=0:1'),
    'innermost': ('pipeline p(in: f32[3]) { fun o(k, x, y) = in(x, y, k); }', 'colour', 'k=0:3,x=0:w,y=0:h'),
    'weights': ('pipeline p(in: f32[4]) { fun o(c, t, k, l) = (in(c, t, k, l) - 0.5) * select(l == 0, 1.0, 0.4); }', 'random:64x9x64x13:3', 'c=0:64,t=0:9,k=0:64,l=0:13'),
}
for layer in range(5):  # coloured squares on a ring, opaque in the middle
    angle = layer * 2 * math.pi / 5
    MADE[f'layer{layer}'] = (f'pipeline p(in: u8[3]) {{ const R = in.width() / 5; def from(d, size, turn) = abs(d - size / 2 - int(f32(in.height()) * turn / 3.5)); '
                             f'fun o(x, y, k) = u8(mux(k, 255, {85 * layer % 256}, {255 - 85 * layer % 256}, '
                             f'clamp(4 * (R - max(from(x, in.width(), {math.cos(angle):.6f}), from(y, in.height(), {math.sin(angle):.6f}))), 0, 255))); }}', 'colour8', 4)
FROM_NOTHING = {  # a matrix of colours; lines whose frequency grows from one to the next; where fronts start; one that makes the mean of 16 columns, the nearer the heavier
    'MATRIX': ('pipeline p() { def row(i, a, b, c) = select(i == 0, a, select(i == 1, b, select(i == 2, c, i16(0)))); '
               'fun o(i, k) = select(k == 0, row(i, 380, -80, -44), select(k == 1, row(i, -60, 350, -34), row(i, -20, -90, 366))); }', 'i=0:4,k=0:3'),
    'OPS': ('pipeline p() { const program = [i32(0), 1, 0, 2, 0]; fun o(i) = program(i); }', 'i=0:5'),
    'CHIRPS': ('pipeline p() { fun o(x, y) = sin(f32(x * (y % 96)) * 0.0327); }', 'x=0:256,y=0:h'),
    'SOURCES': ('pipeline p() { fun o(x, y) = select(x % 8 == 4 && y % 8 == 4, 0.0, 1.0e9); }', 'x=0:w,y=0:h'),
    'BAND': ('pipeline p() { fun o(x, y) = max(16.0 - f32(abs(x - y)), 0.0) / 256.0; }', 'x=0:w,y=0:w'),
}
SHOWN = {  # how a result becomes a picture of bytes
    'grey': 'pipeline s(in: f32[2]) { fun o(x, y) = u8_sat(in(x, y) * 255.0); }',
    'colour': 'pipeline s(in: f32[3]) { fun o(x, y, k) = u8_sat(in(x, y, k) * 255.0); }',
    'arrivals': 'pipeline s(in: f32[2]) { fun o(x, y) = u8_sat(in(x, y) * 70.0); }',
    'signed': 'pipeline s(in: f32[2]) { fun o(x, y) = u8_sat(in(x, y) * 2.0e7 + 128.0); }',
    'waves': 'pipeline s(in: f32[2]) { fun o(x, y) = u8_sat(in(x, y) * 10.0 + 128.0); }',
    'features': 'pipeline s(in: f32[4]) { fun o(x, y, k) = u8_sat(in(k, x, y, 0) * 100.0); }',
    'maps': 'pipeline s(in: f32[3]) { fun o(x, y) = let c = clamp(x / (4*in.len(1)) + 8 * (y / (4*in.len(2))), 0, 63) in '
            'u8_sat(in(c, x / 4 % in.len(1), y / 4 % in.len(2)) * 7.0); }',
    'spectrum': 'pipeline s(in: f32[3]) { fun o(x, y) = let a = in(x/16, y, 0) in let b = in(x/16, y, 1) in u8_sat(log(1.0 + a*a + b*b) * 60.0); }',
    'frequencies': 'pipeline s(in: f32[3]) { fun o(x, y) = let k = clamp(x * in.width() / 256, 0, in.right()) in '
                   'let a = in(k, y, 0) in let b = in(k, y, 1) in u8_sat(log(1.0 + a*a + b*b) * 25.0); }',
    'rgba': 'pipeline s(in: u8[3]) { fun o(x, y, k) = lerp(u8(128), in(x, y, k), in(x, y, 3)); }',
    'words': 'pipeline s(in: u16[2]) { fun o(x, y) = u8_sat(in(x, y) / 82); }',
    'words3': 'pipeline s(in: u16[3]) { fun o(x, y, k) = u8_sat(in(x, y, k) / 257); }',
}
# name -> images, parameters, window (w, h: the picture's size, W, H: the photograph's), how it is shown (None: as it is), and its window there
APPS = {
    'scene': ({}, {}, 'x=700:W,y=200:H', 'words', ''),
    'box_blur': ({'in': 'small'}, {}, 'x=1:w-64,y=1:h-32', 'words', ''),
    'figure1': ({}, {'w': 3}, 'x=0:w,y=0:h', 'waves', ''),
    'histogram': ({'in': 'grey8'}, {}, 'x=0:w,y=0:h', None, ''),
    'histogram_colour': ({'in': 'colour8'}, {}, 'x=0:w,y=0:h,k=0:3', None, ''),
    'unsharp': ({'in': 'colour'}, {}, 'x=0:w,y=0:h,c=0:3', 'colour', ''),
    'harris': ({'in': 'colour'}, {}, 'x=2:w-4,y=2:h-4', 'signed', ''),
    'max_filter': ({'in': 'grey8'}, {'radius': 5}, 'x=0:w,y=0:h', None, ''),
    'iir_blur': ({'in': 'colour'}, {'alpha': 0.2}, 'x=0:w,y=0:h,c=0:3', 'colour', ''),
    'matmul': ({'a': 'grey', 'b': 'BAND'}, {}, 'x=0:w,y=0:h', 'grey', ''),
    'conv_layer': ({'in': 'channels', 'filter': 'random:24x3x3x3:3', 'bias': 'random:24:4'}, {}, 'c=0:24,x=1:w-2,y=1:h-2,n=0:1', 'features',
                   'x=0:w-2,y=0:h-2,k=0:3'),
    'vgg': ({'in': 'innermost', 'filter': 'weights', 'bias': 'zero:64x13'}, {}, 'c=0:64,x=0:w/32,y=0:h/32', 'maps', 'x=0:w,y=0:h'),
    'bilateral_grid': ({'in': 'grey'}, {}, 'x=0:w,y=0:h', 'grey', ''),
    'nl_means': ({'in': 'noisy'}, {'patch': 5, 'search': 7, 'sigma': 0.15}, 'x=0:w,y=0:h,k=0:3', 'colour', ''),
    'camera_pipe': ({'raw': 'mosaic', 'matrix': 'MATRIX'}, {'gamma': 1.4, 'contrast': 1.3, 'black': 25, 'white': 960}, 'x=6:w-12,y=6:h-12,k=0:3', None, ''),
    'eikonal': ({'time': 'SOURCES', 'slow': 'delay'}, {}, 'x=0:w,y=0:h', 'arrivals', ''),
    'interpolate': ({'in': 'holes'}, {}, 'x=0:w,y=0:h,k=0:3', 'colour', ''),
    'local_laplacian': ({'in': 'colour16'}, {'alpha': 0.5, 'beta': 0.7}, 'x=0:w,y=0:h,k=0:3', 'words3', ''),
    'lens_blur': ({'left': 'colour8', 'right': 'aside'}, {'slices': 16, 'focus': 13, 'scale': 0.8, 'reach': 12, 'samples': 64}, 'x=0:w,y=0:h,k=0:3', 'colour', ''),
    'compositing': ({'base': 'opaque', **{f'l{k + 1}': f'layer{k}' for k in range(5)}, 'ops': 'OPS'}, {}, 'x=0:w,y=0:h,c=0:4', 'rgba', 'x=0:w,y=0:h,k=0:3'),
    'resize': ({'in': 'colour'}, {'scale': 0.5}, 'x=0:w/2,y=0:h/2,p=0:3', 'colour', ''),
    **{f'fft_real_{n}': ({'in': 'CHIRPS'}, {}, f'k=0:{n // 2 + 1},y=0:h,part=0:2', 'frequencies', 'x=0:256,y=0:h') for n in (16, 32, 64, 128, 256)},
    'fft': ({'in': 'random:16xhx2:5'}, {}, 'i=0:16,y=0:h,part=0:2', 'spectrum', 'x=0:256,y=0:h'),
}


def files_of(name):
    """Where the pipeline's algorithm and schedules lie, from ROOT on: in apps/ or a folder of it."""
    alg = next(iter(glob.glob(f'apps/{name}.alg', root_dir=ROOT) + glob.glob(f'apps/*/{name}.alg', root_dir=ROOT)))
    return alg, alg[:-len('.alg')] + '.sched'


class Page:
    def __init__(self, halyard, out, small):
        self.halyard, self.out, self.made, self.bad = os.path.abspath(halyard), out, os.path.join(out, 'made'), []
        self.width, self.height = (192, 96) if small else (640, 480)
        os.makedirs(self.made, exist_ok=True)

    def call(self, *arguments, may_fail=False):
        done = subprocess.run([self.halyard, *arguments], capture_output=True, text=True, check=False)
        if done.returncode and not may_fail:
            sys.exit(f'halyard {" ".join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}')
        return done.stdout

    def sized(self, text):  # w and h, w - 2, w/2: numbers
        side = {'w': self.width, 'h': self.height, 'W': 4 * self.width, 'H': 4 * self.height}
        parts = []
        for part in filter(None, text.split(',')):
            name, bounds = part.split('=')
            low, length = bounds.split(':')
            for sign, compute in (('-', lambda a, b: a - b), ('/', lambda a, b: a // b)):
                if sign in length:
                    a, b = length.split(sign)
                    length = compute(side[a], int(b))
                    break
            parts.append(f'{name}={low}:{side.get(length, length)}')
        return ','.join(parts)

    def window(self, text):
        return ['--window', self.sized(text)] if text else []

    def write(self, name, text):
        path = os.path.join(self.made, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    def image(self, name):  # the file of what a pipeline is given, made when it is first asked for
        if name.startswith(('random:', 'zero:')):
            return name.replace('w', str(self.width)).replace('h', str(self.height))
        path = os.path.join(self.made, name + '.npy')
        if os.path.exists(path):
            return path
        if name == 'photo':
            self.call('run', f'{ROOT}/apps/scene.alg', f'{ROOT}/apps/scene.sched', '--window',
                      f'x={1200 * (self.width < 640)}:{4 * self.width},y={700 * (self.width < 640)}:{4 * self.height}', '-o', path)
        elif name in FROM_NOTHING:
            text, window = FROM_NOTHING[name]
            self.call('run', self.write(name + '.alg', text), *self.window(window), '-o', path)
        else:
            text, source, channels = MADE[name]
            last = channels if isinstance(channels, str) else 'x=0:w,y=0:h' + (f',k=0:{channels}' if channels else '')
            alg = self.write(name + '.alg', text)
            self.call('run', alg, '-i', f'in={self.image(source)}', *self.window(last), '-o', path)
        return path

    def given(self, name):  # what a run of a pipeline is told
        images, params, window, _, _ = APPS[name]
        words = [word for key, value in images.items() for word in ('-i', f'{key}={self.image(value)}')]
        return words + [word for key, value in params.items() for word in ('-p', f'{key}={value}')] + self.window(window)

    def picture(self, name, schedule):  # NAME.png, the result as bytes
        shown, shown_window = APPS[name][3:]
        picture = os.path.join(self.out, name + '.png')
        result = os.path.join(self.made, name + '_result.npy') if shown else picture
        alg, sched = files_of(name)
        self.call('run', f'{ROOT}/{alg}', f'{ROOT}/{sched}:{schedule}', *self.given(name), '-o', result)
        if shown:
            self.call('run', self.write(shown + '_shown.alg', SHOWN[shown]), '-i', f'in={result}', *self.window(shown_window), '-o', picture)
        return picture

    def app(self, name):
        alg, sched = (f'{ROOT}/{file}' for file in files_of(name))
        said = json.loads(self.call('bench', alg, sched, *self.given(name), '-n', '5', '--check', '--format', 'json', may_fail=True))
        rows = said.get('schedules', [])
        if not rows:
            sys.exit(f'{name}: ' + json.dumps(said['diagnostics'], indent=2))
        good = [row for row in rows if not row['refused'] and row['proved'] == row['obligations'] and row.get('pixels_equal')]
        if len(good) != len(rows):
            self.bad.append(name)
        self.picture(name, rows[-1]["name"])
        return rows

    def section(self, name, rows):
        with open(f'{ROOT}/{files_of(name)[0]}', encoding='utf-8') as file:
            text = file.read()
        about = ' '.join(line[2:].strip() for line in text.split('pipeline')[0].splitlines())
        table = ''.join(f'<tr><td>{row["name"]}<td>{row["proved"]} of {row["obligations"]} proved<td>{row["check_ms"]:.0f} ms'
                        f'<td>{row["median_ms"]:.3f} ms<td>{"all pixels equal" if row.get("pixels_equal") else "differ"}'
                        if not row['refused'] else f'<tr><td>{row["name"]}<td>refused' for row in rows)
        return (f'<section><h2>{name}</h2><p>{html.escape(about)}</p><img src="{name}.png" alt="{name}"><table><tr><th>schedule<th>check<th>took'
                f'<th>a run<th>against its meaning{table}</table><details><summary>algorithm</summary><pre>{html.escape(text)}</pre></details></section>\n')


def main(arguments):
    small = '--small' in arguments
    words = [word for word in arguments if word != '--small']
    if len(words) < 2 or any(name not in APPS for name in words[2:]):
        sys.exit('usage: apps_page.py HALYARD OUT [--small] [NAME...]; names: ' + ' '.join(APPS))
    page, names = Page(words[0], words[1], small), words[2:] or list(APPS)
    sections = ''
    for name in names:
        rows = page.app(name)
        print(f'{name}: ' + ', '.join(f'{row["name"]} {row["median_ms"]:.3f} ms' if not row['refused'] else f'{row["name"]} refused' for row in rows),
              flush=True)
        sections += page.section(name, rows)
    with open(os.path.join(page.out, 'index.html'), 'w', encoding='utf-8') as file:
        file.write('<!doctype html><meta charset="utf-8"><title>Halyard: pipelines</title><style>body { font: 16px sans-serif; max-width: 60em; '
                   'margin: auto } img { max-width: 100% } td, th { text-align: left; padding-right: 1.5em }</style>\n'
                   f'<h1>Pipelines of apps/</h1><p>{len(names)} pipelines on a picture of {page.width} x {page.height}.</p>\n{sections}')
    for name in page.bad:
        print(f'{name}: not all of its schedules are proved, with all pixels equal')
    print(f'{os.path.join(page.out, "index.html")}: {len(names) - len(page.bad)} of {len(names)} pipelines proved and equal')
    return 1 if page.bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
