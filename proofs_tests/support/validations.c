#include "proofs_tests/support/validations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 4, MOST = 8 };

typedef struct {
  hy_value params[MOST];
  hy_buffer *images[MOST];
  int image_count;
  int64_t min[HY_MAX_WINDOW], len[HY_MAX_WINDOW];
  hy_input input;
} small_input;

struct test_validator {
  small_input inputs[INPUTS];
  const hy_input *list[INPUTS];
  hy_validator *validator;
};

static void make(const hy_alg *alg, small_input *t, int64_t parameter, int64_t min, int64_t len, int64_t margin) {
  ck_assert(alg->param_count <= MOST && alg->image_count <= MOST);
  t->image_count = alg->image_count;
  for (int i = 0; i < alg->param_count; i++) {
    hy_type type = alg->params[i]->type;
    bool is_float = hy_type_class_of(type) == HY_CLASS_FLOAT;
    t->params[i] = is_float ? hy_value_from_double(type, (double)parameter) : hy_value_integral(type, parameter);
  }
  for (int k = 0; k < alg->image_count; k++) {
    const hy_func *image = alg->images[k];
    int64_t low[HY_MAX_RANK], length[HY_MAX_RANK];
    for (int d = 0; d < image->rank; d++)
      low[d] = min - (d < 2 ? margin : 2), length[d] = len + (d < 2 ? 2 * margin : 8);
    t->images[k] = hy_buffer_new(image->type, image->rank, low, length);
    ck_assert_ptr_nonnull(t->images[k]);
    for (size_t i = 0; i < t->images[k]->count; i++) {
      int64_t bits = (int64_t)(hy_hash(7, i) % 251);
      bool is_float = hy_type_class_of(image->type) == HY_CLASS_FLOAT;
      hy_value value =
          is_float ? hy_value_from_double(image->type, (double)bits) : hy_value_integral(image->type, bits);
      hy_value_store(value, t->images[k]->data + i * hy_type_bytes(image->type));
    }
  }
  for (int d = 0; d < alg->window_rank; d++) t->min[d] = min + d, t->len[d] = d ? (len + 1) / 2 : len;
  t->input = (hy_input){t->params, (const hy_buffer *const *)t->images, t->min, t->len};
}

static test_validator *open_with(test_program *p, int64_t margin, int steps, uint64_t work) {
  static const int64_t cases[INPUTS][3] = {{1, 0, 9}, {2, -5, 13}, {3, 3, 1}, {1, -2, 17}}; // parameter, min, len
  test_validator *v = hy_allocate_zeroed(1, sizeof *v);
  for (int i = 0; i < INPUTS; i++) {
    make(p->pipeline.alg, &v->inputs[i], cases[i][0], cases[i][1], cases[i][2], margin);
    v->list[i] = &v->inputs[i].input;
  }
  hy_validate_options options = {.inputs = v->list,
                                 .input_count = INPUTS,
                                 .step_limit = 200000,
                                 .work = work,
                                 .steps = steps,
                                 .spares = work > 0,
                                 .z3_limit = 2000};
  v->validator = hy_validator_new(p->context, p->pipeline.steps[0], &options);
  return v;
}

test_validator *test_validator_open(test_program *p, int64_t margin) { return open_with(p, margin, 0, 0); }

test_validator *test_validator_open_whole(test_program *p, int64_t margin, uint64_t work) {
  return open_with(p, margin, p->pipeline.core_count, work);
}

void test_validator_step(test_validator *v, const hy_directive *directive, const hy_tgt *after,
                         hy_validation *validation) {
  hy_validator_step(v->validator, directive, after, validation);
}

void test_validator_close(test_validator *v) {
  hy_validator_free(v->validator);
  for (int i = 0; i < INPUTS; i++)
    for (int k = 0; k < v->inputs[i].image_count; k++) hy_buffer_free(v->inputs[i].images[k]);
  free(v);
}

const char *test_broken_levels(const hy_validation *validation, char text[16]) {
  *text = 0;
  for (int k = 0; k < HY_LEVEL_COUNT; k++)
    if (validation->levels[k].answer == HY_LEVEL_BROKEN) sprintf(text + strlen(text), "%sL%d", *text ? " " : "", k);
  return text;
}

size_t test_validate(test_program *p, const char *what, int64_t margin) {
  test_validator *v = test_validator_open_whole(p, margin, 0);
  size_t proved = 0;
  for (int i = 0; i < p->pipeline.core_count; i++) {
    hy_validation out;
    const hy_directive *directive = &p->pipeline.core[i];
    test_validator_step(v, directive, p->pipeline.steps[i + 1], &out);
    for (int k = 0; k < HY_LEVEL_COUNT; k++) {
      bool needed = k == HY_LEVEL_STRUCTURE || k == HY_LEVEL_TRACE;
      hy_level_answer answer = out.levels[k].answer;
      ck_assert_msg(answer == HY_LEVEL_KEPT || (answer == HY_LEVEL_NOT_DONE && !needed),
                    "%s, directive %d (%s, %s): %s: %s", what, i, directive->type->name,
                    hy_order_class_name(out.promise), hy_level_name((hy_level)k),
                    out.levels[k].story ? out.levels[k].story : "not done");
    }
    for (int k = 0; k < HY_PROOF_COUNT; k++) {
      proved += out.proofs[k].proved;
      ck_assert_msg(out.proofs[k].proved_z3 == 0, "%s, directive %d: %s rests on Z3 alone", what, i,
                    hy_proof_name((hy_proof_kind)k));
    }
  }
  test_validator_close(v);
  return proved;
}
