#include "validate/validate_internal.h"

#include "bounds/query.h"
#include "oracle/oracle.h"
#include "oracle/prover/prover.h"
#include "oracle/z3/z3_check.h"
#include "semantics/base/vec.h"
#include "semantics/tgt/range.h"

#include <stdlib.h>
#include <string.h>

/* L3: the loops around an assignment, for all inputs and whatever the holes will be filled with.
 *
 * Holes become unknowns of which only "length >= 0" is known; loops of stages that are not the last range over Cpu, as
 * their fills do (decision D41). A second iteration has a fresh copy of the variables that may differ. Questions are
 * quantifier-free; by composition along the chain of lets they say what the whole nest does:
 *
 *   coverage      B.Cover's obligations for a program that consists of this stage alone
 *   range         every let lies within the range of the loop that it replaced (where points are added or come twice:
 *                 that the directives say stays in it)
 *   uniqueness    equal lets have equal sources (not asked where points may come twice)
 *   order         a loop later, the same point: a greater tuple of reduction variables
 *   disjointness  outer loops equal, pure keys equal: the same iteration of a parallel or vectorized loop
 *   reordering    of the update that an rfactor takes apart: what validate/reordered.c says has to hold
 */

typedef HY_VEC(const hy_expr *) expr_list;
typedef HY_VEC(const hy_stmt *) stmt_list;
typedef HY_VEC(const hy_var *) var_list;

typedef struct {
  hy_proof_kind proof;
  const hy_expr *const *facts;
  size_t fact_count;
  const hy_expr *goal;
  const char *about;
} question;

typedef struct {
  hy_context *context;
  const hy_tgt *tgt;
  const hy_stage_copy *copy;
  const hy_expr *low[HY_MAX_RANK], *len[HY_MAX_RANK]; // unknowns for the holes
  stmt_list chain;                                    // FOR, LET and guards, without holes
  expr_list entry;                                    // what is known at entry
  HY_VEC(question) questions;
  bool ties;                // some pure loop does not follow from the point that is written
  bool rests_on_uniqueness; // some question does: uniqueness has to be asked beside it
} prover;

static const hy_expr *binary(const prover *p, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(p->context, op, a, b);
}
static const hy_expr *variable(const prover *p, const hy_var *var) { return hy_expr_var(p->context, var); }
static const hy_expr *end_of(const prover *p, hy_interval i) { return hy_index_add(p->context, i.min, i.len); }

/* -- the nest without holes -- */

static const hy_expr *fill_node(void *self, const hy_expr *node) {
  const prover *p = self;
  if (node->kind != HY_EXPR_HOLE) return node;
  const hy_hole *hole = node->hole;
  bool is_own = hole->func == p->copy->func && (hole->kind == HY_HOLE_CPU || hole->kind == HY_HOLE_FOR);
  if (!is_own) return node;
  return hole->is_len ? p->len[hole->dim] : p->low[hole->dim];
}

static const hy_expr *fill_expr(void *self, const hy_expr *expr) {
  const prover *p = self;
  return expr->has_hole ? hy_expr_map(p->context, expr, fill_node, self) : expr;
}

static void know(const prover *p, expr_list *facts, const hy_expr *fact) {
  (void)p;
  if (!hy_expr_is_true(fact)) hy_vec_push(facts, fact);
}

// What the algorithm requires stands for a factor's condition where it is the same, which is not said twice then; one
// that may err is no fact over Z (D65).
static bool tells(const prover *p, const hy_stmt *entry) {
  if (entry->assume.condition->has_hole) return false;
  if (entry->assume.why != HY_ASSUME_REQUIRE)
    return entry->assume.why == HY_ASSUME_RDOM || entry->assume.why == HY_ASSUME_FACTOR;
  hy_ranges *ranges = hy_ranges_new();
  hy_ranges_assume_entry(ranges, p->tgt);
  bool is_total = hy_ranges_total(ranges, entry->assume.condition);
  hy_ranges_free(ranges);
  return is_total;
}

static void make_unknowns(prover *p) {
  const hy_func *func = p->copy->func;
  for (int d = 0; d < func->rank; d++) {
    const char *low = hy_arena_printf(hy_context_arena(p->context), "%s.cpu.min", func->dims[d]);
    const char *len = hy_arena_printf(hy_context_arena(p->context), "%s.cpu.len", func->dims[d]);
    p->low[d] = variable(p, hy_var_new(p->context, HY_VAR_FRESH, HY_INT, low, NULL, 0, 0));
    p->len[d] = variable(p, hy_var_new(p->context, HY_VAR_FRESH, HY_INT, len, NULL, 0, 0));
    know(p, &p->entry, binary(p, HY_OP_GE, p->len[d], hy_expr_int(p->context, 0)));
  }
  for (int i = 0; i < p->tgt->entry_count; i++)
    if (tells(p, p->tgt->entry[i])) know(p, &p->entry, p->tgt->entry[i]->assume.condition);
}

