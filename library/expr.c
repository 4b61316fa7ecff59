// Expressions, built from C.

#include "library/build.h"

#include "semantics/alg/expand/expand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The operator of that spelling between two operands.
bool hy_built_operator(const char *text, hy_op *op) {
  for (int i = 0; i < HY_OP_COUNT; i++) {
    *op = (hy_op)i;
    if (hy_op_arity(*op) == 2 && hy_op_precedence(*op) > 0 && strcmp(hy_op_spelling(*op), text) == 0) return true;
  }
  return false;
}

bool hy_built_operator_chains(hy_op op) { return hy_op_kind_of(op) != HY_KIND_COMPARISON; }

bool hy_library_print_number(const halyard_operand *number, hy_text *out) {
  switch (number->kind) {
  case HALYARD_OPERAND_SIGNED: hy_text_printf(out, "%lld", (long long)number->is.i); return true;
  case HALYARD_OPERAND_UNSIGNED: hy_text_printf(out, "%llu", (unsigned long long)number->is.u); return true;
  case HALYARD_OPERAND_REAL:
    if (!isfinite(number->is.d)) return false;
    hy_value_print(hy_value_from_double(HY_F64, number->is.d), out);
    return true;
  case HALYARD_OPERAND_NONE:
  case HALYARD_OPERAND_EXPR:
  case HALYARD_OPERAND_FUNC:
  case HALYARD_OPERAND_NAME:
  case HALYARD_OPERAND_BUFFER: return false;
  }
  return false;
}

/* -- what may be an operand -- */

bool hy_built_enter(halyard_pipeline *pipeline, const char *call) {
  if (!pipeline) return hy_library_missing(NULL, call, "the pipeline");
  if (!hy_library_enter(pipeline->head.context, call)) return false;
  if (!pipeline->text) return true;
  hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call, "the pipeline was parsed: nothing is built in it");
  hy_library_leave(pipeline->head.context);
  return false;
}

halyard_pipeline *hy_built_pipeline(const halyard_operand *operands, size_t count) {
  for (size_t i = 0; operands && i < count; i++)
    if (operands[i].kind == HALYARD_OPERAND_EXPR && operands[i].is.expr) return operands[i].is.expr->pipeline;
  return NULL;
}

static bool has_one_value(const halyard_expr *expr, const char *call) {
  return expr->values == 1 ||
         hy_library_fail(expr->pipeline->head.context, HALYARD_MISUSE, call,
                         "%s '%.100s' has %d values, and one is wanted: halyard_part takes it",
                         expr->form == FORM_REDUCTION ? "an" : "a call of", expr->text, expr->values);
}

bool hy_built_values_are_fine(const halyard_pipeline *pipeline, const halyard_operand *o, const char *call) {
  halyard_context *context = pipeline->head.context;
  switch (o->kind) {
  case HALYARD_OPERAND_SIGNED:
  case HALYARD_OPERAND_UNSIGNED: return true;
  case HALYARD_OPERAND_REAL:
    if (isfinite(o->is.d)) return true;
    return hy_library_fail(context, HALYARD_MISUSE, call, "infinities and NaN cannot be written in the language");
  case HALYARD_OPERAND_EXPR:
    if (!o->is.expr) return hy_library_missing(context, call, "an expression");
    if (o->is.expr->pipeline == pipeline) return true;
    return hy_library_fail(context, HALYARD_MISUSE, call, "an expression of another pipeline%s",
                           o->is.expr->pipeline->head.context == context ? "" : ", and of another context");
  case HALYARD_OPERAND_NONE:
  case HALYARD_OPERAND_FUNC:
  case HALYARD_OPERAND_NAME:
  case HALYARD_OPERAND_BUFFER: break;
  }
  return hy_library_fail(context, HALYARD_MISUSE, call, "an operand is neither a number nor an expression");
}

