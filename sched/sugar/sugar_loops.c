/* Desugaring: methods of chains that work on loops. */

#include "sched/alternatives.h"
#include "sched/sugar/sugar.h"

#include <string.h>

typedef hy_sugar sugar;
typedef hy_chain chain;

static void mark(sugar *s, hy_loc loc, hy_loc by, const hy_var *loop, hy_traversal traversal) {
  hy_sugar_add(
      s, (hy_directive){
             .type = &hy_directive_traverse, .loc = loc, .at = {.loop = by}, .loop = loop, .traversal = traversal});
}

// A copy of a specialization has its loops from what was said of the stage before, traversals, too (SCH.Said-Again).
static hy_traversal inherited(const sugar *s, const chain *c, const hy_var *loop) {
  const hy_stmt *stmt = c->spec ? hy_tree_loop(s->tgt->body, loop) : NULL;
  return stmt ? stmt->loop.traversal : HY_SERIAL;
}

void hy_sugar_split(sugar *s, const chain *c, hy_directive split) {
  const hy_traversal was = inherited(s, c, split.loop);
  if (was != HY_SERIAL) {
    hy_context_hit(s->context, HY_RULE_SCH_SAID_AGAIN);
    mark(s, split.loc, split.at.loop, split.loop, HY_SERIAL);
  }
  hy_sugar_add(s, split);
  for (int i = 0; i < 2 && was != HY_SERIAL; i++)
    mark(s, split.loc, split.at.names[i], hy_sugar_loop_of(s, c, split.names[i]), was);
}

// The names of the new loops and the factor; "by" holds where they and the loop stand.
static void emit_split(sugar *s, const chain *c, const hy_call *call, hy_directive_places by, const hy_var *loop,
                       const char *outer, const char *inner, const hy_expr *factor, hy_tail tail) {
  if (s->failed || !factor) return;
  hy_sugar_split(s, c,
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
  mark(s, call->loc, call->args[0].loc, loop, traversal);
}

// For the diagnostic of a tail that does not fit.
static hy_loc tail_place(const hy_call *call, int i) { return i < call->count ? call->args[i].loc : (hy_loc){0}; }

const hy_var *hy_sugar_loop_of(sugar *s, const chain *c, const char *name) {
  return hy_var_loop(s->context, c->func, c->spec, c->stage, name);
}

// parallel(x, y): is what stands where a factor does another loop of the stage? Reports if so.
static bool is_second_loop(sugar *s, const chain *c, const hy_call *call) {
  const hy_argument *second = &call->args[1];
  if (second->path_count != 1 || !hy_tree_loop(s->tgt->body, hy_sugar_loop_of(s, c, second->path[0]))) return false;
  s->failed = true;
  hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, second->loc, NULL,
            hy_arena_printf(hy_context_arena(s->context), "write .%s(%s).%s(%s)", call->name, hy_sugar_name_at(call, 0),
                            call->name, second->path[0]),
            "'%s' takes one loop, and '%s' is another", call->name, second->path[0]);
  return true;
}

// vectorize(x, 8) makes a loop x_v, which nobody writes: is there one, of a vectorize(x, ..) before? Reports if so.
// What a copy has from its stage is none that its own chain has made: there the loop gets the next name that is free.
static bool is_made_again(sugar *s, const chain *c, const hy_call *call, const char *inner) {
  const char *name = hy_sugar_name_at(call, 0);
  if (c->spec || !hy_tree_loop(s->tgt->body, hy_sugar_loop_of(s, c, inner))) return false;
  s->failed = true;
  hy_context_hit(s->context, HY_RULE_SCH_FRESH);
  hy_report(s->diagnostics, HY_E_NAME_CLASH, call->args[0].loc,
            "SCH.Fresh (section 8.2: new, unique, non-conflicting names)",
            hy_arena_printf(
                hy_context_arena(s->context), "keep one of the two, or name the loop: %s.split(%s, %s, %si, 8).%s(%si)",
                hy_alternatives_chain(s->context, hy_sugar_loop_of(s, c, name)), name, name, name, call->name, name),
            "'%s' calls the loop that it makes '%s', and '%s' has one of that name", call->name, inner, c->func->name);
  return true;
}

