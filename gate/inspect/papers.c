#include "gate/inspect/papers.h"

#include "gate/interface/interface.h"
#include "gate/manifest/elf.h"
#include "gate/manifest/files.h"
#include "gate/manifest/sbom.h"
#include "semantics/value/errors.h"

#include <string.h>

typedef struct {
  const hy_inspected *in;
  hy_gate_result *result;
  size_t faults;
} walk;

static void wrong(walk *w, const char *name, const char *file, const char *story) {
  hy_gate_add(w->result, 0, name, file, HY_GATE_WRONG, HY_E_GATE_IDENTITY, "%s", story);
  w->faults++;
}

/* -- the list of files -- */

static bool is_code(hy_role role) {
  return role == HY_ROLE_OBJECT || role == HY_ROLE_ARCHIVE || role == HY_ROLE_SHARED;
}

static bool has_target(const hy_manifest *m, const char *name) {
  for (size_t i = 0; i < m->targets.count; i++)
    if (name && strcmp(m->targets.data[i].name, name) == 0) return true;
  return false;
}

static void judge_file(walk *w, const hy_artefact *a) {
  hy_arena *arena = w->result->arena;
  const hy_manifest *m = &w->in->manifest;
  const char *name = hy_manifest_file_name(arena, m, a->role, a->target);
  if (is_code(a->role) && !has_target(m, a->target))
    wrong(w, "list", a->path,
          hy_arena_printf(arena, "it is code for '%s', which is none of the manifest's targets",
                          a->target ? a->target : "no target"));
  else if (strcmp(a->path, name) != 0)
    wrong(w, "list", a->path, hy_arena_printf(arena, "'ship' calls this %s '%s'", hy_role_name(a->role), name));
}

static void judge_owed(walk *w, hy_role role, const char *target) {
  const hy_manifest *m = &w->in->manifest;
  if (hy_manifest_find(m, role, target)) return;
  wrong(w, "list", w->in->manifest_name,
        hy_arena_printf(w->result->arena, "it lists no %s%s%s", hy_role_name(role), target ? " for target " : "",
                        target ? target : ""));
}

// Of a machine 'ship' makes archive and shared object for all targets or for none.
static bool is_linked(const hy_manifest *m, const hy_shipped_target *t) {
  for (size_t i = 0; i < m->targets.count; i++) {
    const hy_shipped_target *other = &m->targets.data[i];
    if (hy_elf_machine_of(other->triple) == hy_elf_machine_of(t->triple) &&
        (hy_manifest_find(m, HY_ROLE_ARCHIVE, other->name) || hy_manifest_find(m, HY_ROLE_SHARED, other->name)))
      return true;
  }
  return false;
}

static void judge_target(walk *w, const hy_shipped_target *t) {
  judge_owed(w, HY_ROLE_OBJECT, t->name);
  if (!is_linked(&w->in->manifest, t)) return;
  judge_owed(w, HY_ROLE_ARCHIVE, t->name);
  judge_owed(w, HY_ROLE_SHARED, t->name);
}

void hy_papers_judge_list(const hy_inspected *in, hy_gate_result *result) {
  static const hy_role owed[] = {HY_ROLE_PROGRAM, HY_ROLE_CERTIFICATES, HY_ROLE_HEADER, HY_ROLE_SBOM};
  walk w = {in, result, 0};
  const hy_manifest *m = &in->manifest;
  const char *name = hy_arena_printf(result->arena, "%s" HY_MANIFEST_SUFFIX, m->name);
  if (strcmp(name, in->manifest_name) != 0)
    wrong(&w, "list", in->manifest_name, hy_arena_printf(result->arena, "'ship' calls this manifest '%s'", name));
  for (size_t i = 0; i < m->artefacts.count; i++) judge_file(&w, &m->artefacts.data[i]);
  for (size_t i = 0; i < HY_COUNT(owed); i++) judge_owed(&w, owed[i], NULL);
  for (size_t i = 0; i < m->targets.count; i++) judge_target(&w, &m->targets.data[i]);
  if (!m->targets.count) wrong(&w, "list", in->manifest_name, "it names no target");
  if (!w.faults)
    hy_gate_add(result, 0, "list", in->manifest_name, HY_GATE_PASSED, 0, "it lists what 'ship' makes, and only that");
}

/* -- papers that are printed again -- */

// Another version may print it otherwise: then nobody knows.
static void compare(const hy_inspected *in, int level, hy_role role, const hy_text *again, hy_gate_result *result) {
  const hy_artefact *a = hy_manifest_find(&in->manifest, role, NULL);
  const hy_text *is = hy_inspected_bytes(in, role, NULL);
  if (!is) return; // said already
  if (is->length == again->length && memcmp(hy_text_string(is), hy_text_string(again), is->length) == 0)
    hy_gate_add(result, level, "paper", a->path, HY_GATE_PASSED, 0, "made again, it is the same");
  else if (strcmp(in->manifest.halyard, HALYARD_VERSION) == 0)
    hy_gate_add(result, level, "paper", a->path, HY_GATE_WRONG, HY_E_GATE_IDENTITY, "it is not the %s of this %s",
                hy_role_name(role), level ? "program and manifest" : "manifest");
  else
    hy_gate_add(result, level, "other-version", a->path, HY_GATE_UNDECIDED, HY_E_GATE_IDENTITY,
                "it was made by Halyard %s, and %s makes another %s", in->manifest.halyard, HALYARD_VERSION,
                hy_role_name(role))
        ->help = "use the Halyard that made it, or ship again";
}

void hy_papers_judge_bill(const hy_inspected *in, hy_gate_result *result) {
  hy_manifest others = in->manifest;
  hy_text again = {0};
  others.artefacts.data = NULL, others.artefacts.count = others.artefacts.capacity = 0;
  for (size_t i = 0; i < in->manifest.artefacts.count; i++)
    if (in->manifest.artefacts.data[i].role != HY_ROLE_SBOM)
      hy_vec_push(&others.artefacts, in->manifest.artefacts.data[i]);
  hy_sbom_print(&others, &again);
  compare(in, 0, HY_ROLE_SBOM, &again, result);
  hy_vec_free(&others.artefacts);
  hy_text_free(&again);
}

void hy_papers_judge_header(const hy_inspected *in, const hy_alg *alg, hy_gate_result *result) {
  hy_text again = {0};
  hy_header_print_shipped(&in->manifest, alg, &again);
  compare(in, 1, HY_ROLE_HEADER, &again, result);
  hy_text_free(&again);
}
