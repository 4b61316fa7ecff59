// Random helpers of funcs and with reductions, boundary conditions of tuples, and min, max and choices of many.

#include "fuzz/pairs/generate_internal.h"

#include "semantics/base/intern.h"

#include <string.h>

bool hy_make_falls_here(const hy_maker *m, uint64_t seed, uint64_t every, uint64_t *which) {
  uint64_t hash = hy_hash_bytes(seed, m->out->data, m->out->length);
  *which = hash / every;
  return hash % every == 0;
}

/* -- helpers -- */

static void declare(hy_maker *m, const char *text) {
  hy_either_begin(m->before);
  hy_text_add(m->before, text);
  hy_either_turn(m->before);
  hy_either_end(m->before);
}

// def c3(g, x, n) = if n % 2 == 1 then g(x) else g(n); of which the helper below calls the arm that is meant.
static void declare_choice(hy_maker *m, const char *list, int rank, uint64_t which) {
  hy_text text = {0}, other = {0};
  int number = (int)(which % 5), is_second = which / 5 % 2;
  for (int d = 0; d < rank; d++) hy_text_add(&other, d ? ", n" : "n");
  const char *meant = list, *left = hy_text_string(&other);
  hy_text_printf(&text, "  def c%d(g, %s, n) = if n %% 2 %s %d then g(%s) else g(%s);\n", m->lifted, list,
                 is_second ? "!=" : "==", number % 2, is_second ? left : meant, is_second ? meant : left);
  hy_text_printf(&text, "  def a%d(g, %s) = c%d(g, %s, %d);\n", m->lifted, list, m->lifted, list, number);
  declare(m, hy_text_string(&text));
  hy_make_form(m, HY_FORM_HELPER_NUMBER);
  hy_text_free(&text);
  hy_text_free(&other);
}

void hy_make_access_begin(hy_maker *m, const hy_made_source *f) {
  enum { EVERY = 9, CHOOSES = 3 };
  static const char *const arguments[HY_MADE_RANK] = {"y", "x", "r", "j0", "j1", "q"}; // of others, too
  uint64_t which;
  bool is_plain = !m->has_forms || !m->before || m->in_helper || f == m->self || !f->rank;
  if (is_plain || !hy_make_falls_here(m, 3, EVERY, &which)) {
    hy_text_printf(m->out, "%s(", f->name);
    return;
  }
  hy_text text = {0}, list = {0};
  for (int d = 0; d < f->rank; d++) hy_text_printf(&list, "%s%s", d ? ", " : "", arguments[d]);
  if (which % CHOOSES == 0)
    declare_choice(m, hy_text_string(&list), f->rank, which / CHOOSES);
  else {
    hy_text_printf(&text, "  def a%d(g, %s) = g(%s);\n", m->lifted, hy_text_string(&list), hy_text_string(&list));
    declare(m, hy_text_string(&text));
  }
  hy_make_form(m, HY_FORM_HELPER_FUNC);
  hy_either_begin(m->out);
  hy_text_printf(m->out, "a%d(%s, ", m->lifted++, f->name);
  hy_either_turn(m->out);
  hy_text_printf(m->out, "%s(", f->name);
  hy_either_end(m->out);
  hy_text_free(&text);
  hy_text_free(&list);
}

bool hy_make_lifted(hy_maker *m, const char *reduction, int around) {
  enum { EVERY = 3 };
  uint64_t which;
  if (!m->before || !hy_make_falls_here(m, 4, EVERY, &which)) return false;
  hy_text text = {0}, list = {0};
  for (int i = 0; i < around; i++) hy_text_printf(&list, "%s%s", i ? ", " : "", m->names[i]);
  hy_text_printf(&text, "  def b%d(%s) = %s;\n", m->lifted, hy_text_string(&list), reduction);
  declare(m, hy_text_string(&text));
  hy_make_form(m, HY_FORM_HELPER_REDUCTION);
  hy_text_printf(m->out, "b%d(%s)", m->lifted++, hy_text_string(&list));
  hy_text_free(&text);
  hy_text_free(&list);
  return true;
}

/* -- tuples -- */

static void write_exterior(hy_maker *m, const hy_made_source *f) {
  const hy_made_source *first = f - f->part;
  for (int p = 0; p < f->parts; p++) {
    hy_make_text(m, p ? ", " : ", (");
    if (hy_made_is_bool(first[p].type))
      hy_make_text(m, p ? "false" : "true");
    else
      hy_text_printf(m->out, "%s(%d)", first[p].type, p + 3);
  }
  hy_make_text(m, ")");
}

bool hy_make_continued_tuple(hy_maker *m, const hy_made_source *f, int depth) {
  enum { EVERY = 5 };
  uint64_t which;
  if (!f->parts || !f->rank || f - f->part == m->self || !hy_make_falls_here(m, 5, EVERY, &which)) return false;
  hy_boundary boundary = (hy_boundary)(which % HY_BOUNDARY_COUNT);
  which /= HY_BOUNDARY_COUNT;
  hy_make_form(m, HY_FORM_CONTINUED_TUPLE);
  hy_forms_mark(m->forms, HY_FORM_BOUNDARY + (int)boundary);
  hy_text_printf(m->out, "%s(%s", hy_boundary_name(boundary), f->name);
  if (hy_boundary_takes_value(boundary)) write_exterior(m, f);
  for (int d = 0, treated = 1 + (int)(which % (uint64_t)f->rank); d < treated; d++)
    hy_text_printf(m->out, ", (%d, %d)", (int)(which / 8 % 4) - 2, 1 + (int)(which / 32 % 5));
  hy_make_text(m, ")(");
  for (int d = 0; d < f->rank; d++) {
    if (d) hy_make_text(m, ", ");
    hy_make_coordinate(m, f, d, depth);
  }
  hy_make_text(m, ")");
  hy_make_part(m, f);
  return true;
}

