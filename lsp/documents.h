#ifndef HY_DOCUMENTS_H
#define HY_DOCUMENTS_H

/* The documents that are open, as the client has them, which may be other than what lies on the disk. */

#include "lsp/lines.h"
#include "semantics/format/format.h"

#include <jansson.h>

typedef struct hy_document {
  char *uri, *path; // path: NULL, if it is no file's
  char *text;
  size_t length;
  json_int_t version;
  hy_language language;
  bool dirty; // its diagnostics are not those of its text
} hy_document;

typedef struct hy_documents {
  HY_VEC(hy_document) list;
  bool utf8; // how the client counts characters
} hy_documents;

enum { HY_DOCUMENTS_MOST = 1000 };

hy_document *hy_documents_find(const hy_documents *documents, const char *uri);
const hy_document *hy_documents_of_path(const hy_documents *documents, const char *path);
// The parameters of didOpen, didChange, didClose. False: they are not what the protocol says; of several changes those
// before the first that is not are made.
bool hy_documents_open(hy_documents *documents, const json_t *params);
bool hy_documents_change(hy_documents *documents, const json_t *params);
bool hy_documents_close(hy_documents *documents, const json_t *params);
void hy_documents_end(hy_documents *documents);

// "file:///a%20b" -> "/a b"; NULL: no file's.
HY_GIVE char *hy_path_of_uri(const char *uri);
HY_GIVE char *hy_uri_of_path(const char *path);

// {"line": 1, "character": 2}. False: it is none.
bool hy_place_of_json(const json_t *json, hy_lsp_place *place);

#endif
