/* Inline reductions, written out: each becomes a func above the one in which it stands, before anything is looked at.
 *
 *   fun f(x) = sum(rdom(r = (0, 3)) in g(x + r)) / 3;
 *
 *   fun f_sum(x) = { START; rdom(r = (0, 3)) in (x) <- f_sum(x) + g(x + r); };
 *   fun f(x) = f_sum(x) / 3;
 *
 *   fun f(x) = argmin(rdom(r = (0, 3)) in g(x + r))[0];
 *
 *   fun f_argmin(x) = { (0, START); rdom(r = (0, 3)) in (x) <- (r, g(x + r)) if g(x + r) < f_argmin(x)[1]; };
 *   fun f(x) = f_argmin(x)[0];
 *
 * The variables of the new func are those around the reduction that it mentions, its func's pure variables first, in
 * their order. Lets around it are written into it. All places are those of the reduction, so that messages speak of it.
 */

#include "semantics/alg/expand/expand.h"
#include "semantics/text/alg_internal.h"

#include <string.h>

// A let whose value has several values: what stands for its name.
typedef struct {
  const char *name;
  const hy_syntax *call;
  int values;
} tuple;

// How many were called so, by helpers.
typedef struct {
  const char *name;
  int made;
} numbered;

typedef struct {
  hy_context *context;
  hy_arena *arena;
  hy_diagnostics *diagnostics;
  hy_intern *names;               // all names of the pipeline
  const hy_written_func *func;    // in which reductions are looked for
  HY_VEC(const char *) vars;      // around: pure variables, then reduction variables, outermost first
  HY_VEC(const hy_syntax *) lets; // around, outermost first
  HY_VEC(tuple) tuples;           // among the lets around
  HY_VEC(hy_written_func) funcs;
  int made[HY_REDUCTION_COUNT]; // for this func
  HY_VEC(numbered) of_helpers;  // likewise
} rewriter;

/* -- names -- */

static bool same_name(const void *a, const void *b) { return a == b; }
static uint64_t name_hash(const char *name) { return hy_hash(1, (uint64_t)(uintptr_t)name); }

static bool add_name(rewriter *r, const char *name) {
  if (hy_intern_find(r->names, name_hash(name), name)) return false;
  hy_intern_add(r->names, name_hash(name), name);
  return true;
}

static void add_names(rewriter *r, const hy_written_pipeline *written) {
  for (int i = 0; i < written->param_count; i++) add_name(r, written->params[i].name.text);
  for (int i = 0; i < written->named_count; i++) add_name(r, written->named[i].name.text);
  for (int i = 0; i < written->func_count; i++) add_name(r, written->funcs[i].name.text);
}

// In a member of a family, g_3, what is called "most" is most_3.
static const char *with_numbers(rewriter *r, const char *name) {
  const hy_written_func *func = r->func;
  if (!func->family) return name;
  return hy_context_name_of(r->context,
                            hy_arena_printf(r->arena, "%s%s", name, func->name.text + strlen(func->family)));
}

static int next_number(rewriter *r, const char *name) {
  for (size_t i = 0; i < r->of_helpers.count; i++)
    if (r->of_helpers.data[i].name == name) return ++r->of_helpers.data[i].made;
  hy_vec_push(&r->of_helpers, (numbered){name, 1});
  return 1;
}

// ALG.Expand.Def-Reduction: of the helper h that f calls it is f_h, f_h_2, .., or f_most, where it is called "most" there.
static hy_written_name name_in_helper(rewriter *r, const hy_syntax *syntax) {
  const char *own = syntax->reduction->name.text ? syntax->reduction->name.text : hy_syntax_helper(syntax);
  const char *first = hy_context_name_of(r->context, hy_arena_printf(r->arena, "%s_%s", r->func->name.text, own)),
             *name;
  do {
    int number = next_number(r, first);
    name = number == 1 ? first : hy_context_name_of(r->context, hy_arena_printf(r->arena, "%s_%d", first, number));
  } while (!add_name(r, name));
  return (hy_written_name){name, syntax->loc};
}

