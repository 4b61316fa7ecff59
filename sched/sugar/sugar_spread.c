#include "sched/funcs/funcs.h"
#include "sched/sugar/sugar.h"

#include <string.h>

/* SCH.Spread: a loop that a move names without a specialization, o.y, is that loop of every copy of o: of each of its
 * specializations, and, where o itself is computed in specializations of another func, of each copy of it there. What
 * is computed in it, g, is then there once for each of them: a core directive copy(g, c, o.z1) adds a func for what
 * reads g in one of them, before anything is moved, and compute_at moves each to the loop of its own. Whatever else the
 * schedule says of g behind the loops phase it says of every copy.
 */

// A func as it is computed at one place. Those that are copies here have the same origin.
typedef struct {
  const hy_func *func, *origin;
  const hy_var *site; // NULL: root
} instance;

typedef struct {
  hy_sugar *s;
  HY_VEC(instance) instances;
  int copies;
} spreading;

// One copy of the consumer: a specialization of an instance.
typedef struct {
  const hy_func *func;
  int branch;
  bool is_one_of_several;
} host;

typedef HY_VEC(host) host_list;

const char *hy_sugar_copied(const hy_sugar *s, const char *name) {
  for (int i = 0; i < s->schedule->count; i++) {
    const hy_call *call = &s->schedule->items[i].calls[0];
    bool copies = !s->schedule->items[i].func && strcmp(call->name, hy_directive_copy.name) == 0 && call->count > 2;
    if (copies && call->args[0].path_count == 1 && call->args[1].path_count == 1 &&
        strcmp(call->args[1].path[0], name) == 0)
      return call->args[0].path[0];
  }
  return NULL;
}

/* -- what there is -- */

static instance *find(spreading *p, const hy_func *func) {
  for (size_t i = 0; i < p->instances.count; i++)
    if (p->instances.data[i].func == func) return &p->instances.data[i];
  return NULL;
}

static const hy_func *origin_of(spreading *p, const hy_func *func) {
  const instance *at = find(p, func);
  return at ? at->origin : func;
}

static const hy_var *site_of(spreading *p, const hy_func *func) {
  const instance *at = find(p, func);
  return at ? at->site : NULL;
}

typedef struct {
  const hy_func *func;
  uint64_t branches[2]; // z0 to z64
} branch_search;

static void see_branch(void *self, const hy_stmt *stmt) {
  branch_search *search = self;
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_SPEC && stmt->label.func == search->func)
    search->branches[stmt->label.number / 64] |= UINT64_C(1) << stmt->label.number % 64;
}

static void add_hosts(spreading *p, const hy_func *func, host_list *hosts) {
  branch_search search = {.func = func};
  hy_tree_visit(p->s->tgt->body, see_branch, &search);
  bool several = search.branches[0] || search.branches[1];
  if (!several) hy_vec_push(hosts, ((host){func, 0, false}));
  for (int k = 0; k < 128; k++)
    if (search.branches[k / 64] >> k % 64 & 1) hy_vec_push(hosts, ((host){func, k, true}));
}

// All copies of the func.
static host_list hosts_of(spreading *p, const hy_func *func) {
  host_list hosts = {0};
  for (size_t i = 0; i < p->instances.count; i++)
    if (p->instances.data[i].origin == func) add_hosts(p, p->instances.data[i].func, &hosts);
  return hosts;
}

// Is the func computed, at last, in a loop of that copy? A schedule that is refused may have one computed in itself.
static bool is_inside(spreading *p, const hy_func *func, const host *h) {
  size_t left = p->instances.count;
  for (const hy_var *site = site_of(p, func); site && left-- > 0; site = site_of(p, site->func))
    if (site->func == h->func && site->spec == h->branch) return true;
  return false;
}

/* -- who reads g in one of them -- */

static bool add_reader(hy_directive *d, const hy_func **readers, int *branches, const hy_func *func, int branch) {
  if (d->reader_count == HY_MOST_READERS) return false;
  readers[d->reader_count] = func;
  branches[d->reader_count++] = branch;
  return true;
}

static bool reads(const spreading *p, const hy_func *reader, int branch, const hy_func *func) {
  hy_directive one = {.func = func, .readers = &reader, .branches = &branch, .reader_count = 1};
  return hy_funcs_reads_of(p->s->tgt, &one, true) > 0;
}

