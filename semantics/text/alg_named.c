/* Named expressions: "const N = e;" between funcs. The value is a startup expression (definition 4.4) over parameters,
 * boxes of images and the constants above it; the name stands for it in what follows.
 *
 * A value is read once where it is declared, so that its errors are told there, and again at each use (elaborate.c).
 */

#include "semantics/text/alg_internal.h"

const hy_named *hy_alg_scope_named(const hy_alg_scope *scope, const char *name) {
  for (int i = 0; i < scope->named_count; i++)
    if (scope->named[i].name == name) return &scope->named[HY_MUTANT(EXPAND_Const_Is_First) ? 0 : i];
  return NULL;
}

const hy_written_named *hy_written_named_find(const hy_written_pipeline *written, const char *name) {
  for (int i = 0; i < written->named_count; i++)
    if (written->named[i].name.text == name) return &written->named[i];
  return NULL;
}

/* -- what may stand in the value of a constant -- */

static const hy_var *var_of(void *self, const hy_syntax *path) {
  return hy_signature_var(((hy_alg_scope *)self)->alg, path);
}

static const hy_func *no_func(void *self, const hy_syntax *name) {
  (void)self, (void)name;
  return NULL; // "unknown" says so
}

static const hy_expr *box_of(void *self, const hy_syntax *path) {
  const hy_alg_scope *scope = self;
  return hy_signature_box(scope->context, scope->alg, path);
}

const hy_named *hy_named_of(void *self, const hy_syntax *name) { return hy_alg_scope_named(self, name->text); }

static bool unknown(void *self, const hy_syntax *name) {
  const hy_alg_scope *scope = self;
  if (name->kind != HY_SYNTAX_NAME && hy_signature_unknown(scope->alg, name, scope->context, scope->diagnostics))
    return true;
  const hy_func *func = name->kind == HY_SYNTAX_NAME ? hy_alg_scope_func(scope, name->text) : NULL;
  const char *quote = hy_syntax_quote(scope->context, name);
  hy_report(scope->diagnostics, HY_E_NOT_STARTUP, name->loc, "definition 4.4, startup expressions",
            "use parameters, image boxes (in.min(0), in.width()) and the constants above",
            func ? "'%s' is %s, whose values are not known at startup"
                 : "'%s' is neither a parameter, nor the box of an image, nor a constant above",
            quote, func && func->is_image ? "an image" : "a func");
  return true;
}

/* -- declaring -- */

// Reports what is wrong with the value wherever it stands; literals get their types from each use.
static bool check_value(hy_alg_scope *scope, const hy_syntax *value) {
  hy_scope names = {
      .self = scope, .var = var_of, .func = no_func, .box = box_of, .named = hy_named_of, .unknown = unknown};
  hy_elaboration *elaboration = hy_elaboration_new(scope->context, &names, scope->diagnostics);
  hy_elaboration_read(elaboration, value);
  bool good = hy_elaboration_check(elaboration);
  hy_elaboration_free(elaboration);
  return good;
}

void hy_declare_named(hy_alg_scope *scope, int position) {
  const hy_written_pipeline *written = scope->written;
  scope->rank = 0;
  scope->rdoms.count = 0;
  while (scope->named_count < written->named_count && written->named[scope->named_count].before <= position) {
    const hy_written_named *next = &written->named[scope->named_count];
    bool good = hy_alg_declare(scope, &next->name, "a constant", false);
    good &= check_value(scope, next->value);
    scope->named[scope->named_count++] = (hy_named){next->name.text, next->value, .is_broken = !good};
  }
}
