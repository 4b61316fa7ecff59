#include "halyard/slides.h"

#include "sched/sched.h"
#include "semantics/tgt/range.h"

#include <string.h>

enum { LARGEST_FOLD = 64 };

typedef struct slides {
  hy_pipeline *p;
  const hy_tgt *tgt, *filled; // with all that was added
  hy_asked_list asked;
  HY_VEC(hy_directive) added;
  HY_VEC(const hy_tgt *) steps; // after each of them
  hy_diagnostics *unheard;
} slides;

/* -- which funcs -- */

static const hy_directive *said_of(const hy_pipeline *p, const hy_directive_type *type, const hy_func *func) {
  for (int i = 0; i < p->core_count; i++)
    if (p->core[i].type == type && p->core[i].func == func) return &p->core[i];
  return NULL;
}

typedef struct search {
  const hy_func *func;
  const hy_stmt *compute, *allocate;
  const hy_var *loop; // the innermost around the computation
  int computes;
} search;

static void look(search *s, const hy_stmt *stmt, const hy_var *loop) {
  if (stmt->kind == HY_STMT_FOR) loop = stmt->loop.var;
  if (stmt->kind == HY_STMT_ALLOCATE && stmt->allocate.func == s->func) s->allocate = stmt;
  if (stmt->kind == HY_STMT_COMPUTE && stmt->compute.func == s->func) {
    s->compute = stmt;
    s->loop = loop;
    s->computes++;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) look(s, children[i], loop);
}

static search find(const hy_tgt *tgt, const hy_func *func) {
  search s = {.func = func};
  look(&s, tgt->body, NULL);
  return s;
}

static bool is_candidate(const hy_pipeline *p, const hy_tgt *tgt, const hy_func *func, search *found) {
  const hy_directive *store = said_of(p, &hy_directive_store_at, func);
  if (!store || !store->in_chain || said_of(p, &hy_directive_slide, func)) return false;
  *found = find(tgt, func);
  return found->computes == 1 && found->loop && hy_tgt_keep_fault(tgt, found->compute, found->loop) == HY_KEEPS;
}

/* -- the program with more directives -- */

static void begin(slides *s) {
  s->tgt = s->p->steps[s->p->step_count - 1];
  s->added.count = s->steps.count = 0;
}

static bool add(slides *s, hy_directive d) {
  const hy_tgt *next = hy_sched_apply(s->p->context, s->tgt, &d, s->unheard);
  if (!next) return false;
  hy_vec_push(&s->added, d);
  hy_vec_push(&s->steps, next);
  s->tgt = next;
  return true;
}

static bool fill(slides *s) {
  s->filled = hy_oracle_fill_told(s->p->context, s->tgt, &s->asked, s->unheard);
  return s->filled != NULL;
}

// Is all of B proved, and the program one that may stand?
static bool holds(slides *s) {
  hy_pipeline *p = s->p;
  if (!s->added.count || !fill(s)) return false;
  if (!hy_sched_legal(p->context, s->tgt, s->added.data, (int)s->added.count, p->loc, s->unheard)) return false;
  if (!hy_sched_extents(p->context, s->filled, s->added.data, (int)s->added.count, p->loc, s->unheard)) return false;
  return hy_oracle_accepts(p->context, hy_query_extract(p->context, s->filled), NULL) == HY_YES;
}

/* -- what slides -- */

static hy_directive slide_of(const hy_pipeline *p, const search *found) {
  const hy_directive *store = said_of(p, &hy_directive_store_at, found->func);
  return (hy_directive){.type = &hy_directive_slide, .loc = store->loc, .func = found->func, .loop = found->loop};
}

static void take_back(slides *s) {
  (void)hy_vec_pop(&s->added);
  (void)hy_vec_pop(&s->steps);
  s->tgt = s->steps.count ? hy_vec_last(&s->steps) : s->p->steps[s->p->step_count - 1];
}

// Those of the candidates that compute less for it (FIN.Slide).
static void add_slides(slides *s) {
  hy_pipeline *p = s->p;
  search found;
  begin(s);
  for (int i = 0; i < s->tgt->func_count; i++) {
    if (!is_candidate(p, s->tgt, s->tgt->funcs[i], &found) || !add(s, slide_of(p, &found))) continue;
    if (!fill(s) || !hy_sched_extents(p->context, s->filled, &hy_vec_last(&s->added), 1, p->loc, s->unheard))
      take_back(s);
  }
}

/* -- what is folded -- */

// The most points that an iteration needs in the dimension; 0: it is not known, or many.
static int64_t window_of(const slides *s, hy_expr const *len) {
  hy_ranges *ranges = hy_ranges_new();
  hy_ranges_assume_entry(ranges, s->filled);
  hy_range range = hy_ranges_of(ranges, len);
  hy_ranges_free(ranges);
  return range.high >= 1 && range.high <= LARGEST_FOLD ? (int64_t)range.high : 0;
}

// A power of two, by which remainders are cheap: of the dimension that the loop moves.
static void add_fold(slides *s, const hy_directive *slide) {
  hy_context *context = s->p->context;
  search found = find(s->filled, slide->func);
  if (said_of(s->p, &hy_directive_fold_storage, slide->func) || !found.allocate) return;
  for (int d = 0; d < slide->func->rank; d++) {
    if (!hy_expr_mentions(found.compute->compute.box[d].min, slide->loop)) continue;
    int64_t window = window_of(s, found.compute->compute.box[d].len), cells = 1, whole;
    while (cells < window) cells *= 2;
    if (!window || (hy_expr_is_int(found.allocate->allocate.box[d].len, &whole) && whole <= cells)) continue;
    (void)add(s, (hy_directive){.type = &hy_directive_fold_storage,
                                .loc = slide->loc,
                                .func = slide->func,
                                .dim = d,
                                .args = {hy_expr_int(context, cells)}});
    return;
  }
}

static void add_folds(slides *s) {
  size_t count = s->added.count;
  for (size_t i = 0; i < count; i++) {
    hy_directive slide = s->added.data[i]; // the list grows
    add_fold(s, &slide);
  }
}

/* -- */

static void adopt(slides *s) {
  hy_pipeline *p = s->p;
  hy_arena *arena = hy_context_arena(p->context);
  int count = (int)s->added.count;
  hy_context_hit(p->context, HY_RULE_SCH_SLIDES);
  hy_directive *core = HY_NEW_ARRAY(arena, hy_directive, p->core_count + count);
  const hy_tgt **steps = HY_NEW_ARRAY(arena, const hy_tgt *, p->step_count + count);
  memcpy(core, p->core, sizeof *core * (size_t)p->core_count);
  memcpy(steps, p->steps, sizeof *steps * (size_t)p->step_count);
  memcpy(core + p->core_count, s->added.data, sizeof *core * (size_t)count);
  memcpy(steps + p->step_count, s->steps.data, sizeof *steps * (size_t)count);
  p->core = core;
  p->core_count += count;
  p->steps = steps;
  p->step_count += count;
  p->filled = s->filled;
  p->asked = s->asked;
}

// SCH.Slides: with folds, or else without them, or not at all.
bool hy_slides_add(hy_pipeline *p) {
  slides s = {.p = p, .unheard = hy_diagnostics_new()};
  add_slides(&s);
  size_t slid = s.added.count;
  if (slid) add_folds(&s);
  bool good = holds(&s);
  if (!good && s.added.count > slid) {
    while (s.added.count > slid) take_back(&s);
    good = holds(&s);
  }
  if (good) adopt(&s);
  hy_vec_free(&s.added);
  hy_vec_free(&s.steps);
  hy_diagnostics_free(s.unheard);
  return good;
}
