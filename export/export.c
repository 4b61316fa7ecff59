// The module: parameters, images, funcs with their updates, and what build() returns.

#include "export/export_internal.h"

#include <string.h>

void hy_export_refuse(hy_export *e, const char *what, const char *why) {
  if (e->refused) return;
  e->refused = true;
  hy_report(e->diagnostics, HY_E_EXPORT_MEANING, e->loc, NULL, why, "Halide has nothing that means what this does: %s",
            what);
}

/* -- names -- */

static bool is_taken(const char *text) {
  static const char *const words[] = {"and",    "as",   "assert", "async",  "await",  "break",   "class",    "continue",
                                      "def",    "del",  "elif",   "else",   "except", "finally", "for",      "from",
                                      "global", "if",   "import", "in",     "is",     "lambda",  "nonlocal", "not",
                                      "or",     "pass", "raise",  "return", "try",    "while",   "with",     "yield",
                                      "None",   "True", "False",  "hl",     "float",  "build"};
  for (size_t i = 0; i < HY_COUNT(words); i++)
    if (strcmp(words[i], text) == 0) return true;
  size_t length = strlen(text);
  return length && text[length - 1] == '_'; // theirs is the name with one more
}

void hy_export_name(const char *text, hy_text *out) { hy_text_printf(out, is_taken(text) ? "%s_" : "%s", text); }

void hy_export_domain(const hy_func *func, int stage, hy_text *out) {
  hy_text_printf(out, "%s_s%d_", func->name, stage);
}

/* -- definitions -- */

static void print_target(hy_export *e, const hy_func *func, const hy_stage *stage) {
  hy_text_add(e->out, "    ");
  hy_export_name(func->name, e->out);
  hy_text_add(e->out, func->rank ? "[" : "[()");
  for (int d = 0; d < func->rank; d++) {
    if (d) hy_text_add(e->out, ", ");
    hy_export_expr(e, stage->lhs[d], HY_COORDINATE, e->out);
  }
  hy_text_add(e->out, "] = ");
}

static void print_domain(hy_export *e, const hy_func *func, int number, const hy_stage *stage) {
  if (!stage->rdom_count && !stage->predicate) return;
  if (stage->rdom_count > 4)
    hy_export_refuse(e, "an update over more than four reduction variables", "Halide's domains have at most four");
  hy_text_add(e->out, "    ");
  hy_export_domain(func, number, e->out);
  hy_text_add(e->out, " = hl.RDom([");
  for (int i = 0; i < stage->rdom_count; i++) {
    hy_text_add(e->out, i ? ", (" : "(");
    hy_export_expr(e, stage->rdoms[i].interval.min, HY_COORDINATE, e->out);
    hy_text_add(e->out, ", ");
    hy_export_expr(e, stage->rdoms[i].interval.len, HY_COORDINATE, e->out);
    hy_text_add(e->out, ")");
  }
  if (!stage->rdom_count) hy_text_add(e->out, "(hl.i32(0), hl.i32(1))"); // to hang the predicate on
  hy_text_add(e->out, "])\n");
  if (!stage->predicate) return;
  hy_text_add(e->out, "    ");
  hy_export_domain(func, number, e->out);
  hy_text_add(e->out, ".where(");
  hy_export_expr(e, stage->predicate, HY_WHOLE, e->out);
  hy_text_add(e->out, ")\n");
}

static bool mentions_domain(const hy_stage *stage, int rank) {
  for (int i = 0; i < stage->rdom_count; i++) {
    if (hy_expr_mentions(stage->rhs, stage->rdoms[i].var)) return true;
    for (int d = 0; d < rank; d++)
      if (hy_expr_mentions(stage->lhs[d], stage->rdoms[i].var)) return true;
  }
  return false;
}

// Halide runs over a domain only where the update mentions it.
static void print_value(hy_export *e, const hy_func *func, int number, const hy_stage *stage) {
  bool silent =
      !HY_MUTANT(EXP_Silent_Domain) && (stage->rdom_count || stage->predicate) && !mentions_domain(stage, func->rank);
  hy_text value = {0}, domain = {0};
  hy_export_domain(func, number, &domain);
  hy_export_expr(e, stage->rhs, HY_WHOLE, &value);
  if (silent)
    hy_text_printf(e->out, "hl.select(%s.x == %s.x, %s, %s)  # so that it runs over its domain\n",
                   hy_text_string(&domain), hy_text_string(&domain), hy_text_string(&value), hy_text_string(&value));
  else
    hy_text_printf(e->out, "%s\n", hy_text_string(&value));
  hy_text_free(&value);
  hy_text_free(&domain);
}

