#ifndef HY_JUDGE_H
#define HY_JUDGE_H

/* What one case shows: is the pair legal, do all engines agree, is B(S) decided? */

#include "fuzz/pairs/case.h"
#include "fuzz/pairs/generate.h"
#include "fuzz/pairs/lanes.h"

typedef enum {
  HY_FOUND_NOTHING,
  HY_FOUND_REFUSED,  // the schedule is refused with a diagnostic, or an index is unbounded: no failure
  HY_FOUND_UNUSABLE, // no input of the case meets the entry checks, or every run was too long
  HY_FOUND_VACUOUS,  // the entry facts exclude every input: an image is read outside of its own box, say
  HY_FOUND_NO_SOLUTION, // nothing fills the holes (D58), or not behind directives: a weakness, or reads that chase each other
  HY_FOUND_OVERFLOW,    // an index or bound may not fit 64 bits in an absurd window (decision D26): no failure
  HY_FOUND_UNEXPORTED,  // lane "halide": it has something that Halide has no such meaning for: no failure
  HY_FOUND_DECLINED,    // lane "halide": Halide says that it will not: a difference of the two, not a failure
  HY_FOUND_UNCERTIFIED, // some obligation is proved and has no certificate: a weakness, not a failure
  HY_FOUND_UNDECIDED,   // some obligation is UNKNOWN: a weakness, not a failure
  // failures, the worse the later
  HY_FOUND_REFUTED,       // the oracle's own fills break an obligation
  HY_FOUND_INVALID,       // the generator's algorithm is refused: a defect of the generator
  HY_FOUND_ACCEPTED,      // what breaks a rule is accepted
  HY_FOUND_SILENT,        // refused without a diagnostic
  HY_FOUND_REFUSES_INPUT, // an engine refuses an input whose entry checks hold
  HY_FOUND_HALIDE,        // Halide computes something else, crashes, hangs or speaks of an error of its own
  HY_FOUND_UNRELATED,     // a change that must not matter does (metamorphic relations)
  HY_FOUND_REJECTED,      // halyard-certcheck rejects a certificate
  HY_FOUND_PROMISE,       // a directive did not do what it promised, or was at fault
  HY_FOUND_NATIVE,        // native code differs
  HY_FOUND_UNSOUND,       // B proves other bounds than the oracle's, and with them the run breaks
  HY_FOUND_CONTRACT,      // the monitor saw a broken contract
  HY_FOUND_DISAGREE,      // the target program differs from the algorithm
  HY_FOUND_CONTESTED,     // prover and Z3 contradict each other
  HY_FOUND_HANG,
  HY_FOUND_CRASH,
} hy_found;
enum { HY_FOUND_COUNT = HY_FOUND_CRASH + 1 };
const char *hy_found_name(hy_found found);
bool hy_found_of_name(const char *name, hy_found *found);
static inline bool hy_found_is_failure(hy_found found) { return found >= HY_FOUND_REFUTED; }
// No failure, but worth a case of its own: what Halyard should be able to do, and cannot.
static inline bool hy_found_is_weakness(hy_found found) {
  return found == HY_FOUND_NO_SOLUTION || found == HY_FOUND_UNCERTIFIED || found == HY_FOUND_UNDECIDED;
}

enum { HY_PLUGIN_NAME_ROOM = 64 };
enum { HY_HIT_WORDS = (HY_RULE_COUNT + 63) / 64 };

typedef struct hy_judgement {
  hy_found found;
  unsigned lane; // that found it
  char rule[32]; // what is broken: an obligation's or a directive's rule, a contract, a diagnostic's code, a relation
  int directive; // the kind after which it is first seen; HY_NO_DIRECTIVE = before any, or not looked for
  char plugin[HY_PLUGIN_NAME_ROOM]; // its name, if it comes from outside the tree
  int input;                        // which input shows it
  int step;                         // the first prefix of the schedule that shows it, -1 = not looked for
  char end[16]; // how the judge's process ended: "signal 11", "status 3", "time"; "" = it did not end early
  int obligations, proved, proved_z3, refuted, unknown;
  int certificates, uncertified; // where they were asked for: accepted by halyard-certcheck; proved without one
  int altered, altered_proved, altered_refuted; // other bounds that B was asked about (alter.h)
  int altered_broke;                            // refuted ones whose run broke on an input of the pair
  char altered_line[HY_ALTERATION_ROOM];        // of what was found unsound
  int faults_given, given_proved;               // of them on programs with "by given" lets; what was accepted of those
  int faults, faults_refused, faults_proved;    // hand-made faults (fault.h): refused as ill-formed; accepted, and run
  int runs;                                     // of target programs and native code that were compared
  int inputs, errors;    // inputs used, and those whose every point has an error value by the algorithm
  bool related, varied;  // the case's relation was tried; constants and strict mode were sampled
  bool constant_matters; // the output changed with one constant of the algorithm
  bool has_constant, strict_vacuous;
  uint64_t points; // compared
  uint64_t hits[HY_HIT_WORDS];
  double fill_seconds, decide_seconds;
  char detail[600]; // what was expected and what came, for people
} hy_judgement;

// The pair with one of its inputs as a program for Halide alone, which prints what differs from the algorithm's
// meaning.
bool hy_judge_halide_program(const hy_case *c, int input, hy_text *out);

// "first_step": of a failure, look for the first prefix that shows it. The judgement of the worst thing found.
void hy_judge(const hy_case *c, unsigned lanes, bool first_step, hy_judgement *judgement);
// The same in a child process within a limit of time, so that crashes and hangs are findings.
void hy_judge_apart(const hy_case *c, unsigned lanes, bool first_step, unsigned seconds, hy_judgement *judgement);
// The same, and not beyond a time of hy_seconds (0 = none): false if that ended it, which shows nothing.
bool hy_judge_apart_until(const hy_case *c, unsigned lanes, bool first_step, unsigned seconds, double deadline,
                          hy_judgement *judgement);
// Can something be read, by then at the latest (0 = whenever)?
bool hy_wait_readable(int file, double deadline);
// From now on this process is killed when it has used so much of a processor, or waited ten times as long.
void hy_judge_limit(unsigned seconds);
// What the end of such a process shows, by its status as waitpid gives it.
void hy_judge_death(int status, hy_judgement *judgement);
// The same of a process that used plug-ins: what ended inside of one of their functions is the plug-in's fault.
void hy_judge_end(const struct hy_plugins *plugins, int process, int status, hy_judgement *judgement);
// What such a process says before it dies: a file for its standard error, which it takes at its beginning, and of which
// the last line joins what its end shows, if it ended early. Closes the file.
int hy_judge_hear(void);
void hy_judge_speak_to(int words);
void hy_judge_quote(int words, hy_judgement *judgement);
// Do two judgements show the same defect?
bool hy_judgement_same(const hy_judgement *a, const hy_judgement *b);
// The directive that it is put down to; a plug-in's by its own name. "none" if there is none.
const char *hy_judgement_directive(const hy_judgement *j);
// "disagree/split/DIR.Split": failures with equal keys count as one; and the name of its case file.
void hy_judgement_key(const hy_judgement *j, char *key, size_t room);
enum { HY_KEY_ROOM = 128 };

typedef struct hy_shrink_limits {
  double seconds; // of processor time; ten times as long by the clock
  int tries;      // candidates judged; reached before the time is, the result does not depend on the machine
} hy_shrink_limits;
// Candidates that are a little smaller, tried until nothing smaller shows the same.
void hy_shrink(hy_case *c, unsigned lanes, const hy_shrink_limits *limits, hy_judgement *judgement);

#endif
