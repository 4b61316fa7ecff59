// What a shipment is known by: everything that decides its bytes.

#include "codegen/codegen.h"
#include "gate/cache/cache.h"
#include "gate/ship/tools.h"

#include <string.h>

// A word and a text, whose end nothing in the text can forge.
static void add(hy_text *all, const char *word, const char *text) {
  hy_text_printf(all, "%s %zu %s\n", word, strlen(text), text);
}

static bool add_program(hy_text *all) {
  char self[HY_SHA256_DIGITS + 1], runtime[HY_SHA256_DIGITS + 1];
  hy_text linker = {0};
  if (!hy_tools_hash_self(self) || !hy_tools_hash_runtime(runtime)) return false;
  hy_tools_linker_version(&linker);
  add(all, "halyard", self);
  add(all, "runtime", runtime);
  add(all, "linker", hy_text_string(&linker));
  add(all, "llvm", hy_codegen_llvm_version());
  hy_text_free(&linker);
  return true;
}

static void add_judges(hy_text *all, const hy_ship_judges *judges) {
  add(all, "z3", judges->z3);
  hy_text_printf(all, "z3 steps %u\n", judges->z3_limit);
  for (size_t i = 0; i < judges->plugin_count; i++) {
    add(all, "plugin", judges->plugins[i].name);
    add(all, "plugin's bytes", judges->plugins[i].sha256);
  }
}

static void add_wishes(hy_text *all, const hy_cache_question *q) {
  const hy_ship_wishes *w = q->wishes;
  add(all, "name", w->name);
  for (size_t i = 0; i < w->target_count; i++) {
    const hy_target *t = w->targets[i];
    add(all, "target", t->name);
    add(all, "triple", t->triple);
    add(all, "cpu", t->cpu);
    add(all, "features", t->features);
  }
  hy_text_printf(all, "unproved %d, deferred %d\n", w->is_unproved_fine, q->defers);
  add_judges(all, &w->judges);
}

bool hy_cache_open(hy_cache *cache, const hy_cache_question *q) {
  hy_text all = {0};
  hy_text_add(&all, "halyard-cache 2\n");
  bool good = add_program(&all);
  add(&all, "algorithm", q->algorithm);
  add(&all, "schedule", q->directives);
  add(&all, "called", q->schedule);
  add_wishes(&all, q);
  hy_sha256(all.data, all.length, cache->key);
  cache->question = q;
  hy_text_free(&all);
  return good;
}

const char *hy_cache_path(const hy_cache *cache, hy_arena *arena) {
  return hy_arena_printf(arena, "%s/%.2s/%s", cache->folder, cache->key, cache->key);
}
