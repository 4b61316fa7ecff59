#include "tgt_interp/literal_internal.h"

#include "tgt_interp/piece_order.h"

/* S, E, M |- one step of a statement: one function per rule of section 4 of the specification, in its order.
 * Lanes are one environment, or those of a vectorized loop; a rule does to each what it does to one.
 */

enum { MOST_LANES = 1 << 12, MOST_TASKS = 1 << 16 };

static bool begin(literal *l, hy_rule rule, const configuration *c) {
  if (!hy_literal_apply(l, rule)) return false;
  hy_literal_trace_step(l, rule, c->stmt, &c->lanes);
  return true;
}

static frame *push(literal *l, configuration *c, frame_kind kind) {
  frame *f = HY_NEW(l->arena, frame);
  *f = (frame){.kind = kind, .stmt = c->stmt, .lanes = c->lanes, .outer = c->context};
  c->context = f;
  return f;
}

lane_list hy_literal_bind_lanes(literal *l, const lane_list *lanes, const hy_var *var, int64_t value) {
  lane *at = HY_NEW_ARRAY(l->arena, lane, lanes->count);
  for (int i = 0; i < lanes->count; i++) {
    at[i] = lanes->at[i];
    at[i].env = hy_literal_bind(l, at[i].env, var, hy_value_int(value));
  }
  return (lane_list){at, lanes->count, lanes->vectorized};
}

/* -- sequences, labels -- */

// TGT.Seq: its statements are what is left to do (tgt_literal.c).
static void sequence(literal *l, configuration *c) {
  hy_context_hit(l->context, HY_RULE_TGT_SEQ);
  bool is_program = c == &l->root && !c->context;
  push(l, c, FRAME_SEQUENCE)->is_program = is_program;
  c->stmt = NULL;
}

// TGT.Nop: nothing.
static void nop(literal *l, configuration *c) {
  hy_context_hit(l->context, HY_RULE_TGT_NOP);
  c->stmt = NULL;
}

// TGT.Label: what it names is what it is.
static void label(literal *l, configuration *c) {
  hy_context_hit(l->context, HY_RULE_TGT_LABEL);
  c->stmt = c->stmt->label.body;
}

/* -- storage -- */

static bool refuse_lanes(literal *l, const configuration *c, const hy_stmt *stmt, const lane *e, const char *what) {
  if (!c->lanes.vectorized) return false;
  hy_text story = {0};
  hy_literal_apply(l, HY_RULE_TGT_MON_LANES);
  hy_text_printf(&story, "%s inside a vectorized loop", what);
  hy_literal_break_off(l, stmt, e, HY_CONTRACT_LANES, &story);
  return true;
}

// TGT.Alloc: fresh memory, arbitrary ordinary values, at each execution (decision D7).
location *hy_literal_allocate(literal *l, const hy_stmt *stmt, const lane_list *lanes) {
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  const hy_func *func = stmt->allocate.func;
  configuration c = {.stmt = stmt, .lanes = *lanes};
  if (!begin(l, HY_RULE_TGT_ALLOC, &c)) return NULL;
  if (refuse_lanes(l, &c, stmt, lanes->at, "an allocation")) return NULL;
  if (!hy_literal_box(l, stmt, lanes->at, func, stmt->allocate.box, min, len)) return NULL;
  return hy_literal_new_location(l, stmt, min, len);
}

/* -- assignments -- */

// TGT.Assign: the loads; what another thread stores before the store that is left pending is not seen (decision D76).
static void assign(literal *l, configuration *c) {
  if (!begin(l, HY_RULE_TGT_ASSIGN, c)) return;
  pending_store *stores = hy_literal_load(l, c->stmt, &c->lanes);
  if (!stores) return;
  push(l, c, FRAME_STORE)->stores = stores;
  c->stmt = NULL;
}

/* -- bindings and branches -- */

// TGT.Let: v may be an error; only what uses x errs.
static void let(literal *l, configuration *c) {
  const hy_stmt *stmt = c->stmt;
  if (!begin(l, HY_RULE_TGT_LET, c)) return;
  lane *at = HY_NEW_ARRAY(l->arena, lane, c->lanes.count);
  for (int i = 0; i < c->lanes.count && !l->stopped; i++) {
    hy_literal_trace_lane(l, &c->lanes, i);
    at[i] = c->lanes.at[i];
    hy_value value = hy_literal_eval(l, &at[i], stmt->let.value);
    hy_literal_watch(l, stmt, &at[i], stmt->let.value);
    at[i].env = hy_literal_bind(l, at[i].env, stmt->let.var, value);
  }
  c->lanes.at = at;
  c->stmt = stmt->let.body;
}

