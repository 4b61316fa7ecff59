#include "sched/alternatives.h"
#include "sched/legality_internal.h"
#include "semantics/expr/affine.h"

#include <stdlib.h>
#include <string.h>

/* What is asked of the final program only (decisions D33, D38, D45): prefixes are validated with their loops run
 * serially. */

typedef struct {
  hy_context *context;
  const hy_tgt *tgt;
  const hy_directive *core;
  int count;
  hy_loc fallback;
  hy_diagnostics *diagnostics;
  bool legal;
} checker;

// The directive to blame: the one that traverses a loop, or that moves a func.
static const hy_directive *traversal_of(const checker *c, const hy_var *loop) {
  for (int i = c->count - 1; i >= 0; i--)
    if (hy_directive_find(c->core[i].type, HY_TAKES_TRAVERSAL) >= 0 && c->core[i].loop == loop) return &c->core[i];
  return NULL;
}

static hy_loc blame_loop(const checker *c, const hy_var *loop) {
  const hy_directive *d = traversal_of(c, loop);
  return d ? hy_directive_at(d, d->at.loop) : c->fallback;
}

static hy_loc blame_move(const checker *c, hy_phase phase, const hy_func *func, const hy_var *loop) {
  for (int i = c->count - 1; i >= 0; i--)
    if (c->core[i].type->phase == phase && c->core[i].func == func)
      return hy_directive_at(&c->core[i], c->core[i].at.loop);
  return blame_loop(c, loop);
}

// Is the loop of a copy that has its loops from what chains said before they turned to it? Who reads what is wrong with
// it has to know that.
static void note_copy(const checker *c, const hy_var *loop) {
  for (int i = 0; i < c->count && loop->spec; i++) {
    const hy_directive *d = &c->core[i];
    if (d->type == &hy_directive_specialize && d->func == loop->func && d->is_followed)
      hy_specialize_note(c->diagnostics, d->loc, d->func, d->conditions[loop->spec - 1]);
  }
}

static bool is_concurrent(const hy_stmt *stmt) {
  return stmt->kind == HY_STMT_FOR && (stmt->loop.traversal == HY_PARALLEL || stmt->loop.traversal == HY_VECTORIZED);
}

// FIN.Parallel-Between: no parallel or vectorized loop between allocate(f) and compute(f): its iterations would share
// the buffer and race.
static void check_between(checker *c, const hy_func *func) {
  const hy_stmt *allocate = hy_tree_find(c->tgt->body, HY_STMT_ALLOCATE, func);
  const hy_stmt *compute = hy_tree_find(c->tgt->body, HY_STMT_COMPUTE, func);
  if (!allocate || !compute) return;
  int count, below;
  const hy_stmt **path = hy_tree_path(c->tgt->body, compute, &count);
  const hy_stmt **up = hy_tree_path(c->tgt->body, allocate, &below);
  for (int i = below - 1; i < count; i++) { // loops that hold the compute but not the allocate
    if (!is_concurrent(path[i]) || (i < below - 1 && path[i] == up[i])) continue;
    hy_context_hit(c->context, HY_RULE_FIN_PARALLEL_BETWEEN);
    c->legal = false;
    const char *loop = hy_names_of(c->context, path[i]->loop.var);
    hy_report(
        c->diagnostics, HY_E_PARALLEL_BETWEEN, blame_move(c, HY_PHASE_COMPUTE, func, path[i]->loop.var),
        "FIN.Parallel-Between (decision D38)",
        path[i]->loop.traversal == HY_VECTORIZED
            ? "compute it outside of the vectorized loop"
            : hy_arena_printf(hy_context_arena(c->context),
                              "store_at(%s, %s) or further inside gives each iteration its own buffer", func->name,
                              loop),
        "'%s' is stored outside and computed inside of the %s loop '%s': its iterations would overwrite each other",
        func->name, hy_traversal_name(path[i]->loop.traversal), loop);
    break;
  }
  hy_free(path);
  hy_free(up);
}

