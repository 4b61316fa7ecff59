/* Is a target program well formed? What every step must keep and what a hand-written file must have.
 *
 * This file: the order of the checks, and names: every variable is the signature's or bound by a for or let around it,
 * holes stand where definition 6.3 puts them, and only assignments and predicates of updates read funcs.
 */

#include "semantics/tgt/tgt_internal.h"

/* -- what the checks share -- */

hy_loc hy_tgt_loc(const hy_tgt_check *check, const hy_stmt *stmt) {
  return stmt ? hy_stmt_loc(stmt, check->tgt->alg->loc) : check->tgt->alg->loc;
}

const char *hy_tgt_var_name(const hy_tgt_check *check, const hy_var *var) {
  hy_text name = {0};
  hy_var_print(var, &name);
  const char *copy = hy_context_name_of(check->context, hy_text_string(&name));
  hy_text_free(&name);
  return copy;
}

/* -- names -- */

// What may stand in an expression, by its place.
typedef struct {
  unsigned holes;       // bit k: holes of hy_hole_kind k
  const hy_func *owner; // of the holes; NULL: any func's
  bool accesses;
  bool startup; // nothing but startup expressions
} permission;

enum { MEM = 1u << HY_HOLE_MEM, CPU = 1u << HY_HOLE_CPU, FOR = 1u << HY_HOLE_FOR, NEED = 1u << HY_HOLE_NEED };

typedef struct {
  const hy_tgt_check *check;
  HY_VEC(const hy_var *) scope;
  const hy_func *stage_func; // of the stage label around this place
  permission allowed;
  const hy_expr *wrong; // the first node that may not stand there
} names;

static bool is_signature_var(const hy_alg *alg, const hy_var *var) {
  switch (var->kind) {
  case HY_VAR_PARAM:
    for (int i = 0; i < alg->param_count; i++)
      if (alg->params[i] == var) return true;
    return false;
  case HY_VAR_IMAGE_MIN:
  case HY_VAR_IMAGE_LEN:
    for (int i = 0; i < alg->image_count; i++)
      if (alg->images[i] == var->func) return true;
    return false;
  case HY_VAR_WINDOW_MIN:
  case HY_VAR_WINDOW_LEN:
    for (int d = 0; d < alg->window_rank; d++)
      if (alg->window_min[d] == var || alg->window_len[d] == var) return true;
    return false;
  case HY_VAR_PURE:
  case HY_VAR_RDOM:
  case HY_VAR_LOOP:
  case HY_VAR_FRESH: return false;
  }
  HY_UNREACHABLE();
}

static bool is_bound(const names *n, const hy_var *var) {
  for (size_t i = n->scope.count; i-- > 0;)
    if (n->scope.data[i] == var) return true;
  return false;
}

static bool is_known_func(const names *n, const hy_func *func) {
  const hy_alg *alg = n->check->tgt->alg;
  for (int i = 0; func->is_image && i < alg->image_count; i++)
    if (alg->images[i] == func) return true;
  return !func->is_image && hy_tgt_position(n->check->tgt, func) >= 0;
}

// WF.Scope of variables, WF.Load of accesses, WF.Hole of holes.
static bool is_allowed(const names *n, const hy_expr *node) {
  switch (node->kind) {
  case HY_EXPR_CONST:
  case HY_EXPR_TUPLE:
  case HY_EXPR_OP: return true;
  case HY_EXPR_VAR:
    if (node->var->kind == HY_VAR_LOOP) return !n->allowed.startup && is_bound(n, node->var);
    return is_signature_var(n->check->tgt->alg, node->var);
  case HY_EXPR_ACCESS: return n->allowed.accesses && is_known_func(n, node->func);
  case HY_EXPR_HOLE:
    return (n->allowed.holes >> node->hole->kind & 1) && is_known_func(n, node->hole->func) &&
           (!n->allowed.owner || n->allowed.owner == node->hole->func);
  }
  HY_UNREACHABLE();
}

static void look(void *self, const hy_expr *node) {
  names *n = self;
  if (!n->wrong && !is_allowed(n, node)) n->wrong = node;
}

