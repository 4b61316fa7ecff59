#include "lower/wrapping.h"

#include "semantics/base/vec.h"
#include "semantics/tgt/values.h"

enum { ROUNDS = 2 }; // of widening a func's range by what its updates store

// A sum that wraps: where it is written, and what it is as a whole number.
typedef struct {
  const hy_expr *sum;
  const hy_definition *made; // what an inline reduction or an update adds up; NULL: a sum as written
  hy_range range;
  hy_loc loc;
} wrap;

// What a func stores wraps.
typedef struct {
  const hy_func *func;
  wrap wrap;
} stored_wrap;

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  const hy_tgt *tgt;
  hy_values *values;               // of the funcs so far
  hy_ranges *ranges;               // of one func's expressions
  const hy_definition *definition; // of that func
  const hy_stage *stage;           // being looked at
  HY_VEC(hy_loc) told;
  HY_VEC(stored_wrap) stored; // of the funcs so far
} looking;

/* -- ranges -- */

// Far outside of all types that are looked at, and small enough to be multiplied.
static hy_range clipped(hy_range a) {
  const hy_wide_int far = (hy_wide_int)1 << 48;
  return hy_range_between(hy_greater(hy_lesser(a.low, far), -far), hy_lesser(hy_greater(a.high, -far), far));
}

// Not of as many as a domain without a bound has (decision D26).
static bool is_bounded(hy_range a) { return a.low > -((hy_wide_int)1 << 31) && a.high < (hy_wide_int)1 << 31; }