// FIN.Inside-Vector: nothing is allocated or computed inside a vectorized loop; no vectorized or parallel loop either.
// The bounds of a loop inside are the same in every lane (decision D45).
static void check_lane_bounds(checker *c, const hy_stmt *vector) {
  const hy_stmt *inner = hy_tree_loop_depending(vector->loop.body, vector->loop.var, true);
  if (!inner) return;
  hy_context_hit(c->context, HY_RULE_FIN_INSIDE_VECTOR);
  c->legal = false;
  hy_report(c->diagnostics, HY_E_BOUNDS_DEPEND, blame_loop(c, vector->loop.var), "FIN.Inside-Vector (decision D45)",
            "run it in parallel, or unroll it",
            "the bounds of '%s' differ between the lanes of the vectorized loop '%s'",
            hy_names_of(c->context, inner->loop.var), hy_names_of(c->context, vector->loop.var));
  note_copy(c, vector->loop.var);
}

static void check_vector_body(checker *c, const hy_stmt *stmt, const hy_var *vector) {
  const char *what = NULL;
  hy_loc loc = blame_loop(c, vector);
  if (stmt->kind == HY_STMT_ALLOCATE) {
    what = hy_arena_printf(hy_context_arena(c->context), "the allocation of '%s'", stmt->allocate.func->name);
    loc = blame_move(c, HY_PHASE_STORAGE, stmt->allocate.func, vector);
  } else if (stmt->kind == HY_STMT_COMPUTE) {
    what = hy_arena_printf(hy_context_arena(c->context), "the computation of '%s'", stmt->compute.func->name);
    loc = blame_move(c, HY_PHASE_COMPUTE, stmt->compute.func, vector);
  } else if (is_concurrent(stmt)) {
    what = hy_arena_printf(hy_context_arena(c->context), "the %s loop '%s'", hy_traversal_name(stmt->loop.traversal),
                           hy_names_of(c->context, stmt->loop.var));
    loc = blame_loop(c, stmt->loop.var);
  }
  if (what) {
    hy_context_hit(c->context, HY_RULE_FIN_INSIDE_VECTOR);
    c->legal = false;
    hy_report(c->diagnostics, HY_E_INSIDE_VECTOR, loc, "FIN.Inside-Vector (decision D38)",
              "vectorize an innermost loop, or move this outside of it", "%s stands inside of the vectorized loop '%s'",
              what, hy_names_of(c->context, vector));
    note_copy(c, vector);
    return;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) check_vector_body(c, children[i], vector);
}

// FIN.Overlap: two values of a parallel or vectorized loop never write one point (decision D33).
static void check_overlap(checker *c, const hy_stmt *stage, const hy_stmt *loop) {
  const hy_var *blamed;
  if (!hy_overlap_possible(stage, loop->loop.var, &blamed)) return;
  hy_context_hit(c->context, HY_RULE_FIN_OVERLAP);
  c->legal = false;
  hy_report(c->diagnostics, HY_E_OVERLAPPING_WRITES, blame_loop(c, loop->loop.var), "FIN.Overlap (decision D33)",
            "use the tail 'guard', a factor that divides the extent, or run another loop that way",
            "two iterations of the %s loop '%s' may write one point: a tail of '%s' repeats points",
            hy_traversal_name(loop->loop.traversal), hy_names_of(c->context, loop->loop.var),
            hy_names_of(c->context, blamed));
  note_copy(c, loop->loop.var);
}

typedef struct {
  checker *c;
  const hy_stmt *stage;
} stage_walk;

static void visit_stage(void *self, const hy_stmt *stmt) {
  stage_walk *w = self;
  if (!is_concurrent(stmt) || stmt->loop.var->func != w->stage->label.func ||
      stmt->loop.var->stage != w->stage->label.number)
    return;
  check_overlap(w->c, w->stage, stmt);
}

static void visit(void *self, const hy_stmt *stmt) {
  checker *c = self;
  if (stmt->kind == HY_STMT_FOR && stmt->loop.traversal == HY_VECTORIZED) {
    check_vector_body(c, stmt->loop.body, stmt->loop.var);
    check_lane_bounds(c, stmt);
  }
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE)
    hy_tree_visit(stmt, visit_stage, &(stage_walk){c, stmt});
}

