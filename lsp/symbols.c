// What a document introduces, as an editor lists it: pipelines with their funcs, schedules.

#include "lsp/sense.h"

static const struct {
  int symbol; // SymbolKind of the protocol; 0: not listed
  const char *detail;
} kinds[] = {
    [HY_NAMES_PIPELINE] = {2, "pipeline"}, [HY_NAMES_PARAM] = {13, "parameter"}, [HY_NAMES_IMAGE] = {13, "image"},
    [HY_NAMES_FUNC] = {12, "func"},        [HY_NAMES_CONST] = {14, "constant"},  [HY_NAMES_HELPER] = {12, "helper"},
    [HY_NAMES_SCHEDULE] = {2, "schedule"}, [HY_NAMES_TURN] = {0, NULL},
};

static json_t *symbol(const hy_read_source *source, const hy_outline *o, const hy_outline_name *name) {
  const hy_token *first = &o->tokens.data[name->first], *last = &o->tokens.data[name->last];
  return json_pack("{s:s, s:s, s:i, s:o, s:o}", "name", name->text, "detail", kinds[name->kind].detail, "kind",
                   kinds[name->kind].symbol, "range", hy_json_range(source, first->offset, last->offset + last->length),
                   "selectionRange", hy_json_loc(source, o->tokens.data[name->token].loc));
}

// Those inside of a pipeline are its children.
json_t *hy_answer_symbols(const hy_question *question) {
  hy_lsp_reading r;
  hy_reading_begin(&r, question);
  const hy_outline *o = hy_reading_outline(&r, r.own);
  json_t *list = json_array(), *inside = NULL;
  for (size_t i = 0; i < o->names.count; i++) {
    const hy_outline_name *name = &o->names.data[i];
    if ((size_t)name->kind >= HY_COUNT(kinds) || !kinds[name->kind].symbol) continue;
    json_t *one = symbol(r.own, o, name);
    json_array_append_new(inside && name->kind != HY_NAMES_SCHEDULE ? inside : list, one);
    if (name->kind != HY_NAMES_PIPELINE || inside) continue;
    inside = json_array();
    json_object_set_new(one, "children", inside);
  }
  return list;
}
