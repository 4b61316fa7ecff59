#include "sched/funcs/funcs.h"
#include "sched/funcs/monoid.h"
#include "sched/sugar/sugar.h"

#include <string.h>

/* DIR.RFactor.Vectors: f.update(0).vectorize(r, 8) of a variable of the reduction, where parts of it may be combined in
 * another order, is Halide's way to sum in lanes: r is split by 8, an rfactor makes a func of the lanes, its dimension is
 * the innermost loop and runs in vectors, and it is computed for each point that f's update combines. Where they may not,
 * it is the vectorize of a loop, which DIR.Traverse refuses.
 */

static const char *with_ending(const hy_sugar *s, const char *name, const char *ending) {
  return hy_context_name_of(s->context, hy_arena_printf(hy_context_arena(s->context), "%s%s", name, ending));
}

bool hy_funcs_may_take_apart(hy_context *context, const hy_tgt *tgt, const hy_var *loop) {
  const hy_stmt *found = hy_tree_loop(tgt->body, loop);
  if (!found || found->loop.is_pure || loop->func->rank == HY_MAX_RANK) return false;
  hy_update update;
  hy_lowered_stage s = hy_funcs_stage(tgt, loop);
  return !hy_funcs_names_point(&s, loop) &&
         !hy_update_of(context, tgt, s.assign, s.predicate, s.loops, s.loop_count, loop, &update);
}

bool hy_sugar_is_vectorize(const hy_call *call) {
  return strcmp(call->name, hy_method_vectorize.name) == 0 && call->count && call->args[0].path_count == 1;
}

// Does the item say anything of loops of an update in vectors, all specializations being one?
bool hy_sugar_has_vectors(const hy_schedule_item *item) {
  bool updates = false;
  for (int i = 0; i < item->count && strcmp(item->calls[i].name, hy_method_specialize.name) != 0; i++) {
    updates |= strcmp(item->calls[i].name, hy_method_update.name) == 0;
    if (updates && hy_sugar_is_vectorize(&item->calls[i])) return true;
  }
  return false;
}

bool hy_sugar_sums_in_vectors(hy_sugar *s, const hy_chain *chain, const hy_call *call) {
  if (!chain->func || chain->func->is_image || chain->stage <= 0 || !hy_sugar_is_vectorize(call)) return false;
  return hy_funcs_may_take_apart(s->context, s->tgt, hy_sugar_loop_of(s, chain, hy_sugar_name_at(call, 0)));
}

// split(r, r, r_v, factor, tail)
static void split_lanes(hy_sugar *s, const hy_chain *chain, const hy_call *call, const char *part) {
  hy_argument *args = HY_NEW_ARRAY(hy_context_arena(s->context), hy_argument, 5);
  args[0] = args[1] = args[2] = call->args[0];
  args[2].path[0] = part;
  for (int i = 1; i < call->count && i < 3; i++) args[2 + i] = call->args[i];
  hy_call *split = HY_NEW(hy_context_arena(s->context), hy_call);
  *split = (hy_call){hy_directive_split.name, call->loc, args, call->count + 2};
  hy_sugar_split_reduction(s, chain, split);
}

static bool is_of_constants(const hy_expr *expr) {
  if (expr->kind != HY_EXPR_OP) return expr->kind == HY_EXPR_CONST;
  for (int i = 0; i < expr->count; i++)
    if (!is_of_constants(expr->args[i])) return false;
  return true;
}

// FIN.Extent of the lanes, in the words of the schedule: without a factor there are as many as the loop has turns.
static bool is_constant(hy_sugar *s, const hy_chain *chain, const hy_call *call) {
  const hy_stmt *loop = hy_tree_loop(s->tgt->body, hy_sugar_loop_of(s, chain, hy_sugar_name_at(call, 0)));
  if (call->count > 1 || is_of_constants(loop->loop.interval.len)) return true;
  s->failed = true;
  hy_context_hit(s->context, HY_RULE_FIN_EXTENT);
  hy_report(s->diagnostics, HY_E_EXTENT_NOT_CONSTANT, call->args[0].loc, "FIN.Extent (decision D45)",
            hy_arena_printf(hy_context_arena(s->context), "say how many lanes it has: %s.update(%d).vectorize(%s, 8)",
                            chain->func->name, chain->stage - 1, loop->loop.var->name),
            "the extent of the vectorized loop '%s' is not a constant", hy_names_of(s->context, loop->loop.var));
  return false;
}

// DIR.RFactor.Vectors is of all specializations.
static void note_specialization(hy_sugar *s, const hy_chain *chain, const hy_call *call) {
  const hy_code code = HY_E_PARALLEL_REDUCTION;
  bool refused = hy_diagnostics_at(s->diagnostics, hy_diagnostics_count(s->diagnostics) - 1)->code == code;
  if (!refused || !chain->spec || !chain->stage || !hy_sugar_is_vectorize(call)) return;
  hy_note(s->diagnostics, code, call->loc,
          "where its operator allows it, a reduction is summed in vectors in all specializations: "
          "%s.update(%d).vectorize(%s, ..), "
          "in a chain without specialize",
          chain->func->name, chain->stage - 1, hy_sugar_name_at(call, 0));
}

