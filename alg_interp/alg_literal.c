#include "alg_interp/alg_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The literal evaluator: the rules of Figure 6, one function each, with the id of the rule above it. Nothing is
 * remembered, so it is exponential in the program (D13): for tiny inputs, within a budget of rule applications.
 * Where a decision changes a rule for lazy mode (D4), the function says so; strict mode is the paper's text.
 */

// "D" of the rules: the definitions before "definitions", of which the last is cut: its stages up to "stage", and of
// that stage, once its rdom is unrolled, the first "instances" simple updates.
typedef struct {
  int definitions, stage;
  uint64_t instances;
} scope;

static const uint64_t NOT_UNROLLED = UINT64_MAX;
enum { DEEPEST = 2500 }; // nested judgements

// What has been substituted for the variables of the expression at hand.
typedef struct {
  const hy_definition *definition; // NULL: startup variables only
  const int64_t *point;
  const hy_stage *stage;
  const int64_t *rdom_point; // NULL in stage 0
  int part;                  // of the func, the one asked for
} bindings;

typedef struct {
  hy_context *context;
  const hy_alg *alg;
  const hy_input *input;
  hy_mode mode;
  hy_startup startup;
  hy_text *trace;
  uint64_t steps, step_limit, points;
  int depth;
  bool stopped;
} literal;

static hy_value eval(literal *l, scope d, const bindings *b, const hy_expr *expr);
static hy_value eval_at(literal *l, scope d, const hy_func *func, int part, const int64_t *point);
static hy_value image_eval(literal *l, const hy_func *image, const int64_t *point);

static hy_error join(hy_error a, hy_error b) { return a > b ? a : b; }

/* -- the derivation: conclusions first, premises indented below, then the value -- */

static void indent(const literal *l) { hy_text_printf(l->trace, "%*s", 2 * l->depth, ""); }

static bool apply_rule(literal *l, hy_rule rule) {
  hy_context_hit(l->context, rule);
  l->steps++;
  if ((l->step_limit && l->steps > l->step_limit) || l->depth >= DEEPEST) l->stopped = true;
  return !l->stopped;
}

static void trace_line(const literal *l, hy_rule rule, const char *what) {
  if (!l->trace) return;
  indent(l);
  hy_text_printf(l->trace, "[%s] %s\n", hy_rule_id(rule), what);
}

static void trace_point(const literal *l, hy_rule rule, const hy_func *func, const int64_t *point) {
  indent(l);
  hy_text_printf(l->trace, "[%s] %s(", hy_rule_id(rule), func->name);
  for (int d = 0; d < func->rank; d++) hy_text_printf(l->trace, "%s%" PRId64, d ? ", " : "", point[d]);
  hy_text_add(l->trace, ")");
}

static void trace_call(const literal *l, hy_rule rule, const hy_func *func, const int64_t *point) {
  if (!l->trace) return;
  trace_point(l, rule, func, point);
  hy_text_add(l->trace, "\n");
}

static void trace_part(const literal *l, hy_rule rule, const hy_func *func, int part, const int64_t *point) {
  if (!l->trace) return;
  trace_point(l, rule, func, point);
  if (func->more) hy_text_printf(l->trace, "[%d]", part);
  hy_text_add(l->trace, "\n");
}

static hy_value conclude(const literal *l, hy_value value) {
  if (!l->trace) return value;
  indent(l);
  hy_text_add(l->trace, "= ");
  hy_value_print(value, l->trace);
  hy_text_add(l->trace, "\n");
  return value;
}

/* -- the window -- */

// ALG.Realize: [c/p] D; f(i) => c_i for every i of the window of an output; of a tuple for each part (D80).
static void realize(literal *l, const hy_func *func, int part, hy_buffer *output) {
  int last = l->alg->definition_count - 1;
  int stages = l->alg->definitions[last].stage_count;
  scope d = {last + 1, stages - 1, NOT_UNROLLED};
  if (!output->count) return;
  int64_t point[HY_MAX_RANK];
  memcpy(point, output->min, sizeof point);
  do {
    if (!apply_rule(l, HY_RULE_ALG_REALIZE)) return;
    trace_part(l, HY_RULE_ALG_REALIZE, func, part, point);
    l->depth++;
    hy_value value = eval_at(l, d, func, part, point);
    l->depth--;
    hy_buffer_set(output, point, conclude(l, value));
  } while (!l->stopped && hy_next_point(output->rank, output->min, output->len, point));
}