// f_sum, f_sum_2, ...: the first that nothing in the pipeline has.
static hy_written_name name_of(rewriter *r, const hy_syntax *syntax) {
  const hy_written_reduction *reduction = syntax->reduction;
  if (hy_syntax_helper(syntax)) return name_in_helper(r, syntax);
  if (reduction->name.text) {
    hy_written_name name = {with_numbers(r, reduction->name.text), reduction->name.loc};
    if (add_name(r, name.text)) return name;
    hy_report(r->diagnostics, HY_E_SHADOWED, reduction->name.loc, NULL, "choose another name, or leave it out",
              "'%s' cannot name this reduction: something in the pipeline is called so", reduction->name.text);
  }
  const char *word = hy_reduction_name(reduction->reduction), *name;
  do {
    int number = ++r->made[reduction->reduction];
    const char *text = number > 1 ? hy_arena_printf(r->arena, "%s_%s_%d", r->func->name.text, word, number)
                                  : hy_arena_printf(r->arena, "%s_%s", r->func->name.text, word);
    name = hy_context_name(r->context, text, strlen(text));
  } while (!add_name(r, name));
  return (hy_written_name){name, syntax->loc};
}

/* -- nodes, which stand where "at" does -- */

static const hy_syntax *make(rewriter *r, hy_syntax model, const hy_syntax *at, const hy_syntax *const *args,
                             int count) {
  return hy_syntax_at(r->context, model, at, args, count);
}

static const hy_syntax *make_name(rewriter *r, const char *text, const hy_syntax *at) {
  return make(r, (hy_syntax){.kind = HY_SYNTAX_NAME, .text = text}, at, NULL, 0);
}

static const hy_syntax *make_call(rewriter *r, const hy_written_func *func, const hy_syntax *at) {
  const hy_syntax **args = HY_NEW_ARRAY(r->arena, const hy_syntax *, func->rank + 1);
  args[0] = make_name(r, func->name.text, at);
  for (int d = 0; d < func->rank; d++) args[d + 1] = make_name(r, func->dims[d].text, at);
  return make(r, (hy_syntax){.kind = HY_SYNTAX_CALL}, at, args, func->rank + 1);
}

static const hy_syntax *make_number(rewriter *r, int number, const hy_syntax *at) {
  const char *text = hy_context_name_of(r->context, hy_arena_printf(r->arena, "%d", number));
  return make(r, (hy_syntax){.kind = HY_SYNTAX_INTEGER, .text = text}, at, NULL, 0);
}

static const hy_syntax *make_part(rewriter *r, const hy_syntax *call, int part, const hy_syntax *at) {
  return make(r, (hy_syntax){.kind = HY_SYNTAX_INDEX}, at, (const hy_syntax *[]){call, make_number(r, part, at)}, 2);
}

static const hy_syntax *make_tuple(rewriter *r, const hy_syntax *const *values, int count, const hy_syntax *at) {
  return make(r, (hy_syntax){.kind = count == 2 ? HY_SYNTAX_INTERVAL : HY_SYNTAX_TUPLE}, at, values, count);
}

static const hy_syntax *make_op(rewriter *r, hy_op op, const hy_syntax *a, const hy_syntax *b, const hy_syntax *at) {
  return make(r, (hy_syntax){.kind = HY_SYNTAX_OP, .op = op, .reduction = at->reduction}, at,
              (const hy_syntax *[]){a, b}, 2);
}

/* -- what a reduction mentions -- */

static bool mentions(const hy_syntax *syntax, const char *name) {
  if (!syntax) return false;
  if (syntax->kind == HY_SYNTAX_NAME) return syntax->text == name;
  bool has_callee = syntax->kind == HY_SYNTAX_CALL || syntax->kind == HY_SYNTAX_MEMBER;
  for (int i = has_callee && syntax->args[0]->kind == HY_SYNTAX_NAME; i < syntax->count; i++)
    if (mentions(syntax->args[i], name)) return true;
  return false;
}

