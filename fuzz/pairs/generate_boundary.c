// Random boundary conditions, and what they mean: where a coordinate lies, by cases.

#include "fuzz/pairs/generate_internal.h"

#include <stdio.h>

static bool chance(hy_maker *m, int percent) { return hy_make_chance(m, percent); }
static int pick(hy_maker *m, size_t below) { return hy_make_pick(m, (int)below); }

typedef struct {
  hy_text min[HY_MADE_RANK], len[HY_MADE_RANK], at[HY_MADE_RANK]; // of each dimension: its box, the coordinate
  hy_text value;                                                  // that constant_exterior has
  int treated;                                                    // dimensions with a box
  bool is_own;                                                    // it is that of the image, and not written
} continuation;

static void own_box(const hy_made_source *f, int d, continuation *c) {
  c->min[d] = c->len[d] = (hy_text){0};
  hy_text_printf(&c->min[d], "%s.min(%d)", f->name, d);
  hy_text_printf(&c->len[d], "%s.len(%d)", f->name, d);
}

static continuation choose_continuation(hy_maker *m, const hy_made_source *f, hy_boundary boundary, int depth) {
  continuation c = {.is_own = f->is_image && chance(m, 60)};
  c.treated = c.is_own ? f->rank : 1 + pick(m, (size_t)f->rank);
  for (int d = 0; d < f->rank; d++) {
    if (c.is_own)
      own_box(f, d, &c);
    else if (d < c.treated)
      hy_make_interval(m, &c.min[d], &c.len[d]);
    hy_text *out = hy_make_aside(m, &c.at[d]);
    hy_make_coordinate(m, f, d, depth);
    m->out = out;
  }
  if (hy_boundary_takes_value(boundary)) {
    hy_text *out = hy_make_aside(m, &c.value);
    hy_make_data(m, f->type, 0);
    m->out = out;
  }
  return c;
}

static void free_continuation(continuation *c) {
  for (int d = 0; d < HY_MADE_RANK; d++) hy_text_free(&c->min[d]), hy_text_free(&c->len[d]), hy_text_free(&c->at[d]);
  hy_text_free(&c->value);
}

// Where coordinate number i lies in its box [m, m + n), of which v, m and n are the names of its numbers: by cases,
// each a sentence of what the condition means. A box without points counts as its first one, and the coordinate is
// looked at all the same: one that is an error makes the place one.
static void write_place(hy_maker *m, hy_boundary boundary, int i) {
  char v[16], min[16], n[16], first[64];
  snprintf(v, sizeof v, "q%d", i);
  snprintf(min, sizeof min, "q%dm", i);
  snprintf(n, sizeof n, "q%dn", i);
  bool is_edge = boundary == HY_BOUNDARY_REPEAT_EDGE || boundary == HY_BOUNDARY_CONSTANT_EXTERIOR;
  if (is_edge)
    snprintf(first, sizeof first, "%s + 0*%s", min, v);
  else
    snprintf(first, sizeof first, "%s + 0*(%s - %s)", min, v, min);
  hy_text_printf(m->out, "select(%s < 1, %s, ", n, first);
  switch (boundary) {
  case HY_BOUNDARY_REPEAT_EDGE:
  case HY_BOUNDARY_CONSTANT_EXTERIOR:
    hy_text_printf(m->out, "select(%s < %s, %s, select(%s < %s + %s, %s, %s + %s - 1))", v, min, min, v, min, n, v, min,
                   n);
    break;
  case HY_BOUNDARY_REPEAT_IMAGE: // whole boxes are taken away
    hy_text_printf(m->out, "%s - (%s - %s) / %s * %s", v, v, min, n, n);
    break;
  case HY_BOUNDARY_MIRROR_IMAGE: // boxes lie in turn as they are and turned round
    hy_text_printf(m->out, "%s + select((%s - %s) / %s %% 2 == 0, (%s - %s) %% %s, %s - 1 - (%s - %s) %% %s)", min, v,
                   min, n, v, min, n, n, v, min, n);
    break;
  case HY_BOUNDARY_MIRROR_INTERIOR: // the same of boxes of n - 1 points
    hy_text_printf(m->out,
                   "select(%s == 1, %s, %s + select((%s - %s) / (%s - 1) %% 2 == 0, (%s - %s) %% (%s - 1), %s - 1 - "
                   "(%s - %s) %% (%s - 1)))",
                   n, first, min, v, min, n, v, min, n, n, v, min, n);
    break;
  case HY_BOUNDARY_COUNT: HY_UNREACHABLE();
  }
  hy_make_text(m, ")");
}

