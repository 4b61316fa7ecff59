#include "halyard/arguments.h"

#include <stdlib.h>

void hy_arguments_free(hy_arguments *a) {
  for (int i = 0; i < a->image_count; i++) hy_buffer_free(a->images[i]);
  free(a->images);
  free(a->params);
}

void hy_box_print(int rank, const int64_t *min, const int64_t *len, hy_text *out) {
  for (int d = 0; d < rank; d++)
    hy_text_printf(out, "%s[%lld, %lld)", d ? " x " : "", (long long)min[d], (long long)(min[d] + len[d]));
}

void hy_window_print(const hy_alg *alg, const hy_input *input, hy_text *out) {
  for (int d = 0; d < alg->output->rank; d++)
    hy_text_printf(out, "%s%s=%lld:%lld", d ? "," : "", alg->output->dims[d], (long long)input->window_min[d],
                   (long long)input->window_len[d]);
}
