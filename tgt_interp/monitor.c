#include "tgt_interp/interp_internal.h"

#include <stdlib.h>

/* What a correct program never does (decisions D7, D38, D56, D63). The first breach is kept, with its story. */

void hy_tgt_breach(run *r, const node *n, hy_contract contract, hy_text *story) {
  if (is_broken(r)) {
    hy_text_free(story);
    return;
  }
  hy_story_loops(story, r, n);
  r->result->contract = contract;
  r->result->where = n ? n->stmt : NULL;
  r->result->story = story->data;
}

/* -- Cpu -- */

static inline bool in_cpu(const place *p, const hy_value *coordinates) {
  if (!p->computed) return false;
  for (int d = 0; d < p->func->rank; d++) {
    if (p->cpu_len[d] <= 0) return false;
    if (coordinates[d].error) continue;
    if ((uint64_t)coordinates[d].i - (uint64_t)p->cpu_min[d] >= (uint64_t)p->cpu_len[d]) return false;
  }
  return true;
}

bool hy_tgt_in_cpu(const place *p, const hy_value *coordinates) { return in_cpu(p, coordinates); }

static bool has_error(const hy_value *coordinates, int count) {
  for (int i = 0; i < count; i++)
    if (coordinates[i].error) return true;
  return false;
}

static bool has_undefined(const hy_value *coordinates, int count) {
  for (int i = 0; i < count; i++)
    if (coordinates[i].undefined) return true;
  return false;
}

// "bv(3, 4): reads bh(3, 5), outside Cpu(bh) = [0, 4) x [0, 5)"; without a point "a predicate reads ..."
static void tell_read(run *r, const node *n, hy_contract contract, const hy_value *point, const site *s,
                      const hy_value *coordinates) {
  hy_text story = {0};
  if (point) {
    hy_story_point(&story, n->place->func, point);
    hy_text_add(&story, s->forms_address ? ": an index reads " : ": reads ");
  } else {
    hy_text_add(&story, n->stmt->kind == HY_STMT_IF ? "a condition reads " : "a bound reads ");
  }
  hy_story_point(&story, s->place->func, coordinates);
  if (contract == HY_CONTRACT_UNDEFINED) {
    hy_text_add(&story, ", at an undefined address");
  } else {
    hy_text_add(&story, ", outside ");
    if (contract == HY_CONTRACT_READ_OUTSIDE)
      hy_story_mem(&story, s->place);
    else
      hy_story_cpu(&story, s->place);
  }
  hy_tgt_breach(r, n, contract, &story);
}

// Are the coordinates ordinary and in Mem, as they almost always are?
static inline bool is_plainly_inside(const memory *m, const hy_value *coordinates) {
  if (!m) return false;
  bool inside = true;
  for (int d = 0; d < m->layout.rank; d++)
    inside &= !coordinates[d].error & !coordinates[d].undefined &
              ((uint64_t)coordinates[d].i - (uint64_t)m->layout.min[d] < m->layout.len[d]);
  return inside;
}

// TGT.Read-Out: every access lies in Mem, at an address that is defined. False if it does not, or if it has no address.
static bool judge_address(run *r, const node *n, const hy_value *point, const site *s, const hy_value *coordinates) {
  int rank = s->place->func->rank;
  address a = hy_memory_locate(s->place->memory, coordinates);
  if (a.inside && !a.error && !a.undefined) return true;
  if (has_undefined(coordinates, rank)) {
    used(r, HY_RULE_TGT_MON_UNDEFINED);
    tell_read(r, n, HY_CONTRACT_UNDEFINED, point, s, coordinates);
    return false;
  }
  if (has_error(coordinates, rank)) return false;
  if (a.inside) return true;
  used(r, HY_RULE_TGT_READ_OUT);
  tell_read(r, n, HY_CONTRACT_READ_OUTSIDE, point, s, coordinates);
  return false;
}

static inline bool watch_address(run *r, const node *n, const hy_value *point, const site *s,
                                 const hy_value *coordinates) {
  return is_plainly_inside(s->place->memory, coordinates) || judge_address(r, n, point, s, coordinates);
}

// TGT.Mon-Cpu: accesses that form an address are in Cpu; the others are if the point is (decision D56).
static inline bool is_right(const site *s, const hy_value *coordinates) {
  return s->place->func->is_image || in_cpu(s->place, coordinates);
}

// TGT.Mon-Fold: what has to be in Cpu is in a cell of its own.
static inline bool is_held(const site *s, const hy_value *coordinates) {
  const memory *m = s->place->memory;
  if (!m->holds) return true;
  address a = hy_memory_locate(m, coordinates);
  return a.error || hy_memory_holds(m, a.offset, coordinates);
}

