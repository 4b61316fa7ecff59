/* Rows of habits.def against the tokens around an error. */

#include "semantics/text/habits.h"

#include <string.h>

enum { MOST_ELEMENTS = 24, MOST_CAPTURES = 6, LONGEST_ELEMENT = 24 };

typedef struct {
  const char *expected, *before, *here, *is, *instead;
} habit;

static const habit habits[] = {
#define HY_HABIT(expected, before, here, is, instead) {expected, before, here, is, instead},
#include "semantics/text/habits.def"
};

typedef struct {
  size_t first, end; // tokens
} range;

typedef struct {
  const hy_parser *parser;
  range whole;
  range captures[MOST_CAPTURES];
  int count;
} match;

typedef struct {
  char text[MOST_ELEMENTS][LONGEST_ELEMENT];
  int count;
} elements;

/* -- tokens -- */

static const hy_token *token_at(const match *m, size_t i) {
  size_t last = m->parser->tokens.count - 1;
  return &m->parser->tokens.data[i < last ? i : last];
}

static bool is_text(const match *m, size_t i, const char *text) { return strcmp(token_at(m, i)->text, text) == 0; }

static bool is_one_of(const match *m, size_t i, const char *characters) {
  const hy_token *token = token_at(m, i);
  return token->kind == HY_TOKEN_PUNCTUATION && token->length == 1 && strchr(characters, token->text[0]);
}

static bool is_end(const match *m, size_t i) { return token_at(m, i)->kind == HY_TOKEN_END; }

static bool is_type(const match *m, size_t i) {
  return token_at(m, i)->kind == HY_TOKEN_NAME && hy_habit_of_type(token_at(m, i)->text);
}

static bool is_arrow(const match *m, size_t i) {
  return is_text(m, i, "<") && is_text(m, i + 1, "-") && token_at(m, i)->offset + 1 == token_at(m, i + 1)->offset;
}

// Behind the bracket that closes the one at "i"; the end of the text if none does.
static size_t close_of(const match *m, size_t i) {
  int depth = 0;
  for (; !is_end(m, i); i++) {
    depth += is_one_of(m, i, "([{") - is_one_of(m, i, ")]}");
    if (depth <= 0) return i + 1;
  }
  return i;
}

// The bracket that opens what the one at "i" closes; 0 if none does.
static size_t open_of(const match *m, size_t i) {
  int depth = 0;
  for (;; i--) {
    depth += is_one_of(m, i, ")]}") - is_one_of(m, i, "([{");
    if (depth <= 0 || i == 0) return i;
  }
}

static bool begins_operand(const match *m, size_t i) {
  hy_token_kind kind = token_at(m, i)->kind;
  return kind == HY_TOKEN_NAME || kind == HY_TOKEN_INTEGER || kind == HY_TOKEN_FLOAT || is_one_of(m, i, "(");
}

// Behind the operand that begins there: f(x, y), in.min(0), 3, (a + b)
static size_t operand_end(const match *m, size_t i) {
  i = is_one_of(m, i, "(") ? close_of(m, i) : i + 1;
  for (;;) {
    if (is_one_of(m, i, "(["))
      i = close_of(m, i);
    else if (is_one_of(m, i, ".") && token_at(m, i + 1)->kind == HY_TOKEN_NAME)
      i += 2;
    else
      return i;
  }
}

// Where the operand begins that ends before "end"; "end" itself if there is none.
static size_t operand_start(const match *m, size_t end) {
  size_t i = end;
  while (i > 0) {
    while (i > 0 && is_one_of(m, i - 1, ")]")) i = open_of(m, i - 1);
    bool is_leaf = i > 0 && begins_operand(m, i - 1) && !is_one_of(m, i - 1, "(");
    if (!is_leaf) return i;
    i--;
    if (i == 0 || !is_one_of(m, i - 1, ".")) return i;
    i--;
  }
  return i;
}

// The name behind the nearest "fun" above, of a func with that name and variables in parentheses; 0 if there is none.
static size_t definition_of(const match *m, size_t name) {
  for (size_t i = name; i-- > 0;)
    if (is_text(m, i, "fun") && i + 1 < name && is_text(m, i + 1, token_at(m, name)->text) && is_one_of(m, i + 2, "("))
      return i + 1;
  return 0;
}

