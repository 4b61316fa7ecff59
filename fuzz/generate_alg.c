// Random algorithms, valid by construction: every index is affine or clamped, types meet through conversions, updates
// keep the separation rule.

#include "fuzz/generate.h"

#include <stdio.h>
#include <string.h>

enum { MOST_KNOWN = 10, MOST_NAMES = 6, MOST_RANK = 3 };

typedef struct {
  char name[16];
  const char *type;
  int rank;
  bool is_image;
} known;

// Where a func is read by few, its bounds depend on them: what forms an address and what decides reads further away
// than what is only added up, so that B has to know of it.
enum { REACH = 2, FAR_REACH = 5 };

typedef struct {
  hy_choices *c;
  hy_text *out;
  known all[MOST_KNOWN];
  int count;
  bool has_w, has_n;
  bool errors; // plants divisions by zero and the like
  // the stage being written
  const char *names[MOST_NAMES]; // pure variables (free ones) and reduction variables
  int name_count;
  const known *self;           // an update may read itself
  char self_at[MOST_RANK][64]; // the left side
  bool self_fixed[MOST_RANK];  // pure: the coordinate of every access to itself
  int accesses;                // written so far in this stage
  int reach;                   // how far stencils go
} maker;

static const char *const dims[MOST_RANK] = {"x", "y", "z"};
static const char *const types[] = {"int", "u8", "u16", "i32", "f32", "i16", "u32", "i64", "f64"};

static void add(maker *m, const char *text) { hy_text_add(m->out, text); }
static int64_t number(maker *m, int64_t least, int64_t most) { return hy_choose_between(m->c, least, most); }
static bool chance(maker *m, int percent) { return hy_choose_chance(m->c, percent); }
static int pick(maker *m, int below) { return (int)hy_choose(m->c, (uint64_t)below); }
static void add_int(maker *m, int64_t i) { hy_text_printf(m->out, "%lld", (long long)i); }

static bool is_float(const char *type) { return type[0] == 'f'; }

/* -- indices -- */

static void add_data(maker *m, const char *type, int depth);
static void add_far_access(maker *m, const known *f, int depth);

static void add_param(maker *m) { add(m, m->has_w && (!m->has_n || chance(m, 50)) ? "w" : m->has_n ? "n" : "2"); }

static const known *pick_known(maker *m) {
  return m->count ? &m->all[m->count - 1 - pick(m, m->count < 3 ? m->count : 3)] : NULL;
}

// Something of type int that interval analysis can bound.
static void add_index(maker *m, int depth) {
  static const int weights[] = {20, 18, 5, 6, 5, 4, 6, 3, 3, 4, 3, 4, 2};
  const char *v = m->name_count ? m->names[pick(m, m->name_count)] : NULL;
  if (!v) {
    if (chance(m, 40))
      add_param(m);
    else
      add_int(m, number(m, -2, 4));
    return;
  }
  const known *f;
  switch (hy_choose_weighted(m->c, weights, HY_COUNT(weights))) {
  case 0: add(m, v); return;
  case 1: hy_text_printf(m->out, "%s %s %d", v, chance(m, 50) ? "+" : "-", (int)number(m, 1, 3)); return;
  case 2:
    hy_text_printf(m->out, "%s %s ", v, chance(m, 50) ? "+" : "-");
    add_param(m);
    return;
  case 3: hy_text_printf(m->out, "%d*%s + %d", (int)number(m, 2, 3), v, (int)number(m, -1, 1)); return;
  case 4: hy_text_printf(m->out, "%s / %d", v, (int)number(m, 2, 4)); return;
  case 5: hy_text_printf(m->out, "%s %% %d", v, (int)number(m, 2, 5)); return;
  case 6: hy_text_printf(m->out, "%s + %s", v, m->names[pick(m, m->name_count)]); return;
  case 7: hy_text_printf(m->out, "%d - %s", (int)number(m, -1, 5), v); return;
  case 8: hy_text_printf(m->out, "%s(%s, %d)", chance(m, 50) ? "max" : "min", v, (int)number(m, -2, 4)); return;
  case 9:
    hy_text_printf(m->out, "clamp(%s + %d, %d, %d)", v, (int)number(m, -2, 2), (int)number(m, -2, 0),
                   (int)number(m, 1, 5));
    return;
  case 10: hy_text_printf(m->out, "abs(%s)", v); return;
  case 11:
    f = pick_known(m);
    if (!f || depth <= 0 || m->accesses > 6) {
      add(m, v);
      return;
    }
    add(m, "clamp(int(");
    add_far_access(m, f, depth - 1);
    hy_text_printf(m->out, "), %d, %d)", (int)number(m, -1, 0), (int)number(m, 1, 5));
    return;
  default: hy_text_printf(m->out, "(%s + %d) / 2", v, (int)number(m, 0, 3)); return;
  }
}

