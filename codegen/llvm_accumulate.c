#include "codegen/codegen_internal.h"

#include <stdlib.h>
#include <string.h>

/* Sums that stay in registers. A reduction whose block of pure loops stands inside of it, unrolled and vectorized, adds
 * to the same few points again and again. LLVM keeps them in memory, since with strides that it does not know any two
 * of them may be one. Here it is seen that they are not: how far apart they lie is constant.
 *
 *   for rdom r { f(p1) <- f(p1) + ..; f(p2) <- f(p2) + ..; }
 *     -> if (r is not empty) { a1 = f(p1); a2 = f(p2); for rdom r { a1 <- a1 + ..; a2 <- a2 + ..; } f(p1) = a1; f(p2) = a2; }
 *
 * The statements are emitted three times, to load, to run and to store, and in the first and the last the loops of the
 * reduction are left out. What the same statement does in all three is one cell: the cells are found by counting.
 *
 * A loop of the reduction that was cut (GEN.Partition) is several, with one body but for its guards (WF.Piece). The
 * first says what the cells are, and all run on them; the guards of the others may depend on the reduction. Where the
 * first is empty nobody knows that there is a point at all: then everything runs in memory.
 */

enum { MOST_DIMS = 8, MOST_RDOMS = 8, MOST_CELLS = 64, MOST_POINTS = 1024, MOST_STEPS = 2000 };

/* -- may it be done? -- */

typedef struct block {
  struct {
    const hy_var *var;
    const hy_expr *min;
    int64_t count;
    hy_traversal traversal;
  } dims[MOST_DIMS]; // the pure loops inside
  int dim_count;
  int64_t copies;        // that they make of the statement
  int64_t all_copies;    // with those of the reduction's unrolled loops, and of loops around
  const hy_stmt *assign; // the only one
} block;

typedef struct walk {
  hy_frame *frame;
  hy_var_list *varying; // what differs between iterations of the reduction
  hy_var_list by_lane;  // what differs between lanes
  HY_VEC(const hy_stmt *) lets;
  const hy_stmt *rdoms[MOST_RDOMS]; // but those of later pieces
  int rdom_count;
  block block;
  HY_VEC(const hy_expr *) others; // conditions, lets, ends of loops: they may not read what is accumulated
  const hy_stmt *pieces;          // of a loop that was cut; NULL: none was
  bool is_later;                  // a piece but the first is looked at
  bool is_uneven; // lanes differ in a guard, or a length is known at run time: pieces may differ in code
  int steps;      // that were taken through what its points are made of, which are graphs
} walk;

static bool mentions_one(const hy_expr *expr, const hy_var_list *vars) {
  for (size_t i = 0; i < vars->count; i++)
    if (hy_expr_mentions(expr, vars->data[i])) return true;
  return false;
}

static bool varies(const walk *w, const hy_expr *expr) { return mentions_one(expr, w->varying); }

static bool look(walk *w, const hy_stmt *stmt);

// All three times make the same copies: where one would be told that they are too many, none is made.
static bool count_copies(walk *w, const hy_expr *len) {
  hy_linear count = hy_linear_of(w->frame, len);
  if (count.count || count.constant < 1) return true; // it is not unrolled
  int64_t *all = &w->block.all_copies;
  return !__builtin_mul_overflow(*all, count.constant, all) && *all <= HY_MOST_COPIES;
}

// Whether the reduction is empty is asked before it begins.
static bool look_at_rdom(walk *w, const hy_stmt *loop) {
  const hy_expr *len = loop->loop.interval.len;
  bool serial = loop->loop.traversal == HY_SERIAL || loop->loop.traversal == HY_UNROLLED;
  if (!serial || w->rdom_count == MOST_RDOMS || !hy_frame_can_compute(w->frame, len)) return false;
  if (!w->is_later) w->rdoms[w->rdom_count++] = loop;
  hy_vec_push(w->varying, loop->loop.var);
  if (loop->loop.traversal == HY_UNROLLED && !count_copies(w, len)) return false;
  return look(w, loop->loop.body);
}

