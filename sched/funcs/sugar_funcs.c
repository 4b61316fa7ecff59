#include "sched/funcs/funcs.h"
#include "sched/sugar/sugar.h"

#include <string.h>

/* Funcs that a schedule adds, before all other directives: wrap(f, w, g) and clone(f, c, g), rfactor(f.s1.r, u, i); and
 * Halide's spelling in a chain, f.in(g), f.clone_in(g) and f.update(0).rfactor(r, u), behind which the chain speaks of
 * the func that was added. It is called f_in_g, f_clone_in_g, f_intm there, as in Halide, and f_in where no reader is
 * named. A chain that says the same again means the same
 * func.
 */

static const hy_directive_list *added(const hy_sugar *s) { return &s->phases[HY_PHASE_FUNCS]; }

const hy_func *hy_sugar_made(const hy_sugar *s, const char *name) {
  for (size_t i = 0; i < added(s)->count; i++)
    if (added(s)->data[i].made && strcmp(added(s)->data[i].made->name, name) == 0) return added(s)->data[i].made;
  return NULL;
}

/* -- chains -- */

static const hy_directive_type *turned_by(const hy_call *call) {
  if (strcmp(call->name, hy_method_in.name) == 0) return &hy_directive_wrap;
  if (strcmp(call->name, hy_method_clone_in.name) == 0) return &hy_directive_clone;
  return strcmp(call->name, hy_method_rfactor.name) == 0 ? &hy_directive_rfactor : NULL;
}

bool hy_sugar_turns(const hy_call *call) { return turned_by(call) != NULL; }

bool hy_sugar_is_of_buffers(const hy_sugar *s, const hy_call *call) {
  const hy_directive_type *type = hy_sched_find(s->context, call->name);
  return type && type->arguments[0] == HY_TAKES_BUFFER;
}

// The readers that the call names, all if it names none: sets them, and what the func is called. False after reporting.
static bool read_readers(hy_sugar *s, const hy_call *call, hy_directive *d, const char **name) {
  const hy_func **readers = HY_NEW_ARRAY(hy_context_arena(s->context), const hy_func *, HY_MOST_READERS);
  if (!hy_sugar_takes(s, call, 0, HY_MOST_READERS, 0, call->count, "f.in() or f.in(reader, ...)")) return false;
  for (int i = 0; i < call->count; i++)
    if (!(readers[i] = hy_sugar_func(s, call->args[i].path[0], call->args[i].loc))) return false;
  d->readers = readers;
  d->reader_count = call->count;
  *name = hy_funcs_chain_name(s->context, d->type, d->func, readers, call->count);
  if (!call->count) d->reader_count = hy_funcs_all_readers(s->context, s->tgt, d->func, &d->readers);
  return true;
}

static bool is_named(const hy_call *call, int k, const hy_func *reader) {
  return call->args[k].path_count == 1 && strcmp(call->args[k].path[0], reader->name) == 0;
}

// In any order, as in Halide.
static bool names_readers(const hy_call *call, const hy_directive *d) {
  if (call->count != d->reader_count) return false;
  for (int i = 0; i < call->count; i++) {
    bool has = false, is = false; // the call the i-th reader, the directive the i-th word
    for (int k = 0; k < call->count; k++)
      has |= is_named(call, k, d->readers[i]), is |= is_named(call, i, d->readers[k]);
    if (!has || !is) return false;
  }
  return true;
}

enum { ANY_STAGE = -1 };

// Is that what the call of a chain at the func would add? Of all readers there is one: which those are is not asked.
static bool is_added(hy_context *context, const hy_directive *d, const hy_directive_type *type, const hy_func *func,
                     int stage, const hy_call *call) {
  if (d->type != type || d->func != func) return false;
  if (type == &hy_directive_rfactor)
    return call->count == 2 && (stage == ANY_STAGE || d->loop->stage == stage) && call->args[0].path_count == 1 &&
           call->args[1].path_count == 1 && strcmp(call->args[0].path[0], d->loop->name) == 0 &&
           strcmp(call->args[1].path[0], d->names[0]) == 0;
  if (!call->count) return d->made->name == hy_funcs_chain_name(context, type, func, NULL, 0);
  return names_readers(call, d);
}

