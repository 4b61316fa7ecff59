/* Lines.
 *
 * What fits into a line is one. What does not is broken where it holds together least: a list behind its commas, an
 * expression before its loosest operators, a chain before its points, a let behind its "in"; as many parts in each line
 * as it holds, the further lines below the first part. Blocks have a line for each of their statements, but for the
 * stages of a func that are short enough.
 */

#include "semantics/format/format_internal.h"

#include <string.h>

enum { INDENT = 2, DEEPEST = 80 }; // columns; a list that would begin further right than DEEPEST begins a line

typedef struct {
  const hy_format_pieces *p;
  const hy_format_piece *list;
  hy_text *out;
  size_t indent; // where a line begins
  size_t base;   // of the statement
  size_t column;
  bool fresh;       // nothing stands in the line
  bool must_break;  // a comment ended the line
  bool keeps_blank; // blank lines stand here
} writer;

/* -- pieces -- */

static void break_line(writer *w) {
  if (!w->fresh) hy_text_add(w->out, "\n");
  w->fresh = true;
  w->must_break = false;
}

static void begin(writer *w, bool after_blank) {
  break_line(w);
  if (after_blank && w->keeps_blank) hy_text_add(w->out, "\n");
  hy_text_printf(w->out, "%*s", (int)w->indent, "");
  w->column = w->indent;
  w->fresh = false;
}

// As it is, but for blanks at the ends of its lines.
static void put_comment(writer *w, const hy_format_comment *comment) {
  const char *at = comment->text, *end = at + comment->length;
  while (at < end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
    while (newline && stop > at && strchr(" \t\r", stop[-1])) stop--;
    hy_text_add_bytes(w->out, at, (size_t)(stop - at));
    if (newline) hy_text_add(w->out, "\n");
    at = newline ? newline + 1 : end;
  }
  w->must_break |= comment->is_line || comment->is_long;
}

static void put_comments_before(writer *w, size_t i) {
  const hy_format_piece *piece = &w->list[i];
  for (size_t k = 0; k < piece->before_count; k++) {
    const hy_format_comment *comment = &w->p->comments.data[piece->before + k];
    begin(w, comment->after_blank);
    put_comment(w, comment);
    w->keeps_blank |= w->base == w->indent;
    w->must_break = true;
  }
}

static void put_token(writer *w, size_t i) {
  const hy_format_piece *piece = &w->list[i];
  if (w->must_break) break_line(w);
  if (w->fresh) {
    begin(w, piece->after_blank);
  } else if (piece->space) {
    hy_text_add(w->out, " ");
    w->column++;
  }
  w->keeps_blank = false;
  hy_text_add_bytes(w->out, piece->token->text, piece->token->length);
  w->column += piece->width;
  for (size_t k = 0; k < piece->after_count; k++) {
    hy_text_add(w->out, " ");
    put_comment(w, &w->p->comments.data[piece->after + k]);
  }
}

static void put(writer *w, size_t i) {
  put_comments_before(w, i);
  put_token(w, i);
}

static void put_all(writer *w, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) put(w, i);
}

/* -- what fits -- */

static size_t column_of(const writer *w, size_t i) {
  return w->fresh || w->must_break || w->list[i].breaks ? w->indent : w->column + w->list[i].space;
}

// What cannot be told from the piece before it: closing brackets, commas, an opening brace.
static size_t with_rest(const writer *w, size_t to) {
  for (;; to++) {
    const hy_format_piece *piece = &w->list[to];
    if (piece->breaks) return to;
    if (piece->role == HY_ROLE_OPEN_BRACE) return to + 1;
    if (piece->role == HY_ROLE_OPEN_CALL && hy_format_is(piece, "["))
      to = piece->match;
    else if (piece->role != HY_ROLE_CLOSE && piece->role != HY_ROLE_COMMA && piece->role != HY_ROLE_SEMICOLON &&
             !(piece->role == HY_ROLE_INFIX && hy_format_is(piece, "in")))
      return to;
  }
}

static bool is_broken(const writer *w, size_t from, size_t to) {
  for (size_t i = from + 1; i < to; i++)
    if (w->list[i].breaks) return true;
  return false;
}

static bool fits_at(const writer *w, size_t column, size_t from, size_t to) {
  size_t last = with_rest(w, to) - 1;
  size_t width = w->list[last].start + w->list[last].width - w->list[from].start;
  return column + width <= HY_FORMAT_WIDTH && !is_broken(w, from, to);
}

