// Random inline reductions, and the funcs that they are names for.

#include "fuzz/pairs/generate_internal.h"

#include <string.h>

static const char *const variables[HY_MOST_INLINE] = {"j0", "j1", "j2", "j3", "j4", "j5", "j6", "j7"};

static bool chance(hy_maker *m, int percent) { return hy_make_chance(m, percent); }

// What stands behind the word: the domain, and what is met at its points.
static void make_domain(hy_maker *m, const char *type, int count, int depth, hy_text *domain, hy_text *value,
                        hy_text *predicate) {
  hy_text *out = hy_make_aside(m, domain), min, len;
  for (int i = 0; i < count; i++) {
    hy_make_interval(m, &min, &len);
    hy_text_printf(m->out, "%s%s = (%s, %s)", i ? ", " : "", variables[m->inlined], hy_text_string(&min),
                   hy_text_string(&len));
    m->names[m->name_count++] = variables[m->inlined++];
    hy_text_free(&min);
    hy_text_free(&len);
  }
  hy_make_aside(m, value);
  hy_make_data(m, type, depth - 1);
  hy_make_aside(m, predicate);
  if (chance(m, 25)) {
    hy_make_text(m, " if ");
    hy_make_compare(m, 0);
  }
  m->out = out;
}

static void add_variables(hy_maker *m, int count) {
  for (int i = 0; i < count; i++) hy_text_printf(m->out, "%s%s", i ? ", " : "", m->names[i]);
}

// The func that it is a name for, of all variables around it, lets among them.
static void write_reduction(hy_maker *m, const char *type, hy_reduction reduction, const hy_text pieces[3],
                            int around) {
  static const char *const meets[HY_REDUCTION_COUNT] = {[HY_REDUCTION_SUM] = " + ",
                                                        [HY_REDUCTION_PRODUCT] = " * ",
                                                        [HY_REDUCTION_MINIMUM] = "min",
                                                        [HY_REDUCTION_MAXIMUM] = "max",
                                                        [HY_REDUCTION_SATURATING_SUM] = "saturating_add"};
  const char *const starts[HY_REDUCTION_COUNT] = {[HY_REDUCTION_SUM] = "0",
                                                  [HY_REDUCTION_PRODUCT] = "1",
                                                  [HY_REDUCTION_MINIMUM] = hy_made_greatest(type),
                                                  [HY_REDUCTION_MAXIMUM] = hy_made_least(type),
                                                  [HY_REDUCTION_SATURATING_SUM] = "0"};
  bool is_call =
      hy_reduction_saturates(reduction) || reduction == HY_REDUCTION_MINIMUM || reduction == HY_REDUCTION_MAXIMUM;
  bool converts = !hy_made_is_float(type) || !is_call;
  hy_text *out = m->out;
  m->out = m->before;
  hy_either_begin(m->out);
  hy_either_turn(m->out);
  hy_text_printf(m->out, "  fun v%d(", m->numbers);
  add_variables(m, around);
  if (converts)
    hy_text_printf(m->out, ") = { %s(%s); rdom(%s) in (", type, starts[reduction], hy_text_string(&pieces[0]));
  else
    hy_text_printf(m->out, ") = { %s; rdom(%s) in (", starts[reduction], hy_text_string(&pieces[0]));
  add_variables(m, around);
  hy_text_printf(m->out, ") <- %s%sv%d(", is_call ? meets[reduction] : "", is_call ? "(" : "", m->numbers);
  add_variables(m, around);
  hy_text_printf(m->out, ")%s%s%s%s; };\n", is_call ? ", " : meets[reduction], hy_text_string(&pieces[1]),
                 is_call ? ")" : "", hy_text_string(&pieces[2]));
  hy_either_end(m->out);
  m->out = out;
  hy_text_printf(m->out, "v%d(", m->numbers++);
  add_variables(m, around);
  hy_make_text(m, ")");
}

