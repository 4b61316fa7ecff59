"""A plot for a page: of each row a line, with a dot for every name at its number, on a scale of logarithms; 1 is a line of its own."""
import math
from xml.sax.saxutils import escape

COLOURS = ('#999999', '#666666', '#bbbbbb', '#1b6e3c', '#f0b060', '#d06010', '#a01010')
LEFT, WIDTH, STEP, TOP = 150, 700, 22, 60


def dots(rows, names, what):
    """SVG. rows: (label, {name: number})."""
    numbers = [number for _, found in rows for number in found.values()] or [1]
    low, high = math.log2(min(*numbers, 0.5)), math.log2(max(*numbers, 2))
    height = TOP + STEP * len(rows) + 40

    def across(number):
        return LEFT + (math.log2(number) - low) / (high - low) * (WIDTH - LEFT - 20)

    def text(x, y, words, anchor='start'):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="11">',
             f'<rect width="{WIDTH}" height="{height}" fill="white"/>', text(LEFT, 16, what)]
    for power in range(math.ceil(low), math.floor(high) + 1):
        x = across(2 ** power)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{height - 36}" stroke="{"#000" if power == 0 else "#ddd"}"/>')
        parts.append(text(x, height - 22, f'{2.0 ** power:g}', 'middle'))
    for i, name in enumerate(names):
        x = LEFT + i * (WIDTH - LEFT) / len(names)
        parts += [f'<circle cx="{x:.1f}" cy="36" r="4" fill="{COLOURS[i % len(COLOURS)]}"/>', text(x + 7, 40, name)]
    for i, (label, found) in enumerate(rows):
        y = TOP + STEP * (i + 0.5)
        parts.append(text(LEFT - 8, y + 4, label, 'end'))
        parts += [f'<circle cx="{across(number):.1f}" cy="{y:.1f}" r="4" fill="{COLOURS[names.index(name) % len(COLOURS)]}"><title>{escape(name)} {number:.2f}</title></circle>'
                  for name, number in found.items()]
    return '\n'.join([*parts, '</svg>']) + '\n'