void hy_sugar_note_lanes(hy_sugar *s, const hy_chain *chain, const hy_call *call) {
  note_specialization(s, chain, call);
  for (size_t i = 0; i < s->lanes.count; i++) {
    const hy_lane_sum *l = &s->lanes.data[i];
    const char *name = hy_sugar_name_at(l->call, 0);
    bool names_it = l->combining->func == chain->func && l->combining->stage == chain->stage && l->call != call;
    for (int a = 0; names_it && a < call->count; a++)
      if (call->args[a].path_count == 1 && call->args[a].path[0] == name)
        hy_note(s->diagnostics, HY_E_UNKNOWN_LOOP, l->call->loc,
                "this sums in vectors: the loop '%s' went to '%s', the func of the lanes, %s.update(0), and '%s' "
                "combines them",
                name, l->made->name, l->made->name, hy_names_of(s->context, l->combining));
  }
}

void hy_sugar_take_lanes(hy_sugar *s, const hy_chain *chain, const hy_call *call) {
  const char *name = hy_sugar_name_at(call, 0), *part = with_ending(s, name, "_v");
  if (!hy_sugar_takes(s, call, 1, 3, 0, 1, hy_method_vectorize.form) || !is_constant(s, chain, call)) return;
  if (call->count > 1) split_lanes(s, chain, call, part);
  if (s->failed) return;
  hy_directive d = {.type = &hy_directive_rfactor, .loc = call->loc, .func = chain->func};
  d.names[0] = with_ending(s, name, "_lane");
  d.loop = hy_sugar_loop_of(s, chain, call->count > 1 ? part : name);
  d.at.loop = d.at.names[0] = call->args[0].loc;
  d.made =
      hy_funcs_make_for(s->context, s->tgt, &d, hy_funcs_factor_name(s->context, chain->func, chain->stage), call->loc);
  hy_context_hit(s->context, HY_RULE_DIR_RFACTOR_VECTORS);
  hy_sugar_add(s, d);
  if (s->failed) return;
  hy_vec_push(&s->taken, call);
  hy_vec_push(&s->lanes, ((hy_lane_sum){d.made, d.loop, call}));
}

/* -- loops of the func of the lanes, and where it is computed -- */

static hy_argument named(const hy_call *call, const char *name) {
  hy_argument argument = call->args[0];
  argument.path[0] = name;
  return argument;
}

// The lanes are the innermost loop of that stage, in vectors.
static void turn_stage(hy_sugar *s, const hy_lane_sum *l, int number) {
  hy_lowered_stage stage = hy_funcs_stage_at(s->tgt, l->made, number);
  const char *lane = l->made->dims[l->made->rank - 1];
  hy_chain chain = {.func = l->made, .stage = number};
  hy_argument args[HY_MOST_REORDERED];
  int count = 0;
  args[count++] = named(l->call, lane);
  for (int i = stage.loop_count; i-- > 0 && count < HY_MOST_REORDERED;)
    if (strcmp(stage.loops[i]->loop.var->name, lane) != 0)
      args[count++] = named(l->call, stage.loops[i]->loop.var->name);
  hy_call reorder = {hy_method_reorder.name, l->call->loc, args, count};
  hy_call vectorize = {hy_method_vectorize.name, l->call->loc, args, 1};
  if (count > 1) hy_sugar_reorder(s, &chain, &reorder);
  if (!s->failed) hy_method_vectorize.read(s, &chain, &vectorize);
}

void hy_sugar_turn_lanes(hy_sugar *s) {
  for (size_t i = 0; i < s->lanes.count; i++)
    for (int number = 0; number < 2 && !s->failed; number++) turn_stage(s, &s->lanes.data[i], number);
}

static bool is_moved(const hy_sugar *s, const hy_func *func, hy_phase phase) {
  for (size_t i = 0; i < s->phases[phase].count; i++)
    if (s->phases[phase].data[i].func == func) return true;
  return false;
}

// The innermost pure loop of the update around that which combines the lanes, outside of vectors.
static const hy_var *site_of(const hy_sugar *s, const hy_var *combining) {
  const hy_stmt *loop = hy_tree_loop(s->tgt->body, combining);
  int count = 0;
  const hy_stmt **path = loop ? hy_tree_path(s->tgt->body, loop, &count) : NULL;
  const hy_var *site = NULL;
  for (int i = 0; i < count && path[i] != loop; i++) {
    if (path[i]->kind != HY_STMT_FOR || path[i]->loop.var->func != combining->func) continue;
    if (!path[i]->loop.is_pure || path[i]->loop.traversal == HY_VECTORIZED) break;
    site = path[i]->loop.var;
  }
  hy_free(path);
  return site;
}

static void place(hy_sugar *s, const hy_lane_sum *l, const hy_directive_type *type, const hy_var *site) {
  if (is_moved(s, l->made, type->phase)) return;
  hy_directive d = {.type = type, .loc = l->call->loc, .func = l->made, .loop = site};
  d.at.loop = l->call->args[0].loc;
  hy_sugar_add(s, d);
}

// Unless the schedule says where: for each point that f's update combines.
void hy_sugar_place_lanes(hy_sugar *s) {
  for (size_t i = 0; i < s->lanes.count && !s->failed; i++) {
    const hy_lane_sum *l = &s->lanes.data[i];
    const hy_var *site = is_moved(s, l->made, HY_PHASE_COMPUTE) ? NULL : site_of(s, l->combining);
    if (!site) continue;
    place(s, l, &hy_directive_compute_at, site);
    place(s, l, &hy_directive_store_at, site);
  }
}
