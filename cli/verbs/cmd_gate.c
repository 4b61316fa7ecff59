// halyard gate: judges a folder that shipped.

#include "cli/reports/gate_report.h"
#include "cli/session/environment.h"
#include "cli/verbs/build.h"
#include "cli/verbs/gate_parts.h"
#include "cli/verbs/gate_speed.h"
#include "cli/verbs/gate_wishes.h"
#include "cli/verbs/verbs.h"
#include "gate/inspect/inspect.h"
#include "gate/manifest/files.h"
#include "gate/manifest/statement.h"
#include "gate/remake/remake.h"
#include "gate/ship/ship.h"
#include "gate/trial/trial.h"
#include "oracle/z3/z3_check.h"
#include "passes/passes.h"
#include "semantics/base/clock.h"
#include "semantics/base/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const hy_loc nowhere = {0};
enum { MOST_MANIFEST = 1 << 22 };

typedef struct {
  hy_session *s;
  hy_inspected in;
  hy_gate_shard shard;
  bool has_sources; // were given
  hy_gate_result result;
} gate;

// Of a gate, wrong is worse than what cannot be read (docs/gate.md).
static hy_status gate_worse(hy_status a, hy_status b) {
  bool has_both = (a == HY_STATUS_WRONG && b == HY_STATUS_USAGE) || (a == HY_STATUS_USAGE && b == HY_STATUS_WRONG);
  return has_both ? HY_STATUS_WRONG : hy_status_worse(a, b);
}

/* -- the sources as they are by now -- */

