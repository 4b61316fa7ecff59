#include "autosched/cost.h"

typedef struct {
  int64_t plain, by_constant;
} row;

static const row rows[] = {
#define HY_OP_COST(name, plain, by_constant) [HY_OP_##name] = {plain, by_constant},
#include "autosched/cost.def"
#undef HY_OP_COST
};
enum {
  ROWS = 0
#define HY_OP_COST(name, plain, by_constant) +1
#include "autosched/cost.def"
#undef HY_OP_COST
};
_Static_assert((int)ROWS == (int)HY_OP_COUNT, "a row for every operator");

int64_t hy_op_cost(const hy_expr *node) {
  bool by_constant = node->count == 2 && node->args[1]->kind == HY_EXPR_CONST;
  return by_constant ? rows[node->op].by_constant : rows[node->op].plain;
}

/* -- a walk over distinct nodes -- */

typedef struct {
  uint32_t *ids; // open addressing; 0 = free
  size_t count, capacity, most;
  int64_t cost;
  hy_expr_list *accesses;
} walk;

static uint32_t *place_of(const walk *w, uint32_t id) {
  size_t i = (id * UINT64_C(0x9e3779b97f4a7c15) >> 24) & (w->capacity - 1);
  while (w->ids[i] && w->ids[i] != id) i = (i + 1) & (w->capacity - 1);
  return &w->ids[i];
}

static void grow(walk *w) {
  walk old = *w;
  w->capacity *= 2;
  w->ids = hy_allocate_zeroed(w->capacity, sizeof *w->ids);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.ids[i]) *place_of(w, old.ids[i]) = old.ids[i];
  hy_free(old.ids);
}

// Was it seen for the first time?
static bool is_new(walk *w, uint32_t id) {
  if (2 * w->count >= w->capacity) grow(w);
  uint32_t *place = place_of(w, id);
  if (*place) return false;
  *place = id;
  w->count++;
  return true;
}

static void visit(walk *w, const hy_expr *expr) {
  if (w->count > w->most || !is_new(w, expr->id)) return;
  bool is_access = expr->kind == HY_EXPR_ACCESS;
  for (int i = 0; i < expr->count; i++)
    if (!is_access || expr->args[i]->has_conversion) visit(w, expr->args[i]);
  if (is_access) hy_vec_push(w->accesses, expr);
  if (expr->kind == HY_EXPR_OP) w->cost += hy_op_cost(expr);
}

int64_t hy_cost_arithmetic(const hy_expr *const *exprs, int count, size_t most, hy_expr_list *accesses) {
  walk w = {.capacity = 64, .most = most, .accesses = accesses};
  w.ids = hy_allocate_zeroed(w.capacity, sizeof *w.ids);
  for (int i = 0; i < count; i++)
    if (exprs[i]) visit(&w, exprs[i]);
  hy_free(w.ids);
  return w.count > most ? -1 : w.cost;
}
