#include "bounds/query_internal.h"

/* -- B.Cover: through the inverse map of the directives (decisions D54, D55) --
 *
 * The inverse map is a witness, and nothing in it is believed (decision D70). It gives each loop one value, in terms of
 * what has one already: such equations have a solution whatever they claim, so that they can never make the facts
 * contradict each other. What has no value that way is owed as "false". Ranges of reduction variables, over which
 * coverage is quantified, are owed to hold all values that the loops give.
 */

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

static bool speaks_of_unknown(const var_list *known, const hy_stmt *const *chain, size_t count, const hy_expr *expr);

static const hy_var *bound_by(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) return stmt->loop.var;
  return stmt->kind == HY_STMT_LET ? stmt->let.var : NULL;
}

// May an inverse give the loop a value? One of this stage, once.
static bool may_define(const var_list *known, const hy_stmt *const *chain, size_t count, const hy_var *var) {
  for (size_t i = 0; i < count; i++)
    if (bound_by(chain[i]) == var) return !has(known, var);
  return false;
}

// Does an expression speak of a variable of the chain that has no value yet?
static bool speaks_of_unknown(const var_list *known, const hy_stmt *const *chain, size_t count, const hy_expr *expr) {
  for (size_t i = 0; i < count; i++) {
    const hy_var *var = bound_by(chain[i]);
    if (var && !has(known, var) && hy_expr_mentions(expr, var)) return true;
  }
  return false;
}

// Is everything known that the ways back of a relation are computed from: its lets, and what its formulas rest on?
static bool is_settled(const var_list *known, const hy_stmt *const *chain, size_t count, const hy_related *related) {
  const hy_expr *terms[HY_MOST_TERMS];
  for (int i = 0; i < related->relation->let_count; i++)
    if (!has(known, related->relation->lets[i])) return false;
  int term_count = hy_related_terms(related, terms);
  for (int i = 0; i < term_count; i++)
    if (speaks_of_unknown(known, chain, count, terms[i])) return false;
  return true;
}

// The ways back of the relation that a let is of, each loop in turn. False if nothing is new. They are a witness: that
// it lies in the loops' ranges and leads to the lets' values is owed. Each loop gets one value, in terms of what has
// one: the equations can always be met, whatever they claim.
static bool invert_let(hy_query_walk *w, var_list *known, const hy_stmt *const *chain, size_t count,
                       const hy_stmt *let) {
  const hy_relation *r = let->let.origin.relation;
  if (!r) return false;
  bool any = false;
  hy_related related = hy_relation_in(r, chain, count);
  if (!is_settled(known, chain, count, &related)) return false;
  for (int i = 0; i < r->loop_count; i++) {
    const hy_expr *inverse =
        may_define(known, chain, count, r->loops[i]) ? hy_related_inverse(w->context, &related, i) : NULL;
    if (!inverse || speaks_of_unknown(known, chain, count, inverse)) continue;
    equate(w, known, r->loops[i], inverse);
    any = true;
  }
  return any;
}

// Once through the lets of the chain; innermost lets were made first. False if no more loop got a value.
static bool invert(hy_query_walk *w, var_list *known, const hy_stmt *const *chain, size_t count) {
  bool changed = false;
  for (size_t i = count; i-- > 0;)
    if (chain[i]->kind == HY_STMT_LET && has(known, chain[i]->let.var))
      changed |= invert_let(w, known, chain, count, chain[i]);
  return changed;
}

static bool is_source(const hy_stmt *const *chain, size_t count, const hy_var *var) {
  for (size_t i = 0; i < count; i++)
    if (chain[i]->kind == HY_STMT_LET &&
        (hy_origin_has_source(&chain[i]->let.origin, var) || hy_relation_has_loop(chain[i]->let.origin.relation, var)))
      return true;
  return false;
}

// Does a way back that a directive gives speak of it? (What the formulas speak of is another matter: O_1 asks it.)
static bool is_spoken_of(const hy_stmt *const *chain, size_t count, const hy_var *var) {
  for (size_t i = 0; i < count; i++) {
    const hy_relation *r = chain[i]->kind == HY_STMT_LET ? chain[i]->let.origin.relation : NULL;
    for (int k = 0; r && k < r->loop_count; k++)
      if (r->inverses[k] && hy_expr_mentions(r->inverses[k], var)) return true;
  }
  return false;
}