static void print_definition(hy_export *e, const hy_definition *d) {
  hy_text_add(e->out, "    ");
  hy_export_name(d->func->name, e->out);
  hy_text_printf(e->out, " = hl.Func(\"%s\")\n", d->func->name);
  for (int k = 0; k < d->stage_count && !e->refused; k++) {
    const hy_stage *stage = &d->stages[k];
    e->loc = stage->loc;
    print_domain(e, d->func, k, stage);
    print_target(e, d->func, stage);
    print_value(e, d->func, k, stage);
  }
}

/* -- the module -- */

static void print_inputs(hy_export *e) {
  for (int i = 0; i < e->alg->param_count; i++) {
    const hy_var *p = e->alg->params[i];
    hy_text_add(e->out, "    ");
    hy_export_name(p->name, e->out);
    hy_text_printf(e->out, " = hl.Param(%s, \"%s\")\n", p->type == HY_INT ? "hl.Int(32)" : hy_export_type(p->type),
                   p->name);
  }
  for (int i = 0; i < e->alg->image_count; i++) {
    const hy_func *image = e->alg->images[i];
    hy_text_add(e->out, "    ");
    hy_export_name(image->name, e->out);
    hy_text_printf(e->out, " = hl.ImageParam(%s, %d, \"%s\")\n", hy_export_type(image->type), image->rank, image->name);
  }
}

bool hy_export_copies(const hy_alg *alg) {
  const hy_definition *d = hy_alg_definition(alg, alg->output);
  for (int k = 1; k < d->stage_count; k++)
    if (d->stages[k].pure != d->stages[0].pure) return !HY_MUTANT(EXP_Output_Itself);
  return false;
}

static void print_copy(hy_export *e) {
  const hy_func *output = e->alg->output;
  hy_text at = {0};
  for (int d = 0; d < output->rank; d++) hy_text_printf(&at, "%shl.Var(\"%s\")", d ? ", " : "", output->dims[d]);
  const char *where = output->rank ? hy_text_string(&at) : "()";
  hy_text_printf(e->out, "    %s_window_ = hl.Func(\"%s_window\")\n    %s_window_[%s] = ", output->name, output->name,
                 output->name, where);
  hy_export_name(output->name, e->out);
  hy_text_printf(e->out, "[%s]  # updates may write outside of the window\n", where);
  hy_text_free(&at);
}

static void print_result(hy_export *e) {
  if (hy_export_copies(e->alg)) {
    print_copy(e);
    hy_text_printf(e->out, "    return %s_window_", e->alg->output->name);
  } else {
    hy_text_add(e->out, "    return ");
    hy_export_name(e->alg->output->name, e->out);
  }
  hy_text_add(e->out, ", [");
  for (int i = 0; i < e->alg->param_count; i++) {
    if (i) hy_text_add(e->out, ", ");
    hy_export_name(e->alg->params[i]->name, e->out);
  }
  hy_text_add(e->out, "], [");
  for (int i = 0; i < e->alg->image_count; i++) {
    if (i) hy_text_add(e->out, ", ");
    hy_export_name(e->alg->images[i]->name, e->out);
  }
  hy_text_add(e->out, "]\n");
}

bool hy_export_python(const hy_alg *alg, const hy_directive *core, int core_count, hy_text *out,
                      hy_diagnostics *diagnostics) {
  hy_export e = {.alg = alg, .out = out, .diagnostics = diagnostics, .loc = alg->loc};
  hy_text_printf(
      out,
      "# The pipeline '%s' of Halyard, for Halide's Python bindings. An int is hl.Int(64), in coordinates hl.Int(32).\n"
      "import halide as hl\n\n\n"
      "def build():\n"
      "    \"\"\"The output, the parameters and the images, in the order of the text. Compile it with the target\n"
      "    feature strict_float.\"\"\"\n",
      alg->name);
  print_inputs(&e);
  for (int i = 0; i < alg->definition_count && !e.refused; i++) print_definition(&e, &alg->definitions[i]);
  if (!e.refused) hy_export_schedule(&e, core, core_count);
  print_result(&e);
  hy_text_add(out, "\n\nif __name__ == \"__main__\":\n    build()[0].print_loop_nest()\n");
  for (size_t i = 0; i < e.nests.count; i++) hy_vec_free(&e.nests.data[i].loops);
  hy_vec_free(&e.nests);
  return !e.refused;
}
