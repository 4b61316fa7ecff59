#include "semantics/storage/layout.h"

static bool cells_of(const hy_plan *plan, int d, uint64_t len, uint64_t *cells) {
  uint64_t align = plan ? (uint64_t)plan->align[d] : 1, most;
  uint64_t wanted = plan && plan->fold[d] ? (uint64_t)plan->fold[d] : len;
  if (__builtin_add_overflow(wanted, align - 1, &most)) return false;
  *cells = most / align * align;
  return true;
}

bool hy_layout_make(hy_layout *layout, int rank, const hy_plan *plan, const int64_t *min, const int64_t *len) {
  uint64_t count = 1;
  bool empty = false;
  layout->rank = rank;
  layout->folds = hy_plan_folds(plan, rank);
  for (int d = 0; d < rank; d++) {
    layout->min[d] = min[d];
    layout->len[d] = (uint64_t)len[d];
    layout->fold[d] = plan ? plan->fold[d] : 0;
    empty |= len[d] == 0;
    if (!cells_of(plan, d, layout->len[d], &layout->cells[d])) return false;
  }
  for (int i = 0; i < rank; i++) {
    int d = plan ? plan->order[i] : i;
    layout->stride[d] = count;
    if (!empty && __builtin_mul_overflow(count, layout->cells[d], &count)) return false;
  }
  layout->count = empty ? 0 : count;
  return true;
}
