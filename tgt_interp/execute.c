#include "tgt_interp/interp_internal.h"

#include <string.h>

/* Statements, one rule of section 4 of the specification each (paper, Figure 8 rebuilt). */

enum {
  KEEP_BYTES = 1 << 20,   // larger allocations are given back at once, smaller ones kept for the next time
  FEW_ITERATIONS = 8,     // are run, idle or not
  CELLS_AN_ITERATION = 64 // that are filled cost about as much as an iteration
};

bool hy_tgt_stop(run *r, hy_run_status status) {
  r->status = status;
  return false;
}

bool hy_tgt_break_off(run *r, const node *n, hy_contract contract, hy_text *story) {
  hy_tgt_breach(r, n, contract, story);
  return hy_tgt_stop(r, HY_RUN_CONTRACT);
}

static bool stop_by_work(run *r) {
  r->result->by_work = true;
  return hy_tgt_stop(r, HY_RUN_LIMIT);
}

bool hy_tgt_count_work(run *r, uint64_t units) {
  uint64_t limit = r->options->work_limit ? r->options->work_limit : UINT64_MAX;
  if (units > limit - r->result->work) { // what is not done does not count
    r->result->work = limit;
    return stop_by_work(r);
  }
  r->result->work += units;
  return true;
}

// An empty loop nest could run for ever without an assignment, so iterations count too, generously.
static bool has_iterations_left(run *r) {
  uint64_t limit = r->options->step_limit;
  return !limit || r->iterations / 4 <= limit + 16384 || stop_by_work(r);
}

static bool count_iterations(run *r, uint64_t iterations) {
  r->iterations += iterations;
  return has_iterations_left(r) && hy_tgt_count_work(r, iterations);
}

bool hy_tgt_count_iteration(run *r) { return count_iterations(r, 1); }

bool hy_tgt_count_idle(run *r, tally before, uint64_t rest) {
  uint64_t more, ticks;
  if (__builtin_mul_overflow(r->iterations - before.iterations, rest, &more) ||
      __builtin_add_overflow(r->iterations, more, &r->iterations))
    r->iterations = UINT64_MAX;
  if (!has_iterations_left(r)) return false;
  if (__builtin_mul_overflow((uint64_t)(r->clock - before.clock), rest, &ticks) || ticks > UINT32_MAX - r->clock)
    return hy_tgt_stop(r, HY_RUN_LIMIT);
  r->clock += (uint32_t)ticks;
  return true;
}

// Expressions cost by what they compute: eight nodes about as much as an iteration.
bool hy_tgt_count_point(run *r, const node *assign) {
  r->result->points++;
  if (r->options->step_limit && r->result->points > r->options->step_limit) return stop_by_work(r);
  return hy_tgt_count_work(r, 1 + (assign->code.tape ? hy_tape_room(assign->code.tape) / 8 : 0));
}

/* -- bounds -- */

static const char *bound_name(const node *n) {
  return n->stmt->kind == HY_STMT_FOR ? "loop" : n->stmt->kind == HY_STMT_ALLOCATE ? "Mem" : "Cpu";
}

static void story_bound(hy_text *story, const node *n, int dim, const char *part) {
  if (n->stmt->kind == HY_STMT_FOR) {
    hy_text_printf(story, "the %s of loop ", part);
    hy_var_print(n->stmt->loop.var, story);
  } else {
    const hy_func *func = n->place->func;
    hy_text_printf(story, "the %s of %s(%s) in %s", part, bound_name(n), func->name, func->dims[dim]);
  }
}

// An erroring bound ends the run (paper, section 5.2).
static bool evaluate_bound(run *r, const node *n, hy_value value, int dim, const char *part) {
  hy_text story = {0};
  if (value.error) {
    story_bound(&story, n, dim, part);
    hy_text_printf(&story, " is the error value %s", hy_error_name((hy_error)value.error));
    return hy_tgt_break_off(r, n, HY_CONTRACT_BOUNDS_ERROR, &story);
  }
  if (r->monitor && value.undefined && !is_broken(r)) {
    hy_text_add(&story, "an undefined value reaches ");
    story_bound(&story, n, dim, part);
    hy_tgt_breach(r, n, HY_CONTRACT_UNDEFINED, &story);
  }
  return true;
}

