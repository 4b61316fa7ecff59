/* Expressions as written: precedence climbing over ops.def.
 *
 *   expression = unary { binary operator unary }            precedence and spelling: ops.def; left associative
 *   unary      = "-" number | ("-" | "!" | "~") unary | let | choice | postfix
 *   let        = "let" name "=" expression "in" expression
 *   choice     = "if" expression "then" expression "else" expression
 *   postfix    = primary { "." name | "(" [arguments] ")" | "[" [arguments] "]" }
 *   primary    = number | "true" | "false" | name | "(" expression {"," expression} ")" | "?" [postfix] | reduction
 *                                                            reduction: parse_reduction.c
 */

#include "semantics/text/habits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOWEST = 1, PRECEDENCE_EQUAL = 7, PRECEDENCE_COMPARE = 8 };

static const hy_syntax *parse_binary(hy_parser *parser, int least);
static const hy_syntax *parse_unary(hy_parser *parser);

/* -- nodes -- */

static void too_deep(hy_parser *parser, hy_loc loc, const char *what, int limit) {
  hy_report(parser->diagnostics, HY_E_TOO_DEEP, loc, NULL, HY_HELP_DIVIDE, "%s more than %d levels", what, limit);
}

// From the token "first" to the token before the next one.
static hy_loc span(const hy_parser *parser, size_t first) {
  const hy_token *from = &parser->tokens.data[first];
  const hy_token *to = parser->next > first ? &parser->tokens.data[parser->next - 1] : from;
  hy_loc loc = from->loc;
  loc.length = (uint32_t)(to->offset + to->length - from->offset);
  if (!loc.length) loc.length = 1;
  return loc;
}

// What write_out.c makes something else of.
static bool is_written_out(hy_syntax_kind kind) {
  return kind != HY_SYNTAX_CHOICE && kind != HY_SYNTAX_REDUCTION && kind != HY_SYNTAX_INDEX;
}

// A node whose text begins at the token "first" and ends before the next token.
static const hy_syntax *make(hy_parser *parser, hy_syntax model, size_t first, const hy_syntax *const *args,
                             size_t count) {
  hy_arena *arena = parser->arena ? parser->arena : hy_context_arena(parser->context);
  hy_syntax *node = HY_NEW(arena, hy_syntax);
  *node = model;
  node->loc = span(parser, first);
  node->offset = parser->tokens.data[first].offset;
  if (!node->place.source) node->place = node->loc;
  node->is_written_out = is_written_out(node->kind);
  node->count = (int)count;
  const hy_syntax **copy = HY_NEW_ARRAY(arena, const hy_syntax *, count);
  for (size_t i = 0; i < count; i++) {
    copy[i] = args[i];
    node->is_written_out &= args[i]->is_written_out;
  }
  node->args = copy;
  hy_syntax_sum_up(node);
  if (node->height <= HY_MAX_HEIGHT) return node;
  too_deep(parser, node->loc, "this expression is a tree of", HY_MAX_HEIGHT);
  return NULL;
}

static const hy_token *take(hy_parser *parser) {
  const hy_token *token = hy_parser_peek(parser, 0);
  parser->next++;
  return token;
}

/* -- operators -- */

static bool find_op(const hy_token *token, int arity, hy_op *op) {
  static const hy_op all[] = {
#define HY_OP(name, ...) HY_OP_##name,
#include "semantics/ops.def"
#undef HY_OP
  };
  if (token->kind != HY_TOKEN_PUNCTUATION || strchr("(){}[],;:.?@", token->text[0])) return false;
  for (size_t i = 0; i < HY_COUNT(all); i++)
    if (hy_op_arity(all[i]) == arity && hy_op_precedence(all[i]) > 0 && hy_op_spelling(all[i])[0] == token->text[0] &&
        strcmp(hy_op_spelling(all[i]), token->text) == 0)
      return *op = all[i], true;
  return false;
}

