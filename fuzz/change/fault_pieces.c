/* Faults in programs whose loops are in pieces: what codegen's passes may get wrong, or a hand. */

#include "fuzz/change/fault.h"

#include "engines/generator.h"
#include "fuzz/change/rebuild.h"
#include "semantics/base/vec.h"

#include <stdio.h>

typedef struct {
  hy_context *context;
  uint64_t seed, drawn;
  const hy_stmt *body;
  HY_VEC(const hy_stmt *) pieces, guards, loops;
  char *what;
} spoiler;

static uint64_t draw(spoiler *s, uint64_t below) { return hy_splitmix(s->seed, ++s->drawn) % below; }

static const hy_expr *number(const spoiler *s, int64_t n) { return hy_expr_int(s->context, n); }

static const hy_expr *plus(const spoiler *s, const hy_expr *e, int64_t by) {
  return hy_expr_binary(s->context, HY_OP_ADD, e, number(s, by));
}

static int64_t small(spoiler *s) {
  static const int64_t steps[] = {1, -1, 1, -1, 2, -2, 7};
  return steps[draw(s, HY_COUNT(steps))];
}

static void collect(spoiler *s, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR && stmt->loop.piece) hy_vec_push(&s->pieces, stmt);
  if (stmt->kind == HY_STMT_FOR && !stmt->loop.piece) hy_vec_push(&s->loops, stmt);
  if (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD) hy_vec_push(&s->guards, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect(s, children[i]);
}

static void replace(spoiler *s, const hy_stmt *from, const hy_stmt *to) {
  s->body = hy_rebuild(s->context, s->body, from, to);
}

static const hy_stmt *with(const spoiler *s, const hy_stmt *loop, hy_traversal traversal, hy_interval interval,
                           hy_interval whole) {
  const hy_var *of = loop->loop.piece ? loop->loop.piece->of : loop->loop.var;
  return hy_stmt_piece(
      s->context, hy_stmt_for(s->context, loop->loop.var, loop->loop.is_pure, traversal, interval, loop->loop.body), of,
      whole);
}

// An interval that is not quite, or not at all, the one that was meant.
static hy_interval wrong(spoiler *s, hy_interval i, hy_interval whole) {
  switch (draw(s, 8)) {
  case 0: return whole;
  case 1: return (hy_interval){plus(s, i.min, small(s)), i.len};
  case 2: return (hy_interval){whole.min, i.len};
  case 3: return (hy_interval){i.min, whole.len};
  case 4: return (hy_interval){i.min, number(s, (int64_t)draw(s, 4))};
  case 5: {
    int64_t by = small(s);
    return (hy_interval){plus(s, i.min, by), plus(s, i.len, -by)};
  }
  case 6: return (hy_interval){i.min, hy_expr_binary(s->context, HY_OP_MUL, i.len, number(s, 2))};
  default: return (hy_interval){i.min, plus(s, i.len, small(s))};
  }
}

// All pieces of the loop, by the same change of what they have in common.
static void spoil_run(spoiler *s, const hy_stmt *like) {
  const hy_piece *piece = like->loop.piece;
  bool changes_whole = draw(s, 2);
  hy_interval whole = changes_whole ? wrong(s, piece->whole, like->loop.interval) : piece->whole;
  hy_traversal traversal = changes_whole ? like->loop.traversal : (hy_traversal)draw(s, 4);
  for (size_t i = 0; i < s->pieces.count; i++) {
    const hy_stmt *p = s->pieces.data[i];
    if (p->loop.piece->of == piece->of) replace(s, p, with(s, p, traversal, p->loop.interval, whole));
  }
  snprintf(s->what, HY_FAULT_ROOM, changes_whole ? "what pieces are of" : "the traversal of pieces");
}

static bool spoil_piece(spoiler *s) {
  if (!s->pieces.count) return false;
  const hy_stmt *piece = s->pieces.data[draw(s, s->pieces.count)];
  uint64_t how = draw(s, 8);
  if (how == 0) {
    spoil_run(s, piece);
  } else if (how == 1) {
    replace(s, piece, hy_stmt_nop(s->context));
    snprintf(s->what, HY_FAULT_ROOM, "a piece that is lost");
  } else {
    hy_interval whole = piece->loop.piece->whole;
    replace(s, piece, with(s, piece, piece->loop.traversal, wrong(s, piece->loop.interval, whole), whole));
    snprintf(s->what, HY_FAULT_ROOM, "the interval of a piece");
  }
  return true;
}

// A guard left out, where it holds or not.
static bool leave_out(spoiler *s) {
  if (!s->guards.count) return false;
  const hy_stmt *guard = s->guards.data[draw(s, s->guards.count)];
  replace(s, guard, hy_stmt_if(s->context, HY_IF_IMPLIED, guard->branch.condition, guard->branch.then, NULL));
  snprintf(s->what, HY_FAULT_ROOM, "a guard that is left out");
  return true;
}

// A loop of which only a part is run.
static bool cut_loop(spoiler *s) {
  if (!s->loops.count) return false;
  const hy_stmt *loop = s->loops.data[draw(s, s->loops.count)];
  hy_interval whole = loop->loop.interval;
  replace(s, loop, with(s, loop, loop->loop.traversal, wrong(s, whole, whole), whole));
  snprintf(s->what, HY_FAULT_ROOM, "a loop that is cut");
  return true;
}

static bool spoil(spoiler *s) {
  bool done = false;
  collect(s, s->body);
  for (int try = 0; try < 4 && !done; try++) switch (draw(s, 6)) {
    case 0: done = leave_out(s); break;
    case 1: done = cut_loop(s); break;
    default: done = spoil_piece(s);
    }
  hy_vec_free(&s->pieces);
  hy_vec_free(&s->guards);
  hy_vec_free(&s->loops);
  return done;
}

const hy_tgt *hy_fault_in_pieces(hy_context *context, const hy_tgt *passed, uint64_t seed, hy_fault *fault) {
  *fault = (hy_fault){.in_pieces = true};
  spoiler s = {.context = context, .seed = hy_splitmix(seed, 78), .body = passed->body, .what = fault->what};
  bool done = spoil(&s);
  if (done && draw(&s, 4) == 0) (void)spoil(&s);
  if (!done) return NULL;
  hy_tgt *tgt = HY_NEW(hy_context_arena(context), hy_tgt);
  *tgt = *passed;
  tgt->body = s.body;
  return tgt;
}
