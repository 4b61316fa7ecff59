#include "sched/sugar/sugar.h"
#include "sched/chain.h"

#include <string.h>

/* From a schedule as written to core directives in the order applied (shared language page, "Schedules").
 *
 * Loops directives are desugared and applied to a scratch program in the order of the text, because "reorder" and the
 * names of inner loops depend on the loops that are there. Computations and allocations are sorted consumers first.
 */

typedef hy_directive_list directive_list;
typedef hy_sugar sugar;
typedef hy_chain chain;

/* -- calls -- */

static const hy_method *const methods[] = {
#define HY_METHOD(name) &hy_method_##name,
#include "sched/methods.def"
#undef HY_METHOD
};

const char *hy_sched_method(int number, const char **form, const char **summary) {
  if (number >= (int)HY_COUNT(methods)) return NULL;
  *form = methods[number]->form;
  *summary = methods[number]->summary;
  return methods[number]->name;
}

static const hy_method *find_method(const char *name) {
  for (size_t i = 0; i < HY_COUNT(methods); i++)
    if (strcmp(methods[i]->name, name) == 0) return methods[i];
  return NULL;
}

bool hy_sched_chain_takes(const char *name, int *least, int *most) {
  const hy_method *method = find_method(name);
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  if (method) return *least = method->least, *most = method->most, true;
  for (int i = 0; i < count; i++) {
    if (!all[i]->in_chain || strcmp(all[i]->name, name) != 0) continue;
    hy_sugar_count_arguments(all[i], true, least, most);
    return true;
  }
  return false;
}

// The words of methods' forms end so: "vectorize(x[, factor[, tail]])"; "tile(x, y[, xo, yo], ..)" has two lengths.
bool hy_sched_chain_ends_with_tail(const char *name, int count) {
  int least, most;
  if (!hy_sched_chain_takes(name, &least, &most)) return false;
  const hy_method *method = find_method(name);
  if (!method) return count == most && strcmp(name, hy_directive_split.name) == 0;
  if (!strstr(method->form, ", tail]")) return false;
  return count == most || (strstr(method->form, "[, xo, yo]") && count == most - 2);
}

bool hy_sugar_is_a_word(const hy_sugar *s, const hy_call *call) {
  return find_method(call->name) || hy_sched_find(s->context, call->name);
}

// The words that may stand alone, or in a chain.
typedef struct {
  const char *names[64];
  size_t count;
} words;

static words list_words(bool in_chain) {
  words w = {.count = 0};
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  for (int i = 0; i < count && w.count < HY_COUNT(w.names); i++)
    if (!in_chain || all[i]->in_chain) w.names[w.count++] = all[i]->name;
  for (size_t i = 0; in_chain && i < HY_COUNT(methods) && w.count < HY_COUNT(w.names); i++)
    w.names[w.count++] = methods[i]->name;
  return w;
}

static bool is_among(const char *name, const words *w) {
  for (size_t i = 0; i < w->count; i++)
    if (strcmp(name, w->names[i]) == 0) return true;
  return false;
}

// Directives of Halide that there are not, each with the reason and with what to write instead.
typedef struct {
  const char *name, *decision, *reason, *instead;
} absent_directive;

static const absent_directive absent_directives[] = {
#define HY_ABSENT(name, decision, reason, instead) {#name, decision, reason, instead},
#include "sched/absent.def"
#undef HY_ABSENT
};

static const absent_directive *find_absent(const char *name) {
  for (size_t i = 0; i < HY_COUNT(absent_directives); i++)
    if (strcmp(name, absent_directives[i].name) == 0) return &absent_directives[i];
  return NULL;
}

bool hy_sched_is_absent(const char *name, const char **reason, const char **instead) {
  const absent_directive *absent = find_absent(name);
  *reason = absent ? absent->reason : NULL;
  *instead = absent ? absent->instead : NULL;
  return absent != NULL;
}

const char *hy_sched_chain_nearest(const char *name) {
  const words here = list_words(true);
  return hy_nearest_name(name, here.names, here.count);
}

// SCH.Absent
static bool is_absent(sugar *s, const hy_call *call) {
  const absent_directive *absent = find_absent(call->name);
  if (!absent) return false;
  hy_context_hit(s->context, HY_RULE_SCH_ABSENT);
  s->failed = true;
  hy_report(s->diagnostics, HY_E_ABSENT_DIRECTIVE, call->loc,
            *absent->decision
                ? hy_arena_printf(hy_context_arena(s->context), "SCH.Absent (decision %s)", absent->decision)
                : "SCH.Absent",
            absent->instead, "Halide's '%s' is not in this language: %s", call->name, absent->reason);
  return true;
}

