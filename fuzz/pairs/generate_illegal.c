// Schedules that must be refused. What makes a directive illegal is read off the program here, from the paper and the
// decisions, without asking sched/: a rule that has been dropped there still has somebody to miss it.

#include "fuzz/pairs/generate.h"

#include "semantics/base/vec.h"

#include <string.h>

typedef struct {
  hy_choices *c;
  hy_context *context;
  const hy_tgt *tgt;
  HY_VEC(const hy_stmt *) loops, allocations, computes;
  hy_directive *out;
  int *count;
} planter;

static void collect(planter *p, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) hy_vec_push(&p->loops, stmt);
  if (stmt->kind == HY_STMT_ALLOCATE) hy_vec_push(&p->allocations, stmt);
  if (stmt->kind == HY_STMT_COMPUTE) hy_vec_push(&p->computes, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect(p, children[i]);
}

static bool holds(const hy_stmt *root, const hy_stmt *inner) {
  if (root == inner) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(root, &children, room);
  for (int i = 0; i < count; i++)
    if (holds(children[i], inner)) return true;
  return false;
}

static int pick(planter *p, size_t below) { return (int)hy_choose(p->c, below); }

// A loop that the question is yes for; NULL if there is none.
static const hy_stmt *pick_loop(planter *p, bool (*good)(const hy_stmt *loop)) {
  size_t first = p->loops.count ? (size_t)pick(p, p->loops.count) : 0;
  for (size_t i = 0; i < p->loops.count; i++) {
    const hy_stmt *loop = p->loops.data[(first + i) % p->loops.count];
    if (good(loop)) return loop;
  }
  return NULL;
}

static bool add(planter *p, hy_directive d) {
  p->out[(*p->count)++] = d;
  return true;
}

static const char *name(planter *p, const char *text) { return hy_context_name_of(p->context, text); }
static const hy_expr *number(planter *p, int64_t i) { return hy_expr_int(p->context, i); }

static hy_directive split(planter *p, const hy_var *loop, const char *outer, const char *inner, int64_t factor,
                          hy_tail tail) {
  return (hy_directive){.type = &hy_directive_split,
                        .loop = loop,
                        .names = {name(p, outer), name(p, inner)},
                        .args = {number(p, factor)},
                        .tail = tail};
}

static bool traverse(planter *p, const hy_var *loop, hy_traversal traversal) {
  return add(p, (hy_directive){.type = &hy_directive_traverse, .loop = loop, .traversal = traversal});
}

/* -- questions about loops -- */

static bool is_any(const hy_stmt *loop) { return loop->kind == HY_STMT_FOR; }
static bool is_update(const hy_stmt *loop) { return loop->loop.var->stage > 0; }
static bool is_reduction(const hy_stmt *loop) { return !loop->loop.is_pure; }
static bool is_inside(const hy_stmt *loop) { return loop->loop.body->kind == HY_STMT_FOR; }
static bool is_not_nested(const hy_stmt *loop) { return !is_inside(loop); }
static bool is_pure_reduction(const hy_stmt *loop) {
  return is_inside(loop) && loop->loop.is_pure != loop->loop.body->loop.is_pure;
}
static bool is_two_reductions(const hy_stmt *loop) {
  return is_inside(loop) && !loop->loop.is_pure && !loop->loop.body->loop.is_pure;
}
// A loop as lowering made it, over a dimension whose extent is not a constant: no factor but 1 divides it for sure.
static bool is_open(const hy_stmt *loop) {
  return loop->loop.is_pure && loop->loop.var->stage == 0 && loop->loop.interval.len->kind == HY_EXPR_HOLE;
}

/* -- what is illegal -- */

static bool plant_factor(planter *p) { // D34: at least 1
  const hy_stmt *loop = pick_loop(p, is_any);
  return loop && add(p, split(p, loop->loop.var, "a1", "a2", -pick(p, 3), HY_TAIL_GUARD));
}

