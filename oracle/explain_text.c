// What explain.h finds, for people.

#include "oracle/explain.h"

#include "semantics/base/vec.h"

#include <string.h>

void hy_explained_place(const hy_hole *hole, hy_text *out) {
  static const char *const kinds[] = {"allocated", "computed", "loop", "needed"};
  if (hole->kind == HY_HOLE_FOR) {
    hy_text_add(out, "loop ");
    hy_var_print(hole->loop, out);
  } else {
    hy_text_printf(out, "%s %s, dimension %s", hole->func->name, kinds[hole->kind], hole->func->dims[hole->dim]);
  }
}

/* -- who forced it -- */

// The access as the user wrote it; false if it stands in no text.
static bool quote(hy_loc loc, hy_text *out) {
  const char *line = loc.source ? loc.source->text : NULL;
  for (uint32_t n = 1; line && n < loc.line; n++) line = (line = strchr(line, '\n')) ? line + 1 : NULL;
  if (!line || loc.column + loc.length - 1 > strlen(line)) return false;
  const char *from = line + loc.column - 1;
  hy_text_add_bytes(out, from, loc.length < strcspn(from, "\n") ? loc.length : strcspn(from, "\n"));
  return true;
}

static void add_place(hy_loc loc, hy_text *out) {
  if (loc.source) hy_text_printf(out, " (%s:%u:%u)", loc.source->name, loc.line, loc.column);
}

typedef HY_VEC(const hy_var *) var_list;

static void see_loop(void *self, const hy_expr *node) {
  var_list *found = self;
  if (node->kind != HY_EXPR_VAR || node->var->kind != HY_VAR_LOOP) return;
  for (size_t i = 0; i < found->count; i++)
    if (found->data[i] == node->var) return;
  hy_vec_push(found, node->var);
}

static bool is_op(const hy_expr *e, hy_op op) { return e->kind == HY_EXPR_OP && e->op == op; }

// The value of a let among the facts; NULL: it is a loop.
static const hy_expr *value_of(const hy_obligation *o, const hy_var *var) {
  for (size_t i = 0; i < o->fact_count; i++)
    if (is_op(o->facts[i], HY_OP_EQ) && o->facts[i]->args[0]->kind == HY_EXPR_VAR && o->facts[i]->args[0]->var == var)
      return o->facts[i]->args[1];
  return NULL;
}

// The loops on which the index depends, through the lets that splits left.
static var_list loops_of(const hy_obligation *o) {
  var_list seen = {0}, loops = {0};
  if (o->goal->kind == HY_EXPR_OP && o->goal->count == 2) hy_expr_visit(o->goal->args[!o->is_upper], see_loop, &seen);
  for (size_t i = 0; i < seen.count; i++) {
    const hy_expr *value = value_of(o, seen.data[i]);
    if (value)
      hy_expr_visit(value, see_loop, &seen);
    else
      hy_vec_push(&loops, seen.data[i]);
  }
  hy_vec_free(&seen);
  return loops;
}

static void add_loops(const hy_obligation *o, hy_text *out) {
  var_list loops = loops_of(o);
  for (size_t i = 0; i < loops.count; i++) {
    hy_text_add(out, i ? ", " : loops.count == 1 ? ", over the loop " : ", over the loops ");
    hy_var_print(loops.data[i], out);
  }
  hy_vec_free(&loops);
}

// "bh(x, y - 1), read by bv (apps/box_blur.alg:4:19), over the loop bv.s0.y"
static void add_access(const hy_obligation *o, hy_text *out) {
  hy_text access = {0};
  if (quote(o->loc, &access))
    hy_text_add(out, hy_text_string(&access));
  else
    hy_text_printf(out, "an access to %s", o->other->name);
  hy_text_free(&access);
  hy_text_printf(out, ", read by %s", o->func->name);
  if (o->stage > 0) hy_text_printf(out, ", update %d", o->stage - 1);
  add_place(o->loc, out);
  add_loops(o, out);
}

void hy_explained_cause(const hy_obligation *o, hy_text *out) {
  switch (o->kind) {
  case HY_B_MEM:
  case HY_B_CPU:
  case HY_B_ADDRESS:
    if (o->other) {
      add_access(o, out);
      return;
    }
    hy_text_printf(out, "the points that %s is assigned", o->func->name);
    add_loops(o, out);
    return;
  case HY_B_INSIDE: hy_text_printf(out, "what is computed of %s", o->func->name); return;
  case HY_B_WINDOW: hy_text_add(out, "the window"); return;
  case HY_B_COVER: hy_text_printf(out, "the region of %s, all of which the stage has to assign", o->func->name); return;
  case HY_B_LENGTH:
  case HY_B_DEFINED:
  case HY_B_FITS:
  case HY_B_VALUE:
  case HY_B_CONSTRAIN:
  case HY_B_DISJOINT:
  case HY_B_FOLD:
  case HY_B_PIECES: hy_text_add(out, o->about); return;
  }
  HY_UNREACHABLE();
}

/* -- the whole -- */

void hy_explained_fill(const hy_explained_hole *hole, hy_text *out) {
  hy_text_add(out, "(");
  hy_expr_print(hole->fill.min, out);
  hy_text_add(out, ", ");
  hy_expr_print(hole->fill.len, out);
  hy_text_add(out, ")");
}

static void print_side(const char *side, const hy_explained_side *explained, hy_text *out) {
  hy_text_printf(out, "      %s: %s", side, hy_tightness_name(explained->tightness));
  if (explained->because) {
    hy_text_add(out, ", forced by ");
    hy_explained_cause(explained->because, out);
  }
  hy_text_add(out, "\n");
}

void hy_explained_print(const hy_explained_hole *hole, hy_text *out) {
  hy_text_add(out, "  ");
  hy_explained_place(hole->min, out);
  hy_text_add(out, ": ");
  hy_explained_fill(hole, out);
  hy_text_add(out, "\n");
  print_side("lower", &hole->low, out);
  print_side("upper", &hole->high, out);
}
