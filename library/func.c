// Pipelines, funcs and reduction domains, built from C, and the text that they are.

#include "library/build.h"
#include "library/judge.h"

#include "sched/chain.h"

#include <stdio.h>
#include <string.h>

/* -- pipelines and parameters -- */

typedef struct {
  halyard_pipeline *pipeline;
  const char *name, *text;
  halyard_type type;
  int rank;
  const halyard_operand *vars, *values;
  size_t var_count, value_count;
  judged judged;
  halyard_func *func;
} defining;

static void begin(void *self) {
  defining *d = self;
  d->pipeline->name = hy_copy_string(d->name);
  d->pipeline->arena = hy_arena_new();
  hy_names_begin(d->pipeline);
}

halyard_pipeline *halyard_pipeline_new(halyard_context *context, const char *name) {
  static const char call[] = "halyard_pipeline_new";
  if (!hy_library_enter(context, call)) return NULL;
  halyard_pipeline *made = NULL;
  if (!name)
    hy_library_missing(context, call, "the name");
  else if (!hy_library_is_name(name))
    hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' is no name of the language", name);
  else
    made = (halyard_pipeline *)hy_object_new(context, call, OBJECT_PIPELINE, sizeof *made);
  defining d = {.pipeline = made, .name = name};
  if (made && !hy_library_run(&made->head, call, begin, &d)) {
    hy_object_free(&made->head);
    made = NULL;
  }
  hy_library_leave(context);
  return made;
}

halyard_func *hy_built_func(halyard_pipeline *pipeline, const char *name, declared about) {
  halyard_func *f = HY_NEW(pipeline->arena, halyard_func);
  f->pipeline = pipeline;
  f->name = hy_arena_copy(pipeline->arena, name, strlen(name));
  f->about = about;
  f->about.name = f->name;
  hy_declare(pipeline, f->about);
  return f;
}

static halyard_func *new_func(defining *d, declared about) {
  return d->func = hy_built_func(d->pipeline, d->name, about);
}

static void add_parameter(void *self) {
  defining *d = self;
  hy_text *out = &d->pipeline->parameters;
  hy_text_printf(out, "%s%s: %s", out->length ? ", " : "", d->name, hy_type_name(hy_type_of_halyard(d->type)));
  if (d->rank < 0) {
    if (d->text && *d->text) hy_text_printf(out, " %s", d->text);
    hy_declare(d->pipeline, (declared){d->name, DECLARED_PARAM, 0, 1});
    return;
  }
  hy_text_printf(out, "[%d]", d->rank);
  halyard_func *f = new_func(d, (declared){.kind = DECLARED_IMAGE, .takes = d->rank, .values = 1});
  f->is_image = true;
  hy_vec_push(&d->pipeline->funcs, f);
}

// What is said of a parameter, judged by the parser.
static bool is_parameter(const defining *d, const char *call) {
  char about[400];
  if (!d->text || !*d->text) return true;
  int length = snprintf(about, sizeof about, "%s: %s %s", d->name, hy_type_name(hy_type_of_halyard(d->type)), d->text);
  if (length < (int)sizeof about)
    return hy_text_is_fine(d->pipeline->head.context, TEXT_PARAMETER, about, "what is said of the parameter", call);
  return hy_library_fail(d->pipeline->head.context, HALYARD_MISUSE, call,
                         "what is said of a parameter has less than %zu bytes", sizeof about);
}

// requires: entered
static bool declare(defining *d, const char *call) {
  halyard_context *context = d->pipeline->head.context;
  if (!hy_built_parameter_is_free(d->pipeline, d->name, call)) return false;
  if ((int)d->type < HALYARD_INT || d->type > HALYARD_BF16)
    return hy_library_fail(context, HALYARD_MISUSE, call, "there is no type %d", (int)d->type);
  return is_parameter(d, call) && hy_library_run(&d->pipeline->head, call, add_parameter, d);
}

// It stands in a list: what would end it is not for the parser to judge.
static bool is_about_one(const char *about) { return !about || (!strpbrk(about, ",)\n") && !strstr(about, "//")); }

