#include "alg_interp/alg_internal.h"
#include "semantics/base/failure.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The fast evaluator. f_j(c), the value of func f after its stage j at the point c, is asked for on demand and
 * remembered:
 *
 * - stage 0 is its right-hand side at c;
 * - a stage all of whose dimensions are pure reads and writes f at c alone: its instances run in order on one value;
 * - any other update stage is simulated once per slice, the set of points that agree with c on the pure dimensions:
 *   no instance reads or writes f outside of it (definition 4.2). What was written is kept in a log; a point that
 * nothing hit has the value f_{j-1}.
 *
 * Each stage is active at most once at a time (funcs do not recurse), so its work space is allocated once; the C stack
 * is as deep as the chain of stages and never depends on extents.
 */

typedef struct interp interp;

// Its inputs are the startup variables, the point, the rdom variables.
typedef struct {
  hy_tape *tape; // NULL: none
  hy_value *room;
} tape_in_room;

typedef struct {
  interp *owner;
  const hy_func *func;
  const hy_stage *stage;
  int number;
  bool is_sliced, is_ill;           // is_ill: ALG.RDom-Err applies to it
  tape_in_room predicate, lhs, rhs; // predicate: none = true; lhs: the coordinates of the dimensions that are not pure
  int64_t *rdom_min, *rdom_len, *rdom_point;
  int parts;         // of the func; what follows is of each of them
  hy_memo *memos;    // NULL: none
  hy_slices *slices; // NULL: none
  // While its instances run:
  const int64_t *point;
  hy_value current[HY_MAX_PARTS]; // the values at "point", if known
  bool is_current;
  hy_slice *slice[HY_MAX_PARTS];
} stage_run;

typedef struct {
  stage_run *stages;
  int count; // 0 if the output does not reach the func
} func_run;

struct interp {
  hy_context *context;
  const hy_alg *alg;
  const hy_input *input;
  hy_mode mode;
  hy_startup startup;
  func_run *funcs; // by position in alg->definitions
  hy_buffer *output;
  uint64_t points, step_limit;
  bool stopped; // by a limit: everything returns at once, whatever the value
};

static void values_after(stage_run *run, const int64_t *point, hy_value *values);

static hy_error join(hy_error a, hy_error b) { return a > b ? a : b; }

static func_run *func_of(interp *in, const hy_func *func) {
  return &in->funcs[func->index - (uint32_t)in->alg->image_count];
}

/* -- limits -- */

static size_t bytes_of(const stage_run *run) {
  size_t bytes = 0;
  for (int p = 0; p < run->parts; p++)
    bytes += (run->memos ? run->memos[p].bytes : 0) + (run->slices ? run->slices[p].bytes : 0);
  return bytes;
}

static size_t bytes_held(const interp *in) {
  size_t bytes = 0;
  for (int i = 0; i < in->alg->definition_count; i++)
    for (int j = 0; j < in->funcs[i].count; j++) bytes += bytes_of(&in->funcs[i].stages[j]);
  return bytes;
}

// Most of what the machine has.
static size_t byte_limit(void) { return (size_t)sysconf(_SC_PHYS_PAGES) / 4 * 3 * (size_t)sysconf(_SC_PAGESIZE); }

static void count_point(interp *in) {
  in->points++;
  if (in->step_limit && in->points > in->step_limit) in->stopped = true;
  if (in->points % (1 << 20) == 0 && bytes_held(in) > byte_limit()) in->stopped = true;
}

/* -- reading -- */

static hy_value read_image(const interp *in, const hy_func *image, const int64_t *point) {
  const hy_buffer *buffer = hy_alg_image(in->alg, in->input, image);
  if (!hy_buffer_contains(buffer, point)) return hy_value_error(image->type, HY_ERROR_MEM);
  return hy_buffer_get(buffer, point);
}