// The copy directive for what reads g in that copy of its consumer; no readers: nothing does.
static hy_directive directive_for(spreading *p, const hy_directive *move, const host *h) {
  hy_arena *arena = hy_context_arena(p->s->context);
  const hy_func **readers = HY_NEW_ARRAY(arena, const hy_func *, HY_MOST_READERS);
  int *branches = HY_NEW_ARRAY(arena, int, HY_MOST_READERS), own = h->is_one_of_several ? h->branch : HY_ALL_BRANCHES;
  hy_directive d = {.type = &hy_directive_copy,
                    .loc = move->loc,
                    .func = move->func,
                    .readers = readers,
                    .branches = branches,
                    .is_spread = true};
  bool fits = true;
  if (h->func != move->func && reads(p, h->func, own, move->func)) add_reader(&d, readers, branches, h->func, own);
  for (size_t i = 0; i < p->instances.count; i++) {
    const hy_func *other = p->instances.data[i].func;
    if (other != move->func && is_inside(p, other, h) && reads(p, other, HY_ALL_BRANCHES, move->func))
      fits = fits && add_reader(&d, readers, branches, other, HY_ALL_BRANCHES);
  }
  HY_ASSERT(fits || d.reader_count == HY_MOST_READERS);
  return d;
}

/* -- each copy has the loop -- */

static const hy_var *loop_in(const spreading *p, const host *h, const hy_var *loop) {
  return hy_var_loop(p->s->context, h->func, h->branch, loop->stage, loop->name);
}

typedef struct {
  const hy_var *like;
  hy_text names;
} loop_lister;

static void see_loop(void *self, const hy_stmt *stmt) {
  loop_lister *l = self;
  if (stmt->kind != HY_STMT_FOR) return;
  const hy_var *var = stmt->loop.var;
  if (var->func != l->like->func || var->spec != l->like->spec || var->stage != l->like->stage) return;
  hy_text_printf(&l->names, "%s%s", l->names.length ? ", " : "", var->name);
}

// SCH.Spread.Loop
static bool has_loop(const spreading *p, const hy_directive *move, const host *h) {
  const hy_var *loop = loop_in(p, h, move->loop);
  if (hy_tree_loop(p->s->tgt->body, loop)) return true;
  hy_arena *arena = hy_context_arena(p->s->context);
  loop_lister l = {.like = loop};
  hy_tree_visit(p->s->tgt->body, see_loop, &l);
  const char *copy = h->is_one_of_several ? hy_arena_printf(arena, "%s.z%d", h->func->name, h->branch) : h->func->name;
  const char *help = hy_arena_printf(
      arena, "its loops there are %s; give it one that is called '%s', name a loop that each of them has, or write %s",
      l.names.length ? hy_text_string(&l.names) : "none", loop->name,
      hy_arena_printf(arena, "%s.compute_root()", move->func->name));
  hy_text_free(&l.names);
  hy_context_hit(p->s->context, HY_RULE_SCH_SPREAD_LOOP);
  p->s->failed = true;
  hy_report(p->s->diagnostics, HY_E_SPREAD_LOOP, hy_directive_at(move, move->at.loop), "SCH.Spread.Loop", help,
            "'%s' is computed in loop '%s' of every copy of '%s', and '%s' has none", move->func->name, loop->name,
            move->loop->func->name, copy);
  return false;
}

/* -- one move -- */

static void put_move(spreading *p, const hy_directive *move, const hy_func *func, const hy_var *loop,
                     hy_directive_list *out) {
  hy_directive d = *move;
  d.func = func;
  d.loop = loop;
  d.is_spread = func != move->func;
  instance *at = find(p, func);
  HY_ASSERT(at);
  at->site = loop;
  hy_vec_push(out, d);
}

// SCH.Spread.Most
static bool is_bounded(spreading *p, const hy_directive *move, const hy_directive *copy) {
  if (p->copies++ < HY_MOST_COPIES && copy->reader_count < HY_MOST_READERS) return true;
  hy_context_hit(p->s->context, HY_RULE_SCH_SPREAD_MOST);
  p->s->failed = true;
  bool many = p->copies > HY_MOST_COPIES;
  hy_report(p->s->diagnostics, HY_E_SPREAD_MANY, move->loc, "SCH.Spread.Most",
            "compute it at root, or specialize fewer funcs",
            many ? "specializations ask for more copies than fit: of '%s' the %dth"
                 : "too many funcs read '%s' in one specialization: %d",
            move->func->name, many ? p->copies : copy->reader_count);
  return false;
}

