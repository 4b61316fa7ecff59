// Random algorithms, valid by construction: every index is bounded, types meet through conversions, updates keep the
// separation rule.

#include "fuzz/pairs/generate_internal.h"

#include <stdio.h>
#include <string.h>

const char *const hy_made_dims[HY_MADE_RANK] = {"x", "y", "z", "c", "u", "v"};

static int number(hy_maker *m, int64_t least, int64_t most) { return (int)hy_make_number(m, least, most); }
static bool chance(hy_maker *m, int percent) { return hy_make_chance(m, percent); }
static int pick(hy_maker *m, int below) { return hy_make_pick(m, below); }

/* -- reduction domains -- */

enum { PERCENT_EDGE_RDOM = 20 };

static const hy_made_source *pick_image(const hy_maker *m) {
  for (int i = 0; i < m->count; i++)
    if (m->all[i].is_image) return &m->all[i];
  return NULL;
}

// An interval that is an error, or does not end where it began, for some values of the parameters.
static void add_edge_rdom(hy_maker *m) {
  m->other = true;
  hy_make_form(m, HY_FORM_RDOM_EDGE);
  switch (pick(m, m->a_type ? 4 : 3)) {
  case 0:
    hy_make_text(m, "0, clamp(select(");
    hy_make_param(m);
    hy_make_text(m, " == 0, 1, 6 / ");
    hy_make_param(m);
    hy_make_text(m, "), 0, 6)");
    return;
  case 1:
    hy_make_text(m, "0, max(");
    hy_make_param(m);
    hy_make_text(m, ", min(");
    hy_make_param(m);
    hy_text_printf(m->out, "*2, %d))", number(m, 2, 4));
    return;
  case 2:
    hy_make_param(m);
    hy_make_text(m, " / 2, clamp(");
    hy_make_param(m);
    hy_text_printf(m->out, " * 4611686018427387904, 0, %d)", number(m, 1, 4));
    return;
  default: hy_text_printf(m->out, "0, clamp(int(a), 0, %d)", number(m, 1, 5));
  }
}

static void add_error_rdom(hy_maker *m) {
  hy_make_form(m, HY_FORM_RDOM_ERRS);
  if (chance(m, 50)) {
    hy_text_printf(m->out, "%d / ", number(m, 1, 4));
    hy_make_param(m); // an error where the parameter is 0
    hy_text_printf(m->out, ", %d", number(m, 1, 3));
  } else {
    hy_make_param(m); // its extent is negative for some values of the parameter
    hy_text_printf(m->out, ", %d - ", number(m, 1, 4));
    hy_make_param(m);
  }
}

static void add_rdom(hy_maker *m) {
  const hy_made_source *image = pick_image(m);
  if (m->edges && (m->has_w || m->has_n) && chance(m, PERCENT_EDGE_RDOM)) {
    add_edge_rdom(m);
    return;
  }
  if (m->errors && chance(m, 20)) {
    add_error_rdom(m);
    return;
  }
  switch (pick(m, 8)) {
  case 0:
    hy_make_text(m, "0, ");
    hy_make_param(m);
    return;
  case 1:
    hy_make_text(m, "-");
    hy_make_param(m);
    hy_make_text(m, ", 2*");
    hy_make_param(m);
    hy_make_text(m, " + 1");
    return;
  case 2:
    hy_make_param(m);
    hy_text_printf(m->out, ", %d", number(m, 1, 4));
    return;
  case 3:
    if (image) {
      hy_text_printf(m->out, "%s.min(0) + 2, clamp(%s.len(0) - 4, 0, 5)", image->name, image->name);
      return;
    } // fallthrough
  default: {
    int len = number(m, chance(m, 10) ? 0 : 1, 5), min = number(m, -2, 2);
    hy_text_printf(m->out, "%d, %d", min, len);
  }
  }
}

static void add_rdoms(hy_maker *m, int count) {
  static const char *const rdoms[HY_MOST_REDUCTIONS] = {"r", "q"};
  hy_make_text(m, "rdom(");
  for (int i = 0; i < count; i++) {
    hy_text_printf(m->out, "%s%s = (", i ? ", " : "", rdoms[i]);
    add_rdom(m);
    hy_make_text(m, ")");
    m->names[m->name_count++] = rdoms[i];
  }
  hy_make_text(m, ") in ");
}

