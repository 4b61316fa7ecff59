#include "proofs_tests/unit/certcheck/certificate_mutants.h"
#include "proofs_tests/unit/certcheck/certificate_statement.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *mutation_name(mutation m) {
  static const char *const names[] = {
      "drop a summand",      "empty a step",  "drop a step",        "swap two steps",   "repeat a step",
      "change a multiplier", "change a sign", "another hypothesis", "another letter",   "another polynomial",
      "drop the last step",  "move a bound",  "another comparison", "another constant", "another argument",
      "another goal",        "drop a fact",   "another definition"};
  _Static_assert(HY_COUNT(names) == MUTATIONS, "a name for each");
  return names[m];
}

static uint64_t draw(uint64_t *seed, uint64_t below) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (*seed >> 33) % below;
}

/* -- where -- */

static const char *op_of(const slice_row *row) { return row->words[slice_is_line(row)]; }

static bool is_any_step(const slice_row *row) { return row->count > 0; }
static bool is_sum(const slice_row *row) { return slice_is(row, "l") && row->count > 2; }
static bool has_numbers_only(const slice_row *row) {
  for (int i = 1; i < row->count; i++)
    if (strpbrk(row->words[i], "()*")) return false;
  return true;
}
static bool is_plain_sum(const slice_row *row) { return is_sum(row) && has_numbers_only(row); }
static bool has_hypothesis(const slice_row *row) {
  return strchr("lmaveqxo.", row->words[0][0]) && row->count > 1 && has_numbers_only(row);
}
static bool makes_one_hypothesis(const slice_row *row) { return strchr("gualmvdeq", row->words[0][0]) != NULL; }
static bool has_polynomial(const slice_row *row) { return slice_has_polynomials(row) && !has_numbers_only(row); }

static bool is_comparison(const slice_row *row) {
  const char *op = op_of(row);
  return strcmp(op, "<=") == 0 || strcmp(op, "<") == 0 || strcmp(op, ">=") == 0 || strcmp(op, ">") == 0 ||
         strcmp(op, "==") == 0 || strcmp(op, "!=") == 0;
}
static bool is_constant(const slice_row *row) { return strcmp(op_of(row), "int") == 0; }
static bool is_operation(const slice_row *row) {
  static const char *const operators[] = {"+", "-", "*", "min", "max", "and", "or", "/", "%", "<=", "<", ">=", ">"};
  for (size_t i = 0; i < HY_COUNT(operators); i++)
    if (strcmp(op_of(row), operators[i]) == 0) return row->count > 3;
  return false;
}
// A row that fits, drawn evenly; -1 if there is none.
static int pick_step(const slice *s, bool (*fits)(const slice_row *row), uint64_t *seed) {
  int count = 0, found = -1;
  for (int i = s->goal + 1; i < s->last; i++)
    if (fits(&s->rows[i]) && draw(seed, (uint64_t)++count) == 0) found = i;
  return found;
}

// A line of the claim, or any line.
static int pick_line(hy_arena *arena, const slice *s, bool (*fits)(const slice_row *row), bool any, uint64_t *seed) {
  const bool *wanted = statement_lines(arena, s);
  int count = 0, found = -1;
  for (int i = 0; i < s->lines; i++)
    if ((any || wanted[i + 1]) && fits(&s->rows[i]) && draw(seed, (uint64_t)++count) == 0) found = i;
  return found;
}

// A fact that a step takes, or the goal: position of its word; *row becomes the row.
static int pick_fact(const slice *s, uint64_t *seed) {
  int step = -1, count = 0;
  for (int i = s->goal + 1; i < s->last; i++)
    if (slice_is(&s->rows[i], "u") && draw(seed, (uint64_t)++count) == 0) step = i;
  if (step < 0) return -1;
  for (int k = 1; k < s->rows[s->facts].count; k++)
    if (strcmp(s->rows[s->facts].words[k], s->rows[step].words[1]) == 0) return k;
  return -1;
}

/* -- how -- */

static void set_number(hy_arena *arena, slice *s, int row, int word, long long value) {
  slice_set_word(arena, s, row, word, hy_arena_printf(arena, "%lld", value));
}

static void add_to_number(hy_arena *arena, slice *s, int row, int word, long long by) {
  long long sum; // the greatest and the least wrap around: they are mutants like others
  (void)__builtin_add_overflow(atoll(s->rows[row].words[word]), by, &sum);
  set_number(arena, s, row, word, sum);
}

