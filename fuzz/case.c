// Case files: a header of "key: value" lines, then the algorithm and the schedule.
//
//   halyard case 1
//   seed: 17
//   window: -3:5 0:7
//   params: 2 1
//   inputs: 99
//   lanes...

#include "fuzz/case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hy_case hy_case_copy(const hy_case *other) {
  hy_case c = *other;
  c.alg = strdup(other->alg);
  c.items = strdup(other->items);
  HY_ASSERT(c.alg && c.items);
  return c;
}

void hy_case_free(hy_case *c) {
  free(c->alg);
  free(c->items);
  c->alg = c->items = NULL;
}

static const char first_line[] = "halyard case 1\n", alg_line[] = "--- algorithm\n", items_line[] = "--- schedule\n";

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
  if (c->illegal) hy_text_add(out, "refused: yes\n");
  for (int i = 0; i < c->input_count; i++) {
    hy_text_printf(out, "input: %" PRIu64 " window", c->inputs[i].seed);
    for (int d = 0; d < HY_MAX_RANK; d++) {
      bool rest = true;
      for (int k = d; k < HY_MAX_RANK; k++) rest &= c->inputs[i].min[k] == 0 && c->inputs[i].len[k] == 0;
      if (rest) break;
      hy_text_printf(out, " %" PRId64 ":%" PRId64, c->inputs[i].min[d], c->inputs[i].len[d]);
    }
    hy_text_add(out, " params");
    for (int p = 0; p < HY_MOST_PARAMS; p++) hy_text_printf(out, " %" PRId64, c->inputs[i].params[p]);
    hy_text_add(out, "\n");
  }
  hy_text_printf(out, "%s%s%s%s", alg_line, c->alg, items_line, c->items);
}

static bool parse_input(const char *line, hy_case_input *input) {
  int used = 0;
  *input = (hy_case_input){0};
  if (sscanf(line, "input: %" SCNu64 " window%n", &input->seed, &used) != 1 || !used) return false;
  line += used;
  int d = 0;
  for (; d < HY_MAX_RANK && sscanf(line, " %" SCNd64 ":%" SCNd64 "%n", &input->min[d], &input->len[d], &used) == 2;
       d++) {
    if (input->len[d] < 0) return false;
    line += used;
  }
  if (d < HY_MAX_RANK) input->min[d] = 0; // half read
  used = 0;
  sscanf(line, " params%n", &used);
  if (!used) return false;
  line += used;
  for (int p = 0; p < HY_MOST_PARAMS && sscanf(line, "%" SCNd64 "%n", &input->params[p], &used) == 1; p++) line += used;
  return true;
}

static bool parse_header(const char *text, const char *end, hy_case *c, const char **why) {
  while (text < end) {
    const char *next = strchr(text, '\n') + 1;
    if (strncmp(text, "seed: ", 6) == 0)
      c->seed = strtoull(text + 6, NULL, 10);
    else if (strncmp(text, "refused: yes", 12) == 0)
      c->illegal = true;
    else if (strncmp(text, "input: ", 7) == 0) {
      if (c->input_count == HY_CASE_WINDOWS || !parse_input(text, &c->inputs[c->input_count++]))
        return *why = "has a malformed or superfluous 'input:' line", false;
    } else if (*text != '#' && *text != '\n')
      return *why = "has a line in its head that is none of '#', 'seed:', 'refused:', 'input:'", false;
    text = next;
  }
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
  c->items = strdup(items + strlen(items_line));
  HY_ASSERT(c->alg && c->items);
  return true;
}