/* -- updates -- */

// One coordinate that is not pure: a reduction variable, a constant, a place in a histogram.
static void make_place(hy_maker *m, int rdom_count, hy_text *place) {
  hy_text *out = m->out;
  bool has_forms = m->has_forms; // the room for a place is small
  m->out = place;
  m->has_forms = false;
  const hy_made_source *f = hy_make_known(m);
  int what = pick(m, 10);
  int pures = m->name_count;
  m->name_count = rdom_count; // the pure variables stay out of it
  const char *keep[HY_MOST_NAMES];
  memcpy(keep, m->names, sizeof keep);
  for (int i = 0; i < rdom_count; i++) m->names[i] = keep[pures - rdom_count + i];
  const char *r = rdom_count ? m->names[pick(m, rdom_count)] : NULL;
  if (what < 2 && f && f != m->self)
    hy_make_place(m, f, 0);
  else if (r && m->odd && what < 4)
    hy_make_index(m, 0);
  else if (r && what < 7)
    hy_make_text(m, r);
  else if (r && what < 8) {
    int offset = number(m, 1, 2);
    hy_text_printf(place, "%s %s %d", r, chance(m, 50) ? "+" : "-", offset);
  } else if (r && what < 9)
    hy_text_printf(place, "2*%s + %d", r, number(m, 0, 1));
  else
    hy_text_printf(place, "%d", number(m, -1, 3));
  memcpy(m->names, keep, sizeof keep);
  m->name_count = pures;
  m->out = out;
  m->has_forms = has_forms;
}

// The left side: which coordinates are pure, and the text of all.
static int choose_left_side(hy_maker *m, const hy_made_source *f, bool *whole) {
  int rdom_count = hy_choose_weighted(m->c, m->has_nests ? (int[]){10, 30, 60} : (int[]){30, 50, 20}, 3);
  m->accesses = 0;
  m->name_count = 0;
  *whole = true;
  for (int d = 0; d < f->rank; d++) {
    m->self_fixed[d] = chance(m, rdom_count ? 65 : 85);
    *whole &= m->self_fixed[d];
    if (m->self_fixed[d]) m->names[m->name_count++] = hy_made_dims[d];
  }
  hy_make_text(m, " ");
  if (rdom_count) add_rdoms(m, rdom_count);
  m->self = NULL;
  for (int d = 0; d < f->rank; d++) {
    hy_text place = {0};
    if (m->self_fixed[d])
      hy_text_add(&place, hy_made_dims[d]);
    else
      make_place(m, rdom_count, &place);
    snprintf(m->self_at[d], sizeof m->self_at[d], "%s", hy_text_string(&place));
    if (place.length >= sizeof m->self_at[d]) snprintf(m->self_at[d], sizeof m->self_at[d], "1");
    hy_text_free(&place);
  }
  return rdom_count;
}

// What was there, or beside it.
static void add_old(hy_maker *m, const hy_made_source *f) {
  hy_text_printf(m->out, "%s(", f->name);
  for (int d = 0; d < f->rank; d++)
    hy_text_printf(m->out, "%s%s%s", d ? ", " : "", m->self_at[d],
                   strcmp(m->self_at[d], "r") == 0 && chance(m, 30) ? " - 1" : "");
  hy_make_text(m, ")");
  hy_make_part(m, f);
}

// Adds to what was there, or scans.
static void add_accumulation(hy_maker *m, const hy_made_source *f) {
  bool is_stored = hy_made_is_stored(f->type);
  if (is_stored) hy_text_printf(m->out, "%s(f32(", f->type);
  add_old(m, f);
  if (is_stored) hy_make_text(m, ")");
  if (m->has_nests && !hy_made_is_bool(f->type) && chance(m, 50)) hy_make_text(m, "*3"); // in order, or another number
  if (hy_made_is_bool(f->type))
    hy_make_text(m, chance(m, 50) ? " != " : " || ");
  else
    hy_make_text(m, chance(m, 80) ? " + " : " - ");
  hy_make_data(m, is_stored ? "f32" : f->type, 1);
  if (is_stored) hy_make_text(m, ")");
}

