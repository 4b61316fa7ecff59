#include "lsp/reading.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 16 << 20, MOST_FILES = 1000 };

/* -- sources -- */

// "path": or what it is called. Messages name it by its last part: where it lies, places beside them say.
static hy_read_source *add(hy_lsp_reading *r, const char *path, const char *uri, const char *text, size_t length) {
  hy_arena *arena = hy_context_arena(r->context);
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  hy_source *source = HY_NEW(arena, hy_source);
  *source = (hy_source){hy_arena_copy(arena, name, strlen(name)), hy_arena_copy(arena, text, length), length};
  hy_read_source *made = HY_NEW(arena, hy_read_source);
  *made = (hy_read_source){.source = source,
                           .uri = hy_arena_copy(arena, uri, strlen(uri)),
                           .path = hy_arena_copy(arena, path, strlen(path))};
  hy_lines_begin(&made->lines, source->text, source->length, r->question->documents->utf8);
  hy_vec_push(&r->sources, made);
  return made;
}

static hy_read_source *add_document(hy_lsp_reading *r, const hy_document *d, const char *text, size_t length) {
  hy_read_source *made = add(r, d->path ? d->path : d->uri, d->uri, text, length);
  made->language = d->language;
  return made;
}

// A file of the disk: a plain one of a size that a person's can have.
static hy_read_source *add_file(hy_lsp_reading *r, const char *path) {
  struct stat about;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return NULL;
  hy_text text = {0};
  char piece[1 << 14];
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= MOST_BYTES)
    for (ssize_t got; text.length <= MOST_BYTES && (got = read(file, piece, sizeof piece)) > 0;)
      hy_text_add_bytes(&text, piece, (size_t)got);
  close(file);
  char *uri = hy_uri_of_path(path);
  return add(r, path, uri, hy_text_string(&text), text.length);
}

static hy_read_source *add_path(hy_lsp_reading *r, const char *path) {
  for (size_t i = 0; i < r->sources.count; i++)
    if (strcmp(r->sources.data[i]->path, path) == 0 && r->sources.data[i] != r->own) return r->sources.data[i];
  const hy_document *open = hy_documents_of_path(r->question->documents, path);
  return open ? add_document(r, open, open->text, open->length) : add_file(r, path);
}

static bool is_plain_file(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= MOST_BYTES;
}

// What "include" means by a path: as it is in the editor, else on the disk.
static const hy_source *find_included(void *self, const hy_source *from, const char *path, const char **why) {
  hy_lsp_reading *r = self;
  const hy_read_source *source = hy_reading_of(r, from);
  const char *slash = source ? strrchr(source->path, '/') : NULL;
  hy_text whole = {0};
  if (slash && *path != '/') hy_text_add_bytes(&whole, source->path, (size_t)(slash + 1 - source->path));
  hy_text_add(&whole, path);
  bool is_open = hy_documents_of_path(r->question->documents, hy_text_string(&whole)) != NULL; // saved or not
  char *real = is_open ? hy_copy_string(hy_text_string(&whole)) : realpath(hy_text_string(&whole), NULL);
  hy_read_source *found = real && (is_open || is_plain_file(real)) ? add_path(r, real) : NULL;
  if (!found) *why = "there is no such file";
  hy_text_free(&whole);
  return found ? found->source : NULL;
}

void hy_reading_begin(hy_lsp_reading *r, const hy_question *q) {
  *r = (hy_lsp_reading){.question = q, .context = hy_context_new(), .diagnostics = hy_diagnostics_new()};
  r->own = add_document(r, q->document, q->document->text, q->document->length);
  hy_context_use_sources(r->context, find_included, r);
}

hy_read_source *hy_reading_instead(hy_lsp_reading *r, const char *text, size_t length) {
  return add_document(r, r->question->document, text, length);
}

hy_read_source *hy_reading_of(const hy_lsp_reading *r, const hy_source *source) {
  for (size_t i = 0; i < r->sources.count; i++)
    if (r->sources.data[i]->source == source) return r->sources.data[i];
  return NULL;
}

size_t hy_reading_cursor(const hy_lsp_reading *r) {
  hy_lsp_place place = {0};
  hy_place_of_json(json_object_get(r->question->params, "position"), &place);
  return hy_lines_offset(&r->own->lines, place);
}

/* -- the algorithm of a schedule -- */

// "pipeline NAME" at the beginning: also of a text that nothing else can be said of.
static bool has_pipeline(hy_lsp_reading *r, hy_read_source *source, const char *name) {
  const hy_outline *o = hy_reading_outline(r, source);
  return hy_outline_is(o, 0, "pipeline") && hy_outline_is(o, 1, name);
}

