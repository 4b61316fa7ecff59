/* What each token is in its place. Words are contextual, and most of the grammars need not be known for that: where an
 * operand is expected a name is one, where none is expected a name is a word of the language ("in(x) in (x)").
 */

#include "semantics/format/format_internal.h"

#include <string.h>

typedef struct {
  hy_format_pieces *pieces;
  HY_VEC(size_t) open;
  size_t at;
  size_t first;  // of the statement
  size_t inside; // open parentheses and brackets of the statement
  bool wants_operand, begins, had_equals;
  bool is_bad; // a bracket without its other one
} reader;

static bool is_one_of(const char *text, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(text, words[i]) == 0) return true;
  return false;
}
#define IS_ONE_OF(text, ...)                                                                                           \
  is_one_of(text, (const char *const[]){__VA_ARGS__}, sizeof(const char *[]){__VA_ARGS__} / sizeof(const char *))

static const hy_format_piece *ahead(const reader *r, size_t n) {
  size_t last = r->pieces->list.count - 1;
  return &r->pieces->list.data[r->at + n < last ? r->at + n : last];
}

static bool is_name(const hy_format_piece *piece) { return piece->token->kind == HY_TOKEN_NAME; }

static bool is_string(const hy_format_piece *piece) { return piece->token->kind == HY_TOKEN_STRING; }

static bool touches(const hy_format_piece *a, const hy_format_piece *b) {
  return a->token->offset + a->token->length == b->token->offset;
}

/* -- names -- */

// "sum of_lines(rdom(": a reduction with a name
static bool at_named_reduction(const reader *r) {
  return is_name(ahead(r, 1)) && hy_format_is(ahead(r, 2), "(") && hy_format_is(ahead(r, 3), "rdom") &&
         hy_format_is(ahead(r, 4), "(");
}

// In a target program: for parallel f.s0.x, if guard (e)
static bool at_mark(const reader *r, const char *text) {
  if (r->pieces->language != HY_LANGUAGE_TGT || r->at == r->first) return false;
  const hy_format_piece *last = ahead(r, 0) - 1;
  if (hy_format_is(last, "if"))
    return IS_ONE_OF(text, "guard", "implied", "specialize") && hy_format_is(ahead(r, 1), "(");
  return last->role == HY_ROLE_WORD && is_name(ahead(r, 1)) &&
         IS_ONE_OF(text, "rdom", "serial", "parallel", "vectorized", "unrolled");
}

// In a schedule: for k in 0..3 g[k].vectorize(x);
static bool at_item_of_for(const reader *r, const char *text) {
  return r->pieces->language == HY_LANGUAGE_SCHEDULE && !r->inside && !IS_ONE_OF(text, "in", "for");
}

static hy_format_role role_of_name(const reader *r, const char *text) {
  if (!r->wants_operand) return at_item_of_for(r, text) ? HY_ROLE_OPERAND : HY_ROLE_INFIX;
  if (r->at && ahead(r, 0)[-1].role == HY_ROLE_DOT) return HY_ROLE_OPERAND;
  if (IS_ONE_OF(text, "let", "if")) return HY_ROLE_WORD; // reserved
  if (r->begins && (strcmp(text, "else") == 0 || is_name(ahead(r, 1)) || is_string(ahead(r, 1)))) return HY_ROLE_WORD;
  return at_named_reduction(r) || at_mark(r, text) ? HY_ROLE_WORD : HY_ROLE_OPERAND;
}

static void read_name(reader *r, hy_format_piece *piece) {
  piece->role = role_of_name(r, piece->token->text);
  r->wants_operand = piece->role != HY_ROLE_OPERAND;
}

/* -- brackets -- */

static void read_opening(reader *r, hy_format_piece *piece) {
  const hy_format_piece *last = r->at ? piece - 1 : NULL;
  bool is_brace = hy_format_is(piece, "{");
  bool of_word = last && last->role == HY_ROLE_INFIX && hy_format_is(piece, "(") &&
                 !IS_ONE_OF(last->token->text, "in", "on", "if", "then", "else", "of", "keeping", "estimate");
  piece->role = is_brace ? HY_ROLE_OPEN_BRACE : !r->wants_operand || of_word ? HY_ROLE_OPEN_CALL : HY_ROLE_OPEN_GROUP;
  hy_vec_push(&r->open, r->at);
  r->inside = is_brace ? 0 : r->inside + 1;
  r->wants_operand = true;
  r->begins = is_brace;
}