static bool refuse_length(run *r, const node *n, int dim, int64_t len) {
  hy_text story = {0};
  story_bound(&story, n, dim, "length");
  hy_text_printf(&story, " is %lld", (long long)len);
  return hy_tgt_break_off(r, n, HY_CONTRACT_BOUNDS_ERROR, &story);
}

bool hy_tgt_evaluate_interval(run *r, const node *n, const hy_value *pair, int64_t *min, int64_t *len) {
  if (!evaluate_bound(r, n, pair[0], 0, "minimum") || !evaluate_bound(r, n, pair[1], 0, "length")) return false;
  *min = pair[0].i;
  *len = pair[1].i;
  int64_t end;
  // TGT.For-Neg: a negative length is an error, not an empty loop; so is an end beyond 64 bits (D78).
  if (*len < 0) {
    used(r, HY_RULE_TGT_FOR_NEG);
    return refuse_length(r, n, 0, *len);
  }
  if (__builtin_add_overflow(*min, *len, &end)) return refuse_length(r, n, 0, *len);
  return true;
}

// Boxes: a negative length is a broken contract too, but holds nothing and stops nothing.
static bool evaluate_box(run *r, node *n, int64_t *min, int64_t *len) {
  const hy_value *values = evaluate(r, &n->code) + n->code.first;
  int rank = n->place->func->rank;
  for (int d = 0; d < rank; d++) {
    if (!evaluate_bound(r, n, values[2 * d], d, "minimum")) return false;
    if (!evaluate_bound(r, n, values[2 * d + 1], d, "length")) return false;
    min[d] = values[2 * d].i;
    len[d] = values[2 * d + 1].i;
    if (len[d] >= 0) continue;
    if (r->monitor) {
      hy_text story = {0};
      story_bound(&story, n, d, "length");
      hy_text_printf(&story, " is %lld", (long long)len[d]);
      hy_tgt_breach(r, n, HY_CONTRACT_BOUNDS_ERROR, &story);
    }
    len[d] = 0;
  }
  if (r->monitor) hy_watch_deciding(r, n, n->code.outputs);
  return true;
}

/* -- allocations -- */

static void end_allocation(run *r, node *n) {
  if (!n->is_live) return;
  if (r->options->event_observer) tell(r, n, &(hy_tgt_event){.kind = HY_EVENT_FREE, .func = n->place->func});
  n->is_live = false;
  n->place->memory = NULL;
  n->place->computed = false;
  for (int p = 0; p < hy_func_parts(n->place->func); p++) {
    memory *m = &n->memories[p];
    r->bytes -= m->bytes;
    if (m->capacity <= KEEP_BYTES) continue;
    r->held -= m->capacity;
    hy_memory_free(m);
  }
}

// Memory for one part. Accesses to any part are accesses of the func: races are seen in part 0.
static bool reserve(run *r, node *n, int part, const int64_t *min, const int64_t *len) {
  const hy_func *func = n->place->func;
  memory *m = &n->memories[part];
  size_t before = m->capacity;
  bool stamps = r->monitor && part == 0;
  if (!hy_memory_shape(m, hy_func_type(func, part), func->rank, n->stmt->allocate.plan, min, len))
    return hy_tgt_stop(r, HY_RUN_LIMIT);
  r->iterations += m->count / CELLS_AN_ITERATION;
  if (!has_iterations_left(r) || !hy_tgt_count_work(r, 8 + m->count / 8)) {
    r->result->by_work = m->count / CELLS_AN_ITERATION < r->iterations / 2; // else this one allocation is too large
    return false;
  }
  bool enough = hy_memory_reserve(m, stamps, r->limit - r->held + before);
  if (!enough && m->capacity == before && hy_tgt_raise_limit(r))
    enough = hy_memory_reserve(m, stamps, r->limit - r->held + before);
  r->held += m->capacity - before;
  if (!enough) return hy_tgt_stop(r, HY_RUN_LIMIT);
  hy_memory_scramble(m,
                     r->options->seed * UINT64_C(0x2545f4914f6cdd1d) + ++r->allocations * UINT64_C(0x9e6c63d0676a9a99));
  return true;
}

