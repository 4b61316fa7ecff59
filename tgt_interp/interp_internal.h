#ifndef HY_TGT_INTERP_INTERNAL_H
#define HY_TGT_INTERP_INTERNAL_H

/* The parts of the target interpreter: a program compiled to nodes and tapes, memory with its shadow, the monitor.
 *
 * Statements are compiled once for all runs: every expression into a tape, every variable into a slot of one dense
 * environment. Nothing is allocated per assignment. What an expression needs of variables that have not changed since
 * it was evaluated last is not computed again. Nor is an iteration run that would do nothing, as one before it did for
 * reasons that this loop has no part in: guards of loops that were split stand inside the loops that they exclude.
 */

#include "tgt_interp/memory.h"
#include "tgt_interp/tgt_interp.h"

/* -- loops that something depends on -- */

// Some of the loops around a statement: a bit each, by how many loops are around; the deepest share one.
typedef uint64_t loop_set;
#define DEEP_LOOPS (UINT64_C(1) << 62)
#define ANYTHING (UINT64_C(1) << 63) // it depends on memory, or had an effect

static inline loop_set without_loop(loop_set set, loop_set loop) { return set & ~(loop & ~DEEP_LOOPS); }

/* -- compiled programs (compile.c) -- */

// A func or image while the program runs.
typedef struct place {
  const hy_func *func;
  memory *memory;    // of part 0, those of the others behind it; NULL outside the life of its allocation
  bool computed;     // a compute has declared Cpu since the allocation
  uint32_t computes; // executions of its compute that were watched so far; goes on from allocation to allocation
  int64_t cpu_min[HY_MAX_RANK], cpu_len[HY_MAX_RANK];
} place;

// An access that the monitor checks: its coordinates are outputs of the tape beside the values wanted (decision D56).
typedef struct site {
  place *place;
  int output;         // of its first coordinate
  bool forms_address; // inside another access's index, a left-hand index or a bound: must be in Cpu always
} site;

// Expressions that are evaluated together.
typedef struct code {
  hy_tape *tape;               // NULL: there is nothing to evaluate
  int *slots;                  // of the tape's inputs, those that change seldom first
  int slot_count, first_local; // the startup variables come before
  uint64_t evaluated;          // at this tick; 0: never. Room and outputs are those of that time
  hy_value *room, *outputs;    // the tape's, and its values
  site *sites;                 // none unless monitored
  int site_count;
  int first; // of the wanted values among the outputs; the sites' coordinates come before
  loop_set depends;
} code;

// What a stage has covered of Cpu over its pure dimensions (decision D54).
typedef struct coverage {
  int stage;
  uint32_t pure; // bit d: dimension d is pure
  uint64_t *bits;
  size_t capacity; // in words
  uint64_t stride[HY_MAX_RANK];
  uint64_t need, have;
  bool excused; // a reduction loop of it was empty: there are no instances
} coverage;

typedef struct node node;
struct node {
  hy_stmt_kind kind; // of the statement; labels have no nodes
  const hy_stmt *stmt;
  node *parent;
  node *const *items; // SEQ: its items; IF: then, otherwise (or NULL); else the body
  int count;
  code code;    // ASSUME, IF: the condition; ALLOCATE, COMPUTE, FOR: min, len, ...; LET: the value; ASSIGN: lhs...,
                // values...
  place *place; // ALLOCATE, ASSIGN, COMPUTE
  int slot;     // FOR, LET
  loop_set own; // FOR: itself
  const node *last_guard; // FOR: the innermost guard that may end it early (idle.c); NULL: none may
  bool is_searched;       // FOR: for that guard
  code order;             // FOR in pieces: that it comes behind the piece in front of it, and in its loop
  bool tells_need;        // ASSUME of a need: the code has the ends given and needed too
  memory *memories;       // ALLOCATE: of each part; one layout, and what is watched is watched in that of part 0
  bool is_live;           // ALLOCATE
  coverage *stages;       // COMPUTE: by order of appearance
  int stage_count;
  node *keeper;        // COMPUTE: the loop from whose iteration before it keeps points; NULL: it keeps none
  uint64_t executions; // FOR: begun so far; COMPUTE: of its keeper, when it was computed last
  coverage *cover;     // ASSIGN, FOR of a reduction: the stage's in the compute around it; NULL if none
  // Inside a vectorized loop:
  int varying;        // the vectorized FOR, LET: its row in the table of lanes' variables; -1: the same in all lanes
  int depth;          // IF: its pair of lane sets
  int *varying_slots; // vectorized FOR: the slot of each row
  int varying_count, depth_count;
};