bool hy_sched_legal(hy_context *context, const hy_tgt *tgt, const hy_directive *core, int count, hy_loc fallback,
                    hy_diagnostics *diagnostics) {
  checker c = {context, tgt, core, count, fallback, diagnostics, true};
  for (int i = 0; i < tgt->func_count; i++) check_between(&c, tgt->funcs[i]);
  hy_tree_visit(tgt->body, visit, &c);
  return c.legal;
}

/* -- extents, once the holes are filled -- */

enum { MOST_EQUATIONS = 16, MOST_LOOKS = 64 };

// What the specializations around say about parameters.
typedef struct {
  checker *c;
  hy_affine_table *table;
  hy_binding equations[MOST_EQUATIONS];
  size_t count;
} extent_walk;

// The loop that the call speaks of which runs this one so: x of vectorize(x, n), which splits x itself.
static const char *spoken_of(const checker *c, const hy_var *loop) {
  const hy_directive *traversal = traversal_of(c, loop);
  for (int i = 0; i < c->count && traversal; i++) {
    const hy_directive *d = &c->core[i];
    bool is_same_call = d->loc.source == traversal->loc.source && d->loc.line == traversal->loc.line &&
                        d->loc.column == traversal->loc.column;
    if (d->type == &hy_directive_split && is_same_call && strcmp(d->names[1], loop->name) == 0) return d->loop->name;
  }
  return loop->name;
}

// The dimension of what is computed in a loop that the loop has the name of, whole or in blocks; -1: none. There each
// region is as long as .bound_extent says.
static int dimension_of(const checker *c, const hy_var *loop) {
  bool is_moved = false;
  int found = -1;
  for (int i = 0; i < c->count; i++)
    is_moved |= c->core[i].type->phase == HY_PHASE_COMPUTE && c->core[i].func == loop->func && c->core[i].loop;
  for (int d = 0; d < loop->func->rank && is_moved; d++)
    if (strcmp(loop->func->dims[d], loop->name) == 0) found = d;
  return found;
}

// Copies that the schedule has not written have lengths of their own, and bounds say the same of all.
static bool is_copied(const checker *c, const hy_func *func) {
  for (int i = 0; i < c->count; i++)
    if (c->core[i].is_spread && (c->core[i].func == func || c->core[i].made == func)) return true;
  return false;
}

// Does the func, or what it reads, read an image? More of that is read where more of the func is computed.
static bool reads_image(const checker *c, const hy_func *func) {
  const hy_tgt *tgt = c->tgt;
  const hy_stmt *compute = hy_tree_find(tgt->body, HY_STMT_COMPUTE, func);
  for (int i = 0; i < tgt->alg->image_count; i++)
    if (hy_tree_reads(compute, tgt->alg->images[i])) return true;
  for (int i = 0; i < tgt->func_count && tgt->funcs[i] != func; i++) // what is read stands before
    if (hy_tree_reads(compute, tgt->funcs[i]) && reads_image(c, tgt->funcs[i])) return true;
  return false;
}

typedef struct {
  const hy_var *loop;
  bool found;
} guard_search;

static void see_guard(void *self, const hy_stmt *stmt) {
  guard_search *s = self;
  const hy_origin *o = stmt->kind == HY_STMT_LET ? &stmt->let.origin : NULL;
  if (!o || !hy_origin_has_source(o, s->loop) || !hy_origin_is_blocks(o)) return;
  s->found |= o->relation->tail == HY_TAIL_GUARD && !hy_origin_is_exact(o);
}

// Is it computed in a loop whose last block a guard cuts off, so that less is needed of it there?
static bool is_cut_off(const checker *c, const hy_stmt *compute) {
  int count;
  guard_search s = {NULL, false};
  const hy_stmt **path = hy_tree_path(c->tgt->body, compute, &count);
  for (int i = 0; i < count; i++) {
    if (path[i]->kind != HY_STMT_FOR) continue;
    s.loop = path[i]->loop.var;
    hy_tree_visit(path[i]->loop.body, see_guard, &s);
  }
  hy_free(path);
  return s.found;
}

