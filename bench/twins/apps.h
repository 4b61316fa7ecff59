#ifndef HY_APPS_H
#define HY_APPS_H

/* The pipelines of apps/ as plain C loops, in one form, so that one test compares them all and one program times them
 * all: what a programmer would write by hand, with nothing of Halyard in it but the definitions of its math functions.
 * Each is a file of its own that other compilers take as well (bench/apps_bench.c); results are bit for bit those of
 * Halyard where products are not fused with sums (-ffp-contract=off).
 */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  void *data; // dense, the first dimension fastest
  int64_t min[4], len[4];
} reference_array;

typedef struct {
  const reference_array *images; // in the order of the signature
  const double *params;
  reference_array out; // its box is the window
} reference_call;

typedef void reference_app(const reference_call *call);

// Whose place in the array is that of the point?
static inline int64_t reference_place(const reference_array *a, int64_t x, int64_t y) {
  return (y - a->min[1]) * a->len[0] + (x - a->min[0]);
}

static inline void *reference_allocate(int64_t count, size_t size) {
  void *memory = malloc((size_t)count * size + 1);
  if (!memory) abort();
  return memory;
}

static inline int64_t reference_clamp(int64_t i, int64_t low, int64_t high) {
  return i < low ? low : i > high ? high : i;
}
// The nearest place of the array in a dimension.
static inline int64_t reference_edge(const reference_array *a, int dim, int64_t i) {
  return reference_clamp(i, a->min[dim], a->min[dim] + a->len[dim] - 1);
}

#define HY_APP(name) reference_app reference_##name;
#include "bench/twins/apps.def"
#undef HY_APP

#endif
