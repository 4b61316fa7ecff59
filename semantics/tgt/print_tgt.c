/* Target programs as text; docs/language.md has the grammar. Loop variables always stand with their full names, h.s1.x,
 * so that nothing can be captured (decision D24). The func, stage and specialization of an assignment are those of the
 * labels around it.
 */

#include "semantics/text/print_internal.h"
#include "semantics/tgt/tgt.h"

#include <stdlib.h>

typedef struct {
  hy_text *out;
  hy_print_style style;
  int indent;
} printer;

static void print_statement(printer *p, const hy_stmt *stmt);

static void print_expr(printer *p, const hy_expr *expr) { hy_expr_print_styled(expr, &p->style, p->out); }

static void start_line(printer *p) {
  for (int i = 0; i < p->indent; i++) hy_text_add(p->out, "  ");
}

static void print_interval(printer *p, hy_interval interval) {
  hy_text_add(p->out, "(");
  print_expr(p, interval.min);
  hy_text_add(p->out, ", ");
  print_expr(p, interval.len);
  hy_text_add(p->out, ")");
}

static void print_box(printer *p, const hy_func *func, const hy_interval *box) {
  hy_text_add(p->out, "[");
  for (int d = 0; d < func->rank; d++) {
    if (d) hy_text_add(p->out, ", ");
    print_interval(p, box[d]);
  }
  hy_text_add(p->out, "]");
}

// block = "{" { statement } "}"
static void print_block(printer *p, const hy_stmt *body) {
  const hy_stmt *const *items = body->kind == HY_STMT_SEQ ? body->seq.items : &body;
  int count = body->kind == HY_STMT_SEQ ? body->seq.count : 1;
  hy_text_add(p->out, "{\n");
  p->indent++;
  for (int i = 0; i < count; i++) {
    start_line(p);
    print_statement(p, items[i]);
    hy_text_add(p->out, "\n");
  }
  p->indent--;
  start_line(p);
  hy_text_add(p->out, "}");
}

// assume = "assume" kind [ "(" func ")" ] ":" condition ";"    constrain = "constrain" [ func ] ":" condition ";"
static void print_assume(printer *p, const hy_stmt *stmt) {
  bool is_constraint = stmt->assume.why == HY_ASSUME_CONSTRAIN;
  if (!is_constraint) hy_text_add(p->out, "assume ");
  hy_text_add(p->out, hy_assume_name(stmt->assume.why));
  if (stmt->assume.subject) hy_text_printf(p->out, is_constraint ? " %s" : "(%s)", stmt->assume.subject->name);
  hy_text_add(p->out, ": ");
  print_expr(p, stmt->assume.condition);
  hy_text_add(p->out, ";");
}

static void print_assign(printer *p, const hy_stmt *stmt) {
  const hy_func *func = stmt->assign.func;
  hy_text_printf(p->out, "%s(", func->name);
  for (int d = 0; d < func->rank; d++) {
    if (d) hy_text_add(p->out, ", ");
    print_expr(p, stmt->assign.lhs[d]);
  }
  hy_text_add(p->out, ") <- ");
  print_expr(p, stmt->assign.rhs);
  hy_text_add(p->out, ";");
}

static const char *if_word(hy_if_kind why) {
  switch (why) {
  case HY_IF_USER: return "";
  case HY_IF_GUARD: return "guard ";
  case HY_IF_IMPLIED: return "implied ";
  case HY_IF_SPECIALIZE: return "specialize ";
  }
  HY_UNREACHABLE();
}

// if = "if" ["guard" | "implied" | "specialize"] "(" condition ")" block ["else" (if | block)]
static void print_if(printer *p, const hy_stmt *stmt) {
  for (;; stmt = stmt->branch.otherwise) {
    hy_text_printf(p->out, "if %s(", if_word(stmt->branch.why));
    print_expr(p, stmt->branch.condition);
    hy_text_add(p->out, ") ");
    print_block(p, stmt->branch.then);
    if (!stmt->branch.otherwise) return;
    hy_text_add(p->out, " else ");
    if (stmt->branch.otherwise->kind != HY_STMT_IF) break;
  }
  print_block(p, stmt->branch.otherwise);
}