// What an earlier chain has added for the same readers.
static const hy_func *find(const hy_sugar *s, const hy_directive_type *type, const hy_chain *chain,
                           const hy_call *call) {
  for (size_t i = 0; i < added(s)->count; i++)
    if (is_added(s->context, &added(s)->data[i], type, chain->func, chain->stage, call)) return added(s)->data[i].made;
  return NULL;
}

const hy_func *hy_sched_turned(hy_context *context, const hy_directive *core, int count, const char *func,
                               const hy_call *call) {
  const hy_directive_type *type = turned_by(call);
  for (int i = 0; i < count && type; i++)
    if (core[i].type == type && strcmp(core[i].func->name, func) == 0 &&
        is_added(context, &core[i], type, core[i].func, ANY_STAGE, call))
      return core[i].made;
  return NULL;
}

// What to write for rfactor(r, u, q, v), Halide's list of pairs
static const char *form_of_factors(hy_sugar *s, const hy_chain *chain, const hy_call *call) {
  for (int i = 0; i < 4; i++)
    if (call->count != 4 || call->args[i].path_count != 1) return "f.update(0).rfactor(r, u)";
  return hy_arena_printf(
      hy_context_arena(s->context),
      "two, the second of the func that the first makes: rfactor(%s, %s); %s.update(0).rfactor(%s, %s); a split that "
      "makes %s stands in that second chain",
      call->args[0].path[0], call->args[1].path[0], hy_funcs_factor_name(s->context, chain->func, chain->stage),
      call->args[2].path[0], call->args[3].path[0], call->args[2].path[0]);
}

// f_intm, or f_intm_k of the k-th update but the first
static bool read_factor(hy_sugar *s, const hy_chain *chain, const hy_call *call, hy_directive *d, const char **name) {
  if (!hy_sugar_takes(s, call, 2, 2, 0, 2, form_of_factors(s, chain, call))) return false;
  d->loop = hy_sugar_loop_of(s, chain, call->args[0].path[0]);
  d->at.loop = call->args[0].loc;
  d->names[0] = hy_context_name_of(s->context, call->args[1].path[0]);
  d->at.names[0] = call->args[1].loc;
  *name = hy_funcs_factor_name(s->context, chain->func, chain->stage);
  return d->loop != NULL;
}

static void add(hy_sugar *s, const hy_directive_type *type, hy_chain *chain, const hy_call *call) {
  hy_directive d = {.type = type, .loc = call->loc, .func = chain->func};
  const char *name;
  bool factors = type == &hy_directive_rfactor;
  if (!(factors ? read_factor(s, chain, call, &d, &name) : read_readers(s, call, &d, &name))) return;
  d.made = hy_funcs_make_for(s->context, s->tgt, &d, name, call->loc);
  hy_sugar_add(s, d);
  if (!s->failed) chain->func = d.made;
}

// DIR.Funcs.Chain: adds the func, or turns to the one that is there.
void hy_sugar_turn(hy_sugar *s, hy_chain *chain, const hy_call *call) {
  const hy_directive_type *type = turned_by(call);
  const hy_func *known = find(s, type, chain, call);
  hy_context_hit(s->context, HY_RULE_DIR_FUNCS_CHAIN);
  if (known)
    chain->func = known;
  else
    add(s, type, chain, call);
  chain->stage = chain->spec = 0;
}

const hy_method hy_method_in = {.name = "in",
                                .form = "in(g, ...)",
                                .summary = "adds f_in_g, f's values for g to read, and turns to it; f may be an image; "
                                           "without g f_in, for all that read f",
                                .least = 0,
                                .most = HY_MOST_READERS,
                                .phase = HY_PHASE_FUNCS,
                                .turns = true,
                                .read = hy_sugar_turn};

