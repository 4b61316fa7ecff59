#include "cli/reports/validate_report.h"

#include "cli/session/arguments.h"
#include "engines/engine.h"
#include "halyard/sample.h"
#include "oracle/oracle.h"
#include "validate/validate.h"

#include <inttypes.h>
#include <stdio.h>

// Of sampling, for all directives: units of work (tgt_interp.h).
enum { INPUTS = 3, WORK = 3000000, WORK_LISTED = 30000000, PART = 12, MANY_FUNCS = 40 };

/* -- one line per directive -- */

static void add_level(hy_text *line, const hy_validation *v, hy_level level, const char *kept) {
  const hy_level_result *r = &v->levels[level];
  switch (r->answer) {
  case HY_LEVEL_NOT_DONE: return;
  case HY_LEVEL_UNDECIDED: return; // add_proofs says which
  case HY_LEVEL_KEPT:
    if (level == HY_LEVEL_STRUCTURE)
      hy_text_printf(line, "; %s", kept);
    else
      hy_text_printf(line, "; %s on %d input%s", kept, r->inputs, r->inputs == 1 ? "" : "s");
    return;
  case HY_LEVEL_BROKEN: hy_text_printf(line, "; %s BROKEN: %s", hy_level_name(level), r->story); return;
  }
  HY_UNREACHABLE();
}

// The proofs with at least one question of a kind: "; proved: coverage, uniqueness".
static void add_proofs(hy_text *line, const hy_validation *v, const char *heading, bool wants_proved) {
  bool any = false;
  for (int k = 0; k < HY_PROOF_COUNT; k++) {
    const hy_proof_result *r = &v->proofs[k];
    bool proved = r->asked && !r->unknown && !r->refuted;
    if (wants_proved ? !proved : !r->unknown) continue;
    hy_text_printf(line, "%s%s%s", any ? ", " : heading, hy_proof_name((hy_proof_kind)k),
                   wants_proved && r->proved_z3 ? " (by Z3)" : "");
    any = true;
  }
}

static const char *name_directive(hy_context *context, const hy_directive *directive) {
  hy_text text = {0};
  hy_directive_print(directive, &text);
  const char *name = hy_arena_printf(hy_context_arena(context), "%.*s", (int)text.length - 1, hy_text_string(&text));
  hy_text_free(&text);
  return name;
}

static void print_validation(hy_session *s, const hy_validation *v) {
  hy_text line = {0};
  hy_text_printf(&line, "  %s: %s", name_directive(s->context, v->directive), hy_order_class_name(v->promise));
  add_level(&line, v, HY_LEVEL_STRUCTURE, "structure ok");
  add_level(&line, v, HY_LEVEL_TRACE, v->promise == HY_ORDER_EQUAL ? "trace equal" : "trace as promised");
  add_level(&line, v, HY_LEVEL_OUTPUT, "output equal");
  if (v->levels[HY_LEVEL_OUTPUT].answer == HY_LEVEL_NOT_DONE) hy_text_add(&line, "; output not sampled");
  if (v->levels[HY_LEVEL_SYMBOLIC].answer == HY_LEVEL_BROKEN) add_level(&line, v, HY_LEVEL_SYMBOLIC, "");
  add_proofs(&line, v, "; proved: ", true);
  add_proofs(&line, v, "; undecided: ", false);
  hy_reporter_print(s->reporter, "%s (%.1f ms)\n", hy_text_string(&line), v->seconds * 1e3);
  hy_text_free(&line);
}

/* -- one line for all -- */

static void add_totals(hy_validate_totals *all, const hy_validation *v) {
  all->directives++;
  all->traces += v->levels[HY_LEVEL_TRACE].answer == HY_LEVEL_KEPT;
  all->outputs += v->levels[HY_LEVEL_OUTPUT].answer == HY_LEVEL_KEPT;
  for (int k = 0; k < HY_PROOF_COUNT; k++) {
    all->questions += v->proofs[k].proved + v->proofs[k].proved_z3;
    all->by_z3 += v->proofs[k].proved_z3;
  }
  all->work += v->work;
  all->seconds += v->seconds;
}

