// What judging found: its names, the worst of it, and what it is put down to.

#include "fuzz/judge/judge_internal.h"

#include <stdio.h>
#include <string.h>

/* -- names -- */

static const char *const found_names[] = {
    "nothing",       "refused",     "unusable",  "vacuous",  "no-solution", "overflow", "unexported",
    "declined",      "uncertified", "undecided", "refuted",  "invalid",     "accepted", "silent",
    "refuses-input", "halide",      "unrelated", "rejected", "promise",     "native",   "unsound",
    "contract",      "disagree",    "contested", "hang",     "crash"};
_Static_assert(HY_COUNT(found_names) == HY_FOUND_COUNT, "a name for each");

const char *hy_found_name(hy_found found) { return found_names[found]; }

bool hy_found_of_name(const char *name, hy_found *found) {
  for (int i = 0; i < HY_FOUND_COUNT; i++)
    if (strcmp(name, found_names[i]) == 0) return *found = (hy_found)i, true;
  return false;
}

bool hy_judgement_same(const hy_judgement *a, const hy_judgement *b) {
  return a->found == b->found && strcmp(a->rule, b->rule) == 0;
}

const char *hy_judgement_directive(const hy_judgement *j) {
  if (*j->plugin) return j->plugin;
  return j->directive == HY_NO_DIRECTIVE ? "none" : hy_sched_name(j->directive);
}

void hy_judgement_key(const hy_judgement *j, char *key, size_t room) {
  snprintf(key, room, "%s-%s-%s", hy_found_name(j->found), hy_judgement_directive(j), *j->rule ? j->rule : "none");
  for (char *at = key; *at; at++)
    if (*at == ' ' || *at == '/') *at = '_';
}

/* -- what was found -- */

bool hy_judging_find(hy_judging *g, hy_found found, const char *rule, const char *detail) {
  if (found <= g->j->found) return false;
  g->j->found = found;
  g->j->lane = g->lane;
  g->j->step = -1; // who was to blame for something less is not for this
  g->j->directive = HY_NO_DIRECTIVE;
  *g->j->plugin = 0;
  snprintf(g->j->rule, sizeof g->j->rule, "%s", rule ? rule : "");
  snprintf(g->j->detail, sizeof g->j->detail, "%s", detail ? detail : "");
  return true;
}

void hy_judging_blame(hy_judging *g, int step) {
  const hy_directive *d = step > 0 ? &g->pipeline.core[step - 1] : NULL;
  g->j->step = step;
  g->j->directive = d ? hy_sched_number(d->type) : HY_NO_DIRECTIVE;
  snprintf(g->j->plugin, sizeof g->j->plugin, "%s", d && d->type->is_foreign ? d->type->name : "");
}

static bool find_text(hy_judging *g, hy_found found, const char *rule, hy_text *text) {
  bool taken = hy_judging_find(g, found, rule, hy_text_string(text));
  hy_text_free(text);
  return taken;
}

bool hy_judging_find_said(hy_judging *g, hy_found found, const hy_diagnostics *said) {
  hy_text text = {0};
  char rule[16] = "";
  for (size_t i = hy_diagnostics_count(said); i-- > 0;)
    if (hy_diagnostics_at(said, i)->severity == HY_SEVERITY_ERROR)
      snprintf(rule, sizeof rule, "HY%04d", (int)hy_diagnostics_at(said, i)->code);
  hy_diagnostics_print(said, &text);
  return find_text(g, *rule ? found : HY_FOUND_SILENT, rule, &text);
}

bool hy_judging_find_code(hy_judging *g, hy_found found, hy_code code, const hy_diagnostics *said) {
  hy_text text = {0};
  char rule[16];
  snprintf(rule, sizeof rule, "HY%04d", (int)code);
  for (size_t i = 0; i < hy_diagnostics_count(said); i++)
    if (hy_diagnostics_at(said, i)->code == code) hy_diagnostic_print(hy_diagnostics_at(said, i), &text);
  return find_text(g, found, rule, &text);
}
