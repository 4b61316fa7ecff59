/* Definition 8.3: which loops may be called pure, and the lets that directives leave behind.
 *
 * A loop that is marked pure must, through the lets that it feeds, drive only dimensions that are pure in its stage:
 * the assignment's coordinate there is the variable itself, and so is that coordinate of every access to the func
 * (definition 4.2). Loops marked as reductions promise nothing and need no check. Only pure loops run in parallel or as
 * vectors.
 *
 * A let's origin must agree with its value: both are evaluated on a few pseudo-random points. A difference refutes it;
 * no difference proves nothing, and the bounds query does not rely on it (decision D64).
 */

#include "semantics/tgt/tgt_internal.h"

#include <string.h>

enum { TRIALS = 8 };

// The innermost stage around the place of the walk, and what was met in it.
typedef struct {
  const hy_stmt *stmt; // for or let
  bool drives_pure, marked_pure;
} binding;

typedef struct {
  HY_VEC(const hy_stmt *) assigns;    // one
  HY_VEC(binding) loops;              // outermost first
  HY_VEC(const hy_expr *) predicates; // of updates
} stage;

typedef struct {
  const hy_tgt_check *check;
  stage *stage;
} walk;

/* -- purity -- */

typedef struct {
  const hy_func *func;
  const hy_var *var;
  int dim;
  bool separated;
} separation;

static bool is_var(const hy_expr *expr, const hy_var *var) { return expr->kind == HY_EXPR_VAR && expr->var == var; }

static void look(void *self, const hy_expr *node) {
  separation *s = self;
  if (node->kind == HY_EXPR_ACCESS && node->func == s->func && !is_var(node->args[s->dim], s->var))
    s->separated = false;
}

// Definitions 4.2 and 4.3: does the variable itself stand at this dimension of the assignment and of all own accesses?
static bool is_pure_dimension(const stage *st, const hy_stmt *assign, const hy_var *var, int dim) {
  separation s = {assign->assign.func, var, dim, is_var(assign->assign.lhs[dim], var)};
  for (int d = 0; d < assign->assign.func->rank; d++) hy_expr_visit(assign->assign.lhs[d], look, &s);
  hy_expr_visit(assign->assign.rhs, look, &s);
  for (size_t i = 0; i < st->predicates.count; i++) hy_expr_visit(st->predicates.data[i], look, &s);
  return s.separated;
}

static const hy_var *var_of(const hy_stmt *loop) { return loop->kind == HY_STMT_FOR ? loop->loop.var : loop->let.var; }

static bool is_made_from(const hy_stmt *let, const hy_var *var) {
  return let->kind == HY_STMT_LET && hy_origin_has_source(&let->let.origin, var);
}

static bool is_coordinate(const stage *st, const hy_var *var) {
  for (size_t i = 0; i < st->assigns.count; i++)
    for (int d = 0; d < st->assigns.data[i]->assign.func->rank; d++)
      if (is_var(st->assigns.data[i]->assign.lhs[d], var) && is_pure_dimension(st, st->assigns.data[i], var, d))
        return true;
  return false;
}

// WF.Pure. Innermost first, because lets stand inside the loops that they are made from: does the variable, through the
// lets that it feeds, drive pure dimensions only?
static void find_driven(stage *st) {
  for (size_t i = st->loops.count; i-- > 0;) {
    const hy_var *var = var_of(st->loops.data[i].stmt);
    bool feeds = false, pure = true;
    for (size_t k = i + 1; k < st->loops.count; k++)
      if (is_made_from(st->loops.data[k].stmt, var)) feeds = true, pure &= st->loops.data[k].drives_pure;
    st->loops.data[i].drives_pure = feeds ? pure : is_coordinate(st, var);
  }
}

static const binding *binding_of(const stage *st, const hy_var *var, size_t before) {
  for (size_t i = 0; i < before; i++)
    if (var_of(st->loops.data[i].stmt) == var) return &st->loops.data[i];
  return NULL;
}

