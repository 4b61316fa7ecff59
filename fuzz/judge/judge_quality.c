// Does a pair say anything? Sampled: does its output depend on a constant of the algorithm, and does it survive the
// paper's strict semantics (decision D4)?

#include "fuzz/change/edit.h"
#include "fuzz/judge/judge_internal.h"

#include "engines/generator.h"
#include "semantics/base/vec.h"

typedef struct {
  HY_VEC(const hy_expr *) constants;
  HY_VEC(int) places; // the definition that each is in
  int place;
} constant_list;

static void see_node(void *self, const hy_expr *node) {
  constant_list *l = self;
  if (node->kind != HY_EXPR_CONST) return;
  hy_vec_push(&l->constants, node);
  hy_vec_push(&l->places, l->place);
}

static void list_constants(const hy_alg *alg, constant_list *l) {
  for (l->place = 0; l->place < alg->definition_count; l->place++) {
    const hy_definition *d = &alg->definitions[l->place];
    if (!hy_alg_reaches(alg, d->func)) continue;
    for (int k = 0; k < d->stage_count; k++) {
      hy_expr_visit(d->stages[k].rhs, see_node, l);
      if (d->stages[k].predicate) hy_expr_visit(d->stages[k].predicate, see_node, l);
    }
  }
}

static const hy_expr *moved(hy_context *context, const hy_expr *constant, int by) {
  hy_value v = constant->value;
  switch (hy_type_class_of(v.type)) {
  case HY_CLASS_FLOAT: return hy_expr_const(context, hy_value_from_double(v.type, (hy_value_to_double(v)) + by));
  case HY_CLASS_BOOL: return hy_expr_bool(context, !v.u);
  case HY_CLASS_INTEGER:
  case HY_CLASS_UNSIGNED:
  case HY_CLASS_SIGNED: return hy_expr_const(context, hy_value_integral(v.type, v.i + by));
  }
  HY_UNREACHABLE();
}

static bool differs(hy_judging *g, const hy_alg *alg, const hy_buffer *want) {
  hy_difference difference = {0};
  hy_outcome got = hy_engine_alg(g->context, alg, &g->input, false, HY_RUN_STEPS);
  if (got.status == HY_RAN) hy_compare(want, got.output, true, &difference);
  bool other = got.status != HY_RAN || difference.differs;
  hy_outcome_free(&got);
  return other;
}

// One constant, by one and, since what decides by a remainder or an order may not mind, by more.
static void vary_constant(hy_judging *g, const hy_buffer *want) {
  static const int steps[] = {1, 5};
  constant_list l = {0};
  list_constants(g->pipeline.alg, &l);
  if (l.constants.count) {
    size_t which = hy_splitmix(g->c->seed, 501) % l.constants.count;
    hy_edit edit = {.context = g->context, .from = l.constants.data[which]};
    g->j->has_constant = true;
    for (size_t i = 0; i < HY_COUNT(steps) && !g->j->constant_matters; i++) {
      edit.to = moved(g->context, edit.from, steps[i]);
      hy_alg other = hy_edit_alg(&edit, g->pipeline.alg, l.places.data[which]);
      g->j->constant_matters = differs(g, &other, want);
    }
  }
  hy_vec_free(&l.constants);
  hy_vec_free(&l.places);
}

void hy_judging_vary(hy_judging *g, const hy_buffer *want) {
  hy_alg_result strict = {0};
  hy_alg_options options = {.mode = HY_STRICT, .step_limit = HY_RUN_STEPS};
  g->j->varied = true;
  vary_constant(g, want);
  hy_alg_run(g->context, g->pipeline.meaning, &g->input, &options, &strict);
  bool all = strict.status == HY_RAN && strict.output->count > 0;
  for (size_t i = 0; all && i < strict.output->count; i++)
    all = strict.output->errors && strict.output->errors[i] != HY_OK;
  g->j->strict_vacuous |= all;
  hy_buffer_free(strict.output);
}