static halyard_expr *new_param(halyard_pipeline *pipeline, const char *name, halyard_type type, const char *about,
                               const char *call) {
  if (!hy_built_enter(pipeline, call)) return NULL;
  defining d = {.pipeline = pipeline, .name = name, .type = type, .rank = -1, .text = about};
  bool fine = is_about_one(about);
  if (!fine)
    hy_library_fail(
        pipeline->head.context, HALYARD_MISUSE, call,
        "what is said of a parameter has no comma, ')' or end of a line, and no comment: in 1..16 = 3 estimate 8");
  fine = fine && declare(&d, call);
  hy_library_leave(pipeline->head.context);
  return fine ? halyard_var(pipeline, name) : NULL;
}

halyard_expr *halyard_param(halyard_pipeline *pipeline, const char *name, halyard_type type) {
  return new_param(pipeline, name, type, NULL, "halyard_param");
}

halyard_expr *halyard_param_text(halyard_pipeline *pipeline, const char *name, halyard_type type, const char *about) {
  return new_param(pipeline, name, type, about, "halyard_param_text");
}

halyard_func *halyard_image(halyard_pipeline *pipeline, const char *name, halyard_type type, int dimensions) {
  static const char call[] = "halyard_image";
  if (!hy_built_enter(pipeline, call)) return NULL;
  defining d = {.pipeline = pipeline, .name = name, .type = type, .rank = dimensions};
  bool fine = dimensions >= 0 && dimensions <= HY_MAX_RANK;
  if (!fine)
    hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call, "an image has 0 to %d dimensions", HY_MAX_RANK);
  fine = fine && declare(&d, call);
  hy_library_leave(pipeline->head.context);
  return fine ? d.func : NULL;
}

halyard_expr *halyard_image_min(halyard_func *image, int dimension) {
  return hy_built_box(image, dimension, ".min", "halyard_image_min");
}

halyard_expr *halyard_image_len(halyard_func *image, int dimension) {
  return hy_built_box(image, dimension, ".len", "halyard_image_len");
}

/* -- what is required -- */

typedef struct {
  halyard_pipeline *pipeline;
  const halyard_operand *condition;
} requiring;

static void add_requirement(void *self) {
  const requiring *r = self;
  hy_vec_push(&r->pipeline->requirements, hy_built_operand(r->pipeline, r->condition));
}

bool halyard_pipeline_require(halyard_pipeline *pipeline, halyard_operand condition) {
  static const char call[] = "halyard_pipeline_require";
  if (!hy_built_enter(pipeline, call)) return false;
  requiring r = {pipeline, &condition};
  bool fine = hy_built_operand_is_fine(pipeline, &condition, call) &&
              hy_library_run(&pipeline->head, call, add_requirement, &r);
  hy_library_leave(pipeline->head.context);
  return fine;
}

bool halyard_contract(halyard_pipeline *pipeline, const char *contract) {
  static const char call[] = "halyard_contract";
  if (!hy_built_enter(pipeline, call)) return false;
  halyard_context *context = pipeline->head.context;
  bool fine = contract ? hy_float_contract_find(contract, &pipeline->floats) ||
                             hy_library_fail(context, HALYARD_MISUSE, call, "'%s' is no contract on floats", contract)
                       : hy_library_missing(context, call, "the contract");
  hy_library_leave(context);
  return fine;
}

/* -- reduction domains -- */

typedef struct {
  halyard_pipeline *pipeline;
  halyard_rdom *rdom;
  const char *name;
  const halyard_operand *min, *len;
} ranging;

static void make_rdom(void *self) {
  ranging *r = self;
  r->rdom = HY_NEW(r->pipeline->arena, halyard_rdom);
  r->rdom->pipeline = r->pipeline;
}

halyard_rdom *halyard_rdom_new(halyard_pipeline *pipeline) {
  static const char call[] = "halyard_rdom_new";
  if (!hy_built_enter(pipeline, call)) return NULL;
  ranging r = {.pipeline = pipeline};
  bool fine = hy_library_run(&pipeline->head, call, make_rdom, &r);
  hy_library_leave(pipeline->head.context);
  return fine ? r.rdom : NULL;
}

