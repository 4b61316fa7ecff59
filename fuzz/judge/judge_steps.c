// Did lowering and each directive make what they say? Read off the programs before and after, from the paper's rules: a
// directive that does nothing, or half of it, still gives a program with the right output.

#include "fuzz/judge/judge_internal.h"
#include "fuzz/judge/whole.h"

#include "engines/generator.h"

#include <string.h>

typedef struct {
  hy_judging *g;
  const hy_directive *d;
  const hy_stmt *before, *after;
  const hy_tgt *old, *new; // of which these are the bodies
} step;

static const char *fault(bool good, const char *what) { return good ? NULL : what; }

/* -- places -- */

static const hy_stmt *find_loop(const hy_stmt *stmt, const hy_var *var) {
  if (stmt->kind == HY_STMT_FOR && stmt->loop.var == var) return stmt;
  const hy_stmt *const *children, *room[2], *found = NULL;
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !found; i++) found = find_loop(children[i], var);
  return found;
}

// The compute or allocate of a func, and the innermost loop around it.
typedef struct {
  hy_stmt_kind kind;
  const hy_func *func;
  const hy_stmt *found, *loop;
} site;

static void find_site(const hy_stmt *stmt, const hy_stmt *loop, site *s) {
  bool here = stmt->kind == s->kind &&
              (s->kind == HY_STMT_COMPUTE ? stmt->compute.func == s->func : stmt->allocate.func == s->func);
  if (here) s->found = stmt, s->loop = loop;
  if (stmt->kind == HY_STMT_FOR) loop = stmt;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !s->found; i++) find_site(children[i], loop, s);
}

static const hy_var *loop_around(const hy_stmt *body, hy_stmt_kind kind, const hy_func *func) {
  site s = {kind, func, NULL, NULL};
  find_site(body, NULL, &s);
  return s.loop ? s.loop->loop.var : NULL;
}

static const hy_stmt *compute_of(const hy_stmt *body, const hy_func *func) {
  site s = {HY_STMT_COMPUTE, func, NULL, NULL};
  find_site(body, NULL, &s);
  return s.found;
}

static const hy_stmt *new_loop(const step *s, int which) {
  const hy_var *v = s->d->loop;
  return find_loop(s->after, hy_var_loop(s->g->context, v->func, v->spec, v->stage, s->d->names[which]));
}

/* -- loops -- */

// DIR.Split: two loops of the same purity, the inner one as long as the factor.
static const char *judge_split(const step *s) {
  const hy_stmt *loop = find_loop(s->before, s->d->loop), *outer = new_loop(s, 0), *inner = new_loop(s, 1);
  if (!outer || !inner) return "the two new loops are not there";
  if (outer->loop.is_pure != loop->loop.is_pure || inner->loop.is_pure != loop->loop.is_pure)
    return "a half is not as pure as the loop was";
  return fault(inner->loop.interval.len == s->d->args[0], "the inner loop is not as long as the factor");
}

// DIR.Fuse
static const char *judge_fuse(const step *s) {
  const hy_stmt *loop = find_loop(s->before, s->d->loop), *fused = new_loop(s, 1);
  if (!fused) return "the fused loop is not there";
  return fault(fused->loop.is_pure == loop->loop.is_pure, "the fused loop is not as pure as the two were");
}

// DIR.Swap: the two loops change places, and nothing else.
static const char *judge_swap(const step *s) {
  const hy_stmt *outer = find_loop(s->before, s->d->loop), *inner = outer->loop.body;
  const hy_stmt *now = find_loop(s->after, inner->loop.var);
  if (!now || now->loop.body->kind != HY_STMT_FOR || now->loop.body->loop.var != outer->loop.var)
    return "the loop that was inside is not the outer one";
  bool kept = now->loop.traversal == inner->loop.traversal && now->loop.body->loop.traversal == outer->loop.traversal &&
              now->loop.is_pure == inner->loop.is_pure && now->loop.body->loop.is_pure == outer->loop.is_pure;
  return fault(kept, "a loop lost its traversal or its mark");
}

