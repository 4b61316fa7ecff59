/* Where blanks stand in a line.
 *
 * Operators have one on each side, but for a product or a quotient of two of which one is a whole number or a constant of
 * the text, and the other a name or a sum of such: 2*x + 1, x/2, (LEVELS - 1)*STEP; in target programs, which Halyard
 * prints so, for all products. Commas, semicolons and colons have one behind them; brackets have none inside; braces do.
 */

#include "semantics/format/format_internal.h"

#include <string.h>

enum { PRECEDENCE_PRODUCT = 11 };
typedef HY_VEC(const char *) names;

/* -- products that are written without -- */

static void list_constants(const hy_format_pieces *p, names *constants) {
  for (size_t i = 0; i + 2 < p->list.count; i++)
    if (hy_format_is(&p->list.data[i], "const") && p->list.data[i].role == HY_ROLE_WORD)
      hy_vec_push(constants, p->list.data[i + 1].token->text);
}

static bool is_constant(const hy_format_piece *piece, const names *constants) {
  if (piece->token->kind == HY_TOKEN_INTEGER) return true;
  for (size_t i = 0; i < constants->count; i++)
    if (constants->data[i] == piece->token->text) return true; // interned
  return false;
}

// Names, whole numbers, members, sums and such products of them.
static bool is_simple(const hy_format_pieces *p, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    const hy_format_piece *piece = &p->list.data[i];
    bool good =
        (piece->role == HY_ROLE_OPERAND && piece->token->kind != HY_TOKEN_FLOAT) || piece->role == HY_ROLE_DOT ||
        (piece->role == HY_ROLE_BINARY && (strchr("+-", piece->token->text[0]) || strchr("*/", piece->token->text[0])));
    if (!good) return false;
  }
  return true;
}

// The operand that ends before "to": where it begins. False: it is not simple.
static bool find_left(const hy_format_pieces *p, size_t to, size_t *from) {
  const hy_format_piece *list = p->list.data;
  *from = to - 1;
  if (list[*from].role == HY_ROLE_CLOSE) {
    *from = list[to - 1].match;
    return list[*from].role == HY_ROLE_OPEN_GROUP && hy_format_is(&list[*from], "(") && is_simple(p, *from + 1, to - 1);
  }
  while (*from >= 2 && list[*from - 1].role == HY_ROLE_DOT) *from -= 2;
  return is_simple(p, *from, to);
}

static bool find_right(const hy_format_pieces *p, size_t from, size_t *to) {
  const hy_format_piece *list = p->list.data;
  if (list[from].role == HY_ROLE_OPEN_GROUP && hy_format_is(&list[from], "(")) {
    *to = list[from].match + 1;
    return is_simple(p, from + 1, *to - 1) && list[*to].role != HY_ROLE_OPEN_CALL && list[*to].role != HY_ROLE_DOT;
  }
  *to = from + 1;
  while (list[*to].role == HY_ROLE_DOT) *to += 2;
  return list[*to].role != HY_ROLE_OPEN_CALL && is_simple(p, from, *to);
}

static bool is_product(const hy_format_piece *piece) {
  return piece->role == HY_ROLE_BINARY && piece->precedence == PRECEDENCE_PRODUCT;
}

static bool is_tight(const hy_format_pieces *p, size_t at, const names *constants) {
  const hy_format_piece *list = p->list.data;
  size_t from, to;
  if (is_product(&list[at]) && p->language == HY_LANGUAGE_TGT) return true;
  if (!is_product(&list[at]) || hy_format_is(&list[at], "%")) return false;
  if (!find_left(p, at, &from) || !find_right(p, at + 1, &to)) return false;
  if ((from && is_product(&list[from - 1])) || is_product(&list[to])) return false;
  return (from + 1 == at && is_constant(&list[from], constants)) ||
         (at + 2 == to && is_constant(&list[at + 1], constants));
}

static void tighten(hy_format_pieces *p) {
  names constants = {0};
  list_constants(p, &constants);
  for (size_t i = 0; i < p->list.count; i++)
    if (is_tight(p, i, &constants)) p->list.data[i].space = p->list.data[i + 1].space = false;
  hy_vec_free(&constants);
}

/* -- all others -- */

// 1. .. 2.: without the first blank it would be 1 ... 2.
static bool ends_in_point(const hy_format_piece *piece) {
  return piece->token->kind == HY_TOKEN_FLOAT && piece->token->text[piece->token->length - 1] == '.';
}

static bool is_among(hy_format_role role, unsigned set) { return set >> role & 1; }

static bool wants_space(const hy_format_piece *last, const hy_format_piece *piece) {
  enum {
    HOLDS_NEXT = 1u << HY_ROLE_OPEN_CALL | 1u << HY_ROLE_OPEN_GROUP | 1u << HY_ROLE_UNARY | 1u << HY_ROLE_DOT |
                 1u << HY_ROLE_RANGE,
    HELD = 1u << HY_ROLE_OPEN_CALL | 1u << HY_ROLE_CLOSE | 1u << HY_ROLE_COMMA | 1u << HY_ROLE_COLON |
           1u << HY_ROLE_SEMICOLON,
  };
  if (last->role == HY_ROLE_ARROW) return false;
  if (last->role == HY_ROLE_RANGE && ends_in_point(last - 1)) return true;
  if (is_among(last->role, HOLDS_NEXT)) return last->after_count > 0;
  if (piece->role == HY_ROLE_DOT) return last->token->kind == HY_TOKEN_INTEGER; // else it would be a part of the number
  if (piece->role == HY_ROLE_RANGE) return ends_in_point(last);
  return !is_among(piece->role, HELD);
}

static size_t width_of(const hy_format_pieces *p, const hy_format_piece *piece) {
  size_t width = piece->token->length;
  for (size_t i = 0; i < piece->after_count; i++) {
    const hy_format_comment *comment = &p->comments.data[piece->after + i];
    if (comment->is_line) continue; // may be as long as it is
    width++;
    for (size_t k = 0; k < comment->length; k++) width += ((unsigned char)comment->text[k] & 0xc0) != 0x80;
  }
  return width;
}

// Does a comment behind it end its line?
static bool ends_line(const hy_format_pieces *p, const hy_format_piece *piece) {
  for (size_t i = 0; i < piece->after_count; i++)
    if (p->comments.data[piece->after + i].is_line || p->comments.data[piece->after + i].is_long) return true;
  return false;
}

void hy_format_spaces(hy_format_pieces *p) {
  hy_format_piece *list = p->list.data;
  for (size_t i = 1; i < p->list.count; i++) list[i].space = wants_space(&list[i - 1], &list[i]);
  tighten(p);
  for (size_t i = 0; i < p->list.count; i++) {
    list[i].width = width_of(p, &list[i]);
    list[i].breaks = list[i].before_count || (i && ends_line(p, &list[i - 1]));
    list[i].start = i ? list[i - 1].start + list[i - 1].width + list[i].space : 0;
  }
}
