// Expressions: each operator's counterpart in Halide, or why there is none.

#include "export/export_internal.h"

#include <math.h>
#include <string.h>

/* -- types -- */

void hy_export_type(const hy_export_writer *e, hy_type type, hy_text *out) {
  hy_type_class class = hy_type_class_of(type);
  const char *kind = class == HY_CLASS_BOOL       ? "Bool"
                     : class == HY_CLASS_UNSIGNED ? "UInt"
                     : type == HY_BF16            ? "BFloat"
                     : class == HY_CLASS_FLOAT    ? "Float"
                                                  : "Int";
  hy_text_printf(out, "%s%s(", e->dialect->scope, kind);
  if (type != HY_BOOL) hy_text_printf(out, "%d", type == HY_INT ? 64 : hy_type_bits(type));
  hy_text_add(out, ")");
}

// The type in Halide of an int: of 64 bits, or of 32 where it becomes a coordinate.
static hy_type there(const hy_export_writer *e, hy_type type, hy_width width) {
  return type != HY_INT ? type : width == HY_COORDINATE || e->is_idiomatic ? HY_I32 : HY_I64;
}

static void open_cast(const hy_export_writer *e, hy_type type, hy_width width, hy_text *out) {
  e->dialect->open_cast(there(e, type, width), out);
}

static void open_call(const hy_export_writer *e, const char *name, hy_text *out) {
  hy_text_printf(out, "%s%s(", e->dialect->scope, name);
}

static void print_zero(const hy_export_writer *e, hy_type type, hy_text *out) {
  if (hy_type_class_of(type) == HY_CLASS_FLOAT)
    e->dialect->floating(type, 0, out);
  else
    e->dialect->whole(type, hy_value_zero(type), out);
}

/* -- ranges -- */

typedef struct {
  __int128 low, high;
} range;

enum { COORDINATE_BITS = 20 };

static range of_type(hy_type type) {
  int64_t low, high;
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) return (range){-1, -2};
  hy_type_range(type, &low, &high);
  return (range){low, type == HY_U64 ? ((__int128)1 << 64) - 1 : high};
}

static range hull(const __int128 *numbers, int count) {
  range r = {numbers[0], numbers[0]};
  for (int i = 1; i < count; i++) {
    if (numbers[i] < r.low) r.low = numbers[i];
    if (numbers[i] > r.high) r.high = numbers[i];
  }
  return r;
}

// What lies outside of a parameter's range Halide's pipelines refuse, too (print_range). Its number; -1: none.
static int param_of(const hy_alg *alg, const hy_var *var) {
  for (int i = 0; i < alg->param_count; i++)
    if (alg->params[i] == var) return hy_alg_about(alg, i).has_range ? i : -1;
  return -1;
}

static range of_var(const hy_alg *alg, const hy_var *var) {
  int param = hy_type_class_of(var->type) == HY_CLASS_FLOAT ? -1 : param_of(alg, var);
  if (param >= 0) {
    hy_param_about about = hy_alg_about(alg, param);
    if (var->type == HY_U64) return (range){about.least.u, about.greatest.u};
    return (range){about.least.i, about.greatest.i};
  }
  range coordinate = {-((__int128)1 << COORDINATE_BITS), (__int128)1 << COORDINATE_BITS};
  if (var->type != HY_INT) return of_type(var->type);
  if (var->kind == HY_VAR_IMAGE_LEN) coordinate.low = 0;
  return coordinate;
}

// Of numbers of so many bits, with a sign where one of them may have it, any operation bit by bit is one, too.
static range of_bits(range a, range b) {
  __int128 power = 1;
  while (a.high >= power || b.high >= power || a.low < -power || b.low < -power) power *= 2;
  return (range){a.low < 0 || b.low < 0 ? -power : 0, power - 1};
}

static range range_of(const hy_alg *alg, const hy_expr *expr);