// The lets around that it needs, written into it.
static const hy_syntax *with_lets(rewriter *r, const hy_syntax *body) {
  for (size_t i = r->lets.count; body && i-- > 0;) {
    const hy_syntax *let = r->lets.data[i];
    if (mentions(body, let->text)) body = make(r, *let, let, (const hy_syntax *[]){let->args[0], body}, 2);
  }
  return body;
}

static bool has_rdom(const hy_written_stage *update, const char *name) {
  for (int i = 0; i < update->rdom_count; i++)
    if (update->rdoms[i].name.text == name) return true;
  return false;
}

static bool update_mentions(const hy_written_stage *update, const char *name) {
  if (has_rdom(update, name)) return false; // reported
  for (int i = 0; i < update->rdom_count; i++)
    if (mentions(update->rdoms[i].min, name) || mentions(update->rdoms[i].len, name)) return true;
  return mentions(update->rhs, name) || mentions(update->predicate, name);
}

static void set_dims(rewriter *r, const hy_written_stage *update, size_t around, hy_loc loc, hy_written_func *func) {
  hy_written_name *dims = HY_NEW_ARRAY(r->arena, hy_written_name, around);
  func->dims = dims;
  for (size_t i = 0; i < around; i++)
    if (update_mentions(update, r->vars.data[i])) dims[func->rank++] = (hy_written_name){r->vars.data[i], loc};
}

// ALG.Valid.RdomNames: here the variables around are in scope, in the new func they are not.
static void check_names(rewriter *r, const hy_written_reduction *reduction) {
  for (int i = 0; i < reduction->rdom_count; i++) {
    const hy_written_name *name = &reduction->rdoms[i].name;
    const char *taken = NULL;
    for (size_t j = 0; j < r->vars.count; j++)
      if (r->vars.data[j] == name->text) taken = "a variable around it";
    for (size_t j = 0; j < r->lets.count; j++)
      if (r->lets.data[j]->text == name->text) taken = "a let around it";
    for (size_t j = 0; j < r->tuples.count; j++)
      if (r->tuples.data[j].name == name->text) taken = "a let around it";
    if (!taken) continue;
    hy_context_hit(r->context, HY_RULE_ALG_VALID_RDOM_NAMES_NOT);
    hy_report(r->diagnostics, HY_E_RDOM_NAME, name->loc, "reduction variables are named apart from everything in scope",
              "choose another name", "the reduction variable '%s' has the name of %s", name->text, taken);
  }
}

/* -- writing out -- */

static const hy_syntax *rewrite(rewriter *r, const hy_syntax *syntax);

static const hy_written_rdom *make_rdoms(rewriter *r, const hy_written_reduction *reduction) {
  hy_written_rdom *rdoms = HY_NEW_ARRAY(r->arena, hy_written_rdom, reduction->rdom_count);
  for (int i = 0; i < reduction->rdom_count; i++) {
    rdoms[i] = reduction->rdoms[i];
    rdoms[i].min = with_lets(r, rdoms[i].min);
    rdoms[i].len = with_lets(r, rdoms[i].len);
  }
  return rdoms;
}

static hy_written_stage make_update(rewriter *r, const hy_syntax *syntax) {
  const hy_written_reduction *reduction = syntax->reduction;
  size_t around = r->vars.count;
  for (int i = 0; i < reduction->rdom_count; i++) hy_vec_push(&r->vars, reduction->rdoms[i].name.text);
  hy_written_stage update = {.loc = syntax->loc, .lhs_loc = syntax->loc};
  update.rdoms = make_rdoms(r, reduction);
  update.rdom_count = reduction->rdom_count;
  update.rhs = with_lets(r, rewrite(r, reduction->body));
  update.predicate = reduction->predicate ? with_lets(r, rewrite(r, reduction->predicate)) : NULL;
  r->vars.count = around;
  return update;
}

