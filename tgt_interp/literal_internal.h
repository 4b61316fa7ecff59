#ifndef HY_TGT_LITERAL_INTERNAL_H
#define HY_TGT_LITERAL_INTERNAL_H

/* The parts of the literal target interpreter: configurations (S, Sigma, sigma) under an evaluation context E, and one
 * function per rule. It shares nothing with the fast interpreter but the interface: no tapes, no slots, cells of
 * hy_value.
 *
 * Environments and contexts are linked lists in the arena of the run; nothing in them is ever given back, so the step
 * budget, and at last a limit on the arena, bounds what a run holds.
 */

#include "semantics/storage/layout.h"
#include "tgt_interp/tgt_interp.h"

/* -- the store sigma: locations (literal_store.c) -- */

// What an allocate made, or an image. Functions are names of locations in the environment, so that iterations that run
// at the same time have buffers of their own.
typedef struct location {
  const hy_func *func;
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  hy_layout layout; // of an allocation
  uint64_t count;
  hy_value *holds;        // of a folded allocation rank values for each cell: the points that it holds; errors: any
  hy_value *cells;        // of each part as the layout has them; NULL for an image, and after the end of the allocation
  const hy_buffer *image; // an image's elements
  struct location *below; // what the same sequence allocated before
  struct location *older; // what the run allocated before
} location;

/* -- environments Sigma -- */

typedef struct binding {
  const hy_var *var;   // a variable with its value,
  const hy_func *func; // or a func or image with its location
  hy_value value;
  location *at;
  const struct binding *outer;
} binding;

// One environment with what the predicates around have decided (TGT.If-User).
typedef struct lane {
  const binding *env;
  hy_error poison;
  bool undefined; // a predicate was undefined
} lane;

// One lane, unless a vectorized loop is around.
typedef struct lane_list {
  const lane *at;
  int count;
  bool vectorized;
} lane_list;

/* -- contexts and configurations -- */

typedef enum {
  FRAME_SEQUENCE,  // E; S_next; ...; S_n        with what this sequence allocated
  FRAME_LOOP,      // E; for x in (min + next, len - next) do S
  FRAME_OTHERWISE, // E; the other branch, for the lanes that take it
  FRAME_TASKS,     // E[iteration | ... | iteration] of a parallel loop
  FRAME_STORE,     // E; f(c) := v                 of an assignment whose loads are done (decision D76)
} frame_kind;

typedef struct configuration configuration;

// What one lane is about to store.
typedef struct pending_store {
  hy_value at[HY_MAX_RANK], values[HY_MAX_PARTS];
} pending_store;

typedef struct frame {
  frame_kind kind;
  const hy_stmt *stmt;
  lane_list lanes;
  int64_t min, len, next;
  location *allocated;   // SEQUENCE: the last of them
  bool is_program;       // SEQUENCE: the whole program is this sequence
  configuration *tasks;  // TASKS: iteration min + k is tasks[k]
  int *order;            // TASKS: order[next] .. order[len - 1] still run
  pending_store *stores; // STORE: of each lane
  struct frame *outer;
} frame;

// One thread of control: E[S]. A finished statement leaves NULL; the context says what is next.
struct configuration {
  const hy_stmt *stmt;
  lane_list lanes;
  frame *context; // the innermost frame of E; NULL: nothing is left to do
};

typedef struct literal {
  hy_context *context;
  const hy_tgt *tgt;
  const hy_input *input;
  const hy_tgt_options *options;
  hy_tgt_result *result;
  hy_buffer *windows[HY_MAX_OUTPUT_PARTS]; // of outputs whose life has ended
  hy_arena *arena;
  configuration root;
  hy_run_status status;
  bool stopped;
  uint64_t steps, choices, allocations;
  uint64_t cells; // alive
  size_t bytes;
  int depth;          // of the premise being derived
  location *youngest; // of all there were
} literal;

static inline hy_error join(hy_error a, hy_error b) { return a > b ? a : b; }

// Counts one application of a rule. False when the budget is used up: then the run stops.
bool hy_literal_apply(literal *l, hy_rule rule);
bool hy_literal_pay(literal *l, uint64_t steps); // the same without a rule, for work that a rule does per cell
void hy_literal_stop(literal *l, hy_run_status status);
// A contract is broken: the first is kept with its story; the run goes on, but for hy_literal_break_off.
void hy_literal_breach(literal *l, const hy_stmt *stmt, const lane *e, hy_contract contract, HY_TAKE hy_text *story);
void hy_literal_break_off(literal *l, const hy_stmt *stmt, const lane *e, hy_contract contract, HY_TAKE hy_text *story);
static inline bool is_watched(const literal *l) {
  return l->options->monitor && l->result->contract == HY_CONTRACT_KEPT;
}

/* -- store and environments (literal_store.c) -- */

