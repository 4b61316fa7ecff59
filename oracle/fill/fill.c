#include "oracle/fill/fill_internal.h"

/* The interval oracle (paper, section 7): holes are filled from the output backwards, consumers before producers.
 *
 * Cpu(f) is the hull of what its readers need, closed under f's own reads (decision D61); a reader outside of its own
 * Cpu needs nothing there, so a tail that rounds up enlarges Mem, not Cpu. Mem(f) is the hull of everything that is
 * touched. need(image) is everything that is read of it; need(f), for the bounds phase, what Cpu(f) would be without
 * it. Lengths are never negative (D51); fills hold no loads (D42, D52).
 */

/* -- reading fills -- */

// What is computed inside of the loops of a func that keeps sees them range over what is new. What is computed outside
// of them sees all of its box: its own boxes are to move evenly.
static bool ranges_over_fresh(const hy_fills *f, const hy_func *func) {
  if (!f->fresh[func->index].known) return false;
  const hy_stmt *compute = f->computes[func->index].compute;
  bool inside = f->slides;
  for (int i = 0; f->scope && i < f->scope->depth; i++) inside |= f->scope->path[i] == compute;
  return inside;
}

static const hy_expr *fill_hole(void *self, const hy_expr *node) {
  hy_fills *f = self;
  if (node->kind != HY_EXPR_HOLE) return node;
  const hy_hole *hole = node->hole;
  bool outer = hole->kind == HY_HOLE_MEM || hole->kind == HY_HOLE_NEED;
  const hy_fill_box *b = outer ? &f->mem[hole->func->index] : &f->cpu[hole->func->index];
  if (hole->kind == HY_HOLE_NEED && !hole->func->is_image) b = &f->need[hole->func->index];
  if (hole->kind == HY_HOLE_FOR && ranges_over_fresh(f, hole->func)) b = &f->fresh[hole->func->index];
  if (!b->known) return node;
  return hole->is_len ? b->interval[hole->dim].len : b->interval[hole->dim].min;
}

const hy_expr *hy_fills_apply(hy_fills *fills, const hy_expr *expr) {
  if (!expr->has_hole) return expr;
  const hy_expr *known = hy_pair_map_get(&fills->applied, expr, NULL);
  if (known) return known;
  const hy_expr *filled = hy_expr_map(fills->context, expr, fill_hole, fills);
  hy_pair_map_put(&fills->applied, expr, NULL, filled);
  return filled;
}

/* -- the filled program -- */

void hy_fills_assume(const hy_fills *f, hy_ranges *ranges) {
  if (f) hy_ranges_assume_entry(ranges, f->tgt); // without a program there is nothing to believe
}

static const hy_expr *apply(void *self, const hy_expr *expr) { return hy_fills_apply(self, expr); }

// The same for "assume need": the compute's facts tell whether the need can be empty.
static const hy_stmt *tidy_needs(hy_fills *f, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSUME && stmt->assume.why == HY_ASSUME_NEED && stmt->assume.subject &&
      !stmt->assume.subject->is_image) {
    const hy_func *func = stmt->assume.subject;
    const hy_expr *tidied = hy_fill_tidy_condition(f, &f->computes[func->index], stmt->assume.condition);
    return hy_expr_is_false(tidied) ? stmt : hy_stmt_assume(f->context, HY_ASSUME_NEED, func, tidied);
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = tidy_needs(f, children[i]);
  stmt = hy_stmt_with_children(f->context, stmt, fresh, count);
  hy_free(fresh);
  return stmt;
}

// Facts that do not come from the images themselves: what is needed does not depend on what is given.
static void find_root_facts(hy_fills *f, hy_fill_site *root) {
  hy_fill_find_facts(f, root);
  size_t kept = 0;
  for (size_t i = 0; i < root->facts.count; i++) {
    bool image = false;
    for (int k = 0; k < f->tgt->entry_count; k++)
      image |= f->tgt->entry[k]->assume.why == HY_ASSUME_IMAGE &&
               root->facts.data[i] == hy_fills_apply(f, f->tgt->entry[k]->assume.condition);
    if (!image) root->facts.data[kept++] = root->facts.data[i];
  }
  root->facts.count = kept;
}

static const hy_tgt *finish_program(hy_fills *f) {
  hy_fill_site root = {0};
  find_root_facts(f, &root);
  hy_tgt *filled = HY_NEW(hy_context_arena(f->context), hy_tgt);
  *filled = *f->tgt;
  hy_vec_of_checks lengths = {0};
  const hy_stmt *body = hy_fill_lengths(f, &root, &lengths);
  int count = f->tgt->entry_count + (int)lengths.count;
  const hy_stmt **entry = HY_NEW_ARRAY(hy_context_arena(f->context), const hy_stmt *, count);
  for (int i = 0; i < f->tgt->entry_count; i++) {
    entry[i] = hy_stmt_map_exprs(f->context, f->tgt->entry[i], apply, f);
    if (entry[i]->assume.why == HY_ASSUME_IMAGE)
      entry[i] = hy_stmt_assume(f->context, HY_ASSUME_IMAGE, entry[i]->assume.subject,
                                hy_fill_tidy_condition(f, &root, entry[i]->assume.condition));
  }
  for (size_t i = 0; i < lengths.count; i++) entry[f->tgt->entry_count + (int)i] = lengths.data[i];
  hy_vec_free(&lengths);
  filled->entry = entry;
  filled->entry_count = count;
  filled->body = tidy_needs(f, hy_stmt_map_exprs(f->context, body, apply, f));
  hy_fill_free_site(&root);
  return filled;
}

static bool is_needed(const hy_fills *f, const hy_func *image) {
  for (int i = 0; i < f->tgt->entry_count; i++)
    if (f->tgt->entry[i]->assume.why == HY_ASSUME_IMAGE && f->tgt->entry[i]->assume.subject == image) return true;
  return false;
}

