// Case files: a header of "key: value" lines and comments, then the algorithm and the schedule.
//
//   halyard case 1
//   # found: disagree in lane 1 (DIR.Split)
//   seed: 17
//   lanes: 1,2
//   relation: rename
//   refused: yes
//   altered: cpu f0.x low +1
//   plugin: reverse reverse.so
//   input: 99 window -3:5 0:7 params 2 1 0 0
//   --- algorithm
//   pipeline p(w: int) { ... }
//   --- schedule
//     split(f.x, xo, xi, 4);
//   --- written out
//   pipeline p(w: int) { ... }
//
// The last part is the algorithm once more with its forms written out; most cases have none.

#include "fuzz/pairs/case.h"

#include "fuzz/pairs/lanes.h"
#include "plugin/plugin.h"

#include <ctype.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hy_case_relation_name(hy_case_relation relation) {
  static const char *const names[] = {"none",       "identity", "permute", "split-one", "split-fuse",
                                      "specialize", "rename",   "widen",   "chained"};
  _Static_assert(HY_COUNT(names) == HY_RELATIONS, "a name for each");
  return names[relation];
}

hy_value hy_case_param(hy_type type, int64_t number) {
  switch (hy_type_class_of(type)) {
  case HY_CLASS_BOOL: return hy_value_bool(number & 1);
  case HY_CLASS_FLOAT:
    if (number == INT64_MAX) return hy_value_from_double(type, (double)INFINITY);
    if (number == INT64_MIN) return hy_value_from_double(type, (double)NAN);
    return hy_value_from_double(type, (double)number / 4);
  case HY_CLASS_INTEGER:
  case HY_CLASS_UNSIGNED:
  case HY_CLASS_SIGNED: return hy_value_integral(type, number);
  }
  HY_UNREACHABLE();
}

hy_case hy_case_copy(const hy_case *other) {
  hy_case c = *other;
  c.alg = strdup(other->alg);
  c.items = strdup(other->items);
  c.written = other->written ? strdup(other->written) : NULL;
  HY_ASSERT(c.alg && c.items && (c.written || !other->written));
  return c;
}

void hy_case_free(hy_case *c) {
  free(c->alg);
  free(c->items);
  free(c->written);
  c->alg = c->items = c->written = NULL;
}

static const char first_line[] = "halyard case 1\n", alg_line[] = "--- algorithm\n", items_line[] = "--- schedule\n",
                  written_line[] = "--- written out\n";

// Does the schedule call it?
static bool calls(const char *items, const char *name) {
  size_t length = strlen(name);
  for (const char *at = items; (at = strstr(at, name)); at += length) {
    bool begins = at == items || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
    if (begins && at[length] == '(') return true;
  }
  return false;
}

static void print_plugins(const hy_case *c, hy_text *out) {
  for (int i = 0; !c->plugins && i < c->needed_count; i++)
    hy_text_printf(out, "plugin: %s %s\n", c->needed[i].name, c->needed[i].file);
  int printed = 0; // not more than can be read: of any further one replay says that it is missing
  for (int i = 0; c->plugins && i < c->plugins->count && printed < HY_CASE_PLUGINS; i++) {
    const hy_plugin *plugin = c->plugins->items[i];
    if (!calls(c->items, plugin->directive->name)) continue;
    printed++;
    hy_text_printf(out, "plugin: %s ", plugin->directive->name);
    for (const char *at = hy_plugin_file(plugin); *at; at++)
      hy_text_printf(out, "%c", iscntrl((unsigned char)*at) ? '?' : *at);
    hy_text_add(out, "\n");
  }
}

static void print_notes(const char *notes, hy_text *out) {
  while (notes && *notes) {
    size_t length = strcspn(notes, "\n");
    hy_text_printf(out, "# %.*s\n", (int)length, notes);
    notes += length + (notes[length] == '\n');
  }
}

void hy_case_print(const hy_case *c, const char *notes, hy_text *out) {
  hy_text_add(out, first_line);
  print_notes(notes, out);
  hy_text_printf(out, "seed: %" PRIu64 "\n", c->seed);
  if (c->lanes) {
    hy_text_add(out, "lanes: ");
    hy_lanes_print(c->lanes, out);
    hy_text_add(out, "\n");
  }
  if (c->relation) hy_text_printf(out, "relation: %s\n", hy_case_relation_name(c->relation));
  if (c->illegal) hy_text_add(out, "refused: yes\n");
  if (*c->altered) hy_text_printf(out, "altered: %s\n", c->altered);
  print_plugins(c, out);
  for (int i = 0; i < c->input_count; i++) {
    hy_text_printf(out, "input: %" PRIu64 " window", c->inputs[i].seed);
    for (int d = 0; d < HY_MAX_WINDOW; d++) {
      bool rest = true;
      for (int k = d; k < HY_MAX_WINDOW; k++) rest &= c->inputs[i].min[k] == 0 && c->inputs[i].len[k] == 0;
      if (rest) break;
      hy_text_printf(out, " %" PRId64 ":%" PRId64, c->inputs[i].min[d], c->inputs[i].len[d]);
    }
    hy_text_add(out, " params");
    for (int p = 0; p < HY_MOST_PARAMS; p++) hy_text_printf(out, " %" PRId64, c->inputs[i].params[p]);
    hy_text_add(out, "\n");
  }
  hy_text_printf(out, "%s%s%s%s", alg_line, c->alg, items_line, c->items);
  if (c->written) hy_text_printf(out, "%s%s", written_line, c->written);
}