// What an update stores; of a part often what another one was.
static void add_value(hy_maker *m, const hy_made_source *f, bool whole) {
  if (f->parts && chance(m, 45)) {
    const hy_made_source *other = f - f->part + pick(m, f->parts);
    bool same = strcmp(other->type, f->type) == 0;
    if (other != f) hy_make_form(m, HY_FORM_TUPLE_SWAP);
    if (!same) hy_text_printf(m->out, "%s(", f->type);
    add_old(m, other);
    if (!same) hy_make_text(m, ")");
  } else if (whole || chance(m, 60)) {
    add_accumulation(m, f);
  } else {
    hy_make_data(m, f->type, 2);
  }
}

// Of one update of a tuple in three: a choice between all that was there and the new values. What is written so far says
// which: with choices of their own, all pairs of seeds that are known by now would be others.
static bool add_choice(hy_maker *m, const hy_made_source *f) {
  enum { EVERY = 3 };
  if (hy_hash_bytes(2, m->out->data, m->out->length) % EVERY) return false;
  hy_make_form(m, HY_FORM_TUPLE_WHOLE);
  bool is_mux = m->has_w && f->rank % 2;
  hy_text_printf(m->out, "%s, %s(", is_mux ? "mux(2 - w" : m->has_w ? "select(w > 1" : "select(1 > 2", f->name);
  for (int d = 0; d < f->rank; d++) hy_text_printf(m->out, "%s%s", d ? ", " : "", m->self_at[d]);
  hy_make_text(m, "), ");
  return true;
}

static void add_values(hy_maker *m, const hy_made_source *f, bool whole) {
  if (!f->parts) {
    add_value(m, f, whole);
    return;
  }
  bool is_choice = add_choice(m, f);
  for (int p = 0; p < f->parts; p++) {
    hy_make_text(m, p ? ", " : "(");
    add_value(m, f + p, whole);
  }
  hy_make_text(m, is_choice ? "))" : ")");
}

static void add_update(hy_maker *m, const hy_made_source *f) {
  bool whole; // all that was there before would be lost
  choose_left_side(m, f, &whole);
  // a pure variable that does not occur in the stage is no pure variable of it, but the left side always has them
  m->self = f;
  hy_make_text(m, "(");
  for (int d = 0; d < f->rank; d++) hy_text_printf(m->out, "%s%s", d ? ", " : "", m->self_at[d]);
  hy_make_text(m, ") <- ");
  add_values(m, f, whole);
  if (chance(m, m->edges ? 40 : 25)) {
    hy_make_text(m, " if ");
    hy_make_predicate(m);
  }
  hy_make_text(m, ";");
  m->self = NULL;
}

/* -- funcs -- */

static int choose_rank(hy_maker *m, bool is_output) {
  if (m->deep && chance(m, 50)) return 4 + pick(m, 3);
  return hy_choose_weighted(m->c, is_output ? (int[]){2, 38, 45, 15} : (int[]){5, 35, 48, 12}, 4);
}

static const char *choose_type(hy_maker *m) {
  return hy_made_types[hy_choose_weighted(m->c, (int[]){22, 14, 12, 12, 10, 6, 6, 5, 4, 7, 6, 3, 3, 3}, HY_MADE_TYPES)];
}

// Makes a tuple of the func, or none.
static void choose_parts(hy_maker *m, hy_made_source *f, bool is_output) {
  if (!m->has_tuples || chance(m, is_output ? 60 : 40)) return;
  hy_make_form(m, HY_FORM_TUPLE);
  if (is_output) hy_make_form(m, HY_FORM_TUPLE_OUTPUT);
  f->parts = 2 + pick(m, HY_MOST_PARTS - 1);
  for (int p = 1; p < f->parts; p++) {
    f[p] = *f;
    f[p].part = p;
    f[p].type = chance(m, 30) ? f->type : choose_type(m);
    hy_make_type_form(m, HY_FORM_FUNC, f[p].type);
  }
}

