// halyard gate --rebuild, level 0: what shipped, made again of the folder's own texts.

#include "cli/session/environment.h"
#include "cli/verbs/build.h"
#include "cli/verbs/gate_compiler.h"
#include "gate/manifest/files.h"
#include "oracle/z3/z3_check.h"

#include <string.h>

enum { MOST_MANIFEST = 1 << 22 };

static const hy_source *source_of(hy_gate *g, hy_role role) {
  const hy_text *text = hy_inspected_bytes(&g->in, role, NULL);
  if (!text) return NULL;
  hy_arena *arena =
      hy_context_arena(g->session->context); // what is said of it is printed when the folder's texts are gone
  hy_source *source = HY_NEW(arena, hy_source);
  *source = (hy_source){hy_role_name(role), hy_arena_copy(arena, hy_text_string(text), text->length), text->length};
  return source;
}

// The pipeline that the folder's own texts say; what is said of them goes where s->diagnostics says.
static bool parse_again(hy_gate *g, hy_pipeline *p) {
  hy_session *s = g->session;
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
static bool read_again(hy_gate *g, hy_pipeline *p, const char **first) {
  hy_diagnostics *own = g->session->diagnostics, *said = hy_diagnostics_new();
  g->session->diagnostics = said;
  bool good = parse_again(g, p);
  g->session->diagnostics = own;
  *first = NULL;
  for (size_t i = 0; i < hy_diagnostics_count(said) && !*first; i++) {
    const hy_diagnostic *d = hy_diagnostics_at(said, i);
    if (d->severity == HY_SEVERITY_ERROR)
      *first = hy_arena_copy(hy_context_arena(g->session->context), d->message, strlen(d->message));
  }
  hy_diagnostics_free(said);
  return good;
}

static void compare_file(hy_gate *g, const hy_ship_file *f) {
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
static void find_surplus(hy_gate *g, const hy_shipment *again) {
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

static void undecided(hy_gate *g, const char *why) {
  hy_gate_add(&g->result, 0, "rebuild", NULL, HY_GATE_UNDECIDED, HY_E_GATE_REBUILD, "it cannot be made again: %s", why)
      ->help = "use the Halyard that made it: 'made_by' in the manifest";
}

static bool is_among(const hy_shipped_plugin *p, const hy_shipped_plugin *all, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(p->sha256, all[i].sha256) == 0 && strcmp(p->name, all[i].name) == 0) return true;
  return false;
}

// The folder was made with the plug-ins that --plugin gives now, or: why not.
static const char *other_plugins(const hy_gate *g, const hy_ship_judges *now) {
  const hy_manifest *m = &g->in.manifest;
  hy_arena *arena = hy_context_arena(g->session->context);
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
static const char *why_refused(const hy_gate *g, const char *first) {
  const char *z3 = g->in.manifest.z3, *own = hy_z3_version();
  hy_arena *arena = hy_context_arena(g->session->context);
  const char *what = first ? hy_arena_printf(arena, "its sources are refused (%s)", first) : "its sources are refused";
  if (!z3) return hy_arena_printf(arena, "%s, so that other options or plug-ins made it", what);
  if (strcmp(z3, own) == 0) return what;
  return hy_arena_printf(arena, "%s; Z3 %s accepted them, and this is %s", what, z3, own);
}

// Another build of the same Halyard says so in its own.
static void compare_manifest(hy_gate *g, const hy_shipment *again) {
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
static void compare_all(hy_gate *g, hy_ship_answer answer, const hy_shipment *again, const char *why) {
  const char *was = g->in.manifest.linker, *is = again->manifest.linker;
  if (answer == HY_SHIP_TOOL) return undecided(g, why);
  if (answer == HY_SHIP_DEFECT) {
    hy_gate_add(&g->result, 0, "rebuild", NULL, HY_GATE_WRONG, HY_E_GATE_REBUILD, "it cannot be made again: %s", why);
    return;
  }
  if (was && is && strcmp(was, is) != 0)
    return undecided(
        g, hy_arena_printf(hy_context_arena(g->session->context), "it was linked by '%s', and here is '%s'", was, is));
  for (size_t i = 0; i < again->files.count; i++) compare_file(g, &again->files.data[i]);
  find_surplus(g, again);
  compare_manifest(g, again);
}

void hy_gate_rebuild(hy_gate *g) {
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
  if (!hy_build_judges(g->session, &wishes.judges)) return undecided(g, "a plug-in cannot be read");
  bool says_plugins = m->z3 || m->plugins.count; // an older Halyard's manifest says nothing
  if (says_plugins && (why = other_plugins(g, &wishes.judges))) return undecided(g, why);
  if (m->z3_steps) g->session->options.z3_limit = (int64_t)m->z3_steps;
  wishes.judges.z3_limit = (unsigned)g->session->options.z3_limit;
  if (!read_again(g, &p, &why)) return undecided(g, why_refused(g, why));
  why = "";
  hy_ship_answer answer = hy_ship_make(&p, m->schedule, &wishes, &again, &why); // which says why: first
  compare_all(g, answer, &again, why);
  hy_shipment_free(&again);
}
