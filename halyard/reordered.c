#include "halyard/reordered.h"

#include "engines/engine.h"
#include "engines/evaluate.h"
#include "sched/funcs/funcs.h"
#include "sched/funcs/meaning.h"
#include "sched/funcs/monoid.h"

#include <float.h>
#include <math.h>

static bool is_reordering(const hy_pipeline *p, int i) { return hy_combines_anew(p->steps[i], &p->core[i]); }

int hy_reordered_count(const hy_pipeline *p) {
  int count = 0;
  for (int i = 0; i < p->core_count; i++) count += is_reordering(p, i);
  return count;
}

// The funcs phase is the first: behind it no directive adds or changes a func.
const hy_alg *hy_reordered_meaning(const hy_pipeline *p) {
  int funcs = 0;
  while (funcs < p->core_count && p->core[funcs].type->phase == HY_PHASE_FUNCS) funcs++;
  return hy_reordered_count(p) ? hy_funcs_meaning(p->context, p->steps[funcs], NULL) : p->alg;
}

/* -- the func alone, before and after -- */

typedef struct {
  const hy_pipeline *p;
  const hy_directive *d;
  const hy_input *input;
  uint64_t step_limit;
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK]; // of the func's points
} cut;

static const hy_stmt *computation(const hy_stmt *stmt, const hy_func *func) {
  if (stmt->kind == HY_STMT_COMPUTE && stmt->compute.func == func) return stmt;
  const hy_stmt *const *children, *room[2], *found = NULL;
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !found; i++) found = computation(children[i], func);
  return found;
}

// The points that the program before computes, all of them at once: nothing has been moved yet.
static bool find_points(cut *c, const hy_tgt *before) {
  hy_diagnostics *unheard = hy_diagnostics_new();
  const hy_tgt *filled = hy_oracle_fill(c->p->context, before, unheard);
  hy_diagnostics_free(unheard);
  const hy_stmt *compute = filled ? computation(filled->body, c->d->func) : NULL;
  bool good = compute != NULL;
  for (int d = 0; good && d < c->d->func->rank; d++) {
    hy_value min = hy_input_evaluate(c->p->alg, c->input, compute->compute.box[d].min);
    hy_value len = hy_input_evaluate(c->p->alg, c->input, compute->compute.box[d].len);
    good = !min.error && !len.error;
    c->min[d] = min.i;
    c->len[d] = len.i < 0 ? 0 : len.i;
  }
  return good;
}

static hy_outcome run(const cut *c, const hy_tgt *program, bool magnitudes) {
  hy_meaning_cut what = {c->d->func, c->d->loop->stage, magnitudes};
  const hy_alg *alg = hy_funcs_meaning(c->p->context, program, &what);
  hy_input input = *c->input;
  int64_t min[HY_MAX_WINDOW], len[HY_MAX_WINDOW];
  for (int i = 0; i < alg->output_count * c->d->func->rank; i++) { // the same of each part
    min[i] = c->min[i % c->d->func->rank];
    len[i] = c->len[i % c->d->func->rank];
  }
  input.window_min = min;
  input.window_len = len;
  return hy_engine_alg(c->p->context, alg, &input, false, c->step_limit);
}

/* -- the bound -- */

// How many additions a point may take: each instance adds so many summands, and the parts are added up in the end.
static double most_additions(const cut *c, const hy_tgt *before, int part) {
  hy_lowered_stage s = hy_funcs_stage(before, c->d->loop);
  hy_update update;
  hy_update_of(c->p->context, before, s.assign, s.predicate, s.loops, s.loop_count, c->d->loop, &update);
  double count = update.combined[part].count + 1;
  for (int i = 0; i < s.loop_count; i++) {
    if (s.loops[i]->loop.is_pure) continue;
    hy_value len = hy_input_evaluate(c->p->alg, c->input, s.loops[i]->loop.interval.len);
    count *= len.error || len.i < 0 ? 0 : (double)len.i + 1;
  }
  return count;
}

// Of two sums, and of the magnitudes, which are sums of floats themselves: three times gamma.
static double relative_bound(hy_type type, double additions) {
  double product = additions * (type == HY_F32 ? FLT_EPSILON : DBL_EPSILON) / 2;
  return product < 0.5 ? 3 * product / (1 - product) : INFINITY;
}

static void compare_point(hy_reordering *out, int part, const int64_t *point, int rank, hy_value a, hy_value b,
                          double bound) {
  double x = hy_value_to_double(a), y = hy_value_to_double(b);
  if (a.error || b.error || !isfinite(bound)) {
    out->unbounded += !a.error && !b.error;
    return;
  }
  double difference = x == y ? 0 : fabs(x - y); // of infinities, too
  bool more = !(difference <= bound), is_first = !out->points++;
  bool larger = difference * out->bound > out->difference * bound || (out->difference == 0 && bound > out->bound);
  if (out->differs_more || !(more || is_first || larger)) return;
  out->differs_more = more;
  out->difference = difference;
  out->bound = bound;
  out->part = part;
  for (int d = 0; d < rank; d++) out->at[d] = point[d];
}

static void compare_part(const cut *c, const hy_tgt *before, int part, const hy_buffer *const *buffers,
                         hy_reordering *out) {
  hy_type type = hy_func_type(c->d->func, part);
  int64_t point[HY_MAX_RANK];
  if (hy_type_class_of(type) != HY_CLASS_FLOAT) return;
  double relative = relative_bound(type, most_additions(c, before, part));
  for (size_t i = 0; i < buffers[0]->count; i++) {
    hy_point_of(buffers[0], i, point);
    hy_value magnitude = hy_buffer_get(buffers[2], point);
    double size = magnitude.error ? INFINITY : fabs(hy_value_to_double(magnitude));
    double bound = size == 0 ? 0 : relative * size; // of min and max, as of zeros
    compare_point(out, part, point, c->d->func->rank, hy_buffer_get(buffers[0], point),
                  hy_buffer_get(buffers[1], point), bound);
  }
}

// False: not all three could be run.
static bool compare_cut(const cut *c, const hy_tgt *before, const hy_tgt *after, hy_reordering *out) {
  hy_outcome outcomes[] = {run(c, before, false), run(c, after, false), run(c, before, true)};
  bool good = true;
  for (int k = 0; k < 3; k++) good = good && outcomes[k].status == HY_RAN;
  for (int part = 0; good && part < hy_func_parts(c->d->func); part++) {
    const hy_buffer *buffers[3];
    for (int k = 0; k < 3; k++) buffers[k] = hy_alg_output_at(outcomes[k].output, part);
    compare_part(c, before, part, buffers, out);
  }
  for (int k = 0; k < 3; k++) hy_outcome_free(&outcomes[k]);
  return good;
}

bool hy_reordered_compare(const hy_pipeline *p, const hy_input *input, uint64_t step_limit, hy_reordering *out) {
  bool good = true;
  for (int i = 0; i < p->core_count; i++) {
    if (!is_reordering(p, i)) continue;
    cut c = {.p = p, .d = &p->core[i], .input = input, .step_limit = step_limit};
    *out = (hy_reordering){.directive = &p->core[i]};
    good &= find_points(&c, p->steps[i]) && compare_cut(&c, p->steps[i], p->steps[i + 1], out);
    out++;
  }
  return good;
}
