#include "gate/tile/meaning.h"

#include <string.h>

/* -- boxes -- */

bool hy_meant_box_make(hy_meant_box *b, hy_type type, int rank, const int64_t *min, const int64_t *len) {
  *b = (hy_meant_box){.type = type, .rank = rank, .count = 1};
  for (int d = 0; d < rank; d++) {
    b->min[d] = min[d], b->len[d] = len[d];
    if (len[d] < 0 || (len[d] && b->count > (SIZE_MAX >> 8) / (uint64_t)len[d])) return false;
    b->count *= (size_t)len[d];
  }
  return true;
}

bool hy_meant_box_at(const hy_meant_box *b, const int64_t *point, size_t *at) {
  size_t offset = 0, stride = 1;
  for (int d = 0; d < b->rank; d++) {
    if (point[d] < b->min[d] || point[d] - b->min[d] >= b->len[d]) return false;
    offset += (size_t)(point[d] - b->min[d]) * stride;
    stride *= (size_t)b->len[d];
  }
  *at = offset;
  return true;
}

/* -- storage -- */

hy_meaning_storage *hy_meaning_find(hy_meaning_run *r, const hy_func *func) {
  for (size_t i = r->storages.count; i-- > 0;)
    if (r->storages.data[i].func == func) return &r->storages.data[i];
  return NULL;
}

static bool image_cell(hy_meaning_run *r, const hy_func *image, const int64_t *point, hy_meant **cell) {
  const hy_alg *alg = r->meaning->tgt->alg;
  size_t at;
  for (int k = 0; k < alg->image_count; k++) {
    const hy_meant_box *b = &r->meaning->images[k];
    if (alg->images[k] != image) continue;
    if (!hy_meant_box_at(b, point, &at))
      return hy_tile_fail(&r->meaning->fault, HY_TILE_UNDECIDED, "the program reads outside of '%s'", image->name);
    *cell = &b->values[at];
    return true;
  }
  return hy_tile_fail(&r->meaning->fault, HY_TILE_UNDECIDED, "there is no image '%s'", image->name);
}

// What was never written is a symbol of its own (D7).
bool hy_meaning_cell(hy_meaning_run *r, const hy_func *func, int part, const int64_t *point, hy_meant **cell) {
  hy_meaning *m = r->meaning;
  hy_graph *g = m->graph;
  if (func->is_image) return image_cell(r, func, point, cell);
  hy_meaning_storage *s = hy_meaning_find(r, func);
  if (!s) return hy_tile_fail(&m->fault, HY_TILE_UNDECIDED, "'%s' has no memory", func->name);
  for (int d = 0; d < func->rank; d++)
    if (point[d] < s->layout.min[d] || (uint64_t)(point[d] - s->layout.min[d]) >= s->layout.len[d])
      return hy_tile_fail(&m->fault, HY_TILE_UNDECIDED, "the program leaves the box of '%s'", func->name);
  *cell = &s->cells[part][hy_layout_offset(&s->layout, point)];
  if (!(*cell)->value) {
    int bits = hy_meant_bits(hy_func_type(func, part));
    **cell = (hy_meant){hy_graph_symbol(g, bits, 0, hy_low_bits(bits)), hy_graph_const(g, 1, 0)};
  }
  return true;
}

static bool allocate(hy_meaning_run *r, const hy_stmt *stmt) {
  hy_meaning *m = r->meaning;
  const hy_func *func = stmt->allocate.func;
  hy_meaning_storage s = {.func = func};
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) {
    if (!hy_meaning_int(r, stmt->allocate.box[d].min, "where memory lies", &min[d]) ||
        !hy_meaning_int(r, stmt->allocate.box[d].len, "how much memory there is", &len[d]))
      return false;
    if (len[d] < 0) len[d] = 0;
  }
  if (!hy_layout_make(&s.layout, func->rank, stmt->allocate.plan, min, len) || s.layout.count > m->most_cells ||
      (m->cells += s.layout.count * (uint64_t)hy_func_parts(func)) > m->most_cells)
    return hy_tile_fail(&m->fault, HY_TILE_UNDECIDED, "the limit of memory is reached");
  for (int k = 0; k < hy_func_parts(func); k++) s.cells[k] = hy_allocate_zeroed(s.layout.count + 1, sizeof *s.cells[k]);
  hy_vec_push(&r->storages, s);
  return true;
}

static bool next_point(const hy_meant_box *b, int64_t *point) {
  for (int d = 0; d < b->rank; d++) {
    if (++point[d] < b->min[d] + b->len[d]) return true;
    point[d] = b->min[d];
  }
  return false;
}

