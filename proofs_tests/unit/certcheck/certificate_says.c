#include "proofs_tests/unit/certcheck/certificate_says.h"

#include "oracle/prover/prover_internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_like(certificate_reader *r, int line, const hy_expr *expr);

static const slice_row *row_at(const certificate_reader *r, int line) {
  const slice_file *f = r->file;
  return line >= 1 && line <= f->lines ? &f->rows[f->positions[line]] : NULL;
}

static bool is_op(const slice_row *row, const char *op) { return strcmp(row->words[1], op) == 0; }

// The text of the words from "first" on, against the printed expression; blanks do not count. A name is cut off at 120.
static bool is_named(const slice_row *row, int first, const hy_expr *expr) {
  hy_text printed = {0};
  hy_expr_print(expr, &printed);
  const char *at = hy_text_string(&printed);
  size_t compared = 0;
  bool same = true;
  for (int i = first; i < row->count && same; i++)
    for (const char *p = row->words[i]; *p && same; p++, compared++) {
      while (*at == ' ' || *at == '\n') at++;
      same = *at++ == *p;
    }
  while (same && *at == ' ') at++;
  same = same && (*at == '\0' || compared > 60);
  hy_text_free(&printed);
  return same;
}

static bool is_constant(const slice_row *row, const hy_expr *expr) {
  hy_text printed = {0};
  hy_expr_print(expr, &printed);
  if (hy_type_class_of(expr->type) == HY_CLASS_FLOAT)
    return is_op(row, "int") && atoll(row->words[2]) == hy_float_rank(expr->value);
  bool same = expr->type == HY_BOOL ? is_op(row, hy_text_string(&printed))
                                    : is_op(row, "int") && strstr(hy_text_string(&printed), row->words[2]);
  if (same && expr->type == HY_INT) same = strcmp(hy_text_string(&printed), row->words[2]) == 0;
  hy_text_free(&printed);
  return same;
}

static bool are_arguments(certificate_reader *r, const slice_row *row, const hy_expr *expr) {
  if (row->count < 2 + expr->count) return false;
  for (int i = 0; i < expr->count; i++)
    if (!is_like(r, atoi(row->words[2 + i]), expr->args[i])) return false;
  return true;
}

// An operator of ours as the file spells it; NULL for those that become something else.
static const char *spelling(const hy_expr *expr) {
  bool of_bools = expr->count > 0 && expr->args[0]->type == HY_BOOL;
  switch ((int)expr->op) {
  case HY_OP_AND: return "and";
  case HY_OP_OR: return "or";
  case HY_OP_NOT: return "not";
  case HY_OP_NEG: return "neg";
  case HY_OP_MIN: return "min";
  case HY_OP_MAX: return "max";
  case HY_OP_ABS: return "abs";
  case HY_OP_SELECT: return expr->type == HY_BOOL ? "cond" : "select";
  case HY_OP_EQ: return of_bools ? "iff" : "==";
  case HY_OP_NE: return of_bools ? NULL : "!=";
  case HY_OP_ADD:
  case HY_OP_SUB:
  case HY_OP_MUL:
  case HY_OP_DIV:
  case HY_OP_MOD:
  case HY_OP_LT:
  case HY_OP_LE:
  case HY_OP_GT:
  case HY_OP_GE: return hy_op_spelling(expr->op);
  }
  return NULL;
}

// f32.add and its arguments.
static bool is_of_floats(certificate_reader *r, const slice_row *row, const hy_expr *expr, hy_monotone op) {
  hy_text name = {0};
  hy_monotone_print(op, &name);
  bool same = is_op(row, "apply") && strcmp(row->words[2], hy_text_string(&name)) == 0 && row->count >= 3 + expr->count;
  for (int i = 0; i < expr->count && same; i++) same = is_like(r, atoi(row->words[3 + i]), expr->args[i]);
  hy_text_free(&name);
  return same;
}

// A float against a number: ranks.
static bool is_plain(certificate_reader *r, const slice_row *row, const hy_expr *expr) {
  const slice_row *limit = row->count > 3 ? row_at(r, atoi(row->words[3])) : NULL;
  return is_op(row, hy_op_spelling(expr->op)) && is_like(r, atoi(row->words[2]), expr->args[0]) && limit &&
         is_op(limit, "int") && atoll(limit->words[2]) == hy_floats_limit(expr);
}

