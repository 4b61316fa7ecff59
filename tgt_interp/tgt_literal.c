#include "tgt_interp/literal_internal.h"

#include "semantics/base/intern.h"

#include <stdlib.h>

/* The literal target interpreter: whole runs, and what a finished statement leaves to its context. */

enum { MOST_BYTES = 1 << 29 }; // of environments and contexts

/* -- budget and endings -- */

void hy_literal_stop(literal *l, hy_run_status status) {
  if (l->stopped) return;
  l->status = status;
  l->stopped = true;
}

bool hy_literal_pay(literal *l, uint64_t steps) {
  l->steps += steps;
  if (l->options->step_limit && l->steps > l->options->step_limit) hy_literal_stop(l, HY_RUN_LIMIT);
  return !l->stopped;
}

bool hy_literal_apply(literal *l, hy_rule rule) {
  if (l->stopped || !hy_literal_pay(l, 1)) return false;
  hy_context_hit(l->context, rule);
  return true;
}

void hy_literal_breach(literal *l, const hy_stmt *stmt, const lane *e, hy_contract contract, hy_text *story) {
  if (l->result->contract != HY_CONTRACT_KEPT || l->stopped) {
    hy_text_free(story);
    return;
  }
  hy_text where = {0};
  if (e) hy_literal_environment(&where, e->env);
  if (where.length) hy_text_printf(story, "; %s", hy_text_string(&where));
  hy_text_free(&where);
  l->result->contract = contract;
  l->result->where = stmt;
  l->result->story = story->data;
}

void hy_literal_break_off(literal *l, const hy_stmt *stmt, const lane *e, hy_contract contract, hy_text *story) {
  hy_literal_breach(l, stmt, e, contract, story);
  hy_literal_stop(l, HY_RUN_CONTRACT);
}

static void realize(literal *l, const location *out);

/* -- contexts: what a finished statement leaves -- */

static void leave(configuration *c) {
  c->lanes = c->context->lanes;
  c->context = c->context->outer;
}

static void end_sequence(literal *l, configuration *c, frame *f);

// TGT.Seq: the next statement. TGT.Alloc: what it allocates is alive for what follows.
static void next_of_sequence(literal *l, configuration *c, frame *f) {
  if (f->next == f->stmt->seq.count) {
    end_sequence(l, c, f);
    return;
  }
  const hy_stmt *item = f->stmt->seq.items[f->next++];
  c->lanes = f->lanes;
  if (item->kind != HY_STMT_ALLOCATE) {
    hy_context_hit(l->context, HY_RULE_TGT_SEQ);
    c->stmt = item;
    return;
  }
  location *at = hy_literal_allocate(l, item, &c->lanes);
  if (!at) return;
  lane *lanes = HY_NEW(l->arena, lane);
  *lanes = f->lanes.at[0];
  lanes->env = hy_literal_bind_func(l, lanes->env, at->func, at);
  at->below = f->allocated;
  f->allocated = at;
  f->lanes.at = lanes;
}

// TGT.Else: the other branch, or nothing (then the lanes are those before the branch or the vectorized loop).
static void otherwise(literal *l, configuration *c, const frame *f) {
  leave(c);
  if (f->stmt) hy_context_hit(l->context, HY_RULE_TGT_ELSE);
  c->stmt = f->stmt;
}

// TGT.Alloc-End: what a sequence allocated ends with it, the last first, each in a step of its own (decision D20).
static void end_allocation(literal *l, frame *f) {
  location *at = f->allocated;
  if (!hy_literal_apply(l, HY_RULE_TGT_ALLOC_END)) return;
  if (l->options->trace) hy_literal_trace_end(l, at->func);
  if (f->is_program && hy_alg_output(l->tgt->alg, at->func)) realize(l, at);
  hy_literal_end_location(l, at);
  f->allocated = at->below;
}

static void end_sequence(literal *l, configuration *c, frame *f) {
  if (f->allocated) end_allocation(l, f);
  while (f->is_program && f->allocated && !l->stopped) end_allocation(l, f); // the outcome is the last step
  if (!f->allocated) leave(c);
}

// TGT.Store: what an assignment left pending (decision D76).
static void store(literal *l, configuration *c, const frame *f) {
  if (!hy_literal_apply(l, HY_RULE_TGT_STORE)) return;
  hy_literal_store(l, f->stmt, &f->lanes, f->stores);
  leave(c);
}

// TGT.For: (for x in (m + k, n - k) do S) -> S[x := m + k]; for x in (m + k + 1, n - k - 1) do S
static void next_iteration(literal *l, configuration *c, frame *f) {
  if (f->next == f->len) {
    leave(c);
    return;
  }
  if (!hy_literal_apply(l, HY_RULE_TGT_FOR)) return;
  hy_literal_trace_choice(l, HY_RULE_TGT_FOR, f->stmt, f->min + f->next);
  c->lanes = hy_literal_bind_lanes(l, &f->lanes, f->stmt->loop.var, f->min + f->next++);
  c->stmt = f->stmt->loop.body;
}