// The least number above the expression that minima in it show: min(e, 7) + 1 is at most 8. "looks": how many more.
static bool most_of(hy_affine_table *table, const hy_expr *expr, int *looks, int64_t *most) {
  const hy_affine *form = hy_affine_of(table, expr);
  *most = form->constant;
  if (form->count == 0) return true;
  for (int i = 0; i < form->count && --*looks > 0; i++) {
    const hy_expr *atom = form->terms[i].atom, *a, *b;
    if (atom->kind != HY_EXPR_OP || (atom->op != HY_OP_MIN && atom->op != HY_OP_MAX)) continue;
    hy_op op;
    hy_affine_distribute(table, form, i, &op, &a, &b);
    int64_t left, right;
    bool is_left = most_of(table, a, looks, &left), is_right = most_of(table, b, looks, &right);
    if (op == HY_OP_MIN ? !is_left && !is_right : !is_left || !is_right) continue;
    *most = !is_right || (is_left && (op == HY_OP_MIN) == (left < right)) ? left : right;
    return true;
  }
  return false;
}

// The same under the conditions around, if it is a length that fits; else 0.
static int64_t longest(extent_walk *w, const hy_expr *length, int64_t fits) {
  int looks = MOST_LOOKS;
  int64_t most;
  const hy_expr *known = hy_expr_substitute(w->c->context, length, w->equations, w->count);
  return most_of(w->table, known, &looks, &most) && most > 1 && most <= fits ? most : 0;
}

// "fits": the most that a loop run so may have; 0: it is constant, and more than that.
static const char *help_of_extent(extent_walk *w, const hy_stmt *stmt, const char *how, int64_t fits) {
  const checker *c = w->c;
  const hy_var *loop = stmt->loop.var;
  hy_arena *arena = hy_context_arena(c->context);
  int64_t most = longest(w, stmt->loop.interval.len, fits);
  bool is_power = most > 0 && (most & (most - 1)) == 0;
  const char *split = hy_arena_printf(
      arena, "split the loop by a constant and %s the inner one: %s.%s(%s, %lld) does both", how,
      hy_alternatives_chain(c->context, loop), how, spoken_of(c, loop), is_power ? (long long)most : 8LL);
  int dim = dimension_of(c, loop);
  const hy_stmt *compute = hy_tree_find(c->tgt->body, HY_STMT_COMPUTE, loop->func);
  if (dim < 0 || !compute || !fits || is_copied(c, loop->func)) return split;
  most = longest(w, compute->compute.box[dim].len, fits);
  if (most && is_cut_off(c, compute) && reads_image(c, loop->func))
    return hy_arena_printf(arena,
                           "%s; or %s.bound_extent(%s, %lld), since '%s' is needed at most so long in '%s' each time: "
                           "its last block then reads as much, which has to lie inside of the images (HY0617)",
                           split, loop->func->name, loop->name, (long long)most, loop->func->name, loop->name);
  if (most)
    return hy_arena_printf(arena,
                           "'%s' is needed at most %lld long in '%s' each time, %s.bound_extent(%s, %lld) makes it so "
                           "long; or %s",
                           loop->func->name, (long long)most, loop->name, loop->func->name, loop->name, (long long)most,
                           split);
  return hy_arena_printf(
      arena,
      "%s; or say how long '%s' is wherever '%s' is computed, if it is as long each time: %s.bound_extent(%s, 16)",
      split, loop->name, loop->func->name, loop->func->name, loop->name);
}

