#ifndef HY_SAMPLE_H
#define HY_SAMPLE_H

/* Generated inputs for differential runs: windows of awkward sizes and places, small parameters, images that contain
 * exactly what the program needs or somewhat more. The same seed gives the same input.
 */

#include "halyard/arguments.h"
#include "halyard/pipeline.h"

// Where samples come from. What was given is the same in all of them.
typedef struct hy_sampler {
  uint64_t seed;
  const hy_value *params; // by parameter; NULL: none is given
  const bool *is_given;
} hy_sampler;

// Chooses window, parameters and images so that the entry checks of "filled" hold. "number" is the case's: the first
// few are the classic ones (one point, two, none). False if no parameters were found that do. Free the arguments either
// way.
bool hy_sample_make(const hy_sampler *sampler, const hy_pipeline *pipeline, int number, hy_arguments *arguments);

// The same with small windows, for runs of every prefix of the schedule; "first" is the filled program before any
// directive (NULL: there is none), whose needs the images serve, too. "less": 0, or how often a smaller one is asked
// for, up to HY_SAMPLE_LEAST.
enum { HY_SAMPLE_LEAST = 3 };
bool hy_sample_make_small(const hy_sampler *sampler, const hy_pipeline *pipeline, const hy_tgt *first, int number,
                          int less, hy_arguments *arguments);

// The same for that window, which is moved and shortened only where the schedule's bounds ask for it; images hold what
// "other", a filled program of the same signature, needs, too (NULL: there is none). For measuring time.
bool hy_sample_make_sized(const hy_sampler *sampler, const hy_pipeline *pipeline, const hy_tgt *other,
                          const int64_t *window_min, const int64_t *window_len, hy_arguments *arguments);

// The same with boxes of images that have no elements: for what depends on sizes alone.
bool hy_sample_make_boxes(const hy_sampler *sampler, const hy_pipeline *pipeline, const int64_t *window_min,
                          const int64_t *window_len, hy_arguments *arguments);

// The seed of that case, for scrambling other things.
uint64_t hy_sample_seed(const hy_sampler *sampler, int number);

// "window x=-3:5,y=0:7, w = 2, in on [-4, 3) x [-1, 8)"
void hy_sample_print(const hy_alg *alg, const hy_arguments *arguments, hy_text *out);

// sample_needs.c: moves and shortens the window so that the schedule's bounds cover what is needed. False if they do
// not.
bool hy_sample_meet_needs(hy_context *context, const hy_tgt *filled, hy_arguments *a);
// sample_requirements.c: parameters, or with "boxes" the boxes of images, that meet what the algorithm requires of them:
// changed as little as that takes. False if none were found.
bool hy_sample_meet_requirements(const hy_sampler *sampler, const hy_alg *alg, bool boxes, hy_arguments *a);

#endif