static void report_var(const names *n, const hy_var *var, const char *where, hy_loc loc) {
  const char *name = hy_tgt_var_name(n->check, var);
  if (var->kind == HY_VAR_LOOP && !n->allowed.startup)
    hy_report(n->check->diagnostics, HY_E_TGT_UNBOUND, loc, "section 5 (scope of loop variables)",
              "a loop variable is in scope in the body of its for or let only",
              "%s mentions '%s', which nothing around it binds", where, name);
  else
    hy_report(n->check->diagnostics, HY_E_TGT_VARIABLE, loc, "definition 4.4 (startup expression)",
              "use parameters, image boxes and the window; inside loops, loop variables",
              "%s mentions '%s', which is not known there", where, name);
}

static void report_wrong(const names *n, const char *where, hy_loc loc) {
  const hy_expr *node = n->wrong;
  hy_text text = {0};
  hy_expr_print(node, &text);
  switch (node->kind) {
  case HY_EXPR_VAR: report_var(n, node->var, where, loc); break;
  case HY_EXPR_ACCESS:
    if (is_known_func(n, node->func))
      hy_report(n->check->diagnostics, HY_E_TGT_ACCESS, loc, "decision D42 (bounds contain no loads)",
                "only assignments and the predicates of updates read funcs and images", "%s reads '%s'", where,
                node->func->name);
    else
      hy_report(n->check->diagnostics, HY_E_TGT_UNKNOWN_FUNC, loc, NULL, NULL,
                "%s reads '%s', which is not part of the program", where, node->func->name);
    break;
  case HY_EXPR_HOLE:
    hy_report(
        n->check->diagnostics, HY_E_TGT_HOLE, loc, "definition 6.3 (bounds holes)",
        "mem holes stand in the func's allocate, cpu holes in its compute and its loops, loop holes in its loops, "
        "need holes in assumptions; nothing else has holes",
        "%s has the hole '%s'", where, hy_text_string(&text));
    break;
  case HY_EXPR_CONST:
  case HY_EXPR_TUPLE:
  case HY_EXPR_OP: HY_UNREACHABLE();
  }
  hy_text_free(&text);
}

static void check_expr(names *n, const hy_expr *expr, permission allowed, const char *where, const hy_stmt *stmt) {
  n->allowed = allowed;
  n->wrong = NULL;
  if (!expr->has_var && !expr->has_access && !expr->has_hole) return;
  hy_expr_visit(expr, look, n);
  if (n->wrong) report_wrong(n, where, hy_tgt_loc(n->check, stmt));
}

static void check_box(names *n, const hy_interval *box, int rank, permission allowed, const char *where,
                      const hy_stmt *stmt) {
  for (int d = 0; d < rank; d++) {
    check_expr(n, box[d].min, allowed, where, stmt);
    check_expr(n, box[d].len, allowed, where, stmt);
  }
}

static bool binds(const hy_stmt *stmt, const hy_var *var) {
  if ((stmt->kind == HY_STMT_FOR && stmt->loop.var == var) || (stmt->kind == HY_STMT_LET && stmt->let.var == var))
    return true;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (binds(children[i], var)) return true;
  return false;
}

// WF.Scope of "by given". The loops of the application stand around the let or inside of it, whatever became of them.
// The way back may speak of the variables before, of the application's loops that it lists earlier, and of what is in
// scope.
static void check_ways_back(names *n, const hy_relation *given, const hy_stmt *stmt) {
  permission bounds = {.holes = CPU | FOR, .owner = n->stage_func};
  size_t scope = n->scope.count;
  for (int i = 0; i < given->loop_count; i++)
    if (!is_bound(n, given->loops[i]) && !binds(stmt->let.body, given->loops[i]))
      report_var(n, given->loops[i], "a let's way back", hy_tgt_loc(n->check, stmt));
  for (int i = 0; i < given->let_count; i++) hy_vec_push(&n->scope, given->lets[i]);
  for (int i = 0; i < given->loop_count; i++) {
    check_expr(n, given->inverses[i], bounds, "a let's way back", stmt);
    hy_vec_push(&n->scope, given->loops[i]);
  }
  n->scope.count = scope;
}

