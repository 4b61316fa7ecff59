#include "engines/engine.h"
#include "semantics/base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- engines -- */

void hy_outcome_free(hy_outcome *outcome) {
  hy_buffer_free(outcome->output);
  hy_free(outcome->story);
  *outcome = (hy_outcome){0};
}

static hy_outcome run_alg(hy_context *context, const hy_alg *alg, const hy_input *input, bool literal,
                          const hy_alg_options *options, bool *passes_entry) {
  hy_alg_result result = {0};
  double start = hy_seconds();
  (literal ? hy_alg_run_literal : hy_alg_run)(context, alg, input, options, &result);
  *passes_entry = result.status != HY_RAN || result.entry == HY_OK;
  return (hy_outcome){
      .status = result.status, .by_work = result.by_work, .output = result.output, .seconds = hy_seconds() - start};
}

hy_outcome hy_engine_meaning(hy_context *context, const hy_alg *alg, const hy_input *input, hy_mode mode) {
  hy_alg_options options = {mode, 0, NULL};
  bool passes_entry;
  return run_alg(context, alg, input, false, &options, &passes_entry);
}

hy_outcome hy_engine_alg(hy_context *context, const hy_alg *alg, const hy_input *input, bool literal,
                         uint64_t step_limit) {
  hy_alg_options options = {HY_LAZY, step_limit, NULL};
  bool passes_entry;
  hy_outcome outcome = run_alg(context, alg, input, literal, &options, &passes_entry);
  if (passes_entry) return outcome;
  hy_buffer_free(outcome.output);
  outcome.output = NULL;
  outcome.status = HY_RUN_ASSUME;
  return outcome;
}

hy_outcome hy_engine_alg_derived(hy_context *context, const hy_alg *alg, const hy_input *input, hy_mode mode,
                                 uint64_t step_limit, hy_text *trace) {
  hy_alg_options options = {mode, step_limit, trace};
  bool passes_entry;
  return run_alg(context, alg, input, true, &options, &passes_entry);
}

static hy_outcome outcome_of(const hy_tgt_result *result, double start) {
  hy_outcome outcome = {.status = result->status,
                        .by_work = result->by_work,
                        .output = result->output,
                        .failed = result->failed,
                        .story = result->story,
                        .seconds = hy_seconds() - start};
  if (result->status == HY_RUN_CONTRACT) outcome.contract = hy_contract_name(result->contract);
  return outcome;
}

hy_outcome hy_engine_tgt_within(hy_context *context, const hy_tgt *filled, const hy_input *input, uint64_t seed,
                                uint64_t step_limit, uint64_t work_limit, uint64_t *work) {
  hy_tgt_options options = {
      .mode = HY_LAZY, .seed = seed, .step_limit = step_limit, .work_limit = work_limit, .monitor = true};
  hy_tgt_result result = {0};
  double start = hy_seconds();
  hy_tgt_run(context, filled, input, &options, &result);
  *work = result.work;
  return outcome_of(&result, start);
}

hy_outcome hy_engine_tgt(hy_context *context, const hy_tgt *filled, const hy_input *input, uint64_t seed,
                         uint64_t step_limit) {
  uint64_t work;
  return hy_engine_tgt_within(context, filled, input, seed, step_limit, 0, &work);
}

hy_outcome hy_engine_tgt_in(hy_context *context, const hy_tgt *filled, const hy_input *input, uint64_t seed,
                            hy_mode mode) {
  hy_tgt_options options = {.mode = mode, .seed = seed, .monitor = true};
  hy_tgt_result result = {0};
  double start = hy_seconds();
  hy_tgt_run(context, filled, input, &options, &result);
  return outcome_of(&result, start);
}

hy_outcome hy_engine_tgt_told(hy_context *context, const hy_tgt *filled, const hy_input *input, uint64_t seed,
                              hy_mode mode, hy_tgt_event_observer *observer, void *self) {
  hy_tgt_options options = {.mode = mode, .seed = seed, .event_observer = observer, .event_self = self};
  hy_tgt_result result = {0};
  double start = hy_seconds();
  hy_tgt_run(context, filled, input, &options, &result);
  return outcome_of(&result, start);
}

hy_outcome hy_engine_tgt_again(hy_tgt_program *program, const hy_input *input, uint64_t seed, uint64_t slack,
                               uint64_t step_limit) {
  hy_tgt_options options = {.mode = HY_LAZY, .seed = seed, .slack = slack, .step_limit = step_limit, .monitor = true};
  hy_tgt_result result = {0};
  double start = hy_seconds();
  hy_tgt_program_run(program, input, &options, &result);
  return outcome_of(&result, start);
}