// One of the numbers of a polynomial plus one: a coefficient, the constant, an unknown.
static bool change_polynomial(hy_arena *arena, slice *s, int row, uint64_t *seed) {
  const slice_row *r = &s->rows[row];
  int word = -1, count = 0;
  for (int i = 1; i < r->count; i++)
    if (strpbrk(r->words[i], "()*") && draw(seed, (uint64_t)++count) == 0) word = i;
  if (word < 0) return false;
  const char *text = r->words[word], *at = text + (text[0] == '('), *star = strchr(at, '*');
  if (star && draw(seed, 3) == 0) at = star + 1;
  char *end;
  long long value = strtoll(at, &end, 10);
  value = value == LLONG_MAX ? LLONG_MIN : value + 1;
  slice_set_word(arena, s, row, word, hy_arena_printf(arena, "%.*s%lld%s", (int)(at - text), text, value, end));
  return true;
}

static void drop_summand(hy_arena *arena, slice *s, int row, int word) {
  slice_set_word(arena, s, row, word, NULL);
  slice_set_word(arena, s, row, word, NULL);
}

static bool tamper_sum(mutation m, hy_arena *arena, slice *s, uint64_t *seed) {
  int row = pick_step(s, is_plain_sum, seed);
  if (row < 0) return false;
  int summand = 1 + 2 * (int)draw(seed, (uint64_t)(s->rows[row].count - 1) / 2);
  long long multiplier = atoll(s->rows[row].words[summand]);
  switch ((int)m) {
  case MUTATE_DROP_SUMMAND: drop_summand(arena, s, row, summand); return true;
  case MUTATE_MULTIPLIER: add_to_number(arena, s, row, summand, draw(seed, 2) ? 1 : -1); return true;
  case MUTATE_SIGN: set_number(arena, s, row, summand, -multiplier); return multiplier != 0;
  }
  return false;
}

static slice_row row_of(hy_arena *arena, const char *first, const char *second) {
  slice_row row = {HY_NEW_ARRAY(arena, const char *, 2), second ? 2 : 1};
  row.words[0] = first, row.words[1] = second;
  return row;
}

static bool tamper_steps(mutation m, hy_arena *arena, slice *s, uint64_t *seed) {
  static const char *const letters[] = {"m", "q", "o", "u", "d", "g", "s", "f", "r"};
  int row = pick_step(s, m == MUTATE_EMPTY_STEP ? makes_one_hypothesis : is_any_step, seed);
  if (row < 0) return false;
  slice_row old = s->rows[row];
  switch ((int)m) {
  case MUTATE_EMPTY_STEP: s->rows[row] = row_of(arena, "s", "(0)"); return true;
  case MUTATE_DROP_STEP: s->rows[row].count = 0; return true;
  case MUTATE_LAST_STEP: s->rows[s->last - 1].count = 0; return true;
  case MUTATE_SWAP_STEPS:
    if (row + 1 >= s->last) return false;
    s->rows[row] = s->rows[row + 1], s->rows[row + 1] = old;
    return true;
  case MUTATE_REPEAT_STEP:
    memmove(&s->rows[row + 1], &s->rows[row], (size_t)(s->count - row) * sizeof *s->rows); // copies have room
    s->count++, s->last++;
    return true;
  case MUTATE_STEP_LETTER: slice_set_word(arena, s, row, 0, letters[draw(seed, HY_COUNT(letters))]); return true;
  }
  return false;
}

// From "a >= b" to "a >= b - 1" in other words, for a fact: less is known; for the goal: more is claimed.
static bool move_bound(hy_arena *arena, slice *s, int line) {
  slice_row *row = &s->rows[line - 1];
  if (!is_comparison(row)) return false;
  const char *op = op_of(row);
  const char *other = strcmp(op, ">") == 0 ? ">=" : strcmp(op, "<") == 0 ? "<=" : strcmp(op, "==") == 0 ? "<=" : NULL;
  if (other) return slice_set_word(arena, s, line - 1, 1, other), true;
  for (int k = 2; k < 4; k++) {
    int term = atoi(row->words[k]);
    bool rises = (k == 3) == (op[0] == '<'); // a greater number there says less
    if (!is_constant(&s->rows[term - 1])) continue;
    add_to_number(arena, s, term - 1, 2, rises ? 1 : -1);
    return true;
  }
  return false;
}