static bool is_inside_of_keeping(const hy_fill_site *scope) {
  for (int i = 0; scope && i < scope->depth; i++)
    if (scope->path[i]->kind == HY_STMT_COMPUTE && scope->path[i]->compute.keep) return true;
  return false;
}

// From here on holes are filled as they are to be seen where the func is computed; NULL: at entry.
static void enter(hy_fills *f, const hy_fill_site *scope) {
  bool changes = is_inside_of_keeping(scope) || is_inside_of_keeping(f->scope);
  f->scope = scope;
  if (!changes) return;
  hy_pair_map_free(&f->applied);
  for (size_t i = 0; i < f->sites.count; i++) hy_fill_forget_facts(&f->sites.data[i]);
}

static void fill_all(hy_fills *f) {
  hy_fill_collect(f);
  for (int i = f->tgt->func_count - 1; i >= 0 && !f->failed; i--) {
    hy_prover_hurry(f->prover); // each func has its share
    enter(f, &f->computes[f->tgt->funcs[i]->index]);
    hy_fill_cpu(f, f->tgt->funcs[i]);
    if (!f->failed) hy_fill_slide(f, f->tgt->funcs[i]);
    if (!f->failed) hy_fill_mem(f, f->tgt->funcs[i]);
  }
  hy_prover_hurry(f->prover);
  enter(f, NULL);
  for (int k = 0; k < f->tgt->alg->image_count && !f->failed; k++)
    if (is_needed(f, f->tgt->alg->images[k])) hy_fill_need(f, f->tgt->alg->images[k]);
  f->slides = true; // up to here loops range over boxes, of which what is new is a part
  hy_pair_map_free(&f->applied);
}

// What was asked for, as it stands in the filled program.
static hy_asked_list list_asked(hy_fills *f) {
  hy_asked *items = HY_NEW_ARRAY(hy_context_arena(f->context), hy_asked, f->asked.count);
  for (size_t i = 0; i < f->asked.count; i++) {
    items[i] = f->asked.data[i];
    for (int d = 0; d < items[i].access->count; d++) {
      items[i].low[d] = hy_fills_apply(f, items[i].low[d]);
      items[i].high[d] = hy_fills_apply(f, items[i].high[d]);
    }
  }
  return (hy_asked_list){items, f->asked.count};
}

static const hy_tgt *fill(hy_context *context, const hy_tgt *scheduled, hy_diagnostics *diagnostics,
                          uint64_t *questions, hy_asked_list *asked) {
  *questions = 0;
  if (asked) *asked = (hy_asked_list){0};
  if (!hy_tgt_has_hole(scheduled)) return scheduled;
  size_t symbols = hy_tgt_symbols(scheduled);
  hy_fills f = {.context = context,
                .tgt = scheduled,
                .diagnostics = diagnostics,
                .table = hy_affine_table_new(context),
                .prover = hy_prover_new(context),
                .tells = asked};
  f.values = hy_fill_values(&f);
  f.cpu = hy_allocate_zeroed(symbols, sizeof *f.cpu);
  f.mem = hy_allocate_zeroed(symbols, sizeof *f.mem);
  f.need = hy_allocate_zeroed(symbols, sizeof *f.need);
  f.fresh = hy_allocate_zeroed(symbols, sizeof *f.fresh);
  f.computes = hy_allocate_zeroed(symbols, sizeof *f.computes);
  f.allocates = hy_allocate_zeroed(symbols, sizeof *f.allocates);
  fill_all(&f);
  const hy_tgt *filled = f.failed ? NULL : finish_program(&f);
  if (filled && asked) *asked = list_asked(&f);
  hy_vec_free(&f.asked);
  for (size_t i = 0; i < symbols; i++) {
    hy_fill_free_site(&f.computes[i]);
    hy_fill_free_site(&f.allocates[i]);
  }
  for (size_t i = 0; i < f.sites.count; i++) hy_fill_free_site(&f.sites.data[i]);
  hy_vec_free(&f.sites);
  hy_free(f.cpu);
  hy_free(f.mem);
  hy_free(f.need);
  hy_free(f.fresh);
  hy_vec_free(&f.constraints);
  hy_pair_map_free(&f.applied);
  hy_free(f.computes);
  hy_free(f.allocates);
  *questions = hy_prover_statistics(f.prover).asked;
  hy_prover_free(f.prover);
  hy_affine_table_free(f.table);
  if (filled && hy_tgt_has_hole(filled)) {
    hy_context_hit(context, HY_RULE_ORA_NO_SOLUTION);
    hy_report(diagnostics, HY_E_NO_SOLUTION, scheduled->alg->loc, "ORA.No-Solution (decision D58)",
              "print the program with 'halyard show --stage scheduled' and look for the hole that nothing determines",
              "no bounds were found for some hole");
    return NULL;
  }
  return filled;
}

const hy_tgt *hy_oracle_fill(hy_context *context, const hy_tgt *scheduled, hy_diagnostics *diagnostics) {
  uint64_t uncounted;
  return fill(context, scheduled, diagnostics, &uncounted, NULL);
}

const hy_tgt *hy_oracle_fill_counted(hy_context *context, const hy_tgt *scheduled, hy_diagnostics *diagnostics,
                                     uint64_t *questions) {
  return fill(context, scheduled, diagnostics, questions, NULL);
}

const hy_tgt *hy_oracle_fill_told(hy_context *context, const hy_tgt *scheduled, hy_asked_list *asked,
                                  hy_diagnostics *diagnostics) {
  uint64_t uncounted;
  return fill(context, scheduled, diagnostics, &uncounted, asked);
}