static bool fits(const writer *w, size_t from, size_t to) { return fits_at(w, column_of(w, from), from, to); }

// A further part of what is broken: in this line if it fits.
static void go_on(writer *w, size_t from, size_t to) {
  if (!fits(w, from, to)) break_line(w);
}

/* -- expressions -- */

static size_t after_brackets(const writer *w, size_t i) {
  hy_format_role role = w->list[i].role;
  return role == HY_ROLE_OPEN_CALL || role == HY_ROLE_OPEN_GROUP ? w->list[i].match + 1 : i + 1;
}

// The first place at this depth where a word or sign of that role stands; "to" if there is none.
static size_t find(const writer *w, size_t from, size_t to, hy_format_role role, const char *text) {
  for (size_t i = from; i < to; i = after_brackets(w, i))
    if (w->list[i].role == role && (!text || hy_format_is(&w->list[i], text))) return i;
  return to;
}

// The word that ends what the word at "from" begins: the "in" of a let, the "else" of an if.
static size_t find_end(const writer *w, size_t from, size_t to, const char *opening, const char *closing) {
  size_t depth = 0;
  for (size_t i = from; i < to; i = after_brackets(w, i)) {
    if (w->list[i].role == HY_ROLE_WORD) depth += hy_format_is(&w->list[i], opening);
    if (w->list[i].role == HY_ROLE_INFIX && hy_format_is(&w->list[i], closing) && --depth == 0) return i;
  }
  return to;
}

static bool is_word(const writer *w, size_t i, const char *text) {
  return w->list[i].role == HY_ROLE_WORD && hy_format_is(&w->list[i], text);
}

static void put_expression(writer *w, size_t from, size_t to);

// a, b, c: each begins below the first
static void put_list(writer *w, size_t from, size_t to) {
  size_t indent = w->indent;
  w->indent = column_of(w, from);
  if (w->indent > w->base + DEEPEST) {
    w->indent = w->base + 2 * INDENT;
    break_line(w);
  }
  for (size_t i = from; i < to;) {
    size_t comma = find(w, i, to, HY_ROLE_COMMA, NULL);
    if (i > from) go_on(w, i, comma);
    put_expression(w, i, comma);
    if (comma < to) put(w, comma);
    i = comma + 1;
  }
  w->indent = indent;
}

// A name with what is called and read of it; words.
static void put_plain(writer *w, size_t from, size_t to) {
  for (size_t i = from; i < to;) {
    size_t next = after_brackets(w, i);
    put(w, i);
    if (next > i + 1) {
      put_list(w, i + 1, next - 1);
      put(w, next - 1);
    }
    i = next;
  }
}

// The loosest operators at this depth; 0 if there are none. What begins with let or if goes on to the end.
static int loosest(const writer *w, size_t from, size_t to) {
  int least = 0;
  for (size_t i = from; i < to; i = after_brackets(w, i)) {
    if (i > from && (is_word(w, i, "let") || is_word(w, i, "if"))) break;
    if (w->list[i].role != HY_ROLE_BINARY || !w->list[i].space) continue;
    if (!least || w->list[i].precedence < least) least = w->list[i].precedence;
  }
  return least;
}

static size_t find_operator(const writer *w, size_t from, size_t to, int precedence) {
  for (size_t i = from; i < to; i = after_brackets(w, i)) {
    if (i > from && (is_word(w, i, "let") || is_word(w, i, "if"))) return to;
    if (w->list[i].role == HY_ROLE_BINARY && w->list[i].space && w->list[i].precedence == precedence) return i;
  }
  return to;
}

static void put_operators(writer *w, size_t from, size_t to) {
  int precedence = loosest(w, from, to);
  if (!precedence) {
    put_plain(w, from, to);
    return;
  }
  size_t at = find_operator(w, from, to, precedence);
  put_expression(w, from, at);
  while (at < to) {
    size_t next = find_operator(w, at + 1, to, precedence);
    go_on(w, at, next);
    put(w, at);
    put_expression(w, at + 1, next);
    at = next;
  }
}