static bool plant_one_name(planter *p) { // section 8.2: two new names
  const hy_stmt *loop = pick_loop(p, is_any);
  return loop && add(p, split(p, loop->loop.var, "a1", "a1", 2, HY_TAIL_GUARD));
}

static bool plant_live_name(planter *p) { // lemma 6.1: names of loops of one stage copy are unique
  const hy_stmt *a = pick_loop(p, is_any), *b = pick_loop(p, is_any);
  if (!a || a == b || a->loop.var->func != b->loop.var->func || a->loop.var->stage != b->loop.var->stage ||
      a->loop.var->spec != b->loop.var->spec)
    return false;
  return add(p, split(p, a->loop.var, b->loop.var->name, "a2", 2, HY_TAIL_GUARD));
}

static bool plant_tail(planter *p) { // D32: an update must not run twice
  const hy_stmt *loop = pick_loop(p, is_update);
  if (!loop) return false;
  hy_tail tail = pick(p, 2) ? HY_TAIL_ROUND : HY_TAIL_SHIFT;
  return add(p, split(p, loop->loop.var, "a1", "a2", 2 + pick(p, 3), tail));
}

// The names of a parameter, an image, a func or a dimension, and words of the language.
static bool plant_taken_name(planter *p) {
  const hy_stmt *loop = pick_loop(p, is_any);
  if (!loop) return false;
  const hy_alg *alg = p->tgt->alg;
  const hy_func *f = loop->loop.var->func;
  const char *taken[5] = {"root", "s1", alg->output->name};
  int count = 3;
  if (alg->param_count) taken[count++] = alg->params[0]->name;
  if (alg->image_count) taken[count++] = alg->images[0]->name;
  for (int d = 0; d < f->rank; d++)
    if (f->dims[d] != loop->loop.var->name && pick(p, 3) == 0)
      return add(p, split(p, loop->loop.var, f->dims[d], "a2", 2, HY_TAIL_GUARD));
  return add(p, split(p, loop->loop.var, "a1", taken[pick(p, (size_t)count)], 2, HY_TAIL_GUARD));
}

static bool plant_split_traversed(planter *p) { // split before the traversal is chosen
  const hy_stmt *loop = pick_loop(p, is_any);
  if (!loop) return false;
  traverse(p, loop->loop.var, loop->loop.is_pure ? HY_PARALLEL : HY_UNROLLED);
  return add(p, split(p, loop->loop.var, "a1", "a2", 2, HY_TAIL_GUARD));
}

static bool plant_unknown_loop(planter *p) {
  const hy_stmt *loop = pick_loop(p, is_any);
  if (!loop) return false;
  const hy_var *v = loop->loop.var;
  return traverse(p, hy_var_loop(p->context, v->func, v->spec, v->stage, name(p, "nosuch")), HY_PARALLEL);
}

static bool plant_swap_alone(planter *p) { // D36: immediately nested
  const hy_stmt *loop = pick_loop(p, is_not_nested);
  return loop && add(p, (hy_directive){.type = &hy_directive_swap, .loop = loop->loop.var});
}

static bool plant_swap_reductions(planter *p) { // D36: their order is part of the meaning
  const hy_stmt *loop = pick_loop(p, is_two_reductions);
  return loop && add(p, (hy_directive){.type = &hy_directive_swap, .loop = loop->loop.var});
}

static bool plant_fuse(planter *p, bool (*good)(const hy_stmt *loop)) {
  const hy_stmt *loop = pick_loop(p, good);
  if (!loop) return false;
  const char *inner = is_inside(loop) ? loop->loop.body->loop.var->name : name(p, "nosuch");
  return add(p, (hy_directive){.type = &hy_directive_fuse, .loop = loop->loop.var, .names = {inner, name(p, "a1")}});
}
static bool plant_fuse_mixed(planter *p) { return plant_fuse(p, is_pure_reduction); } // D36
static bool plant_fuse_alone(planter *p) { return plant_fuse(p, is_not_nested); }     // D36

