#include "passes/passes.h"

#include "semantics/base/vec.h"
#include "semantics/expr/affine.h"
#include "semantics/tgt/fused.h"
#include "semantics/tgt/range.h"

/* Loop partitioning: the tail guards of splits leave the loops that they slow down.
 *
 *   rewrite: for v in (m, n) do ... if guard (x < e) then s
 *         -> for v in (m, min(n, k)) of v (m, n) do ... if implied (x < e) then s       where x < e  iff  v < m + k
 *   rewrite, with a vectorized (or unrolled) loop l inside, over which x runs too:
 *            for v in (m, n) do ... for l in (0, c) do ... if guard (x < e) then s
 *         -> for v in (m, full) of v (m, n) do ... if implied (x < e) then s            every lane passes
 *            for v' in (m + full, any - full) of v (m, n) do ... if guard (x < e) then s   some lane passes
 *
 * x is affine in the loops, through the lets that splits left behind; v is the innermost loop outside of vectors that
 * it depends on. A guard that the lanes of a vectorized loop around v pass different numbers of times stays: lanes run
 * in step. Only where the ranges show that what is counted fits 64 bits: that a guard does (B.Fits) says nothing of e -
 * x. Tiles that a fused loop counts lie at its quotient and its remainder, of which its length says where they lie.
 *
 * requires: a hole-free program whose obligations are proved
 * ensures:  the same assignments in the same order, without those that a guard would have refused; still no loop whose
 *           length differs between lanes (decision D45); the program that the pieces are of is the one before, and what
 *           they say of it is judged like all else (B.Pieces): nothing here is believed
 */

enum {
  MOST_ROUNDS = 200,      // each removes a guard from at least one copy of an assignment
  MOST_COPIED_CODE = 256, // loops and assignments, those of unrolled loops once for each iteration
  MOST_COPIES = 32        // of one assignment: guards inside of guards double it again and again
};

typedef struct {
  hy_context *context;
  const hy_tgt *tgt;
  const hy_stmt *body;          // as far as it is rewritten
  HY_VEC(const hy_stmt *) path; // from the body down to the guard under inspection
  hy_affine_table *table;
  HY_VEC(const hy_expr *) kept; // conditions of guards that stay: not affine, or of a tail
  int tails;                    // copies made, for names
} partition;

/* -- affine forms over the loops of the path -- */

// Expands lets, so that only loops are left, and brings the sum into normal form.
static const hy_affine *expand(partition *p, const hy_expr *expr) {
  for (size_t i = p->path.count; i-- > 0;) {
    const hy_stmt *s = p->path.data[i];
    if (s->kind != HY_STMT_LET || !hy_expr_mentions(expr, s->let.var)) continue;
    hy_binding binding = {s->let.var, s->let.value};
    expr = hy_expr_substitute(p->context, expr, &binding, 1);
  }
  return hy_affine_of(p->table, expr);
}

static const hy_expr *with(partition *p, const hy_expr *expr, const hy_var *var, const hy_expr *value) {
  hy_binding binding = {var, value};
  return hy_affine_normal(p->table, hy_expr_substitute(p->context, expr, &binding, 1));
}

static const hy_expr *last_of(partition *p, hy_interval interval) {
  return hy_affine_add_int(p->table, hy_affine_add(p->table, interval.min, interval.len), -1);
}

/* -- where a guard can go -- */

typedef struct {
  const hy_stmt *loop;         // v; NULL: the guard always holds
  int64_t step;                // the guard's slack falls by this much for every step of v; > 0
  const hy_expr *worst, *best; // the slack at v = 0, for the worst and the best lane: the guard holds iff slack >= 1
  bool has_lanes;
} target;

// The slack e - x of a guard x < e, or NULL.
static const hy_affine *slack_of(partition *p, const hy_stmt *guard) {
  const hy_expr *c = guard->branch.condition;
  if (c->kind != HY_EXPR_OP || c->op != HY_OP_LT || c->args[0]->type != HY_INT || c->has_access) return NULL;
  return expand(p, hy_expr_binary(p->context, HY_OP_SUB, c->args[1], c->args[0]));
}

