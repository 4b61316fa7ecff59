#include "codegen/codegen_internal.h"

#include "semantics/tgt/fused.h"

/* Where values of type int lie, by what the entry has checked: that parameters and boxes are within +-2^31 (decision
 * D26), above all. Arithmetic that cannot leave 64 bits needs no code that asks whether it did (llvm_condition.c).
 */

static const hy_int_range all = {INT64_MIN, INT64_MAX};

static hy_int_range hull(hy_int_range a, hy_int_range b) {
  return (hy_int_range){a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
}

/* -- what is checked -- */

static hy_var_range *find_row(hy_emitter *e, const hy_var *var) {
  for (size_t i = 0; i < e->ranges.count; i++)
    if (e->ranges.data[i].var == var) return &e->ranges.data[i];
  hy_vec_push(&e->ranges, (hy_var_range){var, all, NULL});
  return &hy_vec_last(&e->ranges);
}

static hy_int_range *find(hy_emitter *e, const hy_var *var) { return &find_row(e, var)->range; }

// a <= b, where one side is a variable and the other a constant
static void learn_order(hy_emitter *e, const hy_expr *a, const hy_expr *b) {
  int64_t c;
  if (a->type != HY_INT) return;
  if (a->kind == HY_EXPR_VAR && hy_expr_is_int(b, &c)) {
    hy_int_range *r = find(e, a->var);
    if (c < r->most) r->most = c;
  } else if (b->kind == HY_EXPR_VAR && hy_expr_is_int(a, &c)) {
    hy_int_range *r = find(e, b->var);
    if (c > r->least) r->least = c;
  }
}

void hy_range_learn(hy_emitter *e, const hy_expr *condition) {
  enum { CONJUNCTS = 64 };
  const hy_expr *stack[CONJUNCTS] = {condition};
  for (int count = 1; count > 0;) {
    const hy_expr *c = stack[--count];
    if (c->kind != HY_EXPR_OP || c->has_access) continue;
    if (c->op == HY_OP_AND && count + 2 <= CONJUNCTS) {
      stack[count++] = c->args[0];
      stack[count++] = c->args[1];
    }
    if (c->op == HY_OP_LE || c->op == HY_OP_LT) learn_order(e, c->args[0], c->args[1]);
    if (c->op == HY_OP_GE || c->op == HY_OP_GT) learn_order(e, c->args[1], c->args[0]);
  }
}

/* -- what follows -- */

static hy_int_range negated(hy_int_range a, bool *fits) {
  *fits = a.least != INT64_MIN;
  return *fits ? (hy_int_range){-a.most, -a.least} : all;
}

static hy_int_range sum(hy_int_range a, hy_int_range b, bool *fits) {
  hy_int_range r;
  *fits = !__builtin_add_overflow(a.least, b.least, &r.least) && !__builtin_add_overflow(a.most, b.most, &r.most);
  return *fits ? r : all;
}

static hy_int_range difference(hy_int_range a, hy_int_range b, bool *fits) {
  hy_int_range r;
  *fits = !__builtin_sub_overflow(a.least, b.most, &r.least) && !__builtin_sub_overflow(a.most, b.least, &r.most);
  return *fits ? r : all;
}

static hy_int_range product(hy_int_range a, hy_int_range b, bool *fits) {
  int64_t corners[4];
  *fits = !__builtin_mul_overflow(a.least, b.least, &corners[0]) &&
          !__builtin_mul_overflow(a.least, b.most, &corners[1]) &&
          !__builtin_mul_overflow(a.most, b.least, &corners[2]) && !__builtin_mul_overflow(a.most, b.most, &corners[3]);
  if (!*fits) return all;
  hy_int_range r = {corners[0], corners[0]};
  for (int i = 1; i < 4; i++) r = hull(r, (hy_int_range){corners[i], corners[i]});
  return r;
}

// Rounded down. Only what B's guards and tails divide by is worth a range: positive constants.
static hy_int_range quotient(hy_int_range a, hy_int_range b, bool *fits) {
  *fits = (b.least > 0 || b.most < 0) && (a.least != INT64_MIN || b.least > -1 || b.most < -1);
  if (b.least != b.most || b.least <= 0) return all;
  int64_t d = b.least;
  return (hy_int_range){a.least / d - (a.least % d < 0), a.most / d - (a.most % d < 0)};
}

// At least 0, and less than what it is divided by.
static hy_int_range remainder_of(hy_int_range b, bool *fits) {
  *fits = b.least > 0 || b.most < 0;
  return b.least > 0 ? (hy_int_range){0, b.most - 1} : all;
}

/* -- what is fused: no other loop has the variable, so where it has a value its loop is around -- */

static const hy_expr *values_of(void *self, const hy_var *var) { return find_row(self, var)->values; }
static bool is_natural(void *self, const hy_expr *factor) { return hy_range_of_value(self, factor).least >= 0; }

static bool is_half(hy_emitter *e, const hy_expr *node, hy_product *values) {
  bool divides = node->kind == HY_EXPR_OP && (node->op == HY_OP_DIV || node->op == HY_OP_MOD);
  return divides && hy_fused_values(&(hy_fused_scope){e->forms, values_of, is_natural, e}, node, values);
}

// GEN.Fused: of a quotient or a remainder by what is no one number the range, if it is the half of something fused.
static bool range_of_half(hy_emitter *e, const hy_expr *node, hy_int_range *range) {
  hy_product values;
  if (!is_half(e, node, &values)) return false;
  hy_context_hit(e->context, HY_RULE_GEN_FUSED);
  hy_int_range count = {1, 1};
  bool fits = true;
  for (int i = 0; i < values.count && fits; i++) count = product(count, hy_range_of_value(e, values.factors[i]), &fits);
  *range = (hy_int_range){0, fits && count.most > 0 ? count.most - 1 : INT64_MAX};
  return true;
}

// Is every value of the type an int, or made one (VAL.Cast)?
static bool converts_all(hy_type type) { return type != HY_U64; }

static hy_int_range range_of_type(hy_type type) {
  hy_int_range r = all;
  if (type == HY_U64) return (hy_int_range){0, INT64_MAX};
  if (hy_type_class_of(type) != HY_CLASS_FLOAT) hy_type_range(type, &r.least, &r.most);
  return r;
}

hy_int_range hy_range_of(hy_emitter *e, const hy_expr *node, const hy_int_range *args, bool *fits) {
  int64_t c;
  *fits = false;
  if (node->type != HY_INT) return all;
  if (hy_expr_is_int(node, &c)) return (hy_int_range){c, c};
  if (node->kind == HY_EXPR_VAR) return *find(e, node->var);
  if (node->kind != HY_EXPR_OP) return all;
  hy_int_range half;
  if (node->count == 2 && args[1].least != args[1].most && range_of_half(e, node, &half)) return *fits = true, half;
  if (node->op == HY_OP_ADD) return sum(args[0], args[1], fits);
  if (node->op == HY_OP_SUB) return difference(args[0], args[1], fits);
  if (node->op == HY_OP_MUL) return product(args[0], args[1], fits);
  if (node->op == HY_OP_DIV) return quotient(args[0], args[1], fits);
  if (node->op == HY_OP_NEG) return negated(args[0], fits);
  if (node->op == HY_OP_SELECT) return hull(args[1], args[2]);
  if (node->op == HY_OP_MOD) return remainder_of(args[1], fits);
  if (node->op == HY_OP_CAST) return *fits = converts_all(node->args[0]->type), range_of_type(node->args[0]->type);
  if (node->op != HY_OP_MIN && node->op != HY_OP_MAX) return all;
  bool least = node->op == HY_OP_MIN;
  hy_int_range a = args[0], b = args[1];
  return (hy_int_range){(a.least < b.least) == least ? a.least : b.least, (a.most < b.most) == least ? a.most : b.most};
}

typedef struct fitting {
  hy_emitter *e;
  int left; // nodes that may still be looked at
  bool all_fit;
} fitting;

static hy_int_range look(fitting *f, const hy_expr *node) {
  hy_int_range args[HY_MAX_ARITY] = {{0}};
  if (--f->left < 0) return f->all_fit = false, all;
  bool is_op = node->kind == HY_EXPR_OP, fits;
  hy_op_kind kind = is_op ? hy_op_kind_of(node->op) : HY_KIND_OTHER;
  bool computes = is_op && kind != HY_KIND_CHOICE && kind != HY_KIND_EXTREMUM;
  for (int i = 0; is_op && i < node->count; i++) args[i] = look(f, node->args[i]);
  hy_int_range r = hy_range_of(f->e, node, args, &fits);
  if (computes && node->type == HY_INT) f->all_fit &= fits;
  return r;
}

bool hy_range_never_left(hy_emitter *e, const hy_expr *expr) {
  enum { MOST_NODES = 500 };
  fitting f = {e, MOST_NODES, true};
  (void)look(&f, expr);
  return f.all_fit;
}

hy_int_range hy_range_of_value(hy_emitter *e, const hy_expr *expr) {
  enum { MOST_NODES = 500 };
  fitting f = {e, MOST_NODES, true};
  hy_int_range r = look(&f, expr);
  return f.all_fit ? r : all;
}

bool hy_range_is_number(hy_emitter *e, const hy_expr *expr, int64_t *number) {
  if (hy_expr_is_int(expr, number)) return true;
  if (expr->type != HY_INT || expr->kind != HY_EXPR_OP || expr->has_var || expr->has_access) return false;
  hy_int_range r = hy_range_of_value(e, expr);
  *number = r.least;
  return r.least == r.most;
}

void hy_range_bind(hy_emitter *e, const hy_var *var, const hy_expr *value) {
  hy_int_range r = hy_range_of_value(e, value);
  hy_product values;
  const hy_expr *count = is_half(e, value, &values) ? hy_product_expr(e->context, &values) : NULL;
  hy_var_range *row = find_row(e, var);
  row->range = r;
  row->values = count;
}

// That its end fits is owed (B.Fits); an empty loop has no value.
void hy_range_bind_loop(hy_emitter *e, const hy_stmt *loop) {
  hy_interval interval = loop->loop.interval, whole = loop->loop.piece ? loop->loop.piece->whole : interval;
  hy_int_range min = hy_range_of_value(e, interval.min), len = hy_range_of_value(e, interval.len),
               r = {min.least, min.most};
  if (len.most > 0 && __builtin_add_overflow(min.most, len.most - 1, &r.most)) r.most = INT64_MAX;
  hy_var_range *row = find_row(e, loop->loop.var);
  int64_t begin;
  row->range = r;
  // Whatever is emitted of the loop later is a piece of what comes first.
  if (!row->values && hy_expr_is_int(whole.min, &begin) && begin == 0) row->values = whole.len;
}
