#include "lower/lower.h"

#include "lower/entry_floats.h"
#include "lower/held.h"
#include "lower/wrapping.h"
#include "semantics/base/vec.h"
#include "semantics/tgt/defined.h"

typedef struct {
  hy_context *context;
  const hy_alg *alg;
  const hy_definition *definition; // being lowered
  bool *reached;                   // from the output, by hy_func.index
} lowering;

/* -- holes -- */

static hy_interval hole_pair(hy_context *context, hy_hole what) {
  what.is_len = false;
  const hy_expr *min = hy_expr_hole(context, hy_hole_get(context, what));
  what.is_len = true;
  return (hy_interval){min, hy_expr_hole(context, hy_hole_get(context, what))};
}

hy_interval hy_lower_mem(hy_context *context, const hy_func *func, int dim) {
  return hole_pair(context, (hy_hole){.kind = HY_HOLE_MEM, .func = func, .dim = dim});
}

hy_interval hy_lower_cpu(hy_context *context, const hy_func *func, int dim) {
  return hole_pair(context, (hy_hole){.kind = HY_HOLE_CPU, .func = func, .dim = dim});
}

hy_interval hy_lower_need(hy_context *context, const hy_func *image, int dim) {
  return hole_pair(context, (hy_hole){.kind = HY_HOLE_NEED, .func = image, .dim = dim});
}

// LOW.Hole-Share: a loop of the last stage uses the cpu hole itself; other stages have their own, keyed by loop (D41).
static hy_interval loop_hole(lowering *l, int stage, int dim, const hy_var *loop) {
  const hy_func *func = l->definition->func;
  if (stage == l->definition->stage_count - 1) {
    hy_context_hit(l->context, HY_RULE_LOW_HOLE_SHARE);
    return hy_lower_cpu(l->context, func, dim);
  }
  return hole_pair(l->context, (hy_hole){.kind = HY_HOLE_FOR, .func = func, .dim = dim, .loop = loop});
}

/* -- stages -- */

// The stage's own loop variables in place of the algorithm's pure and reduction variables (no capture: decision D24).
static size_t rename_variables(lowering *l, int number, hy_binding *bindings) {
  const hy_definition *d = l->definition;
  const hy_stage *stage = &d->stages[number];
  size_t count = 0;
  for (int i = 0; i < d->func->rank; i++)
    bindings[count++] = (hy_binding){
        d->vars[i], hy_expr_var(l->context, hy_var_loop(l->context, d->func, 0, number, d->vars[i]->name))};
  for (int i = 0; i < stage->rdom_count; i++) {
    const hy_var *var = stage->rdoms[i].var;
    bindings[count++] =
        (hy_binding){var, hy_expr_var(l->context, hy_var_loop(l->context, d->func, 0, number, var->name))};
  }
  return count;
}

// LOW.Assign: (e1, ..., en) <- e if p  becomes  if p then f(e1, ..., en) <- e
static const hy_stmt *lower_assignment(lowering *l, int number, const hy_binding *bindings, size_t count) {
  const hy_definition *d = l->definition;
  const hy_stage *stage = &d->stages[number];
  const hy_expr *lhs[HY_MAX_RANK];
  for (int i = 0; i < d->func->rank; i++) lhs[i] = hy_expr_substitute(l->context, stage->lhs[i], bindings, count);
  const hy_expr *rhs = hy_expr_substitute(l->context, stage->rhs, bindings, count);
  const hy_stmt *assign = hy_stmt_assign(l->context, d->func, 0, number, lhs, rhs);
  hy_context_hit(l->context, HY_RULE_LOW_ASSIGN);
  if (!stage->predicate) return assign;
  hy_context_hit(l->context, HY_RULE_LOW_PREDICATE); // LOW.Predicate: inside the innermost loop
  const hy_expr *predicate = hy_expr_substitute(l->context, stage->predicate, bindings, count);
  return hy_stmt_if(l->context, HY_IF_USER, predicate, assign, NULL);
}

