#include "cli/session/memory.h"

#include "engines/engine.h"
#include "engines/evaluate.h"
#include "halyard/copies.h"
#include "halyard/excess/divided.h"
#include "semantics/storage/layout.h"

typedef struct {
  hy_context *context;
  const hy_tgt *filled;
  const hy_input *input;
  HY_VEC(hy_binding) around; // loops, by where they begin, and lets
  const hy_func *func;       // the largest so far; NULL: none
  int64_t len[HY_MAX_RANK];
  double bytes;
} search;

// How many cells a side has: those of its plan, not only those that are asked for.
static double cells_of(const hy_plan *plan, int d, int64_t len) {
  double cells = plan && plan->fold[d] ? (double)plan->fold[d] : (double)len;
  double align = plan ? (double)plan->align[d] : 1;
  return cells + (align - 1); // a little more does not matter here
}

// Its value in the first iterations of the loops around. An error: it has none, or not by what is known before the run.
static hy_value value_of(const search *s, const hy_expr *expr) {
  expr = hy_expr_substitute(s->context, expr, s->around.data, s->around.count);
  if (!hy_expr_is_startup(expr)) return hy_value_error(expr->type, HY_ERROR_MEM);
  return hy_input_evaluate(s->filled->alg, s->input, expr);
}

static void weigh(search *s, const hy_stmt *stmt) {
  const hy_func *func = stmt->allocate.func;
  int64_t len[HY_MAX_RANK];
  double bytes = (double)hy_func_bytes(func);
  for (int d = 0; d < func->rank; d++) {
    hy_value side = value_of(s, stmt->allocate.box[d].len);
    if (side.error || side.i < 0) return;
    len[d] = side.i;
    bytes *= cells_of(stmt->allocate.plan, d, side.i);
  }
  if (bytes <= s->bytes) return;
  s->func = func, s->bytes = bytes;
  for (int d = 0; d < func->rank; d++) s->len[d] = len[d];
}

static void look(search *s, const hy_stmt *stmt);

static void look_within(search *s, const hy_var *var, const hy_expr *value, const hy_stmt *body) {
  value = hy_expr_substitute(s->context, value, s->around.data, s->around.count);
  hy_vec_push(&s->around, ((hy_binding){var, value}));
  look(s, body);
  s->around.count--;
}

// What does not run asks for nothing.
static void look_at_branch(search *s, const hy_stmt *stmt) {
  hy_value condition = value_of(s, stmt->branch.condition);
  if (condition.error || hy_value_is_true(condition)) look(s, stmt->branch.then);
  if ((condition.error || !hy_value_is_true(condition)) && stmt->branch.otherwise) look(s, stmt->branch.otherwise);
}

static void look(search *s, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  if (stmt->kind == HY_STMT_ALLOCATE) weigh(s, stmt);
  if (stmt->kind == HY_STMT_IF) {
    look_at_branch(s, stmt);
  } else if (stmt->kind == HY_STMT_FOR) {
    look_within(s, stmt->loop.var, stmt->loop.interval.min, stmt->loop.body);
  } else if (stmt->kind == HY_STMT_LET) {
    look_within(s, stmt->let.var, stmt->let.value, stmt->let.body);
  } else {
    int count = hy_stmt_children(stmt, &children, room);
    for (int i = 0; i < count; i++) look(s, children[i]);
  }
}

// Where it is so large because a divisor may be 0.
static void tell_divisor(hy_session *session, const hy_pipeline *p, const hy_func *func) {
  const hy_expr *divisor = hy_divided_region(p, func);
  if (!divisor) return;
  hy_text why = {0};
  hy_divided_tell(p, divisor, &why);
  hy_note(session->diagnostics, HY_E_RUN_MEMORY, (hy_loc){0}, "%s", hy_text_string(&why));
  hy_text_free(&why);
}

bool hy_demand_blame(hy_session *session, const hy_pipeline *p, const hy_input *input) {
  const hy_func *func = hy_engine_cannot_lie(p->filled, input);
  if (!func) return false;
  hy_report(session->diagnostics, HY_E_RUN_DEMAND, p->loc, "GEN.Demand",
            "choose a smaller box, or take back one of its demands: set_stride takes buffers that lie otherwise, too",
            "by the strides that the schedule demands of '%s', elements of its box would share memory", func->name);
  return true;
}

void hy_memory_blame(hy_session *session, const hy_pipeline *p, const hy_input *input) {
  search s = {.context = session->context, .filled = p->filled, .input = input};
  hy_text sides = {0}, func = {0};
  look(&s, p->filled->body);
  hy_vec_free(&s.around);
  if (!s.func) return;
  for (int d = 0; d < s.func->rank; d++) hy_text_printf(&sides, "%s%lld", d ? " x " : "", (long long)s.len[d]);
  hy_copies_print(p, s.func, &func);
  hy_note(session->diagnostics, HY_E_RUN_MEMORY, s.func->loc, "the most is %s, %s points, %.3g GB",
          hy_text_string(&func), sides.length ? hy_text_string(&sides) : "1", s.bytes * 1e-9);
  tell_divisor(session, p, s.func);
  hy_text_free(&func);
  hy_text_free(&sides);
}
