#include "halyard/pipeline.h"
#include "halyard/promise.h"

#include "halyard/confirm.h"
#include "halyard/copies.h"
#include "halyard/defer.h"
#include "halyard/passed.h"
#include "halyard/refuted.h"
#include "halyard/reordered.h"
#include "halyard/slides.h"
#include "halyard/undecided.h"
#include "halyard/vacuous.h"
#include "lower/lower.h"
#include "passes/passes.h"
#include "sched/sched.h"
#include "semantics/base/clock.h"

#include <stdlib.h>
#include <string.h>

/* -- dumps and checks between the steps -- */

static void dump_program(const hy_pipeline *p, char letter, const char *title, const hy_tgt *tgt,
                         const hy_tgt *before) {
  if (!p->dump.letters || !strchr(p->dump.letters, letter)) return;
  hy_text text = {0};
  if (tgt == before)
    hy_text_add(&text, "(unchanged)\n");
  else
    hy_tgt_print(tgt, &text);
  p->dump.write(title, hy_text_string(&text));
  hy_text_free(&text);
}

// In debug builds every program is verified again after each step: what a step of ours breaks is our defect.
static void verify_program(hy_pipeline *p, const char *step, const hy_tgt *tgt) {
#ifndef NDEBUG
  hy_diagnostics *found = hy_diagnostics_new();
  if (!hy_tgt_verify(p->context, tgt, found)) {
    hy_text text = {0};
    hy_diagnostics_print(found, &text);
    hy_tgt_print(tgt, &text);
    HY_DIE("the program is ill-formed after %s:\n%s", step, hy_text_string(&text));
  }
  hy_diagnostics_free(found);
#else
  (void)p, (void)step, (void)tgt;
#endif
}

static void see_step(hy_pipeline *p, char letter, const char *title, const hy_tgt *tgt, const hy_tgt *before) {
  dump_program(p, letter, title, tgt, before);
  verify_program(p, title, tgt);
}

/* -- the steps, in order -- */

void hy_pipeline_init(hy_pipeline *p, hy_context *context, const hy_alg *alg, const hy_schedule *schedule,
                      const hy_tgt *program) {
  *p = (hy_pipeline){.context = context, .alg = alg ? alg : program->alg, .schedule = schedule};
  p->meaning = p->alg;
  p->loc = schedule ? schedule->loc : p->alg->loc;
  if (!program) return;
  p->steps = HY_NEW_ARRAY(hy_context_arena(context), const hy_tgt *, 1);
  p->steps[p->step_count++] = program;
}

// text -> lowered -> scheduled
static bool schedule(hy_pipeline *p, hy_diagnostics *diagnostics) {
  if (!p->step_count) {
    const hy_tgt *lowered = hy_lower(p->context, p->alg, diagnostics);
    see_step(p, 'l', "lowered", lowered, NULL);
    hy_desugared d = {.core = NULL};
    if (p->schedule && !hy_sched_desugar(p->context, lowered, p->schedule, diagnostics, &d)) return false;
    p->core = d.core;
    p->core_count = p->written_count = d.count;
    p->steps = HY_NEW_ARRAY(hy_context_arena(p->context), const hy_tgt *, p->core_count + 1);
    p->steps[p->step_count++] = lowered;
    for (int i = 0; i < p->core_count; i++) {
      const hy_tgt *next =
          i < d.applied ? d.steps[i] : hy_sched_apply(p->context, p->steps[i], &p->core[i], diagnostics);
      if (!next) return false;
      see_step(p, 's', p->core[i].type->name, next, p->steps[i]);
      p->steps[p->step_count++] = next;
    }
    p->meaning = hy_reordered_meaning(p);
  }
  return hy_sched_legal(p->context, p->steps[p->step_count - 1], p->core, p->core_count, p->loc, diagnostics);
}

bool hy_pipeline_schedule(hy_pipeline *p, hy_diagnostics *diagnostics) {
  size_t first = hy_diagnostics_count(diagnostics);
  bool good = schedule(p, diagnostics);
  hy_copies_tell_once(p, diagnostics, first);
  hy_alike_tell_a_few(diagnostics, first);
  return good;
}

static bool fill(hy_pipeline *p, hy_diagnostics *diagnostics) {
  double start = hy_seconds();
  if (!hy_slides_add(p))
    p->filled = hy_oracle_fill_told(p->context, p->steps[p->step_count - 1], &p->asked, diagnostics);
  const hy_tgt *scheduled = p->steps[p->step_count - 1];
  p->fill_seconds = hy_seconds() - start;
  if (!p->filled) return false;
  see_step(p, 'f', "filled", p->filled, scheduled);
  return hy_sched_extents(p->context, p->filled, p->core, p->core_count, p->loc, diagnostics);
}

