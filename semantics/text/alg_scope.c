/* The names of an algorithm: parameters, images, funcs in the order of definition, pure and reduction variables. */

#include "semantics/alg/expand/expand.h"
#include "semantics/text/alg_internal.h"

#include <string.h>

typedef HY_VEC(const char *) name_list;

static const char shadow_rule[] = "a name in scope may not be shadowed";

/* -- the signature, for all three languages; names of one context are equal iff their pointers are -- */

const hy_func *hy_signature_image(const hy_alg *alg, const char *name) {
  for (int i = 0; i < alg->image_count; i++)
    if (alg->images[i]->name == name) return alg->images[i];
  return NULL;
}

static const hy_var *find_param(const hy_alg *alg, const char *name) {
  for (int i = 0; i < alg->param_count; i++)
    if (alg->params[i]->name == name) return alg->params[i];
  return NULL;
}

// The numbers of a box, by their names.
typedef struct {
  const char *name;
  hy_box_number number;
  int dim; // -1: written in parentheses
} box_member;

static const box_member *find_box_member(const char *name) {
  static const box_member rows[] = {
#define HY_BOX_MEMBER(spelling, number, dim) {spelling, HY_BOX_##number, dim},
#include "semantics/alg/expand/expansions.def"
#undef HY_BOX_MEMBER
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (strcmp(name, rows[i].name) == 0) return &rows[i];
  return NULL;
}

// "in" of "in.min" or "in.min(0)"; NULL if it is not such a path.
static const hy_syntax *object_of(const hy_syntax *path) {
  if (path->kind == HY_SYNTAX_CALL) path = path->args[0];
  if (path->kind != HY_SYNTAX_MEMBER || path->args[0]->kind != HY_SYNTAX_NAME) return NULL;
  return path->args[0];
}

// Of something with a box, which has so many dimensions: the number, and the dimension. False if it is none.
static bool is_box_number(const hy_syntax *call, int rank, hy_box_number *number, int *dim) {
  const box_member *member = find_box_member(call->args[0]->text);
  if (!member || call->count != (member->dim < 0 ? 2 : 1)) return false;
  uint64_t d = (uint64_t)member->dim;
  if (member->dim < 0) {
    const hy_syntax *written = call->args[1];
    if (written->kind != HY_SYNTAX_INTEGER || written->is_negative || written->in_parentheses) return false;
    d = strtoull(written->text, NULL, 0);
  }
  if (d >= (uint64_t)rank) return false;
  *number = member->number;
  *dim = (int)d;
  return true;
}

// "in.min(0)", "in.width()": the image, the number, and the dimension; NULL if it is none.
static const hy_func *find_box_number(const hy_alg *alg, const hy_syntax *call, hy_box_number *number, int *dim) {
  const hy_syntax *object = object_of(call);
  const hy_func *image = object ? hy_signature_image(alg, object->text) : NULL;
  return image && is_box_number(call, image->rank, number, dim) ? image : NULL;
}

// in.min(0), in.len(0): the numbers that are variables of the core, under their own names
static const hy_var *find_box_var(const hy_alg *alg, const hy_syntax *call) {
  hy_box_number number = HY_BOX_MAX;
  int dim = 0;
  const hy_func *image = find_box_number(alg, call, &number, &dim);
  if (!image || strcmp(call->args[0]->text, number == HY_BOX_MIN ? "min" : "len") != 0) return NULL;
  return (number == HY_BOX_MIN ? image->min : image->len)[dim];
}

// ALG.Expand.Box-Names: in.extent(d), in.width(), ... are numbers of the box
const hy_expr *hy_signature_box(hy_context *context, const hy_alg *alg, const hy_syntax *path) {
  hy_box_number number;
  int dim;
  const hy_func *image = path->kind == HY_SYNTAX_CALL ? find_box_number(alg, path, &number, &dim) : NULL;
  if (!image) return NULL;
  hy_context_hit(context, HY_RULE_ALG_EXPAND_BOX_NAMES);
  return hy_expand_box(context, number, image, dim);
}

// The variable of a window that is written as target programs have it: x.len, or o.x.len of one of several outputs.
static const hy_expr *find_window_var(hy_context *context, const hy_alg *alg, const hy_syntax *path) {
  if (path->kind != HY_SYNTAX_MEMBER) return NULL;
  const char *written = hy_syntax_quote(context, path);
  for (int i = 0; i < 2 * alg->window_rank; i++) {
    const hy_var *var = (i % 2 ? alg->window_len : alg->window_min)[i / 2];
    hy_text name = {0};
    hy_var_print(var, &name);
    bool same = strcmp(hy_text_string(&name), written) == 0;
    hy_text_free(&name);
    if (same) return hy_expr_var(context, var);
  }
  return NULL;
}

const hy_expr *hy_signature_window(hy_context *context, const hy_alg *alg, const hy_syntax *path) {
  const hy_syntax *object = path->kind == HY_SYNTAX_CALL ? object_of(path) : NULL;
  hy_box_number number;
  int dim;
  if (!object) return find_window_var(context, alg, path);
  for (int i = 0; i < alg->output_count; i++) {
    const hy_output *o = &alg->outputs[i];
    if (o->func->name != object->text || !is_box_number(path, o->func->rank, &number, &dim)) continue;
    hy_func box = *o->func;
    box.min = alg->window_min + o->first;
    box.len = alg->window_len + o->first;
    return hy_expand_box(context, number, &box, dim);
  }
  return NULL;
}

const hy_var *hy_signature_var(const hy_alg *alg, const hy_syntax *path) {
  if (path->kind == HY_SYNTAX_NAME) return find_param(alg, path->text);
  return path->kind == HY_SYNTAX_CALL ? find_box_var(alg, path) : NULL;
}

// in.dim(0).extent(): the image, with the name of the side and the dimension; NULL if it is none
static const hy_func *find_dim(const hy_alg *alg, const hy_syntax *path, const char **side, const hy_syntax **dim) {
  if (path->kind != HY_SYNTAX_CALL || path->args[0]->kind != HY_SYNTAX_MEMBER) return NULL;
  const hy_syntax *inner = path->args[0]->args[0];
  const hy_syntax *object = inner->kind == HY_SYNTAX_CALL && inner->count == 2 ? object_of(inner) : NULL;
  if (!object || strcmp(inner->args[0]->text, "dim") != 0) return NULL;
  *side = path->args[0]->text;
  *dim = inner->args[1];
  return hy_signature_image(alg, object->text);
}

static const char *help_of_stride(hy_context *context, const hy_func *image) {
  return hy_arena_printf(hy_context_arena(context),
                         "how an image lies in memory is no value; a schedule says it: %s.set_stride(0, 3) makes code "
                         "for what lies so, beside that for others, %s.require_stride(0, 3) refuses others",
                         image->name, image->name);
}

// Halide's in.dim(0).extent() is in.len(0) here.
static bool told_dim(const hy_alg *alg, const hy_syntax *path, hy_context *context, hy_diagnostics *diagnostics) {
  const char *side;
  const hy_syntax *dim;
  const hy_func *image = find_dim(alg, path, &side, &dim);
  const box_member *member = image ? find_box_member(side) : NULL;
  if (!image) return false;
  const char *help = hy_arena_printf(hy_context_arena(context), "its box is %s.min(d), %s.max(d) and %s.len(d)",
                                     image->name, image->name, image->name);
  if (member && member->dim < 0)
    help = hy_arena_printf(hy_context_arena(context), "write %s.%s(%s)", image->name,
                           member->number == HY_BOX_LEN ? "len" : side, hy_syntax_quote(context, dim));
  else if (strcmp(side, "stride") == 0)
    help = help_of_stride(context, image);
  hy_report(diagnostics, HY_E_UNKNOWN_MEMBER, path->loc, NULL, help, "'%s' is how Halide says it",
            hy_syntax_quote(context, path));
  return true;
}

bool hy_signature_unknown(const hy_alg *alg, const hy_syntax *path, hy_context *context, hy_diagnostics *diagnostics) {
  if (told_dim(alg, path, context, diagnostics)) return true;
  const hy_syntax *object = object_of(path);
  const hy_func *image = object ? hy_signature_image(alg, object->text) : NULL;
  if (!image) return false;
  hy_arena *arena = hy_context_arena(context);
  const hy_syntax *member = path->kind == HY_SYNTAX_CALL ? path->args[0] : path;
  const char *help =
      image->rank
          ? hy_arena_printf(arena, "its box is %s.min(d), %s.max(d) and %s.len(d), with d a literal from 0 to %d",
                            image->name, image->name, image->name, image->rank - 1)
          : hy_arena_printf(arena, "an image without dimensions has no box");
  const box_member *found = find_box_member(member->text);
  if (found && member == path && found->dim >= 0 && found->dim < image->rank)
    help = hy_arena_printf(arena, "write %s.%s()", image->name, member->text);
  if (strcmp(member->text, "stride") == 0) help = help_of_stride(context, image);
  if (found)
    hy_report(diagnostics, HY_E_UNKNOWN_MEMBER, path->loc, NULL, help, "'%s' names no side of the image '%s'",
              hy_syntax_quote(context, path), image->name);
  else
    hy_report(diagnostics, HY_E_UNKNOWN_MEMBER, member->place, NULL, help, "an image has no '%s'", member->text);
  return true;
}

/* -- finding -- */

static const hy_var *find_pure(const hy_alg_scope *scope, const char *name) {
  for (int d = 0; d < scope->rank; d++)
    if (scope->pure[d]->name == name) return scope->pure[d];
  return NULL;
}

static const hy_var *find_rdom(const hy_alg_scope *scope, const char *name) {
  for (size_t i = 0; i < scope->rdoms.count; i++)
    if (scope->rdoms.data[i]->name == name) return scope->rdoms.data[i];
  return NULL;
}

// Names are unique pointers.
static bool same_name(const void *a, const void *b) { return ((const hy_func *)a)->name == ((const hy_func *)b)->name; }

static uint64_t name_hash(const char *name) { return hy_hash(1, (uint64_t)(uintptr_t)name); }

void hy_alg_scope_open(hy_alg_scope *scope) { scope->by_name = hy_intern_new(same_name); }

void hy_alg_scope_close(hy_alg_scope *scope) {
  hy_intern_free(scope->by_name);
  hy_vec_free(&scope->funcs);
  hy_vec_free(&scope->broken);
  hy_vec_free(&scope->rdoms);
}

void hy_alg_scope_add(hy_alg_scope *scope, const hy_func *func) {
  hy_vec_push(&scope->funcs, func);
  hy_intern_add(scope->by_name, name_hash(func->name), func);
}

const hy_func *hy_alg_scope_func(const hy_alg_scope *scope, const char *name) {
  const hy_func *func = hy_intern_find(scope->by_name, name_hash(name), &(hy_func){.name = name});
  return func ? func : hy_signature_image(scope->alg, name);
}

// Definition 4.5: "the bounds of all rdoms are startup expressions" (ALG.Valid.RdomStartup).
static void check_bounds(hy_alg_scope *scope, const hy_syntax *name, const char *what) {
  if (!scope->in_bounds) return;
  hy_report(
      scope->diagnostics, HY_E_RDOM_BOUNDS, name->loc, "definition 4.5, rdom bounds are startup expressions",
      "use parameters, constants and image boxes (in.min(0), in.len(0)) only; a condition on what is computed goes "
      "into the update's predicate: ... <- e if p",
      "the bounds of an rdom must be known at startup, but '%s' is %s", hy_syntax_quote(scope->context, name), what);
  hy_context_hit(scope->context, HY_RULE_ALG_VALID_RDOM_STARTUP_NOT);
}

static const hy_var *var_of(void *self, const hy_syntax *path) {
  hy_alg_scope *scope = self;
  if (path->kind == HY_SYNTAX_NAME) {
    const hy_var *pure = find_pure(scope, path->text), *rdom = find_rdom(scope, path->text);
    if (pure) check_bounds(scope, path, "a pure variable");
    if (rdom) check_bounds(scope, path, "a reduction variable");
    if (pure || rdom) return pure ? pure : rdom;
  }
  return hy_signature_var(scope->alg, path);
}

static const char *nearest(const hy_alg_scope *scope, const char *name);

static const hy_expr *box_of(void *self, const hy_syntax *path) {
  const hy_alg_scope *scope = self;
  return hy_signature_box(scope->context, scope->alg, path);
}

// ALG.Valid.Defined: define before use
static const hy_func *func_of(void *self, const hy_syntax *name) {
  hy_alg_scope *scope = self;
  const hy_func *func = hy_alg_scope_func(scope, name->text);
  if (func) hy_context_hit(scope->context, HY_RULE_ALG_VALID_DEFINED);
  if (func) check_bounds(scope, name, func->is_image ? "an image" : "a func");
  return func;
}

static bool is_broken(void *self, const hy_func *func) {
  const hy_alg_scope *scope = self;
  for (size_t i = 0; i < scope->broken.count; i++)
    if (scope->broken.data[i] == func) return true;
  return false;
}

/* -- what is said about unknown names -- */

static const hy_written_name *find_later(const hy_alg_scope *scope, const char *name) {
  const hy_written_named *named = hy_written_named_find(scope->written, name);
  if (named) return &named->name;
  for (int i = 0; i < scope->written->func_count; i++)
    if (strcmp(scope->written->funcs[i].name.text, name) == 0) return &scope->written->funcs[i].name;
  return NULL;
}

// Forms of Halide, with what to write instead.
static const char *form_of_halide(const char *name) {
  static const struct {
    const char *name, *help;
  } table[] = {
      {"tuple", "several values are written (a, b), and read f(x)[0]"},
      {"Tuple", "several values are written (a, b), and read f(x)[0]"},
  };
  for (size_t i = 0; i < HY_COUNT(table); i++)
    if (strcmp(name, table[i].name) == 0) return table[i].help;
  return NULL;
}

// The func of an inline reduction, which nobody wrote.
static bool is_made(const hy_alg_scope *scope, const hy_func *func) {
  for (int i = 0; i < scope->written->func_count; i++)
    if (scope->written->funcs[i].made_for && strcmp(scope->written->funcs[i].name.text, func->name) == 0) return true;
  return false;
}

static void add_names_in_scope(const hy_alg_scope *scope, name_list *list) {
  for (int d = 0; d < scope->rank; d++) hy_vec_push(list, scope->pure[d]->name);
  for (size_t i = 0; i < scope->rdoms.count; i++) hy_vec_push(list, scope->rdoms.data[i]->name);
  for (int i = 0; i < scope->alg->param_count; i++) hy_vec_push(list, scope->alg->params[i]->name);
  for (int i = 0; i < scope->alg->image_count; i++) hy_vec_push(list, scope->alg->images[i]->name);
  for (size_t i = 0; i < scope->funcs.count; i++)
    if (scope->funcs.data[i] != scope->unreadable && !is_made(scope, scope->funcs.data[i]))
      hy_vec_push(list, scope->funcs.data[i]->name);
  for (int i = 0; i < scope->named_count; i++) hy_vec_push(list, scope->named[i].name);
  for (int i = 0; scope->declaring && i < scope->declaring->param_count; i++)
    hy_vec_push(list, scope->declaring->params[i].text);
}

static const char *nearest(const hy_alg_scope *scope, const char *name) {
  static const char *const words[] = {
#define HY_OP(name, spelling, arity, typing, precedence, ...) precedence == 0 ? spelling : "",
#include "semantics/ops.def"
#undef HY_OP
      "clamp",
      "mux",
#define HY_BOUNDARY(name, spelling, ...) spelling,
#include "semantics/alg/expand/expansions.def"
#undef HY_BOUNDARY
#define HY_DERIVED(name, spelling, ...) spelling,
#include "semantics/alg/expand/expansions.def"
#undef HY_DERIVED
  };
  name_list list = {0};
  add_names_in_scope(scope, &list);
  const char *found = hy_nearest_name(name, list.data, list.count);
  hy_vec_free(&list);
  return found ? found : hy_nearest_name(name, words, HY_COUNT(words));
}

static const char *names_in_scope(const hy_alg_scope *scope, const char *name) {
  name_list list = {0};
  hy_text text = {0};
  add_names_in_scope(scope, &list);
  for (size_t i = 0; i < list.count && i < 12; i++)
    hy_text_printf(&text, "%s%s", i ? ", " : "in scope are ", list.data[i]);
  if (list.count > 12) hy_text_add(&text, ", ...");
  if (list.count && scope->rdoms.count)
    hy_text_printf(&text, "; a reduction variable is one of its rdom: rdom(.., %s = (min, len))", name);
  const char *help = list.count ? hy_arena_printf(hy_context_arena(scope->context), "%s", hy_text_string(&text)) : NULL;
  hy_text_free(&text);
  hy_vec_free(&list);
  return help;
}

// g[0, 1] of g_0_1; NULL: that is not how the text has it.
static const char *written_member(const hy_alg_scope *scope, const char *family, const char *member) {
  size_t length = strlen(family);
  const char *numbers = member + length + 1;
  if (strncmp(member, family, length) != 0 || member[length] != '_') return NULL;
  if (!*numbers || strspn(numbers, "0123456789_") != strlen(numbers)) return NULL;
  hy_text text = {0};
  hy_text_printf(&text, "%s[", family);
  for (; *numbers; numbers++) hy_text_printf(&text, *numbers == '_' ? ", " : "%c", *numbers);
  const char *written = hy_arena_printf(hy_context_arena(scope->context), "%s]", hy_text_string(&text));
  hy_text_free(&text);
  return written;
}

// The first and the last member, in the order of the text; of a family that was met there is one.
static const char *members_of(const hy_alg_scope *scope, const char *family) {
  const char *first = NULL, *last = NULL;
  for (int i = 0; i < scope->written->func_count; i++) {
    const hy_written_func *func = &scope->written->funcs[i];
    if (func->family != family || func->made_for) continue;
    if (!first) first = func->name.text;
    last = func->name.text;
  }
  if (!first) return "it has none";
  bool is_alone = first == last;
  if (written_member(scope, family, first)) first = written_member(scope, family, first);
  if (written_member(scope, family, last)) last = written_member(scope, family, last);
  return hy_arena_printf(hy_context_arena(scope->context), is_alone ? "it has '%s' alone" : "it has '%s' to '%s'",
                         first, last);
}

static void unknown_member(hy_alg_scope *scope, const hy_syntax *name, const hy_written_name *later) {
  const char *quote = hy_syntax_quote(scope->context, name);
  if (later)
    hy_report(scope->diagnostics, HY_E_DEFINED_LATER, name->loc, "define before use",
              "a 'for' may count down, for k in 6..0, and one 'for' may hold several funcs: for k in 1..7 { .. }",
              "'%s' is '%s', which is defined only later", quote, name->text);
  else
    hy_report(scope->diagnostics, HY_E_FAMILY, name->loc, "ALG.Expand.Family", members_of(scope, name->family),
              "'%s' is '%s', and the family '%s' has no such member", quote, name->text, name->family);
  hy_context_hit(scope->context, HY_RULE_ALG_VALID_DEFINED_NOT);
}

static bool is_family(const hy_alg_scope *scope, const char *name) {
  for (int i = 0; i < scope->written->func_count; i++)
    if (scope->written->funcs[i].family == name) return true;
  return false;
}

static bool unknown_name(hy_alg_scope *scope, const hy_syntax *name) {
  const hy_written_name *later = find_later(scope, name->text);
  if (name->family) {
    unknown_member(scope, name, later);
    return true;
  }
  const char *help = form_of_halide(name->text), *near = nearest(scope, name->text);
  hy_reduction reduction;
  if (scope->declaring && scope->declaring->name.text == name->text) {
    hy_report(scope->diagnostics, HY_E_DEFINED_LATER, name->loc, "define before use",
              "a helper stands for its expression; what repeats is an update over an rdom",
              "the helper '%s' uses itself", name->text);
    hy_context_hit(scope->context, HY_RULE_ALG_VALID_DEFINED_NOT);
  } else if (later && scope->made_for == name->text) {
    hy_report(scope->diagnostics, HY_E_DEFINED_LATER, name->loc, "define before use",
              "write an update: rdom(r = (min, len)) in (x) <- f(x) + e",
              "this reduction reads '%s', the func in which it stands", name->text);
    hy_context_hit(scope->context, HY_RULE_ALG_VALID_DEFINED_NOT);
  } else if (hy_reduction_find(name->text, &reduction) && !later) {
    help = hy_arena_printf(hy_context_arena(scope->context), "write %s(rdom(r = (min, len)) in e)", name->text);
    hy_report(scope->diagnostics, HY_E_UNKNOWN_NAME, name->loc, NULL, help, "'%s' reduces over a domain", name->text);
    hy_context_hit(scope->context, HY_RULE_ALG_VALID_DEFINED_NOT);
  } else if (is_family(scope, name->text)) {
    help = hy_arena_printf(hy_context_arena(scope->context), "write the number of a member, %s[0]", name->text);
    hy_report(scope->diagnostics, HY_E_FAMILY, name->loc, "ALG.Expand.Family", help, "'%s' is a family of funcs",
              name->text);
    hy_context_hit(scope->context, HY_RULE_ALG_VALID_DEFINED_NOT);
  } else if (later) {
    hy_report(scope->diagnostics, HY_E_DEFINED_LATER, name->loc, "define before use", "move the definition up",
              "'%s' is defined only later, at line %u", name->text, later->loc.line);
    hy_context_hit(scope->context, HY_RULE_ALG_VALID_DEFINED_NOT);
  } else if (help) {
    hy_report(scope->diagnostics, HY_E_OTHER_LANGUAGE, name->loc, NULL, help, "'%s' is a form of Halide's", name->text);
  } else {
    help = near ? hy_arena_printf(hy_context_arena(scope->context), "did you mean '%s'?", near)
                : names_in_scope(scope, name->text);
    hy_report(scope->diagnostics, HY_E_UNKNOWN_NAME, name->loc, "define before use", help,
              "nothing here is called '%s'", name->text);
    hy_context_hit(scope->context, HY_RULE_ALG_VALID_DEFINED_NOT);
  }
  return true;
}

static bool has_meaning(void *self, const hy_syntax *name) {
  const hy_alg_scope *scope = self;
  return find_later(scope, name->text) || is_family(scope, name->text) || hy_alg_name_is(scope, name->text);
}

// UInt(8).max(), u8.max, u8(255).min(): the end of a type, as in other languages.
static bool is_end_of_type(const hy_syntax *member) {
  const hy_syntax *of = member->args[0];
  if (strcmp(member->text, "max") != 0 && strcmp(member->text, "min") != 0) return false;
  if (of->kind == HY_SYNTAX_CALL) of = of->args[0];
  if (of->kind != HY_SYNTAX_NAME) return of->kind == HY_SYNTAX_OP && of->op == HY_OP_CAST;
  hy_type type;
  return hy_type_find(of->text, strlen(of->text), &type) || strcmp(of->text, "UInt") == 0 ||
         strcmp(of->text, "Int") == 0;
}

static bool unknown(void *self, const hy_syntax *name) {
  hy_alg_scope *scope = self;
  if (name->kind == HY_SYNTAX_NAME) return unknown_name(scope, name);
  if (hy_signature_unknown(scope->alg, name, scope->context, scope->diagnostics)) return true;
  const hy_syntax *member = name->kind == HY_SYNTAX_CALL ? name->args[0] : name;
  if (member->kind != HY_SYNTAX_MEMBER) return false;
  bool is_axis = member == name && strlen(member->text) == 1 && strchr("xyzw", member->text[0]);
  hy_report(scope->diagnostics, HY_E_UNKNOWN_MEMBER, name->loc, NULL,
            is_end_of_type(member) ? "write the number: a u8 is 0 to 255, a u16 0 to 65535, an i8 -128 to 127, an i16 "
                                     "-32768 to 32767, an i32 -2147483648 to 2147483647"
            : is_axis ? "each reduction variable has a name of its own: rdom(rx = (min, len), ry = (min, len))"
                      : "only images have members: in.min(d), in.max(d), in.len(d), in.width() and the like",
            "'%s' means nothing here", hy_syntax_quote(scope->context, name));
  return true;
}

hy_scope hy_alg_scope_of(hy_alg_scope *scope) {
  return (hy_scope){.self = scope,
                    .var = var_of,
                    .func = func_of,
                    .box = box_of,
                    .named = hy_named_of,
                    .has_forms = true,
                    .floats = scope->written->floats,
                    .unknown = unknown,
                    .has_meaning = has_meaning,
                    .is_broken = is_broken};
}

/* -- declaring -- */

const char *hy_alg_name_is(const hy_alg_scope *scope, const char *name) {
  const hy_func *func = hy_alg_scope_func(scope, name);
  if (func) return func->is_image ? "an image" : "a func";
  if (find_param(scope->alg, name)) return "a parameter";
  const hy_named *named = hy_alg_scope_named(scope, name);
  if (named) return named->is_helper ? "a helper" : "a constant";
  return find_pure(scope, name) ? "a pure variable" : find_rdom(scope, name) ? "a reduction variable" : NULL;
}

static bool refuse_reserved(hy_alg_scope *scope, const hy_written_name *name, const char *what) {
  if (!hy_is_reserved_word(name->text)) return false;
  hy_report(scope->diagnostics, HY_E_RESERVED_WORD, name->loc, NULL, "choose another name",
            "'%s' is a word of the language and cannot name %s", name->text, what);
  return true;
}

bool hy_alg_declare_argument(hy_alg_scope *scope, const hy_written_name *name) {
  return !refuse_reserved(scope, name, "an argument");
}

// ALG.Valid.Shadow: a name in scope may not be shadowed
bool hy_alg_declare(hy_alg_scope *scope, const hy_written_name *name, const char *what, bool is_loop) {
  const char *taken = hy_alg_name_is(scope, name->text);
  if (refuse_reserved(scope, name, what)) return false;
  if (is_loop && hy_is_loop_word(name->text)) {
    hy_report(scope->diagnostics, HY_E_RESERVED_WORD, name->loc,
              "s0, s1, ... and z0, z1, ... number stages and "
              "specializations in the names of loops",
              "choose another name", "'%s' cannot name %s", name->text, what);
    return false;
  }
  hy_context_hit(scope->context, taken ? HY_RULE_ALG_VALID_SHADOW_NOT : HY_RULE_ALG_VALID_SHADOW);
  if (!taken) return true;
  hy_report(scope->diagnostics, HY_E_SHADOWED, name->loc, shadow_rule, "choose another name", "'%s' is %s already",
            name->text, taken);
  hy_context_hit(scope->context, HY_RULE_ALG_VALID_SHADOW_NOT);
  return false;
}
