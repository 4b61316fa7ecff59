/* Helpers, written out: each call is the helper's expression, with what stands in the call for its arguments, before
 * reductions and tuples are looked at.
 *
 *   def mean(f, x, n) = sum(rdom(r = (0, n)) in f(x + r)) / n;
 *   fun o(x) = mean(g, 2*x, 3);
 *
 *   fun o(x) = let x:1 = 2*x in let n:2 = 3 in sum(rdom(r = (0, n:2)) in g(x:1 + r)) / n:2;
 *
 * An argument that is called, continued or asked for its box is a func, and its name stands in its places. All others
 * are values, which a let has once, so that each has one type; no text can say the names of these lets, nor those that
 * the lets of the helper get. They stand around the call, outside of what needs to see a tuple. A reduction variable
 * keeps its name unless it is taken where the call stands.
 *
 * All places are those of the helper's text. Its nodes say of which call they are, so that messages can.
 */

#include "semantics/text/alg_internal.h"
#include "semantics/text/written/numbers.h"

#include <string.h>

enum {
  MOST_USES = 1 << 14, // in the stages of one func: helpers of helpers double with each layer
  MOST_LAYERS = 1000   // of helpers in each other; there are more where a helper is given to itself
};

// A name in the text of a helper, and what it is where the call stands.
typedef struct {
  const char *name;
  const char *renamed;   // of a value, a let, a reduction variable
  const hy_syntax *func; // NULL: it is none of an argument that is one
  size_t func_nodes;     // of it as a tree, which is how everybody walks it
  int helper;            // its number, from 1, where the call says a helper; 0: it says none
} binding;

typedef struct {
  hy_context *context;
  hy_arena *arena;
  hy_diagnostics *diagnostics;
  const hy_written_pipeline *pipeline;
  int position;                      // of the func in which calls are looked for
  int named_count;                   // helpers above
  HY_VEC(const char *) around;       // variables and lets of the func
  HY_VEC(binding) bound;             // in the text of the helper: those from "first" on
  size_t first;                      //
  HY_VEC(const hy_syntax *) out;     // lets that stand around what is being written, outermost first
  const hy_syntax *use;              // the outermost call around; NULL: the text is the func's
  const char *helper;                // whose text it is
  const hy_written_for *written_for; // of what is made now
  int before;                        // the funcs above that helper
  hy_numbers *numbers;               // that calls give
  bool is_refused;                   // something was said of the outermost call around, which stays as it is
  int layers;                        // helpers around what is being written
  int lets;                          // so far, in the pipeline
  int uses;                          // so far, in the func
  size_t nodes;                      // likewise
  int depth;                         // of what is being written
  bool is_too_large;                 // reported once in a func
  hy_intern *names;                  // of the pipeline
} writer;

static const hy_syntax *write(writer *w, const hy_syntax *syntax);
static const hy_syntax *write_open(writer *w, const hy_syntax *syntax);

/* -- names -- */

static bool same_name(const void *a, const void *b) { return a == b; }
static uint64_t name_hash(const char *name) { return hy_hash(1, (uint64_t)(uintptr_t)name); }

static void add_name(writer *w, const char *name) {
  if (!hy_intern_find(w->names, name_hash(name), name)) hy_intern_add(w->names, name_hash(name), name);
}

static void add_names(writer *w, const hy_written_pipeline *p) {
  for (int i = 0; i < p->param_count; i++) add_name(w, p->params[i].name.text);
  for (int i = 0; i < p->named_count; i++) add_name(w, p->named[i].name.text);
  for (int i = 0; i < p->func_count; i++) add_name(w, p->funcs[i].name.text);
}

static const binding *find_bound(const writer *w, const char *name) {
  for (size_t i = w->bound.count; i-- > w->first;)
    if (w->bound.data[i].name == name) return &w->bound.data[i];
  return NULL;
}

static bool is_around(const writer *w, const char *name) {
  for (size_t i = 0; i < w->around.count; i++)
    if (w->around.data[i] == name) return true;
  return false;
}

// The helper that the name is, above the place; -1 if none is. An argument may be called as one.
static int find_helper(const writer *w, const hy_syntax *name) {
  if (name->kind != HY_SYNTAX_NAME || name->in_parentheses || (w->helper && find_bound(w, name->text))) return -1;
  for (int i = 0; i < w->named_count; i++)
    if (w->pipeline->named[i].name.text == name->text) return w->pipeline->named[i].is_helper ? i : -1;
  return -1;
}