// LOW.Stage: pure dimensions that appear in the stage become loops, the last outermost; reduction variables are the
// innermost loops, the first of them innermost; pure dimensions that do not appear get no loop.
static const hy_stmt *lower_stage(lowering *l, int number) {
  const hy_definition *d = l->definition;
  const hy_stage *stage = &d->stages[number];
  hy_binding *bindings = hy_allocate(sizeof *bindings * (size_t)(d->func->rank + stage->rdom_count + 1));
  size_t count = rename_variables(l, number, bindings);
  const hy_stmt *body = lower_assignment(l, number, bindings, count);
  for (int i = 0; i < stage->rdom_count; i++) {
    const hy_var *var = bindings[d->func->rank + i].expr->var;
    body = hy_stmt_for(l->context, var, false, HY_SERIAL, stage->rdoms[i].interval, body);
    hy_context_hit(l->context, HY_RULE_LOW_RDOM); // LOW.RDom: r1 is the innermost
  }
  for (int i = 0; i < d->func->rank; i++) {
    if (!(stage->pure >> i & 1)) continue;
    const hy_var *var = bindings[i].expr->var;
    body = hy_stmt_for(l->context, var, true, HY_SERIAL, loop_hole(l, number, i, var), body);
  }
  hy_free(bindings);
  hy_context_hit(l->context, HY_RULE_LOW_STAGE);
  return hy_stmt_label(l->context, HY_LABEL_STAGE, d->func, number, body);
}

// LOW.Func: allocate f; label f: compute f on Cpu(f): s0; ...; sn
static void lower_func(lowering *l, const hy_stmt **allocate, const hy_stmt **compute) {
  const hy_definition *d = l->definition;
  const hy_stmt **stages = hy_allocate(sizeof *stages * (size_t)d->stage_count);
  for (int i = 0; i < d->stage_count; i++) stages[i] = lower_stage(l, i);
  const hy_stmt *body = hy_stmt_seq(l->context, stages, d->stage_count);
  hy_free(stages);
  hy_interval mem[HY_MAX_RANK], cpu[HY_MAX_RANK];
  for (int i = 0; i < d->func->rank; i++) {
    mem[i] = hy_lower_mem(l->context, d->func, i);
    cpu[i] = hy_lower_cpu(l->context, d->func, i);
  }
  *allocate = hy_stmt_allocate(l->context, d->func, mem);
  *compute = hy_stmt_label(l->context, HY_LABEL_FUNC, d->func, 0, hy_stmt_compute(l->context, d->func, cpu, body));
  hy_context_hit(l->context, HY_RULE_LOW_FUNC);
}

/* -- the entry block (decision D25) -- */

typedef HY_VEC(const hy_stmt *) stmt_list;

static const hy_expr *binary(lowering *l, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(l->context, op, a, b);
}

static const hy_expr *between(lowering *l, const hy_expr *least, const hy_expr *v, const hy_expr *most) {
  const hy_expr *below = binary(l, HY_OP_LE, v, most);
  return hy_expr_and(l->context, binary(l, HY_OP_LE, least, v), below);
}

static void assume(lowering *l, stmt_list *entry, hy_assume_kind why, const hy_func *subject,
                   const hy_expr *condition) {
  hy_vec_push(entry, hy_stmt_assume(l->context, why, subject, condition));
}

// LOW.Entry-Range: every int parameter, window and image box lies within +-2^31 (decision D26).
static void assume_range(lowering *l, stmt_list *entry, const hy_var *var, const hy_func *subject, bool is_len) {
  const hy_expr *v = hy_expr_var(l->context, var);
  int64_t limit = INT64_C(1) << 31;
  const hy_expr *least = hy_expr_int(l->context, is_len ? 0 : -limit), *most = hy_expr_int(l->context, limit);
  assume(l, entry, HY_ASSUME_RANGE, subject, between(l, least, v, most));
  hy_context_hit(l->context, HY_RULE_LOW_ENTRY_RANGE);
}

// LOW.Entry-Param: a parameter lies in its range. As a number, so that it says something of indices made of it; a u64
// whose range ends beyond 2^63 has none.
static void assume_param(lowering *l, stmt_list *entry, int i) {
  hy_param_about about = hy_alg_about(l->alg, i);
  const hy_expr *v = hy_expr_var(l->context, l->alg->params[i]);
  if (!about.has_range) return;
  const hy_expr *least = hy_expr_const(l->context, about.least), *most = hy_expr_const(l->context, about.greatest);
  if (v->type != HY_INT && hy_type_is_integral(v->type) && (v->type != HY_U64 || about.greatest.u <= INT64_MAX)) {
    v = hy_expr_cast(l->context, HY_INT, v);
    least = hy_expr_int(l->context, about.least.i);
    most = hy_expr_int(l->context, about.greatest.i);
  }
  assume(l, entry, HY_ASSUME_PARAM, NULL, between(l, least, v, most));
  hy_context_hit(l->context, HY_RULE_LOW_ENTRY_PARAM);
}