static void put_lets(writer *w, size_t from, size_t to) {
  while (from < to && is_word(w, from, "let")) {
    size_t in = find_end(w, from, to, "let", "in"), equals = find(w, from, in, HY_ROLE_ASSIGN, NULL);
    if (in == to || equals == in) break;
    go_on(w, from, in);
    put_all(w, from, equals + 1);
    put_expression(w, equals + 1, in);
    put(w, in);
    from = in + 1;
  }
  if (from == to) return;
  go_on(w, from, to);
  put_expression(w, from, to);
}

// if c then a else b
static void put_choice(writer *w, size_t from, size_t to) {
  size_t then = find_end(w, from, to, "if", "then"), otherwise = find_end(w, from, to, "if", "else");
  if (then == to || otherwise == to) {
    put_operators(w, from, to);
    return;
  }
  put(w, from);
  put_expression(w, from + 1, then);
  go_on(w, then, otherwise);
  put(w, then);
  put_expression(w, then + 1, otherwise);
  go_on(w, otherwise, to);
  put(w, otherwise);
  put_expression(w, otherwise + 1, to);
}

// rdom(r = (a, b)) in e if p
static void put_domain(writer *w, size_t from, size_t to) {
  size_t in = w->list[from + 1].match + 1, predicate = find(w, in + 1, to, HY_ROLE_INFIX, "if");
  put_plain(w, from, in);
  put(w, in);
  go_on(w, in + 1, predicate);
  put_expression(w, in + 1, predicate);
  if (predicate == to) return;
  go_on(w, predicate, to);
  put(w, predicate);
  put_expression(w, predicate + 1, to);
}

static bool at_domain(const writer *w, size_t from, size_t to) {
  if (from + 1 >= to || !hy_format_is(&w->list[from], "rdom") || w->list[from + 1].role != HY_ROLE_OPEN_CALL)
    return false;
  size_t in = w->list[from + 1].match + 1;
  return in < to && w->list[in].role == HY_ROLE_INFIX && hy_format_is(&w->list[in], "in");
}

// Further lines begin at w->indent.
static void put_broken(writer *w, size_t from, size_t to) {
  if (is_word(w, from, "let"))
    put_lets(w, from, to);
  else if (is_word(w, from, "if"))
    put_choice(w, from, to);
  else if (at_domain(w, from, to))
    put_domain(w, from, to);
  else
    put_operators(w, from, to);
}

static void put_expression(writer *w, size_t from, size_t to) {
  if (from >= to) return;
  if (fits(w, from, to)) {
    put_all(w, from, to);
    return;
  }
  size_t indent = w->indent;
  w->indent = column_of(w, from);
  put_broken(w, from, to);
  w->indent = indent;
}

/* -- statements -- */

// What stands behind "=", "<-" or ":".
static void put_value(writer *w, size_t from, size_t to) {
  size_t next_line = w->base + INDENT;
  if (from >= to) return;
  bool whole = fits(w, from, to);
  bool in_next = !whole && (fits_at(w, next_line, from, to) || column_of(w, from) > w->base + DEEPEST);
  bool is_let = is_word(w, from, "let");
  w->indent = whole ? w->base : in_next || is_let ? next_line : column_of(w, from);
  if (in_next) break_line(w);
  if (whole || fits(w, from, to))
    put_all(w, from, to);
  else
    put_broken(w, from, to);
}

// The point behind a call: f.tile(...).vectorize(x)
static bool is_link(const writer *w, size_t i) {
  return w->list[i].role == HY_ROLE_DOT && hy_format_is(&w->list[i - 1], ")");
}

// Before such points.
static void put_chain(writer *w, size_t from, size_t to) {
  for (size_t i = from, next; i < to; i = next) {
    next = after_brackets(w, i);
    while (next < to && !is_link(w, next)) next = after_brackets(w, next);
    if (i > from) go_on(w, i, next);
    put_expression(w, i, next);
    w->indent = w->base + INDENT;
  }
}

// What may begin a line behind a value: the predicate of an update; in a target program where a let's value comes from.
static size_t find_rider(const writer *w, size_t from, size_t to, bool is_update) {
  if (is_update) return find(w, from, to, HY_ROLE_INFIX, "if");
  return w->p->language == HY_LANGUAGE_TGT ? find(w, from, to, HY_ROLE_INFIX, "by") : to;
}