// The chain's loops, lets and guards, with the holes replaced; bodies are not looked at.
static void make_chain(prover *p) {
  for (int i = 0; i < p->copy->count; i++) {
    const hy_stmt *stmt = p->copy->chain[i], *nop = hy_stmt_nop(p->context);
    bool counts = stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET ||
                  (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD);
    if (!counts) continue;
    if (stmt->kind == HY_STMT_IF)
      stmt = hy_stmt_if(p->context, HY_IF_GUARD, stmt->branch.condition, nop, NULL);
    else
      stmt = hy_stmt_with_children(p->context, stmt, &nop, 1);
    hy_vec_push(&p->chain, hy_stmt_map_exprs(p->context, stmt, fill_expr, p));
  }
}

/* -- ranges of what is known at entry -- */

typedef struct {
  var_list vars; // that the chain speaks of
  bool found, is_float;
} mention;

static bool has(const var_list *list, const hy_var *var);

static void note_var(void *self, const hy_expr *node) {
  mention *m = self;
  if (node->kind == HY_EXPR_VAR && !has(&m->vars, node->var)) hy_vec_push(&m->vars, node->var);
}

static void look_for_var(void *self, const hy_expr *node) {
  mention *m = self;
  m->found |= node->kind == HY_EXPR_VAR && has(&m->vars, node->var);
  m->is_float |= hy_type_class_of(node->type) == HY_CLASS_FLOAT;
}

static void note_interval(mention *m, hy_interval i) {
  hy_expr_visit(i.min, note_var, m);
  hy_expr_visit(i.len, note_var, m);
}

static void note_stmt(mention *m, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) note_interval(m, stmt->loop.interval);
  if (stmt->kind == HY_STMT_IF) hy_expr_visit(stmt->branch.condition, note_var, m);
  if (stmt->kind != HY_STMT_LET) return;
  const hy_relation *r = stmt->let.origin.relation;
  hy_expr_visit(stmt->let.value, note_var, m);
  for (int i = 0; r && i < r->loop_count; i++)
    if (r->inverses[i]) hy_expr_visit(r->inverses[i], note_var, m);
}

// Parameters, windows and boxes lie in ranges, which is checked at entry. Of many those alone that the loops speak of,
// or what is asked.
static void know_ranges_of(prover *p, const hy_order_claims *claims) {
  mention m = {0};
  for (size_t i = 0; i < p->chain.count; i++) note_stmt(&m, p->chain.data[i]);
  for (size_t i = 0; claims && i < claims->count; i++)
    if (claims->data[i].goal) hy_expr_visit(claims->data[i].goal, note_var, &m);
  for (int i = 0; i < p->tgt->entry_count; i++) {
    const hy_stmt *entry = p->tgt->entry[i];
    bool is_range = entry->assume.why == HY_ASSUME_RANGE || entry->assume.why == HY_ASSUME_PARAM;
    if (!is_range || entry->assume.condition->has_hole) continue;
    m.found = m.is_float = false;
    hy_expr_visit(entry->assume.condition, look_for_var, &m);
    if (m.found && !m.is_float) know(p, &p->entry, entry->assume.condition);
  }
  hy_vec_free(&m.vars);
}

static void know_ranges(prover *p) { know_ranges_of(p, NULL); }

/* -- iterations -- */

// One iteration: a value for every variable of the chain.
typedef struct {
  hy_binding *bindings; // by position in the chain: FOR and LET; the variable itself where the first iteration is meant
  size_t count;
} iteration;

static const hy_var *bound_by(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) return stmt->loop.var;
  return stmt->kind == HY_STMT_LET ? stmt->let.var : NULL;
}

static const hy_expr *in(const prover *p, const iteration *it, const hy_expr *expr) {
  return it->count ? hy_expr_substitute(p->context, expr, it->bindings, it->count) : expr;
}

// A second iteration: lets are copied, and the loops that "differs" picks.
typedef bool loop_choice(const void *self, const prover *p, size_t position);
static iteration second_iteration(const prover *p, loop_choice *differs, const void *self) {
  iteration it = {hy_allocate_zeroed(p->chain.count + 1, sizeof(hy_binding)), 0};
  for (size_t i = 0; i < p->chain.count; i++) {
    const hy_stmt *stmt = p->chain.data[i];
    const hy_var *var = bound_by(stmt);
    if (!var || (stmt->kind == HY_STMT_FOR && !differs(self, p, i))) continue;
    const char *name = hy_arena_printf(hy_context_arena(p->context), "%s'", var->name);
    const hy_var *copy = hy_var_new(p->context, HY_VAR_FRESH, HY_INT, name, NULL, 0, 0);
    it.bindings[it.count++] = (hy_binding){var, variable(p, copy)};
  }
  return it;
}