/* -- a run -- */

// A predicate that looked at something it must not look at where the point that it decides is in Cpu.
typedef struct doubt {
  hy_contract contract; // HY_CONTRACT_KEPT: none
  const place *place;   // CPU_OUTSIDE: what it read, and where
  int64_t point[HY_MAX_RANK];
  const struct doubt *outer;
} doubt;

// What the predicates around a statement have decided.
typedef struct under {
  hy_error poison; // join of erroring predicates (decision D12)
  bool undefined;  // a predicate was undefined
  bool probing;    // a predicate is false: nothing happens, the monitor alone looks at the point
  const doubt *doubt;
} under;

// Active lanes of a vectorized loop, with what holds over each.
typedef struct lane_set {
  int count;
  int *lanes;
  under *under;
  doubt *doubts;
  int capacity;
} lane_set;

// One active parallel loop: stamps in [first, now) are of this loop, those before "current" of earlier iterations.
typedef struct level {
  uint32_t first, current;
  const node *loop;
} level;

enum { MAX_LEVELS = 64 };

typedef struct run {
  hy_context *context;
  const hy_tgt *tgt;
  // compiled, at the first run that is not empty
  hy_arena *arena; // NULL: not yet
  bool is_too_deep;
  node *root;
  node **entry;
  place *places; // by hy_func.index
  memory *images;
  size_t place_count;
  hy_mode mode;
  bool monitor;
  uint64_t compiled_rules;
  hy_value *env;
  uint64_t *changed; // for each variable the tick at which it took its value
  uint64_t ticks;    // go on from run to run
  uint64_t started;  // when this run had given the startup variables their values
  // of this run
  const hy_input *input;
  const hy_tgt_options *options;
  hy_tgt_result *result;
  hy_buffer *windows[HY_MAX_OUTPUT_PARTS]; // of outputs whose life has ended
  hy_tape_load *load;
  hy_run_status status;
  uint64_t iterations, allocations;
  loop_set because;          // of the statement just run: while these stay where they are, it does nothing
  const node *refused;       // the guard that was false last, if it was one that has no other branch
  size_t bytes, held, limit; // the program's; with shadow, kept from run to run; the most that may be held
  bool has_machine_limit;
  uint64_t rules; // bit per rule used, from HY_RULE_TGT_FOR on
  // races
  level levels[MAX_LEVELS];
  int level_count;
  uint32_t clock;
  // lanes
  const node *at;     // the statement being executed, for stories
  const node *vector; // the vectorized loop being run, or NULL
  int lane_count;
  hy_value *lane_vars, *lane_outputs;
  size_t lane_vars_capacity, lane_outputs_capacity;
  lane_set *sets;
  int set_count;
  size_t *lane_offsets;
} run;

struct hy_tgt_scope {
  const run *run;
  const node *node;
};

// requires: there is an event observer. "n": the statement at which it happens.
static inline void tell(const run *r, const node *n, const hy_tgt_event *event) {
  r->options->event_observer(r->options->event_self, event, &(hy_tgt_scope){r, n});
}

// Counts a rule once per run in which it was used.
static inline void used(run *r, hy_rule rule) { r->rules |= UINT64_C(1) << (rule - HY_RULE_TGT_FOR); }
static inline hy_error join(hy_error a, hy_error b) { return a > b ? a : b; }

void hy_tgt_compile_program(run *r);
void hy_tgt_begin_program(run *r); // as if it had never been run
void hy_tgt_free_program(run *r);

static inline bool is_unchanged(const hy_value *a, const hy_value *b) {
  return a->u == b->u && a->type == b->type && a->error == b->error && a->undefined == b->undefined;
}

static inline void bind(run *r, int slot, hy_value value) {
  if (is_unchanged(&r->env[slot], &value)) return;
  r->env[slot] = value;
  r->changed[slot] = ++r->ticks;
}

static inline const hy_value *evaluate(run *r, code *c) {
  if (!c->tape) return c->outputs;
  int changed = c->evaluated > r->started ? c->first_local : 0;
  while (c->evaluated && changed < c->slot_count && r->changed[c->slots[changed]] <= c->evaluated) changed++;
  for (int i = changed; i < c->slot_count; i++) c->room[i] = r->env[c->slots[i]];
  if (c->evaluated)
    hy_tape_run_again(c->tape, (size_t)changed, c->room, r->load, r, c->outputs);
  else
    hy_tape_run(c->tape, c->room, r->load, r, c->outputs);
  c->evaluated = r->ticks;
  return c->outputs;
}