static void assume_ranges(lowering *l, stmt_list *entry) {
  const hy_alg *alg = l->alg;
  for (int i = 0; i < alg->window_rank; i++) {
    assume_range(l, entry, alg->window_min[i], NULL, false);
    assume_range(l, entry, alg->window_len[i], NULL, true);
  }
  for (int i = 0; i < alg->param_count; i++) {
    if (alg->params[i]->type == HY_INT) assume_range(l, entry, alg->params[i], NULL, false);
    assume_param(l, entry, i);
  }
  for (int k = 0; k < alg->image_count; k++)
    for (int i = 0; i < alg->images[k]->rank; i++) {
      assume_range(l, entry, alg->images[k]->min[i], alg->images[k], false);
      assume_range(l, entry, alg->images[k]->len[i], alg->images[k], true);
    }
}

// LOW.Entry-Require: what the algorithm requires, in the order of its text.
static void assume_requirements(lowering *l, stmt_list *entry) {
  for (int i = 0; i < l->alg->requirement_count; i++) {
    assume(l, entry, HY_ASSUME_REQUIRE, NULL, l->alg->requirements[i].condition);
    hy_context_hit(l->context, HY_RULE_LOW_ENTRY_REQUIRE);
  }
}

// LOW.Entry-RDom: no reduction domain has an erroring bound or a negative extent (decisions D11, D27).
static void assume_rdoms(lowering *l, stmt_list *entry) {
  for (int k = 0; k < l->alg->definition_count; k++) {
    const hy_definition *d = &l->alg->definitions[k];
    if (!l->reached[d->func->index]) continue;
    for (int s = 1; s < d->stage_count; s++)
      for (int i = 0; i < d->stages[s].rdom_count; i++) {
        hy_interval interval = d->stages[s].rdoms[i].interval;
        const hy_expr *ordinary = hy_interval_is_ordinary(l->context, interval);
        assume(l, entry, HY_ASSUME_RDOM, d->func, ordinary);
        hy_context_hit(l->context, HY_RULE_LOW_ENTRY_RDOM);
      }
  }
}

// LOW.Entry-Image: the image contains what the program reads of it, or the program reads nothing (decisions D14, D60).
static void assume_image(lowering *l, stmt_list *entry, const hy_func *image) {
  const hy_expr *zero = hy_expr_int(l->context, 0);
  const hy_expr *empty = hy_expr_bool(l->context, false), *inside = hy_expr_bool(l->context, true);
  for (int i = 0; i < image->rank; i++) {
    hy_interval need = hy_lower_need(l->context, image, i);
    const hy_expr *min = hy_expr_var(l->context, image->min[i]), *len = hy_expr_var(l->context, image->len[i]);
    empty = hy_expr_or(l->context, empty, binary(l, HY_OP_LE, need.len, zero));
    inside = hy_expr_and(l->context, inside, binary(l, HY_OP_LE, min, need.min));
    const hy_expr *end = binary(l, HY_OP_ADD, min, len), *need_end = binary(l, HY_OP_ADD, need.min, need.len);
    inside = hy_expr_and(l->context, inside, binary(l, HY_OP_LE, need_end, end));
  }
  if (!image->rank) return;
  assume(l, entry, HY_ASSUME_IMAGE, image, hy_expr_or(l->context, empty, inside));
  hy_context_hit(l->context, HY_RULE_LOW_ENTRY_IMAGE);
}

// Ranges of floats are seen from those of parameters, which come before them.
static void assume_floats(lowering *l, hy_tgt *tgt, stmt_list *entry) {
  int count;
  tgt->entry = entry->data;
  tgt->entry_count = (int)entry->count;
  const hy_stmt *const *floats = hy_lower_entry_floats(l->context, tgt, &count);
  for (int i = 0; i < count; i++) hy_vec_push(entry, floats[i]);
}

