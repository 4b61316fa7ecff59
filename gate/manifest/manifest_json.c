// Manifests written and, from whoever, read.

#include "gate/manifest/json.h"
#include "gate/manifest/manifest.h"

#include <string.h>

/* -- writing -- */

static json_t *targets_of(const hy_manifest *m) {
  json_t *list = json_array();
  for (size_t i = 0; i < m->targets.count; i++) {
    const hy_shipped_target *t = &m->targets.data[i];
    json_t *row = json_object();
    hy_json_put(row, "name", t->name);
    hy_json_put(row, "triple", t->triple);
    hy_json_put(row, "cpu", t->cpu);
    hy_json_put(row, "features", t->features);
    json_array_append_new(list, row);
  }
  return list;
}

static json_t *content_of(const hy_manifest *m) {
  json_t *content = json_object(), *certificates = json_object(), *versions = json_object();
  hy_json_put(content, "name", m->name);
  hy_json_put(content, "pipeline", m->pipeline);
  hy_json_put(content, "schedule_name", m->schedule);
  hy_json_put(content, "algorithm", m->algorithm);
  hy_json_put(content, "schedule", m->directives);
  hy_json_put(content, "target_program", m->program);
  json_object_set_new(content, "proved", json_boolean(m->proved));
  hy_json_put_number(content, "run_time_checks", m->run_time_checks);
  hy_json_put(certificates, "sha256", m->certificates);
  hy_json_put_number(certificates, "bytes", m->certificate_bytes);
  hy_json_put_number(certificates, "obligations", m->obligations);
  hy_json_put_number(certificates, "count", m->certificate_count);
  hy_json_put_number(certificates, "dead", m->dead);
  json_object_set_new(content, "certificates", certificates);
  json_object_set_new(content, "targets", targets_of(m));
  hy_json_put(versions, "halyard", m->halyard);
  hy_json_put(versions, "llvm", m->llvm);
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
    hy_json_put(row, "path", a->path);
    hy_json_put(row, "role", hy_role_name(a->role));
    hy_json_put(row, "target", a->target);
    hy_json_put_number(row, "bytes", a->bytes);
    hy_json_put(row, "sha256", a->sha256);
    json_array_append_new(list, row);
  }
  return list;
}

static json_t *plugins_of(const hy_manifest *m) {
  json_t *list = json_array();
  for (size_t i = 0; i < m->plugins.count; i++)
    json_array_append_new(list, json_pack("{s:o, s:s}", "name", hy_json_string(m->plugins.data[i].name), "sha256",
                                          m->plugins.data[i].sha256));
  return list;
}

void hy_manifest_print(const hy_manifest *m, hy_text *out) {
  json_t *root = json_object(), *made_by = json_object();
  json_object_set_new(root, "halyard-manifest", json_integer(HY_MANIFEST_VERSION));
  hy_json_put(root, "identity", m->identity);
  json_object_set_new(root, "content", content_of(m));
  hy_json_put(made_by, "halyard_sha256", m->build);
  hy_json_put(made_by, "runtime_sha256", m->runtime);
  hy_json_put(made_by, "linker", m->linker);
  if (m->z3) hy_json_put(made_by, "z3", m->z3), hy_json_put_number(made_by, "z3_steps", m->z3_steps);
  if (m->plugins.count) json_object_set_new(made_by, "plugins", plugins_of(m));
  json_object_set_new(root, "made_by", made_by);
  json_object_set_new(root, "artefacts", artefacts_of(m));
  hy_json_print(root, out);
}

/* -- reading: nothing is believed -- */

enum { MOST_Z3_STEPS = 1000000 }; // as the command line takes them

static void read_targets(hy_json_reader *r, const json_t *content, hy_manifest *m) {
  const json_t *list = hy_json_take_list(r, content, "targets");
  for (size_t i = 0; i < json_array_size(list) && !r->why; i++) {
    const json_t *row = json_array_get(list, i);
    if (!json_is_object(row)) hy_json_complain(r, "has a row of \"%s\" that is no object", "targets");
    hy_shipped_target t = {hy_json_take(r, row, "name", true), hy_json_take(r, row, "triple", true),
                           hy_json_take(r, row, "cpu", true), hy_json_take(r, row, "features", true)};
    for (size_t k = 0; t.name && !r->why && k < m->targets.count; k++)
      if (strcmp(m->targets.data[k].name, t.name) == 0) hy_json_complain(r, "has a target twice: \"%s\"", t.name);
    hy_vec_push(&m->targets, t);
  }
}

// What is printed in reports, and called: letters, digits and _.
static const char *take_name(hy_json_reader *r, const json_t *content, const char *key) {
  const char *name = hy_json_take(r, content, key, true),
             letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  if (name && (!*name || strlen(name) > 1000 || name[strspn(name, letters)]))
    hy_json_complain(r, "has a \"%s\" that is no name", key);
  return name;
}

static void read_content(hy_json_reader *r, const json_t *content, hy_manifest *m) {
  m->name = take_name(r, content, "name");
  m->pipeline = take_name(r, content, "pipeline");
  m->schedule = take_name(r, content, "schedule_name");
  m->algorithm = hy_json_take_hash(r, content, "algorithm", false);
  m->directives = hy_json_take_hash(r, content, "schedule", false);
  m->program = hy_json_take_hash(r, content, "target_program", true);
  m->run_time_checks = hy_json_take_number(r, content, "run_time_checks");
  const json_t *proved = json_object_get(content, "proved");
  if (!json_is_boolean(proved)) hy_json_complain(r, "has no \"%s\" that is true or false", "proved");
  m->proved = json_is_true(proved);
  const json_t *certificates = hy_json_take_object(r, content, "certificates");
  m->certificates = hy_json_take_hash(r, certificates, "sha256", true);
  m->certificate_bytes = hy_json_take_number(r, certificates, "bytes");
  m->obligations = hy_json_take_number(r, certificates, "obligations");
  m->certificate_count = hy_json_take_number(r, certificates, "count");
  m->dead = hy_json_take_number(r, certificates, "dead");
  const json_t *versions = hy_json_take_object(r, content, "versions");
  m->halyard = hy_json_take(r, versions, "halyard", true);
  m->llvm = hy_json_take(r, versions, "llvm", true);
  read_targets(r, content, m);
}

