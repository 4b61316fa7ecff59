#include "oracle/certificate/compare_claims.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void differs(hy_claim_comparison *c, const char *format, ...) HY_PRINTF(2, 3);
static void differs(hy_claim_comparison *c, const char *format, ...) {
  char sentence[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  c->differences++;
  c->differs(c->self, sentence);
}

/* -- of what stronger statement the file speaks; that is computed and compared -- */

static bool says(const hy_claim *claim, const char *about, hy_generalization *what) {
  size_t length = strlen(about);
  if (strncmp(claim->about, about, length) != 0) return false;
  for (*what = HY_ANY_DIVISORS; *what <= HY_NAMED_ALL; ++*what) {
    char suffix[80];
    snprintf(suffix, sizeof suffix, " (for %s)", hy_generalization_name(*what));
    if (strcmp(claim->about + length, suffix) == 0) return true;
  }
  *what = HY_AS_IT_STANDS;
  return claim->about[length] == 0;
}

// An open obligation is one claim of the file and may be several that are owed: it is looked for a little further on.
hy_generalization hy_claim_choose(void *self, const char *about) {
  enum { FAR = 64 };
  hy_claim_choice *choice = self;
  hy_generalization what;
  for (size_t i = choice->next; i < choice->file->claims.count && i < choice->next + FAR; i++) {
    if (!says(&choice->file->claims.data[i], about, &what)) continue;
    choice->next = i + 1;
    return what;
  }
  return HY_AS_IT_STANDS;
}

/* -- one claim -- */

static bool compare_formulas(hy_claim_comparison *c, const hy_claim *is, const hy_claim *owed) {
  if (is->fact_count != owed->fact_count) {
    differs(c, "%s has %zu facts, and %zu hold there", is->id, is->fact_count, owed->fact_count);
    return false;
  }
  for (size_t i = 0; i < is->fact_count; i++) {
    if (is->facts[i] == owed->facts[i]) continue;
    differs(c, "fact %zu of %s is another (%s: %s)", i + 1, is->id, owed->rule, owed->about);
    return false;
  }
  if (is->goal != owed->goal) differs(c, "the goal of %s is another (%s: %s)", is->id, owed->rule, owed->about);
  return is->goal == owed->goal;
}

static void compare_claim(hy_claim_comparison *c, const hy_claim *is, const hy_claim *owed, size_t position) {
  if (strcmp(is->id, owed->id) != 0)
    differs(c, "%s stands where %s is owed", is->id, owed->id);
  else if (strcmp(is->rule, owed->rule) != 0 || strcmp(is->about, owed->about) != 0)
    differs(c, "%s is \"%s: %s\", and \"%s: %s\" is owed", is->id, is->rule, is->about, owed->rule, owed->about);
  else if (!compare_formulas(c, is, owed))
    return;
  else if (is->is_dead && c->may_be_dead && !c->may_be_dead(c->self, position))
    differs(c, "%s is said to be dead, and runs come there (%s: %s)", is->id, owed->rule, owed->about);
  else
    c->same++;
}

/* -- one program -- */

static void compare_words(hy_claim_comparison *c, const char *program, const char *what, const char *is,
                          const char *owed) {
  if (strcmp(is, owed) != 0) differs(c, "of '%s', %s is %s in the file, and %s here", program, what, is, owed);
}

// Are they claims of one obligation: "NAME/7", "NAME/7.2"?
static bool is_of_one(const hy_claim *a, const hy_claim *b) {
  size_t length = strcspn(a->id, ".");
  return strncmp(a->id, b->id, length) == 0 && strchr(".", b->id[length]);
}

// Takes one claim of the file that has no proof; returns how many of those that are owed it stands for.
static size_t take_open(hy_claim_comparison *c, const hy_claim *is, const hy_claimed_program *owed, size_t at) {
  const hy_claim *first = &owed->claims.data[at];
  size_t count = 1;
  c->open++;
  if (!c->open_is_fine)
    differs(c, "%s is open: there is no proof of it (%s: %s)", is->id, first->rule, first->about);
  else if (!is_of_one(is, first))
    differs(c, "%s stands where %s is owed", is->id, first->id);
  if (strchr(is->id, '.')) return count;
  while (at + count < owed->claims.count && is_of_one(is, &owed->claims.data[at + count])) count++;
  return count;
}

void hy_claims_compare(hy_claim_comparison *c, const hy_claimed_program *owed) {
  const hy_claimed_program *file = c->file;
  compare_words(c, owed->name, "the hash of the target program", file->target, owed->target);
  if (strcmp(owed->algorithm, "-") != 0) { // a target program by itself says of what it was made no more than "-"
    compare_words(c, owed->name, "the hash of the algorithm", file->algorithm, owed->algorithm);
    compare_words(c, owed->name, "the hash of the schedule", file->schedule, owed->schedule);
  }
  compare_words(c, owed->name, "the number of obligations", file->obligations, owed->obligations);
  size_t i = 0, at = 0;
  for (; i < file->claims.count && at < owed->claims.count; i++)
    if (file->claims.data[i].is_open)
      at += take_open(c, &file->claims.data[i], owed, at);
    else
      compare_claim(c, &file->claims.data[i], &owed->claims.data[at], at), at++;
  for (; at < owed->claims.count; at++) differs(c, "%s is missing", owed->claims.data[at].id);
  for (; i < file->claims.count; i++) differs(c, "%s is not owed", file->claims.data[i].id);
}