static void unknown(sugar *s, const hy_call *call, bool in_chain) {
  if (is_absent(s, call)) return;
  hy_arena *arena = hy_context_arena(s->context);
  const words here = list_words(in_chain), there = list_words(!in_chain);
  const char *near = hy_nearest_name(call->name, here.names, here.count),
             *help =
                 "'halyard directives' lists what there is, or give the plug-in that defines it with --plugin FILE.so";
  if (near)
    help = hy_arena_printf(arena, "did you mean '%s'? or give the plug-in that defines it with --plugin FILE.so", near);
  else if (is_among(call->name, &there))
    help = hy_arena_printf(
        arena, in_chain ? "it stands alone: %s(f.x, ...)" : "it follows a func in a chain: f.%s(...)", call->name);
  s->failed = true;
  hy_report(s->diagnostics, HY_E_UNKNOWN_DIRECTIVE, call->loc, NULL, help,
            in_chain ? "there is no method '%s' of a schedule chain" : "there is no directive '%s'", call->name);
}

bool hy_sched_knows(hy_context *context, const hy_schedule *schedule, hy_diagnostics *diagnostics) {
  sugar s = {.context = context, .diagnostics = diagnostics};
  for (int i = 0; i < schedule->count; i++) {
    const hy_schedule_item *item = &schedule->items[i];
    for (int k = 0; k < item->count && !s.failed; k++) {
      const hy_directive_type *type = hy_sched_find(context, item->calls[k].name);
      bool is_known =
          item->func ? (type && (type->in_chain || type->phase == HY_PHASE_INLINE)) || find_method(item->calls[k].name)
                     : type != NULL;
      if (!is_known) unknown(&s, &item->calls[k], item->func != NULL);
    }
  }
  return !s.failed;
}

// Of a func that another chain added, .in() and .in(a) may both name it: where only a reads, they are the same.
static const char *help_of_moved(sugar *s, const hy_func *func) {
  const directive_list *added = &s->phases[HY_PHASE_FUNCS];
  for (size_t i = 0; i < added->count; i++) {
    const hy_directive *d = &added->data[i];
    if (d->made != func || d->reader_count != 1) continue;
    return hy_arena_printf(
        hy_context_arena(s->context),
        "keep one of them: '%s' is what '%s' reads in place of '%s', whichever of the calls names it", func->name,
        d->readers[0]->name, d->func->name);
  }
  return "keep one of them";
}

// DIR.Move-Once: a func is moved at most once, its computation and its storage each.
static bool is_moved(sugar *s, const hy_directive *directive) {
  const directive_list *list = &s->phases[directive->type->phase];
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i].func == directive->func) {
      s->failed = true;
      hy_context_hit(s->context, HY_RULE_DIR_MOVE_ONCE);
      hy_report(s->diagnostics, HY_E_ALREADY_MOVED, directive->loc, NULL, help_of_moved(s, directive->func),
                "'%s' is moved twice", directive->func->name);
      hy_note(s->diagnostics, HY_E_ALREADY_MOVED, list->data[i].loc, "this says where '%s' is %s",
              directive->func->name, directive->type->phase == HY_PHASE_COMPUTE ? "computed" : "stored");
      return true;
    }
  return false;
}

static bool apply(sugar *s, const hy_directive *directive) {
  const hy_tgt *next = hy_sched_apply(s->context, s->tgt, directive, s->diagnostics);
  if (next) {
    s->tgt = next;
    hy_vec_push(&s->steps, next);
  } else {
    s->failed = true;
  }
  return next != NULL;
}

void hy_sugar_add(sugar *s, hy_directive directive) {
  if (s->failed) return;
  switch (directive.type->phase) {
  case HY_PHASE_FUNCS:
  case HY_PHASE_INLINE:
  case HY_PHASE_SPECIALIZE:
  case HY_PHASE_LOOPS:
  case HY_PHASE_COPIES:
    if (!apply(s, &directive)) return;
    break;
  case HY_PHASE_COMPUTE:
  case HY_PHASE_STORAGE:
    if (is_moved(s, &directive)) return;
    break;
  case HY_PHASE_BOUNDS:
  case HY_PHASE_PLAN: break;
  }
  hy_vec_push(&s->phases[directive.type->phase], directive);
}

// The second walk, "moving", is that of the phases behind the loops.
static bool is_now(hy_phase phase, bool moving) { return (phase > HY_PHASE_LOOPS) == moving; }

static void call_directive(sugar *s, const chain *c, const hy_directive_type *type, const hy_call *call, bool moving) {
  hy_directive directive;
  if (!is_now(type->phase, moving) || !hy_sugar_read(s, c, type, call, &directive)) return;
  if (!c && type->phase == HY_PHASE_LOOPS && directive.loop) hy_sugar_begin_alone(s, directive.loop);
  if (c && type == &hy_directive_split)
    hy_sugar_split(s, c, directive);
  else
    hy_sugar_add(s, directive);
}