// DIR.Traverse
static const char *judge_traverse(const step *s) {
  const hy_stmt *loop = find_loop(s->before, s->d->loop), *now = find_loop(s->after, s->d->loop);
  if (!now || now->loop.traversal != s->d->traversal) return "the loop is not traversed so";
  return fault(now->loop.is_pure == loop->loop.is_pure && now->loop.body == loop->loop.body,
               "the loop is not the same but for its traversal");
}

/* -- places of computations -- */

// DIR.Compute-At, DIR.Store-At: what moves is directly in that loop, and the other stays where it was.
static const char *judge_site(const step *s, hy_stmt_kind moves, hy_stmt_kind stays) {
  if (loop_around(s->after, moves, s->d->func) != s->d->loop) return "what moves is not in that loop";
  return fault(loop_around(s->after, stays, s->d->func) == loop_around(s->before, stays, s->d->func),
               "more than that has moved");
}

/* -- specializations -- */

typedef struct {
  const hy_expr *wanted;
  bool found;
} mention;

static void see_node(void *self, const hy_expr *node) {
  mention *m = self;
  m->found |= node == m->wanted;
}

// DIR.Specialize: branch k runs where condition k holds and no earlier one does.
static const char *judge_specialize(const step *s) {
  const hy_stmt *at = compute_of(s->after, s->d->func)->compute.body;
  for (int k = 0; k < s->d->condition_count; k++) {
    if (at->kind != HY_STMT_IF || at->branch.why != HY_IF_SPECIALIZE || !at->branch.otherwise)
      return "there are not as many branches as conditions";
    mention m = {s->d->conditions[k], false};
    hy_expr_visit(at->branch.condition, see_node, &m);
    if (!m.found) return "a branch has not its condition";
    const hy_stmt *then = at->branch.then;
    if (then->kind != HY_STMT_LABEL || then->label.what != HY_LABEL_SPEC || then->label.number != k + 1)
      return "a branch is not the one of its condition";
    at = at->branch.otherwise;
  }
  return NULL;
}

/* -- bounds: what the directive demands is what the program says, at a sample of boxes and parameters -- */

typedef struct {
  const hy_func *func;
  int dim;
  hy_whole min, len;    // of Cpu
  hy_whole min2, param; // of other dimensions; of every parameter
} sample;

static bool value_of(void *self, const hy_expr *leaf, hy_whole *value) {
  const sample *s = self;
  if (leaf->kind == HY_EXPR_VAR) {
    *value = s->param;
    return leaf->var->kind == HY_VAR_PARAM;
  }
  if (leaf->hole->kind != HY_HOLE_CPU || leaf->hole->func != s->func) return false;
  if (leaf->hole->dim != s->dim)
    *value = s->min2;
  else
    *value = leaf->hole->is_len ? s->len : s->min;
  return true;
}

// Does the box of the sample satisfy the directive? False: it cannot be told.
static bool satisfies(const hy_directive *d, sample *s, bool *good) {
  hy_whole a, b = 0;
  if (hy_whole_of(d->args[0], value_of, s, &a) != HY_EVALUATED) return false;
  if (d->type != &hy_directive_bound_extent && hy_whole_of(d->args[1], value_of, s, &b) != HY_EVALUATED) return false;
  if (d->type == &hy_directive_bound) *good = s->min == a && s->len == b;
  if (d->type == &hy_directive_bound_extent) *good = s->len == a;
  if (d->type == &hy_directive_align_bounds) *good = hy_whole_rest(s->min, a) == b && hy_whole_rest(s->len, a) == 0;
  return true;
}