/* -- rows -- */

static elements split(const char *pattern) {
  elements list = {.count = 0};
  while (*pattern) {
    size_t length = strcspn(pattern, " ");
    HY_ASSERT(list.count < MOST_ELEMENTS && length < LONGEST_ELEMENT);
    memcpy(list.text[list.count++], pattern, length);
    pattern += length + (pattern[length] == ' ');
  }
  return list;
}

static bool is_kind(const match *m, char kind, size_t i) {
  switch (kind) {
  case 'T': return is_type(m, i);
  case 'n': return token_at(m, i)->kind == HY_TOKEN_NAME && !is_text(m, i, "const");
  case 'i': return token_at(m, i)->kind == HY_TOKEN_INTEGER;
  case 'f': return token_at(m, i)->kind == HY_TOKEN_NAME && definition_of(m, i) > 0;
  default: return false;
  }
}

// Behind the names with commas between them
static size_t names_end(const match *m, size_t i) {
  while (is_kind(m, 'n', i) && is_one_of(m, i + 1, ",")) i += 2;
  return i + is_kind(m, 'n', i);
}

// Behind what the element takes from "i" on, "i" if that is nothing. "next" is the element behind it; NULL: none.
static size_t take(const match *m, char kind, size_t i, const char *next) {
  size_t start = i;
  if (kind == 'e') return begins_operand(m, i) ? operand_end(m, i) : i;
  if (kind == 'l') return names_end(m, i);
  if (!strchr("aurc", kind)) return i + is_kind(m, kind, i);
  while (!is_end(m, i) && !is_one_of(m, i, ")]}") && !(kind == 'c' && is_one_of(m, i, ",")) &&
         !(kind != 'a' && is_one_of(m, i, ";")) && !(kind == 'u' && i > start && is_text(m, i, next)))
    i = is_one_of(m, i, "([{") ? close_of(m, i) : i + 1;
  return i;
}

// The same backwards: where what the element takes begins, "end" if that is nothing.
static size_t take_back(const match *m, char kind, size_t end, const char *previous) {
  size_t i = end;
  if (kind == 'e') return operand_start(m, end);
  if (kind != 'a' && kind != 'v') return i - (i > 0 && is_kind(m, kind, i - 1));
  while (i > 0 && !is_one_of(m, i - 1, "([{") && !(kind == 'v' && is_one_of(m, i - 1, ",=;")) &&
         !(kind == 'v' && i > 1 && is_arrow(m, i - 2)) && !(kind == 'v' && previous && is_text(m, i - 1, previous)))
    i = is_one_of(m, i - 1, ")]}") ? open_of(m, i - 1) : i - 1;
  return i;
}

static bool matches_here(match *m, const elements *list, size_t at) {
  for (int k = 0; k < list->count; k++) {
    const char *element = list->text[k];
    size_t end = element[0] == '$' ? take(m, element[1], at, k + 1 < list->count ? list->text[k + 1] : NULL)
                                   : at + (!is_end(m, at) && is_text(m, at, element));
    if (end == at && strcmp(element, "$a") != 0) return false;
    if (element[0] == '$') m->captures[m->count++] = (range){at, end};
    at = end;
  }
  m->whole.end = at;
  return true;
}

static bool matches_before(match *m, const elements *list, size_t end) {
  int captures = 0;
  for (int k = 0; k < list->count; k++) captures += list->text[k][0] == '$';
  m->count = captures;
  for (int k = list->count - 1; k >= 0; k--) {
    const char *element = list->text[k];
    size_t first = element[0] == '$' ? take_back(m, element[1], end, k ? list->text[k - 1] : NULL)
                                     : end - (end > 0 && is_text(m, end - 1, element));
    if (first == end && strcmp(element, "$a") != 0) return false;
    if (element[0] == '$') m->captures[--captures] = (range){first, end};
    end = first;
  }
  m->whole.first = end;
  return true;
}

