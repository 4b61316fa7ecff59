// Level 0: the bytes are those that were shipped, and the papers fit together.

#include "gate/inspect/inspect.h"
#include "gate/inspect/papers.h"
#include "gate/manifest/elf.h"
#include "gate/manifest/files.h"
#include "semantics/value/errors.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BYTES = 256 << 20, MOST_PAPER = 1 << 22, LONGER = 1 << 16 };

typedef struct {
  const char *sha256, *name;
} sum;

typedef struct {
  hy_inspected *in;
  hy_gate_result *result;
  hy_arena *arena;
  HY_VEC(sum) sums; // by name
  size_t left;      // so many bytes may still be read
} walk;

/* -- the sums -- */

static int by_name(const void *a, const void *b) { return strcmp(((const sum *)a)->name, ((const sum *)b)->name); }

// Its lines "HEX  NAME"; others are counted elsewhere (judge_sums).
static void read_sums(walk *w) {
  for (const char *line = hy_text_string(&w->in->sums); *line;) {
    size_t wide = strcspn(line, "\n"), head = HY_SHA256_DIGITS + 2;
    if (wide > head && memcmp(line + HY_SHA256_DIGITS, "  ", 2) == 0)
      hy_vec_push(&w->sums, ((sum){hy_arena_copy(w->arena, line, HY_SHA256_DIGITS),
                                   hy_arena_copy(w->arena, line + head, wide - head)}));
    line += wide + (line[wide] != 0);
  }
  if (w->sums.count) qsort(w->sums.data, w->sums.count, sizeof *w->sums.data, by_name);
}

// The hash that SHA256SUMS has for a file; NULL: none.
static const char *listed(const walk *w, const char *name) {
  const sum key = {NULL, name};
  const sum *found = w->sums.count ? bsearch(&key, w->sums.data, w->sums.count, sizeof *w->sums.data, by_name) : NULL;
  return found ? found->sha256 : NULL;
}

/* -- the manifest -- */

static void split_path(walk *w, const char *path, char name[256], const char **why) {
  struct stat about;
  hy_inspected *in = w->in;
  *why = NULL;
  in->folder = path;
  if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
    if (hy_gate_find_manifest(path, name, why)) *why = NULL;
  } else {
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    in->folder = slash ? hy_arena_copy(w->arena, path, slash == path ? 1 : (size_t)(slash - path)) : ".";
    if (strlen(last) >= 256) *why = "its name is too long";
    if (!*why) strcpy(name, last);
  }
  w->result->folder = in->folder;
}

static void malformed(walk *w, const char *name, const char *file, const char *why) {
  hy_gate_add(w->result, 0, name, file, HY_GATE_MALFORMED, HY_E_GATE_MANIFEST, "%s", why)->help =
      "'halyard ship A S -o DIR' makes such a folder; it ships as a whole";
}

static void judge_manifest(walk *w, const hy_text *text, const char *name) {
  char is[HY_SHA256_DIGITS + 1];
  const char *was = listed(w, name), *why;
  hy_sha256(hy_text_string(text), text->length, is);
  bool same = was && strcmp(is, was) == 0;
  w->in->is_read = hy_manifest_read(w->arena, text->data, text->length, &w->in->manifest, &why);
  if (!same)
    hy_gate_add(w->result, 0, "manifest", name, HY_GATE_WRONG, HY_E_GATE_BYTES,
                "it is not what shipped, or " HY_SUMS_NAME " is not: its SHA-256 is %s, and there %s%s%s", is,
                was ? was : "it has none", w->in->is_read ? "" : "; it ", w->in->is_read ? "" : why);
  else if (!w->in->is_read)
    malformed(w, "manifest", name, why);
  else
    hy_gate_add(w->result, 0, "manifest", name, HY_GATE_PASSED, 0, "identity %s", w->in->manifest.identity);
}

