#ifndef HY_SUGAR_H
#define HY_SUGAR_H

/* Desugaring in parts: sugar.c (calls, and the order of the whole), read.c (directives by their records),
 * sugar_arguments.c; methods of chains: sugar_loops.c, sugar_reorder.c, sugar_move.c, sugar_specialize.c,
 * funcs/sugar_funcs.c.
 */

#include "sched/rewrite.h"
#include "semantics/base/vec.h"

typedef HY_VEC(hy_directive) hy_directive_list;

// A stage of a branch that chains have turned to.
typedef struct hy_begun {
  int branch, stage;
} hy_begun;

// The one specialize directive of a func: branch k + 1 is conditions.data[k].
typedef struct hy_specialization {
  const hy_func *func;
  hy_loc loc;
  bool is_core; // written as "specialize(f, ...)"
  HY_VEC(const hy_expr *) conditions;
  HY_VEC(hy_begun) begun; // what chains say of the stage goes on without them
  bool is_followed;       // some call was made in a copy, too
} hy_specialization;

// A reduction that is summed in vectors (funcs/sugar_vectors.c): the func of its lanes, and the loop that combines them.
typedef struct hy_lane_sum {
  const hy_func *made;
  const hy_var *combining;
  const hy_call *call;
} hy_lane_sum;

typedef struct hy_chain {
  const hy_func *func; // the chain's func
  int stage;           // .update(k) turns to stage k + 1
  int spec;            // .specialize(c) turns to c's branch
} hy_chain;

// A compute_at, store_at or slide of a chain, added to its phase, whose loop is looked for when all moves were read.
typedef struct hy_placed {
  hy_phase phase;
  size_t index;
  const hy_func *consumer; // of whose loops; NULL: slide, the loop where it is computed
  hy_chain chain;
  const hy_call *call;
} hy_placed;

typedef struct hy_sugar {
  hy_context *context;
  const hy_tgt *tgt; // scratch: all specialize and loops directives so far applied
  hy_diagnostics *diagnostics;
  HY_VEC(hy_specialization) specializations;
  hy_directive_list phases[HY_PHASES];
  HY_VEC(const hy_tgt *) steps; // the program after each of those that are applied already
  const hy_schedule *schedule;
  HY_VEC(const hy_call *) taken; // calls of chains that split a reduction for an rfactor behind them, or are one
  HY_VEC(hy_lane_sum) lanes;
  HY_VEC(hy_placed) placed;  // of chains
  hy_directive_list implied; // store_at of each chained compute_at, where nothing else says where
  bool failed;
} hy_sugar;

/* -- sugar.c -- */

// One more directive, as it was read: those of the loops phase and before are applied to the scratch program.
void hy_sugar_add(hy_sugar *s, hy_directive directive);

/* -- read.c -- */

// A call of a directive; "chain" is NULL if it stands alone. False after reporting.
bool hy_sugar_read(hy_sugar *s, const hy_chain *chain, const hy_directive_type *type, const hy_call *call,
                   hy_directive *directive);

void hy_sugar_count_arguments(const hy_directive_type *type, bool in_chain, int *least, int *most);

/* -- methods of chains that are no directives by themselves: records at the ends of their files, rows of methods.def --
 */

enum { HY_MOST_REORDERED = 64 };

struct hy_method {
  const char *name, *form, *summary;
  int least, most; // arguments
  hy_phase phase;  // of the directives that it stands for
  bool turns;      // it says what the calls behind it speak of
  void (*read)(hy_sugar *s, hy_chain *chain, const hy_call *call);
};
#define HY_METHOD(name) extern const hy_method hy_method_##name;
#include "sched/methods.def"
#undef HY_METHOD

/* -- sugar_arguments.c: each reports, and sets s->failed, when it returns false or NULL -- */

