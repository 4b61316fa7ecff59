#include "tgt_interp/literal_internal.h"

#include <stdlib.h>

/* Assignments and bounds. */

static void watch_store(literal *l, const hy_stmt *stmt, const lane *e, const pending_store *s);
static void watch_lanes(literal *l, const hy_stmt *stmt, const lane_list *lanes, const pending_store *stores);
static void refuse_bounds(literal *l, const hy_stmt *stmt, const lane *e);

/* -- assignments -- */

static bool load_lane(literal *l, const hy_stmt *stmt, const lane *e, pending_store *s) {
  for (int d = 0; d < stmt->assign.func->rank; d++) s->at[d] = hy_literal_eval(l, e, stmt->assign.lhs[d]);
  for (int p = 0; p < hy_func_parts(stmt->assign.func); p++)
    s->values[p] = hy_literal_eval(l, e, hy_expr_part(stmt->assign.rhs, p));
  if (l->stopped) return false;
  l->result->points++;
  watch_store(l, stmt, e, s);
  return !l->stopped;
}

// TGT.Assign: all lanes' coordinates and values are evaluated in M; storing them is a step of its own (decisions D45,
// D76).
// TGT.Assign-Parts: of a tuple all its values (decision D80).
pending_store *hy_literal_load(literal *l, const hy_stmt *stmt, const lane_list *lanes) {
  pending_store *stores = HY_NEW_ARRAY(l->arena, pending_store, lanes->count);
  for (int i = 0; i < lanes->count; i++) {
    hy_literal_trace_lane(l, lanes, i);
    if (!load_lane(l, stmt, &lanes->at[i], &stores[i])) return NULL;
  }
  if (lanes->vectorized && is_watched(l)) watch_lanes(l, stmt, lanes, stores);
  return stores;
}

// TGT.Assign-Out: an ordinary coordinate outside Mem fills the buffer with eps_mem (paper, section 5.2).
static void store_outside(literal *l, const hy_stmt *stmt, const lane *e, location *at, const pending_store *s) {
  const hy_func *func = stmt->assign.func;
  hy_literal_apply(l, HY_RULE_TGT_ASSIGN_OUT);
  hy_literal_trace_note(l, "every cell takes eps_mem");
  if (is_watched(l)) {
    hy_text story = {0};
    hy_literal_point(&story, func, s->at);
    hy_text_add(&story, " is written outside Mem");
    hy_literal_breach(l, stmt, e, HY_CONTRACT_WRITE_OUTSIDE, &story);
  }
  for (int p = 0; at && p < hy_func_parts(func); p++)
    hy_literal_fill(l, at, p, NULL, hy_value_error(hy_func_type(func, p), HY_ERROR_MEM));
}

// TGT.Assign-Poison: the join of the poison and of all errors goes to every cell that the ordinary coordinates name
// (D4, D12).
static hy_value poisoned(literal *l, hy_error error, hy_value value) {
  hy_literal_apply(l, HY_RULE_TGT_ASSIGN_POISON);
  return hy_value_error((hy_type)value.type, join(error, (hy_error)value.error));
}

static void observe(literal *l, const hy_stmt *stmt, const pending_store *s) {
  int64_t point[HY_MAX_RANK];
  for (int d = 0; d < stmt->assign.func->rank; d++) point[d] = s->at[d].i;
  l->options->observer(l->options->observer_self, stmt, point);
}

// What one part takes.
static void store_part(literal *l, const hy_stmt *stmt, const lane *e, const pending_store *s, const place *p,
                       int part) {
  const hy_func *func = stmt->assign.func;
  location *at = hy_literal_location(e->env, func);
  hy_error error = join(e->poison, p->error);
  hy_value value = s->values[part];
  if (error) value = poisoned(l, error, value);
  value.undefined = s->values[part].undefined || p->undefined || e->undefined;
  // A breach, whatever else is wrong (decision D77).
  bool is_outside = !p->inside;
  hy_literal_trace_store(l,
                         is_outside ? HY_RULE_TGT_ASSIGN_OUT
                         : error    ? HY_RULE_TGT_ASSIGN_POISON
                                    : HY_RULE_TGT_STORE,
                         func, s->at, value);
  if (is_outside && part == 0)
    store_outside(l, stmt, e, at, s);
  else if (p->error && !is_outside)
    hy_literal_fill(l, at, part, s->at, value);
  else if (!is_outside)
    hy_literal_put(at, part, s->at, value); // TGT.Store: M[f(c) := v]
}