static bool fits(match *m, const habit *row, const char *expected, size_t at) {
  const elements before = split(row->before), here = split(row->here);
  m->count = 0;
  bool is_schedule = row->expected[0] == '@';
  if (is_schedule && !is_text(m, 0, "schedule")) return false;
  return strstr(expected, row->expected + is_schedule) && matches_before(m, &before, at) && matches_here(m, &here, at);
}

/* -- what is said -- */

static const char *quote(const match *m, range r, size_t longest) {
  if (r.first >= r.end) return "";
  const hy_token *first = token_at(m, r.first), *last = token_at(m, r.end - 1);
  return hy_text_quote(m->parser->context, m->parser->source->text + first->offset,
                       last->offset + last->length - first->offset, longest);
}

static bool is_operand(const match *m, range r) {
  return r.first < r.end && begins_operand(m, r.first) && operand_end(m, r.first) == r.end;
}

// g of "g.update(0)..", the chain of calls in a schedule
static const char *scheduled_func(const match *m) {
  size_t i = m->whole.first;
  while (i > 0 && !is_one_of(m, i - 1, ";{}")) i--;
  return token_at(m, i)->text;
}

// g, or g[k], of the nearest "fun g" above
static const char *current_func(const match *m) {
  size_t i = m->whole.first;
  if (is_text(m, 0, "schedule")) return scheduled_func(m);
  while (i > 0 && !(is_text(m, i, "fun") && token_at(m, i + 1)->kind == HY_TOKEN_NAME)) i--;
  return quote(m, (range){i + 1, is_one_of(m, i + 2, "[") ? close_of(m, i + 2) : i + 2}, HY_LONGEST_QUOTE);
}

// The name behind "pipeline"; a file to be included has none.
static const char *current_pipeline(const match *m) {
  for (size_t i = 0; i < m->whole.first; i++)
    if (is_text(m, i, "pipeline")) return token_at(m, i + 1)->text;
  return "PIPELINE";
}

// The variables and the stages of the func that the text defined above, as written; what is long is not repeated.
static void describe_definition(const match *m, hy_habit_around *around) {
  size_t name = m->count ? definition_of(m, m->captures[0].first) : 0;
  if (!name) return;
  size_t behind = close_of(m, name + 1), first = behind + 1;
  bool is_block = is_one_of(m, first, "{");
  around->variables = quote(m, (range){name + 2, behind - 1}, HY_LONGEST_QUOTE);
  range stages = is_block ? (range){first + 1, close_of(m, first) - 1} : (range){first, take(m, 'r', first, NULL)};
  if (is_block && is_one_of(m, stages.end - 1, ";")) stages.end--;
  const char *text = quote(m, stages, HY_LONGEST_QUOTE);
  if (*text && strlen(text) <= HY_SHORT_QUOTE && !strstr(text, "//")) around->stages = text;
}

// Is it an image of the pipeline whose elements are no int?
static bool is_image(const match *m, size_t at) {
  if (token_at(m, at)->kind != HY_TOKEN_NAME) return false;
  for (size_t i = 0; i + 3 < at && !is_text(m, i, "{"); i++)
    if (is_text(m, i, token_at(m, at)->text) && is_one_of(m, i + 1, ":") && is_one_of(m, i + 3, "["))
      return !is_text(m, i + 2, "int");
  return false;
}

// Does the coordinate read such an image, other than inside of a call? An int is made of it.
static bool reads_image(const match *m, range r) {
  for (size_t i = r.first; i < r.end; i++) {
    if (token_at(m, i)->kind != HY_TOKEN_NAME || !is_one_of(m, i + 1, "(")) continue;
    if (is_image(m, i)) return true;
    i = close_of(m, i + 1) - 1;
  }
  return false;
}

// "in(x, y), 0" as coordinates: "int(in(x, y)), 0"
static const char *indices_of(const match *m, range r) {
  hy_text out = {0};
  for (size_t i = r.first; i < r.end;) {
    size_t first = i;
    while (i < r.end && !is_one_of(m, i, ",")) i = is_one_of(m, i, "([{") ? close_of(m, i) : i + 1;
    const range one = {first, i};
    hy_text_printf(&out, reads_image(m, one) ? "%sint(%s)" : "%s%s", first > r.first ? ", " : "",
                   quote(m, one, HY_LONGEST_QUOTE));
    i++;
  }
  const char *text = hy_arena_printf(hy_context_arena(m->parser->context), "%s", hy_text_string(&out));
  hy_text_free(&out);
  return text;
}