static void make_func(hy_maker *m, int index, bool is_output) {
  hy_made_source *f = &m->all[m->count]; // and behind it its other parts
  *f = (hy_made_source){.type = choose_type(m)};
  snprintf(f->name, sizeof f->name, "f%d", index);
  f->rank = choose_rank(m, is_output);
  if (f->rank >= 4) hy_make_form(m, (hy_form)(HY_FORM_RANK_4 + f->rank - 4));
  hy_make_type_form(m, HY_FORM_FUNC, f->type);
  choose_parts(m, f, is_output);
  int updates = hy_choose_weighted(m->c, m->has_nests ? (int[]){25, 50, 20, 5} : (int[]){55, 30, 10, 5}, 4);
  int parts = f->parts ? f->parts : 1;
  hy_text_printf(m->out, "  fun %s(", f->name);
  m->name_count = 0;
  m->accesses = 0;
  m->self = NULL;
  for (int d = 0; d < f->rank; d++) {
    hy_text_printf(m->out, "%s%s", d ? ", " : "", hy_made_dims[d]);
    m->names[m->name_count++] = hy_made_dims[d];
  }
  hy_make_text(m, updates ? ") = { " : ") = ");
  for (int p = 0; p < parts; p++) {
    if (f->parts) hy_make_text(m, p ? ", " : "(");
    hy_make_data(m, f[p].type, 2);
  }
  hy_make_text(m, f->parts ? ");" : ";");
  for (int u = 0; u < updates; u++) add_update(m, f);
  hy_make_text(m, updates ? " };\n" : "\n");
  m->count += parts;
}

// With what has to stand in front of it.
static void add_func(hy_maker *m, int index, bool is_output) {
  if (!m->has_forms) {
    make_func(m, index, is_output);
    return;
  }
  hy_text before = {0}, func;
  hy_text *out = hy_make_aside(m, &func);
  hy_made_source made = {0};
  m->before = &before;
  m->self = NULL;
  snprintf(made.name, sizeof made.name, "f%d", index);
  if (chance(m, 35)) hy_make_helper(m);
  bool is_made = chance(m, 12) && hy_make_short(m, &made);
  if (!is_made && !is_output && chance(m, 15)) {
    hy_make_family(m, &made);
    is_made = true;
  }
  if (is_made)
    m->all[m->count++] = made;
  else
    make_func(m, index, is_output);
  m->out = out;
  hy_make_text(m, hy_text_string(&before));
  hy_make_text(m, hy_text_string(&func));
  hy_text_free(&before);
  hy_text_free(&func);
}

/* -- the pipeline -- */

enum { MOST_MADE_FUNCS = 6, PERCENT_SEVERAL_OUTPUTS = 9, PERCENT_TABLES = 20 };

// Which funcs are outputs: the last, and of some pipelines others, from the first to the last or the other way round.
static void choose_outputs(hy_maker *m, int funcs, bool *listed) {
  for (int i = 0; i < funcs; i++) listed[i] = i == funcs - 1;
  if (funcs < 2 || !chance(m, PERCENT_SEVERAL_OUTPUTS)) return;
  hy_make_form(m, HY_FORM_OUTPUTS);
  listed[pick(m, funcs - 1)] = true;
  for (int i = 0; i < funcs - 1; i++) listed[i] = listed[i] || chance(m, 30);
  bool backwards = chance(m, 30), first = true;
  hy_make_text(m, " -> (");
  for (int k = 0; k < funcs; k++) {
    int i = backwards ? funcs - 1 - k : k;
    if (!listed[i]) continue;
    hy_text_printf(m->out, "%sf%d", first ? "" : ", ", i);
    first = false;
  }
  hy_make_text(m, ")");
}

void hy_make_type_form(hy_maker *m, hy_form first, const char *type) {
  for (int i = 0; i < HY_MADE_TYPES; i++)
    if (strcmp(hy_made_types[i], type) == 0) hy_forms_mark(m->forms, (int)first + i);
}

