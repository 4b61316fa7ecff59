#include "gate/tile/meaning.h"

/* -- values known in this statement -- */

static bool recall(hy_meaning_run *r, const hy_expr *e, hy_meant *out) {
  if (e->id >= r->known.room || r->known.stamps[e->id] != r->known.stamp) return false;
  *out = r->known.values[e->id];
  return true;
}

static void remember(hy_meaning_run *r, const hy_expr *e, hy_meant value) {
  if (e->id >= r->known.room) {
    size_t room = 2 * (size_t)e->id + 64;
    r->known.values = hy_reallocate(r->known.values, room * sizeof *r->known.values);
    r->known.stamps = hy_reallocate(r->known.stamps, room * sizeof *r->known.stamps);
    for (size_t i = r->known.room; i < room; i++) r->known.stamps[i] = 0;
    r->known.room = room;
  }
  r->known.values[e->id] = value;
  r->known.stamps[e->id] = r->known.stamp;
}

/* -- nodes -- */

static bool access(hy_meaning_run *r, const hy_expr *e, hy_meant *out) {
  int64_t point[HY_MAX_RANK];
  hy_meant *cell;
  for (int d = 0; d < e->count; d++) { // TGT.Read-Error: what is read at an error is one
    hy_meant c;
    if (!hy_meaning_expr(r, e->args[d], &c)) return false;
    if (!hy_node_is_value(r->meaning->graph, c.error, 1)) continue;
    *out = hy_meant_const(r->meaning->graph, hy_value_error(e->type, HY_ERROR_ARITH));
    return true;
  }
  for (int d = 0; d < e->count; d++)
    if (!hy_meaning_int(r, e->args[d], "what the program reads", &point[d])) return false;
  if (!hy_meaning_cell(r, e->func, e->part, point, &cell)) return false;
  *out = *cell;
  return true;
}

static bool apply(hy_meaning_run *r, const hy_expr *e, hy_meant *out) {
  hy_meant args[HY_MAX_ARITY];
  hy_type types[HY_MAX_ARITY];
  hy_graph *g = r->meaning->graph;
  for (int i = 0; i < e->count; i++) {
    types[i] = e->args[i]->type;
    // D4: what a number decides is decided before the others are looked at
    bool is_decided = i && hy_op_is_lazy(e->op) && hy_node_is_const(g, args[0].value);
    if (is_decided && e->op != HY_OP_SELECT && hy_node_is_value(g, args[0].value, e->op == HY_OP_OR)) {
      *out = args[0];
      return true;
    }
    if (is_decided && e->op == HY_OP_SELECT) {
      if (!hy_meaning_expr(r, e->args[hy_node_is_value(g, args[0].value, 1) ? 1 : 2], out)) return false;
      out->error = hy_graph_or1(g, out->error, args[0].error);
      return true;
    }
    if (!hy_meaning_expr(r, e->args[i], &args[i])) return false;
  }
  return hy_meant_apply(g, e->op, e->type, types, args, out) ||
         hy_tile_fail(&r->meaning->fault, HY_TILE_UNDECIDED, "the operator '%s' of data is not known here",
                      hy_op_spelling(e->op));
}

static bool evaluate(hy_meaning_run *r, const hy_expr *e, hy_meant *out) {
  switch (e->kind) {
  case HY_EXPR_CONST: *out = hy_meant_const(r->meaning->graph, e->value); return true;
  case HY_EXPR_VAR:
    if (e->var->id >= r->vars.count || !r->vars.data[e->var->id].value)
      return hy_tile_fail(&r->meaning->fault, HY_TILE_UNDECIDED, "a variable that is not bound: %s", e->var->name);
    *out = r->vars.data[e->var->id];
    return true;
  case HY_EXPR_ACCESS: return access(r, e, out);
  case HY_EXPR_OP: return apply(r, e, out);
  case HY_EXPR_HOLE:
  case HY_EXPR_TUPLE: break;
  }
  return hy_tile_fail(&r->meaning->fault, HY_TILE_UNDECIDED, "an expression that has no value");
}

bool hy_meaning_expr(hy_meaning_run *r, const hy_expr *e, hy_meant *out) {
  hy_meaning *m = r->meaning;
  if (recall(r, e, out)) return true;
  if (m->graph->is_full) return hy_tile_fail(&m->fault, HY_TILE_UNDECIDED, "the limit of values is reached");
  if (++m->steps > m->most_steps) return hy_tile_fail(&m->fault, HY_TILE_UNDECIDED, "the limit of steps is reached");
  if (!evaluate(r, e, out)) return false;
  remember(r, e, *out);
  return true;
}

bool hy_meaning_int(hy_meaning_run *r, const hy_expr *e, const char *what, int64_t *out) {
  hy_meant v;
  hy_graph *g = r->meaning->graph;
  if (!hy_meaning_expr(r, e, &v)) return false;
  if (!hy_node_is_const(g, v.value)) return hy_tile_fail(&r->meaning->fault, HY_TILE_UNDECIDED, "data decide %s", what);
  if (!hy_node_is_value(g, v.error, 0))
    return hy_tile_fail(&r->meaning->fault, HY_TILE_UNDECIDED, "%s is an error", what);
  *out = (int64_t)hy_node_at(g, v.value)->value;
  return true;
}
