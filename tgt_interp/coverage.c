#include "tgt_interp/interp_internal.h"

#include <stdlib.h>
#include <string.h>

/* Does each stage of a compute reach all of Cpu over its pure dimensions (decisions D54, D55)? One bit per point. */

// Cpu without points asks for nothing (decision D60).
static bool is_empty(const place *p) {
  for (int d = 0; d < p->func->rank; d++)
    if (p->cpu_len[d] <= 0) return true;
  return false;
}

static bool begin_stage(run *r, coverage *s, const place *p) {
  s->have = 0;
  s->excused = false;
  s->need = !is_empty(p);
  for (int d = 0; d < p->func->rank; d++) {
    s->stride[d] = s->need;
    if ((s->pure >> d & 1) && __builtin_mul_overflow(s->need, (uint64_t)p->cpu_len[d], &s->need)) return false;
  }
  size_t words = s->need / 64 + 1;
  if (!hy_tgt_count_work(r, words / 8)) return false;
  while (words > (r->limit - r->held) / 8 + s->capacity)
    if (!hy_tgt_raise_limit(r)) return false;
  if (words > s->capacity) {
    hy_free(s->bits);
    s->bits = hy_try_allocate(sizeof *s->bits, words * sizeof *s->bits);
    r->held = r->held - 8 * s->capacity + 8 * words;
    s->capacity = words;
    if (!s->bits) {
      s->capacity = 0;
      return false;
    }
  }
  memset(s->bits, 0, words * sizeof *s->bits);
  return true;
}

bool hy_tgt_begin_coverage(run *r, node *n) {
  for (int i = 0; i < n->stage_count; i++)
    if (!begin_stage(r, &n->stages[i], n->place)) return false;
  return true;
}

static void set_bits(uint64_t *bits, uint64_t from, uint64_t count) {
  for (; count && from % 64; from++, count--) bits[from / 64] |= UINT64_C(1) << (from % 64);
  for (; count >= 64; from += 64, count -= 64) bits[from / 64] = UINT64_MAX;
  for (; count; from++, count--) bits[from / 64] |= UINT64_C(1) << (from % 64);
}

// The part of a box of Cpu, given by its distance from the minimum, that is there from dimension d on down.
static void keep_part(coverage *s, int d, uint64_t bit, const uint64_t *from, const uint64_t *count) {
  if (d < 0) {
    set_bits(s->bits, bit, 1);
  } else if (d == 0 && s->stride[0] == 1) {
    set_bits(s->bits, bit + from[0], count[0]);
  } else {
    for (uint64_t i = 0; i < count[d]; i++) keep_part(s, d - 1, bit + (from[d] + i) * s->stride[d], from, count);
  }
}

// A computation that keeps is of one stage, whose dimensions are all pure (WF.Keep).
bool hy_tgt_keep_coverage(run *r, node *n, const int64_t *min, const int64_t *len) {
  const place *p = n->place;
  coverage *s = n->stages;
  uint64_t from[HY_MAX_RANK], count[HY_MAX_RANK], points = 1;
  if (n->stage_count != 1 || !s->need) return true;
  for (int d = 0; d < p->func->rank; d++) {
    __int128 first = min[d] > p->cpu_min[d] ? min[d] : p->cpu_min[d];
    __int128 end = (__int128)min[d] + len[d], own = (__int128)p->cpu_min[d] + p->cpu_len[d];
    if (own < end) end = own;
    if (end <= first) return true;
    from[d] = (uint64_t)(first - p->cpu_min[d]);
    count[d] = (uint64_t)(end - first);
    points *= count[d]; // no more than are needed
  }
  if (!hy_tgt_count_work(r, points / 512)) return false;
  keep_part(s, p->func->rank - 1, 0, from, count);
  s->have += points;
  return true;
}

// Only the pure coordinates count: where a stage writes along its reduction dimensions is the algorithm's affair.
void hy_tgt_mark_coverage(const node *n, const hy_value *lhs) {
  coverage *s = n->cover;
  if (!s || !s->need) return;
  uint64_t bit = 0;
  for (int d = 0; d < n->place->func->rank; d++) {
    if (!(s->pure >> d & 1)) continue;
    if (lhs[d].error) return;
    uint64_t place = (uint64_t)lhs[d].i - (uint64_t)n->place->cpu_min[d]; // Cpu is not empty
    if (place >= (uint64_t)n->place->cpu_len[d]) return;
    bit += place * s->stride[d];
  }
  uint64_t *word = &s->bits[bit / 64], mask = UINT64_C(1) << (bit % 64);
  s->have += !(*word & mask);
  *word |= mask;
}

static void tell_gap(run *r, const node *n, const coverage *s) {
  const place *p = n->place;
  uint64_t bit = 0;
  while (s->bits[bit / 64] >> (bit % 64) & 1) bit++;
  hy_text story = {0};
  hy_text_printf(&story, "%s(", p->func->name);
  for (int d = 0; d < p->func->rank; d++) {
    if (d) hy_text_add(&story, ", ");
    if (s->pure >> d & 1)
      hy_text_printf(&story, "%lld",
                     (long long)(p->cpu_min[d] + (int64_t)(bit / s->stride[d] % (uint64_t)p->cpu_len[d])));
    else
      hy_text_add(&story, "_");
  }
  hy_text_printf(&story, "): stage %d leaves it out of ", s->stage);
  hy_story_cpu(&story, p);
  hy_tgt_breach(r, n, HY_CONTRACT_CPU_UNCOVERED, &story);
}

// TGT.Mon-Cover
void hy_tgt_end_coverage(run *r, node *n) {
  for (int i = 0; i < n->stage_count && !is_broken(r); i++) {
    const coverage *s = &n->stages[i];
    if (s->have >= s->need || s->excused) continue;
    used(r, HY_RULE_TGT_MON_COVER);
    tell_gap(r, n, s);
  }
}
