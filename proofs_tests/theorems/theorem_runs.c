#include "proofs_tests/theorems/theorems.h"

#include "alg_interp/alg_interp.h"
#include "engines/engine.h"
#include "engines/evaluate.h"
#include "engines/generator.h"

#include <stdlib.h>
#include <string.h>

/* -- inputs -- */

enum { MOST_ELEMENTS = 400000 };

// Parameter, min and len of the windows of written programs.
static const int64_t windows[THEOREM_INPUTS][3] = {{1, 0, 9}, {2, -5, 4}, {0, 3, 17}};

static hy_value parameter(hy_type type, int64_t value) {
  return hy_type_class_of(type) == HY_CLASS_FLOAT ? hy_value_from_double(type, (double)value)
                                                  : hy_value_integral(type, value);
}

// The window and the parameters; then boxes for the images: at first that of the window.
static void begin_input(const theorem_program *t, int index, theorem_input *in) {
  const hy_alg *alg = t->test.pipeline.alg;
  const hy_case_input *from = t->is_generated ? &t->pair.inputs[index] : NULL;
  *in = (theorem_input){.image_count = alg->image_count, .seed = from ? from->seed : 77u + (unsigned)index};
  ck_assert(alg->param_count <= (int)HY_COUNT(in->params) && alg->image_count <= (int)HY_COUNT(in->images));
  for (int p = 0; p < alg->param_count; p++)
    in->params[p] = parameter(alg->params[p]->type, from ? from->params[p] : windows[index][0]);
  for (int d = 0; d < alg->window_rank; d++) {
    in->min[d] = from ? from->min[d] : windows[index][1];
    in->len[d] = from ? from->len[d] : (windows[index][2] + d) / (d + 1);
  }
  for (int k = 0; k < alg->image_count; k++) {
    int64_t none[HY_MAX_RANK] = {0};
    in->images[k] = hy_buffer_new(alg->images[k]->type, alg->images[k]->rank, none, none);
    for (int d = 0; d < alg->images[k]->rank; d++) {
      in->images[k]->min[d] = d < alg->output->rank ? in->min[d] : 0;
      in->images[k]->len[d] = d < alg->output->rank ? in->len[d] : 1;
    }
  }
}

static bool fill_images(const hy_alg *alg, theorem_input *in) {
  for (int k = 0; k < alg->image_count; k++) {
    hy_buffer *box = in->images[k];
    double count = 1;
    for (int d = 0; d < box->rank; d++) count *= (double)box->len[d];
    if (!(count >= 0 && count <= MOST_ELEMENTS)) return false;
    hy_buffer *buffer = hy_buffer_new(box->type, box->rank, box->min, box->len);
    if (!buffer) return false;
    hy_buffer_free(box);
    in->images[k] = buffer;
    hy_generator_fill_random(buffer, in->seed + (uint64_t)k);
  }
  return true;
}

bool theorem_input_open(theorem_program *t, const hy_tgt *filled, int index, theorem_input *in) {
  if (t->is_generated && index >= t->pair.input_count) return false;
  begin_input(t, index, in);
  in->input = (hy_input){in->params, (const hy_buffer *const *)in->images, in->min, in->len};
  hy_input_settle(filled, &in->input, in->images);
  if (fill_images(t->test.pipeline.alg, in) && !hy_entry_failure(filled, &in->input)) return true;
  theorem_input_close(in);
  return false;
}

void theorem_input_close(theorem_input *in) {
  for (int k = 0; k < in->image_count; k++) hy_buffer_free(in->images[k]);
}

/* -- runs -- */

static bool any_error(const hy_buffer *b) {
  for (; b; b = b->next)
    for (size_t i = 0; b->errors && i < b->count; i++)
      if (b->errors[i] != HY_OK) return true;
  return false;
}

bool theorem_execute(theorem_program *t, const hy_tgt *filled, const theorem_input *in, uint64_t seed,
                     theorem_run *run) {
  hy_outcome want = hy_engine_alg(t->test.context, t->test.pipeline.alg, &in->input, false, THEOREM_STEPS);
  *run = (theorem_run){0};
  bool done = want.status == HY_RAN;
  if (done) {
    hy_tgt_result got;
    hy_tgt_options options = {.seed = seed, .step_limit = 4 * THEOREM_STEPS, .monitor = true};
    hy_tgt_run(t->test.context, filled, &in->input, &options, &got);
    run->status = got.status;
    run->contract = got.contract;
    run->has_error = any_error(want.output);
    if (got.status == HY_RUN_ASSUME) run->failed = got.failed->assume.why;
    if (got.output) {
      hy_difference difference;
      hy_compare(want.output, got.output, true, &difference);
      run->differs = difference.differs;
      run->points = difference.compared;
    }
    done = got.status != HY_RUN_LIMIT;
    hy_tgt_result_free(&got);
  }
  hy_outcome_free(&want);
  return done;
}

bool theorem_run_is_wrong(const theorem_run *run) {
  if (run->status == HY_RUN_ASSUME) return run->failed != HY_ASSUME_NEED;
  return run->status == HY_RUN_CONTRACT || run->differs;
}

