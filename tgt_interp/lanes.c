#include "tgt_interp/interp_internal.h"

#include <stdlib.h>

/* Vectorized loops (decision D45): statements run once over all lanes; conditions become masks.
 *
 * A let inside the loop whose value may differ from lane to lane has one row of "lane_vars", a value per lane; before a
 * tape runs for a lane the rows are copied into the environment. What depends on no row is evaluated once. Nothing is
 * allocated or computed inside a vectorized loop, vectorized loops do not nest and no parallel loop is inside one
 * (decision D38); inner loops of those kinds run serially.
 */

enum { MOST_LANES = 1 << 20 };

static bool lanes(run *r, node *n, const lane_set *s);

/* -- lane sets and variables -- */

static void reserve_set(lane_set *s, int count) {
  if (s->capacity >= count) return;
  s->lanes = hy_reallocate(s->lanes, sizeof *s->lanes * (size_t)count);
  s->under = hy_reallocate(s->under, sizeof *s->under * (size_t)count);
  s->doubts = hy_reallocate(s->doubts, sizeof *s->doubts * (size_t)count);
  s->capacity = count;
}

static void add_lane(lane_set *s, int lane, const under *u) {
  s->lanes[s->count] = lane;
  s->under[s->count++] = *u;
}

static void reserve_values(hy_value **values, size_t *capacity, size_t count) {
  if (*capacity >= count) return;
  *values = hy_reallocate(*values, sizeof **values * count);
  *capacity = count;
}

static void prepare(run *r, const node *n, int count) {
  int sets = 1 + 2 * n->depth_count;
  if (r->set_count < sets) {
    r->sets = hy_reallocate(r->sets, sizeof *r->sets * (size_t)sets);
    for (; r->set_count < sets; r->set_count++) r->sets[r->set_count] = (lane_set){0};
  }
  for (int i = 0; i < sets; i++) reserve_set(&r->sets[i], count);
  reserve_values(&r->lane_vars, &r->lane_vars_capacity, (size_t)n->varying_count * (size_t)count);
  size_t row = HY_MAX_RANK + HY_MAX_PARTS;
  reserve_values(&r->lane_outputs, &r->lane_outputs_capacity, row * (size_t)count);
  for (size_t i = 0; i < (size_t)n->varying_count * (size_t)count; i++) r->lane_vars[i] = hy_value_int(0);
  r->lane_offsets = hy_reallocate(r->lane_offsets, sizeof *r->lane_offsets * (size_t)count);
  r->lane_count = count;
}

void hy_tgt_free_lanes(run *r) {
  for (int i = 0; i < r->set_count; i++) {
    hy_free(r->sets[i].lanes);
    hy_free(r->sets[i].under);
    hy_free(r->sets[i].doubts);
  }
  hy_free(r->sets);
  hy_free(r->lane_vars);
  hy_free(r->lane_outputs);
  hy_free(r->lane_offsets);
}

static hy_value *lane_variable(run *r, const node *n, int lane) {
  return &r->lane_vars[(size_t)n->varying * (size_t)r->lane_count + (size_t)lane];
}

static void enter_lane(run *r, int lane) {
  const hy_value *row = r->lane_vars + lane;
  for (int i = 0; i < r->vector->varying_count; i++, row += r->lane_count) bind(r, r->vector->varying_slots[i], *row);
}

// Is the value of a statement's code the same in all lanes? It does not look at memory then either.
static bool is_common(const run *r, const node *n) { return !(n->code.depends & (r->vector->own | ANYTHING)); }

/* -- assignments -- */

// A false predicate's lane is looked at without watching what it reads.
static void probe_lane(run *r, node *n, const under *u) {
  hy_tape_load *load = r->load;
  r->load = hy_tgt_load_plainly;
  const hy_value *out = evaluate(r, &n->code);
  r->load = load;
  hy_watch_probe(r, n, u, out + n->code.first);
}

