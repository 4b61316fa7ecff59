// The module: parameters, images, funcs with their updates, and what build() returns.

#include "export/export_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void hy_export_refuse(hy_export_writer *e, const char *what, const char *why) {
  if (e->refused) return;
  e->refused = true;
  hy_report(e->diagnostics, HY_E_EXPORT_MEANING, e->loc, NULL, why, "Halide has nothing that means what this does: %s",
            what);
}

/* -- names -- */

static bool is_taken(const hy_export_writer *e, const char *text) {
  for (size_t i = 0; e->dialect->taken[i]; i++)
    if (strcmp(e->dialect->taken[i], text) == 0) return true;
  size_t length = strlen(text);
  return length && text[length - 1] == '_'; // theirs is the name with one more
}

void hy_export_name(const hy_export_writer *e, const char *text, hy_text *out) {
  hy_text_printf(out, is_taken(e, text) ? "%s_" : "%s", text);
}

void hy_export_var(const hy_export_writer *e, const char *kind, const char *name, hy_text *out) {
  hy_text_printf(out, "%s%s(\"%s\")", e->dialect->scope, kind, name);
}

void hy_export_domain(const hy_func *func, int stage, hy_text *out) {
  hy_text_printf(out, "%s_s%d_", func->name, stage);
}

/* -- definitions -- */

static void end_statement(hy_export_writer *e, const char *remark) {
  hy_text_add(e->out, e->dialect->end);
  if (remark) hy_text_printf(e->out, "%s%s", e->dialect->remark, remark);
  hy_text_add(e->out, "\n");
}

// "f = hl.Func", of a name that it leaves to us
static void declare(hy_export_writer *e, const char *kind, const char *name) {
  hy_text own = {0};
  hy_export_name(e, name, &own);
  hy_text_add(e->out, "    ");
  e->dialect->declare(kind, hy_text_string(&own), e->out);
  hy_text_free(&own);
}

static void print_target(hy_export_writer *e, const hy_func *func, const hy_stage *stage) {
  hy_text_add(e->out, "    ");
  hy_export_name(e, func->name, e->out);
  hy_text_add(e->out, func->rank ? e->dialect->open : e->dialect->single);
  for (int d = 0; d < func->rank; d++) {
    if (d) hy_text_add(e->out, ", ");
    hy_export_expr(e, stage->lhs[d], HY_COORDINATE, e->out);
  }
  hy_text_printf(e->out, "%s = ", func->rank ? e->dialect->close : "");
}

static void print_domain(hy_export_writer *e, const hy_func *func, int number, const hy_stage *stage) {
  const hy_export_dialect *dialect = e->dialect;
  if (!stage->rdom_count && !stage->predicate) return;
  if (stage->rdom_count > 4)
    hy_export_refuse(e, "an update over more than four reduction variables", "Halide's domains have at most four");
  hy_text name = {0};
  hy_export_domain(func, number, &name);
  hy_text_add(e->out, "    ");
  dialect->domain(hy_text_string(&name), e->out);
  for (int i = 0; i < stage->rdom_count; i++) {
    hy_text_printf(e->out, "%s%s", i ? ", " : "", dialect->domain_open);
    hy_export_expr(e, stage->rdoms[i].interval.min, HY_COORDINATE, e->out);
    hy_text_add(e->out, ", ");
    hy_export_expr(e, stage->rdoms[i].interval.len, HY_COORDINATE, e->out);
    hy_text_add(e->out, dialect->domain_close);
  }
  if (!stage->rdom_count) { // to hang the predicate on
    hy_text_add(e->out, dialect->domain_open);
    dialect->whole(HY_I32, hy_value_integral(HY_I32, 0), e->out);
    hy_text_add(e->out, ", ");
    dialect->whole(HY_I32, hy_value_integral(HY_I32, 1), e->out);
    hy_text_add(e->out, dialect->domain_close);
  }
  hy_text_add(e->out, dialect->domain_end);
  end_statement(e, NULL);
  if (stage->predicate) {
    hy_text_printf(e->out, "    %s.where(", hy_text_string(&name));
    hy_export_expr(e, stage->predicate, HY_WHOLE, e->out);
    hy_text_add(e->out, ")");
    end_statement(e, NULL);
  }
  hy_text_free(&name);
}

