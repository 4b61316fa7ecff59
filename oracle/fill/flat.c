#include "oracle/fill/flat.h"

#include <string.h>

// More than these: the expression stays as it is.
enum { MOST_CLAUSES = 12, MOST_ITEMS = 8, DEEPEST = 64 };

// The least of its items.
typedef struct {
  const hy_expr *items[MOST_ITEMS];
  int count;
} clause;

// The greatest of its clauses.
typedef struct {
  clause clauses[MOST_CLAUSES];
  int count;
} shape;

typedef struct {
  hy_affine_table *table;
  hy_context *context;
  int depth;
  bool too_large;
} flattening;

static bool is_extremum(const hy_expr *e) { return e->kind == HY_EXPR_OP && hy_op_kind_of(e->op) == HY_KIND_EXTREMUM; }

// Is it, whatever the variables are?
static bool is_below(const flattening *f, const hy_expr *a, const hy_expr *b) {
  int64_t distance;
  return a == b || (hy_affine_distance(f->table, a, b, &distance) && distance <= 0);
}

/* -- clauses -- */

// min(a, b) -> a where a <= b
static void add_item(flattening *f, clause *c, const hy_expr *item) {
  int kept = 0;
  for (int i = 0; i < c->count; i++)
    if (is_below(f, c->items[i], item)) return;
  for (int i = 0; i < c->count; i++)
    if (!is_below(f, item, c->items[i])) c->items[kept++] = c->items[i];
  c->count = kept;
  if (c->count < MOST_ITEMS)
    c->items[c->count++] = item;
  else
    f->too_large = true;
}

// Is the least of c at most that of d?
static bool is_clause_below(const flattening *f, const clause *c, const clause *d) {
  for (int i = 0; i < d->count; i++) {
    bool found = false;
    for (int k = 0; k < c->count && !found; k++) found = is_below(f, c->items[k], d->items[i]);
    if (!found) return false;
  }
  return true;
}

// max(c, d) -> d where c <= d
static void add_clause(flattening *f, shape *s, const clause *c) {
  int kept = 0;
  for (int i = 0; i < s->count; i++)
    if (is_clause_below(f, c, &s->clauses[i])) return;
  for (int i = 0; i < s->count; i++)
    if (!is_clause_below(f, &s->clauses[i], c)) s->clauses[kept++] = s->clauses[i];
  s->count = kept;
  if (s->count < MOST_CLAUSES)
    s->clauses[s->count++] = *c;
  else
    f->too_large = true;
}

/* -- shapes -- */

static void add_shape(flattening *f, shape *s, const shape *other) {
  for (int i = 0; i < other->count; i++) add_clause(f, s, &other->clauses[i]);
}

// min(max(a, b), c) -> max(min(a, c), min(b, c))
static void meet(flattening *f, const shape *a, const shape *b, shape *out) {
  for (int i = 0; i < a->count; i++)
    for (int k = 0; k < b->count && !f->too_large; k++) {
      clause both = a->clauses[i];
      for (int n = 0; n < b->clauses[k].count; n++) add_item(f, &both, b->clauses[k].items[n]);
      add_clause(f, out, &both);
    }
}

// max(a, b) + e -> max(a + e, b + e), likewise min
static void move(const flattening *f, shape *s, const hy_expr *rest) {
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < s->clauses[i].count; k++) {
      const hy_expr **item = &s->clauses[i].items[k];
      *item = hy_affine_add(f->table, *item, rest);
    }
}

static void shape_of(flattening *f, const hy_expr *expr, shape *out);

static void shape_of_extremum(flattening *f, const hy_expr *e, shape *out) {
  shape *parts = hy_allocate_zeroed(2, sizeof *parts);
  for (int i = 0; i < 2; i++) shape_of(f, e->args[i], &parts[i]);
  if (e->op == HY_OP_MIN) {
    meet(f, &parts[0], &parts[1], out);
  } else {
    add_shape(f, out, &parts[0]);
    add_shape(f, out, &parts[1]);
  }
  hy_free(parts);
}

// What is no extremum plus something is an item as it is.
static void shape_of(flattening *f, const hy_expr *expr, shape *out) {
  const hy_affine *form = hy_affine_of(f->table, expr);
  int only = -1;
  for (int i = 0; i < form->count; i++)
    if (is_extremum(form->terms[i].atom)) only = only == -1 && form->terms[i].coefficient == 1 ? i : -2;
  if (only < 0 || ++f->depth > DEEPEST) {
    f->too_large |= f->depth > DEEPEST;
    add_clause(f, out, &(clause){{expr}, 1});
    return;
  }
  const hy_expr *atom = form->terms[only].atom;
  shape_of_extremum(f, atom, out);
  move(f, out, hy_affine_sub(f->table, expr, atom));
  f->depth--;
}

/* -- back to an expression -- */

static const hy_expr *extremum(const flattening *f, hy_op op, const hy_expr *a, const hy_expr *b) {
  return a ? hy_affine_normal(f->table, hy_expr_binary(f->context, op, a, b)) : b;
}

static const hy_expr *written_clause(const flattening *f, const clause *c) {
  const hy_expr *least = NULL;
  for (int i = 0; i < c->count; i++) least = extremum(f, HY_OP_MIN, least, c->items[i]);
  return least;
}

static int item_at(const clause *c, const hy_expr *item) {
  for (int i = 0; i < c->count; i++)
    if (c->items[i] == item) return i;
  return -1;
}

// The item that most clauses have, two at least; NULL: none
static const hy_expr *common_item(const shape *s) {
  const hy_expr *best = NULL;
  int most = 1;
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < s->clauses[i].count && s->clauses[i].count > 1; k++) {
      int count = 0;
      for (int n = 0; n < s->count; n++)
        count += s->clauses[n].count > 1 && item_at(&s->clauses[n], s->clauses[i].items[k]) >= 0;
      if (count <= most) continue;
      most = count;
      best = s->clauses[i].items[k];
    }
  return best;
}

// max(a, min(b, c), min(b, d)) -> max(a, min(b, max(c, d)))
static const hy_expr *written(flattening *f, const shape *s) {
  const hy_expr *item = common_item(s), *greatest = NULL;
  shape *inside = hy_allocate_zeroed(1, sizeof *inside);
  for (int i = 0; i < s->count; i++) {
    clause c = s->clauses[i];
    int at = item && c.count > 1 ? item_at(&c, item) : -1;
    if (at < 0) {
      greatest = extremum(f, HY_OP_MAX, greatest, written_clause(f, &c));
    } else {
      c.items[at] = c.items[--c.count];
      add_clause(f, inside, &c);
    }
  }
  if (item) greatest = extremum(f, HY_OP_MAX, greatest, extremum(f, HY_OP_MIN, item, written(f, inside)));
  hy_free(inside);
  return greatest;
}

static void count_extremum(void *self, const hy_expr *node) { *(int *)self += is_extremum(node); }

static int count_extrema(const hy_expr *expr) {
  int count = 0;
  hy_expr_visit(expr, count_extremum, &count);
  return count;
}

// ORA.Flat
const hy_expr *hy_flat(hy_affine_table *table, hy_context *context, const hy_expr *expr) {
  int before = count_extrema(expr);
  if (before < 3) return expr; // a clamp alone
  flattening f = {.table = table, .context = context};
  shape *whole = hy_allocate_zeroed(1, sizeof *whole);
  shape_of(&f, expr, whole);
  const hy_expr *flat = f.too_large ? expr : written(&f, whole);
  hy_free(whole);
  if (count_extrema(flat) >= before) return expr;
  hy_context_hit(context, HY_RULE_ORA_FLAT);
  return flat;
}
