#include "sched/funcs/meaning.h"

#include "sched/funcs/funcs.h"
#include "sched/funcs/monoid.h"
#include "semantics/text/syntax.h"

#include <string.h>

/* label f.sk: for x1 .. pure: for r ..: if p then f(e) <- v   ->   rdom(r ..) in (e) <- v if p
 *
 * What comes out is printed and read again: it is a text that a user could have written, under all rules of validity,
 * and its funcs are numbered as those of any algorithm.
 */

typedef struct {
  hy_context *context;
  const hy_tgt *tgt;
  const hy_meaning_cut *cut;
  HY_VEC(hy_definition) definitions;
} raising;

static const hy_var *pure_variable(const hy_definition *definition, const char *name) {
  for (int d = 0; d < definition->func->rank; d++)
    if (definition->vars[d]->name == name) return definition->vars[d];
  HY_UNREACHABLE();
}

// The loops as variables of the algorithm; sets the stage's rdoms, of which the innermost loop is the first.
static size_t name_loops(raising *r, const hy_definition *definition, const hy_lowered_stage *s, int number,
                         hy_stage *stage, hy_binding *bindings) {
  hy_rdom *rdoms = HY_NEW_ARRAY(hy_context_arena(r->context), hy_rdom, s->loop_count + 1);
  for (int i = s->loop_count; i-- > 0;) {
    const hy_stmt *loop = s->loops[i];
    const hy_var *var = loop->loop.var;
    const hy_var *named = loop->loop.is_pure
                              ? pure_variable(definition, var->name)
                              : hy_var_new(r->context, HY_VAR_RDOM, HY_INT, var->name, definition->func, 0, number);
    if (!loop->loop.is_pure) rdoms[stage->rdom_count++] = (hy_rdom){.var = named, .interval = loop->loop.interval};
    bindings[i] = (hy_binding){var, hy_expr_var(r->context, named)};
  }
  stage->rdoms = rdoms;
  return (size_t)s->loop_count;
}

// What a term of op adds to the distance of two orders of it: of sums its size; of min and max nothing but what a NaN
// adds.   + : e -> |e|   min, max: e -> e == e ? 0.0 : e
static const hy_expr *magnitude(raising *r, hy_op op, const hy_expr *e) {
  if (op == HY_OP_ADD) return hy_expr_op(r->context, HY_OP_ABS, e->type, &e);
  const hy_expr *zero = hy_expr_const(r->context, hy_value_zero(e->type));
  const hy_expr *args[] = {hy_expr_binary(r->context, HY_OP_EQ, e, e), zero, e};
  return hy_expr_op(r->context, HY_OP_SELECT, e->type, args);
}

// f(e) op v1 op v2 -> the sum of the magnitudes of f(e), v1 and v2, in the parts that are floats
static const hy_expr *magnitudes(raising *r, const hy_lowered_stage *s) {
  hy_update update;
  const hy_expr *values[HY_MAX_PARTS];
  const hy_func *func = s->assign->assign.func;
  const char *why = hy_update_of(r->context, r->tgt, s->assign, s->predicate, s->loops, s->loop_count,
                                 s->loops[s->loop_count - 1]->loop.var, &update);
  HY_ASSERT(!why);
  for (int part = 0; part < hy_func_parts(func); part++) {
    values[part] = hy_expr_part(s->assign->assign.rhs, part);
    if (hy_type_class_of(values[part]->type) != HY_CLASS_FLOAT) continue;
    const hy_op op = update.op[part];
    const hy_expr *sum = magnitude(r, op, hy_expr_access_part(r->context, func, part, s->assign->assign.lhs));
    for (int i = 0; i < update.combined[part].count; i++)
      sum = hy_expr_binary(r->context, HY_OP_ADD, sum, magnitude(r, op, update.combined[part].operands[i]));
    values[part] = sum;
  }
  return hy_expr_tuple(r->context, values, hy_func_parts(func));
}

static bool is_cut(const raising *r, const hy_func *func, int number) {
  return r->cut && r->cut->func == func && r->cut->stage == number;
}

static hy_stage raise_stage(raising *r, const hy_definition *definition, int number) {
  const hy_func *func = definition->func;
  hy_lowered_stage s = hy_funcs_stage_at(r->tgt, func, number);
  hy_stage stage = {.loc = func->loc};
  hy_binding bindings[HY_COUNT(s.loops)];
  size_t count = name_loops(r, definition, &s, number, &stage, bindings);
  const hy_expr *value = s.assign->assign.rhs;
  const hy_expr **lhs = HY_NEW_ARRAY(hy_context_arena(r->context), const hy_expr *, func->rank + 1);
  if (is_cut(r, func, number) && r->cut->magnitudes) value = magnitudes(r, &s);
  for (int d = 0; d < func->rank; d++)
    lhs[d] = hy_expr_substitute(r->context, s.assign->assign.lhs[d], bindings, count);
  stage.lhs = lhs;
  stage.rhs = hy_expr_substitute(r->context, value, bindings, count);
  if (s.predicate) stage.predicate = hy_expr_substitute(r->context, s.predicate, bindings, count);
  return stage;
}

