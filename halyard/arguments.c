#include "halyard/arguments.h"

#include <stdlib.h>

void hy_arguments_free(hy_arguments *a) {
  for (int i = 0; i < a->image_count; i++) hy_buffer_free(a->images[i]);
  hy_free(a->images);
  hy_free(a->params);
}

void hy_box_print(int rank, const int64_t *min, const int64_t *len, hy_text *out) {
  for (int d = 0; d < rank; d++)
    hy_text_printf(out, "%s[%lld, %lld)", d ? " x " : "", (long long)min[d], (long long)(min[d] + len[d]));
}

static void print_sides(const hy_alg *alg, int first, int end, const hy_input *input, hy_text *out) {
  for (int d = first; d < end; d++)
    hy_text_printf(out, "%s%s=%lld:%lld", d > first ? "," : "", alg->window_min[d]->name,
                   (long long)input->window_min[d], (long long)input->window_len[d]);
}

void hy_window_print_of(const hy_alg *alg, const hy_output *output, const hy_input *input, hy_text *out) {
  print_sides(alg, output->first, output->first + output->func->rank, input, out);
}

void hy_window_print(const hy_alg *alg, const hy_input *input, hy_text *out) {
  print_sides(alg, 0, alg->window_rank, input, out);
}
