#include "cli/verbs/gate_flow.h"
#include "cli/reports/gate_report.h"
#include "cli/verbs/gate_parts.h"
#include "cli/verbs/gate_wishes.h"
#include "gate/manifest/statement.h"
#include "semantics/base/clock.h"
#include "semantics/base/whole_file.h"
#include "semantics/value/errors.h"

#include <errno.h>
#include <string.h>

static const hy_loc nowhere = {0};

// Of a gate, wrong is worse than what cannot be read (docs/gate.md).
static hy_status gate_worse(hy_status a, hy_status b) {
  bool has_both = (a == HY_STATUS_WRONG && b == HY_STATUS_USAGE) || (a == HY_STATUS_USAGE && b == HY_STATUS_WRONG);
  return has_both ? HY_STATUS_WRONG : hy_status_worse(a, b);
}

hy_status hy_gate_add_failure(hy_gate *g, int level, const char *name, const char *file, unsigned code,
                              const char *story, hy_status status) {
  static const struct {
    hy_status status;
    hy_gate_verdict verdict;
  } table[] = {
      {HY_STATUS_WRONG, HY_GATE_WRONG}, {HY_STATUS_USAGE, HY_GATE_MALFORMED}, {HY_STATUS_DEFECT, HY_GATE_DEFECT}};
  if (status == HY_STATUS_FINE) return status;
  hy_gate_verdict verdict = HY_GATE_UNDECIDED;
  for (size_t i = 0; i < HY_COUNT(table); i++)
    if (table[i].status == status) verdict = table[i].verdict;
  g->result.asked[level] = true;
  hy_gate_add(&g->result, level, name, file, verdict, code, "%s", story);
  return status;
}

/* -- levels -- */

// Level 0, which every shard begins with: all else speaks of what ships. Without a compiler no more was asked for.
static hy_status judge_identity(hy_gate *g, const hy_gate_compiler *compiler) {
  hy_session *s = g->session;
  hy_status status = HY_STATUS_FINE;
  hy_inspect_identity(s->options.words.data[0], &g->in, &g->result);
  if (compiler && g->in.is_read && !s->options.merge) status = compiler->look_at_sources(g);
  if (compiler && g->in.is_read && s->options.rebuild && hy_gate_shard_has(g->shard, 0) &&
      hy_gate_worst(&g->result) == HY_GATE_PASSED)
    compiler->rebuild(g);
  return status;
}

static bool is_asked(const hy_gate *g, int level) {
  const hy_options *o = &g->session->options;
  return level == 4 ? o->baseline != NULL : o->level >= level;
}

// Levels 1 and 4 are one shard's whole, not the same one's; levels 2 and 3 are split by inputs and by targets. Does this
// shard have any of it?
static bool has_work(const hy_gate *g, int level) {
  const uint64_t units[HY_GATE_LEVELS] = {0, 0, (uint64_t)g->session->options.inputs, g->in.manifest.targets.count, 0};
  if (level == 0) return true;
  if (level == 1 || level == 4) return hy_gate_shard_has(g->shard, level == 4);
  return g->shard.count < 2 || g->shard.index < units[level];
}

// requires: without a compiler, levels 0 and 1 alone
static hy_status judge_level(hy_gate *g, int level, const hy_gate_compiler *compiler) {
  const hy_session *s = g->session;
  switch (level) {
  case 0: return judge_identity(g, compiler);
  case 1: hy_inspect_proof(s->context, &g->in, s->options.second_checker, &g->result); return HY_STATUS_FINE;
  case 2: compiler->run(g); return HY_STATUS_FINE;
  case 3: compiler->translate(g); return HY_STATUS_FINE;
  default: return compiler->time(g);
  }
}

static hy_status judge(hy_gate *g, const hy_gate_compiler *compiler) {
  hy_status status = HY_STATUS_FINE;
  int levels = g->session->options.merge ? 1 : HY_GATE_LEVELS;
  for (int level = 0; level < levels && (level == 0 || g->in.is_read); level++) {
    if (!is_asked(g, level)) continue;
    g->result.elsewhere[level] = !has_work(g, level);
    if (g->result.elsewhere[level]) continue;
    double start = hy_seconds();
    status = gate_worse(status, judge_level(g, level, compiler));
    g->result.seconds[level] = hy_seconds() - start;
  }
  if (g->session->options.merge && g->in.is_read)
    status = gate_worse(status, hy_gate_add_failure(g, 0, "parts", "the parts", HY_E_GATE_PART,
                                                    "they cannot be read, or joined",
                                                    hy_gate_join_parts(g->session, &g->in, &g->result)));
  return status;
}

/* -- reports -- */

// At once, whatever the status is: a report of what is wrong is what it is for.
static hy_status write_report(hy_gate *g, const char *path, void (*print)(const hy_gate_result *result, hy_text *out)) {
  hy_text text = {0};
  if (!path) return HY_STATUS_FINE;
  print(&g->result, &text);
  bool good = hy_whole_file_write(path, text.data, text.length);
  if (!good)
    hy_report(g->session->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path,
              strerror(errno));
  hy_text_free(&text);
  return good ? HY_STATUS_FINE : HY_STATUS_USAGE;
}

static hy_status write_reports(hy_gate *g) {
  const hy_options *o = &g->session->options;
  hy_status status = write_report(g, o->junit, hy_gate_print_junit);
  status = hy_status_worse(status, write_report(g, o->sarif, hy_gate_print_sarif));
  status = hy_status_worse(status, write_report(g, o->svr, hy_gate_print_svr));
  status = hy_status_worse(status, write_report(g, o->test_result, hy_statement_print_test_result));
  return hy_status_worse(status, write_report(g, o->markdown, hy_gate_print_markdown));
}

static hy_status check_wishes(hy_session *s, const hy_gate_compiler *compiler) {
  static const char *const level[] = {"level"};
  if (s->options.words.count == 0) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL,
              compiler ? "write 'halyard gate DIR'" : "write 'halyard-gate DIR'", "'gate' needs a folder that shipped");
    return HY_STATUS_USAGE;
  }
  hy_status status = compiler ? HY_STATUS_FINE : hy_gate_check_alone(s);
  if (!compiler && !hy_options_first_of(&s->options, level, 1)) s->options.verify_only = true;
  return status == HY_STATUS_FINE ? hy_gate_check_wishes(s) : status;
}

hy_status hy_gate_judge(hy_session *s, const hy_gate_compiler *compiler) {
  hy_status status = check_wishes(s, compiler);
  if (status != HY_STATUS_FINE) return status;
  if (s->options.verify_only) s->options.level = 1;
  hy_gate g = {.session = s, .result = {.arena = hy_context_arena(s->context)}};
  if (!hy_gate_take_shard(s, &g.shard)) return HY_STATUS_USAGE;
  status = judge(&g, compiler);
  status = gate_worse(status, hy_gate_add_failure(&g, 0, "part", "the part", HY_E_GATE_PART, "it cannot be written",
                                                  hy_gate_write_part(s, &g.in, g.shard, g.has_sources, &g.result)));
  hy_gate_allow(s, &g.result);
  hy_gate_report(s, &g.result, hy_record_child(hy_reporter_record(s->reporter), "gate"));
  status = gate_worse(status, hy_gate_status(hy_gate_worst(&g.result)));
  status = gate_worse(status, write_reports(&g));
  hy_gate_result_free(&g.result);
  hy_inspected_free(&g.in);
  return status;
}