static bool look_at_loop(walk *w, const hy_stmt *loop) {
  hy_interval interval = loop->loop.interval;
  int64_t count;
  hy_vec_push(&w->others, interval.min);
  hy_vec_push(&w->others, interval.len);
  if (!loop->loop.is_pure) return look_at_rdom(w, loop);
  if (!hy_range_is_number(w->frame->emitter, interval.len, &count) || count < 1 || count > MOST_POINTS) return false;
  if (varies(w, interval.min)) return false;
  hy_traversal traversal = loop->loop.traversal;
  bool copies = traversal == HY_UNROLLED || traversal == HY_VECTORIZED || count == 1;
  block *b = &w->block;
  if (!copies || b->dim_count == MOST_DIMS) return false;
  b->dims[b->dim_count].var = loop->loop.var;
  b->dims[b->dim_count].min = interval.min;
  b->dims[b->dim_count].traversal = traversal;
  b->dims[b->dim_count++].count = count;
  if (traversal == HY_VECTORIZED) hy_vec_push(&w->by_lane, loop->loop.var);
  w->is_uneven |= hy_linear_of(w->frame, interval.len).count > 0;
  if (traversal == HY_UNROLLED && !count_copies(w, interval.len)) return false;
  if (traversal == HY_UNROLLED) b->copies *= count;
  return b->copies <= MOST_CELLS && look(w, loop->loop.body);
}

static bool look_at_let(walk *w, const hy_stmt *let) {
  hy_vec_push(&w->others, let->let.value);
  hy_vec_push(&w->lets, let);
  if (varies(w, let->let.value)) hy_vec_push(w->varying, let->let.var);
  if (mentions_one(let->let.value, &w->by_lane)) hy_vec_push(&w->by_lane, let->let.var);
  return look(w, let->let.body);
}

typedef struct reading {
  const hy_stmt *assign;
  bool same_point, any;
} reading;

static void see_access(void *self, const hy_expr *node) {
  reading *r = self;
  const hy_func *func = r->assign->assign.func;
  if (node->kind != HY_EXPR_ACCESS || node->func != func) return;
  r->any = true;
  for (int d = 0; d < func->rank; d++) r->same_point &= node->args[d] == r->assign->assign.lhs[d];
}

// What reads what is accumulated: the values alone, at the point that is stored.
static bool look_at_assign(walk *w, const hy_stmt *assign) {
  reading of_value = {assign, true, false};
  if (w->block.assign) return false;
  w->block.assign = assign;
  for (int d = 0; d < assign->assign.func->rank; d++)
    if (assign->assign.lhs[d]->has_access || varies(w, assign->assign.lhs[d])) return false;
  hy_expr_visit(assign->assign.rhs, see_access, &of_value);
  return of_value.any && of_value.same_point;
}

static bool are_pieces(const hy_stmt *seq) {
  const hy_var *of = NULL;
  for (int i = 0; i < seq->seq.count; i++) {
    const hy_stmt *piece = seq->seq.items[i];
    if (piece->kind != HY_STMT_FOR || piece->loop.is_pure || !piece->loop.piece) return false;
    if (i > 0 && piece->loop.piece->of != of) return false;
    of = piece->loop.piece->of;
  }
  return seq->seq.count > 0;
}

static bool is_same_block(const block *a, const block *b) {
  if (a->dim_count != b->dim_count || a->copies != b->copies) return false;
  if (!a->assign || !b->assign || a->assign->assign.func != b->assign->assign.func) return false;
  for (int k = 0; k < a->dim_count; k++)
    if (a->dims[k].count != b->dims[k].count || a->dims[k].traversal != b->dims[k].traversal) return false;
  return true;
}

