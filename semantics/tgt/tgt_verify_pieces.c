/* WF.Piece: the pieces of a loop, and that each of them has its body.
 *
 * A run of pieces, one directly behind the other, says the same loop, interval, mark and traversal; the first has the
 * loop's name; what they are of is alike; nothing in them is checked, so that iterations which no piece runs have done
 * nothing (B.Pieces asks whether they assign), and what is kept from one iteration to the next is so in one piece that
 * begins with the loop. What the whole program must be is asked of it by the other rules; here each name is bound once
 * in the program with pieces, too.
 */

#include "semantics/tgt/tgt_internal.h"

#include "semantics/base/vec.h"

typedef struct {
  const hy_tgt_check *check;
  hy_intern *bound; // every loop and let met so far
} pieces;

static void refuse(const pieces *p, const hy_stmt *piece, const char *help, const char *why) {
  hy_report(p->check->diagnostics, HY_E_TGT_PIECE, hy_tgt_loc(p->check, piece), "WF.Piece", help,
            "the loop '%s' is no piece of '%s': %s", hy_tgt_var_name(p->check, piece->loop.var),
            hy_tgt_var_name(p->check, piece->loop.piece->of), why);
}

// What an iteration does besides assigning to its own func: a check; points that "loop" (NULL: none) keeps.
static bool has_effect(const hy_stmt *stmt, const hy_var *loop) {
  if (stmt->kind == HY_STMT_ASSUME && stmt->assume.why != HY_ASSUME_CONSTRAIN) return true;
  if (stmt->kind == HY_STMT_COMPUTE && loop && stmt->compute.keep == loop) return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (has_effect(children[i], loop)) return true;
  return false;
}

static bool is_of_same_loop(const hy_stmt *a, const hy_stmt *b) {
  const hy_interval *left = &a->loop.piece->whole, *right = &b->loop.piece->whole;
  return left->min == right->min && left->len == right->len && a->loop.is_pure == b->loop.is_pure &&
         a->loop.traversal == b->loop.traversal;
}

static bool is_alike(const pieces *p, const hy_stmt *a, const hy_stmt *b) {
  hy_interval none = {hy_expr_int(p->check->context, 0), hy_expr_int(p->check->context, 0)};
  const hy_stmt *loops[2] = {a, b};
  for (int i = 0; i < 2; i++)
    loops[i] = hy_stmt_for(p->check->context, loops[i]->loop.var, true, HY_SERIAL, none,
                           hy_stmt_whole(p->check->context, loops[i]->loop.body));
  return hy_stmt_alike(p->check->context, loops[0], loops[1]);
}

static void check_run(const pieces *p, const hy_stmt *const *items, int count) {
  const hy_stmt *first = items[0];
  if (first->loop.var != first->loop.piece->of) {
    refuse(p, first, "pieces stand directly behind each other, and the first has the loop's name",
           "no piece of that name stands directly before it");
    return;
  }
  if (first->loop.traversal != HY_SERIAL && first->loop.traversal != HY_PARALLEL)
    refuse(p, first, "only serial and parallel loops are run in pieces", "lanes run in step, and unrolled loops once");
  bool begins_it = count == 1 && first->loop.interval.min == first->loop.piece->whole.min;
  if (has_effect(first->loop.body, begins_it ? NULL : first->loop.piece->of))
    refuse(p, first, "leave the loop in one piece", "an iteration checks something, or is kept by the next");
  for (int i = 1; i < count; i++)
    if (!is_of_same_loop(first, items[i]))
      refuse(p, items[i], "write the interval and the marks of the first piece",
             "the first says another interval, or is marked otherwise");
    else if (!is_alike(p, first, items[i]))
      refuse(p, items[i], "pieces differ in the names of their loops, and in which guards are implied",
             "its body is not that of the first");
}

static void check_name(const pieces *p, const hy_stmt *stmt, const hy_var *var) {
  if (hy_intern_find(p->bound, hy_hash(2, var->id), var))
    hy_report(p->check->diagnostics, HY_E_TGT_LOOP_TWICE, hy_tgt_loc(p->check, stmt), "lemma 6.1 (loop naming)",
              "choose another variable", "'%s' is bound a second time", hy_tgt_var_name(p->check, var));
  else
    hy_intern_add(p->bound, hy_hash(2, var->id), var);
}

static void check_stmt(const pieces *p, const hy_stmt *stmt, bool is_in_run) {
  if (stmt->kind == HY_STMT_FOR && stmt->loop.piece && !is_in_run) check_run(p, &stmt, 1);
  if (stmt->kind == HY_STMT_FOR) check_name(p, stmt, stmt->loop.var);
  if (stmt->kind == HY_STMT_LET) check_name(p, stmt, stmt->let.var);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count;) {
    int run = stmt->kind == HY_STMT_SEQ ? hy_stmt_run(children + i, count - i) : 0;
    if (run) check_run(p, children + i, run);
    int end = i + (run ? run : 1);
    for (; i < end; i++) check_stmt(p, children[i], run > 0);
  }
}

static bool same_var(const void *a, const void *b) { return a == b; }

void hy_tgt_check_pieces(const hy_tgt_check *check) {
  pieces p = {check, hy_intern_new(same_var)};
  check_stmt(&p, check->tgt->body, false);
  hy_intern_free(p.bound);
}
