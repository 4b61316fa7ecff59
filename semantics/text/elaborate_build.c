/* The last step of elaboration: expressions, once every type is known. Literals get the values of their types here. */

#include "semantics/text/elaborate_internal.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* -- literals -- */

// By how much: u8(-1) would shift by 255. NULL: nothing is shifted by it.
static char *shift_help(hy_elaboration *e, const hy_typed *typed, hy_type type) {
  if (!typed->shift) return NULL;
  const hy_syntax *literal = typed->syntax;
  const hy_op other = typed->shift->op == HY_OP_SHL ? HY_OP_SHR : HY_OP_SHL;
  if (!literal->is_negative)
    return hy_arena_printf(e->arena, "%s has %d bits: shift by 0 to %d", hy_type_name(type), hy_type_bits(type),
                           hy_type_bits(type) - 1);
  return hy_arena_printf(e->arena, "write %s %s %s", hy_syntax_quote(e->context, typed->shift->args[0]),
                         hy_op_spelling(other), literal->text);
}

static const hy_expr *out_of_range(hy_elaboration *e, const hy_typed *typed, hy_type type) {
  const hy_syntax *literal = typed->syntax;
  if (hy_elaboration_gave_up(e)) return NULL;
  const char *text = hy_syntax_quote(e->context, literal);
  char *help = shift_help(e, typed, type);
  if (help) {
    // said
  } else if (type == HY_BOOL) {
    help = hy_arena_printf(e->arena, "write true or false");
  } else if (hy_type_class_of(type) == HY_CLASS_UNSIGNED && type != HY_U64) {
    int64_t least, greatest;
    hy_type_range(type, &least, &greatest);
    help = hy_arena_printf(e->arena, "%s holds 0 to %lld; write %s(%s) for the value modulo 2^%d", hy_type_name(type),
                           (long long)greatest, hy_type_name(type), text, hy_type_bits(type));
  } else if (hy_type_class_of(type) == HY_CLASS_SIGNED) {
    int64_t least, greatest;
    hy_type_range(type, &least, &greatest);
    help =
        hy_arena_printf(e->arena, "%s holds %lld to %lld", hy_type_name(type), (long long)least, (long long)greatest);
  }
  hy_report(e->diagnostics, HY_E_LITERAL_RANGE, literal->loc, "a literal takes the type of its context", help,
            type == HY_BOOL ? "%s is not a %s" : "%s does not fit %s", text, hy_type_name(type));
  hy_elaboration_note_use(e, typed->use);
  return NULL;
}

// Rounded once, to the type itself; the sign is exact. An integer's -0 is 0.
static hy_value float_value(const hy_syntax *literal, hy_type type) {
  hy_value value = hy_value_from_text(type, literal->text);
  double sign = literal->is_negative ? -1 : 1, size = hy_value_to_double(value);
  if (size == 0 && literal->kind == HY_SYNTAX_INTEGER) return hy_value_zero(type);
  return hy_value_from_double(type, size * sign);
}

static bool is_finite(hy_value value) { return isfinite(hy_value_to_double(value)); }

static bool integer_fits(const hy_syntax *literal, hy_type type) {
  errno = 0;
  uint64_t magnitude = strtoull(literal->text, NULL, 0);
  int64_t least, greatest;
  hy_type_range(type, &least, &greatest);
  if (errno) return false;
  if (literal->is_negative) return magnitude <= (uint64_t)0 - (uint64_t)least;
  return type == HY_U64 || magnitude <= (uint64_t)greatest;
}

bool hy_literal_fits(const hy_syntax *literal, hy_type type) {
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) return is_finite(float_value(literal, type));
  return literal->kind == HY_SYNTAX_INTEGER && type != HY_BOOL && integer_fits(literal, type);
}

static const hy_expr *build_literal(hy_elaboration *e, const hy_typed *typed, hy_type type) {
  const hy_syntax *literal = typed->syntax;
  if (literal->kind == HY_SYNTAX_BOOL) return hy_expr_bool(e->context, literal->text[0] == 't');
  if (!hy_literal_fits(literal, type)) return out_of_range(e, typed, type);
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) return hy_expr_const(e->context, float_value(literal, type));
  uint64_t magnitude = strtoull(literal->text, NULL, 0);
  int64_t i = (int64_t)(literal->is_negative ? 0 - magnitude : magnitude);
  return hy_expr_const(e->context, hy_value_integral(type, i));
}

/* -- trees -- */

// The value of an expression of constants, so many operators deep at most; an error value if it cannot be told.
static hy_value constant_value(const hy_expr *expr, int depth) {
  hy_value args[HY_MAX_ARITY];
  if (expr->kind == HY_EXPR_CONST) return expr->value;
  if (expr->kind != HY_EXPR_OP || expr->has_var || expr->has_access || expr->has_hole || depth == 0)
    return hy_value_error(expr->type, HY_ERROR_ARITH);
  for (int i = 0; i < expr->count; i++) args[i] = constant_value(expr->args[i], depth - 1);
  return hy_value_apply(expr->op, expr->type, args);
}

