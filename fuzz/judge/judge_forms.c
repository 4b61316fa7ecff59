// What forms of the language stand for: everything behind the parser sees their expansion alone, and so no engine tells
// whether it is the right one. A case may hold its algorithm once more, with the forms written out by whoever made it:
// both must mean the same (semantics/rules/3_algorithms.md, "Forms"). What is expanded must come back from its text,
// too.

#include "fuzz/judge/judge_internal.h"

#include "semantics/semantics.h"

#include <string.h>

// The algorithm of a text, in a context of its own.
typedef struct {
  hy_context *context;
  hy_diagnostics *said;
  hy_source source;
  const hy_alg *alg; // NULL: it is refused
} reading;

static reading read_text(const char *text) {
  reading r = {hy_context_new(), hy_diagnostics_new(), {"written.alg", text, strlen(text)}, NULL};
  r.alg = hy_parse_alg(r.context, &r.source, r.said);
  return r;
}

static void forget(reading *r) {
  hy_diagnostics_free(r->said);
  hy_context_free(r->context);
}

static void find(hy_judging *g, const char *rule, const char *detail) {
  if (hy_judging_find(g, HY_FOUND_DISAGREE, rule, detail)) hy_judging_blame(g, 0);
}

void hy_judging_forms(hy_judging *g, const hy_buffer *want) {
  if (!g->c->written) return;
  const hy_alg *alg = g->pipeline.alg;
  reading r = read_text(g->c->written);
  bool is_same = r.alg && r.alg->param_count == alg->param_count && r.alg->image_count == alg->image_count &&
                 r.alg->part_count == alg->part_count;
  for (int k = 0; is_same && k < alg->part_count; k++) {
    const hy_output_part *a = &alg->parts[k], *b = &r.alg->parts[k];
    is_same = a->output == b->output && a->func->rank == b->func->rank && a->type == b->type;
  }
  if (is_same) {
    hy_outcome got = hy_engine_alg(r.context, r.alg, &g->input, false, HY_RUN_STEPS);
    hy_judging_compare(g, HY_FOUND_DISAGREE, "form", "the algorithm with its forms written out", want, &got);
    if (g->j->found == HY_FOUND_DISAGREE && strcmp(g->j->rule, "form") == 0) hy_judging_blame(g, 0);
    hy_outcome_free(&got);
  } else {
    find(g, "form",
         r.alg ? "the algorithm with its forms written out has another signature"
               : "the algorithm with its forms written out is refused");
  }
  forget(&r);
}

void hy_judging_form_text(hy_judging *g) {
  if (!g->c->written) return;
  hy_text first = {0}, second = {0};
  hy_alg_print(g->pipeline.alg, &first);
  reading r = read_text(first.data);
  if (r.alg) hy_alg_print(r.alg, &second);
  if (strcmp(hy_text_string(&first), hy_text_string(&second)) != 0)
    find(g, "form text",
         r.alg ? "an expansion is printed and read back as another one"
               : "an expansion is printed, and refused when it is read back");
  forget(&r);
  hy_text_free(&first);
  hy_text_free(&second);
}