// saturating_add(a, b), whatever the pipeline calls so
static const hy_syntax *make_saturating(rewriter *r, const hy_syntax *a, const hy_syntax *b, const hy_syntax *at) {
  const char *text = hy_context_name_of(r->context, hy_derived_name(HY_DERIVED_SATURATING_ADD));
  hy_syntax name = {.kind = HY_SYNTAX_NAME, .text = text, .reduction = at->reduction};
  return make(r, (hy_syntax){.kind = HY_SYNTAX_CALL}, at, (const hy_syntax *[]){make(r, name, at, NULL, 0), a, b}, 3);
}

// {START; .. <- g(x) + e}
static void meet(rewriter *r, const hy_syntax *syntax, const hy_written_func *func, hy_written_stage *stages) {
  hy_reduction reduction = syntax->reduction->reduction;
  const hy_syntax *so_far = make_call(r, func, stages[1].rhs), *e = stages[1].rhs;
  stages[1].rhs = hy_reduction_saturates(reduction) ? make_saturating(r, so_far, e, syntax)
                                                    : make_op(r, hy_reduction_op(reduction), so_far, e, syntax);
}

// {(0, .., START); .. <- (r, .., e) if e < g(x)[j]}: the first of equals stays
static void keep_where(rewriter *r, const hy_syntax *syntax, const hy_written_func *func, hy_written_stage *stages) {
  int count = stages[1].rdom_count;
  const hy_syntax **start = HY_NEW_ARRAY(r->arena, const hy_syntax *, count + 1);
  const hy_syntax **values = HY_NEW_ARRAY(r->arena, const hy_syntax *, count + 1);
  const hy_syntax *e = stages[1].rhs, *p = stages[1].predicate;
  for (int i = 0; i < count; i++) {
    start[i] = make_number(r, 0, syntax);
    values[i] = make_name(r, stages[1].rdoms[i].name.text, syntax);
  }
  start[count] = stages[0].rhs;
  values[count] = e;
  hy_op op = hy_reduction_op(syntax->reduction->reduction);
  const hy_syntax *is_better = make_op(r, op, e, make_part(r, make_call(r, func, e), count, e), syntax);
  stages[0].rhs = make_tuple(r, start, count + 1, syntax);
  stages[1].rhs = make_tuple(r, values, count + 1, syntax);
  stages[1].predicate = p ? make_op(r, HY_OP_AND, p, is_better, syntax) : is_better;
}

// ALG.Expand.Reduction, ALG.Expand.Arg
static const hy_syntax *write_out(rewriter *r, const hy_syntax *syntax) {
  hy_reduction reduction = syntax->reduction->reduction;
  check_names(r, syntax->reduction);
  bool keeps_where = hy_reduction_keeps_where(reduction);
  hy_context_hit(r->context, keeps_where ? HY_RULE_ALG_EXPAND_ARG : HY_RULE_ALG_EXPAND_REDUCTION);
  hy_written_stage *stages = HY_NEW_ARRAY(r->arena, hy_written_stage, 2);
  hy_written_func func = {.name = name_of(r, syntax), .stages = stages, .stage_count = 2};
  func.made_for = r->func->name.text;
  func.family = r->func->family;
  stages[1] = make_update(r, syntax); // the reductions inside of it, first
  set_dims(r, &stages[1], r->vars.count, syntax->loc, &func);
  stages[0] = (hy_written_stage){.loc = syntax->loc};
  stages[0].rhs = make(r, (hy_syntax){.kind = HY_SYNTAX_START, .start = reduction}, syntax, NULL, 0);
  const hy_syntax **lhs = HY_NEW_ARRAY(r->arena, const hy_syntax *, func.rank);
  for (int d = 0; d < func.rank; d++) lhs[d] = make_name(r, func.dims[d].text, syntax);
  stages[1].lhs = lhs;
  stages[1].lhs_count = func.rank;
  (keeps_where ? keep_where : meet)(r, syntax, &func, stages);
  hy_vec_push(&r->funcs, func);
  return make_call(r, &func, syntax);
}

