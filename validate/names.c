#include "validate/validate_internal.h"

#include <stdlib.h>
#include <string.h>

/* Names in what people read. A let for a loop whose name went to a new loop has a name that nobody wrote, "x__1" beside
 * the loop "x" (decision D24); in questions and counterexamples it is called "x (old)", a second one "x (old 2)". Only
 * such a let was never a loop under its name: that tells it from a loop that the schedule called "x__1".
 */

const hy_var *hy_old_name_base(hy_context *context, const hy_var *var) {
  const char *end = NULL;
  for (const char *at = var->name; (at = strstr(at, "__")) != NULL; at++) end = at; // the last one
  if (!end || end == var->name || !end[2] || end[2 + strspn(end + 2, "0123456789")]) return NULL;
  const char *base = hy_arena_printf(hy_context_arena(context), "%.*s", (int)(end - var->name), var->name);
  return hy_var_loop(context, var->func, var->spec, var->stage, hy_context_name_of(context, base));
}

const hy_var *hy_old_name(hy_context *context, const hy_var *var) {
  const hy_var *base = hy_old_name_base(context, var);
  if (!base) return var;
  const char *number = var->name + strlen(base->name) + 2;
  bool first = strcmp(number, "1") == 0;
  const char *name =
      hy_arena_printf(hy_context_arena(context), "%s (old%s%s)", base->name, first ? "" : " ", first ? "" : number);
  return hy_var_loop(context, var->func, var->spec, var->stage, hy_context_name_of(context, name));
}

static bool was_loop(const hy_validator *v, const hy_var *var) {
  for (size_t i = 0; i < v->loops.count; i++)
    if (v->loops.data[i] == var) return true;
  return false;
}

void hy_validator_see_loops(hy_validator *v, const hy_stage_list *stages) {
  for (int i = 0; i < stages->count; i++)
    for (int k = 0; k < stages->copies[i].count; k++) {
      const hy_stmt *stmt = stages->copies[i].chain[k];
      if (stmt->kind == HY_STMT_FOR && !was_loop(v, stmt->loop.var)) hy_vec_push(&v->loops, stmt->loop.var);
    }
}

typedef struct {
  hy_context *context;
  hy_binding *bindings; // of each let that has such a name
  const hy_var **names; // what it is called
  size_t count;
} renaming;

static const hy_var *renamed(void *self, const hy_var *var) {
  const renaming *r = self;
  for (size_t i = 0; i < r->count; i++)
    if (r->bindings[i].var == var) return r->names[i];
  return var;
}

static const hy_expr *rename_expr(void *self, const hy_expr *expr) {
  const renaming *r = self;
  return hy_expr_substitute(r->context, expr, r->bindings, r->count);
}

// A for, let or guard without its body.
static const hy_stmt *rename_stmt(renaming *r, const hy_stmt *stmt) {
  const hy_stmt *nop = hy_stmt_nop(r->context);
  if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD)
    stmt = hy_stmt_if(r->context, HY_IF_GUARD, stmt->branch.condition, nop, NULL);
  else if (stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET)
    stmt = hy_stmt_with_children(r->context, stmt, &nop, 1);
  else
    return stmt;
  stmt = hy_stmt_map_exprs(r->context, stmt, rename_expr, r);
  if (stmt->kind != HY_STMT_LET) return stmt;
  hy_origin origin = hy_origin_rename(r->context, stmt->let.origin, renamed, r);
  return hy_stmt_let(r->context, renamed(r, stmt->let.var), stmt->let.value, origin, stmt->let.body);
}

static bool binds(const hy_stage_copy *copy, const hy_var *var) {
  for (int i = 0; i < copy->count; i++) {
    const hy_stmt *stmt = copy->chain[i];
    if ((stmt->kind == HY_STMT_FOR && stmt->loop.var == var) || (stmt->kind == HY_STMT_LET && stmt->let.var == var))
      return true;
  }
  return false;
}

static void find_names(const hy_validator *v, renaming *r, const hy_stage_copy *copy) {
  for (int i = 0; i < copy->count; i++) {
    const hy_stmt *stmt = copy->chain[i];
    const hy_var *base = stmt->kind == HY_STMT_LET ? hy_old_name_base(r->context, stmt->let.var) : NULL;
    if (!base || !binds(copy, base) || was_loop(v, stmt->let.var)) continue; // the user's own name
    r->names[r->count] = hy_old_name(r->context, stmt->let.var);
    r->bindings[r->count] = (hy_binding){stmt->let.var, hy_expr_var(r->context, r->names[r->count])};
    r->count++;
  }
}

hy_stage_copy hy_stage_for_people(const hy_validator *v, const hy_stage_copy *copy) {
  hy_context *context = v->context;
  hy_arena *arena = hy_context_arena(context);
  int keys = copy->pure_count + copy->rdom_count;
  hy_stage_copy shown = *copy;
  renaming r = {context, HY_NEW_ARRAY(arena, hy_binding, copy->count), HY_NEW_ARRAY(arena, const hy_var *, copy->count),
                0};
  find_names(v, &r, copy);
  if (!r.count) return shown;
  const hy_stmt **chain = HY_NEW_ARRAY(arena, const hy_stmt *, copy->count);
  for (int i = 0; i < copy->count; i++) chain[i] = rename_stmt(&r, copy->chain[i]);
  shown.chain = chain;
  shown.keys = HY_NEW_ARRAY(arena, const hy_var *, keys);
  for (int k = 0; k < keys; k++) shown.keys[k] = renamed(&r, copy->keys[k]);
  return shown;
}
