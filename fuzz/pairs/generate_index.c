// Random coordinates: sums of variables and constants for the most part, and, in odd pairs, everything else that an
// index may be.

#include "fuzz/pairs/generate_internal.h"

#include <string.h>

static int number(hy_maker *m, int64_t least, int64_t most) { return (int)hy_make_number(m, least, most); }
static const char *sign(hy_maker *m) { return hy_make_chance(m, 50) ? "+" : "-"; }

void hy_make_param(hy_maker *m) {
  if (m->has_forms && hy_make_chance(m, 40) && hy_make_constant_name(m)) return;
  hy_make_text(m, m->has_w && (!m->has_n || hy_make_chance(m, 50)) ? "w" : m->has_n ? "n" : "2");
}

const hy_made_source *hy_make_known(hy_maker *m) {
  return m->count ? &m->all[m->count - 1 - hy_make_pick(m, m->count < 3 ? m->count : 3)] : NULL;
}

/* -- what is in memory, as a coordinate -- */

// Something whose type alone bounds it; else "otherwise".
static const hy_made_source *small_known(hy_maker *m, const hy_made_source *otherwise) {
  for (int i = m->count - 1; i >= 0; i--)
    if (hy_made_is_bool(m->all[i].type) || strcmp(m->all[i].type, "i8") == 0) return &m->all[i];
  return otherwise;
}

// A clamp of the float that is loaded bounds what is made of it (LOW.Held).
static void make_held(hy_maker *m, const hy_made_source *f, int depth, int least, int most) {
  hy_make_form(m, HY_FORM_INDEX_HELD);
  hy_make_text(m, "int(clamp(");
  hy_make_far_access(m, f, depth);
  hy_text_printf(m->out, ", %d.0, 1.0) * %d.5)", least, most);
}

// The range of a type is a bound: what is unsigned needs none below, a small type none at all.
void hy_make_place(hy_maker *m, const hy_made_source *f, int depth) {
  if (hy_make_counted(m) || hy_make_placed(m)) return;
  if (m->odd && f != m->self && hy_make_chance(m, 30)) f = small_known(m, f);
  bool open_below = m->odd && hy_made_is_unsigned(f->type) && hy_make_chance(m, 60);
  bool whole = m->odd && (hy_made_is_bool(f->type) || (strcmp(f->type, "i8") == 0 && hy_make_chance(m, 80)));
  bool moved = m->edges && !open_below && !whole && hy_make_chance(m, 30); // an index node that may not fit (D67)
  int least = number(m, -1, 0), most = number(m, 1, 5);
  m->other |= moved;
  hy_make_form(m, HY_FORM_INDEX_LOADED);
  if (m->odd && !moved && most == 3 && (strcmp(f->type, "f32") == 0 || strcmp(f->type, "f64") == 0)) {
    make_held(m, f, depth, least, most);
    return;
  }
  if (moved) hy_make_form(m, HY_FORM_INDEX_LOADED_MOVED);
  if (whole) hy_make_form(m, HY_FORM_INDEX_LOADED_WHOLE);
  hy_make_text(m, whole ? "int(" : open_below ? "min(int(" : "clamp(int(");
  hy_make_far_access(m, f, depth);
  if (m->odd && !whole && !open_below && hy_make_chance(m, 15)) {
    hy_make_form(m, HY_FORM_INDEX_LOADED_SUM);
    hy_make_text(m, ") + int(");
    hy_make_far_access(m, f, 0);
  }
  hy_make_text(m, ")");
  if (moved) hy_text_printf(m->out, " + %d", number(m, 1, 9));
  if (whole) return;
  if (open_below)
    hy_text_printf(m->out, ", %d)", most);
  else
    hy_text_printf(m->out, ", %d, %d)", least, most);
}

/* -- odd ones -- */

static void make_parameters(hy_maker *m, const char *v) {
  m->other = true;
  switch (hy_make_pick(m, m->has_k ? 5 : 4)) {
  case 0: // a product
    hy_make_form(m, HY_FORM_INDEX_TIMES_PARAM);
    hy_make_param(m);
    hy_text_printf(m->out, "*%s + %d", v, number(m, -1, 1));
    return;
  case 1:
    hy_make_form(m, HY_FORM_INDEX_OVER_PARAM);
    hy_text_printf(m->out, "%s / max(", v);
    hy_make_param(m);
    hy_make_text(m, ", 1)");
    return;
  case 2:
  case 3:
    hy_text_printf(m->out, "%s %s ", v, sign(m));
    if (m->a_type) hy_make_form(m, HY_FORM_INDEX_CONVERTS);
    if (m->a_type && hy_made_is_unsigned(m->a_type))
      hy_text_printf(m->out, "min(int(a), %d)", number(m, 1, 9));
    else if (m->a_type) {
      int most = number(m, 1, 9);
      hy_text_printf(m->out, "clamp(int(a), %d, %d)", number(m, -3, 0), most);
    } else
      hy_make_param(m);
    return;
  default: hy_make_form(m, HY_FORM_INDEX_FAR_PARAM); hy_text_printf(m->out, "%s %s k", v, sign(m));
  }
}