// As if the type had no ends.
static range endless(const hy_alg *alg, const hy_expr *expr) {
  range all = of_type(expr->type), a = range_of(alg, expr->args[0]),
        b = expr->count > 1 ? range_of(alg, expr->args[1]) : a;
  range result = all;
  __int128 limit = (__int128)1 << 62, size = -a.low > a.high ? -a.low : a.high;
  bool is_wide = size > limit && (b.low < -limit || b.high > limit); // their products may leave 128 bits
  if (a.low > a.high || b.low > b.high) return all;
  switch ((int)expr->op) { // of the others the type is all that is known
  case HY_OP_ADD: result = (range){a.low + b.low, a.high + b.high}; break;
  case HY_OP_SUB: result = (range){a.low - b.high, a.high - b.low}; break;
  case HY_OP_NEG: result = (range){-a.high, -a.low}; break;
  case HY_OP_MUL:
    if (!is_wide) result = hull((const __int128[]){a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high}, 4);
    break;
  case HY_OP_DIV: result = hull((const __int128[]){size, -size, 0}, 3); break;
  case HY_OP_MOD: result = (range){0, (-b.low > b.high ? -b.low : b.high) - 1}; break;
  case HY_OP_MIN: result = (range){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high}; break;
  case HY_OP_MAX: result = (range){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high}; break;
  case HY_OP_ABS: result = (range){0, size}; break;
  case HY_OP_BIT_AND:
    if (a.low >= 0 || b.low >= 0)
      result = (range){0, a.low < 0 ? b.high : b.low < 0 || a.high < b.high ? a.high : b.high};
    else
      result = of_bits(a, b);
    break;
  case HY_OP_BIT_OR:
  case HY_OP_BIT_XOR: result = of_bits(a, b); break;
  case HY_OP_BIT_NOT:
    if (all.low < 0) result = (range){-1 - a.high, -1 - a.low};
    break;
  case HY_OP_SHR:
    if (b.low >= 0) result = (range){a.low < 0 ? a.low : 0, a.high < 0 ? -1 : a.high};
    break;
  case HY_OP_SELECT: {
    range c = range_of(alg, expr->args[2]);
    result = hull((const __int128[]){b.low, b.high, c.low, c.high}, 4);
    break;
  }
  case HY_OP_CAST: result = a; break;
  case HY_OP_POPCOUNT:
  case HY_OP_COUNT_LEADING_ZEROS:
  case HY_OP_COUNT_TRAILING_ZEROS: result = (range){0, hy_type_bits(expr->type)}; break;
  default: break;
  }
  return result;
}

static bool leaves_type(const hy_expr *expr, range r) {
  range all = of_type(expr->type);
  return r.low < all.low || r.high > all.high;
}

static range of_op(const hy_alg *alg, const hy_expr *expr) {
  range r = endless(alg, expr);
  return leaves_type(expr, r) ? of_type(expr->type) : r;
}

static range range_of(const hy_alg *alg, const hy_expr *expr) {
  switch (expr->kind) {
  case HY_EXPR_CONST:
    if (hy_type_class_of(expr->type) == HY_CLASS_FLOAT) return of_type(expr->type);
    if (expr->type == HY_U64) return (range){expr->value.u, expr->value.u};
    return (range){expr->value.i, expr->value.i};
  case HY_EXPR_VAR: return of_var(alg, expr->var);
  case HY_EXPR_OP: return of_op(alg, expr);
  case HY_EXPR_ACCESS:
  case HY_EXPR_TUPLE:
  case HY_EXPR_HOLE: break;
  }
  return of_type(expr->type);
}

static bool fits(const hy_alg *alg, const hy_expr *expr) {
  range r = range_of(alg, expr);
  return r.low >= INT32_MIN && r.high <= INT32_MAX;
}

static bool counts_bits(const hy_expr *expr) {
  return expr->kind == HY_EXPR_OP && (expr->op == HY_OP_POPCOUNT || expr->op == HY_OP_COUNT_LEADING_ZEROS ||
                                      expr->op == HY_OP_COUNT_TRAILING_ZEROS);
}

// Can it be computed in 32 bits all the way? Not where all 64 are counted.
static bool is_coordinate(const hy_alg *alg, const hy_expr *expr) {
  if (!fits(alg, expr) || (counts_bits(expr) && expr->type == HY_INT)) return false;
  for (int i = 0; expr->kind == HY_EXPR_OP && expr->op != HY_OP_CAST && i < expr->count; i++)
    if (expr->args[i]->type == HY_INT && !is_coordinate(alg, expr->args[i])) return false;
  return true;
}

static bool reads(const hy_expr *expr) {
  if (expr->kind == HY_EXPR_ACCESS || expr->kind == HY_EXPR_TUPLE) return true;
  for (int i = 0; expr->kind == HY_EXPR_OP && i < expr->count; i++)
    if (reads(expr->args[i])) return true;
  return false;
}

