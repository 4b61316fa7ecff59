#ifndef HY_INPUT_H
#define HY_INPUT_H

/* Definition 3.1: an input assigns the parameters and images, and names the realization window. All engines take one.
 */

#include "semantics/alg/alg.h"

// A dense array of one type with a box; dimension 0 is the fastest. Owns its memory.
typedef struct hy_buffer {
  hy_type type;
  int rank;
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  int64_t stride[HY_MAX_RANK]; // in elements: stride[0] = 1, stride[d] = stride[d-1] * len[d-1], but of laid ones
  size_t count;                // elements in all
  uint8_t *data;               // count * hy_type_bytes(type), 64-byte aligned, laid out as hy_value_store does
  uint8_t *errors;             // hy_error per element, or NULL when there is none
  HY_GIVE struct hy_buffer
      *next; // of the next part of an output (hy_alg.parts); NULL after the last, and of what is no output
} hy_buffer;

// Zeroed; NULL if the size does not fit into memory (a user's window can be absurd: report it, do not die).
HY_GIVE hy_buffer *hy_buffer_new(hy_type type, int rank, const int64_t *min, const int64_t *len);
void hy_buffer_free(HY_TAKE hy_buffer *buffer); // and those after it
// The same box with these strides, whose elements span so many, in memory of its own, which begins at a multiple of so
// many bytes (a power of two), and without errors; zeroed. NULL: it does not fit into memory. Only what goes by strides may read it: native code, hy_buffer_copy.
HY_GIVE hy_buffer *hy_buffer_new_laid(const hy_buffer *like, const int64_t *stride, int64_t span, int64_t align);
// Every element, between buffers of one type and box.
void hy_buffer_copy(const hy_buffer *from, hy_buffer *to);
bool hy_buffer_contains(const hy_buffer *buffer, const int64_t *point);
size_t hy_buffer_offset(const hy_buffer *buffer, const int64_t *point); // requires: contained
hy_value hy_buffer_get(const hy_buffer *buffer, const int64_t *point);  // the error if there is one
void hy_buffer_set(hy_buffer *buffer, const int64_t *point, hy_value value);
void hy_buffer_add_errors(hy_buffer *buffer); // makes room for errors, all HY_OK

typedef struct hy_input {
  const hy_value *params;                 // by position in alg->params
  const hy_buffer *const *images;         // by position in alg->images
  const int64_t *window_min, *window_len; // of all outputs, one after the other: alg->window_rank of each
} hy_input;

// A buffer for each part of each output on its window, in their order; NULL if they do not fit into memory.
HY_GIVE hy_buffer *hy_alg_outputs_new(const hy_alg *alg, const int64_t *window_min, const int64_t *window_len);
// The same for one part; NULL if it does not fit into memory.
HY_GIVE hy_buffer *hy_alg_output_part_new(const hy_output_part *part, const int64_t *window_min,
                                          const int64_t *window_len);
// Moves the buffers of outputs, all there, into one list.
void hy_buffer_chain(hy_buffer **buffers, int count, HY_GIVE hy_buffer **list);
hy_buffer *hy_alg_output_at(hy_buffer *outputs, int part);
// Is the window of this output empty? Of every output? Then nothing is computed, and nothing checked (decision D11).
bool hy_window_is_empty(const hy_output *output, const hy_input *input);
bool hy_alg_nothing_asked(const hy_alg *alg, const hy_input *input);

// Why an engine produced no output.
typedef enum {
  HY_RAN,
  HY_RUN_ASSUME,   // an assumption failed: which, in the result
  HY_RUN_CONTRACT, // the shadow monitor saw a broken contract (target engine): a defect or a wrong schedule
  HY_RUN_LIMIT,    // the step budget or memory was used up
} hy_run_status;

#endif