// Does the guard hold at the ends of all loops that it depends on, by the numbers?
static bool always_holds(partition *p, const hy_affine *slack) {
  const hy_expr *least = hy_affine_expr(p->table, slack);
  for (size_t i = p->path.count; i-- > 0;) {
    const hy_stmt *s = p->path.data[i];
    int64_t coefficient;
    if (s->kind != HY_STMT_FOR || !hy_affine_coefficient(hy_affine_of(p->table, least), s->loop.var, &coefficient))
      continue;
    if (coefficient == 0) continue;
    least = with(p, least, s->loop.var, coefficient < 0 ? last_of(p, s->loop.interval) : s->loop.interval.min);
  }
  int64_t constant;
  return hy_expr_is_int(least, &constant) && constant >= 1;
}

// How many iterations of the loop from its minimum on have slack >= 1: between 0 and its length.
static const hy_expr *passing(partition *p, const target *t, const hy_expr *slack) {
  hy_interval loop = t->loop->loop.interval;
  // slack - step * v >= 1  iff  v < (slack - 1) / step + 1, with Euclidean division
  const hy_expr *step = hy_expr_int(p->context, t->step);
  const hy_expr *quotient = hy_index_div(p->context, hy_affine_add_int(p->table, slack, -1), step);
  const hy_expr *count = hy_affine_add_int(p->table, hy_affine_sub(p->table, quotient, loop.min), 1);
  count = hy_affine_normal(p->table, hy_index_min(p->context, count, loop.len));
  int64_t constant;
  if (hy_expr_is_int(count, &constant)) return constant >= 0 ? count : hy_expr_int(p->context, 0);
  return hy_expr_binary(p->context, HY_OP_MAX, count, hy_expr_int(p->context, 0));
}

// What the entry has checked, and the loops and lets around the guard.
HY_GIVE static hy_ranges *ranges_of(const partition *p) {
  hy_ranges *ranges = hy_ranges_new();
  for (int i = 0; i < p->tgt->entry_count; i++) hy_ranges_assume(ranges, p->tgt->entry[i]->assume.condition);
  for (size_t i = 0; i < p->path.count; i++) {
    const hy_stmt *s = p->path.data[i];
    if (s->kind == HY_STMT_FOR) hy_ranges_bind_loop(ranges, s->loop.var, s->loop.interval);
    if (s->kind == HY_STMT_LET) hy_ranges_bind_let(ranges, s->let.var, s->let.value);
  }
  return ranges;
}

typedef struct {
  partition *p;
  hy_ranges *ranges;
  HY_VEC(hy_binding) halves; // variables for them, with how many values they have
} ranged;

static const hy_expr *length_of(void *self, const hy_var *var) {
  const ranged *r = self;
  const partition *p = r->p;
  for (size_t i = 0; i < r->halves.count; i++)
    if (r->halves.data[i].var == var) return r->halves.data[i].expr;
  for (size_t i = 0; i < p->path.count; i++) {
    const hy_stmt *s = p->path.data[i];
    if (s->kind != HY_STMT_FOR || s->loop.var != var) continue;
    hy_interval whole = s->loop.piece ? s->loop.piece->whole : s->loop.interval;
    int64_t min;
    return hy_expr_is_int(whole.min, &min) && min == 0 ? whole.len : NULL;
  }
  return NULL;
}

static bool is_natural(void *self, const hy_expr *factor) {
  return hy_ranges_of(((ranged *)self)->ranges, factor).low >= 0;
}

// GEN.Fused: for the half of something fused a variable with its range, which what it is made of does not tell.
static const hy_expr *half_as_variable(void *self, const hy_expr *node) {
  ranged *r = self;
  partition *p = r->p;
  hy_fused_scope scope = {p->table, length_of, is_natural, self};
  hy_product values;
  if (node->kind != HY_EXPR_OP || !hy_fused_values(&scope, node, &values)) return node;
  hy_context_hit(p->context, HY_RULE_GEN_FUSED);
  const hy_expr *count = hy_product_expr(p->context, &values);
  const hy_var *half = hy_var_new(p->context, HY_VAR_FRESH, HY_INT, "half", NULL, 0, 0);
  hy_ranges_bind_loop(r->ranges, half, (hy_interval){hy_expr_int(p->context, 0), count});
  hy_vec_push(&r->halves, (hy_binding){half, count});
  return hy_expr_var(p->context, half);
}

// Does all that is evaluated to find the ends of the loops fit 64 bits?
static bool counts_fit(partition *p, const target *t) {
  hy_ranges *ranges = ranges_of(p);
  ranged r = {.p = p, .ranges = ranges};
  const hy_expr *worst = hy_expr_map(p->context, passing(p, t, t->worst), half_as_variable, &r);
  const hy_expr *best = hy_expr_map(p->context, passing(p, t, t->best), half_as_variable, &r);
  bool fit = hy_ranges_total(ranges, worst) && (!t->has_lanes || hy_ranges_total(ranges, best));
  hy_ranges_free(ranges);
  hy_vec_free(&r.halves);
  return fit;
}

