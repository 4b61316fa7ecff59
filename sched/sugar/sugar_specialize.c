#include "sched/sugar/sugar.h"

#include <string.h>

/* Specializations: "specialize(f, c1, ..., cn)", or one "f.specialize(c)" for each branch, in the order of the text.
 * A func has one specialize directive (section 8.1); it is applied before all others.
 *
 * What "specialize(f, c)" makes has the loops as lowered. In chains a branch has, of each stage, the loops that chains
 * give the stage before one turns to the branch there (SCH.Chain-Copies), as in Halide:
 *
 *   f.vectorize(x, 8); f.specialize(c).unroll(y);  ->  specialize(f, c), and x in vectors in both, y unrolled where c
 */

enum { MOST_CONDITIONS = 64 }; // each is a copy of the func

static hy_specialization *find(hy_sugar *s, const hy_func *func) {
  for (size_t i = 0; i < s->specializations.count; i++)
    if (s->specializations.data[i].func == func) return &s->specializations.data[i];
  return NULL;
}

static hy_specialization *open(hy_sugar *s, const hy_func *func, hy_loc loc, bool is_core) {
  hy_vec_push(&s->specializations, (hy_specialization){.func = func, .loc = loc, .is_core = is_core});
  return &hy_vec_last(&s->specializations);
}

// 0 if the condition has no branch yet.
static int branch_of(const hy_specialization *z, const hy_expr *condition) {
  for (size_t i = 0; i < z->conditions.count; i++)
    if (z->conditions.data[i] == condition) return (int)i + 1;
  return 0;
}

// DIR.Specialize.Constant: a condition that is always or never true is pointed out (decision D44).
static void warn_constant(hy_sugar *s, const hy_expr *condition, hy_loc loc) {
  if (condition->has_var) return;
  hy_text text = {0};
  hy_expr_print(condition, &text);
  hy_context_hit(s->context, HY_RULE_DIR_SPECIALIZE_CONSTANT);
  hy_warn(s->diagnostics, HY_E_CONSTANT_CONDITION, loc, "DIR.Specialize.Constant (decision D44)",
          "use a parameter or the box of an image (in.len(0)), or leave the specialization out",
          "the condition '%s' of a specialization is the same for every input", hy_text_string(&text));
  hy_text_free(&text);
}

static void add_condition(hy_sugar *s, hy_specialization *z, const hy_argument *argument) {
  const hy_expr *condition = hy_sugar_startup(s, argument, HY_BOOL);
  if (!condition) return;
  if (z->conditions.count == MOST_CONDITIONS) {
    s->failed = true;
    hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, argument->loc, "DIR.Specialize",
              "every condition makes a copy of the func; keep those that matter",
              "'%s' has more than %d specializations", z->func->name, MOST_CONDITIONS);
    return;
  }
  warn_constant(s, condition, argument->loc);
  hy_vec_push(&z->conditions, condition);
}

// DIR.Specialize.Once: at most one specialize directive per func (section 8.1).
static void refuse_twice(hy_sugar *s, const hy_func *func, hy_loc loc) {
  s->failed = true;
  hy_context_hit(s->context, HY_RULE_DIR_SPECIALIZE_ONCE);
  hy_report(s->diagnostics, HY_E_SPECIALIZED_TWICE, loc, "DIR.Specialize.Once (section 8.1)",
            hy_arena_printf(hy_context_arena(s->context), "write one specialize(%s, c1, c2, ...)", func->name),
            "'%s' is specialized twice", func->name);
}

static void find_core(hy_sugar *s, const hy_call *call) {
  if (call->count < 2 || call->args[0].path_count != 1) {
    hy_sugar_refuse(s, call, "specialize(func, condition, ...)");
    return;
  }
  const hy_func *func = hy_sugar_func(s, call->args[0].path[0], call->args[0].loc);
  if (!func) return;
  if (find(s, func)) {
    refuse_twice(s, func, call->loc);
    return;
  }
  hy_specialization *z = open(s, func, call->loc, true);
  for (int i = 1; i < call->count && !s->failed; i++) add_condition(s, z, &call->args[i]);
}

static void find_in_chain(hy_sugar *s, const hy_func *func, const hy_call *call) {
  if (call->count != 1) {
    hy_sugar_refuse(s, call, "specialize(condition)");
    return;
  }
  hy_specialization *z = find(s, func);
  if (!z) z = open(s, func, call->loc, false);
  const hy_expr *condition = hy_sugar_startup(s, &call->args[0], HY_BOOL);
  if (!condition || branch_of(z, condition)) return;
  if (z->is_core)
    refuse_twice(s, func, call->loc);
  else
    add_condition(s, z, &call->args[0]);
}