static void know_iteration(const prover *p, expr_list *facts, const iteration *it) {
  for (size_t i = 0; i < p->chain.count; i++) {
    const hy_stmt *stmt = p->chain.data[i];
    if (stmt->kind == HY_STMT_IF) {
      know(p, facts, in(p, it, stmt->branch.condition));
      continue;
    }
    const hy_expr *v = in(p, it, variable(p, bound_by(stmt)));
    if (stmt->kind == HY_STMT_LET) {
      know(p, facts, binary(p, HY_OP_EQ, v, in(p, it, stmt->let.value)));
      continue;
    }
    know(p, facts, binary(p, HY_OP_LE, in(p, it, stmt->loop.interval.min), v));
    know(p, facts, binary(p, HY_OP_LT, v, in(p, it, end_of(p, stmt->loop.interval))));
  }
}

// What is known at entry and in the first iteration.
static void know_one_iteration(const prover *p, expr_list *facts) {
  for (size_t i = 0; i < p->entry.count; i++) hy_vec_push(facts, p->entry.data[i]);
  know_iteration(p, facts, &(iteration){NULL, 0});
}

static const hy_expr *const *keep(const prover *p, const expr_list *facts) {
  const hy_expr **copy = HY_NEW_ARRAY(hy_context_arena(p->context), const hy_expr *, facts->count);
  if (facts->count) memcpy(copy, facts->data, sizeof *copy * facts->count);
  return copy;
}

static void ask(prover *p, hy_proof_kind proof, const expr_list *facts, const hy_expr *goal, const char *about) {
  hy_vec_push(&p->questions, (question){proof, keep(p, facts), facts->count, goal, about});
}

static const char *about_var(const prover *p, const char *format, const hy_var *var) {
  hy_text name = {0};
  hy_var_print(var, &name);
  const char *about = hy_arena_printf(hy_context_arena(p->context), "%s %s", hy_text_string(&name), format);
  hy_text_free(&name);
  return about;
}

/* -- the questions -- */

// The stage alone, as a program: what bounds/query.c makes of it.
static const hy_stmt *lone_stage(const prover *p, const hy_interval *box) {
  const hy_func *func = p->copy->func;
  const hy_expr *lhs[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) lhs[d] = box[d].min;
  for (int k = 0; k < p->copy->pure_count; k++) lhs[p->copy->dims[k]] = variable(p, p->copy->keys[k]);
  const hy_expr *zero = hy_expr_zeros(p->context, func);
  const hy_stmt *body = hy_stmt_assign(p->context, func, p->copy->spec, p->copy->stage, lhs, zero);
  for (size_t i = p->chain.count; i-- > 0;) {
    const hy_stmt *stmt = p->chain.data[i];
    if (stmt->kind == HY_STMT_IF)
      body = hy_stmt_if(p->context, HY_IF_GUARD, stmt->branch.condition, body, NULL);
    else
      body = hy_stmt_with_children(p->context, stmt, &body, 1);
  }
  const hy_stmt *items[] = {hy_stmt_allocate(p->context, func, box), hy_stmt_compute(p->context, func, box, body)};
  return hy_stmt_seq(p->context, items, 2);
}

static void ask_coverage(prover *p) {
  hy_interval box[HY_MAX_RANK];
  for (int d = 0; d < p->copy->func->rank; d++) box[d] = (hy_interval){p->low[d], p->len[d]};
  hy_tgt alone = *p->tgt;
  const hy_stmt **entry = HY_NEW_ARRAY(hy_context_arena(p->context), const hy_stmt *, p->entry.count);
  for (size_t i = 0; i < p->entry.count; i++)
    entry[i] = hy_stmt_assume(p->context, HY_ASSUME_FACTOR, NULL, p->entry.data[i]);
  alone.entry = entry;
  alone.entry_count = (int)p->entry.count;
  alone.body = lone_stage(p, box);
  const hy_query *query = hy_query_extract(p->context, &alone);
  for (size_t i = 0; i < query->count; i++) {
    const hy_obligation *o = &query->obligations[i];
    if (o->kind != HY_B_COVER) continue;
    hy_vec_push(&p->questions, (question){HY_PROOF_COVERAGE, o->facts, o->fact_count, o->goal, o->about});
  }
}