// The pieces of a loop: one body, so one block of points.
static bool look_at_pieces(walk *w, const hy_stmt *seq) {
  block outside = w->block, first = outside;
  bool is_later = w->is_later, is_cut = seq->seq.count > 1;
  if (is_cut && !is_later && w->pieces) return false; // one loop that was cut is enough
  if (is_cut && !is_later) w->pieces = seq;
  for (int i = 0; i < seq->seq.count; i++) {
    w->block = outside;
    w->is_later = is_later || i > 0;
    if (!look(w, seq->seq.items[i]) || (i > 0 && !is_same_block(&first, &w->block))) return false;
    if (i == 0) first = w->block;
  }
  w->block = first;
  w->is_later = is_later;
  return true;
}

static bool look_at_if(walk *w, const hy_stmt *stmt) {
  const hy_expr *condition = stmt->branch.condition;
  if (stmt->branch.why == HY_IF_IMPLIED) return look(w, stmt->branch.then); // nobody asks (B.Pieces)
  if (varies(w, condition) && !w->is_later) return false;
  w->is_uneven |= mentions_one(condition, &w->by_lane);
  hy_vec_push(&w->others, condition);
  return look(w, stmt->branch.then) && (!stmt->branch.otherwise || look(w, stmt->branch.otherwise));
}

static bool look(walk *w, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_NOP: return true;
  case HY_STMT_ASSIGN: return look_at_assign(w, stmt);
  case HY_STMT_LET: return look_at_let(w, stmt);
  case HY_STMT_FOR: return look_at_loop(w, stmt);
  case HY_STMT_IF: return look_at_if(w, stmt);
  case HY_STMT_SEQ:
    if (are_pieces(stmt)) return look_at_pieces(w, stmt);
    break;
  case HY_STMT_LABEL: break;
  case HY_STMT_ASSUME:
  case HY_STMT_ALLOCATE:
  case HY_STMT_COMPUTE: return false;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (!look(w, children[i])) return false;
  return true;
}

static bool is_read_by_others(const walk *w) {
  reading of_others = {w->block.assign, true, false};
  for (size_t i = 0; i < w->others.count; i++) hy_expr_visit(w->others.data[i], see_access, &of_others);
  return of_others.any;
}

/* -- no two points are one -- */

// What a let gives the variable, or where a loop inside begins to count it; NULL: it is from outside.
static const hy_expr *value_of(const walk *w, const hy_var *var) {
  for (size_t i = w->lets.count; i-- > 0;)
    if (w->lets.data[i]->let.var == var) return w->lets.data[i]->let.value;
  for (int k = 0; k < w->block.dim_count; k++)
    if (w->block.dims[k].var == var) return w->block.dims[k].min;
  return NULL;
}

