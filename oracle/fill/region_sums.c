#include "oracle/fill/region_internal.h"

/* Ends of sums. What several terms have in common, as the beginning of a tile and its length, is kept together: inside of
 * the min or max, of the quotient, or beside the factor that has it. The rest ends term by term.
 */

// If the atom is v, or a product with the one factor v: the cofactor; else NULL.
static const hy_expr *cofactor(const elimination *what, const hy_expr *atom) {
  if (!what->var) return NULL;
  if (atom->kind == HY_EXPR_VAR) return atom->var == what->var ? number(what->site, 1) : NULL;
  if (atom->kind != HY_EXPR_OP || atom->op != HY_OP_MUL) return NULL;
  const hy_expr *a = atom->args[0], *b = atom->args[1];
  bool in_a = hy_ends_mentions(what, a), in_b = hy_ends_mentions(what, b);
  if (in_a == in_b) return NULL;
  const hy_expr *inside = cofactor(what, in_a ? a : b);
  return inside ? hy_ends_multiply(what->site, inside, in_a ? b : a) : NULL;
}

// The end of the variable's range over all loops around it that "coefficient" and "rest" do not mention either: where
// the sign is not known both ends count, and a low end that moved on with such a loop would count as a high one.
static const hy_expr *outer_end(const elimination *what, const hy_expr *coefficient, const hy_expr *rest,
                                hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *end = hy_ends_of_variable(what, side);
  int i = site->depth;
  while (i-- > 0 && site->path[i] != what->binder) continue;
  while (i-- > site->keep) {
    const hy_stmt *s = site->path[i];
    if (s->kind != HY_STMT_FOR && s->kind != HY_STMT_LET) continue;
    const hy_var *var = s->kind == HY_STMT_FOR ? s->loop.var : s->let.var;
    if (hy_expr_mentions(coefficient, var) || hy_expr_mentions(rest, var)) break;
    const hy_expr *further = hy_ends_eliminate_one(site, var, s, end, side);
    if (!further) break;
    end = further;
  }
  return end;
}

// coefficient * (the end of the variable's range that the sign of the coefficient asks for)
static const hy_expr *scaled_end(const elimination *what, const hy_expr *coefficient, const hy_expr *rest,
                                 hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *zero = number(site, 0);
  if (hy_ends_holds(site, HY_OP_GE, coefficient, zero))
    return hy_ends_multiply(site, coefficient, hy_ends_of_variable(what, side));
  if (hy_ends_holds(site, HY_OP_LE, coefficient, zero))
    return hy_ends_multiply(site, coefficient, hy_ends_of_variable(what, other_side(side)));
  const hy_expr *high = hy_ends_multiply(site, coefficient, outer_end(what, coefficient, rest, HY_HIGH));
  const hy_expr *low = hy_ends_multiply(site, coefficient, outer_end(what, coefficient, rest, HY_LOW));
  return hy_ends_extremum(site, side, low, high);
}

// A min or max that mentions the variable beside other terms that do: the sum goes inside, or what the terms have in
// common would be lost. Returns its position if there is just one or two such, else -1.
static int entangled(const elimination *what, const hy_affine *form) {
  int found = -1, extrema = 0, others = 0;
  for (int i = 0; i < form->count; i++) {
    const hy_expr *atom = form->terms[i].atom;
    if (!hy_ends_mentions(what, atom)) continue;
    if (atom->kind == HY_EXPR_OP && hy_op_kind_of(atom->op) == HY_KIND_EXTREMUM)
      found = i, extrema++;
    else
      others++;
  }
  return extrema >= 1 && extrema <= 2 && extrema + others >= 2 ? found : -1;
}

static const hy_expr *eliminate_inside(const elimination *what, const hy_affine *form, int index, hy_side side) {
  hy_op op;
  const hy_expr *a, *b;
  hy_affine_distribute(what->site->table, form, index, &op, &a, &b);
  hy_side wins = op == HY_OP_MIN ? HY_LOW : HY_HIGH;
  a = hy_ends_eliminate(what, a, side);
  b = hy_ends_eliminate(what, b, side);
  if (a && b) return hy_ends_extremum(what->site, wins, a, b);
  return side == wins ? NULL : a ? a : b; // min(a, b) <= a, whatever b is
}