// Does it satisfy what the program demands? False: it cannot be told.
static bool is_constrained(const hy_stmt *body, sample *s, bool *good) {
  const hy_stmt *compute = compute_of(body, s->func), *inside = compute->compute.body;
  const hy_stmt *const *items = inside->kind == HY_STMT_SEQ ? inside->seq.items : &inside;
  int count = inside->kind == HY_STMT_SEQ ? inside->seq.count : 1;
  *good = true;
  for (int i = 0; i < count; i++) {
    hy_whole v = 0;
    if (items[i]->kind != HY_STMT_ASSUME) return true; // what stands behind stages comes too late
    if (items[i]->assume.why != HY_ASSUME_CONSTRAIN) continue;
    if (hy_whole_of(items[i]->assume.condition, value_of, s, &v) != HY_EVALUATED) return false;
    *good &= v != 0;
  }
  return true;
}

// Boxes near the one that is meant.
static bool make_sample(const step *s, uint64_t seed, sample *out) {
  const hy_directive *d = s->d;
  *out = (sample){.func = d->func, .dim = d->dim, .param = (hy_whole)(seed % 5), .min2 = 1};
  hy_whole a = 0, b = 0;
  if (hy_whole_of(d->args[0], value_of, out, &a) != HY_EVALUATED) return false;
  bool one = d->type == &hy_directive_bound_extent;
  if (!one && hy_whole_of(d->args[1], value_of, out, &b) != HY_EVALUATED) return false;
  int near = (int)(seed >> 8 & 3), far = (int)(seed >> 10 & 3);
  if (d->type == &hy_directive_align_bounds) {
    out->min = b + a * (int)(seed >> 12 & 3) - (near == 1);
    out->len = a * (int)(seed >> 14 & 3) + (far == 1);
  } else {
    out->min = (one ? 0 : a) + (near == 1) - (near == 2);
    out->len = (one ? a : b) + (far == 1) - (far == 2);
  }
  return true;
}

// DIR.Bound, DIR.Bound-Extent, DIR.Align-Bounds (decision D43)
static const char *judge_bounds(const step *s) {
  for (uint64_t i = 0; i < 8; i++) {
    sample box;
    bool meant = false, before = false, after = false;
    if (!make_sample(s, hy_splitmix(s->g->c->seed, 700 + i), &box) || !satisfies(s->d, &box, &meant) ||
        !is_constrained(s->before, &box, &before) || !is_constrained(s->after, &box, &after))
      continue;
    if (after != (before && meant)) return "the constraint is not what the directive says";
  }
  return NULL;
}

/* -- storage plans -- */

static hy_plan plan_of(const hy_stmt *body, const hy_func *func) {
  site s = {HY_STMT_ALLOCATE, func, NULL, NULL};
  find_site(body, NULL, &s);
  return s.found->allocate.plan ? *s.found->allocate.plan : hy_plan_plain();
}

static int place_of(const int *dims, int count, int dim) {
  int place = 0;
  while (place < count && dims[place] != dim) place++;
  return place;
}

static bool is_same_but_order(const hy_plan *a, const hy_plan *b) {
  return memcmp(a->align, b->align, sizeof a->align) == 0 && memcmp(a->fold, b->fold, sizeof a->fold) == 0 &&
         a->store == b->store;
}

// DIR.Reorder-Storage: the dimensions named follow each other as named, and no other has another place.
static const char *judge_reorder_storage(const step *s) {
  const hy_directive *d = s->d;
  const hy_plan before = plan_of(s->before, d->func), after = plan_of(s->after, d->func);
  for (int i = 0, last = -1; i < d->func->rank; i++) {
    int named = place_of(d->dims, d->dim_count, after.order[i]);
    if (named == d->dim_count && after.order[i] != before.order[i]) return "a dimension that is not named has moved";
    if (named < last) return "the dimensions do not lie in the order named";
    if (named < d->dim_count) last = named;
  }
  return fault(is_same_but_order(&before, &after), "more of the plan has changed than the order");
}