// The values of the func of an update stage as its instances have left them so far: a copy, which no store changes.
static void read_itself(stage_run *run, const int64_t *point, hy_value *values) {
  if (!run->is_sliced) {
    if (!run->is_current) values_after(run - 1, run->point, run->current);
    run->is_current = true;
    memcpy(values, run->current, sizeof *values * (size_t)run->parts);
    return;
  }
  int64_t key[HY_MAX_RANK];
  int width = 0;
  for (int d = 0; d < run->func->rank; d++)
    if (!(run->stage->pure >> d & 1)) key[width++] = point[d];
  // An instance hits all parts or none: what one has not, none has.
  bool is_written = hy_slice_read(&run->slices[0], run->slice[0], key, &values[0]);
  if (!is_written) values_after(run - 1, point, values);
  for (int p = 0; p < run->parts; p++) {
    if (is_written && p) hy_slice_read(&run->slices[p], run->slice[p], key, &values[p]);
    hy_error error = join(run->slice[p]->poison, values[p].error);
    if (error != values[p].error) values[p] = hy_value_error(hy_func_type(run->func, p), error);
  }
}

static hy_value load(void *self, const hy_func *func, int part, const hy_value *coordinates) {
  stage_run *run = self;
  interp *in = run->owner;
  int64_t point[HY_MAX_RANK];
  hy_error error = HY_OK;
  for (int d = 0; d < func->rank; d++) {
    point[d] = coordinates[d].i;
    error = join(error, coordinates[d].error);
  }
  if (error != HY_OK) return hy_value_error(hy_func_type(func, part), error);
  if (func->is_image) return read_image(in, func, point);
  if (in->stopped) return hy_value_zero(hy_func_type(func, part));
  hy_value values[HY_MAX_PARTS];
  func_run *other = func == run->func ? NULL : func_of(in, func);
  if (other)
    values_after(&other->stages[other->count - 1], point, values);
  else
    read_itself(run, point, values);
  return values[part];
}

/* -- the instances of an update stage -- */

// With the values of the point and the rdom variables as they are.
static void run_tape(stage_run *run, const tape_in_room *t, hy_value *values) {
  hy_value *inputs = t->room + run->owner->startup.count;
  for (int d = 0; d < run->func->rank; d++) inputs[d] = hy_value_int(run->point[d]);
  for (int k = 0; k < run->stage->rdom_count; k++) inputs[run->func->rank + k] = hy_value_int(run->rdom_point[k]);
  hy_tape_run(t->tape, t->room, load, run, values);
}

static bool first_instance(stage_run *run) {
  for (int k = 0; k < run->stage->rdom_count; k++) {
    if (run->rdom_len[k] == 0) return false;
    run->rdom_point[k] = run->rdom_min[k];
  }
  return true;
}

// rdoms[0] is the innermost loop.
static bool next_instance(stage_run *run) {
  return !run->owner->stopped && hy_next_point(run->stage->rdom_count, run->rdom_min, run->rdom_len, run->rdom_point);
}

// What an instance stores in the points that it hits. Lazy mode, D4: a false predicate is no hit, and nothing else is
// evaluated; an erroring one counts as a hit, and a hit with any error stores their join.
typedef struct {
  bool is_hit;    // the predicate does not say no
  hy_error error; // of the predicate and the coordinates
  hy_value values[HY_MAX_PARTS];
  uint32_t wild; // coordinates that are errors: they match every value
  int64_t key[HY_MAX_RANK];
} instance;

static void run_lhs(stage_run *run, instance *it) {
  hy_value coordinates[HY_MAX_RANK];
  run_tape(run, &run->lhs, coordinates);
  for (int i = 0; i < run->slices[0].width; i++) {
    it->error = join(it->error, coordinates[i].error);
    if (coordinates[i].error) it->wild |= 1u << i;
    it->key[i] = coordinates[i].i; // 0 for an error
  }
}