static bool is_pure_let(const prover *p, const hy_stmt *let) {
  for (size_t i = 0; i < p->chain.count; i++) {
    const hy_stmt *stmt = p->chain.data[i];
    if (bound_by(stmt) != let->let.origin.sources[0]) continue;
    return stmt->kind == HY_STMT_FOR ? stmt->loop.is_pure : is_pure_let(p, stmt);
  }
  return true;
}

static bool may_leave(const prover *p, const hy_var *var, bool above, size_t room);

// Any of the loops, on any side.
static bool any_leaves(const prover *p, const hy_relation *r, size_t room) {
  for (int i = 0; i < r->loop_count; i++)
    if (may_leave(p, r->loops[i], false, room) || may_leave(p, r->loops[i], true, room)) return true;
  return false;
}

// May a variable leave its range on that side, by what the directives say that made its loops? (As fills believe:
// oracle/fill/region.c.) "room": more lets than that do not follow from each other.
static bool may_leave(const prover *p, const hy_var *var, bool above, size_t room) {
  for (size_t i = 0; i < p->chain.count && room; i++) {
    const hy_stmt *let = p->chain.data[i];
    if (let->kind != HY_STMT_LET || let->let.var != var) continue;
    const hy_origin *o = &let->let.origin;
    switch (hy_origin_staying(o, above)) {
    case HY_STAYS: return false;
    case HY_LEAVES: return true;
    case HY_STAYS_WITH_LOOPS:
      return may_leave(p, o->sources[0], above, room - 1) ||
             (o->sources[1] && may_leave(p, o->sources[1], above, room - 1));
    case HY_STAYS_WITH_ALL: return any_leaves(p, o->relation, room - 1);
    }
  }
  return false;
}

// Where points may be added or come twice, what makes them leaves its range; the other directives of the stage, before
// and after it, still stay in theirs.
static void ask_range(prover *p) {
  expr_list facts = {0};
  know_one_iteration(p, &facts);
  for (size_t i = 0; i < p->chain.count; i++) {
    const hy_stmt *let = p->chain.data[i];
    if (let->kind != HY_STMT_LET || !let->let.origin.relation) continue;
    bool may_add = (p->copy->extra || p->copy->repeated) && is_pure_let(p, let);
    const hy_expr *v = variable(p, let->let.var);
    const hy_interval range = let->let.origin.range;
    if (!may_add || !may_leave(p, let->let.var, false, p->chain.count))
      ask(p, HY_PROOF_RANGE, &facts, binary(p, HY_OP_LE, range.min, v),
          about_var(p, "stays above its minimum", let->let.var));
    if (!may_add || !may_leave(p, let->let.var, true, p->chain.count))
      ask(p, HY_PROOF_RANGE, &facts, binary(p, HY_OP_LT, v, end_of(p, range)),
          about_var(p, "stays below its end", let->let.var));
  }
  hy_vec_free(&facts);
}

static bool all_differ(const void *self, const prover *p, size_t position) {
  (void)self, (void)p, (void)position;
  return true;
}

static const hy_expr *equal_in_both(const prover *p, const iteration *second, const hy_var *var) {
  const hy_expr *v = variable(p, var);
  return binary(p, HY_OP_EQ, v, in(p, second, v));
}

static bool has(const var_list *list, const hy_var *var) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == var) return true;
  return false;
}

// Does the expression speak of variables only that are known to be equal in both iterations, but for those that are
// asked about (those of "but"; NULL for none)?
static bool is_settled(const prover *p, const hy_expr *expr, const var_list *equal, const hy_relation *but) {
  for (size_t i = 0; i < p->chain.count; i++) {
    const hy_var *var = bound_by(p->chain.data[i]);
    if (var && !hy_relation_has_loop(but, var) && hy_expr_mentions(expr, var) && !has(equal, var)) return false;
  }
  return !expr->has_hole;
}

// Bounds that depend on loops around (only directives from outside the tree make them) are as equal as those are.
static void know_equals_in(const prover *p, expr_list *facts, const iteration *second, const var_list *equal,
                           const hy_expr *expr) {
  for (size_t i = 0; i < equal->count; i++)
    if (hy_expr_mentions(expr, equal->data[i])) know(p, facts, equal_in_both(p, second, equal->data[i]));
}