// ALG.Realize-Require: D; e => true for each "require e", or the algorithm says nothing of the input
static bool requirements_hold(literal *l) {
  scope nothing = {0, 0, NOT_UNROLLED};
  bindings startup = {0};
  for (int i = 0; i < l->alg->requirement_count; i++) {
    hy_value value = eval(l, nothing, &startup, l->alg->requirements[i].condition);
    if (l->stopped) return true; // that is told instead
    if (!value.error && value.u) continue;
    apply_rule(l, HY_RULE_ALG_REALIZE_REQUIRE);
    trace_line(l, HY_RULE_ALG_REALIZE_REQUIRE, "a requirement is not met");
    return false;
  }
  return true;
}

/* -- expressions -- */

static hy_value substituted(const literal *l, const bindings *b, const hy_var *var) {
  if (b->definition)
    for (int d = 0; d < b->definition->func->rank; d++)
      if (b->definition->vars[d] == var) return hy_value_int(b->point[d]);
  if (b->rdom_point)
    for (int k = 0; k < b->stage->rdom_count; k++)
      if (b->stage->rdoms[k].var == var) return hy_value_int(b->rdom_point[k]);
  for (size_t i = 0; i < l->startup.count; i++)
    if (l->startup.vars[i] == var) return l->startup.values[i];
  HY_DIE("no value for the variable %s", var->name);
}

// ALG.Const-Eval: D; c => c. A variable is the constant that was substituted for it.
static hy_value const_eval(literal *l, const bindings *b, const hy_expr *expr) {
  if (!apply_rule(l, HY_RULE_ALG_CONST_EVAL)) return hy_value_zero(expr->type);
  bool is_var = expr->kind == HY_EXPR_VAR;
  hy_value value = is_var ? substituted(l, b, expr->var) : expr->value;
  if (l->trace) {
    indent(l);
    hy_text_printf(l->trace, "[%s] %s%s", hy_rule_id(HY_RULE_ALG_CONST_EVAL), is_var ? expr->var->name : "",
                   is_var ? " = " : "");
    hy_value_print(value, l->trace);
    hy_text_add(l->trace, "\n");
  }
  return value;
}

// ALG.Op-Eval: D; e1 => c1, ..., D; ek => ck, op(c1, ..., ck) => c, errors joined (VAL.Join, definition 4.1)
static hy_value op_eval(literal *l, scope d, const bindings *b, const hy_expr *expr) {
  if (!apply_rule(l, HY_RULE_ALG_OP_EVAL)) return hy_value_zero(expr->type);
  trace_line(l, HY_RULE_ALG_OP_EVAL, hy_op_spelling(expr->op));
  hy_value args[HY_MAX_ARITY];
  hy_error error = HY_OK;
  for (int i = 0; i < expr->count; i++) {
    args[i] = eval(l, d, b, expr->args[i]);
    error = join(error, args[i].error);
  }
  hy_context_hit(l->context, error != HY_OK ? HY_RULE_VAL_JOIN : hy_op_rule(expr->op, expr->args[0]->type));
  return conclude(l, hy_value_apply(expr->op, expr->type, args));
}

// ALG.Op-Lazy (D4): the first argument of select, and, or decides which other is evaluated; an erroring one is the
// value.
static hy_value op_lazy(literal *l, scope d, const bindings *b, const hy_expr *expr) {
  if (!apply_rule(l, HY_RULE_ALG_OP_LAZY)) return hy_value_zero(expr->type);
  trace_line(l, HY_RULE_ALG_OP_LAZY, hy_op_spelling(expr->op));
  hy_value first = eval(l, d, b, expr->args[0]);
  if (first.error) return conclude(l, hy_value_error(expr->type, (hy_error)first.error));
  bool truth = hy_value_is_true(first);
  if (expr->op == HY_OP_SELECT) return conclude(l, eval(l, d, b, expr->args[truth ? 1 : 2]));
  if (truth == (expr->op == HY_OP_OR)) return conclude(l, first);
  return conclude(l, eval(l, d, b, expr->args[1]));
}

static void parts(literal *l, const hy_expr *access) {
  apply_rule(l, HY_RULE_ALG_PARTS);
  if (!l->trace) return;
  indent(l);
  hy_text_printf(l->trace, "[%s] %s[%d]\n", hy_rule_id(HY_RULE_ALG_PARTS), access->func->name, access->part);
}

