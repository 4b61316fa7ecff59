/* The verbs that all three parsers are written with. */

#include "semantics/text/habits.h"

#include <string.h>

void hy_parser_open(hy_parser *parser, hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  *parser = (hy_parser){.context = context, .source = source, .diagnostics = diagnostics};
  parser->first_error = hy_diagnostics_errors(diagnostics);
  parser->is_no_text = !hy_lex(context, source, diagnostics, &parser->tokens);
}

void hy_parser_close(hy_parser *parser) {
  hy_vec_free(&parser->tokens);
  hy_vec_free(&parser->included);
}

bool hy_parser_failed(const hy_parser *parser) {
  return hy_diagnostics_errors(parser->diagnostics) > parser->first_error;
}

bool hy_parser_gave_up(const hy_parser *parser) {
  return parser->is_no_text || hy_diagnostics_errors(parser->diagnostics) - parser->first_error >= HY_MAX_SYNTAX_ERRORS;
}

const hy_token *hy_parser_peek(const hy_parser *parser, size_t ahead) {
  size_t last = parser->tokens.count - 1;
  return &parser->tokens.data[parser->next + ahead < last ? parser->next + ahead : last];
}

hy_loc hy_parser_loc(const hy_parser *parser) { return hy_parser_peek(parser, 0)->loc; }

bool hy_parser_at(const hy_parser *parser, const char *text) {
  const hy_token *token = hy_parser_peek(parser, 0);
  return token->text[0] == text[0] && (token->kind == HY_TOKEN_NAME || token->kind == HY_TOKEN_PUNCTUATION) &&
         strcmp(token->text, text) == 0;
}

bool hy_parser_at_end(const hy_parser *parser) { return hy_parser_peek(parser, 0)->kind == HY_TOKEN_END; }

static void advance(hy_parser *parser) {
  if (!hy_parser_at_end(parser)) parser->next++;
}

bool hy_parser_accept(hy_parser *parser, const char *text) {
  if (!hy_parser_at(parser, text)) return false;
  advance(parser);
  return true;
}

bool hy_parser_at_arrow(const hy_parser *parser) {
  const hy_token *less = hy_parser_peek(parser, 0), *minus = hy_parser_peek(parser, 1);
  return hy_parser_at(parser, "<") && minus->kind == HY_TOKEN_PUNCTUATION && strcmp(minus->text, "-") == 0 &&
         less->offset + 1 == minus->offset;
}

bool hy_parser_accept_arrow(hy_parser *parser) {
  if (!hy_parser_at_arrow(parser)) return false;
  advance(parser);
  advance(parser);
  return true;
}

bool hy_parser_accept_right_arrow(hy_parser *parser) {
  const hy_token *minus = hy_parser_peek(parser, 0), *greater = hy_parser_peek(parser, 1);
  if (!hy_parser_at(parser, "-") || greater->kind != HY_TOKEN_PUNCTUATION || strcmp(greater->text, ">") != 0 ||
      minus->offset + 1 != greater->offset)
    return false;
  advance(parser);
  advance(parser);
  return true;
}

static bool is_above(hy_loc a, hy_loc b) { return a.line < b.line || (a.line == b.line && a.column < b.column); }

// What to write instead of a token that other languages have.
static const char *usual_help(const char *found) {
  static const struct {
    const char *found, *help;
  } table[] = {
      {"?", "a choice is written select(condition, a, b)"},
      {"[", "coordinates stand in parentheses: f(x, y)"},
      {"=", "equality is written =="},
      {"and", "'and' is written &&"},
      {"or", "'or' is written ||"},
      {"mod", "'mod' is written %"},
      {"then", "a choice is written select(condition, a, b)"},
      {"else", "a choice is written select(condition, a, b)"},
      {"{", "braces hold a pipeline, or the stages of a func; an expression is grouped with ( )"},
  };
  for (size_t i = 0; i < HY_COUNT(table); i++)
    if (strcmp(found, table[i].found) == 0) return table[i].help;
  return NULL;
}

// Is what the lexer refused missing here? Or was something missing at the end of the file before?
static bool is_told(hy_parser *parser) {
  const hy_token *token = hy_parser_peek(parser, 0);
  const hy_token *before = parser->next ? &parser->tokens.data[parser->next - 1] : NULL;
  for (size_t i = 0; i < hy_diagnostics_count(parser->diagnostics); i++) {
    const hy_diagnostic *told = hy_diagnostics_at(parser->diagnostics, i);
    if (told->loc.source != parser->source || told->severity != HY_SEVERITY_ERROR) continue;
    if (told->code == HY_E_BAD_CHARACTER && (!before || is_above(before->loc, told->loc)) &&
        is_above(told->loc, token->loc))
      return true;
  }
  bool is_again = parser->end_is_told && token->kind == HY_TOKEN_END;
  parser->end_is_told |= token->kind == HY_TOKEN_END;
  return is_again;
}

// Has the error here been told, or is a habit, of which that is told?
static bool needs_no_more(hy_parser *parser, const char *what) {
  return hy_parser_gave_up(parser) || is_told(parser) || hy_habit_told(parser, what);
}

static void say(hy_parser *parser, const char *what, const char *help) {
  const hy_token *token = hy_parser_peek(parser, 0);
  if (token->kind == HY_TOKEN_END)
    hy_report(parser->diagnostics, HY_E_SYNTAX, token->loc, NULL, help, "expected %s, but the file ends here", what);
  else
    hy_report(parser->diagnostics, HY_E_SYNTAX, token->loc, NULL, help ? help : usual_help(token->text),
              "expected %s, found '%.40s'", what, token->text);
}