// Can a number on the way leave 64 bits, wherever the coordinates are? It is an error of ours at that point; Halide's
// bounds of all others are made of it. Of what funcs hold Halide takes no bounds near the ends.
static bool overflows(const hy_alg *alg, const hy_expr *expr) {
  if (expr->kind != HY_EXPR_OP) return false;
  for (int i = 0; i < expr->count; i++)
    if (overflows(alg, expr->args[i])) return true;
  return expr->type == HY_INT && !reads(expr) && leaves_type(expr, endless(alg, expr));
}

// Halide 14 makes infinities of NaNs, rounds an f64 to f32 first, and its bindings have no bf16 and set no f16.
void hy_export_refuse_storage(hy_export_writer *e, hy_type type) {
  if (!e->refused && hy_type_is_storage(type))
    hy_export_refuse(e, hy_type_name(type), "Halide's has other values of NaNs and f64, and its bindings set none");
}

/* -- leaves -- */

static void print_constant(const hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out) {
  hy_value v = expr->value;
  if (hy_type_class_of(expr->type) == HY_CLASS_FLOAT)
    e->dialect->floating(expr->type, hy_value_to_double(v), out);
  else
    e->dialect->whole(there(e, expr->type, width), v, out);
}

static const char part_of_domain[] = "xyzw";

static void print_reduction_var(hy_export_writer *e, const hy_var *var, hy_text *out) {
  const hy_definition *d = hy_alg_definition(e->alg, var->func);
  const hy_stage *stage = &d->stages[var->stage];
  for (int i = 0; i < stage->rdom_count; i++) {
    if (stage->rdoms[i].var != var) continue;
    hy_export_domain(var->func, var->stage, out);
    hy_text_printf(out, ".%c", part_of_domain[i]);
  }
}

static void print_var(hy_export_writer *e, const hy_var *var, hy_text *out) {
  switch (var->kind) {
  case HY_VAR_PURE: hy_export_var(e, "Var", var->name, out); return;
  case HY_VAR_RDOM: print_reduction_var(e, var, out); return;
  case HY_VAR_PARAM: hy_export_name(e, var->name, out); return;
  case HY_VAR_IMAGE_MIN:
  case HY_VAR_IMAGE_LEN:
    hy_export_name(e, var->func->name, out);
    hy_text_printf(out, ".dim(%d).%s()", var->dim, var->kind == HY_VAR_IMAGE_MIN ? "min" : "extent");
    return;
  case HY_VAR_WINDOW_MIN:
  case HY_VAR_WINDOW_LEN:
  case HY_VAR_LOOP:
  case HY_VAR_FRESH: break;
  }
  hy_export_refuse(e, "the window of the output", "a pipeline of Halide cannot ask for it");
}

static void print_access(hy_export_writer *e, const hy_expr *expr, hy_text *out) {
  if (!expr->func->is_image) open_call(e, "Expr", out);
  hy_export_name(e, expr->func->name, out);
  hy_text_add(out, expr->count ? e->dialect->open : e->dialect->single);
  for (int i = 0; i < expr->count; i++) {
    if (i) hy_text_add(out, ", ");
    hy_export_expr(e, expr->args[i], HY_COORDINATE, out);
  }
  if (expr->count) hy_text_add(out, e->dialect->close);
  if (expr->func->more) hy_text_printf(out, "[%d]", expr->part);
  if (!expr->func->is_image) hy_text_add(out, ")");
}

/* -- operators -- */

static void print_call(hy_export_writer *e, const char *name, const hy_expr *expr, hy_width width, hy_text *out) {
  open_call(e, name, out);
  for (int i = 0; i < expr->count; i++) {
    if (i) hy_text_add(out, ", ");
    hy_export_expr(e, expr->args[i], width, out);
  }
  hy_text_add(out, ")");
}

static void print_prefix(hy_export_writer *e, const char *sign, const hy_expr *expr, hy_width width, hy_text *out) {
  hy_text_printf(out, "%s(", sign);
  hy_export_expr(e, expr->args[0], width, out);
  hy_text_add(out, ")");
}

