#include "gate/inspect/diff.h"

#include "gate/manifest/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef HY_VEC(const char *) lines;

static void note(hy_changes *out, const char *what, const char *was, const char *now) {
  if (was == now || (was && now && strcmp(was, now) == 0)) return;
  hy_vec_push(out, ((hy_shipped_change){what, was, now}));
}

/* -- lists of lines: what one has and the other has not -- */

static void split(hy_arena *arena, const hy_text *text, lines *out) {
  char *copy = hy_arena_copy(arena, hy_text_string(text), text->length);
  for (char *line; (line = strsep(&copy, "\n"));)
    if (*line) hy_vec_push(out, line + strspn(line, " "));
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static void compare_lines(hy_changes *out, const char *what, lines *was, lines *now) {
  if (was->count) qsort(was->data, was->count, sizeof *was->data, by_text);
  if (now->count) qsort(now->data, now->count, sizeof *now->data, by_text);
  size_t i = 0, k = 0;
  while (i < was->count || k < now->count) {
    int order = i == was->count ? 1 : k == now->count ? -1 : strcmp(was->data[i], now->data[k]);
    if (order < 0) note(out, what, was->data[i], NULL);
    if (order > 0) note(out, what, NULL, now->data[k]);
    i += order <= 0;
    k += order >= 0;
  }
}

/* -- what is owed -- */

// "B.Mem: in(x - 1, y) lies inside ..." of every claim, and whether it is open.
static void list_claims(hy_arena *arena, const hy_inspected *in, lines *out) {
  const hy_text *packed = hy_inspected_bytes(in, HY_ROLE_CERTIFICATES, NULL);
  hy_text plain = {0};
  lines rows = {0};
  if (packed && hy_gate_expand(packed, HY_GATE_MOST_CERTIFICATES, &plain)) split(arena, &plain, &rows);
  for (size_t i = 0; i < rows.count; i++) {
    bool is_open = strncmp(rows.data[i], "open ", 5) == 0;
    if (!is_open && strncmp(rows.data[i], "certificate ", 12) != 0) continue;
    const char *id = strchr(rows.data[i], ' ') + 1, *claim = strchr(id, ' ');
    if (claim) hy_vec_push(out, hy_arena_printf(arena, "%s%s", claim + 1, is_open ? " (no proof)" : ""));
  }
  hy_vec_free(&rows);
  hy_text_free(&plain);
}

static void compare_claims(const hy_inspected *was, const hy_inspected *now, hy_arena *arena, hy_changes *out) {
  lines a = {0}, b = {0};
  list_claims(arena, was, &a);
  list_claims(arena, now, &b);
  compare_lines(out, "obligation", &a, &b);
  hy_vec_free(&a);
  hy_vec_free(&b);
}

static void compare_texts(const hy_inspected *was, const hy_inspected *now, hy_role role, const char *what,
                          hy_arena *arena, hy_changes *out) {
  const hy_text *one = hy_inspected_bytes(was, role, NULL), *two = hy_inspected_bytes(now, role, NULL);
  lines a = {0}, b = {0};
  if (one) split(arena, one, &a);
  if (two) split(arena, two, &b);
  compare_lines(out, what, &a, &b);
  hy_vec_free(&a);
  hy_vec_free(&b);
}

/* -- code -- */

static const char *describe(hy_arena *arena, const hy_artefact *a) {
  return hy_arena_printf(arena, "%s for %s, %zu bytes, %.16s...", hy_role_name(a->role), a->target, a->bytes,
                         a->sha256);
}

static const char *describe_paper(hy_arena *arena, const hy_artefact *a) {
  return a ? hy_arena_printf(arena, "%s, %zu bytes, %.16s...", hy_role_name(a->role), a->bytes, a->sha256) : NULL;
}

// Texts are listed by their lines, proofs by what they are about: of these it is said that they are others.
static void compare_papers(const hy_manifest *was, const hy_manifest *now, hy_arena *arena, hy_changes *out) {
  static const hy_role roles[] = {HY_ROLE_PROGRAM, HY_ROLE_CERTIFICATES, HY_ROLE_HEADER, HY_ROLE_SBOM};
  for (size_t i = 0; i < HY_COUNT(roles); i++)
    note(out, "file", describe_paper(arena, hy_manifest_find(was, roles[i], NULL)),
         describe_paper(arena, hy_manifest_find(now, roles[i], NULL)));
}

static void compare_code(const hy_manifest *was, const hy_manifest *now, hy_arena *arena, hy_changes *out) {
  for (size_t i = 0; i < was->artefacts.count; i++) {
    const hy_artefact *a = &was->artefacts.data[i], *b = a->target ? hy_manifest_find(now, a->role, a->target) : NULL;
    if (a->target) note(out, "code", describe(arena, a), b ? describe(arena, b) : NULL);
  }
  for (size_t i = 0; i < now->artefacts.count; i++) {
    const hy_artefact *b = &now->artefacts.data[i];
    if (b->target && !hy_manifest_find(was, b->role, b->target)) note(out, "code", NULL, describe(arena, b));
  }
}

static bool has_plugin(const hy_manifest *m, const hy_shipped_plugin *p) {
  for (size_t i = 0; i < m->plugins.count; i++)
    if (strcmp(m->plugins.data[i].sha256, p->sha256) == 0) return true;
  return false;
}

static const char *describe_plugin(hy_arena *arena, const hy_shipped_plugin *p) {
  return hy_arena_printf(arena, "%s of hash %.16s...", p->name, p->sha256);
}

static void compare_plugins(const hy_manifest *was, const hy_manifest *now, hy_arena *arena, hy_changes *out) {
  for (size_t i = 0; i < was->plugins.count; i++)
    if (!has_plugin(now, &was->plugins.data[i]))
      note(out, "plug-in", describe_plugin(arena, &was->plugins.data[i]), NULL);
  for (size_t i = 0; i < now->plugins.count; i++)
    if (!has_plugin(was, &now->plugins.data[i]))
      note(out, "plug-in", NULL, describe_plugin(arena, &now->plugins.data[i]));
}

void hy_inspect_diff(const hy_inspected *was, const hy_inspected *now, hy_arena *arena, hy_changes *out) {
  const hy_manifest *a = &was->manifest, *b = &now->manifest;
  note(out, "name", a->name, b->name);
  note(out, "pipeline", a->pipeline, b->pipeline);
  note(out, "schedule's name", a->schedule, b->schedule);
  compare_texts(was, now, HY_ROLE_ALGORITHM, "algorithm", arena, out);
  compare_texts(was, now, HY_ROLE_SCHEDULE, "directive", arena, out);
  note(out, "proved", a->proved ? "for all inputs" : "not for all inputs",
       b->proved ? "for all inputs" : "not for all inputs");
  compare_claims(was, now, arena, out);
  note(out, "version of Halyard", a->halyard, b->halyard);
  note(out, "version of LLVM", a->llvm, b->llvm);
  if (a->z3 && b->z3) note(out, "version of Z3", a->z3, b->z3);
  compare_plugins(a, b, arena, out);
  note(out, "linker", a->linker, b->linker);
  compare_papers(a, b, arena, out);
  compare_code(a, b, arena, out);
}