hy_outcome hy_engine_tgt_derived(hy_context *context, const hy_tgt *filled, const hy_input *input, hy_mode mode,
                                 uint64_t seed, uint64_t step_limit, bool watched, hy_text *trace) {
  hy_tgt_options options = {.mode = mode, .seed = seed, .step_limit = step_limit, .monitor = watched, .trace = trace};
  hy_tgt_result result = {0};
  double start = hy_seconds();
  hy_tgt_run_literal(context, filled, input, &options, &result);
  return outcome_of(&result, start);
}

static bool can_lie(const hy_tgt *filled, const hy_func *func, const int64_t *len) {
  hy_strides demanded = hy_tgt_demanded(filled, func);
  int64_t stride[HY_MAX_RANK], span;
  return hy_strides_lay(&demanded, func->rank, len, stride, &span);
}

const hy_func *hy_engine_cannot_lie(const hy_tgt *filled, const hy_input *input) {
  const hy_alg *alg = filled->alg;
  for (int i = 0; i < alg->image_count; i++)
    if (!can_lie(filled, alg->images[i], input->images[i]->len)) return alg->images[i];
  for (int k = 0; k < alg->output_count; k++)
    if (!can_lie(filled, alg->outputs[k].func, input->window_len + alg->outputs[k].first)) return alg->outputs[k].func;
  return NULL;
}

hy_outcome hy_engine_native(const hy_native *native, const hy_alg *alg, const hy_input *input) {
  hy_outcome outcome = {.status = HY_RUN_LIMIT};
  outcome.output = hy_alg_outputs_new(alg, input->window_min, input->window_len);
  if (!outcome.output) return outcome;
  hy_native_result result = {0};
  hy_native_laid_run laid;
  bool lies_so = hy_native_lay(native, input, outcome.output, &laid);
  double start = hy_seconds();
  hy_native_run(native, lies_so ? &laid.input : input, lies_so ? laid.output : outcome.output, &result);
  outcome.seconds = hy_seconds() - start;
  if (lies_so) hy_native_take_laid(&laid, outcome.output);
  if (lies_so) hy_native_laid_free(&laid);
  outcome.status = result.status;
  outcome.failed = result.failed;
  if (result.status == HY_RAN) return outcome;
  hy_buffer_free(outcome.output);
  outcome.output = NULL;
  return outcome;
}

/* -- outputs -- */

void hy_point_of(const hy_buffer *buffer, size_t index, int64_t *point) {
  for (int d = 0; d < buffer->rank; d++) {
    point[d] = buffer->min[d] + (int64_t)(index % (size_t)buffer->len[d]);
    index /= (size_t)buffer->len[d];
  }
}

bool hy_first_error(const hy_buffer *buffer, int64_t *point, hy_error *error) {
  for (size_t i = 0; buffer->errors && i < buffer->count; i++) {
    if (buffer->errors[i] == HY_OK) continue;
    hy_point_of(buffer, i, point);
    *error = (hy_error)buffer->errors[i];
    return true;
  }
  return false;
}

static hy_value element(const hy_buffer *buffer, size_t index) {
  if (buffer->errors && buffer->errors[index] != HY_OK)
    return hy_value_error(buffer->type, (hy_error)buffer->errors[index]);
  return hy_value_load(buffer->type, buffer->data + index * hy_type_bytes(buffer->type));
}

static void compare_one(const hy_buffer *a, const hy_buffer *b, int part, bool errors_too, hy_difference *difference) {
  HY_ASSERT(a->count == b->count && a->type == b->type);
  size_t bytes = hy_type_bytes(a->type);
  for (size_t i = 0; i < a->count; i++) {
    bool failed = a->errors && a->errors[i] != HY_OK;
    difference->errors += failed;
    if (failed && !errors_too) continue;
    difference->compared++;
    bool clean = !failed && !(b->errors && b->errors[i] != HY_OK);
    if (difference->differs || (clean && memcmp(a->data + i * bytes, b->data + i * bytes, bytes) == 0)) continue;
    difference->a = element(a, i);
    difference->b = element(b, i);
    if (hy_value_same(difference->a, difference->b)) continue; // two NaNs
    difference->differs = true;
    difference->part = part;
    hy_point_of(a, i, difference->point);
  }
}