// DIR.Align-Storage, DIR.Store-In, DIR.Fold-Storage: what the directive says, and otherwise the plan before.
static const char *judge_plan(const step *s) {
  const hy_directive *d = s->d;
  hy_plan before = plan_of(s->before, d->func), after = plan_of(s->after, d->func);
  int64_t number;
  if (d->type == &hy_directive_store_in)
    before.store = d->store;
  else if (hy_expr_is_int(d->args[0], &number))
    (d->type == &hy_directive_fold_storage ? before.fold : before.align)[d->dim] = number;
  return fault(is_same_but_order(&before, &after) && memcmp(before.order, after.order, sizeof after.order) == 0,
               "the plan is not as before but for what the directive says");
}

// DIR.Set-Stride, DIR.Require-Stride, DIR.Host-Alignment: what the directive says, of that buffer and dimension alone,
// and the program as it was.
static const char *judge_laid(const step *s) {
  const hy_directive *d = s->d;
  hy_laid before = {0};
  const hy_laid *said = hy_tgt_laid(s->old, d->func), *after = hy_tgt_laid(s->new, d->func);
  bool is_alignment = d->type == &hy_directive_set_host_alignment;
  int64_t number = 0;
  if (said) before = *said;
  if ((is_alignment ? before.align : before.strides.of[d->dim]) || !after) return "it was said before, or is not now";
  if (!hy_expr_is_int(d->args[0], &number)) return "it says no number";
  *(is_alignment ? &before.align : &before.strides.of[d->dim]) = number;
  if (d->type == &hy_directive_require_stride) before.demanded.of[d->dim] = number;
  if (before.align != after->align || memcmp(before.strides.of, after->strides.of, sizeof before.strides.of) != 0 ||
      memcmp(before.demanded.of, after->demanded.of, sizeof before.demanded.of) != 0)
    return "how the buffer lies is not what the directive says";
  for (int i = 0; i < s->new->laid_count; i++)
    if (s->new->laid[i].func != d->func && !hy_tgt_laid(s->old, s->new->laid[i].func))
      return "it speaks of another buffer";
  return fault(s->new->laid_count == s->old->laid_count + !said && s->before == s->after,
               "more has changed than how a buffer lies");
}

// DIR.Slide: the computation keeps along that loop, in whose body it stands, over the same box.
static const char *judge_slide(const step *s) {
  const hy_stmt *before = compute_of(s->before, s->d->func), *after = compute_of(s->after, s->d->func);
  if (before->compute.keep || after->compute.keep != s->d->loop) return "what is kept is not what the directive says";
  if (loop_around(s->after, HY_STMT_COMPUTE, s->d->func) != s->d->loop) return "it is not computed in that loop";
  for (int d = 0; d < s->d->func->rank; d++)
    if (before->compute.box[d].min != after->compute.box[d].min ||
        before->compute.box[d].len != after->compute.box[d].len)
      return "the box has changed";
  return NULL;
}

static const char *judge_compute_at(const step *s) { return judge_site(s, HY_STMT_COMPUTE, HY_STMT_ALLOCATE); }
static const char *judge_store_at(const step *s) { return judge_site(s, HY_STMT_ALLOCATE, HY_STMT_COMPUTE); }

