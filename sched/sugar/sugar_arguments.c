/* Desugaring: what the arguments of a call mean, and what is wrong with them. */

#include "sched/chain.h"
#include "sched/sugar/sugar.h"

#include <string.h>

typedef hy_sugar sugar;

enum { MOST_LISTED = 12 };

void hy_sugar_refuse(sugar *s, const hy_call *call, const char *form) {
  s->failed = true;
  hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, call->loc, NULL,
            hy_arena_printf(hy_context_arena(s->context), "write %s", form), "'%s' does not take these arguments",
            call->name);
}

static const char *range_text(hy_context *context, int least, int most) {
  hy_arena *arena = hy_context_arena(context);
  if (most == 0) return "no arguments";
  if (least == most) return hy_arena_printf(arena, "%d argument%s", least, least == 1 ? "" : "s");
  return hy_arena_printf(arena, least + 1 == most ? "%d or %d arguments" : "%d to %d arguments", least, most);
}

bool hy_sugar_takes(sugar *s, const hy_call *call, int least, int most, int from, int to, const char *form) {
  const char *help = hy_arena_printf(hy_context_arena(s->context), "write %s", form);
  if (call->count < least || call->count > most) {
    s->failed = true;
    hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, call->loc, NULL, help, "'%s' takes %s, not %d", call->name,
              range_text(s->context, least, most), call->count);
    return false;
  }
  for (int i = from; i < to && i < call->count; i++) {
    if (call->args[i].path_count == 1) continue;
    s->failed = true;
    hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, call->args[i].loc, NULL, help,
              call->args[i].path_count ? "'%s' takes a plain name here, without a func before it"
                                       : "'%s' takes a name here",
              call->name);
    return false;
  }
  return true;
}

// The number of a member of that family, of one index; -1: it is none.
static long long member_number(const char *func, const char *family) {
  size_t length = strlen(family);
  if (strncmp(func, family, length) != 0 || func[length] != '_') return -1;
  const char *digits = func + length + 1;
  return *digits && strlen(digits) <= 9 && digits[strspn(digits, "0123456789")] == 0 ? atoll(digits) : -1;
}

// "write a[0], or for all of them for k in 0..3 a[k]"; NULL: no family is called so.
static const char *family_help(sugar *s, const char *name) {
  long long least = -1, greatest = -1;
  int count = 0;
  for (int i = 0; i < s->tgt->func_count; i++) {
    long long number = member_number(s->tgt->funcs[i]->name, name);
    if (number < 0) continue;
    least = least < 0 || number < least ? number : least;
    greatest = number > greatest ? number : greatest;
    count++;
  }
  if (!count) return NULL;
  hy_arena *arena = hy_context_arena(s->context);
  const char *one =
      hy_arena_printf(arena, "'%s' is a family: write the number of a member, %s[%lld]", name, name, least);
  if (count == 1 || count != greatest - least + 1) return one;
  return hy_arena_printf(arena, "%s, or of all for k in %lld..%lld %s[k]", one, least, greatest, name);
}

