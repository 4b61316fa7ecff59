/* What both evaluators of algorithms do alike (decision D13), before anything is derived: startup variables get the
 * input's values, and some inputs are answered at once.
 *
 *   ALG.Realize-Empty   all windows are empty: the empty outputs, whatever the algorithm is (D11, D81)
 *   ALG.Realize-Param   a parameter is outside of its range: the input is refused (D25)
 *
 * What the algorithm requires (ALG.Realize-Require) each evaluates by its own means, once those have their values.
 *
 * Which rdoms are asked at entry, and which of them can be walked (ALG.RDom-Err; D11, D78), is here, too.
 */

#include "alg_interp/alg_internal.h"

#include <stdlib.h>
#include <string.h>

static void add_var(hy_startup *startup, const hy_var *var, hy_value value) {
  startup->vars[startup->count] = var;
  startup->values[startup->count++] = value;
}

static void add_box(hy_startup *startup, int rank, const hy_var *const *min_vars, const hy_var *const *len_vars,
                    const int64_t *min, const int64_t *len) {
  for (int d = 0; d < rank; d++) {
    add_var(startup, min_vars[d], hy_value_int(min[d]));
    add_var(startup, len_vars[d], hy_value_int(len[d]));
  }
}

void hy_startup_init(hy_startup *startup, const hy_alg *alg, const hy_input *input) {
  size_t room = (size_t)alg->param_count + 2 * (HY_MAX_RANK * (size_t)alg->image_count + HY_MAX_WINDOW);
  *startup = (hy_startup){hy_allocate(sizeof(hy_var *) * room), hy_allocate(sizeof(hy_value) * room), 0};
  for (int i = 0; i < alg->param_count; i++) add_var(startup, alg->params[i], input->params[i]);
  for (int i = 0; i < alg->image_count; i++) {
    const hy_func *image = alg->images[i];
    add_box(startup, image->rank, image->min, image->len, input->images[i]->min, input->images[i]->len);
  }
  if (alg->window_min)
    add_box(startup, alg->window_rank, alg->window_min, alg->window_len, input->window_min, input->window_len);
}

void hy_startup_free(hy_startup *startup) {
  hy_free(startup->vars);
  hy_free(startup->values);
}

void hy_alg_refuse(hy_alg_result *result) {
  hy_buffer_free(result->output);
  result->output = NULL;
  result->status = HY_RUN_ASSUME;
}

bool hy_alg_begin(hy_context *context, const hy_alg *alg, const hy_input *input, hy_alg_result *result) {
  *result = (hy_alg_result){.status = HY_RAN};
  result->output = hy_alg_outputs_new(alg, input->window_min, input->window_len);
  if (!result->output) {
    result->status = HY_RUN_LIMIT;
    return false;
  }
  if (!hy_alg_nothing_asked(alg, input)) {
    if (hy_alg_params_fit(alg, input->params)) return true;
    hy_context_hit(context, HY_RULE_ALG_REALIZE_PARAM); // ALG.Realize-Param: the algorithm says nothing of such inputs
    hy_alg_refuse(result);
    return false;
  }
  hy_context_hit(context, HY_RULE_ALG_REALIZE_EMPTY); // ALG.Realize-Empty: nothing to compute, nothing to check (D11)
  return false;
}

bool hy_rdom_is_valid(hy_value min, hy_value len) {
  int64_t end;
  return !min.error && !len.error && len.i >= 0 && !__builtin_add_overflow(min.i, len.i, &end);
}

bool hy_next_point(int rank, const int64_t *min, const int64_t *len, int64_t *point) {
  for (int d = 0; d < rank; d++) {
    if (++point[d] < min[d] + len[d]) return true;
    point[d] = min[d];
  }
  return false;
}

bool *hy_alg_reached_definitions(const hy_alg *alg) {
  bool *reached = hy_allocate((size_t)(alg->image_count + alg->definition_count) * sizeof *reached);
  hy_alg_reached(alg, reached);
  memmove(reached, reached + alg->image_count, (size_t)alg->definition_count * sizeof *reached);
  return reached;
}

const hy_buffer *hy_alg_image(const hy_alg *alg, const hy_input *input, const hy_func *image) {
  HY_ASSERT(image->index < (uint32_t)alg->image_count && alg->images[image->index] == image);
  return input->images[image->index];
}
