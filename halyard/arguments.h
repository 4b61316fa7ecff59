#ifndef HY_ARGUMENTS_H
#define HY_ARGUMENTS_H

/* An input (definition 3.1) with the memory that it lies in: parameters, images, a window. */

#include "semantics/alg/input.h"
#include "semantics/tgt/tgt.h"

typedef struct hy_arguments {
  hy_value *params;
  hy_buffer **images;
  int image_count;
  int64_t window_min[HY_MAX_WINDOW], window_len[HY_MAX_WINDOW];
  bool is_side_said[HY_MAX_WINDOW]; // by who asks for the window: whatever looks for one leaves that side alone
  hy_input input;                   // points at the above
} hy_arguments;

void hy_arguments_free(hy_arguments *arguments);

// "x=0:640, y=0:480"; of several outputs "f.x=0:640,f.y=0:480,g.x=0:3"
void hy_window_print_of(const hy_alg *alg, const hy_output *output, const hy_input *input, hy_text *out); // one's
void hy_window_print(const hy_alg *alg, const hy_input *input, hy_text *out);
// "x in [0, 640), y in [0, 480)" for an image or region: dimensions are numbered
void hy_box_print(int rank, const int64_t *min, const int64_t *len, hy_text *out);

#endif