// The tuple of argmin and argmax, with the value and its place; nothing but a strict comparison takes a later one.
static void write_arg(hy_maker *m, const char *type, hy_reduction reduction, const hy_text pieces[3], int around,
                      int variables) {
  bool is_least = reduction == HY_REDUCTION_ARGMIN;
  const char *predicate = pieces[2].length ? hy_text_string(&pieces[2]) + strlen(" if ") : NULL;
  hy_text *out = m->out;
  m->out = m->before;
  hy_either_begin(m->out);
  hy_either_turn(m->out);
  hy_text_printf(m->out, "  fun v%d(", m->numbers);
  add_variables(m, around);
  hy_make_text(m, ") = { (");
  for (int i = 0; i < variables; i++) hy_make_text(m, "0, ");
  bool is_bool = hy_made_is_bool(type);
  const char *start = is_bool ? is_least ? "true" : "false" : is_least ? hy_made_greatest(type) : hy_made_least(type);
  if (hy_made_is_float(type) || is_bool)
    hy_make_text(m, start);
  else
    hy_text_printf(m->out, "%s(%s)", type, start);
  hy_text_printf(m->out, "); rdom(%s) in (", hy_text_string(&pieces[0]));
  add_variables(m, around);
  hy_make_text(m, ") <- (");
  for (int i = 0; i < variables; i++) hy_text_printf(m->out, "%s, ", m->names[around + i]);
  hy_text_printf(m->out, "%s) if %s%s%s%s(%s) %s %sv%d(", hy_text_string(&pieces[1]), predicate ? "(" : "",
                 predicate ? predicate : "", predicate ? ") && " : "", is_bool ? "u8" : "", hy_text_string(&pieces[1]),
                 is_least ? "<" : ">", is_bool ? "u8(" : "", m->numbers);
  add_variables(m, around);
  hy_text_printf(m->out, ")[%d]%s; };\n", variables, is_bool ? ")" : "");
  hy_either_end(m->out);
  m->out = out;
  hy_text_printf(m->out, "v%d(", m->numbers++);
  add_variables(m, around);
  hy_make_text(m, ")");
}

// Of one sum of a type of a fixed width in four. What is written so far says which: with a choice of its own, all pairs of
// seeds that are known by now would be others.
static hy_reduction saturating(const hy_maker *m, const char *type, hy_reduction reduction) {
  enum { EVERY = 4 };
  bool may = reduction == HY_REDUCTION_SUM && !hy_made_is_float(type) && strcmp(type, "int") != 0;
  return may && hy_hash_bytes(3, m->out->data, m->out->length) % EVERY == 0 ? HY_REDUCTION_SATURATING_SUM : reduction;
}

// Of every second argmin and argmax what is compared is a bool; as with saturating, without a choice of its own.
static bool compares_bools(hy_maker *m, hy_text *value) {
  enum { EVERY = 2 };
  uint64_t which;
  if (!m->has_forms || !hy_make_falls_here(m, 8, EVERY, &which)) return false;
  hy_text whole = {0};
  hy_text_printf(&whole, "bool(%s)", hy_text_string(value));
  hy_text_free(value);
  *value = whole;
  hy_make_form(m, HY_FORM_REDUCTION_OF_BOOLS);
  return true;
}

bool hy_make_reduction(hy_maker *m, const char *type, int depth) {
  int count = chance(m, 20) ? 2 : 1, around = m->name_count;
  if (m->in_helper || hy_made_is_bool(type) || m->accesses > 4) return false;
  if (around > 5 || m->inlined + count > HY_MOST_INLINE) return false;
  hy_reduction reduction = (hy_reduction)hy_choose_weighted(m->c, (int[]){26, 12, 17, 17, 14, 14}, 6);
  reduction = saturating(m, type, reduction);
  bool keeps_where = hy_reduction_keeps_where(reduction);
  const hy_made_source *self = m->self; // which nothing in it reads
  hy_text pieces[3];
  m->self = NULL;
  make_domain(m, type, count, depth, &pieces[0], &pieces[1], &pieces[2]);
  m->self = self;
  m->name_count = around;
  hy_forms_mark(m->forms, HY_FORM_REDUCTION + (int)reduction);
  int part = keeps_where ? hy_make_pick(m, count + 1) : -1;
  const char *compared = keeps_where && compares_bools(m, &pieces[1]) ? "bool" : type;
  bool converts = keeps_where && strcmp(type, part < count ? "int" : compared) != 0;
  if (converts) hy_text_printf(m->out, "%s(", type);
  hy_text whole, *out = hy_make_aside(m, &whole);
  hy_make_text(m, hy_reduction_name(reduction));
  if (chance(m, 30)) {
    hy_make_form(m, HY_FORM_REDUCTION_NAMED);
    hy_text_printf(m->out, " m%d", m->numbers++);
  }
  hy_text_printf(m->out, "(rdom(%s) in %s%s)", hy_text_string(&pieces[0]), hy_text_string(&pieces[1]),
                 hy_text_string(&pieces[2]));
  m->out = out;
  hy_either_begin(m->out);
  if (!hy_make_lifted(m, hy_text_string(&whole), around)) hy_make_text(m, hy_text_string(&whole));
  hy_text_free(&whole);
  hy_either_turn(m->out);
  if (keeps_where)
    write_arg(m, compared, reduction, pieces, around, count);
  else
    write_reduction(m, type, reduction, pieces, around);
  hy_either_end(m->out);
  if (keeps_where) hy_text_printf(m->out, "[%d]%s", part, converts ? ")" : "");
  for (int i = 0; i < 3; i++) hy_text_free(&pieces[i]);
  return true;
}

