#include "autosched/repair.h"

static hy_func_choice place_alone(const hy_func_choice *wanted, const hy_func_choice *plain) {
  hy_func_choice f = *wanted;
  f.stages = plain->stages;
  return f;
}

hy_choices_list *hy_repair(const hy_func_graph *g, const hy_choices_list *choices, hy_choices_legal *legal, void *self,
                           int *refused) {
  hy_choices_list *all = hy_choices_copy(g, choices);
  if (legal(self, all)) return all;
  ++*refused;
  hy_choices_list *plain = hy_choices_plain(g), *kept = hy_choices_plain(g);
  for (int n = g->count - 1; n >= g->first; n--) {
    hy_func_choice tries[2] = {all->funcs[n], place_alone(&all->funcs[n], &plain->funcs[n])};
    hy_func_choice before = kept->funcs[n];
    bool fits = false;
    for (int i = 0; i < 2 && !fits; i++) {
      kept->funcs[n] = tries[i];
      fits = legal(self, kept);
      *refused += !fits;
    }
    if (!fits) kept->funcs[n] = before;
  }
  return kept;
}
