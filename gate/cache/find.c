// A shipment found again, and judged like anybody's.

#include "gate/cache/cache.h"
#include "gate/manifest/files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PAPER = 1 << 24 };

typedef struct {
  hy_context *context;
  const hy_cache *cache;
  const char *path;
  hy_inspected in;
  hy_gate_result result;
} walk;

/* -- is it what is asked for? -- */

static bool has_hash(const char *hash, const char *text) {
  char is[HY_SHA256_DIGITS + 1];
  if (!hash) return false;
  hy_sha256(text, strlen(text), is);
  return strcmp(is, hash) == 0;
}

// The same processor, and what 'ship' makes for it here: level 0 knows which files there may be, not which this machine
// links.
static bool has_target(const walk *w, const hy_shipped_target *was, const hy_target *t) {
  const hy_manifest *m = &w->in.manifest;
  bool is_linked = hy_manifest_find(m, HY_ROLE_ARCHIVE, t->name) && hy_manifest_find(m, HY_ROLE_SHARED, t->name);
  return hy_ship_is_target(was, t) && (is_linked || !hy_ship_links(t));
}

// The identity names these texts; which target program and which objects belong to them is what it says, and what
// levels 0 and 1 hold against each other.
static bool is_asked_for(const walk *w) {
  const hy_cache_question *q = w->cache->question;
  const hy_ship_wishes *wishes = q->wishes;
  const hy_manifest *m = &w->in.manifest;
  bool good = has_hash(m->algorithm, q->algorithm) && has_hash(m->directives, q->directives) &&
              strcmp(m->schedule, q->schedule) == 0 && strcmp(m->name, wishes->name) == 0 &&
              m->targets.count == wishes->target_count && (m->proved || wishes->is_unproved_fine) &&
              (m->run_time_checks == 0 || q->defers);
  for (size_t i = 0; good && i < wishes->target_count; i++)
    good = has_target(w, &m->targets.data[i], wishes->targets[i]);
  return good;
}

static bool may_be_open(const walk *w) {
  const hy_cache_question *q = w->cache->question;
  return q->wishes->is_unproved_fine || (q->defers && w->in.manifest.run_time_checks > 0);
}

// The first check that did not pass; NULL: all did. Obligations without a proof may be there where that was asked for,
// or where every run checks them.
static const hy_gate_check *complaint(const walk *w) {
  for (size_t i = 0; i < w->result.checks.count; i++) {
    const hy_gate_check *c = &w->result.checks.data[i];
    bool is_open = c->verdict == HY_GATE_UNDECIDED && strcmp(c->name, "open") == 0;
    if (c->verdict != HY_GATE_PASSED && !(is_open && may_be_open(w))) return c;
  }
  return NULL;
}

/* -- taken -- */

static bool take_file(const walk *w, hy_shipment *out, const char *name, const char **why) {
  hy_text bytes = {0};
  bool good = hy_gate_read(w->path, name, MOST_PAPER, &bytes, why);
  hy_vec_push(&out->files, ((hy_ship_file){name, bytes}));
  return good;
}

// The bytes that were judged, not read again; the manifest and the sums behind them, as hy_ship_make has them.
static bool take(walk *w, hy_shipment *out, const char **why) {
  const hy_manifest *m = &w->in.manifest;
  for (size_t i = 0; i < m->artefacts.count; i++) {
    hy_vec_push(&out->files, ((hy_ship_file){m->artefacts.data[i].path, w->in.files.data[i]}));
    w->in.files.data[i] = (hy_text){0};
  }
  out->manifest_name = w->in.manifest_name;
  bool good = take_file(w, out, w->in.manifest_name, why);
  hy_vec_push(&out->files, ((hy_ship_file){HY_SUMS_NAME, w->in.sums}));
  w->in.sums = (hy_text){0};
  out->manifest = *m;
  w->in.manifest = (hy_manifest){.name = NULL};
  return good;
}

static hy_cache_answer look(walk *w, hy_shipment *out, const char **why) {
  hy_inspect_identity(w->path, &w->in, &w->result);
  if (w->in.is_read && !is_asked_for(w)) return *why = "it was made of something else", HY_CACHE_DAMAGED;
  if (w->in.is_read) hy_inspect_proof(w->context, &w->in, NULL, &w->result);
  const hy_gate_check *bad = complaint(w);
  if (bad) {
    *why = hy_arena_printf(w->result.arena, "%s: %s", bad->file ? bad->file : "the folder", bad->story);
    return HY_CACHE_DAMAGED;
  }
  return take(w, out, why) ? HY_CACHE_FOUND : HY_CACHE_DAMAGED;
}

hy_cache_answer hy_cache_find(hy_context *context, hy_cache *cache, hy_shipment *out, const char **why) {
  hy_arena *arena = hy_context_arena(context);
  walk w = {.context = context, .cache = cache, .path = hy_cache_path(cache, arena), .result = {.arena = arena}};
  struct stat about;
  *out = (hy_shipment){.manifest_name = NULL};
  if (lstat(w.path, &about) != 0) return HY_CACHE_NOT_FOUND;
  *why = "it is no folder";
  hy_cache_answer answer = S_ISDIR(about.st_mode) ? look(&w, out, why) : HY_CACHE_DAMAGED;
  // Somebody else may have taken it away meanwhile: then it is not there, and not damaged.
  if (answer == HY_CACHE_DAMAGED && lstat(w.path, &about) != 0) answer = HY_CACHE_NOT_FOUND;
  cache->is_damaged = answer == HY_CACHE_DAMAGED;
  if (answer == HY_CACHE_FOUND) utimensat(AT_FDCWD, w.path, NULL, 0); // it was used: keep.c takes the oldest away
  hy_gate_result_free(&w.result);
  hy_inspected_free(&w.in);
  return answer;
}
