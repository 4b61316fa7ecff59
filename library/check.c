// Checking: a result has a meaning (a context of the language) of its own, so that nothing of it is left once it is
// freed.

#include "halyard/excess/excess.h"
#include "halyard/passed.h"
#include "halyard/slides.h"
#include "library/judge.h"
#include "library/library_internal.h"

#include "oracle/z3/z3_check.h"

#include <string.h>

hy_type hy_type_of_halyard(halyard_type type) {
  _Static_assert((int)HALYARD_INT == (int)HY_INT && (int)HALYARD_BF16 == (int)HY_BF16, "the same order");
  return (hy_type)type;
}

typedef struct {
  halyard_result *result;
  halyard_pipeline *pipeline;
} check;

static hy_source write_source(const char *name, const halyard_pipeline *pipeline,
                              void (*write)(const halyard_pipeline *pipeline, hy_text *out)) {
  hy_text text = {0};
  write(pipeline, &text);
  hy_text_add(&text, "");
  return (hy_source){name, text.data, text.length};
}

static bool begin(const check *c) {
  halyard_result *r = c->result;
  const halyard_pipeline *p = c->pipeline;
  r->algorithm = write_source(p->is_program ? "program" : "algorithm", p, hy_pipeline_write_algorithm);
  if (p->is_program) {
    int added = 0;
    const hy_tgt *program = hy_parse_tgt(r->meaning, &r->algorithm, r->said);
    if (!program) return false;
    hy_pipeline_init(&r->pipeline, r->meaning, NULL, NULL, hy_tgt_assume_ranges(r->meaning, program, &added));
    return true;
  }
  const hy_alg *alg = hy_parse_alg(r->meaning, &r->algorithm, r->said);
  const hy_schedule *schedule = NULL;
  if (!alg) return false;
  if (p->schedule || p->directives.length) {
    r->scheduling = write_source("schedule", p, hy_pipeline_write_schedule);
    schedule = hy_library_find_schedule(r->meaning, &r->scheduling, p->schedule_name, r->said);
    if (!schedule) return false;
  }
  hy_pipeline_init(&r->pipeline, r->meaning, alg, schedule, NULL);
  return true;
}

static void tell_obligations(halyard_result *r) {
  const hy_oracle_report *report = &r->pipeline.report;
  r->obligations = hy_allocate_zeroed(report->count, sizeof *r->obligations);
  r->obligation_count = report->count;
  for (size_t i = 0; i < report->count; i++) {
    const hy_decision *d = &report->decisions[i];
    bool proved = d->verdict == HY_VERDICT_PROVED || d->verdict == HY_VERDICT_PROVED_Z3;
    r->obligations[i] = (halyard_obligation){.answer = proved                             ? HALYARD_YES
                                                       : d->verdict == HY_VERDICT_REFUTED ? HALYARD_NO
                                                                                          : HALYARD_UNKNOWN,
                                             .by_z3 = d->verdict == HY_VERDICT_PROVED_Z3,
                                             .rule = hy_obligation_rule(d->obligation->kind),
                                             .about = d->obligation->about,
                                             .model = d->model};
  }
}

static void declare(halyard_result *r, halyard_role role, const char *name, hy_type type, int rank, bool is_default) {
  r->declarations[r->declaration_count++] = (halyard_declaration){role, name, (int)type, rank, is_default};
}

static void tell_declarations(halyard_result *r) {
  const hy_alg *alg = r->pipeline.alg;
  size_t count = (size_t)alg->param_count + (size_t)alg->image_count + (size_t)alg->part_count;
  r->declarations = hy_allocate_zeroed(count, sizeof *r->declarations);
  for (int i = 0; i < alg->param_count; i++)
    declare(r, HALYARD_IS_PARAM, alg->params[i]->name, alg->params[i]->type, 0, hy_alg_about(alg, i).has_initial);
  for (int i = 0; i < alg->image_count; i++)
    declare(r, HALYARD_IS_IMAGE, alg->images[i]->name, alg->images[i]->type, alg->images[i]->rank, false);
  for (int i = 0; i < alg->part_count; i++)
    declare(r, HALYARD_IS_OUTPUT, alg->parts[i].name, alg->parts[i].type, alg->parts[i].func->rank, false);
}

static void check_it(void *self) {
  static const int policies[] = {
      [HALYARD_Z3_HERE] = HY_Z3_HERE, [HALYARD_Z3_NOBODY] = HY_Z3_NOBODY, [HALYARD_Z3_HELPER] = HY_Z3_HELPER};
  const check *c = self;
  halyard_result *r = c->result;
  const halyard_options *options = &r->head.context->options;
  r->meaning = hy_context_new();
  r->said = hy_diagnostics_new();
  hy_context_set_solver(r->meaning, policies[options->z3]);
  if (begin(c)) {
    r->pipeline.defer_unknown = options->entry_checks;
    hy_answer answer = hy_pipeline_check(&r->pipeline, &(hy_oracle_options){.z3_limit = options->z3_steps}, r->said);
    if (r->pipeline.report.contested) answer = HY_UNKNOWN;
    if (answer == HY_YES) {
      hy_excess_report(&r->pipeline, r->said);
      hy_slides_report(&r->pipeline, r->said);
    }
    r->answer = answer == HY_YES ? HALYARD_YES : answer == HY_NO ? HALYARD_NO : HALYARD_UNKNOWN;
    tell_obligations(r);
    tell_declarations(r);
  }
  hy_diagnostics_tell(r->said, &r->told);
}