static const char *new_name(writer *w, const char *name) {
  return hy_context_name_of(w->context, hy_arena_printf(w->arena, "%s:%d", name, ++w->lets));
}

/* -- nodes -- */

static void refuse_size(writer *w, const hy_syntax *at, const char *what, int limit) {
  bool is_helper = w->use || hy_syntax_use(at);
  if (!w->use && hy_syntax_use(at)) at = hy_syntax_use(at); // lets of it, written around all
  if (!w->is_too_large)
    hy_report(w->diagnostics, HY_E_TOO_DEEP, at->loc, NULL, is_helper ? HY_HELP_DIVIDE_HELPER : HY_HELP_DIVIDE,
              "with its lets, constants and helpers expanded, this expression has more than %d %s", limit, what);
  w->is_too_large = true;
}

static const hy_written_for *told_of(const writer *w, hy_written_for what) {
  hy_written_for *made = HY_NEW(hy_context_arena(w->context), hy_written_for);
  *made = what;
  return made;
}

static const hy_syntax *make(writer *w, hy_syntax model, const hy_syntax *at, const hy_syntax *const *args, int count) {
  hy_syntax *node = (hy_syntax *)hy_syntax_at(w->context, model, at, args, count);
  node->written_for = w->written_for;
  if (++w->nodes > HY_MAX_NODES) refuse_size(w, w->use ? w->use : at, "operations", HY_MAX_NODES);
  if (node->height > HY_MAX_HEIGHT) refuse_size(w, w->use ? w->use : at, "levels", HY_MAX_HEIGHT);
  return node;
}

// One more place of something that is there already, which may hold itself twice.
static void count_again(writer *w, const hy_syntax *at, size_t nodes) {
  w->nodes += nodes;
  if (w->nodes > HY_MAX_NODES) refuse_size(w, w->use ? w->use : at, "operations", HY_MAX_NODES);
}

// At most "most" of the tree's nodes.
static size_t nodes_of(const hy_syntax *syntax, size_t most) {
  size_t nodes = 1;
  for (int i = 0; i < syntax->count && nodes < most; i++) nodes += nodes_of(syntax->args[i], most - nodes);
  return nodes;
}

// The lets that came up since there were "first", around it.
static const hy_syntax *within_lets(writer *w, const hy_syntax *body, size_t first) {
  while (w->out.count > first) {
    const hy_syntax *let = w->out.data[--w->out.count];
    body = make(w, *let, let, (const hy_syntax *[]){let->args[0], body}, 2);
  }
  return body;
}

// "param" of "helper" is what the let is there.
static void put_around(writer *w, const char *name, const hy_syntax *value, const hy_syntax *at, const char *helper,
                       const char *param) {
  hy_numbers_add(w->numbers, name, value, helper, param, at->kind == HY_SYNTAX_LET ? at->args[0] : at);
  hy_vec_push(&w->out, make(w, (hy_syntax){.kind = HY_SYNTAX_LET, .text = name}, at, &value, 1));
}

/* -- arguments -- */

static bool is_boundary_name(const hy_syntax *name) {
  hy_boundary boundary;
  return name->kind == HY_SYNTAX_NAME && hy_boundary_find(name->text, &boundary);
}

static const hy_written_func *find_func(const writer *w, const char *name, int *position) {
  for (*position = 0; *position < w->pipeline->func_count; ++*position)
    if (w->pipeline->funcs[*position].name.text == name) return &w->pipeline->funcs[*position];
  return NULL;
}

static bool is_image(const writer *w, const char *name) {
  for (int i = 0; i < w->pipeline->param_count; i++)
    if (w->pipeline->params[i].name.text == name) return w->pipeline->params[i].is_image;
  return false;
}

static const char *nearest_func(const writer *w, const char *name) {
  HY_VEC(const char *) names = {0};
  for (int i = 0; i < w->pipeline->param_count; i++)
    if (w->pipeline->params[i].is_image) hy_vec_push(&names, w->pipeline->params[i].name.text);
  for (int i = 0; i < w->position; i++) hy_vec_push(&names, w->pipeline->funcs[i].name.text);
  const char *found = hy_nearest_name(name, names.data, names.count);
  hy_vec_free(&names);
  return found ? hy_arena_printf(w->arena, "did you mean '%s'?", found) : NULL;
}