// The condition at its coordinates without forms: these are named, and so are the numbers of their boxes.
static void write_continuation(hy_maker *m, const hy_made_source *f, hy_boundary boundary, const continuation *c) {
  int first = m->numbers;
  m->numbers += f->rank;
  hy_make_text(m, "(");
  for (int d = 0; d < f->rank; d++) {
    hy_text_printf(m->out, "let q%d = %s in ", first + d, hy_text_string(&c->at[d]));
    if (d < c->treated)
      hy_text_printf(m->out, "let q%dm = %s in let q%dn = %s in ", first + d, hy_text_string(&c->min[d]), first + d,
                     hy_text_string(&c->len[d]));
  }
  if (hy_boundary_takes_value(boundary)) {
    hy_make_text(m, "select(");
    for (int d = 0; d < c->treated; d++) {
      int i = first + d;
      hy_text_printf(m->out, "%sq%d < q%dm || q%d - q%dm >= q%dn", d ? " || " : "", i, i, i, i, i);
    }
    hy_text_printf(m->out, ", %s, ", hy_text_string(&c->value));
  }
  hy_text_printf(m->out, "%s(", f->name);
  for (int d = 0; d < f->rank; d++) {
    if (d) hy_make_text(m, ", ");
    if (d < c->treated)
      write_place(m, boundary, first + d);
    else
      hy_text_printf(m->out, "q%d", first + d);
  }
  hy_make_text(m, hy_boundary_takes_value(boundary) ? ")))" : "))");
}

static void name_condition(hy_maker *m, const hy_made_source *f, hy_boundary boundary, const continuation *c) {
  hy_text_printf(m->out, "%s(%s", hy_boundary_name(boundary), f->name);
  if (hy_boundary_takes_value(boundary)) hy_text_printf(m->out, ", %s", hy_text_string(&c->value));
  for (int d = 0; d < c->treated && !c->is_own; d++)
    hy_text_printf(m->out, ", (%s, %s)", hy_text_string(&c->min[d]), hy_text_string(&c->len[d]));
  hy_make_text(m, ")");
}

static hy_boundary choose_boundary(hy_maker *m) {
  hy_boundary boundary = (hy_boundary)hy_choose_weighted(m->c, (int[]){40, 24, 12, 12, 12}, HY_BOUNDARY_COUNT);
  m->other |= boundary > HY_BOUNDARY_CONSTANT_EXTERIOR; // a remainder by what may be symbolic
  hy_forms_mark(m->forms, HY_FORM_BOUNDARY + (int)boundary);
  return boundary;
}

bool hy_make_continued(hy_maker *m, const hy_made_source *f, int depth) {
  if (!m->has_forms || f == m->self || !f->rank || !chance(m, f->is_image ? 25 : 8)) return false;
  hy_boundary boundary = choose_boundary(m);
  continuation c = choose_continuation(m, f, boundary, depth);
  if (!f->is_image) hy_make_form(m, HY_FORM_CONTINUED_FUNC);
  hy_either_begin(m->out);
  name_condition(m, f, boundary, &c);
  for (int d = 0; d < f->rank; d++) hy_text_printf(m->out, "%s%s", d ? ", " : "(", hy_text_string(&c.at[d]));
  hy_make_text(m, ")");
  hy_either_turn(m->out);
  write_continuation(m, f, boundary, &c);
  hy_either_end(m->out);
  free_continuation(&c);
  return true;
}

bool hy_make_short(hy_maker *m, hy_made_source *made) {
  const hy_made_source *f = hy_make_known(m);
  if (!f || !f->rank) return false;
  m->name_count = 0;
  hy_boundary boundary = choose_boundary(m);
  continuation c = choose_continuation(m, f, boundary, 0);
  hy_make_form(m, HY_FORM_SHORT);
  made->type = f->type;
  made->rank = f->rank;
  for (int d = 0; d < f->rank; d++) {
    hy_text_free(&c.at[d]);
    hy_text_printf(&c.at[d], "_%d", d);
  }
  hy_text_printf(m->out, "  fun %s", made->name);
  hy_either_begin(m->out);
  hy_make_text(m, " = ");
  name_condition(m, f, boundary, &c);
  hy_either_turn(m->out);
  for (int d = 0; d < f->rank; d++) hy_text_printf(m->out, "%s_%d", d ? ", " : "(", d);
  hy_make_text(m, ") = ");
  write_continuation(m, f, boundary, &c);
  hy_either_end(m->out);
  hy_make_text(m, ";\n");
  free_continuation(&c);
  return true;
}