static bool has_name(const maker *m, const char *name) {
  for (int i = 0; i < m->name_count; i++)
    if (strcmp(m->names[i], name) == 0) return true;
  return false;
}

static void add_access(maker *m, const known *f, int depth) {
  m->accesses++;
  bool own = f == m->self;
  hy_text_printf(m->out, "%s(", f->name);
  for (int d = 0; d < f->rank; d++) {
    if (d) add(m, ", ");
    if (own && ((m->self_fixed[d] && !HY_MUTANT(FUZZ_Makes_Invalid)) || chance(m, 40)))
      add(m, m->self_at[d]);
    else if (chance(m, 65) && has_name(m, dims[d])) { // a stencil
      int64_t by = number(m, -m->reach, m->reach);
      add(m, dims[d]);
      if (by) hy_text_printf(m->out, " %c %d", by < 0 ? '-' : '+', (int)(by < 0 ? -by : by));
    } else
      add_index(m, depth);
  }
  add(m, ")");
}

static void add_far_access(maker *m, const known *f, int depth) {
  m->reach = FAR_REACH;
  add_access(m, f, depth);
  m->reach = REACH;
}

/* -- data -- */

static void add_compare(maker *m, int depth) {
  static const char *const compares[] = {"<", "<=", ">", ">=", "==", "!="};
  if (depth > 0 && chance(m, 15)) {
    add(m, "(");
    add_compare(m, depth - 1);
    add(m, chance(m, 50) ? " && " : " || ");
    add_compare(m, depth - 1);
    add(m, ")");
    return;
  }
  const char *type = chance(m, 65) ? "int" : types[pick(m, HY_COUNT(types))];
  if (strcmp(type, "int") == 0 && m->name_count) {
    const char *v = m->names[pick(m, m->name_count)];
    const char *other = m->names[pick(m, m->name_count)];
    switch (pick(m, 6)) {
    case 0:
    case 1: hy_text_printf(m->out, "%s%s %% 2 == 0)", chance(m, 10) ? "!(" : "(", v); return;
    case 2: hy_text_printf(m->out, "(%s + %d) %% 3 < %d", v, (int)number(m, 0, 2), (int)number(m, 1, 2)); return;
    case 3: hy_text_printf(m->out, "%s %s %d", v, compares[pick(m, 6)], (int)number(m, -1, 4)); return;
    case 4:
      if (other != v) {
        hy_text_printf(m->out, "%s %s %s", v, compares[pick(m, 6)], other);
        return;
      } // fallthrough
    default:
      hy_text_printf(m->out, "%s %s ", v, compares[pick(m, 6)]);
      add_param(m);
      return;
    }
  }
  add_data(m, type, depth - 1);
  hy_text_printf(m->out, " %s ", compares[pick(m, 6)]);
  add_data(m, type, 0);
}

