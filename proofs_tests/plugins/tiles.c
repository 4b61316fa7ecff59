/* tiles(f.y, x, yo, xo, yi, xi, n): two pure loops in tiles of n by n, four new ones; guards keep out what is beyond.
 *
 *   for y in (ymin, ylength) { for x in (xmin, xlength) { body } }
 *     ->   for yo in (0, (ylength + n - 1)/n) { for xo in (0, (xlength + n - 1)/n) {
 *            for yi in (0, n) { for xi in (0, n) {
 *              let y = ymin + n*yo + yi in { if (y < ymin + ylength) {
 *                let x = xmin + n*xo + xi in { if (x < xmin + xlength) { body } } } } } } } }
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
  bool pure = hyd_is_pure(h, hyd_loop_at(h, 0)) && hyd_is_pure(h, hyd_loop_at(h, 1));
  if (HYD_BRANCH(!pure)) return "a reduction loop runs in its order; take two pure loops";
  return NULL;
}

static const hyd_expr *size(hyd_host *h) { return hyd_expr_at(h, 6); }

static const hyd_expr *count_tiles(hyd_host *h, const hyd_loop *old) {
  const hyd_expr *spare = hyd_sub(h, size(h), hyd_number(h, 1));
  return hyd_div(h, hyd_add(h, hyd_length(h, old), spare), size(h));
}

static const hyd_stmt *make_let(hyd_host *h, const hyd_loop *old, const hyd_loop *outer, const hyd_loop *inner,
                                const hyd_stmt *body) {
  const hyd_expr *start = hyd_add(h, hyd_min(h, old), hyd_mul(h, hyd_variable(h, outer), size(h)));
  const hyd_expr *end = hyd_add(h, hyd_min(h, old), hyd_length(h, old));
  return hyd_make_let(h, old, hyd_add(h, start, hyd_variable(h, inner)), hyd_less(h, hyd_variable(h, old), end), body);
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *y = hyd_loop_at(h, 0), *x = hyd_loop_at(h, 1);
  const hyd_loop *yo = hyd_make_loop(h, hyd_name_at(h, 2), y), *xo = hyd_make_loop(h, hyd_name_at(h, 3), x);
  const hyd_loop *yi = hyd_make_loop(h, hyd_name_at(h, 4), y), *xi = hyd_make_loop(h, hyd_name_at(h, 5), x);
  const hyd_expr *zero = hyd_number(h, 0);
  const hyd_stmt *stmt = make_let(h, y, yo, yi, make_let(h, x, xo, xi, hyd_body(h)));
  stmt = hyd_make_for(h, yi, zero, size(h), hyd_make_for(h, xi, zero, size(h), stmt));
  return hyd_make_for(h, yo, zero, count_tiles(h, y), hyd_make_for(h, xo, zero, count_tiles(h, x), stmt));
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  const hyd_loop *old = hyd_loop_at(h, number % 2);
  const hyd_expr *distance = hyd_sub(h, hyd_variable(h, old), hyd_min(h, old));
  return number < 2 ? hyd_div(h, distance, size(h)) : hyd_mod(h, distance, size(h));
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_PERMUTED;
}

const hyd_directive halyard_directive = {
    HYD_HEAD,
    .name = "tiles",
    .form = "tiles(f.y, x, yo, xo, yi, xi, n)",
    .summary = "two pure loops in tiles of n by n",
    .arguments = {HYD_LOOP, HYD_INNER, HYD_NAME, HYD_NAME, HYD_NAME, HYD_NAME, HYD_FACTOR},
    .legal = legal,
    .rewrite = rewrite,
    .inverse = inverse,
    .order = order};