// a < b < c is refused, and a == b == c too: neither means what it says.
static bool chains(hy_parser *parser, const hy_syntax *left, hy_op op, hy_loc place) {
  int precedence = hy_op_precedence(op);
  if (precedence != PRECEDENCE_EQUAL && precedence != PRECEDENCE_COMPARE) return false;
  if (left->kind != HY_SYNTAX_OP || left->in_parentheses || hy_op_precedence(left->op) != precedence) return false;
  if (left->count != 2) return false;
  if (hy_habit_told(parser, "")) return true;
  const char *a = hy_syntax_quote(parser->context, left->args[0]), *b = hy_syntax_quote(parser->context, left->args[1]);
  char *help = hy_arena_printf(hy_context_arena(parser->context), "write %s %s %s && %s %s ..., or use parentheses", a,
                               hy_op_spelling(left->op), b, b, hy_op_spelling(op));
  hy_report(parser->diagnostics, HY_E_CHAINED_COMPARISON, place, NULL, help, "comparisons do not chain");
  return true;
}

static const hy_syntax *parse_binary(hy_parser *parser, int least) {
  size_t first = parser->next;
  const hy_syntax *left = parse_unary(parser);
  hy_op op;
  while (left && find_op(hy_parser_peek(parser, 0), 2, &op) && hy_op_precedence(op) >= least) {
    hy_loc place = hy_parser_loc(parser);
    if (chains(parser, left, op, place)) return NULL;
    parser->next++;
    const hy_syntax *right = parse_binary(parser, hy_op_precedence(op) + 1);
    if (!right) return NULL;
    left = make(parser, (hy_syntax){.kind = HY_SYNTAX_OP, .op = op, .place = place}, first,
                (const hy_syntax *[]){left, right}, 2);
  }
  return left;
}

/* -- what stands at the leaves -- */

static const hy_syntax *parse_number(hy_parser *parser, bool is_negative) {
  size_t first = parser->next - is_negative;
  const hy_token *token = take(parser);
  hy_syntax_kind kind = token->kind == HY_TOKEN_FLOAT ? HY_SYNTAX_FLOAT : HY_SYNTAX_INTEGER;
  return make(parser, (hy_syntax){.kind = kind, .text = token->text, .is_negative = is_negative}, first, NULL, 0);
}

// (a, b): an interval or a tuple, as where it stands has it; (a, b, c): a tuple
static const hy_syntax *parse_tuple(hy_parser *parser, size_t first, const hy_syntax *item) {
  hy_loc comma = hy_parser_loc(parser);
  hy_syntaxes list = {0};
  const hy_syntax *tuple = NULL;
  bool good = true;
  hy_vec_push(&list, item);
  while (good && hy_parser_accept(parser, ",")) {
    good = (item = hy_parse_expression(parser)) != NULL;
    if (good) hy_vec_push(&list, item);
  }
  hy_syntax_kind kind = list.count == 2 ? HY_SYNTAX_INTERVAL : HY_SYNTAX_TUPLE;
  if (good && hy_parser_expect(parser, ")", "after the last value, or ','"))
    tuple = make(parser, (hy_syntax){.kind = kind, .place = comma}, first, list.data, list.count);
  hy_vec_free(&list);
  return tuple;
}

static const hy_syntax *parse_parentheses(hy_parser *parser) {
  size_t first = parser->next++;
  const hy_syntax *inner = hy_parse_expression(parser);
  if (!inner) return NULL;
  if (hy_parser_at(parser, ",")) return parse_tuple(parser, first, inner);
  if (!hy_parser_expect(parser, ")", "after the expression")) return NULL;
  hy_syntax *grouped = (hy_syntax *)inner; // it was made here, and nobody else has seen it
  grouped->in_parentheses = true;
  grouped->loc = span(parser, first);
  grouped->offset = parser->tokens.data[first].offset;
  return grouped;
}

