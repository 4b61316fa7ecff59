#include "bounds/query_internal.h"

/* -- B.Cover: through the inverse map of the directives (decisions D54, D55) -- */

typedef HY_VEC(const hy_var *) var_list;

static bool has(const var_list *list, const hy_var *var) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == var) return true;
  return false;
}

static void equate(hy_query_walk *w, var_list *known, const hy_var *var, const hy_expr *value) {
  hy_query_push_fact(w, binary(w, HY_OP_EQ, hy_expr_var(w->context, var), value));
  hy_vec_push(known, var);
}

// The inverse of a split: outer = (v - min) / factor, inner = what is left.
static void invert_split(hy_query_walk *w, var_list *known, const hy_stmt *let) {
  const hy_origin *o = &let->let.origin;
  const hy_expr *v = hy_expr_var(w->context, let->let.var), *outer = hy_expr_var(w->context, o->outer);
  const hy_expr *offset = binary(w, HY_OP_SUB, v, o->range.min);
  equate(w, known, o->outer, binary(w, HY_OP_DIV, offset, o->factor));
  const hy_expr *start = binary(w, HY_OP_ADD, o->range.min, binary(w, HY_OP_MUL, o->factor, outer));
  if (o->tail == HY_TAIL_SHIFT && !HY_MUTANT(D31_Inverse_Without_Shift))
    start = binary(w, HY_OP_MIN, start, binary(w, HY_OP_SUB, end_of(w, o->range), o->factor));
  equate(w, known, o->inner, binary(w, HY_OP_SUB, v, start));
}

// The inverse of a fusion: t = (x1 - min1) * len2 + (x2 - min2), once both are known.
static void invert_fuse(hy_query_walk *w, var_list *known, const hy_stmt *first, const hy_stmt *second) {
  const hy_origin *a = &first->let.origin, *b = &second->let.origin;
  const hy_expr *x1 = hy_expr_var(w->context, first->let.var), *x2 = hy_expr_var(w->context, second->let.var);
  const hy_expr *row = binary(w, HY_OP_MUL, binary(w, HY_OP_SUB, x1, a->range.min), a->factor);
  equate(w, known, a->outer,
         HY_MUTANT(B_Fuse_Inverse_Turned) ? row : binary(w, HY_OP_ADD, row, binary(w, HY_OP_SUB, x2, b->range.min)));
}

// Does an expression speak of a variable of the chain that has no value yet?
static bool speaks_of_unknown(const var_list *known, const hy_stmt *const *chain, size_t count, const hy_expr *expr) {
  for (size_t i = 0; i < count; i++) {
    const hy_var *var = chain[i]->kind == HY_STMT_FOR   ? chain[i]->loop.var
                        : chain[i]->kind == HY_STMT_LET ? chain[i]->let.var
                                                        : NULL;
    if (var && !has(known, var) && hy_expr_mentions(expr, var)) return true;
  }
  return false;
}

// The way back that a directive from outside the tree gives: once all of its variables are known, each of its loops in
// turn. It is a witness like the others: that it lies in the loops' ranges and leads to the variables' values is owed.
// Each loop gets one value, in terms of what has one: the equations can always be met, whatever they claim.
static bool invert_given(hy_query_walk *w, var_list *known, const hy_stmt *const *chain, size_t count,
                         const hy_given *given) {
  bool any = false;
  for (int i = 0; i < given->let_count; i++)
    if (!has(known, given->lets[i])) return false;
  for (int i = 0; i < given->loop_count; i++) {
    if (has(known, given->loops[i]) || speaks_of_unknown(known, chain, count, given->inverses[i])) continue;
    equate(w, known, given->loops[i], given->inverses[i]);
    any = true;
  }
  return any;
}

// Goes through the lets of the chain until no more loop gets a value; innermost lets were made first.
static void invert(hy_query_walk *w, var_list *known, const hy_stmt *const *chain, size_t count) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = count; i-- > 0;) {
      if (chain[i]->kind != HY_STMT_LET || !has(known, chain[i]->let.var)) continue;
      const hy_origin *o = &chain[i]->let.origin;
      if (o->kind == HY_ORIGIN_GIVEN) changed |= invert_given(w, known, chain, count, o->given);
      if (o->kind == HY_ORIGIN_NONE || o->kind == HY_ORIGIN_GIVEN || has(known, o->outer)) continue;
      if (o->kind == HY_ORIGIN_SPLIT) {
        invert_split(w, known, chain[i]);
        changed = true;
        continue;
      }
      if (o->kind != HY_ORIGIN_FUSE_OUTER) continue;
      for (size_t k = 0; k < count; k++)
        if (chain[k]->kind == HY_STMT_LET && chain[k]->let.origin.kind == HY_ORIGIN_FUSE_INNER &&
            chain[k]->let.origin.outer == o->outer && has(known, chain[k]->let.var)) {
          invert_fuse(w, known, chain[i], chain[k]);
          changed = true;
          break;
        }
    }
  }
}