// scheduled -> filled
bool hy_pipeline_fill(hy_pipeline *p, hy_diagnostics *diagnostics) {
  size_t first = hy_diagnostics_count(diagnostics);
  bool good = fill(p, diagnostics);
  hy_copies_tell_once(p, diagnostics, first);
  hy_alike_tell_a_few(diagnostics, first);
  return good;
}

static void ask(hy_pipeline *p, const hy_oracle_options *options) {
  double start = hy_seconds();
  p->query = hy_query_extract(p->context, p->filled);
  p->query_seconds = hy_seconds() - start;
  hy_oracle_decide(p->context, p->query, options, &p->report);
  if (!p->report.vacuous) hy_confirm(p, options->z3_limit);
}

// VER.Runtime (--unknown=runtime): B of the program that checks at entry what is undecided, decided anew.
static hy_answer defer(hy_pipeline *p, const hy_oracle_options *options, hy_diagnostics *diagnostics) {
  size_t undecided = p->report.unknown;
  const hy_tgt *checked = hy_defer_program(p);
  if (!checked) {
    hy_undecided_report(p, false, diagnostics);
    return HY_UNKNOWN;
  }
  hy_oracle_report before = p->report;
  const hy_tgt *unchecked = p->filled;
  p->filled = checked;
  ask(p, options);
  if (p->report.proved + p->report.proved_z3 == p->report.count && !p->report.vacuous) {
    hy_context_hit(p->context, HY_RULE_VER_RUNTIME);
    p->deferred = undecided;
    return HY_YES;
  }
  p->filled = unchecked; // the checks do not help
  p->report = before;
  hy_undecided_report(p, true, diagnostics);
  return HY_UNKNOWN;
}

// filled -> checked: every obligation of B(S), for all inputs
static hy_answer decide(hy_pipeline *p, const hy_oracle_options *options, hy_diagnostics *diagnostics) {
  ask(p, options);
  if (p->report.vacuous) {
    hy_vacuous_report(p, options->z3_limit, diagnostics);
    return HY_NO;
  }
  if (p->report.refuted) { // refuted wins over undecided
    hy_refuted_report(p, options->z3_limit, diagnostics);
    return HY_NO;
  }
  if (!p->report.unknown) return HY_YES;
  if (p->defer_unknown && !p->report.contested) return defer(p, options, diagnostics);
  hy_undecided_report(p, false, diagnostics);
  return HY_UNKNOWN;
}

hy_answer hy_pipeline_check(hy_pipeline *p, const hy_oracle_options *options, hy_diagnostics *diagnostics) {
  if (!p->filled) {
    if (!hy_pipeline_schedule(p, diagnostics)) return HY_NO;
    if (!hy_pipeline_fill(p, diagnostics)) return HY_NO;
  }
  hy_answer promise = hy_promise_check(p, options->z3_limit, diagnostics);
  if (promise == HY_NO) return HY_NO;
  hy_oracle_options asked = *options;
  asked.each_counts |= p->defer_unknown;
  size_t first = hy_diagnostics_count(diagnostics);
  hy_answer answer = decide(p, &asked, diagnostics);
  hy_copies_tell_once(p, diagnostics, first);
  return answer == HY_YES ? promise : answer;
}

static void dump_pass(void *self, const char *pass, const hy_tgt *tgt) {
  hy_pipeline *p = self;
  dump_program(p, 'p', pass, tgt, p->passed); // a pass may copy assignments: lemma 6.1 is about schedules
  p->passed = tgt;
}

// checked -> passes -> native
hy_native *hy_pipeline_compile(hy_pipeline *p, const hy_codegen_options *options) {
  p->passed = p->filled;
  if (p->dump.letters) hy_passes(p->context, p->filled, dump_pass, p);
  p->passed = hy_passed_believed(p);
  return hy_native_compile(p->context, p->passed, options);
}

void hy_pipeline_print_schedule(const hy_pipeline *p, hy_text *out) {
  hy_text_printf(out, "schedule %s for %s {\n", p->schedule ? p->schedule->name : "default_schedule", p->alg->name);
  for (int i = 0; i < p->core_count; i++) {
    hy_text_add(out, "  ");
    hy_directive_print(&p->core[i], out);
    hy_text_add(out, "\n");
  }
  hy_text_add(out, "}\n");
}