// FIN.Extent: vectorized and unrolled loops have constant extents, under the conditions around them (decision D45).
static void check_extent(extent_walk *w, const hy_stmt *stmt) {
  checker *c = w->c;
  if (stmt->loop.traversal != HY_VECTORIZED && stmt->loop.traversal != HY_UNROLLED) return;
  int64_t extent, most = stmt->loop.traversal == HY_VECTORIZED ? 256 : 4096;
  const char *name = hy_names_of(c->context, stmt->loop.var);
  const char *how = stmt->loop.traversal == HY_VECTORIZED ? "vectorize" : "unroll";
  const hy_expr *len = hy_expr_substitute(c->context, stmt->loop.interval.len, w->equations, w->count);
  bool constant = hy_expr_is_int(hy_affine_normal(w->table, len), &extent);
  if (constant && extent >= 0 && extent <= most) return;
  hy_context_hit(c->context, HY_RULE_FIN_EXTENT);
  c->legal = false;
  hy_report(c->diagnostics, HY_E_EXTENT_NOT_CONSTANT, blame_loop(c, stmt->loop.var), "FIN.Extent (decision D45)",
            help_of_extent(w, stmt, how, constant ? 0 : most),
            constant ? "the extent of the %s loop '%s' is %lld, more than fits"
                     : "the extent of the %s loop '%s' is not a constant",
            hy_traversal_name(stmt->loop.traversal), name, constant ? (long long)extent : 0LL);
  note_copy(c, stmt->loop.var);
}

static void check_extents(extent_walk *w, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) check_extent(w, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  size_t known = w->count;
  for (int i = 0; i < count; i++) {
    if (i == 0 && stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_SPECIALIZE)
      w->count += hy_expr_equations(stmt->branch.condition, w->equations + known, MOST_EQUATIONS - known);
    check_extents(w, children[i]);
    w->count = known;
  }
}

/* -- slides, once the holes are filled -- */

typedef struct {
  const hy_stmt *compute;
  const hy_var *var; // of one dimension
  bool differs;      // what it ranges over, from the box
  int dim;
} range_search;

static void see_range(void *self, const hy_stmt *stmt) {
  range_search *s = self;
  hy_interval box = s->compute->compute.box[s->dim], range;
  if (stmt->kind == HY_STMT_FOR && stmt->loop.var == s->var)
    range = stmt->loop.interval;
  else if (stmt->kind == HY_STMT_LET && stmt->let.var == s->var)
    range = stmt->let.origin.range;
  else
    return;
  s->differs |= range.min != box.min || range.len != box.len;
}

static void see_less(void *self, const hy_stmt *stmt) {
  range_search *s = self;
  if (stmt->kind != HY_STMT_ASSIGN || stmt->assign.func != s->compute->compute.func) return;
  for (s->dim = 0; s->dim < stmt->assign.func->rank; s->dim++) {
    if (stmt->assign.lhs[s->dim]->kind != HY_EXPR_VAR) continue;
    s->var = stmt->assign.lhs[s->dim]->var;
    hy_tree_visit(s->compute->compute.body, see_range, s);
  }
}

// FIN.Slide: what slides computes less than its box (ORA.Slide).
static void check_slide(checker *c, const hy_directive *d) {
  range_search s = {.compute = hy_tree_find(c->tgt->body, HY_STMT_COMPUTE, d->func)};
  hy_tree_visit(s.compute->compute.body, see_less, &s);
  if (s.differs) return;
  hy_context_hit(c->context, HY_RULE_FIN_SLIDE);
  c->legal = false;
  hy_report(
      c->diagnostics, HY_E_NO_SLIDE, hy_directive_at(d, d->at.loop), "FIN.Slide (decision D85)",
      "slide along a loop that moves what is read of it in one dimension, always the same way, and split that one with "
      "the tail 'guard'; or leave it out",
      "'%s' would be computed anew in each iteration of '%s' all the same: what is needed there is not seen to "
      "move in one dimension and one direction",
      d->func->name, hy_names_of(c->context, d->loop));
}

bool hy_sched_extents(hy_context *context, const hy_tgt *filled, const hy_directive *core, int count, hy_loc fallback,
                      hy_diagnostics *diagnostics) {
  checker c = {context, filled, core, count, fallback, diagnostics, true};
  extent_walk w = {.c = &c, .table = hy_affine_table_new(context)};
  check_extents(&w, filled->body);
  hy_affine_table_free(w.table);
  for (int i = 0; i < count; i++)
    if (core[i].type == &hy_directive_slide) check_slide(&c, &core[i]);
  return c.legal;
}
