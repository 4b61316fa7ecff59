/* Tuples as values, written out: what has several values where a stage stores them, or behind a let.
 *
 *   fun s(x) = t(x);                                  fun s(x) = (t(x)[0], t(x)[1]);
 *   fun s(x) = select(c, t(x), (a, b));               fun s(x) = (select(c, t(x)[0], a), select(c, t(x)[1], b));
 *   fun s(x) = let z = t(x) in z[0] + z[1];           fun s(x) = let z.0 = t(x)[0] in let z.1 = t(x)[1] in z.0 + z.1;
 *
 * Nothing else is one: a tuple is no operand. All places are those of what was written, so that messages speak of it.
 */

#include "semantics/text/alg_internal.h"

#include <string.h>

typedef struct {
  const char *name;
  int values;
} counted;

typedef struct {
  hy_context *context;
  hy_arena *arena;
  hy_diagnostics *diagnostics;
  const hy_written_pipeline *pipeline;
  const hy_written_func *func; // in which they are looked for
  const hy_written_stage *stage;
  HY_VEC(counted) funcs; // above, and this one: those of several values
  HY_VEC(counted) lets;  // around
} spreader;

static int find(const counted *list, size_t count, const char *name) {
  for (size_t i = count; i-- > 0;)
    if (list[i].name == name) return list[i].values;
  return 1;
}

/* -- how many values -- */

// Where the arms of a choice stand among its arguments: those of select behind its conditions, and the last one.
static bool is_arm(const hy_syntax *call, int i) {
  bool is_select = strcmp(call->args[0]->text, "select") == 0, is_mux = strcmp(call->args[0]->text, "mux") == 0;
  if (is_select && call->count >= 4 && call->count % 2 == 0) return i > 0 && (i % 2 == 0 || i == call->count - 1);
  return is_mux && call->count >= 3 && i >= 2;
}

// "repeat_edge(g, ..)" of a func of several values
static int values_continued(const spreader *s, const hy_syntax *condition) {
  hy_boundary boundary;
  bool is_call = condition->kind == HY_SYNTAX_CALL && condition->count > 1;
  const hy_syntax *name = is_call ? condition->args[0] : condition, *source = is_call ? condition->args[1] : condition;
  if (!is_call || name->kind != HY_SYNTAX_NAME || source->kind != HY_SYNTAX_NAME) return 1;
  for (int i = 0; i < s->pipeline->func_count; i++)
    if (s->pipeline->funcs[i].name.text == name->text) return 1; // no form
  return hy_boundary_find(name->text, &boundary) ? find(s->funcs.data, s->funcs.count, source->text) : 1;
}

static int values_of(const spreader *s, const hy_syntax *syntax) {
  if (syntax->kind == HY_SYNTAX_INTERVAL || syntax->kind == HY_SYNTAX_TUPLE) return syntax->count;
  if (syntax->kind == HY_SYNTAX_NAME) return find(s->lets.data, s->lets.count, syntax->text);
  if (syntax->kind == HY_SYNTAX_CALL && syntax->args[0]->kind == HY_SYNTAX_CALL)
    return values_continued(s, syntax->args[0]);
  if (syntax->kind != HY_SYNTAX_CALL || syntax->args[0]->kind != HY_SYNTAX_NAME) return 1;
  int most = find(s->funcs.data, s->funcs.count, syntax->args[0]->text);
  for (int i = 1; i < syntax->count; i++) {
    int values = is_arm(syntax, i) ? values_of(s, syntax->args[i]) : 1;
    if (values > most) most = values;
  }
  return most;
}

/* -- nodes, which stand where "at" does -- */

static const hy_syntax *make(spreader *s, hy_syntax model, const hy_syntax *at, const hy_syntax *const *args,
                             int count) {
  return hy_syntax_at(s->context, model, at, args, count);
}