static void add_range(void *self) {
  ranging *r = self;
  range added = {hy_arena_copy(r->pipeline->arena, r->name, strlen(r->name)), hy_built_operand(r->pipeline, r->min),
                 hy_built_operand(r->pipeline, r->len)};
  hy_vec_push(&r->rdom->ranges, added);
  const halyard_expr *ends[] = {added.min, added.len};
  for (int i = 0; i < 2; i++) {
    uint32_t nodes = r->rdom->nodes + ends[i]->nodes;
    r->rdom->nodes = nodes > MOST_NODES ? MOST_NODES + 1 : nodes;
    if (ends[i]->depth > r->rdom->depth) r->rdom->depth = ends[i]->depth;
  }
}

const halyard_rdom *hy_built_copy(const halyard_rdom *rdom) {
  halyard_rdom *copy = HY_NEW(rdom->pipeline->arena, halyard_rdom);
  *copy = (halyard_rdom){.pipeline = rdom->pipeline, .nodes = rdom->nodes, .depth = rdom->depth};
  for (size_t i = 0; i < rdom->ranges.count; i++) {
    hy_vec_push(&copy->ranges, rdom->ranges.data[i]);
    hy_declare_variable(rdom->pipeline, rdom->ranges.data[i].name);
  }
  return copy;
}

static bool is_new_range(const halyard_rdom *rdom, const char *name, const char *call) {
  for (size_t i = 0; i < rdom->ranges.count; i++)
    if (strcmp(rdom->ranges.data[i].name, name) == 0)
      return hy_library_fail(rdom->pipeline->head.context, HALYARD_MISUSE, call,
                             "the domain has a variable '%.100s' already", name);
  return true;
}

halyard_expr *halyard_rdom_range(halyard_rdom *rdom, const char *name, halyard_operand min, halyard_operand len) {
  static const char call[] = "halyard_rdom_range";
  if (!rdom) {
    hy_library_missing(NULL, call, "the rdom");
    return NULL;
  }
  halyard_pipeline *p = rdom->pipeline;
  if (!hy_built_enter(p, call)) return NULL;
  ranging r = {p, rdom, name, &min, &len};
  bool fine = hy_built_variable_is_free(p, name, call) && is_new_range(rdom, name, call) &&
              hy_built_operand_is_fine(p, &min, call) && hy_built_operand_is_fine(p, &len, call) &&
              hy_library_run(&p->head, call, add_range, &r);
  if (!fine) rdom->is_spoilt = true;
  hy_library_leave(p->head.context);
  return fine ? halyard_var(p, name) : NULL;
}

/* -- funcs -- */

static void take_list(halyard_pipeline *p, exprs *list, const halyard_operand *operands, size_t count) {
  for (size_t i = 0; i < count; i++) hy_vec_push(list, hy_built_operand(p, &operands[i]));
}

// Of one value, an argmin alone has several.
static int count_values(const halyard_operand *values, size_t count) {
  return count == 1 && values[0].kind == HALYARD_OPERAND_EXPR ? values[0].is.expr->values : (int)count;
}

static void add_func(void *self) {
  defining *d = self;
  halyard_func *f = new_func(
      d,
      (declared){.kind = DECLARED_FUNC, .takes = (int)d->var_count, .values = count_values(d->values, d->value_count)});
  for (size_t i = 0; i < d->var_count; i++) hy_declare_variable(d->pipeline, d->vars[i].is.expr->text);
  take_list(d->pipeline, &f->vars, d->vars, d->var_count);
  take_list(d->pipeline, &f->values, d->values, d->value_count);
  hy_vec_push(&d->pipeline->funcs, f);
}

/* -- funcs as text -- */

// Is "name" that of a member, g_0 of the family "g"?
static bool is_member(const char *name, const char *family) {
  size_t length = strlen(family);
  return strncmp(name, family, length) == 0 && name[length] == '_' && name[length + 1] &&
         !name[length + 1 + strspn(name + length + 1, "0123456789_")];
}

static const hy_item_outline *find_outline(const judged *judged, const char *name) {
  for (int i = 0; i < judged->outline_count; i++)
    if (strcmp(judged->outlines[i].name, name) == 0) return &judged->outlines[i];
  for (int i = 0; i < judged->outline_count; i++)
    if (judged->outlines[i].is_family && is_member(name, judged->outlines[i].name)) return &judged->outlines[i];
  return NULL;
}

