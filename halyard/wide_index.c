#include "halyard/wide_index.h"

#include "halyard/cause.h"
#include "halyard/copies.h"
#include "semantics/tgt/values.h"

#include <string.h>

enum { MOST_LEAVES = 4, MOST_STEPS = 1000 };

// Of a func or image: between which numbers its points lie, as far as they fit, and why they do not.
typedef struct {
  hy_range box[HY_MAX_RANK];
  bool is_read;
  const hy_wide_index *why; // of a load of it, or of one of a func that reads it
  bool is_certain;          // the index leaves 64 bits, and not only a part of it, under a clamp perhaps
} reading;

typedef struct {
  const hy_pipeline *pipeline;
  hy_context *context;
  const hy_alg *alg;
  hy_ranges *ranges;
  reading *readings; // by the index of the func or image
} looking;

static const hy_range any_index = {.low = INT64_MIN, .high = INT64_MAX};

static void join(reading *r, int dim, hy_range range) {
  range.low = hy_greater(range.low, any_index.low), range.high = hy_lesser(range.high, any_index.high);
  r->box[dim] = r->is_read ? hy_range_joined(r->box[dim], range) : range;
}

/* -- one index -- */

typedef struct {
  hy_expr_list found;
  int steps; // shared nodes are met more than once
} gathering;

static bool is_leaf(const hy_expr *node) {
  bool is_converted = node->kind == HY_EXPR_OP && node->op == HY_OP_CAST;
  return node->kind == HY_EXPR_VAR || node->kind == HY_EXPR_ACCESS || is_converted;
}

static void gather(gathering *g, const hy_expr *node) {
  if (--g->steps < 0 || g->found.count >= MOST_LEAVES) return;
  for (size_t i = 0; i < g->found.count; i++)
    if (g->found.data[i] == node) return;
  if (is_leaf(node) && hy_type_is_integral(node->type)) hy_vec_push(&g->found, node);
  for (int i = 0; i < node->count && !is_leaf(node); i++) gather(g, node->args[i]);
}

static void keep_leaves(looking *l, hy_wide_index *index) {
  hy_arena *arena = hy_context_arena(l->context);
  gathering g = {.steps = MOST_STEPS};
  gather(&g, index->part);
  const hy_expr **leaves = HY_NEW_ARRAY(arena, const hy_expr *, g.found.count + 1);
  hy_range *ranges = HY_NEW_ARRAY(arena, hy_range, g.found.count + 1);
  for (size_t i = 0; i < g.found.count; i++) {
    leaves[i] = g.found.data[i];
    ranges[i] = hy_ranges_of(l->ranges, g.found.data[i]);
  }
  index->leaves = leaves, index->ranges = ranges;
  index->leaf_count = (int)g.found.count;
  hy_vec_free(&g.found);
}

static void see_index(looking *l, const hy_access_site *site, int dim) {
  const hy_expr *access = site->access, *index = access->args[dim];
  reading *r = &l->readings[access->func->index];
  const hy_expr *part = hy_ranges_overflowing(l->ranges, index);
  hy_range range = hy_ranges_of(l->ranges, index);
  join(r, dim, range);
  bool is_certain = !hy_range_fits(range);
  if (!part || (r->why && (r->is_certain || !is_certain))) return;
  hy_wide_index *found = HY_NEW_ARRAY(hy_context_arena(l->context), hy_wide_index, 1);
  *found = (hy_wide_index){.func = access->func, .access = access, .dim = dim, .part = part, .loc = site->loc};
  if (site->indices && site->indices[dim].source) found->loc = site->indices[dim];
  keep_leaves(l, found);
  r->why = found, r->is_certain = is_certain;
}

/* -- all of them, from the outputs on -- */

// Where points of the reader lie too far away, so do those that it reads.
static void see_access(looking *l, const hy_func *reader, const hy_access_site *site) {
  const reading *from = &l->readings[reader->index];
  reading *r = &l->readings[site->access->func->index];
  bool is_far = from->why && from->is_certain;
  if (is_far && !r->is_certain) r->why = from->why, r->is_certain = true;
  for (int d = 0; d < site->access->func->rank; d++) see_index(l, site, d);
  r->is_read = true;
}

static void bind(looking *l, const hy_var *var, hy_range range) {
  const hy_expr *v = hy_expr_var(l->context, var);
  const hy_expr *low = hy_expr_int(l->context, (int64_t)range.low);
  const hy_expr *high = hy_expr_int(l->context, (int64_t)range.high);
  hy_ranges_assume(l->ranges, hy_expr_binary(l->context, HY_OP_GE, v, low));
  hy_ranges_assume(l->ranges, hy_expr_binary(l->context, HY_OP_LE, v, high));
}

static void see_definition(looking *l, const hy_definition *definition) {
  const reading *r = &l->readings[definition->func->index];
  for (int d = 0; d < definition->func->rank; d++) bind(l, definition->vars[d], r->box[d]);
  for (int j = 0; j < definition->stage_count; j++) {
    const hy_stage *stage = &definition->stages[j];
    for (int i = 0; i < stage->rdom_count; i++)
      hy_ranges_bind_loop(l->ranges, stage->rdoms[i].var, stage->rdoms[i].interval);
    for (int i = 0; i < stage->access_count; i++) see_access(l, definition->func, &stage->accesses[i]);
  }
}

