"""Section 3 of the specification (semantics/rules/3_algorithms.md), "Meaning", implemented a second time: the value of a func at a point.

The definitions D are never copied: (f, s, k) stands for D up to f with its first s stages and k instances of the next, so that taking
the last thing away is counting down.
"""
from second_values import EPS_MEM, EPS_RDOM, INT_MAX, Error, apply, join


class Algorithm:
    def __init__(self, reader, stages, window, params, images, mode='lazy'):
        """reader.algorithm() gave the stages; images: name to (box, cells)."""
        self.reader, self.stages, self.window, self.images, self.mode = reader, stages, window, images, mode
        self.known, self.startup = {}, dict(params)
        for g, image in images.items():
            for d, (m, n) in enumerate(image.box):
                self.startup['%s.min(%d)' % (g, d)], self.startup['%s.len(%d)' % (g, d)] = m, n

    def run(self, points):
        """Of each part of the output the value at each point."""
        f = list(self.stages)[-1]
        parts = range(len(self.reader.parts[f]))
        if any(n == 0 for _, n in self.window):  # ALG.Realize-Empty
            return [{} for _ in parts]
        for e in self.reader.requirements:  # ALG.Realize-Require
            if self.eval(e, {}, None) is not True:
                return None
        return [{i: self.func(f, p, len(self.stages[f]), 0, i) for i in points} for p in parts]  # ALG.Realize

    # -- D |- e =>m c, "own" says how much of the func at hand D has --
    def eval(self, e, env, own):
        if e.kind == 'const':  # ALG.Const-Eval
            return e.value
        if e.kind == 'var':
            return env[e.name] if e.name in env else self.startup[e.name]
        if e.kind == 'load':
            return self.access(e, env, own)
        if self.mode == 'lazy' and e.op in ('select', '&&', '||'):
            return self.lazy(e, env, own)
        return apply(e.op, e.of, [self.eval(a, env, own) for a in e.args], e.type)  # ALG.Op-Eval

    def lazy(self, e, env, own):  # ALG.Op-Lazy
        c = self.eval(e.args[0], env, own)
        if isinstance(c, Error) or e.op == '&&' and not c or e.op == '||' and c:
            return c
        return self.eval(e.args[2 if e.op == 'select' and not c else 1], env, own)

    def access(self, e, env, own):
        cs = tuple(self.eval(a, env, own) for a in e.args)
        eps = join(*cs)
        if eps is not None:  # ALG.Func-Arg-Err
            return eps
        if e.name in self.images:
            box, cells = self.images[e.name].box, self.images[e.name].cells
            return cells[cs][0] if all(m <= c < m + n for c, (m, n) in zip(cs, box)) else EPS_MEM  # ALG.Image, ALG.Image-Outside
        if own and own[0] == e.name:  # ALG.Func-Arg-Eval, ALG.Parts
            return self.func(e.name, e.part, *own[1:], cs)
        return self.func(e.name, e.part, len(self.stages[e.name]), 0, cs)  # ALG.Func-Passthrough

    # -- D |- f[i] =>m c --
    def func(self, f, p, s, k, i):
        """Part p, with the first s stages of f, and k instances of the next."""
        at = (f, p, s, k, i)
        if at not in self.known:
            self.known[at] = self.last(f, p, s, k, i)
        return self.known[at]

    def last(self, f, p, s, k, i):
        if k == 0 and s == 1:  # ALG.Func-Eval
            return self.eval(self.stages[f][0][1][p], self.point(f, i), None)
        if k == 0:
            instances = self.instances(f, s - 1)
            if instances is None:  # ALG.RDom-Err
                return EPS_RDOM
            return self.func(f, p, s - 1, len(instances), i)  # ALG.RDom-Eval
        return (self.update if self.mode == 'lazy' else self.update_strict)(f, p, s, k, i)

    def point(self, f, i):
        return dict(zip(self.reader.funcs[f], i))

    def instances(self, f, s):
        """The values of the reduction variables of stage s, in order; none if the rdom is no list of points."""
        if (f, s) not in self.known:
            rdom, out = self.stages[f][s][3], [{}]
            ends = [(self.eval(m, {}, None), self.eval(n, {}, None)) for _, (m, n) in rdom]
            if any(join(m, n) is not None or n < 0 or m + n > INT_MAX for m, n in ends):
                out = None
            else:
                for (r, _), (m, n) in reversed(list(zip(rdom, ends))):  # r_1 changes fastest
                    out = [{**before, r: c} for before in out for c in range(m, m + n)]
            self.known[f, s] = out
        return self.known[f, s]

    def update(self, f, part, s, k, i):
        while k > 0:
            left, values, predicate, _ = self.stages[f][s]
            env, own = {**self.point(f, i), **self.instances(f, s)[k - 1]}, (f, s, k - 1)
            p = True if predicate is None else self.eval(predicate, env, own)
            cs = [] if p is False else [self.eval(e, env, own) for e in left]
            if p is False or any(not isinstance(c, Error) and c != x for c, x in zip(cs, i)):  # ALG.Update-Miss
                k -= 1
                continue
            c = self.eval(values[part], env, own)
            eps = join(p, c, *cs)
            return c if eps is None else eps  # ALG.Update-Eval, ALG.Update-Poison
        return self.func(f, part, s, 0, i)

    def update_strict(self, f, part, s, k, i):  # ALG.Update-Strict
        left, values, predicate, _ = self.stages[f][s]
        env, own = {**self.point(f, i), **self.instances(f, s)[k - 1]}, (f, s, k - 1)
        p = True if predicate is None else self.eval(predicate, env, own)
        cs = [self.eval(e, env, own) for e in left]
        c, old = self.eval(values[part], env, own), self.func(f, part, s, k - 1, i)
        eps = join(p, c, old, *cs)
        return eps if eps is not None else c if p and tuple(cs) == i else old