static void read_closing(reader *r, hy_format_piece *piece) {
  bool is_brace = hy_format_is(piece, "}");
  piece->role = is_brace ? HY_ROLE_CLOSE_BRACE : HY_ROLE_CLOSE;
  if (!r->open.count ||
      strchr("()[]{}", r->pieces->list.data[hy_vec_last(&r->open)].token->text[0])[1] != piece->token->text[0]) {
    r->is_bad = true;
    return;
  }
  piece->match = hy_vec_pop(&r->open);
  r->pieces->list.data[piece->match].match = r->at;
  if (r->inside) r->inside--;
  r->wants_operand = r->begins = is_brace;
}

/* -- operators -- */

static int precedence_of(const char *text) {
  static const hy_op all[] = {
#define HY_OP(name, ...) HY_OP_##name,
#include "semantics/ops.def"
#undef HY_OP
  };
  for (size_t i = 0; i < HY_COUNT(all); i++)
    if (hy_op_arity(all[i]) == 2 && strcmp(hy_op_spelling(all[i]), text) == 0) return hy_op_precedence(all[i]);
  return 0;
}

// "<-" of an update; elsewhere it is a comparison with what is negative.
static bool at_update_arrow(const reader *r, const hy_format_piece *piece) {
  if (!hy_format_is(piece, "<") || !hy_format_is(piece + 1, "-") || !touches(piece, piece + 1)) return false;
  const hy_format_piece *first = &r->pieces->list.data[r->first];
  return !r->inside && !r->had_equals && r->at && piece[-1].role == HY_ROLE_CLOSE &&
         (r->pieces->language == HY_LANGUAGE_TGT || hy_format_is(first, "(") || hy_format_is(first, "rdom"));
}

static bool at_right_arrow(const hy_format_piece *piece) {
  return hy_format_is(piece, "-") && hy_format_is(piece + 1, ">") && touches(piece, piece + 1);
}

static void read_operator(reader *r, hy_format_piece *piece) {
  bool is_arrow = !r->wants_operand && (at_update_arrow(r, piece) || at_right_arrow(piece));
  piece->precedence = precedence_of(piece->token->text);
  piece->role = is_arrow ? HY_ROLE_ARROW : r->wants_operand ? HY_ROLE_UNARY : HY_ROLE_BINARY;
  r->wants_operand = true;
  if (!is_arrow) return;
  piece[1].role = HY_ROLE_ARROW_REST;
  r->had_equals |= hy_format_is(piece, "<");
  r->at++;
}

static void read_punctuation(reader *r, hy_format_piece *piece) {
  const char *text = piece->token->text;
  if (strchr("([{", text[0])) {
    read_opening(r, piece);
  } else if (strchr(")]}", text[0])) {
    read_closing(r, piece);
  } else if (IS_ONE_OF(text, ",", ":", ".", "..", "=", ";")) {
    piece->role = text[0] == ','    ? HY_ROLE_COMMA
                  : text[0] == ':'  ? HY_ROLE_COLON
                  : text[0] == '='  ? HY_ROLE_ASSIGN
                  : text[0] == ';'  ? HY_ROLE_SEMICOLON
                  : text[1] == '\0' ? HY_ROLE_DOT
                                    : HY_ROLE_RANGE;
    r->wants_operand = true;
    r->had_equals |= text[0] == '=' && !r->inside;
    r->begins = text[0] == ';' || (text[0] == ':' && r->pieces->language == HY_LANGUAGE_TGT && !r->inside);
  } else {
    read_operator(r, piece); // "?" of a hole is like one before its operand
  }
}

static void read_piece(reader *r) {
  hy_format_piece *piece = &r->pieces->list.data[r->at];
  bool began = r->begins;
  if (began) {
    r->first = r->at;
    r->had_equals = false;
  }
  r->begins = false;
  switch (piece->token->kind) {
  case HY_TOKEN_NAME:
    r->begins = began;
    read_name(r, piece);
    r->begins = began && hy_format_is(piece, "else");
    return;
  case HY_TOKEN_INTEGER:
  case HY_TOKEN_FLOAT:
  case HY_TOKEN_STRING:
    piece->role = HY_ROLE_OPERAND;
    r->wants_operand = false;
    return;
  case HY_TOKEN_PUNCTUATION: read_punctuation(r, piece); return;
  case HY_TOKEN_END: piece->role = HY_ROLE_END; return;
  }
  HY_UNREACHABLE();
}

bool hy_format_roles(hy_format_pieces *pieces) {
  reader r = {.pieces = pieces, .wants_operand = true, .begins = true};
  for (; r.at < pieces->list.count && !r.is_bad; r.at++) read_piece(&r);
  bool good = !r.is_bad && !r.open.count;
  hy_vec_free(&r.open);
  return good;
}