// What is known here of a directive is known apart from its record. Of any other, its promise is judged
// (validate/validate.h), and that one from the tree does something at all.
static const char *judge_step(const step *s) {
  static const struct {
    const hy_directive_type *type;
    const char *(*judge)(const step *s);
  } judges[] = {{&hy_directive_specialize, judge_specialize},
                {&hy_directive_split, judge_split},
                {&hy_directive_fuse, judge_fuse},
                {&hy_directive_swap, judge_swap},
                {&hy_directive_traverse, judge_traverse},
                {&hy_directive_compute_at, judge_compute_at},
                {&hy_directive_store_at, judge_store_at},
                {&hy_directive_bound, judge_bounds},
                {&hy_directive_bound_extent, judge_bounds},
                {&hy_directive_align_bounds, judge_bounds},
                {&hy_directive_slide, judge_slide},
                {&hy_directive_reorder_storage, judge_reorder_storage},
                {&hy_directive_align_storage, judge_plan},
                {&hy_directive_store_in, judge_plan},
                {&hy_directive_fold_storage, judge_plan},
                {&hy_directive_set_stride, judge_laid},
                {&hy_directive_require_stride, judge_laid},
                {&hy_directive_set_host_alignment, judge_laid}};
  for (size_t i = 0; i < HY_COUNT(judges); i++)
    if (judges[i].type == s->d->type) return judges[i].judge(s);
  return fault(s->before != s->after || s->d->type->is_foreign, "nothing has changed");
}

/* -- lowering -- */

// The loop of a stage's nest at that place, whatever its name: which dimension it drives. -1: none, it is a
// reduction's.
static int driven(const hy_definition *d, const hy_var *var) {
  for (int i = 0; i < d->func->rank; i++)
    if (d->vars[i]->name == var->name) return i;
  return -1;
}

// LOW.Stage: pure dimensions outside, the last outermost. LOW.Hole-Share: the loops of the last stage, and no others,
// run over Cpu itself (decision D41).
static const char *judge_stage(const hy_definition *d, const hy_stmt *label) {
  bool last = label->label.number == d->stage_count - 1;
  int above = d->func->rank;
  for (const hy_stmt *at = label->label.body; at->kind == HY_STMT_FOR; at = at->loop.body) {
    int dim = driven(d, at->loop.var);
    if (at->loop.is_pure != (dim >= 0)) return "a pure dimension has a reduction loop, or a reduction a pure one";
    if (dim >= above || (dim < 0 && above < 0)) return "the loops of a stage are not in their order";
    if (dim < 0) break;
    above = dim;
    const hy_expr *len = at->loop.interval.len;
    if (len->kind != HY_EXPR_HOLE || len->hole->kind != (last ? HY_HOLE_CPU : HY_HOLE_FOR))
      return "a loop runs over the hole of another stage";
  }
  return NULL;
}

static const char *judge_stages(const hy_alg *alg, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE)
    return judge_stage(hy_alg_definition(alg, stmt->label.func), stmt);
  const hy_stmt *const *children, *room[2];
  const char *broken = NULL;
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !broken; i++) broken = judge_stages(alg, children[i]);
  return broken;
}

/* -- the entry block: once it is passed, every rdom, factor and given bound is what it has to be (decisions D11, D25,
   D34, D78, D94) -- */

static bool entry_value(void *self, const hy_expr *leaf, hy_whole *value) {
  const uint64_t *seed = self;
  if (leaf->kind != HY_EXPR_VAR || !hy_var_is_startup(leaf->var)) return false;
  uint64_t random = hy_splitmix(*seed, leaf->var->id);
  bool length = leaf->var->kind == HY_VAR_WINDOW_LEN || leaf->var->kind == HY_VAR_IMAGE_LEN;
  *value = length ? (hy_whole)(1 + random % 9) : (hy_whole)(random % 7) - 2;
  if (leaf->var->kind == HY_VAR_PARAM && random >> 8 & 1) *value = 0;
  return true;
}

// Do the checks let the values of "seed" pass? A check that errs does not hold (D94). What images and other windows
// have to contain is left out: whether a bound of the pair's own is in order does not depend on it.
static bool passes(const hy_tgt *filled, uint64_t *seed) {
  for (int i = 0; i < filled->entry_count; i++) {
    hy_whole holds;
    hy_assume_kind why = filled->entry[i]->assume.why;
    if (why == HY_ASSUME_IMAGE || why == HY_ASSUME_NEED) continue;
    if (hy_whole_of(filled->entry[i]->assume.condition, entry_value, seed, &holds) != HY_EVALUATED || !holds)
      return false;
  }
  return true;
}