void hy_compare(const hy_buffer *a, const hy_buffer *b, bool errors_too, hy_difference *difference) {
  *difference = (hy_difference){0};
  for (int k = 0; a; k++, a = a->next, b = b->next) {
    HY_ASSERT(b);
    compare_one(a, b, k, errors_too, difference);
  }
}

// NaNs are one class (decision D1): each counts as the same bits.
uint64_t hy_checksum(const hy_buffer *buffer) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  size_t bytes = hy_type_bytes(buffer->type);
  for (size_t i = 0; i < buffer->count; i++) {
    uint8_t element[8];
    hy_value value = hy_value_load(buffer->type, buffer->data + i * bytes);
    if (hy_type_class_of(buffer->type) == HY_CLASS_FLOAT && isnan(hy_value_to_double(value)))
      value = hy_value_from_double(buffer->type, (double)NAN);
    hy_value_store(value, element);
    for (size_t k = 0; k < bytes; k++) hash = (hash ^ element[k]) * UINT64_C(0x100000001b3);
  }
  return hash;
}

uint64_t hy_window_points(const hy_alg *alg, const hy_input *input) {
  uint64_t all = 0;
  for (int k = 0; k < alg->output_count; k++) {
    uint64_t points = 1;
    for (int d = 0; d < alg->outputs[k].func->rank; d++)
      if (__builtin_mul_overflow(points, (uint64_t)input->window_len[alg->outputs[k].first + d], &points))
        return UINT64_MAX;
    if (__builtin_add_overflow(all, points, &all)) return UINT64_MAX;
  }
  return all;
}

void hy_difference_print(const hy_alg *alg, const hy_difference *difference, hy_text *out) {
  const hy_output_part *part = &alg->parts[difference->part];
  hy_text_add(out, part->name);
  hy_point_print(part->func->rank, difference->point, out);
}

void hy_point_print(int rank, const int64_t *point, hy_text *out) {
  hy_text_add(out, "(");
  for (int d = 0; d < rank; d++) hy_text_printf(out, "%s%lld", d ? ", " : "", (long long)point[d]);
  hy_text_add(out, ")");
}

/* -- fingerprints: as much of memory at a time as it gives -- */

enum { STREAMS = 4 }; // of multiplications, none of which waits for another's

static uint64_t mix(uint64_t hash, uint64_t word) {
  uint64_t product = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return product << 29 | product >> 35;
}

// Bits of a float's absolute value above which it is a NaN; 0: of that type nothing is.
static uint64_t infinity_of(hy_type type) {
  switch ((int)type) {
  case HY_F16: return 0x7c00;
  case HY_BF16: return 0x7f80;
  case HY_F32: return UINT64_C(0x7f800000);
  case HY_F64: return UINT64_C(0x7ff0000000000000);
  default: return 0;
  }
}

// Elements of so many bytes; inline, so that these are a constant.
static inline void fingerprint_floats(const hy_buffer *b, size_t bytes, uint64_t infinity, uint64_t *hash) {
  uint64_t magnitude = UINT64_MAX >> (65 - 8 * bytes);
  for (size_t i = 0; i < b->count; i++) {
    uint64_t word = 0;
    memcpy(&word, b->data + i * bytes, bytes);
    if ((word & magnitude) > infinity) word = magnitude; // one of them
    hash[i % STREAMS] = mix(hash[i % STREAMS], word);
  }
}

static void fingerprint_words(const hy_buffer *b, size_t bytes, uint64_t *hash) {
  size_t size = b->count * bytes, at = 0, k = 0;
  for (; at < size; at += 8, k++) {
    uint64_t word = 0;
    memcpy(&word, b->data + at, size - at < 8 ? size - at : 8);
    hash[k % STREAMS] = mix(hash[k % STREAMS], word);
  }
}

uint64_t hy_fingerprint(const hy_buffer *buffer) {
  uint64_t hash[STREAMS] = {1, 2, 3, 4}, all = buffer->count, infinity = infinity_of(buffer->type);
  size_t bytes = hy_type_bytes(buffer->type);
  switch (infinity ? bytes : 0) {
  case 2: fingerprint_floats(buffer, 2, infinity, hash); break;
  case 4: fingerprint_floats(buffer, 4, infinity, hash); break;
  case 8: fingerprint_floats(buffer, 8, infinity, hash); break;
  default: fingerprint_words(buffer, bytes, hash);
  }
  for (int k = 0; k < STREAMS; k++) all = mix(all, hash[k]);
  return all;
}