// requires: the program's body
static void lower_entry(lowering *l, hy_tgt *tgt, stmt_list *entry) {
  assume_ranges(l, entry);
  assume_requirements(l, entry);
  assume_rdoms(l, entry);
  assume_floats(l, tgt, entry);
  for (int k = 0; k < l->alg->image_count; k++)
    if (l->reached[l->alg->images[k]->index]) assume_image(l, entry, l->alg->images[k]);
}

/* -- pipelines -- */

static const hy_stmt *const *keep(lowering *l, const stmt_list *list) {
  const hy_stmt **copy = HY_NEW_ARRAY(hy_context_arena(l->context), const hy_stmt *, list->count);
  for (size_t i = 0; i < list->count; i++) copy[i] = list->data[i];
  return copy;
}

static bool is_same_place(hy_loc a, hy_loc b) {
  return a.source == b.source && a.line == b.line && a.column == b.column;
}

// Of the members of a family that are not reached, which one line defines, this is said once: of the first of them. What
// nobody wrote is not reached where the func is not that needs it.
static void warn_of_unreached(const lowering *l, int position, hy_diagnostics *diagnostics) {
  const hy_alg *alg = l->alg;
  const hy_func *func = alg->definitions[position].func;
  int more = 0;
  if (alg->definitions[position].is_made) return;
  for (int k = 0; k < alg->definition_count; k++) {
    const hy_func *other = alg->definitions[k].func;
    if (k == position || l->reached[other->index] || !is_same_place(other->loc, func->loc)) continue;
    if (k < position) return;
    more++;
  }
  hy_text who = {0};
  hy_text_printf(&who, "'%s'", func->name);
  if (more) hy_text_printf(&who, " and %d more of its family", more);
  hy_warn(diagnostics, HY_E_UNREACHABLE_FUNC, func->loc, NULL,
          more ? "read them or remove them" : "read it or remove it",
          "%s %s never needed by the output '%s'%s and %s not computed", hy_text_string(&who), more ? "are" : "is",
          alg->output->name, alg->output_count > 1 ? " or another" : "", more ? "are" : "is");
  hy_text_free(&who);
}

// LOW.Pipeline: the entry block, then the funcs in the order of definition.
const hy_tgt *hy_lower(hy_context *context, const hy_alg *alg, hy_diagnostics *diagnostics) {
  lowering l = {.context = context, .alg = alg};
  l.reached = hy_allocate(sizeof *l.reached * (size_t)(alg->image_count + alg->definition_count));
  hy_alg_reached(alg, l.reached);
  stmt_list entry = {0}, body = {0};
  hy_arena *arena = hy_context_arena(context);
  const hy_func **funcs = HY_NEW_ARRAY(arena, const hy_func *, alg->definition_count);
  int *stage_counts = HY_NEW_ARRAY(arena, int, alg->definition_count);
  hy_tgt *tgt = HY_NEW(arena, hy_tgt);
  tgt->alg = alg;
  tgt->funcs = funcs;
  tgt->stage_counts = stage_counts;
  for (int k = 0; k < alg->definition_count; k++) {
    l.definition = &alg->definitions[k];
    if (!l.reached[l.definition->func->index]) {
      warn_of_unreached(&l, k, diagnostics);
      hy_context_hit(context, HY_RULE_LOW_UNREACHED); // LOW.Unreached
      continue;
    }
    const hy_stmt *allocate, *compute;
    lower_func(&l, &allocate, &compute);
    hy_vec_push(&body, allocate);
    hy_vec_push(&body, compute);
    funcs[tgt->func_count] = l.definition->func;
    stage_counts[tgt->func_count++] = l.definition->stage_count;
  }
  tgt->body = hy_stmt_seq(context, body.data, (int)body.count);
  lower_entry(&l, tgt, &entry);
  tgt->entry = keep(&l, &entry);
  tgt->entry_count = (int)entry.count;
  tgt->body = hy_lower_held(context, tgt);
  hy_wrapping_report(context, tgt, diagnostics);
  hy_vec_free(&entry);
  hy_vec_free(&body);
  hy_free(l.reached);
  hy_context_hit(context, HY_RULE_LOW_PIPELINE);
  return tgt;
}