// "fun c = repeat_edge(in);": as many coordinates as the image has.
static int coordinates_of(const halyard_pipeline *p, const judged *judged, const hy_item_outline *outline) {
  if (!outline->source) return outline->takes;
  const declared *source = hy_declared(p, outline->source);
  if (source) return source->takes;
  for (const hy_item_outline *above = judged->outlines; above < outline; above++)
    if (strcmp(above->name, outline->source) == 0 && !above->source) return above->takes;
  return -1;
}

static declared declared_of(const halyard_pipeline *p, const judged *judged, const hy_item_outline *outline) {
  declared_kind kind = outline->kind == HY_ITEM_IS_CONSTANT ? DECLARED_CONSTANT
                       : outline->kind == HY_ITEM_IS_HELPER ? DECLARED_HELPER
                       : outline->is_family                 ? DECLARED_FAMILY
                                                            : DECLARED_FUNC;
  return (declared){outline->name, kind, coordinates_of(p, judged, outline), outline->values};
}

static void add_text(void *self) {
  defining *d = self;
  const judged *judged = &d->judged;
  const hy_item_outline *outline = find_outline(judged, d->name);
  declared about = declared_of(d->pipeline, judged, outline);
  if (strcmp(outline->name, d->name) != 0) about.kind = DECLARED_FUNC; // a member of a family
  halyard_func *f = new_func(d, about);
  f->text = hy_arena_copy(d->pipeline->arena, d->text, strlen(d->text));
  f->update_count = outline->updates;
  for (int i = 0; i < judged->outline_count; i++)
    hy_declare(d->pipeline, declared_of(d->pipeline, judged, &judged->outlines[i]));
  hy_vec_push(&d->pipeline->funcs, f);
}

// Does the text define what it is given for, and nothing that is there already?
static bool defines(const defining *d, const char *call) {
  halyard_context *context = d->pipeline->head.context;
  if (!find_outline(&d->judged, d->name))
    return hy_library_fail(
        context, HALYARD_MISUSE, call, "the text defines %s%.100s%s, not '%.100s'", d->judged.outline_count ? "'" : "",
        d->judged.outline_count ? d->judged.outlines[0].name : "nothing", d->judged.outline_count ? "'" : "", d->name);
  for (int i = 0; i < d->judged.outline_count; i++)
    if (!hy_built_name_is_free(d->pipeline, d->judged.outlines[i].name, call)) return false;
  return true;
}

static bool list_is_fine(halyard_pipeline *p, const halyard_operand *operands, size_t count, const char *call) {
  if (count && !operands) return hy_library_missing(p->head.context, call, "a list of operands");
  for (size_t i = 0; i < count; i++)
    if (!hy_built_operand_is_fine(p, &operands[i], call)) return false;
  return true;
}

static bool are_vars(halyard_pipeline *p, const halyard_operand *vars, size_t count, const char *call) {
  halyard_context *context = p->head.context;
  if (count > HY_MAX_RANK)
    return hy_library_fail(context, HALYARD_MISUSE, call, "a func has at most %d dimensions, not %zu", HY_MAX_RANK,
                           count);
  for (size_t i = 0; i < count; i++) {
    if (vars[i].kind != HALYARD_OPERAND_EXPR || !vars[i].is.expr->is_var)
      return hy_library_fail(context, HALYARD_MISUSE, call, "dimension %zu is no halyard_var", i);
    const char *name = vars[i].is.expr->text;
    if (!hy_built_variable_is_free(p, name, call)) return false;
    for (size_t k = 0; k < i; k++)
      if (strcmp(vars[k].is.expr->text, name) == 0)
        return hy_library_fail(context, HALYARD_MISUSE, call, "dimensions %zu and %zu are both '%.100s'", k, i, name);
  }
  return true;
}

// One value, or the values of a tuple; an argmin alone is one.
static bool are_values(halyard_pipeline *p, const halyard_operand *values, size_t count, const char *call) {
  halyard_context *context = p->head.context;
  if (!count) return hy_library_fail(context, HALYARD_MISUSE, call, "there is no value");
  if (count > HY_MAX_PARTS)
    return hy_library_fail(context, HALYARD_MISUSE, call, "a func has at most %d values, not %zu", HY_MAX_PARTS, count);
  bool alone = count == 1 && values && values[0].kind == HALYARD_OPERAND_EXPR && values[0].is.expr &&
               values[0].is.expr->form == FORM_REDUCTION;
  return alone ? hy_built_values_are_fine(p, values, call) : list_is_fine(p, values, count, call);
}

