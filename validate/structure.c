#include "validate/validate_internal.h"

#include "semantics/base/vec.h"
#include "semantics/text/syntax.h"

#include <stdlib.h>
#include <string.h>

/* L0: is the program well formed and its text the program, are its holes those of the program before, and is everything
 * the same that the directive does not speak of?
 */

/* -- well formed: scopes, unique loops, dominance, one assignment per stage copy -- */

static const char *check_form(hy_context *context, const hy_tgt *tgt) {
  hy_diagnostics *found = hy_diagnostics_new();
  const char *wrong = NULL;
  if (!hy_tgt_verify(context, tgt, found))
    wrong = hy_arena_printf(hy_context_arena(context), "the program is ill-formed: %s",
                            hy_diagnostics_count(found) ? hy_diagnostics_at(found, 0)->message : "");
  hy_diagnostics_free(found);
  return wrong;
}

const char *hy_validate_text(hy_validator *v, const hy_step *after) {
  hy_context *context = v->context;
  const hy_tgt *tgt = after->tgt;
  hy_text text = {0}, again = {0};
  hy_tgt_print(tgt, &text);
  hy_context *apart = hy_context_new();
  hy_diagnostics *found = hy_diagnostics_new();
  hy_source source = {"step.tgt", hy_text_string(&text), text.length};
  const hy_tgt *read = hy_parse_tgt(apart, &source, found);
  const char *wrong = NULL;
  if (read) hy_tgt_print(read, &again);
  if (!read)
    wrong = hy_arena_printf(hy_context_arena(context), "its text cannot be read back: %s",
                            hy_diagnostics_count(found) ? hy_diagnostics_at(found, 0)->message : "");
  else if (strcmp(hy_text_string(&text), hy_text_string(&again)) != 0)
    wrong = "its text, read back and printed, is another one";
  hy_diagnostics_free(found);
  hy_context_free(apart);
  hy_text_free(&text);
  hy_text_free(&again);
  return wrong;
}

/* -- holes -- */

typedef HY_VEC(const hy_hole *) hole_list;

static void see_hole(void *self, const hy_expr *node) {
  hole_list *holes = self;
  if (node->kind == HY_EXPR_HOLE) hy_vec_push(holes, node->hole);
}

static const hy_expr *collect_holes(void *self, const hy_expr *expr) {
  if (expr->has_hole) hy_expr_visit(expr, see_hole, self);
  return expr;
}

static int by_address(const void *a, const void *b) {
  uintptr_t x = (uintptr_t) * (const hy_hole *const *)a, y = (uintptr_t) * (const hy_hole *const *)b;
  return (x > y) - (x < y);
}

// Every hole of the program, once, sorted.
static hole_list holes_of(hy_context *context, const hy_tgt *tgt) {
  hole_list holes = {0};
  hy_stmt_map_exprs(context, tgt->body, collect_holes, &holes);
  for (int i = 0; i < tgt->entry_count; i++) hy_stmt_map_exprs(context, tgt->entry[i], collect_holes, &holes);
  if (holes.count) qsort(holes.data, holes.count, sizeof *holes.data, by_address);
  size_t kept = 0;
  for (size_t i = 0; i < holes.count; i++)
    if (!kept || holes.data[kept - 1] != holes.data[i]) holes.data[kept++] = holes.data[i];
  holes.count = kept;
  return holes;
}

static const char *name_hole(hy_context *context, const hy_hole *hole) {
  hy_text text = {0};
  hy_expr_print(hy_expr_hole(context, hole), &text);
  const char *name = hy_context_name_of(context, hy_text_string(&text));
  hy_text_free(&text);
  return name;
}

static const char *compare_holes(hy_context *context, const hole_list *before, const hole_list *after,
                                 const hy_directive *directive) {
  size_t i = 0, k = 0;
  while (i < before->count || k < after->count) {
    if (i < before->count && k < after->count && before->data[i] == after->data[k]) {
      i++, k++;
      continue;
    }
    bool lost = k == after->count || (i < before->count && (uintptr_t)before->data[i] < (uintptr_t)after->data[k]);
    bool goes = directive->type->phase == HY_PHASE_INLINE && lost && before->data[i]->func == directive->func;
    if (goes) {
      i++;
      continue;
    }
    if (lost)
      return hy_arena_printf(hy_context_arena(context), "the hole %s is lost", name_hole(context, before->data[i]));
    bool may_add = directive->type->may_add && directive->type->may_add(directive, after->data[k]);
    if (!may_add)
      return hy_arena_printf(hy_context_arena(context), "the hole %s is invented", name_hole(context, after->data[k]));
    k++;
  }
  return NULL;
}