static void core_call(sugar *s, const hy_call *call, bool moving) {
  const hy_directive_type *type = hy_sched_find(s->context, call->name);
  if (!type)
    unknown(s, call, false);
  else if (type->phase > HY_PHASE_SPECIALIZE && type->phase != HY_PHASE_COPIES) // the others were found before
    call_directive(s, NULL, type, call, moving);
}

static void update(sugar *s, chain *c, const hy_call *call) {
  const hy_expr *k = call->count == 1 ? hy_sugar_startup(s, &call->args[0], HY_INT) : hy_expr_int(s->context, 0);
  int64_t number = 0;
  if (s->failed || !hy_sugar_takes(s, call, 0, 1, 0, 0, "update(k) with a constant k")) return;
  int stages = hy_tgt_stage_count(s->tgt, c->func);
  if (hy_expr_is_int(k, &number) && number >= 0 && number < stages - 1) {
    c->stage = (int)number + 1;
    return;
  }
  s->failed = true;
  hy_report(s->diagnostics, HY_E_UNKNOWN_LOOP, call->count ? call->args[0].loc : call->loc, "SCH.Loop (lemma 6.1)",
            stages == 2  ? "its only update is update(0)"
            : stages > 2 ? hy_arena_printf(hy_context_arena(s->context), "its updates are 0 to %d", stages - 2)
                         : "it has no updates",
            "'%s' has no such update", c->func->name);
}

const hy_method hy_method_update = {.name = "update",
                                    .form = "update(k)",
                                    .summary = "turns to the k-th update of the func, from 0; .update() is .update(0)",
                                    .least = 0,
                                    .most = 1,
                                    .phase = HY_PHASE_SPECIALIZE,
                                    .turns = true,
                                    .read = update};

// SCH.Chain: one call of a chain; moves wait until all loops directives were applied ("moving" is the second walk).
static void chain_call(sugar *s, chain *c, const hy_call *call, bool moving) {
  hy_context_hit(s->context, HY_RULE_SCH_CHAIN);
  const hy_directive_type *type = hy_sched_find(s->context, call->name);
  const hy_method *method = find_method(call->name);
  if (type && type->phase == HY_PHASE_INLINE) return; // found before all others
  if (c->func->is_image && (type || method) && !hy_sugar_turns(call) && !hy_sugar_is_of_buffers(s, call)) {
    hy_sugar_func(s, c->func->name, call->loc); // which reports: it has no loops
    return;
  }
  if (hy_sugar_is_taken(s, call)) return; // so were those
  if (type && type->in_chain)
    call_directive(s, c, type, call, moving);
  else if (!method)
    unknown(s, call, true);
  else if (method->turns || is_now(method->phase, moving))
    method->read(s, c, call);
}

// SCH.Chain-Copies: what a chain says of the loops of a stage it says of all copies of the stage that no chain has turned
// to yet.
static void call_in_copies(sugar *s, const chain *c, const hy_call *call) {
  const hy_directive_type *type = hy_sched_find(s->context, call->name);
  const hy_method *method = find_method(call->name);
  const bool is_directive = type && type->in_chain;
  const bool is_of_loops =
      is_directive ? type->phase == HY_PHASE_LOOPS : method && !method->turns && method->phase == HY_PHASE_LOOPS;
  if (!is_of_loops || hy_sugar_is_taken(s, call)) return;
  chain copy = *c;
  while (!s->failed && (copy.spec = hy_sugar_next_copy(s, c, copy.spec))) {
    hy_context_hit(s->context, HY_RULE_SCH_CHAIN_COPIES);
    chain_call(s, &copy, call, false);
    if (s->failed) hy_sugar_note_copy(s, &copy);
  }
}

// Of a copy that comes when all loops are what they will be nothing is said in the first walk.
static bool is_of_later_copy(const sugar *s, const hy_schedule_item *item) {
  bool later = hy_sugar_copied(s, item->func) != NULL;
  for (int i = 0; i < item->count && later; i++) {
    const hy_directive_type *type = hy_sched_find(s->context, item->calls[i].name);
    const hy_method *method = find_method(item->calls[i].name);
    if (type ? type->phase <= HY_PHASE_LOOPS : method && method->phase <= HY_PHASE_LOOPS) return false;
  }
  return later;
}

static void chain_item(sugar *s, const hy_schedule_item *item, bool moving) {
  if (hy_sugar_only_inlines(item) || (!moving && is_of_later_copy(s, item))) return;
  chain c = {.func = hy_sugar_head(s, item)};
  if (!c.func) return;
  for (int i = 0; i < item->count && !s->failed; i++) {
    chain_call(s, &c, &item->calls[i], moving);
    hy_sugar_begin(s, &c);
    if (s->failed) hy_sugar_note_lanes(s, &c, &item->calls[i]);
    if (s->failed) hy_sugar_note_copy(s, &c);
    if (!s->failed && !moving) call_in_copies(s, &c, &item->calls[i]);
  }
}