typedef enum { THEN, OTHERWISE, NEITHER } side;

// TGT.If-User: a false predicate does nothing; an erring one poisons what the branch assigns (decision D12).
static side if_user(lane *e, hy_value condition) {
  if (!condition.error && !hy_value_is_true(condition)) return OTHERWISE;
  e->poison = join(e->poison, (hy_error)condition.error);
  e->undefined |= condition.undefined;
  return THEN;
}

// TGT.If-Guard: an erring guard ends the run.
static side if_guard(literal *l, const hy_stmt *stmt, const lane *e, hy_value condition) {
  if (!condition.error) return hy_value_is_true(condition) ? THEN : OTHERWISE;
  hy_text story = {0};
  hy_text_printf(&story, "a guard is the error value %s", hy_error_name((hy_error)condition.error));
  hy_literal_break_off(l, stmt, e, HY_CONTRACT_BOUNDS_ERROR, &story);
  return NEITHER;
}

// TGT.If-Specialize: an erring condition counts as false (decisions D27, D44).
static side if_specialize(hy_value condition) { return hy_value_is_true(condition) ? THEN : OTHERWISE; }

static void watch_condition(literal *l, const hy_stmt *stmt, const lane *e, hy_value condition) {
  hy_literal_watch(l, stmt, e, stmt->branch.condition);
  if (stmt->branch.why == HY_IF_USER || !condition.undefined || !is_watched(l)) return;
  hy_text story = {0};
  hy_literal_apply(l, HY_RULE_TGT_MON_UNDEFINED);
  hy_text_add(&story, "an undefined value decides a guard or a specialization");
  hy_literal_breach(l, stmt, e, HY_CONTRACT_UNDEFINED, &story);
}

static side choose_side(literal *l, const hy_stmt *stmt, lane *e) {
  hy_value condition = hy_literal_eval(l, e, stmt->branch.condition);
  if (l->stopped) return NEITHER;
  watch_condition(l, stmt, e, condition);
  if (stmt->branch.why == HY_IF_USER && condition.undefined) l->result->by_garbage = true;
  switch (stmt->branch.why) {
  case HY_IF_USER: return if_user(e, condition);
  case HY_IF_GUARD:
  case HY_IF_IMPLIED: return if_guard(l, stmt, e, condition);
  case HY_IF_SPECIALIZE: return if_specialize(condition);
  }
  HY_UNREACHABLE();
}

static hy_rule branch_rule(const hy_stmt *stmt) {
  switch (stmt->branch.why) {
  case HY_IF_USER: return HY_RULE_TGT_IF_USER;
  case HY_IF_GUARD: return HY_RULE_TGT_IF_GUARD;
  case HY_IF_IMPLIED: return HY_RULE_TGT_IF_IMPLIED;
  case HY_IF_SPECIALIZE: return HY_RULE_TGT_IF_SPECIALIZE;
  }
  HY_UNREACHABLE();
}

// TGT.If-Implied: nothing happens; a run that is watched sees that the guard does not hold.
static void implied(literal *l, configuration *c) {
  const hy_stmt *stmt = c->stmt;
  if (!begin(l, HY_RULE_TGT_IF_IMPLIED, c)) return;
  for (int i = 0; i < c->lanes.count && !l->stopped && is_watched(l); i++) {
    const lane *e = &c->lanes.at[i];
    hy_value holds = hy_literal_eval(l, e, stmt->branch.condition);
    if (hy_value_is_true(holds) || l->stopped || !hy_literal_apply(l, HY_RULE_TGT_MON_PIECES)) continue;
    hy_text story = {0};
    hy_text_add(&story, "a guard that is left out does not hold");
    hy_literal_breach(l, stmt, e, HY_CONTRACT_BOUNDS_ERROR, &story);
  }
  c->stmt = stmt->branch.then;
}