bool hy_built_operand_is_fine(const halyard_pipeline *pipeline, const halyard_operand *o, const char *call) {
  return hy_built_values_are_fine(pipeline, o, call) &&
         (o->kind != HALYARD_OPERAND_EXPR || has_one_value(o->is.expr, call));
}

/* -- making -- */

static halyard_expr *new_expr(halyard_pipeline *pipeline, form form, const char *text, int precedence, size_t count) {
  halyard_expr *e = hy_arena_allocate(pipeline->arena, sizeof *e + count * sizeof *e->args);
  *e = (halyard_expr){
      .pipeline = pipeline, .form = form, .precedence = precedence, .values = 1, .nodes = 1, .count = count};
  e->text = hy_arena_copy(pipeline->arena, text, strlen(text));
  return e;
}

static void count_inside(halyard_expr *e, uint32_t nodes, uint32_t depth) {
  e->nodes = e->nodes + nodes > MOST_NODES ? MOST_NODES + 1 : e->nodes + nodes;
  if (depth + 1 > e->depth) e->depth = depth + 1;
}

static void set_arg(halyard_expr *e, size_t i, const halyard_expr *arg) {
  e->args[i] = arg;
  count_inside(e, arg->nodes, arg->depth);
}

// A number of its own, whatever stands before it: in parentheses where it is negative.
static halyard_expr *make_number(halyard_pipeline *pipeline, const halyard_operand *number) {
  hy_text text = {0};
  HY_ASSERT(hy_library_print_number(number, &text));
  const char *written = hy_arena_printf(pipeline->arena, text.data[0] == '-' ? "(%s)" : "%s", text.data);
  hy_text_free(&text);
  return new_expr(pipeline, FORM_ATOM, written, TIGHTEST, 0);
}

const halyard_expr *hy_built_operand(halyard_pipeline *pipeline, const halyard_operand *o) {
  return o->kind == HALYARD_OPERAND_EXPR ? o->is.expr : make_number(pipeline, o);
}

typedef struct {
  halyard_pipeline *pipeline;
  form form;
  const char *text, *suffix; // suffix: NULL = ""
  int precedence;
  const halyard_operand *operands;
  size_t count;
  const halyard_rdom *rdom;
  const char *name; // of a reduction; NULL: none
  bool is_var;
  int values; // 0: one
  halyard_expr *made;
} making;

static void make(void *self) {
  making *m = self;
  halyard_expr *e = NULL;
  if (m->form == FORM_ATOM && m->count) {
    m->made = make_number(m->pipeline, m->operands);
    return;
  }
  if (m->form != FORM_BINARY) {
    const char *text = m->suffix ? hy_arena_printf(m->pipeline->arena, "%s%s", m->text, m->suffix) : m->text;
    e = new_expr(m->pipeline, m->form, text, m->precedence, m->count);
    for (size_t i = 0; i < m->count; i++) set_arg(e, i, hy_built_operand(m->pipeline, &m->operands[i]));
    if (m->rdom) {
      e->rdom = hy_built_copy(m->rdom);
      count_inside(e, m->rdom->nodes, m->rdom->depth);
    }
    e->is_var = m->is_var;
    if (m->values) e->values = m->values;
    if (m->name)
      e->own = hy_built_func(m->pipeline, m->name, (declared){.kind = DECLARED_REDUCTION, .takes = -1, .values = 1});
    if (m->name) e->own->update_count = 1;
    m->made = e;
    return;
  }
  const halyard_expr *left = hy_built_operand(m->pipeline, &m->operands[0]);
  for (size_t i = 1; i < m->count; i++, left = e) { // a op b op c
    e = new_expr(m->pipeline, FORM_BINARY, m->text, m->precedence, 2);
    set_arg(e, 0, left);
    set_arg(e, 1, hy_built_operand(m->pipeline, &m->operands[i]));
  }
  m->made = e;
}