/* -- the whole -- */

static int position(const sugar *s, const hy_func *func) {
  for (int i = 0; i < s->tgt->func_count; i++)
    if (s->tgt->funcs[i] == func) return i;
  return -1;
}

// Consumers first: a producer is then moved to the front of a loop body, before its consumer.
static void append_consumers_first(sugar *s, const directive_list *from, directive_list *to) {
  for (int p = s->tgt->func_count - 1; p >= 0; p--)
    for (size_t i = 0; i < from->count; i++)
      if (position(s, from->data[i].func) == p) hy_vec_push(to, from->data[i]);
}

static void walk_items(sugar *s, const hy_schedule *schedule, bool moving) {
  for (int i = 0; i < schedule->count && !s->failed; i++) {
    const hy_schedule_item *item = &schedule->items[i];
    if (item->func)
      chain_item(s, item, moving);
    else
      core_call(s, &item->calls[0], moving);
  }
}

// Copies between the two walks: what follows may speak of them.
static void walk_copies(sugar *s, const hy_schedule *schedule) {
  for (int i = 0; i < schedule->count && !s->failed; i++) {
    const hy_call *call = &schedule->items[i].calls[0];
    const hy_directive_type *type = schedule->items[i].func ? NULL : hy_sched_find(s->context, call->name);
    hy_directive directive;
    if (type && type->phase == HY_PHASE_COPIES && hy_sugar_read(s, NULL, type, call, &directive))
      hy_sugar_add(s, directive);
  }
}

// Phase by phase; computations and allocations consumers first.
static void list_all(sugar *s, directive_list *all) {
  for (int phase = 0; phase < (int)HY_COUNT(s->phases); phase++) {
    const directive_list *list = &s->phases[phase];
    if (phase == HY_PHASE_COMPUTE || phase == HY_PHASE_STORAGE)
      append_consumers_first(s, list, all);
    else
      for (size_t i = 0; i < list->count; i++) hy_vec_push(all, list->data[i]);
  }
}

static void hand_over(sugar *s, hy_desugared *out) {
  directive_list all = {0};
  hy_sugar_tell_followed(s);
  list_all(s, &all);
  if (all.count) {
    hy_context_hit(s->context, HY_RULE_SCH_PHASE); // SCH.Phase: specialize, loops, compute, storage, bounds (Figure 11)
    hy_directive *core = HY_NEW_ARRAY(hy_context_arena(s->context), hy_directive, all.count);
    const hy_tgt **steps = HY_NEW_ARRAY(hy_context_arena(s->context), const hy_tgt *, s->steps.count);
    memcpy(core, all.data, sizeof *core * all.count);
    if (s->steps.count) memcpy(steps, s->steps.data, sizeof *steps * s->steps.count);
    *out = (hy_desugared){core, (int)all.count, steps, (int)s->steps.count};
  }
  hy_vec_free(&all);
}

bool hy_sched_desugar(hy_context *context, const hy_tgt *lowered, const hy_schedule *schedule,
                      hy_diagnostics *diagnostics, hy_desugared *desugared) {
  *desugared = (hy_desugared){.core = NULL};
  sugar s = {.context = context, .tgt = lowered, .diagnostics = diagnostics, .schedule = schedule};
  if (strcmp(schedule->pipeline, lowered->alg->name) != 0) {
    hy_report(diagnostics, HY_E_SCHEDULE_PIPELINE, schedule->pipeline_loc, NULL, "name the pipeline of the algorithm",
              "schedule '%s' is for '%s', the pipeline is '%s'", schedule->name, schedule->pipeline,
              lowered->alg->name);
    return false;
  }
  hy_sugar_funcs(&s, schedule);
  if (!s.failed) hy_sugar_inline(&s, schedule);
  if (!s.failed) hy_sugar_specialize(&s, schedule);
  if (!s.failed) hy_sugar_turn_lanes(&s);
  if (!s.failed) walk_items(&s, schedule, false);
  if (!s.failed) hy_sugar_turn_innermost(&s);
  if (!s.failed) walk_copies(&s, schedule);
  if (!s.failed) walk_items(&s, schedule, true);
  if (!s.failed) hy_sugar_place_moves(&s);
  if (!s.failed) hy_sugar_place_lanes(&s);
  if (!s.failed) hy_sugar_spread(&s);
  if (!s.failed) hand_over(&s, desugared);
  hy_sugar_free_specializations(&s);
  for (size_t i = 0; i < HY_COUNT(s.phases); i++) hy_vec_free(&s.phases[i]);
  hy_vec_free(&s.steps);
  hy_vec_free(&s.taken);
  hy_vec_free(&s.lanes);
  hy_vec_free(&s.placed);
  hy_vec_free(&s.implied);
  return !s.failed;
}