// All lanes' loads.
static bool load_lanes(run *r, node *n, const lane_set *s) {
  int width = n->place->func->rank + hy_func_parts(n->place->func);
  for (int i = 0; i < s->count; i++) {
    enter_lane(r, s->lanes[i]);
    if (s->under[i].probing) {
      probe_lane(r, n, &s->under[i]);
      continue;
    }
    if (!hy_tgt_count_point(r, n)) return false;
    const hy_value *out = evaluate(r, &n->code);
    if (r->monitor) hy_watch_assignment(r, n, &s->under[i], out);
    for (int k = 0; k < width; k++) r->lane_outputs[i * (HY_MAX_RANK + HY_MAX_PARTS) + k] = out[n->code.first + k];
  }
  return true;
}

static int compare_offsets(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

// TGT.Mon-Lanes: two lanes never write one cell.
static void watch_lanes(run *r, const node *n, const lane_set *s) {
  const memory *m = n->place->memory;
  int count = 0;
  bool ascending = true;
  for (int i = 0; i < s->count; i++) {
    if (s->under[i].probing) continue;
    address a = hy_memory_locate(m, r->lane_outputs + i * (HY_MAX_RANK + HY_MAX_PARTS));
    if (!a.inside || a.wild) continue;
    ascending &= count == 0 || r->lane_offsets[count - 1] < a.offset;
    r->lane_offsets[count++] = a.offset;
  }
  if (ascending) return;
  qsort(r->lane_offsets, (size_t)count, sizeof *r->lane_offsets, compare_offsets);
  for (int i = 1; i < count; i++) {
    if (r->lane_offsets[i - 1] != r->lane_offsets[i]) continue;
    used(r, HY_RULE_TGT_MON_LANES);
    hy_text story = {0};
    hy_text_printf(&story, "%s: two lanes of the vectorized loop ", n->place->func->name);
    hy_var_print(r->vector->stmt->loop.var, &story);
    hy_text_add(&story, " write one cell");
    hy_tgt_breach(r, n, HY_CONTRACT_LANES, &story);
    return;
  }
}

// TGT.For-Vector: per assignment instance all lanes' loads come before all lanes' stores.
static bool assign_lanes(run *r, node *n, const lane_set *s) {
  r->because = ANYTHING;
  used(r, HY_RULE_TGT_ASSIGN);
  if (!load_lanes(r, n, s)) return false;
  if (r->monitor && !is_broken(r)) watch_lanes(r, n, s);
  for (int i = 0; i < s->count; i++) {
    if (s->under[i].probing) continue;
    if (r->options->event_observer) enter_lane(r, s->lanes[i]); // whose loops are told
    const hy_value *lhs = r->lane_outputs + i * (HY_MAX_RANK + HY_MAX_PARTS);
    hy_tgt_store(r, n, &s->under[i], lhs, lhs + n->place->func->rank);
  }
  return true;
}

/* -- branches: masks -- */

static void mask_user(run *r, node *n, const hy_value *out, const lane_set *s, int i, lane_set *then,
                      lane_set *otherwise) {
  hy_value condition = out[n->code.first];
  const under *u = &s->under[i];
  doubt *own = &then->doubts[then->count];
  *own = (doubt){.contract = HY_CONTRACT_KEPT, .outer = u->doubt};
  if (r->monitor && !u->probing) hy_watch_predicate(r, n, out, own);
  bool taken = condition.error || condition.u;
  under inner = {.poison = join(u->poison, (hy_error)condition.error),
                 .undefined = u->undefined || condition.undefined,
                 .probing = u->probing || !taken,
                 .doubt = own->contract ? own : u->doubt};
  if (taken || r->monitor) add_lane(then, s->lanes[i], &inner);
  if (!taken && !u->probing) add_lane(otherwise, s->lanes[i], u);
}

static bool mask_other(run *r, node *n, const hy_value *out, const lane_set *s, int i, lane_set *then,
                       lane_set *otherwise) {
  hy_value condition = out[n->code.first];
  const under *u = &s->under[i];
  if (r->monitor && !u->probing) hy_watch_deciding(r, n, out);
  if (condition.error && n->stmt->branch.why == HY_IF_GUARD && !u->probing) {
    hy_text story = {0};
    hy_text_printf(&story, "a guard is the error value %s", hy_error_name((hy_error)condition.error));
    return hy_tgt_break_off(r, n, HY_CONTRACT_BOUNDS_ERROR, &story);
  }
  if (r->monitor && condition.undefined && !is_broken(r)) {
    hy_text story = {0};
    hy_text_add(&story, "an undefined value decides a guard");
    hy_tgt_breach(r, n, HY_CONTRACT_UNDEFINED, &story);
  }
  add_lane(hy_value_is_true(condition) ? then : otherwise, s->lanes[i], u);
  return true;
}

// All lanes go the same way.
static bool branch_together(run *r, node *n, const lane_set *s, const hy_value *out) {
  bool holds = hy_value_is_true(out[n->code.first]);
  if (holds) return lanes(r, n->items[0], s);
  r->refused = n;
  r->because = 0;
  return n->count < 2 || lanes(r, n->items[1], s);
}

static bool mask_lanes(run *r, node *n, const lane_set *s) {
  lane_set *then = &r->sets[1 + 2 * n->depth], *otherwise = then + 1;
  then->count = otherwise->count = 0;
  for (int i = 0; i < s->count; i++) {
    enter_lane(r, s->lanes[i]);
    const hy_value *out = evaluate(r, &n->code);
    if (n->stmt->branch.why == HY_IF_USER)
      mask_user(r, n, out, s, i, then, otherwise);
    else if (!mask_other(r, n, out, s, i, then, otherwise))
      return false;
  }
  if (!then->count) r->refused = n;
  if (!lanes(r, n->items[0], then)) return false;
  loop_set because = r->because;
  r->because = 0;
  if (n->count > 1 && !lanes(r, n->items[1], otherwise)) return false;
  r->because |= because;
  return true;
}

// TGT.If-Implied: nothing happens.
static bool implied_lanes(run *r, node *n, const lane_set *s) {
  used(r, HY_RULE_TGT_IF_IMPLIED);
  for (int i = 0; i < s->count && r->monitor; i++) {
    enter_lane(r, s->lanes[i]);
    if (!s->under[i].probing) hy_watch_implied(r, n);
  }
  bool go_on = lanes(r, n->items[0], s);
  r->because |= n->code.depends;
  return go_on;
}

static bool branch_lanes(run *r, node *n, const lane_set *s) {
  if (n->stmt->branch.why == HY_IF_IMPLIED) return implied_lanes(r, n, s);
  bool is_user = n->stmt->branch.why == HY_IF_USER, go_on;
  switch (n->stmt->branch.why) {
  case HY_IF_USER: used(r, HY_RULE_TGT_IF_USER); break;
  case HY_IF_GUARD:
  case HY_IF_IMPLIED: used(r, HY_RULE_TGT_IF_GUARD); break;
  case HY_IF_SPECIALIZE: used(r, HY_RULE_TGT_IF_SPECIALIZE); break;
  }
  const hy_value *out = !is_user && is_common(r, n) ? evaluate(r, &n->code) : NULL;
  if (out && !out[n->code.first].error && !out[n->code.first].undefined)
    go_on = branch_together(r, n, s, out);
  else
    go_on = mask_lanes(r, n, s);
  r->because |= is_user ? ANYTHING : n->code.depends;
  return go_on;
}

/* -- inner loops, lets, the rest -- */

static bool refuse_lanes(run *r, const node *n, const char *what) {
  used(r, HY_RULE_TGT_MON_LANES);
  hy_text story = {0};
  hy_text_printf(&story, "%s inside the vectorized loop ", what);
  hy_var_print(r->vector->stmt->loop.var, &story);
  return hy_tgt_break_off(r, n, HY_CONTRACT_LANES, &story);
}

// The bounds of an inner loop are the same in every active lane. Lanes that only probe follow the others.
static bool common_bounds(run *r, node *n, const lane_set *s, int64_t *min, int64_t *len) {
  *min = *len = 0;
  bool first = true;
  for (int i = 0; i < s->count; i++) {
    if (s->under[i].probing) continue;
    int64_t lane_min, lane_len;
    enter_lane(r, s->lanes[i]);
    const hy_value *pair = evaluate(r, &n->code) + n->code.first;
    if (!hy_tgt_evaluate_interval(r, n, pair, &lane_min, &lane_len)) return false;
    if (r->monitor) hy_watch_deciding(r, n, n->code.outputs);
    if (!first && (lane_min != *min || lane_len != *len))
      return refuse_lanes(r, n, "the lanes have different bounds for an inner loop");
    *min = lane_min;
    *len = lane_len;
    first = false;
    if (is_common(r, n)) break;
  }
  return true;
}

static bool loop_lanes(run *r, node *n, const lane_set *s) {
  int64_t min, len;
  if (!common_bounds(r, n, s, &min, &len)) return false;
  if (len == 0 && n->cover) n->cover->excused = true;
  used(r, HY_RULE_TGT_FOR);
  loop_set because = 0;
  for (int64_t i = 0; i < len; i++) {
    tally before = count_so_far(r);
    bind(r, n->slot, hy_value_int(min + i));
    if (!hy_tgt_count_iteration(r) || !lanes(r, n->items[0], s)) return false;
    because |= r->because;
    if (r->because & (n->own | ANYTHING)) continue;
    if (!hy_tgt_count_idle(r, before, (uint64_t)(len - 1 - i))) return false;
    break;
  }
  r->because = without_loop(because, n->own) | n->code.depends;
  return true;
}

static bool let_lanes(run *r, node *n, const lane_set *s) {
  used(r, HY_RULE_TGT_LET);
  bool is_common_value = n->varying < 0;
  for (int i = 0; i < (is_common_value ? 1 : s->count); i++) {
    if (!is_common_value) enter_lane(r, s->lanes[i]);
    const hy_value *out = evaluate(r, &n->code);
    if (n->code.site_count && !s->under[i].probing) hy_watch_deciding(r, n, out);
    if (n->cover && !out[n->code.first + 1].error && out[n->code.first + 1].i <= 0) n->cover->excused = true;
    if (is_common_value)
      bind(r, n->slot, out[n->code.first]);
    else
      *lane_variable(r, n, s->lanes[i]) = out[n->code.first];
  }
  bool go_on = lanes(r, n->items[0], s);
  if (n->cover || n->code.depends & ANYTHING) r->because |= n->code.depends;
  return go_on;
}

static bool sequence_lanes(run *r, node *n, const lane_set *s) {
  loop_set because = 0;
  for (int i = 0; i < n->count; i++) {
    if (!lanes(r, n->items[i], s)) return false;
    because |= r->because;
  }
  r->because = because;
  return true;
}

static bool assume_lanes(run *r, node *n, const lane_set *s) {
  r->because = ANYTHING;
  for (int i = 0; i < s->count; i++) {
    if (s->under[i].probing) continue;
    enter_lane(r, s->lanes[i]);
    if (!hy_tgt_check_assumption(r, n)) return false;
  }
  return true;
}

static bool lanes(run *r, node *n, const lane_set *s) {
  r->because = 0;
  if (!s->count) return true; // masked-off lanes do nothing, not even loads
  r->at = n;
  switch (n->kind) {
  case HY_STMT_NOP: return true;
  case HY_STMT_ASSUME: return assume_lanes(r, n, s);
  case HY_STMT_SEQ: return sequence_lanes(r, n, s);
  case HY_STMT_ALLOCATE: return refuse_lanes(r, n, "an allocation");
  case HY_STMT_ASSIGN: return assign_lanes(r, n, s);
  case HY_STMT_IF: return branch_lanes(r, n, s);
  case HY_STMT_FOR: return loop_lanes(r, n, s);
  case HY_STMT_LET: return let_lanes(r, n, s);
  case HY_STMT_COMPUTE: return refuse_lanes(r, n, "a computation");
  case HY_STMT_LABEL: return lanes(r, n->items[0], s);
  }
  HY_UNREACHABLE();
}

bool hy_tgt_execute_lanes(run *r, node *n, int64_t min, int64_t len, const under *u) {
  used(r, HY_RULE_TGT_FOR_VECTOR);
  r->because = 0;
  if (len == 0) return true;
  if (len > MOST_LANES) return hy_tgt_stop(r, HY_RUN_LIMIT);
  prepare(r, n, (int)len);
  r->vector = n;
  lane_set *all = &r->sets[0];
  all->count = 0;
  for (int i = 0; i < (int)len; i++) {
    *lane_variable(r, n, i) = hy_value_int(min + i);
    add_lane(all, i, u);
  }
  bool go_on = hy_tgt_count_iteration(r) && lanes(r, n->items[0], all);
  r->vector = NULL;
  return go_on;
}