static bool is_known_interval(const var_list *known, const hy_stmt *const *chain, size_t count, hy_interval i) {
  return !speaks_of_unknown(known, chain, count, i.min) && !speaks_of_unknown(known, chain, count, i.len);
}

static void quantify(hy_query_walk *w, var_list *known, const hy_var *var, hy_interval range) {
  const hy_expr *v = hy_expr_var(w->context, var);
  hy_query_push_fact(w, binary(w, HY_OP_GE, v, range.min));
  hy_query_push_fact(w, binary(w, HY_OP_LT, v, end_of(w, range)));
  hy_vec_push(known, var);
}

// A reduction loop that was split or fused must still take all of its values: they are quantified like a point of Cpu,
// over ranges that speak of what is known. An rdom's own loop only if a way back speaks of it. False: nothing is new.
static bool quantify_reductions(hy_query_walk *w, var_list *known, const hy_stmt *const *chain, size_t count) {
  size_t before = known->count;
  for (size_t i = 0; i < count; i++) {
    const hy_var *var = bound_by(chain[i]);
    if (!var || has(known, var) || is_source(chain, count, var)) continue;
    bool is_loop = chain[i]->kind == HY_STMT_FOR;
    if (is_loop ? chain[i]->loop.is_pure || !is_spoken_of(chain, count, var) : !chain[i]->let.origin.relation) continue;
    hy_interval range = is_loop ? chain[i]->loop.interval : chain[i]->let.origin.range;
    if (is_known_interval(known, chain, count, range)) quantify(w, known, var, range);
  }
  return known->count > before;
}

// Is a coordinate a pure variable, a loop's own or one made of loops (decision D37)?
static bool is_pure(const hy_stmt *const *chain, size_t count, const hy_var *var) {
  for (size_t i = 0; i < count; i++) {
    if (chain[i]->kind == HY_STMT_FOR && chain[i]->loop.var == var) return chain[i]->loop.is_pure;
    if (chain[i]->kind == HY_STMT_LET && chain[i]->let.var == var) // without an origin nothing tells what it takes
      return chain[i]->let.origin.relation && is_pure(chain, count, chain[i]->let.origin.sources[0]);
  }
  return false;
}

/* -- that the ranges of reduction variables are what the origins say -- */

// Does the statement's value, or its range, speak of "var"?
static bool rests_on(const hy_stmt *stmt, const hy_var *var) {
  if (stmt->kind == HY_STMT_FOR)
    return hy_expr_mentions(stmt->loop.interval.min, var) || hy_expr_mentions(stmt->loop.interval.len, var);
  return hy_expr_mentions(stmt->let.value, var);
}

// The variables of the chain that a let's value and range rest on, itself included: innermost first, because each rests
// on what is around it.
static void find_rests(const hy_stmt *const *chain, size_t count, const hy_stmt *let, var_list *on) {
  hy_vec_push(on, let->let.var);
  for (size_t i = count; i-- > 0;) {
    const hy_var *var = bound_by(chain[i]);
    if (!var || has(on, var)) continue;
    bool rests = hy_expr_mentions(let->let.origin.range.min, var) || hy_expr_mentions(let->let.origin.range.len, var);
    for (size_t k = i + 1; k < count && !rests; k++)
      rests = bound_by(chain[k]) && has(on, bound_by(chain[k])) && rests_on(chain[k], var);
    if (rests) hy_vec_push(on, var);
  }
}

static bool is_about(const hy_stmt *const *chain, size_t count, const hy_expr *condition, const var_list *on) {
  for (size_t i = 0; i < count; i++)
    if (bound_by(chain[i]) && !has(on, bound_by(chain[i])) && hy_expr_mentions(condition, bound_by(chain[i])))
      return false;
  return true;
}

// What the loops, lets and guards that it rests on say, and nothing of the others: whether the pure loops run at all is
// another matter.
static void push_rests(hy_query_walk *w, const hy_stmt *const *chain, size_t count, const var_list *on) {
  for (size_t i = 0; i < count; i++) {
    const hy_stmt *stmt = chain[i];
    const hy_var *var = bound_by(stmt);
    if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD &&
        is_about(chain, count, stmt->branch.condition, on))
      hy_query_push_branch(w, stmt, stmt->branch.then);
    if (!var || !has(on, var)) continue;
    const hy_expr *v = hy_expr_var(w->context, var);
    if (stmt->kind == HY_STMT_LET) {
      hy_query_push_fact(w, binary(w, HY_OP_EQ, v, stmt->let.value));
      continue;
    }
    hy_query_push_fact(w, binary(w, HY_OP_LE, stmt->loop.interval.min, v));
    hy_query_push_fact(w, binary(w, HY_OP_LT, v, end_of(w, stmt->loop.interval)));
  }
}

