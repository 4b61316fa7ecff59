#include "sched/funcs/funcs.h"

/* rewrite: allocate f B; label f: S  label g: .. label g.z1: .. f(e1, .., en) ..
 *       -> allocate f B; label f: S  allocate c B'; label c: S[c/f]  label g: .. label g.z1: .. c(e1, .., en) ..
 *   S[c/f]: its loops, holes, accesses to itself, and assignments are c's. It is a clone that comes when the loops of f
 *   are what they will be, and before anything is moved: what reads c may be one specialization of g, so that c can be
 *   computed in its loops, and f in those of the others.
 */

bool hy_funcs_is_meant(const hy_directive *d, const hy_func *reader, int branch) {
  for (int i = 0; i < d->reader_count; i++)
    if (d->readers[i] == reader && (d->branches[i] == HY_ALL_BRANCHES || d->branches[i] == branch)) return true;
  return false;
}

/* -- who reads it -- */

// Whose statements these are, the innermost around: a func that is computed in the loops of another one is itself.
typedef struct {
  const hy_func *func;
  int branch;
} place;

static place inside_of(place at, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_COMPUTE) return (place){stmt->compute.func, 0};
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_SPEC) at.branch = stmt->label.number;
  return at;
}

typedef struct {
  const hy_directive *directive;
  bool meant;
  int count;
} reader_count;

static bool is_own_read(const hy_stmt *stmt, const hy_func *func) {
  if (stmt->kind == HY_STMT_ASSIGN) return hy_tree_reads(stmt, func);
  if (stmt->kind != HY_STMT_IF || stmt->branch.why != HY_IF_USER) return false;
  hy_stmt alone = *stmt, nothing = {.kind = HY_STMT_NOP}; // the condition itself
  alone.branch.then = &nothing;
  return hy_tree_reads(&alone, func);
}

static void count_readers(reader_count *r, place at, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  const hy_directive *d = r->directive;
  at = inside_of(at, stmt);
  if (at.func != d->func && hy_funcs_is_meant(d, at.func, at.branch) == r->meant)
    r->count += is_own_read(stmt, d->func);
  for (int i = 0, count = hy_stmt_children(stmt, &children, room); i < count; i++) count_readers(r, at, children[i]);
}

int hy_funcs_reads_of(const hy_tgt *tgt, const hy_directive *directive, bool meant) {
  reader_count r = {directive, meant, 0};
  count_readers(&r, (place){NULL, 0}, tgt->body);
  return r.count;
}

// DIR.Copy.Reader: each of those that are named reads f.
static bool have_readers(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  for (int i = 0; i < d->reader_count; i++) {
    hy_directive one = *d;
    one.readers = &d->readers[i];
    one.branches = &d->branches[i];
    one.reader_count = 1;
    if (hy_funcs_reads_of(tgt, &one, true)) continue;
    hy_context_hit(context, HY_RULE_DIR_COPY_READER);
    hy_arena *arena = hy_context_arena(context);
    const char *of = d->branches[i] == HY_ALL_BRANCHES ? "" : hy_arena_printf(arena, ".z%d", d->branches[i]);
    hy_report(diagnostics, HY_E_FUNC_READER, d->loc, "DIR.Copy.Reader",
              "name funcs that read it, or specializations of them: copy(f, c, g.z1)", "'%s%s' does not read '%s'",
              d->readers[i]->name, of, d->func->name);
    return false;
  }
  return true;
}

// DIR.Copy.Left: somebody still reads f, or it is an output.
static bool is_left(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  if (hy_alg_output(tgt->alg, d->func) || hy_funcs_reads_of(tgt, d, false)) return true;
  hy_context_hit(context, HY_RULE_DIR_COPY_LEFT);
  hy_report(diagnostics, HY_E_CLONE_ALL, d->loc, "DIR.Copy.Left",
            hy_arena_printf(hy_context_arena(context), "schedule '%s' itself, or name fewer readers", d->func->name),
            "nothing but the copy's readers reads '%s'", d->func->name);
  return false;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  return hy_funcs_name_free(context, tgt, d, diagnostics) && have_readers(context, tgt, d, diagnostics) &&
         is_left(context, tgt, d, diagnostics);
}

/* -- the rewrite -- */

typedef struct {
  hy_context *context;
  const hy_directive *directive;
  const hy_stmt *added; // the allocation and the computation of c
} rewriting;

static const hy_expr *redirect_node(void *self, const hy_expr *node) {
  const rewriting *r = self;
  if (node->kind != HY_EXPR_ACCESS || node->func != r->directive->func) return node;
  return hy_expr_access_part(r->context, r->directive->made, node->part, node->args);
}

static const hy_expr *redirect(void *self, const hy_expr *expr) {
  const rewriting *r = self;
  return expr->has_access ? hy_expr_map(r->context, expr, redirect_node, self) : expr;
}

// What a reader that is meant says itself.
static const hy_stmt *redirect_own(rewriting *r, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSIGN) return hy_stmt_map_exprs(r->context, stmt, redirect, r);
  if (stmt->kind != HY_STMT_IF) return stmt;
  return hy_stmt_if(r->context, stmt->branch.why, redirect(r, stmt->branch.condition), stmt->branch.then,
                    stmt->branch.otherwise);
}

static const hy_stmt *rewrite(rewriting *r, place at, const hy_stmt *stmt) {
  const hy_directive *d = r->directive;
  const hy_stmt *const *children, *room[2];
  at = inside_of(at, stmt);
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = rewrite(r, at, children[i]);
  const hy_stmt *after = hy_stmt_with_children(r->context, stmt, fresh, count);
  hy_free(fresh);
  if (at.func != d->func && hy_funcs_is_meant(d, at.func, at.branch)) after = redirect_own(r, after);
  bool own = stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_FUNC && stmt->label.func == d->func;
  return own ? hy_stmt_seq(r->context, (const hy_stmt *[]){after, r->added}, 2) : after;
}

// DIR.Copy
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  const hy_stmt *label = hy_tree_find(tgt->body, HY_STMT_LABEL, d->func);
  const hy_stmt *items[] = {hy_funcs_allocate(context, d->made), hy_funcs_copy(context, label, d->func, d->made)};
  rewriting r = {context, d, hy_stmt_seq(context, items, 2)};
  hy_context_hit(context, HY_RULE_DIR_COPY);
  hy_tgt *after = HY_NEW(hy_context_arena(context), hy_tgt);
  *after = *tgt;
  after->body = rewrite(&r, (place){NULL, 0}, tgt->body);
  hy_funcs_add_to_table(context, after, d, hy_tgt_stage_count(tgt, d->func));
  return after;
}

const hy_directive_type hy_directive_copy = {
    .name = "copy",
    .form = "copy(f, c, g.z1, ...)",
    .summary = "adds the func c, which computes what f does, in the loops that f has, and which that specialization of "
               "g and the others read instead of f",
    .alone = "copy(f, c, g.z1, ...)",
    .phase = HY_PHASE_COPIES,
    .arguments = {HY_TAKES_FUNC, HY_TAKES_MADE, HY_TAKES_BRANCHES},
    .applies = applies,
    .apply = apply,
    .order = hy_order_of_bounds,
    .may_add = hy_funcs_may_add};