// ALG.Valid.Defined: told once, and not at each place in the helper
static bool told_undefined(writer *w, const hy_syntax *name) {
  int position;
  const hy_written_func *func = find_func(w, name->text, &position);
  bool is_known = hy_intern_find(w->names, name_hash(name->text), name->text) || is_around(w, name->text);
  if (func ? position <= w->position : is_known) return false;
  if (func)
    hy_report(w->diagnostics, HY_E_DEFINED_LATER, name->loc, "define before use", "move the definition up",
              "'%s' is defined only later, at line %u", name->text, func->name.loc.line);
  else
    hy_report(w->diagnostics, HY_E_UNKNOWN_NAME, name->loc, "define before use", nearest_func(w, name->text),
              "nothing here is called '%s'", name->text);
  hy_context_hit(w->context, HY_RULE_ALG_VALID_DEFINED_NOT);
  return true;
}

static bool is_func(const writer *w, const hy_syntax *syntax) {
  int position;
  if (syntax->kind == HY_SYNTAX_CALL) return is_boundary_name(syntax->args[0]);
  return syntax->kind == HY_SYNTAX_NAME && (is_image(w, syntax->text) || find_func(w, syntax->text, &position));
}

// The helper that stands for a func there, from 1; 0: none does.
static int helper_given(const writer *w, const hy_syntax *arg) {
  const binding *bound = arg->kind == HY_SYNTAX_NAME && w->helper ? find_bound(w, arg->text) : NULL;
  return bound ? bound->helper : find_helper(w, arg) + 1;
}

// ALG.Expand.Def-Func: the argument of a helper that takes a func there. NULL after a report.
static const hy_syntax *write_func_argument(writer *w, const hy_syntax *arg, const hy_written_named *helper, int i) {
  const hy_syntax *func = write(w, arg);
  if (func->kind == HY_SYNTAX_NAME && told_undefined(w, func)) return NULL;
  if (is_func(w, func)) {
    hy_syntax *plain = HY_NEW(w->arena, hy_syntax);
    *plain = *func;
    plain->in_parentheses = false;
    hy_context_hit(w->context, HY_RULE_ALG_EXPAND_DEF_FUNC);
    return plain;
  }
  hy_report(w->diagnostics, HY_E_NOT_A_FUNC, arg->loc, "ALG.Expand.Def",
            "write the name of a func, an image or a helper, or a boundary condition: repeat_edge(in)",
            "'%s' of '%s' is a func, and '%s' is none", helper->params[i].text, helper->name.text,
            hy_syntax_quote(w->context, arg));
  hy_note(w->diagnostics, HY_E_NOT_A_FUNC, helper->params[i].loc, "'%s' is called in the helper",
          helper->params[i].text);
  return NULL;
}

// Reads the arguments of the call, whose names are those of its place. False after a report.
static bool bind_arguments(writer *w, const hy_syntax *call, const hy_written_named *helper, binding *bindings) {
  bool good = true;
  for (int i = 0; i < helper->param_count; i++) {
    bindings[i] = (binding){.name = helper->params[i].text};
    if (helper->takes_func[i] && (bindings[i].helper = helper_given(w, call->args[i + 1]))) {
      hy_context_hit(w->context, HY_RULE_ALG_EXPAND_DEF_FUNC);
    } else if (helper->takes_func[i]) {
      bindings[i].func = write_func_argument(w, call->args[i + 1], helper, i);
      good &= bindings[i].func != NULL;
      if (!bindings[i].func) continue;
      bindings[i].func_nodes = nodes_of(bindings[i].func, HY_MAX_NODES + 1);
      count_again(w, call, bindings[i].func_nodes); // looked at once, at least
    } else {
      const hy_syntax *value = write_open(w, call->args[i + 1]);
      bindings[i].renamed = new_name(w, helper->params[i].text);
      put_around(w, bindings[i].renamed, value, call->args[i + 1], helper->name.text, helper->params[i].text);
    }
  }
  return good;
}