static void print_infix(hy_export_writer *e, const char *sign, const hy_expr *expr, hy_width width, hy_text *out) {
  hy_text_add(out, "(");
  hy_export_expr(e, expr->args[0], width, out);
  hy_text_printf(out, " %s ", sign);
  hy_export_expr(e, expr->args[1], width, out);
  hy_text_add(out, ")");
}

// Overflow of Halide's i32 and i64 is undefined; of its unsigned numbers it wraps, as ours does.
static bool must_wrap(const hy_export_writer *e, hy_type type) {
  return !e->is_idiomatic && (type == HY_I32 || type == HY_I64);
}

static bool is_signed(hy_type type) { return hy_type_class_of(type) == HY_CLASS_SIGNED || type == HY_INT; }

// A number of i32 or i64 that was computed unsigned, up to its end: ")". What Halide folds it must not convert, for a
// constant beyond the type is an overflow to it.
static void open_signed(const hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out) {
  if (expr->has_access || expr->has_var) {
    open_cast(e, expr->type, width, out);
    return;
  }
  open_call(e, "reinterpret", out);
  hy_export_type(e, there(e, expr->type, width), out);
  hy_text_add(out, ", ");
}

static void print_ring(hy_export_writer *e, const char *sign, const hy_expr *expr, hy_width width, hy_text *out) {
  if (!must_wrap(e, expr->type)) {
    print_infix(e, sign, expr, width, out);
    return;
  }
  hy_type wraps = expr->type == HY_I32 ? HY_U32 : HY_U64;
  open_signed(e, expr, width, out);
  e->dialect->open_cast(wraps, out);
  hy_export_expr(e, expr->args[0], width, out);
  hy_text_printf(out, ") %s ", sign);
  e->dialect->open_cast(wraps, out);
  hy_export_expr(e, expr->args[1], width, out);
  hy_text_add(out, "))");
}

static void print_negation(hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out) {
  hy_type wraps = expr->type == HY_I32 ? HY_U32 : HY_U64;
  if (must_wrap(e, expr->type)) {
    open_signed(e, expr, width, out);
    print_zero(e, wraps, out);
    hy_text_add(out, " - ");
    e->dialect->open_cast(wraps, out);
  } else {
    hy_text_add(out, "(-(");
  }
  hy_export_expr(e, expr->args[0], width, out);
  hy_text_add(out, "))");
}

/* -- floats: with strict_float, too, Halide compares as if there were no NaN; is_nan is sure of it -- */

static bool may_be_nan(const hy_export_writer *e, const hy_expr *expr) {
  if (e->is_idiomatic) return false;
  if (hy_type_class_of(expr->type) != HY_CLASS_FLOAT) return false;
  if (expr->kind == HY_EXPR_CONST) return isnan(hy_value_to_double(expr->value));
  return !(expr->kind == HY_EXPR_OP && expr->op == HY_OP_CAST &&
           hy_type_class_of(expr->args[0]->type) != HY_CLASS_FLOAT);
}

// "select(is_nan(a) | is_nan(b), false, a < b)"; != is true there.
static void print_float_comparison(hy_export_writer *e, const char *sign, const hy_expr *expr, hy_text *out) {
  bool a = may_be_nan(e, expr->args[0]), b = may_be_nan(e, expr->args[1]), first = true;
  if (a || b) open_call(e, "select", out);
  for (int i = 0; i < 2; i++) {
    if (!may_be_nan(e, expr->args[i]) || (i && expr->args[1] == expr->args[0])) continue;
    if (!first) hy_text_add(out, " | ");
    first = false;
    open_call(e, "is_nan", out);
    hy_export_expr(e, expr->args[i], HY_WHOLE, out);
    hy_text_add(out, ")");
  }
  if (a || b) {
    hy_text_add(out, ", ");
    e->dialect->whole(HY_BOOL, hy_value_bool(strcmp(sign, "!=") == 0), out);
    hy_text_add(out, ", ");
  }
  print_infix(e, sign, expr, HY_WHOLE, out);
  if (a || b) hy_text_add(out, ")");
}

static void print_extremum(hy_export_writer *e, const char *name, const char *sign, const hy_expr *expr, hy_width width,
                           hy_text *out) {
  if (e->is_idiomatic || hy_type_class_of(expr->type) != HY_CLASS_FLOAT) {
    print_call(e, name, expr, width, out);
    return;
  }
  open_call(e, "select", out); // of a NaN Halide's say nothing
  print_float_comparison(e, sign, expr, out);
  for (int i = 0; i < 2; i++) {
    hy_text_add(out, ", ");
    hy_export_expr(e, expr->args[i], width, out);
  }
  hy_text_add(out, ")");
}

