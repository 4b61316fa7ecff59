#include "bounds/query_internal.h"

/* B.Fold: where an allocation is folded by n in a dimension, points that are equal modulo n share a cell. What is owed
 * is that in one computation no two such points are alive:
 *
 *   at the compute of f on B        B is at most n long in that dimension, if it has points
 *   at every assignment of f        the point written is at least the minimum of B there, and less than n above it
 *
 * So all stores of one execution of the compute go to n neighbours, which have n cells. In Cpu(f), which lies among
 * them, are the points that are read where it matters (B.Cpu, B.Address), and B.Cover says that each was stored in that
 * very execution, or is kept (B.Slide), and then it lay among the n neighbours of every execution since it was stored.
 * What else earlier executions left in the cells is not read.
 *
 * B.Disjoint speaks of points: by the second half, points apart are cells apart.
 */

static int64_t fold_of(const hy_query_walk *w, const hy_func *func, int dim) {
  const hy_stmt *allocate = w->allocates[func->index];
  return allocate && allocate->allocate.plan ? allocate->allocate.plan->fold[dim] : 0;
}

// B.Fold of a compute.
void hy_query_owe_fold(hy_query_walk *w, hy_query_place at, const hy_stmt *compute) {
  const hy_func *func = compute->compute.func;
  const hy_interval *box = compute->compute.box;
  const hy_stmt *allocate = w->allocates[func->index];
  if (!allocate || !hy_plan_folds(allocate->allocate.plan, func->rank)) return;
  size_t facts = w->facts.count;
  for (int d = 0; d < func->rank; d++) // an empty box has no points that could meet
    hy_query_push_fact(w, binary(w, HY_OP_GE, box[d].len, hy_expr_int(w->context, 1)));
  for (int d = 0; d < func->rank; d++) {
    int64_t fold = fold_of(w, func, d);
    if (!fold) continue;
    hy_query_owe(w, HY_B_FOLD, at, binary(w, HY_OP_LE, box[d].len, hy_expr_int(w->context, fold)),
                 "what is computed of %s fits its fold by %lld in dimension %s", func->name, (long long)fold,
                 dim_name(func, d));
    hy_query_end_at(w, d, true);
  }
  hy_query_pop_facts(w, facts);
}

// B.Fold of an assignment.
void hy_query_owe_fold_of_store(hy_query_walk *w, hy_query_place at, const hy_stmt *assign,
                                const hy_expr *const *left) {
  const hy_func *func = assign->assign.func;
  const hy_interval *box = w->computes[func->index]->compute.box;
  for (int d = 0; d < func->rank; d++) {
    int64_t fold = fold_of(w, func, d);
    if (!fold) continue;
    const hy_expr *end = hy_index_add(w->context, box[d].min, hy_expr_int(w->context, fold));
    hy_query_owe(w, HY_B_FOLD, at, binary(w, HY_OP_LE, box[d].min, left[d]),
                 "what is written of %s lies in its fold by %lld in dimension %s, lower bound", func->name,
                 (long long)fold, dim_name(func, d));
    hy_query_end_at(w, d, false);
    hy_query_owe(w, HY_B_FOLD, at, binary(w, HY_OP_LT, left[d], end),
                 "what is written of %s lies in its fold by %lld in dimension %s, upper bound", func->name,
                 (long long)fold, dim_name(func, d));
    hy_query_end_at(w, d, true);
  }
}
