#include "oracle/z3/z3_size.h"

#include "oracle/prover/pair_map.h"

#include <stdlib.h>

typedef struct {
  hy_pair_map degrees; // node -> 1 + its degree, of those that have one
  size_t nodes;
  int greatest;
} size_seen;

static int degree_of(const size_seen *seen, const hy_expr *node) {
  uintptr_t found = (uintptr_t)hy_pair_map_get(&seen->degrees, node, NULL);
  return found ? (int)found - 1 : 0;
}

// Of a product, or of a quotient by an unknown (which Z3 sees as a product), the sum; of others the greatest.
static int degree_from(const size_seen *seen, const hy_expr *node) {
  if (node->kind == HY_EXPR_CONST) return 0;
  if (node->kind != HY_EXPR_OP) return 1;
  hy_op_kind kind = hy_op_kind_of(node->op);
  bool adds = node->op == HY_OP_MUL || kind == HY_KIND_DIVISION;
  int degree = 0;
  for (int i = 0; i < node->count; i++) {
    int own = degree_of(seen, node->args[i]);
    degree = adds ? degree + own : own > degree ? own : degree;
  }
  return degree < HY_Z3_MOST_DEGREE ? degree : HY_Z3_MOST_DEGREE + (degree > HY_Z3_MOST_DEGREE);
}

static void note(void *self, const hy_expr *node) { // children first
  size_seen *seen = self;
  int degree = degree_from(seen, node);
  seen->nodes++;
  if (degree > seen->greatest) seen->greatest = degree;
  if (degree) hy_pair_map_put(&seen->degrees, node, NULL, (const void *)(uintptr_t)(degree + 1));
}

static void visit_question(const hy_z3_question *question, void (*visit)(void *self, const hy_expr *node), void *self) {
  const hy_expr **all = hy_allocate(sizeof *all * (question->fact_count + 1));
  for (size_t i = 0; i < question->fact_count; i++) all[i] = question->facts[i];
  all[question->fact_count] = question->goal;
  hy_expr_visit_each(all, question->fact_count + 1, visit, self);
  hy_free(all);
}

bool hy_z3_is_too_large(const hy_z3_question *question) {
  size_seen seen = {0};
  visit_question(question, note, &seen);
  hy_pair_map_free(&seen.degrees);
  return seen.nodes > HY_Z3_MOST_NODES || seen.greatest > HY_Z3_MOST_DEGREE;
}

static void count_division(void *self, const hy_expr *node) {
  *(unsigned *)self += node->kind == HY_EXPR_OP && hy_op_kind_of(node->op) == HY_KIND_DIVISION;
}

unsigned hy_z3_limit_for(const hy_z3_question *question, unsigned z3_limit) {
  unsigned divisions = 0;
  visit_question(question, count_division, &divisions);
  if (divisions <= HY_Z3_FEW_DIVISIONS) return z3_limit;
  double part = (double)HY_Z3_FEW_DIVISIONS / divisions;
  return 1 + (unsigned)(z3_limit * part * part);
}
