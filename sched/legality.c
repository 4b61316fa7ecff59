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

enum { MOST_EQUATIONS = 16 };

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

// Is it a whole dimension of what is computed in a loop? There each region is as long as .bound_extent says.
static bool is_whole_dimension(const checker *c, const hy_var *loop) {
  bool is_moved = false, is_dimension = false;
  for (int i = 0; i < c->count; i++)
    is_moved |= c->core[i].type->phase == HY_PHASE_COMPUTE && c->core[i].func == loop->func && c->core[i].loop;
  for (int d = 0; d < loop->func->rank; d++) is_dimension |= strcmp(loop->func->dims[d], loop->name) == 0;
  return is_moved && is_dimension;
}

static const char *help_of_extent(const checker *c, const hy_var *loop, const char *how) {
  hy_arena *arena = hy_context_arena(c->context);
  const char *split =
      hy_arena_printf(arena, "split the loop by a constant and %s the inner one: %s.%s(%s, 8) does both", how,
                      hy_alternatives_chain(c->context, loop), how, spoken_of(c, loop));
  if (!is_whole_dimension(c, loop)) return split;
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
            help_of_extent(c, stmt->loop.var, how),
            constant ? "the extent of the %s loop '%s' is %lld, more than fits"
                     : "the extent of the %s loop '%s' is not a constant",
            hy_traversal_name(stmt->loop.traversal), name, constant ? (long long)extent : 0LL);
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