// TGT.Alloc: fresh memory at each execution: undefined cells with arbitrary ordinary values (decision D7); of a tuple
// one for each part (D80).
static bool allocate(run *r, node *n) {
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  const hy_func *func = n->place->func;
  used(r, HY_RULE_TGT_ALLOC);
  end_allocation(r, n);
  if (!evaluate_box(r, n, min, len)) return false;
  if (r->options->slack) hy_memory_widen(r->options->slack, func->index, func->rank, min, len);
  for (int p = 0; p < hy_func_parts(func); p++)
    if (!reserve(r, n, p, min, len)) return false;
  n->is_live = true;
  n->place->memory = n->memories;
  n->place->computed = false;
  for (int p = 0; p < hy_func_parts(func); p++) r->bytes += n->memories[p].bytes;
  if (r->bytes > r->result->peak_bytes) r->result->peak_bytes = r->bytes;
  if (r->options->event_observer)
    tell(r, n, &(hy_tgt_event){.kind = HY_EVENT_ALLOCATE, .func = func, .min = min, .len = len});
  return true;
}

/* -- assignments -- */

typedef struct smear {
  run *r;
  node *n;
  memory *m;
  hy_value value;
  const hy_value *lhs;
  int part;
} smear;

static void smear_cell(void *self, size_t offset) {
  smear *s = self;
  if (s->part == 0 && s->r->monitor && s->r->level_count) hy_watch_write(s->r, s->n, s->m, offset);
  hy_memory_put(s->m, offset, s->value);
  if (s->m->holds) hy_memory_hold(s->m, offset, s->lhs, s->n->place->computes);
}

// A store that fills a buffer costs by its cells.
static bool count_cells(run *r, size_t cells) { return count_iterations(r, cells / CELLS_AN_ITERATION); }

static void ruin(const node *n) {
  for (int p = 0; p < hy_func_parts(n->place->func); p++) hy_memory_ruin(&n->place->memory[p]);
}

static void store_outside(run *r, const node *n, const memory *m, const hy_value *lhs) {
  used(r, HY_RULE_TGT_ASSIGN_OUT);
  if (r->monitor && !is_broken(r)) {
    hy_text story = {0};
    hy_story_point(&story, n->place->func, lhs);
    hy_text_add(&story, ": is written outside ");
    hy_story_mem(&story, n->place);
    hy_tgt_breach(r, n, HY_CONTRACT_WRITE_OUTSIDE, &story);
  }
  if (m && count_cells(r, m->count)) ruin(n);
}

static void observe(run *r, const node *n, const hy_value *lhs) {
  int64_t point[HY_MAX_RANK];
  for (int d = 0; d < n->place->func->rank; d++) point[d] = lhs[d].i;
  r->options->observer(r->options->observer_self, n->stmt, point);
}

// One part, inside of Mem.
static void store_part(run *r, node *n, int part, const address *a, const hy_value *lhs, hy_value value) {
  memory *m = &n->place->memory[part];
  if (a->wild) {
    if (!count_cells(r, m->count)) return;
    int64_t point[HY_MAX_RANK];
    for (int d = 0; d < m->layout.rank; d++) point[d] = lhs[d].i;
    hy_memory_slice(m, point, a->wild, smear_cell, &(smear){r, n, m, value, lhs, part});
    return;
  }
  if (part == 0 && r->monitor && r->level_count) hy_watch_write(r, n, m, a->offset);
  hy_memory_put(m, a->offset, value);
  if (!m->holds) return;
  if (part == 0 && r->monitor) hy_watch_fold(r, n, m, a->offset, lhs);
  hy_memory_hold(m, a->offset, lhs, n->place->computes);
}

