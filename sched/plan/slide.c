#include "sched/site.h"

#include <stdlib.h>

/* rewrite: compute f on B: S  ->  compute f on B keeping v: S', with holes of their own for the loops of f
 *
 * What the iteration before of v computed of f counts as computed (decision D85). The loops no longer range over all of
 * B: the oracle fills their holes with what is new (ORA.Slide), and B.Cover judges that as if it had been written by
 * hand.
 */

// DIR.Slide.Keep: as many reasons as WF.Keep has, in the words of schedules.
static bool report(hy_context *context, const hy_directive *d, hy_keep_fault fault, hy_diagnostics *diagnostics) {
  hy_arena *arena = hy_context_arena(context);
  const char *f = d->func->name, *loop = d->loop ? hy_names_of(context, d->loop) : "root";
  static const char *const why[] = {[HY_KEEP_NO_LOOP] = "it is not computed in that loop",
                                    [HY_KEEP_ANY_ORDER] = "that loop is not serial",
                                    [HY_KEEP_SOMETIMES] = "another loop, or a condition, stands between",
                                    [HY_KEEP_OWN_STORAGE] = "each iteration has an allocation of its own",
                                    [HY_KEEP_UPDATES] = "it has updates, and other values before its last one"};
  const char *help = "leave it out";
  if (fault == HY_KEEP_NO_LOOP && !d->loop) help = "name the loop where it is computed: compute_at(f, g.x) makes one";
  if ((fault == HY_KEEP_NO_LOOP && d->loop) || fault == HY_KEEP_SOMETIMES)
    help = hy_arena_printf(arena, "compute it there: compute_at(%s, %s)", f, loop);
  if (fault == HY_KEEP_ANY_ORDER) help = "leave the loop serial: split it, and run the outer one in parallel";
  if (fault == HY_KEEP_OWN_STORAGE)
    help = hy_arena_printf(arena, "store it outside of that loop: store_at(%s, root), or in a loop around", f);
  hy_context_hit(context, HY_RULE_DIR_SLIDE_KEEP);
  hy_report(diagnostics, HY_E_NO_SLIDE, hy_directive_at(d, d->at.loop), "DIR.Slide.Keep (decision D85)", help,
            "'%s' keeps nothing from one iteration of '%s' to the next: %s", f, loop, why[fault]);
  return false;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  if (hy_site_is_output(context, tgt, d, diagnostics)) return false;
  if (!d->loop) return report(context, d, HY_KEEP_NO_LOOP, diagnostics);
  if (!hy_names_loop(context, tgt, d, diagnostics)) return false;
  const hy_stmt *compute = hy_tree_find(tgt->body, HY_STMT_COMPUTE, d->func);
  HY_ASSERT(compute);
  if (!hy_plan_once(context, d, compute->compute.keep != NULL, diagnostics)) return false;
  hy_keep_fault fault = hy_tgt_keep_fault(tgt, compute, d->loop);
  if (fault == HY_KEEPS) return true;
  return report(context, d, fault, diagnostics);
}

/* -- the holes: cpu of dimension d -> that of the loop that ranges over d -- */

typedef struct {
  hy_context *context;
  const hy_func *func;
  const hy_stmt *assign; // of the stage under way
} renewal;

static void see_assign(void *self, const hy_stmt *stmt) {
  renewal *r = self;
  if (stmt->kind == HY_STMT_ASSIGN && stmt->assign.func == r->func) r->assign = stmt;
}

static const hy_expr *renew_hole(void *self, const hy_expr *node) {
  const renewal *r = self;
  if (node->kind != HY_EXPR_HOLE || node->hole->kind != HY_HOLE_CPU || node->hole->func != r->func) return node;
  hy_hole hole = *node->hole;
  const hy_expr *coordinate = r->assign->assign.lhs[hole.dim];
  HY_ASSERT(coordinate->kind == HY_EXPR_VAR);
  hole.kind = HY_HOLE_FOR;
  hole.loop = coordinate->var;
  return hy_expr_hole(r->context, hy_hole_get(r->context, hole));
}

static const hy_expr *renew_expr(void *self, const hy_expr *expr) {
  const renewal *r = self;
  return expr->has_hole ? hy_expr_map(r->context, expr, renew_hole, self) : expr;
}

// Each specialization has loops of its own, and so have its holes; demands of the bounds phase speak of Cpu as before.
static const hy_stmt *renew(renewal *r, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE) {
    hy_tree_visit(stmt, see_assign, r);
    return hy_stmt_map_exprs(r->context, stmt, renew_expr, r);
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = renew(r, children[i]);
  stmt = hy_stmt_with_children(r->context, stmt, fresh, count);
  hy_free(fresh);
  return stmt;
}

// DIR.Slide
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  hy_context_hit(context, HY_RULE_DIR_SLIDE);
  const hy_stmt *compute = hy_tree_find(tgt->body, HY_STMT_COMPUTE, d->func);
  renewal r = {context, d->func, NULL};
  const hy_stmt *body = renew(&r, compute->compute.body);
  const hy_stmt *kept = hy_stmt_compute_keeping(context, d->func, compute->compute.box, d->loop, body);
  return hy_tree_with_body(context, tgt, hy_tree_replace(context, tgt->body, compute, kept));
}

static hy_order_class order(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  (void)context, (void)before, (void)directive;
  return HY_ORDER_KEPT;
}

static bool may_add(const hy_directive *directive, const hy_hole *hole) {
  return hole->kind == HY_HOLE_FOR && hole->func == directive->func;
}

const hy_directive_type hy_directive_slide = {
    .name = "slide",
    .form = "slide(f, g.x)",
    .summary = "computes of f in each iteration what the one before has not computed",
    .alone = "slide(func, func.loop), or in a chain .slide(loop)",
    .phase = HY_PHASE_PLAN,
    .arguments = {HY_TAKES_FUNC, HY_TAKES_SITE},
    .applies = applies,
    .apply = apply,
    .order = order,
    .may_add = may_add};
