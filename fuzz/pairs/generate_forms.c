// Random forms (semantics/rules/3_algorithms.md, "Forms"), each in two wordings: as a user writes it, and what it
// stands for in the core. The latter is written from the rule or from what the form means, and shares nothing with
// semantics/alg/expand/: lane 1 holds the one against the other.

#include "fuzz/pairs/generate_internal.h"

#include <stdio.h>
#include <string.h>

static int number(hy_maker *m, int64_t least, int64_t most) { return (int)hy_make_number(m, least, most); }
static bool chance(hy_maker *m, int percent) { return hy_make_chance(m, percent); }
static int pick(hy_maker *m, size_t below) { return hy_make_pick(m, (int)below); }

hy_text *hy_make_aside(hy_maker *m, hy_text *piece) {
  hy_text *out = m->out;
  *piece = (hy_text){0};
  hy_text_add(piece, "");
  m->out = piece;
  return out;
}

/* -- numbers of a box -- */

static const hy_made_source *find_image(const hy_maker *m) {
  for (int i = 0; i < m->count; i++)
    if (m->all[i].is_image) return &m->all[i];
  return NULL;
}

static void make_box_number(hy_maker *m, const hy_made_source *image, bool is_length) {
  static const char *const lengths[2] = {"width()", "height()"};
  static const char *const ends[2][2] = {{"left()", "right()"}, {"top()", "bottom()"}};
  int d = pick(m, (size_t)image->rank);
  bool is_max = !is_length && chance(m, 60), by_number = chance(m, 40);
  hy_make_form(m, HY_FORM_BOX_NUMBER);
  hy_either_begin(m->out);
  if (by_number)
    hy_text_printf(m->out, "%s.%s(%d)", image->name, is_length ? "extent" : is_max ? "max" : "min", d);
  else
    hy_text_printf(m->out, "%s.%s", image->name, is_length ? lengths[d] : ends[d][is_max]);
  hy_either_turn(m->out);
  if (is_max)
    hy_text_printf(m->out, "(%s.min(%d) + %s.len(%d) - 1)", image->name, d, image->name, d);
  else
    hy_text_printf(m->out, "%s.%s(%d)", image->name, is_length ? "len" : "min", d);
  hy_either_end(m->out);
}

bool hy_make_place_in_box(hy_maker *m, const char *v) {
  const hy_made_source *image = find_image(m);
  if (!image || !m->has_forms) return false;
  hy_text_printf(m->out, "clamp(%s, ", v);
  hy_text end;
  hy_text *out = hy_make_aside(m, &end);
  make_box_number(m, image, false);
  m->out = out;
  hy_text_printf(out, "%s, %s + %d)", hy_text_string(&end), hy_text_string(&end), number(m, 0, 3));
  hy_text_free(&end);
  return true;
}

/* -- named constants -- */

void hy_make_constants(hy_maker *m) {
  static const char *const sums[] = {"w + 1", "min(w, 3)", "max(w - 1, 1)"};
  int count = number(m, 0, HY_MOST_CONSTANTS);
  const hy_made_source *image = find_image(m);
  for (int i = 0; i < count; i++) {
    hy_text value, *out = hy_make_aside(m, &value);
    if (m->has_w && chance(m, 30))
      hy_make_text(m, sums[pick(m, HY_COUNT(sums))]);
    else if (image && chance(m, 20)) {
      hy_make_text(m, "clamp(");
      make_box_number(m, image, true);
      hy_make_text(m, ", 1, 4)");
    } else if (i > 0 && chance(m, 50)) {
      hy_text_printf(m->out, "%d*", number(m, 1, 2));
      hy_make_constant_name(m);
      hy_make_text(m, " - 1");
    } else
      hy_text_printf(m->out, "%d", number(m, 1, 4));
    m->out = out;
    hy_text_printf(&m->constants[i], "(%s)", hy_text_string(&value));
    hy_either_begin(out);
    hy_text_printf(out, "  const g%d = %s;\n", i, hy_text_string(&value));
    hy_either_turn(out);
    hy_either_end(out);
    hy_text_free(&value);
    m->constant_count++;
  }
}