// "did you mean 'bv'?", or what there is.
static const char *list_funcs(sugar *s, const char *name) {
  const char **names = hy_allocate(sizeof *names * ((size_t)s->tgt->func_count + 1));
  hy_text list = {0};
  for (int i = 0; i < s->tgt->func_count; i++) {
    names[i] = s->tgt->funcs[i]->name;
    if (i < MOST_LISTED) hy_text_printf(&list, "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = hy_nearest_name(name, names, (size_t)s->tgt->func_count);
  hy_arena *arena = hy_context_arena(s->context);
  const char *help = near ? hy_arena_printf(arena, "did you mean '%s'?", near)
                          : hy_arena_printf(arena, "the funcs are %s%s", hy_text_string(&list),
                                            s->tgt->func_count > MOST_LISTED ? ", ..." : "");
  hy_text_free(&list);
  hy_free(names);
  return help;
}

// DIR.Inline.Alone
static void report_inlined(sugar *s, const hy_func *func, hy_loc loc) {
  hy_context_hit(s->context, HY_RULE_DIR_INLINE_ALONE);
  s->failed = true;
  hy_report(s->diagnostics, HY_E_INLINED, loc, "DIR.Inline.Alone (decision D83)",
            hy_arena_printf(hy_context_arena(s->context), "leave this out, or compute '%s': without compute_inline(%s)",
                            func->name, func->name),
            "'%s' is inlined: it has no loops and no storage", func->name);
}

const hy_func *hy_sugar_func(sugar *s, const char *name, hy_loc loc) {
  for (int i = 0; i < s->tgt->func_count; i++)
    if (strcmp(s->tgt->funcs[i]->name, name) == 0) return s->tgt->funcs[i];
  const hy_func *known = hy_alg_find(s->tgt->alg, name);
  if (!known) known = hy_sugar_made(s, name);
  if (known && hy_sugar_is_inlined(s, known)) {
    report_inlined(s, known, loc);
    return NULL;
  }
  if (known && !known->is_image) hy_context_hit(s->context, HY_RULE_SCH_REACHED); // SCH.Reached
  s->failed = true;
  if (!s->failed) return NULL;
  if (known && known->is_image)
    hy_report(s->diagnostics, HY_E_UNKNOWN_FUNC, loc, NULL,
              hy_arena_printf(hy_context_arena(s->context),
                              "schedule a func that reads it; of the buffer itself a schedule takes "
                              "%s.set_stride(0, 3), %s.require_stride(0, 3) and %s.set_host_alignment(32), and an "
                              "algorithm says what its box is: require %s.len(0) == 3",
                              name, name, name, name),
              "'%s' is an input image and has no loops", name);
  else if (known)
    hy_report(s->diagnostics, HY_E_SCHEDULE_UNREACHABLE, loc, NULL, "remove the directive, or let the output read it",
              "'%s' is not reached by the output '%s' and is not computed", name, s->tgt->alg->output->name);
  else if (hy_sugar_copied(s, name))
    hy_report(s->diagnostics, HY_E_UNKNOWN_FUNC, loc, "DIR.Copy",
              hy_arena_printf(hy_context_arena(s->context),
                              "say it of '%s': the loops of a copy are those of what it copies",
                              hy_sugar_copied(s, name)),
              "'%s' has the loops of what it is a copy of: only where it is computed, its bounds and its storage are "
              "its own",
              name);
  else
    hy_report(s->diagnostics, HY_E_UNKNOWN_FUNC, loc, NULL,
              family_help(s, name) ? family_help(s, name) : list_funcs(s, name), "there is no func '%s'", name);
  return NULL;
}

static bool parse_number(const char *text, char letter, int *number) {
  if (text[0] != letter || !text[1] || strspn(text + 1, "0123456789") != strlen(text + 1) || strlen(text) > 6)
    return false;
  *number = atoi(text + 1);
  return true;
}

bool hy_sugar_branch(const hy_argument *argument, int *branch) {
  *branch = HY_ALL_BRANCHES;
  return argument->path_count == 1 || (argument->path_count == 2 && parse_number(argument->path[1], 'z', branch));
}

// "h.s1.x", "h.z2.s1.x", "h.x" (stage 0). NULL after reporting.
const hy_var *hy_sugar_loop(sugar *s, const hy_argument *argument) {
  int at = 1, spec = 0, stage = 0;
  if (argument->path_count >= 2) {
    if (at < argument->path_count - 1 && parse_number(argument->path[at], 'z', &spec)) at++;
    if (at < argument->path_count - 1 && parse_number(argument->path[at], 's', &stage)) at++;
  }
  if (argument->path_count < 2 || at != argument->path_count - 1) {
    s->failed = true;
    hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, argument->loc, "SCH.Loop (lemma 6.1)",
              "a loop is func.variable (bv.x), or func.s1.variable in the first update", "this does not name a loop");
    return NULL;
  }
  const hy_func *func = hy_sugar_func(s, argument->path[0], argument->loc);
  if (!func) return NULL;
  return hy_var_loop(s->context, func, spec, stage, argument->path[at]);
}

// DIR.Startup: what a directive computes with is known at startup.
const hy_expr *hy_sugar_startup(sugar *s, const hy_argument *argument, hy_type type) {
  const hy_expr *e = hy_syntax_startup(s->context, s->tgt->alg, argument->syntax, type, s->diagnostics);
  if (!e) hy_context_hit(s->context, HY_RULE_DIR_STARTUP);
  if (!e) s->failed = true;
  return e;
}

const char *hy_sugar_last_name(const hy_argument *argument) {
  return argument->path_count ? argument->path[argument->path_count - 1] : "";
}

// What to write for a tail that is none; a tail has one word.
static const char *help_of_tail(const hy_argument *argument) {
  static const struct {
    const char *other, *instead;
  } table[] = {{"GuardWithIf", "write guard"},
               {"RoundUp", "write round"},
               {"ShiftInwards", "write shift"},
               {"Predicate", "write guard"},
               {"PredicateLoads", "write guard"},
               {"PredicateStores", "write guard"},
               {"RoundUpAndBlend", "write guard"},
               {"ShiftInwardsAndBlend", "write guard"},
               {"Auto", "leave it out: the tail is then guard"}};
  for (size_t i = 0; i < HY_COUNT(table); i++)
    if (strcmp(hy_sugar_last_name(argument), table[i].other) == 0) return table[i].instead;
  return "write guard, round or shift (or GuardWithIf, RoundUp, ShiftInwards)";
}

static bool find_tail(const char *word, hy_tail *tail) {
  static const struct {
    const char *name;
    hy_tail tail;
  } tails[] = {{"guard", HY_TAIL_GUARD},       {"round", HY_TAIL_ROUND},   {"shift", HY_TAIL_SHIFT},
               {"GuardWithIf", HY_TAIL_GUARD}, {"RoundUp", HY_TAIL_ROUND}, {"ShiftInwards", HY_TAIL_SHIFT}};
  for (size_t k = 0; k < HY_COUNT(tails); k++)
    if (strcmp(word, tails[k].name) == 0) return *tail = tails[k].tail, true;
  return false;
}

bool hy_sched_is_tail(const char *word) {
  hy_tail tail;
  return find_tail(word, &tail);
}

bool hy_sugar_tail(sugar *s, const hy_call *call, int i, hy_tail *tail) {
  *tail = HY_TAIL_GUARD;
  if (i >= call->count) return true;
  if (call->args[i].path_count == 1 && find_tail(hy_sugar_name_at(call, i), tail)) return true;
  s->failed = true;
  hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, call->args[i].loc, NULL, help_of_tail(&call->args[i]),
            "this is no tail strategy");
  return false;
}
