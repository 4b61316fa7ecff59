#include "tgt_interp/interp_internal.h"

#include "semantics/base/vec.h"
#include "semantics/tgt/constraint.h"
#include "tgt_interp/piece_order.h"

#include <string.h>

// Deeper nests than this are refused (HY_RUN_LIMIT) rather than left to exhaust the stack.
enum { DEEPEST = 4096 };

typedef struct binding {
  const hy_var *var;
  int slot;
} binding;

typedef HY_VEC(const hy_expr *) expr_list;
typedef HY_VEC(const hy_var *) var_list;

typedef struct compiler {
  run *r;
  HY_VEC(binding) scope;                  // startup variables first, then the loops and lets around
  HY_VEC(int) paces;                      // of each slot: the innermost loop that changes it has this slot
  HY_VEC(loop_set) sets;                  // of each slot: the loops that its value depends on
  int slots, startup_slots, depth, loops; // loops: how many are around
  node *vector;                           // the vectorized loop around, or NULL
  int varying, if_depth;                  // within it
  HY_VEC(int) varying_slots;
  int if_depth_most;
  bool too_deep;
} compiler;

/* -- variables -- */

static int declare(compiler *c, const hy_var *var, loop_set depends) {
  hy_vec_push(&c->scope, (binding){var, c->slots});
  hy_vec_push(&c->paces, c->slots);
  hy_vec_push(&c->sets, depends);
  return c->slots++;
}

static int slot_of(const compiler *c, const hy_var *var) {
  for (size_t i = c->scope.count; i-- > 0;)
    if (c->scope.data[i].var == var) return c->scope.data[i].slot;
  HY_DIE("a target program mentions variable %u, '%s', outside its scope", var->id, var->name ? var->name : "");
}

static void bind_startup(compiler *c) {
  const hy_alg *alg = c->r->tgt->alg;
  for (int i = 0; i < alg->param_count; i++) declare(c, alg->params[i], 0);
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++) {
      declare(c, alg->images[k]->min[d], 0);
      declare(c, alg->images[k]->len[d], 0);
    }
  for (int d = 0; d < alg->window_rank; d++) {
    declare(c, alg->window_min[d], 0);
    declare(c, alg->window_len[d], 0);
  }
}

/* -- expressions -- */

static void add_once(expr_list *list, const hy_expr *expr) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == expr) return;
  hy_vec_push(list, expr);
}

static void collect_variable(void *self, const hy_expr *node) {
  var_list *vars = self;
  if (node->kind != HY_EXPR_VAR) return;
  for (size_t i = 0; i < vars->count; i++)
    if (vars->data[i] == node->var) return;
  hy_vec_push(vars, node->var);
}

static void collect_access(void *self, const hy_expr *access) { add_once(self, access); }

static bool contains(const expr_list *list, const hy_expr *expr) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == expr) return true;
  return false;
}

static place *place_of(const compiler *c, const hy_func *func) {
  HY_ASSERT(func->index < c->r->place_count && c->r->places[func->index].func == func);
  return &c->r->places[func->index];
}

// Lists the accesses of "exprs", inner ones first. The first "deciding" of the expressions form addresses themselves;
// within the others only what is nested in an index does.
static void collect_sites(compiler *c, code *code, const hy_expr *const *exprs, int count, int deciding,
                          expr_list *outputs) {
  expr_list all = {0}, addresses = {0};
  for (int i = 0; i < count; i++) {
    hy_expr_visit_accesses(exprs[i], collect_access, &all);
    if (i < deciding) hy_expr_visit_accesses(exprs[i], collect_access, &addresses);
  }
  for (size_t i = 0; i < all.count; i++)
    for (int k = 0; k < all.data[i]->count; k++)
      hy_expr_visit_accesses(all.data[i]->args[k], collect_access, &addresses);
  code->sites = HY_NEW_ARRAY(c->r->arena, site, all.count);
  code->site_count = (int)all.count;
  if (all.count) used(c->r, HY_RULE_TGT_READ_ARMS);
  for (size_t i = 0; i < all.count; i++) {
    code->sites[i] = (site){place_of(c, all.data[i]->func), (int)outputs->count, contains(&addresses, all.data[i])};
    for (int k = 0; k < all.data[i]->count; k++) hy_vec_push(outputs, all.data[i]->args[k]);
  }
  hy_vec_free(&all);
  hy_vec_free(&addresses);
}

