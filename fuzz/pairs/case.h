#ifndef HY_CASE_H
#define HY_CASE_H

/* One pair of an algorithm and a schedule with its inputs, self-contained: what fuzzing judges, shrinks, writes down
 * and replays.
 */

#include "fuzz/change/alter.h"
#include "semantics/base/text.h"
#include "semantics/expr/expr.h"

enum { HY_MOST_PARAMS = 4, HY_CASE_WINDOWS = 3, HY_CASE_POINTS = 1000000 }; // of each window that is read

typedef struct hy_case_input {
  int64_t min[HY_MAX_WINDOW], len[HY_MAX_WINDOW]; // the windows of all outputs, one after the other
  int64_t params[HY_MOST_PARAMS];                 // what hy_case_param makes of it
  uint64_t seed;                                  // of the images, of scrambled memory and parallel order
} hy_case_input;

// A change of the pair that must not change the output (metamorphic relations).
typedef enum {
  HY_RELATION_NONE,
  HY_RELATION_IDENTITY,   // a func that copies the output is appended
  HY_RELATION_PERMUTE,    // two directives that speak of different funcs are exchanged: the same program
  HY_RELATION_SPLIT_ONE,  // a loop is split by 1
  HY_RELATION_SPLIT_FUSE, // a loop is split, and the two loops are fused
  HY_RELATION_SPECIALIZE, // a func is specialized on what is always true
  HY_RELATION_RENAME,     // everything gets another name: the same program but for names
  HY_RELATION_WIDEN,      // a func's bounds are rounded out, and all that it reads with them
  HY_RELATION_CHAINED,    // the schedule is written in chains, and read back: the same program
} hy_case_relation;
enum { HY_RELATIONS = HY_RELATION_CHAINED + 1 };
const char *hy_case_relation_name(hy_case_relation relation);

// A directive from outside the tree that the schedule uses, and the file that it was read from, without its folder.
typedef struct hy_case_plugin {
  char name[64], file[128];
} hy_case_plugin;
enum { HY_CASE_PLUGINS = 8 };

typedef struct hy_case {
  char *alg;     // the text of the algorithm; malloc'd
  char *written; // the same with its forms written out, by whoever made the case; malloc'd; NULL = not known
  char *items;   // core directives, one a line; malloc'd
  hy_case_input inputs[HY_CASE_WINDOWS];
  int input_count;
  uint64_t seed;  // that it was generated from; 0 = by hand
  bool illegal;   // the algorithm or its schedule must be refused
  unsigned lanes; // it was judged in; 0 = not said
  hy_case_relation relation;
  char altered[HY_ALTERATION_ROOM]; // the line of the alteration of its bounds to be judged; "" = some, by the seed
  struct hy_halide *halide;         // which lane "halide" asks; NULL = none; borrowed
  const struct hy_plugins *plugins; // directives from outside the tree that items may use; NULL = none; borrowed
  hy_case_plugin needed[HY_CASE_PLUGINS]; // of a case that was read: those that it says it uses
  int needed_count;
} hy_case;

// The value of a parameter: of integers the number modulo 2^bits, of bool its last bit, of floats a quarter of it, but
// infinity and NaN for the greatest and the least number.
hy_value hy_case_param(hy_type type, int64_t number);

HY_GIVE hy_case hy_case_copy(const hy_case *other);
void hy_case_free(hy_case *c);

// The text of a case file, with those of "plugins" that items use (without plug-ins: those that were read). "notes" are
// lines of what was seen, printed as comments; NULL = none.
void hy_case_print(const hy_case *c, const char *notes, hy_text *out);
// False if it is not a case file; *why says what is wrong.
bool hy_case_parse(const char *text, hy_case *c, const char **why);

#endif
