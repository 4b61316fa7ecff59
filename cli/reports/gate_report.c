#include "cli/reports/gate_report.h"

#include <stdio.h>
#include <string.h>

static const hy_loc nowhere = {0};

static const char *const level_names[HY_GATE_LEVELS] = {"identity", "proof", "runs", "translation", "speed"};

hy_status hy_gate_status(hy_gate_verdict verdict) {
  switch (verdict) {
  case HY_GATE_PASSED: return HY_STATUS_FINE;
  case HY_GATE_UNDECIDED: return HY_STATUS_UNDECIDED;
  case HY_GATE_SLOWER: return HY_STATUS_SLOWER;
  case HY_GATE_STALE: return HY_STATUS_STALE;
  case HY_GATE_MALFORMED: return HY_STATUS_USAGE;
  case HY_GATE_WRONG: return HY_STATUS_WRONG;
  case HY_GATE_DEFECT: return HY_STATUS_DEFECT;
  }
  HY_UNREACHABLE();
}

// What did not pass is told like any diagnostic; what was allowed to stay open as a warning.
static void tell(hy_session *s, const hy_gate_check *c) {
  if (c->verdict == HY_GATE_PASSED) return;
  (c->is_allowed ? hy_warn : hy_report)(s->diagnostics, c->code, nowhere, NULL, c->help, "%s%s%s%s%s: %s",
                                        c->file ? c->file : "the folder", c->target ? " (" : "",
                                        c->target ? c->target : "", c->target ? ")" : "",
                                        c->is_allowed ? ", allowed" : "", c->story);
}

static void record_check(hy_record *record, const hy_gate_check *c) {
  hy_record *row = hy_record_append(record, "checks");
  char code[16];
  hy_record_int(row, "level", c->level);
  hy_record_text(row, "name", c->name);
  if (c->file) hy_record_text(row, "file", c->file);
  if (c->target) hy_record_text(row, "target", c->target);
  hy_record_text(row, "verdict", hy_gate_verdict_name(c->verdict));
  if (c->is_allowed) hy_record_bool(row, "allowed", true);
  snprintf(code, sizeof code, "HY%04u", c->code);
  if (c->code) hy_record_text(row, "code", code);
  hy_record_text(row, "story", c->story);
  if (c->help) hy_record_text(row, "help", c->help);
  for (int i = 0; i < HY_GATE_STEPS && c->steps[i].text; i++) {
    hy_record *step = hy_record_append(row, "steps");
    hy_record_text(step, "file", c->steps[i].file);
    hy_record_text(step, "text", c->steps[i].text);
  }
  if (c->ratio.median > 0) {
    hy_record *ratio = hy_record_child(row, "ratio");
    hy_record_real(ratio, "low", c->ratio.low);
    hy_record_real(ratio, "median", c->ratio.median);
    hy_record_real(ratio, "high", c->ratio.high);
  }
}

static void say_passed(hy_session *s, const hy_gate_result *r, const hy_gate_check *c) {
  hy_reporter_plain(s->reporter, "  ", c->file ? c->file : r->manifest_name, "");
  if (c->target) hy_reporter_plain(s->reporter, " (", c->target, ")");
  hy_reporter_plain(s->reporter, ": ", c->story, "\n");
}

static void report_level(hy_session *s, const hy_gate_result *r, int level, hy_record *record) {
  hy_record *row = hy_record_append(record, "levels");
  const char *verdict = hy_gate_verdict_name(hy_gate_worst_of(r, level));
  size_t passed = hy_gate_count(r, level, HY_GATE_PASSED), all = 0;
  for (size_t i = 0; i < r->checks.count; i++) all += r->checks.data[i].level == level;
  hy_record_int(row, "level", level);
  hy_record_text(row, "name", level_names[level]);
  hy_record_text(row, "verdict", verdict);
  hy_record_real(row, "seconds", r->seconds[level]);
  hy_reporter_print(s->reporter, "level %d, %s: %s (%zu of %zu checks passed, %.0f ms)\n", level, level_names[level],
                    verdict, passed, all, r->seconds[level] * 1e3);
  for (size_t i = 0; i < r->checks.count; i++) {
    const hy_gate_check *c = &r->checks.data[i];
    if (c->level == level && c->verdict == HY_GATE_PASSED && (level > 0 || s->options.verbose)) say_passed(s, r, c);
  }
}

// It is neither passed nor undecided: whoever joins the parts knows.
static void report_elsewhere(hy_session *s, int level, hy_record *record) {
  hy_record *row = hy_record_append(record, "other_shards");
  hy_record_int(row, "level", level);
  hy_record_text(row, "name", level_names[level]);
  hy_reporter_print(s->reporter, "level %d, %s: nothing looked at: all of it is other shards' work\n", level,
                    level_names[level]);
}

void hy_gate_report(hy_session *s, const hy_gate_result *r, hy_record *record) {
  if (r->manifest) {
    hy_reporter_plain(s->reporter, "", r->manifest_name, ": ");
    hy_reporter_plain(s->reporter, "'", r->manifest->name, "' of pipeline ");
    hy_reporter_plain(s->reporter, "", r->manifest->pipeline, ", ");
    hy_reporter_plain(s->reporter, "schedule ", r->manifest->schedule, ", ");
    hy_reporter_print(s->reporter, "identity %.16s...\n", r->manifest->identity);
    hy_record_text(record, "name", r->manifest->name);
    hy_record_text(record, "identity", r->manifest->identity);
  }
  hy_record_text(record, "folder", r->folder);
  hy_record_text(record, "verdict", hy_gate_verdict_name(hy_gate_worst(r)));
  for (int level = 0; level < HY_GATE_LEVELS; level++)
    if (r->asked[level])
      report_level(s, r, level, record);
    else if (r->elsewhere[level])
      report_elsewhere(s, level, record);
  for (size_t i = 0; i < r->checks.count; i++) {
    tell(s, &r->checks.data[i]);
    record_check(record, &r->checks.data[i]);
  }
}