static const hy_syntax *make_part(spreader *s, const hy_syntax *whole, int part) {
  const char *text = hy_context_name_of(s->context, hy_arena_printf(s->arena, "%d", part));
  const hy_syntax *number = make(s, (hy_syntax){.kind = HY_SYNTAX_INTEGER, .text = text}, whole, NULL, 0);
  return make(s, (hy_syntax){.kind = HY_SYNTAX_INDEX}, whole, (const hy_syntax *[]){whole, number}, 2);
}

// No text can say it, so that nothing else has it.
static const char *name_of_part(spreader *s, const char *name, int part) {
  return hy_context_name_of(s->context, hy_arena_printf(s->arena, "%s.%d", name, part));
}

static const hy_syntax *spread(spreader *s, const hy_syntax *syntax);

// Part k of a choice is the choice between the parts k of its arms.
static const hy_syntax *part_of_choice(spreader *s, const hy_syntax *call, const hy_syntax *const *arms, int part) {
  const hy_syntax **args = HY_NEW_ARRAY(s->arena, const hy_syntax *, call->count);
  for (int i = 0; i < call->count; i++)
    args[i] = arms[i] ? arms[i]->args[part] : i ? spread(s, call->args[i]) : call->args[i];
  return make(s, *call, call, args, call->count);
}

/* -- boundary conditions -- */

static const hy_syntax *spread_values(spreader *s, const hy_syntax *syntax);

static bool takes_value(const hy_syntax *condition) {
  hy_boundary boundary;
  return hy_boundary_find(condition->args[0]->text, &boundary) && hy_boundary_takes_value(boundary);
}

static void refuse_exterior(spreader *s, const hy_syntax *condition, int values) {
  const hy_syntax *value = condition->count > 2 ? condition->args[2] : condition;
  int given = condition->count > 2 ? values_of(s, value) : 0;
  hy_context_hit(s->context, HY_RULE_ALG_VALID_PARTS_NOT);
  hy_report(s->diagnostics, HY_E_TUPLE_WHOLE, value->loc, "each value of a func is continued by one of its own",
            hy_arena_printf(s->arena, "write a tuple of %d: constant_exterior(%s, (0, 1), (min, len))", values,
                            hy_syntax_quote(s->context, condition->args[1])),
            "'%s' has %d values, and here %s %d", condition->args[1]->text, values, given == 1 ? "is" : "are", given);
  hy_syntax_note_use(s->context, s->diagnostics, hy_syntax_use(condition));
}

// The values that constant_exterior has outside, as a tuple; the condition itself where there are none. NULL after a report.
static const hy_syntax *spread_exterior(spreader *s, const hy_syntax *condition, int values) {
  if (!takes_value(condition)) return condition;
  if (condition->count > 2 && values_of(s, condition->args[2]) == values) return spread_values(s, condition->args[2]);
  refuse_exterior(s, condition, values);
  return NULL;
}

static const hy_syntax *part_of_condition(spreader *s, const hy_syntax *condition, const hy_syntax *all, int part) {
  if (all == condition) return condition;
  const hy_syntax **args = HY_NEW_ARRAY(s->arena, const hy_syntax *, condition->count);
  for (int i = 0; i < condition->count; i++) args[i] = i == 2 ? all->args[part] : condition->args[i];
  return make(s, *condition, condition, args, condition->count);
}

// ALG.Expand.Boundary-Tuple: "repeat_edge(g, ..)(x)", or without coordinates, as a tuple; each coordinate is looked at once.
// NULL after a report.
static const hy_syntax *spread_continued(spreader *s, const hy_syntax *whole, int values) {
  bool is_read = whole->args[0]->kind == HY_SYNTAX_CALL;
  const hy_syntax *condition = is_read ? whole->args[0] : whole, *all = spread_exterior(s, condition, values);
  const hy_syntax **args = HY_NEW_ARRAY(s->arena, const hy_syntax *, whole->count);
  const hy_syntax **parts = HY_NEW_ARRAY(s->arena, const hy_syntax *, values);
  if (!all) return NULL;
  for (int i = 1; is_read && i < whole->count; i++)
    if (!(args[i] = spread(s, whole->args[i]))) return NULL;
  hy_context_hit(s->context, HY_RULE_ALG_EXPAND_BOUNDARY_TUPLE);
  for (int k = 0; k < values; k++) {
    args[0] = part_of_condition(s, condition, all, k);
    parts[k] = make_part(s, is_read ? make(s, *whole, whole, args, whole->count) : args[0], k);
  }
  return make(s, (hy_syntax){.kind = HY_SYNTAX_TUPLE}, whole, parts, values);
}

