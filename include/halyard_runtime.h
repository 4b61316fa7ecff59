#ifndef HALYARD_RUNTIME_H
#define HALYARD_RUNTIME_H

/* For programs that call pipelines made by 'halyard build': the buffers that they take, and what can be replaced in the
 * run-time library that lies in NAME.a and NAME.so. The layout of halide_buffer_t, the order of arguments and the
 * calling convention are those of Halide 21, so that a program written for a pipeline of Halide's calls ours unchanged.
 * docs/build.md tells more.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef HALIDE_HALIDERUNTIME_H // Halide's own header says the same
struct halide_device_interface_t;

typedef struct halide_type_t {
  uint8_t code; // 0 signed, 1 unsigned (bool: 1 bit, stored as a byte), 2 floating-point
  uint8_t bits;
  uint16_t lanes; // 1
} halide_type_t;

typedef struct halide_dimension_t {
  int32_t min, extent, stride; // stride in elements, of any sign
  uint32_t flags;              // 0
} halide_dimension_t;

typedef struct halide_buffer_t {
  uint64_t device;                                          // left alone
  const struct halide_device_interface_t *device_interface; // left alone
  uint8_t *host;                                            // the element at the minimum of every dimension
  uint64_t flags;                                           // left alone
  halide_type_t type;
  int32_t dimensions;
  halide_dimension_t *dim;
  void *padding;
} halide_buffer_t;
#endif

/* What a pipeline returns: 0, or one of these; then nothing can be said of the contents of the output. */
enum {
  HALYARD_FINE = 0,
  HALYARD_ERROR = -1,
  HALYARD_BAD_TYPE = -3,
  HALYARD_OUT_OF_BOUNDS = -4, // an image does not contain what is read of it
  HALYARD_TOO_LARGE = -6,     // an extent, a stride, or where a box lies
  HALYARD_CONSTRAINT = -8,    // two buffers overlap, the elements of an output do, or a stride is not what is demanded
  HALYARD_PARAMETER = -9,     // a parameter lies outside of its range
  HALYARD_OUT_OF_MEMORY = -11,
  HALYARD_NO_BUFFER = -12,   // an argument is NULL
  HALYARD_UNALIGNED = -24,   // a buffer begins at an address that is no multiple of what is demanded, or of an element
  HALYARD_REQUIREMENT = -27, // an assumption of the schedule, or of the algorithm, does not hold
  HALYARD_NEGATIVE_EXTENT = -28,
  HALYARD_NO_HOST = -34, // a buffer has no memory on this side
  HALYARD_BAD_RANK = -43,
};

/* Each returns what was there before; NULL is what the library does by itself. To be set while no pipeline runs. */

// Hears why a pipeline returns something else than 0. By itself the library writes a line to standard error.
typedef void halyard_error_handler(void *user_context, const char *message);
halyard_error_handler *halyard_set_error_handler(halyard_error_handler *handler);

// Memory for what is computed on the way; aligned to 64 bytes, or NULL.
typedef void *halyard_allocator(uint64_t bytes);
typedef void halyard_deallocator(void *memory);
void halyard_set_allocator(halyard_allocator *allocate, halyard_deallocator *release); // both, or neither

// Runs a task over chunks that cover [min, min + len), and returns 0 or the status of one that failed. By itself the
// library has a thread for each processor, or HALYARD_NUM_THREADS.
typedef int32_t halyard_task(void *closure, int64_t begin, int64_t end);
typedef int32_t halyard_parallel_for(int64_t min, int64_t len, halyard_task *task, void *closure);
halyard_parallel_for *halyard_set_parallel_for(halyard_parallel_for *run);

#ifdef __cplusplus
}
#endif

#endif
