/* The gate's statements (statement.h) as JSON. A level is a property only if all of its checks passed, and all of level
 * 0: what was proved of other bytes than those that ship is none of theirs. What is undecided never passes; where the
 * user allows it, it is a warning of the test result.
 */

#include "gate/manifest/statement.h"

#include "gate/manifest/json.h"

#include <stdlib.h>

static bool is_code(hy_role role) {
  return role == HY_ROLE_OBJECT || role == HY_ROLE_ARCHIVE || role == HY_ROLE_SHARED;
}

static json_t *resource(const char *name, const char *sha256) {
  return json_pack("{s:s, s:{s:s}}", "name", name, "digest", "sha256", sha256);
}

static json_t *subjects(const hy_gate_result *r) {
  json_t *list = json_array();
  for (size_t i = 0; r->manifest && i < r->manifest->artefacts.count; i++) {
    const hy_artefact *a = &r->manifest->artefacts.data[i];
    if (is_code(a->role)) json_array_append_new(list, resource(a->path, a->sha256));
  }
  return list;
}

static void print_statement(const hy_gate_result *r, const char *type, json_t *predicate, hy_text *out) {
  json_t *statement = json_pack("{s:s, s:o, s:s, s:o}", "_type", "https://in-toto.io/Statement/v1", "subject",
                                subjects(r), "predicateType", type, "predicate", predicate);
  char *text = json_dumps(statement, JSON_INDENT(2));
  hy_text_add(out, text ? text : "");
  hy_text_add(out, "\n");
  free(text);
  json_decref(statement);
}

// Asked, and every check of it passed: what the user allowed to be undecided is no property.
static bool holds(const hy_gate_result *r, int level) {
  size_t passed = hy_gate_count(r, level, HY_GATE_PASSED), all = 0;
  for (size_t i = 0; i < r->checks.count; i++) all += r->checks.data[i].level == level;
  return passed > 0 && passed == all;
}

// What is run is the shared object: of the others, whose hashes stand there, too, the names say nothing. Levels add up:
// what was proved of other bytes than those that ship is no property of these.
static json_t *properties(const hy_gate_result *r) {
  static const char *const names[HY_GATE_LEVELS] = {"HALYARD_G0_IDENTITY", "HALYARD_G1_PROVED",
                                                    "HALYARD_G2_SHARED_OBJECT_RUNS", "HALYARD_G3_TRANSLATION",
                                                    "HALYARD_G4_SHARED_OBJECT_NOT_SLOWER"};
  json_t *list = json_array();
  for (int level = 0; level < HY_GATE_LEVELS && holds(r, 0); level++)
    if (holds(r, level)) json_array_append_new(list, json_string(names[level]));
  return list;
}

void hy_statement_print_svr(const hy_gate_result *r, const char *created, hy_text *out) {
  json_t *predicate = json_pack("{s:{s:s}, s:s, s:o}", "verifier", "id", "urn:halyard:gate:" HALYARD_VERSION,
                                "timeCreated", created, "properties", properties(r));
  print_statement(r, "https://in-toto.io/attestation/svr/v0.1", predicate, out);
}

static json_t *check_name(const hy_gate_check *c) {
  hy_text name = {0};
  hy_text_printf(&name, "level %d, %s%s%s%s%s", c->level, c->name, c->file ? ": " : "", c->file ? c->file : "",
                 c->target ? ", " : "", c->target ? c->target : "");
  json_t *string = hy_json_string(hy_text_string(&name));
  hy_text_free(&name);
  return string;
}

// Undecided is a warning where the user allows it, else a failure: it is never told as passed.
void hy_statement_print_test_result(const hy_gate_result *r, hy_text *out) {
  json_t *passed = json_array(), *warned = json_array(), *failed = json_array(), *configuration = json_array();
  for (size_t i = 0; i < r->checks.count; i++) {
    const hy_gate_check *c = &r->checks.data[i];
    json_array_append_new(c->verdict == HY_GATE_PASSED ? passed : c->is_allowed ? warned : failed, check_name(c));
  }
  const char *result = json_array_size(failed) || !json_array_size(passed) ? "FAILED"
                       : json_array_size(warned)                           ? "WARNED"
                                                                           : "PASSED";
  if (r->manifest && r->manifest_name)
    json_array_append_new(configuration,
                          json_pack("{s:o, s:o, s:{s:s}}", "name", hy_json_string(r->manifest_name), "uri",
                                    json_sprintf("urn:halyard:identity:%s", r->manifest->identity), "annotations",
                                    "identity", r->manifest->identity));
  json_t *predicate = json_pack("{s:s, s:o, s:o, s:o, s:o}", "result", result, "configuration", configuration,
                                "passedTests", passed, "warnedTests", warned, "failedTests", failed);
  print_statement(r, "https://in-toto.io/attestation/test-result/v0.1", predicate, out);
}
