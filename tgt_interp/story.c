#include "tgt_interp/interp_internal.h"

#include "semantics/tgt/constraint.h"

#include <stdlib.h>

/* Lines for the user: which func, which point, which iteration, which region. */

void hy_story_point(hy_text *out, const hy_func *func, const hy_value *coordinates) {
  hy_text_printf(out, "%s(", func->name);
  for (int d = 0; d < func->rank; d++) {
    if (d) hy_text_add(out, ", ");
    if (coordinates[d].error)
      hy_text_add(out, hy_error_name((hy_error)coordinates[d].error));
    else
      hy_text_printf(out, "%lld", (long long)coordinates[d].i);
  }
  hy_text_add(out, ")");
}

void hy_story_values(hy_text *out, const hy_func *func, const int64_t *coordinates) {
  hy_value values[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) values[d] = hy_value_int(coordinates[d]);
  hy_story_point(out, func, values);
}

static void box(hy_text *out, int rank, const int64_t *min, const int64_t *len) {
  if (!rank) hy_text_add(out, "[]");
  for (int d = 0; d < rank; d++)
    hy_text_printf(out, "%s[%lld, %lld)", d ? " x " : "", (long long)min[d], (long long)(min[d] + len[d]));
}

void hy_story_cpu(hy_text *out, const place *p) {
  if (!p->computed) {
    hy_text_printf(out, "Cpu(%s), which is not computed yet", p->func->name);
    return;
  }
  hy_text_printf(out, "Cpu(%s) = ", p->func->name);
  box(out, p->func->rank, p->cpu_min, p->cpu_len);
}

void hy_story_mem(hy_text *out, const place *p) {
  if (!p->memory) {
    hy_text_printf(out, "Mem(%s), which is not allocated here", p->func->name);
    return;
  }
  int64_t len[HY_MAX_RANK];
  for (int d = 0; d < p->func->rank; d++) len[d] = (int64_t)p->memory->layout.len[d];
  hy_text_printf(out, "Mem(%s) = ", p->func->name);
  box(out, p->func->rank, p->memory->layout.min, len);
}

// Outermost first; the nest is walked from inside, so each variable is put before those already told.
void hy_story_loops(hy_text *out, const run *r, const node *n) {
  const node *nest[32];
  int count = 0;
  for (const node *at = n ? n->parent : NULL; at && count < 32; at = at->parent)
    if (at->stmt->kind == HY_STMT_FOR || at->stmt->kind == HY_STMT_LET) nest[count++] = at;
  for (int i = count; i-- > 0;) {
    const hy_stmt *stmt = nest[i]->stmt;
    hy_text_add(out, i == count - 1 ? "; " : ", ");
    hy_var_print(stmt->kind == HY_STMT_FOR ? stmt->loop.var : stmt->let.var, out);
    hy_value value = r->env[nest[i]->slot];
    hy_text_add(out, " = ");
    if (value.error)
      hy_text_add(out, hy_error_name((hy_error)value.error));
    else
      hy_text_printf(out, "%lld", (long long)value.i);
  }
}

void hy_tgt_scope_loops(const hy_tgt_scope *scope, hy_text *out) { hy_story_loops(out, scope->run, scope->node); }

void hy_story_need(run *r, const node *n, const hy_value *ends) {
  hy_text story = {0};
  hy_need_ends exprs;
  int64_t values[4];
  const node *compute = n->parent;
  while (compute && compute->stmt->kind != HY_STMT_COMPUTE) compute = compute->parent;
  if (!compute || !hy_need_ends_of(n->stmt->assume.condition, &exprs)) return;
  for (int i = 0; i < 4; i++) {
    if (ends[i].error) return;
    values[i] = ends[i].i;
  }
  hy_need_print(r->context, compute->place->func, compute->stmt->compute.box, &exprs, values, &story);
  hy_story_loops(&story, r, n);
  hy_free(r->result->story);
  r->result->story = story.data;
}