// requires: entered. Says why not, and leaves.
static halyard_expr *finish(making *m, const char *call) {
  halyard_context *context = m->pipeline->head.context;
  bool fine = true;
  for (size_t i = 0; i < m->count && fine; i++) {
    const halyard_operand *o = &m->operands[i];
    fine = (m->form == FORM_PART ? hy_built_values_are_fine : hy_built_operand_is_fine)(m->pipeline, o, call);
  }
  fine = fine && hy_library_run(&m->pipeline->head, call, make, m);
  if (fine && (m->made->nodes > MOST_NODES || m->made->depth > MOST_DEPTH))
    fine = hy_library_fail(context, HALYARD_MISUSE, call,
                           "the expression has more than %d operations, or nests more than %d deep: define a func of a "
                           "part of it",
                           MOST_NODES, MOST_DEPTH);
  hy_library_leave(context);
  return fine ? m->made : NULL;
}

static halyard_expr *no_pipeline(const char *call, const halyard_operand *operands, size_t count) {
  for (size_t i = 0; operands && i < count; i++)
    if (operands[i].kind == HALYARD_OPERAND_EXPR) {
      hy_library_missing(NULL, call, "an expression");
      return NULL;
    }
  hy_library_fail(NULL, HALYARD_MISUSE, call, "no operand is an expression: halyard_number makes one of a number");
  return NULL;
}

static bool is_unary(const char *name) { return *name && strchr("-!~", *name) && !name[1]; }

halyard_expr *halyard_operation(const char *name, size_t count, const halyard_operand *operands) {
  static const char call[] = "halyard_operation";
  halyard_pipeline *pipeline = hy_built_pipeline(operands, count);
  if (!pipeline) return no_pipeline(call, operands, count);
  if (!hy_built_enter(pipeline, call)) return NULL;
  making m = {.pipeline = pipeline,
              .form = FORM_CALL,
              .text = name,
              .precedence = TIGHTEST,
              .operands = operands,
              .count = count};
  hy_op op;
  bool unary = name && count == 1 && is_unary(name);
  bool fine = name || hy_library_missing(pipeline->head.context, call, "the operator");
  if (unary) {
    m.form = FORM_UNARY;
  } else if (name && hy_built_operator(name, &op)) {
    m.form = FORM_BINARY;
    m.precedence = hy_op_precedence(op);
    if (count < 2 || (count > 2 && !hy_built_operator_chains(op)))
      fine =
          hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call, "'%s' does not take %zu operands", name, count);
  } else if (name && is_unary(name)) {
    fine =
        hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call, "'%s' does not take %zu operands", name, count);
  } else if (fine) {
    fine = hy_built_call_is_fine(pipeline, name, count, call);
  }
  if (fine) return finish(&m, call);
  hy_library_leave(pipeline->head.context);
  return NULL;
}

halyard_expr *halyard_convert(halyard_type type, halyard_operand operand) {
  static const char call[] = "halyard_convert";
  halyard_pipeline *pipeline = hy_built_pipeline(&operand, 1);
  if (!pipeline) return no_pipeline(call, &operand, 1);
  if ((int)type < HALYARD_INT || type > HALYARD_BF16) {
    hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call, "there is no type %d", (int)type);
    return NULL;
  }
  return halyard_operation(hy_type_name(hy_type_of_halyard(type)), 1, &operand);
}

static halyard_expr *make_atom(halyard_pipeline *pipeline, const char *text, bool is_var, const char *call) {
  making m = {.pipeline = pipeline, .form = FORM_ATOM, .text = text, .precedence = TIGHTEST, .is_var = is_var};
  return finish(&m, call);
}

halyard_expr *halyard_var(halyard_pipeline *pipeline, const char *name) {
  static const char call[] = "halyard_var";
  if (!hy_built_enter(pipeline, call)) return NULL;
  if (hy_built_name_is_fine(pipeline, name, call)) return make_atom(pipeline, name, true, call);
  hy_library_leave(pipeline->head.context);
  return NULL;
}