// What ends the command has to stand in every report, and in a shard's part: as a check, not as a status alone.
static hy_status add_failure(gate *g, int level, const char *name, const char *file, unsigned code, const char *story,
                             hy_status status) {
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

static hy_status compare_texts(gate *g, const hy_pipeline *p) {
  hy_text algorithm = {0}, schedule = {0};
  hy_alg_print(g->s->alg, &algorithm);
  hy_pipeline_print_schedule(p, &schedule);
  hy_inspect_sources(&g->in, &algorithm, &schedule, &g->result);
  hy_text_free(&algorithm);
  hy_text_free(&schedule);
  return HY_STATUS_FINE;
}

// What ships of a target program by hand is what becomes of it: it is made again.
static hy_status compare_program(gate *g, hy_pipeline *p) {
  hy_text passed = {0}, whole = {0};
  p->defer_unknown = g->in.manifest.run_time_checks > 0;
  if (g->in.manifest.z3_steps) g->s->options.z3_limit = (int64_t)g->in.manifest.z3_steps;
  hy_status status = HY_STATUS_FINE;
  if (p->defer_unknown)
    status = hy_session_check(g->s, p, false);
  else if (!hy_pipeline_fill(p, g->s->diagnostics))
    status = HY_STATUS_WRONG;
  if (status != HY_STATUS_FINE) return status;
  hy_tgt_print(p->filled, &whole);
  hy_tgt_print(hy_passes(g->s->context, p->filled, NULL, NULL), &passed);
  hy_inspect_program(&g->in, &passed, &whole, &g->result);
  hy_text_free(&passed);
  hy_text_free(&whole);
  return status;
}

static hy_status compare_sources(gate *g) {
  hy_session *s = g->s;
  hy_pipeline pipeline;
  memmove(s->options.words.data, s->options.words.data + 1, --s->options.words.count * sizeof *s->options.words.data);
  g->has_sources = true;
  hy_status status = hy_session_load(s, false);
  if (status == HY_STATUS_WRONG) return HY_STATUS_USAGE; // malformed: of a gate, wrong is what ships (docs/gate.md)
  if (status != HY_STATUS_FINE) return status;
  hy_session_pipeline(s, 0, &pipeline);
  if (!hy_pipeline_schedule(&pipeline, s->diagnostics)) return HY_STATUS_WRONG;
  return s->program ? compare_program(g, &pipeline) : compare_texts(g, &pipeline);
}

static hy_status look_at_sources(gate *g) {
  if (g->s->options.words.count < 2) return HY_STATUS_FINE;
  hy_status status = compare_sources(g);
  unsigned code = status == HY_STATUS_USAGE ? HY_E_CANNOT_READ : HY_E_GATE_STALE;
  return add_failure(g, 0, "source", "the sources", code, "as they are given they cannot be read, or are refused",
                     status);
}

/* -- the same again (--rebuild) -- */

static const hy_source *source_of(gate *g, hy_role role) {
  const hy_text *text = hy_inspected_bytes(&g->in, role, NULL);
  if (!text) return NULL;
  hy_arena *arena = hy_context_arena(g->s->context); // what is said of it is printed when the folder's texts are gone
  hy_source *source = HY_NEW(arena, hy_source);
  *source = (hy_source){hy_role_name(role), hy_arena_copy(arena, hy_text_string(text), text->length), text->length};
  return source;
}

// The pipeline that the folder's own texts say; what is said of them goes where s->diagnostics says.
static bool parse_again(gate *g, hy_pipeline *p) {
  hy_session *s = g->s;
  const hy_source *alg_text = source_of(g, HY_ROLE_ALGORITHM), *schedule_text = source_of(g, HY_ROLE_SCHEDULE),
                  *program_text = source_of(g, HY_ROLE_PROGRAM);
  const hy_schedule *schedules = NULL;
  int count = 0;
  const hy_alg *alg = alg_text ? hy_parse_alg(s->context, alg_text, s->diagnostics) : NULL;
  const hy_tgt *program = !alg_text && program_text ? hy_parse_tgt(s->context, program_text, s->diagnostics) : NULL;
  if (!alg && !program) return false;
  if (alg && (!schedule_text || !hy_parse_schedules(s->context, schedule_text, s->diagnostics, &schedules, &count) ||
              count != 1))
    return false;
  hy_pipeline_init(p, s->context, alg, alg ? schedules : NULL, program);
  p->dump = hy_environment_dump();
  p->defer_unknown = g->in.manifest.run_time_checks > 0;
  hy_status status = hy_session_check(s, p, false);
  return status == HY_STATUS_FINE || (status == HY_STATUS_UNDECIDED && !g->in.manifest.proved);
}

// They are the folder's own texts, not what the user compiles: the check tells of them, and nobody else. "*first": the
// first error; NULL: none was said.
static bool read_again(gate *g, hy_pipeline *p, const char **first) {
  hy_diagnostics *own = g->s->diagnostics, *said = hy_diagnostics_new();
  g->s->diagnostics = said;
  bool good = parse_again(g, p);
  g->s->diagnostics = own;
  *first = NULL;
  for (size_t i = 0; i < hy_diagnostics_count(said) && !*first; i++) {
    const hy_diagnostic *d = hy_diagnostics_at(said, i);
    if (d->severity == HY_SEVERITY_ERROR)
      *first = hy_arena_copy(hy_context_arena(g->s->context), d->message, strlen(d->message));
  }
  hy_diagnostics_free(said);
  return good;
}

static void compare_file(gate *g, const hy_ship_file *f) {
  const hy_manifest *m = &g->in.manifest;
  for (size_t i = 0; i < m->artefacts.count; i++) {
    if (strcmp(m->artefacts.data[i].path, f->name) != 0) continue;
    const hy_text *was = &g->in.files.data[i];
    bool same = was->length == f->bytes.length && memcmp(hy_text_string(was), f->bytes.data, was->length) == 0;
    if (same)
      hy_gate_add(&g->result, 0, "rebuild", f->name, HY_GATE_PASSED, 0, "made again, it is the same");
    else
      hy_gate_add(&g->result, 0, "rebuild", f->name, HY_GATE_WRONG, HY_E_GATE_REBUILD,
                  "made again of the folder's own sources, it has other bytes");
    return;
  }
  if (strcmp(f->name, HY_SUMS_NAME) != 0 && strcmp(f->name, g->in.manifest_name) != 0)
    hy_gate_add(&g->result, 0, "rebuild", f->name, HY_GATE_WRONG, HY_E_GATE_REBUILD, "made again there is such a file");
}

// What the manifest names beyond what is made of its sources is made of nothing that was judged.
static void find_surplus(gate *g, const hy_shipment *again) {
  const hy_manifest *m = &g->in.manifest;
  for (size_t i = 0; i < m->artefacts.count; i++) {
    bool is_made = false;
    for (size_t k = 0; k < again->files.count; k++)
      is_made |= strcmp(again->files.data[k].name, m->artefacts.data[i].path) == 0;
    if (!is_made)
      hy_gate_add(&g->result, 0, "rebuild", m->artefacts.data[i].path, HY_GATE_WRONG, HY_E_GATE_REBUILD,
                  "made again there is no such file");
  }
}

static void undecided(gate *g, const char *why) {
  hy_gate_add(&g->result, 0, "rebuild", NULL, HY_GATE_UNDECIDED, HY_E_GATE_REBUILD, "it cannot be made again: %s", why)
      ->help = "use the Halyard that made it: 'made_by' in the manifest";
}

static bool is_among(const hy_shipped_plugin *p, const hy_shipped_plugin *all, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(p->sha256, all[i].sha256) == 0 && strcmp(p->name, all[i].name) == 0) return true;
  return false;
}

