/* A filled program with one of its bounds altered (alter.h). How depends on the place:
 *
 *   cpu, for             the holes are filled again with the boxes of the filled program, one interval of them changed
 *   wide                 the same of a Cpu; its Mem, the boxes of all funcs before it and what is asked of images grow
 *   allocate, compute,   one box, range or guard is changed where it stands
 *   loop, guard
 *   image                one entry check is changed
 *
 * Where holes are filled again, what checks the need of a func (D43), and what the oracle assumes of lengths
 * (ORA.Length), stays as it was filled.
 */

#include "fuzz/change/alter_internal.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE_BY = 4 }; // at both ends of whatever a wider Cpu reads

typedef struct {
  hy_context *context;
  const hy_tgt *scheduled, *filled;
  const hy_alter_place *place;
  hy_alteration change;
  const hy_interval **cpu, **mem; // by func->index: what the oracle filled in
  bool done;                      // the place was met, and the change applies
} alterer;

static const hy_expr *plus(alterer *a, const hy_expr *expr, int64_t by) {
  return hy_index_add(a->context, expr, hy_expr_int(a->context, by));
}

/* -- one interval -- */

typedef struct {
  const hy_expr *divisor; // a variable that a condition divides by; NULL: none so far
} divisor_search;

static void see_divisor(void *self, const hy_expr *node) {
  divisor_search *s = self;
  bool divides = node->kind == HY_EXPR_OP && hy_op_kind_of(node->op) == HY_KIND_DIVISION;
  if (divides && node->args[1]->kind == HY_EXPR_VAR && node->args[1]->type == HY_INT) s->divisor = node->args[1];
}

static void find_divisor(const hy_stmt *stmt, divisor_search *s) {
  if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_SPECIALIZE)
    hy_expr_visit(stmt->branch.condition, see_divisor, s);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !s->divisor; i++) find_divisor(children[i], s);
}

// What may be 0, or so large that a product with it does not fit: what a specialization divides by, so that its
// condition may be an error (decision D27), the first coordinate of the window, or a parameter.
static const hy_expr *any_number(const alterer *a) {
  const hy_alg *alg = a->filled->alg;
  divisor_search search = {NULL};
  find_divisor(a->filled->body, &search);
  if (search.divisor) return search.divisor;
  if (alg->output->rank) return hy_expr_var(a->context, alg->window_min[0]);
  for (int i = 0; i < alg->param_count; i++)
    if (alg->params[i]->type == HY_INT) return hy_expr_var(a->context, alg->params[i]);
  return NULL;
}

static const hy_expr *binary(alterer *a, hy_op op, const hy_expr *x, const hy_expr *y) {
  return hy_expr_binary(a->context, op, x, y);
}

// 0 * (1 / v), or 0 * (v * 2^62) with v, 1 - v or v % 16: nothing by arithmetic, but an error for some inputs.
static const hy_expr *spoilt_zero(alterer *a) {
  const hy_expr *v = any_number(a), *one = hy_expr_int(a->context, 1);
  if (!v) return NULL;
  if (a->change.kind == HY_CHANGE_DIFFERENCE) v = binary(a, HY_OP_SUB, one, v);
  if (a->change.kind == HY_CHANGE_REMAINDER) v = binary(a, HY_OP_MOD, v, hy_expr_int(a->context, 16));
  const hy_expr *bad = a->change.kind == HY_CHANGE_DIVIDE
                           ? binary(a, HY_OP_DIV, one, v)
                           : binary(a, HY_OP_MUL, v, hy_expr_int(a->context, INT64_C(1) << 62));
  return binary(a, HY_OP_MUL, hy_expr_int(a->context, 0), bad);
}

// max(e, 0) without the max.
static const hy_expr *unclamped(const hy_expr *len) {
  int64_t zero;
  if (len->kind != HY_EXPR_OP || len->op != HY_OP_MAX) return NULL;
  for (int i = 0; i < 2; i++)
    if (hy_expr_is_int(len->args[i], &zero) && zero == 0) return len->args[1 - i];
  return NULL;
}