void hy_sugar_refuse(hy_sugar *s, const hy_call *call, const char *form); // the arguments do not fit
// Between least and most arguments, of which those in [from, to) are plain names.
bool hy_sugar_takes(hy_sugar *s, const hy_call *call, int least, int most, int from, int to, const char *form);
static inline const char *hy_sugar_name_at(const hy_call *call, int i) { return call->args[i].path[0]; }
const hy_var *hy_sugar_loop(hy_sugar *s, const hy_argument *argument); // "h.s1.x"
bool hy_sugar_branch(const hy_argument *argument, int *branch);        // "h", or "h.z1"; false: it is neither
// The tail at that position; without one, guard.
bool hy_sugar_tail(hy_sugar *s, const hy_call *call, int position, hy_tail *tail);
// The last word of a name with points: "Stack" of Python's MemoryType.Stack. "" of anything else.
const char *hy_sugar_last_name(const hy_argument *argument);
// A func of the program by its name, or NULL after reporting.
const hy_func *hy_sugar_func(hy_sugar *s, const char *name, hy_loc loc);
// A startup expression of that type, or NULL after reporting.
const hy_expr *hy_sugar_startup(hy_sugar *s, const hy_argument *argument, hy_type type);

/* -- sugar_loops.c, sugar_reorder.c -- */

const hy_var *hy_sugar_loop_of(hy_sugar *s, const hy_chain *chain, const char *name);
// A split of a chain. What a copy has as a traversed loop from its stage it takes apart all the same: both parts are then
// traversed so (SCH.Said-Again).
void hy_sugar_split(hy_sugar *s, const hy_chain *chain, hy_directive split);
void hy_sugar_reorder(hy_sugar *s, hy_chain *chain, const hy_call *call);

/* -- sugar_site.c -- */

// Behind the second walk: finds the loops of all moves of chains.
void hy_sugar_place_moves(hy_sugar *s);

/* -- sugar_move.c -- */

const hy_directive *hy_sugar_move_of(const hy_sugar *s, const hy_func *func); // its compute_at; NULL: there is none
void hy_sugar_place_slide(hy_sugar *s, const hy_placed *placed);
// What is computed somewhere is stored there, unless the schedule says where.
void hy_sugar_place_stores(hy_sugar *s);

/* -- funcs/sugar_funcs.c -- */

// Finds and applies every directive of the schedule that adds a func.
void hy_sugar_funcs(hy_sugar *s, const hy_schedule *schedule);
const hy_func *hy_sugar_made(const hy_sugar *s, const char *name); // one that was added; NULL if none is called so
// The func that a chain begins with, or, where it turns at once to one that was added, what that reads: an image, too,
// or a func that is inlined. NULL after reporting.
const hy_func *hy_sugar_head(hy_sugar *s, const hy_schedule_item *item);
bool hy_sugar_turns(const hy_call *call);                            // to a func that is added?
bool hy_sugar_is_of_buffers(const hy_sugar *s, const hy_call *call); // may it speak of an image?
bool hy_sugar_is_a_word(const hy_sugar *s, const hy_call *call);     // is there such a directive, or method?
void hy_sugar_turn(hy_sugar *s, hy_chain *chain, const hy_call *call);
// Of a call of a chain of which only some are read: turns where it turns to another func or update.
void hy_sugar_follow(hy_sugar *s, hy_chain *chain, const hy_call *call);
// Does the chain say anything of the func of that name but that it is read by one that was added?
bool hy_sugar_chain_names(const hy_sugar *s, const hy_schedule_item *item, const char *func);

/* -- funcs/sugar_split.c: split(r, ro, ri, c) of an update, with an rfactor of ro or ri behind it -- */

// Is the item's call at that place such a split, in that chain? Then it is a split_reduction.
bool hy_sugar_splits_reduction(const hy_sugar *s, const hy_chain *chain, const hy_schedule_item *item, int at);
bool hy_sugar_has_reduction_split(const hy_sugar *s, const hy_schedule_item *item); // before it turns to another func
void hy_sugar_split_reduction(hy_sugar *s, const hy_chain *chain, const hy_call *call);
bool hy_sugar_is_taken(const hy_sugar *s, const hy_call *call); // was it made one?