// ALG.Expand.Def: h(e_1, .., e_k) is the expression of h with e_i for its argument i, all at once. What has not as many
// arguments, and what is told of, stays as it is written.
static const hy_syntax *write_use(writer *w, const hy_syntax *call, int which) {
  const hy_written_named *helper = &w->pipeline->named[which];
  binding bindings[HY_MAX_ARGUMENTS];
  size_t lets = w->out.count, first = w->first, bound = w->bound.count;
  if (helper->uses > MOST_USES) return call; // told where the helper is declared
  if (++w->uses > MOST_USES) refuse_size(w, w->use ? w->use : call, "uses of constants and helpers", MOST_USES);
  if (w->is_too_large || !bind_arguments(w, call, helper, bindings)) {
    w->out.count = lets;
    return call;
  }
  hy_context_hit(w->context, HY_RULE_ALG_EXPAND_DEF);
  if (++w->layers > MOST_LAYERS) refuse_size(w, w->use ? w->use : call, "layers of helpers", MOST_LAYERS);
  const hy_syntax *use = w->use;
  const char *name = w->helper;
  const hy_written_for *outer = w->written_for;
  int named_count = w->named_count, before = w->before;
  w->first = bound;
  for (int i = 0; i < helper->param_count; i++) hy_vec_push(&w->bound, bindings[i]);
  w->use = use ? use : call;
  w->helper = helper->name.text;
  w->written_for = told_of(w, (hy_written_for){w->helper, w->use, NULL});
  w->named_count = which;
  w->before = helper->before;
  hy_syntax *written = (hy_syntax *)write_open(w, helper->value);
  w->layers--;
  w->use = use;
  w->helper = name;
  w->written_for = outer;
  w->named_count = named_count;
  w->before = before;
  w->bound.count = bound;
  w->first = first;
  bool is_left = w->is_too_large || w->is_refused;
  if (is_left) w->out.count = lets;
  if (!use) w->is_refused = false;
  if (is_left) return call;
  written->written_for = told_of(w, (hy_written_for){hy_syntax_helper(written), hy_syntax_use(written), call});
  return written;
}

/* -- expressions -- */

static const hy_syntax *refuse(writer *w, const hy_syntax *syntax) {
  w->is_refused = true;
  return syntax;
}

// repeat_edge(h) and h.len(0) of an argument for which the call says a helper
static const hy_syntax *refuse_helper(writer *w, const hy_syntax *name, const binding *bound) {
  const char *helper = w->pipeline->named[bound->helper - 1].name.text;
  if (w->is_refused) return name;
  hy_report(w->diagnostics, HY_E_NOT_A_FUNC, name->loc, "ALG.Expand.Def",
            hy_arena_printf(w->arena, "a helper is only called: %s(..)", name->text),
            "'%s' is the helper '%s' here, and no func", name->text, helper);
  hy_syntax_note_use(w->context, w->diagnostics, w->use);
  return refuse(w, name);
}

// ALG.Expand.Def-Func: h(e), where the call says a helper for h
static const hy_syntax *write_given(writer *w, const hy_syntax *call, int which) {
  const hy_written_named *helper = &w->pipeline->named[which];
  int given = call->count - 1, wanted = helper->param_count;
  if (given == wanted) return write_use(w, call, which);
  hy_report(w->diagnostics, HY_E_ARITY, call->loc, "ALG.Expand.Def",
            hy_arena_printf(w->arena, "give a helper of %d argument%s", given, given == 1 ? "" : "s"),
            "'%s' is the helper '%s' here, which takes %d argument%s, but %d %s given", call->args[0]->text,
            helper->name.text, wanted, wanted == 1 ? "" : "s", given, given == 1 ? "is" : "are");
  hy_syntax_note_use(w->context, w->diagnostics, w->use);
  return refuse(w, call);
}

static const hy_syntax *write_name(writer *w, const hy_syntax *name) {
  const binding *bound = w->helper ? find_bound(w, name->text) : NULL;
  if (bound && bound->func) {
    count_again(w, name, bound->func_nodes);
    return bound->func;
  }
  if (bound && bound->helper) return refuse_helper(w, name, bound);
  if (!w->helper) return name;
  hy_syntax model = *name;
  if (bound) model.text = bound->renamed;
  return make(w, model, name, NULL, 0);
}

/* -- what asks for numbers in the text of a helper: ALG.Expand.Number -- */