static bool keeps_where(const hy_syntax *syntax) {
  return syntax->kind == HY_SYNTAX_REDUCTION && hy_reduction_keeps_where(syntax->reduction->reduction);
}

static const tuple *find_tuple(const rewriter *r, const char *name) {
  for (size_t i = r->tuples.count; i-- > 0;)
    if (r->tuples.data[i].name == name) return &r->tuples.data[i];
  return NULL;
}

// Names that a let of several values, which is gone when names are looked at, would hide or be hidden by.
static void check_let(rewriter *r, const hy_syntax *let) {
  bool taken = find_tuple(r, let->text) != NULL;
  for (size_t i = 0; i < r->vars.count && keeps_where(let->args[0]); i++) taken |= r->vars.data[i] == let->text;
  for (size_t i = 0; i < r->lets.count && keeps_where(let->args[0]); i++) taken |= r->lets.data[i]->text == let->text;
  if (taken || (keeps_where(let->args[0]) && hy_intern_find(r->names, name_hash(let->text), let->text)))
    hy_report(r->diagnostics, HY_E_SHADOWED, let->place, "a name in scope may not be shadowed", "choose another name",
              "'%s' is in scope already", let->text);
}

typedef const hy_syntax *rewriting(rewriter *r, const hy_syntax *syntax);

// "let b = argmin(..) in b[0]": b is the call of the func
static const hy_syntax *rewrite_let(rewriter *r, const hy_syntax *let, rewriting *rest) {
  check_let(r, let);
  const hy_syntax *args[] = {rewrite(r, let->args[0]), let->args[1]};
  if (keeps_where(let->args[0])) {
    hy_vec_push(&r->tuples, (tuple){let->text, args[0], let->args[0]->reduction->rdom_count + 1});
    const hy_syntax *body = rest(r, let->args[1]);
    r->tuples.count--;
    return body;
  }
  hy_vec_push(&r->lets, make(r, *let, let, args, 2));
  args[1] = rest(r, let->args[1]);
  r->lets.count--;
  return make(r, *let, let, args, 2);
}

static const hy_syntax *rewrite(rewriter *r, const hy_syntax *syntax) {
  if (!syntax->has_reduction && !r->tuples.count) return syntax;
  if (syntax->kind == HY_SYNTAX_NAME) {
    const tuple *t = find_tuple(r, syntax->text);
    return t ? make(r, *t->call, syntax, t->call->args, t->call->count) : syntax;
  }
  if (syntax->kind == HY_SYNTAX_REDUCTION) return write_out(r, syntax);
  if (syntax->kind == HY_SYNTAX_LET) return rewrite_let(r, syntax, rewrite);
  const hy_syntax **args = HY_NEW_ARRAY(r->arena, const hy_syntax *, syntax->count);
  for (int i = 0; i < syntax->count; i++) args[i] = rewrite(r, syntax->args[i]);
  return make(r, *syntax, syntax, args, syntax->count);
}

// What a stage stores: argmin(..) alone is all of its values.
static const hy_syntax *rewrite_values(rewriter *r, const hy_syntax *syntax) {
  const tuple *t = syntax->kind == HY_SYNTAX_NAME ? find_tuple(r, syntax->text) : NULL;
  if (syntax->kind == HY_SYNTAX_LET && (syntax->has_reduction || r->tuples.count))
    return rewrite_let(r, syntax, rewrite_values);
  if (!t && !keeps_where(syntax)) return rewrite(r, syntax);
  int count = t ? t->values : syntax->reduction->rdom_count + 1;
  const hy_syntax *call = rewrite(r, syntax);
  const hy_syntax **values = HY_NEW_ARRAY(r->arena, const hy_syntax *, count);
  for (int i = 0; i < count; i++) values[i] = make_part(r, call, i, syntax);
  return make_tuple(r, values, count, syntax);
}