// Written out a choice for each entry, one behind the other.
void hy_make_table(hy_maker *m) {
  enum { MOST = 9 };
  static const char *const types[] = {"int", "u8", "i16", "f32"};
  hy_made_source made = {.name = "tb", .type = types[pick(m, HY_COUNT(types))], .rank = 1};
  int count = number(m, 1, MOST), entries[MOST];
  for (int i = 0; i < count; i++) entries[i] = number(m, 0, 99);
  hy_either_begin(m->out);
  hy_text_printf(m->out, "  const tb = [%s(%d)", made.type, entries[0]);
  for (int i = 1; i < count; i++) hy_text_printf(m->out, ", %d", entries[i]);
  hy_text_add(m->out, "];\n");
  hy_either_turn(m->out);
  hy_text_add(m->out, "  fun tb(_0) = ");
  for (int i = 0; i + 1 < count; i++) hy_text_printf(m->out, "select(_0 <= %d, %s(%d), ", i, made.type, entries[i]);
  hy_text_printf(m->out, "%s(%d)", made.type, entries[count - 1]);
  for (int i = 0; i + 1 < count; i++) hy_text_add(m->out, ")");
  hy_text_add(m->out, ";\n");
  hy_either_end(m->out);
  hy_make_form(m, HY_FORM_TABLE);
  m->all[m->count++] = made;
}

bool hy_make_constant_name(hy_maker *m) {
  if (!m->has_forms || !m->constant_count) return false;
  int i = pick(m, (size_t)m->constant_count);
  char name[16];
  hy_make_form(m, HY_FORM_CONSTANT);
  snprintf(name, sizeof name, "g%d", i);
  hy_either_add(m->out, name, hy_text_string(&m->constants[i]));
  return true;
}

/* -- intervals -- */

void hy_make_interval(hy_maker *m, hy_text *min, hy_text *len) {
  hy_text *out = hy_make_aside(m, min);
  int which = pick(m, 5);
  if (which == 0)
    hy_make_text(m, "-"), hy_make_param(m);
  else if (which == 1)
    hy_make_param(m);
  else
    hy_text_printf(m->out, "%d", number(m, -2, 2));
  hy_make_aside(m, len);
  if (which == 0)
    hy_make_text(m, "2*"), hy_make_param(m), hy_make_text(m, " + 1");
  else if (which == 2)
    hy_make_param(m);
  else
    hy_text_printf(m->out, "%d", number(m, 1, 5));
  m->out = out;
}

/* -- helpers -- */

// Of any type, with arguments $a and $b.
static const char *const bodies_of_any_type[] = {"($a + $b) * 2", "select($a < $b, $a, $b - $a)", "max($a, 3) - $b",
                                                 "$a", "$b - $a * 3"};

static void name_argument(hy_text *out, const char *name, int position) {
  hy_either_begin(out);
  hy_text_add(out, name);
  hy_either_turn(out);
  hy_text_add(out, "q");
  hy_either_add_number(out);
  hy_text_add(out, position ? "b" : "a");
  hy_either_end(out);
}

