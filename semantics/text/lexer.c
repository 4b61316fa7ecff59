/* Tokens of the three languages. "<-" is not one: parse_expr.c joins "<" "-" where an update's arrow can stand. */

#include "semantics/text/habits.h"

#include <errno.h>
#include <string.h>

typedef struct lexer {
  hy_context *context;
  const hy_source *source;
  hy_diagnostics *diagnostics;
  hy_tokens *tokens;
  size_t at;
  size_t line_start;
  uint32_t line;
  size_t first_error;
  bool not_text;               // said; nothing more is read
  const char *characters[128]; // those that were met as tokens of their own, interned
} lexer;

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// The byte so far ahead, or 0 at the end of the text (a NUL inside the text is reported where it is met).
static char ahead(const lexer *lexer, size_t n) {
  return n < lexer->source->length - lexer->at ? lexer->source->text[lexer->at + n] : '\0';
}

static bool at_end(const lexer *lexer) { return lexer->at >= lexer->source->length; }

static hy_loc loc_here(const lexer *lexer, size_t length) {
  return (hy_loc){lexer->source, lexer->line, (uint32_t)(lexer->at - lexer->line_start + 1),
                  (uint32_t)(length ? length : 1)};
}

static bool gave_up(const lexer *lexer) {
  return lexer->not_text || hy_diagnostics_errors(lexer->diagnostics) - lexer->first_error >= HY_MAX_SYNTAX_ERRORS;
}

static void newline(lexer *lexer) {
  lexer->at++;
  lexer->line++;
  lexer->line_start = lexer->at;
}

static void add_as(lexer *lexer, hy_token_kind kind, size_t length, const char *text) {
  hy_vec_push(lexer->tokens, (hy_token){kind, (uint32_t)length, lexer->at, loc_here(lexer, length), text});
  lexer->at += length;
}

static void add(lexer *lexer, hy_token_kind kind, size_t length) {
  add_as(lexer, kind, length, hy_context_name(lexer->context, lexer->source->text + lexer->at, length));
}

// The language's text has no NUL anywhere; comments may hold any other byte.
static void check_nul(lexer *lexer) {
  if (ahead(lexer, 0) != '\0' || gave_up(lexer)) return;
  lexer->not_text = true;
  hy_report(lexer->diagnostics, HY_E_NOT_TEXT, loc_here(lexer, 1), NULL, "remove it; is this a text file?",
            "a NUL byte in the text");
}

// comment = "//" to the end of the line | "/*" ... "*/" (not nested)
static bool skip_comment(lexer *lexer) {
  if (ahead(lexer, 0) != '/' || (ahead(lexer, 1) != '/' && ahead(lexer, 1) != '*')) return false;
  if (ahead(lexer, 1) == '/') {
    const char *from = lexer->source->text + lexer->at;
    size_t rest = lexer->source->length - lexer->at;
    const char *newline = memchr(from, '\n', rest),
               *nul = memchr(from, '\0', newline ? (size_t)(newline - from) : rest);
    if (nul) {
      lexer->at += (size_t)(nul - from);
      check_nul(lexer);
    }
    lexer->at = newline ? (size_t)(newline - lexer->source->text) : lexer->source->length;
    return true;
  }
  hy_loc loc = loc_here(lexer, 2);
  lexer->at += 2;
  while (!at_end(lexer)) {
    if (ahead(lexer, 0) == '*' && ahead(lexer, 1) == '/') {
      lexer->at += 2;
      return true;
    }
    check_nul(lexer);
    if (ahead(lexer, 0) == '\n')
      newline(lexer);
    else
      lexer->at++;
  }
  hy_report(lexer->diagnostics, HY_E_UNTERMINATED_COMMENT, loc, NULL, "close it with */",
            "this comment does not end before the file does");
  return true;
}

static void skip_blanks(lexer *lexer) {
  for (;;) {
    char c = ahead(lexer, 0);
    if (at_end(lexer)) return;
    if (c == '\n')
      newline(lexer);
    else if (c == ' ' || c == '\t' || c == '\r')
      lexer->at++;
    else if (!skip_comment(lexer))
      return;
  }
}

// The length of the UTF-8 sequence here (overlong forms, surrogates and what lies beyond U+10FFFF are none); 0 if none.
static size_t utf8_length(const lexer *lexer) {
  unsigned char a = (unsigned char)ahead(lexer, 0), b = (unsigned char)ahead(lexer, 1);
  size_t length = a < 0x80 ? 1 : a >= 0xc2 && a < 0xe0 ? 2 : a >= 0xe0 && a < 0xf0 ? 3 : a >= 0xf0 && a < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < length; i++)
    if (((unsigned char)ahead(lexer, i) & 0xc0) != 0x80) return 0;
  if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b >= 0xa0) || (a == 0xf0 && b < 0x90) || (a == 0xf4 && b >= 0x90))
    return 0;
  return length;
}