// Would the loop's length differ between the lanes of a vectorized loop around it? Then they could not run side by side
// (decision D45).
static bool differs_by_lane(const partition *p, size_t position, const target *t) {
  for (size_t i = 0; i < position; i++) {
    const hy_stmt *s = p->path.data[i];
    if (s->kind == HY_STMT_FOR && s->loop.traversal == HY_VECTORIZED && hy_expr_mentions(t->worst, s->loop.var))
      return true;
  }
  return false;
}

// The loops and assignments that native code has for a statement, counted up to a bit more than "most".
static int64_t code_of(const hy_stmt *stmt, int64_t most) {
  int64_t code = stmt->kind == HY_STMT_ASSIGN, times;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && code <= most; i++) code += code_of(children[i], most);
  if (stmt->kind != HY_STMT_FOR || code > most) return code;
  if (stmt->loop.traversal != HY_UNROLLED || !hy_expr_is_int(stmt->loop.interval.len, &times)) return code + 1;
  return times > most ? most + 1 : code * times;
}

// Would the copy of a loop be more code than it is worth, unrolled loops around it included?
static bool too_much_code(const partition *p, const hy_stmt *loop) {
  int64_t most = MOST_COPIED_CODE, times;
  for (size_t i = 0; i < p->path.count && p->path.data[i] != loop; i++) {
    const hy_stmt *s = p->path.data[i];
    if (s->kind != HY_STMT_FOR || s->loop.traversal != HY_UNROLLED) continue;
    if (hy_expr_is_int(s->loop.interval.len, &times) && times > 1) most /= times;
  }
  return code_of(loop, most) > most;
}

static int copies_of(const hy_stmt *stmt, const hy_stmt *assign) {
  bool is_copy = stmt->kind == HY_STMT_ASSIGN && stmt->assign.func == assign->assign.func &&
                 stmt->assign.stage == assign->assign.stage && stmt->assign.spec == assign->assign.spec;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room), copies = is_copy;
  for (int i = 0; i < count; i++) copies += copies_of(children[i], assign);
  return copies;
}

// Would a copy of the loop be one too many of an assignment inside?
static bool too_many_copies(const partition *p, const hy_stmt *loop, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSIGN && copies_of(p->body, stmt) + copies_of(loop, stmt) > MOST_COPIES) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (too_many_copies(p, loop, children[i])) return true;
  return false;
}

// Does a computation inside keep what the iteration before of the loop left? Then its first iteration is the only one
// that finds nothing, and a copy would have a first one of its own.
static bool is_kept_from(const hy_stmt *stmt, const hy_var *var) {
  if (stmt->kind == HY_STMT_COMPUTE && stmt->compute.keep == var) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (is_kept_from(children[i], var)) return true;
  return false;
}

// Does an iteration check anything? Then each of them has to run (WF.Piece).
static bool has_check(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSUME) return stmt->assume.why != HY_ASSUME_CONSTRAIN;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (has_check(children[i])) return true;
  return false;
}

static const hy_var *loop_of(const hy_stmt *loop) { return loop->loop.piece ? loop->loop.piece->of : loop->loop.var; }

// By how much the slack falls with a loop's variable, of the worst and of the best lane alike: a loop inside may begin
// at that variable, and where its ends stand for it now, they speak of it, too.
static bool falls_by(partition *p, const target *t, const hy_var *var, int64_t *coefficient) {
  int64_t of_best;
  return hy_affine_coefficient(hy_affine_of(p->table, t->worst), var, coefficient) &&
         hy_affine_coefficient(hy_affine_of(p->table, t->best), var, &of_best) && *coefficient == of_best &&
         of_best <= 0;
}