static hy_read_source *among_documents(hy_lsp_reading *r, const char *name) {
  const hy_documents *d = r->question->documents;
  for (size_t i = 0; i < d->list.count; i++) {
    const hy_document *one = &d->list.data[i];
    if (one->language != HY_LANGUAGE_ALG) continue;
    hy_read_source *source = one->path ? add_path(r, one->path) : add_document(r, one, one->text, one->length);
    if (has_pipeline(r, source, name)) return source;
  }
  return NULL;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

typedef HY_VEC(hy_read_source *) source_list;

// In the order of their names, so that the answer does not depend on that of the disk.
static source_list list_folder(hy_lsp_reading *r, const char *folder) {
  HY_VEC(char *) names = {0};
  source_list list = {0};
  DIR *open = opendir(folder);
  for (struct dirent *entry; open && names.count < MOST_FILES && (entry = readdir(open));) {
    hy_language language;
    if (hy_language_of_name(entry->d_name, &language) && language == HY_LANGUAGE_ALG)
      hy_vec_push(&names, hy_copy_string(entry->d_name));
  }
  if (open) closedir(open);
  if (names.count) qsort(names.data, names.count, sizeof *names.data, by_name);
  for (size_t i = 0; i < names.count; i++) {
    hy_read_source *source = add_path(r, hy_arena_printf(hy_context_arena(r->context), "%s/%s", folder, names.data[i]));
    if (source) hy_vec_push(&list, source);
  }
  return list;
}

static hy_read_source *in_folder(hy_lsp_reading *r, const char *folder, const char *name) {
  source_list list = list_folder(r, folder);
  for (size_t i = 0; i < list.count; i++)
    if (has_pipeline(r, list.data[i], name)) return list.data[i];
  return NULL;
}

static const char *folder_of(hy_lsp_reading *r) {
  const char *path = r->question->document->path, *slash = path ? strrchr(path, '/') : NULL;
  return slash ? hy_arena_copy(hy_context_arena(r->context), path, (size_t)(slash - path)) : NULL;
}

static void add_pipeline(hy_lsp_reading *r, hy_read_source *source, json_t *list) {
  const hy_outline *o = hy_reading_outline(r, source);
  if (!hy_outline_is(o, 0, "pipeline") || !hy_outline_is_name(o, 1)) return;
  enum { MODULE = 9 }; // CompletionItemKind
  const char *name = hy_outline_text(o, 1);
  const json_t *one;
  size_t i;
  json_array_foreach(list, i, one) if (strcmp(json_string_value(json_object_get(one, "label")), name) == 0) return;
  json_array_append_new(
      list, json_pack("{s:s, s:i, s:o}", "label", name, "kind", MODULE, "detail", hy_json_text(source->source->name)));
}

void hy_reading_pipelines(hy_lsp_reading *r, json_t *list) {
  const char *folder = folder_of(r);
  const hy_documents *d = r->question->documents;
  source_list files = folder ? list_folder(r, folder) : (source_list){0};
  for (size_t i = 0; i < files.count; i++) add_pipeline(r, files.data[i], list);
  for (size_t i = 0; i < d->list.count; i++)
    if (d->list.data[i].language == HY_LANGUAGE_ALG)
      add_pipeline(r, add_document(r, &d->list.data[i], d->list.data[i].text, d->list.data[i].length), list);
}

hy_read_source *hy_reading_algorithm(hy_lsp_reading *r, const char *name) {
  const char *path = r->question->document->path, *folder = folder_of(r);
  if (!folder) return among_documents(r, name);
  hy_arena *arena = hy_context_arena(r->context);
  const char *dot = strrchr(path + strlen(folder), '.');
  int stem = (int)((dot ? dot : path + strlen(path)) - path);
  hy_read_source *alike = add_path(r, hy_arena_printf(arena, "%.*s.alg", stem, path));
  if (alike && has_pipeline(r, alike, name)) return alike;
  hy_read_source *found = in_folder(r, folder, name);
  if (!found) found = among_documents(r, name);
  return found ? found : alike;
}

const hy_alg *hy_reading_parse(hy_lsp_reading *r, hy_read_source *source, hy_diagnostics *diagnostics) {
  if (!source->was_parsed) source->alg = hy_parse_alg(r->context, source->source, diagnostics);
  source->was_parsed = true;
  return source->alg;
}

const hy_outline *hy_reading_outline(hy_lsp_reading *r, hy_read_source *source) {
  if (source->outline) return source->outline;
  hy_outline *outline = HY_NEW(hy_context_arena(r->context), hy_outline);
  hy_outline_read(r->context, source->source, outline);
  return source->outline = outline;
}

const hy_chains *hy_reading_chains(hy_lsp_reading *r, hy_read_source *source) {
  if (source->chains) return source->chains;
  hy_chains *chains = HY_NEW(hy_context_arena(r->context), hy_chains);
  hy_chains_read(hy_reading_outline(r, source), chains);
  return source->chains = chains;
}

/* -- JSON -- */

static json_t *json_place(const hy_read_source *source, size_t offset) {
  hy_lsp_place place = hy_lines_place(&source->lines, offset);
  return json_pack("{s:I, s:I}", "line", (json_int_t)place.line, "character", (json_int_t)place.character);
}

json_t *hy_json_range(const hy_read_source *source, size_t from, size_t to) {
  return json_pack("{s:o, s:o}", "start", json_place(source, from), "end", json_place(source, to));
}

json_t *hy_json_loc(const hy_read_source *source, hy_loc loc) {
  size_t end, from = hy_lines_of(&source->lines, loc, &end);
  return hy_json_range(source, from, end);
}

json_t *hy_json_location(const hy_read_source *source, hy_loc loc) {
  return json_pack("{s:s, s:o}", "uri", source->uri, "range", hy_json_loc(source, loc));
}

json_t *hy_json_text(const char *text) {
  json_t *value = json_string(text);
  if (value) return value;
  hy_text plain = {0};
  for (; *text; text++)
    if ((unsigned char)*text < 0x80)
      hy_text_add_bytes(&plain, text, 1);
    else
      hy_text_printf(&plain, "\\x%02x", (unsigned char)*text);
  value = json_string(hy_text_string(&plain));
  hy_text_free(&plain);
  return value;
}