static const char *check_holes(hy_context *context, const hy_tgt *before, const hy_tgt *after,
                               const hy_directive *directive) {
  hole_list old = holes_of(context, before), new = holes_of(context, after);
  const char *wrong = compare_holes(context, &old, &new, directive);
  hy_vec_free(&old);
  hy_vec_free(&new);
  return wrong;
}

/* -- the same statements: with the same text -- */

static bool is_same_text(const hy_stmt *a, const hy_stmt *b) {
  hy_text of_a = {0}, of_b = {0};
  hy_stmt_print(a, 0, &of_a);
  hy_stmt_print(b, 0, &of_b);
  bool same = strcmp(hy_text_string(&of_a), hy_text_string(&of_b)) == 0;
  hy_text_free(&of_a);
  hy_text_free(&of_b);
  return same;
}

// A statement that has others in it, without them.
static const hy_stmt *head_of(hy_context *context, const hy_stmt *stmt, int count) {
  const hy_stmt *nop = hy_stmt_nop(context), *none[] = {nop, nop};
  HY_ASSERT(count <= (int)HY_COUNT(none));
  return hy_stmt_with_children(context, stmt, none, count);
}

// Most of a program is shared by the one before and the one after: only what is not is printed.
static bool is_same(hy_context *context, const hy_stmt *a, const hy_stmt *b) {
  if (a == b) return true;
  const hy_stmt *const *of_a, *const *of_b, *room_a[2], *room_b[2];
  int count = hy_stmt_children(a, &of_a, room_a);
  if (a->kind != b->kind || hy_stmt_children(b, &of_b, room_b) != count || count == 0) return is_same_text(a, b);
  if (a->kind != HY_STMT_SEQ && !is_same_text(head_of(context, a, count), head_of(context, b, count))) return false;
  for (int i = 0; i < count; i++)
    if (!is_same(context, of_a[i], of_b[i])) return false;
  return true;
}

/* -- what the directive does not speak of -- */

typedef struct {
  hy_context *context;
  const hy_directive *directive;
  const hy_func *in; // the func whose compute is around, and its specialization
  int spec;
} frame;

static bool is_moved(const hy_stmt *stmt, const hy_directive *d) {
  if (d->type->phase == HY_PHASE_STORAGE) return stmt->kind == HY_STMT_ALLOCATE && stmt->allocate.func == d->func;
  return stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_FUNC && stmt->label.func == d->func;
}

// Is this a statement that the directive moves, replaces or adds?
static bool is_spoken_of(const frame *f, const hy_stmt *stmt) {
  const hy_directive *d = f->directive;
  switch (d->type->phase) {
  case HY_PHASE_COPIES:
  case HY_PHASE_FUNCS: // each assignment is looked at by itself (validate/added.c)
    return stmt->kind == HY_STMT_ASSIGN || (stmt->kind == HY_STMT_ALLOCATE && stmt->allocate.func == d->made) ||
           (d->loop && f->in == d->func && stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE &&
            stmt->label.number == d->loop->stage) ||
           (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_FUNC && stmt->label.func == d->made);
  case HY_PHASE_INLINE: // each assignment is looked at by itself (validate/inlined.c)
    return stmt->kind == HY_STMT_ASSIGN || (stmt->kind == HY_STMT_ALLOCATE && stmt->allocate.func == d->func) ||
           is_moved(stmt, d);
  case HY_PHASE_SPECIALIZE:
    return f->in == d->func && ((stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE) ||
                                (stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_SPECIALIZE));
  case HY_PHASE_LOOPS:
    return f->in == d->loop->func && f->spec == d->loop->spec && stmt->kind == HY_STMT_LABEL &&
           stmt->label.what == HY_LABEL_STAGE && stmt->label.number == d->loop->stage;
  case HY_PHASE_COMPUTE:
  case HY_PHASE_STORAGE: return is_moved(stmt, d);
  case HY_PHASE_BOUNDS: return f->in == d->func && stmt->kind == HY_STMT_ASSUME && stmt->assume.subject == d->func;
  case HY_PHASE_PLAN:
    return false; // the allocation stays, but for its plan, and the computation, but for what it keeps
  }
  HY_UNREACHABLE();
}

// Is this the allocation whose storage plan the directive makes?
static bool is_planned(const frame *f, const hy_stmt *stmt) {
  return f->directive->type->phase == HY_PHASE_PLAN && stmt->kind == HY_STMT_ALLOCATE &&
         stmt->allocate.func == f->directive->func;
}

static const hy_expr *box_for_loop(void *self, const hy_expr *node) {
  const frame *f = self;
  if (node->kind != HY_EXPR_HOLE || node->hole->kind != HY_HOLE_FOR || node->hole->func != f->in) return node;
  hy_hole hole = *node->hole;
  hole.kind = HY_HOLE_CPU;
  hole.loop = NULL;
  return hy_expr_hole(f->context, hy_hole_get(f->context, hole));
}