// The range over which coverage quantifies a reduction variable holds all of its values: one that is too small, or
// empty, would leave less to cover.
static void owe_range(hy_query_walk *w, hy_query_place at, const hy_stmt *const *chain, size_t count,
                      const hy_stmt *let) {
  var_list on = {0};
  size_t facts = w->facts.count;
  const hy_expr *v = hy_expr_var(w->context, let->let.var);
  hy_interval range = let->let.origin.range;
  find_rests(chain, count, let, &on);
  push_rests(w, chain, count, &on);
  at = hy_query_on(at, let);
  hy_query_owe(w, HY_B_COVER, at, binary(w, HY_OP_LE, range.min, v), "%s stays above the minimum of its range",
               hy_query_print(w, v));
  hy_query_owe(w, HY_B_COVER, at, binary(w, HY_OP_LT, v, end_of(w, range)), "%s stays below the end of its range",
               hy_query_print(w, v));
  hy_query_pop_facts(w, facts);
  hy_vec_free(&on);
}

static void owe_ranges(hy_query_walk *w, hy_query_place at, const hy_stmt *assign, const hy_stmt *const *chain,
                       size_t count) {
  for (size_t i = 0; i < count; i++) {
    const hy_stmt *let = chain[i];
    if (let->kind != HY_STMT_LET || !let->let.origin.relation || is_source(chain, count, let->let.var)) continue;
    bool covers = false; // then the values of Cpu are what it has to take
    for (int d = 0; d < at.func->rank; d++)
      covers |= assign->assign.lhs[d] == hy_expr_var(w->context, let->let.var) && is_pure(chain, count, let->let.var);
    if (!covers) owe_range(w, at, chain, count, let);
  }
}

// What of Cpu need not be covered, for messages.
static const char *but_kept(const hy_query_walk *w, hy_query_place at) {
  return w->computes[at.func->index]->compute.keep ? ", but what is kept," : "";
}

