#ifndef HY_TGT_INTERP_H
#define HY_TGT_INTERP_H

/* The eager meaning of hole-free target programs (paper, Figure 8 rebuilt; decisions D7, D12, D20, D38, D45, D63).
 *
 * It executes what is written, with a shadow beside every cell: undefined or not, who wrote it last, which parallel
 * iteration. Whatever a correct program never does is recorded as a broken contract, whether or not the output differs.
 */

#include "semantics/alg/input.h"
#include "semantics/tgt/tgt.h"
#include "tape/tape.h"

// What the shadow monitor saw first. Each is a defect of the schedule's bounds or of Halyard, never of the input.
typedef enum {
  HY_CONTRACT_KEPT,
  HY_CONTRACT_WRITE_OUTSIDE, // a write outside Mem (then eps_mem fills the buffer)
  HY_CONTRACT_READ_OUTSIDE,  // a read outside Mem: eps_mem
  HY_CONTRACT_CPU_OUTSIDE,   // a point in Cpu(f) was computed from a point outside the declared Cpu of what it reads
  HY_CONTRACT_CPU_UNCOVERED, // a compute ended and a stage had not written some point of Cpu over its pure dimensions
  HY_CONTRACT_UNDEFINED,     // an undefined value reached the window, a loop bound, an address or a taken predicate
  HY_CONTRACT_RACE,          // two iterations of one parallel loop touched a cell, one of them writing
  HY_CONTRACT_LANES,         // lanes of a vectorized loop wrote one cell, or their inner bounds differ
  HY_CONTRACT_FOLDED,        // a load met a cell that holds another point, or one computation stored two points in one
  HY_CONTRACT_BOUNDS_ERROR,  // a loop bound, box or guard evaluated to an error, or a length was negative
} hy_contract;
const char *hy_contract_name(hy_contract contract);

typedef struct hy_tgt_result {
  hy_run_status status;
  HY_GIVE hy_buffer *output; // the window; NULL unless status is HY_RAN or HY_RUN_CONTRACT
  const hy_stmt *failed;     // HY_RUN_ASSUME: the ASSUME that failed
  hy_contract contract;      // HY_RUN_CONTRACT
  const hy_stmt *where;      // the statement at fault, or NULL
  bool by_work;              // HY_RUN_LIMIT: the limit of steps or of work, and not that of memory; fast evaluator only
  bool by_garbage;           // literal evaluator: an undefined value has decided a user's predicate somewhere
  HY_GIVE char *story;       // one line for the user: which func, point, loop iteration; malloc'd; NULL if none
  uint64_t points;           // assignments executed
  uint64_t work;             // what they, the iterations and the memory cost, in units of about an iteration
  size_t peak_bytes;         // the most memory that allocations held at one time
} hy_tgt_result;

// One assignment instance for L1 traces: called, if set, in program order (of the seed), before the store. Instances
// whose coordinates hold an error are passed over: they have no point.
typedef void hy_tgt_observer(void *self, const hy_stmt *assign, const int64_t *coordinates);

// The same with the loops around it, and where computations begin. Called, if set, at a compute with its box before its
// body, and at an assignment before its store (then min and len are NULL); not inside vectorized loops, whose lanes
// have no order. The scope is valid during the call.
typedef struct hy_tgt_scope hy_tgt_scope;
bool hy_tgt_scope_value(const hy_tgt_scope *scope, const hy_var *var, int64_t *value); // false: not bound, or an error
typedef void hy_tgt_scope_observer(void *self, const hy_stmt *stmt, const int64_t *min, const int64_t *len,
                                   const hy_tgt_scope *scope);

// Where a computation ends, with its box. "hy_tgt_scope_cell" then says what a live func holds at a point; false: it is
// outside Mem, or was never written.
typedef void hy_tgt_end_observer(void *self, const hy_stmt *compute, const int64_t *min, const int64_t *len,
                                 const hy_tgt_scope *scope);
bool hy_tgt_scope_cell(const hy_tgt_scope *scope, const hy_func *func, const int64_t *point, hy_value *value);

void hy_tgt_scope_loops(const hy_tgt_scope *scope, hy_text *out); // "; h.y = 3, h.x = 7": loops and lets around

// What a run does with memory, one after the other, lane by lane in vectorized loops (whose loads all come before their
// stores). Called as it happens: loads as expressions are evaluated, where one that reads a point twice loads it once.
typedef enum {
  HY_EVENT_ALLOCATE, // min, len: Mem
  HY_EVENT_FREE,
  HY_EVENT_COMPUTE, // min, len: Cpu
  HY_EVENT_COMPUTED,
  HY_EVENT_LOAD,  // coordinates, which may be errors; value; part
  HY_EVENT_STORE, // the same
} hy_tgt_event_kind;
typedef struct hy_tgt_event {
  hy_tgt_event_kind kind;
  const hy_func *func;
  int part;
  const int64_t *min, *len;
  const hy_value *coordinates;
  hy_value value;
} hy_tgt_event;
typedef void hy_tgt_event_observer(void *self, const hy_tgt_event *event, const hy_tgt_scope *scope);

typedef struct hy_tgt_options {
  hy_mode mode;
  uint64_t seed;       // scrambles fresh memory and the order of parallel iterations; 0 = in order
  uint64_t slack;      // makes allocations a little larger than they are written: another element of BI(S); 0 = none
  uint64_t step_limit; // assignments (the literal evaluator: applications of rules); 0 = none
  uint64_t
      work_limit; // of "work"; a run that would go beyond it ends with HY_RUN_LIMIT, before memory is touched; 0 = none
  bool monitor;   // watch the contract (slower); without it only errors, undefined marks and Mem are kept
  bool awaits_loads;         // of folds only loads are watched: what one computation stores may meet, until it is read
  hy_tgt_observer *observer; // NULL = none
  void *observer_self;
  hy_tgt_scope_observer *scope_observer; // NULL = none; fast evaluator only
  void *scope_self;
  hy_tgt_end_observer *end_observer; // NULL = none; fast evaluator only
  void *end_self;
  hy_tgt_event_observer *event_observer; // NULL = none; fast evaluator without monitor only
  void *event_self;
  hy_text *trace; // literal evaluator only: the derivation; NULL = none
} hy_tgt_options;

// requires: no holes; input as for the algorithm. An empty window gives an empty output at once, before any check
// (D11).
void hy_tgt_run(hy_context *context, const hy_tgt *tgt, const hy_input *input, const hy_tgt_options *options,
                hy_tgt_result *result);
// The same again and again: a program that is compiled once. "options" of each run have this mode and monitor.
// One thread at a time.
typedef struct hy_tgt_program hy_tgt_program;
HY_GIVE hy_tgt_program *hy_tgt_program_new(hy_context *context, const hy_tgt *tgt, hy_mode mode, bool monitor);
void hy_tgt_program_run(hy_tgt_program *program, const hy_input *input, const hy_tgt_options *options,
                        hy_tgt_result *result);
void hy_tgt_program_free(HY_TAKE hy_tgt_program *program);
// The same, literally (decision D13): small steps of explicit configurations, one function per rule, every application
// counted; tiny inputs, within a budget of steps. The iterations of a parallel loop are interleaved statement by
// statement, as the seed chooses. Its monitor watches Mem, undefined values, lanes and bounds; Cpu, coverage and races
// are the other's business. Correct programs have the same outputs, error kinds included, by both.
void hy_tgt_run_literal(hy_context *context, const hy_tgt *tgt, const hy_input *input, const hy_tgt_options *options,
                        hy_tgt_result *result);
void hy_tgt_result_free(hy_tgt_result *result);

#endif
