#include "sched/funcs/funcs.h"
#include "sched/sugar/sugar.h"

#include "semantics/text/syntax.h"

#include <stdlib.h>
#include <string.h>

/* Halide's idiom f.update(0).split(r, ro, ri, 8).rfactor(ro, u): funcs are added before loops are split, so the split of
 * what an rfactor takes is a directive of its own, split_reduction, of that phase. It is one if further down, in this
 * chain or in another item, an rfactor of the same update names ro or ri, or what such a split makes of them.
 */

// What is looked for from a call on: the names of the parts, of a stage of a func.
typedef struct {
  const hy_sugar *s;
  const char *func;
  int stage;         // of the parts
  bool may_be_lanes; // a vectorize of one is an rfactor, too
  HY_VEC(const char *) names;
} parts;

static bool is_part(const parts *p, const char *name) {
  for (size_t i = 0; i < p->names.count; i++)
    if (strcmp(p->names.data[i], name) == 0) return true;
  return false;
}

static bool is_split(const hy_call *call) {
  bool plain = strcmp(call->name, hy_directive_split.name) == 0 && call->count >= 4;
  for (int i = 0; i < 3 && plain; i++) plain = call->args[i].path_count == 1;
  return plain;
}

static void add_names(parts *p, const hy_call *split, int first) {
  for (int i = first; i < first + 2; i++) hy_vec_push(&p->names, split->args[i].path[0]);
}

// The stage that .update(k) turns to; -1: none that can be told.
static int stage_of(const hy_sugar *s, const hy_call *update) {
  int64_t number = -1;
  if (update->count == 0) return 1;
  hy_diagnostics *said = hy_diagnostics_new(); // whoever reads the call says it
  const hy_expr *k = hy_syntax_startup(s->context, s->tgt->alg, update->args[0].syntax, HY_INT, said);
  hy_diagnostics_free(said);
  return k && hy_expr_is_int(k, &number) && number >= 0 && number < INT16_MAX ? (int)number + 1 : -1;
}

// In the calls of a chain from one on, which speaks of the func's stage there. As far as it speaks of that func.
static bool is_taken_in(parts *p, const hy_schedule_item *item, int from, int stage) {
  for (int i = from; i < item->count; i++) {
    const hy_call *call = &item->calls[i];
    if (strcmp(call->name, hy_method_update.name) == 0)
      stage = stage_of(p->s, call);
    else if (hy_sugar_turns(call))
      return strcmp(call->name, hy_method_rfactor.name) == 0 && stage == p->stage && call->count &&
             call->args[0].path_count == 1 && is_part(p, call->args[0].path[0]);
    else if (stage == p->stage && is_split(call) && is_part(p, call->args[0].path[0]))
      add_names(p, call, 1);
    else if (stage == p->stage && p->may_be_lanes && hy_sugar_is_vectorize(call) && is_part(p, call->args[0].path[0]))
      return true;
  }
  return false;
}

// rfactor(f.s1.ro, u, i), or split_reduction(f.s1.ro, a, b, 2), which goes on
static bool is_taken_by(parts *p, const hy_call *call) {
  bool factors = strcmp(call->name, hy_directive_rfactor.name) == 0;
  bool splits = strcmp(call->name, hy_directive_split_reduction.name) == 0;
  if ((!factors && !splits) || !call->count || call->args[0].path_count != 3) return false;
  const char *const *path = call->args[0].path;
  bool same =
      strcmp(path[0], p->func) == 0 && path[1][0] == 's' && atoi(path[1] + 1) == p->stage && is_part(p, path[2]);
  if (!same || factors || call->count < 3) return same && factors;
  if (call->args[1].path_count == 1 && call->args[2].path_count == 1) add_names(p, call, 1);
  return false;
}

static bool is_taken_below(parts *p, const hy_schedule_item *item, int from) {
  const hy_schedule *schedule = p->s->schedule;
  if (is_taken_in(p, item, from, p->stage)) return true;
  for (const hy_schedule_item *next = item + 1; next < schedule->items + schedule->count; next++) {
    if (!next->func && is_taken_by(p, &next->calls[0])) return true;
    if (next->func && strcmp(next->func, p->func) == 0 && is_taken_in(p, next, 0, 0)) return true;
  }
  return false;
}

// Is what is split a reduction that may be taken apart? Of a part of one that is split below, it is known then.
static bool may_be_lanes(const hy_sugar *s, const char *name, int stage, const hy_call *split) {
  const hy_func *func = hy_alg_find(s->tgt->alg, name);
  if (!func) func = hy_sugar_made(s, name);
  if (!func || func->is_image) return false;
  return hy_funcs_may_take_apart(s->context, s->tgt, hy_var_loop(s->context, func, 0, stage, split->args[0].path[0]));
}

static bool splits(const hy_sugar *s, const char *func, int stage, const hy_schedule_item *item, int at) {
  if (stage <= 0 || !is_split(&item->calls[at])) return false;
  parts p = {.s = s, .func = func, .stage = stage, .may_be_lanes = may_be_lanes(s, func, stage, &item->calls[at])};
  add_names(&p, &item->calls[at], 1);
  bool taken = is_taken_below(&p, item, at + 1);
  hy_vec_free(&p.names);
  return taken;
}

bool hy_sugar_splits_reduction(const hy_sugar *s, const hy_chain *chain, const hy_schedule_item *item, int at) {
  return chain->func && splits(s, chain->func->name, chain->stage, item, at);
}

bool hy_sugar_has_reduction_split(const hy_sugar *s, const hy_schedule_item *item) {
  int stage = 0;
  for (int i = 0; i < item->count && !hy_sugar_turns(&item->calls[i]); i++)
    if (strcmp(item->calls[i].name, hy_method_update.name) == 0)
      stage = stage_of(s, &item->calls[i]);
    else if (splits(s, item->func, stage, item, i))
      return true;
  return false;
}

bool hy_sugar_is_taken(const hy_sugar *s, const hy_call *call) {
  for (size_t i = 0; i < s->taken.count; i++)
    if (s->taken.data[i] == call) return true;
  return false;
}

// DIR.Split-Reduction.Chain
void hy_sugar_split_reduction(hy_sugar *s, const hy_chain *chain, const hy_call *call) {
  const hy_directive_type *type = &hy_directive_split_reduction;
  hy_directive d = {.type = type, .loc = call->loc, .func = chain->func};
  int64_t constant;
  if (!hy_sugar_takes(s, call, 4, 5, 0, 3, hy_directive_split.in_chain) || !hy_sugar_tail(s, call, 4, &d.tail)) return;
  d.loop = hy_sugar_loop_of(s, chain, hy_sugar_name_at(call, 0));
  d.at.loop = call->args[0].loc;
  for (int i = 0; i < 2; i++) {
    d.names[i] = hy_context_name_of(s->context, hy_sugar_name_at(call, 1 + i));
    d.at.names[i] = call->args[1 + i].loc;
  }
  d.args[0] = hy_sugar_startup(s, &call->args[3], HY_INT);
  d.at.args[0] = call->args[3].loc;
  if (call->count > 4) d.at.tail = call->args[4].loc;
  if (!d.args[0]) return;
  if (!hy_expr_is_int(d.args[0], &constant)) {
    s->failed = true;
    hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, call->args[3].loc, "DIR.Split-Reduction.Chain",
              "write a number, or two variables in the rdom", "what rfactor takes is split by a constant");
    return;
  }
  hy_context_hit(s->context, HY_RULE_DIR_SPLIT_REDUCTION_CHAIN);
  hy_vec_push(&s->taken, call);
  hy_sugar_add(s, d);
}