halyard_func *halyard_func_define(halyard_pipeline *pipeline, const char *name, size_t var_count,
                                  const halyard_operand *vars, size_t value_count, const halyard_operand *values) {
  static const char call[] = "halyard_func_define";
  if (!hy_built_enter(pipeline, call)) return NULL;
  defining d = {.pipeline = pipeline,
                .name = name,
                .vars = vars,
                .var_count = var_count,
                .values = values,
                .value_count = value_count};
  bool fine = hy_built_name_is_free(pipeline, name, call) && list_is_fine(pipeline, vars, var_count, call) &&
              are_vars(pipeline, vars, var_count, call) && are_values(pipeline, values, value_count, call) &&
              hy_library_run(&pipeline->head, call, add_func, &d);
  hy_library_leave(pipeline->head.context);
  return fine ? d.func : NULL;
}

halyard_func *halyard_func_text(halyard_pipeline *pipeline, const char *name, const char *text) {
  static const char call[] = "halyard_func_text";
  if (!hy_built_enter(pipeline, call)) return NULL;
  halyard_context *context = pipeline->head.context;
  defining d = {.pipeline = pipeline, .name = name, .text = text};
  char what[160];
  snprintf(what, sizeof what, "the text of '%.100s'", name ? name : "");
  bool fine = hy_built_name_is_free(pipeline, name, call) && (text || hy_library_missing(context, call, "the text")) &&
              hy_judge_text(context, TEXT_ITEMS, text, what, NULL, NULL, &d.judged, call);
  if (fine) {
    fine = defines(&d, call) && hy_library_run(&pipeline->head, call, add_text, &d);
    hy_object_free(d.judged.scratch);
  }
  hy_library_leave(pipeline->head.context);
  return fine ? d.func : NULL;
}

typedef struct {
  halyard_func *func;
  const halyard_rdom *rdom;
  const halyard_operand *coordinates, *values, *predicate;
  size_t coordinate_count, value_count;
} updating;

static void add_update(void *self) {
  const updating *u = self;
  halyard_pipeline *p = u->func->pipeline;
  update added = {.rdom = u->rdom ? hy_built_copy(u->rdom) : NULL};
  take_list(p, &added.coordinates, u->coordinates, u->coordinate_count);
  take_list(p, &added.values, u->values, u->value_count);
  if (u->predicate->kind != HALYARD_OPERAND_NONE) added.predicate = hy_built_operand(p, u->predicate);
  hy_vec_push(&u->func->updates, added);
  u->func->update_count++;
}

static bool can_be_updated(const halyard_func *func, const halyard_rdom *rdom, const char *call) {
  halyard_context *context = func->pipeline->head.context;
  const char *is = func->text                          ? "given as text"
                   : func->condition                   ? "a boundary condition"
                   : func->about.kind != DECLARED_FUNC ? hy_declared_is(func->about.kind)
                                                       : NULL;
  if (is) return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' is %s: it has no updates", func->name, is);
  if (rdom && rdom->pipeline != func->pipeline)
    return hy_library_fail(context, HALYARD_MISUSE, call, "the rdom is of another pipeline");
  if (rdom && rdom->is_spoilt) return hy_library_missing(context, call, "a variable of the rdom");
  if (rdom && !rdom->ranges.count) return hy_library_fail(context, HALYARD_MISUSE, call, "the rdom has no variable");
  return true;
}

// A domain's variables are none of the func's, and of nothing that was declared since.
static bool is_apart(const halyard_func *func, const halyard_rdom *rdom, const char *call) {
  for (size_t i = 0; rdom && i < rdom->ranges.count; i++) {
    const char *name = rdom->ranges.data[i].name;
    if (!hy_built_variable_is_free(func->pipeline, name, call)) return false;
    for (size_t d = 0; d < func->vars.count; d++)
      if (strcmp(func->vars.data[d]->text, name) == 0)
        return hy_library_fail(func->pipeline->head.context, HALYARD_MISUSE, call,
                               "'%.100s' is a dimension of '%.100s' and a variable of the rdom", name, func->name);
  }
  return true;
}

