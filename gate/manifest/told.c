// What level 2 says of its numbers, whether one process counted them or several shards did.

#include "gate/manifest/result.h"

#include <string.h>

static const char *meaning(hy_arena *arena, const hy_gate_counts *n, bool has_algorithm) {
  return hy_arena_printf(arena, "%s on %llu inputs (%llu of %llu were of no use)",
                         has_algorithm ? "algorithm and target program agree" : "the target program keeps its contract",
                         (unsigned long long)n->inputs, (unsigned long long)n->useless,
                         (unsigned long long)(n->inputs + n->useless));
}

static const char *runs(hy_arena *arena, const hy_gate_counts *n) {
  return hy_arena_printf(arena,
                         "%s%llu inputs, %llu runs on 1, 2 and %llu threads, %llu points, %llu bounds queries and "
                         "refusals",
                         n->emulated ? "by an emulator: " : "", (unsigned long long)n->inputs,
                         (unsigned long long)n->runs, (unsigned long long)n->threads, (unsigned long long)n->points,
                         (unsigned long long)n->refusals);
}

const char *hy_gate_tell_counts(hy_arena *arena, const hy_gate_check *c, bool has_algorithm) {
  if (strcmp(c->name, "no-input") == 0 && c->counts.inputs)
    return hy_arena_printf(arena, "on all of %llu inputs nothing is computed that has a value",
                           (unsigned long long)c->counts.inputs);
  if (strcmp(c->name, "no-input") == 0)
    return hy_arena_printf(arena, "of %llu generated inputs none can be run", (unsigned long long)c->counts.useless);
  return strcmp(c->name, "runs") == 0 ? runs(arena, &c->counts) : meaning(arena, &c->counts, has_algorithm);
}
