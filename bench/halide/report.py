"""What is said of the rows that were measured: which outputs must be equal and are not, ratios, a table, means."""
import json
import math
import os

FAR = 0.01  # of the points may be far off (race.c), where Halide's floats are not strict
HEAD = ('pipeline', 'schedule', 'Halyard ms', 'Halide ms', 'ratio', 'strict', 'Halyard ms', 'Halide ms', 'ratio', 'processor', 'Halyard s', 'Halide s', 'outputs')
WIDTHS = (16, 13, 10, 9, 6, 6, 10, 9, 6, 9, 9, 8, 0)


def fault(row):
    """How outputs differ that must not, or None."""
    for said in (row['one'], row['all']):
        strict, near = said.get('strict'), said['halide']
        if strict and strict['differ']:
            return f'{strict["differ"]} of {strict["points"]} points have other bits, with strict_float'
        if near['far'] > FAR * near['points']:
            return f'{near["far"]} of {near["points"]} points differ, by {near["largest"]:g} at most'
    return None


def equality(row):
    near = row['one']['halide']
    if row['fault']:
        return 'DIFFER: ' + row['fault']
    if not near['differ']:
        return 'same bits'
    if near['whole']:
        return f'{100 * near["differ"] / near["points"]:.1g}% by up to {near["largest"]:g}'
    return f'within {near["largest"] / near["greatest"]:.0e}'


def ratio(row, threads, form='halide', clock='wall'):
    """Halyard's time by the other's: the median of those of each round."""
    other = row[threads].get(form)
    return other[clock + '_ratio'] if other else None


def cells(row):
    def shown(number, form='%.2f'):
        return '-' if number is None else form % number

    if 'refused' in row:
        return [row['pipeline'], row['schedule'], *['-'] * 10, row['refused']]
    words = [row['pipeline'], row['schedule']]
    for threads, last in (('one', ratio(row, 'one', 'strict')), ('all', ratio(row, 'all', clock='processor'))):
        words += [shown(row[threads][side]['wall'], '%.3f') for side in ('halyard', 'halide')] + [shown(ratio(row, threads)), shown(last)]
    return words + [shown(row['compile'][side]) for side in ('halyard', 'halide')] + [equality(row)]


def line(words):
    return ' '.join(word.ljust(width) if i < 2 or width == 0 else word.rjust(width) for i, (word, width) in enumerate(zip(words, WIDTHS)))


def about(halide, rounds, threads, fma=False):
    return [f'{halide.version} ({halide.place}, target host) and Halyard (--target host{", contract fma" if fma else ""}), {rounds} rounds in turn, medians of wall time and of ratios: one thread, then {threads}.',
            'ratio: Halyard / Halide. strict: the same, Halide computing the same bits (strict_float). processor: that of processor time, of all threads. '
            's: processor time from text to object; of Halyard\'s with its proofs.']


def mean(numbers):  # geometric
    numbers = list(numbers)
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else None


def summary(rows):
    """Geometric means over pipelines: of each one's ratios on the same schedules, and of its best schedule here and there."""
    good = [row for row in rows if 'refused' not in row]
    groups = {}
    for row in good:
        groups.setdefault(row['pipeline'], []).append(row)
    result = {'pipelines': len(groups), 'schedules': len(good), 'refused': len(rows) - len(good), 'faults': sum(row['fault'] is not None for row in good)}
    reasons = [row['no_strict'] for row in good if 'no_strict' in row]
    result['rounded'], result['reasons'] = len(reasons), sorted({reason.rsplit(': ', 1)[-1] for reason in reasons})
    for threads in ('one', 'all'):
        def best(group, side, threads=threads):
            return min(row[threads][side]['wall'] for row in group)

        same = {name: mean(ratio(row, threads) for row in group) for name, group in groups.items()}
        bests = {name: best(group, 'halyard') / best(group, 'halide') for name, group in groups.items()}
        result[threads] = {'same': mean(same.values()), 'best': mean(bests.values()), 'by_pipeline': {name: [same[name], bests[name]] for name in groups}}
    result['compile'] = mean(row['compile']['halyard'] / max(row['compile']['halide'], 0.01) for row in good)
    return result


def conclusion(means, threads):
    lines = [f'{means["schedules"]} schedules of {means["pipelines"]} pipelines compared, {means["refused"]} not; {means["faults"]} with outputs that differ.']
    if means['rounded']:
        lines.append(f'{means["rounded"]} of them up to rounding alone: Halide has nothing with the same bits ({", ".join(means["reasons"])}).')
    if means['pipelines']:
        lines += [f'Halyard / Halide, geometric means over pipelines, {label}: the same schedules {means[key]["same"]:.2f}, the best of each {means[key]["best"]:.2f}.'
                  for key, label in (('one', 'one thread'), ('all', f'{threads} threads'))]
        lines.append(f'Processor time from text to object, Halyard / Halide: {means["compile"]:.2f}.')
    return lines


def overview(rows, means):
    """A line for each pipeline, for documents: ratios of its schedules on one thread, the strict ones in brackets."""
    def shown(row):
        strict = ratio(row, 'one', 'strict')
        return f'{row["schedule"]} {ratio(row, "one"):.2f}' + (f' ({strict:.2f})' if strict else '')

    table = [('pipeline', 'schedules: Halyard / Halide (strict)', 'best of each', 'all threads'), ['---'] * 4]
    for name, (_, best) in means['one']['by_pipeline'].items():
        group = [shown(row) for row in rows if row['pipeline'] == name and 'refused' not in row]
        table.append((name, ', '.join(group), f'{best:.2f}', f'{means["all"]["by_pipeline"][name][1]:.2f}'))
    return table


def write_json(path, said):
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(said, file, indent=1)


def write(folder, head, rows, means, threads):
    os.makedirs(folder, exist_ok=True)
    write_json(f'{folder}/halide.json', {'about': head, 'threads': threads, 'rows': rows, 'summary': means})
    with open(f'{folder}/halide.md', 'w', encoding='utf-8') as file:
        tables = [[HEAD, ['---'] * len(HEAD), *map(cells, rows)], overview(rows, means)]
        texts = ['\n'.join('| ' + ' | '.join(word.replace('|', '\\|') for word in words) + ' |' for words in table) for table in tables]
        file.write('\n\n'.join([*head, *texts, *conclusion(means, threads)]) + '\n')
