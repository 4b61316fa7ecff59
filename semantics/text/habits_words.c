/* Types and other words of other languages, where they stand as names; and what to write, filled in. */

#include "semantics/text/habits.h"

#include <stdlib.h>
#include <string.h>

/* -- what to write -- */

// b: its braces as brackets; d: without braces; k: its brackets as parentheses
static void add_rebraced(const char *text, char how, hy_text *out) {
  static const char braces[] = "{}[]", brackets[] = "[]()";
  for (; *text; text++) {
    const char *found = strchr(braces, *text);
    if (!found || (found - braces >= 2) != (how == 'k'))
      hy_text_add_bytes(out, text, 1);
    else if (how != 'd')
      hy_text_add_bytes(out, &brackets[found - braces], 1);
  }
}

// Does the parenthesis that opens the text close at its end?
static bool is_grouped(const char *text) {
  int depth = 0;
  for (const char *c = text; *c; c++) {
    depth += (*c == '(') - (*c == ')');
    if (depth <= 0) return c > text && !c[1];
  }
  return false;
}

// The length of the argument that begins there.
static size_t argument_length(const char *text) {
  size_t length = 0;
  for (int depth = 0; text[length] && (depth > 0 || text[length] != ','); length++)
    depth += (strchr("([{", text[length]) != NULL) - (strchr(")]}", text[length]) != NULL);
  return length;
}

static bool is_argument(const char *text, const char *name) {
  while (*text) {
    size_t length = argument_length(text);
    if (length == strlen(name) && strncmp(text, name, length) == 0) return true;
    text += length;
    text += strspn(text, ", ");
  }
  return false;
}

static bool is_name(const char *text, size_t length) {
  size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  return letters >= length && !(*text >= '0' && *text <= '9');
}

// "x, 0" as the variables of a func: what is no name gets one that does not stand there.
static void add_variables(const char *text, hy_text *out) {
  static const char *const names[] = {"x", "y", "c", "d", "e", "u", "v", "z"};
  const char *all = text;
  for (size_t i = 0, next = 0; *text; i++) {
    size_t length = argument_length(text);
    hy_text_add(out, i ? ", " : "");
    if (is_name(text, length)) {
      hy_text_add_bytes(out, text, length);
      if (next <= i) next = i + 1;
    } else {
      while (next < HY_COUNT(names) && is_argument(all, names[next])) next++;
      if (next == HY_COUNT(names)) next = 0;
      hy_text_add(out, names[next++]);
    }
    text += length;
    text += strspn(text, ", ");
  }
}

static void add_filling(const hy_habit_filling *f, char how, hy_text *out) {
  if (how == 'b' || how == 'd' || how == 'k')
    add_rebraced(f->text, how, out);
  else if (how == 'v')
    add_variables(f->text, out);
  else if (how == 'i')
    hy_text_add(out, f->indices);
  else if (how == 's' && is_grouped(f->text))
    hy_text_add_bytes(out, f->text + 1, strlen(f->text) - 2);
  else
    hy_text_printf(out, how == 'p' && !f->is_operand ? "(%s)" : "%s", f->text);
}

// How many numbers there are from one to the other
static void add_length(const hy_habit_filling *first, const hy_habit_filling *last, hy_text *out) {
  enum { DIGITS = 9 };
  static const char digits[] = "0123456789";
  bool are_numbers = strlen(first->text) <= DIGITS && strspn(first->text, digits) == strlen(first->text) &&
                     strlen(last->text) <= DIGITS && strspn(last->text, digits) == strlen(last->text);
  if (are_numbers)
    hy_text_printf(out, "%lld", atoll(last->text) - atoll(first->text) + 1);
  else if (strcmp(first->text, "0") == 0)
    hy_text_printf(out, "%s + 1", last->text);
  else
    hy_text_printf(out, last->is_operand && first->is_operand ? "%s - %s + 1" : "(%s) - (%s) + 1", last->text,
                   first->text);
}

const char *hy_habit_fill(hy_context *context, const char *instead, const hy_habit_filling *fillings, int count,
                          hy_habit_around around) {
  hy_text out = {0};
  for (const char *c = instead; *c; c++) {
    char how = 0;
    if (*c != '$') {
      hy_text_add_bytes(&out, c, 1);
      continue;
    }
    c++;
    const char *named = *c == 'F'   ? around.func
                        : *c == 'P' ? around.pipeline
                        : *c == 'V' ? around.variables
                        : *c == 'W' ? around.stages
                                    : NULL;
    if (named) {
      hy_text_add(&out, named);
      continue;
    }
    if (strchr("psbdkvil", *c)) how = *c++;
    HY_ASSERT(*c > '0' && *c <= '0' + count);
    if (how == 'l')
      add_length(&fillings[c[0] - '1'], &fillings[c[1] - '1'], &out), c++;
    else
      add_filling(&fillings[*c - '1'], how, &out);
  }
  const char *text = hy_arena_printf(hy_context_arena(context), "%s", hy_text_string(&out));
  hy_text_free(&out);
  return text;
}

