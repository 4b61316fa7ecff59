#include "codegen/codegen_internal.h"

#include "semantics/expr/affine.h"

/* Clamps that change nothing, as they do everywhere but at the borders of an image. Of the innermost loop around vectors
 * the iterations where they do not are a loop of their own:
 *
 *   for v in (m, n) { for vectorized l in (0, c) { .. f(clamp(e, a, b)) .. } }
 *     -> for v in (m, k) { .. f(clamp(e, a, b)) .. }
 *        for v in (m + k, s) { .. f(e) .. }
 *        for v in (m + k + s, n - k - s) { .. f(clamp(e, a, b)) .. }
 *
 * The loops of a tile, whose length does not grow with the image, are emitted twice: once for the case that no clamp in
 * them changes anything, once for any.
 *
 * e is affine in the loops; in the first form it rises with v or does not change with it. Which iterations lie inside of
 * all limits, in all lanes and in all iterations of the loops in v, is asked once, at run time, before the loop begins:
 * nothing has to be proved, and vectors are loaded as they lie, without a test for each. Only where no number on the way
 * leaves 64 bits, so that what holds at the ends of the loops holds between them (D67).
 */

enum {
  MOST_CLAMPS = 4096,
  MOST_OF_TILE_CLAMPS = 12,
  MOST_BOUNDS = 48,
  MOST_LIMITS = 4,
  MOST_LOOPS = 20,
  MOST_LETS = 12,
  MOST_STATEMENTS = 3,
  MOST_OF_TILE = 16,
  LARGEST_TILE = 4096
};

typedef struct clamp {
  const hy_expr *node, *inner; // min(max(e, a), b) and the e
  const hy_expr *least, *most; // of e in an iteration of the loop, but for what it adds: step * v
  int64_t step;
  const hy_expr *limits[MOST_LIMITS];
  bool is_upper[MOST_LIMITS];
  int limit_count;
} clamp;

// Clamps to one limit, of numbers that differ by constants, ask one question: of the largest or the least of them.
typedef struct bound {
  const hy_expr *limit, *end; // "most" or "least" of what is clamped
  int64_t step;
  bool is_upper;
} bound;

typedef struct unclamping {
  hy_frame *frame;
  hy_affine_table *table;
  const hy_stmt *loop;
  const hy_stmt *loops[MOST_LOOPS]; // inside of it, down to the statement under inspection
  const hy_stmt *lets[MOST_LETS];
  int loop_count, let_count, statements;
  bool has_lanes; // a vectorized loop is around the statement
  bool fits;      // it may be done
  bool of_tile;   // all of the loop, or none of it
  HY_VEC(clamp) clamps;
  bound bounds[MOST_BOUNDS];
  int bound_count;
} unclamping;

/* -- finding them -- */

static bool is_extremum(const hy_expr *e) {
  return e->kind == HY_EXPR_OP && (e->op == HY_OP_MIN || e->op == HY_OP_MAX) && e->type == HY_INT;
}

static const hy_expr *with(unclamping *u, const hy_expr *expr, const hy_var *var, const hy_expr *value) {
  hy_binding binding = {var, value};
  return hy_expr_substitute(u->frame->emitter->context, expr, &binding, 1);
}

static const hy_expr *expanded(unclamping *u, const hy_expr *expr) {
  for (int i = u->let_count; i-- > 0;) expr = with(u, expr, u->lets[i]->let.var, u->lets[i]->let.value);
  return hy_affine_normal(u->table, expr);
}

// A piece of a loop lies in it, and where that does is easier said.
static hy_interval whole_of(const hy_stmt *loop) {
  return loop->loop.piece ? loop->loop.piece->whole : loop->loop.interval;
}

// Of min(w - 8*tile, 8) it is 8: what a loop inside does at most, if that is a number.
static const hy_expr *longest(unclamping *u, const hy_expr *len) {
  hy_int_range range = hy_range_of_value(u->frame->emitter, len);
  return range.most <= LARGEST_TILE ? hy_expr_int(u->frame->emitter->context, range.most) : len;
}

// Where the loops inside end, one way or the other; NULL: it is not to be said.
static const hy_expr *at_end(unclamping *u, const hy_expr *expr, bool most) {
  for (int i = u->loop_count; i-- > 0;) {
    hy_interval interval = whole_of(u->loops[i]);
    const hy_var *var = u->loops[i]->loop.var;
    int64_t coefficient;
    if (!hy_affine_coefficient(hy_affine_of(u->table, expr), var, &coefficient)) return NULL;
    if (coefficient == 0) continue;
    const hy_expr *end =
        hy_affine_add_int(u->table, hy_affine_add(u->table, interval.min, longest(u, interval.len)), -1);
    expr = hy_affine_normal(u->table, with(u, expr, var, expanded(u, (coefficient > 0) == most ? end : interval.min)));
  }
  return expr;
}

