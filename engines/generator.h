#ifndef HY_GENERATOR_H
#define HY_GENERATOR_H

/* Generated inputs: random:640x480:SEED, ramp:WxH, zero:WxH (docs/language.md, "Generated inputs"). Sizes list x first.
 */

#include "semantics/alg/input.h"
#include "semantics/base/diagnostic.h"

// SplitMix64: the value of a seed at a position of its sequence.
uint64_t hy_splitmix(uint64_t seed, uint64_t index);
// The element that "random" puts at an index into an image of that type.
hy_value hy_generator_random(hy_type type, uint64_t seed, uint64_t index);
// The element that "ramp" puts at an index: the index, modulo the type.
hy_value hy_generator_ramp(hy_type type, uint64_t index);

void hy_generator_fill_random(hy_buffer *buffer, uint64_t seed);

// Is this text meant as a generated input rather than as a file's name?
bool hy_generator_is(const char *text);
// NULL after reporting. Every min is 0.
HY_GIVE hy_buffer *hy_generator_make(const char *text, hy_type type, hy_diagnostics *diagnostics);

#endif