// The folder was made with the plug-ins that --plugin gives now, or: why not.
static const char *other_plugins(const gate *g, const hy_ship_judges *now) {
  const hy_manifest *m = &g->in.manifest;
  hy_arena *arena = hy_context_arena(g->s->context);
  for (size_t i = 0; i < m->plugins.count; i++)
    if (!is_among(&m->plugins.data[i], now->plugins, now->plugin_count))
      return hy_arena_printf(arena, "it was made with the plug-in '%s' of hash %.16s..., which no --plugin gives",
                             m->plugins.data[i].name, m->plugins.data[i].sha256);
  for (size_t i = 0; i < now->plugin_count; i++)
    if (!is_among(&now->plugins[i], m->plugins.data, m->plugins.count))
      return hy_arena_printf(arena, "it was made without the plug-in '%s' of hash %.16s...", now->plugins[i].name,
                             now->plugins[i].sha256);
  return NULL;
}

// Sources that were accepted once.
static const char *why_refused(const gate *g, const char *first) {
  const char *z3 = g->in.manifest.z3, *own = hy_z3_version();
  hy_arena *arena = hy_context_arena(g->s->context);
  const char *what = first ? hy_arena_printf(arena, "its sources are refused (%s)", first) : "its sources are refused";
  if (!z3) return hy_arena_printf(arena, "%s, so that other options or plug-ins made it", what);
  if (strcmp(z3, own) == 0) return what;
  return hy_arena_printf(arena, "%s; Z3 %s accepted them, and this is %s", what, z3, own);
}

// Another build of the same Halyard says so in its own.
static void compare_manifest(gate *g, const hy_shipment *again) {
  const hy_manifest *was = &g->in.manifest, *is = &again->manifest;
  if (strcmp(was->build, is->build) != 0 || hy_gate_worst(&g->result) != HY_GATE_PASSED) return;
  hy_text text = {0};
  const char *why;
  bool is_same = hy_gate_read(g->in.folder, g->in.manifest_name, MOST_MANIFEST, &text, &why);
  const hy_ship_file *now = NULL;
  for (size_t i = 0; i < again->files.count; i++)
    if (strcmp(again->files.data[i].name, again->manifest_name) == 0) now = &again->files.data[i];
  is_same = is_same && now && text.length == now->bytes.length && memcmp(text.data, now->bytes.data, text.length) == 0;
  if (is_same)
    hy_gate_add(&g->result, 0, "rebuild", g->in.manifest_name, HY_GATE_PASSED, 0, "made again, it is the same");
  else
    hy_gate_add(&g->result, 0, "rebuild", g->in.manifest_name, HY_GATE_WRONG, HY_E_GATE_REBUILD,
                "made again of the folder's own sources, it says something else");
  hy_text_free(&text);
}

