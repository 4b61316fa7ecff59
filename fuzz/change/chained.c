#include "fuzz/change/chained.h"

#include "plugin/plugin.h"
#include "sched/funcs/funcs.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  hy_context *context;
  const hy_pipeline *p;
  hy_text *out;
  bool swaps;
  const hy_func *func; // whose chain is open; NULL = none is
  int spec, stage;     // that the chain has turned to
} printer;

/* -- chains -- */

static void close_chain(printer *p) {
  if (p->func) hy_text_add(p->out, ";\n");
  p->func = NULL;
}

static const hy_expr *condition_of(const printer *p, const hy_func *func, int spec) {
  for (int i = 0; i < p->p->core_count; i++) {
    const hy_directive *d = &p->p->core[i];
    if (d->type == &hy_directive_specialize && d->func == func) return d->conditions[spec - 1];
  }
  HY_UNREACHABLE();
}

static void add_condition(printer *p, const hy_expr *condition) {
  hy_text_add(p->out, ".specialize(");
  hy_expr_print(condition, p->out);
  hy_text_add(p->out, ")");
}

// A chain never turns back to the branch or stage that it left.
static void turn(printer *p, const hy_func *func, int spec, int stage) {
  if (p->func == func && p->spec == spec && p->stage == stage) return;
  close_chain(p);
  hy_text_printf(p->out, "  %s", func->name);
  if (spec) add_condition(p, condition_of(p, func, spec));
  if (stage) hy_text_printf(p->out, ".update(%d)", stage - 1);
  p->func = func, p->spec = spec, p->stage = stage;
}

static void turn_to(printer *p, const hy_var *loop) { turn(p, loop->func, loop->spec, loop->stage); }

static void add_alone(printer *p, const hy_directive *d) {
  close_chain(p);
  hy_text_add(p->out, "  ");
  hy_directive_print(d, p->out);
  hy_text_add(p->out, "\n");
}

static void add_factor(printer *p, const hy_directive *d) {
  hy_text_add(p->out, ", ");
  hy_expr_print(d->args[0], p->out);
}

static void add_tail(printer *p, hy_tail tail) {
  if (tail != HY_TAIL_GUARD) hy_text_printf(p->out, ", %s", hy_tail_name(tail));
  hy_text_add(p->out, ")");
}

// Is a part of what the directive splits taken by the next one?
static bool is_taken_next(const printer *p, int i) {
  const hy_directive *d = &p->p->core[i], *next = i + 1 < p->p->core_count ? d + 1 : NULL;
  if (!next || next->type != &hy_directive_rfactor || next->func != d->func || next->loop->stage != d->loop->stage)
    return false;
  return next->loop->name == d->names[0] || next->loop->name == d->names[1];
}

// A func that is added, called as a chain calls it; and what is split for it.
static void add_made(printer *p, int i) {
  const hy_directive *d = &p->p->core[i];
  if (d->type == &hy_directive_split_reduction && is_taken_next(p, i)) {
    hy_text_printf(p->out, "  %s.update(%d).split(%s, %s, %s", d->func->name, d->loop->stage - 1, d->loop->name,
                   d->names[0], d->names[1]);
    hy_text_add(p->out, ", ");
    hy_expr_print(d->args[0], p->out);
    hy_text_add(p->out, ");\n");
    return;
  }
  if (!d->made) {
    add_alone(p, d);
    return;
  }
  if (d->loop && d->made->name == hy_funcs_factor_name(p->context, d->func, d->loop->stage)) {
    hy_text_printf(p->out, "  %s.update(%d).rfactor(%s, %s);\n", d->func->name, d->loop->stage - 1, d->loop->name,
                   d->names[0]);
    return;
  }
  if (d->loop) {
    add_alone(p, d);
    return;
  }
  const hy_func *const *all;
  int count = hy_funcs_all_readers(p->context, p->p->steps[i], d->func, &all);
  bool of_all = d->made->name == hy_funcs_chain_name(p->context, d->type, d->func, NULL, 0);
  for (int k = 0; k < count; k++) of_all = of_all && count == d->reader_count && all[k] == d->readers[k];
  if (!of_all && d->made->name != hy_funcs_chain_name(p->context, d->type, d->func, d->readers, d->reader_count)) {
    add_alone(p, d);
    return;
  }
  hy_text_printf(p->out, "  %s.%s(", d->func->name, d->type == &hy_directive_clone ? "clone_in" : "in");
  for (int k = 0; k < d->reader_count && !of_all; k++)
    hy_text_printf(p->out, "%s%s", k ? ", " : "", d->readers[k]->name);
  hy_text_add(p->out, ");\n");
}

