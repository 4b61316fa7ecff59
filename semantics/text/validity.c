/* Static validity of algorithms (paper, section 4.3). Each rule stands above the code that checks it, and is counted
 * both when it holds and when it is broken (".Not").
 */

#include "semantics/text/alg_internal.h"

#include <string.h>

/* -- names -- */

// ALG.Valid.PureNames (definition 4.5): "the names of all pure variables within each func are unique"
bool hy_valid_dims(hy_alg_scope *scope, const hy_written_func *func) {
  bool good = true;
  for (int d = 0; d < func->rank && !func->made_for; d++) { // those of a reduction were looked at where they come from
    const hy_written_name *name = &func->dims[d];
    int first = 0;
    while (strcmp(func->dims[first].text, name->text) != 0) first++;
    hy_context_hit(scope->context, first < d ? HY_RULE_ALG_VALID_PURE_NAMES_NOT : HY_RULE_ALG_VALID_PURE_NAMES);
    if (first < d) {
      hy_report(scope->diagnostics, HY_E_PURE_TWICE, name->loc, "definition 4.5, unique pure variables",
                "give each dimension a name of its own", "'%s' has two pure variables '%s'", func->name.text,
                name->text);
      good = false;
    } else {
      good &= hy_alg_declare(scope, name, "a pure variable", true);
    }
  }
  if (func->rank <= HY_MAX_RANK) return good;
  hy_report(scope->diagnostics, HY_E_RANK, func->dims[HY_MAX_RANK].loc, NULL, "join dimensions, or use several funcs",
            "a func has at most %d dimensions, but '%s' has %d", HY_MAX_RANK, func->name.text, func->rank);
  return false;
}

static bool valid_rdom_name(hy_alg_scope *scope, const hy_written_stage *stage, int index) {
  const hy_written_name *name = &stage->rdoms[index].name;
  int first = 0;
  while (strcmp(stage->rdoms[first].name.text, name->text) != 0) first++;
  // ALG.Valid.RdomNames (definition 4.5): "the names of reduction variables within a single stage are unique"
  if (first < index) {
    hy_report(scope->diagnostics, HY_E_RDOM_TWICE, name->loc, "definition 4.5, unique reduction variables",
              "give each a name of its own", "two reduction variables of this stage are called '%s'", name->text);
    return false;
  }
  // Decision D10: they also differ from everything else in scope.
  const char *taken = hy_alg_name_is(scope, name->text);
  if (!taken) return hy_alg_declare(scope, name, "a reduction variable", true);
  hy_report(scope->diagnostics, HY_E_RDOM_NAME, name->loc,
            "reduction variables are named apart from everything in scope", "choose another name",
            "the reduction variable '%s' has the name of %s", name->text, taken);
  return false;
}

bool hy_valid_rdom_names(hy_alg_scope *scope, const hy_written_stage *stage) {
  bool good = true;
  for (int i = 0; i < stage->rdom_count; i++) {
    bool valid = valid_rdom_name(scope, stage, i);
    hy_context_hit(scope->context, valid ? HY_RULE_ALG_VALID_RDOM_NAMES : HY_RULE_ALG_VALID_RDOM_NAMES_NOT);
    good &= valid;
  }
  return good;
}

/* -- definition 4.3 -- */

static bool stage_mentions(const hy_stage *stage, int rank, const hy_var *var) {
  for (int d = 0; d < rank; d++)
    if (hy_expr_mentions(stage->lhs[d], var)) return true;
  return hy_expr_mentions(stage->rhs, var) || (stage->predicate && hy_expr_mentions(stage->predicate, var));
}

// ALG.Dimension.Pure, ALG.Dimension.Reduction: dimension i is pure in a stage iff the variable x_i occurs in it. In the
// pure stage all are: x_i stands on its left.
uint32_t hy_pure_dimensions(const hy_definition *definition, const hy_stage *stage) {
  uint32_t pure = 0;
  for (int d = 0; d < definition->func->rank; d++)
    if (stage_mentions(stage, definition->func->rank, definition->vars[d])) pure |= UINT32_C(1) << d;
  return pure;
}

