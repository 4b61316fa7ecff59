// Does B ask what it has to (definition 7.1, decisions D53 and D56)? Which computations and accesses there are is read
// off the program here; for each there must be an obligation of its kind. What B's other demands happen to imply is
// missed in no other way.

#include "fuzz/judge/judge_internal.h"

#include "semantics/base/vec.h"

#include <stdio.h>

typedef struct {
  const hy_func *func; // whose statement
  int stage;           // -1: a compute
  const hy_func *other;
  bool address; // it forms an address: in an index, or on a left side
} demand;

typedef struct {
  HY_VEC(demand) demands;
  HY_VEC(const hy_expr *) predicates; // around this place
  const hy_stmt *assign;
} asking;

static void demand_access(asking *a, const hy_expr *access, bool address) {
  if (access->func->is_image || !access->func->rank) return;
  hy_vec_push(&a->demands, (demand){a->assign->assign.func, a->assign->assign.stage, access->func, address});
}

static void see_address(void *self, const hy_expr *node) {
  if (node->kind == HY_EXPR_ACCESS) demand_access(self, node, true);
}

static void see_access(void *self, const hy_expr *node) {
  if (node->kind != HY_EXPR_ACCESS) return;
  demand_access(self, node, false);
  for (int i = 0; i < node->count; i++) hy_expr_visit(node->args[i], see_address, self);
}

static void walk(asking *a, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_COMPUTE && stmt->compute.func->rank)
    hy_vec_push(&a->demands, (demand){stmt->compute.func, -1, NULL, false});
  if (stmt->kind == HY_STMT_ASSIGN) {
    a->assign = stmt;
    for (size_t i = 0; i < a->predicates.count; i++) hy_expr_visit(a->predicates.data[i], see_access, a);
    for (int d = 0; d < stmt->assign.func->rank; d++) hy_expr_visit(stmt->assign.lhs[d], see_address, a);
    hy_expr_visit(stmt->assign.rhs, see_access, a);
  }
  bool predicate = stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_USER;
  if (predicate) hy_vec_push(&a->predicates, stmt->branch.condition);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) walk(a, children[i]);
  if (predicate) a->predicates.count--;
}

static bool is_met(const hy_oracle_report *r, const demand *d) {
  for (size_t i = 0; i < r->count; i++) {
    const hy_obligation *o = r->decisions[i].obligation;
    if (o->func != d->func) continue;
    if (d->stage < 0) {
      if (o->kind == HY_B_INSIDE) return true;
    } else if (o->stage == d->stage && o->other == d->other &&
               (o->kind == HY_B_ADDRESS || (!d->address && o->kind == HY_B_CPU)))
      return true;
  }
  return false;
}

static void report(hy_judging *g, const demand *d) {
  char text[300];
  if (d->stage < 0)
    snprintf(text, sizeof text, "B does not ask whether Cpu(%s) lies inside its allocation", d->func->name);
  else
    snprintf(text, sizeof text, "B does not ask whether what stage %d of %s reads of %s%s lies inside Cpu(%s)",
             d->stage, d->func->name, d->other->name, d->address ? " to form an address" : "", d->other->name);
  hy_judging_find(g, HY_FOUND_UNSOUND, d->stage < 0 ? "B.Inside" : d->address ? "B.Address" : "B.Cpu", text);
}

//   requires: B was asked
void hy_judging_asked(hy_judging *g) {
  HY_ASSERT(g->pipeline.query);
  asking a = {0};
  walk(&a, g->pipeline.filled->body);
  for (size_t i = 0; i < a.demands.count; i++)
    if (!is_met(&g->pipeline.report, &a.demands.data[i])) {
      report(g, &a.demands.data[i]);
      break;
    }
  hy_vec_free(&a.demands);
  hy_vec_free(&a.predicates);
}