static hy_interval change_interval(alterer *a, hy_interval i) {
  const hy_expr *spoilt = NULL;
  int by = a->change.by;
  switch (a->change.kind) {
  case HY_CHANGE_LOW: a->done = true; return (hy_interval){plus(a, i.min, by), plus(a, i.len, -by)};
  case HY_CHANGE_HIGH: a->done = true; return (hy_interval){i.min, plus(a, i.len, by)};
  case HY_CHANGE_SHIFT: a->done = true; return (hy_interval){plus(a, i.min, by), i.len};
  case HY_CHANGE_LENGTH: a->done = true; return (hy_interval){i.min, hy_expr_int(a->context, by)};
  case HY_CHANGE_DIVIDE:
  case HY_CHANGE_OVERFLOW:
  case HY_CHANGE_DIFFERENCE:
  case HY_CHANGE_REMAINDER: spoilt = spoilt_zero(a); break;
  case HY_CHANGE_UNCLAMP: {
    const hy_expr *len = unclamped(i.len);
    if (!len) return i;
    a->done = true;
    return (hy_interval){i.min, len};
  }
  }
  if (!spoilt) return i;
  a->done = true;
  return (hy_interval){i.min, hy_expr_binary(a->context, HY_OP_ADD, i.len, spoilt)};
}

static hy_interval widen(alterer *a, hy_interval i, int by) {
  return (hy_interval){plus(a, i.min, -by), plus(a, i.len, 2 * by)};
}

/* -- a hole, wherever it stands: the program is filled again -- */

static bool is_here(const alterer *a, const hy_hole *hole) {
  const hy_alter_place *p = a->place;
  if (p->kind == HY_PLACE_FOR) return hole->kind == HY_HOLE_FOR && hole->loop == p->var;
  bool cpu = hole->kind == HY_HOLE_CPU || (p->kind == HY_PLACE_WIDE && hole->kind == HY_HOLE_FOR);
  return cpu && hole->func == p->func && hole->dim == p->dim;
}

// Where a func stands in the program: -1 of an image, which is there before all.
static int position(const alterer *a, const hy_func *func) {
  for (int i = 0; i < a->filled->func_count; i++)
    if (a->filled->funcs[i] == func) return i;
  return -1;
}

static const hy_expr *fill(void *self, const hy_expr *node) {
  alterer *a = self;
  if (node->kind != HY_EXPR_HOLE) return node;
  const hy_hole *hole = node->hole;
  const hy_interval *box = hole->kind == HY_HOLE_MEM    ? a->mem[hole->func->index]
                           : hole->kind == HY_HOLE_NEED ? NULL
                                                        : a->cpu[hole->func->index];
  if (!box) return node;
  hy_interval i = box[hole->dim];
  if (is_here(a, hole))
    i = change_interval(a, i);
  else if (a->place->kind == HY_PLACE_WIDE && hole->func == a->place->func && hole->kind == HY_HOLE_MEM)
    i = widen(a, i, abs(a->change.by));
  else if (a->place->kind == HY_PLACE_WIDE && position(a, hole->func) < position(a, a->place->func))
    i = widen(a, i, WIDE_BY * abs(a->change.by));
  return hole->is_len ? i.len : i.min;
}

static const hy_expr *fill_expr(void *self, const hy_expr *expr) {
  alterer *a = self;
  return expr->has_hole ? hy_expr_map(a->context, expr, fill, a) : expr;
}

static void collect_boxes(alterer *a, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ALLOCATE) a->mem[stmt->allocate.func->index] = stmt->allocate.box;
  if (stmt->kind == HY_STMT_COMPUTE) a->cpu[stmt->compute.func->index] = stmt->compute.box;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect_boxes(a, children[i]);
}

static const hy_stmt *with_needs(alterer *a, const hy_stmt *fresh, const hy_stmt *filled);

// What the oracle assumes of fused lengths stands before what is computed, and stays as it is, too (ORA.Length).
static const hy_stmt *with_lengths(alterer *a, const hy_stmt *fresh, const hy_stmt *filled) {
  const hy_stmt *body = filled->compute.body;
  int count = body->kind == HY_STMT_SEQ ? body->seq.count : 0, lengths = 0;
  while (lengths < count && body->seq.items[lengths]->kind == HY_STMT_ASSUME &&
         body->seq.items[lengths]->assume.why == HY_ASSUME_LENGTH)
    lengths++;
  const hy_stmt **items = hy_allocate(sizeof *items * (size_t)(lengths + 1));
  for (int i = 0; i < lengths; i++) items[i] = body->seq.items[i];
  if (lengths) body = hy_stmt_seq(a->context, body->seq.items + lengths, count - lengths);
  items[lengths] = with_needs(a, fresh->compute.body, body);
  body = lengths ? hy_stmt_seq(a->context, items, lengths + 1) : items[0];
  free(items);
  return hy_stmt_with_children(a->context, fresh, &body, 1);
}