// A directive that is looked at more closely than others is tried on nests of reduction loops, too, whose order matters:
// what chance alone makes of them is one stage in ten, and mostly sums, which forgive any order.
static void choose_moods(hy_maker *m, const hy_generate_options *options) {
  bool edges = options->edges;
  m->has_nests = options->favourite != HY_NO_DIRECTIVE && chance(m, 50);
  m->has_w = chance(m, 50);
  m->has_n = chance(m, 45);
  m->errors = chance(m, 10);
  m->edges = chance(m, 15) || edges;
  m->odd = chance(m, edges ? 60 : 30);
  enum { ORDINARY, TUPLES, FORMS, DEEP }; // the last costs thirty times as much
  int mood = hy_choose_weighted(m->c, (int[]){78, 8, 12, 2}, 4);
  m->has_tuples = mood == TUPLES;
  m->has_forms = mood == FORMS;
  m->deep = mood == DEEP;
  if (chance(m, m->edges ? 60 : 12)) m->a_type = hy_made_types[1 + pick(m, HY_MADE_TYPES - 1)];
  if (m->edges && chance(m, 40)) m->a_type = "u64";
  m->has_k = m->odd && chance(m, 30);
}

// What it says means nothing, so it is not written out. What is written so far says which parameters have one: as with
// the contract below, pairs of known seeds stay what they are but for that.
static void add_estimate(hy_maker *m, const char *type, int least, int most) {
  enum { EVERY = 3 };
  uint64_t which;
  if (!m->has_forms || !hy_make_falls_here(m, 12, EVERY, &which)) return;
  hy_make_form(m, HY_FORM_PARAM_ESTIMATE);
  hy_either_begin(m->out);
  if (hy_made_is_bool(type))
    hy_make_text(m, which % 2 ? " estimate true" : " estimate false");
  else
    hy_text_printf(m->out, " estimate %d", least + (int)(which % (uint64_t)(most - least + 1)));
  hy_either_turn(m->out);
  hy_either_end(m->out);
}

static void add_parameter(hy_maker *m, bool there, const char *name, const char *type, bool *first) {
  if (!there) return;
  hy_text_printf(m->out, "%s%s: %s", *first ? "" : ", ", name, type);
  int least = 0, most = 5;
  if (m->has_forms && *name != 'k' && !hy_made_is_bool(type) && !hy_made_is_stored(type) && chance(m, 40)) {
    hy_make_form(m, HY_FORM_PARAM_RANGE);
    least = hy_made_is_unsigned(type) ? 0 : (int)hy_make_number(m, -3, 0), most = (int)hy_make_number(m, 2, 6);
    hy_text_printf(m->out, " in %d..%d", least, most);
    if (chance(m, 50)) hy_text_printf(m->out, " = %d", (int)hy_make_number(m, least, most));
  }
  add_estimate(m, type, least, most);
  hy_make_type_form(m, HY_FORM_PARAM, type);
  *first = false;
}

// Both wordings, of which the second is empty where there are no forms.
static void read_wordings(hy_maker *m, hy_text *out, hy_text *written) {
  hy_text both = *out;
  if (!m->has_forms) return;
  *out = (hy_text){0};
  hy_either_read(both.data, HY_WORDING_FORMS, out);
  hy_either_read(both.data, HY_WORDING_WRITTEN_OUT, written);
  hy_text_free(&both);
  for (int i = 0; i < m->constant_count; i++) hy_text_free(&m->constants[i]);
  for (int i = 0; i < m->helper_count; i++) hy_text_free(&m->helpers[i].body);
}

// What is put behind "head": the rest follows it.
static void insert(hy_maker *m, size_t head, const char *text) {
  hy_text rest = {0};
  hy_text_add_bytes(&rest, m->out->data + head, m->out->length - head);
  m->out->length = head;
  hy_make_text(m, text);
  hy_make_text(m, hy_text_string(&rest));
  hy_text_free(&rest);
}

// One pipeline of ten is under the contract fma, two are under real. What else it has says which: with a choice of its own, all pairs of
// seeds that are known by now would be others.
static void add_contract(hy_maker *m, size_t head) {
  uint64_t which = hy_hash_bytes(0, m->out->data, m->out->length) % 10;
  if (which > 2) return;
  insert(m, head, which ? " contract real" : " contract fma");
  hy_make_form(m, HY_FORM_CONTRACT);
}

