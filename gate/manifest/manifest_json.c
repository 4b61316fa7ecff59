// The only place of gate/ that knows the JSON library: manifests written and, from whoever, read.

#include "gate/manifest/manifest.h"

#include <jansson.h>
#include <string.h>

/* -- writing -- */

static void put(json_t *object, const char *key, const char *text) {
  if (text) json_object_set_new(object, key, json_string(text));
}

static void put_number(json_t *object, const char *key, size_t number) {
  json_object_set_new(object, key, json_integer((json_int_t)number));
}

static json_t *targets_of(const hy_manifest *m) {
  json_t *list = json_array();
  for (size_t i = 0; i < m->targets.count; i++) {
    const hy_shipped_target *t = &m->targets.data[i];
    json_t *row = json_object();
    put(row, "name", t->name);
    put(row, "triple", t->triple);
    put(row, "cpu", t->cpu);
    put(row, "features", t->features);
    json_array_append_new(list, row);
  }
  return list;
}

static json_t *content_of(const hy_manifest *m) {
  json_t *content = json_object(), *certificates = json_object(), *versions = json_object();
  put(content, "name", m->name);
  put(content, "pipeline", m->pipeline);
  put(content, "schedule_name", m->schedule);
  put(content, "algorithm", m->algorithm);
  put(content, "schedule", m->directives);
  put(content, "target_program", m->program);
  json_object_set_new(content, "proved", json_boolean(m->proved));
  put_number(content, "run_time_checks", m->run_time_checks);
  put(certificates, "sha256", m->certificates);
  put_number(certificates, "bytes", m->certificate_bytes);
  put_number(certificates, "obligations", m->obligations);
  put_number(certificates, "count", m->certificate_count);
  put_number(certificates, "dead", m->dead);
  json_object_set_new(content, "certificates", certificates);
  json_object_set_new(content, "targets", targets_of(m));
  put(versions, "halyard", m->halyard);
  put(versions, "llvm", m->llvm);
  json_object_set_new(content, "versions", versions);
  return content;
}