static const hy_expr *divided(const hy_expr *expr, int64_t *divisor) {
  bool divides = expr->kind == HY_EXPR_OP && expr->op == HY_OP_DIV && expr->type == HY_INT &&
                 hy_expr_is_int(expr->args[1], divisor) && *divisor >= 1;
  return divides ? expr->args[0] : NULL;
}

// Is there a min or max in the sum, or under quotients in it, that mentions the variable?
static bool holds_extremum(const elimination *what, const hy_expr *expr) {
  const hy_affine *form = hy_affine_of(what->site->table, expr);
  int64_t divisor;
  bool holds = false;
  for (int i = 0; i < form->count && !holds; i++) {
    const hy_expr *atom = form->terms[i].atom;
    if (!hy_ends_mentions(what, atom)) continue;
    const hy_expr *inside = divided(atom, &divisor);
    holds =
        inside ? holds_extremum(what, inside) : atom->kind == HY_EXPR_OP && hy_op_kind_of(atom->op) == HY_KIND_EXTREMUM;
  }
  return holds;
}

// The one quotient with such an extremum, beside other terms that mention the variable; else -1.
static int entangled_quotient(const elimination *what, const hy_affine *form) {
  int found = -1, mentioning = 0;
  int64_t divisor;
  for (int i = 0; i < form->count; i++) {
    const hy_expr *atom = form->terms[i].atom, *inside = divided(atom, &divisor);
    if (!hy_ends_mentions(what, atom)) continue;
    mentioning++;
    if (!inside || !holds_extremum(what, inside)) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return mentioning >= 2 ? found : -1;
}

static const hy_expr *plus(const hy_region_site *site, const hy_expr *sum, int64_t coefficient, const hy_expr *atom) {
  return binary(site, HY_OP_ADD, sum, binary(site, HY_OP_MUL, number(site, coefficient), atom));
}

// rewrite: c*(e / b) + c*k*v -> c*((e + b*k*v) / b), of the variable v that is eliminated, whose coefficient c divides; gives
// e + b*k*v. Products of it with parameters stay: what they would be inside of the quotient nothing bounds further out. The end of a tile, 16*t + (min(n - 32*t, 32) - 1) / 2, is that of its consumer, divided. NULL: there is no
// such term, or numbers leave 64 bits.
static const hy_expr *under_quotient(const elimination *what, const hy_affine *form, int index, const hy_expr **rest) {
  const hy_region_site *site = what->site;
  int64_t divisor, scaled, c = form->terms[index].coefficient;
  const hy_expr *inside = divided(form->terms[index].atom, &divisor);
  bool moved = false;
  *rest = number(site, form->constant);
  for (int i = 0; i < form->count; i++) {
    const hy_expr *atom = form->terms[i].atom;
    int64_t own = form->terms[i].coefficient;
    if (i == index) continue;
    bool divides = hy_ends_mentions(what, atom) && atom->kind == HY_EXPR_VAR && own != INT64_MIN && own % c == 0;
    bool moves = divides && !__builtin_mul_overflow(own / c, divisor, &scaled);
    if (moves)
      inside = plus(site, inside, scaled, atom);
    else
      *rest = plus(site, *rest, own, atom);
    moved |= moves;
  }
  return moved ? hy_affine_normal(site->table, inside) : NULL;
}

// Of a sum with an entangled quotient, that of which under_quotient makes one. A quotient by a positive number grows
// with what it divides, so that the end may be taken inside.
static const hy_expr *end_under_quotient(const elimination *what, const hy_affine *form, int index, hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *rest, *inside = under_quotient(what, form, index, &rest);
  if (!inside) return NULL;
  int64_t c = form->terms[index].coefficient;
  const hy_expr *end = hy_ends_eliminate(what, inside, c > 0 ? side : other_side(side));
  if (!end) return NULL;
  end = hy_ends_divide(site, end, form->terms[index].atom->args[1]);
  hy_context_hit(site->context, HY_RULE_ORA_QUOTIENT); // ORA.Quotient
  return hy_ends_add(site, hy_ends_multiply(site, number(site, c), end),
                     hy_ends_eliminate(what, hy_affine_normal(site->table, rest), side));
}

// What is left of "most" nodes after those of the expression, each counted where it stands; negative: it has more.
static int nodes_left(const hy_expr *expr, int most) {
  most--;
  for (int i = 0; i < expr->count && most >= 0; i++) most = nodes_left(expr->args[i], most);
  return most;
}

// What the rule below is for is the length of a tile, or of a tile in tiles. The ends of what several loops have made of a
// min or max, alternatives of alternatives, have nothing in common that would be worth their growth inside one.
enum { NODES_OF_A_LENGTH = 64 };

// The factor beside a min or max that mentions the variable, s*min(n - 2*t, 2), in one of the terms; NULL: there is none.
static const hy_expr *factor_of_extremum(const elimination *what, const hy_affine *form) {
  for (int i = 0; i < form->count; i++) {
    const hy_expr *atom = form->terms[i].atom;
    if (atom->kind != HY_EXPR_OP || atom->op != HY_OP_MUL) continue;
    for (int k = 0; k < 2; k++) {
      const hy_expr *inside = atom->args[k];
      bool is_extremum = inside->kind == HY_EXPR_OP && hy_op_kind_of(inside->op) == HY_KIND_EXTREMUM;
      if (is_extremum && hy_ends_mentions(what, inside) && !hy_ends_mentions(what, atom->args[1 - k]) &&
          nodes_left(inside, NODES_OF_A_LENGTH) >= 0)
        return atom->args[1 - k];
    }
  }
  return NULL;
}

// rewrite: s*2*t + s*min(n - 2*t, 2) -> s*(2*t + min(n - 2*t, 2)), whose end is that of the sum inside, or what the terms have in
// common would be lost, as of a tile that is read in strides of s. NULL: there is nothing such, or the sign of s is not
// known.
static const hy_expr *end_under_factor(const elimination *what, const hy_affine *form, hy_side side) {
  const hy_region_site *site = what->site;
  const hy_expr *factor = factor_of_extremum(what, form), *zero = number(site, 0), *inside = zero;
  const hy_expr *rest = number(site, form->constant);
  int moved = 0;
  for (int i = 0; factor && i < form->count; i++) {
    const hy_expr *atom = form->terms[i].atom;
    const hy_expr *beside = hy_ends_mentions(what, atom) ? hy_ends_without_factor(site, atom, factor) : NULL;
    moved += beside != NULL;
    if (beside)
      inside = plus(site, inside, form->terms[i].coefficient, beside);
    else
      rest = plus(site, rest, form->terms[i].coefficient, atom);
  }
  if (moved < 2) return NULL;
  const bool grows = hy_ends_holds(site, HY_OP_GE, factor, zero);
  if (!grows && !hy_ends_holds(site, HY_OP_LE, factor, zero)) return NULL;
  const hy_expr *end = hy_ends_eliminate(what, hy_affine_normal(site->table, inside), grows ? side : other_side(side));
  hy_context_hit(site->context, HY_RULE_ORA_FACTOR); // ORA.Factor
  return end ? hy_ends_add(site, hy_ends_multiply(site, factor, end),
                           hy_ends_eliminate(what, hy_affine_normal(site->table, rest), side))
             : NULL;
}

const hy_expr *hy_ends_of_sum(const elimination *what, const hy_expr *expr, hy_side side) {
  const hy_region_site *site = what->site;
  const hy_affine *form = hy_affine_of(site->table, expr);
  int tangle = entangled(what, form);
  if (tangle >= 0) return eliminate_inside(what, form, tangle, side);
  const hy_expr *scaled = form->count > 1 ? end_under_factor(what, form, side) : NULL;
  if (scaled) return scaled;
  int quotient = form->count > 1 ? entangled_quotient(what, form) : -1;
  const hy_expr *whole = quotient >= 0 ? end_under_quotient(what, form, quotient, side) : NULL;
  if (whole) return whole;
  const hy_expr *sum = number(site, form->constant), *coefficient = number(site, 0);
  for (int i = 0; i < form->count && sum; i++) {
    const hy_expr *atom = form->terms[i].atom, *c = number(site, form->terms[i].coefficient);
    const hy_expr *factor;
    if (!hy_ends_mentions(what, atom))
      sum = hy_ends_add(site, sum, binary(site, HY_OP_MUL, c, atom));
    else if ((factor = cofactor(what, atom)))
      coefficient = hy_ends_add(site, coefficient, binary(site, HY_OP_MUL, c, factor));
    else
      sum = hy_ends_add(
          site, sum,
          hy_ends_multiply(site, c,
                           hy_ends_of_atom(what, atom, form->terms[i].coefficient > 0 ? side : other_side(side))));
  }
  int64_t constant;
  if (!sum || (hy_expr_is_int(coefficient, &constant) && constant == 0)) return sum;
  return hy_ends_add(site, sum, scaled_end(what, coefficient, sum, side));
}
