/* Questions about algorithms. */

#include "semantics/alg/alg.h"

#include <stdlib.h>
#include <string.h>

hy_param_about hy_alg_about(const hy_alg *alg, int param) {
  return alg->about ? alg->about[param] : (hy_param_about){.has_range = false};
}

const char *hy_alg_range_help(hy_context *context, const hy_alg *alg, const hy_expr *index) {
  for (int i = 0; i < alg->param_count && !index->has_access; i++) {
    const hy_var *param = alg->params[i];
    if (param->type == HY_INT || param->type == HY_BOOL || hy_alg_about(alg, i).has_range) continue;
    if (!hy_expr_mentions(index, param)) continue;
    bool is_float = hy_type_class_of(param->type) == HY_CLASS_FLOAT;
    return hy_arena_printf(hy_context_arena(context), "give '%s' a range, %s: %s in %s", param->name, param->name,
                           hy_type_name(param->type), is_float ? "0.25..4.0" : "1..16");
  }
  return NULL;
}

// ALG.Valid.Params: a NaN is in no range
bool hy_alg_param_fits(const hy_alg *alg, int param, hy_value value) {
  hy_param_about about = hy_alg_about(alg, param);
  if (!about.has_range) return true;
  hy_value above = hy_value_apply(HY_OP_LE, HY_BOOL, (hy_value[]){about.least, value});
  hy_value below = hy_value_apply(HY_OP_LE, HY_BOOL, (hy_value[]){value, about.greatest});
  return hy_value_is_true(above) && hy_value_is_true(below);
}

bool hy_alg_params_fit(const hy_alg *alg, const hy_value *params) {
  for (int i = 0; alg->about && i < alg->param_count; i++)
    if (!hy_alg_param_fits(alg, i, params[i])) return false;
  return true;
}

const hy_definition *hy_alg_definition(const hy_alg *alg, const hy_func *func) {
  size_t place = (size_t)func->index - (size_t)alg->image_count; // where the parser puts it
  if (place < (size_t)alg->definition_count && alg->definitions[place].func == func) return &alg->definitions[place];
  for (int i = 0; i < alg->definition_count; i++)
    if (alg->definitions[i].func == func) return &alg->definitions[i];
  return NULL;
}

const hy_func *hy_alg_find(const hy_alg *alg, const char *name) {
  for (int i = 0; i < alg->image_count; i++)
    if (strcmp(alg->images[i]->name, name) == 0) return alg->images[i];
  for (int i = 0; i < alg->definition_count; i++)
    if (strcmp(alg->definitions[i].func->name, name) == 0) return alg->definitions[i].func;
  return NULL;
}

const hy_output *hy_alg_output(const hy_alg *alg, const hy_func *func) {
  for (int i = 0; i < alg->output_count; i++)
    if (alg->outputs[i].func == func) return &alg->outputs[i];
  return NULL;
}

bool hy_alg_has_plain_output(const hy_alg *alg) {
  return alg->output_count == 1 && alg->output == alg->definitions[alg->definition_count - 1].func;
}

static void list_parts(hy_context *context, hy_alg *alg, hy_output *outputs, int count) {
  hy_arena *arena = hy_context_arena(context);
  hy_output_part *parts = HY_NEW_ARRAY(arena, hy_output_part, (size_t)count * HY_MAX_PARTS);
  alg->part_count = 0;
  for (int k = 0; k < count; k++) {
    const hy_func *func = outputs[k].func;
    outputs[k].part = alg->part_count;
    for (int part = 0; part < hy_func_parts(func); part++) {
      const char *name = func->more ? hy_arena_printf(arena, "%s.%d", func->name, part) : func->name;
      parts[alg->part_count++] = (hy_output_part){func, k, part, outputs[k].first, hy_func_type(func, part), name};
    }
  }
  alg->parts = parts;
}

void hy_alg_keep_outputs(hy_context *context, hy_alg *alg, const hy_output *outputs, int count) {
  HY_ASSERT(count >= 1 && count <= HY_MAX_OUTPUTS);
  hy_output *kept = HY_NEW_ARRAY(hy_context_arena(context), hy_output, count);
  memcpy(kept, outputs, sizeof *kept * (size_t)count);
  list_parts(context, alg, kept, count);
  alg->outputs = kept;
  alg->output_count = count;
  alg->output = kept[0].func;
}