static bool is_operation(certificate_reader *r, const slice_row *row, const hy_expr *expr) {
  const char *op = spelling(expr);
  if (op) return is_op(row, op) && are_arguments(r, row, expr);
  if (expr->op == HY_OP_CAST) return is_like(r, atoi(row->words[0]), expr->args[0]);
  return is_op(row, "*") || is_op(row, "/") || is_op(row, "-") || is_op(row, "mask") ||
         is_op(row, "not"); // shifts, bits
}

static bool is_like_anew(certificate_reader *r, const slice_row *row, int line, const hy_expr *expr) {
  hy_monotone op;
  const hy_expr *plain = hy_floats_plain(r->context, expr);
  if (plain != expr) return is_like(r, line, plain);
  if (hy_floats_is_plain(expr)) return is_plain(r, row, expr);
  if (hy_terms_is_monotone(expr, &op)) return is_of_floats(r, row, expr, op);
  bool converts = expr->kind == HY_EXPR_OP && expr->op == HY_OP_CAST; // the same number
  if (is_op(row, "unknown")) return is_named(row, 3, expr) || (converts && is_like(r, line, expr->args[0]));
  if (is_op(row, "atom")) return is_named(row, 2, expr);
  if (is_op(row, "of")) return is_like(r, atoi(row->words[2]), expr);
  if (expr->kind == HY_EXPR_CONST) return is_constant(row, expr);
  if (expr->kind != HY_EXPR_OP) return false;
  if (converts && expr->type == HY_INT && is_like(r, line, expr->args[0])) return true;
  if (!is_op(row, "wrap")) return is_operation(r, row, expr);
  const slice_row *whole = row_at(r, atoi(row->words[3]));
  bool is_type = strcmp(row->words[2], hy_type_name(expr->type)) == 0;
  return whole && is_type && (is_operation(r, whole, expr) || is_op(whole, "unknown"));
}

static bool is_like(certificate_reader *r, int line, const hy_expr *expr) {
  const slice_row *row = row_at(r, line);
  if (!row) return false;
  if (hy_pair_map_get(&r->alike, expr, row)) return true;
  if (hy_pair_map_get(&r->unlike, expr, row)) return false;
  bool like = is_like_anew(r, row, line, expr);
  hy_pair_map_put(like ? &r->alike : &r->unlike, expr, row, row);
  return like;
}

void certificate_reader_free(certificate_reader *r) {
  hy_pair_map_free(&r->alike);
  hy_pair_map_free(&r->unlike);
}

/* -- the goal -- */

typedef struct {
  int part;
  const hy_expr *found;
} numbers;

static void see_number(void *self, const hy_expr *node) {
  numbers *n = self;
  if (node->kind == HY_EXPR_OP && node->type == HY_INT && --n->part == 0) n->found = node;
}

static bool is_goal(certificate_reader *r, int goal, const hy_obligation *o, int part) {
  if (!o->decided_by_range) return part == 0 && is_like(r, goal, o->goal);
  numbers n = {part ? part : 1, NULL};
  hy_expr_visit(o->fitting, see_number, &n);
  if (part == 0) return !n.found && is_op(row_at(r, goal), "true"); // nothing is computed
  const slice_row *both = row_at(r, goal);
  return n.found && is_op(both, "and") &&
         is_like(r, atoi(both->words[2]),
                 hy_expr_binary(r->context, HY_OP_GE, n.found, hy_expr_int(r->context, INT64_MIN))) &&
         is_like(r, atoi(both->words[3]),
                 hy_expr_binary(r->context, HY_OP_LE, n.found, hy_expr_int(r->context, INT64_MAX)));
}

static const slice_row *row_of(const slice_file *file, int at, const char *first_word) {
  while (!slice_is(&file->rows[at], first_word)) at++;
  return &file->rows[at];
}

says certificate_says(certificate_reader *r, int at, const hy_obligation *o, int part) {
  const slice_row *head = &r->file->rows[at], *facts = row_of(r->file, at, "facts"),
                  *goal = row_of(r->file, at, "goal");
  for (int i = 3; i + 2 < head->count; i++) {
    const char *next = head->words[i + 1];
    if (strcmp(head->words[i], "(for") == 0 && (strcmp(next, "any") == 0 || strcmp(next, "named") == 0))
      return SAYS_MORE;
  }
  if (facts->count != 1 + (int)o->fact_count || !is_goal(r, atoi(goal->words[1]), o, part)) return SAYS_ELSE;
  for (size_t i = 0; i < o->fact_count; i++)
    if (!is_like(r, atoi(facts->words[1 + i]), o->facts[i])) return SAYS_ELSE;
  return SAYS_IT;
}