// A sum, or a place, whose one loop is "variable = (0, length)", of what a comparison says.
static bool begin_index(hy_maker *m, uint64_t seed, int every, uint64_t *which) {
  return m->has_forms && m->before && !m->in_helper && m->accesses <= 4 && m->name_count <= 5 &&
         m->inlined < HY_MOST_INLINE && hy_make_falls_here(m, seed, every, which);
}

static void make_index_pieces(hy_maker *m, const char *length, bool counts, hy_text pieces[3]) {
  const hy_made_source *self = m->self;
  int around = m->name_count;
  hy_text *out = hy_make_aside(m, &pieces[0]);
  hy_text_printf(m->out, "%s = (0, %s)", variables[m->inlined], length);
  m->names[m->name_count++] = variables[m->inlined++];
  hy_make_aside(m, &pieces[1]);
  m->self = NULL; // nothing in it reads the func itself
  hy_make_text(m, counts ? "select(" : "");
  hy_make_compare(m, 0);
  hy_make_text(m, counts ? ", 1, 0)" : "");
  m->self = self;
  m->out = out;
  m->name_count = around;
}

bool hy_make_counted(hy_maker *m) {
  enum { EVERY = 2, FEWEST = 1, MORE = 4 };
  uint64_t which;
  int around = m->name_count;
  if (!begin_index(m, 7, EVERY, &which)) return false;
  hy_text pieces[3] = {{0}}, length = {0};
  hy_text_printf(&length, "%d", FEWEST + (int)(which % MORE));
  make_index_pieces(m, hy_text_string(&length), true, pieces);
  hy_make_form(m, HY_FORM_INDEX_COUNTED);
  hy_either_begin(m->out);
  hy_text_printf(m->out, "sum(rdom(%s) in %s)", hy_text_string(&pieces[0]), hy_text_string(&pieces[1]));
  hy_either_turn(m->out);
  write_reduction(m, "int", HY_REDUCTION_SUM, pieces, around);
  hy_either_end(m->out);
  for (int i = 0; i < 3; i++) hy_text_free(&pieces[i]);
  hy_text_free(&length);
  return true;
}

bool hy_make_placed(hy_maker *m) {
  uint64_t which;
  int around = m->name_count;
  if ((!m->has_w && !m->has_n) || !begin_index(m, 10, 1, &which)) return false;
  hy_text pieces[3] = {{0}}, length = {0};
  hy_text_printf(&length, "clamp(%s, 1, %d)", m->has_w ? "w" : "n", 2 + (int)(which % 3));
  make_index_pieces(m, hy_text_string(&length), false, pieces);
  hy_make_form(m, HY_FORM_INDEX_PLACE);
  hy_either_begin(m->out);
  hy_text_printf(m->out, "argmin(rdom(%s) in %s)", hy_text_string(&pieces[0]), hy_text_string(&pieces[1]));
  hy_either_turn(m->out);
  write_arg(m, "bool", HY_REDUCTION_ARGMIN, pieces, around, 1);
  hy_either_end(m->out);
  hy_make_text(m, "[0]");
  for (int i = 0; i < 3; i++) hy_text_free(&pieces[i]);
  hy_text_free(&length);
  return true;
}