// ALG.Func-Arg-Eval: D; e1 => c1, ..., D; en => cn, D; f[c1, ..., cn] => c
// ALG.Parts (D80): of a tuple the part that the access names.
// ALG.Func-Arg-Err: an access is an operation too, so errors among the coordinates join (definition 4.1).
static hy_value func_arg_eval(literal *l, scope d, const bindings *b, const hy_expr *expr) {
  if (!apply_rule(l, HY_RULE_ALG_FUNC_ARG_EVAL)) return hy_value_zero(expr->type);
  trace_line(l, HY_RULE_ALG_FUNC_ARG_EVAL, expr->func->name);
  int64_t point[HY_MAX_RANK];
  hy_error error = HY_OK;
  for (int i = 0; i < expr->count; i++) {
    hy_value coordinate = eval(l, d, b, expr->args[i]);
    error = join(error, coordinate.error);
    point[i] = coordinate.i;
  }
  if (error != HY_OK) {
    apply_rule(l, HY_RULE_ALG_FUNC_ARG_ERR);
    return conclude(l, hy_value_error(expr->type, error));
  }
  if (expr->func->more) parts(l, expr);
  l->depth++;
  bool is_image = expr->func->is_image;
  hy_value value = is_image ? image_eval(l, expr->func, point) : eval_at(l, d, expr->func, expr->part, point);
  l->depth--;
  return conclude(l, value);
}

// ALG.Image (D14): an image is a func with a given Mem. ALG.Image-Outside: elsewhere it is eps_mem.
static hy_value image_eval(literal *l, const hy_func *image, const int64_t *point) {
  const hy_buffer *buffer = hy_alg_image(l->alg, l->input, image);
  bool inside = hy_buffer_contains(buffer, point);
  hy_rule rule = inside ? HY_RULE_ALG_IMAGE : HY_RULE_ALG_IMAGE_OUTSIDE;
  if (!apply_rule(l, rule)) return hy_value_zero(image->type);
  trace_call(l, rule, image, point);
  return conclude(l, inside ? hy_buffer_get(buffer, point) : hy_value_error(image->type, HY_ERROR_MEM));
}

static hy_value eval(literal *l, scope d, const bindings *b, const hy_expr *expr) {
  if (l->stopped) return hy_value_zero(expr->type);
  l->depth++;
  hy_value value = hy_value_zero(expr->type);
  switch (expr->kind) {
  case HY_EXPR_CONST:
  case HY_EXPR_VAR: value = const_eval(l, b, expr); break;
  case HY_EXPR_ACCESS: value = func_arg_eval(l, d, b, expr); break;
  case HY_EXPR_OP: {
    value = hy_op_is_lazy(expr->op) && l->mode == HY_LAZY ? op_lazy(l, d, b, expr) : op_eval(l, d, b, expr);
    break;
  }
  case HY_EXPR_TUPLE:
  case HY_EXPR_HOLE: HY_DIE("a hole or a tuple in an expression of an algorithm");
  }
  l->depth--;
  return value;
}

/* -- funcs at points: f[c1, ..., cn] -- */

// ALG.Func-Passthrough: f is not the last func of D, so that one is dropped.
static scope func_passthrough(literal *l, scope d, const hy_func *func, const int64_t *point) {
  apply_rule(l, HY_RULE_ALG_FUNC_PASSTHROUGH);
  trace_call(l, HY_RULE_ALG_FUNC_PASSTHROUGH, func, point);
  HY_ASSERT(d.definitions > 1);
  d.definitions--;
  d.stage = l->alg->definitions[d.definitions - 1].stage_count - 1;
  d.instances = NOT_UNROLLED;
  return d;
}

// ALG.Func-Eval: D; [c/x] e => c', for fun f(x) = {e}; e does not mention f, so D may stay.
static hy_value func_eval(literal *l, scope d, const hy_definition *f, int part, const int64_t *point) {
  if (!apply_rule(l, HY_RULE_ALG_FUNC_EVAL)) return hy_value_zero(hy_func_type(f->func, part));
  trace_call(l, HY_RULE_ALG_FUNC_EVAL, f->func, point);
  l->points++;
  bindings b = {.definition = f, .point = point, .stage = &f->stages[0]};
  return conclude(l, eval(l, d, &b, hy_expr_part(f->stages[0].rhs, part)));
}

// What one simple update says about a point.
typedef struct {
  bool is_hit;
  hy_error error; // of the predicate and of the coordinates
} hit;

// e1 = x1 && ... && en = xn && p. Lazy mode (D4): a false predicate decides alone; an erroring coordinate matches every
// value, an erroring predicate counts as true.
static hit find_hit(literal *l, scope d, const bindings *b) {
  const hy_stage *stage = b->stage;
  hit h = {.is_hit = true};
  if (stage->predicate) {
    hy_value predicate = eval(l, d, b, stage->predicate);
    h.error = predicate.error;
    h.is_hit = predicate.error || hy_value_is_true(predicate);
    if (!h.is_hit && l->mode == HY_LAZY) return h;
  }
  for (int i = 0; i < b->definition->func->rank; i++) {
    hy_value coordinate = eval(l, d, b, stage->lhs[i]);
    h.error = join(h.error, coordinate.error);
    if (!coordinate.error && coordinate.i != b->point[i]) h.is_hit = false;
  }
  return h;
}