// WF.Scope of a let and its origin.
static void check_let(names *n, const hy_stmt *stmt) {
  permission bounds = {.holes = CPU | FOR, .owner = n->stage_func};
  const hy_origin *origin = &stmt->let.origin;
  check_expr(n, stmt->let.value, bounds, "a let", stmt);
  if (!origin->relation || !origin->factor || !origin->range.min || !origin->range.len) return;
  for (int i = 0; i < HY_MOST_SOURCES; i++)
    if (origin->sources[i] && !is_bound(n, origin->sources[i]))
      report_var(n, origin->sources[i], "a let's origin", hy_tgt_loc(n->check, stmt));
  check_expr(n, origin->factor, bounds, "a let's origin", stmt);
  if (hy_relation_is_given(origin->relation)) check_ways_back(n, origin->relation, stmt);
  check_box(n, &origin->range, 1, bounds, "a let's origin", stmt);
}

static void check_condition(names *n, const hy_stmt *stmt) {
  switch (stmt->branch.why) {
  case HY_IF_USER: check_expr(n, stmt->branch.condition, (permission){.accesses = true}, "a predicate", stmt); return;
  case HY_IF_GUARD:
  case HY_IF_IMPLIED:
    check_expr(n, stmt->branch.condition, (permission){.holes = CPU | FOR, .owner = n->stage_func}, "a guard", stmt);
    return;
  case HY_IF_SPECIALIZE:
    check_expr(n, stmt->branch.condition, (permission){.startup = true}, "a specialization", stmt);
    return;
  }
  HY_UNREACHABLE();
}

// WF.Scope, WF.Load, WF.Hole: what may stand where, by the kind of statement.
static void check_own_exprs(names *n, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_NOP:
  case HY_STMT_SEQ:
  case HY_STMT_LABEL: return;
  case HY_STMT_ASSUME:
    check_expr(n, stmt->assume.condition, (permission){.holes = MEM | CPU | FOR | NEED}, "an assumption", stmt);
    return;
  case HY_STMT_ALLOCATE:
    check_box(n, stmt->allocate.box, stmt->allocate.func->rank,
              (permission){.holes = MEM, .owner = stmt->allocate.func}, "an allocation", stmt);
    return;
  case HY_STMT_ASSIGN:
    for (int d = 0; d < stmt->assign.func->rank; d++)
      check_expr(n, stmt->assign.lhs[d], (permission){.accesses = true}, "an assignment", stmt);
    check_expr(n, stmt->assign.rhs, (permission){.accesses = true}, "an assignment", stmt);
    return;
  case HY_STMT_IF: check_condition(n, stmt); return;
  case HY_STMT_FOR:
    check_box(n, &stmt->loop.interval, 1, (permission){.holes = CPU | FOR, .owner = n->stage_func}, "a loop", stmt);
    if (stmt->loop.piece)
      check_box(n, &stmt->loop.piece->whole, 1, (permission){.holes = CPU | FOR, .owner = n->stage_func}, "a piece",
                stmt);
    return;
  case HY_STMT_LET: check_let(n, stmt); return;
  case HY_STMT_COMPUTE:
    check_box(n, stmt->compute.box, stmt->compute.func->rank,
              (permission){.holes = CPU | NEED, .owner = stmt->compute.func}, "a compute", stmt);
    return;
  }
  HY_UNREACHABLE();
}

static void check_stmt(names *n, const hy_stmt *stmt) {
  check_own_exprs(n, stmt);
  const hy_var *var = stmt->kind == HY_STMT_FOR ? stmt->loop.var : stmt->kind == HY_STMT_LET ? stmt->let.var : NULL;
  const hy_func *around = n->stage_func;
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE) n->stage_func = stmt->label.func;
  if (var) hy_vec_push(&n->scope, var);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) check_stmt(n, children[i]);
  if (var) n->scope.count--;
  n->stage_func = around;
}

