#include "halyard/cause.h"

#include <string.h>

enum { MOST_LISTED = 3 };
static const hy_loc nowhere = {0};

hy_cause_kind hy_cause_kind_of(const hy_obligation *o) {
  switch (o->kind) {
  case HY_B_MEM:
  case HY_B_INSIDE:
  case HY_B_WINDOW:
  case HY_B_CPU:
  case HY_B_ADDRESS: return o->dim >= 0 ? HY_CAUSE_BOX : HY_CAUSE_OTHER;
  case HY_B_COVER: return HY_CAUSE_COVERAGE;
  case HY_B_FITS:
  case HY_B_LENGTH:
  case HY_B_DEFINED: return HY_CAUSE_NUMBER;
  case HY_B_VALUE:
  case HY_B_CONSTRAIN:
  case HY_B_PIECES:
  case HY_B_DISJOINT: return HY_CAUSE_OTHER;
  case HY_B_FOLD: return HY_CAUSE_FOLD;
  }
  HY_UNREACHABLE();
}

const hy_func *hy_cause_box(const hy_obligation *o) { return o->other ? o->other : o->func; }

// About one access at one place?
static bool same_site(const hy_obligation *a, const hy_obligation *b) {
  return a->other && a->other == b->other && a->loc.source && a->loc.source == b->loc.source &&
         a->loc.line == b->loc.line && a->loc.column == b->loc.column;
}

static bool same_cause(const hy_obligation *a, const hy_obligation *b) {
  hy_cause_kind kind = hy_cause_kind_of(a);
  if (kind != hy_cause_kind_of(b)) return false;
  switch (kind) {
  case HY_CAUSE_BOX:
    return hy_cause_box(a) == hy_cause_box(b) && (same_site(a, b) || (a->dim == b->dim && a->is_upper == b->is_upper));
  case HY_CAUSE_COVERAGE: return a->func == b->func && a->stage == b->stage;
  case HY_CAUSE_NUMBER: return a->kind == b->kind && (a->goal == b->goal || same_site(a, b));
  case HY_CAUSE_FOLD: return a->func == b->func && a->dim == b->dim;
  case HY_CAUSE_OTHER: return false;
  }
  HY_UNREACHABLE();
}

static int prominence(const hy_obligation *o) { return o->other ? 2 : o->kind != HY_B_INSIDE; }

typedef struct {
  const hy_oracle_report *report;
  const void **keys; // by decision
  bool *taken;       // by decision
} gathering;

// Have decisions i and k one cause?
static bool is_one_cause(const gathering *g, size_t i, size_t k) {
  const hy_obligation *a = g->report->decisions[i].obligation, *b = g->report->decisions[k].obligation;
  return same_cause(a, b) || (g->keys[i] && g->keys[i] == g->keys[k] && a->kind == b->kind);
}

// Takes what has the same cause as decision "first", transitively, out of those that are not taken yet.
static hy_cause gather(gathering *g, size_t first) {
  const hy_oracle_report *r = g->report;
  hy_cause c = {.shown = &r->decisions[first]};
  hy_verdict verdict = c.shown->verdict;
  g->taken[first] = true;
  hy_vec_push(&c.members, &r->decisions[first]);
  for (size_t m = 0; m < c.members.count; m++)
    for (size_t k = first; k < r->count; k++) {
      const hy_decision *d = &r->decisions[k];
      if (g->taken[k] || d->verdict != verdict) continue;
      if (!is_one_cause(g, (size_t)(c.members.data[m] - r->decisions), k)) continue;
      g->taken[k] = true;
      hy_vec_push(&c.members, d);
      if (prominence(d->obligation) > prominence(c.shown->obligation)) c.shown = d;
    }
  return c;
}

hy_cause_list hy_cause_find(const hy_oracle_report *r, hy_verdict verdict, hy_cause_key *key, void *self) {
  hy_cause_list list = {0};
  gathering g = {r, hy_allocate_zeroed(r->count, sizeof *g.keys), hy_allocate_zeroed(r->count, sizeof *g.taken)};
  for (size_t i = 0; i < r->count && key; i++)
    if (r->decisions[i].verdict == verdict) g.keys[i] = key(self, r->decisions[i].obligation);
  for (size_t i = 0; i < r->count; i++)
    if (!g.taken[i] && r->decisions[i].verdict == verdict) hy_vec_push(&list, gather(&g, i));
  hy_free(g.keys);
  hy_free(g.taken);
  return list;
}

void hy_cause_list_free(hy_cause_list *list) {
  for (size_t i = 0; i < list->count; i++) hy_vec_free(&list->data[i].members);
  hy_vec_free(list);
}

// Is the member one that says something which neither the shown one nor one before it says?
static bool is_news(const hy_cause *c, size_t member) {
  const char *about = c->members.data[member]->obligation->about;
  bool news = strcmp(about, c->shown->obligation->about) != 0;
  for (size_t i = 0; i < member && news; i++) news = strcmp(about, c->members.data[i]->obligation->about) != 0;
  return news;
}

void hy_cause_note_others(const hy_cause *c, hy_code code, const char *one, const char *several,
                          hy_diagnostics *diagnostics) {
  size_t others = c->members.count - 1, news = 0;
  if (!others) return;
  hy_text list = {0};
  for (size_t i = 0; i < c->members.count; i++)
    if (is_news(c, i) && news++ < MOST_LISTED)
      hy_text_printf(&list, "%s%s", news > 1 ? "; " : ": ", c->members.data[i]->obligation->about);
  hy_note(diagnostics, code, nowhere, "and %zu more obligation%s %s for the same cause%s%s", others,
          others == 1 ? "" : "s", others == 1 ? one : several,
          news ? hy_text_string(&list) : " (the same at other places)", news > MOST_LISTED ? "; ..." : "");
  hy_text_free(&list);
}

void hy_cause_note_directive(const hy_directive *core, int count, const hy_obligation *o, hy_code code,
                             hy_diagnostics *diagnostics) {
  for (int i = 0; i < count && o->kind == HY_B_FOLD; i++)
    if (core[i].type == &hy_directive_fold_storage && core[i].func == o->func && core[i].dim == o->dim)
      hy_note(diagnostics, code, core[i].loc, "this directive folds it");
}