static bool is_usable(unclamping *u, const hy_expr *expr) {
  return expr && !expr->has_access && hy_frame_can_compute(u->frame, expr) &&
         hy_range_never_left(u->frame->emitter, expr);
}

static bool varies_by_lane(unclamping *u, const hy_expr *expr) {
  expr = expanded(u, expr);
  for (int i = 0; i < u->loop_count; i++)
    if (u->loops[i]->loop.traversal == HY_VECTORIZED && hy_expr_mentions(expr, u->loops[i]->loop.var)) return true;
  return false;
}

// The limits of a clamp, and what is clamped.
static bool read_clamp(unclamping *u, const hy_expr *node, clamp *c) {
  *c = (clamp){.node = node, .inner = node};
  while (is_extremum(c->inner) && c->limit_count < MOST_LIMITS) {
    int limit = varies_by_lane(u, c->inner->args[0]) ? 1 : 0;
    c->limits[c->limit_count] = expanded(u, c->inner->args[limit]);
    c->is_upper[c->limit_count++] = c->inner->op == HY_OP_MIN;
    c->inner = c->inner->args[1 - limit];
  }
  return !is_extremum(c->inner);
}

// Does it grow with the window, or with an image? Then both borders are inside.
static bool is_long(const hy_expr *len) {
  if (len->kind == HY_EXPR_VAR) return len->var->kind != HY_VAR_LOOP && len->var->kind != HY_VAR_PARAM;
  if (len->kind != HY_EXPR_OP) return false;
  for (int i = 0; i < len->count; i++)
    if (is_long(len->args[i]) == (len->op != HY_OP_MIN)) return len->op != HY_OP_MIN;
  return len->op == HY_OP_MIN;
}

static bool is_understood(unclamping *u, clamp *c) {
  const hy_var *v = u->loop->loop.var;
  const hy_expr *zero = hy_expr_int(u->frame->emitter->context, 0), *rest = expanded(u, c->inner);
  if (rest->has_access || !hy_range_never_left(u->frame->emitter, c->inner)) return false;
  if (!u->of_tile) {
    if (!hy_affine_coefficient(hy_affine_of(u->table, rest), v, &c->step) || c->step < 0) return false;
    rest = hy_affine_normal(u->table, with(u, rest, v, zero));
  }
  c->least = at_end(u, rest, false);
  c->most = at_end(u, rest, true);
  for (int i = 0; i < c->limit_count; i++)
    if (!is_usable(u, c->limits[i])) return false;
  if (!is_usable(u, c->least) || !is_usable(u, c->most)) return false;
  return !u->of_tile || !is_long(hy_affine_sub(u->table, c->most, c->least));
}

// Of two bounds the one that the other follows from; false: none does.
static bool join_bound(unclamping *u, bound *have, const bound *other) {
  int64_t difference;
  if (have->limit != other->limit || have->step != other->step || have->is_upper != other->is_upper) return false;
  if (!hy_expr_is_int(hy_affine_sub(u->table, other->end, have->end), &difference)) return false;
  if ((difference > 0) == have->is_upper) have->end = other->end;
  return true;
}

static bool add_bound(unclamping *u, const bound *found) {
  for (int i = 0; i < u->bound_count; i++)
    if (join_bound(u, &u->bounds[i], found)) return true;
  if (u->bound_count == MOST_BOUNDS) return false;
  u->bounds[u->bound_count++] = *found;
  return true;
}

// All of them or none, but for those that are weaker than what is asked already.
static bool add_bounds(unclamping *u, const clamp *c) {
  for (int i = 0; i < c->limit_count; i++)
    if (!add_bound(u, &(bound){c->limits[i], c->is_upper[i] ? c->most : c->least, c->step, c->is_upper[i]}))
      return false;
  return true;
}

static void see_clamp(unclamping *u, const hy_expr *node) {
  if (!u->has_lanes || !varies_by_lane(u, node)) return;
  for (size_t i = 0; i < u->clamps.count; i++)
    if (u->clamps.data[i].node == node) return;
  clamp found;
  size_t most = u->of_tile ? MOST_OF_TILE_CLAMPS : MOST_CLAMPS;
  if (u->clamps.count < most && read_clamp(u, node, &found) && is_understood(u, &found) && add_bounds(u, &found))
    hy_vec_push(&u->clamps, found);
  else
    u->fits &= !u->of_tile; // perhaps further in
}

static void see_index(unclamping *u, const hy_expr *index) {
  if (is_extremum(index) && index->has_var) { // what it is made of is clamped with it
    see_clamp(u, index);
    return;
  }
  for (int i = 0; index->kind == HY_EXPR_OP && i < index->count; i++)
    if (index->args[i]->type == HY_INT) see_index(u, index->args[i]);
}

