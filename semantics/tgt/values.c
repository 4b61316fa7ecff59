#include "semantics/tgt/values.h"

#include "semantics/base/vec.h"
#include "semantics/tgt/counted.h"
#include "semantics/tgt/defined.h"
#include "semantics/tgt/value_ends.h"

#include <string.h>

enum { ROUNDS = 3 }; // of widening; what has not settled then leaps

typedef struct {
  bool forms_address, is_known[HY_MAX_PARTS], is_counted[HY_MAX_PARTS];
  hy_range range[HY_MAX_PARTS];         // of each part, where it is known
  const hy_expr *ends[HY_MAX_PARTS][2]; // by what is known at entry, the lower and the upper one; or NULL
} value;

struct hy_values {
  size_t count;
  value *at;                    // by func->index; funcs only
  const hy_value_claim *claims; // of what is counted
  size_t claim_count;
};

typedef struct {
  hy_context *context;
  const hy_tgt *tgt;
  hy_values *values;
  hy_ranges *ranges;
  HY_VEC(const hy_stmt *) assigns;
  HY_VEC(hy_wide_int) times; // by position in assigns: how often it writes one point of a computation
  HY_VEC(hy_value_claim) claims;
  HY_VEC(const hy_stmt *) loops;
  HY_VEC(const hy_stmt *) path; // from the body down to where collect is
  bool marked;                  // a func more, in this round
  bool of_floats;
} search;

bool hy_value_forms_address(const hy_values *values, const hy_func *func) {
  return !func->is_image && func->index < values->count && values->at[func->index].forms_address;
}

bool hy_value_range(const hy_values *values, const hy_func *func, int part, hy_range *range) {
  if (!values || func->is_image || func->index >= values->count || !values->at[func->index].is_known[part])
    return false;
  *range = values->at[func->index].range[part];
  return true;
}

const hy_expr *hy_value_end(const hy_values *values, const hy_func *func, int part, bool upper) {
  if (!values || func->is_image || func->index >= values->count) return NULL;
  return values->at[func->index].ends[part][upper];
}

bool hy_value_is_bounded(const hy_values *values, const hy_func *func, int part) {
  hy_range range;
  if (hy_value_range(values, func, part, &range)) return true;
  return hy_value_end(values, func, part, false) || hy_value_end(values, func, part, true);
}

const hy_value_claim *hy_value_claims(const hy_values *values, size_t *count) {
  *count = values->claim_count;
  return values->claims;
}

bool hy_value_is_counted(const hy_values *values, const hy_func *func, int part) {
  return func->index < values->count && values->at[func->index].is_counted[part];
}

/* -- whose values form an address -- */

static void mark(void *self, const hy_expr *access) {
  search *s = self;
  value *v = access->func->is_image ? NULL : &s->values->at[access->func->index];
  if (!v || v->forms_address) return;
  v->forms_address = s->marked = true;
}

static void mark_inside(void *self, const hy_expr *access) {
  for (int i = 0; i < access->count; i++)
    if (access->args[i]->has_access) hy_expr_visit_accesses(access->args[i], mark, self);
}

static void mark_all(search *s) {
  for (size_t i = 0; i < s->assigns.count; i++) {
    const hy_stmt *a = s->assigns.data[i];
    for (int d = 0; d < a->assign.func->rank; d++)
      if (a->assign.lhs[d]->has_access) hy_expr_visit_accesses(a->assign.lhs[d], mark, s);
    if (a->assign.rhs->has_access) hy_expr_visit_accesses(a->assign.rhs, mark_inside, s);
  }
  for (bool first = true; first || s->marked; first = false) { // and what their values are made of
    s->marked = false;
    for (size_t i = s->assigns.count; i-- > 0;) {
      const hy_stmt *a = s->assigns.data[i];
      if (s->values->at[a->assign.func->index].forms_address) hy_expr_visit_accesses(a->assign.rhs, mark, s);
    }
  }
}

// Stages are looked through from their func's computation on.
static void collect_assign(search *s, const hy_stmt *assign) {
  size_t top = s->path.count;
  while (top > 0 && !(s->path.data[top - 1]->kind == HY_STMT_COMPUTE &&
                      s->path.data[top - 1]->compute.func == assign->assign.func))
    top--;
  const hy_stmt *const *below = s->path.data + top;
  hy_wide_int times = HY_RANGE_LIMIT;
  if (top && assign->assign.stage)
    times = hy_times_at_a_point(s->context, s->ranges, below, s->path.count - top, assign);
  hy_vec_push(&s->assigns, assign);
  hy_vec_push(&s->times, times);
}