// Each branch runs once, for the lanes that take it; nothing for no lanes.
static void branch(literal *l, configuration *c) {
  const hy_stmt *stmt = c->stmt;
  if (stmt->branch.why == HY_IF_IMPLIED) {
    implied(l, c);
    return;
  }
  if (!begin(l, branch_rule(stmt), c)) return;
  lane *then = HY_NEW_ARRAY(l->arena, lane, 2 * c->lanes.count), *otherwise = then + c->lanes.count;
  int then_count = 0, otherwise_count = 0;
  for (int i = 0; i < c->lanes.count && !l->stopped; i++) {
    lane e = c->lanes.at[i];
    hy_literal_trace_lane(l, &c->lanes, i);
    switch (choose_side(l, stmt, &e)) {
    case THEN: then[then_count++] = e; break;
    case OTHERWISE: otherwise[otherwise_count++] = e; break;
    case NEITHER: return;
    }
  }
  frame *f = push(l, c, FRAME_OTHERWISE);
  f->stmt = otherwise_count ? stmt->branch.otherwise : NULL;
  f->lanes = (lane_list){otherwise, otherwise_count, c->lanes.vectorized};
  c->stmt = then_count ? stmt->branch.then : NULL;
  c->lanes = (lane_list){then, then_count, c->lanes.vectorized};
}

/* -- loops -- */

// TGT.For: the iterations in order; each is a step of its own (tgt_literal.c). An unrolled loop is a serial one.
static void for_serial(literal *l, configuration *c, int64_t min, int64_t len) {
  frame *f = push(l, c, FRAME_LOOP);
  f->min = min;
  f->len = len;
  c->stmt = NULL;
}

// TGT.For-Parallel: every iteration becomes a thread with its own environment; which one moves is a choice of each
// step.
static void for_parallel(literal *l, configuration *c, int64_t min, int64_t len) {
  if (len > MOST_TASKS) {
    hy_literal_stop(l, HY_RUN_LIMIT);
    return;
  }
  if (!hy_literal_pay(l, (uint64_t)len)) return;
  frame *f = push(l, c, FRAME_TASKS);
  f->min = min;
  f->len = len;
  f->tasks = HY_NEW_ARRAY(l->arena, configuration, len);
  f->order = HY_NEW_ARRAY(l->arena, int, len);
  for (int i = 0; i < (int)len; i++) {
    f->tasks[i].stmt = c->stmt->loop.body;
    f->tasks[i].lanes = hy_literal_bind_lanes(l, &c->lanes, c->stmt->loop.var, min + i);
    f->order[i] = i;
  }
  c->stmt = NULL;
}

// TGT.For-Vector: the body runs once, for a lane per iteration.
static void for_vector(literal *l, configuration *c, int64_t min, int64_t len) {
  if (len > MOST_LANES) {
    hy_literal_stop(l, HY_RUN_LIMIT);
    return;
  }
  if (!hy_literal_pay(l, (uint64_t)len)) return;
  lane *at = HY_NEW_ARRAY(l->arena, lane, len);
  for (int i = 0; i < (int)len; i++) {
    at[i] = c->lanes.at[0];
    at[i].env = hy_literal_bind(l, at[i].env, c->stmt->loop.var, hy_value_int(min + i));
  }
  push(l, c, FRAME_OTHERWISE)->stmt = NULL; // afterwards the lanes are what they were
  c->stmt = len ? c->stmt->loop.body : NULL;
  c->lanes = (lane_list){at, (int)len, true};
}

static hy_rule loop_rule(const configuration *c) {
  if (c->lanes.vectorized) return HY_RULE_TGT_FOR; // inside lanes every loop is serial (decision D38)
  switch (c->stmt->loop.traversal) {
  case HY_SERIAL:
  case HY_UNROLLED: return HY_RULE_TGT_FOR;
  case HY_PARALLEL: return HY_RULE_TGT_FOR_PARALLEL;
  case HY_VECTORIZED: return HY_RULE_TGT_FOR_VECTOR;
  }
  HY_UNREACHABLE();
}

// A piece that is out of order.
static void watch_piece(literal *l, const configuration *c) {
  if (!c->stmt->loop.piece || !is_watched(l) || c->lanes.vectorized) return;
  const hy_expr *order = hy_piece_order(l->context, l->tgt->body, c->stmt);
  if (hy_value_is_true(hy_literal_eval(l, c->lanes.at, order)) || l->stopped) return;
  if (!hy_literal_apply(l, HY_RULE_TGT_MON_PIECES)) return;
  hy_text story = {0};
  hy_text_add(&story, "a piece begins before the one in front of it has ended, or leaves its loop");
  hy_literal_breach(l, c->stmt, c->lanes.at, HY_CONTRACT_BOUNDS_ERROR, &story);
}

