#include "fuzz/change/alter_internal.h"

#include "engines/generator.h"
#include "fuzz/change/fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- lines -- */

static const char *const place_names[] = {"cpu", "for", "wide", "allocate", "compute", "loop", "guard", "image"};
_Static_assert(HY_COUNT(place_names) == HY_PLACES, "a name for each");
static const char *const change_names[] = {"low",      "high",    "shift",      "length",   "divide",
                                           "overflow", "unclamp", "difference", "remainder"};
_Static_assert(HY_COUNT(change_names) == HY_CHANGES, "a name for each");

static int find_name(const char *const *names, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static void print_place(const hy_alter_place *place, hy_text *out) {
  hy_text_printf(out, "%s ", place_names[place->kind]);
  if (place->var)
    hy_var_print(place->var, out);
  else
    hy_text_printf(out, "%s.%s", place->func->name, place->func->dims[place->dim]);
}

static bool takes_number(hy_change_kind kind) { return kind <= HY_CHANGE_LENGTH; }

static bool print_line(const hy_alter_place *place, hy_alteration change, char line[HY_ALTERATION_ROOM]) {
  hy_text text = {0};
  print_place(place, &text);
  hy_text_printf(&text, " %s", change_names[change.kind]);
  if (takes_number(change.kind)) hy_text_printf(&text, change.by > 0 ? " +%d" : " %d", change.by);
  bool fits = text.length < HY_ALTERATION_ROOM;
  if (fits) memcpy(line, text.data, text.length + 1);
  hy_text_free(&text);
  return fits;
}

// Splits "PLACE NAME CHANGE NUMBER": the length of "PLACE NAME", 0 if it is not one.
static size_t parse_line(const char *line, hy_alteration *change) {
  char place[16], name[HY_ALTERATION_ROOM], what[16];
  int named = 0, number = 0, used = 0;
  if (strlen(line) >= HY_ALTERATION_ROOM) return 0;
  if (sscanf(line, "%15s %95s%n %15s%n", place, name, &named, what, &used) != 3 || !used) return 0;
  int kind = find_name(change_names, HY_CHANGES, what);
  if (kind < 0 || find_name(place_names, HY_PLACES, place) < 0) return 0;
  if (takes_number((hy_change_kind)kind)) {
    int more = 0;
    if (sscanf(line + used, "%6d%n", &number, &more) != 1) return 0;
    used += more;
  }
  if (line[used]) return 0;
  *change = (hy_alteration){(hy_change_kind)kind, number};
  return (size_t)named;
}

bool hy_alteration_is(const char *line) {
  hy_alteration change;
  uint64_t seed;
  hy_fault_way way;
  if (hy_fault_line(line, &seed, &way)) return true;
  return parse_line(line, &change) > 0;
}

/* -- which -- */

// Mostly by one: an end that is off by one is what every rule has to notice.
static hy_alteration pick_change(const hy_alter_place *place, uint64_t seed) {
  static const int steps[] = {1, 1, 1, 1, 2, 2, 3, 7};
  uint64_t random = hy_splitmix(seed, 2);
  int by = steps[random % HY_COUNT(steps)];
  if (random >> 8 & 1) by = -by;
  bool low = random >> 9 & 1;
  if (place->kind == HY_PLACE_WIDE) by = low ? -abs(by) : abs(by);
  if (place->kind == HY_PLACE_GUARD) return (hy_alteration){HY_CHANGE_HIGH, place->is_fixed ? -abs(by) : by};
  if (place->kind == HY_PLACE_WIDE || place->kind == HY_PLACE_IMAGE)
    return (hy_alteration){low ? HY_CHANGE_LOW : HY_CHANGE_HIGH, by};
  if (place->is_fixed) by = low ? abs(by) : -abs(by); // narrower only
  switch (random >> 16 & 15) {
  case 0:
  case 1: return (hy_alteration){place->is_fixed ? HY_CHANGE_LENGTH : HY_CHANGE_SHIFT, place->is_fixed ? 0 : by};
  case 2: return (hy_alteration){HY_CHANGE_LENGTH, (int)(random >> 20 & 1) - (random >> 21 & 1 ? 1 : 0)};
  case 3: return (hy_alteration){HY_CHANGE_DIVIDE, 0};
  case 4: {
    static const hy_change_kind large[] = {HY_CHANGE_OVERFLOW, HY_CHANGE_OVERFLOW, HY_CHANGE_DIFFERENCE,
                                           HY_CHANGE_REMAINDER};
    return (hy_alteration){large[random >> 22 & 3], 0};
  }
  case 5: return (hy_alteration){HY_CHANGE_UNCLAMP, 0};
  default: return (hy_alteration){low ? HY_CHANGE_LOW : HY_CHANGE_HIGH, by};
  }
}

// A hole that stands in many places says more than one statement: a narrower Cpu is what a reader has to notice.
static const hy_alter_place *pick_place(const hy_places *places, uint64_t random) {
  static const uint64_t weights[HY_PLACES] = {4, 2, 2, 1, 1, 3, 1, 1};
  uint64_t sums[HY_PLACES] = {0}, total = 0;
  for (size_t i = 0; i < places->count; i++) sums[places->data[i].kind]++;
  for (int k = 0; k < HY_PLACES; k++) total += sums[k] ? weights[k] : 0;
  uint64_t at = random % total;
  int kind = 0;
  for (; !sums[kind] || at >= weights[kind]; kind++) at -= sums[kind] ? weights[kind] : 0;
  uint64_t which = hy_splitmix(random, 1) % sums[kind];
  for (size_t i = 0;; i++)
    if ((int)places->data[i].kind == kind && which-- == 0) return &places->data[i];
}

const hy_tgt *hy_alter_any(hy_context *context, const hy_tgt *scheduled, const hy_tgt *filled, uint64_t seed,
                           char line[HY_ALTERATION_ROOM]) {
  hy_places places = {0};
  const hy_tgt *altered = NULL;
  hy_alter_places(scheduled, filled, &places);
  for (uint64_t try = 0; try < 4 && !altered && places.count; try++) {
    const hy_alter_place *place = pick_place(&places, hy_splitmix(seed, 4 * try));
    hy_alteration change = pick_change(place, hy_splitmix(seed, 4 * try + 1));
    if (print_line(place, change, line)) altered = hy_alter_at(context, scheduled, filled, place, change);
  }
  hy_vec_free(&places);
  return altered;
}

const hy_tgt *hy_alter(hy_context *context, const hy_tgt *scheduled, const hy_tgt *filled, const char *line) {
  hy_places places = {0};
  hy_alteration change;
  const hy_tgt *altered = NULL;
  size_t length = parse_line(line, &change);
  if (!length) return NULL;
  hy_alter_places(scheduled, filled, &places);
  for (size_t i = 0; i < places.count && !altered; i++) {
    hy_text name = {0};
    print_place(&places.data[i], &name);
    if (name.length == length && strncmp(name.data, line, length) == 0)
      altered = hy_alter_at(context, scheduled, filled, &places.data[i], change);
    hy_text_free(&name);
  }
  hy_vec_free(&places);
  return altered;
}