// Why nothing ran, if nothing did.
static const char *unsampled(const hy_validate_totals *all, int inputs) {
  if (all->outputs || !all->directives) return "";
  return inputs ? "; the smallest inputs take more than is spent here, 'halyard verify' runs the whole"
                : "; no small input was found that meets what is required, 'halyard verify' tries larger ones";
}

static void print_totals(hy_session *s, const hy_validate_totals *all, int inputs) {
  hy_reporter_print(s->reporter, "  %d directive%s what %s: %zu questions proved for all inputs", all->directives,
                    all->directives == 1 ? " keeps" : "s keep", all->directives == 1 ? "it promises" : "they promise",
                    all->questions);
  if (all->by_z3) hy_reporter_print(s->reporter, " (%zu by Z3 alone)", all->by_z3);
  hy_reporter_print(s->reporter, ", traces sampled after %d, outputs after %d%s (%.0f ms)\n", all->traces, all->outputs,
                    unsampled(all, inputs), all->seconds * 1e3);
}

/* -- the same for programs -- */

static const char *answer_name(hy_level_answer answer) {
  switch (answer) {
  case HY_LEVEL_NOT_DONE: return "not done";
  case HY_LEVEL_KEPT: return "kept";
  case HY_LEVEL_UNDECIDED: return "undecided";
  case HY_LEVEL_BROKEN: return "broken";
  }
  HY_UNREACHABLE();
}

static void record_validation(hy_session *s, const hy_validation *v, hy_record *record) {
  hy_record *row = hy_record_append(record, "directives");
  hy_record_text(row, "directive", name_directive(s->context, v->directive));
  hy_record_text(row, "promise", hy_order_class_name(v->promise));
  hy_record_real(row, "seconds", v->seconds);
  hy_record_int(row, "work", (int64_t)v->work);
  for (int k = 0; k < HY_LEVEL_COUNT; k++) {
    const hy_level_result *r = &v->levels[k];
    hy_record *level = hy_record_append(row, "levels");
    hy_record_text(level, "level", hy_level_name((hy_level)k));
    hy_record_text(level, "answer", answer_name(r->answer));
    if (k == HY_LEVEL_TRACE || k == HY_LEVEL_OUTPUT) hy_record_int(level, "inputs", r->inputs);
    if (r->answer == HY_LEVEL_BROKEN || r->answer == HY_LEVEL_UNDECIDED) hy_record_text(level, "story", r->story);
    if (r->emergency) hy_record_bool(level, "emergency", true);
    hy_record_real(level, "seconds", r->seconds);
  }
  for (int k = 0; k < HY_PROOF_COUNT; k++) {
    const hy_proof_result *r = &v->proofs[k];
    if (!r->asked) continue;
    hy_record *proof = hy_record_append(row, "proofs");
    hy_record_text(proof, "proof", hy_proof_name((hy_proof_kind)k));
    hy_record_int(proof, "questions", (int64_t)r->asked);
    hy_record_int(proof, "proved", (int64_t)r->proved);
    hy_record_int(proof, "proved_by_z3_alone", (int64_t)r->proved_z3);
    hy_record_int(proof, "refuted", (int64_t)r->refuted);
    hy_record_int(proof, "unknown", (int64_t)r->unknown);
  }
}

/* -- all of them -- */

static hy_status judge(hy_session *s, const hy_validation *v) {
  hy_level broken = hy_validation_broken(v);
  bool is_plugin = v->directive->type->is_foreign;
  if (broken < HY_LEVEL_COUNT) {
    hy_report(s->diagnostics, is_plugin ? HY_E_PLUGIN_PROMISE : HY_E_BROKEN_PROMISE, v->directive->loc,
              "per-directive validation",
              is_plugin ? "this is a fault of the plug-in; 'halyard validate' shows more"
                        : "this is a defect of Halyard, please report it with both files",
              "%s promised %s, but its %s level shows otherwise: %s", name_directive(s->context, v->directive),
              hy_order_class_name(v->promise), hy_level_name(broken), v->levels[broken].story);
    return is_plugin ? HY_STATUS_WRONG : HY_STATUS_DEFECT;
  }
  if (v->levels[HY_LEVEL_SYMBOLIC].answer != HY_LEVEL_UNDECIDED) return HY_STATUS_FINE;
  hy_report(s->diagnostics, HY_E_PROMISE_UNKNOWN, v->directive->loc, "per-directive validation",
            "raise --z3-steps, or simplify the factors of the schedule",
            "whether %s keeps its promise (%s) could not be decided for all inputs: %s",
            name_directive(s->context, v->directive), hy_order_class_name(v->promise),
            v->levels[HY_LEVEL_SYMBOLIC].story);
  return HY_STATUS_UNDECIDED;
}

