#include "fuzz/change/edit_items.h"

#include "semantics/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *hy_items_without(const char *items, size_t first, size_t count) {
  hy_text out = {0};
  for (size_t line = 0; *items; line++) {
    size_t length = strcspn(items, "\n");
    length += items[length] == '\n';
    if (line < first || line >= first + count) hy_text_add_bytes(&out, items, length);
    items += length;
  }
  return out.data ? out.data : strdup("");
}

static bool is_name_character(char c) { return isalnum((unsigned char)c) || c == '_'; }

// "text" with the word "from" replaced, as a whole name or the last part of one.
static void replace_word(const char *text, const char *from, const char *to, hy_text *out) {
  for (size_t length; *text; text += length) {
    length = 1;
    while (is_name_character(*text) && is_name_character(text[length])) length++;
    bool same = length == strlen(from) && strncmp(text, from, length) == 0;
    hy_text_add_bytes(out, same ? to : text, same ? strlen(to) : length);
  }
}

enum { NAME = 48 };

// What the line makes, and what is there without it. False: it is no split and no fusion.
static bool names_of(const char *line, bool inner, char made[NAME], char instead[NAME]) {
  char path[2 * NAME], first[NAME], second[NAME];
  bool is_split = false;
  if (sscanf(line, " split(%95[^,\n], %47[^,\n], %47[^,\n],", path, first, second) == 3 && (is_split = true))
    snprintf(made, NAME, "%s", inner ? second : first);
  else if (sscanf(line, " fuse(%95[^,\n], %47[^,\n], %47[^)\n]", path, first, second) == 3)
    snprintf(made, NAME, "%s", second);
  else
    return false;
  const char *last = strrchr(path, '.');
  int length = snprintf(instead, NAME, "%s", inner && !is_split ? first : last ? last + 1 : path);
  return length < NAME;
}

char *hy_items_past(const char *items, size_t line, bool inner, char *altered, size_t room) {
  char made[NAME], instead[NAME];
  hy_text rest = {0}, renamed = {0};
  const char *at = items;
  for (size_t i = 0; i < line && *at; i++) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : "";
  if (!names_of(at, inner, made, instead)) return NULL;
  char *fewer = hy_items_without(items, line, 1);
  replace_word(fewer + (at - items), made, instead, &rest);
  hy_text_add_bytes(&renamed, fewer, (size_t)(at - items));
  hy_text_add(&renamed, hy_text_string(&rest));
  hy_text_free(&rest);
  free(fewer);
  replace_word(altered, made, instead, &rest);
  if (rest.length < room) snprintf(altered, room, "%s", hy_text_string(&rest));
  hy_text_free(&rest);
  return renamed.data ? renamed.data : strdup("");
}
