#include "validate/validate_internal.h"

#include <string.h>

/* L0 of the directives that add a func: what reads it read the other func before, and is the same but for that; and
 * what computes it is the identity (wrap), or what computes the other func but for the names (clone). It looks at the
 * two programs alone: everything of the program after is named as before, and compared.
 */

typedef struct {
  hy_context *context;
  const hy_func *made, *func;
} naming;

static const hy_var *old_loop(const naming *n, const hy_var *var) {
  if (!var || var->kind != HY_VAR_LOOP || var->func != n->made) return var;
  return hy_var_loop(n->context, n->func, var->spec, var->stage, var->name);
}

static const hy_expr *old_node(void *self, const hy_expr *node) {
  const naming *n = self;
  if (node->kind == HY_EXPR_ACCESS && node->func == n->made)
    return hy_expr_access_part(n->context, n->func, node->part, node->args);
  if (node->kind == HY_EXPR_VAR) return hy_expr_var(n->context, old_loop(n, node->var));
  if (node->kind != HY_EXPR_HOLE || node->hole->func != n->made) return node;
  hy_hole hole = *node->hole;
  hole.func = n->func;
  hole.loop = old_loop(n, hole.loop);
  return hy_expr_hole(n->context, hy_hole_get(n->context, hole));
}

static bool same(const naming *n, const hy_expr *before, const hy_expr *after) {
  return hy_expr_map(n->context, after, old_node, (void *)n) == before;
}

static bool same_assignment(const naming *n, const hy_stage_copy *before, const hy_stage_copy *after) {
  const hy_stmt *old = before->assign, *new = after->assign;
  for (int i = 0; i < before->func->rank; i++)
    if (!same(n, old->assign.lhs[i], new->assign.lhs[i])) return false;
  return same(n, old->assign.rhs, new->assign.rhs);
}

static bool same_statement(const naming *n, const hy_stmt *old, const hy_stmt *new) {
  if (old->kind != new->kind) return false;
  if (old->kind == HY_STMT_IF) return same(n, old->branch.condition, new->branch.condition);
  if (old->kind != HY_STMT_FOR) return true;
  return old->loop.var == old_loop(n, new->loop.var) && old->loop.is_pure == new->loop.is_pure &&
         old->loop.traversal == new->loop.traversal &&same(n, old->loop.interval.min, new->loop.interval.min) &&
         same(n, old->loop.interval.len, new->loop.interval.len);
}

// From the computation to the assignment: the same statements, and the same in them.
static bool same_chain(const naming *n, const hy_stage_copy *before, const hy_stage_copy *after) {
  bool good = before->count == after->count && before->spec == after->spec && before->stage == after->stage;
  for (int i = 0; i < before->count && good; i++) good = same_statement(n, before->chain[i], after->chain[i]);
  return good && same_assignment(n, before, after);
}

typedef struct {
  const hy_func *func;
  bool found;
} access_search;

static void see_access(void *self, const hy_expr *access) {
  access_search *search = self;
  search->found |= access->func == search->func;
}

static const hy_expr *see_expr(void *self, const hy_expr *expr) {
  if (expr->has_access) hy_expr_visit_accesses(expr, see_access, self);
  return expr;
}

static bool reads(hy_context *context, const hy_stmt *stmt, const hy_func *func) {
  access_search search = {func, false};
  hy_stmt_map_exprs(context, stmt, see_expr, &search);
  return search.found;
}

static bool expr_reads(const hy_expr *expr, const hy_func *func) {
  access_search search = {func, false};
  (void)see_expr(&search, expr);
  return search.found;
}

/* -- what computes it -- */

// w(x1, .., xn) <- f(x1, .., xn) in a loop for each of them, over all of its box
static bool is_identity(const naming *n, const hy_stage_copy *copy) {
  const hy_stmt *assign = copy->assign;
  if (copy->stage || copy->spec || copy->pure_count != copy->func->rank || copy->rdom_count) return false;
  for (int i = 0; i < copy->func->rank; i++)
    if (assign->assign.lhs[i] != hy_expr_var(n->context, copy->keys[i])) return false;
  for (int part = 0; part < hy_func_parts(copy->func); part++)
    if (hy_expr_part(assign->assign.rhs, part) != hy_expr_access_part(n->context, n->func, part, assign->assign.lhs))
      return false;
  for (int i = 0; i < copy->count; i++) {
    const hy_stmt *stmt = copy->chain[i];
    if (stmt->kind == HY_STMT_IF || stmt->kind == HY_STMT_LET) return false;
    for (int d = 0; d < copy->func->rank && stmt->kind == HY_STMT_FOR; d++)
      if (copy->keys[d] == stmt->loop.var && stmt->loop.interval.min != copy->compute->compute.box[d].min) return false;
  }
  return true;
}