static instance run_instance(stage_run *run) {
  count_point(run->owner);
  instance it = {.is_hit = true};
  if (run->predicate.tape) {
    hy_value predicate;
    run_tape(run, &run->predicate, &predicate);
    it.is_hit = predicate.error || predicate.u;
    it.error = predicate.error;
  }
  if (!it.is_hit && run->owner->mode == HY_LAZY) return it;
  if (run->is_sliced) run_lhs(run, &it);
  run_tape(run, &run->rhs, it.values); // all of them before any is stored (D80)
  for (int p = 0; p < run->parts; p++) {
    hy_value *value = &it.values[p];
    hy_error error = join(it.error, value->error);
    if (error != HY_OK) *value = hy_value_error(hy_func_type(run->func, p), error);
  }
  return it;
}

// Strict mode: select(e1 = x1 && ... && p, e, f(x)) joins the errors of everything in it, whether x is hit or not.
static hy_value strict_value(hy_value before, hy_value after, bool is_hit) {
  hy_error error = join(before.error, after.error);
  if (error != HY_OK) return hy_value_error(after.type, error);
  return is_hit ? after : before;
}

// What an instance leaves at its point.
static void settle(stage_run *run, const instance *it) {
  hy_value before[HY_MAX_PARTS];
  bool strict = run->owner->mode == HY_STRICT;
  if (strict) read_itself(run, run->point, before);
  for (int p = 0; p < run->parts; p++)
    if (strict)
      run->current[p] = strict_value(before[p], it->values[p], it->is_hit);
    else if (it->is_hit)
      run->current[p] = it->values[p];
  run->is_current |= it->is_hit;
}

static void run_pointwise(stage_run *run, const int64_t *point, hy_value *values) {
  run->point = point;
  run->is_current = false;
  if (first_instance(run)) do {
      instance it = run_instance(run);
      settle(run, &it);
    } while (next_instance(run));
  read_itself(run, point, values);
}

static void store(stage_run *run, const instance *it) {
  hy_value values[HY_MAX_PARTS];
  memcpy(values, it->values, sizeof values);
  if (run->owner->mode == HY_STRICT) {
    hy_value before[HY_MAX_PARTS];
    int64_t point[HY_MAX_RANK];
    bool is_lost = true; // nothing of this slice will be ordinary again
    for (int p = 0; p < run->parts; p++) {
      run->slice[p]->poison = join(run->slice[p]->poison, values[p].error);
      is_lost &= run->slice[p]->poison != HY_OK;
    }
    if (!it->is_hit || is_lost) return;
    for (int d = 0, i = 0; d < run->func->rank; d++)
      point[d] = run->stage->pure >> d & 1 ? run->point[d] : it->key[i++];
    read_itself(run, point, before);
    for (int p = 0; p < run->parts; p++) values[p] = strict_value(before[p], values[p], true);
  }
  for (int p = 0; it->is_hit && p < run->parts; p++)
    hy_slice_write(&run->slices[p], run->slice[p], it->wild, it->key, values[p]);
}

static void simulate(stage_run *run, const int64_t *point) {
  run->point = point;
  if (first_instance(run)) do {
      instance it = run_instance(run);
      if (!run->owner->stopped) store(run, &it);
    } while (next_instance(run));
}

static void run_sliced(stage_run *run, const int64_t *point, hy_value *values) {
  int64_t pure[HY_MAX_RANK];
  int count = 0;
  for (int d = 0; d < run->func->rank; d++)
    if (run->stage->pure >> d & 1) pure[count++] = point[d];
  for (int p = 0; p < run->parts; p++) run->slice[p] = hy_slices_find(&run->slices[p], pure);
  if (!run->slice[0]) {
    for (int p = 0; p < run->parts; p++) run->slice[p] = hy_slices_add(&run->slices[p], pure);
    simulate(run, point);
  }
  read_itself(run, point, values);
}

/* -- values -- */

// ALG.RDom-Err: the value of this stage, whatever stood before (D89)
static void compute_ill(stage_run *run, hy_value *values) {
  hy_context_hit(run->owner->context, HY_RULE_ALG_RDOM_ERR);
  for (int p = 0; p < run->parts; p++) values[p] = hy_value_error(hy_func_type(run->func, p), HY_ERROR_RDOM);
}

