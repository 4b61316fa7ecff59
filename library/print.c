/* The text of what was built from C. An expression that was made once is written once where that matters: a reduction
 * is a func of its own wherever it is written, so one that several places mention is named by a let around them, as far
 * out as the variables that it reads allow, and one with a name is read by its name in the stages that follow.
 */

#include "library/build.h"

#include <stdio.h>
#include <string.h>

// An expression in which a let can stand: &reduction->args[i], of what is inside of that reduction. NULL: what a stage
// stores, or one of the expressions beside it.
typedef const halyard_expr *const *slot;

typedef struct enclosing {
  const halyard_rdom *rdom;
  slot slot;
} enclosing;

// A reduction that a stage mentions, and where a let of it can stand.
typedef struct mention {
  const halyard_expr *reduction;
  slot slot;
  int count;
  char let[16]; // its name while it is in scope; else ""
} mention;

// A reduction with a name that is written above: most(x, r).
typedef struct written {
  const halyard_func *own;
  const char *call;
} written;

typedef struct printer {
  const halyard_pipeline *pipeline;
  hy_text *out;
  HY_VEC(const char *) scope; // variables, the outermost first: so are the dimensions of a reduction that reads them
  HY_VEC(enclosing) around;   // what is being looked at
  HY_VEC(mention) mentions;   // of the stage, those first that others mention
  HY_VEC(written) written;
  int lets; // of the stage
} printer;

static void print_expr(printer *p, const halyard_expr *e);

/* -- which variables a reduction reads -- */

static bool mentions_variable(const halyard_expr *e, const char *name) {
  if (e->form == FORM_ATOM) return e->is_var && strcmp(e->text, name) == 0;
  for (size_t i = 0; i < e->count; i++)
    if (mentions_variable(e->args[i], name)) return true;
  for (size_t i = 0; e->rdom && i < e->rdom->ranges.count; i++) {
    const range *r = &e->rdom->ranges.data[i];
    if (mentions_variable(r->min, name) || mentions_variable(r->len, name)) return true;
  }
  return false;
}

static bool mentions_some(const halyard_expr *e, const halyard_rdom *rdom) {
  for (size_t i = 0; i < rdom->ranges.count; i++)
    if (mentions_variable(e, rdom->ranges.data[i].name)) return true;
  return false;
}

static slot outermost_slot(const printer *p, const halyard_expr *reduction) {
  for (size_t i = p->around.count; i-- > 0;)
    if (mentions_some(reduction, p->around.data[i].rdom)) return p->around.data[i].slot;
  return NULL;
}

/* -- reductions that are mentioned -- */

static const written *find_written(const printer *p, const halyard_expr *e) {
  for (size_t i = 0; e->own && i < p->written.count; i++)
    if (p->written.data[i].own == e->own) return &p->written.data[i];
  return NULL;
}

static void look(printer *p, const halyard_expr *e);

static void look_inside(printer *p, const halyard_expr *e) {
  for (size_t i = 0; e->rdom && i < e->rdom->ranges.count; i++) {
    look(p, e->rdom->ranges.data[i].min);
    look(p, e->rdom->ranges.data[i].len);
  }
  for (size_t i = 0; i < e->count; i++) {
    if (e->rdom) hy_vec_push(&p->around, (enclosing){e->rdom, &e->args[i]});
    look(p, e->args[i]);
    if (e->rdom) (void)hy_vec_pop(&p->around);
  }
}

static void look(printer *p, const halyard_expr *e) {
  if (e->form != FORM_REDUCTION) {
    look_inside(p, e);
    return;
  }
  if (find_written(p, e)) return;
  slot slot = outermost_slot(p, e);
  for (size_t i = 0; i < p->mentions.count; i++) {
    mention *m = &p->mentions.data[i];
    if (m->reduction != e || m->slot != slot) continue;
    m->count++;
    return;
  }
  look_inside(p, e);
  hy_vec_push(&p->mentions, (mention){.reduction = e, .slot = slot, .count = 1});
}

/* -- printing: parentheses where the grammar needs them, so that a sum of many terms nests nowhere -- */

static void print_inside(printer *p, const halyard_expr *e, int least) {
  bool parentheses = e->precedence < least;
  if (parentheses) hy_text_add(p->out, "(");
  print_expr(p, e);
  if (parentheses) hy_text_add(p->out, ")");
}

// Between commas a negative number needs no parentheses, and in f64(-0.1) must have none: f64((-0.1)) converts an f32.
static void print_argument(printer *p, const halyard_expr *e) {
  if (e->form == FORM_ATOM && e->text[0] == '(')
    hy_text_printf(p->out, "%.*s", (int)strlen(e->text) - 2, e->text + 1);
  else
    print_expr(p, e);
}

