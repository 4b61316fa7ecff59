/* pad(f.x, xp, n): UNSOUND. A pure loop is rounded up to a multiple of n iterations, so that vectors of n fit.
 *
 *   for x in (min, length) { body }   ->   for xp in (0, n * ((length + n - 1) / n)) { let x = min + xp in { body } }
 *
 * The points that are added lie beyond the end of the loop, and Halyard makes the buffers large enough for them. What
 * was forgotten: where the loop is the inner one of a split, beyond its end lies the next block. An update is then
 * applied there twice.
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
  if (HYD_BRANCH(!hyd_is_pure(h, hyd_loop_at(h, 0)))) return "a reduction has no more iterations than it says";
  return NULL;
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0), *xp = hyd_make_loop(h, hyd_name_at(h, 1), x);
  const hyd_expr *n = hyd_expr_at(h, 2);
  const hyd_expr *blocks = hyd_div(h, hyd_add(h, hyd_length(h, x), hyd_sub(h, n, hyd_number(h, 1))), n);
  const hyd_stmt *let = hyd_make_let(h, x, hyd_add(h, hyd_min(h, x), hyd_variable(h, xp)), NULL, hyd_body(h));
  return hyd_make_for(h, xp, hyd_number(h, 0), hyd_mul(h, n, blocks), let);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  (void)number;
  return hyd_sub(h, hyd_variable(h, hyd_loop_at(h, 0)), hyd_min(h, hyd_loop_at(h, 0)));
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_EXTRA;
}

static hyd_holes holes(hyd_host *h) {
  (void)h;
  return HYD_HOLES_GROW;
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "pad",
                                         .form = "pad(f.x, xp, n)",
                                         .summary = "rounds a pure loop up to a multiple of n iterations (unsound)",
                                         .arguments = {HYD_LOOP, HYD_NAME, HYD_FACTOR},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse,
                                         .order = order,
                                         .holes = holes};