/* -- loops -- */

static bool same_stage(const hy_var *a, const hy_var *b) {
  return a->func == b->func && a->spec == b->spec && a->stage == b->stage;
}

static const hy_directive *at(const printer *p, int i, const hy_directive_type *type) {
  return i < p->p->core_count && p->p->core[i].type == type ? &p->p->core[i] : NULL;
}

static const char *traversal_call(hy_traversal traversal) {
  switch (traversal) {
  case HY_SERIAL: return "serial";
  case HY_PARALLEL: return "parallel";
  case HY_VECTORIZED: return "vectorize";
  case HY_UNROLLED: return "unroll";
  }
  HY_UNREACHABLE();
}

// "vectorize(x, 8)": a split whose inner loop is x_v, and its traversal. How many directives; 0: none of that.
static int add_split_traversal(printer *p, int i) {
  static const char *const suffixes[] = {[HY_PARALLEL] = "_p", [HY_VECTORIZED] = "_v", [HY_UNROLLED] = "_u"};
  const hy_directive *split = at(p, i, &hy_directive_split), *traverse = at(p, i + 1, &hy_directive_traverse);
  if (!split || !traverse || traverse->traversal == HY_SERIAL || !same_stage(split->loop, traverse->loop)) return 0;
  const char *name = split->loop->name;
  char inner[64];
  snprintf(inner, sizeof inner, "%s%s", name, suffixes[traverse->traversal]);
  if (split->names[0] != name || strcmp(split->names[1], inner) != 0) return 0;
  if (traverse->loop->name != (traverse->traversal == HY_PARALLEL ? name : split->names[1])) return 0;
  turn_to(p, split->loop);
  hy_text_printf(p->out, ".%s(%s", traversal_call(traverse->traversal), name);
  add_factor(p, split);
  add_tail(p, split->tail);
  return 2;
}

static const hy_stmt *find_loop(const hy_stmt *stmt, const hy_var *var) {
  if (stmt->kind == HY_STMT_FOR && stmt->loop.var == var) return stmt;
  const hy_stmt *const *children, *room[2], *found = NULL;
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !found; i++) found = find_loop(children[i], var);
  return found;
}

// "tile(x, y, xo, yo, xi, yi, 8, 4)": x is split, y around it is, and y's inner loop goes inside of x's outer one.
static int add_tile(printer *p, int i) {
  const hy_directive *x = at(p, i, &hy_directive_split), *y = at(p, i + 1, &hy_directive_split);
  const hy_directive *swap = at(p, i + 2, &hy_directive_swap);
  if (!p->swaps || !x || !y || !swap || x->tail != y->tail) return 0;
  if (!same_stage(x->loop, y->loop) || !same_stage(x->loop, swap->loop) || swap->loop->name != y->names[1]) return 0;
  const hy_stmt *around =
      find_loop(p->p->steps[i + 2]->body, swap->loop); // if other loops stand between, it is no tile
  if (!around || around->loop.body->kind != HY_STMT_FOR || around->loop.body->loop.var->name != x->names[0]) return 0;
  bool keeps = x->names[0] == x->loop->name && y->names[0] == y->loop->name;
  turn_to(p, x->loop);
  hy_text_printf(p->out, ".tile(%s, %s", x->loop->name, y->loop->name);
  if (!keeps) hy_text_printf(p->out, ", %s, %s", x->names[0], y->names[0]);
  hy_text_printf(p->out, ", %s, %s", x->names[1], y->names[1]);
  add_factor(p, x);
  add_factor(p, y);
  add_tail(p, x->tail);
  return 3;
}