// x_v; in a copy that has a loop of that name x_v2, or the next that is free.
static const char *name_inner(sugar *s, const chain *c, const char *name, const char *suffix) {
  hy_arena *arena = hy_context_arena(s->context);
  const char *inner = hy_arena_printf(arena, "%s_%s", name, suffix);
  for (int n = 2; c->spec && hy_names_is_live(s->tgt->body, hy_sugar_loop_of(s, c, inner)); n++)
    inner = hy_arena_printf(arena, "%s_%s%d", name, suffix, n);
  return inner;
}

// Vectors of vectors, where a copy has one of the two from its stage, are one vector: of the loop and of the one directly
// inside it, by the name that the stage has for it, which is the outer one's where that was split just now.
static void join_vectors(sugar *s, const chain *c, const hy_call *call, const hy_var *loop, bool is_outer) {
  const hy_stmt *outer = c->spec && !s->failed ? hy_tree_loop(s->tgt->body, loop) : NULL;
  const hy_stmt *inner = outer ? outer->loop.body : NULL;
  if (!inner || inner->kind != HY_STMT_FOR || inner->loop.traversal != HY_VECTORIZED) return;
  const char *named = is_outer ? loop->name : inner->loop.var->name;
  const hy_loc by = call->args[0].loc;
  mark(s, call->loc, by, loop, HY_SERIAL);
  mark(s, call->loc, by, inner->loop.var, HY_SERIAL);
  hy_sugar_add(s, (hy_directive){.type = &hy_directive_fuse,
                                 .loc = call->loc,
                                 .in_chain = true,
                                 .at = {.loop = by, .names = {by, by}},
                                 .loop = loop,
                                 .names = {inner->loop.var->name, named}});
  mark(s, call->loc, by, hy_sugar_loop_of(s, c, named), HY_VECTORIZED);
}

// parallel(x), vectorize(x), unroll(x) and with a factor: the outer loop keeps the name, the inner one is x_p, x_v,
// x_u.
static void traverse(sugar *s, const chain *c, const hy_call *call, hy_traversal traversal, const char *suffix) {
  hy_tail tail;
  const char *form = hy_arena_printf(hy_context_arena(s->context), "%s(x), %s(x, factor) or %s(x, factor, tail)",
                                     call->name, call->name, call->name);
  if (!hy_sugar_takes(s, call, 1, 3, 0, 1, form) || (call->count >= 2 && is_second_loop(s, c, call)) ||
      !hy_sugar_tail(s, call, 2, &tail))
    return;
  const char *name = hy_sugar_name_at(call, 0);
  const hy_var *loop = hy_sugar_loop_of(s, c, name);
  bool in_vector = false; // is the loop that is split
  if (call->count >= 2) {
    const char *inner = name_inner(s, c, name, suffix);
    if (is_made_again(s, c, call, inner)) return;
    in_vector = inherited(s, c, loop) == HY_VECTORIZED;
    const hy_expr *factor = hy_sugar_startup(s, &call->args[1], HY_INT);
    hy_directive_places by = {.loop = call->args[0].loc,
                              .names = {call->args[0].loc, call->args[0].loc},
                              .args = {call->args[1].loc},
                              .tail = tail_place(call, 2)};
    emit_split(s, c, call, by, loop, name, inner, factor, tail);
    if (traversal != HY_PARALLEL) loop = hy_sugar_loop_of(s, c, inner); // parallel runs over the outer loop
  }
  emit_traverse(s, call, loop, traversal);
  if (traversal == HY_VECTORIZED) join_vectors(s, c, call, in_vector ? hy_sugar_loop_of(s, c, name) : loop, in_vector);
}