// TGT.Assign-Poison: with an erring coordinate or predicate the join of the errors is stored, in every part (D80).
static hy_value poisoned(run *r, const node *n, int part, hy_error error, hy_value value) {
  if (!error) return value;
  used(r, HY_RULE_TGT_ASSIGN_POISON);
  return hy_value_error(hy_func_type(n->place->func, part), join(error, (hy_error)value.error));
}

// TGT.Assign: the cell takes the value; of a tuple the cells of all parts do (TGT.Assign-Parts).
// TGT.Assign-Out: outside Mem, eps_mem fills the buffer (paper, section 5.2).
// TGT.Assign-Poison: with an erring coordinate what is stored goes to every cell that agrees with the ordinary
// coordinates (decisions D4, D12).
void hy_tgt_store(run *r, node *n, const under *u, const hy_value *lhs, const hy_value *values) {
  memory *m = n->place->memory;
  address a = hy_memory_locate(m, lhs);
  hy_error error = join(u->poison, a.error);
  if (r->options->observer && !a.error) observe(r, n, lhs);
  if (n->place->func->more) used(r, HY_RULE_TGT_ASSIGN_PARTS);
  if (!a.inside) {
    if (error) used(r, HY_RULE_TGT_ASSIGN_POISON);
    store_outside(r, n, m, lhs);
    return;
  }
  for (int p = 0; p < hy_func_parts(n->place->func); p++) {
    hy_value value = poisoned(r, n, p, error, values[p]);
    value.undefined = values[p].undefined || a.undefined || u->undefined;
    if (r->options->event_observer)
      tell(r, n, &(hy_tgt_event){HY_EVENT_STORE, n->place->func, p, NULL, NULL, lhs, value});
    store_part(r, n, p, &a, lhs, value);
  }
}

/* -- traces -- */

bool hy_tgt_scope_value(const hy_tgt_scope *scope, const hy_var *var, int64_t *value) {
  for (const node *n = scope->node; n; n = n->parent) {
    bool binds = (n->stmt->kind == HY_STMT_FOR && n->stmt->loop.var == var) ||
                 (n->stmt->kind == HY_STMT_LET && n->stmt->let.var == var);
    if (!binds) continue;
    *value = scope->run->env[n->slot].i;
    return !scope->run->env[n->slot].error;
  }
  return false;
}

static void observe_scope(const run *r, const node *n, const int64_t *min, const int64_t *len) {
  if (r->options->event_observer && min)
    tell(r, n, &(hy_tgt_event){.kind = HY_EVENT_COMPUTE, .func = n->place->func, .min = min, .len = len});
  if (!r->options->scope_observer || r->vector) return;
  r->options->scope_observer(r->options->scope_self, n->stmt, min, len, &(hy_tgt_scope){r, n});
}

bool hy_tgt_scope_cell(const hy_tgt_scope *scope, const hy_func *func, const int64_t *point, hy_value *value) {
  const memory *m = scope->run->places[func->index].memory;
  hy_value coordinates[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) coordinates[d] = hy_value_int(point[d]);
  address a = hy_memory_locate(m, coordinates);
  if (!a.inside) return false;
  *value = hy_memory_get(m, a.offset);
  return !value->undefined && (!m->holds || hy_memory_holds(m, a.offset, coordinates));
}

static void observe_end(const run *r, const node *n) {
  if (r->options->event_observer) tell(r, n, &(hy_tgt_event){.kind = HY_EVENT_COMPUTED, .func = n->place->func});
  if (!r->options->end_observer) return;
  const place *p = n->place;
  r->options->end_observer(r->options->end_self, n->stmt, p->cpu_min, p->cpu_len, &(hy_tgt_scope){r, n});
}

static bool assign(run *r, node *n, const under *u) {
  r->because = ANYTHING;
  const hy_value *out = evaluate(r, &n->code);
  const hy_value *lhs = out + n->code.first;
  if (u->probing) {
    hy_watch_probe(r, n, u, lhs);
    return true;
  }
  used(r, HY_RULE_TGT_ASSIGN);
  if (!hy_tgt_count_point(r, n)) return false;
  if (r->monitor) hy_watch_assignment(r, n, u, out);
  observe_scope(r, n, NULL, NULL);
  hy_tgt_store(r, n, u, lhs, lhs + n->place->func->rank);
  return true;
}

