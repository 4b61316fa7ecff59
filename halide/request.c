// What is asked: JSON for the program and the shape of its inputs, and the elements of the images behind it.

#include "halide/worker_internal.h"

#include <inttypes.h>

enum { MOST_COORDINATE = 1 << 20 }; // export/: beyond, 32 bits may not suffice

static const char *type_name(hy_type type) { return type == HY_INT ? "i64" : hy_type_name(type); }

static void add_string(hy_text *out, const char *string) {
  hy_text_add(out, "\"");
  for (const char *at = string; *at; at++) {
    unsigned char c = (unsigned char)*at;
    if (c == '"' || c == '\\' || c < ' ')
      hy_text_printf(out, "\\u%04x", c);
    else
      hy_text_add_bytes(out, at, 1);
  }
  hy_text_add(out, "\"");
}

static void add_numbers(hy_text *out, const char *key, const int64_t *numbers, int count) {
  hy_text_printf(out, "\"%s\": [", key);
  for (int i = 0; i < count; i++) hy_text_printf(out, "%s%" PRId64, i ? ", " : "", numbers[i]);
  hy_text_add(out, "], ");
}

static void add_box(hy_text *out, const hy_buffer *b) {
  hy_text_add(out, "{");
  add_numbers(out, "min", b->min, b->rank);
  add_numbers(out, "len", b->len, b->rank);
  hy_text_printf(out, "\"type\": \"%s\", \"bytes\": %zu}", type_name(b->type), b->count * hy_type_bytes(b->type));
}

static bool is_near(const int64_t *min, const int64_t *len, int rank) {
  for (int d = 0; d < rank; d++)
    if (min[d] < -MOST_COORDINATE || min[d] > MOST_COORDINATE || len[d] > MOST_COORDINATE) return false;
  return true;
}

static bool has_errors(const hy_buffer *b) {
  for (size_t i = 0; b->errors && i < b->count; i++)
    if (b->errors[i] != HY_OK) return true;
  return false;
}

static bool fits(const hy_alg *alg, const hy_input *input, const char **why) {
  *why = "coordinates, boxes or int parameters leave +-2^20, where 32 bits may not suffice";
  if (!is_near(input->window_min, input->window_len, alg->window_rank)) return false;
  for (int p = 0; p < alg->param_count; p++) {
    hy_value v = input->params[p];
    if (alg->params[p]->type == HY_INT && (v.i < -MOST_COORDINATE || v.i > MOST_COORDINATE)) return false;
  }
  for (int k = 0; k < alg->image_count; k++) {
    if (!is_near(input->images[k]->min, input->images[k]->len, alg->images[k]->rank)) return false;
    if (has_errors(input->images[k])) return *why = "an image has elements that are errors", false;
  }
  return true;
}

void hy_halide_request_begin(hy_halide_request *r, const hy_alg *alg, const char *program) {
  *r = (hy_halide_request){.alg = alg};
  hy_text_add(&r->json, "{\"program\": ");
  add_string(&r->json, program);
  hy_text_add(&r->json, ", \"runs\": [");
}

static void add_inputs(hy_halide_request *r, const hy_input *input) {
  hy_text_add(&r->json, r->outputs.count ? ", {\"params\": [" : "{\"params\": [");
  for (int p = 0; p < r->alg->param_count; p++) {
    hy_type type = r->alg->params[p]->type;
    hy_text_printf(&r->json, "%s{\"type\": \"%s\", \"bits\": \"%016" PRIx64 "\"}", p ? ", " : "",
                   type == HY_INT ? "i32" : hy_type_name(type), hy_value_bits(input->params[p]));
  }
  hy_text_add(&r->json, "], \"images\": [");
  for (int k = 0; k < r->alg->image_count; k++) {
    const hy_buffer *image = input->images[k];
    if (k) hy_text_add(&r->json, ", ");
    add_box(&r->json, image);
    hy_text_add_bytes(&r->bytes, (const char *)image->data, image->count * hy_type_bytes(image->type));
  }
  hy_text_add(&r->json, "], \"outputs\": [");
}

bool hy_halide_request_add(hy_halide_request *r, const hy_input *input, const char **why) {
  if (!fits(r->alg, input, why)) return false;
  hy_buffer *result = hy_alg_outputs_new(r->alg, input->window_min, input->window_len);
  *why = r->alg->part_count > 1 ? "the outputs do not fit into memory" : "the output does not fit into memory";
  if (!result) return false;
  add_inputs(r, input);
  for (const hy_buffer *b = result; b; b = b->next) {
    if (b != result) hy_text_add(&r->json, ", ");
    add_box(&r->json, b);
  }
  hy_text_add(&r->json, "]}");
  hy_vec_push(&r->outputs, result);
  return true;
}

void hy_halide_request_free(hy_halide_request *r) {
  for (size_t i = 0; i < r->outputs.count; i++) hy_buffer_free(r->outputs.data[i]);
  hy_vec_free(&r->outputs);
  hy_text_free(&r->json);
  hy_text_free(&r->bytes);
}
