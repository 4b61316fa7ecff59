// halyard show: the program after any step.

#include "cli/verbs/verbs.h"
#include "halyard/passed.h"
#include "halyard/slides.h"
#include "semantics/value/value_parse.h"

#include "oracle/z3/z3_check.h"

#include <stdio.h>
#include <string.h>

typedef enum {
  STAGE_ALG,
  STAGE_SCHEDULE,
  STAGE_LOWERED,
  STAGE_SCHEDULED,
  STAGE_QUERY,
  STAGE_FILLED,
  STAGE_NATIVE,
  STAGE_LLVM,
  STAGE_ASM,
  STAGE_COUNT,
} stage;

static const char *const names[] = {"alg",    "schedule", "lowered", "scheduled", "query",
                                    "filled", "native",   "llvm",    "asm"};
_Static_assert(HY_COUNT(names) == STAGE_COUNT, "a name for every stage");

typedef struct {
  stage stage;
  int64_t step;   // of scheduled:k; -1 = the last
  bool optimized; // llvm:opt
} wish;

/* -- which -- */

static bool no_such_stage(hy_session *s, const char *text) {
  hy_text help = {0};
  const char *near = text ? hy_nearest(text, names, STAGE_COUNT) : NULL;
  if (near) hy_text_printf(&help, "did you mean '%s'? ", near);
  hy_text_add(&help, "the stages are alg, schedule, lowered, scheduled, scheduled:K, query, filled, native, llvm, "
                     "llvm:opt and asm");
  if (text)
    hy_report(s->diagnostics, HY_E_STAGE_NAME, (hy_loc){0}, NULL, hy_text_string(&help), "there is no stage '%s'",
              text);
  else
    hy_report(s->diagnostics, HY_E_STAGE_NAME, (hy_loc){0}, NULL, hy_text_string(&help), "add --stage STAGE");
  hy_text_free(&help);
  return false;
}

static bool read_wish(hy_session *s, wish *w) {
  const char *text = s->options.stage;
  if (!text) return no_such_stage(s, text);
  size_t length = strcspn(text, ":");
  const char *after = text[length] ? text + length + 1 : NULL;
  *w = (wish){STAGE_COUNT, -1, false};
  for (int i = 0; i < STAGE_COUNT; i++)
    if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) w->stage = (stage)i;
  if (w->stage == STAGE_COUNT) return no_such_stage(s, text);
  if (!after) return true;
  if (w->stage == STAGE_LLVM && strcmp(after, "opt") == 0) return w->optimized = true;
  if (w->stage == STAGE_SCHEDULED && hy_take_int(&after, &w->step) && !*after && w->step >= 0) return true;
  return no_such_stage(s, text);
}

/* -- printing -- */

// One SMT-LIB script per obligation that numeric ranges alone do not show.
static void print_query(hy_context *context, const hy_query *query, hy_text *out) {
  for (size_t i = 0; i < query->count; i++) {
    const hy_obligation *o = &query->obligations[i];
    if (o->decided_by_range) continue;
    hy_z3_question question = {o->facts, o->fact_count, o->goal};
    hy_text comment = {0};
    hy_text_printf(&comment, "%zu. %s: %s", i + 1, hy_obligation_rule(o->kind), o->about);
    hy_z3_print_smtlib(context, &question, hy_text_string(&comment), out);
    hy_text_add(out, "(reset)\n\n"); // so that a solver takes the whole output: one answer, unsat, for each
    hy_text_free(&comment);
  }
}

static hy_status print_step(hy_session *s, const hy_pipeline *p, int64_t step, hy_text *out) {
  if (step >= p->step_count) {
    hy_report(s->diagnostics, HY_E_STAGE_NAME, (hy_loc){0}, NULL,
              "'halyard show --stage schedule' prints the directives in the order applied",
              "there is no scheduled:%lld: %d directives are applied, so the last is scheduled:%d", (long long)step,
              p->step_count - 1, p->step_count - 1);
    return HY_STATUS_USAGE;
  }
  hy_tgt_print(p->steps[step < 0 ? p->step_count - 1 : step], out);
  return HY_STATUS_FINE;
}

// Stages of code generation stand on what was proved.
static hy_status print_code(hy_session *s, hy_pipeline *p, wish w, hy_text *out) {
  hy_status status = hy_session_check(s, p, false);
  if (status != HY_STATUS_FINE) return status;
  hy_codegen_options options = hy_codegen_default();
  const hy_tgt *passed = hy_passed_believed(p);
  if (w.stage == STAGE_NATIVE) hy_tgt_print(passed, out);
  if (w.stage == STAGE_LLVM) hy_native_print_llvm(s->context, passed, &options, w.optimized, out);
  if (w.stage == STAGE_ASM) hy_native_print_asm(s->context, passed, &options, out);
  return HY_STATUS_FINE;
}

static hy_status print_stage(hy_session *s, hy_pipeline *p, wish w, hy_text *out) {
  if (w.stage == STAGE_ALG && !s->program) {
    hy_alg_print(s->alg, out);
    return HY_STATUS_FINE;
  }
  if (s->program && w.stage <= STAGE_LOWERED) {
    hy_report(s->diagnostics, HY_E_STAGE_NAME, (hy_loc){0}, NULL, "its first stage is 'scheduled'",
              "a target program has no stage '%s'", names[w.stage]);
    return HY_STATUS_USAGE;
  }
  if (!hy_pipeline_schedule(p, s->diagnostics)) return HY_STATUS_WRONG;
  if (w.stage == STAGE_SCHEDULE || w.stage == STAGE_SCHEDULED) hy_slides_add(p);
  if (w.stage == STAGE_SCHEDULE) hy_pipeline_print_schedule(p, out);
  if (w.stage == STAGE_LOWERED) hy_tgt_print(p->steps[0], out);
  if (w.stage == STAGE_SCHEDULED) return print_step(s, p, w.step, out);
  if (w.stage >= STAGE_NATIVE) return print_code(s, p, w, out);
  if (w.stage != STAGE_QUERY && w.stage != STAGE_FILLED) return HY_STATUS_FINE;
  if (!hy_pipeline_fill(p, s->diagnostics)) return HY_STATUS_WRONG;
  if (w.stage == STAGE_FILLED)
    hy_tgt_print(p->filled, out);
  else
    print_query(s->context, hy_query_extract(s->context, p->filled), out);
  return HY_STATUS_FINE;
}

hy_status hy_command_show(hy_session *s) {
  wish w;
  if (!read_wish(s, &w)) return HY_STATUS_USAGE;
  hy_status status = hy_session_load(s, false);
  if (status != HY_STATUS_FINE) return status;
  hy_pipeline pipeline;
  hy_session_pipeline(s, 0, &pipeline);
  hy_text text = {0};
  status = print_stage(s, &pipeline, w, &text);
  if (status == HY_STATUS_FINE) hy_reporter_text(s->reporter, &text);
  hy_text_free(&text);
  return status;
}