// The ways back that a directive from outside the tree gives, each loop in turn. If one speaks of nothing but what is
// known to be equal, then: in each iteration, the loop has the value that it gives.
static void ask_ways_back(prover *p, const iteration *second, expr_list *facts, const hy_relation *given,
                          var_list *equal) {
  expr_list alone = {0};
  know_one_iteration(p, &alone);
  for (size_t i = 0; i < equal->count; i++) know(p, facts, equal_in_both(p, second, equal->data[i]));
  for (int i = 0; i < given->loop_count; i++) {
    const hy_var *loop = given->loops[i];
    const hy_expr *same = equal_in_both(p, second, loop), *back = given->inverses[i];
    const char *about = about_var(p, "follows from what is made of it", loop);
    if (is_settled(p, back, equal, NULL)) {
      const hy_expr *found = binary(p, HY_OP_EQ, variable(p, loop), back);
      ask(p, HY_PROOF_UNIQUENESS, &alone, found, about);
      know(p, &alone, found);
    } else {
      ask(p, HY_PROOF_UNIQUENESS, facts, same, about);
    }
    know(p, facts, same);
    hy_vec_push(equal, loop);
  }
  hy_vec_free(&alone);
}

// The loops of a relation whose lets have values by formula: where those are equal, so are the loops, each in turn.
static void ask_formulas(prover *p, const iteration *second, expr_list *facts, const hy_related *related,
                         var_list *equal) {
  const hy_relation *r = related->relation;
  for (int i = 0; i < r->let_count; i++) {
    if (!related->lets[i]) continue;
    know_equals_in(p, facts, second, equal, related->lets[i]->let.value);
    know(p, facts, equal_in_both(p, second, r->lets[i]));
  }
  for (int i = 0; i < r->loop_count; i++) hy_vec_push(equal, r->loops[i]);
  for (int i = 0; i < r->loop_count; i++) {
    const hy_expr *same = equal_in_both(p, second, r->loops[i]);
    ask(p, HY_PROOF_UNIQUENESS, facts, same, about_var(p, "follows from what is made of it", r->loops[i]));
    know(p, facts, same);
  }
}

// Is everything known to be equal from which the relation's loops follow?
static bool is_ready(const prover *p, const hy_related *related, const var_list *equal) {
  const hy_relation *r = related->relation;
  for (int i = 0; i < r->let_count; i++) {
    const hy_stmt *let = related->lets[i];
    if (hy_relation_is_given(r) ? !has(equal, r->lets[i])
                                : let && !(has(equal, r->lets[i]) && is_settled(p, let->let.value, equal, r)))
      return false;
  }
  return true;
}

static void ask_unique_sources(prover *p, const iteration *second, expr_list *facts, const hy_related *related,
                               var_list *equal) {
  size_t count = facts->count;
  if (hy_relation_is_given(related->relation))
    ask_ways_back(p, second, facts, related->relation, equal);
  else
    ask_formulas(p, second, facts, related, equal);
  facts->count = count;
}

static void ask_uniqueness(prover *p) {
  if (p->copy->repeated) return;
  iteration second = second_iteration(p, all_differ, NULL);
  expr_list facts = {0};
  know_one_iteration(p, &facts);
  know_iteration(p, &facts, &second);
  // From the stage's own variables on: lets whose variables are equal, until all loops are. Whatever is left over (it
  // has no way to be equal) is asked in the end as it stands.
  var_list equal = {0};
  for (int k = 0; k < p->copy->pure_count + p->copy->rdom_count; k++) hy_vec_push(&equal, p->copy->keys[k]);
  for (bool changed = true, last = false; changed || !last;) {
    last = !changed;
    changed = false;
    for (size_t i = 0; i < p->chain.count; i++) {
      const hy_origin *o = p->chain.data[i]->kind == HY_STMT_LET ? &p->chain.data[i]->let.origin : NULL;
      if (!o || !o->relation || has(&equal, o->sources[0])) continue;
      hy_related related = hy_relation_in(o->relation, p->chain.data, p->chain.count);
      if (!last && !is_ready(p, &related, &equal)) continue;
      ask_unique_sources(p, &second, &facts, &related, &equal);
      changed = true;
    }
  }
  hy_vec_free(&equal);
  hy_vec_free(&facts);
  hy_free(second.bindings);
}

// Does the relation tie its loops to the point that is written, and to nothing else? Of one from outside the tree the
// ways back may speak of reduction variables: then a loop is another one at another of those.
static bool is_of_point(const prover *p, const hy_related *related, var_list *equal) {
  const hy_relation *r = related->relation;
  if (!is_ready(p, related, equal)) return false;
  size_t before = equal->count;
  for (int i = 0; i < r->loop_count; i++) {
    if (hy_relation_is_given(r) && p->copy->rdom_count && !is_settled(p, r->inverses[i], equal, NULL)) {
      equal->count = before;
      return false;
    }
    hy_vec_push(equal, r->loops[i]);
  }
  return true;
}

