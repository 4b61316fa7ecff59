#include "review/review.h"
#include "semantics/base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hy_review_progress(const hy_review *r, const char *format, ...) {
  char line[120];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  r->progress(r->self, line);
}

double hy_review_left(const hy_review *r) { return r->seconds - (hy_seconds() - r->start); }

static int count_lines(const char *text) {
  int lines = 0;
  for (; *text; text++) lines += *text == '\n';
  return lines;
}

static int count_funcs(const char *alg) {
  int funcs = 0;
  for (const char *at = alg; (at = strstr(at, "fun ")); at++) funcs++;
  return funcs;
}

void hy_review_fail(hy_review *r, const hy_case *c, const hy_judgement *judgement, const char *where) {
  hy_review_failure f = {hy_case_copy(c), *judgement, where, count_funcs(c->alg), count_lines(c->items)};
  hy_vec_push(&r->failures, f);
}

bool hy_review_uses(const hy_review *r, const char *items) {
  const char *name = r->plugin->directive->name;
  size_t length = strlen(name);
  for (const char *at = items; (at = strstr(at, name)); at++)
    if (at[length] == '(' && (at == items || at[-1] == ' ' || at[-1] == '\n')) return true;
  return false;
}

void hy_review_see_death(hy_review *r, const hy_judgement *j) {
  char code[16];
  snprintf(code, sizeof code, "HY%04d", (int)HY_E_PLUGIN_DIED);
  const char *how = strchr(j->detail, '\'');
  how = how ? strchr(how + 1, '\'') : NULL; // behind the plug-in's name
  if (r->death || strcmp(j->rule, code) != 0) return;
  r->death = hy_arena_printf(hy_context_arena(r->context), "it%s", how ? how + 1 : " ended the process");
}

/* -- the verdict -- */

static bool was_seen(const hy_review *r) {
  int applied = 0;
  for (int i = 0; i < HY_REVIEW_SHAPES; i++) applied += r->shapes[i].applied;
  return applied > 0;
}

// Time ran out: is it the plug-in that takes so long?
static const char *late_story(hy_review *r, const char *what) {
  enum { LONG_MS = 20 };
  hy_arena *arena = hy_context_arena(r->context);
  int ms = r->plugins->watch ? r->plugins->watch->longest_ms : 0;
  return hy_arena_printf(
      arena, "time ran out before %s; raise --time%s", what,
      ms < LONG_MS ? "" : hy_arena_printf(arena, ", or make its functions faster: one call took %.2f s", ms * 1e-3));
}

// What time did not suffice for. Nothing that was not looked at is sound.
static const char *find_untried(hy_review *r) {
  hy_arena *arena = hy_context_arena(r->context);
  for (int i = 0; i < HY_REVIEW_SHAPES; i++)
    if (!r->shapes[i].all_tried) return late_story(r, hy_arena_printf(arena, "all was tried on %s", r->shapes[i].name));
  for (int i = 0; i < HY_REVIEW_CAMPAIGNS; i++)
    if (r->campaigns[i].pairs < r->campaigns[i].wanted)
      return late_story(r, hy_arena_printf(arena, "all of %llu random pairs were judged (%s: only %llu were)",
                                           (unsigned long long)r->campaigns[i].wanted, r->campaigns[i].name,
                                           (unsigned long long)r->campaigns[i].pairs));
  for (int k = 0; k < HY_REVIEW_NEIGHBOURS; k++)
    if (r->neighbours[k].tried < r->neighbours[k].wanted)
      return late_story(r, hy_arena_printf(arena, "it was tried beside %s", hy_sched_name(k)));
  return r->late ? late_story(r, r->leaks_measured ? "the end" : "its memory and files were measured") : NULL;
}

static const char *find_open(hy_review *r) {
  hy_arena *arena = hy_context_arena(r->context);
  if (r->unseen)
    return hy_arena_printf(arena, "%llu random pairs failed, and time ran out before they were looked at; raise --time",
                           (unsigned long long)r->unseen);
  if (r->unmade)
    return hy_arena_printf(arena, "%llu random pairs failed, and making them again did not show how",
                           (unsigned long long)r->unmade);
  if (!was_seen(r) && r->late) return late_story(r, "it was applied to any loop");
  if (!was_seen(r)) return "it was never applied: 'legal' refuses every loop that was tried";
  for (int i = 0; i < HY_REVIEW_SHAPES; i++)
    if (r->shapes[i].undecided)
      return hy_arena_printf(arena, "on %s this could not be decided for all inputs: %s", r->shapes[i].name,
                             r->shapes[i].open ? r->shapes[i].open : "");
  return find_untried(r);
}

void hy_review_conclude(hy_review *r) {
  bool own = false,
       foreign = false; // failures of schedules that use it; of others
  for (size_t i = 0; i < r->failures.count; i++)
    if (hy_review_uses(r, r->failures.data[i].c.items))
      own = true;
    else
      foreign = true;
  if (own || r->death || r->leaked_bytes || r->leaked_files) {
    r->verdict = HY_REVIEW_REFUTED;
    return;
  }
  r->open = foreign ? "what failed does not use it: this is a defect of "
                      "Halyard, please report it"
                    : find_open(r);
  r->verdict = r->open ? HY_REVIEW_OPEN : HY_REVIEW_SOUND;
}

void hy_review_free(hy_review *r) {
  for (size_t i = 0; i < r->failures.count; i++) hy_case_free(&r->failures.data[i].c);
  hy_vec_free(&r->failures);
  for (int i = 0; i < HYD_MOST_ARGUMENTS; i++) hy_vec_free(&r->arguments[i].values);
}
