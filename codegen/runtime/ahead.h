#ifndef HY_AHEAD_H
#define HY_AHEAD_H

/* What lies in an object file beside the code of a pipeline (llvm_ahead.c writes it), and the call that all entries
 * come to. */

#include "codegen/runtime/runtime.h"

enum { HY_AHEAD_SCALAR, HY_AHEAD_INPUT, HY_AHEAD_OUTPUT };

typedef struct hy_ahead_argument {
  const char *name;
  int32_t kind, code, bits, rank; // as the caller has it; "int" is a scalar of 32 bits
  int32_t slot;                   // the first of its 64-bit words
  int32_t is_widened;             // "int", of 64 bits in its word
  int32_t region;                 // INPUT: where its region begins, in words: min and end by dimension
  int32_t part;                   // OUTPUT: those before it are the arguments before this one, and have its box
  const int32_t *stride;          // by dimension, that the code is made for (GEN.Laid), 0: any; NULL: nothing is said
  const int32_t *demand;          // by dimension, those that every buffer has to have (GEN.Demand); NULL: none
  int32_t align;                  // bytes: what the address of its first element has to be a multiple of
} hy_ahead_argument;

// An assumption of the program: status i + 1 is the failure of the i-th.
typedef struct hy_ahead_check {
  const char *text;
  int32_t code;     // that the pipeline returns
  int32_t argument; // the image that is too small; -1: it is about something else
} hy_ahead_check;

typedef struct hy_ahead_pipeline {
  const char *name;
  const hy_ahead_argument *arguments;
  const hy_ahead_check *checks;
  int32_t (*run)(const int64_t *slots);
  // Asks for the ranges of parameters first: a status, as of run.
  int32_t (*regions)(const int64_t *slots, int64_t *regions);
  int32_t argument_count, check_count, slot_count, region_count;
} hy_ahead_pipeline;

// "args" points to each argument's value; of a buffer it is the buffer. 0, or a code of include/halyard_runtime.h, said
// by then.
int32_t hy_runtime_call(const hy_ahead_pipeline *pipeline, void **args);

#endif