static void find_in_item(hy_sugar *s, const hy_schedule_item *item) {
  bool any = false;
  for (int k = 0; k < item->count; k++) any |= strcmp(item->calls[k].name, hy_method_specialize.name) == 0;
  hy_chain chain = {.func = any ? hy_sugar_head(s, item) : NULL};
  for (int k = 0; any && k < item->count && !s->failed; k++) {
    if (strcmp(item->calls[k].name, hy_method_specialize.name) == 0)
      find_in_chain(s, chain.func, &item->calls[k]);
    else
      hy_sugar_follow(s, &chain, &item->calls[k]);
  }
}

static void find_all(hy_sugar *s, const hy_schedule *schedule, bool in_chains) {
  for (int i = 0; i < schedule->count && !s->failed; i++) {
    const hy_schedule_item *item = &schedule->items[i];
    if (!item->func && !in_chains && strcmp(item->calls[0].name, hy_directive_specialize.name) == 0)
      find_core(s, &item->calls[0]);
    if (item->func && in_chains) find_in_item(s, item);
  }
}

static void apply(hy_sugar *s, const hy_specialization *z) {
  int count = (int)z->conditions.count;
  const hy_expr **conditions = HY_NEW_ARRAY(hy_context_arena(s->context), const hy_expr *, count);
  memcpy(conditions, z->conditions.data, sizeof *conditions * (size_t)count);
  hy_directive directive = {.type = &hy_directive_specialize,
                            .loc = z->loc,
                            .func = z->func,
                            .conditions = conditions,
                            .condition_count = count};
  hy_sugar_add(s, directive);
}

void hy_sugar_specialize(hy_sugar *s, const hy_schedule *schedule) {
  find_all(s, schedule, false);
  if (!s->failed) find_all(s, schedule, true);
  for (size_t i = 0; i < s->specializations.count && !s->failed; i++) apply(s, &s->specializations.data[i]);
}

static void turn(hy_sugar *s, hy_chain *chain, const hy_call *call) {
  const hy_specialization *z = find(s, chain->func);
  const hy_expr *condition = hy_sugar_startup(s, &call->args[0], HY_BOOL);
  HY_ASSERT(z && condition); // find_in_chain saw to both
  chain->spec = branch_of(z, condition);
}

static bool has_begun(const hy_specialization *z, int branch, int stage) {
  for (size_t i = 0; i < z->begun.count; i++)
    if (z->begun.data[i].branch == branch && z->begun.data[i].stage == stage) return true;
  return false;
}

static void begin(hy_specialization *z, int branch, int stage) {
  if (!has_begun(z, branch, stage)) hy_vec_push(&z->begun, (hy_begun){branch, stage});
}

void hy_sugar_begin(hy_sugar *s, const hy_chain *chain) {
  hy_specialization *z = chain->spec ? find(s, chain->func) : NULL;
  if (z) begin(z, chain->spec, chain->stage);
}

void hy_sugar_begin_alone(hy_sugar *s, const hy_var *loop) {
  hy_specialization *z = find(s, loop->func);
  for (int k = 1; z && k <= (int)z->conditions.count; k++)
    if (loop->spec == 0 || loop->spec == k) begin(z, k, loop->stage);
}

int hy_sugar_next_copy(hy_sugar *s, const hy_chain *chain, int branch) {
  hy_specialization *z = chain->spec == 0 ? find(s, chain->func) : NULL;
  if (!z || z->is_core) return 0;
  while (++branch <= (int)z->conditions.count && has_begun(z, branch, chain->stage)) continue;
  if (branch > (int)z->conditions.count) return 0;
  z->is_followed = true;
  return branch;
}

void hy_sugar_note_copy(hy_sugar *s, const hy_chain *chain) {
  const hy_specialization *z = chain->spec ? find(s, chain->func) : NULL;
  if (z && z->is_followed) hy_specialize_note(s->diagnostics, z->loc, z->func, z->conditions.data[chain->spec - 1]);
}

void hy_sugar_tell_followed(hy_sugar *s) {
  const hy_directive_list *all = &s->phases[HY_PHASE_SPECIALIZE];
  for (size_t i = 0; i < all->count; i++) all->data[i].is_followed = find(s, all->data[i].func)->is_followed;
}

void hy_sugar_free_specializations(hy_sugar *s) {
  for (size_t i = 0; i < s->specializations.count; i++) {
    hy_vec_free(&s->specializations.data[i].conditions);
    hy_vec_free(&s->specializations.data[i].begun);
  }
  hy_vec_free(&s->specializations);
}

const hy_method hy_method_specialize = {.name = "specialize",
                                        .form = "specialize(condition)",
                                        .summary =
                                            "turns to the copy for a condition, which begins with the loops so far",
                                        .least = 1,
                                        .most = 1,
                                        .phase = HY_PHASE_SPECIALIZE,
                                        .turns = true,
                                        .read = turn};