static bool plant_fuse_other(planter *p) { // D36: the loop inside is another one
  const hy_stmt *loop = pick_loop(p, is_inside);
  if (!loop) return false;
  const hy_stmt *below = loop->loop.body->loop.body;
  const char *inner = below->kind == HY_STMT_FOR ? below->loop.var->name : name(p, "nosuch");
  return add(p, (hy_directive){.type = &hy_directive_fuse, .loop = loop->loop.var, .names = {inner, name(p, "a1")}});
}

static bool plant_fuse_traversed(planter *p) { // fused before the traversal is chosen
  const hy_stmt *loop = pick_loop(p, is_inside);
  if (!loop) return false;
  const hy_stmt *inner = loop->loop.body, *one = pick(p, 2) ? loop : inner;
  traverse(p, one->loop.var, one->loop.is_pure ? HY_PARALLEL : HY_UNROLLED);
  return add(p, (hy_directive){.type = &hy_directive_fuse,
                               .loop = loop->loop.var,
                               .names = {inner->loop.var->name, name(p, "a1")}});
}

static const hy_var *sibling(planter *p, const hy_var *loop, const char *text) { // of the same stage copy
  return hy_var_loop(p->context, loop->func, loop->spec, loop->stage, name(p, text));
}

// D37: what comes of reduction loops is a reduction loop.
static bool plant_parallel_half(planter *p) {
  const hy_stmt *loop = pick_loop(p, is_reduction);
  if (!loop) return false;
  add(p, split(p, loop->loop.var, "a1", "a2", 2, HY_TAIL_GUARD));
  return traverse(p, sibling(p, loop->loop.var, pick(p, 2) ? "a1" : "a2"), HY_PARALLEL);
}

static bool plant_parallel_fused(planter *p) {
  const hy_stmt *loop = pick_loop(p, is_two_reductions);
  if (!loop) return false;
  add(p, (hy_directive){.type = &hy_directive_fuse,
                        .loop = loop->loop.var,
                        .names = {loop->loop.body->loop.var->name, name(p, "a1")}});
  return traverse(p, sibling(p, loop->loop.var, "a1"), HY_PARALLEL);
}

static bool plant_parallel_unrolled(planter *p) {
  const hy_stmt *loop = pick_loop(p, is_reduction);
  if (!loop) return false;
  traverse(p, loop->loop.var, HY_UNROLLED);
  return traverse(p, loop->loop.var, HY_PARALLEL);
}

static bool plant_parallel_reduction(planter *p) { // D37
  const hy_stmt *loop = pick_loop(p, is_reduction);
  return loop && traverse(p, loop->loop.var, pick(p, 2) ? HY_PARALLEL : HY_VECTORIZED);
}

static bool plant_parallel_shift(planter *p) { // D33: the last block of a shift overlaps the one before
  const hy_stmt *loop = pick_loop(p, is_open);
  if (!loop) return false;
  const hy_var *v = loop->loop.var;
  add(p, split(p, v, "a1", "a2", 2 + pick(p, 6), HY_TAIL_SHIFT));
  return traverse(p, hy_var_loop(p->context, v->func, v->spec, v->stage, name(p, "a1")), HY_PARALLEL);
}

static bool plant_nested_vectors(planter *p) { // D38
  const hy_stmt *loop = pick_loop(p, is_inside);
  if (!loop || !loop->loop.is_pure || !loop->loop.body->loop.is_pure) return false;
  traverse(p, loop->loop.var, HY_VECTORIZED);
  return traverse(p, loop->loop.body->loop.var, pick(p, 2) ? HY_VECTORIZED : HY_PARALLEL);
}

