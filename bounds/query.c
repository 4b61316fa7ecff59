#include "bounds/query_internal.h"

#include <string.h>

/* -- statements -- */

static void walk(hy_query_walk *w, const hy_stmt *stmt);

static void walk_below(hy_query_walk *w, const hy_stmt *stmt, const hy_stmt *child, size_t facts) {
  hy_vec_push(&w->path, stmt);
  hy_vec_push(&w->facts_at, facts);
  walk(w, child);
  (void)hy_vec_pop(&w->path);
  (void)hy_vec_pop(&w->facts_at);
}

// B.For: for all iterations.
static void walk_for(hy_query_walk *w, const hy_stmt *stmt) {
  hy_context_hit(w->context, HY_RULE_B_FOR);
  const hy_var *var = stmt->loop.var;
  const hy_expr *v = hy_expr_var(w->context, var);
  size_t facts = w->facts.count, fitting = w->fitting.count;
  hy_query_push_words(w, stmt->loop.interval);
  hy_query_owe_interval(w, hy_query_on(hy_query_here(w, var->func), stmt), stmt->loop.interval, "the loop",
                        hy_query_print(w, v));
  hy_ranges_bind_loop(w->ranges, var, stmt->loop.interval);
  hy_query_push_fact(w, binary(w, HY_OP_LE, stmt->loop.interval.min, v));
  const hy_expr *end = end_of(w, stmt->loop.interval);
  hy_query_push_fact(w, binary(w, HY_OP_LT, v, end));
  walk_below(w, stmt, stmt->loop.body, facts);
  hy_query_pop_facts(w, facts);
  w->fitting.count = fitting;
}

// B.Let: the variable is its value.
static void walk_let(hy_query_walk *w, const hy_stmt *stmt) {
  hy_context_hit(w->context, HY_RULE_B_LET);
  size_t facts = w->facts.count, fitting = w->fitting.count;
  hy_query_place at = hy_query_on(hy_query_here(w, stmt->let.var->func), stmt);
  hy_query_owe_defined(w, at, stmt->let.value);
  hy_query_owe_fits(w, at, stmt->let.value, "the value");
  hy_ranges_bind_let(w->ranges, stmt->let.var, stmt->let.value);
  hy_query_push_fact(w, binary(w, HY_OP_EQ, hy_expr_var(w->context, stmt->let.var), stmt->let.value));
  walk_below(w, stmt, stmt->let.body, facts);
  hy_query_pop_facts(w, facts);
  w->fitting.count = fitting;
}

// B.If: each branch under its condition, if that is a fact (D56).
static void walk_if(hy_query_walk *w, const hy_stmt *stmt) {
  hy_context_hit(w->context, HY_RULE_B_IF);
  size_t facts = w->facts.count, fitting = w->fitting.count;
  const hy_expr *condition = stmt->branch.condition;
  if (stmt->branch.why == HY_IF_GUARD) {
    hy_query_place at = hy_query_on(hy_query_here(w, w->tgt->alg->output), stmt);
    hy_query_owe_defined(w, at, condition);
    hy_query_owe_fits(w, at, condition, "the guard");
  }
  if (stmt->branch.why == HY_IF_USER) hy_query_walk_predicate(w, stmt);
  hy_query_push_branch(w, stmt, stmt->branch.then);
  walk_below(w, stmt, stmt->branch.then, facts);
  hy_query_pop_facts(w, facts);
  w->fitting.count = fitting;
  if (!stmt->branch.otherwise) return;
  hy_query_push_branch(w, stmt, stmt->branch.otherwise);
  walk_below(w, stmt, stmt->branch.otherwise, facts);
  hy_query_pop_facts(w, facts);
  w->fitting.count = fitting;
}

// B.Compute: its box, and its lengths from here on.
static void walk_compute(hy_query_walk *w, const hy_stmt *stmt) {
  hy_context_hit(w->context, HY_RULE_B_COMPUTE);
  const hy_func *func = stmt->compute.func;
  hy_query_place at = hy_query_on(hy_query_here(w, func), stmt);
  hy_interval room[HY_MAX_RANK];
  for (int i = 0; i < func->rank; i++) {
    hy_query_push_words(w, stmt->compute.box[i]);
    hy_query_owe_interval(w, at, stmt->compute.box[i], "the computed region, dimension", dim_name(func, i));
  }
  const hy_interval *mem = hy_query_mem_of(w, func, room);
  if (mem)
    hy_query_owe_inside(w, HY_B_INSIDE, at, stmt->compute.box, mem, "what is computed is allocated");
  else
    hy_query_owe_missing(w, HY_B_INSIDE, at, func->name, "an allocation");
  w->computes[func->index] = stmt;
  for (int i = 0; i < func->rank; i++) // owed above: what follows may build on it, as on what the body assumes
    hy_query_push_fact(w, binary(w, HY_OP_GE, stmt->compute.box[i].len, hy_expr_int(w->context, 0)));
  hy_query_owe_fold(w, at, stmt);
  walk_below(w, stmt, stmt->compute.body, w->facts.count);
}

