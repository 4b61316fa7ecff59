#ifndef HY_OPTIONS_H
#define HY_OPTIONS_H

/* The command line as written: a verb, files, options. What the words mean for a program is arguments.h's business. */

#include "cli/session/report.h"
#include "semantics/base/diagnostic.h"
#include "semantics/base/vec.h"
#include "semantics/expr/expr.h"
#include "tape/tape.h"

typedef enum {
  HY_VERB_RUN,
  HY_VERB_CHECK,
  HY_VERB_VERIFY,
  HY_VERB_SHOW,
  HY_VERB_BENCH,
  HY_VERB_BUILD,
  HY_VERB_SHIP,
  HY_VERB_GATE,
  HY_VERB_EXPORT,
  HY_VERB_DIFF,
  HY_VERB_DIRECTIVES,
  HY_VERB_FUZZ,
  HY_VERB_REPLAY,
  HY_VERB_REDUCE,
  HY_VERB_VALIDATE,
  HY_VERB_TUNE,
  HY_VERB_FMT,
  HY_VERB_LSP,
  HY_VERB_COMPLETION,
  HY_VERB_MAN,
  HY_VERB_HELP,
} hy_verb;
enum { HY_VERB_COUNT = HY_VERB_HELP + 1 };

typedef enum { HY_ENGINE_NATIVE, HY_ENGINE_TGT, HY_ENGINE_ALG, HY_ENGINE_HALIDE } hy_engine;
const char *hy_engine_name(hy_engine engine);

// What --trace prints beside derivations: bits.
enum { HY_TRACE_LOADS = 1, HY_TRACE_STORES = 2, HY_TRACE_REALIZATIONS = 4 };

// "w=3": the name is malloc'd, the value points into the command line.
typedef struct hy_setting {
  char *name;
  const char *value;
} hy_setting;

// One side of --window: "x=0:640".
typedef struct hy_window_side {
  char *name;
  int64_t min, len;
} hy_window_side;

typedef struct hy_options {
  hy_verb verb;
  HY_VEC(const char *) words; // what is not an option: files; for help a verb
  HY_VEC(const char *) given; // the long names of options that were written, in order
  HY_VEC(hy_setting) params, images;
  HY_VEC(hy_setting) estimates;                                        // tune
  int64_t vector_width, parallelism, cache_kb, load_cost;              // tune; 0: not given
  int64_t budget;                                                      // tune: seconds
  const char *start, *freeze, *sweep, *replay, *measurements, *report; // tune; NULL: not given
  HY_VEC(const char *) plugins;                                        // shared objects with directives
  HY_VEC(hy_window_side) window;
  bool window_given;
  const char *emit, *target, *name;                                                  // build, ship; NULL: not given
  const char *to, *with;                                                             // export; verify; NULL: not given
  bool idiomatic, unscheduled;                                                       // export
  const char *cache;                                                                 // ship; NULL: not given
  bool unproved;                                                                     // build, ship
  int64_t level;                                                                     // gate, tune
  int64_t inputs;                                                                    // gate
  bool verify_only, rebuild;                                                         // gate
  const char *baseline;                                                              // gate; NULL: not given
  double max_slowdown;                                                               // gate
  const char *allow, *junit, *sarif, *markdown, *svr, *test_result, *second_checker; // gate; NULL: not given
  unsigned events;                                                                   // run: --trace=.., of HY_TRACE_*
  const char *trace_funcs;                                                           // run; NULL: not given
  HY_VEC(const char *) outputs;                                                      // -o; run: one or more
  HY_VEC(const char *) compared;                                                     // run
  int64_t quality;                                                                   // run; 0: not given
  double tolerance;                                                                  // run
  const char *output, *stage, *certificates, *against;                               // NULL: not given
  hy_engine engine;
  hy_mode mode; // decision D4
  hy_colour colour;
  bool json, trace, guard, profile, verbose, check, explain, directives, recheck, help;
  bool write;         // fmt
  bool recheck_coq;   // --recheck=coq
  bool defer_unknown; // --unknown=runtime
  uint64_t seed;
  int64_t cases, repeat, z3_limit, steps;
  int64_t emergency_ms;            // 0: not given
  int64_t pairs, seconds, jobs;    // fuzz; 0 pairs or seconds: no limit
  const char *lanes, *out;         // fuzz, replay; NULL: not given
  const char *directive, *choices; // fuzz; NULL: not given
  const char *shard, *part;        // fuzz, gate; gate; NULL: not given
  bool merge, resume;              // fuzz, gate; fuzz
  int64_t stop_at, shrink;         // fuzz: 0 failures = no end, 0 seconds = findings are left as they are
  double reference_ms;             // 0: not given
} hy_options;

// argv[1] is the verb. False after reporting; the options must be freed either way.
bool hy_options_parse(hy_options *options, int argc, char **argv, hy_diagnostics *diagnostics);
void hy_options_free(hy_options *options);
// The word of --color. False if it is none.
bool hy_colour_find(const char *text, hy_colour *colour);
// The first option that was written and is called by one of the long names; NULL: none was.
const char *hy_options_first_of(const hy_options *options, const char *const *names, size_t count);

/* -- the tables, for help, manual pages and completion -- */

typedef struct hy_option_row {
  const char *name;
  char letter;
  const char *argument;  // NULL: it takes none; "[=coq]": it may
  const char *completes; // of options.def; NULL: nothing is known of the argument
  unsigned verbs;
  const char *meaning;
} hy_option_row;

typedef struct hy_verb_row {
  const char *name, *form, *meaning;
  const char *files; // what its words are, as in "completes"; @verb: the name of one
} hy_verb_row;

const hy_option_row *hy_option_at(size_t index); // NULL behind the last
bool hy_option_is_of(const hy_option_row *row, hy_verb verb);
const hy_verb_row *hy_verb_about(hy_verb verb);
bool hy_verb_takes_program(hy_verb verb); // A [S]
extern const char hy_help_program[];      // what A and S are

bool hy_verb_find(const char *name, hy_verb *verb);
const char *hy_verb_name(hy_verb verb);
// "halyard run A [S] [options]" and what it does, with its options.
void hy_help_verb(hy_verb verb, hy_text *out);
// Its options, but for those that are called by one of the long names; and what its exit statuses mean.
void hy_help_options(hy_verb verb, const char *const *without, size_t count, hy_text *out);
void hy_help_statuses(hy_verb verb, hy_text *out);
void hy_help_all(hy_text *out);

#endif