static hy_value *work_space(run *r, size_t count) { return HY_NEW_ARRAY(r->arena, hy_value, count + 1); }

static bool changes_later(const compiler *c, int a, int b) {
  return c->paces.data[a] != c->paces.data[b] ? c->paces.data[a] > c->paces.data[b] : a > b;
}

// Those that change seldom first.
static void sort_by_pace(const compiler *c, var_list *vars, code *code) {
  int *slots = code->slots;
  for (size_t i = 0; i < vars->count; i++) {
    const hy_var *var = vars->data[i];
    int slot = slot_of(c, var);
    size_t k = i;
    for (; k > 0 && changes_later(c, slots[k - 1], slot); k--)
      slots[k] = slots[k - 1], vars->data[k] = vars->data[k - 1];
    slots[k] = slot;
    vars->data[k] = var;
    code->first_local += slot < c->startup_slots;
    code->depends |= c->sets.data[slot];
  }
}

// TGT.Read-Arms: the coordinates of every access are outputs of their own, so the monitor sees those in arms that lazy
// mode skips: native code evaluates both (decision D56).
static void compile_code(compiler *c, code *code, const hy_expr *const *exprs, int count, int deciding) {
  expr_list outputs = {0};
  var_list vars = {0};
  if (c->r->monitor) collect_sites(c, code, exprs, count, deciding, &outputs);
  code->first = (int)outputs.count;
  for (int i = 0; i < count; i++) hy_vec_push(&outputs, exprs[i]);
  code->outputs = work_space(c->r, outputs.count);
  if (!outputs.count) return; // a box without dimensions
  for (int i = 0; i < count; i++)
    if (exprs[i]->has_access) code->depends |= ANYTHING;
  hy_expr_visit_each(outputs.data, outputs.count, collect_variable, &vars);
  code->slots = HY_NEW_ARRAY(c->r->arena, int, vars.count);
  code->slot_count = (int)vars.count;
  sort_by_pace(c, &vars, code);
  code->tape = hy_tape_compile(outputs.data, outputs.count, vars.data, vars.count, c->r->mode);
  code->room = work_space(c->r, hy_tape_room(code->tape));
  hy_tape_begin(code->tape, code->room);
  hy_vec_free(&outputs);
  hy_vec_free(&vars);
}

static void compile_box(compiler *c, code *code, const hy_interval *box, int rank) {
  const hy_expr *exprs[2 * HY_MAX_RANK];
  for (int d = 0; d < rank; d++) {
    exprs[2 * d] = box[d].min;
    exprs[2 * d + 1] = box[d].len;
  }
  compile_code(c, code, exprs, 2 * rank, 2 * rank);
}

/* -- purity (definition 4.3) -- */

// The statement that binds a variable, outwards from "n".
static const node *binder_of(const node *n, const hy_var *var) {
  for (; n; n = n->parent) {
    if (n->stmt->kind == HY_STMT_FOR && n->stmt->loop.var == var) return n;
    if (n->stmt->kind == HY_STMT_LET && n->stmt->let.var == var) return n;
  }
  return NULL;
}

// A loop says whether it is pure (decision D37); a let is what the loops that it was made from are.
static bool is_pure_variable(const node *n, const hy_var *var) {
  while ((n = binder_of(n, var))) {
    if (n->stmt->kind == HY_STMT_FOR) return n->stmt->loop.is_pure;
    if (!n->stmt->let.origin.relation) return false;
    var = n->stmt->let.origin.sources[0];
    n = n->parent;
  }
  return false;
}

static uint32_t pure_dimensions(const compiler *c, const node *n) {
  const hy_func *func = n->stmt->assign.func;
  const hy_definition *definition = hy_alg_definition(c->r->tgt->alg, func);
  if (definition && n->stmt->assign.stage < definition->stage_count)
    return definition->stages[n->stmt->assign.stage].pure;
  if (n->stmt->assign.stage == 0) // definition 4.3, whatever its loops' marks
    return (1u << func->rank) - 1;
  uint32_t pure = 0;
  for (int d = 0; d < func->rank; d++) {
    const hy_expr *e = n->stmt->assign.lhs[d];
    if (e->kind == HY_EXPR_VAR && e->var->kind == HY_VAR_LOOP && is_pure_variable(n->parent, e->var)) pure |= 1u << d;
  }
  return pure;
}

/* -- coverage: which stages a compute has -- */

static node *compute_around(node *n, const hy_func *func) {
  for (; n; n = n->parent)
    if (n->stmt->kind == HY_STMT_COMPUTE && n->stmt->compute.func == func) return n;
  return NULL;
}

