#ifndef HY_PROFILE_H
#define HY_PROFILE_H

/* Where the time of native code goes, and how many points it computes (hy_codegen_options.profile).
 *
 * Code that is timed writes down which func it is computing, one store where a computation begins and one where it
 * ends, in a record of each thread's own; a thread of this room looks at all records, every half millisecond on
 * average. Code that counts adds up points and what the heap holds; it is slower, and a run of its own. One profile at
 * a time in a process.
 */

#include "codegen/codegen.h"

// What threads were doing besides computing funcs, whose numbers are hy_func.index.
enum { HY_PROFILE_OTHER, HY_PROFILE_WAITING, HY_PROFILE_EXTRA }; // behind the last func

typedef struct hy_profile_func {
  double seconds;           // of all threads together
  uint64_t points, updates; // stores of the pure stage, of update stages
  uint64_t peak_bytes;      // the most on the heap at one time
} hy_profile_func;

typedef struct hy_profile {
  hy_profile_func *funcs; // one for each symbol of the program, then HY_PROFILE_EXTRA more
  uint32_t symbols;
  uint64_t samples;
  double thread_seconds; // of all threads that were in the pipeline
  uint64_t peak_bytes;   // of all funcs together
} hy_profile;

// From here to the end what instrumented code does is noted. "symbols": hy_tgt_symbols of its program.
void hy_profile_begin(uint32_t symbols);
// While it is awake samples are taken. requires: begun
void hy_profile_wake(void);
void hy_profile_sleep(void);
// requires: no instrumented code is running
void hy_profile_end(hy_profile *profile);
void hy_profile_free(hy_profile *profile);

/* -- what instrumented code calls -- */

// This thread's record: 32 bits that say what it is doing, 64 bytes on from there 64-bit counters of points and updates
// by hy_func.index.
enum { HY_PROFILE_COUNTERS = 64 };
void *hy_profile_record(void);
void *hy_profile_allocate(uint64_t bytes, uint64_t func); // in place of hy_runtime_allocate
void hy_profile_release(void *memory);

#endif