static hy_role role_of(hy_json_reader *r, const char *name) {
  for (int i = 0; name && i < HY_ROLE_COUNT; i++)
    if (strcmp(hy_role_name((hy_role)i), name) == 0) return (hy_role)i;
  hy_json_complain(r, "has an artefact of a role that is not known, \"%s\"", name ? name : "");
  return HY_ROLE_COUNT;
}

// Of each role there is one file, of code one for each target: what is judged is then what ships.
static bool has_role(const hy_manifest *m, const hy_artefact *a) {
  for (size_t i = 0; i < m->artefacts.count; i++) {
    const hy_artefact *b = &m->artefacts.data[i];
    bool same_target = a->target && b->target ? strcmp(a->target, b->target) == 0 : a->target == b->target;
    if (b->role == a->role && same_target) return true;
  }
  return false;
}

static bool is_there(const hy_manifest *m, const char *path) {
  for (size_t i = 0; i < m->artefacts.count; i++)
    if (strcmp(m->artefacts.data[i].path, path) == 0) return true;
  return false;
}

static void read_artefact(hy_json_reader *r, const json_t *row, hy_manifest *m) {
  if (!json_is_object(row)) hy_json_complain(r, "has a row of \"%s\" that is no object", "artefacts");
  hy_artefact a = {.path = hy_json_take(r, row, "path", true)};
  const char *sha256 = hy_json_take_hash(r, row, "sha256", true);
  a.target = hy_json_take(r, row, "target", false);
  a.bytes = hy_json_take_number(r, row, "bytes");
  if (!r->why) a.role = role_of(r, hy_json_take(r, row, "role", true));
  if (r->why) return;
  if (!hy_artefact_name_is_plain(a.path))
    hy_json_complain(r, "names a file outside of its folder, or oddly: \"%s\"", a.path);
  bool is_code = a.role == HY_ROLE_OBJECT || a.role == HY_ROLE_ARCHIVE || a.role == HY_ROLE_SHARED;
  if (!is_code && a.target) hy_json_complain(r, "has a target for a file that is no code: \"%s\"", a.path);
  if (is_there(m, a.path)) hy_json_complain(r, "names a file twice: \"%s\"", a.path);
  if (has_role(m, &a)) hy_json_complain(r, "has a second file of one role and target: \"%s\"", a.path);
  memcpy(a.sha256, sha256, sizeof a.sha256);
  hy_vec_push(&m->artefacts, a);
}

static void read_plugins(hy_json_reader *r, const json_t *made_by, hy_manifest *m) {
  const json_t *list = hy_json_take_list(r, made_by, "plugins");
  for (size_t i = 0; i < json_array_size(list) && !r->why; i++) {
    const json_t *row = json_array_get(list, i);
    if (!json_is_object(row)) hy_json_complain(r, "has a row of \"%s\" that is no object", "plugins");
    hy_shipped_plugin plugin = {hy_json_take(r, row, "name", true), hy_json_take_hash(r, row, "sha256", true)};
    hy_vec_push(&m->plugins, plugin);
  }
}

static void read_root(hy_json_reader *r, const json_t *root, hy_manifest *m) {
  hy_json_take_version(r, root, "halyard-manifest", "manifest", HY_MANIFEST_VERSION);
  const char *identity = r->why ? NULL : hy_json_take_hash(r, root, "identity", true);
  const json_t *content = r->why ? NULL : hy_json_take_object(r, root, "content");
  if (r->why) return;
  char is[HY_SHA256_DIGITS + 1];
  hash_content(content, is);
  if (strcmp(is, identity) != 0) hy_json_complain(r, "has a content whose hash is not its \"%s\"", "identity");
  memcpy(m->identity, identity, sizeof m->identity);
  read_content(r, content, m);
  const json_t *made_by = hy_json_take_object(r, root, "made_by");
  m->build = hy_json_take_hash(r, made_by, "halyard_sha256", true);
  m->runtime = hy_json_take_hash(r, made_by, "runtime_sha256", false);
  m->linker = hy_json_take(r, made_by, "linker", false);
  m->z3 = hy_json_take(r, made_by, "z3", false);
  if (m->z3) m->z3_steps = hy_json_take_number(r, made_by, "z3_steps");
  if (m->z3_steps > MOST_Z3_STEPS) hy_json_complain(r, "has more \"%s\" than any Halyard takes", "z3_steps");
  if (made_by && json_object_get(made_by, "plugins")) read_plugins(r, made_by, m);
  const json_t *artefacts = hy_json_take_list(r, root, "artefacts");
  for (size_t i = 0; i < json_array_size(artefacts) && !r->why; i++) read_artefact(r, json_array_get(artefacts, i), m);
}

bool hy_manifest_read(hy_arena *arena, const char *text, size_t length, hy_manifest *m, const char **why) {
  hy_json_reader r = {.arena = arena};
  *m = (hy_manifest){.name = NULL};
  json_t *root = hy_json_parse(&r, text, length);
  if (root) read_root(&r, root, m);
  json_decref(root);
  *why = r.why;
  return !r.why;
}
