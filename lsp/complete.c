#include "lsp/complete.h"

#include "lsp/words.h"

#include <string.h>

/* -- the list -- */

void hy_complete_add(hy_completing *c, hy_complete_kind kind, const char *label, const char *detail) {
  const json_t *one;
  size_t i;
  json_array_foreach(c->list, i, one) if (strcmp(json_string_value(json_object_get(one, "label")), label) == 0) return;
  char order[16];
  snprintf(order, sizeof order, "%05zu", json_array_size(c->list));
  json_t *item = json_pack("{s:s, s:i, s:s}", "label", label, "kind", (int)kind, "sortText", order);
  if (detail) json_object_set_new(item, "detail", hy_json_text(detail));
  json_array_append_new(c->list, item);
}

void hy_complete_words(hy_completing *c, unsigned places) {
  static const hy_complete_kind kinds[] = {
      [HY_WORD_TYPE] = HY_ITEM_TYPE, [HY_WORD_FUNCTION] = HY_ITEM_FUNCTION, [HY_WORD_GRAMMAR] = HY_ITEM_WORD};
  hy_lsp_word word;
  for (size_t i = 0; hy_words_at(i, &word); i++) {
    if (word.places & places) hy_complete_add(c, kinds[word.kind], word.text, hy_text_string(&word.form));
    hy_words_free(&word);
  }
}

static void add_types(hy_completing *c) {
  hy_lsp_word word;
  for (size_t i = 0; hy_words_at(i, &word); i++) {
    if (word.kind == HY_WORD_TYPE) hy_complete_add(c, HY_ITEM_TYPE, word.text, hy_text_string(&word.meaning));
    hy_words_free(&word);
  }
}

/* -- algorithms -- */

static const struct {
  hy_complete_kind kind;
  const char *detail;
} kinds[] = {
    [HY_NAMES_PARAM] = {HY_ITEM_VARIABLE, "parameter"},
    [HY_NAMES_IMAGE] = {HY_ITEM_FUNCTION, "image"},
    [HY_NAMES_FUNC] = {HY_ITEM_FUNCTION, "func"},
    [HY_NAMES_CONST] = {HY_ITEM_CONSTANT, "constant"},
    [HY_NAMES_HELPER] = {HY_ITEM_FUNCTION, "helper"},
    [HY_NAMES_DIMENSION] = {HY_ITEM_VARIABLE, "dimension"},
    [HY_NAMES_ARGUMENT] = {HY_ITEM_VARIABLE, "argument"},
    [HY_NAMES_RDOM] = {HY_ITEM_VARIABLE, "reduction variable"},
    [HY_NAMES_LET] = {HY_ITEM_VARIABLE, "let"},
    [HY_NAMES_TURN] = {HY_ITEM_VARIABLE, "for"},
    [HY_NAMES_SCHEDULE] = {0, NULL},
};

// The nearest first: what a func has of its own, then what stands above it.
static void add_names(hy_completing *c) {
  const hy_outline *o = c->outline;
  for (size_t i = o->names.count; i-- > 0;) {
    const hy_outline_name *name = &o->names.data[i];
    bool counts = name->from < c->token && c->token <= name->to + (name->kind != HY_NAMES_FUNC);
    if (kinds[name->kind].detail && counts)
      hy_complete_add(c, kinds[name->kind].kind, name->text, kinds[name->kind].detail);
  }
}

static void add_members(hy_completing *c, int image) {
  hy_sense sense;
  const char *name;
  hy_text form = {0}, meaning = {0};
  if (!hy_sense_find(&c->reading, c->reading.own, image, &sense) || !sense.name || sense.name->kind != HY_NAMES_IMAGE)
    return;
  for (size_t i = 0; hy_words_member(i, &name, &form, &meaning); i++) {
    hy_complete_add(c, HY_ITEM_PROPERTY, name, hy_text_string(&form));
    form.length = meaning.length = 0;
  }
}

static bool follows(const hy_completing *c, const char *word) { return hy_outline_is(c->outline, c->token - 1, word); }

static void complete_algorithm(hy_completing *c) {
  static const char *const heads[] = {"fun", "func", "def", "const", "let", "pipeline", "for"};
  for (size_t i = 0; i < HY_COUNT(heads); i++)
    if (follows(c, heads[i])) return; // a new name
  if (follows(c, ":")) {
    add_types(c);
    return;
  }
  if (follows(c, ".")) {
    add_members(c, c->token - 2);
    return;
  }
  add_names(c);
  hy_complete_words(c, HY_WORD_ALGORITHM);
}

/* -- all languages -- */

static bool in_comment(const hy_read_source *source, size_t cursor) {
  const char *text = source->source->text;
  bool line = false, block = false;
  for (size_t i = 0; i < cursor; i++) {
    bool slash = text[i] == '/' && i + 1 < cursor;
    if (line && text[i] == '\n') line = false;
    if (block && text[i] == '*' && i + 1 < cursor && text[i + 1] == '/')
      block = false, i++;
    else if (!line && !block && slash && text[i + 1] == '/')
      line = true;
    else if (!line && !block && slash && text[i + 1] == '*')
      block = true, i++;
  }
  return line || block;
}

json_t *hy_answer_completion(const hy_question *question) {
  hy_completing c = {.list = json_array()};
  hy_reading_begin(&c.reading, question);
  size_t cursor = hy_reading_cursor(&c.reading);
  c.outline = hy_reading_outline(&c.reading, c.reading.own);
  int at = hy_outline_at(c.outline, cursor), before = hy_outline_before(c.outline, cursor);
  // The name that the cursor is in, or behind; not one that begins there.
  c.token = at != HY_NO_TOKEN && at < before && hy_outline_is_name(c.outline, at) ? at : before;
  if (in_comment(c.reading.own, cursor)) return c.list;
  switch (question->document->language) {
  case HY_LANGUAGE_ALG: complete_algorithm(&c); break;
  case HY_LANGUAGE_SCHEDULE: hy_complete_schedule(&c); break;
  case HY_LANGUAGE_TGT: break;
  }
  return c.list;
}
