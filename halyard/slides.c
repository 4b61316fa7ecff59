#include "halyard/slides.h"

#include "sched/sched.h"
#include "semantics/tgt/range.h"

#include <string.h>

enum { LARGEST_FOLD = 64, MOST_ATTEMPTS = 4 };

typedef HY_VEC(hy_directive) slide_list;

typedef struct slides {
  hy_pipeline *p;
  const hy_tgt *tgt, *filled; // with all that was added
  hy_asked_list asked;
  const hy_query *owed; // by the program as it was written
  slide_list added;
  HY_VEC(const hy_tgt *) steps; // after each of them
  hy_oracle_left left;          // open at the last attempt
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
  const hy_directive *compute = said_of(p, &hy_directive_compute_at, func);
  if (!store || !(store->in_chain || (compute && compute->in_chain))) return false;
  if (said_of(p, &hy_directive_slide, func)) return false;
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

static bool extents(slides *s, const hy_directive *added, size_t count) {
  return hy_sched_extents(s->p->context, s->filled, added, (int)count, s->p->loc, s->unheard);
}

// Is all of B proved that the program does not owe as it was written, and is it one that may stand?
static hy_answer holds(slides *s) {
  hy_pipeline *p = s->p;
  s->left.count = 0;
  if (!fill(s)) return HY_NO;
  if (!hy_sched_legal(p->context, s->tgt, s->added.data, (int)s->added.count, p->loc, s->unheard)) return HY_NO;
  if (!extents(s, s->added.data, s->added.count)) return HY_NO;
  return hy_oracle_accepts_beside(p->context, hy_query_extract(p->context, s->filled), s->owed, &s->left);
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

static void add_all(slides *s) {
  search found;
  begin(s);
  for (int i = 0; i < s->tgt->func_count; i++)
    if (is_candidate(s->p, s->tgt, s->tgt->funcs[i], &found)) (void)add(s, slide_of(s->p, &found));
}

static void add_one_by_one(slides *s) {
  search found;
  begin(s);
  for (int i = 0; i < s->tgt->func_count; i++) {
    if (!is_candidate(s->p, s->tgt, s->tgt->funcs[i], &found) || !add(s, slide_of(s->p, &found))) continue;
    if (!fill(s) || !extents(s, &hy_vec_last(&s->added), 1)) take_back(s);
  }
}

// Those of the candidates that compute less for it (FIN.Slide): mostly that is all of them, which one look shows.
static void add_slides(slides *s) {
  add_all(s);
  if (s->added.count > 1 && fill(s) && extents(s, s->added.data, s->added.count)) return;
  if (s->added.count) add_one_by_one(s);
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

/* -- what is left out again -- */

// The last that was added of the func: its fold, or else that it slides. -1: nothing is.
static int added_last(const slides *s, const hy_func *func) {
  for (int i = (int)s->added.count - 1; func && i >= 0; i--)
    if (s->added.data[i].func == func) return i;
  return -1;
}

static bool keep_all_but(slides *s, const bool *left_out) {
  slide_list kept = {0};
  for (size_t i = 0; i < s->added.count; i++)
    if (!left_out[i]) hy_vec_push(&kept, s->added.data[i]);
  begin(s);
  bool good = kept.count > 0;
  for (size_t i = 0; i < kept.count && good; i++) good = add(s, kept.data[i]);
  hy_vec_free(&kept);
  return good;
}

// Of the funcs that an open obligation is about, the fold, or else the slide. Where none of them slides, or the whole
// does not stand, all folds.
static bool weaken(slides *s) {
  bool any = false, *left_out = hy_allocate_zeroed(s->added.count + 1, sizeof *left_out);
  for (size_t i = 0; i < s->left.count; i++) {
    int last = added_last(s, s->left.open[i]->func);
    if (last < 0) last = added_last(s, s->left.open[i]->other);
    if (last < 0) continue;
    left_out[last] = any = true;
  }
  for (size_t i = 0; i < s->added.count && !any; i++) left_out[i] = s->added.data[i].type == &hy_directive_fold_storage;
  for (size_t i = 0; i < s->added.count; i++) any |= left_out[i];
  any = any && keep_all_but(s, left_out);
  hy_free(left_out);
  return any;
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

// What might have slid, and computes less for it, but is not among what was added.
static void note_unslid(hy_pipeline *p, const hy_directive *slides, size_t count) {
  p->unslid = HY_NEW_ARRAY(hy_context_arena(p->context), hy_directive, count + 1);
  for (size_t i = 0; i < count; i++)
    if (!said_of(p, &hy_directive_slide, slides[i].func)) p->unslid[p->unslid_count++] = slides[i];
}

static bool find_owed(slides *s) {
  hy_pipeline *p = s->p;
  const hy_tgt *written = hy_oracle_fill(p->context, p->steps[p->step_count - 1], s->unheard);
  if (written) s->owed = hy_query_extract(p->context, written);
  return written != NULL;
}

static bool attempt(slides *s) {
  if (!find_owed(s)) return false;
  for (int attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
    if (holds(s) == HY_YES) return true;
    if (!weaken(s)) return false;
  }
  return false;
}

// SCH.Slides: all with folds, or else without what an attempt leaves open, or not at all.
bool hy_slides_add(hy_pipeline *p) {
  slides s = {.p = p, .unheard = hy_diagnostics_new()};
  slide_list wanted = {0};
  add_slides(&s);
  for (size_t i = 0; i < s.added.count; i++) hy_vec_push(&wanted, s.added.data[i]);
  size_t slid = wanted.count;
  if (slid) add_folds(&s);
  bool good = slid && attempt(&s);
  if (good) adopt(&s);
  note_unslid(p, wanted.data, slid);
  hy_vec_free(&wanted);
  hy_vec_free(&s.added);
  hy_vec_free(&s.steps);
  hy_diagnostics_free(s.unheard);
  return good;
}

/* -- what is said of it -- */

enum { MOST_NAMED = 4 };

static void tell_names(const hy_pipeline *p, hy_text *out) {
  int count = p->unslid_count, named = count > MOST_NAMED ? MOST_NAMED - 1 : count;
  for (int i = 0; i < named; i++)
    hy_text_printf(out, "%s'%s'", !i ? "" : i + 1 == count ? " and " : ", ", p->unslid[i].func->name);
  if (named < count) hy_text_printf(out, " and %d others", count - named);
}

static void tell_loop(const hy_pipeline *p, hy_text *out) {
  for (int i = 1; i < p->unslid_count; i++)
    if (p->unslid[i].loop != p->unslid[0].loop) {
      hy_text_add(out, "its loop");
      return;
    }
  hy_var_print(p->unslid[0].loop, out);
}

void hy_slides_report(const hy_pipeline *p, hy_diagnostics *diagnostics) {
  if (!p->unslid_count) return;
  const hy_directive *first = &p->unslid[0];
  bool one = p->unslid_count == 1;
  hy_text names = {0}, loop = {0}, help = {0};
  tell_names(p, &names);
  tell_loop(p, &loop);
  hy_text_printf(&help,
                 "write .slide(%s) behind compute_at: it is looked at longer then, and what is not proved is told",
                 first->loop->name);
  hy_warn(diagnostics, HY_E_UNSLID, first->loc, "SCH.Slides (decision D85)", hy_text_string(&help),
          "%s %s anew in each iteration of %s, though stored outside of it: that %s may slide is not proved within the "
          "limit for what is not asked for",
          hy_text_string(&names), one ? "is computed" : "are computed", hy_text_string(&loop), one ? "it" : "they");
  hy_text_free(&names);
  hy_text_free(&loop);
  hy_text_free(&help);
}
