#ifndef HY_GUARD_H
#define HY_GUARD_H

/* Native code under guard: what B proves in Z must be true of the machine. Every buffer and every allocation lies flush
 * with a page that is not mapped, images are read-only, what is left of a page is checked for writes, fresh memory has
 * contents of our choice, and iterations of parallel loops come in an order of our choice.
 *
 * A fault ends the run, not the process. Not for two threads at once.
 */

#include "codegen/codegen.h"
#include "codegen/guard/guard_memory.h"

typedef enum {
  HY_GUARD_FINE,
  HY_GUARD_READ,   // outside of all memory
  HY_GUARD_WRITE,  // outside of all memory, or into an image
  HY_GUARD_ACCESS, // one of the two: this machine does not tell which
  HY_GUARD_EDGE,   // a write beside a block, seen afterwards
  HY_GUARD_TRAP,   // the processor refuses an operation
} hy_guard_fault;
const char *hy_guard_fault_name(hy_guard_fault fault);

typedef struct hy_guard_result {
  hy_native_result run; // HY_RUN_CONTRACT: a fault
  hy_guard_fault fault;
  char story[200];  // "a write of native code 4 bytes behind the end of f1's memory (64 bytes)"
  bool is_parallel; // a parallel loop was run
} hy_guard_result;

// requires: compiled with a hy_guard; "output" as hy_native_run wants it
// ensures:  all of output is overwritten where the run is HY_RAN, also what the program did not write (with the
// pattern)
void hy_guard_run(const hy_native *native, const hy_input *input, hy_buffer *output, const hy_guard_plan *plan,
                  hy_guard_result *result);

/* -- what guarded code calls in place of the run-time library -- */

void *hy_guard_allocate(uint64_t bytes, uint64_t func); // func: its index
void hy_guard_free(void *memory);
int32_t hy_guard_parallel_for(int64_t min, int64_t len, hy_runtime_task *task, void *closure);

#endif