static const char *help_of_character(lexer *lexer, char c) {
  if (c == '#') return "comments begin with //";
  if (c == '"') return hy_habit_of_string(lexer->context, lexer->source, lexer->tokens);
  if (c != '\'') return "remove it";
  char inside = ahead(lexer, 1);
  if (inside < ' ' || inside == 0x7f || inside == '\\' || ahead(lexer, 2) != '\'')
    return "there are no characters; write a number";
  return hy_arena_printf(hy_context_arena(lexer->context), "there are no characters: write %d", inside);
}

static void refuse_character(lexer *lexer, unsigned char c, size_t length) {
  if (length == 0) {
    lexer->not_text = true;
    hy_report(lexer->diagnostics, HY_E_NOT_TEXT, loc_here(lexer, 1), NULL,
              c >= 0xfe ? "this may be UTF-16; save the file as UTF-8" : "save the file as UTF-8",
              "the byte 0x%02x is not UTF-8", c);
  } else if (length > 1)
    hy_report(lexer->diagnostics, HY_E_BAD_CHARACTER, loc_here(lexer, length), NULL,
              "names are made of the letters a to z and A to Z, digits and '_'; other letters are for comments",
              "'%.*s' cannot stand here", (int)length, lexer->source->text + lexer->at);
  else if (c < ' ' || c == 0x7f)
    hy_report(lexer->diagnostics, HY_E_BAD_CHARACTER, loc_here(lexer, 1), NULL, "remove it",
              "the control character 0x%02x cannot stand here", c);
  else
    hy_report(lexer->diagnostics, HY_E_BAD_CHARACTER, loc_here(lexer, 1), NULL, help_of_character(lexer, (char)c),
              "'%c' means nothing in this language", c);
}

// What a string or a character of C would hold is no text of ours: one error, not one for each word.
static void skip_quoted(lexer *lexer, char quote) {
  size_t n = 0;
  while (ahead(lexer, n) && ahead(lexer, n) != quote && ahead(lexer, n) != '\n') n += 1 + (ahead(lexer, n) == '\\');
  if (ahead(lexer, n) == quote) lexer->at += n + 1;
}

static void bad_character(lexer *lexer) {
  char c = ahead(lexer, 0);
  size_t length = utf8_length(lexer);
  if (c == '\0')
    check_nul(lexer);
  else
    refuse_character(lexer, (unsigned char)c, length);
  lexer->at += length ? length : 1;
  if (c == '"' || c == '\'') skip_quoted(lexer, c);
}

/* -- lines of C and Python -- */

// Does a line begin here, or a statement of ours end before it?
static bool begins_line(const lexer *lexer) {
  const hy_tokens *tokens = lexer->tokens;
  const hy_token *before = tokens->count ? &tokens->data[tokens->count - 1] : NULL;
  return !before || before->loc.line < lexer->line || strchr("{};", before->text[0]);
}

static size_t line_length(const lexer *lexer) {
  size_t n = 0;
  while (lexer->at + n < lexer->source->length && ahead(lexer, n) != '\n' && ahead(lexer, n) != '\0') n++;
  return n;
}

// A line of the preprocessor, or a comment as in Python: the whole line is refused at once.
static bool foreign_line(lexer *lexer) {
  if (ahead(lexer, 0) != '#' || !begins_line(lexer)) return false;
  size_t length = line_length(lexer);
  const char *line = hy_arena_copy(hy_context_arena(lexer->context), lexer->source->text + lexer->at, length);
  const char *directive = hy_habit_of_line(lexer->context, line);
  hy_report(lexer->diagnostics, HY_E_BAD_CHARACTER, loc_here(lexer, 1), NULL,
            directive ? directive : "comments begin with //", "'#' means nothing in this language");
  for (; length-- > 0; lexer->at++) check_nul(lexer);
  return true;
}

/* -- numbers, names -- */

static bool fits_64_bits(const char *digits, size_t length) {
  enum { FIT_SURELY = 16 }; // so many characters, decimal or hexadecimal
  if (length <= FIT_SURELY) return true;
  errno = 0;
  strtoull(digits, NULL, 0);
  return errno == 0;
}