static void make_quotient(hy_maker *m, const char *v) {
  static const int divisors[] = {-2, -3, -1, -2, -3, 7, -4, 100, -64, 256};
  int divisor = divisors[hy_make_pick(m, (int)HY_COUNT(divisors))];
  if (divisor < 0) hy_make_form(m, HY_FORM_NEGATIVE_DIVISOR);
  if (divisor >= 64 || divisor <= -64) hy_make_form(m, HY_FORM_LARGE_DIVISOR);
  const char *divided = hy_make_chance(m, 60) ? "/" : "%";
  hy_text_printf(m->out, "(%s + %d) %s %d", v, number(m, -2, 2), divided, divisor);
}

static void make_far(hy_maker *m, const char *v) {
  static const char *const far[] = {"2147483647", "2147483648", "4294967296", "1000000", "4294967295"};
  hy_make_form(m, HY_FORM_INDEX_FAR);
  const char *offset = far[hy_make_pick(m, (int)HY_COUNT(far))];
  hy_text_printf(m->out, "%s %s %s", v, sign(m), offset);
}

// A quotient that is an error for some values of a parameter, sometimes with a clamp above it.
static void make_division(hy_maker *m, const char *v) {
  bool is_clamped = hy_make_chance(m, 60);
  m->other = true;
  hy_make_form(m, HY_FORM_INDEX_DIVIDES);
  hy_text_printf(m->out, "%s%s %s ", is_clamped ? "clamp(" : "", v, hy_make_chance(m, 50) ? "/" : "%");
  hy_make_param(m);
  if (!is_clamped) return;
  int most = number(m, 1, 5);
  hy_text_printf(m->out, ", %d, %d)", number(m, -2, 0), most);
}

// A product or sum that overflows for some values of the variable, and a clamp above it (D67).
static void make_overflow(hy_maker *m, const char *v) {
  static const char *const large[] = {"4611686018427387904", "9223372036854775807", "3037000500",
                                      "9223372036854775800"};
  if (hy_make_chance(m, 40)) {
    make_division(m, v);
    return;
  }
  m->other = true;
  hy_make_form(m, HY_FORM_INDEX_OVERFLOWS);
  int most = number(m, 1, 5), least = number(m, -2, 0);
  const char *operand = large[hy_make_pick(m, (int)HY_COUNT(large))];
  hy_text_printf(m->out, "clamp(%s %s %s, %d, %d)", v, hy_make_chance(m, 50) ? "*" : "+", operand, least, most);
}

// Bits of something in memory, alone, beside others, or beside a variable's.
static void make_loaded_bits(hy_maker *m, const char *v, const hy_made_source *f, int depth) {
  hy_make_text(m, "((int(");
  hy_make_far_access(m, f, depth);
  hy_text_printf(m->out, ") & %d)", number(m, 1, 7));
  switch (hy_make_pick(m, 5)) {
  case 0: break;
  case 1: hy_text_printf(m->out, " | %d", number(m, -2, 4)); break;
  case 2: hy_text_printf(m->out, " << 1 ^ %d", number(m, 0, 3)); break;
  case 3: hy_text_printf(m->out, " %s %s", hy_make_chance(m, 50) ? "^" : "|", v); break;
  default:
    hy_make_text(m, " << 2 | int(");
    hy_make_far_access(m, f, 0);
    hy_make_text(m, ") & 3");
  }
  hy_make_text(m, ")");
}

static void make_bits(hy_maker *m, const char *v, int depth) {
  const hy_made_source *f = depth > 0 && m->accesses <= 6 && hy_make_chance(m, 40) ? hy_make_known(m) : NULL;
  hy_make_form(m, HY_FORM_INDEX_BITS);
  if (f) {
    make_loaded_bits(m, v, f, depth - 1);
    return;
  }
  switch (hy_make_pick(m, 6)) {
  case 0: hy_text_printf(m->out, "(%s ^ %d)", v, number(m, 0, 5)); return;
  case 1: hy_text_printf(m->out, "(%s | %d)", v, number(m, 1, 5)); return;
  case 2: {
    int mask = number(m, -8, 7);
    hy_text_printf(m->out, "(%s + %d & %d)", v, number(m, 0, 7), mask);
    return;
  }
  case 3: hy_text_printf(m->out, "~%s", v); return;
  case 4: hy_text_printf(m->out, "(%s << %d)", v, number(m, 0, 2)); return;
  default: hy_text_printf(m->out, "(%s >> %d)", v, number(m, 0, 2));
  }
}