// Outermost first: the mark of the loop that a variable comes from.
static void find_marks(stage *st) {
  for (size_t i = 0; i < st->loops.count; i++) {
    const hy_stmt *loop = st->loops.data[i].stmt;
    if (loop->kind == HY_STMT_FOR) {
      st->loops.data[i].marked_pure = loop->loop.is_pure;
    } else if (loop->let.origin.sources[0]) {
      const binding *first = binding_of(st, loop->let.origin.sources[0], i);
      st->loops.data[i].marked_pure = first && first->marked_pure;
    }
  }
}

// WF.Traverse, WF.Pure
static void check_loop(const walk *w, const binding *b) {
  const hy_stmt *loop = b->stmt;
  const char *name = hy_tgt_var_name(w->check, loop->loop.var);
  hy_loc loc = hy_tgt_loc(w->check, loop);
  bool lanes = loop->loop.traversal == HY_PARALLEL || loop->loop.traversal == HY_VECTORIZED;
  if (!loop->loop.is_pure && lanes)
    hy_report(w->check->diagnostics, HY_E_TGT_TRAVERSAL, loc, "section 8.2 (traverse), decision D37",
              "a reduction runs in its order: serial or unrolled", "the reduction loop '%s' is %s", name,
              hy_traversal_name(loop->loop.traversal));
  if (loop->loop.is_pure && !b->drives_pure)
    hy_report(
        w->check->diagnostics, HY_E_TGT_PURITY, loc, "definition 8.3 (pure loop)",
        "mark it: for rdom ...; a pure loop's variable, or what it is split from, is a coordinate of the assignment "
        "and of every access to the func",
        "'%s' is not marked 'rdom', but drives no pure dimension", name);
}

/* -- origins -- */

typedef struct {
  const hy_expr *node;
  hy_value value;
} known;

typedef struct {
  hy_intern *table;
  HY_VEC(known *) all;
  int trial;
  hy_value last;
} evaluation;

static bool same_node(const void *a, const void *b) { return ((const known *)a)->node == ((const known *)b)->node; }

static hy_value value_of(const evaluation *e, const hy_expr *node) {
  return ((const known *)hy_intern_find(e->table, node->hash, &(known){.node = node}))->value;
}

// Small positive numbers: factors are at least 1 and lengths are not negative where a program evaluates them.
static hy_value choose(const evaluation *e, const hy_expr *node) {
  int64_t i = 1 + (int64_t)(hy_hash(node->id, (uint64_t)e->trial) % 61);
  if (hy_type_class_of(node->type) == HY_CLASS_FLOAT) return hy_value_from_double(node->type, (double)i);
  return hy_value_integral(node->type, i);
}

static void evaluate(void *self, const hy_expr *node) {
  evaluation *e = self;
  hy_value args[HY_MAX_ARITY];
  known *k = hy_allocate(sizeof *k);
  k->node = node;
  switch (node->kind) {
  case HY_EXPR_CONST: k->value = node->value; break;
  case HY_EXPR_VAR:
  case HY_EXPR_ACCESS:
  case HY_EXPR_TUPLE:
  case HY_EXPR_HOLE: k->value = choose(e, node); break;
  case HY_EXPR_OP:
    for (int i = 0; i < node->count; i++) args[i] = value_of(e, node->args[i]);
    k->value = hy_value_apply(node->op, node->type, args);
    break;
  }
  e->last = k->value;
  hy_intern_add(e->table, node->hash, k);
  hy_vec_push(&e->all, k);
}

// Is the condition false on some point that was tried?
static bool is_refuted(const hy_expr *condition) {
  bool refuted = false;
  for (int trial = 0; trial < TRIALS && !refuted; trial++) {
    evaluation e = {.table = hy_intern_new(same_node), .trial = trial};
    hy_expr_visit(condition, evaluate, &e);
    refuted = e.last.error == HY_OK && !hy_value_is_true(e.last);
    hy_intern_free(e.table);
    for (size_t i = 0; i < e.all.count; i++) hy_free(e.all.data[i]);
    hy_vec_free(&e.all);
  }
  return refuted;
}