/* -- min and max -- */

void hy_make_more_operands(hy_maker *m) {
  enum { EVERY = 4 };
  uint64_t which;
  if (!hy_make_falls_here(m, 6, EVERY, &which)) return;
  hy_make_form(m, HY_FORM_EXTREMUM_OF_MANY);
  hy_text_printf(m->out, ", %d", (int)(which / 2 % 9));
  if (which % 2) hy_text_printf(m->out, ", %d", (int)(which / 32 % 100));
}

/* -- choices -- */

enum { CHOICE_CONDITION, CHOICE_FIRST, CHOICE_LAST, CHOICE_PIECES, MOST_ARMS = 3 };

// An arm more than a select has: "number" behind the conditions and values of its own. It is short, since more is drawn
// of what a select has alone.
static void write_arm(hy_maker *m, const char *type, uint64_t number) {
  if (hy_made_is_bool(type))
    hy_make_text(m, number % 2 ? "true" : "false");
  else if (hy_made_is_stored(type) || number % 2)
    hy_text_printf(m->out, "%s(%d)", type, (int)(number % 50));
  else
    hy_text_printf(m->out, "%d", (int)(number % 50));
}

static void write_arm_condition(hy_maker *m, uint64_t number) {
  if (m->name_count)
    hy_text_printf(m->out, "%s %% 3 == %d", m->names[number % (uint64_t)m->name_count], (int)(number % 3));
  else
    hy_make_text(m, number % 2 ? "2 > 1" : "1 > 2");
}

// select(c, a, d, b, .., e), which is select(c, a, select(d, b, .. e)).
static void write_select(hy_maker *m, const char *type, const hy_text *pieces, int arms, uint64_t which) {
  hy_text_printf(m->out, "select(%s, %s", hy_text_string(&pieces[CHOICE_CONDITION]),
                 hy_text_string(&pieces[CHOICE_FIRST]));
  for (int i = 0; i < arms; i++) {
    hy_either_add(m->out, ", ", ", select(");
    write_arm_condition(m, which + (uint64_t)i);
    hy_make_text(m, ", ");
    write_arm(m, type, which + (uint64_t)i);
  }
  hy_text_printf(m->out, ", %s)", hy_text_string(&pieces[CHOICE_LAST]));
  for (int i = 0; i < arms; i++) hy_either_add(m->out, "", ")");
}

// mux(i, a, b, .., e): a where i is 0, and e where it is negative or beyond. Written out from the last place down.
static void write_mux(hy_maker *m, const char *type, const hy_text *pieces, int arms, uint64_t which) {
  hy_text index = {0};
  const char *v = m->name_count ? m->names[which % (uint64_t)m->name_count] : m->has_w ? "w" : "1";
  hy_text_printf(&index, "select(%s, %s, %d)", hy_text_string(&pieces[CHOICE_CONDITION]), v, (int)(which % 4) - 1);
  int call = m->numbers++;
  hy_either_begin(m->out);
  hy_text_printf(m->out, "mux(%s, %s", hy_text_string(&index), hy_text_string(&pieces[CHOICE_FIRST]));
  for (int i = 0; i < arms; i++) hy_make_text(m, ", "), write_arm(m, type, which + (uint64_t)i);
  hy_text_printf(m->out, ", %s)", hy_text_string(&pieces[CHOICE_LAST]));
  hy_either_turn(m->out);
  hy_text_printf(m->out, "(let q%da = %s in select(q%da < 0 || q%da > %d, %s, ", call, hy_text_string(&index), call,
                 call, arms, hy_text_string(&pieces[CHOICE_LAST]));
  for (int i = arms; i > 0; i--) {
    hy_text_printf(m->out, "select(q%da > %d, ", call, i - 1);
    write_arm(m, type, which + (uint64_t)i - 1);
    hy_make_text(m, ", ");
  }
  hy_make_text(m, hy_text_string(&pieces[CHOICE_FIRST]));
  for (int i = arms; i > 0; i--) hy_make_text(m, ")");
  hy_make_text(m, "))");
  hy_either_end(m->out);
  hy_text_free(&index);
}

bool hy_make_choice(hy_maker *m, const char *type, int depth) {
  enum { EVERY = 2 };
  uint64_t which;
  if (!m->has_forms || !hy_make_falls_here(m, 11, EVERY, &which)) return false;
  hy_text pieces[CHOICE_PIECES], *out = hy_make_aside(m, &pieces[CHOICE_CONDITION]);
  hy_make_compare(m, 1);
  for (int i = CHOICE_FIRST; i < CHOICE_PIECES; i++) {
    hy_make_aside(m, &pieces[i]);
    hy_make_data(m, type, depth - 1);
  }
  m->out = out;
  bool is_mux = which % 2;
  which /= 2;
  hy_make_form(m, is_mux ? HY_FORM_MUX : HY_FORM_SELECT_OF_MANY);
  (is_mux ? write_mux : write_select)(m, type, pieces, 1 + (int)(which % MOST_ARMS), which / MOST_ARMS);
  for (int i = 0; i < CHOICE_PIECES; i++) hy_text_free(&pieces[i]);
  return true;
}