static bool is_given(const hy_given *given, const hy_var *var) {
  for (int i = 0; given && i < given->loop_count; i++)
    if (given->loops[i] == var) return true;
  return false;
}

static bool is_source(const hy_stmt *const *chain, size_t count, const hy_var *var) {
  for (size_t i = 0; i < count; i++)
    if (chain[i]->kind == HY_STMT_LET && (chain[i]->let.origin.outer == var || chain[i]->let.origin.inner == var ||
                                          is_given(chain[i]->let.origin.given, var)))
      return true;
  return false;
}

static bool is_spoken_of(const hy_stmt *const *chain, size_t count, const hy_var *var) {
  for (size_t i = 0; i < count; i++) {
    const hy_given *given = chain[i]->kind == HY_STMT_LET ? chain[i]->let.origin.given : NULL;
    for (int k = 0; given && k < given->loop_count; k++)
      if (hy_expr_mentions(given->inverses[k], var)) return true;
  }
  return false;
}

// A reduction loop that was split or fused must still take all of its values: they are quantified like a point of Cpu.
static void assume_reductions(hy_query_walk *w, var_list *known, const hy_stmt *const *chain, size_t count) {
  for (size_t i = 0; i < count; i++) { // an rdom's own loop, if a way back speaks of it
    if (chain[i]->kind != HY_STMT_FOR || chain[i]->loop.is_pure || is_source(chain, count, chain[i]->loop.var))
      continue;
    const hy_expr *v = hy_expr_var(w->context, chain[i]->loop.var);
    if (!is_spoken_of(chain, count, chain[i]->loop.var)) continue;
    hy_query_push_fact(w, binary(w, HY_OP_LE, chain[i]->loop.interval.min, v));
    hy_query_push_fact(w, binary(w, HY_OP_LT, v, end_of(w, chain[i]->loop.interval)));
    hy_vec_push(known, chain[i]->loop.var);
  }
  for (size_t i = 0; i < count; i++) {
    if (chain[i]->kind != HY_STMT_LET || chain[i]->let.origin.kind == HY_ORIGIN_NONE) continue;
    const hy_var *var = chain[i]->let.var;
    if (has(known, var) || is_source(chain, count, var)) continue;
    const hy_expr *v = hy_expr_var(w->context, var);
    hy_query_push_fact(w, binary(w, HY_OP_GE, v, chain[i]->let.origin.range.min));
    hy_query_push_fact(w, binary(w, HY_OP_LT, v, end_of(w, chain[i]->let.origin.range)));
    hy_vec_push(known, var);
  }
}

static void owe_cover_step(hy_query_walk *w, hy_query_place at, const hy_stmt *const *chain, size_t count,
                           const hy_stmt *step, const var_list *known) {
  const hy_expr *v;
  at = hy_query_on(at, step);
  switch (step->kind) {
  case HY_STMT_FOR:
    v = hy_expr_var(w->context, step->loop.var);
    if (!has(known, step->loop.var)) {
      if (!step->loop.is_pure && !is_source(chain, count, step->loop.var)) return; // an rdom's own loop
      // no inverse: this cannot be shown, and must not be passed over
      hy_query_owe(w, HY_B_COVER, at, hy_expr_bool(w->context, false), "loop %s has an inverse map",
                   hy_query_print(w, v));
      return;
    }
    if (!HY_MUTANT(B_Cover_Lower_Unasked))
      hy_query_owe(w, HY_B_COVER, at, binary(w, HY_OP_LE, step->loop.interval.min, v),
                   "loop %s reaches down to all of Cpu(%s)", hy_query_print(w, v), at.func->name);
    if (HY_MUTANT(B_Cover_Upper_Unasked)) return;
    hy_query_owe(w, HY_B_COVER, at, binary(w, HY_OP_LT, v, end_of(w, step->loop.interval)),
                 "loop %s reaches up to all of Cpu(%s)", hy_query_print(w, v), at.func->name);
    return;
  case HY_STMT_LET:
    if (step->let.origin.kind == HY_ORIGIN_NONE || HY_MUTANT(B_Cover_Let_Unasked)) return;
    v = hy_expr_var(w->context, step->let.var);
    hy_query_owe(w, HY_B_COVER, at, binary(w, HY_OP_EQ, v, step->let.value), "%s takes every value of Cpu(%s)",
                 hy_query_print(w, v), at.func->name);
    return;
  case HY_STMT_IF:
    if (step->branch.why != HY_IF_GUARD || HY_MUTANT(D55_Guards_Pass)) return;
    hy_query_owe(w, HY_B_COVER, at, step->branch.condition, "the guard %s lets all of Cpu(%s) pass",
                 hy_query_print(w, step->branch.condition), at.func->name);
    return;
  case HY_STMT_NOP:
  case HY_STMT_ASSUME:
  case HY_STMT_SEQ:
  case HY_STMT_ALLOCATE:
  case HY_STMT_ASSIGN:
  case HY_STMT_COMPUTE:
  case HY_STMT_LABEL: return;
  }
  HY_UNREACHABLE();
}

