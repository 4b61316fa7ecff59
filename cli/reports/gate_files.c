// JUnit's XML, SARIF 2.1.0 and Markdown of what the gate found.

#include "cli/reports/gate_report.h"

#include <string.h>

/* -- JUnit: a suite for each level, a case for each check; what is undecided is skipped, and never passes as passed --
 */

// XML has no way to write most control characters.
static void add_xml(hy_text *out, const char *text) {
  for (; *text; text++) switch (*text) {
    case '&': hy_text_add(out, "&amp;"); break;
    case '<': hy_text_add(out, "&lt;"); break;
    case '>': hy_text_add(out, "&gt;"); break;
    case '"': hy_text_add(out, "&quot;"); break;
    case '\n': hy_text_add(out, "&#10;"); break;
    default:
      if ((unsigned char)*text < 32 || (unsigned char)*text > 126)
        hy_text_printf(out, "\\x%02x", (unsigned char)*text);
      else
        hy_text_add_bytes(out, text, 1);
    }
}

static void add_attribute(hy_text *out, const char *name, const char *value) {
  hy_text_printf(out, " %s=\"", name);
  add_xml(out, value);
  hy_text_add(out, "\"");
}

static bool is_skipped(const hy_gate_check *c) { return c->verdict == HY_GATE_UNDECIDED; }
static bool is_failed(const hy_gate_check *c) { return c->verdict != HY_GATE_PASSED && !is_skipped(c); }

static void add_case(const hy_gate_result *r, const hy_gate_check *c, hy_text *out) {
  hy_text_add(out, "    <testcase");
  add_attribute(out, "classname", r->manifest ? r->manifest->name : r->folder);
  hy_text_add(out, " name=\"");
  add_xml(out, c->name);
  hy_text_add(out, " ");
  add_xml(out, c->file ? c->file : "folder");
  if (c->target) hy_text_add(out, " "), add_xml(out, c->target);
  hy_text_printf(out, "\" time=\"%.3f\"", c->seconds);
  if (c->verdict == HY_GATE_PASSED) {
    hy_text_add(out, "/>\n");
    return;
  }
  hy_text_printf(out, "><%s", is_skipped(c) ? "skipped" : "failure");
  add_attribute(out, "message", c->story);
  if (!is_skipped(c)) hy_text_printf(out, " type=\"HY%04u\"", c->code);
  hy_text_add(out, "/></testcase>\n");
}

void hy_gate_print_junit(const hy_gate_result *r, hy_text *out) {
  hy_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  for (int level = 0; level < HY_GATE_LEVELS; level++) {
    size_t tests = 0, failures = 0, skipped = 0;
    for (size_t i = 0; i < r->checks.count; i++) {
      const hy_gate_check *c = &r->checks.data[i];
      if (c->level == level) tests++, failures += is_failed(c), skipped += is_skipped(c);
    }
    if (!tests) continue;
    hy_text_printf(out,
                   "  <testsuite name=\"halyard gate, level %d\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
                   "skipped=\"%zu\" time=\"%.3f\">\n",
                   level, tests, failures, skipped, r->seconds[level]);
    hy_text_add(out, "    <properties><property name=\"halyard\" value=\"" HALYARD_VERSION "\"/>");
    if (r->manifest) hy_text_printf(out, "<property name=\"identity\" value=\"%s\"/>", r->manifest->identity);
    hy_text_add(out, "</properties>\n");
    for (size_t i = 0; i < r->checks.count; i++)
      if (r->checks.data[i].level == level) add_case(r, &r->checks.data[i], out);
    hy_text_add(out, "  </testsuite>\n");
  }
  hy_text_add(out, "</testsuites>\n");
}

/* -- SARIF: a rule for each code, a result for each check that did not pass -- */

// What is neither ASCII nor a control character is written as its bytes, \xNN: whether they are UTF-8 nobody has said.
static void add_json(hy_text *out, const char *text) {
  hy_text_add(out, "\"");
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      hy_text_printf(out, "\\%c", *text);
    else if ((unsigned char)*text > 126)
      hy_text_printf(out, "\\\\x%02x", (unsigned char)*text);
    else if ((unsigned char)*text < 32)
      hy_text_printf(out, "\\u%04x", (unsigned char)*text);
    else
      hy_text_add_bytes(out, text, 1);
  hy_text_add(out, "\"");
}

// RFC 3986: a path, every other byte as %NN.
static void add_uri(hy_text *out, const char *path) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/+@=,";
  hy_text_add(out, "\"");
  for (; *path; path++)
    if (strchr(plain, *path))
      hy_text_add_bytes(out, path, 1);
    else
      hy_text_printf(out, "%%%02X", (unsigned char)*path);
  hy_text_add(out, "\"");
}

// What stays the same from run to run and across edits: code, name of the check, file, target; no hash, no number.
static void add_fingerprint(hy_text *out, const hy_gate_check *c) {
  char digits[HY_SHA256_DIGITS + 1];
  hy_text text = {0};
  hy_text_printf(&text, "%u %d %s %s %s", c->code, c->level, c->name, c->file ? c->file : "",
                 c->target ? c->target : "");
  hy_sha256(text.data, text.length, digits);
  hy_text_printf(out, "\"partialFingerprints\": {\"halyard/v1\": \"%s\"}", digits);
  hy_text_free(&text);
}

