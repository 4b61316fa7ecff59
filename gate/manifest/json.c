#include "gate/manifest/json.h"

#include "semantics/base/sha256.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 22, MOST_ROWS = 4096 };

json_t *hy_json_string(const char *text) {
  json_t *string = json_string(text);
  if (string) return string;
  hy_text plain = {0};
  for (; *text; text++)
    if ((unsigned char)*text < 128)
      hy_text_add_bytes(&plain, text, 1);
    else
      hy_text_printf(&plain, "\\x%02x", (unsigned char)*text);
  string = json_string(hy_text_string(&plain));
  hy_text_free(&plain);
  return string;
}

void hy_json_put(json_t *object, const char *key, const char *text) {
  if (text) json_object_set_new(object, key, hy_json_string(text));
}

void hy_json_put_number(json_t *object, const char *key, uint64_t number) {
  json_object_set_new(object, key, json_integer((json_int_t)number));
}

void hy_json_print(json_t *root, hy_text *out) {
  char *text = json_dumps(root, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
  hy_text_add(out, text ? text : "");
  hy_text_add(out, "\n");
  free(text);
  json_decref(root);
}

void hy_json_complain(hy_json_reader *r, const char *format, const char *key) {
  if (!r->why) r->why = hy_arena_printf(r->arena, format, key);
}

json_t *hy_json_parse(hy_json_reader *r, const char *text, size_t length) {
  json_error_t error;
  if (length > MOST_BYTES) hy_json_complain(r, "has more than 4 MiB%s", "");
  json_t *root = r->why ? NULL : json_loadb(text ? text : "", length, JSON_REJECT_DUPLICATES, &error);
  if (!root && !r->why) r->why = hy_arena_printf(r->arena, "is not JSON: line %d: %s", error.line, error.text);
  return root;
}

void hy_json_take_version(hy_json_reader *r, const json_t *root, const char *key, const char *what, int version) {
  const json_t *is = json_object_get(root, key);
  if (r->why) return;
  if (!json_is_integer(is))
    r->why = hy_arena_printf(r->arena, "is no %s of Halyard's: it has no number \"%s\"", what, key);
  else if (json_integer_value(is) != version)
    r->why = hy_arena_printf(r->arena, "is of version %lld, and this Halyard reads version %d",
                             (long long)json_integer_value(is), version);
}

const char *hy_json_take(hy_json_reader *r, const json_t *object, const char *key, bool is_owed) {
  const json_t *value = json_object_get(object, key);
  if (!value && is_owed) hy_json_complain(r, "has no \"%s\"", key);
  if (value && !json_is_string(value)) hy_json_complain(r, "has a \"%s\" that is no text", key);
  if (!json_is_string(value)) return NULL;
  return hy_arena_copy(r->arena, json_string_value(value), json_string_length(value));
}

const char *hy_json_take_hash(hy_json_reader *r, const json_t *object, const char *key, bool is_owed) {
  const char *text = hy_json_take(r, object, key, is_owed);
  if (!text) return NULL;
  bool good = strlen(text) == HY_SHA256_DIGITS && strspn(text, "0123456789abcdef") == HY_SHA256_DIGITS;
  if (!good) hy_json_complain(r, "has a \"%s\" that is no SHA-256 of 64 hexadecimal digits", key);
  return good ? text : NULL;
}

size_t hy_json_take_number(hy_json_reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  json_int_t number = json_integer_value(value);
  bool good = json_is_integer(value) && number >= 0 && number <= (json_int_t)1 << 40;
  if (!good) hy_json_complain(r, "has no \"%s\" that is a whole number from 0 to 2^40", key);
  return good ? (size_t)number : 0;
}

double hy_json_take_real(hy_json_reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  double number = json_number_value(value);
  bool good = !value || (json_is_number(value) && isfinite(number) && number >= 0);
  if (!good) hy_json_complain(r, "has a \"%s\" that is no number from 0 on", key);
  return good ? number : 0;
}

const json_t *hy_json_take_object(hy_json_reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_object(value)) hy_json_complain(r, "has no object \"%s\"", key);
  return json_is_object(value) ? value : NULL;
}

const json_t *hy_json_take_list(hy_json_reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  bool good = json_is_array(value) && json_array_size(value) <= MOST_ROWS;
  if (!good) hy_json_complain(r, "has no list \"%s\" of at most 4096 rows", key);
  return good ? value : NULL;
}
