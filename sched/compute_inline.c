#include "sched/rewrite.h"
#include "semantics/base/id_map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* rewrite: allocate f B; label f: compute f on I: .. f(x1, .., xn) <- e   and accesses f(e1, .., en)
 *       -> nothing                                                        and  e[e1/x1, .., en/xn]
 *   An argument that may be an error where the definition does not evaluate it decides whether anything is evaluated:
 *   select(m == m, e[..], 0), m the least of those. It is an error exactly where one of them is, and true elsewhere.
 */

// Of an expression that something is inlined into. What stands in it twice is one node in memory, for the prover and in
// native code. It is printed as often as it stands there, and read back, so that a text of it is limited, too.
enum { MOST_NODES = 20000, MOST_WRITTEN = 100000, MOST_LEVELS = 300 };
static const uint64_t uncountable = UINT64_C(1) << 60; // no figure is larger

/* -- questions about expressions -- */

typedef struct {
  uint64_t nodes, written, levels; // different ones; as printed; inside each other
} expr_size;

typedef struct {
  hy_id_map written, levels; // of each node below
  expr_size size;            // of what was seen last, behind all of its own
} measuring;

static void measure_node(void *self, const hy_expr *node) {
  measuring *m = self;
  uint64_t written = 1, levels = 0;
  for (int i = 0; i < node->count; i++) {
    written += *hy_id_map_find(&m->written, node->args[i]->id);
    uint64_t below = *hy_id_map_find(&m->levels, node->args[i]->id);
    if (below > levels) levels = below;
  }
  if (written > uncountable) written = uncountable;
  *hy_id_map_put(&m->written, node->id) = (uintptr_t)written;
  *hy_id_map_put(&m->levels, node->id) = (uintptr_t)(levels + 1);
  m->size = (expr_size){m->size.nodes + 1, written, levels + 1};
}

static expr_size measure(const hy_expr *expr) {
  measuring m = {.size = {0}};
  hy_id_map_begin(&m.written);
  hy_id_map_begin(&m.levels);
  hy_expr_visit(expr, measure_node, &m);
  hy_id_map_end(&m.levels);
  hy_id_map_end(&m.written);
  return m.size;
}

static bool is_small(expr_size size) {
  return size.nodes < MOST_NODES && size.written < MOST_WRITTEN && size.levels <= MOST_LEVELS;
}

// Does every evaluation of the expression evaluate the variable (ALG.Op-Lazy)?
static bool surely_evaluates(const hy_expr *expr, const hy_var *var) {
  if (expr->kind == HY_EXPR_VAR) return expr->var == var;
  if (!hy_expr_mentions(expr, var)) return false;
  bool lazy = expr->kind == HY_EXPR_OP && (expr->op == HY_OP_AND || expr->op == HY_OP_OR || expr->op == HY_OP_SELECT);
  if (!lazy) {
    for (int i = 0; i < expr->count; i++)
      if (surely_evaluates(expr->args[i], var)) return true;
    return false;
  }
  if (surely_evaluates(expr->args[0], var)) return true;
  return expr->op == HY_OP_SELECT && surely_evaluates(expr->args[1], var) && surely_evaluates(expr->args[2], var);
}

// Variables and numbers are no errors; of anything else it is not asked.
static bool is_plain(const hy_expr *expr) {
  return expr->kind == HY_EXPR_VAR || (expr->kind == HY_EXPR_CONST && !expr->value.error);
}

/* -- may it be applied? -- */

static const hy_stmt *assignment_of(const hy_tgt *tgt, const hy_func *func) {
  const hy_stmt *at = hy_tree_find(tgt->body, HY_STMT_COMPUTE, func)->compute.body;
  while (at->kind != HY_STMT_ASSIGN) {
    HY_ASSERT(at->kind == HY_STMT_LABEL || at->kind == HY_STMT_FOR); // as lowered: before all other directives
    at = at->kind == HY_STMT_LABEL ? at->label.body : at->loop.body;
  }
  return at;
}

// DIR.Inline.Output
static bool is_read(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  if (!hy_alg_output(tgt->alg, d->func)) return true;
  hy_context_hit(context, HY_RULE_DIR_INLINE_OUTPUT);
  hy_report(diagnostics, HY_E_INLINE_OUTPUT, d->loc, "DIR.Inline.Output (decision D83)",
            "leave it out, or inline a func that the output reads", "'%s' is the output: nothing reads it",
            d->func->name);
  return false;
}

// DIR.Inline.Pure
static bool is_pure(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  if (hy_tgt_stage_count(tgt, d->func) == 1) return true;
  hy_context_hit(context, HY_RULE_DIR_INLINE_PURE);
  hy_report(diagnostics, HY_E_INLINE_UPDATES, d->loc, "DIR.Inline.Pure (decision D83)",
            hy_arena_printf(hy_context_arena(context),
                            "compute it inside a loop of what reads it, %s.compute_at(FUNC, LOOP), or at root",
                            d->func->name),
            "'%s' has updates: its values are no expression of its arguments", d->func->name);
  return false;
}

/* -- the rewrite -- */

typedef struct {
  hy_context *context;
  const hy_func *func;
  const hy_stmt *assign;
  bool too_large;
  expr_size size; // of the first that is too large
} inlining;

// The value that is read; of a tuple's parts each is a definition by itself (D80).
static const hy_expr *value_of(const inlining *in, const hy_expr *access) {
  return hy_expr_part(in->assign->assign.rhs, access->part);
}

