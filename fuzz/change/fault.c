#include "fuzz/change/fault.h"

#include "engines/generator.h"
#include "fuzz/change/rebuild.h"
#include "semantics/base/vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *hy_fault_way_words(hy_fault_way way) {
  static const char *const words[HY_FAULT_WAYS] = {"", " in pieces", " in numbers"};
  return words[way];
}

bool hy_fault_line(const char *line, uint64_t *seed, hy_fault_way *way) {
  int used = 0;
  if (sscanf(line, "fault %" SCNu64 "%n", seed, &used) != 1) return false;
  for (int k = 0; k < HY_FAULT_WAYS; k++)
    if (strcmp(line + used, hy_fault_way_words((hy_fault_way)k)) == 0) {
      *way = (hy_fault_way)k;
      return true;
    }
  return false;
}

typedef HY_VEC(const hy_stmt *) stmt_list;

typedef struct {
  hy_context *context;
  uint64_t random;
  hy_tgt *tgt;
  stmt_list loops, lets, ifs, assigns, boxes, sequences; // boxes: allocate and compute
  HY_VEC(const hy_var *) vars;                           // of loops and lets
  hy_fault *fault;
} maker;

static uint64_t next(maker *m) { return m->random = hy_splitmix(m->random, 1); }
static size_t below(maker *m, size_t count) { return (size_t)(next(m) % count); }

