#ifndef HY_JSON_H
#define HY_JSON_H

/* JSON written key by key, and taken so from whoever: nothing is believed. The first complaint stays, and everything
 * taken after it is of no use. For the files of gate/manifest/ alone.
 */

#include "semantics/base/arena.h"
#include "semantics/base/text.h"

#include <jansson.h>

typedef struct hy_json_reader {
  hy_arena *arena; // of all texts that are taken
  const char *why; // a sentence's end that names the key; NULL as long as all is well
} hy_json_reader;

// A text of any bytes: what is not UTF-8 stands there as \xNN.
json_t *hy_json_string(const char *text);
void hy_json_put(json_t *object, const char *key, const char *text); // NULL: nothing
void hy_json_put_number(json_t *object, const char *key, uint64_t number);
// Canonical: two spaces, keys sorted, a final newline. Takes the root.
void hy_json_print(json_t *root, hy_text *out);

// The "format" has one %s, for the key.
void hy_json_complain(hy_json_reader *reader, const char *format, const char *key);

// NULL after a complaint. json_decref it.
json_t *hy_json_parse(hy_json_reader *reader, const char *text, size_t length);
// What says by "key" of which version it is; "what" such a file is called.
void hy_json_take_version(hy_json_reader *reader, const json_t *root, const char *key, const char *what, int version);

// Of an object. A text or list that is absent and may be, or after a complaint: NULL; a number: 0.
const char *hy_json_take(hy_json_reader *reader, const json_t *object, const char *key, bool is_owed);
const char *hy_json_take_hash(hy_json_reader *reader, const json_t *object, const char *key, bool is_owed);
size_t hy_json_take_number(hy_json_reader *reader, const json_t *object, const char *key); // from 0 to 2^40
double hy_json_take_real(hy_json_reader *reader, const json_t *object, const char *key);   // finite, from 0; absent: 0
const json_t *hy_json_take_object(hy_json_reader *reader, const json_t *object, const char *key);
const json_t *hy_json_take_list(hy_json_reader *reader, const json_t *object, const char *key); // at most 4096 rows

#endif
