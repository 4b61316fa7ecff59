#include "library/judge.h"

#include "sched/sched.h"

#include <stdio.h>
#include <string.h>

const hy_schedule *hy_library_find_schedule(hy_context *context, const hy_source *source, const char *wanted,
                                            hy_diagnostics *said) {
  const hy_schedule *schedules;
  int count, found = 0;
  if (!hy_parse_schedules(context, source, said, &schedules, &count)) return NULL;
  if (!wanted && count == 1) return schedules;
  while (wanted && found < count && strcmp(schedules[found].name, wanted) != 0) found++;
  if (wanted && found < count) return &schedules[found];
  if (wanted)
    hy_report(said, HY_E_SCHEDULE_CHOICE, (hy_loc){0}, NULL, NULL, "the text has no schedule called '%s'", wanted);
  else
    hy_report(said, HY_E_SCHEDULE_CHOICE, (hy_loc){0}, NULL, "give the name of one of them",
              "the text has %d schedules", count);
  return NULL;
}

typedef struct {
  text_kind kind;
  const char *text, *name, *pipeline;
  judged *judged;
  bool refused;
  diagnostics said;
} judging;

static bool is_for_pipeline(const judging *j, const hy_schedule *schedule, hy_diagnostics *said) {
  if (!schedule || strcmp(schedule->pipeline, j->pipeline) == 0) return schedule;
  hy_report(said, HY_E_SCHEDULE_PIPELINE, schedule->pipeline_loc, NULL, "name the pipeline of the algorithm",
            "schedule '%s' is for '%s', the pipeline is '%s'", schedule->name, schedule->pipeline, j->pipeline);
  return false;
}

static bool is_fine(const judging *j, const hy_source *source, hy_diagnostics *said) {
  hy_context *context = hy_context_new();
  hy_schedule read;
  switch (j->kind) {
  case TEXT_ITEMS:
    return hy_parse_item_outlines(context, source, said, &j->judged->outlines, &j->judged->outline_count);
  case TEXT_PARAMETER: return hy_check_parameter(context, source, said);
  case TEXT_DIRECTIVES:
    return hy_check_directives(context, source, said, &read) && hy_sched_knows(context, &read, said);
  case TEXT_SCHEDULES: {
    const hy_schedule *found = hy_library_find_schedule(context, source, j->name, said);
    return is_for_pipeline(j, found, said) && hy_sched_knows(context, found, said);
  }
  }
  HY_UNREACHABLE();
}

static void judge(void *self) {
  static const char *const files[] = {"func", "parameter", "schedule", "schedule"};
  judging *j = self;
  hy_diagnostics *said = hy_diagnostics_new();
  hy_source *source = hy_allocate(sizeof *source);
  *source = (hy_source){files[j->kind], hy_copy_string(j->text), strlen(j->text)};
  j->refused = !is_fine(j, source, said);
  if (j->refused) hy_diagnostics_tell(said, &j->said);
}

// The record of the diagnostics lies in the scratch, as these do.
static bool refuse(const judging *j, object *scratch, const char *what, const char *call) {
  char message[600];
  diagnostics *said = (diagnostics *)(void *)(scratch + 1);
  *said = j->said;
  snprintf(message, sizeof message, "%.200s is refused: %s", what, said->count ? said->items[0].message : "");
  return hy_library_refuse(scratch, call, message, said);
}

bool hy_judge_text(halyard_context *context, text_kind kind, const char *text, const char *what, const char *name,
                   const char *pipeline, judged *judged, const char *call) {
  judging j = {.kind = kind, .text = text, .name = name, .pipeline = pipeline, .judged = judged};
  object *scratch = hy_object_new(context, call, OBJECT_SCRATCH, sizeof(object) + sizeof(diagnostics));
  if (!scratch) return false;
  judged->scratch = scratch;
  bool fine = hy_library_run(scratch, call, judge, &j);
  if (fine && j.refused) return refuse(&j, scratch, what, call);
  if (!fine) hy_object_free(scratch);
  return fine;
}

bool hy_text_is_fine(halyard_context *context, text_kind kind, const char *text, const char *what, const char *call) {
  judged judged = {0};
  if (!hy_judge_text(context, kind, text, what, NULL, NULL, &judged, call)) return false;
  hy_object_free(judged.scratch);
  return true;
}
