#include "codegen/codegen_internal.h"

/* What is asked of a statement before its lanes are emitted.
 *
 * How much code it becomes, where each lane has an address of its own: a load of 16 lanes through indices that
 * are clamped, divided or loaded is 16 loads with what each of them takes, under a mask as many branches. The time that
 * LLVM takes grows faster than their number. So what is heavy is emitted once for each lane, in a loop over them, where
 * it runs for a few lanes alone: at borders (llvm_unclamp.c) and ends (llvm_branch.c); and unrolled loops that have such
 * ends inside, or that are heavier by far, stay loops (llvm_stmt.c).
 */

enum { HEAVY = 256, TOO_MUCH = 1 << 30 };

typedef struct weighing {
  hy_var_list varying; // what differs between lanes
  int64_t weight;
} weighing;

// No sum of variables and constants: lanes of such an index lie anywhere.
static void see_choice(void *self, const hy_expr *node) {
  bool *is_sum = self;
  if (node->kind == HY_EXPR_ACCESS) *is_sum = false;
  if (node->kind != HY_EXPR_OP) return;
  *is_sum &= node->op == HY_OP_ADD || node->op == HY_OP_SUB || node->op == HY_OP_NEG || node->op == HY_OP_MUL;
}

static bool varies(const weighing *w, const hy_expr *expr) {
  for (size_t i = 0; i < w->varying.count; i++)
    if (hy_expr_mentions(expr, w->varying.data[i])) return true;
  return false;
}

static void see_access(void *self, const hy_expr *access) {
  weighing *w = self;
  bool is_sum = true;
  for (int d = 0; d < access->count && is_sum; d++)
    if (varies(w, access->args[d])) hy_expr_visit(access->args[d], see_choice, &is_sum);
  w->weight += !is_sum;
}

static void weigh(weighing *w, const hy_stmt *stmt) {
  size_t outer = w->varying.count;
  int64_t before = w->weight, len;
  bool is_loop = stmt->kind == HY_STMT_FOR;
  if (stmt->kind == HY_STMT_ASSIGN) hy_expr_visit_accesses(stmt->assign.rhs, see_access, w);
  if (stmt->kind == HY_STMT_LET && varies(w, stmt->let.value)) hy_vec_push(&w->varying, stmt->let.var);
  if (is_loop && stmt->loop.traversal == HY_VECTORIZED) hy_vec_push(&w->varying, stmt->loop.var);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) weigh(w, children[i]);
  w->varying.count = outer;
  bool is_unrolled = is_loop && stmt->loop.traversal == HY_UNROLLED && hy_expr_is_int(stmt->loop.interval.len, &len);
  if (is_unrolled && len > 1 && len <= HY_MOST_COPIES) w->weight += (w->weight - before) * (len - 1);
  if (w->weight > TOO_MUCH) w->weight = TOO_MUCH;
}

bool hy_is_heavy(const hy_frame *frame, const hy_stmt *stmt, int64_t copies) {
  weighing w = {0};
  const hy_emitter *e = frame->emitter;
  for (size_t i = 0; i < e->vars.count; i++)
    if (e->vars.data[i].frame == frame && e->vars.data[i].lanes.shape != HY_UNIFORM)
      hy_vec_push(&w.varying, e->vars.data[i].var);
  weigh(&w, stmt);
  hy_vec_free(&w.varying);
  return w.weight > HEAVY / copies / e->copies;
}

/* -- which vectors the lanes of a loop become (GEN.Vector). Of a vector that lives from one block of code to the next
 * LLVM makes registers if its lanes are a power of two, or if it fills one register when they are rounded up to one. Any
 * other it takes apart into scalars, one for each lane, and puts together again wherever it is used: sums of 40 floats
 * took ten times as long as those of 8. So such lanes are several vectors beside each other, the largest first: 32 and
 * 8. -- */

enum { LEAST_REGISTER = 128 }; // bits

// In bits: the narrowest element that is stored, and the widest that is stored, loaded or computed.
typedef struct widths {
  int least, most;
} widths;

// Indices are of type int, and hardly ever vectors of 64 bits (llvm_narrow.c); where one is loaded or stored it counts.
static void see_value(void *self, const hy_expr *node) {
  widths *w = self;
  bool is_value = node->kind == HY_EXPR_ACCESS || (node->kind == HY_EXPR_OP && node->type != HY_INT);
  if (is_value && hy_type_bits(node->type) > w->most) w->most = hy_type_bits(node->type);
}

static void see(widths *w, const hy_stmt *stmt) {
  int parts = stmt->kind == HY_STMT_ASSIGN ? hy_func_parts(stmt->assign.func) : 0;
  for (int i = 0; i < parts; i++) {
    int bits = hy_type_bits(hy_func_type(stmt->assign.func, i));
    if (w->least == 0 || bits < w->least) w->least = bits;
    if (bits > w->most) w->most = bits;
    hy_expr_visit(hy_expr_part(stmt->assign.rhs, i), see_value, w);
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) see(w, children[i]);
}

int hy_vector_lanes(const hy_emitter *emitter, const hy_stmt *body, int64_t lanes) {
  int64_t power = 1;
  widths w = {0};
  while (2 * power <= lanes) power *= 2;
  if (power == lanes) return (int)lanes;
  see(&w, body);
  bool fills_one = 2 * power * w.least >= LEAST_REGISTER && 2 * power * w.most <= emitter->target->vector_bits;
  return (int)(fills_one ? lanes : power);
}