static void see_node(void *self, const hy_expr *node) {
  unclamping *u = self;
  for (int d = 0; node->kind == HY_EXPR_ACCESS && d < node->count && u->fits; d++) see_index(u, node->args[d]);
}

static void see(unclamping *u, const hy_stmt *stmt);

static void see_children(unclamping *u, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && u->fits; i++) see(u, children[i]);
}

static void see_loop(unclamping *u, const hy_stmt *loop) {
  bool outer = u->has_lanes;
  bool fits = loop->loop.traversal != HY_PARALLEL && u->loop_count < MOST_LOOPS;
  if (loop->loop.traversal == HY_SERIAL && !outer && !u->of_tile)
    fits = false; // the innermost one around vectors is it
  u->fits &= fits;
  if (!fits) return;
  hy_range_bind_loop(u->frame->emitter, loop);
  u->has_lanes |= loop->loop.traversal == HY_VECTORIZED;
  u->loops[u->loop_count++] = loop;
  see_children(u, loop);
  u->loop_count--;
  u->has_lanes = outer;
}

static void see(unclamping *u, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_FOR: see_loop(u, stmt); return;
  case HY_STMT_LET:
    if (u->let_count == MOST_LETS || stmt->let.value->has_access) {
      u->fits = false;
      return;
    }
    u->lets[u->let_count++] = stmt;
    hy_range_bind(u->frame->emitter, stmt->let.var, stmt->let.value);
    see_children(u, stmt);
    u->let_count--;
    return;
  case HY_STMT_ASSIGN:
    u->fits &= ++u->statements <= (u->of_tile ? MOST_OF_TILE : MOST_STATEMENTS);
    hy_expr_visit(stmt->assign.rhs, see_node, u);
    return;
  case HY_STMT_ALLOCATE:
  case HY_STMT_ASSUME: u->fits &= u->of_tile; return;
  case HY_STMT_IF:
    if (stmt->branch.why == HY_IF_GUARD) u->fits &= u->of_tile; // a tail: few iterations
    see_children(u, stmt);
    return;
  case HY_STMT_NOP:
  case HY_STMT_SEQ:
  case HY_STMT_COMPUTE:
  case HY_STMT_LABEL: see_children(u, stmt); return;
  }
}

/* -- which iterations -- */

// The first iteration, from the beginning of the loop on, with distance <= step * v: between 0 and its length.
static const hy_expr *first_with(unclamping *u, const hy_expr *distance, int64_t step) {
  hy_context *context = u->frame->emitter->context;
  const hy_expr *up = hy_affine_add_int(u->table, distance, step - 1);
  return hy_affine_sub(u->table, hy_index_div(context, up, hy_expr_int(context, step)), u->loop->loop.interval.min);
}

typedef struct middle {
  const hy_expr *first, *end; // counted from the beginning of the loop
} middle;

static const hy_expr *either(unclamping *u, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(u->frame->emitter->context, op, a, b);
}

static const hy_expr *is_inside(unclamping *u, const bound *b) {
  return either(u, b->is_upper ? HY_OP_LE : HY_OP_GE, b->end, b->limit);
}

static void cut(unclamping *u, const bound *b, middle *m) {
  hy_context *context = u->frame->emitter->context;
  const hy_expr *distance = hy_affine_sub(u->table, b->limit, b->end);
  if (b->step == 0) // all or nothing
    m->end = hy_expr_select(context, is_inside(u, b), m->end, hy_expr_int(context, 0));
  else if (b->is_upper) // most + step * v <= limit  iff not  limit - most + 1 <= step * v
    m->end = either(u, HY_OP_MIN, m->end, first_with(u, hy_affine_add_int(u->table, distance, 1), b->step));
  else
    m->first = either(u, HY_OP_MAX, m->first, first_with(u, distance, b->step));
}

static middle middle_of(unclamping *u) {
  hy_context *context = u->frame->emitter->context;
  middle m = {hy_expr_int(context, 0), u->loop->loop.interval.len};
  for (int i = 0; i < u->bound_count; i++) cut(u, &u->bounds[i], &m);
  m.first = either(u, HY_OP_MIN, m.first, either(u, HY_OP_MAX, u->loop->loop.interval.len, hy_expr_int(context, 0)));
  m.end = either(u, HY_OP_MAX, m.first, m.end);
  return m;
}

/* -- the three loops -- */

static const hy_expr *unclamp_node(void *self, const hy_expr *node) {
  const unclamping *u = self;
  for (size_t i = 0; i < u->clamps.count; i++)
    if (u->clamps.data[i].node == node) return u->clamps.data[i].inner;
  return node;
}