// f(x) = e    (x, y) <- e if p    assume range: e
static void put_equation(writer *w, size_t from, size_t sign, size_t to) {
  bool is_update = w->list[sign].role == HY_ROLE_ARROW;
  size_t value = sign + 1 + is_update, rider = find_rider(w, value, to, is_update);
  put_expression(w, from, sign);
  put_all(w, sign, value);
  put_value(w, value, rider);
  if (rider == to) return;
  w->indent = w->base + INDENT;
  go_on(w, rider, to);
  put(w, rider);
  put_expression(w, rider + 1, to);
}

// A statement, or the part of it before a block.
static void put_head(writer *w, size_t from, size_t to) {
  size_t end = to;
  while (end > from && w->list[end - 1].role == HY_ROLE_SEMICOLON) end--;
  size_t sign = find(w, from, end, HY_ROLE_ASSIGN, NULL), arrow = find(w, from, end, HY_ROLE_ARROW, NULL);
  if (arrow < end && hy_format_is(&w->list[arrow], "<") && arrow < sign) sign = arrow;
  if (sign == end && w->p->language == HY_LANGUAGE_TGT) sign = find(w, from, end, HY_ROLE_COLON, NULL);
  if (fits(w, from, end)) {
    put_all(w, from, end);
  } else if (sign < end) {
    put_equation(w, from, sign, end);
  } else if (w->p->language == HY_LANGUAGE_SCHEDULE) {
    put_chain(w, from, end);
  } else {
    for (; from < end && w->list[from].role == HY_ROLE_WORD && !is_word(w, from, "let"); from++) {
      if (is_word(w, from, "if") && find_end(w, from, end, "if", "then") < end) break; // a choice
      put(w, from);
      w->indent = w->base + 2 * INDENT;
    }
    put_expression(w, from, end);
  }
  w->indent = w->base;
  put_all(w, end, to);
}

static void put_block(writer *w, size_t from, size_t to);

// Are all its braces those of stages, and is it short?
static bool is_one_line(const writer *w, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (w->list[i].role == HY_ROLE_OPEN_BRACE && (!i || w->list[i - 1].role != HY_ROLE_ASSIGN)) return false;
  return fits_at(w, w->indent, from, to);
}

static void put_statement(writer *w, size_t from, size_t to) {
  size_t base = w->base;
  w->base = w->indent;
  if (is_one_line(w, from, to)) {
    put_all(w, from, to);
    w->base = base;
    return;
  }
  while (from < to) {
    size_t brace = find(w, from, to, HY_ROLE_OPEN_BRACE, NULL);
    put_head(w, from, brace);
    if (brace == to) break;
    put(w, brace);
    put_block(w, brace + 1, w->list[brace].match);
    from = w->list[brace].match + 1;
  }
  w->indent = w->base;
  w->base = base;
}

static size_t end_of_statement(const writer *w, size_t from, size_t to) {
  for (size_t i = from; i < to; i = after_brackets(w, i)) {
    if (w->list[i].role == HY_ROLE_SEMICOLON) return i + 1;
    if (w->list[i].role != HY_ROLE_OPEN_BRACE) continue;
    i = w->list[i].match;
    if (i + 1 < to && w->list[i + 1].role == HY_ROLE_SEMICOLON) return i + 2;
    if (i + 1 >= to || !hy_format_is(&w->list[i + 1], "else")) return i + 1;
  }
  return to;
}

static void put_statements(writer *w, size_t from, size_t to) {
  bool is_first = true;
  while (from < to) {
    size_t end = end_of_statement(w, from, to);
    break_line(w);
    w->keeps_blank = !is_first;
    put_statement(w, from, end);
    is_first = false;
    from = end;
  }
  break_line(w);
}

// The statements between two braces, and the second of them.
static void put_block(writer *w, size_t from, size_t to) {
  size_t outside = w->base;
  w->indent = w->base = outside + INDENT;
  w->must_break = false;
  put_statements(w, from, to);
  w->keeps_blank = from < to;
  put_comments_before(w, to);
  break_line(w);
  w->keeps_blank = false;
  w->indent = w->base = outside;
  put_token(w, to);
}

void hy_format_lay_out(const hy_format_pieces *pieces, hy_text *out) {
  size_t last = pieces->list.count - 1;
  writer w = {.p = pieces, .list = pieces->list.data, .out = out, .fresh = true};
  put_statements(&w, 0, last);
  w.keeps_blank = last > 0;
  put_comments_before(&w, last);
  break_line(&w);
}