static bool mentions_domain(const hy_stage *stage, int rank) {
  for (int i = 0; i < stage->rdom_count; i++) {
    if (hy_expr_mentions(stage->rhs, stage->rdoms[i].var)) return true;
    for (int d = 0; d < rank; d++)
      if (hy_expr_mentions(stage->lhs[d], stage->rdoms[i].var)) return true;
  }
  return false;
}

/* Tuples. All values of an instance are computed before any is stored (TGT.Assign-Parts). Halide does that for values
 * of which one reads what another stores; but up to version 21 it sees no read below a call, and stores one value
 * before it computes the next (docs/halide_found.md). Calls are abs, shifts, operators bit by bit, indices of other
 * funcs and, with strict_float, all floats. The coordinates of an update it computes anew for each value. Both are
 * refused.
 */

static bool is_call(const hy_expr *expr) {
  if (hy_type_class_of(expr->type) == HY_CLASS_FLOAT || expr->kind == HY_EXPR_ACCESS) return true;
  if (expr->kind != HY_EXPR_OP) return false;
  switch ((int)expr->op) {
  case HY_OP_ADD:
  case HY_OP_SUB:
  case HY_OP_MUL:
  case HY_OP_NEG:
  case HY_OP_DIV:
  case HY_OP_MOD:
  case HY_OP_EQ:
  case HY_OP_NE:
  case HY_OP_LT:
  case HY_OP_LE:
  case HY_OP_GT:
  case HY_OP_GE:
  case HY_OP_NOT:
  case HY_OP_SELECT:
  case HY_OP_MIN:
  case HY_OP_MAX:
  case HY_OP_CAST: return false;
  default: return true;
  }
}

// Is another value of the func than "part" read below a call, the access itself aside?
static bool reads_hidden(const hy_expr *expr, const hy_func *func, int part, bool hidden) {
  if (!expr->has_access) return false;
  bool is_float = hy_type_class_of(expr->type) == HY_CLASS_FLOAT;
  if (expr->kind == HY_EXPR_ACCESS && expr->func == func && expr->part != part && (hidden || is_float)) return true;
  for (int i = 0; i < expr->count; i++)
    if (reads_hidden(expr->args[i], func, part, hidden || is_call(expr))) return true;
  return false;
}

static void refuse_order(hy_export_writer *e, const hy_func *func, const hy_stage *stage) {
  static const char why[] = "up to version 21 Halide may store one value before it computes the next: write a func for "
                            "each, or a predicate, \"if ..\"";
  if (e->refused) return; // what was written is no larger than a program may be
  for (int i = 0; i <= func->more; i++)
    if (reads_hidden(stage->rhs->args[i], func, i, false))
      hy_export_refuse(e, "a tuple of which one value is computed from another by way of a call", why);
  for (int d = 0; d < func->rank; d++)
    if (reads_hidden(stage->lhs[d], func, -1, true))
      hy_export_refuse(e, "a tuple whose values say where it is stored", why);
}

// "hl.Tuple([a, b])"
static void print_parts(hy_export_writer *e, const hy_func *func, const hy_stage *stage, const char *first) {
  hy_text_printf(e->out, "%sTuple%s%s", e->dialect->scope, e->dialect->tuple_open, first);
  for (int i = 1; i <= func->more; i++) {
    hy_text_add(e->out, ", ");
    hy_export_expr(e, stage->rhs->args[i], HY_WHOLE, e->out);
  }
  hy_text_add(e->out, e->dialect->tuple_close);
  refuse_order(e, func, stage);
}