enum { CONSTANT_DEPTH = 4 };

// The error value, whatever the input (VAL.Div): legal, since a program has to err only where that value is used, and
// hardly meant. Is it that?
static bool warn_of_zero(hy_elaboration *e, const hy_typed *typed, hy_type type, const hy_expr *divisor) {
  if (hy_op_errs(typed->op) != HY_ERRS_DIVISOR || hy_type_class_of(type) == HY_CLASS_FLOAT) return false;
  hy_value value = constant_value(divisor, CONSTANT_DEPTH);
  if (value.error != HY_OK || value.u != 0) return false;
  hy_warn(e->diagnostics, HY_E_DIVISION_BY_ZERO, typed->syntax->loc, "VAL.Div (section 4.1)",
          "divide by something else, or guard it: select(d == 0, 0, x / d)",
          "%s is the error value for every input: the divisor is 0", hy_syntax_quote(e->context, typed->syntax));
  hy_elaboration_note_use(e, typed->use);
  return true;
}

// The same of an int of constants that lies outside of 64 bits (VAL.Int): where it begins, and not of what it is in.
static void warn_of_width(hy_elaboration *e, const hy_typed *typed, hy_type type, const hy_expr *const *args) {
  hy_value values[HY_MAX_ARITY];
  if (type != HY_INT || hy_op_errs(typed->op) == HY_ERRS_NEVER) return;
  for (int i = 0; i < typed->count; i++) {
    values[i] = constant_value(args[i], CONSTANT_DEPTH);
    if (values[i].error != HY_OK) return;
  }
  if (hy_value_apply(typed->op, type, values).error == HY_OK) return;
  hy_warn(
      e->diagnostics, HY_E_CONSTANT_WIDTH, typed->syntax->loc, "VAL.Int (section 4.1)",
      "write a number that int holds, -9223372036854775808 to 9223372036854775807, or convert to what it is meant to "
      "be first: u64(a), which wraps, or f64(a)",
      "%s is the error value for every input: int has 64 bits", hy_syntax_quote(e->context, typed->syntax));
  hy_elaboration_note_use(e, typed->use);
}

// A weight of floats that is a constant goes from 0 to 1; beyond, lerp is a line's value there, and hardly meant.
static void warn_of_weight(hy_elaboration *e, const hy_typed *typed, const hy_expr *const *args) {
  if (typed->derived != HY_DERIVED_LERP || hy_type_class_of(args[2]->type) != HY_CLASS_FLOAT) return;
  hy_value weight = constant_value(args[2], CONSTANT_DEPTH);
  if (weight.error != HY_OK) return;
  double w = hy_value_to_double(weight);
  if (w >= 0 && w <= 1) return;
  const char *shown[3];
  for (int i = 0; i < 3; i++) shown[i] = hy_syntax_quote(e->context, typed->args[i]->shown);
  hy_warn(e->diagnostics, HY_E_LERP_WEIGHT, typed->args[2]->shown->loc, NULL,
          hy_arena_printf(e->arena,
                          "write a weight from 0.0 (%s) to 1.0 (%s), or write out what is meant: a + (b - a)*w",
                          shown[0], shown[1]),
          "the weight %s of 'lerp' does not lie between 0 and 1", shown[2]);
  hy_elaboration_note_use(e, typed->use);
}

static void note_sum(hy_elaboration *e, const hy_typed *typed, const hy_expr *sum) {
  bool is_sum = sum->kind == HY_EXPR_OP && sum->op == typed->op &&
                (sum->op == HY_OP_ADD || sum->op == HY_OP_SUB || sum->op == HY_OP_MUL);
  if (!is_sum || !hy_type_is_integral(sum->type) || sum->type == HY_INT || hy_type_bits(sum->type) > 16) return;
  hy_vec_push(&e->sums, (hy_sum_site){.sum = sum, .loc = typed->syntax->loc});
}

hy_sum_site *hy_elaboration_take_sums(hy_elaboration *e, hy_arena *arena, int *count) {
  hy_sum_site *copy = HY_NEW_ARRAY(arena, hy_sum_site, e->sums.count);
  if (e->sums.count) memcpy(copy, e->sums.data, sizeof *copy * e->sums.count);
  *count = (int)e->sums.count;
  e->sums.count = 0;
  return copy;
}

static hy_loc place_of(const hy_typed *typed) { return (typed->use ? typed->use : typed->syntax)->loc; }

void hy_elaboration_note_access(hy_elaboration *e, const hy_typed *typed, const hy_expr *access,
                                hy_access_sites *sites) {
  if (!sites) return;
  hy_loc *indices = HY_NEW_ARRAY(hy_context_arena(e->context), hy_loc, typed->func->rank);
  for (int d = 0; d < typed->func->rank; d++) indices[d] = place_of(typed->use ? typed : typed->args[d]);
  hy_vec_push(sites, (hy_access_site){access, place_of(typed), indices});
}