static const char *instead_of(const match *m, const habit *row) {
  hy_habit_filling fillings[MOST_CAPTURES];
  for (int i = 0; i < m->count; i++) {
    range r = m->captures[i];
    const char *type = r.end == r.first + 1 ? hy_habit_of_type(token_at(m, r.first)->text) : NULL;
    fillings[i] = (hy_habit_filling){.text = type ? type : quote(m, r, HY_LONGEST_QUOTE),
                                     .indices = indices_of(m, r),
                                     .is_operand = is_operand(m, r)};
  }
  hy_habit_around around = {current_func(m), current_pipeline(m), "..", "e"};
  describe_definition(m, &around);
  return hy_habit_fill(m->parser->context, row->instead, fillings, m->count, around);
}

static void report(const match *m, const habit *row) {
  const hy_token *first = token_at(m, m->whole.first), *last = token_at(m, m->whole.end - 1);
  hy_loc loc = first->loc;
  loc.length = (uint32_t)(last->offset + last->length - first->offset);
  hy_report(m->parser->diagnostics, HY_E_OTHER_LANGUAGE, loc, NULL, instead_of(m, row), "'%s' is %s",
            quote(m, m->whole, HY_SHORT_QUOTE), row->is);
}

// Halide::TailStrategy::RoundUp, hl.Func: what stands behind Halide's own name is looked at.
static size_t place(const hy_parser *parser) {
  match m = {.parser = parser};
  size_t at = parser->next;
  while (is_text(&m, at, ":") && is_text(&m, at + 1, ":") && is_text(&m, at + 3, ":") && is_text(&m, at + 4, ":"))
    at += 3;
  if (is_text(&m, at, "Halide") && is_text(&m, at + 1, ":") && is_text(&m, at + 2, ":")) at += 3;
  return at;
}

// "a // 2;": does a comment that begins behind the last token read as a divisor? Which is the result, or NULL; "*loc" is
// the place of the comment.
static const char *divisor(const match *m, size_t at, hy_loc *loc) {
  const hy_token *before = token_at(m, at - 1);
  const char *text = m->parser->source->text, *comment = text + before->offset + before->length;
  comment += strspn(comment, " \t");
  if (strncmp(comment, "//", 2) != 0) return NULL;
  *loc = before->loc;
  loc->column += (uint32_t)(comment - text - (ptrdiff_t)before->offset);
  loc->length = 2;
  comment += 2;
  comment += strspn(comment, " \t");
  bool is_number = *comment >= '0' && *comment <= '9';
  size_t length = strspn(comment, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.");
  const char *behind = comment + length + strspn(comment + length, " \t");
  bool is_one = length && *behind && strchr(is_number ? ";),+-*/\n\r" : ";", *behind);
  return is_one ? hy_text_quote(m->parser->context, comment, length, HY_SHORT_QUOTE) : NULL;
}

// Python's whole division begins a comment here.
static bool told_division(hy_parser *parser) {
  match m = {.parser = parser};
  hy_loc loc;
  size_t start = operand_start(&m, parser->next);
  const char *right = start < parser->next ? divisor(&m, parser->next, &loc) : NULL;
  if (!right) return false;
  const char *left = quote(&m, (range){start, parser->next}, HY_LONGEST_QUOTE);
  hy_report(
      parser->diagnostics, HY_E_OTHER_LANGUAGE, loc, NULL,
      hy_arena_printf(hy_context_arena(parser->context), "write %s / %s, which rounds down on integers", left, right),
      "'//' begins a comment, and is no division");
  return true;
}

bool hy_habit_told(hy_parser *parser, const char *expected) {
  size_t at = place(parser);
  if (parser->holes) return false; // target programs are written by programs
  if (told_division(parser)) return true;
  for (size_t i = 0; i < HY_COUNT(habits); i++) {
    match m = {.parser = parser};
    if (!fits(&m, &habits[i], expected, at)) continue;
    report(&m, &habits[i]);
    return true;
  }
  return false;
}
