// Native code under guard, several times: memory flush with the unmapped page above and below, other contents of fresh
// memory, other orders of parallel iterations. None of it may matter.

#include "engines/engine.h"

#include "codegen/guard/guard.h"
#include "semantics/base/clock.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  hy_guard_plan plan;
  const char *name; // of the order
} guarded_runs[] = {
    {{.below = false, .pattern = UINT64_C(0x0101010101010101), .order = HY_GUARD_IN_ORDER}, "in order"},
    {{.below = true, .pattern = UINT64_C(0xc5a3c5a3c5a3c5a3), .order = HY_GUARD_BACKWARDS}, "backwards"},
    {{.below = false, .pattern = UINT64_C(0x3f80400040804180), .order = HY_GUARD_THREADS}, "by four threads at once"},
};

static hy_outcome run_once(const hy_native *native, const hy_alg *alg, const hy_input *input, const hy_guard_plan *plan,
                           bool *is_parallel) {
  hy_outcome outcome = {.status = HY_RUN_LIMIT};
  hy_guard_result result;
  hy_buffer *output = hy_alg_outputs_new(alg, input->window_min, input->window_len);
  if (!output) return outcome;
  double start = hy_seconds();
  hy_guard_run(native, input, output, plan, &result);
  outcome = (hy_outcome){.status = result.run.status, .failed = result.run.failed, .seconds = hy_seconds() - start};
  *is_parallel |= result.is_parallel;
  if (result.run.status == HY_RUN_CONTRACT) {
    outcome.contract = hy_guard_fault_name(result.fault);
    outcome.story = hy_copy_string(result.story);
  }
  if (result.run.status == HY_RAN)
    outcome.output = output;
  else
    hy_buffer_free(output);
  return outcome;
}

static void tell_difference(const hy_alg *alg, const hy_difference *d, bool memory, const char *order,
                            hy_outcome *first) {
  hy_text text = {0};
  hy_difference_print(alg, d, &text);
  hy_text_add(&text, " is ");
  hy_value_print(d->a, &text);
  hy_text_add(&text, ", but ");
  hy_value_print(d->b, &text);
  hy_text_printf(&text, " with %s%s", memory ? "other contents of fresh memory" : "parallel iterations ",
                 memory ? "" : order);
  hy_buffer_free(first->output);
  *first = (hy_outcome){
      .status = HY_RUN_CONTRACT, .contract = memory ? "native fresh memory" : "native order", .story = text.data};
}

// Two runs that differ: the second one again with the first one's memory tells whether memory or the order did it.
static void compare(const hy_native *native, const hy_alg *alg, const hy_input *input, size_t which, hy_outcome *first,
                    const hy_outcome *other) {
  hy_difference difference, again = {0};
  hy_compare(first->output, other->output, false, &difference);
  if (!difference.differs) return;
  bool unused = false;
  hy_guard_plan plan = {guarded_runs[which].plan.below, guarded_runs[0].plan.pattern, guarded_runs[which].plan.order};
  hy_outcome third = run_once(native, alg, input, &plan, &unused);
  if (third.status == HY_RAN) hy_compare(first->output, third.output, false, &again);
  hy_outcome_free(&third);
  tell_difference(alg, &difference, !again.differs, guarded_runs[which].name, first);
}

hy_outcome hy_engine_guarded(const hy_native *native, const hy_alg *alg, const hy_input *input) {
  bool is_parallel = false;
  hy_outcome first = run_once(native, alg, input, &guarded_runs[0].plan, &is_parallel);
  for (size_t i = 1; i < HY_COUNT(guarded_runs) && first.status == HY_RAN; i++) {
    if (guarded_runs[i].plan.order == HY_GUARD_THREADS && !is_parallel) break;
    hy_outcome other = run_once(native, alg, input, &guarded_runs[i].plan, &is_parallel);
    if (other.status == HY_RAN)
      compare(native, alg, input, i, &first, &other);
    else {
      hy_outcome_free(&first);
      first = other;
      other = (hy_outcome){0};
    }
    hy_outcome_free(&other);
  }
  return first;
}
