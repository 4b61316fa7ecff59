/* Expressions as written, as text that reads back to the same tree: the parentheses that were written, and those that
 * are needed where something was written out ("8*k" of a k that is -1).
 */

#include "semantics/alg/expand/expand.h"
#include "semantics/text/syntax_internal.h"

// Where it stands: the least precedence that needs no parentheses.
enum { NO_OPERAND = 0, PREFIX = 12, POSTFIX = 13, ALWAYS = 14 };

static void print(const hy_syntax *syntax, int least, hy_text *out);

static void print_list(const hy_syntax *const *list, int count, hy_text *out) {
  for (int i = 0; i < count; i++) {
    if (i) hy_text_add(out, ", ");
    print(list[i], NO_OPERAND, out);
  }
}

static void print_reduction(const hy_written_reduction *r, hy_text *out) {
  hy_text_add(out, hy_reduction_name(r->reduction));
  if (r->name.text) hy_text_printf(out, " %s", r->name.text);
  hy_text_add(out, "(rdom(");
  for (int i = 0; i < r->rdom_count; i++) {
    hy_text_printf(out, "%s%s = (", i ? ", " : "", r->rdoms[i].name.text);
    print_list((const hy_syntax *[]){r->rdoms[i].min, r->rdoms[i].len}, 2, out);
    hy_text_add(out, ")");
  }
  hy_text_add(out, ") in ");
  print(r->body, NO_OPERAND, out);
  if (r->predicate) {
    hy_text_add(out, " if ");
    print(r->predicate, NO_OPERAND, out);
  }
  hy_text_add(out, ")");
}

static bool is_literal(const hy_syntax *syntax) {
  return syntax->kind == HY_SYNTAX_INTEGER || syntax->kind == HY_SYNTAX_FLOAT;
}

// "-" right before a number belongs to the number, and -k of a k that is 3 is -(3).
static bool keeps_away(const hy_syntax *syntax) {
  const hy_syntax *operand = syntax->args[0];
  bool negates = operand->kind == HY_SYNTAX_OP && operand->count == 1 && operand->op == HY_OP_NEG;
  return syntax->op == HY_OP_NEG && !operand->in_parentheses && (is_literal(operand) || negates);
}

static void print_op(const hy_syntax *syntax, hy_text *out) {
  int precedence = hy_op_precedence(syntax->op);
  if (syntax->count == 1) {
    hy_text_add(out, hy_op_spelling(syntax->op));
    print(syntax->args[0], keeps_away(syntax) ? ALWAYS : PREFIX, out);
    return;
  }
  print(syntax->args[0], precedence, out);
  hy_text_printf(out, " %s ", hy_op_spelling(syntax->op));
  print(syntax->args[1], precedence + 1, out);
}

static void print_words(const hy_syntax *syntax, const char *const words[3], hy_text *out) {
  for (int i = 0; i < syntax->count; i++) {
    hy_text_add(out, words[i]);
    print(syntax->args[i], NO_OPERAND, out);
  }
}

static void print_bare(const hy_syntax *syntax, hy_text *out) {
  switch (syntax->kind) {
  case HY_SYNTAX_INTEGER:
  case HY_SYNTAX_FLOAT:
  case HY_SYNTAX_BOOL:
  case HY_SYNTAX_NAME: hy_text_printf(out, "%s%s", syntax->is_negative ? "-" : "", syntax->text); return;
  case HY_SYNTAX_MEMBER:
    print(syntax->args[0], POSTFIX, out);
    hy_text_printf(out, ".%s", syntax->text);
    return;
  case HY_SYNTAX_CALL:
  case HY_SYNTAX_INDEX:
    print(syntax->args[0], POSTFIX, out);
    hy_text_add(out, syntax->kind == HY_SYNTAX_CALL ? "(" : "[");
    print_list(syntax->args + 1, syntax->count - 1, out);
    hy_text_add(out, syntax->kind == HY_SYNTAX_CALL ? ")" : "]");
    return;
  case HY_SYNTAX_OP: print_op(syntax, out); return;
  case HY_SYNTAX_LET:
    hy_text_printf(out, "let %s", syntax->text);
    print_words(syntax, (const char *const[]){" = ", " in ", ""}, out);
    return;
  case HY_SYNTAX_CHOICE: print_words(syntax, (const char *const[]){"if ", " then ", " else "}, out); return;
  case HY_SYNTAX_INTERVAL:
  case HY_SYNTAX_TUPLE:
    hy_text_add(out, "(");
    print_list(syntax->args, syntax->count, out);
    hy_text_add(out, ")");
    return;
  case HY_SYNTAX_REDUCTION: print_reduction(syntax->reduction, out); return;
  case HY_SYNTAX_HOLE:
  case HY_SYNTAX_START: break; // no expression of an algorithm or a schedule as it is written
  }
  HY_UNREACHABLE();
}

// How tightly it holds together.
static int precedence_of(const hy_syntax *syntax) {
  switch (syntax->kind) {
  case HY_SYNTAX_OP: return syntax->count == 1 ? PREFIX : hy_op_precedence(syntax->op);
  case HY_SYNTAX_LET:
  case HY_SYNTAX_CHOICE: return NO_OPERAND;
  case HY_SYNTAX_INTEGER:
  case HY_SYNTAX_FLOAT: return syntax->is_negative ? PREFIX : POSTFIX;
  case HY_SYNTAX_BOOL:
  case HY_SYNTAX_NAME:
  case HY_SYNTAX_MEMBER:
  case HY_SYNTAX_CALL:
  case HY_SYNTAX_INDEX:
  case HY_SYNTAX_HOLE:
  case HY_SYNTAX_INTERVAL:
  case HY_SYNTAX_TUPLE:
  case HY_SYNTAX_REDUCTION:
  case HY_SYNTAX_START: return POSTFIX;
  }
  HY_UNREACHABLE();
}

static void print(const hy_syntax *syntax, int least, hy_text *out) {
  bool inside = syntax->in_parentheses || precedence_of(syntax) < least;
  if (inside) hy_text_add(out, "(");
  print_bare(syntax, out);
  if (inside) hy_text_add(out, ")");
}

void hy_syntax_print(const hy_syntax *syntax, hy_text *out) { print(syntax, NO_OPERAND, out); }