/* -- branches -- */

// TGT.If-User: an erroring predicate is no abort: what it would assign takes the error (decision D12). A false one does
// nothing, even if coordinates are errors; the monitor alone looks at the point that it decided.
static bool branch_user(run *r, node *n, const under *u, hy_value condition, const doubt *doubts) {
  used(r, HY_RULE_TGT_IF_USER);
  bool taken = condition.error || condition.u;
  if (taken && !condition.error && !condition.undefined && doubts == u->doubt) return hy_tgt_execute(r, n->items[0], u);
  hy_error poison = join(u->poison, (hy_error)condition.error);
  under inner = {.poison = poison,
                 .undefined = u->undefined || condition.undefined,
                 .probing = u->probing || !taken,
                 .doubt = doubts};
  if (taken || u->probing) return hy_tgt_execute(r, n->items[0], &inner);
  if (r->monitor) {
    r->load = hy_tgt_load_plainly;
    bool go_on = hy_tgt_execute(r, n->items[0], &inner);
    r->load = hy_tgt_load_watched;
    if (!go_on) return false;
  }
  return n->count < 2 || hy_tgt_execute(r, n->items[1], u);
}

static bool nothing(run *r) {
  r->because = 0;
  return true;
}

static bool refused(run *r, const node *n) {
  r->refused = n;
  return nothing(r);
}

// TGT.If-Guard: an erroring guard ends the run. TGT.If-Specialize: an erroring condition counts as false (D27, D44).
static bool branch_other(run *r, node *n, const under *u, hy_value condition) {
  bool is_guard = n->stmt->branch.why == HY_IF_GUARD;
  used(r, is_guard ? HY_RULE_TGT_IF_GUARD : HY_RULE_TGT_IF_SPECIALIZE);
  if (is_guard && condition.error && !u->probing) {
    hy_text story = {0};
    hy_text_printf(&story, "a guard is the error value %s", hy_error_name((hy_error)condition.error));
    return hy_tgt_break_off(r, n, HY_CONTRACT_BOUNDS_ERROR, &story);
  }
  if (r->monitor && condition.undefined && !is_broken(r)) {
    hy_text story = {0};
    hy_text_printf(&story, "an undefined value decides a %s", is_guard ? "guard" : "specialization");
    hy_tgt_breach(r, n, HY_CONTRACT_UNDEFINED, &story);
  }
  bool holds = hy_value_is_true(condition);
  bool go_on = holds          ? hy_tgt_execute(r, n->items[0], u)
               : n->count < 2 ? refused(r, n)
                              : hy_tgt_execute(r, n->items[1], u);
  r->because |= n->code.depends;
  return go_on;
}

// TGT.Mon-Pieces: a piece begins before the one in front of it has ended, or leaves the loop that it is of.
static void watch_piece(run *r, node *n) {
  if (is_broken(r) || hy_value_is_true(evaluate(r, &n->order)[n->order.first])) return;
  hy_text story = {0};
  used(r, HY_RULE_TGT_MON_PIECES);
  hy_text_add(&story, "a piece begins before the one in front of it has ended, or leaves its loop");
  hy_tgt_breach(r, n, HY_CONTRACT_BOUNDS_ERROR, &story);
}

// TGT.Mon-Pieces: a guard that is left out does not hold.
void hy_watch_implied(run *r, node *n) {
  if (is_broken(r)) return;
  if (hy_value_is_true(evaluate(r, &n->code)[n->code.first])) return;
  hy_text story = {0};
  used(r, HY_RULE_TGT_MON_PIECES);
  hy_text_add(&story, "a guard that is left out does not hold");
  hy_tgt_breach(r, n, HY_CONTRACT_BOUNDS_ERROR, &story);
}

