#include "halyard/excess/divided.h"

#include "semantics/tgt/range.h"

enum { USUAL_MOST = 256, MOST_SHOWN = 100 };

typedef struct {
  hy_ranges *ranges;
  const hy_expr *divisor;
} search;

// The last one that is seen is the outermost.
static void see_quotient(void *self, const hy_expr *node) {
  search *s = self;
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_DIV || node->type != HY_INT) return;
  hy_range range = hy_ranges_of(s->ranges, node->args[1]);
  if (range.low <= 0 && range.high >= 0) s->divisor = node->args[1];
}

const hy_expr *hy_divided_by(const hy_pipeline *p, const hy_expr *index) {
  search s = {.ranges = hy_ranges_new()};
  hy_ranges_assume_entry(s.ranges, p->filled);
  for (int i = 0; i < p->alg->requirement_count; i++) hy_ranges_assume(s.ranges, p->alg->requirements[i].condition);
  hy_expr_visit(index, see_quotient, &s);
  hy_ranges_free(s.ranges);
  return s.divisor;
}

const hy_expr *hy_divided_region(const hy_pipeline *p, const hy_func *func) {
  for (size_t i = 0; i < p->asked.count; i++) {
    const hy_asked *asked = &p->asked.items[i];
    for (int d = 0; asked->access->func == func && d < func->rank; d++) {
      int64_t end;
      bool follows = !hy_expr_is_int(asked->low[d], &end) || !hy_expr_is_int(asked->high[d], &end);
      const hy_expr *divisor = follows ? NULL : hy_divided_by(p, asked->access->args[d]);
      if (divisor) return divisor;
    }
  }
  return NULL;
}

// The parameter as it may be declared: "n: int in 1..256 = 4".
static void tell_range(const hy_alg *alg, const hy_var *param, hy_text *out) {
  for (int i = 0; i < alg->param_count; i++) {
    if (alg->params[i] != param) continue;
    hy_param_about about = hy_alg_about(alg, i);
    int64_t most = about.has_range ? about.greatest.i : USUAL_MOST;
    int64_t initial = about.has_initial ? about.initial.i : 0;
    if (most < 1 || initial > most) most = initial > USUAL_MOST ? initial : USUAL_MOST;
    hy_text_printf(out, "%s: int in 1..%lld", param->name, (long long)most);
    if (initial >= 1) hy_text_printf(out, " = %lld", (long long)initial);
    hy_text_add(out, ", or ");
  }
}

void hy_divided_tell(const hy_pipeline *p, const hy_expr *divisor, hy_text *out) {
  hy_text text = {0};
  hy_expr_print_brief(divisor, MOST_SHOWN, &text);
  const char *by = hy_text_string(&text);
  hy_text_printf(
      out, "a quotient by %s has bounds that follow what is divided only where that is known to be positive: write ",
      by);
  if (divisor->kind == HY_EXPR_VAR) tell_range(p->alg, divisor->var, out);
  hy_text_printf(out, "require %s >= 1", by);
  hy_text_free(&text);
}