static void add_leaf(maker *m, const char *type, int depth) {
  const known *f = m->self && chance(m, 40) ? m->self : pick_known(m);
  if (f && m->accesses < 7 && chance(m, 75)) {
    bool same = strcmp(f->type, type) == 0;
    if (!same) hy_text_printf(m->out, "%s(", type);
    add_access(m, f, depth);
    if (!same) add(m, ")");
    return;
  }
  bool is_int = strcmp(type, "int") == 0;
  if (!m->name_count || chance(m, 25)) {
    if (is_float(type))
      hy_text_printf(m->out, "%s(%d.%d)", type, (int)number(m, 0, 4), (int)number(m, 0, 1) * 5);
    else if (is_int && chance(m, 30))
      add_param(m);
    else
      hy_text_printf(m->out, "%s(%d)", type, (int)number(m, 0, 100));
    return;
  }
  if (!is_int) hy_text_printf(m->out, "%s(", type);
  const char *v = m->names[pick(m, m->name_count)];
  if (chance(m, 50))
    add(m, v);
  else
    hy_text_printf(m->out, "(%d*%s + %s)", (int)number(m, 2, 7), v, m->names[pick(m, m->name_count)]);
  if (!is_int) add(m, ")");
}

static void add_sum(maker *m, const char *type, int depth) {
  static const char *const infix[] = {"+", "-", "+", "*"};
  add(m, "(");
  add_data(m, type, depth - 1);
  hy_text_printf(m->out, " %s ", infix[pick(m, 4)]);
  add_data(m, type, depth - 1);
  add(m, ")");
}

static void add_select(maker *m, const char *type, int depth) {
  add(m, "select(");
  add_compare(m, 1);
  add(m, ", ");
  add_data(m, type, depth - 1);
  add(m, ", ");
  add_data(m, type, depth - 1);
  add(m, ")");
}

static void add_quotient(maker *m, const char *type, int depth) {
  add(m, "(");
  add_data(m, type, depth - 1);
  if (m->errors && chance(m, 50)) {
    add(m, " / ");
    add_data(m, type, 0);
  } else
    hy_text_printf(m->out, " %s %d", is_float(type) || chance(m, 50) ? "/" : "%", (int)number(m, 2, 7));
  add(m, ")");
}

// Bits and shifts of integers, functions of floats.
static void add_special(maker *m, const char *type, int depth) {
  static const char *const infix[] = {"&", "|", "^", "<<", ">>"};
  static const char *const math[] = {"sqrt", "floor", "ceil", "round", "trunc", "sin", "cos",
                                     "exp",  "log",   "tan",  "atan",  "tanh",  "abs"};
  if (is_float(type)) {
    bool two = chance(m, 15);
    hy_text_printf(m->out, "%s(", two ? (chance(m, 50) ? "pow" : "atan2") : math[pick(m, HY_COUNT(math))]);
    add_data(m, type, depth - 1);
    if (two) add(m, ", ");
    if (two) add_data(m, type, 0);
    add(m, ")");
    return;
  }
  int which = pick(m, HY_COUNT(infix) + 1);
  add(m, which == HY_COUNT(infix) ? "(~" : "(");
  add_data(m, type, depth - 1);
  if (which < 3) {
    hy_text_printf(m->out, " %s ", infix[which]);
    add_data(m, type, 0);
  } else if (which < (int)HY_COUNT(infix))
    hy_text_printf(m->out, " %s %d", infix[which], (int)number(m, 1, 3));
  add(m, ")");
}

static void add_data(maker *m, const char *type, int depth) {
  static const int weights[] = {20, 52, 6, 8, 9, 5};
  if (depth <= 0) {
    add_leaf(m, type, 0);
    return;
  }
  switch (hy_choose_weighted(m->c, weights, HY_COUNT(weights))) {
  case 0: add_leaf(m, type, depth); return;
  case 1: add_sum(m, type, depth); return;
  case 2:
    add(m, chance(m, 50) ? "min(" : "max(");
    add_data(m, type, depth - 1);
    add(m, ", ");
    add_data(m, type, depth - 1);
    add(m, ")");
    return;
  case 3: add_select(m, type, depth); return;
  case 4: add_quotient(m, type, depth); return;
  default: add_special(m, type, depth); return;
  }
}

/* -- stages -- */

static const known *pick_image(const maker *m) {
  for (int i = 0; i < m->count; i++)
    if (m->all[i].is_image) return &m->all[i];
  return NULL;
}