// Halide runs over a domain only where the update mentions it; of a tuple one value is enough.
static void print_value(hy_export_writer *e, const hy_func *func, int number, const hy_stage *stage) {
  bool silent = (stage->rdom_count || stage->predicate) && !mentions_domain(stage, func->rank);
  bool is_tuple = stage->rhs->kind == HY_EXPR_TUPLE;
  hy_text value = {0}, first = {0}, domain = {0};
  hy_export_domain(func, number, &domain);
  hy_export_expr(e, is_tuple ? stage->rhs->args[0] : stage->rhs, HY_WHOLE, &value);
  if (silent)
    hy_text_printf(&first, "%sselect(%s.x == %s.x, %s, %s)", e->dialect->scope, hy_text_string(&domain),
                   hy_text_string(&domain), hy_text_string(&value), hy_text_string(&value));
  else
    hy_text_add(&first, hy_text_string(&value));
  if (is_tuple)
    print_parts(e, func, stage, hy_text_string(&first));
  else
    hy_text_add(e->out, hy_text_string(&first));
  end_statement(e, silent ? "so that it runs over its domain" : NULL);
  hy_text_free(&value);
  hy_text_free(&first);
  hy_text_free(&domain);
}

static void print_definition(hy_export_writer *e, const hy_definition *d) {
  e->loc = d->func->loc;
  declare(e, "Func", d->func->name);
  hy_text_printf(e->out, "(\"%s\")", d->func->name);
  end_statement(e, NULL);
  for (int k = 0; k < d->stage_count && !e->refused; k++) {
    const hy_stage *stage = &d->stages[k];
    e->loc = stage->loc;
    print_domain(e, d->func, k, stage);
    print_target(e, d->func, stage);
    print_value(e, d->func, k, stage);
  }
}

/* -- the module -- */

static void print_number(const hy_export_writer *e, hy_type type, hy_value v) {
  if (hy_type_class_of(type) == HY_CLASS_FLOAT)
    e->dialect->floating(type, hy_value_to_double(v), e->out);
  else
    e->dialect->whole(type, v, e->out);
}

// Halide's pipelines refuse what lies outside, too. Of an int that leaves 32 bits Halide has no word.
static void print_range(hy_export_writer *e, int param) {
  const hy_var *p = e->alg->params[param];
  hy_param_about about = hy_alg_about(e->alg, param);
  hy_type type = p->type == HY_INT ? HY_I32 : p->type;
  if (!about.has_range) return;
  if (p->type == HY_INT && (about.least.i < INT32_MIN || about.greatest.i > INT32_MAX)) return;
  hy_text_add(e->out, "    ");
  hy_export_name(e, p->name, e->out);
  hy_text_add(e->out, ".set_range(");
  print_number(e, type, about.least);
  hy_text_add(e->out, ", ");
  print_number(e, type, about.greatest);
  hy_text_add(e->out, ")");
  end_statement(e, NULL);
}

// Halide asks for nothing of the kind: who calls it has to.
static void print_requirements(hy_export_writer *e) {
  for (int i = 0; i < e->alg->requirement_count; i++) {
    hy_text_printf(e->out, "  %srequired of the input: ", e->dialect->remark);
    hy_expr_print(e->alg->requirements[i].condition, e->out);
    hy_text_add(e->out, "\n");
  }
}

static void print_inputs(hy_export_writer *e) {
  for (int i = 0; i < e->alg->param_count; i++) {
    const hy_var *p = e->alg->params[i];
    hy_export_refuse_storage(e, p->type);
    declare(e, e->dialect->param, p->name);
    hy_text_add(e->out, "(");
    hy_export_type(e, p->type == HY_INT ? HY_I32 : p->type, e->out);
    hy_text_printf(e->out, ", \"%s\")", p->name);
    end_statement(e, NULL);
    print_range(e, i);
  }
  for (int i = 0; i < e->alg->image_count; i++) {
    const hy_func *image = e->alg->images[i];
    hy_export_refuse_storage(e, image->type);
    declare(e, "ImageParam", image->name);
    hy_text_add(e->out, "(");
    hy_export_type(e, image->type, e->out);
    hy_text_printf(e->out, ", %d, \"%s\")", image->rank, image->name);
    end_statement(e, NULL);
  }
}