// D38: a concurrent loop that holds the computation of a func but not its storage, or either inside of vector lanes.
static bool plant_race(planter *p) {
  const hy_stmt *loop = pick_loop(p, is_any);
  if (!loop || !loop->loop.is_pure) return false;
  for (size_t i = 0; i < p->computes.count; i++) {
    if (!holds(loop, p->computes.data[i])) continue;
    bool stored_inside = false;
    for (size_t k = 0; k < p->allocations.count; k++)
      stored_inside |= p->allocations.data[k]->allocate.func == p->computes.data[i]->compute.func &&
                       holds(loop, p->allocations.data[k]);
    return traverse(p, loop->loop.var, stored_inside || pick(p, 2) ? HY_VECTORIZED : HY_PARALLEL);
  }
  return false;
}

static const hy_func *pick_func(planter *p) { return p->tgt->funcs[pick(p, (size_t)p->tgt->func_count)]; }

static bool plant_output_moved(planter *p) { // D39
  const hy_stmt *loop = pick_loop(p, is_any);
  return loop && add(p, (hy_directive){.type = pick(p, 2) ? &hy_directive_compute_at : &hy_directive_store_at,
                                       .func = p->tgt->alg->output,
                                       .loop = loop->loop.var});
}

static bool plant_own_loop(planter *p) { // section 8.3: a computation does not enclose itself
  const hy_stmt *loop = pick_loop(p, is_any);
  if (!loop || loop->loop.var->func == p->tgt->alg->output) return false;
  return add(p, (hy_directive){.type = &hy_directive_compute_at, .func = loop->loop.var->func, .loop = loop->loop.var});
}

typedef struct {
  const hy_func *func;
  bool found;
} reader;

static void see_node(void *self, const hy_expr *node) {
  reader *r = self;
  r->found |= node->kind == HY_EXPR_ACCESS && node->func == r->func;
}

static void find_reader(const hy_stmt *stmt, reader *r) {
  if (stmt->kind == HY_STMT_ASSIGN) {
    hy_expr_visit(stmt->assign.rhs, see_node, r);
    for (int d = 0; d < stmt->assign.func->rank; d++) hy_expr_visit(stmt->assign.lhs[d], see_node, r);
  }
  if (stmt->kind == HY_STMT_IF) hy_expr_visit(stmt->branch.condition, see_node, r);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) find_reader(children[i], r);
}

static bool plant_away_from_readers(planter *p) { // lemma 6.2: a computation dominates every reader
  const hy_stmt *loop = pick_loop(p, is_any);
  reader r = {pick_func(p), false};
  if (!loop || r.func == p->tgt->alg->output || loop->loop.var->func == r.func) return false;
  find_reader(loop, &r);
  if (r.found) return false;
  return add(p, (hy_directive){.type = &hy_directive_compute_at, .func = r.func, .loop = loop->loop.var});
}

static bool plant_stored_elsewhere(planter *p) { // section 8.4: storage encloses the computation
  const hy_stmt *loop = pick_loop(p, is_any);
  if (!loop || !p->computes.count) return false;
  const hy_stmt *compute = p->computes.data[pick(p, p->computes.count)];
  if (compute->compute.func == p->tgt->alg->output || holds(loop, compute)) return false;
  return add(p, (hy_directive){.type = &hy_directive_store_at, .func = compute->compute.func, .loop = loop->loop.var});
}

static bool plant_bounds(planter *p, const hy_directive_type *type, int64_t a, int64_t b) {
  const hy_func *func = pick_func(p);
  return func->rank &&
         add(p,
             (hy_directive){
                 .type = type, .func = func, .dim = pick(p, (size_t)func->rank), .args = {number(p, a), number(p, b)}});
}

static bool plant_length(planter *p) {
  int64_t len = -1 - pick(p, 3);
  return plant_bounds(p, &hy_directive_bound, pick(p, 5), len);
}

static bool plant_extent(planter *p) { return plant_bounds(p, &hy_directive_bound_extent, -1 - pick(p, 3), 0); }

static bool plant_align(planter *p) {
  int64_t modulus = pick(p, 5) - 1; // below 1, or a remainder that is none
  return plant_bounds(p, &hy_directive_align_bounds, modulus, modulus < 1 ? 0 : pick(p, 2) ? modulus : -1);
}

