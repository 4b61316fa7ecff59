#ifndef HY_CONTEXT_H
#define HY_CONTEXT_H

/* What everything hangs off: an arena, the tables behind hash-consing, fresh ids, rule counters.
 *
 * One context per thread; nothing in it is shared or locked, and there is no global mutable state besides it.
 * Expressions, names, symbols and programs live exactly as long as the context they were made in.
 */

#include "semantics/base/arena.h"
#include "semantics/base/intern.h"

typedef enum hy_rule {
#define HY_RULE(name, id) HY_RULE_##name,
#include "semantics/rules.def"
#undef HY_RULE
  HY_RULE_COUNT
} hy_rule;

typedef struct hy_context hy_context;

HY_GIVE hy_context *hy_context_new(void);
void hy_context_free(HY_TAKE hy_context *context);

hy_arena *hy_context_arena(hy_context *context);
// Equal names are one pointer.
const char *hy_context_name(hy_context *context, const char *text, size_t length);
const char *hy_context_name_of(hy_context *context, const char *text);
uint32_t hy_context_fresh(hy_context *context); // 1, 2, 3, ...

// Directives from outside the tree that schedules of this context may use (plugin/plugin.h), and the record of the one
// of a name; NULL = none. Borrowed.
struct hy_plugins;
struct hy_directive_type;
typedef const struct hy_directive_type *hy_find_foreign(const struct hy_plugins *plugins, const char *name);
void hy_context_use_plugins(hy_context *context, const struct hy_plugins *plugins, hy_find_foreign *find);
const struct hy_plugins *hy_context_plugins(const hy_context *context);
const struct hy_directive_type *hy_context_foreign(const hy_context *context, const char *name);

// Where a text that another one includes is found, by the path that is written there; the same pointer for the same file.
// NULL, and *why says why not. Borrowed; it lives as long as the context.
struct hy_source;
typedef const struct hy_source *hy_find_source(void *self, const struct hy_source *from, const char *path,
                                               const char **why);
void hy_context_use_sources(hy_context *context, hy_find_source *find, void *self); // none: nothing can be included
const struct hy_source *hy_context_source(hy_context *context, const struct hy_source *from, const char *path,
                                          const char **why);

// How questions that the prover leaves over may be put to another one (oracle/z3/z3_check.h says what the numbers
// mean).
void hy_context_set_solver(hy_context *context, int policy);
int hy_context_solver(const hy_context *context);

// Rule counters (target R1).
void hy_context_hit(hy_context *context, hy_rule rule);
uint64_t hy_context_hits(const hy_context *context, hy_rule rule);
const char *hy_rule_id(hy_rule rule);

// For expr.c and tgt.c only: the tables of hash-consed nodes.
hy_intern *hy_context_exprs(hy_context *context);
hy_intern *hy_context_vars(hy_context *context);
hy_intern *hy_context_holes(hy_context *context);
hy_intern_equal hy_expr_equal_content, hy_var_equal_content, hy_hole_equal_content;

#endif
