"""Section 2 of the specification (semantics/rules/2_values.md) and appendix E, implemented a second time.

A constant is an int, a bool, a float (of f32: one that f32 has), or an Error. The programs of sin, cos and the like are not copied
here: functions() reads the text of appendix E, expands its macros and makes Python of what is left.
"""
import ctypes
import math
import os
import re
import struct
from fractions import Fraction

RULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'semantics', 'rules')


class Error:
    def __init__(self, rank, name):
        self.rank, self.name = rank, name

    def __repr__(self):
        return self.name


EPS_ARITH, EPS_RDOM, EPS_MEM = Error(1, 'eps_arith'), Error(2, 'eps_rdom'), Error(3, 'eps_mem')
INT_MIN, INT_MAX = -2**63, 2**63 - 1
WIDTHS = {'%s%d' % (s, n): n for s in 'ui' for n in (8, 16, 32, 64)}
STORED = ('f16', 'bf16')  # and not computed with
FLOATS = ('f32', 'f64') + STORED
TYPES = ('int', 'bool') + FLOATS + tuple(WIDTHS)


def join(*cs):
    """The greatest error, None if there is none."""
    out = None
    for c in cs:
        if isinstance(c, Error) and (out is None or c.rank > out.rank):
            out = c
    return out


def wrap(n, t):
    n %= 2**WIDTHS[t]
    return n - 2**WIDTHS[t] if t[0] == 'i' and n >= 2**(WIDTHS[t] - 1) else n


def integer(n, t):  # VAL.Int, VAL.Wrap: the result in Z
    if t == 'int':
        return n if INT_MIN <= n <= INT_MAX else EPS_ARITH
    return wrap(n, t)


def to_f32(x):
    return ctypes.c_float(x).value


def nearest(x, t):
    """The value of the float type t nearest to the number x of Q, ties to even: one rounding."""
    if t == 'f64' or x == 0:
        try:
            return float(x)
        except OverflowError:
            return math.inf if x > 0 else -math.inf
    size, exponent = abs(x), 0
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    while Fraction(2)**exponent > size:
        exponent -= 1
    while Fraction(2)**(exponent + 1) <= size:
        exponent += 1
    least, digits, beyond = {'f32': (-126, 23, 128), 'f16': (-14, 10, 16), 'bf16': (-126, 7, 128)}[t]
    quantum = Fraction(2)**(max(exponent, least) - digits)
    out = round(size / quantum) * quantum
    out = math.inf if out >= 2**beyond else float(out)
    return out if x > 0 else -out


def to_float(x, t):
    """The value of the float type t nearest to a double."""
    return x if t == 'f64' or x == 0 or not math.isfinite(x) else nearest(Fraction(x), t)


def divide(a, b):
    """IEEE 754, of doubles."""
    if b != 0 or math.isnan(a):
        return a / b if b != 0 else math.nan
    return math.nan if a == 0 else math.copysign(math.inf, math.copysign(1, a) * math.copysign(1, b))


def fused(a, b, c, t='f64'):
    """a * b + c, rounded once."""
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return c if math.isfinite(a) and math.isfinite(b) else a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c if a == 0 or b == 0 else 0.0
    out = nearest(exact, t)
    return out if out else math.copysign(0.0, exact)


def whole(x, how):
    return x if not math.isfinite(x) else math.copysign(float(how(x)), x)


# -- VAL.Float, VAL.Int, VAL.Wrap --

def arithmetic(op, t, a, b):
    if t in FLOATS:
        out = a + b if op == '+' else a - b if op == '-' else a * b if op == '*' else divide(a, b)
        return to_f32(out) if t == 'f32' else out  # twice 24 bits and two more fit a double: rounding twice is rounding once
    return integer(a + b if op == '+' else a - b if op == '-' else a * b, t)


