#include "lsp/program.h"

#include <string.h>

enum { MOST_TRIES = 20 };

static bool is_before(hy_loc a, hy_loc b) { return a.line < b.line || (a.line == b.line && a.column <= b.column); }

/* -- schedules without what is wrong in them -- */

// The item that the first error is in; the last one, if it is in none.
static int item_to_blame(const hy_schedule *schedule, const hy_diagnostics *errors) {
  int found = schedule->count - 1;
  hy_loc loc = hy_diagnostics_count(errors) ? hy_diagnostics_at(errors, 0)->loc : (hy_loc){0};
  if (loc.source != schedule->loc.source) return found;
  while (found > 0 && !is_before(schedule->items[found].loc, loc)) found--;
  return found;
}

static const hy_schedule *without_item(hy_context *context, const hy_schedule *schedule, int item) {
  hy_schedule *copy = HY_NEW(hy_context_arena(context), hy_schedule);
  hy_schedule_item *items = HY_NEW_ARRAY(hy_context_arena(context), hy_schedule_item, schedule->count);
  *copy = *schedule;
  copy->items = items;
  copy->count = 0;
  for (int i = 0; i < schedule->count; i++)
    if (i != item) items[copy->count++] = schedule->items[i];
  return copy;
}

static const hy_schedule *with_typed(hy_context *context, const hy_schedule *schedule, const hy_program_named *named) {
  hy_schedule *copy = HY_NEW(hy_context_arena(context), hy_schedule);
  *copy = *schedule;
  for (size_t i = 0; i < HY_COUNT(copy->typed); i++) copy->typed[i] = named->funcs[i];
  return copy;
}

static void schedule_program(hy_lsp_reading *r, hy_program_errors errors, hy_lsp_program *p) {
  for (int tries = 0; !p->is_scheduled && tries < MOST_TRIES; tries++) {
    hy_diagnostics *said = hy_diagnostics_new();
    hy_pipeline_init(&p->pipeline, r->context, p->alg, p->schedule, NULL);
    p->is_scheduled = hy_pipeline_schedule(&p->pipeline, said);
    bool again = !p->is_scheduled && errors == HY_PROGRAM_AS_CAN_BE && p->schedule && p->schedule->count;
    if (again) p->schedule = without_item(r->context, p->schedule, item_to_blame(p->schedule, said));
    hy_diagnostics_free(said);
    if (!again) return;
  }
}

/* -- texts -- */

static const hy_schedule *find_schedule(hy_lsp_reading *r, const hy_read_source *source, hy_loc name) {
  const hy_schedule *all, *found = NULL;
  int count;
  hy_diagnostics *unheard = hy_diagnostics_new();
  if (hy_parse_schedules(r->context, source->source, unheard, &all, &count))
    for (int i = 0; i < count; i++)
      if (all[i].loc.line == name.line && all[i].loc.column == name.column) found = &all[i];
  hy_diagnostics_free(unheard);
  return found;
}

void hy_program_make(hy_lsp_reading *r, hy_read_source *source, int schedule, hy_program_errors errors,
                     hy_lsp_program *p) {
  hy_program_make_named(r, source, schedule, errors, &(hy_program_named){{NULL, NULL}}, p);
}

void hy_program_make_named(hy_lsp_reading *r, hy_read_source *source, int schedule, hy_program_errors errors,
                           const hy_program_named *named, hy_lsp_program *p) {
  bool is_schedule = source->language == HY_LANGUAGE_SCHEDULE;
  hy_read_source *algorithm = is_schedule ? hy_sense_algorithm(r, source, schedule) : source;
  hy_diagnostics *unheard = hy_diagnostics_new();
  *p = (hy_lsp_program){0};
  if (algorithm && algorithm->language == HY_LANGUAGE_ALG) p->alg = hy_reading_parse(r, algorithm, unheard);
  hy_diagnostics_free(unheard);
  if (!p->alg) return;
  if (is_schedule) {
    p->schedule = find_schedule(r, source, hy_reading_outline(r, source)->tokens.data[schedule].loc);
    if (!p->schedule) return;
    p->schedule = with_typed(r->context, p->schedule, named);
  }
  schedule_program(r, errors, p);
}

void hy_program_fill(hy_lsp_program *p) {
  hy_diagnostics *unheard = hy_diagnostics_new();
  p->is_filled = p->is_scheduled && hy_pipeline_fill(&p->pipeline, unheard);
  hy_diagnostics_free(unheard);
}

const hy_tgt *hy_program_last(const hy_lsp_program *p) {
  return p->is_filled ? p->pipeline.filled : p->is_scheduled ? p->pipeline.steps[p->pipeline.step_count - 1] : NULL;
}

void hy_program_loops(const hy_stmt *stmt, void (*visit)(void *self, const hy_stmt *loop), void *self) {
  if (stmt->kind == HY_STMT_FOR) visit(self, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) hy_program_loops(children[i], visit, self);
}