static const hy_syntax *make_number(writer *w, const hy_syntax *literal) {
  return literal ? make(w, *literal, literal, NULL, 0) : NULL;
}

// ALG.Expand.If: the other arm is not looked at
static const hy_syntax *write_choice(writer *w, const hy_syntax *choice) {
  const char *quote = hy_syntax_quote(w->context, choice->args[0]);
  hy_number_use use = {
      choice, w->helper,
      hy_arena_printf(w->arena, "to choose at each point, write select(%s, a, b) in the helper", quote)};
  bool condition;
  if (!hy_numbers_condition(w->numbers, write(w, choice->args[0]), &use, &condition)) return refuse(w, choice);
  hy_context_hit(w->context, HY_RULE_ALG_EXPAND_IF);
  return write_open(w, choice->args[condition ? 1 : 2]);
}

static bool is_family(const writer *w, const char *name) {
  for (int i = 0; i < w->pipeline->func_count; i++)
    if (w->pipeline->funcs[i].family == name) return true;
  return false;
}

static bool is_member(const writer *w, const hy_syntax *index) {
  const hy_syntax *family = index->args[0];
  return family->kind == HY_SYNTAX_NAME && !find_bound(w, family->text) && is_family(w, family->text);
}

// ALG.Expand.Family: a helper reads the members above it
static const hy_syntax *write_member(writer *w, const hy_syntax *index) {
  const hy_syntax **indices = HY_NEW_ARRAY(w->arena, const hy_syntax *, index->count);
  const char *family = index->args[0]->text;
  hy_number_use use = {index, w->helper,
                       hy_arena_printf(w->arena,
                                       "to choose at each point, write mux(k, %s[0](x), %s[1](x)) in the helper",
                                       family, family)};
  int position;
  for (int i = 1; i < index->count; i++) indices[i - 1] = write(w, index->args[i]);
  const char *name = hy_numbers_member(w->numbers, family, indices, index->count - 1, &use);
  const hy_written_func *func = name ? find_func(w, name, &position) : NULL;
  if (func && position >= w->before) {
    hy_report(w->diagnostics, HY_E_DEFINED_LATER, index->loc, "define before use", "move the helper down",
              "'%s' is defined only later, at line %u", name, func->name.loc.line);
    hy_context_hit(w->context, HY_RULE_ALG_VALID_DEFINED_NOT);
    hy_syntax_note_use(w->context, w->diagnostics, w->use);
  }
  if (!name || (func && position >= w->before)) return refuse(w, index);
  return make(w, (hy_syntax){.kind = HY_SYNTAX_NAME, .text = name, .family = family}, index, NULL, 0);
}

// f(x)[k + 1]
static const hy_syntax *write_part(writer *w, const hy_syntax *index) {
  const hy_syntax *whole = write_open(w, index->args[0]), *number = write(w, index->args[1]);
  bool is_func = index->args[0]->kind == HY_SYNTAX_NAME && !find_bound(w, index->args[0]->text); // f[x]: told elsewhere
  const char *quote = hy_syntax_quote(w->context, index->args[0]);
  hy_number_use use = {index, w->helper,
                       hy_arena_printf(w->arena, "to choose at each point, write mux(%s, %s[0], %s[1]) in the helper",
                                       hy_syntax_quote(w->context, index->args[1]), quote, quote)};
  bool is_known = hy_numbers_known(w->numbers, number);
  if (number->kind != HY_SYNTAX_INTEGER && (is_known || (!is_func && hy_numbers_can_blame(w->numbers, number)))) {
    number = make_number(w, hy_numbers_literal(w->numbers, number, &use));
    if (!number) return refuse(w, index);
  }
  return make(w, *index, index, (const hy_syntax *[]){whole, number}, 2);
}

// in.max(1 - d). A name alone stays: it gets its type there (elaborate.c).
static const hy_syntax *write_dimension(writer *w, const hy_syntax *dimension) {
  const hy_syntax *written = write(w, dimension), *literal = NULL;
  bool is_computed = written->kind != HY_SYNTAX_INTEGER && written->kind != HY_SYNTAX_NAME;
  if (is_computed && hy_numbers_known(w->numbers, written)) {
    literal = make_number(w, hy_numbers_literal(w->numbers, written, NULL));
    if (!literal) return refuse(w, dimension);
  }
  return literal ? literal : written;
}

