#ifndef HY_RUNTIME_H
#define HY_RUNTIME_H

/* What compiled pipelines call, and how they are called. Depends on the C library and pthreads alone, so that object
 * files can be linked against it without the rest of Halyard.
 *
 * Any number of threads may call pipelines at once; each thread that does joins the pool for the loops it starts.
 */

#include <stdint.h>

/* -- buffers: the binary layout of halide_buffer_t (Halide 21) -- */

enum { // halide_type_code_t
  HY_NATIVE_CODE_INT = 0,
  HY_NATIVE_CODE_UINT = 1,
  HY_NATIVE_CODE_FLOAT = 2,
  HY_NATIVE_CODE_BFLOAT = 4,
};

typedef struct hy_native_type {
  uint8_t code, bits; // bool is an unsigned integer of 1 bit, stored as one byte
  uint16_t lanes;     // 1
} hy_native_type;

typedef struct hy_native_dimension {
  int32_t min, extent, stride; // stride in elements
  uint32_t flags;
} hy_native_dimension;

typedef struct hy_native_buffer {
  uint64_t device;
  const void *device_interface;
  uint8_t *host; // the element at the minimum of every dimension
  uint64_t flags;
  hy_native_type type;
  int32_t dimensions;
  hy_native_dimension *dim;
  void *padding;
} hy_native_buffer;

/* -- what a pipeline returns: 0, a positive number (assumption number + 1), or one of these -- */

enum {
  HY_NATIVE_OK = 0,
  HY_NATIVE_OUT_OF_MEMORY = -1,
  HY_NATIVE_BAD_BUFFER = -2,
  HY_NATIVE_REFUSED = -3, // a buffer does not lie as the program demands (GEN.Demand)
};

// The entry of the pipeline "P", exported as P_argv. "args" points to each parameter in the order of the signature (a
// scalar's value as it lies in memory, an image's hy_native_buffer), then to the output's buffer, whose box is the
// window.
typedef int32_t hy_native_argv(void **args);

enum { HY_RUNTIME_RANK = 8 }; // dimensions that a buffer has at most

// One row per argument: how P_argv reads it and in which of its 64-bit words it goes (llvm_module.c).
typedef struct hy_runtime_argument {
  int32_t is_buffer, slot, code, bits, rank;
  int32_t part;                    // of an output; the buffers of its other parts stand before it, and have its box
  int32_t stride[HY_RUNTIME_RANK]; // that the code is made for (GEN.Laid); all 0: nothing is said of it
  int32_t always[HY_RUNTIME_RANK]; // that it counts on where not all buffers lie so; 0: any
} hy_runtime_argument;
// A buffer of another type or rank, with a negative extent, of another box than the output's first part, or not dense in
// dimension 0 where not all buffers lie as the code would like it, is HY_NATIVE_BAD_BUFFER.
int32_t hy_runtime_unpack(const hy_runtime_argument *signature, int64_t count, void **args, int64_t *slots);

/* -- parallel loops -- */

typedef int32_t hy_runtime_task(void *closure, int64_t begin, int64_t end);

// Runs "task" over disjoint chunks that cover [min, min + len), on all threads of the pool and the caller's own. The
// first status that is not 0 stops the loop and is returned. May be called from inside a task.
int32_t hy_runtime_parallel_for(int64_t min, int64_t len, hy_runtime_task *task, void *closure);

// Threads that work on a loop, the caller's included: HALYARD_NUM_THREADS, or the processors this process may use.
int hy_runtime_thread_count(void);
// So many from now on (0: as at the beginning); ends those that there are. What held before.
// requires: no parallel loop is running
int hy_runtime_use_threads(int count);
// Ends the pool's threads; the next parallel loop makes new ones and reads HALYARD_NUM_THREADS again.
// requires: no parallel loop is running. Called by itself when the process ends.
void hy_runtime_shutdown(void);

/* -- memory -- */

// 64-byte aligned, contents arbitrary; NULL if there is no such amount of memory.
void *hy_runtime_allocate(uint64_t bytes);
void hy_runtime_free(void *memory); // by the thread that allocated, or another

// Copies a box between two buffers; strides in elements.
void hy_runtime_copy(uint8_t *to, const uint8_t *from, int64_t bytes, int64_t rank, const int64_t *len,
                     const int64_t *to_stride, const int64_t *from_stride);

#endif