// Archives and shared objects are the system's tools' as well.
static void compare_all(gate *g, hy_ship_answer answer, const hy_shipment *again, const char *why) {
  const char *was = g->in.manifest.linker, *is = again->manifest.linker;
  if (answer == HY_SHIP_TOOL) return undecided(g, why);
  if (answer == HY_SHIP_DEFECT) {
    hy_gate_add(&g->result, 0, "rebuild", NULL, HY_GATE_WRONG, HY_E_GATE_REBUILD, "it cannot be made again: %s", why);
    return;
  }
  if (was && is && strcmp(was, is) != 0)
    return undecided(
        g, hy_arena_printf(hy_context_arena(g->s->context), "it was linked by '%s', and here is '%s'", was, is));
  for (size_t i = 0; i < again->files.count; i++) compare_file(g, &again->files.data[i]);
  find_surplus(g, again);
  compare_manifest(g, again);
}

static void rebuild(gate *g) {
  const hy_manifest *m = &g->in.manifest;
  const hy_target *targets[16];
  hy_ship_wishes wishes = {
      .name = m->name, .targets = targets, .has_algorithm = m->algorithm, .is_unproved_fine = !m->proved};
  hy_shipment again = {.manifest_name = NULL};
  hy_pipeline p;
  const char *why = "";
  if (strcmp(m->halyard, HALYARD_VERSION) != 0 || strcmp(m->llvm, hy_codegen_llvm_version()) != 0)
    return undecided(g, "this is another version of Halyard or LLVM");
  for (size_t i = 0; i < m->targets.count; i++) {
    const hy_target *t = i < HY_COUNT(targets) ? hy_target_find(m->targets.data[i].name) : NULL;
    if (!t || !hy_ship_is_target(&m->targets.data[i], t)) return undecided(g, "this Halyard has no such target");
    targets[wishes.target_count++] = t;
  }
  if (!m->algorithm && m->run_time_checks) return undecided(g, "its checks at run time are part of its text by now");
  if (!hy_build_judges(g->s, &wishes.judges)) return undecided(g, "a plug-in cannot be read");
  bool says_plugins = m->z3 || m->plugins.count; // an older Halyard's manifest says nothing
  if (says_plugins && (why = other_plugins(g, &wishes.judges))) return undecided(g, why);
  if (m->z3_steps) g->s->options.z3_limit = (int64_t)m->z3_steps;
  wishes.judges.z3_limit = (unsigned)g->s->options.z3_limit;
  if (!read_again(g, &p, &why)) return undecided(g, why_refused(g, why));
  why = "";
  hy_ship_answer answer = hy_ship_make(&p, m->schedule, &wishes, &again, &why); // which says why: first
  compare_all(g, answer, &again, why);
  hy_shipment_free(&again);
}

/* -- levels -- */

// Level 0, which every shard begins with: all else speaks of what ships.
static hy_status judge_identity(gate *g) {
  hy_session *s = g->s;
  hy_status status = HY_STATUS_FINE;
  hy_inspect_identity(s->options.words.data[0], &g->in, &g->result);
  if (g->in.is_read && !s->options.merge) status = look_at_sources(g);
  if (g->in.is_read && s->options.rebuild && hy_gate_shard_has(g->shard, 0) &&
      hy_gate_worst(&g->result) == HY_GATE_PASSED)
    rebuild(g);
  return status;
}

static bool is_asked(const gate *g, int level) {
  const hy_options *o = &g->s->options;
  return level == 4 ? o->baseline != NULL : o->level >= level;
}

// Levels 1 and 4 are one shard's whole, not the same one's; levels 2 and 3 are split by inputs and by targets. Does this
// shard have any of it?
static bool has_work(const gate *g, int level) {
  const uint64_t units[HY_GATE_LEVELS] = {0, 0, (uint64_t)g->s->options.inputs, g->in.manifest.targets.count, 0};
  if (level == 0) return true;
  if (level == 1 || level == 4) return hy_gate_shard_has(g->shard, level == 4);
  return g->shard.count < 2 || g->shard.index < units[level];
}

