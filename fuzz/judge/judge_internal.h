#ifndef HY_JUDGE_INTERNAL_H
#define HY_JUDGE_INTERNAL_H

/* One case at work, and the questions that are put to it, by files. What they find goes to the judgement, where the
 * worst stays.
 */

#include "fuzz/judge/judge.h"

#include "engines/engine.h"
#include "halyard/pipeline.h"

enum { HY_MOST_IMAGES = 8 };

// One case while it is being judged.
typedef struct hy_judging {
  const hy_case *c;
  unsigned lanes, lane; // all of them; the one at work
  const char *altered;  // the line of the alteration to be judged; "" = some, by the seed
  hy_judgement *j;
  hy_context *context;
  hy_diagnostics *said;
  hy_source alg_source, items_source;
  hy_pipeline pipeline;
  // the input that is being run
  hy_value params[HY_MOST_PARAMS];
  hy_buffer *images[HY_MOST_IMAGES];
  hy_input input;
} hy_judging;

/* judge_found.c */

// Keeps the worst thing found, which nothing is blamed for yet. "rule" and "detail" may be NULL. False: something worse
// is known, or as bad.
bool hy_judging_find(hy_judging *g, hy_found found, const char *rule, const char *detail);
// The same with what was said; its first code is the rule. Something refused without a diagnostic is found silent.
bool hy_judging_find_said(hy_judging *g, hy_found found, const hy_diagnostics *said);
// The same with what was said of one code, which is the rule whatever else was said.
bool hy_judging_find_code(hy_judging *g, hy_found found, hy_code code, const hy_diagnostics *said);
// What was found is put down to a step; 0: the program as lowered.
void hy_judging_blame(hy_judging *g, int step);

/* judge.c */

// Reads the text of an algorithm and its core directives, one a line. "items_source" owns malloc'd text afterwards.
bool hy_judging_parse(hy_context *context, const char *alg, const char *items, hy_source sources[2],
                      hy_pipeline *pipeline, hy_diagnostics *said);
// In which order the parallel loops of the target program run: 0 = in order, anything else scrambles them.
uint64_t hy_judging_order(const hy_case *c, int index, int pass);
// Of a program that is not the pair's own: "output" if what it gave is not what the algorithm means, with the first
// point in the story; else NULL. requires: both ran
const char *hy_judging_output_differs(hy_judging *g, const hy_outcome *want, const hy_outcome *got, bool errors_too,
                                      hy_text *story);
// What of the algorithm's meaning and a run of the target program or native code does not fit.
void hy_judging_compare(hy_judging *g, hy_found found, const char *rule, const char *engine, const hy_buffer *want,
                        const hy_outcome *got);

/* judge_input.c: images as large as the program needs them, then their elements */

// False: the entry checks cannot be met. To be closed in either case.
bool hy_judging_open(hy_judging *g, const hy_tgt *filled, const hy_case_input *from);
void hy_judging_close(hy_judging *g);

/* judge_query.c: lanes 2 and 3 */
void hy_judging_decide(hy_judging *g);
// Does B leave a fold of the filled program unproved? No such program is run: what it does shows nothing but that. A
// fold with a model against it counts as any schedule that is refused.
bool hy_judging_refuses_fold(hy_judging *g);
// The same of any filled program: what its fold leaves open, in words, and whether there is a model; NULL: nothing.
const char *hy_judging_open_fold(hy_context *context, const hy_tgt *filled, bool *refuted);

/* judge_asked.c: does B ask what it has to? After it was decided. */
void hy_judging_asked(hy_judging *g);

/* judge_alter.c: what B proves of other bounds than the oracle's must run */
void hy_judging_alter(hy_judging *g);

/* judge_fault.c: what is accepted of hand-made faults must run */
void hy_judging_faults(hy_judging *g);

/* judge_values.c: does arithmetic give what the decisions say? Some operations, by the case's seed. */
void hy_judging_values(hy_judging *g);

/* judge_algebra.c: do rewrites of expressions keep their values? Some expressions, by the case's seed. */
void hy_judging_algebra(hy_judging *g);

/* judge_steps.c: did lowering and each directive make what they say? */
//   requires: a program that is scheduled and filled
void hy_judging_steps(hy_judging *g);

/* judge_frame.c: is a target program that breaks a rule refused? One made from the scheduled program. */
void hy_judging_frame(hy_judging *g);

/* judge_watch.c: does the monitor see a broken contract? On the open input, where the pair itself is right. */
void hy_judging_watch(hy_judging *g);

/* judge_promise.c: does each directive keep its promise? */
void hy_judging_promise(hy_judging *g);

/* judge_relation.c: the case's relation, on the open input */
void hy_judging_relate(hy_judging *g, const hy_buffer *want);

/* judge_forms.c: do the algorithm's forms mean what the case says? On the open input. */
void hy_judging_forms(hy_judging *g, const hy_buffer *want);
// Does the algorithm, its forms expanded, come back from its text?
void hy_judging_form_text(hy_judging *g);
// The same algorithm with some of its items in files that it includes, for one pair in four.
void hy_judging_included(hy_judging *g);

/* judge_passes.c: does each pass keep what the program means? On the open input. */
void hy_judging_passes(hy_judging *g, const hy_buffer *want);
// Is the program that they make proved, too? requires: all that it owed before them is
void hy_judging_passed(hy_judging *g, unsigned z3_limit);

/* judge_halide.c: does Halide compute what the algorithm means? */
void hy_judging_halide(hy_judging *g);
// Halide runs an output whose loop is rounded up only where its window is a multiple of the factor: the window is
// widened to one of all of them, for everybody.
hy_case_input hy_judging_widened(const hy_judging *g, const hy_case_input *from);

/* judge_quality.c: does this pair say anything? On the open input. */
void hy_judging_vary(hy_judging *g, const hy_buffer *want);

// Of one run of an interpreter. One run in a hundred would go on beyond the first number, and take as long as all
// others together: only what is run in native code, by Halide, or with a fault, may be as long as the second.
enum { HY_RUN_STEPS = 60000, HY_LONG_STEPS = 4 * HY_RUN_STEPS };

#endif