static bool makes(const hy_directive *d, const hy_var *loop, int which) {
  return d->loop && d->loop->func == loop->func && d->loop->spec == loop->spec && d->loop->stage == loop->stage &&
         d->names[which] && strcmp(d->names[which], loop->name) == 0;
}

static int64_t factor_of(const hy_directive *split) {
  return split->args[0]->kind == HY_EXPR_CONST ? split->args[0]->value.i : -1;
}

// How often a loop runs, of which "at" is the next directive: 0: as the window says; -1: not known.
static int64_t extent_of(const hy_directive *core, int at, const hy_var *loop) {
  for (int i = at; i-- > 0;) {
    bool splits = strcmp(core[i].type->name, "split") == 0, fuses = strcmp(core[i].type->name, "fuse") == 0;
    if (fuses && makes(&core[i], loop, 1)) return -1;
    if (splits && makes(&core[i], loop, 1)) return factor_of(&core[i]);
    if (!splits || !makes(&core[i], loop, 0)) continue;
    int64_t all = extent_of(core, i, core[i].loop), factor = factor_of(&core[i]);
    return all <= 0 ? all : factor < 1 ? -1 : (all + factor - 1) / factor;
  }
  return 0;
}

// Does it compute points of the output outside of every window? Halide allows one rounded up only as far as the window
// goes.
static bool exceeds(const hy_func *output, const hy_directive *core, int at) {
  const hy_directive *d = &core[at];
  if (strcmp(d->type->name, "align_bounds") == 0) return d->func == output;
  if (strcmp(d->type->name, "split") != 0 || d->tail != HY_TAIL_ROUND || d->loop->func != output) return false;
  int64_t extent = extent_of(core, at, d->loop), factor = factor_of(d);
  return factor < 1 || extent < 0 || extent % factor != 0;
}

// Decision D81: what another func reads of an output need not lie in its window.
static bool is_read(const hy_alg *alg, const hy_func *output) {
  for (int i = 0; i < alg->definition_count; i++) {
    const hy_definition *d = &alg->definitions[i];
    if (d->func == output || !hy_alg_reaches(alg, d->func)) continue;
    for (int k = 0; k < d->stage_count; k++)
      for (int n = 0; n < d->stages[k].access_count; n++)
        if (d->stages[k].accesses[n].access->func == output) return true;
  }
  return false;
}

bool hy_export_copies(const hy_alg *alg, const hy_func *output, const hy_directive *core, int core_count) {
  const hy_definition *d = hy_alg_definition(alg, output);
  bool copies = false;
  for (int k = 1; k < d->stage_count; k++) copies = copies || d->stages[k].pure != d->stages[0].pure;
  for (int i = 0; i < core_count; i++) copies = copies || exceeds(output, core, i);
  return copies || is_read(alg, output);
}

// "f[x]", or of several values "hl.Tuple([hl.Expr(f[x][0]), hl.Expr(f[x][1])])"
static void print_whole(hy_export_writer *e, const hy_func *func, const char *at) {
  if (func->more) hy_text_printf(e->out, "%sTuple%s", e->dialect->scope, e->dialect->tuple_open);
  for (int part = 0; part < hy_func_parts(func); part++) {
    if (func->more) hy_text_printf(e->out, "%s%sExpr(", part ? ", " : "", e->dialect->scope);
    hy_export_name(e, func->name, e->out);
    hy_text_add(e->out, at);
    if (func->more) hy_text_printf(e->out, "[%d])", part);
  }
  if (func->more) hy_text_add(e->out, e->dialect->tuple_close);
}