// Is a coordinate a pure variable, a loop's own or one made of loops (decision D37)?
static bool is_pure(const hy_stmt *const *chain, size_t count, const hy_var *var) {
  for (size_t i = 0; i < count; i++) {
    if (chain[i]->kind == HY_STMT_FOR && chain[i]->loop.var == var) return chain[i]->loop.is_pure;
    if (chain[i]->kind == HY_STMT_LET && chain[i]->let.var == var) // without an origin nothing tells what it takes
      return chain[i]->let.origin.kind != HY_ORIGIN_NONE && is_pure(chain, count, chain[i]->let.origin.outer);
  }
  return false;
}

// For every point of Cpu over the stage's pure dimensions there is an iteration that assigns it: the inverse map names
// it. The loop variables are read as the witness's values here, so none of their own facts may be in scope.
void hy_query_owe_cover(hy_query_walk *w, hy_query_place at, const hy_stmt *assign) {
  const hy_stmt *compute = w->computes[at.func->index];
  size_t top = w->path.count;
  while (top > 0 && w->path.data[top - 1] != compute) top--;
  if (!top) {
    hy_query_owe_missing(w, HY_B_COVER, at, at.func->name, "its computation around it");
    return;
  }
  hy_expr_list inside = {0};
  size_t keep = w->facts_at.data[top - 1];
  for (size_t i = keep; i < w->facts.count; i++) hy_vec_push(&inside, w->facts.data[i]);
  hy_query_pop_facts(w, keep);
  var_list known = {0};
  const hy_stmt *const *chain = w->path.data + top;
  size_t count = w->path.count - top;
  for (size_t i = 0; i + 1 < count; i++) // each specialization under its own condition (decision D44)
    if (chain[i]->kind == HY_STMT_IF && chain[i]->branch.why == HY_IF_SPECIALIZE && !HY_MUTANT(D44_Coverage_Everywhere))
      hy_query_push_branch(w, chain[i], chain[i + 1]);
  for (int i = 0; i < at.func->rank; i++) {
    const hy_expr *e = assign->assign.lhs[i];
    bool covers = e->kind == HY_EXPR_VAR && e->var->kind == HY_VAR_LOOP &&
                  (is_pure(chain, count, e->var) || HY_MUTANT(D54_All_Dimensions));
    // Nobody writes points before the pure stage: it has a variable of its own for every dimension (D55: no diagonal).
    if (assign->assign.stage == 0 && !HY_MUTANT(D55_Diagonal_Covers) && (!covers || has(&known, e->var)))
      hy_query_owe(w, HY_B_COVER, at, hy_expr_bool(w->context, false), "the pure stage of %s covers its dimension %s",
                   at.func->name, at.func->dims[i]);
    if (!covers) continue;
    hy_vec_push(&known, e->var);
    hy_query_push_fact(w, binary(w, HY_OP_GE, e, compute->compute.box[i].min));
    hy_query_push_fact(w, binary(w, HY_OP_LT, e, end_of(w, compute->compute.box[i])));
  }
  assume_reductions(w, &known, chain, count);
  invert(w, &known, chain, count);
  bool branch = count && chain[0]->kind == HY_STMT_IF && chain[0]->branch.why == HY_IF_SPECIALIZE;
  for (size_t i = 0; i < count && !(branch && HY_MUTANT(D44_Branches_Uncovered)); i++)
    owe_cover_step(w, at, chain, count, chain[i], &known);
  hy_query_pop_facts(w, keep);
  for (size_t i = 0; i < inside.count; i++) hy_query_push_fact(w, inside.data[i]);
  hy_vec_free(&inside);
  hy_vec_free(&known);
}
