#include "cli/reports/explain.h"

#include "oracle/explain.h"

/* halyard check --explain: for every hole its fill, whether it is tight, and
 * who forced it: which access of which consumer, over which loops.
 */

static void record_cause(hy_record *row, const char *side, const hy_explained_side *explained) {
  const hy_obligation *o = explained->because;
  hy_record *record = hy_record_child(row, side);
  hy_text cause = {0};
  hy_explained_cause(o, &cause);
  hy_record_text(record, "cause", hy_text_string(&cause));
  hy_text_free(&cause);
  hy_record_text(record, "rule", hy_obligation_rule(o->kind));
  hy_record_text(record, "fails", o->about);
  hy_record_text(record, "consumer", o->func->name);
  if (o->stage >= 0) hy_record_int(record, "stage", o->stage);
  if (o->loc.source) {
    hy_record_text(record, "file", o->loc.source->name);
    hy_record_int(record, "line", o->loc.line);
    hy_record_int(record, "column", o->loc.column);
  }
  if (explained->model) hy_record_text(record, "model", explained->model);
}

static void record_side(hy_record *row, bool is_upper, const hy_explained_side *explained) {
  hy_record_text(row, is_upper ? "upper" : "lower", hy_tightness_name(explained->tightness));
  if (explained->because) record_cause(row, is_upper ? "upper_because" : "lower_because", explained);
}

static void print_hole(hy_session *s, hy_record *row, const hy_explained_hole *hole) {
  hy_text place = {0}, fill = {0}, whole = {0};
  hy_explained_place(hole->min, &place);
  hy_explained_fill(hole, &fill);
  hy_explained_print(hole, &whole);
  hy_record_text(row, "place", hy_text_string(&place));
  hy_record_text(row, "fill", hy_text_string(&fill));
  record_side(row, false, &hole->low);
  record_side(row, true, &hole->high);
  hy_reporter_print(s->reporter, "%s", hy_text_string(&whole));
  hy_text_free(&place);
  hy_text_free(&fill);
  hy_text_free(&whole);
}

void hy_explain(hy_session *s, const hy_pipeline *p, hy_record *record) {
  if (!p->filled || p->step_count == 0) return;
  hy_oracle_options options = {.z3_limit = (unsigned)s->options.z3_limit};
  size_t count, tight = 0;
  const hy_explained_hole *holes =
      hy_oracle_explain(s->context, p->steps[p->step_count - 1], p->filled, &options, &count);
  for (size_t i = 0; i < count; i++) {
    print_hole(s, hy_record_append(record, "holes"), &holes[i]);
    tight += (holes[i].low.tightness == HY_TIGHT) + (holes[i].high.tightness == HY_TIGHT);
  }
  hy_reporter_print(s->reporter, "  %zu of %zu ends of bounds are tight\n", tight, 2 * count);
}
