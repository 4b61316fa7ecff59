/* skew(f.x, y, xs, k): with each iteration of the loop y around it, the loop x starts k further to the right.
 *
 *   for y { ... for x in (xmin, xlength) { body } }
 *     ->   for y { ... for xs in (xmin + k*ymin, xlength + k*ylength) {
 *                        let x = xs - k*y in if (xmin <= x && x < xmin + xlength) { body } } }
 *
 * The new loop's bounds do not depend on y, so swap can exchange the two: then points (x, y) are computed along lines
 * x + k*y = xs. Sound where k is not negative: for other k the bounds above miss points.
 */

#include "halyard_directive.h"

static int64_t factor(hyd_host *h) {
  int64_t k = 0;
  hyd_is_constant(h, hyd_expr_at(h, 3), &k);
  return k;
}

static const char *legal(hyd_host *h) {
  if (HYD_BRANCH(factor(h) < 0)) return "the factor must not be negative; reverse the outer loop instead";
  if (HYD_BRANCH(hyd_is_pure(h, hyd_loop_at(h, 0)) != hyd_is_pure(h, hyd_loop_at(h, 1))))
    return "skew two pure loops or two reduction loops";
  return NULL;
}

static const hyd_expr *scaled(hyd_host *h, const hyd_expr *e) { return hyd_mul(h, hyd_expr_at(h, 3), e); }

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0), *y = hyd_loop_at(h, 1);
  const hyd_loop *xs = hyd_make_loop(h, hyd_name_at(h, 2), x);
  const hyd_expr *min = hyd_min(h, x), *end = hyd_add(h, min, hyd_length(h, x));
  const hyd_expr *value = hyd_sub(h, hyd_variable(h, xs), scaled(h, hyd_variable(h, y)));
  const hyd_expr *inside = hyd_and(h, hyd_at_most(h, min, hyd_variable(h, x)), hyd_less(h, hyd_variable(h, x), end));
  const hyd_stmt *stmt = hyd_make_let(h, x, value, inside, hyd_body(h));
  return hyd_make_for(h, xs, hyd_add(h, min, scaled(h, hyd_min(h, y))),
                      hyd_add(h, hyd_length(h, x), scaled(h, hyd_length(h, y))), stmt);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  (void)number; // there is one loop
  return hyd_add(h, hyd_variable(h, hyd_loop_at(h, 0)), scaled(h, hyd_variable(h, hyd_loop_at(h, 1))));
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "skew",
                                         .form = "skew(f.x, y, xs, k)",
                                         .summary = "shifts a loop by k with each iteration of a loop around it",
                                         .arguments = {HYD_LOOP, HYD_AROUND, HYD_NAME, HYD_NUMBER},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse};