// number = digits ["." [digits]] [("e"|"E") ["+"|"-"] digits] | "0x" hexadecimal digits
static void number(lexer *lexer) {
  size_t n = 0;
  bool is_float = false, good = true;
  if (ahead(lexer, 0) == '0' && (ahead(lexer, 1) == 'x' || ahead(lexer, 1) == 'X')) {
    for (n = 2; is_hex(ahead(lexer, n));) n++;
    good = n > 2;
  } else {
    while (is_digit(ahead(lexer, n))) n++;
    if (ahead(lexer, n) == '.' && ahead(lexer, n + 1) != '.')
      for (is_float = true, n++; is_digit(ahead(lexer, n));) n++;
    if (ahead(lexer, n) == 'e' || ahead(lexer, n) == 'E') {
      size_t sign = ahead(lexer, n + 1) == '+' || ahead(lexer, n + 1) == '-';
      is_float = true;
      good = is_digit(ahead(lexer, n + 1 + sign));
      for (n += 1 + sign; is_digit(ahead(lexer, n));) n++;
    }
  }
  bool trailing = is_letter(ahead(lexer, n)) || is_digit(ahead(lexer, n));
  for (; is_letter(ahead(lexer, n)) || is_digit(ahead(lexer, n)); n++) good = false;
  hy_loc loc = loc_here(lexer, n);
  add(lexer, is_float ? HY_TOKEN_FLOAT : HY_TOKEN_INTEGER, n);
  const char *text = hy_vec_last(lexer->tokens).text;
  if (!good)
    hy_report(lexer->diagnostics, HY_E_BAD_NUMBER, loc, NULL,
              trailing ? hy_habit_of_number(lexer->context, text) : "write digits, as in 12, 0xff, 0.5 or 1.5e-3",
              "'%s' is not a number", text);
  else if (!is_float && n > 1 && text[0] == '0' && text[1] != 'x' && text[1] != 'X')
    hy_report(lexer->diagnostics, HY_E_BAD_NUMBER, loc, NULL, "leave out the leading zeros; hexadecimal is 0x...",
              "'%s' begins with a zero, which C reads as octal", text);
  else if (!is_float && !fits_64_bits(text, n))
    hy_report(lexer->diagnostics, HY_E_BAD_NUMBER, loc, NULL,
              "no integer type reaches beyond 18446744073709551615; for a float write a point",
              "%s does not fit 64 bits", text);
}

// string = '"' characters of one line '"', behind "include" only
static bool string(lexer *lexer) {
  const hy_tokens *tokens = lexer->tokens;
  if (ahead(lexer, 0) != '"' || !tokens->count || strcmp(tokens->data[tokens->count - 1].text, "include") != 0)
    return false;
  struct lexer inside = *lexer;
  size_t length = 0;
  for (inside.at++; (unsigned char)ahead(&inside, 0) >= ' ' && ahead(&inside, 0) != '"'; inside.at += length)
    if (!(length = utf8_length(&inside))) return false;
  if (ahead(&inside, 0) != '"') return false;
  add(lexer, HY_TOKEN_STRING, inside.at + 1 - lexer->at);
  return true;
}

static void name(lexer *lexer) {
  const char *from = lexer->source->text + lexer->at, *end = lexer->source->text + lexer->source->length,
             *at = from + 1;
  while (at < end && (is_letter(*at) || is_digit(*at))) at++;
  add(lexer, HY_TOKEN_NAME, (size_t)(at - from));
}

// The character that makes one token with this one, if it follows; 0: it stands alone.
static char second_of(char first) {
  switch (first) {
  case '<': return '<';
  case '>': return '>';
  case '&': return '&';
  case '|': return '|';
  case '.': return '.';
  case '=':
  case '!': return '=';
  default: return '\0';
  }
}

// "<<", "<=", "..": the longest that there is
static bool is_pair(char first, char next) {
  return (next && next == second_of(first)) || (next == '=' && (first == '<' || first == '>'));
}

static bool punctuation(lexer *lexer) {
  char first = ahead(lexer, 0);
  if (!first || !strchr("(){}[],;:=<>+-*/%&|^~!.?@", first)) return false;
  if (is_pair(first, ahead(lexer, 1))) {
    add(lexer, HY_TOKEN_PUNCTUATION, 2);
    return true;
  }
  const char **text = &lexer->characters[(unsigned char)first];
  if (!*text) *text = hy_context_name(lexer->context, &first, 1);
  add_as(lexer, HY_TOKEN_PUNCTUATION, 1, *text);
  return true;
}

static void token(lexer *lexer) {
  char first = ahead(lexer, 0);
  if (is_letter(first))
    name(lexer);
  else if (is_digit(first))
    number(lexer);
  else if (!string(lexer) && !foreign_line(lexer) && !punctuation(lexer))
    bad_character(lexer);
}

bool hy_lex(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics, hy_tokens *tokens) {
  hy_vec_reserve(tokens, source->length / 4 + 1);
  hy_expect_use(tokens->data, tokens->capacity * sizeof *tokens->data);
  return hy_lex_first(context, source, diagnostics, tokens, SIZE_MAX);
}

bool hy_lex_first(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics, hy_tokens *tokens,
                  size_t most) {
  lexer lexer = {.context = context,
                 .source = source,
                 .diagnostics = diagnostics,
                 .tokens = tokens,
                 .line = 1,
                 .first_error = hy_diagnostics_errors(diagnostics)};
  if (source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0) lexer.at = 3; // a byte order mark
  for (;;) {
    skip_blanks(&lexer);
    if (at_end(&lexer) || gave_up(&lexer) || tokens->count >= most) break;
    token(&lexer);
  }
  hy_loc loc = loc_here(&lexer, 1);
  hy_vec_push(tokens, (hy_token){HY_TOKEN_END, 0, lexer.at, loc, ""});
  return !lexer.not_text;
}