// The loops that follow from the point that is written, once uniqueness is proved: the walk from the stage's own pure
// variables comes to them through relations of the point. None where points may repeat: uniqueness is not asked then.
static var_list loops_of_point(const prover *p) {
  var_list equal = {0};
  if (p->copy->repeated) return equal;
  for (int k = 0; k < p->copy->pure_count; k++) hy_vec_push(&equal, p->copy->keys[k]);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < p->chain.count; i++) {
      const hy_origin *o = p->chain.data[i]->kind == HY_STMT_LET ? &p->chain.data[i]->let.origin : NULL;
      if (!o || !o->relation || has(&equal, o->sources[0])) continue;
      hy_related related = hy_relation_in(o->relation, p->chain.data, p->chain.count);
      changed |= is_of_point(p, &related, &equal);
    }
  }
  return equal;
}

typedef struct {
  size_t position;
  const var_list *of_point;
} later;

// From a position on loops differ, but for those that are equal because the pure keys are (uniqueness).
static bool later_loops_differ(const void *self, const prover *p, size_t position) {
  const later *from = self;
  const hy_stmt *loop = p->chain.data[position];
  return position >= from->position && !(loop->loop.is_pure && has(from->of_point, loop->loop.var));
}

// (r1, ..., rn) comes before (r1', ..., rn'), lexicographically.
static const hy_expr *comes_before(const prover *p, const iteration *second) {
  const hy_expr *goal = hy_expr_bool(p->context, false);
  for (int k = p->copy->pure_count + p->copy->rdom_count; k-- > p->copy->pure_count;) {
    const hy_expr *v = variable(p, p->copy->keys[k]), *w = in(p, second, v);
    const hy_expr *same = hy_expr_and(p->context, binary(p, HY_OP_EQ, v, w), goal);
    goal = hy_expr_or(p->context, binary(p, HY_OP_LT, v, w), same);
  }
  return goal;
}

// "(r, q) has to come before (r', q')": of the values that the model gives.
static const char *about_order(const prover *p, const hy_var *var) {
  hy_text keys = {0}, later = {0};
  for (int k = p->copy->pure_count; k < p->copy->pure_count + p->copy->rdom_count; k++) {
    const char *comma = keys.length ? ", " : "", *name = p->copy->keys[k]->name;
    hy_text_printf(&keys, "%s%s", comma, name);
    hy_text_printf(&later, "%s%s'", comma, name);
  }
  const char *about =
      hy_arena_printf(hy_context_arena(p->context),
                      "keeps the order of the reduction: iteration %s runs before %s', so (%s) has to come before (%s)",
                      var->name, var->name, hy_text_string(&keys), hy_text_string(&later));
  hy_text_free(&keys);
  hy_text_free(&later);
  return about_var(p, about, var);
}

static void ask_order_at(prover *p, size_t position, const var_list *of_point) {
  const hy_var *var = p->chain.data[position]->loop.var;
  iteration second = second_iteration(p, later_loops_differ, &(later){position, of_point});
  expr_list facts = {0};
  know_one_iteration(p, &facts);
  know_iteration(p, &facts, &second);
  for (int k = 0; k < p->copy->pure_count; k++)
    if (p->ties) know(p, &facts, equal_in_both(p, &second, p->copy->keys[k]));
  const hy_expr *v = variable(p, var), *w = in(p, &second, v);
  know(p, &facts, binary(p, HY_OP_LT, v, w));
  ask(p, HY_PROOF_ORDER, &facts, comes_before(p, &second), about_order(p, var));
  hy_vec_free(&facts);
  hy_free(second.bindings);
}

// At reduction loops, and at pure ones that do not follow from the point alone.
static void ask_order(prover *p) {
  if (!p->copy->rdom_count) return;
  var_list of_point = loops_of_point(p);
  for (size_t i = 0; i < p->chain.count; i++) {
    const hy_stmt *stmt = p->chain.data[i];
    if (stmt->kind == HY_STMT_FOR && stmt->loop.is_pure) p->ties |= !has(&of_point, stmt->loop.var);
  }
  for (size_t i = 0; i < p->chain.count; i++) {
    const hy_stmt *stmt = p->chain.data[i];
    if (stmt->kind == HY_STMT_FOR && !(stmt->loop.is_pure && has(&of_point, stmt->loop.var)))
      ask_order_at(p, i, &of_point);
  }
  hy_vec_free(&of_point);
}

static bool loops_from_here_differ(const void *self, const prover *p, size_t position) {
  (void)p;
  return position >= *(const size_t *)self;
}

// Does the loop follow from the point? Uniqueness starts from the reduction variables, too: where there are none, whoever
// takes it for a fact asks uniqueness of the same stage.
static bool follows_from_point(const prover *p, const hy_var *loop) {
  if (p->copy->rdom_count) return false;
  var_list of_point = loops_of_point(p);
  bool follows = has(&of_point, loop);
  hy_vec_free(&of_point);
  return follows;
}