/* -- as tuples -- */

static void refuse_uneven(spreader *s, const hy_syntax *arm, int values) {
  hy_context_hit(s->context, HY_RULE_ALG_VALID_PARTS_NOT);
  hy_report(s->diagnostics, HY_E_TUPLE_WHOLE, arm->loc, "a choice between tuples is one of each of their values",
            "write as many values in each: (a, b)", "'%s' has %d value%s, and what it is chosen with has %d",
            hy_syntax_quote(s->context, arm), values_of(s, arm), values_of(s, arm) == 1 ? "" : "s", values);
  hy_syntax_note_use(s->context, s->diagnostics, hy_syntax_use(arm));
}

// What is of one value, and is not said to be wrong, stays.
static const hy_syntax *spread_choice(spreader *s, const hy_syntax *call, int values) {
  const hy_syntax **arms = HY_NEW_ARRAY(s->arena, const hy_syntax *, call->count);
  const hy_syntax **parts = HY_NEW_ARRAY(s->arena, const hy_syntax *, values);
  for (int i = 0; i < call->count; i++) {
    arms[i] = is_arm(call, i) ? spread_values(s, call->args[i]) : NULL;
    if (!arms[i] || values_of(s, arms[i]) == values) continue;
    refuse_uneven(s, call->args[i], values);
    return NULL;
  }
  for (int k = 0; k < values; k++) parts[k] = part_of_choice(s, call, arms, k);
  return make(s, (hy_syntax){.kind = HY_SYNTAX_TUPLE}, call, parts, values);
}

// ALG.Expand.Tuple: something of several values as (a, b, ..). NULL after a report.
static const hy_syntax *spread_tuple(spreader *s, const hy_syntax *syntax, int values) {
  if (syntax->kind == HY_SYNTAX_INTERVAL || syntax->kind == HY_SYNTAX_TUPLE) return spread(s, syntax);
  hy_context_hit(s->context, HY_RULE_ALG_EXPAND_TUPLE);
  bool is_call = syntax->kind == HY_SYNTAX_CALL;
  if (is_call && syntax->args[0]->kind == HY_SYNTAX_CALL) return spread_continued(s, syntax, values);
  if (is_call && find(s->funcs.data, s->funcs.count, syntax->args[0]->text) == 1)
    return spread_choice(s, syntax, values);
  const hy_syntax **parts = HY_NEW_ARRAY(s->arena, const hy_syntax *, values);
  const hy_syntax *whole = is_call ? spread(s, syntax) : syntax;
  for (int k = 0; k < values; k++) {
    hy_syntax part = {.kind = HY_SYNTAX_NAME};
    if (!is_call) part.text = name_of_part(s, syntax->text, k);
    parts[k] = is_call ? make_part(s, whole, k) : make(s, part, syntax, NULL, 0);
  }
  return make(s, (hy_syntax){.kind = HY_SYNTAX_TUPLE}, syntax, parts, values);
}

/* -- lets -- */

static bool is_taken(const spreader *s, const char *name) {
  const hy_written_pipeline *p = s->pipeline;
  bool taken = false;
  for (size_t i = 0; i < s->lets.count; i++) taken |= s->lets.data[i].name == name;
  for (int i = 0; i < p->param_count; i++) taken |= p->params[i].name.text == name;
  for (int i = 0; i < p->named_count; i++) taken |= p->named[i].name.text == name;
  for (int i = 0; i < p->func_count; i++) taken |= p->funcs[i].name.text == name;
  for (int d = 0; d < s->func->rank; d++) taken |= s->func->dims[d].text == name;
  for (int i = 0; i < s->stage->rdom_count; i++) taken |= s->stage->rdoms[i].name.text == name;
  return taken;
}

