/* What stands between funcs: named expressions, and what is required of the input. "const N = e;": e is a startup expression (definition 4.4) over parameters, boxes
 * of images and the constants above it. "def h(a, b) = e;": e is an expression over a and b and whatever is in scope
 * above. The name stands for e in what follows.
 *
 * A value is read once where it is declared, so that its errors are told there, and again at each use: that of a
 * constant by elaborate_named.c, that of a helper, written out before, wherever it stands (alg_helpers.c).
 */

#include "semantics/text/alg_internal.h"

const hy_named *hy_alg_scope_named(const hy_alg_scope *scope, const char *name) {
  for (int i = 0; i < scope->named_count; i++)
    if (scope->named[i].name == name) return &scope->named[i];
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

static const hy_named *constant_of(void *self, const hy_syntax *name) {
  const hy_named *named = hy_alg_scope_named(self, name->text);
  return named && !named->is_helper ? named : NULL;
}

static bool unknown(void *self, const hy_syntax *name) {
  const hy_alg_scope *scope = self;
  if (name->kind != HY_SYNTAX_NAME && hy_signature_unknown(scope->alg, name, scope->context, scope->diagnostics))
    return true;
  const char *taken = name->kind == HY_SYNTAX_NAME ? hy_alg_name_is(scope, name->text) : NULL;
  const char *quote = hy_syntax_quote(scope->context, name);
  hy_report(scope->diagnostics, HY_E_NOT_STARTUP, name->loc, "definition 4.4, startup expressions",
            "use parameters, image boxes (in.min(0), in.width()) and the constants above",
            taken ? "'%s' is %s, whose values are not known at startup"
                  : "'%s' is neither a parameter, nor the box of an image, nor a constant above",
            quote, taken);
  return true;
}

/* -- what is required -- */

// ALG.Valid.Require: a bool over what is known at startup. Helpers may make it, of such arguments.
const hy_requirement *hy_make_requirements(hy_alg_scope *scope, int *count) {
  const hy_written_pipeline *written = scope->written;
  hy_scope names = {
      .self = scope, .var = var_of, .func = no_func, .box = box_of, .named = hy_named_of, .unknown = unknown};
  hy_requirement *list = HY_NEW_ARRAY(hy_context_arena(scope->context), hy_requirement, written->requirement_count);
  int all = scope->named_count;
  const hy_type type = HY_BOOL;
  *count = 0;
  for (int i = 0; i < written->requirement_count; i++) {
    const hy_written_requirement *r = &written->requirements[i];
    scope->named_count = r->named_before;
    const hy_expr *condition = hy_elaborate(scope->context, &names, r->condition, &type, scope->diagnostics);
    hy_context_hit(scope->context, condition ? HY_RULE_ALG_VALID_REQUIRE : HY_RULE_ALG_VALID_REQUIRE_NOT);
    if (condition) list[(*count)++] = (hy_requirement){condition, r->loc};
  }
  scope->named_count = all;
  return list;
}

/* -- declaring -- */

// Reports what is wrong with the value wherever it stands; what a use gives it a type for stays open.
static bool check_value(hy_alg_scope *scope, const hy_written_named *written) {
  hy_scope in_constant = {
      .self = scope, .var = var_of, .func = no_func, .box = box_of, .named = constant_of, .unknown = unknown};
  hy_scope names = written->is_helper ? hy_alg_scope_of(scope) : in_constant;
  hy_elaboration *elaboration = hy_elaboration_new(scope->context, &names, scope->diagnostics);
  if (written->is_helper) hy_elaboration_open(elaboration);
  for (int i = 0; i < written->param_count; i++)
    hy_elaboration_bind(elaboration, written->params[i].text, written->value, written->takes_func[i]);
  (written->is_helper ? hy_elaboration_read_open : hy_elaboration_read)(elaboration, written->value);
  bool good = hy_elaboration_check(elaboration);
  hy_elaboration_free(elaboration);
  return good;
}

static bool declare_params(hy_alg_scope *scope, const hy_written_named *written) {
  bool good = true;
  for (int i = 0; i < written->param_count; i++) {
    const hy_written_name *name = &written->params[i];
    int first = 0;
    while (written->params[first].text != name->text) first++;
    if (first < i)
      hy_report(scope->diagnostics, HY_E_SHADOWED, name->loc, NULL, "give each argument a name of its own",
                "'%s' has two arguments '%s'", written->name.text, name->text);
    good &= first == i && hy_alg_declare_argument(scope, name);
  }
  return good;
}

static void declare(hy_alg_scope *scope, const hy_written_named *written) {
  bool good = hy_alg_declare(scope, &written->name, written->is_helper ? "a helper" : "a constant", false);
  scope->declaring = written;
  good &= declare_params(scope, written);
  good = good && check_value(scope, written);
  scope->declaring = NULL;
  const char **params = HY_NEW_ARRAY(hy_context_arena(scope->context), const char *, written->param_count);
  for (int i = 0; i < written->param_count; i++) params[i] = written->params[i].text;
  scope->named[scope->named_count++] = (hy_named){.name = written->name.text,
                                                  .is_helper = written->is_helper,
                                                  .params = params,
                                                  .takes_func = written->takes_func,
                                                  .param_count = written->param_count,
                                                  .value = written->value,
                                                  .is_broken = !good};
}

void hy_declare_named(hy_alg_scope *scope, int position) {
  const hy_written_pipeline *written = scope->written;
  scope->rank = 0;
  scope->rdoms.count = 0;
  while (scope->named_count < written->named_count && written->named[scope->named_count].before <= position)
    declare(scope, &written->named[scope->named_count]);
}
