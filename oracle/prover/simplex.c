#include "oracle/prover/simplex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PIVOTS = 400, FRACTION_WORK = 25 }; // fractions are that much slower than whole numbers

struct hy_simplex_var {
  hy_rational value;
  hy_wide low, high;
  int low_reason, high_reason; // valid when there is the bound
  const hy_poly *form;         // NULL: an unknown, named by its key
  int place;                   // row if basic, else column
  bool has_low, has_high, is_basic;
};

/* -- life -- */

void hy_simplex_init(hy_simplex *simplex) { *simplex = (hy_simplex){0}; }

void hy_simplex_free(hy_simplex *simplex) {
  hy_free(simplex->vars);
  hy_free(simplex->keys);
  hy_free(simplex->cells);
  hy_free(simplex->basic);
  hy_free(simplex->nonbasic);
  hy_free(simplex->conflict);
  *simplex = (hy_simplex){0};
}

void hy_simplex_clear(hy_simplex *simplex) {
  simplex->var_count = simplex->row_count = simplex->column_count = simplex->conflict_count = 0;
  simplex->overflow = false;
  simplex->work = 0;
}

static void reserve_vars(hy_simplex *simplex, int wanted) {
  if (wanted <= simplex->var_capacity) return;
  int capacity = wanted > 2 * simplex->var_capacity ? wanted + 16 : 2 * simplex->var_capacity;
  simplex->vars = hy_reallocate(simplex->vars, sizeof *simplex->vars * (size_t)capacity);
  simplex->keys = hy_reallocate(simplex->keys, sizeof *simplex->keys * (size_t)capacity);
  simplex->var_capacity = capacity;
}

static hy_rational *row_of(const hy_simplex *simplex, int row) {
  return simplex->cells + (size_t)row * (size_t)simplex->column_capacity;
}

// Room for so many rows and columns; rows move when the columns' capacity grows.
static void reserve_cells(hy_simplex *simplex, int rows, int columns) {
  if (rows <= simplex->row_capacity && columns <= simplex->column_capacity) return;
  int row_capacity = rows > simplex->row_capacity ? rows * 2 : simplex->row_capacity;
  int column_capacity = columns > simplex->column_capacity ? columns * 2 : simplex->column_capacity;
  hy_rational *cells = hy_allocate(sizeof *cells * (size_t)row_capacity * (size_t)column_capacity);
  for (int r = 0; r < simplex->row_count; r++)
    memcpy(cells + (size_t)r * (size_t)column_capacity, row_of(simplex, r),
           sizeof *cells * (size_t)simplex->column_count);
  hy_free(simplex->cells);
  simplex->cells = cells;
  simplex->basic = hy_reallocate(simplex->basic, sizeof *simplex->basic * (size_t)row_capacity);
  simplex->nonbasic = hy_reallocate(simplex->nonbasic, sizeof *simplex->nonbasic * (size_t)column_capacity);
  simplex->row_capacity = row_capacity;
  simplex->column_capacity = column_capacity;
}

void hy_simplex_copy(hy_simplex *to, const hy_simplex *from) {
  hy_simplex_clear(to);
  reserve_vars(to, from->var_count + 8);
  reserve_cells(to, from->row_count + 8, from->column_count + 8);
  if (from->var_count) {
    memcpy(to->vars, from->vars, sizeof *to->vars * (size_t)from->var_count);
    memcpy(to->keys, from->keys, sizeof *to->keys * (size_t)from->var_count);
  }
  if (from->row_count) memcpy(to->basic, from->basic, sizeof *to->basic * (size_t)from->row_count);
  if (from->column_count) memcpy(to->nonbasic, from->nonbasic, sizeof *to->nonbasic * (size_t)from->column_count);
  for (int r = 0; r < from->row_count && from->column_count; r++)
    memcpy(row_of(to, r), row_of(from, r), sizeof *to->cells * (size_t)from->column_count);
  to->var_count = from->var_count;
  to->row_count = from->row_count;
  to->column_count = from->column_count;
  to->overflow = from->overflow;
  to->work = (uint64_t)to->row_count * (uint64_t)to->column_count / 4;
}

/* -- unknowns and forms -- */

static hy_simplex_var *new_var(hy_simplex *simplex, uint64_t key, const hy_poly *form) {
  reserve_vars(simplex, simplex->var_count + 1);
  hy_simplex_var *var = &simplex->vars[simplex->var_count];
  *var = (hy_simplex_var){.value = hy_rational_of(0), .form = form, .is_basic = form != NULL};
  simplex->keys[simplex->var_count++] = key;
  return var;
}

