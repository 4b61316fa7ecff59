// The layout of a document, as "halyard fmt" has it: one edit, or none; null where the text does not follow its grammar.

#include "lsp/reading.h"

#include <string.h>

json_t *hy_answer_formatting(const hy_question *question) {
  hy_lsp_reading r;
  hy_text text = {0};
  hy_reading_begin(&r, question);
  const hy_source *own = r.own->source;
  if (!hy_format(r.context, own, question->document->language, r.diagnostics, &text)) return NULL;
  if (text.length == own->length && memcmp(text.data, own->text, text.length) == 0) return json_array();
  return json_pack("[{s:o, s:o}]", "range", hy_json_range(r.own, 0, own->length), "newText",
                   json_stringn(hy_text_string(&text), text.length));
}