// TGT.If-Implied: nothing happens.
static bool branch_implied(run *r, node *n, const under *u) {
  used(r, HY_RULE_TGT_IF_IMPLIED);
  if (r->monitor && !u->probing) hy_watch_implied(r, n);
  bool go_on = hy_tgt_execute(r, n->items[0], u);
  r->because |= n->code.depends;
  return go_on;
}

static bool branch(run *r, node *n, const under *u) {
  if (n->stmt->branch.why == HY_IF_IMPLIED) return branch_implied(r, n, u);
  const hy_value *out = evaluate(r, &n->code);
  hy_value condition = out[n->code.first];
  if (n->stmt->branch.why != HY_IF_USER) {
    if (r->monitor && !u->probing) hy_watch_deciding(r, n, out);
    return branch_other(r, n, u, condition);
  }
  doubt own = {.contract = HY_CONTRACT_KEPT, .outer = u->doubt};
  if (r->monitor && !u->probing) hy_watch_predicate(r, n, out, &own);
  bool go_on = branch_user(r, n, u, condition, own.contract ? &own : u->doubt);
  r->because = ANYTHING;
  return go_on;
}

/* -- loops -- */

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// An order of 0 .. len-1 that the seed picks: steps of a stride prime to len.
static void pick_order(const run *r, uint64_t len, uint64_t *start, uint64_t *stride) {
  *start = 0;
  *stride = 1;
  if (!r->options->seed || len < 2) return;
  uint64_t mix = (r->options->seed + r->clock) * UINT64_C(0x9e3779b97f4a7c15);
  *start = (mix >> 32) % len;
  *stride = (mix >> 16) % len;
  while (!*stride || common_divisor(*stride, len) != 1) *stride = (*stride + 1) % len;
}

// Begins the next iteration of the innermost parallel loop that is watched.
static bool begin_iteration(run *r) {
  if (r->clock == UINT32_MAX) return hy_tgt_stop(r, HY_RUN_LIMIT);
  r->levels[r->level_count - 1].current = ++r->clock;
  return true;
}

// TGT.For-Parallel: the iterations run one at a time, in any order; the monitor sees what they share.
static bool iterate(run *r, node *n, const under *u, int64_t at, bool watched) {
  bind(r, n->slot, hy_value_int(at));
  return (!watched || begin_iteration(r)) && hy_tgt_count_iteration(r) && hy_tgt_execute(r, n->items[0], u);
}

// Of many iterations in any order the last one comes first: where nothing happens in it, nothing may from some power of
// two on. They are counted, and *len is what is left.
static bool leave_out_the_end(run *r, node *n, const under *u, int64_t min, bool watched, int64_t *len,
                              loop_set *because) {
  tally before = count_so_far(r);
  int64_t last = --*len, busy = FEW_ITERATIONS;
  if (!iterate(r, n, u, min + last, watched)) return false;
  *because |= r->because;
  if (r->because & ANYTHING || !(r->because & n->own)) return true;
  while (busy < last && !hy_tgt_ends_idle(r, n, min + busy, min + last)) busy *= 2;
  if (busy >= last) return true;
  *len = busy;
  return hy_tgt_count_idle(r, (tally){before.iterations, r->clock}, (uint64_t)(last - busy));
}

static bool loop_parallel(run *r, node *n, const under *u, int64_t min, int64_t len) {
  enum { MANY_ITERATIONS = 1 << 12 };
  uint64_t at, stride;
  used(r, HY_RULE_TGT_FOR_PARALLEL);
  bool watched = r->monitor && r->level_count < MAX_LEVELS && !u->probing, go_on = true;
  if (watched) r->levels[r->level_count++] = (level){r->clock + 1, r->clock + 1, n};
  loop_set because = 0;
  if (len >= MANY_ITERATIONS) go_on = leave_out_the_end(r, n, u, min, watched, &len, &because);
  pick_order(r, (uint64_t)len, &at, &stride);
  for (int64_t i = 0; go_on && i < len; i++) {
    tally before = count_so_far(r);
    int64_t this = min + (int64_t)at;
    at += stride;
    if (at >= (uint64_t)len) at -= (uint64_t)len;
    go_on = iterate(r, n, u, this, watched);
    because |= r->because;
    if (!go_on || r->because & (n->own | ANYTHING)) continue;
    go_on = hy_tgt_count_idle(r, before, (uint64_t)(len - 1 - i));
    break;
  }
  if (watched) r->level_count--;
  r->because = because;
  return go_on;
}