static const hy_expr *unclamp_expr(void *self, const hy_expr *expr) {
  return hy_expr_map(((unclamping *)self)->frame->emitter->context, expr, unclamp_node, self);
}

static void emit_piece(unclamping *u, const hy_stmt *body, const hy_expr *first, const hy_expr *end,
                       hy_emit_body *emit) {
  const hy_stmt *loop = u->loop;
  hy_interval interval = {hy_affine_add(u->table, loop->loop.interval.min, first), hy_affine_sub(u->table, end, first)};
  emit(u->frame, hy_stmt_for(u->frame->emitter->context, loop->loop.var, loop->loop.is_pure, loop->loop.traversal,
                             interval, body));
}

// What runs for a few iterations at borders is compact where it would be much code.
static void emit_border(unclamping *u, const hy_expr *first, const hy_expr *end, hy_emit_body *emit) {
  hy_emitter *e = u->frame->emitter;
  bool outside = e->is_compact;
  e->is_compact |= hy_is_heavy(u->frame, u->loop->loop.body, 1);
  emit_piece(u, u->loop->loop.body, first, end, emit);
  e->is_compact = outside;
}

static bool emit_pieces(unclamping *u, hy_emit_body *emit) {
  hy_context *context = u->frame->emitter->context;
  const hy_stmt *body = u->loop->loop.body;
  middle m = middle_of(u);
  if (!hy_range_never_left(u->frame->emitter, m.first) || !hy_range_never_left(u->frame->emitter, m.end)) return false;
  emit_border(u, hy_expr_int(context, 0), m.first, emit);
  emit_piece(u, hy_stmt_map_exprs(context, body, unclamp_expr, u), m.first, m.end, emit);
  emit_border(u, m.end, u->loop->loop.interval.len, emit);
  return true;
}

/* -- the loops of a tile, twice -- */

// One bit: every clamp gives what it is given.
static LLVMValueRef all_inside(unclamping *u) {
  const hy_expr *all = NULL;
  hy_context *context = u->frame->emitter->context;
  for (int i = 0; i < u->bound_count; i++)
    all = all ? hy_expr_and(context, all, is_inside(u, &u->bounds[i])) : is_inside(u, &u->bounds[i]);
  return hy_emit_uniform(u->frame, all);
}

static void emit_version(unclamping *u, LLVMBasicBlockRef start, bool is_border, const hy_stmt *loop,
                         LLVMBasicBlockRef after, hy_emit_body *emit) {
  hy_frame *frame = u->frame;
  bool outside = frame->emitter->is_border;
  hy_frame_at(frame, start);
  hy_frame_scope scope = hy_frame_open(frame);
  frame->epoch++;
  frame->emitter->is_border = is_border;
  emit(frame, loop);
  frame->emitter->is_border = outside;
  hy_frame_close(frame, scope);
  LLVMBuildBr(frame->builder, after);
}

static bool emit_either(unclamping *u, hy_emit_body *emit) {
  hy_frame *frame = u->frame;
  LLVMBasicBlockRef inside = hy_frame_block(frame, "inside"), border = hy_frame_block(frame, "border");
  LLVMBasicBlockRef after = hy_frame_block(frame, "end.unclamped");
  LLVMBuildCondBr(frame->builder, all_inside(u), inside, border);
  const hy_stmt *loop = hy_stmt_map_exprs(frame->emitter->context, u->loop, unclamp_expr, u);
  emit_version(u, inside, frame->emitter->is_border, loop, after, emit);
  emit_version(u, border, true, u->loop, after, emit);
  hy_frame_at(frame, after);
  return true;
}

/* -- */

// False: nothing was emitted.
static bool try_form(hy_frame *frame, const hy_stmt *loop, bool of_tile, hy_emit_body *emit) {
  hy_emitter *e = frame->emitter;
  unclamping u = {
      .frame = frame, .table = hy_affine_table_new(e->context), .loop = loop, .fits = true, .of_tile = of_tile};
  if (of_tile)
    see_loop(&u, loop);
  else
    see_children(&u, loop);
  bool done = u.fits && u.clamps.count > 0 && (of_tile ? emit_either(&u, emit) : emit_pieces(&u, emit));
  if (done) hy_context_hit(e->context, HY_RULE_GEN_UNCLAMP);
  hy_affine_table_free(u.table);
  hy_vec_free(&u.clamps);
  return done;
}

// GEN.Unclamp
bool hy_emit_unclamped(hy_frame *frame, const hy_stmt *loop, hy_emit_body *emit) {
  if (frame->lanes > 1 || frame->accumulation || frame->emitter->is_border) return false;
  if (frame->emitter->options.optimize < 3) return false;
  return try_form(frame, loop, true, emit) || try_form(frame, loop, false, emit);
}