static void step(literal *l, configuration *c);

static bool is_finished(const configuration *c) { return !c->stmt && !c->context; }

// TGT.Par-Step: one of the iterations that still run makes one step; seed 0 takes the first, others take any.
static void step_task(literal *l, configuration *c, frame *f) {
  if (f->next == f->len) {
    leave(c);
    return;
  }
  hy_context_hit(l->context, HY_RULE_TGT_PAR_STEP);
  uint64_t running = (uint64_t)(f->len - f->next);
  uint64_t chosen = l->options->seed ? hy_hash(l->options->seed, ++l->choices) % running : 0;
  int task = f->order[f->next + (int64_t)chosen];
  if (l->options->seed) hy_literal_trace_choice(l, HY_RULE_TGT_PAR_STEP, f->stmt, f->min + task);
  step(l, &f->tasks[task]);
  if (!is_finished(&f->tasks[task])) return;
  f->order[f->next + (int64_t)chosen] = f->order[f->next];
  f->next++;
}

static void resume(literal *l, configuration *c) {
  frame *f = c->context;
  switch (f->kind) {
  case FRAME_SEQUENCE: next_of_sequence(l, c, f); return;
  case FRAME_LOOP: next_iteration(l, c, f); return;
  case FRAME_OTHERWISE: otherwise(l, c, f); return;
  case FRAME_TASKS: step_task(l, c, f); return;
  case FRAME_STORE: store(l, c, f); return;
  }
  HY_UNREACHABLE();
}

// One move of a thread: of its statement, or of the context that the finished statement leaves.
static void move(literal *l, configuration *c) {
  if (c->stmt)
    hy_literal_reduce(l, c);
  else
    resume(l, c);
}

// Is the next move only about where the next statement is, without a rule?
static bool has_no_rule(const configuration *c) {
  const frame *f = c->context;
  if (c->stmt) return c->stmt->kind == HY_STMT_NOP || c->stmt->kind == HY_STMT_SEQ || c->stmt->kind == HY_STMT_LABEL;
  if (!f) return false;
  switch (f->kind) {
  case FRAME_SEQUENCE:
    return f->next < f->stmt->seq.count ? f->stmt->seq.items[f->next]->kind != HY_STMT_ALLOCATE : !f->allocated;
  case FRAME_LOOP:
  case FRAME_TASKS: return f->next == f->len;
  case FRAME_OTHERWISE: return true;
  case FRAME_STORE: return false;
  }
  HY_UNREACHABLE();
}

static void settle(literal *l, configuration *c) {
  while (has_no_rule(c)) move(l, c);
}

// One step of a thread: one rule, and what it takes to be at the next.
static void step(literal *l, configuration *c) {
  settle(l, c);
  if (!is_finished(c)) move(l, c);
  if (!l->stopped) settle(l, c);
}

/* -- the window -- */

static bool next_point(const hy_buffer *b, int64_t *point) {
  for (int d = 0; d < b->rank; d++) {
    if (++point[d] < b->min[d] + b->len[d]) return true;
    point[d] = b->min[d];
  }
  return false;
}

static void watch_window(literal *l, const hy_func *func, const hy_value *at, place p, hy_value value) {
  if (!is_watched(l) || (p.inside && !value.undefined)) return;
  hy_text story = {0};
  hy_literal_apply(l, p.inside ? HY_RULE_TGT_MON_UNDEFINED : HY_RULE_TGT_READ_OUT);
  hy_text_add(&story, "the window holds ");
  hy_literal_point(&story, func, at);
  hy_text_add(&story, p.inside ? ", an undefined value" : ", outside Mem");
  hy_literal_breach(l, NULL, NULL, p.inside ? HY_CONTRACT_UNDEFINED : HY_CONTRACT_READ_OUTSIDE, &story);
}

static void realize_part(literal *l, const location *out, int k) {
  const hy_func *func = out->func;
  const hy_output_part *part = &l->tgt->alg->parts[k];
  hy_buffer *window = hy_alg_output_part_new(part, l->input->window_min, l->input->window_len);
  if (!window) {
    hy_literal_stop(l, HY_RUN_LIMIT);
    return;
  }
  hy_buffer_free(l->windows[k]);
  l->windows[k] = window;
  if (!window->count) return;
  int64_t point[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) point[d] = window->min[d];
  if (!hy_literal_pay(l, window->count)) return;
  do {
    hy_value at[HY_MAX_RANK];
    for (int d = 0; d < func->rank; d++) at[d] = hy_value_int(point[d]);
    place p = hy_literal_locate(out, func->rank, at);
    hy_value value = p.inside ? hy_literal_get(out, part->part, at) : hy_value_error(part->type, HY_ERROR_MEM);
    watch_window(l, func, at, p, value);
    hy_buffer_set(window, point, value);
  } while (next_point(window, point));
}