// tile(x, y, xi, yi, fx, fy[, tail]) and tile(x, y, xo, yo, xi, yi, fx, fy[, tail])
static void tile(sugar *s, chain *c, const hy_call *call) {
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
    const hy_expr *factor = hy_sugar_startup(s, &inner[2 + d], HY_INT);
    emit_split(s, c, call, by, hy_sugar_loop_of(s, c, d ? y : x), d ? yo : xo, inner[d].path[0], factor, tail);
  }
  hy_argument args[4] = {inner[0], inner[1], outer[0], outer[1]};
  hy_call reorder = {"reorder", call->loc, args, 4};
  if (!s->failed) hy_sugar_reorder(s, c, &reorder);
}

// fuse(inner, outer, t), inner first as in Halide
static void fuse(sugar *s, chain *c, const hy_call *call) {
  if (!hy_sugar_takes(s, call, 3, 3, 0, 3, "fuse(inner, outer, fused)")) return;
  hy_sugar_add(s, (hy_directive){.type = &hy_directive_fuse,
                                 .loc = call->loc,
                                 .in_chain = true,
                                 .at = {.loop = call->args[1].loc, .names = {call->args[0].loc, call->args[2].loc}},
                                 .loop = hy_sugar_loop_of(s, c, hy_sugar_name_at(call, 1)),
                                 .names = {hy_context_name_of(s->context, hy_sugar_name_at(call, 0)),
                                           hy_context_name_of(s->context, hy_sugar_name_at(call, 2))}});
}

static void serial(sugar *s, chain *c, const hy_call *call) {
  if (!hy_sugar_takes(s, call, 1, 1, 0, 1, "serial(x)")) return;
  emit_traverse(s, call, hy_sugar_loop_of(s, c, hy_sugar_name_at(call, 0)), HY_SERIAL);
}

static void parallel(sugar *s, chain *c, const hy_call *call) { traverse(s, c, call, HY_PARALLEL, "p"); }
static void vectorize(sugar *s, chain *c, const hy_call *call) { traverse(s, c, call, HY_VECTORIZED, "v"); }
static void unroll(sugar *s, chain *c, const hy_call *call) { traverse(s, c, call, HY_UNROLLED, "u"); }

const hy_method hy_method_tile = {.name = "tile",
                                  .form = "tile(x, y[, xo, yo], xi, yi, width, height[, tail])",
                                  .summary = "splits two loops, and puts the inner parts inside of both outer ones",
                                  .least = 6,
                                  .most = 9,
                                  .phase = HY_PHASE_LOOPS,
                                  .read = tile};
const hy_method hy_method_fuse = {.name = "fuse",
                                  .form = "fuse(x, y, t)",
                                  .summary = "the directive fuse, the inner loop first",
                                  .least = 3,
                                  .most = 3,
                                  .phase = HY_PHASE_LOOPS,
                                  .read = fuse};
const hy_method hy_method_serial = {.name = "serial",
                                    .form = "serial(x)",
                                    .summary = "runs a loop in order",
                                    .least = 1,
                                    .most = 1,
                                    .phase = HY_PHASE_LOOPS,
                                    .read = serial};
const hy_method hy_method_parallel = {.name = "parallel",
                                      .form = "parallel(x[, factor[, tail]])",
                                      .summary =
                                          "runs a loop in parallel; with a factor, in tasks of so many iterations",
                                      .least = 1,
                                      .most = 3,
                                      .phase = HY_PHASE_LOOPS,
                                      .read = parallel};
const hy_method hy_method_vectorize = {.name = "vectorize",
                                       .form = "vectorize(x[, factor[, tail]])",
                                       .summary = "runs a loop in vector lanes; with a factor, so many at a time",
                                       .least = 1,
                                       .most = 3,
                                       .phase = HY_PHASE_LOOPS,
                                       .read = vectorize};
const hy_method hy_method_unroll = {.name = "unroll",
                                    .form = "unroll(x[, factor[, tail]])",
                                    .summary = "unrolls a loop; with a factor, so many iterations at a time",
                                    .least = 1,
                                    .most = 3,
                                    .phase = HY_PHASE_LOOPS,
                                    .read = unroll};