// D21: the window is taken from the output's memory when that ends.
static bool take_window(hy_meaning_run *r, const hy_output_part *part) {
  hy_meaning *m = r->meaning;
  hy_meant_box *b = &m->outputs[part - m->tgt->alg->parts];
  int64_t point[HY_MAX_RANK];
  size_t at;
  if (b->values) return true;
  b->values = hy_allocate((b->count + 1) * sizeof *b->values);
  memcpy(point, b->min, sizeof point);
  if (b->count) do {
      hy_meant *cell;
      if (!hy_meaning_cell(r, part->func, part->part, point, &cell) || !hy_meant_box_at(b, point, &at)) return false;
      b->values[at] = *cell;
    } while (next_point(b, point));
  return true;
}

static bool pop(hy_meaning_run *r, size_t mark, bool good) {
  while (r->storages.count > mark) {
    const hy_output *output = hy_alg_output(r->meaning->tgt->alg, hy_vec_last(&r->storages).func);
    for (int k = 0; good && output && k < hy_func_parts(output->func); k++)
      good = take_window(r, &r->meaning->tgt->alg->parts[output->part + k]);
    hy_meaning_storage s = hy_vec_pop(&r->storages);
    for (int k = 0; k < hy_func_parts(s.func); k++) hy_free(s.cells[k]);
    r->meaning->cells -= s.layout.count * (uint64_t)hy_func_parts(s.func);
  }
  return good;
}

/* -- variables -- */

static void bind(hy_meaning_run *r, const hy_var *var, hy_meant value) {
  while (r->vars.count <= var->id) hy_vec_push(&r->vars, (hy_meant){0, 0});
  r->vars.data[var->id] = value;
  r->known.stamp++;
}

static void bind_int(hy_meaning_run *r, const hy_var *var, int64_t value) {
  hy_graph *g = r->meaning->graph;
  bind(r, var, (hy_meant){hy_graph_const(g, 64, (uint64_t)value), hy_graph_const(g, 1, 0)});
}

static void bind_startup(hy_meaning_run *r) {
  hy_meaning *m = r->meaning;
  const hy_alg *alg = m->tgt->alg;
  for (int k = 0; k < alg->param_count; k++) bind(r, alg->params[k], hy_meant_const(m->graph, m->input->params[k]));
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++) {
      bind_int(r, alg->images[k]->min[d], m->images[k].min[d]);
      bind_int(r, alg->images[k]->len[d], m->images[k].len[d]);
    }
  for (int k = 0; k < alg->window_rank; k++) {
    bind_int(r, alg->window_min[k], m->input->window_min[k]);
    bind_int(r, alg->window_len[k], m->input->window_len[k]);
  }
}

/* -- statements -- */

static bool execute(hy_meaning_run *r, const hy_stmt *stmt);

// TGT.Store; where data decide whether it takes place, the cell holds a choice.
static bool assign(hy_meaning_run *r, const hy_stmt *stmt) {
  hy_meaning *m = r->meaning;
  hy_graph *g = m->graph;
  const hy_func *func = stmt->assign.func;
  int64_t point[HY_MAX_RANK];
  hy_meant values[HY_MAX_PARTS], *cell;
  int parts = hy_expr_parts(stmt->assign.rhs);
  r->known.stamp++;
  for (int d = 0; d < func->rank; d++)
    if (!hy_meaning_int(r, stmt->assign.lhs[d], "where the program writes", &point[d])) return false;
  for (int k = 0; k < parts; k++) {
    if (!hy_meaning_expr(r, hy_expr_part(stmt->assign.rhs, k), &values[k])) return false;
    values[k].error = hy_graph_or1(g, values[k].error, r->poison);
  }
  for (int k = 0; k < parts; k++) {
    if (!hy_meaning_cell(r, func, k, point, &cell)) return false;
    if (hy_node_is_value(g, r->guard, 1))
      *cell = values[k];
    else
      *cell = (hy_meant){hy_graph_select(g, r->guard, values[k].value, cell->value),
                         hy_graph_select(g, r->guard, values[k].error, cell->error)};
  }
  r->known.stamp++;
  return true;
}

static bool guarded(hy_meaning_run *r, hy_node condition, hy_node error, const hy_stmt *stmt) {
  hy_node guard = r->guard, poison = r->poison;
  r->guard = hy_graph_and1(r->meaning->graph, guard, condition);
  r->poison = hy_graph_or1(r->meaning->graph, poison, error);
  bool good = hy_node_is_value(r->meaning->graph, r->guard, 0) || !stmt || execute(r, stmt);
  r->guard = guard, r->poison = poison;
  return good;
}