static void print_copy(hy_export_writer *e, const hy_func *output) {
  hy_text at = {0};
  hy_text_add(&at, output->rank ? e->dialect->open : e->dialect->single);
  for (int d = 0; d < output->rank; d++) {
    if (d) hy_text_add(&at, ", ");
    hy_export_var(e, "Var", output->dims[d], &at);
  }
  if (output->rank) hy_text_add(&at, e->dialect->close);
  hy_text_printf(e->out, "    ");
  hy_text name = {0};
  hy_text_printf(&name, "%s_window_", output->name);
  e->dialect->declare("Func", hy_text_string(&name), e->out);
  hy_text_printf(e->out, "(\"%s_window\")", output->name);
  end_statement(e, NULL);
  hy_text_printf(e->out, "    %s%s = ", hy_text_string(&name), hy_text_string(&at));
  print_whole(e, output, hy_text_string(&at));
  end_statement(e, "what is computed may lie outside of the window");
  hy_text_free(&name);
  hy_text_free(&at);
}

static void print_output(hy_export_writer *e, const hy_func *output, bool copies) {
  if (copies)
    hy_text_printf(e->out, "%s_window_", output->name);
  else
    hy_export_name(e, output->name, e->out);
}

// Outputs that are computed apart get a func of their own, which has their window alone.
static void print_copies(hy_export_writer *e, const hy_directive *core, int count, bool copies[HY_MAX_OUTPUTS]) {
  for (int k = 0; k < e->alg->output_count; k++) {
    copies[k] = hy_export_copies(e->alg, e->alg->outputs[k].func, core, count);
    if (copies[k]) print_copy(e, e->alg->outputs[k].func);
  }
}

// What build() returns: the output, or a pipeline of all of them.
static void print_result(hy_export_writer *e, const bool copies[HY_MAX_OUTPUTS]) {
  bool several = e->alg->output_count > 1;
  hy_text_printf(e->out, "%s%s", e->dialect->result, several ? e->dialect->several_open : "");
  for (int k = 0; k < e->alg->output_count; k++) {
    if (k) hy_text_add(e->out, ", ");
    print_output(e, e->alg->outputs[k].func, copies[k]);
  }
  if (several) hy_text_add(e->out, e->dialect->several_end);
  hy_text_add(e->out, e->dialect->parameters);
  for (int i = 0; i < e->alg->param_count; i++) {
    if (i) hy_text_add(e->out, ", ");
    hy_export_name(e, e->alg->params[i]->name, e->out);
  }
  hy_text_add(e->out, e->dialect->images);
  for (int i = 0; i < e->alg->image_count; i++) {
    if (i) hy_text_add(e->out, ", ");
    hy_export_name(e, e->alg->images[i]->name, e->out);
  }
  hy_text_add(e->out, e->dialect->finish);
}

static void print_definitions(hy_export_writer *e) {
  e->dialect->begin(e->alg->name, e->is_idiomatic, e->out);
  print_requirements(e);
  print_inputs(e);
  for (int i = 0; i < e->alg->definition_count && !e->refused; i++) print_definition(e, &e->alg->definitions[i]);
}

static hy_export_writer writer_of(const hy_export_dialect *dialect, hy_export_style style, const hy_alg *alg,
                                  hy_text *out, hy_diagnostics *diagnostics) {
  return (hy_export_writer){.alg = alg,
                            .dialect = dialect,
                            .is_idiomatic = style == HY_EXPORT_IDIOMATIC,
                            .out = out,
                            .diagnostics = diagnostics,
                            .loc = alg->loc};
}