/* -- funcs/sugar_vectors.c: vectorize(r) of an update's reduction -- */

bool hy_sugar_is_vectorize(const hy_call *call);
bool hy_sugar_has_vectors(const hy_schedule_item *item); // may one of its calls be such a vectorize?
// Is the call one, of what may be combined in another order? Then it is an rfactor, and its func has vectors.
bool hy_sugar_sums_in_vectors(hy_sugar *s, const hy_chain *chain, const hy_call *call);
void hy_sugar_take_lanes(hy_sugar *s, const hy_chain *chain, const hy_call *call);
// The call failed: where it names a loop that went to such a func, a note says so.
void hy_sugar_note_lanes(hy_sugar *s, const hy_chain *chain, const hy_call *call);
void hy_sugar_turn_lanes(hy_sugar *s);  // when no loop has been changed yet
void hy_sugar_place_lanes(hy_sugar *s); // when all loops are what they will be

/* -- sugar_inline.c -- */

// Finds and applies every compute_inline of the schedule, and those that "default inline;" stands for.
void hy_sugar_inline(hy_sugar *s, const hy_schedule *schedule);
bool hy_sugar_names(const hy_sugar *s, const char *func); // does the schedule say anything of it?
bool hy_sugar_is_inlined(const hy_sugar *s, const hy_func *func);
bool hy_sugar_only_inlines(const hy_schedule_item *item); // a chain of nothing else

/* -- sugar_innermost.c -- */

// Is it "default inline;" that says where this func, which has updates, is computed?
bool hy_sugar_is_left_innermost(const hy_sugar *s, const hy_func *func);
// The innermost loop, outside of vectors, around all that reads the func, on which the place of a read depends; NULL:
// there is none.
const hy_var *hy_sugar_innermost(const hy_tgt *tgt, const hy_func *func);
// The same among the loops that every specialization has, where all that reads the func stands in them; the default's.
const hy_var *hy_sugar_innermost_spread(const hy_sugar *s, const hy_tgt *tgt, const hy_func *func);

// When all loops of the schedule's are what they will be: those funcs get vectors where vectors read them.
void hy_sugar_turn_innermost(hy_sugar *s);

/* -- sugar_spread.c -- */

enum { HY_MOST_COPIES = 256 }; // of all funcs together, that a schedule's moves may ask for (SCH.Spread.Most)

// The func of which copy(f, c, g.z1) makes the copy of that name; NULL: none does.
const char *hy_sugar_copied(const hy_sugar *s, const char *name);

// Behind both walks: what is computed in a loop of a func of which there are copies is copied for each of them.
void hy_sugar_spread(hy_sugar *s);

/* -- sugar_specialize.c -- */

// Finds every specialization of the schedule and applies them to the scratch program, in the order of definition.
void hy_sugar_specialize(hy_sugar *s, const hy_schedule *schedule);
// A chain has turned: from now on what others say of the stage is not said of the branch that this one speaks of.
void hy_sugar_begin(hy_sugar *s, const hy_chain *chain);
// So has a directive that stands alone, of the branch of its loop; that of no branch is for no copy, and what chains say
// behind it may be about loops that it has made.
void hy_sugar_begin_alone(hy_sugar *s, const hy_var *loop);
// SCH.Chain-Copies: the next branch, after "branch", that follows what the chain says of the stage; 0: there is none.
int hy_sugar_next_copy(hy_sugar *s, const hy_chain *chain, int branch);
// A call was refused, perhaps for what the copy that the chain speaks of has already: says what that begins with.
void hy_sugar_note_copy(hy_sugar *s, const hy_chain *chain);
void hy_sugar_tell_followed(hy_sugar *s); // the directives, when all chains were read
void hy_sugar_free_specializations(hy_sugar *s);

#endif