void hy_tgt_check_names(const hy_tgt_check *check) {
  names n = {.check = check};
  for (int i = 0; i < check->tgt->entry_count; i++) {
    const hy_stmt *stmt = check->tgt->entry[i];
    if (stmt->kind == HY_STMT_ASSUME)
      check_stmt(&n, stmt);
    else
      hy_report(check->diagnostics, HY_E_TGT_SHAPE, hy_tgt_loc(check, stmt), "decision D25 (entry)", NULL,
                "the entry block holds assumptions only");
  }
  check_stmt(&n, check->tgt->body);
  hy_vec_free(&n.scope);
}

/* -- the whole -- */

// Which rule of the specification a refusal is about: WF.Scope, WF.Load, WF.Hole, WF.Name, WF.Dominate, WF.Stage,
// WF.Pure, WF.Traverse, WF.Origin, WF.Plan, WF.Keep, WF.Piece, WF.Laid; WF.Shape: anything else.
static hy_rule rule_of(hy_code code) {
  static const struct {
    hy_code code;
    hy_rule rule;
  } rows[] = {
      {HY_E_TGT_UNBOUND, HY_RULE_WF_SCOPE},       {HY_E_TGT_VARIABLE, HY_RULE_WF_SCOPE},
      {HY_E_TGT_ACCESS, HY_RULE_WF_LOAD},         {HY_E_TGT_HOLE, HY_RULE_WF_HOLE},
      {HY_E_TGT_LOOP_NAME, HY_RULE_WF_NAME},      {HY_E_TGT_LOOP_TWICE, HY_RULE_WF_NAME},
      {HY_E_TGT_ALLOCATION, HY_RULE_WF_DOMINATE}, {HY_E_TGT_DOMINANCE, HY_RULE_WF_DOMINATE},
      {HY_E_TGT_LABEL, HY_RULE_WF_STAGE},         {HY_E_TGT_ASSIGNMENT, HY_RULE_WF_STAGE},
      {HY_E_TGT_COMPUTE, HY_RULE_WF_STAGE},       {HY_E_TGT_PURITY, HY_RULE_WF_PURE},
      {HY_E_TGT_TRAVERSAL, HY_RULE_WF_TRAVERSE},  {HY_E_TGT_ORIGIN, HY_RULE_WF_ORIGIN},
      {HY_E_TGT_PLAN, HY_RULE_WF_PLAN},           {HY_E_TGT_KEEP, HY_RULE_WF_KEEP},
      {HY_E_TGT_PIECE, HY_RULE_WF_PIECE},         {HY_E_TGT_LAID, HY_RULE_WF_LAID},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (rows[i].code == code) return rows[i].rule;
  return HY_RULE_WF_SHAPE;
}

void hy_tgt_count_refusals(hy_context *context, const hy_diagnostics *diagnostics, size_t first) {
  for (size_t i = first; i < hy_diagnostics_count(diagnostics); i++)
    if (hy_diagnostics_at(diagnostics, i)->severity == HY_SEVERITY_ERROR)
      hy_context_hit(context, rule_of(hy_diagnostics_at(diagnostics, i)->code));
}

bool hy_tgt_verify(hy_context *context, const hy_tgt *tgt, hy_diagnostics *diagnostics) {
  hy_tgt_check check = {.context = context, .tgt = tgt, .diagnostics = diagnostics};
  size_t before = hy_diagnostics_errors(diagnostics), first = hy_diagnostics_count(diagnostics);
  hy_tgt_check_names(&check);
  check.tgt = hy_tgt_whole(context, tgt); // the rest is said of what the pieces are of
  if (check.tgt != tgt) hy_tgt_check_pieces(&(hy_tgt_check){context, tgt, diagnostics});
  hy_tgt_check_structure(&check);
  if (hy_diagnostics_errors(diagnostics) == before) { // these rely on the others
    hy_tgt_check_dominance(&check);
    hy_tgt_check_relations(&check);
    hy_tgt_check_shapes(&check);
    hy_tgt_check_purity(&check);
    hy_tgt_check_keeping(&check);
  }
  bool fine = hy_diagnostics_errors(diagnostics) == before;
  if (fine) hy_context_hit(context, HY_RULE_WF_PROGRAM); // WF.Program: nothing was refused
  hy_tgt_count_refusals(context, diagnostics, first);
  return fine;
}