static void story_held(hy_text *story, const memory *m, size_t offset, const hy_func *func) {
  hy_text_add(story, ", whose cell holds ");
  hy_story_values(story, func, m->holds + offset * (size_t)m->layout.rank);
}

static void tell_held(run *r, const node *n, const hy_value *point, const site *s, const hy_value *coordinates) {
  used(r, HY_RULE_TGT_MON_FOLD);
  const memory *m = s->place->memory;
  hy_text story = {0};
  if (point) hy_story_point(&story, n->place->func, point);
  hy_text_add(&story, point ? ": reads " : n->stmt->kind == HY_STMT_IF ? "a condition reads " : "a bound reads ");
  hy_story_point(&story, s->place->func, coordinates);
  story_held(&story, m, hy_memory_locate(m, coordinates).offset, s->place->func);
  hy_tgt_breach(r, n, HY_CONTRACT_FOLDED, &story);
}

// TGT.Mon-Fold of a store: the cell holds another point of this computation.
void hy_watch_fold(run *r, const node *n, const memory *m, size_t offset, const hy_value *lhs) {
  if (is_broken(r) || r->options->awaits_loads) return;
  if (!n->place->computed || m->stored[offset] != n->place->computes) return;
  if (hy_memory_holds(m, offset, lhs)) return;
  used(r, HY_RULE_TGT_MON_FOLD);
  hy_text story = {0};
  hy_story_point(&story, n->place->func, lhs);
  hy_text_add(&story, ": is written");
  story_held(&story, m, offset, n->place->func);
  hy_text_add(&story, " of the same computation");
  hy_tgt_breach(r, n, HY_CONTRACT_FOLDED, &story);
}

void hy_watch_deciding(run *r, const node *n, const hy_value *outputs) {
  for (int i = 0; i < n->code.site_count && !is_broken(r); i++) {
    const site *s = &n->code.sites[i];
    const hy_value *coordinates = outputs + s->output;
    if (!watch_address(r, n, NULL, s, coordinates)) continue;
    if (is_right(s, coordinates)) {
      if (!is_held(s, coordinates)) tell_held(r, n, NULL, s, coordinates);
      continue;
    }
    used(r, HY_RULE_TGT_MON_CPU);
    tell_read(r, n, HY_CONTRACT_CPU_OUTSIDE, NULL, s, coordinates);
  }
}

// TGT.Mon-Cpu, TGT.Mon-Undefined of a predicate: whether its point is in Cpu is known where the assignment is.
void hy_watch_predicate(run *r, const node *n, const hy_value *outputs, doubt *out) {
  for (int i = 0; i < n->code.site_count && !is_broken(r); i++) {
    const site *s = &n->code.sites[i];
    const hy_value *coordinates = outputs + s->output;
    if (!watch_address(r, n, NULL, s, coordinates)) continue;
    bool right = is_right(s, coordinates);
    if (right && is_held(s, coordinates)) continue;
    if (s->forms_address && right) {
      tell_held(r, n, NULL, s, coordinates);
    } else if (s->forms_address) {
      used(r, HY_RULE_TGT_MON_CPU);
      tell_read(r, n, HY_CONTRACT_CPU_OUTSIDE, NULL, s, coordinates);
    } else if (!out->contract) {
      out->contract = right ? HY_CONTRACT_FOLDED : HY_CONTRACT_CPU_OUTSIDE;
      out->place = s->place;
      for (int d = 0; d < s->place->func->rank; d++) out->point[d] = coordinates[d].i;
    }
  }
  if (outputs[n->code.first].undefined && !out->contract) out->contract = HY_CONTRACT_UNDEFINED;
}

static void tell_doubt(run *r, const node *n, const doubt *d, const hy_value *lhs) {
  hy_text story = {0};
  hy_story_point(&story, n->place->func, lhs);
  if (d->contract == HY_CONTRACT_UNDEFINED) {
    used(r, HY_RULE_TGT_MON_UNDEFINED);
    hy_text_add(&story, ": an undefined value decides its predicate");
  } else if (d->contract == HY_CONTRACT_FOLDED) {
    used(r, HY_RULE_TGT_MON_FOLD);
    hy_text_add(&story, ": its predicate reads ");
    hy_story_values(&story, d->place->func, d->point);
    hy_text_add(&story, ", whose cell holds another point");
  } else {
    used(r, HY_RULE_TGT_MON_CPU);
    hy_text_add(&story, ": its predicate reads ");
    hy_story_values(&story, d->place->func, d->point);
    hy_text_add(&story, ", outside ");
    hy_story_cpu(&story, d->place);
  }
  hy_tgt_breach(r, n, d->contract, &story);
}