static int find_unknown(const hy_simplex *simplex, hy_monomial monomial) {
  for (int v = 0; v < simplex->var_count; v++)
    if (simplex->keys[v] == monomial && !simplex->vars[v].form) return v;
  return -1;
}

static int unknown(hy_simplex *simplex, hy_monomial monomial) {
  int known = find_unknown(simplex, monomial);
  if (known >= 0) return known;
  reserve_cells(simplex, simplex->row_count, simplex->column_count + 1);
  int column = simplex->column_count++, v = simplex->var_count;
  new_var(simplex, monomial, NULL)->place = column;
  simplex->nonbasic[column] = v;
  for (int r = 0; r < simplex->row_count; r++) row_of(simplex, r)[column] = hy_rational_of(0);
  return v;
}

// row += factor * unknown v, in terms of the nonbasic variables
static void add_to_row(hy_simplex *simplex, hy_rational *row, hy_wide factor, int v) {
  const hy_simplex_var *var = &simplex->vars[v];
  hy_rational f = hy_rational_of(factor);
  if (!var->is_basic) {
    row[var->place] = hy_rational_add(row[var->place], f, &simplex->overflow);
    return;
  }
  const hy_rational *other = row_of(simplex, var->place);
  for (int c = 0; c < simplex->column_count; c++)
    if (!hy_rational_is_zero(other[c]))
      row[c] = hy_rational_add(row[c], hy_rational_mul(f, other[c], &simplex->overflow), &simplex->overflow);
}

static int form_var(hy_simplex *simplex, const hy_poly *form) {
  if (form->count == 1) return unknown(simplex, form->terms[0].monomial);
  for (int v = 0; v < simplex->var_count; v++)
    if (simplex->keys[v] == form->hash && simplex->vars[v].form && hy_poly_same_terms(simplex->vars[v].form, form))
      return v;
  int unknowns[HY_MAX_TERMS];
  for (uint32_t i = 0; i < form->count; i++) unknowns[i] = unknown(simplex, form->terms[i].monomial);
  reserve_cells(simplex, simplex->row_count + 1, simplex->column_count);
  int row = simplex->row_count++, v = simplex->var_count;
  hy_rational *cells = row_of(simplex, row), value = hy_rational_of(0);
  for (int c = 0; c < simplex->column_count; c++) cells[c] = hy_rational_of(0);
  for (uint32_t i = 0; i < form->count; i++) {
    hy_wide factor = form->terms[i].coefficient;
    add_to_row(simplex, cells, factor, unknowns[i]);
    hy_rational part = hy_rational_mul(hy_rational_of(factor), simplex->vars[unknowns[i]].value, &simplex->overflow);
    value = hy_rational_add(value, part, &simplex->overflow);
  }
  hy_simplex_var *var = new_var(simplex, form->hash, form);
  var->place = row;
  var->value = value;
  simplex->basic[row] = v;
  return v;
}

/* -- conflicts -- */

static void add_part(hy_simplex *simplex, int reason, bool is_low, hy_rational multiplier) {
  if (simplex->conflict_count == simplex->conflict_capacity) {
    simplex->conflict_capacity = simplex->conflict_capacity ? 2 * simplex->conflict_capacity : 16;
    simplex->conflict =
        hy_reallocate(simplex->conflict, sizeof *simplex->conflict * (size_t)simplex->conflict_capacity);
  }
  simplex->conflict[simplex->conflict_count++] = (hy_simplex_part){reason, is_low, multiplier};
}

static void add_bound(hy_simplex *simplex, const hy_simplex_var *var, bool is_low, hy_rational multiplier) {
  add_part(simplex, is_low ? var->low_reason : var->high_reason, is_low, multiplier);
}

// Row "row" cannot reach its bound: every variable of it is at the bound that stops it.
static hy_simplex_result explain(hy_simplex *simplex, int row, bool below) {
  const hy_rational *cells = row_of(simplex, row);
  simplex->conflict_count = 0;
  add_bound(simplex, &simplex->vars[simplex->basic[row]], below, hy_rational_of(1));
  for (int c = 0; c < simplex->column_count; c++) {
    if (hy_rational_is_zero(cells[c])) continue;
    bool positive = cells[c].num > 0;
    hy_rational size = positive ? cells[c] : hy_rational_neg(cells[c], &simplex->overflow);
    add_bound(simplex, &simplex->vars[simplex->nonbasic[c]], positive != below, size);
  }
  return simplex->overflow ? HY_SIMPLEX_LOST : HY_SIMPLEX_INFEASIBLE;
}

