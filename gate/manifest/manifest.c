#include "gate/manifest/manifest.h"

#include <string.h>

static const char *const role_names[] = {"algorithm", "schedule", "target program", "certificates",     "header",
                                         "object",    "archive",  "shared object",  "bill of materials"};
_Static_assert(HY_COUNT(role_names) == HY_ROLE_COUNT, "a name for each");

static const char *const suffixes[] = {".alg", ".sched", ".tgt", ".cert.gz", ".h", ".o", ".a", ".so", ".cdx.json"};
_Static_assert(HY_COUNT(suffixes) == HY_ROLE_COUNT, "a suffix for each");

const char *hy_role_name(hy_role role) { return role_names[role]; }

const char *hy_manifest_stem(hy_arena *arena, const hy_manifest *m, const char *target) {
  bool is_one = m->targets.count < 2 || !target;
  return hy_arena_printf(arena, "%s%s%s", m->name, is_one ? "" : "-", is_one ? "" : target);
}

const char *hy_manifest_file_name(hy_arena *arena, const hy_manifest *m, hy_role role, const char *target) {
  return hy_arena_printf(arena, "%s%s", hy_manifest_stem(arena, m, target), suffixes[role]);
}

void hy_manifest_free(hy_manifest *m) {
  hy_vec_free(&m->targets);
  hy_vec_free(&m->plugins);
  hy_vec_free(&m->artefacts);
}

const hy_artefact *hy_manifest_find(const hy_manifest *m, hy_role role, const char *target) {
  for (size_t i = 0; i < m->artefacts.count; i++) {
    const hy_artefact *a = &m->artefacts.data[i];
    if (a->role == role && (!target || (a->target && strcmp(a->target, target) == 0))) return a;
  }
  return NULL;
}

bool hy_artefact_name_is_plain(const char *name) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
  size_t length = strlen(name);
  return length > 0 && length < 256 && name[0] != '.' && name[0] != '-' && strspn(name, allowed) == length;
}

static int by_path(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

void hy_manifest_print_sums(const hy_manifest *m, const char *name, const char *sha256, hy_text *out) {
  size_t count = m->artefacts.count + 1;
  const char **paths = hy_allocate(count * sizeof *paths);
  for (size_t i = 0; i + 1 < count; i++) paths[i] = m->artefacts.data[i].path;
  paths[count - 1] = name;
  qsort(paths, count, sizeof *paths, by_path);
  for (size_t i = 0; i < count; i++) {
    const char *sum = sha256;
    for (size_t k = 0; k < m->artefacts.count; k++)
      if (m->artefacts.data[k].path == paths[i]) sum = m->artefacts.data[k].sha256;
    hy_text_printf(out, "%s  %s\n", sum, paths[i]);
  }
  free(paths);
}