static void compute(stage_run *run, const int64_t *point, hy_value *values) {
  if (run->owner->stopped) {
    for (int p = 0; p < run->parts; p++) values[p] = hy_value_zero(hy_func_type(run->func, p));
  } else if (run->is_ill) {
    compute_ill(run, values);
  } else if (run->is_sliced) {
    run_sliced(run, point, values);
  } else if (run->number > 0) {
    run_pointwise(run, point, values);
  } else {
    run->point = point;
    count_point(run->owner);
    run_tape(run, &run->rhs, values);
  }
}

static void values_after(stage_run *run, const int64_t *point, hy_value *values) {
  if (!run->memos) {
    compute(run, point, values);
    return;
  }
  int cell;
  hy_tile *tile = hy_memo_tile(&run->memos[0], point, &cell);
  bool is_known = tile->state[cell];
  if (!is_known) compute(run, point, values);
  for (int p = 0; p < run->parts; p++) {
    if (p) tile = hy_memo_tile(&run->memos[p], point, &cell);
    uint8_t *data = tile->data + (size_t)cell * run->memos[p].cell_bytes, *state = &tile->state[cell];
    if (is_known) {
      values[p] = *state == 1 + HY_OK ? hy_value_load(hy_func_type(run->func, p), data)
                                      : hy_value_error(hy_func_type(run->func, p), (hy_error)(*state - 1));
      continue;
    }
    *state = (uint8_t)(1 + values[p].error);
    if (!values[p].error) hy_value_store(values[p], data);
  }
}

// "window": of its first part
static void fill_window(interp *in, const hy_func *func, hy_buffer *window) {
  func_run *output = func_of(in, func);
  int64_t point[HY_MAX_RANK];
  memcpy(point, window->min, sizeof point);
  hy_value values[HY_MAX_PARTS];
  do {
    values_after(&output->stages[output->count - 1], point, values);
    hy_buffer *part = window;
    for (int p = 0; p < hy_func_parts(func); p++, part = part->next) hy_buffer_set(part, point, values[p]);
  } while (!in->stopped && hy_next_point(window->rank, window->min, window->len, point));
}

static void fill_windows(interp *in) {
  for (int k = 0; k < in->alg->output_count && !in->stopped; k++) {
    const hy_output *output = &in->alg->outputs[k];
    hy_buffer *window = hy_alg_output_at(in->output, output->part);
    if (window->count) fill_window(in, output->func, window);
  }
}

/* -- life -- */

static tape_in_room compile(const interp *in, const hy_expr *const *outputs, size_t count, const hy_var *const *vars,
                            size_t var_count) {
  tape_in_room t = {.tape = hy_tape_compile(outputs, count, vars, var_count, in->mode)};
  t.room = hy_allocate(sizeof *t.room * hy_tape_room(t.tape));
  hy_tape_begin(t.tape, t.room);
  if (in->startup.count) memcpy(t.room, in->startup.values, sizeof *t.room * in->startup.count);
  return t;
}

static void compile_stage(interp *in, const hy_definition *definition, stage_run *run) {
  const hy_stage *stage = run->stage;
  size_t count = in->startup.count, most = count + (size_t)run->func->rank + (size_t)stage->rdom_count;
  const hy_var **vars = hy_allocate(sizeof *vars * (most + 1));
  for (size_t i = 0; i < in->startup.count; i++) vars[i] = in->startup.vars[i];
  for (int d = 0; d < run->func->rank; d++) vars[count++] = definition->vars[d];
  for (int k = 0; k < stage->rdom_count; k++) vars[count++] = stage->rdoms[k].var;
  const hy_expr *written[HY_MAX_RANK], *values[HY_MAX_PARTS];
  size_t width = 0;
  for (int p = 0; p < run->parts; p++) values[p] = hy_expr_part(stage->rhs, p);
  for (int d = 0; d < run->func->rank; d++)
    if (!(stage->pure >> d & 1)) written[width++] = stage->lhs[d];
  run->rhs = compile(in, values, (size_t)run->parts, vars, count);
  if (stage->predicate) run->predicate = compile(in, &stage->predicate, 1, vars, count);
  if (run->is_sliced) run->lhs = compile(in, written, width, vars, count);
  hy_free(vars);
}

