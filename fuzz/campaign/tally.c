#include "fuzz/campaign/tally.h"

#include "semantics/base/intern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = sizeof(hy_tally) / sizeof(uint64_t) };
_Static_assert(FIELDS * sizeof(uint64_t) == sizeof(hy_tally), "nothing but numbers");

static void count_walk(hy_tally *t, const hy_walk *w) {
  t->invalid += w->planted && w->planted_kind == HY_NO_DIRECTIVE;
  t->illegal += w->planted && w->planted_kind != HY_NO_DIRECTIVE;
  for (int i = 0; i < HY_DIRECTIVE_KINDS; i++) t->picked[i] += w->picked[i];
  for (int i = 0; i < HY_FORMS; i++) t->forms[i] += hy_forms_has(&w->forms, i);
  for (int i = 0; i < 3; i++) t->tails[i] += w->tails[i];
  for (int i = 0; i < 4; i++) t->traversals[i] += w->traversals[i];
  t->depths[w->deepest < HY_DEPTHS ? w->deepest : HY_DEPTHS - 1]++;
  t->funcs[w->funcs < HY_FUNC_COUNTS ? w->funcs : HY_FUNC_COUNTS - 1]++;
}

void hy_tally_count(hy_tally *t, const hy_judgement *j, const hy_walk *walk, hy_case_relation relation) {
  t->pairs++;
  t->found[j->found]++;
  t->relations[relation]++;
  t->related += j->related;
  t->obligations += (uint64_t)j->obligations;
  t->proved += (uint64_t)j->proved;
  t->proved_z3 += (uint64_t)j->proved_z3;
  t->refuted += (uint64_t)j->refuted;
  t->unknown += (uint64_t)j->unknown;
  t->with_query += j->obligations > 0;
  t->with_unknown += j->unknown > 0;
  t->obligations_of[walk->shape] += (uint64_t)j->obligations;
  t->unknown_of[walk->shape] += (uint64_t)j->unknown;
  t->with_query_of[walk->shape] += j->obligations > 0;
  t->with_unknown_of[walk->shape] += j->unknown > 0;
  t->certificates += (uint64_t)j->certificates;
  t->uncertified += (uint64_t)j->uncertified;
  t->altered += (uint64_t)j->altered;
  t->altered_proved += (uint64_t)j->altered_proved;
  t->altered_refuted += (uint64_t)j->altered_refuted;
  t->altered_broke += (uint64_t)j->altered_broke;
  t->faults += (uint64_t)j->faults;
  t->faults_given += (uint64_t)j->faults_given;
  t->given_proved += (uint64_t)j->given_proved;
  t->faults_refused += (uint64_t)j->faults_refused;
  t->faults_proved += (uint64_t)j->faults_proved;
  t->inputs += (uint64_t)j->inputs;
  t->errors += (uint64_t)j->errors;
  t->runs += (uint64_t)j->runs;
  t->points += j->points;
  t->usable += j->inputs > 0;
  t->lazy_vacuous += j->inputs > 0 && j->errors == j->inputs;
  t->varied += j->varied;
  t->strict_vacuous += j->varied && j->strict_vacuous;
  t->with_constant += j->has_constant;
  t->constant_matters += j->has_constant && j->constant_matters;
  for (int r = 0; r < HY_RULE_COUNT; r++) t->hits[r] += j->hits[r / 64] >> r % 64 & 1;
  count_walk(t, walk);
}

void hy_tally_add(hy_tally *tally, const hy_tally *other) {
  uint64_t *to = (uint64_t *)tally;
  const uint64_t *from = (const uint64_t *)other;
  for (int i = 0; i < FIELDS; i++) to[i] += from[i];
}

uint64_t hy_tally_failures(const hy_tally *tally) {
  uint64_t failures = 0;
  for (int i = 0; i < HY_FOUND_COUNT; i++)
    if (hy_found_is_failure((hy_found)i)) failures += tally->found[i];
  return failures;
}

int hy_tally_rules(const hy_tally *tally) {
  int rules = 0;
  for (int r = 0; r < HY_RULE_COUNT; r++) rules += tally->hits[r] > 0;
  return rules;
}

// "0:1024 1:973 ...": the fields that are not 0.
void hy_tally_print(const hy_tally *tally, hy_text *out) {
  const uint64_t *fields = (const uint64_t *)tally;
  for (int i = 0; i < FIELDS; i++)
    if (fields[i]) hy_text_printf(out, "%s%d:%" PRIu64, i ? " " : "", i, fields[i]);
}

bool hy_tally_parse(const char *text, hy_tally *tally) {
  *tally = (hy_tally){0};
  for (; *text; text += strspn(text, " ")) {
    char *end;
    unsigned long field = strtoul(text, &end, 10);
    if (end == text || *end != ':' || field >= FIELDS) return false;
    text = end + 1;
    ((uint64_t *)tally)[field] = strtoull(text, &end, 10);
    if (end == text || (*end && *end != ' ')) return false;
    text = end;
  }
  return tally->pairs > 0;
}

uint64_t hy_tally_layout(void) {
  uint64_t layout = hy_hash(hy_hash(FIELDS, HY_FOUND_COUNT), HY_FORMS);
  for (int r = 0; r < HY_RULE_COUNT; r++)
    layout = hy_hash_bytes(layout, hy_rule_id((hy_rule)r), strlen(hy_rule_id((hy_rule)r)));
  return hy_hash(layout, HY_RELATIONS * 64 + HY_DIRECTIVE_KINDS);
}