// TGT.Realize: the window is copied out of Mem(out) at the end of its life (decisions D20, D21), of a tuple each part
// (D80).
static void realize(literal *l, const location *out) {
  const hy_output *output = hy_alg_output(l->tgt->alg, out->func);
  if (!hy_literal_apply(l, HY_RULE_TGT_REALIZE)) return;
  hy_literal_trace_note(l, "[TGT.Realize] the window is copied out of Mem");
  for (int part = 0; part < hy_func_parts(out->func) && !l->stopped; part++) realize_part(l, out, output->part + part);
}

/* -- runs -- */

// TGT.Empty: an empty window gives the empty output at once, before any check (decision D11).
static bool run_empty(literal *l) {
  const hy_alg *alg = l->tgt->alg;
  int64_t len[HY_MAX_WINDOW];
  for (int d = 0; d < alg->window_rank; d++) len[d] = l->input->window_len[d] > 0 ? l->input->window_len[d] : 0;
  if (!hy_alg_nothing_asked(alg, l->input)) return false;
  hy_literal_apply(l, HY_RULE_TGT_EMPTY);
  hy_literal_trace_note(l, "[TGT.Empty] the window is empty");
  l->result->output = hy_alg_outputs_new(alg, l->input->window_min, len);
  if (!l->result->output) hy_literal_stop(l, HY_RUN_LIMIT);
  return true;
}

static void check_entry(literal *l, const lane_list *lanes) {
  for (int i = 0; i < l->tgt->entry_count && !l->stopped; i++) hy_literal_assume(l, l->tgt->entry[i], lanes);
}

static void check_window(literal *l) {
  const hy_alg *alg = l->tgt->alg;
  for (int d = 0; d < alg->window_rank && !l->stopped; d++) {
    if (l->input->window_len[d] >= 0) continue;
    hy_text story = {0};
    hy_text_printf(&story, "the window's length in %s is %lld", alg->window_len[d]->name,
                   (long long)l->input->window_len[d]);
    hy_literal_break_off(l, NULL, NULL, HY_CONTRACT_BOUNDS_ERROR, &story);
  }
}

static void check_output(literal *l) {
  const hy_alg *alg = l->tgt->alg;
  int k = 0;
  while (k < alg->part_count && l->windows[k]) k++;
  if (l->stopped) return;
  if (k == alg->part_count) {
    hy_buffer_chain(l->windows, alg->part_count, &l->result->output);
    return;
  }
  hy_text story = {0};
  hy_text_printf(&story, "the output %s is not allocated around the whole program", alg->parts[k].func->name);
  hy_literal_break_off(l, NULL, NULL, HY_CONTRACT_READ_OUTSIDE, &story);
}

static void run_program(literal *l) {
  lane startup = {.env = hy_literal_startup(l)};
  lane_list lanes = {.at = &startup, .count = 1};
  check_entry(l, &lanes);
  check_window(l);
  l->root = (configuration){.stmt = l->tgt->body, .lanes = lanes};
  while (!l->stopped && !is_finished(&l->root)) {
    step(l, &l->root);
    if (hy_arena_bytes(l->arena) > MOST_BYTES) hy_literal_stop(l, HY_RUN_LIMIT);
  }
  check_output(l);
}

static void end_run(literal *l) {
  hy_tgt_result *result = l->result;
  for (int k = 0; k < HY_MAX_OUTPUT_PARTS; k++) hy_buffer_free(l->windows[k]);
  result->status = result->contract != HY_CONTRACT_KEPT ? HY_RUN_CONTRACT : l->status;
  if (l->status != HY_RAN) {
    hy_buffer_free(result->output);
    result->output = NULL;
  }
  for (location *at = l->youngest; at; at = at->older) {
    hy_free(at->cells);
    hy_free(at->holds);
  }
  hy_arena_free(l->arena);
}

void hy_tgt_run_literal(hy_context *context, const hy_tgt *tgt, const hy_input *input, const hy_tgt_options *options,
                        hy_tgt_result *result) {
  HY_ASSERT(!hy_tgt_has_hole(tgt));
  *result = (hy_tgt_result){.status = HY_RAN};
  literal l = {.context = context,
               .tgt = tgt,
               .input = input,
               .options = options,
               .result = result,
               .arena = hy_arena_new(),
               .status = HY_RAN};
  if (!run_empty(&l)) run_program(&l);
  end_run(&l);
}
