/* Algorithms as text. A func's type is not written: it is that of its stages. Where nothing in them says it, the
 * literals of the pure stage do: { u32(0); (x) <- f(x) + 1; }.
 */

#include "semantics/text/print_internal.h"

#include <stdlib.h>

void hy_func_print_head(const hy_func *func, hy_text *out) {
  hy_text_printf(out, "%s(", func->name);
  for (int d = 0; d < func->rank; d++) hy_text_printf(out, "%s%s", d ? ", " : "", func->dims[d]);
  hy_text_add(out, ")");
}

void hy_alg_print_param(const hy_alg *alg, int param, hy_text *out) {
  const hy_var *var = alg->params[param];
  hy_param_about about = hy_alg_about(alg, param);
  hy_text_printf(out, "%s: %s", var->name, hy_type_name(var->type));
  if (about.has_range) {
    hy_text_add(out, " in ");
    hy_value_print(about.least, out);
    hy_text_add(out, "..");
    hy_value_print(about.greatest, out);
  }
  if (about.has_initial) {
    hy_text_add(out, " = ");
    hy_value_print(about.initial, out);
  }
  if (about.has_estimate) {
    hy_text_add(out, " estimate ");
    hy_value_print(about.estimate, out);
  }
}

static void print_signature(const hy_alg *alg, bool about, hy_text *out) {
  hy_text_add(out, "(");
  for (int i = 0; i < alg->param_count + alg->image_count; i++) {
    int k = alg->signature[i];
    if (i) hy_text_add(out, ", ");
    if (k > 0 && about) {
      hy_alg_print_param(alg, k - 1, out);
    } else if (k > 0) {
      const hy_var *param = alg->params[k - 1];
      hy_text_printf(out, "%s: %s", param->name, hy_type_name(param->type));
    } else {
      const hy_func *image = alg->images[-k - 1];
      hy_text_printf(out, "%s: %s[%d]", image->name, hy_type_name(image->type), image->rank);
    }
  }
  hy_text_add(out, ")");
}

// Of a target program: its entry block says what its parameters are.
void hy_alg_print_signature(const hy_alg *alg, hy_text *out) { print_signature(alg, false, out); }

static void print_rdoms(const hy_stage *stage, const hy_print_style *style, hy_text *out) {
  if (!stage->rdom_count) return;
  hy_text_add(out, "rdom(");
  for (int i = 0; i < stage->rdom_count; i++) {
    hy_text_printf(out, "%s%s = (", i ? ", " : "", stage->rdoms[i].var->name);
    hy_expr_print_styled(stage->rdoms[i].interval.min, style, out);
    hy_text_add(out, ", ");
    hy_expr_print_styled(stage->rdoms[i].interval.len, style, out);
    hy_text_add(out, ")");
  }
  hy_text_add(out, ") in ");
}

// update = [rdom(...) in] (e1, ..., en) <- e [if p];
static void print_update(const hy_func *func, const hy_stage *stage, const hy_print_style *style, hy_text *out) {
  print_rdoms(stage, style, out);
  hy_text_add(out, "(");
  for (int d = 0; d < func->rank; d++) {
    if (d) hy_text_add(out, ", ");
    hy_expr_print_styled(stage->lhs[d], style, out);
  }
  hy_text_add(out, ") <- ");
  hy_expr_print_styled(stage->rhs, style, out);
  if (!stage->predicate) return;
  hy_text_add(out, " if ");
  hy_expr_print_styled(stage->predicate, style, out);
}

// Do the stages say by themselves what the func's type is? Its own accesses do not count.
static bool has_evident_type(const hy_definition *definition) {
  for (int part = 0; part < hy_func_parts(definition->func); part++) {
    bool is_evident = false;
    for (int j = 0; j < definition->stage_count && !is_evident; j++)
      is_evident = hy_expr_has_evident_type(hy_expr_part(definition->stages[j].rhs, part), definition->func);
    if (!is_evident) return false;
  }
  return true;
}

static void print_definition(const hy_definition *definition, const char *temporary, hy_text *out) {
  hy_print_style pure = {has_evident_type(definition), temporary}, update = {true, temporary};
  hy_text_add(out, "  fun ");
  hy_func_print_head(definition->func, out);
  hy_text_add(out, definition->stage_count > 1 ? " = {\n    " : " = ");
  hy_expr_print_styled(definition->stages[0].rhs, &pure, out);
  for (int j = 1; j < definition->stage_count; j++) {
    hy_text_add(out, ";\n    ");
    print_update(definition->func, &definition->stages[j], &update, out);
  }
  hy_text_add(out, definition->stage_count > 1 ? ";\n  };\n" : ";\n");
}

// The last func is the output where nothing else is said.
static void print_outputs(const hy_alg *alg, hy_text *out) {
  if (hy_alg_has_plain_output(alg)) return;
  hy_text_add(out, alg->output_count > 1 ? " -> (" : " -> ");
  for (int i = 0; i < alg->output_count; i++) hy_text_printf(out, "%s%s", i ? ", " : "", alg->outputs[i].func->name);
  if (alg->output_count > 1) hy_text_add(out, ")");
}

static void print_requirements(const hy_alg *alg, const char *temporary, hy_text *out) {
  hy_print_style style = {true, temporary};
  for (int i = 0; i < alg->requirement_count; i++) {
    hy_text_add(out, "  require ");
    hy_expr_print_styled(alg->requirements[i].condition, &style, out);
    hy_text_add(out, ";\n");
  }
}

void hy_alg_print(const hy_alg *alg, hy_text *out) {
  hy_print_names names = {0};
  char buffer[HY_TEMPORARY_SIZE];
  hy_print_names_add_signature(&names, alg);
  for (int i = 0; i < alg->definition_count; i++) {
    const hy_definition *definition = &alg->definitions[i];
    hy_print_names_add_func(&names, definition->func);
    for (int j = 0; j < definition->stage_count; j++)
      for (int k = 0; k < definition->stages[j].rdom_count; k++)
        hy_print_names_add(&names, definition->stages[j].rdoms[k].var->name);
  }
  const char *temporary = hy_print_temporary(names.data, names.count, buffer);
  hy_text_printf(out, "pipeline %s", alg->name);
  print_signature(alg, true, out);
  print_outputs(alg, out);
  if (alg->floats_in_any_order) hy_text_add(out, " contract real");
  hy_text_add(out, " {\n");
  print_requirements(alg, temporary, out);
  for (int i = 0; i < alg->definition_count; i++) print_definition(&alg->definitions[i], temporary, out);
  hy_text_add(out, "}\n");
  hy_free(names.data);
}