/* -- ALG.Valid.SelfReference (definition 4.5): "the first stage of every func may not include a self-reference" -- */

static bool valid_pure_stage(hy_alg_scope *scope, const hy_definition *definition, const hy_stage *stage) {
  for (int i = 0; i < stage->access_count; i++) {
    if (stage->accesses[i].access->func != definition->func) continue;
    const char *name = definition->func->name;
    hy_report(
        scope->diagnostics, HY_E_SELF_REFERENCE, stage->accesses[i].loc,
        "definition 4.5, the first stage may not read its own func",
        "give the first value without it and compute the rest in an update: { 0; rdom(r = (min, len)) in (x) <- ...; }",
        "the pure stage of '%s' reads '%s'", name, name);
    hy_context_hit(scope->context, HY_RULE_ALG_VALID_SELF_REFERENCE_NOT);
    return false;
  }
  hy_context_hit(scope->context, HY_RULE_ALG_VALID_SELF_REFERENCE);
  return true;
}

/* -- ALG.Valid.Separation (definition 4.2, decision D10) -- */

typedef struct {
  hy_alg_scope *scope;
  const hy_definition *definition;
  const hy_stage *stage;
} separation;

static void report_separation(const separation *s, int dim, const hy_expr *found, hy_loc loc, const char *where) {
  const char *x = s->definition->vars[dim]->name, *f = s->definition->func->name;
  hy_text text = {0};
  hy_expr_print(found, &text);
  hy_arena *arena = hy_context_arena(s->scope->context);
  char *help = hy_arena_printf(arena,
                               "write %s there, or read a second func that holds the values of '%s' before the update, "
                               "or use a reduction variable instead of %s throughout the stage",
                               x, f, x);
  hy_report(s->scope->diagnostics, HY_E_SEPARATION, loc, "definition 4.2, syntactic separation", help,
            "'%s' occurs in this stage, so coordinate %d of %s must be '%s' itself, but it is '%.60s%s'", x, dim + 1,
            where, x, hy_text_string(&text), text.length > 60 ? "..." : "");
  hy_text_free(&text);
}

// If x_i occurs anywhere in the stage, coordinate i of the left side and of every access to the func is x_i.
static bool separates(const separation *s, const hy_written_stage *written, int dim) {
  const hy_expr *x = hy_expr_var(s->scope->context, s->definition->vars[dim]);
  char *where = hy_arena_printf(hy_context_arena(s->scope->context), "every access to '%s'", s->definition->func->name);
  if (s->stage->lhs[dim] != x) {
    report_separation(s, dim, s->stage->lhs[dim], hy_syntax_loc(written->lhs[dim]), "its left side");
    return false;
  }
  for (int i = 0; i < s->stage->access_count; i++) {
    const hy_expr *access = s->stage->accesses[i].access;
    if (access->func != s->definition->func || access->args[dim] == x) continue;
    report_separation(s, dim, access->args[dim], s->stage->accesses[i].loc, where);
    return false;
  }
  return true;
}

bool hy_valid_stage(hy_alg_scope *scope, const hy_definition *definition, int j, const hy_written_stage *written) {
  const hy_stage *stage = &definition->stages[j];
  if (j == 0) return valid_pure_stage(scope, definition, stage);
  separation s = {scope, definition, stage};
  bool good = true;
  for (int d = 0; d < definition->func->rank; d++) {
    bool is_pure = stage->pure >> d & 1;
    hy_context_hit(scope->context, is_pure ? HY_RULE_ALG_DIMENSION_PURE : HY_RULE_ALG_DIMENSION_REDUCTION);
    bool valid = !is_pure || separates(&s, written, d);
    hy_context_hit(scope->context, valid ? HY_RULE_ALG_VALID_SEPARATION : HY_RULE_ALG_VALID_SEPARATION_NOT);
    good &= valid;
  }
  return good;
}