// Campaigns make windows of some hundred points. Without a limit one line could keep every interpreter busy for a
// minute.
static bool is_small(const hy_case_input *input) {
  double points = 1;
  for (int d = 0; d < HY_MAX_WINDOW; d++) points *= input->len[d] > 1 ? (double)input->len[d] : 1;
  return points <= HY_CASE_POINTS;
}

static bool parse_input(const char *line, hy_case_input *input, const char **why) {
  int used = 0;
  *input = (hy_case_input){0};
  if (sscanf(line, "input: %" SCNu64 " window%n", &input->seed, &used) != 1 || !used) return false;
  line += used;
  int d = 0;
  for (; d < HY_MAX_WINDOW && sscanf(line, " %" SCNd64 ":%" SCNd64 "%n", &input->min[d], &input->len[d], &used) == 2;
       d++) {
    if (input->len[d] < 0) return false;
    line += used;
  }
  if (d < HY_MAX_WINDOW) input->min[d] = 0; // half read
  used = 0;
  sscanf(line, " params%n", &used);
  if (!used) return false;
  if (!is_small(input)) return *why = "has an 'input:' whose window has more than 1000000 points", false;
  line += used;
  for (int p = 0; p < HY_MOST_PARAMS && sscanf(line, "%" SCNd64 "%n", &input->params[p], &used) == 1; p++) line += used;
  return true;
}

// The value of "key: value\n", in a buffer; NULL if the line is another one.
static const char *value_of(const char *line, const char *key, char *buffer, size_t room) {
  size_t length = strlen(key), end = strcspn(line, "\n");
  if (strncmp(line, key, length) != 0) return NULL;
  snprintf(buffer, room, "%.*s", (int)(end - length), line + length);
  return buffer;
}

static bool parse_relation(const char *name, hy_case_relation *relation) {
  for (int i = 0; i < HY_RELATIONS; i++)
    if (strcmp(name, hy_case_relation_name((hy_case_relation)i)) == 0) return *relation = (hy_case_relation)i, true;
  return false;
}

// "reverse reverse.so"
static bool parse_plugin(const char *value, hy_case *c) {
  size_t length = strcspn(value, " ");
  if (c->needed_count == HY_CASE_PLUGINS || !length || length >= sizeof c->needed->name || !value[length]) return false;
  hy_case_plugin *p = &c->needed[c->needed_count];
  snprintf(p->name, sizeof p->name, "%.*s", (int)length, value);
  snprintf(p->file, sizeof p->file, "%.127s", value + length + 1);
  return *p->file && ++c->needed_count;
}

static bool parse_line(const char *line, hy_case *c, const char **why) {
  char value[256];
  if (*line == '#' || *line == '\n') return true;
  if (value_of(line, "seed: ", value, sizeof value)) {
    char *end;
    c->seed = strtoull(value, &end, 10);
    *why = "has a seed that is not a number";
    return end > value && !*end;
  }
  if (value_of(line, "refused: yes", value, sizeof value)) return c->illegal = true;
  *why = "has unknown lanes";
  if (value_of(line, "lanes: ", value, sizeof value)) return hy_lanes_parse(value, &c->lanes);
  *why = "has an unknown relation";
  if (value_of(line, "relation: ", value, sizeof value)) return parse_relation(value, &c->relation);
  *why = "has an unknown alteration of bounds";
  if (value_of(line, "altered: ", c->altered, sizeof c->altered)) return hy_alteration_is(c->altered);
  *why = "has a malformed or superfluous 'plugin:' line";
  if (value_of(line, "plugin: ", value, sizeof value)) return parse_plugin(value, c);
  *why = "has a malformed or superfluous 'input:' line";
  if (strncmp(line, "input: ", 7) == 0)
    return c->input_count < HY_CASE_WINDOWS && parse_input(line, &c->inputs[c->input_count++], why);
  *why =
      "has a line in its head that is none of '#', 'seed:', 'lanes:', 'relation:', 'refused:', 'altered:', 'plugin:', "
      "'input:'";
  return false;
}

static bool parse_header(const char *text, const char *end, hy_case *c, const char **why) {
  for (; text < end; text = strchr(text, '\n') + 1)
    if (!parse_line(text, c, why)) return false;
  return true;
}

bool hy_case_parse(const char *text, hy_case *c, const char **why) {
  *c = (hy_case){0};
  const char *alg = strstr(text, alg_line), *items = alg ? strstr(alg, items_line) : NULL;
  if (strncmp(text, first_line, strlen(first_line)) != 0) return *why = "does not begin with 'halyard case 1'", false;
  if (!alg) return *why = "has no line '--- algorithm'", false;
  if (!items) return *why = "has no line '--- schedule' after the algorithm", false;
  if (!parse_header(text + strlen(first_line), alg, c, why)) return false;
  alg += strlen(alg_line);
  c->alg = strndup(alg, (size_t)(items - alg));
  items += strlen(items_line);
  const char *written = strstr(items, written_line);
  c->items = written ? strndup(items, (size_t)(written - items)) : strdup(items);
  c->written = written ? strdup(written + strlen(written_line)) : NULL;
  HY_ASSERT(c->alg && c->items && (c->written || !written));
  return true;
}