// Lets of a helper stand around; those of funcs stay.
static const hy_syntax *write_let(writer *w, const hy_syntax *let) {
  size_t bound = w->bound.count, around = w->around.count;
  const hy_syntax *value = write_open(w, let->args[0]), *body;
  if (w->helper) {
    const char *name = new_name(w, let->text);
    put_around(w, name, value, let, w->helper, let->text);
    hy_vec_push(&w->bound, (binding){.name = let->text, .renamed = name});
    body = write_open(w, let->args[1]);
    w->bound.count = bound;
    return body;
  }
  hy_vec_push(&w->around, let->text);
  body = write(w, let->args[1]);
  w->around.count = around;
  bool same = value == let->args[0] && body == let->args[1];
  return same ? let : make(w, *let, let, (const hy_syntax *[]){value, body}, 2);
}

// r, r_2, ..: the first that is nothing where the call stands.
static const char *free_name(writer *w, const char *name) {
  const char *found = name;
  for (int i = 2; is_around(w, found) || hy_intern_find(w->names, name_hash(found), found); i++)
    found = hy_context_name_of(w->context, hy_arena_printf(w->arena, "%s_%d", name, i));
  return found;
}

static const hy_written_rdom *write_rdoms(writer *w, const hy_written_reduction *reduction) {
  hy_written_rdom *rdoms = HY_NEW_ARRAY(w->arena, hy_written_rdom, reduction->rdom_count);
  for (int i = 0; i < reduction->rdom_count; i++) {
    rdoms[i].name = reduction->rdoms[i].name;
    rdoms[i].min = write(w, reduction->rdoms[i].min);
    rdoms[i].len = write(w, reduction->rdoms[i].len);
  }
  for (int i = 0; i < reduction->rdom_count; i++) {
    const char *name = rdoms[i].name.text;
    if (w->helper) rdoms[i].name.text = free_name(w, name);
    if (w->helper) hy_vec_push(&w->bound, (binding){.name = name, .renamed = rdoms[i].name.text});
    hy_vec_push(&w->around, rdoms[i].name.text);
  }
  return rdoms;
}

// ALG.Expand.Def-Reduction. Its args are those of parse_expr.c: the body, the predicate, the bounds.
static const hy_syntax *write_reduction(writer *w, const hy_syntax *syntax) {
  const hy_written_reduction *old = syntax->reduction;
  size_t bound = w->bound.count, around = w->around.count;
  hy_written_reduction *reduction = HY_NEW(w->arena, hy_written_reduction);
  const hy_syntax **args = HY_NEW_ARRAY(w->arena, const hy_syntax *, syntax->count);
  int count = 0;
  *reduction = *old;
  if (w->helper) hy_context_hit(w->context, HY_RULE_ALG_EXPAND_DEF_REDUCTION);
  reduction->rdoms = write_rdoms(w, old);
  args[count++] = reduction->body = write(w, old->body);
  if (old->predicate) args[count++] = reduction->predicate = write(w, old->predicate);
  for (int i = 0; i < old->rdom_count; i++) {
    args[count++] = reduction->rdoms[i].min;
    args[count++] = reduction->rdoms[i].len;
  }
  w->bound.count = bound;
  w->around.count = around;
  hy_syntax model = *syntax;
  model.reduction = reduction;
  return make(w, model, syntax, args, count);
}

// What may be a tuple is written so that one sees it: lets of what it is come up.
static bool sees_tuples(const hy_syntax *syntax, int i) {
  if (syntax->kind == HY_SYNTAX_INDEX) return i == 0; // a func's text
  return syntax->kind == HY_SYNTAX_CALL && i > 0 && syntax->args[0]->kind == HY_SYNTAX_NAME &&
         (strcmp(syntax->args[0]->text, "select") == 0 || strcmp(syntax->args[0]->text, "mux") == 0);
}

static const hy_syntax *write_args(writer *w, const hy_syntax *syntax) {
  const hy_syntax **args = HY_NEW_ARRAY(w->arena, const hy_syntax *, syntax->count);
  bool same = w->helper == NULL;
  bool has_dimension = w->helper && syntax->kind == HY_SYNTAX_CALL && syntax->args[0]->kind == HY_SYNTAX_MEMBER;
  for (int i = 0; i < syntax->count; i++) {
    args[i] = sees_tuples(syntax, i) ? write_open(w, syntax->args[i])
              : has_dimension && i   ? write_dimension(w, syntax->args[i])
                                     : write(w, syntax->args[i]);
    same &= args[i] == syntax->args[i];
  }
  return same ? syntax : make(w, *syntax, syntax, args, syntax->count);
}

