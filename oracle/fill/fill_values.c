#include "oracle/fill/fill_internal.h"

/* ORA.Values: ranges of values, with which fills begin; holes are any numbers there. A func that a directive adds may have a
 * dimension for what was a variable of a reduction (rfactor's u), whose numbers the place of an argmin is made of: such a one
 * is what readers ask for, where these are numbers. It is a guess, as every fill is: B asks of the program that is filled
 * with it.
 */

typedef struct {
  hy_fills *f;
  hy_ranges *ranges;
  const hy_func *reader; // whose stage it is; NULL: a condition
  hy_range (*read)[HY_MAX_RANK];
  bool found; // a dimension that numbers bound
} guess;

static bool is_added(const hy_fills *f, const hy_func *func) {
  return !func->is_image && !hy_alg_definition(f->tgt->alg, func);
}

static void see_access(void *self, const hy_expr *access) {
  guess *g = self;
  if (access->func == g->reader || !is_added(g->f, access->func)) return; // its own reads follow its loops
  hy_range *read = g->read[access->func->index];
  for (int d = 0; d < access->func->rank; d++)
    read[d] = hy_range_joined(read[d], hy_ranges_of(g->ranges, access->args[d]));
}

static void see_accesses(guess *g, const hy_func *reader, const hy_expr *expr) {
  g->reader = reader;
  if (expr->has_access) hy_expr_visit_accesses(expr, see_access, g);
}

static void see(guess *g, const hy_stmt *stmt, const hy_func *func) {
  const hy_stmt *const *children, *room[2];
  if (stmt->kind == HY_STMT_FOR) hy_ranges_bind_loop(g->ranges, stmt->loop.var, stmt->loop.interval);
  if (stmt->kind == HY_STMT_LET) hy_ranges_bind_let(g->ranges, stmt->let.var, stmt->let.value);
  if (stmt->kind == HY_STMT_COMPUTE) func = stmt->compute.func;
  if (stmt->kind == HY_STMT_IF) see_accesses(g, func, stmt->branch.condition);
  if (stmt->kind == HY_STMT_ASSIGN) {
    see_accesses(g, stmt->assign.func, stmt->assign.rhs);
    for (int d = 0; d < stmt->assign.func->rank; d++) see_accesses(g, stmt->assign.func, stmt->assign.lhs[d]);
  }
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) see(g, children[i], func);
}

static const hy_expr *guessed(void *self, const hy_expr *node) {
  guess *g = self;
  if (node->kind != HY_EXPR_HOLE || (node->hole->kind != HY_HOLE_CPU && node->hole->kind != HY_HOLE_FOR)) return node;
  hy_range read = g->read[node->hole->func->index][node->hole->dim];
  if (!is_added(g->f, node->hole->func) || read.low > read.high || !hy_range_is_small(read)) return node;
  g->found = true;
  return hy_expr_int(g->f->context, (int64_t)(node->hole->is_len ? read.high - read.low + 1 : read.low));
}

static bool lacks_range(const hy_fills *f, const hy_values *values) {
  hy_range range;
  bool lacks = false;
  for (int i = 0; i < f->tgt->func_count; i++) {
    const hy_func *func = f->tgt->funcs[i];
    for (int part = 0; part < hy_func_parts(func) && hy_value_forms_address(values, func); part++)
      lacks |= !hy_value_range(values, func, part, &range);
  }
  for (int i = 0; i < f->tgt->func_count && lacks; i++)
    if (is_added(f, f->tgt->funcs[i])) return true;
  return false;
}

// What is read by what is read itself takes another look.
enum { MOST_LOOKS = 4 };

const hy_values *hy_fill_values(hy_fills *f) {
  const hy_values *values = hy_values_of(f->context, f->tgt);
  if (!lacks_range(f, values)) return values;
  hy_tgt tgt = *f->tgt;
  size_t symbols = hy_tgt_symbols(&tgt);
  guess g = {.f = f, .read = hy_allocate(sizeof *g.read * symbols)};
  for (int look = 0; look < MOST_LOOKS; look++) {
    g.ranges = hy_ranges_new();
    hy_ranges_assume_entry(g.ranges, &tgt);
    for (size_t i = 0; i < symbols * HY_MAX_RANK; i++)
      g.read[i / HY_MAX_RANK][i % HY_MAX_RANK] = hy_range_between(HY_RANGE_LIMIT, -HY_RANGE_LIMIT);
    see(&g, tgt.body, NULL);
    hy_ranges_free(g.ranges);
    g.found = false;
    tgt.body = hy_stmt_map_exprs(f->context, tgt.body, guessed, &g);
    if (!g.found) break;
    hy_context_hit(f->context, HY_RULE_ORA_VALUES);
    values = hy_values_of(f->context, &tgt);
  }
  hy_free(g.read);
  return values;
}