// DIR.Inline.Guard: NULL if no argument needs one, because it is evaluated wherever the definition is.
static const hy_expr *guard_of(const inlining *in, const hy_expr *access) {
  const hy_expr *least = NULL;
  for (int i = 0; i < access->count; i++) {
    if (is_plain(access->args[i])) continue;
    if (surely_evaluates(value_of(in, access), in->assign->assign.lhs[i]->var)) continue;
    least = least ? hy_expr_binary(in->context, HY_OP_MIN, least, access->args[i]) : access->args[i];
  }
  if (!least) return NULL;
  hy_context_hit(in->context, HY_RULE_DIR_INLINE_GUARD);
  return hy_expr_binary(in->context, HY_OP_EQ, least, least);
}

static const hy_expr *inline_access(inlining *in, const hy_expr *access) {
  hy_binding bindings[HY_MAX_RANK];
  for (int i = 0; i < access->count; i++) bindings[i] = (hy_binding){in->assign->assign.lhs[i]->var, access->args[i]};
  size_t count = (size_t)access->count;
  const hy_expr *value = hy_expr_substitute(in->context, value_of(in, access), bindings, count);
  const hy_expr *guard = guard_of(in, access);
  if (!guard) return value;
  return hy_expr_select(in->context, guard, value, hy_expr_const(in->context, hy_value_zero(value->type)));
}

static const hy_expr *inline_node(void *self, const hy_expr *node) {
  inlining *in = self;
  return node->kind == HY_EXPR_ACCESS && node->func == in->func ? inline_access(in, node) : node;
}

static void see_size(inlining *in, const hy_expr *expr) {
  in->size = measure(expr);
  in->too_large = !is_small(in->size);
}

static const hy_expr *inline_expr(void *self, const hy_expr *expr) {
  inlining *in = self;
  if (!expr->has_access) return expr;
  const hy_expr *fresh = hy_expr_map(in->context, expr, inline_node, in);
  if (fresh != expr && !in->too_large) see_size(in, fresh);
  return fresh;
}

static const hy_stmt *drop(hy_context *context, const hy_stmt *body, hy_stmt_kind kind, const hy_func *func) {
  const hy_stmt *old = hy_tree_find(body, kind, func);
  HY_ASSERT(old);
  return hy_tree_replace(context, body, old, hy_stmt_nop(context));
}

static inlining begin(hy_context *context, const hy_tgt *tgt, const hy_func *func) {
  return (inlining){.context = context, .func = func, .assign = assignment_of(tgt, func)};
}

static const hy_stmt *inline_all(inlining *in, const hy_tgt *tgt) {
  const hy_stmt *body = drop(in->context, tgt->body, HY_STMT_ALLOCATE, in->func);
  body = drop(in->context, body, HY_STMT_LABEL, in->func);
  return hy_stmt_map_exprs(in->context, body, inline_expr, in);
}

static const char *what_is_too_large(hy_context *context, expr_size size) {
  hy_arena *arena = hy_context_arena(context);
  if (size.levels > MOST_LEVELS)
    return hy_arena_printf(arena, "%" PRIu64 " levels of operations inside each other; at most %d may be", size.levels,
                           MOST_LEVELS);
  if (size.nodes >= MOST_NODES)
    return hy_arena_printf(arena, "%" PRIu64 " different operations, reads and numbers; fewer than %d may be",
                           size.nodes, MOST_NODES);
  return hy_arena_printf(arena,
                         "%s%" PRIu64 " operations, reads and numbers in its text, where each counts as often as it "
                         "stands there, %" PRIu64 " different ones; fewer than %d may be in a text",
                         size.written == uncountable ? "at least " : "", size.written, size.nodes, MOST_WRITTEN);
}

// DIR.Inline.Size
static bool stays_small(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  inlining in = begin(context, tgt, d->func);
  see_size(&in, in.assign->assign.rhs);
  if (!in.too_large) inline_all(&in, tgt);
  if (!in.too_large) return true;
  hy_context_hit(context, HY_RULE_DIR_INLINE_SIZE);
  hy_report(diagnostics, HY_E_INLINE_SIZE, d->loc, "DIR.Inline.Size (decision D83)",
            hy_arena_printf(hy_context_arena(context), "compute it: %s.compute_root(), or something that it reads",
                            d->func->name),
            "with '%s' inlined an expression would have %s", d->func->name, what_is_too_large(context, in.size));
  return false;
}

static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  return is_read(context, tgt, d, diagnostics) && is_pure(context, tgt, d, diagnostics) &&
         stays_small(context, tgt, d, diagnostics);
}

// DIR.Inline
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  (void)diagnostics; // it applies
  inlining in = begin(context, tgt, d->func);
  hy_tgt *after = HY_NEW(hy_context_arena(context), hy_tgt);
  *after = *tgt;
  after->body = inline_all(&in, tgt);
  const hy_func **funcs = HY_NEW_ARRAY(hy_context_arena(context), const hy_func *, tgt->func_count);
  int *stage_counts = HY_NEW_ARRAY(hy_context_arena(context), int, tgt->func_count);
  after->func_count = 0;
  for (int i = 0; i < tgt->func_count; i++) {
    if (tgt->funcs[i] == d->func) continue;
    funcs[after->func_count] = tgt->funcs[i];
    stage_counts[after->func_count++] = tgt->stage_counts[i];
  }
  after->funcs = funcs;
  after->stage_counts = stage_counts;
  hy_context_hit(context, HY_RULE_DIR_INLINE);
  return after;
}

const hy_directive_type hy_directive_compute_inline = {
    .name = "compute_inline",
    .form = "compute_inline(f)",
    .summary = "puts f's definition wherever f is read; nothing of f is computed or stored",
    .alone = "compute_inline(func), or in a chain .compute_inline()",
    .in_chain = "compute_inline(func), or in a chain .compute_inline()",
    .phase = HY_PHASE_INLINE,
    .arguments = {HY_TAKES_FUNC},
    .applies = applies,
    .apply = apply,
    .order = hy_order_of_bounds};