static bool is_plain(const prover *p, const expr_list *facts, const hy_expr *goal) {
  hy_prover *ours = hy_prover_new(p->context);
  bool holds = hy_prover_holds(ours, facts->data, facts->count, goal) == HY_YES;
  hy_prover_free(ours);
  return holds;
}

static void ask_disjoint_at(prover *p, size_t position) {
  const hy_var *var = p->chain.data[position]->loop.var;
  iteration second = second_iteration(p, loops_from_here_differ, &position);
  expr_list facts = {0};
  know_one_iteration(p, &facts);
  know_iteration(p, &facts, &second);
  for (int k = 0; k < p->copy->pure_count; k++) know(p, &facts, equal_in_both(p, &second, p->copy->keys[k]));
  const hy_expr *v = variable(p, var), *w = in(p, &second, v);
  know(p, &facts, binary(p, HY_OP_LT, v, w));
  const hy_expr *goal = hy_expr_bool(p->context, false);
  if (follows_from_point(p, var) && !is_plain(p, &facts, goal)) {
    know(p, &facts, binary(p, HY_OP_EQ, v, w)); // what uniqueness asks, relation by relation
    p->rests_on_uniqueness = true;
  }
  ask(p, HY_PROOF_DISJOINTNESS, &facts, goal, about_var(p, "writes points of its own in each iteration", var));
  hy_vec_free(&facts);
  hy_free(second.bindings);
}

static void ask_disjointness(prover *p) {
  for (size_t i = 0; i < p->chain.count; i++) {
    const hy_stmt *stmt = p->chain.data[i];
    if (stmt->kind != HY_STMT_FOR) continue;
    if (stmt->loop.traversal == HY_PARALLEL || stmt->loop.traversal == HY_VECTORIZED) ask_disjoint_at(p, i);
  }
}

/* -- answers -- */

static void count_answer(hy_context *context, const question *q, hy_answer answer, bool by_z3, bool emergency,
                         const char *model, hy_validation *validation) {
  hy_proof_result *r = &validation->proofs[q->proof];
  hy_level_result *level = &validation->levels[HY_LEVEL_SYMBOLIC];
  r->asked++;
  switch (answer) {
  case HY_YES: by_z3 ? r->proved_z3++ : r->proved++; return;
  case HY_UNKNOWN:
    r->unknown++;
    if (level->answer != HY_LEVEL_BROKEN) level->answer = HY_LEVEL_UNDECIDED;
    level->emergency |= emergency;
    if (!level->story)
      level->story = hy_arena_printf(hy_context_arena(context), "%s%s", q->about,
                                     emergency ? " (Z3 was stopped by the emergency limit, not by its steps)" : "");
    return;
  case HY_NO:
    r->refuted++;
    if (level->answer != HY_LEVEL_BROKEN)
      level->story = hy_arena_printf(hy_context_arena(context), "%s does not hold: %s%s%s", hy_proof_name(q->proof),
                                     q->about, model && *model ? "; for example " : "", model ? model : "");
    level->answer = HY_LEVEL_BROKEN;
    return;
  }
  HY_UNREACHABLE();
}

// A campaign is in a hurry; and where much stays open, more will.
static bool looks_longer(hy_context *context, const question *q, unsigned z3_limit, int *vain) {
  enum { MOST_VAIN = 4 };
  hy_obligation o = {.facts = q->facts, .fact_count = q->fact_count, .goal = q->goal};
  hy_generalization how;
  if (z3_limit < HY_HASTY || *vain >= MOST_VAIN) return false;
  bool proved = hy_oracle_look_longer(context, &o, &how);
  *vain += !proved;
  return proved;
}

// The prover first; Z3 for what it leaves over.
static void answer(hy_context *context, const question *questions, size_t count, unsigned z3_limit,
                   hy_validation *validation) {
  hy_prover *ours = hy_prover_new(context);
  hy_z3_question *rest = hy_allocate_zeroed(count + 1, sizeof *rest);
  size_t *which = hy_allocate_zeroed(count + 1, sizeof *which), open = 0;
  int vain = 0;
  for (size_t i = 0; i < count; i++) {
    const question *q = &questions[i];
    if (hy_prover_holds(ours, q->facts, q->fact_count, q->goal) == HY_YES ||
        looks_longer(context, q, z3_limit, &vain)) {
      count_answer(context, q, HY_YES, false, false, NULL, validation);
      continue;
    }
    rest[open] = (hy_z3_question){q->facts, q->fact_count, q->goal};
    which[open++] = i;
  }
  hy_z3_verdict *verdicts = hy_allocate_zeroed(open + 1, sizeof *verdicts);
  if (open) hy_z3_check(context, rest, open, z3_limit, verdicts);
  for (size_t k = 0; k < open; k++)
    count_answer(context, &questions[which[k]], verdicts[k].answer, true, verdicts[k].emergency,
                 verdicts[k].answer == HY_NO ? hy_oracle_print_model(context, &verdicts[k]) : NULL, validation);
  hy_free(verdicts);
  hy_free(which);
  hy_free(rest);
  hy_prover_free(ours);
}