static const hy_syntax *write_kind(writer *w, const hy_syntax *syntax) {
  if (syntax->kind == HY_SYNTAX_NAME) return write_name(w, syntax);
  if (syntax->kind == HY_SYNTAX_LET) return write_let(w, syntax);
  if (syntax->kind == HY_SYNTAX_REDUCTION) return write_reduction(w, syntax);
  if (syntax->kind == HY_SYNTAX_CHOICE && w->helper) return write_choice(w, syntax);
  if (syntax->kind == HY_SYNTAX_INDEX && w->helper && is_member(w, syntax)) return write_member(w, syntax);
  if (syntax->kind == HY_SYNTAX_INDEX && w->helper && syntax->count == 2) return write_part(w, syntax);
  int helper = syntax->kind == HY_SYNTAX_CALL ? find_helper(w, syntax->args[0]) : -1;
  const hy_syntax *callee = syntax->kind == HY_SYNTAX_CALL && w->helper ? syntax->args[0] : NULL;
  const binding *bound = callee && callee->kind == HY_SYNTAX_NAME ? find_bound(w, callee->text) : NULL;
  if (bound && bound->helper) return write_given(w, syntax, bound->helper - 1);
  if (helper >= 0 && syntax->count - 1 == w->pipeline->named[helper].param_count) return write_use(w, syntax, helper);
  return write_args(w, syntax);
}

// The expression; lets of helpers that stand around it are in w->out.
static const hy_syntax *write_open(writer *w, const hy_syntax *syntax) {
  if (w->depth > 2 * HY_MAX_HEIGHT) refuse_size(w, w->use ? w->use : syntax, "levels", HY_MAX_HEIGHT);
  if (w->is_too_large) return syntax;
  w->depth++;
  const hy_syntax *written = write_kind(w, syntax);
  w->depth--;
  return written;
}

static const hy_syntax *write(writer *w, const hy_syntax *syntax) {
  size_t lets = w->out.count;
  const hy_syntax *written = write_open(w, syntax);
  written = within_lets(w, written, lets);
  return w->is_too_large ? syntax : written;
}

/* -- which arguments are funcs -- */

static void mark(const hy_written_named *helper, bool *takes_func, const hy_syntax *name) {
  for (int i = 0; i < helper->param_count && name->kind == HY_SYNTAX_NAME; i++)
    takes_func[i] |= helper->params[i].text == name->text;
}

static bool is_argument(const hy_written_named *helper, const hy_syntax *name) {
  for (int i = 0; i < helper->param_count && name->kind == HY_SYNTAX_NAME; i++)
    if (helper->params[i].text == name->text) return true;
  return false;
}

static void mark_funcs(const writer *w, hy_written_named *helper, bool *takes_func, const hy_syntax *syntax) {
  bool is_call = syntax->kind == HY_SYNTAX_CALL;
  if (is_call || syntax->kind == HY_SYNTAX_MEMBER) mark(helper, takes_func, syntax->args[0]);
  if (is_call && syntax->count > 1 && is_boundary_name(syntax->args[0])) mark(helper, takes_func, syntax->args[1]);
  int called = is_call && !is_argument(helper, syntax->args[0]) ? find_helper(w, syntax->args[0]) : -1;
  if (called >= 0 && helper->uses <= MOST_USES) helper->uses += 1 + w->pipeline->named[called].uses;
  for (int i = 0; called >= 0 && i < w->pipeline->named[called].param_count && i + 1 < syntax->count; i++)
    if (w->pipeline->named[called].takes_func[i]) mark(helper, takes_func, syntax->args[i + 1]);
  for (int i = 0; i < syntax->count; i++) mark_funcs(w, helper, takes_func, syntax->args[i]);
}