// A copy of g for the readers of that one.
static const hy_func *make_copy(spreading *p, const hy_directive *move, hy_directive copy, const host *h) {
  if (!is_bounded(p, move, &copy)) return NULL;
  hy_sugar *s = p->s;
  const char *name =
      hy_funcs_copy_name(s->context, s->tgt, copy.func, h->func, h->is_one_of_several ? h->branch : HY_ALL_BRANCHES);
  copy.made = hy_funcs_make_for(s->context, s->tgt, &copy, name, move->loc);
  hy_sugar_add(s, copy);
  if (s->failed) return NULL;
  hy_vec_push(&p->instances, ((instance){copy.made, origin_of(p, copy.func), NULL}));
  return copy.made;
}

// SCH.Spread: the first copy of the consumer has g itself, each other one a copy of it.
static void spread_move(spreading *p, const hy_directive *move, const host_list *hosts, hy_directive_list *out) {
  bool first = true;
  for (size_t i = 0; i < hosts->count && !p->s->failed; i++) {
    hy_directive copy = directive_for(p, move, &hosts->data[i]);
    if (!copy.reader_count || !has_loop(p, move, &hosts->data[i])) continue;
    const hy_func *func = first ? move->func : make_copy(p, move, copy, &hosts->data[i]);
    if (func) put_move(p, move, func, loop_in(p, &hosts->data[i], move->loop), out);
    first = false;
  }
  if (!first) hy_context_hit(p->s->context, HY_RULE_SCH_SPREAD);
  if (first && !p->s->failed) put_move(p, move, move->func, move->loop, out); // nothing reads it there
}

static void spread_compute(spreading *p, const hy_directive *move, hy_directive_list *out) {
  host_list hosts = {0};
  if (move->loop && !move->loop->spec) hosts = hosts_of(p, move->loop->func);
  if (move->type == &hy_directive_compute_at && hosts.count > 1)
    spread_move(p, move, &hosts, out);
  else
    put_move(p, move, move->func, move->loop, out);
  hy_vec_free(&hosts);
}

/* -- what else is said of g -- */

// The loop that the directive names, of the copy of its func in which this one is computed.
static const hy_var *loop_for(spreading *p, const hy_func *func, const hy_var *loop) {
  size_t left = p->instances.count;
  if (!loop || loop->spec) return loop;
  for (const hy_var *site = site_of(p, func); site && left-- > 0; site = site_of(p, site->func))
    if (origin_of(p, site->func) == loop->func)
      return hy_var_loop(p->s->context, site->func, site->spec, loop->stage, loop->name);
  return loop;
}

static void repeat(spreading *p, hy_directive_list *list) {
  hy_directive_list all = {0};
  for (size_t i = 0; i < list->count; i++) {
    const hy_directive *d = &list->data[i];
    for (size_t k = 0; k < p->instances.count; k++) {
      const instance *at = &p->instances.data[k];
      if (at->func != d->func && (at->origin != d->func || d->type->arguments[0] == HY_TAKES_BUFFER)) continue;
      hy_directive copy = *d;
      copy.func = at->func;
      copy.loop = loop_for(p, at->func, d->loop);
      copy.is_spread = at->func != d->func;
      hy_vec_push(&all, copy);
    }
    if (!find(p, d->func)) hy_vec_push(&all, *d); // an image
  }
  hy_vec_free(list);
  *list = all;
}

/* -- the whole -- */

static void see_any_branch(void *self, const hy_stmt *stmt) {
  *(bool *)self |= stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_SPEC;
}

// Consumers first: where they are computed says which of them reads g in a copy of another func.
static void spread_computes(spreading *p) {
  hy_sugar *s = p->s;
  hy_directive_list *computes = &s->phases[HY_PHASE_COMPUTE], all = {0};
  const hy_tgt *before = s->tgt;
  for (int f = before->func_count; f-- > 0;)
    for (size_t i = 0; i < computes->count && !s->failed; i++)
      if (computes->data[i].func == before->funcs[f]) spread_compute(p, &computes->data[i], &all);
  hy_vec_free(computes);
  *computes = all;
}

void hy_sugar_spread(hy_sugar *s) {
  bool any = false;
  hy_tree_visit(s->tgt->body, see_any_branch, &any);
  if (!any) return;
  spreading p = {.s = s};
  for (int i = 0; i < s->tgt->func_count; i++)
    hy_vec_push(&p.instances, ((instance){s->tgt->funcs[i], s->tgt->funcs[i], NULL}));
  spread_computes(&p);
  for (int phase = HY_PHASE_STORAGE; phase <= HY_PHASE_PLAN; phase++) repeat(&p, &s->phases[phase]);
  hy_vec_free(&p.instances);
}