// What is needed is told by no box: the statements that check it stay as the oracle filled them.
static const hy_stmt *with_needs(alterer *a, const hy_stmt *fresh, const hy_stmt *filled) {
  if (fresh->kind == HY_STMT_ASSUME) return fresh->assume.condition->has_hole ? filled : fresh;
  if (fresh->kind == HY_STMT_COMPUTE && filled->kind == HY_STMT_COMPUTE) return with_lengths(a, fresh, filled);
  const hy_stmt *const *children, *room[2], *const *old, *old_room[2];
  int count = hy_stmt_children(fresh, &children, room);
  HY_ASSERT(filled->kind == fresh->kind && hy_stmt_children(filled, &old, old_room) == count);
  const hy_stmt **kept = hy_allocate(sizeof *kept * (size_t)(count + 1));
  for (int i = 0; i < count; i++) kept[i] = with_needs(a, children[i], old[i]);
  fresh = hy_stmt_with_children(a->context, fresh, kept, count);
  free(kept);
  return fresh;
}

static const hy_stmt *fill_again(alterer *a) {
  size_t symbols = hy_tgt_symbols(a->filled);
  a->cpu = hy_allocate_zeroed(symbols + 1, sizeof *a->cpu);
  a->mem = hy_allocate_zeroed(symbols + 1, sizeof *a->mem);
  collect_boxes(a, a->filled->body);
  const hy_stmt *body = with_needs(a, hy_stmt_map_exprs(a->context, a->scheduled->body, fill_expr, a), a->filled->body);
  free(a->cpu);
  free(a->mem);
  return body;
}

/* -- one statement -- */

static const hy_interval *change_box(alterer *a, const hy_func *func, const hy_interval *box) {
  hy_interval *altered = HY_NEW_ARRAY(hy_context_arena(a->context), hy_interval, func->rank);
  memcpy(altered, box, sizeof *box * (size_t)func->rank);
  altered[a->place->dim] = change_interval(a, box[a->place->dim]);
  return altered;
}

// high + by: v - by < end
static const hy_expr *change_guard(alterer *a, const hy_expr *condition) {
  if (a->change.kind != HY_CHANGE_HIGH) return condition;
  a->done = true;
  const hy_expr *v = condition->args[0];
  return hy_expr_binary(a->context, HY_OP_LT, plus(a, v, -a->change.by), condition->args[1]);
}

static bool is_guard_of(const hy_stmt *stmt, const hy_var *var) {
  const hy_expr *c = stmt->branch.condition;
  return stmt->branch.why == HY_IF_GUARD && c->kind == HY_EXPR_OP && c->op == HY_OP_LT &&
         c->args[0]->kind == HY_EXPR_VAR && c->args[0]->var == var;
}

static const hy_stmt *alter_statement(alterer *a, const hy_stmt *stmt) {
  const hy_alter_place *p = a->place;
  hy_context *context = a->context;
  if (p->kind == HY_PLACE_ALLOCATE && stmt->kind == HY_STMT_ALLOCATE && stmt->allocate.func == p->func)
    return hy_stmt_allocate_as(context, p->func, change_box(a, p->func, stmt->allocate.box), stmt->allocate.plan);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **altered = hy_allocate(sizeof *altered * (size_t)(count + 1));
  for (int i = 0; i < count; i++) altered[i] = alter_statement(a, children[i]);
  stmt = hy_stmt_with_children(context, stmt, altered, count);
  free(altered);
  if (p->kind == HY_PLACE_COMPUTE && stmt->kind == HY_STMT_COMPUTE && stmt->compute.func == p->func)
    return hy_stmt_compute_keeping(context, p->func, change_box(a, p->func, stmt->compute.box), stmt->compute.keep,
                                   stmt->compute.body);
  if (p->kind == HY_PLACE_LOOP && stmt->kind == HY_STMT_FOR && stmt->loop.var == p->var)
    return hy_stmt_for(context, p->var, stmt->loop.is_pure, stmt->loop.traversal,
                       change_interval(a, stmt->loop.interval), stmt->loop.body);
  if (p->kind == HY_PLACE_GUARD && stmt->kind == HY_STMT_IF && is_guard_of(stmt, p->var))
    return hy_stmt_if(context, HY_IF_GUARD, change_guard(a, stmt->branch.condition), stmt->branch.then,
                      stmt->branch.otherwise);
  return stmt;
}

