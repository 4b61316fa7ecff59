/* lean(f.y, x, yl, xl): two pure loops, the inner one begins at the outer one's value.
 *
 *   for y in (ymin, ylength) { for x in (xmin, xlength) { body } }
 *     ->   for yl in (ymin, ylength) { let y = yl in { for xl in (y, xlength) { let x = xmin + xl - y in { body } } } }
 *
 * The let of y stands outside of the loop xl, whose way back it lists.
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
  bool pure = hyd_is_pure(h, hyd_loop_at(h, 0)) && hyd_is_pure(h, hyd_loop_at(h, 1));
  if (HYD_BRANCH(!pure)) return "a reduction loop runs in its order; take two pure loops";
  return NULL;
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *y = hyd_loop_at(h, 0), *x = hyd_loop_at(h, 1);
  const hyd_loop *yl = hyd_make_loop(h, hyd_name_at(h, 2), y), *xl = hyd_make_loop(h, hyd_name_at(h, 3), x);
  const hyd_expr *column = hyd_sub(h, hyd_add(h, hyd_min(h, x), hyd_variable(h, xl)), hyd_variable(h, y));
  const hyd_stmt *stmt = hyd_make_let(h, x, column, NULL, hyd_body(h));
  stmt = hyd_make_for(h, xl, hyd_variable(h, y), hyd_length(h, x), stmt);
  stmt = hyd_make_let(h, y, hyd_variable(h, yl), NULL, stmt);
  return hyd_make_for(h, yl, hyd_min(h, y), hyd_length(h, y), stmt);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  const hyd_expr *y = hyd_variable(h, hyd_loop_at(h, 0));
  const hyd_loop *x = hyd_loop_at(h, 1);
  return number == 0 ? y : hyd_add(h, hyd_sub(h, hyd_variable(h, x), hyd_min(h, x)), y);
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_PERMUTED;
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "lean",
                                         .form = "lean(f.y, x, yl, xl)",
                                         .summary = "begins each row at the number of the row",
                                         .arguments = {HYD_LOOP, HYD_INNER, HYD_NAME, HYD_NAME},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse,
                                         .order = order};