static hy_value update_strict(literal *l, scope before, const bindings *b);

// ALG.Update-Eval: D with f cut before its last simple update; [c/x] select(e1 = x1 && ... && p, e, f[x]) => c'
// ALG.Update-Poison (D4, D12): a hit with any error stores their join. ALG.Update-Miss: the value is f's before.
// Sets *value and returns true, unless the update misses.
static bool update_eval(literal *l, scope before, const bindings *b, hy_value *value) {
  const hy_func *func = b->definition->func;
  hy_type type = hy_func_type(func, b->part);
  *value = hy_value_zero(type);
  if (l->mode == HY_STRICT) {
    *value = conclude(l, update_strict(l, before, b));
    return true;
  }
  if (!apply_rule(l, HY_RULE_ALG_UPDATE_EVAL)) return true;
  trace_call(l, HY_RULE_ALG_UPDATE_EVAL, func, b->point);
  l->points++;
  hit h = find_hit(l, before, b);
  if (!h.is_hit) {
    apply_rule(l, HY_RULE_ALG_UPDATE_MISS);
    trace_line(l, HY_RULE_ALG_UPDATE_MISS, func->name);
    return false;
  }
  *value = eval(l, before, b, hy_expr_part(b->stage->rhs, b->part));
  if (join(h.error, value->error) != HY_OK) {
    apply_rule(l, HY_RULE_ALG_UPDATE_POISON);
    *value = hy_value_error(type, join(h.error, value->error));
  }
  *value = conclude(l, *value);
  return true;
}

// ALG.Update-Strict: select joins the errors of the condition, of the new value and of the old one.
static hy_value update_strict(literal *l, scope before, const bindings *b) {
  const hy_func *func = b->definition->func;
  hy_type type = hy_func_type(func, b->part);
  if (!apply_rule(l, HY_RULE_ALG_UPDATE_STRICT)) return hy_value_zero(type);
  trace_call(l, HY_RULE_ALG_UPDATE_STRICT, func, b->point);
  l->points++;
  hit h = find_hit(l, before, b);
  hy_value updated = eval(l, before, b, hy_expr_part(b->stage->rhs, b->part));
  l->depth++;
  hy_value old = eval_at(l, before, func, b->part, b->point);
  l->depth--;
  hy_error error = join(h.error, join(updated.error, old.error));
  if (error != HY_OK) return hy_value_error(type, error);
  return h.is_hit ? updated : old;
}

static bool find_bounds(literal *l, const hy_stage *stage, int64_t *min, int64_t *len) {
  const bindings none = {0};
  for (int k = 0; k < stage->rdom_count; k++) {
    hy_value low = eval(l, (scope){0}, &none, stage->rdoms[k].interval.min);
    hy_value length = eval(l, (scope){0}, &none, stage->rdoms[k].interval.len);
    if (!hy_rdom_is_valid(low, length)) return false;
    min[k] = low.i;
    len[k] = length.i;
  }
  return true;
}

// The premises of ALG.RDom-Err and ALG.RDom-Eval, without a line of the derivation: which of the two applies.
static bool has_points(literal *l, const hy_stage *stage, int64_t *min, int64_t *len) {
  hy_text *trace = l->trace;
  l->trace = NULL;
  bool valid = find_bounds(l, stage, min, len);
  l->trace = trace;
  return valid || l->stopped;
}

// ALG.RDom-Err: a bound errs, a length is negative, or the end leaves 64 bits; here, not elsewhere (D89).
static hy_value rdom_err(literal *l, const hy_func *func, int part, const int64_t *point, const hy_stage *stage,
                         int64_t *min, int64_t *len) {
  hy_type type = hy_func_type(func, part);
  if (!apply_rule(l, HY_RULE_ALG_RDOM_ERR)) return hy_value_zero(type);
  trace_call(l, HY_RULE_ALG_RDOM_ERR, func, point);
  if (l->trace) find_bounds(l, stage, min, len);
  return conclude(l, hy_value_error(type, HY_ERROR_RDOM));
}