const hy_method hy_method_clone_in = {.name = "clone_in",
                                      .form = "clone_in(g, ...)",
                                      .summary = "adds f_clone_in_g, which computes what f does, for g to read, and "
                                                 "turns to it",
                                      .least = 0,
                                      .most = HY_MOST_READERS,
                                      .phase = HY_PHASE_FUNCS,
                                      .turns = true,
                                      .read = hy_sugar_turn};

const hy_method hy_method_rfactor = {.name = "rfactor",
                                     .form = "rfactor(r, u)",
                                     .summary = "adds f_intm, the update's reduction apart for each value of r, its "
                                                "dimension u, and turns to it",
                                     .least = 2,
                                     .most = 2,
                                     .phase = HY_PHASE_FUNCS,
                                     .turns = true,
                                     .read = hy_sugar_turn};

void hy_sugar_follow(hy_sugar *s, hy_chain *chain, const hy_call *call) {
  if (hy_sugar_turns(call))
    hy_sugar_turn(s, chain, call);
  else if (strcmp(call->name, hy_method_update.name) == 0)
    hy_method_update.read(s, chain, call);
}

/* -- the head of a chain -- */

const hy_func *hy_sugar_head(hy_sugar *s, const hy_schedule_item *item) {
  const hy_func *known = hy_alg_find(s->tgt->alg, item->func), *made = hy_sugar_made(s, item->func);
  bool is_buffers = hy_sugar_is_of_buffers(s, &item->calls[0]) || !hy_sugar_is_a_word(s, &item->calls[0]);
  if (known && known->is_image && is_buffers) return known;
  if (!hy_sugar_turns(&item->calls[0])) return hy_sugar_func(s, item->func, item->loc);
  if (known && (known->is_image || hy_sugar_is_inlined(s, known))) return known;
  return made && hy_sugar_is_inlined(s, made) ? made : hy_sugar_func(s, item->func, item->loc);
}

bool hy_sugar_chain_names(const hy_sugar *s, const hy_schedule_item *item, const char *func) {
  const char *subject = item->func;
  for (int i = 0; i < item->count; i++) {
    const hy_directive_type *type = turned_by(&item->calls[i]);
    if (!type && strcmp(subject, func) == 0) return true;
    for (size_t k = 0; k < added(s)->count && type; k++) {
      const hy_directive *d = &added(s)->data[k];
      if (strcmp(d->func->name, subject) != 0) continue;
      if (!is_added(s->context, d, type, d->func, ANY_STAGE, &item->calls[i])) continue;
      subject = d->made->name;
      if (strcmp(subject, func) == 0) break;
    }
  }
  return false;
}

/* -- the walk that adds them -- */

static void add_core(hy_sugar *s, const hy_call *call) {
  const hy_directive_type *type = hy_sched_find(s->context, call->name);
  hy_directive directive;
  if (type && type->phase == HY_PHASE_FUNCS && hy_sugar_read(s, NULL, type, call, &directive))
    hy_sugar_add(s, directive);
}

static void add_chain(hy_sugar *s, const hy_schedule_item *item) {
  bool turns = false;
  for (int i = 0; i < item->count; i++) turns |= hy_sugar_turns(&item->calls[i]);
  bool has_vectors = hy_sugar_has_vectors(item);
  if (!turns && !has_vectors && !hy_sugar_has_reduction_split(s, item)) return;
  hy_chain chain = {.func = hy_sugar_head(s, item)};
  for (int i = 0; i < item->count && !s->failed; i++)
    if (hy_sugar_splits_reduction(s, &chain, item, i))
      hy_sugar_split_reduction(s, &chain, &item->calls[i]);
    else if (has_vectors && hy_sugar_sums_in_vectors(s, &chain, &item->calls[i]))
      hy_sugar_take_lanes(s, &chain, &item->calls[i]);
    else
      hy_sugar_follow(s, &chain, &item->calls[i]);
}

void hy_sugar_funcs(hy_sugar *s, const hy_schedule *schedule) {
  for (int i = 0; i < schedule->count && !s->failed; i++) {
    const hy_schedule_item *item = &schedule->items[i];
    if (item->func)
      add_chain(s, item);
    else
      add_core(s, &item->calls[0]);
  }
}
