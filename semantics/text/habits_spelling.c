/* What no token of ours is: numbers and lines as other languages have them. */

#include "semantics/text/habits.h"

#include <stdio.h>
#include <string.h>

static bool is_all(const char *text, const char *of) { return *text && strspn(text, of) == strlen(text); }

static const char *without_underscores(hy_arena *arena, const char *text) {
  char *plain = hy_arena_copy(arena, text, strlen(text)), *to = plain;
  for (const char *c = text; *c; c++)
    if (*c != '_') *to++ = *c;
  *to = '\0';
  return plain;
}

const char *hy_habit_of_number(hy_context *context, const char *text) {
  hy_arena *arena = hy_context_arena(context);
  const char *plain = without_underscores(arena, text);
  size_t digits = strspn(plain, "0123456789.");
  const char *suffix = plain + digits, *number = hy_arena_copy(arena, plain, digits);
  bool is_binary = plain[0] == '0' && (plain[1] == 'b' || plain[1] == 'B') && is_all(plain + 2, "01");
  if (is_binary && strlen(plain) <= 2 + 64) return hy_arena_printf(arena, "write %llu", strtoull(plain + 2, NULL, 2));
  if (!*suffix) return hy_arena_printf(arena, "write %s", number); // it had underscores
  if (strcmp(suffix, "f") == 0 || strcmp(suffix, "F") == 0)
    return hy_arena_printf(arena, "numbers have no suffix: write %s%s, whose type is found, or f32(%s)", number,
                           strchr(number, '.') ? "" : ".0", number);
  if (strlen(suffix) <= 3 && is_all(suffix, "uUlLzZ"))
    return hy_arena_printf(arena, "numbers have no suffix: write %s, whose type is found, or u32(%s)", number, number);
  return "numbers have no suffix: write the conversion, as in u8(1) or f64(0.5), and put an operator between a number "
         "and a name";
}

const char *hy_habit_of_line(hy_context *context, const char *line) {
  static const char *const words[] = {"include", "define", "if", "ifdef", "ifndef", "endif", "else", "pragma", "undef"};
  enum { LONGEST = 64 };
  char name[LONGEST], value[LONGEST];
  hy_arena *arena = hy_context_arena(context);
  if (sscanf(line, "# include \"%63[A-Za-z0-9_./-]\"", name) == 1)
    return strstr(name, "Halide")
               ? "leave it out"
               : hy_arena_printf(arena, "write include \"%s\"; among the funcs, for a file of Halyard's", name);
  if (sscanf(line, "# define %63[A-Za-z0-9_](%63[A-Za-z0-9_, ])", name, value) == 2)
    return hy_arena_printf(arena, "write def %s(%s) = e;", name, value);
  if (sscanf(line, "# define %63[A-Za-z0-9_] %63[A-Za-z0-9_.+*/() -]", name, value) == 2)
    return hy_arena_printf(arena, "write const %s = %s;", name, value);
  for (size_t i = 0; i < HY_COUNT(words); i++)
    if (sscanf(line, "# %63[a-z]", name) == 1 && strcmp(name, words[i]) == 0)
      return "there is no preprocessor: funcs are chosen by if c { .. } else { .. }, and each file is included once";
  return NULL;
}

// What stands in the quotes behind that token
static const char *unquoted(hy_context *context, const hy_source *source, const hy_token *before) {
  const char *text = source->text + before->offset + before->length;
  text += strcspn(text, "\"\n");
  text += *text == '"';
  return hy_arena_printf(hy_context_arena(context), "write %s: funcs and loops are named without quotes",
                         hy_text_quote(context, text, strcspn(text, "\"\n"), HY_SHORT_QUOTE));
}

// require(e, "why")
const char *hy_habit_of_string(hy_context *context, const hy_source *source, const hy_tokens *before) {
  const hy_token *tokens = before->data;
  size_t i = before->count;
  while (i > 0 && !strchr(";{}", tokens[i - 1].text[0])) i--;
  bool is_require = i + 3 < before->count && strcmp(tokens[i].text, "require") == 0 &&
                    strcmp(tokens[i + 1].text, "(") == 0 && strcmp(hy_vec_last(before).text, ",") == 0;
  bool is_specialize_fail = before->count > 1 && strcmp(tokens[before->count - 2].text, "specialize_fail") == 0;
  if (is_specialize_fail)
    return "leave this call out: what no condition selects is the general case; require stands in the algorithm";
  bool is_schedule = before->count && strcmp(tokens[0].text, "schedule") == 0;
  if (!is_require && is_schedule && strchr("(,", hy_vec_last(before).text[0]))
    return unquoted(context, source, &hy_vec_last(before));
  if (!is_require) return "there are no strings but in include \"FILE\"; remove it";
  size_t first = tokens[i + 2].offset, last = before->count - 2;
  return hy_arena_printf(hy_context_arena(context), "a requirement has no text of its own: write require %s;",
                         hy_text_quote(context, source->text + first, tokens[last].offset + tokens[last].length - first,
                                       HY_LONGEST_QUOTE));
}