static void print_vars(printer *p, const char *before, const hy_var *const *vars, int count) {
  for (int i = 0; i < count && vars[i]; i++) {
    hy_text_add(p->out, i ? ", " : before);
    hy_var_print(vars[i], p->out);
  }
}

// for = "for" ["rdom"] ["parallel" | "vectorized" | "unrolled"] loop "in" interval ["of" loop interval] block
static void print_for(printer *p, const hy_stmt *stmt) {
  hy_text_add(p->out, stmt->loop.is_pure ? "for " : "for rdom ");
  if (stmt->loop.traversal != HY_SERIAL) hy_text_printf(p->out, "%s ", hy_traversal_name(stmt->loop.traversal));
  hy_var_print(stmt->loop.var, p->out);
  hy_text_add(p->out, " in ");
  print_interval(p, stmt->loop.interval);
  if (stmt->loop.piece) {
    print_vars(p, " of ", &stmt->loop.piece->of, 1);
    hy_text_add(p->out, " ");
    print_interval(p, stmt->loop.piece->whole);
  }
  hy_text_add(p->out, " ");
  print_block(p, stmt->loop.body);
}

// origin = "by" ("split" tail "(" outer "," inner | "fuse" ("outer" | "inner") "(" fused) "," factor "," interval ")"
//        | "by" "given" directive tail "(" loop ["," loop] ";" let {"," let} ";" loop "=" inverse {"," loop "="
//          inverse} ";" interval ")"
static void print_given(printer *p, const hy_relation *given) {
  print_vars(p, "; ", given->lets, given->let_count);
  for (int i = 0; i < given->loop_count; i++) {
    print_vars(p, i ? ", " : "; ", &given->loops[i], 1);
    hy_text_add(p->out, " = ");
    print_expr(p, given->inverses[i]);
  }
}

static void print_origin(printer *p, const hy_origin *origin) {
  const hy_relation *r = origin->relation;
  if (!r) return;
  switch (r->form) {
  case HY_BY_SPLIT: hy_text_printf(p->out, " by split %s", hy_tail_name(r->tail)); break;
  case HY_BY_FUSE: hy_text_add(p->out, origin->number ? " by fuse inner" : " by fuse outer"); break;
  case HY_BY_GIVEN: hy_text_printf(p->out, " by given %s %s", r->directive, hy_tail_name(r->tail)); break;
  }
  print_vars(p, "(", origin->sources, HY_MOST_SOURCES);
  if (r->form == HY_BY_GIVEN) {
    print_given(p, r);
    hy_text_add(p->out, "; ");
  } else {
    hy_text_add(p->out, ", ");
    print_expr(p, origin->factor);
    hy_text_add(p->out, ", ");
  }
  print_interval(p, origin->range);
  hy_text_add(p->out, ")");
}

// let = "let" loop "=" expression [origin] "in" block
static void print_let(printer *p, const hy_stmt *stmt) {
  hy_text_add(p->out, "let ");
  hy_var_print(stmt->let.var, p->out);
  hy_text_add(p->out, " = ");
  print_expr(p, stmt->let.value);
  print_origin(p, &stmt->let.origin);
  hy_text_add(p->out, " in ");
  print_block(p, stmt->let.body);
}

// label = "label" func [".z" number | ".s" number] ":" (statement | block)
static void print_label(printer *p, const hy_stmt *stmt) {
  hy_text_printf(p->out, "label %s", stmt->label.func->name);
  switch (stmt->label.what) {
  case HY_LABEL_FUNC: break;
  case HY_LABEL_SPEC: hy_text_printf(p->out, ".z%d", stmt->label.number); break;
  case HY_LABEL_STAGE: hy_text_printf(p->out, ".s%d", stmt->label.number); break;
  }
  hy_text_add(p->out, ": ");
  if (stmt->label.body->kind == HY_STMT_SEQ)
    print_block(p, stmt->label.body);
  else
    print_statement(p, stmt->label.body);
}

