#include "oracle/fill/fill_internal.h"
#include "oracle/fill/flat.h"

/* -- boxes -- */

// The stage as written; NULL: it is that of a func which a directive adds.
static const hy_stage *written_stage(const hy_fills *f, const hy_fill_site *s) {
  const hy_definition *d = hy_alg_definition(f->tgt->alg, s->assign->assign.func);
  return d && s->assign->assign.stage < d->stage_count ? &d->stages[s->assign->assign.stage] : NULL;
}

static hy_loc access_loc(const hy_fills *f, const hy_fill_site *s, const hy_expr *access) {
  const hy_stage *stage = written_stage(f, s);
  if (!stage) return f->tgt->alg->loc;
  return access ? hy_stage_access_loc(stage, access) : stage->loc; // a write is where its stage is
}

// An index in the words of the text, whatever the schedule has made of its variables: it is said once, not of each schedule.
static const hy_expr *written_index(const hy_fills *f, const hy_fill_site *s, const hy_expr *access, int dim,
                                    const hy_expr *index) {
  const hy_stage *stage = written_stage(f, s);
  if (stage && !access) return stage->lhs[dim];
  const hy_access_site *site = stage ? hy_stage_access_site(stage, access) : NULL;
  return site ? site->access->args[dim] : index;
}

/* -- what to write where nothing bounds an index -- */

static void see_size(void *self, const hy_expr *node) {
  *(bool *)self |=
      node->kind == HY_EXPR_VAR && (node->var->kind == HY_VAR_IMAGE_MIN || node->var->kind == HY_VAR_IMAGE_LEN);
}

// Is it a quotient of floats whose divisor has the size of an image in it?
static void see_float_of_size(void *self, const hy_expr *node) {
  bool is_quotient =
      node->kind == HY_EXPR_OP && node->op == HY_OP_DIV && hy_type_class_of(node->type) == HY_CLASS_FLOAT;
  if (is_quotient) hy_expr_visit(node->args[1], see_size, self);
}

static void see_clamp(void *self, const hy_expr *node) {
  *(bool *)self |= node->kind == HY_EXPR_OP && hy_op_kind_of(node->op) == HY_KIND_EXTREMUM;
}

typedef struct {
  const hy_alg *alg;
  const hy_func *clamped; // a func whose values are made with a clamp; NULL: none yet
} clamp_search;

static void see_clamped(void *self, const hy_expr *node) {
  clamp_search *s = self;
  const hy_definition *d = node->kind == HY_EXPR_ACCESS ? hy_alg_definition(s->alg, node->func) : NULL;
  bool clamps = false;
  for (int k = 0; d && k < d->stage_count && !s->clamped; k++)
    hy_expr_visit(hy_expr_part(d->stages[k].rhs, node->part), see_clamp, &clamps);
  if (clamps) s->clamped = node->func;
}

static const char *help_with_bound(const hy_fills *f, const hy_expr *index, const char *text) {
  hy_arena *arena = hy_context_arena(f->context);
  bool has_size = false;
  clamp_search search = {f->tgt->alg, NULL};
  hy_expr_visit(index, see_float_of_size, &has_size);
  hy_expr_visit(index, see_clamped, &search);
  if (has_size)
    return "sizes of images have no range as floats: divide integers, x / size for int(floor(f32(x) / f32(size))) and "
           "(a + b - 1) / b for ceil, with require size >= 1; or clamp the index";
  if (search.clamped)
    return hy_arena_printf(arena,
                           "the clamp inside of '%s' does not bound it: put one around the index where it is read, "
                           "clamp(%s, 0, last)",
                           search.clamped->name, text);
  static const char bound_it[] =
      "bound it, for example with clamp(index, 0, last): the region of a func must be known before it is computed";
  const char *range = hy_alg_range_help(f->context, f->tgt->alg, index);
  return range ? hy_arena_printf(arena, "%s; or %s", range, bound_it) : bound_it;
}