void hy_parser_unexpected(hy_parser *parser, const char *what, const char *help) {
  if (!needs_no_more(parser, what)) say(parser, what, help);
}

// What to write where "text" is missing and a bracket or ';' stands that does not belong there; NULL if that is not known.
static const char *help_of_bracket(hy_parser *parser, const char *text) {
  const hy_token *next = hy_parser_peek(parser, 1), *behind = hy_parser_peek(parser, 2);
  if (strcmp(text, ")") == 0 && hy_parser_at(parser, "{")) return "put ')' before '{'";
  if (strcmp(text, ";") == 0 && hy_parser_at(parser, ")")) return "leave this ')' out";
  if (strcmp(text, ";") == 0 && hy_parser_at(parser, "]")) return "leave this ']' out";
  bool is_list = next->kind == HY_TOKEN_NAME && strcmp(behind->text, ":") == 0;
  return strcmp(text, ")") == 0 && hy_parser_at(parser, ";") && is_list ? "write ',' in place of this ';'" : NULL;
}

bool hy_parser_expect(hy_parser *parser, const char *text, const char *where) {
  if (hy_parser_accept(parser, text)) return true;
  hy_arena *arena = hy_context_arena(parser->context);
  const hy_token *token = hy_parser_peek(parser, 0);
  const hy_token *before = parser->next ? &parser->tokens.data[parser->next - 1] : token;
  const char *what = hy_arena_printf(arena, "'%s' %s", text, where);
  if (needs_no_more(parser, what)) return false;
  const char *help = help_of_bracket(parser, text);
  if (!help) help = strcmp(before->text, "if") == 0 ? usual_help("then") : usual_help(token->text);
  if (!help && token->kind != HY_TOKEN_END && before->loc.line < token->loc.line) {
    hy_loc end = before->loc; // what is missing at the end of a line is missing there
    end.column += end.length;
    end.length = 1;
    hy_report(parser->diagnostics, HY_E_SYNTAX, end, NULL, hy_arena_printf(arena, "put '%s' here", text),
              "expected '%s' %s, found '%.40s' on line %u", text, where, token->text, token->loc.line);
    return false;
  }
  if (!help && token->kind == HY_TOKEN_END) help = hy_arena_printf(arena, "put '%s' at the end", text);
  if (!help) help = hy_arena_printf(arena, "put '%s' before '%.40s'", text, token->text);
  say(parser, what, help);
  return false;
}

const char *hy_parser_name(hy_parser *parser, const char *what, hy_loc *loc) {
  const hy_token *token = hy_parser_peek(parser, 0);
  if (token->kind != HY_TOKEN_NAME) {
    hy_parser_unexpected(parser, what, "a name is made of letters, digits and '_', and does not begin with a digit");
    return NULL;
  }
  if (token->length > HY_MAX_NAME && !hy_parser_room(parser, token->length, HY_MAX_NAME, "bytes of a name"))
    return NULL;
  if (loc) *loc = token->loc;
  advance(parser);
  return token->text;
}

bool hy_parser_room(hy_parser *parser, size_t count, size_t most, const char *what) {
  if (count < most) return true;
  hy_report(parser->diagnostics, HY_E_TOO_MANY, hy_parser_loc(parser), NULL,
            "this is a limit of the implementation: divide the program", "Halyard takes at most %zu %s", most, what);
  return false;
}

void hy_parser_recover(hy_parser *parser) {
  for (int depth = 0; !hy_parser_at_end(parser); advance(parser)) {
    if (hy_parser_at(parser, "{")) depth++;
    if (hy_parser_at(parser, "}") && depth-- == 0) return;
    if (hy_parser_at(parser, ";") && depth == 0) {
      advance(parser);
      return;
    }
  }
}

/* -- words -- */

bool hy_is_reserved_word(const char *name) {
  static const char *const words[] = {"true", "false", "let", "if", "clamp"};
  hy_type type;
  hy_op op;
  for (size_t i = 0; i < HY_COUNT(words); i++)
    if (strcmp(name, words[i]) == 0) return true;
  return hy_type_find(name, strlen(name), &type) || hy_op_find_call(name, strlen(name), &op);
}

bool hy_is_loop_word(const char *name) {
  if (name[0] != 's' && name[0] != 'z') return false;
  size_t digits = strspn(name + 1, "0123456789");
  return digits > 0 && name[1 + digits] == '\0';
}

enum { LONGEST = 32 };

// Levenshtein's distance with transpositions of neighbours; names longer than LONGEST are far from everything.
static size_t distance(const char *a, const char *b) {
  size_t rows[3][LONGEST + 1], n = strlen(a), m = strlen(b);
  if (n > LONGEST || m > LONGEST) return LONGEST;
  for (size_t j = 0; j <= m; j++) rows[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      row[j] = best;
    }
  }
  return rows[n % 3][m];
}

const char *hy_nearest_name(const char *name, const char *const *names, size_t count) {
  const char *nearest = NULL;
  size_t least = strlen(name) < 5 ? 1 : strlen(name) < 8 ? 2 : 3; // so many letters may differ
  if (strlen(name) < 2) return NULL;
  for (size_t i = 0; i < count; i++) {
    size_t d = distance(name, names[i]);
    if (d <= least && d < strlen(names[i])) nearest = names[i], least = d - (d > 0);
  }
  return nearest;
}