static coverage *stage_of(const node *compute, int stage) {
  for (int i = 0; compute && i < compute->stage_count; i++)
    if (compute->stages[i].stage == stage) return &compute->stages[i];
  return NULL;
}

static int count_assignments(const hy_stmt *stmt, const hy_func *func) {
  if (stmt->kind == HY_STMT_ASSIGN) return stmt->assign.func == func;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room), total = 0;
  for (int i = 0; i < count; i++) total += count_assignments(children[i], func);
  return total;
}

static void collect_stages(node *compute, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSIGN && stmt->assign.func == compute->place->func &&
      !stage_of(compute, stmt->assign.stage))
    compute->stages[compute->stage_count++].stage = stmt->assign.stage;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect_stages(compute, children[i]);
}

static node *loop_around(node *n, const hy_var *var) {
  for (; n && var; n = n->parent)
    if (n->stmt->kind == HY_STMT_FOR && n->stmt->loop.var == var) return n;
  return NULL;
}

static void prepare_coverage(compiler *c, node *n) {
  if (!c->r->monitor) return;
  n->keeper = loop_around(n->parent, n->stmt->compute.keep);
  int most = count_assignments(n->stmt->compute.body, n->place->func);
  n->stages = HY_NEW_ARRAY(c->r->arena, coverage, most);
  collect_stages(n, n->stmt->compute.body);
}

/* -- statements -- */

static node *compile(compiler *c, const hy_stmt *stmt, node *parent);

static void compile_children(compiler *c, node *n) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(n->stmt, &children, room);
  node **items = HY_NEW_ARRAY(c->r->arena, node *, count);
  n->items = items;
  n->count = count;
  for (int i = 0; i < count && !c->too_deep; i++) items[i] = compile(c, children[i], n);
}

// A variable whose value depends on these loops, inside a vectorized one.
static int vary(compiler *c, int slot, loop_set depends) {
  if (!c->vector || !(depends & (c->vector->own | ANYTHING))) return -1;
  hy_vec_push(&c->varying_slots, slot);
  return c->varying++;
}

static void compile_assign(compiler *c, node *n) {
  const hy_func *func = n->stmt->assign.func;
  const hy_expr *exprs[HY_MAX_RANK + HY_MAX_PARTS];
  int parts = hy_func_parts(func);
  for (int d = 0; d < func->rank; d++) exprs[d] = n->stmt->assign.lhs[d];
  for (int p = 0; p < parts; p++) exprs[func->rank + p] = hy_expr_part(n->stmt->assign.rhs, p);
  compile_code(c, &n->code, exprs, func->rank + parts, func->rank);
  n->place = place_of(c, func);
  n->cover = stage_of(compute_around(n, func), n->stmt->assign.stage);
  if (n->cover) n->cover->pure = pure_dimensions(c, n);
}

static void compile_vector(compiler *c, node *n) {
  c->vector = n;
  c->varying = c->if_depth = c->if_depth_most = 0;
  c->varying_slots.count = 0;
  n->varying = vary(c, n->slot, n->own);
  compile_children(c, n);
  n->varying_count = c->varying;
  n->varying_slots = HY_NEW_ARRAY(c->r->arena, int, c->varying);
  memcpy(n->varying_slots, c->varying_slots.data, sizeof(int) * (size_t)c->varying);
  n->depth_count = c->if_depth_most;
  c->vector = NULL;
}

static void compile_piece(compiler *c, node *n) {
  const hy_stmt *around = n->parent ? n->parent->stmt : n->stmt;
  const hy_expr *order = hy_piece_order(c->r->context, around, n->stmt);
  compile_code(c, &n->order, &order, 1, 0);
}

static void compile_for(compiler *c, node *n) {
  const hy_var *var = n->stmt->loop.var;
  compile_box(c, &n->code, &n->stmt->loop.interval, 1);
  if (n->stmt->loop.piece) compile_piece(c, n);
  if (!n->stmt->loop.is_pure) n->cover = stage_of(compute_around(n, var->func), var->stage);
  n->own = c->loops < 62 ? UINT64_C(1) << c->loops : DEEP_LOOPS;
  n->slot = declare(c, var, n->own);
  n->varying = -1; // all lanes of a vectorized loop around run this one together
  c->loops++;
  if (n->stmt->loop.traversal == HY_VECTORIZED && !c->vector)
    compile_vector(c, n);
  else
    compile_children(c, n);
  c->loops--;
  c->scope.count--;
}