static hy_range product(hy_range a, hy_range b) {
  hy_wide_int p[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return hy_range_between(hy_lesser(hy_lesser(p[0], p[1]), hy_lesser(p[2], p[3])),
                          hy_greater(hy_greater(p[0], p[1]), hy_greater(p[2], p[3])));
}

static void begin_ranges(looking *l) {
  l->ranges = hy_ranges_new();
  hy_ranges_use_values(l->ranges, l->values);
  hy_ranges_assume_entry(l->ranges, l->tgt);
  for (int j = 1; j < l->definition->stage_count; j++)
    for (int i = 0; i < l->definition->stages[j].rdom_count; i++)
      hy_ranges_bind_loop(l->ranges, l->definition->stages[j].rdoms[i].var, l->definition->stages[j].rdoms[i].interval);
}

// What a stage adds to a value of its own func: f(x) + e. NULL: it does something else.
static const hy_expr *added(const hy_func *func, const hy_stage *stage) {
  const hy_expr *rhs = stage->rhs;
  if (rhs->kind != HY_EXPR_OP || rhs->op != HY_OP_ADD) return NULL;
  for (int i = 0; i < 2; i++)
    if (rhs->args[i]->kind == HY_EXPR_ACCESS && rhs->args[i]->func == func) return rhs->args[1 - i];
  return NULL;
}

// A func of one update, which adds something up: the sum as a whole number, wherever it wraps.
static bool sum_range(looking *l, const hy_definition *d, hy_range *sum) {
  const hy_expr *e = d->stage_count == 2 && !d->func->more ? added(d->func, &d->stages[1]) : NULL;
  if (!e || hy_type_class_of(d->func->type) == HY_CLASS_FLOAT) return false;
  hy_range times = {.low = 0, .high = 1}, start = hy_ranges_of(l->ranges, d->stages[0].rhs);
  for (int i = 0; i < d->stages[1].rdom_count; i++) {
    hy_range len = clipped(hy_ranges_of(l->ranges, d->stages[1].rdoms[i].interval.len));
    times.high = clipped(product(times, hy_range_between(0, hy_greater(len.high, 0)))).high;
  }
  hy_range all = product(times, clipped(hy_ranges_of(l->ranges, e)));
  *sum = clipped(hy_range_between(start.low + hy_lesser(all.low, 0), start.high + hy_greater(all.high, 0)));
  return true;
}

static hy_range stored(looking *l, int first, int end) {
  hy_range range = hy_ranges_of(l->ranges, l->definition->stages[first].rhs);
  for (int j = first + 1; j < end; j++)
    range = hy_range_joined(range, hy_ranges_of(l->ranges, l->definition->stages[j].rhs));
  return range;
}

// Its values lie in what the pure stage stores, widened by the updates until that holds; or in what they add up to.
static void learn_values(looking *l) {
  const hy_func *func = l->definition->func;
  if (func->more || !hy_type_is_integral(func->type)) return;
  hy_range type = hy_type_numbers(func->type), range = stored(l, 0, 1), sum;
  bool settled = l->definition->stage_count == 1;
  for (int round = 0; !settled && round <= ROUNDS; round++) {
    hy_values_learn(l->values, func, range);
    hy_ranges_forget(l->ranges);
    hy_range all = hy_range_joined(range, stored(l, 1, l->definition->stage_count));
    settled = hy_range_is_within(all, range);
    range = all;
  }
  hy_values_unlearn(l->values, func);
  hy_ranges_forget(l->ranges);
  if (!settled && sum_range(l, l->definition, &sum)) range = sum, settled = true;
  if (settled && hy_range_is_within(range, type)) hy_values_learn(l->values, func, range);
  hy_ranges_forget(l->ranges);
}

/* -- sums -- */

static bool is_narrow(hy_type type) {
  return type != HY_INT && type != HY_BOOL && hy_type_is_integral(type) && hy_type_bits(type) <= 16;
}

static bool is_sum(const hy_expr *e) {
  return e->kind == HY_EXPR_OP && (e->op == HY_OP_ADD || e->op == HY_OP_SUB || e->op == HY_OP_MUL) &&
         is_narrow(e->type);
}

// The func of an inline reduction that adds up, with the place of the text; NULL if the access reads another.
static const hy_sum_site *inline_sum(const looking *l, const hy_expr *access, const hy_definition **definition) {
  if (access->kind != HY_EXPR_ACCESS || access->func->is_image || !is_narrow(access->type)) return NULL;
  const hy_definition *d = *definition = hy_alg_definition(l->tgt->alg, access->func);
  if (d->stage_count != 2 || !added(d->func, &d->stages[1])) return NULL;
  for (int i = 0; i < d->stages[1].sum_count; i++)
    if (d->stages[1].sums[i].is_inline) return &d->stages[1].sums[i];
  return NULL;
}

// What an inline reduction adds up to.
static hy_range inline_range(looking *l, const hy_definition *d) {
  looking inner = {.context = l->context, .tgt = l->tgt, .values = l->values, .definition = d};
  hy_range range = hy_type_numbers(d->func->type);
  begin_ranges(&inner);
  sum_range(&inner, d, &range);
  hy_ranges_free(inner.ranges);
  return range;
}

// As a whole number: of sums of sums as well, since only what comes out counts modulo 2^n.
static hy_range exact(looking *l, const hy_expr *e) {
  const hy_definition *d;
  if (inline_sum(l, e, &d)) return inline_range(l, d);
  if (!is_sum(e)) return hy_ranges_of(l->ranges, e);
  hy_range a = exact(l, e->args[0]), b = exact(l, e->args[1]);
  if (e->op == HY_OP_ADD) return clipped(hy_range_between(a.low + b.low, a.high + b.high));
  if (e->op == HY_OP_SUB) return clipped(hy_range_between(a.low - b.high, a.high - b.low));
  return clipped(product(a, b));
}

/* -- what is known of 16 bits --
 *
 * Few images of 16 bits use all of them, and few numbers of 16 bits that come from anywhere do: they are believed to be small.
 * What is made of 8 bits, of constants and of parameters with a range is as large as that says.
 */

static bool is_known(looking *l, const hy_expr *e);

static bool is_any(looking *l, const hy_expr *e) {
  return hy_type_bits(e->type) == 16 && hy_range_is_within(hy_type_numbers(e->type), hy_ranges_of(l->ranges, e));
}

typedef struct {
  looking *l;
  bool is_any;
} search;

static void see_load(void *self, const hy_expr *access) {
  search *s = self;
  s->is_any |= is_any(s->l, access);
}

// What an inline reduction adds up.
static bool is_inline_known(looking *l, const hy_definition *made) {
  looking inner = {.context = l->context, .tgt = l->tgt, .values = l->values, .definition = made};
  begin_ranges(&inner);
  bool known = is_known(&inner, added(made->func, &made->stages[1]));
  hy_ranges_free(inner.ranges);
  return known;
}

static bool is_leaf_known(looking *l, const hy_expr *e) {
  search s = {l, is_any(l, e)};
  if (e->has_access) hy_expr_visit_accesses(e, see_load, &s);
  return !s.is_any;
}

static bool is_known(looking *l, const hy_expr *e) {
  const hy_definition *made;
  if (is_sum(e)) return is_known(l, e->args[0]) && is_known(l, e->args[1]);
  return inline_sum(l, e, &made) ? is_inline_known(l, made) : is_leaf_known(l, e);
}

static bool is_believed(looking *l, const hy_expr *sum, hy_range range) {
  return hy_type_bits(sum->type) > 8 && (!is_bounded(range) || !is_known(l, sum));
}

/* -- what is said -- */

// The least type that holds these numbers and has room for "wanted": that is converted to anyway.
static hy_type type_for(hy_range range, hy_type type, hy_type wanted) {
  static const hy_type types[] = {HY_U16, HY_U32, HY_I16, HY_I32, HY_I64};
  bool is_signed = range.low < 0 || hy_type_class_of(type) == HY_CLASS_SIGNED;
  bool is_float = hy_type_class_of(wanted) == HY_CLASS_FLOAT;
  if (is_float && hy_type_bits(wanted) == 16)
    return HY_F32; // those of 16 bits are stored, and nothing is computed in them
  if (is_float || (wanted != HY_BOOL && hy_range_is_within(range, hy_type_numbers(wanted)))) return wanted;
  for (size_t i = is_signed ? 2 : 0; i < HY_COUNT(types); i++)
    if (hy_range_is_within(range, hy_type_numbers(types[i]))) return types[i];
  return HY_I64;
}

static bool keeps_numbers(hy_type from, hy_type to) {
  return hy_type_is_integral(from) && hy_range_is_within(hy_type_numbers(from), hy_type_numbers(to));
}

static const hy_expr *number_of(looking *l, hy_type type, hy_value value) {
  int64_t number = hy_type_class_of((hy_type)value.type) == HY_CLASS_UNSIGNED ? (int64_t)value.u : value.i;
  bool is_float = hy_type_class_of(type) == HY_CLASS_FLOAT;
  return hy_expr_const(l->context,
                       is_float ? hy_value_from_double(type, (double)number) : hy_value_integral(type, number));
}

// The sum, computed in the type.
static const hy_expr *widened(looking *l, const hy_expr *e, hy_type type) {
  if (is_sum(e)) return hy_expr_binary(l->context, e->op, widened(l, e->args[0], type), widened(l, e->args[1], type));
  if (e->kind == HY_EXPR_CONST && !e->value.error) return number_of(l, type, e->value);
  bool is_converted = e->kind == HY_EXPR_OP && e->op == HY_OP_CAST && keeps_numbers(e->args[0]->type, e->type);
  return hy_expr_cast(l->context, type, is_converted ? e->args[0] : e);
}

static bool is_number(const hy_expr *e, int64_t number) {
  return e->kind == HY_EXPR_CONST && !e->value.error && hy_value_same(e->value, hy_value_integral(e->type, number));
}

static bool is_halved(const hy_expr *user) {
  return (user->op == HY_OP_DIV && is_number(user->args[1], 2)) ||
         (user->op == HY_OP_SHR && is_number(user->args[1], 1));
}

// "a, b)", of a call that stands for a sum
static void tell_operands(const hy_expr *sum, hy_text *out) {
  hy_expr_print_brief(sum->args[0], 80, out);
  hy_text_add(out, ", ");
  hy_expr_print_brief(sum->args[1], 80, out);
  hy_text_add(out, ")");
}

static void tell_average(const hy_expr *user, const hy_expr *sum, hy_text *out) {
  if (!is_halved(user) || sum->op != HY_OP_ADD) return;
  bool is_rounded = is_number(sum->args[1], 1) && is_sum(sum->args[0]) && sum->args[0]->op == HY_OP_ADD;
  const hy_expr *both = is_rounded ? sum->args[0] : sum;
  if (is_sum(both->args[0]) || is_sum(both->args[1])) return;
  hy_text_printf(out, "; the average of the two is %shalving_add(", is_rounded ? "rounding_" : "");
  tell_operands(both, out);
}

// min(e, 255), max(e, 0): the number; NULL: it is no such thing.
static const hy_expr *limit_of(const hy_expr *user) {
  if (user->op != HY_OP_MIN && user->op != HY_OP_MAX) return NULL;
  for (int i = 0; i < 2; i++)
    if (user->args[i]->kind == HY_EXPR_CONST && !user->args[i]->value.error) return user->args[i];
  return NULL;
}

// What min(a + b, 255) and max(a - b, 0) are meant to be, where these are the ends of the type.
static void tell_saturating(const hy_expr *limit, bool is_upper, const hy_expr *sum, hy_text *out) {
  int64_t low, high;
  hy_type_range(sum->type, &low, &high);
  if (sum->op != (is_upper ? HY_OP_ADD : HY_OP_SUB) || !is_number(limit, is_upper ? high : low)) return;
  if (is_sum(sum->args[0]) || is_sum(sum->args[1])) return;
  hy_text_printf(out, "; which is saturating_%s(", is_upper ? "add" : "sub");
  tell_operands(sum, out);
}

static void tell_limited(looking *l, const hy_expr *user, const hy_expr *sum, hy_type type, hy_text *out) {
  const hy_expr *limit = limit_of(user);
  const hy_expr *limited =
      hy_expr_binary(l->context, user->op, widened(l, sum, type), number_of(l, type, limit->value));
  hy_expr_print_brief(hy_expr_cast(l->context, sum->type, limited), 200, out);
  tell_saturating(limit, user->op == HY_OP_MIN, sum, out);
}

static void tell_help(looking *l, const hy_expr *user, const hy_expr *sum, hy_type type, hy_text *out) {
  hy_text_add(out, "write ");
  if (user->op == HY_OP_ABS) {
    hy_text_add(out, "absd(");
    tell_operands(sum, out);
  } else if (limit_of(user))
    tell_limited(l, user, sum, type, out);
  else
    hy_expr_print_brief(widened(l, sum, type), 200, out);
  tell_average(user, sum, out);
  hy_text_printf(out, "; or, where it is meant to wrap, %s(", hy_type_name(sum->type));
  hy_expr_print_brief(sum, 80, out);
  hy_text_add(out, ")");
}

// "read": the func that stores the sum; NULL: it is used where it is written.
static void tell_use(const hy_expr *user, const hy_expr *read, hy_text *out) {
  if (user->op == HY_OP_ABS) {
    hy_text_add(out, "its absolute value is taken after that, which is what it is without a sign");
    return;
  }
  hy_text_printf(out, read ? "'%s' is " : "is ", read ? read->func->name : "");
  if (user->op == HY_OP_DIV) hy_text_add(out, "divided");
  if (user->op == HY_OP_SHR) hy_text_add(out, "shifted right");
  if (user->op == HY_OP_CAST) hy_text_printf(out, "converted to %s", hy_type_name(user->type));
  if (!limit_of(user)) return;
  hy_text_add(out, user->op == HY_OP_MIN ? "limited to at most " : "limited to at least ");
  hy_expr_print_brief(limit_of(user), 80, out);
}

static void tell_after(const looking *l, const hy_expr *read, hy_text *out) {
  hy_text_add(out, " after that");
  const hy_loc loc = read ? hy_stage_access_loc(l->stage, read) : (hy_loc){0};
  if (loc.source) hy_text_printf(out, ", on line %u", loc.line);
}

static void tell_range(const hy_expr *user, hy_range range, hy_type type, hy_text *out) {
  int64_t low, high;
  hy_type_range(type, &low, &high);
  if (user->op == HY_OP_MAX) range.high = low; // what counts is the other end
  if (range.high > high)
    hy_text_printf(out, "wraps above %lld", (long long)high);
  else
    hy_text_printf(out, "wraps below %lld", (long long)low);
  if (is_bounded(range))
    hy_text_printf(out, " where it is %lld", (long long)(range.high > high ? range.high : range.low));
}

static bool was_told(const looking *l, hy_loc loc) {
  for (size_t i = 0; i < l->told.count; i++)
    if (l->told.data[i].source == loc.source && l->told.data[i].line == loc.line &&
        l->told.data[i].column == loc.column)
      return true;
  return false;
}

// "read": the func that stores the sum, as it is used; NULL: the sum itself is.
static void tell(looking *l, const hy_expr *user, const hy_expr *read, const wrap *w) {
  const hy_expr *sum = w->sum;
  const hy_definition *made = w->made;
  hy_range range = w->range;
  if (was_told(l, w->loc)) return;
  hy_vec_push(&l->told, w->loc);
  hy_type wanted = user->op == HY_OP_CAST ? user->type : HY_BOOL, type = type_for(range, sum->type, wanted);
  hy_text what = {0}, help = {0}, wraps = {0}, use = {0};
  const hy_expr *value = made ? added(made->func, &made->stages[1]) : sum;
  hy_expr_print_brief(value, 80, &what);
  tell_range(user, range, sum->type, &wraps);
  tell_use(user, read, &use);
  if (user->op != HY_OP_ABS) tell_after(l, read, &use);
  if (made) {
    hy_text_add(&help, "add up ");
    hy_expr_print_brief(widened(l, value, type), 200, &help);
  } else {
    tell_help(l, user, sum, type, &help);
  }
  hy_warn(l->diagnostics, HY_E_WRAPPED_SUM, w->loc, "arithmetic gives the type of its operands, modulo 2^n",
          hy_text_string(&help), "%s'%s' is computed as %s and %s, and %s", made ? "the sum of " : "",
          hy_text_string(&what), hy_type_name(sum->type), hy_text_string(&wraps), hy_text_string(&use));
  hy_text_free(&what);
  hy_text_free(&help);
  hy_text_free(&wraps);
  hy_text_free(&use);
}

/* -- where sums are used -- */

static const hy_sum_site *written_sum(const hy_stage *stage, const hy_expr *sum) {
  for (int i = 0; is_sum(sum) && i < stage->sum_count; i++)
    if (stage->sums[i].sum == sum) return &stage->sums[i];
  return NULL;
}

// A sum that may leave its type, believed or not
static bool leaves_type(looking *l, const hy_expr *sum, wrap *w) {
  const hy_definition *made = NULL;
  const hy_sum_site *site = inline_sum(l, sum, &made);
  if (!site) made = NULL, site = written_sum(l->stage, sum);
  if (!site) return false; // nobody wrote it
  *w = (wrap){sum, made, exact(l, sum), site->loc};
  return !hy_range_is_within(w->range, hy_type_numbers(sum->type));
}

static const wrap *stored_by(const looking *l, const hy_expr *access) {
  for (size_t i = 0; access->kind == HY_EXPR_ACCESS && i < l->stored.count; i++)
    if (l->stored.data[i].func == access->func) return &l->stored.data[i].wrap;
  return NULL;
}

static void look_at_sum(looking *l, const hy_expr *user, const hy_expr *sum) {
  wrap w;
  const wrap *stored = stored_by(l, sum);
  hy_range type = hy_type_numbers(sum->type);
  if (stored) {
    tell(l, user, sum, stored);
  } else if (leaves_type(l, sum, &w) && !is_believed(l, sum, w.range)) {
    if (user->op == HY_OP_MIN && w.range.high <= type.high) return; // it wraps at the other end
    if (user->op == HY_OP_MAX && w.range.low >= type.low) return;
    tell(l, user, NULL, &w);
  }
}

// abs(a - b) of numbers without a sign: absd(a, b) is meant, of 16 bits, too.
static void look_at_absolute(looking *l, const hy_expr *user) {
  const hy_expr *sum = user->args[0];
  wrap w;
  if (hy_type_class_of(sum->type) != HY_CLASS_UNSIGNED || sum->op != HY_OP_SUB || !is_sum(sum)) return;
  if (leaves_type(l, sum, &w)) tell(l, user, NULL, &w);
}

/* -- what is stored -- */

// Of the one update of a func: what is added up by it.
static bool sum_of_update(looking *l, const hy_definition *d, wrap *w) {
  const hy_stage *stage = &d->stages[1];
  const hy_expr *value = added(d->func, stage);
  const hy_sum_site *site = value ? written_sum(stage, stage->rhs) : NULL;
  *w = (wrap){.sum = stage->rhs, .made = d};
  if (!site || !sum_range(l, d, &w->range)) return false;
  w->loc = site->loc;
  bool is_known_sum = hy_type_bits(value->type) == 8 || (is_bounded(w->range) && is_known(l, value));
  return is_known_sum && !hy_range_is_within(w->range, hy_type_numbers(value->type));
}

// What the func stores is a sum, or what another func stores. Of what wraps below nothing is said: differences that are
// stored are often meant modulo 2^n.
static void learn_wrap(looking *l, const hy_definition *d) {
  const hy_expr *rhs = d->stages[0].rhs;
  wrap w;
  if (d->is_made || d->func->more || !is_narrow(d->func->type) || hy_type_class_of(d->func->type) != HY_CLASS_UNSIGNED)
    return;
  l->stage = &d->stages[0];
  const wrap *stored = d->stage_count == 1 ? stored_by(l, rhs) : NULL;
  bool wraps = stored                ? (w = *stored, true)
               : d->stage_count == 2 ? sum_of_update(l, d, &w)
                                     : d->stage_count == 1 && leaves_type(l, rhs, &w) && !is_believed(l, rhs, w.range);
  if (wraps && w.range.high > hy_type_numbers(d->func->type).high) hy_vec_push(&l->stored, (stored_wrap){d->func, w});
}

/* -- where values are used -- */

// Whichever of them is taken.
static void look_through(looking *l, const hy_expr *user, const hy_expr *e) {
  bool is_choice = e->kind == HY_EXPR_OP && (e->op == HY_OP_SELECT || e->op == HY_OP_MIN || e->op == HY_OP_MAX);
  if (!is_choice) look_at_sum(l, user, e);
  for (int i = e->op == HY_OP_SELECT; is_choice && i < e->count; i++) look_through(l, user, e->args[i]);
}

static bool widens(hy_type from, hy_type to) {
  return hy_type_class_of(to) == HY_CLASS_FLOAT || (to != HY_BOOL && hy_type_bits(to) > hy_type_bits(from));
}

static void look_at_user(void *self, const hy_expr *e) {
  looking *l = self;
  if (e->kind != HY_EXPR_OP || !is_narrow(e->args[0]->type)) return;
  if (e->op == HY_OP_DIV || e->op == HY_OP_SHR || (e->op == HY_OP_CAST && widens(e->args[0]->type, e->type)))
    look_through(l, e, e->args[0]);
  if (e->op == HY_OP_ABS) look_at_absolute(l, e);
  const hy_expr *limit = limit_of(e);
  for (int i = 0; limit && i < 2; i++)
    if (e->args[i] != limit) look_through(l, e, e->args[i]);
}

static void look_at_stage(looking *l, const hy_stage *stage) {
  l->stage = stage;
  hy_expr_list all = {0};
  for (int d = 0; d < l->definition->func->rank; d++) hy_vec_push(&all, stage->lhs[d]);
  hy_vec_push(&all, stage->rhs);
  if (stage->predicate) hy_vec_push(&all, stage->predicate);
  hy_expr_visit_each(all.data, all.count, look_at_user, l);
  hy_vec_free(&all);
}

static bool has_sums(const hy_alg *alg) {
  for (int i = 0; i < alg->definition_count; i++)
    for (int j = 0; j < alg->definitions[i].stage_count; j++)
      if (alg->definitions[i].stages[j].sum_count) return true;
  return false;
}

void hy_wrapping_report(hy_context *context, const hy_tgt *tgt, hy_diagnostics *diagnostics) {
  const hy_alg *alg = tgt->alg;
  if (!has_sums(alg)) return;
  looking l = {.context = context, .diagnostics = diagnostics, .tgt = tgt};
  l.values = hy_values_none(context, hy_tgt_symbols(tgt));
  for (int i = 0, next = 0; i < alg->definition_count && next < tgt->func_count; i++) {
    if (alg->definitions[i].func != tgt->funcs[next]) continue; // not computed
    next++;
    l.definition = &alg->definitions[i];
    begin_ranges(&l);
    learn_values(&l);
    for (int j = 0; j < l.definition->stage_count; j++) look_at_stage(&l, &l.definition->stages[j]);
    learn_wrap(&l, l.definition);
    hy_ranges_free(l.ranges);
  }
  hy_vec_free(&l.told);
  hy_vec_free(&l.stored);
}
