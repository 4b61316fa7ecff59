#include "gate/shards/merge.h"

#include "semantics/value/errors.h"

#include <string.h>

typedef struct {
  const hy_gate_parts *parts;
  hy_gate_result *into;
  HY_VEC(size_t) from; // of each check: which part it came from; WHOLE: it was there
} walk;
enum { WHOLE = HY_GATE_MOST_SHARDS };

/* -- do they belong together? -- */

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_question(const hy_gate_question *a, const hy_gate_question *b) {
  return same_text(a->halyard, b->halyard) && a->level == b->level && a->inputs == b->inputs &&
         same_text(a->seed, b->seed) && same_text(a->second_checker, b->second_checker) && a->rebuild == b->rebuild &&
         a->sources == b->sources && a->baseline == b->baseline && same_text(a->max_slowdown, b->max_slowdown);
}

// The name of a part with that index; NULL: there is none.
static const char *name_of(const hy_gate_parts *parts, uint64_t index, size_t before) {
  for (size_t i = 0; i < before; i++)
    if (parts->data[i].shard.index == index) return parts->names[i];
  return NULL;
}

static const char *complaint(const walk *w, const char *sums) {
  const hy_gate_parts *all = w->parts;
  const hy_gate_part *first = &all->data[0];
  hy_arena *arena = w->into->arena;
  for (size_t i = 0; i < all->count; i++) {
    const hy_gate_part *p = &all->data[i];
    const char *name = all->names[i], *twin = name_of(all, p->shard.index, i);
    if (strcmp(p->identity, w->into->manifest->identity) != 0)
      return hy_arena_printf(arena, "'%s' is about the identity %.16s..., and this folder's is %.16s...", name,
                             p->identity, w->into->manifest->identity);
    if (strcmp(p->sums, sums) != 0)
      return hy_arena_printf(arena, "'%s' is about a folder with other files: its SHA256SUMS was another", name);
    if (p->shard.count != first->shard.count || !same_question(&p->question, &first->question))
      return hy_arena_printf(arena, "'%s' and '%s' were asked different questions", all->names[0], name);
    if (twin)
      return hy_arena_printf(arena, "'%s' and '%s' are both shard %llu/%llu", twin, name,
                             (unsigned long long)p->shard.index, (unsigned long long)p->shard.count);
  }
  for (uint64_t k = 0; k < first->shard.count; k++)
    if (!name_of(all, k, all->count))
      return hy_arena_printf(arena, "shard %llu/%llu is missing", (unsigned long long)k,
                             (unsigned long long)first->shard.count);
  return NULL;
}

/* -- one check of each key: the worst, of equals the first; numbers add up -- */

// A shard that found no input to run: it says nothing where another found one.
static bool is_idle(const hy_gate_check *c) { return c->counts.useless > 0 && c->counts.inputs == 0; }

static bool same_key(const hy_gate_check *a, const hy_gate_check *b) {
  const char *name_a = is_idle(a) ? "meaning" : a->name, *name_b = is_idle(b) ? "meaning" : b->name;
  return a->level == b->level && strcmp(name_a, name_b) == 0 && same_text(a->file, b->file) &&
         same_text(a->target, b->target);
}

static void add_counts(hy_gate_counts *to, const hy_gate_counts *n) {
  to->inputs += n->inputs, to->useless += n->useless, to->runs += n->runs;
  to->points += n->points, to->refusals += n->refusals;
  if (n->threads > to->threads) to->threads = n->threads;
}

static void join(const walk *w, hy_gate_check *to, const hy_gate_check *c) {
  bool has_passed = (to->verdict == HY_GATE_PASSED || is_idle(to)) && (c->verdict == HY_GATE_PASSED || is_idle(c));
  hy_gate_counts sum = to->counts;
  add_counts(&sum, &c->counts);
  if (has_passed ? is_idle(to) : c->verdict > to->verdict) *to = *c;
  if (!has_passed || !(sum.inputs || sum.useless)) return;
  to->counts = sum;
  to->story = hy_gate_tell_counts(w->into->arena, to, w->into->manifest->algorithm);
}

static void take(walk *w, size_t part, const hy_gate_check *c) {
  for (size_t i = 0; i < w->into->checks.count; i++)
    if (w->from.data[i] != part && same_key(&w->into->checks.data[i], c)) return join(w, &w->into->checks.data[i], c);
  hy_vec_push(&w->into->checks, *c);
  hy_vec_push(&w->from, part);
}

/* -- in the order in which one process finds them: by level, from level 2 on by target -- */

static size_t place_of(const walk *w, const hy_gate_check *c) {
  const hy_manifest *m = w->into->manifest;
  for (size_t i = 0; c->target && i < m->targets.count; i++)
    if (strcmp(m->targets.data[i].name, c->target) == 0) return i + 1;
  return 0;
}

static void put_in_order(walk *w) {
  hy_gate_check *checks = w->into->checks.data;
  for (size_t i = 1; i < w->into->checks.count; i++) {
    const hy_gate_check c = checks[i];
    size_t at = i;
    while (at > 0 && c.level >= 2 && checks[at - 1].level == c.level && place_of(w, &checks[at - 1]) > place_of(w, &c))
      checks[at] = checks[at - 1], at--;
    checks[at] = c;
  }
}

static void join_all(walk *w) {
  const hy_gate_question *q = &w->parts->data[0].question;
  for (size_t i = 0; i < w->into->checks.count; i++) hy_vec_push(&w->from, (size_t)WHOLE);
  for (int level = 0; level < HY_GATE_LEVELS; level++) {
    w->into->asked[level] = level <= (int)q->level || (q->baseline && level == HY_GATE_LEVELS - 1);
    for (size_t p = 0; p < w->parts->count; p++) {
      const hy_gate_result *r = &w->parts->data[p].result;
      w->into->seconds[level] += r->seconds[level];
      for (size_t i = 0; i < r->checks.count; i++)
        if (r->checks.data[i].level == level) take(w, p, &r->checks.data[i]);
    }
    // Not a single check of a level that was asked for is no yes.
    bool has_any = false;
    for (size_t i = 0; i < w->into->checks.count; i++) has_any |= w->into->checks.data[i].level == level;
    if (w->into->asked[level] && !has_any) {
      hy_gate_add(w->into, level, "not-run", NULL, HY_GATE_UNDECIDED, HY_E_GATE_NOT_RUN,
                  "no shard says anything of it");
      hy_vec_push(&w->from, (size_t)WHOLE);
    }
  }
}

bool hy_gate_merge(const hy_gate_parts *parts, const char *sums, hy_gate_result *into, const char **why) {
  walk w = {.parts = parts, .into = into};
  *why = complaint(&w, sums);
  if (!*why) {
    join_all(&w);
    put_in_order(&w);
  }
  hy_vec_free(&w.from);
  return !*why;
}