def quotient(op, t, a, b):  # VAL.Div
    if b == 0:
        return EPS_ARITH
    i = a % abs(b)
    return integer((a - i) // b, t) if op == '/' else i


def shift(op, t, a, b):  # VAL.Shift
    left = (op == '<<') == (b >= 0)
    by = min(abs(b), 128)  # from 64 on nothing changes
    return integer(a << by, t) if left else a >> by


def bits(op, t, a, b):  # VAL.Bits
    return wrap_or_int(a & b if op == '&' else a | b if op == '|' else a ^ b, t)


def reinterpreted(op, a):  # VAL.Reinterpret
    if op[:2] == 'bf':
        return to_upper_half(a) if op.endswith('from_bits') else 0x7fc0 if math.isnan(a) else reinterpreted('f32_bits', a) >> 16
    if op[:3] == 'f16':
        if op.endswith('from_bits'):
            return struct.unpack('<e', struct.pack('<H', a))[0]
        return 0x7e00 if math.isnan(a) else struct.unpack('<H', struct.pack('<e', a))[0]
    real, whole_of = ('<f', '<I') if op[:3] == 'f32' else ('<d', '<Q')
    if op.endswith('from_bits'):
        return struct.unpack(real, struct.pack(whole_of, a))[0]
    if math.isnan(a):
        return 0x7fc00000 if op[:3] == 'f32' else 0x7ff8000000000000
    return struct.unpack(whole_of, struct.pack(real, a))[0]


def to_upper_half(bits):
    return struct.unpack('<f', struct.pack('<I', bits << 16))[0]


def counted(op, t, a):  # VAL.Count
    n = WIDTHS.get(t, 64)
    word = format(a % 2**n, '0%db' % n)
    if op == 'popcount':
        return word.count('1')
    return n - len(word.lstrip('0') if op == 'count_leading_zeros' else word.rstrip('0'))


def wrap_or_int(n, t):
    return n if t == 'int' else wrap(n, t)


def compare(op, a, b):  # VAL.Compare
    return {'==': a == b, '!=': a != b, '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b}[op]


def cast(c, of, t):  # VAL.Cast
    if t == 'bool':
        return c != 0
    if t in FLOATS:
        if of in FLOATS:
            return to_float(c, t)
        return nearest(Fraction(int(c)), t)
    if of in FLOATS:
        if math.isnan(c):
            return 0
        low, high = limits(t)
        return low if c <= low else high if c >= high else math.trunc(c)
    return integer(int(c), t)


def limits(t):
    if t == 'int':
        return INT_MIN, INT_MAX
    return (0, 2**WIDTHS[t] - 1) if t[0] == 'u' else (-2**(WIDTHS[t] - 1), 2**(WIDTHS[t] - 1) - 1)


def negate(t, a):
    return -a if t in FLOATS else integer(-a, t)


def absolute(t, a):
    return math.fabs(a) if t in FLOATS else integer(abs(a), t)


EXACT = {'floor': lambda x: whole(x, math.floor), 'ceil': lambda x: whole(x, math.ceil), 'round': lambda x: whole(x, round),
         'trunc': lambda x: whole(x, math.trunc), 'sqrt': lambda x: x if x == 0 else math.sqrt(x) if x > 0 else math.nan}
FUSED = ('fma',)
REINTERPRETED = {'f32_bits': ('f32', 'u32'), 'f64_bits': ('f64', 'u64'), 'f32_from_bits': ('u32', 'f32'), 'f64_from_bits': ('u64', 'f64'),
                 'f16_bits': ('f16', 'u16'), 'f16_from_bits': ('u16', 'f16'), 'bf16_bits': ('bf16', 'u16'), 'bf16_from_bits': ('u16', 'bf16')}
COUNTS = ('popcount', 'count_leading_zeros', 'count_trailing_zeros')
MATH = ('sin', 'cos', 'tan', 'exp', 'log', 'pow', 'atan', 'atan2', 'tanh', 'asin', 'acos', 'sinh', 'cosh', 'asinh', 'acosh', 'atanh', 'erf')


def mathematical(op, t, cs):  # VAL.Math
    if op in FUSED:
        return fused(*cs, t)
    out = EXACT[op](cs[0]) if op in EXACT else functions()['%s_%s' % (op, t)](*cs)
    return to_f32(out) if t == 'f32' else out


def apply(op, t, cs, to=None):
    """op(c_1, .., c_k), the arguments of type t (of a select the arms); "to" is what a cast converts to."""
    eps = join(*cs)
    if eps is not None:  # VAL.Join
        return eps
    if op == 'cast':
        return cast(cs[0], t, to)
    if op in ('+', '-', '*') and len(cs) == 2 or op == '/' and t in FLOATS:
        return arithmetic(op, t, *cs)
    if op in ('/', '%'):
        return quotient(op, t, *cs)
    if op == '-':
        return negate(t, cs[0])
    if op in ('<', '<=', '>', '>=', '==', '!='):
        return compare(op, *cs)
    if op in ('&&', '||', '!'):  # VAL.Logic
        return not cs[0] if op == '!' else cs[0] and cs[1] if op == '&&' else cs[0] or cs[1]
    if op in ('&', '|', '^'):
        return bits(op, t, *cs)
    if op == '~':
        return wrap_or_int(-1 - cs[0], t)
    if op in ('<<', '>>'):
        return shift(op, t, *cs)
    if op == 'select':  # VAL.Select
        return cs[1] if cs[0] else cs[2]
    if op in ('min', 'max'):  # VAL.Min-Max
        return cs[0] if compare('<' if op == 'min' else '>', *cs) else cs[1]
    if op == 'abs':
        return absolute(t, cs[0])
    if op in REINTERPRETED:
        return reinterpreted(op, cs[0])
    if op in COUNTS:
        return counted(op, t, cs[0])
    return mathematical(op, t, cs)


def same(a, b):
    """One value? All NaNs are; the two zeros are not."""
    if isinstance(a, Error) or isinstance(b, Error):
        return a is b
    if isinstance(a, float) and isinstance(b, float):
        return math.isnan(a) and math.isnan(b) or a == b and math.copysign(1, a) == math.copysign(1, b)
    return type(a) is type(b) and a == b


def zero(t):
    return False if t == 'bool' else 0.0 if t in FLOATS else 0


# -- appendix E --

TOKEN = re.compile(r'\s*(0x[0-9a-f.]+p[+-]?\d+|0x[0-9a-f]+|\d+\.\d+|\d+|\w+|##|.)')
made = {}


def functions():
    """NAME_f32 and NAME_f64 of appendix E, as functions from doubles to a double."""
    if not made:
        with open(os.path.join(RULES, 'E_functions.md'), encoding='utf-8') as file:
            text = re.search(r'```c\n(.*?)```', file.read(), re.S).group(1)
        text = re.sub(r'/\*.*?\*/|//[^\n]*', ' ', text, flags=re.S).replace('\\\n', ' ')
        macros, rest = {}, []
        for line in text.split('\n'):
            m = re.match(r'#define (\w+)(?:\(([^)]*)\))?(.*)', line)
            if m:
                macros[m.group(1)] = (m.group(2) and re.split(r',\s*', m.group(2)), TOKEN.findall(m.group(3).strip()))
            else:
                rest.append(line)
        source = translate(expand(TOKEN.findall('\n'.join(rest).strip()), macros))
        made.update(PRIMITIVES)
        exec(source, made)  # pylint: disable=exec-used
    return made


def arguments(tokens, at):
    """Of a call whose "(" is at "at": the arguments as lists of tokens, and where the call ends."""
    out, depth, k = [[]], 0, at
    while True:
        t = tokens[k]
        depth += (t == '(') - (t == ')')
        if depth == 0:
            return out, k + 1
        if t == ',' and depth == 1:
            out.append([])
        elif not (t == '(' and depth == 1):
            out[-1].append(t)
        k += 1


def expand(tokens, macros):
    out, k = [], 0
    while k < len(tokens):
        if tokens[k] not in macros:
            out.append(tokens[k])
            k += 1
            continue
        params, text = macros[tokens[k]]
        k, bound = k + 1, {}
        if params:
            args, k = arguments(tokens, k)
            bound = dict(zip(params, args))
        put = []
        for i, t in enumerate(text):
            if t == '##':
                continue
            if i and text[i - 1] == '##':
                put[-1] += t
            else:
                put.extend(bound.get(t, [t]))
        out.extend(expand(put, macros))
    return out


def term(tokens, at):
    """A nest of primitives as Python."""
    t = tokens[at]
    if t == '-':
        text, at = term(tokens, at + 1)
        return '-' + text, at
    if at + 1 < len(tokens) and tokens[at + 1] == '(':
        args, at = arguments(tokens, at + 1)
        if t in ('M_CONST', 'M_BITS_CONST'):
            number = ''.join(args[0])
            return repr(float.fromhex(number) if 'p' in number else float(number) if t == 'M_CONST' else int(number, 0)), at
        if t in ('M_CALL1', 'M_CALL2'):
            return '%s(%s)' % (args[0][0], ', '.join(term(a, 0)[0] for a in args[1:])), at
        return '%s(%s)' % (t, ', '.join(term(a, 0)[0] for a in args)), at
    return t if t[0].isdigit() else 'v_' + t, at + 1


def translate(tokens):
    lines, at = [], 0
    while at < len(tokens):
        word = tokens[at]
        if word == 'M_END':
            at += 1
            continue
        args, at = arguments(tokens, at + 1)
        if word.startswith('M_FUNCTION'):
            lines.append('def %s(%s):' % (args[0][0], ', '.join('v_' + a[0] for a in args[1:])))
        elif word == 'M_RETURN':
            lines.append('    return ' + term(args[0], 0)[0])
        else:
            lines.append('    v_%s = %s' % (args[0][0], term(args[1], 0)[0]))
    return '\n'.join(lines)


def of_bits(i):
    return struct.unpack('<d', struct.pack('<Q', i % 2**64))[0]


PRIMITIVES = {
    'M_ADD': lambda a, b: a + b, 'M_SUB': lambda a, b: a - b, 'M_MUL': lambda a, b: a * b, 'M_DIV': divide, 'M_NEG': lambda a: -a,
    'M_ABS': math.fabs, 'M_FMA': fused, 'M_SQRT': EXACT['sqrt'], 'M_LT': lambda a, b: a < b, 'M_LE': lambda a, b: a <= b, 'M_EQ': lambda a, b: a == b,
    'M_MASK_AND': lambda m, n: m and n, 'M_MASK_OR': lambda m, n: m or n, 'M_MASK_NOT': lambda m: not m,
    'M_SELECT': lambda m, a, b: a if m else b, 'M_BITS': lambda a: struct.unpack('<Q', struct.pack('<d', a))[0], 'M_FROM_BITS': of_bits,
    'M_BITS_ADD': lambda i, j: (i + j) % 2**64, 'M_BITS_SUB': lambda i, j: (i - j) % 2**64, 'M_BITS_AND': lambda i, j: i & j,
    'M_BITS_OR': lambda i, j: i | j, 'M_BITS_XOR': lambda i, j: i ^ j, 'M_BITS_SHL': lambda i, n: (i << n) % 2**64,
    'M_BITS_SHR': lambda i, n: i >> n}
