#include "cli/tune/keep.h"

#include <string.h>

static const hy_loc nowhere = {0};

typedef HY_VEC(const char *) names;

typedef struct {
  hy_context *context;
  const hy_func_graph *graph;
  const hy_schedule *start;
  const hy_directive *core; // of the schedule
  int core_count;
  names kept; // funcs of which all that is said is kept
  bool *item_is_kept;
} keeper;

/* -- funcs by name -- */

static int node_named(const hy_func_graph *g, const char *name) {
  for (int n = g->first; n < g->count; n++)
    if (strcmp(g->nodes[n].func->name, name) == 0) return n;
  return -1;
}

// Does the schedule add a func of that name?
static bool is_made(const keeper *k, const char *name) {
  for (int i = 0; i < k->core_count; i++)
    if (k->core[i].made && strcmp(k->core[i].made->name, name) == 0) return true;
  return false;
}

static bool is_among(const names *list, const char *name) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->data[i], name) == 0) return true;
  return false;
}

static void keep(keeper *k, const char *name) {
  if (!is_among(&k->kept, name)) hy_vec_push(&k->kept, name);
}

/* -- of which funcs an item speaks -- */

typedef struct {
  names all;  // those that it schedules, adds, or adds others of
  names said; // of those it says more than that others are added
  names made; // those that it adds, and others that schedules add and that its arguments name
} subjects;

static void free_subjects(subjects *s) {
  hy_vec_free(&s->all);
  hy_vec_free(&s->said);
  hy_vec_free(&s->made);
}

static void find_named(const keeper *k, const hy_call *call, subjects *s) {
  for (int i = 0; i < call->count; i++)
    if (call->args[i].path_count && is_made(k, call->args[i].path[0])) hy_vec_push(&s->made, call->args[i].path[0]);
}

static bool is_at(hy_loc a, hy_loc b) { return a.line == b.line && a.column == b.column; }

// A call that splits a reduction is needed by the funcs that have its parts apart.
static void find_factored(const keeper *k, const hy_call *call, subjects *s) {
  for (int i = 0; i < k->core_count; i++) {
    const hy_directive *split = &k->core[i];
    if (split->type != &hy_directive_split_reduction || !is_at(split->loc, call->loc)) continue;
    for (int j = i + 1; j < k->core_count; j++) {
      const hy_directive *d = &k->core[j];
      if (d->type == &hy_directive_rfactor && d->func == split->func && d->loop->stage == split->loop->stage)
        hy_vec_push(&s->all, d->made->name);
    }
  }
}

static void find_in_chain(const keeper *k, const hy_schedule_item *item, subjects *s) {
  const char *subject = item->func;
  hy_vec_push(&s->all, subject);
  if (is_made(k, subject)) hy_vec_push(&s->made, subject);
  for (int i = 0; i < item->count; i++) {
    const hy_func *made = hy_sched_turned(k->context, k->core, k->core_count, subject, &item->calls[i]);
    if (made) {
      subject = made->name;
      hy_vec_push(&s->all, subject);
      hy_vec_push(&s->made, subject);
    } else if (strcmp(item->calls[i].name, "update") != 0)
      hy_vec_push(&s->said, subject);
  }
}

static const char *first_name(const hy_call *call) {
  return call->count && call->args[0].path_count ? call->args[0].path[0] : NULL;
}

static subjects subjects_of(const keeper *k, const hy_schedule_item *item) {
  subjects s = {0};
  const hy_directive_type *type = item->func ? NULL : hy_sched_find(k->context, item->calls[0].name);
  const char *name = item->func ? NULL : first_name(&item->calls[0]);
  for (int i = 0; i < item->count; i++) find_named(k, &item->calls[i], &s), find_factored(k, &item->calls[i], &s);
  if (item->func) find_in_chain(k, item, &s);
  if (name) hy_vec_push(&s.all, name);
  if (name && type && type->phase != HY_PHASE_FUNCS) hy_vec_push(&s.said, name);
  if (type && type->phase == HY_PHASE_FUNCS)
    for (size_t i = 0; i < s.made.count; i++) hy_vec_push(&s.all, s.made.data[i]);
  return s;
}

/* -- what is kept -- */

static bool speaks_of_kept(const keeper *k, const subjects *s) {
  for (size_t i = 0; i < s->all.count; i++)
    if (is_among(&k->kept, s->all.data[i])) return true;
  return false;
}

// Items that speak of funcs that are kept, and with them all that is said of what they add, need and say more of.
static bool keep_more(keeper *k) {
  bool more = false;
  for (int i = 0; i < k->start->count; i++) {
    if (k->item_is_kept[i]) continue;
    subjects s = subjects_of(k, &k->start->items[i]);
    if (speaks_of_kept(k, &s)) {
      more = k->item_is_kept[i] = true;
      for (size_t n = 0; n < s.made.count; n++) keep(k, s.made.data[n]);
      for (size_t n = 0; n < s.said.count; n++) keep(k, s.said.data[n]);
    }
    free_subjects(&s);
  }
  return more;
}

