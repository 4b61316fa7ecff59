#include "engines/generator.h"

#include "semantics/value/value_parse.h"

#include <string.h>

/* -- elements -- */

uint64_t hy_splitmix(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

hy_value hy_generator_random(hy_type type, uint64_t seed, uint64_t index) {
  uint64_t word = hy_splitmix(seed, index);
  switch (hy_type_class_of(type)) {
  case HY_CLASS_INTEGER: return hy_value_int((int32_t)(uint32_t)word); // a coordinate-sized number
  case HY_CLASS_BOOL: return hy_value_bool(word & 1);
  case HY_CLASS_UNSIGNED:
  case HY_CLASS_SIGNED: return hy_value_integral(type, (int64_t)word);
  case HY_CLASS_FLOAT:
    return hy_value_from_double(type, type == HY_F64 ? (double)(word >> 11) * 0x1p-53 : (double)(word >> 40) * 0x1p-24);
  }
  HY_UNREACHABLE();
}

hy_value hy_generator_ramp(hy_type type, uint64_t index) {
  switch (hy_type_class_of(type)) {
  case HY_CLASS_INTEGER: return hy_value_int((int64_t)index);
  case HY_CLASS_BOOL: return hy_value_bool(index & 1);
  case HY_CLASS_UNSIGNED:
  case HY_CLASS_SIGNED: return hy_value_integral(type, (int64_t)index);
  case HY_CLASS_FLOAT: return hy_value_from_double(type, (double)index);
  }
  HY_UNREACHABLE();
}

/* -- images -- */

static void put(hy_buffer *buffer, size_t index, hy_value value) {
  hy_value_store(value, buffer->data + index * hy_type_bytes(buffer->type));
}

void hy_generator_fill_random(hy_buffer *buffer, uint64_t seed) {
  for (size_t i = 0; i < buffer->count; i++) put(buffer, i, hy_generator_random(buffer->type, seed, i));
}

static void fill_ramp(hy_buffer *buffer) {
  for (size_t i = 0; i < buffer->count; i++) put(buffer, i, hy_generator_ramp(buffer->type, i));
}

typedef enum { GENERATE_RANDOM, GENERATE_RAMP, GENERATE_ZERO, GENERATE_NOTHING } generator_kind;

// The kind that a text begins with; *rest is what follows the colon.
static generator_kind kind_of(const char *text, const char **rest) {
  static const char *const names[] = {"random:", "ramp:", "zero:"};
  for (int kind = 0; kind < GENERATE_NOTHING; kind++) {
    size_t length = strlen(names[kind]);
    if (strncmp(text, names[kind], length) != 0) continue;
    *rest = text + length;
    return (generator_kind)kind;
  }
  return GENERATE_NOTHING;
}

bool hy_generator_is(const char *text) {
  const char *rest;
  return kind_of(text, &rest) != GENERATE_NOTHING;
}

static hy_buffer *malformed(const char *text, hy_diagnostics *diagnostics) {
  hy_report(diagnostics, HY_E_GENERATOR, (hy_loc){0}, NULL,
            "write random:640x480:SEED, ramp:640x480 or zero:640x480; sizes list x first, at most 8 of them, and the "
            "seed is a whole number",
            "'%s' is not a generated input", text);
  return NULL;
}

// sizes: [length {"x" length}]
static bool take_sizes(const char **at, int64_t *len, int *rank) {
  *rank = 0;
  if (!**at || **at == ':') return true;
  for (;;) {
    if (*rank == HY_MAX_RANK || !hy_take_int(at, &len[*rank]) || len[*rank] < 0) return false;
    (*rank)++;
    if (**at != 'x') return true;
    (*at)++;
  }
}

hy_buffer *hy_generator_make(const char *text, hy_type type, hy_diagnostics *diagnostics) {
  const char *at = NULL;
  generator_kind kind = kind_of(text, &at);
  int64_t len[HY_MAX_RANK];
  const int64_t min[HY_MAX_RANK] = {0};
  uint64_t seed = 0;
  int rank;
  if (kind == GENERATE_NOTHING || !take_sizes(&at, len, &rank)) return malformed(text, diagnostics);
  if (kind == GENERATE_RANDOM && (*at++ != ':' || !hy_take_uint(&at, &seed))) return malformed(text, diagnostics);
  if (*at) return malformed(text, diagnostics);
  hy_buffer *buffer = hy_buffer_new(type, rank, min, len);
  if (!buffer) {
    hy_report(diagnostics, HY_E_RUN_MEMORY, (hy_loc){0}, NULL, "ask for a smaller image",
              "the image '%s' does not fit into memory", text);
    return NULL;
  }
  if (kind == GENERATE_RANDOM) hy_generator_fill_random(buffer, seed);
  if (kind == GENERATE_RAMP) fill_ramp(buffer);
  return buffer;
}
