/* Variables and holes. A loop variable is interned by func, specialization, stage and name, which is why a loop can be
 * spoken of without the program that it stands in (lemma 6.1); a hole likewise, by what it is a bound of. Any other
 * variable is new each time that one is made, whatever it is called (decision D24).
 */

#include "semantics/expr/expr.h"

#include <string.h>

bool hy_var_is_startup(const hy_var *var) {
  switch (var->kind) {
  case HY_VAR_PARAM:
  case HY_VAR_IMAGE_MIN:
  case HY_VAR_IMAGE_LEN:
  case HY_VAR_WINDOW_MIN:
  case HY_VAR_WINDOW_LEN: return true;
  case HY_VAR_PURE:
  case HY_VAR_RDOM:
  case HY_VAR_LOOP:
  case HY_VAR_FRESH: return false;
  }
  HY_UNREACHABLE();
}

const hy_var *hy_var_new(hy_context *context, hy_var_kind kind, hy_type type, const char *name, const hy_func *func,
                         int dim, int stage) {
  HY_ASSERT(kind != HY_VAR_LOOP);
  hy_var *var = HY_NEW(hy_context_arena(context), hy_var);
  *var =
      (hy_var){.kind = kind, .type = type, .id = hy_context_fresh(context), .func = func, .dim = dim, .stage = stage};
  var->name = hy_context_name_of(context, name);
  return var;
}

// Only loop variables are in the table: their names are their identity (lemma 6.1).
bool hy_var_equal_content(const void *left, const void *right) {
  const hy_var *a = left, *b = right;
  return a->func == b->func && a->spec == b->spec && a->stage == b->stage && a->name == b->name;
}

const hy_var *hy_var_loop(hy_context *context, const hy_func *func, int spec, int stage, const char *name) {
  hy_var key = {.kind = HY_VAR_LOOP, .type = HY_INT, .func = func, .spec = spec, .stage = stage};
  key.name = hy_context_name_of(context, name);
  uint64_t hash = hy_hash(hy_hash((uint64_t)(uintptr_t)func, (uint64_t)(uintptr_t)key.name),
                          ((uint64_t)(uint32_t)spec << 32) | (uint32_t)stage);
  const hy_var *known = hy_intern_find(hy_context_vars(context), hash, &key);
  if (known) return known;
  hy_var *var = HY_NEW(hy_context_arena(context), hy_var);
  *var = key;
  var->id = hy_context_fresh(context);
  hy_intern_add(hy_context_vars(context), hash, var);
  return var;
}

bool hy_hole_equal_content(const void *left, const void *right) {
  const hy_hole *a = left, *b = right;
  return a->kind == b->kind && a->is_len == b->is_len && a->func == b->func && a->dim == b->dim && a->loop == b->loop;
}

const hy_hole *hy_hole_get(hy_context *context, hy_hole what) {
  uint64_t hash = hy_hash(hy_hash((uint64_t)(uintptr_t)what.func, (uint64_t)(uintptr_t)what.loop),
                          (uint64_t)what.dim * 64 + (uint64_t)what.kind * 2 + what.is_len);
  const hy_hole *known = hy_intern_find(hy_context_holes(context), hash, &what);
  if (known) return known;
  hy_hole *hole = HY_NEW(hy_context_arena(context), hy_hole);
  *hole = what;
  hy_intern_add(hy_context_holes(context), hash, hole);
  return hole;
}