// TGT.For: in order. An unrolled loop is a serial one.
static bool loop_serial(run *r, node *n, const under *u, int64_t min, int64_t len) {
  used(r, HY_RULE_TGT_FOR);
  loop_set because = 0;
  bool looked = false;
  for (int64_t i = 0; i < len; i++) {
    tally before = count_so_far(r);
    bind(r, n->slot, hy_value_int(min + i));
    if (!hy_tgt_count_iteration(r) || !hy_tgt_execute(r, n->items[0], u)) return false;
    because |= r->because;
    if (r->because & ANYTHING) continue;
    if (r->because & n->own) {
      if (looked || len - i < FEW_ITERATIONS) continue;
      looked = true;
      if (!hy_tgt_ends_idle(r, n, min + i + 1, min + len - 1)) continue;
    }
    if (!hy_tgt_count_idle(r, before, (uint64_t)(len - 1 - i))) return false;
    break;
  }
  r->because = because;
  return true;
}

static bool loop_as(run *r, node *n, const under *u, int64_t min, int64_t len) {
  switch (n->stmt->loop.traversal) {
  case HY_SERIAL:
  case HY_UNROLLED: return loop_serial(r, n, u, min, len);
  case HY_PARALLEL: return loop_parallel(r, n, u, min, len);
  case HY_VECTORIZED: return hy_tgt_execute_lanes(r, n, min, len, u);
  }
  HY_UNREACHABLE();
}

static bool loop(run *r, node *n, const under *u) {
  int64_t min, len;
  const hy_value *pair = evaluate(r, &n->code) + n->code.first;
  r->because = ANYTHING;
  if (u->probing && (pair[0].error || pair[1].error || pair[1].i < 0)) return true;
  if (!hy_tgt_evaluate_interval(r, n, pair, &min, &len)) return false;
  if (r->monitor && !u->probing) hy_watch_deciding(r, n, n->code.outputs);
  if (r->monitor && !u->probing && n->stmt->loop.piece) watch_piece(r, n);
  if (len == 0 && n->cover) n->cover->excused = true;
  n->executions++;
  bool go_on = loop_as(r, n, u, min, len);
  r->because = without_loop(r->because, n->own) | n->code.depends;
  return go_on;
}

/* -- the rest -- */

// TGT.Constrain: what is proved is not checked; the monitor sees it broken (decisions D43, D63).
static bool check_constraint(run *r, node *n) {
  if (!r->monitor || is_broken(r)) return true;
  used(r, HY_RULE_TGT_CONSTRAIN);
  if (hy_value_is_true(evaluate(r, &n->code)[n->code.first])) return true;
  hy_text story = {0};
  hy_text_printf(&story, "the bounds%s%s are not what they are constrained to", n->stmt->assume.subject ? " of " : "",
                 n->stmt->assume.subject ? n->stmt->assume.subject->name : "");
  hy_tgt_breach(r, n, HY_CONTRACT_BOUNDS_ERROR, &story);
  return true;
}

// TGT.Assume: the run fails unless it is true; an error is not true (decision D27).
bool hy_tgt_check_assumption(run *r, node *n) {
  if (n->stmt->assume.why == HY_ASSUME_CONSTRAIN) return check_constraint(r, n);
  used(r, HY_RULE_TGT_ASSUME);
  const hy_value *values = evaluate(r, &n->code) + n->code.first;
  if (hy_value_is_true(values[0])) return true;
  if (n->tells_need) hy_story_need(r, n, values + 1);
  r->result->failed = n->stmt;
  return hy_tgt_stop(r, HY_RUN_ASSUME);
}