static void watch_doubts(run *r, const node *n, const under *u, const hy_value *lhs, bool inside) {
  if (!inside || is_broken(r)) return;
  for (const doubt *d = u->doubt; d; d = d->outer)
    if (d->contract) tell_doubt(r, n, d, lhs);
}

// TGT.Mon-Undefined: garbage never reaches an address, nor, elsewhere, a bound, a guard, a predicate or the window.
static void watch_left_side(run *r, const node *n, const hy_value *lhs) {
  if (!has_undefined(lhs, n->place->func->rank)) return;
  used(r, HY_RULE_TGT_MON_UNDEFINED);
  hy_text story = {0};
  hy_story_point(&story, n->place->func, lhs);
  hy_text_add(&story, ": is written at an undefined address");
  hy_tgt_breach(r, n, HY_CONTRACT_UNDEFINED, &story);
}

void hy_watch_assignment(run *r, const node *n, const under *u, const hy_value *outputs) {
  if (is_broken(r)) return;
  const hy_value *lhs = outputs + n->code.first;
  bool inside = in_cpu(n->place, lhs);
  hy_tgt_mark_coverage(n, lhs);
  watch_left_side(r, n, lhs);
  if (u->doubt) watch_doubts(r, n, u, lhs, inside);
  for (int i = 0; i < n->code.site_count; i++) {
    const site *s = &n->code.sites[i];
    const hy_value *coordinates = outputs + s->output;
    if (!watch_address(r, n, lhs, s, coordinates)) continue;
    if (!(inside || s->forms_address)) continue;
    if (is_right(s, coordinates)) {
      if (!is_held(s, coordinates)) tell_held(r, n, lhs, s, coordinates);
      continue;
    }
    used(r, HY_RULE_TGT_MON_CPU);
    tell_read(r, n, HY_CONTRACT_CPU_OUTSIDE, lhs, s, coordinates);
  }
}

// A point whose predicate is false is covered too, and its predicate had no more right to look elsewhere.
void hy_watch_probe(run *r, node *n, const under *u, const hy_value *lhs) {
  bool inside = hy_tgt_in_cpu(n->place, lhs);
  hy_tgt_mark_coverage(n, lhs);
  watch_doubts(r, n, u, lhs, inside);
  address a = hy_memory_locate(n->place->memory, lhs);
  for (int p = 0; u->undefined && a.inside && !a.wild && p < hy_func_parts(n->place->func); p++)
    n->place->memory[p].marks[a.offset] |= MARK_UNDEFINED;
}

/* -- races (decision D38) -- */

// Was an access with this stamp made by an earlier iteration of a parallel loop that is still running? Loops nest, so
// what came before an outer loop came before the inner ones.
static const level *find_parallel(const run *r, uint32_t stamp) {
  for (int i = 0; i < r->level_count && stamp >= r->levels[i].first; i++)
    if (stamp < r->levels[i].current) return &r->levels[i];
  return NULL;
}

static void tell_race(run *r, const node *n, const level *l, const char *before, const char *now) {
  used(r, HY_RULE_TGT_MON_RACE);
  hy_text story = {0};
  hy_text_printf(&story, "%s, which another iteration of the parallel loop ", now);
  hy_var_print(l->loop->stmt->loop.var, &story);
  hy_text_printf(&story, " %s", before);
  hy_tgt_breach(r, n, HY_CONTRACT_RACE, &story);
}

// The coordinates of a cell, for a story; where a dimension is folded, of the first point that has it.
static void cell_point(const memory *m, size_t offset, int64_t *point) {
  const hy_layout *l = &m->layout;
  for (int d = 0; d < l->rank; d++) {
    point[d] = l->min[d];
    uint64_t at = offset / l->stride[d] % l->cells[d], first = hy_layout_share(l, d, l->min[d]) / l->stride[d];
    point[d] += (int64_t)(at >= first ? at - first : at + (uint64_t)l->fold[d] - first);
  }
}

static void watch_race(run *r, const node *n, const memory *m, size_t offset, const hy_func *func, bool writes,
                       const level *l, bool other_writes) {
  if (is_broken(r)) return;
  int64_t point[HY_MAX_RANK];
  hy_text now = {0};
  cell_point(m, offset, point);
  if (n->stmt->kind == HY_STMT_ASSIGN) hy_text_printf(&now, "%s: ", n->place->func->name);
  hy_text_add(&now, writes ? "writes " : "reads ");
  hy_story_values(&now, func, point);
  tell_race(r, n, l, other_writes ? "wrote" : "read", hy_text_string(&now));
  hy_text_free(&now);
}