static void collect(maker *m, const hy_stmt *stmt) {
  switch ((int)stmt->kind) {
  case HY_STMT_FOR:
    hy_vec_push(&m->loops, stmt);
    hy_vec_push(&m->vars, stmt->loop.var);
    break;
  case HY_STMT_LET:
    hy_vec_push(&m->lets, stmt);
    hy_vec_push(&m->vars, stmt->let.var);
    break;
  case HY_STMT_IF: hy_vec_push(&m->ifs, stmt); break;
  case HY_STMT_ASSIGN: hy_vec_push(&m->assigns, stmt); break;
  case HY_STMT_ALLOCATE:
  case HY_STMT_COMPUTE: hy_vec_push(&m->boxes, stmt); break;
  case HY_STMT_SEQ: hy_vec_push(&m->sequences, stmt); break;
  default: break;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect(m, children[i]);
}

static const hy_stmt *pick(maker *m, const stmt_list *list) {
  return list->count ? list->data[below(m, list->count)] : NULL;
}

static const hy_expr *number(maker *m, int64_t n) { return hy_expr_int(m->context, n); }
static const hy_expr *binary(maker *m, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(m->context, op, a, b);
}

static int64_t small(maker *m) {
  static const int64_t steps[] = {1, -1, 1, -1, 2, -2, 3, 7, -7, 100};
  return steps[below(m, HY_COUNT(steps))];
}

static const hy_expr *plus(maker *m, const hy_expr *e, int64_t by) { return binary(m, HY_OP_ADD, e, number(m, by)); }

// Some variable that a hand could have meant: mostly of the same func.
static const hy_var *any_var(maker *m, const hy_func *func) {
  const hy_var *var = NULL;
  for (int try = 0; try < 4 && m->vars.count; try++) {
    var = m->vars.data[below(m, m->vars.count)];
    if (!func || var->func == func) break;
  }
  return var;
}

static void tell(maker *m, const char *what, const hy_var *var) {
  hy_text text = {0};
  hy_text_printf(&text, "%s%s%s", m->fault->what, *m->fault->what ? "; " : "", what);
  if (var) {
    hy_text_add(&text, " of ");
    hy_var_print(var, &text);
  }
  snprintf(m->fault->what, sizeof m->fault->what, "%s", hy_text_string(&text));
  hy_text_free(&text);
}

/* -- what can be wrong with a number -- */

static const hy_expr *exchange_in(maker *m, const hy_expr *e, const hy_var *from, const hy_var *to) {
  hy_binding binding = {from, hy_expr_var(m->context, to)};
  return hy_expr_substitute(m->context, e, &binding, 1);
}

// Another number: a little more or less, other variables, turned, or nothing like it.
static const hy_expr *wrong(maker *m, const hy_expr *e, const hy_func *func) {
  const hy_var *from = any_var(m, func), *to = any_var(m, func);
  switch (below(m, 12)) {
  case 0:
    if (from && to) return exchange_in(m, e, from, to);
    return plus(m, e, small(m));
  case 1: return number(m, (int64_t)below(m, 9) - 2);
  case 2: return binary(m, HY_OP_SUB, number(m, small(m)), e);
  case 3: return binary(m, HY_OP_MUL, e, number(m, 2));
  case 4:
    return e->kind == HY_EXPR_OP && e->count == 2 && e->args[0]->type == HY_INT && e->type == HY_INT
               ? binary(m, HY_OP_SUB, e->args[0], e->args[1])
               : plus(m, e, small(m));
  case 5:
    return e->kind == HY_EXPR_OP && e->count == 2 && e->args[1]->type == HY_INT && e->type == HY_INT
               ? e->args[below(m, 2)]
               : plus(m, e, small(m));
  case 6: return to ? binary(m, HY_OP_ADD, e, hy_expr_var(m->context, to)) : plus(m, e, small(m));
  case 7: return binary(m, HY_OP_MUL, e, number(m, INT64_C(1) << (44 + below(m, 19))));
  default: return plus(m, e, small(m));
  }
}

static hy_interval wrong_interval(maker *m, hy_interval i, const hy_func *func) {
  switch (below(m, 4)) {
  case 0: return (hy_interval){wrong(m, i.min, func), i.len};
  case 1: return (hy_interval){plus(m, i.min, 1), plus(m, i.len, -1)};
  default: return (hy_interval){i.min, wrong(m, i.len, func)};
  }
}

static const hy_expr *wrong_condition(maker *m, const hy_expr *c, const hy_func *func) {
  bool compares = c->kind == HY_EXPR_OP && c->count == 2 && c->args[0]->type == HY_INT && c->type == HY_BOOL;
  switch (below(m, 4)) {
  case 0: return hy_expr_unary(m->context, HY_OP_NOT, c);
  case 1:
    if (compares) return binary(m, HY_OP_LE, c->args[0], c->args[1]);
    return hy_expr_bool(m->context, next(m) & 1);
  default:
    if (compares) return binary(m, c->op, c->args[0], wrong(m, c->args[1], func));
    return hy_expr_bool(m->context, next(m) & 1);
  }
}

/* -- one statement -- */

static void replace(maker *m, const hy_stmt *from, const hy_stmt *to) {
  m->tgt->body = hy_relate_halves(m->context, hy_rebuild(m->context, m->tgt->body, from, to));
}

// A stage that only assigns what it means, wherever and in whatever order: its points stay right.
static bool is_first(const hy_var *var) { return var->stage == 0; }

static bool spoil_loop(maker *m) {
  const hy_stmt *loop = pick(m, &m->loops);
  if (!loop) return false;
  const hy_var *var = loop->loop.var;
  bool pure = loop->loop.is_pure;
  hy_traversal traversal = loop->loop.traversal;
  hy_interval interval = loop->loop.interval;
  size_t how = below(m, 6);
  if (how == 0) pure = !pure, tell(m, "the purity mark", var);
  if (how == 1 || how == 2) traversal = (hy_traversal)below(m, 4), tell(m, "the traversal", var);
  if (how == 3) { // as a vector or unrolled only with a constant extent: so that it gets that far
    traversal = next(m) & 1 ? HY_PARALLEL : HY_VECTORIZED;
    pure = true;
    if (traversal == HY_VECTORIZED) interval.len = number(m, (int64_t)below(m, 9));
    tell(m, "mark and traversal", var);
  }
  if (how > 3) interval = wrong_interval(m, interval, var->func), tell(m, "the interval", var);
  m->fault->keeps_meaning &= is_first(var) || how == 1 || how == 2;
  replace(m, loop, hy_stmt_for(m->context, var, pure, traversal, interval, loop->loop.body));
  return true;
}

// The origin of a split or a half of a fusion, written anew from its parts.
static hy_origin written(const maker *m, const hy_stmt *let, const hy_origin *o, int half, hy_tail tail) {
  const hy_var *lets[2] = {NULL, NULL};
  if (hy_origin_is_blocks(o))
    return hy_origin_split(m->context, tail, let->let.var, o->sources[0], o->sources[1], o->factor, o->range);
  lets[half] = let->let.var; // which the other one is turns out in replace()
  return hy_origin_fuse(m->context, half, lets, o->sources[0], o->factor, o->range);
}

static bool spoil_origin(maker *m, const hy_stmt *let, hy_origin *o) {
  const hy_func *func = let->let.var->func;
  const hy_var *any = any_var(m, func);
  hy_tail tail = o->relation->tail;
  int half = o->number;
  switch (below(m, 9)) {
  case 0: tail = (hy_tail)below(m, 3); break;
  case 1: o->sources[0] = any; break;
  case 2:
    if (!o->sources[1]) return false;
    o->sources[1] = any;
    break;
  case 3: o->factor = wrong(m, o->factor, func); break;
  case 4: o->range = wrong_interval(m, o->range, func); break;
  case 5:
    if (!o->sources[1]) return false;
    any = o->sources[1];
    o->sources[1] = o->sources[0];
    o->sources[0] = any;
    break;
  case 6: *o = (hy_origin){0}; return true;
  case 7:
    if (hy_origin_is_blocks(o)) return false;
    half = 1 - half;
    break;
  default: o->range.len = number(m, (int64_t)below(m, 3)); break;
  }
  *o = written(m, let, o, half, tail);
  return true;
}

// A split, written as a directive from outside the tree would.
static hy_relation *write_given(maker *m, const hy_stmt *let, hy_origin *o) {
  hy_relation *given = HY_NEW(hy_context_arena(m->context), hy_relation);
  const hy_expr *offset = binary(m, HY_OP_SUB, hy_expr_var(m->context, let->let.var), o->range.min);
  *given = *o->relation;
  given->form = HY_BY_GIVEN;
  given->directive = "hand";
  given->inverses[0] = binary(m, HY_OP_DIV, offset, o->factor);
  const hy_expr *block = binary(m, HY_OP_MUL, o->factor, hy_expr_var(m->context, o->sources[0]));
  given->inverses[1] = binary(m, HY_OP_SUB, offset, block);
  o->factor = number(m, 1);
  o->relation = given;
  return given;
}

// With a way back that may be wrong.
static bool give(maker *m, const hy_stmt *let, hy_origin *o) {
  if (!hy_origin_is_blocks(o)) return false;
  hy_relation *given = write_given(m, let, o);
  size_t k = below(m, 2);
  switch (below(m, 5)) {
  case 0: break; // as it is
  case 1: given->loops[k] = given->loops[1 - k]; break;
  case 2: given->lets[0] = any_var(m, let->let.var->func); break;
  default: given->inverses[k] = wrong(m, given->inverses[k], let->let.var->func);
  }
  return true;
}

// A relation that somebody has given, spoilt in one place.
static bool spoil_given(maker *m, const hy_stmt *let, hy_origin *o) {
  hy_relation *given = HY_NEW(hy_context_arena(m->context), hy_relation);
  const hy_func *func = let->let.var->func;
  *given = *o->relation;
  o->relation = given;
  size_t k = below(m, (size_t)given->loop_count);
  switch (below(m, 6)) {
  case 0: given->loops[k] = any_var(m, func); break;
  case 1: {
    size_t place = below(m, (size_t)given->let_count);
    given->lets[place] = any_var(m, func);
    break;
  }
  case 2: o->range = wrong_interval(m, o->range, func); break;
  case 3: given->tail = (hy_tail)below(m, 3); break;
  default: given->inverses[k] = wrong(m, given->inverses[k], func);
  }
  return true;
}

static bool spoil_let(maker *m) {
  const hy_stmt *let = pick(m, &m->lets);
  if (!let) return false;
  hy_origin o = let->let.origin;
  const hy_expr *value = let->let.value;
  size_t how = below(m, 8);
  if (how < 4 && o.relation && !hy_relation_is_given(o.relation)) {
    if (!spoil_origin(m, let, &o)) return false;
    tell(m, "the origin", let->let.var);
  } else if (how < 6) {
    if (hy_relation_is_given(o.relation) ? !spoil_given(m, let, &o) : !give(m, let, &o)) return false;
    tell(m, "a way back", let->let.var);
  } else {
    value = wrong(m, value, let->let.var->func);
    tell(m, "the value", let->let.var);
  }
  m->fault->keeps_meaning &= is_first(let->let.var);
  replace(m, let, hy_stmt_let(m->context, let->let.var, value, o, let->let.body));
  return true;
}

static bool spoil_if(maker *m) {
  const hy_stmt *branch = pick(m, &m->ifs);
  if (!branch) return false;
  const hy_expr *c = branch->branch.condition;
  hy_if_kind why = branch->branch.why;
  m->fault->keeps_meaning = false;
  switch (below(m, 4)) {
  case 0:
    tell(m, "an if is lost", NULL);
    replace(m, branch, branch->branch.then);
    return true;
  case 1:
    if (branch->branch.otherwise || c->has_access) return false;
    why = why == HY_IF_GUARD ? HY_IF_USER : HY_IF_GUARD;
    tell(m, "guard for predicate", NULL);
    break;
  default: c = wrong_condition(m, c, NULL); tell(m, "a condition", NULL);
  }
  replace(m, branch, hy_stmt_if(m->context, why, c, branch->branch.then, branch->branch.otherwise));
  return true;
}

// A guard or predicate where there was none.
static bool add_if(maker *m) {
  const hy_stmt *inside = pick(m, next(m) & 1 ? &m->assigns : &m->loops);
  const hy_var *var =
      inside ? any_var(m, inside->kind == HY_STMT_ASSIGN ? inside->assign.func : inside->loop.var->func) : NULL;
  if (!var) return false;
  const hy_expr *v = hy_expr_var(m->context, var), *c = binary(m, HY_OP_NE, v, number(m, (int64_t)below(m, 5)));
  if (next(m) & 1) c = binary(m, HY_OP_GE, v, number(m, -100));
  m->fault->keeps_meaning = false;
  tell(m, "an if is added", NULL);
  replace(m, inside, hy_stmt_if(m->context, next(m) & 1 ? HY_IF_GUARD : HY_IF_USER, c, inside, NULL));
  return true;
}

static bool spoil_box(maker *m) {
  const hy_stmt *stmt = pick(m, &m->boxes);
  if (!stmt) return false;
  bool allocates = stmt->kind == HY_STMT_ALLOCATE;
  const hy_func *func = allocates ? stmt->allocate.func : stmt->compute.func;
  if (!func->rank) return false;
  hy_interval box[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) box[d] = allocates ? stmt->allocate.box[d] : stmt->compute.box[d];
  size_t d = below(m, (size_t)func->rank);
  box[d] = wrong_interval(m, box[d], NULL);
  tell(m, allocates ? "an allocation" : "a computed box", NULL);
  replace(m, stmt,
          allocates ? hy_stmt_allocate_as(m->context, func, box, stmt->allocate.plan)
                    : hy_stmt_compute_keeping(m->context, func, box, stmt->compute.keep, stmt->compute.body));
  return true;
}

// A storage plan, whose folds B has to judge; where it accepts them, the output stays what it was, natively too.
static bool spoil_plan(maker *m) {
  const hy_stmt *stmt = pick(m, &m->boxes);
  if (!stmt || stmt->kind != HY_STMT_ALLOCATE || hy_alg_output(m->tgt->alg, stmt->allocate.func)) return false;
  int rank = stmt->allocate.func->rank;
  hy_plan plan = hy_plan_plain();
  for (int i = rank - 1; i > 0; i--) {
    int k = (int)below(m, (size_t)i + 1), other = plan.order[i];
    plan.order[i] = plan.order[k];
    plan.order[k] = other;
  }
  for (int d = 0; d < rank; d++) {
    if (next(m) % 3 == 0) plan.align[d] = 1 + (int64_t)below(m, 9);
    if (next(m) % 2 == 0) plan.fold[d] = 1 + (int64_t)below(m, next(m) % 2 ? 4 : 40);
  }
  plan.store = (hy_store_place)below(m, HY_STORES);
  tell(m, "a storage plan", NULL);
  m->fault->is_gap = true;
  replace(m, stmt, hy_stmt_allocate_as(m->context, stmt->allocate.func, stmt->allocate.box, &plan));
  return true;
}

/* -- what is kept (D85) -- */

// Does each execution of the one execute the other once?
static bool runs_straight(const hy_stmt *stmt, const hy_stmt *what) {
  if (stmt == what) return true;
  if (stmt->kind == HY_STMT_LABEL) return runs_straight(stmt->label.body, what);
  for (int i = 0; stmt->kind == HY_STMT_SEQ && i < stmt->seq.count; i++)
    if (runs_straight(stmt->seq.items[i], what)) return true;
  return false;
}

// A computation inside of a loop, and that loop. False: none was found.
static bool pick_kept(maker *m, const hy_stmt **compute, const hy_stmt **around) {
  for (int try = 0; try < 6; try++) {
    *compute = pick(m, &m->boxes);
    for (size_t i = 0; *compute && (*compute)->kind == HY_STMT_COMPUTE && i < m->loops.count; i++)
      if (runs_straight(m->loops.data[i]->loop.body, *compute)) {
        *around = m->loops.data[i];
        return true;
      }
  }
  return false;
}

static const hy_expr *choose(maker *m, const hy_expr *condition, const hy_expr *a, const hy_expr *b) {
  return hy_expr_op(m->context, HY_OP_SELECT, HY_INT, (const hy_expr *[]){condition, a, b});
}

// What a loop of the iteration before has not run over: above it, below it, or nothing. Now and then an end is moved.
static hy_interval not_kept(maker *m, hy_interval now, const hy_var *var) {
  hy_binding one_less = {var, plus(m, hy_expr_var(m->context, var), -1)};
  const hy_expr *min = hy_expr_substitute(m->context, now.min, &one_less, 1);
  const hy_expr *end = binary(m, HY_OP_ADD, now.min, now.len);
  const hy_expr *last = hy_expr_substitute(m->context, end, &one_less, 1);
  size_t how = below(m, 8);
  if (how == 0) return (hy_interval){now.min, number(m, 0)};
  const hy_expr *from = how < 5 ? binary(m, HY_OP_MAX, now.min, last) : now.min;
  const hy_expr *to = how < 5 ? end : binary(m, HY_OP_MIN, end, min);
  if (next(m) % 4 == 0) from = plus(m, from, small(m));
  if (next(m) % 4 == 0) to = plus(m, to, small(m));
  const hy_expr *zero = number(m, 0);
  return (hy_interval){from, binary(m, HY_OP_MAX, binary(m, HY_OP_SUB, to, from), zero)};
}

// In the first iteration of the loop around all is computed, or what somebody took for the first.
static const hy_expr *is_first_iteration(maker *m, const hy_stmt *around) {
  const hy_expr *v = hy_expr_var(m->context, around->loop.var), *min = around->loop.interval.min;
  if (next(m) % 5 == 0) min = wrong(m, min, around->loop.var->func);
  return binary(m, next(m) % 8 ? HY_OP_LE : HY_OP_EQ, v, min);
}

// compute f on B { .. for x in I .. }  ->  compute f on B keeping v { .. for x in (v <= m ? I : what is new of I) .. }
static bool spoil_keep(maker *m) {
  const hy_stmt *compute, *around, *body, *loop = NULL;
  if (!pick_kept(m, &compute, &around)) return false;
  for (int try = 0; try < 6 && !loop; try++) {
    loop = pick(m, &m->loops);
    if (loop->loop.var->func != compute->compute.func || loop->loop.var->stage) loop = NULL;
  }
  body = compute->compute.body;
  if (loop && next(m) % 8) {
    hy_interval whole = loop->loop.interval, rest = not_kept(m, whole, around->loop.var);
    const hy_expr *first = is_first_iteration(m, around);
    hy_interval interval = {choose(m, first, whole.min, rest.min), choose(m, first, whole.len, rest.len)};
    if (next(m) % 5 == 0) interval = rest;
    body = hy_rebuild(
        m->context, body, loop,
        hy_stmt_for(m->context, loop->loop.var, loop->loop.is_pure, loop->loop.traversal, interval, loop->loop.body));
  }
  m->fault->is_gap |= next(m) % 4 == 0;
  tell(m, "what is kept", around->loop.var);
  replace(m, compute,
          hy_stmt_compute_keeping(m->context, compute->compute.func, compute->compute.box, around->loop.var, body));
  return true;
}

static const hy_expr *shift_access(void *self, const hy_expr *node) {
  maker *m = self;
  const hy_expr *args[HY_MAX_RANK];
  if (node->kind != HY_EXPR_ACCESS || !node->count || next(m) & 1) return node;
  for (int i = 0; i < node->count; i++) args[i] = node->args[i];
  size_t d = below(m, (size_t)node->count);
  args[d] = plus(m, args[d], small(m));
  return hy_expr_access_part(m->context, node->func, node->part, args);
}

static bool spoil_assign(maker *m) {
  const hy_stmt *assign = pick(m, &m->assigns);
  const hy_func *func = assign->assign.func;
  const hy_expr *lhs[HY_MAX_RANK], *rhs = assign->assign.rhs;
  for (int d = 0; d < func->rank; d++) lhs[d] = assign->assign.lhs[d];
  m->fault->keeps_meaning = false;
  if (func->rank && next(m) & 1) {
    size_t d = below(m, (size_t)func->rank), e = below(m, (size_t)func->rank);
    const hy_expr *other = lhs[e];
    if (d == e) other = wrong(m, lhs[d], func);
    lhs[e] = lhs[d];
    lhs[d] = other;
    tell(m, "a coordinate", NULL);
  } else {
    rhs = hy_expr_map(m->context, rhs, shift_access, m);
    tell(m, "what is read", NULL);
  }
  replace(m, assign, hy_stmt_assign(m->context, func, assign->assign.spec, assign->assign.stage, lhs, rhs));
  return true;
}

// Two loops directly inside each other change places; two neighbours of a sequence do.
static bool reorder(maker *m) {
  const hy_stmt *loop = pick(m, &m->loops), *seq = pick(m, &m->sequences);
  m->fault->keeps_meaning = false;
  if (loop && next(m) & 1) {
    const hy_stmt *in = loop->loop.body;
    if (in->kind != HY_STMT_FOR) return false;
    const hy_stmt *inner = hy_stmt_for(m->context, loop->loop.var, loop->loop.is_pure, loop->loop.traversal,
                                       loop->loop.interval, in->loop.body);
    tell(m, "the place", loop->loop.var);
    replace(m, loop,
            hy_stmt_for(m->context, in->loop.var, in->loop.is_pure, in->loop.traversal, in->loop.interval, inner));
    return true;
  }
  if (!seq || seq->seq.count > 64) return false;
  const hy_stmt *items[64];
  int count = seq->seq.count;
  for (int i = 0; i < count; i++) items[i] = seq->seq.items[i];
  size_t k = below(m, (size_t)count), other = below(m, (size_t)count);
  items[k] = seq->seq.items[other];
  if (next(m) % 3) items[other] = seq->seq.items[k]; // else one stands twice and one is lost
  tell(m, "the order of statements", NULL);
  replace(m, seq, hy_stmt_seq(m->context, items, count));
  return true;
}

static const hy_expr *wider(void *self, const hy_expr *node) {
  maker *m = self;
  int64_t n;
  if (!hy_expr_is_int(node, &n) || (n != INT64_C(1) << 31 && n != -(INT64_C(1) << 31))) return node;
  return number(m, n > 0 ? INT64_C(1) << 62 : -(INT64_C(1) << 62));
}

static bool spoil_entry(maker *m) {
  if (!m->tgt->entry_count) return false;
  size_t at = below(m, (size_t)m->tgt->entry_count);
  const hy_stmt **entry = HY_NEW_ARRAY(hy_context_arena(m->context), const hy_stmt *, m->tgt->entry_count);
  int count = 0;
  bool lost = next(m) & 1;
  for (int i = 0; i < m->tgt->entry_count; i++) {
    const hy_stmt *s = m->tgt->entry[i];
    if ((size_t)i != at)
      entry[count++] = s;
    else if (!lost)
      entry[count++] = hy_stmt_map_exprs(m->context, s, wider, m);
  }
  tell(m, lost ? "an assumption is lost" : "an assumption is wider", NULL);
  m->tgt->entry = entry;
  m->tgt->entry_count = count;
  return true;
}

static bool exchange_variables(maker *m) {
  const hy_var *from = any_var(m, NULL), *to = from ? any_var(m, from->func) : NULL;
  const hy_stmt *loop = pick(m, &m->loops);
  if (!to || !loop || from == to) return false;
  m->fault->keeps_meaning = false;
  hy_interval i = loop->loop.interval;
  i = (hy_interval){exchange_in(m, i.min, from, to), exchange_in(m, i.len, from, to)};
  tell(m, "variables exchanged", from);
  replace(m, loop,
          hy_stmt_for(m->context, loop->loop.var, loop->loop.is_pure, loop->loop.traversal, i, loop->loop.body));
  return true;
}

/* -- the same in Z, and not on the machine -- */

static int64_t large(maker *m) {
  static const int64_t numbers[] = {INT64_C(1) << 62, INT64_MAX, INT64_C(3037000500), INT64_C(1) << 61};
  return numbers[below(m, HY_COUNT(numbers))];
}

// e + 1000 where int(u) is what no u64 converts to but one that saturates.
static const hy_expr *add_saturated(maker *m, const hy_expr *e, const hy_expr *u) {
  const hy_expr *limit = hy_expr_const(m->context, hy_value_integral(HY_U64, INT64_MAX)), *choice[3];
  const hy_expr *greatest = number(m, INT64_MAX);
  choice[0] = binary(m, HY_OP_EQ, hy_expr_cast(m->context, HY_INT, u), greatest);
  choice[1] = number(m, 1000), choice[2] = number(m, 0);
  const hy_expr *inner = hy_expr_op(m->context, HY_OP_SELECT, HY_INT, choice);
  choice[0] = binary(m, HY_OP_GT, u, limit);
  choice[1] = inner;
  return binary(m, HY_OP_ADD, e, hy_expr_op(m->context, HY_OP_SELECT, HY_INT, choice));
}

// rewrite: e -> e*K/K
static const hy_expr *disguise(maker *m, const hy_expr *e) {
  const hy_expr *k = number(m, large(m)), *u = NULL;
  for (int i = 0; i < m->tgt->alg->param_count; i++)
    if (m->tgt->alg->params[i]->type == HY_U64) u = hy_expr_var(m->context, m->tgt->alg->params[i]);
  if (u && next(m) & 1) return add_saturated(m, e, u);
  return binary(m, HY_OP_DIV, binary(m, HY_OP_MUL, e, k), k);
}

static const hy_expr *disguise_access(void *self, const hy_expr *node) {
  maker *m = self;
  const hy_expr *args[HY_MAX_RANK];
  if (node->kind != HY_EXPR_ACCESS || !node->count || next(m) % 3 == 0) return node;
  for (int i = 0; i < node->count; i++) args[i] = node->args[i];
  size_t d = below(m, (size_t)node->count);
  args[d] = disguise(m, args[d]);
  return hy_expr_access_part(m->context, node->func, node->part, args);
}

// rewrite: a < b -> a*K < b*K
static const hy_expr *disguise_compare(void *self, const hy_expr *node) {
  maker *m = self;
  bool compares =
      node->kind == HY_EXPR_OP && node->count == 2 && node->type == HY_BOOL && node->args[0]->type == HY_INT;
  if (!compares || next(m) % 3 == 0) return node;
  const hy_expr *k = number(m, large(m)), *right = binary(m, HY_OP_MUL, node->args[1], k);
  return binary(m, node->op, binary(m, HY_OP_MUL, node->args[0], k), right);
}

// if (p && q) -> if (q) if (p): what p kept from being evaluated now comes first.
static bool turn_predicate(maker *m, const hy_stmt *branch) {
  const hy_expr *c = branch->branch.condition;
  if (branch->branch.why != HY_IF_USER || c->kind != HY_EXPR_OP || c->op != HY_OP_AND || branch->branch.otherwise)
    return false;
  const hy_stmt *inner = hy_stmt_if(m->context, HY_IF_USER, c->args[0], branch->branch.then, NULL);
  tell(m, "a predicate in turned parts", NULL);
  replace(m, branch, hy_stmt_if(m->context, HY_IF_USER, c->args[1], inner, NULL));
  return true;
}

static bool disguise_if(maker *m, const hy_stmt *branch) {
  if (next(m) % 3 == 0 && turn_predicate(m, branch)) return true;
  const hy_expr *c = hy_expr_map(m->context, branch->branch.condition, disguise_compare, m);
  tell(m, "a condition that is another one on the machine", NULL);
  replace(m, branch, hy_stmt_if(m->context, branch->branch.why, c, branch->branch.then, branch->branch.otherwise));
  return c != branch->branch.condition;
}

typedef struct {
  const hy_var *var;
  const hy_expr *found; // an access that speaks of it
} access_search;

static const hy_expr *see_access(void *self, const hy_expr *node) {
  access_search *search = self;
  if (node->kind == HY_EXPR_ACCESS && hy_expr_mentions(node, search->var)) search->found = node;
  return node;
}

static const hy_stmt *only_assign(const hy_stmt *stmt) {
  while (stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET)
    stmt = stmt->kind == HY_STMT_FOR ? stmt->loop.body : stmt->let.body;
  return stmt->kind == HY_STMT_ASSIGN ? stmt : NULL;
}

// rewrite: for rdom r in (m, n) do s -> for rdom r in (m, n + 2) do if (r < m + n) s,  with a*K < b*K for a < b, or
// with an access at r in a predicate of its own around that one: what is beyond the end is kept out in Z only, or too
// late.
static bool mask_a_reduction(maker *m) {
  const hy_stmt *loop = pick(m, &m->loops), *assign = loop ? only_assign(loop) : NULL;
  if (!assign || loop->loop.is_pure || loop->loop.var->stage == 0) return false;
  const hy_expr *v = hy_expr_var(m->context, loop->loop.var), *k = number(m, next(m) % 4 ? large(m) : 1);
  const hy_interval range = loop->loop.interval;
  const hy_expr *end = binary(m, HY_OP_ADD, range.min, range.len), *limit = binary(m, HY_OP_MUL, end, k);
  const hy_expr *c = binary(m, HY_OP_LT, binary(m, HY_OP_MUL, v, k), limit);
  access_search search = {loop->loop.var, NULL};
  hy_expr_map(m->context, assign->assign.rhs, see_access, &search);
  if (search.found && next(m) & 1) c = binary(m, HY_OP_LT, v, end);
  const hy_stmt *body = hy_stmt_if(m->context, HY_IF_USER, c, assign, NULL);
  if (search.found && c->args[0] == v) {
    // what is stored in 16 bits is not compared
    bool stored = hy_type_is_storage(search.found->type);
    const hy_expr *read = stored ? hy_expr_cast(m->context, HY_F32, search.found) : search.found;
    const hy_expr *zero = hy_expr_const(m->context, hy_value_zero(read->type));
    body = hy_stmt_if(m->context, HY_IF_USER, binary(m, HY_OP_NE, read, zero), body, NULL);
  }
  tell(m, "the length", loop->loop.var), tell(m, "a predicate behind it", NULL);
  replace(m, assign, body);
  loop = NULL;
  m->loops.count = 0;
  collect(m, m->tgt->body);
  for (size_t i = 0; i < m->loops.count; i++)
    if (m->loops.data[i]->loop.var == v->var) loop = m->loops.data[i];
  if (!loop) return true;
  hy_interval longer = {range.min, plus(m, range.len, 2)};
  replace(m, loop, hy_stmt_for(m->context, v->var, false, loop->loop.traversal, longer, loop->loop.body));
  return true;
}

static bool spoil_for_the_machine(maker *m) {
  for (int try = 0; try < 3 && next(m) % 3; try++)
    if (mask_a_reduction(m)) {
      m->fault->keeps_meaning = false;
      return true;
    }
  const hy_stmt *branch = pick(m, &m->ifs), *assign = pick(m, &m->assigns);
  m->fault->keeps_meaning = false;
  m->fault->is_gap = true;
  if (branch && next(m) % 3) return disguise_if(m, branch);
  const hy_func *func = assign->assign.func;
  const hy_expr *lhs[HY_MAX_RANK], *rhs = assign->assign.rhs;
  for (int d = 0; d < func->rank; d++) lhs[d] = assign->assign.lhs[d];
  if (func->rank && next(m) % 4 == 0) {
    size_t d = below(m, (size_t)func->rank);
    lhs[d] = disguise(m, lhs[d]);
  } else {
    rhs = hy_expr_map(m->context, rhs, disguise_access, m);
  }
  tell(m, "an index that is another one on the machine", NULL);
  replace(m, assign, hy_stmt_assign(m->context, func, assign->assign.spec, assign->assign.stage, lhs, rhs));
  return true;
}

/* -- the whole -- */

static bool spoil(maker *m) {
  switch (below(m, 24)) { // seeds of cases that are kept depend on it
  case 0:
  case 1:
  case 2:
  case 3:
  case 4: return spoil_loop(m);
  case 5:
  case 6:
  case 7:
  case 8: return spoil_let(m);
  case 9: return spoil_plan(m);
  case 10:
  case 11: return spoil_if(m);
  case 12: return add_if(m);
  case 13:
  case 14: return spoil_box(m);
  case 15: return spoil_assign(m);
  case 16: return reorder(m);
  case 17:
  case 18: return spoil_entry(m);
  case 19:
  case 20:
  case 21: return spoil_for_the_machine(m);
  case 22: return spoil_keep(m) || spoil_plan(m);
  default: return exchange_variables(m);
  }
}

static void forget(maker *m) {
  hy_vec_free(&m->loops);
  hy_vec_free(&m->lets);
  hy_vec_free(&m->ifs);
  hy_vec_free(&m->assigns);
  hy_vec_free(&m->boxes);
  hy_vec_free(&m->sequences);
  hy_vec_free(&m->vars);
}

static bool spoil_once(maker *m) {
  bool done = false;
  collect(m, m->tgt->body);
  for (int try = 0; try < 6 && !done && m->assigns.count; try++) done = spoil(m);
  forget(m);
  return done;
}

// One guarded or rounded split after the other; with a shifted tail an iteration has no one way back.
static bool give_all(maker *m) {
  bool any = false;
  for (int try = 0; try < 6; try++) {
    collect(m, m->tgt->body);
    const hy_stmt *let = pick(m, &m->lets);
    hy_origin o = let ? let->let.origin : (hy_origin){0};
    if (let && hy_origin_is_blocks(&o) && o.relation->tail != HY_TAIL_SHIFT) {
      write_given(m, let, &o);
      replace(m, let, hy_stmt_let(m->context, let->let.var, let->let.value, o, let->let.body));
      any = true;
    }
    forget(m);
  }
  return any;
}

// for xi in (m, n) { let x = v by given .. xi = e .. } -> for xi in (m + c*xo, n) { let x = v[xi - c*xo] .. xi = e + c*xo .. }
// A shape that directives do not make: what codegen's rules say of loops that begin at others is asked here alone.
static const hy_stmt *loop_of(const maker *m, const hy_var *var) {
  const hy_stmt *loop = NULL;
  for (size_t i = 0; i < m->loops.count; i++)
    if (m->loops.data[i]->loop.var == var) loop = m->loops.data[i];
  return loop;
}

static bool skew_let(maker *m, const hy_stmt *let, const hy_var **inner, const hy_expr **by) {
  const hy_origin *o = &let->let.origin;
  if (!hy_relation_is_given(o->relation) || o->relation->loop_count != 2 || !loop_of(m, o->sources[1])) return false;
  hy_relation *given = HY_NEW(hy_context_arena(m->context), hy_relation);
  *given = *o->relation;
  const hy_expr *factor = number(m, 1 + (int64_t)below(m, 3)), *outer = hy_expr_var(m->context, o->sources[0]);
  *inner = o->sources[1];
  *by = binary(m, HY_OP_MUL, factor, outer);
  given->inverses[1] = binary(m, HY_OP_ADD, given->inverses[1], binary(m, HY_OP_MUL, factor, given->inverses[0]));
  hy_binding back = {*inner, binary(m, HY_OP_SUB, hy_expr_var(m->context, *inner), *by)};
  hy_origin origin = *o;
  origin.relation = given;
  const hy_expr *value = hy_expr_substitute(m->context, let->let.value, &back, 1);
  replace(m, let, hy_stmt_let(m->context, let->let.var, value, origin, let->let.body));
  return true;
}

static void skew_loop(maker *m, const hy_stmt *loop, const hy_expr *by) {
  int64_t len;
  hy_interval interval = {binary(m, HY_OP_ADD, loop->loop.interval.min, by), loop->loop.interval.len};
  bool unrolls = hy_expr_is_int(interval.len, &len) && len <= 16 && next(m) & 1;
  hy_traversal traversal = unrolls ? HY_UNROLLED : loop->loop.traversal;
  replace(m, loop, hy_stmt_for(m->context, loop->loop.var, loop->loop.is_pure, traversal, interval, loop->loop.body));
}

static bool skew(maker *m) {
  const hy_var *inner = NULL;
  const hy_expr *by = NULL;
  collect(m, m->tgt->body);
  const hy_stmt *let = pick(m, &m->lets);
  bool done = let && skew_let(m, let, &inner, &by);
  forget(m);
  if (!done) return false;
  collect(m, m->tgt->body);
  skew_loop(m, loop_of(m, inner), by);
  forget(m);
  return true;
}

const hy_tgt *hy_fault_make(hy_context *context, const hy_tgt *filled, uint64_t seed, hy_fault *fault) {
  hy_tgt *tgt = HY_NEW(hy_context_arena(context), hy_tgt);
  *tgt = *filled;
  *fault = (hy_fault){.keeps_meaning = true};
  maker m = {.context = context, .random = hy_splitmix(seed, 77), .tgt = tgt, .fault = fault};
  fault->is_given = next(&m) % 3 == 0 && give_all(&m);
  fault->is_none = fault->is_given && next(&m) % 6 == 0;
  if (fault->is_none) tell(&m, "none, by given", NULL);
  for (int try = 0; try < 4 && fault->is_none && !fault->is_skewed; try++) fault->is_skewed = skew(&m);
  if (fault->is_skewed) tell(&m, "a loop begins at another", NULL);
  if (fault->is_none) return tgt;
  bool done = spoil_once(&m);
  if (next(&m) % 4 == 0) done |= spoil_once(&m); // one fault that hides another
  return done ? tgt : NULL;
}