// As many coordinates as the func has dimensions, and as many values as it has.
static bool fits_func(const updating *u, const char *call) {
  halyard_context *context = u->func->pipeline->head.context;
  const declared *about = &u->func->about;
  int values = count_values(u->values, u->value_count);
  if (u->coordinate_count != (size_t)about->takes)
    return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' has %d dimension%s, and %zu coordinate%s given",
                           u->func->name, about->takes, about->takes == 1 ? "" : "s", u->coordinate_count,
                           u->coordinate_count == 1 ? " is" : "s are");
  if (values == about->values) return true;
  return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' has %d value%s, and this update %d", u->func->name,
                         about->values, about->values == 1 ? "" : "s", values);
}

bool halyard_func_update(halyard_func *func, const halyard_rdom *rdom, size_t coordinate_count,
                         const halyard_operand *coordinates, size_t value_count, const halyard_operand *values,
                         halyard_operand predicate) {
  static const char call[] = "halyard_func_update";
  if (!func) return hy_library_missing(NULL, call, "the func");
  halyard_pipeline *p = func->pipeline;
  if (!hy_built_enter(p, call)) return false;
  updating u = {func, rdom, coordinates, values, &predicate, coordinate_count, value_count};
  bool fine = can_be_updated(func, rdom, call) && list_is_fine(p, coordinates, coordinate_count, call) &&
              are_values(p, values, value_count, call) && fits_func(&u, call) && is_apart(func, rdom, call) &&
              (predicate.kind == HALYARD_OPERAND_NONE || hy_built_operand_is_fine(p, &predicate, call)) &&
              hy_library_run(&p->head, call, add_update, &u);
  hy_library_leave(p->head.context);
  return fine;
}

/* -- directives, from the table -- */

typedef struct {
  halyard_func *func;
  int stage;
  const char *name;
  const halyard_operand *arguments;
  size_t count;
} directing;

static void print_argument(const halyard_operand *o, hy_text *out) {
  if (o->kind == HALYARD_OPERAND_EXPR)
    hy_print_built(o->is.expr, out);
  else if (o->kind == HALYARD_OPERAND_FUNC)
    hy_text_add(out, o->is.func->name);
  else if (o->kind == HALYARD_OPERAND_NAME)
    hy_text_add(out, o->is.name);
  else
    hy_library_print_number(o, out);
}

static void add_directive(void *self) {
  const directing *d = self;
  hy_text *out = &d->func->pipeline->directives;
  if (d->stage == HALYARD_CHAIN)
    out->length -= strlen(";\n");
  else
    hy_text_printf(out, "  %s", d->func->name);
  if (d->stage > 0) hy_text_printf(out, ".update(%d)", d->stage - 1);
  hy_text_printf(out, ".%s(", d->name);
  for (size_t i = 0; i < d->count; i++) {
    if (i) hy_text_add(out, ", ");
    print_argument(&d->arguments[i], out);
  }
  hy_text_add(out, ");\n");
  d->func->pipeline->chained = d->func;
}

static bool has_update(const directing *d, const char *call) {
  const halyard_func *func = d->func;
  halyard_context *context = func->pipeline->head.context;
  if (func->about.kind == DECLARED_CONSTANT || func->about.kind == DECLARED_HELPER)
    return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' is %s, which is not scheduled", func->name,
                           hy_declared_is(func->about.kind));
  if (d->stage <= func->update_count || func->about.kind == DECLARED_FAMILY) return true;
  return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' has %d update%s, and no update %d", func->name,
                         func->update_count, func->update_count == 1 ? "" : "s", d->stage);
}

