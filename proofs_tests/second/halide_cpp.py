"""halide_cpp.py HALYARD: what "halyard export --to halide-cpp" writes and what "--to halide-python" writes are the same pipeline: Halide
lowers both to the same statement, but for the numbers in the names of its own. Compiles the programs in C++ as one (g++, <Halide.h>), has each print its loop nest as its
own main does, and prints "N passed, N failed". Status 77: no <Halide.h> or no g++ here."""
import glob
import os
import re
import subprocess
import sys
import tempfile

PAIRS = (
    ('apps/box_blur.alg', 'apps/box_blur.sched:tiled'), ('apps/box_blur.alg', 'apps/box_blur.sched:lines'),
    ('apps/box_blur.alg', 'apps/box_blur.sched:nested_shift'), ('apps/histogram.alg', 'apps/histogram.sched:narrow'),
    ('golden/export_values.alg', None), ('golden/export_loops.alg', 'golden/export_loops.sched'), ('golden/halide_output.alg', None),
    ('golden/halide_abs.alg', None), ('golden/export_tuples.alg', None), ('golden/export_shifts.alg', None), ('golden/native_specialize.alg', 'golden/native_specialize.sched'), ('golden/storage_order.alg', 'golden/storage_order.sched'),
    ('golden/outputs.alg', 'golden/outputs.sched'), ('golden/outputs_empty.alg', None), ('golden/export_tuple_outputs.alg', None))
# The algorithm alone, with estimates; of no parameter: Halide 14's Python takes none whatever the number.
ALONE = (('apps/box_blur.alg', 'bv.x=0:64,bv.y=0:32,in.0=0:66,in.1=0:34'),
         ('golden/export_tuple_outputs.alg', 'least.x=0:64,most.x=0:32,in.0=-4:80,in.1=0:5'))
COUNT = len(PAIRS) + len(ALONE)
TARGET = 'x86-64-linux-sse41-strict_float'
CPP = '''
template <typename P> static void show(P made, const char *name) {
    std::vector<Halide::Argument> all = made.parameters;
    all.insert(all.end(), made.images.begin(), made.images.end());
    made.output.compile_to_lowered_stmt(name, all, Halide::Text, Halide::Target("%s"));
}
int main() {
''' % TARGET
PYTHON = '''
import importlib, halide as hl
for i in range(%d):
    output, parameters, images = importlib.import_module("p%%d" %% i).build()
    output.compile_to_lowered_stmt("python%%d.stmt" %% i, parameters + images, hl.StmtOutputFormat.Text, hl.Target("%s"))
'''


def headers():
    found = glob.glob('/usr/include/halide*/Halide.h')
    return os.path.dirname(found[0]) if found and subprocess.run(['g++', '--version'], capture_output=True, check=False).returncode == 0 else None


def compile_one(folder, include, source, program):
    library = '-lHalide' + os.path.basename(include)[len('halide'):]
    subprocess.run(['g++', '-std=c++17', '-O0', '-isystem', include, source, '-o', program, library], cwd=folder, check=True)


def export(halyard, folder):
    for i, (alg, more) in enumerate(PAIRS + ALONE):
        words = [halyard, 'export', *('proofs_tests/' + w if w.startswith('golden') else w for w in (alg, more if i < len(PAIRS) else None) if w)]
        words += ['--unscheduled', '--estimate', more] if i >= len(PAIRS) else []
        subprocess.run(words + ['-o', '%s/p%d.py' % (folder, i)], check=True)
        subprocess.run(words + ['--to', 'halide-cpp', '-o', '%s/p%d.cpp' % (folder, i)], check=True)


def lower_both(folder, include):
    with open(folder + '/all.cpp', 'w', encoding='utf-8') as file:
        file.write('#include <Halide.h>\n#include <cmath>\n#include <cstdint>\n#include <vector>\n')
        file.writelines('namespace p%d {\n#include "p%d.cpp"\n}\n' % (i, i) for i in range(COUNT))
        file.write(CPP + ''.join('    show(p%d::build(), "cpp%d.stmt");\n' % (i, i) for i in range(COUNT)) + '}\n')
    compile_one(folder, include, 'all.cpp', 'all')
    subprocess.run(['./all'], cwd=folder, check=True)
    subprocess.run([sys.executable, '-E', '-c', 'import sys; sys.path.insert(0, ".")' + PYTHON % (COUNT, TARGET)], cwd=folder, check=True)


def statement(path):
    """Halide counts the names that it makes, from 1 in each process: here those of a statement, from 0."""
    names = {}
    return re.sub(r'\bt[0-9]+\b', lambda m: names.setdefault(m.group(), 't_%d' % len(names)), open(path, encoding='utf-8').read())


def main():
    halyard, include = os.path.abspath(sys.argv[1]), headers()
    if not include:
        return 77
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        export(halyard, folder)
        lower_both(folder, include)
        for i, pair in enumerate(PAIRS + ALONE):
            texts = [statement('%s/%s%d.stmt' % (folder, language, i)) for language in ('python', 'cpp')]
            good = texts[0] == texts[1] and 'produce' in texts[0]
            passed, failed = passed + good, failed + (not good)
            if not good:
                print('FAILED %s %s: the programs in C++ and in Python are not the same' % pair)
        compile_one(folder, include, 'p0.cpp', 'first')
        nest = subprocess.run(['./first'], cwd=folder, capture_output=True, text=True, check=False)
        subprocess.run(['./first', 'blur'], cwd=folder, check=True, env={**os.environ, 'HL_TARGET': 'x86-64-linux-sse41'})
        good = 'produce bv' in nest.stderr + nest.stdout and 'int blur(' in open(folder + '/blur.h', encoding='utf-8').read() and os.path.exists(folder + '/blur.a')
        passed, failed = passed + good, failed + (not good)
        if not good:
            print('FAILED the program prints no loop nest, or makes no library')
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
