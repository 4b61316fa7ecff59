// halyard diff: what changed from one shipped folder to another.

#include "cli/reports/gate_report.h"
#include "cli/verbs/verbs.h"
#include "gate/inspect/diff.h"

static const hy_loc nowhere = {0};

typedef struct {
  hy_inspected in;
  hy_gate_result result;
} side;

// Both have to be what shipped: level 0 of the gate.
static hy_status open_side(hy_session *s, const char *path, side *out) {
  *out = (side){.result = {.arena = hy_context_arena(s->context)}};
  hy_inspect_identity(path, &out->in, &out->result);
  hy_gate_verdict worst = hy_gate_worst(&out->result);
  for (size_t i = 0; i < out->result.checks.count; i++) {
    const hy_gate_check *c = &out->result.checks.data[i];
    if (c->verdict != HY_GATE_PASSED)
      hy_report(s->diagnostics, c->code, nowhere, NULL, c->help, "%s: %s: %s", path, c->file ? c->file : "", c->story);
  }
  return worst == HY_GATE_PASSED ? HY_STATUS_FINE : HY_STATUS_USAGE;
}

static void say_change(hy_session *s, const hy_shipped_change *c) {
  const char *texts[] = {c->was, c->now}, *signs[] = {"- ", "+ "};
  for (int i = 0; i < 2; i++) {
    if (!texts[i]) continue;
    hy_reporter_print(s->reporter, "%s%s", signs[i], c->what);
    hy_reporter_plain(s->reporter, ": ", texts[i], "\n");
  }
}

static void say(hy_session *s, const hy_changes *changes) {
  enum { MOST_OBLIGATIONS = 12 };
  size_t obligations = 0;
  for (size_t i = 0; i < changes->count; i++) {
    const hy_shipped_change *c = &changes->data[i];
    hy_record *row = hy_record_append(hy_reporter_record(s->reporter), "changes");
    hy_record_text(row, "what", c->what);
    hy_record_text(row, "was", c->was);
    hy_record_text(row, "now", c->now);
    obligations += c->what[0] == 'o';
    if (c->what[0] == 'o' && obligations > MOST_OBLIGATIONS && !s->options.verbose) continue;
    say_change(s, c);
  }
  if (obligations > MOST_OBLIGATIONS && !s->options.verbose)
    hy_reporter_print(s->reporter, "%zu obligations in all came or went; --verbose lists them\n", obligations);
  if (!changes->count) hy_reporter_print(s->reporter, "nothing changed\n");
}

hy_status hy_command_diff(hy_session *s) {
  side was, now;
  hy_changes changes = {0};
  if (s->options.words.count != 2) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "write 'halyard diff OLD NEW'",
              "'diff' takes two shipped folders");
    return HY_STATUS_USAGE;
  }
  hy_status status = open_side(s, s->options.words.data[0], &was);
  status = hy_status_worse(status, open_side(s, s->options.words.data[1], &now));
  if (status == HY_STATUS_FINE) {
    hy_inspect_diff(&was.in, &now.in, hy_context_arena(s->context), &changes);
    say(s, &changes);
    if (changes.count) status = HY_STATUS_WRONG; // as diff has it
  }
  hy_vec_free(&changes);
  hy_gate_result_free(&was.result);
  hy_gate_result_free(&now.result);
  hy_inspected_free(&was.in);
  hy_inspected_free(&now.in);
  return status;
}