/* -- moving -- */

// cell += factor * other
static inline void add_product(hy_rational *cell, const hy_rational *factor, const hy_rational *other, bool *overflow) {
  if (cell->den == 1 && factor->den == 1 && other->den == 1)
    cell->num = hy_wide_add(cell->num, hy_wide_mul(factor->num, other->num, overflow), overflow);
  else
    *cell = hy_rational_add(*cell, hy_rational_mul(*factor, *other, overflow), overflow);
}

// Gives a nonbasic variable a new value; the basic ones follow.
static void move(hy_simplex *simplex, hy_simplex_var *var, hy_rational value) {
  hy_rational delta = hy_rational_sub(value, var->value, &simplex->overflow);
  var->value = value;
  for (int r = 0; r < simplex->row_count; r++) {
    const hy_rational *cell = &row_of(simplex, r)[var->place];
    if (!hy_rational_is_zero(*cell))
      add_product(&simplex->vars[simplex->basic[r]].value, cell, &delta, &simplex->overflow);
  }
}

// Exchanges the basic variable of "row" with the nonbasic one of "column".
static void pivot(hy_simplex *simplex, int row, int column) {
  bool *overflow = &simplex->overflow;
  simplex->work += (uint64_t)simplex->row_count * (uint64_t)simplex->column_count;
  hy_rational *cells = row_of(simplex, row);
  hy_rational inverse = hy_rational_div(hy_rational_of(1), cells[column], overflow);
  hy_rational minus = hy_rational_neg(inverse, overflow);
  int filled[HY_SIMPLEX_MAX_COLUMNS + 2], count = 0; // the columns of the row that are not 0
  for (int c = 0; c < simplex->column_count; c++) {
    if (hy_rational_is_zero(cells[c])) continue;
    cells[c] = c == column ? inverse : hy_rational_mul(cells[c], minus, overflow);
    filled[count++] = c;
  }
  for (int r = 0; r < simplex->row_count; r++) {
    hy_rational *other = row_of(simplex, r), factor = other[column];
    if (r == row || hy_rational_is_zero(factor)) continue;
    other[column] = hy_rational_of(0);
    for (int i = 0; i < count; i++) {
      hy_rational *cell = &other[filled[i]];
      add_product(cell, &factor, &cells[filled[i]], overflow);
      simplex->work += hy_rational_is_whole(*cell) ? 1 : FRACTION_WORK;
    }
  }
  int leaving = simplex->basic[row], entering = simplex->nonbasic[column];
  simplex->basic[row] = entering;
  simplex->nonbasic[column] = leaving;
  simplex->vars[entering].is_basic = true;
  simplex->vars[entering].place = row;
  simplex->vars[leaving].is_basic = false;
  simplex->vars[leaving].place = column;
}

static bool is_below(hy_simplex *simplex, const hy_simplex_var *var) {
  return var->has_low && hy_rational_compare(var->value, hy_rational_of(var->low), &simplex->overflow) < 0;
}

static bool is_above(hy_simplex *simplex, const hy_simplex_var *var) {
  return var->has_high && hy_rational_compare(var->value, hy_rational_of(var->high), &simplex->overflow) > 0;
}

// Bland: the violated basic variable with the least number, -1 if there is none.
static int violated(hy_simplex *simplex) {
  int best = -1;
  for (int r = 0; r < simplex->row_count; r++) {
    int v = simplex->basic[r];
    if (best >= 0 && v > best) continue;
    if (is_below(simplex, &simplex->vars[v]) || is_above(simplex, &simplex->vars[v])) best = v;
  }
  return best;
}

// Bland: the nonbasic variable with the least number that can help "row" up (or down), as a column; -1 if there is
// none.
static int helper(hy_simplex *simplex, int row, bool up) {
  const hy_rational *cells = row_of(simplex, row);
  int best = -1;
  for (int c = 0; c < simplex->column_count; c++) {
    if (hy_rational_is_zero(cells[c])) continue;
    int v = simplex->nonbasic[c];
    if (best >= 0 && v > simplex->nonbasic[best]) continue;
    const hy_simplex_var *var = &simplex->vars[v];
    bool rises = (cells[c].num > 0) == up;
    bool free =
        rises ? !var->has_high || hy_rational_compare(var->value, hy_rational_of(var->high), &simplex->overflow) < 0
              : !var->has_low || hy_rational_compare(var->value, hy_rational_of(var->low), &simplex->overflow) > 0;
    if (free) best = c;
  }
  return best;
}