static void check_name(spreader *s, const hy_syntax *let) {
  if (is_taken(s, let->text))
    hy_report(s->diagnostics, HY_E_SHADOWED, let->place, "a name in scope may not be shadowed", "choose another name",
              "'%s' is in scope already", let->text);
}

// A let of one value is looked at where names get their meaning, unless one of several, which is gone then, has its name.
static bool hides_tuple(const spreader *s, const char *name) { return find(s->lets.data, s->lets.count, name) > 1; }

// rewrite: let z = (a, b) in e -> let z.0 = a in let z.1 = b in e
static const hy_syntax *spread_let(spreader *s, const hy_syntax *let,
                                   const hy_syntax *rest(spreader *s, const hy_syntax *body)) {
  int values = values_of(s, let->args[0]);
  const hy_syntax *value = spread_values(s, let->args[0]);
  if (values > 1 || hides_tuple(s, let->text)) check_name(s, let);
  hy_vec_push(&s->lets, (counted){let->text, values});
  const hy_syntax *body = rest(s, let->args[1]);
  s->lets.count--;
  if (!value || !body) return NULL;
  if (values == 1) return make(s, *let, let, (const hy_syntax *[]){value, body}, 2);
  for (int k = values; k-- > 0;) {
    hy_syntax part = {.kind = HY_SYNTAX_LET, .text = name_of_part(s, let->text, k)};
    body = make(s, part, let, (const hy_syntax *[]){value->args[k], body}, 2);
  }
  return body;
}

/* -- expressions -- */

// The call for which it stands, if it does.
static const hy_syntax *shown(const hy_syntax *s) {
  return s->written_for && s->written_for->shown ? s->written_for->shown : s;
}

// z[0] of a let, and select(c, t(x), u(x))[0]; "z" and the like alone is refused. The same node if it is none of these.
static const hy_syntax *spread_index(spreader *s, const hy_syntax *index) {
  const hy_syntax *whole = index->args[0];
  bool is_func = whole->kind == HY_SYNTAX_CALL && whole->args[0]->kind == HY_SYNTAX_NAME &&
                 find(s->funcs.data, s->funcs.count, whole->args[0]->text) > 1;
  int values = is_func ? 1 : values_of(s, whole), part;
  if (values == 1) return index;
  part = hy_syntax_part(index);
  if (part >= 0 && part < values) {
    const hy_syntax *all = spread_tuple(s, whole, values);
    return all ? all->args[part] : NULL;
  }
  const char *quote = hy_syntax_quote(s->context, shown(whole));
  hy_report(s->diagnostics, HY_E_TUPLE_PART, index->loc, NULL,
            hy_arena_printf(s->arena, "write %s[0] to %s[%d], with the number itself", quote, quote, values - 1),
            "'%s' has %d values, and no '%s'", quote, values, hy_syntax_quote(s->context, index));
  hy_syntax_note_use(s->context, s->diagnostics, hy_syntax_use(index));
  return NULL;
}

static const hy_syntax *refuse_whole(spreader *s, const hy_syntax *name, int values) {
  const char *quote = hy_syntax_quote(s->context, name); // its name in the text
  hy_context_hit(s->context, HY_RULE_ALG_VALID_PARTS_NOT);
  hy_report(s->diagnostics, HY_E_TUPLE_WHOLE, name->loc, "an expression has one value",
            hy_arena_printf(s->arena, "write %s[0] for the first of them", quote),
            "'%s' has %d values, and one stands here", quote, values);
  hy_syntax_note_use(s->context, s->diagnostics, hy_syntax_use(name));
  return NULL;
}