static void raise_func(raising *r, const hy_func *func) {
  hy_arena *arena = hy_context_arena(r->context);
  const hy_var **vars = HY_NEW_ARRAY(arena, const hy_var *, func->rank + 1);
  for (int d = 0; d < func->rank; d++) vars[d] = hy_var_new(r->context, HY_VAR_PURE, HY_INT, func->dims[d], func, d, 0);
  int count = hy_tgt_stage_count(r->tgt, func);
  if (r->cut && r->cut->func == func) count = r->cut->stage + 1;
  hy_definition definition = {.func = func, .vars = vars, .stage_count = count};
  hy_stage *stages = HY_NEW_ARRAY(arena, hy_stage, count);
  for (int i = 0; i < count; i++) stages[i] = raise_stage(r, &definition, i);
  definition.stages = stages;
  hy_vec_push(&r->definitions, definition);
}

// Funcs are computed in an order in which each may be defined. Behind the one that is cut off none is.
static bool raise_funcs(raising *r, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_FUNC) {
    raise_func(r, stmt->label.func);
    return !r->cut || r->cut->func != stmt->label.func;
  }
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  bool more = true;
  for (int i = 0; i < count && more; i++) more = raise_funcs(r, children[i]);
  return more;
}

static const hy_alg *read_again(hy_context *context, const hy_alg *alg) {
  hy_text text = {0};
  hy_alg_print(alg, &text);
  hy_source *source = HY_NEW(hy_context_arena(context), hy_source);
  const char *kept = hy_arena_copy(hy_context_arena(context), hy_text_string(&text), text.length);
  *source = (hy_source){"the meaning", kept, text.length};
  hy_diagnostics *said = hy_diagnostics_new();
  const hy_alg *read = hy_parse_alg(context, source, said);
  if (!read) {
    hy_text why = {0};
    hy_diagnostics_print(said, &why);
    HY_DIE("what a program of the funcs phase means is no algorithm:\n%s%s", hy_text_string(&why), kept);
  }
  hy_diagnostics_free(said);
  hy_text_free(&text);
  return read;
}

/* -- one func alone: an output has one value, so that a tuple's parts are funcs of their own -- */

static bool is_taken(const raising *r, const char *name) {
  bool taken = hy_alg_find(r->tgt->alg, name) != NULL;
  for (int i = 0; i < r->tgt->alg->param_count; i++) taken |= r->tgt->alg->params[i]->name == name;
  for (size_t i = 0; i < r->definitions.count; i++) {
    const hy_func *func = r->definitions.data[i].func;
    taken |= func->name == name;
    for (int d = 0; d < func->rank; d++) taken |= func->dims[d] == name;
  }
  return taken;
}

static const hy_func *part_of(raising *r, const hy_func *func, int part) {
  hy_arena *arena = hy_context_arena(r->context);
  const char *name = hy_context_name_of(r->context, hy_arena_printf(arena, "%s_part_%d", func->name, part));
  while (is_taken(r, name)) name = hy_context_name_of(r->context, hy_arena_printf(arena, "%s_", name));
  hy_func *made = HY_NEW(arena, hy_func);
  *made = *func;
  made->name = name;
  made->type = hy_func_type(func, part);
  made->more = 0;
  hy_definition definition = {.func = made, .stage_count = 1};
  const hy_var **vars = HY_NEW_ARRAY(arena, const hy_var *, func->rank + 1);
  const hy_expr **at = HY_NEW_ARRAY(arena, const hy_expr *, func->rank + 1);
  for (int d = 0; d < func->rank; d++) {
    vars[d] = hy_var_new(r->context, HY_VAR_PURE, HY_INT, func->dims[d], made, d, 0);
    at[d] = hy_expr_var(r->context, vars[d]);
  }
  hy_stage *stage = HY_NEW(arena, hy_stage);
  *stage = (hy_stage){.lhs = at, .rhs = hy_expr_access_part(r->context, func, part, at), .loc = func->loc};
  definition.vars = vars;
  definition.stages = stage;
  hy_vec_push(&r->definitions, definition);
  return made;
}

static int cut_outputs(raising *r, hy_output *outputs) {
  const hy_func *func = r->cut->func;
  int parts = hy_func_parts(func);
  for (int part = 0; part < parts; part++)
    outputs[part] = (hy_output){.func = parts == 1 ? func : part_of(r, func, part)};
  return parts;
}

const hy_alg *hy_funcs_meaning(hy_context *context, const hy_tgt *tgt, const hy_meaning_cut *cut) {
  raising r = {.context = context, .tgt = tgt, .cut = cut};
  raise_funcs(&r, tgt->body);
  hy_alg alg = *tgt->alg;
  hy_output outputs[HY_MAX_PARTS];
  alg.floats_in_any_order = false; // this order
  if (cut) {
    alg.output_count = cut_outputs(&r, outputs);
    alg.outputs = outputs;
    alg.output = outputs[0].func;
  }
  alg.definitions = r.definitions.data;
  alg.definition_count = (int)r.definitions.count;
  const hy_alg *read = read_again(context, &alg);
  hy_vec_free(&r.definitions);
  return read;
}