// The assignments in order; loops and lets are made known on the way.
static void collect(search *s, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  if (stmt->kind == HY_STMT_FOR) {
    hy_ranges_bind_loop(s->ranges, stmt->loop.var, stmt->loop.interval);
    hy_vec_push(&s->loops, stmt);
  }
  if (stmt->kind == HY_STMT_LET) hy_ranges_bind_let(s->ranges, stmt->let.var, stmt->let.value);
  if (stmt->kind == HY_STMT_ASSIGN) collect_assign(s, stmt);
  if (stmt->kind == HY_STMT_IF && stmt->branch.condition->has_access)
    hy_expr_visit_accesses(stmt->branch.condition, mark_inside, s);
  hy_vec_push(&s->path, stmt);
  if (stmt->kind == HY_STMT_SEQ)
    for (int i = 0; i < stmt->seq.count; i++) collect(s, stmt->seq.items[i]);
  else
    for (int i = 0, count = hy_stmt_children(stmt, &children, room); i < count; i++) collect(s, children[i]);
  s->path.count--;
}

/* -- their ranges -- */

static bool has_numbers(const search *s, hy_type type) {
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) return s->of_floats;
  return type != HY_BOOL && type != HY_U64 && hy_type_is_integral(type);
}

// What the assignments of a func store of a part, those of the pure stage alone or all of them.
static hy_range stored(search *s, const hy_func *func, int part, bool updates) {
  hy_range range = {.low = HY_RANGE_LIMIT, .high = -HY_RANGE_LIMIT};
  for (size_t i = 0; i < s->assigns.count; i++) {
    const hy_stmt *a = s->assigns.data[i];
    if (a->assign.func != func || (a->assign.stage > 0 && !updates)) continue;
    const hy_expr *value = hy_machine_value(s->context, s->ranges, hy_expr_part(a->assign.rhs, part));
    range = hy_range_joined(range, hy_ranges_of(s->ranges, value));
  }
  return range;
}

// An end that still moves leaps as far as fills look: whether updates go on from there is asked once more.
static hy_range leapt(hy_range range, hy_range moved, hy_range type) {
  if (moved.low < range.low) range.low = type.low > -HY_SMALL_LIMIT ? type.low : -HY_SMALL_LIMIT;
  if (moved.high > range.high) range.high = type.high < HY_SMALL_LIMIT ? type.high : HY_SMALL_LIMIT;
  range.or_nan |= moved.or_nan;
  return range;
}

typedef enum { WIDENED, LEAPT, NARROWED, ASKED } phase;

// Parts may move each other's ends: as many rounds of a leap, and of coming back, as there are parts.
static phase phase_of(int round, int parts) {
  if (round < ROUNDS) return WIDENED;
  return round < ROUNDS + parts ? LEAPT : round < ROUNDS + 2 * parts ? NARROWED : ASKED;
}

static void move(value *v, int part, phase phase, hy_range pure, hy_range all, hy_range type) {
  hy_range *range = &v->range[part];
  switch (phase) {
  case WIDENED: *range = hy_range_joined(*range, all); return;
  case LEAPT: *range = leapt(*range, all, type); return;
  case NARROWED: *range = hy_range_joined(pure, all); return;
  case ASKED: v->is_known[part] = hy_range_is_within(all, *range); return;
  }
}

// What each part's range becomes, by what all stages store with the ranges as they are. Has all come to rest?
static bool step(search *s, const hy_func *func, const hy_range *pure, phase phase) {
  value *v = &s->values->at[func->index];
  hy_range all[HY_MAX_PARTS];
  bool rests = phase != NARROWED;
  int parts = hy_func_parts(func) < HY_MAX_PARTS ? hy_func_parts(func) : HY_MAX_PARTS; // gcc sees it so
  hy_ranges_forget(s->ranges);
  for (int p = 0; p < parts; p++) all[p] = stored(s, func, p, true);
  for (int p = 0; p < parts; p++) {
    if (!v->is_known[p]) continue;
    rests &= hy_range_is_within(all[p], v->range[p]);
    move(v, p, phase, pure[p], all[p], hy_type_numbers(hy_func_type(func, p)));
  }
  return rests;
}