static void print_call(printer *p, const halyard_expr *e) {
  hy_text_printf(p->out, "%s(", e->text);
  for (size_t i = 0; i < e->count; i++) {
    if (i) hy_text_add(p->out, ", ");
    print_argument(p, e->args[i]);
  }
  hy_text_add(p->out, ")");
}

static void print_ranges(printer *p, const halyard_rdom *rdom) {
  hy_text_add(p->out, "rdom(");
  for (size_t i = 0; i < rdom->ranges.count; i++) {
    const range *r = &rdom->ranges.data[i];
    hy_text_printf(p->out, "%s%s = (", i ? ", " : "", r->name);
    print_expr(p, r->min);
    hy_text_add(p->out, ", ");
    print_expr(p, r->len);
    hy_text_add(p->out, ")");
  }
  hy_text_add(p->out, ") in ");
}

// NULL: none.
static void enter_ranges(printer *p, const halyard_rdom *rdom) {
  for (size_t i = 0; rdom && i < rdom->ranges.count; i++) hy_vec_push(&p->scope, rdom->ranges.data[i].name);
}

// Its dimensions are the variables around it that it mentions.
static void write_down(printer *p, const halyard_expr *reduction) {
  hy_text call = {0};
  hy_text_printf(&call, "%s(", reduction->own->name);
  bool first = true;
  for (size_t i = 0; i < p->scope.count; i++) {
    if (!mentions_variable(reduction, p->scope.data[i])) continue;
    hy_text_printf(&call, "%s%s", first ? "" : ", ", p->scope.data[i]);
    first = false;
  }
  hy_text_add(&call, ")");
  hy_vec_push(&p->written, (written){reduction->own, hy_copy_string(hy_text_string(&call))});
  hy_text_free(&call);
}

static void print_in_full(printer *p, const halyard_expr *e);

static void print_lets(printer *p, slot slot) {
  for (size_t i = 0; i < p->mentions.count; i++) {
    mention *m = &p->mentions.data[i];
    if (m->slot != slot || m->count < 2 || find_written(p, m->reduction)) continue;
    char name[sizeof m->let];
    do snprintf(name, sizeof name, "t%d", ++p->lets);
    while (hy_name_is_taken(p->pipeline, name));
    hy_text_printf(p->out, "let %s = ", name);
    print_in_full(p, m->reduction);
    hy_text_add(p->out, " in ");
    memcpy(m->let, name, sizeof name);
  }
}

static void end_lets(printer *p, slot slot) {
  for (size_t i = 0; i < p->mentions.count; i++)
    if (p->mentions.data[i].slot == slot) p->mentions.data[i].let[0] = 0;
}

static void print_in_slot(printer *p, slot slot) {
  print_lets(p, slot);
  print_expr(p, *slot);
  end_lets(p, slot);
}

static void print_in_full(printer *p, const halyard_expr *e) {
  size_t scope = p->scope.count;
  if (e->own) write_down(p, e);
  hy_text_printf(p->out, "%s%s%s(", e->text, e->own ? " " : "", e->own ? e->own->name : "");
  print_ranges(p, e->rdom);
  enter_ranges(p, e->rdom);
  print_in_slot(p, &e->args[0]);
  if (e->count > 1) {
    hy_text_add(p->out, " if ");
    print_in_slot(p, &e->args[1]);
  }
  hy_text_add(p->out, ")");
  p->scope.count = scope;
}

static void print_reduction(printer *p, const halyard_expr *e) {
  for (size_t i = 0; i < p->mentions.count; i++) {
    const mention *m = &p->mentions.data[i];
    if (m->reduction != e || !m->let[0]) continue;
    hy_text_add(p->out, m->let);
    return;
  }
  const written *above = find_written(p, e);
  if (above)
    hy_text_add(p->out, above->call);
  else
    print_in_full(p, e);
}

static void print_expr(printer *p, const halyard_expr *e) {
  switch (e->form) {
  case FORM_ATOM: hy_text_add(p->out, e->text); return;
  case FORM_BINARY: {
    hy_op op;
    HY_ASSERT(hy_built_operator(e->text, &op));
    print_inside(p, e->args[0], e->precedence + !hy_built_operator_chains(op));
    hy_text_printf(p->out, " %s ", e->text);
    print_inside(p, e->args[1], e->precedence + 1);
    return;
  }
  case FORM_UNARY:
    hy_text_printf(p->out, "%s(", e->text);
    print_expr(p, e->args[0]);
    hy_text_add(p->out, ")");
    return;
  case FORM_CALL: print_call(p, e); return;
  case FORM_PART:
    print_expr(p, e->args[0]);
    hy_text_printf(p->out, "[%s]", e->text);
    return;
  case FORM_REDUCTION: print_reduction(p, e); return;
  }
  HY_UNREACHABLE();
}

/* -- what stands by itself -- */