// "select(b < 0, LEFT, RIGHT)", of which none shifts the other way: what is not taken is computed, too.
static void print_shift_of_either(hy_export_writer *e, const hy_expr *expr, hy_text *out) {
  hy_type wraps = expr->type == HY_I32 ? HY_U32 : HY_U64;
  hy_text value = {0}, amount = {0}, zero = {0}, left = {0}, right = {0};
  hy_export_expr(e, expr->args[0], HY_WHOLE, &value);
  hy_export_expr(e, expr->args[1], HY_WHOLE, &amount);
  print_zero(e, expr->type, &zero);
  bool is_left = expr->op == HY_OP_SHL;
  e->dialect->open_cast(expr->type, &left);
  e->dialect->open_cast(wraps, &left);
  hy_text_printf(&left, "%s) << %smax(%s(%s), %s))", value.data, e->dialect->scope, is_left ? "" : "-", amount.data,
                 zero.data);
  hy_text_printf(&right, "(%s >> %smax(%s(%s), %s))", value.data, e->dialect->scope, is_left ? "-" : "", amount.data,
                 zero.data);
  open_call(e, "select", out);
  hy_text_printf(out, "%s < %s, %s, %s)", amount.data, zero.data, is_left ? right.data : left.data,
                 is_left ? left.data : right.data);
  hy_text *texts[] = {&value, &amount, &zero, &left, &right};
  for (int i = 0; i < 5; i++) hy_text_free(texts[i]);
}

// An amount of the type's width or more is not defined in Halide; to it a shift to the left is a product, which of i32
// and i64 must not overflow.
static void print_shift(hy_export_writer *e, const char *sign, const hy_expr *expr, hy_width width, hy_text *out) {
  range amount = range_of(e->alg, expr->args[1]);
  if (amount.low <= -hy_type_bits(expr->type) || amount.high >= hy_type_bits(expr->type))
    hy_export_refuse(e, "a shift", "by the type's width or more Halide's is not defined: write n & 7, say");
  bool only_right = expr->op == HY_OP_SHL ? amount.high <= 0 : amount.low >= 0;
  bool only_left = expr->op == HY_OP_SHL ? amount.low >= 0 : amount.high <= 0;
  if (!must_wrap(e, expr->type) || only_right) {
    print_infix(e, sign, expr, width, out);
  } else if (!only_left) {
    print_shift_of_either(e, expr, out);
  } else {
    open_signed(e, expr, width, out);
    e->dialect->open_cast(expr->type == HY_I32 ? HY_U32 : HY_U64, out);
    hy_export_expr(e, expr->args[0], width, out);
    hy_text_printf(out, ") %s ", sign);
    hy_export_expr(e, expr->args[1], width, out);
    hy_text_add(out, ")");
  }
}

static void print_comparison(hy_export_writer *e, const char *sign, const hy_expr *expr, hy_text *out) {
  if (hy_type_class_of(expr->args[0]->type) == HY_CLASS_FLOAT) {
    print_float_comparison(e, sign, expr, out);
    return;
  }
  bool is_short =
      expr->args[0]->type == HY_INT && is_coordinate(e->alg, expr->args[0]) && is_coordinate(e->alg, expr->args[1]);
  print_infix(e, sign, expr, is_short ? HY_COORDINATE : HY_WHOLE, out);
}

// float -> whole: the nearest, 0 of a NaN; Halide's is not defined outside of the type. The least number is no constant
// of the program: Halide 14 divides wrongly where one is the least of 64 bits (docs/halide_found.md).
static void print_float_to_whole(hy_export_writer *e, const hy_expr *expr, hy_text *out) {
  hy_text a = {0};
  hy_type wide = expr->args[0]->type, type = there(e, expr->type, HY_WHOLE);
  hy_export_expr(e, expr->args[0], HY_WHOLE, &a);
  range r = of_type(expr->type);
  open_call(e, "select", out);
  open_call(e, "is_nan", out);
  hy_text_printf(out, "%s), ", a.data);
  print_zero(e, type, out);
  hy_text_add(out, ", ");
  open_call(e, "select", out);
  hy_text_printf(out, "%s >= ", a.data);
  e->dialect->floating(wide, ldexp((double)(r.high / 2 + 1), 1), out);
  hy_text_add(out, ", ");
  e->dialect->whole(type, (hy_value){.type = type, .u = (uint64_t)r.high}, out);
  hy_text_add(out, ", ");
  e->dialect->open_cast(type, out);
  open_call(e, "max", out);
  hy_text_printf(out, "%s, ", a.data);
  e->dialect->floating(wide, (double)r.low, out);
  hy_text_add(out, "))))");
  hy_text_free(&a);
}

