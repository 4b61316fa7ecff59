#ifndef HY_QUERY_INTERNAL_H
#define HY_QUERY_INTERNAL_H

/* How B(S) is extracted: one walk through the program that knows the facts which hold where it is.
 *
 *   query.c    the walk through the statements, and the pipeline as a whole
 *   owe.c      facts, obligations, and what every expression and every box owes
 *   cover.c    B.Cover: the inverse map of the directives
 *   disjoint.c B.Disjoint: the way back from a point to the iteration of a parallel loop
 *   value.c    B.Value: the ranges of values that indices rest on
 *   fold.c     B.Fold: points that share a cell
 *   pieces.c   B.Pieces: loops in pieces, and guards that are implied
 *   slide.c    B.Slide: points that an earlier iteration left
 *   access.c   B.Mem, B.Cpu, B.Address: the accesses of an assignment, and of a predicate
 */

#include "bounds/query.h"
#include "semantics/base/vec.h"
#include "semantics/tgt/defined.h"
#include "semantics/tgt/values.h"

typedef struct hy_query_walk {
  hy_context *context;
  hy_arena *arena; // for what the result is made of
  const hy_tgt *tgt;
  hy_ranges *ranges;
  const hy_values *values; // of funcs (decision D88)
  HY_VEC(hy_obligation) obligations;
  hy_expr_list facts;               // that hold where the walk is
  hy_expr_list widths;              // and those of them that only B.Fits asks for
  bool is_far;                      // everybody asks
  hy_expr_list fitting;             // what B.Fits has owed so far and may build on: one overflow is one refutation
  HY_VEC(const hy_stmt *) path;     // from the body down to where the walk is
  HY_VEC(size_t) facts_at;          // by position in path: how many facts held above it
  const hy_stmt **allocates;        // by func->index, in scope
  const hy_stmt **computes;         // by func->index: done or under way
  const hy_expr **shared;           // a list of facts that obligations share
  size_t shared_count, shared_room; // of it
  size_t same;                      // how many of "facts", from the first on, stand there in the same places
} hy_query_walk;

// Where an obligation arises.
typedef struct hy_query_place {
  const hy_func *func, *other;
  int stage;
  hy_loc loc;
} hy_query_place;

static inline const hy_expr *binary(const hy_query_walk *w, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(w->context, op, a, b);
}
static inline const hy_expr *end_of(const hy_query_walk *w, hy_interval i) {
  return hy_index_add(w->context, i.min, i.len);
}
static inline const char *dim_name(const hy_func *func, int dim) { return func->dims[dim]; }

/* -- owe.c -- */
const hy_expr *const *hy_query_share_facts(hy_query_walk *w, size_t count); // the first so many
void hy_query_push_fact(hy_query_walk *w, const hy_expr *fact);
void hy_query_pop_facts(hy_query_walk *w, size_t count); // so that "count" are left
// What the machine has found defined and true.
void hy_query_push_checked(hy_query_walk *w, const hy_expr *condition);
// What holds in a branch of an if.
void hy_query_push_branch(hy_query_walk *w, const hy_stmt *stmt, const hy_stmt *branch);
void hy_query_owe(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const hy_expr *goal, const char *format,
                  ...) HY_PRINTF(5, 6);
// The last obligation is about that end of a box.
void hy_query_end_at(hy_query_walk *w, int dim, bool is_upper);
const char *hy_query_print(hy_query_walk *w, const hy_expr *expr);
hy_query_place hy_query_here(hy_query_walk *w, const hy_func *func);
hy_query_place hy_query_on(hy_query_place at, const hy_stmt *stmt); // the same place, but at a statement of a .tgt file
void hy_query_owe_defined(hy_query_walk *w, hy_query_place at, const hy_expr *expr);
void hy_query_owe_fits(hy_query_walk *w, hy_query_place at, const hy_expr *expr, const char *what);
void hy_query_owe_interval(hy_query_walk *w, hy_query_place at, hy_interval interval, const char *what,
                           const char *name);
void hy_query_owe_inside(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const hy_interval *inner,
                         const hy_interval *outer, const char *what);
void hy_query_owe_missing(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const char *access,
                          const char *what);

/* -- cover.c -- */
// B.Cover of the stage that the assignment is of; the walk is at it.
void hy_query_owe_cover(hy_query_walk *w, hy_query_place at, const hy_stmt *assign);

/* -- disjoint.c -- */
// B.Disjoint of the parallel and vectorized loops around the assignment; the walk is at it.
void hy_query_owe_disjoint(hy_query_walk *w, hy_query_place at, const hy_stmt *assign);

/* -- fold.c -- */
// B.Fold of a computation's box; the walk is at its compute, before its body.
void hy_query_owe_fold(hy_query_walk *w, hy_query_place at, const hy_stmt *compute);
// B.Fold of what an assignment writes; "left" are its coordinates as the machine has them, whose facts are there.
void hy_query_owe_fold_of_store(hy_query_walk *w, hy_query_place at, const hy_stmt *assign, const hy_expr *const *left);

/* -- slide.c -- */
// Which points the compute, around which the walk is, has to cover: those that it does not keep.
void hy_query_push_slide(hy_query_walk *w, const hy_stmt *compute, const hy_expr *const *point);

/* -- pieces.c -- */
// B.Pieces of all pieces and implied guards of the program whose body this is; the walk knows the entry block alone.
void hy_query_walk_pieces(hy_query_walk *w, const hy_stmt *body);

/* -- value.c -- */
// B.Value of an assignment.
void hy_query_owe_value(hy_query_walk *w, hy_query_place at, const hy_stmt *assign);

/* -- access.c -- */
// Facts about the loads and conversions inside expressions: between which numbers they lie.
void hy_query_push_atoms(hy_query_walk *w, const hy_expr *const *exprs, int count);
// Facts about what bits are made into in an interval.
void hy_query_push_words(hy_query_walk *w, hy_interval interval);
// B.Mem, B.Cpu and B.Address of an assignment and its accesses; the walk is at it.
void hy_query_walk_assign(hy_query_walk *w, const hy_stmt *assign);
// The same of the accesses of an update's predicate; the walk is at its if.
void hy_query_walk_predicate(hy_query_walk *w, const hy_stmt *stmt);
// What holds a func in memory, NULL if nothing that is in scope; "room" is for an image's own box.
const hy_interval *hy_query_mem_of(const hy_query_walk *w, const hy_func *func, hy_interval *room);

#endif
