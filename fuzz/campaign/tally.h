#ifndef HY_TALLY_H
#define HY_TALLY_H

/* What pairs have shown, counted. Every field is a uint64_t, so that tallies add up, are written down and read back as
 * arrays; nothing in them depends on time.
 */

#include "fuzz/judge/judge.h"

enum { HY_DEPTHS = 5, HY_FUNC_COUNTS = 7 };

typedef struct hy_tally {
  uint64_t pairs, found[HY_FOUND_COUNT];
  uint64_t invalid, illegal; // algorithms and schedules made to break a rule
  uint64_t relations[HY_RELATIONS], related;
  uint64_t obligations, proved, proved_z3, refuted, unknown;
  uint64_t with_query, with_unknown; // pairs
  // the same by how hard the pair is
  uint64_t obligations_of[HY_SHAPES], unknown_of[HY_SHAPES], with_query_of[HY_SHAPES], with_unknown_of[HY_SHAPES];
  uint64_t certificates, uncertified;
  uint64_t altered, altered_proved, altered_refuted, altered_broke; // other bounds that B was asked about
  uint64_t faults, faults_refused, faults_proved;                   // hand-made ones
  uint64_t faults_given, given_proved;                              // of programs with "by given" lets
  uint64_t inputs, errors, runs, points;
  uint64_t usable, lazy_vacuous;   // pairs with an input that could be used; all of whose points are errors
  uint64_t varied, strict_vacuous; // pairs sampled; vacuous in strict mode
  uint64_t with_constant, constant_matters;
  uint64_t forms[HY_FORMS]; // pairs that have it
  uint64_t picked[HY_DIRECTIVE_KINDS], tails[3], traversals[4], depths[HY_DEPTHS], funcs[HY_FUNC_COUNTS];
  uint64_t hits[HY_RULE_COUNT]; // pairs that used the rule
} hy_tally;

void hy_tally_count(hy_tally *tally, const hy_judgement *judgement, const hy_walk *walk, hy_case_relation relation);
void hy_tally_add(hy_tally *tally, const hy_tally *other);
uint64_t hy_tally_failures(const hy_tally *tally); // pairs
int hy_tally_rules(const hy_tally *tally);         // how many rules were used

// One line of text without its end, and back; false if it is not one.
void hy_tally_print(const hy_tally *tally, hy_text *out);
bool hy_tally_parse(const char *text, hy_tally *tally);
// Which fields there are, as a number: tallies of different layouts do not add up.
uint64_t hy_tally_layout(void);

#endif