/* -- the entry check of an image -- */

typedef struct {
  alterer *a;
  const hy_func *image;
  int dim, low, high; // how much is added to the ends of what is needed there
} need_change;

static bool is_var(const hy_expr *expr, const hy_var *var) { return expr->kind == HY_EXPR_VAR && expr->var == var; }

// "in.min(d) <= need.min" and "need.min + need.len <= in.min(d) + in.len(d)", as lowering makes them
static const hy_expr *change_comparison(void *self, const hy_expr *node) {
  const need_change *n = self;
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_LE) return node;
  const hy_expr *left = node->args[0], *right = node->args[1];
  if (is_var(left, n->image->min[n->dim]) && n->low) {
    n->a->done = true;
    return hy_expr_binary(n->a->context, HY_OP_LE, left, plus(n->a, right, n->low));
  }
  bool is_end = right->kind == HY_EXPR_OP && right->op == HY_OP_ADD && is_var(right->args[0], n->image->min[n->dim]) &&
                is_var(right->args[1], n->image->len[n->dim]);
  if (!is_end || !n->high) return node;
  n->a->done = true;
  return hy_expr_binary(n->a->context, HY_OP_LE, plus(n->a, left, n->high), right);
}

static const hy_expr *change_need(alterer *a, const hy_func *image, const hy_expr *condition) {
  const hy_alter_place *p = a->place;
  int by = a->change.by;
  for (int d = 0; d < image->rank; d++) {
    need_change n = {a, image, d, -WIDE_BY * abs(by), WIDE_BY * abs(by)};
    if (p->kind == HY_PLACE_IMAGE && (p->func != image || p->dim != d)) continue;
    if (p->kind == HY_PLACE_IMAGE) n.low = a->change.kind == HY_CHANGE_LOW ? by : 0;
    if (p->kind == HY_PLACE_IMAGE) n.high = a->change.kind == HY_CHANGE_HIGH ? by : 0;
    condition = hy_expr_map(a->context, condition, change_comparison, &n);
  }
  return condition;
}

static const hy_stmt **alter_entry(alterer *a) {
  const hy_stmt **entry = HY_NEW_ARRAY(hy_context_arena(a->context), const hy_stmt *, a->filled->entry_count);
  for (int i = 0; i < a->filled->entry_count; i++) {
    const hy_stmt *s = a->filled->entry[i];
    entry[i] = s->assume.why != HY_ASSUME_IMAGE
                   ? s
                   : hy_stmt_assume(a->context, HY_ASSUME_IMAGE, s->assume.subject,
                                    change_need(a, s->assume.subject, s->assume.condition));
  }
  return entry;
}

static bool narrows(hy_alteration change) {
  switch (change.kind) {
  case HY_CHANGE_LOW: return change.by > 0;
  case HY_CHANGE_HIGH: return change.by < 0;
  case HY_CHANGE_LENGTH: return change.by <= 0;
  case HY_CHANGE_SHIFT:
  case HY_CHANGE_UNCLAMP: return false;
  case HY_CHANGE_DIVIDE:
  case HY_CHANGE_OVERFLOW:
  case HY_CHANGE_DIFFERENCE:
  case HY_CHANGE_REMAINDER: return true; // no other iterations, if any
  }
  HY_UNREACHABLE();
}

const hy_tgt *hy_alter_at(hy_context *context, const hy_tgt *scheduled, const hy_tgt *filled,
                          const hy_alter_place *place, hy_alteration change) {
  alterer a = {.context = context, .scheduled = scheduled, .filled = filled, .place = place, .change = change};
  if (place->is_fixed && !narrows(change)) return NULL;
  hy_tgt *altered = HY_NEW(hy_context_arena(context), hy_tgt);
  *altered = *filled;
  switch (place->kind) {
  case HY_PLACE_WIDE:
    altered->entry = alter_entry(&a);
    altered->body = fill_again(&a);
    break;
  case HY_PLACE_CPU:
  case HY_PLACE_FOR: altered->body = fill_again(&a); break;
  case HY_PLACE_ALLOCATE:
  case HY_PLACE_COMPUTE:
  case HY_PLACE_LOOP:
  case HY_PLACE_GUARD: altered->body = alter_statement(&a, filled->body); break;
  case HY_PLACE_IMAGE: altered->entry = alter_entry(&a); break;
  }
  return a.done ? altered : NULL;
}