static void print_statement(printer *p, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_NOP: hy_text_add(p->out, "nop;"); return;
  case HY_STMT_ASSUME: print_assume(p, stmt); return;
  case HY_STMT_SEQ: print_block(p, stmt); return;
  case HY_STMT_ALLOCATE:
    hy_text_printf(p->out, "allocate %s", stmt->allocate.func->name);
    print_box(p, stmt->allocate.func, stmt->allocate.box);
    hy_plan_print(stmt->allocate.plan, stmt->allocate.func->rank, stmt->allocate.func->dims, p->out);
    hy_text_add(p->out, ";");
    return;
  case HY_STMT_ASSIGN: print_assign(p, stmt); return;
  case HY_STMT_IF: print_if(p, stmt); return;
  case HY_STMT_FOR: print_for(p, stmt); return;
  case HY_STMT_LET: print_let(p, stmt); return;
  case HY_STMT_COMPUTE:
    hy_text_printf(p->out, "compute %s on ", stmt->compute.func->name);
    print_box(p, stmt->compute.func, stmt->compute.box);
    print_vars(p, " keeping ", &stmt->compute.keep, 1);
    hy_text_add(p->out, " ");
    print_block(p, stmt->compute.body);
    return;
  case HY_STMT_LABEL: print_label(p, stmt); return;
  }
  HY_UNREACHABLE();
}

// The statements of a sequence stand one below the other, each a line or more.
static void print_lines(printer *p, const hy_stmt *body) {
  const hy_stmt *const *items = body->kind == HY_STMT_SEQ ? body->seq.items : &body;
  int count = body->kind == HY_STMT_SEQ ? body->seq.count : 1;
  for (int i = 0; i < count; i++) {
    start_line(p);
    print_statement(p, items[i]);
    hy_text_add(p->out, "\n");
  }
}

// A part of a program: no names are declared in it, and "t1" of a let could be a parameter; full programs avoid that.
void hy_stmt_print(const hy_stmt *stmt, int indent, hy_text *out) {
  printer p = {out, {.typed = true, .temporary = "t"}, indent};
  print_lines(&p, stmt);
}

static void print_func(const hy_func *func, int stages, hy_text *out) {
  hy_text_add(out, "  func ");
  hy_func_print_head(func, out);
  hy_text_printf(out, ": %s%s", func->more ? "(" : "", hy_type_name(func->type));
  for (int i = 0; i < func->more; i++) hy_text_printf(out, ", %s", hy_type_name(func->more_types[i]));
  hy_text_printf(out, "%s stages %d;\n", func->more ? ")" : "", stages);
}

void hy_tgt_print(const hy_tgt *tgt, hy_text *out) {
  hy_print_names names = {0};
  char buffer[HY_TEMPORARY_SIZE];
  hy_print_names_add_signature(&names, tgt->alg);
  for (int i = 0; i < tgt->func_count; i++) hy_print_names_add_func(&names, tgt->funcs[i]);
  printer p = {out, {.typed = true, .temporary = hy_print_temporary(names.data, names.count, buffer)}, 1};
  hy_text_printf(out, "target %s", tgt->alg->name);
  hy_alg_print_signature(tgt->alg, out);
  hy_text_add(out, " on ");
  for (int i = 0; i < tgt->alg->output_count; i++) {
    if (i) hy_text_add(out, ", ");
    hy_func_print_head(tgt->alg->outputs[i].func, out);
  }
  hy_text_add(out, " {\n");
  for (int i = 0; i < tgt->func_count; i++) print_func(tgt->funcs[i], tgt->stage_counts[i], out);
  for (int i = 0; i < tgt->laid_count; i++) {
    const hy_func *func = tgt->laid[i].func;
    hy_text_printf(out, "  buffer %s in", func->name);
    hy_strides_print(&tgt->laid[i].strides, &tgt->laid[i].demanded, func->rank, func->dims, out);
    if (tgt->laid[i].align) hy_text_printf(out, " require align(%lld)", (long long)tgt->laid[i].align);
    hy_text_add(out, ";\n");
  }
  if (tgt->entry_count) {
    hy_text_add(out, "  entry {\n");
    p.indent = 2;
    for (int i = 0; i < tgt->entry_count; i++) print_lines(&p, tgt->entry[i]);
    p.indent = 1;
    hy_text_add(out, "  }\n");
  }
  print_lines(&p, tgt->body);
  hy_text_add(out, "}\n");
  hy_free(names.data);
}