// The type of fixed width that every third integer is of which floats are made here, without a choice of its own; or "".
static const char *word_here(hy_maker *m) {
  static const char *const words[] = {"u8", "i8", "u16", "i32", "i64"};
  enum { EVERY = 3 };
  uint64_t which;
  if (!hy_make_falls_here(m, 9, EVERY, &which)) return "";
  hy_make_form(m, HY_FORM_INDEX_FLOATS_OF_WORDS);
  return words[which % HY_COUNT(words)];
}

// Through floats: what grows with the variable, what falls, what may be a NaN or is not monotone.
static void make_floats(hy_maker *m, const char *v, const char *u) {
  static const char *const factors[] = {"0.5", "1.5", "-0.75", "2.0", "0.0", "-1.0", "0.3", "1.0e38", "-0.125"};
  static const char *const types[] = {"i8", "u8", "i8", "i8"};
  static const char *const ends[] = {"floor", "ceil", "round", "trunc", "", "", "-"};
  const char *factor = factors[hy_make_pick(m, (int)HY_COUNT(factors))],
             *end = ends[hy_make_pick(m, (int)HY_COUNT(ends))];
  bool is_clamped = hy_make_chance(m, 40);
  int least = number(m, -2, 0), most = number(m, 1, 5), offset = number(m, -2, 2);
  hy_make_form(m, HY_FORM_INDEX_FLOATS);
  hy_text_printf(m->out, "%s(%s(", is_clamped ? "clamp(int" : "int",
                 is_clamped ? "" : types[hy_make_pick(m, (int)HY_COUNT(types))]);
  const char *word = word_here(m);
  hy_text_printf(m->out, "%s(f32(%s%s%s + %d%s) %s ", end, word, *word ? "(" : "", v, offset, *word ? ")" : "",
                 hy_make_chance(m, 30) ? "/" : "*");
  if (m->a_type && strcmp(m->a_type, "f32") == 0 && hy_make_chance(m, 60))
    hy_make_text(m, "a");
  else
    hy_text_printf(m->out, factor[0] == '-' ? "(%s)" : "%s", factor);
  if (hy_make_chance(m, 25)) hy_text_printf(m->out, " %s f32(%s) * 0.5", sign(m), u);
  if (hy_make_chance(m, 40)) hy_text_printf(m->out, " %s 0.5", sign(m));
  hy_make_text(m, ")))");
  if (is_clamped) hy_text_printf(m->out, ", %d, %d)", least, most);
}

static void make_odd(hy_maker *m, const char *v, int depth) {
  const int weights[] = {18, 24, 12, 10, 14, 12, 14, 3, m->edges ? 30 : 1, 8, 10};
  const char *u = m->names[hy_make_pick(m, m->name_count)];
  const hy_made_source *f;
  int offset;
  switch (hy_choose_weighted(m->c, weights, (int)HY_COUNT(weights))) {
  case 0: make_parameters(m, v); return;
  case 1:
    if (u != v) hy_make_form(m, HY_FORM_INDEX_MIN_MAX);
    hy_text_printf(m->out, "%s(%s, %s)", hy_make_chance(m, 50) ? "min" : "max", v, u);
    return;
  case 2:
    hy_make_form(m, HY_FORM_INDEX_CONSTANT);
    hy_text_printf(m->out, "%d", number(m, -3, 6));
    return;
  case 3: make_quotient(m, v); return;
  case 4:
    hy_make_form(m, HY_FORM_NEGATIVE_COEFFICIENT);
    offset = number(m, -2, 3);
    hy_text_printf(m->out, "%d*%s + %d", number(m, -3, -1), v, offset);
    return;
  case 5: hy_text_printf(m->out, "%s %s 2*%s", v, sign(m), u); return;
  case 6:
    f = depth > 0 && m->accesses <= 6 ? hy_make_known(m) : NULL;
    if (f)
      hy_make_place(m, f, depth - 1);
    else
      hy_make_text(m, v);
    return;
  case 7: make_far(m, v); return;
  case 9: make_bits(m, v, depth); return;
  case 10: make_floats(m, v, u); return;
  default:
    if (m->edges)
      make_overflow(m, v);
    else
      hy_make_text(m, v);
  }
}