// One pipeline of eight requires something of its parameters or of an image, and most inputs have it. As with the
// contract above, what else it has says which: pairs of known seeds stay what they are but for that.
static void add_requirement(hy_maker *m, const char *image, size_t head) {
  static const struct {
    const char *text; // P a parameter, I an image
    bool errs;
  } all[] = {{"P >= -2", false},
             {"P % 3 != 2", false},
             {"P < 100 || P > 200", false},
             {"12 / P != 5", true},
             {"P * P <= 4000000", true},
             {"I.len(0) >= 1", false},
             {"I.len(0) > P", false},
             {"I.len(0) % 2 == 0", false},
             {"P <= I.min(0) + I.len(0)", false},
             {"I.min(0) <= 0", false},
             {"P > 0 && 8 / P > 0", false},
             {"max(P, 1) < I.len(0) + 4", false},
             {"I.min(0) >= -64", false},
             {"P != 1", false}};
  uint64_t hash = hy_hash_bytes(1, m->out->data, m->out->length), which = hash / 8 % HY_COUNT(all);
  const char *parameter = m->has_w ? "w" : m->has_n ? "n" : m->has_k ? "k" : NULL;
  if (hash % 8 || (strchr(all[which].text, 'P') && !parameter) || (strchr(all[which].text, 'I') && !image)) return;
  hy_text text = {0};
  hy_text_add(&text, "  require ");
  for (const char *c = all[which].text; *c; c++)
    hy_text_printf(&text, *c == 'P' || *c == 'I' ? "%s" : "%.1s", *c == 'P' ? parameter : *c == 'I' ? image : c);
  hy_text_add(&text, ";\n");
  const char *whole = hy_text_string(m->out);
  insert(m, (size_t)(strchr(whole + head, '\n') + 1 - whole), hy_text_string(&text));
  hy_text_free(&text);
  hy_make_form(m, all[which].errs ? HY_FORM_REQUIRE_ERRS : HY_FORM_REQUIRE);
}

bool hy_generate_alg(hy_choices *choices, const hy_generate_options *options, hy_forms *forms, hy_text *out,
                     hy_text *written) {
  hy_maker m = {.c = choices, .out = out, .forms = forms, .reach = HY_REACH};
  choose_moods(&m, options);
  int images = hy_choose_weighted(choices, (int[]){35, 55, 10}, 3);
  hy_make_text(&m, "pipeline p(");
  bool first = true;
  add_parameter(&m, m.has_w, "w", "int", &first);
  add_parameter(&m, m.has_n, "n", "int", &first);
  add_parameter(&m, m.a_type, "a", m.a_type, &first);
  add_parameter(&m, m.has_k, "k", "int", &first);
  for (int i = 0; i < images; i++, first = false) {
    hy_made_source *k = &m.all[m.count++];
    const char *type = hy_made_types[chance(&m, 85) ? 1 + pick(&m, 5) : 6 + pick(&m, HY_MADE_TYPES - 6)];
    *k = (hy_made_source){.type = type, .rank = 1 + pick(&m, 2), .is_image = true};
    if (m.edges && chance(&m, 35)) k->type = "u64";
    hy_make_type_form(&m, HY_FORM_IMAGE, k->type);
    snprintf(k->name, sizeof k->name, "%s", i ? "im" : "in");
    hy_text_printf(out, "%s%s: %s[%d]", first ? "" : ", ", k->name, k->type, k->rank);
  }
  int funcs = 1 + hy_choose_weighted(choices, (int[]){12, 25, 28, 20, 10, 5}, MOST_MADE_FUNCS);
  bool listed[MOST_MADE_FUNCS];
  hy_make_text(&m, ")");
  choose_outputs(&m, funcs, listed);
  size_t head = out->length;
  hy_make_text(&m, " {\n");
  if (m.has_forms) hy_make_constants(&m);
  if (m.has_forms && chance(&m, PERCENT_TABLES)) hy_make_table(&m);
  for (int i = 0; i < funcs; i++) add_func(&m, i, listed[i]);
  hy_make_text(&m, "}\n");
  add_contract(&m, head);
  add_requirement(&m, images ? "in" : NULL, head);
  read_wordings(&m, out, written);
  return m.other;
}