// ALG.RDom-Eval: the update becomes one simple update for each point of the rdom, rdoms[0] innermost. An update without
// rdom is its own simple update. Returns how many there are, saturating.
static uint64_t rdom_eval(literal *l, const hy_func *func, const int64_t *point, const hy_stage *stage, int64_t *min,
                          int64_t *len) {
  if (!apply_rule(l, HY_RULE_ALG_RDOM_EVAL)) return 0;
  trace_call(l, HY_RULE_ALG_RDOM_EVAL, func, point);
  find_bounds(l, stage, min, len);
  uint64_t count = 1;
  bool overflows = false;
  for (int k = 0; k < stage->rdom_count; k++) {
    if (l->stopped || len[k] == 0) return 0;
    overflows |= __builtin_mul_overflow(count, (uint64_t)len[k], &count);
  }
  return overflows ? NOT_UNROLLED - 1 : count;
}

static void choose_instance(const hy_stage *stage, const int64_t *min, const int64_t *len, uint64_t index,
                            int64_t *rdom_point) {
  for (int k = 0; k < stage->rdom_count; k++) {
    rdom_point[k] = min[k] + (int64_t)(index % (uint64_t)len[k]);
    index /= (uint64_t)len[k];
  }
}

// Stage "d.stage" of f, last instance first: the first that hits gives the value. Otherwise returns false.
static bool eval_stage(literal *l, scope *d, const hy_definition *f, int part, const int64_t *point, hy_value *value) {
  const hy_stage *stage = &f->stages[d->stage];
  int64_t *bounds = hy_allocate(sizeof *bounds * (3 * (size_t)stage->rdom_count + 1));
  int64_t *min = bounds, *len = min + stage->rdom_count, *rdom_point = len + stage->rdom_count;
  bool decided = !has_points(l, stage, min, len);
  if (decided)
    *value = rdom_err(l, f->func, part, point, stage, min, len);
  else if (d->instances == NOT_UNROLLED)
    d->instances = rdom_eval(l, f->func, point, stage, min, len);
  while (!decided && !l->stopped && d->instances > 0) {
    d->instances--;
    choose_instance(stage, min, len, d->instances, rdom_point);
    bindings b = {f, point, stage, rdom_point, part};
    decided = update_eval(l, *d, &b, value);
  }
  d->stage--;
  d->instances = NOT_UNROLLED;
  hy_free(bounds);
  return decided;
}

static hy_value eval_at(literal *l, scope d, const hy_func *func, int part, const int64_t *point) {
  while (!l->stopped && l->alg->definitions[d.definitions - 1].func != func) d = func_passthrough(l, d, func, point);
  hy_value value = hy_value_zero(hy_func_type(func, part));
  const hy_definition *f = &l->alg->definitions[d.definitions - 1];
  while (!l->stopped && d.stage > 0)
    if (eval_stage(l, &d, f, part, point, &value)) return value;
  return l->stopped ? value : func_eval(l, d, f, part, point);
}

/* -- the program -- */

// Would the target's entry check pass (D11)? Of every func that the output reaches, whatever the derivation met.
static bool check_rdoms(literal *l) {
  bool *reached = hy_alg_reached_definitions(l->alg), valid = true;
  for (int i = 0; i < l->alg->definition_count; i++) {
    const hy_definition *definition = &l->alg->definitions[i];
    for (int j = 0; reached[i] && j < definition->stage_count; j++) {
      size_t count = (size_t)definition->stages[j].rdom_count;
      int64_t *bounds = hy_allocate(sizeof *bounds * (2 * count + 1));
      valid &= has_points(l, &definition->stages[j], bounds, bounds + count);
      hy_free(bounds);
    }
  }
  hy_free(reached);
  return valid;
}

static void realize_all(literal *l, hy_alg_result *result) {
  if (!check_rdoms(l)) result->entry = HY_ERROR_RDOM;
  for (int k = 0; k < l->alg->part_count && !l->stopped; k++)
    realize(l, l->alg->parts[k].func, l->alg->parts[k].part, hy_alg_output_at(result->output, k));
}

void hy_alg_run_literal(hy_context *context, const hy_alg *alg, const hy_input *input, const hy_alg_options *options,
                        hy_alg_result *result) {
  if (!hy_alg_begin(context, alg, input, result)) return;
  literal l = {.context = context,
               .alg = alg,
               .input = input,
               .mode = options->mode,
               .trace = options->trace,
               .step_limit = options->step_limit};
  hy_startup_init(&l.startup, alg, input);
  if (requirements_hold(&l))
    realize_all(&l, result);
  else
    hy_alg_refuse(result);
  if (l.stopped) {
    result->status = HY_RUN_LIMIT;
    hy_buffer_free(result->output);
    result->output = NULL;
  }
  result->points = l.points;
  hy_startup_free(&l.startup);
}