// By how much the expression grows with the variable of a loop inside; false: by no constant.
static bool slope(walk *w, const hy_expr *expr, const hy_var *var, int64_t *result) {
  int64_t a = 0, b = 0, c, other = 0;
  if (++w->steps > MOST_STEPS) return false;
  if (expr->kind == HY_EXPR_VAR) {
    const hy_expr *value = value_of(w, expr->var);
    *result = expr->var == var; // its loop counts from where it begins, which no step of its own moves
    return expr->var == var || !value || slope(w, value, var, result);
  }
  for (int i = 0; i < expr->count; i++)
    if (!slope(w, expr->args[i], var, i == 0 ? &a : i == 1 ? &b : &other) || other) return false;
  *result = 0;
  if (a == 0 && b == 0) return true; // whatever it computes
  if (expr->kind != HY_EXPR_OP || expr->type != HY_INT) return false;
  if (expr->op == HY_OP_ADD) return !__builtin_add_overflow(a, b, result);
  if (expr->op == HY_OP_SUB) return !__builtin_sub_overflow(a, b, result);
  if (expr->op != HY_OP_MUL) return false;
  hy_emitter *e = w->frame->emitter;
  if (hy_range_is_number(e, expr->args[1], &c)) return !__builtin_mul_overflow(a, c, result);
  return hy_range_is_number(e, expr->args[0], &c) && !__builtin_mul_overflow(b, c, result);
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

// Points that are one have one sum of coordinates, each times a large number of its own: where no two sums are the same,
// no two points are.
static bool are_distinct(uint64_t *sums, size_t count) {
  qsort(sums, count, sizeof *sums, by_number);
  for (size_t i = 1; i < count; i++)
    if (sums[i - 1] == sums[i]) return false;
  return true;
}

static bool steps_of(walk *w, uint64_t *steps) {
  const hy_stmt *assign = w->block.assign;
  for (int k = 0; k < w->block.dim_count; k++) {
    steps[k] = 0;
    for (int d = 0; d < assign->assign.func->rank; d++) {
      int64_t growth;
      if (!slope(w, assign->assign.lhs[d], w->block.dims[k].var, &growth)) return false;
      steps[k] += (uint64_t)growth * hy_hash(UINT64_C(0x9e3779b97f4a7c15), (uint64_t)d);
    }
  }
  return true;
}

static bool points_differ(walk *w) {
  uint64_t sums[MOST_POINTS] = {0}, steps[MOST_DIMS];
  size_t count = 1;
  if (!steps_of(w, steps)) return false;
  for (int k = 0; k < w->block.dim_count; k++) {
    size_t more = (size_t)w->block.dims[k].count, before = count;
    if (more > MOST_POINTS / before) return false;
    for (size_t i = 1; i < more; i++)
      for (size_t p = 0; p < before; p++) sums[count++] = sums[p] + i * steps[k];
  }
  return are_distinct(sums, count);
}

// In storage that is folded points far from each other are one cell.
static bool is_folded(const walk *w) {
  hy_storage storage = hy_frame_storage(w->frame, w->block.assign->assign.func, 0);
  return hy_storage_is_folded(&storage);
}

static bool is_accumulation(walk *w, const hy_stmt *loop) {
  if (!look(w, loop) || !w->block.assign || is_read_by_others(w)) return false;
  return !(w->pieces && w->is_uneven) && points_differ(w) && !is_folded(w);
}

/* -- the three times -- */

typedef struct cell {
  LLVMValueRef place;
  LLVMTypeRef type;
} cell;

typedef enum { PHASE_LOAD, PHASE_RUN, PHASE_STORE } phase;

struct hy_accumulation {
  phase phase;
  const hy_func *func;
  hy_var_list varying;
  HY_VEC(cell) cells; // of every part of every copy of the statement
  size_t next;        // the cell of the first part of the copy that comes
};

bool hy_accumulation_skips(const hy_frame *frame) {
  return frame->accumulation && frame->accumulation->phase != PHASE_RUN;
}

bool hy_accumulation_varies(const hy_frame *frame, const hy_var *var) {
  const hy_accumulation *a = frame->accumulation;
  for (size_t i = 0; i < a->varying.count; i++)
    if (a->varying.data[i] == var) return true;
  return false;
}

bool hy_accumulate_pieces(hy_frame *frame, const hy_stmt *seq) {
  hy_accumulation *a = frame->accumulation;
  for (int i = 1; seq == frame->later && i < seq->seq.count; i++) hy_emit_stmt(frame, seq->seq.items[i]);
  if (seq == frame->later) return true;
  if (!a || !are_pieces(seq)) return false;
  size_t begin = a->next;
  hy_emit_stmt(frame, seq->seq.items[0]);
  size_t end = a->next;
  for (int i = 1; i < seq->seq.count && a->phase == PHASE_RUN; i++) {
    a->next = begin;
    hy_emit_stmt(frame, seq->seq.items[i]);
    HY_ASSERT(a->next == end);
  }
  return true;
}

size_t hy_accumulation_mark(const hy_frame *frame) { return frame->accumulation ? frame->accumulation->next : 0; }

void hy_accumulation_again(hy_frame *frame, size_t mark) {
  if (frame->accumulation) frame->accumulation->next = mark;
}

static hy_lanes lanes_of(const hy_frame *frame, LLVMValueRef value) {
  return (hy_lanes){.value = value, .shape = frame->lanes > 1 ? HY_VARYING : HY_UNIFORM, .depth = frame->depth};
}

static hy_lanes load_cell(hy_frame *frame, const cell *c) {
  return lanes_of(frame, LLVMBuildLoad2(frame->builder, c->type, c->place, frame->accumulation->func->name));
}

hy_lanes hy_accumulation_read(hy_frame *frame, int part) {
  const hy_accumulation *a = frame->accumulation;
  return load_cell(frame, &a->cells.data[a->next + (size_t)part]);
}

bool hy_accumulation_holds(const hy_frame *frame, const hy_func *func) {
  return frame->accumulation && frame->accumulation->phase == PHASE_RUN && frame->accumulation->func == func;
}

static void load(hy_frame *frame, const hy_stmt *assign, int part) {
  hy_emitter *e = frame->emitter;
  const hy_func *func = assign->assign.func;
  hy_type type = hy_func_type(func, part);
  cell c = {.type = hy_emit_type(e, type, frame->lanes)};
  c.place = LLVMBuildAlloca(frame->entry_builder, c.type, func->name);
  hy_lanes value = hy_emit(frame, hy_expr_access_part(e->context, func, part, assign->assign.lhs));
  LLVMBuildStore(frame->builder, frame->lanes > 1 ? hy_emit_vector(frame, value, type) : value.value, c.place);
  hy_vec_push(&frame->accumulation->cells, c);
}

// All values before any is kept (TGT.Assign-Parts)
static void run(hy_frame *frame, const hy_stmt *assign) {
  hy_accumulation *a = frame->accumulation;
  const hy_func *func = assign->assign.func;
  LLVMValueRef values[HY_MAX_PARTS];
  for (int part = 0; part < hy_func_parts(func); part++) {
    hy_lanes value = hy_emit(frame, hy_expr_part(assign->assign.rhs, part));
    values[part] = frame->lanes > 1 ? hy_emit_vector(frame, value, hy_func_type(func, part)) : value.value;
  }
  for (int part = 0; part < hy_func_parts(func); part++)
    LLVMBuildStore(frame->builder, values[part], a->cells.data[a->next + (size_t)part].place);
}

void hy_accumulate(hy_frame *frame, const hy_stmt *assign) {
  hy_accumulation *a = frame->accumulation;
  const hy_func *func = assign->assign.func;
  int parts = hy_func_parts(func);
  frame->epoch++;
  for (int part = 0; part < parts && a->phase == PHASE_LOAD; part++) load(frame, assign, part);
  if (a->phase == PHASE_RUN) run(frame, assign);
  for (int part = 0; part < parts && a->phase == PHASE_STORE; part++)
    hy_emit_store(frame, func, part, assign->assign.lhs, load_cell(frame, &a->cells.data[a->next + (size_t)part]));
  a->next += (size_t)parts;
}

static void emit_phase(hy_frame *frame, const hy_stmt *loop, phase phase) {
  hy_accumulation *a = frame->accumulation;
  hy_frame_scope scope = hy_frame_open(frame);
  a->phase = phase;
  a->next = 0;
  frame->epoch++;
  hy_emit_stmt(frame, loop);
  frame->epoch++;
  HY_ASSERT(a->next == a->cells.count);
  hy_frame_close(frame, scope);
}

// A loop that is known to be empty is left out where loops are emitted: nothing runs.
static bool never_runs(hy_frame *frame, const walk *w) {
  for (int i = 0; i < w->rdom_count; i++) {
    hy_linear len = hy_linear_of(frame, w->rdoms[i]->loop.interval.len);
    if (len.count == 0 && len.constant <= 0) return true;
  }
  return false;
}

// One bit: no loop of the reduction is empty. NULL: that is known.
static LLVMValueRef runs_at_all(hy_frame *frame, const walk *w) {
  LLVMValueRef all = NULL;
  for (int i = 0; i < w->rdom_count; i++) {
    int64_t count;
    const hy_expr *len = w->rdoms[i]->loop.interval.len;
    if (hy_range_is_number(frame->emitter, len, &count) && count > 0) continue;
    LLVMValueRef value = hy_emit_uniform(frame, len);
    LLVMValueRef bit = LLVMBuildICmp(frame->builder, LLVMIntSLT, hy_emit_i64(frame->emitter, 0), value, "");
    all = all ? LLVMBuildAnd(frame->builder, all, bit, "") : bit;
  }
  return all;
}

// As if nothing were accumulated, but for what later pieces accumulate for themselves.
static void emit_in_memory(hy_frame *frame, const hy_stmt *loop, const walk *w, LLVMBasicBlockRef block,
                           LLVMBasicBlockRef after) {
  hy_frame_at(frame, block);
  hy_frame_scope scope = hy_frame_open(frame);
  frame->later = w->pieces;
  frame->epoch++;
  hy_emit_stmt(frame, loop);
  frame->epoch++;
  frame->later = NULL;
  hy_frame_close(frame, scope);
  LLVMBuildBr(frame->builder, after);
}

// GEN.Accumulate
static void emit_accumulation(hy_frame *frame, const hy_stmt *loop, const walk *w) {
  hy_accumulation a = {.func = w->block.assign->assign.func, .varying = *w->varying};
  hy_context_hit(frame->emitter->context, HY_RULE_GEN_ACCUMULATE);
  LLVMValueRef runs = runs_at_all(frame, w);
  LLVMBasicBlockRef some = hy_frame_block(frame, "accumulate"), after = hy_frame_block(frame, "end.accumulate");
  LLVMBasicBlockRef none = runs && w->pieces ? hy_frame_block(frame, "first.is.empty") : after;
  if (runs)
    LLVMBuildCondBr(frame->builder, runs, some, none);
  else
    LLVMBuildBr(frame->builder, some);
  if (none != after) emit_in_memory(frame, loop, w, none, after);
  hy_frame_at(frame, some);
  frame->accumulation = &a;
  emit_phase(frame, loop, PHASE_LOAD);
  emit_phase(frame, loop, PHASE_RUN);
  emit_phase(frame, loop, PHASE_STORE);
  frame->accumulation = NULL;
  LLVMBuildBr(frame->builder, after);
  hy_frame_at(frame, after);
  hy_vec_free(&a.cells);
}

// A vectorized loop may stand around the reduction, too.
static void find_lanes(walk *w) {
  const hy_emitter *e = w->frame->emitter;
  for (size_t i = 0; i < e->vars.count; i++) {
    const hy_var_binding *b = &e->vars.data[i];
    if (b->frame == w->frame && b->lanes.shape != HY_UNIFORM) hy_vec_push(&w->by_lane, b->var);
  }
}

bool hy_emit_accumulation(hy_frame *frame, const hy_stmt *loop) {
  if (frame->accumulation || loop->loop.is_pure || frame->emitter->is_compact) return false;
  if (frame->emitter->options.profile == HY_PROFILE_POINTS) return false; // each point is stored, and counted
  hy_var_list varying = {0};
  walk w = {.frame = frame, .varying = &varying, .block = {.copies = 1, .all_copies = frame->emitter->copies}};
  find_lanes(&w);
  bool fits = is_accumulation(&w, loop), is_empty = fits && never_runs(frame, &w);
  if (w.pieces && (is_empty || frame->later)) fits = false; // others may run
  if (fits && !is_empty) emit_accumulation(frame, loop, &w);
  hy_vec_free(&varying);
  hy_vec_free(&w.by_lane);
  hy_vec_free(&w.lets);
  hy_vec_free(&w.others);
  return fits;
}
