#!/usr/bin/env bash
# generate.sh chain|pyramid FUNCS            an algorithm of about that many funcs, as text
# generate.sh chain|pyramid FUNCS schedule   a schedule for it: the output in tiles, every other func computed per tile
#
# A chain is FUNCS five-point stencils, each of the one before. A pyramid goes down by halves and up again: five funcs a
# level, each level's result 2 * g - up, so that everything is needed twice.
set -eu
awk -v shape="${1:?usage: generate.sh chain|pyramid FUNCS [schedule]}" -v funcs="${2:?how many funcs}" -v what="${3-algorithm}" '
  function fun(name, value) { names[++count] = name; values[name] = value }
  function chain(    i, f) {
    for (i = 0; i < funcs; i++) {
      f = i ? "c" (i - 1) : "in"
      fun("c" i, sprintf("(%s(x - 1, y) + %s(x, y) + %s(x + 1, y) + %s(x, y - 1) + %s(x, y + 1)) / 5", f, f, f, f, f))
    }
  }
  function pyramid(    levels, l, f) {
    levels = int((funcs + 8) / 5)
    fun("g0", "in(x, y)")
    for (l = 1; l < levels; l++) {
      f = "g" (l - 1)
      fun("d" l, sprintf("(%s(2*x - 1, y) + 2*%s(2*x, y) + %s(2*x + 1, y)) / 4", f, f, f))
      fun("g" l, sprintf("(d%d(x, 2*y - 1) + 2*d%d(x, 2*y) + d%d(x, 2*y + 1)) / 4", l, l, l))
    }
    f = "g" (levels - 1)
    for (l = levels - 2; l >= 0; l--) {
      fun("across" l, sprintf("(%s(x / 2, y) + %s((x + 1) / 2, y)) / 2", f, f))
      fun("up" l, sprintf("(across%d(x, y / 2) + across%d(x, (y + 1) / 2)) / 2", l, l))
      fun("o" l, sprintf("2 * g%d(x, y) - up%d(x, y)", l, l))
      f = "o" l
    }
  }
  BEGIN {
    if (shape == "chain") chain(); else if (shape == "pyramid") pyramid(); else exit 2
    output = names[count]
    if (what == "algorithm") {
      printf "pipeline %s(in: %s[2]) {\n", shape, shape == "chain" ? "u16" : "f32"
      for (i = 1; i <= count; i++) printf "  fun %s(x, y) = %s;\n", names[i], values[names[i]]
      print "}"
    } else {
      printf "schedule tiled for %s {\n  %s.tile(x, y, xi, yi, 64, 32).parallel(y);\n", shape, output
      for (i = 1; i < count; i++) printf "  %s.compute_at(%s, x);\n", names[i], output
      print "}"
    }
  }'
