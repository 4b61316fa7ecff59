#include "cli/reports/explain.h"

#include "oracle/explain.h"
#include "semantics/base/vec.h"

#include <string.h>

/* halyard check --explain: for every hole its fill, whether it is tight, and
 * who forced it: which access of which consumer, over which loops.
 */

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

/* -- who forced it -- */

// The access as the user wrote it; false if it stands in no text.
static bool quote(hy_loc loc, hy_text *out) {
  const char *line = loc.source ? loc.source->text : NULL;
  for (uint32_t n = 1; line && n < loc.line; n++) line = (line = strchr(line, '\n')) ? line + 1 : NULL;
  if (!line || loc.column + loc.length - 1 > strlen(line)) return false;
  const char *from = line + loc.column - 1;
  hy_text_add_bytes(out, from, loc.length < strcspn(from, "\n") ? loc.length : strcspn(from, "\n"));
  return true;
}

static void add_place(hy_loc loc, hy_text *out) {
  if (loc.source) hy_text_printf(out, " (%s:%u:%u)", loc.source->name, loc.line, loc.column);
}

typedef HY_VEC(const hy_var *) var_list;

static void see_loop(void *self, const hy_expr *node) {
  var_list *found = self;
  if (node->kind != HY_EXPR_VAR || node->var->kind != HY_VAR_LOOP) return;
  for (size_t i = 0; i < found->count; i++)
    if (found->data[i] == node->var) return;
  hy_vec_push(found, node->var);
}

static bool is_op(const hy_expr *e, hy_op op) { return e->kind == HY_EXPR_OP && e->op == op; }

// The value of a let among the facts; NULL: it is a loop.
static const hy_expr *value_of(const hy_obligation *o, const hy_var *var) {
  for (size_t i = 0; i < o->fact_count; i++)
    if (is_op(o->facts[i], HY_OP_EQ) && o->facts[i]->args[0]->kind == HY_EXPR_VAR && o->facts[i]->args[0]->var == var)
      return o->facts[i]->args[1];
  return NULL;
}

// The loops on which the index depends, through the lets that splits left.
static var_list loops_of(const hy_obligation *o) {
  var_list seen = {0}, loops = {0};
  if (o->goal->kind == HY_EXPR_OP && o->goal->count == 2) hy_expr_visit(o->goal->args[!o->is_upper], see_loop, &seen);
  for (size_t i = 0; i < seen.count; i++) {
    const hy_expr *value = value_of(o, seen.data[i]);
    if (value)
      hy_expr_visit(value, see_loop, &seen);
    else
      hy_vec_push(&loops, seen.data[i]);
  }
  hy_vec_free(&seen);
  return loops;
}

static void add_loops(const hy_obligation *o, hy_text *out) {
  var_list loops = loops_of(o);
  for (size_t i = 0; i < loops.count; i++) {
    hy_text_add(out, i ? ", " : loops.count == 1 ? ", over the loop " : ", over the loops ");
    hy_var_print(loops.data[i], out);
  }
  hy_vec_free(&loops);
}

// "bh(x, y - 1), read by bv (apps/box_blur.alg:4:19), over the loop bv.s0.y"
static void add_access(const hy_obligation *o, hy_text *out) {
  hy_text access = {0};
  if (quote(o->loc, &access))
    hy_text_add(out, hy_text_string(&access));
  else
    hy_text_printf(out, "an access to %s", o->other->name);
  hy_text_free(&access);
  hy_text_printf(out, ", read by %s", o->func->name);
  if (o->stage > 0) hy_text_printf(out, ", update %d", o->stage - 1);
  add_place(o->loc, out);
  add_loops(o, out);
}

static void add_cause(const hy_obligation *o, hy_text *out) {
  switch (o->kind) {
  case HY_B_MEM:
  case HY_B_CPU:
  case HY_B_ADDRESS:
    if (o->other) {
      add_access(o, out);
      return;
    }
    hy_text_printf(out, "the points that %s is assigned", o->func->name);
    add_loops(o, out);
    return;
  case HY_B_INSIDE: hy_text_printf(out, "what is computed of %s", o->func->name); return;
  case HY_B_WINDOW: hy_text_add(out, "the window"); return;
  case HY_B_COVER: hy_text_printf(out, "the region of %s, all of which the stage has to assign", o->func->name); return;
  case HY_B_LENGTH:
  case HY_B_DEFINED:
  case HY_B_FITS:
  case HY_B_VALUE:
  case HY_B_CONSTRAIN:
  case HY_B_DISJOINT:
  case HY_B_FOLD:
  case HY_B_PIECES: hy_text_add(out, o->about); return;
  }
  HY_UNREACHABLE();
}

/* -- printing -- */

static void record_cause(hy_record *row, const char *side, const hy_explained_side *explained, const char *cause) {
  const hy_obligation *o = explained->because;
  hy_record *record = hy_record_child(row, side);
  hy_record_text(record, "cause", cause);
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

static void print_side(hy_session *s, hy_record *row, bool is_upper, const hy_explained_side *explained) {
  const char *tightness = hy_tightness_name(explained->tightness), *side = is_upper ? "upper" : "lower";
  hy_record_text(row, side, tightness);
  hy_reporter_print(s->reporter, "      %s: %s", side, tightness);
  if (explained->because) {
    hy_text cause = {0};
    add_cause(explained->because, &cause);
    hy_reporter_print(s->reporter, ", forced by %s", hy_text_string(&cause));
    record_cause(row, is_upper ? "upper_because" : "lower_because", explained, hy_text_string(&cause));
    hy_text_free(&cause);
  }
  hy_reporter_print(s->reporter, "\n");
}

static void print_hole(hy_session *s, hy_record *row, const hy_explained_hole *hole) {
  hy_text place = {0}, fill = {0};
  hy_text_add(&fill, "(");
  hy_expr_print(hole->fill.min, &fill);
  hy_text_add(&fill, ", ");
  hy_expr_print(hole->fill.len, &fill);
  hy_text_add(&fill, ")");
  hy_record_text(row, "place", place_of(hole->min, &place));
  hy_record_text(row, "fill", hy_text_string(&fill));
  hy_reporter_print(s->reporter, "  %s: %s\n", hy_text_string(&place), hy_text_string(&fill));
  print_side(s, row, false, &hole->low);
  print_side(s, row, true, &hole->high);
  hy_text_free(&place);
  hy_text_free(&fill);
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
