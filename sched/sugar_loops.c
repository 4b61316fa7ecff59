/* Desugaring: directives on loops, in chains and alone. They are applied to the scratch program as they come. */

#include "sched/sugar.h"

#include <string.h>

typedef hy_sugar sugar;
typedef hy_chain chain;

/* -- loops: applied to the scratch program as they come -- */

void hy_sugar_emit(sugar *s, hy_directive directive) {
  if (s->failed) return;
  const hy_tgt *next = hy_sched_apply(s->context, s->tgt, &directive, s->diagnostics);
  if (!next) {
    s->failed = true;
    return;
  }
  s->tgt = next;
  hy_vec_push(&s->loops, directive);
}

// The names of the new loops and the factor; "by" holds where they and the loop stand.
static void emit_split(sugar *s, const hy_call *call, hy_directive_places by, const hy_var *loop, const char *outer,
                       const char *inner, const hy_expr *factor, hy_tail tail) {
  if (s->failed || !factor) return;
  hy_sugar_emit(s,
                (hy_directive){.type = &hy_directive_split,
                               .loc = call->loc,
                               .at = by,
                               .loop = loop,
                               .names = {hy_context_name_of(s->context, outer), hy_context_name_of(s->context, inner)},
                               .args = {factor},
                               .tail = tail});
}

// Of the loop that the first argument names, or was split from.
static void emit_traverse(sugar *s, const hy_call *call, const hy_var *loop, hy_traversal traversal) {
  hy_sugar_emit(s, (hy_directive){.type = &hy_directive_traverse,
                                  .loc = call->loc,
                                  .at = {.loop = call->args[0].loc},
                                  .loop = loop,
                                  .traversal = traversal});
}

// For the diagnostic of a tail that does not fit.
static hy_loc tail_place(const hy_call *call, int i) { return i < call->count ? call->args[i].loc : (hy_loc){0}; }

const hy_var *hy_sugar_loop_of(sugar *s, const chain *c, const char *name) {
  return hy_var_loop(s->context, c->func, c->spec, c->stage, name);
}

// parallel(x), vectorize(x), unroll(x) and with a factor: the outer loop keeps the name, the inner one is x_p, x_v,
// x_u.
void hy_sugar_chain_traverse(sugar *s, const chain *c, const hy_call *call, hy_traversal traversal,
                             const char *suffix) {
  hy_tail tail;
  const char *form = hy_arena_printf(hy_context_arena(s->context), "%s(x), %s(x, factor) or %s(x, factor, tail)",
                                     call->name, call->name, call->name);
  if (!hy_sugar_takes(s, call, 1, 3, 0, 1, form) || !hy_sugar_tail(s, call, 2, &tail)) return;
  const char *name = hy_sugar_name_at(call, 0);
  const hy_var *loop = hy_sugar_loop_of(s, c, name);
  if (call->count >= 2) {
    const char *inner = hy_arena_printf(hy_context_arena(s->context), "%s_%s", name, suffix);
    const hy_expr *factor = hy_sugar_startup(s, &call->args[1], HY_INT);
    hy_directive_places by = {.loop = call->args[0].loc,
                              .names = {call->args[0].loc, call->args[0].loc},
                              .args = {call->args[1].loc},
                              .tail = tail_place(call, 2)};
    emit_split(s, call, by, loop, name, inner, factor, tail);
    if (traversal != HY_PARALLEL || HY_MUTANT(SUGAR_Parallel_Inner))
      loop = hy_sugar_loop_of(s, c, inner); // parallel runs over the outer loop
  }
  emit_traverse(s, call, loop, traversal);
}

// split(x, outer, inner, factor[, tail])
static hy_directive_places split_places(const hy_call *call) {
  return (hy_directive_places){.loop = call->args[0].loc,
                               .names = {call->args[1].loc, call->args[2].loc},
                               .args = {call->args[3].loc},
                               .tail = tail_place(call, 4)};
}

void hy_sugar_chain_split(sugar *s, const chain *c, const hy_call *call) {
  hy_tail tail;
  if (!hy_sugar_takes(s, call, 4, 5, 0, 3, "split(x, outer, inner, factor) or split(x, outer, inner, factor, tail)") ||
      !hy_sugar_tail(s, call, 4, &tail))
    return;
  emit_split(s, call, split_places(call), hy_sugar_loop_of(s, c, hy_sugar_name_at(call, 0)), hy_sugar_name_at(call, 1),
             hy_sugar_name_at(call, 2), hy_sugar_startup(s, &call->args[3], HY_INT),
             HY_MUTANT(SUGAR_Tail_Forgotten) ? HY_TAIL_GUARD : tail);
}

