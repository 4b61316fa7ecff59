/* The bill of materials (sbom.h) as JSON. What names it, its serial number, is made of the manifest's identity, not of
 * time or chance, and keys are sorted: the same manifest gives the same bytes.
 */

#include "gate/manifest/sbom.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static json_t *hashes(const char *sha256) {
  json_t *list = json_array();
  json_array_append_new(list, json_pack("{s:s, s:s}", "alg", "SHA-256", "content", sha256));
  return list;
}

// "urn:uuid:" and a UUID made of a hash.
static json_t *serial_number(const char *hash) {
  char text[64];
  snprintf(text, sizeof text, "urn:uuid:%.8s-%.4s-5%.3s-a%.3s-%.12s", hash, hash + 8, hash + 13, hash + 17, hash + 20);
  return json_string(text);
}

static json_t *tool(const char *type, const char *name, const char *version, const char *sha256) {
  json_t *row = json_pack("{s:s, s:s, s:s}", "type", type, "name", name, "version", version ? version : "unknown");
  if (sha256) json_object_set_new(row, "hashes", hashes(sha256));
  return row;
}

static json_t *metadata(const hy_manifest *m) {
  json_t *tools = json_array();
  json_array_append_new(tools, tool("application", "halyard", m->halyard, m->build));
  json_array_append_new(tools, tool("library", "llvm", m->llvm, NULL));
  if (m->linker) json_array_append_new(tools, tool("application", "cc", m->linker, NULL));
  if (m->z3) json_array_append_new(tools, tool("library", "z3", m->z3, NULL));
  for (size_t i = 0; i < m->plugins.count; i++)
    json_array_append_new(tools, tool("library", m->plugins.data[i].name, NULL, m->plugins.data[i].sha256));
  json_t *own = tool("library", m->name, m->identity, NULL);
  json_object_set_new(own, "bom-ref", json_string("pipeline"));
  return json_pack("{s:{s:o}, s:o}", "tools", "components", tools, "component", own);
}

static json_t *components(const hy_manifest *m) {
  json_t *list = json_array();
  for (size_t i = 0; i < m->artefacts.count; i++) {
    const hy_artefact *a = &m->artefacts.data[i];
    json_t *row = json_pack("{s:s, s:s, s:s}", "type", "file", "name", a->path, "description", hy_role_name(a->role));
    json_object_set_new(row, "hashes", hashes(a->sha256));
    json_array_append_new(list, row);
  }
  if (m->runtime) {
    json_t *runtime = tool("library", "halyard_runtime", m->halyard, m->runtime);
    json_object_set_new(runtime, "bom-ref", json_string("runtime"));
    json_array_append_new(list, runtime);
  }
  return list;
}

void hy_sbom_print(const hy_manifest *m, hy_text *out) {
  json_t *root = json_pack("{s:s, s:s, s:i}", "bomFormat", "CycloneDX", "specVersion", "1.5", "version", 1);
  json_object_set_new(root, "serialNumber", serial_number(m->identity));
  json_object_set_new(root, "metadata", metadata(m));
  json_object_set_new(root, "components", components(m));
  json_t *needs = json_array();
  if (m->runtime) json_array_append_new(needs, json_string("runtime"));
  json_object_set_new(root, "dependencies", json_pack("[{s:s, s:o}]", "ref", "pipeline", "dependsOn", needs));
  char *text = json_dumps(root, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
  hy_text_add(out, text);
  hy_text_add(out, "\n");
  free(text);
  json_decref(root);
}
