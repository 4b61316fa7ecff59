#ifndef HY_GATE_RESULT_H
#define HY_GATE_RESULT_H

/* What the gate found: a list of checks, as values. Printing them is the command line's. */

#include "gate/manifest/manifest.h"

// In the order in which they win: the last is the worst. Only the first is a yes.
typedef enum {
  HY_GATE_PASSED,
  HY_GATE_UNDECIDED, // no proof, no machine to run it on, one that is too noisy: nobody knows
  HY_GATE_SLOWER,    // than is allowed
  HY_GATE_STALE,     // the sources are others by now
  HY_GATE_MALFORMED, // a file is missing or cannot be read
  HY_GATE_WRONG,     // refuted: other bytes, other proofs, other outputs
  HY_GATE_DEFECT,    // of Halyard
} hy_gate_verdict;
enum { HY_GATE_VERDICTS = HY_GATE_DEFECT + 1 };
const char *hy_gate_verdict_name(hy_gate_verdict verdict); // "passed", "undecided", ...

// Times of the baseline's time: the median, and an interval for it. 0: it was not measured.
typedef struct hy_gate_ratio {
  double low, median, high;
} hy_gate_ratio;

// What level 2 did, in numbers that add up over shards (gate/shards/); all 0: there is nothing to add.
typedef struct hy_gate_counts {
  uint64_t inputs, useless, runs, points, refusals;
  uint64_t threads;  // the most of a run; of several shards the greatest
  uint64_t emulated; // 1: the runs were an emulator's
} hy_gate_counts;

// How a counterexample goes, for who follows it: what is run, what it has to give, what it gives.
typedef struct hy_gate_step {
  const char *file; // of the folder; never NULL
  const char *text; // a sentence without its stop
} hy_gate_step;
enum { HY_GATE_STEPS = 3 };

typedef struct hy_gate_check {
  int level;
  const char *name;   // what was looked at, the same in every run: "bytes", "note", "obligations", ...
  const char *file;   // whose; NULL: the folder's
  const char *target; // NULL: of all
  hy_gate_verdict verdict;
  unsigned code;     // HY09xx; 0 where it passed
  const char *story; // what was seen, a sentence's end; never NULL
  const char *help;  // what to do; NULL: nothing to say
  double seconds;
  hy_gate_ratio ratio;               // level 4
  hy_gate_counts counts;             // level 2
  hy_gate_step steps[HY_GATE_STEPS]; // a text that is NULL: none, and none behind it
  bool is_allowed; // undecided, and the user said that it may be: it does not count, and is not called passed
} hy_gate_check;

enum { HY_GATE_LEVELS = 5 };

// Which part of the work is asked for: of "count" shards number "index", from 0. Who does what depends on nothing else:
// unit "number" of a level (an input, a target, ..) is that shard's whose index is its rest by count.
typedef struct hy_gate_shard {
  uint64_t index, count; // count 0 or 1: all of it
} hy_gate_shard;
bool hy_gate_shard_has(hy_gate_shard shard, uint64_t number);

typedef struct hy_gate_result {
  hy_arena *arena; // of all texts
  const char *folder, *manifest_name;
  const hy_manifest *manifest; // NULL: it could not be read
  bool asked[HY_GATE_LEVELS];  // levels
  bool
      elsewhere[HY_GATE_LEVELS]; // levels that were asked for, and are other shards' work, all of them: nothing is said
  double seconds[HY_GATE_LEVELS];
  HY_VEC(hy_gate_check) checks; // by level
} hy_gate_result;

void hy_gate_result_free(hy_gate_result *result);

// Adds a check with its story; the strings are copied. Returns it for what else is to be said.
hy_gate_check *hy_gate_add(hy_gate_result *result, int level, const char *name, const char *file,
                           hy_gate_verdict verdict, unsigned code, const char *format, ...) HY_PRINTF(7, 8);
// The next step of a check that is wrong; the strings are copied. NULL or "" as a text or file: no step.
void hy_gate_add_step(hy_gate_result *result, hy_gate_check *check, const char *file, const char *text);
hy_gate_verdict hy_gate_worst(const hy_gate_result *result); // of all
hy_gate_verdict hy_gate_worst_of(const hy_gate_result *result, int level);
size_t hy_gate_count(const hy_gate_result *result, int level, hy_gate_verdict verdict); // level -1: of all

// told.c. What a check with counts says of them: "meaning" and "runs", which passed; "no-input", without one.
const char *hy_gate_tell_counts(hy_arena *arena, const hy_gate_check *check, bool has_algorithm);

#endif
