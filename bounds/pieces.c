#include "bounds/query_internal.h"

/* B.Pieces: what loops in pieces, and guards that are implied, owe beside the whole that they are of.
 *
 *   pieces (m_1, n_1), .., (m_k, n_k) of x in (m, n)
 *     each has an interval like any loop; each begins where the one before has ended, or later; all lie in (m, n)
 *     an iteration that no piece runs reaches no assignment: not past the loops, lets and guards on the way there
 *   if implied (p) in a piece
 *     p follows from what is known there
 *
 * A walk of its own, behind that through the whole: it knows what is known at each place, and owes nothing else. What a
 * piece may not do besides assigning, so that an iteration which assigns nothing does nothing, is WF.Piece's to say.
 *
 * requires: hy_tgt_verify; the walk knows the facts of the entry block
 */

static void walk(hy_query_walk *w, const hy_stmt *stmt);

static void know_loop(hy_query_walk *w, const hy_var *var, hy_interval interval) {
  const hy_expr *v = hy_expr_var(w->context, var);
  hy_ranges_bind_loop(w->ranges, var, interval);
  hy_query_push_fact(w, binary(w, HY_OP_LE, interval.min, v));
  hy_query_push_fact(w, binary(w, HY_OP_LT, v, end_of(w, interval)));
}

static void know_let(hy_query_walk *w, const hy_stmt *let) {
  hy_ranges_bind_let(w->ranges, let->let.var, let->let.value);
  hy_query_push_fact(w, binary(w, HY_OP_EQ, hy_expr_var(w->context, let->let.var), let->let.value));
}

/* -- iterations that no piece runs -- */

static bool assigns(const hy_stmt *stmt, const hy_var *of) {
  if (stmt->kind == HY_STMT_ASSIGN)
    return stmt->assign.func == of->func && stmt->assign.stage == of->stage && stmt->assign.spec == of->spec;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (assigns(children[i], of)) return true;
  return false;
}

// Of a reduction without values anything would hold: an iteration that is left out must assign nothing whatever is
// reduced there, as coverage is owed (decision D62).
static bool surely_runs(const hy_stmt *loop) {
  int64_t length;
  if (loop->loop.is_pure) return true;
  return hy_expr_is_int(loop->loop.interval.len, &length) && length >= 1;
}

// What the way from a place down to the assignment of the loop's stage says. "stmt" has no pieces.
static void know_way(hy_query_walk *w, const hy_stmt *stmt, const hy_var *of) {
  if (stmt->kind == HY_STMT_FOR && surely_runs(stmt)) know_loop(w, stmt->loop.var, stmt->loop.interval);
  if (stmt->kind == HY_STMT_LET) know_let(w, stmt);
  if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD) hy_query_push_fact(w, stmt->branch.condition);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (assigns(children[i], of)) {
      know_way(w, children[i], of);
      return;
    }
}

// The iterations from "from" on, before "to".
static void owe_gap(hy_query_walk *w, hy_query_place at, const hy_stmt *first, const hy_expr *from, const hy_expr *to) {
  if (from == to) return;
  const hy_var *of = first->loop.piece->of;
  const hy_expr *v = hy_expr_var(w->context, of);
  size_t facts = w->facts.count;
  hy_ranges_bind_loop(w->ranges, of, first->loop.piece->whole);
  hy_query_push_fact(w, binary(w, HY_OP_LE, from, v));
  hy_query_push_fact(w, binary(w, HY_OP_LT, v, to));
  know_way(w, hy_stmt_whole(w->context, first->loop.body), of);
  hy_query_owe(w, HY_B_PIECES, at, hy_expr_bool(w->context, false),
               "iterations of %s from %s on, before %s, which no piece of it runs, assign nothing",
               hy_query_print(w, v), hy_query_print(w, from), hy_query_print(w, to));
  hy_query_pop_facts(w, facts);
}

/* -- the pieces of one loop -- */

static void owe_order(hy_query_walk *w, hy_query_place at, const hy_var *of, const hy_expr *before,
                      const hy_expr *after) {
  if (before == after) return;
  hy_query_owe(w, HY_B_PIECES, at, binary(w, HY_OP_LE, before, after),
               "the pieces of %s lie in its interval, one behind the other: %s comes no later than %s",
               hy_query_print(w, hy_expr_var(w->context, of)), hy_query_print(w, before), hy_query_print(w, after));
}

static void walk_piece(hy_query_walk *w, const hy_stmt *piece) {
  size_t facts = w->facts.count, fitting = w->fitting.count;
  know_loop(w, piece->loop.var, piece->loop.interval);
  walk(w, piece->loop.body);
  hy_query_pop_facts(w, facts);
  w->fitting.count = fitting;
}

