#ifndef HY_TARGET_H
#define HY_TARGET_H

/* The machine that code is for. Code generation asks this record, never the machine that it runs on. */

#include <stdbool.h>
#include <stddef.h>

typedef struct hy_target {
  const char *name; // as --target has it
  const char *triple, *cpu, *features;
  const char *float_features; // of functions that compute f32 (llvm_features.c); NULL: the same
  int vector_bits;            // of its widest vectors
  bool has_fma;
  bool conversions_saturate; // of floats to whole numbers, in vectors as well
  bool divides_vectors;      // of floats
  bool rounds_vectors;       // of floats, to even
  bool converts_f16;         // to and from f32, in vectors as well
  int mask_bytes;            // the least element that it loads and stores under masks; 0: none
} hy_target;

const hy_target *hy_target_host(void); // this machine, found out once per process
// "host" or a row of target.def; NULL if there is none of that name.
const hy_target *hy_target_find(const char *name);
// The names, "host" first. NULL after the last.
const char *hy_target_name(int number);

#endif
