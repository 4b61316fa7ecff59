#ifndef HY_ALG_INTERP_H
#define HY_ALG_INTERP_H

/* The lazy meaning of algorithms (paper, Figure 6): the ground truth. It knows nothing of loops, memory or bounds.
 *
 * Two evaluators that must agree (decision D13): a literal one, one function per rule, exponential and with a step
 * budget; and a fast one, which simulates each update stage once per pure slice and memoises.
 */

#include "semantics/alg/input.h"
#include "tape/tape.h"

typedef struct hy_alg_result {
  hy_run_status status;
  HY_GIVE hy_buffer *output; // the windows; NULL unless status is HY_RAN. Errors are in output->errors
  hy_error entry;            // HY_ERROR_RDOM when an rdom that the output reaches is ill-formed: then a target program
                             // ends at its entry check (D11). The output is what the rules say all the same (D89)
  bool by_work;              // HY_RUN_LIMIT: the limit of steps, and not that of memory; fast evaluator only
  uint64_t points;           // stage-point evaluations done
  size_t bytes;              // memory held for memoised points at the end
} hy_alg_result;

typedef struct hy_alg_options {
  hy_mode mode;        // HY_LAZY unless said otherwise (D4)
  uint64_t step_limit; // literal: rule applications; fast: stage-point evaluations; 0 = none
  hy_text *trace;      // literal only: the derivation, indented; NULL = none
} hy_alg_options;

// requires: window lengths >= 0, image types and ranks as declared. An empty window gives an empty output at once.
void hy_alg_run_literal(hy_context *context, const hy_alg *alg, const hy_input *input, const hy_alg_options *options,
                        hy_alg_result *result);
void hy_alg_run(hy_context *context, const hy_alg *alg, const hy_input *input, const hy_alg_options *options,
                hy_alg_result *result);

#endif