// What is listed beyond what the manifest names would be believed by whoever has nothing but sha256sum.
static void judge_sums(walk *w) {
  const hy_manifest *m = &w->in->manifest;
  size_t lines = 0;
  for (const char *at = hy_text_string(&w->in->sums); (at = strchr(at, '\n')); at++) lines++;
  const char *text = hy_text_string(&w->in->sums);
  bool is_ended = w->in->sums.length && text[w->in->sums.length - 1] == '\n';
  if (memchr(text, 0, w->in->sums.length))
    hy_gate_add(w->result, 0, "sums", HY_SUMS_NAME, HY_GATE_WRONG, HY_E_GATE_BYTES,
                "it has a NUL byte, behind which others see lines");
  if (lines != m->artefacts.count + 1 || !is_ended)
    hy_gate_add(w->result, 0, "sums", HY_SUMS_NAME, HY_GATE_WRONG, HY_E_GATE_BYTES,
                "it has %zu lines, and the manifest and the files that it names are %zu", lines,
                m->artefacts.count + 1);
}

// False: there is nothing to go on with.
static bool read_manifest(walk *w, const char *path) {
  char name[256] = "";
  const char *why;
  hy_text text = {0};
  hy_inspected *in = w->in;
  split_path(w, path, name, &why);
  if (why) return malformed(w, "manifest", path, why), false;
  in->manifest_name = w->result->manifest_name = hy_arena_copy(w->arena, name, strlen(name));
  if (!hy_gate_read(in->folder, name, MOST_PAPER, &text, &why))
    malformed(w, "manifest", path, why);
  else if (!hy_gate_read(in->folder, HY_SUMS_NAME, MOST_PAPER, &in->sums, &why))
    malformed(w, "sums", HY_SUMS_NAME, why);
  else
    read_sums(w), judge_manifest(w, &text, name);
  hy_text_free(&text);
  w->result->manifest = in->is_read ? &in->manifest : NULL;
  if (in->is_read) judge_sums(w);
  return in->is_read;
}

/* -- files -- */

// Two of file, manifest and sums may agree: then the third is to blame.
static void blame(walk *w, const hy_artefact *a, const char *is, const char *was, size_t length) {
  const char *sums = was ? was : "no hash";
  if (strcmp(is, a->sha256) == 0)
    hy_gate_add(w->result, 0, "bytes", HY_SUMS_NAME, HY_GATE_WRONG, HY_E_GATE_BYTES,
                "of '%s' it has %s, but file and manifest agree on %s", a->path, sums, is);
  else if (strcmp(is, sums) == 0)
    hy_gate_add(w->result, 0, "bytes", w->in->manifest_name, HY_GATE_WRONG, HY_E_GATE_BYTES,
                "of '%s' it has %s, but file and " HY_SUMS_NAME " agree on %s", a->path, a->sha256, is);
  else
    hy_gate_add(w->result, 0, "bytes", a->path, HY_GATE_WRONG, HY_E_GATE_BYTES,
                "it is not what shipped: its SHA-256 is %s and was %s (%zu bytes, and were %zu)", is, a->sha256, length,
                a->bytes);
}

static bool judge_bytes(walk *w, const hy_artefact *a, const hy_text *bytes) {
  char is[HY_SHA256_DIGITS + 1];
  const char *was = listed(w, a->path);
  hy_sha256(hy_text_string(bytes), bytes->length, is);
  bool same = was && strcmp(is, a->sha256) == 0 && strcmp(was, is) == 0;
  if (same && bytes->length != a->bytes)
    hy_gate_add(w->result, 0, "bytes", w->in->manifest_name, HY_GATE_WRONG, HY_E_GATE_BYTES,
                "of '%s' it says %zu bytes, and there are %zu", a->path, a->bytes, bytes->length);
  else if (same)
    hy_gate_add(w->result, 0, "bytes", a->path, HY_GATE_PASSED, 0, "%zu bytes, SHA-256 %s", bytes->length, is);
  else
    blame(w, a, is, was, bytes->length);
  return strcmp(is, a->sha256) == 0;
}