static bool find_target(partition *p, const hy_stmt *guard, target *t) {
  const hy_affine *form = slack_of(p, guard);
  *t = (target){0};
  if (!form) return false;
  if (always_holds(p, form)) return true;
  t->worst = t->best = hy_affine_expr(p->table, form);
  for (size_t i = p->path.count; i-- > 0;) {
    const hy_stmt *s = p->path.data[i];
    int64_t coefficient, extent;
    if (s->kind != HY_STMT_FOR) continue;
    if (!falls_by(p, t, s->loop.var, &coefficient)) return false;
    if (coefficient == 0) continue;
    if (s->loop.traversal != HY_VECTORIZED && s->loop.traversal != HY_UNROLLED) {
      const hy_expr *zero = hy_expr_int(p->context, 0);
      t->loop = s;
      t->step = -coefficient;
      t->worst = with(p, t->worst, s->loop.var, zero);
      t->best = with(p, t->best, s->loop.var, zero);
      if ((t->has_lanes && (too_much_code(p, s) || too_many_copies(p, s, s))) || has_check(s)) return false;
      if ((t->has_lanes || s->loop.piece) && is_kept_from(s, loop_of(s))) return false;
      return !differs_by_lane(p, i, t) && counts_fit(p, t);
    }
    if (!hy_expr_is_int(s->loop.interval.len, &extent) || extent < 1) return false;
    t->worst = with(p, t->worst, s->loop.var, last_of(p, s->loop.interval));
    t->best = with(p, t->best, s->loop.var, s->loop.interval.min);
    t->has_lanes = true;
  }
  return false;
}

/* -- copies -- */

typedef struct {
  partition *p;
  HY_VEC(hy_binding) bindings;
  HY_VEC(const hy_var *) from;
} renaming;

static const hy_var *renamed(void *self, const hy_var *var) {
  const renaming *r = self;
  for (size_t i = 0; i < r->from.count; i++)
    if (r->from.data[i] == var) return r->bindings.data[i].expr->var;
  return var;
}

static void collect_binders(renaming *r, const hy_stmt *stmt) {
  const hy_var *var = stmt->kind == HY_STMT_FOR ? stmt->loop.var : stmt->kind == HY_STMT_LET ? stmt->let.var : NULL;
  if (var) {
    const char *name = hy_arena_printf(hy_context_arena(r->p->context), "%s__tail%d", var->name, r->p->tails);
    const hy_var *fresh = hy_var_loop(r->p->context, var->func, var->spec, var->stage, name);
    hy_vec_push(&r->from, var);
    hy_vec_push(&r->bindings, (hy_binding){var, hy_expr_var(r->p->context, fresh)});
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect_binders(r, children[i]);
}

static const hy_expr *rename_expr(void *self, const hy_expr *expr) {
  renaming *r = self;
  return hy_expr_substitute(r->p->context, expr, r->bindings.data, r->bindings.count);
}

static const hy_stmt *rename_binders(renaming *r, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)count);
  for (int i = 0; i < count; i++) fresh[i] = rename_binders(r, children[i]);
  stmt = hy_stmt_with_children(r->p->context, stmt, fresh, count);
  hy_free(fresh);
  if (stmt->kind == HY_STMT_FOR) {
    const hy_piece *piece = stmt->loop.piece;
    stmt = hy_stmt_for(r->p->context, renamed(r, stmt->loop.var), stmt->loop.is_pure, stmt->loop.traversal,
                       stmt->loop.interval, stmt->loop.body);
    return piece ? hy_stmt_piece(r->p->context, stmt, renamed(r, piece->of), piece->whole) : stmt;
  }
  if (stmt->kind == HY_STMT_LET) {
    hy_origin origin = hy_origin_rename(r->p->context, stmt->let.origin, renamed, r);
    return hy_stmt_let(r->p->context, renamed(r, stmt->let.var), stmt->let.value, origin, stmt->let.body);
  }
  if (stmt->kind == HY_STMT_COMPUTE && stmt->compute.keep)
    return hy_stmt_compute_keeping(r->p->context, stmt->compute.func, stmt->compute.box, renamed(r, stmt->compute.keep),
                                   stmt->compute.body);
  return stmt;
}

// A copy with names of its own (lemma 6.1).
static const hy_stmt *copy_loop(partition *p, const hy_stmt *loop) {
  p->tails++;
  renaming r = {.p = p};
  collect_binders(&r, loop);
  const hy_stmt *copy = rename_binders(&r, hy_stmt_map_exprs(p->context, loop, rename_expr, &r));
  for (size_t i = p->kept.count; i-- > 0;) { // what stays stays in the copy too
    const hy_expr *condition = rename_expr(&r, p->kept.data[i]);
    if (condition != p->kept.data[i]) hy_vec_push(&p->kept, condition);
  }
  hy_vec_free(&r.bindings);
  hy_vec_free(&r.from);
  return copy;
}

/* -- rewriting -- */

