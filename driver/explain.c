#include "driver/explain.h"

#include "oracle/explain.h"

/* halyard check --explain: for every hole its fill, whether it is tight, and who forced it. */

static const char *place_of(const hy_hole *hole, hy_text *out) {
  static const char *const kinds[] = {"allocated", "computed", "loop", "needed"};
  if (hole->kind == HY_HOLE_FOR) {
    hy_text_add(out, "loop ");
    hy_var_print(hole->loop, out);
  } else {
    hy_text_printf(out, "%s %s, dimension %s", hole->func->name, kinds[hole->kind], hole->func->dims[hole->dim]);
  }
  return hy_text_string(out);
}

static void print_side(hy_session *s, hy_record *row, const char *side, const hy_explained_side *explained) {
  const char *tightness = hy_tightness_name(explained->tightness);
  hy_record_text(row, side, tightness);
  hy_reporter_print(s->reporter, "      %s: %s", side, tightness);
  if (explained->because) {
    hy_reporter_print(s->reporter, "; else not: %s", explained->because->about);
    if (explained->model && *explained->model) hy_reporter_print(s->reporter, " (%s)", explained->model);
  }
  hy_reporter_print(s->reporter, "\n");
}

void hy_explain(hy_session *s, const hy_pipeline *p, hy_record *record) {
  if (!p->filled || p->step_count == 0) return;
  hy_oracle_options options = {false, (unsigned)s->options.limit_ms};
  size_t count, tight = 0, sides = 0;
  const hy_explained_hole *holes =
      hy_oracle_explain(s->context, p->steps[p->step_count - 1], p->filled, &options, &count);
  for (size_t i = 0; i < count; i++) {
    hy_record *row = hy_record_append(record, "holes");
    hy_text place = {0}, fill = {0};
    hy_text_add(&fill, "(");
    hy_expr_print(holes[i].fill.min, &fill);
    hy_text_add(&fill, ", ");
    hy_expr_print(holes[i].fill.len, &fill);
    hy_text_add(&fill, ")");
    hy_record_text(row, "place", place_of(holes[i].min, &place));
    hy_record_text(row, "fill", hy_text_string(&fill));
    hy_reporter_print(s->reporter, "  %s: %s\n", hy_text_string(&place), hy_text_string(&fill));
    print_side(s, row, "lower", &holes[i].low);
    print_side(s, row, "upper", &holes[i].high);
    tight += (holes[i].low.tightness == HY_TIGHT) + (holes[i].high.tightness == HY_TIGHT);
    sides += 2;
    hy_text_free(&place);
    hy_text_free(&fill);
  }
  hy_reporter_print(s->reporter, "  %zu of %zu ends of bounds are tight\n", tight, sides);
}