// Of "default inline;" what it says of funcs that are kept, then their items.
static void print_kept(const keeper *k, hy_text *out) {
  for (int i = 0; i < k->core_count; i++) {
    const hy_directive *d = &k->core[i];
    const hy_func *func = d->func ? d->func : d->loop ? d->loop->func : NULL;
    if (!func || !is_at(d->loc, k->start->loc) || !is_among(&k->kept, func->name)) continue;
    hy_text_add(out, "  ");
    hy_directive_print(d, out);
    hy_text_add(out, "\n");
  }
  for (int i = 0; i < k->start->count; i++) {
    if (!k->item_is_kept[i]) continue;
    hy_text_add(out, "  ");
    hy_schedule_item_print(&k->start->items[i], out);
    hy_text_add(out, "\n");
  }
}

/* -- reading it -- */

static hy_status no_such_func(const hy_session *s, const keeper *k, const char *name) {
  hy_text help = {0};
  if (strchr(name, '[')) hy_text_add(&help, "the member g[3] of a family is called g_3; ");
  hy_text_printf(&help, "the funcs of '%s' are", s->alg->name);
  for (int i = 0; i < s->alg->definition_count; i++)
    hy_text_printf(&help, "%s %s", i ? "," : "", s->alg->definitions[i].func->name);
  for (int i = 0, made = 0; i < k->core_count; i++)
    if (k->core[i].made) hy_text_printf(&help, "%s %s", made++ ? "," : "; the schedule adds", k->core[i].made->name);
  hy_report(s->diagnostics, HY_E_TUNE_FROZEN, nowhere, NULL, hy_text_string(&help),
            "--freeze names '%s', but '%s' has no such func", name, s->alg->name);
  hy_text_free(&help);
  return HY_STATUS_USAGE;
}

// Each name of --freeze.
static hy_status keep_named(const hy_session *s, keeper *k) {
  for (const char *at = s->options.freeze;; at++) {
    size_t length = strcspn(at, ",");
    const char *name = hy_arena_copy(hy_context_arena(s->context), at, length);
    if (node_named(k->graph, name) < 0 && !is_made(k, name)) return no_such_func(s, k, name);
    keep(k, name);
    at += length;
    if (!*at) return HY_STATUS_FINE;
  }
}

// What is wrong with the schedule is said now: of what is made of it nothing would be told.
static hy_status check_start(hy_session *s, keeper *k) {
  hy_pipeline pipeline;
  hy_pipeline_init(&pipeline, s->context, s->alg, k->start, NULL);
  if (!hy_pipeline_schedule(&pipeline, s->diagnostics) || !hy_pipeline_fill(&pipeline, s->diagnostics))
    return HY_STATUS_WRONG;
  k->core = pipeline.core;
  k->core_count = pipeline.core_count;
  return HY_STATUS_FINE;
}

static hy_status keep_all(const hy_session *s, keeper *k, hy_kept *kept) {
  k->item_is_kept = hy_allocate_zeroed((size_t)k->start->count, sizeof *k->item_is_kept);
  hy_status status = keep_named(s, k);
  while (status == HY_STATUS_FINE && keep_more(k)) {
  }
  if (status == HY_STATUS_FINE) print_kept(k, &kept->lines);
  kept->is_kept = hy_allocate_zeroed((size_t)k->graph->count, sizeof *kept->is_kept);
  for (size_t i = 0; i < k->kept.count; i++) {
    int node = node_named(k->graph, k->kept.data[i]);
    if (node >= 0) kept->is_kept[node] = true;
  }
  hy_free(k->item_is_kept);
  hy_vec_free(&k->kept);
  return status;
}

hy_status hy_kept_read(hy_session *s, const hy_func_graph *g, const hy_schedule *start, hy_kept *kept) {
  keeper k = {.context = s->context, .graph = g, .start = start};
  *kept = (hy_kept){0};
  if (!start && s->options.freeze) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "add --start S.sched",
              "--freeze keeps what a schedule says of funcs, but there is none");
    return HY_STATUS_USAGE;
  }
  hy_status status = start ? check_start(s, &k) : HY_STATUS_FINE;
  return status == HY_STATUS_FINE && s->options.freeze ? keep_all(s, &k, kept) : status;
}

void hy_kept_copy(const hy_schedule *schedule, hy_text *out) {
  hy_text_printf(out, "schedule tuned for %s {\n%s", schedule->pipeline,
                 schedule->default_inline ? "  default inline;\n" : "");
  for (int i = 0; i < schedule->count; i++) {
    hy_text_add(out, "  ");
    hy_schedule_item_print(&schedule->items[i], out);
    hy_text_add(out, "\n");
  }
  hy_text_add(out, "}\n");
}

void hy_kept_free(hy_kept *kept) {
  hy_free(kept->is_kept);
  hy_text_free(&kept->lines);
}
