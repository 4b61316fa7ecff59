#ifndef HY_GENERATE_H
#define HY_GENERATE_H

/* Random programs, valid by construction, and random schedules, legal because each move is asked of sched/ first; now
 * and then one that breaks a rule by construction, which Halyard must refuse.
 */

#include "fuzz/pairs/case.h"
#include "fuzz/pairs/choices.h"
#include "fuzz/pairs/forms.h"
#include "sched/sched.h"

enum { HY_MOST_FACTORS = 16, HY_DIRECTIVE_KINDS = HY_OWN_DIRECTIVES + 1, HY_NO_DIRECTIVE = -1 };

// How hard a pair is for a prover of linear arithmetic.
typedef enum {
  HY_SHAPE_AFFINE,   // quasi-affine: sums, quotients and remainders by constants, min, max, clamps
  HY_SHAPE_SYMBOLIC, // the same, and factors or bounds of directives that are parameters
  HY_SHAPE_OTHER,    // products by parameters, what may not fit 64 bits or be an error in a predicate or an index
} hy_shape;
enum { HY_SHAPES = HY_SHAPE_OTHER + 1 };

// What a walk through the phases did.
typedef struct hy_walk {
  int64_t factors[HY_MOST_FACTORS]; // constant split factors that were picked
  int factor_count;
  unsigned picked[HY_DIRECTIVE_KINDS], tails[3], traversals[4];
  int deepest;         // how many splits stand inside each other
  int funcs;           // of the algorithm
  const char *planted; // the rule that the algorithm or the schedule was made to break; NULL = none
  int planted_kind;    // the directive that breaks it; HY_NO_DIRECTIVE = the algorithm
  hy_shape shape;
  hy_forms forms;
  bool silent; // something was refused without a diagnostic: a defect of ours
} hy_walk;

void hy_walk_count(hy_walk *walk, const hy_directive *directive);
void hy_walk_measure(hy_walk *walk, const hy_tgt *scheduled);

typedef struct hy_generate_options {
  int favourite; // a directive's number (hy_sched_number) that schedules are to hold; HY_NO_DIRECTIVE = none
  int neighbour; // another one, when the favourite is HY_OWN_DIRECTIVES, one from outside the tree; 0 (specialize)
                 // counts only with plug-ins
  const struct hy_plugins *plugins; // directives from outside the tree that schedules use, too; NULL = none
  bool edges;                       // every algorithm goes where numbers end
  bool found;                       // schedules are what autosched/ finds
} hy_generate_options;

// The case that a choice sequence makes. False: the algorithm, meant to be valid, is refused; case and walk are still
// set.
bool hy_case_generate(hy_choices *choices, const hy_generate_options *options, hy_case *c, hy_walk *walk);

/* -- parts -- */

// generate_copies.c: who is to read a copy.
typedef struct hy_generate_branches {
  const hy_func *readers[HY_MOST_READERS];
  int branches[HY_MOST_READERS];
  int count;
} hy_generate_branches;
// A copy of the func for all that reads it in that specialization of a reader. False: nothing does.
bool hy_generate_copy(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_func *reader, int branch,
                      hy_directive *directive);

// A compute_at that each specialization of the consumer follows (SCH.Spread), behind the text of a schedule that makes
// "tgt". False: there is none that may stand there.
bool hy_generate_spread(hy_context *context, const hy_tgt *tgt, const hy_tgt *lowered, hy_text *out);
// Puts "default inline;" at the head of the schedule's lines, if that is legal. "*placed": it says where a func with
// updates is computed.
bool hy_generate_default(hy_context *context, const hy_tgt *lowered, hy_text *out, bool *placed);

// The text of an algorithm: 1 to 6 funcs, 0 to 6 dimensions, 0 to 3 updates each. True: something in it decides bounds
// and is not quasi-affine with constant coefficients. "written" gets the same with its forms written out, if it has
// any.
bool hy_generate_alg(hy_choices *choices, const hy_generate_options *options, hy_forms *forms, hy_text *out,
                     hy_text *written);
// Adds a func that breaks a rule to the text of an algorithm. Which rule.
const char *hy_generate_invalid(hy_choices *choices, hy_text *alg);
// Core directives for a lowered program, one a line, walked through the phases.
void hy_generate_schedule(hy_choices *choices, hy_context *context, const hy_tgt *lowered,
                          const hy_generate_options *options, hy_walk *walk, hy_text *out);
// The same, as autosched/ finds them for sizes that are drawn, of an algorithm and its text. Nothing where no sizes are
// to be had.
void hy_generate_found(hy_choices *choices, hy_context *context, const hy_alg *alg, const char *text, hy_walk *walk,
                       hy_text *out);
// A directive of that type with arguments of its kinds; what takes a loop takes "loop", one of the loops of "tgt"
// (outermost first). False if they cannot be had there. "names" counts the new names. "wanted": what one of the
// arguments is to be; NULL = chance decides about all.
typedef struct hy_wanted_argument {
  int position;
  const hy_expr *value;
} hy_wanted_argument;
bool hy_generate_directive(hy_choices *choices, hy_context *context, const hy_tgt *tgt, const hy_stmt *const *loops,
                           size_t count, const hy_stmt *loop, const hy_directive_type *type,
                           const hy_wanted_argument *wanted, int *names, hy_directive *directive);
// The same, of one of the directives from outside the tree.
bool hy_generate_plugin(hy_choices *choices, hy_context *context, const hy_tgt *tgt, const hy_stmt *const *loops,
                        size_t count, const hy_stmt *loop, const hy_wanted_argument *wanted, int *names,
                        hy_directive *directive);
// Directives of which the last cannot be right for "tgt", whatever sched/ says. Which rule it breaks; NULL if no place
// for it was found. "early": the phases behind the loops are still to come.
const char *hy_generate_illegal(hy_choices *choices, hy_context *context, const hy_tgt *tgt, bool early,
                                hy_directive *directives, int *count);
enum { HY_MOST_PLANTED = 2 };

#endif