// What one writes for Halide of a float that may lie beyond a small type: u8_sat; of one that is clamped, u8.
static bool is_written_saturating(const hy_export_writer *e, const hy_expr *cast) {
  const hy_expr *from = cast->args[0];
  bool is_clamped = from->kind == HY_EXPR_OP && (from->op == HY_OP_MIN || from->op == HY_OP_MAX);
  return e->is_idiomatic && hy_type_class_of(from->type) == HY_CLASS_FLOAT && hy_type_is_integral(cast->type) &&
         hy_type_bits(cast->type) < 32 && !is_clamped;
}

static void print_cast(hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out) {
  const hy_expr *from = expr->args[0];
  bool is_float = hy_type_class_of(from->type) == HY_CLASS_FLOAT;
  if (expr->type == HY_BOOL) {
    hy_text_add(out, "(");
    if (may_be_nan(e, from)) print_call(e, "is_nan", expr, HY_WHOLE, out);
    hy_text_add(out, may_be_nan(e, from) ? " | (" : "(");
    hy_export_expr(e, from, HY_WHOLE, out);
    hy_text_add(out, " != ");
    print_zero(e, there(e, from->type, HY_WHOLE), out);
    hy_text_add(out, "))");
  } else if (is_float && hy_type_class_of(expr->type) != HY_CLASS_FLOAT && !e->is_idiomatic) {
    print_float_to_whole(e, expr, out);
  } else {
    bool turns = is_signed(expr->type) && hy_type_class_of(from->type) == HY_CLASS_UNSIGNED &&
                 hy_type_bits(expr->type) == hy_type_bits(from->type);
    if (turns)
      open_signed(e, expr, width, out);
    else if (is_written_saturating(e, expr))
      e->dialect->open_saturating(expr->type, out);
    else
      open_cast(e, expr->type, width, out);
    hy_export_expr(e, from, expr->type == HY_INT ? width : HY_WHOLE, out);
    hy_text_add(out, ")");
  }
}

// Of an int, which may be in an index: Halide 14 takes |x| for less than it is where x is negative throughout.
static void print_abs_of_int(hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out) {
  hy_text a = {0};
  hy_export_expr(e, expr->args[0], width, &a);
  open_call(e, "max", out);
  hy_text_printf(out, "%s, -(%s))", hy_text_string(&a), hy_text_string(&a));
  hy_text_free(&a);
}

static void print_abs(hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out) {
  if (expr->type == HY_INT) {
    print_abs_of_int(e, expr, width, out);
    return;
  }
  bool turns = is_signed(expr->type); // Halide's is unsigned
  if (turns) open_signed(e, expr, width, out);
  print_call(e, "abs", expr, width, out);
  if (turns) hy_text_add(out, ")");
}

static void print_select(hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out) {
  open_call(e, "select", out);
  hy_export_expr(e, expr->args[0], HY_WHOLE, out);
  for (int i = 1; i < 3; i++) {
    hy_text_add(out, ", ");
    hy_export_expr(e, expr->args[i], width, out);
  }
  hy_text_add(out, ")");
}