void hy_alg_set_outputs(hy_context *context, hy_alg *alg, const hy_func *const *funcs, int count) {
  HY_ASSERT(count >= 1 && count <= HY_MAX_OUTPUTS);
  hy_arena *arena = hy_context_arena(context);
  hy_output outputs[HY_MAX_OUTPUTS];
  int rank = 0, next = 0;
  for (int k = 0; k < count; k++) {
    outputs[k] = (hy_output){.func = funcs[k], .first = rank};
    rank += funcs[k]->rank;
  }
  const hy_var **min = HY_NEW_ARRAY(arena, const hy_var *, rank);
  const hy_var **len = HY_NEW_ARRAY(arena, const hy_var *, rank);
  for (int k = 0; k < count; k++)
    for (int d = 0; d < funcs[k]->rank; d++, next++) {
      const char *name = funcs[k]->dims[d];
      if (count > 1) name = hy_arena_printf(arena, "%s.%s", funcs[k]->name, name);
      min[next] = hy_var_new(context, HY_VAR_WINDOW_MIN, HY_INT, name, funcs[k], d, 0);
      len[next] = hy_var_new(context, HY_VAR_WINDOW_LEN, HY_INT, name, funcs[k], d, 0);
    }
  hy_alg_keep_outputs(context, alg, outputs, count);
  alg->window_min = min;
  alg->window_len = len;
  alg->window_rank = rank;
}

static void mark(void *self, const hy_expr *access) {
  bool *reached = self;
  reached[access->func->index] = true;
}

// Funcs read only what stands before them, so one pass from the last to the front meets every reader before what it
// reads.
void hy_alg_reached(const hy_alg *alg, bool *reached) {
  memset(reached, 0, sizeof *reached * (size_t)(alg->image_count + alg->definition_count));
  for (int i = 0; i < alg->output_count; i++) reached[alg->outputs[i].func->index] = true;
  for (int i = alg->definition_count - 1; i >= 0; i--) {
    const hy_definition *definition = &alg->definitions[i];
    if (!reached[definition->func->index]) continue;
    for (int j = 0; j < definition->stage_count; j++) {
      const hy_stage *stage = &definition->stages[j];
      hy_expr_visit_accesses(stage->rhs, mark, reached);
      if (stage->predicate) hy_expr_visit_accesses(stage->predicate, mark, reached);
      for (int d = 0; d < definition->func->rank; d++) hy_expr_visit_accesses(stage->lhs[d], mark, reached);
    }
  }
}

bool hy_alg_reaches(const hy_alg *alg, const hy_func *func) {
  bool *reached = hy_allocate((size_t)(alg->image_count + alg->definition_count) * sizeof *reached);
  hy_alg_reached(alg, reached);
  bool is_reached = reached[func->index];
  hy_free(reached);
  return is_reached;
}

// "x__1" is a name that a directive gave the variable "x".
static bool is_name_of(const char *loop, const char *written) {
  size_t length = strlen(written);
  return strncmp(loop, written, length) == 0 && (!loop[length] || strncmp(loop + length, "__", 2) == 0);
}

enum { MOST_COMPARED = 100000 };

// Is an expression of a scheduled program the one that was written, loop variables standing for the stage's own? "most"
// bounds the work: expressions share parts.
static bool is_instance(const hy_expr *scheduled, const hy_expr *written, int *most) {
  if (scheduled == written) return true;
  if (scheduled->kind != written->kind || (*most)-- <= 0) return false;
  switch (written->kind) {
  case HY_EXPR_CONST:
  case HY_EXPR_HOLE: return false; // equal ones are identical
  case HY_EXPR_VAR:
    return scheduled->var->kind == HY_VAR_LOOP &&
           (written->var->kind == HY_VAR_PURE || written->var->kind == HY_VAR_RDOM) &&
           is_name_of(scheduled->var->name, written->var->name);
  case HY_EXPR_ACCESS:
    if (scheduled->func != written->func || scheduled->part != written->part) return false;
    break;
  case HY_EXPR_TUPLE: break;
  case HY_EXPR_OP:
    if (scheduled->op != written->op || scheduled->type != written->type) return false;
    break;
  }
  for (int i = 0; i < written->count; i++)
    if (!is_instance(scheduled->args[i], written->args[i], most)) return false;
  return true;
}

const hy_access_site *hy_stage_access_site(const hy_stage *stage, const hy_expr *access) {
  for (int i = 0; i < stage->access_count; i++)
    if (stage->accesses[i].access == access) return &stage->accesses[i];
  for (int i = 0, most = MOST_COMPARED; i < stage->access_count && most > 0; i++)
    if (is_instance(access, stage->accesses[i].access, &most)) return &stage->accesses[i];
  return NULL;
}

hy_loc hy_stage_access_loc(const hy_stage *stage, const hy_expr *access) {
  const hy_access_site *site = hy_stage_access_site(stage, access);
  return site ? site->loc : stage->loc;
}
