#include "oracle/z3/z3_unknowns.h"

static bool is_float(const hy_expr *expr) { return hy_type_class_of(expr->type) == HY_CLASS_FLOAT; }

bool hy_is_opaque(const hy_expr *expr) {
  switch (expr->kind) {
  case HY_EXPR_CONST: return expr->value.error != HY_OK;
  case HY_EXPR_VAR:
  case HY_EXPR_ACCESS:
  case HY_EXPR_TUPLE:
  case HY_EXPR_HOLE: return true;
  case HY_EXPR_OP: break;
  }
  if (hy_op_is_opaque(expr->op)) return true;
  for (int i = 0; i < expr->count; i++)
    if (is_float(expr->args[i])) return true;
  return false;
}

static bool is_constant(const hy_expr *expr) { return expr->kind == HY_EXPR_CONST && expr->value.error == HY_OK; }

bool hy_is_partial(const hy_expr *expr) {
  if (expr->kind != HY_EXPR_OP || hy_is_opaque(expr)) return false;
  hy_op_kind kind = hy_op_kind_of(expr->op);
  if (kind == HY_KIND_DIVISION) return !is_constant(expr->args[1]) || hy_value_bits(expr->args[1]->value) == 0;
  return kind == HY_KIND_SHIFT || (kind == HY_KIND_BITS && expr->count == 2);
}

static void note(void *self, const hy_expr *node) {
  hy_unknowns *unknowns = self;
  if (!is_float(node) && (hy_is_opaque(node) || hy_is_partial(node))) hy_vec_push(unknowns, node);
}

static int by_id(const void *a, const void *b) {
  uint32_t left = (*(const hy_expr *const *)a)->id, right = (*(const hy_expr *const *)b)->id;
  return left < right ? -1 : left > right;
}

void hy_question_unknowns(const hy_z3_question *question, hy_unknowns *unknowns) {
  for (size_t i = 0; i < question->fact_count; i++) hy_expr_visit(question->facts[i], note, unknowns);
  hy_expr_visit(question->goal, note, unknowns);
  if (unknowns->count) qsort(unknowns->data, unknowns->count, sizeof *unknowns->data, by_id);
  size_t kept = 0;
  for (size_t i = 0; i < unknowns->count; i++)
    if (i == 0 || unknowns->data[i] != unknowns->data[kept - 1]) unknowns->data[kept++] = unknowns->data[i];
  unknowns->count = kept;
}
