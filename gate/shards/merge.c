#include "gate/shards/merge.h"

#include "semantics/base/intern.h"
#include "semantics/value/errors.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const hy_gate_parts *parts;
  hy_gate_result *into;
  HY_VEC(size_t) from; // of each check: which part it came from; WHOLE: it was there
  hy_intern *keys;     // of key_entry: where the first check of each key is
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

// A shard that found no input to run, or none that gives a value: it says nothing where another found one.
static bool is_idle(const hy_gate_check *c) {
  return c->verdict == HY_GATE_UNDECIDED && strcmp(c->name, "no-input") == 0 && c->counts.points == 0;
}

typedef struct {
  int level;
  const char *texts[3]; // its name, file and target
  size_t at;            // among all checks
} key_entry;

static key_entry key_of(const hy_gate_check *c, size_t at) {
  return (key_entry){c->level, {!is_idle(c) ? c->name : c->file ? "runs" : "meaning", c->file, c->target}, at};
}

static uint64_t hash_key(const key_entry *key) {
  uint64_t hash = hy_hash(0, (uint64_t)key->level);
  for (int i = 0; i < 3; i++)
    hash = key->texts[i] ? hy_hash_bytes(hash, key->texts[i], strlen(key->texts[i])) : hy_hash(hash, 1);
  return hash;
}

static bool same_key(const void *a, const void *b) {
  const key_entry *x = a, *y = b;
  bool same = x->level == y->level;
  for (int i = 0; i < 3; i++) same &= same_text(x->texts[i], y->texts[i]);
  return same;
}

static void add_counts(hy_gate_counts *to, const hy_gate_counts *n) {
  to->inputs += n->inputs, to->useless += n->useless, to->runs += n->runs;
  to->points += n->points, to->refusals += n->refusals;
  if (n->threads > to->threads) to->threads = n->threads;
  to->emulated |= n->emulated;
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

static void add(walk *w, size_t part, const hy_gate_check *c) {
  hy_vec_push(&w->into->checks, *c);
  hy_vec_push(&w->from, part);
}

// The first check of that key; of a new one NULL, and "c" will be the first.
static const key_entry *first_of(walk *w, const hy_gate_check *c, size_t at) {
  key_entry *key = HY_NEW(w->into->arena, key_entry);
  *key = key_of(c, at);
  uint64_t hash = hash_key(key);
  const key_entry *first = hy_intern_find(w->keys, hash, key);
  if (!first) hy_intern_add(w->keys, hash, key);
  return first;
}

static void take(walk *w, size_t part, const hy_gate_check *c) {
  const key_entry *first = first_of(w, c, w->into->checks.count);
  if (first && w->from.data[first->at] != part)
    join(w, &w->into->checks.data[first->at], c);
  else
    add(w, part, c);
}

/* -- in the order in which one process finds them: by level, from level 2 on by target -- */

static size_t place_of(const walk *w, const hy_gate_check *c) {
  const hy_manifest *m = w->into->manifest;
  for (size_t i = 0; c->target && i < m->targets.count; i++)
    if (strcmp(m->targets.data[i].name, c->target) == 0) return i + 1;
  return 0;
}

typedef struct {
  hy_gate_check check;
  size_t place, found;
} placed;

static int by_place(const void *a, const void *b) {
  const placed *x = a, *y = b;
  if (x->check.level != y->check.level) return x->check.level < y->check.level ? -1 : 1;
  if (x->place != y->place) return x->place < y->place ? -1 : 1;
  return (x->found > y->found) - (x->found < y->found);
}

static void put_in_order(const walk *w) {
  hy_gate_check *checks = w->into->checks.data;
  size_t count = w->into->checks.count;
  placed *all = HY_NEW_ARRAY(w->into->arena, placed, count);
  for (size_t i = 0; i < count; i++)
    all[i] = (placed){checks[i], checks[i].level >= 2 ? place_of(w, &checks[i]) : 0, i};
  if (count) qsort(all, count, sizeof *all, by_place);
  for (size_t i = 0; i < count; i++) checks[i] = all[i].check;
}

static void join_all(walk *w) {
  const hy_gate_question *q = &w->parts->data[0].question;
  for (size_t i = 0; i < w->into->checks.count; i++) {
    hy_vec_push(&w->from, (size_t)WHOLE);
    first_of(w, &w->into->checks.data[i], i);
  }
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
      hy_gate_add(w->into, level, "no-shard", NULL, HY_GATE_UNDECIDED, HY_E_GATE_NOT_RUN,
                  "no shard says anything of it");
      hy_vec_push(&w->from, (size_t)WHOLE);
    }
  }
}

bool hy_gate_merge(const hy_gate_parts *parts, const char *sums, hy_gate_result *into, const char **why) {
  walk w = {.parts = parts, .into = into, .keys = hy_intern_new(same_key)};
  *why = complaint(&w, sums);
  if (!*why) {
    join_all(&w);
    put_in_order(&w);
  }
  hy_intern_free(w.keys);
  hy_vec_free(&w.from);
  return !*why;
}