static void read_file(walk *w, const hy_artefact *a) {
  hy_text bytes = {0};
  const char *why = "it is not read: by the manifest's lengths the folder has more than 256 MiB";
  // What is longer by far than it was is not read to its end: it is not what shipped.
  size_t most = a->bytes + LONGER < w->left ? a->bytes + LONGER : w->left;
  bool is_small = a->bytes <= w->left, is_there = is_small && hy_gate_read(w->in->folder, a->path, most, &bytes, &why);
  w->left -= bytes.length;
  if (is_small && !is_there && strcmp(why, HY_GATE_TOO_LARGE) == 0)
    hy_gate_add(w->result, 0, "bytes", a->path, HY_GATE_WRONG, HY_E_GATE_BYTES,
                "it is not what shipped: it has more than %zu bytes, and had %zu", most, a->bytes);
  else if (!is_there)
    malformed(w, "bytes", a->path, why);
  hy_vec_push(&w->in->is_as_shipped, is_there && judge_bytes(w, a, &bytes));
  hy_vec_push(&w->in->files, bytes);
}

/* -- papers that have to fit together, though each of them is what was listed -- */

static void compare(walk *w, hy_role role, const char *expected) {
  const hy_artefact *a = hy_manifest_find(&w->in->manifest, role, NULL);
  const char *is = a ? a->sha256 : NULL;
  if (!is && !expected) return;
  if (is && expected && strcmp(is, expected) == 0)
    hy_gate_add(w->result, 0, "content", a->path, HY_GATE_PASSED, 0, "it is the %s of the identity",
                hy_role_name(role));
  else
    hy_gate_add(w->result, 0, "content", a ? a->path : w->in->manifest_name, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "the folder's %s has the hash %s, and the identity is of %s", hy_role_name(role), is ? is : "(none)",
                expected ? expected : "(none)");
}

static void look_at_note(walk *w, const hy_artefact *a, const hy_text *bytes) {
  const hy_manifest *m = &w->in->manifest;
  char identity[HY_SHA256_DIGITS + 1];
  if (!hy_elf_identity(hy_text_string(bytes), bytes->length, m->name, identity))
    hy_gate_add(w->result, 0, "note", a->path, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "it has no note of '%s' in a section " HY_NOTE_SECTION, m->name);
  else if (strcmp(identity, m->identity) != 0)
    hy_gate_add(w->result, 0, "note", a->path, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "it belongs to the identity %s, and this folder's is %s", identity, m->identity);
  else
    hy_gate_add(w->result, 0, "note", a->path, HY_GATE_PASSED, 0, "it names the identity");
}

static void look_at_machine(walk *w, const hy_artefact *a, const hy_text *bytes) {
  const hy_manifest *m = &w->in->manifest;
  const char *triple = NULL;
  for (size_t i = 0; i < m->targets.count; i++)
    if (a->target && strcmp(m->targets.data[i].name, a->target) == 0) triple = m->targets.data[i].triple;
  int is = hy_elf_machine(hy_text_string(bytes), bytes->length), wanted = triple ? hy_elf_machine_of(triple) : -1;
  bool is_kind = a->role == HY_ROLE_OBJECT ? hy_elf_is_object(hy_text_string(bytes), bytes->length)
                                           : hy_elf_is_shared(hy_text_string(bytes), bytes->length);
  if (!is_kind && is >= 0)
    hy_gate_add(w->result, 0, "machine", a->path, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "it is no %s, but another ELF file", hy_role_name(a->role));
  else if (is >= 0 && is == wanted)
    hy_gate_add(w->result, 0, "machine", a->path, HY_GATE_PASSED, 0, "it is for %s", triple ? triple : "any");
  else
    hy_gate_add(w->result, 0, "machine", a->path, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "it is for another machine, %d, than target '%s', %d (-1: no ELF file, no target)", is,
                a->target ? a->target : "", wanted);
}

