#include "driver/plugin_review.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

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

// Slots keep what a process was doing when it died. Those that are alive are
// between two calls or inside of one.
void hy_review_see_deaths(hy_review *r, const char *how) {
  hy_plugin_watch *watch = r->plugins->watch;
  int number = 0;
  if (sscanf(how, "signal %d", &number) == 1)
    how = number == SIGVTALRM
              ? "it did not return"
              : hy_arena_printf(hy_context_arena(r->s->context), "signal %d, %s", number, strsignal(number));
  for (int i = 0; i < HY_PLUGIN_SLOTS && watch; i++) {
    int process = watch->slots[i].process;
    if (!process || watch->slots[i].part == HY_PLUGIN_OUTSIDE || kill(process, 0) == 0 || errno != ESRCH) continue;
    if (!r->death)
      r->death = hy_arena_printf(hy_context_arena(r->s->context), "the process ended in %s: %s",
                                 hy_plugin_part_name((hy_plugin_part)watch->slots[i].part), how);
    watch->slots[i].process = 0;
  }
}

/* -- the verdict -- */

static bool was_seen(const hy_review *r) {
  int applied = 0;
  for (int i = 0; i < HY_REVIEW_SHAPES; i++) applied += r->shapes[i].applied;
  return applied > 0;
}

static const char *find_open(hy_review *r) {
  hy_arena *arena = hy_context_arena(r->s->context);
  if (!was_seen(r)) return "it was never applied: 'legal' refuses every loop that was tried";
  for (int i = 0; i < HY_REVIEW_SHAPES; i++)
    if (r->shapes[i].undecided)
      return hy_arena_printf(arena, "on %s this could not be decided for all inputs: %s", r->shapes[i].name,
                             r->shapes[i].open ? r->shapes[i].open : "");
  for (int i = 0; i < HY_REVIEW_CAMPAIGNS; i++)
    if (r->campaigns[i].pairs * 4 < r->campaigns[i].wanted)
      return hy_arena_printf(arena,
                             "time ran out: of %llu random pairs (%s) only "
                             "%llu were judged; raise --time",
                             (unsigned long long)r->campaigns[i].wanted, r->campaigns[i].name,
                             (unsigned long long)r->campaigns[i].pairs);
  return NULL;
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
}