// In the order of the text: what helpers above take is known.
static void find_func_arguments(writer *w, hy_written_named *named, int count) {
  for (int i = 0; i < count; i++) {
    bool *takes_func = HY_NEW_ARRAY(w->arena, bool, named[i].param_count);
    memset(takes_func, 0, sizeof *takes_func * (size_t)named[i].param_count);
    w->named_count = i;
    if (named[i].is_helper) mark_funcs(w, &named[i], takes_func, named[i].value);
    named[i].takes_func = takes_func;
  }
}

/* -- all of it -- */

static void begin(writer *w) {
  w->uses = 0;
  w->nodes = 0;
  w->is_too_large = false;
}

static hy_written_stage write_stage(writer *w, const hy_written_func *func, hy_written_stage stage) {
  const hy_syntax **lhs = HY_NEW_ARRAY(w->arena, const hy_syntax *, stage.lhs_count);
  hy_written_rdom *rdoms = HY_NEW_ARRAY(w->arena, hy_written_rdom, stage.rdom_count);
  w->around.count = 0;
  for (int d = 0; d < func->rank; d++) hy_vec_push(&w->around, func->dims[d].text);
  for (int i = 0; i < stage.rdom_count; i++) hy_vec_push(&w->around, stage.rdoms[i].name.text);
  for (int i = 0; i < stage.rdom_count; i++) {
    rdoms[i] = stage.rdoms[i];
    rdoms[i].min = write(w, rdoms[i].min);
    rdoms[i].len = write(w, rdoms[i].len);
  }
  for (int d = 0; d < stage.lhs_count; d++) lhs[d] = write(w, stage.lhs[d]);
  if (stage.lhs) stage.lhs = lhs;
  stage.rdoms = rdoms;
  stage.rhs = write(w, stage.rhs);
  if (stage.predicate) stage.predicate = write(w, stage.predicate);
  return stage;
}

static void write_func(writer *w, hy_written_func *func, int position) {
  hy_written_stage *stages = HY_NEW_ARRAY(w->arena, hy_written_stage, func->stage_count);
  const hy_written_pipeline *p = w->pipeline;
  begin(w);
  w->position = position;
  w->named_count = 0;
  while (w->named_count < p->named_count && p->named[w->named_count].before <= position) w->named_count++;
  for (int j = 0; j < func->stage_count; j++) stages[j] = write_stage(w, func, func->stages[j]);
  func->stages = stages;
}

static const hy_written_requirement *write_requirements(writer *w) {
  const hy_written_pipeline *p = w->pipeline;
  hy_written_requirement *list = HY_NEW_ARRAY(w->arena, hy_written_requirement, p->requirement_count);
  w->around.count = 0;
  for (int i = 0; i < p->requirement_count; i++) {
    begin(w);
    list[i] = p->requirements[i];
    w->named_count = list[i].named_before;
    list[i].condition = write(w, list[i].condition);
  }
  return list;
}

static bool any_helper(const hy_written_pipeline *written) {
  for (int i = 0; i < written->named_count; i++)
    if (written->named[i].is_helper) return true;
  return false;
}

const hy_written_pipeline *hy_helpers_out(hy_context *context, const hy_written_pipeline *written,
                                          hy_diagnostics *diagnostics) {
  if (!any_helper(written)) return written;
  hy_arena *arena = hy_context_arena(context);
  hy_written_pipeline *pipeline = HY_NEW(arena, hy_written_pipeline);
  hy_written_named *named = HY_NEW_ARRAY(arena, hy_written_named, written->named_count);
  hy_written_func *funcs = HY_NEW_ARRAY(arena, hy_written_func, written->func_count);
  for (int i = 0; i < written->named_count; i++) named[i] = written->named[i];
  *pipeline = *written;
  pipeline->named = named;
  writer w = {.context = context,
              .arena = arena,
              .diagnostics = diagnostics,
              .pipeline = pipeline,
              .numbers = hy_numbers_new(context, pipeline, diagnostics),
              .names = hy_intern_new(same_name)};
  add_names(&w, written);
  find_func_arguments(&w, named, written->named_count);
  for (int i = 0; i < written->func_count; i++) {
    funcs[i] = written->funcs[i];
    write_func(&w, &funcs[i], i);
  }
  pipeline->requirements = write_requirements(&w);
  pipeline->funcs = funcs;
  hy_vec_free(&w.around);
  hy_vec_free(&w.bound);
  hy_vec_free(&w.out);
  hy_intern_free(w.names);
  hy_numbers_free(w.numbers);
  return pipeline;
}
