#include "semantics/base/base.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One flag per row; HY_MUTANT declares the one that it reads.
#define HY_MUTANT_ROW(name, folder, undoes, lanes, tests, text) extern bool hy_mutant_##name;
#include "proofs_tests/mutants/mutants.def"
#undef HY_MUTANT_ROW
#define HY_MUTANT_ROW(name, folder, undoes, lanes, tests, text) bool hy_mutant_##name;
#include "proofs_tests/mutants/mutants.def"
#undef HY_MUTANT_ROW

static const struct {
  const char *name;
  bool *is_on;
} mutants[] = {
#define HY_MUTANT_ROW(name, folder, undoes, lanes, tests, text) {#name, &hy_mutant_##name},
#include "proofs_tests/mutants/mutants.def"
#undef HY_MUTANT_ROW
};

// The words of a name stand between "_": near is what shares one of at least three letters.
static bool is_near(const char *name, const char *wanted) {
  for (const char *word = wanted; *word;) {
    size_t length = strcspn(word, "_");
    char *piece = strndup(word, length);
    bool shared = length >= 3 && strstr(name, piece);
    hy_free(piece);
    if (shared) return true;
    word += length;
    word += *word == '_';
  }
  return false;
}

__attribute__((constructor)) static void switch_on(void) {
  const char *wanted = getenv("HALYARD_MUTANT");
  if (!wanted || !*wanted) return;
  for (size_t i = 0; i < HY_COUNT(mutants); i++)
    if (strcmp(mutants[i].name, wanted) == 0) {
      *mutants[i].is_on = true;
      return;
    }
  fprintf(stderr, "HALYARD_MUTANT: there is no mutant '%s'; near it:", wanted);
  for (size_t i = 0; i < HY_COUNT(mutants); i++)
    if (is_near(mutants[i].name, wanted)) fprintf(stderr, " %s", mutants[i].name);
  fprintf(stderr, " (all: proofs_tests/mutants/mutants.def)\n");
  exit(2);
}