static void add_rdoms(maker *m, int count) {
  static const char *const rdoms[] = {"r", "q"};
  add(m, "rdom(");
  for (int i = 0; i < count; i++) {
    hy_text_printf(m->out, "%s%s = (", i ? ", " : "", rdoms[i]);
    const known *image = pick_image(m);
    switch (pick(m, m->errors ? 10 : 8)) {
    case 9: // an error where the parameter is 0
      hy_text_printf(m->out, "%d / ", (int)number(m, 1, 4));
      add_param(m);
      hy_text_printf(m->out, ", %d", (int)number(m, 1, 3));
      break;
    case 8:
      add_param(m); // its extent is negative for some values of the parameter
      hy_text_printf(m->out, ", %d - ", (int)number(m, 1, 4));
      add_param(m);
      break;
    case 0:
      add(m, "0, ");
      add_param(m);
      break;
    case 1:
      add(m, "-");
      add_param(m);
      add(m, ", 2*");
      add_param(m);
      add(m, " + 1");
      break;
    case 2:
      add_param(m);
      hy_text_printf(m->out, ", %d", (int)number(m, 1, 4));
      break;
    case 3:
      if (image) {
        hy_text_printf(m->out, "%s.min(0) + 2, clamp(%s.len(0) - 4, 0, 5)", image->name, image->name);
        break;
      } // fallthrough
    default: hy_text_printf(m->out, "%d, %d", (int)number(m, -2, 2), (int)number(m, chance(m, 10) ? 0 : 1, 5));
    }
    add(m, ")");
    m->names[m->name_count++] = rdoms[i];
  }
  add(m, ") in ");
}

// One coordinate that is not pure: a reduction variable, a constant, a place in a histogram.
static void make_place(maker *m, int rdom_count, hy_text *place) {
  hy_text *out = m->out;
  m->out = place;
  const known *f = pick_known(m);
  int what = pick(m, 10);
  int pures = m->name_count;
  m->name_count = rdom_count; // the pure variables stay out of it
  const char *keep[MOST_NAMES];
  memcpy(keep, m->names, sizeof keep);
  for (int i = 0; i < rdom_count; i++) m->names[i] = keep[pures - rdom_count + i];
  const char *r = rdom_count ? m->names[pick(m, rdom_count)] : NULL;
  if (what < 2 && f && f != m->self) {
    add(m, "clamp(int(");
    add_far_access(m, f, 0);
    hy_text_printf(place, "), %d, %d)", (int)number(m, -1, 0), (int)number(m, 1, 5));
  } else if (r && what < 7)
    add(m, r);
  else if (r && what < 8)
    hy_text_printf(place, "%s %s %d", r, chance(m, 50) ? "+" : "-", (int)number(m, 1, 2));
  else if (r && what < 9)
    hy_text_printf(place, "2*%s + %d", r, (int)number(m, 0, 1));
  else
    add_int(m, number(m, -1, 3));
  memcpy(m->names, keep, sizeof keep);
  m->name_count = pures;
  m->out = out;
}

static void add_predicate(maker *m) {
  const known *f = chance(m, 30) ? pick_known(m) : NULL;
  if (!f || f == m->self || m->accesses > 6) {
    add_compare(m, 1);
    return;
  }
  add_far_access(m, f, 1);
  hy_text_printf(m->out, " %s %d", chance(m, 50) ? ">" : "!=", (int)number(m, 0, 3));
}