// Runs a statement; false = the run is over (status tells why).
bool hy_tgt_execute(run *r, node *n, const under *u);
bool hy_tgt_execute_lanes(run *r, node *n, int64_t min, int64_t len,
                          const under *u); // a vectorized loop (decision D45)
void hy_tgt_free_lanes(run *r);
// Shared by both: bounds of a loop or box; the store of an assignment.
bool hy_tgt_evaluate_interval(run *r, const node *n, const hy_value *pair, int64_t *min, int64_t *len);
bool hy_tgt_check_assumption(run *r, node *n);
bool hy_tgt_count_iteration(run *r);
// What had been counted when an iteration began.
typedef struct tally {
  uint64_t iterations;
  uint32_t clock;
} tally;
static inline tally count_so_far(const run *r) { return (tally){r->iterations, r->clock}; }
// The iteration that began at "before" has done nothing, and so would "rest" more: they are counted, not run.
bool hy_tgt_count_idle(run *r, tally before, uint64_t rest);
// Does nothing happen from the iteration "first" to "last" of a loop, for the guard that was false last (idle.c)?
bool hy_tgt_ends_idle(run *r, node *loop, int64_t first, int64_t last);
void hy_tgt_store(run *r, node *n, const under *u, const hy_value *lhs, const hy_value *values); // one for each part
bool hy_tgt_count_point(run *r, const node *assign);
bool hy_tgt_count_work(run *r, uint64_t units);

bool hy_tgt_stop(run *r, hy_run_status status);
// Ends the run because the program cannot go on.
bool hy_tgt_break_off(run *r, const node *n, hy_contract contract, HY_TAKE hy_text *story);
bool hy_tgt_take_window(run *r, const node *allocate); // false: no memory for it
bool hy_tgt_raise_limit(run *r);                       // true: more may be held now than could be before

/* -- loads -- */
hy_value hy_tgt_load_plainly(void *self, const hy_func *func, int part, const hy_value *coordinates);
hy_value hy_tgt_load_told(void *self, const hy_func *func, int part, const hy_value *coordinates); // to the observer
hy_value hy_tgt_load_watched(void *self, const hy_func *func, int part, const hy_value *coordinates);

/* -- the monitor (monitor.c, coverage.c): all are called only when options->monitor is set -- */

// Records the first broken contract; the run goes on.
void hy_tgt_breach(run *r, const node *n, hy_contract contract, HY_TAKE hy_text *story);
static inline bool is_broken(const run *r) { return r->result->contract != HY_CONTRACT_KEPT; }
void hy_watch_read(run *r, memory *m, size_t offset, const hy_func *func);
void hy_watch_write(run *r, const node *n, memory *m, size_t offset);
// The accesses of a bound, box, let or guard: all decide what happens, so all must be in Cpu.
void hy_watch_deciding(run *r, const node *n, const hy_value *outputs);
// The accesses of a user's predicate: what must not be looked at for a point in Cpu goes to "out".
void hy_watch_implied(run *r, node *n);
void hy_watch_predicate(run *r, const node *n, const hy_value *outputs, doubt *out);
// The accesses, doubts and left-hand side of an assignment, before it stores.
void hy_watch_assignment(run *r, const node *n, const under *u, const hy_value *outputs);
// Before a store to a cell of a folded allocation.
void hy_watch_fold(run *r, const node *n, const memory *m, size_t offset, const hy_value *lhs);
void hy_watch_probe(run *r, node *n, const under *u, const hy_value *lhs);
void hy_watch_window(run *r, const node *allocate, const int64_t *point, hy_value value, bool inside);
bool hy_tgt_in_cpu(const place *p, const hy_value *coordinates); // an error matches every value

bool hy_tgt_begin_coverage(run *r, node *n); // false: no memory for it
// What lies in that box as well was reached by the iteration before.
bool hy_tgt_keep_coverage(run *r, node *n, const int64_t *min, const int64_t *len);
void hy_tgt_mark_coverage(const node *n, const hy_value *lhs);
void hy_tgt_end_coverage(run *r, node *n);

/* -- stories (story.c) -- */
void hy_story_point(hy_text *out, const hy_func *func, const hy_value *coordinates);
void hy_story_values(hy_text *out, const hy_func *func, const int64_t *coordinates);
void hy_story_cpu(hy_text *out, const place *p);
void hy_story_mem(hy_text *out, const place *p);
void hy_story_loops(hy_text *out, const run *r, const node *n); // " (h.y = 3, h.x = 7)"
// Puts into the result why an "assume need" failed: "ends" are given min, needed min, needed end, given end.
void hy_story_need(run *r, const node *n, const hy_value *ends);

#endif
