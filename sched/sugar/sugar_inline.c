#include "sched/sugar/sugar.h"

#include <string.h>

/* Inlining, which is applied before all others: compute_inline(f), f.compute_inline(), and "default inline;", which
 * stands for compute_inline of every func of one stage that the schedule does not name (Halide's convention). Those with
 * updates go to the innermost loop of what reads them (sugar_innermost.c).
 */

static bool inlines(const hy_call *call) { return strcmp(call->name, hy_directive_compute_inline.name) == 0; }

bool hy_sugar_is_inlined(const hy_sugar *s, const hy_func *func) {
  const hy_directive_list *list = &s->phases[HY_PHASE_INLINE];
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i].func == func) return true;
  return false;
}

bool hy_sugar_only_inlines(const hy_schedule_item *item) {
  bool any = false;
  for (int i = 0; i < item->count; i++) {
    if (!inlines(&item->calls[i]) && !hy_sugar_turns(&item->calls[i])) return false;
    any |= inlines(&item->calls[i]);
  }
  return any;
}

static void read(hy_sugar *s, const hy_chain *chain, const hy_call *call) {
  hy_directive directive;
  if (hy_sugar_read(s, chain, &hy_directive_compute_inline, call, &directive)) hy_sugar_add(s, directive);
}

static void read_item(hy_sugar *s, const hy_schedule_item *item) {
  bool any = false;
  for (int i = 0; i < item->count; i++) any |= inlines(&item->calls[i]);
  if (!any) return;
  hy_chain chain = {.func = item->func ? hy_sugar_head(s, item) : NULL};
  for (int i = 0; i < item->count && !s->failed; i++) {
    if (inlines(&item->calls[i]))
      read(s, item->func ? &chain : NULL, &item->calls[i]);
    else
      hy_sugar_follow(s, &chain, &item->calls[i]);
  }
}

/* -- default inline -- */

// f alone as first argument ("compute_at(f, ..)", in a chain ".compute_at(f, x)"), or with a loop ("f.x").
static bool call_names(const hy_call *call, bool in_chain, const char *func) {
  bool first = !in_chain || strcmp(call->name, hy_method_compute_at.name) == 0 ||
               strcmp(call->name, hy_method_store_at.name) == 0;
  for (int i = 0; i < call->count; i++) {
    const hy_argument *a = &call->args[i];
    if ((a->path_count > 1 || (a->path_count == 1 && i == 0 && first)) && strcmp(a->path[0], func) == 0) return true;
  }
  return false;
}

bool hy_sugar_names(const hy_sugar *s, const char *func) {
  const hy_schedule *schedule = s->schedule;
  for (size_t i = 0; i < HY_COUNT(schedule->typed); i++)
    if (schedule->typed[i] && strcmp(schedule->typed[i], func) == 0) return true;
  for (int i = 0; i < schedule->count; i++) {
    const hy_schedule_item *item = &schedule->items[i];
    if (item->func && hy_sugar_chain_names(s, item, func)) return true;
    const hy_directive_type *type = item->func ? NULL : hy_sched_find(s->context, item->calls[0].name);
    if (type && type->phase == HY_PHASE_FUNCS) continue; // whoever reads it otherwise is asked for it as before
    for (int k = 0; k < item->count; k++)
      if (call_names(&item->calls[k], item->func != NULL, func)) return true;
  }
  return false;
}

// DIR.Inline.Default: in the order of definition.
static void inline_unnamed(hy_sugar *s, const hy_schedule *schedule) {
  const hy_tgt *lowered = s->tgt;
  for (int i = 0; i < lowered->func_count && !s->failed; i++) {
    const hy_func *func = lowered->funcs[i];
    if (hy_alg_output(lowered->alg, func) || lowered->stage_counts[i] > 1 || hy_sugar_is_inlined(s, func)) continue;
    if (hy_sugar_names(s, func->name)) continue;
    hy_context_hit(s->context, HY_RULE_DIR_INLINE_DEFAULT);
    hy_sugar_add(s, (hy_directive){.type = &hy_directive_compute_inline, .loc = schedule->loc, .func = func});
  }
}

void hy_sugar_inline(hy_sugar *s, const hy_schedule *schedule) {
  for (int i = 0; i < schedule->count && !s->failed; i++) read_item(s, &schedule->items[i]);
  if (schedule->default_inline && !s->failed) inline_unnamed(s, schedule);
}