static const hy_expr *build_branch(hy_elaboration *e, hy_typed *typed, hy_type type, hy_access_sites *sites) {
  const hy_expr *args[3 * HY_MAX_RANK + 1]; // of a boundary condition
  bool complete = true;
  for (int i = 0; i < typed->count; i++) {
    args[i] = hy_elaboration_build(e, typed->args[i], sites);
    complete &= args[i] != NULL;
  }
  if (!complete) return NULL;
  if (typed->kind == HY_TYPED_OP && typed->syntax->reduction && hy_op_typing(typed->op) == HY_TYPING_COMPARE)
    return hy_expand_comes_before(e->context, typed->op, args[0], args[1]);
  if (typed->kind == HY_TYPED_OP) {
    if (!warn_of_zero(e, typed, type, args[typed->count - 1])) warn_of_width(e, typed, type, args);
    const hy_expr *built = hy_expand_contract(e->context, e->scope->floats, typed->op, type, args);
    note_sum(e, typed, built);
    return built;
  }
  if (typed->kind == HY_TYPED_TUPLE) return hy_expr_tuple(e->context, args, typed->count);
  if (typed->kind == HY_TYPED_DERIVED) {
    warn_of_weight(e, typed, args);
    return hy_elaboration_build_derived(e, typed, args);
  }
  if (typed->kind == HY_TYPED_BOUNDARY) return hy_elaboration_build_boundary(e, typed, args, sites);
  const hy_expr *access = hy_expr_access_part(e->context, typed->func, typed->part, args);
  hy_elaboration_note_access(e, typed, access, sites);
  return access;
}

const hy_expr *hy_elaboration_build(hy_elaboration *e, hy_typed *typed, hy_access_sites *sites) {
  if (typed->built) return typed->built;
  hy_type type = hy_slot_root(e, typed->slot)->type;
  switch (typed->kind) {
  case HY_TYPED_BAD: return NULL;
  case HY_TYPED_LITERAL: typed->built = build_literal(e, typed, type); break;
  case HY_TYPED_VAR: typed->built = hy_expr_var(e->context, typed->var); break;
  case HY_TYPED_HOLE: typed->built = hy_expr_hole(e->context, typed->hole); break;
  case HY_TYPED_START: typed->built = hy_expand_start(e->context, typed->syntax->start, type); break;
  case HY_TYPED_BUILT: break;
  case HY_TYPED_ACCESS:
  case HY_TYPED_BOUNDARY:
  case HY_TYPED_DERIVED:
  case HY_TYPED_TUPLE:
  case HY_TYPED_OP: typed->built = build_branch(e, typed, type, sites); break;
  }
  if (!typed->built) typed->kind = HY_TYPED_BAD; // reported; not twice where a let shares it
  return typed->built;
}

bool hy_elaboration_finish(hy_elaboration *e) {
  bool good = true;
  for (size_t i = 0; i < e->values.count; i++) good &= hy_elaboration_build(e, e->values.data[i], NULL) != NULL;
  return good;
}

const hy_expr *hy_elaborate_sites(hy_context *context, const hy_scope *scope, const hy_syntax *syntax,
                                  const hy_type *wanted, hy_diagnostics *diagnostics, hy_access_sites *sites) {
  hy_elaboration *e = hy_elaboration_new(context, scope, diagnostics);
  hy_typed *typed = hy_elaboration_read(e, syntax);
  if (wanted) hy_elaboration_want(e, typed, *wanted, "what stands here");
  const hy_expr *expr = hy_elaboration_solve(e) ? hy_elaboration_build(e, typed, sites) : NULL;
  if (expr && !hy_elaboration_finish(e)) expr = NULL;
  hy_elaboration_free(e);
  return expr;
}

const hy_expr *hy_elaborate_values(hy_context *context, const hy_scope *scope, const hy_syntax *syntax,
                                   const hy_func *func, hy_diagnostics *diagnostics, hy_access_sites *sites) {
  if (!func->more && hy_syntax_values(syntax) == 1)
    return hy_elaborate_sites(context, scope, syntax, &func->type, diagnostics, sites);
  hy_elaboration *e = hy_elaboration_new(context, scope, diagnostics);
  hy_typed *values = hy_elaboration_read_values(e, func, syntax);
  for (int i = 0; values->kind == HY_TYPED_TUPLE && i < values->count; i++)
    hy_elaboration_want(e, values->args[i], hy_func_type(func, i), "what stands here");
  const hy_expr *expr = hy_elaboration_solve(e) ? hy_elaboration_build(e, values, sites) : NULL;
  if (expr && !hy_elaboration_finish(e)) expr = NULL;
  hy_elaboration_free(e);
  return expr;
}

const hy_expr *hy_elaborate(hy_context *context, const hy_scope *scope, const hy_syntax *syntax, const hy_type *wanted,
                            hy_diagnostics *diagnostics) {
  return hy_elaborate_sites(context, scope, syntax, wanted, diagnostics, NULL);
}
