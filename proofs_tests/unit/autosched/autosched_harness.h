#ifndef HY_AUTOSCHED_HARNESS_H
#define HY_AUTOSCHED_HARNESS_H

// An algorithm with sizes, as schedules are looked for; shared by the suites of autosched/.

#include "autosched/boxes.h"
#include "autosched/group.h"
#include "autosched/levels.h"
#include "autosched/spell.h"
#include "semantics/semantics.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source source;
  const hy_alg *alg;
  hy_estimates *estimates;
  hy_func_graph *graph;
} tuned;

static inline tuned tuned_open(const char *text) {
  tuned t = {
      .context = hy_context_new(), .diagnostics = hy_diagnostics_new(), .source = {"test.alg", text, strlen(text)}};
  t.alg = hy_parse_alg(t.context, &t.source, t.diagnostics);
  hy_text why = {0};
  hy_diagnostics_print(t.diagnostics, &why);
  ck_assert_msg(t.alg != NULL, "%s", hy_text_string(&why));
  hy_text_free(&why);
  t.estimates = hy_estimates_new(t.context, t.alg);
  t.graph = hy_graph_new(t.context, t.alg, t.estimates);
  return t;
}

static inline void tuned_close(tuned *t) {
  hy_diagnostics_free(t->diagnostics);
  hy_context_free(t->context);
}

static inline int node_of(const tuned *t, const char *name) {
  const hy_func *func = hy_alg_find(t->alg, name);
  ck_assert_msg(func != NULL, "no func '%s'", name);
  return (int)func->index;
}

static inline void estimate(tuned *t, const char *name, int dim, int64_t min, int64_t len) {
  int node = node_of(t, name);
  t->estimates->boxes[node].min[dim] = min;
  t->estimates->boxes[node].len[dim] = len;
  t->estimates->known[node] |= UINT32_C(1) << dim;
}

static inline void estimate_float(tuned *t, const char *param, double value) {
  for (int i = 0; i < t->alg->param_count; i++) {
    if (strcmp(t->alg->params[i]->name, param) != 0) continue;
    t->estimates->params[i] = hy_value_from_double(t->alg->params[i]->type, value);
    t->estimates->has_param[i] = true;
  }
}

static inline void find_boxes(tuned *t) {
  hy_box_set *set = hy_box_set_new(t->graph);
  ck_assert(hy_boxes_concrete(t->graph, set));
  hy_box_set_free(set);
}

static inline void assert_side(const hy_box *box, int dim, int64_t min, int64_t len) {
  ck_assert_msg(box->min[dim] == min && box->len[dim] == len, "[%lld, %lld), not [%lld, %lld)",
                (long long)box->min[dim], (long long)(box->min[dim] + box->len[dim]), (long long)min,
                (long long)(min + len));
}

#endif
