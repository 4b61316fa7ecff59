/* Core directives as text, in the spelling that the schedule parser reads; and the words of target programs. */

#include "semantics/schedule/directive.h"

const char *hy_traversal_name(hy_traversal traversal) {
  switch (traversal) {
  case HY_SERIAL: return "serial";
  case HY_PARALLEL: return "parallel";
  case HY_VECTORIZED: return "vectorized";
  case HY_UNROLLED: return "unrolled";
  }
  HY_UNREACHABLE();
}

const char *hy_tail_name(hy_tail tail) {
  switch (tail) {
  case HY_TAIL_GUARD: return "guard";
  case HY_TAIL_ROUND: return "round";
  case HY_TAIL_SHIFT: return "shift";
  }
  HY_UNREACHABLE();
}

const char *hy_assume_name(hy_assume_kind kind) {
  switch (kind) {
  case HY_ASSUME_RDOM: return "rdom";
  case HY_ASSUME_FACTOR: return "factor";
  case HY_ASSUME_RANGE: return "range";
  case HY_ASSUME_WINDOW: return "window";
  case HY_ASSUME_IMAGE: return "image";
  case HY_ASSUME_NEED: return "need";
  case HY_ASSUME_BOUND: return "bound";
  case HY_ASSUME_LENGTH: return "length";
  case HY_ASSUME_UNDECIDED: return "undecided";
  case HY_ASSUME_CONSTRAIN: return "constrain";
  }
  HY_UNREACHABLE();
}

static void print_expr(const hy_expr *expr, hy_text *out) {
  hy_text_add(out, ", ");
  hy_expr_print(expr, out);
}

static void print_loop(const hy_var *loop, hy_text *out) {
  if (loop)
    hy_var_print(loop, out);
  else
    hy_text_add(out, "root");
}

// The arguments of a bounds directive: func, dimension and the given expressions.
static void print_bounds(const hy_directive *d, int count, hy_text *out) {
  hy_text_printf(out, "%s, %s", d->func->name, d->func->dims[d->dim]);
  for (int i = 0; i < count; i++) print_expr(d->args[i], out);
}

// The first loop with its func; others are of the same stage and have their names alone.
static void print_values(const hy_directive *d, hy_text *out) {
  for (int i = 0; i < d->value_count; i++) {
    const hy_plugin_value *v = &d->values[i];
    if (i) hy_text_add(out, ", ");
    if (v->expr)
      hy_expr_print(v->expr, out);
    else if (v->loop && i == 0)
      hy_var_print(v->loop, out);
    else
      hy_text_add(out, v->loop ? v->loop->name : v->name);
  }
}

static void print_arguments(const hy_directive *d, hy_text *out) {
  switch (d->type->kind) {
  case HY_DIRECTIVE_SPECIALIZE:
    hy_text_add(out, d->func->name);
    for (int i = 0; i < d->condition_count; i++) print_expr(d->conditions[i], out);
    return;
  case HY_DIRECTIVE_SPLIT:
    print_loop(d->loop, out);
    hy_text_printf(out, ", %s, %s", d->names[0], d->names[1]);
    print_expr(d->args[0], out);
    if (d->tail != HY_TAIL_GUARD) hy_text_printf(out, ", %s", hy_tail_name(d->tail));
    return;
  case HY_DIRECTIVE_FUSE:
    print_loop(d->loop, out);
    hy_text_printf(out, ", %s, %s", d->names[0], d->names[1]);
    return;
  case HY_DIRECTIVE_SWAP: print_loop(d->loop, out); return;
  case HY_DIRECTIVE_TRAVERSE:
    print_loop(d->loop, out);
    hy_text_printf(out, ", %s", hy_traversal_name(d->traversal));
    return;
  case HY_DIRECTIVE_COMPUTE_AT:
  case HY_DIRECTIVE_STORE_AT:
    hy_text_printf(out, "%s, ", d->func->name);
    print_loop(d->loop, out);
    return;
  case HY_DIRECTIVE_BOUND:
  case HY_DIRECTIVE_ALIGN_BOUNDS: print_bounds(d, 2, out); return;
  case HY_DIRECTIVE_BOUND_EXTENT: print_bounds(d, 1, out); return;
  case HY_DIRECTIVE_PLUGIN: print_values(d, out); return;
  }
  HY_UNREACHABLE();
}

void hy_directive_print(const hy_directive *directive, hy_text *out) {
  hy_text_printf(out, "%s(", directive->type->name);
  print_arguments(directive, out);
  hy_text_add(out, ");");
}
