#include "halyard/copies.h"

#include <ctype.h>
#include <string.h>

/* -- names -- */

static const hy_directive *copying(const hy_pipeline *p, const char *name, size_t length) {
  for (int i = 0; i < p->core_count; i++) {
    const hy_directive *d = &p->core[i];
    if (d->is_spread && d->made && strlen(d->made->name) == length && strncmp(d->made->name, name, length) == 0)
      return d;
  }
  return NULL;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

// ".z1" of "o.z1.s0.y": how long it is
static size_t branch_at(const char *text) {
  if (text[0] != '.' || text[1] != 'z' || !isdigit((unsigned char)text[2])) return 0;
  size_t length = 2 + strspn(text + 2, "0123456789");
  return in_name(text[length]) ? 0 : length;
}

// The text in the words of who wrote the schedule: copies are what they are copies of. Were there any? "*of" is the last.
static bool write_own(const hy_pipeline *p, const char *text, hy_text *out, const hy_directive **of) {
  bool any = false;
  while (*text) {
    size_t length = strcspn(text, "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
    hy_text_printf(out, "%.*s", (int)length, text);
    text += length;
    for (length = 0; in_name(text[length]); length++) {
    }
    const hy_directive *d = copying(p, text, length);
    if (d) any = true, *of = d;
    hy_text_printf(out, "%.*s", (int)(d ? strlen(d->func->name) : length), d ? d->func->name : text);
    text += length;
    text += branch_at(text);
  }
  return any;
}

const hy_func *hy_copies_original(const hy_pipeline *p, const hy_func *func) {
  for (int i = p->core_count - 1; i >= 0; i--)
    if (p->core[i].made == func && p->core[i].func) func = p->core[i].func; // it may be a copy of a copy
  return func;
}

/* -- diagnostics with their notes -- */

typedef struct {
  size_t first, count;      // in the list
  hy_text message;          // of the first, in own words
  const hy_directive *made; // the copy that it speaks of; NULL: none
} told;

static told look_at(const hy_pipeline *p, const hy_diagnostics *list, size_t first) {
  told t = {.first = first, .count = 1};
  while (first + t.count < hy_diagnostics_count(list) &&
         hy_diagnostics_at(list, first + t.count)->severity == HY_SEVERITY_NOTE)
    t.count++;
  write_own(p, hy_diagnostics_at(list, first)->message, &t.message, &t.made);
  return t;
}

static bool is_same(const hy_diagnostics *list, const told *a, const told *b) {
  return hy_diagnostics_at(list, a->first)->code == hy_diagnostics_at(list, b->first)->code &&
         strcmp(hy_text_string(&a->message), hy_text_string(&b->message)) == 0;
}

// Where the schedule moves the copy: what is said at the schedule's own name, or nowhere, is better said there.
static hy_loc place_of(const hy_pipeline *p, const hy_directive *copy, hy_loc said) {
  if (said.source && (said.source != p->loc.source || said.line != p->loc.line || said.column != p->loc.column))
    return said;
  return copy->loc.source ? copy->loc : said;
}

// " (in o.z1 and 2 more)": of which copies it is said
static void add_copies(const hy_pipeline *p, const hy_directive *made, size_t more, hy_text *out) {
  const hy_directive *ignored = NULL;
  hy_text_add(out, " (in ");
  write_own(p, made->readers[0]->name, out, &ignored);
  if (made->branches[0] != HY_ALL_BRANCHES) hy_text_printf(out, ".z%d", made->branches[0]);
  if (more) hy_text_printf(out, " and %zu more", more);
  hy_text_add(out, ")");
}

void hy_copies_print(const hy_pipeline *p, const hy_func *func, hy_text *out) {
  const hy_directive *made = copying(p, func->name, strlen(func->name));
  hy_text_printf(out, "'%s'", made ? made->func->name : func->name);
  if (made) add_copies(p, made, 0, out);
}

static void reword(const hy_pipeline *p, hy_diagnostics *list, size_t index, const told *one, size_t more) {
  const hy_diagnostic d = *hy_diagnostics_at(list, index);
  const hy_directive *ignored = NULL;
  hy_text message = {0}, help = {0};
  write_own(p, d.message, &message, &ignored);
  if (d.severity != HY_SEVERITY_NOTE) add_copies(p, one->made, more, &message);
  if (d.help) write_own(p, d.help, &help, &ignored);
  hy_loc loc = d.severity == HY_SEVERITY_NOTE ? d.loc : place_of(p, one->made, d.loc);
  hy_diagnostics_reword(list, index, loc, d.help ? hy_text_string(&help) : NULL, hy_text_string(&message));
  hy_text_free(&message);
  hy_text_free(&help);
}

// Takes out those behind that say the same of another copy, or of the func itself.
static size_t take_out_same(const hy_pipeline *p, hy_diagnostics *list, const told *one) {
  size_t taken = 0;
  for (size_t i = one->first + one->count; i < hy_diagnostics_count(list);) {
    told other = look_at(p, list, i);
    bool same = (one->made || other.made) && is_same(list, one, &other);
    if (same) hy_diagnostics_take_out(list, i, other.count);
    taken += same;
    i += same ? 0 : other.count;
    hy_text_free(&other.message);
  }
  return taken;
}

void hy_copies_tell_once(const hy_pipeline *p, hy_diagnostics *list, size_t first) {
  bool any = false;
  for (int i = 0; i < p->core_count; i++) any |= p->core[i].is_spread && p->core[i].made;
  for (size_t i = first; any && i < hy_diagnostics_count(list);) {
    told one = look_at(p, list, i);
    size_t more = take_out_same(p, list, &one);
    for (size_t k = 0; one.made && k < one.count; k++) reword(p, list, i + k, &one, more);
    i += one.count;
    hy_text_free(&one.message);
  }
}

/* -- what one call does many times -- */

enum { MOST_ALIKE = 3 };

static size_t with_notes(const hy_diagnostics *list, size_t index) {
  size_t end = index + 1;
  while (end < hy_diagnostics_count(list) && hy_diagnostics_at(list, end)->severity == HY_SEVERITY_NOTE) end++;
  return end - index;
}

static bool is_alike(const hy_diagnostic *a, const hy_diagnostic *b) {
  return a->severity == HY_SEVERITY_ERROR && b->severity == HY_SEVERITY_ERROR && a->code == b->code && a->loc.source &&
         a->loc.source == b->loc.source && a->loc.line == b->loc.line && a->loc.column == b->loc.column;
}

// How many are left out; "*last" is the last that stays.
static size_t leave_out(hy_diagnostics *list, size_t index, size_t *last) {
  const hy_diagnostic one = *hy_diagnostics_at(list, index);
  size_t kept = 1, left_out = 0;
  *last = index;
  for (size_t i = index + with_notes(list, index); i < hy_diagnostics_count(list);) {
    size_t count = with_notes(list, i);
    bool alike = is_alike(&one, hy_diagnostics_at(list, i));
    if (alike && kept == MOST_ALIKE) {
      hy_diagnostics_take_out(list, i, count);
      left_out++;
      continue;
    }
    if (alike) *last = i, kept++;
    i += count;
  }
  return left_out;
}

void hy_alike_tell_a_few(hy_diagnostics *list, size_t first) {
  for (size_t i = first, last; i < hy_diagnostics_count(list); i += with_notes(list, i)) {
    size_t left_out = leave_out(list, i, &last);
    if (!left_out) continue;
    hy_diagnostics_note_at(list, last + with_notes(list, last), hy_diagnostics_at(list, last)->code,
                           "and %zu more like this", left_out);
  }
}