// Induction: the range of the pure stage, widened by what updates store until that is in it. What goes on leaps, and comes
// back to what is stored then; a part that does not settle has its type's range, and the others are asked once more.
static void settle(search *s, const hy_func *func) {
  value *v = &s->values->at[func->index];
  hy_range pure[HY_MAX_PARTS];
  for (int p = 0; p < hy_func_parts(func); p++) {
    v->range[p] = pure[p] = stored(s, func, p, false);
    // each func has a pure stage; a spoilt program may not
    v->is_known[p] = has_numbers(s, hy_func_type(func, p)) && pure[p].low <= pure[p].high;
  }
  int parts = hy_func_parts(func), rounds = ROUNDS + 3 * parts + 1; // each of the last ones takes a part away
  for (int round = 0; round < rounds && !step(s, func, pure, phase_of(round, parts)); round++) continue;
  hy_ranges_forget(s->ranges);
  for (int p = 0; p < hy_func_parts(func); p++) // no news
    v->is_known[p] &= !hy_range_is_within(hy_type_numbers(hy_func_type(func, p)), v->range[p]);
}

/* -- what is counted -- */

static void claim(search *s, const hy_stmt *assign, int part, const hy_expr *value, bool is_amount, hy_range range) {
  hy_vec_push(&s->claims, (hy_value_claim){assign, part, value, is_amount, range});
}

typedef struct {
  search *search;
  const hy_stmt *assign;
  int part;
} claimant;

static void claim_amount(void *self, const hy_expr *amount, hy_range range) {
  claimant *c = self;
  claim(c->search, c->assign, c->part, amount, true, range);
}

// Of one assignment: does it add, or store what the func has no part in? Joins what it stores, and what it may change.
static bool count_one(search *s, size_t number, int part, hy_range *base, hy_range *change) {
  const hy_stmt *a = s->assigns.data[number];
  hy_range step;
  const hy_expr *stored = hy_expr_part(a->assign.rhs, part);
  if (a->assign.stage && hy_grows_by(s->context, s->ranges, a, part, NULL, NULL, &step)) {
    *change = hy_range_joined(*change, hy_range_times(step, s->times.data[number]));
    return true;
  }
  *base = hy_range_joined(*base, hy_ranges_of(s->ranges, hy_machine_value(s->context, s->ranges, stored)));
  return !hy_expr_reads(stored, a->assign.func);
}

// Any value is one that was stored, and what the stages added since: of the copies of a stage one runs (lemma 8.1).
static bool count_all(search *s, const hy_func *func, int part, hy_range *base, hy_range *range) {
  *base = hy_range_between(HY_RANGE_LIMIT, -HY_RANGE_LIMIT);
  hy_range all = {.low = 0, .high = 0};
  int stages = hy_tgt_stage_count(s->tgt, func);
  for (int stage = 0; stage < stages; stage++) {
    hy_range change = {.low = 0, .high = 0};
    for (size_t i = 0; i < s->assigns.count; i++) {
      const hy_stmt *a = s->assigns.data[i];
      bool is_own = a->assign.func == func && a->assign.stage == stage;
      if (is_own && !count_one(s, i, part, base, &change)) return false;
    }
    all = hy_range_between(all.low + change.low, all.high + change.high);
  }
  *range = hy_range_between(base->low + all.low, base->high + all.high);
  return base->low <= base->high;
}

static void claim_all(search *s, const hy_func *func, int part, hy_range base) {
  for (size_t i = 0; i < s->assigns.count; i++) {
    const hy_stmt *a = s->assigns.data[i];
    hy_range step;
    claimant self = {s, a, part};
    if (a->assign.func != func) continue;
    if (a->assign.stage && hy_grows_by(s->context, s->ranges, a, part, NULL, NULL, &step))
      hy_grows_by(s->context, s->ranges, a, part, claim_amount, &self, &step);
    else
      claim(s, a, part, hy_machine_value(s->context, s->ranges, hy_expr_part(a->assign.rhs, part)), false, base);
  }
}