static void loop(literal *l, configuration *c) {
  int64_t min = 0, len = 0;
  hy_rule rule = loop_rule(c);
  if (!begin(l, rule, c) || !hy_literal_loop_bounds(l, c->stmt, &c->lanes, &min, &len)) return;
  hy_literal_trace_bounds(l, min, len);
  watch_piece(l, c);
  if (rule == HY_RULE_TGT_FOR_PARALLEL)
    for_parallel(l, c, min, len);
  else if (rule == HY_RULE_TGT_FOR_VECTOR)
    for_vector(l, c, min, len);
  else
    for_serial(l, c, min, len);
}

/* -- contracts in the program -- */

// TGT.Compute: no behaviour of its own (paper, section 5.1); its box is evaluated for its errors if the run is watched.
static void compute(literal *l, configuration *c) {
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  const hy_stmt *stmt = c->stmt;
  if (!begin(l, HY_RULE_TGT_COMPUTE, c)) return;
  if (refuse_lanes(l, c, stmt, c->lanes.at, "a computation")) return;
  if (l->options->monitor && !hy_literal_box(l, stmt, c->lanes.at, stmt->compute.func, stmt->compute.box, min, len))
    return;
  c->stmt = stmt->compute.body;
}

static void constrain(literal *l, const hy_stmt *stmt, const lane *e);

// TGT.Assume: the run fails unless it is true; an error is not true (decision D27).
void hy_literal_assume(literal *l, const hy_stmt *stmt, const lane_list *lanes) {
  if (stmt->assume.why == HY_ASSUME_CONSTRAIN) {
    constrain(l, stmt, lanes->at);
    return;
  }
  if (!hy_literal_apply(l, HY_RULE_TGT_ASSUME)) return;
  hy_literal_trace_step(l, HY_RULE_TGT_ASSUME, stmt, lanes);
  for (int i = 0; i < lanes->count && !l->stopped; i++) {
    hy_literal_trace_lane(l, lanes, i);
    if (hy_value_is_true(hy_literal_eval(l, &lanes->at[i], stmt->assume.condition)) || l->stopped) continue;
    hy_literal_trace_note(l, "the run ends");
    l->result->failed = stmt;
    hy_literal_stop(l, HY_RUN_ASSUME);
  }
}

static void assume(literal *l, configuration *c) {
  hy_literal_assume(l, c->stmt, &c->lanes);
  c->stmt = NULL;
}

// TGT.Constrain: a step that does nothing, since what is proved is not checked; a run that is watched sees it broken
// (decisions D43, D63).
static void constrain(literal *l, const hy_stmt *stmt, const lane *e) {
  if (!hy_literal_apply(l, HY_RULE_TGT_CONSTRAIN)) return;
  hy_literal_trace_step(l, HY_RULE_TGT_CONSTRAIN, stmt, &(lane_list){e, 1, false});
  if (!is_watched(l)) return;
  if (hy_value_is_true(hy_literal_eval(l, e, stmt->assume.condition)) || l->stopped) return;
  hy_text story = {0};
  hy_text_add(&story, "the bounds are not what they are constrained to");
  hy_literal_breach(l, stmt, e, HY_CONTRACT_BOUNDS_ERROR, &story);
}

void hy_literal_reduce(literal *l, configuration *c) {
  switch (c->stmt->kind) {
  case HY_STMT_NOP: nop(l, c); return;
  case HY_STMT_ASSUME: assume(l, c); return;
  case HY_STMT_SEQ: sequence(l, c); return;
  case HY_STMT_ALLOCATE: // by itself: it ends at once
    hy_literal_allocate(l, c->stmt, &c->lanes);
    c->stmt = NULL;
    return;
  case HY_STMT_ASSIGN: assign(l, c); return;
  case HY_STMT_IF: branch(l, c); return;
  case HY_STMT_FOR: loop(l, c); return;
  case HY_STMT_LET: let(l, c); return;
  case HY_STMT_COMPUTE: compute(l, c); return;
  case HY_STMT_LABEL: label(l, c); return;
  }
  HY_UNREACHABLE();
}
