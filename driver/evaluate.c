#include "driver/evaluate.h"

#include "semantics/base/vec.h"
#include "semantics/tape.h"

/* -- startup variables and their values -- */

typedef struct {
  HY_VEC(const hy_var *) vars;
  HY_VEC(hy_value) values;
} bindings;

static void bind(bindings *b, const hy_var *var, hy_value value) {
  hy_vec_push(&b->vars, var);
  hy_vec_push(&b->values, value);
}

static void bind_all(bindings *b, const hy_alg *alg, const hy_input *input) {
  for (int i = 0; i < alg->param_count; i++) bind(b, alg->params[i], input->params[i]);
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++) {
      bind(b, alg->images[k]->min[d], hy_value_int(input->images[k]->min[d]));
      bind(b, alg->images[k]->len[d], hy_value_int(input->images[k]->len[d]));
    }
  for (int d = 0; d < alg->output->rank; d++) {
    bind(b, alg->window_min[d], hy_value_int(input->window_min[d]));
    bind(b, alg->window_len[d], hy_value_int(input->window_len[d]));
  }
}

// A startup expression reads nothing.
static hy_value no_load(void *self, const hy_func *func, const hy_value *coordinates) {
  (void)self, (void)coordinates;
  HY_DIE("a startup expression reads '%s'", func->name);
}

hy_value hy_input_evaluate(const hy_alg *alg, const hy_input *input, const hy_expr *expr) {
  bindings b = {0};
  bind_all(&b, alg, input);
  hy_tape *tape = hy_tape_compile(&expr, 1, b.vars.data, b.vars.count, HY_LAZY);
  hy_value *registers = hy_allocate(sizeof *registers * (hy_tape_registers(tape) + 1)), result;
  hy_tape_run(tape, b.values.data, registers, no_load, NULL, &result);
  free(registers);
  hy_tape_free(tape);
  hy_vec_free(&b.vars);
  hy_vec_free(&b.values);
  return result;
}

/* -- regions: LOW.Entry-Image's check, read backwards -- */

// The two bounds that the check compares with an image's box in one dimension.
typedef struct {
  const hy_expr *min, *end;
} bounds;

static bool is_var(const hy_expr *expr, const hy_var *var) { return expr->kind == HY_EXPR_VAR && expr->var == var; }

static bool is_op(const hy_expr *expr, hy_op op) { return expr->kind == HY_EXPR_OP && expr->op == op; }

static bool is_end(const hy_expr *expr, const hy_func *image, int dim) {
  if (!is_op(expr, HY_OP_ADD)) return false;
  return (is_var(expr->args[0], image->min[dim]) && is_var(expr->args[1], image->len[dim])) ||
         (is_var(expr->args[1], image->min[dim]) && is_var(expr->args[0], image->len[dim]));
}

// match: in.min(d) <= need.min and need.min + need.len <= in.min(d) + in.len(d), anywhere under && and ||
static void match_bounds(const hy_expr *check, const hy_func *image, bounds *found) {
  if (is_op(check, HY_OP_AND) || is_op(check, HY_OP_OR)) {
    match_bounds(check->args[0], image, found);
    match_bounds(check->args[1], image, found);
  }
  if (!is_op(check, HY_OP_LE)) return;
  for (int d = 0; d < image->rank; d++) {
    if (is_var(check->args[0], image->min[d])) found[d].min = check->args[1];
    if (is_end(check->args[1], image, d)) found[d].end = check->args[0];
  }
}

static bool evaluate_int(const hy_tgt *tgt, const hy_input *input, const hy_expr *expr, int64_t *value) {
  if (!expr) return false;
  hy_value result = hy_input_evaluate(tgt->alg, input, expr);
  *value = result.i;
  return result.error == HY_OK;
}

static bool region_of_check(const hy_tgt *tgt, const hy_expr *check, const hy_func *image, const hy_input *input,
                            hy_region *region) {
  bounds found[HY_MAX_RANK] = {0};
  match_bounds(check, image, found);
  region->empty = false;
  for (int d = 0; d < image->rank; d++) {
    int64_t end;
    if (!evaluate_int(tgt, input, found[d].min, &region->min[d]) || !evaluate_int(tgt, input, found[d].end, &end))
      return false;
    if (__builtin_sub_overflow(end, region->min[d], &region->len[d])) return false;
    if (region->len[d] <= 0) region->empty = true;
  }
  return true;
}

bool hy_region_needed(const hy_tgt *filled, const hy_func *image, const hy_input *input, hy_region *region) {
  for (int i = 0; i < filled->entry_count; i++) {
    const hy_stmt *stmt = filled->entry[i];
    if (stmt->kind == HY_STMT_ASSUME && stmt->assume.why == HY_ASSUME_IMAGE && stmt->assume.subject == image)
      return region_of_check(filled, stmt->assume.condition, image, input, region);
  }
  return false;
}

const hy_stmt *hy_entry_failure(const hy_tgt *filled, const hy_input *input) {
  for (int d = 0; d < filled->alg->output->rank; d++)
    if (input->window_len[d] == 0) return NULL;
  for (int i = 0; i < filled->entry_count; i++) {
    hy_value held = hy_input_evaluate(filled->alg, input, filled->entry[i]->assume.condition);
    if (held.error != HY_OK || !held.u) return filled->entry[i];
  }
  return NULL;
}
