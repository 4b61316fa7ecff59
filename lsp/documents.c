#include "lsp/documents.h"

#include <stdio.h>
#include <string.h>

/* -- names -- */

static int hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

char *hy_path_of_uri(const char *uri) {
  static const char scheme[] = "file://";
  if (strncmp(uri, scheme, sizeof scheme - 1) != 0) return NULL;
  const char *from = strchr(uri + sizeof scheme - 1, '/'); // behind the host, which is empty or this machine
  if (!from) return NULL;
  char *path = hy_allocate(strlen(from) + 1), *to = path;
  for (; *from; from++) {
    int high = *from == '%' ? hex(from[1]) : -1, low = high >= 0 ? hex(from[2]) : -1;
    *to++ = low >= 0 ? (char)(high * 16 + low) : *from;
    if (low >= 0) from += 2;
  }
  *to = 0;
  if (strlen(path) == (size_t)(to - path)) return path;
  hy_free(path); // %00
  return NULL;
}

char *hy_uri_of_path(const char *path) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  hy_text uri = {0};
  hy_text_add(&uri, "file://");
  for (; *path; path++)
    if (strchr(plain, *path))
      hy_text_add_bytes(&uri, path, 1);
    else
      hy_text_printf(&uri, "%%%02X", (unsigned char)*path);
  return uri.data;
}

/* -- the list -- */

hy_document *hy_documents_find(const hy_documents *d, const char *uri) {
  for (size_t i = 0; i < d->list.count; i++)
    if (strcmp(d->list.data[i].uri, uri) == 0) return &d->list.data[i];
  return NULL;
}

const hy_document *hy_documents_of_path(const hy_documents *d, const char *path) {
  for (size_t i = 0; i < d->list.count; i++)
    if (d->list.data[i].path && strcmp(d->list.data[i].path, path) == 0) return &d->list.data[i];
  return NULL;
}

static void set_text(hy_document *document, const char *text, size_t length) {
  char *copy = hy_allocate(length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  hy_free(document->text);
  document->text = copy;
  document->length = length;
}

static void end_document(hy_document *document) {
  hy_free(document->uri);
  hy_free(document->path);
  hy_free(document->text);
}

void hy_documents_end(hy_documents *d) {
  for (size_t i = 0; i < d->list.count; i++) end_document(&d->list.data[i]);
  hy_vec_free(&d->list);
}

// By its name; else by its first word.
static hy_language find_language(const hy_document *document) {
  hy_language language;
  if (hy_language_of_name(document->uri, &language)) return language;
  hy_context *context = hy_context_new();
  language = hy_language_of_text(context, &(hy_source){document->uri, document->text, document->length});
  hy_context_free(context);
  return language;
}

// An algorithm that changes changes what its schedules mean.
static void mark(hy_documents *d, hy_document *changed) {
  changed->dirty = true;
  for (size_t i = 0; i < d->list.count; i++)
    d->list.data[i].dirty |= changed->language == HY_LANGUAGE_ALG && d->list.data[i].language == HY_LANGUAGE_SCHEDULE;
}

/* -- the three notifications -- */

bool hy_documents_open(hy_documents *d, const json_t *params) {
  const json_t *about = json_object_get(params, "textDocument");
  const json_t *text = json_object_get(about, "text"), *version = json_object_get(about, "version");
  const char *uri = json_string_value(json_object_get(about, "uri"));
  if (!uri || !json_is_string(text)) return false;
  hy_document *document = hy_documents_find(d, uri);
  if (!document) {
    if (d->list.count >= HY_DOCUMENTS_MOST) return false;
    hy_vec_push(&d->list, (hy_document){.uri = hy_copy_string(uri), .path = hy_path_of_uri(uri)});
    document = &hy_vec_last(&d->list);
  }
  set_text(document, json_string_value(text), json_string_length(text));
  document->version = json_integer_value(version);
  document->language = find_language(document);
  mark(d, document);
  return true;
}

bool hy_place_of_json(const json_t *json, hy_lsp_place *place) {
  const json_t *line = json_object_get(json, "line"), *character = json_object_get(json, "character");
  if (!json_is_integer(line) || !json_is_integer(character) || json_integer_value(line) < 0 ||
      json_integer_value(character) < 0)
    return false;
  *place = (hy_lsp_place){(size_t)json_integer_value(line), (size_t)json_integer_value(character)};
  return true;
}

// {"range": .., "text": ..}, or "text" alone: all of it
static bool change_once(hy_document *document, const json_t *change, bool utf8) {
  const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
  if (!json_is_string(text)) return false;
  const char *new = json_string_value(text);
  size_t length = json_string_length(text);
  if (!range) {
    set_text(document, new, length);
    return true;
  }
  hy_lsp_place from, to;
  if (!hy_place_of_json(json_object_get(range, "start"), &from) ||
      !hy_place_of_json(json_object_get(range, "end"), &to))
    return false;
  hy_lines lines;
  hy_lines_begin(&lines, document->text, document->length, utf8);
  size_t start = hy_lines_offset(&lines, from), end = hy_lines_offset(&lines, to);
  hy_lines_end(&lines);
  if (end < start) return false;
  hy_text whole = {0};
  hy_text_add_bytes(&whole, document->text, start);
  hy_text_add_bytes(&whole, new, length);
  hy_text_add_bytes(&whole, document->text + end, document->length - end);
  set_text(document, hy_text_string(&whole), whole.length);
  hy_text_free(&whole);
  return true;
}

static hy_document *of_params(const hy_documents *d, const json_t *params) {
  const char *uri = json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
  return uri ? hy_documents_find(d, uri) : NULL;
}

bool hy_documents_change(hy_documents *d, const json_t *params) {
  hy_document *document = of_params(d, params);
  const json_t *changes = json_object_get(params, "contentChanges"), *change;
  if (!document || !json_is_array(changes)) return false;
  bool good = true;
  size_t i, made = 0;
  json_array_foreach(changes, i, change) made += good = good && change_once(document, change, d->utf8);
  if (!made) return good;
  document->version = json_integer_value(json_object_get(json_object_get(params, "textDocument"), "version"));
  mark(d, document);
  return good;
}

bool hy_documents_close(hy_documents *d, const json_t *params) {
  hy_document *document = of_params(d, params);
  if (!document) return false;
  mark(d, document);
  end_document(document);
  *document = hy_vec_last(&d->list);
  d->list.count--;
  return true;
}
