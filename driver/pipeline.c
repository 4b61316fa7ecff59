#include "driver/pipeline.h"

#include "driver/replay.h"
#include "lower/lower.h"
#include "sched/sched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* -- dumps and checks between the steps -- */

static bool dumps(char letter) {
  const char *letters = getenv("HALYARD_DUMP");
  return letters && strchr(letters, letter);
}

static void dump_program(char letter, const char *title, const hy_tgt *tgt, const hy_tgt *before) {
  if (!dumps(letter)) return;
  hy_text text = {0};
  if (tgt == before)
    hy_text_add(&text, "(unchanged)\n");
  else
    hy_tgt_print(tgt, &text);
  fprintf(stderr, "// --- %s\n%s", title, hy_text_string(&text));
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
  dump_program(letter, title, tgt, before);
  verify_program(p, title, tgt);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* -- the steps, in order -- */

void hy_pipeline_init(hy_pipeline *p, hy_context *context, const hy_alg *alg, const hy_schedule *schedule,
                      const hy_tgt *program) {
  *p = (hy_pipeline){.context = context, .alg = alg ? alg : program->alg, .schedule = schedule};
  p->loc = schedule ? schedule->loc : p->alg->loc;
  if (!program) return;
  p->steps = HY_NEW_ARRAY(hy_context_arena(context), const hy_tgt *, 1);
  p->steps[p->step_count++] = program;
}

// text -> lowered -> scheduled
bool hy_pipeline_schedule(hy_pipeline *p, hy_diagnostics *diagnostics) {
  if (!p->step_count) {
    const hy_tgt *lowered = hy_lower(p->context, p->alg, diagnostics);
    see_step(p, 'l', "lowered", lowered, NULL);
    if (p->schedule && !hy_sched_desugar(p->context, lowered, p->schedule, diagnostics, &p->core, &p->core_count))
      return false;
    p->steps = HY_NEW_ARRAY(hy_context_arena(p->context), const hy_tgt *, p->core_count + 1);
    p->steps[p->step_count++] = lowered;
    for (int i = 0; i < p->core_count; i++) {
      const hy_tgt *next = hy_sched_apply(p->context, p->steps[i], &p->core[i], diagnostics);
      if (!next) return false;
      see_step(p, 's', hy_directive_name(p->core[i].kind), next, p->steps[i]);
      p->steps[p->step_count++] = next;
    }
  }
  return hy_sched_legal(p->context, p->steps[p->step_count - 1], p->core, p->core_count, p->loc, diagnostics);
}

// scheduled -> filled
bool hy_pipeline_fill(hy_pipeline *p, hy_diagnostics *diagnostics) {
  double start = now();
  const hy_tgt *scheduled = p->steps[p->step_count - 1];
  p->filled = hy_oracle_fill(p->context, scheduled, diagnostics);
  p->fill_seconds = now() - start;
  if (!p->filled) return false;
  see_step(p, 'f', "filled", p->filled, scheduled);
  return hy_sched_extents(p->context, p->filled, p->core, p->core_count, p->loc, diagnostics);
}

static void report_decision(hy_pipeline *p, const hy_decision *d, hy_diagnostics *diagnostics) {
  const hy_obligation *o = d->obligation;
  hy_loc loc = o->loc.source ? o->loc : p->loc;
  const char *rule = hy_arena_printf(hy_context_arena(p->context), "%s (section 7)", hy_obligation_rule(o->kind));
  if (d->verdict == HY_VERDICT_REFUTED) {
    hy_report(diagnostics, HY_E_OBLIGATION_REFUTED, loc, rule,
              d->contested ? "the prover and Z3 disagree: this is a defect of Halyard, please report it"
                           : "change the schedule or the bounds of the program",
              "this does not hold: %s; for example %s", o->about, d->model && *d->model ? d->model : "always");
    const char *seen = hy_replay(p, d);
    if (seen) hy_note(diagnostics, HY_E_OBLIGATION_REFUTED, loc, "replayed on that input, %s", seen);
  } else
    hy_report(diagnostics, HY_E_OBLIGATION_UNKNOWN, loc, rule,
              o->kind == HY_B_FITS ? "clamp the value before computing with it, so that no step of it can overflow"
                                   : "simplify the index or the schedule there; 'halyard show --stage query' prints "
                                     "the question",
              "this could not be decided: %s", o->about);
}

// filled -> checked: every obligation of B(S), for all inputs
static hy_answer decide(hy_pipeline *p, const hy_oracle_options *options, hy_diagnostics *diagnostics) {
  double start = now();
  p->query = hy_query_extract(p->context, p->filled);
  p->query_seconds = now() - start;
  hy_oracle_decide(p->context, p->query, options, &p->report);
  if (p->report.vacuous) {
    hy_report(diagnostics, HY_E_VACUOUS, p->loc, "decision D62", "the rdom extents or factors exclude every input",
              "the entry conditions can never hold, so nothing would ever run");
    return HY_NO;
  }
  size_t shown = 0;
  for (size_t i = 0; i < p->report.count && shown < 10; i++) {
    hy_verdict verdict = p->report.decisions[i].verdict;
    if (verdict == HY_VERDICT_PROVED || verdict == HY_VERDICT_PROVED_Z3) continue;
    if (p->report.refuted && verdict == HY_VERDICT_UNKNOWN) continue; // refuted wins over undecided
    report_decision(p, &p->report.decisions[i], diagnostics);
    shown++;
  }
  return p->report.refuted ? HY_NO : p->report.unknown ? HY_UNKNOWN : HY_YES;
}

hy_answer hy_pipeline_check(hy_pipeline *p, const hy_oracle_options *options, hy_diagnostics *diagnostics) {
  if (!p->filled) {
    if (!hy_pipeline_schedule(p, diagnostics)) return HY_NO;
    if (!hy_pipeline_fill(p, diagnostics)) return HY_NO;
  }
  return decide(p, options, diagnostics);
}

static void dump_pass(void *self, const char *pass, const hy_tgt *tgt) {
  hy_pipeline *p = self;
  dump_program('p', pass, tgt, p->passed); // a pass may copy assignments: lemma 6.1 is about schedules
  p->passed = tgt;
}

// checked -> passes -> native
hy_native *hy_pipeline_compile(hy_pipeline *p, const hy_codegen_options *options) {
  p->passed = p->filled;
  p->passed = hy_codegen_passes(p->context, p->filled, dump_pass, p);
  return hy_native_compile(p->context, p->passed, options);
}