static bool add_swap(printer *p, int i) {
  const hy_directive *d = &p->p->core[i];
  const hy_stmt *loop = p->swaps ? find_loop(p->p->steps[i]->body, d->loop) : NULL;
  if (!loop || loop->loop.body->kind != HY_STMT_FOR) return false;
  turn_to(p, d->loop);
  hy_text_printf(p->out, ".reorder(%s, %s)", d->loop->name, loop->loop.body->loop.var->name);
  return true;
}

// As it is written alone, but for the func.
static void add_method(printer *p, const hy_directive *d) {
  hy_text alone = {0};
  hy_directive_print(d, &alone);
  const char *text = hy_text_string(&alone), *rest;
  if (d->type->arguments[0] == HY_TAKES_LOOP) {
    turn_to(p, d->loop);
    rest = strpbrk(text, ",)");
    hy_text_printf(p->out, ".%s(%s", d->type->name, d->loop->name);
  } else {
    turn(p, d->func, 0, 0);
    rest = strchr(text, ',');
    rest = rest ? rest + 2 : strchr(text, ')'); // the func may be all that it takes
    hy_text_printf(p->out, ".%s(", d->type->name);
  }
  hy_text_add_bytes(p->out, rest, strlen(rest) - 1); // without the semicolon
  hy_text_free(&alone);
}

static void add_one(printer *p, int i) {
  const hy_directive *d = &p->p->core[i];
  if (d->type == &hy_directive_fuse) { // inner first
    turn_to(p, d->loop);
    hy_text_printf(p->out, ".fuse(%s, %s, %s)", d->names[0], d->loop->name, d->names[1]);
  } else if (d->type == &hy_directive_traverse) {
    turn_to(p, d->loop);
    hy_text_printf(p->out, ".%s(%s)", traversal_call(d->traversal), d->loop->name);
  } else if (d->type == &hy_directive_swap && add_swap(p, i)) {
    return;
  } else if (d->type->in_chain) {
    add_method(p, d);
  } else {
    add_alone(p, d);
  }
}

static void add_loops(printer *p) {
  for (int i = 0, used; i < p->p->core_count; i += used ? used : 1) {
    used = 0;
    if (p->p->core[i].type->phase != HY_PHASE_LOOPS) continue;
    used = add_split_traversal(p, i);
    if (!used) used = add_tile(p, i);
    if (!used) add_one(p, i);
  }
}

/* -- moves -- */

static int count_loops(const hy_stmt *stmt, const hy_var *like) {
  const hy_var *var = stmt->kind == HY_STMT_FOR ? stmt->loop.var : NULL;
  int count = var && var->func == like->func && var->spec == like->spec && var->name == like->name;
  const hy_stmt *const *children, *room[2];
  int n = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < n; i++) count += count_loops(children[i], like);
  return count;
}

// A chain names a func's loop without its branch and stage.
static bool is_nameable(const printer *p, const hy_var *loop) {
  return !loop || (loop->spec == 0 && count_loops(p->p->steps[p->p->core_count]->body, loop) == 1);
}

static const hy_directive *find_move(const printer *p, const hy_directive_type *type, const hy_func *func) {
  for (int i = 0; i < p->p->core_count; i++)
    if (p->p->core[i].type == type && p->p->core[i].func == func) return &p->p->core[i];
  return NULL;
}

static void add_site(printer *p, const char *call, const hy_var *loop) {
  if (loop)
    hy_text_printf(p->out, ".%s_at(%s, %s)", call, loop->func->name, loop->name);
  else
    hy_text_printf(p->out, ".%s_root()", call);
}