// "uri": a file of the folder.
static void add_location(const hy_gate_result *r, const char *file, hy_text *out) {
  hy_text path = {0};
  hy_text_printf(&path, "%s/%s", r->folder, file);
  hy_text_add(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
  add_uri(out, hy_text_string(&path));
  hy_text_add(out, "}, \"region\": {\"startLine\": 1}}");
  hy_text_free(&path);
}

// A counterexample, step by step.
static void add_flow(const hy_gate_result *r, const hy_gate_check *c, hy_text *out) {
  if (!c->steps[0].text) return;
  hy_text_add(out, "\"codeFlows\": [{\"threadFlows\": [{\"locations\": [");
  for (int i = 0; i < HY_GATE_STEPS && c->steps[i].text; i++) {
    hy_text_add(out, i ? ",\n         {\"location\": {" : "\n         {\"location\": {");
    add_location(r, c->steps[i].file, out);
    hy_text_add(out, ", \"message\": {\"text\": ");
    add_json(out, c->steps[i].text);
    hy_text_add(out, "}}}");
  }
  hy_text_add(out, "]}]}],\n       ");
}

static void add_result(const hy_gate_result *r, const hy_gate_check *c, hy_text *out) {
  hy_text_printf(out, "      {\"ruleId\": \"HY%04u\", \"level\": \"%s\", \"message\": {\"text\": ", c->code,
                 c->verdict == HY_GATE_UNDECIDED ? "warning" : "error");
  hy_text message = {0};
  if (c->target) hy_text_printf(&message, "%s: ", c->target);
  hy_text_printf(&message, c->help ? "%s. What to do: %s" : "%s", c->story, c->help);
  add_json(out, hy_text_string(&message));
  hy_text_free(&message);
  hy_text_add(out, "},\n       \"locations\": [{");
  add_location(r, c->file ? c->file : r->manifest_name ? r->manifest_name : "", out);
  hy_text_add(out, "}],\n       ");
  add_flow(r, c, out);
  add_fingerprint(out, c);
  hy_text_add(out, "}");
}

static bool is_first_of_code(const hy_gate_result *r, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (r->checks.data[k].code == r->checks.data[i].code) return false;
  return r->checks.data[i].code != 0;
}

void hy_gate_print_sarif(const hy_gate_result *r, hy_text *out) {
  const char *separator = "\n";
  hy_text_add(out, "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n"
                   "  \"runs\": [{\n    \"tool\": {\"driver\": {\"name\": \"halyard\", \"version\": \"" HALYARD_VERSION
                   "\", \"rules\": [");
  for (size_t i = 0; i < r->checks.count; i++) {
    if (!is_first_of_code(r, i)) continue;
    hy_text_printf(out, "%s      {\"id\": \"HY%04u\", \"shortDescription\": {\"text\": ", separator,
                   r->checks.data[i].code);
    add_json(out, hy_code_title(r->checks.data[i].code));
    hy_text_add(out, "}}");
    separator = ",\n";
  }
  hy_text_add(out, "]}},\n    \"automationDetails\": {\"id\": ");
  hy_text id = {0};
  hy_text_printf(&id, "halyard-gate/%s/", r->manifest ? r->manifest->name : "unknown");
  add_json(out, hy_text_string(&id));
  hy_text_free(&id);
  hy_text_add(out, "},\n    \"results\": [");
  separator = "\n";
  for (size_t i = 0; i < r->checks.count; i++) {
    if (r->checks.data[i].verdict == HY_GATE_PASSED) continue;
    hy_text_add(out, separator);
    add_result(r, &r->checks.data[i], out);
    separator = ",\n";
  }
  hy_text_add(out, "]\n  }]\n}\n");
}

/* -- Markdown -- */

// What would end a cell of a table, or begin something else in it.
static void add_cell(hy_text *out, const char *foreign) {
  hy_text plain = {0};
  hy_text_add_plain(&plain, foreign);
  for (const char *text = hy_text_string(&plain); *text; text++)
    if (strchr("|\\`*_<>[]", *text))
      hy_text_printf(out, "\\%c", *text);
    else if (*text == '@') // would call somebody
      hy_text_add(out, "&#64;");
    else
      hy_text_add_bytes(out, text, 1);
  hy_text_free(&plain);
}

static void add_row(const hy_gate_check *c, hy_text *out) {
  hy_text_printf(out, "| %d | ", c->level);
  add_cell(out, c->name);
  hy_text_add(out, " | ");
  add_cell(out, c->file ? c->file : "the folder");
  if (c->target) hy_text_add(out, " ("), add_cell(out, c->target), hy_text_add(out, ")");
  hy_text_printf(out, " | %s%s | ", hy_gate_verdict_name(c->verdict), c->is_allowed ? " (allowed)" : "");
  add_cell(out, c->story);
  hy_text_add(out, " |\n");
}

void hy_gate_print_markdown(const hy_gate_result *r, hy_text *out) {
  size_t open = 0;
  hy_text_printf(out, "### halyard gate: %s\n\n", hy_gate_verdict_name(hy_gate_worst(r)));
  if (r->manifest)
    hy_text_printf(out, "`%s` of pipeline `%s`, schedule `%s`, identity `%.16s`\n\n", r->manifest->name,
                   r->manifest->pipeline, r->manifest->schedule, r->manifest->identity);
  hy_text_add(out, "| level | verdict | checks passed | seconds |\n|---|---|---|---|\n");
  for (int level = 0; level < HY_GATE_LEVELS; level++)
    if (r->asked[level])
      hy_text_printf(out, "| %d | %s | %zu | %.2f |\n", level, hy_gate_verdict_name(hy_gate_worst_of(r, level)),
                     hy_gate_count(r, level, HY_GATE_PASSED), r->seconds[level]);
    else if (r->elsewhere[level])
      hy_text_printf(out, "| %d | other shards' | 0 | |\n", level);
  for (size_t i = 0; i < r->checks.count; i++) open += r->checks.data[i].verdict != HY_GATE_PASSED;
  if (open) hy_text_add(out, "\n| level | check | file | verdict | |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < r->checks.count; i++)
    if (r->checks.data[i].verdict != HY_GATE_PASSED) add_row(&r->checks.data[i], out);
}