static hy_written_stage rewrite_stage(rewriter *r, hy_written_stage stage) {
  const hy_syntax **lhs = HY_NEW_ARRAY(r->arena, const hy_syntax *, stage.lhs_count);
  r->vars.count = 0;
  for (int d = 0; d < r->func->rank; d++) hy_vec_push(&r->vars, r->func->dims[d].text);
  for (int i = 0; i < stage.rdom_count; i++) hy_vec_push(&r->vars, stage.rdoms[i].name.text);
  for (int d = 0; d < stage.lhs_count; d++) lhs[d] = rewrite(r, stage.lhs[d]);
  if (stage.lhs) stage.lhs = lhs;
  stage.rhs = rewrite_values(r, stage.rhs);
  if (stage.predicate) stage.predicate = rewrite(r, stage.predicate);
  return stage;
}

static bool has_reduction(const hy_written_func *func) {
  for (int j = 0; j < func->stage_count; j++) {
    const hy_written_stage *stage = &func->stages[j];
    if (stage->rhs->has_reduction || (stage->predicate && stage->predicate->has_reduction)) return true;
    for (int d = 0; d < stage->lhs_count; d++)
      if (stage->lhs[d]->has_reduction) return true;
  }
  return false;
}

static void rewrite_func(rewriter *r, const hy_written_func *written) {
  hy_written_func func = *written;
  if (has_reduction(written)) {
    hy_written_stage *stages = HY_NEW_ARRAY(r->arena, hy_written_stage, written->stage_count);
    r->func = written;
    for (int i = 0; i < HY_REDUCTION_COUNT; i++) r->made[i] = 0;
    r->of_helpers.count = 0;
    for (int j = 0; j < written->stage_count; j++) stages[j] = rewrite_stage(r, written->stages[j]);
    func.stages = stages;
  }
  hy_vec_push(&r->funcs, func);
}

// Constants and helpers stay where they are: above the funcs that are made for those below them.
static void rewrite_all(rewriter *r, hy_written_pipeline *pipeline) {
  hy_written_named *named = HY_NEW_ARRAY(r->arena, hy_written_named, pipeline->named_count);
  int next = 0;
  for (int i = 0; i <= pipeline->func_count; i++) {
    for (; next < pipeline->named_count && pipeline->named[next].before <= i; next++) {
      named[next] = pipeline->named[next];
      named[next].before = (int)r->funcs.count;
    }
    if (i < pipeline->func_count) rewrite_func(r, &pipeline->funcs[i]);
  }
  pipeline->named = named;
}

const hy_written_pipeline *hy_reductions_out(hy_context *context, const hy_written_pipeline *written,
                                             hy_diagnostics *diagnostics) {
  bool any = false;
  for (int i = 0; i < written->func_count; i++) any |= has_reduction(&written->funcs[i]);
  if (!any) return written;
  hy_arena *arena = hy_context_arena(context);
  rewriter r = {.context = context, .arena = arena, .diagnostics = diagnostics, .names = hy_intern_new(same_name)};
  hy_written_pipeline *pipeline = HY_NEW(arena, hy_written_pipeline);
  *pipeline = *written;
  add_names(&r, written);
  rewrite_all(&r, pipeline);
  hy_written_func *funcs = HY_NEW_ARRAY(arena, hy_written_func, r.funcs.count);
  for (size_t i = 0; i < r.funcs.count; i++) funcs[i] = r.funcs.data[i];
  pipeline->funcs = funcs;
  pipeline->func_count = (int)r.funcs.count;
  hy_vec_free(&r.funcs);
  hy_vec_free(&r.lets);
  hy_vec_free(&r.of_helpers);
  hy_vec_free(&r.tuples);
  hy_vec_free(&r.vars);
  hy_intern_free(r.names);
  return pipeline;
}
