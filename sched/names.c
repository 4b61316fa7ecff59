/* Names in directives (decision D24). A loop is its func, specialization, stage and name (lemma 6.1), so a directive
 * finds it by these alone, and no two may be called alike.
 *
 *   SCH.Loop    the loop that is named is there; if not, the message lists those that are
 *   SCH.Fresh   what a directive introduces has a name of its own, or that of a loop that it consumes
 *
 * If a new loop takes the name of the one that was consumed, what that stood for is called "x__1" from then on.
 */

#include "sched/funcs/funcs.h"
#include "sched/rewrite.h"

#include "semantics/base/text.h"

#include <string.h>

const char *hy_names_of(hy_context *context, const hy_var *var) {
  hy_text text = {0};
  hy_var_print(var, &text);
  const char *name = hy_context_name_of(context, hy_text_string(&text));
  hy_text_free(&text);
  return name;
}

const char *hy_names_list_loops(hy_context *context, const hy_stmt *const *loops, size_t count, bool and_root) {
  hy_text text = {0};
  for (size_t i = 0; i < count; i++) {
    if (i) hy_text_add(&text, ", ");
    hy_var_print(loops[i]->loop.var, &text);
  }
  if (and_root) hy_text_add(&text, count ? ", root" : "root");
  const char *list = hy_context_name_of(context, hy_text_string(&text));
  hy_text_free(&text);
  return list;
}

typedef struct {
  const hy_var *var;
  bool found;
} live_search;

static void see_binder(void *self, const hy_stmt *stmt) {
  live_search *s = self;
  if (stmt->kind == HY_STMT_FOR && stmt->loop.var == s->var) s->found = true;
  if (stmt->kind == HY_STMT_LET && stmt->let.var == s->var) s->found = true;
}

bool hy_names_is_live(const hy_stmt *root, const hy_var *var) {
  live_search s = {var, false};
  hy_tree_visit(root, see_binder, &s);
  return s.found;
}

/* -- the loops of a stage, for messages -- */

typedef struct {
  const hy_var *like; // func, spec and stage to match
  hy_text *out;
} loop_lister;

static void list_loop(void *self, const hy_stmt *stmt) {
  loop_lister *l = self;
  if (stmt->kind != HY_STMT_FOR) return;
  const hy_var *var = stmt->loop.var;
  if (var->func != l->like->func || var->stage != l->like->stage || var->spec != l->like->spec) return;
  if (l->out->length) hy_text_add(l->out, ", ");
  hy_var_print(var, l->out);
}

typedef struct {
  const hy_func *func;
  int most;
} spec_search;

static void see_specialization(void *self, const hy_stmt *stmt) {
  spec_search *s = self;
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_SPEC && stmt->label.func == s->func &&
      stmt->label.number > s->most)
    s->most = stmt->label.number;
}

static const char *help_with_specializations(hy_context *context, const hy_tgt *tgt, const hy_func *func) {
  spec_search s = {func, 0};
  hy_tree_visit(tgt->body, see_specialization, &s);
  if (!s.most) return "the func is not specialized";
  return hy_arena_printf(hy_context_arena(context),
                         s.most == 1 ? "its specializations are z0 and z%d" : "its specializations are z0 to z%d",
                         s.most);
}

static const char split_later[] =
    "; it is applied before loops are split, but for what split_reduction(f.s1.r, ro, ri, "
    "8) splits, or in a chain f.update(0).split(r, ro, ri, 8) above it";

typedef struct {
  const char *name;
  bool found;
} loop_of;

static void see_loop_of(void *self, const hy_stmt *stmt) {
  loop_of *l = self;
  l->found |= stmt->kind == HY_STMT_FOR && stmt->loop.var->func && strcmp(stmt->loop.var->func->name, l->name) == 0;
}

// A loop that an rfactor names of a func whose first rfactor, "f.update(0).rfactor(q, u)", has moved it: the name of the
// func that has it now. NULL: there is none.
static const char *factored_into(hy_context *context, const hy_tgt *tgt, const hy_directive *directive) {
  const hy_var *loop = directive->loop;
  if (directive->type != &hy_directive_rfactor) return NULL;
  if (loop->stage == 0) return loop->func->name; // f.update(0).rfactor(q, u).rfactor(r, v)
  loop_of made = {hy_funcs_factor_name(context, loop->func, loop->stage), false};
  hy_tree_visit(tgt->body, see_loop_of, &made);
  return made.found ? made.name : NULL;
}

static const char *help_with_loops(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                                   const char *loops) {
  hy_arena *arena = hy_context_arena(context);
  const char *made = factored_into(context, tgt, directive), *name = directive->loop->name;
  if (made)
    return hy_arena_printf(arena,
                           "the loops of that stage are %s; what else the reduction has is in the update of %s: write "
                           "%s.update(0).rfactor(%s, %s), and a split that makes %s before it in that chain",
                           loops, made, made, name, directive->names[0], name);
  return hy_arena_printf(arena, "the loops of that stage are %s%s", loops,
                         directive->type->phase == HY_PHASE_FUNCS ? split_later : "");
}

