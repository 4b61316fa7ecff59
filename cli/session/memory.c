#include "cli/session/memory.h"

#include "engines/evaluate.h"
#include "semantics/storage/layout.h"

typedef struct {
  const hy_tgt *filled;
  const hy_input *input;
  const hy_func *func; // the largest so far; NULL: none
  int64_t len[HY_MAX_RANK];
  double bytes;
} search;

// How many cells a side has: those of its plan, not only those that are asked for.
static double cells_of(const hy_plan *plan, int d, int64_t len) {
  double cells = plan && plan->fold[d] ? (double)plan->fold[d] : (double)len;
  double align = plan ? (double)plan->align[d] : 1;
  return cells + (align - 1); // a little more does not matter here
}

static void weigh(search *s, const hy_stmt *stmt) {
  const hy_func *func = stmt->allocate.func;
  int64_t len[HY_MAX_RANK];
  double bytes = (double)hy_func_bytes(func);
  for (int d = 0; d < func->rank; d++) {
    hy_value side = hy_input_evaluate(s->filled->alg, s->input, stmt->allocate.box[d].len);
    if (side.error || side.i < 0) return;
    len[d] = side.i;
    bytes *= cells_of(stmt->allocate.plan, d, side.i);
  }
  if (bytes <= s->bytes) return;
  s->func = func, s->bytes = bytes;
  for (int d = 0; d < func->rank; d++) s->len[d] = len[d];
}

// Inside of loops a box speaks of their variables.
static void look(search *s, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ALLOCATE) weigh(s, stmt);
  if (stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET) return;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) look(s, children[i]);
}

void hy_memory_blame(hy_session *session, const hy_tgt *filled, const hy_input *input) {
  search s = {.filled = filled, .input = input};
  hy_text sides = {0};
  look(&s, filled->body);
  if (!s.func) return;
  for (int d = 0; d < s.func->rank; d++) hy_text_printf(&sides, "%s%lld", d ? " x " : "", (long long)s.len[d]);
  hy_note(session->diagnostics, HY_E_RUN_MEMORY, s.func->loc, "the most is '%s', %s points, %.3g GB", s.func->name,
          sides.length ? hy_text_string(&sides) : "1", s.bytes * 1e-9);
  hy_text_free(&sides);
}
