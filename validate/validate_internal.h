#ifndef HY_VALIDATE_INTERNAL_H
#define HY_VALIDATE_INTERNAL_H

/* The parts of validation: stage copies and their keys (validate/stage.c), one file per level, validate.c in charge. */

#include "engines/engine.h"
#include "semantics/base/vec.h"
#include "validate/validate.h"

// One copy of a stage in one program, with the loops around its assignment.
typedef struct hy_stage_copy {
  const hy_func *func;
  int spec, stage;
  const hy_stmt *compute, *assign;
  const hy_stmt *const *chain; // from directly inside the compute down to the assignment, both included
  int count;
  // The loops and lets that stand for the stage's own variables: pure dimensions in ascending order, then reduction
  // variables, the outermost first. NULL until they are found.
  const hy_var **keys;
  const char **names; // of the keys, as the algorithm has them
  const int *dims;    // of the pure keys
  int pure_count, rdom_count;
  bool extra, repeated; // directives so far were allowed to add points outside of Cpu, or to repeat some
} hy_stage_copy;

typedef struct hy_stage_list {
  hy_stage_copy *copies;
  int count;
} hy_stage_list;

hy_stage_list hy_stages_of(hy_context *context, const hy_tgt *tgt); // without keys
const hy_stage_copy *hy_stages_find(const hy_stage_list *list, const hy_func *func, int spec, int stage);
const hy_stmt *hy_stage_loop(const hy_stage_copy *copy, const hy_var *var); // NULL: there is none
const hy_expr *hy_stage_predicate(const hy_stage_copy *copy);               // the outermost; NULL: there is none
// Keys of a lowered program: the loops have the names of the algorithm's variables.
void hy_stages_name_keys(hy_context *context, const hy_tgt *lowered, hy_stage_list *stages);
// Keys of the program after a directive. NULL, or what is wrong: a stage or a variable was lost (then not "known":
// there are no keys), or an assignment or a variable's range was changed.
const char *hy_stages_carry_keys(hy_context *context, const hy_stage_list *before, const hy_directive *directive,
                                 hy_order_class promise, hy_stage_list *after, bool *known);
// validate/inlined.c: is the assignment, with its predicates, the one before with the func's definition at each access?
const char *hy_validate_inlined(hy_context *context, const hy_stage_list *stages, const hy_func *func,
                                const hy_stage_copy *before, const hy_stage_copy *after);
// validate/added.c: the same of a directive that adds a func. "from" is the copy before; NULL: it is the added func's
// own.
const char *hy_validate_added(hy_context *context, const hy_stage_list *before, const hy_directive *directive,
                              const hy_stage_copy *from, const hy_stage_copy *copy);
// validate/factored.c: what argmin and argmax make keeps what is less (op is <) or greater (>) than that part was.
typedef struct hy_better {
  hy_op op;
  int part;
} hy_better;
// Is the condition, v[part] < f(e)[part] of the assignment f(e) <- v, of bools !v[part] && f(e)[part], one of these?
bool hy_validate_keeps_better(hy_context *context, const hy_stmt *assign, const hy_expr *condition, hy_better *found);
// The same of rfactor as hy_validate_added.
const char *hy_validate_factored(hy_context *context, const hy_stage_list *before, const hy_directive *directive,
                                 const hy_stage_copy *from, const hy_stage_copy *copy);
// validate/reordered.c: what has to hold so that an rfactor may combine in another order what the update combines.
typedef struct hy_order_claim {
  const hy_expr *goal; // NULL: nothing known can show it
  bool at_entry;       // by what is known at entry alone, not in an iteration of the update
  const char *about;
} hy_order_claim;
typedef HY_VEC(hy_order_claim) hy_order_claims;
// "stages": of the program before; they need no keys. The caller frees the list; what is in it lives in the context.
hy_order_claims hy_validate_order(hy_context *context, const hy_tgt *before, const hy_stage_list *stages,
                                  const hy_directive *directive);
// Does the directive take a sum of floats apart? Then the outputs are others (DIR.RFactor.Real).
bool hy_validate_sums_anew(hy_context *context, const hy_tgt *before, const hy_directive *directive);
// validate/parted.c: the same of split_reduction.
const char *hy_validate_parted(hy_context *context, const hy_stage_list *before, const hy_directive *directive,
                               const hy_stage_copy *from, const hy_stage_copy *copy);
