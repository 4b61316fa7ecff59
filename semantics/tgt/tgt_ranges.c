/* Decision D69: a range is believed where the entry block assumes it, and nowhere else. A hand-written program that
 * says nothing of how large a parameter, the window or an image can be gets the check that lowering writes
 * (LOW.Entry-Range).
 */

#include "semantics/base/vec.h"
#include "semantics/tgt/tgt.h"

typedef HY_VEC(const hy_stmt *) stmt_list;

static bool is_var(const hy_expr *e, const hy_var *var) { return e->kind == HY_EXPR_VAR && e->var == var; }

// Does the condition say of the variable that it is at least (or at most) some number?
static bool bounds(const hy_expr *condition, const hy_var *var, bool below) {
  int64_t constant;
  if (condition->kind != HY_EXPR_OP || condition->count != 2) return false;
  const hy_expr *a = condition->args[0], *b = condition->args[1];
  switch ((int)condition->op) {
  case HY_OP_AND: return bounds(a, var, below) || bounds(b, var, below);
  case HY_OP_EQ:
    return (is_var(a, var) && hy_expr_is_int(b, &constant)) || (is_var(b, var) && hy_expr_is_int(a, &constant));
  case HY_OP_LE:
  case HY_OP_LT:
    return below ? is_var(b, var) && hy_expr_is_int(a, &constant) : is_var(a, var) && hy_expr_is_int(b, &constant);
  case HY_OP_GE:
  case HY_OP_GT:
    return below ? is_var(a, var) && hy_expr_is_int(b, &constant) : is_var(b, var) && hy_expr_is_int(a, &constant);
  default: return false;
  }
}

static bool is_bounded(const hy_tgt *tgt, const hy_var *var) {
  bool low = false, high = false;
  for (int i = 0; i < tgt->entry_count; i++) {
    low |= bounds(tgt->entry[i]->assume.condition, var, true);
    high |= bounds(tgt->entry[i]->assume.condition, var, false);
  }
  return low && high;
}

static void assume(hy_context *context, const hy_tgt *tgt, stmt_list *added, const hy_var *var, const hy_func *image,
                   bool is_len) {
  if (var->type != HY_INT || is_bounded(tgt, var)) return;
  const hy_expr *v = hy_expr_var(context, var), *limit = hy_expr_int(context, INT64_C(1) << 31);
  const hy_expr *least = hy_expr_int(context, is_len ? 0 : -(INT64_C(1) << 31));
  const hy_expr *below = hy_expr_binary(context, HY_OP_LE, v, limit);
  const hy_expr *between = hy_expr_and(context, hy_expr_binary(context, HY_OP_LE, least, v), below);
  hy_vec_push(added, hy_stmt_assume(context, HY_ASSUME_RANGE, image, between));
}

const hy_tgt *hy_tgt_assume_ranges(hy_context *context, const hy_tgt *tgt, int *added) {
  const hy_alg *alg = tgt->alg;
  stmt_list entry = {0};
  for (int d = 0; d < alg->window_rank; d++) {
    assume(context, tgt, &entry, alg->window_min[d], NULL, false);
    assume(context, tgt, &entry, alg->window_len[d], NULL, true);
  }
  for (int i = 0; i < alg->param_count; i++) assume(context, tgt, &entry, alg->params[i], NULL, false);
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++) {
      assume(context, tgt, &entry, alg->images[k]->min[d], alg->images[k], false);
      assume(context, tgt, &entry, alg->images[k]->len[d], alg->images[k], true);
    }
  *added = (int)entry.count;
  hy_tgt *complete = NULL;
  if (entry.count) {
    complete = HY_NEW(hy_context_arena(context), hy_tgt);
    *complete = *tgt;
    const hy_stmt **all =
        HY_NEW_ARRAY(hy_context_arena(context), const hy_stmt *, entry.count + (size_t)tgt->entry_count);
    for (size_t i = 0; i < entry.count; i++) all[i] = entry.data[i];
    for (int i = 0; i < tgt->entry_count; i++) all[entry.count + (size_t)i] = tgt->entry[i];
    complete->entry = all;
    complete->entry_count += (int)entry.count;
  }
  hy_vec_free(&entry);
  return complete ? complete : tgt;
}

/* -- ranges of parameters -- */

// c <= a, or c <= int(a): the constant on that side, as a value of the parameter's type.
static bool read_end(const hy_expr *condition, const hy_var *param, int side, hy_value *end) {
  if (condition->kind != HY_EXPR_OP || condition->op != HY_OP_LE) return false;
  const hy_expr *constant = condition->args[side], *v = condition->args[1 - side];
  if (constant->kind != HY_EXPR_CONST || constant->value.error) return false;
  bool is_number = v->kind == HY_EXPR_OP && v->op == HY_OP_CAST && v->type == HY_INT && is_var(v->args[0], param);
  if (is_number ? !hy_type_is_integral(param->type) || !hy_type_is_numeric(param->type) : !is_var(v, param))
    return false;
  *end = is_number ? hy_value_integral(param->type, constant->value.i) : constant->value;
  return true;
}

const hy_param_about *hy_tgt_about_params(hy_context *context, const hy_alg *alg, const hy_stmt *const *entry,
                                          int count) {
  hy_param_about *about = HY_NEW_ARRAY(hy_context_arena(context), hy_param_about, alg->param_count);
  bool is_said = false;
  for (int k = 0; k < count; k++) {
    const hy_expr *condition = entry[k]->assume.condition;
    bool is_range =
        entry[k]->assume.why == HY_ASSUME_PARAM && condition->kind == HY_EXPR_OP && condition->op == HY_OP_AND;
    for (int i = 0; is_range && i < alg->param_count; i++) {
      hy_param_about *a = &about[i];
      a->has_range |= read_end(condition->args[0], alg->params[i], 0, &a->least) &&
                      read_end(condition->args[1], alg->params[i], 1, &a->greatest);
      is_said |= a->has_range;
    }
  }
  return is_said ? about : NULL;
}

const hy_requirement *hy_tgt_requirements(hy_context *context, const hy_stmt *const *entry, int count, int *found) {
  hy_requirement *list = HY_NEW_ARRAY(hy_context_arena(context), hy_requirement, count);
  *found = 0;
  for (int k = 0; k < count; k++)
    if (entry[k]->assume.why == HY_ASSUME_REQUIRE)
      list[(*found)++] = (hy_requirement){.condition = entry[k]->assume.condition};
  return list;
}