const char *hy_habit_of_type(const char *word) {
  static const struct {
    const char *other, *ours;
  } table[] = {
#define HY_TYPE(name, spelling, ...) {spelling, spelling},
#include "semantics/types.def"
#undef HY_TYPE
#define HY_SPELLING(other, ours) {other, ours},
#include "semantics/text/habits.def"
  };
  for (size_t i = 0; i < HY_COUNT(table); i++)
    if (strcmp(word, table[i].other) == 0) return table[i].ours;
  return NULL;
}

/* -- names in expressions -- */

// UInt(8), Float(32): how Halide makes its types; a name of one
static const char *type_of(hy_context *context, const hy_syntax *syntax) {
  static const struct {
    const char *word, *letter;
  } makers[] = {{"UInt", "u"}, {"Int", "i"}, {"Float", "f"}, {"BFloat", "bf"}};
  const hy_syntax *name = syntax->kind == HY_SYNTAX_CALL ? syntax->args[0] : syntax;
  if (name->kind != HY_SYNTAX_NAME && name->kind != HY_SYNTAX_MEMBER) return NULL;
  if (syntax == name) return name->kind == HY_SYNTAX_NAME ? hy_habit_of_type(name->text) : NULL;
  if (syntax->count != 2 || syntax->args[1]->kind != HY_SYNTAX_INTEGER) return NULL;
  for (size_t i = 0; i < HY_COUNT(makers); i++) {
    if (strcmp(name->text, makers[i].word) != 0) continue;
    const char *made = hy_arena_printf(hy_context_arena(context), "%s%.4s", makers[i].letter, syntax->args[1]->text);
    return hy_habit_of_type(made);
  }
  return NULL;
}

static bool stands_for_itself(const hy_syntax *syntax) {
  return syntax->in_parentheses ||
         (syntax->kind != HY_SYNTAX_OP && syntax->kind != HY_SYNTAX_LET && syntax->kind != HY_SYNTAX_CHOICE);
}

// Is it a word of ours that is called?
static bool is_ours(const char *word) {
  hy_boundary boundary;
  hy_derived derived;
  return hy_is_reserved_word(word) || hy_boundary_find(word, &boundary) || hy_derived_find(word, &derived) ||
         strcmp(word, "mux") == 0;
}

// "$1, $2, .., $count"
static const char *list_of(hy_context *context, const hy_habit_filling *fillings, int count) {
  hy_text out = {0};
  for (int i = 0; i < count; i++) hy_text_printf(&out, "%s%s", i ? ", " : "", fillings[i].text);
  const char *text = hy_arena_printf(hy_context_arena(context), "%s", hy_text_string(&out));
  hy_text_free(&out);
  return text;
}

static const char *row_of_word(const char *word, int count) {
  enum { ANY = -1 };
  static const struct {
    const char *word;
    int arguments;
    const char *instead;
  } words[] = {
#define HY_WORD(word, arguments, instead) {word, arguments, instead},
#include "semantics/text/habits.def"
  };
  for (size_t i = 0; i < HY_COUNT(words); i++)
    if (strcmp(word, words[i].word) == 0 && (words[i].arguments == ANY || words[i].arguments == count))
      return words[i].instead;
  return NULL;
}

const char *hy_habit_of_word(hy_context *context, const hy_syntax *syntax) {
  enum { MOST = 8 };
  const hy_syntax *name = syntax->kind == HY_SYNTAX_CALL ? syntax->args[0] : syntax;
  int count = syntax->kind == HY_SYNTAX_CALL && syntax->count <= MOST ? syntax->count - 1 : 0;
  hy_habit_filling fillings[MOST];
  if (name->kind != HY_SYNTAX_NAME && name->kind != HY_SYNTAX_MEMBER) return NULL;
  for (int i = 0; i < count; i++) {
    const hy_syntax *argument = syntax->args[i + 1];
    const char *type = type_of(context, argument);
    fillings[i] = (hy_habit_filling){.text = type ? type : hy_syntax_quote(context, argument),
                                     .is_operand = stands_for_itself(argument)};
  }
  const char *type = count == 1 ? hy_habit_of_type(name->text) : NULL, *row = row_of_word(name->text, count);
  if (type || (name->kind == HY_SYNTAX_MEMBER && count && is_ours(name->text)))
    return hy_arena_printf(hy_context_arena(context), "write %s(%s)", type ? type : name->text,
                           list_of(context, fillings, count));
  if (row) return hy_habit_fill(context, row, fillings, count, (hy_habit_around){"", "", "", ""});
  if (count || name->kind != HY_SYNTAX_NAME || !(type = hy_habit_of_type(name->text))) return NULL;
  return hy_arena_printf(hy_context_arena(context), "it is a type: write %s(e) for e converted", type);
}