// Expressions between which one let can stand around all: "let t1 = .. in (t1[0], t1[1])".
static void print_together(printer *p, const halyard_expr *const *list, size_t count) {
  p->mentions.count = 0;
  p->lets = 0;
  for (size_t i = 0; i < count; i++) look(p, list[i]);
  print_lets(p, NULL);
  if (count > 1) hy_text_add(p->out, "(");
  for (size_t i = 0; i < count; i++) {
    if (i) hy_text_add(p->out, ", ");
    print_expr(p, list[i]);
  }
  if (count > 1) hy_text_add(p->out, ")");
  end_lets(p, NULL);
}

static void print_alone(printer *p, const halyard_expr *e) { print_together(p, &e, 1); }

static void free_printer(printer *p) {
  for (size_t i = 0; i < p->written.count; i++) hy_free((char *)p->written.data[i].call);
  hy_vec_free(&p->written);
  hy_vec_free(&p->mentions);
  hy_vec_free(&p->around);
  hy_vec_free(&p->scope);
}

void hy_print_built(const halyard_expr *expr, hy_text *out) {
  printer p = {.pipeline = expr->pipeline, .out = out};
  print_alone(&p, expr);
  free_printer(&p);
}

/* -- funcs and the pipeline -- */

static void print_coordinates(printer *p, const exprs *coordinates) {
  hy_text_add(p->out, "(");
  for (size_t i = 0; i < coordinates->count; i++) {
    if (i) hy_text_add(p->out, ", ");
    print_alone(p, coordinates->data[i]);
  }
  hy_text_add(p->out, ")");
}

static void print_update(printer *p, const update *u) {
  size_t scope = p->scope.count;
  hy_text_add(p->out, "    ");
  if (u->rdom) print_ranges(p, u->rdom);
  enter_ranges(p, u->rdom);
  print_coordinates(p, &u->coordinates);
  hy_text_add(p->out, " <- ");
  print_together(p, u->values.data, u->values.count);
  if (u->predicate) {
    hy_text_add(p->out, " if ");
    print_alone(p, u->predicate);
  }
  hy_text_add(p->out, ";\n");
  p->scope.count = scope;
}

static void print_boundary(printer *p, const halyard_func *f) {
  hy_text_printf(p->out, "  fun %s = %s(%s", f->name, f->condition, f->source->name);
  if (f->outside) {
    hy_text_add(p->out, ", ");
    print_alone(p, f->outside);
  }
  for (size_t i = 0; i < f->box.count; i++) {
    hy_text_add(p->out, i % 2 ? ", " : ", (");
    print_alone(p, f->box.data[i]);
    if (i % 2) hy_text_add(p->out, ")");
  }
  hy_text_add(p->out, ");\n");
}

static void print_func(printer *p, const halyard_func *f) {
  if (f->text) {
    hy_text_printf(p->out, "  %s\n", f->text);
    return;
  }
  if (f->condition) {
    print_boundary(p, f);
    return;
  }
  p->scope.count = 0;
  for (size_t i = 0; i < f->vars.count; i++) hy_vec_push(&p->scope, f->vars.data[i]->text);
  hy_text_printf(p->out, "  fun %s", f->name);
  print_coordinates(p, &f->vars);
  hy_text_add(p->out, f->updates.count ? " = {\n    " : " = ");
  print_together(p, f->values.data, f->values.count);
  hy_text_add(p->out, ";\n");
  for (size_t i = 0; i < f->updates.count; i++) print_update(p, &f->updates.data[i]);
  if (f->updates.count) hy_text_add(p->out, "  };\n");
}

static void print_outputs(const halyard_pipeline *p, hy_text *out) {
  if (!p->outputs.count) return;
  hy_text_add(out, " -> (");
  for (size_t i = 0; i < p->outputs.count; i++) hy_text_printf(out, "%s%s", i ? ", " : "", p->outputs.data[i]->name);
  hy_text_add(out, ")");
}

void hy_pipeline_write_algorithm(const halyard_pipeline *p, hy_text *out) {
  if (p->text) {
    hy_text_add(out, p->text);
    return;
  }
  hy_text_printf(out, "pipeline %s(%s)", p->name, hy_text_string(&p->parameters));
  print_outputs(p, out);
  if (p->floats != HY_FLOATS_EXACT) hy_text_printf(out, " contract %s", hy_float_contract_name(p->floats));
  hy_text_add(out, " {\n");
  printer printer = {.pipeline = p, .out = out};
  for (size_t i = 0; i < p->requirements.count; i++) {
    hy_text_add(out, "  require ");
    print_alone(&printer, p->requirements.data[i]);
    hy_text_add(out, ";\n");
  }
  for (size_t i = 0; i < p->funcs.count; i++)
    if (!p->funcs.data[i]->is_image) print_func(&printer, p->funcs.data[i]);
  free_printer(&printer);
  hy_text_add(out, "}\n");
}