// A part that induction says nothing of. Nothing wraps on the way: each sum lies between the ends, which fit the type.
static void count_part(search *s, const hy_func *func, int part) {
  value *v = &s->values->at[func->index];
  hy_range base, range, type = hy_type_numbers(hy_func_type(func, part));
  bool has_range = !v->is_known[part] && hy_type_class_of(hy_func_type(func, part)) != HY_CLASS_FLOAT &&
                   has_numbers(s, hy_func_type(func, part)) && hy_tgt_stage_count(s->tgt, func) > 1;
  if (!has_range || !count_all(s, func, part, &base, &range)) return;
  if (!hy_range_is_within(range, type) || hy_range_is_within(type, range)) return;
  v->is_known[part] = v->is_counted[part] = true;
  v->range[part] = range;
  claim_all(s, func, part, base);
  hy_ranges_forget(s->ranges);
}

/* -- ends by what is known at entry -- */

// Of what all stages store; what updates read of their own point is as it was found.
static const hy_expr *end_of_part(search *s, const hy_func *func, int part, bool upper) {
  hy_value_ends e = {s->context, s->ranges, s->values, func, part, s->loops.data, s->loops.count};
  hy_value_end_found all = {true, NULL};
  for (size_t i = 0; i < s->assigns.count && all.is_known; i++) {
    const hy_stmt *a = s->assigns.data[i];
    if (a->assign.func != func) continue;
    const hy_expr *stored = hy_machine_value(s->context, s->ranges, hy_expr_part(a->assign.rhs, part));
    all = hy_value_ends_joined(s->context, all, hy_value_end_of(&e, stored, upper), upper);
  }
  return all.is_known && hy_value_end_says_more(all.end) ? all.end : NULL;
}

static void end_all_parts(search *s, const hy_func *func) {
  value *v = &s->values->at[func->index];
  if (s->of_floats) return; // nobody proves those
  for (int p = 0; p < hy_func_parts(func); p++)
    for (int upper = 0; upper < 2; upper++)
      if (has_numbers(s, hy_func_type(func, p))) v->ends[p][upper] = end_of_part(s, func, p, upper);
}

// In the order of definition producers come first; in that of the text what is computed inside of an update does not.
static void settle_all(search *s) {
  for (int i = 0; i < s->tgt->func_count; i++) {
    const hy_func *func = s->tgt->funcs[i];
    if (!s->values->at[func->index].forms_address) continue;
    settle(s, func);
    for (int p = 0; p < hy_func_parts(func); p++) count_part(s, func, p);
    end_all_parts(s, func);
  }
}

hy_values *hy_values_none(hy_context *context, size_t count) {
  hy_arena *arena = hy_context_arena(context);
  hy_values *values = HY_NEW(arena, hy_values);
  values->count = count;
  values->at = HY_NEW_ARRAY(arena, value, count);
  memset(values->at, 0, sizeof *values->at * count);
  return values;
}

void hy_values_learn(hy_values *values, const hy_func *func, hy_range range) {
  HY_ASSERT(func->index < values->count);
  values->at[func->index] = (value){.is_known = {true}, .range = {range}};
}

void hy_values_unlearn(hy_values *values, const hy_func *func) { values->at[func->index].is_known[0] = false; }

static const hy_values *values_of(hy_context *context, const hy_tgt *in_pieces, bool of_floats) {
  const hy_tgt *tgt = hy_tgt_whole(context, in_pieces);
  hy_values *values = hy_values_none(context, hy_tgt_symbols(tgt));
  search s = {.context = context, .tgt = tgt, .values = values, .ranges = hy_ranges_new(), .of_floats = of_floats};
  if (of_floats) hy_ranges_follow_floats(s.ranges);
  hy_ranges_use_values(s.ranges, values);
  hy_ranges_assume_entry(s.ranges, tgt);
  collect(&s, tgt->body);
  mark_all(&s);
  settle_all(&s);
  hy_value_claim *claims = HY_NEW_ARRAY(hy_context_arena(context), hy_value_claim, s.claims.count);
  if (s.claims.count) memcpy(claims, s.claims.data, sizeof *claims * s.claims.count);
  values->claims = claims;
  values->claim_count = s.claims.count;
  hy_vec_free(&s.claims);
  hy_ranges_free(s.ranges);
  hy_vec_free(&s.assigns);
  hy_vec_free(&s.times);
  hy_vec_free(&s.path);
  hy_vec_free(&s.loops);
  return values;
}

const hy_values *hy_values_of(hy_context *context, const hy_tgt *tgt) { return values_of(context, tgt, false); }
const hy_values *hy_values_of_floats(hy_context *context, const hy_tgt *tgt) { return values_of(context, tgt, true); }