static const hy_expr *boxes_for_loops(void *self, const hy_expr *expr) {
  const frame *f = self;
  return expr->has_hole ? hy_expr_map(f->context, expr, box_for_loop, self) : expr;
}

// A computation as it is before it slides: over all of its box.
static const hy_stmt *keeping_nothing(frame *f, const hy_stmt *compute) {
  const hy_stmt *stmt = hy_stmt_compute(f->context, f->in, compute->compute.box, compute->compute.body);
  return hy_stmt_map_exprs(f->context, stmt, boxes_for_loops, f);
}

// A predicate, which may read what is inlined, or added?
static bool is_predicate(const frame *f, const hy_stmt *stmt) {
  hy_phase phase = f->directive->type->phase;
  return (phase <= HY_PHASE_INLINE || phase == HY_PHASE_COPIES) && stmt->kind == HY_STMT_IF &&
         stmt->branch.why == HY_IF_USER;
}

static const hy_stmt *without(frame f, const hy_stmt *stmt) {
  if (is_spoken_of(&f, stmt)) return hy_stmt_nop(f.context);
  if (is_planned(&f, stmt)) return hy_stmt_allocate(f.context, stmt->allocate.func, stmt->allocate.box);
  if (stmt->kind == HY_STMT_COMPUTE) f.in = stmt->compute.func, f.spec = 0;
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_SPEC) f.spec = stmt->label.number;
  if (stmt->kind == HY_STMT_COMPUTE && f.directive->type == &hy_directive_slide && f.in == f.directive->func)
    stmt = keeping_nothing(&f, stmt);
  if (is_predicate(&f, stmt)) return without(f, stmt->branch.then);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = without(f, children[i]);
  stmt = hy_stmt_with_children(f.context, stmt, fresh, count);
  hy_free(fresh);
  return stmt;
}

static const char *check_rest(hy_context *context, const hy_tgt *before, const hy_tgt *after,
                              const hy_directive *directive) {
  frame f = {context, directive, NULL, 0};
  bool speaks_of_buffers = directive->type->arguments[0] == HY_TAKES_BUFFER;
  return is_same(context, without(f, before->body), without(f, after->body)) &&
                 (speaks_of_buffers || hy_tgt_same_laid(before, after))
             ? NULL
             : "something has changed that the directive does not speak of";
}

// What is moved stays as it is: the computation's own statements, the allocation's box.
static const char *check_moved(hy_context *context, const hy_step *before, const hy_step *after,
                               const hy_directive *directive) {
  if (directive->type->phase != HY_PHASE_COMPUTE) return NULL;
  for (int i = 0; i < before->stages.count; i++) {
    const hy_stage_copy *old = &before->stages.copies[i];
    if (old->func != directive->func) continue;
    const hy_stage_copy *new = hy_stages_find(&after->stages, old->func, old->spec, old->stage);
    if (!new || !is_same(context, old->compute, new->compute))
      return hy_arena_printf(hy_context_arena(context), "the computation of %s is not moved as it was",
                             directive->func->name);
    break; // the stages of a func share its compute
  }
  return NULL;
}

// The entry block gains what the directive's own expressions need (decision D25), and loses nothing.
static const char *check_entry(const hy_tgt *before, const hy_tgt *after, const hy_directive *directive) {
  bool is_bound = directive->type->phase == HY_PHASE_BOUNDS;
  bool makes_factors = hy_directive_find(directive->type, HY_TAKES_FACTOR) >= 0;
  int k = 0;
  for (int i = 0; i < after->entry_count; i++) {
    const hy_stmt *entry = after->entry[i];
    if (k < before->entry_count && entry->assume.condition == before->entry[k]->assume.condition &&
        entry->assume.why == before->entry[k]->assume.why)
      k++;
    else if (!(entry->assume.why == HY_ASSUME_FACTOR && makes_factors) &&
             !(entry->assume.why == HY_ASSUME_BOUND && is_bound))
      return "the entry block checks something new";
  }
  return k == before->entry_count ? NULL : "the entry block has lost a check";
}

// LVL.Structure
const char *hy_validate_structure(hy_validator *v, const hy_step *after, const hy_directive *directive) {
  const hy_step *before = hy_validator_last(v);
  const hy_tgt *old = before->tgt, *new = after->tgt;
  const char *wrong = check_holes(v->context, old, new, directive);
  if (!wrong) wrong = check_rest(v->context, old, new, directive);
  if (!wrong) wrong = check_moved(v->context, before, after, directive);
  if (!wrong) wrong = check_entry(old, new, directive);
  if (!wrong) wrong = check_form(v->context, new);
  return wrong;
}