bool hy_export(const hy_export_dialect *dialect, hy_export_style style, const hy_alg *alg, const hy_directive *core,
               int core_count, hy_text *out, hy_diagnostics *diagnostics) {
  hy_export_writer e = writer_of(dialect, style, alg, out, diagnostics);
  bool copies[HY_MAX_OUTPUTS];
  print_definitions(&e);
  if (!e.refused) hy_export_schedule(&e, core, core_count);
  print_copies(&e, core, core_count, copies);
  print_result(&e, copies);
  for (size_t i = 0; i < e.nests.count; i++) hy_vec_free(&e.nests.data[i].loops);
  hy_vec_free(&e.nests);
  return !e.refused;
}

/* -- the algorithm alone -- */

// "in.set_estimates([(0, 640), (0, 480)])", or in C++ with braces. Halide wants all sides, or none.
static void print_box(hy_export_writer *e, const hy_func *func, bool is_copy, const hy_export_estimates *known) {
  hy_text sides = {0};
  bool all = func->rank > 0;
  for (int d = 0; d < func->rank && all; d++) {
    int64_t min, len;
    all = known->side(known->self, func, d, &min, &len);
    if (!all) break;
    hy_text_printf(&sides, "%s%s%" PRId64 ", %" PRId64 "%s", d ? ", " : "", e->dialect->side_open, min, len,
                   e->dialect->side_close);
  }
  if (all) {
    hy_text_add(e->out, "    ");
    print_output(e, func, is_copy);
    hy_text_printf(e->out, ".set_estimates(%s%s%s)", e->dialect->sides_open, hy_text_string(&sides),
                   e->dialect->sides_close);
    end_statement(e, NULL);
  }
  hy_text_free(&sides);
}

// A number of Python's, which Halide converts.
static void print_plain(hy_type type, hy_value value, hy_text *out) {
  hy_type_class class = hy_type_class_of(type);
  if (class == HY_CLASS_FLOAT)
    hy_text_printf(out, "%.17g", hy_value_to_double(value));
  else if (class == HY_CLASS_UNSIGNED || class == HY_CLASS_BOOL)
    hy_text_printf(out, "%" PRIu64, value.u);
  else
    hy_text_printf(out, "%" PRId64, value.i);
}

// "alpha.set_estimate(0.5)". In C++ the parameter itself is asked: Halide 14's Param<> takes no number whatever its type.
static void print_estimate(hy_export_writer *e, const hy_var *param, hy_value value) {
  hy_type type = param->type == HY_INT ? HY_I32 : param->type;
  if (hy_type_class_of(type) == HY_CLASS_FLOAT && !isfinite(hy_value_to_double(value))) return;
  hy_text_add(e->out, "    ");
  hy_export_name(e, param->name, e->out);
  hy_text_printf(e->out, "%s.set_estimate(", e->dialect->parameter);
  if (*e->dialect->parameter)
    print_number(e, type, value);
  else
    print_plain(type, value, e->out);
  hy_text_add(e->out, ")");
  end_statement(e, NULL);
}

static void print_estimates(hy_export_writer *e, const bool copies[HY_MAX_OUTPUTS], const hy_export_estimates *known) {
  for (int i = 0; i < e->alg->param_count; i++) {
    hy_value value;
    if (known->param(known->self, i, &value)) print_estimate(e, e->alg->params[i], value);
  }
  for (int i = 0; i < e->alg->image_count; i++) print_box(e, e->alg->images[i], false, known);
  for (int k = 0; k < e->alg->output_count; k++) print_box(e, e->alg->outputs[k].func, copies[k], known);
}

bool hy_export_algorithm(const hy_export_dialect *dialect, hy_export_style style, const hy_alg *alg,
                         const hy_export_estimates *estimates, hy_text *out, hy_diagnostics *diagnostics) {
  hy_export_writer e = writer_of(dialect, style, alg, out, diagnostics);
  bool copies[HY_MAX_OUTPUTS];
  print_definitions(&e);
  print_copies(&e, NULL, 0, copies);
  print_estimates(&e, copies, estimates);
  print_result(&e, copies);
  return !e.refused;
}
