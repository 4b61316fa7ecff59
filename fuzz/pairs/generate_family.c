// Random families of funcs, and the funcs that they are. Each member reads the one before it, as the levels of a
// pyramid do; the first is something of its own.

#include "fuzz/pairs/generate_internal.h"

#include <stdio.h>
#include <string.h>

static bool chance(hy_maker *m, int percent) { return hy_make_chance(m, percent); }

// The pieces of the text: the first member's value, where a member reads the one before it, and what it meets there.
typedef struct {
  hy_text first, at, met;
  const char *meets; // " + " and the like, or "min"
  bool adds_number;
} pieces;

static void make_pieces(hy_maker *m, const hy_made_source *f, pieces *p) {
  static const char *const meets[] = {" + ", " - ", " * ", "min", "max"};
  hy_text *out = hy_make_aside(m, &p->first);
  hy_make_data(m, f->type, 2);
  hy_make_aside(m, &p->at);
  for (int d = 0; d < f->rank; d++) {
    if (d) hy_make_text(m, ", ");
    hy_make_coordinate(m, f, d, 0);
  }
  hy_make_aside(m, &p->met);
  hy_make_data(m, f->type, 0);
  m->out = out;
  p->meets = meets[hy_make_pick(m, (int)HY_COUNT(meets))];
  p->adds_number = chance(m, 60);
}

// What a member is that reads the member "before"; "number" is its own.
static void add_step(hy_maker *m, const hy_made_source *f, const pieces *p, const char *before, const char *number) {
  bool is_call = p->meets[0] == 'm';
  hy_text_printf(m->out, is_call ? "%s(%s(%s), %s)" : "(%2$s(%3$s)%1$s%4$s)", p->meets, before, hy_text_string(&p->at),
                 hy_text_string(&p->met));
  if (p->adds_number) hy_text_printf(m->out, " + %s(%s)", f->type, number);
}

static void add_head(hy_maker *m, const hy_made_source *f, const char *name) {
  hy_text_printf(m->out, "fun %s(", name);
  for (int d = 0; d < f->rank; d++) hy_text_printf(m->out, "%s%s", d ? ", " : "", hy_made_dims[d]);
  hy_make_text(m, ") = ");
}

static void add_family(hy_maker *m, const hy_made_source *f, const pieces *p, const char *base, int first, int last) {
  char member[32], before[32];
  snprintf(member, sizeof member, "%s[kk]", base);
  snprintf(before, sizeof before, "%s[kk %c 1]", base, first < last ? '-' : '+');
  bool braces = chance(m, 50);
  hy_text_printf(m->out, "  for kk in %d..%d %s", first, last, braces ? "{ " : "");
  if (chance(m, 50)) {
    add_head(m, f, member);
    hy_text_printf(m->out, "if kk == %d then %s else ", first, hy_text_string(&p->first));
    add_step(m, f, p, before, "kk");
  } else {
    hy_text_printf(m->out, "if kk != %d ", first);
    add_head(m, f, member);
    add_step(m, f, p, before, "kk");
    hy_make_text(m, "; else { ");
    add_head(m, f, member);
    hy_text_printf(m->out, "%s; }", hy_text_string(&p->first));
    hy_make_text(m, braces ? " }\n" : "\n");
    return;
  }
  hy_make_text(m, braces ? "; }\n" : ";\n");
}

static void add_members(hy_maker *m, const hy_made_source *f, const pieces *p, const char *base, int first, int last) {
  int step = first < last ? 1 : -1;
  for (int k = first;; k += step) {
    char member[32], before[32], number[16];
    snprintf(member, sizeof member, "%s_%d", base, k);
    snprintf(before, sizeof before, "%s_%d", base, k - step);
    snprintf(number, sizeof number, "%d", k);
    hy_make_text(m, "  ");
    add_head(m, f, member);
    if (k == first)
      hy_make_text(m, hy_text_string(&p->first));
    else
      add_step(m, f, p, before, number);
    hy_make_text(m, ";\n");
    if (k == last) return;
  }
}

void hy_make_family(hy_maker *m, hy_made_source *made) {
  char base[sizeof made->name];
  memcpy(base, made->name, sizeof base);
  pieces p = {.meets = NULL};
  int first = hy_make_pick(m, 3), last = chance(m, 30) && first ? 0 : first + 1 + hy_make_pick(m, 2);
  made->rank = 1 + hy_make_pick(m, 2);
  made->type = hy_made_types[hy_make_pick(m, HY_MADE_COMPUTED - 3)];
  hy_make_type_form(m, HY_FORM_FUNC, made->type);
  hy_make_form(m, first < last ? HY_FORM_FAMILY : HY_FORM_FAMILY_DOWN);
  m->accesses = m->name_count = 0;
  for (int d = 0; d < made->rank; d++) m->names[m->name_count++] = hy_made_dims[d];
  m->in_helper = true; // no funcs are made for what stands in it
  make_pieces(m, made, &p);
  m->in_helper = false;
  hy_either_begin(m->out);
  add_family(m, made, &p, base, first, last);
  hy_either_turn(m->out);
  add_members(m, made, &p, base, first, last);
  hy_either_end(m->out);
  hy_text_free(&p.first);
  hy_text_free(&p.at);
  hy_text_free(&p.met);
  hy_text name = {0};
  char indexed[16], member[16];
  snprintf(indexed, sizeof indexed, "%.4s[%d]", base, last);
  snprintf(member, sizeof member, "%.4s_%d", base, last);
  hy_either_add(&name, indexed, member);
  snprintf(made->name, sizeof made->name, "%s", hy_text_string(&name));
  hy_text_free(&name);
}