// Decision D14: an index that nothing bounds is an error of the program.
void hy_fill_report_unbounded(hy_fills *f, const hy_fill_site *s, const hy_expr *access, int dim,
                              const hy_expr *index) {
  if (f->failed) return;
  f->failed = true;
  hy_text text = {0};
  const hy_expr *written = written_index(f, s, access, dim, index);
  hy_expr_print_brief(written, 400, &text);
  hy_context_hit(f->context, HY_RULE_ORA_UNBOUNDED);
  const hy_func *func = access ? access->func : s->assign->assign.func;
  hy_report(f->diagnostics, HY_E_UNBOUNDED_INDEX, access_loc(f, s, access), "ORA.Unbounded (decision D14)",
            help_with_bound(f, written, hy_text_string(&text)), "nothing bounds index %d of %s '%s': %s", dim + 1,
            func->is_image ? "the image" : "the func", func->name, hy_text_string(&text));
  if (f->effort.given_up || hy_prover_is_spent(f->prover))
    hy_note(f->diagnostics, HY_E_UNBOUNDED_INDEX, (hy_loc){0}, "the search for a bound was given up");
  hy_text_free(&text);
}

static const hy_expr *hull_end(const hy_fills *f, const hy_fill_site *scope, hy_side side, const hy_expr *a,
                               const hy_expr *b) {
  const hy_expr *end =
      hy_region_extremum(f->table, f->prover, f->context, scope->facts.data, scope->facts.count, side, a, b);
  return hy_flat(f->table, f->context, end);
}

void hy_fill_widen(hy_fills *f, const hy_fill_site *scope, hy_fill_box *b, int dim, const hy_expr *low,
                   const hy_expr *high) {
  if (!b->low[dim]) {
    b->low[dim] = low;
    b->high[dim] = high;
    return;
  }
  b->low[dim] = hull_end(f, scope, HY_LOW, b->low[dim], low);
  b->high[dim] = hull_end(f, scope, HY_HIGH, b->high[dim], high);
}

// The points of a writer for which it has to be read: of one that keeps, in iterations of whose loop "scope" is done
// each time, those that are new. A func that slides itself reads less than it could: its boxes are to move evenly.
static const hy_fill_box *points_of(const hy_fills *f, const hy_fill_site *scope, const hy_func *writer) {
  const hy_fill_box *fresh = &f->fresh[writer->index];
  const hy_fill_site *computed = &f->computes[writer->index];
  bool inside = false;
  for (int i = 0; i < scope->depth && fresh->known; i++)
    inside |= scope->path[i]->kind == HY_STMT_FOR && scope->path[i]->loop.var == computed->compute->compute.keep;
  bool even = scope->compute && scope->compute->compute.keep;
  return inside && !even ? fresh : &f->cpu[writer->index];
}

static bool point_ends(hy_fills *f, const hy_region_site *r, const hy_fill_site *from, const hy_expr *const *point,
                       int rank, const hy_expr *access, const hy_expr **low, const hy_expr **high) {
  for (int d = 0; d < rank; d++) {
    low[d] = hy_region_bound(r, point[d], HY_LOW);
    high[d] = hy_region_bound(r, point[d], HY_HIGH);
    if (low[d] && high[d]) continue;
    hy_fill_report_unbounded(f, from, access, d, point[d]);
    return false;
  }
  return true;
}

static void tell_asked(hy_fills *f, const hy_fill_site *from, const hy_expr *access, const hy_expr *const *low,
                       const hy_expr *const *high) {
  hy_asked asked = {.reader = from->assign, .access = access};
  for (int d = 0; d < access->func->rank; d++) {
    asked.low[d] = low[d];
    asked.high[d] = high[d];
  }
  hy_vec_push(&f->asked, asked);
}

bool hy_fill_access_ends(hy_fills *f, hy_fill_site *from, int keep, const hy_expr *access, const hy_expr **low,
                         const hy_expr **high) {
  hy_region_site r = hy_fill_region(f, from, keep);
  if (!point_ends(f, &r, from, access->args, access->func->rank, access, low, high)) return false;
  if (f->tells) tell_asked(f, from, access, low, high);
  return true;
}