halyard_expr *halyard_number(halyard_pipeline *pipeline, halyard_operand number) {
  static const char call[] = "halyard_number";
  if (!hy_built_enter(pipeline, call)) return NULL;
  bool is_number = number.kind == HALYARD_OPERAND_SIGNED || number.kind == HALYARD_OPERAND_UNSIGNED ||
                   number.kind == HALYARD_OPERAND_REAL;
  if (!is_number) hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call, "it is no number");
  making m = {.pipeline = pipeline, .form = FORM_ATOM, .operands = &number, .count = 1};
  if (is_number) return finish(&m, call);
  hy_library_leave(pipeline->head.context);
  return NULL;
}

static bool can_be_called(const halyard_func *func, size_t count, const char *call) {
  halyard_context *context = func->pipeline->head.context;
  const declared *about = &func->about;
  if (about->kind == DECLARED_REDUCTION)
    return hy_library_fail(context, HALYARD_MISUSE, call,
                           "'%.100s' is an inline reduction, and is read where it stands", func->name);
  if (about->kind == DECLARED_CONSTANT || about->kind == DECLARED_FAMILY)
    return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' is %s: %s", func->name, hy_declared_is(about->kind),
                           about->kind == DECLARED_CONSTANT ? "halyard_var stands for it"
                                                            : "give halyard_func_text the name of a member, NAME_0");
  if (about->takes < 0 || count == (size_t)about->takes) return true;
  bool helps = about->kind == DECLARED_HELPER;
  return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' %s %d %s%s, and %zu %s given", func->name,
                         helps ? "takes" : "has", about->takes, helps ? "argument" : "dimension",
                         about->takes == 1 ? "" : "s", count,
                         helps        ? count == 1 ? "is" : "are"
                         : count == 1 ? "coordinate is"
                                      : "coordinates are");
}

halyard_expr *halyard_call(const halyard_func *func, size_t count, const halyard_operand *coordinates) {
  static const char call[] = "halyard_call";
  if (!func || (count && !coordinates)) {
    if (func)
      hy_library_missing_list(func->pipeline->head.context, call, "the coordinates");
    else
      hy_library_missing(NULL, call, "the func");
    return NULL;
  }
  if (!hy_built_enter(func->pipeline, call)) return NULL;
  making m = {.pipeline = func->pipeline,
              .form = FORM_CALL,
              .text = func->name,
              .precedence = TIGHTEST,
              .operands = coordinates,
              .count = count,
              .values = func->about.values};
  if (can_be_called(func, count, call)) return finish(&m, call);
  hy_library_leave(func->pipeline->head.context);
  return NULL;
}

halyard_expr *hy_built_box(const halyard_func *image, int dimension, const char *what, const char *call) {
  if (!image) {
    hy_library_missing(NULL, call, "the image");
    return NULL;
  }
  halyard_operand number = {HALYARD_OPERAND_SIGNED, {.i = dimension}};
  making m = {.pipeline = image->pipeline,
              .form = FORM_CALL,
              .text = image->name,
              .suffix = what,
              .precedence = TIGHTEST,
              .operands = &number,
              .count = 1};
  if (!hy_built_enter(image->pipeline, call)) return NULL;
  if (image->is_image && dimension >= 0 && dimension < image->about.takes) return finish(&m, call);
  hy_library_fail(image->pipeline->head.context, HALYARD_MISUSE, call,
                  image->is_image ? "the image has no dimension %d" : "a func has no box of its own (dimension %d)",
                  dimension);
  hy_library_leave(image->pipeline->head.context);
  return NULL;
}