bool theorem_some_run_is_wrong(theorem_program *t, const hy_tgt *filled, uint64_t seed) {
  bool wrong = false;
  for (int i = 0; i < THEOREM_INPUTS && !wrong; i++) {
    theorem_input in;
    theorem_run run;
    if (!theorem_input_open(t, t->test.pipeline.filled, i, &in)) continue;
    wrong = theorem_execute(t, filled, &in, seed, &run) && theorem_run_is_wrong(&run);
    theorem_input_close(&in);
  }
  return wrong;
}

/* -- contents of buffers when their computations end -- */

enum { MOST_LOOPS = 16, MOST_FUNCS = 512 };
typedef struct {
  const hy_var *loops[MOST_LOOPS]; // around the compute, outermost first
  int depth;
} surroundings;
typedef struct {
  theorem_executions *out;
  surroundings around[MOST_FUNCS]; // by func->index
} watcher;

static void find_loops(watcher *w, const hy_stmt *stmt, surroundings *at) {
  if (stmt->kind == HY_STMT_COMPUTE) {
    ck_assert_uint_lt(stmt->compute.func->index, MOST_FUNCS);
    w->around[stmt->compute.func->index] = *at;
  }
  surroundings inside = *at;
  if (stmt->kind == HY_STMT_FOR) {
    ck_assert_int_lt(inside.depth, MOST_LOOPS);
    inside.loops[inside.depth++] = stmt->loop.var;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) find_loops(w, children[i], &inside);
}

static bool next_point(int rank, const int64_t *min, const int64_t *len, int64_t *point) {
  for (int d = 0; d < rank; d++) {
    if (++point[d] < min[d] + len[d]) return true;
    point[d] = min[d];
  }
  return false;
}

static void at_end(void *self, const hy_stmt *compute, const int64_t *min, const int64_t *len,
                   const hy_tgt_scope *scope) {
  watcher *w = self;
  const hy_func *func = compute->compute.func;
  const surroundings *s = &w->around[func->index];
  theorem_execution e = {.func = func, .depth = s->depth, .count = 1};
  for (int i = 0; i < s->depth; i++) hy_tgt_scope_value(scope, s->loops[i], &e.env[i]);
  for (int d = 0; d < func->rank; d++) {
    e.min[d] = min[d];
    e.len[d] = len[d] > 0 ? len[d] : 0;
    e.count *= (size_t)e.len[d];
  }
  if (e.count) {
    int64_t point[HY_MAX_RANK];
    size_t i = 0;
    memcpy(point, e.min, sizeof point);
    e.values = hy_allocate(sizeof *e.values * e.count);
    do {
      e.values[i] = hy_value_zero(func->type);
      e.undefined |= !hy_tgt_scope_cell(scope, func, point, &e.values[i]);
      i++;
    } while (next_point(func->rank, e.min, e.len, point));
  }
  hy_vec_push(&w->out->all, e);
}

void theorem_watch(theorem_program *t, const hy_tgt *filled, const theorem_input *in, theorem_executions *out) {
  watcher w = {.out = out};
  surroundings none = {0};
  *out = (theorem_executions){0};
  find_loops(&w, filled->body, &none);
  hy_tgt_result result;
  hy_tgt_options options = {.seed = 1, .step_limit = 4 * THEOREM_STEPS, .end_observer = at_end, .end_self = &w};
  hy_tgt_run(t->test.context, filled, &in->input, &options, &result);
  out->too_long = result.status == HY_RUN_LIMIT;
  hy_tgt_result_free(&result);
}

void theorem_executions_free(theorem_executions *e) {
  for (size_t i = 0; i < e->all.count; i++) free(e->all.data[i].values);
  hy_vec_free(&e->all);
}

// What a schedule adds (D87, D95) the algorithm does not define: what it holds shows in the funcs that read it.
static bool is_defined(const hy_alg *alg, const hy_func *func) {
  for (int i = 0; i < alg->definition_count; i++)
    if (alg->definitions[i].func == func) return true;
  return false;
}

// The algorithm that ends with the definition of a func: the func is its output.
static const hy_alg *algorithm_of(hy_context *context, const hy_alg *alg, const hy_func *func) {
  hy_alg *part = HY_NEW(hy_context_arena(context), hy_alg);
  *part = *alg;
  while (part->definitions[part->definition_count - 1].func != func) part->definition_count--;
  hy_alg_set_outputs(context, part, &func, 1);
  return part;
}

const theorem_execution *theorem_contents_differ(theorem_program *t, const theorem_input *in,
                                                 const theorem_executions *executions, uint64_t *points) {
  for (size_t i = 0; i < executions->all.count; i++) {
    const theorem_execution *e = &executions->all.data[i];
    if (!e->count || !is_defined(t->test.pipeline.alg, e->func)) continue;
    hy_input input = {in->params, in->input.images, e->min, e->len};
    hy_outcome want = hy_engine_alg(t->test.context, algorithm_of(t->test.context, t->test.pipeline.alg, e->func),
                                    &input, false, THEOREM_STEPS);
    bool same = want.status != HY_RAN || !e->undefined;
    int64_t point[HY_MAX_RANK];
    memcpy(point, e->min, sizeof point);
    for (size_t k = 0; same && want.status == HY_RAN && k < e->count; k++) {
      same = hy_value_same(hy_buffer_get(want.output, point), e->values[k]);
      next_point(e->func->rank, e->min, e->len, point);
      ++*points;
    }
    hy_outcome_free(&want);
    if (!same) return e;
  }
  return NULL;
}
