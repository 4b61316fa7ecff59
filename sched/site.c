#include "sched/site.h"

#include "semantics/base/vec.h"

#include <stdlib.h>

// A loop, and what lies below it.
typedef struct {
  const hy_stmt *loop;
  int readers;
  bool in_own, holds_own; // of func's own computation
  bool in_scope;          // of func's allocation
} site;

typedef struct {
  const hy_func *func;
  HY_VEC(site) sites; // outermost first
  int readers;        // outside of func's own computation
  int own_readers;    // within it
  bool in_own, seen_own, in_scope;
} surveyor;

static bool is_reader(const hy_stmt *stmt, const hy_func *func) {
  if (stmt->kind == HY_STMT_ASSIGN) return hy_tree_reads(stmt, func);
  if (stmt->kind != HY_STMT_IF) return false;
  hy_stmt alone = *stmt; // only the condition itself: the branches are children
  hy_stmt nothing = {.kind = HY_STMT_NOP};
  alone.branch.then = &nothing;
  alone.branch.otherwise = NULL;
  return hy_tree_reads(&alone, func);
}

static void survey_children(surveyor *s, const hy_stmt *stmt);

static void survey_loop(surveyor *s, const hy_stmt *stmt) {
  size_t index = s->sites.count;
  int *readers = s->in_own ? &s->own_readers : &s->readers, before = *readers;
  bool seen = s->seen_own;
  hy_vec_push(&s->sites, (site){.loop = stmt, .in_own = s->in_own, .in_scope = s->in_scope});
  s->seen_own = false;
  survey_children(s, stmt);
  s->sites.data[index].readers = *readers - before;
  s->sites.data[index].holds_own = s->seen_own;
  s->seen_own |= seen;
}

static void survey(surveyor *s, const hy_stmt *stmt) {
  bool own = stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_FUNC && stmt->label.func == s->func;
  bool around = s->in_own;
  s->in_own |= own;
  s->in_scope |= stmt->kind == HY_STMT_ALLOCATE && stmt->allocate.func == s->func;
  s->seen_own |= own;
  if (is_reader(stmt, s->func)) ++*(s->in_own ? &s->own_readers : &s->readers);
  if (stmt->kind == HY_STMT_FOR)
    survey_loop(s, stmt);
  else
    survey_children(s, stmt);
  s->in_own = around;
}

static void survey_children(surveyor *s, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  bool around = s->in_scope;
  for (int i = 0; i < count; i++) survey(s, children[i]);
  if (stmt->kind == HY_STMT_SEQ) s->in_scope = around; // an allocation ends with the sequence that holds it
}

// What nobody reads any more is still written, where its allocation is.
static bool dominates(const surveyor *s, const site *at, bool for_storage) {
  if (at->in_own) return false;
  if (for_storage ? !at->holds_own : !at->in_scope) return false;
  return at->readers == s->readers;
}

bool hy_site_dominates(const hy_tgt *tgt, const hy_func *func, const hy_stmt *loop, bool for_storage) {
  surveyor s = {.func = func};
  bool found = false;
  survey(&s, tgt->body);
  for (size_t i = 0; i < s.sites.count; i++)
    found |= s.sites.data[i].loop == loop && dominates(&s, &s.sites.data[i], for_storage);
  hy_vec_free(&s.sites);
  return found;
}

const hy_stmt **hy_site_loops(const hy_tgt *tgt, const hy_func *func, bool for_storage, size_t *count) {
  surveyor s = {.func = func};
  survey(&s, tgt->body);
  const hy_stmt **loops = hy_allocate(sizeof *loops * (s.sites.count + 1));
  *count = 0;
  for (size_t i = 0; i < s.sites.count; i++)
    if (dominates(&s, &s.sites.data[i], for_storage)) loops[(*count)++] = s.sites.data[i].loop;
  hy_vec_free(&s.sites);
  return loops;
}

/* -- loops that every specialization has: a schedule names all of them as the default branch's (SCH.Spread) -- */

typedef struct {
  const hy_func *func;
  int count;
} branch_count;

static void count_branch(void *self, const hy_stmt *stmt) {
  branch_count *b = self;
  b->count += stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_SPEC && stmt->label.func == b->func;
}

// Do all readers stand in loops of that name, of which each specialization has one?
static bool is_spread(const hy_tgt *tgt, const surveyor *s, const site *at) {
  const hy_var *var = at->loop->loop.var;
  branch_count branches = {var->func, 0};
  int readers = 0, loops = 0;
  for (size_t i = 0; i < s->sites.count; i++) {
    const hy_var *other = s->sites.data[i].loop->loop.var;
    if (other->func != var->func || other->stage != var->stage || other->name != var->name) continue;
    if (s->sites.data[i].in_own || !s->sites.data[i].in_scope) return false;
    readers += s->sites.data[i].readers;
    loops++;
  }
  hy_tree_visit(tgt->body, count_branch, &branches);
  return var->spec == 0 && branches.count > 1 && loops == branches.count && readers == s->readers && readers > 0;
}

const hy_stmt **hy_site_spread(const hy_tgt *tgt, const hy_func *func, size_t *count) {
  surveyor s = {.func = func};
  survey(&s, tgt->body);
  const hy_stmt **loops = hy_allocate(sizeof *loops * (s.sites.count + 1));
  *count = 0;
  for (size_t i = 0; i < s.sites.count; i++)
    if (is_spread(tgt, &s, &s.sites.data[i])) loops[(*count)++] = s.sites.data[i].loop;
  hy_vec_free(&s.sites);
  return loops;
}

