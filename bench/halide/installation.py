"""Where Halide is, and how programs are compiled against it."""
import glob
import os
import re
import shutil
import subprocess
import sys


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(2)


class Halide:
    def __init__(self, include, library, place):
        self.include, self.library, self.place = include, library, place
        self.version = self.read_version()

    def read_version(self):
        with open(f'{self.include}/HalideRuntime.h', encoding='utf-8') as file:
            numbers = re.findall(r'^#define HALIDE_VERSION_(?:MAJOR|MINOR|PATCH) +(\d+)', file.read(), re.M)
        # Halide 14's header does not say it, Debian's folder does.
        folder = re.search(r'halide(\d+)$', self.include)
        return 'Halide ' + ('.'.join(numbers) or (folder.group(1) if folder else 'of an unknown version'))

    def compile_program(self, source, program, folder):
        words = ['g++', '-std=c++17', '-O0', '-w', '-isystem', self.include, source, '-o', program, self.library]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            fail(f'g++ does not take what was exported:\n{done.stderr[:2000]}')

    def environment(self):
        folders = [os.path.dirname(self.library), os.environ.get('LD_LIBRARY_PATH', '')]
        return {**os.environ, 'LD_LIBRARY_PATH': ':'.join(filter(None, folders))}

    def plugin(self, scheduler):
        """The automatic scheduler's library, or None."""
        here = os.path.dirname(self.library)
        return first(f'{here}/libautoschedule_{scheduler.lower()}.so', f'{here}/halide*/libautoschedule_{scheduler.lower()}.so')


def first(*patterns):
    return next((path for pattern in patterns for path in sorted(glob.glob(pattern))), None)


def find_halide():
    """HALIDE_ROOT's, or Debian's; ends the program with what to do where there is none."""
    if not shutil.which('g++'):
        fail('there is no g++, which compiles programs for Halide: apt-get install g++')
    root = os.environ.get('HALIDE_ROOT')
    if root:
        header, library = first(f'{root}/include/Halide.h'), first(f'{root}/lib/libHalide.so', f'{root}/lib*/libHalide.so', f'{root}/lib*/*/libHalide.so')
        if not header or not library:
            missing = 'include/Halide.h' if not header else 'lib/libHalide.so'
            fail(f'HALIDE_ROOT is {root}, where there is no {missing}: name the folder of an installation, or unset it for Debian\'s')
        return Halide(os.path.dirname(header), library, root)
    header = first('/usr/include/halide*/Halide.h')
    version = os.path.basename(os.path.dirname(header))[len('halide'):] if header else ''
    library = first(f'/usr/lib/*/libHalide{version}.so') if header else None
    if not library:
        fail('there is no Halide here: apt-get install libhalide14-0-dev, or set HALIDE_ROOT to the folder of an installation')
    return Halide(os.path.dirname(header), library, 'Debian\'s')