halyard_expr *halyard_part(const halyard_expr *tuple, int part) {
  static const char call[] = "halyard_part";
  char number[16];
  halyard_operand operand = {HALYARD_OPERAND_EXPR, {.expr = tuple}};
  if (!tuple) return no_pipeline(call, &operand, 1);
  if (!hy_built_enter(tuple->pipeline, call)) return NULL;
  snprintf(number, sizeof number, "%d", part);
  making m = {.pipeline = tuple->pipeline,
              .form = FORM_PART,
              .text = number,
              .precedence = TIGHTEST,
              .operands = &operand,
              .count = 1};
  if (tuple->values > 1 && part >= 0 && part < tuple->values) return finish(&m, call);
  if (tuple->values > 1)
    hy_library_fail(tuple->pipeline->head.context, HALYARD_MISUSE, call, "there is no part %d: '%.100s' has %d values",
                    part, tuple->text, tuple->values);
  else
    hy_library_fail(tuple->pipeline->head.context, HALYARD_MISUSE, call,
                    "only a call of a func of several values has parts, and an argmin or argmax");
  hy_library_leave(tuple->pipeline->head.context);
  return NULL;
}

// requires: entered
static bool can_reduce(const char *reduction, const halyard_rdom *rdom, const char *call) {
  halyard_context *context = rdom->pipeline->head.context;
  hy_reduction known;
  if (!reduction) return hy_library_missing(context, call, "the reduction");
  if (!hy_reduction_find(reduction, &known))
    return hy_library_fail(context, HALYARD_MISUSE, call, "there is no reduction '%.40s'", reduction);
  if (rdom->is_spoilt) return hy_library_missing(context, call, "a variable of the rdom");
  return rdom->ranges.count || hy_library_fail(context, HALYARD_MISUSE, call, "the rdom has no variable");
}

static halyard_expr *reduce(const char *reduction, const char *name, const halyard_rdom *rdom, const halyard_expr *expr,
                            halyard_operand predicate, const char *call) {
  if (!rdom || !expr) {
    hy_library_missing(rdom ? rdom->pipeline->head.context : NULL, call, rdom ? "the expression" : "the rdom");
    return NULL;
  }
  halyard_operand operands[] = {{HALYARD_OPERAND_EXPR, {.expr = expr}}, predicate};
  if (!hy_built_enter(rdom->pipeline, call)) return NULL;
  making m = {.pipeline = rdom->pipeline,
              .form = FORM_REDUCTION,
              .text = reduction,
              .name = name,
              .precedence = TIGHTEST,
              .operands = operands,
              .count = predicate.kind == HALYARD_OPERAND_NONE ? 1 : 2,
              .rdom = rdom};
  hy_reduction known;
  bool fine = can_reduce(reduction, rdom, call) && (!name || hy_built_name_is_free(rdom->pipeline, name, call));
  if (fine && hy_reduction_find(reduction, &known) && hy_reduction_keeps_where(known))
    m.values = (int)rdom->ranges.count + 1;
  if (fine) return finish(&m, call);
  hy_library_leave(rdom->pipeline->head.context);
  return NULL;
}

halyard_expr *halyard_reduction(const char *name, const halyard_rdom *rdom, const halyard_expr *expr) {
  return reduce(name, NULL, rdom, expr, (halyard_operand){.kind = HALYARD_OPERAND_NONE}, "halyard_reduction");
}

halyard_expr *halyard_reduction_as(const char *reduction, const char *name, const halyard_rdom *rdom,
                                   const halyard_expr *expr, halyard_operand predicate) {
  return reduce(reduction, name, rdom, expr, predicate, "halyard_reduction_as");
}

halyard_func *halyard_reduction_func(const halyard_expr *reduction) {
  static const char call[] = "halyard_reduction_func";
  if (!reduction) {
    hy_library_missing(NULL, call, "the reduction");
    return NULL;
  }
  if (!hy_built_enter(reduction->pipeline, call)) return NULL;
  if (!reduction->own)
    hy_library_fail(reduction->pipeline->head.context, HALYARD_MISUSE, call,
                    reduction->form == FORM_REDUCTION ? "the reduction has no name: halyard_reduction_as gives it one"
                                                      : "the expression is no reduction");
  hy_library_leave(reduction->pipeline->head.context);
  return reduction->own;
}