static void see_window(looking *l, const hy_output *output) {
  reading *r = &l->readings[output->func->index];
  for (int d = 0; d < output->func->rank; d++) {
    const hy_expr *min = hy_expr_var(l->context, l->alg->window_min[output->first + d]);
    const hy_expr *len = hy_expr_var(l->context, l->alg->window_len[output->first + d]);
    hy_range first = hy_ranges_of(l->ranges, min), size = hy_ranges_of(l->ranges, len);
    join(r, d, hy_range_between(first.low, hy_greater(first.low, first.high + size.high - 1)));
  }
  r->is_read = true;
}

static bool is_known(const hy_alg *alg, const hy_func *func) {
  for (int i = 0; i < alg->image_count; i++)
    if (alg->images[i] == func) return true;
  return hy_alg_definition(alg, func) != NULL;
}

static const hy_wide_index *look(const hy_pipeline *p, const hy_func *func) {
  const hy_alg *alg = p->alg;
  func = hy_copies_original(p, func);
  if (!is_known(alg, func)) return NULL;
  looking l = {p, p->context, alg, hy_ranges_new(), NULL};
  l.readings = hy_allocate_zeroed((size_t)(alg->image_count + alg->definition_count), sizeof *l.readings);
  hy_ranges_use_values(l.ranges, hy_values_of(p->context, p->filled));
  hy_ranges_assume_entry(l.ranges, p->filled);
  for (int i = 0; i < alg->output_count; i++) see_window(&l, &alg->outputs[i]);
  for (int i = alg->definition_count - 1; i >= 0; i--)
    if (l.readings[alg->definitions[i].func->index].is_read) see_definition(&l, &alg->definitions[i]);
  const hy_wide_index *why = l.readings[func->index].why;
  hy_free(l.readings);
  hy_ranges_free(l.ranges);
  return why;
}

const hy_wide_index *hy_wide_index_of(const hy_pipeline *p, const hy_decision *d) {
  if (d->contested || d->obligation->kind != HY_B_FITS || !p->alg->definition_count) return NULL;
  const hy_func *box = hy_cause_box(d->obligation);
  return box ? look(p, box) : NULL;
}

/* -- what is said -- */

static void print(const hy_expr *expr, hy_text *out) { hy_expr_print_brief(expr, 160, out); }

static const hy_expr *find_param(const hy_wide_index *index) {
  for (int i = 0; i < index->leaf_count; i++)
    if (index->leaves[i]->kind == HY_EXPR_VAR && index->leaves[i]->var->kind == HY_VAR_PARAM) return index->leaves[i];
  return NULL;
}

// What a narrower type helps.
static const hy_expr *find_wide(const hy_wide_index *index) {
  for (int i = 0; i < index->leaf_count; i++)
    if (index->leaves[i]->kind != HY_EXPR_OP && index->leaves[i]->type == HY_INT) return index->leaves[i];
  return NULL;
}

static void tell_help(const hy_wide_index *index, hy_text *out) {
  const hy_expr *param = find_param(index), *narrowed = find_wide(index);
  hy_text_add(out, "clamp it to the numbers that you mean: clamp(");
  print(index->part, out);
  hy_text_add(out, ", 0, 65535)");
  if (param) hy_text_printf(out, "; or give '%s' a range: %s: int in 0..1000", param->var->name, param->var->name);
  if (!narrowed) return;
  hy_text_add(out, "; or take a narrower type for what it is made of: int(i16(");
  print(narrowed, out);
  hy_text_add(out, "))");
}

// "x lies between -2147483648 and 2147483647, .."
static void tell_leaves(const hy_wide_index *index, hy_text *out) {
  for (int i = 0; i < index->leaf_count; i++) {
    hy_range r = index->ranges[i];
    if (i) hy_text_add(out, ", ");
    print(index->leaves[i], out);
    if (hy_range_fits(r))
      hy_text_printf(out, " may be %lld to %lld", (long long)r.low, (long long)r.high);
    else
      hy_text_add(out, " may be anything");
  }
}

static bool is_said(const hy_diagnostics *diagnostics, size_t first, const char *message, hy_loc loc) {
  for (size_t i = first; i < hy_diagnostics_count(diagnostics); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(diagnostics, i);
    if (d->loc.line == loc.line && d->loc.column == loc.column && strcmp(d->message, message) == 0) return true;
  }
  return false;
}

bool hy_wide_index_report(const hy_wide_index *index, hy_code code, size_t first, hy_diagnostics *diagnostics) {
  const hy_expr *whole = index->access->args[index->dim];
  hy_text message = {0}, help = {0}, leaves = {0};
  hy_text_add(&message, code == HY_E_OBLIGATION_REFUTED ? "this does not hold: " : "this could not be decided: ");
  hy_text_add(&message, "the index ");
  print(whole, &message);
  hy_text_printf(&message, " of '%s' fits 64 bits", index->func->name);
  if (index->part != whole) {
    hy_text_add(&message, "; ");
    print(index->part, &message);
    hy_text_add(&message, " may leave them");
  }
  tell_help(index, &help);
  tell_leaves(index, &leaves);
  bool is_new = !is_said(diagnostics, first, hy_text_string(&message), index->loc);
  if (is_new) {
    hy_report(diagnostics, code, index->loc, "B.Fits (section 7)", hy_text_string(&help), "%s",
              hy_text_string(&message));
    if (leaves.length) hy_note(diagnostics, code, (hy_loc){0}, "%s", hy_text_string(&leaves));
  }
  hy_text_free(&message);
  hy_text_free(&help);
  hy_text_free(&leaves);
  return is_new;
}