static void add_update(maker *m, const known *f) {
  int rdom_count = hy_choose_weighted(m->c, (int[]){30, 50, 20}, 3);
  m->accesses = 0;
  m->name_count = 0;
  bool pure[MOST_RANK];
  for (int d = 0; d < f->rank; d++) {
    pure[d] = chance(m, rdom_count ? 65 : 85);
    if (pure[d]) m->names[m->name_count++] = dims[d];
  }
  add(m, " ");
  if (rdom_count) add_rdoms(m, rdom_count);
  m->self = NULL;
  for (int d = 0; d < f->rank; d++) {
    m->self_fixed[d] = pure[d];
    hy_text place = {0};
    if (pure[d])
      hy_text_add(&place, dims[d]);
    else
      make_place(m, rdom_count, &place);
    snprintf(m->self_at[d], sizeof m->self_at[d], "%s", hy_text_string(&place));
    if (place.length >= sizeof m->self_at[d]) snprintf(m->self_at[d], sizeof m->self_at[d], "1");
    hy_text_free(&place);
  }
  // a pure variable that does not occur in the stage is no pure variable of it, but the left side always has them
  m->self = f;
  add(m, "(");
  for (int d = 0; d < f->rank; d++) hy_text_printf(m->out, "%s%s", d ? ", " : "", m->self_at[d]);
  add(m, ") <- ");
  bool whole = true; // all that was there before would be lost
  for (int d = 0; d < f->rank; d++) whole &= pure[d];
  if (whole || chance(m, 60)) { // accumulates, or scans
    hy_text_printf(m->out, "%s(", f->name);
    for (int d = 0; d < f->rank; d++)
      hy_text_printf(m->out, "%s%s%s", d ? ", " : "", m->self_at[d],
                     strcmp(m->self_at[d], "r") == 0 && chance(m, 30) ? " - 1" : "");
    add(m, chance(m, 80) ? ") + " : ") - ");
    add_data(m, f->type, 1);
  } else
    add_data(m, f->type, 2);
  if (chance(m, 25)) {
    add(m, " if ");
    add_predicate(m);
  }
  add(m, ";");
  m->self = NULL;
}

static void add_func(maker *m, int index, bool is_output) {
  known f = {.type = types[hy_choose_weighted(m->c, (int[]){22, 14, 14, 14, 12, 6, 6, 4, 4}, 9)]};
  snprintf(f.name, sizeof f.name, "f%d", index);
  f.rank = hy_choose_weighted(m->c, is_output ? (int[]){2, 38, 45, 15} : (int[]){5, 35, 48, 12}, 4);
  int updates = hy_choose_weighted(m->c, (int[]){55, 30, 10, 5}, 4);
  hy_text_printf(m->out, "  fun %s(", f.name);
  m->name_count = 0;
  m->accesses = 0;
  m->self = NULL;
  for (int d = 0; d < f.rank; d++) {
    hy_text_printf(m->out, "%s%s", d ? ", " : "", dims[d]);
    m->names[m->name_count++] = dims[d];
  }
  add(m, updates ? ") = { " : ") = ");
  add_data(m, f.type, 2);
  add(m, ";");
  m->all[m->count] = f;
  for (int u = 0; u < updates; u++) add_update(m, &m->all[m->count]);
  add(m, updates ? " };\n" : "\n");
  m->count++;
}

void hy_generate_alg(hy_choices *choices, hy_text *out) {
  maker m = {.c = choices, .out = out, .reach = REACH};
  m.has_w = chance(&m, 50);
  m.has_n = chance(&m, 45);
  m.errors = chance(&m, 10);
  int images = hy_choose_weighted(choices, (int[]){35, 55, 10}, 3);
  add(&m, "pipeline p(");
  bool first = true;
  if (m.has_w) add(&m, "w: int"), first = false;
  if (m.has_n) add(&m, first ? "n: int" : ", n: int"), first = false;
  for (int i = 0; i < images; i++, first = false) {
    known *k = &m.all[m.count++];
    *k = (known){.type = types[1 + pick(&m, 5)], .rank = 1 + pick(&m, 2), .is_image = true};
    snprintf(k->name, sizeof k->name, "%s", i ? "im" : "in");
    hy_text_printf(out, "%s%s: %s[%d]", first ? "" : ", ", k->name, k->type, k->rank);
  }
  add(&m, ") {\n");
  int funcs = 1 + hy_choose_weighted(choices, (int[]){12, 25, 28, 20, 10, 5}, 6);
  for (int i = 0; i < funcs; i++) add_func(&m, i, i == funcs - 1);
  add(&m, "}\n");
}
