// Where a name is introduced, and where else it stands.

#include "lsp/sense.h"

#include <string.h>

static json_t *location(hy_lsp_reading *r, hy_read_source *source, int token) {
  return hy_json_location(source, hy_reading_outline(r, source)->tokens.data[token].loc);
}

static bool at_cursor(hy_lsp_reading *r, hy_sense *sense) {
  int token = hy_outline_at(hy_reading_outline(r, r->own), hy_reading_cursor(r));
  return token != HY_NO_TOKEN && hy_sense_find(r, r->own, token, sense);
}

json_t *hy_answer_definition(const hy_question *question) {
  hy_lsp_reading r;
  hy_sense sense;
  hy_reading_begin(&r, question);
  return at_cursor(&r, &sense) ? location(&r, sense.source, sense.token) : NULL;
}

static void add_references(hy_lsp_reading *r, hy_read_source *source, const hy_sense *wanted, bool with_itself,
                           json_t *list) {
  const hy_outline *o = hy_reading_outline(r, source);
  const char *text = hy_outline_text(hy_reading_outline(r, wanted->source), wanted->token);
  hy_sense sense;
  for (int i = 0; i < o->count; i++) {
    bool is_itself = source == wanted->source && i == wanted->token;
    if (strcmp(hy_outline_text(o, i), text) != 0 || (is_itself && !with_itself)) continue;
    if (hy_sense_find(r, source, i, &sense) && sense.source == wanted->source && sense.token == wanted->token)
      json_array_append_new(list, location(r, source, i));
  }
}

// In the text that introduces it, and in all that are open.
json_t *hy_answer_references(const hy_question *question) {
  hy_lsp_reading r;
  hy_sense sense;
  hy_reading_begin(&r, question);
  if (!at_cursor(&r, &sense)) return NULL;
  const json_t *context = json_object_get(question->params, "context");
  bool with_itself = json_is_true(json_object_get(context, "includeDeclaration"));
  json_t *list = json_array();
  add_references(&r, sense.source, &sense, with_itself, list);
  if (sense.source != r.own) add_references(&r, r.own, &sense, with_itself, list);
  return list;
}