static void owe_cover_step(hy_query_walk *w, hy_query_place at, const hy_stmt *const *chain, size_t count,
                           const hy_stmt *step, const var_list *known) {
  const hy_expr *v;
  at = hy_query_on(at, step);
  switch (step->kind) {
  case HY_STMT_FOR:
    v = hy_expr_var(w->context, step->loop.var);
    if (!has(known, step->loop.var)) {
      if (!step->loop.is_pure && !is_source(chain, count, step->loop.var)) { // an rdom's own loop
        if (at.stage == 0) // nobody writes points before (decision D71)
          hy_query_owe(w, HY_B_COVER, at, binary(w, HY_OP_GE, step->loop.interval.len, hy_expr_int(w->context, 1)),
                       "the reduction loop %s of a pure stage runs", hy_query_print(w, v));
        return;
      }
      // no inverse: this cannot be shown, and must not be passed over
      hy_query_owe(w, HY_B_COVER, at, hy_expr_bool(w->context, false), "loop %s has an inverse map",
                   hy_query_print(w, v));
      return;
    }
    hy_query_owe(w, HY_B_COVER, at, binary(w, HY_OP_LE, step->loop.interval.min, v),
                 "loop %s reaches down to all of Cpu(%s)%s", hy_query_print(w, v), at.func->name, but_kept(w, at));
    hy_query_owe(w, HY_B_COVER, at, binary(w, HY_OP_LT, v, end_of(w, step->loop.interval)),
                 "loop %s reaches up to all of Cpu(%s)%s", hy_query_print(w, v), at.func->name, but_kept(w, at));
    return;
  case HY_STMT_LET:
    if (!step->let.origin.relation) return;
    v = hy_expr_var(w->context, step->let.var);
    hy_query_owe(w, HY_B_COVER, at, binary(w, HY_OP_EQ, v, step->let.value), "%s takes every value of Cpu(%s)%s",
                 hy_query_print(w, v), at.func->name, but_kept(w, at));
    return;
  case HY_STMT_IF:
    if (step->branch.why != HY_IF_GUARD) return;
    hy_query_owe(w, HY_B_COVER, at, step->branch.condition, "the guard %s lets all of Cpu(%s)%s pass",
                 hy_query_print(w, step->branch.condition), at.func->name, but_kept(w, at));
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

// What it says speaks of nothing that is not known: of a let whose loops are not, all values would be asked for.
static bool is_settled_step(const var_list *known, const hy_stmt *const *chain, size_t count, const hy_stmt *step) {
  if (step->kind == HY_STMT_FOR)
    return has(known, step->loop.var) && is_known_interval(known, chain, count, step->loop.interval);
  if (step->kind == HY_STMT_LET)
    return has(known, step->let.var) && !speaks_of_unknown(known, chain, count, step->let.value);
  return step->kind == HY_STMT_IF && !speaks_of_unknown(known, chain, count, step->branch.condition);
}

// First what the point of Cpu alone settles, then what is settled for each value of the reductions. Not all at once: of
// a reduction without values everything would hold, and a pure loop that leaves points out never reaches it, so that
// nobody sees that there are none (decision D62).
static void owe_cover_steps(hy_query_walk *w, hy_query_place at, const hy_stmt *const *chain, size_t count,
                            var_list *known) {
  bool early = at.stage > 0;
  for (bool changed = early; changed;) changed = invert(w, known, chain, count);
  size_t settled = early ? known->count : 0;
  for (size_t i = 0; i < count && early; i++)
    if (is_settled_step(known, chain, count, chain[i])) owe_cover_step(w, at, chain, count, chain[i], known);
  for (bool changed = true; changed;) {
    changed = at.stage > 0 && quantify_reductions(w, known, chain, count); // a pure stage reduces nothing
    changed |= invert(w, known, chain, count);
  }
  for (size_t i = 0; i < count; i++) {
    const var_list first = {.data = known->data, .count = settled};
    if (!early || !is_settled_step(&first, chain, count, chain[i]))
      owe_cover_step(w, at, chain, count, chain[i], known);
  }
}

// Must an assignment of the stage name the dimension? The pure stage names all: nobody writes points before. In updates
// it is what the algorithm says, where the program has one; loops that are marked as reductions do not change that.
static bool must_cover(const hy_query_walk *w, hy_query_place at, int dim) {
  if (at.stage == 0) return true;
  const hy_definition *definition = hy_alg_definition(w->tgt->alg, at.func);
  return definition && at.stage < definition->stage_count && (definition->stages[at.stage].pure >> dim & 1);
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
    if (chain[i]->kind == HY_STMT_IF && chain[i]->branch.why == HY_IF_SPECIALIZE)
      hy_query_push_branch(w, chain[i], chain[i + 1]);
  size_t branches = w->facts.count;
  int covering = 0;
  for (int i = 0; i < at.func->rank; i++) {
    const hy_expr *e = assign->assign.lhs[i];
    bool covers = e->kind == HY_EXPR_VAR && e->var->kind == HY_VAR_LOOP && is_pure(chain, count, e->var);
    // A variable of its own for every dimension (D55: no diagonal).
    if (must_cover(w, at, i) && (!covers || has(&known, e->var)))
      hy_query_owe(w, HY_B_COVER, at, hy_expr_bool(w->context, false), "%s %s covers its dimension %s",
                   at.stage ? "an update of" : "the pure stage of", at.func->name, at.func->dims[i]);
    if (!covers) continue;
    covering++;
    hy_vec_push(&known, e->var);
    hy_query_push_fact(w, binary(w, HY_OP_GE, e, compute->compute.box[i].min));
    hy_query_push_fact(w, binary(w, HY_OP_LT, e, end_of(w, compute->compute.box[i])));
  }
  if (covering == at.func->rank) hy_query_push_slide(w, compute, assign->assign.lhs); // it speaks of whole points
  owe_cover_steps(w, at, chain, count, &known);
  hy_query_pop_facts(w, branches);
  owe_ranges(w, at, assign, chain, count);
  hy_query_pop_facts(w, keep);
  for (size_t i = 0; i < inside.count; i++) hy_query_push_fact(w, inside.data[i]);
  hy_vec_free(&inside);
  hy_vec_free(&known);
}