// An expression of one value, or a tuple as it is written, with what is in it. NULL after a report.
static const hy_syntax *spread(spreader *s, const hy_syntax *syntax) {
  if (syntax->kind == HY_SYNTAX_LET) return spread_let(s, syntax, spread);
  if (syntax->kind == HY_SYNTAX_NAME && values_of(s, syntax) > 1) return refuse_whole(s, syntax, values_of(s, syntax));
  if (syntax->kind == HY_SYNTAX_INDEX) {
    const hy_syntax *part = spread_index(s, syntax);
    if (part != syntax) return part;
  }
  const hy_syntax **args = HY_NEW_ARRAY(s->arena, const hy_syntax *, syntax->count);
  bool same = true;
  for (int i = 0; i < syntax->count; i++) {
    args[i] = spread(s, syntax->args[i]);
    if (!args[i]) return NULL;
    same &= args[i] == syntax->args[i];
  }
  return same ? syntax : make(s, *syntax, syntax, args, syntax->count);
}

static const hy_syntax *spread_values(spreader *s, const hy_syntax *syntax) {
  if (syntax->kind == HY_SYNTAX_LET) return spread_let(s, syntax, spread_values);
  int values = values_of(s, syntax);
  return values > 1 ? spread_tuple(s, syntax, values) : spread(s, syntax);
}

/* -- all of it -- */

static hy_written_stage spread_stage(spreader *s, const hy_written_stage *written) {
  hy_written_stage stage = *written;
  const hy_syntax **lhs = HY_NEW_ARRAY(s->arena, const hy_syntax *, stage.lhs_count);
  int continued = s->func->is_short && written == s->func->stages ? values_continued(s, stage.rhs) : 1;
  s->stage = written;
  for (int d = 0; d < stage.lhs_count; d++) lhs[d] = spread(s, stage.lhs[d]);
  if (stage.lhs) stage.lhs = lhs;
  stage.rhs = continued > 1 ? spread_continued(s, stage.rhs, continued) : spread_values(s, stage.rhs);
  if (stage.predicate) stage.predicate = spread(s, stage.predicate);
  return stage;
}

static void spread_func(spreader *s, hy_written_func *func) {
  hy_written_stage *stages = HY_NEW_ARRAY(s->arena, hy_written_stage, func->stage_count);
  s->func = func;
  for (int j = 0; j < func->stage_count; j++) {
    stages[j] = spread_stage(s, &func->stages[j]);
    int values = j == 0 && stages[j].rhs ? hy_syntax_values(stages[j].rhs) : 1;
    if (values > 1) hy_vec_push(&s->funcs, (counted){func->name.text, values});
  }
  func->stages = stages;
}

static bool stage_has_tuple(const hy_written_stage *stage) {
  bool is_one = stage->rhs->has_tuple || (stage->predicate && stage->predicate->has_tuple);
  for (int d = 0; d < stage->lhs_count && !is_one; d++) is_one = stage->lhs[d]->has_tuple;
  return is_one;
}

static bool any_tuple(const hy_written_pipeline *written) {
  for (int i = 0; i < written->func_count; i++)
    for (int j = 0; j < written->funcs[i].stage_count; j++)
      if (stage_has_tuple(&written->funcs[i].stages[j])) return true;
  return false;
}

const hy_written_pipeline *hy_tuples_out(hy_context *context, const hy_written_pipeline *written,
                                         hy_diagnostics *diagnostics) {
  if (!any_tuple(written)) return written;
  hy_arena *arena = hy_context_arena(context);
  size_t before = hy_diagnostics_errors(diagnostics);
  spreader s = {.context = context, .arena = arena, .diagnostics = diagnostics, .pipeline = written};
  hy_written_pipeline *pipeline = HY_NEW(arena, hy_written_pipeline);
  hy_written_func *funcs = HY_NEW_ARRAY(arena, hy_written_func, written->func_count);
  *pipeline = *written;
  pipeline->funcs = funcs;
  for (int i = 0; i < written->func_count && hy_diagnostics_errors(diagnostics) == before; i++) {
    funcs[i] = written->funcs[i]; // how many values a func has that is wrong, those below it cannot know
    spread_func(&s, &funcs[i]);
  }
  hy_vec_free(&s.funcs);
  hy_vec_free(&s.lets);
  return hy_diagnostics_errors(diagnostics) > before ? NULL : pipeline;
}