static void free_prover(prover *p) {
  hy_vec_free(&p->questions);
  hy_vec_free(&p->chain);
  hy_vec_free(&p->entry);
}

// D74: parallel and vectorized loops are the final program's affair.
void hy_validate_disjoint(hy_validator *v, const hy_step *final, hy_validation *validation) {
  hy_level_result *level = &validation->levels[HY_LEVEL_SYMBOLIC];
  for (int i = 0; i < final->stages.count; i++) {
    hy_stage_copy shown = hy_stage_for_people(v, &final->stages.copies[i]);
    prover p = {.context = v->context, .tgt = final->tgt, .copy = &shown};
    make_unknowns(&p);
    make_chain(&p);
    know_ranges(&p);
    ask_disjointness(&p);
    if (p.rests_on_uniqueness) ask_uniqueness(&p);
    if (p.questions.count && level->answer == HY_LEVEL_NOT_DONE) *level = (hy_level_result){.answer = HY_LEVEL_KEPT};
    answer(v->context, p.questions.data, p.questions.count, v->options.z3_limit, validation);
    free_prover(&p);
  }
}

/* -- parts of a reduction -- */

static void judge_order(hy_context *context, const hy_tgt *before, const hy_stage_list *stages,
                        const hy_directive *directive, unsigned z3_limit, hy_validation *validation) {
  hy_level_result *level = &validation->levels[HY_LEVEL_SYMBOLIC];
  const hy_stage_copy *copy = hy_stages_find(stages, directive->func, 0, directive->loop->stage);
  if (!copy) return; // L0 says so
  hy_order_claims claims = hy_validate_order(context, before, stages, directive);
  prover p = {.context = context, .tgt = before, .copy = copy};
  make_unknowns(&p);
  make_chain(&p);
  know_ranges_of(&p, &claims);
  level->answer = HY_LEVEL_KEPT;
  expr_list facts = {0};
  know_one_iteration(&p, &facts);
  for (size_t i = 0; i < claims.count; i++) {
    const hy_order_claim *c = &claims.data[i];
    question unshown = {HY_PROOF_REORDERING, NULL, 0, NULL, c->about};
    if (c->goal)
      ask(&p, HY_PROOF_REORDERING, c->at_entry ? &p.entry : &facts, c->goal, c->about);
    else
      count_answer(context, &unshown, HY_NO, false, false, NULL, validation);
  }
  answer(context, p.questions.data, p.questions.count, z3_limit, validation);
  hy_vec_free(&facts);
  hy_vec_free(&claims);
  free_prover(&p);
}

void hy_validate_reordering(hy_context *context, const hy_tgt *before, const hy_directive *directive, unsigned z3_limit,
                            hy_validation *validation) {
  *validation = (hy_validation){.directive = directive, .promise = hy_sched_order_class(context, before, directive)};
  if (directive->type != &hy_directive_rfactor) return;
  hy_stage_list stages = hy_stages_of(context, before);
  judge_order(context, before, &stages, directive, z3_limit, validation);
}

// LVL.Symbolic
void hy_validate_symbolic(hy_validator *v, const hy_step *after, const hy_directive *directive,
                          hy_validation *validation) {
  hy_level_result *level = &validation->levels[HY_LEVEL_SYMBOLIC];
  bool any = false;
  for (int i = 0; i < after->stages.count; i++) {
    const hy_stage_copy *copy = &after->stages.copies[i];
    if (!hy_stage_is_touched(copy, directive)) continue;
    if (!any) level->answer = HY_LEVEL_KEPT;
    any = true;
    hy_stage_copy shown = hy_stage_for_people(v, copy);
    prover p = {.context = v->context, .tgt = after->tgt, .copy = &shown};
    make_unknowns(&p);
    make_chain(&p);
    know_ranges(&p);
    ask_coverage(&p);
    ask_range(&p);
    ask_uniqueness(&p);
    ask_order(&p);
    if (!v->options.steps) ask_disjointness(&p); // else when the schedule is complete
    answer(v->context, p.questions.data, p.questions.count, v->options.z3_limit, validation);
    free_prover(&p);
  }
  const hy_step *before = hy_validator_last(v);
  if (directive->type == &hy_directive_rfactor)
    judge_order(v->context, before->tgt, &before->stages, directive, v->options.z3_limit, validation);
  else if (!any)
    level->story = "the loops of every stage are as they were";
}
