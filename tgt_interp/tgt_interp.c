#include "tgt_interp/interp_internal.h"

#include <stdlib.h>
#include <unistd.h>

const char *hy_contract_name(hy_contract contract) {
  switch (contract) {
  case HY_CONTRACT_KEPT: return "kept";
  case HY_CONTRACT_WRITE_OUTSIDE: return "write outside Mem";
  case HY_CONTRACT_READ_OUTSIDE: return "read outside Mem";
  case HY_CONTRACT_CPU_OUTSIDE: return "read outside Cpu";
  case HY_CONTRACT_CPU_UNCOVERED: return "Cpu not covered";
  case HY_CONTRACT_UNDEFINED: return "undefined value used";
  case HY_CONTRACT_RACE: return "race";
  case HY_CONTRACT_LANES: return "lanes disagree";
  case HY_CONTRACT_FOLDED: return "a folded cell holds another point";
  case HY_CONTRACT_BOUNDS_ERROR: return "bounds are an error";
  }
  HY_UNREACHABLE();
}

// Memory to be held at one time, shadow included: a little, and where that is not enough most of what the machine has,
// which takes longer to ask than most programs to run.
enum { FEW_BYTES = 16 << 20, BYTES_A_STEP = 256 };

static size_t machine_limit(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return (size_t)1 << 30;
  return (size_t)pages / 4 * 3 * (size_t)size;
}

bool hy_tgt_raise_limit(run *r) {
  if (r->has_machine_limit) return false;
  r->has_machine_limit = true;
  r->limit = machine_limit();
  // A run of few steps cannot use more memory than it writes to.
  uint64_t steps = r->options->step_limit;
  if (steps && steps < r->limit / BYTES_A_STEP) r->limit = (size_t)steps * BYTES_A_STEP;
  return r->limit > r->held;
}

/* -- the window -- */

static hy_buffer *make_window(const run *r, const hy_output_part *part) {
  const hy_func *func = part->func;
  int64_t len[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) {
    int64_t given = r->input->window_len[part->first + d];
    len[d] = given > 0 ? given : 0;
  }
  return hy_buffer_new(part->type, func->rank, r->input->window_min + part->first, len);
}

static bool next_point(const hy_buffer *b, int64_t *point) {
  for (int d = 0; d < b->rank; d++) {
    if (++point[d] < b->min[d] + b->len[d]) return true;
    point[d] = b->min[d];
  }
  return false;
}

static bool take_part(run *r, const node *allocate, int k) {
  const hy_output_part *part = &r->tgt->alg->parts[k];
  const memory *m = &allocate->memories[part->part];
  hy_buffer *window = make_window(r, part), **kept = &r->windows[k];
  if (!window) return hy_tgt_stop(r, HY_RUN_LIMIT);
  hy_buffer_free(*kept);
  *kept = window;
  int64_t point[HY_MAX_RANK];
  for (int d = 0; d < window->rank; d++) point[d] = window->min[d];
  for (size_t i = 0; i < window->count; i++) {
    hy_value at[HY_MAX_RANK];
    for (int d = 0; d < window->rank; d++) at[d] = hy_value_int(point[d]);
    address a = hy_memory_locate(m, at);
    hy_value value = a.inside ? hy_memory_get(m, a.offset) : hy_value_error(m->type, HY_ERROR_MEM);
    if (r->monitor && !is_broken(r)) hy_watch_window(r, allocate, point, value, a.inside);
    hy_buffer_set(window, point, value);
    next_point(window, point);
  }
  return true;
}

// TGT.Realize: the output's Mem may be larger than the window, which is copied from it at the end (decision D21), each
// part's into a buffer of its own (D80).
bool hy_tgt_take_window(run *r, const node *allocate) {
  const hy_output *output = hy_alg_output(r->tgt->alg, allocate->place->func);
  used(r, HY_RULE_TGT_REALIZE);
  for (int part = 0; part < hy_func_parts(output->func); part++)
    if (!take_part(r, allocate, output->part + part)) return false;
  return true;
}

/* -- runs -- */

// TGT.Empty: an empty window asks for nothing, so nothing is checked (decision D11).
static void run_empty(run *r) {
  const hy_alg *alg = r->tgt->alg;
  int made = 0;
  used(r, HY_RULE_TGT_EMPTY);
  while (made < alg->part_count && (r->windows[made] = make_window(r, &alg->parts[made]))) made++;
  if (made == alg->part_count)
    hy_buffer_chain(r->windows, made, &r->result->output);
  else
    hy_tgt_stop(r, HY_RUN_LIMIT);
}

static bool check_entry(run *r) {
  for (int i = 0; i < r->tgt->entry_count; i++)
    if (!hy_tgt_check_assumption(r, r->entry[i])) return false;
  return true;
}