// SCH.Loop: a directive names a live loop (lemma 6.1).
const hy_stmt *hy_names_loop(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                             hy_diagnostics *diagnostics) {
  const hy_stmt *loop = hy_tree_loop(tgt->body, directive->loop);
  if (loop) return loop;
  hy_text loops = {0};
  hy_tree_visit(tgt->body, list_loop, &(loop_lister){directive->loop, &loops});
  const char *list = loops.length ? hy_context_name_of(context, hy_text_string(&loops)) : NULL;
  hy_text_free(&loops);
  const char *help = list                    ? help_with_loops(context, tgt, directive, list)
                     : directive->loop->spec ? help_with_specializations(context, tgt, directive->loop->func)
                                             : "that stage has no loops, or there is no such stage";
  const char *name = hy_names_of(context, directive->loop);
  hy_loc loc = hy_directive_at(directive, directive->at.loop);
  hy_context_hit(context, HY_RULE_SCH_LOOP_UNKNOWN);
  if (hy_names_is_live(tgt->body, directive->loop))
    hy_report(diagnostics, HY_E_LOOP_CONSUMED, loc, "SCH.Loop (lemma 6.1)", help,
              "'%s' is no loop any more: an earlier directive consumed it", name);
  else
    hy_report(diagnostics, HY_E_UNKNOWN_LOOP, loc, "SCH.Loop (lemma 6.1)", help, "there is no loop '%s'", name);
  return NULL;
}

const hy_var *hy_names_argument(hy_context *context, const hy_directive *d, int position) {
  hy_takes takes = d->type->arguments[position];
  if (takes == HY_TAKES_LOOP) return d->loop;
  if (takes != HY_TAKES_INNER && takes != HY_TAKES_AROUND) return NULL;
  return hy_var_loop(context, d->loop->func, d->loop->spec, d->loop->stage,
                     d->names[hy_directive_place(d->type, position)]);
}

static bool is_reserved(const char *name) {
  if ((name[0] != 's' && name[0] != 'z') || !name[1]) return false;
  return strspn(name + 1, "0123456789") == strlen(name + 1);
}

// What a new name would clash with, in words; NULL if it is free.
static const char *clash(hy_context *context, const hy_tgt *tgt, const hy_var *loop, const char *name) {
  if (is_reserved(name)) return "the names of stages and specializations (s0, z1, ...)";
  if (strcmp(name, "root") == 0) return "the word 'root'";
  for (int i = 0; i < tgt->alg->param_count; i++)
    if (tgt->alg->params[i]->name == name) return "a parameter";
  const hy_func *symbol = hy_alg_find(tgt->alg, name);
  if (symbol) return symbol->is_image ? "an input image" : "a func";
  for (int i = 0; i < tgt->func_count; i++)
    if (tgt->funcs[i]->name == name) return "a func"; // that a directive has added
  if (hy_names_is_live(tgt->body, hy_var_loop(context, loop->func, loop->spec, loop->stage, name)))
    return "a live loop or variable of the same stage";
  for (int i = 0; i < loop->func->rank; i++)
    if (strcmp(loop->func->dims[i], name) == 0) return "a variable of the func";
  return NULL;
}

// SCH.Fresh: names introduced by directives are new, unique and non-conflicting (section 8.2).
bool hy_names_free(hy_context *context, const hy_tgt *tgt, const hy_directive *directive, const char *name,
                   const char *const consumed[2], hy_diagnostics *diagnostics) {
  for (int i = 0; i < 2; i++)
    if (consumed[i] && strcmp(consumed[i], name) == 0) return true;
  const char *with = clash(context, tgt, directive->loop, name);
  if (!with) return true;
  hy_context_hit(context, HY_RULE_SCH_FRESH);
  hy_loc loc = directive->loc;
  for (int i = 0; i < HY_MOST_ARGUMENTS; i++)
    if (directive->names[i] && strcmp(directive->names[i], name) == 0)
      loc = hy_directive_at(directive, directive->at.names[i]);
  hy_report(diagnostics, HY_E_NAME_CLASH, loc, "SCH.Fresh (section 8.2: new, unique, non-conflicting names)",
            "choose another name; only the name of the consumed loop may be used again",
            "the name '%s' clashes with %s", name, with);
  return false;
}

const hy_var *hy_names_let(hy_context *context, const hy_tgt *tgt, const hy_var *loop, const char *const *taken,
                           int count) {
  bool is_taken = false;
  for (int i = 0; i < count; i++) is_taken |= taken[i] == loop->name;
  if (!is_taken) return loop;
  for (int n = 1;; n++) { // the consumed loop's own name goes to a new loop: the value it stood for gets a fresh one
    const char *name = hy_context_name_of(context, hy_arena_printf(hy_context_arena(context), "%s__%d", loop->name, n));
    const hy_var *var = hy_var_loop(context, loop->func, loop->spec, loop->stage, name);
    bool is_new = false; // a schedule may give a new loop that very name
    for (int i = 0; i < count; i++) is_new |= taken[i] == name;
    if (!is_new && !hy_names_is_live(tgt->body, var)) return var;
  }
}
