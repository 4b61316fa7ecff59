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
  case HY_ASSUME_PARAM: return "parameter";
  case HY_ASSUME_REQUIRE: return "require";
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

bool hy_takes_name(hy_takes argument) {
  return argument == HY_TAKES_INNER || argument == HY_TAKES_AROUND || argument == HY_TAKES_NAME;
}

bool hy_takes_expr(hy_takes argument) { return argument >= HY_TAKES_FACTOR && argument <= HY_TAKES_REMAINDER; }

int hy_directive_place(const hy_directive_type *type, int position) {
  int place = 0;
  for (int i = 0; i < position; i++)
    place += hy_takes_name(type->arguments[position]) ? hy_takes_name(type->arguments[i])
                                                      : hy_takes_expr(type->arguments[i]);
  return place;
}

int hy_directive_find(const hy_directive_type *type, hy_takes argument) {
  for (int i = 0; type->arguments[i] != HY_TAKES_END; i++)
    if (type->arguments[i] == argument) return hy_directive_place(type, i);
  return -1;
}

static void print_conditions(const hy_directive *d, hy_text *out) {
  for (int i = 0; i < d->condition_count; i++) {
    if (i) hy_text_add(out, ", ");
    hy_expr_print(d->conditions[i], out);
  }
}

static void print_dimensions(const hy_directive *d, hy_text *out) {
  for (int i = 0; i < d->dim_count; i++) hy_text_printf(out, "%s%s", i ? ", " : "", d->func->dims[d->dims[i]]);
}

static void print_branches(const hy_directive *d, hy_text *out) {
  for (int i = 0; i < d->reader_count; i++) {
    hy_text_printf(out, "%s%s", i ? ", " : "", d->readers[i]->name);
    if (d->branches[i] != HY_ALL_BRANCHES) hy_text_printf(out, ".z%d", d->branches[i]);
  }
}

static void print_argument(const hy_directive *d, int position, hy_text *out) {
  int place = hy_directive_place(d->type, position);
  switch (d->type->arguments[position]) {
  case HY_TAKES_END: break;
  case HY_TAKES_FUNC:
  case HY_TAKES_BUFFER:
  case HY_TAKES_SOURCE: hy_text_add(out, d->func->name); return;
  case HY_TAKES_MADE: hy_text_add(out, d->made->name); return;
  case HY_TAKES_LOOP:
  case HY_TAKES_SITE:
    if (d->loop)
      hy_var_print(d->loop, out);
    else
      hy_text_add(out, "root");
    return;
  case HY_TAKES_INNER:
  case HY_TAKES_AROUND:
  case HY_TAKES_NAME: hy_text_add(out, d->names[place]); return;
  case HY_TAKES_FACTOR:
  case HY_TAKES_LENGTH:
  case HY_TAKES_EXPR:
  case HY_TAKES_NUMBER:
  case HY_TAKES_REMAINDER: hy_expr_print(d->args[place], out); return;
  case HY_TAKES_DIMENSION: hy_text_add(out, d->func->dims[d->dim]); return;
  case HY_TAKES_DIMENSIONS: print_dimensions(d, out); return;
  case HY_TAKES_STORE: hy_text_add(out, hy_store_name(d->store)); return;
  case HY_TAKES_TAIL: hy_text_add(out, hy_tail_name(d->tail)); return;
  case HY_TAKES_TRAVERSAL: hy_text_add(out, hy_traversal_name(d->traversal)); return;
  case HY_TAKES_CONDITIONS: print_conditions(d, out); return;
  case HY_TAKES_READERS:
    for (int i = 0; i < d->reader_count; i++) hy_text_printf(out, "%s%s", i ? ", " : "", d->readers[i]->name);
    return;
  case HY_TAKES_BRANCHES: print_branches(d, out); return;
  }
  HY_UNREACHABLE();
}

void hy_directive_print(const hy_directive *d, hy_text *out) {
  const hy_takes *takes = d->type->arguments;
  hy_text_printf(out, "%s(", d->type->name);
  for (int i = 0; takes[i] != HY_TAKES_END; i++) {
    if (takes[i] == HY_TAKES_TAIL && d->tail == HY_TAIL_GUARD) continue;
    if (takes[i] == HY_TAKES_READERS && !d->reader_count) continue;
    if (i) hy_text_add(out, ", ");
    print_argument(d, i, out);
  }
  hy_text_add(out, ");");
}