// TGT.Mon-Race: a read is a race with an earlier write of another iteration.
void hy_watch_read(run *r, memory *m, size_t offset, const hy_func *func) {
  const level *l = find_parallel(r, m->writers[offset]);
  if (l) watch_race(r, r->at, m, offset, func, false, l, true);
  // One reader is enough: a reader in sequence with this one has no race that this one has not.
  if (!find_parallel(r, m->readers[offset])) m->readers[offset] = r->clock;
}

// TGT.Mon-Race: a write is a race with an earlier write or read of another iteration.
void hy_watch_write(run *r, const node *n, memory *m, size_t offset) {
  const level *l = find_parallel(r, m->writers[offset]);
  if (l) watch_race(r, n, m, offset, n->place->func, true, l, true);
  l = find_parallel(r, m->readers[offset]);
  if (l) watch_race(r, n, m, offset, n->place->func, true, l, false);
  m->writers[offset] = r->clock;
}

/* -- loads -- */

// TGT.Read-Fold: what was stored there is gone, and another point is in its place.
static void lose_other_point(run *r, const memory *m, size_t offset, const hy_value *coordinates, hy_value *value) {
  if (hy_memory_holds(m, offset, coordinates)) return;
  used(r, HY_RULE_TGT_READ_FOLD);
  value->undefined = true;
}

// TGT.Read: the cell's value; outside Mem eps_mem; with an erroring coordinate its error.
static inline hy_value load(run *r, const hy_func *func, int part, const hy_value *coordinates, bool watched) {
  memory *m = r->places[func->index].memory;
  used(r, HY_RULE_TGT_READ);
  address a = hy_memory_locate(m, coordinates);
  hy_value value;
  if (a.error) {
    value = hy_value_error(hy_func_type(func, part), a.error);
  } else if (!a.inside) {
    value = hy_value_error(hy_func_type(func, part), HY_ERROR_MEM);
  } else {
    if (watched && r->level_count && m->writers) hy_watch_read(r, m, a.offset, func);
    value = hy_memory_get(&m[part], a.offset);
    if (m->holds) lose_other_point(r, m, a.offset, coordinates, &value);
  }
  value.undefined |= a.undefined;
  return value;
}

hy_value hy_tgt_load_plainly(void *self, const hy_func *func, int part, const hy_value *coordinates) {
  return load(self, func, part, coordinates, false);
}

hy_value hy_tgt_load_told(void *self, const hy_func *func, int part, const hy_value *coordinates) {
  const run *r = self;
  hy_value value = load(self, func, part, coordinates, false);
  tell(r, r->at, &(hy_tgt_event){HY_EVENT_LOAD, func, part, NULL, NULL, coordinates, value});
  return value;
}

hy_value hy_tgt_load_watched(void *self, const hy_func *func, int part, const hy_value *coordinates) {
  return load(self, func, part, coordinates, true);
}

/* -- the window -- */

// TGT.Mon-Cpu, TGT.Mon-Undefined of the window.
void hy_watch_window(run *r, const node *allocate, const int64_t *point, hy_value value, bool inside) {
  const place *p = allocate->place;
  hy_text story = {0};
  hy_value coordinates[HY_MAX_RANK];
  for (int d = 0; d < p->func->rank; d++) coordinates[d] = hy_value_int(point[d]);
  bool is_right_place = inside && hy_tgt_in_cpu(p, coordinates);
  if (is_right_place && !value.undefined) return;
  hy_text_add(&story, "the window holds ");
  hy_story_values(&story, p->func, point);
  if (!inside) {
    used(r, HY_RULE_TGT_READ_OUT);
    hy_text_add(&story, ", outside ");
    hy_story_mem(&story, p);
  } else if (value.undefined) {
    used(r, HY_RULE_TGT_MON_UNDEFINED);
    hy_text_add(&story, ", an undefined value");
  } else {
    used(r, HY_RULE_TGT_MON_CPU);
    hy_text_add(&story, ", outside ");
    hy_story_cpu(&story, p);
  }
  hy_tgt_breach(r, allocate,
                !inside           ? HY_CONTRACT_READ_OUTSIDE
                : value.undefined ? HY_CONTRACT_UNDEFINED
                                  : HY_CONTRACT_CPU_OUTSIDE,
                &story);
}