// The names of its arguments are those of the variables around its calls, too: neither is taken for the other.
static void make_body(hy_maker *m, hy_helper *h) {
  static const char *const names[][2] = {{"x", "y"}, {"y", "x"}, {"r", "x"}, {"x", "j0"}};
  const char *const *pair = names[pick(m, HY_COUNT(names))];
  hy_text arguments[2] = {{0}};
  hy_text *out = hy_make_aside(m, &h->body);
  h->type = chance(m, 50) ? NULL : hy_made_types[pick(m, HY_MADE_COMPUTED)];
  m->in_helper = true;
  m->self = NULL;
  m->accesses = m->name_count = 0;
  for (int i = 0; i < 2; i++) {
    h->arguments[i] = pair[i];
    name_argument(&arguments[i], pair[i], i);
    m->names[m->name_count++] = hy_text_string(&arguments[i]);
  }
  if (h->type) {
    hy_make_data(m, h->type, 2);
  } else
    for (const char *at = bodies_of_any_type[pick(m, HY_COUNT(bodies_of_any_type))]; *at; at++)
      if (*at == '$')
        hy_make_text(m, m->names[*++at - 'a']);
      else
        hy_text_add_bytes(m->out, at, 1);
  h->accesses = m->accesses;
  m->accesses = m->name_count = 0;
  m->in_helper = false;
  m->out = out;
  for (int i = 0; i < 2; i++) hy_text_free(&arguments[i]);
}

void hy_make_helper(hy_maker *m) {
  if (m->helper_count == HY_MOST_HELPERS) return;
  hy_helper *h = &m->helpers[m->helper_count];
  make_body(m, h);
  hy_text *out = m->before; // above the helpers of the func that call it
  hy_either_begin(out);
  hy_text_printf(out, "  def h%d(%s, %s) = %s;\n", m->helper_count, h->arguments[0], h->arguments[1],
                 hy_text_string(&h->body));
  hy_either_turn(out);
  hy_either_end(out);
  m->helper_count++;
}

static void make_argument(hy_maker *m, const hy_helper *h, const char *type, hy_text *argument) {
  hy_text *out = hy_make_aside(m, argument);
  if (h->type)
    hy_make_index(m, 0);
  else
    hy_make_data(m, type, 0);
  m->out = out;
}

static bool make_call(hy_maker *m, const char *type) {
  if (!m->helper_count || m->in_helper || m->accesses > 4 || hy_made_is_bool(type)) return false;
  int i = pick(m, (size_t)m->helper_count);
  const hy_helper *h = &m->helpers[i];
  bool same = !h->type || strcmp(h->type, type) == 0;
  hy_text arguments[2];
  for (int k = 0; k < 2; k++) make_argument(m, h, type, &arguments[k]);
  hy_make_form(m, h->type ? HY_FORM_HELPER : HY_FORM_HELPER_ANY_TYPE);
  if (!same) hy_text_printf(m->out, "%s(", type);
  hy_either_begin(m->out);
  hy_text_printf(m->out, "h%d(%s, %s)", i, hy_text_string(&arguments[0]), hy_text_string(&arguments[1]));
  hy_either_turn(m->out);
  int call = m->numbers++;
  hy_text_printf(m->out, "(let q%da = %s in let q%db = %s in ", call, hy_text_string(&arguments[0]), call,
                 hy_text_string(&arguments[1]));
  hy_either_numbered(hy_text_string(&h->body), call, m->out);
  hy_make_text(m, ")");
  hy_either_end(m->out);
  if (!same) hy_make_text(m, ")");
  m->accesses += h->accesses;
  for (int k = 0; k < 2; k++) hy_text_free(&arguments[k]);
  return true;
}

/* -- any -- */

bool hy_make_form_data(hy_maker *m, const char *type, int depth) {
  const hy_made_source *image = find_image(m);
  switch (hy_choose_weighted(m->c, (int[]){64, 24, 14, 8}, 4)) {
  case 0: return hy_make_derived(m, type, depth);
  case 1: return hy_make_reduction(m, type, depth);
  case 2: return make_call(m, type);
  default: break;
  }
  if (hy_made_is_bool(type) || (!image && !m->constant_count)) return false;
  hy_text_printf(m->out, "%s(", type);
  if (!image || (m->constant_count && chance(m, 50)))
    hy_make_constant_name(m);
  else
    make_box_number(m, image, chance(m, 50));
  hy_make_text(m, ")");
  return true;
}