// The words of a text, each word "from" being "to".
static void add_words(hy_text *out, const char *text, const char *from, const char *to) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  while (*text) {
    size_t length = strspn(text, letters);
    bool is_name = length == strlen(from) && strncmp(text, from, length) == 0;
    hy_text_add_bytes(out, is_name ? to : text, is_name ? strlen(to) : length ? length : 1);
    text += length ? length : 1;
  }
}

// Loops, lets, guards and specializations, everything but the func's name: no other func is called as what is added.
static bool same_text(const naming *n, const hy_stmt *before, const hy_stmt *after) {
  hy_text old = {0}, new = {0}, renamed = {0};
  hy_stmt_print(before, 0, &old);
  hy_stmt_print(after, 0, &new);
  add_words(&renamed, hy_text_string(&new), n->made->name, n->func->name);
  bool same = strcmp(hy_text_string(&old), hy_text_string(&renamed)) == 0;
  hy_text_free(&old);
  hy_text_free(&new);
  hy_text_free(&renamed);
  return same;
}

static const char *check_made(const naming *n, const hy_directive *directive, const hy_stage_list *before,
                              const hy_stage_copy *copy) {
  if (directive->type == &hy_directive_wrap)
    return is_identity(n, copy) ? NULL : "what is added is not the func that it wraps";
  const hy_stage_copy *from = hy_stages_find(before, n->func, copy->spec, copy->stage);
  if (directive->type == &hy_directive_copy)
    return from && same_text(n, from->compute, copy->compute) ? NULL : "what is added is not a copy";
  return from && same_chain(n, from, copy) ? NULL : "what is added is not a copy";
}

/* -- what reads it -- */

static bool is_meant(const hy_directive *directive, const hy_func *reader, int spec) {
  for (int i = 0; i < directive->reader_count; i++)
    if (directive->readers[i] == reader &&
        (!directive->branches || directive->branches[i] == HY_ALL_BRANCHES || directive->branches[i] == spec))
      return true;
  return false;
}

static const char *check_reader(const naming *n, const hy_directive *directive, const hy_stage_copy *before,
                                const hy_stage_copy *after) {
  if (!same_chain(n, before, after)) return "a stage that reads it is another one";
  bool meant = is_meant(directive, after->func, after->spec);
  const hy_stmt *whole = directive->branches ? after->chain[after->count - 1] : after->compute;
  const hy_expr *predicate = hy_stage_predicate(after);
  const hy_func *other = meant ? n->func : n->made;
  if (directive->branches && predicate && after->func != n->func && expr_reads(predicate, other))
    return "it is not what its readers read, and no other";
  if (after->func != n->func && reads(n->context, whole, other)) return "it is not what its readers read, and no other";
  return NULL;
}

const char *hy_validate_added(hy_context *context, const hy_stage_list *before, const hy_directive *directive,
                              const hy_stage_copy *from, const hy_stage_copy *copy) {
  naming n = {context, directive->made, directive->func};
  if (directive->type == &hy_directive_split_reduction)
    return hy_validate_parted(context, before, directive, from, copy);
  if (directive->loop) return hy_validate_factored(context, before, directive, from, copy);
  const char *wrong = from ? check_reader(&n, directive, from, copy) : check_made(&n, directive, before, copy);
  if (!wrong) return NULL;
  return hy_arena_printf(hy_context_arena(context), "%s: %s (%s)", directive->made->name, wrong,
                         hy_stage_name(context, copy));
}

/* -- the variables of a func that is added are its loops -- */

void hy_stage_name_own_keys(hy_context *context, hy_stage_copy *c) {
  hy_arena *arena = hy_context_arena(context);
  c->keys = HY_NEW_ARRAY(arena, const hy_var *, c->count + 1);
  c->names = HY_NEW_ARRAY(arena, const char *, c->count + 1);
  int *dims = HY_NEW_ARRAY(arena, int, c->count + 1);
  for (int d = 0; d < c->func->rank; d++)
    for (int i = 0; i < c->count; i++) {
      const hy_stmt *stmt = c->chain[i];
      if (stmt->kind != HY_STMT_FOR || !stmt->loop.is_pure || strcmp(stmt->loop.var->name, c->func->dims[d]) != 0)
        continue;
      dims[c->pure_count] = d;
      c->keys[c->pure_count++] = stmt->loop.var;
    }
  for (int i = 0; i < c->count; i++)
    if (c->chain[i]->kind == HY_STMT_FOR && !c->chain[i]->loop.is_pure)
      c->keys[c->pure_count + c->rdom_count++] = c->chain[i]->loop.var;
  for (int k = 0; k < c->pure_count + c->rdom_count; k++) c->names[k] = c->keys[k]->name;
  c->dims = dims;
}
