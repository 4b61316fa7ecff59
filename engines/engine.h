#ifndef HY_ENGINE_H
#define HY_ENGINE_H

/* Running a checked pipeline on an input with any engine, and looking at what comes out. */

#include "alg_interp/alg_interp.h"
#include "codegen/codegen.h"
#include "tgt_interp/tgt_interp.h"

// One run. Exactly one of output and a reason for its absence.
typedef struct hy_outcome {
  hy_run_status status;
  bool by_work;          // HY_RUN_LIMIT of an interpreter: the limit of steps or of work, and not that of memory
  hy_buffer *output;     // HY_RAN, and HY_RUN_CONTRACT if there is one
  const hy_stmt *failed; // HY_RUN_ASSUME; NULL if the engine cannot tell
  char *story;           // HY_RUN_CONTRACT; may be NULL
  const char *contract;  // HY_RUN_CONTRACT: which
  double seconds;
} hy_outcome;
void hy_outcome_free(hy_outcome *outcome);

// The algorithm's meaning.
hy_outcome hy_engine_meaning(hy_context *context, const hy_alg *alg, const hy_input *input, hy_mode mode);
// The same as a target program has to give it: where the entry check of rdoms would end the run it is HY_RUN_ASSUME
// with "failed" NULL, whatever the values are (decisions D11, D89). "step_limit": 0 = none.
hy_outcome hy_engine_alg(hy_context *context, const hy_alg *alg, const hy_input *input, bool literal,
                         uint64_t step_limit);
// The target program's meaning, watched.
hy_outcome hy_engine_tgt(hy_context *context, const hy_tgt *filled, const hy_input *input, uint64_t seed,
                         uint64_t step_limit);
hy_outcome hy_engine_tgt_in(hy_context *context, const hy_tgt *filled, const hy_input *input, uint64_t seed,
                            hy_mode mode);
// The same within so much work (0 = any), which is told.
hy_outcome hy_engine_tgt_within(hy_context *context, const hy_tgt *filled, const hy_input *input, uint64_t seed,
                                uint64_t step_limit, uint64_t work_limit, uint64_t *work);
// The same with an observer of what happens to memory, and without the monitor.
hy_outcome hy_engine_tgt_told(hy_context *context, const hy_tgt *filled, const hy_input *input, uint64_t seed,
                              hy_mode mode, hy_tgt_event_observer *observer, void *self);
// The same of a program compiled once for many runs, lazy and watched. "slack": with larger allocations; 0 = none.
hy_outcome hy_engine_tgt_again(hy_tgt_program *program, const hy_input *input, uint64_t seed, uint64_t slack,
                               uint64_t step_limit);
// The same by the literal evaluators, rule by rule, within "step_limit" applications of rules (HY_RUN_LIMIT beyond).
// "trace": the derivation is added to it; NULL = none. "watched": by the monitor, whose premises count as steps too.
hy_outcome hy_engine_alg_derived(hy_context *context, const hy_alg *alg, const hy_input *input, hy_mode mode,
                                 uint64_t step_limit, hy_text *trace);
hy_outcome hy_engine_tgt_derived(hy_context *context, const hy_tgt *filled, const hy_input *input, hy_mode mode,
                                 uint64_t seed, uint64_t step_limit, bool watched, hy_text *trace);
// The first image or output whose elements would share memory by the strides that are demanded of it (GEN.Demand); NULL:
// none.
const hy_func *hy_engine_cannot_lie(const hy_tgt *filled, const hy_input *input);
// Machine code. HY_RUN_LIMIT also if the output does not fit into memory, and if a buffer cannot lie as is demanded.
hy_outcome hy_engine_native(const hy_native *native, const hy_alg *alg, const hy_input *input);

// Machine code that was compiled with a hy_guard, under guard (codegen/guard/guard.h), with several contents of fresh memory
// and orders of parallel iterations (engines/guard.c). HY_RUN_CONTRACT: it left its memory, or one of these mattered.
hy_outcome hy_engine_guarded(const hy_native *native, const hy_alg *alg, const hy_input *input);

/* what came out */

// The point whose element is the index-th of the memory.
void hy_point_of(const hy_buffer *buffer, size_t index, int64_t *point);
// The first point, in the order of memory, of this buffer that holds an error. NULL error array: none.
bool hy_first_error(const hy_buffer *buffer, int64_t *point, hy_error *error);

typedef struct hy_difference {
  bool differs;
  int part;                   // of what: its place in hy_alg.parts
  int64_t point[HY_MAX_RANK]; // the first place where they do
  hy_value a, b;
  uint64_t compared, errors; // points looked at, and points left out because "a" has an error there
} hy_difference;
// Of all outputs. requires: same types and boxes. "errors_too": error values must agree as well, else points where "a"
// has one are left out.
void hy_compare(const hy_buffer *a, const hy_buffer *b, bool errors_too, hy_difference *difference);

// Of one buffer: FNV-1a, 64 bits, of the elements as an .npy file holds them, NaNs alike.
uint64_t hy_checksum(const hy_buffer *buffer);
// The same for who compares and prints nothing: another number, sooner. NaNs are alike here, too.
uint64_t hy_fingerprint(const hy_buffer *buffer);
void hy_point_print(int rank, const int64_t *point, hy_text *out);                          // "(3, -1)"
void hy_difference_print(const hy_alg *alg, const hy_difference *difference, hy_text *out); // its place: "f(3, -1)"
uint64_t hy_window_points(const hy_alg *alg, const hy_input *input);                        // of all outputs

#endif