static const hy_stmt *replace(partition *p, const hy_stmt *stmt, const hy_stmt *old, const hy_stmt *new) {
  if (stmt == old) return new;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)count);
  for (int i = 0; i < count; i++) fresh[i] = replace(p, children[i], old, new);
  const hy_stmt *result = hy_stmt_with_children(p->context, stmt, fresh, count);
  hy_free(fresh);
  return result;
}

// "like" with another interval: a piece of the loop that it is, or is a piece of. Alone, and with the interval of the
// loop, it is the loop; beside an empty piece it is not, since the two are one stage.
static const hy_stmt *piece_of(partition *p, const hy_stmt *like, const hy_stmt *loop, hy_interval interval,
                               bool alone) {
  const hy_piece *piece = loop->loop.piece;
  bool is_same = interval.min == loop->loop.interval.min && interval.len == loop->loop.interval.len;
  bool is_whole = alone && !piece && is_same;
  hy_interval whole = piece ? piece->whole : loop->loop.interval;
  like = hy_stmt_for(p->context, like->loop.var, loop->loop.is_pure, loop->loop.traversal, interval, like->loop.body);
  return is_whole ? like : hy_stmt_piece(p->context, like, loop_of(loop), whole);
}

// GEN.Partition: where a guard holds in every lane the loop runs without it, then once more with it for the rest.
static const hy_stmt *resolve(partition *p, const hy_stmt *guard, const target *t) {
  hy_context_hit(p->context, HY_RULE_GEN_PARTITION);
  const hy_stmt *implied = hy_stmt_if(p->context, HY_IF_IMPLIED, guard->branch.condition, guard->branch.then, NULL);
  if (!t->loop) return implied;
  hy_interval range = t->loop->loop.interval;
  const hy_expr *full = passing(p, t, t->worst);
  const hy_stmt *steady = replace(p, t->loop, guard, implied);
  bool alone = !t->has_lanes || full == range.len;
  steady = piece_of(p, steady, t->loop, (hy_interval){range.min, full}, alone);
  if (alone) return steady;
  hy_interval rest = {hy_affine_add(p->table, range.min, full), hy_affine_sub(p->table, passing(p, t, t->best), full)};
  size_t kept = p->kept.count;
  hy_vec_push(&p->kept, guard->branch.condition); // so that the copy's stays
  const hy_stmt *tail = piece_of(p, copy_loop(p, t->loop), t->loop, rest, false);
  for (size_t i = kept; i + 1 < p->kept.count; i++) p->kept.data[i] = p->kept.data[i + 1]; // this one is gone
  p->kept.count--;
  return hy_stmt_seq(p->context, (const hy_stmt *[]){steady, tail}, 2);
}

static bool is_kept(const partition *p, const hy_stmt *stmt) {
  for (size_t i = 0; i < p->kept.count; i++)
    if (p->kept.data[i] == stmt->branch.condition) return true;
  return false;
}

// Finds the first guard that can go, with the path down to it.
static const hy_stmt *find_guard(partition *p, const hy_stmt *stmt, target *t) {
  if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD && !stmt->branch.otherwise && !is_kept(p, stmt)) {
    if (find_target(p, stmt, t)) return stmt;
    hy_vec_push(&p->kept, stmt->branch.condition);
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  hy_vec_push(&p->path, stmt);
  for (int i = 0; i < count; i++) {
    const hy_stmt *found = find_guard(p, children[i], t);
    if (found) return found;
  }
  (void)hy_vec_pop(&p->path);
  return NULL;
}

const hy_tgt *hy_pass_partition(hy_context *context, const hy_tgt *tgt) {
  if (hy_tgt_whole(context, tgt) != tgt) return tgt; // it is in pieces: what ships is compiled as it stands
  partition p = {.context = context, .tgt = tgt, .table = hy_affine_table_new(context)};
  p.body = tgt->body;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    target t;
    p.path.count = 0;
    const hy_stmt *guard = find_guard(&p, p.body, &t);
    if (!guard) break;
    const hy_stmt *before = p.body;
    p.body = replace(&p, p.body, t.loop ? t.loop : guard, resolve(&p, guard, &t));
    HY_ASSERT(p.body != before);
  }
  hy_affine_table_free(p.table);
  hy_vec_free(&p.path);
  hy_vec_free(&p.kept);
  if (p.body == tgt->body) return tgt;
  hy_tgt *copy = HY_NEW(hy_context_arena(context), hy_tgt);
  *copy = *tgt;
  copy->body = p.body;
  return copy;
}
