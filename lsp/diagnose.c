// Diagnostics: all that "halyard check" says of the document, with the prover's and Z3's time kept short.

#include "halyard/dead.h"
#include "halyard/excess/excess.h"
#include "halyard/slides.h"
#include "lsp/reading.h"
#include "semantics/schedule/directive.h"

#include <stdio.h>

enum { Z3_LIMIT = 200, MINIMISE_STEPS = 20 * HY_Z3_STEPS }; // half of what the command line grants

typedef struct {
  hy_lsp_reading reading;
  HY_VEC(hy_loc) anchors; // by diagnostic: where in the document it is shown that stands in another text
} diagnosing;

/* -- checking -- */

static void check(hy_lsp_reading *r, const hy_alg *alg, const hy_schedule *schedule, const hy_tgt *program) {
  hy_pipeline pipeline;
  hy_pipeline_init(&pipeline, r->context, alg, schedule, program);
  pipeline.minimise_steps = MINIMISE_STEPS;
  hy_answer answer = hy_pipeline_check(&pipeline, &(hy_oracle_options){.z3_limit = Z3_LIMIT}, r->diagnostics);
  if (answer != HY_YES) return;
  hy_dead_report(&pipeline, r->diagnostics);
  hy_excess_report(&pipeline, r->diagnostics);
  hy_slides_report(&pipeline, r->diagnostics);
}

static void check_target(hy_lsp_reading *r) {
  int added;
  const hy_tgt *program = hy_parse_tgt(r->context, r->own->source, r->diagnostics);
  if (program) check(r, NULL, NULL, hy_tgt_assume_ranges(r->context, program, &added));
}

// The first error of its algorithm, where the schedule names it; the others are the algorithm's own business.
static const hy_alg *find_algorithm(hy_lsp_reading *r, const hy_schedule *schedule) {
  hy_read_source *source = hy_reading_algorithm(r, schedule->pipeline);
  if (!source) {
    hy_report(r->diagnostics, HY_E_SCHEDULE_PIPELINE, schedule->pipeline_loc, NULL,
              "put its algorithm into a file beside this one that ends in .alg", "there is no pipeline '%s'",
              schedule->pipeline);
    return NULL;
  }
  hy_diagnostics *errors = hy_diagnostics_new();
  const hy_alg *alg = hy_reading_parse(r, source, errors);
  const hy_diagnostic *first = hy_diagnostics_count(errors) && !alg ? hy_diagnostics_at(errors, 0) : NULL;
  if (first) {
    hy_report(r->diagnostics, first->code, schedule->pipeline_loc, NULL, NULL, "the algorithm of '%s' has errors",
              schedule->pipeline);
    hy_note(r->diagnostics, first->code, first->loc, "%s", first->message);
  }
  hy_diagnostics_free(errors);
  return alg;
}

static void check_schedules(diagnosing *d) {
  hy_lsp_reading *r = &d->reading;
  const hy_schedule *schedules;
  int count;
  if (!hy_parse_schedules(r->context, r->own->source, r->diagnostics, &schedules, &count)) return;
  for (int i = 0; i < count; i++) {
    const hy_alg *alg = find_algorithm(r, &schedules[i]);
    if (alg) check(r, alg, &schedules[i], NULL);
    while (d->anchors.count < hy_diagnostics_count(r->diagnostics)) hy_vec_push(&d->anchors, schedules[i].loc);
  }
}

static void check_document(diagnosing *d) {
  hy_lsp_reading *r = &d->reading;
  switch (r->question->document->language) {
  case HY_LANGUAGE_ALG:
    if (hy_is_included_text(r->context, r->own->source))
      hy_parse_included_text(r->context, r->own->source, r->diagnostics); // what it means those say who include it
    else if (hy_reading_parse(r, r->own, r->diagnostics))
      check(r, r->own->alg, NULL, NULL);
    return;
  case HY_LANGUAGE_SCHEDULE: check_schedules(d); return;
  case HY_LANGUAGE_TGT: check_target(r); return;
  }
  HY_UNREACHABLE();
}

/* -- as JSON -- */