// A program that got past its entry checks with a negative window, or that never allocates its output.
static bool check_window(run *r) {
  hy_text story = {0};
  const hy_alg *alg = r->tgt->alg;
  for (int d = 0; d < alg->window_rank; d++)
    if (r->input->window_len[d] < 0) {
      hy_text_printf(&story, "the window's length in %s is %lld", alg->window_len[d]->name,
                     (long long)r->input->window_len[d]);
      return hy_tgt_break_off(r, NULL, HY_CONTRACT_BOUNDS_ERROR, &story);
    }
  return true;
}

static bool check_output(run *r) {
  const hy_alg *alg = r->tgt->alg;
  int k = 0;
  while (k < alg->part_count && r->windows[k]) k++;
  if (k == alg->part_count) hy_buffer_chain(r->windows, k, &r->result->output);
  if (k == alg->part_count) return true;
  hy_text story = {0};
  hy_text_printf(&story, "the output %s is not allocated around the whole program", alg->parts[k].func->name);
  return hy_tgt_break_off(r, NULL, HY_CONTRACT_READ_OUTSIDE, &story);
}

static void run_program(run *r) {
  HY_ASSERT(!r->monitor || !r->options->event_observer); // the monitor evaluates more than happens
  r->load = r->monitor ? hy_tgt_load_watched : r->options->event_observer ? hy_tgt_load_told : hy_tgt_load_plainly;
  under nothing = {.poison = HY_OK};
  if (!r->arena) hy_tgt_compile_program(r);
  if (r->is_too_deep) {
    hy_tgt_stop(r, HY_RUN_LIMIT);
    return;
  }
  hy_tgt_begin_program(r);
  if (check_entry(r) && check_window(r) && hy_tgt_execute(r, r->root, &nothing)) check_output(r);
}

static void count_rules(const run *r) {
  _Static_assert(HY_RULE_TGT_MON_FOLD - HY_RULE_TGT_FOR < 64, "one word holds the rules used");
  for (int i = 0; i <= (int)HY_RULE_TGT_MON_FOLD - (int)HY_RULE_TGT_FOR; i++)
    if (r->rules >> i & 1) hy_context_hit(r->context, (hy_rule)((int)HY_RULE_TGT_FOR + i));
}

/* -- programs -- */

struct hy_tgt_program {
  run run;
};

hy_tgt_program *hy_tgt_program_new(hy_context *context, const hy_tgt *tgt, hy_mode mode, bool monitor) {
  HY_ASSERT(!hy_tgt_has_hole(tgt));
  hy_tgt_program *program = hy_allocate_zeroed(1, sizeof *program);
  program->run.context = context;
  program->run.tgt = tgt;
  program->run.mode = mode;
  program->run.monitor = monitor;
  return program;
}

static void begin(run *r, const hy_input *input, const hy_tgt_options *options, hy_tgt_result *result) {
  r->input = input;
  r->options = options;
  r->result = result;
  r->status = HY_RAN;
  r->iterations = r->allocations = r->bytes = r->rules = 0;
  r->level_count = 0;
  r->clock = 0;
  // Of this run: another one may have had more steps, or fewer.
  r->limit = FEW_BYTES;
  r->has_machine_limit = false;
  r->at = r->vector = NULL;
}

void hy_tgt_program_run(hy_tgt_program *program, const hy_input *input, const hy_tgt_options *options,
                        hy_tgt_result *result) {
  run *r = &program->run;
  HY_ASSERT(options->mode == r->mode && options->monitor == r->monitor);
  *result = (hy_tgt_result){.status = HY_RAN};
  begin(r, input, options, result);
  if (hy_alg_nothing_asked(r->tgt->alg, input))
    run_empty(r);
  else
    run_program(r);
  count_rules(r);
  for (int k = 0; k < HY_MAX_OUTPUT_PARTS; k++) hy_buffer_free(r->windows[k]), r->windows[k] = NULL;
  result->status = result->contract != HY_CONTRACT_KEPT ? HY_RUN_CONTRACT : r->status;
  if (r->status == HY_RAN) return;
  hy_buffer_free(result->output);
  result->output = NULL;
}

void hy_tgt_program_free(hy_tgt_program *program) {
  if (!program) return;
  hy_tgt_free_program(&program->run);
  hy_tgt_free_lanes(&program->run);
  hy_free(program);
}

void hy_tgt_run(hy_context *context, const hy_tgt *tgt, const hy_input *input, const hy_tgt_options *options,
                hy_tgt_result *result) {
  hy_tgt_program *program = hy_tgt_program_new(context, tgt, options->mode, options->monitor);
  hy_tgt_program_run(program, input, options, result);
  hy_tgt_program_free(program);
}

void hy_tgt_result_free(hy_tgt_result *result) {
  hy_buffer_free(result->output);
  hy_free(result->story);
  *result = (hy_tgt_result){.status = HY_RAN};
}