// tile(x, y, xi, yi, fx, fy[, tail]) and tile(x, y, xo, yo, xi, yi, fx, fy[, tail])
void hy_sugar_chain_tile(sugar *s, const chain *c, const hy_call *call) {
  int names = call->count >= 8 ? 6 : 4;
  const char *form =
      "tile(x, y, xi, yi, width, height) or tile(x, y, xo, yo, xi, yi, width, height), with a tail if wanted";
  hy_tail tail;
  if (!hy_sugar_takes(s, call, 6, 9, 0, names, form) || !hy_sugar_tail(s, call, names + 2, &tail)) return;
  const char *x = hy_sugar_name_at(call, 0), *y = hy_sugar_name_at(call, 1);
  const char *xo = names == 6 ? hy_sugar_name_at(call, 2) : x, *yo = names == 6 ? hy_sugar_name_at(call, 3) : y;
  const hy_argument *inner = &call->args[names - 2];
  hy_loc tail_loc = tail_place(call, names + 2);
  const hy_argument *outer = names == 6 ? &call->args[2] : &call->args[0];
  for (int d = 0; d < 2; d++) {
    hy_directive_places by = {
        .loop = call->args[d].loc, .names = {outer[d].loc, inner[d].loc}, .args = {inner[2 + d].loc}, .tail = tail_loc};
    emit_split(s, call, by, hy_sugar_loop_of(s, c, d ? y : x), d ? yo : xo, inner[d].path[0],
               hy_sugar_startup(s, &inner[2 + d], HY_INT), tail);
  }
  hy_argument args[4] = {inner[0], inner[1], outer[0], outer[1]};
  hy_call reorder = {"reorder", call->loc, args, 4};
  if (!s->failed) hy_sugar_chain_reorder(s, c, &reorder);
}

// fuse(inner, outer, t), inner first as in Halide
void hy_sugar_chain_fuse(sugar *s, const chain *c, const hy_call *call) {
  if (!hy_sugar_takes(s, call, 3, 3, 0, 3, "fuse(inner, outer, fused)")) return;
  hy_sugar_emit(s, (hy_directive){.type = &hy_directive_fuse,
                                  .loc = call->loc,
                                  .at = {.loop = call->args[1].loc, .names = {call->args[0].loc, call->args[2].loc}},
                                  .loop = hy_sugar_loop_of(s, c, hy_sugar_name_at(call, 1)),
                                  .names = {hy_context_name_of(s->context, hy_sugar_name_at(call, 0)),
                                            hy_context_name_of(s->context, hy_sugar_name_at(call, 2))}});
}

/* -- core directives -- */

void hy_sugar_core_split(sugar *s, const hy_call *call) {
  hy_tail tail;
  const char *form = "split(f.x, outer, inner, factor) or split(f.x, outer, inner, factor, tail)";
  if (!hy_sugar_takes(s, call, 4, 5, 1, 3, form)) return;
  const hy_var *loop = hy_sugar_loop(s, &call->args[0]);
  if (!loop || !hy_sugar_tail(s, call, 4, &tail)) return;
  emit_split(s, call, split_places(call), loop, hy_sugar_name_at(call, 1), hy_sugar_name_at(call, 2),
             hy_sugar_startup(s, &call->args[3], HY_INT), tail);
}

void hy_sugar_core_fuse(sugar *s, const hy_call *call) {
  if (!hy_sugar_takes(s, call, 3, 3, 1, 3, "fuse(f.outer, inner, fused)")) return;
  const hy_var *loop = hy_sugar_loop(s, &call->args[0]);
  if (!loop) return;
  hy_sugar_emit(s, (hy_directive){.type = &hy_directive_fuse,
                                  .loc = call->loc,
                                  .at = {.loop = call->args[0].loc, .names = {call->args[1].loc, call->args[2].loc}},
                                  .loop = loop,
                                  .names = {hy_context_name_of(s->context, hy_sugar_name_at(call, 1)),
                                            hy_context_name_of(s->context, hy_sugar_name_at(call, 2))}});
}

void hy_sugar_core_swap(sugar *s, const hy_call *call) {
  if (!hy_sugar_takes(s, call, 1, 1, 0, 0, "swap(f.x)")) return;
  const hy_var *loop = hy_sugar_loop(s, &call->args[0]);
  if (loop)
    hy_sugar_emit(
        s,
        (hy_directive){.type = &hy_directive_swap, .loc = call->loc, .at = {.loop = call->args[0].loc}, .loop = loop});
}

void hy_sugar_core_traverse(sugar *s, const hy_call *call) {
  static const hy_traversal all[] = {HY_SERIAL, HY_PARALLEL, HY_VECTORIZED, HY_UNROLLED};
  const char *form = "traverse(f.x, serial), parallel, vectorized or unrolled";
  if (!hy_sugar_takes(s, call, 2, 2, 1, 2, form)) return;
  for (size_t i = 0; i < HY_COUNT(all); i++)
    if (strcmp(hy_sugar_name_at(call, 1), hy_traversal_name(all[i])) == 0) {
      const hy_var *loop = hy_sugar_loop(s, &call->args[0]);
      if (loop) emit_traverse(s, call, loop, all[i]);
      return;
    }
  s->failed = true;
  hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, call->args[1].loc, "DIR.Traverse",
            "write serial, parallel, vectorized or unrolled", "'%s' is no way to traverse a loop",
            hy_sugar_name_at(call, 1));
}

void hy_sugar_chain_serial(sugar *s, const chain *c, const hy_call *call) {
  if (!hy_sugar_takes(s, call, 1, 1, 0, 1, "serial(x)")) return;
  emit_traverse(s, call, hy_sugar_loop_of(s, c, hy_sugar_name_at(call, 0)), HY_SERIAL);
}