// The run-time library, and nothing else: a member more could define what the object does.
static void look_at_members(walk *w, const hy_artefact *a, const hy_text *bytes) {
  const char *archive = hy_text_string(bytes), *runtime = w->in->manifest.runtime;
  char is[HY_SHA256_DIGITS + 1] = "";
  size_t length, count = hy_archive_count(archive, bytes->length);
  const char *member = hy_archive_member(archive, bytes->length, "halyard_runtime.o", &length);
  if (member) hy_sha256(member, length, is);
  if (count == 2 && member && runtime && strcmp(is, runtime) == 0)
    hy_gate_add(w->result, 0, "members", a->path, HY_GATE_PASSED, 0, "beside it, it has the run-time library alone");
  else
    hy_gate_add(w->result, 0, "members", a->path, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "it has %zu members, not the object and the manifest's run-time library", count);
}

// An archive has the object as it lies beside it.
static void look_at_archive(walk *w, const hy_artefact *a, const hy_text *bytes) {
  const hy_artefact *object = hy_manifest_find(&w->in->manifest, HY_ROLE_OBJECT, a->target);
  const hy_text *is = hy_inspected_bytes(w->in, HY_ROLE_OBJECT, a->target);
  size_t length = 0;
  if (object && !is) return; // said already
  const char *member = object ? hy_archive_member(hy_text_string(bytes), bytes->length, object->path, &length) : NULL;
  bool same = member && is && length == is->length && memcmp(member, is->data, length) == 0;
  if (same)
    hy_gate_add(w->result, 0, "member", a->path, HY_GATE_PASSED, 0, "it has the object");
  else
    hy_gate_add(w->result, 0, "member", a->path, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "it does not have '%s' as it lies beside it", object ? object->path : "an object");
  look_at_members(w, a, bytes);
}

static void look_inside(walk *w, size_t i) {
  const hy_artefact *a = &w->in->manifest.artefacts.data[i];
  const hy_text *bytes = &w->in->files.data[i];
  if (!w->in->is_as_shipped.data[i]) return; // said already
  if (a->role == HY_ROLE_ARCHIVE) look_at_archive(w, a, bytes);
  if (a->role != HY_ROLE_OBJECT && a->role != HY_ROLE_SHARED) return;
  look_at_machine(w, a, bytes);
  look_at_note(w, a, bytes);
}

static void look_at_folder(walk *w) {
  const hy_manifest *m = &w->in->manifest;
  for (size_t i = 0; i < m->artefacts.count; i++) read_file(w, &m->artefacts.data[i]);
  hy_papers_judge_list(w->in, w->result);
  compare(w, HY_ROLE_ALGORITHM, m->algorithm);
  compare(w, HY_ROLE_SCHEDULE, m->directives);
  compare(w, HY_ROLE_PROGRAM, m->program);
  for (size_t i = 0; i < m->artefacts.count; i++) look_inside(w, i);
  hy_papers_judge_bill(w->in, w->result);
}

static void look_once(const char *path, hy_inspected *out, hy_gate_result *result) {
  *out = (hy_inspected){.folder = path};
  walk w = {.in = out, .result = result, .arena = result->arena, .left = MOST_BYTES};
  if (read_manifest(&w, path)) look_at_folder(&w);
  hy_vec_free(&w.sums);
}

// 'halyard ship' puts another folder into the place of one that somebody may be reading: half of one and half of the
// other are nobody's mistake.
static bool is_replaced(const char *path, const struct stat *before) {
  struct stat now;
  return stat(path, &now) == 0 && (now.st_dev != before->st_dev || now.st_ino != before->st_ino);
}

void hy_inspect_identity(const char *path, hy_inspected *out, hy_gate_result *result) {
  enum { MOST_TIMES = 5 };
  struct stat before;
  const size_t checks = result->checks.count;
  result->asked[0] = true;
  for (int time = 1;; time++) {
    bool is_there = stat(path, &before) == 0;
    look_once(path, out, result);
    if (!is_there || time == MOST_TIMES || !is_replaced(path, &before)) return;
    hy_inspected_free(out);
    result->checks.count = checks, result->manifest = NULL;
  }
}