static bool plant_two_bounds(planter *p) { // D43
  if (!plant_bounds(p, &hy_directive_bound, pick(p, 5), 4)) return false;
  hy_directive other = p->out[*p->count - 1];
  other.args[pick(p, 2)] = number(p, 9);
  return add(p, other);
}

// D43: a multiple of 3 that is 4, or begins at 4.
static bool plant_unaligned_bound(planter *p) {
  bool length = pick(p, 2);
  if (!plant_bounds(p, &hy_directive_bound, length ? 3 : 4, length ? 4 : 6)) return false;
  hy_directive other = p->out[*p->count - 1];
  other.type = &hy_directive_align_bounds;
  other.args[0] = number(p, 3);
  other.args[1] = number(p, 0);
  return add(p, other);
}

static bool plant_two_alignments(planter *p) { // D43: odd and even
  int64_t modulus = 2 + 2 * pick(p, 2);
  if (!plant_bounds(p, &hy_directive_align_bounds, 6, 1 + 2 * pick(p, 3))) return false;
  hy_directive other = p->out[*p->count - 1];
  other.args[0] = number(p, modulus);
  other.args[1] = number(p, 2 * pick(p, (size_t)modulus / 2));
  return add(p, other);
}

// NULL: there is no parameter of type int first.
static const hy_expr *condition(planter *p) {
  const hy_alg *alg = p->tgt->alg;
  if (!alg->param_count || alg->params[0]->type != HY_INT) return NULL;
  const hy_expr *value = number(p, pick(p, 3));
  return hy_expr_binary(p->context, HY_OP_EQ, hy_expr_var(p->context, alg->params[0]), value);
}

static bool plant_specialized_twice(planter *p) { // section 8.1
  const hy_expr **conditions = HY_NEW_ARRAY(hy_context_arena(p->context), const hy_expr *, 2);
  conditions[0] = condition(p), conditions[1] = condition(p);
  if (!conditions[0]) return false;
  hy_directive d = {
      .type = &hy_directive_specialize, .func = pick_func(p), .conditions = conditions, .condition_count = 1};
  add(p, d);
  d.conditions = conditions + 1;
  return add(p, d);
}

static bool plant_output_planned(planter *p) { // the output lies in memory as its caller has it
  const hy_func *f = p->tgt->alg->output;
  return f->rank >= 2 && add(p, (hy_directive){.type = &hy_directive_reorder_storage,
                                               .func = f,
                                               .dims = {f->rank - 1, pick(p, (size_t)f->rank - 1)},
                                               .dim_count = 2});
}

static bool plant_dimension_twice(planter *p) {
  const hy_func *f = pick_func(p);
  if (!f->rank || f == p->tgt->alg->output) return false;
  int d = pick(p, (size_t)f->rank);
  return add(p, (hy_directive){.type = &hy_directive_reorder_storage, .func = f, .dims = {d, 0, d}, .dim_count = 3});
}

static bool plant_plan_twice(planter *p) {
  const hy_func *f = pick_func(p);
  if (f == p->tgt->alg->output) return false;
  hy_directive d = {.type = &hy_directive_store_in, .func = f, .store = HY_STORE_HEAP};
  if (f->rank && pick(p, 2)) {
    d.type = &hy_directive_fold_storage;
    d.args[0] = number(p, 1 + pick(p, 9));
  }
  return add(p, d) && add(p, d);
}

static bool plant_plan_number(planter *p) {
  const hy_func *f = pick_func(p);
  const hy_directive_type *type = pick(p, 2) ? &hy_directive_fold_storage : &hy_directive_align_storage;
  return f->rank && f != p->tgt->alg->output &&
         add(p, (hy_directive){.type = type, .func = f, .args = {number(p, -pick(p, 3))}});
}