// An interval is defined, not of negative length, and ends within 64 bits. "min" may be NULL. What is not known here
// counts as good.
static bool is_ordinary(const hy_expr *min, const hy_expr *len, uint64_t *seed) {
  hy_whole first = 0, count;
  hy_evaluated a = min ? hy_whole_of(min, entry_value, seed, &first) : HY_EVALUATED;
  hy_evaluated b = hy_whole_of(len, entry_value, seed, &count);
  if (a == HY_EVALUATED_ERROR || b == HY_EVALUATED_ERROR) return false;
  return b != HY_EVALUATED || (count >= 0 && (a != HY_EVALUATED || first + count <= INT64_MAX));
}

static const char *judge_rdoms(const hy_alg *alg, const bool *reached, uint64_t *seed) {
  for (int k = 0; k < alg->definition_count; k++)
    for (int s = 1; s < alg->definitions[k].stage_count && reached[alg->definitions[k].func->index]; s++)
      for (int i = 0; i < alg->definitions[k].stages[s].rdom_count; i++) {
        const hy_interval *interval = &alg->definitions[k].stages[s].rdoms[i].interval;
        if (!is_ordinary(interval->min, interval->len, seed))
          return "an rdom that errs, is negative or ends beyond 64 bits passes the checks at entry";
      }
  return NULL;
}

static const char *judge_arguments(const hy_directive *d, uint64_t *seed) {
  for (int i = 0; d->type->arguments[i] != HY_TAKES_END; i++) {
    int place = hy_directive_place(d->type, i);
    if (d->type->arguments[i] == HY_TAKES_FACTOR) {
      hy_whole factor;
      hy_evaluated known = hy_whole_of(d->args[place], entry_value, seed, &factor);
      bool good = known == HY_NOT_EVALUATED || (known == HY_EVALUATED && factor >= 1);
      if (!good) return "a factor that errs or is below 1 passes the checks at entry";
    }
    if (d->type->arguments[i] == HY_TAKES_LENGTH &&
        !is_ordinary(place ? d->args[place - 1] : NULL, d->args[place], seed))
      return "a given bound that errs or is negative passes the checks at entry";
  }
  return NULL;
}

static const char *judge_entry(hy_judging *g) {
  const hy_pipeline *p = &g->pipeline;
  const char *broken = NULL;
  bool *reached = HY_NEW_ARRAY(hy_context_arena(g->context), bool, p->alg->image_count + p->alg->definition_count);
  hy_alg_reached(p->alg, reached);
  for (uint64_t k = 0; k < 8 && !broken; k++) {
    uint64_t seed = hy_splitmix(g->c->seed, 720 + k);
    if (!passes(p->filled, &seed)) continue;
    broken = judge_rdoms(p->alg, reached, &seed);
    for (int i = 0; i < p->core_count && !broken; i++) broken = judge_arguments(&p->core[i], &seed);
  }
  return broken;
}

/* -- all -- */

static void find(hy_judging *g, const char *rule, int number, const char *broken) {
  if (hy_judging_find(g, HY_FOUND_PROMISE, rule, broken)) hy_judging_blame(g, number);
}

void hy_judging_steps(hy_judging *g) {
  const hy_pipeline *p = &g->pipeline;
  g->lane = HY_LANE_INTERPRET;
  const char *broken = judge_stages(p->alg, p->steps[0]->body);
  if (broken) find(g, "lowering", 0, broken);
  for (int i = 0; i < p->core_count && !broken; i++) {
    step s = {g, &p->core[i], p->steps[i]->body, p->steps[i + 1]->body, p->steps[i], p->steps[i + 1]};
    broken = judge_step(&s);
    if (broken) find(g, p->core[i].type->name, i + 1, broken);
  }
  broken = judge_entry(g);
  if (broken) find(g, "entry", 0, broken);
}