static hy_status judge_level(gate *g, int level) {
  hy_session *s = g->s;
  const hy_options *o = &s->options;
  const hy_trial_wishes trial = {o->seed, (int)o->inputs, g->shard};
  const hy_remake_wishes remake = {o->seed, (int)o->inputs, g->shard};
  switch (level) {
  case 0: return judge_identity(g);
  case 1: hy_inspect_proof(s->context, &g->in, o->second_checker, &g->result); return HY_STATUS_FINE;
  case 2: hy_trial_run(s->context, &g->in, &trial, &g->result); return HY_STATUS_FINE;
  case 3: hy_remake_run(s->context, &g->in, &remake, &g->result); return HY_STATUS_FINE;
  default:
    return add_failure(g, 4, "baseline", "the baseline", HY_E_GATE_BASELINE,
                       "it is none, or what is asked of it is of no use", hy_gate_judge_speed(s, &g->in, &g->result));
  }
}

static hy_status judge(gate *g) {
  hy_status status = HY_STATUS_FINE;
  int levels = g->s->options.merge ? 1 : HY_GATE_LEVELS;
  for (int level = 0; level < levels && (level == 0 || g->in.is_read); level++) {
    if (!is_asked(g, level)) continue;
    g->result.elsewhere[level] = !has_work(g, level);
    if (g->result.elsewhere[level]) continue;
    double start = hy_seconds();
    status = gate_worse(status, judge_level(g, level));
    g->result.seconds[level] = hy_seconds() - start;
  }
  if (g->s->options.merge && g->in.is_read)
    status =
        gate_worse(status, add_failure(g, 0, "parts", "the parts", HY_E_GATE_PART, "they cannot be read, or joined",
                                       hy_gate_join_parts(g->s, &g->in, &g->result)));
  return status;
}

/* -- reports -- */

// At once, whatever the status is: a report of what is wrong is what it is for.
static hy_status write_report(gate *g, const char *path, void (*print)(const hy_gate_result *result, hy_text *out)) {
  hy_text text = {0};
  if (!path) return HY_STATUS_FINE;
  print(&g->result, &text);
  bool good = hy_whole_file_write(path, text.data, text.length);
  if (!good)
    hy_report(g->s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path,
              strerror(errno));
  hy_text_free(&text);
  return good ? HY_STATUS_FINE : HY_STATUS_USAGE;
}

static hy_status write_reports(gate *g) {
  const hy_options *o = &g->s->options;
  hy_status status = write_report(g, o->junit, hy_gate_print_junit);
  status = hy_status_worse(status, write_report(g, o->sarif, hy_gate_print_sarif));
  status = hy_status_worse(status, write_report(g, o->svr, hy_gate_print_svr));
  status = hy_status_worse(status, write_report(g, o->test_result, hy_statement_print_test_result));
  return hy_status_worse(status, write_report(g, o->markdown, hy_gate_print_markdown));
}

hy_status hy_command_gate(hy_session *s) {
  if (s->options.words.count == 0) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "write 'halyard gate DIR'",
              "'gate' needs a folder that shipped");
    return HY_STATUS_USAGE;
  }
  hy_status status = hy_gate_check_wishes(s);
  if (status != HY_STATUS_FINE) return status;
  if (s->options.verify_only) s->options.level = 1;
  gate g = {.s = s, .result = {.arena = hy_context_arena(s->context)}};
  if (!hy_gate_take_shard(s, &g.shard)) return HY_STATUS_USAGE;
  status = judge(&g);
  status = gate_worse(status, add_failure(&g, 0, "part", "the part", HY_E_GATE_PART, "it cannot be written",
                                          hy_gate_write_part(s, &g.in, g.shard, g.has_sources, &g.result)));
  hy_gate_allow(s, &g.result);
  hy_gate_report(s, &g.result, hy_record_child(hy_reporter_record(s->reporter), "gate"));
  status = gate_worse(status, hy_gate_status(hy_gate_worst(&g.result)));
  status = gate_worse(status, write_reports(&g));
  hy_gate_result_free(&g.result);
  hy_inspected_free(&g.in);
  return status;
}