// A slide along one of the func's own loops, or of one with updates.
static bool plant_slide(planter *p) {
  const hy_func *f = pick_func(p);
  for (size_t i = 0; i < p->loops.count; i++) {
    const hy_var *loop = p->loops.data[i]->loop.var;
    if (f != p->tgt->alg->output && loop->func == f)
      return add(p, (hy_directive){.type = &hy_directive_slide, .func = f, .loop = loop});
  }
  return false;
}

// "early": only right while no computation has moved between loops.
static const struct {
  const char *rule;
  bool (*plant)(planter *p);
  bool early;
} plants[] = {
    {"DIR.Split.Factor", plant_factor, false},
    {"SCH.Fresh", plant_one_name, false},
    {"SCH.Fresh", plant_live_name, false},
    {"DIR.Split.Tail", plant_tail, false},
    {"DIR.Split.Tail", plant_tail, false},
    {"SCH.Fresh", plant_taken_name, false},
    {"DIR.Serial", plant_split_traversed, true},
    {"SCH.Loop", plant_unknown_loop, false},
    {"DIR.Nested", plant_swap_alone, true},
    {"DIR.Swap.Reduction", plant_swap_reductions, true},
    {"DIR.Swap.Reduction", plant_swap_reductions, true},
    {"DIR.Fuse.Mixed", plant_fuse_mixed, true},
    {"DIR.Fuse.Mixed", plant_fuse_mixed, true},
    {"DIR.Nested", plant_fuse_alone, true},
    {"DIR.Nested", plant_fuse_other, true},
    {"DIR.Serial", plant_fuse_traversed, true},
    {"DIR.Traverse.Pure", plant_parallel_reduction, false},
    {"DIR.Traverse.Pure", plant_parallel_reduction, false},
    {"DIR.Traverse.Pure", plant_parallel_half, false},
    {"DIR.Traverse.Pure", plant_parallel_fused, true},
    {"DIR.Traverse.Pure", plant_parallel_unrolled, false},
    {"FIN.Overlap", plant_parallel_shift, false},
    {"FIN.Inside-Vector", plant_nested_vectors, false},
    {"FIN.Parallel-Between", plant_race, false},
    {"FIN.Parallel-Between", plant_race, false},
    {"DIR.Output", plant_output_moved, false},
    {"DIR.Dominate", plant_own_loop, false},
    {"DIR.Dominate", plant_away_from_readers, false},
    {"DIR.Dominate", plant_away_from_readers, false},
    {"DIR.Store-At.Dominate", plant_stored_elsewhere, false},
    {"DIR.Bound", plant_length, false},
    {"DIR.Bound", plant_extent, false},
    {"DIR.Align-Bounds.Constant", plant_align, false},
    {"DIR.Bounds.Combine", plant_two_bounds, false},
    {"DIR.Bounds.Combine", plant_unaligned_bound, false},
    {"DIR.Bounds.Combine", plant_two_alignments, false},
    {"DIR.Specialize.Once", plant_specialized_twice, false},
    {"DIR.Plan.Output", plant_output_planned, false},
    {"DIR.Plan.Once", plant_plan_twice, false},
    {"DIR.Plan.Number", plant_plan_number, false},
    {"DIR.Slide.Keep", plant_slide, false},
    {"DIR.Reorder-Storage.Twice", plant_dimension_twice, false},
};

const char *hy_generate_illegal(hy_choices *choices, hy_context *context, const hy_tgt *tgt, bool early,
                                hy_directive *directives, int *count) {
  planter p = {.c = choices, .context = context, .tgt = tgt, .out = directives, .count = count};
  const char *rule = NULL;
  collect(&p, tgt->body);
  for (int attempt = 0; attempt < 12 && !rule; attempt++) {
    *count = 0;
    int which = pick(&p, HY_COUNT(plants));
    if (plants[which].early <= early && plants[which].plant(&p)) rule = plants[which].rule;
  }
  hy_vec_free(&p.loops);
  hy_vec_free(&p.allocations);
  hy_vec_free(&p.computes);
  return rule;
}
