#ifndef HY_FILTER_H
#define HY_FILTER_H

/* A pipeline that was compiled ahead of time, by Halyard or by Halide, in a shared object. Both have one calling
 * convention, NAME_argv, and describe their arguments alike, NAME_metadata. Which stands where differs: arguments are
 * found by their names, outputs by their order.
 */

#include "bench/twins/app_inputs.h"
#include "include/halyard_runtime.h"

enum { FILTER_ARGUMENTS = 24, FILTER_RANK = 4 };

typedef struct {
  halide_buffer_t buffer;
  halide_dimension_t dim[FILTER_RANK];
} filter_array;

// What all filters of a race are given: images and parameters in the order of the signature.
typedef struct {
  int image_count, param_count;
  const char *image_names[APP_IMAGES], *param_names[APP_PARAMS];
  hy_buffer *images[APP_IMAGES]; // owned
  uint64_t params[APP_PARAMS];   // each in its own type, at the beginning
} filter_inputs;

typedef struct {
  const char *label;
  void *library;
  int (*call)(void **);
  const struct halide_filter_metadata_t *about;
  void *arguments[FILTER_ARGUMENTS];
  filter_array images[FILTER_ARGUMENTS], outputs[FILTER_ARGUMENTS]; // descriptions; memory of outputs is owned
  size_t bytes[FILTER_ARGUMENTS];                                   // of each output
  int output_count;
} filter;

// The pipeline NAME of a shared object. Ends the program with a message where it is none.
void filter_open(filter *f, const char *label, const char *path, const char *name);
void filter_close(filter *f);

// The names of images and parameters, from what a filter of Halyard says of itself.
void filter_names(const filter *f, filter_inputs *inputs);
hy_type filter_param_type(const filter *f, const char *name);
// Memory for every output on that box.
void filter_make_outputs(filter *f, const int64_t *min, const int64_t *len);

// Grows the boxes of images to what the filter needs of them for its outputs: a bounds query. False: it refuses.
bool filter_query(filter *f, const filter_inputs *inputs, int64_t min[][4], int64_t len[][4]);
// Says what is computed from. requires: the images have memory.
void filter_bind(filter *f, const filter_inputs *inputs);
// False: it refuses, and filter_said is why.
bool filter_run(filter *f);
const char *filter_said(void);

size_t filter_size(const halide_buffer_t *buffer); // of an element, in bytes

#endif