// requires: a run
static void walk_run(hy_query_walk *w, const hy_stmt *const *items, int count) {
  const hy_stmt *first = items[0];
  const hy_piece *piece = first->loop.piece;
  hy_query_place here = hy_query_here(w, piece->of->func);
  here.stage = piece->of->stage;
  const hy_expr *before = piece->whole.min;
  size_t facts = w->facts.count, fitting = w->fitting.count;
  hy_context_hit(w->context, HY_RULE_B_PIECES);
  for (int i = 0; i < count; i++) {
    hy_query_place at = hy_query_on(here, items[i]);
    hy_interval interval = items[i]->loop.interval;
    hy_query_push_words(w, interval);
    hy_query_owe_interval(w, at, interval, "the piece", hy_query_print(w, hy_expr_var(w->context, items[i]->loop.var)));
    owe_order(w, at, piece->of, before, interval.min);
    owe_gap(w, at, first, before, interval.min);
    before = end_of(w, interval);
  }
  hy_query_place last = hy_query_on(here, items[count - 1]);
  owe_order(w, last, piece->of, before, end_of(w, piece->whole));
  owe_gap(w, last, first, before, end_of(w, piece->whole));
  for (int i = 0; i < count; i++) walk_piece(w, items[i]);
  hy_query_pop_facts(w, facts);
  w->fitting.count = fitting;
}

/* -- statements -- */

static void walk_under(hy_query_walk *w, const hy_stmt *body, size_t facts) {
  walk(w, body);
  hy_query_pop_facts(w, facts);
}

static void walk_if(hy_query_walk *w, const hy_stmt *stmt) {
  size_t facts = w->facts.count;
  const hy_expr *condition = stmt->branch.condition;
  if (stmt->branch.why == HY_IF_IMPLIED) {
    hy_context_hit(w->context, HY_RULE_B_PIECES);
    hy_query_place at = hy_query_on(hy_query_here(w, w->tgt->alg->output), stmt);
    hy_query_owe(w, HY_B_PIECES, at, condition, "the guard %s holds wherever it is left out",
                 hy_query_print(w, condition));
  }
  hy_query_push_branch(w, stmt, stmt->branch.then);
  walk_under(w, stmt->branch.then, facts);
  if (!stmt->branch.otherwise) return;
  hy_query_push_branch(w, stmt, stmt->branch.otherwise);
  walk_under(w, stmt->branch.otherwise, facts);
}

static void walk_seq(hy_query_walk *w, const hy_stmt *stmt) {
  for (int i = 0; i < stmt->seq.count;) {
    int run = hy_stmt_run(stmt->seq.items + i, stmt->seq.count - i);
    if (run)
      walk_run(w, stmt->seq.items + i, run);
    else
      walk(w, stmt->seq.items[i]);
    i += run ? run : 1;
  }
}

static void walk_loop(hy_query_walk *w, const hy_stmt *stmt) {
  size_t facts = w->facts.count;
  if (stmt->loop.piece) {
    walk_run(w, &stmt, 1);
    return;
  }
  hy_query_push_words(w, stmt->loop.interval);
  know_loop(w, stmt->loop.var, stmt->loop.interval);
  walk_under(w, stmt->loop.body, facts);
}

static void walk_compute(hy_query_walk *w, const hy_stmt *stmt) {
  const hy_interval *box = stmt->compute.box;
  for (int i = 0; i < stmt->compute.func->rank; i++) hy_query_push_words(w, box[i]);
  for (int i = 0; i < stmt->compute.func->rank; i++)
    hy_query_push_fact(w, binary(w, HY_OP_GE, box[i].len, hy_expr_int(w->context, 0)));
  walk(w, stmt->compute.body);
}

static void walk(hy_query_walk *w, const hy_stmt *stmt) {
  size_t facts = w->facts.count;
  switch (stmt->kind) {
  case HY_STMT_NOP:
  case HY_STMT_ASSIGN: return;
  case HY_STMT_ASSUME:
    if (stmt->assume.why != HY_ASSUME_CONSTRAIN) hy_query_push_checked(w, stmt->assume.condition);
    return;
  case HY_STMT_SEQ: walk_seq(w, stmt); return;
  case HY_STMT_ALLOCATE:
    for (int i = 0; i < stmt->allocate.func->rank; i++) hy_query_push_words(w, stmt->allocate.box[i]);
    return;
  case HY_STMT_IF: walk_if(w, stmt); return;
  case HY_STMT_FOR: walk_loop(w, stmt); return;
  case HY_STMT_LET:
    know_let(w, stmt);
    walk_under(w, stmt->let.body, facts);
    return;
  case HY_STMT_COMPUTE: walk_compute(w, stmt); return;
  case HY_STMT_LABEL: walk(w, stmt->label.body); return;
  }
  HY_UNREACHABLE();
}

void hy_query_walk_pieces(hy_query_walk *w, const hy_stmt *body) {
  w->fitting.count = 0;
  walk(w, body);
}