// B.Constrain: what a bounds directive demands of Cpu is defined, fits and is proved: in Z alone x/0 is a number like any
// other. B.Assume: what is checked holds for all that follows (D43).
static void walk_assume(hy_query_walk *w, const hy_stmt *stmt) {
  const hy_expr *condition = stmt->assume.condition;
  if (stmt->assume.why != HY_ASSUME_CONSTRAIN) {
    hy_context_hit(w->context, HY_RULE_B_ASSUME);
    hy_query_push_checked(w, condition);
    return;
  }
  const hy_func *func = stmt->assume.subject ? stmt->assume.subject : w->tgt->alg->output;
  hy_query_place at = hy_query_on(hy_query_here(w, func), stmt);
  hy_query_owe_defined(w, at, condition);
  hy_query_owe_fits(w, at, condition, "the constraint");
  while (condition->kind == HY_EXPR_OP && condition->op == HY_OP_AND) {
    hy_query_owe(w, HY_B_CONSTRAIN, at, condition->args[1], "the bounds of %s satisfy %s", func->name,
                 hy_query_print(w, condition->args[1]));
    condition = condition->args[0];
  }
  hy_query_owe(w, HY_B_CONSTRAIN, at, condition, "the bounds of %s satisfy %s", func->name,
               hy_query_print(w, condition));
}

// B.Allocate: its box.
static void walk_allocate(hy_query_walk *w, const hy_stmt *stmt) {
  hy_context_hit(w->context, HY_RULE_B_ALLOCATE);
  const hy_func *func = stmt->allocate.func;
  for (int i = 0; i < func->rank; i++) {
    hy_query_push_words(w, stmt->allocate.box[i]);
    hy_query_owe_interval(w, hy_query_on(hy_query_here(w, func), stmt), stmt->allocate.box[i],
                          "the allocation, dimension", dim_name(func, i));
  }
  w->allocates[func->index] = stmt;
}

// B.Seq: an allocation ends with its sequence (D20), and with it what was computed into it.
static void walk_seq(hy_query_walk *w, const hy_stmt *stmt) {
  hy_context_hit(w->context, HY_RULE_B_SEQ);
  size_t facts = w->facts.count;
  for (int i = 0; i < stmt->seq.count; i++) walk_below(w, stmt, stmt->seq.items[i], facts);
  for (int i = 0; i < stmt->seq.count; i++)
    if (stmt->seq.items[i]->kind == HY_STMT_ALLOCATE && w->path.count) {
      w->allocates[stmt->seq.items[i]->allocate.func->index] = NULL;
      w->computes[stmt->seq.items[i]->allocate.func->index] = NULL;
    }
}

static void walk(hy_query_walk *w, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_NOP: return;
  case HY_STMT_ASSUME: walk_assume(w, stmt); return;
  case HY_STMT_SEQ: walk_seq(w, stmt); return;
  case HY_STMT_ALLOCATE: walk_allocate(w, stmt); return;
  case HY_STMT_ASSIGN: hy_query_walk_assign(w, stmt); return;
  case HY_STMT_IF: walk_if(w, stmt); return;
  case HY_STMT_FOR: walk_for(w, stmt); return;
  case HY_STMT_LET: walk_let(w, stmt); return;
  case HY_STMT_COMPUTE: walk_compute(w, stmt); return;
  case HY_STMT_LABEL: walk_below(w, stmt, stmt->label.body, w->facts.count); return;
  }
  HY_UNREACHABLE();
}

/* -- the pipeline -- */

static void see_far(void *self, const hy_expr *node) {
  bool *is_far = self;
  int64_t constant, far = INT64_C(1) << 24;
  *is_far |= hy_expr_is_int(node, &constant) && (constant >= far || constant <= -far);
}

// Does a bound, a let or a guard speak of numbers so far away that how wide a window may be matters?
static bool is_far(const hy_stmt *stmt) {
  const hy_interval *box = stmt->kind == HY_STMT_COMPUTE ? stmt->compute.box : stmt->allocate.box;
  bool found = false;
  if (stmt->kind == HY_STMT_FOR) {
    hy_expr_visit(stmt->loop.interval.min, see_far, &found);
    hy_expr_visit(stmt->loop.interval.len, see_far, &found);
  }
  if (stmt->kind == HY_STMT_LET) hy_expr_visit(stmt->let.value, see_far, &found);
  if (stmt->kind == HY_STMT_IF) hy_expr_visit(stmt->branch.condition, see_far, &found);
  bool has_box = stmt->kind == HY_STMT_COMPUTE || stmt->kind == HY_STMT_ALLOCATE;
  int rank = !has_box ? 0 : stmt->kind == HY_STMT_COMPUTE ? stmt->compute.func->rank : stmt->allocate.func->rank;
  for (int d = 0; d < rank; d++) {
    hy_expr_visit(box[d].min, see_far, &found);
    hy_expr_visit(box[d].len, see_far, &found);
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !found; i++) found = is_far(children[i]);
  return found;
}