static void add_related(json_t *list, const hy_read_source *source, hy_loc loc, const char *what, const char *text) {
  hy_text line = {0};
  hy_text_printf(&line, "%s%s", what, text);
  json_array_append_new(list, json_pack("{s:o, s:o}", "location", hy_json_location(source, loc), "message",
                                        hy_json_text(hy_text_string(&line))));
  hy_text_free(&line);
}

// What belongs to a diagnostic: its rule, its help, the notes behind it. "anchor": where it stands in the document.
typedef struct {
  hy_lsp_reading *reading;
  hy_loc anchor;
  json_t *related;
  hy_text message;
} telling;

static void tell(telling *t, hy_loc loc, const char *what, const char *text) {
  const hy_read_source *source = loc.source ? hy_reading_of(t->reading, loc.source) : NULL;
  if (!t->reading->question->related)
    hy_text_printf(&t->message, "\n%s%s", what, text);
  else if (source)
    add_related(t->related, source, loc, what, text);
  else
    add_related(t->related, t->reading->own, t->anchor, what, text);
}

// Where it is shown: its own place, else that of a note of it, else that of the schedule which it is said of.
static hy_loc anchor_of(const diagnosing *d, size_t index) {
  const hy_read_source *own = d->reading.own;
  const hy_diagnostics *all = d->reading.diagnostics;
  hy_loc loc = hy_diagnostics_at(all, index)->loc;
  if (loc.source == own->source) return loc;
  for (size_t i = index + 1; i < hy_diagnostics_count(all); i++) {
    const hy_diagnostic *note = hy_diagnostics_at(all, i);
    if (note->severity != HY_SEVERITY_NOTE) break;
    if (note->loc.source == own->source) return note->loc;
  }
  return index < d->anchors.count ? d->anchors.data[index] : (hy_loc){own->source, 1, 1, 1};
}

static void tell_all(telling *t, const hy_diagnostic *d) {
  bool is_foreign = d->loc.source && d->loc.source != t->reading->own->source;
  hy_text_add(&t->message, d->message);
  if (is_foreign) hy_text_printf(&t->message, " (%s:%u:%u)", d->loc.source->name, d->loc.line, d->loc.column);
  if (is_foreign && t->reading->question->related) tell(t, d->loc, "", "it stands here");
  if (d->rule) tell(t, t->anchor, "rule: ", d->rule);
  if (d->help) tell(t, t->anchor, "help: ", d->help);
}

// The diagnostic there, with the notes behind it; *index is moved behind them.
static json_t *json_diagnostic(diagnosing *d, size_t *index) {
  static const int severities[] = {[HY_SEVERITY_ERROR] = 1, [HY_SEVERITY_WARNING] = 2, [HY_SEVERITY_NOTE] = 3};
  hy_lsp_reading *r = &d->reading;
  telling t = {r, anchor_of(d, *index), json_array(), {0}};
  const hy_diagnostic *first = hy_diagnostics_at(r->diagnostics, *index);
  tell_all(&t, first);
  for (++*index; *index < hy_diagnostics_count(r->diagnostics); ++*index) {
    const hy_diagnostic *note = hy_diagnostics_at(r->diagnostics, *index);
    if (note->severity != HY_SEVERITY_NOTE) break;
    tell(&t, note->loc, "note: ", note->message);
  }
  char code[16];
  snprintf(code, sizeof code, "HY%04u", first->code);
  json_t *json = json_pack("{s:o, s:i, s:s, s:s, s:o}", "range", hy_json_loc(r->own, t.anchor), "severity",
                           severities[first->severity], "code", code, "source", "halyard", "message",
                           hy_json_text(hy_text_string(&t.message)));
  if (json_array_size(t.related)) json_object_set(json, "relatedInformation", t.related);
  json_decref(t.related);
  hy_text_free(&t.message);
  return json;
}

json_t *hy_answer_diagnostics(const hy_question *question) {
  diagnosing d = {0};
  hy_reading_begin(&d.reading, question);
  check_document(&d);
  json_t *list = json_array();
  for (size_t i = 0; i < hy_diagnostics_count(d.reading.diagnostics);)
    json_array_append_new(list, json_diagnostic(&d, &i));
  return list;
}