// What to write where an operand is missing; some operators of other languages are two of ours.
static const char *operand_help(const hy_parser *parser) {
  const char *found = hy_parser_peek(parser, 0)->text;
  const char *before = parser->next ? parser->tokens.data[parser->next - 1].text : "";
  if (strcmp(before, "*") == 0 && strcmp(found, "*") == 0) return "a power is written a*a, or pow(a, b) on floats";
  if (strcmp(before, "+") == 0 && strcmp(found, "+") == 0) return "nothing is changed in place: write e + 1";
  return "an expression is a number, a name, f(x, y), -e, a + b, or (e)";
}

static const hy_syntax *parse_reduction(hy_parser *parser) {
  size_t first = parser->next;
  hy_loc word = hy_parser_loc(parser);
  hy_written_reduction *reduction = HY_NEW(hy_context_arena(parser->context), hy_written_reduction);
  if (!hy_parse_reduction(parser, reduction)) return NULL;
  hy_syntaxes list = {0};
  hy_vec_push(&list, reduction->body);
  if (reduction->predicate) hy_vec_push(&list, reduction->predicate);
  for (int i = 0; i < reduction->rdom_count; i++) {
    hy_vec_push(&list, reduction->rdoms[i].min);
    hy_vec_push(&list, reduction->rdoms[i].len);
  }
  const hy_syntax *node = make(parser, (hy_syntax){.kind = HY_SYNTAX_REDUCTION, .reduction = reduction, .place = word},
                               first, list.data, list.count);
  hy_vec_free(&list);
  return node;
}

static const hy_syntax *parse_primary(hy_parser *parser) {
  size_t first = parser->next;
  const hy_token *token = hy_parser_peek(parser, 0);
  switch (token->kind) {
  case HY_TOKEN_INTEGER:
  case HY_TOKEN_FLOAT: return parse_number(parser, false);
  case HY_TOKEN_NAME: {
    if (hy_parser_at_reduction(parser)) return parse_reduction(parser);
    parser->next++;
    bool is_bool = strcmp(token->text, "true") == 0 || strcmp(token->text, "false") == 0;
    hy_syntax_kind kind = is_bool ? HY_SYNTAX_BOOL : HY_SYNTAX_NAME;
    return make(parser, (hy_syntax){.kind = kind, .text = token->text}, first, NULL, 0);
  }
  case HY_TOKEN_PUNCTUATION:
    if (hy_parser_at(parser, "(")) return parse_parentheses(parser);
    break;
  case HY_TOKEN_STRING:
  case HY_TOKEN_END: break;
  }
  hy_parser_unexpected(parser, "an expression", operand_help(parser));
  return NULL;
}

bool hy_parse_arguments(hy_parser *parser, const char *close, hy_syntaxes *list) {
  if (hy_parser_accept(parser, close)) return true;
  do {
    const hy_syntax *argument = hy_parse_expression(parser);
    if (!argument) return false;
    hy_vec_push(list, argument);
  } while (hy_parser_accept(parser, ","));
  return hy_parser_expect(parser, close, "after the last argument, or ','");
}

static const hy_syntax *parse_call(hy_parser *parser, size_t first, const hy_syntax *callee) {
  bool brackets = hy_parser_at(parser, "[");
  hy_syntaxes list = {0};
  const hy_syntax *call = NULL;
  parser->next++;
  hy_vec_push(&list, callee);
  if (hy_parse_arguments(parser, brackets ? "]" : ")", &list))
    call = make(parser, (hy_syntax){.kind = brackets ? HY_SYNTAX_INDEX : HY_SYNTAX_CALL}, first, list.data, list.count);
  hy_vec_free(&list);
  return call;
}