// Each part takes its own value.
static void store_lane(literal *l, const hy_stmt *stmt, const lane *e, const pending_store *s) {
  const hy_func *func = stmt->assign.func;
  place p = hy_literal_locate(hy_literal_location(e->env, func), func->rank, s->at);
  if (l->options->observer && !p.error) observe(l, stmt, s);
  if (func->more) hy_literal_apply(l, HY_RULE_TGT_ASSIGN_PARTS);
  for (int part = 0; part < hy_func_parts(func) && !l->stopped; part++) store_part(l, stmt, e, s, &p, part);
}

// TGT.Store: in the order of the lanes.
void hy_literal_store(literal *l, const hy_stmt *stmt, const lane_list *lanes, const pending_store *stores) {
  for (int i = 0; i < lanes->count && !l->stopped; i++) store_lane(l, stmt, &lanes->at[i], &stores[i]);
}

/* -- bounds -- */

static void name_bound(hy_text *out, const hy_stmt *stmt, int dim, const char *part) {
  hy_text_printf(out, "the %s of ", part);
  if (stmt->kind == HY_STMT_FOR) {
    hy_text_add(out, "loop ");
    hy_var_print(stmt->loop.var, out);
    return;
  }
  const hy_func *func = stmt->kind == HY_STMT_COMPUTE ? stmt->compute.func : stmt->allocate.func;
  hy_text_printf(out, "%s(%s) in %s", stmt->kind == HY_STMT_COMPUTE ? "Cpu" : "Mem", func->name, func->dims[dim]);
}

static void refuse_length(literal *l, const hy_stmt *stmt, const lane *e, int dim, int64_t len, bool break_off) {
  hy_text story = {0};
  name_bound(&story, stmt, dim, "length");
  hy_text_printf(&story, " is %lld", (long long)len);
  (break_off ? hy_literal_break_off : hy_literal_breach)(l, stmt, e, HY_CONTRACT_BOUNDS_ERROR, &story);
}

// One bound; an error ends the run (paper, section 5.2).
static bool evaluate_bound(literal *l, const hy_stmt *stmt, const lane *e, const hy_expr *expr, int dim,
                           const char *part, int64_t *bound) {
  hy_value value = hy_literal_eval(l, e, expr);
  hy_text story = {0};
  if (l->stopped) return false;
  if (value.error) {
    name_bound(&story, stmt, dim, part);
    hy_text_printf(&story, " is the error value %s", hy_error_name((hy_error)value.error));
    hy_literal_break_off(l, stmt, e, HY_CONTRACT_BOUNDS_ERROR, &story);
    return false;
  }
  if (is_watched(l) && value.undefined) {
    hy_literal_apply(l, HY_RULE_TGT_MON_UNDEFINED);
    hy_text_add(&story, "an undefined value reaches ");
    name_bound(&story, stmt, dim, part);
    hy_literal_breach(l, stmt, e, HY_CONTRACT_UNDEFINED, &story);
  }
  hy_literal_watch(l, stmt, e, expr);
  *bound = value.i;
  return !l->stopped;
}

// TGT.For-Neg: a negative length and an end beyond 64 bits (D78) are errors, never an empty loop; so is an erring
// bound.
static bool check_length(literal *l, const hy_stmt *stmt, const lane *e, int64_t min, int64_t len) {
  int64_t end;
  if (len >= 0 && !__builtin_add_overflow(min, len, &end)) return true;
  hy_literal_apply(l, HY_RULE_TGT_FOR_NEG);
  hy_literal_trace_note(l, "[TGT.For-Neg] the run ends");
  refuse_length(l, stmt, e, 0, len, true);
  return false;
}