// Chained, compute_at also stores there unless the chain says otherwise.
static void add_moves(printer *p, const hy_func *func) {
  const hy_directive *compute = find_move(p, &hy_directive_compute_at, func);
  const hy_directive *store = find_move(p, &hy_directive_store_at, func);
  if (!compute && !store) return;
  if ((compute && !is_nameable(p, compute->loop)) || (store && !is_nameable(p, store->loop))) {
    if (compute) add_alone(p, compute);
    if (store) add_alone(p, store);
    return;
  }
  close_chain(p);
  turn(p, func, 0, 0);
  if (compute) add_site(p, "compute", compute->loop);
  if (store && !(compute && compute->loop == store->loop)) add_site(p, "store", store->loop);
  if (!store) hy_text_add(p->out, ".store_root()");
}

// Moves of other kinds, which stand alone.
static void add_other_moves(printer *p) {
  for (int i = 0; i < p->p->core_count; i++) {
    const hy_directive_type *type = p->p->core[i].type;
    if ((type->phase == HY_PHASE_COMPUTE && type != &hy_directive_compute_at) ||
        (type->phase == HY_PHASE_STORAGE && type != &hy_directive_store_at))
      add_alone(p, &p->p->core[i]);
  }
}

// The loop where the func is computed: a move says which.
static void add_slide(printer *p, const hy_directive *d) {
  close_chain(p);
  turn(p, d->func, 0, 0);
  hy_text_printf(p->out, ".slide(%s)", d->loop->name);
}

// Of one of the phases behind the moves.
static void add_phase(printer *p, hy_phase phase) {
  for (int i = 0; i < p->p->core_count; i++) {
    const hy_directive *d = &p->p->core[i];
    if (d->type->phase != phase) continue;
    if (d->type == &hy_directive_slide)
      add_slide(p, d);
    else if (d->type->in_chain)
      add_method(p, d);
    else
      add_alone(p, d);
  }
}

/* -- the whole -- */

// f.specialize(c1).specialize(c2), or f.update(k).specialize(c1)..: what chains say of the stage from here on they say of
// the copies on their own (SCH.Chain-Copies).
static void add_conditions(printer *p, const hy_directive *d, int stage) {
  hy_text_printf(p->out, "  %s", d->func->name);
  if (stage) hy_text_printf(p->out, ".update(%d)", stage - 1);
  for (int k = 0; k < d->condition_count; k++) add_condition(p, d->conditions[k]);
  hy_text_add(p->out, ";\n");
}

// Branches in their order, whether or not a directive works on them.
static bool add_branches(printer *p) {
  for (int i = 0; i < p->p->core_count; i++) {
    const hy_directive *d = &p->p->core[i];
    if (d->type != &hy_directive_specialize) continue;
    for (int k = 0; k < d->condition_count; k++)
      for (int j = 0; j < k; j++)
        if (d->conditions[j] == d->conditions[k]) return false;
    int stages = hy_tgt_stage_count(p->p->steps[i], d->func);
    for (int stage = 0; stage < stages; stage++) add_conditions(p, d, stage);
  }
  return true;
}

bool hy_chained_print(hy_context *context, const hy_pipeline *pipeline, bool swaps, hy_text *out) {
  printer p = {.context = context, .p = pipeline, .out = out, .swaps = swaps};
  hy_text_add(out, "");
  for (int i = 0; i < pipeline->core_count; i++)
    if (pipeline->core[i].type->phase == HY_PHASE_FUNCS) add_made(&p, i);
  if (!add_branches(&p)) return false;
  add_phase(&p, HY_PHASE_INLINE);
  close_chain(&p);
  add_loops(&p);
  add_phase(&p, HY_PHASE_COPIES);
  const hy_tgt *last = pipeline->steps[pipeline->core_count];
  for (int i = 0; i < last->func_count; i++) add_moves(&p, last->funcs[i]);
  close_chain(&p);
  add_other_moves(&p);
  add_phase(&p, HY_PHASE_BOUNDS);
  add_phase(&p, HY_PHASE_PLAN);
  close_chain(&p);
  return true;
}