static const hy_syntax *parse_postfix(hy_parser *parser) {
  size_t first = parser->next;
  const hy_syntax *node = parse_primary(parser);
  while (node) {
    if (hy_parser_at(parser, "(") || hy_parser_at(parser, "[")) {
      node = parse_call(parser, first, node);
    } else if (hy_parser_accept(parser, ".")) {
      hy_loc place = {0};
      const char *text = hy_parser_name(parser, "a name after '.'", &place);
      if (!text) return NULL;
      node = make(parser, (hy_syntax){.kind = HY_SYNTAX_MEMBER, .text = text, .place = place}, first, &node, 1);
    } else {
      break;
    }
  }
  return node;
}

static const hy_syntax *parse_hole(hy_parser *parser) {
  size_t first = parser->next++;
  const hy_syntax *inner = NULL;
  if (hy_parser_peek(parser, 0)->kind == HY_TOKEN_NAME && !(inner = parse_postfix(parser))) return NULL;
  return make(parser, (hy_syntax){.kind = HY_SYNTAX_HOLE}, first, &inner, inner != NULL);
}

static const hy_syntax *parse_let(hy_parser *parser) {
  size_t first = parser->next++;
  hy_loc place = {0};
  const char *text = hy_parser_name(parser, "a name after 'let'", &place);
  if (!text || !hy_parser_expect(parser, "=", "after the name of a let")) return NULL;
  const hy_syntax *value = hy_parse_expression(parser);
  if (!value || !hy_parser_expect(parser, "in", "after the value of a let")) return NULL;
  const hy_syntax *body = hy_parse_expression(parser);
  if (!body) return NULL;
  return make(parser, (hy_syntax){.kind = HY_SYNTAX_LET, .text = text, .place = place}, first,
              (const hy_syntax *[]){value, body}, 2);
}

static bool expect_arm(hy_parser *parser, const char *word) {
  if (hy_parser_accept(parser, word)) return true;
  hy_parser_unexpected(parser,
                       strcmp(word, "then") == 0 ? "'then' after the condition" : "'else' after the first choice",
                       "a choice at each point is written select(condition, a, b); if c then a else b chooses in the "
                       "text, by a constant");
  return false;
}

// The words that follow "if" say what it is: an update's predicate stands behind its value.
static const hy_syntax *parse_choice(hy_parser *parser) {
  size_t first = parser->next;
  const hy_syntax *args[3];
  hy_loc place = take(parser)->loc;
  if (!(args[0] = hy_parse_expression(parser)) || !expect_arm(parser, "then")) return NULL;
  if (!(args[1] = hy_parse_expression(parser)) || !expect_arm(parser, "else")) return NULL;
  if (!(args[2] = hy_parse_expression(parser))) return NULL;
  return make(parser, (hy_syntax){.kind = HY_SYNTAX_CHOICE, .place = place}, first, args, 3);
}

// The sign belongs to a number that follows at once: -128 is a literal of i8, and prints as it was written.
static const hy_syntax *parse_prefix(hy_parser *parser, hy_op op) {
  size_t first = parser->next;
  const hy_token *token = take(parser), *operand = hy_parser_peek(parser, 0);
  if (op == HY_OP_NEG && (operand->kind == HY_TOKEN_INTEGER || operand->kind == HY_TOKEN_FLOAT))
    return parse_number(parser, true);
  const hy_syntax *inner = parse_unary(parser);
  if (!inner) return NULL;
  return make(parser, (hy_syntax){.kind = HY_SYNTAX_OP, .op = op, .place = token->loc}, first, &inner, 1);
}

static const hy_syntax *parse_nested(hy_parser *parser) {
  hy_op op;
  if (find_op(hy_parser_peek(parser, 0), 1, &op)) return parse_prefix(parser, op);
  if (hy_parser_at(parser, "let") && hy_parser_peek(parser, 1)->kind == HY_TOKEN_NAME) return parse_let(parser);
  if (hy_parser_at(parser, "if")) return parse_choice(parser);
  if (parser->holes && hy_parser_at(parser, "?")) return parse_hole(parser);
  return parse_postfix(parser);
}