/* -- all -- */

static void make_plain(hy_maker *m, const char *v, int depth) {
  static const int weights[] = {20, 18, 5, 6, 5, 4, 6, 3, 3, 4, 3, 4, 2};
  const hy_made_source *f;
  int offset, least, most;
  switch (hy_choose_weighted(m->c, weights, HY_COUNT(weights))) {
  case 0: hy_make_text(m, v); return;
  case 1:
    offset = number(m, 1, 3);
    hy_text_printf(m->out, "%s %s %d", v, sign(m), offset);
    return;
  case 2:
    hy_text_printf(m->out, "%s %s ", v, sign(m));
    hy_make_param(m);
    return;
  case 3:
    offset = number(m, -1, 1);
    hy_text_printf(m->out, "%d*%s + %d", number(m, 2, 3), v, offset);
    return;
  case 4: hy_text_printf(m->out, "%s / %d", v, number(m, 2, 4)); return;
  case 5: hy_text_printf(m->out, "%s %% %d", v, number(m, 2, 5)); return;
  case 6: hy_text_printf(m->out, "%s + %s", v, m->names[hy_make_pick(m, m->name_count)]); return;
  case 7: hy_text_printf(m->out, "%d - %s", number(m, -1, 5), v); return;
  case 8:
    most = number(m, -2, 4);
    hy_text_printf(m->out, "%s(%s, %d)", hy_make_chance(m, 50) ? "max" : "min", v, most);
    return;
  case 9:
    most = number(m, 1, 5), least = number(m, -2, 0);
    hy_text_printf(m->out, "clamp(%s + %d, %d, %d)", v, number(m, -2, 2), least, most);
    return;
  case 10: hy_text_printf(m->out, "abs(%s)", v); return;
  case 11:
    f = hy_make_known(m);
    if (!f || depth <= 0 || m->accesses > 6)
      hy_make_text(m, v);
    else
      hy_make_place(m, f, depth - 1);
    return;
  default: hy_text_printf(m->out, "(%s + %d) / 2", v, number(m, 0, 3)); return;
  }
}

void hy_make_index(hy_maker *m, int depth) {
  if (!m->name_count) {
    if (hy_make_chance(m, 40))
      hy_make_param(m);
    else
      hy_text_printf(m->out, "%d", number(m, -2, 4));
    return;
  }
  const char *v = m->names[hy_make_pick(m, m->name_count)];
  if (m->has_forms && hy_make_chance(m, 8) && hy_make_place_in_box(m, v)) return;
  if (m->odd && hy_make_chance(m, 30))
    make_odd(m, v, depth);
  else
    make_plain(m, v, depth);
}

static bool has_name(const hy_maker *m, const char *name) {
  for (int i = 0; i < m->name_count; i++)
    if (strcmp(m->names[i], name) == 0) return true;
  return false;
}

void hy_make_coordinate(hy_maker *m, const hy_made_source *f, int d, int depth) {
  bool own = m->self && strcmp(f->name, m->self->name) == 0;
  if (own && (m->self_fixed[d] || hy_make_chance(m, 40)))
    hy_make_text(m, m->self_at[d]);
  else if (hy_make_chance(m, 65) && has_name(m, hy_made_dims[d])) { // a stencil
    int by = number(m, -m->reach, m->reach);
    hy_make_text(m, hy_made_dims[d]);
    if (by) hy_text_printf(m->out, " %c %d", by < 0 ? '-' : '+', by < 0 ? -by : by);
  } else
    hy_make_index(m, depth);
}

void hy_make_part(hy_maker *m, const hy_made_source *f) {
  if (f->parts) hy_text_printf(m->out, "[%d]", f->part);
}

void hy_make_access(hy_maker *m, const hy_made_source *f, int depth) {
  m->accesses++;
  if (m->has_forms && hy_make_continued(m, f, depth)) return;
  if (hy_make_continued_tuple(m, f, depth)) return;
  hy_make_access_begin(m, f);
  for (int d = 0; d < f->rank; d++) {
    if (d) hy_make_text(m, ", ");
    hy_make_coordinate(m, f, d, depth);
  }
  hy_make_text(m, ")");
  hy_make_part(m, f);
}

void hy_make_far_access(hy_maker *m, const hy_made_source *f, int depth) {
  m->reach = HY_FAR_REACH;
  hy_make_access(m, f, depth);
  m->reach = HY_REACH;
}