typedef struct {
  hy_arguments arguments[INPUTS];
  const hy_input *inputs[INPUTS];
  int made, usable;
} sample_set;

// Do both programs run on the input with a part of all work? Programs differ a lot in what they compute for a window.
static bool is_cheap(hy_session *s, const hy_pipeline *p, const hy_tgt *first, const hy_input *input, uint64_t work) {
  const hy_tgt *programs[] = {first, p->filled};
  bool cheap = true;
  for (size_t i = 0; i < HY_COUNT(programs) && cheap; i++) {
    uint64_t spent;
    if (!programs[i]) continue;
    const hy_tgt *serial = hy_serial_but(s->context, programs[i], NULL);
    hy_outcome outcome = hy_engine_tgt_within(s->context, serial, input, 1, 0, work, &spent);
    cheap = outcome.status != HY_RUN_LIMIT;
    hy_outcome_free(&outcome);
  }
  return cheap;
}

static void make_samples(hy_session *s, const hy_pipeline *p, uint64_t work, sample_set *set) {
  hy_diagnostics *unheard = hy_diagnostics_new();
  const hy_tgt *first = hy_oracle_fill(s->context, p->steps[0], unheard);
  const hy_sampler sampler = hy_session_sampler(s);
  int less = 0; // an input that is too large is so for all numbers
  hy_diagnostics_free(unheard);
  for (; set->made < INPUTS; set->made++) {
    hy_arguments *a = &set->arguments[set->made];
    bool usable = hy_sample_make_small(&sampler, p, first, set->made, less, a);
    while (usable && less < HY_SAMPLE_LEAST &&
           !is_cheap(s, p, first, &a->input, work / (set->made ? PART : PART / 3))) {
      hy_arguments_free(a);
      usable = hy_sample_make_small(&sampler, p, first, set->made, ++less, a);
    }
    if (usable) set->inputs[set->usable++] = &a->input;
  }
}

hy_status hy_validate_count(hy_session *s, const hy_pipeline *p, bool listed, hy_record *record,
                            hy_validate_totals *all) {
  *all = (hy_validate_totals){0};
  if (s->program || p->step_count != p->core_count + 1) return HY_STATUS_FINE; // a .tgt file has no directives
  sample_set set = {0};
  uint64_t many = (uint64_t)s->alg->definition_count / MANY_FUNCS; // each needs more of those before it
  uint64_t work = (listed ? WORK_LISTED : WORK) * (1 + many * many);
  if (p->core_count) make_samples(s, p, work, &set);
  hy_validate_options options = {.inputs = set.inputs,
                                 .input_count = set.usable,
                                 .work = work,
                                 .steps = p->core_count,
                                 .spares = !listed,
                                 .z3_limit = (unsigned)s->options.z3_limit};
  hy_validator *validator = hy_validator_new(s->context, p->steps[0], &options);
  hy_status status = HY_STATUS_FINE;
  // After a broken promise there is nothing left to compare with.
  for (int i = 0; i < p->core_count && status != HY_STATUS_DEFECT; i++) {
    hy_validation validation;
    hy_reporter_progress(s->reporter, "validating directive %d of %d", i + 1, p->core_count);
    hy_validator_step(validator, &p->core[i], p->steps[i + 1], &validation);
    status = hy_status_worse(status, judge(s, &validation));
    add_totals(all, &validation);
    if (listed) print_validation(s, &validation);
    record_validation(s, &validation, record);
  }
  if (!listed && p->core_count && status == HY_STATUS_FINE) print_totals(s, all, set.usable);
  hy_reporter_flush(s->reporter, s->diagnostics);
  hy_validator_free(validator);
  for (int i = 0; i < set.made; i++) hy_arguments_free(&set.arguments[i]);
  return status;
}

hy_status hy_validate_report(hy_session *s, const hy_pipeline *p, bool listed, hy_record *record) {
  hy_validate_totals all;
  return hy_validate_count(s, p, listed, record, &all);
}
