#include "semantics/storage/plan.h"

const char *hy_store_name(hy_store_place store) {
  static const char *const names[] = {[HY_STORE_ANYWHERE] = "", [HY_STORE_HEAP] = "heap", [HY_STORE_STACK] = "stack"};
  return names[store];
}

hy_plan hy_plan_plain(void) {
  hy_plan plan = {.store = HY_STORE_ANYWHERE};
  for (int d = 0; d < HY_MAX_RANK; d++) {
    plan.order[d] = d;
    plan.align[d] = 1;
  }
  return plan;
}

bool hy_plan_is_ordered(const hy_plan *plan, int rank) {
  for (int i = 0; plan && i < rank; i++)
    if (plan->order[i] != i) return false;
  return true;
}

bool hy_plan_folds(const hy_plan *plan, int rank) {
  for (int d = 0; plan && d < rank; d++)
    if (plan->fold[d]) return true;
  return false;
}

static bool aligns(const hy_plan *plan, int rank) {
  for (int d = 0; d < rank; d++)
    if (plan->align[d] != 1) return true;
  return false;
}

bool hy_plan_is_plain(const hy_plan *plan, int rank) {
  return !plan || (plan->store == HY_STORE_ANYWHERE && hy_plan_is_ordered(plan, rank) && !aligns(plan, rank) &&
                   !hy_plan_folds(plan, rank));
}

const char *hy_plan_fault(const hy_plan *plan, int rank) {
  unsigned seen = 0;
  for (int i = 0; i < rank; i++) {
    if (plan->order[i] < 0 || plan->order[i] >= rank || (seen >> plan->order[i] & 1))
      return "the order does not list every dimension once";
    seen |= 1u << plan->order[i];
  }
  for (int d = 0; d < rank; d++) {
    if (plan->align[d] < 1 || plan->align[d] > HY_MOST_OF_PLAN) return "an alignment is not from 1 to 2147483648";
    if (plan->fold[d] < 0 || plan->fold[d] > HY_MOST_OF_PLAN) return "a fold is not from 1 to 2147483648";
  }
  return NULL;
}

static void print_order(const hy_plan *plan, int rank, const char *const *dims, hy_text *out) {
  for (int i = 0; i < rank; i++) hy_text_printf(out, "%s%s", i ? ", " : " order(", dims[plan->order[i]]);
  hy_text_add(out, ")");
}

void hy_plan_print(const hy_plan *plan, int rank, const char *const *dims, hy_text *out) {
  if (!plan) return;
  if (!hy_plan_is_ordered(plan, rank)) print_order(plan, rank, dims, out);
  for (int d = 0; d < rank; d++)
    if (plan->align[d] != 1) hy_text_printf(out, " align(%s, %lld)", dims[d], (long long)plan->align[d]);
  for (int d = 0; d < rank; d++)
    if (plan->fold[d]) hy_text_printf(out, " fold(%s, %lld)", dims[d], (long long)plan->fold[d]);
  if (plan->store != HY_STORE_ANYWHERE) hy_text_printf(out, " in %s", hy_store_name(plan->store));
}
