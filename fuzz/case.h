#ifndef HY_CASE_H
#define HY_CASE_H

/* One pair of an algorithm and a schedule with one input, self-contained: what fuzzing judges, shrinks, writes down and
 * replays.
 */

#include "semantics/base/text.h"
#include "semantics/expr.h"

enum { HY_MOST_PARAMS = 4, HY_CASE_WINDOWS = 3 };

typedef struct hy_case_input {
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK]; // the window
  int64_t params[HY_MOST_PARAMS];             // all are of type int
  uint64_t seed;                              // of the images, of scrambled memory and parallel order
} hy_case_input;

typedef struct hy_case {
  char *alg;   // the text of the algorithm; malloc'd
  char *items; // core directives, one a line; malloc'd
  hy_case_input inputs[HY_CASE_WINDOWS];
  int input_count;
  uint64_t seed; // that it was generated from; 0 = by hand
  bool illegal;  // its schedule must be refused
} hy_case;

HY_GIVE hy_case hy_case_copy(const hy_case *other);
void hy_case_free(hy_case *c);

// The text of a case file. "notes" are lines of what was seen, printed as comments; NULL = none.
void hy_case_print(const hy_case *c, const char *notes, hy_text *out);
// False if it is not a case file; *why says what is wrong.
bool hy_case_parse(const char *text, hy_case *c, const char **why);

#endif
