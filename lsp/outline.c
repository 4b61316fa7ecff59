#include "lsp/outline.h"

#include "semantics/alg/expand/expand.h"

#include <string.h>

const char *hy_outline_text(const hy_outline *o, int token) {
  return token >= 0 && token < o->count ? o->tokens.data[token].text : "";
}

bool hy_outline_is(const hy_outline *o, int token, const char *text) {
  return strcmp(hy_outline_text(o, token), text) == 0;
}

bool hy_outline_is_name(const hy_outline *o, int token) {
  return token >= 0 && token < o->count && o->tokens.data[token].kind == HY_TOKEN_NAME;
}

int hy_outline_before(const hy_outline *o, size_t offset) {
  int low = 0, high = o->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (o->tokens.data[middle].offset < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool covers(const hy_outline *o, int token, size_t offset) {
  if (token < 0 || token >= o->count) return false;
  const hy_token *t = &o->tokens.data[token];
  return t->offset <= offset && offset <= t->offset + t->length;
}

int hy_outline_at(const hy_outline *o, size_t offset) {
  int left = hy_outline_before(o, offset) - 1, right = left + 1;
  bool on_left = covers(o, left, offset), on_right = covers(o, right, offset);
  if (on_left && on_right) return hy_outline_is_name(o, left) ? left : right;
  return on_left ? left : on_right ? right : HY_NO_TOKEN;
}

/* -- brackets -- */

static char opener_of(char close) { return close == ')' ? '(' : close == ']' ? '[' : '{'; }

// A brace closes whatever is open inside of it; a parenthesis closes nothing beyond a brace.
static void match_brackets(hy_arena *arena, hy_outline *o) {
  HY_VEC(int) open = {0};
  o->match = HY_NEW_ARRAY(arena, int, o->count + 1);
  for (int i = 0; i < o->count; i++) {
    const char *text = hy_outline_text(o, i);
    o->match[i] = HY_NO_TOKEN;
    if (!text[0] || text[1]) continue;
    if (strchr("([{", text[0])) {
      o->match[i] = o->count;
      hy_vec_push(&open, i);
    } else if (strchr(")]}", text[0])) {
      size_t depth = open.count;
      while (depth > 0 && hy_outline_text(o, open.data[depth - 1])[0] != opener_of(text[0]) &&
             (text[0] == '}' || !hy_outline_is(o, open.data[depth - 1], "{")))
        depth--;
      if (depth == 0 || hy_outline_text(o, open.data[depth - 1])[0] != opener_of(text[0])) continue;
      o->match[open.data[depth - 1]] = i;
      open.count = depth - 1;
    }
  }
}

static bool closes(const hy_outline *o, int token) {
  return hy_outline_is(o, token, ")") || hy_outline_is(o, token, "]") || hy_outline_is(o, token, "}");
}

// The last token of what goes on at "from", brackets skipped: up to ";", or before what closes around it, or a comma.
static int end_of(const hy_outline *o, int from, bool at_comma) {
  for (int i = from; i < o->count; i++) {
    if (closes(o, i) || (at_comma && hy_outline_is(o, i, ","))) return i - 1;
    if (hy_outline_is(o, i, ";")) return i;
    if (o->match[i] != HY_NO_TOKEN) i = o->match[i];
  }
  return o->count - 1;
}

/* -- what introduces names -- */

static void add(hy_outline *o, hy_outline_kind kind, int token, int first, int last, int to, const char *func) {
  hy_vec_push(&o->names, (hy_outline_name){kind, hy_outline_text(o, token), token, first, last, token, to, func});
}

// Names right behind an opening bracket or a comma of it, which "next" follows; NULL: whatever does.
static void add_list(hy_outline *o, hy_outline_kind kind, int open, const char *next, int to, const char *func) {
  for (int i = open + 1; i < o->match[open] && i < o->count; i++) {
    bool begins = i == open + 1 || hy_outline_is(o, i - 1, ",");
    if (begins && hy_outline_is_name(o, i) && (!next || hy_outline_is(o, i + 1, next)))
      add(o, kind, i, i, end_of(o, i, true), to, func);
    if (o->match[i] != HY_NO_TOKEN) i = o->match[i];
  }
}

static void add_params(hy_outline *o, int open) {
  size_t before = o->names.count;
  add_list(o, HY_NAMES_PARAM, open, ":", o->count, NULL);
  for (size_t i = before; i < o->names.count; i++)
    if (hy_outline_is(o, o->names.data[i].token + 3, "[")) o->names.data[i].kind = HY_NAMES_IMAGE;
}

// "pipeline p(...) {" and "target p(...) {"
static void add_pipeline(hy_outline *o, int word) {
  int open = word + 2, brace = word + 2;
  while (brace < o->count && !hy_outline_is(o, brace, "{")) brace++;
  int last = brace < o->count && o->match[brace] < o->count ? o->match[brace] : o->count - 1;
  add(o, HY_NAMES_PIPELINE, word + 1, word, last, o->count, NULL);
  if (hy_outline_is(o, open, "(")) add_params(o, open);
}

// "fun f[k](x, y) = ...;", "def h(a) = ...;", "const N = ...;"
static void add_definition(hy_outline *o, int word, hy_outline_kind kind) {
  int name = word + 1, last = end_of(o, name, false), open = name + 1;
  const char *text = hy_outline_text(o, name);
  add(o, kind, name, word, last, o->count, NULL);
  if (hy_outline_is(o, open, "[") && o->match[open] < o->count) open = o->match[open] + 1;
  if (kind != HY_NAMES_CONST && hy_outline_is(o, open, "("))
    add_list(o, kind == HY_NAMES_FUNC ? HY_NAMES_DIMENSION : HY_NAMES_ARGUMENT, open, NULL, last, text);
}

// "for k in 0..3 { ... }", or with one item
static void add_turn(hy_outline *o, int word) {
  int at = word + 3;
  while (at < o->count && !hy_outline_is(o, at, "{") && !hy_outline_is(o, at, ";")) at++;
  int last = hy_outline_is(o, at, "{") ? o->match[at] : at;
  add(o, HY_NAMES_TURN, word + 1, word, last < o->count ? last : o->count - 1, last, NULL);
}

static void add_schedule(hy_outline *o, int word) {
  int brace = word + 2;
  while (brace < o->count && !hy_outline_is(o, brace, "{") && !hy_outline_is(o, brace, "schedule")) brace++;
  int last = hy_outline_is(o, brace, "{") && o->match[brace] < o->count ? o->match[brace] : o->count - 1;
  add(o, HY_NAMES_SCHEDULE, word + 1, word, last, last, NULL);
}

static void read_word(hy_outline *o, int i, const char **func) {
  hy_reduction reduction;
  bool with_name = hy_outline_is_name(o, i + 1);
  if (i > 0 && hy_outline_is(o, i - 1, ".")) return;
  if (with_name && (hy_outline_is(o, i, "pipeline") || hy_outline_is(o, i, "target")))
    add_pipeline(o, i);
  else if (with_name && (hy_outline_is(o, i, "fun") || hy_outline_is(o, i, "func")))
    add_definition(o, i, HY_NAMES_FUNC), *func = hy_outline_text(o, i + 1);
  else if (with_name && hy_outline_is(o, i, "def"))
    add_definition(o, i, HY_NAMES_HELPER);
  else if (with_name && hy_outline_is(o, i, "const"))
    add_definition(o, i, HY_NAMES_CONST);
  else if (with_name && hy_outline_is(o, i, "let"))
    add(o, HY_NAMES_LET, i + 1, i, end_of(o, i, true), end_of(o, i, true), *func);
  else if (with_name && hy_outline_is(o, i, "for") && hy_outline_is(o, i + 2, "in"))
    add_turn(o, i);
  else if (with_name && hy_outline_is(o, i, "schedule"))
    add_schedule(o, i);
  else if (hy_outline_is(o, i, "rdom") && hy_outline_is(o, i + 1, "("))
    add_list(o, HY_NAMES_RDOM, i + 1, "=", end_of(o, i, false), *func);
  else if (with_name && hy_reduction_find(hy_outline_text(o, i), &reduction) && hy_outline_is(o, i + 2, "("))
    add(o, HY_NAMES_FUNC, i + 1, i, o->match[i + 2] < o->count ? o->match[i + 2] : o->count - 1, o->count, NULL);
}

void hy_outline_read(hy_context *context, const hy_source *source, hy_outline *o) {
  hy_diagnostics *unheard = hy_diagnostics_new();
  const char *func = NULL;
  *o = (hy_outline){0};
  hy_lex(context, source, unheard, &o->tokens);
  o->count = (int)o->tokens.count - 1;
  match_brackets(hy_context_arena(context), o);
  for (int i = 0; i < o->count; i++)
    if (hy_outline_is_name(o, i)) read_word(o, i, &func);
  hy_diagnostics_free(unheard);
}

/* -- what a name means -- */

bool hy_outline_ends_operand(const hy_outline *o, int token) {
  static const char *const words[] = {"then", "else", "if"};
  if (token < 0 || hy_outline_is_word_in(o, token)) return false;
  if (o->tokens.data[token].kind == HY_TOKEN_PUNCTUATION)
    return hy_outline_is(o, token, ")") || hy_outline_is(o, token, "]");
  for (size_t i = 0; i < HY_COUNT(words); i++)
    if (hy_outline_is(o, token, words[i])) return false;
  return true;
}

// Images are called "in" as well: of several in a row each other one is the word.
bool hy_outline_is_word_in(const hy_outline *o, int token) {
  if (!hy_outline_is(o, token, "in")) return false;
  int first = token;
  while (first > 0 && hy_outline_is(o, first - 1, "in")) first--;
  return hy_outline_ends_operand(o, first - 1) == ((token - first) % 2 == 0);
}

// The nearest before it that counts there; a func that is read too early is meant all the same.
const hy_outline_name *hy_outline_meaning(const hy_outline *o, int token, const char *text) {
  const hy_outline_name *found = NULL;
  if (token >= 0 && hy_outline_is_word_in(o, token)) return NULL;
  for (size_t i = 0; i < o->names.count; i++) {
    const hy_outline_name *name = &o->names.data[i];
    if (strcmp(name->text, text) != 0 || name->kind == HY_NAMES_SCHEDULE || name->kind == HY_NAMES_PIPELINE) continue;
    if (name->from <= token && token <= name->to && (!found || name->token >= found->token)) found = name;
  }
  return found ? found : hy_outline_find(o, HY_NAMES_FUNC, text);
}

const hy_outline_name *hy_outline_find(const hy_outline *o, hy_outline_kind kind, const char *text) {
  for (size_t i = 0; i < o->names.count; i++)
    if (o->names.data[i].kind == kind && strcmp(o->names.data[i].text, text) == 0) return &o->names.data[i];
  return NULL;
}