// Of an int 64 bits are counted, also where it has 32 there. Of 0 the width: Halide 14 says nothing of it.
static void print_count(hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out) {
  bool is_short = expr->type == HY_INT && there(e, expr->type, width) == HY_I32;
  hy_type type = is_short ? HY_I64 : there(e, expr->type, width);
  hy_text a = {0};
  if (is_short) e->dialect->open_cast(HY_I64, &a);
  hy_export_expr(e, expr->args[0], width, &a);
  if (is_short) hy_text_add(&a, ")");
  if (is_short) e->dialect->open_cast(HY_I32, out);
  bool of_zero = expr->op != HY_OP_POPCOUNT;
  if (of_zero) {
    open_call(e, "select", out);
    hy_text_printf(out, "%s == ", hy_text_string(&a));
    print_zero(e, type, out);
    hy_text_add(out, ", ");
    e->dialect->whole(type, hy_value_integral(expr->type, hy_type_bits(expr->type)), out);
    hy_text_add(out, ", ");
  }
  open_call(e, hy_op_spelling(expr->op), out);
  hy_text_printf(out, "%s)%s%s", hy_text_string(&a), of_zero ? ")" : "", is_short ? ")" : "");
  hy_text_free(&a);
}

// Halide's keeps the bits of a NaN.
static void print_reinterpretation(hy_export_writer *e, const hy_expr *expr, hy_text *out) {
  hy_text a = {0};
  bool of_float = hy_type_class_of(expr->args[0]->type) == HY_CLASS_FLOAT;
  hy_export_expr(e, expr->args[0], HY_WHOLE, &a);
  if (of_float) {
    open_call(e, "select", out);
    open_call(e, "is_nan", out);
    hy_value nan = hy_value_from_double(expr->args[0]->type, NAN);
    hy_text_printf(out, "%s), ", hy_text_string(&a));
    e->dialect->whole(expr->type, hy_value_integral(expr->type, (int64_t)hy_value_bits(nan)), out);
    hy_text_add(out, ", ");
  }
  open_call(e, "reinterpret", out);
  hy_export_type(e, expr->type, out);
  hy_text_printf(out, ", %s)%s", hy_text_string(&a), of_float ? ")" : "");
  hy_text_free(&a);
}

// Halide 14 has none; what makes a sum of a product one, on machines that have it, is that nobody asks for strict_float.
static void print_fma(hy_export_writer *e, const hy_expr *expr, hy_text *out) {
  if (!e->is_idiomatic) {
    hy_export_refuse(e, "fma", "Halide has none that rounds once on every machine");
    return;
  }
  const char *between[] = {"(", " * ", " + "};
  for (int i = 0; i < 3; i++) {
    hy_text_add(out, between[i]);
    hy_export_expr(e, expr->args[i], HY_WHOLE, out);
  }
  hy_text_add(out, ")");
}