const char *hy_site_list(hy_context *context, const hy_tgt *tgt, const hy_func *func, bool for_storage) {
  size_t count;
  const hy_stmt **loops = hy_site_loops(tgt, func, for_storage, &count);
  if (!for_storage && !count) {
    hy_free(loops);
    loops = hy_site_spread(tgt, func, &count);
  }
  const char *list = hy_names_list_loops(context, loops, count, true);
  hy_free(loops);
  return list;
}

// An assignment outside of the loop that reads the func, and is not its own.
typedef struct {
  const hy_func *func;
  const hy_stmt *loop, *found;
} outside;

static void look_outside(outside *o, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  if (stmt == o->loop || o->found) return;
  if (stmt->kind == HY_STMT_ASSIGN && stmt->assign.func != o->func && hy_tree_reads(stmt, o->func)) o->found = stmt;
  for (int i = 0, count = hy_stmt_children(stmt, &children, room); i < count; i++) look_outside(o, children[i]);
}

const char *hy_site_reader_outside(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_stmt *loop) {
  outside o = {.func = func, .loop = loop};
  look_outside(&o, tgt->body);
  if (!o.found) return "some stage";
  return hy_arena_printf(hy_context_arena(context), "'%s.s%d'", o.found->assign.func->name, o.found->assign.stage);
}

bool hy_site_is_one_branch(const hy_tgt *tgt, const hy_func *func, const hy_stmt *loop) {
  outside o = {.func = func, .loop = loop};
  look_outside(&o, tgt->body);
  return o.found && o.found->assign.func == loop->loop.var->func && o.found->assign.spec != loop->loop.var->spec;
}

typedef struct {
  const hy_var *loop;
  uint64_t all,
      with; // specializations of its func, bit by bit: those of the stage, those of them that have such a loop
} named_alike;

static void see_alike(void *self, const hy_stmt *stmt) {
  named_alike *n = self;
  if (stmt->kind != HY_STMT_FOR) return;
  const hy_var *var = stmt->loop.var;
  if (var->func != n->loop->func || var->stage != n->loop->stage || var->spec >= 64) return;
  n->all |= UINT64_C(1) << var->spec;
  if (var->name == n->loop->name) n->with |= UINT64_C(1) << var->spec;
}

// "that loop of every specialization", or what it takes to be one.
static const char *of_every(hy_context *context, const hy_tgt *tgt, const hy_directive *d) {
  hy_arena *arena = hy_context_arena(context);
  const hy_var *loop = d->loop, *every = hy_var_loop(context, loop->func, 0, loop->stage, loop->name);
  named_alike n = {.loop = loop};
  hy_tree_visit(tgt->body, see_alike, &n);
  const char *compute = hy_arena_printf(arena, "compute_at(%s, %s)", d->func->name, hy_names_of(context, every));
  uint64_t without = n.all & ~n.with;
  if (!without)
    return hy_arena_printf(arena, "%s is that loop of every specialization, with a copy of '%s' in each", compute,
                           d->func->name);
  return hy_arena_printf(arena,
                         "give '%s.z%d' a loop that is called '%s', too: then %s is that loop of every "
                         "specialization, with a copy of '%s' in each",
                         loop->func->name, __builtin_ctzll(without), loop->name, compute, d->func->name);
}

const char *hy_site_help(hy_context *context, const hy_tgt *tgt, const hy_directive *d, bool branch, bool for_storage) {
  hy_arena *arena = hy_context_arena(context);
  const char *sites = hy_site_list(context, tgt, d->func, for_storage);
  if (!branch) return hy_arena_printf(arena, "the legal sites are %s", sites);
  return hy_arena_printf(arena, "%s; copy(%s, c, %s.z%d) makes one for that alone; the legal sites are %s",
                         of_every(context, tgt, d), d->func->name, d->loop->func->name, d->loop->spec, sites);
}

// A reader that was left behind may be moved as well, where all of its own readers are in the loop.
const char *hy_site_help_reader(hy_context *context, const hy_tgt *tgt, const hy_directive *d, const hy_stmt *loop) {
  outside o = {.func = d->func, .loop = loop};
  const char *help = hy_site_help(context, tgt, d, false, false);
  look_outside(&o, tgt->body);
  const hy_func *reader = o.found ? o.found->assign.func : NULL;
  if (!reader || hy_alg_output(tgt->alg, reader) || !hy_site_dominates(tgt, reader, loop, false)) return help;
  return hy_arena_printf(hy_context_arena(context), "%s; or compute that reader there before: compute_at(%s, %s)", help,
                         reader->name, hy_names_of(context, d->loop));
}

bool hy_site_is_output(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                       hy_diagnostics *diagnostics) {
  if (!hy_alg_output(tgt->alg, directive->func)) return false;
  hy_context_hit(context, HY_RULE_DIR_OUTPUT);
  hy_report(diagnostics, HY_E_OUTPUT_MOVED, directive->loc, "DIR.Output (decision D39)",
            tgt->alg->output_count > 1 ? "move the funcs that it reads instead, or take it off the list of outputs"
                                       : "move the funcs that the output reads instead",
            "'%s' is %s output: its buffer outlives the pipeline", directive->func->name,
            tgt->alg->output_count > 1 ? "an" : "the");
  return true;
}

const hy_tgt *hy_site_move(hy_context *context, const hy_tgt *tgt, const hy_stmt *what, const hy_var *loop) {
  const hy_stmt *body = hy_tree_replace(context, tgt->body, what, hy_stmt_nop(context));
  const hy_stmt *target = hy_tree_loop(body, loop);
  HY_ASSERT(target);
  const hy_stmt *items[] = {what, target->loop.body};
  const hy_stmt *inside = hy_stmt_seq(context, items, 2);
  body = hy_tree_replace(context, body, target, hy_stmt_with_children(context, target, &inside, 1));
  return hy_tree_with_body(context, tgt, body);
}