static void start_stage(interp *in, const hy_definition *definition, func_run *func, int number) {
  stage_run *run = &func->stages[number];
  const hy_func *f = definition->func;
  uint32_t all = (1u << f->rank) - 1;
  *run = (stage_run){
      .owner = in, .func = f, .stage = &definition->stages[number], .number = number, .parts = hy_func_parts(f)};
  run->is_sliced = number > 0 && (run->stage->pure & all) != all;
  // Asked for more than once at a point: the last stage, by other funcs; the stage below a sliced one, by its reads.
  bool below_sliced = number + 1 < func->count && (definition->stages[number + 1].pure & all) != all;
  bool is_last = number + 1 == func->count;
  if (!run->is_sliced && (below_sliced || (is_last && (f != in->alg->output || in->alg->output_count > 1)))) {
    run->memos = hy_allocate(sizeof *run->memos * (size_t)run->parts);
    for (int p = 0; p < run->parts; p++) hy_memo_init(&run->memos[p], hy_func_type(f, p), f->rank);
  }
  int pure_count = __builtin_popcount(run->stage->pure & all);
  if (run->is_sliced) {
    run->slices = hy_allocate(sizeof *run->slices * (size_t)run->parts);
    for (int p = 0; p < run->parts; p++) hy_slices_init(&run->slices[p], pure_count, f->rank - pure_count);
  }
  size_t room = sizeof(int64_t) * ((size_t)run->stage->rdom_count + 1);
  run->rdom_min = hy_allocate(room);
  run->rdom_len = hy_allocate(room);
  run->rdom_point = hy_allocate(room);
  compile_stage(in, definition, run);
}

static void start(interp *in) {
  in->funcs = hy_allocate_zeroed((size_t)in->alg->definition_count, sizeof *in->funcs);
  bool *reached = hy_alg_reached_definitions(in->alg);
  for (int i = 0; i < in->alg->definition_count; i++) {
    const hy_definition *definition = &in->alg->definitions[i];
    if (!reached[i]) continue;
    func_run *func = &in->funcs[i];
    func->count = definition->stage_count;
    func->stages = hy_allocate(sizeof *func->stages * (size_t)func->count);
    for (int j = 0; j < func->count; j++) start_stage(in, definition, func, j);
  }
  hy_free(reached);
}

static void discard(tape_in_room *t) {
  hy_tape_free(t->tape);
  hy_free(t->room);
}

static void finish_stage(stage_run *run) {
  discard(&run->predicate);
  discard(&run->lhs);
  discard(&run->rhs);
  hy_free(run->rdom_min);
  hy_free(run->rdom_len);
  hy_free(run->rdom_point);
  for (int p = 0; p < run->parts; p++) {
    if (run->memos) hy_memo_free(&run->memos[p]);
    if (run->slices) hy_slices_free(&run->slices[p]);
  }
  hy_free(run->memos);
  hy_free(run->slices);
}

static void finish(interp *in) {
  for (int i = 0; i < in->alg->definition_count; i++) {
    for (int j = 0; j < in->funcs[i].count; j++) finish_stage(&in->funcs[i].stages[j]);
    hy_free(in->funcs[i].stages);
  }
  hy_free(in->funcs);
  hy_startup_free(&in->startup);
}

// The premises of ALG.RDom-Eval and ALG.RDom-Err: the bounds of every rdom that the output reaches.
static bool find_rdoms(interp *in, stage_run *run) {
  for (int k = 0; k < run->stage->rdom_count; k++) {
    const hy_interval *interval = &run->stage->rdoms[k].interval;
    const hy_expr *bounds[] = {interval->min, interval->len};
    tape_in_room t = compile(in, bounds, 2, in->startup.vars, in->startup.count);
    hy_value values[2];
    hy_tape_run(t.tape, t.room, load, run, values);
    discard(&t);
    if (!hy_rdom_is_valid(values[0], values[1])) return false;
    run->rdom_min[k] = values[0].i;
    run->rdom_len[k] = values[1].i;
  }
  return true;
}

