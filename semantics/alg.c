/* Questions about algorithms. */

#include "semantics/alg.h"

#include <stdlib.h>
#include <string.h>

const hy_definition *hy_alg_definition(const hy_alg *alg, const hy_func *func) {
  for (int i = 0; i < alg->definition_count; i++)
    if (alg->definitions[i].func == func) return &alg->definitions[i];
  return NULL;
}

const hy_func *hy_alg_find(const hy_alg *alg, const char *name) {
  for (int i = 0; i < alg->image_count; i++)
    if (strcmp(alg->images[i]->name, name) == 0) return alg->images[i];
  for (int i = 0; i < alg->definition_count; i++)
    if (strcmp(alg->definitions[i].func->name, name) == 0) return alg->definitions[i].func;
  return NULL;
}

typedef struct {
  const hy_func *target;
  bool *reached; // by position in definitions
  const hy_alg *alg;
  bool found;
} reach;

static void mark(void *self, const hy_expr *node) {
  reach *r = self;
  if (node->kind != HY_EXPR_ACCESS) return;
  if (node->func == r->target) r->found = true;
  for (int i = 0; i < r->alg->definition_count; i++)
    if (r->alg->definitions[i].func == node->func) r->reached[i] = true;
}

static void mark_stage(reach *r, const hy_stage *stage, int rank) {
  hy_expr_visit(stage->rhs, mark, r);
  if (stage->predicate) hy_expr_visit(stage->predicate, mark, r);
  for (int d = 0; d < rank; d++) hy_expr_visit(stage->lhs[d], mark, r);
}

// Funcs read only what stands before them, so one pass from the output to the front meets every reader before what it
// reads.
bool hy_alg_reaches(const hy_alg *alg, const hy_func *func) {
  if (func == alg->output) return true;
  reach r = {func, hy_allocate_zeroed((size_t)alg->definition_count + 1, sizeof(bool)), alg, false};
  for (int i = alg->definition_count - 1; i >= 0 && !r.found; i--) {
    const hy_definition *definition = &alg->definitions[i];
    if (!r.reached[i] && definition->func != alg->output) continue;
    for (int j = 0; j < definition->stage_count; j++) mark_stage(&r, &definition->stages[j], definition->func->rank);
  }
  free(r.reached);
  return r.found;
}

hy_loc hy_stage_access_loc(const hy_stage *stage, const hy_expr *access) {
  for (int i = 0; i < stage->access_count; i++)
    if (stage->accesses[i].access == access) return stage->accesses[i].loc;
  return stage->loc;
}
