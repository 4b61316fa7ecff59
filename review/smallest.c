#include "review/review.h"

#include "semantics/semantics.h"

#include <string.h>
#include <unistd.h>

/* The smallest counterexample: some failures are shrunk, the one with the
 * fewest directives and funcs is shown, with the program before and after the
 * directive that fails.
 */

enum { MOST_SHRUNK = 3, TRIES = 250, SECONDS_EACH = 20, LEAST_SECONDS = 1 };

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

// Those that use the plug-in first; then few directives, few funcs, short text.
static bool is_better(const hy_review *r, const hy_review_failure *a, const hy_review_failure *b) {
  bool uses_a = hy_review_uses(r, a->c.items), uses_b = hy_review_uses(r, b->c.items);
  if (uses_a != uses_b) return uses_a;
  if (a->directives != b->directives) return a->directives < b->directives;
  if (a->funcs != b->funcs) return a->funcs < b->funcs;
  return strlen(a->c.alg) < strlen(b->c.alg);
}

static void sort(hy_review *r) {
  for (size_t i = 1; i < r->failures.count; i++)
    for (size_t k = i; k > 0 && is_better(r, &r->failures.data[k], &r->failures.data[k - 1]); k--) {
      hy_review_failure f = r->failures.data[k];
      r->failures.data[k] = r->failures.data[k - 1];
      r->failures.data[k - 1] = f;
    }
}

// Each try would take as long again.
static bool is_slow(const hy_judgement *j) {
  return *j->end && (strstr(j->detail, "did not return") || strstr(j->detail, "of memory"));
}

static void shrink(hy_review *r, hy_review_failure *f, double seconds) {
  hy_shrink_limits limits = {seconds, TRIES};
  hy_judgement again;
  hy_review_progress(r, "shrinking a counterexample");
  hy_shrink(&f->c, f->c.lanes, &limits, &f->judgement);
  bool judged = hy_judge_apart_until(&f->c, f->c.lanes, true, SECONDS_EACH, r->start + r->seconds, &again);
  if (judged && hy_judgement_same(&again, &f->judgement)) f->judgement = again;
  f->directives = count_lines(f->c.items);
  f->funcs = count_funcs(f->c.alg);
}

/* -- before and after -- */

static const hy_stmt *find_stage(const hy_stmt *stmt, const hy_var *like, int spec) {
  if (stmt->kind == HY_STMT_LABEL && stmt->label.func == like->func) {
    if (stmt->label.what == HY_LABEL_SPEC) spec = stmt->label.number;
    if (stmt->label.what == HY_LABEL_STAGE && stmt->label.number == like->stage && spec == like->spec) return stmt;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) {
    const hy_stmt *found = find_stage(children[i], like, spec);
    if (found) return found;
  }
  return NULL;
}

static void print_stage(const hy_tgt *tgt, const hy_directive *d, hy_text *out) {
  const hy_stmt *stage = d && d->loop ? find_stage(tgt->body, d->loop, 0) : NULL;
  hy_stmt_print(stage ? stage : tgt->body, 0, out);
}

// Schedules the case with the first "lines" of its directives. False if it is
// refused.
static bool schedule(hy_context *context, const hy_case *c, int lines, hy_pipeline *p) {
  const char *end = c->items;
  while (lines-- > 0) end += strcspn(end, "\n") + 1;
  hy_text *text = HY_NEW(hy_context_arena(context), hy_text);
  hy_diagnostics *said = hy_diagnostics_new();
  hy_source *sources = HY_NEW_ARRAY(hy_context_arena(context), hy_source, 2);
  sources[0] = (hy_source){"case.alg", c->alg, strlen(c->alg)};
  const hy_alg *alg = hy_parse_alg(context, &sources[0], said);
  if (!alg) return false;
  hy_text_printf(text, "schedule s for %s {\n%.*s}\n", alg->name, (int)(end - c->items), c->items);
  sources[1] = (hy_source){"case.sched", text->data, text->length};
  const hy_schedule *schedules;
  int count = 0;
  if (!hy_parse_schedules(context, &sources[1], said, &schedules, &count)) return false;
  hy_pipeline_init(p, context, alg, schedules, NULL);
  bool good = hy_pipeline_schedule(p, said);
  return good || p->step_count > p->core_count; // what is only illegal as a whole was made
}

// The two texts, each with its final NUL, go to "to".
static void print_steps(const hy_review *r, const hy_review_failure *f, int to) {
  hy_context *context = hy_context_new();
  hy_text before = {0}, after = {0};
  hy_pipeline p;
  int all = count_lines(f->c.items), lines = all, step = f->judgement.step;
  hy_plugins_use(context, r->plugins);
  if (r->death || *f->judgement.end || strcmp(f->judgement.rule, "HY0432") == 0)
    lines--; // the last directive is not to be tried again: there is no program
             // after it
  while (lines > 0 && !schedule(context, &f->c, lines, &p)) lines--;
  if (lines == 0 && !schedule(context, &f->c, 0, &p)) return;
  if (lines == all && step > 0 && step <= p.core_count) {
    print_stage(p.steps[step - 1], &p.core[step - 1], &before);
    print_stage(p.steps[step], &p.core[step - 1], &after);
  } else {
    print_stage(p.steps[p.step_count - 1], NULL, &before);
  }
  if (write(to, hy_text_string(&before), before.length + 1) < 0) return; // then neither is shown
  if (write(to, hy_text_string(&after), after.length + 1) < 0) return;
}

static void work(hy_review *r, void *self, int to) { print_steps(r, self, to); }

static void show_steps(hy_review *r, hy_review_failure *f) {
  hy_text text = {0};
  double left = hy_review_left(r);
  hy_review_apart(r, work, f, left > LEAST_SECONDS ? left : LEAST_SECONDS, &text);
  size_t first = text.data ? strlen(text.data) : 0;
  if (first) r->before = hy_arena_copy(hy_context_arena(r->context), text.data, first);
  if (first && text.length > first + 2)
    r->after = hy_arena_copy(hy_context_arena(r->context), text.data + first + 1, strlen(text.data + first + 1));
  hy_text_free(&text);
}

void hy_review_smallest(hy_review *r) {
  if (!r->failures.count) return;
  sort(r);
  for (size_t i = 0; i < r->failures.count && i < MOST_SHRUNK; i++) {
    double left = hy_review_left(r) - 2;
    if (left > 1 && !is_slow(&r->failures.data[i].judgement))
      shrink(r, &r->failures.data[i], left / (double)(MOST_SHRUNK - i));
  }
  sort(r);
  show_steps(r, &r->failures.data[0]);
}
