#include "sched/funcs/funcs.h"

/* rewrite: label f: compute f on I: S  label g: .. f(e1, .., en) ..
 *       -> label f: compute f on I: S  allocate c B; label c: compute c on I': S[c/f]  label g: .. c(e1, .., en) ..
 *   S[c/f]: its loops, holes, accesses to itself, and assignments are c's. What S checks at entry is checked already.
 */

// DIR.Clone.Func: an image has no definition that could be copied.
static bool is_computed(hy_context *context, const hy_directive *d, hy_diagnostics *diagnostics) {
  if (!d->func->is_image) return true;
  hy_context_hit(context, HY_RULE_DIR_CLONE_FUNC);
  hy_report(diagnostics, HY_E_CLONE_IMAGE, d->loc, "DIR.Clone.Func",
            hy_arena_printf(hy_context_arena(context), "write wrap(%s, %s, ...): a func with the image's values",
                            d->func->name, d->made->name),
            "'%s' is an input image: nothing computes it", d->func->name);
  return false;
}

// DIR.Clone.Left: somebody still reads f, or it is an output; else there would be two funcs where one is needed.
static bool is_left(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  bool left = hy_alg_output(tgt->alg, d->func);
  for (int i = 0; i < tgt->func_count && !left; i++)
    left = hy_funcs_reads(tgt, tgt->funcs[i], d->func) && !hy_funcs_is_reader(d, tgt->funcs[i]);
  if (left) return true;
  hy_context_hit(context, HY_RULE_DIR_CLONE_LEFT);
  hy_report(diagnostics, HY_E_CLONE_ALL, d->loc, "DIR.Clone.Left",
            hy_arena_printf(hy_context_arena(context), "schedule '%s' itself, or name fewer readers", d->func->name),
            "nothing but the copy's readers reads '%s'", d->func->name);
  return false;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  return is_computed(context, d, diagnostics) && hy_funcs_name_free(context, tgt, d, diagnostics) &&
         hy_funcs_has_readers(context, tgt, d, diagnostics) && is_left(context, tgt, d, diagnostics);
}

/* -- the rewrite -- */

typedef struct {
  hy_context *context;
  const hy_func *from, *to;
} copying;

static const hy_var *copy_loop(const copying *c, const hy_var *var) {
  if (!var || var->kind != HY_VAR_LOOP || var->func != c->from) return var;
  return hy_var_loop(c->context, c->to, var->spec, var->stage, var->name);
}

static const hy_var *copy_of_loop(void *self, const hy_var *var) { return copy_loop(self, var); }

static const hy_expr *copy_node(void *self, const hy_expr *node) {
  const copying *c = self;
  if (node->kind == HY_EXPR_VAR) return hy_expr_var(c->context, copy_loop(c, node->var));
  if (node->kind == HY_EXPR_ACCESS && node->func == c->from)
    return hy_expr_access_part(c->context, c->to, node->part, node->args);
  if (node->kind != HY_EXPR_HOLE || node->hole->func != c->from) return node;
  hy_hole hole = *node->hole;
  hole.func = c->to;
  hole.loop = copy_loop(c, hole.loop);
  return hy_expr_hole(c->context, hy_hole_get(c->context, hole));
}

static const hy_expr *copy_expr(void *self, const hy_expr *expr) {
  return hy_expr_map(((copying *)self)->context, expr, copy_node, self);
}

// The names of loops, labels and assignments; expressions have theirs already.
static const hy_stmt *copy_names(const copying *c, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = copy_names(c, children[i]);
  const hy_stmt *body = count ? fresh[0] : NULL, *copy = stmt;
  switch (stmt->kind) {
  case HY_STMT_ASSIGN:
    copy = hy_stmt_assign(c->context, c->to, stmt->assign.spec, stmt->assign.stage, stmt->assign.lhs, stmt->assign.rhs);
    break;
  case HY_STMT_FOR:
    copy = hy_stmt_for(c->context, copy_loop(c, stmt->loop.var), stmt->loop.is_pure, stmt->loop.traversal,
                       stmt->loop.interval, body);
    break;
  case HY_STMT_COMPUTE: copy = hy_stmt_compute(c->context, c->to, stmt->compute.box, body); break;
  case HY_STMT_LABEL: copy = hy_stmt_label(c->context, stmt->label.what, c->to, stmt->label.number, body); break;
  case HY_STMT_SEQ:
  case HY_STMT_IF: copy = hy_stmt_with_children(c->context, stmt, fresh, count); break;
  case HY_STMT_LET:
    copy = hy_stmt_let(c->context, copy_loop(c, stmt->let.var), stmt->let.value,
                       hy_origin_rename(c->context, stmt->let.origin, copy_of_loop, (void *)c), body);
    break;
  case HY_STMT_NOP:
  case HY_STMT_ASSUME:
  case HY_STMT_ALLOCATE: HY_UNREACHABLE(); // none in a func that nothing was moved into
  }
  hy_free(fresh);
  return copy;
}

const hy_stmt *hy_funcs_copy(hy_context *context, const hy_stmt *label, const hy_func *from, const hy_func *to) {
  copying c = {context, from, to};
  return copy_names(&c, hy_stmt_map_exprs(context, label, copy_expr, &c));
}

// DIR.Clone
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  const hy_stmt *label = hy_funcs_copy(context, hy_tree_find(tgt->body, HY_STMT_LABEL, d->func), d->func, d->made);
  hy_context_hit(context, HY_RULE_DIR_CLONE);
  return hy_funcs_insert(context, tgt, d, label, hy_tgt_stage_count(tgt, d->func));
}

const hy_directive_type hy_directive_clone = {
    .name = "clone",
    .form = "clone(f, c, g, ...)",
    .summary = "adds the func c, which computes what f does and which g and the others read instead of f",
    .alone = "clone(f, c, reader, ...), or in a chain f.clone_in(reader, ...)",
    .phase = HY_PHASE_FUNCS,
    .arguments = {HY_TAKES_SOURCE, HY_TAKES_MADE, HY_TAKES_READERS},
    .applies = applies,
    .apply = apply,
    .order = hy_order_of_bounds,
    .may_add = hy_funcs_may_add};