// Which stages have no points that could be listed; would the target's entry check pass (D11)?
static bool find_all_rdoms(interp *in) {
  bool valid = true;
  for (int i = 0; i < in->alg->definition_count; i++)
    for (int j = 0; j < in->funcs[i].count; j++) {
      stage_run *run = &in->funcs[i].stages[j];
      run->is_ill = !find_rdoms(in, run);
      valid &= !run->is_ill;
    }
  return valid;
}

// The C stack grows by a few frames for each stage of the longest chain of funcs: a long one gets a stack of its own.
enum { STAGES_ON_THE_STACK = 1000, BYTES_PER_STAGE = 8192 };

// The thread works for the one that waits: what it allocates belongs to that one's call, and so does its failure.
typedef struct {
  interp *in;
  hy_lifetime *lifetime; // NULL: nothing is protected
  hy_failure failure;
  bool failed;
} deep_run;

static void fill_protected(void *self) { fill_windows(((deep_run *)self)->in); }

static void *fill_in_thread(void *self) {
  deep_run *run = self;
  if (run->lifetime)
    run->failed = !hy_protect(run->lifetime, &run->failure, fill_protected, run);
  else
    fill_protected(run);
  return NULL;
}

static bool run_with_deep_stack(interp *in, size_t stages) {
  deep_run run = {.in = in, .lifetime = hy_protecting()};
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes)) return false;
  bool ran = !pthread_attr_setstacksize(&attributes, (stages + STAGES_ON_THE_STACK) * BYTES_PER_STAGE) &&
             !pthread_create(&thread, &attributes, fill_in_thread, &run) && !pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  if (run.failed) hy_fail_again(&run.failure);
  return ran;
}

static bool run_window(interp *in) {
  size_t stages = 0;
  for (int i = 0; i < in->alg->definition_count; i++) stages += (size_t)in->funcs[i].count;
  if (stages > STAGES_ON_THE_STACK) return run_with_deep_stack(in, stages) && !in->stopped;
  fill_windows(in);
  return !in->stopped;
}

// ALG.Realize-Require
static bool requirements_hold(interp *in) {
  bool hold = true;
  for (int i = 0; i < in->alg->requirement_count && hold; i++) {
    tape_in_room t = compile(in, &in->alg->requirements[i].condition, 1, in->startup.vars, in->startup.count);
    hy_value value;
    hy_tape_run(t.tape, t.room, load, NULL, &value); // a startup expression reads nothing
    hold = !value.error && value.u;
    discard(&t);
  }
  if (!hold) hy_context_hit(in->context, HY_RULE_ALG_REALIZE_REQUIRE);
  return hold;
}

static void fill_outputs(interp *in, hy_alg_result *result) {
  if (!find_all_rdoms(in)) result->entry = HY_ERROR_RDOM;
  if (!run_window(in)) {
    result->status = HY_RUN_LIMIT;
    result->by_work = in->step_limit && in->points > in->step_limit;
    hy_buffer_free(result->output);
    result->output = NULL;
  }
  result->points = in->points;
  result->bytes = bytes_held(in);
}

void hy_alg_run(hy_context *context, const hy_alg *alg, const hy_input *input, const hy_alg_options *options,
                hy_alg_result *result) {
  if (!hy_alg_begin(context, alg, input, result)) return;
  interp in = {
      .context = context, .alg = alg, .input = input, .mode = options->mode, .step_limit = options->step_limit};
  in.output = result->output;
  hy_startup_init(&in.startup, alg, input);
  start(&in);
  if (requirements_hold(&in))
    fill_outputs(&in, result);
  else
    hy_alg_refuse(result);
  finish(&in);
}