typedef struct {
  const compiler *c;
  int pace;
} pace_search;

static void see_variable(void *self, const hy_expr *node) {
  pace_search *s = self;
  if (node->kind != HY_EXPR_VAR) return;
  int pace = s->c->paces.data[slot_of(s->c, node->var)];
  if (pace > s->pace) s->pace = pace;
}

// How often a value changes: as often as a variable of it; -1: whenever it is evaluated, for all we know.
static int pace_of(const compiler *c, const hy_expr *value) {
  pace_search s = {c, 0};
  if (value->has_access) return -1;
  hy_expr_visit(value, see_variable, &s);
  return s.pace;
}

// Loops that run may stand in the place of a reduction loop that does not, behind a guard: its let tells that from the
// length that the loop had (TGT.Mon-Cover, "skipped").
static void compile_let(compiler *c, node *n) {
  const hy_var *var = n->stmt->let.var;
  const hy_expr *exprs[] = {n->stmt->let.value, n->stmt->let.origin.range.len};
  const hy_relation *relation = n->stmt->let.origin.relation;
  bool told = relation;
  bool watched = told && !is_pure_variable(n, var);
  if (watched) n->cover = stage_of(compute_around(n, var->func), var->stage);
  compile_code(c, &n->code, exprs, n->cover ? 2 : 1, 1);
  int pace = pace_of(c, n->stmt->let.value);
  n->slot = declare(c, n->stmt->let.var, n->code.depends);
  if (pace >= 0) c->paces.data[n->slot] = pace;
  n->varying = vary(c, n->slot, n->code.depends);
  compile_children(c, n);
  c->scope.count--;
}

static void compile_if(compiler *c, node *n) {
  int deciding = n->stmt->branch.why == HY_IF_USER ? 0 : 1;
  compile_code(c, &n->code, &n->stmt->branch.condition, 1, deciding);
  n->depth = c->if_depth++;
  if (c->if_depth > c->if_depth_most) c->if_depth_most = c->if_depth;
  compile_children(c, n);
  c->if_depth--;
}

// The condition; and, to tell why a need is not met, the ends of the boxes that it compares.
static void compile_assume(compiler *c, node *n) {
  const hy_expr *condition = n->stmt->assume.condition;
  hy_need_ends ends;
  n->tells_need = n->stmt->assume.why == HY_ASSUME_NEED && hy_need_ends_of(condition, &ends);
  const hy_expr *exprs[] = {condition, n->tells_need ? ends.given_min : NULL, n->tells_need ? ends.needed_min : NULL,
                            n->tells_need ? ends.needed_end : NULL, n->tells_need ? ends.given_end : NULL};
  compile_code(c, &n->code, exprs, n->tells_need ? 5 : 1, 1);
}

static node *compile(compiler *c, const hy_stmt *stmt, node *parent) {
  while (stmt->kind == HY_STMT_LABEL) stmt = stmt->label.body;
  node *n = HY_NEW(c->r->arena, node);
  n->stmt = stmt;
  n->kind = stmt->kind;
  n->parent = parent;
  if (++c->depth > DEEPEST) c->too_deep = true;
  if (c->too_deep) return n;
  switch (stmt->kind) {
  case HY_STMT_NOP: break;
  case HY_STMT_ASSUME: compile_assume(c, n); break;
  case HY_STMT_SEQ:
  case HY_STMT_LABEL: compile_children(c, n); break;
  case HY_STMT_ALLOCATE:
    n->place = place_of(c, stmt->allocate.func);
    n->memories = HY_NEW_ARRAY(c->r->arena, memory, hy_func_parts(stmt->allocate.func));
    compile_box(c, &n->code, stmt->allocate.box, stmt->allocate.func->rank);
    break;
  case HY_STMT_ASSIGN: compile_assign(c, n); break;
  case HY_STMT_IF: compile_if(c, n); break;
  case HY_STMT_FOR: compile_for(c, n); break;
  case HY_STMT_LET: compile_let(c, n); break;
  case HY_STMT_COMPUTE:
    n->place = place_of(c, stmt->compute.func);
    compile_box(c, &n->code, stmt->compute.box, stmt->compute.func->rank);
    prepare_coverage(c, n);
    compile_children(c, n);
    break;
  }
  c->depth--;
  return n;
}

/* -- programs -- */