void hy_inspected_free(hy_inspected *in) {
  for (size_t i = 0; i < in->files.count; i++) hy_text_free(&in->files.data[i]);
  hy_vec_free(&in->files);
  hy_vec_free(&in->is_as_shipped);
  hy_text_free(&in->sums);
  hy_manifest_free(&in->manifest);
}

const hy_text *hy_inspected_bytes(const hy_inspected *in, hy_role role, const char *target) {
  const hy_artefact *a = hy_manifest_find(&in->manifest, role, target);
  size_t i = a ? (size_t)(a - in->manifest.artefacts.data) : in->is_as_shipped.count;
  return i < in->is_as_shipped.count && in->is_as_shipped.data[i] ? &in->files.data[i] : NULL;
}

/* -- sources -- */

// The line where "at" lies, without blanks before it.
static const char *line_at(hy_arena *arena, const char *text, size_t at) {
  size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n') begin--;
  begin += strspn(text + begin, " ");
  size_t length = strcspn(text + begin, "\n");
  return length ? hy_arena_printf(arena, "'%.*s'", length < 200 ? (int)length : 200, text + begin) : "nothing";
}

// Where two texts differ first, as the line of either.
static const char *first_difference(hy_arena *arena, const char *was, const char *now) {
  size_t at = 0;
  while (was[at] && was[at] == now[at]) at++;
  return hy_arena_printf(arena, "what shipped has %s where it has %s", line_at(arena, was, at),
                         line_at(arena, now, at));
}

static void tell_source(const char *what, const char *difference, hy_gate_result *r) {
  if (!difference)
    hy_gate_add(r, 0, "source", what, HY_GATE_PASSED, 0, "it is what shipped");
  else
    hy_gate_add(r, 0, "source", what, HY_GATE_STALE, HY_E_GATE_STALE, "the source is another by now: %s", difference)
        ->help = "ship again";
}

static bool has_hash(const hy_text *text, const char *hash) {
  char is[HY_SHA256_DIGITS + 1];
  hy_sha256(hy_text_string(text), text->length, is);
  return hash && strcmp(is, hash) == 0;
}

static const char *find_difference(const hy_inspected *in, hy_role role, const hy_text *now, hy_gate_result *r) {
  const hy_text *shipped = hy_inspected_bytes(in, role, NULL);
  if (role != HY_ROLE_PROGRAM && !in->manifest.algorithm) return "what shipped was made of a target program by hand";
  return shipped ? first_difference(r->arena, hy_text_string(shipped), hy_text_string(now))
                 : "its canonical text has another hash than what shipped";
}

static void compare_source(const hy_inspected *in, hy_role role, const char *what, const hy_text *now, const char *was,
                           hy_gate_result *r) {
  tell_source(what, has_hash(now, was) ? NULL : find_difference(in, role, now, r), r);
}

void hy_inspect_sources(const hy_inspected *in, const hy_text *algorithm, const hy_text *schedule,
                        hy_gate_result *result) {
  compare_source(in, HY_ROLE_ALGORITHM, "the algorithm", algorithm, in->manifest.algorithm, result);
  compare_source(in, HY_ROLE_SCHEDULE, "the schedule", schedule, in->manifest.directives, result);
}

void hy_inspect_program(const hy_inspected *in, const hy_text *passed, const hy_text *whole, hy_gate_result *result) {
  const hy_manifest *m = &in->manifest;
  bool same = !m->algorithm && (has_hash(passed, m->program) || has_hash(whole, m->program));
  const char *difference = same           ? NULL
                           : m->algorithm ? "what shipped was made of an algorithm"
                                          : find_difference(in, HY_ROLE_PROGRAM, passed, result);
  if (same || strcmp(m->halyard, HALYARD_VERSION) == 0) {
    tell_source("the target program", difference, result);
    return;
  }
  hy_gate_add(result, 0, "other-version", "the target program", HY_GATE_UNDECIDED, HY_E_GATE_STALE,
              "what shipped is what Halyard %s made of its source, and %s makes something else of it", m->halyard,
              HALYARD_VERSION)
      ->help = "use the Halyard that made it, or ship again";
}