// WF.Pure: the loops of one let are marked alike.
static bool marks_differ(const walk *w, const hy_origin *o, size_t index) {
  const binding *first = binding_of(w->stage, o->sources[0], index),
                *second = binding_of(w->stage, o->sources[1], index);
  return first && second && first->marked_pure != second->marked_pure;
}

// The let and its loops are among those of its application.
static bool is_listed(const hy_stmt *let) {
  const hy_origin *o = &let->let.origin;
  const hy_relation *r = o->relation;
  if (o->number < 0 || o->number >= r->let_count || r->lets[o->number] != let->let.var || !o->sources[0]) return false;
  for (int i = 0; i < HY_MOST_SOURCES; i++)
    if (o->sources[i] && !hy_relation_has_loop(r, o->sources[i])) return false;
  for (int i = 0; i < r->loop_count; i++)
    if (!r->loops[i]) return false;
  return r->loop_count > 0 && o->factor && o->range.min && o->range.len;
}

// The value is what the origin says, if it says anything.
static void check_value(const walk *w, const hy_stmt *let) {
  hy_context *context = w->check->context;
  const hy_expr *value = hy_origin_value(context, &let->let.origin);
  if (!value || value == let->let.value || !is_refuted(hy_expr_binary(context, HY_OP_EQ, value, let->let.value)))
    return;
  hy_text text = {0};
  hy_expr_print(value, &text);
  char *help = hy_arena_printf(hy_context_arena(context), "the origin says %.400s", hy_text_string(&text));
  hy_report(w->check->diagnostics, HY_E_TGT_ORIGIN, hy_tgt_loc(w->check, let), "Figure 12 (split, fuse)", help,
            "the value of '%s' is not what its origin says", hy_tgt_var_name(w->check, let->let.var));
  hy_text_free(&text);
}

static void check_origin(const walk *w, const hy_stmt *let, size_t index) {
  const hy_origin *o = &let->let.origin;
  if (!o->relation) return;
  if (!is_listed(let)) {
    hy_report(w->check->diagnostics, HY_E_TGT_ORIGIN, hy_tgt_loc(w->check, let), NULL, NULL,
              "the origin of '%s' does not list it, its loops or its bounds", hy_tgt_var_name(w->check, let->let.var));
    return;
  }
  check_value(w, let);
  if (marks_differ(w, o, index))
    hy_report(
        w->check->diagnostics, HY_E_TGT_PURITY, hy_tgt_loc(w->check, let), "definition 8.3 (pure loop)",
        hy_relation_is_given(o->relation) ? "mark the loops of one variable alike" : "mark both loops of a split alike",
        "of the two loops of '%s', one is marked 'rdom' and the other is not", hy_tgt_var_name(w->check, let->let.var));
}

/* -- statements -- */

static void check_stage(const walk *w) {
  find_driven(w->stage);
  find_marks(w->stage);
  for (size_t i = 0; i < w->stage->loops.count; i++)
    if (w->stage->loops.data[i].stmt->kind == HY_STMT_LET) check_origin(w, w->stage->loops.data[i].stmt, i);
  for (size_t i = 0; i < w->stage->loops.count; i++)
    if (w->stage->loops.data[i].stmt->kind == HY_STMT_FOR) check_loop(w, &w->stage->loops.data[i]);
}

static void visit(walk *w, const hy_stmt *stmt) {
  stage *around = w->stage, inner = {0};
  bool is_stage = stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE;
  if (is_stage) w->stage = &inner;
  if (stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET) hy_vec_push(&w->stage->loops, (binding){.stmt = stmt});
  if (stmt->kind == HY_STMT_ASSIGN) hy_vec_push(&w->stage->assigns, stmt);
  if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_USER)
    hy_vec_push(&w->stage->predicates, stmt->branch.condition);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) visit(w, children[i]);
  if (is_stage) check_stage(w);
  hy_vec_free(&inner.assigns);
  hy_vec_free(&inner.loops);
  hy_vec_free(&inner.predicates);
  w->stage = around;
}

// requires: the structure was found good
void hy_tgt_check_purity(const hy_tgt_check *check) {
  walk w = {.check = check};
  visit(&w, check->tgt->body);
}