static bool tamper_claim(mutation m, hy_arena *arena, slice *s, uint64_t *seed) {
  static const char *const comparisons[] = {"<=", "<", ">=", ">", "==", "!="};
  int fact = pick_fact(s, seed), row;
  switch ((int)m) {
  case MUTATE_WEAKER_FACT: return fact > 0 && move_bound(arena, s, atoi(s->rows[s->facts].words[fact]));
  case MUTATE_DROP_FACT:
    if (fact > 0) slice_set_word(arena, s, s->facts, fact, NULL);
    return fact > 0;
  case MUTATE_COMPARISON:
    row = pick_line(arena, s, is_comparison, false, seed);
    if (row >= 0) slice_set_word(arena, s, row, 1, comparisons[draw(seed, HY_COUNT(comparisons))]);
    return row >= 0;
  case MUTATE_CONSTANT:
    row = pick_line(arena, s, is_constant, false, seed);
    if (row >= 0) add_to_number(arena, s, row, 2, draw(seed, 2) ? 1 : -1);
    return row >= 0;
  case MUTATE_ARGUMENT:
    row = pick_line(arena, s, is_operation, false, seed);
    if (row >= 0) add_to_number(arena, s, row, 2 + (int)draw(seed, 2), -1);
    return row >= 0;
  case MUTATE_GOAL:
    row = pick_line(arena, s, is_comparison, true, seed);
    if (row >= 0) slice_set_word(arena, s, s->goal, 1, s->rows[row].words[0]);
    return row >= 0;
  case MUTATE_DEFINITION:
    row = pick_line(arena, s, has_polynomial, true, seed);
    return row >= 0 && change_polynomial(arena, s, row, seed);
  }
  return false;
}

bool mutation_apply(mutation m, hy_arena *arena, const slice *original, uint64_t *seed, slice *mutant) {
  *mutant = slice_copy(arena, original);
  int row;
  switch (m) {
  case MUTATE_DROP_SUMMAND:
  case MUTATE_MULTIPLIER:
  case MUTATE_SIGN: return tamper_sum(m, arena, mutant, seed);
  case MUTATE_EMPTY_STEP:
  case MUTATE_DROP_STEP:
  case MUTATE_SWAP_STEPS:
  case MUTATE_REPEAT_STEP:
  case MUTATE_STEP_LETTER:
  case MUTATE_LAST_STEP: return tamper_steps(m, arena, mutant, seed);
  case MUTATE_HYPOTHESIS:
    row = pick_step(mutant, has_hypothesis, seed);
    if (row < 0) return false;
    add_to_number(arena, mutant, row, mutant->rows[row].count - 1, draw(seed, 2) ? 1 : -1);
    return true;
  case MUTATE_CASE_POLYNOMIAL:
    row = pick_step(mutant, has_polynomial, seed);
    return row >= 0 && change_polynomial(arena, mutant, row, seed);
  case MUTATE_WEAKER_FACT:
  case MUTATE_COMPARISON:
  case MUTATE_CONSTANT:
  case MUTATE_ARGUMENT:
  case MUTATE_GOAL:
  case MUTATE_DROP_FACT:
  case MUTATE_DEFINITION: return tamper_claim(m, arena, mutant, seed);
  }
  HY_UNREACHABLE();
}

static int places_of(mutation m, const slice_row *row) {
  if (m == MUTATE_DROP_SUMMAND) return is_plain_sum(row) ? (row->count - 1) / 2 : 0;
  return m == MUTATE_EMPTY_STEP && makes_one_hypothesis(row);
}

int mutation_places(mutation m, const slice *original) {
  int places = 0;
  for (int row = original->goal + 1; row < original->last; row++) places += places_of(m, &original->rows[row]);
  return places;
}

bool mutation_apply_at(mutation m, hy_arena *arena, const slice *original, int place, slice *mutant) {
  int row = original->goal + 1;
  for (; row < original->last && place >= places_of(m, &original->rows[row]); row++)
    place -= places_of(m, &original->rows[row]);
  if (row >= original->last) return false;
  *mutant = slice_copy(arena, original);
  if (m == MUTATE_DROP_SUMMAND)
    drop_summand(arena, mutant, row, 1 + 2 * place);
  else
    mutant->rows[row] = row_of(arena, "s", "(0)");
  return true;
}