static void hash_content(const json_t *content, char identity[HY_SHA256_DIGITS + 1]) {
  char *text = json_dumps(content, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
  hy_sha256(text ? text : "", text ? strlen(text) : 0, identity);
  free(text);
}

void hy_manifest_identify(hy_manifest *m) {
  json_t *content = content_of(m);
  hash_content(content, m->identity);
  json_decref(content);
}

static json_t *artefacts_of(const hy_manifest *m) {
  json_t *list = json_array();
  for (size_t i = 0; i < m->artefacts.count; i++) {
    const hy_artefact *a = &m->artefacts.data[i];
    json_t *row = json_object();
    put(row, "path", a->path);
    put(row, "role", hy_role_name(a->role));
    put(row, "target", a->target);
    put_number(row, "bytes", a->bytes);
    put(row, "sha256", a->sha256);
    json_array_append_new(list, row);
  }
  return list;
}

void hy_manifest_print(const hy_manifest *m, hy_text *out) {
  json_t *root = json_object(), *made_by = json_object();
  json_object_set_new(root, "halyard-manifest", json_integer(HY_MANIFEST_VERSION));
  put(root, "identity", m->identity);
  json_object_set_new(root, "content", content_of(m));
  put(made_by, "halyard_sha256", m->build);
  put(made_by, "runtime_sha256", m->runtime);
  put(made_by, "linker", m->linker);
  json_object_set_new(root, "made_by", made_by);
  json_object_set_new(root, "artefacts", artefacts_of(m));
  char *text = json_dumps(root, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
  hy_text_add(out, text);
  hy_text_add(out, "\n");
  free(text);
  json_decref(root);
}

/* -- reading: nothing is believed -- */

enum { MOST_BYTES = 1 << 24, MOST_ROWS = 4096 };

typedef struct {
  hy_arena *arena;
  const char *why; // NULL as long as all is well
} reader;

static void complain(reader *r, const char *format, const char *key) {
  if (!r->why) r->why = hy_arena_printf(r->arena, format, key);
}

// NULL where it is absent and may be, or after a complaint.
static const char *take(reader *r, const json_t *object, const char *key, bool is_owed) {
  const json_t *value = json_object_get(object, key);
  if (!value && is_owed) complain(r, "has no \"%s\"", key);
  if (value && !json_is_string(value)) complain(r, "has a \"%s\" that is no text", key);
  if (!json_is_string(value)) return NULL;
  return hy_arena_copy(r->arena, json_string_value(value), json_string_length(value));
}

static const char *take_hash(reader *r, const json_t *object, const char *key, bool is_owed) {
  const char *text = take(r, object, key, is_owed);
  if (!text) return NULL;
  bool good = strlen(text) == HY_SHA256_DIGITS && strspn(text, "0123456789abcdef") == HY_SHA256_DIGITS;
  if (!good) complain(r, "has a \"%s\" that is no SHA-256 of 64 hexadecimal digits", key);
  return good ? text : NULL;
}

static size_t take_number(reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  json_int_t number = json_integer_value(value);
  bool good = json_is_integer(value) && number >= 0 && number <= (json_int_t)1 << 40;
  if (!good) complain(r, "has no \"%s\" that is a whole number from 0 to 2^40", key);
  return good ? (size_t)number : 0;
}

static const json_t *take_object(reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_object(value)) complain(r, "has no object \"%s\"", key);
  return json_is_object(value) ? value : NULL;
}

static const json_t *take_list(reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  bool good = json_is_array(value) && json_array_size(value) <= MOST_ROWS;
  if (!good) complain(r, "has no list \"%s\" of at most 4096 rows", key);
  return good ? value : NULL;
}

static void read_targets(reader *r, const json_t *content, hy_manifest *m) {
  const json_t *list = take_list(r, content, "targets");
  for (size_t i = 0; i < json_array_size(list) && !r->why; i++) {
    const json_t *row = json_array_get(list, i);
    if (!json_is_object(row)) complain(r, "has a row of \"%s\" that is no object", "targets");
    hy_shipped_target t = {take(r, row, "name", true), take(r, row, "triple", true), take(r, row, "cpu", true),
                           take(r, row, "features", true)};
    hy_vec_push(&m->targets, t);
  }
}

static void read_content(reader *r, const json_t *content, hy_manifest *m) {
  m->name = take(r, content, "name", true);
  m->pipeline = take(r, content, "pipeline", true);
  m->schedule = take(r, content, "schedule_name", true);
  m->algorithm = take_hash(r, content, "algorithm", false);
  m->directives = take_hash(r, content, "schedule", false);
  m->program = take_hash(r, content, "target_program", true);
  m->run_time_checks = take_number(r, content, "run_time_checks");
  const json_t *proved = json_object_get(content, "proved");
  if (!json_is_boolean(proved)) complain(r, "has no \"%s\" that is true or false", "proved");
  m->proved = json_is_true(proved);
  const json_t *certificates = take_object(r, content, "certificates");
  m->certificates = take_hash(r, certificates, "sha256", true);
  m->certificate_bytes = take_number(r, certificates, "bytes");
  m->obligations = take_number(r, certificates, "obligations");
  m->certificate_count = take_number(r, certificates, "count");
  m->dead = take_number(r, certificates, "dead");
  const json_t *versions = take_object(r, content, "versions");
  m->halyard = take(r, versions, "halyard", true);
  m->llvm = take(r, versions, "llvm", true);
  read_targets(r, content, m);
}

static hy_role role_of(reader *r, const char *name) {
  for (int i = 0; name && i < HY_ROLE_COUNT; i++)
    if (strcmp(hy_role_name((hy_role)i), name) == 0) return (hy_role)i;
  complain(r, "has an artefact of a role that is not known, \"%s\"", name ? name : "");
  return HY_ROLE_COUNT;
}

static bool is_there(const hy_manifest *m, const char *path) {
  for (size_t i = 0; i < m->artefacts.count; i++)
    if (strcmp(m->artefacts.data[i].path, path) == 0) return true;
  return false;
}

static void read_artefact(reader *r, const json_t *row, hy_manifest *m) {
  if (!json_is_object(row)) complain(r, "has a row of \"%s\" that is no object", "artefacts");
  hy_artefact a = {.path = take(r, row, "path", true)};
  const char *sha256 = take_hash(r, row, "sha256", true);
  a.target = take(r, row, "target", false);
  a.bytes = take_number(r, row, "bytes");
  if (!r->why) a.role = role_of(r, take(r, row, "role", true));
  if (r->why) return;
  if (!hy_artefact_name_is_plain(a.path)) complain(r, "names a file outside of its folder, or oddly: \"%s\"", a.path);
  if (is_there(m, a.path)) complain(r, "names a file twice: \"%s\"", a.path);
  memcpy(a.sha256, sha256, sizeof a.sha256);
  hy_vec_push(&m->artefacts, a);
}

static void read_version(reader *r, const json_t *root) {
  const json_t *version = json_object_get(root, "halyard-manifest");
  if (!json_is_integer(version))
    complain(r, "is no manifest of Halyard's: it has no number \"%s\"", "halyard-manifest");
  else if (json_integer_value(version) != HY_MANIFEST_VERSION)
    r->why = hy_arena_printf(r->arena, "is of version %lld, and this Halyard reads version %d",
                             (long long)json_integer_value(version), HY_MANIFEST_VERSION);
}

static void read_root(reader *r, const json_t *root, hy_manifest *m) {
  read_version(r, root);
  const char *identity = r->why ? NULL : take_hash(r, root, "identity", true);
  const json_t *content = r->why ? NULL : take_object(r, root, "content");
  if (r->why) return;
  char is[HY_SHA256_DIGITS + 1];
  hash_content(content, is);
  if (strcmp(is, identity) != 0) complain(r, "has a content whose hash is not its \"%s\"", "identity");
  memcpy(m->identity, identity, sizeof m->identity);
  read_content(r, content, m);
  const json_t *made_by = take_object(r, root, "made_by");
  m->build = take_hash(r, made_by, "halyard_sha256", true);
  m->runtime = take_hash(r, made_by, "runtime_sha256", false);
  m->linker = take(r, made_by, "linker", false);
  const json_t *artefacts = take_list(r, root, "artefacts");
  for (size_t i = 0; i < json_array_size(artefacts) && !r->why; i++) read_artefact(r, json_array_get(artefacts, i), m);
}

bool hy_manifest_read(hy_arena *arena, const char *text, size_t length, hy_manifest *m, const char **why) {
  reader r = {.arena = arena};
  json_error_t error;
  *m = (hy_manifest){.name = NULL};
  if (length > MOST_BYTES) complain(&r, "has more than 16 MiB%s", "");
  json_t *root = r.why ? NULL : json_loadb(text ? text : "", length, JSON_REJECT_DUPLICATES, &error);
  if (!root && !r.why)
    r.why = hy_arena_printf(arena, "is not JSON: line %d: %s", error.line, error.text);
  else if (root)
    read_root(&r, root, m);
  json_decref(root);
  *why = r.why;
  return !r.why;
}