static void make_places(run *r) {
  const hy_tgt *tgt = r->tgt;
  size_t count = hy_tgt_symbols(tgt);
  r->place_count = count;
  r->places = HY_NEW_ARRAY(r->arena, place, count);
  r->images = HY_NEW_ARRAY(r->arena, memory, tgt->alg->image_count);
  for (int k = 0; k < tgt->alg->image_count; k++) {
    place *p = &r->places[tgt->alg->images[k]->index];
    p->func = tgt->alg->images[k];
  }
  for (int k = 0; k < tgt->func_count; k++) r->places[tgt->funcs[k]->index].func = tgt->funcs[k];
  for (int k = 0; k < tgt->alg->output_count; k++)
    r->places[tgt->alg->outputs[k].func->index].func = tgt->alg->outputs[k].func;
}

static void set_startup(run *r) {
  const hy_alg *alg = r->tgt->alg;
  int slot = 0;
  for (int i = 0; i < alg->param_count; i++) bind(r, slot++, r->input->params[i]);
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++) {
      bind(r, slot++, hy_value_int(r->input->images[k]->min[d]));
      bind(r, slot++, hy_value_int(r->input->images[k]->len[d]));
    }
  for (int d = 0; d < alg->window_rank; d++) {
    bind(r, slot++, hy_value_int(r->input->window_min[d]));
    bind(r, slot++, hy_value_int(r->input->window_len[d]));
  }
}

void hy_tgt_compile_program(run *r) {
  compiler c = {.r = r};
  r->arena = hy_arena_new();
  r->rules = 0;
  make_places(r);
  bind_startup(&c);
  c.startup_slots = c.slots;
  r->entry = HY_NEW_ARRAY(r->arena, node *, r->tgt->entry_count);
  for (int i = 0; i < r->tgt->entry_count; i++) r->entry[i] = compile(&c, r->tgt->entry[i], NULL);
  r->root = compile(&c, r->tgt->body, NULL);
  r->env = work_space(r, (size_t)c.slots);
  r->changed = HY_NEW_ARRAY(r->arena, uint64_t, (size_t)c.slots + 1);
  r->is_too_deep = c.too_deep;
  r->compiled_rules = r->rules;
  hy_vec_free(&c.scope);
  hy_vec_free(&c.paces);
  hy_vec_free(&c.sets);
  hy_vec_free(&c.varying_slots);
}

// What a run that stopped has left behind. Memory is kept.
static void begin_node(node *n) {
  n->is_live = false;
  for (int i = 0; i < n->stage_count; i++) n->stages[i].need = n->stages[i].have = 0, n->stages[i].excused = false;
  for (int i = 0; i < n->count; i++) begin_node(n->items[i]);
}

static void give_back(node *n) {
  for (int p = 0; n->memories && p < hy_func_parts(n->place->func); p++) hy_memory_free(&n->memories[p]);
  for (int i = 0; i < n->stage_count; i++)
    hy_free(n->stages[i].bits), n->stages[i].bits = NULL, n->stages[i].capacity = 0;
  for (int i = 0; i < n->count; i++) give_back(n->items[i]);
}

void hy_tgt_begin_program(run *r) {
  enum { KEPT = 1 << 20 }; // of the runs before: less than matters for the limit of this one
  r->rules = r->compiled_rules;
  if (r->held > KEPT) give_back(r->root), r->held = 0;
  for (size_t i = 0; i < r->place_count; i++) r->places[i].memory = NULL, r->places[i].computed = false;
  for (int k = 0; k < r->tgt->alg->image_count; k++) {
    hy_memory_view(&r->images[k], r->input->images[k]);
    r->places[r->tgt->alg->images[k]->index].memory = &r->images[k];
  }
  begin_node(r->root);
  set_startup(r);
  r->started = r->ticks++;
}

static void free_node(node *n) {
  if (!n) return;
  hy_tape_free(n->code.tape);
  hy_tape_free(n->order.tape);
  for (int p = 0; n->memories && p < hy_func_parts(n->place->func); p++) hy_memory_free(&n->memories[p]);
  for (int i = 0; i < n->stage_count; i++) hy_free(n->stages[i].bits);
  for (int i = 0; i < n->count; i++) free_node(n->items[i]);
}

void hy_tgt_free_program(run *r) {
  for (int i = 0; r->arena && i < r->tgt->entry_count; i++) free_node(r->entry[i]);
  if (r->arena) free_node(r->root);
  hy_arena_free(r->arena);
}