// An empty window returns at once (D11), so every length is at least 1; then the entry block's conditions hold.
// "-2^31 <= v && v <= 2^31" says how wide v is and nothing else: B.Fits asks for it, everybody else is spared the facts
// where no number of the program is as large.
static void push_range(hy_query_walk *w, const hy_expr *condition) {
  int64_t constant, width = INT64_C(1) << 31;
  if (condition->kind == HY_EXPR_OP && condition->op == HY_OP_AND) {
    push_range(w, condition->args[0]);
    push_range(w, condition->args[1]);
    return;
  }
  for (int i = 0; i < condition->count && !w->is_far; i++)
    if (hy_expr_is_int(condition->args[i], &constant) && (constant == width || constant == -width)) {
      hy_vec_push(&w->widths, condition);
      return;
    }
  hy_query_push_checked(w, condition);
}

// B.Pipeline: for all parameters, image boxes and windows that the entry block accepts.
static void push_entry_facts(hy_query_walk *w) {
  hy_context_hit(w->context, HY_RULE_B_PIPELINE);
  const hy_alg *alg = w->tgt->alg;
  // Of one output; of several, some windows may be empty while others are not (D81)
  for (int i = 0; alg->output_count == 1 && i < alg->window_rank; i++) {
    const hy_expr *one = hy_expr_int(w->context, 1);
    hy_query_push_fact(w, binary(w, HY_OP_GE, hy_expr_var(w->context, alg->window_len[i]), one));
  }
  for (int i = 0; i < w->tgt->entry_count; i++) {
    const hy_expr *condition = w->tgt->entry[i]->assume.condition;
    hy_ranges_assume(w->ranges, condition); // it is all that is believed of parameters, windows and images (D69)
    if (w->tgt->entry[i]->assume.why == HY_ASSUME_RANGE)
      push_range(w, condition);
    else
      hy_query_push_checked(w, condition);
  }
}

static const hy_query *finish(hy_query_walk *w, size_t entry_count) {
  hy_query *query = HY_NEW(w->arena, hy_query);
  hy_obligation *obligations = HY_NEW_ARRAY(w->arena, hy_obligation, w->obligations.count);
  if (w->obligations.count) memcpy(obligations, w->obligations.data, sizeof *obligations * w->obligations.count);
  hy_query_pop_facts(w, entry_count);
  for (size_t i = 0; i < w->widths.count; i++) hy_query_push_fact(w, w->widths.data[i]);
  *query = (hy_query){obligations, w->obligations.count, hy_query_share_facts(w, w->facts.count), w->facts.count};
  hy_ranges_free(w->ranges);
  hy_free(w->allocates);
  hy_free(w->computes);
  hy_vec_free(&w->obligations);
  hy_vec_free(&w->facts);
  hy_vec_free(&w->widths);
  hy_vec_free(&w->fitting);
  hy_vec_free(&w->path);
  hy_vec_free(&w->facts_at);
  return query;
}

// B.Window: the window lies inside Cpu(output) (decision D50), of each output; an empty one lies in any (D60).
static void owe_window(hy_query_walk *w, const hy_output *output) {
  const hy_alg *alg = w->tgt->alg;
  const hy_func *func = output->func;
  const hy_stmt *compute = w->computes[func->index];
  hy_query_place at = hy_query_here(w, func);
  if (!compute) {
    hy_query_owe_missing(w, HY_B_WINDOW, at, func->name, "a computation");
    return;
  }
  at = hy_query_on(at, compute);
  hy_interval window[HY_MAX_RANK];
  for (int i = 0; i < func->rank; i++)
    window[i] = (hy_interval){hy_expr_var(w->context, alg->window_min[output->first + i]),
                              hy_expr_var(w->context, alg->window_len[output->first + i])};
  hy_query_owe_inside(w, HY_B_WINDOW, at, window, compute->compute.box, "the window is computed");
}

const hy_query *hy_query_extract(hy_context *context, const hy_tgt *in_pieces) {
  return hy_query_extract_into(context, hy_context_arena(context), in_pieces);
}

// B.Pieces: what is owed of the program that the pieces are of, then what the pieces owe.
const hy_query *hy_query_extract_into(hy_context *context, hy_arena *arena, const hy_tgt *in_pieces) {
  const hy_tgt *filled = hy_tgt_whole(context, in_pieces);
  size_t symbols = hy_tgt_symbols(filled);
  hy_query_walk w = {.context = context, .arena = arena, .tgt = filled, .ranges = hy_ranges_new()};
  w.values = hy_values_of(context, filled);
  hy_ranges_use_values(w.ranges, w.values);
  w.allocates = hy_allocate_zeroed(symbols, sizeof *w.allocates);
  w.computes = hy_allocate_zeroed(symbols, sizeof *w.computes);
  w.is_far = is_far(filled->body);
  push_entry_facts(&w);
  size_t entry_count = w.facts.count;
  walk(&w, filled->body);
  for (int k = 0; k < filled->alg->output_count; k++)
    owe_window(
        &w, &filled->alg->outputs[k]); // under the assumptions of the output's own compute, which is in no loop (D43)
  hy_query_pop_facts(&w, entry_count);
  if (in_pieces != filled) hy_query_walk_pieces(&w, in_pieces->body);
  hy_query_pop_facts(&w, entry_count);
  return finish(&w, entry_count);
}
