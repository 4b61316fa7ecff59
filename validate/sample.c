#include "validate/validate_internal.h"

#include "oracle/oracle.h"

/* What looking at samples may take. All of it is counted in the interpreter's units of work, so that the same programs
 * are looked at on every machine, idle or busy. What is left is shared out evenly; what a directive does not take, or
 * does not get far with, is left for those that follow, and the last one may take all.
 */

// Units, per loop, let and guard around the program's assignments.
enum { TO_FILL = 300, TO_READ = 500 };
// Units, per question that fills ask of the prover: a chain of funcs, each computed inside the next, asks many.
enum { TO_ASK = 200 };
// Parts of all work, or of a share.
enum { READ_PART = 4, FIRST_PART = 12, LAST_PART = 3 };

static bool is_limited(const hy_validator *v) { return v->options.work > 0; }

static uint64_t left(const hy_validator *v) { return v->spent < v->options.work ? v->options.work - v->spent : 0; }

// A part of all is left for the final program, whatever those before it took.
void hy_sampling_begin(hy_validator *v) {
  uint64_t steps = hy_validator_ends_with(v) ? 1 : (uint64_t)v->options.steps - v->history.count;
  uint64_t kept = hy_validator_ends_with(v) ? 0 : v->options.work / LAST_PART, rest = left(v);
  v->share = v->spent + (rest > kept ? (rest - kept) / steps : 0);
}

// What S_0 computes: all programs are compared with it in the end.
void hy_sampling_start(hy_validator *v) {
  hy_step *first = hy_validator_last(v);
  if (!is_limited(v)) return;
  for (int i = 0; i < v->options.input_count; i++) {
    v->share = v->spent + v->options.work / (i ? FIRST_PART : FIRST_PART / 3);
    if (hy_sampling_fill(v, first)) hy_validate_baseline(v, i);
  }
}

static uint64_t size_of(const hy_step *step) {
  uint64_t size = 1;
  for (int i = 0; i < step->stages.count; i++) size += (uint64_t)step->stages.copies[i].count + 1;
  return size;
}

// The final program's text always is.
bool hy_sampling_may_read(hy_validator *v, const hy_step *step) {
  uint64_t cost = TO_READ * size_of(step);
  bool may = !is_limited(v) || hy_validator_ends_with(v) || cost <= (v->share - v->spent) / READ_PART;
  if (may) v->spent += cost;
  return may;
}

static bool can_pay(const hy_validator *v, uint64_t cost) {
  return !is_limited(v) || (v->spent < v->share && cost <= v->share - v->spent);
}

static uint64_t cost_of_fill(const hy_step *step, uint64_t asked) {
  uint64_t cost = TO_FILL * size_of(step);
  return asked > cost ? asked : cost;
}

// What is shown for all inputs is looked at on one.
int hy_sampling_plan(hy_validator *v, bool is_proved, bool *traces) {
  int most = v->options.input_count, inputs = 0;
  *traces = true;
  if (!is_limited(v)) return most;
  if (is_proved && v->options.spares && most > 1 && !hy_validator_ends_with(v)) most = 1;
  const hy_step *before = hy_validator_last(v);
  uint64_t fill = cost_of_fill(before, v->fill_cost);   // as much as what was filled last
  uint64_t cost = before->was_filled ? fill : 2 * fill; // and the program after it
  for (; inputs < most; inputs++) {
    cost += (before->traces[inputs] ? 2 : 3) * v->costs[inputs];
    if (!can_pay(v, cost)) break;
  }
  if (inputs || !most || !hy_validator_ends_with(v)) return inputs;
  *traces = false; // which would take the fills of the program before as well
  return 1;        // as far as it goes
}

// Without fills there is nothing to run: a prefix may have none though the whole schedule has.
bool hy_sampling_fill(hy_validator *v, hy_step *step) {
  if (step->was_filled) return step->filled != NULL;
  hy_diagnostics *unheard = hy_diagnostics_new();
  step->was_filled = true;
  uint64_t questions;
  step->filled = hy_oracle_fill_counted(v->context, step->tgt, unheard, &questions);
  hy_diagnostics_free(unheard);
  v->fill_cost = TO_ASK * questions;
  v->spent += cost_of_fill(step, v->fill_cost);
  if (step->filled) step->skeleton = hy_trace_skeleton(v->context, step->filled);
  return step->filled != NULL;
}

void hy_sampling_trace(hy_validator *v, hy_step *step, int input) {
  if (step->traces[input] || !step->skeleton) return;
  uint64_t work;
  step->traces[input] =
      hy_validate_trace(v->context, step, v->options.inputs[input], v->options.step_limit, hy_sampling_limit(v), &work);
  hy_sampling_note(v, input, work);
}

uint64_t hy_sampling_limit(const hy_validator *v) {
  if (!is_limited(v)) return 0;
  return v->spent < v->share ? v->share - v->spent : 1;
}

// To the runs of the final program the part that was kept for them, whatever its fills took.
void hy_sampling_grant(hy_validator *v) {
  uint64_t kept = v->options.work / LAST_PART;
  if (hy_validator_ends_with(v) && v->share < v->spent + kept) v->share = v->spent + kept;
}

void hy_sampling_note(hy_validator *v, int input, uint64_t work) {
  bool ended = hy_sampling_limit(v) != work; // else it would have taken more
  v->spent += work;
  v->costs[input] = ended ? work : 2 * work;
}
