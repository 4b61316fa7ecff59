#include "semantics/expr/context.h"

#include <stdlib.h>
#include <string.h>

struct hy_context {
  hy_arena *arena;
  hy_intern *names, *exprs, *vars, *holes;
  const struct hy_plugins *plugins;
  hy_find_foreign *find;
  hy_find_source *find_source;
  void *sources;
  uint32_t next;
  int solver;
  uint64_t hits[HY_RULE_COUNT];
};

typedef struct {
  const char *text;
  size_t length;
} name_key; // not ended by a NUL, and without one

static bool same_text(const void *name, const void *key) {
  const name_key *k = key;
  return strncmp(name, k->text, k->length) == 0 && ((const char *)name)[k->length] == '\0';
}

hy_context *hy_context_new(void) {
  hy_context *context = hy_allocate_zeroed(1, sizeof *context);
  context->arena = hy_arena_new();
  context->names = hy_intern_new(same_text);
  context->exprs = hy_intern_new(hy_expr_equal_content);
  context->vars = hy_intern_new(hy_var_equal_content);
  context->holes = hy_intern_new(hy_hole_equal_content);
  return context;
}

void hy_context_free(hy_context *context) {
  if (!context) return;
  hy_intern_free(context->names);
  hy_intern_free(context->exprs);
  hy_intern_free(context->vars);
  hy_intern_free(context->holes);
  hy_arena_free(context->arena);
  hy_free(context);
}

hy_arena *hy_context_arena(hy_context *context) { return context->arena; }

// The arena gets a copy of a text that is new, and nothing of one that is known: texts of obligations are asked for again
// and again.
const char *hy_context_name(hy_context *context, const char *text, size_t length) {
  name_key key = {text, strnlen(text, length)};
  uint64_t hash = hy_hash_bytes(1, key.text, key.length);
  const char *known = hy_intern_find(context->names, hash, &key);
  if (known) return known;
  const char *copy = hy_arena_copy(context->arena, key.text, key.length);
  hy_intern_add(context->names, hash, copy);
  return copy;
}

const char *hy_context_name_of(hy_context *context, const char *text) {
  return hy_context_name(context, text, strlen(text));
}

uint32_t hy_context_fresh(hy_context *context) { return ++context->next; }

void hy_context_use_plugins(hy_context *context, const struct hy_plugins *plugins, hy_find_foreign *find) {
  context->plugins = plugins;
  context->find = plugins ? find : NULL;
}
const struct hy_plugins *hy_context_plugins(const hy_context *context) { return context->plugins; }
const struct hy_directive_type *hy_context_foreign(const hy_context *context, const char *name) {
  return context->find ? context->find(context->plugins, name) : NULL;
}

void hy_context_use_sources(hy_context *context, hy_find_source *find, void *self) {
  context->find_source = find;
  context->sources = self;
}
const struct hy_source *hy_context_source(hy_context *context, const struct hy_source *from, const char *path,
                                          const char **why) {
  if (context->find_source) return context->find_source(context->sources, from, path, why);
  *why = "this text is no file, and files are not looked for from it";
  return NULL;
}

void hy_context_set_solver(hy_context *context, int policy) { context->solver = policy; }
int hy_context_solver(const hy_context *context) { return context->solver; }

void hy_context_hit(hy_context *context, hy_rule rule) { context->hits[rule]++; }
uint64_t hy_context_hits(const hy_context *context, hy_rule rule) { return context->hits[rule]; }

const char *hy_rule_id(hy_rule rule) {
  static const char *const ids[] = {
#define HY_RULE(name, id) id,
#include "semantics/rules.def"
#undef HY_RULE
  };
  HY_ASSERT(rule < HY_RULE_COUNT);
  return ids[rule];
}

hy_intern *hy_context_exprs(hy_context *context) { return context->exprs; }
hy_intern *hy_context_vars(hy_context *context) { return context->vars; }
hy_intern *hy_context_holes(hy_context *context) { return context->holes; }