bool hy_literal_loop_bounds(literal *l, const hy_stmt *stmt, const lane_list *lanes, int64_t *min, int64_t *len) {
  for (int i = 0; i < lanes->count; i++) {
    const lane *e = &lanes->at[i];
    int64_t lane_min, lane_len;
    hy_literal_trace_lane(l, lanes, i);
    if (!evaluate_bound(l, stmt, e, stmt->loop.interval.min, 0, "minimum", &lane_min) ||
        !evaluate_bound(l, stmt, e, stmt->loop.interval.len, 0, "length", &lane_len) ||
        !check_length(l, stmt, e, lane_min, lane_len))
      return false;
    if (i > 0 && (lane_min != *min || lane_len != *len)) {
      refuse_bounds(l, stmt, e);
      return false;
    }
    *min = lane_min;
    *len = lane_len;
  }
  return true;
}

bool hy_literal_box(literal *l, const hy_stmt *stmt, const lane *e, const hy_func *func, const hy_interval *box,
                    int64_t *min, int64_t *len) {
  for (int d = 0; d < func->rank; d++) {
    if (!evaluate_bound(l, stmt, e, box[d].min, d, "minimum", &min[d]) ||
        !evaluate_bound(l, stmt, e, box[d].len, d, "length", &len[d]))
      return false;
    if (len[d] >= 0) continue;
    if (is_watched(l)) refuse_length(l, stmt, e, d, len[d], false);
    len[d] = 0;
  }
  return true;
}

/* -- what the monitor sees -- */

static void watch_store(literal *l, const hy_stmt *stmt, const lane *e, const pending_store *s) {
  int rank = stmt->assign.func->rank;
  bool undefined = false;
  for (int d = 0; d < rank; d++) {
    undefined |= s->at[d].undefined;
    hy_literal_watch(l, stmt, e, stmt->assign.lhs[d]);
  }
  hy_literal_watch(l, stmt, e, stmt->assign.rhs);
  if (!undefined || !is_watched(l)) return;
  hy_text story = {0};
  hy_literal_apply(l, HY_RULE_TGT_MON_UNDEFINED);
  hy_literal_point(&story, stmt->assign.func, s->at);
  hy_text_add(&story, " is written at an undefined address");
  hy_literal_breach(l, stmt, e, HY_CONTRACT_UNDEFINED, &story);
}

static bool same_cell(const location *at, int rank, const pending_store *a, const pending_store *b) {
  for (int d = 0; d < rank; d++)
    if (a->at[d].error || b->at[d].error) return false;
  return hy_literal_share(at, rank, a->at, b->at);
}

// TGT.Mon-Lanes: two lanes never write one cell.
static void watch_lanes(literal *l, const hy_stmt *stmt, const lane_list *lanes, const pending_store *stores) {
  const hy_func *func = stmt->assign.func;
  for (int i = 0; i < lanes->count; i++)
    for (int k = 0; k < i && is_watched(l); k++) {
      if (!same_cell(hy_literal_location(lanes->at[i].env, func), func->rank, &stores[i], &stores[k])) continue;
      hy_text story = {0};
      hy_literal_apply(l, HY_RULE_TGT_MON_LANES);
      hy_text_add(&story, "two lanes write ");
      hy_literal_point(&story, func, stores[i].at);
      hy_literal_breach(l, stmt, &lanes->at[i], HY_CONTRACT_LANES, &story);
    }
}

static void refuse_bounds(literal *l, const hy_stmt *stmt, const lane *e) {
  hy_text story = {0};
  hy_literal_apply(l, HY_RULE_TGT_MON_LANES);
  hy_text_add(&story, "the lanes have different bounds for the inner loop ");
  hy_var_print(stmt->loop.var, &story);
  hy_literal_break_off(l, stmt, e, HY_CONTRACT_LANES, &story);
}
