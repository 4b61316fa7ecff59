#include "halyard/excess/excess_place.h"

#include "halyard/copies.h"
#include "semantics/base/base.h"

#include <string.h>

/* A load that was inlined has other expressions where variables were written. Several loads may have become it, g(x) and
 * g(x % 16): the one is meant that says most of it.
 */

const hy_expr *hy_excess_as_written(const hy_pipeline *p, const hy_expr *access) {
  const hy_func *func = hy_copies_original(p, access->func);
  return func == access->func ? access : hy_expr_access_part(p->context, func, access->part, access->args);
}

enum { MOST_COMPARED = 10000, MOST_VARIABLES = 16 };

typedef struct {
  const hy_pipeline *pipeline;
  hy_binding variables[MOST_VARIABLES];
  size_t count;
  int same, left; // nodes that are as they were written; that may still be compared
} comparison;

static bool is_computed(const hy_pipeline *p, const hy_func *func) {
  for (int i = 0; i < p->filled->func_count; i++)
    if (p->filled->funcs[i] == func) return true;
  return false;
}

// The definition that is put where the func is read; NULL: it is computed, or an image.
static const hy_definition *inlined(const hy_pipeline *p, const hy_func *func) {
  return is_computed(p, func) ? NULL : hy_alg_definition(p->alg, func);
}

// Has the same taken the variable's place as everywhere else?
static bool is_bound_to(comparison *c, const hy_var *var, const hy_expr *expr) {
  for (size_t i = 0; i < c->count; i++)
    if (c->variables[i].var == var) return c->variables[i].expr == expr;
  if (c->count < MOST_VARIABLES) c->variables[c->count++] = (hy_binding){var, expr};
  return true;
}

static bool fits(comparison *c, const hy_expr *expr, const hy_expr *written);

// A read of a func that is inlined has become its definition, which tells more, or a condition around it.
static bool fits_inlined(comparison *c, const hy_expr *expr, const hy_expr *value) {
  comparison within = {.pipeline = c->pipeline, .left = c->left};
  if (fits(&within, expr, value)) c->same += within.same;
  c->left = within.left;
  return true;
}

// Is it what was written, whatever has taken the place of the variables?
static bool fits(comparison *c, const hy_expr *expr, const hy_expr *written) {
  if (c->left-- <= 0) return false;
  if (written->kind == HY_EXPR_VAR) {
    c->same += expr == written;
    return is_bound_to(c, written->var, expr);
  }
  const hy_definition *put = written->kind == HY_EXPR_ACCESS ? inlined(c->pipeline, written->func) : NULL;
  if (put) return fits_inlined(c, expr, hy_expr_part(put->stages[0].rhs, written->part));
  if (expr->kind != written->kind || expr->count != written->count) return false;
  if (written->kind == HY_EXPR_CONST && expr != written) return false;
  bool is_access = written->kind == HY_EXPR_ACCESS;
  if (is_access && (hy_copies_original(c->pipeline, expr->func) != written->func || expr->part != written->part))
    return false;
  if (written->kind == HY_EXPR_OP && (expr->op != written->op || expr->type != written->type)) return false;
  c->same++;
  for (int i = 0; i < written->count; i++)
    if (!fits(c, expr->args[i], written->args[i])) return false;
  return true;
}

typedef struct {
  const hy_access_site *site; // NULL: none fits
  int same;
} fitting;

// The first of those that say most.
static void look_in(const hy_pipeline *p, const hy_stage *stage, const hy_expr *access, fitting *best) {
  for (int i = 0; i < stage->access_count; i++) {
    const hy_expr *written = stage->accesses[i].access;
    comparison c = {.pipeline = p, .left = MOST_COMPARED};
    if (written->func != access->func || !fits(&c, access, written) || (best->site && c.same <= best->same)) continue;
    *best = (fitting){&stage->accesses[i], c.same};
  }
}

// Whose definitions have come to stand where the func is read: those of funcs that are inlined.
static void mark_inlined(const hy_pipeline *p, const hy_stage *stage, bool *stands) {
  for (int i = 0; i < stage->access_count; i++) {
    const hy_definition *read = inlined(p, stage->accesses[i].access->func);
    if (read) stands[read - p->alg->definitions] = true;
  }
}

// In the reader's own stage, or in a func that was put in its place.
static fitting look_where_it_is_read(const hy_pipeline *p, const hy_stmt *reader, const hy_expr *access) {
  fitting best = {NULL, 0};
  const hy_definition *own = hy_alg_definition(p->alg, hy_copies_original(p, reader->assign.func));
  if (!own || reader->assign.stage >= own->stage_count) return best;
  bool *stands = hy_allocate_zeroed((size_t)p->alg->definition_count, sizeof *stands);
  const hy_stage *stage = &own->stages[reader->assign.stage];
  look_in(p, stage, access, &best);
  mark_inlined(p, stage, stands);
  for (int i = p->alg->definition_count - 1; i >= 0; i--) {
    if (!stands[i]) continue;
    look_in(p, &p->alg->definitions[i].stages[0], access, &best);
    mark_inlined(p, &p->alg->definitions[i].stages[0], stands);
  }
  hy_free(stands);
  return best;
}

// Of what a copy of the func reads: in whoever read the func.
static fitting look_anywhere(const hy_pipeline *p, const hy_expr *access) {
  fitting best = {NULL, 0};
  for (int i = p->alg->definition_count - 1; i >= 0; i--)
    for (int k = 0; k < p->alg->definitions[i].stage_count; k++)
      look_in(p, &p->alg->definitions[i].stages[k], access, &best);
  return best;
}

hy_loc hy_excess_place(const hy_pipeline *p, const hy_asked *asked) {
  const hy_expr *access = hy_excess_as_written(p, asked->access);
  fitting found = look_where_it_is_read(p, asked->reader, access);
  if (!found.site) found = look_anywhere(p, access);
  return found.site ? found.site->loc : p->loc;
}