// The body of the pipeline: the output's life goes beyond it (decisions D20, D21).
static bool is_top(const node *n) { return !n->parent; }

// TGT.Alloc-End: an allocation ends with the sequence that holds it (decision D20).
static bool sequence(run *r, node *n, const under *u) {
  loop_set because = 0;
  for (int i = 0; i < n->count; i++) {
    if (!hy_tgt_execute(r, n->items[i], u)) return false;
    because |= r->because;
  }
  r->because = because;
  for (int i = n->count; i-- > 0;) {
    node *item = n->items[i];
    if (item->stmt->kind != HY_STMT_ALLOCATE || !item->is_live) continue;
    used(r, HY_RULE_TGT_ALLOC_END);
    if (hy_alg_output(r->tgt->alg, item->place->func) && is_top(n) && !hy_tgt_take_window(r, item)) return false;
    end_allocation(r, item);
  }
  return true;
}

// Has the iteration before of the loop that it keeps from computed it, too?
static bool keeps(const node *n) {
  if (!n->keeper || !n->place->computed) return false;
  return n->executions == n->keeper->executions;
}

// TGT.Compute: no behaviour of its own (paper, section 5.1); the monitor takes its box for Cpu until the next one.
static bool compute(run *r, node *n, const under *u) {
  used(r, HY_RULE_TGT_COMPUTE);
  bool observed = r->options->scope_observer || r->options->end_observer || r->options->event_observer;
  if (u->probing || (!r->monitor && !observed)) return hy_tgt_execute(r, n->items[0], u);
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  bool kept = keeps(n);
  memcpy(min, n->place->cpu_min, sizeof min);
  memcpy(len, n->place->cpu_len, sizeof len);
  if (!evaluate_box(r, n, n->place->cpu_min, n->place->cpu_len)) return false;
  observe_scope(r, n, n->place->cpu_min, n->place->cpu_len);
  n->place->computed = true;
  n->place->computes++;
  if (n->keeper) n->executions = n->keeper->executions;
  if (r->monitor && !hy_tgt_begin_coverage(r, n)) return hy_tgt_stop(r, HY_RUN_LIMIT);
  if (r->monitor && kept && !hy_tgt_keep_coverage(r, n, min, len)) return false;
  if (!hy_tgt_execute(r, n->items[0], u)) return false;
  r->because = ANYTHING;
  if (r->monitor) hy_tgt_end_coverage(r, n);
  observe_end(r, n);
  return true;
}

// TGT.Let: the value may be an error, or rest on one; it is evaluated once.
static bool let(run *r, node *n, const under *u) {
  used(r, HY_RULE_TGT_LET);
  const hy_value *out = evaluate(r, &n->code);
  if (n->code.site_count && !u->probing) hy_watch_deciding(r, n, out);
  if (n->cover && !out[n->code.first + 1].error && out[n->code.first + 1].i <= 0) n->cover->excused = true;
  bind(r, n->slot, out[n->code.first]);
  bool go_on = hy_tgt_execute(r, n->items[0], u);
  if (n->cover || n->code.depends & ANYTHING) r->because |= n->code.depends;
  return go_on;
}

bool hy_tgt_execute(run *r, node *n, const under *u) {
  r->at = n;
  switch (n->kind) {
  case HY_STMT_NOP: return nothing(r);
  case HY_STMT_ASSUME: r->because = ANYTHING; return u->probing || hy_tgt_check_assumption(r, n);
  case HY_STMT_SEQ: return sequence(r, n, u);
  case HY_STMT_ALLOCATE: r->because = ANYTHING; return u->probing || allocate(r, n);
  case HY_STMT_ASSIGN: return assign(r, n, u);
  case HY_STMT_IF: return branch(r, n, u);
  case HY_STMT_FOR: return loop(r, n, u);
  case HY_STMT_LET: return let(r, n, u);
  case HY_STMT_COMPUTE: return compute(r, n, u);
  case HY_STMT_LABEL: return hy_tgt_execute(r, n->items[0], u);
  }
  HY_UNREACHABLE();
}
