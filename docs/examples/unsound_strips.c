/* strips(f.x, xo, xi, n): UNSOUND. A loop is cut into strips of n iterations.
 *
 *   for x in (min, length) { body }
 *     ->   for xo in (0, length / n) { for xi in (0, n) { let x = min + n*xo + xi in { body } } }
 *
 * What was forgotten: where n does not divide the length, the last strip is shorter, and here it is lost.
 */

#include "halyard_directive.h"

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  const hyd_loop *xo = hyd_make_loop(h, hyd_name_at(h, 1), x), *xi = hyd_make_loop(h, hyd_name_at(h, 2), x);
  const hyd_expr *n = hyd_expr_at(h, 3), *zero = hyd_number(h, 0);
  const hyd_expr *start = hyd_add(h, hyd_min(h, x), hyd_mul(h, n, hyd_variable(h, xo)));
  const hyd_stmt *stmt = hyd_make_let(h, x, hyd_add(h, start, hyd_variable(h, xi)), NULL, hyd_body(h));
  stmt = hyd_make_for(h, xi, zero, n, stmt);
  return hyd_make_for(h, xo, zero, hyd_div(h, hyd_length(h, x), n), stmt);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  const hyd_expr *at = hyd_sub(h, hyd_variable(h, x), hyd_min(h, x)), *n = hyd_expr_at(h, 3);
  return number == 0 ? hyd_div(h, at, n) : hyd_mod(h, at, n);
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "strips",
                                         .form = "strips(f.x, xo, xi, n)",
                                         .summary = "cuts a loop into strips of n iterations (unsound)",
                                         .arguments = {HYD_LOOP, HYD_NAME, HYD_NAME, HYD_FACTOR},
                                         .rewrite = rewrite,
                                         .inverse = inverse};