// TGT.If-User: what an erring predicate stands around is stored with an error. TGT.If-Guard: a guard does not err.
// TGT.If-Specialize: an error is not true.
static bool branch(hy_meaning_run *r, const hy_stmt *stmt) {
  hy_meaning *m = r->meaning;
  hy_graph *g = m->graph;
  hy_meant c;
  hy_node no = hy_graph_const(g, 1, 0);
  if (stmt->branch.why == HY_IF_IMPLIED) return execute(r, stmt->branch.then); // B.Pieces: owed, not evaluated
  r->known.stamp++;
  if (!hy_meaning_expr(r, stmt->branch.condition, &c)) return false;
  if (stmt->branch.why == HY_IF_USER) return guarded(r, hy_graph_or1(g, c.value, c.error), c.error, stmt->branch.then);
  if (stmt->branch.why == HY_IF_GUARD && !hy_node_is_value(g, c.error, 0))
    return hy_tile_fail(&m->fault, HY_TILE_UNDECIDED, "a guard is an error");
  hy_node holds = hy_graph_and1(g, c.value, hy_graph_not(g, c.error));
  return guarded(r, holds, no, stmt->branch.then) && guarded(r, hy_graph_not(g, holds), no, stmt->branch.otherwise);
}

// What is checked when the program runs; "constrain" is owed.
static bool assume(hy_meaning_run *r, const hy_stmt *stmt) {
  hy_meaning *m = r->meaning;
  hy_meant c;
  if (stmt->assume.why == HY_ASSUME_CONSTRAIN) return true;
  if (!hy_meaning_expr(r, stmt->assume.condition, &c)) return false;
  if (hy_node_is_value(m->graph, c.value, 1) && hy_node_is_value(m->graph, c.error, 0)) return true;
  return hy_tile_fail(&m->fault, HY_TILE_UNDECIDED, "the program does not take this input");
}

static bool loop(hy_meaning_run *r, const hy_stmt *stmt) {
  int64_t min, len;
  if (!hy_meaning_int(r, stmt->loop.interval.min, "where a loop begins", &min) ||
      !hy_meaning_int(r, stmt->loop.interval.len, "how often a loop runs", &len))
    return false;
  for (int64_t k = 0; k < len; k++) {
    bind_int(r, stmt->loop.var, min + k);
    if (!execute(r, stmt->loop.body)) return false;
  }
  return true;
}

static bool let(hy_meaning_run *r, const hy_stmt *stmt) {
  hy_meant value;
  if (!hy_meaning_expr(r, stmt->let.value, &value)) return false;
  bind(r, stmt->let.var, value);
  return execute(r, stmt->let.body);
}

static bool sequence(hy_meaning_run *r, const hy_stmt *stmt) {
  size_t mark = r->storages.count;
  bool good = true;
  for (int i = 0; good && i < stmt->seq.count; i++) good = execute(r, stmt->seq.items[i]);
  return pop(r, mark, good);
}

static bool execute(hy_meaning_run *r, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_NOP: return true;
  case HY_STMT_ASSUME: return assume(r, stmt);
  case HY_STMT_SEQ: return sequence(r, stmt);
  case HY_STMT_ALLOCATE: return allocate(r, stmt);
  case HY_STMT_ASSIGN: return assign(r, stmt);
  case HY_STMT_IF: return branch(r, stmt);
  case HY_STMT_FOR: return loop(r, stmt);
  case HY_STMT_LET: return let(r, stmt);
  case HY_STMT_COMPUTE: return execute(r, stmt->compute.body);
  case HY_STMT_LABEL: return execute(r, stmt->label.body);
  }
  HY_UNREACHABLE();
}

/* -- the program -- */

static bool check_entry(hy_meaning_run *r) {
  for (int i = 0; i < r->meaning->tgt->entry_count; i++)
    if (!assume(r, r->meaning->tgt->entry[i])) return false;
  return true;
}

static bool make_outputs(hy_meaning *m) {
  const hy_alg *alg = m->tgt->alg;
  for (int k = 0; k < alg->part_count; k++) {
    const hy_output_part *o = &alg->parts[k];
    if (!hy_meant_box_make(&m->outputs[k], o->type, o->func->rank, m->input->window_min + o->first,
                           m->input->window_len + o->first))
      return hy_tile_fail(&m->fault, HY_TILE_UNDECIDED, "the window is too large");
  }
  return true;
}

bool hy_meaning_evaluate(hy_meaning *m) {
  hy_meaning_run r = {.meaning = m, .guard = hy_graph_const(m->graph, 1, 1), .poison = hy_graph_const(m->graph, 1, 0)};
  bool good = make_outputs(m);
  r.known.stamp = 1;
  bind_startup(&r);
  good = good && check_entry(&r) && execute(&r, m->tgt->body);
  good = pop(&r, 0, good);
  for (int k = 0; good && k < m->tgt->alg->part_count; k++)
    if (!m->outputs[k].values) good = hy_tile_fail(&m->fault, HY_TILE_UNDECIDED, "an output has no memory");
  hy_vec_free(&r.vars);
  hy_vec_free(&r.storages);
  hy_free(r.known.values);
  hy_free(r.known.stamps);
  return good;
}

void hy_meaning_free(hy_meaning *m) {
  for (int k = 0; k < HY_MAX_OUTPUT_PARTS; k++) hy_free(m->outputs[k].values);
}