// Says what there is instead.
static bool refuse_directive(const directing *d, const char *call) {
  halyard_context *context = d->func->pipeline->head.context;
  const char *reason, *instead, *near = hy_sched_chain_nearest(d->name);
  if (hy_sched_is_absent(d->name, &reason, &instead))
    return hy_library_fail(context, HALYARD_MISUSE, call, "Halide's '%.60s' is not in this language: %s; %s", d->name,
                           reason, instead);
  return hy_library_fail(context, HALYARD_MISUSE, call, "there is no directive '%.60s'%s%s%s", d->name,
                         near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool tail_is_fine(const directing *d, const char *call) {
  if (!hy_sched_chain_ends_with_tail(d->name, (int)d->count)) return true;
  const halyard_operand *last = &d->arguments[d->count - 1];
  const char *word = last->kind == HALYARD_OPERAND_NAME                            ? last->is.name
                     : last->kind == HALYARD_OPERAND_EXPR && last->is.expr->is_var ? last->is.expr->text
                                                                                   : "";
  return hy_sched_is_tail(word) || hy_library_fail(d->func->pipeline->head.context, HALYARD_MISUSE, call,
                                                   "the last of %zu arguments of '%s' is its tail: \"guard\", "
                                                   "\"round\" or \"shift\"",
                                                   d->count, d->name);
}

// As the record of the directive says; what loops and lengths are, is for halyard_check.
static bool takes_arguments(const directing *d, const char *call) {
  halyard_context *context = d->func->pipeline->head.context;
  int least, most;
  if (!hy_sched_chain_takes(d->name, &least, &most)) return refuse_directive(d, call);
  if (d->count >= (size_t)least && d->count <= (size_t)most) return true;
  return least == most ? hy_library_fail(context, HALYARD_MISUSE, call, "'%s' takes %d argument%s, not %zu", d->name,
                                         least, least == 1 ? "" : "s", d->count)
                       : hy_library_fail(context, HALYARD_MISUSE, call, "'%s' takes %d to %d arguments, not %zu",
                                         d->name, least, most, d->count);
}

static bool can_be_scheduled(const directing *d, const char *call) {
  halyard_pipeline *p = d->func->pipeline;
  halyard_context *context = p->head.context;
  if (d->func->is_image && d->stage != HALYARD_CHAIN && strcmp(d->name, "in") != 0)
    return hy_library_fail(context, HALYARD_MISUSE, call, "an image has no schedule, but for 'in'");
  if (d->stage < HALYARD_CHAIN) return hy_library_fail(context, HALYARD_MISUSE, call, "a stage's number is negative");
  if (p->schedule)
    return hy_library_fail(context, HALYARD_MISUSE, call,
                           "the schedule is one of a file: call halyard_unschedule first");
  if (d->stage == HALYARD_CHAIN && p->chained != d->func)
    return hy_library_fail(context, HALYARD_MISUSE, call, "the directive before is none of '%.100s': there is no chain",
                           d->func->name);
  return has_update(d, call) && takes_arguments(d, call);
}

static bool argument_is_fine(halyard_pipeline *p, const halyard_operand *o, const char *call) {
  halyard_context *context = p->head.context;
  if (o->kind == HALYARD_OPERAND_FUNC) {
    if (!o->is.func) return hy_library_missing(context, call, "a func");
    if (o->is.func->pipeline == p) return true;
    return hy_library_fail(context, HALYARD_MISUSE, call, "a func of another pipeline");
  }
  if (o->kind != HALYARD_OPERAND_NAME) return hy_built_operand_is_fine(p, o, call);
  if (!o->is.name) return hy_library_missing(context, call, "a name");
  if (hy_library_is_name(o->is.name)) return true;
  return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' is no name of the language", o->is.name);
}

bool halyard_func_schedule(halyard_func *func, int stage, const char *directive, size_t count,
                           const halyard_operand *arguments) {
  static const char call[] = "halyard_func_schedule";
  if (!func) return hy_library_missing(NULL, call, "the func");
  halyard_pipeline *p = func->pipeline;
  halyard_context *context = p->head.context;
  if (!hy_built_enter(p, call)) return false;
  directing d = {func, stage, directive, arguments, count};
  bool fine = directive && (arguments || !count) ? true : hy_library_missing(context, call, "the directive");
  fine = fine && can_be_scheduled(&d, call);
  for (size_t i = 0; i < count && fine; i++) fine = argument_is_fine(p, &arguments[i], call);
  fine = fine && tail_is_fine(&d, call);
  fine = fine && hy_library_run(&p->head, call, add_directive, &d);
  hy_library_leave(context);
  return fine;
}