// Every recursion of this file passes here.
static const hy_syntax *parse_unary(hy_parser *parser) {
  if (parser->nesting >= HY_MAX_NESTING_WRITTEN) {
    too_deep(parser, hy_parser_loc(parser), "expressions nest here", HY_MAX_NESTING_WRITTEN);
    return NULL;
  }
  parser->nesting++;
  const hy_syntax *node = parse_nested(parser);
  parser->nesting--;
  return node;
}

const hy_syntax *hy_parse_expression(hy_parser *parser) { return parse_binary(parser, LOWEST); }

/* -- questions -- */

hy_loc hy_syntax_loc(const hy_syntax *syntax) { return syntax->loc; }

const hy_syntax *hy_syntax_stored(const hy_syntax *syntax) {
  while (syntax->kind == HY_SYNTAX_LET) syntax = syntax->args[1];
  return syntax;
}

void hy_syntax_note_use(hy_context *context, hy_diagnostics *diagnostics, const hy_syntax *use) {
  size_t count = hy_diagnostics_count(diagnostics);
  if (!use || !count) return;
  hy_note(diagnostics, hy_diagnostics_at(diagnostics, count - 1)->code, use->loc, "'%s' stands for it here",
          hy_syntax_quote(context, use));
}

int hy_syntax_values(const hy_syntax *syntax) {
  syntax = hy_syntax_stored(syntax);
  return syntax->kind == HY_SYNTAX_INTERVAL || syntax->kind == HY_SYNTAX_TUPLE ? syntax->count : 1;
}

int hy_syntax_part(const hy_syntax *index) {
  const hy_syntax *number = index->count == 2 ? index->args[1] : NULL;
  if (!number || number->kind != HY_SYNTAX_INTEGER || number->is_negative) return -1;
  uint64_t part = strtoull(number->text, NULL, 0);
  return part < HY_MAX_PARTS ? (int)part : HY_MAX_PARTS;
}

const hy_syntax *hy_syntax_at(hy_context *context, hy_syntax model, const hy_syntax *at, const hy_syntax *const *args,
                              int count) {
  hy_syntax *node = HY_NEW(hy_context_arena(context), hy_syntax);
  const hy_syntax **copy = HY_NEW_ARRAY(hy_context_arena(context), const hy_syntax *, count);
  *node = model;
  node->loc = at->loc;
  node->place = at->place;
  node->offset = at->offset;
  if (!hy_syntax_use(node)) node->written_for = at->written_for;
  for (int i = 0; i < count; i++) copy[i] = args[i];
  node->args = copy;
  node->count = count;
  hy_syntax_sum_up(node);
  return node;
}

int hy_syntax_path(const hy_syntax *syntax, const char **path, int room) {
  if (syntax->in_parentheses || room <= 0) return 0;
  if (syntax->kind == HY_SYNTAX_NAME) return path[0] = syntax->text, 1;
  if (syntax->kind != HY_SYNTAX_MEMBER) return 0;
  int count = hy_syntax_path(syntax->args[0], path, room - 1);
  if (count) path[count++] = syntax->text;
  return count;
}

const char *hy_text_quote(hy_context *context, const char *from, size_t size, size_t longest) {
  char text[HY_LONGEST_QUOTE + 4];
  size_t length = 0, i = 0;
  for (; i < size && length < longest; i++) {
    bool blank = (unsigned char)from[i] <= ' ';
    if (!blank || (length && text[length - 1] != ' ')) text[length++] = blank ? ' ' : from[i];
  }
  if (i < size) length = (size_t)snprintf(text + length, 4, "...") + length;
  return hy_context_name(context, text, length);
}

const char *hy_syntax_quote(hy_context *context, const hy_syntax *syntax) {
  return hy_text_quote(context, syntax->loc.source->text + syntax->offset, syntax->loc.length, HY_SHORT_QUOTE);
}