/* -- verbs -- */

hy_simplex_result hy_simplex_demand(hy_simplex *simplex, const hy_poly *form, bool is_low, hy_wide bound, int reason) {
  int v = form_var(simplex, form); // may move the variables
  hy_simplex_var *var = &simplex->vars[v];
  if (simplex->row_count > HY_SIMPLEX_MAX_ROWS || simplex->column_count > HY_SIMPLEX_MAX_COLUMNS)
    simplex->overflow = true;
  if (simplex->overflow) return HY_SIMPLEX_LOST;
  if (is_low ? var->has_low && var->low >= bound : var->has_high && var->high <= bound) return HY_SIMPLEX_FEASIBLE;
  if (is_low) {
    var->has_low = true, var->low = bound, var->low_reason = reason;
  } else {
    var->has_high = true, var->high = bound, var->high_reason = reason;
  }
  if (var->has_low && var->has_high && var->low > var->high) {
    simplex->conflict_count = 0;
    add_bound(simplex, var, true, hy_rational_of(1));
    add_bound(simplex, var, false, hy_rational_of(1));
    return HY_SIMPLEX_INFEASIBLE;
  }
  if (!var->is_basic && (is_below(simplex, var) || is_above(simplex, var))) move(simplex, var, hy_rational_of(bound));
  return simplex->overflow ? HY_SIMPLEX_LOST : HY_SIMPLEX_FEASIBLE;
}

hy_simplex_result hy_simplex_check(hy_simplex *simplex) {
  for (int steps = 0; steps < MAX_PIVOTS && !simplex->overflow; steps++) {
    if (simplex->most_work && simplex->work > simplex->most_work) break;
    int v = violated(simplex);
    if (v < 0) return simplex->overflow ? HY_SIMPLEX_LOST : HY_SIMPLEX_FEASIBLE;
    hy_simplex_var *var = &simplex->vars[v];
    int row = var->place;
    bool below = is_below(simplex, var);
    int column = helper(simplex, row, below);
    if (column < 0) return explain(simplex, row, below);
    hy_simplex_var *other = &simplex->vars[simplex->nonbasic[column]];
    hy_rational gap = hy_rational_sub(hy_rational_of(below ? var->low : var->high), var->value, &simplex->overflow);
    hy_rational change = hy_rational_div(gap, row_of(simplex, row)[column], &simplex->overflow);
    move(simplex, other, hy_rational_add(other->value, change, &simplex->overflow));
    pivot(simplex, row, column);
  }
  return HY_SIMPLEX_LOST;
}

bool hy_simplex_is_unknown(const hy_simplex *simplex, int var) { return !simplex->vars[var].form; }

bool hy_simplex_value(const hy_simplex *simplex, hy_monomial monomial, hy_rational *value) {
  int v = find_unknown(simplex, monomial);
  if (v < 0) return false;
  *value = simplex->vars[v].value;
  return true;
}

void hy_simplex_bounds(const hy_simplex *simplex, hy_monomial monomial, double *low, double *high) {
  int v = find_unknown(simplex, monomial);
  *low = v >= 0 && simplex->vars[v].has_low ? (double)simplex->vars[v].low : -INFINITY;
  *high = v >= 0 && simplex->vars[v].has_high ? (double)simplex->vars[v].high : INFINITY;
}

bool hy_simplex_bound_reason(const hy_simplex *simplex, hy_monomial monomial, bool is_low, int *reason) {
  int v = find_unknown(simplex, monomial);
  if (v < 0 || !(is_low ? simplex->vars[v].has_low : simplex->vars[v].has_high)) return false;
  *reason = is_low ? simplex->vars[v].low_reason : simplex->vars[v].high_reason;
  return true;
}

bool hy_simplex_bound(const hy_simplex *simplex, hy_monomial monomial, bool is_low, hy_wide *bound) {
  int v = find_unknown(simplex, monomial);
  if (v < 0 || !(is_low ? simplex->vars[v].has_low : simplex->vars[v].has_high)) return false;
  *bound = is_low ? simplex->vars[v].low : simplex->vars[v].high;
  return true;
}

bool hy_simplex_fractional(const hy_simplex *simplex, hy_monomial *monomial, hy_rational *value) {
  for (int v = 0; v < simplex->var_count; v++) {
    if (simplex->vars[v].form || hy_rational_is_whole(simplex->vars[v].value)) continue;
    *monomial = simplex->keys[v];
    *value = simplex->vars[v].value;
    return true;
  }
  return false;
}