// Widens "b" by the values that a point's coordinates take at a site. "only_cpu": for points of the writer's Cpu only.
void hy_fill_widen_by_point(hy_fills *f, hy_fill_site *scope, hy_fill_site *from, int keep, hy_fill_box *b,
                            const hy_func *func, const hy_expr *const *point, const hy_expr *access, bool only_cpu) {
  hy_region_site r = hy_fill_region(f, from, keep);
  if (only_cpu) {
    const hy_fill_box *writer = points_of(f, scope, from->assign->assign.func);
    r.lhs = from->assign->assign.lhs;
    r.low = writer->low;
    r.high = writer->high;
    r.rank = from->assign->assign.func->rank;
  }
  const hy_expr *low[HY_MAX_RANK], *high[HY_MAX_RANK];
  if (f->failed || !point_ends(f, &r, from, point, func->rank, access, low, high)) return;
  if (f->tells && access && b == &f->cpu[func->index]) tell_asked(f, from, access, low, high);
  for (int d = 0; d < func->rank; d++) hy_fill_widen(f, scope, b, d, low[d], high[d]);
}

// rewrite: c + min(a, b) -> min(c + a, c + b) and c - min(a, b) -> max(c - a, c - b), so that a tile's length reads
// min(256, what is left)
static const hy_expr *tidy(hy_fills *f, const hy_expr *expr, int depth) {
  const hy_affine *form = hy_affine_of(f->table, expr);
  const hy_expr *a, *b;
  hy_op op;
  int only = -1;
  for (int i = 0; i < form->count; i++) {
    const hy_expr *atom = form->terms[i].atom;
    if (atom->kind != HY_EXPR_OP || hy_op_kind_of(atom->op) != HY_KIND_EXTREMUM) continue;
    if (only >= 0) return expr;
    only = i;
  }
  if (only < 0 || depth == 0) return expr;
  hy_affine_distribute(f->table, form, only, &op, &a, &b);
  a = tidy(f, a, depth - 1);
  b = tidy(f, b, depth - 1);
  return hy_affine_normal(f->table, hy_fill_binary(f, op, a, b));
}

// len = max(0, high - low + 1), without the max where it can be shown (decision D51).
void hy_fill_finish(hy_fills *f, const hy_fill_site *scope, hy_fill_box *b, int rank) {
  const hy_expr *zero = hy_expr_int(f->context, 0);
  for (int d = 0; d < rank; d++) {
    if (!b->low[d]) { // nobody needs anything: empty
      b->low[d] = zero;
      b->high[d] = hy_expr_int(f->context, -1);
    }
    const hy_expr *len = hy_affine_add_int(f->table, hy_affine_sub(f->table, b->high[d], b->low[d]), 1);
    len = tidy(f, len, 3);
    const hy_expr *sound = hy_fill_binary(f, HY_OP_GE, len, zero);
    if (hy_prover_holds(f->prover, scope->facts.data, scope->facts.count, sound) != HY_YES)
      len = hy_fill_binary(f, HY_OP_MAX, len, zero);
    b->interval[d] = (hy_interval){b->low[d], len};
  }
  b->known = true;
  hy_pair_map_free(&f->applied);
}

hy_constraint hy_fill_demanded(const hy_fills *f, const hy_func *func, int dim) {
  return hy_demand_of(f->constraints.data, f->constraints.count, func, dim);
}

// ORA.Bound: Cpu := the user's bounds. ORA.Align: Cpu is rounded out.
void hy_fill_constrain(hy_fills *f, const hy_func *func, hy_fill_box *cpu) {
  for (int d = 0; d < func->rank; d++) {
    hy_constraint c = hy_fill_demanded(f, func, d);
    hy_interval *i = &cpu->interval[d];
    if (!hy_demand_is_any(&c)) continue;
    *i = hy_demand_apply(f->table, f->context, &c, *i);
    cpu->low[d] = i->min;
    cpu->high[d] = hy_affine_add_int(f->table, hy_affine_add(f->table, i->min, i->len), -1);
    hy_context_hit(f->context, hy_demand_is_given(&c) ? HY_RULE_ORA_BOUND : HY_RULE_ORA_ALIGN);
  }
  hy_pair_map_free(&f->applied);
}