static void print_op(hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out) {
  switch (expr->op) {
  case HY_OP_ADD: print_ring(e, "+", expr, width, out); return;
  case HY_OP_SUB: print_ring(e, "-", expr, width, out); return;
  case HY_OP_MUL: print_ring(e, "*", expr, width, out); return;
  case HY_OP_NEG: print_negation(e, expr, width, out); return;
  case HY_OP_DIV: print_infix(e, "/", expr, width, out); return; // Euclidean, too; by 0 it is 0 and ours an error
  case HY_OP_MOD: print_infix(e, "%", expr, width, out); return;
  case HY_OP_EQ: print_comparison(e, "==", expr, out); return;
  case HY_OP_NE: print_comparison(e, "!=", expr, out); return;
  case HY_OP_LT: print_comparison(e, "<", expr, out); return;
  case HY_OP_LE: print_comparison(e, "<=", expr, out); return;
  case HY_OP_GT: print_comparison(e, ">", expr, out); return;
  case HY_OP_GE: print_comparison(e, ">=", expr, out); return;
  case HY_OP_AND:
  case HY_OP_BIT_AND: print_infix(e, "&", expr, width, out); return;
  case HY_OP_OR:
  case HY_OP_BIT_OR: print_infix(e, "|", expr, width, out); return;
  case HY_OP_BIT_XOR: print_infix(e, "^", expr, width, out); return;
  case HY_OP_NOT: print_prefix(e, e->dialect->negation, expr, HY_WHOLE, out); return;
  case HY_OP_BIT_NOT: print_prefix(e, "~", expr, width, out); return;
  case HY_OP_SHL: print_shift(e, "<<", expr, width, out); return;
  case HY_OP_SHR: print_shift(e, ">>", expr, width, out); return;
  case HY_OP_SELECT: print_select(e, expr, width, out); return;
  case HY_OP_MIN: print_extremum(e, "min", "<", expr, width, out); return;
  case HY_OP_MAX: print_extremum(e, "max", ">", expr, width, out); return;
  case HY_OP_ABS: print_abs(e, expr, width, out); return;
  case HY_OP_CAST: print_cast(e, expr, width, out); return;
  case HY_OP_SQRT: print_call(e, "sqrt", expr, width, out); return;
  case HY_OP_FLOOR: print_call(e, "floor", expr, width, out); return;
  case HY_OP_CEIL: print_call(e, "ceil", expr, width, out); return;
  case HY_OP_ROUND: print_call(e, "round", expr, width, out); return;
  case HY_OP_TRUNC: print_call(e, "trunc", expr, width, out); return;
  case HY_OP_POPCOUNT:
  case HY_OP_COUNT_LEADING_ZEROS:
  case HY_OP_COUNT_TRAILING_ZEROS: print_count(e, expr, width, out); return;
  case HY_OP_F16_BITS:
  case HY_OP_BF16_BITS:
  case HY_OP_F16_FROM_BITS:
  case HY_OP_BF16_FROM_BITS:
  case HY_OP_F32_BITS:
  case HY_OP_F64_BITS:
  case HY_OP_F32_FROM_BITS:
  case HY_OP_F64_FROM_BITS: print_reinterpretation(e, expr, out); return;
  case HY_OP_SIN:
  case HY_OP_COS:
  case HY_OP_EXP:
  case HY_OP_LOG:
  case HY_OP_POW:
  case HY_OP_TAN:
  case HY_OP_ATAN:
  case HY_OP_ATAN2:
  case HY_OP_TANH:
  case HY_OP_ASIN:
  case HY_OP_ACOS:
  case HY_OP_SINH:
  case HY_OP_COSH:
  case HY_OP_ASINH:
  case HY_OP_ACOSH:
  case HY_OP_ATANH:
    if (!e->is_idiomatic) break;
    print_call(e, hy_op_spelling(expr->op), expr, width, out);
    return;
  case HY_OP_ERF:
    if (!e->is_idiomatic) break;
    if (expr->type != HY_F32) hy_export_refuse(e, "erf", "Halide's takes f32 alone");
    print_call(e, "erf", expr, width, out);
    return;
  case HY_OP_FMA: print_fma(e, expr, out); return;
  }
  hy_export_refuse(e, hy_op_spelling(expr->op), "Halide's has other bits, and other bits on each machine");
}

enum { MOST_TEXT = 200000 };

void hy_export_expr(hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out) {
  if (e->refused) return;
  hy_export_refuse_storage(e, expr->type);
  if (e->refused) return;
  if (e->is_idiomatic) width = HY_COORDINATE;
  bool is_short = width == HY_COORDINATE && expr->type == HY_INT, is_sure = is_short && !e->is_idiomatic;
  if (out->length > MOST_TEXT) hy_export_refuse(e, "an expression", "written out for Halide it is too long");
  if (is_sure && !fits(e->alg, expr))
    hy_export_refuse(e, "an index", "Halide's have 32 bits, and this one may need more");
  if (e->refused) return;
  if (is_sure && overflows(e->alg, expr))
    hy_export_refuse(e, "an index", "on the way to it a number may leave 64 bits, which Halide leaves undefined");
  if (e->refused) return;
  if (is_sure && !is_coordinate(e->alg, expr)) { // 64 bits on the way to it
    e->dialect->open_cast(HY_I32, out);
    hy_export_expr(e, expr, HY_WHOLE, out);
    hy_text_add(out, ")");
    return;
  }
  bool is_wide = expr->type == HY_INT && width == HY_WHOLE;
  switch (expr->kind) {
  case HY_EXPR_CONST: print_constant(e, expr, width, out); return;
  case HY_EXPR_OP: print_op(e, expr, width, out); return;
  case HY_EXPR_VAR:
    if (is_wide) e->dialect->open_cast(HY_I64, out);
    print_var(e, expr->var, out);
    if (is_wide) hy_text_add(out, ")");
    return;
  case HY_EXPR_ACCESS:
    if (expr->type == HY_INT && !is_wide) e->dialect->open_cast(HY_I32, out);
    print_access(e, expr, out);
    if (expr->type == HY_INT && !is_wide) hy_text_add(out, ")");
    return;
  case HY_EXPR_TUPLE:
  case HY_EXPR_HOLE: break;
  }
  HY_UNREACHABLE();
}