halyard_result *halyard_check(halyard_pipeline *pipeline) {
  static const char call[] = "halyard_check";
  if (!pipeline) {
    hy_library_missing(NULL, call, "the pipeline");
    return NULL;
  }
  halyard_context *context = pipeline->head.context;
  if (!hy_library_enter(context, call)) return NULL;
  halyard_result *result = NULL;
  if (pipeline->head.spent)
    hy_library_run(&pipeline->head, call, NULL, NULL);
  else
    result = (halyard_result *)hy_object_new(context, call, OBJECT_RESULT, sizeof *result);
  check c = {result, pipeline};
  if (result && !hy_library_run(&result->head, call, check_it, &c)) {
    hy_object_free(&result->head);
    result = NULL;
  }
  hy_library_leave(context);
  return result;
}

void halyard_result_free(halyard_result *result) {
  if (!result) return;
  halyard_context *context = result->head.context;
  if (!hy_library_enter(context, "halyard_result_free")) return;
  hy_object_free(&result->head);
  hy_library_leave(context);
}

halyard_answer halyard_result_answer(const halyard_result *result) { return result ? result->answer : HALYARD_UNKNOWN; }

const halyard_diagnostic *halyard_result_diagnostic(const halyard_result *result, size_t position) {
  return result && position < result->told.count ? &result->told.items[position] : NULL;
}

const halyard_obligation *halyard_result_obligation(const halyard_result *result, size_t position) {
  return result && position < result->obligation_count ? &result->obligations[position] : NULL;
}

const halyard_declaration *halyard_result_declaration(const halyard_result *result, size_t position) {
  return result && position < result->declaration_count ? &result->declarations[position] : NULL;
}

bool hy_result_is_proved(halyard_result *result, const char *call) {
  if (result->answer == HALYARD_YES) return true;
  return hy_library_fail(result->head.context, HALYARD_UNPROVED, call,
                         "the check's answer is %s: code is made only of what is proved",
                         result->answer == HALYARD_NO ? "NO" : "UNKNOWN");
}

/* -- printing -- */

typedef struct {
  halyard_result *result;
  halyard_stage stage;
  hy_text text;
  bool absent;
} printing;

static void print_code(printing *p) {
  hy_context *context = p->result->meaning;
  hy_codegen_options options = hy_codegen_default();
  const hy_tgt *passed = hy_passed_believed(&p->result->pipeline);
  if (p->stage == HALYARD_STAGE_LLVM)
    hy_native_print_llvm(context, passed, &options, false, &p->text);
  else
    hy_native_print_asm(context, passed, &options, &p->text);
}

static void print(void *self) {
  printing *p = self;
  const hy_pipeline *pipeline = &p->result->pipeline;
  bool parsed = pipeline->context, scheduled = parsed && pipeline->step_count;
  p->absent = false;
  switch (p->stage) {
  case HALYARD_STAGE_ALGORITHM:
    if (parsed && pipeline->alg->definition_count) hy_alg_print(pipeline->alg, &p->text);
    break;
  case HALYARD_STAGE_SCHEDULE:
    if (scheduled) hy_pipeline_print_schedule(pipeline, &p->text);
    break;
  case HALYARD_STAGE_LOWERED:
    if (scheduled) hy_tgt_print(pipeline->steps[0], &p->text);
    break;
  case HALYARD_STAGE_SCHEDULED:
    if (scheduled) hy_tgt_print(pipeline->steps[pipeline->step_count - 1], &p->text);
    break;
  case HALYARD_STAGE_FILLED:
    if (pipeline->filled) hy_tgt_print(pipeline->filled, &p->text);
    break;
  case HALYARD_STAGE_LLVM:
  case HALYARD_STAGE_ASM: print_code(p); break;
  }
  p->absent = !p->text.length;
}

static void free_text(void *self) { hy_text_free(&((printing *)self)->text); }

const char *halyard_print(halyard_result *result, halyard_stage stage) {
  static const char call[] = "halyard_print";
  if (!result) {
    hy_library_missing(NULL, call, "the result");
    return NULL;
  }
  halyard_context *context = result->head.context;
  if (!hy_library_enter(context, call)) return NULL;
  printing p = {.result = result, .stage = stage};
  const char *text = NULL;
  bool fine = (int)stage >= HALYARD_STAGE_ALGORITHM && stage <= HALYARD_STAGE_ASM;
  if (!fine) hy_library_fail(context, HALYARD_MISUSE, call, "there is no stage %d", (int)stage);
  if (fine && stage >= HALYARD_STAGE_LLVM) fine = hy_result_is_proved(result, call);
  if (fine) fine = hy_library_run(&result->head, call, print, &p);
  if (fine && p.absent) fine = hy_library_fail(context, HALYARD_MISUSE, call, "the check did not come to that stage");
  if (fine) text = hy_text_object(context, call, p.text.data, p.text.length);
  if (!result->head.spent) hy_library_run(&result->head, call, free_text, &p); // it was the result's
  hy_library_leave(context);
  return text;
}
