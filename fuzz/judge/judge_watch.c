// Who watches the monitor? Runs of programs that break their contract: the pair's own with one statement changed, on an
// input where the pair itself is right. What the literal evaluator sees, the monitor of the fast one must see
// (decisions D7, D45, D51, D63); what the literal one does not watch is broken by construction: coverage, Cpu, races
// (D38, D55, D56).

#include "fuzz/change/rebuild.h"
#include "fuzz/judge/judge_internal.h"

#include "engines/generator.h"
#include "semantics/base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WATCHED_ONE_IN = 16, RARE = 6, LITERAL_STEPS = 6000, FAR = 1000, MOST_LANES = 8, SMALL = 1 << 20 };

typedef struct {
  hy_judging *g;
  uint64_t seed;
  const hy_stmt *body;
  const hy_func *output;
  HY_VEC(const hy_stmt *) all; // statements, outermost first
} watch;

static void collect(watch *w, const hy_stmt *stmt) {
  hy_vec_push(&w->all, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect(w, children[i]);
}

static hy_context *context_of(const watch *w) { return w->g->context; }
static const hy_expr *number(const watch *w, int64_t i) { return hy_expr_int(context_of(w), i); }

static const hy_stmt *replace(const watch *w, const hy_stmt *from, const hy_stmt *to) {
  return hy_rebuild(context_of(w), w->body, from, to);
}

typedef bool question(const watch *w, const hy_stmt *stmt);

// One of the statements that the answer is yes for; NULL if there is none.
static const hy_stmt *pick(const watch *w, question *good) {
  for (size_t i = 0; i < w->all.count; i++) {
    const hy_stmt *stmt = w->all.data[(w->seed + i) % w->all.count];
    if (good(w, stmt)) return stmt;
  }
  return NULL;
}

/* -- changes that the literal evaluator sees -- */

static bool is_loop(const watch *w, const hy_stmt *s) { return (void)w, s->kind == HY_STMT_FOR; }
static bool is_box(const watch *w, const hy_stmt *s) {
  (void)w;
  return (s->kind == HY_STMT_ALLOCATE && s->allocate.func->rank) ||
         (s->kind == HY_STMT_COMPUTE && s->compute.func->rank);
}
static bool is_guard(const watch *w, const hy_stmt *s) {
  return (void)w, s->kind == HY_STMT_IF && s->branch.why == HY_IF_GUARD;
}
static bool is_constraint(const watch *w, const hy_stmt *s) {
  return (void)w, s->kind == HY_STMT_ASSUME && s->assume.why == HY_ASSUME_CONSTRAIN;
}
static bool is_stage(const watch *w, const hy_stmt *s) {
  return (void)w, s->kind == HY_STMT_LABEL && s->label.what == HY_LABEL_STAGE;
}
static bool is_allocation(const watch *w, const hy_stmt *s) {
  return (void)w, s->kind == HY_STMT_ALLOCATE && s->allocate.func->rank;
}
static bool is_compute(const watch *w, const hy_stmt *s) { return (void)w, s->kind == HY_STMT_COMPUTE; }

static bool is_short(const hy_stmt *loop, int64_t least) {
  int64_t len;
  return hy_expr_is_int(loop->loop.interval.len, &len) && len >= least && len <= MOST_LANES;
}
static bool is_short_reduction(const watch *w, const hy_stmt *s) {
  return is_loop(w, s) && !s->loop.is_pure && is_short(s, 2) && s->loop.body->kind != HY_STMT_FOR;
}
static bool is_short_outer(const watch *w, const hy_stmt *s) {
  return is_loop(w, s) && s->loop.body->kind == HY_STMT_FOR && is_short(s, 2) && s->loop.traversal != HY_VECTORIZED &&
         s->loop.body->loop.traversal != HY_VECTORIZED;
}

static const hy_stmt *loop_with(const watch *w, const hy_stmt *loop, hy_traversal traversal, hy_interval interval) {
  return hy_stmt_for(context_of(w), loop->loop.var, loop->loop.is_pure, traversal, interval, loop->loop.body);
}

static const hy_stmt *box_with(const watch *w, const hy_stmt *s, int dim, hy_interval interval) {
  bool allocates = s->kind == HY_STMT_ALLOCATE;
  const hy_func *func = allocates ? s->allocate.func : s->compute.func;
  const hy_interval *old = allocates ? s->allocate.box : s->compute.box;
  hy_interval *box = HY_NEW_ARRAY(hy_context_arena(context_of(w)), hy_interval, func->rank);
  memcpy(box, old, sizeof *box * (size_t)func->rank);
  box[dim] = interval;
  return allocates ? hy_stmt_allocate_as(context_of(w), func, box, s->allocate.plan)
                   : hy_stmt_compute_keeping(context_of(w), func, box, s->compute.keep, s->compute.body);
}

static hy_interval interval_of(const hy_stmt *s, int dim) {
  return s->kind == HY_STMT_ALLOCATE ? s->allocate.box[dim] : s->compute.box[dim];
}

static const hy_stmt *compute_of(const watch *w, const hy_func *func) {
  for (size_t i = 0; i < w->all.count; i++)
    if (w->all.data[i]->kind == HY_STMT_COMPUTE && w->all.data[i]->compute.func == func) return w->all.data[i];
  HY_UNREACHABLE();
}

static const hy_stmt *without_stages(const watch *w, const hy_stmt *compute) {
  return hy_stmt_compute(context_of(w), compute->compute.func, compute->compute.box, hy_stmt_nop(context_of(w)));
}

// D51: a length of -1.
static const hy_stmt *negative_loop(const watch *w) {
  const hy_stmt *loop = pick(w, is_loop);
  hy_interval wrong = {number(w, 0), number(w, -1)};
  return loop ? replace(w, loop, loop_with(w, loop, loop->loop.traversal, wrong)) : NULL;
}

static const hy_stmt *negative_box(const watch *w) {
  const hy_stmt *box = pick(w, is_box);
  hy_interval wrong = {number(w, 0), number(w, -1)};
  return box ? replace(w, box, box_with(w, box, 0, wrong)) : NULL;
}

// D63: memory that ends one earlier; half of the time nobody writes there, so that a read is the first to leave it.
static const hy_stmt *short_memory(const watch *w) {
  const hy_stmt *s = pick(w, is_allocation);
  if (!s) return NULL;
  int dim = (int)((w->seed >> 24) % (uint64_t)s->allocate.func->rank);
  hy_interval i = s->allocate.box[dim];
  i.len = hy_index_sub(context_of(w), i.len, number(w, 1));
  const hy_stmt *body = replace(w, s, box_with(w, s, dim, i));
  if (w->seed >> 40 & 1) return body;
  const hy_stmt *compute = compute_of(w, s->allocate.func);
  return hy_rebuild(context_of(w), body, compute, without_stages(w, compute));
}

// A guard that divides by zero.
static const hy_stmt *wrong_guard(const watch *w) {
  const hy_stmt *s = pick(w, is_guard);
  if (!s) return NULL;
  const hy_expr *zero = number(w, 0), *error = hy_expr_binary(context_of(w), HY_OP_DIV, number(w, 1), zero);
  const hy_expr *condition = hy_expr_binary(context_of(w), HY_OP_LT, error, number(w, 3));
  return replace(w, s, hy_stmt_if(context_of(w), HY_IF_GUARD, condition, s->branch.then, s->branch.otherwise));
}

// D43: a constraint that does not hold.
static const hy_stmt *wrong_constraint(const watch *w) {
  const hy_stmt *s = pick(w, is_constraint);
  if (!s) return NULL;
  return replace(
      w, s, hy_stmt_assume(context_of(w), HY_ASSUME_CONSTRAIN, s->assume.subject, hy_expr_bool(context_of(w), false)));
}

// D7: a stage is left out, and what it should have written is garbage; or all of them are.
static const hy_stmt *no_stage(const watch *w) {
  const hy_stmt *s = pick(w, is_stage);
  if (!s) return NULL;
  return replace(w, s, hy_stmt_nop(context_of(w)));
}

static const hy_stmt *no_stages(const watch *w) {
  const hy_stmt *s = pick(w, is_compute);
  return replace(w, s, without_stages(w, s));
}

// D45, D38: iterations that build on each other, or write one cell, as lanes.
static const hy_stmt *wrong_lanes(const watch *w) {
  const hy_stmt *loop = pick(w, is_short_reduction);
  return loop ? replace(w, loop, loop_with(w, loop, HY_VECTORIZED, loop->loop.interval)) : NULL;
}

// D45: lanes with other bounds for an inner loop each.
static const hy_stmt *wrong_bounds(const watch *w) {
  const hy_stmt *loop = pick(w, is_short_outer);
  if (!loop) return NULL;
  const hy_stmt *inner = loop->loop.body;
  hy_interval i = inner->loop.interval;
  i.min = hy_index_add(context_of(w), i.min, hy_expr_var(context_of(w), loop->loop.var));
  const hy_stmt *moved = loop_with(w, inner, inner->loop.traversal, i);
  return replace(
      w, loop,
      hy_stmt_for(context_of(w), loop->loop.var, loop->loop.is_pure, HY_VECTORIZED, loop->loop.interval, moved));
}

/* -- comparing -- */

static hy_tgt_result run(const watch *w, const hy_tgt *tgt, uint64_t seed, bool literal) {
  hy_tgt_options options = {.mode = HY_LAZY, .monitor = true, .seed = seed};
  options.step_limit = literal ? LITERAL_STEPS : HY_RUN_STEPS;
  hy_tgt_result result;
  (literal ? hy_tgt_run_literal : hy_tgt_run)(context_of(w), tgt, &w->g->input, &options, &result);
  return result;
}

static bool is_at_window(const hy_tgt_result *r) { return r->where && r->where->kind == HY_STMT_ALLOCATE; }

// Where memory was spoilt by a write outside (TGT.Assign-Out), do both say so?
static bool same_ruins(const hy_buffer *a, const hy_buffer *b) {
  for (; a && b; a = a->next, b = b->next)
    for (size_t i = 0; i < a->count; i++)
      if ((a->errors && a->errors[i] == HY_ERROR_MEM) != (b->errors && b->errors[i] == HY_ERROR_MEM)) return false;
  return true;
}

static const char *compare(const hy_tgt_result *fast, const hy_tgt_result *literal) {
  hy_difference difference = {0};
  // The garbage of the two differs: where it decides a predicate, whatever an update does may happen in one alone.
  bool by_garbage = literal->by_garbage;
  if (literal->status == HY_RUN_CONTRACT && fast->status == HY_RAN && !by_garbage)
    return "the monitor misses what the literal one sees";
  bool both = literal->status == HY_RUN_CONTRACT && fast->status == HY_RUN_CONTRACT;
  if (both && !by_garbage && is_at_window(fast) && literal->where && literal->where->kind == HY_STMT_ASSIGN)
    return "the monitor sees in the window only what the literal one sees before";
  if (both && literal->contract == HY_CONTRACT_WRITE_OUTSIDE && fast->contract == HY_CONTRACT_WRITE_OUTSIDE &&
      !same_ruins(fast->output, literal->output))
    return "a write outside of memory does not spoil it in both";
  if (literal->status != HY_RAN || !literal->output) return NULL;
  if (fast->status == HY_RUN_CONTRACT &&
      (fast->contract == HY_CONTRACT_BOUNDS_ERROR || (fast->contract == HY_CONTRACT_LANES && !by_garbage)))
    return "the literal one misses what the monitor sees";
  if (fast->status == HY_RAN) hy_compare(literal->output, fast->output, true, &difference);
  return difference.differs ? "the outputs differ" : NULL;
}

// "bound": the pair is right as far as to the bound that was changed, which is the first thing that is wrong.
static const char *judge_runs(const watch *w, const hy_tgt *tgt, bool bound) {
  hy_tgt_result fast = run(w, tgt, 0, false);
  const char *broken = NULL;
  if (bound && fast.status == HY_RUN_CONTRACT && fast.contract != HY_CONTRACT_BOUNDS_ERROR)
    broken = "the monitor misses a bound that is wrong";
  if (!broken && fast.status != HY_RUN_LIMIT && !(bound && fast.status == HY_RUN_CONTRACT)) {
    hy_tgt_result literal = run(w, tgt, 0, true);
    broken = compare(&fast, &literal);
    hy_tgt_result_free(&literal);
  }
  hy_tgt_result_free(&fast);
  return broken;
}

static const char *judge_both(const watch *w, const hy_tgt *tgt) { return judge_runs(w, tgt, false); }
static const char *judge_bound(const watch *w, const hy_tgt *tgt) { return judge_runs(w, tgt, true); }

/* -- contracts that are broken by construction -- */

static bool is_specialized(const watch *w) { // then what is broken may be what no run comes to
  for (size_t i = 0; i < w->all.count; i++)
    if (w->all.data[i]->kind == HY_STMT_IF && w->all.data[i]->branch.why == HY_IF_SPECIALIZE) return true;
  return false;
}

static const hy_stmt *assignment(const watch *w, const hy_func *func) { // of the pure stage
  for (size_t i = 0; i < w->all.count; i++) {
    const hy_stmt *s = w->all.data[i];
    if (s->kind == HY_STMT_ASSIGN && s->assign.func == func && s->assign.stage == 0) return s;
  }
  HY_UNREACHABLE();
}

// D55: Cpu(output) is far larger than its loops.
static const hy_stmt *far_cpu(const watch *w) {
  if (!w->output->rank) return NULL;
  const hy_stmt *s = compute_of(w, w->output);
  int dim = (int)((w->seed >> 24) % (uint64_t)w->output->rank);
  hy_interval i = interval_of(s, dim);
  i.len = hy_index_add(context_of(w), i.len, number(w, FAR));
  return replace(w, s, box_with(w, s, dim, i));
}

// A func that is read, at coordinates that are no errors.
typedef struct {
  const hy_func *self, *found;
  bool nested, plain;
  uint64_t countdown;
} read_search;

static void see_coordinate(void *self, const hy_expr *node) {
  read_search *r = self;
  int64_t constant;
  if (hy_expr_is_int(node, &constant) && (constant < -SMALL || constant > SMALL))
    r->plain = false; // a sum with it may leave 64 bits, and then nothing is read
  bool sum = node->kind == HY_EXPR_OP && node->count == 2 &&
             (hy_op_kind_of(node->op) == HY_KIND_RING || hy_op_kind_of(node->op) == HY_KIND_EXTREMUM);
  if (node->kind != HY_EXPR_VAR && node->kind != HY_EXPR_CONST && !sum) r->plain = false;
}

static void see_access(void *self, const hy_expr *node) {
  read_search *r = self;
  if (node->kind != HY_EXPR_ACCESS) return;
  if (r->nested) {
    read_search inside = *r;
    inside.nested = false;
    for (int i = 0; i < node->count; i++) hy_expr_visit(node->args[i], see_access, &inside);
    if (inside.found) r->found = inside.found;
    return;
  }
  if (node->func->is_image || !node->count || node->func == r->self) return;
  r->plain = true;
  for (int i = 0; i < node->count; i++) hy_expr_visit(node->args[i], see_coordinate, r);
  if (!r->plain) return;
  if (!r->found || r->countdown-- == 0) r->found = node->func;
}

static const hy_func *read_by_output(const watch *w, bool nested) {
  read_search r = {.self = w->output, .nested = nested, .countdown = w->seed >> 24 & 3};
  hy_expr_visit(assignment(w, w->output)->assign.rhs, see_access, &r);
  return r.found;
}

static const hy_stmt *empty_cpu(const watch *w, const hy_func *func) {
  const hy_stmt *s = compute_of(w, func);
  hy_interval i = interval_of(s, 0);
  i.len = number(w, 0);
  return box_with(w, s, 0, i);
}

// D56: the output reads a func of which nothing is computed.
static const hy_stmt *empty_producer(const watch *w) {
  const hy_func *func = read_by_output(w, false);
  return func ? replace(w, compute_of(w, func), empty_cpu(w, func)) : NULL;
}

// D63: even where nothing of the output is asked for, what forms its addresses must be computed.
static const hy_stmt *empty_both(const watch *w) {
  const hy_func *func = w->output->rank ? read_by_output(w, true) : NULL;
  if (!func) return NULL;
  const hy_stmt *body = replace(w, compute_of(w, func), empty_cpu(w, func));
  watch other = {.g = w->g, .seed = w->seed, .body = body, .output = w->output};
  collect(&other, body);
  body = replace(&other, compute_of(&other, w->output), empty_cpu(&other, w->output));
  hy_vec_free(&other.all);
  return body;
}

// D7: what forms an address is garbage.
static const hy_stmt *garbage_address(const watch *w) {
  const hy_func *func = read_by_output(w, true);
  if (!func) return NULL;
  const hy_stmt *s = compute_of(w, func);
  return replace(w, s, without_stages(w, s));
}

/* -- races -- */

// The assignment in a loop, if every iteration comes to it: through loops of constant length alone.
static const hy_stmt *assigned_in(const hy_stmt *loop) {
  const hy_stmt *s = loop->loop.body;
  while (s->kind == HY_STMT_FOR && is_short(s, 1)) s = s->loop.body;
  return s->kind == HY_STMT_ASSIGN ? s : NULL;
}

static bool writes_one_cell(const hy_stmt *loop) {
  const hy_stmt *s = assigned_in(loop);
  for (int d = 0; s && d < s->assign.func->rank; d++)
    if (hy_expr_mentions(s->assign.lhs[d], loop->loop.var)) return false;
  return s != NULL;
}

typedef struct {
  const hy_stmt *assign;
  const hy_var *var;
  bool found;
} before_search;

static void see_before(before_search *b, const hy_expr *node) {
  if (node->kind != HY_EXPR_ACCESS || node->func != b->assign->assign.func) return;
  bool before = true, moved = false;
  for (int d = 0; d < node->count; d++) {
    const hy_expr *at = node->args[d], *place = b->assign->assign.lhs[d];
    int64_t one;
    bool is_before = at->kind == HY_EXPR_OP && at->op == HY_OP_SUB && at->args[0] == place &&
                     place->kind == HY_EXPR_VAR && place->var == b->var && hy_expr_is_int(at->args[1], &one) &&
                     one == 1;
    moved |= is_before;
    before &= is_before || (at == place && !hy_expr_mentions(place, b->var));
  }
  b->found |= before && moved;
}

// Where every iteration comes to: what select, && and || may leave out is not looked at.
static void look_before(before_search *b, const hy_expr *expr) {
  see_before(b, expr);
  int count = expr->kind == HY_EXPR_OP && hy_op_is_lazy(expr->op) ? 1 : expr->count;
  for (int i = 0; i < count && !b->found; i++) look_before(b, expr->args[i]);
}

static bool reads_before(const hy_stmt *loop) { // what the iteration before has written
  before_search b = {assigned_in(loop), loop->loop.var, false};
  if (b.assign) look_before(&b, b.assign->assign.rhs);
  return b.found;
}

// Does the stage of a reduction loop run at all? All its reduction loops do.
static bool is_run(const watch *w, const hy_stmt *loop) {
  const hy_var *v = loop->loop.var;
  for (size_t i = 0; i < w->all.count; i++) {
    const hy_stmt *s = w->all.data[i];
    bool same = is_loop(w, s) && s->loop.var->func == v->func && s->loop.var->stage == v->stage;
    if (same && !s->loop.is_pure && !is_short(s, 1)) return false;
  }
  return true;
}

static bool is_racing(const watch *w, const hy_stmt *s) {
  return is_loop(w, s) && !s->loop.is_pure && is_short(s, 2) && s->loop.var->func == w->output && is_run(w, s) &&
         (writes_one_cell(s) || reads_before(s));
}

// D38: iterations that write one cell, or read what the one before has written, in parallel.
static const hy_stmt *race(const watch *w) {
  const hy_stmt *loop = pick(w, is_racing);
  return loop ? replace(w, loop, loop_with(w, loop, HY_PARALLEL, loop->loop.interval)) : NULL;
}

static bool is_scan(const watch *w, const hy_stmt *s) {
  return is_loop(w, s) && !s->loop.is_pure && is_short(s, 2) && reads_before(s);
}

// D45: all lanes load before one stores.
static const hy_stmt *scan_in_lanes(const watch *w) {
  const hy_stmt *loop = pick(w, is_scan);
  return loop ? replace(w, loop, loop_with(w, loop, HY_VECTORIZED, loop->loop.interval)) : NULL;
}

static const char *judge_broken(const watch *w, const hy_tgt *tgt) {
  if (is_specialized(w)) return NULL;
  hy_tgt_result fast = run(w, tgt, 0, false);
  bool missed = fast.status == HY_RAN;
  hy_tgt_result_free(&fast);
  return missed ? "the monitor misses a contract that is broken by construction" : NULL;
}

static const char *judge_address(const watch *w, const hy_tgt *tgt) {
  if (is_specialized(w)) return NULL;
  hy_tgt_result fast = run(w, tgt, 0, false);
  bool missed = fast.status == HY_RAN || (fast.status == HY_RUN_CONTRACT && is_at_window(&fast));
  hy_tgt_result_free(&fast);
  return missed ? "the monitor misses an address that lies outside of Cpu" : NULL;
}

// What lies outside of Mem, where a user's bound does not hold, is nothing at all.
static bool is_garbage(const hy_tgt_result *r) {
  return r->status == HY_RUN_CONTRACT && r->contract == HY_CONTRACT_UNDEFINED;
}

// D7: what nobody writes is arbitrary.
static const char *judge_garbage(const watch *w, const hy_tgt *tgt) {
  hy_tgt_result a = run(w, tgt, w->seed | 1, false), b = run(w, tgt, hy_splitmix(w->seed, 9) | 1, false);
  bool same = is_garbage(&a) && is_garbage(&b) && a.output && b.output &&
              a.output->count * hy_type_bytes(a.output->type) >= 8 &&
              memcmp(a.output->data, b.output->data, a.output->count * hy_type_bytes(a.output->type)) == 0;
  hy_tgt_result_free(&a);
  hy_tgt_result_free(&b);
  return same ? "fresh memory holds the same twice" : NULL;
}

static const hy_stmt *no_output(const watch *w) {
  const hy_stmt *s = compute_of(w, w->output);
  return replace(w, s, without_stages(w, s));
}

/* -- all -- */

static const struct {
  const char *rule;
  const hy_stmt *(*change)(const watch *w);
  const char *(*judge)(const watch *w, const hy_tgt *tgt);
} changes[] = {
    {"monitor: address", empty_both, judge_address}, // what few pairs have place for
    {"monitor: race", race, judge_broken},
    {"monitor: lanes", scan_in_lanes, judge_both},
    {"monitor: lanes", wrong_lanes, judge_both},
    {"monitor: undefined address", garbage_address, judge_both},
    {"monitor: constraint", wrong_constraint, judge_bound},
    {"monitor: length", negative_loop, judge_bound},
    {"monitor: length", negative_box, judge_bound},
    {"monitor: Mem", short_memory, judge_both},
    {"monitor: guard", wrong_guard, judge_bound},
    {"monitor: undefined", no_stage, judge_both},
    {"monitor: undefined", no_stages, judge_both},
    {"monitor: bounds of lanes", wrong_bounds, judge_both},
    {"monitor: coverage", far_cpu, judge_broken},
    {"monitor: Cpu", empty_producer, judge_broken},
    {"monitor: garbage", no_output, judge_garbage},
};

void hy_judging_watch(hy_judging *g) {
  if (g->c->seed % WATCHED_ONE_IN != 9 || hy_found_is_failure(g->j->found)) return;
  const hy_tgt *filled = g->pipeline.filled;
  watch w = {.g = g, .seed = hy_splitmix(g->c->seed, 840), .body = filled->body, .output = filled->alg->output};
  collect(&w, w.body);
  hy_tgt changed = *filled;
  changed.body = NULL;
  size_t which = 0;
  for (uint64_t attempt = 0; attempt < 6 && !changed.body; attempt++) {
    which = hy_splitmix(w.seed, attempt) % (attempt < 4 ? RARE : HY_COUNT(changes));
    changed.body = changes[which].change(&w);
  }
  const char *broken = changed.body ? changes[which].judge(&w, &changed) : NULL;
  if (broken && hy_judging_find(g, HY_FOUND_DISAGREE, changes[which].rule, broken)) hy_judging_blame(g, 0);
  hy_vec_free(&w.all);
}
