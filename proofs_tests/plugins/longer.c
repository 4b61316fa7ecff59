/* longer(f.x, xp, k): SOUND for k >= 0. k iterations more, which a guard leaves out: whether k is, the algorithm says, by
 * the range of a parameter.
 */

#include "halyard_directive.h"

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0), *xp = hyd_make_loop(h, hyd_name_at(h, 1), x);
  const hyd_expr *length = hyd_add(h, hyd_length(h, x), hyd_expr_at(h, 2));
  const hyd_expr *guard = hyd_less(h, hyd_variable(h, xp), hyd_length(h, x));
  const hyd_stmt *let = hyd_make_let(h, x, hyd_add(h, hyd_min(h, x), hyd_variable(h, xp)), guard, hyd_body(h));
  return hyd_make_for(h, xp, hyd_number(h, 0), length, let);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  (void)number;
  return hyd_sub(h, hyd_variable(h, hyd_loop_at(h, 0)), hyd_min(h, hyd_loop_at(h, 0)));
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "longer",
                                         .form = "longer(f.x, xp, k)",
                                         .summary = "adds k iterations that do nothing",
                                         .arguments = {HYD_LOOP, HYD_NAME, HYD_EXPR},
                                         .rewrite = rewrite,
                                         .inverse = inverse};