// Does the directive make that copy anew: of the func that it adds, or the update that it takes apart, or splits?
bool hy_stage_is_added(const hy_stage_copy *copy, const hy_directive *directive);
// Keys of a copy that no program before had: its loops.
void hy_stage_name_own_keys(hy_context *context, hy_stage_copy *copy);
bool hy_stage_is_source(const hy_stage_copy *copy, const hy_var *var); // is a let of the chain made of it?
// Does a directive work on the loops of that copy? Never for moves and bounds.
bool hy_stage_is_touched(const hy_stage_copy *copy, const hy_directive *directive);
const char *hy_stage_name(hy_context *context, const hy_stage_copy *copy); // "h.z1.s0"

/* -- names in messages (validate/names.c) -- */

// The copy as L3 asks about it: lets for loops whose names went to new ones are called so; the chain has no bodies.
// What was a loop in a program before has its name from the schedule, or from a plug-in, however it looks.
hy_stage_copy hy_stage_for_people(const struct hy_validator *v, const hy_stage_copy *copy);
void hy_validator_see_loops(struct hy_validator *v, const hy_stage_list *stages);

// One program of the series S_0 ... S_n with what was found out about it.
typedef struct hy_step {
  const hy_directive *directive; // that made it; NULL: lowering did
  hy_order_class promise;
  const hy_tgt *tgt, *filled, *skeleton; // filled: NULL if not tried, or if there are no fills
  bool was_filled;                       // or it was tried
  hy_stage_list stages;
  struct hy_trace **traces; // per input; NULL = not made
} hy_step;

// The last program that ran on an input, with its output.
typedef struct hy_baseline {
  int step; // its position in the history
  hy_outcome outcome;
} hy_baseline;

struct hy_validator {
  hy_context *context;
  hy_validate_options options;
  HY_VEC(hy_step) history;      // S_0 ... S_i
  hy_baseline *baselines;       // per input
  int phase;                    // of the directive before
  uint64_t spent, share;        // of options.work; the directive may take it so far
  uint64_t fill_cost;           // what the last fills took
  uint64_t *costs;              // per input: what a run took last, or more than it was given
  HY_VEC(const hy_var *) loops; // of all programs so far
};

static inline hy_step *hy_validator_last(const hy_validator *v) { return &v->history.data[v->history.count - 1]; }
// Is the directive being judged the last one?
static inline bool hy_validator_ends_with(const hy_validator *v) { return (int)v->history.count >= v->options.steps; }

/* -- what L0, L1 and L2 may take (validate/sample.c) -- */
void hy_sampling_start(hy_validator *v); // before the first directive
void hy_sampling_begin(hy_validator *v); // a directive's share
bool hy_sampling_may_read(hy_validator *v, const hy_step *step);
// How many of the inputs are looked at; "*traces": is there enough left for traces, too?
int hy_sampling_plan(hy_validator *v, bool is_proved, bool *traces);
void hy_sampling_grant(hy_validator *v);               // before the runs
bool hy_sampling_fill(hy_validator *v, hy_step *step); // false: there is nothing to run
uint64_t hy_sampling_limit(const hy_validator *v);     // of work, for one run; 0 = none
void hy_sampling_note(hy_validator *v, int input, uint64_t work);
void hy_sampling_trace(hy_validator *v, hy_step *step, int input);

/* -- L2 (validate/output.c): on so many inputs. A break that is found only now is blamed on the directive that made it.
 */
bool hy_validate_baseline(hy_validator *v, int input); // false: no program so far ran on it
void hy_validate_output(hy_validator *v, hy_step *after, int inputs, const hy_directive *directive,
                        hy_validation *validation);

/* -- L0: NULL, or what is wrong -- */
const char *hy_validate_structure(hy_validator *v, const hy_step *after, const hy_directive *directive);
// Print, parse, print again: the same text.
const char *hy_validate_text(hy_validator *v, const hy_step *after);

/* -- L1 -- */
typedef struct hy_trace hy_trace;
// The filled program with loops in order, no predicates and no data: only which iterations there are.
const hy_tgt *hy_trace_skeleton(hy_context *context, const hy_tgt *filled);
// NULL if the run did not finish within the limits. The work is added to "spent".
HY_GIVE hy_trace *hy_validate_trace(hy_context *context, const hy_step *step, const hy_input *input,
                                    uint64_t step_limit, uint64_t work_limit, uint64_t *spent);
void hy_trace_free(HY_TAKE hy_trace *trace);
// NULL, or where "after" breaks the promise.
const char *hy_trace_compare(hy_context *context, const hy_tgt *tgt, const hy_trace *before, const hy_trace *after,
                             const hy_directive *directive, hy_order_class promise);

/* -- L3 -- */
void hy_validate_symbolic(hy_validator *v, const hy_step *after, const hy_directive *directive,
                          hy_validation *validation);
// Of a final program: disjointness, in every stage.
void hy_validate_disjoint(hy_validator *v, const hy_step *final, hy_validation *validation);

#endif