const binding *hy_literal_bind(literal *l, const binding *env, const hy_var *var, hy_value value);
const binding *hy_literal_bind_func(literal *l, const binding *env, const hy_func *func, location *at);
const binding *hy_literal_startup(literal *l); // parameters, image boxes, the window, images
hy_value hy_literal_lookup(const binding *env, const hy_var *var);
location *hy_literal_location(const binding *env, const hy_func *func); // NULL: not alive

// Arbitrary ordinary values, marked undefined. NULL if there is no room: then the run stops.
location *hy_literal_new_location(literal *l, const hy_stmt *allocate, const int64_t *min, const int64_t *len);
void hy_literal_end_location(literal *l, location *at);

// Where coordinates lead.
typedef struct place {
  hy_error error; // join of the coordinates' errors
  bool undefined; // of a coordinate
  bool inside;    // the ordinary coordinates are in the box
} place;
place hy_literal_locate(const location *at, int rank, const hy_value *coordinates);
hy_value hy_literal_get(const location *at, int part, const hy_value *coordinates); // requires: inside, no error
// Of a folded location: the cell of the point holds it, or was never stored to.
bool hy_literal_holds(const location *at, const hy_value *coordinates);
// Two points, neither with an error, have one cell.
bool hy_literal_share(const location *at, int rank, const hy_value *a, const hy_value *b);
void hy_literal_put(location *at, int part, const hy_value *coordinates, hy_value value); // requires: inside, no error
// Every cell of the part whose coordinates equal those of "coordinates" that are ordinary; NULL: every cell.
void hy_literal_fill(literal *l, location *at, int part, const hy_value *coordinates, hy_value value);

/* -- expressions: Sigma, sigma |- e => v (literal_expr.c) -- */

hy_value hy_literal_eval(literal *l, const lane *e, const hy_expr *expr);
// TGT.Read-Arms: what the expressions read, the parts that lazy mode skips included; to be called after evaluation.
void hy_literal_watch(literal *l, const hy_stmt *stmt, const lane *e, const hy_expr *expr);

/* -- statements (literal_rules.c) -- */

// One step of a thread whose statement is not finished.
void hy_literal_reduce(literal *l, configuration *c);
// TGT.Assume, of the entry block too.
void hy_literal_assume(literal *l, const hy_stmt *stmt, const lane_list *lanes);
// TGT.Alloc: the location; NULL if the run stops.
location *hy_literal_allocate(literal *l, const hy_stmt *stmt, const lane_list *lanes);
lane_list hy_literal_bind_lanes(literal *l, const lane_list *lanes, const hy_var *var, int64_t value);

/* -- assignments and bounds (literal_assign.c) -- */

// TGT.Assign: what every lane will store, evaluated in M; NULL if the run stops.
pending_store *hy_literal_load(literal *l, const hy_stmt *stmt, const lane_list *lanes);
// TGT.Store, TGT.Assign-Out, TGT.Assign-Poison: the store of what was loaded.
void hy_literal_store(literal *l, const hy_stmt *stmt, const lane_list *lanes, const pending_store *stores);
// The bounds of a loop, equal in every lane; false if the run stops.
bool hy_literal_loop_bounds(literal *l, const hy_stmt *stmt, const lane_list *lanes, int64_t *min, int64_t *len);
// A box; a negative length holds nothing.
bool hy_literal_box(literal *l, const hy_stmt *stmt, const lane *e, const hy_func *func, const hy_interval *box,
                    int64_t *min, int64_t *len);

/* -- the derivation as text (literal_trace.c): nothing happens without options->trace -- */

static inline bool traces(const literal *l) { return l->options->trace && !l->stopped; }
void hy_literal_trace_step(literal *l, hy_rule rule, const hy_stmt *stmt, const lane_list *lanes);
void hy_literal_trace_choice(literal *l, hy_rule rule, const hy_stmt *loop, int64_t value);
void hy_literal_trace_lane(literal *l, const lane_list *lanes, int index); // above the premises of one of several lanes
void hy_literal_trace_premise(literal *l, hy_rule rule, const char *what);
void hy_literal_trace_variable(literal *l, const hy_var *var, hy_value value);
void hy_literal_trace_value(literal *l, hy_value value);
void hy_literal_trace_bounds(literal *l, int64_t min, int64_t len);
void hy_literal_trace_store(literal *l, hy_rule rule, const hy_func *func, const hy_value *coordinates, hy_value value);
void hy_literal_trace_end(literal *l, const hy_func *func);
void hy_literal_trace_note(literal *l, const char *what);
void hy_literal_point(hy_text *out, const hy_func *func, const hy_value *coordinates); // "f(3, eps_mem)"
void hy_literal_environment(hy_text *out, const binding *env); // "f.s0.y = 3, f.s0.x = 7": loops and lets

#endif
